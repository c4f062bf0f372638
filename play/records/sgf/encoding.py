"""How a file is encoded: what its first bytes or its CA say, or else in which character set its words are likeliest.

A byte of a Japanese, Chinese or Korean letter may be that of a bracket or a backslash, so a file is decoded before it
is cut into tokens.
"""

from __future__ import annotations

import codecs
import re
from itertools import pairwise
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

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
