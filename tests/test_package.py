"""The package as others get it: its metadata, the files in it, and its page on an index."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message
from itertools import chain
from pathlib import Path
from types import ModuleType
from urllib.request import urlopen
from zipfile import ZipFile

import pytest

from bot import __version__
from bot.settings import Settings
from bot.version import version
from tests.build_context import is_sent
from tests.test_arrows import ARROWS
from tools.release import BUILD, running_tryout

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT, TOOLS = PYPROJECT["project"], PYPROJECT["tool"]
COMMIT = "0123456789ab"


def files_of(package: str) -> Iterator[Path]:
    """Returns the files of a package, without those that Python compiles."""
    for file in (ROOT / package).rglob("*"):
        if file.is_file() and "__pycache__" not in file.parts:
            yield file


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> ZipFile:
    """The wheel, built from what the image is built from."""
    source, built = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for file in chain(filter(Path.is_file, ROOT.iterdir()), *map(files_of, ARROWS), files_of("docs/guides")):
        path = file.relative_to(ROOT)
        if is_sent(path.as_posix()):
            (source / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, source / path)
    environment = {"PATH": os.environ["PATH"], "COMMIT": COMMIT}
    asked = [sys.executable, "-c", BUILD.format("wheel"), str(built)]
    subprocess.run(asked, cwd=source, env=environment, check=True, capture_output=True)  # noqa: S603
    (file,) = built.glob("kropka-*.whl")
    return ZipFile(file)


@pytest.fixture(scope="module")
def metadata(wheel: ZipFile) -> Message:
    return message_from_bytes(wheel.read(f"kropka-{__version__}.dist-info/METADATA"))


@pytest.fixture(scope="module")
def setup() -> ModuleType:
    """setup.py as a module; it builds nothing when it is imported."""
    spec = importlib.util.spec_from_file_location("kropka_setup", ROOT / "setup.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_file_of_the_packages_is_in_the_wheel(wheel: ZipFile) -> None:
    here = {file.relative_to(ROOT).as_posix() for package in ARROWS for file in files_of(package)}
    guides = {f"web/pages/help/{file.relative_to(ROOT / 'docs' / 'guides')}" for file in files_of("docs/guides")}
    assert {name for name in wheel.namelist() if ".dist-info/" not in name} == here | guides | {"bot/commit"}


@pytest.mark.parametrize("package", ARROWS)
def test_every_package_says_that_it_has_types(wheel: ZipFile, package: str) -> None:
    assert f"{package}/py.typed" in wheel.namelist()


def test_types_are_checked_in_every_folder_of_python() -> None:
    folders = {file.parent.name for file in ROOT.glob("[!.]*/*.py")}
    assert set(TOOLS["mypy"]["packages"]) == folders


def test_types_of_windows_are_checked_in_the_program_alone() -> None:
    make = shutil.which("make")
    assert make is not None
    tried = subprocess.run([make, "--dry-run", "types-windows"], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603
    assert set(re.findall(r"--package (\w+)", tried.stdout)) == set(ARROWS)


def test_the_wheel_has_the_version_of_the_program(metadata: Message) -> None:
    assert metadata["Version"] == __version__


def test_the_version_is_in_one_place() -> None:
    pages = [ROOT / "compose.yaml", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/*.md"), *ROOT.glob("deploy/**/*.*")]
    written = re.compile(rf"(?<![\d.]){re.escape(__version__)}(?![\d.])")
    assert [page.name for page in pages if written.search(page.read_text("utf-8"))] == []


def test_the_program_tells_its_version_and_the_commit_of_its_checkout() -> None:
    program = [sys.executable, "-m", "bot", "--version"]
    answer = subprocess.run(program, cwd=ROOT, check=True, capture_output=True, text=True)  # noqa: S603
    assert answer.stdout == f"kropka {version()}\n"
    assert re.fullmatch(rf"{re.escape(__version__)} \([0-9a-f]{{7,40}}(-dirty)?\)", version())


def test_the_wheel_tells_the_commit_of_which_it_was_built(wheel: ZipFile, tmp_path: Path) -> None:
    wheel.extractall(tmp_path)
    program = [sys.executable, "-m", "bot", "--version"]
    answer = subprocess.run(program, cwd=tmp_path, check=True, capture_output=True, text=True)  # noqa: S603
    assert answer.stdout == f"kropka {__version__} ({COMMIT})\n"


@pytest.mark.process
def test_the_wheel_runs_in_an_empty_folder(wheel: ZipFile, tmp_path: Path) -> None:
    """It has what it needs beside its code: pages, words, fonts, diagrams."""
    wheel.extractall(tmp_path / "installed")
    (tmp_path / "kropka").write_text(
        f'#!/bin/sh\nPYTHONPATH="{tmp_path}/installed" exec "{sys.executable}" -m bot "$@"\n'
    )
    (tmp_path / "kropka").chmod(0o755)
    (tmp_path / "empty").mkdir()
    with running_tryout(tmp_path / "kropka", tmp_path / "empty") as address, urlopen(address) as page:  # noqa: S310
        assert page.status == 200
        assert b"</html>" in page.read()
    assert {each.name for each in (tmp_path / "empty").iterdir()} == {"data"}


def test_all_links_on_the_page_of_an_index_are_whole_and_lead_to_this_version(metadata: Message) -> None:
    page = metadata.get_payload()
    assert isinstance(page, str)
    found = re.findall(r'\]\(([^)\s]+)\)|<(?:img|a)\b[^>]*(?:src|href)="([^"]+)"', page)
    links = [written or tagged for written, tagged in found]
    own = [link for link in links if link.startswith(PROJECT["urls"]["Source"])]
    assert len(own) > 5
    assert all(f"/v{__version__}/" in link for link in own)
    assert [link for link in links if not re.match(r"https?://|#", link)] == []


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("[rules](docs/rules.md#free)", "[rules](https://x.example/k/blob/v1/docs/rules.md#free)"),
        ("![board](docs/a.png)", "![board](https://x.example/k/raw/v1/docs/a.png)"),
        ('<img width="9" src="docs/a.gif">', '<img width="9" src="https://x.example/k/raw/v1/docs/a.gif">'),
        ('<a href="docs/a.md">', '<a href="https://x.example/k/blob/v1/docs/a.md">'),
        ("[here](#play) [there](https://discord.com/a)", "[here](#play) [there](https://discord.com/a)"),
        ("[![board](a.png)](b.md)", "[![board](https://x.example/k/raw/v1/a.png)](https://x.example/k/blob/v1/b.md)"),
        ("[LICENSE], a (b), `.[dev]` and `<x>`", "[LICENSE], a (b), `.[dev]` and `<x>`"),
    ],
)
def test_a_link_leads_to_the_repository(setup: ModuleType, written: str, expected: str) -> None:
    assert setup.with_absolute_links(written, "https://x.example/k", "v1") == expected


def test_the_public_address_is_in_one_place() -> None:
    source = PROJECT["urls"]["Source"]
    assert all(address.startswith(source) for address in PROJECT["urls"].values())
    host = source.split("/")[2]
    others = [
        path
        for pattern in ("*.md", "*.yaml", "Makefile", "Dockerfile", ".github/**/*.*", "docs/**/*.md", "bot/**/*.py")
        for path in ROOT.glob(pattern)
        if f"//{host}" in path.read_text("utf-8")
    ]
    assert others == []


def test_the_example_of_settings_names_each_that_an_operator_may_set() -> None:
    named = set(re.findall(r"^#KROPKA_(\w+)=", (ROOT / ".env.example").read_text("utf-8"), re.MULTILINE))
    assert {name.lower() for name in named} == Settings.model_fields.keys() - {"discord"}


def test_the_example_of_settings_shows_the_defaults(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    before = Settings.read(secrets=tmp_path)
    example = (ROOT / ".env.example").read_text("utf-8")
    (tmp_path / ".env").write_text(re.sub(r"^#(?=KROPKA_)", "", example, flags=re.MULTILINE), "utf-8")
    after = Settings.read(secrets=tmp_path)
    assert after.address() == before.address()
    assert after.model_dump(exclude={"database"}) == before.model_dump(exclude={"database"})


def test_every_supported_python_is_a_classifier_and_is_tested() -> None:
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text("utf-8")
    tested = re.findall(r'"(3\.\d+)"', re.findall(r"python: (\[.*\])", workflow)[0])
    classifiers = [each.removeprefix("Programming Language :: Python :: ") for each in PROJECT["classifiers"]]
    assert tested == [each for each in classifiers if re.fullmatch(r"3\.\d+", each)]
    assert PROJECT["requires-python"] == f">={tested[0]}"
