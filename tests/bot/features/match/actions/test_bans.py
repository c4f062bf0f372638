"""Bans by moderators: an old card's button, the ranks of members, and the log."""

from __future__ import annotations

import pytest

from loopback import Channel, Message, Permission, Person
from tests.bot.panels import choose, confirm
from tests.bot.room import Room, private_message, private_words, written_out


async def log_in(room: Room, channel: Channel) -> Message:
    """Lets Ola, who owns the server, choose the log's channel; returns the panel."""
    shown = await private_message(room.ola.command(room.general, "settings server"))
    shown = await room.ola.click(shown, "Log channel").followed()
    return await choose(room.ola, shown, "log:channel", channel)


async def wait_for_entry(room: Room, channel: Channel, words: str) -> Message:
    message: Message = await room.discord.until(
        lambda: next((each for each in room.discord.messages(channel) if words in each.content), None)
    )
    return message


async def ban(room: Room, person: Person, member: Person, **options: object) -> str:
    asked = person.command(room.channel, "moderate ban", member=member, **options)
    question = await private_message(asked)
    return await confirm(person, asked, "Ban from games") if question.labels else written_out(question.text)


async def test_a_banned_member_presses_the_button_of_an_old_card(room: Room) -> None:
    card = await room.challenge()
    assert "until" in await ban(room, room.ola, room.maksim, time="7d", reason="Rude")
    answer = await private_words(room.maksim.click(card, "Accept"))
    assert "banned you from games here until" in answer
    assert "Rude" not in answer
    assert "**Максим**" in await private_words(room.ola.command(room.channel, "moderate bans"))
    assert "can play on this server again" in await private_words(
        room.ola.command(room.channel, "moderate unban", member=room.maksim)
    )
    await room.maksim.click(card, "Accept").followed()
    await room.wait_for_thread(card)


async def test_a_ban_asks_first_and_names_what_it_takes_for_good(room: Room) -> None:
    asked = room.ola.command(room.channel, "moderate ban", member=room.maksim, time="7d", **{"end-games": True})
    question = await private_message(asked)
    assert "Ban Максим from games on this server until <t:" in question.text
    assert "Lifting the ban brings none of this back" in question.text
    assert "Their running games here end now" in question.text
    assert "Nobody is banned" in await private_words(room.ola.command(room.channel, "moderate bans"))


async def test_the_moderator_reads_that_no_further_round_pairs_the_member(room: Room) -> None:
    said = await ban(room, room.ola, room.maksim)
    assert "they've left the ladder, the league and this server's tournaments. They aren't paired again" in said


async def test_ended_games_are_counted(room: Room) -> None:
    await room.start_match()
    room.make_moderator(room.kasia)
    assert "1 running game has ended" in await ban(room, room.kasia, room.maksim, **{"end-games": True})


@pytest.mark.parametrize(("banned", "words"), [("Ola", "moderate or manage"), ("Kasia Wiśniewska", "yourself")])
async def test_moderators_ban_neither_those_above_them_nor_themselves(room: Room, banned: str, words: str) -> None:
    room.make_moderator(room.kasia)
    assert words in await ban(room, room.kasia, room.discord.people[banned])


async def test_moderators_do_not_ban_each_other_but_the_owner_bans_them(room: Room) -> None:
    for person in (room.kasia, room.maksim):
        room.discord.allow(room.general, Permission.MANAGE_MESSAGES, person)
        room.make_moderator(person)
    assert "moderate or manage" in await ban(room, room.kasia, room.maksim)
    assert "can't play on this server" in await ban(room, room.ola, room.maksim)


async def test_a_ban_is_logged_with_who_why_and_until_when(room: Room) -> None:
    await log_in(room, room.general)
    await wait_for_entry(room, room.general, "Log channel: – →")
    await ban(room, room.ola, room.maksim, time="7d", reason="Rude *words*")
    entry = await wait_for_entry(room, room.general, "banned")
    assert f"{room.ola.mention} banned {room.maksim.mention} from games until <t:" in entry.content
    assert "Reason: Rude \\*words\\*" in entry.content
    assert entry.mentions == ()


async def test_a_changed_setting_is_logged_before_and_after(room: Room) -> None:
    await log_in(room, room.general)
    shown = await private_message(room.ola.command(room.channel, "settings server"))
    await choose(room.ola, shown, "server:theme", "dark")
    await wait_for_entry(room, room.general, "Look of the boards: Paper → Dark")


async def test_a_changed_language_is_logged_in_that_language_alone(room: Room) -> None:
    await log_in(room, room.general)
    shown = await private_message(room.ola.command(room.channel, "settings server"))
    await choose(room.ola, shown, "server:language", "pl")
    entry = await wait_for_entry(room, room.general, "Język")
    assert entry.content.endswith("zmienia ustawienie. Język: domyślnie → Polski")


async def test_the_question_before_a_ban_names_all_that_the_member_leaves(room: Room) -> None:
    question = await private_message(room.ola.command(room.channel, "moderate ban", member=room.maksim))
    assert "they leave the ladder and the league, and they aren't paired in tournaments again" in question.text


async def test_a_lost_log_channel_shows_as_trouble(room: Room) -> None:
    log = room.discord.open_channel("log")
    await log_in(room, log)
    await wait_for_entry(room, log, "Log channel")
    room.discord.fault("POST", "/channels/{channel_id}/messages", 404, code=10003)
    await ban(room, room.ola, room.maksim)

    async def trouble() -> bool:
        shown = await private_message(room.ola.command(room.channel, "settings server"))
        return "can't post the log" in shown.text

    for _ in range(50):
        if await trouble():
            break
    assert await trouble()


async def test_moderate_is_explained_where_there_is_no_game(room: Room) -> None:
    room.make_moderator(room.kasia)
    for command in ("moderate help", "moderate annul", "moderate end"):
        said = await private_words(room.kasia.command(room.channel, command))
        assert "What moderators can do" in said
        assert "This can't be undone" in said
        assert "This server has no log" in said
