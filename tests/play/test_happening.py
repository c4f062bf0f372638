"""Happenings: what of a contest and of a vote game is announced, and when an event needs something."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play.community.happening import (
    CLOSED,
    MAX_SHOWN_MILLIS,
    Action,
    EventId,
    Happening,
    HappeningKind,
    Phase,
    StoredHappening,
    contest_happenings,
    next_action,
    replan,
)
from play.competitions.contest import Cause, Contest, cancel
from play.ids import ChannelId, Millis
from tests.clock import NOON
from tests.examples import examples
from tests.matches import BORIS, GUILD
from tests.play.competitions.contests import BEGINS, GUEST, HOME, begin, invitation, signed_up
from tests.votes import AWAY, a_counter, a_game, a_side, new_key
from tests.votes import begin as begin_votes
from use_cases import UseCases

MOMENTS = st.integers(NOON - 10 * MAX_SHOWN_MILLIS, NOON + 10 * MAX_SHOWN_MILLIS).map(Millis)
HAPPENINGS = st.builds(
    lambda begins, ends, phase: Happening(HappeningKind.VOTE, 1, GUILD, ChannelId(2), "", begins, ends, phase=phase),
    MOMENTS,
    st.none() | MOMENTS,
    st.sampled_from(Phase),
)


@pytest.mark.parametrize(
    ("contest", "phase"),
    [
        (signed_up(), Phase.AHEAD),
        (begin(signed_up()), Phase.LIVE),
        (cancel(signed_up(), Cause.AGREED), Phase.CANCELLED),
    ],
    ids=["signing up", "running", "cancelled"],
)
def test_a_contest_is_announced_on_both_servers_without_a_name(contest: Contest, phase: Phase) -> None:
    told = [*contest_happenings(contest)]
    assert [(each.guild, each.channel) for each in told] == [(HOME, 71), (GUEST, 81)]
    assert {(each.begins, each.phase, each.name) for each in told} == {(BEGINS, phase, "")}


def test_an_invitation_is_not_announced() -> None:
    assert [*contest_happenings(invitation())] == []


async def test_a_vote_game_of_one_server_is_announced_there(use_cases: UseCases) -> None:
    match, _ = await begin_votes(use_cases)
    two, _ = await begin_votes(use_cases, a_game(second=a_side(AWAY, channel=2), channel=9))
    async with use_cases.store.read() as reader:
        stored = await reader.happenings.get(GUILD, HappeningKind.VOTE, match.id)
        assert await reader.happenings.get(GUILD, HappeningKind.VOTE, two.id) is None
    assert stored is not None
    assert (stored.happening.phase, stored.happening.begins) == (Phase.LIVE, NOON)


async def test_a_vote_game_is_over_when_it_ends(use_cases: UseCases) -> None:
    match, _ = await begin_votes(use_cases)
    two, (side, _) = await begin_votes(use_cases, a_game(second=a_side(AWAY, channel=2), channel=9))
    await use_cases.matches.resign(match.id, BORIS, NOON, new_key())
    await use_cases.matches.resign(two.id, side.account, NOON, new_key())
    await a_counter(use_cases).poll()
    async with use_cases.store.read() as reader:
        stored = await reader.happenings.get(GUILD, HappeningKind.VOTE, match.id)
        assert await reader.happenings.get(GUILD, HappeningKind.VOTE, two.id) is None
    assert stored is not None
    assert (stored.happening.phase, stored.happening.channel) == (Phase.OVER, match.channel)


@given(HAPPENINGS, HAPPENINGS, MOMENTS)
@examples(300)
def test_a_plan_that_is_repeated_changes_nothing(first: Happening, planned: Happening, now: Millis) -> None:
    before = replan(None, first, now)
    once = replan(before, planned, now)
    assert once == replan(once, planned, now)
    if before is not None and before.phase in CLOSED:
        assert once == before


@given(HAPPENINGS, st.booleans(), st.booleans(), st.booleans(), st.booleans(), MOMENTS)
@examples(300)
def test_what_was_done_is_not_done_again(
    happening: Happening, has_event: bool, removed: bool, chosen: bool, is_shown: bool, now: Millis
) -> None:
    event = EventId(5) if has_event else None
    stored = StoredHappening(1, happening, 3, event, 3 if is_shown else 2, 1, removed, chosen)
    action = next_action(stored, now)
    made = event if action in (Action.NONE, Action.EDIT) else EventId(6) if action is Action.MAKE else None
    after = replace(stored, event=made, shown=3)
    again = next_action(after, now)
    if chosen or action is not Action.NONE:
        assert again in (Action.NONE, Action.MAKE)
        assert again is Action.NONE or after.event is None
    if not chosen:
        assert action in (Action.NONE, Action.DELETE)
