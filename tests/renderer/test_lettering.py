"""The characters of the bundled font."""

from __future__ import annotations

import pytest

from renderer.pen import Weight, covers, font, legible, shortened


@pytest.mark.parametrize("weight", Weight)
def test_every_character_that_is_covered_has_a_shape_of_its_own(weight: Weight) -> None:
    face = font(weight, 40)
    missing = bytes(face.getmask("\U0010ffff"))
    signs = [chr(code) for code in range(0x20, 0x2300) if covers(chr(code))]
    assert len(signs) >= 1200
    assert not [sign for sign in signs if sign.strip() and bytes(face.getmask(sign)) == missing]


@pytest.mark.parametrize(
    "text",
    [
        "Zażółć gęślą jaźń",
        "Съешь ещё этих булок",
        "Їжак ґанок",
        "Ўткир",
        "Әлия Қанат Ұлан Өмір Нұрлан Һүркер Іңкәр",  # Kazakh
        "Җәмилә Үзбәк",  # Tatar
        "Ҷамшед Ӣсо Ӯғул Ҳасан",  # Tajik
        "Ҙур Ҫәскә Ғәлиә Ҡояш",  # Bashkir
        "Ӗҫ Ӑслӑ Ӳкерчӗк",  # Chuvash
        "Ӧнерысь Ӱдыр Ҥ",  # Mari
        "Ӕхсар",  # Ossetian
        "Əli Şəhriyar",  # Azerbaijani
        "Oʻktam Gʻulom",  # Uzbek
        "Ɓala Ɗanjuma Ƙasim",  # Hausa
        "Ngữ",
        "Σίσυφος",
        "№ 7 – “x” …",
    ],
)
def test_the_alphabets_of_the_players_are_covered(text: str) -> None:
    assert covers(text)


@pytest.mark.parametrize("text", ["田", "あ", "🎲", "א", "\n", "\u200b"])
def test_other_signs_are_not_covered(text: str) -> None:
    assert not covers(text)


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Ola", "Ola"),
        ("Ania 🎲✨", "Ania"),
        ("𝓐𝓷𝓲𝓪", "Ania"),
        ("ᴋᴀꜱɪᴀ", "KASIA"),
        ("S\u0301wit", "Świt"),
        ("a\u202eb\nc", "abc"),
        ("田中 Tanaka", "Red"),
        ("★★★", "Red"),
        *((name, name) for name in ("Әлия", "Қанат", "Ұлан", "Өмір", "Җәмилә", "Нұрлан", "Ҷамшед")),
        *((name, "Red") for name in ("გიორგი", "Արամ", "אורי", "أحمد", "สมชาย", "田中")),
        ("", "Red"),
    ],
)
def test_a_name_is_kept_as_far_as_it_can_be_written(name: str, written: str) -> None:
    assert legible(name, "Red") == written


def test_a_text_that_fits_stays_whole() -> None:
    assert shortened("Ola", Weight.BOLD, 20, 200) == "Ola"


def test_a_text_that_does_not_fit_ends_in_an_ellipsis_within_its_width() -> None:
    short = shortened("Kasia Wiśniewska", Weight.BOLD, 20, 100)
    assert short.endswith("…")
    assert "Kasia Wiśniewska".startswith(short[:-1])
    assert font(Weight.BOLD, 20).getlength(short) <= 100


@pytest.mark.parametrize("width", [0, -5, 3])
def test_where_nothing_fits_nothing_is_written(width: int) -> None:
    assert shortened("Kasia", Weight.BOLD, 20, width) == ""
