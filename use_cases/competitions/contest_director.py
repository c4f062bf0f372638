"""The director of contests of two servers: pairs players, begins their games, calls substitutes, counts results."""

import logging
from collections.abc import Set
from contextlib import suppress
from dataclasses import replace
from typing import Protocol

from play.challenge.terms import Order
from play.community.happening import contest_happenings
from play.competitions import contest as contests
from play.competitions.contest import (
    NO_SHOW_MILLIS,
    SHOW_MILLIS,
    Blocked,
    Board,
    Cause,
    Contest,
    ContestId,
    Side,
    Stage,
    cancel,
    enter_result,
    finish_when_decided,
    lose_channel,
    notice_for,
    replace_or_forfeit,
    with_board,
)
from play.competitions.contest_pairing import begin_when_due
from play.ids import ChannelId, MessageId, Millis, UserId
from play.match.events import EventKind
from play.match.match import AwayPlace, Match
from play.match.points import DRAWN, LOST, WON
from play.posts import PostKey
from play.refusal import Refused
from play.votes import NewSide
from rules.game import Seat
from storage import Database
from storage.errors import Stale
from storage.unit_of_work import Reader
from use_cases.competitions.called_match import CalledGames, add_called, challenge_of_call
from use_cases.competitions.contests import load_seeds
from use_cases.competitions.director import Director
from use_cases.competitions.tournaments import load_avoided
from use_cases.limits import Capacity
from use_cases.post_keeper import PostKeeper
from use_cases.votes import VoteGame, Votes
from use_cases.worker import ChannelClosed, RetryLater, Timing, Undeliverable, Unshowable

log = logging.getLogger(__name__)


class ContestDisplay(Protocol):
    """The messages that show a contest to one of its servers, in its words; bot/ implements it. Posting the same twice
    makes one message. Raises Undeliverable if the channel is gone, ChannelClosed while the bot may not post there, and
    Unshowable if the chat takes the message in no form; anything else is tried again."""

    async def show(self, contest: Contest, side: Side) -> MessageId:
        """Edits the message of the contest, or posts it."""

    async def call(self, contest: Contest, board: Board, side: Side) -> MessageId:
        """Posts the message that calls the player of a side to a board, from which the thread of the game opens."""

    async def tell(self, contest: Contest, side: Side, notice: str) -> None:
        """Posts a notice of `notice_for`."""


