"""Each player with a digest gets one a day: not two after a crash, by two processes or after a change."""

from __future__ import annotations

from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from play.challenge.terms import Terms
from play.clock import parse_control
from play.ids import ChannelId, Millis, UserId
from play.people.digest import Digest
from play.people.settings import PlayerSettings
from storage import Database
from tests.clock import DAY, HOUR, MINUTE, StoppedClock
from tests.matches import ANNA, BORIS, GAME, GUILD, a_match, add_match, resign, save_match
from tests.storage.test_role_rewards import Cloakroom
from use_cases import UseCases
from use_cases.player_settings import change_player
from use_cases.privacy import Privacy
from use_cases.worker import Undeliverable
from use_cases.workers.digest_relay import DigestRelay, Morning, Rejected
from use_cases.workers.role_sync import RoleSync

MORNING = Millis(17 * HOUR - 400_000)
"""From the tests' noon, which is 15:06:40 UTC, until 8 o'clock."""


class Post:
    """A publisher that notes what it sends, like Discord once for each nonce; it fails with `error` if it has one."""

    def __init__(self) -> None:
        self.sent: dict[str, Morning] = {}
        self.error: Exception | None = None
        self.lost = False

    async def send(self, settings: PlayerSettings, morning: Morning, once: str) -> None:
        assert len(once) <= 25
        if self.error is not None:
            raise self.error
        self.sent.setdefault(once, morning)
        if self.lost:
            raise ConnectionResetError


@pytest.fixture
def post() -> Post:
    return Post()


@pytest.fixture
async def relay(store: Database, post: Post) -> DigestRelay:
    """The relay, with a game that waits for Anna, who has a digest at 8:00."""
    await add_match(store, a_match(control="30d"))
    await change_player(store, ANNA, {"digest": 8, "zone": ZoneInfo("UTC")})
    return DigestRelay(store, post)


async def stored(store: Database) -> Digest | None:
    async with store.read() as reader:
        return await reader.digests.get(ANNA)


async def test_a_digest_comes_once_each_morning(
    store: Database, relay: DigestRelay, post: Post, clock: StoppedClock
) -> None:
    await relay.poll()
    assert not post.sent
    clock.advance(MORNING)
    for day in range(1, 4):
        for _ in range(3):
            await relay.poll()
        assert len(post.sent) == day
        clock.advance(DAY)


async def test_where_nothing_is_to_be_told_none_comes(
    store: Database, relay: DigestRelay, post: Post, clock: StoppedClock
) -> None:
    await change_player(store, BORIS, {"digest": 8})
    clock.advance(MORNING)
    await relay.poll()
    assert [morning.turns[0].players[0] for morning in post.sent.values()] == [ANNA]
    async with store.read() as reader:
        boris = await reader.digests.get(BORIS)
    assert boris is not None
    assert boris.due == clock() + DAY


async def test_two_processes_send_one(store: Database, relay: DigestRelay, post: Post, clock: StoppedClock) -> None:
    clock.advance(MORNING)
    await relay.process(ANNA)
    await DigestRelay(store, post).process(ANNA)
    assert len(post.sent) == 1


@pytest.mark.parametrize("down", [0, MINUTE, 5 * MINUTE, 3 * HOUR])
async def test_a_process_that_dies_between_sending_and_noting_it_makes_no_second_one(
    store: Database, relay: DigestRelay, post: Post, clock: StoppedClock, down: int
) -> None:
    clock.advance(MORNING)
    post.lost = True
    with pytest.raises(ConnectionResetError):
        await relay.process(ANNA)
    post.lost = False
    clock.advance(down)
    if down > 3 * MINUTE:  # Discord has forgotten the nonce
        post.sent = {f"forgotten {once}": morning for once, morning in post.sent.items()}
    for _ in range(20):
        await DigestRelay(store, post).poll()
        clock.advance(30_000)
    assert len(post.sent) == 1


async def test_what_discord_refuses_for_the_moment_is_sent_later(
    store: Database, relay: DigestRelay, post: Post, clock: StoppedClock
) -> None:
    clock.advance(MORNING)
    post.error = Rejected("500")
    await relay.poll()
    clock.advance(HOUR)
    post.error = None
    await DigestRelay(store, post).poll()
    assert len(post.sent) == 1


