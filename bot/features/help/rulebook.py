"""The rules, a page at a time: the basics of Dots and each preset with pictures, own rule sets, and those of a game."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Self

import discord

from bot.features.help.diagrams import draw_diagrams
from bot.features.match.button import MatchButton
from bot.interactions import custom_ids as ids
from bot.interactions.components import Component, PanelItem
from bot.interactions.context import Context
from bot.interactions.layout import Choice, Gallery, Part, picture_file, select
from bot.markup import escape
from play.challenge.terms import Terms
from play.ids import MatchId
from play.match.match import Match
from play.refusal import Reason, Refused
from presentation.offered_rules import OfferedRules
from presentation.terms import AGREED, describe_rules, opening_line, option_line, play_out_line, rules_help
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


async def pictures(ctx: Context, page: str) -> discord.File | Gallery:
    """Draws the pictures of a page in the player's language and theme."""
    words, theme = await ctx.words(), THEMES.get((await ctx.settings()).theme, PAPER)
    names = BASICS.get(page) or PRESET_PAGES[page]
    pngs = await ctx.services.jobs.pictures.make(ctx.user, draw_diagrams, names, words, theme)
    drawn = [picture_file(png, name, words(f"picture.{name}")) for name, png in zip(names, pngs, strict=True)]
    return drawn[0] if len(drawn) == 1 else Gallery(tuple(drawn))


async def own_rules_page(ctx: Context, rules: OfferedRules) -> list[Part]:
    """Returns the page, with a button to that of the preset."""
    words, preset = await ctx.words(), rules.game.key
    lines = [f"## {escape(rules.rule_set or rules.name)}"]
    lines += (f"- {line}" for line in describe_rules(rules.game, None, words).values())
    if rules.control is not None:
        lines.append(f"- {words('card.clock', clock=words.control(rules.control))}")
    lines.append(f"-# {rules_help(rules.game, words)}")
    return ["\n".join(lines), await pictures(ctx, preset), [RulesPageButton.to(preset, "on", words)]]


class OpenRules(MatchButton, id=ids.MATCH_RULES):
    """Shows the rules of the match."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await show_game_rules(ctx, self.match)


async def show_game_rules(ctx: Context, match_id: MatchId) -> None:
    """Shows one of its players the rules of a match, with a button to their pictures.

    The interaction is acknowledged. Raises Refused.
    """
    words = await ctx.words()
    match = await ctx.load_match(match_id)
    match.seat_of(ctx.user)
    key = match.game.key
    parts: list[Part] = ["\n".join(_lines(match, words))]
    if key in PRESET_PAGES and key in ctx.services.presets:
        parts.append([RulesPageButton.to(key, "on", words)])
    await ctx.show(parts)


def _lines(match: Match, words: Words) -> Iterator[str]:
    """Yields the lines of the page; an option that departs from the rule set is marked."""
    options, preset = match.game.options, GAMES[match.game.key].options
    yield f"### {words(f'preset.{match.game.key}.name')} · #{match.id}"
    yield words(
        f"preset.{match.game.key}.help",
        size=options["size"].replace("x", "×"),
        start=words(f"start.{options['start']}") if "start" in options else "",
    )
    random_start = options.get("start", "").startswith("random")
    for option, value in options.items():
        if option in preset and (option != "crosses" or random_start):  # the dots themselves are on the board
            line = option_line(option, value, words)
            yield f"- {line}" if value == preset[option] else f"- ✏️ **{line}**"
    if match.game.opening is not None:
        yield f"- {opening_line(match.game.opening, words)}"
    yield f"- {words('card.clock', clock=words.control(match.clock.control))}"
    for agreed in AGREED:
        if getattr(match.agreement, agreed):
            yield f"- {words(f'agreed.{agreed}')}"
    if options.get("ending") == "play-out" and match.clock.deadline is not None:
        control, agreement = match.clock.control, match.agreement
        agreement = replace(agreement, play_out=agreement.time_to_play_out(control))
        yield f"- {play_out_line(Terms(match.game, control, agreement=agreement), words)}"


BUTTONS: tuple[type[Component], ...] = (ContentsSelect, RulesPageButton, OpenRules)
