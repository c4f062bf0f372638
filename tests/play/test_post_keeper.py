"""One answer to a channel that is closed to the bot, and one to a channel that is gone."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from play.challenge.terms import Terms
from play.clock import parse_control
from play.competitions.hosting import cancel
from play.competitions.ladder import Ladder
from play.competitions.tournament import Format, Stage, Tournament, TournamentId
from play.ids import DAY, ChannelId, GuildId, MessageId, Millis, UserId
from play.posts import MAX_GONE_MILLIS, PostProblem
from rules.registry import GAMES
from storage import Database
from tests.clock import NOON, StoppedClock
from tests.director import SilentDisplay, make_director
from tests.keepers import NotingKeepers, kept_posts
from tests.matches import pass_time
from use_cases import UseCases
from use_cases.competitions.ladder_refresher import LadderRefresher
from use_cases.worker import RetryLater, Undeliverable

GUILD, CHANNEL, KEEPER, ANNA = GuildId(7), ChannelId(5), UserId(1), UserId(2)
TERMS = Terms(GAMES["zagram"], parse_control("3d"))


@dataclass
class Lost(SilentDisplay):
    """A display whose channel is gone."""

    tries: int = field(default=0)

    def __post_init__(self) -> None:
        super().__init__()

    async def show(self, _: Ladder | Tournament) -> MessageId:
        self.tries += 1
        raise Undeliverable("unknown channel")


@pytest.fixture
def use_cases(store: Database) -> UseCases:
    return UseCases.over(store, seeds=lambda: 4)


@pytest.fixture
def keepers() -> NotingKeepers:
    return NotingKeepers()


async def show_again(refresher: LadderRefresher) -> None:
    with pytest.raises(RetryLater):
        await refresher.process(GUILD)


async def test_who_has_a_ladder_is_told_once_that_it_has_ended_however_often_it_changes(
    store: Database, clock: StoppedClock, use_cases: UseCases, keepers: NotingKeepers
) -> None:
    await use_cases.ladders.make(Ladder(GUILD, CHANNEL, TERMS), KEEPER)
    refresher = LadderRefresher(store, kept_posts(store, keepers), Lost())
    await show_again(refresher)
    await pass_time(store, clock, MAX_GONE_MILLIS + 1)
    for user in (2, 3, 4):
        await use_cases.ladders.join(GUILD, UserId(user), clock())
        await refresher.process(GUILD)
        assert await refresher.pending(10) == []
    assert keepers.told == [(KEEPER, PostProblem.CHANNEL)]
    assert [post.channel for post in keepers.ended] == [CHANNEL]


async def test_what_could_not_be_told_ends_later(
    store: Database, clock: StoppedClock, use_cases: UseCases, keepers: NotingKeepers
) -> None:
    await use_cases.ladders.make(Ladder(GUILD, CHANNEL, TERMS), KEEPER)
    await use_cases.ladders.join(GUILD, ANNA, clock())
    refresher = LadderRefresher(store, kept_posts(store, keepers), Lost())
    await show_again(refresher)
    await pass_time(store, clock, MAX_GONE_MILLIS + 1)
    keepers.fails = RetryLater("Discord lets the bot open no direct messages for a while")
    await show_again(refresher)
    assert await refresher.pending(10) == [GUILD]
    keepers.fails = None
    await refresher.process(GUILD)
    assert [post.players for post in keepers.ended] == [(ANNA,)]


async def test_nobody_is_told_of_the_lost_channel_of_what_is_over(
    store: Database, clock: StoppedClock, use_cases: UseCases, keepers: NotingKeepers
) -> None:
    made = Tournament(TournamentId(0), GUILD, CHANNEL, KEEPER, "Cup", Format.SWISS, TERMS, NOON, 3)
    tournament = await use_cases.tournaments.make(made)
    async with store.write() as tx:
        over = await tx.tournaments.save(cancel(tournament), tournament)
    director = make_director(use_cases, Lost(), keepers)
    await director.process(over.id)
    assert await director.pending(10) == []
    assert keepers.told == []
    assert keepers.ended == []
    assert (await use_cases.tournaments.load(over.id)).stage is Stage.CANCELLED


async def test_a_further_trouble_of_another_kind_is_told_again(store: Database, keepers: NotingKeepers) -> None:
    post, posts = Ladder(GUILD, CHANNEL, TERMS).post, kept_posts(store, keepers)
    for problem in (PostProblem.PERMISSION, PostProblem.PERMISSION, PostProblem.CHANNEL, PostProblem.PERMISSION):
        assert not await posts.fails(post, problem, NOON)
    assert not await posts.fails(post, PostProblem.PERMISSION, Millis(NOON + 400 * DAY))
    told = [problem for _, problem in keepers.told]
    assert told == [PostProblem.PERMISSION, PostProblem.CHANNEL, PostProblem.PERMISSION]
