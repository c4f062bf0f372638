"""The use cases of vote games: a server, or a role of it, has a seat, and its members vote about each turn."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from play.challenge.challenge import Challenge, ChallengeState
from play.challenge.terms import Terms
from play.clock.agreement import NO_LIMIT, TimeAgreement
from play.clock.schedule import ClockSchedule, Night
from play.community.happening import vote_happening
from play.community.news import LogAction, LogEntry
from play.ids import (
    MINUTE,
    ChallengeId,
    ChannelId,
    GuildId,
    IdempotencyKey,
    MatchId,
    Millis,
    RoleId,
    UserId,
    side_account,
    side_of,
)
from play.match.events import OfferKind
from play.match.match import AwayPlace, Match
from play.match.moves import read_turn
from play.people.membership import Member, check_member
from play.refusal import Reason, Refused
from play.votes import (
    USUAL_NIGHT,
    Ballot,
    Choice,
    NewSide,
    Poll,
    Side,
    Tally,
    Vote,
    check_new,
    choose_side,
    closing,
    control_of,
    decide,
    enough_to_end,
    has_side,
    is_new,
    last_closing,
    last_missed,
    last_turns,
    schedule_at,
    tally,
    total_votes,
    turn_of,
    turn_of_move,
)
from rules.game import RuleError
from storage import Database
from storage.errors import ChannelTaken, Stale
from storage.unit_of_work import Reader, Transaction
from use_cases.barriers import check_may_meet, check_not_banned
from use_cases.challenges import build_match
from use_cases.events import Events, log_entry, logged
from use_cases.limits import MAX_VOTE_GAMES, Capacity
from use_cases.match_writer import MatchRef, irreversible, load_match, retry_on_conflict

CHANGING_MILLIS = MINUTE
"""From the last vote that was waited for to the count: its voter may change their mind."""


@dataclass(frozen=True, slots=True)
class VoteGame:
    """A vote game as it is to begin in `guild` and `channel`, the home of its match, or in the thread `thread` there. A
    side of another server has it in its own channel as well, or in the thread `away_thread` there.

    The seats have sides or accounts of players: a player who has agreed, or the computer, whose level is in the
    `terms`. `terms.order` says whether the first of the two moves first. The clock and the rating of `terms` do not
    count: a vote lasts for `period`, and vote games are unrated. `by` is the user who begins it.
    """

    guild: GuildId
    channel: ChannelId
    first: NewSide | UserId
    second: NewSide | UserId
    period: Millis
    terms: Terms
    by: UserId
    thread: ChannelId | None = None
    away_thread: ChannelId | None = None

    @property
    def seats(self) -> tuple[NewSide | UserId, NewSide | UserId]:
        return self.first, self.second

    @property
    def sides(self) -> list[NewSide]:
        return [seat for seat in self.seats if isinstance(seat, NewSide)]

    @property
    def players(self) -> list[UserId]:
        """The accounts that play without votes."""
        return [seat for seat in self.seats if not isinstance(seat, NewSide)]


class Votes:
    """What voters do, and those who begin vote games; `seeds` draws who moves first. All methods raise Refused."""

    def __init__(self, store: Database, events: Events, seeds: Callable[[], int], capacity: Capacity) -> None:
        self._store = store
        self._events = events
        self._seeds = seeds
        self._capacity = capacity

    @logged
    async def begin(self, game: VoteGame, at: Millis, key: IdempotencyKey | None = None) -> Match:
        """Begins a vote game: its sides, a challenge with the terms and the match, or none of them.

        One interaction (`key`) begins one, however often the chat delivers it. The caller has checked that `by` may do
        so, and asked a player who is to play against a side. Raises Refused: `bad_period`, `bad_quorum`,
        `votes_need_two`, `too_many_vote_games`, `channel_busy`, and what keeps a player from the game.
        """
        if game.terms.game.seats != 2 or not game.sides:
            raise Refused(Reason.VOTES_NEED_TWO)
        for side in game.sides:
            check_new(side)
        terms = replace(
            game.terms, control=control_of(game.period), rated=False, window=None, agreement=_agreement(game)
        )
        begin = partial(self._begin, replace(game, terms=terms), self._seeds(), at, key)
        try:
            match, is_new = await retry_on_conflict(begin)
        except ChannelTaken as busy:
            raise Refused(Reason.CHANNEL_BUSY) from busy
        if is_new:
            self._events.match_changed(match)
            self._events.news_added()
        return match

    async def schedule(self, guild: GuildId, night: Night | None = USUAL_NIGHT) -> ClockSchedule:
        """Returns when no vote of a server closes: at `night`, in the time zone of its home post or else its daily
        post; never if it has none."""
        async with self._store.read() as reader:
            return schedule_at(await reader.homes.zone(guild), night)

    async def sides_of(self, match: MatchId) -> tuple[Side, ...]:
        """Returns the sides of a match, in the order of the seats; none for a match of players alone."""
        async with self._store.read() as reader:
            return await reader.votes.of_match(match)

    async def servers_of(self, match: MatchId, user: UserId) -> list[GuildId]:
        """Returns the servers whose members vote in a match; that one first for which a user has voted."""
        async with self._store.read() as reader:
            sides = await reader.votes.of_match(match)
            newest = await reader.votes.newest_of(user, sides)
        own_first = sorted(sides, key=lambda side: newest is None or side.id != newest.side)
        return list(dict.fromkeys(side.guild for side in own_first))

    async def side_for(self, ref: MatchRef, voter: Member) -> Side:
        """Returns the side for which a user may vote now.

        Raises Refused: `not_a_voter`, `in_both_sides`, `joined_too_late`, `account_too_new`, `banned`, `banned_until`.
        """
        async with self._store.read() as reader:
            match = await load_match(reader, ref)
            sides = await reader.votes.of_match(match.id)
            side, _ = await _admit(reader, match, sides, voter, await reader.clock.now())
        return side

    async def account_in(self, match: Match, voter: Member) -> UserId:
        """Returns the account for which a user acts in a match: that of the side for which they vote, or their own.

        Of a match of players alone nothing is read. Raises Refused, as `side_for` does, for one who may not vote.
        """
        if voter.user in match.players or not has_side(match):
            return voter.user
        return (await self.side_for(match.id, voter)).account

    async def cast(
        self,
        ref: MatchRef,
        voter: Member,
        choice: Choice,
        text: str,
        at: Millis,
        key: IdempotencyKey,
        version: int | None = None,
        *,
        ends_prediction: bool = False,
    ) -> Ballot:
        """Stores the vote of a user about the present turn, in place of an earlier one.

        `text` is the move, empty for other choices, and `version` that of the board with the button, if one was
        clicked. A click counts once; of two clicks the later one, also if it arrives first. The first vote of a user
        removes what they have predicted of the match, if they have agreed to that (`ends_prediction`). Raises Refused:
        what `side_for` raises, `match_over`, `stale`, `not_your_turn`, `vote_closed`, `vote_predicted`, and the reasons
        of the rules.
        """
        cast = partial(self._cast, ref, voter, choice, text, at, key, version, ends_prediction=ends_prediction)
        ballot = await retry_on_conflict(cast)
        self._events.votes_changed(ballot.side.match)
        return ballot

    async def tally(self, ref: MatchRef, user: UserId) -> Tally:
        """Returns the votes about the newest turn that `user` has voted about.

        Raises Refused (`vote_first`) if they have not voted yet, or not about the present turn, if one is open. So
        nobody follows others, and a side's opponent learns nothing.
        """
        async with self._store.read() as reader:
            match = await load_match(reader, ref)
            sides = await reader.votes.of_match(match.id)
            own = await reader.votes.newest_of(user, sides)
            if own is None:
                raise Refused(Reason.VOTE_FIRST)
            side = next(side for side in sides if side.id == own.side)
            if match.to_act == side.seat and own.version != turn_of(match):
                raise Refused(Reason.VOTE_FIRST)
            counts = await reader.votes.counts(side, own.version, await reader.clock.now())
        return tally(side, own.version, counts)

    async def tally_of_move(self, match: Match, number: int) -> Tally | None:
        """Returns the votes by which a side has played a move, from 1; None of a player's move, of which nothing is
        read. The turn is decided, so they are no secret to those who see the side's boards."""
        move = match.moves[number - 1]
        if side_of(match.players[move.seat]) is None:
            return None
        turn = turn_of_move(match, number)
        async with self._store.read() as reader:
            side = next(side for side in await reader.votes.of_match(match.id) if side.seat == move.seat)
            counts = await reader.votes.counts(side, turn, await reader.clock.now())
        return tally(side, turn, counts)

    async def let_all_vote(self, guild: GuildId, is_gone: Callable[[RoleId], bool]) -> None:
        """Lets all members of a server vote where those with a role did that is gone, and logs it."""
        async with self._store.read() as reader:
            sides = await reader.votes.open_of_guild(guild, MAX_VOTE_GAMES)
        for side in sides:
            if side.role is None or side.lacks_role or not is_gone(side.role):
                continue
            with suppress(Stale):  # another process was first
                async with self._store.write() as tx:
                    await tx.votes.drop_role(side)
                    entry = LogEntry(LogAction.ROLE_GONE, side.account)
                    await log_entry(tx, guild, entry, await tx.clock.now(), side.match)
                self._events.votes_changed(side.match)

    async def settle(self, match: Match, side: Side, *, is_early: bool = False) -> bool:
        """Closes the vote about the present turn of a side if it can be counted; else lets it go on. Returns whether it
        is closed.

        Before it has gone on it needs the side's quorum, and always something to play. One that closes early
        (`is_early`) goes on as before if it can't be counted. Raises Stale if another process was first.
        """
        turn = turn_of(match)
        goes_on = not (side.is_prolonged(turn) or is_early)
        async with self._store.write() as tx:
            now = await tx.clock.now()
            poll = await read_poll(tx, match, side, turn, now)
            is_closed = poll.total >= side.quorum_of(turn) and _is_decided(match, side, poll)
            if is_closed:
                await tx.votes.close(side, turn, now)
            elif goes_on:
                await tx.votes.prolong(side, turn)
        if not is_closed and goes_on:
            self._events.votes_changed(match.id)
        return is_closed

    @logged
    @irreversible
    async def close_now(self, match: Match, side: Side, by: UserId) -> None:
        """Closes the present vote of a side before its time, for those who manage its server.

        Raises Refused: `not_your_turn`, `vote_too_thin` if it has fewer votes than the side's quorum or decides
        nothing, and `vote_closed` if it is closed already.
        """
        async with self._store.read() as reader:
            now = await reader.clock.now()
            _check_open(match, side, now, None)
            poll = await read_poll(reader, match, side, turn_of(match), now)
        try:
            if poll.total < side.quorum or not await self.settle(match, side, is_early=True):
                raise Refused(Reason.VOTE_TOO_THIN, votes=poll.total, quorum=side.quorum)
        except Stale as closed:
            raise Refused(Reason.VOTE_CLOSED) from closed
        async with self._store.write() as tx:
            await tx.votes.hasten(match.id, now)
            await log_entry(tx, side.guild, LogEntry(LogAction.VOTE_CLOSED, by), now, match.id)
        self._events.votes_changed(match.id)
        self._events.news_added()

    async def early_closing(self, match: Match, side: Side) -> Millis | None:
        """Returns when the present vote of a side closes before its time, if it does."""
        async with self._store.read() as reader:
            return await _early_closing(reader, match, side, await reader.clock.now())

    async def _begin(self, game: VoteGame, seed: int, at: Millis, key: IdempotencyKey | None) -> tuple[Match, bool]:
        async with self._store.write() as tx:
            await tx.votes.lock()
            made = await tx.challenges.by_key(key)
            if made is not None and made.match is not None:
                return await load_match(tx, made.match), False
            guilds = sorted({side.guild for side in game.sides})
            for guild in guilds:
                await self._capacity.check_vote_games(tx, guild)
            people = game.players if game.terms.level is None else []
            await check_may_meet(tx, game.guild, game.by, set(people) - {game.by}, at)
            accounts, sides = [], {}
            for seat in game.seats:
                if isinstance(seat, NewSide):
                    number = await tx.votes.add_side(seat, game.period, at)
                    sides[side_account(number)] = number, seat
                    accounts.append(side_account(number))
                else:
                    accounts.append(seat)
            first, second = accounts
            challenge = Challenge(
                ChallengeId(0),
                game.guild,
                game.channel,
                first,
                second,
                game.terms,
                made=at,
                state=ChallengeState.ACCEPTED,
                joined=(second,),
                key=key,
            )
            begun = await build_match(tx, challenge, seed, at, game.thread)
            for account, (_, side) in sides.items():
                own = begun.seat_of(account)
                begun = replace(begun, clock=begun.clock.with_schedule(own, side.schedule))
                if side.guild != game.guild:
                    channel, parent = game.away_thread or side.channel, game.away_thread and side.channel
                    begun = replace(begun, away=AwayPlace(side.guild, channel, parent, own))
            await self._capacity.check_match(tx, challenge, people, game.by)
            match = await tx.matches.add(replace(begun, predictable=True))
            await tx.challenges.add(replace(challenge, match=match.id))
            for account, (number, side) in sides.items():
                place = side.guild, side.channel, side.role, game.period, side.quorum, at
                await tx.votes.seat_side(Side(number, match.id, match.seat_of(account), *place))
            if len(guilds) == 1:  # one of two servers is announced by its contest
                await tx.happenings.plan(vote_happening(match), at)
                await log_entry(tx, guilds[0], LogEntry(LogAction.VOTE_BEGUN, game.by), at, match.id)
        return match, True

    async def _cast(
        self,
        ref: MatchRef,
        voter: Member,
        choice: Choice,
        text: str,
        at: Millis,
        key: IdempotencyKey,
        version: int | None,
        *,
        ends_prediction: bool,
    ) -> Ballot:
        async with self._store.write() as tx:
            match = await load_match(tx, ref)
            sides = await tx.votes.open_of_match(match.id)
            side, newest = await _admit(tx, match, sides, voter, at)
            _check_open(match, side, at, version)
            turn, closes = turn_of(match), closing(match, side)
            before = newest if newest is not None and newest.version == turn else None
            if before is not None and (before.key == key or before.at > at):
                return Ballot(side, before, None, closes)
            vote = Vote(side.id, turn, voter.user, choice, _notation(match, side, choice, text), at, key)
            has_predicted = newest is None and bool(await tx.predictions.of_user(match.id, voter.user))
            if has_predicted and not ends_prediction:
                raise Refused(Reason.VOTE_PREDICTED)
            await tx.votes.put(vote)
            if has_predicted:
                await tx.predictions.drop_voters(match.id)
            if (early := await _early_closing(tx, match, side, at)) is not None:
                await tx.votes.hasten(match.id, early)
        return Ballot(side, vote, before, closes)


