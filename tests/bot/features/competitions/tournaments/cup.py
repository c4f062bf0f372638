"""Steps of the tests of tournaments: make one, begin it, wait for it, and end its games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count

from loopback import Message, Person
from play.competitions.tournament import Tournament, TournamentId
from play.ids import IdempotencyKey, UserId
from tests.bot.room import Room, private_words

_keys = count(10**6)


async def make_tournament(room: Room, **options: object) -> Message:
    """Returns the message of a new tournament by Ola."""
    asked = {"name": "Autumn Cup", "format": "swiss", "size": "5x5", "clock": "1d", "rated": False, **options}
    words = await private_words(room.ola.command(room.channel, "tournament create", **asked))
    assert "The tournament is posted below" in words, words
    return await wait_for_message(room, lambda message: "Autumn Cup" in message.content)


async def wait_for_message(room: Room, fits: Callable[[Message], bool]) -> Message:
    """Returns a message in the channel that fits, when there is one."""
    found: Message = await room.discord.until(
        lambda: next((each for each in room.discord.messages(room.channel) if fits(each)), None)
    )
    return found


async def load_tournament(room: Room, number: int = 1) -> Tournament:
    return await room.use_cases.tournaments.load(TournamentId(number))


async def wait_for(room: Room, fits: Callable[[Tournament], bool]) -> Tournament:
    """Returns the tournament when it fits and its message shows it. Raises TimeoutError."""

    async def shown() -> Tournament | None:
        now = await load_tournament(room)
        async with room.services.store.read() as reader:
            stirring = await reader.tournaments.to_update(room.clock(), 1)
        return now if fits(now) and not stirring else None

    return await room.until(shown)


def is_open(round_: int) -> Callable[[Tournament], bool]:
    """Returns a test of whether all games of a round are open."""
    return lambda now: now.round == round_ and all(bout.points or bout.match for bout in now.current_pairings)


async def resign_all(room: Room, now: Tournament, loser: Callable[[UserId, UserId], UserId] = min) -> None:
    """Lets one player of each open game of the round resign."""
    for bout in now.current_pairings:
        if bout.points is None:
            assert bout.match is not None
            assert bout.second is not None
            user = loser(bout.first, bout.second)
            await room.use_cases.matches.resign(bout.match, user, room.clock(), IdempotencyKey(next(_keys)))


async def begin_tournament(room: Room, **options: object) -> Tournament:
    """Begins a tournament of Ola, Максим and Kasia; returns it when its first round is open."""
    return await begin_with(room, (room.ola, room.maksim, room.kasia), **options)


async def begin_with(room: Room, people: Sequence[Person], **options: object) -> Tournament:
    """Begins a tournament of these people; returns it when its first round is open and its time runs."""
    card = await make_tournament(room, **options)
    for person in people:
        await private_words(person.click(card, "Sign up"))
    assert "has begun" in await private_words(room.ola.click(card, "Begin"))
    await wait_for(room, is_open(1))
    await room.wait_for_outbox()  # the time runs from the boards, which the director sees when it looks next
    room.use_cases.events.tournament_changed()
    return await wait_for(room, is_open(1))


def invite(room: Room, number: int) -> list[Person]:
    """Returns so many people, the three of the room first."""
    known = [room.ola, room.maksim, room.kasia]
    return [*known, *(room.discord.invite(f"Player {each}") for each in range(len(known) + 1, number + 1))][:number]


def told(room: Room, part: str) -> list[Message]:
    """Returns the bot's messages in the channel that have this part."""
    return [each for each in room.discord.messages(room.channel) if part in each.content]
