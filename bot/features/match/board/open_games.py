"""`/games`: a player's open matches as a list, and their open challenges, each with *Withdraw*."""

from __future__ import annotations

from bot.interactions import custom_ids as ids
from bot.interactions import errors
from bot.interactions.components import PanelItem
from bot.interactions.context import Context
from bot.interactions.layout import Part, Section
from play.challenge.challenge import Challenge
from play.ids import ChallengeId
from play.refusal import Reason, Refused
from play.store.matches import OpenMatch
from presentation.addresses import link
from presentation.text import escape
from presentation.words.words import Words
from rules.game import AnyGame

MAX_GAMES = 12
"""Lines, if they fit."""

MAX_TEXT = 1900
"""Characters; a message holds 2000."""


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
    """Returns the player's open games and, if there are any, their open challenges."""
    words = await ctx.words()
    offered = await ctx.use_cases.challenges.list_open(challenger=ctx.user)
    parts: list[Part] = [await _list_games(ctx, words)]
    if offered:
        parts.append(words("games.challenges", count=len(offered)))
        for each in offered:
            withdraw = WithdrawOwn.make(words("button.withdraw"), challenge=each.id)
            parts.append(Section(await _offer_line(ctx, each, words), withdraw))

    return parts


async def _offer_line(ctx: Context, challenge: Challenge, words: Words) -> str:
    details = {
        "size": _size(challenge.terms.game),
        "when": f"<t:{challenge.expires // 1000}:R>",
        "url": link(challenge.guild, challenge.channel, challenge.message),
    }
    if challenge.opponent is None:
        return words("games.challenge.open", **details)
    opponent = escape(await ctx.services.names.of(challenge.opponent, challenge.guild))
    return words("games.challenge.personal", opponent=opponent, **details)


async def _list_games(ctx: Context, words: Words) -> str:
    """Returns the list, the player's turn first, the most urgent at the top; a hint where there is nothing to list."""
    entries = await ctx.use_cases.matches.list_open(ctx.user)
    if not entries:
        return words("games.none")
    text, count = words("games.head", count=len(entries)), 0
    for entry in entries[:MAX_GAMES]:
        line = await _line(ctx, entry, words)
        if len(text) + len(line) > MAX_TEXT:
            break
        text, count = f"{text}\n{line}", count + 1
    if len(entries) > count:
        text += "\n" + words("games.more", count=len(entries) - count)
    return text


async def _line(ctx: Context, entry: OpenMatch, words: Words) -> str:
    others = [player for player in entry.players if player != ctx.user]
    names = await ctx.services.names.of_all(others, entry.guild)
    whose = "yours" if entry.players[entry.to_act] == ctx.user else "theirs"
    clock = "untimed" if entry.deadline is None else "timed"
    line = words(
        f"games.entry.{clock}.{whose}",
        opponent=escape(", ".join(names)),
        size=_size(entry.game),
        when="" if entry.deadline is None else f"<t:{entry.deadline // 1000}:R>",
        url=link(entry.guild, entry.channel, entry.board),
    )
    if ctx.user in entry.quiet:
        line += f" · {words('games.quiet')}"
    if not entry.lost:
        return line
    is_borrowed = entry.guild is None or ctx.services.channels.is_user_install(entry.channel)
    return f"{line}\n{words('games.borrowed' if is_borrowed else 'games.lost')}"


def _size(game: AnyGame) -> str:
    return game.options["size"].replace("x", "×")


BUTTONS: tuple[type[PanelItem], ...] = (WithdrawOwn,)
