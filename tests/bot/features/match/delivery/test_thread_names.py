"""Threads: each has a name that tells its game from others, and says when that is over."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from bot.features.match.delivery.threads import (
    MAX_RENAMES,
    MAX_TITLE,
    WINDOW_SECONDS,
    ThreadNames,
    new_name,
    thread_title,
)
from bot.markup import spoken
from loopback import HANG_SECONDS, Channel
from play.ids import ChannelId, MatchId, UserId
from play.match.match import Match
from presentation.text import plain_name
from rules.registry import make_game
from tests.bot.room import Room, private_words
from tests.bot.waiting import version_message
from tests.matches import a_match, resign

pytestmark = pytest.mark.usefixtures("no_confirmation")

WORDS = spoken().of()


def numbered(number: int, **options: Any) -> Match:
    return replace(a_match(**options), id=MatchId(number))


async def name_of(room: Room, thread: Channel, name: str) -> None:
    """Waits until the thread has this name."""
    await room.discord.until(lambda: next(each for each in room.discord.threads if each.id == thread.id).name == name)


@pytest.mark.parametrize(
    ("key", "names", "level", "title"),
    [
        ("zagram", ("Ola", "Максим"), None, "#12 Ola – Максим · Zagram 9×9"),
        ("sport", ("Ola", "Kropka"), 4, "#12 Ola – Kropka · Casual player · Sport Dots 9×9"),
        ("three", ("A", "B", "C"), None, "#12 A – B – C · Three players 9×9"),
    ],
)
def test_a_title_has_the_number_the_players_the_level_and_the_rules(
    key: str, names: tuple[str, ...], level: int | None, title: str
) -> None:
    match = replace(numbered(12), game=make_game(key, {"size": "9x9"}))
    assert thread_title(match, names, level, WORDS) == title


def test_names_and_rules_from_the_right_stay_in_their_places() -> None:
    match = replace(numbered(12), rule_set="קצר")
    names = plain_name("שלום"), plain_name("العربية")
    assert thread_title(match, names, None, WORDS) == "#12 \u2068שלום\u2069 – \u2068العربية\u2069 · \u2068קצר\u2069 5×5"


def test_a_long_name_from_the_right_leaves_the_rules_outside() -> None:
    title = thread_title(
        replace(numbered(123456), game=make_game("four", {})), (plain_name("ש" * 32),) * 4, None, WORDS
    )
    assert title.count("\u2068") == title.count("\u2069")
    assert len(f"🏁 {title}") <= MAX_TITLE


def test_long_names_leave_room_for_the_rest() -> None:
    title = thread_title(replace(numbered(123456), game=make_game("four", {})), ("Ж" * 32,) * 4, None, WORDS)
    assert title.startswith("#123456 ЖЖЖ")
    assert "… · " in title
    assert len(f"🏁 {title}") <= MAX_TITLE


@pytest.mark.sample(6)
@pytest.mark.parametrize(
    ("present", "over", "name"),
    [
        ("#12 Ola – Max", True, "🏁 #12 Ola – Maks"),
        ("🏁 #11 Ola – Maks", False, "#12 Ola – Maks"),
        ("🏁 #11 Ola – Maks", True, "🏁 #12 Ola – Maks"),
        ("The final", True, "🏁 The final"),
        ("🏁 The final", False, "The final"),
        ("x" * 100, True, "🏁 " + "x" * 98),
    ],
)
def test_a_name_that_a_moderator_has_given_stays(present: str, name: str, *, over: bool) -> None:
    match = numbered(12)
    assert new_name(present, resign(match) if over else match, "#12 Ola – Maks") == name


class Threads:
    """A fake of the bot's channels: one thread, whose names it keeps."""

    def __init__(self) -> None:
        self.names = ["#1 Ola – Maks"]
        self.owner = "7"

    async def fetch(self, channel: ChannelId) -> dict[str, Any]:
        return {"type": 11, "owner_id": self.owner, "name": self.names[-1]}

    async def rename(self, channel: ChannelId, name: str) -> None:
        self.names.append(name)


