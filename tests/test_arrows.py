"""Imports point one way, between files, between folders and between layers, and each foreign library has one home.

An import for types alone counts like any other: who reads the file has to follow it. ``python -m tests.test_arrows``
prints the counts.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.python_texts import PROGRAM, parsed, statements

ROOT = Path(__file__).parents[1]

ARROWS = {
    "rules": set[str](),
    "opponent": {"rules"},
    "play": {"rules"},
    "storage": {"play", "rules"},
    "use_cases": {"opponent", "play", "rules", "storage"},
    "renderer": {"rules"},
    "loopback": set[str](),
    "presentation": {"opponent", "play", "renderer", "rules", "use_cases"},
    "web": {"opponent", "play", "presentation", "renderer", "rules", "storage", "use_cases"},
    "chat": {"opponent", "play", "presentation", "renderer", "rules", "storage", "use_cases"},
    "matrix": {"chat", "play", "presentation", "storage", "use_cases"},
    "telegram": {"chat", "play", "presentation", "storage", "use_cases"},
    "bot": {
        *("chat", "loopback", "matrix", "opponent", "play", "presentation", "renderer", "rules", "storage"),
        *("telegram", "use_cases", "web"),
    },
}
"""The packages of ours that each package may import."""

LAYERS = {
    "play": """
        community
        competitions
        ratings
        boards turns
        people records votes
        challenge match
        clock
        posts
        codes ids refusal
        __init__
    """,
    "use_cases": """
        workers
        practice privacy
        quizzes
        quiz
        __init__ sheets
        places
        competitions
        lobby match_actions
        friends
        open_seats
        bans dailies rushes seats_posts seeks votes
        challenges
        homes lessons matches moderation rule_sets past_mistakes player_settings predictions puzzles training
        web_sessions
        clock_service explorer featured milestones operator shared_figures years
        absences identities outages own_accounts own_boards own_figures studies made_exercises
        match_writer
        post_keeper ratings
        channel_rights greetings linked_accounts releases
        annulment barriers causes events exercises keyed_locks limits profiles proofs public_pages
        unlisted verdicts worker
    """,
    "web": """
        site
        app
        files
        activity mini_app
        framed sign_in
        studies
        own
        home pages
        featured offers quiz searches
        world
        live
        boards entrance
        access
        answers
        presentation
        bodies absent
        headers ports
        __init__
    """,
    "presentation": """
        league
        quiz
        arenas challenge_cards digests own_boards
        contests daily leaderboards predictions records reviews server_log strangers tournaments votes years
        exercises
        advice own_accounts
        typed_turns
        match
        offered_rules
        terms
        refusals typed
        words
        markup
        people text
        __init__
    """,
    "chat": """
        parts routing
        conversation
        handlers
        publisher
        friends
        challenges daily deeds notices own_accounts pages people records reviews strangers turns
        arena departures endings
        boards cards keepers
        games terms
        commands request
        services
        names locales
        pings
        port
        messages
        actions html
        __init__
    """,
    "matrix": """
        connection
        sync
        listener
        platform
        places
        rooms
        content
        markup
        homeserver events
        __init__
    """,
    "telegram": """
        updates
        platform
        api launches markup places texts
        __init__
    """,
    "bot": """
        __main__
        cli
        app health
        parts
        platforms
        chat_beginnings website
        client
        connection
        features
        interactions
        services
        telemetry
        sharding invitation request settings version
        addresses
        edge markup way_out
        __init__
    """,
}
"""The layers of a package from the top down: a layer may import itself and what is below it."""

HOMES = {
    "discord": "bot",
    "prometheus_client": "bot",
    "sentry_sdk": "bot",
    "numba": "opponent",
    "rustworkx": "play",
    "openskill": "play",
    "PIL": "renderer",
    "jinja2": "web",
    "markdown_it": "web",
    "sqlalchemy": "storage",
    "alembic": "storage",
}
"""The one package that may import a library."""

WITHOUT_PLATFORM = ("rules", "play", "use_cases", "storage", "presentation", "renderer", "web")
"""Packages that know no chat platform: neither its name nor its library nor its marks."""

PLATFORM = re.compile(
    r"discord|telegram|(?<![a-z])matrix(?!transform)|snowflake|<t:|<[@#]|<:\w+:|\bnio\b|aiogram",
    re.IGNORECASE,
)
"""The names and marks of platforms, in code, texts and comments."""

SOURCES = frozenset({".py", ".js", ".css", ".html"})

PLATFORMS_NAMED: Mapping[str, str] = {
    "play/ids.py": "an id tells its platform",
    "play/community/news.py": "the log of a server is stored with the marks of its channels and roles",
    **dict.fromkeys(
        (f"web/static/activity/{name}" for name in ("page.js", "page.css", "sharing.js", "host.js", "app_host.js")),
        "the Activity is Discord's, the Mini App Telegram's, and their page speaks with the client that shows it",
    ),
    **dict.fromkeys(
        ("web/static/board/board.css", "web/static/home/home.css"),
        "the client that shows an Activity says in variables of its own where its buttons are",
    ),
}
"""Files of those packages that name one all the same, and why."""

Graph = Mapping[str, set[str]]


def files(package: str) -> Iterator[Path]:
    return (ROOT / package).rglob("*.py")


def name_of(file: Path) -> str:
    """Returns the dotted name of a module; a package's `__init__` keeps that as its last part."""
    return ".".join(file.relative_to(ROOT).with_suffix("").parts)


