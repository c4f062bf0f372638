"""Damages records and reads them: `nice python -m tests.play.damaged_records 200000` prints what came of them.

A record is read or refused by BadRecord. One that is read is written, and read again alike. One in REPLAYED is opened
as `/import` does. Whatever else happens is printed with the record, and so is one that takes too long; the counts so
far are printed after each REPORTED.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter
from dataclasses import replace
from functools import cache
from random import Random
from typing import TYPE_CHECKING

from bot.markup import spoken
from play.records.record import BadRecord
from play.records.sgf import read, write
from play.records.transcript import transcript
from presentation.records import open_record
from renderer.theme import PAPER
from rules.opening import play_on
from tests.facts import recorded_games
from tests.play.walks import NAMES, PRESETS, random_match, walk

if TYPE_CHECKING:
    from collections.abc import Callable

    from play.match.match import Match

REPLAYED, REPORTED = 20, 20_000
MAX_SECONDS = 1.5
"""Of the processor, for one record."""

NUMBERS_OF_DAMAGES = (1, 1, 1, 2, 3)
PIECES = (b"", b"]", b"[", b"(", b")", b";", b":", b"\\", b".", b" ", b"9", b"-", b"@", b"|", b"KP", b"SZ", b"B[aa]")
STRAYS = (b"\0", b"\xff", b"\xc2\xa0", b"\xef\xbb\xbf", b"\xe2\x80\x8b", b"\n> ", b"---", b"<br>", b"&nbsp;", b"%5B")
CHARSETS = ("utf-8", "utf-16", "cp1251", "koi8-r", "cp1250", "cp932", "big5", "gb18030", "cp949")


@cache
def whole_records() -> tuple[bytes, ...]:
    """Returns records of real games, of a match of each rule set, of one that was played on from there, and one with
    all that other programs write."""
    matches = [_walk(key, number) for number, key in enumerate(PRESETS)]
    matches += [_walk(match.game.key, number, match) for number, match in enumerate(matches)]
    return (
        "(;FF[4]GM[40]CA[UTF-8]SZ[9:7]AB[aa][bb:cc]AW[dd]PB[Łoś ソ 成功]PL[W]RE[B+1]BL[9.5];B[ee.eeff]BL[1];W[fg]"
        "(;B[ab.abbc.cd]C[\\]];TB[.aabb]TW[])(;B[ac])(;W[]))".encode(),
        *(write(transcript(match, NAMES[: match.game.seats])) for match in matches),
        *(path.read_bytes() for path in recorded_games()),
    )


def _walk(key: str, seed: int, before: Match | None = None) -> Match:
    """Returns a match of some turns by a rule set, after the moves of another one if there is one."""
    match = random_match(key, Random(seed))
    if before:
        turns = [move.text for move in before.moves[:-1]]
        game = play_on(before.game, before.seed, turns, 12)
        match = replace(match, game=game, seed=before.seed, position=game.start(before.seed))
    return walk(match, Random(seed), 15)


def damage(chance: Random) -> bytes:
    """Returns a record with a few bytes lost, changed, doubled or moved, or in another character set."""
    record = chance.choice(whole_records())
    if chance.random() < 0.1:
        record = record.decode("utf-8", "replace").encode(chance.choice(CHARSETS), "replace")
    data = bytearray(record)
    for _ in range(chance.choice(NUMBERS_OF_DAMAGES)):
        at, length = chance.randrange(len(data) + 1), chance.choice((0, 0, 1, 1, 2, 4, 30))
        chance.choice(DAMAGES)(data, at, length, chance)
    return bytes(data)


def _put(data: bytearray, at: int, length: int, chance: Random) -> None:
    data[at : at + length] = chance.choice(PIECES)


def _stray(data: bytearray, at: int, length: int, chance: Random) -> None:
    data[at : at + length] = chance.choice(STRAYS)


def _double(data: bytearray, at: int, length: int, chance: Random) -> None:
    data[at:at] = data[at : at + length * chance.choice((1, 9))]


def _turn_bit(data: bytearray, at: int, length: int, chance: Random) -> None:
    for place in range(at, min(at + length, len(data))):
        data[place] ^= 1 << chance.randrange(8)


def _swap(data: bytearray, at: int, length: int, chance: Random) -> None:
    """Puts a piece of the record at another place: moves change their order, options their names."""
    piece = bytes(data[at : at + length])
    del data[at : at + length]
    there = chance.randrange(len(data) + 1)
    data[there:there] = piece


def _number(data: bytearray, at: int, length: int, chance: Random) -> None:
    """Changes the next number."""
    place = next((place for place in range(at, len(data)) if 48 <= data[place] < 58), None)
    if place is not None:
        data[place : place + 1] = str(chance.choice((0, 1, 9, 99, 10**length, -1))).encode()


DAMAGES: tuple[Callable[[bytearray, int, int, Random], None], ...] = (_put, _stray, _double, _turn_bit, _swap, _number)


def try_record(data: bytes, *, opened: bool) -> str:
    """Returns what came of a record: `refused`, `read`, or `whole` if it is a match with its history.

    Raises AssertionError if it isn't read again as it was written.
    """
    try:
        record = read(data)
        if opened:
            open_record(data, "game.sgf", None, spoken().of("en"), PAPER)
    except BadRecord:
        return "refused"
    again = read(write(record))
    alike = replace(again, odd=record.odd, more_games=record.more_games, cut_off=record.cut_off)
    assert (alike.moves, alike.players, alike.history) == (record.moves, record.players, record.history)
    return "whole" if record.history else "read"


def main() -> int:
    """Returns 1 if anything failed or took too long."""
    parser = argparse.ArgumentParser(prog="python -m tests.play.damaged_records", description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    counts, longest = Counter[str](), 0.0
    for number in range(asked.count):
        data = damage(Random(f"{asked.seed} {number}"))
        began = time.process_time()
        try:
            came = try_record(data, opened=number % REPLAYED == 0)
        except Exception:  # whatever it is, it is what we look for
            came = "failed"
            say(f"{number}: {data!r}\n{traceback.format_exc()}")
        seconds = time.process_time() - began
        longest = max(longest, seconds)
        if seconds > MAX_SECONDS:
            counts["too slow"] += 1
            say(f"{number}: {seconds:.1f} s: {data!r}")
        counts[came] += 1
        if (number + 1) % REPORTED == 0 or number + 1 == asked.count:
            say(f"{number + 1} records: {dict(counts)}, the longest {longest * 1000:.0f} ms")
    return int(counts["failed"] + counts["too slow"] > 0)


def say(text: str) -> None:
    """Prints at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