async def _admit(
    reader: Reader | Transaction, match: Match, sides: tuple[Side, ...], voter: Member, now: Millis
) -> tuple[Side, Vote | None]:
    """Returns the side for which a user may vote, and the last vote that they have cast. Raises Refused."""
    side = choose_side(sides, voter)
    check_member(voter, side.made)
    newest = await reader.votes.newest_of(voter.user, sides)
    if voter.user in match.players or (newest is not None and newest.side != side.id):
        raise Refused(Reason.IN_BOTH_SIDES)
    await check_not_banned(reader, side.guild, voter.user, now)
    return side, newest


def _check_open(match: Match, side: Side, at: Millis, version: int | None) -> None:
    """Raises Refused unless the vote of a side is open."""
    if match.outcome:
        raise Refused(Reason.MATCH_OVER)
    turn = turn_of(match)
    if version is not None and not turn <= version <= match.version:
        raise Refused(Reason.STALE)
    if match.to_act != side.seat:
        raise Refused(Reason.NOT_YOUR_TURN, user=match.players[match.position.to_act])
    if side.closed >= turn or at > last_closing(match):
        raise Refused(Reason.VOTE_CLOSED)


def _notation(match: Match, side: Side, choice: Choice, text: str) -> str:
    """Returns the notation of a move that is legal now; nothing for other choices. Raises Refused."""
    if choice is not Choice.MOVE:
        return ""
    notation = read_turn(match, side.seat, text)
    try:
        match.position.play(match.game.parse(notation))
    except RuleError as error:
        raise Refused.by_rules(error) from error
    return notation


