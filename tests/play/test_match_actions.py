"""The use cases of a match's life, on a real store."""

from __future__ import annotations

from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from play.challenge.terms import Order, Terms
from play.clock import parse_control
from play.clock.agreement import TimeAgreement
from play.clock.schedule import parse_night
from play.ids import ChannelId, GuildId, IdempotencyKey, MessageId, Millis, UserId
from play.match.events import EventKind, OfferKind
from play.match.match import Match
from play.match.moves import TurnPreview
from play.match.outbox_entry import OutboxEntry
from play.people.settings import PlayerSettings
from play.refusal import Refused
from rules.game import Outcome, Seat
from rules.registry import make_game
from storage import Database
from tests.clock import DAY, HOUR, MINUTE, NOON, SECOND, StoppedClock
from tests.matches import ANNA, BORIS, CLARA, GAME, GUILD, a_match, add_match, load_match, play_turn, resign, save_match
from use_cases import UseCases
from use_cases.match_writer import InChannel

ONE, TWO, THREE = map(IdempotencyKey, (1, 2, 3))
HOLIDAYS = TimeAgreement(vacation=True)


async def played(store: Database, *texts: str, match: Match | None = None) -> Match:
    match = await add_match(store, match)
    for text in texts:
        match = await save_match(store, play_turn(match, text))
    return match


async def test_a_draw_is_offered_and_agreed_to(store: Database, use_cases: UseCases, news: list[Match]) -> None:
    match = await played(store, "A1", "E5")
    await use_cases.actions.propose(InChannel(match.channel), ANNA, OfferKind.DRAW, NOON, ONE)
    await use_cases.actions.agree(match.id, BORIS, OfferKind.DRAW, NOON, TWO, version=3)
    assert (await load_match(store, match.id)).outcome == Outcome((Seat(0), Seat(1)), "draw")
    assert [told.version for told in news] == [3, 4]


async def test_an_offer_is_declined(store: Database, use_cases: UseCases) -> None:
    match = await played(store, "A1", "E5")
    await use_cases.actions.propose(match.id, ANNA, OfferKind.DRAW, NOON, ONE)
    await use_cases.actions.disagree(match.id, BORIS, OfferKind.DRAW, NOON, TWO)
    with pytest.raises(Refused, match="no_offer"):
        await use_cases.actions.agree(match.id, BORIS, OfferKind.DRAW, NOON, THREE)


async def test_an_offer_that_arrives_twice_counts_once(store: Database, use_cases: UseCases, news: list[Match]) -> None:
    match = await played(store)
    for _ in range(2):
        await use_cases.actions.propose(match.id, ANNA, OfferKind.DRAW, NOON, ONE)
    assert len(news) == 1


async def test_a_pause_is_as_long_as_was_asked_and_is_ended(store: Database, use_cases: UseCases) -> None:
    match = await played(store)
    await use_cases.actions.propose(match.id, ANNA, OfferKind.PAUSE, NOON, ONE, pause=DAY)
    await use_cases.actions.agree(match.id, BORIS, OfferKind.PAUSE, NOON, TWO)
    assert (await load_match(store, match.id)).clock.deadline == NOON + DAY + HOUR
    await use_cases.actions.resume(match.id, BORIS, Millis(NOON + HOUR), THREE)
    assert (await load_match(store, match.id)).clock.deadline == NOON + 2 * HOUR


async def test_a_move_is_taken_back(store: Database, use_cases: UseCases) -> None:
    match = await played(store, "A1")
    await use_cases.actions.take_back(match.id, ANNA, Millis(match.events[-1].at + SECOND), ONE)
    after = await load_match(store, match.id)
    assert (after.moves, after.to_act, after.version) == ((), 0, 2)
    assert (await save_match(store, play_turn(after, "A1"))).moves[0].text == "A1"


async def test_a_match_is_called_off(store: Database, use_cases: UseCases) -> None:
    match = await played(store, "A1")
    await use_cases.actions.abort(match.id, BORIS, NOON, ONE)
    assert (await load_match(store, match.id)).outcome == Outcome((), "called_off")


