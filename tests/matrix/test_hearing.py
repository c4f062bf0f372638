"""Deeds of people in rooms become lines and presses, each once."""

from __future__ import annotations

import pytest

from chat.actions import Action
from chat.messages import Button, Message
from matrix.places import Spot
from tests.matrix.conftest import Meet
from tests.matrix.hearing import Bot
from tests.matrix.people import Player

HELLO = "begins a game here"

ASK = Message("Play?", buttons=((Button("Accept", Action("yes", (7,))), Button("Decline", Action("no", (7,)))),))


async def room_with(bot: Bot, *players: Player) -> str:
    """Returns a room of players, to which the first has invited the bot, which has come in."""
    first, *others = players
    room = await first.make_room(bot.user, *(each.user for each in others))
    for each in others:
        await each.join(room)
    await first.wait_for_text(HELLO, room)
    return room


@pytest.mark.smoke
async def test_the_bot_comes_when_it_is_invited_and_hears_a_command(bot: Bot, meet: Meet) -> None:
    ola = await meet("ola")
    room = await room_with(bot, ola)
    await ola.say(room, "!help")
    line = await bot.notes.line("/help")
    assert (await bot.places.native(line.author.id), line.is_addressed) == (ola.user, True)


async def test_what_takes_long_holds_up_nothing_in_its_room(bot: Bot, meet: Meet) -> None:
    ola = await meet("ola")
    room = await room_with(bot, ola)
    for text in ("!slow", "!help", "!games"):
        await ola.say(room, text)
    await bot.notes.line("/games")
    bot.notes.slow.set()
    assert [line.text for line in bot.notes.lines] == ["/slow", "/help", "/games"]


async def test_talk_of_people_who_do_not_play_is_not_heard(bot: Bot, meet: Meet) -> None:
    ola = await meet("ola")
    room = await room_with(bot, await meet("piet"), ola)
    await ola.say(room, "lovely weather")
    await ola.say(room, "!help")
    await bot.notes.line("/help")
    assert [line.text for line in bot.notes.lines] == ["/help"]


async def test_a_reply_to_the_bot_and_a_mention_are_addressed_to_it(bot: Bot, meet: Meet) -> None:
    ola = await meet("ola")
    room = await room_with(bot, ola)
    hello = await ola.wait_for_text(HELLO, room)
    await ola.say(room, "E5", reply_to=hello["event_id"])
    await ola.say(room, "what now?", to=bot.user)
    assert [(await bot.notes.line(text)).is_addressed for text in ("E5", "what now?")] == [True, True]


async def test_a_person_who_is_mentioned_is_known_by_name(bot: Bot, meet: Meet) -> None:
    ola, piet = await meet("ola"), await meet("piet")
    room = await room_with(bot, ola, piet)
    await ola.say(room, "!challenge piet", to=piet.user)
    (person,) = (await bot.notes.line("/challenge piet")).mentions
    assert await bot.places.native(person.id) == piet.user


async def test_a_sign_below_a_question_presses_its_button(bot: Bot, meet: Meet) -> None:
    ola = await meet("ola")
    room = await room_with(bot, ola)
    channel = await bot.places.channel(Spot(room))
    await bot.platform.post(channel, ASK, "ask")
    asked = await ola.wait_for_text("Play?", room)
    await ola.react(room, asked["event_id"], "2️⃣")
    press = await bot.notes.pressed()
    assert (press.action, press.place.channel) == ("no.7", channel)


async def test_a_number_that_is_typed_presses_the_newest_question(bot: Bot, meet: Meet) -> None:
    ola = await meet("ola")
    room = await room_with(bot, ola)
    await bot.platform.post(await bot.places.channel(Spot(room)), ASK, "ask")
    await ola.wait_for_text("Play?", room)
    await ola.say(room, "1", to=bot.user)
    assert (await bot.notes.pressed()).action == "yes.7"


