"""Finished games as a list to turn the pages of, and how two people stand against each other."""

from __future__ import annotations

from re import Match as Found
from typing import TYPE_CHECKING, Any, Self

import discord

from bot.interactions import permissions
from bot.interactions.admission import GatedItem
from bot.interactions.buttons import Item
from bot.interactions.context import Context
from bot.request import link
from bot.services.names import escape
from play.ids import UserId
from play.people.career import MOST_SUMMED, Sight, summed

if TYPE_CHECKING:
    from bot.i18n.words import Words
    from play.people.career import Finished, Tally

GAMES_PER_PAGE = 8
"""Games on a page."""


class Page(
    GatedItem,
    discord.ui.DynamicItem[Item],
    template=r"history:(?P<user>\d{1,20}):(?P<other>\d{1,20}):(?P<start>\d{1,6})",
):
    """Turns to the page of somebody's games that begins with one; `other` is the opponent, 0 for all."""

    def __init__(self, user: UserId, other: UserId, start: int, label: str | None) -> None:
        super().__init__(discord.ui.Button(label=label, custom_id=f"history:{user}:{other}:{start}"))
        self.user, self.other, self.start = user, other, start

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: Any, match: Found[str], /) -> Self:
        return cls(UserId(int(match["user"])), UserId(int(match["other"])), int(match["start"]), item.label)

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        await show_history(ctx, self.user, self.other, self.start)


async def show_history(ctx: Context, user: UserId, other: UserId = UserId(0), start: int = 0) -> None:  # noqa: B008
    """A page of those games of `user` that whoever asks may see. The interaction is acknowledged."""
    sight = Sight.of(ctx.user, permissions.installed_guild(ctx), user, other)
    async with ctx.services.store.read() as reader:
        found = await reader.careers.finished(user, start, GAMES_PER_PAGE + 1, opponent=other or None, sight=sight)
        sums = await reader.careers.finished(user, 0, MOST_SUMMED, opponent=other, sight=sight) if other else []
    words = await ctx.words()
    lines = []
    if found:  # else nobody is named: what stands in a custom id may be anybody's number
        name = escape(await ctx.services.names.of(user, ctx.guild))
        lines.append(words("history.title", name=name))
        if other:
            opponent = escape(await ctx.services.names.of(other, ctx.guild))
            lines = [words("versus.title", name=name, opponent=opponent)]
    if other and (found or ctx.user in (user, other)):
        lines.append(tallied(summed(user, sums).all, words))
    lines += [await _line(ctx, match, user, words) for match in found[:GAMES_PER_PAGE]]
    if not found:
        lines.append(words("history.none") if ctx.user in (user, other) else hidden(sight, words))
    buttons = []
    if start:
        buttons.append(Page(user, other, max(0, start - GAMES_PER_PAGE), words("page.back")))
    if len(found) > GAMES_PER_PAGE:
        buttons.append(Page(user, other, start + GAMES_PER_PAGE, words("page.on")))
    await ctx.show(["\n".join(lines), *([buttons] if buttons else [])])


def hidden(sight: Sight, words: Words) -> str:
    """What is said where nothing of somebody may be seen, and what to do."""
    return words("history.hidden.private" if sight.guild is None else "history.hidden.server")


def tallied(tally: Tally, words: Words) -> str:
    """How often something went which way."""
    return words("tally", won=tally.won, drawn=tally.drawn, lost=tally.lost)


async def _line(ctx: Context, match: Finished, user: UserId, words: Words) -> str:
    others = [player for player in match.players if player != user]
    names = await ctx.services.names.of_all(others, ctx.guild)
    result = match.result(user)
    key = "annulled" if match.annulled else result or "undecided"
    own = match.players.index(user)
    points = [match.scores[own], *(score for seat, score in enumerate(match.scores) if seat != own)]
    return words(
        f"history.line.{key}",
        opponent=escape(", ".join(names)),
        rules=words(f"preset.{match.rules}.name"),
        score=":".join(map(words.number, points)),
        change="" if match.rated is None else f" ({round(match.rated):+d})",
        when=f"<t:{match.ended // 1000}:d>",
        url=link(match.guild, match.channel, match.board),
        number=match.id,
    )


BUTTONS: tuple[type[discord.ui.DynamicItem[Any]], ...] = (Page,)
