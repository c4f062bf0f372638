"""The use cases of a moderator: to decide a running match, to give time in it, and to void a finished one.

The moderators of the server where a match began are responsible for it, wherever it is played on. Nobody moderates a
match that began in direct messages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace

from play.community.log import LogAction, LogEntry
from play.community.news import News, NewsId, NewsKind
from play.ids import GuildId, IdempotencyKey, MatchId, Millis, UserId
from play.match import adjudication
from play.match.events import Notice, NoticeKind
from play.match.match import Match
from play.match.sheet import MAX_SHEETS, Sheet
from play.people.career import Annulment
from play.refusal import Reason, Refused
from play.services.fairness import check_decision_limit
from play.services.match_writer import (
    Check,
    Decision,
    MatchRef,
    MatchWriter,
    automatic_key,
    load_match,
    retry_on_conflict,
)
from play.services.ratings import void_match
from play.services.server_log import log_entry
from play.services.undoing import irreversible
from play.store import Reader, Transaction
from play.votes.side import has_side


class Moderation:
    """Decisions of a moderator of the server `guild`; the caller has checked that they are one.

    All methods raise Refused: `not_of_this_server` for a match that began elsewhere, `too_many_decisions` for a rated
    match if moderators have decided too many in favor of the same player.
    """

    def __init__(self, writer: MatchWriter) -> None:
        self._writer = writer

    async def check_annulment(self, ref: MatchRef, moderator: UserId, guild: GuildId | None) -> Match:
        """Returns the match as it is before `annul` or, if it is finished, `void`; raises what these raise."""
        async with self._writer.store.read() as reader:
            match = await load_match(reader, ref)
            await _require_court(reader, match, guild)
            await _check_sides(reader, match, guild)
            if moderator in match.players:
                raise Refused(Reason.OWN_MATCH)
            if await reader.careers.annulment_of(match.id):
                raise Refused(Reason.ANNULLED_ALREADY)
        return match

    async def check_adjudication(
        self, ref: MatchRef, moderator: UserId, guild: GuildId | None, winner: UserId | None
    ) -> Match:
        """Returns the match as it is before `adjudge`; raises what that raises."""
        async with self._writer.store.read() as reader:
            match = await load_match(reader, ref)
            await _require_court(reader, match, guild)
            await _check_sides(reader, match)
        adjudication.check(match, moderator, winner)
        return match

    async def count_notes(self, guild: GuildId, ref: MatchRef | None, author: UserId | None) -> int:
        """Returns of how many matches `take_notes_off` takes notes off; raises what that raises."""
        async with self._writer.store.read() as reader:
            return len({sheet.match for sheet in await _published(reader, guild, ref, author)})

    @irreversible
    async def annul(
        self, ref: MatchRef, moderator: UserId, guild: GuildId | None, at: Millis, key: IdempotencyKey
    ) -> Match:
        """Ends the match undecided, which may save any of its players."""

        async def check(tx: Transaction, match: Match) -> None:
            home = await _require_court(tx, match, guild)
            await _check_sides(tx, match, home)
            await _check_decisions(tx, match, match.players, at)
            await log_entry(tx, home, LogEntry(LogAction.ANNULLED, moderator), at, match.id)

        return await self._apply_logged(ref, key, lambda match: adjudication.annul(match, moderator, at, key), check)

    @irreversible
    async def void(
        self, ref: MatchRef, moderator: UserId, guild: GuildId | None, at: Millis
    ) -> tuple[Match, Annulment, int]:
        """Takes a finished match out of ratings and histories, as if it had been cancelled.

        Returns the match, the record of the decision, and the count of later matches whose ratings changed. Raises
        Refused (`match_goes_on`, `own_match`, `annulled_already`, too).
        """

        async def attempt() -> tuple[Match, Annulment, int]:
            async with self._writer.store.write() as tx:
                match = await load_match(tx, ref)
                home = await _require_court(tx, match, guild)
                if not match.outcome:
                    raise Refused(Reason.MATCH_GOES_ON)
                if moderator in match.players:
                    raise Refused(Reason.OWN_MATCH)
                await _check_sides(tx, match, home)
                if await tx.careers.annulment_of(match.id):
                    raise Refused(Reason.ANNULLED_ALREADY)
                changes = await tx.ratings.changes_of(match.id)
                ratings = {change.user: (change.before.value, change.after.value) for change in changes}
                await check_decision_limit(tx.careers, (user for user, (old, new) in ratings.items() if old > new), at)
                annulled = Annulment(match.id, moderator, at, changes[0].pool if changes else None, ratings)
                await tx.careers.annul(annulled, match.players)
                await tx.news.add(News(NewsId(0), NewsKind.ANNULLED, home, match.channel, match.id, at))
                await log_entry(tx, home, LogEntry(LogAction.ANNULLED, moderator), at, match.id)
                return match, annulled, await void_match(tx.ratings, match.id)

        voided = await retry_on_conflict(attempt)
        self._writer.events.news_added()
        return voided

    @irreversible
    async def adjudge(
        self,
        ref: MatchRef,
        moderator: UserId,
        guild: GuildId | None,
        winner: UserId | None,
        at: Millis,
        key: IdempotencyKey,
    ) -> Match:
        """Ends the match with a winner, or (None) as a draw."""

        async def check(tx: Transaction, match: Match) -> None:
            home = await _require_court(tx, match, guild)
            await _check_sides(tx, match)
            favored = (winner,) if winner is not None else match.players
            if match.guild != home:  # then it is not rated, which saves the loser
                favored = match.players
            await _check_decisions(tx, match, favored, at)
            action = LogAction.DRAWN if winner is None else LogAction.ENDED
            await log_entry(tx, home, LogEntry(action, moderator, winner), at, match.id)

        return await self._apply_logged(
            ref, key, lambda match: adjudication.adjudge(match, moderator, winner, at, key), check
        )

    @irreversible
    async def end_against(
        self, match: Match, moderator: UserId, guild: GuildId | None, user: UserId, at: Millis
    ) -> Match:
        """Ends the running match of a player who may not go on: the opponent wins a match of two in which both have
        moved; any other one is annulled, and so is one against a side."""
        key = automatic_key(match)
        if len(match.players) == 2 and match.all_have_moved and not has_side(match):
            winner = next(player for player in match.players if player != user)
            return await self.adjudge(match.id, moderator, guild, winner, at, key)
        return await self.annul(match.id, moderator, guild, at, key)

    async def close(
        self, match: MatchId, user: UserId, winner: UserId | None, at: Millis, key: IdempotencyKey
    ) -> Match:
        """Ends a match whose time in a tournament is over; `user` is the program itself."""
        return await self._writer.apply(
            match, key, None, lambda stored: adjudication.close(stored, user, winner, at, key)
        )

    async def end_unattended(self, match: Match, user: UserId, at: Millis) -> Match:
        """Ends a match without a result in which not all have moved, and nothing has happened since; `user` is the
        program itself. Raises Refused (`stale`)."""
        key = automatic_key(match)
        if match.all_have_moved:
            raise Refused(Reason.STALE)
        return await self._writer.apply(
            match.id, key, match.version, lambda stored: adjudication.annul(stored, user, at, key)
        )

    async def extend(
        self,
        ref: MatchRef,
        moderator: UserId,
        guild: GuildId | None,
        player: UserId,
        time: Millis,
        at: Millis,
        key: IdempotencyKey,
    ) -> Match:
        """Gives `time` to a player."""

        async def check(tx: Transaction, match: Match) -> None:
            home = await _require_court(tx, match, guild)
            await _check_sides(tx, match)
            entry = LogEntry(LogAction.EXTENDED, moderator, player, (str(time),))
            await log_entry(tx, home, entry, at, match.id)

        return await self._apply_logged(
            ref, key, lambda match: adjudication.extend(match, moderator, player, time, at, key), check
        )

    @irreversible
    async def take_notes_off(
        self, guild: GuildId, moderator: UserId, ref: MatchRef | None, author: UserId | None, at: Millis
    ) -> int:
        """Takes published notes off for good: those on the page of a match, or of one `author`; without a match, the
        author's in all matches of the server. They stay with their authors, who are told. Returns of how many matches.

        The page belongs to the server that the match is in now: raises Refused (`not_of_this_server`) for all others,
        and `no_published_notes`.
        """

        async def attempt() -> int:
            async with self._writer.store.write() as tx:
                found = await _published(tx, guild, ref, author)
                for sheet in found:
                    newer = replace(sheet, published=False, barred=True, version=sheet.version + 1)
                    await tx.sheets.save(newer, at, MAX_SHEETS)
                    await tx.outbox.add_notice(Notice(sheet.match, newer.version, sheet.user, NoticeKind.NOTES))
                match = found[0].match if ref is not None else 0
                for user, count in Counter(sheet.user for sheet in found).items():
                    entry = LogEntry(LogAction.NOTES_OFF, moderator, user, (str(count),))
                    await log_entry(tx, guild, entry, at, match)
            return len({sheet.match for sheet in found})

        count = await retry_on_conflict(attempt)
        self._writer.events.news_added()
        return count

    async def _apply_logged(self, ref: MatchRef, key: IdempotencyKey, decision: Decision, check: Check) -> Match:
        """Applies a decision that `check` logs."""
        match = await self._writer.apply(ref, key, None, decision, check)
        self._writer.events.news_added()
        return match


async def _published(reader: Reader, guild: GuildId, ref: MatchRef | None, author: UserId | None) -> list[Sheet]:
    """Returns published sheets of a match, or of all matches of a server. Raises Refused (`no_published_notes`)."""
    if ref is not None:
        match = await load_match(reader, ref)
        if match.guild != guild:
            raise Refused(Reason.NOT_OF_THIS_SERVER)
        found = [sheet for sheet in await reader.sheets.published(match.id) if author in (None, sheet.user)]
    else:
        found = [] if author is None else await reader.sheets.published_by(author, guild)
    if not found:
        raise Refused(Reason.NO_PUBLISHED_NOTES)
    return found


async def _require_court(reader: Reader, match: Match, guild: GuildId | None) -> GuildId:
    """Returns the server where the match began. Raises Refused (`not_of_this_server`) unless that is `guild`."""
    challenge = await reader.challenges.of_match(match.id)
    home = match.guild if challenge is None else challenge.guild
    if home is None or guild != home:
        raise Refused(Reason.NOT_OF_THIS_SERVER)
    return home


async def _check_sides(reader: Reader, match: Match, judge: GuildId | None = None) -> None:
    """Raises Refused (`side_not_judged`) for a match in which a server plays, whose moderators would decide for it.

    A `judge` may end it undecided if no other server plays in it.
    """
    if has_side(match) and (judge is None or {side.guild for side in await reader.votes.of_match(match.id)} != {judge}):
        raise Refused(Reason.SIDE_NOT_JUDGED)


async def _check_decisions(reader: Reader, match: Match, favored: Collection[UserId], now: Millis) -> None:
    challenge = await reader.challenges.of_match(match.id)
    if challenge is not None and challenge.terms.pool is not None:
        await check_decision_limit(reader.careers, favored, now)
