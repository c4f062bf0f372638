"""Searches for what cheating brings: `python -m benchmarks.cheating` all, `python -m benchmarks.cheating votes` one."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from benchmarks.cheating import contests, ladders, leagues, predictions, ratings, strangers, votes
from benchmarks.cheating.plans import Search, Subject
from benchmarks.figure import Figure
from benchmarks.program import report
from tests.memory import memory_folder
from tools.program import argument_parser

SUBJECTS: Final[dict[str, Callable[[Path], Iterable[Subject]]]] = {
    "votes": votes.subjects,
    "contests": lambda _: contests.subjects(),
    "predictions": predictions.subjects,
    "leagues": lambda _: leagues.subjects(),
    "ladders": lambda _: ladders.subjects(),
    "strangers": lambda _: strangers.subjects(),
}
CLIMBED = 20_000
"""Plans of a subject that are too many to play them all."""


async def _search(names: list[str], starts: int, seed: int) -> list[Figure]:
    figures = []
    with tempfile.TemporaryDirectory(dir=memory_folder()) as folder:
        template = await ratings.make_template(Path(folder))
        for name in names:
            if name == "ratings":
                figures += await ratings.measure(template)
                continue
            for subject in SUBJECTS[name](template):
                search = Search(subject)
                await (search.climb(starts, seed) if subject.size > CLIMBED else search.try_all())
                await search.confirm()
                figures += search.figures()
    return figures


def main() -> int:
    parser = argument_parser(__doc__)
    parser.add_argument("subjects", nargs="*", choices=["ratings", *SUBJECTS], default=["ratings", *SUBJECTS])
    parser.add_argument(
        "--starts", type=int, default=4, help="random plans from which to climb, besides the honest one"
    )
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    return report(asyncio.run(_search(arguments.subjects, arguments.starts, arguments.seed)))


if __name__ == "__main__":
    sys.exit(main())
