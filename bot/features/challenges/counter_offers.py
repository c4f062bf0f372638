"""Other terms for a challenge: the challenger's own, or a counter-offer that the other side must accept."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Self

import discord

from bot.features.challenges import terms_panel
from bot.interactions.context import Context, TermsBasis
from bot.request import link
from bot.services.names import escape
from play.ids import ChallengeId, MessageId, UserId
from play.refusal import Reason, Refused

if TYPE_CHECKING:
    from bot.interactions.layout import Part
    from play.challenge.challenge import Challenge
    from play.challenge.terms import Terms


@dataclass(frozen=True, slots=True)
class CounterOffer:
    """A TermsTarget: the terms of a challenge, as they were after so many changes."""

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
        # To an open challenge the answer is one of the answerer's own.
        challenger = ctx.user if challenge.opponent is None else challenge.challenger
        return TermsBasis(challenge.terms, challenger, challenge.seats)

    async def save(self, ctx: Context, terms: Terms) -> list[Part]:
        before = await challenge_of_channel(ctx, self.challenge)
        ctx.services.gate.count_card(before.channel)
        offered = await ctx.services.challenges.change(
            self.challenge, ctx.user, terms, ctx.at, changes=self.changes, source=ctx.key
        )
        if offered.id == self.challenge:
            message = _posted(offered)
            await _tell(ctx, offered, before)
        else:
            message = await ctx.services.cards.post(offered)
        words = await ctx.words()
        return [words("terms.offered", url=link(offered.guild, offered.channel, message))]

    async def refresh(self, ctx: Context) -> Self:
        return replace(self, changes=(await challenge_of_channel(ctx, self.challenge)).changes)


async def challenge_of_channel(ctx: Context, challenge: ChallengeId) -> Challenge:
    """The challenge, if its card stands in the channel that the interaction comes from: a card names people. Raises
    Refused (`no_challenge`)."""
    offered = await ctx.services.challenges.load(challenge)
    if offered.channel != ctx.channel:
        raise Refused(Reason.NO_CHALLENGE)
    return offered


async def counter_offer_panel(challenge: Challenge, ctx: Context) -> list[Part]:
    """The panel for other terms than those of a challenge."""
    return await terms_panel.terms_panel(ctx, CounterOffer(challenge.id, challenge.changes), challenge.terms)


async def _tell(ctx: Context, challenge: Challenge, before: Challenge) -> None:
    """A card that changes notifies nobody, so those who have to agree anew are told below it."""
    user = ctx.user
    people = {challenge.challenger, challenge.opponent, *before.joined} - {None, user}
    asked = sorted(person for person in people if person)
    if not asked:
        return
    words = await ctx.services.locales.for_challenge(challenge)
    name = escape(await ctx.services.names.of(UserId(user), challenge.guild))
    content = words("card.news", people=" ".join(f"<@{person}>" for person in asked), name=name)
    mentions = discord.AllowedMentions(
        users=[discord.Object(person) for person in asked], everyone=False, roles=False, replied_user=False
    )
    card = discord.MessageReference(
        message_id=_posted(challenge), channel_id=challenge.channel, fail_if_not_exists=False
    )
    await ctx.services.channels.post(
        challenge.channel,
        lambda: {"content": content, "allowed_mentions": mentions},
        f"news:{challenge.id}:{challenge.changes}",
        reference=card,
    )


def _posted(challenge: Challenge) -> MessageId:
    assert challenge.message is not None, "whoever changes it has pressed a button of its card"
    return challenge.message
