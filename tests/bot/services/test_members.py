"""Rights of members in channels: by roles, overwrites, threads and time-outs, and while Discord does not answer."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.services.kept_answers import KEPT_SECONDS, KeptAnswers
from bot.services.members import GRACE_SECONDS, DiscordMembers
from play.ids import ChannelId, GuildId, UserId
from play.refusal import Refused
from use_cases.channel_rights import Rights

GUILD, CHANNEL, THREAD, OWNER, ANNA = GuildId(1), ChannelId(2), ChannelId(3), UserId(4), UserId(5)
NOW = datetime(2026, 11, 25, tzinfo=UTC)
MAY = discord.Permissions(view_channel=True, send_messages=True, send_messages_in_threads=True).value
MODERATES = discord.Permissions(manage_threads=True).value
ADMINISTERS = discord.Permissions(administrator=True).value
ALL, NONE, READS = Rights(sees=True, writes=True), Rights(sees=False, writes=False), Rights(sees=True, writes=False)


class Http:
    """Discord's answers; None of what is not there. `asked` counts the requests."""

    def __init__(self) -> None:
        self.guild: dict[str, Any] | None = {
            "id": "1",
            "name": "Dots",
            "owner_id": "4",
            "roles": [
                {"id": "1", "permissions": str(MAY)},
                {"id": "8", "permissions": str(MODERATES)},
                {"id": "9", "permissions": str(ADMINISTERS)},
            ],
        }
        self.channels: dict[int, dict[str, Any]] = {
            CHANNEL: {"guild_id": "1", "type": 0, "permission_overwrites": []},
            THREAD: {"guild_id": "1", "type": 11, "parent_id": "2", "thread_metadata": {}},
        }
        self.members: dict[int, dict[str, Any]] = {
            user: {"roles": [], "communication_disabled_until": None} for user in (OWNER, ANNA)
        }
        self.joined: set[int] = set()
        self.closed: set[int] = set()
        self.is_away = False
        self.asked = Counter[str]()

    async def get_guild(self, _: int, *, with_counts: bool) -> Any:
        return self._answer("guild", self.guild)

    async def get_channel(self, channel: int) -> Any:
        if channel in self.closed:
            raise discord.Forbidden(SimpleNamespace(status=403, reason="Forbidden"), None)
        return self._answer("channel", self.channels.get(channel))

    async def get_member(self, _: int, user: int) -> Any:
        return self._answer("member", self.members.get(user))

    async def get_thread_member(self, _: int, user: int) -> Any:
        return self._answer("thread", {} if user in self.joined else None)

    def _answer(self, what: str, answer: Any) -> Any:
        self.asked[what] += 1
        if self.is_away:
            raise OSError
        if answer is None:
            raise discord.NotFound(SimpleNamespace(status=404, reason="Not Found"), None)
        return answer


class Scene:
    """A server with a channel, a thread, its owner and Anna."""

    def __init__(self) -> None:
        self.http, self.time = Http(), 0.0
        client: Any = SimpleNamespace(http=self.http)
        self.members = DiscordMembers(KeptAnswers(client, lambda: self.time, GRACE_SECONDS), lambda: NOW)

    async def rights(self, channel: ChannelId = CHANNEL, user: UserId = ANNA) -> Rights | None:
        return await self.members.rights(GUILD, channel, user)

    def deny(self, permissions: discord.Permissions, who: int) -> None:
        overwrite = {"id": str(who), "allow": "0", "deny": str(permissions.value)}
        self.http.channels[CHANNEL]["permission_overwrites"].append(overwrite)


@pytest.fixture
def scene() -> Scene:
    return Scene()


@pytest.mark.parametrize("channel", [CHANNEL, THREAD])
async def test_a_member_sees_and_writes(scene: Scene, channel: ChannelId) -> None:
    assert await scene.rights(channel) == ALL


async def test_one_who_is_no_member_may_nothing(scene: Scene) -> None:
    assert await scene.rights(user=UserId(99)) == NONE


async def test_where_the_bot_is_no_member_discord_tells_nothing(scene: Scene) -> None:
    scene.http.guild = None
    assert await scene.rights() is None


