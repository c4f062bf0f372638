"""The use cases of playing: load, move, resign, list."""

from __future__ import annotations

from play.ids import IdempotencyKey, MatchId, Millis, UserId
from play.match import moves
from play.match.listed import OpenMatch
from play.match.match import Match
from storage.unit_of_work import Reader
from use_cases.lost_time import LostTime
from use_cases.match_writer import MatchRef, MatchWriter, load_match
from use_cases.undoing import irreversible


async def is_rated(reader: Reader, match: MatchId) -> bool:
    """Returns whether a match is rated, which never changes."""
    challenge = await reader.challenges.of_match(match)
    return challenge is not None and challenge.terms.pool is not None


class Matches:
    """What players do at every turn. All methods raise Refused."""

    def __init__(self, writer: MatchWriter, lost_time: LostTime) -> None:
        self._writer = writer
        self._lost_time = lost_time

    async def load(self, ref: MatchRef) -> Match:
        """Returns the match as it is now."""
        async with self._writer.store.read() as reader:
            return await load_match(reader, ref)

    async def list_open(self, user: UserId) -> list[OpenMatch]:
        """Returns the open matches of a player, the most urgent first."""
        async with self._writer.store.read() as reader:
            return await reader.matches.open_of(user)

    async def waiting_for(self, user: UserId, but: MatchId) -> list[OpenMatch]:
        """Returns the open matches in which a player is to move, the most urgent first, without one and without those
        whose board cannot be posted."""
        return [each for each in await self.list_open(user) if each.waits_for(user) and each.id != but]

    async def move(
        self,
        ref: MatchRef,
        user: UserId,
        text: str,
        at: Millis,
        key: IdempotencyKey,
        *,
        version: int | None = None,
        delivers: bool = False,
    ) -> Match:
        """Plays the turn `text` for `user`; with a `version` (a button's) only if the match still has it.

        Their clock does not charge what they have lost by being turned away.

        A caller that `delivers` the board itself has reserved the match. Then this raises Late for a click that may be
        too old to be answered.
        """
        lost = self._lost_time.of(user)
        return await self._writer.apply(
            ref,
            key,
            version,
            lambda match: moves.move(match, user, text, at, key, lost),
            clicked=at if delivers else None,
        )

    @irreversible
    async def resign(
        self, ref: MatchRef, user: UserId, at: Millis, key: IdempotencyKey, *, version: int | None = None
    ) -> Match:
        """Resigns for `user`; with a `version` only if the match still has it."""
        return await self._writer.apply(ref, key, version, lambda match: moves.resign(match, user, at, key))
