"""News of a release: each server that was there is told once, where it has given Kropka a place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.markup import spoken
from play.community.home import Home
from play.community.news import TOLD_RELEASE, NewsKind
from play.ids import ChannelId, GuildId
from play.people.settings import ServerSettings
from storage import Database
from use_cases.events import Events
from use_cases.releases import Releases

CHANGELOG = Path(__file__).parents[2] / "CHANGELOG.md"
LOG, HOME = ChannelId(20), ChannelId(30)


async def settle(store: Database, guild: int, *, log: bool, home: bool, wanted: bool = True) -> None:
    """Gives a server a log and a home post, if it has them."""
    async with store.write() as tx:
        await tx.servers.save(ServerSettings(GuildId(guild), log_channel=LOG if log else None, news=wanted))
        if home:
            await tx.homes.save(Home(GuildId(guild), HOME))


async def told(store: Database) -> set[tuple[int, int]]:
    """Returns the servers for which news of a release wait, and the channels where they will be."""
    async with store.read() as reader:
        found = [await reader.news.get(each) for each in await reader.news.pending(100)]
    assert all(each is not None and each.kind is NewsKind.RELEASE for each in found)
    assert len(found) == len({each.guild for each in found if each is not None})
    return {(each.guild, each.channel) for each in found if each is not None}


@pytest.fixture
def releases(store: Database) -> Releases:
    return Releases(store, Events())


async def test_a_server_is_told_in_its_log_or_else_where_its_home_is(store: Database, releases: Releases) -> None:
    await settle(store, 1, log=True, home=True)
    await settle(store, 2, log=True, home=False)
    await settle(store, 3, log=False, home=True)
    await settle(store, 4, log=False, home=False)
    async with store.write() as tx:
        await tx.homes.save(Home(GuildId(5), HOME))
    await releases.tell("1.0.0")
    assert await told(store) == {(1, LOG), (2, LOG), (3, HOME), (5, HOME)}


async def test_a_server_that_has_switched_it_off_is_not_told(store: Database, releases: Releases) -> None:
    await settle(store, 1, log=True, home=True, wanted=False)
    await releases.tell("1.0.0")
    assert await told(store) == set()


async def test_a_release_is_told_once_and_not_to_servers_that_come_later(store: Database, releases: Releases) -> None:
    await releases.tell("1.0.0")
    await settle(store, 1, log=True, home=False)
    await releases.tell("1.0.0")
    assert await told(store) == set()
    await releases.tell("1.1.0")
    await releases.tell("1.0.0")  # an older version was started again
    assert await told(store) == {(1, LOG)}


def test_the_catalogues_tell_of_the_newest_release_with_highlights() -> None:
    chapters = re.split(r"^## ", CHANGELOG.read_text("utf-8"), flags=re.MULTILINE)
    newest, *_ = (chapter.split()[0] for chapter in chapters if "The largest changes:" in chapter)
    assert newest == TOLD_RELEASE, "tell its highlights in release.news, in six languages"


def test_the_highlights_are_as_many_in_each_language() -> None:
    counts = {words.tag: words("release.news", version="1").count("\n- **") for words in spoken()}
    assert set(counts.values()) == {8}
