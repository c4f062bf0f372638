"""Rooms that change: encrypted, upgraded, left, and without the power to write."""

from __future__ import annotations

import pytest

from chat.messages import Message
from chat.port import Place
from matrix.places import Spot
from tests.matrix.conftest import Meet
from tests.matrix.hearing import Bot
from tests.matrix.people import Player
from tests.matrix.test_hearing import HELLO, room_with
from use_cases.worker import ChannelClosed, Undeliverable

ENCRYPTION = {"algorithm": "m.megolm.v1.aes-sha2"}

WHY_NOT = "Messages in this room are encrypted"


def encrypted(content: dict[str, str] = ENCRYPTION) -> list[dict[str, object]]:
    return [{"type": "m.room.encryption", "state_key": "", "content": content}]


async def test_an_encrypted_room_is_told_once_why_nobody_can_play_there(bot: Bot, meet: Meet) -> None:
    ola = await meet("ola")
    room = await ola.make_room(bot.user, initial_state=encrypted())
    await ola.wait_for_text(WHY_NOT, room)
    await ola.send(room, "m.room.encrypted", {"algorithm": "m.megolm.v1.aes-sha2", "ciphertext": "x"})
    other = await room_with(bot, ola)
    await ola.say(other, "!help")
    await bot.notes.line("/help")
    await ola.listen()
    assert len([text for text in ola.texts(room) if WHY_NOT in text]) == 1


async def test_who_writes_in_an_encrypted_direct_room_gets_another_one(bot: Bot, meet: Meet) -> None:
    ola = await meet("ola")
    room = await ola.make_room(bot.user, is_direct=True, initial_state=encrypted())
    await ola.wait_for_text(WHY_NOT, room)
    other = await ola.wait_for_invite(bot.user)
    await ola.say(other, "E5")
    assert (await bot.notes.line("E5")).place.is_direct


async def test_no_board_is_posted_to_a_room_that_has_become_encrypted(bot: Bot, meet: Meet) -> None:
    ola = await meet("ola")
    room = await room_with(bot, ola)
    channel = await bot.places.channel(Spot(room))
    await ola.call("PUT", f"/rooms/{room}/state/m.room.encryption", ENCRYPTION)
    await ola.wait_for_text(WHY_NOT, room)
    with pytest.raises(Undeliverable):
        await bot.platform.post(channel, Message("Board"), "b")


async def upgrade(ola: Player, room: str) -> str:
    """Returns the room that takes the place of another one."""
    upgraded = await ola.call("POST", f"/rooms/{room}/upgrade", {"new_version": "10"})
    replacement: str = upgraded["replacement_room"]
    return replacement


async def test_games_go_on_in_the_room_that_replaces_theirs(bot: Bot, meet: Meet) -> None:
    ola = await meet("ola")
    room = await room_with(bot, ola)
    channel = await bot.places.channel(Spot(room))
    game = await bot.platform.open_place(Place(channel, await bot.places.guild(room)), "Ola – Piet", "game")
    assert game is not None
    await ola.call("PUT", f"/rooms/{room}/state/m.room.join_rules", {"join_rule": "public"})
    replacement = await upgrade(ola, room)
    await ola.say(replacement, "!help", to=bot.user)
    assert (await bot.notes.line("/help")).place.channel == channel
    await bot.platform.post(game, Message("Board"), "b")
    board = await ola.wait_for_text("Board", replacement)
    assert board["content"]["m.relates_to"]["rel_type"] == "m.thread"
    await ola.say(replacement, "E5", thread=board["content"]["m.relates_to"]["event_id"], to=bot.user)
    assert (await bot.notes.line("E5")).place.channel == game


async def test_a_bot_without_power_asks_the_one_who_has_it_once(bot: Bot, meet: Meet) -> None:
    ola = await meet("ola")
    room = await room_with(bot, ola)
    channel = await bot.places.channel(Spot(room))
    levels = await ola.call("GET", f"/rooms/{room}/state/m.room.power_levels")
    for muted in (10, 20):
        await ola.call("PUT", f"/rooms/{room}/state/m.room.power_levels", {**levels, "events_default": muted})
    direct = await ola.wait_for_invite(bot.user)
    await ola.wait_for_text("my power level is too low", direct)
    with pytest.raises(ChannelClosed):
        await bot.platform.post(channel, Message("Board"), "b")
    await ola.listen()
    assert len([text for text in ola.texts(direct) if "power level" in text]) == 1


@pytest.mark.parametrize("deed", ["kick", "ban"])
async def test_nothing_is_posted_to_a_room_that_the_bot_was_put_out_of(bot: Bot, meet: Meet, deed: str) -> None:
    ola = await meet("ola")
    room = await room_with(bot, ola)
    channel = await bot.places.channel(Spot(room))
    await ola.call("POST", f"/rooms/{room}/{deed}", {"user_id": bot.user})
    with pytest.raises(Undeliverable):
        await bot.platform.post(channel, Message("Board"), "b")


async def test_a_moderator_manages_a_room_and_others_do_not(bot: Bot, meet: Meet) -> None:
    ola, piet = await meet("ola"), await meet("piet")
    room = await room_with(bot, ola, piet)
    place = Place(await bot.places.channel(Spot(room)), await bot.places.guild(room))
    users = [await bot.places.user(each.user) for each in (ola, piet)]
    assert [await bot.platform.may_manage(user, place) for user in users] == [True, False]


async def test_people_are_known_by_the_names_that_they_have_in_the_room(bot: Bot, meet: Meet) -> None:
    ola = await meet("ola")
    await ola.call("PUT", f"/profile/{ola.user}/displayname", {"displayname": "Ola Nowak"})
    room = await room_with(bot, ola)
    user, guild = await bot.places.user(ola.user), await bot.places.guild(room)
    person = await bot.platform.who(user, guild)
    assert person is not None
    found = await bot.platform.find("ola nowak", Place(await bot.places.channel(Spot(room)), guild))
    assert (person.name, found) == ("Ola Nowak", person)


async def test_the_sixth_invitation_of_an_hour_is_declined(bot: Bot, meet: Meet) -> None:
    ola = await meet("ola")
    for _ in range(5):
        await room_with(bot, ola)
    room = await ola.make_room(bot.user)
    await ola.wait_for(
        lambda event: (
            event["room"] == room and event.get("state_key") == bot.user and event["content"]["membership"] == "leave"
        )
    )
    assert HELLO not in "".join(ola.texts(room))
