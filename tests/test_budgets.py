"""Budgets of the program's structure: lines, lines of imports, the longest chain of imports, protocols with one class.

Decision 0281 says why these. A change that gets far below a budget lowers it. ``python -m tests.test_budgets`` prints
the figures.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from typing import NamedTuple

from tests.python_texts import PROGRAM, parsed, python_files, statements
from tests.test_arrows import ARROWS, LAYERS, name_of, whole

MAX_LINES = 124_500
MAX_IMPORT_SHARE = 0.086
"""The part of the lines that belongs to statements of imports."""
MAX_CHAIN = 53
"""Modules, each of which imports the next: what a change of the last may reach, and a reader may have to follow."""

LONE_PROTOCOLS = {
    "bot.features.coach.computer.EnginePool": "tests and a benchmark think without processes",
    "bot.services.job_pool.Worker": "most tests do jobs in the process of the bot",
    "bot.sharding.Locks": "tests take locks in a time that they set",
    "matrix.listener.Hearer": "tests note what is heard, without a conversation",
    "loopback.rest.router.Description": "its class needs a library that only development has",
    "play.match.endings.Ending": "any game may have an agreed end; Dots alone has one",
}
"""Protocols with one class, which their module could import, with the reason of each."""

Members = dict[str, int]
"""The names that a class has, with the number of a method's parameters besides `self`; 0 for a value."""


class Shape(NamedTuple):
    """A class, or a module, which may stand for one: its dotted name, the names of its bases, and its own members."""

    name: str
    bases: frozenset[str]
    members: Members

    @property
    def is_protocol(self) -> bool:
        return "Protocol" in self.bases


@cache
def sources() -> dict[str, str]:
    return {name_of(file): file.read_text(encoding="utf-8") for file in python_files(*PROGRAM)}


def trees() -> dict[str, ast.Module]:
    return {name: parsed(text) for name, text in sources().items()}


def count_lines() -> int:
    return sum(len(text.splitlines()) for text in sources().values())


def count_import_lines() -> int:
    imports = (
        node for tree in trees().values() for node in statements(tree) if isinstance(node, ast.Import | ast.ImportFrom)
    )
    return sum((node.end_lineno or node.lineno) - node.lineno + 1 for node in imports)


def longest_chain() -> list[str]:
    """Returns the modules of the longest chain of imports, each of which imports the next."""
    chains: dict[str, list[str]] = {}
    for module in TopologicalSorter(whole()).static_order():
        chains[module] = [module, *max((chains[name] for name in whole()[module]), key=len, default=[])]
    return max(chains.values(), key=len)


def members(body: list[ast.stmt]) -> Members:
    """Returns what the body of a class or module defines; what a class sets on itself belongs to it."""
    found: Members = {}
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            parameters = [each.arg for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
            found[node.name] = len(parameters) - (parameters[:1] == ["self"])
            found |= {each.attr: 0 for each in ast.walk(node) if isinstance(each, ast.Attribute) and is_set(each)}
        elif isinstance(node, ast.AnnAssign | ast.Assign):
            targets = [node.target] if isinstance(node, ast.AnnAssign) else node.targets
            found |= {each.id: 0 for each in targets if isinstance(each, ast.Name)}
    return found


def is_set(attribute: ast.Attribute) -> bool:
    return isinstance(attribute.ctx, ast.Store) and ast.unparse(attribute.value) == "self"


def shapes() -> Iterator[Shape]:
    for module, tree in trees().items():
        yield Shape(module, frozenset(), members(tree.body))
        for node in statements(tree):
            if isinstance(node, ast.ClassDef):
                bases = frozenset(ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in node.bases)
                yield Shape(f"{module}.{node.name}", bases, members(node.body))


@cache
def implementations() -> dict[str, list[str]]:
    """Returns the protocols of the program with the classes and modules that have all that each asks for.

    A protocol that is only called names a signature, and is left out.
    """
    found = list(shapes())
    by_name = {each.name.rpartition(".")[2]: each for each in found}

    def inherited(shape: Shape) -> Members:
        above = (by_name[base] for base in shape.bases if base in by_name and by_name[base] != shape)
        return {name: what for each in above for name, what in inherited(each).items()} | shape.members

    every = [(each, inherited(each)) for each in found]
    protocols = [(each, wanted) for each, wanted in every if each.is_protocol and "__call__" not in wanted]
    return {
        protocol.name: [each.name for each, has in every if not each.is_protocol and fits(wanted, has)]
        for protocol, wanted in protocols
    }


def fits(wanted: Members, has: Members) -> bool:
    """Returns whether something has all that is wanted, but what each object has, with at least as many parameters."""
    return all(has.get(name, -1) >= count for name, count in wanted.items() if not name.startswith("__"))


def could_import(module: str, other: str) -> bool:
    """Returns whether an arrow from one module to the other would point down, or stay on its floor."""
    package, beside = module.split(".")[0], other.split(".")[0]
    if package != beside:
        return beside in ARROWS[package]
    layers = [layer.split() for layer in LAYERS.get(package, "").strip().splitlines()]
    depth = {name: number for number, layer in enumerate(layers) for name in layer}
    return depth.get(other.split(".")[1], 0) >= depth.get(module.split(".")[1], 0)


def lone_protocols() -> set[str]:
    """Returns the protocols with exactly one class that their module could import instead.

    A port of the web is implemented above it, in `bot/`, and so is what shows a competition: those turn an arrow round.
    """
    return {name for name, found in implementations().items() if len(found) == 1 and could_import(name, found[0])}


def test_the_program_has_at_most_its_lines() -> None:
    assert count_lines() <= MAX_LINES


def test_imports_are_at_most_their_share_of_the_lines() -> None:
    assert count_import_lines() / count_lines() <= MAX_IMPORT_SHARE


def test_no_chain_of_imports_is_longer_than_its_budget() -> None:
    assert len(longest_chain()) <= MAX_CHAIN, "\n".join(longest_chain())


def test_each_protocol_of_the_program_is_implemented() -> None:
    assert [name for name, found in implementations().items() if not found] == []


def test_a_protocol_with_one_class_turns_an_arrow_round_or_has_a_reason() -> None:
    assert lone_protocols() == LONE_PROTOCOLS.keys()


if __name__ == "__main__":
    lines, imports, chain = count_lines(), count_import_lines(), longest_chain()
    share = f"{lines} lines, {imports} of them imports ({imports / lines:.2%})"
    print(share, f"{len(chain)} modules in the longest chain:", *chain, *sorted(lone_protocols()), sep="\n")  # noqa: T201
