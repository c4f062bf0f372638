"""A game of two servers on the web: each reader sees it from their own server, and learns nothing of the other one."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from play.ids import ChannelId, GuildId, Millis, UserId
from play.match.match import Match
from play.people.membership import Membership
from play.people.settings import ServerSettings
from play.people.web_session import WebWatch
from play.refusal import Refused
from storage import Database
from tests.clock import DAY, StoppedClock
from tests.matches import ANNA, BORIS, GUILD, a_match, add_match, away_place, resign, save_match
from use_cases import UseCases
from use_cases.channel_rights import ChannelRights, Rights, Spectators
from use_cases.public_pages import PublicGames
from use_cases.web_sessions import WebSessions

HERE, THERE = ChannelId(1), ChannelId(2)
OTHER = GuildId(8)
ONE, TWO = UserId(501), UserId(502)
"""Members of this server, and of the other one."""

MEMBERS = {ANNA: GUILD, ONE: GUILD, BORIS: OTHER, TWO: OTHER}
SERVERS = {HERE: GUILD, THERE: OTHER}


class Channels:
    """Servers as Discord tells of them; each member sees each channel of their server."""

    def __init__(self, opened: dict[ChannelId, bool] | None = None) -> None:
        self.opened = {HERE: True, THERE: True} | (opened or {})

    async def rights(self, guild: GuildId, channel: ChannelId, user: UserId) -> Rights | None:
        assert SERVERS[channel] == guild
        sees = MEMBERS[user] == guild
        return Rights(sees, sees)

    async def membership(self, guild: GuildId, user: UserId) -> Membership | None:
        return Membership() if MEMBERS[user] == guild else None

    async def is_there(self, channel: ChannelId) -> bool:
        return channel in SERVERS

    async def left(self, guild: GuildId, users: Collection[UserId]) -> frozenset[UserId]:
        return frozenset(user for user in users if MEMBERS[user] != guild)

    async def is_private_thread(self, channel: ChannelId) -> bool:
        return False

    async def server_name(self, guild: GuildId) -> str | None:
        return str(guild)

    async def is_open(self, guild: GuildId, channel: ChannelId) -> bool:
        assert SERVERS[channel] == guild
        return self.opened[channel]

    async def shows(self, guild: GuildId, here: ChannelId, channel: ChannelId) -> bool:
        return self.opened[channel]


@pytest.fixture
async def match(store: Database) -> Match:
    return await add_match(store, a_match(1, away=away_place(2)))


@pytest.fixture
def rights(store: Database) -> ChannelRights:
    return ChannelRights(store, Channels())


@pytest.fixture
def sessions(store: Database, use_cases: UseCases, rights: ChannelRights) -> WebSessions:
    return WebSessions(store, use_cases.actions._writer.events, rights)


@pytest.mark.parametrize(("user", "guild"), MEMBERS.items())
async def test_everyone_looks_at_the_board_from_their_own_server(
    store: Database, sessions: WebSessions, match: Match, clock: StoppedClock, user: UserId, guild: GuildId
) -> None:
    await sessions.watch(user, match.id)
    place = await sessions.enter(user, match.id)
    assert place.match.guild == guild
    assert place.seat == (match.players.index(user) if user in match.players else None)


async def test_one_who_has_seen_the_board_elsewhere_does_not_look_at_it_from_the_other_server(
    store: Database, sessions: WebSessions, match: Match, clock: StoppedClock
) -> None:
    async with store.write() as tx:
        await tx.web.allow_watching(WebWatch(ONE, match.id, Millis(clock() + DAY), THERE))
    with pytest.raises(Refused, match="watch_over"):
        await sessions.enter(ONE, match.id)


@pytest.mark.parametrize("away", [False, True])
async def test_readers_learn_the_names_of_spectators_of_their_own_server(
    store: Database, rights: ChannelRights, match: Match, *, away: bool
) -> None:
    readers = {BORIS, TWO} if away else {ANNA, ONE}
    found = await Spectators(store, rights).names_for(readers, match.look_from(away=away), [ONE, TWO])
    assert found == dict.fromkeys(readers, (TWO,) if away else (ONE,))


async def publish(store: Database, *guilds: GuildId) -> None:
    async with store.write() as tx:
        for guild in guilds:
            await tx.servers.save(ServerSettings(guild, pages=True))


@pytest.mark.parametrize(("pages", "opened"), [((GUILD,), {}), ((OTHER,), {}), ((GUILD, OTHER), {THERE: False})])
async def test_a_game_has_a_page_only_if_both_servers_show_it_to_everyone(
    store: Database, match: Match, pages: tuple[GuildId, ...], opened: dict[ChannelId, bool]
) -> None:
    await save_match(store, resign(match))
    await publish(store, *pages)
    public = PublicGames(store, Channels(opened))
    with pytest.raises(Refused, match="no_page"):
        await public.find(match.id)
    assert await public.is_open(match) is not bool(opened)
    async with store.read() as reader:
        for user, guild in ((ANNA, GUILD), (BORIS, OTHER)):
            [finished] = await reader.careers.finished(user, 0, 5)
            assert not await public.shows(finished, await reader.servers.get(guild))


async def test_a_game_that_both_servers_publish_has_a_page(store: Database, match: Match) -> None:
    await save_match(store, resign(match))
    await publish(store, GUILD, OTHER)
    public = PublicGames(store, Channels())
    assert (await public.find(match.id)).id == match.id
    async with store.read() as reader:
        for user, guild in ((ANNA, GUILD), (BORIS, OTHER)):
            [finished] = await reader.careers.finished(user, 0, 5)
            assert await public.shows(finished, await reader.servers.get(guild))