@pytest.mark.parametrize(("late", "sent"), [(4 * HOUR, 1), (4 * HOUR + 1, 0)])
async def test_after_a_downtime_it_comes_late_but_not_after_the_morning(
    store: Database, relay: DigestRelay, post: Post, clock: StoppedClock, late: int, sent: int
) -> None:
    clock.advance(MORNING + late)
    await relay.poll()
    assert len(post.sent) == sent
    digest = await stored(store)
    assert digest is not None
    assert digest.due == clock() - late + DAY


async def test_closed_direct_messages_end_it(
    store: Database, relay: DigestRelay, post: Post, clock: StoppedClock
) -> None:
    clock.advance(MORNING)
    post.error = Undeliverable("50007")
    await relay.poll()
    async with store.read() as reader:
        settings = await reader.people.get(ANNA)
    assert (settings.digest, settings.digest_closed) == (None, True)
    post.error = None
    clock.advance(DAY)
    await relay.poll()
    assert not post.sent
    await change_player(store, ANNA, {"digest": 8})
    clock.advance(DAY)
    await relay.poll()
    assert len(post.sent) == 1


async def test_a_player_who_is_deleted_while_it_is_sent_stays_deleted(
    store: Database, post: Post, relay: DigestRelay, clock: StoppedClock
) -> None:
    use_cases = UseCases.over(store, seeds=lambda: 4)

    class Deleting(Post):
        async def send(self, settings: PlayerSettings, morning: Morning, once: str) -> None:
            await Privacy(use_cases, RoleSync(store, Cloakroom())).forget(ANNA, clock())
            await super().send(settings, morning, once)

    clock.advance(MORNING)
    for error in (None, Undeliverable("gone")):
        deleting = Deleting()
        deleting.error = error
        await DigestRelay(store, deleting).poll()
    assert await stored(store) is None
    async with store.read() as reader:
        assert await reader.people.get(ANNA) == PlayerSettings(ANNA)


async def test_clicks_while_it_is_sent_bring_no_second_one(
    store: Database, relay: DigestRelay, clock: StoppedClock
) -> None:
    class Clicking(Post):
        async def send(self, settings: PlayerSettings, morning: Morning, once: str) -> None:
            await super().send(settings, morning, once)
            for hour in (None, 7, 8):
                await change_player(store, ANNA, {"digest": hour})

    post = Clicking()
    clock.advance(MORNING)
    for _ in range(5):
        await DigestRelay(store, post).poll()
        clock.advance(MINUTE)
    assert len(post.sent) == 1


async def test_a_clock_that_was_ahead_is_forgiven(
    store: Database, relay: DigestRelay, post: Post, clock: StoppedClock
) -> None:
    digest = await stored(store)
    assert digest is not None
    async with store.write() as tx:
        await tx.digests.put(replace(digest, due=Millis(clock() + 400 * DAY), day=digest.day + 400))
    await relay.poll()
    clock.advance(MORNING)
    await relay.poll()
    assert len(post.sent) == 1


async def test_it_tells_challenges_that_wait_for_the_player_and_games_that_ended_since(
    store: Database, relay: DigestRelay, post: Post, clock: StoppedClock
) -> None:
    use_cases = UseCases.over(store, seeds=lambda: 4)
    over = await add_match(store, a_match(2, control="30d"))
    await save_match(store, resign(over, BORIS))
    terms = Terms(GAME, parse_control("30d"))
    asked = await use_cases.challenges.challenge(BORIS, ANNA, GUILD, ChannelId(3), terms, clock())
    await use_cases.challenges.challenge(ANNA, BORIS, GUILD, ChannelId(4), terms, clock())
    await use_cases.challenges.challenge(BORIS, None, GUILD, ChannelId(5), terms, clock())
    clock.advance(MORNING)
    await relay.poll()
    (morning,) = post.sent.values()
    assert [each.id for each in morning.challenges] == [asked.id]
    assert [each.id for each in morning.ended] == [over.id]
    clock.advance(DAY)
    await relay.poll()
    assert [len(morning.ended) for morning in post.sent.values()] == [1, 0]


async def test_players_of_many_servers_have_theirs_in_the_same_round(
    store: Database, post: Post, clock: StoppedClock
) -> None:
    for number in range(60):  # the relay asks for fifty at a time
        await add_match(store, a_match(number + 1, (UserId(1000 + number), BORIS), control="30d"))
        await change_player(store, UserId(1000 + number), {"digest": 8})
    clock.advance(MORNING)
    relay = DigestRelay(store, post)
    for _ in range(2):
        await relay.poll()
    assert len(post.sent) == 60
