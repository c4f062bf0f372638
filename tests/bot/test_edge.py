"""Answers of the edge, which has Discord's place: none is ever taken for Discord's."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord as library
import pytest
from aiohttp import web
from pydantic import SecretStr

from bot.edge import MAX_GIST, USER_AGENT, Blocked, gist, guard, refusal_of_edge
from bot.features.leaderboards import DiscordRoles
from bot.services.channels import Post, ServerPosts
from bot.services.discord_errors import describe, is_final, problem_of
from bot.services.kept_answers import KeptAnswers
from bot.services.members import DiscordMembers
from bot.services.rate_limits import Pace, Rate, ThreadBudget
from bot.services.role_connections import SCOPES, RoleConnections
from bot.services.scheduled_events import ScheduledEvents
from bot.services.web_discord import WebDiscord
from bot.telemetry import reach
from loopback import Discord
from loopback.errors import NETWORK_ERROR, Page, Refusal, cloudflare_page
from play.community.happening import EventId
from play.community.roles import RoleGrant
from play.ids import ChannelId, GuildId, RoleId, UserId
from play.refusal import Reason, Refused
from tests.bot.cli.doctoring import serving
from tests.bot.room import Room, private_words
from use_cases.worker import Backoff, ChannelClosed, RetryLater

MEMBER = "/guilds/{guild_id}/members/{user_id}"
MESSAGES = "/channels/{channel_id}/messages"
TOKEN = "/oauth2/token"  # noqa: S105

EVENT = "/guilds/{guild_id}/scheduled-events/{guild_scheduled_event_id}"
REDIRECT = "https://dots.example/linked-roles/return"

PACE = Pace(Rate(100, 0.0))

ANSWERS: Sequence[Refusal | Page] = [NETWORK_ERROR, *(cloudflare_page(status) for status in (400, 401, 403, 404))]
"""The answers of the edge, with the statuses of refusals that are final where Discord has them."""


@pytest.fixture
def run_options() -> dict[str, Any]:
    """No test here waits for the end of a pause."""
    return {"pauses": Backoff(0.0, 0.0)}


@pytest.mark.parametrize(
    ("status", "kind", "body", "is_discords"),
    [
        (403, "application/json", '{"code": 50013, "message": "Missing Permissions"}', True),
        (403, "application/json", '{"code": 0, "message": "403: Forbidden"}', True),
        (400, "application/json", '{"error": "invalid_grant"}', True),
        (403, "application/json", '{"code": 40333, "message": "internal network error"}', False),
        (403, "application/json", '{"code": 403', False),
        (403, "application/json", '"forbidden"', False),
        (403, "text/html", "<html><title>Attention Required!</title></html>", False),
        (429, "text/plain", "error code: 1015", False),
        (404, "text/plain", '{"code": 10008, "message": "Unknown Message"}', False),
        (403, "text/plain", "", False),
    ],
)
async def test_json_with_a_code_of_its_own_is_discords(status: int, kind: str, body: str, is_discords: bool) -> None:
    async def handle(_: web.Request) -> web.Response:
        return web.Response(status=status, body=body.encode(), content_type=kind)

    async with serving(handle) as address, aiohttp.ClientSession() as http, http.get(address) as answer:
        assert (refusal_of_edge(answer, await answer.read()) is None) == is_discords


def test_a_page_is_told_by_its_title_or_by_how_it_begins() -> None:
    page = cloudflare_page(403).html
    assert len(page) > 4_000
    assert gist(page) == "Attention Required! | Cloudflare"
    assert gist("error code: 1015") == "error code: 1015"
    assert gist("a\n" * 5_000) == f"{'a ' * 49}a…"
    assert len(gist("a" * 5_000)) == MAX_GIST


async def test_what_the_edge_refuses_is_no_refusal_of_discords(room: Room) -> None:
    for answer in ANSWERS:
        room.discord.fault("GET", MEMBER, answer)
        with pytest.raises(Blocked) as blocked:
            await room.client.http.get_member(room.discord.guild.id, room.ola.id)
        assert not isinstance(blocked.value, library.Forbidden | library.NotFound)
        assert not is_final(blocked.value)
        assert len(describe(blocked.value)) < 2 * MAX_GIST


def test_a_page_of_a_server_error_is_one_line_of_the_log() -> None:
    response: Any = SimpleNamespace(status=502, reason="Bad Gateway")
    error = library.DiscordServerError(response, cloudflare_page(502, "discord.com | 502: Bad gateway").html)
    assert describe(error) == "502, code 0: discord.com | 502: Bad gateway"


async def test_a_member_whom_the_edge_hides_has_not_left(room: Room) -> None:
    server, user = GuildId(room.discord.guild.id), UserId(room.kasia.id)
    for answer in ANSWERS:
        room.discord.fault("GET", MEMBER, answer)
        await room.services.names.of(user, server)
        assert not room.services.names.has_left(user, server)
        room.discord.fault("GET", MEMBER, answer)
        with pytest.raises(Refused) as refused:
            await room.services.rights.sees(server, ChannelId(room.channel.id), user)
        assert refused.value.key == Reason.CHAT_AWAY


async def test_a_challenge_stays_while_the_edge_hides_its_challenger(room: Room) -> None:
    card = await room.challenge()
    room.discord.fault("GET", MEMBER, cloudflare_page(404))
    await room.maksim.click(card, "Accept").followed()
    await room.wait_for_thread(card)


async def test_a_role_that_the_edge_holds_up_is_given_later(room: Room) -> None:
    role = room.discord.make_role("Master")
    roles = DiscordRoles(room.client, room.services.locales, DiscordMembers(KeptAnswers(room.client)))
    for answer in ANSWERS:
        room.discord.fault("PUT", "/guilds/{guild_id}/members/{user_id}/roles/{role_id}", answer)
        with pytest.raises(RetryLater):
            await roles.give(GuildId(room.discord.guild.id), RoleGrant(UserId(room.ola.id), RoleId(role.id)))


async def test_an_event_that_the_edge_holds_up_is_made_later(room: Room) -> None:
    scheduled = ScheduledEvents(room.client, room.services.locales)
    for answer in ANSWERS:
        room.discord.fault("DELETE", EVENT, answer)
        with pytest.raises(RetryLater):
            await scheduled.delete(EventId(1), GuildId(room.discord.guild.id))


async def test_a_post_that_the_edge_holds_up_has_no_trouble_to_tell_of(room: Room) -> None:
    posts = ServerPosts(room.services.directory, ThreadBudget())
    server, channel = GuildId(room.discord.guild.id), ChannelId(room.channel.id)
    for answer in ANSWERS:
        room.discord.fault("POST", MESSAGES, answer)
        with pytest.raises(RetryLater) as held_up:
            await posts.post(server, channel, "once", Post("a table"))
        assert not isinstance(held_up.value, ChannelClosed)
        assert isinstance(held_up.value.__cause__, Blocked)
        assert problem_of(held_up.value.__cause__) is None


def trace_of(room: Room) -> aiohttp.TraceConfig:
    return room.bot.breaker.watch(guard(room.bot.metrics.trace))


async def test_an_account_stays_linked_whatever_the_edge_answers(room: Room) -> None:
    connections = RoleConnections(room.client, SecretStr(room.discord.client_secret), trace_of(room), PACE)
    code = room.discord.world.activities.authorize(room.ola.id, SCOPES, REDIRECT)
    access = await connections.access((await connections.grant(code, REDIRECT)).refresh)
    for answer in ANSWERS:
        room.discord.fault("PUT", "/users/@me/applications/{application_id}/role-connection", answer)
        with pytest.raises(RetryLater):
            await connections.push(access.token, {})
        room.discord.fault("POST", TOKEN, answer)
        with pytest.raises(RetryLater):
            await connections.access(access.refresh)


async def test_a_code_is_not_wrong_because_the_edge_answers(room: Room) -> None:
    for answer in ANSWERS:
        entrance = WebDiscord(room.client, SecretStr("secret"), trace_of(room))
        room.discord.fault("POST", TOKEN, answer)
        with pytest.raises(Refused) as refused:
            await entrance.exchange("code", 0)
        assert refused.value.key == Reason.ENTRANCE_BUSY


async def test_an_answer_that_the_edge_has_stopped_is_told_as_trouble(
    room: Room, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    for answer in ANSWERS[::3]:
        room.discord.fault("POST", "/interactions/{interaction_id}/{interaction_token}/callback", answer)
        assert "Discord is having trouble" in await private_words(room.ola.command(room.channel, "games"))
    assert all(len(line) < 3 * MAX_GIST for line in caplog.messages)


async def test_a_start_waits_while_the_edge_answers(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def sleep(_: float) -> None: ...

    async with Discord() as discord:
        monkeypatch.setattr(library.http.Route, "BASE", discord.api)
        fault = discord.fault("GET", "/gateway", cloudflare_page(403), times=2)
        await reach.wait_for_discord(sleep)
    assert len(fault.hits) == 2
    assert "the edge answers in its place: 403, Attention Required! | Cloudflare" in caplog.text


async def test_what_passes_and_what_pauses_is_counted(room: Room) -> None:
    room.discord.fault("GET", MEMBER, cloudflare_page(403))
    with pytest.raises(Blocked):
        await room.client.http.get_member(room.discord.guild.id, room.ola.id)
    text = room.services.metrics.text().decode()
    assert "kropka_blocked_requests_total 1.0" in text
    assert 'kropka_invalid_requests{status="403"} 1.0' in text
    assert "kropka_pause_seconds 0.0" in text
    assert 'status="Blocked"' not in text


async def test_a_file_that_is_gone_pauses_nothing(room: Room) -> None:
    """Files are served by another part of Discord's network, with pages where there is none."""
    with pytest.raises(library.NotFound):
        await room.client.http.get_from_cdn(f"{library.asset.Asset.BASE}/attachments/1/2/a.sgf")
    assert "kropka_blocked_requests_total 0.0" in room.services.metrics.text().decode()


async def test_all_requests_say_who_sends_them(room: Room) -> None:
    thread = await room.start_match()
    await room.play(thread, "c3")
    await room.ola.command(thread, "board").answered()
    entrance = WebDiscord(room.client, SecretStr("secret"), trace_of(room))
    with pytest.raises(Refused):
        await entrance.exchange("wrong", 0)
    connections = RoleConnections(room.client, SecretStr("secret"), trace_of(room), PACE)
    with pytest.raises(RetryLater):
        await connections.access("wrong")
    requests = [each for each in room.discord.requests if "/gateway" not in each.endpoint]
    assert {"POST /oauth2/token", f"POST {MESSAGES}"} < {each.endpoint for each in requests}
    assert any("/callback" in each.endpoint for each in requests)
    assert {each.agent for each in requests} == {USER_AGENT}
