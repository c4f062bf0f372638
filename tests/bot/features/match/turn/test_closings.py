"""Four ways of entering a dot that could close something, where players choose what it closes: each asks.

`python -c "from tests.bot.features.match.turn.test_closings import table; print(table())"` prints what each asks, and
what the board shows then.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

from bot.client import use_stand_in
from bot.features.match.turn.suggestions import suggest_turns
from bot.markup import spoken
from bot.services.rate_limits import Rate, RateLimits
from loopback import Channel, Discord, Interaction, Message
from play.clock import parse_control
from play.ids import ChannelId, MatchId, UserId
from play.match.match import Match
from rules.registry import make_game
from tests.bot.features.match.entering import by_command, by_form, reply_to
from tests.bot.room import SEED, Room, answering_board, private_message
from tests.bot.table import a_match
from tests.clock import StoppedClock
from tests.facts import OPENAPI

WORDS = spoken().of()


class Trap(NamedTuple):
    """A rule set, the moves before a dot that could close something near the last one, and the turns that it makes."""

    rules: str
    moves: tuple[str, ...]
    dot: str
    closing: str


TRAPS = {
    "painted": Trap("sport-territory", ("d5", "e5", "e6", "d4", "e4", "g4"), "F5", "F5 paint E5"),
    "drawn": Trap("zagram-territory", ("d5", "e5", "e6", "d4", "e4", "g4"), "F5", "F5 draw E5"),
    "far": Trap("two-squares", ("d4", "e5", "e6", "g4"), "F4", "F4 draw E5"),
}


class Asked(NamedTuple):
    """The public text before the turn counted, and the private question to the player."""

    public: str
    panel: Message


async def _ask_by_command(room: Room, thread: Channel, dot: str) -> Asked:
    return Asked("", await private_message(await by_command(room, thread, dot)))


async def _ask_by_form(room: Room, thread: Channel, dot: str) -> Asked:
    return Asked("", await private_message(await by_form(room, thread, dot)))


async def _ask_by_reply(room: Room, thread: Channel, dot: str) -> Asked:
    prompt = await reply_to(room, room.ola.say(thread, dot, reply_to=room.boards(thread)[-1]), thread)
    return Asked(prompt.content, await private_message(room.ola.click(prompt, "Choose areas")))


async def _ask_by_keypad(room: Room, thread: Channel, dot: str) -> Asked:
    panel: Message = await (await _tap(room, thread, dot)).followed()
    return Asked("", panel)


async def _tap(room: Room, thread: Channel, dot: str) -> Interaction:
    """Taps *Keypad near ...* and then the pad of a crossing near the last dot."""
    board = room.boards(thread)[-1]
    keypad = await private_message(room.ola.click(board, board.labels[0]))
    ids = [part["custom_id"] for part in keypad.controls]
    pad = next(each for each in ids if f":go:{dot}?@" in each or f":go:{dot}@" in each)
    return room.ola.click(keypad, pad)


WAYS: dict[str, Callable[[Room, Channel, str], Awaitable[Asked]]] = {
    "/move": _ask_by_command,
    "form": _ask_by_form,
    "reply": _ask_by_reply,
    "keypad": _ask_by_keypad,
}


async def start(room: Room, trap: Trap) -> Channel:
    """Starts a game with a live clock, in which moves are not confirmed; Ola is to place the dot."""
    thread = await room.start_match(size="9x9", rules=trap.rules)
    await room.play(thread, *trap.moves)
    return thread


async def board_after(room: Room, thread: Channel, version: int, match: int = 1) -> str:
    """Returns what the board of a version says was played, and the score of Ola."""
    await room.wait_for_board(thread, version)
    loaded = await room.use_cases.matches.load(MatchId(match))
    return f"{loaded.moves[-1].text}: {loaded.score[0]:g}"


@pytest.mark.sample(5)
@pytest.mark.parametrize("kind", TRAPS)
@pytest.mark.parametrize("way", WAYS)
async def test_a_dot_that_could_close_something_asks_its_player_alone(room: Room, way: str, kind: str) -> None:
    trap = TRAPS[kind]
    thread = await start(room, trap)
    asked = await WAYS[way](room, thread, trap.dot)
    assert await room.version() == len(trap.moves)
    assert "captures" not in asked.public
    assert asked.panel.ephemeral
    assert f"**{trap.dot}** could close 1 area. What do you want to close?" in asked.panel.text
    assert "It captures 1 dot." in asked.panel.text
    close = f"Play {trap.dot} and close 1 area"
    assert asked.panel.labels[:2] == [close, f"Play {trap.dot}, close nothing"]
    await answering_board(room.ola.click(asked.panel, close))
    assert await board_after(room, thread, len(trap.moves) + 1) == f"{trap.closing}: 1"


@pytest.mark.parametrize("kind", TRAPS)
async def test_a_player_may_close_nothing(room: Room, kind: str) -> None:
    trap = TRAPS[kind]
    thread = await start(room, trap)
    asked = await _ask_by_command(room, thread, trap.dot)
    await answering_board(room.ola.click(asked.panel, f"Play {trap.dot}, close nothing"))
    assert await board_after(room, thread, len(trap.moves) + 1) == f"{trap.dot}: 0"


@pytest.mark.sample(6)
@pytest.mark.parametrize("kind", TRAPS)
@pytest.mark.parametrize("way", [by_command, by_form])
async def test_what_is_typed_in_full_is_played_as_typed(
    room: Room, way: Callable[[Room, Channel, str], Awaitable[Interaction]], kind: str
) -> None:
    trap = TRAPS[kind]
    thread = await start(room, trap)
    await answering_board(await way(room, thread, trap.closing.lower()))
    assert await board_after(room, thread, len(trap.moves) + 1) == f"{trap.closing}: 1"


async def test_a_far_chain_typed_by_hand_is_played_as_typed(room: Room) -> None:
    trap = TRAPS["far"]
    thread = await start(room, trap)
    await answering_board(await by_command(room, thread, "f4 draw f4-e6-d4"))
    assert await board_after(room, thread, 5) == "F4 draw F4-E6-D4: 1"


@pytest.mark.parametrize("kind", TRAPS)
async def test_a_reply_plays_at_once_where_there_is_no_choice(room: Room, kind: str) -> None:
    trap = TRAPS[kind]
    thread = await start(room, trap)
    room.ola.say(thread, "i9", reply_to=room.boards(thread)[-1])
    assert await board_after(room, thread, len(trap.moves) + 1) == "I9: 0"


@pytest.mark.sample(3)
@pytest.mark.parametrize("rules", ["zagram", "sport-territory", "zagram-territory", "two-squares"])
async def test_a_tap_plays_at_once_where_there_is_no_choice(room: Room, rules: str) -> None:
    thread = await room.start_match(size="9x9", rules=rules)
    await room.play(thread, "e5", "d5")
    await answering_board(await _tap(room, thread, "F5"))
    assert await board_after(room, thread, 3) == "F5: 0"


async def test_a_tap_that_captures_by_itself_plays_at_once(room: Room) -> None:
    thread = await room.start_match(size="9x9", rules="zagram")
    await room.play(thread, *TRAPS["painted"].moves)
    await answering_board(await _tap(room, thread, "F5"))
    assert await board_after(room, thread, 7) == "F5: 1"


async def test_an_area_left_open_is_asked_about_once_and_stays_on_the_keypad(room: Room) -> None:
    trap = TRAPS["painted"]
    thread = await start(room, trap)
    asked = await _ask_by_command(room, thread, "F5")
    await answering_board(room.ola.click(asked.panel, "Play F5, close nothing"))
    await room.play(thread, "g5")
    room.ola.say(thread, "i9", reply_to=room.boards(thread)[-1])
    assert await board_after(room, thread, 9) == "I9: 0"
    await room.play(thread, "g6")
    asked = await _ask_by_keypad(room, thread, "F6")
    assert asked.panel.labels[:1] == ["Play F6, close nothing"]
    chosen = await room.ola.click(asked.panel, "Paint 1 around E5: 1 dot").followed()
    await answering_board(room.ola.click(chosen, "Play F6 and close 1 area"))
    assert await board_after(room, thread, 11) == "F6 paint E5: 1"


async def test_an_opponent_who_enters_a_closed_area_is_asked_about(room: Room) -> None:
    thread = await room.start_match(size="9x9", rules="sport-territory")
    await room.play(thread, "d5", "d4", "e6", "a2", "e4", "a3", "f5", "e5")
    asked = await _ask_by_command(room, thread, "I9")
    await answering_board(room.ola.click(asked.panel, "Play I9 and close 1 area"))
    assert await board_after(room, thread, 9) == "I9 paint E5: 1"


async def test_a_choice_is_its_players_alone_and_outlives_restarts(room: Room) -> None:
    trap = TRAPS["drawn"]
    thread = await start(room, trap)
    prompt = await reply_to(room, room.ola.say(thread, "f5", reply_to=room.boards(thread)[-1]), thread)
    assert "aren't playing" in (await private_message(room.kasia.click(prompt, "Choose areas"))).text
    assert "It's Ola's turn." in (await private_message(room.maksim.click(prompt, "Choose areas"))).text
    assert room.discord.message(prompt) is not None
    await room.restart()
    panel = await private_message(room.ola.click(prompt, "Choose areas"))
    await room.discord.until(lambda: room.discord.message(prompt) is None)
    await room.restart()
    await answering_board(room.ola.click(panel, "Play F5 and close 1 area"))
    assert await board_after(room, thread, 7) == "F5 draw E5: 1"


async def test_a_choice_that_was_overtaken_plays_nothing(room: Room) -> None:
    trap = TRAPS["drawn"]
    thread = await start(room, trap)
    prompt = await reply_to(room, room.ola.say(thread, "f5", reply_to=room.boards(thread)[-1]), thread)
    await room.play(thread, "a1", "b1")
    now = await private_message(room.ola.click(prompt, "Choose areas"))
    assert "The game has moved on" in now.text
    assert await room.version() == 8


async def test_thirty_presses_on_a_choice_play_once(room: Room) -> None:
    trap = TRAPS["painted"]
    thread = await start(room, trap)
    asked = await _ask_by_command(room, thread, "F5")
    for pressed in [room.ola.click(asked.panel, "Play F5 and close 1 area") for _ in range(30)]:
        await pressed.answered()
    assert await room.version() == 7


async def test_in_a_direct_message_the_choice_itself_is_the_reply(room: Room) -> None:
    direct = room.ola.open_dm()
    game = make_game("zagram-territory", {"size": "9x9", "start": "stones", "stones": "0:D5 0:E6 0:E4 1:E5"})
    match = Match.begin(
        MatchId(0),
        guild=None,
        channel=ChannelId(direct.id),
        parent=None,
        game=game,
        seed=SEED,
        players=(UserId(room.ola.id), UserId(room.maksim.id)),
        control=parse_control("10m+30s"),
        at=room.clock(),
    )
    async with room.services.store.write() as tx:
        await tx.matches.add(match)
    await room.restart()
    await room.wait_for_board(direct, 0)
    choice = await reply_to(room, room.ola.say(direct, "f5"), direct)
    assert choice.labels[0] == "Play F5 and close 1 area"
    await room.ola.click(choice, "Play F5 and close 1 area").answered()
    assert await board_after(room, direct, 1) == "F5 draw E5: 1"
    await room.discord.until(lambda: room.discord.message(choice) is None)


@pytest.mark.parametrize("kind", TRAPS)
def test_a_suggestion_that_says_captures_captures(kind: str) -> None:
    trap = TRAPS[kind]
    found = suggest_turns(a_match(trap.rules, *trap.moves), trap.dot.lower(), WORDS)
    assert [(each.turn, each.label) for each in found] == [
        (trap.closing, f"{trap.dot} and close: captures 1 dot"),
        (trap.dot, f"{trap.dot}: could capture 1 dot"),
    ]


async def _row(room: Room, way: str, kind: str, match: int) -> str:
    trap = TRAPS[kind]
    thread = await start(room, trap)
    asked = await WAYS[way](room, thread, trap.dot)
    question = asked.panel.text.split("\n")[0].replace("**", "")
    choices = " · ".join(asked.panel.labels)
    await answering_board(room.ola.click(asked.panel, asked.panel.labels[0]))
    shown = await board_after(room, thread, len(trap.moves) + 1, match)
    return f"| {kind} | {way} | {asked.public.replace('**', '') or '–'} | {question} | {choices} | {shown} |"


async def _rows(folder: Path) -> list[str]:
    clock = StoppedClock()
    async with Discord(now=lambda: clock() / 1000, openapi=OPENAPI) as discord:
        use_stand_in(discord.address)
        limits = RateLimits(person=Rate(1000, 0.001), server=Rate(1000, 0.001), cards=Rate(1000, 0.001))
        room = Room(discord, f"sqlite+aiosqlite:///{folder / 'kropka.db'}", clock, limits=limits)
        await room.start()
        pairs = [(way, kind) for kind in TRAPS for way in WAYS]
        found = [await _row(room, way, kind, match) for match, (way, kind) in enumerate(pairs, start=1)]
        await room.stop()
    return found


def table() -> str:
    """Returns what each way of entering a dot asks, and what the board shows then, for each kind of closing."""
    head = [
        "| closing | entered by | in the channel | its player alone is asked | buttons | the board then: turn, score |",
        "|---|---|---|---|---|---|",
    ]
    with TemporaryDirectory() as folder:
        return "\n".join([*head, *asyncio.run(_rows(Path(folder)))])
