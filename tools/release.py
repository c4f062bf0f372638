"""Makes a release, step by step: `python -m tools.release --help`. CONTRIBUTING.md says in which order.

The version is written in bot/__init__.py alone. `[project]` in pyproject.toml has the name and the public address, and
nothing else has: what a fork changes is there.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tomllib
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.request import urlopen
from zipfile import ZipFile

from tools.image import PROVENANCE, SPDX, Layout, attest, join, set_health_check
from tools.program import argument_parser, say

ROOT: Final = Path(__file__).parents[1]
DIST: Final = ROOT / "dist"
LOCK: Final = ROOT / "requirements" / "runtime.txt"
START_SECONDS: Final = 300.0
"""Seconds in which the bot has to start on a machine that many share."""

PLATFORMS: Final = {"x86_64": "amd64", "aarch64": "arm64"}
BUILD = "import sys; from setuptools import build_meta; build_meta.build_{}(sys.argv[1])"

_VERSION = re.compile(r'^__version__ = "(?P<version>.+)"$', re.MULTILINE)
_UNRELEASED = re.compile(r"^## Unreleased\n(?P<text>.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)


class Refused(Exception):
    """A reason not to go on, in a sentence."""


def version_here(root: Path = ROOT) -> str:
    """Returns the version of the source."""
    found = _VERSION.search((root / "bot" / "__init__.py").read_text("utf-8"))
    assert found is not None, "bot/__init__.py has the version"
    return found["version"]


def source_here(root: Path = ROOT) -> str:
    """Returns the public address of the repository."""
    urls: dict[str, str] = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
    return urls["Source"]


def prepare(root: Path, version: str, today: date) -> None:
    """Gives the source a version, and the chapter *Unreleased* of the changelog, which is empty then."""
    before = version_here(root)
    if not re.fullmatch(r"\d+\.\d+\.\d+", version) or _order(version) <= _order(before):
        raise Refused(f"{version} is no version after {before}, such as 1.2.0")
    changelog = root / "CHANGELOG.md"
    text = changelog.read_text("utf-8")
    chapter = _UNRELEASED.search(text)
    if chapter is None or not chapter["text"].strip():
        raise Refused("CHANGELOG.md has nothing under Unreleased")
    changelog.write_text(_UNRELEASED.sub(f"## Unreleased\n\n## {version} - {today}\n\\g<text>", text, count=1), "utf-8")
    package = root / "bot" / "__init__.py"
    package.write_text(_VERSION.sub(f'__version__ = "{version}"', package.read_text("utf-8")), "utf-8")


def _order(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def build() -> None:
    """Makes the wheel, the source archive and the lock of a clean checkout in dist/, with their checksums."""
    if _git("status", "--porcelain"):
        raise Refused("commit what you have changed first: a release is made of a commit")
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    when = {"SOURCE_DATE_EPOCH": _git("log", "-1", "--format=%ct")}
    with TemporaryDirectory() as folder:  # a used checkout has old files in build/
        archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True)  # noqa: S607
        with subprocess.Popen(["tar", "-x", "-C", folder], stdin=subprocess.PIPE) as tar:  # noqa: S603, S607
            tar.communicate(archive.stdout)
        for kind in ("sdist", "wheel"):
            _run(sys.executable, "-c", BUILD.format(kind), str(DIST), cwd=folder, COMMIT=_git_commit(), **when)
    shutil.copy(LOCK, DIST / "requirements.txt")
    sums = "".join(f"{sha256(each.read_bytes()).hexdigest()}  {each.name}\n" for each in sorted(DIST.iterdir()))
    (DIST / "SHA256SUMS").write_text(sums, "ascii")
    say(sums)


def try_packages() -> None:
    """Installs the wheel into an empty environment with the locked packages, and runs the try-out in an empty folder.

    What the source archive builds has to be the same wheel.
    """
    (wheel,), (archive,) = DIST.glob("*.whl"), DIST.glob("*.tar.gz")
    with TemporaryDirectory() as name:
        folder = Path(name)
        venv.create(folder / "empty", with_pip=True)
        python, kropka = folder / "empty" / "bin" / "python", folder / "empty" / "bin" / "kropka"
        _run(python, "-m", "pip", "install", "--quiet", "--require-hashes", "-r", DIST / "requirements.txt")
        _run(python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", wheel)
        _run(python, "-m", "pip", "check")
        told = _output(kropka, "--version", cwd=folder)
        if told != f"kropka {version_here()} ({_git_commit()})":
            raise Refused(f"the wheel tells of itself: {told}")
        with tarfile.open(archive) as tar:
            tar.extractall(folder / "source", filter="data")
        (source,) = (folder / "source").iterdir()
        _run(python, "-c", BUILD.format("wheel"), folder, cwd=source)
        (again,) = folder.glob("*.whl")
        if ZipFile(again).namelist() != ZipFile(wheel).namelist():
            raise Refused("the source archive builds another wheel")
        (folder / "bot").mkdir()
        with running_tryout(kropka, folder / "bot") as address, urlopen(address) as page:  # noqa: S310 - its own http
            say(told, "answers at", address.partition("?")[0], page.status)


@contextmanager
def running_tryout(kropka: Path, folder: Path) -> Iterator[str]:
    """Runs the try-out in a folder, and yields the address that it prints. It has to end in good order."""
    environment = {"PATH": os.environ["PATH"], "KROPKA_PORT": "0", "KROPKA_THINKERS": "0"}
    with subprocess.Popen([kropka, "run"], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True) as bot:  # noqa: S603
        assert bot.stdout is not None, "it is a pipe"
        signal.signal(signal.SIGALRM, lambda *_: bot.kill())
        signal.setitimer(signal.ITIMER_REAL, START_SECONDS)
        try:
            addresses = (re.search(r"http://\S+", line) for line in bot.stdout)
            found = next(filter(None, addresses), None)
            if found is None:
                raise Refused(f"kropka run ended with status {bot.wait()}")
            yield found[0]
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            bot.terminate()
    if bot.returncode != 0:
        raise Refused(f"kropka run ended with status {bot.returncode} after SIGTERM")


def build_image(arguments: argparse.Namespace) -> None:
    """Builds the image of this machine's processor as an OCI layout in dist/, with an SBOM and its provenance."""
    processor = arguments.processor or PLATFORMS[platform.machine()]
    begun, tag, folder = datetime.now(UTC), f"localhost/kropka:{processor}", DIST / f"image-{processor}"
    shutil.rmtree(folder, ignore_errors=True)
    given = ["--from", arguments.base] if arguments.base else []
    mounted = [part for each in arguments.volume for part in ("--volume", each)]
    labels = {
        "source": source_here(),
        "version": version_here(),
        "revision": _git("rev-parse", "HEAD"),
        "licenses": "MIT",
        "created": begun.isoformat(timespec="seconds"),
    }
    named = [part for name, value in labels.items() for part in ("--label", f"org.opencontainers.image.{name}={value}")]
    buildah = ["buildah", "build", "--arch", processor, "--format", "docker", "--isolation", "chroot", "--tag", tag]
    _run(*buildah, *given, *mounted, *named, "--build-arg", f"COMMIT={_git_commit()}", ".", cwd=ROOT)
    _run("buildah", "push", "--quiet", tag, f"oci:{folder}")
    built = json.loads(_output("buildah", "inspect", "--type", "image", tag))
    set_health_check(Layout(folder), built["Docker"]["config"]["Healthcheck"])
    syft = Path(sys.executable).with_name("syft")
    listed = json.loads(
        _output(syft, "scan", f"oci-dir:{folder}", "-o", "spdx-json", SYFT_CHECK_FOR_APP_UPDATE="false")
    )
    (DIST / f"kropka-{version_here()}-{processor}.spdx.json").write_text(json.dumps(listed, indent=1), "utf-8")
    name = f"pkg:docker{image_path(source_here())}@{version_here()}?platform=linux%2F{processor}"
    attest(Layout(folder), name, {SPDX: listed, PROVENANCE: provenance(arguments, begun)})
    say(f"{folder.relative_to(ROOT)}: {len(listed['packages'])} packages listed")


