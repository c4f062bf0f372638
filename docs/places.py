"""Shows each message in its place: `python -m docs.places FOLDER` writes a file for each language.

The tests that open panels and pages are run once, in English. What they are sent is noted, with each sentence in it
that was not seen before, and told again in every language.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TextIO

import pytest
from aiohttp import web

from bot.markup import DISCORD
from presentation.words.words import SOURCE, Words, languages
from tests.presentation.words.test_words import keys_of, refused, sentences, spoken, templates, texts

TESTS: Final = "tests/bot", "tests/web"
SHOWN: Final = {
    "content": "{}",
    "label": "[{}]",
    "placeholder": "({})",
    "description": "– {}",
    "title": "# {}",
    "name": "{}",
    "text": "{}",
}
"""How the fields of Discord's messages and forms are written that players see."""

SPOKEN: Final = {"alt", "aria-label", "content", "placeholder", "title"}
"""Attributes of a page that are read or read aloud."""

MANY_LINES: Final = 40
"""Of a longer text only the lines with sentences are shown."""

MANY_TEXTS: Final = 8
"""Of the texts that a sentence had with its details, the last ones are looked for."""

Part = str | list[Any]
"""Text as it is, or a sentence: its key, its details, each a list of parts or a number, and how it was said."""


class Notes:
    """Places that the tests of one process showed, each with a sentence that none before it had."""

    def __init__(self, file: TextIO) -> None:
        self.file = file
        self.test = ""
        self._said: dict[str, tuple[str, Mapping[str, Any], str]] = {}
        self._waiting: defaultdict[str, deque[str]] = defaultdict(lambda: deque(maxlen=MANY_TEXTS))
        self._found: set[str] = set()

    def begin(self, test: str) -> None:
        """Begins a test, which says its own sentences; what an earlier one said may be kept by the program."""
        self.test = test
        self._said.clear()

    def say(self, words: Words, how: str, text: str, key: str, details: Mapping[str, Any]) -> None:
        """Notes a sentence in English."""
        if words.tag == SOURCE and text.strip():
            self._said[text] = key, dict(details), f"{how} plain" if words.is_plain else how
            if key not in self._found:
                self._waiting[key].append(text)

    def send(self, where: str, lines: list[tuple[str, str]]) -> None:
        """Notes what was sent, each line with its form, if a sentence in it was not found before."""
        everything = "\n".join(text for _, text in lines)
        new = {key for key, texts in self._waiting.items() if any(_is_in(text, everything) for text in texts)}
        if new:
            self._found |= new
            for key in new:
                del self._waiting[key]
            told = [[form, self._parts(text)] for form, text in lines if text.strip()]
            place = {"test": self.test, "where": where, "keys": sorted(new), "lines": told}
            print(json.dumps(place), file=self.file, flush=True)

    def _parts(self, text: str, outer: str = "") -> list[Part]:
        """Returns a text taken apart into the sentences in it, but for the `outer` one, the longest first."""
        inside = [each for each in self._said if each != outer and _is_in(each, text)]
        if not inside:
            return [text] if text else []
        longest = max(inside, key=len)
        before, _, after = text.partition(longest)
        key, details, how = self._said[longest]
        given = {
            name: self._parts(value, longest) if isinstance(value, str) else value for name, value in details.items()
        }
        return [*self._parts(before, outer), [key, given, how], *self._parts(after, outer)]


def _is_in(text: str, everything: str) -> bool:
    return text in everything and re.search(rf"(?<!\w){re.escape(text)}(?!\w)", everything) is not None


