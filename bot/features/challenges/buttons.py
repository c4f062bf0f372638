"""The buttons of a challenge, on its card and elsewhere: accepting it, declining it, or other terms."""

import logging
import re
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import discord

from bot.addresses import link
from bot.features.match.button import begun_game
from bot.features.terms import terms_panel
from bot.features.terms.drafts import TermsBasis, TermsTarget
from bot.interactions import custom_ids as ids
from bot.interactions import errors, permissions
from bot.interactions.components import Component, Confirmation, confirm
from bot.interactions.context import Context, Services
from bot.interactions.layout import Part, button, row
from bot.markup import escape
from bot.services.discord_errors import ErrorCode, describe, is_final
from bot.services.guild_directory import WITH_THREADS
from bot.services.messages import mentions_of
from play.challenge.challenge import Challenge, ChallengeState
from play.challenge.terms import Terms
from play.competitions.ladder import has_to_answer
from play.ids import ChallengeId, ChannelId, GuildId, MessageId, Millis, UserId
from play.match.match import Match
from play.people.settings import ServerSettings
from play.refusal import Reason, Refused
from presentation.words.words import Words

log = logging.getLogger(__name__)


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


async def accept_elsewhere(
    services: Services, server: ServerSettings, challenge: Challenge, user: UserId, at: Millis, changes: int
) -> Match | None:
    """Accepts a challenge of a server whose card a user sees there; they may play on the server. Returns the match if
    it has begun. Raises Refused."""
    channel = await _visible_channel(services, challenge, server.id, user)
    await require_challenger(services, server.id, challenge, user)
    kind = discord.ChannelType(channel["type"])
    opens_thread = server.threads and challenge.message is not None and kind in WITH_THREADS
    thread = ChannelId(challenge.message) if opens_thread and challenge.message else None
    accept = services.use_cases.challenges.accept
    _, match = await accept(challenge.id, user, at, changes=changes, thread=thread)
    return match


async def require_challenger(services: Services, guild: GuildId | None, challenge: Challenge, user: UserId) -> None:
    """Raises Refused (`challenger_left`), and withdraws the challenge, if the challenger has left the server."""
    if guild is None or challenge.state is not ChallengeState.OPEN or challenge.challenger == user:
        return
    try:
        await services.directory.require_member(guild, challenge.challenger)
    except discord.NotFound as error:
        if error.code != ErrorCode.UNKNOWN_MEMBER:
            return
        await services.use_cases.challenges.withdraw(challenge.id)
        raise Refused(Reason.CHALLENGER_LEFT, user=challenge.challenger) from error
    except (discord.HTTPException, Refused) as error:  # who has left shows on the board, too
        log.info("challenge %d is accepted, whether or not its challenger has left: %s", challenge.id, error)


async def _visible_channel(services: Services, challenge: Challenge, guild: GuildId, user: UserId) -> dict[str, Any]:
    """Returns the channel of a card. Raises Refused: `no_challenge` if the user or the bot does not see it, and
    `chat_away`."""
    if not await services.rights.sees(guild, challenge.channel, user):
        raise Refused(Reason.NO_CHALLENGE)
    try:
        return dict(await services.channels.fetch(challenge.channel))
    except discord.HTTPException as error:
        log.info("challenge %d is not accepted: its channel is not shown: %s", challenge.id, describe(error))
        raise Refused(Reason.NO_CHALLENGE if is_final(error) else Reason.CHAT_AWAY) from error


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
        await challenge_of_channel(ctx, self.challenge)
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
        challenge = await challenge_of_channel(ctx, self.challenge)
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
        await challenge_of_channel(ctx, self.challenge)
        declined = await ctx.use_cases.challenges.decline(self.challenge, ctx.user, ctx.at)
        await ctx.services.cards.tell_proposer(declined, ctx.user)
        words = await ctx.words()
        return [words("ladder.declined")]


class ChangeTerms(ChallengeButton, id=ids.CHANGE_TERMS):
    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_private()
        await permissions.require_player(ctx)
        challenge = await challenge_of_channel(ctx, self.challenge)
        await ctx.use_cases.challenges.check_negotiable(challenge, ctx.user, ctx.at)
        await ctx.show(await self.panel(challenge, ctx))

    async def panel(self, challenge: Challenge, ctx: Context) -> list[Part]:
        """Returns what the player sees of it."""
        return await counter_offer_panel(challenge, ctx)


class ProposeFair(ChangeTerms, id=ids.PROPOSE_FAIR):
    async def panel(self, challenge: Challenge, ctx: Context) -> list[Part]:
        return await fair_offer_panel(challenge, ctx)


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
    message = ctx.interaction.message
    return ChannelId(message.id) if message and await permissions.opens_thread(ctx, ctx.channel) else None


class AcceptAtHome(ChallengeButton, id=ids.ACCEPT_AT_HOME):
    """Accepts a challenge whose card is in another channel of the same server."""

    style = discord.ButtonStyle.success

    async def pressed(self, ctx: Context) -> None:
        await ctx.defer_private()
        challenge = await ctx.use_cases.challenges.load(self.challenge)
        if challenge.guild is None or challenge.guild != permissions.installed_guild(ctx):
            raise Refused(Reason.NO_CHALLENGE)
        server, user = await permissions.require_player(ctx), ctx.user
        match = await accept_elsewhere(ctx.services, server, challenge, user, ctx.at, self.changes)
        if match is None:
            words = await ctx.words()
            await ctx.reply(words("home.joined", url=link(challenge.guild, challenge.channel, challenge.message)))
            return
        await ctx.show(await begun_game(ctx, match))


BUTTONS: tuple[type[Component], ...] = (
    *(AcceptChallenge, LeaveChallenge, DeclineChallenge, ChangeTerms, ProposeFair),
    *(AskToDecline, ForfeitPlace),
    AcceptAtHome,
)
