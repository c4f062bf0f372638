"""Notes of which English text each translated guide is: `python -m docs.translations docs/guides/TAG/days.md`.

A change of a guide in English is translated, and then noted; until then a test fails (docs/decisions/web.md#0325).
"""

from __future__ import annotations

import json
import re
import sys
from hashlib import sha256
from pathlib import Path
from typing import Final

from web.pages.guides import FOLDER

SOURCES: Final = FOLDER / "sources.json"
"""The digests of English texts, by the paths of the translations that were made of them."""

_PICTURE: Final = re.compile(r"<!-- picture: ([^>]*) -->|!\[([^\]]*)\]\([^)]*\)")


def digest(text: str) -> str:
    """Returns the digest of the words of a guide, wherever a picture has its file and a line its end."""
    words = _PICTURE.sub(lambda found: found[1] or found[2], text).split()
    return sha256(" ".join(words).encode()).hexdigest()[:16]


def translations() -> dict[str, Path]:
    """Returns the translated guides by their paths below the English ones."""
    return {path.relative_to(FOLDER).as_posix(): path for path in sorted(FOLDER.glob("[a-z][a-z]/*.md"))}


def recorded() -> dict[str, str]:
    """Returns the digests that were noted."""
    found: dict[str, str] = json.loads(SOURCES.read_text("utf-8"))
    return found


if __name__ == "__main__":
    done = {Path(name).resolve() for name in sys.argv[1:]}
    noted = {
        name: digest((FOLDER / path.name).read_text("utf-8")) if path in done else recorded().get(name, "")
        for name, path in translations().items()
    }
    SOURCES.write_text(json.dumps(noted, indent=1) + "\n", "utf-8")
