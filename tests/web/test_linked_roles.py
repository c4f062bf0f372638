"""Linked roles: a user allows it at Discord and comes back, and all who only look like that."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import yarl
from pydantic import SecretStr

from bot.cli.tryout import mount_site
from bot.markup import spoken
from bot.services.role_connections import register_figures
from bot.settings import Hosting
from loopback import Discord, Person, Silence
from play.community.roles import PUSH_MILLIS, LinkState
from play.community.streak import Streak
from play.ids import UserId
from presentation.words.words import SOURCE
from tests.bot.conftest import running_room
from tests.bot.features.match.delivery.test_lost_channels import direct_message
from tests.bot.panels import confirm
from tests.bot.room import Room
from tests.clock import StoppedClock
from tests.web.visit import Visit


@pytest.fixture
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Room]:
    """A channel with a running bot, which knows the client secret and has told Discord its figures."""
    hosting = Hosting(web=discord.address.rstrip("/"), client_secret=SecretStr(discord.client_secret))
    options = {"hosting": hosting, **run_options}
    async with running_room(discord, url, clock, options) as room, mount_site(discord, room.bot.website):
        await register_figures(room.client, spoken())
        yield room


async def begin(browser: Visit) -> str:
    """Presses the button of the page; returns where Discord asks."""
    status, page = await browser.get("/linked-roles")
    assert status == 200
    assert 'href="/linked-roles/begin"' in page
    return await browser.leads_to("/linked-roles/begin")


async def come_back(browser: Visit, address: str) -> tuple[int, str]:
    """Follows Discord back to the site."""
    return await browser.get(str(yarl.URL(address).relative()))


async def link(room: Room, browser: Visit, person: Person) -> None:
    status, page = await come_back(browser, person.consent(await begin(browser)))
    assert status == 200
    assert "Your account is linked." in page


async def told(room: Room, person: Person) -> dict[str, str]:
    """Returns what Discord knows of a person, once it has been told."""
    found: dict[str, Any] = await room.discord.until(lambda: room.discord.world.activities.connections.get(person.id))
    metadata: dict[str, str] = found["metadata"]
    return metadata


async def is_linked(room: Room, person: Person) -> bool:
    return await room.use_cases.linked_accounts.state(UserId(person.id)) is LinkState.LINKED


async def test_a_user_who_allows_it_has_their_figures_at_discord(room: Room, visit: Callable[[], Visit]) -> None:
    await link(room, visit(), room.ola)
    assert await told(room, room.ola) == {"games": "0", "puzzles": "0", "streak": "0"}
    assert not await is_linked(room, room.maksim)


async def test_discord_is_told_the_figures_in_all_languages(room: Room) -> None:
    first = room.discord.world.activities.figures[0]
    assert (first["key"], first["type"], first["name"]) == ("rating", 2, "Best rating")
    assert first["name_localizations"].keys() == spoken().names.keys() - {SOURCE}


async def test_a_user_who_declines_is_not_linked(room: Room, visit: Callable[[], Visit]) -> None:
    browser = visit()
    status, page = await come_back(browser, room.ola.consent(await begin(browser), allow=False))
    assert status == 200
    assert "nothing was linked" in page
    assert not await is_linked(room, room.ola)


async def test_a_user_who_allows_less_is_not_linked(room: Room, visit: Callable[[], Visit]) -> None:
    browser = visit()
    asked = yarl.URL(await begin(browser)).update_query(scope="identify")
    status, page = await come_back(browser, room.ola.consent(str(asked)))
    assert (status, "start again" in page) == (403, True)


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "change",
    [
        lambda back: back.update_query(state="made-up"),
        lambda back: back.without_query_params("state"),
        lambda back: back.update_query(code="made-up"),
        lambda back: back.update_query(code="../x"),
        lambda back: back.without_query_params("code"),
    ],
    ids=["another state", "no state", "another code", "no word as a code", "no code"],
)
async def test_what_only_looks_like_an_answer_links_nobody(
    room: Room, visit: Callable[[], Visit], change: Callable[[yarl.URL], yarl.URL]
) -> None:
    browser = visit()
    back = change(yarl.URL(room.ola.consent(await begin(browser))))
    status, page = await come_back(browser, str(back))
    assert (status, "start again" in page) == (403, True)
    assert not await is_linked(room, room.ola)


async def test_an_answer_counts_once_and_in_its_browser_alone(room: Room, visit: Callable[[], Visit]) -> None:
    browser = visit()
    back = room.ola.consent(await begin(browser))
    assert (await come_back(visit(), back))[0] == 403  # a browser that has not begun: a link of a stranger
    assert (await come_back(browser, back))[0] == 200
    assert (await come_back(browser, back))[0] == 403


async def test_who_has_stolen_the_cookie_links_their_own_account_alone(room: Room, visit: Callable[[], Visit]) -> None:
    browser = visit()
    asked = await begin(browser)
    assert (await come_back(browser, room.kasia.consent(asked)))[0] == 200
    assert (await is_linked(room, room.kasia), await is_linked(room, room.ola)) == (True, False)


async def test_who_takes_it_back_at_discord_is_linked_no_more(
    room: Room, visit: Callable[[], Visit], caplog: pytest.LogCaptureFixture
) -> None:
    await link(room, visit(), room.ola)
    await told(room, room.ola)
    room.discord.world.activities.revoke_all(room.ola.id)
    async with room.services.store.write() as tx:
        await tx.linked_accounts.put(UserId(room.ola.id), "made-up", await tx.clock.now())
    assert room.bot.workers.accounts is not None
    await room.pass_time(PUSH_MILLIS)
    room.bot.workers.accounts.wake()

    async def is_gone() -> bool:
        return not await is_linked(room, room.ola)

    await room.until(is_gone)
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


async def test_a_user_whose_link_a_lost_answer_has_ended_reads_where_to_link_again(
    room: Room, visit: Callable[[], Visit]
) -> None:
    await link(room, visit(), room.ola)
    await told(room, room.ola)
    room.discord.fault("POST", "/oauth2/token", Silence.CLOSED, applied=True)
    async with room.services.store.write() as tx:
        await tx.dailies.save_streak(Streak(UserId(room.ola.id), 3, 3, "2025-06-15"))
    await room.pass_time(PUSH_MILLIS)
    assert room.bot.workers.accounts is not None
    room.bot.workers.accounts.wake()
    page = f"{room.discord.address.rstrip('/')}/linked-roles"
    assert page in (await direct_message(room, room.ola, "has ended")).content
    await room.restart()
    panel = await room.ola.command(room.channel, "settings me").followed()
    assert f"[Link it again]({page})" in panel.text
    assert len([each for each in room.discord.messages(room.ola.open_dm()) if "has ended" in each.content]) == 1


async def test_a_user_unlinks_in_their_settings(room: Room, visit: Callable[[], Visit]) -> None:
    await link(room, visit(), room.ola)
    await told(room, room.ola)
    panel = await room.ola.command(room.channel, "settings me").followed()
    assert "**Linked roles:**" in panel.text
    panel = await room.ola.click(panel, "Unlink account").followed()
    assert "Unlink account" not in panel.labels
    await room.discord.until(lambda: not room.discord.world.activities.connections)


async def test_deleting_ones_data_takes_it_back_at_discord(room: Room, visit: Callable[[], Visit]) -> None:
    await link(room, visit(), room.ola)
    await told(room, room.ola)
    await confirm(room.ola, room.ola.command(room.channel, "privacy delete"), "Delete my data")
    assert room.discord.world.activities.connections == {}
    assert not await is_linked(room, room.ola)


@pytest.mark.parametrize("status", [500, 429])
async def test_while_discord_is_away_a_user_is_told_so(room: Room, visit: Callable[[], Visit], status: int) -> None:
    browser = visit()
    back = room.ola.consent(await begin(browser))
    room.discord.fault("POST", "/oauth2/token", status)
    assert (await come_back(browser, back))[0] == 429
    assert not await is_linked(room, room.ola)


@pytest.mark.parametrize(("method", "path"), [("POST", "/oauth2/token"), ("GET", "/users/@me")])
async def test_what_discord_refuses_is_logged_with_its_code(
    room: Room, visit: Callable[[], Visit], caplog: pytest.LogCaptureFixture, method: str, path: str
) -> None:
    caplog.set_level(logging.INFO)
    browser = visit()
    back = room.ola.consent(await begin(browser))
    room.discord.fault(method, path, 400, code=50083)
    assert (await come_back(browser, back))[0] == 403
    assert "code 50083: Thread is archived" in caplog.text


async def test_no_token_and_no_secret_is_in_the_log(
    room: Room, visit: Callable[[], Visit], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    await link(room, visit(), room.ola)
    await told(room, room.ola)
    async with room.services.store.read() as reader:
        account = await reader.linked_accounts.get(UserId(room.ola.id))
    assert account is not None
    for secret in (account.refresh, room.discord.client_secret):
        assert secret not in caplog.text


async def test_without_the_client_secret_there_is_no_such_page(
    discord: Discord, url: str, clock: StoppedClock, visit: Callable[[], Visit]
) -> None:
    options = {"hosting": Hosting(web=discord.address.rstrip("/"))}
    async with running_room(discord, url, clock, options) as room, mount_site(discord, room.bot.website):
        assert (await visit().get("/linked-roles"))[0] == 404
        panel = await room.ola.command(room.channel, "settings me").followed()
        assert "Linked roles" not in panel.text
