"""Controls of private panels, which are changed in place."""

from __future__ import annotations

from collections.abc import Sequence
from re import Match as Found
from typing import Any, Self

import discord

from bot.interactions.admission import GatedItem
from bot.interactions.context import Context
from bot.interactions.layout import Part


class PanelItem(GatedItem, discord.ui.DynamicItem[Any], template=r"(?!)"):
    """A control that knows from its custom id what its panel shows next."""

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: Any, match: Found[str], /) -> Self:
        return cls(item)

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        await ctx.show(await self.parts(ctx))

    async def parts(self, ctx: Context) -> Sequence[Part]:
        """Returns what the panel shows then. The interaction is acknowledged. Raises Refused."""
        raise NotImplementedError