class ContestDirector(Director[ContestId]):
    """Runs contests; it ends games to which a player has not come."""

    def __init__(
        self,
        store: Database,
        posts: PostKeeper,
        games: CalledGames,
        capacity: Capacity,
        votes: Votes,
        display: ContestDisplay,
        timing: Timing = Timing(),  # noqa: B008 - frozen
    ) -> None:
        super().__init__(store, posts, timing)
        self._games = games
        self._capacity = capacity
        self._votes = votes
        self._display = display

    async def pending(self, limit: int) -> list[ContestId]:
        async with self._store.read() as reader:
            return await reader.contests.to_update(await reader.clock.now(), limit)

    async def direct(self, key: ContestId, now: Millis) -> None:
        left = await self._left(await self._load(key), now)
        contest = await self._advance(key, now, left)
        if contest.stage is Stage.RUNNING and contest.ends is not None and now >= contest.ends:
            await self._games.judge([board.match for board in contest.boards if board.points is None], now)
            contest = await self._advance(key, now)
        if await self._end_unattended(contest, now):
            contest = await self._advance(key, now)
        problem: RetryLater | None = None
        try:
            for board in contest.boards if contest.stage is Stage.RUNNING else ():
                if board.points is None and board.match is None:
                    contest = await self._open(contest, board, now)
        except RetryLater as error:  # both servers still see what has changed
            problem = error
        for side in contest.sides:
            try:
                await self._show(await self._load(key), side, now)
            except RetryLater as error:
                problem = error
        if problem is not None:
            raise problem

    # What time and games bring

    async def _left(self, contest: Contest, now: Millis) -> frozenset[UserId]:
        """Returns the players who have left their server by the end of the sign-up."""
        if contest.stage is not Stage.SIGN_UP or contest.closes is None or now < contest.closes:
            return frozenset()
        users = {side: [each.user for _, each in contest.of_side(side)] for side in Side}
        left = [await self._games.left(contest.team(side).guild, users[side]) for side in Side]
        return left[0] | left[1]

    async def _advance(
        self,
        id: ContestId,  # noqa: A002 - the field's name
        now: Millis,
        left: Set[UserId] = frozenset(),
    ) -> Contest:
        """Stores what time and finished games bring: the pairs, without those who have `left` their server, results,
        substitutes, the end."""
        async with self._store.write() as tx:
            stored = await tx.contests.get(id)
            assert stored is not None, "it was found a moment ago"
            contest = contests.drop_old_proposal(stored, now)
            if contest.stage is Stage.INVITED and now >= contest.expires:
                contest = cancel(contest, Cause.EXPIRED)
            if contest.stage is Stage.SIGN_UP and contest.closes is not None and now >= contest.closes:
                contest = await self._pair(tx, contest, left, now)
            if contest.stage is Stage.RUNNING and contest.boards:
                blocked = await load_avoided(tx, [each.user for each in contest.players])
                for board in stored.boards:
                    match = await tx.matches.get(board.match) if board.match and board.points is None else None
                    if match is not None:
                        contest = _count(contest, board, match, blocked, now)
                    elif board.points is None and contest.ends is not None and now >= contest.ends:
                        contest = with_board(contest, replace(board, points=DRAWN, unplayed=True))
            contest = finish_when_decided(contest, now)
            if contest != stored:
                contest = await tx.contests.save(contest, stored)
            for happening in contest_happenings(contest):
                await tx.happenings.plan(happening, now)
            return contest

    async def _pair(self, reader: Reader, contest: Contest, left: Set[UserId], now: Millis) -> Contest:
        users = [each.user for each in contest.players]
        most = self._capacity.max_of_player
        busy = {user for user in users if await reader.matches.count_open(user=user) >= most}
        ratings, played = await load_seeds(reader, contest)
        blocked = await load_avoided(reader, users)
        return begin_when_due(contest, ratings, blocked, busy | left, self._games.seeds() % 2, now, played)

    async def _end_unattended(self, contest: Contest, now: Millis) -> bool:
        """Ends the games that a substitute is to play anew; returns whether there were any."""
        ended = False
        for board in contest.boards if contest.stage is Stage.RUNNING else ():
            if board.players is None or board.points is not None or board.match is None:
                continue
            async with self._store.read() as reader:
                match = await reader.matches.get(board.match)
            if match is None or match.outcome or match.all_have_moved or not _is_unattended(contest, board, match, now):
                continue
            ended = True
            with suppress(Refused):  # the player has moved at this moment
                await self._games.moderation.end_unattended(match, self._games.user(), now)
        return ended

    # Boards

    async def _open(self, contest: Contest, board: Board, now: Millis) -> Contest:
        """Begins the game of a board in a thread on each of the servers."""
        await self._games.check_open(now)
        calls = [await self._call(contest, board, side, now) for side in Side]
        if board.players is None:
            return await self._open_votes(contest, board, (calls[0], calls[1]), now)
        home, guest = contest.team(Side.HOME), contest.team(Side.GUEST)
        players = contest.users_of(board)
        in_order = players[board.first], players[board.first.other]
        terms = replace(contest.terms, order=Order.FIRST)
        challenge = challenge_of_call(home.guild, home.channel, calls[Side.HOME], in_order, terms, now)
        seat = Seat(0 if board.first is Side.GUEST else 1)
        away = AwayPlace(guest.guild, ChannelId(calls[Side.GUEST]), guest.channel, seat)
        async with self._store.write() as tx:
            built = await self._games.build(tx, challenge, now, away)
            match = await add_called(tx, challenge, replace(built, predictable=True))
            begun = replace(board, match=match.id, calls=(calls[0], calls[1]), waits_since=now)
            saved = await tx.contests.save(with_board(contest, begun), contest)
        self._games.events.match_changed(match)
        return saved

    async def _open_votes(
        self, contest: Contest, board: Board, calls: tuple[MessageId, MessageId], now: Millis
    ) -> Contest:
        """Begins the vote game of a contest, once however often this is tried: its key is that of the contest."""
        assert contest.period is not None, "a vote has a length"
        sides = [
            NewSide(team.guild, team.channel, None, contest.quorum, await self._votes.schedule(team.guild))
            for team in map(contest.team, Side)
        ]
        first, second = sides[board.first], sides[board.first.other]
        home = contest.team(Side.HOME)
        terms = replace(contest.terms, order=Order.FIRST)
        game = VoteGame(
            home.guild, home.channel, first, second, contest.period, terms, home.manager, *map(ChannelId, calls)
        )
        try:
            match = await self._votes.begin(game, now, contest.key)
        except Refused as refused:  # a server has too many vote games, and one of them will end
            raise RetryLater(refused.key) from refused
        async with self._store.write() as tx:
            return await tx.contests.save(with_board(contest, replace(board, match=match.id, calls=calls)), contest)

    async def _call(self, contest: Contest, board: Board, side: Side, now: Millis) -> MessageId:
        """Returns the message that calls a side to a board; one that was posted before a crash is not posted again."""
        known = board.calls[side]
        if known is not None:
            return known
        try:
            message = await self._display.call(contest, board, side)
        except (ChannelClosed, Undeliverable) as error:
            await self.fail(contest.post(side), error, now)
            raise Stale from error
        async with self._store.write() as tx:
            await tx.contests.mark_called(contest.id, board.number, side, message)
        return message

    # Messages

    async def _show(self, contest: Contest, side: Side, now: Millis) -> None:
        """Shows a side the newest version, at most once a minute unless the stage has changed, and its notice.

        It links to the games, so it waits until their first boards are posted, where the chat lets them be.
        """
        team, message = contest.team(side), contest.team(side).message
        if team.shown >= contest.version or now < team.edits:
            return
        async with self._store.read() as reader:
            if not team.gone and await reader.contests.has_unseen_games(contest.id, side):
                return
        notice = notice_for(contest, side)
        try:
            if contest.guest is not None and not team.gone:
                message = await self._display.show(contest, side)
            if notice and notice != team.told and not team.gone:
                await self._display.tell(contest, side, notice)
        except (ChannelClosed, Undeliverable) as error:
            await self.fail(contest.post(side), error, now)
            return
        except Unshowable as reason:
            log.warning("contest %d is not shown to a side until it changes: %s", contest.id, reason)
        async with self._store.write() as tx:
            key, later = contest.post(side).key, Millis(now + SHOW_MILLIS)
            await tx.kept_posts.mark_shown(key, contest.version, message, later, told=notice)
            await tx.kept_posts.heal(key)

    async def end(self, key: PostKey) -> None:
        async with self._store.write() as tx:
            stored = await tx.contests.get(ContestId(key.number))
            assert stored is not None, "it was found a moment ago"
            await tx.contests.save(lose_channel(stored, Side(key.side)), stored)
        self.wake()

    async def _load(self, id: ContestId) -> Contest:  # noqa: A002 - the field's name
        async with self._store.read() as reader:
            stored = await reader.contests.get(id)
        assert stored is not None, "it was found a moment ago"
        return stored


