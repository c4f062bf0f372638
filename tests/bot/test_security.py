"""Attacks by what a user can send. docs/security.md names the tests of each threat."""

from __future__ import annotations

import pytest

from bot.features.terms.drafts import encode
from bot.settings import Settings
from play.challenge.terms import Terms
from play.clock import parse_control
from play.ids import UserId
from rules.registry import GAMES
from tests.bot.forging import click_on
from tests.bot.room import Room, private_words

NASTY = "@everyone **b** [x](https://evil.example) <@1> `c`"
"""A display name; Discord lets users choose almost anything."""


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    "custom_id",
    [
        "match:1:0:really:",
        "match:99999999999999999999999:0:resign",
        "match:-1:0:resign",
        "match:1:0:resign' OR 1=1 --",
        "challenge:1:0:accept; DROP TABLE match",
        "match:١:٠:resign",
        "x" * 100,
    ],
)
async def test_an_id_that_we_never_wrote_is_answered_and_does_nothing(room: Room, custom_id: str) -> None:
    thread = await room.start_match()
    words = await private_words(click_on(room, room.ola, room.boards(thread)[-1], custom_id))
    assert words
    assert await room.version() == 0
    assert room.discord.problems == []


async def test_a_forged_resignation_of_somebody_elses_match_is_refused(room: Room) -> None:
    thread = await room.start_match()
    words = await private_words(click_on(room, room.kasia, room.boards(thread)[-1], "match:1:0:really"))
    assert words
    assert await room.version() == 0


async def test_a_forged_acceptance_of_a_challenge_to_somebody_else_begins_nothing(room: Room) -> None:
    card = await room.challenge(opponent=room.maksim)
    await private_words(click_on(room, room.kasia, card, "challenge:1:0:accept"))
    assert await room.use_cases.matches.list_open(UserId(room.kasia.id)) == []


@pytest.mark.sample(4)
@pytest.mark.parametrize("action", ["clock", "give:1d", "pause:3d", "more", "keypad", "resign", "plan"])
async def test_a_forged_button_of_somebody_elses_match_shows_nobody(room: Room, action: str) -> None:
    await room.start_match(clock="3d", breaks="nights")
    panel = await room.kasia.command(room.general, "settings me").followed()
    shown = await click_on(room, room.kasia, panel, f"match:1:0:{action}").followed()
    assert shown.text
    assert "Ola" not in shown.text
    assert "Максим" not in shown.text


async def test_a_card_is_shown_in_its_own_channel_alone(room: Room) -> None:
    await room.challenge(opponent=room.maksim)
    elsewhere = await room.kasia.command(room.kasia.open_dm(), "leaderboard", everywhere=True).followed()
    words = await private_words(click_on(room, room.kasia, elsewhere, "challenge:1:0:decline"))
    assert "This challenge no longer exists" in words
    now = room.discord.message(elsewhere)
    assert now is not None
    assert "Ola" not in now.text


async def test_terms_are_shown_in_the_channel_of_their_card_alone(room: Room) -> None:
    await room.challenge(opponent=room.maksim)
    panel = await room.kasia.command(room.general, "settings me").followed()
    draft = encode(Terms(GAMES["zagram"], parse_control("3d")))
    words = await private_words(click_on(room, room.kasia, panel, f"terms:c1.0:{draft}:rated"))
    assert "This challenge no longer exists" in words


async def test_the_leaderboard_of_a_server_is_no_leaderboard_in_a_direct_message(room: Room) -> None:
    shown = await room.kasia.command(room.kasia.open_dm(), "leaderboard", everywhere=True).followed()
    assert "This server" not in shown.labels
    words = await private_words(click_on(room, room.kasia, shown, "leaders:here:dots-days:-:0"))
    assert "There's no server here" in words


async def test_a_forged_number_brings_no_name(room: Room) -> None:
    stranger = room.discord.invite("Zbigniew")
    panel = await room.kasia.command(room.general, "settings me").followed()
    for custom_id in (f"history:{stranger.id}:0:0", f"profile:{stranger.id}:dots-days"):
        shown = await click_on(room, room.kasia, panel, custom_id).followed()
        assert "Nothing to show" in shown.text
        assert "Zbigniew" not in shown.text


async def test_a_name_mentions_nobody_and_formats_nothing(room: Room) -> None:
    nasty = room.discord.invite(NASTY)
    card = await room.challenge(opponent=nasty)
    await nasty.click(card, "Accept").followed()
    thread = await room.wait_for_thread(card)
    board = room.boards(thread)[-1]
    for message in (room.discord.message(card.id), board):
        assert message is not None
        assert "@everyone" not in message.text.replace("\\@everyone", "")
        assert "**b**" not in message.text
        assert "](https" not in message.text.replace("[go to the game](https", "")
        assert set(message.mentions) <= {room.ola.id, nasty.id}


@pytest.mark.sample(3)
@pytest.mark.parametrize("size", ["'; DROP TABLE match; --", "99999x99999", "1e9x1e9", "-5x-5", "9" * 6000])
async def test_a_size_that_is_none_is_refused_in_words(room: Room, size: str) -> None:
    words = await private_words(room.ola.command(room.channel, "challenge", size=size))
    assert words
    assert "log" not in words, "a refusal, not an incident"
    assert await room.use_cases.matches.list_open(UserId(room.ola.id)) == []


async def test_a_very_long_message_is_not_looked_at(room: Room) -> None:
    thread = await room.start_match()
    said = room.ola.say(thread, "K" * 2000, reply_to=room.boards(thread)[-1])
    await private_words(room.ola.command(thread, "games"))  # the bot has read everything before
    assert [
        each for each in room.discord.messages(thread) if each.reference and each.reference.message_id == said.id
    ] == []


def test_the_status_is_for_this_machine_alone_unless_the_operator_says_otherwise() -> None:
    assert Settings.model_fields["status_host"].default == "127.0.0.1"
    assert Settings.model_fields["status_port"].default is None
