"""The home post of a server: its parts, from top to bottom, and how it is posted, edited and removed."""

import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import discord

from bot.addresses import link
from bot.features.competitions.contests.publisher import server_name
from bot.interactions import custom_ids as ids
from bot.interactions.context import DailyPuzzle, PuzzlePosts
from bot.interactions.layout import Control, Part, Section, button, files, layout, link_button, rows, text_length
from bot.markup import escape
from bot.services.channels import ChannelMessenger
from bot.services.discord_errors import ErrorCode, describe, problem_of
from bot.services.locales import Locales
from bot.services.messages import MAX_PANEL_TEXT, fit
from bot.services.names import Names
from play.challenge.challenge import Challenge
from play.community.home import (
    MAX_LEADERS,
    Home,
    HomeContent,
    HomeGame,
    HomeOffer,
    HomeRecord,
    HomeResult,
    HomeTournament,
    OfferKind,
)
from play.community.streak import day_before
from play.ids import ChannelId, GuildId, MessageId, Millis
from play.ratings.leaderboard import Leader, Scorer
from play.refusal import Refused
from presentation.leaderboards import MEDALS
from presentation.markup import Stamp
from presentation.match.phrases import rating_text
from presentation.terms import rules_name
from presentation.text import cut_names, plain_name
from presentation.tournaments import round_kind
from presentation.words.words import Words
from use_cases import UseCases
from use_cases.worker import RetryLater
from use_cases.workers.home_refresher import EditsCapped, HomeLost, HomeNotPosted

log = logging.getLogger(__name__)

MAX_NAME = 60
"""Characters of a tournament's name."""

MAX_PLAYERS = 24
"""Characters of the names of a game that members vote about or predict."""

MAX_WINNERS = 80
"""Characters of the names of those who have won a tournament with equal results."""


OFFERS_IN_ROW = 3
"""Buttons that a phone shows side by side, with their emojis and longer words than in English."""

EMOJIS = {
    OfferKind.TOURNAMENT: "🏆",
    OfferKind.CONTEST: "🤝",
    OfferKind.LEAGUE: "🏟️",
    OfferKind.LADDER: "🪜",
    OfferKind.VOTE: "🗳️",
    OfferKind.PREDICTION: "🔮",
}
"""By these a line and its button belong together."""