class Stubs:
    """A fake of what a title needs."""

    own_id = 7

    def __init__(self, former: Match | None = None) -> None:
        self.challenges = self.matches = self
        self.former = former

    def read(self) -> Stubs:
        return self

    async def __aenter__(self) -> Stubs:
        return self

    async def __aexit__(self, *_: object) -> None: ...

    async def of_match(self, match: MatchId) -> None: ...

    async def get(self, match: MatchId) -> Match | None:
        return self.former

    async def of_all(self, users: Any, guild: Any) -> tuple[str, ...]:
        return ("Ola", "Maks")

    async def for_match(self, match: Match) -> Any:
        return WORDS


def thread_names(
    threads: Any, clock: Callable[[], float], sleep: Callable[[float], Awaitable[None]], former: Match | None = None
) -> ThreadNames:
    stubs: Any = Stubs(former)
    return ThreadNames(stubs, threads, stubs, stubs, clock, sleep)


async def wait_for(work: asyncio.Task[None] | None) -> None:
    assert work is not None
    async with asyncio.timeout(HANG_SECONDS):
        await work


async def test_a_third_name_within_ten_minutes_waits_and_is_the_newest() -> None:
    threads, naps, woken = Threads(), [], asyncio.Event()

    async def sleep(seconds: float) -> None:
        naps.append(seconds)
        await woken.wait()

    names = thread_names(threads, lambda: 100.0, sleep)
    for match in (resign(numbered(1)), replace(numbered(2), parent=None)):
        await wait_for(names.note_posted(match, first=not match.outcome))
    assert threads.names[1:] == ["🏁 #1 Ola – Maks · Zagram 5×5", "#2 Ola – Maks · Zagram 5×5"]
    assert len(threads.names) - 1 == MAX_RENAMES
    for match in (resign(numbered(2)), replace(numbered(3), parent=None), resign(numbered(3))):
        work = names.note_posted(match, first=not match.outcome)
        await asyncio.sleep(0)
    assert naps == [WINDOW_SECONDS]
    woken.set()
    await wait_for(work)
    assert threads.names[3:] == ["🏁 #3 Ola – Maks · Zagram 5×5"]


async def test_a_thread_of_somebody_else_keeps_its_name() -> None:
    threads = Threads()
    threads.owner = "8"
    names = thread_names(threads, lambda: 0.0, asyncio.sleep)
    await wait_for(names.note_posted(resign(numbered(1)), first=False))
    assert len(threads.names) == 1


@pytest.mark.parametrize("over", [False, True])
async def test_a_thread_that_a_match_has_left_is_not_renamed_for_one_of_others(*, over: bool) -> None:
    threads, former = Threads(), numbered(1)
    others = replace(numbered(2), players=(*former.players[:1], UserId(999)), parent=None)
    names = thread_names(threads, lambda: 0.0, asyncio.sleep, former)
    await wait_for(names.note_posted(resign(others, UserId(999)) if over else others, first=not over))
    assert threads.names == ["#1 Ola – Maks"]


async def test_a_thread_is_named_after_its_game_and_says_when_that_is_over(room: Room) -> None:
    thread = await room.start_match(clock="3d")
    assert thread.name == "#1 Ola – Максим · Zagram 5×5"
    await room.cancel_match(room.ola, thread)
    await name_of(room, thread, "🏁 #1 Ola – Максим · Zagram 5×5")
    assert "[The rematch]" in await private_words(room.ola.click(await version_message(room, thread, 1), "Rematch"))
    await room.maksim.click(room.discord.messages(thread)[-1], "Accept").followed()
    await name_of(room, thread, "#2 Максим – Ola · Zagram 5×5")


async def test_a_channel_that_is_no_thread_keeps_its_name(room: Room) -> None:
    await room.ola.command(room.channel, "challenge", opponent=room.maksim, size="5x5", clock="3d").answered()
    name = room.channel.name
    await room.maksim.click(room.discord.messages(room.channel)[-1], "Accept").followed()
    assert room.channel.name == name
