"""Which Kropka this is: its version, and the commit of which it was made."""

import subprocess
from pathlib import Path

from bot import __version__

PACKAGE = Path(__file__).parent


def version() -> str:
    """Returns the version and, where it is known, the commit: "0.2.0 (efe6a1da2d7b)"."""
    commit = _commit()
    return f"{__version__} ({commit})" if commit else __version__


def repository_of(source: str | None) -> str | None:
    """Returns the address below which the files of this version are, of a page of its source code."""
    return source and f"{source.rstrip('/')}/blob/v{__version__}"


def _commit() -> str:
    """Returns the commit that setup.py has written into the package, or else that of the checkout; "" for neither."""
    if (written := PACKAGE / "commit").is_file():
        return written.read_text("ascii").strip()
    if not (PACKAGE.parent / ".git").exists():
        return ""
    asked = ["git", "-C", str(PACKAGE.parent), "describe", "--always", "--abbrev=12", "--dirty", "--exclude=*"]
    try:
        return subprocess.run(asked, capture_output=True, text=True, check=True, timeout=10).stdout.strip()  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return ""
