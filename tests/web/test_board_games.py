"""Games that begin at a position of a board of one's own: against the computer, a person by name, anyone, or a friend
elsewhere."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from loopback import Discord
from play.ids import ChallengeId, IdempotencyKey, MatchId, UserId
from play.match.match import Match
from presentation.records import PRESETS
from rules.dots import Dots
from rules.registry import GAMES, make_game
from tests.bot.room import Room
from tests.bot.waiting import skip_confirmations
from tests.clock import StoppedClock
from tests.opponent.quick import Inside
from tests.web.finished import store_game
from tests.web.home_visit import AtHome, room_with_activity
from tests.web.test_own_boards import Desk
from tests.web.visit import Visit

Visits = Callable[..., Visit]

PLAYED = make_game("zagram", {"size": "9x9", "start": "empty"})

STONES = [[1, "D4"], *([0, name] for name in ("D5", "C4", "E4", "D3"))]
"""A dot that is taken."""


@pytest.fixture
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Room]:
    """A server where Ola and Максим have played, with a computer."""
    async with room_with_activity(discord, url, clock, {**run_options, "thinkers": Inside}) as room:
        await skip_confirmations(room)
        await store_game(room, room.channel, PLAYED, ("E5", "E6"))
        yield room


@pytest.fixture
async def home(room: Room, visit: Visits) -> AtHome:
    return await AtHome.enter(room, room.ola, visit())


@pytest.fixture
async def ola(home: AtHome) -> Desk:
    """Ola's page, with a set-up in which a dot is taken and red moves first."""
    desk = Desk(home.visit)
    await desk.must("new", rules="zagram", size="10x10")
    await desk.must("set", rules="zagram", size="10x10", stones=STONES, areas=[], begins=1, version=1)
    return desk


async def draft(desk: Desk, turn: int | None) -> dict[str, Any]:
    return await desk.must("draft", turn=turn, seat=None, code=None, field="", values=[])


async def offer(desk: Desk, turn: int | None, seat: int | None, opponent: int | None) -> dict[str, Any]:
    """Posts a challenge in the first channel."""
    told = await draft(desk, turn)
    where = {"code": told["code"], "channel": told["venues"][0]["channel"], "id": "o" * 12}
    return await desk.must("offer", turn=turn, seat=seat, opponent=opponent and str(opponent), **where)


async def accept(room: Room, number: int) -> Match:
    """Has Максим accept a challenge; returns the game."""
    challenges = room.use_cases.challenges
    _, match = await challenges.accept(ChallengeId(number), UserId(room.maksim.id), room.clock())
    assert match is not None
    return match


async def test_a_game_against_the_computer_begins_at_a_position(room: Room, ola: Desk) -> None:
    last = await ola.lay("A1", "B1", "C1")
    match = (await ola.must("play", id="a" * 12, turn=last, level=1, seat=1))["match"]
    begun = await room.use_cases.matches.load(MatchId(match))
    assert begun.game.opening is not None
    assert begun.game.opening.turns == ("A1", "B1", "C1")
    assert begun.seat_of(UserId(room.ola.id)) == 1


async def test_a_challenge_to_a_friend_has_the_position_the_rules_and_the_player_to_move(room: Room, ola: Desk) -> None:
    last = await ola.lay("A1")
    scene = await ola.must("scene", turn=last)
    assert (await offer(ola, last, 1, room.maksim.id))["url"]
    begun = await accept(room, 1)
    picture = begun.position.picture()
    assert len(picture.stones) == len(scene["picture"]["stones"])
    assert (begun.game.key, begun.to_act, begun.score) == ("zagram", scene["to_act"], (1.0, 0.0))
    assert begun.players == (room.maksim.id, room.ola.id)


async def test_a_challenge_to_anyone_names_a_position_that_was_set_up_on_its_card(room: Room, ola: Desk) -> None:
    assert (await offer(ola, None, 0, None))["url"]
    card = next(each for each in room.discord.messages(room.channel) if "Accept" in each.labels)
    assert "a position that was set up" in card.content
    assert "not rated" in card.content.lower() or "unrated" in card.content.lower()


