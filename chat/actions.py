"""What a button does, as a code that every platform takes: 64 bytes at most, which is Telegram's limit."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Self

from play.refusal import Reason, Refused

MAX_CODE_BYTES: Final = 64
"""Bytes of a code. Source: https://core.telegram.org/bots/api#inlinekeyboardbutton (callback_data)"""

_CODE = re.compile(r"([a-z]{1,8})((?:\.-?\d{1,20}){0,6})(?::(.*))?", re.ASCII | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Action:
    """A deed by its `verb`, with the numbers of what it is about, and the text of a turn or a choice."""

    verb: str
    numbers: tuple[int, ...] = ()
    text: str = ""

    @property
    def code(self) -> str:
        """The action as a button carries it."""
        numbers = "".join(f".{number}" for number in self.numbers)
        return f"{self.verb}{numbers}:{self.text}" if self.text else f"{self.verb}{numbers}"

    @property
    def fits(self) -> bool:
        """Whether a button has room for it."""
        return len(self.code.encode()) <= MAX_CODE_BYTES

    @classmethod
    def read(cls, code: str) -> Self:
        """Returns the action of a code, which anybody may have made up. Raises Refused (`old_button`)."""
        found = _CODE.fullmatch(code)
        if found is None or len(code.encode()) > MAX_CODE_BYTES:
            raise Refused(Reason.OLD_BUTTON)
        return cls(found[1], tuple(map(int, found[2].split(".")[1:])), found[3] or "")

    def number(self, index: int) -> int:
        """Returns one of the numbers. Raises Refused (`old_button`) where a made-up code has too few."""
        if index >= len(self.numbers):
            raise Refused(Reason.OLD_BUTTON)
        return self.numbers[index]
