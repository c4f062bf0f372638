"""The common parts of programs for developers: command-line options, the commit, and printing."""

from __future__ import annotations

import argparse
import subprocess


def argument_parser(about: str | None) -> argparse.ArgumentParser:
    """Returns a parser whose help is the docstring of the program."""
    return argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)


def say(*words: object) -> None:
    """Prints without a buffer, also into a file."""
    print(*words, flush=True)  # noqa: T201 - the output of these programs


def commit() -> str:
    """Returns the short name of the commit in the working tree."""
    command = ["git", "rev-parse", "--short", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603
