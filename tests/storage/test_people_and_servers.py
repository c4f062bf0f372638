"""Settings come back as they were saved, and two changes at once do not undo each other."""

from __future__ import annotations

from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from play.challenge.terms import Order, Terms, Window
from play.clock import parse_control
from play.clock.schedule import Night
from play.ids import ChannelId, GuildId, RoleId
from play.people.settings import PlayerSettings, Reminders, ServerSettings
from storage import Database
from storage.errors import Stale
from tests.matches import ANNA, BORIS, CLARA, GAME

TERMS = Terms(GAME, parse_control("10m+30s"), Order.LAST, rated=True, window=Window(1400, 1600))
ANNAS = PlayerSettings(
    ANNA,
    language="pl",
    theme="dark",
    confirm_live=True,
    confirm_days=False,
    reminders=Reminders.DM,
    night=Night(22 * 60, 7 * 60 + 30),
    zone=ZoneInfo("Europe/Warsaw"),
    terms=TERMS,
    opens_next=True,
    named=False,
)
CLUB = ServerSettings(
    GuildId(7),
    terms=TERMS,
    channels=frozenset({ChannelId(2**62), ChannelId(3)}),
    roles=frozenset({RoleId(5)}),
    threads=False,
    language="ru",
    theme="notebook",
    rated=True,
    dot_dash=False,
    pages=True,
)


async def person(store: Database, user: PlayerSettings) -> PlayerSettings:
    async with store.read() as reader:
        return await reader.people.get(user.id)


async def saved(store: Database, settings: PlayerSettings) -> PlayerSettings:
    async with store.write() as tx:
        return await tx.people.save(settings)


async def server(store: Database) -> ServerSettings:
    async with store.read() as reader:
        return await reader.servers.get(CLUB.id)


async def saved_server(store: Database, settings: ServerSettings) -> ServerSettings:
    async with store.write() as tx:
        return await tx.servers.save(settings)


async def test_a_user_who_has_set_nothing_has_the_defaults(store: Database) -> None:
    assert await person(store, PlayerSettings(ANNA)) == PlayerSettings(ANNA)
    assert await server(store) == ServerSettings(CLUB.id)


@pytest.mark.parametrize("settings", [PlayerSettings(ANNA), ANNAS], ids=["the defaults", "all changed"])
async def test_the_settings_of_a_user_come_back(store: Database, settings: PlayerSettings) -> None:
    stored = await saved(store, settings)
    assert await person(store, settings) == stored == replace(settings, version=1)


@pytest.mark.parametrize("settings", [ServerSettings(CLUB.id), CLUB], ids=["the defaults", "all changed"])
async def test_the_settings_of_a_server_come_back(store: Database, settings: ServerSettings) -> None:
    stored = await saved_server(store, settings)
    assert await server(store) == stored == replace(settings, version=1)


async def test_users_who_are_not_named_where_they_watch_are_found_together(store: Database) -> None:
    await saved(store, ANNAS)
    await saved(store, PlayerSettings(BORIS))
    async with store.read() as reader:
        assert await reader.people.unnamed({ANNA, BORIS, CLARA}) == {ANNA}
        assert await reader.people.unnamed(set()) == frozenset()


async def test_a_setting_can_be_taken_back(store: Database) -> None:
    stored = await saved(store, ANNAS)
    await saved(store, replace(stored, language=None, night=None, zone=None, terms=None))
    assert await person(store, ANNAS) == replace(ANNAS, language=None, night=None, zone=None, terms=None, version=2)


async def test_the_settings_of_one_person_are_his_alone(store: Database) -> None:
    await saved(store, ANNAS)
    assert await person(store, PlayerSettings(BORIS)) == PlayerSettings(BORIS)


@pytest.mark.parametrize("changed_before", [False, True])
async def test_of_two_changes_at_once_the_first_counts(store: Database, *, changed_before: bool) -> None:
    seen = await saved(store, PlayerSettings(ANNA)) if changed_before else PlayerSettings(ANNA)
    first = await saved(store, replace(seen, theme="dark"))
    with pytest.raises(Stale):
        await saved(store, replace(seen, theme="notebook"))
    assert await person(store, first) == first


@pytest.mark.parametrize("changed_before", [False, True])
async def test_of_two_changes_of_a_server_at_once_the_first_counts(store: Database, *, changed_before: bool) -> None:
    seen = await saved_server(store, ServerSettings(CLUB.id)) if changed_before else ServerSettings(CLUB.id)
    first = await saved_server(store, replace(seen, threads=False))
    with pytest.raises(Stale):
        await saved_server(store, replace(seen, language="ru"))
    assert await server(store) == first


async def test_settings_outlive_the_bot(url: str) -> None:
    async with Database.open(url) as store:
        stored = await saved(store, ANNAS)
    async with Database.open(url) as store:
        assert await person(store, ANNAS) == stored
