"""A match as a record for other programs: what SGF can say, and beside it the whole history."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from play.clock import Fischer, Reserve, TimeControl, Untimed
from play.match.match import Match
from play.match.snapshot import MatchSnapshot
from play.records.record import APPLICATION, BadRecord, Close, Dot, Record
from rules.dots import Call, Closing, Dots, Ending, Measure, Scoring, Setup, Turn
from rules.game import IllegalMove, Outcome, Seat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from play.ids import Millis
    from play.records.record import Chain
    from rules.game import Area

COLOURS = "WB"
"""The letters of the first two seats: zagram and playdots draw White red and Black blue, as Kropka its players."""


def transcript(match: Match, players: Sequence[str]) -> Record:
    """Returns the record of `match` so far. `players` are the names by seat, since a match knows only ids.

    A base is written with the dot that closed it. If an opponent's dot completed it by entering a house, it is written
    with its owner's next move. Raises BadRecord (`no_dots`) for a game that is not Dots.
    """
    game = match.game
    if not isinstance(game, Dots):
        raise BadRecord("no_dots")
    history = MatchSnapshot.of(match)
    start = _start(match, history)
    times = _time_texts(match.clock.control)
    last = match.last_move
    stopped = last is not None and last.text == Call.STOP and game.ending is Ending.GROUND
    record = Record(
        game.width,
        game.height,
        stones=_stones(game, start),
        moves=tuple(_moves(start, history, timed=bool(times))),
        players=tuple(players),
        result=_result(match),
        colours=COLOURS,
        seats=game.seats,
        rules=_rules(game),
        date=datetime.fromtimestamp(match.started / 1000, UTC).date().isoformat(),
        time=times[0] if times else "",
        overtime=times[1] if times else "",
        application=APPLICATION,
        handicap=str(game.handicap) if game.handicap else "",
        komi=f"{game.komi:g}" if game.komi else "",
        begins=start.position.to_act,
        comment=_origin(game),
        close=Close(last.seat, "") if stopped and last else None,
        history=history,
    )
    return replace(record, fallen=_fallen(match, record, game))


def _fallen(match: Match, record: Record, game: Dots) -> tuple[Dot, ...]:
    """Returns dots of the opponent that enclose what a STOP that was played out has lost, for programs without STOP.

    Nothing if the game goes on, and if a program that closes automatically would not come to the score by them.
    """
    stops = [event.seat for event in match.moves if event.text in (Call.STOP, Call.STOP_WAITING)]
    if not match.outcome or not stops or game.ending is not Ending.PLAY_OUT:
        return ()
    opponent, dots = Seat(1 - stops[0]), []
    try:
        *_, position = replace(record, history=None).replay(replace(game, ending=Ending.FULL))
    except BadRecord:  # what STOP has freed or lost is a wall there, and a later dot lies behind it
        return ()
    for point in position.siege(stops[0]):
        with suppress(IllegalMove):  # an enclosure that the dots before it made holds this one
            position = position.with_to_act(opponent).play(Turn(point))
            dots.append(Dot(opponent, point, ""))
    return tuple(dots) if position.score == match.score else ()


def _start(match: Match, history: MatchSnapshot) -> Match:
    """Returns the match before its first event, on clocks that run day and night."""
    first = MatchSnapshot(history.game, history.seed, history.control, history.started, ())
    return first.restore(match.id, guild=match.guild, channel=match.channel, parent=match.parent, players=match.players)


def _origin(game: Dots) -> str:
    """Returns where a game began, in the language of records; empty for one that began at its own start."""
    opening = game.opening
    if opening is None:
        return ""
    return f"Played on from move {opening.move} of {f'game {opening.match}' if opening.match else 'another record'}."


def _stones(game: Dots, start: Match) -> tuple[Dot, ...]:
    """Returns the set-up: that of a record and an opening in their order, which may matter, any other colour by
    colour."""
    if game.setup is Setup.STONES or game.opening:
        return tuple(Dot(seat, point, "") for seat, point in game.all_first_dots)
    stones = sorted(start.position.picture().stones, key=lambda stone: stone.seat)
    return tuple(Dot(stone.seat, stone.point, "") for stone in stones)


def _moves(match: Match, history: MatchSnapshot, *, timed: bool) -> list[Dot]:
    """Returns the dots that were not taken back, in order. `match` is at its start."""
    position, dots = match.position, []
    times: list[Millis] = []
    for event in history.events:
        match = match.after(event)
        del times[len(match.moves) - event.is_move :]
        if event.is_move:
            times.append(match.clock.remaining[event.seat])
    owed: dict[Seat, tuple[Chain, ...]] = {}
    areas: tuple[Area, ...] = ()
    for event, time in zip(match.moves, times, strict=True):
        turn = match.game.parse(event.text)
        before, position = position, position.play(turn)
        if position.score != before.score:
            known, areas = set(areas), position.picture().areas
            for area in areas:
                if area not in known:
                    owed[area.seat] = (*owed.get(area.seat, ()), area.ring)
        if isinstance(turn, Turn):
            left = round(time / 1000, 1) if timed else None
            dots.append(Dot(event.seat, turn.dot, "", owed.pop(event.seat, ()), left))
    return dots


def _time_texts(control: TimeControl) -> tuple[str, str] | None:
    """Returns TM and OT in seconds, as zagram writes them: `15` is added each move, `0+30` is free each move."""
    if isinstance(control, Fischer):
        return str(control.initial // 1000), str(control.increment // 1000)
    if isinstance(control, Reserve):
        return str(control.reserve // 1000), f"0+{control.free // 1000}"
    if isinstance(control, Untimed):
        return None
    return "0", f"0+{control.allowance // 1000}"


def _result(match: Match) -> str:
    """Returns RE. It is empty during the match, and with more than two players, of whom several may win."""
    outcome: Outcome | None = match.outcome
    if outcome is None or match.game.seats > 2:
        return ""
    if len(outcome.winners) != 1:
        return "0" if outcome.winners else "Void"
    (winner,) = outcome.winners
    if outcome.reason in ("resign", "time"):
        margin = outcome.reason[0].upper()
    else:
        lead = match.score[winner] - match.score[1 - winner]
        margin = f"{lead:g}" if lead > 0 and outcome.reason != "adjudged" else ""
    return f"{COLOURS[winner]}+{margin}"


def _rules(game: Dots) -> str:
    """Returns RU, by the proposal that zagram follows: http://eidokropki.reaktywni.pl/sgf-for-kropki-rules2.html."""
    automatic = game.closing is Closing.AUTOMATIC
    tags = {
        "Punish": 0,
        "Holes": 1,
        "AddTurn": int(game.extra_move),
        "MustSurr": int(automatic),
        "MinArea": int(automatic and game.measure is Measure.AREA),
        "Pass": 0,
        "Stop": int(game.ending is not Ending.FULL),
        "LastSafe": 0,
        "ScoreTerr": int(game.scoring is not Scoring.DOTS),
        "InstantWin": game.win.dots if game.win and game.win.ahead else 0,
    }
    return ",".join(f"{tag}={value}" for tag, value in tags.items())
