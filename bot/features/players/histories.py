"""Histories: a player's finished games page by page, or those between two players with the score."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.components import Component
from bot.interactions.context import Context
from play.ids import GuildId, UserId
from play.people.career import MAX_SUMMARIZED_MATCHES, FinishedMatch, Tally, Visibility, summarize
from play.people.settings import ServerSettings
from presentation.addresses import link
from presentation.markup import Stamp
from presentation.match.rating_text import change_text
from presentation.terms.terms_text import rules_name
from presentation.text import escape
from presentation.words.words import Words

GAMES_PER_PAGE = 8

NOBODY = UserId(0)
"""The opponent of a history that has all games of its player."""


class HistoryPageButton(Component, id=ids.HISTORY):
    """A button that turns to the page that begins with game number `start`."""

    user: UserId
    other: UserId
    start: int

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await show_history(ctx, self.user, self.other, self.start)


async def show_history(ctx: Context, user: UserId, other: UserId = NOBODY, start: int = 0) -> None:
    """Shows a page of the games of `user` that the reader may see; with `other`, of those between the two.

    The interaction is acknowledged.
    """
    sight = Visibility.of(ctx.user, permissions.installed_guild(ctx), user, other)
    async with ctx.services.store.read() as reader:
        found = await reader.careers.finished(user, start, GAMES_PER_PAGE + 1, opponent=other or None, sight=sight)
        sums = (
            await reader.careers.finished(user, 0, MAX_SUMMARIZED_MATCHES, opponent=other, sight=sight) if other else []
        )
        servers = {each.guild: await reader.servers.get(each.guild) for each in found if each.guild}
    words, is_own = await ctx.words(), ctx.user in (user, other)
    lines = []
    if found:  # else no name is shown: the custom id may have the number of any account
        lines.append(await _title(ctx, user, other, words))
    if other and (found or is_own):
        lines.append(tally_line(summarize(user, sums).all, words))
    hidden = await asyncio.gather(*(permissions.is_hidden(ctx, each) for each in found[:GAMES_PER_PAGE]))
    shown = [each for each, is_hidden in zip(found, hidden, strict=False) if not is_hidden]
    lines += await asyncio.gather(*(_game_line(ctx, each, user, words, servers) for each in shown))
    if any(hidden):
        lines.append(f"-# {words('history.private')}")
    if not found:
        lines.append(words("history.none") if is_own else hidden_notice(sight, words))
    turns = {"back": max(0, start - GAMES_PER_PAGE)} if start else {}
    if len(found) > GAMES_PER_PAGE:
        turns["on"] = start + GAMES_PER_PAGE
    buttons = [
        HistoryPageButton.make(words(f"page.{way}"), user=user, other=other, start=to) for way, to in turns.items()
    ]
    await ctx.show(["\n".join(lines), *([buttons] if buttons else [])])


def hidden_notice(sight: Visibility, words: Words) -> str:
    """Returns the sentence for a reader who may see nothing of a player: it says why, and what to do."""
    return words("history.hidden.private" if sight.guild is None else "history.hidden.server")


def tally_line(tally: Tally, words: Words) -> str:
    """Returns the counts of wins, draws and losses in words."""
    return words("tally", won=tally.won, drawn=tally.drawn, lost=tally.lost)


async def _title(ctx: Context, user: UserId, other: UserId, words: Words) -> str:
    name = escape(await ctx.services.names.of(user, ctx.guild))
    if other == NOBODY:
        return words("history.title", name=name)
    return words("versus.title", name=name, opponent=escape(await ctx.services.names.of(other, ctx.guild)))


async def _game_line(
    ctx: Context, match: FinishedMatch, user: UserId, words: Words, servers: Mapping[GuildId, ServerSettings]
) -> str:
    others = [player for player in match.players if player != user]
    names = await ctx.services.names.of_all(others, ctx.guild)
    key = "annulled" if match.annulled else match.result(user) or "undecided"
    own = match.players.index(user)
    points = [match.scores[own], *(score for seat, score in enumerate(match.scores) if seat != own)]
    line = words(
        f"history.line.{key}",
        opponent=escape(", ".join(names)),
        rules=rules_name(match.rules, match.rule_set, words),
        score=":".join(map(words.number, points)),
        change="" if match.rated is None else f" ({change_text(*match.rated)})",
        when=words.moment(match.ended, Stamp.SHORT_DATE),
        url=link(match.guild, match.channel, match.board),
        number=match.id,
    )
    links = ctx.services.web_links
    page = await links.page_of(match.id, match, servers[match.guild]) if links and match.guild else None
    return f"{line} · [{words('history.page')}]({page})" if page else line


BUTTONS: tuple[type[HistoryPageButton], ...] = (HistoryPageButton,)
