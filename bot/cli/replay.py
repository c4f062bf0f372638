"""`kropka replay`: replays recorded games by the rules and says how each ends."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

from play.records import pointsxt, sgf
from play.records.record import MAX_RECORD_BYTES, BadRecord, Chain, Record
from renderer.board import draw
from renderer.header import Header, Mark, Plate
from renderer.theme import PAPER, Theme, with_blue
from rules.dots import Dots, DotsPosition
from rules.game import BadOption, Seat, point_name
from rules.registry import GAMES

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from typing import TextIO

BAD_RECORD = 2
"""The exit status if any record could not be replayed."""

PRESETS = {key: game for key, game in GAMES.items() if isinstance(game, Dots) and game.seats == 2}
"""The rule sets that can replay a record; its size and set-up are its own."""

WAYS = {"resign": "by resignation", "time": "on time", "forfeit": "by forfeit", "ground": "by grounding"}
"""Ways to win that have no margin."""

FAULTS = {
    "too_long": "the record is longer than {most} bytes",
    "too_many": "the record has more than {most} moves or properties",
    "no_sgf": "this is no SGF record, or it is cut off",
    "no_sav": "this is no PointsXT record, or it is cut off",
    "no_dots": "this is no record of Dots, which have GM[40]",
    "no_size": "SZ must give the size of the field, from 1 to {largest} each, as in SZ[39:32]",
    "no_point": "this is no crossing: it takes two letters, and only a last turn may be without a dot",
    "bad_chain": "the chain behind this move is not written in points of two letters each",
    "bad_history": "what KP says of the match cannot be read",
    "erases": "in Dots nothing is ever taken off the field",
    "late_set_up": "dots can only be set up before the first move",
    "off_field": "this is outside the field",
    "occupied": "there is a dot already",
    "in_base": "this is inside a base",
    "game_over": "the field is full",
}


@dataclass(frozen=True, slots=True)
class Replay:
    """A replayed record: the scores after each move, seat 0 first, the last position, and the recorded chains that the
    rules did not make, each after the number of its move."""

    record: Record
    scores: list[tuple[float, ...]]
    last: DotsPosition
    not_made: list[tuple[int, Chain]]

    @classmethod
    def of(cls, path: Path, preset: Dots) -> Replay:
        """Raises OSError, BadRecord and BadOption."""
        read = pointsxt.read if path.suffix.lower() == ".sav" else sgf.read
        with path.open("rb") as file:
            record = read(file.read(MAX_RECORD_BYTES + 1))
        scores, not_made = [], []
        for number, moment in enumerate(record.moments(preset)):
            scores.append(moment.position.score)
            not_made += [(number, chain) for chain in moment.not_made]
        return cls(record, scores[1:], moment.position, not_made)

    def details(self) -> dict[str, object]:
        details: dict[str, object] = {
            "width": self.record.width,
            "height": self.record.height,
            "moves": len(self.scores),
            "scores": self.scores,
            "board": self.last.rows(),
            "free": self.last.free,
        }
        if self.record.result:
            details["result"] = self.record.result
        if self.record.contradicts(self.last):
            details["contradicts"] = True
        if self.record.odd:
            details["skipped"] = self.record.odd
        if self.record.more_games:
            details["more_games"] = True
        if self.record.cut_off:
            details["cut_off"] = True
        if self.not_made:
            details["chains_not_made"] = [{"move": number, "chain": _chain(chain)} for number, chain in self.not_made]
        return details

    @property
    def seats(self) -> list[Seat]:
        return [Seat(seat) for seat in range(self.record.seats)]

    def at_risk(self) -> list[int]:
        """The dots that each seat would lose by grounding."""
        return [self.last.at_risk(seat) for seat in self.seats]

    def summary(self) -> str:
        record = self.record
        parts = [
            " - ".join(record.players) if any(record.players) else "",
            f"{record.width}x{record.height}",
            f"{len(record.stones)} dots set up" if record.stones else "",
            f"{len(self.scores)} moves",
            "score " + ":".join(map(str, self.last.score)),
            f"{self.last.free} crossings free" if self.last.free else "the field is full",
            self._result(),
            f"skipped: {' '.join(record.odd)}" if record.odd else "",
            "the file has more games" if record.more_games else "",
            "the last bracket is missing" if record.cut_off else "",
            *(f"move {number}: the rules do not make the chain {_chain(chain)}" for number, chain in self.not_made),
        ]
        return ", ".join(part for part in parts if part)

    @property
    def names(self) -> list[str]:
        """The names of the players, or their colours."""
        return [self.record.players[seat] or self._colour(seat) for seat in self.seats]

    def _colour(self, seat: Seat) -> str:
        return self._theme.inks[seat].name.capitalize()

    @property
    def _theme(self) -> Theme:
        """The theme in which Black is blue, as on zagram and playdots. A match of this program is as it was."""
        return PAPER if self.record.history else with_blue(PAPER, self.record.black)

    def _result(self) -> str:
        """Returns the result by the record and in words, and whether the board has another one."""
        record = self.record
        said = f"the record says {record.result}" if record.result else ""
        outcome = record.outcome
        if outcome is None:
            return said
        if len(outcome.winners) > 1:
            meant = "a draw"
        else:
            (winner,) = outcome.winners
            way = f"by {record.margin:g}" if record.margin is not None else WAYS.get(outcome.reason, "")
            meant = f"{self.names[winner]} won {way}".rstrip()
        unlike = ", unlike the board" if record.contradicts(self.last) else ""
        return f"{said}: {meant}{unlike}" if said else f"{meant}{unlike}"

    def png(self) -> bytes:
        """Returns a picture of the last position."""
        winners = self.last.outcome.winners if self.last.outcome else ()
        plates = tuple(
            Plate(
                self.names[seat],
                str(self.last.score[seat]),
                Mark.WON if seat in winners else Mark.NONE,
                self._colour(seat),
            )
            for seat in self.seats
        )
        return draw(self.last.picture(), Header(plates, f"{len(self.scores)} moves"), self._theme)


def run(arguments: argparse.Namespace) -> int:
    """Runs `kropka replay`."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # names of files may be anything
    return replay(
        arguments.files,
        arguments.rules,
        as_json=arguments.json,
        at_risk=arguments.at_risk,
        png=arguments.png,
        out=sys.stdout,
    )


