"""`/games`: a player's open matches as a list, and their open challenges, each with *Withdraw*."""

from collections.abc import Sequence

from bot.addresses import activity_link, game_link, link
from bot.interactions import custom_ids as ids
from bot.interactions import errors
from bot.interactions.components import PanelItem
from bot.interactions.context import Context
from bot.interactions.layout import Part, Section, link_button
from bot.markup import escape
from play.challenge.challenge import Challenge
from play.ids import ChallengeId, Millis
from play.match.listed import OpenMatch
from play.refusal import Reason, Refused
from presentation.match.narration import clock_stop
from presentation.words.words import Words
from rules.game import AnyGame

MAX_GAMES = 12
"""Games in the list."""

MAX_SECTIONS = 12
"""Games and challenges with a button. Each takes three of the 40 components of a message."""


class WithdrawOwn(PanelItem, id=ids.WITHDRAW_OWN):
    """Withdraws a challenge of the player, whether or not its card is still there."""

    challenge: ChallengeId

    async def parts(self, ctx: Context) -> list[Part]:
        words = await ctx.words()
        try:
            challenge = await ctx.use_cases.challenges.load(self.challenge)
            if challenge.challenger != ctx.user:
                raise Refused(Reason.NO_CHALLENGE)
            await ctx.use_cases.challenges.decline(challenge.id, ctx.user, ctx.at)
            notice = words("games.withdrawn")
        except Refused as refused:
            notice = f"⚠️ {await errors.explain(ctx.services, words, ctx.request, refused)}"
        return [notice, *await games_panel(ctx)]


async def games_panel(ctx: Context) -> list[Part]:
    """Returns the player's open games, each with the way to its board, and their open challenges, if there are any."""
    words = await ctx.words()
    offered = await ctx.use_cases.challenges.list_open(challenger=ctx.user)
    home = await _home(ctx, words)
    parts = await _list_games(ctx, MAX_SECTIONS - len(offered) - len(home), words)
    if offered:
        parts.append(words("games.challenges", count=len(offered)))
        for each in offered:
            withdraw = WithdrawOwn.make(words("button.withdraw"), challenge=each.id)
            parts.append(Section(await _offer_line(ctx, each, words), withdraw))
    return [*parts, *home]


async def _home(ctx: Context, words: Words) -> list[Part]:
    """Returns the way to the player's home page on the web, if there is a web."""
    links, sessions = ctx.services.web_links, ctx.services.web_sessions
    if links is None:
        return []
    key, now = await sessions.link_key(ctx.user), await sessions.now()
    return [[link_button(words("button.web.home"), links.make(ctx.user, None, now, key=key, seen=None))]]


async def next_game(ctx: Context, waiting: Sequence[OpenMatch]) -> Part:
    """Returns the first of the games that wait for the player, with the way to its board."""
    words, first = await ctx.words(), waiting[0]
    onward = link_button(words("games.next", number=len(waiting)), game_link(first, first.board))
    return Section(await _line(ctx, first, words), onward)


async def _line(ctx: Context, entry: OpenMatch, words: Words) -> str:
    """Returns an open game in a line: whose turn it is, against whom, and until when."""
    others = [player for player in entry.players if player != ctx.user]
    known = await ctx.services.names.of_all(others, entry.guild)
    names = {user: escape(name) for user, name in zip(others, known, strict=True)}
    mover = entry.players[entry.to_act]
    details = {"opponent": ", ".join(names.values()), "player": names.get(mover, ""), "size": _size(entry.game)}
    if mover != ctx.user and len(others) > 1:
        rest = ", ".join(name for user, name in names.items() if user != mover)
        details["size"] = words("games.with", size=details["size"], others=rest)
    clock, when = "untimed", ""
    if entry.deadline is not None:
        match = await ctx.load_match(entry.id)
        async with ctx.services.store.read() as reader:
            stop = clock_stop(match, await reader.clock.now())
        clock, when = ("stopped", words.moment(stop.until)) if stop else ("timed", words.until(entry.deadline, ctx.at))
    line = words(f"games.entry.{clock}.{'yours' if mover == ctx.user else 'theirs'}", when=when, **details)
    return f"{line} · {words('games.quiet')}" if ctx.user in entry.quiet else line


async def linked_line(ctx: Context, entry: OpenMatch, words: Words) -> str:
    """Returns the line of a game, with a link to its board."""
    return f"{await _line(ctx, entry, words)} · {words('games.board', url=game_link(entry, entry.board))}"


async def _offer_line(ctx: Context, challenge: Challenge, words: Words) -> str:
    details = {
        "size": _size(challenge.terms.game),
        "when": words.until(challenge.expires, ctx.at),
        "url": link(challenge.guild, challenge.channel, challenge.message),
    }
    if challenge.opponent is None:
        return words("games.challenge.open", **details)
    opponent = escape(await ctx.services.names.of(challenge.opponent, challenge.guild))
    return words("games.challenge.personal", opponent=opponent, **details)


async def _list_games(ctx: Context, sections: int, words: Words) -> list[Part]:
    """Returns the list, the player's turn first, the most urgent at the top; a hint where there is nothing to list.

    So many `sections` have a button that leads to the board, the others a link.
    """
    entries = await ctx.use_cases.matches.list_open(ctx.user)
    if not entries:
        return [words("games.none")]
    parts: list[Part] = [f"{words('games.head', count=len(entries))}\n-# {words('games.legend')}"]
    linked: list[str] = []
    sessions = ctx.services.web_sessions
    key, now = (await sessions.link_key(ctx.user), await sessions.now()) if ctx.services.web_links else ("", ctx.at)
    for number, entry in enumerate(entries[:MAX_GAMES]):
        if number < sections and not entry.lost:
            parts.append(await _section(ctx, entry, key, now, words))
            continue
        linked.append(f"- {await linked_line(ctx, entry, words)}")
        if entry.lost:
            is_borrowed = entry.guild is None or ctx.services.channels.is_user_install(entry.channel)
            linked.append(words("games.borrowed" if is_borrowed else "games.lost"))
    if len(entries) > MAX_GAMES:
        linked.append(words("games.more", count=len(entries) - MAX_GAMES))
    return [*parts, *(["\n".join(linked)] if linked else [])]


async def _section(ctx: Context, entry: OpenMatch, key: str, now: Millis, words: Words) -> Section:
    """Returns a game with a button that leads to its board: on the web if there is one, where links have the user's
    `key`; then a link leads to the board in Discord."""
    links, line = ctx.services.web_links, await _line(ctx, entry, words)
    if links is None:
        return Section(line, link_button(words("games.discord"), game_link(entry, entry.board)))
    ways = [line, words("games.board", url=game_link(entry, entry.board))]
    if ctx.services.hosting.client_secret is not None:
        ways.append(words("games.activity", url=activity_link(ctx.interaction.application_id, entry.id)))
    url = links.make(ctx.user, entry.id, now, key=key, seen=None)
    return Section(" · ".join(ways), link_button(words("games.open"), url))


def _size(game: AnyGame) -> str:
    return game.options["size"].replace("x", "×")


BUTTONS: tuple[type[PanelItem], ...] = (WithdrawOwn,)
