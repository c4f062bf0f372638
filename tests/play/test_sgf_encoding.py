"""The character sets of records."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from play.records.sgf import read
from play.records.sgf.reader import decode


def names(named: str, *players: str, used: str = "") -> tuple[str, ...]:
    """Returns the players of a record in a character set that its CA names, or in the one that is `used`."""
    ca = f"CA[{named}]" if named else ""
    record = read(f"(;GM[40]SZ[9]{ca}PB[{players[0]}]PW[{players[1]}];B[ee];W[ed])".encode(used or named))
    assert len(record.moves) == 2
    return record.players


@pytest.mark.parametrize(
    ("charset", "name"),
    [
        ("UTF-8", "Łoś 成功"),
        ("koi8-r", "Аня"),
        ("windows-1250", "Zażółć"),
        ("ISO-8859-2", "Łoś"),
        ("IBM866", "Аня"),
        ("latin-1", "Zoë"),
        ("Shift_JIS", "ソ"),  # the second byte of these is a backslash
        ("Big5", "成功"),
        ("GB18030", "許功蓋"),
        ("EUC-KR", "김철수"),
    ],
)
def test_a_record_is_read_in_the_character_set_that_it_names(charset: str, name: str) -> None:
    assert names(charset, name, "x") == (name, "x")


@pytest.mark.parametrize(
    ("named", "used", "name"),
    [
        ("GB2312", "gb18030", "許功蓋"),
        ("EUC-KR", "cp949", "뷁"),
        ("Shift_JIS", "cp932", "髙"),
        ("latin-1", "cp1252", "Ž"),
    ],
)
def test_a_small_character_set_is_read_as_the_wider_one_that_programs_write(named: str, used: str, name: str) -> None:
    assert names(named, name, "x", used=used) == (name, "x")


@pytest.mark.parametrize(
    "named", ["no such set", "hex", "base64", "idna", "punycode", "unicode_escape", "utf-16", " ", "é"]
)
def test_what_names_no_character_set_of_files_is_passed_over(named: str) -> None:
    assert decode(f"(;CA[{named}]PB[Jürgen])".encode("cp1252")).endswith("PB[Jürgen])")


def test_a_named_character_set_is_believed() -> None:
    assert decode("(;CA[koi8-r]PB[Оля])".encode()) == "(;CA[koi8-r]PB[п·п╩я▐])"


def test_what_a_character_set_has_not_does_not_stop_the_rest() -> None:
    assert decode(b"(;CA[UTF-8]PB[\xc3(]W[ee])") == "(;CA[UTF-8]PB[\ufffd(]W[ee])"


@pytest.mark.parametrize("charset", ["utf-8-sig", "utf-16", "utf-16-be", "utf-32"])
def test_the_mark_at_the_start_of_a_file_tells_its_character_set(charset: str) -> None:
    mark = "\ufeff" if charset == "utf-16-be" else ""
    assert decode(f"{mark}(;CA[koi8-r]PB[Łoś Оля])".encode(charset)) == "(;CA[koi8-r]PB[Łoś Оля])"


@pytest.mark.parametrize("safe", ["", "()*!~", "();/?:@&=+$,#"], ids=["all", "of a part", "of an address"])
def test_a_record_that_was_part_of_an_address_is_read(safe: str) -> None:
    record = "(;GM[40]PB[Оля]RE[B+3];B[ee])"
    assert decode(quote(record, safe=safe).encode()) == record


@pytest.mark.parametrize(
    ("charset", "players"),
    [
        ("utf-8", ("Оля", "Paweł")),
        ("ascii", ("Ann", "Bob")),
        *((charset, ("Paweł", "Łukasz")) for charset in ("cp1250", "iso8859-2")),
        *((charset, ("Gołąb", "Bob")) for charset in ("cp1250", "iso8859-2")),
        *((charset, ("Kamiński", "Bob")) for charset in ("cp1250", "iso8859-2")),
        *((charset, ("Jiří", "Šárka Růžička")) for charset in ("cp1250", "iso8859-2")),
        *((charset, ("Оля", "Vasya_99")) for charset in ("cp1251", "koi8-r", "cp866")),
        *((charset, ("Мастер", "ВАСЯ")) for charset in ("cp1251", "koi8-r", "cp866")),
        *((charset, ("хитрый лис", "Щукин")) for charset in ("cp1251", "koi8-r", "cp866")),
        *((charset, ("Їжак", "Євген")) for charset in ("cp1251", "koi8-u")),
        ("cp1251", ("Її Ґанок", "Bob")),
        ("cp1251", ("Ўладзімір", "Bob")),
        ("latin-1", ("Zoë", "José Ñáñez")),
        ("latin-1", ("Ø", "Bob")),
        ("cp1252", ("Jürgen Groß", "Søren")),
        ("cp932", ("田中", "さくら")),
        ("gb18030", ("王小明", "张伟")),
        ("big5", ("許功蓋", "Bob")),
    ],
)
def test_without_a_named_character_set_that_in_which_the_names_are_likeliest_is_found(
    charset: str, players: tuple[str, str]
) -> None:
    assert names("", *players, used=charset) == players


def test_a_few_letters_far_into_a_file_tell_its_character_set() -> None:
    record = f"(;GM[40]C[{'x' * 20_000}]PB[Łukasz];B[ee]C[{'Paweł ' * 5000}])"
    assert decode(record.encode("iso8859-2")) == record
