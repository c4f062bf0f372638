"""How the functions of this folder are compiled, and where the machine code is kept."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from numba import config, njit

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F", bound="Callable[..., Any]")

FOLDER = Path(__file__).parent


def _home() -> str:
    """Where machine code of these sources lies: in NUMBA_CACHE_DIR if that is set, otherwise beside them.

    numba asks only whether a function's own file has changed, not the files of what it calls; so each state of the
    folder has a cache of its own.
    """
    digest = sha256()
    for path in sorted(FOLDER.glob("*.py")):
        digest.update(path.read_bytes())
    chosen: str = config.CACHE_DIR  # type: ignore[attr-defined]
    base = Path(chosen) if chosen else FOLDER / "__pycache__"
    return str(base / f"dots-{digest.hexdigest()[:16]}")


config.CACHE_DIR = _home()  # type: ignore[attr-defined]


OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy", "boundscheck": False, "_nrt": False}
"""No function here makes an array, so none counts references: counting them took a fifth of a playout's time."""


def compiled(signature: str) -> Callable[[F], F]:
    """Makes machine code of a function, for these types alone, and keeps it on disk; it holds no lock while it runs."""

    def made(function: F) -> F:
        result: Any = njit(signature, **OPTIONS)(function)
        return cast("F", result)

    return made
