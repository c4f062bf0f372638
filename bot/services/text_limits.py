"""Discord's limits of texts: every text is cut to them, so that no answer is lost for its length."""

from __future__ import annotations

from typing import Any, Final

MAX_CONTENT: Final = 2000
"""Characters of a message."""

MAX_PANEL_TEXT: Final = 4000
"""Characters of all texts of a panel (Components V2) together."""

ELLIPSIS: Final = "…"


def fit(text: str, most: int = MAX_CONTENT) -> str:
    """Returns the text, or as many of its lines as fit, or the beginning of its only line."""
    if len(text) <= most:
        return text
    cut = text[: most - len(ELLIPSIS)]
    lines, _, _ = cut.rpartition("\n")
    return (lines or cut.rstrip("\\")) + ELLIPSIS


def fit_message(message: dict[str, Any]) -> dict[str, Any]:
    """Returns the arguments that send or change a message, with a content that fits."""
    content = message.get("content")
    return message if content is None else {**message, "content": fit(content)}
