"""Vote games: how they begin, who votes, and what of the votes is seen."""

from __future__ import annotations

from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from play.clock import parse_control
from play.clock.agreement import TimeAgreement
from play.clock.schedule import UTC, ClockSchedule, parse_night
from play.community.ban import Ban
from play.community.daily import DailyPlace
from play.ids import ChannelId, Millis, SideId, UserId, is_forgotten, is_person, side_account, side_of
from play.match.events import OfferKind
from play.match.match import AwayPlace, Match
from play.people.membership import MIN_ACCOUNT_AGE, Member
from play.refusal import Refused
from play.votes import (
    MAX_QUORUM,
    USUAL_NIGHT,
    Choice,
    closing,
    estimate_votes,
    is_practice,
    last_closing,
    read_period,
    time_ahead,
    time_to_vote,
)
from rules.registry import make_game
from storage import Database
from tests.clock import DAY, HOUR, MINUTE, NOON, StoppedClock
from tests.matches import ANNA, BORIS, CLARA, GUILD, pass_time
from tests.votes import AWAY, PERIOD, a_game, a_member, a_side, account_made, begin, cast, new_key, with_terms
from use_cases import UseCases
from use_cases.limits import MAX_VOTE_GAMES, Capacity
from use_cases.votes import VoteGame

MODERATOR = UserId(999)


def test_an_account_is_of_a_person_or_of_a_side_or_forgotten() -> None:
    side, gone = side_account(SideId(5)), UserId(-17)
    assert (side_of(side), is_person(side), is_forgotten(side)) == (SideId(5), False, False)
    assert (side_of(ANNA), is_person(ANNA), is_forgotten(ANNA)) == (None, True, False)
    assert (side_of(gone), is_person(gone), is_forgotten(gone)) == (None, False, True)


async def test_a_side_has_the_seat_and_a_turn_the_time_of_two_votes(use_cases: UseCases, news: list[Match]) -> None:
    match, (side,) = await begin(use_cases)
    assert match.players == (side.account, BORIS)
    assert (side.match, side.seat, side.made) == (match.id, 0, NOON)
    assert (closing(match, side), match.clock.deadline) == (NOON + PERIOD, NOON + 2 * PERIOD)
    assert last_closing(match) == NOON + 2 * PERIOD - MINUTE
    assert news == [match]


async def test_two_sides_have_both_seats(use_cases: UseCases) -> None:
    match, sides = await begin(use_cases, a_game(second=a_side(AWAY, channel=2)))
    assert match.players == tuple(side.account for side in sides)
    assert [side.guild for side in sides] == [GUILD, AWAY]
    assert match.away == AwayPlace(AWAY, ChannelId(2), None, sides[1].seat)
    here, (_, guest) = await begin(use_cases, a_game(a_side(role=5), a_side(role=6), channel=9))
    assert (here.away, guest.guild) == (None, GUILD)


async def test_one_interaction_begins_one_game(use_cases: UseCases, news: list[Match]) -> None:
    key = new_key()
    first, again = [await use_cases.votes.begin(a_game(), NOON, key) for _ in range(2)]
    assert again == first
    assert len(news) == 1


