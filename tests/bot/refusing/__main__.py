"""The whole refusing run: `python -m tests.bot.refusing` prints its table, and what was wrong."""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict

from tests.bot.refusing.draws import FAILURES, Draw, draw_all, take_part
from tests.bot.refusing.journeys import JOURNEYS
from tests.bot.refusing.run import Result, requests_of, try_draw


def main() -> int:
    """Runs the draws of a seed, or a part of them; returns 1 if anything was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.bot.refusing", description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="which requests are drawn")
    parser.add_argument("--part", metavar="K/N", default="0/1", help="run an Nth of the draws: number K, from 0")
    parser.add_argument("journeys", nargs="*", metavar="JOURNEY", help=f"by default all: {', '.join(JOURNEYS)}")
    asked = parser.parse_args()
    began = time.perf_counter()
    requests = {journey: requests_of(journey) for journey in asked.journeys or JOURNEYS}
    results: dict[Draw, Result] = {}
    for draw in take_part(draw_all(asked.seed, requests), asked.part):
        results[draw] = _try(draw)
        for violation in results[draw].violations:
            say(f"{draw}\n    {violation}")
    say(table(results))
    wrong = sum(bool(each.violations) for each in results.values())
    say(f"{len(results)} runs, {wrong} with violations, {time.perf_counter() - began:.0f} s")
    return int(wrong > 0)


def _try(draw: Draw) -> Result:
    """Plays a draw; a journey that breaks off is wrong, and no reason to try no other."""
    try:
        return try_draw(draw)
    except Exception as error:
        return Result(1, [f"the journey breaks off: {error!r}"])


def say(text: str) -> None:
    """Prints at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def table(results: dict[Draw, Result]) -> str:
    """Returns a table of journeys by failures: how many requests have failed, with `!` where something was wrong."""
    cells: defaultdict[tuple[str, str], list[Result]] = defaultdict(list)
    for draw, result in results.items():
        cells[draw.journey, draw.failure].append(result)
    journeys = dict.fromkeys(draw.journey for draw in results)
    lines = ["| journey | " + " | ".join(FAILURES) + " |", "|---" * (len(FAILURES) + 1) + "|"]
    for journey in journeys:
        counts = [_cell(cells[journey, failure]) for failure in FAILURES]
        lines.append(f"| {journey} | " + " | ".join(counts) + " |")
    return "\n".join(lines)


def _cell(results: list[Result]) -> str:
    return f"{sum(each.hits for each in results)}{'!' * sum(bool(each.violations) for each in results)}"


if __name__ == "__main__":
    sys.exit(main())
