"""Refusals of single requests: they are told truly, counted by their code, and hold up nothing else."""

from __future__ import annotations

import logging

import aiohttp
import pytest

from bot.features.leaderboards import DiscordRoles
from bot.interactions.errors import explain
from bot.request import Request
from bot.services.kept_answers import KeptAnswers
from bot.services.members import DiscordMembers
from loopback import Silence
from play.community.roles import GrantProblem, RoleGrant
from play.ids import ChannelId, GuildId, IdempotencyKey, Millis, RoleId, UserId
from play.posts import PostProblem
from presentation.text import nameless
from tests.bot.features.home.test_home import guild, home, open_panel, refresh
from tests.bot.panels import choose
from tests.bot.room import Room, private_words
from tests.clock import HOUR
from use_cases.workers.role_sync import RoleNotChanged

MESSAGES = "/channels/{channel_id}/messages"
MEMBER = "/guilds/{guild_id}/members/{user_id}"
ROLE = "/guilds/{guild_id}/members/{user_id}/roles/{role_id}"
CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"


@pytest.mark.parametrize(("failure", "times"), [(503, 1), (Silence.CLOSED, 2), (400, 1)])
async def test_a_name_that_discord_does_not_tell_is_a_number_until_it_does(
    room: Room, failure: int | Silence, times: int
) -> None:
    """aiohttp repeats a GET whose kept connection was closed, so that takes two."""
    server, user = GuildId(room.discord.guild.id), UserId(room.kasia.id)
    room.discord.fault("GET", MEMBER, failure, times=times)
    assert await room.services.names.of(user, server) == nameless(user)
    assert await room.services.names.of(user, server) == "Kasia Wiśniewska"


async def test_a_member_that_discord_refuses_to_name_is_logged_with_the_code(
    room: Room, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    room.discord.fault("GET", MEMBER, 403, code=50001)
    assert await room.services.names.of(UserId(room.kasia.id), GuildId(room.discord.guild.id)) == "Kasia Wiśniewska"
    assert "50001" in caplog.text


async def test_direct_messages_that_are_not_opened_are_logged_with_the_code(
    room: Room, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    room.discord.fault("POST", "/users/@me/channels", 400, code=400001)
    await room.services.direct.open(UserId(room.ola.id))
    assert "400001" in caplog.text


@pytest.mark.parametrize("error", [TimeoutError(), ConnectionResetError(), aiohttp.ServerDisconnectedError()])
async def test_where_discord_is_not_reached_nobody_is_told_of_an_incident(room: Room, error: Exception) -> None:
    request = Request(UserId(1), guild(room), ChannelId(2), IdempotencyKey(3), Millis(4))
    words = room.services.languages.of()
    assert await explain(room.services, words, request, error) == words("error.discord")


@pytest.mark.parametrize(("code", "label"), [(240000, "240000"), (0, "0"), (77777, "other")])
async def test_refusals_are_counted_by_their_code(room: Room, code: int, label: str) -> None:
    room.discord.fault("POST", CALLBACK, 400, code=code)
    await private_words(room.ola.command(room.channel, "games"))
    assert f'kropka_discord_refusals_total{{code="{label}"}} 1.0' in room.services.metrics.text().decode()


@pytest.mark.parametrize("code", [240000, 20009, 77777])
async def test_a_refused_answer_is_told_without_an_incident(
    room: Room, code: int, caplog: pytest.LogCaptureFixture
) -> None:
    room.discord.fault("POST", CALLBACK, 403 if code == 20009 else 400, code=code)
    assert "Discord refused my answer" in await private_words(room.ola.command(room.channel, "games"))
    assert f"code {code}" in caplog.text
    assert not [each for each in caplog.records if each.levelno >= logging.ERROR or each.exc_info]


@pytest.mark.parametrize("code", [240000, 20009, 77777])
async def test_a_home_that_is_refused_says_so_and_comes_back(
    room: Room, code: int, caplog: pytest.LogCaptureFixture
) -> None:
    fault = room.discord.fault("POST", MESSAGES, 403 if code == 20009 else 400, code=code, times=None)
    await choose(room.ola, await open_panel(room), "home:channel", room.general.id)

    async def refused() -> bool:
        return (await home(room)).trouble is not None

    await room.until(refused)
    assert (await home(room)).trouble is PostProblem.REFUSED
    assert "Discord refuses my post" in (await open_panel(room)).text
    tried = [each for each in fault.hits if each.path["channel_id"] == str(room.general.id)]
    assert len(tried) == 1
    assert not [each for each in caplog.records if each.exc_info]
    fault.end()
    await room.pass_time(HOUR)
    await refresh(room)
    assert (await home(room)).message is not None
    assert (await home(room)).guild == guild(room)


@pytest.mark.parametrize(
    ("status", "code", "problem"),
    [(400, 77777, GrantProblem.REFUSED), (403, 20009, GrantProblem.REFUSED), (403, 50013, GrantProblem.PERMISSION)],
)
async def test_a_role_that_is_refused_has_its_reason(room: Room, status: int, code: int, problem: GrantProblem) -> None:
    role = room.discord.make_role("Master")
    roles = DiscordRoles(room.client, room.services.locales, DiscordMembers(KeptAnswers(room.client)))
    room.discord.fault("PUT", ROLE, status, code=code)
    with pytest.raises(RoleNotChanged) as refused:
        await roles.give(guild(room), RoleGrant(UserId(room.ola.id), RoleId(role.id)))
    assert refused.value.trouble is problem
