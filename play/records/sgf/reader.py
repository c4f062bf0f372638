"""From SGF to Record.

A file is encoded as its first bytes or its CA say, or else in the character set in which its words are likeliest. A
byte of a Japanese, Chinese or Korean letter may be that of a bracket or a backslash, so a file is decoded before it
is cut into tokens.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field, replace
from itertools import pairwise, product
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote_to_bytes

from play.records.record import GROUNDING, MAX_RECORD_BYTES, BadRecord, Chain, Close, Dot, Record
from play.records.sgf import private
from play.records.sgf.grammar import LETTERS, MAX_LINE, Node, each, header, main_line, point_of, text
from rules.game import Point, Seat, point_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""The character sets by the mark at the start of a file. That of UTF-32 begins with one of UTF-16."""

FAMILIES = ("utf-8", "iso8859", "iso2022", "cp", "koi8", "mac", "kz1048", "ptcp", "shift", "euc", "gb", "hz", "big5")
"""How Python's names of the character sets begin that CA may name: those in which brackets are bytes of ASCII."""

WIDER = {"iso8859-1": "cp1252", "shift_jis": "cp932", "gb2312": "gb18030", "gbk": "gb18030", "euc_kr": "cp949"}
"""What programs write under the name of a smaller character set: https://encoding.spec.whatwg.org/#names-and-labels."""

SAMPLE_BYTES = 2_000
"""So much from the first letter beyond ASCII on is looked at where a file says nothing."""

_NAMED = re.compile(rb"(?<![A-Za-z])CA\s*+\[\s*+([\w.:-]{1,40}+)\s*+\]")
_WORD = re.compile(r"[^\W\d_]+")

_CYRILLIC = "оаеинтсрвлкмдпуяьзбгчйжшюхыіцщэфєёїґўъ"
"""From the most frequent letter of Russian and Ukrainian to the rarest."""

_POLISH, _CZECH, _WESTERN = "łóęąśżńćź", "íáéřščžýůěúťňóďôöäüőűľ", "éüöäèñßáóíåøçæêúëàâîïôœùûÿãõ"
_OF_OTHERS = re.compile(r"ń[aeiouyąęó]|[aeou]ą|ñ(?![aeiouáéíóú])|ř[bcdfghklmnprstvz]|^ř$|č[bcdfglmprsvz]")
"""Where letters don't stand in their own language, but one of the same byte in another: ń for ñ, ą for š, ř for ø."""

_FREQUENT = (("gb2312", 0xB0, 0xD7), ("big5", 0xA4, 0xC6), ("shift_jis", 0x88, 0x97))
"""The first bytes of frequent ideographs, which come before the rare ones."""

_PUNCTUATION = "„”“‘’–—«»№…\xa0"

DOTS = "40"

CLOSING_WORDS = (*GROUNDING, "resign", "time", "draw", "interrupt")
"""The words that dots-game and KataGo for Dots write as a last move without a dot."""

_SIZE = re.compile(r"([0-9]{1,2})(?::([0-9]{1,2}))?")
_SECONDS = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?")


class Likelihood(NamedTuple):
    """A character set with the letters beyond ASCII that its words are made of; none for those of East Asia."""

    codec: str
    letters: str


LIKELIHOODS = (
    *(Likelihood(codec, _CYRILLIC) for codec in ("cp1251", "koi8-u", "cp866")),
    *(Likelihood(codec, letters) for letters in (_POLISH, _CZECH) for codec in ("cp1250", "iso8859-2")),
    Likelihood("cp1252", _WESTERN),
    *(Likelihood(codec, "") for codec in ("cp932", "gb18030", "big5")),
)


def decode(data: bytes) -> str:
    """Returns the text of a file. What its character set does not have becomes U+FFFD."""
    for mark, codec in MARKS.items():
        if data.startswith(mark):
            return data.decode(codec, "replace")
    if b"[" not in data and b"%5B" in data.upper():  # it was part of an address
        data = unquote_to_bytes(data)
    return data.decode(_named(data) or _likeliest(data), "replace")


def _named(data: bytes) -> str:
    """Returns the character set that the first CA names. Empty if there is none, or if it is no known one."""
    try:
        codec = codecs.lookup(match[1].decode("ascii") if (match := _NAMED.search(data)) else "").name
    except LookupError:
        return ""
    return WIDER.get(codec, codec) if codec.startswith(FAMILIES) else ""


