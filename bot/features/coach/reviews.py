"""The summary of a finished match: its turning points, and the lead that the players could expect."""

import asyncio
from collections.abc import Sequence

import discord
from cachetools import LRUCache

from bot.interactions import custom_ids as ids
from bot.interactions.components import Audience, ShareButton, is_shareable, load_shareable
from bot.interactions.context import Advisor, Context
from bot.interactions.layout import Control, Part, picture_file
from bot.markup import escape
from opponent.purpose import Purpose
from opponent.review import Review, replay_positions, review
from play.ids import MatchId, UserId
from play.match.match import Match
from play.people.past_mistake import Finding
from play.refusal import Reason, Refused
from presentation import advice as pictures
from presentation.match.phrases import colour_name, turn_text
from presentation.reviews import head_text, mistake_text, own_verdict, purposes_of
from presentation.words.words import Words
from renderer.graph import graph
from renderer.header import Header, Mark, Plate
from renderer.theme import PAPER, THEMES
from rules.dots import DotsPosition, Turn
from rules.game import AnyGame
from use_cases.keyed_locks import KeyedLocks

CACHE_SIZE = 64
"""Reviews that stay in memory."""

REVIEW_SECONDS = 300.0
"""Seconds for a review, including the wait for the same one; Discord takes no answer after 900."""


class Reviews:
    """A cache of reviews: makes each once, even if several players ask at the same time."""

    def __init__(self) -> None:
        self._cache = LRUCache[MatchId, Review](CACHE_SIZE)
        self._locks = KeyedLocks[MatchId]()

    async def of(self, match: Match, advisor: Advisor) -> Review:
        """Returns the review of a match; takes up to two minutes for a long one. Raises Refused (`computer_busy`,
        `lane_yours`)."""
        try:
            async with asyncio.timeout(REVIEW_SECONDS), self._locks.of(match.id):
                return self._cache.get(match.id) or await self.make(match, advisor)
        except TimeoutError as error:
            raise Refused(Reason.COMPUTER_BUSY) from error

    async def make(self, match: Match, advisor: Advisor) -> Review:
        """Makes the review of a match, however long that takes, and keeps it."""
        moves = [move.text for move in match.moves]
        self._cache[match.id] = found = await review(match.game, match.seed, moves, advisor.help, advisor.look)
        return found


async def review_of(ctx: Context, match: Match) -> Review:
    """Returns the review of a match. The interaction is acknowledged.

    Raises Refused (`no_computer`, `match_goes_on`, `too_short_to_review`, `computer_busy`).
    """
    return await ctx.services.coach.review(match, ctx.user)


def findings_of(match: Match, found: Review) -> dict[UserId, list[Finding]]:
    """Returns the mistakes of each player, to be kept for them. Those that no dot on the board betters have no good
    moves."""
    findings: dict[UserId, list[Finding]] = {user: [] for user in match.players}
    for each in found.worst:
        before = match.before_move(each.number).position
        on_board = isinstance(before, DotsPosition) and before.stopped is None
        is_dot = on_board and isinstance(match.game.parse(each.better), Turn)
        finding = Finding(each.number, each.line, each.good if is_dot else (), each.value, each.lost)
        findings[match.players[each.seat]].append(finding)
    return findings


async def show_summary(ctx: Context, match: Match, found: Review) -> None:
    """Shows what decided a match: its turning points and the expected lead. The interaction is acknowledged."""
    reader = await Audience.reader(ctx)
    parts = await _draw_summary(ctx, match, found, reader)
    if ctx.user in match.players and (praise := own_verdict(match, found, match.seat_of(ctx.user), reader.words)):
        parts.insert(0, praise)
    buttons: list[Control] = []
    if await is_shareable(ctx, match):
        buttons.append(ShareReview.make(reader.words("share.button"), match=match.id))
    if page := await _page_of(ctx, match):
        buttons.append(discord.ui.Button(label=reader.words("button.web.page"), url=page))
    await ctx.show([*parts, *([buttons] if buttons else [])])


