"""The home post of a server: one message a day, edited when something has changed, whatever Discord says."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from play.challenge.challenge import Challenge
from play.challenge.terms import Terms
from play.clock import parse_control
from play.community.home import MIN_EDIT_MILLIS, Home, HomeContent, next_post
from play.ids import ChallengeId, ChannelId, GuildId, IdempotencyKey, MessageId, Millis, RoleId, UserId
from play.posts import PostProblem
from storage import Database
from tests.clock import DAY, HOUR, MINUTE, SECOND, StoppedClock
from tests.keepers import kept_posts
from tests.matches import GAME, GUILD, pass_time
from tests.open_channels import OPEN, StoredChannels
from use_cases import UseCases
from use_cases.homes import load_home_content
from use_cases.worker import RetryLater
from use_cases.workers.home_refresher import EditsCapped, HomeLost, HomeNotPosted, HomeRefresher

CHANNEL, CARDS, ROLE = ChannelId(70), ChannelId(80), RoleId(90)
MEMBERS = [UserId(100 + number) for number in range(12)]


@dataclass
class Wall:
    """A channel on Discord: it keeps the messages, and refuses what it is told to refuse."""

    messages: dict[int, HomeContent] = field(default_factory=dict)
    posts: list[Millis] = field(default_factory=list)
    edits: list[Millis] = field(default_factory=list)
    pings: list[tuple[ChallengeId, ...]] = field(default_factory=list)
    removed: list[int] = field(default_factory=list)
    nonces: dict[tuple[ChannelId, int], MessageId] = field(default_factory=dict)
    problem: PostProblem | None = None
    capped: bool = False

    async def post(self, home: Home, content: HomeContent, now: Millis) -> MessageId:
        if self.problem is not None:
            raise HomeNotPosted(self.problem)
        await asyncio.sleep(0)
        nonce = home.channel, home.posts
        if nonce not in self.nonces:
            self.nonces[nonce] = MessageId(1000 + len(self.nonces))
            self.posts.append(now)
        self.messages[self.nonces[nonce]] = content
        return self.nonces[nonce]

    async def edit(self, home: Home, content: HomeContent, now: Millis) -> None:
        assert home.message is not None
        if self.problem is not None:
            raise HomeNotPosted(self.problem)
        if home.message not in self.messages:
            raise HomeLost
        self.edits.append(now)
        if self.capped:
            raise EditsCapped
        self.messages[home.message] = content

    async def ping(self, home: Home, challenges: Sequence[Challenge]) -> MessageId | None:
        self.pings.append(tuple(challenge.id for challenge in challenges))
        return MessageId(5000 + len(self.pings))

    async def remove(self, channel: ChannelId, message: MessageId) -> None:
        self.removed.append(message)
        self.messages.pop(message, None)


@pytest.fixture
def use_cases(store: Database) -> UseCases:
    return UseCases.over(store, lambda: 1)


@pytest.fixture
def wall() -> Wall:
    return Wall()


def refresher(use_cases: UseCases, wall: Wall) -> HomeRefresher:
    """Returns a worker as a process that has just started has it."""
    worker = HomeRefresher(use_cases.store, kept_posts(use_cases.store), wall, OPEN)
    use_cases.events.guild_changed.subscribe(worker.note_change)
    return worker


async def offer(use_cases: UseCases, clock: StoppedClock, by: UserId, guild: GuildId = GUILD) -> Challenge:
    """Makes an open challenge whose card is posted."""
    terms = Terms(GAME, parse_control("3d"))
    challenge = await use_cases.challenges.challenge(by, None, guild, CARDS, terms, clock())
    async with use_cases.store.write() as tx:
        await tx.challenges.mark_card_posted(challenge.id, challenge.version, MessageId(7000 + challenge.id))
    return challenge


async def play_a_game(use_cases: UseCases, clock: StoppedClock, day: int) -> None:
    """Lets two members begin a game, and one resign the next day's."""
    first, second = MEMBERS[day % 12], MEMBERS[(day * 5 + 1) % 12]
    challenge = await offer(use_cases, clock, first)
    _, match = await use_cases.challenges.accept(
        challenge.id, second, clock(), changes=0, thread=ChannelId(9000 + challenge.id)
    )
    assert match is not None
    if day % 3:
        await use_cases.matches.resign(match.id, second, clock(), IdempotencyKey(10**6 + day))


async def home_of(use_cases: UseCases, guild: GuildId = GUILD) -> Home:
    home = await use_cases.homes.of(guild)
    assert home is not None
    return home


