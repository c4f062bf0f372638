"""Searches for points of predictions by accounts that decide the game, in every way that there is.

The game is predicted, played and judged by the real services on a database of its own. The first account predicts in
each window that opens, and may have a further part; the second one may play, manage the server, or decide as its
moderator. The other player is honest; who wins an honest game is left to the lot, so a plan that knows nothing has
nothing on average. Good judges have two points a game (`tests/play/oracles.py`).
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from shutil import copyfile
from statistics import fmean
from typing import Final

from benchmarks.cheating.plans import Gains, Plan, Subject
from play.challenge.terms import Order, Terms
from play.clock import parse_control
from play.community.prediction import moves_made, window_at, windows
from play.ids import ChannelId, GuildId, IdempotencyKey, Millis, UserId
from play.match.events import OfferKind
from play.match.match import Match
from play.people.membership import Member
from play.refusal import Refused
from play.votes import Choice, NewSide
from rules.registry import make_game
from storage import Database
from tests.clock import DAY, HOUR, NOON, StoppedClock
from tests.matches import a_match, add_match, discard_boards, pass_time, play_turn
from tests.memory import memory_folder
from use_cases import UseCases
from use_cases.match_writer import automatic_key
from use_cases.votes import VoteGame
from use_cases.workers.prediction_judge import PredictionJudge

GUILD: Final = GuildId(7)
ACCOUNT, SECOND, HONEST, MODERATOR = UserId(101), UserId(102), UserId(103), UserId(104)
BOARD: Final = make_game("zagram", {"size": "10x10", "start": "empty"})

FINAL, VOTES = "a final", "a vote game"
PREDICTS, PLAYS, VOTED, MANAGES = "predicts alone", "plays in it, too", "votes in it, too", "manages the server, too"
OBVIOUS = "the obvious"
PICKS: Final = {OBVIOUS: None, "the second player wins": -1, "the first player wins": 1, "a draw": 0, "a rout": -4}
FAIR, GIVES_UP, FLAGGED, DRAWS = (
    "plays fairly",
    "plays, and gives up",
    "plays, and lets time run out",
    "plays account 3, and draws",
)
ENDS, JUDGES = "manages, and ends it", "moderates, and decides it"
BY_PLAYER: Final = frozenset({GIVES_UP, FLAGGED, DRAWS})
LATE, EARLY, AT_ONCE = "after the last window", "after the first window", "in the first window"

SLOTS: Final = {
    "game": (FINAL, VOTES),
    "account 1": (PREDICTS, PLAYS, VOTED, MANAGES),
    "says": tuple(PICKS),
    "account 2": (FAIR, GIVES_UP, FLAGGED, DRAWS, ENDS, JUDGES),
    "when": (LATE, EARLY, AT_ONCE),
}
ALONE, WITH_PLAYER = "points a game without its players", "points a game with one of its players"


class Lab:
    """A server on which one game is predicted."""

    def __init__(self, store: Database, clock: StoppedClock, acts: dict[str, str]) -> None:
        self.store, self.clock, self.acts = store, clock, acts
        self.use_cases = UseCases.over(store, seeds=lambda: 4)
        self._keys = map(IdempotencyKey, count(10**9))

    async def play(self, loser: int) -> int:
        """Plays a game, which the seat `loser` gives up if it is fair; returns the points of the first account."""
        match = await self._begin()
        for window in windows(match):
            match = await self._predict(await self._move(match, window.opens))
            if self.acts["when"] == AT_ONCE:
                break
            match = await self._move(match, window.closes)
            if self.acts["when"] == EARLY:
                break
        with suppress(Refused):
            await self._end(match, loser)
        judge = PredictionJudge(self.store, self.use_cases.events)
        for each in await judge.pending(10):
            await judge.process(each)
        table = await self.use_cases.predictions.table(GUILD, ACCOUNT)
        return 0 if table.own is None else table.own.points

    async def _begin(self) -> Match:
        second = ACCOUNT if self.acts["account 1"] == PLAYS else SECOND
        if self.acts["game"] == FINAL:
            new = replace(a_match(players=(HONEST, second), control="3d", game=BOARD), predictable=True)
            return await add_match(self.store, new)
        terms = Terms(BOARD, parse_control("1d"), Order.FIRST)
        side = NewSide(GUILD, ChannelId(3))
        game = VoteGame(GUILD, ChannelId(3), side, second, Millis(6 * HOUR), terms, MODERATOR)
        match = await self.use_cases.votes.begin(game, self.clock(), next(self._keys))
        if self.acts["account 1"] == VOTED:
            member, first = Member(ACCOUNT, GUILD, joined=Millis(NOON - DAY)), str(next(iter(match.position.moves())))
            await self.use_cases.votes.cast(
                match.id, member, Choice.MOVE, first, self.clock(), next(self._keys), match.version
            )
        return match

    async def _move(self, match: Match, moves: int) -> Match:
        """Fills the board row by row, up to so many moves."""
        async with self.store.write() as tx:
            while moves_made(match) < moves:
                match = play_turn(match, at_once=True)
                await tx.matches.save(match)
            await discard_boards(tx, match.id)
        return match

    async def _predict(self, match: Match) -> Match:
        pick, manages = PICKS[self.acts["says"]], self.acts["account 1"] == MANAGES
        assert window_at(match) is not None, "it has just opened"
        with suppress(Refused):
            service = self.use_cases.predictions
            outlook = await service.look(match.id, ACCOUNT, GUILD, manages=manages)
            said = outlook.obvious if pick is None else pick
            await service.predict(match.id, match.version, ACCOUNT, GUILD, said, manages=manages)
        return match

    async def _end(self, match: Match, loser: int) -> None:
        """Ends the game as the second account does, else fairly."""
        now, second, cases = self.clock(), match.players[1], self.use_cases
        match self.acts["account 2"]:
            case "plays, and gives up":
                await cases.matches.resign(match.id, second, now, next(self._keys))
            case "plays, and lets time run out":
                if match.to_act == 0:
                    await self._move(match, moves_made(match) + 1)
                await pass_time(self.store, self.clock, 4 * DAY)
                await cases.clocks.flag_overdue()
            case "plays account 3, and draws" if self.acts["game"] == FINAL:
                await cases.actions.propose(match.id, second, OfferKind.DRAW, now, next(self._keys))
                await cases.actions.agree(match.id, match.players[0], OfferKind.DRAW, now, next(self._keys))
            case "manages, and ends it" if self.acts["game"] == VOTES:
                await cases.matches.resign(match.id, match.players[0], now, next(self._keys))
            case "moderates, and decides it":
                await cases.moderation.adjudge(match.id, MODERATOR, GUILD, second, now, next(self._keys))
            case _:
                is_voted = self.acts["game"] == VOTES and loser == 0
                key = automatic_key(match) if is_voted else next(self._keys)
                await cases.matches.resign(match.id, match.players[loser], now, key)


async def play_plan(template: Path, plan: Plan) -> Gains:
    """Returns the points of a plan in a game, on average over games that either player loses."""
    acts, points = dict(zip(SLOTS, plan, strict=True)), []
    for loser in (0, 1):
        clock = StoppedClock()
        with tempfile.TemporaryDirectory(dir=memory_folder()) as folder:
            file = copyfile(template, Path(folder) / "kropka.db")
            async with Database.open(f"sqlite+aiosqlite:///{file}", now=clock) as store:
                points.append(await Lab(store, clock, acts).play(loser))
    has_player = acts["account 1"] == PLAYS or acts["account 2"] in BY_PLAYER
    return {ALONE: 0.0 if has_player else fmean(points), WITH_PLAYER: fmean(points) if has_player else 0.0}


def subjects(template: Path) -> Iterator[Subject]:
    """Yields the one search."""
    yield Subject("predictions", SLOTS, partial(play_plan, template), {ALONE: 0.0, WITH_PLAYER: 20.0})