async def test_a_vote_game_is_unrated_and_knows_no_weekends(use_cases: UseCases) -> None:
    agreement = TimeAgreement(quiet=True, weekends=True, vacation=True)
    game = with_terms(a_game(), rated=True, control=parse_control("10m"), agreement=agreement)
    match, _ = await begin(use_cases, game)
    assert str(match.clock.control) == "2d"
    assert str(match.agreement) == "quiet vacation play-out=none"
    async with use_cases.store.read() as reader:
        challenge = await reader.challenges.of_match(match.id)
    assert challenge is not None
    assert challenge.pool is None


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (replace(a_game(), period=Millis(HOUR - 1)), "bad_period"),
        (replace(a_game(), period=Millis(3 * DAY + 1)), "bad_period"),
        (a_game(a_side(quorum=0)), "bad_quorum"),
        (a_game(a_side(quorum=MAX_QUORUM + 1)), "bad_quorum"),
        (a_game(ANNA, BORIS), "votes_need_two"),
        (with_terms(a_game(), game=make_game("three", {})), "votes_need_two"),
    ],
    ids=["too short", "too long", "no quorum", "large quorum", "no side", "three"],
)
async def test_a_game_that_cannot_be_is_refused(use_cases: UseCases, game: VoteGame, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        await begin(use_cases, game)


async def test_a_server_plays_a_few_games_at_once(use_cases: UseCases) -> None:
    for channel in range(MAX_VOTE_GAMES):
        await begin(use_cases, a_game(channel=channel))
    with pytest.raises(Refused, match="too_many_vote_games"):
        await begin(use_cases, a_game(a_side(AWAY), a_side(), channel=90))
    await begin(use_cases, a_game(a_side(AWAY), channel=91))


async def test_a_busy_channel_leaves_nothing_of_a_game(use_cases: UseCases) -> None:
    await begin(use_cases)
    with pytest.raises(Refused, match="channel_busy"):
        await begin(use_cases)
    async with use_cases.store.read() as reader:
        assert await reader.votes.count_open(GUILD) == 1


async def test_a_banned_opponent_does_not_play(use_cases: UseCases) -> None:
    await use_cases.bans.ban(Ban(GUILD, BORIS, MODERATOR, NOON))
    with pytest.raises(Refused, match="no_game_with"):
        await begin(use_cases)


@pytest.mark.parametrize(
    ("voter", "reason"),
    [
        (a_member(guild=AWAY), "not_a_voter"),
        (replace(a_member(), guild=None), "not_a_voter"),
        (a_member(joined=NOON), "joined_too_late"),
        (replace(a_member(), joined=None), "joined_too_late"),
        (a_member(account_made(NOON - MIN_ACCOUNT_AGE + 1)), "account_too_new"),
        (a_member(BORIS), "in_both_sides"),
    ],
    ids=["another server", "no server", "joined since", "unknown", "new account", "the opponent"],
)
async def test_who_may_not_vote_is_told_why(use_cases: UseCases, voter: Member, reason: str) -> None:
    match, _ = await begin(use_cases)
    with pytest.raises(Refused, match=reason):
        await cast(use_cases, match.id, voter=voter)
    with pytest.raises(Refused, match=reason):
        await use_cases.votes.side_for(match.id, voter)


async def test_an_account_of_a_week_may_vote(use_cases: UseCases) -> None:
    match, (side,) = await begin(use_cases)
    assert await use_cases.votes.side_for(match.id, a_member(account_made(NOON - MIN_ACCOUNT_AGE))) == side


async def test_a_banned_member_does_not_vote(use_cases: UseCases) -> None:
    match, _ = await begin(use_cases)
    await use_cases.bans.ban(Ban(GUILD, ANNA, MODERATOR, NOON))
    with pytest.raises(Refused, match="banned"):
        await cast(use_cases, match.id)


async def test_a_role_votes_for_its_own_side(use_cases: UseCases) -> None:
    match, (cats, all_others) = await begin(use_cases, a_game(a_side(role=5), a_side()))
    assert await use_cases.votes.side_for(match.id, a_member(ANNA, GUILD, 5, 6)) == cats
    assert await use_cases.votes.side_for(match.id, a_member(CLARA, GUILD, 6)) == all_others


async def test_members_with_both_roles_do_not_vote(use_cases: UseCases) -> None:
    match, _ = await begin(use_cases, a_game(a_side(role=5), a_side(role=6)))
    with pytest.raises(Refused, match="in_both_sides"):
        await cast(use_cases, match.id, voter=a_member(ANNA, GUILD, 5, 6))


async def test_who_has_voted_for_a_side_never_votes_for_the_other(use_cases: UseCases) -> None:
    match, (side, _) = await begin(use_cases, a_game(a_side(), a_side(AWAY)))
    await cast(use_cases, match.id)
    moved = await use_cases.matches.move(match.id, side.account, "a1", NOON, new_key())
    with pytest.raises(Refused, match="in_both_sides"):
        await cast(use_cases, moved.id, "a2", voter=a_member(guild=AWAY))


async def test_a_vote_may_be_changed_and_counts_once(use_cases: UseCases) -> None:
    match, _ = await begin(use_cases)
    changed: list[object] = []
    use_cases.events.votes_changed.subscribe(changed.append)
    first = await cast(use_cases, match.id, "a1")
    second = await cast(use_cases, match.id, "a2", at=Millis(NOON + 1))
    assert (first.before, second.before) == (None, first.vote)
    assert changed == [match.id] * 2
    shown = await use_cases.votes.tally(match.id, ANNA)
    assert (shown.total, [(each.text, shown.percent(each.votes)) for each in shown.counts]) == (
        1,
        [(second.vote.text, 100)],
    )


async def test_a_click_that_arrives_twice_or_late_changes_nothing(use_cases: UseCases) -> None:
    match, _ = await begin(use_cases)
    key = new_key()
    first = await cast(use_cases, match.id, "a1", at=Millis(NOON + 5), key=key)
    again = await cast(use_cases, match.id, "a1", at=Millis(NOON + 5), key=key)
    assert again == first
    earlier = await cast(use_cases, match.id, "a2", at=NOON)
    assert earlier.vote == first.vote
    assert (await use_cases.votes.tally(match.id, ANNA)).total == 1


async def test_only_a_legal_move_can_be_voted_for(use_cases: UseCases) -> None:
    match, _ = await begin(use_cases)
    for text, reason in (("b3", "occupied"), ("z99", "off_field"), ("hello", "no_point")):
        with pytest.raises(Refused, match=reason):
            await cast(use_cases, match.id, text)


async def test_a_board_of_the_same_turn_takes_votes_whatever_was_offered_since(use_cases: UseCases) -> None:
    match, _ = await begin(use_cases)
    await use_cases.actions.propose(match.id, BORIS, OfferKind.DRAW, NOON, new_key())
    assert (await cast(use_cases, match.id, version=0)).vote.version == 0
    assert (await cast(use_cases, match.id, version=1)).vote.version == 0
    with pytest.raises(Refused, match="stale"):
        await cast(use_cases, match.id, version=2)


async def test_a_member_of_both_servers_belongs_to_that_one_for_which_they_have_voted(use_cases: UseCases) -> None:
    match, sides = await begin(use_cases, a_game(second=a_side(AWAY)))
    assert await use_cases.votes.servers_of(match.id, UserId(101)) == [side.guild for side in sides]
    later = sides[1 - match.position.to_act]
    await use_cases.matches.move(match.id, match.players[match.position.to_act], "a1", NOON, new_key())
    await cast(use_cases, match.id, "a2", voter=a_member(101, later.guild))
    assert (await use_cases.votes.servers_of(match.id, UserId(101)))[0] == later.guild
    assert (await use_cases.votes.servers_of(match.id, UserId(104)))[0] == sides[0].guild


async def test_the_opponents_turn_is_not_voted_about(use_cases: UseCases) -> None:
    match, (side,) = await begin(use_cases)
    await use_cases.matches.move(match.id, side.account, "a1", NOON, new_key())
    with pytest.raises(Refused, match="not_your_turn"):
        await cast(use_cases, match.id, "a2")
    with pytest.raises(Refused, match="stale"):
        await cast(use_cases, match.id, "a2", version=0)


async def test_a_voter_learns_when_the_vote_closes_as_the_board_says_it(use_cases: UseCases) -> None:
    match, (side,) = await begin(use_cases)
    assert (await cast(use_cases, match.id)).closes == closing(match, side)
    assert not await use_cases.votes.settle(match, replace(side, quorum=2))
    assert (await cast(use_cases, match.id)).closes == last_closing(match)


async def test_the_time_of_a_side_is_that_of_its_vote(use_cases: UseCases) -> None:
    match, (side,) = await begin(use_cases)
    goes_on, later = replace(side, prolonged=0), Millis(NOON + HOUR)
    for each in (side, goes_on):
        assert time_to_vote(match, each, later) == closing(match, each) - later
    assert time_to_vote(match, side, NOON) == PERIOD
    assert time_to_vote(match, side, Millis(NOON + PERIOD + 1)) == 0
    moved = await use_cases.matches.move(match.id, side.account, "a1", later, new_key())
    assert time_to_vote(moved, goes_on, later) == PERIOD


async def test_no_vote_is_taken_after_the_last_moment(use_cases: UseCases) -> None:
    match, _ = await begin(use_cases)
    await cast(use_cases, match.id, at=last_closing(match))
    with pytest.raises(Refused, match="vote_closed"):
        await cast(use_cases, match.id, user=104, at=Millis(last_closing(match) + 1))


async def test_a_vote_that_is_being_counted_takes_none(use_cases: UseCases) -> None:
    match, (side,) = await begin(use_cases)
    await cast(use_cases, match.id)
    assert await use_cases.votes.settle(match, side)
    with pytest.raises(Refused, match="vote_closed"):
        await cast(use_cases, match.id, user=104)


async def test_votes_are_hidden_until_ones_own(use_cases: UseCases) -> None:
    match, (side,) = await begin(use_cases)
    await cast(use_cases, match.id, user=104)
    for user in (ANNA, BORIS):
        with pytest.raises(Refused, match="vote_first"):
            await use_cases.votes.tally(match.id, user)
    await cast(use_cases, match.id)
    assert (await use_cases.votes.tally(match.id, ANNA)).total == 2
    for account, text in ((side.account, "a1"), (BORIS, "a2")):
        await use_cases.matches.move(match.id, account, text, NOON, new_key())
    with pytest.raises(Refused, match="vote_first"):
        await use_cases.votes.tally(match.id, ANNA)


async def test_votes_about_a_turn_stay_open_to_its_voters_in_the_opponents_turn(use_cases: UseCases) -> None:
    match, (side,) = await begin(use_cases)
    await cast(use_cases, match.id)
    await use_cases.matches.move(match.id, side.account, "a1", NOON, new_key())
    assert (await use_cases.votes.tally(match.id, ANNA)).version == 0


async def test_a_player_with_too_many_games_plays_no_server(store: Database) -> None:
    with pytest.raises(Refused, match="no_game_with"):
        await begin(UseCases.over(store, lambda: 4, Capacity(max_of_player=0)))


async def test_a_move_of_a_side_has_the_votes_of_its_turn_and_one_of_a_player_none(use_cases: UseCases) -> None:
    match, (side,) = await begin(use_cases)
    for number, (user, text) in enumerate([(101, "a1"), (104, "a3")]):
        await cast(use_cases, match.id, text, user)
        side_moves = await use_cases.matches.move(match.id, side.account, text, NOON, new_key())
        match = await use_cases.matches.move(match.id, BORIS, f"b{number + 1}", NOON, new_key())
        assert side_moves.version == match.version - 1
    tallies = [await use_cases.votes.tally_of_move(match, number) for number in (1, 2, 3, 4)]
    assert [tally and [count.text for count in tally.counts] for tally in tallies] == [["A1"], None, ["A3"], None]


async def test_resigning_and_a_draw_are_choices_without_a_move(use_cases: UseCases) -> None:
    match, _ = await begin(use_cases)
    for choice in (Choice.RESIGN, Choice.DRAW):
        ballot = await cast(use_cases, match.id, choice=choice)
        assert (ballot.vote.choice, ballot.vote.text) == (choice, "")
        assert (await use_cases.votes.tally(match.id, ANNA)).likely == ()


async def test_a_side_is_offered_only_a_draw(use_cases: UseCases) -> None:
    match, (side,) = await begin(use_cases)
    await use_cases.matches.move(match.id, side.account, "a1", NOON, new_key())
    await use_cases.matches.move(match.id, BORIS, "a2", NOON, new_key())
    for kind in set(OfferKind) - {OfferKind.DRAW}:
        with pytest.raises(Refused, match="side_votes"):
            await use_cases.actions.propose(match.id, BORIS, kind, NOON, new_key())
    with pytest.raises(Refused, match="side_votes"):
        await use_cases.actions.take_back(match.id, BORIS, NOON, new_key())
    with pytest.raises(Refused, match="side_votes"):
        await use_cases.actions.give_time(match.id, BORIS, Millis(DAY), NOON, new_key())
    await use_cases.actions.propose(match.id, BORIS, OfferKind.DRAW, NOON, new_key())


async def test_moderators_do_not_decide_a_game_of_their_server_but_may_end_it(use_cases: UseCases) -> None:
    match, (side,) = await begin(use_cases)
    for winner in (side.account, BORIS, None):
        with pytest.raises(Refused, match="side_not_judged"):
            await use_cases.moderation.adjudge(match.id, MODERATOR, GUILD, winner, NOON, new_key())
        with pytest.raises(Refused, match="side_not_judged"):
            await use_cases.moderation.check_adjudication(match.id, MODERATOR, GUILD, winner)
    with pytest.raises(Refused, match="side_not_judged"):
        await use_cases.moderation.extend(match.id, MODERATOR, GUILD, BORIS, Millis(DAY), NOON, new_key())
    annulled = await use_cases.moderation.annul(match.id, MODERATOR, GUILD, NOON, new_key())
    assert annulled.outcome is not None
    assert annulled.outcome.winners == ()


async def test_both_servers_have_to_end_a_game_between_them(use_cases: UseCases) -> None:
    match, sides = await begin(use_cases, a_game(second=a_side(AWAY)))
    for side, text in zip(sides, ("a1", "a2"), strict=True):
        await use_cases.matches.move(match.id, side.account, text, NOON, new_key())
        for guild in (GUILD, AWAY):
            with pytest.raises(Refused, match="side_not_judged"):
                await use_cases.moderation.extend(
                    match.id, MODERATOR, guild, side.account, Millis(DAY), NOON, new_key()
                )
    for _ in range(2):
        with pytest.raises(Refused, match="ruling_proposed"):
            await use_cases.moderation.annul(match.id, MODERATOR, GUILD, NOON, new_key())
    over = await use_cases.moderation.annul(match.id, MODERATOR, AWAY, NOON, new_key())
    assert over.outcome is not None


async def test_the_game_of_a_banned_opponent_is_annulled(use_cases: UseCases) -> None:
    match, (side,) = await begin(use_cases)
    await use_cases.matches.move(match.id, side.account, "a1", NOON, new_key())
    await use_cases.matches.move(match.id, BORIS, "a2", NOON, new_key())
    assert (await use_cases.bans.end_games(GUILD, MODERATOR, BORIS, NOON)).ended == 1
    over = await use_cases.matches.load(match.id)
    assert over.outcome is not None
    assert over.outcome.reason == "annulled"


async def test_two_votes_cast_at_once_are_both_counted(use_cases: UseCases, store: Database) -> None:
    match, (side,) = await begin(use_cases, a_game(channel=5))
    for user in (101, 104, 105):
        await cast(use_cases, match.id, "a2" if user > 104 else "a1", user)
    async with store.read() as reader:
        counts = await reader.votes.counts(side, 0, NOON)
    assert sorted(count.votes for count in counts) == [1, 2]
    assert side.channel == ChannelId(901)


async def test_a_side_gets_no_reminder(use_cases: UseCases, store: Database, clock: StoppedClock) -> None:
    match, _ = await begin(use_cases)
    reminders = match.clock.reminders
    assert reminders
    for at, _ in reminders:
        await pass_time(store, clock, at - clock())
        await use_cases.clocks.remind()
    async with store.read() as reader:
        assert await reader.outbox.next_notice(match.id) is None


async def test_a_game_of_votes_is_no_practice_and_has_no_rematch(use_cases: UseCases) -> None:
    match, _ = await begin(use_cases, with_terms(a_game(), level=3))
    assert not is_practice(match, BORIS, rated=False)
    await use_cases.matches.resign(match.id, BORIS, NOON, new_key())
    with pytest.raises(Refused, match="vote_rematch"):
        await use_cases.challenges.rematch(match.id, BORIS, NOON)


async def test_no_vote_closes_in_the_night_of_its_server(use_cases: UseCases) -> None:
    asleep = replace(a_side(), schedule=ClockSchedule(UTC, parse_night("23-7")))
    begun, (side,) = await begin(use_cases, replace(a_game(asleep), period=Millis(12 * HOUR)))
    match = await use_cases.matches.load(begun.id)
    assert closing(match, side) == NOON + (12 + 8) * HOUR
    assert match.clock.schedules[1 - side.seat] == ClockSchedule()


async def test_a_server_sleeps_by_the_time_zone_of_its_home_post_or_else_of_its_daily_post(use_cases: UseCases) -> None:
    assert await use_cases.votes.schedule(GUILD) == ClockSchedule()
    place = DailyPlace(GUILD, ChannelId(5), zone="America/New_York")
    async with use_cases.store.write() as tx:
        await tx.dailies.save_place(place)
    assert await use_cases.votes.schedule(GUILD) == ClockSchedule(ZoneInfo("America/New_York"), USUAL_NIGHT)
    await use_cases.homes.settle(GUILD, ChannelId(5), "Europe/Warsaw", ANNA)
    early = parse_night("21-6")
    assert await use_cases.votes.schedule(GUILD, early) == ClockSchedule(ZoneInfo("Europe/Warsaw"), early)
    assert await use_cases.votes.schedule(GUILD, None) == ClockSchedule()


def test_a_game_takes_longer_where_votes_leave_the_nights_out() -> None:
    asleep = ClockSchedule(UTC, parse_night("23-7"))
    game = make_game("zagram", {"size": "13x13"})
    periods = [each.average(Millis(6 * HOUR)) for each in (ClockSchedule(), asleep)]
    assert periods == [6 * HOUR, 9 * HOUR]
    assert [estimate_votes(game, (period, Millis(0))) for period in periods] == [18 * DAY, 26 * DAY]


async def test_a_game_that_goes_on_has_fewer_moves_ahead(use_cases: UseCases) -> None:
    board = make_game("zagram", {"size": "13x13"})
    match, (side,) = await begin(use_cases, with_terms(a_game(), game=board))
    whole = time_ahead(match, side, None)
    assert (whole, time_ahead(match, side, BORIS)) == (140 * DAY, 70 * DAY)
    moved = await use_cases.matches.move(match.id, side.account, "a1", NOON, new_key())
    assert time_ahead(moved, side, None) == whole - DAY


def test_a_vote_lasts_whole_minutes_from_an_hour_to_three_days() -> None:
    assert [read_period(typed) for typed in ("1h", "90m", "3 d")] == [HOUR, 90 * MINUTE, 3 * DAY]


@pytest.mark.parametrize("typed", ["59m", "3601s", "73h"])
def test_no_vote_lasts_for_other_times(typed: str) -> None:
    with pytest.raises(Refused, match="bad_period"):
        read_period(typed)