@pytest.mark.parametrize("days", [6, pytest.param(30, marks=pytest.mark.contest)])
async def test_days_of_a_server_of_twelve_bring_a_post_a_day(
    store: Database, clock: StoppedClock, use_cases: UseCases, wall: Wall, days: int
) -> None:
    worker = refresher(use_cases, wall)
    await use_cases.homes.settle(GUILD, CHANNEL, "Europe/Warsaw", UserId(1))
    start = clock()
    for day in range(days):
        if day == days // 3:  # a restart in between
            use_cases = UseCases.over(store, lambda: 1)
            worker = refresher(use_cases, wall)
        wall.capped = day == days // 2
        for hour in range(24):
            if day == days * 2 // 3:
                wall.problem = PostProblem.CHANNEL if hour < 12 else None
            if hour == 12:
                await play_a_game(use_cases, clock, day)
            await worker.poll()
            await pass_time(store, clock, HOUR)
    assert len(wall.posts) == days + 1  # the first one at once, and one at seven on each day
    assert len({int(posted - start) // DAY for posted in wall.posts}) == days
    assert [*wall.messages] == [(await home_of(use_cases)).message]  # one message, all others deleted
    assert all(later - earlier >= MIN_EDIT_MILLIS for earlier, later in zip(wall.edits, wall.edits[1:], strict=False))
    assert len(wall.edits) < days * 6


async def test_a_change_edits_the_message_and_no_change_does_not(
    store: Database, clock: StoppedClock, use_cases: UseCases, wall: Wall
) -> None:
    worker = refresher(use_cases, wall)
    await use_cases.homes.settle(GUILD, CHANNEL, None, UserId(1))
    await worker.poll()
    for _ in range(3):
        await pass_time(store, clock, HOUR)
        use_cases.events.guild_changed(GUILD)
        await worker.poll()
        await pass_time(store, clock, MINUTE)
        await worker.poll()
    assert (len(wall.posts), wall.edits) == (1, [])
    challenge = await offer(use_cases, clock, MEMBERS[0])
    await worker.poll()
    await pass_time(store, clock, MINUTE)
    await worker.poll()
    (content,) = wall.messages.values()
    assert [each.id for each in content.challenges] == [challenge.id]


async def test_thirty_events_in_a_second_cost_one_edit(
    store: Database, clock: StoppedClock, use_cases: UseCases, wall: Wall
) -> None:
    worker = refresher(use_cases, wall)
    await use_cases.homes.settle(GUILD, CHANNEL, None, UserId(1))
    await worker.poll()
    await pass_time(store, clock, HOUR)
    await offer(use_cases, clock, MEMBERS[0])
    for _ in range(30):
        use_cases.events.guild_changed(GUILD)
        await worker.poll()
    for _ in range(8):
        await pass_time(store, clock, 15 * SECOND)
        await worker.poll()
    assert len(wall.edits) == 1


async def test_after_error_30046_ten_seconds_pass_before_the_next_edit(
    store: Database, clock: StoppedClock, use_cases: UseCases, wall: Wall
) -> None:
    worker = refresher(use_cases, wall)
    await use_cases.homes.settle(GUILD, CHANNEL, None, UserId(1))
    await worker.poll()
    await pass_time(store, clock, HOUR)
    wall.capped = True
    await offer(use_cases, clock, MEMBERS[0])
    await worker.poll()
    await pass_time(store, clock, MINUTE)
    await worker.poll()
    wall.capped = False
    await pass_time(store, clock, 9 * SECOND)
    await worker.poll()
    assert len(wall.edits) == 1
    await pass_time(store, clock, SECOND)
    await worker.poll()
    assert len(wall.edits) == 2
    assert len(wall.posts) == 1


async def test_a_deleted_message_is_posted_again(
    store: Database, clock: StoppedClock, use_cases: UseCases, wall: Wall
) -> None:
    worker = refresher(use_cases, wall)
    await use_cases.homes.settle(GUILD, CHANNEL, None, UserId(1))
    await worker.poll()
    wall.messages.clear()
    await pass_time(store, clock, HOUR)
    await offer(use_cases, clock, MEMBERS[0])
    await worker.poll()
    await pass_time(store, clock, MINUTE)
    await worker.poll()
    assert len(wall.posts) == 2


async def test_a_lost_channel_is_noted_and_tried_less_and_less_until_the_home_ends(
    store: Database, clock: StoppedClock, use_cases: UseCases, wall: Wall
) -> None:
    worker = refresher(use_cases, wall)
    await use_cases.homes.settle(GUILD, CHANNEL, None, UserId(1))
    wall.problem = PostProblem.PERMISSION
    await worker.poll()
    assert (await home_of(use_cases)).trouble is PostProblem.PERMISSION
    await pass_time(store, clock, HOUR)
    wall.problem = None
    await worker.poll()
    assert (await home_of(use_cases)).trouble is None
    assert len(wall.posts) == 1
    wall.problem = PostProblem.CHANNEL
    for _ in range(40):
        await pass_time(store, clock, DAY)
        await worker.poll()
    assert await use_cases.homes.of(GUILD) is None


async def test_two_processes_at_once_make_one_message(
    store: Database, clock: StoppedClock, use_cases: UseCases, wall: Wall
) -> None:
    workers = [refresher(use_cases, wall), refresher(use_cases, wall)]
    await use_cases.homes.settle(GUILD, CHANNEL, None, UserId(1))
    await asyncio.gather(*(worker.poll() for worker in workers))
    assert len(wall.posts) == 1
    assert len(wall.messages) == 1


async def test_a_crash_between_post_and_save_makes_no_second_message(
    store: Database, clock: StoppedClock, use_cases: UseCases, wall: Wall
) -> None:
    await use_cases.homes.settle(GUILD, CHANNEL, None, UserId(1))
    home = await home_of(use_cases)
    content = await load_home_content(store, OPEN, home, clock())
    await wall.post(home, content, clock())
    await refresher(use_cases, wall).poll()
    assert len(wall.posts) == 1


async def test_a_role_is_pinged_once_an_hour_for_all_new_challenges(
    store: Database, clock: StoppedClock, use_cases: UseCases, wall: Wall
) -> None:
    worker = refresher(use_cases, wall)
    old = await offer(use_cases, clock, MEMBERS[0])
    await use_cases.homes.settle(GUILD, CHANNEL, None, UserId(1))
    await use_cases.homes.set_role(GUILD, UserId(1), ROLE)
    await worker.poll()
    made = []
    for member in MEMBERS[1:4]:
        made.append((await offer(use_cases, clock, member)).id)
        for _ in range(6):
            await pass_time(store, clock, MINUTE)
            await worker.poll()
    for _ in range(16):
        await pass_time(store, clock, 5 * MINUTE)
        await worker.poll()
    assert old.id not in {each for ping in wall.pings for each in ping}
    assert [set(ping) for ping in wall.pings] == [{made[0]}, set(made[1:])]
    assert 5001 in wall.removed


async def test_a_stopped_home_is_not_posted_any_more(
    store: Database, clock: StoppedClock, use_cases: UseCases, wall: Wall
) -> None:
    worker = refresher(use_cases, wall)
    await use_cases.homes.settle(GUILD, CHANNEL, None, UserId(1))
    await worker.poll()
    await use_cases.homes.stop(GUILD)
    await pass_time(store, clock, 2 * DAY)
    await worker.poll()
    assert len(wall.posts) == 1


async def test_another_channel_gets_the_home_and_the_former_message_is_deleted(
    store: Database, clock: StoppedClock, use_cases: UseCases, wall: Wall
) -> None:
    worker = refresher(use_cases, wall)
    await use_cases.homes.settle(GUILD, CHANNEL, None, UserId(1))
    await worker.poll()
    former = (await home_of(use_cases)).message
    await use_cases.homes.settle(GUILD, ChannelId(71), None, UserId(1))
    await worker.poll()
    assert wall.removed == [former]
    assert len(wall.messages) == 1


async def test_pressing_post_now_many_times_makes_one_message(
    store: Database, clock: StoppedClock, use_cases: UseCases, wall: Wall
) -> None:
    worker = refresher(use_cases, wall)
    await use_cases.homes.settle(GUILD, CHANNEL, None, UserId(1))
    await worker.poll()
    await pass_time(store, clock, HOUR)
    for _ in range(30):
        await use_cases.homes.post_now(GUILD, clock())
        await worker.poll()
    assert len(wall.posts) == 2


async def test_only_servers_with_a_change_or_a_new_day_are_looked_at(
    store: Database, clock: StoppedClock, use_cases: UseCases, wall: Wall
) -> None:
    worker = refresher(use_cases, wall)
    for guild in range(1, 21):
        await use_cases.homes.settle(GuildId(guild), ChannelId(guild), None, UserId(1))
    await worker.poll()
    await pass_time(store, clock, MINUTE)
    use_cases.events.guild_changed(GuildId(3))
    await worker.pending(50)
    await pass_time(store, clock, MIN_EDIT_MILLIS)
    assert await worker.pending(50) == [3]


@pytest.mark.parametrize(("zone", "hour"), [(None, 7), ("Europe/Warsaw", 5), ("Asia/Tokyo", 22)])
def test_a_post_is_due_at_seven_in_the_morning_of_its_zone(zone: str | None, hour: int) -> None:
    noon = Millis(1_750_000_000_000)
    due = next_post(noon, zone)
    assert (due // HOUR) % 24 == hour
    assert 0 < due - noon <= DAY + HOUR


async def test_a_home_stays_as_it_is_while_discord_does_not_say_who_reads_a_channel(
    store: Database, clock: StoppedClock, use_cases: UseCases, wall: Wall
) -> None:
    channels = StoredChannels()
    worker = HomeRefresher(store, kept_posts(store), wall, channels)
    use_cases.events.guild_changed.subscribe(worker.note_change)
    await use_cases.homes.settle(GUILD, CHANNEL, None, UserId(1))
    await worker.poll()
    shown = dict(wall.messages)
    channels.away = True
    await offer(use_cases, clock, MEMBERS[0])
    await worker.pending(1)
    await pass_time(store, clock, HOUR)
    with pytest.raises(RetryLater):
        await worker.process(GUILD)
    assert wall.messages == shown
    channels.away = False
    await worker.process(GUILD)
    assert [content.challenges_count for content in wall.messages.values()] == [1]
