"""What was typed into a form, in the message that refuses the form: written down in blocks of code, and read again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import discord

_BLOCK: Final = re.compile(r"^```([a-z]+)\n(.*?)\n```$", re.DOTALL | re.MULTILINE)
_FENCE, _BROKEN_FENCE = "```", "`\u200b`\u200b`"
"""What ends a block of code, and how it is written inside of one: it looks the same."""


def sent_fields(data: Any) -> list[Any]:
    """Returns the fields of a submitted form, as Discord sends them."""
    return [label["component"] for label in (data or {}).get("components", ()) if "component" in label]


def texts_in(data: Any) -> dict[str, str]:
    """Returns the texts of a submitted form, by their fields; none of another interaction."""
    texts = [sent for sent in sent_fields(data) if sent.get("type") == discord.ComponentType.text_input.value]
    return {str(sent["custom_id"]): str(sent["value"]) for sent in texts}


def written_down(typed: Mapping[str, str]) -> str:
    """Returns what was typed into fields, by their names, as `typed_before` reads it again."""
    lines = (f"```{name}\n{text.replace(_FENCE, _BROKEN_FENCE)}\n```" for name, text in typed.items() if text.strip())
    return "\n".join(lines)


def typed_before(message: discord.Message | None) -> Iterator[tuple[str, str]]:
    """Yields the fields of a form that the message refused, with what was typed into them."""
    if message is None:
        return
    shown = (part.content for part in message.components if isinstance(part, discord.TextDisplay))
    for text in (message.content, *shown):
        for name, typed in _BLOCK.findall(text):
            yield name, typed.replace(_BROKEN_FENCE, _FENCE)
