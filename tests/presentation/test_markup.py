"""The same sentence for Discord, and without marks."""

from __future__ import annotations

import pickle
import subprocess
import sys

import pytest

from play.ids import Millis, SideId, UserId, side_account
from presentation.markup import DISCORD, PLAIN
from presentation.words.words import languages

NAMES = ("**Bo**", "a_b", "[x](y)", "\\o/", "-# tiny", "</games:1>", "Ола")


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("**Ola** played *E5*.", "Ola played E5."),
        ("Press **Browser** under **{name}**.", "Press “Browser” under {name}."),
        ("**Say STOP?** Then choose **STOP**.", "Say STOP? Then choose “STOP”."),
        ("-# small\n- first\n- second", "small\nfirst\nsecond"),
        ("Then [the board](<{url}>), [or]({other}).", "Then the board, or."),
        ("E5-F6 costs 2 - 1, {count}.", "E5-F6 costs 2 - 1, {count}."),
    ],
)
def test_a_sentence_without_marks_keeps_its_text_and_its_placeholders(written: str, told: str) -> None:
    assert PLAIN.template(written, "“”") == told
    assert DISCORD.template(written, "“”") == written


@pytest.mark.parametrize("name", NAMES)
def test_a_name_without_marks_stays_as_it_is(name: str) -> None:
    words = languages().of("en").plain
    assert words.literal(name) == words.markup.player(name, "🔴") == words.mention(UserId(1), name) == name
    assert words("resign.ask", opponent=words.literal(name)).count(name) == 1


def test_only_a_person_is_mentioned() -> None:
    words = languages().of("en")
    assert words.mention(UserId(1), "Anna") == "<@1>"
    assert words.mention(side_account(SideId(1)), "The *cats*") == "**The \\*cats\\***"


@pytest.mark.parametrize(("tag", "named"), [("en", "/challenge"), ("pl", "/wyzwanie"), ("ru", "/вызов")])
def test_a_page_names_a_command_as_the_readers_discord_does(tag: str, named: str) -> None:
    words = languages().linking({"challenge": 7}).of(tag)
    assert words.command("challenge") == "</challenge:7>"
    assert words.plain.command("challenge") == named


def test_a_moment_is_the_readers_own_on_discord_and_by_utc_on_a_page() -> None:
    words, at = languages().of("en"), Millis(1_700_000_000_000)
    assert (words.moment(at), words.until(at)) == ("<t:1700000000:f>", "<t:1700000000:R>")
    assert words.plain.moment(at) == words.plain.until(at) == "November 14, 2023, 10:13\u202fPM UTC"


def test_words_without_marks_are_found_in_a_worker_process_too() -> None:
    for words in (languages().of("pl"), languages().of("pl").plain):
        assert pickle.loads(pickle.dumps(words)).is_plain is words.is_plain  # noqa: S301


@pytest.mark.parametrize("package", ["presentation", "web"])
def test_a_package_loads_without_the_library_of_discord(package: str) -> None:
    program = (
        "import importlib, pkgutil, sys\n"
        "sys.modules['discord'] = None\n"
        f"import {package}\n"
        f"for module in pkgutil.walk_packages({package}.__path__, '{package}.'):\n"
        "    importlib.import_module(module.name)\n"
        "print(len(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stderr
