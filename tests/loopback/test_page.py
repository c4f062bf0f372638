"""The chat page's WebSocket: the frames to a seat, and its actions."""

from base64 import b64encode
from typing import Any

import discord as library
import pytest

from loopback import HANG_SECONDS, Channel, Discord, Permission, Person
from tests.loopback.bot import Bot, Buttons
from tests.loopback.conftest import Clock, Page, visitor

Json = dict[str, Any]


async def test_a_seat_is_greeted_with_what_it_sees(bot: Bot, discord: Discord, page: Page, ola: Person) -> None:
    hello = await page.next("hello")
    assert hello["me"]["id"] == str(ola.id)
    assert [user["global_name"] for user in hello["seats"]] == ["Ola", "Максим", "Kasia Wiśniewska"]
    assert [channel["name"] for channel in hello["channels"]] == ["dots", "general"]
    assert {command["name"] for command in hello["commands"]} >= {"hello", "move", "challenge"}
    assert hello["users"][-1]["bot"]
    assert "stand-in" in hello["notice"]


@pytest.mark.usefixtures("bot")
async def test_a_command_shows_its_answer_and_is_done(page: Page, dots: Channel) -> None:
    await page.send("command", request=1, channel=str(dots.id), path=["hello"], options={"name": "Ola"})
    message = (await page.next("message"))["message"]
    assert (message["content"], message["flags"]) == ("hello Ola", 64)
    assert await page.next("done") == {"t": "done", "request": 1}


@pytest.mark.usefixtures("bot")
async def test_a_file_is_given_to_a_command(page: Page, dots: Channel) -> None:
    file = {"name": "a note.txt", "data": b64encode(b"words").decode()}
    await page.send("command", request=1, channel=str(dots.id), path=["read"], options={"file": file})
    assert (await page.next("message"))["message"]["content"] == "a_note.txt, text/plain: words"


@pytest.mark.usefixtures("bot")
async def test_a_file_as_large_as_may_be_gets_through(page: Page, dots: Channel) -> None:
    data = bytes((await page.next("hello"))["file_limit"])
    file = {"name": "large", "data": b64encode(data).decode()}
    await page.send("command", request=1, channel=str(dots.id), path=["read"], options={"file": file})
    assert (await page.next("done"))["request"] == 1


@pytest.mark.usefixtures("bot")
async def test_a_larger_file_is_refused(page: Page, dots: Channel) -> None:
    data = bytes((await page.next("hello"))["file_limit"] + 1)
    file = {"name": "large", "data": b64encode(data).decode()}
    await page.send("command", request=1, channel=str(dots.id), path=["read"], options={"file": file})
    assert "large is larger than" in (await page.next("failed"))["text"]


@pytest.mark.usefixtures("bot")
async def test_autocomplete_answers_its_request(page: Page, dots: Channel) -> None:
    await page.send("complete", request=7, channel=str(dots.id), path=["move"], options={"point": "K"}, focused="point")
    frame = await page.next("autocomplete")
    assert (frame["request"], len(frame["choices"])) == (7, 3)


async def test_a_modal_is_opened_and_submitted(bot: Bot, page: Page, dots: Channel) -> None:
    sent = await bot.get_partial_messageable(dots.id).send("choose", view=Buttons())
    await page.send("click", request=1, channel=str(dots.id), message=str(sent.id), custom_id="type", values=None)
    modal = await page.next("modal")
    assert modal["modal"]["title"] == "Type a move"
    await page.send("submit", request=2, interaction=modal["interaction"], values={"point": "K12"})
    assert (await page.next("message"))["message"]["content"] == "typed K12"


@pytest.mark.usefixtures("bot")
async def test_what_a_client_would_not_send_fails_with_the_reason(page: Page, dots: Channel) -> None:
    await page.send("command", request=3, channel=str(dots.id), path=["move"], options={})
    frame = await page.next("failed")
    assert (frame["request"], frame["text"]) == (3, "option point is required")


async def test_a_click_without_an_answer_fails_on_its_message(
    bot: Bot, discord: Discord, clock: Clock, page: Page, dots: Channel
) -> None:
    sent = await bot.get_partial_messageable(dots.id).send("choose", view=Buttons())
    await page.send("click", request=4, channel=str(dots.id), message=str(sent.id), custom_id="silent", values=None)
    await bot.until(lambda: bot.interactions)
    clock.time += 3
    discord.tick()
    frame = await page.next("failed")
    assert (frame["request"], frame["message"], frame["text"]) == (4, str(sent.id), "This interaction failed")


async def test_what_is_said_reaches_everybody_in_the_channel(page: Page, maksim: Person, dots: Channel) -> None:
    await page.send("say", request=1, channel=str(dots.id), content="hello", reply_to=None, ping=True)
    await page.next("done")
    assert [message.text for message in maksim.sees(dots)] == ["hello"]


