"""The modules that a command loads before it answers: none that it does not use."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

PROGRAM = """
import json, sys
before = set(sys.modules)
from bot.__main__ import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
print()
print(json.dumps(sorted({name.partition(".")[0] for name in set(sys.modules) - before} - sys.stdlib_module_names)))
"""


def loaded(folder: Path, *arguments: str, **environment: str) -> set[str]:
    """Returns the packages beside the standard library that a command has loaded when it ends."""
    answer = subprocess.run(  # noqa: S603
        [sys.executable, "-c", PROGRAM, *arguments],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    return {name for name in json.loads(answer.stdout.splitlines()[-1]) if not name.startswith("_sysconfigdata")}


@pytest.mark.parametrize(
    "arguments",
    [[], ["--help"], ["--version"], ["run", "--help"], ["healt"], ["doctor", "now"], ["migrate", "--from"], ["backup"]],
    ids=" ".join,
)
def test_help_and_mistakes_on_the_command_line_load_nothing(tmp_path: Path, arguments: list[str]) -> None:
    assert loaded(tmp_path, *arguments) == {"bot"}


@pytest.mark.parametrize("settings", [{}, {"KROPKA_STATUS_PORT": "9"}, {"KROPKA_STATUS_PORT": "x"}], ids=str)
def test_health_loads_the_settings_and_neither_discord_nor_the_database(
    tmp_path: Path, settings: dict[str, str]
) -> None:
    settings |= {"KROPKA_DATABASE": "postgresql+asyncpg://kropka@db/kropka"}
    pydantic = {"annotated_types", "dotenv", "pydantic", "pydantic_core", "pydantic_settings", "typing_extensions"}
    assert loaded(tmp_path, "health", **settings) <= {"bot", "typing_inspection", *pydantic}


def test_replay_loads_neither_discord_nor_the_database(tmp_path: Path) -> None:
    packages = loaded(tmp_path, "replay", "missing.sgf")
    assert "rules" in packages
    assert packages & {"discord", "sqlalchemy", "storage", "numba", "opponent"} == set()


def test_what_draws_boards_and_writes_sentences_loads_no_database(tmp_path: Path) -> None:
    """The processes that draw load the modules of what they draw."""
    parts = (
        "match.match_view",
        "match.preview",
        "match.crops",
        "leaderboards",
        "predictions",
        "daily",
        "terms",
        "contests",
    )
    imports = "; ".join(f"import presentation.{part}" for part in parts)
    answer = subprocess.run(  # noqa: S603
        [sys.executable, "-c", f"import sys; {imports}; print(*sys.modules)"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        check=True,
    )
    packages = {name.partition(".")[0] for name in answer.stdout.decode().split()}
    assert packages & {"sqlalchemy", "alembic", "storage", "use_cases", "discord"} == set()
