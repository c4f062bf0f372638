"""The message of a board: what happened in words, the picture, the same for a screen reader, and *Browser*."""

import asyncio
import logging
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, NamedTuple, Self

import discord
from discord import app_commands

from bot.features.match.actions.endings import after_game_buttons
from bot.features.match.actions.offers import TakeBack, answer_buttons
from bot.features.match.button import MatchButton, More
from bot.features.match.turn.keypad import keypad_buttons
from bot.features.match.turn.typed_moves import TypePoint
from bot.interactions import custom_ids as ids
from bot.interactions.commands import Command
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.interactions.layout import MAX_ROW, PHONE_ROW, button, drawing_file, picture_file, row, rows
from bot.interactions.permissions import load_visible_match
from play.community.prediction import window_at
from play.ids import MatchId, UserId, is_person, side_of
from play.match.match import Match
from play.refusal import Reason, Refused
from presentation.match.boards import MatchViews
from presentation.match.crops import Drawing, draw_zone, zone_around
from presentation.match.keypad import keypad_middle
from presentation.match.match_view import MatchView
from presentation.words.words import Words
from renderer.board import draw
from renderer.layout import INLINE_SIZE, Layout
from renderer.theme import PAPER, THEMES
from rules.game import Picture, Point, point_name

log = logging.getLogger(__name__)

PRIMARY_ENTRY_POINT: Final = 4

DISCORD_LAUNCH_ACTIVITY: Final = 2

MIN_CELL_PIXELS = 14
"""Pixels a cell, as Discord shows a picture in a message. With fewer, the message also shows the last move enlarged."""

ZOOM_REACH = 6
"""Crossings from the middle of the enlarged part to its edge: 13x13."""

SIZE_CACHE_SIZE = 64
"""Sizes of boards."""


class BoardButton(MatchButton, id=ids.BOARD):
    """Gives a user a link to this game on the web: players play there, others watch."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await show_link(ctx, self.match)


class LaunchButton(MatchButton, id=ids.LAUNCH):
    """Opens this game in the Activity. It is beside the link, never instead of it: Discord tells only the user's client
    why it opens none, for example while the application is not verified and the server has more than 25 members."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.services.web_sessions.prepare_launch(ctx.user, await load_visible_match(ctx, self.match))
        try:
            await ctx.interaction.response.launch_activity()
        except discord.HTTPException as error:
            log.info("Discord opens no Activity: %s", error)
            await ctx.open_panel()
            await show_link(ctx, self.match, launches=False)


