"""The cards of challenges on a chat platform: posted with their buttons, kept true, and folded to one line."""

from __future__ import annotations

import logging

from cachetools import LRUCache

from chat.messages import Button, Message
from chat.request import button
from chat.services import Services
from play.challenge.challenge import Challenge, ChallengeState
from play.ids import ChallengeId, MessageId
from presentation.challenge_cards import awaited_user, card_text, decided_text
from presentation.words.words import Words
from use_cases.keyed_locks import KeyedLocks
from use_cases.worker import Undeliverable, Unsendable

log = logging.getLogger(__name__)

CACHE_SIZE = 5_000
"""Cards of which it is known what they show."""


class ChatCards:
    """Implements use_cases.workers.news_relay.Cards over a platform, and posts new ones."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._platform = services.platform
        self._challenges = services.use_cases.challenges
        self._locks = KeyedLocks[ChallengeId]()
        self._shown: LRUCache[ChallengeId, int] = LRUCache(CACHE_SIZE)

    async def post(self, challenge: Challenge) -> MessageId:
        """Posts the card of a new challenge, and returns its message.

        Raises what the platform raises; the challenge, which nobody can see, is withdrawn then.
        """
        async with self._locks.of(challenge.id):
            if (posted_already := (await self._challenges.load(challenge.id)).message) is not None:
                return posted_already
            try:
                message = await self._message(challenge)
                posted = await self._platform.post(challenge.channel, message, f"c{challenge.id:x}")
            except Exception:
                await self._challenges.withdraw(challenge.id)
                raise
            await self._note_shown(challenge, posted)
        if challenge.rematch_of is not None:
            self._services.use_cases.events.rematch_changed(challenge.rematch_of)
        return posted

    async def redraw(self, challenge: Challenge) -> None:
        """See use_cases.workers.news_relay.Cards."""
        await self.show_now(challenge.id)

    async def show_now(self, challenge: ChallengeId) -> None:
        """Shows a challenge on its card as it is now. Raises RetryLater and Refused."""
        async with self._locks.of(challenge):
            newest = await self._challenges.load(challenge)
            if newest.message is None or self._shown.get(challenge) == newest.version:
                return
            try:
                await self._platform.edit(newest.channel, newest.message, await self._message(newest))
            except (Undeliverable, Unsendable) as gone:
                log.info("the card of challenge %d stays as it is: %s", challenge, gone)
                newest = await self._challenges.withdraw(challenge)
            await self._note_shown(newest, newest.message)

    async def tell_declined(self, challenge: Challenge, by: str) -> None:
        """Tells the player whose offer was declined, since an edit of the card calls nobody."""
        words = await self._services.locales.for_challenge(challenge)
        user = challenge.proposer
        asker = words.mention(user, await self._services.names.of(user, challenge.guild))
        message = Message(words("challenge.declined", asker=asker, name=words.literal(by)), pinged=(user,))
        await self._platform.post(challenge.channel, message, f"d{challenge.id:x}", reply_to=challenge.message)

    async def _message(self, challenge: Challenge) -> Message:
        words = await self._services.locales.for_challenge(challenge)
        names = self._services.names
        if challenge.state is not ChallengeState.OPEN:
            return Message(await decided_text(challenge, None, None, names, words))
        asked = awaited_user(challenge)
        async with self._services.store.read() as reader:
            now = await reader.clock.now()
        text = await card_text(challenge, names, words, now)
        return Message(text, buttons=card_rows(challenge, words.plain), pinged=(asked,) if asked else ())

    async def _note_shown(self, challenge: Challenge, message: MessageId | None) -> None:
        if message is not None:
            async with self._services.store.write() as tx:
                await tx.challenges.mark_card_posted(challenge.id, challenge.version, message)
            self._shown[challenge.id] = challenge.version


def card_rows(challenge: Challenge, words: Words) -> tuple[tuple[Button, ...], ...]:
    """Returns the buttons of an open challenge's card."""
    several, is_open, at = challenge.seats > 2, challenge.opponent is None, (challenge.id, challenge.changes)
    first = [button(words("button.join") if several else words("button.accept"), "take", *at)]
    if several:
        first.append(button(words("button.leave"), "leave", challenge.id))
    first.append(button(words("button.withdraw") if is_open else words("button.decline"), "drop", challenge.id))
    change = button(words("button.change"), "terms", *at)
    return (tuple(first), *([] if challenge.terms.game.opening else [(change,)]))
