"""The buttons of a challenge's card: all they know is in their custom id, and every click is judged anew."""

from __future__ import annotations

from typing import Self

import discord

from bot.features.challenges import counter_offers
from bot.features.challenges.joining import require_challenger
from bot.features.match.begun_game import begun_game
from bot.interactions import custom_ids as ids
from bot.interactions import errors, permissions
from bot.interactions.buttons import button, row
from bot.interactions.components import Component
from bot.interactions.context import Context
from bot.interactions.layout import Part
from bot.interactions.questions import Confirmation, confirm
from bot.request import is_user_install
from bot.services.guild_directory import WITH_THREADS
from play.challenge.challenge import Challenge, ChallengeState
from play.competitions.ladder import has_to_answer
from play.ids import ChallengeId, ChannelId, UserId
from play.match.match import Match
from presentation.text import escape
from presentation.words.words import Words


class ChallengeButton(Component):
    """A button for the terms of a challenge as they are after so many changes: `challenge:12:0:accept`."""

    challenge: ChallengeId
    changes: int

    @classmethod
    def to(cls, challenge: Challenge, label: str) -> Self:
        """Returns the button under the present terms."""
        return cls.make(label, challenge=challenge.id, changes=challenge.changes)

    async def pressed(self, ctx: Context) -> None:
        """Acts, and shows on the card how the challenge is now, also where the player was refused."""
        await ctx.defer_update()
        await counter_offers.challenge_of_channel(ctx, self.challenge)
        begun = None
        try:
            begun = await self.act(ctx)
        except Exception as error:
            await errors.reply_error(ctx, error)
        await ctx.services.cards.redraw_pressed(self.challenge, ctx)
        if begun is not None and begun.channel != ctx.channel:  # else its board follows the card
            await ctx.show(await begun_game(ctx, begun))

    async def act(self, ctx: Context) -> Match | None:
        """Does what the button says, and returns the game that has begun by it. Raises Refused."""
        raise NotImplementedError


class AcceptChallenge(ChallengeButton, id=ids.ACCEPT):
    style = discord.ButtonStyle.success

    async def act(self, ctx: Context) -> Match | None:
        challenges = ctx.use_cases.challenges
        await permissions.require_player(ctx)
        offered, guild = await challenges.load(self.challenge), permissions.installed_guild(ctx)
        await require_challenger(ctx.services, guild, offered, ctx.user)
        thread = await _future_thread(ctx)
        _, begun = await challenges.accept(self.challenge, ctx.user, ctx.at, changes=self.changes, thread=thread)
        return begun


class LeaveChallenge(ChallengeButton, id=ids.LEAVE_CHALLENGE):
    async def act(self, ctx: Context) -> None:
        await ctx.use_cases.challenges.leave(self.challenge, ctx.user, ctx.at)


class DeclineChallenge(ChallengeButton, id=ids.DECLINE):
    """Declines the challenge or the counter-offer to it. A card for anyone has it as *Withdraw*; where it says
    *Decline*, the challenger is led to that instead."""

    async def act(self, ctx: Context) -> None:
        challenge = await ctx.use_cases.challenges.load(self.challenge)
        if challenge.opponent is not None and _is_own(challenge, ctx.user):
            await _show_withdraw(ctx, challenge)
            return
        if await _withdrawn_by_moderator(ctx, self.challenge):
            return
        declined = await ctx.use_cases.challenges.decline(self.challenge, ctx.user, ctx.at)
        if declined.state is not ChallengeState.OPEN and declined.proposer != ctx.user:
            await ctx.services.cards.tell_proposer(declined, ctx.user)


class AskToDecline(ChallengeButton, id=ids.ASK_TO_DECLINE):
    """Declines a ladder game that has to be played: the defender is told what it costs, and asked."""

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_private()
        challenge = await counter_offers.challenge_of_channel(ctx, self.challenge)
        ladder = await ctx.use_cases.ladders.of_challenge(challenge.id)
        words = await ctx.words()
        if _is_own(challenge, ctx.user):
            await _show_withdraw(ctx, challenge)
            return
        if challenge.state is not ChallengeState.OPEN or ladder is None or ctx.user != challenge.opponent:
            if not await _withdrawn_by_moderator(ctx, challenge.id):
                await ctx.use_cases.challenges.decline(challenge.id, ctx.user, ctx.at)
            await ctx.reply(words("ladder.withdrawn"))
            return
        challenger = escape(await ctx.services.names.of(challenge.challenger, challenge.guild))
        text = words("ladder.decline.ask", place=ladder.place(ctx.user), challenger=challenger)
        await confirm(ctx, text, ForfeitPlace.to(challenge, words("ladder.decline.sure")))


