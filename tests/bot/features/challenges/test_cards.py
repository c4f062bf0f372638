"""Cards show names as they are, mention the players they ask, and survive the errors of Discord."""

from __future__ import annotations

import logging
from dataclasses import replace

import pytest

from loopback import Message, Person
from play.challenge.challenge import ChallengeState
from play.ids import ChallengeId, UserId
from tests.bot.old_edits import forbid_old_edits
from tests.bot.panels import choose, open_terms, wait_for_card
from tests.bot.room import Room, private_words
from use_cases import UseCases
from use_cases.worker import RetryLater

MESSAGES = "/channels/{channel_id}/messages"
MESSAGE = MESSAGES + "/{message_id}"

NASTY = {
    "@everyone **b** <@1> ||s|| `c`": r"\@everyone \*\*b\*\* \<\@1\> \|\|s\|\| \`c\`",
    "[free](http://x.y) # head": r"\[free\]\(http\://x\.y\) \# head",
    "W" * 32: "W" * 32,
    "שלום עולם 🀄 ﷽": "\u2068שלום עולם 🀄 ﷽\u2069",
    "{challenger} %s \\n": r"{challenger} %s \\n",
}


def rename(room: Room, person: Person, name: str) -> None:
    room.discord.world.users[person.id] = replace(person.user, name=name)


@pytest.mark.sample(3)
@pytest.mark.parametrize(("name", "shown"), NASTY.items(), ids=range(len(NASTY)))
async def test_no_name_does_harm_on_a_card_or_in_its_panel(room: Room, name: str, shown: str) -> None:
    rename(room, room.ola, name)
    card = await room.challenge(opponent=room.maksim, colour="first")
    assert f"**{shown}** challenges you" in card.content
    assert f"First move: {shown}" in card.content
    assert (card.mentions, card.mention_everyone) == ((room.maksim.id,), False)
    opened = await open_terms(room.maksim, card)
    orders = next(part for part in opened.controls if part["custom_id"].endswith(":order"))
    assert name in orders["options"][1]["label"]  # no Markdown is read there
    changed = await choose(room.ola, await open_terms(room.ola, card), "Clock", "7d")
    await room.ola.click(changed, "Send offer").followed()
    news = next(each for each in room.discord.messages(room.channel) if each.reference)
    assert (
        news.content
        == f"{room.maksim.mention}, **{shown}** changed the terms of this challenge. Do you still want to play?"
    )
    assert (news.mentions, news.mention_everyone) == ((room.maksim.id,), False)
    counter = await choose(room.maksim, await open_terms(room.maksim, card), "Clock", "2d")
    await room.maksim.click(counter, "Send offer").followed()
    await wait_for_card(room, card, "suggests other terms")
    await room.ola.click(card, "Decline").followed()
    assert f"**{shown}** – **Максим**" in (await wait_for_card(room, card, "Withdrawn.")).content


@pytest.mark.sample(3)
@pytest.mark.parametrize(("name", "shown"), NASTY.items(), ids=range(len(NASTY)))
async def test_no_name_does_harm_among_the_players_who_have_joined(room: Room, name: str, shown: str) -> None:
    rename(room, room.kasia, name)
    card = await room.challenge(players=3, size=None, start=None)
    await room.kasia.click(card, "Join").followed()
    card = await wait_for_card(room, card, f"Joined: **{shown}**")
    assert (card.mentions, card.mention_everyone) == ((), False)


async def load_state(room: Room) -> ChallengeState:
    return (await room.use_cases.challenges.load(ChallengeId(1))).state


@pytest.mark.parametrize("code", [50013, 50001])
async def test_a_challenge_whose_card_is_forbidden_is_withdrawn_and_the_player_is_told(room: Room, code: int) -> None:
    room.discord.fault("POST", MESSAGES, 403, code=code)
    assert "Discord doesn't let me do that here." in await private_words(
        room.ola.command(room.channel, "challenge", colour="drawn")
    )
    assert await load_state(room) is ChallengeState.WITHDRAWN


async def test_a_card_that_can_no_longer_be_edited_is_left_as_it_is(
    room: Room, caplog: pytest.LogCaptureFixture
) -> None:
    await room.challenge(opponent=room.maksim)
    for fault in ((403, 50013), (403, 50083), (404, 10008)):
        room.discord.fault("PATCH", MESSAGE, fault[0], code=fault[1])
        with caplog.at_level(logging.INFO, "bot.features.challenges.cards"):
            await room.bot.publishers.cards.redraw(await room.use_cases.challenges.load(ChallengeId(1)))
        assert "stays as it is" in caplog.records[-1].message
    async with room.services.store.read() as reader:
        assert await reader.challenges.cards_to_update(5) == []


async def test_a_card_that_was_edited_too_often_is_tried_again_after_a_pause(room: Room) -> None:
    card = await room.challenge(opponent=room.maksim)
    forbid_old_edits(room)
    await UseCases.over(room.bot.store, seeds=int).challenges.decline(  # in a process that dies then
        ChallengeId(1), UserId(room.maksim.id), room.clock()
    )
    offer = await room.use_cases.challenges.load(ChallengeId(1))
    with pytest.raises(RetryLater):
        await room.bot.publishers.cards.redraw(offer)
    await room.bot.publishers.cards.redraw(offer)
    seen: Message | None = room.discord.message(card)
    assert seen is not None
    assert "Declined." in seen.content


async def _at_once(_: float) -> None:
    """Returns where discord.py waits between its tries."""


async def test_an_error_of_discord_is_told_as_such(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("discord.http.asyncio.sleep", _at_once)
    room.discord.fault("POST", MESSAGES, 503, times=5)
    words = await private_words(room.ola.command(room.channel, "challenge", colour="drawn"))
    assert "Discord is having trouble" in words
    assert await load_state(room) is ChallengeState.WITHDRAWN


async def test_an_unforeseen_error_has_an_id_that_is_in_the_log(
    room: Room, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    card = await room.challenge(opponent=room.maksim)
    monkeypatch.setattr(room.use_cases.challenges, "accept", fail)
    words = await private_words(room.maksim.click(card, "Accept"))
    incident = words.partition("`")[2][:6]
    assert f"incident {incident}" in caplog.text
