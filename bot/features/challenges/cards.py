"""The challenge card: every setting of the offered match in words, who has agreed, and what became of the offer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

import discord

from bot.features.challenges import buttons
from bot.features.challenges.terms_text import compare, settings
from bot.interactions.context import Context
from bot.interactions.errors import is_final
from bot.services.channels import ChannelMessenger
from bot.services.locales import Locales
from bot.services.names import escape
from bot.services.text_limits import fit
from play.challenge.challenge import Challenge, ChallengeState
from play.ids import MessageId
from play.services.challenges import Challenges
from play.store import Store

if TYPE_CHECKING:
    from bot.i18n.words import Words
    from bot.services.names import Names
    from play.ids import ChallengeId

log = logging.getLogger(__name__)


async def card_text(challenge: Challenge, names: Names, words: Words, *, borrowed: bool = False) -> str:
    """The text of a challenge's message, whatever its state. Where the bot is not, but was brought along, it says what
    does not work there."""
    guild, is_open = challenge.guild, challenge.state is ChallengeState.OPEN
    challenger = escape(await names.of(challenge.challenger, guild))
    lines = [await _head(challenge, challenger, names, words)]
    now = settings(challenge.terms, challenger, words)
    lines += compare(now, settings(challenge.first, challenger, words) if challenge.first else now)
    if challenge.joined and challenge.seats > 2:
        joined = escape(", ".join(await names.of_all(challenge.joined, guild)))
        lines.append(words("card.joined", joined=joined))
    if not is_open:
        return "\n".join((*lines, words(f"card.state.{challenge.state}")))
    if challenge.seats > 2:
        lines.append(words("card.wanted", count=challenge.seats - 1 - len(challenge.joined)))
    lines.append(f"-# {words(f'preset.{challenge.terms.game.key}.help')}")
    lines.append(words("card.expires", when=f"<t:{challenge.expires // 1000}:R>"))
    if borrowed:
        lines.append(f"-# {words('card.borrowed')}")
    return "\n".join(lines)


async def _head(challenge: Challenge, challenger: str, names: Names, words: Words) -> str:
    """Who asks whom. Only those are mentioned who have to answer; a card that was decided mentions nobody."""
    if challenge.opponent is None:
        return words("card.several" if challenge.seats > 2 else "card.open", challenger=challenger)
    opponent = escape(await names.of(challenge.opponent, challenge.guild))
    if challenge.by is not None:
        if challenge.state is ChallengeState.OPEN:
            challenger = f"<@{challenge.challenger}>"
        return words("card.counter", challenger=challenger, opponent=opponent)
    asked = f"<@{challenge.opponent}>" if challenge.state is ChallengeState.OPEN else f"**{opponent}**"
    if challenge.instead is not None:
        return words("card.instead", challenger=challenger, opponent=asked)
    key = "card.changed" if challenge.first else "card.personal"
    return words(key, challenger=challenger, opponent=asked)


def awaited_mentions(challenge: Challenge) -> discord.AllowedMentions:
    """Nobody but the person whose answer the card asks for."""
    asked = challenge.challenger if challenge.by else challenge.opponent
    users = [discord.Object(asked)] if asked else []
    return discord.AllowedMentions(users=users, everyone=False, roles=False, replied_user=False)


class Cards:
    """Implements play.workers.card_refresher.Cards. A process writes a card once at a time: the newest words stay."""

    def __init__(
        self,
        store: Store,
        challenges: Challenges,
        channels: ChannelMessenger,
        locales: Locales,
        names: Names,
        posted: Callable[[Challenge, MessageId], Awaitable[None]],
    ) -> None:
        """`posted` is told of each card that a new challenge gets."""
        self._store = store
        self._challenges = challenges
        self._channels = channels
        self._locales = locales
        self._names = names
        self._posted = posted
        self._writing: WeakValueDictionary[ChallengeId, asyncio.Lock] = WeakValueDictionary()

    async def post(self, challenge: Challenge) -> MessageId:
        """Posts the card of a new challenge, and returns its message. A challenge that nobody can see is taken back.

        Raises discord.HTTPException.
        """
        words = await self._locales.for_challenge(challenge)
        async with self._writing.setdefault(challenge.id, asyncio.Lock()):
            if (posted_already := (await self._challenges.load(challenge.id)).message) is not None:
                return posted_already  # an interaction that was delivered twice
            try:
                content = await self._content(challenge, words)
                view, mentions = buttons.view(challenge, words), awaited_mentions(challenge)
                posted = await self._channels.post(
                    challenge.channel,
                    lambda: {"content": content, "view": view, "allowed_mentions": mentions},
                    f"challenge:{challenge.id}",
                )
            except discord.HTTPException:
                await self._challenges.decline(challenge.id, challenge.challenger, challenge.made)
                raise
            await self._note_shown(challenge, posted)
        await self._posted(challenge, posted)
        return posted

    async def redraw(self, challenge: Challenge) -> None:
        """See play.workers.card_refresher.Cards."""
        async with self._writing.setdefault(challenge.id, asyncio.Lock()):
            newest = await self._challenges.load(challenge.id)
            message = newest.message
            assert message is not None, "a card that is behind was posted"
            words = await self._locales.for_challenge(newest)
            content = await self._content(newest, words)
            try:
                view = buttons.view(newest, words)
                await self._channels.edit(newest.channel, message, content=content, view=view)
            except discord.HTTPException as error:
                if not is_final(error):
                    log.warning("the card of challenge %d will be tried again: %s", newest.id, error)
                    return
                log.info("the card of challenge %d stays as it is: %s", newest.id, error)
            await self._note_shown(newest, message)

    async def redraw_pressed(self, challenge: ChallengeId, ctx: Context) -> None:
        """Writes the card on which somebody has pressed a button, also one that an earlier crash left behind."""
        async with self._writing.setdefault(challenge, asyncio.Lock()):
            newest = await self._challenges.load(challenge)
            words = await self._locales.for_challenge(newest)
            content = await self._content(newest, words)
            message = await ctx.interaction.edit_original_response(
                content=fit(content), view=buttons.view(newest, words)
            )
            await self._note_shown(newest, MessageId(message.id))

    async def _content(self, challenge: Challenge, words: Words) -> str:
        borrowed = self._channels.is_user_install(challenge.channel)
        return await card_text(challenge, self._names, words, borrowed=borrowed)

    async def _note_shown(self, challenge: Challenge, message: MessageId) -> None:
        async with self._store.write() as tx:
            await tx.challenges.mark_card_posted(challenge.id, challenge.version, message)
