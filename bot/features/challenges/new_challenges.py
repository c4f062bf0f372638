"""A new challenge: its terms are put together by the command, or in the panel before its card is posted."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import discord

from bot.features.terms.default_terms import default_terms
from bot.features.terms.offered_rules import name_rules
from bot.features.terms.targets import TermsBasis, TermsTarget
from bot.features.terms.terms_code import encode
from bot.features.terms.terms_panel import terms_panel
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.buttons import button
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.interactions.layout import Part
from bot.request import own_id
from play.challenge.terms import Terms
from play.ids import UserId
from play.refusal import Reason, Refused
from presentation.addresses import link
from rules.registry import NEEDS_CONSENT


@dataclass(frozen=True, slots=True)
class NewChallenge(TermsTarget):
    """A challenge to `opponent`, or to anyone (None), that is not posted yet."""

    kind: ClassVar[str] = "new"
    opponent: UserId | None = None

    def __str__(self) -> str:
        return f"n{self.opponent or 0}"

    @classmethod
    def read(cls, text: str) -> Self | None:
        found = re.fullmatch(r"n(\d{1,20})", text)
        return cls(UserId(int(found[1])) or None) if found else None

    async def basis(self, ctx: Context) -> TermsBasis:
        return TermsBasis(None, ctx.user, opponent=self.opponent)

    async def save(self, ctx: Context, terms: Terms) -> list[Part]:
        server = await permissions.require_playable_channel(ctx, alone=terms.level is not None)
        if terms.game.key in NEEDS_CONSENT and not server.dot_dash:
            raise Refused(Reason.NO_DOT_DASH)
        text = await post_challenge(ctx, self.opponent, terms)
        return [text, *([keep] if (keep := await keep_button(ctx, terms)) else ())]


async def post_challenge(ctx: Context, opponent: UserId | None, terms: Terms) -> str:
    """Posts the challenge, and returns what the player is told. The player may play here. Raises Refused."""
    computer, terms = own_id(ctx.interaction.client) if terms.level else None, await name_rules(ctx, terms)
    ctx.services.gate.count_card(ctx.channel)
    offer = await ctx.use_cases.challenges.challenge(
        ctx.user, computer or opponent, ctx.guild, ctx.channel, terms, ctx.at, ctx.key
    )
    url = link(ctx.guild, ctx.channel, await ctx.services.cards.post(offer))
    words = await ctx.words()
    lines = [words("challenge.begun" if terms.level else "challenge.posted", url=url)]
    missing = permissions.missing_permissions(ctx, permissions.THREAD_PERMISSIONS)
    if missing and ctx.interaction.is_guild_integration() and (await permissions.server_settings(ctx)).threads:
        lines.append(words("check.threads", permissions=permissions.permission_names(missing, words)))
    return "\n".join(lines)


async def keep_button(ctx: Context, terms: Terms) -> list[discord.ui.Button[Any]]:
    """Returns the button that makes the terms of a challenge the player's defaults; none if they are it already."""
    base = await default_terms(ctx)
    kept = replace(terms, level=None, window=None, rated=terms.rated if terms.level is None else base.rated)
    if kept == base:
        return []
    words = await ctx.words()
    return [button(ids.TERMS(target="me", draft=encode(kept), way="save"), words("terms.keep"))]


class ChallengeSomeone(Component, id=ids.CHALLENGE_SOMEONE):
    """Opens the panel of a new challenge for the user who presses it, as `/challenge` does."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await ctx.show(await terms_panel(ctx, NewChallenge(), await default_terms(ctx)))


BUTTONS: tuple[type[ChallengeSomeone], ...] = (ChallengeSomeone,)
