"""The panel by which a manager begins things: a preview, the check of the channel, and the confirmation."""

from __future__ import annotations

import pytest

from loopback import Message
from loopback.permissions import Permission
from play.people.membership import MIN_ACCOUNT_AGE
from tests.bot import forging
from tests.bot.features.match.entering import reply_to
from tests.bot.features.settings.test_settings import open_settings
from tests.bot.panels import choose
from tests.bot.room import Room, private_words
from tests.bot.vote_games import begin_votes, vote
from tests.bot.waiting import skip_confirmations
from tests.opponent.quick import Inside


@pytest.fixture(autouse=True)
async def _ready(room: Room) -> None:
    await skip_confirmations(room)
    await room.pass_time(MIN_ACCOUNT_AGE)
    room.discord.allow(room.channel, Permission.MANAGE_GUILD, room.ola)
    room.discord.deny(room.channel, Permission.MANAGE_MESSAGES, room.ola)


async def open_cards(room: Room) -> Message:
    panel = await room.ola.command(room.channel, "settings server").followed()
    return await room.ola.click(panel, "What should happen here?").followed()


async def look(room: Room, what: str) -> Message:
    """Opens the preview of a kind."""
    return await room.ola.click(await open_cards(room), f"begin:{what}").followed()


async def posted(room: Room, part: str) -> Message:
    message: Message = await room.discord.until(
        lambda: next((each for each in room.discord.messages(room.channel) if part in each.text), None)
    )
    return message


async def test_each_kind_has_a_card_that_says_what_it_needs(room: Room) -> None:
    cards = await open_cards(room)
    for name in ("Home post", "Daily puzzles", "Tournament", "League", "Ladder", "Vote game", "Contest"):
        assert f"**{name}" in cards.text
    assert cards.text.count("-# Needs:") == 7


@pytest.mark.parametrize(
    ("what", "asks", "sure", "shown"),
    [
        ("league", "Open this league in this channel?", "Open the league", "🏟️ League"),
        ("ladder", "every permission", "Create the ladder", "🪜 Ladder"),
    ],
)
async def test_a_manager_sees_it_and_then_begins_it(room: Room, what: str, asks: str, sure: str, shown: str) -> None:
    asked = await look(room, what)
    assert asks in asked.text
    assert not any(shown in each.text for each in room.discord.messages(room.channel))
    await room.ola.click(asked, sure).followed()
    await posted(room, shown)
    assert f"It's in <#{room.channel.id}> already." in (await open_cards(room)).text


async def test_a_tournament_gets_its_name_and_format_last(room: Room) -> None:
    asked = await look(room, "tournament")
    assert "Nobody has signed up yet" in asked.text
    opened = await room.ola.click(asked, "Name and create").answered()
    assert opened.modal is not None
    await room.ola.submit(opened.modal, {"name": "Кубок осени", "format": "round-robin"}).followed()
    sign_up = await posted(room, "Кубок осени")
    assert "Everyone plays everyone" in sign_up.text


async def test_a_vote_game_is_shown_and_begun_by_its_own_question(room: Room) -> None:
    room.thinkers = Inside
    await room.restart()
    asked = await look(room, "vote")
    assert "Begin this vote game?" in asked.text
    await room.ola.click(asked, "Begin the game").followed()
    await room.wait_for_thread(await posted(room, "Members vote on each move in the thread below."))


async def test_a_contest_shows_its_offer_and_then_the_code(room: Room) -> None:
    asked = await look(room, "contest")
    assert "challenges your server" in asked.text
    assert "Time for all games: 4 weeks" in asked.text
    interaction = room.ola.click(asked, "Make the code")
    await interaction.followed()
    assert any("Pass this code on" in each.text for each in interaction.messages)


async def test_a_channel_without_the_permissions_says_which_are_missing(room: Room) -> None:
    room.discord.deny(room.channel, Permission.CREATE_PUBLIC_THREADS)
    asked = await look(room, "ladder")
    assert "Create Public Threads" in asked.text
    assert "Create the ladder" not in asked.labels
    room.discord.allow(room.channel, Permission.CREATE_PUBLIC_THREADS)
    assert "Create the ladder" in (await room.ola.click(asked, "Check again").followed()).labels


async def test_roles_that_may_play_vote_and_nobody_else(room: Room) -> None:
    board = await begin_votes(room)
    role = room.discord.make_role("Players")
    await choose(room.ola, await open_settings(room, room.ola, "server"), "server:roles", role)
    refused = f"<@&{role.id}>"
    assert refused in await vote(room.kasia, room.channel, "e5")
    assert refused in await private_words(room.kasia.command(room.channel, "vote games"))
    reply = room.kasia.say(room.channel, "f6", reply_to=board)
    assert refused in (await reply_to(room, reply, room.channel)).content
    room.kasia.add_role(role.id)
    assert "Your vote" in await vote(room.kasia, room.channel, "e5")


async def test_roles_that_may_play_do_not_shut_the_manager_out(room: Room) -> None:
    panel = await room.ola.command(room.channel, "settings server").followed()
    await choose(room.ola, panel, "server:roles", room.discord.make_role("Players").id)
    for what in ("ladder", "tournament", "contest"):
        assert "every permission" in (await look(room, what)).text
    asked = await look(room, "league")
    assert "Open this league" in asked.text
    await room.ola.click(asked, "Open the league").followed()
    await posted(room, "🏟️ League")


async def test_members_begin_nothing(room: Room) -> None:
    pressed = forging.click(room, room.kasia, room.channel, "begin:ladder:sure")
    assert "Manage" in await private_words(pressed)


async def test_all_that_has_threads_asks_for_the_same_permissions(room: Room) -> None:
    room.discord.deny(room.channel, Permission.CREATE_PUBLIC_THREADS)
    for command, options in {
        "tournament create": {"name": "Cup", "format": "swiss"},
        "league open": {},
        "ladder create": {},
        "team challenge": {},
    }.items():
        said = await private_words(room.ola.command(room.channel, command, **options))
        assert "Each game gets its own thread." in said
        assert said.endswith("**Create Public Threads**")
