"""Journeys of people beside their games: daily, reviews, replays, milestones, context menus, events."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from contextlib import suppress

from loopback import File, Message
from play.community.puzzle import puzzle_day
from play.ids import MatchId, UserId
from play.match.match import Match
from play.refusal import Refused
from tests.bot.features.players.test_milestones import solve_ten_days
from tests.bot.refusing.people import THINKING_SECONDS, Run, begin
from tests.clock import DAY, HOUR

MAX_PRESSES = 40
"""Presses after which a daily is over, however many moves its puzzles take."""

RECORD = File("Game.SGF", b"(;FF[4]GM[40]SZ[9]PB[Ann];B[aa];W[bb])")


async def daily(run: Run) -> None:
    """Solves the three puzzles of the day, and shares the result."""
    room, person = run.room, run.room.kasia
    menus = await run.command(person, room.channel, "puzzle")
    panel = await run.turn(person, menus[-1], "Today's puzzles") if menus else None
    for _ in range(MAX_PRESSES):
        now = panel and room.discord.message(panel)
        if now is None:
            return
        onward = next((each for each in ("Next puzzle", "See your result") if each in now.labels), None)
        if onward is not None:
            panel = await run.turn(person, now, onward)
        elif (right := await _right_move(run)) is not None and "Type a move" in now.labels:
            panel = await run.fill_in(person, now, "Type a move", point=right)
        else:
            break
    await share(run, panel)


async def _right_move(run: Run) -> str | None:
    """Returns the move that solves the present step of Kasia's daily."""
    with suppress(Refused):
        now = await run.room.use_cases.dailies.state(puzzle_day(run.room.clock()), UserId(run.room.kasia.id))
        return now.solving.node.line[0] if now.solving else None
    return None


async def share(run: Run, panel: Message | None) -> None:
    """Shares what a panel shows, as the one who reads it, if that is offered."""
    now = panel and run.room.discord.message(panel)
    if now is None:
        return
    person = run.people[now.visible_to or run.room.kasia.id]
    for label in [each for each in now.labels if each.startswith("Share")][:1]:
        await run.press(person, now, label)


async def finished(run: Run) -> Match | None:
    """Plays some moves of a game, and lets Ola resign it; returns it if it has begun."""
    match = await begin(run)
    if match is not None:
        for move in ("C3", "D3", "B2", "D2"):
            await run.move(match.id, move)
        await run.resign(match, run.room.ola.id)
    return match


async def review(run: Run) -> None:
    """Asks for a hint in a game, for its review when it is over, and answers what that asks."""
    room = run.room
    match = await finished(run)
    if match is None:
        return
    for asked in await run.command(room.ola, run.place(match), "review"):
        panel: Message | None = asked
        for label in asked.labels[:1]:
            panel = await run.turn(room.ola, panel, label)
        await share(run, await run.turn(room.ola, panel, "Whole game"))
    again = await begin(run, clock="3d", rated=False)
    if again is not None:
        await run.command(room.ola, run.place(again), "hint")
        await run.move(again.id, "C3")


async def replay(run: Run) -> None:
    """Replays a game, and plays on from a position of it with a friend."""
    room = run.room
    if await finished(run) is None:
        return
    known = {each.id for each in await run.matches()}
    for shown in await run.command(room.ola, room.channel, "replay", game=1):
        panel = await run.turn(room.ola, shown, "◀")
        await share(run, panel)
        question = await run.turn(room.ola, panel, "Play on from here")
        await run.press(room.ola, question, "Challenge a friend", room.maksim)
    await _begin_and_move(run, known)


async def milestone(run: Run) -> None:
    """Reaches a milestone, of which the player is told at the end of a game, and shares it."""
    room = run.room
    await solve_ten_days(room, room.ola)
    if await finished(run) is None:
        return
    await asyncio.sleep(THINKING_SECONDS)
    own = [each for each in room.discord.world.messages.values() if each.visible_to == room.ola.id]
    for told in [each for each in own if "🏅" in each.text][-1:]:
        for label in told.labels[:1]:
            await share(run, await run.turn(room.ola, told, label))


async def context_menus(run: Run) -> None:
    """Uses the commands of the context menus, and begins a game by one."""
    room = run.room
    match = await finished(run)
    for name in ("Profile", "Our games"):
        await run.use_menu(room.ola, room.channel, name, room.maksim)
    told = room.kasia.say(room.channel, "Look at this", file=RECORD)
    await run.use_menu(room.ola, room.channel, "Open this record", told)
    if match is not None:
        boards = room.boards(run.place(match))
        for board in boards[-1:]:
            await run.use_menu(room.kasia, run.place(match), "Board as text", board)
    known = {each.id for each in await run.matches()}
    for panel in await run.use_menu(room.ola, room.channel, "Challenge", room.maksim):
        await run.press(room.ola, panel, "Post challenge")
    await _begin_and_move(run, known)


async def scheduled_event(run: Run) -> None:
    """Has a tournament among the server's events, until it begins and is played."""
    room = run.room
    room.make_moderator(room.ola)
    for panel in await run.command(room.ola, room.channel, "settings server"):
        for label in [each for each in panel.labels if each.startswith("Events: ")]:
            await run.press(room.ola, panel, label)
    options = {"name": "Cup", "format": "swiss", "size": "5x5", "clock": "1d", "rated": False}
    await run.command(room.ola, room.channel, "tournament create", begins="in 2 days", **options)
    await asyncio.sleep(4 * THINKING_SECONDS)
    card = run.newest("Sign up")
    for person in (room.ola, room.maksim, room.kasia):
        await run.press(person, card, "Sign up")
    await room.pass_time(2 * DAY - HOUR)
    await asyncio.sleep(4 * THINKING_SECONDS)
    await room.pass_time(HOUR)
    await asyncio.sleep(8 * THINKING_SECONDS)
    for match in await run.matches():
        await run.move(match.id, "C3")
        await run.resign(match, min(match.players))


async def _begin_and_move(run: Run, known: Collection[MatchId]) -> None:
    """Accepts the newest challenge, and makes a move in each game that is not `known`."""
    await run.press(run.room.maksim, run.newest("Accept"), "Accept")
    await asyncio.sleep(THINKING_SECONDS)
    for match in await run.matches():
        if match.id not in known:
            await run.move(match.id, str(next(iter(match.position.moves()))))