def replay(paths: Sequence[Path], rules: str, *, as_json: bool, at_risk: bool, png: Path | None, out: TextIO) -> int:
    """Replays each record, writes a line on each to `out` in their order, and returns the exit status.

    `png` is where the picture of the only record goes, or the folder for those of several, named as the records are.
    """
    status = 0
    pictures = _pictures(paths, png)
    for path, picture in zip(paths, pictures, strict=True):
        try:
            replayed = Replay.of(path, PRESETS[rules])
            if picture:
                picture.parent.mkdir(parents=True, exist_ok=True)
                picture.write_bytes(replayed.png())
        except (OSError, BadRecord, BadOption) as error:
            status = BAD_RECORD
            details: dict[str, object] = {"error": _sentence(error, path)}
            summary = f"error: {details['error']}"
        else:
            swing = {"at_risk": replayed.at_risk()} if at_risk else {}
            details = replayed.details() | swing
            summary = replayed.summary() + "".join(f", {':'.join(map(str, risk))} at risk" for risk in swing.values())
        line = json.dumps({"file": str(path)} | details) if as_json else f"{path}: {summary}"
        out.write(line + "\n")
    return status


def _pictures(paths: Sequence[Path], png: Path | None) -> list[Path | None]:
    """Returns the file of each record's picture. Records of one name in different folders get numbers."""
    if png is None:
        return [None] * len(paths)
    if len(paths) == 1 and not png.is_dir():
        return [png]
    names: list[Path | None] = []
    for path in paths:
        name, number = png / f"{path.stem}.png", 1
        while name in names:
            number += 1
            name = png / f"{path.stem}-{number}.png"
        names.append(name)
    return names


def _chain(chain: Chain) -> str:
    """Returns the crossings of a chain as a turn has them: A1-B2-C1."""
    return "-".join(map(point_name, chain))


def _sentence(error: OSError | BadRecord | BadOption, path: Path) -> str:
    """Returns what is wrong, and with which dot: move 17, B[cc] (C5): there is a dot already."""
    if isinstance(error, OSError):
        elsewhere = error.filename and Path(error.filename) != path
        return f"{error.filename}: {error.strerror}" if elsewhere else str(error.strerror)
    details = error.details
    number = f"move {details['number']}, " if "number" in details else ""
    point = f" ({details['point']})" if "point" in details else ""
    where = f"{number}{details['dot']}{point}: " if "dot" in details else ""
    return where + FAULTS.get(error.key, error.key).format(**details)
