"""The tiers of the tests: what `make test` leaves out but for a smoke test, and says so; CONTRIBUTING.md has the table.

The tests of browsers, of PostgreSQL and of Matrix are found by their folder and by their fixtures, those of the other
tiers are marked where they are. `@pytest.mark.sample(6)` leaves `make test` one of six cases of a test.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from tests.browser.chromium import MISSING as NO_CHROMIUM
from tests.browser.webkit.driver import MISSING as NO_WEBKIT
from tests.machine import MISSING as NO_PROGRAM

TIERS = ("browser", "webkit", "postgres", "matrix", "process", "contest")
MARKS = (*TIERS, "smoke")

TESTS = Path(__file__).parent
BOTS = {TESTS / "bot" / "features": 6, TESTS / "web": 3}
"""By folder: of so many tests of a file that each start a bot, one runs in `make test`."""

BROWSER = TESTS / "browser"

MISSING = (NO_CHROMIUM, NO_WEBKIT, *NO_PROGRAM.values())
"""The words of tests that do not run since there is no such browser or program."""

_left_out = pytest.StashKey[Counter[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="leave the tiers out but for their smoke tests")
    parser.addoption("--part", metavar="K/N", help="run an Nth of what --quick leaves out: number K, from 0")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_left_out] = Counter()


@pytest.hookimpl(tryfirst=True)
def pytest_itemcollected(item: pytest.Item) -> None:
    """Marks a test of Chromium, WebKit, PostgreSQL or Matrix."""
    fixtures: list[str] = item.fixturenames  # type: ignore[attr-defined]
    for browser, tier in (("chromium", "browser"), ("webkit", "webkit")):
        if browser in fixtures and item.path.is_relative_to(BROWSER):
            item.add_marker(tier)
    if "postgres" in (*fixtures, *_parameters(item)):
        item.add_marker("postgres")
    if "synapse" in fixtures or "matrix" in _parameters(item):
        item.add_marker("matrix")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves tests out, and counts those of each tier that `--quick` leaves out."""
    for item in beyond_sample(items):
        item.add_marker("contest")
    slow = dict.fromkeys(filter(_is_slow, items))
    if config.option.part is not None:
        number, parts = map(int, config.option.part.split("/"))
        kept = dict.fromkeys(list(slow)[number::parts])
    elif config.option.quick:
        config.stash[_left_out].update(tier for item in slow for tier in TIERS if item.get_closest_marker(tier))
        kept = dict.fromkeys(item for item in items if item not in slow)
    else:
        return
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept


def beyond_sample(items: Iterable[pytest.Item]) -> Iterator[pytest.Item]:
    """Yields the cases that the mark `sample` leaves out, of each n cases all but one, always the same.

    The name of the test chooses the place of the first one; in the next n it is one further. Where n languages follow
    each other, each row is tried in one, and rows and tests share the languages evenly. The tests of a file that each
    start a bot, in a folder of BOTS, are the cases of that file, as far as they have no tier and no mark of their own.
    """
    tests = defaultdict[tuple[str, int], list[pytest.Item]](list)
    for item in items:
        if (mark := item.get_closest_marker("sample")) is not None:
            tests[item.nodeid.split("[")[0], mark.args[0]].append(item)
        elif _starts_bot(item) and not any(map(item.get_closest_marker, MARKS)):
            for share in (share for folder, share in BOTS.items() if item.path.is_relative_to(folder)):
                tests[item.nodeid.split("::")[0], share].append(item)
    for (name, size), cases in tests.items():
        for place, begin in enumerate(range(0, len(cases), size), crc32(name.encode())):
            row = cases[begin : begin + size]
            del row[place % len(row)]
            yield from row


def _starts_bot(item: pytest.Item) -> bool:
    return "room" in item.fixturenames  # type: ignore[attr-defined] # items of functions have them


def _is_slow(item: pytest.Item) -> bool:
    marks = {mark.name for mark in item.iter_markers()}
    return not marks.isdisjoint(TIERS) and "smoke" not in marks


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Sends the counts of a worker to the process that reports."""
    left_out = session.config.stash[_left_out]
    if (output := getattr(session.config, "workeroutput", None)) is not None:
        output["left_out"] = dict(left_out)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Takes the counts of a worker; each has collected all tests."""
    output: dict[str, dict[str, int]] = getattr(node, "workeroutput", {})
    node.config.stash[_left_out] = Counter(output.get("left_out", {}))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> Generator[None]:
    """Reports above the counts what did not run."""
    yield
    if left_out := config.stash[_left_out]:
        counts = ", ".join(f"{count} {tier}" for tier, count in left_out.items())
        terminalreporter.write_line(f"left out by tier: {counts}; `make test-all` runs them")
    skipped = [report.longreprtext for report in terminalreporter.getreports("skipped")]
    for missing in MISSING:
        if any(missing in text for text in skipped):
            terminalreporter.write_line(missing, yellow=True, bold=True)


def _parameters(item: pytest.Item) -> tuple[object, ...]:
    """Returns the parameters of a test that has some."""
    spec = getattr(item, "callspec", None)
    return tuple(value for value in spec.params.values() if isinstance(value, str)) if spec else ()