class SignOut(Component, id=ids.SIGN_OUT):
    """Ends all sessions of the user's browsers."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await ctx.services.web_sessions.leave_all(ctx.user)
        words = await ctx.words()
        await ctx.show([words("web.link.signed_out")])


async def show_link(ctx: Context, number: MatchId, *, launches: bool = True) -> None:
    """Shows the panel with a link. Where there is an Activity the panel has that as well, unless it was just tried and
    nothing `launches`."""
    links = ctx.services.web_links
    if links is None:
        raise Refused(Reason.OLD_BUTTON)
    match = await load_visible_match(ctx, number)
    watches, sessions = ctx.user not in match.players, ctx.services.web_sessions
    acts = not watches or await _votes(ctx, match)
    key, now = await sessions.link_key(ctx.user), await sessions.now()
    words = await ctx.words()
    url = links.make(ctx.user, match.id, now, key=key, seen=match.channel if watches else None)
    label = words("button.web.open" if acts else "button.web.watch")
    line = words("web.link.play" if acts else "web.link.watch")
    lines = [line] if launches else [words("web.link.no_activity"), line]
    has_activity = launches and ctx.services.hosting.client_secret is not None
    inside = [LaunchButton.to(match, words)] if has_activity else []
    out = SignOut.make(words("button.web.signout"))
    await ctx.show([*lines, *rows([discord.ui.Button(label=label, url=url), *inside, out])])


async def _votes(ctx: Context, match: Match) -> bool:
    """Returns whether the user may vote for a side of the match."""
    try:
        return side_of(await ctx.account_in(match)) is not None
    except Refused:
        return False


class EntryPoint(app_commands.Command[Any, Any, None]):
    """A command that discord.py tells Discord with the others, though it has no class for its type."""

    def to_dict(self, tree: app_commands.CommandTree[Any]) -> dict[str, Any]:
        return {**super().to_dict(tree), "type": PRIMARY_ENTRY_POINT, "handler": DISCORD_LAUNCH_ACTIVITY}


async def launch(_: Context) -> None:
    raise Refused(Reason.OLD_BUTTON)  # Discord sends no interaction for it


COMMANDS = (Command(launch, kind=EntryPoint),)
BUTTONS: tuple[type[Component], ...] = (BoardButton, LaunchButton, SignOut)


class Zoom(NamedTuple):
    """The part around the last move of a board that is too large for a message."""

    middle: Point
    drawing: Drawing


@dataclass(frozen=True, slots=True)
class BoardMessage:
    """A version of a match in words and pictures; `near` is where the keypad would open."""

    view: MatchView
    content: str
    alt: str
    png: bytes | None
    zoom: Zoom | None
    near: Point | None

    @classmethod
    def draw(cls, view: MatchView, *, pictured: bool = True) -> Self:
        """Returns the message, in words alone unless `pictured`. Takes 3 to 40 ms on large boards."""
        match, theme = view.match, THEMES.get(view.theme, PAPER)
        picture = match.position.picture()
        png, zoom = draw(picture, view.header, theme) if pictured else None, None
        if pictured and picture.last and _is_too_small(picture.width, picture.height):
            zoom = cls._zoom(picture, view.words, view.theme)
        near = None if match.outcome else keypad_middle(match)
        return cls(view, view.content, view.alt, png, zoom, near)

    @staticmethod
    def _zoom(picture: Picture, words: Words, theme: str) -> Zoom:
        middle = picture.last[-1]
        zone = zone_around([middle], picture, ZOOM_REACH)
        return Zoom(middle, draw_zone(picture, zone, words, theme))

    def forms(self) -> Iterator[Self]:
        """Yields the message, and then as Discord may take it where a filter refuses that: without pictures; without
        names, the words of players, and links."""
        yield self
        words, view = self.view.words, self.view
        unpictured = replace(self, png=None, zoom=None, content=f"{self.content}\n-# {words('turn.unpictured')}")
        if self.png is not None:
            yield unpictured
        hosts = (view.match.players[seat] for seat in view.match.hosts)
        players = ", ".join(f"<@{user}>" for user in hosts if is_person(user))
        yield replace(unpictured, content=words("turn.bare", players=players), view=replace(view, page=None))

    @property
    def pictures(self) -> dict[str, Any]:
        """The arguments of `send` for the pictures, made anew each time, since sending uses them up."""
        if self.png is None:
            return {}
        match = self.view.match
        name = f"kropka-{match.id}-{match.version}"
        files = [picture_file(self.png, name, self.alt)]
        if self.zoom is None:
            return {"files": files}
        files.append(drawing_file(self.zoom.drawing, f"{name}-zoom"))
        embed = discord.Embed(colour=discord.Colour.from_rgb(*THEMES.get(self.view.theme, PAPER).last))
        embed.set_footer(text=self.view.words("board.zoom", point=point_name(self.zoom.middle)))
        embed.set_image(url=f"attachment://{name}-zoom.png")
        return {"files": files, "embed": embed}

    @property
    def buttons(self) -> discord.ui.View:
        """The buttons for what a player can do."""
        match, words = self.view.match, self.view.words
        if match.outcome:
            after = row(*after_game_buttons(match, words, has_computer=self.view.has_computer))
            if self.view.has_site:
                board = BoardButton.to(match, words)
                board.item.row = 1
                after.add_item(board)
            if match.strangers or self.view.computer in match.players:
                after.add_item(button(ids.PLAY_PANEL(flexible=1), words("seek.door"), row=1))
            if self.view.page is not None:
                after.add_item(discord.ui.Button(label=words("button.web.page"), url=self.view.page))
            return after
        asked = answer_buttons(match, self.view.names, words, reader=self.view.reader, computer=self.view.computer)
        turn = [*keypad_buttons(match, self.near, words), TypePoint.to(match, words)]
        others = [*self._advice(), *self._ways_on()] if not asked else [*self._ways_on()]
        first = len({each.item.row for each in asked})
        second = first if len(turn) + len(others) <= (MAX_ROW if asked else PHONE_ROW) else first + 1
        for each in turn:
            each.item.row = first
        for each in others:
            each.item.row = second
        return row(*asked, *turn, *others)

    def _advice(self) -> Iterator[MatchButton]:
        """Yields what helps in practice: another try at the last move, and a hint for the next one."""
        view = self.view
        if view.can_undo:
            yield TakeBack.at(view.match, view.words("button.undo"))
        if view.is_practice and view.has_computer and view.match.players[view.match.position.to_act] != view.computer:
            yield MatchButton.kinds[ids.HINT].to(view.match, view.words)

    def _ways_on(self) -> Iterator[MatchButton]:
        """Yields the ways to predict the result, to the board on the web, and to all else."""
        if self.view.match.predictable and window_at(self.view.match) is not None:
            yield MatchButton.kinds[ids.PREDICT].to(self.view.match, self.view.words)
        if self.view.has_site:
            yield BoardButton.to(self.view.match, self.view.words)
        if self.view.vote is not None and self.view.vote.votes is not None:
            yield MatchButton.kinds[ids.VOTES].to(self.view.match, self.view.words)
        yield More.to(self.view.match, self.view.words)


@lru_cache(maxsize=SIZE_CACHE_SIZE)
def _is_too_small(columns: int, rows: int) -> bool:
    """Returns whether the cells of a board of this size are too small to read in a message."""
    layout = Layout.of(columns, rows)
    width, height = layout.size
    return layout.cell * min(1.0, INLINE_SIZE[0] / width, INLINE_SIZE[1] / height) < MIN_CELL_PIXELS


class BoardRenderer:
    """Makes the messages of boards, and draws them in a thread."""

    def __init__(self, views: MatchViews) -> None:
        self._views = views

    async def render(
        self,
        match: Match,
        words: Words,
        *,
        pictured: bool = True,
        reader: UserId | None = None,
        before: Match | None = None,
    ) -> BoardMessage:
        """Returns the board in `words`, with the look that its only `reader` or else the match's server has chosen; in
        words alone unless `pictured`. It tells the version `before` as well, if there is one."""
        view = await self._views.read(match, words, reader=reader, before=before)
        return await asyncio.to_thread(BoardMessage.draw, view, pictured=pictured)

    async def tell(self, match: Match, words: Words, *, reader: UserId) -> str:
        """Returns in words what happened last, and how the match ended."""
        return (await self._views.read(match, words, reader=reader)).news
