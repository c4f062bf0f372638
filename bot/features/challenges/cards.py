"""The challenge card: every setting of the offered game in words, its cost, and who has agreed; in the end one line."""

import logging
from collections.abc import Awaitable, Callable

import discord

from bot.addresses import link
from bot.features.challenges.buttons import card_buttons
from bot.features.terms.terms_panel import can_propose_on_card
from bot.interactions.context import Context
from bot.interactions.layout import row
from bot.markup import escape
from bot.services.channels import ChannelMessenger
from bot.services.discord_errors import ErrorCode, describe, is_final
from bot.services.locales import Locales
from bot.services.messages import fit, mentions_of
from bot.services.names import Names
from play.challenge.challenge import Challenge, ChallengeState
from play.ids import ChallengeId, MessageId, UserId
from presentation.challenge_cards import awaited_user, card_text, decided_text
from use_cases import UseCases
from use_cases.keyed_locks import KeyedLocks
from use_cases.worker import RetryLater

log = logging.getLogger(__name__)


def awaited_mentions(challenge: Challenge) -> discord.AllowedMentions:
    """Returns the permission to mention the player whose answer the card asks for."""
    asked = awaited_user(challenge)
    return mentions_of([asked] if asked else [])


class CardPublisher:
    """Implements use_cases.workers.news_relay.Cards. A process writes a card once at a time: newest words stay."""

    def __init__(
        self,
        use_cases: UseCases,
        channels: ChannelMessenger,
        locales: Locales,
        names: Names,
        on_posted: Callable[[Challenge, MessageId], Awaitable[None]],
    ) -> None:
        """Calls `on_posted` after it has posted the card of a new challenge."""
        self._store = use_cases.store
        self._challenges = use_cases.challenges
        self._events = use_cases.events
        self._channels = channels
        self._locales = locales
        self._names = names
        self._on_posted = on_posted
        self._locks = KeyedLocks[ChallengeId]()

    async def post(self, challenge: Challenge) -> MessageId:
        """Posts the card of a new challenge, and returns its message.

        Raises discord.HTTPException; the challenge, which nobody can see, is withdrawn then. Raises what `on_posted`
        raises.
        """
        async with self._locks.of(challenge.id):
            if (posted_already := (await self._challenges.load(challenge.id)).message) is not None:
                return posted_already  # an interaction that was delivered twice
            try:
                content, view = await self._content(challenge)
                message = {"content": content, "view": view, "allowed_mentions": awaited_mentions(challenge)}
                once = f"challenge:{challenge.id}"
                posted = await self._channels.post(challenge.channel, lambda: message, once, guild=challenge.guild)
            except discord.HTTPException:
                await self._challenges.decline(challenge.id, challenge.challenger, challenge.made)
                raise
            await self._note_shown(challenge, posted)
        if challenge.rematch_of is not None:
            self._events.rematch_changed(challenge.rematch_of)
        await self._on_posted(challenge, posted)
        return posted

    async def redraw(self, challenge: Challenge) -> None:
        """See use_cases.workers.news_relay.Cards."""
        async with self._locks.of(challenge.id):
            newest = await self._challenges.load(challenge.id)
            message = newest.message
            assert message is not None, "an outdated card was posted"
            content, view = await self._content(newest)
            try:
                await self._channels.edit(newest.channel, message, content=content, view=view)
            except discord.HTTPException as error:
                if not is_final(error):
                    raise RetryLater(describe(error)) from error
                log.info("the card of challenge %d stays as it is: %s", newest.id, describe(error))
                if error.code == ErrorCode.UNKNOWN_MESSAGE:
                    newest = await self._challenges.withdraw(newest.id)
            await self._note_shown(newest, message)

    async def redraw_pressed(self, challenge: ChallengeId, ctx: Context) -> None:
        """Redraws the card whose button the player has pressed, also one that an earlier crash left outdated."""
        async with self._locks.of(challenge):
            newest = await self._challenges.load(challenge)
            content, view = await self._content(newest)
            message = await ctx.interaction.edit_original_response(content=fit(content), view=view)
            await self._note_shown(newest, MessageId(message.id))

    async def tell_proposer(self, ended: Challenge, decliner: UserId | None = None) -> None:
        """See bot.interactions.context.ChallengeCards."""
        words = await self._locales.for_challenge(ended)
        asker = f"<@{ended.proposer}>"
        if decliner is None:
            content = words("challenge.withdrawn", asker=asker)
        else:
            name = escape(await self._names.of(decliner, ended.guild))
            content = words("challenge.declined", asker=asker, name=name)
        message = {"content": content, "allowed_mentions": mentions_of([ended.proposer])}
        card = ended.message and discord.MessageReference(
            message_id=ended.message, channel_id=ended.channel, fail_if_not_exists=False
        )
        once = f"declined:{ended.id}"
        try:
            await self._channels.post(ended.channel, lambda: message, once, guild=ended.guild, reference=card or None)
        except discord.HTTPException as error:  # the card says it, too
            log.info("nobody is told that challenge %d has ended: %s", ended.id, error)

    async def _content(self, challenge: Challenge) -> tuple[str, discord.ui.View]:
        """Returns the text and the buttons of the card."""
        words = await self._locales.for_challenge(challenge)
        if challenge.state is not ChallengeState.OPEN:
            async with self._store.read() as reader:
                match = await reader.matches.get(challenge.match) if challenge.match is not None else None
            url = link(match.guild, match.channel) if match else None
            return await decided_text(challenge, match, url, self._names, words), row()
        user_install = self._channels.is_user_install(challenge.channel)
        async with self._store.read() as reader:
            ladder = await reader.ladders.of_challenge(challenge.id)
            fair, now = await can_propose_on_card(reader, challenge), await reader.clock.now()
        text = await card_text(challenge, self._names, words, now, user_install=user_install, ladder=ladder)
        return text, card_buttons(challenge, words, on_ladder=ladder is not None, fair=fair)

    async def _note_shown(self, challenge: Challenge, message: MessageId) -> None:
        async with self._store.write() as tx:
            await tx.challenges.mark_card_posted(challenge.id, challenge.version, message)