async def test_time_is_given(store: Database, use_cases: UseCases) -> None:
    match = await played(store)
    await use_cases.actions.give_time(match.id, BORIS, HOUR, NOON, ONE)
    assert (await load_match(store, match.id)).clock.deadline == NOON + 2 * HOUR


async def test_a_moderator_decides(store: Database, use_cases: UseCases) -> None:
    annulled, won, drawn = [await add_match(store, a_match(channel)) for channel in (1, 2, 3)]
    await use_cases.moderation.extend(won.id, CLARA, GUILD, ANNA, HOUR, NOON, IdempotencyKey(9))
    await use_cases.moderation.annul(annulled.id, CLARA, GUILD, NOON, ONE)
    await use_cases.moderation.adjudge(won.id, CLARA, GUILD, BORIS, NOON, TWO)
    await use_cases.moderation.adjudge(drawn.id, CLARA, GUILD, None, NOON, THREE)
    ended = [await load_match(store, match.id) for match in (annulled, won, drawn)]
    assert [match.outcome and match.outcome.winners for match in ended] == [(), (1,), (0, 1)]
    assert [event.by for event in ended[1].events] == [CLARA, CLARA]


async def test_a_stop_is_foreseen_without_being_played(store: Database, use_cases: UseCases) -> None:
    game = make_game("paper", {"size": "5x5", "start": "cross"})
    match = await played(store, "A1", "E5", match=a_match(game=game))
    foreseen = await use_cases.actions.preview(match.id, ANNA, "stop")
    assert foreseen.outcome == Outcome((Seat(1),), "ground")
    assert (await load_match(store, match.id)).version == 2


async def test_an_agreed_end_is_foreseen_in_anybodys_turn(store: Database, use_cases: UseCases) -> None:
    match = await played(store, "A1", "E5")
    for user in (ANNA, BORIS):
        foreseen = await use_cases.actions.preview(match.id, user, "end")
        assert foreseen == TurnPreview(Outcome((Seat(0), Seat(1)), "agreed"), (0, 0))


@pytest.mark.parametrize(
    ("user", "turn", "key"),
    [
        (BORIS, "stop", "not_your_turn"),
        (CLARA, "stop", "not_your_match"),
        (ANNA, "stop", "no_stop"),
        (ANNA, "land", "no_landing"),
    ],
)
async def test_what_would_be_refused_is_refused_beforehand(
    store: Database, use_cases: UseCases, user: UserId, turn: str, key: str
) -> None:
    match = await played(store)
    with pytest.raises(Refused, match=key):
        await use_cases.actions.preview(match.id, user, turn)


async def test_a_plan_answers_in_the_same_transaction(store: Database, use_cases: UseCases, news: list[Match]) -> None:
    match = await played(store)
    await use_cases.actions.set_plan(match.id, BORIS, [("A1", "E5"), ("A2", "E4")])
    after = await use_cases.matches.move(match.id, ANNA, "a1", NOON, ONE)
    assert after.version == 1
    stored = await load_match(store, match.id)
    assert [(event.kind, event.text) for event in stored.events] == [
        (EventKind.MOVE, "A1"),
        (EventKind.PLANNED, "E5"),
    ]
    assert [told.version for told in news] == [1, 2]


async def test_a_plan_goes_on_as_long_as_the_other_follows_it(store: Database, use_cases: UseCases) -> None:
    match = await played(store)
    await use_cases.actions.set_plan(match.id, BORIS, [("A1", "E5"), ("A2", "E4")])
    await use_cases.matches.move(match.id, ANNA, "a1", NOON, ONE)
    rest = await use_cases.actions.load_plan(match.id, BORIS)
    assert rest is not None
    assert rest.replies == (("A2", "E4"),)
    await use_cases.matches.move(match.id, ANNA, "a2", NOON, TWO)
    assert [event.text for event in (await load_match(store, match.id)).moves] == ["A1", "E5", "A2", "E4"]
    assert await use_cases.actions.load_plan(match.id, BORIS) is None


