"""The journeys of the refusing run: from a challenge to a result, and all else that people do with the bot.

Their people do what they can, whatever Discord refuses: a button that is not there is not pressed.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache, partial
from itertools import product
from typing import Any

from loopback.permissions import Permission
from play.competitions.season import SEASON_MILLIS
from play.competitions.tournament import Stage, TournamentId
from play.ids import IdempotencyKey, UserId
from play.match.match import Match
from play.people.settings import Reminders
from rules.game import AnyGame, BadOption
from rules.registry import GAMES
from tests.bot.border import Border
from tests.bot.features.competitions.contests.test_contests import HERE, THERE, Fair
from tests.bot.features.match.delivery.test_digests import WARSAW, pass_to_morning
from tests.bot.refusing.own_journeys import context_menus, daily, milestone, replay, review, scheduled_event
from tests.bot.refusing.people import THINKING_SECONDS, Run, begin
from tests.bot.refusing.site_journeys import activity, board_page, home_page, linked_roles, sign_in
from tests.clock import DAY, HOUR, MINUTE
from tests.rules.test_games import choose_move, play_game
from use_cases.player_settings import change_player

MAX_ROUNDS = 4
"""Rounds of a tournament that people play before they give up."""

SIZES = ("5x5", "6x6", "7")
"""Fields on which whole games are short; not every rule set can have each."""

TRIED_SEEDS = 30
"""Random games on each of them, of which the shortest is played."""

Journey = Callable[[Run], Awaitable[None]]


@cache
def shortest(key: str) -> tuple[AnyGame, int]:
    """Returns a small game of a rule set, and the seed of a short course."""
    games = []
    for size, start in product(SIZES, ("cross", "empty", None)):
        with suppress(BadOption):
            games.append(GAMES[key].with_options({"size": size} | ({"start": start} if start else {})))
    tried = [(number, seed) for number in range(len(games)) for seed in range(TRIED_SEEDS)]
    number, seed = min(tried, key=lambda each: len(play_game(games[each[0]], each[1]).moves))
    return games[number], seed


async def play_out(run: Run, key: str) -> None:
    """Plays a game of a rule set from the challenge to the result."""
    game, seed = shortest(key)
    match = await begin(run, game)
    if match is None:
        return
    chance = random.Random(seed)
    while match.outcome is None:
        if not await run.move(match.id, str(choose_move(match.position, chance))):
            return
        match = await run.room.use_cases.matches.load(match.id)


async def rematch(run: Run) -> None:
    match = await begin(run)
    if match is None:
        return
    for move in ("C3", "D3"):
        await run.move(match.id, move)
    await run.resign(match, run.room.ola.id)
    await run.press(run.room.maksim, run.newest("Rematch"), "Rematch")
    await run.press(run.room.ola, run.newest("Accept"), "Accept")
    for again in (await run.matches())[1:]:
        await run.move(again.id, "B2")


async def two_servers(run: Run) -> None:
    """Plays a game of two servers."""
    border = Border(run.room)
    run.people[border.jadwiga.id], run.wall = border.jadwiga, border.wall
    await run.room.change_settings(border.jadwiga, confirm_days=False)
    match = await border.begin(settles=False)
    for move in ("C3", "D3", "B2"):
        await run.move(match.id, move)
    await run.command(border.ola, border.here, "draw")
    await run.command(border.jadwiga, border.there, "draw")


async def vote_with_member(run: Run) -> None:
    """Lets the server vote on its moves against Maksim: by keypad, by reply and by command."""
    room = run.room
    for match in await _begin_votes(run, opponent=room.maksim):
        if match.players[0] == room.maksim.id:
            await run.move(match.id, "C3")
        board = run.newest("Votes")
        for keypad in await run.press(room.kasia, board, board.labels[0]) if board else ():
            await run.press(room.kasia, keypad, "12")
        await run.press(room.ola, board, "Votes")
        room.kasia.say(run.place(match), f"{room.discord.bot.mention} e5")
        await asyncio.sleep(MINUTE / 1000)
        await run.move(match.id, "E5")
        await run.move(match.id, "F6")
        await run.command(room.kasia, room.channel, "vote games")


async def vote_with_computer(run: Run) -> None:
    """Lets the server vote on its moves against the computer, until a manager resigns."""
    room = run.room
    for match in await _begin_votes(run, computer=1):
        await asyncio.sleep(2 * THINKING_SECONDS)
        for move in ("E5", "F6"):
            await run.move(match.id, move)
        for question in await run.command(room.ola, run.place(match), "vote resign"):
            await run.press(room.ola, question, "Yes, resign")


async def _begin_votes(run: Run, **opponent: Any) -> list[Match]:
    """Begins a game of the server, for which Ola votes; returns it if it has begun."""
    room = run.room
    await room.pass_time(8 * DAY)
    for asked in await run.command(room.ola, room.channel, "vote begin", time="1h", quorum=1, **opponent):
        await run.press(room.ola, asked, asked.labels[0] if asked.labels else "")
    await run.press(room.maksim, run.newest("Accept"), "Accept")
    await asyncio.sleep(THINKING_SECONDS)
    matches = await run.matches()
    for match in matches:
        await run.seat_voters(match, room.ola)
    return matches


async def contest(run: Run) -> None:
    """Plays a contest of two servers on three boards, from the code to the table of the season."""
    fair = await _challenge(run, days=3, signup=2, rated=False)
    for channel, names in ((fair.here, HERE), (fair.there, THERE)):
        for person in fair.people(names):
            found = [each for each in run.room.discord.messages(channel) if "team:1:join" in str(each.components)]
            await run.press(person, found[-1] if found else None, "team:1:join")
    await _let_direct(run, 2 * DAY)
    for match in await run.matches():
        for _ in match.players:
            now = await run.room.use_cases.matches.load(match.id)
            await run.move(match.id, str(next(iter(now.position.moves()))))
        here = {each.id for each in fair.people(HERE)}
        await run.resign(match, next(user for user in match.players if user in here))
    await _let_direct(run, 2 * MINUTE)
    for person, channel in ((fair.ola, fair.here), (fair.jadwiga, fair.there)):
        await run.command(person, channel, "team status")
        await run.command(person, channel, "team season")


async def contest_by_votes(run: Run) -> None:
    """Lets two servers play one game by votes."""
    fair = await _challenge(run, vote="1h")
    for match in await run.matches():
        await run.seat_voters(match, fair.ola, fair.jadwiga)
        for move in ("B2", "D2"):
            await run.move(match.id, move)


async def _challenge(run: Run, **options: Any) -> Fair:
    """Lets Ola challenge the other server, and Jadwiga accept."""
    fair = Fair(run.room)
    run.wall = fair.wall
    for person in fair.people(THERE):
        run.people[person.id] = person
        person.speak("en-US")
        await run.room.change_settings(person, confirm_days=False)
    await run.room.pass_time(8 * DAY)
    told = await run.command(fair.ola, fair.here, "team challenge", size="5x5", **options)
    codes = [code for each in told for code in re.findall(r"`([0-9A-Z-]{14})`", each.text)]
    for code in codes:
        for panel in await run.command(fair.jadwiga, fair.there, "team accept", code=code):
            await run.press(fair.jadwiga, panel, "Accept here")
    await _let_direct(run, 2 * MINUTE)
    return fair


async def _let_direct(run: Run, duration: int) -> None:
    """Lets time pass, and then those work that run contests and leagues."""
    await run.room.pass_time(duration)
    await asyncio.sleep(8 * THINKING_SECONDS)


async def league(run: Run) -> None:
    """Plays in a league for a season, of which a game is played, and whose table is pinned."""
    room = run.room
    for permission in (Permission.MANAGE_GUILD, Permission.PIN_MESSAGES):
        room.discord.allow(room.channel, permission, room.ola)
    room.discord.allow(room.channel, Permission.PIN_MESSAGES)
    await room.pass_time(8 * DAY)
    asked = await run.command(room.ola, room.channel, "league open", size="5x5")
    await run.press(room.ola, asked[-1] if asked else None, "Open the league")
    await run.press(room.ola, run.newest("Join"), "Join")
    for person in (room.maksim, room.kasia):
        await run.command(person, room.channel, "league join")
    await run.command(room.ola, room.channel, "league pin")
    await _let_direct(run, 10 * DAY)
    for match in await run.matches():
        for move in ("B2", "D2"):
            await run.move(match.id, move)
        await run.resign(match, match.players[0])
    await run.command(room.kasia, room.channel, "league table")
    await _let_direct(run, SEASON_MILLIS)
    await run.command(room.kasia, room.channel, "league table")


async def tournament(run: Run) -> None:
    """Plays a tournament of three to its end."""
    room = run.room
    room.make_moderator(room.ola)
    options = {"name": "Cup", "format": "swiss", "size": "5x5", "clock": "1d", "rated": False}
    await run.command(room.ola, room.channel, "tournament create", **options)
    card = run.newest("Sign up")
    for person in (room.ola, room.maksim, room.kasia):
        await run.press(person, card, "Sign up")
    await run.press(room.ola, card, "Begin")
    for _ in range(MAX_ROUNDS):
        for match in await run.matches():
            if match.outcome is None:
                await run.move(match.id, "C3")
                await run.resign(match, min(match.players))
        await asyncio.sleep(THINKING_SECONDS)
        if card and (await room.use_cases.tournaments.load(TournamentId(1))).stage is Stage.ENDED:
            return


async def prediction(run: Run) -> None:
    """Predicts the final of a knock-out, which is played to its end, and looks at the table."""
    room, zofia = run.room, next(each for each in run.people.values() if each.user.name == "Zofia")
    room.make_moderator(room.ola)
    options = {"name": "Cup", "format": "knock-out", "size": "10x10", "clock": "1d", "rated": False}
    await run.command(room.ola, room.channel, "tournament create", **options)
    card = run.newest("Sign up")
    for person in (room.ola, room.maksim, room.kasia):
        await run.press(person, card, "Sign up")
    await run.press(room.ola, card, "Begin")
    for _ in range(MAX_ROUNDS):
        for panel in await run.press(zofia, run.newest("Predict"), "Predict"):
            await run.press(zofia, panel, "Who wins, and by how many dots?", "1")
        for listed in await run.command(zofia, room.general, "predict games"):
            await run.press(zofia, listed, "Predict")
        for match in await run.matches():
            if match.outcome is None:
                await run.resign(match, min(match.players))
        await asyncio.sleep(THINKING_SECONDS)
    await run.command(zofia, room.general, "predict table")


async def ladder(run: Run) -> None:
    """Plays a game for a place of a ladder."""
    room = run.room
    room.make_moderator(room.ola)
    await run.command(room.ola, room.channel, "ladder create")
    for person in (room.ola, room.maksim, room.kasia):
        await run.command(person, room.channel, "ladder join")
    await run.command(room.kasia, room.channel, "ladder challenge", opponent=room.ola)
    await run.press(room.ola, run.newest("Accept"), "Accept")
    for match in await run.matches():
        await run.move(match.id, str(next(iter(match.position.moves()))))
        await run.resign(match, room.ola.id)
    await run.command(room.maksim, room.channel, "ladder show")


async def home(run: Run) -> None:
    """Gives the server a home post, and accepts a challenge there."""
    room = run.room
    for panel in await run.command(room.ola, room.channel, "settings server"):
        for shown in await run.press(room.ola, panel, "Home post") or [panel]:
            await run.press(room.ola, shown, "home:channel", room.general.id)
    await run.command(room.maksim, room.channel, "challenge", size="5x5", start="empty", clock="3d")
    await room.pass_time(10 * MINUTE)
    await asyncio.sleep(2 * THINKING_SECONDS)
    posts = [each for each in room.discord.messages(room.general) if "Accept" in each.labels]
    card = run.newest("Accept")
    await run.press(room.kasia, posts[-1] if posts else card, "Accept")
    for match in await run.matches():
        await run.move(match.id, "C3")
    await room.pass_time(10 * MINUTE)
    await asyncio.sleep(4 * THINKING_SECONDS)


async def digest(run: Run) -> None:
    """Asks for a digest, and gets it on the next morning."""
    room = run.room
    await change_player(room.services.store, UserId(room.ola.id), {"zone": WARSAW})
    await begin(run, clock="5d")
    for panel in await run.command(room.ola, room.channel, "settings me"):
        await run.press(room.ola, panel, "me:pings", "8")
    await room.pass_time(HOUR)
    await pass_to_morning(room)
    await asyncio.sleep(4 * THINKING_SECONDS)
    await run.command(room.ola, room.channel, "settings me")


async def reminder(run: Run) -> None:
    """Is reminded of a game by direct message."""
    room = run.room
    await begin(run, clock="5d")
    for panel in await run.command(room.ola, room.channel, "settings me"):
        await run.press(room.ola, panel, "me:reminders", Reminders.DM)
    await room.pass_time(4 * DAY + HOUR)
    await asyncio.sleep(4 * THINKING_SECONDS)
    await run.command(room.ola, room.channel, "settings me")


async def puzzle(run: Run) -> None:
    room = run.room
    for menu in await run.command(room.kasia, room.channel, "puzzle"):
        for panel in await run.press(room.kasia, menu, "daily:open"):
            for label in panel.labels[:1]:
                await run.press(room.kasia, panel, label)
        await run.press(room.kasia, menu, "puzzle:own")
    posts = [each for each in room.discord.messages(room.channel) if each.attachments and each.labels]
    for post in posts[-1:]:
        for panel in await run.press(room.kasia, post, post.labels[0]):
            await run.press(room.kasia, panel, "Show the solution")
    await run.command(room.maksim, room.channel, "puzzle")


async def continuation(run: Run) -> None:
    """Goes on elsewhere with a game whose channel was deleted."""
    room = run.room
    match = await begin(run)
    if match is None:
        return
    room.discord.delete_channel(room.channel)
    moved = room.use_cases.matches.move(match.id, UserId(room.ola.id), "C3", room.clock(), IdempotencyKey(1))
    run.acknowledged[match.id] = [str((await moved).events[-1].text)]
    await asyncio.sleep(2 * THINKING_SECONDS)
    for person in (room.ola, room.maksim):
        await run.command(person, room.general, "games")
    await run.command(room.maksim, room.general, "continue")
    await asyncio.sleep(THINKING_SECONDS)
    await run.move(match.id, "D3")


async def absence(run: Run) -> None:
    """Goes on with a game whose player leaves the server, and comes back."""
    match = await begin(run)
    if match is None:
        return
    run.room.maksim.install()
    run.room.maksim.leave()
    run.room.services.names.forget(UserId(run.room.maksim.id))
    await run.move(match.id, "C3")
    await asyncio.sleep(THINKING_SECONDS)
    run.room.maksim.rejoin()


def _journeys() -> Iterator[tuple[str, Journey]]:
    yield "rematch", rematch
    yield "tournament", tournament
    yield "prediction", prediction
    yield "ladder", ladder
    yield "home post", home
    yield "digest", digest
    yield "reminder", reminder
    yield "puzzle", puzzle
    yield "daily", daily
    yield "review", review
    yield "replay", replay
    yield "milestone", milestone
    yield "context menus", context_menus
    yield "events", scheduled_event
    yield "board page", board_page
    yield "home page", home_page
    yield "sign-in", sign_in
    yield "activity", activity
    yield "linked roles", linked_roles
    yield "continue", continuation
    yield "absence", absence
    yield "two servers", two_servers
    yield "votes", vote_with_member
    yield "votes against the computer", vote_with_computer
    yield "contest", contest
    yield "contest by votes", contest_by_votes
    yield "league", league
    for key in GAMES:
        yield key, partial(play_out, key=key)


JOURNEYS: Mapping[str, Journey] = dict(_journeys())
