"""The rules with pictures, a page at a time: how Dots is played, then what each preset does otherwise."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any, Self

import discord

from bot.features.help.diagrams import drawn
from bot.interactions import panels
from bot.interactions.buttons import MAX_LABEL
from bot.interactions.context import Context
from bot.interactions.layout import Gallery, Part
from bot.interactions.selects import Choice, select
from play.refusal import Reason, Refused
from renderer.theme import PAPER, THEMES
from rules.registry import GAMES

if TYPE_CHECKING:
    from bot.i18n.words import Words

LESSONS = {
    "begin": ("capture-before", "capture"),
    "chain": ("capture-large", "gap"),
    "edge": ("edge",),
    "house": ("house", "house-entered"),
    "raid": ("house-raid-before", "house-raid"),
    "freed": ("freed-before", "freed"),
}
"""What is true of every game of Dots: the pages in their order, each with its diagrams."""

PRESETS = {
    "zagram": ("start-cross", "chain-area"),
    "zagram-territory": ("drawn-quick", "drawn-long"),
    "zagram-no-territory": ("stop-before", "stop-played"),
    "sport": ("chain-length", "landing"),
    "sport-territory": ("painted-offers", "painted"),
    "sport-blitz": ("chain-length",),
    "classic": ("stop-falls", "stop-played"),
    "paper": ("drawn-long", "stop-ground"),
    "two-squares": ("two-squares-before", "two-squares"),
    "quick": ("quick",),
    "three": ("three-before", "three"),
    "four": ("start-empty",),
    "dot-dash": ("dash-opening", "dash-move"),
    "dot-dash-frozen": ("dash-fives", "dash-frozen"),
    "dot-dash-sacrifice": ("dash-sacrifice-before", "dash-sacrifice"),
}
"""The pages of the presets, each with its diagrams."""


class Contents(panels.PanelItem, template=r"rules:contents"):
    """Every page by its title."""

    @classmethod
    def kind(cls, custom_id: str) -> discord.ComponentType:
        return discord.ComponentType.string_select

    async def parts(self, ctx: Context) -> list[Part]:
        return await rulebook_page(ctx, self.item.values[0])


class Turn(panels.PanelItem, template=r"rules:(?:back|on):(?P<page>[a-z-]{1,40})"):
    """Turns to the page before or after."""

    @classmethod
    def to(cls, page: str, way: str, words: Words) -> Self:
        label = f"{words(f'rules.{way}')} {title(page, words)}"
        return cls(discord.ui.Button(label=label[:MAX_LABEL], custom_id=f"rules:{way}:{page}"))

    async def parts(self, ctx: Context) -> list[Part]:
        return await rulebook_page(ctx, self.custom_id.rpartition(":")[2])


async def rulebook_page(ctx: Context, page: str) -> list[Part]:
    """A page. Raises Refused (`no_preset`)."""
    pages = _pages(ctx)
    if page not in pages:
        raise Refused(Reason.NO_PRESET, preset=page)
    words = await ctx.words()
    number = pages.index(page)
    turns = [Turn.to(pages[number - 1], "back", words)] if number else []
    if number + 1 < len(pages):
        turns.append(Turn.to(pages[number + 1], "on", words))
    contents = [Choice(each, title(each, words), each == page) for each in pages]
    return [
        f"## {title(page, words)}\n{_text(page, words)}",
        await pictures(ctx, page),
        [Contents(select("rules:contents", words("rules.contents"), contents))],
        turns,
    ]


def title(page: str, words: Words) -> str:
    return words(f"rules.{page}.title") if page in LESSONS else words(f"preset.{page}.name")


def _pages(ctx: Context) -> list[str]:
    return [*LESSONS, *(key for key in PRESETS if key in ctx.services.presets)]


def _text(page: str, words: Words) -> str:
    if page in LESSONS:
        return words(f"rules.{page}.text")
    options = GAMES[page].options
    lines = [words(f"preset.{page}.help"), "", words("option.size", value=options["size"].replace("x", "×"))]
    if "start" in options:
        lines.append(words(f"option.start.{options['start']}"))
    return "\n".join(lines)


async def pictures(ctx: Context, page: str) -> Gallery:
    """Those of a page, with the person's words in his theme."""
    words = await ctx.words()
    async with ctx.services.store.read() as reader:
        theme = (await reader.people.get(ctx.user)).theme
    ctx.services, user, shown = ctx.services, ctx.user, LESSONS.get(page) or PRESETS[page]
    pngs = await ctx.services.jobs.pictures.make(user, drawn, shown, words, THEMES.get(theme, PAPER))
    files = (
        discord.File(BytesIO(png), f"{name}.png", description=words(f"picture.{name}"))
        for name, png in zip(shown, pngs, strict=True)
    )
    return Gallery(tuple(files))


ITEMS: tuple[type[discord.ui.DynamicItem[Any]], ...] = (Contents, Turn)