def _count(contest: Contest, board: Board, match: Match, blocked: Blocked, now: Millis) -> Contest:
    """Returns the contest with what the game of a board has brought so far."""
    if match.outcome is None:
        return with_board(contest, replace(board, waits_since=_waiting_since(contest, board, match, now)))
    seats = (Seat(0), Seat(1)) if board.first is Side.HOME else (Seat(1), Seat(0))
    if board.players is not None and not match.outcome.winners and not match.all_have_moved:
        return replace_or_forfeit(contest, board, _absent(contest, board, match), blocked)
    dots = match.score[seats[0]], match.score[seats[1]]
    won = [seat in match.outcome.winners for seat in seats]
    if won[0] == won[1]:
        decided = replace(board, unplayed=not match.outcome.winners)
        return enter_result(contest, decided, DRAWN, dots)
    return enter_result(contest, board, WON if won[0] else LOST, dots)


def _waiting_since(contest: Contest, board: Board, match: Match, now: Millis) -> Millis | None:
    """Returns since when a running game waits for a first move, as long as a substitute might make it."""
    if board.players is None or match.all_have_moved:
        return None
    since = match.clock.since
    is_late = now >= since + NO_SHOW_MILLIS
    return None if is_late and not contest.substitutes(_side_to_act(board, match)) else since


def _is_unattended(contest: Contest, board: Board, match: Match, now: Millis) -> bool:
    """Returns whether a running game, which is not under way, is to be played anew: a player has left, or has not come
    in time and has a substitute."""
    assert board.players is not None, "it is no vote game"
    if any(contest.players[number].left for number in board.players):
        return True
    return board.waits_since is not None and now >= match.clock.since + NO_SHOW_MILLIS


def _absent(contest: Contest, board: Board, match: Match) -> list[Side]:
    """Returns the sides whose players let a game not come under way: they have left or, if nobody has, it was their
    move, or they have cancelled it."""
    assert board.players is not None, "it is no vote game"
    left = [side for side in Side if contest.players[board.players[side]].left]
    if left:
        return left
    last = match.events[-1]
    if last.kind is EventKind.ABORT:
        return [_side_of(board, last.seat)]
    return [_side_to_act(board, match)]


def _side_to_act(board: Board, match: Match) -> Side:
    return _side_of(board, match.position.to_act)


def _side_of(board: Board, seat: Seat) -> Side:
    return board.first if seat == 0 else board.first.other
