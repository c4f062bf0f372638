"""Counts the mutants of the program that the tests kill: `python -m benchmarks.mutants --help`.

A mutant is the program with one expression changed. `reach` draws some by a seed, puts a probe at each in a copy of a
checkout and runs all of its tests once, which tells the tests that reach it. `kill` changes one expression after the
other and runs the tests that reach it until one fails. A mutant that none of them kills has survived. Changed are
expressions in functions: what runs while modules are loaded is reached by no test of its own.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from itertools import accumulate, count
from pathlib import Path
from queue import Queue
from typing import Any, TypeAlias
from xml.etree import ElementTree

PACKAGES = ("rules", "play", "storage", "use_cases", "bot", "web")

OTHERS: Mapping[type[ast.AST], type[Any]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
}
"""The operator that takes the place of each."""

LEFT_ALONE = (ast.JoinedStr, ast.Assert, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.pattern)
"""Python 3.11 does not tell where the parts of an f-string are; functions in functions are walked by themselves."""

FIRST_TESTS = 25
"""So many of the likeliest and quickest tests run before the others are collected."""

HANG_FACTOR, HANG_SECONDS = 6.0, 180.0
"""A mutant hangs after so many times the seconds of its tests, and so many seconds more."""

PROBE = """
import os
FOLDER, seen = {folder!r}, set()
def test():
    pid = os.getpid()
    while pid > 1:  # a process that a test has started has its test from a process above
        try:
            with open(f"{{FOLDER}}/now-{{pid}}") as file:
                return file.read()
        except OSError:
            with open(f"/proc/{{pid}}/stat") as file:
                pid = int(file.read().rpartition(")")[2].split()[1])
    return ""
def hit(mutant):
    if (line := f"{{mutant}}\\t{{test()}}\\n") not in seen:
        seen.add(line)
        with open(f"{{FOLDER}}/reached-{{os.getpid()}}", "a") as file:
            file.write(line)
def pytest_runtest_logstart(nodeid):
    with open(f"{{FOLDER}}/now-{{os.getpid()}}", "w") as file:
        file.write(nodeid)
"""
"""A module of the copy: what the probes call, and a plugin that tells it the test."""

_times = count(1_000_000_000)

Span: TypeAlias = tuple[int, int, int, int]
"""The first line and column of an expression, and its last ones; columns count bytes."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """An expression of a file that is changed from `old` to `new`, both as `ast.unparse` writes them."""

    file: str
    line: int
    old: str
    new: str


def changed(node: ast.AST) -> str | None:
    """Returns the change of an expression; None for one that stays."""
    match node:
        case ast.Compare(left, [op], compared) if type(op) in OTHERS:
            return ast.unparse(ast.Compare(left, [OTHERS[type(op)]()], compared))
        case ast.BinOp(left, op, right) if type(op) in OTHERS:
            return ast.unparse(ast.BinOp(left, OTHERS[type(op)](), right))
        case ast.BoolOp(op, values):
            return ast.unparse(ast.BoolOp(OTHERS[type(op)](), values))
        case ast.UnaryOp(ast.Not(), operand):
            return ast.unparse(operand)
        case ast.Constant(bool() as value):
            return str(not value)
        case ast.Constant(int() as value):
            return str(value + 1)
    return None


def candidates(tree: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """Yields the expressions in functions with their changes: also results, conditions and calls without a result."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for statement in function.body:
                yield from _inside(statement)


