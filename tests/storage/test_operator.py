"""Blocks and pauses hold for all processes, and an announcement reaches each server once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from itertools import count

import pytest

from play.challenge.terms import Order, Terms
from play.clock import parse_control
from play.community.operator import MAX_AGE_MILLIS, SURE_MILLIS, Announcement, DeliveryOutcome, RestrictionKind
from play.competitions.contest import ContestId
from play.competitions.ladder import Ladder
from play.competitions.league import League, first_season
from play.competitions.tournament import Format, Tournament, TournamentId
from play.ids import ChannelId, GuildId, IdempotencyKey, MatchId, Millis, UserId
from play.match.events import EventKind
from play.refusal import Reason, Refused
from play.votes import NewSide
from storage import Database
from storage.figures import count_figures
from tests.clock import DAY, HOUR, NOON, StoppedClock
from tests.director import make_director
from tests.matches import (
    ANNA,
    BORIS,
    CLARA,
    GAME,
    GUILD,
    a_match,
    add_match,
    away_place,
    load_match,
    play_turn,
    save_match,
)
from tests.play.competitions.contests import GUEST_TEAM, invitation, member_of
from use_cases import UseCases
from use_cases.operator import Blocked
from use_cases.votes import VoteGame
from use_cases.worker import ChannelClosed, RetryLater, Timing, Undeliverable
from use_cases.workers.announcement_relay import AnnouncementRelay, BlockWatch

TERMS = Terms(GAME, parse_control("1d"))
TEXTS = {"en": "We move house on Sunday."}
SERVERS = [GuildId(1000 + number) for number in range(30)]
ME = "root"
_keys = count(1)


@pytest.fixture
def use_cases(store: Database) -> UseCases:
    return UseCases.over(store, seeds=lambda: 4)


class Servers:
    """An announcer that notes what each server gets; `errors` are raised for some, one after the other."""

    def __init__(self, page: int = 7) -> None:
        self.got: list[GuildId] = []
        self.errors: dict[GuildId, list[Exception]] = {}
        self.page = page
        self.between: Callable[[GuildId], Awaitable[object]] | None = None

    async def servers(self, after: GuildId) -> tuple[list[GuildId], bool]:
        found = [guild for guild in SERVERS if guild > after]
        return found[: self.page], len(found) <= self.page

    async def announce(self, announcement: Announcement, guild: GuildId, begin: Callable[[], Awaitable[bool]]) -> bool:
        if not await begin():
            return False
        if self.errors.get(guild):
            raise self.errors[guild].pop(0)
        self.got.append(guild)
        if self.between is not None:
            await self.between(guild)
        return True


def relay(store: Database, servers: Servers, blocked: Blocked | None = None) -> AnnouncementRelay:
    """Returns a relay that tries nothing again: the next one does."""
    return AnnouncementRelay(store, servers, blocked or Blocked(), Timing(clock=lambda: 0.0))


async def poll(relay: AnnouncementRelay) -> None:
    """Lets the relay look as often as it takes to learn all servers."""
    for _ in range(20):
        await relay.poll()


async def progress(use_cases: UseCases) -> dict[DeliveryOutcome | None, int]:
    status = await use_cases.operator.status()
    assert status is not None
    return status[1]


async def test_an_announcement_reaches_each_server_once(store: Database, use_cases: UseCases) -> None:
    servers = Servers()
    assert await use_cases.operator.announce(ME, TEXTS)
    await poll(relay(store, servers))
    await poll(relay(store, servers))
    assert servers.got == SERVERS
    assert await progress(use_cases) == {DeliveryOutcome.POSTED: 30}


async def test_two_processes_together_reach_each_server_once(store: Database, use_cases: UseCases) -> None:
    servers = Servers()
    await use_cases.operator.announce(ME, TEXTS)
    one, other = relay(store, servers), relay(store, servers)
    for _ in range(20):
        await one.poll()
        await other.poll()
    assert sorted(servers.got) == SERVERS


async def test_a_server_without_a_channel_for_it_and_one_that_is_gone_hold_up_no_other(
    store: Database, use_cases: UseCases
) -> None:
    servers = Servers()
    servers.errors = {SERVERS[3]: [ChannelClosed("403")], SERVERS[5]: [Undeliverable("404")]}
    await use_cases.operator.announce(ME, TEXTS)
    await poll(relay(store, servers))
    assert await progress(use_cases) == {DeliveryOutcome.POSTED: 28, DeliveryOutcome.REFUSED: 2}


async def test_what_fails_is_tried_again_while_discord_would_know_it(
    store: Database, use_cases: UseCases, clock: StoppedClock
) -> None:
    servers = Servers()
    servers.errors = {SERVERS[3]: [RetryLater("502")], SERVERS[4]: [RetryLater("502"), RetryLater("502")]}
    await use_cases.operator.announce(ME, TEXTS)
    await poll(relay(store, servers))
    assert await progress(use_cases) == {DeliveryOutcome.POSTED: 28, None: 2}
    clock.advance(SURE_MILLIS)
    await poll(relay(store, servers))
    assert sorted(servers.got) == [guild for guild in SERVERS if guild != SERVERS[4]]
    clock.advance(1)
    await poll(relay(store, servers))
    assert await progress(use_cases) == {DeliveryOutcome.POSTED: 29, DeliveryOutcome.UNSURE: 1}


async def test_a_server_that_is_never_asked_gets_no_old_news(
    store: Database, use_cases: UseCases, clock: StoppedClock
) -> None:
    await use_cases.operator.announce(ME, TEXTS)
    clock.advance(MAX_AGE_MILLIS + 1)
    servers = Servers()
    await poll(relay(store, servers))
    assert servers.got == []
    assert await progress(use_cases) == {DeliveryOutcome.LATE: 30}


async def test_a_withdrawn_announcement_reaches_no_further_server(store: Database, use_cases: UseCases) -> None:
    servers = Servers()

    async def withdraw(guild: GuildId) -> None:
        if guild == SERVERS[9]:
            assert await use_cases.operator.withdraw(ME)

    servers.between = withdraw
    await use_cases.operator.announce(ME, TEXTS)
    await poll(relay(store, servers))
    assert servers.got == SERVERS[:10]
    assert not await use_cases.operator.withdraw(ME)
    assert await use_cases.operator.announce(ME, TEXTS), "the next one may follow"


async def test_one_announcement_goes_out_at_a_time(store: Database, use_cases: UseCases) -> None:
    await use_cases.operator.announce(ME, TEXTS)
    assert not await use_cases.operator.announce(ME, TEXTS)
    await poll(relay(store, Servers()))
    assert not await use_cases.operator.withdraw(ME), "all servers have it"
    assert await use_cases.operator.announce(ME, TEXTS)


async def test_a_blocked_server_gets_no_announcement(store: Database, use_cases: UseCases) -> None:
    servers, blocked = Servers(), Blocked()
    await use_cases.operator.block(ME, RestrictionKind.SERVER, SERVERS[0], "spam")
    await BlockWatch(store, blocked).poll()
    await use_cases.operator.announce(ME, TEXTS)
    await poll(relay(store, servers, blocked))
    assert servers.got == SERVERS[1:]


async def test_processes_learn_who_is_blocked_and_who_no_more(store: Database, use_cases: UseCases) -> None:
    blocked = Blocked()
    watch = BlockWatch(store, blocked)
    await use_cases.operator.block(ME, RestrictionKind.SERVER, GUILD, "spam")
    await use_cases.operator.block(ME, RestrictionKind.USER, ANNA, "spam")
    await watch.poll()
    with pytest.raises(Refused, match=Reason.SERVER_BLOCKED):
        blocked.check(BORIS, GUILD)
    with pytest.raises(Refused, match=Reason.USER_BLOCKED):
        blocked.check(ANNA, None)
    blocked.check(BORIS, None)
    assert await use_cases.operator.lift(ME, RestrictionKind.USER, ANNA)
    assert not await use_cases.operator.lift(ME, RestrictionKind.USER, ANNA)
    await watch.poll()
    blocked.check(ANNA, None)


async def test_the_running_games_of_a_blocked_server_are_annulled(store: Database, use_cases: UseCases) -> None:
    here = await save_match(store, play_turn(await add_match(store, a_match(1))))
    there = await add_match(store, a_match(2, away=away_place(3)))
    assert there.away is not None
    assert there.away.guild is not None
    assert await use_cases.operator.block(ME, RestrictionKind.SERVER, there.away.guild, "spam")
    assert (await load_match(store, here.id)).outcome is None
    assert await use_cases.operator.block(ME, RestrictionKind.SERVER, GUILD, "spam")
    for match in (here, there):
        ended = await load_match(store, match.id)
        assert ended.outcome is not None
        assert ended.outcome.winners == ()
        assert ended.events[-1].kind is EventKind.ANNUL


async def test_nobody_begins_a_game_with_a_blocked_user(use_cases: UseCases) -> None:
    offered = await use_cases.challenges.challenge(ANNA, None, GUILD, ChannelId(1), TERMS, NOON)
    await use_cases.operator.block(ME, RestrictionKind.USER, ANNA, "spam")
    with pytest.raises(Refused, match=Reason.NO_GAME_WITH):
        await use_cases.challenges.accept(offered.id, BORIS, NOON)
    with pytest.raises(Refused, match=Reason.NO_GAME_WITH):
        await use_cases.challenges.challenge(BORIS, ANNA, GUILD, ChannelId(1), TERMS, NOON)


async def test_no_game_begins_on_a_blocked_server_by_whatever_page(use_cases: UseCases) -> None:
    offered = await use_cases.challenges.challenge(ANNA, None, GUILD, ChannelId(1), TERMS, NOON)
    await use_cases.operator.block(ME, RestrictionKind.SERVER, GUILD, "spam")
    with pytest.raises(Refused, match=Reason.SERVER_BLOCKED):
        await use_cases.challenges.accept(offered.id, BORIS, NOON)
    await use_cases.challenges.challenge(ANNA, None, GuildId(8), ChannelId(2), TERMS, NOON)


async def prepare(use_cases: UseCases) -> dict[str, Callable[[], Awaitable[object]]]:
    """Returns each door by which players begin a game or sign up for one."""
    challenges, tournaments, ladders = use_cases.challenges, use_cases.tournaments, use_cases.ladders
    offered = await challenges.challenge(ANNA, None, GUILD, ChannelId(1), TERMS, NOON)
    asked = await challenges.challenge(ANNA, BORIS, GUILD, ChannelId(2), TERMS, NOON)
    played = await challenges.challenge(ANNA, BORIS, GUILD, ChannelId(3), TERMS, NOON)
    _, match = await challenges.accept(played.id, BORIS, NOON)
    assert match is not None
    await use_cases.matches.resign(match.id, BORIS, NOON, IdempotencyKey(next(_keys)))
    cup = Tournament(TournamentId(0), GUILD, ChannelId(4), ANNA, "Cup", Format.ROUND_ROBIN, TERMS, NOON, rounds=3)
    made = await tournaments.make(cup)
    await ladders.make(Ladder(GUILD, ChannelId(5), TERMS), ANNA)
    for user in (ANNA, BORIS):
        await ladders.join(GUILD, user, NOON)
    await ladders.make(Ladder(GuildId(8), ChannelId(5), TERMS), ANNA)
    for user in (ANNA, BORIS):
        await ladders.join(GuildId(8), user, NOON)
    duel = await ladders.challenge(GuildId(8), BORIS, ANNA, NOON)
    await use_cases.leagues.open(League(GUILD, ChannelId(6), ANNA, TERMS, first_season(NOON)))
    await use_cases.contests.challenge(invitation())
    await use_cases.contests.accept("0123456789AB", GUEST_TEAM, NOON)
    shown = Tournament(TournamentId(0), GUILD, ChannelId(7), ANNA, "Show", Format.EXHIBITION, TERMS, NOON, rounds=1)
    ordered = Terms(GAME, parse_control("1d"), order=Order.FIRST)
    vote = VoteGame(GUILD, ChannelId(8), NewSide(GUILD, ChannelId(8)), BORIS, Millis(DAY), ordered, CLARA)
    return {
        "offer": lambda: challenges.challenge(CLARA, BORIS, GUILD, ChannelId(9), TERMS, NOON),
        "computer": lambda: challenges.challenge(CLARA, None, None, ChannelId(9), TERMS, NOON),
        "accept": lambda: challenges.accept(offered.id, BORIS, NOON),
        "counter": lambda: challenges.change(offered.id, CLARA, TERMS, NOON, changes=0),
        "accept an own one": lambda: challenges.accept(asked.id, BORIS, NOON),
        "duel": lambda: challenges.accept(duel.id, ANNA, NOON),
        "rematch": lambda: challenges.rematch(match.id, BORIS, NOON),
        "tournament": lambda: tournaments.sign_up(made.id, CLARA),
        "exhibition": lambda: tournaments.make(shown),
        "ladder": lambda: ladders.join(GUILD, CLARA, NOON),
        "place": lambda: ladders.challenge(GUILD, BORIS, ANNA, NOON),
        "league": lambda: use_cases.leagues.join(GUILD, CLARA, NOON),
        "contest": lambda: use_cases.contests.sign_up(ContestId(1), member_of(CLARA, GUILD), NOON),
        "vote": lambda: use_cases.votes.begin(vote, NOON),
    }


async def test_each_door_to_a_new_game_is_closed_while_the_operator_pauses_them(
    use_cases: UseCases, clock: StoppedClock
) -> None:
    doors = await prepare(use_cases)
    assert await use_cases.operator.pause(ME, None)
    for name, begin in doors.items():
        with pytest.raises(Refused) as refused:
            await begin()
        assert refused.value.key is Reason.PAUSED, name
    assert await use_cases.operator.pause(ME, Millis(clock() + HOUR))
    for name, begin in doors.items():
        with pytest.raises(Refused) as refused:
            await begin()
        assert refused.value.key is Reason.PAUSED_UNTIL, name
        assert refused.value.details["until"] == (clock() + HOUR) // 1000
    assert await use_cases.operator.lift(ME, RestrictionKind.GAMES)
    for name in ("duel", "accept", "rematch", "tournament", "league", "contest", "vote", "ladder"):
        await doors[name]()


async def test_running_games_go_on_in_a_pause_which_ends_by_itself(
    store: Database, use_cases: UseCases, clock: StoppedClock
) -> None:
    match = await add_match(store, a_match(1))
    await use_cases.operator.pause(ME, Millis(clock() + HOUR))
    move = str(next(iter(match.position.moves())))
    user = match.players[match.position.to_act]
    assert (await use_cases.matches.move(match.id, user, move, NOON, IdempotencyKey(next(_keys)))).version == 1
    clock.advance(HOUR)
    await use_cases.challenges.challenge(ANNA, None, GUILD, ChannelId(2), TERMS, clock())
    assert not await use_cases.operator.pause(ME, Millis(clock() - 1)), "that time is over"


async def test_the_games_of_a_round_wait_for_the_end_of_a_pause(store: Database, use_cases: UseCases) -> None:
    cup = Tournament(TournamentId(0), GUILD, ChannelId(4), ANNA, "Cup", Format.ROUND_ROBIN, TERMS, NOON, rounds=3)
    made = await use_cases.tournaments.make(cup)
    for user in (ANNA, BORIS, CLARA, UserId(104)):
        await use_cases.tournaments.sign_up(made.id, user)
    await use_cases.tournaments.begin(made.id, NOON)
    await use_cases.operator.pause(ME, None)
    director = make_director(use_cases)
    with pytest.raises(RetryLater, match="lets no game begin"):
        await director.process(made.id)
    async with store.read() as reader:
        assert await reader.matches.get(MatchId(1)) is None
    await use_cases.operator.lift(ME, RestrictionKind.GAMES)
    await director.process(made.id)
    assert not (await load_match(store, MatchId(1))).outcome


async def test_each_act_is_in_the_log_with_who_and_when(use_cases: UseCases, clock: StoppedClock) -> None:
    operator = use_cases.operator
    await operator.block(ME, RestrictionKind.USER, ANNA, "spam")
    clock.advance(HOUR)
    await operator.lift("ola", RestrictionKind.USER, ANNA)
    await operator.lift("ola", RestrictionKind.USER, ANNA)
    await operator.pause(ME, Millis(clock() + HOUR))
    await operator.lift(ME, RestrictionKind.GAMES)
    await operator.announce(ME, TEXTS)
    await operator.withdraw(ME)
    await operator.note_leave(ME, GUILD)
    assert [tuple(act) for act in reversed(await operator.log())] == [
        (NOON, ME, "block user", ANNA, "spam"),
        (NOON + HOUR, "ola", "unblock user", ANNA, ""),
        (NOON + HOUR, ME, "pause", 0, "2025-06-15T17:06:40+00:00"),
        (NOON + HOUR, ME, "resume", 0, ""),
        (NOON + HOUR, ME, "announce", 0, ""),
        (NOON + HOUR, ME, "withdraw", 0, ""),
        (NOON + HOUR, ME, "leave", GUILD, ""),
    ]


async def test_figures_count_what_was_played(store: Database, url: str) -> None:
    match = await save_match(store, play_turn(await add_match(store, a_match(1))))
    figures = await count_figures(url, Millis(NOON + HOUR))
    assert figures["servers that played in the last week"] == figures["servers that have played"] == 1
    assert figures["players, with the computer"] == figures["players of games of the last week"] == len(match.players)
    assert (figures["running games"], figures["moves in the last day"], figures["boards to post"]) == (1, 1, 2)
    assert (await count_figures(url, Millis(NOON + 8 * DAY)))["moves in the last week"] == 0
