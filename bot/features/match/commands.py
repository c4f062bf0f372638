"""The commands of a game: moves, lists, all that happens besides moves, and `/moderate`. Many are also buttons."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

import discord
from discord import app_commands
from discord.app_commands import Choice

from bot.addresses import link
from bot.features.match.actions import clocks, conditional_moves, endings, moderation, offers
from bot.features.match.actions.endings import ask_first
from bot.features.match.button import match_on, show_line
from bot.features.match.open_games import games_panel
from bot.features.match.turn.suggestions import suggest_turns
from bot.features.match.turn.typed_moves import play_typed
from bot.interactions import permissions
from bot.interactions.commands import Command, Declared, Group, Menu, declare
from bot.interactions.context import Context
from bot.interactions.layout import row
from bot.interactions.permissions import load_visible_match
from bot.request import Request, own_id
from bot.services.messages import fit, is_forward, shown_in
from play.clock import Speed, Untimed, duration_text, parse_duration
from play.community.ban import MAX_REASON
from play.ids import ChallengeId, MatchId, UserId, side_of
from play.match.choices import ENDINGS, Action, available_actions
from play.match.events import OfferKind
from play.match.match import Match
from play.match.offers import MAX_PAUSE, MIN_PAUSE
from play.people.vacation import DAYS_PER_YEAR
from play.refusal import Reason, Refused
from presentation.match.crops import text_board
from presentation.typed import typed_time
from presentation.typed_turns import MAX_MOVE
from presentation.words.words import Words
from use_cases.match_writer import MatchRef

SUGGESTED_TIMES = {Speed.LIVE: ("1m", "5m", "10m", "1h"), Speed.DAYS: ("12h", "1d", "3d", "7d", "14d")}
"""Suggestions for time that is given."""

MAX_DURATION = 10
"""Characters of a length of time."""


async def move(ctx: Context, point: app_commands.Range[str, 1, MAX_MOVE]) -> None:
    await play_typed(ctx, ctx.here, point)


async def board(ctx: Context, text: bool = False) -> None:
    await _show_board(ctx, await ctx.load_match(ctx.here), in_letters=text)


async def resign(ctx: Context) -> None:
    match = await ctx.load_match(ctx.here)
    await ask_first(ctx, match, "resign")


async def games(ctx: Context) -> None:
    await ctx.show(await games_panel(ctx))


async def board_as_text(ctx: Context, message: discord.Message) -> None:
    is_own = message.author.id == own_id(ctx.interaction.client)
    shown = match_on(shown_in(message)) if is_own or is_forward(message) else None
    if not (is_own or shown):
        raise Refused(Reason.NO_BOARD_HERE)
    # An older board has no buttons left.
    match = await load_visible_match(ctx, shown) if shown else await ctx.load_match(ctx.here)
    await _show_board(ctx, match, in_letters=True)


async def _show_board(ctx: Context, match: Match, *, in_letters: bool) -> None:
    """Shows one user a match, as a picture or in letters. The interaction is acknowledged."""
    words = await ctx.words()
    board = await ctx.services.boards.renderer.render(match, words, reader=ctx.user)
    plays = not match.outcome and ctx.user in match.players
    view = board.buttons if plays else row()
    if not in_letters:
        await ctx.reply(board.content, view=view, **board.pictures)
        return
    blocks = text_board(match.position)
    await ctx.reply(f"{board.content}\n-# {words('board.letters')}", view=row() if blocks else view)
    for number, block in enumerate(blocks, start=1):
        await ctx.interaction.followup.send(fit(block), ephemeral=True, view=view if number == len(blocks) else row())


async def _suggest_points(ctx: Context, typed: str) -> list[app_commands.Choice[str]]:
    try:
        match = await ctx.load_match(ctx.here)
    except Refused:
        return []
    suggestions = await asyncio.to_thread(suggest_turns, match, typed, await ctx.words())
    return [app_commands.Choice(name=each.label, value=each.turn) for each in suggestions]


async def draw(ctx: Context) -> None:
    await offers.propose(ctx, ctx.here, OfferKind.DRAW)


async def takeback(ctx: Context) -> None:
    await offers.propose(ctx, ctx.here, OfferKind.TAKEBACK)


async def pause(ctx: Context, time: app_commands.Range[str, 1, MAX_DURATION] | None = None) -> None:
    here = ctx.here
    length = parse_duration(typed_time(time)) if time else None
    match = await ctx.load_match(here)
    if time is None and match.clock.current_pause(ctx.at):
        await offers.resume(ctx, here)
    else:
        await offers.propose(ctx, here, OfferKind.PAUSE, pause=length)


async def clock(ctx: Context, give: app_commands.Range[str, 1, MAX_DURATION] | None = None) -> None:
    here = ctx.here
    await (clocks.give_time(ctx, here, give) if give else clocks.show_clocks(ctx, here))


async def stop(ctx: Context) -> None:
    """Shows the end that the player can choose now: STOP in games that have it, landing, or an agreed end."""
    match = await ctx.load_match(ctx.here)
    account = await ctx.account_in(match)
    seat = match.seat_of(account)
    if match.outcome:
        raise Refused(Reason.MATCH_OVER)
    agreed = {Action.END} if side_of(account) is not None else set[Action]()  # a side cannot offer it
    available = available_actions(match, seat) - agreed
    way = next((each for each in ENDINGS if each in available and each is not Action.RESIGN), Action.STOP)
    await ask_first(ctx, match, way)


async def abort(ctx: Context) -> None:
    await offers.ask_to_cancel(ctx, ctx.here)


async def rematch_(ctx: Context) -> None:
    match = await ctx.load_match(ctx.here)
    await endings.offer_rematch(ctx, match.id)


async def if_(ctx: Context, line: app_commands.Range[str, 1, conditional_moves.MAX_PLAN] | None = None) -> None:
    here = ctx.here
    await (conditional_moves.write_plan(ctx, here, line) if line else conditional_moves.show_plan(ctx, here))


async def vacation(ctx: Context, days: app_commands.Range[int, 0, DAYS_PER_YEAR] | None = None) -> None:
    if days is None:
        await clocks.show_vacation(ctx)
    else:
        await (clocks.ask_for_vacation(ctx, days) if days else clocks.end_vacation(ctx))


async def continue_(ctx: Context) -> None:
    """Moves to this channel the most urgent match of the player that has lost its own.

    Without one, those whose threads are closed to their players soon go on in their channels.
    """
    entries = await ctx.use_cases.matches.list_open(ctx.user)
    lost = [entry for entry in entries if entry.lost]
    if not lost:
        for entry in entries:
            if entry.parent is not None:
                await ctx.use_cases.actions.check_thread(entry.channel)
        raise Refused(Reason.NOTHING_LOST)
    match = await ctx.use_cases.actions.relocate(lost[0].id, ctx.user, ctx.guild, ctx.channel)
    words = await ctx.words()
    url = link(match.guild, match.channel)
    await show_line(ctx, words("found", url=url), match)


async def suggest_times(ctx: Context, typed: str) -> list[Choice[str]]:
    match = await _timed_match(ctx)
    return [] if match is None else _choices(typed, SUGGESTED_TIMES[match.clock.control.speed], await ctx.words())


async def _suggest_pauses(ctx: Context, typed: str) -> list[Choice[str]]:
    match = await _timed_match(ctx)
    if match is None:
        return []
    speed = match.clock.control.speed
    choices = _choices(typed, clocks.PAUSES[speed], await ctx.words())
    return [each for each in choices if MIN_PAUSE <= parse_duration(each.value) <= MAX_PAUSE[speed]]


async def _timed_match(ctx: Context) -> Match | None:
    """Returns the match of the channel if it has a clock."""
    try:
        match = await ctx.load_match(ctx.here)
    except Refused:
        return None
    return None if isinstance(match.clock.control, Untimed) else match


def _choices(typed: str, suggested: Sequence[str], words: Words) -> list[Choice[str]]:
    """Returns what is typed, if it is a length of time, and then the suggested ones."""
    times = [parse_duration(time) for time in suggested]
    with suppress(Refused):
        times = list(dict.fromkeys((parse_duration(typed_time(typed)), *times)))
    return [Choice(name=words.duration(time), value=duration_text(time)) for time in times]


async def annul(ctx: Context, game: int | None = None) -> None:
    if not await _explain_without_game(ctx, game):
        await moderation.ask_to_annul(ctx, _match_ref(ctx.request, game))


async def end(ctx: Context, winner: discord.User | None = None, game: int | None = None) -> None:
    if not await _explain_without_game(ctx, game):
        await moderation.ask_to_decide(ctx, _match_ref(ctx.request, game), UserId(winner.id) if winner else None)


async def extend(
    ctx: Context,
    player: discord.User,
    time: app_commands.Range[str, 1, MAX_DURATION],
    game: int | None = None,
) -> None:
    await moderation.extend(ctx, _match_ref(ctx.request, game), UserId(player.id), parse_duration(typed_time(time)))


async def ban(
    ctx: Context,
    member: discord.User,
    time: app_commands.Range[str, 1, MAX_DURATION] | None = None,
    reason: app_commands.Range[str, 1, MAX_REASON] = "",
    end_games: bool = False,
) -> None:
    await moderation.ask_to_ban(ctx, member, time, reason, end_games=end_games)


async def unban(ctx: Context, member: discord.User) -> None:
    await moderation.lift_ban(ctx, member)


async def bans(ctx: Context) -> None:
    await moderation.list_bans(ctx)


async def notes(ctx: Context, member: discord.User | None = None, game: int | None = None) -> None:
    if member is not None or not await _explain_without_game(ctx, game):
        await moderation.ask_to_take_notes_off(ctx, member, None if game is None else MatchId(game))


async def withdraw_challenge(ctx: Context, which: int) -> None:
    await moderation.withdraw_challenge(ctx, ChallengeId(which))


async def help_(ctx: Context) -> None:
    await _explain(ctx)


def _match_ref(request: Request, game: int | None) -> MatchRef:
    """Returns the game of that number, or that of the channel: a game that was moved away is judged from home."""
    return request.here if game is None else MatchId(game)


async def _explain_without_game(ctx: Context, game: int | None) -> bool:
    """Explains `/moderate` where neither the command nor the channel names a game; returns whether it did."""
    if game is not None:
        return False
    try:
        await ctx.load_match(ctx.here)
    except Refused as refused:
        if refused.key != Reason.NO_MATCH_HERE:
            raise
        await _explain(ctx)
        return True
    return False


async def _explain(ctx: Context) -> None:
    """Says what each action does, whom it costs what, and whether it can be undone. The interaction is acknowledged."""
    words = await ctx.words()
    server = await permissions.server_settings(ctx)
    actions = ("annul", "end", "extend", "ban", "notes", "withdraw", "limit")
    lines = [f"### {words('moderate.help')}", *(f"- {words(f'moderate.help.{each}')}" for each in actions)]
    if server.log_channel is None:
        lines.append(words("moderate.unlogged"))
    else:
        lines.append(words("moderate.logged", channel=f"<#{server.log_channel}>"))
    await ctx.show(["\n".join(lines)])


COMMANDS: tuple[Declared, ...] = (
    Command(move, suggests={"point": _suggest_points}, private=False),
    *declare(board, resign, games),
    Menu("text", board_as_text),
    *declare(draw, takeback),
    Command(pause, suggests={"time": _suggest_pauses}),
    Command(clock, suggests={"give": suggest_times}),
    *declare(stop, abort, rematch_, if_, vacation, continue_),
    Group(
        "moderate",
        (
            Command(annul, for_managers=True),
            Command(end, like="moderate.annul", for_managers=True),
            Command(extend, like="moderate.annul", suggests={"time": suggest_times}, for_managers=True),
            *declare(ban, unban, bans, notes, for_managers=True),
            Command(withdraw_challenge, suggests={"which": moderation.suggest_challenges}, for_managers=True),
            Command(help_, for_managers=True),
        ),
        on_servers=True,
        permissions=discord.Permissions(manage_messages=True),
    ),
)