def _likeliest(data: bytes) -> str:
    """Returns UTF-8 if that is possible, else the character set whose words surprise least."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        first = next(at for at, byte in enumerate(data) if byte >= 0x80)
        start = data.rfind(b"[", 0, first) + 1
        sample = data[start : start + SAMPLE_BYTES]
        return min(LIKELIHOODS, key=lambda each: _surprise(sample, each)).codec
    return "utf-8"


def _surprise(data: bytes, likelihood: Likelihood) -> float:
    """Returns how unlikely it is that the letters beyond ASCII in `data` are of this character set: about 3 a letter
    where they are."""
    try:
        text = codecs.getincrementaldecoder(likelihood.codec)().decode(data)
    except UnicodeDecodeError:
        return float("inf")
    signs = sum(6 if sign in _PUNCTUATION else 9 for sign in text if not sign.isascii() and not sign.isalpha())
    signs += 6 * text.count("\\")  # which is half of a letter in another set
    return signs + sum(_word_surprise(word, likelihood.letters) for word in _WORD.findall(text) if not word.isascii())


def _word_surprise(word: str, letters: str) -> float:
    """Returns that of a word with letters beyond ASCII."""
    low = word.lower()
    beyond = [letter for letter in low if not letter.isascii()]
    two_scripts = 10.0 * (len(beyond) < len(low))
    if not letters:
        return two_scripts + sum(map(_ideograph_surprise, beyond))
    if letters == _CYRILLIC:
        return _case_surprise(word) + two_scripts + sum(_rank(letter, letters, 1.5, 0.13) for letter in beyond)
    pairs = sum(not a.isascii() and not b.isascii() for a, b in pairwise(low))
    others = len(_OF_OTHERS.findall(low))
    return _case_surprise(word) + 2.0 * (pairs + others) + sum(_rank(letter, letters, 3, 0.05) for letter in beyond)


def _case_surprise(word: str) -> float:
    """Returns that of its capitals: names have one at their beginning."""
    if word.isupper():
        return 1.5 if len(word) > 1 else 0
    if not word[1:].islower() and len(word) > 1:
        return 7
    return 0.7 if word.islower() else 0


def _rank(letter: str, letters: str, first: float, step: float) -> float:
    at = letters.find(letter)
    return first + step * at if at >= 0 else 12


def _ideograph_surprise(letter: str) -> float:
    """Returns that of a letter of two bytes, less if it is a frequent one."""
    if "\u3041" <= letter <= "\u30fa":
        return 6
    for codec, first, last in _FREQUENT:
        code = letter.encode(codec, "ignore")
        if len(code) == 2 and first <= code[0] <= last:
            return 7.5
    return 12


def read(data: bytes) -> Record:
    """Returns the main line of the first game in `data`. It skips comments, variations and unknown properties.

    The first mover is seat 0, whatever their colour. Without moves PL decides, and without PL it is Black. Raises
    BadRecord: `too_long`, `too_many`, `no_sgf`, `no_dots` (another game), `no_size`, `no_point` (a pass, or not two
    letters), `bad_chain` (an enclosure that is not written in points), `erases` (AE), `bad_history`, and for a dot of
    the set-up `off_field`, `occupied`, or `late_set_up` if it comes after the first move.
    """
    if len(data) > MAX_RECORD_BYTES:
        raise BadRecord("too_long", most=MAX_RECORD_BYTES)
    nodes, odd, more_games, cut_off = main_line(decode(data))
    lines = header(nodes)
    if lines.get("GM", [""])[0].strip() != DOTS:
        raise BadRecord("no_dots")
    record = _read_whole(nodes, lines) or _record(nodes, lines, _colours(nodes))[0]
    return replace(record, odd=odd, more_games=more_games, cut_off=cut_off)


def _read_whole(nodes: list[Node], lines: Mapping[str, list[str]]) -> Record | None:
    """Returns the record of a match of this program, with its history. None for any other.

    The heading tells the colour of seat 0: its first turn may be a stop, so that the other's dot comes first.
    """
    colours = private.colours(nodes[0])
    return private.read(*_record(nodes, lines, colours), nodes) if colours else None


def _record(nodes: list[Node], lines: Mapping[str, list[str]], colours: str) -> tuple[Record, list[list[Dot]]]:
    """Returns the record by the public properties, and the dots of each node."""
    width, height = _size(lines)
    reading = Reading(width, height, colours)
    for node in nodes:
        reading.read(node)

    def line(name: str) -> str:
        return text(lines.get(name, [""])[0])[:MAX_LINE]

    record = Record(
        width,
        height,
        stones=tuple(reading.stones),
        moves=tuple(dot for dots in reading.dots for dot in dots),
        players=(line(f"P{colours[0]}"), line(f"P{colours[1]}")),
        result=line("RE"),
        colours=colours,
        rules=line("RU"),
        event=line("EV"),
        round=line("RO"),
        date=line("DT"),
        time=line("TM"),
        overtime=line("OT"),
        application=line("AP"),
        handicap=line("HA"),
        komi=line("KM"),
        remaining=_left(nodes[0], colours),
        pools=reading.pools(),
        close=reading.close,
    )
    return record, reading.dots


def _size(lines: Mapping[str, list[str]]) -> tuple[int, int]:
    match = _SIZE.fullmatch(lines.get("SZ", [""])[0].strip())
    width, height = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not (1 <= width <= len(LETTERS) and 1 <= height <= len(LETTERS)):
        raise BadRecord("no_size", largest=len(LETTERS))
    return width, height


def _colours(nodes: list[Node]) -> str:
    first = next((name for node in nodes for name, _ in each(node, "B", "W")), "")
    if not first:
        first = next((value.strip().upper()[:1] for node in nodes for _, value in each(node, "PL")), "")
    return "WB" if first == "W" else "BW"


def _left(node: Node, colours: str) -> tuple[float | None, float | None]:
    """Returns the times on the clocks in this node, by seat."""
    shown = {name[0]: text(value) for name, value in each(node, "BL", "WL")}
    first, second = (float(shown[colour]) if _SECONDS.fullmatch(shown.get(colour, "")) else None for colour in colours)
    return first, second


@dataclass
class Reading:
    """The content of the nodes read so far: the dots by node, and the chains of TB and TW by colour."""

    width: int
    height: int
    colours: str
    stones: list[Dot] = field(default_factory=list)
    dots: list[list[Dot]] = field(default_factory=list)
    close: Close | None = None
    counted: dict[str, tuple[Chain, ...]] = field(default_factory=dict)
    taken: set[Point] = field(default_factory=set)
    moves: int = 0

    def read(self, node: Node) -> None:
        """Reads a node. Its set-up comes before its moves."""
        for name, value in each(node, "AB", "AW", "AE", "TB", "TW"):
            if name in ("TB", "TW"):
                self._count(name[1], value)
            elif name == "AE":
                raise BadRecord("erases", dot=_source(name, value))
            elif self.moves:
                raise BadRecord("late_set_up", dot=_source(name, value))
            else:
                self.stones += self._stones(name, value)
        dots = [dot for name, value in each(node, "B", "W") if (dot := self._move(name, value))]
        left = _left(node, self.colours) if dots else (None, None)
        for at in {dot.seat: at for at, dot in enumerate(dots)}.values():
            dots[at] = dots[at]._replace(remaining=left[dots[at].seat])
        self.dots.append(dots)

    def pools(self) -> tuple[tuple[Chain, ...], tuple[Chain, ...]] | None:
        """Returns the chains of TB and TW by seat. None if there are neither."""
        first, second = (self.counted.get(colour, ()) for colour in self.colours)
        return (first, second) if self.counted else None

    def _stones(self, name: str, value: str) -> Iterator[Dot]:
        """Yields the dots of a set-up value. A compressed rectangle is read row by row."""
        source = _source(name, value)
        corners = [point_of(corner, self.height) for corner in value.split(":")]
        if None in corners or len(corners) > 2:
            raise BadRecord("no_point", dot=source)
        columns, rows = (sorted(ends) for ends in zip(*filter(None, corners), strict=True))
        if columns[-1] >= self.width or rows[0] < 0:
            raise BadRecord("off_field", dot=source)
        for y, x in product(range(rows[-1], rows[0] - 1, -1), range(columns[0], columns[-1] + 1)):
            point = Point(x, y)
            if point in self.taken:
                raise BadRecord("occupied", dot=source, point=point_name(point))
            self.taken.add(point)
            yield Dot(self._seat(name[1]), point, source)

    def _move(self, name: str, value: str) -> Dot | None:
        """Returns the dot of a move. None for a turn without one, which ends the game."""
        if self.close:
            raise BadRecord("no_point", number=self.moves, dot=_source(self.colours[self.close.seat], self.close.word))
        self.moves += 1
        source = _source(name, value)
        first, *rest = value.split(".")
        point = point_of(first, self.height)
        if point is None:
            word = value.strip().lower()
            if word not in CLOSING_WORDS:
                raise BadRecord("no_point", number=self.moves, dot=source)
            self.close = Close(self._seat(name), word)
            return None
        chains = self._chains(rest)
        if chains is None:
            raise BadRecord("bad_chain", number=self.moves, dot=source)
        return Dot(self._seat(name), point, source, chains)

    def _count(self, colour: str, value: str) -> None:
        """Adds a pool as zagram writes it. It skips what other programs write in TB and TW."""
        chains = self._chains(value.split("."))
        if chains is not None and (not value.strip() or value.strip().startswith(".")):
            self.counted[colour] = (*self.counted.get(colour, ()), *chains)

    def _chains(self, values: list[str]) -> tuple[Chain, ...] | None:
        """Returns the chains, each dot once. None if one of them is not written in points."""
        chains = []
        for value in filter(None, map(str.strip, values)):
            points = [point_of(value[at : at + 2], self.height) for at in range(0, len(value), 2)]
            chain = tuple(point for point in points if point)
            if len(chain) < len(points):
                return None
            chains.append(chain[:-1] if len(chain) > 1 and chain[0] == chain[-1] else chain)
        return tuple(chains)

    def _seat(self, colour: str) -> Seat:
        return Seat(self.colours.index(colour))


def _source(name: str, value: str) -> str:
    """Returns how the record writes a dot, without the chain. Other values are cut short."""
    return f"{name}[{value.split('.', 1)[0].strip()[:12].encode('ascii', 'replace').decode()}]"
