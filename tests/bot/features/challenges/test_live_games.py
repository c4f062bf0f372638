"""A player has one live game at a time: what cards and refusals say of the others."""

from __future__ import annotations

from loopback import Message
from tests.bot.room import Room, private_words


async def card_with(room: Room, card: Message, words: str) -> Message:
    """Returns the card once it says so."""

    def there() -> Message | None:
        now = room.discord.message(card)
        return now if now is not None and words in now.content else None

    shown: Message = await room.discord.until(there)
    return shown


async def test_the_other_card_says_why_it_is_withdrawn(room: Room) -> None:
    other, taken = await room.challenge(), await room.challenge(size="6x6")
    await room.maksim.click(taken, "Accept").followed()
    told = await card_with(room, other, "Withdrawn: another live game has begun.")
    assert told.content.count("\n") == 0
    assert told.labels == []


async def test_who_accepts_hears_that_the_challenger_is_in_a_live_game(room: Room) -> None:
    await room.start_match()
    later = await room.challenge()
    assert "Ola is in a live game" in await private_words(room.kasia.click(later, "Accept"))
    assert "Accept" in (await card_with(room, later, "Ola")).labels
