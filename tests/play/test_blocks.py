"""Blocks between players: games that cannot begin, and what the blocked learn."""

from __future__ import annotations

from itertools import count

import pytest

from play.challenge.terms import Terms
from play.clock import parse_control
from play.competitions.ladder import Ladder, drop_duel
from play.ids import ChannelId, IdempotencyKey, Millis, UserId
from play.refusal import Reason, Refused
from rules.registry import make_game
from storage import Database
from tests.clock import DAY, HOUR, NOON
from tests.matches import ANNA, BORIS, CLARA, GUILD
from use_cases import UseCases
from use_cases.barriers import MAX_BLOCKS
from use_cases.competitions.ladders import MAX_DAILY_CALLS

TERMS = Terms(make_game("zagram", {"size": "10x10"}), parse_control("1d"))
_channels = map(ChannelId, count(1))


@pytest.fixture
async def use_cases(store: Database) -> UseCases:
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


@pytest.fixture
async def ladder(use_cases: UseCases) -> None:
    """ANNA is first, BORIS second, CLARA third."""
    await use_cases.ladders.make(Ladder(GUILD, ChannelId(9), TERMS), UserId(1))
    for user in (ANNA, BORIS, CLARA):
        await use_cases.ladders.join(GUILD, user, NOON)


@pytest.mark.usefixtures("ladder")
async def test_the_first_of_a_ladder_who_blocks_everyone_can_still_be_challenged(use_cases: UseCases) -> None:
    await use_cases.blocks.block(ANNA, CLARA, NOON)
    for user in (BORIS, CLARA):
        assert (await use_cases.ladders.survey(GUILD, user))[0] == (ANNA, 1, None)
    challenge = await use_cases.ladders.challenge(GUILD, CLARA, ANNA, NOON)
    _, match = await use_cases.challenges.accept(challenge.id, ANNA, NOON)
    assert match is not None


@pytest.mark.usefixtures("ladder")
async def test_a_challenger_who_then_blocks_the_defender_does_not_keep_them_from_accepting(
    use_cases: UseCases,
) -> None:
    challenge = await use_cases.ladders.challenge(GUILD, CLARA, ANNA, NOON)
    await use_cases.blocks.block(CLARA, ANNA, NOON)
    _, match = await use_cases.challenges.accept(challenge.id, ANNA, NOON)
    assert match is not None


@pytest.mark.usefixtures("ladder")
async def test_nobody_challenges_a_player_whom_they_have_blocked_for_a_place(use_cases: UseCases) -> None:
    await use_cases.blocks.block(CLARA, ANNA, NOON)
    assert (await use_cases.ladders.survey(GUILD, CLARA))[0] == (ANNA, 1, Reason.YOU_BLOCKED)
    with pytest.raises(Refused, match="you_blocked"):
        await use_cases.ladders.challenge(GUILD, CLARA, ANNA, NOON)


@pytest.mark.usefixtures("ladder")
async def test_a_block_holds_for_all_other_games_of_two_on_a_ladder(use_cases: UseCases) -> None:
    with pytest.raises(Refused, match="no_game_with"):
        await ask(use_cases, BORIS, ANNA)


@pytest.mark.usefixtures("ladder")
async def test_a_player_is_asked_for_their_place_three_times_a_day_at_most(use_cases: UseCases) -> None:
    for number in range(MAX_DAILY_CALLS):
        at = Millis(NOON + number * 2 * HOUR)
        challenge = await use_cases.ladders.challenge(GUILD, BORIS, ANNA, at)
        await use_cases.challenges.decline(challenge.id, BORIS, at)
        ladder = await use_cases.ladders.load(GUILD)
        async with use_cases.store.write() as tx:
            await tx.ladders.save(drop_duel(ladder, ladder.duels[0]), ladder)
    with pytest.raises(Refused, match="ladder_asked_often"):
        await use_cases.ladders.challenge(GUILD, BORIS, ANNA, Millis(NOON + 8 * HOUR))
    assert await use_cases.ladders.challenge(GUILD, BORIS, ANNA, Millis(NOON + DAY))


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
