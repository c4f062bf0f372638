"""The use cases of playing: load, move, resign, list."""

from __future__ import annotations

from play.ids import IdempotencyKey, Millis, UserId
from play.match import moves
from play.match.match import Match
from play.services.match_writer import MatchRef, MatchWriter, load_match
from play.services.undoing import irreversible
from play.store.matches import OpenMatch


class Matches:
    """What players do at every turn. All methods raise Refused."""

    def __init__(self, writer: MatchWriter) -> None:
        self._writer = writer

    async def load(self, ref: MatchRef) -> Match:
        """Returns the match as it is now."""
        async with self._writer.store.read() as reader:
            return await load_match(reader, ref)

    async def list_open(self, user: UserId) -> list[OpenMatch]:
        """Returns the open matches of a player, the most urgent first."""
        async with self._writer.store.read() as reader:
            return await reader.matches.open_of(user)

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

        A caller that `delivers` the board itself has reserved the match. Then this raises Late for a click that may be
        too old to be answered.
        """
        return await self._writer.apply(
            ref,
            key,
            version,
            lambda match: moves.move(match, user, text, at, key),
            clicked=at if delivers else None,
        )

    @irreversible
    async def resign(
        self, ref: MatchRef, user: UserId, at: Millis, key: IdempotencyKey, *, version: int | None = None
    ) -> Match:
        """Resigns for `user`; with a `version` only if the match still has it."""
        return await self._writer.apply(ref, key, version, lambda match: moves.resign(match, user, at, key))