async def test_a_plan_ends_when_the_game_leaves_it(store: Database, use_cases: UseCases) -> None:
    match = await played(store)
    await use_cases.actions.set_plan(match.id, BORIS, [("A1", "E5")])
    await use_cases.matches.move(match.id, ANNA, "a2", NOON, ONE)
    assert await use_cases.actions.load_plan(match.id, BORIS) is None
    assert (await load_match(store, match.id)).to_act == 1


async def test_a_plan_ends_when_a_move_is_taken_back(store: Database, use_cases: UseCases) -> None:
    match = await played(store, "A1")
    await use_cases.actions.set_plan(match.id, ANNA, [("E5", "A2")])
    await use_cases.actions.take_back(match.id, ANNA, Millis(match.events[-1].at + SECOND), ONE)
    assert await use_cases.actions.load_plan(match.id, ANNA) is None


async def test_talk_leaves_a_plan_alone(store: Database, use_cases: UseCases) -> None:
    match = await played(store)
    await use_cases.actions.set_plan(match.id, BORIS, [("A1", "E5")])
    await use_cases.actions.propose(match.id, ANNA, OfferKind.DRAW, NOON, ONE)
    await use_cases.actions.give_time(match.id, ANNA, HOUR, NOON, TWO)
    assert await use_cases.actions.load_plan(match.id, BORIS) is not None


async def test_a_new_plan_takes_the_place_of_the_old_one(store: Database, use_cases: UseCases) -> None:
    match = await played(store)
    await use_cases.actions.set_plan(match.id, BORIS, [("A1", "E5")])
    await use_cases.actions.set_plan(match.id, BORIS, [("A2", "E4")])
    plan = await use_cases.actions.load_plan(match.id, BORIS)
    assert plan is not None
    assert plan.replies == (("A2", "E4"),)
    await use_cases.actions.clear_plan(match.id, BORIS)
    assert await use_cases.actions.load_plan(match.id, BORIS) is None


async def test_nobody_sees_the_plan_of_the_other(store: Database, use_cases: UseCases) -> None:
    match = await played(store)
    await use_cases.actions.set_plan(match.id, BORIS, [("A1", "E5")])
    assert await use_cases.actions.load_plan(match.id, ANNA) is None
    with pytest.raises(Refused, match="not_your_match"):
        await use_cases.actions.load_plan(match.id, CLARA)


async def test_a_move_that_was_refused_leaves_the_plan(store: Database, use_cases: UseCases) -> None:
    match = await played(store)
    await use_cases.actions.set_plan(match.id, BORIS, [("A1", "E5")])
    with pytest.raises(Refused, match="occupied"):
        await use_cases.matches.move(match.id, ANNA, "b3", NOON, ONE)
    assert await use_cases.actions.load_plan(match.id, BORIS) is not None


async def test_a_vacation_stops_the_clock_in_all_matches_that_agreed_to_it(
    store: Database, use_cases: UseCases, news: list[Match]
) -> None:
    one, two = [await add_match(store, a_match(channel, agreement=HOLIDAYS)) for channel in (1, 2)]
    strict = await add_match(store, a_match(3))
    vacation, matches = await use_cases.actions.start_vacation(ANNA, 3, NOON)
    assert {match.id for match in matches} == {told.id for told in news} == {one.id, two.id}
    assert (await load_match(store, one.id)).clock.deadline == vacation.end + HOUR
    assert (await load_match(store, strict.id)).clock.deadline == NOON + HOUR


async def test_who_comes_back_early_gets_his_days_back(
    store: Database, use_cases: UseCases, clock: StoppedClock
) -> None:
    match = await add_match(store, a_match(agreement=HOLIDAYS))
    await use_cases.actions.start_vacation(ANNA, 10, NOON)
    assert (await use_cases.actions.load_vacation(ANNA))[1] == 20
    clock.advance(2 * DAY)
    await use_cases.actions.end_vacation(ANNA, clock())
    assert await use_cases.actions.load_vacation(ANNA) == (None, 28)
    assert (await load_match(store, match.id)).clock.deadline == NOON + 2 * DAY + HOUR


async def test_who_is_not_away_does_not_come_back(use_cases: UseCases) -> None:
    with pytest.raises(Refused, match="not_away"):
        await use_cases.actions.end_vacation(ANNA, NOON)


