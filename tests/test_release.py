"""The steps of a release that only change files: version, changelog, and what is said of an image."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path

import pytest

from tests.build_context import ROOT
from tools.image import INDEX, MANIFEST, PROVENANCE, SPDX, Layout, attest, join, set_health_check
from tools.licences import lines
from tools.release import Refused, image_path, prepare, source_here, version_here

DAY = date(2026, 12, 24)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A source of version 1.9.0 with a change that is not released."""
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "__init__.py").write_text('"""A bot."""\n\n__version__ = "1.9.0"\n"""Its version."""\n')
    (tmp_path / "CHANGELOG.md").write_text(
        "# Changelog\n\n## Unreleased\n\n### Players\n\n- A \\1 bell.\n\n## 1.9.0 - 2026-11-22\n\nOld.\n"
    )
    return tmp_path


def test_a_release_has_its_version_in_the_program(source: Path) -> None:
    prepare(source, "1.10.0", DAY)
    assert version_here(source) == "1.10.0"
    assert (source / "bot" / "__init__.py").read_text().count("1.9.0") == 0


def test_what_was_unreleased_is_the_chapter_of_the_version(source: Path) -> None:
    prepare(source, "1.10.0", DAY)
    assert (source / "CHANGELOG.md").read_text() == (
        "# Changelog\n\n## Unreleased\n\n## 1.10.0 - 2026-12-24\n\n### Players\n\n- A \\1 bell.\n\n"
        "## 1.9.0 - 2026-11-22\n\nOld.\n"
    )


@pytest.mark.parametrize("version", ["1.9.0", "1.8.9", "1.10", "v1.10.0", "2"])
def test_a_version_that_is_not_the_next_changes_nothing(source: Path, version: str) -> None:
    before = (source / "CHANGELOG.md").read_text()
    with pytest.raises(Refused, match=re.escape(version)):
        prepare(source, version, DAY)
    assert ((source / "CHANGELOG.md").read_text(), version_here(source)) == (before, "1.9.0")


def test_a_release_without_changes_is_refused(source: Path) -> None:
    prepare(source, "1.10.0", DAY)
    with pytest.raises(Refused, match="nothing under Unreleased"):
        prepare(source, "1.11.0", DAY)
    assert version_here(source) == "1.10.0"


def test_the_changelog_of_this_source_can_be_released() -> None:
    chapters = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert chapters[0] == "Unreleased"
    assert chapters[1].split(" - ")[0] == version_here()


def test_the_image_has_the_path_of_the_repository() -> None:
    assert image_path("https://git.example/Ola/Kropka") == "/ola/kropka"
    assert image_path(source_here()).count("/") == 2


def layout_of(folder: Path, processor: str) -> Layout:
    """Returns a layout of an image without layers."""
    layout = Layout(folder / processor)
    config = layout.add({"architecture": processor, "os": "linux", "config": {}, "rootfs": {"diff_ids": []}}, "config")
    layout.write(layout.add({"schemaVersion": 2, "config": config, "layers": []}, MANIFEST))
    return layout


def test_an_image_keeps_its_health_check(tmp_path: Path) -> None:
    layout = layout_of(tmp_path, "arm64")
    set_health_check(layout, {"Test": ["CMD", "kropka", "health"]})
    (image,) = layout.index
    assert layout.read(layout.read(image)["config"])["config"] == {"Healthcheck": {"Test": ["CMD", "kropka", "health"]}}


def test_what_is_said_of_an_image_names_its_digest(tmp_path: Path) -> None:
    layout = layout_of(tmp_path, "arm64")
    (before,) = layout.index
    attest(layout, "pkg:docker/ola/kropka", {SPDX: {"packages": []}, PROVENANCE: {}})
    image, said = layout.index
    assert image["digest"] == before["digest"] == said["annotations"]["vnd.docker.reference.digest"]
    assert image["platform"] == {"architecture": "arm64", "os": "linux"}
    statements = [layout.read(each) for each in layout.read(said)["layers"]]
    assert [each["predicateType"] for each in statements] == [SPDX, PROVENANCE]
    assert {f"sha256:{each['subject'][0]['digest']['sha256']}" for each in statements} == {image["digest"]}


def test_images_of_all_processors_are_one(tmp_path: Path) -> None:
    layouts = [layout_of(tmp_path, processor) for processor in ("amd64", "arm64")]
    for layout in layouts:
        attest(layout, "pkg:docker/ola/kropka", {SPDX: {}})
    joined = Layout(tmp_path / "joined")
    index = join(layouts, joined, "1.10.0")
    assert index["mediaType"] == INDEX
    platforms = [each["platform"]["architecture"] for each in joined.read(index)["manifests"]]
    assert platforms == ["amd64", "unknown", "arm64", "unknown"]
    written = json.loads((joined.folder / "index.json").read_text())["manifests"]
    assert [each["annotations"]["org.opencontainers.image.ref.name"] for each in written] == ["1.10.0"]
    assert all(joined.file(each["digest"]).is_file() for each in joined.read(index)["manifests"])


def test_each_package_is_listed_with_its_licence() -> None:
    listed = dict(line.split(": ", 1) for line in lines())
    names = {each.split()[0].lower() for each in listed}
    assert {"discord.py", "kropka", "numba", "pillow"} <= names
    needed = re.findall(r"^([\w.-]+)==", (ROOT / "requirements" / "runtime.txt").read_text("utf-8"), re.MULTILINE)
    assert [name for name, said in listed.items() if name.split()[0] in needed and said == "unknown"] == []