async def _page_of(ctx: Context, match: Match) -> str | None:
    """Returns the address of a match's page, if it has one."""
    links = ctx.services.web_links
    if links is None or match.guild is None:
        return None
    async with ctx.services.store.read() as reader:
        server = await reader.servers.get(match.guild)
    return await links.page_of(match.id, match, server)


class ShareReview(ShareButton, id=ids.SHARE_REVIEW):
    """Shares the review of a match."""

    match: MatchId

    async def parts(self, ctx: Context, members: Audience) -> Sequence[Part]:
        match = await load_shareable(ctx, self.match)
        with ctx.services.jobs.one_at_a_time(ctx.user):
            return await _draw_summary(ctx, match, await review_of(ctx, match), members)


async def _draw_summary(ctx: Context, match: Match, found: Review, audience: Audience) -> list[Part]:
    """Returns the summary of a review, with its pictures."""
    words, theme = audience.words, audience.theme
    names = await ctx.services.names.of_all(match.players, match.guild)
    moves = tuple(move.text for move in match.moves)
    purposes = await asyncio.to_thread(_purposes, match.game, match.seed, moves, found)
    pngs = await ctx.services.jobs.pictures.make(
        ctx.user, _draw, match.game, match.seed, moves, found, _header(match, names, words, theme), theme
    )
    return summary_parts(match, found, purposes, pngs, names, words)


def _purposes(game: AnyGame, seed: int, moves: Sequence[str], found: Review) -> list[Purpose]:
    return purposes_of(game, replay_positions(game, seed, moves), found)


def _header(match: Match, names: tuple[str, ...], words: Words, theme: str) -> Header | None:
    """Returns the header of the graph; None for a match of more than two players, which has none."""
    if len(names) != 2:
        return None
    plates = tuple(
        Plate(name, words.number(score), Mark.NONE, colour_name(theme, seat, words))
        for seat, (name, score) in enumerate(zip(names, match.score, strict=True))
    )
    return Header(plates, words("review.graph"))


def _draw(
    game: AnyGame, seed: int, moves: tuple[str, ...], found: Review, header: Header | None, theme: str
) -> list[bytes]:
    """Draws the pictures of a review: the graph below its `header`, if there is one, then each turning point."""
    positions, pngs = replay_positions(game, seed, moves), []
    if header is not None:
        curves = [tuple(max(0.0, lead) for lead in leads) for leads in found.expected]
        pngs.append(graph(curves, header, THEMES.get(theme, PAPER)))
    for mistake in found.mistakes:
        before = positions[mistake.number - 1]
        pngs.append(pictures.draw_solution(game, before, mistake.line, mistake.played, theme))
    return pngs


def summary_parts(
    match: Match,
    found: Review,
    purposes: Sequence[Purpose],
    pngs: Sequence[bytes],
    names: tuple[str, ...],
    words: Words,
) -> list[Part]:
    """Returns what the summary of a match shows, with its pictures and the purposes of the better turns."""
    has_curve = len(names) == 2
    parts: list[Part] = [head_text(found, words, curve=has_curve)]
    rest = iter(pngs)
    if has_curve:
        parts.append(picture_file(next(rest), f"kropka-{match.id}-graph", words("review.graph.alt")))
    for mistake, purpose, png in zip(found.mistakes, purposes, rest, strict=True):
        played, better = (turn_text(match.game, move, words) for move in (mistake.played, mistake.better))
        alt = words("review.alt", number=mistake.number, played=played, better=better)
        parts.append(mistake_text(match, mistake, purpose, escape(names[mistake.seat]), words))
        parts.append(picture_file(png, f"kropka-{match.id}-{mistake.number}", alt))
    return parts


BUTTONS: tuple[type[ShareReview], ...] = (ShareReview,)
