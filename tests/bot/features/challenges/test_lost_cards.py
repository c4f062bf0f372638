"""Challenges whose cards are gone, whose challengers have left, or that moderators don't want."""

from __future__ import annotations

import discord as library

from loopback import Message
from play.challenge.challenge import ChallengeState
from play.ids import ChallengeId
from tests.bot.room import Room, private_words


async def wait_for_state(room: Room, state: ChallengeState, number: int = 1) -> None:
    """Returns when a challenge has this state. Raises TimeoutError."""

    async def reached() -> bool:
        return (await room.services.challenges.load(ChallengeId(number))).state is state

    await room.until(reached)


async def lose_card(room: Room) -> Message:
    """Returns the card of a challenge by Ola, of which the bot does not hear that it is deleted."""
    card = await room.challenge()
    room.discord.discard_message(card)
    return card


async def test_a_challenge_whose_card_is_deleted_ends(room: Room) -> None:
    room.discord.delete_message(await room.challenge())
    await wait_for_state(room, ChallengeState.WITHDRAWN)


async def test_challenges_whose_cards_are_deleted_by_the_dozen_end(room: Room) -> None:
    cards = [await room.challenge(), await room.challenge(opponent=room.maksim)]
    data = {"ids": [str(card.id) for card in cards], "channel_id": str(room.channel.id)}
    room.client.dispatch("raw_bulk_message_delete", library.RawBulkMessageDeleteEvent(data))  # type: ignore[arg-type]
    await wait_for_state(room, ChallengeState.WITHDRAWN)
    await wait_for_state(room, ChallengeState.WITHDRAWN, 2)


async def test_a_game_goes_on_without_the_card_from_which_it_began(room: Room) -> None:
    thread = await room.start_match()
    room.discord.delete_message(thread.id)
    await room.play(thread, "c3")
    assert (await room.services.challenges.load(ChallengeId(1))).state is ChallengeState.ACCEPTED


async def test_a_card_that_is_found_missing_ends_its_challenge(room: Room) -> None:
    await lose_card(room)
    async with room.services.store.write() as tx:
        challenge = await tx.challenges.get(ChallengeId(1))
        assert challenge is not None
    await room.bot.cards.redraw(challenge)
    await wait_for_state(room, ChallengeState.WITHDRAWN)


async def test_a_moderator_withdraws_any_challenge_by_its_card(room: Room) -> None:
    open_to_all, personal = await room.challenge(), await room.challenge(opponent=room.maksim)
    assert "only Ola can withdraw it" in await private_words(room.kasia.click(open_to_all, "Withdraw"))
    room.make_moderator(room.kasia)
    for number, card in enumerate((open_to_all, personal), start=1):
        await room.kasia.click(card, "Withdraw" if card is open_to_all else "Decline").followed()
        await wait_for_state(room, ChallengeState.WITHDRAWN, number)
    told = [each for each in room.discord.messages(room.channel) if each.reference]
    assert [each.content for each in told] == [f"{room.ola.mention}, a moderator withdrew your challenge."] * 2


async def test_nobody_plays_a_challenger_who_has_left_the_server(room: Room) -> None:
    card = await room.challenge()
    room.ola.leave()
    said = await private_words(room.maksim.click(card, "Accept"))
    assert "has left the server" in said
    await wait_for_state(room, ChallengeState.WITHDRAWN)


async def test_a_challenge_is_accepted_while_discord_does_not_say_who_has_left(room: Room) -> None:
    card = await room.challenge()
    room.discord.fault("GET", "/guilds/{guild_id}/members/{user_id}", 403, times=9, code=50001)
    await room.maksim.click(card, "Accept").followed()
    await wait_for_state(room, ChallengeState.ACCEPTED)