async def test_nobody_leaves_twice(use_cases: UseCases) -> None:
    await use_cases.actions.start_vacation(ANNA, 3, NOON)
    with pytest.raises(Refused, match="away_already"):
        await use_cases.actions.start_vacation(ANNA, 3, Millis(NOON + DAY))


@pytest.mark.parametrize(("user", "other", "order"), [(ANNA, BORIS, Order.LAST), (BORIS, ANNA, Order.FIRST)])
async def test_a_rematch_has_the_same_terms_and_the_other_one_begins(
    store: Database, use_cases: UseCases, user: UserId, other: UserId, order: Order
) -> None:
    terms = Terms(GAME, parse_control("2d"), Order.FIRST, agreement=HOLIDAYS)
    challenge = await use_cases.challenges.challenge(ANNA, BORIS, GUILD, ChannelId(1), terms, NOON)
    _, match = await use_cases.challenges.accept(challenge.id, BORIS, NOON)
    assert match is not None
    with pytest.raises(Refused, match="match_goes_on"):
        await use_cases.challenges.rematch(match.id, user, NOON)
    await use_cases.matches.resign(match.id, ANNA, NOON, ONE)
    again = await use_cases.challenges.rematch(match.id, user, NOON)
    assert (again.challenger, again.opponent, again.terms) == (user, other, replace(terms, order=order))
    _, second = await use_cases.challenges.accept(again.id, other, NOON)
    assert second is not None
    assert second.players == (BORIS, ANNA)


async def test_a_rematch_is_offered_once_and_again_when_it_was_declined(store: Database, use_cases: UseCases) -> None:
    match = await add_match(store)
    await save_match(store, resign(match))
    first = await use_cases.challenges.rematch(match.id, ANNA, NOON)
    with pytest.raises(Refused, match="rematch_offered"):
        await use_cases.challenges.rematch(match.id, BORIS, NOON)
    await use_cases.challenges.decline(first.id, BORIS, NOON)
    assert (await use_cases.challenges.rematch(match.id, BORIS, NOON)).rematch_of == match.id


async def test_a_page_offers_a_rematch_unless_one_awaits_its_answer(store: Database, use_cases: UseCases) -> None:
    match = await add_match(store)
    await save_match(store, resign(match))
    offer, offered = use_cases.challenges.rematch_or_awaiting, []
    for user, key in ((ANNA, 1), (BORIS, 2), (ANNA, 3)):
        offered.append(await offer(match.id, user, NOON, IdempotencyKey(key)))
    first = offered[0]
    assert first is not None
    assert first.challenger == ANNA
    assert offered == [first, first, None]


async def test_a_rematch_of_three_is_open_to_everybody(store: Database, use_cases: UseCases) -> None:
    game = make_game("three", {"size": "9"})
    match = await add_match(store, a_match(players=(ANNA, BORIS, CLARA), game=game))
    await save_match(store, resign(match))
    again = await use_cases.challenges.rematch(match.id, BORIS, NOON)
    assert (again.opponent, again.terms.order, again.terms.game) == (None, Order.DRAWN, game)


async def lost(store: Database, match: Match) -> None:
    async with store.write() as tx:
        await tx.outbox.mark_posted(OutboxEntry(match.id, match.version, None), None)


async def test_a_match_that_has_lost_its_channel_goes_on_in_another(
    store: Database, use_cases: UseCases, news: list[Match]
) -> None:
    match = await add_match(store)
    await lost(store, match)
    assert [entry.lost for entry in await use_cases.matches.list_open(ANNA)] == [True]
    moved_out = await use_cases.actions.relocate(match.id, BORIS, GuildId(8), ChannelId(77))
    assert (moved_out.guild, moved_out.channel, moved_out.parent) == (8, 77, None)
    assert news == [moved_out]
    assert [entry.lost for entry in await use_cases.matches.list_open(ANNA)] == [False]
    async with store.read() as reader:
        assert await reader.outbox.next_entry(match.id) == OutboxEntry(match.id, 0, None)


async def test_a_match_that_has_a_channel_stays_there(store: Database, use_cases: UseCases) -> None:
    match = await add_match(store)
    with pytest.raises(Refused, match="has_a_channel"):
        await use_cases.actions.relocate(match.id, ANNA, GUILD, ChannelId(77))


