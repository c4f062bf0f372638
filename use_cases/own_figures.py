"""The use case of the figures of a player about their own games, which only they see."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from play.clock import Speed, parse_control
from play.community.exercise import Kind
from play.community.own_figures import (
    MAX_GAMES,
    MAX_TIMED_GAMES,
    OPENING_PLIES,
    Happened,
    OwnFigures,
    Pace,
    PlayedGame,
    Strength,
    beaten_rating,
    pace_of,
)
from play.community.puzzle import Figure, puzzle_day
from play.ids import MatchId, Millis, UserId
from play.match.events import MOVE_KINDS
from play.people.career import Result
from play.people.settings import PlayerSettings
from play.records.openings import Opening, openings_of
from rules.game import Seat
from rules.registry import restore_game
from storage import Database
from storage.own_figures import FinishedGame


class Told(NamedTuple):
    """The figures of a player, those of puzzles by kind, the days in a row on which they have solved one, the most of
    those, and the settings in which they read them."""

    figures: OwnFigures
    puzzles: Mapping[Kind, Figure]
    days: int
    longest: int
    settings: PlayerSettings


async def load_figures(store: Database, user: UserId) -> Told:
    """Returns the figures of a player. The latest games count."""
    async with store.read() as reader:
        now, settings = await reader.clock.now(), await reader.people.get(user)
        games = await reader.own_figures.games(user, MAX_GAMES)
        begun = await reader.own_figures.beginnings([each.id for each in games], OPENING_PLIES)
        events = await reader.own_figures.events([each.id for each in games[:MAX_TIMED_GAMES]])
        reviewed = [each.id for each in games if each.lost is not None]
        moves = await reader.own_figures.count_moves(user, reviewed)
        puzzles = await reader.puzzles.figures(user)
        streak, vacations = await reader.dailies.streak(user), await reader.vacations.of_user(user)
    figures = await asyncio.to_thread(_count, games, begun, events, moves)
    days, longest = (streak.on(puzzle_day(now), vacations), streak.longest) if streak else (0, 0)
    return Told(figures, puzzles, days, longest, settings)


def _count(
    games: Sequence[FinishedGame],
    begun: Mapping[MatchId, Sequence[Happened]],
    events: Mapping[MatchId, Sequence[Happened]],
    moves: Mapping[MatchId, int],
) -> OwnFigures:
    return OwnFigures.of(
        [played_game(each, begun.get(each.id, ()), events.get(each.id, ()), moves.get(each.id, 0)) for each in games]
    )


def played_game(
    game: FinishedGame, begun: Sequence[Happened], events: Sequence[Happened] = (), moves: int = 0
) -> PlayedGame:
    """Returns a game as figures count it. Takes 1 ms, of which its opening has most."""
    seats = [Seat(seat) for seat in range(game.seats) if seat != game.seat]
    others, result = [game.ratings.get(seat) for seat in seats], _result(game)
    is_live = parse_control(game.control).speed is Speed.LIVE
    causes = None if game.causes is None else {Kind(each) if each else None: lost for each, lost in game.causes.items()}
    return PlayedGame(
        game.id,
        game.rules,
        game.options.get("size", ""),
        game.ended,
        result,
        Strength.of(game.ratings.get(game.seat), others[0] if len(others) == 1 else None),
        _opening(game, begun),
        _pace(game, events),
        moves,
        game.lost,
        causes,
        game.captures[game.seat],
        beaten_rating(result, others),
        Millis(game.ended - game.started if is_live else 0),
        tuple(game.users[seat] for seat in seats),
    )


def _result(game: FinishedGame) -> Result | None:
    if not game.winners:
        return None
    if game.seat not in game.winners:
        return Result.LOST
    return Result.WON if len(game.winners) == 1 else Result.DRAWN


def _opening(game: FinishedGame, begun: Sequence[Happened]) -> Opening | None:
    """Returns the position after the first moves; None for a game that had fewer, or took some back."""
    if len(begun) < OPENING_PLIES or any(each.kind not in MOVE_KINDS for each in begun):
        return None
    rules = restore_game(game.rules, game.options)
    found = [*openings_of(rules, game.seed, [(each.seat, each.text) for each in begun])]
    return found[-1][0] if len(found) == OPENING_PLIES + 1 else None


def _pace(game: FinishedGame, events: Sequence[Happened]) -> Pace | None:
    found = pace_of(parse_control(game.control), game.seat, game.started, events, game.seats) if events else None
    return found if found is None or game.is_even else found._replace(trouble=None)