class HomePost:
    """Writes the posts of homes in the words of their servers."""

    def __init__(self, names: Names) -> None:
        self._names = names

    async def parts(
        self,
        home: Home,
        content: HomeContent,
        daily: Sequence[Part],
        puzzle: DailyPuzzle | None,
        words: Words,
        now: Millis,
    ) -> list[Part]:
        """Returns what the post shows: of long names as many games as leave room for all below them. If there is room
        for none, the buttons of what can be joined have no lines."""
        counts = range(len(content.games), -1, -1)
        for games, has_lines in [*((count, True) for count in counts if count), *((count, False) for count in counts)]:
            fewer = replace(content, games=content.games[:games])
            parts = await self._parts(home, fewer, daily, puzzle, words, now, has_lines=has_lines or not content.games)
            if text_length(parts) <= MAX_PANEL_TEXT:
                break
        return parts

    async def _parts(
        self,
        home: Home,
        content: HomeContent,
        daily: Sequence[Part],
        puzzle: DailyPuzzle | None,
        words: Words,
        now: Millis,
        *,
        has_lines: bool,
    ) -> list[Part]:
        parts: list[Part] = [f"## {words('home.title', day=words.moment(now, Stamp.DATE))}"]
        if content.is_quiet:
            parts.append(words("home.quiet"))
        if content.games:
            parts.append(await self._games(home.guild, content, words, now))
        if content.challenges:
            parts += await self._challenges(home.guild, content, words)
        parts += daily
        if puzzle is not None:
            parts += [puzzle.text, puzzle.file, list(puzzle.buttons)]
        if content.leaders:
            parts.append(await self._leaders(home.guild, content, words))
        if content.tournaments or content.results:
            lines = [_tournament_line(home.guild, each, words, now) for each in content.tournaments]
            lines += [await self._result_line(home.guild, each, words) for each in content.results]
            parts.append("\n".join([words("home.tournaments"), *lines]))
        if content.offers:
            parts += await self._offers(home.guild, content.offers, words, now, has_lines=has_lines)
        if content.record is not None:
            parts.append(await self._record(home.guild, content.record, words))
        anyone = button(ids.PLAY_PANEL(flexible=1), words("seek.door"))
        parts.append([button(ids.CHALLENGE_SOMEONE(), words("home.play")), anyone])
        return parts

    async def ping_text(self, home: Home, challenges: list[Challenge], words: Words) -> str:
        """Returns the message that tells the home's role of challenges."""
        names = await self._names.of_all([each.challenger for each in challenges], home.guild)
        lines = [
            words("home.ping.line", challenger=escape(name), url=link(each.guild, each.channel, each.message))
            for name, each in zip(names, challenges, strict=True)
        ]
        return "\n".join([words("home.ping", role=f"<@&{home.role}>", count=len(lines)), *lines])

    async def _games(self, guild: GuildId, content: HomeContent, words: Words, now: Millis) -> str:
        lines = [words("home.games", count=content.games_count)]
        lines += [await self._game_line(guild, each, words, now) for each in content.games]
        if (more := content.games_count - len(content.games)) > 0:
            lines.append(words("games.more", count=more))
        return "\n".join(lines)

    async def _game_line(self, guild: GuildId, game: HomeGame, words: Words, now: Millis) -> str:
        names = await self._names.of_all(game.players, guild)
        return words(
            "home.game",
            players=escape(" – ".join(names)),
            url=link(guild, game.channel, game.board),
            player=escape(names[game.to_act]),
            when=words.until(game.since, now),
        )

    async def _challenges(self, guild: GuildId, content: HomeContent, words: Words) -> list[Part]:
        parts: list[Part] = [words("home.challenges", count=content.challenges_count)]
        for challenge in content.challenges:
            terms = challenge.terms
            text = words(
                "home.challenge",
                challenger=escape(await self._names.of(challenge.challenger, guild)),
                url=link(guild, challenge.channel, challenge.message),
                rules=rules_name(terms.game.key, terms.rule_set, words),
                size=terms.game.options["size"].replace("x", "×"),
                clock=words.control(terms.control),
            )
            label = words("button.join" if challenge.seats > 2 else "button.accept")
            custom_id = ids.ACCEPT_AT_HOME(challenge=challenge.id, changes=challenge.changes)
            accept = button(custom_id, label, discord.ButtonStyle.success)
            parts.append(Section(text, accept))
        if (more := content.challenges_count - len(content.challenges)) > 0:
            parts.append(words("games.more", count=more))
        return parts

    async def _leaders(self, guild: GuildId, content: HomeContent, words: Words) -> str:
        leaders = content.leaders[:MAX_LEADERS]
        names = await self._names.of_all([line.user for line in leaders], guild)
        pool = words(f"pool.{content.pool}")
        is_rated = isinstance(leaders[0], Leader)
        lines = [words("home.leaders", pool=pool) if is_rated else words("home.scorers", pool=pool)]
        lines += [_leader_line(name, line, content, words) for name, line in zip(names, leaders, strict=True)]
        return "\n".join(lines)

    async def _offers(
        self, guild: GuildId, offers: Sequence[HomeOffer], words: Words, now: Millis, *, has_lines: bool
    ) -> list[Part]:
        """Returns what members can take part in, one a line, and rows with the button of each. A tournament has its
        line above."""
        told = [each for each in offers if has_lines and each.kind is not OfferKind.TOURNAMENT]
        lines = [await self._offer_line(guild, each, words, now) for each in told]
        text = ["\n".join([words("home.offers"), *lines])] if lines else []
        return [*text, *rows([_offer_button(guild, each, words) for each in offers], OFFERS_IN_ROW)]

    async def _offer_line(self, guild: GuildId, offer: HomeOffer, words: Words, now: Millis) -> str:
        other = "" if offer.guest is None else escape(await server_name(self._names, offer.guest, words))
        players = cut_names(" – ".join(await self._names.of_all(offer.players, guild)), MAX_PLAYERS)
        return words(
            f"home.offer.{offer.kind}",
            emoji=EMOJIS[offer.kind],
            channel=words.channel(offer.channel),
            number=offer.count,
            when="" if offer.until is None else words.until(offer.until, now),
            name=other,
            players=escape(players),
        )

    async def _result_line(self, guild: GuildId, result: HomeResult, words: Words) -> str:
        winners = cut_names(", ".join(await self._names.of_all(result.winners, guild)), MAX_WINNERS)
        name, url = escape(plain_name(result.name, MAX_NAME)), link(guild, result.channel, result.message)
        return words("home.won", name=name, url=url, winners=escape(winners))

    async def _record(self, guild: GuildId, record: HomeRecord, words: Words) -> str:
        name = escape(await self._names.of(record.user, guild))
        url = link(guild, record.channel, record.board)
        return words("home.record", player=name, count=record.captured, url=url)


