"""A form of custom ids: one template, by which ids are built of values and read again."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple

MAX_LENGTH: Final = 100
"""Characters of a custom id; Discord's limit."""

_FIELD = re.compile(r"\{(\w+)\}")


class Field(NamedTuple):
    """A place for a value: the pattern of its texts, and what reads them."""

    pattern: str
    read: Callable[[str], Any] = str


def number(digits: int) -> Field:
    """Returns the field of a number with at most so many digits."""
    return Field(rf"\d{{1,{digits}}}", int)


def one_of(*texts: str) -> Field:
    """Returns the field that is one of the texts."""
    return Field("|".join(map(re.escape, texts)))


class CustomId:
    """A form of custom ids: `lesson:{task}[:{point}]` has two fields. What is in brackets is left out without a value.

    It is a function of the values to the id.
    """

    def __init__(self, template: str, **fields: Field) -> None:
        self.template, self._fields = template, fields
        self._head, _, self._tail = template.rstrip("]").partition("[")
        tail = f"(?:{self._pattern_of(self._tail)})?" if self._tail else ""
        self.pattern = re.compile(self._pattern_of(self._head) + tail)
        """The template of `discord.ui.DynamicItem`."""

    def _pattern_of(self, template: str) -> str:
        parts = _FIELD.split(template)  # texts, and the names of fields between them
        parts[::2] = map(re.escape, parts[::2])
        parts[1::2] = (f"(?P<{name}>{self._fields[name].pattern})" for name in parts[1::2])
        return "".join(parts)

    @property
    def subject(self) -> str:
        """The word that the ids begin with."""
        return self.template.partition(":")[0]

    @property
    def action(self) -> str:
        """The last word of the ids that is the same in all of them."""
        return [part for part in self._head.split(":") if not _FIELD.search(part)][-1]

    def __call__(self, **values: object) -> str:
        has_tail = all(values.get(name) for name in _FIELD.findall(self._tail))
        text = (self._head + self._tail if has_tail else self._head).format(**values)
        assert self.pattern.fullmatch(text), f"{text!r} is no {self.template}"
        assert len(text) <= MAX_LENGTH, f"{text!r} is too long"
        return text

    def read(self, text: str) -> dict[str, Any] | None:
        """Returns the values in an id, by name; None for an id of another form."""
        found = self.pattern.fullmatch(text)
        return found and {name: field.read(found[name] or "") for name, field in self._fields.items()}
