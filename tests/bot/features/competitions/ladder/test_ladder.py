"""The ladder of a server: places, duels and their news."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from sqlalchemy import delete

from loopback import Message, Person, errors
from loopback.permissions import Permission
from play.ids import GuildId, UserId
from storage import schema
from tests.bot.old_edits import TRIES, forbid_old_edits
from tests.bot.panels import choose, wait_for_card
from tests.bot.room import Room, private_message, private_words
from tests.bot.waiting import skip_confirmations
from tests.clock import DAY


@pytest.fixture(autouse=True)
async def _ready(room: Room) -> None:
    """Puts Ola, Максим and Kasia on the ladder in this order."""
    await skip_confirmations(room)
    room.discord.allow(room.channel, Permission.MANAGE_MESSAGES, room.ola)
    await private_words(room.ola.command(room.channel, "ladder create"))
    for person in (room.ola, room.maksim, room.kasia):
        await private_words(person.command(room.channel, "ladder join"))


async def places(room: Room) -> list[str]:
    """Returns the names on the ladder from the top."""
    shown = await private_words(room.ola.command(room.channel, "ladder show"))
    return [line.split("**")[1] for line in shown.splitlines() if line[:1].isdigit()]


async def challenge_leader(room: Room) -> Message:
    """Returns the card by which Kasia challenges Ola for the first place."""
    words = await private_words(room.kasia.command(room.channel, "ladder challenge", opponent=room.ola))
    assert "the place is yours" in words, words
    return next(each for each in room.discord.messages(room.channel) if "challenges you" in each.content)


async def leave(room: Room, person: Person) -> str:
    """Leaves the ladder, and returns what the question said."""
    question = await private_message(person.command(room.channel, "ladder leave"))
    await person.click(question, "Leave the ladder").followed()
    return question.text


async def decline(room: Room, card: Message) -> Message:
    """Declines Ola's ladder game, who is asked first; returns the question."""
    question = await private_message(room.ola.click(card, "Decline"))
    await room.ola.click(question, "Decline and lose the place").followed()
    return question


async def standing(room: Room, words: str) -> Message:
    """Returns the standing in the channel when it says this."""

    def found() -> Message | None:
        return next(
            (
                each
                for each in room.discord.messages(room.channel)
                if "Ladder\n" in each.content and words in each.content
            ),
            None,
        )

    message: Message = await room.discord.until(found)
    return message


async def wait_for_news(room: Room, words: str) -> Message:
    """Returns the message in the channel with these words when it is posted."""
    message: Message = await room.discord.until(
        lambda: next((each for each in room.discord.messages(room.channel) if words in each.content), None)
    )
    return message


async def test_players_who_join_get_the_next_places(room: Room) -> None:
    assert await places(room) == ["Ola", "Максим", "Kasia Wiśniewska"]
    await leave(room, room.ola)
    assert await places(room) == ["Максим", "Kasia Wiśniewska"]


async def test_a_server_has_one_ladder(room: Room) -> None:
    assert "already has a ladder" in await private_words(room.ola.command(room.channel, "ladder create"))


async def test_a_won_game_wins_the_place(room: Room) -> None:
    card = await challenge_leader(room)
    await room.restart()
    await room.ola.click(card, "Accept").followed()
    thread = await room.wait_for_thread(card)
    asked = await private_message(room.ola.command(thread, "resign"))
    await room.restart()
    await room.ola.click(asked, "Yes, resign").answered()
    news = await wait_for_news(room, "takes place 1")
    assert "**Kasia Wiśniewska** beat **Ola**" in news.content
    assert await places(room) == ["Kasia Wiśniewska", "Ola", "Максим"]


async def test_a_lost_game_leaves_the_place(room: Room) -> None:
    card = await challenge_leader(room)
    await room.ola.click(card, "Accept").followed()
    asked = await private_message(room.kasia.command(await room.wait_for_thread(card), "resign"))
    await room.kasia.click(asked, "Yes, resign").answered()
    await wait_for_news(room, "**Ola** beat **Kasia Wiśniewska** and keeps place 1")
    assert await places(room) == ["Ola", "Максим", "Kasia Wiśniewska"]


async def test_a_player_who_declines_a_game_by_the_day_loses_the_place(room: Room) -> None:
    question = await decline(room, await challenge_leader(room))
    assert "costs you place 1" in question.text
    assert "**Kasia Wiśniewska** takes it without a game" in question.text
    await wait_for_news(room, "**Ola** declined a ladder game. Place 1 goes to **Kasia Wiśniewska**")


