"""`/feedback`: it arrives as its writer sees it, pings nobody, and is never lost."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from pydantic import SecretStr

from bot.services.rate_limits import FEEDBACK
from bot.settings import Hosting
from loopback import Channel, Discord, Impossible, Interaction, Message, Person
from tests.bot.room import Room, private_message

TEXT = "The board is upside down @everyone <@1>"


@pytest.fixture
def inbox(discord: Discord) -> Channel:
    return discord.open_channel("feedback")


@pytest.fixture
def target(inbox: Channel) -> str:
    """Returns the setting: the id of a channel, unless a test has another place."""
    return str(inbox.id)


@pytest.fixture
def run_options(target: str) -> dict[str, Any]:
    return {"hosting": Hosting(feedback=SecretStr(target))}


async def submit(person: Person, channel: Channel, text: str = TEXT, contact: str = "") -> Interaction:
    """Fills the form in, and returns the interaction of its submission."""
    opened = await person.command(channel, "feedback").answered()
    assert opened.modal is not None
    return person.submit(opened.modal, {"text": text, "contact": contact})


async def send(person: Person, channel: Channel, text: str = TEXT, contact: str = "") -> Message:
    return await private_message(await submit(person, channel, text, contact))


async def test_it_arrives_in_the_channel_as_its_writer_sees_it(room: Room, inbox: Channel) -> None:
    answer = await send(room.kasia, room.general, contact="kasia on Discord")
    (arrived,) = room.discord.messages(inbox)
    assert answer.ephemeral
    assert "Thank you" in answer.text
    assert TEXT in arrived.text
    assert "kasia on Discord" in arrived.text
    assert [each["description"] for each in answer.embeds] == [each["description"] for each in arrived.embeds]
    assert str(room.kasia.id) not in str(arrived.embeds), "the account is not sent"


async def test_it_pings_nobody(room: Room, inbox: Channel) -> None:
    await send(room.kasia, room.general)
    (arrived,) = room.discord.messages(inbox)
    assert arrived.mentions == ()
    assert not arrived.mention_everyone


class TestByWebhook:
    @pytest.fixture
    def target(self, discord: Discord, inbox: Channel) -> str:
        return discord.open_webhook(inbox)

    async def test_it_arrives_by_a_webhook(self, room: Room, inbox: Channel) -> None:
        assert "Thank you" in (await send(room.kasia, room.general)).text
        assert [TEXT in message.text for message in room.discord.messages(inbox)] == [True]

    async def test_no_log_has_the_address_of_the_webhook(
        self, room: Room, target: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        room.discord.world.webhooks.clear()
        with caplog.at_level(logging.INFO):
            await send(room.kasia, room.general)
        assert "KROPKA_FEEDBACK" in caplog.text
        assert target.rpartition("/")[2] not in caplog.text
        assert TEXT not in caplog.text


async def test_a_text_that_cannot_be_delivered_comes_back_to_its_writer(room: Room, inbox: Channel) -> None:
    room.discord.world.remove(inbox)
    answer = await send(room.kasia, room.general)
    assert "couldn't deliver" in answer.text
    assert TEXT in answer.text


async def test_a_person_sends_three_at_once_and_gets_the_fourth_text_back(room: Room, inbox: Channel) -> None:
    for _ in range(FEEDBACK.burst):
        assert "Thank you" in (await send(room.kasia, room.general)).text
    answer = await send(room.kasia, room.general)
    assert "Try again in 20 minutes" in answer.text
    assert TEXT in answer.text
    assert "Thank you" in (await send(room.ola, room.general)).text
    assert len(room.discord.messages(inbox)) == FEEDBACK.burst + 1


async def test_an_empty_text_is_refused(room: Room, inbox: Channel) -> None:
    assert "is empty" in (await send(room.kasia, room.general, text="   ")).text
    assert room.discord.messages(inbox) == []


async def test_in_a_direct_message_it_works_as_well(room: Room, inbox: Channel) -> None:
    assert "Thank you" in (await send(room.kasia, room.kasia.open_dm())).text
    assert len(room.discord.messages(inbox)) == 1


class TestWithoutPlace:
    @pytest.fixture
    def run_options(self) -> dict[str, Any]:
        return {}

    async def test_there_is_no_command(self, room: Room) -> None:
        with pytest.raises(Impossible):
            room.kasia.command(room.general, "feedback")
