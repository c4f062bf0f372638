"""The speed of drawing boards, with the usual way of chess bots in the same run."""

from __future__ import annotations

from functools import partial
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import median
from typing import TYPE_CHECKING

import cairosvg
import chess
import chess.svg

from benchmarks.figure import Figure, times
from play.clock import parse_control
from play.ids import ChannelId, MatchId, Millis, UserId
from play.match.events import Event, EventKind
from play.match.match import Match
from presentation.match.played_game import PlayedGame, turn_to
from presentation.words.words import languages
from renderer import board, brush
from renderer.board import draw, pictures, warm
from renderer.header import Header, Mark, Plate
from renderer.replay import Moment, replay
from renderer.theme import PAPER, THEMES
from rules.registry import make_game

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rules.game import Picture, Seat

MOVES = 300
MIDDLE = range(200, 300)
"""The moves of a game that count as its middle."""
CROWDED = (range(9, 29), range(7, 24))
"""The columns and rows in which the game is played."""

OPENING = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O"
"""Moves of the peer's game."""


def figures() -> Iterator[Figure]:
    moments = game()
    warm([(39, 32)], [PAPER])
    for moment in moments[: MIDDLE.start]:
        draw(*moment)
    middle = [moments[move] for move in MIDDLE]
    following = times(partial(draw, *moment) for moment in middle)
    yield Figure("39x32 in mid-game, the next move", following, "ms", 4, processor=True)
    yield Figure("  its file", median(len(draw(*moment)) for moment in middle) / 1000, "kB", 40)
    fresh = times(partial(_from_tiles, *moment) for moment in middle)
    yield Figure("  with nothing cached but the tiles", fresh, "ms", 12, processor=True)
    yield Figure("  with nothing cached at all", times(partial(_from_nothing, *moment) for moment in middle[:5]), "ms")
    yield from _beside_chess(following)
    yield from _steps()
    replay(moments)
    film = times([partial(replay, moments)] * 7)
    yield Figure(f"replay of {MOVES} moves on 39x32", film, "ms", 150, processor=True)
    yield Figure("  its file", len(replay(moments)) / 1000, "kB", 400)
    with get_context("spawn").Pool(1) as other:
        yield Figure("memory of the caches after all sizes and themes", other.apply(_memory), "MB", 64)


def _steps() -> Iterator[Figure]:
    """Measures a step of the panel that walks through a game beside the drawing of its board alone."""
    luck = Random(5)  # noqa: S311 - no secret
    match = Match.begin(
        MatchId(1),
        guild=None,
        channel=ChannelId(1),
        parent=None,
        game=make_game("zagram", {"size": "39x32"}),
        seed=0,
        players=(UserId(1), UserId(2)),
        control=parse_control("3d"),
        at=Millis(0),
    )
    for _ in range(MOVES):
        turn = str(luck.choice([*match.position.moves()]))
        match = match.after(Event(EventKind.MOVE, match.position.to_act, turn, Millis(0), None))
    played = PlayedGame(match, ("Ola", "Максим"), languages().of("en"), "paper")
    positions = played.positions()
    turn_to(played, MIDDLE.start)
    whole = times(partial(turn_to, played, number) for number in MIDDLE[1::2])
    alone = times(
        partial(draw, positions[number].picture(), played.header(positions[number], number)) for number in MIDDLE[2::2]
    )
    yield Figure(f"a step through {MOVES} moves, in drawings of its board", whole / alone, "", 5)


def game() -> list[Moment]:
    """Returns an artificial game in the middle of the field, so dense that there are many captures."""
    position, luck = make_game("zagram", {"size": "39x32"}).start(seed=0), Random(5)  # noqa: S311 - no secret
    found = [_moment(position.picture(), position.score, position.to_act, 0)]
    while len(found) <= MOVES:
        moves = [move for move in position.moves() if move.dot.x in CROWDED[0] and move.dot.y in CROWDED[1]]
        position = position.play(luck.choice(moves))
        found.append(_moment(position.picture(), position.score, position.to_act, len(found)))
    return found


def _moment(picture: Picture, score: tuple[float, ...], to_act: Seat, move: int) -> Moment:
    plates = (
        Plate(name, f"{points:g}", Mark.TO_ACT if seat == to_act else Mark.NONE)
        for seat, (name, points) in enumerate(zip(("Ola", "Максим"), score, strict=True))
    )
    return Moment(picture, Header(tuple(plates), f"move {move}"))


def _from_tiles(picture: Picture, header: Header) -> None:
    board.forget()
    draw(picture, header)


def _from_nothing(picture: Picture, header: Header) -> None:
    brush.forget_tiles()
    _from_tiles(picture, header)


def _beside_chess(ours: float) -> Iterator[Figure]:
    """Measures `chess.svg.board` and cairosvg at 800 px, the way of most chess bots (extra `bench`)."""
    position, boards = chess.Board(), []
    for move in OPENING.split():
        last = position.push_san(move)
        boards.append(partial(_chess_board, position.copy(), last))
    peer = times(boards)
    yield Figure("peer: chess.svg and cairosvg, 800 px", peer, "ms")
    yield Figure("  its file", median(len(run()) for run in boards) / 1000, "kB")
    yield Figure("  times slower than ours", peer / ours, "", 15, least=True)


def _chess_board(position: chess.Board, last: chess.Move) -> bytes:
    file: bytes = cairosvg.svg2png(chess.svg.board(position, size=800, lastmove=last).encode())
    return file


def _memory() -> float:
    """Returns how far a fresh process grows, in MB, while it draws boards of all sizes in all themes."""
    before = _resident()
    for (width, height), theme in product([(side, min(60, side + side % 7)) for side in range(5, 61)], THEMES.values()):
        for picture in [*pictures(width, height)][:: max(1, width // 4)]:
            draw(picture, Header((Plate("Ola", "1"), Plate("Максим", "2"))), theme)
    return _resident() - before


def _resident() -> float:
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1000
    raise OSError("no VmRSS in /proc/self/status")
