"""Refusals of Telegram, and how the bot goes on after each."""

from __future__ import annotations

from collections.abc import AsyncIterator

import aiohttp
import pytest

from chat.messages import Message
from play.ids import MessageId
from storage import Database
from telegram.api import BadToken, BotApi
from telegram.places import Where
from telegram.platform import payload_of, read_payload
from tests.chat.conftest import open_world
from tests.chat.world import World
from tests.clock import StoppedClock
from tests.telegram.driver import TelegramDriver
from tests.telegram.stand_in import Refusal, Telegram
from use_cases.worker import RetryLater, Undeliverable, Unsendable


@pytest.fixture
async def world(store: Database, clock: StoppedClock) -> AsyncIterator[World]:
    async with open_world("telegram", store, clock) as world:
        yield world


@pytest.fixture
def driver(world: World) -> TelegramDriver:
    assert isinstance(world.driver, TelegramDriver)
    return world.driver


@pytest.fixture
def telegram(driver: TelegramDriver) -> Telegram:
    return driver.telegram


async def test_a_person_who_never_started_the_bot_is_led_to_it_by_the_button(world: World, telegram: Telegram) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    board = await world.begin(ola, bob)
    ola.native.started = False
    await world.press(ola, board, "More")
    address = telegram.alerts[-1]["url"]
    payload = address.partition("start=")[2]
    (menu,) = await world.say(ola, f"/start {payload}", direct=True)
    assert "Resign" in menu.labels


async def test_each_press_is_answered_once(world: World, telegram: Telegram) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    board = await world.begin(ola, bob)
    await world.press(ola, board, "More")
    await world.press(bob, board, "near")
    handles = [each["callback_query_id"] for each in telegram.alerts]
    assert len(handles) == len(set(handles)) == 3


async def test_a_refusal_of_a_button_is_an_alert(world: World, telegram: Telegram) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    board = await world.begin(ola, bob)
    await world.press(bob, board, "near")
    assert telegram.alerts[-1]["show_alert"] is True
    assert "ola" in telegram.alerts[-1]["text"]


async def test_a_message_that_is_the_same_already_is_no_failure(world: World, driver: TelegramDriver) -> None:
    ola = await world.join("ola")
    posted = await driver.platform.tell(ola.user, Message("one"), "k")
    place = await driver.platform.place_of(Where(ola.native.id))
    await driver.platform.edit(place.channel, posted, Message("one"))


async def test_a_board_that_is_too_old_to_be_edited_is_posted_anew(world: World, telegram: Telegram) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    board = await world.begin(ola, bob)
    telegram.too_old.add(board.key[1])
    await world.say(ola, "C3")
    assert world.board().key != board.key
    assert "C3" in world.board().text


async def test_too_many_requests_are_tried_again_when_telegram_says(world: World, telegram: Telegram) -> None:
    ola = await world.join("ola")
    telegram.refusals.append(Refusal(429, "Too Many Requests: retry after 7", retry_after=7))
    with pytest.raises(RetryLater) as caught:
        await world.parts.platform.tell(ola.user, Message("hello"), "k")
    assert caught.value.seconds == 7


@pytest.mark.parametrize(
    ("code", "description", "kind"),
    [
        (403, "Forbidden: bot was blocked by the user", Undeliverable),
        (400, "Bad Request: chat not found", Undeliverable),
        (400, "Bad Request: TOPIC_CLOSED", Undeliverable),
        (400, "Bad Request: not enough rights to send photos to the chat", Undeliverable),
        (400, "Bad Request: PHOTO_INVALID_DIMENSIONS", Unsendable),
        (500, "Internal Server Error", RetryLater),
        (502, "Bad Gateway", RetryLater),
    ],
)
async def test_a_refusal_means_to_workers_what_can_be_done(
    world: World, telegram: Telegram, code: int, description: str, kind: type[Exception]
) -> None:
    ola = await world.join("ola")
    telegram.refusals.append(Refusal(code, description))
    with pytest.raises(kind):
        await world.parts.platform.tell(ola.user, Message("hello"), "k")


async def test_marks_that_telegram_cannot_read_are_left_out(world: World, telegram: Telegram) -> None:
    ola = await world.join("ola")
    await world.parts.platform.tell(ola.user, Message("<b>hello</i> &amp; bye"), "k")
    assert telegram.sent[-1].text == "hello & bye"


async def test_a_text_that_is_too_long_is_cut_after_a_line(world: World, telegram: Telegram) -> None:
    ola = await world.join("ola")
    lines = "\n".join(f"<b>line {number}</b>" for number in range(900))
    await world.parts.platform.tell(ola.user, Message(lines), "k")
    assert telegram.sent[-1].text.endswith("…")
    assert len(telegram.sent[-1].text) <= 4096


async def test_a_group_that_became_a_supergroup_keeps_its_games(
    world: World, driver: TelegramDriver, telegram: Telegram
) -> None:
    driver.group = telegram.group("Small", -777)
    ola, bob = await world.join("ola"), await world.join("bob")
    await world.begin(ola, bob)
    before = await world.match(ola)
    telegram.migrate(-777, -1_009_999)
    driver.group = -1_009_999
    await world.say(ola, "C3")
    after = await world.match(ola)
    assert (after.channel, len(after.moves)) == (before.channel, 1)
    assert world.board().key[0] == -1_009_999