@pytest.mark.parametrize("channel", [ChannelId(99), CHANNEL])
async def test_a_channel_that_is_gone_or_of_another_server_is_closed(scene: Scene, channel: ChannelId) -> None:
    scene.http.channels[CHANNEL]["guild_id"] = "77"
    assert await scene.rights(channel) == NONE


async def test_overwrites_of_the_channel_count_in_its_threads_but_not_for_the_owner(scene: Scene) -> None:
    scene.deny(discord.Permissions(view_channel=True), GUILD)
    assert await scene.rights(THREAD) == NONE
    assert await scene.rights(THREAD, OWNER) == ALL


async def test_threads_have_a_permission_to_write_of_their_own(scene: Scene) -> None:
    scene.deny(discord.Permissions(send_messages_in_threads=True), ANNA)
    assert (await scene.rights(CHANNEL), await scene.rights(THREAD)) == (ALL, READS)


@pytest.mark.parametrize(("roles", "joined", "found"), [([], False, NONE), ([], True, ALL), (["8"], False, ALL)])
async def test_a_private_thread_is_for_those_who_joined_it_and_moderators(
    scene: Scene, roles: list[str], joined: bool, found: Rights
) -> None:
    scene.http.channels[THREAD]["type"] = discord.ChannelType.private_thread.value
    scene.http.members[ANNA]["roles"] = roles
    scene.http.joined = {ANNA} if joined else set()
    assert await scene.rights(THREAD) == found


@pytest.mark.parametrize(
    ("until", "roles", "found"),
    [("2026-11-25T00:00:01+00:00", [], READS), ("2026-11-24T23:59:59+00:00", [], ALL), ("2027-01-01", ["9"], ALL)],
)
async def test_a_member_who_is_timed_out_does_not_write(
    scene: Scene, until: str, roles: list[str], found: Rights
) -> None:
    scene.http.members[ANNA] |= {"communication_disabled_until": until, "roles": roles}
    assert await scene.rights() == found


async def test_a_channel_that_is_closed_to_the_bot_counts_as_a_private_thread(scene: Scene) -> None:
    private = discord.ChannelType.private_thread.value
    assert [await scene.members.is_private_thread(each) for each in (CHANNEL, THREAD, ChannelId(404))] == [False] * 3
    scene.time += KEPT_SECONDS
    scene.http.channels[THREAD]["type"] = private
    scene.http.closed = {CHANNEL}
    assert [await scene.members.is_private_thread(each) for each in (CHANNEL, THREAD)] == [True, True]
    assert await scene.rights(CHANNEL) == NONE


async def test_discord_is_asked_once_a_minute(scene: Scene) -> None:
    for _ in range(20):
        await scene.rights(THREAD)
    assert scene.http.asked == {"guild": 1, "channel": 2, "member": 1}
    del scene.http.members[ANNA]
    scene.time += KEPT_SECONDS - 1
    assert await scene.rights(THREAD) == ALL
    scene.time += 1
    assert await scene.rights(THREAD) == NONE


async def test_an_outage_of_discord_throws_nobody_out_for_a_quarter_of_an_hour(scene: Scene) -> None:
    assert await scene.rights() == ALL
    scene.http.is_away = True
    scene.time += KEPT_SECONDS + GRACE_SECONDS - 1
    scene.http.asked.clear()
    assert [await scene.rights() for _ in range(5)] == [ALL] * 5
    assert scene.http.asked == {"guild": 1, "channel": 1, "member": 1}  # nobody waits for each again
    with pytest.raises(Refused, match="chat_away"):
        await scene.rights(user=UserId(99))
    scene.time += 1
    with pytest.raises(Refused, match="chat_away"):
        await scene.rights()
    scene.http.is_away = False
    assert await scene.rights() == ALL


async def test_who_has_left_is_known_by_a_request_each(scene: Scene) -> None:
    assert await scene.members.left(GUILD, [ANNA, UserId(66), UserId(-3)]) == {66}
    assert scene.http.asked["member"] == 2


@pytest.mark.parametrize("silent", [True, False])
async def test_nobody_has_left_where_discord_does_not_say_or_the_bot_is_no_member(scene: Scene, silent: bool) -> None:
    scene.http.is_away = silent
    scene.http.guild, scene.http.members = None, {}
    assert await scene.members.left(GUILD, [ANNA]) == frozenset()
