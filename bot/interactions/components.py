"""Components: what is pressed or chosen below a message, answered by the class whose form of ids it has."""

from __future__ import annotations

import re
from collections.abc import Sequence
from re import Match as Found
from typing import Any, ClassVar, Self

import discord

from bot.interactions import errors, offers
from bot.interactions.admission import admit, is_component
from bot.interactions.buttons import button
from bot.interactions.context import Context
from bot.interactions.custom_id import CustomId
from bot.interactions.layout import Part

_NONE = re.compile(r"(?!)")


class Component(discord.ui.DynamicItem[Any], template=_NONE):
    """A button or a select that passes the gate; what its handler raises is explained to the player.

    The values in its id are its attributes; a class names their types.
    """

    id_form: ClassVar[CustomId]
    action: ClassVar[str]
    kind: ClassVar[discord.ComponentType] = discord.ComponentType.button
    style: ClassVar[discord.ButtonStyle] = discord.ButtonStyle.secondary
    emoji: ClassVar[str | None] = None

    def __init_subclass__(cls, *, id: CustomId | None = None) -> None:  # noqa: A002 - an argument of the class alone
        super().__init_subclass__(template=id.pattern if id else _NONE)
        if id:
            cls.id_form, cls.action = id, id.action

    def __init__(self, item: discord.ui.Item[Any]) -> None:
        super().__init__(item)
        vars(self).update(self.id_form.read(self.custom_id) or {})

    @classmethod
    def make(cls, label: str, style: discord.ButtonStyle | None = None, **values: object) -> Self:
        """Returns the button with these values in its id."""
        return cls(button(cls.id_form(**values), label, style or cls.style, cls.emoji))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: Found[str], /
    ) -> Self:
        return cls(item)

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        ctx = Context.of(interaction)
        if not is_component(interaction, self.kind) or not await admit(ctx):
            return False
        try:
            await offers.require_offered(ctx, self.item)
        except Exception as error:  # discord.py would be silent about it
            await errors.reply_error(ctx, error)
            return False
        return True

    async def callback(self, interaction: discord.Interaction[Any], /) -> None:
        ctx = Context.of(interaction)
        try:
            await self.pressed(ctx)
        except Exception as error:
            await errors.reply_error(ctx, error)

    async def pressed(self, ctx: Context) -> None:
        """Does what the component is for. May raise: the player is told why."""
        raise NotImplementedError


class PanelItem(Component):
    """A control of a private panel, which it changes in place: it knows from its id what the panel shows next."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        await ctx.show(await self.parts(ctx))

    async def parts(self, ctx: Context) -> Sequence[Part]:
        """Returns what the panel shows then. The interaction is acknowledged. Raises Refused."""
        raise NotImplementedError