def _inside(node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    if isinstance(node, LEFT_ALONE):
        return
    match node:
        case ast.Expr(value) if not isinstance(value, ast.Constant | ast.Yield | ast.YieldFrom):
            yield value, "None"
        case ast.Return(ast.expr() as value) if not isinstance(value, ast.Constant):
            yield value, "None"
        case ast.If(test) | ast.While(test) | ast.IfExp(test) if changed(test) is None and not _binds(test):
            yield test, f"not ({ast.unparse(test)})"
    if isinstance(node, ast.expr) and (new := changed(node)) is not None:
        yield node, new
    for field, value in ast.iter_fields(node):
        if field != "annotation":
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _inside(child)


def _binds(test: ast.expr) -> bool:
    return any(isinstance(node, ast.NamedExpr) for node in ast.walk(test))


def draw(tree: Path, seed: int, number: int) -> list[Mutant]:
    """Returns mutants of a checkout, by their files and lines."""
    found = {
        Mutant(str(path.relative_to(tree)), node.lineno, ast.unparse(node), new)
        for package in PACKAGES
        for path in (tree / package).rglob("*.py")
        for node, new in candidates(ast.parse(path.read_bytes()))
    }
    return sorted(random.Random(seed).sample(sorted(found, key=repr), number), key=repr)  # noqa: S311


def span_of(source: bytes, mutant: Mutant) -> Span | None:
    """Returns where the expression of a mutant is, the nearest to its line; None if it is not there any more."""
    wanted = mutant.old, mutant.new
    found = [node for node, new in candidates(ast.parse(source)) if (ast.unparse(node), new) == wanted]
    if not found:
        return None
    node = min(found, key=lambda each: abs(each.lineno - mutant.line))
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset


def part_of(source: bytes, span: Span) -> slice:
    """Returns the bytes of an expression."""
    starts = [0, *accumulate(map(len, source.splitlines(keepends=True)))]
    return slice(starts[span[0] - 1] + span[1], starts[span[2] - 1] + span[3])


def mutated(source: bytes, span: Span, new: str) -> bytes:
    """Returns a text with `new` in place of an expression."""
    part = part_of(source, span)
    return source[: part.start] + f"({new})".encode() + source[part.stop :]


def probed(source: bytes, places: Iterable[tuple[Span, int]]) -> bytes:
    """Returns a text with a probe around each expression, with the number of its mutant; they may lie in each other."""
    added = []
    for span, number in places:
        part = part_of(source, span)
        added.append((part.start, -part.stop, f"(__import__('mutant_probe').hit({number}) or ("))
        added.append((part.stop, 0, "))"))
    for at, _, text in sorted(added, reverse=True):  # of two that begin at the same place the outer one comes first
        source = source[:at] + text.encode() + source[at:]
    return source


def copy(tree: Path, folder: Path) -> Path:
    """Copies a checkout without its history; its .venv is that of this process."""
    ignored = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis")
    shutil.copytree(tree, folder, ignore=ignored)
    (folder / ".venv").symlink_to(sys.prefix)
    return folder


def pytest(tree: Path, *arguments: str) -> subprocess.Popen[str]:
    """Starts pytest in a checkout."""
    return subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def reach(tree: Path, mutants: list[Mutant], options: list[str], folder: Path) -> list[dict[str, float]]:
    """Returns for each mutant the tests that reach it, with their seconds, of those that `options` of pytest select."""
    probes = copy(tree, folder / "probed")
    spans: dict[str, list[tuple[Span, int]]] = defaultdict(list)
    for number, mutant in enumerate(mutants):
        if (span := span_of((probes / mutant.file).read_bytes(), mutant)) is not None:
            spans[mutant.file].append((span, number))
    for file, places in spans.items():
        (probes / file).write_bytes(probed((probes / file).read_bytes(), places))
    (probes / "mutant_probe.py").write_text(PROBE.format(folder=str(folder)))
    workers = ("-n", "logical", "--dist", "worksteal")
    run = pytest(probes, "-p", "mutant_probe", *workers, *options, f"--junitxml={folder}/tests.xml")
    print(run.communicate()[0][-2000:])  # noqa: T201
    seconds = dict(_seconds(folder / "tests.xml"))
    reached: list[dict[str, float]] = [{} for _ in mutants]
    for notes in folder.glob("reached-*"):
        for line in notes.read_text().splitlines():
            which, _, test = line.partition("\t")
            if test:
                reached[int(which)][test] = seconds.get(test, 1.0)
    return reached


def _seconds(report: Path) -> Iterator[tuple[str, float]]:
    for case in ElementTree.parse(report).iter("testcase"):  # noqa: S314 - pytest wrote it
        parts = case.attrib["classname"].split(".")
        module = next(place for place, part in enumerate(parts) if part.startswith("test_"))
        names = (*parts[module + 1 :], case.attrib["name"])
        yield "::".join(("/".join(parts[: module + 1]) + ".py", *names)), float(case.attrib["time"])


def write(path: Path, source: bytes) -> None:
    """Writes a file with a time of its own: Python looks at the second to tell whether its compiled file is old."""
    path.write_bytes(source)
    moment = next(_times)
    os.utime(path, times=(moment, moment))


def kill(tree: Path, mutant: Mutant, tests: Mapping[str, float], likely: str | None) -> tuple[str, str | None]:
    """Changes the expression in a copy, runs tests until one fails, and changes it back.

    Returns what became of the mutant, and the test that killed it; a `likely` test runs first.
    """
    path = tree / mutant.file
    source = path.read_bytes()
    if (span := span_of(source, mutant)) is None:
        return "not there any more", None
    near = mutant.file.split("/")

    def order(test: str) -> tuple[bool, bool, int, float]:
        shared = sum(one == other for one, other in zip(near, test.split("/")[1:], strict=False))
        return test != likely, tests[test] > 3, -shared, tests[test]

    ordered = sorted(tests, key=order)
    write(path, mutated(source, span, mutant.new))
    try:
        for some in filter(None, (ordered[:FIRST_TESTS], ordered[FIRST_TESTS:])):
            (tree / "tests.txt").write_text("\n".join(some))
            run = pytest(tree, "-x", "--tb=no", "-rfE", f"@{tree / 'tests.txt'}")
            try:
                told, _ = run.communicate(timeout=HANG_SECONDS + HANG_FACTOR * sum(tests[test] for test in some))
            except subprocess.TimeoutExpired:
                os.killpg(run.pid, signal.SIGKILL)
                run.communicate()
                return "killed", "it hangs"
            if run.returncode:
                failed = (line.partition(" ")[2] for line in told.splitlines() if line.startswith(("FAILED", "ERROR")))
                return "killed", next(failed, told[-300:]).partition(" - ")[0]
    finally:
        write(path, source)
    return ("survived" if ordered else "not reached"), None


def kill_all(tree: Path, plan: dict[str, Any], options: list[str], jobs: int, folder: Path) -> list[dict[str, Any]]:
    """Returns what became of each mutant, `jobs` at a time, when the tests run that `options` of pytest select."""
    listed = pytest(tree, "--collect-only", *options).communicate()[0].splitlines()
    chosen, copies = set(listed), Queue[Path]()
    for number in range(jobs):
        copies.put(copy(tree, folder / str(number)))

    def meet(number: int) -> dict[str, Any]:
        mutant = Mutant(**plan["mutants"][number])
        tests = {test: seconds for test, seconds in plan["reached"][number].items() if test in chosen}
        here = copies.get()
        try:
            state, killer = kill(here, mutant, tests, plan.get("killers", {}).get(str(number)))
        finally:
            copies.put(here)
        print(number, mutant.file, mutant.line, state, killer or "", flush=True)  # noqa: T201
        return {**asdict(mutant), "tests": len(tests), "state": state, "killer": killer}

    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(meet, range(len(plan["mutants"]))))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("do", choices=("draw", "reach", "kill"))
    parser.add_argument("plan", type=Path, help="the file that draw and reach write, and kill reads")
    parser.add_argument("--tree", type=Path, default=Path(), help="the checkout; by default this one")
    parser.add_argument("--seed", type=int, default=37)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--quick", action="store_true", help="by the tests of `make test`; by default all")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="kill: mutants at a time")
    given = parser.parse_args()
    tree = given.tree.resolve()
    plan: dict[str, Any] = json.loads(given.plan.read_text()) if given.plan.exists() else {}
    options = ["--quick"] if given.quick else []
    with tempfile.TemporaryDirectory(prefix="kropka-mutants-") as folder:
        if given.do == "draw":
            plan = {"mutants": [asdict(each) for each in draw(tree, given.seed, given.count)]}
        elif given.do == "reach":
            plan["reached"] = reach(tree, [Mutant(**each) for each in plan["mutants"]], options, Path(folder))
        else:
            results = kill_all(tree, plan, options, given.jobs, Path(folder))
            print(Counter(each["state"] for each in results))  # noqa: T201
            plan["killers"] = {number: each["killer"] for number, each in enumerate(results) if each["killer"]}
    given.plan.write_text(json.dumps(plan, indent=1, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
