"""The places where surfaces name use cases, read from their source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple, get_type_hints

from tests.python_texts import parsed
from use_cases import UseCases
from use_cases.channel_rights import Spectators
from use_cases.own_accounts import OwnAccounts
from use_cases.privacy import Privacy
from use_cases.sheets import Sheets
from use_cases.web_sessions import WebSessions

ROOT: Final = Path(__file__).parents[2]
SURFACES: Final = ("bot", "web")

SERVICES: Final[dict[str, type]] = {
    **{name: kind for name, kind in get_type_hints(UseCases).items() if kind.__module__.startswith("use_cases")},
    "own_accounts": OwnAccounts,
    "privacy": Privacy,
    "sheets": Sheets,
    "spectators": Spectators,
    "web_sessions": WebSessions,
    "sessions": WebSessions,
}
"""The use cases by the names of what has them."""


class Use(NamedTuple):
    """A place where a surface names a use case: its module, and the class and the function around it."""

    module: str
    line: int
    holder: str | None
    service: str
    name: str
    key: str | None
    """That of the entry of a dictionary whose value it is."""

    @property
    def use_case(self) -> Any:
        return getattr(SERVICES[self.service], self.name)

    @property
    def place(self) -> str:
        return f"{self.module}:{self.line} names {self.service}.{self.name}"


def modules() -> Iterator[tuple[str, ast.Module]]:
    for package in SURFACES:
        for file in sorted((ROOT / package).rglob("*.py")):
            name = ".".join(file.relative_to(ROOT).with_suffix("").parts)
            yield name, parsed(file.read_text(encoding="utf-8"))


def uses() -> Iterator[Use]:
    for module, tree in modules():
        holders = {node: each.name for each in tree.body if isinstance(each, ast.ClassDef) for node in ast.walk(each)}
        keys = {
            value: str(key.value)
            for each in ast.walk(tree)
            if isinstance(each, ast.Dict)
            for key, value in zip(each.keys, each.values, strict=True)
            if isinstance(key, ast.Constant)
        }
        for node in ast.walk(tree):
            if not isinstance(node, ast.Attribute):
                continue
            of = node.value
            service = (of.attr if isinstance(of, ast.Attribute) else of.id if isinstance(of, ast.Name) else "").lstrip(
                "_"
            )
            if service in SERVICES and callable(getattr(SERVICES[service], node.attr, None)):
                yield Use(module, node.lineno, holders.get(node), service, node.attr, keys.get(node))
