"""Images, actions and packages are pinned by their digests, so that a build fetches what it fetched before."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from shutil import which
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
NPM_LOCK: dict[str, dict[str, Any]] = json.loads((ROOT / "package-lock.json").read_text("utf-8"))["packages"]
"""The locked packages of npm by their paths; "" is the project itself."""

INSTALLS = re.compile(r"pip\S* (install|wheel) (?!--quiet --disable-pip-version-check$)|\$\(PIP\) ")
"""A line that installs packages; PIP of the Makefile is the beginning of such."""

OWN_IMAGE = re.compile(r"kropka$")
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
    assert {each.split("@")[0] for each in images()} == {"python:3.14-slim-trixie", "postgres:17-bookworm"}
    assert [each for each in images() if not re.search(r"@sha256:[0-9a-f]{64}$", each)] == []


def test_every_action_is_pinned_by_its_commit() -> None:
    assert actions()
    assert [each for each in actions() if not re.search(r"@[0-9a-f]{40}$", each)] == []


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_every_locked_version_has_its_hashes(lock: Path) -> None:
    entries = re.split(r"^(?=[\w.-]+==)", lock.read_text("utf-8"), flags=re.MULTILINE)[1:]
    assert entries
    assert [each.split()[0] for each in entries if not re.search(r"--hash=sha256:[0-9a-f]{64}", each)] == []


def test_every_lock_is_compared_with_the_lists_of_vulnerabilities() -> None:
    make = which("make")
    assert make is not None
    tried = subprocess.run([make, "--dry-run", "audit"], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603
    (begin,) = re.findall(r"for lock in (.*); do", tried.stdout)
    assert "pip-audit --strict --disable-pip --require-hashes -r $lock" in tried.stdout
    assert sorted(begin.split()) == [f"requirements/{lock.name}" for lock in LOCKS]
    assert "npm audit --package-lock-only" in tried.stdout


def test_the_audit_runs_when_a_lock_changes() -> None:
    workflow = (ROOT / ".github" / "workflows" / "audit.yml").read_text("utf-8")
    for paths in re.findall(r"paths: \[(.*)\]", workflow):
        assert '"requirements/**"' in paths
        assert '"package-lock.json"' in paths


def test_all_that_is_pinned_is_renewed_every_month() -> None:
    """Dependabot renews actions and images, and a workflow renews by `make lock` what is locked."""
    github = ROOT / ".github"
    entries = yaml.safe_load((github / "dependabot.yml").read_text("utf-8"))["updates"]
    assert {each["package-ecosystem"] for each in entries} == {"github-actions", "docker", "docker-compose"}
    assert {each["schedule"]["interval"] for each in entries} == {"monthly"}
    renew = yaml.safe_load((github / "workflows" / "renew.yml").read_text("utf-8"))
    assert [each["cron"].split()[2:] for each in renew[True]["schedule"]] == [
        ["1", "*", "*"]
    ]  # YAML reads `on` as True
    assert "make lock" in [step.get("run") for step in renew["jobs"]["lock"]["steps"]]


def test_what_locks_packages_has_no_token_of_the_repository() -> None:
    """It may run code of packages that are built to be asked for their requirements."""
    renew = yaml.safe_load((ROOT / ".github" / "workflows" / "renew.yml").read_text("utf-8"))
    checkout, *_ = steps = renew["jobs"]["lock"]["steps"]
    assert checkout["with"]["persist-credentials"] is False
    assert [step["run"].split()[0] for step in steps if "GH_TOKEN" in step.get("env", {})] == ["git"]
    assert {"env"}.isdisjoint({*renew, *renew["jobs"]["lock"]})


def test_workflows_install_locked_packages_alone() -> None:
    """Each `pip install`, `pip wheel` or `npm` takes versions with hashes, or nothing from an index at all."""
    files = [*(ROOT / ".github" / "workflows").glob("*.y*ml"), ROOT / "Dockerfile", ROOT / "Makefile"]
    lines = [line for file in files for line in file.read_text("utf-8").splitlines() if INSTALLS.search(line)]
    assert lines
    assert [line for line in lines if "--require-hashes" not in line and "--no-deps" not in line] == []
    assert [line for line in lines if "--no-deps" in line and not re.search("--no-(build-isolation|index)", line)] == []


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_no_lock_names_an_index(lock: Path) -> None:
    options = re.findall(r"^ *--(?!hash=)\S+|https?://\S+|^[\w.-]+ @ .*", lock.read_text("utf-8"), re.MULTILINE)
    assert options == []


def test_every_package_of_npm_is_locked_by_its_hash_and_not_by_an_address() -> None:
    packages = [entry for path, entry in NPM_LOCK.items() if path]
    assert packages
    assert [each for each in packages if not each["integrity"].startswith("sha512-") or "resolved" in each] == []


def test_programs_of_npm_are_locked_for_every_platform() -> None:
    """npm forgets the others when it writes a lock beside packages that are installed for one."""
    programs = {name for entry in NPM_LOCK.values() for name in entry.get("optionalDependencies", {})}
    locked = {path.removeprefix("node_modules/") for path in NPM_LOCK}
    assert programs <= locked
    assert {system for path in NPM_LOCK for system in NPM_LOCK[path].get("os", [])} >= {"darwin", "linux", "win32"}
