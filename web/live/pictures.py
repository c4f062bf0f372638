"""Pictures on the wire: the fields of `rules.picture.Picture`, without those that are empty."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from rules.picture import Picture


def picture_json(picture: Picture) -> dict[str, Any]:
    """Returns a picture as docs/web-protocol.md has it."""
    return _fields(picture)


def _fields(value: Any) -> dict[str, Any]:
    found = {}
    for field in fields(value):
        part = getattr(value, field.name)
        if part is None or part is False or part == () or part == frozenset():
            continue
        found[field.name] = _plain(part)
    return found


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return _fields(value)
    if isinstance(value, frozenset):
        return sorted(map(_plain, value))
    if isinstance(value, tuple):
        return [*map(_plain, value)]
    return value
