"""Texts and pictures for Discord's directory and the lists of bots: within their limits, in six languages."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

import pytest
from PIL import Image, ImageChops, ImageColor

from bot.cli.application import TAGS
from bot.markup import spoken
from docs.listing import COLUMN, MARK, SLIDE, banner, description, icon, paper, slides, summary
from presentation.words.words import Words
from tests.docs.pages import read_page
from web.pages.front import FEATURES


class Limits(NamedTuple):
    """The most characters of a short description, the fewest of a long one, and the most tags."""

    most: int
    fewest: int
    tags: int


LIMITS = {
    "Discord": Limits(200, 1, 5),
    "Top.gg": Limits(140, 300, 6),
    "Discord Extreme List": Limits(200, 150, 7),
}
"""Sources: https://docs.discord.com/developers (discovery/best-practices, resources/application); issues 46 and 737 of
https://github.com/top-gg/issues; botListing.ts of https://github.com/discordextremelist/website.

Discord Extreme List offers seven tags to choose from.
"""

TAG = 20
"""Characters of a tag at Discord."""
COVER = 1024
"""The width of a picture of 16:9 at Discord, in pixels, at least. Source: /developers/activities/development-guides/
assets-and-metadata of https://docs.discord.com"""
PROFILE = (680, 240)
"""The banner of a profile at Discord, in pixels."""

MARGIN = 60
"""Pixels of paper below the words of a slide."""
SMOOTHED = 2
"""Pixels by which the edge of a letter may be beyond its place."""

in_each_language = pytest.mark.parametrize("words", [*spoken()], ids=lambda words: words.tag)


@cache
def drawn(words: Words) -> dict[str, Image.Image]:
    """Returns the slides of a language by their names."""
    return dict(slides(words))


@in_each_language
@pytest.mark.parametrize("place", LIMITS)
def test_the_texts_are_within_the_limits_of_each_list(words: Words, place: str) -> None:
    limits = LIMITS[place]
    assert 16 <= len(summary(words)) <= limits.most
    assert limits.fewest <= len(description(words)) <= 4000
    assert len(TAGS) <= limits.tags
    assert max(map(len, TAGS)) <= TAG


def test_the_texts_are_in_six_languages() -> None:
    texts = [(summary(words), description(words)) for words in spoken()]
    assert len(texts) == 6
    assert [len(set(each)) for each in zip(*texts, strict=True)] == [6, 6]


@in_each_language
def test_a_long_description_has_no_line_twice_no_placeholder_and_no_address(words: Words) -> None:
    lines = [line for line in description(words).splitlines() if line]
    assert len(set(lines)) == len(lines)
    assert [line for line in lines if re.search(r"[{}<>]|https?:", line)] == []


@in_each_language
def test_a_long_description_says_with_which_commands_to_begin(words: Words) -> None:
    assert re.findall("`(.+)`", description(words)) == [
        f"/{words(f'name.{each}')}" for each in ("challenge", "learn", "help")
    ]


@pytest.mark.sample(6)
@in_each_language
def test_five_slides_have_the_form_of_a_cover(words: Words) -> None:
    assert list(drawn(words)) == ["lead", *FEATURES]
    for slide in drawn(words).values():
        assert slide.size == SLIDE
        assert slide.width * 9 == slide.height * 16
        assert slide.width >= COVER


@pytest.mark.sample(6)
@in_each_language
def test_the_words_of_a_slide_stay_in_their_column(words: Words) -> None:
    below_the_name = (0, 150, COLUMN[1] + 20, SLIDE[1])
    for slide in drawn(words).values():
        changed = ImageChops.difference(slide.crop(below_the_name), paper().crop(below_the_name)).getbbox()
        assert changed is not None, "it says something"
        left, _, right, bottom = changed
        assert left >= COLUMN[0] - SMOOTHED
        assert right <= COLUMN[1] + SMOOTHED
        assert 150 + bottom <= SLIDE[1] - MARGIN


def test_slides_of_two_languages_differ() -> None:
    english, russian = (drawn(spoken().of(tag)) for tag in ("en", "ru"))
    assert [name for name in english if english[name] == russian[name]] == []


def test_the_icon_is_a_large_square_with_the_colours_of_the_mark() -> None:
    assert icon().size == (1024, 1024)
    named = re.findall(r'fill="(#[0-9a-f]{6})"', MARK.read_text("utf-8"))
    colours = {colour for _, colour in icon().getcolors(1 << 20) or ()}
    assert {ImageColor.getrgb(name) for name in named} <= colours
    half = icon().width // 2
    assert icon().getpixel((half, half)) == ImageColor.getrgb(named[-1])


def test_the_banner_has_the_form_of_a_profiles() -> None:
    width, height = banner().size
    assert width * PROFILE[1] == height * PROFILE[0]
    assert width >= PROFILE[0]
    assert len(banner().getcolors(1 << 20) or ()) > 100, "it shows a part of a board"


def test_the_operators_page_names_each_file() -> None:
    page = read_page("docs/operators.md")
    for name in ("summary.txt", "description.md", "tags.txt", "icon.png", "banner.png"):
        assert f"`{name}`" in page
