"""Blocks between players: games that cannot begin, and what the blocked learn."""

from __future__ import annotations

from itertools import count

import pytest

from play.challenge.terms import Terms
from play.clock import parse_control
from play.community.ladder import Ladder
from play.ids import ChannelId, IdempotencyKey, UserId
from play.refusal import Reason, Refused
from play.services.blocks import MAX_BLOCKS
from play.services.use_cases import UseCases
from play.store import Store
from rules.registry import make_game
from tests.clock import NOON
from tests.matches import ANNA, BORIS, CLARA, GUILD

TERMS = Terms(make_game("zagram", {"size": "10x10"}), parse_control("1d"))
_channels = map(ChannelId, count(1))


@pytest.fixture
async def use_cases(store: Store) -> UseCases:
    """ANNA has blocked BORIS."""
    use_cases = UseCases.over(store, seeds=lambda: 4)
    await use_cases.blocks.block(ANNA, BORIS, NOON)
    return use_cases


async def ask(use_cases: UseCases, user: UserId, opponent: UserId | None) -> int:
    return (await use_cases.challenges.challenge(user, opponent, GUILD, next(_channels), TERMS, NOON)).id


async def test_neither_challenges_the_other(use_cases: UseCases) -> None:
    with pytest.raises(Refused, match="no_game_with"):
        await ask(use_cases, BORIS, ANNA)
    with pytest.raises(Refused, match="you_blocked"):
        await ask(use_cases, ANNA, BORIS)


async def test_neither_accepts_or_answers_an_open_challenge_of_the_other(use_cases: UseCases) -> None:
    other = Terms(TERMS.game, parse_control("2d"))
    for host, guest, reason in ((ANNA, BORIS, "no_game_with"), (BORIS, ANNA, "you_blocked")):
        offered = (await use_cases.challenges.challenge(host, None, GUILD, next(_channels), TERMS, NOON)).id
        with pytest.raises(Refused, match=reason):
            await use_cases.challenges.accept(offered, guest, NOON)
        with pytest.raises(Refused, match=reason):
            await use_cases.challenges.change(offered, guest, other, NOON, changes=0)


async def test_a_challenge_from_before_the_block_begins_no_game(use_cases: UseCases) -> None:
    offered = await use_cases.challenges.challenge(CLARA, ANNA, GUILD, next(_channels), TERMS, NOON)
    await use_cases.blocks.block(ANNA, CLARA, NOON)
    with pytest.raises(Refused, match="you_blocked"):
        await use_cases.challenges.accept(offered.id, ANNA, NOON)


async def test_a_running_game_goes_on(use_cases: UseCases) -> None:
    offered = await use_cases.challenges.challenge(CLARA, ANNA, GUILD, next(_channels), TERMS, NOON)
    _, match = await use_cases.challenges.accept(offered.id, ANNA, NOON)
    assert match is not None
    await use_cases.blocks.block(ANNA, CLARA, NOON)
    mover = match.players[match.position.to_act]
    move = str(next(iter(match.position.moves())))
    moved = await use_cases.matches.move(match.id, mover, move, NOON, IdempotencyKey(1))
    assert moved.version == match.version + 1
    resigned = await use_cases.matches.resign(match.id, CLARA, NOON, IdempotencyKey(2))
    with pytest.raises(Refused, match="no_game_with"):
        await use_cases.challenges.rematch(resigned.id, CLARA, NOON)


async def test_a_third_seat_keeps_the_two_apart(use_cases: UseCases) -> None:
    three = Terms(make_game("three", {}), parse_control("1d"))
    offered = await use_cases.challenges.challenge(CLARA, None, GUILD, next(_channels), three, NOON)
    await use_cases.challenges.accept(offered.id, ANNA, NOON)
    with pytest.raises(Refused, match="no_game_with"):
        await use_cases.challenges.accept(offered.id, BORIS, NOON)


async def test_no_ladder_game_is_between_them(use_cases: UseCases) -> None:
    await use_cases.ladders.make(Ladder(GUILD, ChannelId(9), TERMS))
    for user in (ANNA, BORIS):
        await use_cases.ladders.join(GUILD, user, NOON)
    with pytest.raises(Refused, match="no_game_with"):
        await use_cases.ladders.challenge(GUILD, BORIS, ANNA, NOON)
    ((user, place, obstacle),) = await use_cases.ladders.survey(GUILD, BORIS)
    assert (user, place, obstacle) == (ANNA, 1, Reason.NO_GAME_WITH)


async def test_a_block_can_be_taken_back(use_cases: UseCases) -> None:
    await use_cases.blocks.unblock(ANNA, BORIS)
    await use_cases.blocks.unblock(ANNA, BORIS)
    assert await ask(use_cases, BORIS, ANNA)


async def test_of_two_blocks_one_is_left_when_the_other_is_taken_back(use_cases: UseCases) -> None:
    await use_cases.blocks.block(BORIS, ANNA, NOON)
    await use_cases.blocks.unblock(ANNA, BORIS)
    with pytest.raises(Refused, match="you_blocked"):
        await ask(use_cases, BORIS, ANNA)


async def test_nobody_blocks_themselves(use_cases: UseCases) -> None:
    with pytest.raises(Refused, match="block_self"):
        await use_cases.blocks.block(ANNA, ANNA, NOON)


async def test_a_list_of_blocks_has_an_end(use_cases: UseCases) -> None:
    for number in range(MAX_BLOCKS - 1):
        await use_cases.blocks.block(ANNA, UserId(5000 + number), NOON)
    with pytest.raises(Refused, match="too_many_blocks"):
        await use_cases.blocks.block(ANNA, UserId(9000), NOON)
    await use_cases.blocks.block(ANNA, BORIS, NOON)
    assert len(await use_cases.blocks.load(ANNA)) == MAX_BLOCKS