async def test_a_second_duel_waits_for_the_first(room: Room) -> None:
    await challenge_leader(room)
    again = room.maksim.command(room.channel, "ladder challenge", opponent=room.ola)
    assert "Ola already has a ladder game" in await private_words(again)


async def test_a_player_who_does_not_play_for_long_leaves_the_ladder(room: Room) -> None:
    await challenge_leader(room)
    await room.pass_time(61 * DAY)
    room.bot.workers.deadlines.wake()
    await wait_for_news(room, "**Ola** didn't answer in time. Place 1 goes to **Kasia Wiśniewska**")
    assert await places(room) == ["Kasia Wiśniewska", "Ola"]


async def test_what_discord_refuses_for_a_while_is_told_once_it_does_not(room: Room) -> None:
    card = await challenge_leader(room)
    room.discord.fault("POST", "/channels/{channel_id}/messages", 403, times=2, code=50013)
    room.discord.fault("POST", "/channels/{channel_id}/messages", 400, applied=True)
    await decline(room, card)
    await wait_for_news(room, "Place 1 goes to")
    await room.restart()

    async def told() -> bool:
        async with room.services.store.read() as reader:
            return not await reader.news.pending(1)

    await room.until(told)
    assert len([each for each in room.discord.messages(room.channel) if "Place 1 goes to" in each.content]) == 1


async def test_the_standing_is_posted_once_and_kept_up_to_date(room: Room) -> None:
    posted = await standing(room, "3. **Kasia Wiśniewska**")
    await room.restart()
    await leave(room, room.maksim)
    assert (await standing(room, "2. **Kasia Wiśniewska**")).id == posted.id
    shown = await private_words(room.kasia.command(room.channel, "ladder show"))
    assert f"/{room.channel.id}/{posted.id}" in shown


async def test_a_standing_that_is_lost_is_posted_anew(room: Room) -> None:
    old = await standing(room, "3. **Kasia Wiśniewska**")
    room.discord.fault("PATCH", "/channels/{channel_id}/messages/{message_id}", errors.UNKNOWN_MESSAGE)
    await leave(room, room.maksim)
    new = await standing(room, "2. **Kasia Wiśniewska**")
    assert new.id != old.id
    await leave(room, room.ola)
    assert (await standing(room, "1. **Kasia Wiśniewska**")).id == new.id


async def test_a_standing_that_is_edited_too_often_is_edited_later(room: Room) -> None:
    old = await standing(room, "3. **Kasia Wiśniewska**")
    fault = forbid_old_edits(room)
    await leave(room, room.maksim)
    assert (await standing(room, "2. **Kasia Wiśniewska**")).id == old.id
    assert len(fault.hits) == TRIES


async def test_the_standing_takes_players_on_once_however_often_they_press(room: Room) -> None:
    posted = await standing(room, "3. **Kasia Wiśniewska**")
    await leave(room, room.kasia)
    said = await asyncio.gather(*(private_words(room.kasia.click(posted, "Join")) for _ in range(8)))
    assert sum("at place 3" in each for each in said) == 1
    assert sum("already on the ladder" in each for each in said) + sum("Too many clicks" in each for each in said) == 7
    assert await places(room) == ["Ola", "Максим", "Kasia Wiśniewska"]


async def test_leaving_asks_first_and_says_what_it_costs(room: Room) -> None:
    card = await challenge_leader(room)
    posted = await standing(room, "⚔️")
    question = await private_message(room.kasia.click(posted, "Leave"))
    assert "You lose place 3" in question.text
    assert "open challenge is withdrawn" in question.text
    assert await places(room) == ["Ola", "Максим", "Kasia Wiśniewska"]
    await room.kasia.click(question, "Leave the ladder").followed()
    assert await places(room) == ["Ola", "Максим"]
    await wait_for_card(room, card, "Withdrawn")


@pytest.mark.smoke
async def test_the_menu_offers_the_players_within_reach(room: Room) -> None:
    posted = await standing(room, "3. **Kasia Wiśniewska**")
    menu = await private_message(room.kasia.click(posted, "Challenge"))
    await choose(room.kasia, menu, "ladder:target", "1. Ola")
    card = next(each for each in room.discord.messages(room.channel) if "challenges you" in each.content)
    assert card.labels == ["Accept", "Decline"]
    busy = await private_message(room.maksim.click(posted, "Challenge"))
    assert "1. **Ola** has a ladder game or challenge" in busy.text
    assert "already has a ladder game" in await private_words(room.kasia.click(posted, "Challenge"))
    await room.ola.click(card, "Accept").followed()
    assert "already has a ladder game" in await private_words(room.ola.click(posted, "Challenge"))


