"""Buttons of a match and their private answers. Each button belongs to one version of the match.

An answer stands in the panel whose button a player pressed, or in a new one, with the way to the board. *More* shows
what a player can do now.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, ClassVar, Self

import discord

from bot.addresses import game_link, link
from bot.interactions import custom_ids as ids
from bot.interactions import errors
from bot.interactions.components import Component
from bot.interactions.context import Context, Services
from bot.interactions.custom_ids import CustomId
from bot.interactions.layout import PHONE_ROW, Control, Part, button, link_button, rows
from bot.services.messages import Shown
from bot.telemetry import logs
from play.ids import MatchId, side_of
from play.match.choices import ACTIONS, Action, is_available
from play.match.match import Match
from play.refusal import Reason, Refused
from presentation.words.words import Words
from rules.game import Seat
from use_cases.matches import is_rated

LINK_SECONDS = 3.0
"""Seconds that the line waits for the board that it links to."""

MENU = (
    *(ids.KEYPAD, ids.POINT, ids.HINT, ids.PLAN),
    *(ids.STOP, ids.LAND, ids.END, ids.DRAW, ids.DECLINE_OFFER),
    *(ids.TAKEBACK, ids.CLOCKS, ids.REPLAY, ids.MATCH_RULES, ids.SAY, ids.REPORT, ids.ABORT, ids.RESIGN),
)
"""The forms of the buttons that *More* offers, in this order, as far as they fit the match; a message has room for 25
buttons."""

READ = frozenset((ids.REPLAY, ids.MATCH_RULES))
"""Those that it offers to members of a side, who vote, on the opponent's turn."""

VOTED = READ | {ids.KEYPAD, ids.POINT, ids.STOP, ids.LAND, ids.DRAW, ids.RESIGN}
"""Those that it offers to them on their own."""


async def with_board_link(services: Services, match: Match, line: str, words: Words) -> str:
    """Returns the line, with a link to the board of this version if that is posted in time."""
    board = await services.boards.publisher.wait_for_board(match, within=LINK_SECONDS)
    if board is None:
        return line
    return f"{line} {words('board.newest', url=link(match.guild, match.channel, board))}"


async def begun_game(ctx: Context, match: Match, notice: str = "", more: Sequence[Control] = ()) -> list[Part]:
    """Returns what the player is told, above a `notice`, and before `more` buttons the keypad, if it is the player's
    turn, and one that leads to the first board."""
    board = await ctx.services.boards.publisher.wait_for_board(match, LINK_SECONDS)
    words, now = await ctx.words(), await ctx.load_match(match.id)  # the computer may have moved meanwhile
    controls: list[Control] = [link_button(words("button.go"), game_link(now, board))]
    if now.to_act is not None and now.players[now.to_act] == ctx.user:
        keypad = ids.KEYPAD(match=now.id, version=now.version)
        controls.insert(0, button(keypad, words("button.your_move"), discord.ButtonStyle.primary))
    return ["\n".join(filter(None, (words("challenge.begun"), notice))), [*controls, *more]]


async def show_line(ctx: Context, line: str, match: Match | None = None) -> None:
    """Tells the player in private, in place of the question that they answered. The interaction is acknowledged.

    With a `match`, links to the board of that version.
    """
    if match is not None:
        here = match.for_reader(ctx.user, ctx.guild)
        line = await with_board_link(ctx.services, here, line, await ctx.words())
    message = ctx.interaction.message
    if ctx.is_panel:
        await ctx.show([line])
    elif _is_click(ctx) and message is not None and message.reference is not None:
        # In a direct message the question is a reply. The next board shows the result.
        await ctx.interaction.delete_original_response()
    else:
        await ctx.reply(line)


async def delete_prompt(ctx: Context) -> None:
    """Deletes the bot's answer to a player's message, once it has led to the panel or the turn that it was for."""
    message = ctx.interaction.message
    if message is not None and message.reference is not None and not message.flags.ephemeral:
        with suppress(discord.HTTPException):
            await message.delete()


def _is_click(ctx: Context) -> bool:
    return ctx.interaction.type is discord.InteractionType.component


