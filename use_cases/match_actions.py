"""The use cases beside the moves: offers, pauses, gifts of time, conditional moves, vacations, another channel."""

from collections.abc import Sequence

from play.ids import ChannelId, GuildId, IdempotencyKey, MatchId, MessageId, Millis, UserId
from play.match import conditional_moves as plans
from play.match import moves, offers
from play.match.choices import Action
from play.match.conditional_moves import ConditionalLine
from play.match.endings import agreed_ending
from play.match.events import OfferKind
from play.match.match import Match, MatchPlace
from play.match.moves import TurnPreview
from play.people import vacation as vacations
from play.people.vacation import Vacation
from play.refusal import Reason, Refused
from play.votes import Side, prolong
from rules.game import Outcome, RuleError
from storage.errors import ChannelTaken
from storage.unit_of_work import Reader, Transaction
from use_cases.match_writer import MatchRef, MatchWriter, irreversible, load_match, retry_on_conflict, save, undone_by
from use_cases.matches import is_rated, place_of_game


class MatchActions:
    """What players do beside their moves. With a `version` (a button's) an action counts only if the match still has
    it. All methods raise Refused."""

    def __init__(self, writer: MatchWriter) -> None:
        self._writer = writer
        self._store = writer.store

    @irreversible
    async def abort(
        self, ref: MatchRef, user: UserId, at: Millis, key: IdempotencyKey, *, version: int | None = None
    ) -> Match:
        """Cancels a match in which not all players have moved yet."""
        return await self._writer.apply(ref, key, version, lambda match: moves.abort(match, user, at, key))

    async def propose(
        self,
        ref: MatchRef,
        user: UserId,
        kind: OfferKind,
        at: Millis,
        key: IdempotencyKey,
        *,
        pause: Millis | None = None,
        version: int | None = None,
    ) -> Match:
        """Offers a draw, a take-back, a pause (without a length, the usual one), or an agreed end."""
        return await self._writer.apply(
            ref, key, version, lambda match: offers.offer(match, user, kind, at, key, pause=pause)
        )

    async def agree(
        self,
        ref: MatchRef,
        user: UserId,
        kind: OfferKind,
        at: Millis,
        key: IdempotencyKey,
        *,
        version: int | None = None,
    ) -> Match:
        """Accepts an offer for `user`."""
        return await self._writer.apply(ref, key, version, lambda match: offers.agree(match, user, kind, at, key))

    async def disagree(
        self,
        ref: MatchRef,
        user: UserId,
        kind: OfferKind,
        at: Millis,
        key: IdempotencyKey,
        *,
        version: int | None = None,
    ) -> Match:
        """Declines an offer for `user`, or takes their own one back."""
        return await self._writer.apply(ref, key, version, lambda match: offers.decline(match, user, kind, at, key))

    async def take_back(
        self, ref: MatchRef, user: UserId, at: Millis, key: IdempotencyKey, *, version: int | None = None
    ) -> Match:
        """Takes the last move of `user` back, or asks for it; the last event says which."""
        rated = True

        async def look(tx: Transaction, match: Match) -> None:
            nonlocal rated
            rated = await is_rated(tx, match.id)

        def take_back(match: Match) -> Match:
            return offers.take_back(match, user, at, key, practice=not rated and match.game.seats == 2)

        return await self._writer.apply(ref, key, version, take_back, look)

    async def resume(
        self, ref: MatchRef, user: UserId, at: Millis, key: IdempotencyKey, *, version: int | None = None
    ) -> Match:
        """Ends the pause."""
        return await self._writer.apply(ref, key, version, lambda match: offers.resume(match, user, at, key))

    async def give_time(
        self,
        ref: MatchRef,
        user: UserId,
        time: Millis,
        at: Millis,
        key: IdempotencyKey,
        *,
        version: int | None = None,
    ) -> Match:
        """Gives `time` to all opponents of `user`."""
        return await self._writer.apply(ref, key, version, lambda match: offers.give_time(match, user, time, at, key))

    async def go_on_voting(
        self, ref: MatchRef, side: Side, at: Millis, key: IdempotencyKey, *, version: int | None = None
    ) -> Match:
        """Gives a side whose vote has brought nothing time for a longer one."""
        return await self._writer.apply(ref, key, version, lambda match: prolong(match, side, at, key))

    async def preview(self, ref: MatchRef, user: UserId, turn: str) -> TurnPreview:
        """Returns the result of `turn` (`stop`, `land`, or `end` for an agreed end) without playing it.

        Raises Refused as the turn itself would.
        """
        async with self._store.read() as reader:
            match = await load_match(reader, ref)
        seat = moves.acting_seat(match, user)
        if turn == OfferKind.END:
            ending = agreed_ending(match.position)
            if ending is None:
                raise Refused(Reason.NO_AGREED_END)
            return TurnPreview(ending.outcome, ending.scores)
        notation = moves.read_turn(match, seat, turn)
        try:
            position = match.position.play(match.game.parse(notation))
        except RuleError as error:
            raise Refused.by_rules(error) from error
        return TurnPreview(position.outcome, position.score)

    async def preview_end(self, match: Match, user: UserId, way: str) -> TurnPreview:
        """Returns the result of an ending that `user` may choose: resigning, or a turn that `preview` knows.

        Raises Refused as the ending itself would.
        """
        seat = match.seat_of(user)
        if match.outcome:
            raise Refused(Reason.MATCH_OVER)
        if way == Action.RESIGN:
            return TurnPreview(Outcome(tuple(other for other in match.seats if other != seat), "resign"), match.score)
        return await self.preview(match.id, user, way)

    async def set_plan(self, ref: MatchRef, user: UserId, line: Sequence[tuple[str, str]]) -> ConditionalLine:
        """Stores the conditional moves of `user` in place of the earlier ones: pairs of the opponent's expected move
        and the reply, in this order."""
        async with self._store.write() as tx:
            plan = plans.plan_line(await load_match(tx, ref), user, line)
            await tx.plans.save(plan)
        return plan

    async def load_plan(self, ref: MatchRef, user: UserId) -> ConditionalLine | None:
        """Returns the conditional moves of `user`, which no other player may see."""
        async with self._store.read() as reader:
            match = await load_match(reader, ref)
            return await reader.plans.get(match.id, match.seat_of(user))

    @undone_by("set_plan")
    async def clear_plan(self, ref: MatchRef, user: UserId) -> None:
        """Deletes the conditional moves of `user`."""
        async with self._store.write() as tx:
            match = await load_match(tx, ref)
            await tx.plans.delete(match.id, match.seat_of(user))

    async def set_quiet(self, match: MatchId, user: UserId, *, quiet: bool) -> None:
        """Ends the pings and reminders of a match for `user`, or lets them begin again."""
        async with self._store.write() as tx:
            stored = await load_match(tx, match)
            seat = stored.seat_of(user)
            if stored.outcome:
                raise Refused(Reason.MATCH_OVER)
            await tx.matches.set_quiet(match, seat, quiet=quiet)

    async def start_vacation(self, user: UserId, days: int, at: Millis) -> tuple[Vacation, list[Match]]:
        """Starts a vacation of `days` from the user's yearly bank; returns it and the matches whose clocks it stops."""

        async def attempt() -> tuple[Vacation, list[Match]]:
            async with self._store.write() as tx:
                taken = vacations.take_vacation(await tx.vacations.of_user(user), user, days, at)
                await tx.vacations.add(taken)
                found = [
                    await save(tx, offers.start_vacation(match, user, taken.end, at))
                    for match in await _open_matches(tx, user)
                    if match.agreement.vacation
                ]
            return taken, [match for versions in found for match in versions]

        taken, matches = await retry_on_conflict(attempt)
        self._writer.publish(*matches)
        return taken, matches

    @undone_by("start_vacation")
    async def end_vacation(self, user: UserId, at: Millis) -> list[Match]:
        """Ends the vacation of `user`, whose remaining days go back into the bank; returns the user's matches.

        Raises Refused (`not_away`).
        """

        async def attempt() -> list[Match]:
            async with self._store.write() as tx:
                vacation = vacations.current_vacation(await tx.vacations.of_user(user), at)
                if vacation is None:
                    raise Refused(Reason.NOT_AWAY)
                await tx.vacations.end(vacation.end_at(at))
                found = [(match, offers.end_vacation(match, user, at)) for match in await _open_matches(tx, user)]
                return [each for old, new in found if new is not old for each in await save(tx, new)]

        matches = await retry_on_conflict(attempt)
        self._writer.publish(*matches)
        return matches

    async def load_vacation(self, user: UserId) -> tuple[Vacation | None, int]:
        """Returns the present vacation of `user`, and the days left in the bank for this year."""
        async with self._store.read() as reader:
            now, known = await reader.clock.now(), await reader.vacations.of_user(user)
        return vacations.current_vacation(known, now), vacations.days_left(known, now)

    async def with_vacation(self, user: UserId) -> frozenset[MatchId]:
        """Returns the open matches of `user` whose clocks a vacation stops."""
        async with self._store.read() as reader:
            return frozenset(match.id for match in await _open_matches(reader, user) if match.agreement.vacation)

    async def relocate(self, match: MatchId, user: UserId, guild: GuildId | None, channel: ChannelId) -> Match:
        """Moves a match that has lost its channel to another one, where its board is posted anew; from the thread of
        another game to its channel.

        A match in two places stays on the server of the player, or goes on in direct messages if it is with a stranger.
        Raises Refused (`has_a_channel`, `channel_busy`, `other_server`).
        """
        try:
            async with self._store.write() as tx:
                stored = await load_match(tx, match)
                stored = stored.at_home_of(moves.acting_seat(stored, user))
                if not await tx.matches.is_lost(match, away=stored.is_turned):
                    raise Refused(Reason.HAS_A_CHANNEL)
                is_alone = stored.strangers and guild is None
                if stored.away is not None and stored.guild != guild and not is_alone:
                    raise Refused(Reason.OTHER_SERVER)
                if channel != stored.channel:
                    channel = await place_of_game(tx, channel, stored.players, stored.game.seats)
                await tx.matches.move_to_channel(match, guild, channel, away=stored.is_turned)
                moved = await load_match(tx, stored.place)
        except ChannelTaken as taken:
            raise Refused(Reason.CHANNEL_BUSY) from taken
        self._publish_moved(moved)
        return moved

    async def go_on_alone(self, match: MatchId, user: UserId, channel: ChannelId) -> Match:
        """Moves the user's place of a match with a stranger to one where they read alone: they have left the group, or
        it takes nothing any more. Raises Refused (`match_over`, `no_stranger_game`, `channel_busy`)."""
        try:
            async with self._store.write() as tx:
                stored = await load_match(tx, match)
                stored = stored.at_home_of(stored.seat_of(user))
                if stored.outcome:
                    raise Refused(Reason.MATCH_OVER)
                if not stored.strangers or stored.away is None:
                    raise Refused(Reason.NO_STRANGER_GAME)
                await tx.matches.move_to_channel(match, None, channel, away=stored.is_turned)
                moved = await load_match(tx, stored.place)
        except ChannelTaken as taken:
            raise Refused(Reason.CHANNEL_BUSY) from taken
        self._publish_moved(moved)
        return moved

    @undone_by("relocate")
    async def leave_place(self, place: MatchPlace) -> bool:
        """Posts the newest version of a match again, whose channel or thread is gone or closed to its players: the
        publisher finds another place.

        Returns False for a match that is over, or has lost its channel already.
        """
        async with self._store.write() as tx:
            stored = await load_match(tx, place)
            if stored.outcome or await tx.matches.is_lost(place.match, away=place.away):
                return False
            await tx.matches.repost(place.match, away=place.away)
        self._writer.publish(stored)
        return True

    async def check_thread(self, channel: ChannelId) -> None:
        """Has the thread of a running match looked at now, since it may be closed to its players."""
        async with self._store.read() as reader:
            match = await reader.matches.in_channel(channel)
        if match is None or match.outcome:
            return
        async with self._store.write() as tx:
            await tx.matches.plan_reopening(match.id, await tx.clock.now(), away=match.is_turned)
        self._writer.events.thread_closed()

    async def repost(self, channel: ChannelId) -> None:
        """Posts the newest version of a channel's match again, if it could not be posted there when it was new."""
        async with self._store.read() as reader:
            if await reader.matches.unposted_in(channel) is None:
                return
        async with self._store.write() as tx:
            match = await tx.matches.unposted_in(channel)
            if match is None:
                return
            await tx.matches.move_to_channel(match.id, match.guild, channel, away=match.is_turned)
        self._publish_moved(match)

    async def replace_board(self, board: MessageId) -> bool:
        """Posts the newest version of a match again whose board was deleted; returns whether there is one."""
        async with self._writer.store.read() as reader:
            place = await reader.matches.with_board(board)
        return place is not None and await self.leave_place(place)

    async def leave_channel(self, channel: ChannelId) -> None:
        """Has the matches of a deleted channel, or of its threads, leave it."""
        async with self._store.read() as reader:
            found = [(away, await reader.matches.shown_in(channel, away=away)) for away in (False, True)]
        for away, matches in found:
            for match in matches:
                await self.leave_place(MatchPlace(match, away))

    def _publish_moved(self, match: Match) -> None:
        self._writer.publish(match)
        self._writer.events.challenges_changed()  # the card leads elsewhere


async def _open_matches(reader: Reader, user: UserId) -> list[Match]:
    return [await load_match(reader, entry.id) for entry in await reader.matches.open_of(user)]
