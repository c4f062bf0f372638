"""Kills between sending and storing, a platform that is down, two at once: which boards are lost, which come twice."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from chat.port import Once
from chat.routing import RoutedPublisher
from play.challenge.terms import Order, Terms
from play.clock import parse_control
from play.ids import ChannelId, GuildId, MatchId, Platform
from play.match.match import AwayPlace, Match
from rules.game import Seat
from rules.registry import make_game
from tests.chat.world import EAGER, World
from tests.clock import HOUR, NOON
from tests.matches import pass_time
from use_cases.workers.outbox_relay import OutboxRelay

KILLS = 30
MOVES = [f"{column}{row}" for row in (2, 5, 8, 13, 16, 19) for column in "BEHMQS"]


class Killed(Exception):
    """The process ends."""


def killed_after_sending(world: World) -> None:
    """Has the relay end between sending a board and noting it."""

    async def note(*_: Any, **__: Any) -> None:
        raise Killed

    world.relay._note = note  # type: ignore[method-assign]


async def test_thirty_kills_between_sending_and_storing_lose_no_board(world: World) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    await world.begin(ola, bob, "20x20, first")
    for number in range(KILLS):
        killed_after_sending(world)
        with suppress(Killed):
            await world.say(ola if number % 2 == 0 else bob, MOVES[number])
        world.relay = OutboxRelay(world.store, world.parts.publisher, EAGER)  # the next process
        await world.settle()
    match = await world.match(ola)
    assert len(match.moves) == KILLS
    assert MOVES[KILLS - 1] in world.board().text
    async with world.store.read() as reader:
        assert await reader.outbox.pending_matches() == []
    boards = [each for each in world.driver.seen() if each.picture and each.reader is None]
    if world.parts.platform.promises.once is Once.EDIT:
        assert len(boards) == 1  # all that may come twice is the line that calls the player
        texts = [each.text for each in world.driver.seen()]
        assert max(map(texts.count, texts)) <= 2
    else:
        assert len(boards) == KILLS + 1


@pytest.mark.parametrize("world", ["memory", "telegram"], indirect=True)  # tests/matrix/test_faults.py has the other
async def test_after_an_hour_away_all_is_posted(world: World) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    await world.begin(ola, bob)
    match = await world.match(ola)
    _set_down(world, True)
    await world.use_cases.matches.move(match.id, ola.user, "C3", world.clock(), 1)  # type: ignore[arg-type]
    with suppress(Exception):
        await world.settle()
    await pass_time(world.store, world.clock, HOUR)
    assert "C3" not in world.board().text
    _set_down(world, False)
    await world.settle()
    assert "C3" in world.board().text


def _set_down(world: World, down: bool) -> None:
    getattr(world.driver, "telegram", world.driver.platform).down = down  # type: ignore[union-attr]


async def begin_between(one: World, other: World) -> Match:
    """Begins a game with a place on each platform; one relay posts to both."""
    ola, ivan = await one.join("ola", "en"), await other.join("ivan", "ru")
    await other.say(ivan, "/help", direct=True)
    here, there = await one.driver.place(), await other.driver.place()
    terms = Terms(make_game("zagram", {"size": "20x20"}), parse_control("3d"), Order.FIRST)
    match = Match.begin(
        MatchId(0),
        guild=GuildId(here),
        channel=ChannelId(here),
        parent=None,
        game=terms.game,
        seed=0,
        players=(ola.user, ivan.user),
        control=terms.control,
        at=NOON,
        away=AwayPlace(GuildId(there), ChannelId(there), None, Seat(1)),
    )
    async with one.store.write() as tx:
        stored = await tx.matches.add(match)
    one.parts.services.names.elsewhere[other.parts.kind] = other.parts.services.names
    other.parts.services.names.elsewhere[one.parts.kind] = one.parts.services.names
    publishers = {world.parts.kind: world.parts.publisher for world in (one, other)}
    one.relay = other.relay = OutboxRelay(one.store, RoutedPublisher(dict[Platform, Any](publishers)), EAGER)
    await one.settle()
    return stored


async def test_a_game_between_two_platforms_is_shown_on_each_in_its_own_language(
    worlds: tuple[World, World],
) -> None:
    one, other = worlds
    match = await begin_between(one, other)
    assert "your turn" in one.board().text
    assert "ola" in other.board().text
    assert any("а" <= letter <= "я" for letter in other.board().text)
    await one.use_cases.matches.move(match.id, match.players[0], "C3", NOON, 7)  # type: ignore[arg-type]
    await one.settle()
    assert "C3" in one.board().text
    assert "C3" in other.board().text


async def test_a_platform_goes_on_while_the_other_is_down(worlds: tuple[World, World]) -> None:
    one, other = worlds
    match = await begin_between(one, other)
    _set_down(other, True)
    await one.use_cases.matches.move(match.id, match.players[0], "C3", NOON, 7)  # type: ignore[arg-type]
    for key in await one.relay.pending(50):
        with suppress(Exception):
            while await one.relay.process(key):
                pass
    assert "C3" in one.board().text
    _set_down(other, False)
    await one.settle()
    assert "C3" in other.board().text