def provenance(arguments: argparse.Namespace, begun: datetime) -> dict[str, object]:
    """Returns of what, how and by whom the image was built. Source: https://slsa.dev/spec/v1.0/provenance"""
    source, commit = source_here(), _git("rev-parse", "HEAD")
    (base,) = re.findall(r"^FROM (\S+@\S+) AS base$", (ROOT / "Dockerfile").read_text("utf-8"), re.MULTILINE)
    image, _, digest = base.partition("@sha256:")
    official = {"uri": f"pkg:docker/{image.replace(':', '@')}", "digest": {"sha256": digest}}
    return {
        "buildDefinition": {
            "buildType": f"{source}/blob/v{version_here()}/tools/release.py",
            "externalParameters": {"source": source, "base": arguments.base or base},
            "resolvedDependencies": [
                {"uri": f"git+{source}", "digest": {"gitCommit": commit}},
                {"uri": arguments.base} if arguments.base else official,
            ],
        },
        "runDetails": {
            "builder": {"id": arguments.builder},
            "metadata": {
                "startedOn": begun.isoformat(timespec="seconds"),
                "finishedOn": datetime.now(UTC).isoformat(timespec="seconds"),
            },
        },
    }


def image_path(source: str) -> str:
    """Returns the path of a repository's address, which is the image's path in a registry: "/kropka/kropka"."""
    return "/" + source.split("/", 3)[3].lower()


