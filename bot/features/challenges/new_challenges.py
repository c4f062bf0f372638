"""A new challenge: its terms are put together by the command, or in the panel before its card is posted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import discord

from bot.features.match.begun_game import begun_game
from bot.features.terms.default_terms import default_terms
from bot.features.terms.offered_rules import name_rules
from bot.features.terms.targets import TermsBasis, TermsTarget, read_target
from bot.features.terms.terms_code import encode
from bot.features.terms.terms_panel import read_draft, terms_panel
from bot.interactions import custom_ids as ids
from bot.interactions import errors, permissions
from bot.interactions.buttons import button
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.interactions.layout import Control, Part
from bot.interactions.selects import MAX_HINT
from bot.request import own_id
from bot.services.guild_directory import WITH_THREADS
from opponent.levels import DEFAULT_LEVEL
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

    async def own_parts(self, ctx: Context, draft: Terms) -> list[Part]:
        named = own_id(ctx.interaction.client) if draft.level is not None else self.opponent
        return [[await NameOpponent.of(ctx, self, draft, named)]]

    async def save(self, ctx: Context, terms: Terms) -> list[Part]:
        server = await permissions.require_playable_channel(ctx, alone=terms.level is not None)
        if terms.game.key in NEEDS_CONSENT and not server.dot_dash:
            raise Refused(Reason.NO_DOT_DASH)
        return await post_challenge(ctx, self.opponent, terms, await keep_button(ctx, terms))


class NameOpponent(Component, id=ids.NAME_OPPONENT):
    """The select of the player whom a new challenge asks: nobody in particular, a friend, or the bot itself, which
    plays."""

    kind = discord.ComponentType.user_select
    target: str
    draft: str

    @classmethod
    async def of(cls, ctx: Context, target: NewChallenge, draft: Terms, named: UserId | None) -> Self:
        """Returns the select, in which the user who is `named` is chosen."""
        words = await ctx.words()
        chosen = [discord.SelectDefaultValue(id=named, type=discord.SelectDefaultValueType.user)] if named else []
        return cls(
            discord.ui.UserSelect(
                custom_id=cls.id_form(target=target, draft=encode(draft)),
                placeholder=words("terms.opponent")[:MAX_HINT],
                min_values=0,
                default_values=chosen,
            )
        )

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_update()
        draft, target, note = read_draft(self.draft), read_target(self.target), ""
        try:
            target, draft = await name_opponent(ctx, draft, next(iter(self.item.values), None))
        except Refused as refused:
            words = await ctx.words()
            note = await errors.explain(ctx.services, words, ctx.request, refused)
        await ctx.show(await terms_panel(ctx, target, draft, note))


async def name_opponent(ctx: Context, draft: Terms, chosen: discord.User | None) -> tuple[NewChallenge, Terms]:
    """Returns a new challenge to the user who was `chosen`, and its draft, in which the computer has a level if it is
    that. Raises Refused."""
    if chosen is not None and chosen.id == own_id(ctx.interaction.client):
        ctx.services.coach.advisor(ctx.user)
        return NewChallenge(), replace(draft, level=draft.level or DEFAULT_LEVEL, rated=False)
    if chosen is not None and chosen.bot:
        raise Refused(Reason.OPPONENT_IS_BOT)
    if chosen is not None and chosen.id == ctx.user:
        raise Refused(Reason.CHALLENGE_SELF)
    if chosen is not None:
        ctx.services.names.remember(chosen, ctx.guild)
    if draft.level is not None:
        draft = replace(draft, level=None, rated=(await default_terms(ctx)).rated)
    return NewChallenge(UserId(chosen.id) if chosen else None), draft


async def post_challenge(
    ctx: Context, opponent: UserId | None, terms: Terms, more: Sequence[Control] = ()
) -> list[Part]:
    """Posts the challenge, and returns what the player is told: the way to the game if it has begun, else to the card,
    with the button that withdraws it, and with `more`. The player may play here. Raises Refused."""
    computer, terms = own_id(ctx.interaction.client) if terms.level else None, await name_rules(ctx, terms)
    opponent = computer or opponent
    place = await permissions.require_place_for(ctx, (ctx.user, opponent), terms.game.seats)
    ctx.services.gate.count_card(place)
    offer = await ctx.use_cases.challenges.challenge(ctx.user, opponent, ctx.guild, place, terms, ctx.at, ctx.key)
    card = await ctx.services.cards.post(offer)
    warning = await _place_warning(ctx)
    match = (await ctx.use_cases.challenges.load(offer.id)).match
    if match is not None:
        return await begun_game(ctx, await ctx.load_match(match), warning, more)
    words = await ctx.words()
    posted = words("challenge.posted", url=link(ctx.guild, place, card))
    withdraw = button(ids.WITHDRAW_OWN(challenge=offer.id), words("button.withdraw"))
    return ["\n".join(filter(None, (posted, warning))), [withdraw, *more]]


async def _place_warning(ctx: Context) -> str:
    """Returns which permissions the bot lacks for the threads that the server wants, and that slow mode holds up a game
    in the channel itself; empty if neither is so. A thread of the bot has no slow mode."""
    channel, words = ctx.interaction.channel, await ctx.words()
    missing = permissions.missing_permissions(ctx, permissions.THREAD_PERMISSIONS)
    wanted = ctx.interaction.is_guild_integration() and (await permissions.server_settings(ctx)).threads
    in_thread = wanted and not missing and channel is not None and channel.type in WITH_THREADS
    lines = []
    if missing and wanted:
        lines.append(words("check.threads", permissions=permissions.permission_names(missing, words)))
    if not in_thread and getattr(channel, "slowmode_delay", None):
        lines.append(words("check.slow_mode"))
    return "\n".join(lines)


async def keep_button(ctx: Context, terms: Terms) -> list[Control]:
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


BUTTONS: tuple[type[Component], ...] = (ChallengeSomeone, NameOpponent)
