"""Journeys of people on the bot's pages: a board, their home, a sign-in with Discord, the Activity, linked roles."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import yarl

from loopback import Person
from loopback.client import Impossible
from loopback.components import walk
from play.community.roles import PUSH_MILLIS
from play.ids import MatchId
from play.match.match import Match
from tests.bot.refusing.people import THINKING_SECONDS, Run, Told, begin
from tests.clock import MINUTE
from tests.web.home_visit import AtHome
from tests.web.visit import Board


async def board_page(run: Run) -> None:
    """Plays a game with one of the players on the page."""
    match = await begin(run)
    if match is None:
        return
    to = await _enter(run, run.room.ola, match)
    if to is None:
        return
    await run.browser.get(to)
    await _play(run, match, await run.browser.live(to), "C3")
    await run.move(match.id, "D3")
    await asyncio.sleep(THINKING_SECONDS)
    await _play(run, match, await run.browser.live(to), "B2")


async def _enter(run: Run, person: Person, match: Match) -> str | None:
    """Enters by the link that *Browser* gives; returns where that leads."""
    for board in run.room.boards(run.place(match))[-1:]:
        for panel in await run.press(person, board, "Browser"):
            links = [str(part["url"]) for part in walk(panel.components) if "/enter" in str(part.get("url"))]
            for link in links:
                status, told = await run.browser.enter(link)
                if status == 200:
                    return str(told["to"])
                run.told.append(Told(person, str(told.get("line"))))
    return None


async def _play(run: Run, match: Match, board: Board, move: str) -> None:
    """Plays a move on an open board, if that can be read."""
    first = await board.read()
    if first["is"] != "board":
        return
    turn = (await board.attempt(move)).get("turn")
    if turn is not None and (await board.play(turn))["is"] == "done":
        run.acknowledged.setdefault(match.id, []).append(move)
    await asyncio.sleep(THINKING_SECONDS)


async def home_page(run: Run) -> None:
    """Looks at what goes on from the home page, accepts a challenge there, and posts one."""
    room = run.room
    await run.command(room.maksim, room.channel, "challenge", size="5x5", start="empty", clock="3d")
    kasia = await AtHome.enter(room, room.kasia, run.browser)
    await kasia.read()
    await kasia.do("around")
    await kasia.do("accept", challenge=1, changes=0)
    await asyncio.sleep(2 * THINKING_SECONDS)
    for match in await run.matches():
        await run.move(match.id, "C3")
    await kasia.read()


async def sign_in(run: Run) -> None:
    """Signs in with Discord, to watch a game of others by its address."""
    match = await begin(run)
    if match is None:
        return
    asked = await run.browser.leads_to(f"/sign-in?match={match.id}")
    with suppress(Impossible):
        await run.browser.get(str(yarl.URL(run.room.kasia.consent(asked)).relative()))
    await run.browser.get(f"/board/{match.id}")
    await run.move(match.id, "C3")


async def activity(run: Run) -> None:
    """Plays in the Activity, and shares a picture of the game."""
    room, client = run.room, str(run.room.discord.bot.id)
    match = await begin(run)
    if match is None:
        return
    instance = room.ola.launch(run.place(match), "launch")
    code = room.ola.authorize(client, ["identify"])
    status, told = await run.browser.post("/activity/enter", {"code": code, "instance": instance.id})
    if status != 200 or told["match"] is None:
        run.told.append(Told(room.ola, str(told.get("line"))))
        return
    await _play(run, match, await run.browser.live_by_token(told), "C3")
    body = {"token": told["token"], "match": told["match"], "code": room.ola.authorize(client, ["identify"])}
    await run.browser.post("/activity/picture", body)
    await run.browser.post("/activity/home", {"token": told["token"]})
    await run.move(MatchId(match.id), "D3")


async def linked_roles(run: Run) -> None:
    """Links an account, whose figures change with a game, and takes that back at Discord."""
    room = run.room
    asked = await run.browser.leads_to("/linked-roles/begin")
    await run.browser.get(str(yarl.URL(room.ola.consent(asked)).relative()))
    match = await begin(run)
    if match is not None:
        await run.move(match.id, "C3")
        await run.resign(match, room.ola.id)
    for _ in range(2):
        await room.pass_time(PUSH_MILLIS + MINUTE)
        await asyncio.sleep(8 * THINKING_SECONDS)
        room.discord.world.activities.revoke_all(room.ola.id)
