"""Numbers that no row can have are no sign of a database that does not answer, nor of a bug."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from play.community.puzzle import PuzzleId
from play.competitions.tournament import TournamentId
from play.ids import ChallengeId, GuildId, MatchId, UserId
from storage import Database
from storage.breaker import MAX_FAILURES
from storage.errors import OutOfRange
from storage.unit_of_work import Reader
from tests.matches import add_match, load_match

QUESTIONS: dict[str, Callable[[Reader, int], Awaitable[object]]] = {
    "match": lambda reader, number: reader.matches.get(MatchId(number)),
    "challenge": lambda reader, number: reader.challenges.get(ChallengeId(number)),
    "tournament": lambda reader, number: reader.tournaments.get(TournamentId(number)),
    "puzzle": lambda reader, number: reader.puzzles.get(PuzzleId(number)),
    "person": lambda reader, number: reader.people.get(UserId(number)),
    "server": lambda reader, number: reader.servers.get(GuildId(number)),
    "games": lambda reader, number: reader.matches.open_of(UserId(number)),
    "history": lambda reader, number: reader.careers.finished(UserId(number), 0, 10),
}


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("number", [2**63, -(2**63) - 1, 10**30])
async def test_a_number_of_more_than_64_bits_is_out_of_range(store: Database, question: str, number: int) -> None:
    with pytest.raises(OutOfRange):
        async with store.read() as reader:
            await QUESTIONS[question](reader, number)


async def test_the_largest_number_of_64_bits_is_only_unknown(store: Database) -> None:
    async with store.read() as reader:
        assert await reader.matches.get(MatchId(2**63 - 1)) is None


async def test_such_a_number_is_not_written_either(store: Database) -> None:
    with pytest.raises(OutOfRange):
        async with store.write() as tx:
            await tx.people.save(replace(await tx.people.get(UserId(1)), id=UserId(2**63)))


async def test_after_many_of_them_the_database_is_still_asked(store: Database) -> None:
    match = await add_match(store)
    for _ in range(MAX_FAILURES + 1):
        with pytest.raises(OutOfRange):
            async with store.read() as reader:
                await reader.matches.get(MatchId(2**63))
    assert await load_match(store, match.id) == match
