"""Modules as they would be on Windows: loaded again, without those of other systems."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]

MISSING = ("fcntl", "resource", "uvloop")


def load_as_on_windows(monkeypatch: pytest.MonkeyPatch, name: str, **modules: ModuleType) -> ModuleType:
    """Returns a second copy of a module, loaded as on Windows. `modules` imitate those of Windows by their names.

    What it imports stays as on this system, and `sys.platform` that of Windows until the test ends.
    """
    importlib.import_module(name)
    for missing in MISSING:
        monkeypatch.setitem(sys.modules, missing, None)
    for each, module in modules.items():
        monkeypatch.setitem(sys.modules, each, module)
    monkeypatch.setattr(sys, "platform", "win32")
    file = (ROOT / name.replace(".", "/")).with_suffix(".py")
    spec = importlib.util.spec_from_file_location(f"{name} of Windows", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