def _offer_button(guild: GuildId, offer: HomeOffer, words: Words) -> Control:
    """Returns the button by which a member takes part. That of a vote leads to the board: an older board takes none."""
    emoji, green = EMOJIS[offer.kind], discord.ButtonStyle.success
    match offer.kind:
        case OfferKind.TOURNAMENT:
            return button(ids.JOIN(tournament=offer.number), words("tournament.button.join"), green, emoji)
        case OfferKind.CONTEST:
            return button(ids.JOIN_TEAM(contest=offer.number), words("team.button.join"), green, emoji)
        case OfferKind.LEAGUE:
            return button(ids.JOIN_LEAGUE(), words("league.button.join"), green, emoji)
        case OfferKind.LADDER:
            return button(ids.JOIN_LADDER(), words("ladder.button.join"), green, emoji)
        case OfferKind.VOTE:
            return link_button(f"{emoji} {words('home.button.vote')}", link(guild, offer.channel))
        case OfferKind.PREDICTION:
            return button(ids.PREDICT(match=offer.number, version=0), words("button.predict"), emoji=emoji)


def _leader_line(name: str, line: Leader | Scorer, content: HomeContent, words: Words) -> str:
    assert line.place is not None, "only lines with a place are read"
    medal = MEDALS[line.place - 1] if line.place <= len(MEDALS) else f"{line.place}\\."
    value = rating_text(line.rating) if isinstance(line, Leader) else words.number(round(line.points))
    return f"{medal} {escape(name)} · {value}{_change_text(line, content, words)}"


def _change_text(line: Leader | Scorer, content: HomeContent, words: Words) -> str:
    """Returns how far a player has moved since yesterday; nothing on the first day of a home."""
    if content.places is None:
        return ""
    change = content.change(line)
    if change is None:
        return f" · {words('home.new')}"
    return f" ▲{change}" if change > 0 else f" ▼{-change}" if change else ""


def _tournament_line(guild: GuildId, tournament: HomeTournament, words: Words, now: Millis) -> str:
    name = escape(plain_name(tournament.name, MAX_NAME))
    url = link(guild, tournament.channel, tournament.message)
    if not tournament.round:
        if tournament.begins is None:
            return words("home.sign_up", name=name, url=url)
        return words("home.sign_up.begins", name=name, url=url, when=words.until(tournament.begins, now))
    kind = round_kind(tournament.format, tournament.pairs)
    number = words(f"tournament.during.{kind}", round=tournament.round)
    if tournament.ends is None:
        return words("home.round", name=name, url=url, round=number)
    return words("home.round.until", name=name, url=url, round=number, when=words.until(tournament.ends, now))


def role_mentions(role: int) -> discord.AllowedMentions:
    """Returns the permission to ping this role and nobody else."""
    return discord.AllowedMentions(users=False, everyone=False, roles=[discord.Object(role)], replied_user=False)


