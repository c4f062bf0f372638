"""Every answer fits what Discord takes, whatever was typed: 2,000 characters of a message, 4,000 of a panel."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import discord
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.interactions.layout import layout
from bot.markup import quote
from bot.services.messages import MAX_CONTENT, MAX_PANEL_TEXT, fit
from bot.services.rate_limits import Rate, RateLimits
from loopback import Channel, Interaction
from loopback.interaction import InteractionKind
from loopback.permissions import Permission
from presentation.text import MAX_ECHO
from presentation.words.words import CATALOGUES
from tests.bot import forging
from tests.bot.room import Room
from tests.python_texts import parsed

LANGUAGES = sorted(
    next(each.value for each in discord.Locale if each.value.split("-")[0] == path.name)
    for path in CATALOGUES.iterdir()
)
"""Locales of clients whose language has a catalogue."""

MAX_TYPED = 6000
"""Characters that Discord lets a user type into the options of a command."""

STRING, SUBCOMMAND, GROUP = 3, 1, 2
MARKS = "*_~`|>[]()<#@:-+.!\\"
TYPED = st.one_of(
    st.text(max_size=40),
    st.text(st.sampled_from(MARKS), min_size=1, max_size=60).map(lambda text: (text * MAX_TYPED)[:MAX_TYPED]),
    st.text(min_size=1, max_size=30).map(lambda text: (text * MAX_TYPED)[:MAX_TYPED]),
    st.sampled_from(["K12 ", "@everyone ", "```\n", "a1 b2; ", "10m+30s ", "\n", "\u202e", "9"]).map(
        lambda text: (text * MAX_TYPED)[:MAX_TYPED]
    ),
)


def text_options(commands: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Yields each option that takes text, with the path of its command and the other options that it requires."""

    def below(path: str, node: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
        options = node.get("options", [])
        for option in options:
            if option["type"] in (SUBCOMMAND, GROUP):
                yield from below(f"{path} {option['name']}", option)
            elif option["type"] == STRING:
                needed = [each for each in options if each.get("required") and each is not option]
                yield path, option, {each["name"]: _some(each) for each in needed if each["type"] == STRING}

    for command in commands:
        yield from below(command["name"], command)


def _some(option: dict[str, Any]) -> str:
    return str(option["choices"][0]["value"]) if option.get("choices") else "1d"


@pytest.fixture
def run_options() -> dict[str, Any]:
    fast = Rate(10**6, 1e-6)
    return {"limits": RateLimits(fast, fast, fast, cards=fast)}


@pytest.fixture
async def thread(room: Room) -> Channel:
    """The thread of a match, with Ola to move."""
    room.discord.allow(room.channel, Permission.MANAGE_MESSAGES, room.ola)
    return await room.start_match(size="9x9", clock="3d")


async def check_answer(room: Room, asked: Interaction) -> None:
    """Raises AssertionError where Discord refuses the answer, or none comes."""
    outcome = await asked.answered()
    assert room.discord.problems == [], (asked.data, room.discord.problems)
    assert outcome.kind != "failed", asked.data
    for message in asked.messages:
        assert len(message.content) <= MAX_CONTENT
        assert len(message.text) <= MAX_PANEL_TEXT
        assert "Something went wrong" not in message.text, asked.data


ONCE = settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.sample(6)
@pytest.mark.parametrize("language", LANGUAGES)
@ONCE
@given(typed=TYPED)
async def test_whatever_is_typed_into_a_command_the_answer_fits(
    room: Room, thread: Channel, language: str, typed: str
) -> None:
    room.ola.speak(language)
    for path, option, needed in text_options(room.discord.commands):
        await check_answer(room, forging.send_command(room, room.ola, thread, path, {**needed, option["name"]: typed}))
        if option.get("autocomplete"):
            await check_answer(room, complete(room, thread, path, option["name"], typed))


def complete(room: Room, channel: Channel, path: str, option: str, typed: str) -> Interaction:
    """Asks for suggestions for what is being typed."""
    return forging.send_command(room, room.ola, channel, path, {option: typed}, InteractionKind.AUTOCOMPLETE)


FIELDS = {
    "match:1:0:point": ("point",),
    "match:1:0:plan": ("line",),
    "me:clock": ("zone", "night"),
    "terms:me:zagram|20x20|c12|3d|d-||:other-size": ("value",),
    "terms:me:zagram|20x20|c12|3d|d-||:other-clock": ("value",),
}


@pytest.mark.sample(6)
@pytest.mark.parametrize("language", LANGUAGES)
@ONCE
@given(typed=TYPED)
async def test_whatever_is_typed_into_a_form_the_answer_fits(
    room: Room, thread: Channel, language: str, typed: str
) -> None:
    room.ola.speak(language)
    for custom_id, fields in FIELDS.items():
        written = [forging.input_(field, typed) for field in fields]
        await check_answer(room, forging.submit(room, room.ola, thread, custom_id, written))


@given(st.text())
def test_what_is_repeated_is_short_and_in_one_line(typed: str) -> None:
    said = quote(typed * 50)
    assert len(said) <= 2 * MAX_ECHO
    assert len(said.splitlines()) <= 1


@given(st.text(), st.integers(min_value=1, max_value=50))
def test_what_is_cut_fits_and_says_that_it_goes_on(text: str, most: int) -> None:
    cut = fit(text, most)
    assert len(cut) <= most
    assert cut == text or cut.endswith("…")


def test_whole_lines_are_kept_where_there_are_some() -> None:
    assert fit("first\nsecond\nthird", 15) == "first\nsecond…"


@given(st.lists(st.text(min_size=1, max_size=3000), min_size=1, max_size=6))
def test_all_texts_of_a_panel_fit_together(texts: list[str]) -> None:
    parts: list[Any] = layout(texts).to_components()  # type: ignore[no-untyped-call]
    assert sum(len(part["content"]) for part in parts) <= MAX_PANEL_TEXT


SENDS = {"send", "reply", "_reply", "send_message", "edit", "edit_message", "edit_original_response"}
ROOT = Path(__file__).parents[3] / "bot"

GUARDED = ("ctx", "self._channels", "ctx.services.channels", "self._direct")
"""Objects whose methods fit what they send."""


def test_every_text_that_is_sent_passes_the_guard() -> None:
    """A new way to send text to Discord has to fit that text."""
    unfitted = []
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(parsed(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in SENDS:
                if ast.unparse(node.func.value) in GUARDED:
                    continue
                texts = [word.value for word in node.keywords if word.arg in ("content", None)]
                texts += [each for each in node.args if node.func.attr in ("send", "reply", "send_message")]
                unfitted += [f"{path.name}:{node.lineno}" for text in texts if not _is_fitted(text)]
    assert unfitted == []


def _is_fitted(text: ast.expr) -> bool:
    called = text.func.id if isinstance(text, ast.Call) and isinstance(text.func, ast.Name) else ""
    # `extras` are pictures and buttons beside the text; what is `fitted` is checked where it is passed.
    return called in ("fit", "fit_message") or (isinstance(text, ast.Name) and text.id in ("extras", "fitted"))


async def test_there_are_no_suggestions_for_thousands_of_digits(room: Room) -> None:
    thread = await room.start_match()
    assert await room.ola.complete(thread, "move", focused="point", point="0" * 6000) == []