async def test_a_group_that_telegram_says_has_moved_is_followed(
    world: World, driver: TelegramDriver, telegram: Telegram
) -> None:
    driver.group = telegram.group("Small", -777)
    ola, bob = await world.join("ola"), await world.join("bob")
    await world.begin(ola, bob)
    telegram.groups[-1_009_999] = "Small"
    telegram.migrated[-777] = -1_009_999
    telegram.too_old.update(each.number for each in telegram.sent)
    match = await world.match(ola)
    await world.use_cases.matches.move(match.id, ola.user, "C3", world.clock(), 9)  # type: ignore[arg-type]
    await world.settle()
    assert world.board().key[0] == -1_009_999


async def test_a_group_without_the_bot_loses_its_games_and_their_players_are_told(
    world: World, driver: TelegramDriver, telegram: Telegram
) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    await world.begin(ola, bob)
    telegram.too_old.update(each.number for each in telegram.sent)
    telegram.remove_bot(driver.group, ola.native)
    await driver.updates.poll()
    await world.settle()
    told = [each for each in world.driver.seen() if each.reader in ("ola", "bob")]
    assert {each.reader for each in told} == {"ola", "bob"}


async def test_a_topic_of_a_forum_has_its_own_games(world: World, driver: TelegramDriver, telegram: Telegram) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    await driver.platform.meet(bob.native.told)
    telegram.write(ola.native, driver.group, "/challenge @bob 20x20, first", topic=55)
    await driver.updates.poll()
    await world.press(bob, world.driver.seen()[-1], "Accept")
    assert telegram.sent[-1].topic == 55
    assert await world.say(ola, "C3") == []  # another topic
    telegram.write(ola.native, driver.group, "C3", topic=55)
    await driver.updates.poll()
    await world.settle()
    assert len((await world.match(ola)).moves) == 1


async def test_what_is_told_one_person_alone_is_never_said_in_a_group(
    world: World, driver: TelegramDriver, telegram: Telegram
) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    await world.begin(ola, bob)
    before = len(telegram.in_chat(driver.group))
    for line in ("/privacy", "/games", "/settings", "/puzzle", "/board"):
        await world.say(ola, line)
    assert len(telegram.in_chat(driver.group)) == before
    ola.native.started = False
    (told,) = await world.say(ola, "/privacy")
    assert told.file is None


async def test_a_bot_that_speaks_in_the_group_is_not_listened_to(
    world: World, driver: TelegramDriver, telegram: Telegram
) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    await world.begin(ola, bob)
    telegram.write(ola.native, driver.group, "C3")
    telegram._updates[-1]["message"]["from"] = {**ola.native.told, "is_bot": True}
    await driver.updates.poll()
    assert (await world.match(ola)).moves == ()


async def test_an_update_that_comes_again_counts_once(world: World, driver: TelegramDriver, telegram: Telegram) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    await world.begin(ola, bob)
    telegram.write(ola.native, driver.group, "C3")
    update = telegram._updates[-1]
    await driver.updates.handle(update)
    await driver.updates.handle(update)
    assert len((await world.match(ola)).moves) == 1


async def test_commands_in_a_message_can_be_tapped(world: World) -> None:
    ivan = await world.join("ivan", "ru")
    (shown,) = await world.say(ivan, "/start", direct=True)
    assert "/challenge – Вызвать" in shown.text


async def test_the_bot_has_its_own_name(world: World, driver: TelegramDriver) -> None:
    own = driver.platform.own_id
    assert own is not None
    assert await world.parts.services.names.of(own, None) == "Kropka"


async def test_another_bots_update_of_the_same_number_counts(
    world: World, driver: TelegramDriver, telegram: Telegram
) -> None:
    ola, bob = await world.join("ola"), await world.join("bob")
    await world.begin(ola, bob)
    await world.say(ola, "C3")
    played = telegram.last_update
    await world.say(bob, "D4")
    message = {**played["message"], "text": "G7", "message_id": played["message"]["message_id"] + 100}
    await driver.updates.handle({**played, "message": message})
    assert len((await world.match(ola)).moves) == 3


async def test_the_commands_are_listed_in_each_language(driver: TelegramDriver, telegram: Telegram) -> None:
    await driver.updates._tell_commands()
    assert set(telegram.commands) == {"", "ru", "pl", "uk", "de", "cs"}
    assert telegram.commands["ru"][0]["command"] == "challenge"


async def test_a_token_that_telegram_does_not_know_is_told_as_such(telegram: Telegram) -> None:
    async with aiohttp.ClientSession() as session:
        with pytest.raises(BadToken):
            await BotApi(session, "1:wrong", telegram.address).call("getMe")


async def test_no_error_names_the_token() -> None:
    async with aiohttp.ClientSession() as session:
        with pytest.raises(RetryLater) as caught:
            await BotApi(session, "12:secret", "http://127.0.0.1:9").call("getMe")
    assert "secret" not in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("action", ["more.12.34", "step.12.34:K12@K13", "new.4611686018427387904.0.0.0.0:size"])
def test_a_deep_link_carries_the_action_of_a_button(action: str) -> None:
    payload = payload_of(action)
    assert payload is None or read_payload(payload) == action
    assert payload is not None or len(action) > 48


def test_a_made_up_deep_link_is_none() -> None:
    assert read_payload("%%%") is None


async def test_a_message_that_is_not_known_any_more_is_not_edited(driver: TelegramDriver) -> None:
    with pytest.raises(Undeliverable):
        await driver.platform.edit(MessageId(1), MessageId(1), Message("x"))  # type: ignore[arg-type]
