"""Compiles the functions of this folder, and caches the machine code."""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from shutil import copyfile, rmtree
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any, TypeVar, cast

from numba import config, njit
from numba.core import types
from numba.core.typing.templates import Signature
from numba.np import arrayobj

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F", bound="Callable[..., Any]")

OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy", "boundscheck": False, "_nrt": False}
"""No function here makes an array, so none counts references: counting took a tenth of a playout's time."""

FOLDER = Path(__file__).parent


def _index(context: Any, builder: Any, kind: Any, index: Any, _: Any) -> Any:
    """Returns the code of an index, which must not be negative."""
    return context.cast(builder, index, kind, types.intp)


# numba would count a negative index from the end. To check each one took a fifth of a playout's time, and it has no
# option against that.
arrayobj.fix_integer_index = _index


def cache_folder(chosen: str, shipped: Path, sources: Path = FOLDER) -> Path:
    """Returns the folder with the machine code of `sources`: in `chosen` (NUMBA_CACHE_DIR) if given, else in `shipped`.

    numba checks only whether a function's own file has changed, not the files that it calls. So each state of the
    sources has a folder of its own, and so has code that checks each index (NUMBA_BOUNDSCHECK). And numba reads only
    where it may write as well. So the code of an image, which may be read-only, is copied to the chosen place.
    """
    digest = sha256()
    for path in sorted(sources.glob("*.py")):
        digest.update(path.read_bytes())
    checks = config.BOUNDSCHECK  # type: ignore[attr-defined]
    name = f"dots-{digest.hexdigest()[:16]}{'-checked' if checks else ''}"
    if not chosen:
        return shipped / name
    place = Path(chosen) / name
    if (shipped / name).is_dir() and not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(mkdtemp(dir=place.parent))
        for file in (shipped / name).glob("*/*"):
            (fresh / file.parent.name).mkdir(exist_ok=True)
            copyfile(file, fresh / file.parent.name / file.name)
        with suppress(OSError):  # another process was quicker
            fresh.rename(place)
        rmtree(fresh, ignore_errors=True)
    return place


config.CACHE_DIR = str(cache_folder(config.CACHE_DIR, FOLDER / "__pycache__"))  # type: ignore[attr-defined]


def named_tuple(kind: type[tuple[Any, ...]], *fields: Any) -> Any:
    """Returns the type, for signatures, of a NamedTuple with fields of these types."""
    return types.NamedTuple(fields, kind)  # type: ignore[no-untyped-call]


def compiled(signature: str | Signature) -> Callable[[F], F]:
    """Compiles a function to machine code, for these types alone, and caches it on disk; it holds no lock while it
    runs."""

    def compile_function(function: F) -> F:
        result: Any = njit(signature, **OPTIONS)(function)
        return cast("F", result)

    return compile_function