class HomePublisher:
    """Implements use_cases.workers.home_refresher.HomeDisplay."""

    def __init__(
        self,
        client: discord.Client,
        channels: ChannelMessenger,
        locales: Locales,
        names: Names,
        puzzles: PuzzlePosts,
        use_cases: UseCases,
    ) -> None:
        self._client = client
        self._channels = channels
        self._locales = locales
        self._post = HomePost(names)
        self._puzzles = puzzles
        self._use_cases, self._dailies = use_cases, use_cases.dailies

    async def post(self, home: Home, content: HomeContent, now: Millis) -> MessageId:
        """See use_cases.workers.home_refresher.HomeDisplay."""
        puzzle, message = await self._message(home, content, now)
        try:
            once = f"h{home.guild:x}:{home.posts:x}"
            posted = await self._channels.post(home.channel, lambda: message, once, guild=home.guild)
        except discord.HTTPException as error:
            raise _problem(error) from error
        await self._note_puzzle(puzzle, home, posted)
        await self._note_daily(home, posted, now)
        return posted

    async def edit(self, home: Home, content: HomeContent, now: Millis) -> None:
        """See use_cases.workers.home_refresher.HomeDisplay."""
        assert home.message is not None, "what is edited was posted"
        puzzle, message = await self._message(home, content, now)
        try:
            await self._channels.edit(home.channel, home.message, view=message["view"], attachments=message["files"])
        except discord.HTTPException as error:
            if error.code == ErrorCode.UNKNOWN_MESSAGE:
                raise HomeLost from error
            if error.code == ErrorCode.TOO_MANY_OLD_EDITS:
                raise EditsCapped from error
            raise _problem(error) from error
        await self._note_puzzle(puzzle, home, home.message)
        await self._note_daily(home, home.message, now)

    async def ping(self, home: Home, challenges: Sequence[Challenge]) -> MessageId | None:
        """See use_cases.workers.home_refresher.HomeDisplay."""
        assert home.role is not None, "only a role is pinged"
        text = await self._post.ping_text(home, [*challenges], await self._locales.for_guild(home.guild))
        message = {"content": fit(text), "allowed_mentions": role_mentions(home.role)}
        try:
            roles = await self._client.http.get_roles(home.guild)
            if str(home.role) not in [role["id"] for role in roles]:
                return None
            once = f"hp:{challenges[0].id:x}"
            return await self._channels.post(home.channel, lambda: message, once, guild=home.guild)
        except discord.HTTPException as error:
            raise _problem(error) from error

    async def remove(self, channel: ChannelId, message: MessageId) -> None:
        """See use_cases.workers.home_refresher.HomeDisplay."""
        try:
            await self._channels.delete(channel, message)
        except discord.NotFound:
            pass
        except discord.HTTPException as error:
            log.info("the former home %d stays, without its buttons: %s", message, error)
            with suppress(discord.HTTPException):
                await self._channels.edit(channel, message, view=layout(["-# …"]), attachments=[])

    async def _message(
        self, home: Home, content: HomeContent, now: Millis
    ) -> tuple[DailyPuzzle | None, dict[str, Any]]:
        words, puzzle = await self._locales.for_guild(home.guild), None
        try:
            if content.has_puzzle:
                puzzle = await self._puzzles.daily_puzzle(home.guild, home.channel, now)
        except Refused as refused:
            log.info("the home of server %d has no puzzle: %s", home.guild, refused)
        parts = await self._post.parts(home, content, await self._daily(home, content.day), puzzle, words, now)
        return puzzle, {"view": layout(parts), "files": files(parts)}

    async def _daily(self, home: Home, day: str) -> Sequence[Part]:
        """Returns today's daily, with the recap of yesterday; nothing where it has a channel of its own."""
        if (await self._dailies.place(home.guild)).channel is not None:
            return ()
        try:
            card = await self._puzzles.daily_card(home.guild, day)
        except Refused as refused:
            log.info("the home of server %d has no daily: %s", home.guild, refused)
            return ()
        recap = await self._dailies.recap(home.guild, day_before(day))
        told = [await self._puzzles.recap_text(home.guild, recap)] if recap.solvers else []
        return [card.text, card.file, card.buttons, *told]

    async def _note_daily(self, home: Home, message: MessageId, now: Millis) -> None:
        """Notes that the home shows today's daily, if it does: it tells of the day itself on the next one."""
        if (await self._dailies.place(home.guild)).channel is not None:
            return
        post = await self._dailies.announce(home.guild, home.channel, now)
        if post.message != message:
            await self._dailies.mark_posted(post, message)
            await self._dailies.mark_recapped(post)

    async def _note_puzzle(self, puzzle: DailyPuzzle | None, home: Home, message: MessageId) -> None:
        """Notes where the puzzle is, so that `/puzzle` links to it."""
        if puzzle is not None and puzzle.puzzle.message != message:
            await self._use_cases.puzzles.mark_posted(puzzle.puzzle, home.channel, message)


def _problem(error: discord.HTTPException) -> Exception:
    """Returns why a message was refused, if another try soon would be in vain; else RetryLater."""
    problem = problem_of(error)
    return RetryLater(describe(error)) if problem is None else HomeNotPosted(problem)