async def test_a_number_in_reply_to_an_edited_question_presses_what_it_shows_now(bot: Bot, meet: Meet) -> None:
    ola = await meet("ola")
    room = await room_with(bot, ola)
    channel = await bot.places.channel(Spot(room))
    posted = await bot.platform.post(channel, ASK, "ask")
    await bot.platform.edit(channel, posted, Message("Sure?", buttons=((Button("Yes", Action("sure")),),)))
    await ola.wait_for_text("Sure?", room)
    asked = await ola.wait_for_text("Play?", room)
    await ola.say(room, "1", reply_to=asked["event_id"])
    assert (await bot.notes.pressed()).action == "sure"


async def test_a_folded_question_has_no_buttons_and_no_signs(bot: Bot, meet: Meet) -> None:
    ola = await meet("ola")
    room = await room_with(bot, ola)
    channel = await bot.places.channel(Spot(room))
    posted = await bot.platform.post(channel, ASK, "ask")
    await bot.platform.fold(channel, posted)
    shown = await ola.call("GET", f"/rooms/{room}/event/{await bot.places.native(posted)}")
    edit = shown["unsigned"]["m.relations"]["m.replace"]["content"]["m.new_content"]
    left = await ola.call("GET", f"/rooms/{room}/messages?dir=b&limit=20")
    signs = [event for event in left["chunk"] if event["type"] == "m.reaction" and event["content"]]
    assert (edit["body"], edit["formatted_body"], "kropka.actions" in edit, signs) == ("Play?", "Play?", False, [])


async def test_a_line_in_a_thread_is_in_a_place_of_its_own(bot: Bot, meet: Meet) -> None:
    ola = await meet("ola")
    room = await room_with(bot, ola)
    await ola.say(room, "!help")
    here = (await bot.notes.line("/help")).place
    game = await bot.platform.open_place(here, "Ola – Piet", "game")
    assert game is not None
    root = Spot.read(await bot.places.native(game)).thread
    await ola.say(room, "E5", thread=root)
    line = await bot.notes.line("E5")
    assert (line.place.channel, line.place.guild) == (game, here.guild)


async def test_what_was_said_before_the_bot_came_is_not_heard(bot: Bot, meet: Meet) -> None:
    ola = await meet("ola")
    room = await ola.make_room()
    await ola.say(room, "!resign")
    await ola.call("POST", f"/rooms/{room}/invite", {"user_id": bot.user})
    await ola.wait_for_text(HELLO, room)
    await ola.say(room, "!help")
    await bot.notes.line("/help")
    assert [line.text for line in bot.notes.lines] == ["/help"]


async def test_an_answer_is_a_reply_to_what_was_asked(bot: Bot, meet: Meet) -> None:
    ola = await meet("ola")
    room = await room_with(bot, ola)
    asked = await ola.say(room, "!help")
    await bot.platform.answer(await bot.notes.line("/help"), Message("Openly"))
    openly = await ola.wait_for_text("Openly", room)
    assert openly["content"]["m.relates_to"]["m.in_reply_to"]["event_id"] == asked


async def test_what_nobody_else_may_read_comes_in_a_direct_room(bot: Bot, meet: Meet) -> None:
    ola = await meet("ola")
    room = await room_with(bot, ola)
    await ola.say(room, "!help")
    line = await bot.notes.line("/help")
    for text in ("Alone", "Alone again"):
        await bot.platform.answer(line, Message(text, private=True))
    direct = await ola.wait_for_invite(bot.user)
    rooms = [(await ola.wait_for_text(text))["room"] for text in ("Alone", "Alone again")]
    assert rooms == [direct, direct]


async def test_a_line_in_a_direct_room_needs_no_name_before_it(bot: Bot, meet: Meet) -> None:
    ola = await meet("ola")
    room = await ola.make_room(bot.user, is_direct=True)
    await ola.wait_for_text(HELLO, room)
    await ola.say(room, "E5")
    line = await bot.notes.line("E5")
    assert (line.place.is_direct, line.is_addressed) == (True, True)
