"""Images, actions and packages are pinned by their digests, so that a build fetches what it fetched before."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
OWN_IMAGE = re.compile(r"kropka:")
STAGE = re.compile(r"^FROM \S+ AS (\w+)$", re.MULTILINE)


def images() -> list[str]:
    """Returns the images that a build or a start of the containers fetches."""
    dockerfile, compose = ((ROOT / name).read_text("utf-8") for name in ("Dockerfile", "compose.yaml"))
    stages = set(STAGE.findall(dockerfile))
    built_on = re.findall(r"^(?:FROM|# *syntax *=|COPY --from=) *([^\s/]\S*)", dockerfile, re.MULTILINE)
    run = re.findall(r"^ *image: *(\S+)", compose, re.MULTILINE)
    return [each for each in built_on if each not in stages] + [each for each in run if not OWN_IMAGE.match(each)]


def actions() -> list[str]:
    """Returns the actions that the workflows use."""
    workflows = (ROOT / ".github" / "workflows").glob("*.y*ml")
    return [each for file in workflows for each in re.findall(r"uses: *(\S+)", file.read_text("utf-8"))]


def test_every_image_is_pinned_by_its_digest() -> None:
    assert {each.split("@")[0] for each in images()} == {"python:3.11-slim-bookworm", "postgres:17-bookworm"}
    assert [each for each in images() if not re.search(r"@sha256:[0-9a-f]{64}$", each)] == []


def test_every_action_is_pinned_by_its_commit() -> None:
    assert actions()
    assert [each for each in actions() if not re.search(r"@[0-9a-f]{40}$", each)] == []


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_every_locked_version_has_its_hashes(lock: Path) -> None:
    entries = re.split(r"^(?=[\w.-]+==)", lock.read_text("utf-8"), flags=re.MULTILINE)[1:]
    assert entries
    assert [each.split()[0] for each in entries if not re.search(r"--hash=sha256:[0-9a-f]{64}", each)] == []


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_no_lock_names_an_index(lock: Path) -> None:
    options = re.findall(r"^ *--(?!hash=)\S+|https?://\S+|^[\w.-]+ @ .*", lock.read_text("utf-8"), re.MULTILINE)
    assert options == []
