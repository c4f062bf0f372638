"""The use cases of a match's life beside its moves: offers, pauses, vacations, plans, another channel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from play.ids import ChannelId, GuildId, MatchId, Millis, SourceId, UserId
from play.match import conditional_moves as plans
from play.match import moves, offers
from play.match.conditional_moves import Plan
from play.match.endings import agreed
from play.match.events import OfferKind
from play.match.match import Match
from play.people import vacation as vacations
from play.people.vacation import Vacation
from play.refusal import Refused
from play.services.match_writer import Deciding, Table, match_at, saved, undisturbed
from play.store import ChannelTaken, Reader
from rules.game import Outcome, RuleError


class Foreseen(NamedTuple):
    """What would come of a turn: the end, if it is one, and the scores."""

    outcome: Outcome | None
    score: tuple[float, ...]


class Life(Deciding):
    """With a `version` (a button's) each counts only if nothing has happened since. All raise Refused."""

    async def abort(
        self, table: Table, user: UserId, at: Millis, source: SourceId, *, version: int | None = None
    ) -> Match:
        """`user` calls a match off in which not everybody has moved yet."""
        return await self._decide(table, source, version, lambda match: moves.abort(match, user, at, source))

    async def propose(
        self,
        table: Table,
        user: UserId,
        kind: OfferKind,
        at: Millis,
        source: SourceId,
        *,
        pause: Millis = offers.PAUSE,
        version: int | None = None,
    ) -> Match:
        """`user` offers a draw, a take-back, a pause of a length, or to end by the game's rules for that."""
        return await self._decide(
            table, source, version, lambda match: offers.offer(match, user, kind, at, source, pause=pause)
        )

    async def agree(
        self, table: Table, user: UserId, kind: OfferKind, at: Millis, source: SourceId, *, version: int | None = None
    ) -> Match:
        """`user` agrees to what was offered."""
        return await self._decide(table, source, version, lambda match: offers.agree(match, user, kind, at, source))

    async def disagree(
        self, table: Table, user: UserId, kind: OfferKind, at: Millis, source: SourceId, *, version: int | None = None
    ) -> Match:
        """`user` declines what was offered."""
        return await self._decide(table, source, version, lambda match: offers.decline(match, user, kind, at, source))

    async def take_back(
        self, table: Table, user: UserId, at: Millis, source: SourceId, *, version: int | None = None
    ) -> Match:
        """`user` takes his last move back, or asks for it; the last event says which."""
        return await self._decide(table, source, version, lambda match: offers.take_back(match, user, at, source))

    async def resume(
        self, table: Table, user: UserId, at: Millis, source: SourceId, *, version: int | None = None
    ) -> Match:
        """`user` ends the pause."""
        return await self._decide(table, source, version, lambda match: offers.resume(match, user, at, source))

    async def give(
        self, table: Table, user: UserId, time: Millis, at: Millis, source: SourceId, *, version: int | None = None
    ) -> Match:
        """`user` gives everybody else `time`."""
        return await self._decide(table, source, version, lambda match: offers.give(match, user, time, at, source))

    async def foresee(self, table: Table, user: UserId, turn: str) -> Foreseen:
        """What would come of `turn` (`stop`, `land`, or `end` for an agreed end), which is not played.

        Raises Refused as the turn itself would.
        """
        async with self._store.read() as reader:
            match = await match_at(reader, table)
        seat = moves.acting(match, user)
        if turn == OfferKind.END:
            ending = agreed(match.position)
            if ending is None:
                raise Refused("no_agreed_end")
            return Foreseen(ending.outcome, ending.scores)
        if seat != match.to_act:
            raise Refused("not_your_turn", user=match.players[match.position.to_act])
        try:
            position = match.position.play(match.game.parse(turn))
        except RuleError as error:
            raise Refused.by_rules(error) from error
        return Foreseen(position.outcome, position.score)

    async def plan(self, table: Table, user: UserId, line: Sequence[tuple[str, str]]) -> Plan:
        """`user` will answer these moves of his opponent with those of his own, in this order; it replaces his plan."""

        async with self._store.write() as tx:
            planned = plans.planned(await match_at(tx, table), user, line)
            await tx.plans.save(planned)
        return planned

    async def planned(self, table: Table, user: UserId) -> Plan | None:
        """The plan of `user` alone."""
        async with self._store.read() as reader:
            match = await match_at(reader, table)
            return await reader.plans.get(match.id, match.seat_of(user))

    async def unplan(self, table: Table, user: UserId) -> None:
        """`user` has no plan any more."""
        async with self._store.write() as tx:
            match = await match_at(tx, table)
            await tx.plans.delete(match.id, match.seat_of(user))

    async def go_away(self, user: UserId, days: int, at: Millis) -> tuple[Vacation, list[Match]]:
        """`user` takes days from his yearly bank, from now on; with the matches in which his clock stands for them."""

        async def attempt() -> tuple[Vacation, list[Match]]:
            async with self._store.write() as tx:
                taken = vacations.taken(await tx.vacations.of_user(user), user, days, at)
                await tx.vacations.add(taken)
                found = [
                    await saved(tx, offers.leave(match, user, taken.end, at))
                    for match in await _matches_of(tx, user)
                    if match.agreement.vacation
                ]
            return taken, [match for versions in found for match in versions]

        taken, matches = await undisturbed(attempt)
        self._tell(*matches)
        return taken, matches

    async def come_back(self, user: UserId, at: Millis) -> list[Match]:
        """The vacation of `user` ends now, and the days that are left go back into his bank; with his matches.

        Raises Refused (`not_away`).
        """

        async def attempt() -> list[Match]:
            async with self._store.write() as tx:
                vacation = vacations.current(await tx.vacations.of_user(user), at)
                if vacation is None:
                    raise Refused("not_away")
                await tx.vacations.end(vacation.ended(at))
                found = [(match, offers.come_back(match, user, at)) for match in await _matches_of(tx, user)]
                return [each for old, new in found if new is not old for each in await saved(tx, new)]

        matches = await undisturbed(attempt)
        self._tell(*matches)
        return matches

    async def vacation(self, user: UserId) -> tuple[Vacation | None, int]:
        """The vacation that `user` is on, and the days left in his bank for this year."""
        async with self._store.read() as reader:
            now, known = await reader.clock.now(), await reader.vacations.of_user(user)
        return vacations.current(known, now), vacations.days_left(known, now)

    async def relocate(self, match: MatchId, user: UserId, guild: GuildId | None, channel: ChannelId) -> Match:
        """`user` plays a match on in another channel, because it has lost its own: nothing could be posted there.

        Its board is posted anew. Raises Refused (`has_a_channel`, `channel_busy`).
        """
        try:
            async with self._store.write() as tx:
                stored = await match_at(tx, match)
                moves.acting(stored, user)
                if not await tx.matches.is_lost(match):
                    raise Refused("has_a_channel")
                await tx.matches.move_to_channel(match, guild, channel)
                moved = await match_at(tx, match)
        except ChannelTaken as taken:
            raise Refused("channel_busy") from taken
        self._tell(moved)
        return moved

    async def retell(self, channel: ChannelId) -> None:
        """Tells a channel of the newest version of its match, if that could not be posted there when it was new."""
        async with self._store.read() as reader:
            if await reader.matches.unposted_in(channel) is None:
                return
        async with self._store.write() as tx:
            match = await tx.matches.unposted_in(channel)
            if match is None:
                return
            await tx.matches.move_to_channel(match.id, match.guild, channel)
        self._tell(match)


async def _matches_of(reader: Reader, user: UserId) -> list[Match]:
    return [await match_at(reader, entry.id) for entry in await reader.matches.open_of(user)]
