"""`/help` and `/rules`: how to play for a newcomer, commands by purpose for a player, and the way into the rulebook."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import discord
from discord import app_commands

from bot.features.help import rulebook
from bot.features.help.rulebook import BASICS, GLANCE, own_rules_page, rulebook_page
from bot.features.terms.offered_rules import find_rules, suggest_rules
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.commands import FOR_MANAGERS, ON_SERVERS, Command
from bot.interactions.components import PanelItem
from bot.interactions.context import Context
from bot.interactions.layout import Choice, Control, Part, button, select
from bot.request import is_user_install
from presentation.words.words import Words

Sendable = app_commands.Command[Any, Any, Any]

PURPOSES = {
    "begin": ("play", "challenge", "games", "launch", "rematch", "continue"),
    "play": ("move", "board", "hint", "if", "clock"),
    "settle": ("draw", "stop", "resign", "takeback", "pause", "abort", "vacation"),
    "practise": ("learn", "rules", "puzzle", "review", "help"),
    "look_back": ("profile", "history", "versus", "replay", "import", "export"),
    "compete": ("leaderboard", "ladder", "league", "tournament"),
    "as_server": ("vote", "predict", "team"),
    "set": ("settings", "link", "privacy", "about", "feedback"),
}
"""The commands by what a player wants to do. Any other command comes after them, so that none is missing."""

MANAGING = {
    "manage": ("settings", "league", "vote", "team"),
    "host": ("tournament", "ladder"),
    "moderate": ("moderate",),
}
"""Those for managers, by the permission that they need."""

OTHER = "other"


class Section(NamedTuple):
    """The commands for one purpose."""

    purpose: str
    commands: list[Sendable]
    for_managers: bool

    def text(self, keys: Mapping[str, str], words: Words) -> str:
        """Returns each command with its description. `keys` has the key of each English sentence."""
        lines = (f"- {words.command(each.qualified_name)}: {words(keys[each.description])}" for each in self.commands)
        return "\n".join([f"### {self.title(words)}", *lines])

    def title(self, words: Words) -> str:
        return words(f"help.purpose.{self.purpose}")


class ManualPageButton(PanelItem, id=ids.MANUAL):
    """Turns to a page."""

    page: int

    async def parts(self, ctx: Context) -> list[Part]:
        return await _basics(ctx) if self.page == 0 else await _purpose_page(ctx, self.page)


class PurposeSelect(PanelItem, id=ids.PURPOSES):
    """Shows the commands for a purpose."""

    kind = discord.ComponentType.string_select

    async def parts(self, ctx: Context) -> list[Part]:
        purposes = [each.purpose for each in _sections_for(ctx)]
        chosen = self.item.values[0]
        return await _purpose_page(ctx, purposes.index(chosen) + 1 if chosen in purposes else 1)


async def _basics(ctx: Context) -> list[Part]:
    """Returns what a newcomer needs: four lines, a picture, the lessons, and the way to all commands."""
    words, in_browser = await ctx.words(), ctx.services.web_links is not None
    is_alone = ctx.guild is None and not is_user_install(ctx.interaction)
    lines = [
        words("help.dots"),
        words("help.start_alone" if is_alone else "help.start"),
        words("help.move_board" if in_browser else "help.move"),
        words("help.practise"),
    ]
    buttons: list[Control] = [
        button(ids.PATH(chapter=0), words("help.lesson"), discord.ButtonStyle.primary),
        ManualPageButton.make(words("help.commands"), page=1),
        *_to_managers(_sections_for(ctx), words),
    ]
    if ctx.services.web_links is not None:
        buttons.append(discord.ui.Button[Any](label=words("web.help.title"), url=ctx.services.web_links.guides))
    return ["\n".join(lines), await rulebook.pictures(ctx, next(iter(BASICS))), buttons]


async def _purpose_page(ctx: Context, number: int) -> list[Part]:
    """Returns the commands for a purpose, from 1 on, and the way to other purposes; beyond the last, those for it."""
    words, found = await ctx.words(), _sections_for(ctx)
    section = found[min(number, len(found)) - 1]
    parts: list[Part] = [section.text(ctx.services.languages.keys, words)]
    if section.for_managers and permissions.manages_server(ctx):
        parts.insert(0, words("help.managers"))
    alike = [each for each in found if each.for_managers == section.for_managers]
    choices = [Choice(each.purpose, each.title(words), each is section) for each in alike]
    parts.append([PurposeSelect(select(ids.PURPOSES(), words("help.purposes"), choices))])
    basics = ManualPageButton.make(words("help.basics"), page=0)
    others = [ManualPageButton.make(words("help.commands"), page=1)] if section.for_managers else []
    return [*parts, [basics, *(others or _to_managers(found, words))]]


def _to_managers(found: Sequence[Section], words: Words) -> list[ManualPageButton]:
    """Returns the button to the commands of managers, if there are any among these."""
    first = next((number for number, each in enumerate(found, 1) if each.for_managers), None)
    return [] if first is None else [ManualPageButton.make(words("help.for_managers"), page=first)]


def _sections_for(ctx: Context) -> list[Section]:
    """Returns the commands that work where the reader is, those of managers only for who may use some of them."""
    on_server = permissions.installed_guild(ctx) is not None
    commands = leaves(ctx.interaction.client.tree)
    if not on_server:
        commands = [each for each in commands if (each.root_parent or each).allowed_contexts != ON_SERVERS]
    if not (on_server and permissions.may_host(ctx)):
        commands = [each for each in commands if not each.extras.get(FOR_MANAGERS)]
    return sections(commands)


def leaves(tree: app_commands.CommandTree[Any]) -> list[Sendable]:
    """Returns every command that users can send: of a group its subcommands."""
    return [command for command in tree.walk_commands() if isinstance(command, app_commands.Command)]


def sections(commands: Iterable[Sendable]) -> list[Section]:
    """Returns the commands by purpose, last those for managers."""
    found, left = [], {each.qualified_name: each for each in commands}
    for purposes, for_managers in ((PURPOSES, False), (MANAGING, True)):
        fitting = {name: each for name, each in left.items() if bool(each.extras.get(FOR_MANAGERS)) is for_managers}
        for purpose, roots in purposes.items():
            named = [name for root in roots for name in fitting if name.split()[0] == root]
            found.append(Section(purpose, [fitting.pop(name) for name in named], for_managers))
        found.append(Section(OTHER, list(fitting.values()), for_managers))
    return [section for section in found if section.commands]


BUTTONS: tuple[type[PanelItem], ...] = (ManualPageButton, PurposeSelect)


async def rules(ctx: Context, rules: str | None = None) -> None:
    await ctx.show(await _rules_page(ctx, rules or next(iter(BASICS))))


async def help_(ctx: Context) -> None:
    async with ctx.services.store.read() as reader:
        plays = await reader.matches.count_open(user=ctx.user) or await reader.careers.count_completed(ctx.user)
    await ctx.show(await (_purpose_page(ctx, 1) if plays else _basics(ctx)))


async def _rules_page(ctx: Context, rules: str) -> list[Part]:
    """Returns a page of the rulebook, or that of an own rule set. Raises Refused (`no_preset`, `no_rule_set`)."""
    if rules in (*BASICS, GLANCE, *ctx.services.presets):
        return await rulebook_page(ctx, rules)
    found = await find_rules(ctx, rules)
    return await rulebook_page(ctx, found.key) if found.rule_set is None else await own_rules_page(ctx, found)


COMMANDS = (Command(rules, suggests={"rules": suggest_rules}), Command(help_))
