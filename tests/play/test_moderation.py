"""Decisions about a match by moderators of the server where it began, and their limit for one player."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from itertools import count

import pytest

from play.challenge.terms import Terms
from play.clock import parse_control
from play.ids import ChannelId, GuildId, IdempotencyKey, Millis, UserId
from play.match.events import EventKind
from play.match.match import Match
from play.match.outbox_entry import OutboxEntry
from play.refusal import Refused
from rules.registry import make_game
from storage import Database
from tests.clock import HOUR, NOON
from tests.matches import ANNA, BORIS, CLARA, GUILD
from use_cases import UseCases
from use_cases.limits import DECISION_WINDOW_MILLIS, MAX_DECISIONS

OWN = GuildId(8)
"""The server that a player runs."""

GAME = make_game("zagram", {"size": "10x10"})
_sources, _channels = map(IdempotencyKey, count(1)), map(ChannelId, count(1))
Deciding = Callable[[UseCases, Match, GuildId | None], Awaitable[object]]


async def annul(use_cases: UseCases, match: Match, guild: GuildId | None, at: int = NOON) -> Match:
    return await use_cases.moderation.annul(match.id, CLARA, guild, Millis(at), next(_sources))


async def give(use_cases: UseCases, match: Match, guild: GuildId | None, at: int = NOON) -> Match:
    return await use_cases.moderation.adjudge(match.id, CLARA, guild, ANNA, Millis(at), next(_sources))


async def draw(use_cases: UseCases, match: Match, guild: GuildId | None, at: int = NOON) -> Match:
    return await use_cases.moderation.adjudge(match.id, CLARA, guild, None, Millis(at), next(_sources))


async def extend(use_cases: UseCases, match: Match, guild: GuildId | None) -> Match:
    return await use_cases.moderation.extend(match.id, CLARA, guild, ANNA, HOUR, NOON, next(_sources))


async def strike(use_cases: UseCases, match: Match, guild: GuildId | None, at: int = NOON) -> None:
    """The match is lost by ANNA first, if it goes on."""
    if not match.outcome:
        await use_cases.matches.resign(match.id, ANNA, Millis(at), next(_sources))
    await use_cases.moderation.void(match.id, CLARA, guild, Millis(at))


DECISIONS: list[Deciding] = [annul, give, draw, extend, strike]


async def begun(use_cases: UseCases, guild: GuildId | None = GUILD, *, rated: bool = True, moves: int = 2) -> Match:
    terms = Terms(GAME, parse_control("1d"), rated=rated)
    challenge = await use_cases.challenges.challenge(ANNA, BORIS, guild, next(_channels), terms, NOON)
    _, match = await use_cases.challenges.accept(challenge.id, BORIS, NOON)
    assert match is not None
    for _ in range(moves):
        assert match.to_act is not None
        text = str(next(iter(match.position.moves())))
        match = await use_cases.matches.move(match.id, match.players[match.to_act], text, NOON, next(_sources))
    return match


async def carried(use_cases: UseCases, store: Database, match: Match, to: GuildId | None = OWN) -> Match:
    """The match has lost its channel, and ANNA plays it on elsewhere."""
    await lost(store, match)
    return await use_cases.actions.relocate(match.id, ANNA, to, next(_channels))


async def lost(store: Database, match: Match) -> None:
    async with store.write() as tx:
        await tx.outbox.mark_posted(OutboxEntry(match.id, match.version, None), None)


@pytest.mark.parametrize("decide", DECISIONS)
async def test_a_player_does_not_take_a_game_to_moderators_of_his_own(
    use_cases: UseCases, store: Database, decide: Deciding
) -> None:
    match = await carried(use_cases, store, await begun(use_cases))
    with pytest.raises(Refused, match="not_of_this_server"):
        await decide(use_cases, match, OWN)


@pytest.mark.parametrize("decide", DECISIONS)
async def test_the_moderators_of_where_a_game_began_stay_in_charge(
    use_cases: UseCases, store: Database, decide: Deciding
) -> None:
    match = await carried(use_cases, store, await begun(use_cases))
    await decide(use_cases, match, GUILD)


@pytest.mark.parametrize("decide", DECISIONS)
async def test_a_game_that_is_carried_on_twice_still_has_its_first_court(
    use_cases: UseCases, store: Database, decide: Deciding
) -> None:
    match = await carried(use_cases, store, await begun(use_cases), GuildId(9))
    match = await carried(use_cases, store, match)
    with pytest.raises(Refused, match="not_of_this_server"):
        await decide(use_cases, match, OWN)


@pytest.mark.parametrize("decide", DECISIONS)
async def test_a_game_that_was_carried_into_private_messages_is_judged_at_home(
    use_cases: UseCases, store: Database, decide: Deciding
) -> None:
    await decide(use_cases, await carried(use_cases, store, await begun(use_cases), None), GUILD)


@pytest.mark.parametrize("decide", DECISIONS)
async def test_nobody_is_a_moderator_in_private_messages(
    use_cases: UseCases, store: Database, decide: Deciding
) -> None:
    match = await carried(use_cases, store, await begun(use_cases), None)
    with pytest.raises(Refused, match="not_of_this_server"):
        await decide(use_cases, match, None)


@pytest.mark.parametrize("decide", DECISIONS)
async def test_a_game_that_has_lost_its_channel_is_judged_at_home(
    use_cases: UseCases, store: Database, decide: Deciding
) -> None:
    match = await begun(use_cases)
    await lost(store, match)
    await decide(use_cases, match, GUILD)


@pytest.mark.parametrize("decide", DECISIONS)
async def test_a_game_that_began_in_private_messages_has_no_court(
    use_cases: UseCases, store: Database, decide: Deciding
) -> None:
    match = await carried(use_cases, store, await begun(use_cases, None))
    with pytest.raises(Refused, match="not_of_this_server"):
        await decide(use_cases, match, OWN)


FAVORS: list[Callable[..., Awaitable[object]]] = [annul, give, draw, strike]


@pytest.mark.parametrize("decide", FAVORS)
async def test_moderators_decide_only_so_often_for_one_player(use_cases: UseCases, decide: Deciding) -> None:
    for _ in range(MAX_DECISIONS):
        await decide(use_cases, await begun(use_cases), GUILD)
    further = await begun(use_cases, OWN)  # on all servers together
    with pytest.raises(Refused, match="too_many_decisions"):
        await decide(use_cases, further, OWN)


async def test_the_ways_to_favor_a_player_are_counted_together(use_cases: UseCases) -> None:
    for decide in (annul, give, draw, strike, strike):
        await decide(use_cases, await begun(use_cases), GUILD)
    with pytest.raises(Refused, match="too_many_decisions"):
        await give(use_cases, await begun(use_cases), GUILD)


async def test_after_so_many_decisions_for_a_player_moderators_still_decide_against_him(use_cases: UseCases) -> None:
    for _ in range(MAX_DECISIONS):
        await give(use_cases, await begun(use_cases), GUILD)
    match = await begun(use_cases)
    match = await use_cases.moderation.adjudge(match.id, CLARA, GUILD, BORIS, NOON, next(_sources))
    assert match.outcome is not None


async def test_a_decision_that_is_not_rated_favors_the_loser_too(use_cases: UseCases, store: Database) -> None:
    for _ in range(MAX_DECISIONS):
        match = await carried(use_cases, store, await begun(use_cases))
        await use_cases.moderation.adjudge(match.id, CLARA, GUILD, BORIS, NOON, next(_sources))
    match = await carried(use_cases, store, await begun(use_cases))
    with pytest.raises(Refused, match="too_many_decisions"):
        await use_cases.moderation.adjudge(match.id, CLARA, GUILD, BORIS, NOON, next(_sources))


async def test_moderators_decide_again_when_the_window_has_passed(use_cases: UseCases) -> None:
    for _ in range(MAX_DECISIONS):
        await give(use_cases, await begun(use_cases), GUILD)
    match = await begun(use_cases)
    await give(use_cases, match, GUILD, at=NOON + DECISION_WINDOW_MILLIS + 1)


async def test_unrated_games_are_decided_as_often_as_need_be(use_cases: UseCases) -> None:
    for _ in range(MAX_DECISIONS + 1):
        await give(use_cases, await begun(use_cases, rated=False), GUILD)
    await give(use_cases, await begun(use_cases), GUILD)


async def test_the_wins_of_a_cheat_are_struck_one_and_all(use_cases: UseCases) -> None:
    for number in range(MAX_DECISIONS + 1):
        terms = Terms(GAME, parse_control("1d"), rated=True)
        victim = UserId(300 + number)
        challenge = await use_cases.challenges.challenge(ANNA, victim, GUILD, next(_channels), terms, NOON)
        _, match = await use_cases.challenges.accept(challenge.id, victim, NOON)
        assert match is not None
        for _ in range(2):
            assert match.to_act is not None
            text = str(next(iter(match.position.moves())))
            match = await use_cases.matches.move(match.id, match.players[match.to_act], text, NOON, next(_sources))
        await use_cases.matches.resign(match.id, victim, NOON, next(_sources))
        await use_cases.moderation.void(match.id, CLARA, GUILD, NOON)


async def test_what_a_tournament_decides_in_time_is_no_favor_of_a_moderator(use_cases: UseCases) -> None:
    for number in range(MAX_DECISIONS):
        await use_cases.moderation.close(
            (await begun(use_cases)).id, UserId(900), ANNA, NOON, IdempotencyKey(-1 - number)
        )
    await give(use_cases, await begun(use_cases), GUILD)


async def test_a_decision_that_arrives_twice_counts_once(use_cases: UseCases) -> None:
    match, source = await begun(use_cases), next(_sources)
    for _ in range(2):
        match = await use_cases.moderation.adjudge(match.id, CLARA, GUILD, ANNA, NOON, source)
    assert [event.kind for event in match.events].count(EventKind.ADJUDGE) == 1