async def test_history_is_the_channel_as_the_seat_sees_it(page: Page, maksim: Person, dots: Channel) -> None:
    maksim.say(dots, "hello")
    await page.send("open", channel=str(dots.id))
    history = await page.next("history")
    assert [message["content"] for message in history["messages"]] == ["hello"]


async def test_an_ephemeral_message_is_not_sent_to_another_seat(
    bot: Bot, page: Page, maksim: Person, dots: Channel
) -> None:
    await maksim.command(dots, "hello").answered()
    maksim.say(dots, "after it")
    assert (await page.next("message"))["message"]["content"] == "after it"


async def test_a_dm_is_opened_for_its_seat(page: Page, ola: Person) -> None:
    await page.send("open_dm")
    assert (await page.next("channel"))["channel"]["id"] == str(ola.open_dm().id)


async def test_a_client_takes_a_language_that_the_bot_is_told(
    bot: Bot, discord: Discord, page: Page, ola: Person, dots: Channel
) -> None:
    hello = await page.next("hello")
    assert (hello["me"]["locale"], "cs" in hello["locales"]) == ("en-US", True)
    await page.send("speak", locale="cs")
    assert (await page.next("locale"))["locale"] == "cs"
    await ola.command(dots, "hello").answered()
    assert bot.interactions[-1].locale is library.Locale.czech


@pytest.mark.parametrize("locale", ["tlh", "", None, ["cs"], {}])
async def test_a_language_that_no_client_has_is_refused(page: Page, ola: Person, locale: Any) -> None:
    await page.send("speak", locale=locale)
    assert "no client speaks" in (await page.next("failed"))["text"]
    assert ola.user.locale == "en-US"


async def test_the_page_knows_the_roles(discord: Discord, page: Page) -> None:
    assert "Champion" in [role["name"] for role in (await page.next("hello"))["roles"]]
    discord.make_role("Master")
    assert "Master" in [role["name"] for role in (await page.next("roles"))["roles"]]


async def test_a_channel_that_the_seat_may_not_see_is_not_told(
    discord: Discord, page: Page, maksim: Person, dots: Channel
) -> None:
    hello = await page.next("hello")
    assert maksim.open_dm().name not in [channel.get("name") for channel in hello["channels"]]
    discord.deny(dots, Permission.ATTACH_FILES)
    assert (await page.next("channel"))["channel"]["id"] == str(dots.id)


async def test_the_page_is_told_when_the_bot_comes_and_goes(bot: Bot, page: Page) -> None:
    await page.next("hello")
    await bot.close()
    assert (await page.next("offline"))["online"] is False


@pytest.mark.parametrize("frame", ["{", '{"t": "dance"}', '{"t": "open"}', "[]"])
async def test_a_frame_that_cannot_be_read_is_answered_with_an_error(page: Page, frame: str) -> None:
    await page.socket.send_str(frame)
    assert "cannot be read" in (await page.next("error"))["text"]


async def test_the_page_is_told_that_the_bot_types(bot: Bot, discord: Discord, page: Page, dots: Channel) -> None:
    await page.next("hello")
    async with bot.get_partial_messageable(dots.id).typing():
        assert await page.next("typing") == {"t": "typing", "channel": str(dots.id), "user": str(discord.bot.id)}


async def test_a_page_of_a_seat_that_is_no_more_gets_the_first_one(discord: Discord, ola: Person) -> None:
    async with visitor(discord) as session, session.ws_connect(f"{discord.address}page/ws?seat=1") as socket:
        assert (await socket.receive_json(timeout=HANG_SECONDS))["me"]["id"] == str(ola.id)


async def test_the_page_and_its_files_are_served(discord: Discord) -> None:
    async with visitor(discord) as session:
        async with session.get(discord.address) as answer:
            assert (answer.status, answer.content_type) == (200, "text/html")
        async with session.get(f"{discord.address}page/page.js") as answer:
            assert answer.content_type in ("text/javascript", "application/javascript")


async def test_an_archived_thread_refuses_commands_and_is_opened_again(
    bot: Bot, discord: Discord, page: Page, dots: Channel, ola: Person
) -> None:
    await bot.until(lambda: discord.commands)
    thread = ola.open_thread(dots, "A game")
    discord.archive(thread)
    await page.send("command", request=1, channel=str(thread.id), path=["hello"], options={})
    assert (await page.next("failed"))["text"] == "This thread is archived"
    await page.send("reopen", request=2, channel=str(thread.id))
    assert (await page.next("done"))["request"] == 2
    assert not discord.channel(thread).archived