class MatchButton(Component):
    """A button of one version of a match: `match:12:34:resign`."""

    kinds: ClassVar[dict[CustomId, type[MatchButton]]] = {}
    """The buttons by the forms of their ids, by which boards and *More* offer them: features above this one have some,
    too."""

    match: MatchId
    version: int

    def __init_subclass__(cls, *, id: CustomId | None = None) -> None:  # noqa: A002 - an argument of the class alone
        super().__init_subclass__(id=id)
        if id:
            assert id not in cls.kinds, f"{id.template} has a class already"
            cls.kinds[id] = cls

    @classmethod
    def at(cls, match: Match, label: str, style: discord.ButtonStyle | None = None, **values: object) -> Self:
        """Returns the button of this version of the match, with further values in its id."""
        return cls.make(label, style, match=match.id, version=match.version, **values)

    @classmethod
    def to(cls, match: Match, words: Words) -> Self:
        """Returns the button of this version of the match, with the label of its action."""
        return cls.at(match, words(f"button.{cls.action}"))

    @classmethod
    def is_available(cls, match: Match, seat: Seat) -> bool:
        """Returns whether *More* offers the button to `seat` at this version."""
        return cls.action not in ACTIONS or is_available(match, seat, Action(cls.action))

    @classmethod
    def offered(cls, match: Match, seat: Seat, words: Words) -> list[MatchButton]:
        """Returns what *More* offers of this kind to `seat`, which is one button unless the kind has several."""
        return [cls.to(match, words)]

    async def callback(self, interaction: discord.Interaction[Any], /) -> None:
        ctx = Context.of(interaction)
        logs.bind_match(self.match)
        try:
            try:
                await self.pressed(ctx)
            except Refused as refused:
                if interaction.message is None or not interaction.message.flags.ephemeral:
                    raise
                await self._show_refusal(ctx, refused)
        except Exception as error:
            await errors.reply_error(ctx, error, self.match)

    async def refresh_panel(self, ctx: Context, notice: str) -> None:
        """Shows the private panel of the button at the newest version, below a `notice`: by default what *More* offers.

        The interaction is acknowledged, and the match goes on. Raises Refused.
        """
        await show_match_menu(ctx, self.match, notice)

    async def _show_refusal(self, ctx: Context, refused: Refused) -> None:
        """Shows a refusal on the private panel, which is brought up to date: most often the game has gone on since."""
        if not ctx.interaction.response.is_done():
            await ctx.open_panel()
        words = await ctx.words()
        notice = await self._refusal_notice(ctx, words, refused)
        try:
            if (await ctx.load_match(self.match)).outcome:
                raise Refused(Reason.MATCH_OVER)
            await self.refresh_panel(ctx, notice)
        except Refused as final:
            await ctx.show([await errors.explain(ctx.services, words, ctx.request, final, self.match)])

    async def _refusal_notice(self, ctx: Context, words: Words, refused: Refused) -> str:
        if refused.key != Reason.STALE:
            return f"⚠️ {await errors.explain(ctx.services, words, ctx.request, refused, self.match)}"
        ctx.services.metrics.count_refusal(refused.key)
        story = await errors.newest_story(ctx.services, words, ctx.request, self.match)
        link = await errors.newest_board_link(ctx.services, words, ctx.request, self.match)
        return words("keypad.stale", story=story) + link

    async def _current_match(self, ctx: Context) -> Match:
        """Returns the match. Raises Refused if it is over, the user plays no part in it, or the button is outdated."""
        match = await ctx.load_match(self.match)
        match.seat_of(await ctx.account_in(match))
        if match.outcome:
            raise Refused(Reason.MATCH_OVER)
        if match.version != self.version:
            raise Refused(Reason.STALE)
        return match


class More(MatchButton, id=ids.MORE):
    """Opens the panel."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await show_match_menu(ctx, self.match)


class Quiet(MatchButton, id=ids.QUIET):
    """Ends the pings and reminders of a match for the player who clicks (1), or lets them begin again (0)."""

    quiet: int

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        quiet = self.quiet == 1
        await ctx.use_cases.actions.set_quiet(self.match, ctx.user, quiet=quiet)
        words = await ctx.words()
        await self.refresh_panel(ctx, words("quiet.on" if quiet else "quiet.off"))


def match_on(message: Shown) -> MatchId | None:
    """Returns the match to which the buttons below a message belong."""
    rows = (row for row in message.components if isinstance(row, discord.ActionRow))
    buttons = (part for row in rows for part in row.children if isinstance(part, discord.Button))
    found = next(filter(None, (ids.OF_MATCH.read(each.custom_id or "") for each in buttons)), None)
    return found["match"] if found else None


async def show_match_menu(ctx: Context, match_id: MatchId, notice: str = "") -> None:
    """Shows what the player can do in a match, below a `notice`. The interaction is acknowledged. Raises Refused."""
    words = await ctx.words()
    match = await ctx.load_match(match_id)
    account = await ctx.account_in(match)
    seat, votes = match.seat_of(account), side_of(account) is not None
    if match.outcome:
        raise Refused(Reason.MATCH_OVER)
    async with ctx.services.store.read() as reader:
        is_quiet = seat in await reader.matches.quiet_seats(match.id)
        has_hints = ctx.services.coach.has_computer and not await is_rated(reader, match.id)
    offered = frozenset(MENU if has_hints else {*MENU} - {ids.HINT})
    if votes:
        offered = VOTED if seat == match.to_act else READ
    forms = [form for form in MENU if form in offered]
    kinds = [MatchButton.kinds[form] for form in forms]
    fitting = [kind for kind in kinds if kind.is_available(match, seat)]
    buttons = [button for kind in fitting for button in kind.offered(match, seat, words)]
    if not votes:
        after_rules = next(place for place, button in enumerate(buttons, 1) if button.id_form is ids.MATCH_RULES)
        label = words("button.loud" if is_quiet else "button.quiet")
        buttons.insert(after_rules, Quiet.at(match, label, quiet=int(not is_quiet)))
    head = "\n".join(filter(None, (notice, words("more.votes" if votes else "more.head"))))
    await ctx.show([head, *rows(buttons, PHONE_ROW)])


BUTTONS: tuple[type[MatchButton], ...] = (More, Quiet)