def _agreement(game: VoteGame) -> TimeAgreement:
    """Returns when clocks of players are stopped: nobody has weekends, and all play out as long as they like."""
    agreed = game.terms.agreement
    return TimeAgreement(quiet=agreed.quiet, vacation=agreed.vacation, play_out=NO_LIMIT)


async def read_poll(reader: Reader | Transaction, match: Match, side: Side, turn: int, now: Millis) -> Poll:
    """Returns the votes about a turn of a side, with what it needs to end the game."""
    before = [] if is_new(match, side, turn) else last_turns(match, side, turn)
    turnouts = [total_votes(await reader.votes.counts(side, earlier, now)) for earlier in before]
    return Poll(await reader.votes.counts(side, turn, now), enough_to_end(side.quorum, turnouts))


async def _early_closing(reader: Reader | Transaction, match: Match, side: Side, now: Millis) -> Millis | None:
    """Returns when the present vote of a side closes before its time: soon after all have voted who voted about the
    last turns, if these are enough; and after silence, a period after the first vote, or after the silence if that was
    cast before it. Neither is in the side's night.

    In the first turn nobody knows who will come.
    """
    turn = turn_of(match)
    before, silent = last_turns(match, side, turn), last_missed(match, side.seat)
    if not before and silent is None:
        return None
    counts = await reader.votes.counts(side, turn, now)
    if counts and silent is not None:
        start = max(silent, min(count.first[0] for count in counts))
        return match.clock.moment_after(side.seat, start, side.period)
    if not before or total_votes(counts) < side.quorum_of(turn):
        return None
    last = await reader.votes.last_awaited(side, turn, before)
    return None if last is None else match.clock.moment_after(side.seat, last, CHANGING_MILLIS)


def _is_decided(match: Match, side: Side, poll: Poll) -> bool:
    """Returns whether votes say what to do now. To offer a draw is no turn."""
    verdict = decide(match, side.seat, poll)
    return verdict is not None and (verdict.choice is not Choice.DRAW or match.offer(OfferKind.DRAW) is not None)
