"""The use cases of a moderator: to decide a running match, to give time in it, and to void a finished one.

The moderators of the server where a match began are responsible for it, wherever it is played on. Nobody moderates a
match that began in direct messages. Of a match of two servers either one decides alone what costs the other nothing
(`Ruling.needs_both`), and everything else both together.
"""

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import replace

from play.community.news import LogAction, LogEntry, News, NewsId, NewsKind
from play.competitions.annulment import Trace
from play.ids import GuildId, IdempotencyKey, MatchId, Millis, UserId
from play.match import adjudication
from play.match.adjudication import ProposedRuling, Ruling, RulingKind
from play.match.events import Notice, NoticeKind
from play.match.match import Match
from play.match.sheet import MAX_SHEETS, Sheet
from play.people.career import Annulment
from play.refusal import Reason, Refused
from play.votes import has_side
from storage.unit_of_work import Reader, Transaction
from use_cases.annulment import load_traces, take_back
from use_cases.events import log_entry, logged
from use_cases.limits import check_decision_limit
from use_cases.match_writer import (
    Check,
    Decision,
    MatchRef,
    MatchWriter,
    automatic_key,
    irreversible,
    load_match,
    retry_on_conflict,
)
from use_cases.ratings import void_match


class Moderation:
    """Decisions of a moderator of the server `guild`; the caller has checked that they are one.

    All methods raise Refused: `not_of_this_server` for a match that began elsewhere, `too_many_decisions` for a rated
    match if moderators have decided too many in favor of the same player. Where two servers have to agree, those that
    change a running match raise `ruling_proposed` until the other one has proposed the same.
    """

    def __init__(self, writer: MatchWriter) -> None:
        self._writer = writer

    async def check_annulment(
        self, ref: MatchRef, moderator: UserId, guild: GuildId | None
    ) -> tuple[Match, list[Trace]]:
        """Returns the match as it is before `annul` or, if it is finished, `void`, and what that leaves behind; raises
        what these raise."""
        async with self._writer.store.read() as reader:
            match = await load_match(reader, ref)
            await _require_court(reader, match, guild)
            if moderator in match.players:
                raise Refused(Reason.OWN_MATCH)
            if match.outcome and match.away is not None:
                raise Refused(Reason.BETWEEN_SERVERS)
            if await reader.careers.annulment_of(match.id):
                raise Refused(Reason.ANNULLED_ALREADY)
            return match, await load_traces(reader, match) if match.outcome else []

    async def check_adjudication(
        self, ref: MatchRef, moderator: UserId, guild: GuildId | None, winner: UserId | None
    ) -> Match:
        """Returns the match as it is before `adjudge`; raises what that raises."""
        async with self._writer.store.read() as reader:
            match = await load_match(reader, ref)
            await _require_court(reader, match, guild)
            _check_sides(match)
        adjudication.check(match, moderator, winner)
        return match

    async def count_notes(self, guild: GuildId, ref: MatchRef | None, author: UserId | None) -> int:
        """Returns of how many matches `take_notes_off` takes notes off; raises what that raises."""
        async with self._writer.store.read() as reader:
            return len({sheet.match for sheet in await _published(reader, guild, ref, author)})

    @logged
    @irreversible
    async def annul(
        self, ref: MatchRef, moderator: UserId, guild: GuildId | None, at: Millis, key: IdempotencyKey
    ) -> Match:
        """Ends the match undecided, which may save any of its players."""
        ruling = Ruling(RulingKind.ANNUL)

        def decide(match: Match) -> Match:
            return adjudication.annul(match, moderator, at, key)

        async def check(tx: Transaction, match: Match) -> None:
            home = await _require_court(tx, match, guild)
            await _check_decisions(tx, match, match.players, at)
            entry = LogEntry(LogAction.ANNULLED, moderator)
            await log_entry(tx, home, await _agreed(tx, match, guild, ruling, entry, at), at, match.id)

        await self._propose(ref, moderator, guild, decide, lambda _: ruling, at)
        return await self._apply_logged(ref, key, decide, check)

    @logged
    @irreversible
    async def void(
        self, ref: MatchRef, moderator: UserId, guild: GuildId | None, at: Millis
    ) -> tuple[Match, Annulment, int]:
        """Takes a finished match out of all that was made of it, as if it had been cancelled.

        Returns the match, the record of the decision, and the count of later matches whose ratings changed. Raises
        Refused (`match_goes_on`, `own_match`, `annulled_already`, too).
        """

        async def attempt() -> tuple[Match, Annulment, int]:
            async with self._writer.store.write() as tx:
                match = await load_match(tx, ref)
                home = await _require_court(tx, match, guild)
                if not match.outcome:
                    raise Refused(Reason.MATCH_GOES_ON)
                if match.away is not None:
                    raise Refused(Reason.BETWEEN_SERVERS)
                if moderator in match.players:
                    raise Refused(Reason.OWN_MATCH)
                if await tx.careers.annulment_of(match.id):
                    raise Refused(Reason.ANNULLED_ALREADY)
                changes = await tx.ratings.changes_of(match.id)
                ratings = {change.user: (change.before.value, change.after.value) for change in changes}
                await check_decision_limit(tx.careers, (user for user, (old, new) in ratings.items() if old > new), at)
                annulled = Annulment(match.id, moderator, at, changes[0].pool if changes else None, ratings)
                await tx.careers.annul(annulled, match.players)
                await take_back(tx, match)
                await tx.news.add(News(NewsId(0), NewsKind.ANNULLED, home, match.channel, match.id, at))
                await log_entry(tx, home, LogEntry(LogAction.ANNULLED, moderator), at, match.id)
                return match, annulled, await void_match(tx.ratings, match.id)

        voided = await retry_on_conflict(attempt)
        self._writer.events.news_added()
        self._writer.events.league_changed()
        self._writer.events.tournament_changed()
        return voided

    @logged
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

        def decide(match: Match) -> Match:
            return adjudication.adjudge(match, moderator, winner, at, key)

        def ruling(match: Match) -> Ruling:
            return Ruling(RulingKind.DRAW) if winner is None else Ruling(RulingKind.WIN, match.seat_of(winner))

        async def check(tx: Transaction, match: Match) -> None:
            home = await _require_court(tx, match, guild)
            _check_sides(match)
            favored = (winner,) if winner is not None else match.players
            if match.away is None and match.guild != home:  # then it is not rated, which saves the loser
                favored = match.players
            await _check_decisions(tx, match, favored, at)
            action = LogAction.DRAWN if winner is None else LogAction.ENDED
            entry = LogEntry(action, moderator, winner)
            await log_entry(tx, home, await _agreed(tx, match, guild, ruling(match), entry, at), at, match.id)

        await self._propose(ref, moderator, guild, decide, ruling, at)
        return await self._apply_logged(ref, key, decide, check)

    @logged
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

    @logged
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
        """Gives `time` to a player, but not where a side plays."""

        def decide(match: Match) -> Match:
            if has_side(match):  # time would put off the end of its vote, which its server has chosen
                raise Refused(Reason.SIDE_NOT_JUDGED)
            return adjudication.extend(match, moderator, player, time, at, key)

        def ruling(match: Match) -> Ruling:
            return Ruling(RulingKind.EXTEND, match.seat_of(player), time)

        async def check(tx: Transaction, match: Match) -> None:
            home = await _require_court(tx, match, guild)
            entry = LogEntry(LogAction.EXTENDED, moderator, player, (str(time),))
            await log_entry(tx, home, await _agreed(tx, match, guild, ruling(match), entry, at), at, match.id)

        await self._propose(ref, moderator, guild, decide, ruling, at)
        return await self._apply_logged(ref, key, decide, check)

    async def proposed(self, match: MatchId, guild: GuildId | None) -> tuple[Match, Ruling]:
        """Returns the match, as it is, and what its other server proposes to the moderators of `guild`. Raises Refused
        (`ruling_over`, too)."""
        async with self._writer.store.read() as reader:
            stored = await load_match(reader, match)
            await _require_court(reader, stored, guild)
            found, now = await reader.rulings.of_match(match), await reader.clock.now()
        if stored.outcome or found is None or found.guild == guild or not found.holds(now):
            raise Refused(Reason.RULING_OVER)
        return stored, found.ruling

    async def _propose(
        self,
        ref: MatchRef,
        moderator: UserId,
        guild: GuildId | None,
        decide: Decision,
        ruling_of: Callable[[Match], Ruling],
        at: Millis,
    ) -> None:
        """Proposes to the other server of a match what both have to agree to, and raises Refused (`ruling_proposed`);
        does nothing where that is not needed, or the other server has proposed the same."""
        async with self._writer.store.read() as reader:
            if (await load_match(reader, ref)).away is None:
                return
        async with self._writer.store.write() as tx:
            match = (await load_match(tx, ref)).on_server(guild)
            home = await _require_court(tx, match, guild)
            decide(match)
            ruling, known = ruling_of(match), await tx.rulings.of_match(match.id)
            assert match.away is not None, "a match keeps its places"
            if not ruling.needs_both(match) or _is_agreed(known, home, ruling, at):
                return
            if known != (proposed := ProposedRuling(match.id, home, ruling, known.made if known else at)):
                await tx.rulings.put(replace(proposed, made=at))
                there = match.away
                assert there.guild is not None, "a second place is on a server"
                await tx.news.add(News(NewsId(0), NewsKind.RULING, there.guild, there.channel, match.id, at))
                await log_entry(tx, home, LogEntry(LogAction.PROPOSED, moderator), at, match.id)
        self._writer.events.news_added()
        raise Refused(Reason.RULING_PROPOSED)

    @logged
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
        match = match.on_server(guild)
        if match.guild != guild:
            raise Refused(Reason.NOT_OF_THIS_SERVER)
        own = {match.players[seat] for seat in match.hosts} & ({author} if author else {*match.players})
        found = [sheet for sheet in await reader.sheets.published(match.id) if sheet.user in own]
    else:
        found = [] if author is None else await reader.sheets.published_by(author, guild)
    if not found:
        raise Refused(Reason.NO_PUBLISHED_NOTES)
    return found


