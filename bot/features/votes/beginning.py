"""A vote game begins: a manager looks at it and confirms; a member who is to play against the server has to accept."""

from __future__ import annotations

import logging
from typing import Any

import discord

from bot.features.match.begun_game import begun_game
from bot.features.votes.draft import VoteDraft
from bot.interactions import custom_ids as ids
from bot.interactions import permissions
from bot.interactions.buttons import row
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.interactions.layout import Part
from bot.interactions.questions import KeepAll
from bot.request import time_of
from bot.services.discord_errors import describe
from bot.services.mentions import mentions_of
from bot.services.text_limits import fit
from play.challenge.terms import Terms
from play.ids import DAY, ChannelId, GuildId, IdempotencyKey, Millis
from play.refusal import Reason, Refused
from presentation.terms.terms_text import level_label, rules_name
from presentation.text import escape
from presentation.words.words import Words

log = logging.getLogger(__name__)

ANSWER_MILLIS = Millis(3 * DAY)
"""The time that a member has to accept: as long as the longest vote."""


class BeginVotes(Component, id=ids.VOTE_BEGIN):
    """Begins the game that the manager has looked at, or asks the opponent."""

    draft: str

    style = discord.ButtonStyle.success

    async def pressed(self, ctx: Context) -> None:
        await ctx.open_panel()
        await permissions.require_manage_server(ctx)
        await permissions.require_playable_channel(ctx, alone=False)
        draft = VoteDraft.read(self.draft)
        if draft.level or draft.against == ctx.user:
            await ctx.show(await _begin(ctx, draft, ctx.key))
            return
        terms = await draft.terms(ctx)
        if draft.checked(terms) != draft:
            raise Refused(Reason.VOTE_TERMS_CHANGED)
        place = await _place(ctx)
        ctx.services.gate.count_card(place)
        await _post_card(ctx, place, draft, terms)
        words = await ctx.words()
        await ctx.show([words("vote.asked")])


class CardButton(Component):
    """A button of the card that asks a member to play against the server. No press of another user counts."""

    draft: str

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_private()
        permissions.require_guild(ctx)
        draft, message = VoteDraft.read(self.draft), ctx.interaction.message
        if draft.against != ctx.user:
            raise Refused(Reason.NOT_ASKED)
        assert message is not None, "the card has the button"
        if ctx.at > time_of(message.id) + ANSWER_MILLIS:
            await self._replace_card(ctx, draft, message, "over")
            raise Refused(Reason.CHALLENGE_EXPIRED)
        await self.answer(ctx, draft, message)

    async def answer(self, ctx: Context, draft: VoteDraft, card: discord.Message) -> None:
        """Answers the card in time. The interaction is acknowledged. Raises Refused."""
        raise NotImplementedError

    async def _replace_card(self, ctx: Context, draft: VoteDraft, card: discord.Message, how: str) -> None:
        """Says on the card how it was answered, in place of its buttons. Nothing waits for that."""
        assert ctx.guild is not None, "the card is on a server"
        words = await ctx.services.locales.for_guild(ctx.guild)
        names = {"opponent": escape(await ctx.services.names.of(draft.against, ctx.guild))}
        names["side"] = escape(await side_name(ctx, ctx.guild, draft, words))
        try:
            await card.edit(content=fit(words(f"vote.card.{how}", **names)), view=None)
        except discord.HTTPException as error:
            log.info("card %d keeps its buttons: %s", card.id, describe(error))


class AcceptVotes(CardButton, id=ids.VOTE_ACCEPT):
    """Begins the game. One card makes one game."""

    style = discord.ButtonStyle.success

    async def answer(self, ctx: Context, draft: VoteDraft, card: discord.Message) -> None:
        parts = await _begin(ctx, draft, IdempotencyKey(card.id))
        await self._replace_card(ctx, draft, card, "accepted")
        await ctx.show(parts)