async def test_a_lost_match_does_not_push_another_one_out(store: Database, use_cases: UseCases) -> None:
    match = await add_match(store)
    await add_match(store, replace(a_match(77), parent=None))
    await lost(store, match)
    with pytest.raises(Refused, match="channel_busy"):
        await use_cases.actions.relocate(match.id, ANNA, GUILD, ChannelId(77))


async def test_a_lost_match_goes_to_the_channel_of_the_thread_of_another_one(
    store: Database, use_cases: UseCases
) -> None:
    match = await add_match(store)
    await add_match(store, a_match(77))
    await lost(store, match)
    moved = await use_cases.actions.relocate(match.id, ANNA, GUILD, ChannelId(77))
    assert (moved.channel, moved.parent) == (577, None)


async def test_strangers_do_not_carry_a_match_away(store: Database, use_cases: UseCases) -> None:
    match = await add_match(store)
    await lost(store, match)
    with pytest.raises(Refused, match="not_your_match"):
        await use_cases.actions.relocate(match.id, CLARA, GUILD, ChannelId(77))


async def test_a_channel_is_told_again_what_could_not_be_posted_there(
    store: Database, use_cases: UseCases, news: list[Match]
) -> None:
    match = await add_match(store)
    await lost(store, match)
    await use_cases.actions.repost(match.channel)
    assert [told.id for told in news] == [match.id]
    assert [entry.lost for entry in await use_cases.matches.list_open(ANNA)] == [False]
    async with store.read() as reader:
        assert await reader.outbox.next_entry(match.id) == OutboxEntry(match.id, 0, None)
    await use_cases.actions.repost(match.channel)
    assert [told.id for told in news] == [match.id]


async def test_a_channel_is_not_told_again_of_what_is_posted_there(
    store: Database, use_cases: UseCases, news: list[Match]
) -> None:
    match = await add_match(store)
    async with store.write() as tx:
        await tx.outbox.mark_posted(OutboxEntry(match.id, 0, None), MessageId(5))
    await use_cases.actions.repost(match.channel)
    await use_cases.actions.repost(ChannelId(404))
    assert news == []


async def test_a_match_keeps_the_night_that_its_player_had_when_it_began(store: Database, use_cases: UseCases) -> None:
    night = parse_night("22:00-07:00")
    async with store.write() as tx:
        await tx.people.save(PlayerSettings(ANNA, night=night, zone=ZoneInfo("Europe/Warsaw")))
    terms = Terms(GAME, parse_control("2d"), Order.FIRST, agreement=TimeAgreement(quiet=True))
    challenge = await use_cases.challenges.challenge(ANNA, BORIS, GUILD, ChannelId(1), terms, NOON)
    _, match = await use_cases.challenges.accept(challenge.id, BORIS, NOON)
    assert match is not None
    assert match.clock.deadline == NOON + 2 * DAY + 3 * 9 * HOUR  # 17:06 in Warsaw
    async with store.write() as tx:
        await tx.people.save(replace(await tx.people.get(ANNA), night=None))
    assert (await load_match(store, match.id)).clock == match.clock
    assert match.clock.schedules[1].night is None


async def test_a_clock_with_nights_is_not_flagged_in_one(
    store: Database, use_cases: UseCases, clock: StoppedClock
) -> None:
    async with store.write() as tx:
        await tx.people.save(PlayerSettings(ANNA, night=parse_night("22:00-07:00"), zone=ZoneInfo("Europe/Warsaw")))
    terms = Terms(GAME, parse_control("6h"), Order.FIRST, agreement=TimeAgreement(quiet=True))
    challenge = await use_cases.challenges.challenge(ANNA, BORIS, GUILD, ChannelId(1), terms, NOON)
    _, match = await use_cases.challenges.accept(challenge.id, BORIS, NOON)
    assert match is not None
    clock.advance(14 * HOUR)
    assert await use_cases.clocks.flag_overdue() == 0
    clock.advance(HOUR + MINUTE)
    assert await use_cases.clocks.flag_overdue() == 1
