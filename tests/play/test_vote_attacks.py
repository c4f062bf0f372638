"""Attacks on vote games, with the rules against them: docs/fair-play-lab.md has the table."""

from __future__ import annotations

import pytest

from play.community.ban import Ban
from play.ids import GuildId, Millis, UserId
from play.match.events import OfferKind
from play.match.match import Match
from play.people.membership import Member
from play.refusal import Refused
from play.votes import ARRIVAL_MILLIS, closing
from storage import Database
from tests.clock import DAY, HOUR, NOON, SECOND, Machine, StoppedClock
from tests.matches import BORIS, GUILD, discard_boards, pass_time
from tests.votes import AWAY, PERIOD, a_counter, a_game, a_member, a_side, account_made, begin, cast, new_key
from use_cases import UseCases

OWN_ACCOUNTS, HONEST = 20, 9
FIRST_ID = 2_000
"""The first of the members who have been there for years."""


async def vote_all(use_cases: UseCases, match: Match, voters: list[Member], text: str, at: Millis = NOON) -> int:
    """Lets all try to vote for a move; returns how many were let."""
    done = 0
    for voter in voters:
        try:
            await cast(use_cases, match.id, text, voter=voter, at=at)
        except Refused:
            continue
        done += 1
    return done


async def play(use_cases: UseCases, store: Database, clock: StoppedClock, match: Match) -> Match:
    """Lets the vote end and be counted."""
    side = next(side for side in await use_cases.votes.sides_of(match.id) if side.seat == match.to_act)
    await pass_time(store, clock, closing(match, side) + ARRIVAL_MILLIS - clock())
    await a_counter(use_cases).poll()
    return await use_cases.matches.load(match.id)


def honest(count: int = HONEST, *roles: int) -> list[Member]:
    return [a_member(FIRST_ID + number, GUILD, *roles) for number in range(count)]


@pytest.mark.parametrize(
    ("age", "joined", "counted"),
    [(6 * DAY, NOON - 5 * DAY, 0), (400 * DAY, NOON + HOUR, 0), (400 * DAY, NOON - DAY, OWN_ACCOUNTS)],
    ids=["made for the game", "brought in for the game", "members of old"],
)
async def test_twenty_own_accounts(
    use_cases: UseCases, store: Database, clock: StoppedClock, age: int, joined: int, counted: int
) -> None:
    match, _ = await begin(use_cases)
    own = [a_member(account_made(NOON - age, number), joined=joined) for number in range(OWN_ACCOUNTS)]
    assert await vote_all(use_cases, match, own, "a1") == counted
    assert await vote_all(use_cases, match, honest(), "a2") == HONEST
    played = await play(use_cases, store, clock, match)
    assert played.moves[0].text == ("A1" if counted > HONEST else "A2")


@pytest.mark.parametrize(("joined", "counted"), [(NOON + HOUR, 0), (NOON - DAY, OWN_ACCOUNTS)])
async def test_a_role_that_is_given_in_mid_game_makes_no_voters_of_newcomers(
    use_cases: UseCases, store: Database, clock: StoppedClock, joined: int, counted: int
) -> None:
    """Those whom the rule does not bar show what it bars."""
    match, _ = await begin(use_cases, a_game(a_side(role=5)))
    friends = [a_member(FIRST_ID + HONEST + number, GUILD, 5, joined=joined) for number in range(OWN_ACCOUNTS)]
    assert await vote_all(use_cases, match, friends, "a1") == counted
    assert await vote_all(use_cases, match, honest(HONEST, 5), "a2") == HONEST
    assert (await play(use_cases, store, clock, match)).moves[0].text == ("A1" if counted else "A2")


async def test_a_role_that_is_taken_in_mid_game_takes_no_vote_that_was_cast(
    use_cases: UseCases, store: Database, clock: StoppedClock
) -> None:
    match, _ = await begin(use_cases, a_game(a_side(role=5)))
    assert await vote_all(use_cases, match, honest(3, 5), "a2") == 3
    assert await vote_all(use_cases, match, honest(3), "a1") == 0  # they have lost it
    assert (await play(use_cases, store, clock, match)).moves[0].text == "A2"


async def test_a_role_is_not_taken_to_the_other_side(use_cases: UseCases, store: Database, clock: StoppedClock) -> None:
    match, _ = await begin(use_cases, a_game(a_side(role=5), a_side(role=6)))
    assert await vote_all(use_cases, match, honest(3, 5), "a2") == 3
    moved = await play(use_cases, store, clock, match)
    assert await vote_all(use_cases, moved, honest(3, 6), "a1", clock()) == 0