def push_image(arguments: argparse.Namespace) -> None:
    """Joins the images in dist/ to one for all their processors, and copies it to a registry."""
    layouts = [Layout(each) for each in sorted(DIST.glob("image-*"))]
    if not layouts:
        raise Refused("dist/ has no image: build one first")
    shutil.rmtree(DIST / "image", ignore_errors=True)
    joined = Layout(DIST / "image")
    index = join(layouts, joined, version_here())
    target = f"docker://{arguments.registry}{image_path(source_here())}:{version_here()}"
    check = [] if arguments.tls else ["--dest-tls-verify=false"]
    _run("skopeo", "copy", "--all", "--preserve-digests", *check, f"oci:{joined.folder}:{version_here()}", target)
    say(f"{target.removeprefix('docker://')} is {index['digest']}")


def tag() -> None:
    """Makes the tag of the version. To push it starts the publication."""
    chapter = f"## {version_here()} - "
    if chapter not in (ROOT / "CHANGELOG.md").read_text("utf-8"):
        raise Refused(f"CHANGELOG.md has no chapter of {version_here()}: prepare it first")
    if _git("status", "--porcelain"):
        raise Refused("commit what you have changed first")
    _run("git", "tag", "--annotate", f"v{version_here()}", "--message", f"Kropka {version_here()}", cwd=ROOT)


def _git_commit() -> str:
    return _git("describe", "--always", "--abbrev=12", "--exclude=*")


def _git(*arguments: str) -> str:
    return _output("git", *arguments, cwd=ROOT)


def _output(*command: str | Path, cwd: Path | None = None, **environment: str) -> str:
    given = {**os.environ, **environment}
    return subprocess.run(command, cwd=cwd, env=given, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()  # noqa: S603


def _run(*command: str | Path, cwd: str | Path | None = None, **environment: str) -> None:
    subprocess.run(command, cwd=cwd, env={**os.environ, **environment}, check=True)  # noqa: S603


def main() -> int:
    """Runs one step."""
    parser = argument_parser(__doc__)
    steps = parser.add_subparsers(dest="step", required=True)
    steps.add_parser("prepare", help="give the version to the source and the changelog").add_argument("version")
    steps.add_parser("build", help="make the wheel and the source archive in dist/")
    steps.add_parser("try", help="install the wheel into an empty environment, and run it")
    image = steps.add_parser("image", help="build the image for a processor, with SBOM and provenance")
    image.add_argument("--processor", choices=PLATFORMS.values(), help="default: that of this machine")
    image.add_argument("--base", help="an image on this machine in the place of the one that the Dockerfile names")
    image.add_argument("--volume", action="append", default=[], help="a folder for the build, as buildah takes it")
    image.add_argument("--builder", default="https://localhost/by-hand", help="who builds, as an address")
    push = steps.add_parser("push", help="copy the images of all processors to a registry as one")
    push.add_argument("registry")
    push.add_argument("--no-tls", dest="tls", action="store_false", help="for a registry on this machine")
    steps.add_parser("tag", help="make the tag")
    arguments = parser.parse_args()
    try:
        match arguments.step:
            case "prepare":
                prepare(ROOT, arguments.version, datetime.now(UTC).date())
            case "build":
                build()
            case "try":
                try_packages()
            case "image":
                build_image(arguments)
            case "push":
                push_image(arguments)
            case _:
                tag()
    except Refused as refusal:
        say(refusal)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