class Page(HTMLParser):
    """The lines of a page: its text, its spoken attributes, and the words that its scripts are given."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.lines: list[tuple[str, str]] = []
        self._tag = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._tag = tag
        for name, value in attrs:
            if name in SPOKEN and value:
                self.lines.append((f"({name}) {{}}", value))
            elif value and value.startswith(("{", "[")):
                self.lines += json_lines(value)

    def handle_data(self, data: str) -> None:
        if self._tag == "script":
            self.lines += json_lines(data)
        elif self._tag != "style" and data.strip():
            self.lines.append(("{}", " ".join(data.split())))


def json_lines(text: str) -> list[tuple[str, str]]:
    """Returns every string of a JSON text; none of another text."""

    def strings(value: Any) -> Iterator[tuple[str, str]]:
        match value:
            case str():
                yield "{}", value
            case list():
                for each in value:
                    yield from strings(each)
            case dict():
                for each in value.values():
                    yield from strings(each)

    try:
        return list(strings(json.loads(text)))
    except ValueError:
        return []


def message_lines(value: Any) -> Iterator[tuple[str, str]]:
    """Yields what players see of a message, a form or a list of choices."""
    if isinstance(value, list):
        for each in value:
            yield from message_lines(each)
    elif isinstance(value, dict):
        for name, each in value.items():
            if isinstance(each, str) and name in SHOWN:
                yield SHOWN[name], each
            else:
                yield from message_lines(each)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--places", metavar="FOLDER", help="note each message with its place in a folder")


def pytest_configure(config: pytest.Config) -> None:
    """Lets every sentence, and everything that is sent, pass by the notes."""
    if getattr(config, "workerinput", None) is None and config.getoption("numprocesses", None):
        return
    worker = getattr(config, "workerinput", {"workerid": "alone"})["workerid"]
    file = (Path(config.getoption("places")) / f"{worker}.jsonl").open("w", encoding="utf-8")
    notes, patch = Notes(file), pytest.MonkeyPatch()
    fill, template = Words._fill, Words.template
    answer, tell = web.Response.__init__, web.WebSocketResponse.send_str

    def filled(words: Words, key: str, quotes: Any, details: Mapping[str, Any]) -> str:
        text = fill(words, key, quotes, details)
        notes.say(words, "said" if any(quotes) else "emphasised", text, key, details)
        return text

    def templated(words: Words, key: str) -> str:
        text = template(words, key)
        notes.say(words, "template", text, key, {})
        return text

    def read(data: bytes) -> Any:
        found = parse(data)
        notes.send("Discord", list(message_lines(found)))
        return found

    def answered(response: web.Response, *given: Any, **named: Any) -> None:
        answer(response, *given, **named)
        body = response.body if isinstance(response.body, bytes) else b""
        text = (gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body).decode(errors="ignore")
        notes.send("page", Page(text).lines if response.content_type == "text/html" else json_lines(text))

    async def told(socket: web.WebSocketResponse, data: str, *given: Any, **named: Any) -> None:
        notes.send("page, live", json_lines(data))
        await tell(socket, data, *given, **named)

    from loopback.rest import router

    parse = router._parse_json
    for owner, name, double in (
        *((Words, "_fill", filled), (Words, "template", templated), (router, "_parse_json", read)),
        *((web.Response, "__init__", answered), (web.WebSocketResponse, "send_str", told)),
    ):
        patch.setattr(owner, name, double)
    config.stash[_notes] = notes
    config.add_cleanup(patch.undo)
    config.add_cleanup(file.close)


_notes: Final = pytest.StashKey[Notes]()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    item.config.stash[_notes].begin(item.nodeid)


def tell(parts: Any, words: Words) -> str:
    """Returns a text in a language."""
    if not isinstance(parts, list):
        return str(parts)
    told = ""
    for part in parts:
        if isinstance(part, str):
            told += part
        else:
            key, details, how = part
            said = words.plain if how.endswith("plain") else words
            given = {name: value if isinstance(value, int) else tell(value, words) for name, value in details.items()}
            if how.startswith("template"):
                told += said.template(key)
            else:
                told += (said.emphasise if how.startswith("emphasised") else said)(key, **given)
    return told


def keys_in(parts: Any) -> Iterator[str]:
    """Yields the keys of all sentences in a text."""
    for part in parts if isinstance(parts, list) else ():
        if isinstance(part, list):
            yield part[0]
            for value in part[1].values():
                yield from keys_in(value)


def write(places: list[dict[str, Any]], words: Words) -> str:
    """Returns what is read of a language."""
    entries = {key: " | ".join(texts(message)) for key, message in sentences(words.tag).items()}
    missing, lines = dict(entries), []
    for place in places:
        new = [key for key in place["keys"] if missing.pop(key, None) is not None]
        if new:
            told = place["lines"]
            shown = [each for each in told if len(told) <= MANY_LINES or not set(new).isdisjoint(keys_in(each[1]))]
            lines += ["", f"=== {place['where']} · {place['test']}", ""]
            lines += [form.format(tell(parts, words)) for form, parts in shown]
            lines += ["", *(f"    {key}: {entries[key]}" for key in new)]
    lines += ["", f"=== In no place: {len(missing)} of {len(entries)}", ""]
    used = uses()
    return "\n".join((*lines, *(f"    {key} ({', '.join(used[key])}): {text}" for key, text in missing.items()), ""))


def uses() -> defaultdict[str, list[str]]:
    """Returns the places in the code that say each sentence."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for call in (*spoken(), *templates(), *refused()):
        for key in keys_of(call.pattern):
            found[key].append(call.place)
    return found


def main(folder: Path) -> None:
    """Runs the tests and writes the files."""
    with TemporaryDirectory() as notes:
        options = ["--quick", "-n", "logical", "--dist", "loadfile", "-q", "-p", "docs.places", "--places", notes]
        pytest.main([*options, *TESTS])
        places = read(Path(notes))
    for words in languages().speaking(DISCORD):
        (folder / f"{words.tag}.txt").write_text(write(places, words), "utf-8")


def read(notes: Path) -> list[dict[str, Any]]:
    """Returns the places that all processes noted, in the order of the tests."""
    lines = (line for path in sorted(notes.iterdir()) for line in path.read_text("utf-8").splitlines())
    places: list[dict[str, Any]] = [json.loads(line) for line in lines]
    return sorted(places, key=lambda place: str(place["test"]))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
