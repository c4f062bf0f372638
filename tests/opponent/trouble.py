"""A failing worker. Its "position" is a pair of a word and a file, and the word says how it fails.

`die` and `hang` happen once, while the file is not there yet; `die always` every time. `hang aloud` first writes to the
file, a named pipe; `fail` raises. Otherwise the answer is a choice whose move is the worker's process id.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

from opponent.choice import Choice
from opponent.worker import serve


def think(trouble: tuple[str, Path], *_: Any) -> Choice:
    word, seen = trouble
    if word == "die always":
        os._exit(1)
    if word == "fail":
        raise LookupError("no such move")
    if word == "hang aloud":
        seen.write_text(word)
        threading.Event().wait()
    if word in ("die", "hang") and not seen.exists():
        seen.touch()
        if word == "die":
            os._exit(1)
        threading.Event().wait()
    return Choice(str(os.getpid()), 0.0, 0.5)


if __name__ == "__main__":
    serve(think)
