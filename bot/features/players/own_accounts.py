"""A person's own accounts, by `/link`: a code for another platform, or the question whether to link by one."""

from collections.abc import Sequence

import discord
from discord import app_commands

from bot.interactions import custom_ids as ids
from bot.interactions.commands import Command
from bot.interactions.components import Component, PanelItem, Question, show_question
from bot.interactions.context import Context
from bot.interactions.layout import Part
from play.codes import MAX_TYPED, read_code
from play.ids import Millis, UserId
from play.people.own_accounts import CODE_MILLIS
from play.refusal import Reason, Refused
from presentation.own_accounts import platform_name
from presentation.words.words import Words


async def link(ctx: Context, code: app_commands.Range[str, 1, MAX_TYPED] | None = None) -> None:
    if code is None:
        await ctx.show(await _panel(ctx))
    else:
        await _ask(ctx, code)


async def _panel(ctx: Context) -> list[Part]:
    """Returns the user's accounts, with a new code for another one."""
    words = await ctx.words()
    accounts = await ctx.services.own_accounts.of_user(ctx.user)
    code = await ctx.services.own_accounts.ask(ctx.user)
    lines = [f"### {words('own.title')}", *[await _line(ctx, each, words) for each in accounts], words("own.about")]
    lines.append(words("own.code", code=code, when=words.until(Millis(ctx.at + CODE_MILLIS), ctx.at)))
    text = "\n".join(lines)
    return [text, [PartAccount.make(words("own.button.part"))]] if len(accounts) > 1 else [text]


async def _line(ctx: Context, user: UserId, words: Words) -> str:
    return f"- {words('own.line', **await _details(ctx, user, words))}"


async def _details(ctx: Context, user: UserId, words: Words) -> dict[str, str]:
    """Returns the name of an account and its platform, for a sentence."""
    name = words.literal(await ctx.services.names.of(user, ctx.guild))
    return {"name": name, "platform": platform_name(user, words)}


async def _ask(ctx: Context, typed: str) -> None:
    """Asks whether the account that gave a code is the user's, too. Each try counts. Raises Refused."""
    ctx.services.gate.count_code(ctx.user, ctx.guild)
    letters = read_code(typed)
    if letters is None:
        raise Refused(Reason.NO_LINK_CODE)
    other, words = await ctx.services.own_accounts.look_up(ctx.user, letters), await ctx.words()
    text = words("own.ask", **await _details(ctx, other, words))
    answer = JoinAccount.make(words("own.button.join"), discord.ButtonStyle.success, code=letters)
    await show_question(ctx, Question(text, None, (answer,)))


class JoinAccount(PanelItem, id=ids.JOIN_ACCOUNT):
    """Links the account of the user with the one that gave the code."""

    code: str

    async def parts(self, ctx: Context) -> Sequence[Part]:
        ctx.services.gate.count_code(ctx.user, ctx.guild)
        other, words = await ctx.services.own_accounts.join(ctx.user, self.code), await ctx.words()
        return [words("own.joined", **await _details(ctx, other, words))]


class PartAccount(PanelItem, id=ids.PART_ACCOUNT):
    """Unlinks the account of the user from their others."""

    async def parts(self, ctx: Context) -> Sequence[Part]:
        await ctx.services.own_accounts.part(ctx.user)
        return [(await ctx.words())("own.parted")]


COMMANDS = (Command(link),)
BUTTONS: tuple[type[Component], ...] = (JoinAccount, PartAccount)
