"""`/help` and `/rules`: how to play, every command by purpose, and the way into the rulebook."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from discord import app_commands

from bot.features.help import rulebook
from bot.features.help.rulebook import BASICS, GLANCE, own_rules_page, rulebook_page
from bot.features.terms.offered_rules import FIRST_TERMS, find_rules, suggest_rules
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.commands import FOR_MANAGERS, Command
from bot.interactions.components import PanelItem
from bot.interactions.context import Context
from bot.interactions.layout import Part, button
from presentation.words.words import Words

Sendable = app_commands.Command[Any, Any, Any]

PURPOSES = {
    "begin": ("help", "challenge", "learn", "rules", "games"),
    "play": ("move", "board", "clock", "hint", "if", "stop", "resign"),
    "settle": ("draw", "takeback", "pause", "abort", "rematch", "vacation", "continue"),
    "look_back": ("profile", "history", "versus", "replay", "review", "export", "import", "puzzle"),
    "compete": ("leaderboard", "ladder", "league", "tournament"),
    "as_server": ("vote", "predict", "team"),
    "set": ("settings", "privacy", "about", "feedback"),
}
"""The commands by purpose, in the order of the panel. Any other command comes after them, so that none is missing."""

MANAGING = {
    "host": ("tournament", "ladder"),
    "manage": ("settings", "league", "vote", "team"),
    "moderate": ("moderate",),
}
"""Those for managers, which come last, by the permission that they need."""

MAX_PAGE = 2000
"""Characters of a page: half of what Discord allows, and short enough to read."""


class ManualPageButton(PanelItem, id=ids.MANUAL):
    """Turns to a page."""

    page: int

    async def parts(self, ctx: Context) -> list[Part]:
        return await manual_page(ctx, self.page)


async def manual_page(ctx: Context, number: int) -> list[Part]:
    """Returns a page: 0 tells how to play, the others list the commands. Beyond the last page it is the last one."""
    words = await ctx.words()
    if number == 0:
        return await _how_to_play(ctx, words)
    commands = leaves(ctx.interaction.client.tree)
    if ctx.guild is not None and not permissions.may_host(ctx):
        commands = [each for each in commands if not each.extras.get(FOR_MANAGERS)]
    pages = list(paginate(sections(commands, ctx.services.languages.keys, words)))
    number = min(number, len(pages))
    turns = [ManualPageButton.make(words("button.back"), page=number - 1)]
    if number < len(pages):
        turns.append(ManualPageButton.make(words("help.more"), page=number + 1))
    return [pages[number - 1], turns]


async def _how_to_play(ctx: Context, words: Words) -> list[Part]:
    options = FIRST_TERMS.game.options
    size, start = options["size"].replace("x", "×"), words(f"start.{options['start']}")
    text = words("help", size=size, start=start, clock=words.control(FIRST_TERMS.control))
    if ctx.services.web_links is not None:
        text += f"\n{words('help.board')}"
    if ctx.guild is not None and permissions.manages_server(ctx):
        text += f"\n{words('help.managers')}"
    first, second, *_ = rulebook.BASICS
    buttons = (
        button(ids.PATH(chapter=0), words("help.lesson")),
        rulebook.RulesPageButton.to(second, "on", words),
        ManualPageButton.make(words("help.commands"), page=1),
    )
    return [text, await rulebook.pictures(ctx, first), buttons]


def leaves(tree: app_commands.CommandTree[Any]) -> list[Sendable]:
    """Returns every command that users can send: of a group its subcommands."""
    return [command for command in tree.walk_commands() if isinstance(command, app_commands.Command)]


def sections(commands: Iterable[Sendable], keys: Mapping[str, str], words: Words) -> Iterator[str]:
    """Yields the commands by purpose, last those for managers, each with its description. `keys` has the key of each
    English sentence."""
    for_managers, for_all = dict[str, Sendable](), dict[str, Sendable]()
    for each in commands:
        (for_managers if each.extras.get(FOR_MANAGERS) else for_all)[each.qualified_name] = each
    for purposes, left in ((PURPOSES, for_all), (MANAGING, for_managers)):
        for purpose, roots in purposes.items():
            named = [name for root in roots for name in left if name.split()[0] == root]
            if named:
                yield _section(purpose, [left.pop(name) for name in named], keys, words)
        if left:
            yield _section("other", left.values(), keys, words)


def _section(purpose: str, commands: Iterable[Sendable], keys: Mapping[str, str], words: Words) -> str:
    lines = (f"- {words.command(each.qualified_name)}: {words(keys[each.description])}" for each in commands)
    return "\n".join([f"### {words(f'help.purpose.{purpose}')}", *lines])


def paginate(sections: Iterable[str]) -> Iterator[str]:
    """Yields pages, each of as many sections as it holds."""
    page = ""
    for section in sections:
        if page and len(page) + len(section) > MAX_PAGE:
            yield page
            page = ""
        page += f"\n{section}" if page else section
    yield page


BUTTONS: tuple[type[ManualPageButton], ...] = (ManualPageButton,)


async def rules(ctx: Context, rules: str | None = None) -> None:
    await ctx.show(await _rules_page(ctx, rules or next(iter(BASICS))))


async def help_(ctx: Context) -> None:
    await ctx.show(await manual_page(ctx, 0))


async def _rules_page(ctx: Context, rules: str) -> list[Part]:
    """Returns a page of the rulebook, or that of an own rule set. Raises Refused (`no_preset`, `no_rule_set`)."""
    if rules in (*BASICS, GLANCE, *ctx.services.presets):
        return await rulebook_page(ctx, rules)
    found = await find_rules(ctx, rules)
    return await rulebook_page(ctx, found.key) if found.rule_set is None else await own_rules_page(ctx, found)


COMMANDS = (Command(rules, suggests={"rules": suggest_rules}), Command(help_))
