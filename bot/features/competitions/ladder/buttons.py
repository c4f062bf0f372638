"""The buttons of a ladder's standing, and the private questions behind them."""

from __future__ import annotations

from typing import Self

import discord

from bot.interactions import custom_ids as ids
from bot.interactions import errors, permissions
from bot.interactions.components import Component, PanelItem
from bot.interactions.context import Context
from bot.interactions.layout import Part
from bot.interactions.questions import Confirmation, confirm
from bot.interactions.selects import Choice, select
from play.ids import UserId
from play.refusal import Reason, Refused
from presentation.addresses import link
from presentation.text import escape
from presentation.words.words import Words
from use_cases.competitions.ladders import Target


class LadderButton(Component):
    """A button for everybody on a server: `ladder:join`."""

    @classmethod
    def to(cls, words: Words) -> Self:
        return cls.make(words(f"ladder.button.{cls.action}"))


class JoinLadder(LadderButton, id=ids.JOIN_LADDER):
    style = discord.ButtonStyle.success

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_private()
        await join_ladder(ctx)


class ChallengeOnLadder(LadderButton, id=ids.CHALLENGE_ON_LADDER):
    """Opens the menu of the players within reach."""

    style = discord.ButtonStyle.primary

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await permissions.require_player(ctx)
        await ctx.show(await _challenge_menu(ctx))


class LeaveLadder(LadderButton, id=ids.LEAVE_LADDER):
    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await ask_to_leave(ctx)


class ConfirmLeave(Confirmation, LadderButton, id=ids.CONFIRM_LEAVE):
    """Leaves the ladder."""

    async def carry_out(self, ctx: Context) -> list[Part]:
        await ctx.use_cases.ladders.leave(permissions.require_guild(ctx), ctx.user)
        words = await ctx.words()
        return [words("ladder.left")]


class PickTarget(PanelItem, id=ids.PICK_TARGET):
    """The menu of the players who can be challenged now."""

    kind = discord.ComponentType.string_select

    async def parts(self, ctx: Context) -> list[Part]:
        chosen = "".join(self.item.values)
        if not chosen.isdecimal():
            raise Refused(Reason.OLD_BUTTON)
        await permissions.require_player(ctx)
        try:
            return [await challenge_for_place(ctx, UserId(int(chosen)))]
        except Refused as refused:
            return await _refused_menu(ctx, refused)


async def join_ladder(ctx: Context) -> None:
    """Puts the player on the ladder, and says where. The interaction is acknowledged. Raises Refused."""
    await permissions.require_player(ctx)
    ladder = await ctx.use_cases.ladders.join(permissions.require_guild(ctx), ctx.user, ctx.at)
    words = await ctx.words()
    await ctx.reply(words("ladder.joined", place=ladder.place(ctx.user)))


async def ask_to_leave(ctx: Context) -> None:
    """Says what leaving costs, and asks. The interaction is acknowledged. Raises Refused."""
    ladder = await ctx.use_cases.ladders.load(permissions.require_guild(ctx))
    words = await ctx.words()
    text = words("ladder.leave.ask", place=ladder.place(ctx.user))
    if ladder.duel_of(ctx.user):
        text += f" {words('ladder.leave.duel')}"
    await confirm(ctx, text, ConfirmLeave.to(words))


async def challenge_for_place(ctx: Context, opponent: UserId) -> str:
    """Challenges the player of a higher place; returns what the challenger reads. Raises Refused."""
    here = await ctx.use_cases.ladders.load(permissions.require_guild(ctx))
    ctx.services.gate.count_card(here.channel)
    challenge = await ctx.use_cases.ladders.challenge(here.guild, ctx.user, opponent, ctx.at, ctx.key)
    message = await ctx.services.cards.post(challenge)
    words = await ctx.words()
    return words("ladder.challenged", url=link(challenge.guild, challenge.channel, message))


async def _challenge_menu(ctx: Context) -> list[Part]:
    """Returns the players within reach: those who can be challenged as a menu, the others with the reason."""
    guild = permissions.require_guild(ctx)
    targets = await ctx.use_cases.ladders.survey(guild, ctx.user)
    names = await ctx.services.names.of_all([target.user for target in targets], guild)
    words = await ctx.words()
    free = [
        Choice(str(target.user), words("ladder.choice", place=target.place, name=name), chosen=False)
        for target, name in zip(targets, names, strict=True)
        if target.obstacle is None
    ]
    lines = [words("ladder.menu" if free else "ladder.menu.none")]
    lines += [
        _obstacle_line(target, name, words)
        for target, name in zip(targets, names, strict=True)
        if target.obstacle is not None
    ]
    menu: list[Part] = [[PickTarget(select(ids.PICK_TARGET(), words("ladder.menu.hint"), free))]] if free else []
    return ["\n".join(lines), *menu]


def _obstacle_line(target: Target, name: str, words: Words) -> str:
    return f"- {words(f'ladder.obstacle.{target.obstacle}', place=target.place, name=escape(name))}"


async def _refused_menu(ctx: Context, refused: Refused) -> list[Part]:
    """Returns why a challenge was refused, above the menu as it is now if there is one."""
    words = await ctx.words()
    notice = f"⚠️ {await errors.explain(ctx.services, words, ctx.request, refused)}"
    try:
        return [notice, *await _challenge_menu(ctx)]
    except Refused:
        return [notice]


BUTTONS: tuple[type[Component], ...] = (
    *(JoinLadder, ChallengeOnLadder, LeaveLadder),
    *(ConfirmLeave, PickTarget),
)
"""All of them; those of the standing come first."""
