"""Pictures on the wire: the fields of `rules.picture.Picture`, without those that are empty."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from rules.picture import Picture


def picture_json(picture: Picture) -> dict[str, Any]:
    """Returns a picture as docs/web-protocol.md has it."""
    return _fields(picture)


def _fields(value: Any) -> dict[str, Any]:
    parts = ((field.name, getattr(value, field.name)) for field in fields(value))
    return {name: plain(part) for name, part in parts if not is_absent(part)}


def is_absent(part: Any) -> bool:
    """Returns whether a field is left out."""
    return part is None or part is False or part == () or part == frozenset()


def plain(value: Any) -> Any:
    """Returns a part of a picture as JSON has it."""
    if is_dataclass(value):
        return _fields(value)
    if isinstance(value, frozenset):
        return sorted(map(plain, value))
    if isinstance(value, tuple):
        return [*map(plain, value)]
    return value