class DeclineVotes(CardButton, id=ids.VOTE_DECLINE):
    """Declines the game."""

    async def answer(self, ctx: Context, draft: VoteDraft, card: discord.Message) -> None:
        await self._replace_card(ctx, draft, card, "declined")
        words = await ctx.words()
        await ctx.show([words("vote.declined")])


async def ask_to_begin(ctx: Context, draft: VoteDraft) -> None:
    """Shows the manager the game, and asks whether it is to begin. The interaction is acknowledged. Raises Refused."""
    assert ctx.guild is not None, "Discord offers the command on servers only"
    terms, words = await draft.terms(ctx), await ctx.words()
    draft = draft.checked(terms)
    asks = not draft.level and draft.against != ctx.user
    if draft.level:
        opponent = words("card.level", level=level_label(draft.level, words))
    else:
        opponent = escape(await ctx.services.names.of(draft.against, ctx.guild))
    side = escape(await side_name(ctx, ctx.guild, draft, words))
    lines = [words("vote.begin.ask"), words("vote.begin.who", side=side, opponent=opponent)]
    lines += [f"- {line}" for line in _rules_lines(draft, terms, words)]
    label = words("button.vote_ask" if asks else "button.vote_begin")
    await ctx.show(["\n".join(lines), [BeginVotes.make(label, draft=str(draft)), KeepAll.to(words)]])


async def side_name(ctx: Context, guild: GuildId, draft: VoteDraft, words: Words) -> str:
    """Returns the plain name of the side: that of the role or of the server."""
    return await ctx.services.names.of_side(guild, draft.role) or words("vote.side")


async def _begin(ctx: Context, draft: VoteDraft, key: IdempotencyKey) -> list[Part]:
    """Begins the game where it belongs; returns what the user is told. Raises Refused."""
    assert ctx.guild is not None, "Discord offers the command on servers only"
    game = await draft.game(ctx, ctx.guild, await _place(ctx))
    if draft.level:
        ctx.services.coach.advisor(ctx.user)  # refused where the operator has no computer
    match = await ctx.use_cases.votes.begin(game, ctx.at, key)
    return await begun_game(ctx, match)


async def _place(ctx: Context) -> ChannelId:
    """Returns where the game belongs that is asked for here: no side has played another game. Raises Refused."""
    return await permissions.require_place_for(ctx, (None,), 2)


async def _post_card(ctx: Context, place: ChannelId, draft: VoteDraft, terms: Terms) -> None:
    """Asks the opponent, in the language of the server. Raises discord.HTTPException."""
    assert ctx.guild is not None, "Discord offers the command on servers only"
    words = await ctx.services.locales.for_guild(ctx.guild, ctx.user)
    until = Millis(ctx.at + ANSWER_MILLIS)
    text = words(
        "vote.card",
        opponent=f"<@{draft.against}>",
        side=escape(await side_name(ctx, ctx.guild, draft, words)),
        rules="\n".join(f"- {line}" for line in _rules_lines(draft, terms, words)),
        when=words.until(until),
    )

    def message() -> dict[str, Any]:
        answers = (
            AcceptVotes.make(words("button.accept"), draft=str(draft)),
            DeclineVotes.make(words("button.decline"), draft=str(draft)),
        )
        return {"content": text, "view": row(*answers), "allowed_mentions": mentions_of([draft.against])}

    await ctx.services.channels.post(place, message, f"{ctx.key}:vote", guild=ctx.guild)


def _rules_lines(draft: VoteDraft, terms: Terms, words: Words) -> list[str]:
    """Returns the rules, who votes, and for how long."""
    rules = rules_name(terms.game.key, terms.rule_set, words)
    voters = words("vote.begin.role", role=f"<@&{draft.role}>") if draft.role else words("vote.begin.all")
    return [
        f"{rules} {terms.game.options['size'].replace('x', '×')}",
        f"{voters} {words('vote.begin.rules')}",
        words("vote.begin.time", time=words.duration(draft.period), count=draft.quorum),
    ]


BUTTONS: tuple[type[Component], ...] = (BeginVotes, AcceptVotes, DeclineVotes)
