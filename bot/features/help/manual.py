"""The help panel: how to play, then every command with what it does, by what it is for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Self

import discord
from discord import app_commands

from bot.features.challenges.default_terms import FIRST
from bot.features.help import rulebook
from bot.features.help.lesson import Step
from bot.interactions.context import Context
from bot.interactions.layout import Part
from bot.interactions.panels import PanelItem

if TYPE_CHECKING:
    from bot.i18n.words import Words

Command = app_commands.Command[Any, Any, Any]

PURPOSES = {
    "begin": ("challenge", "games", "learn", "rules", "help"),
    "play": ("move", "board", "clock", "hint", "if", "stop", "resign"),
    "settle": ("draw", "takeback", "pause", "abort", "rematch", "vacation", "continue"),
    "look_back": ("profile", "history", "versus", "replay", "review", "export", "import", "puzzle"),
    "compete": ("leaderboard", "ladder", "tournament"),
    "set": ("settings", "privacy", "moderate"),
}
"""What commands are for, in the order of the panel. Any other command comes at its end, so that none is forgotten."""

MAX_TEXT = 2000
"""Characters of a page: half of what Discord allows, and about what one reads."""


class Page(PanelItem, template=r"help:(?P<page>\d{1,2})"):
    """Turns to a page."""

    @classmethod
    def to(cls, page: int, label: str) -> Self:
        return cls(discord.ui.Button(label=label, custom_id=f"help:{page}"))

    async def parts(self, ctx: Context) -> list[Part]:
        return await manual_page(ctx, int(self.custom_id.rpartition(":")[2]))


async def manual_page(ctx: Context, number: int) -> list[Part]:
    """A page: 0 tells how to play, those after it the commands. Beyond the last one it is the last."""
    words = await ctx.words()
    if number == 0:
        return await _how_to_play(ctx, words)
    ids = await ctx.services.command_ids()
    pages = list(paged(sections(leaves(ctx.services.command_tree), ctx.services.languages.keys, ids, words)))
    number = min(number, len(pages))
    turns = [Page.to(number - 1, words("button.back"))]
    if number < len(pages):
        turns.append(Page.to(number + 1, words("help.more")))
    return [pages[number - 1], turns]


async def _how_to_play(ctx: Context, words: Words) -> list[Part]:
    options = FIRST.game.options
    size, start = options["size"].replace("x", "×"), words(f"start.{options['start']}")
    text = words("help", size=size, start=start, clock=words.control(FIRST.control))
    first, second, *_ = rulebook.LESSONS
    buttons = (Step(0, words("help.lesson")), rulebook.Turn.to(second, "on", words), Page.to(1, words("help.commands")))
    return [text, await rulebook.pictures(ctx, first), buttons]


def leaves(tree: app_commands.CommandTree[Any]) -> list[Command]:
    """Everything that can be sent: of a group its subcommands."""
    return [command for command in tree.walk_commands() if isinstance(command, app_commands.Command)]


def sections(
    commands: Iterable[Command], keys: Mapping[str, str], ids: Mapping[str, int], words: Words
) -> Iterator[str]:
    """The commands by purpose, each with its description. `keys` has that of each English sentence; a command whose
    id is known can be clicked."""
    left = {command.qualified_name: command for command in commands}
    for purpose, roots in PURPOSES.items():
        named = [name for root in roots for name in left if name.split()[0] == root]
        found = [left.pop(name) for name in named]
        if found:
            yield _section(purpose, found, keys, ids, words)
    if left:
        yield _section("other", left.values(), keys, ids, words)


def _section(
    purpose: str, commands: Iterable[Command], keys: Mapping[str, str], ids: Mapping[str, int], words: Words
) -> str:
    lines = [f"### {words(f'help.purpose.{purpose}')}"]
    for command in commands:
        name = command.qualified_name
        known = ids.get(name.split()[0])
        shown = f"</{name}:{known}>" if known else f"`/{name}`"
        lines.append(f"- {shown}: {words(keys[command.description])}")
    return "\n".join(lines)


def paged(sections: Iterable[str]) -> Iterator[str]:
    """As many sections on a page as it holds."""
    page = ""
    for section in sections:
        if page and len(page) + len(section) > MAX_TEXT:
            yield page
            page = ""
        page += f"\n{section}" if page else section
    yield page


BUTTONS: tuple[type[discord.ui.DynamicItem[Any]], ...] = (Page,)
