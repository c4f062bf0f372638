"""Milestones of a player: told in private, as a card that they may share."""

from __future__ import annotations

from loopback import Channel, Message, Person
from play.community.milestone import Milestone
from play.community.puzzle import puzzle_day
from play.community.streak import Streak
from play.ids import UserId
from tests.bot.forging import click_on
from tests.bot.panels import choose, confirm
from tests.bot.room import Room, private_message, private_words
from tests.bot.waiting import version_message


def alt(message: Message) -> str:
    """Returns the description of a message's picture."""
    return message.attachments[0].description or ""


async def reach(room: Room, *milestones: Milestone) -> None:
    async with room.services.store.write() as tx:
        await tx.milestones.add(UserId(room.ola.id), milestones, await tx.clock.now())


def told(room: Room, person: Person, channel: Channel) -> list[str]:
    """Returns what a person alone is told of milestones in a channel."""
    seen = room.discord.world.history(channel.id, person.id)
    return [each.text for each in seen if each.visible_to == person.id and "🏅" in each.text]


async def solve_ten_days(room: Room, person: Person) -> None:
    """Lets a person reach a milestone of which they are not told yet."""
    async with room.services.store.write() as tx:
        await tx.dailies.save_streak(Streak(UserId(person.id), 10, 10, puzzle_day(room.clock())))


async def test_the_player_who_ends_a_game_is_told_of_a_milestone_alone_and_once(
    room: Room, no_confirmation: None
) -> None:
    await solve_ten_days(room, room.ola)
    for _ in range(2):
        thread = await room.start_match(size="9x9", options="1 captured")
        await room.play(thread, "E5", "F5", "F4", "A1", "G5", "A2")
        assert told(room, room.ola, thread) == []
        await room.play(thread, "F6")
        await room.wait_for_handlers()
        assert told(room, room.maksim, thread) == []
    (text,) = [text for each in room.discord.threads for text in told(room, room.ola, each)]
    assert "10 days of puzzles in a row!" in text
    assert "Only you see this." in text


async def test_one_who_resigns_is_told_below_the_answer(room: Room) -> None:
    thread = await room.start_match()
    await solve_ten_days(room, room.ola)
    assert "resigned" in await confirm(room.ola, room.ola.command(thread, "resign"), "Yes, resign")
    await room.wait_for_handlers()
    assert len(told(room, room.ola, thread)) == 1


async def test_one_who_agrees_to_a_draw_is_told(room: Room) -> None:
    thread = await room.start_match()
    await solve_ten_days(room, room.maksim)
    await room.ola.command(thread, "draw").answered()
    await room.maksim.click(await version_message(room, thread, 1), "Accept draw (Максим)").answered()
    await room.wait_for_handlers()
    assert len(told(room, room.maksim, thread)) == 1


async def test_one_whose_opponent_has_ended_the_game_is_told_when_they_look_back(room: Room) -> None:
    thread = await room.start_match()
    await room.play(thread, "C3")
    await solve_ten_days(room, room.maksim)
    await confirm(room.ola, room.ola.command(thread, "resign"), "Yes, resign")
    board = await room.wait_for_board(thread, 2)
    assert told(room, room.maksim, thread) == []
    for person in (room.kasia, room.maksim, room.maksim):
        await private_message(person.click(board, "Replay"))
    await room.wait_for_handlers()
    assert told(room, room.kasia, thread) == []
    assert len(told(room, room.maksim, thread)) == 1


async def test_a_game_ends_though_its_player_cannot_be_told(room: Room) -> None:
    thread = await room.start_match()
    await solve_ten_days(room, room.ola)
    fault = room.discord.fault("POST", "/webhooks/{webhook_id}/{webhook_token}", 400, code=50035, word="10 days")
    asked = room.ola.command(thread, "resign")
    assert "resigned" in await confirm(room.ola, asked, "Yes, resign")
    await room.wait_for_handlers()
    assert len(fault.hits) == 1
    assert [each.text for each in asked.messages if "went wrong" in each.text] == []


async def test_a_card_is_opened_chosen_and_shared(room: Room) -> None:
    await reach(room, Milestone.GAMES_10, Milestone.STREAK_10)
    profile = await private_message(room.ola.command(room.channel, "profile"))
    panel = await room.ola.click(profile, "Milestones").followed()
    assert alt(panel).startswith("Ola: ")
    panel = await choose(room.ola, panel, "milestones:choose", "games-10")
    assert alt(panel).startswith("Ola: 10 games finished, ")
    assert "Shared" in await private_words(room.ola.click(panel, "Share here"))
    shared = room.discord.messages(room.channel)[-1]
    assert alt(shared).startswith("Ola: 10 games finished, ")
    assert f"<@{room.ola.id}>" in shared.text


async def test_nobody_opens_or_shares_what_they_have_not_reached(room: Room) -> None:
    await reach(room, Milestone.GAMES_10)
    profile = await private_message(room.ola.command(room.channel, "profile"))
    panel = await room.ola.click(profile, "Milestones").followed()
    for control in ("milestone:games-500", "share:milestone:games-500"):
        assert "games" not in await private_words(click_on(room, room.ola, panel, control))


async def test_others_see_no_milestones_in_a_profile(room: Room) -> None:
    await reach(room, Milestone.GAMES_10)
    profile = await private_message(room.ola.command(room.channel, "profile", player=room.maksim.id))
    assert "Milestones" not in profile.labels


async def test_milestones_are_switched_off(room: Room) -> None:
    panel = await room.ola.command(room.channel, "settings me").followed()
    panel = await room.ola.click(panel, "Milestones: on").followed()
    assert "Milestones: off" in panel.labels
    async with room.services.store.read() as reader:
        assert not (await reader.people.get(UserId(room.ola.id))).milestones
