"""Lists the Python packages of an installation with their licences, a line each: the image has the list."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import Distribution, distributions

PREFIX = "License :: OSI Approved :: "


def licence(package: Distribution) -> str:
    """Returns what a package says of its licence, in the order of how exact that is; "unknown" if it says nothing."""

    def said(field: str) -> list[str]:
        return package.metadata.get_all(field) or []

    classified = [each.removeprefix(PREFIX) for each in said("Classifier") if each.startswith(PREFIX)]
    written = [each.strip().partition("\n")[0] for each in said("License")]
    return next(filter(None, [*said("License-Expression"), ", ".join(classified), *written]), "unknown")


def lines() -> Iterator[str]:
    """Yields the lines in the order of the names."""
    for package in sorted(distributions(), key=lambda each: each.name.lower()):
        yield f"{package.name} {package.version}: {licence(package)}"


if __name__ == "__main__":
    print(*lines(), sep="\n")  # noqa: T201 - the output of this program