async def test_one_member_of_two_servers_has_one_side(
    use_cases: UseCases, store: Database, clock: StoppedClock
) -> None:
    match, _ = await begin(use_cases, a_game(second=a_side(AWAY)))
    both = [(a_member(FIRST_ID + n), a_member(FIRST_ID + n, AWAY)) for n in range(5)]
    assert await vote_all(use_cases, match, [here for here, _ in both], "a2") == 5
    moved = await play(use_cases, store, clock, match)
    assert await vote_all(use_cases, moved, [there for _, there in both], "a1", clock()) == 0


@pytest.mark.parametrize(("banned", "played"), [(2, "A2"), (0, "A1")])
async def test_a_ban_takes_the_votes_that_were_cast(
    use_cases: UseCases, store: Database, clock: StoppedClock, banned: int, played: str
) -> None:
    match, _ = await begin(use_cases)
    assert await vote_all(use_cases, match, honest(3), "a1") == 3
    assert await vote_all(use_cases, match, [a_member(101), a_member(104)], "a2") == 2
    for voter in honest(banned):
        await use_cases.bans.ban(Ban(GUILD, voter.user, UserId(99), NOON))
        assert await vote_all(use_cases, match, [voter], "a1") == 0
    assert (await play(use_cases, store, clock, match)).moves[0].text == played


async def test_votes_in_the_last_second_break_no_tie_and_none_comes_later(
    use_cases: UseCases, store: Database, clock: StoppedClock
) -> None:
    match, (side,) = await begin(use_cases)
    closes = closing(match, side)
    assert await vote_all(use_cases, match, honest(3), "a2") == 3
    late = [a_member(account_made(NOON - DAY * 90, number)) for number in range(3)]
    assert await vote_all(use_cases, match, late, "a1", Millis(closes - SECOND)) == 3
    played = await play(use_cases, store, clock, match)
    assert played.moves[0].text == "A2"
    assert await vote_all(use_cases, match, [a_member(55)], "a1", clock()) == 0


async def test_who_has_left_votes_no_more(use_cases: UseCases, store: Database, clock: StoppedClock) -> None:
    match, _ = await begin(use_cases)
    await cast(use_cases, match.id, voter=a_member(101))
    assert len((await play(use_cases, store, clock, match)).moves) == 1
    moved = await use_cases.matches.move(match.id, BORIS, "a2", clock(), new_key())
    gone, back = Member(UserId(101), GuildId(0)), a_member(101, joined=clock())
    assert await vote_all(use_cases, moved, [gone, back], "a3", clock()) == 0


async def test_an_opponent_who_offers_and_offers_wipes_no_vote(
    use_cases: UseCases, store: Database, clock: StoppedClock
) -> None:
    match, _ = await begin(use_cases)
    assert await vote_all(use_cases, match, honest(3), "a2") == 3
    before = closing(match, (await use_cases.votes.sides_of(match.id))[0])
    await use_cases.actions.propose(match.id, BORIS, OfferKind.DRAW, NOON, new_key())
    await use_cases.actions.disagree(match.id, BORIS, OfferKind.DRAW, NOON, new_key())
    with pytest.raises(Refused, match="side_votes"):
        await use_cases.actions.give_time(match.id, BORIS, Millis(30 * DAY), NOON, new_key())
    offered = await use_cases.matches.load(match.id)
    assert (offered.version, closing(offered, (await use_cases.votes.sides_of(match.id))[0])) == (2, before)
    assert (await play(use_cases, store, clock, offered)).moves[0].text == "A2"


async def test_a_clock_that_jumps_ends_no_vote(sqlite_url: str) -> None:
    machine = Machine()
    async with Database.open(sqlite_url, now=machine.clock, uptime=machine.uptime) as store:
        use_cases = UseCases.over(store, seeds=lambda: 4)
        match, _ = await begin(use_cases, at=machine.clock())
        async with store.write() as tx:
            await discard_boards(tx, match.id)
        await cast(use_cases, match.id, at=machine.clock())
        await use_cases.clocks.record_heartbeat()
        machine.set_error(DAY + HOUR)
        for _ in range(30):  # the jump is believed after a minute, and is a downtime then
            await use_cases.clocks.record_heartbeat()
            await a_counter(use_cases).poll()
            machine.pass_time(10 * SECOND)
        match, (side,) = await use_cases.matches.load(match.id), await use_cases.votes.sides_of(match.id)
        assert match.moves == ()
        assert closing(match, side) > machine.clock() + PERIOD - HOUR