async def test_a_player_who_was_blocked_by_the_first_challenges_them_as_before(room: Room) -> None:
    for person in (room.maksim, room.kasia):
        await room.use_cases.blocks.block(UserId(room.ola.id), UserId(person.id), room.clock())
    posted = await standing(room, "3. **Kasia Wiśniewska**")
    menu = await private_message(room.kasia.click(posted, "Challenge"))
    assert "isn't available" not in menu.text
    await choose(room.kasia, menu, "ladder:target", "1. Ola")
    card = next(each for each in room.discord.messages(room.channel) if "challenges you" in each.content)
    await room.ola.click(card, "Accept").followed()
    await room.wait_for_thread(card)


async def test_the_first_player_has_nobody_to_challenge(room: Room) -> None:
    posted = await standing(room, "3. **Kasia Wiśniewska**")
    assert "You hold place 1" in await private_words(room.ola.click(posted, "Challenge"))


async def test_the_card_says_what_is_at_stake(room: Room) -> None:
    card = await challenge_leader(room)
    assert "A ladder game for place 1: if **Kasia Wiśniewska** wins, the place is theirs" in card.content
    assert "If you decline or don't answer by then, you lose place 1" in card.content


async def test_a_counter_offer_to_a_ladder_game_is_refused(room: Room) -> None:
    card = await challenge_leader(room)
    number = card.controls[0]["custom_id"].split(":")[1]
    old = replace(
        card,
        components=(
            {
                "type": 1,
                "id": 1,
                "components": [
                    {
                        "type": 2,
                        "id": 2,
                        "style": 2,
                        "label": "Change terms",
                        "custom_id": f"challenge:{number}:0:change",
                    }
                ],
            },
        ),
    )
    room.discord.world.messages[card.id] = old
    assert "have the same terms" in await private_words(room.ola.click(old, "Change terms"))


async def test_declining_twice_costs_the_place_once(room: Room) -> None:
    card = await challenge_leader(room)
    questions = [await private_message(room.ola.click(card, "Decline")) for _ in range(2)]
    for question in questions:
        await room.ola.click(question, "Decline and lose the place").followed()
    await wait_for_news(room, "Place 1 goes to")
    declined = room.discord.message(questions[1])
    assert declined is not None
    assert "declined" in declined.text
    assert await places(room) == ["Kasia Wiśniewska", "Ola", "Максим"]


async def test_a_question_that_the_game_has_overtaken_costs_nothing(room: Room) -> None:
    card = await challenge_leader(room)
    question = await private_message(room.ola.click(card, "Decline"))
    await room.ola.click(card, "Accept").followed()
    said = await room.ola.click(question, "Decline and lose the place").followed()
    assert "already taken" in said.text
    assert await places(room) == ["Ola", "Максим", "Kasia Wiśniewska"]


async def test_a_stranger_cannot_decline_a_ladder_game(room: Room) -> None:
    card = await challenge_leader(room)
    assert "for Ola" in await private_words(room.maksim.click(card, "Decline"))
    assert card.labels == ["Accept", "Decline"]


async def test_the_challenger_takes_the_challenge_back_at_no_cost(room: Room) -> None:
    card = await challenge_leader(room)
    asked = await private_message(room.kasia.click(card, "Decline"))
    assert "is withdrawn" in (await room.kasia.click(asked, "Withdraw").followed()).text
    assert (await wait_for_card(room, card, "Withdrawn.")).labels == []
    assert await places(room) == ["Ola", "Максим", "Kasia Wiśniewska"]


async def test_a_refused_ladder_speaks_of_ladders(room: Room) -> None:
    words = await private_words(room.kasia.command(room.channel, "ladder create"))
    assert "can create a ladder" in words


async def test_a_new_ladder_is_rated_where_games_are_by_default(room: Room) -> None:
    async with room.services.store.write() as tx:
        guild = GuildId(room.discord.guild.id)
        for table in (schema.entrant, schema.kept_post, schema.competition):
            await tx.connection.execute(delete(table))
        await tx.servers.save(replace(await tx.servers.get(guild), rated=True))
    assert "Rated: " in await private_words(room.ola.command(room.channel, "ladder create"))