@cache
def imported(source: str) -> frozenset[str]:
    """Returns what a module imports, wherever in it the import is: modules, and names of them."""
    found: set[str] = set()
    for node in statements(parsed(source)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"imports are absolute: {ast.unparse(node)}"
            assert node.module is not None
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return frozenset(found)


def foreign(file: Path) -> set[str]:
    """Returns the top-level names that a file imports."""
    return {name.partition(".")[0] for name in imported(file.read_text(encoding="utf-8"))}


def graph_of(sources: Mapping[str, str]) -> dict[str, set[str]]:
    """Returns the modules with those of them that each imports; `sources` are their texts by name."""

    def module(name: str) -> str | None:
        for found in (name, f"{name}.__init__"):
            if found in sources:
                return found
        return module(name.rpartition(".")[0]) if "." in name else None

    found = {each: {module(name) for name in imported(text)} for each, text in sources.items()}
    return {each: {name for name in names if name is not None} - {each} for each, names in found.items()}


def children(graph: Graph, folder: str) -> dict[str, set[str]]:
    """Returns the files and folders in a folder with those of them that each imports, also deep inside."""
    inside: dict[str, set[str]] = defaultdict(set)
    start = f"{folder}."
    for module, names in graph.items():
        if module.startswith(start):
            own = module.removeprefix(start).partition(".")[0]
            inside[own] |= {name.removeprefix(start).partition(".")[0] for name in names if name.startswith(start)} - {
                own
            }
    return inside


def folders(graph: Iterable[str]) -> set[str]:
    """Returns all folders that hold one of the modules."""
    return {module.rsplit(".", parts)[0] for module in graph for parts in range(1, module.count(".") + 1)}


def circle(graph: Graph) -> list[str]:
    """Returns the path of a circle of imports; nothing if there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        path: list[str] = error.args[1]
        return path[::-1]
    return []


def arrows_up(graph: Graph, package: str) -> list[str]:
    """Returns the imports of a package by which a lower layer knows a higher one."""
    layers = LAYERS[package].strip().splitlines()
    depth = {name: number for number, layer in enumerate(layers) for name in layer.split()}

    def layer(module: str) -> int:
        return depth[module.split(".")[1]]

    inside = [(module, name) for module, names in graph.items() for name in names if module.startswith(f"{package}.")]
    own = [(module, name) for module, name in inside if name.startswith(f"{package}.")]
    return [f"{module} -> {name}" for module, name in own if layer(name) < layer(module)]


@cache
def whole() -> Graph:
    """Returns all modules of the program with those that each imports."""
    return graph_of({name_of(file): file.read_text(encoding="utf-8") for package in ARROWS for file in files(package)})


def circles() -> list[str]:
    """Returns the circle of each folder between what is in it, if there is one."""
    found = {folder: circle(children(whole(), folder)) for folder in folders(whole())}
    return [f"in {folder}: {' -> '.join(path)}" for folder, path in sorted(found.items()) if path]


def test_the_arrows_name_each_package_of_the_program() -> None:
    assert sorted(ARROWS) == sorted(PROGRAM)


def test_a_package_imports_of_ours_only_what_the_arrows_allow() -> None:
    wrong = [
        f"{file.relative_to(ROOT)} imports {name}"
        for package, allowed in ARROWS.items()
        for file in files(package)
        for name in foreign(file) & {*ARROWS, "tests"} - allowed - {package}
    ]
    assert not wrong, "\n".join(wrong)


def test_no_files_import_each_other_in_a_circle() -> None:
    assert not (path := circle(whole())), " -> ".join(path)


def test_what_is_in_a_folder_imports_each_other_in_no_circle() -> None:
    assert not (found := circles()), "\n".join(found)


def test_no_layer_imports_a_higher_one() -> None:
    up = [arrow for package in LAYERS for arrow in arrows_up(whole(), package)]
    assert not up, "\n".join(up)


@pytest.mark.parametrize("package", LAYERS)
def test_the_layers_name_each_part_of_a_package_once(package: str) -> None:
    assert sorted(LAYERS[package].split()) == sorted(children(whole(), package))


def test_only_the_try_out_imports_the_stand_in() -> None:
    importers = {module for module, names in whole().items() for name in names if name.startswith("loopback")}
    assert {module for module in importers if not module.startswith("loopback")} == {"bot.cli.tryout"}


def test_a_circle_is_found_between_files_and_between_folders() -> None:
    files = graph_of(
        {"bot.a.x": "from bot.b import y", "bot.b.y": "import bot.b.z", "bot.b.z": "from bot.a.x import f"}
    )
    assert circle(files) == ["bot.a.x", "bot.b.y", "bot.b.z", "bot.a.x"] or len(circle(files)) == 4
    apart = graph_of(
        {"bot.a.x": "from bot.b import y", "bot.b.y": "", "bot.b.z": "from bot.a.w import f", "bot.a.w": ""}
    )
    assert not circle(apart)
    assert circle(children(apart, "bot"))


def test_an_import_for_types_counts() -> None:
    up = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from play.match.match import Match"
    graph = graph_of({"play.clock.clock": up, "play.match.match": ""})
    assert arrows_up(graph, "play") == ["play.clock.clock -> play.match.match"]


def test_a_library_is_imported_in_one_package_alone() -> None:
    wrong = [
        f"{file.relative_to(ROOT)} imports {library}"
        for package in ARROWS
        for file in files(package)
        for library in foreign(file) & HOMES.keys()
        if HOMES[library] != package
    ]
    assert not wrong, "\n".join(wrong)


def named_platforms(package: str) -> dict[str, list[str]]:
    """Returns the files of a package that name a platform, with its names. Steps of the database are history, and the
    catalogues have a test of their own."""
    texts = {
        str(file.relative_to(ROOT)): file.read_text(encoding="utf-8")
        for file in (ROOT / package).rglob("*.*")
        if file.suffix in SOURCES and "migrations" not in file.parts
    }
    return {name: found for name, text in texts.items() if (found := PLATFORM.findall(text))}


@pytest.mark.parametrize("package", WITHOUT_PLATFORM)
def test_the_core_names_no_platform(package: str) -> None:
    found = named_platforms(package)
    assert not {name: names for name, names in found.items() if name not in PLATFORMS_NAMED}


def test_each_file_that_may_name_a_platform_does() -> None:
    found = {name for package in WITHOUT_PLATFORM for name in named_platforms(package)}
    assert found >= PLATFORMS_NAMED.keys()


@pytest.mark.parametrize("text", ["bot on Discord", "DISCORD_AWAY", "<t:1:R>", "<#7>", "import nio", "a Matrix room"])
def test_a_platforms_name_and_marks_are_found(text: str) -> None:
    assert PLATFORM.search(text)


def test_rules_needs_nothing_but_the_standard_library() -> None:
    for file in files("rules"):
        assert foreign(file) <= sys.stdlib_module_names | {"rules"}, file


def test_every_package_of_the_project_is_in_the_table() -> None:
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert packages == {*ARROWS, "tests"}


def test_the_environment_is_read_in_the_settings_alone() -> None:
    for package in ARROWS:
        for file in files(package):
            if file != ROOT / "bot" / "settings.py":
                text = file.read_text(encoding="utf-8")
                assert "os.environ" not in text, file
                assert "getenv" not in text, file


if __name__ == "__main__":
    graph = whole()
    faults = [*filter(None, [" -> ".join(circle(graph))]), *circles()]
    up = [arrow for package in LAYERS for arrow in arrows_up(graph, package)]
    counts = f"{len(graph)} files, {len(folders(graph))} folders, {sum(map(len, graph.values()))} arrows"
    print(f"{counts}, {len(faults)} circles, {len(up)} arrows up", *faults, *up, sep="\n")  # noqa: T201