async def _require_court(reader: Reader, match: Match, guild: GuildId | None) -> GuildId:
    """Returns the server where the match began, or that one of its two. Raises Refused (`not_of_this_server`) unless
    that is `guild`."""
    if match.away is not None:
        home = match.on_server(guild).guild
    else:
        challenge = await reader.challenges.of_match(match.id)
        home = match.guild if challenge is None else challenge.guild
    if home is None or guild != home:
        raise Refused(Reason.NOT_OF_THIS_SERVER)
    return home


def _check_sides(match: Match) -> None:
    """Raises Refused (`side_not_judged`) for a match in which a server plays whose moderators alone would decide it."""
    if match.away is None and has_side(match):
        raise Refused(Reason.SIDE_NOT_JUDGED)


def _is_agreed(known: ProposedRuling | None, guild: GuildId, ruling: Ruling, now: Millis) -> bool:
    """Returns whether the other server of a match has proposed a ruling to `guild`."""
    return known is not None and known.guild != guild and known.ruling == ruling and known.holds(now)


async def _agreed(
    tx: Transaction, match: Match, guild: GuildId | None, ruling: Ruling, entry: LogEntry, at: Millis
) -> LogEntry:
    """Returns the entry of a ruling for the log of `guild`, which names nobody of another server. Raises Refused
    (`ruling_over`) if another server has to agree to it, and does not."""
    if match.away is None:
        return entry
    here, known = match.on_server(guild), await tx.rulings.of_match(match.id)
    assert here.guild is not None, "a court is on a server"
    if ruling.needs_both(here) and not _is_agreed(known, here.guild, ruling, at):
        raise Refused(Reason.RULING_OVER)
    await tx.rulings.remove(match.id)
    return LogEntry(LogAction.AGREED, entry.by)


async def _check_decisions(reader: Reader, match: Match, favored: Collection[UserId], now: Millis) -> None:
    challenge = await reader.challenges.of_match(match.id)
    if challenge is not None and challenge.terms.pool is not None:
        await check_decision_limit(reader.careers, favored, now)