class ForfeitPlace(Confirmation, ChallengeButton, id=ids.FORFEIT):
    """Declines a ladder game."""

    async def carry_out(self, ctx: Context) -> list[Part]:
        await counter_offers.challenge_of_channel(ctx, self.challenge)
        declined = await ctx.use_cases.challenges.decline(self.challenge, ctx.user, ctx.at)
        await ctx.services.cards.tell_proposer(declined, ctx.user)
        words = await ctx.words()
        return [words("ladder.declined")]


class ChangeTerms(ChallengeButton, id=ids.CHANGE_TERMS):
    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_private()
        await permissions.require_player(ctx)
        challenge = await counter_offers.challenge_of_channel(ctx, self.challenge)
        await ctx.use_cases.challenges.check_negotiable(challenge, ctx.user, ctx.at)
        await ctx.show(await self.panel(challenge, ctx))

    async def panel(self, challenge: Challenge, ctx: Context) -> list[Part]:
        """Returns what the player sees of it."""
        return await counter_offers.counter_offer_panel(challenge, ctx)


class ProposeFair(ChangeTerms, id=ids.PROPOSE_FAIR):
    async def panel(self, challenge: Challenge, ctx: Context) -> list[Part]:
        return await counter_offers.fair_offer_panel(challenge, ctx)


def card_buttons(challenge: Challenge, words: Words, *, on_ladder: bool = False, fair: bool = False) -> discord.ui.View:
    """Returns the buttons of an open challenge's card. A ladder has its own terms; *Fair?* needs an answer."""
    if on_ladder:
        decline = AskToDecline if has_to_answer(challenge.terms) else DeclineChallenge
        return row(
            AcceptChallenge.to(challenge, words("button.accept")), decline.to(challenge, words("button.decline"))
        )
    several, is_open = challenge.seats > 2, challenge.opponent is None
    buttons: list[ChallengeButton] = [
        AcceptChallenge.to(challenge, words("button.join") if several else words("button.accept")),
        *([] if challenge.terms.game.opening else [ChangeTerms.to(challenge, words("button.change"))]),
        DeclineChallenge.to(challenge, words("button.withdraw") if is_open else words("button.decline")),
    ]
    if several:
        buttons.insert(1, LeaveChallenge.to(challenge, words("button.leave")))
    elif fair:
        buttons.append(ProposeFair.to(challenge, words("terms.fair")))
    return row(*buttons)


def _is_own(challenge: Challenge, user: UserId) -> bool:
    """Returns whether the open challenge is the user's own and on their terms, so that they can only withdraw it."""
    return challenge.state is ChallengeState.OPEN and user == challenge.challenger == challenge.proposer


async def _show_withdraw(ctx: Context, challenge: Challenge) -> None:
    """Says that the challenge is the player's own, with the button that withdraws it. The interaction is
    acknowledged."""
    words = await ctx.words()
    withdraw = button(ids.WITHDRAW_OWN(challenge=challenge.id), words("button.withdraw"))
    await ctx.show([words("challenge.own"), [withdraw]])


async def _withdrawn_by_moderator(ctx: Context, challenge: ChallengeId) -> bool:
    """Withdraws the challenge of others for a moderator; returns whether that was it."""
    offered = await ctx.use_cases.challenges.load(challenge)
    is_theirs = ctx.user in (offered.challenger, offered.opponent)
    may = ctx.interaction.permissions.manage_messages and permissions.installed_guild(ctx) is not None
    if is_theirs or not may or offered.state is not ChallengeState.OPEN:
        return False
    withdrawn = await ctx.use_cases.challenges.withdraw_as_moderator(challenge, ctx.user, ctx.guild, ctx.at)
    await ctx.services.cards.tell_proposer(withdrawn)
    return True


async def _future_thread(ctx: Context) -> ChannelId | None:
    """Returns the id that a thread of the card would have, which is that of its message; None if none can be made."""
    may, channel, message = ctx.interaction.app_permissions, ctx.interaction.channel, ctx.interaction.message
    if message is None or channel is None or channel.type not in WITH_THREADS:
        return None
    if is_user_install(ctx.interaction):
        return None
    if not (may.create_public_threads and may.send_messages_in_threads):
        return None
    return ChannelId(message.id) if (await permissions.server_settings(ctx)).threads else None


BUTTONS: tuple[type[ChallengeButton], ...] = (
    *(AcceptChallenge, LeaveChallenge, DeclineChallenge, ChangeTerms, ProposeFair),
    *(AskToDecline, ForfeitPlace),
)
