"""The place where a worker crashed, in the report of the test that it ran.

A worker that dies says nothing to the process that reports. So each writes the places of its threads to a file when a
signal of the processor ends it. A worker that was killed from outside leaves none.
"""

from __future__ import annotations

import faulthandler
import tempfile
from pathlib import Path
from typing import Any

import pytest

FOLDER = "crash_folder"
"""The name, among what a worker is given, of the folder of these files."""

UNSEEN = "It left no trace: something killed it, or it ended itself."


class Plugin:
    """The hooks of the process that reports."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="crashes")

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput[FOLDER] = self._folder.name

    @pytest.hookimpl(optionalhook=True)
    def pytest_handlecrashitem(self, report: Any) -> None:
        trace = _file(self._folder.name, report.node.gateway.id)
        seen = trace.read_text() if trace.exists() else ""
        report.longrepr = f"{report.longrepr}\n{seen or UNSEEN}"

    def pytest_unconfigure(self) -> None:
        self._folder.cleanup()


def register(config: pytest.Config) -> None:
    """Has workers leave a trace. It must come after pytest's own plugin, which has them write to the standard error."""
    given: dict[str, str] | None = getattr(config, "workerinput", None)
    if given is None:
        config.pluginmanager.register(Plugin())
    else:
        faulthandler.enable(_file(given[FOLDER], given["workerid"]).open("w"))


def _file(folder: str, worker: str) -> Path:
    return Path(folder) / worker