async def test_the_terms_at_a_position_are_the_clock_and_what_goes_with_it(ola: Desk) -> None:
    told = await draft(ola, None)
    assert {menu["field"] for menu in told["menus"]} <= {"clock", "agreed"}
    assert told["rated"] is False
    changed = await ola.must("draft", turn=None, seat=None, code=told["code"], field="clock", values=["3d"])
    clocks = next(menu["choices"] for menu in changed["menus"] if menu["field"] == "clock")
    assert [each["value"] for each in clocks if each["chosen"]] == ["3d"]


async def test_a_rematch_of_such_a_game_begins_at_the_usual_start(room: Room, ola: Desk, home: AtHome) -> None:
    await offer(ola, None, 0, room.maksim.id)
    begun = await accept(room, 1)
    await room.use_cases.matches.resign(begun.id, UserId(room.maksim.id), room.clock(), IdempotencyKey(9))
    await home.must("rematch", match=begun.id)
    again = await room.use_cases.challenges.load(ChallengeId(2))
    usual = GAMES["zagram"].with_options({"size": "10x10"})
    assert again.terms.game == usual


async def test_a_friend_elsewhere_plays_from_the_position(room: Room, ola: Desk, visit: Visits) -> None:
    told = await ola.must("invite", turn=None, code=None)
    assert told["link"].endswith(f"/friend/{told['code']}")
    _, page = await visit().get(f"/friend/{told['code']}")
    assert "from a position" in page
    friend = await AtHome.enter(room, room.maksim, visit())
    seek = (await friend.must("friend", code=told["code"]))["seek"]
    room.bot.workers.matchmaker.wake()

    async def begun() -> int | None:
        return (await friend.must("seeks", of=seek)).get("match")

    match = await room.use_cases.matches.load(MatchId(await room.until(begun)))
    assert (match.to_act, match.score) == (1, (1.0, 0.0))


async def test_a_position_that_is_decided_is_not_played_on(ola: Desk) -> None:
    await ola.must("new", rules="zagram", size="5x5")
    stones = [[0, f"{column}{row}"] for column in "ABCDE" for row in range(1, 6)]
    await ola.must("set", rules="zagram", size="5x5", stones=stones, areas=[], begins=0, version=1)
    for what in ("draft", "offer", "invite", "play"):
        more: dict[str, Any] = {"code": None, "field": "", "values": [], "seat": 0, "level": 1, "id": "x" * 12}
        assert "decided at that point" in await ola.refused(what, turn=None, **more), what


async def test_a_line_with_a_turn_out_of_turn_is_not_played_on(ola: Desk) -> None:
    answer = await ola.must("lay", text="A1", turn=None, seat=0)
    said = await ola.refused("draft", turn=answer["turn"], seat=None, code=None, field="", values=[])
    assert "out of turn at move 1" in said


async def test_a_made_up_seat_or_code_is_refused(room: Room, ola: Desk) -> None:
    told = await draft(ola, None)
    where = {"channel": told["venues"][0]["channel"], "opponent": None, "turn": None, "id": "y" * 12}
    assert await ola.refused("offer", code="made-up", seat=0, **where)
    assert await ola.refused("offer", code=told["code"], seat=-1, **where)
    assert await ola.refused("offer", code=told["code"], seat=0, **{**where, "channel": "1"})


@pytest.mark.sample(4)
@pytest.mark.parametrize("rules", PRESETS)
async def test_every_rule_set_is_played_from_a_position_against_a_person(room: Room, ola: Desk, rules: str) -> None:
    await ola.must("new", rules=rules, size="12x12")
    stones = [[0, "F6"], [1, "G6"], [1, "F7"], [0, "G7"]]
    await ola.must("set", rules=rules, size="12x12", stones=stones, areas=[], begins=1, version=1)
    scene = await ola.must("scene", turn=None)
    await offer(ola, None, None, room.maksim.id)
    begun = await accept(room, 1)
    assert isinstance(begun.game, Dots)
    assert (begun.game.key, begun.to_act) == (rules, scene["to_act"])
    assert len(begun.position.picture().stones) == len(scene["picture"]["stones"])
