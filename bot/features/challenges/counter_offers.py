"""Other terms for a challenge: the challenger's own, or a counter-offer that the opponent must accept."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import discord

from bot.features.terms import terms_panel
from bot.features.terms.targets import TermsBasis, TermsTarget
from bot.interactions.context import Context
from bot.interactions.layout import Part
from bot.services.mentions import mentions_of
from play.challenge.challenge import Challenge
from play.challenge.terms import Terms
from play.ids import ChallengeId, MessageId
from play.refusal import Reason, Refused
from presentation.addresses import link
from presentation.text import escape


@dataclass(frozen=True, slots=True)
class CounterOffer(TermsTarget):
    """The terms of a challenge, as they were after so many changes."""

    kind: ClassVar[str] = "offer"
    challenge: ChallengeId
    changes: int

    def __str__(self) -> str:
        return f"c{self.challenge}.{self.changes}"

    @classmethod
    def read(cls, text: str) -> Self | None:
        found = re.fullmatch(r"c(\d{1,15})\.(\d{1,6})", text)
        return cls(ChallengeId(int(found[1])), int(found[2])) if found else None

    async def basis(self, ctx: Context) -> TermsBasis:
        challenge = await challenge_of_channel(ctx, self.challenge)
        # The player who answers an open challenge makes a challenge of their own.
        if challenge.opponent is None and ctx.user != challenge.challenger:
            return TermsBasis(challenge.terms, ctx.user, challenge.seats, opponent=challenge.challenger)
        return TermsBasis(challenge.terms, challenge.challenger, challenge.seats, opponent=challenge.opponent)

    async def save(self, ctx: Context, terms: Terms) -> list[Part]:
        before = await challenge_of_channel(ctx, self.challenge)
        ctx.services.gate.count_card(before.channel)
        offered = await ctx.use_cases.challenges.change(
            self.challenge, ctx.user, terms, ctx.at, changes=self.changes, key=ctx.key
        )
        if offered.id == self.challenge:
            message = _card_of(offered)
            await _notify_others(ctx, offered, before)
        else:
            message = await ctx.services.cards.post(offered)
        words = await ctx.words()
        return [words("terms.offered", url=link(offered.guild, offered.channel, message))]

    async def refresh(self, ctx: Context) -> Self:
        return replace(self, changes=(await challenge_of_channel(ctx, self.challenge)).changes)


async def challenge_of_channel(ctx: Context, challenge: ChallengeId) -> Challenge:
    """Returns a challenge whose card is in the channel of the interaction.

    Raises Refused (`no_challenge`) elsewhere, since a card names players.
    """
    offered = await ctx.use_cases.challenges.load(challenge)
    if offered.channel != ctx.channel:
        raise Refused(Reason.NO_CHALLENGE)
    return offered


async def counter_offer_panel(challenge: Challenge, ctx: Context) -> list[Part]:
    """Returns the panel for other terms than those of a challenge."""
    return await terms_panel.terms_panel(ctx, CounterOffer(challenge.id, challenge.changes), challenge.terms)


async def fair_offer_panel(challenge: Challenge, ctx: Context) -> list[Part]:
    """Returns the panel with a fair handicap for the players of a challenge."""
    return await terms_panel.fair_panel(ctx, CounterOffer(challenge.id, challenge.changes), challenge.terms)


async def _notify_others(ctx: Context, challenge: Challenge, before: Challenge) -> None:
    """Mentions the players who have to agree again below the card, since an edit notifies no one."""
    users = {challenge.challenger, challenge.opponent, *before.joined} - {None, ctx.user}
    asked = sorted(user for user in users if user)
    if not asked:
        return
    words = await ctx.services.locales.for_challenge(challenge)
    name = escape(await ctx.services.names.of(ctx.user, challenge.guild))
    content = words("card.news", people=" ".join(f"<@{user}>" for user in asked), name=name)
    card = discord.MessageReference(
        message_id=_card_of(challenge), channel_id=challenge.channel, fail_if_not_exists=False
    )
    await ctx.services.channels.post(
        challenge.channel,
        lambda: {"content": content, "allowed_mentions": mentions_of(asked)},
        f"news:{challenge.id}:{challenge.changes}",
        guild=challenge.guild,
        reference=card,
    )


def _card_of(challenge: Challenge) -> MessageId:
    assert challenge.message is not None, "its terms are changed by a button of its card"
    return challenge.message
