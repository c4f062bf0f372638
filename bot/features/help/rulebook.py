"""The rules with pictures, a page at a time: the basics of Dots, then what each preset changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import discord

from bot.features.help.diagrams import draw_diagrams
from bot.interactions import custom_ids as ids
from bot.interactions.components import PanelItem
from bot.interactions.context import Context
from bot.interactions.layout import Gallery, Part
from bot.interactions.pictures import picture_file
from bot.interactions.selects import Choice, select
from play.refusal import Reason, Refused
from presentation.terms.terms_text import rules_help
from presentation.words.words import Words
from renderer.theme import PAPER, THEMES
from rules.registry import GAMES

BASICS = {
    "begin": ("capture-before", "capture"),
    "chain": ("capture-large", "gap"),
    "edge": ("edge",),
    "house": ("house", "house-entered"),
    "raid": ("house-raid-before", "house-raid"),
    "freed": ("freed-before", "freed"),
}
"""The rules of every game of Dots: the pages in their order, each with its diagrams."""

GLANCE = "sets"
"""The page with a line for each rule set. It has no pictures."""

PRESET_PAGES = {
    "zagram": ("start-cross", "chain-area"),
    "zagram-territory": ("drawn-quick", "agreed"),
    "szkrab": ("reuse-none",),
    "zagram-no-territory": ("stop-before", "stop-played"),
    "sport": ("chain-length", "landing"),
    "sport-territory": ("painted-offers", "painted"),
    "sport-blitz": ("chain-length",),
    "classic": ("stop-falls", "stop-played"),
    "paper": ("drawn-long", "stop-ground"),
    "german-count": ("everything", "reuse-before", "reuse"),
    "two-squares": ("two-squares-before", "two-squares"),
    "quick": ("quick",),
    "three": ("three-before", "three"),
    "four": ("start-empty",),
    "dot-dash": ("dash-opening", "dash-move"),
    "dot-dash-frozen": ("dash-fives", "dash-frozen"),
    "dot-dash-sacrifice": ("dash-sacrifice-before", "dash-sacrifice"),
}
"""The pages of the presets, each with its diagrams."""


class ContentsSelect(PanelItem, id=ids.CONTENTS):
    """Opens any page by its title."""

    kind = discord.ComponentType.string_select

    async def parts(self, ctx: Context) -> list[Part]:
        return await rulebook_page(ctx, self.item.values[0])


class RulesPageButton(PanelItem, id=ids.RULES_PAGE):
    """Opens the page before or after."""

    page: str

    @classmethod
    def to(cls, page: str, way: str, words: Words) -> Self:
        return cls.make(f"{words(f'rules.{way}')} {title(page, words)}", way=way, page=page)

    async def parts(self, ctx: Context) -> list[Part]:
        return await rulebook_page(ctx, self.page)


async def rulebook_page(ctx: Context, page: str) -> list[Part]:
    """Returns a page. Raises Refused (`no_preset`)."""
    pages = _pages(ctx)
    if page not in pages:
        raise Refused(Reason.NO_PRESET, preset=page)
    words = await ctx.words()
    number = pages.index(page)
    turns = [RulesPageButton.to(pages[number - 1], "back", words)] if number else []
    if number + 1 < len(pages):
        turns.append(RulesPageButton.to(pages[number + 1], "on", words))
    titles = [Choice(each, title(each, words), each == page, _note(each, words)) for each in pages]
    return [
        f"## {title(page, words)}\n{_text(page, pages, words)}",
        *([await pictures(ctx, page)] if page != GLANCE else []),
        [ContentsSelect(select(ids.CONTENTS(), words("rules.contents"), titles))],
        turns,
    ]


def title(page: str, words: Words) -> str:
    return words(f"preset.{page}.name") if page in PRESET_PAGES else words(f"rules.{page}.title")


def _pages(ctx: Context) -> list[str]:
    return [*BASICS, GLANCE, *(key for key in PRESET_PAGES if key in ctx.services.presets)]


def _note(page: str, words: Words) -> str:
    """Returns how a rule set differs from others, for the page about it."""
    return words(f"preset.{page}.line") if page in PRESET_PAGES else ""


def _text(page: str, pages: Sequence[str], words: Words) -> str:
    if page in BASICS:
        return words(f"rules.{page}.text")
    if page == GLANCE:
        return "\n".join(f"- **{title(each, words)}**: {_note(each, words)}" for each in pages if each in PRESET_PAGES)
    options = GAMES[page].options
    lines = [rules_help(GAMES[page], words), "", words("option.size", value=options["size"].replace("x", "×"))]
    if "start" in options:
        lines.append(words(f"option.start.{options['start']}"))
    return "\n".join(lines)


async def pictures(ctx: Context, page: str) -> Gallery:
    """Draws the pictures of a page in the player's language and theme."""
    words, theme = await ctx.words(), THEMES.get((await ctx.settings()).theme, PAPER)
    names = BASICS.get(page) or PRESET_PAGES[page]
    pngs = await ctx.services.jobs.pictures.make(ctx.user, draw_diagrams, names, words, theme)
    return Gallery(
        tuple(picture_file(png, name, words(f"picture.{name}")) for name, png in zip(names, pngs, strict=True))
    )


ITEMS: tuple[type[PanelItem], ...] = (ContentsSelect, RulesPageButton)
