"""People on a chat platform with the use cases and relays of a bot, driven step by step."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from bot.features.registry import offered_presets
from bot.telemetry.metrics import Metrics
from chat.parts import ChatParts
from chat.routing import RoutedAccountNotices
from play.ids import ChannelId, GuildId, UserId
from play.match.match import Match
from play.people.settings import PlayerSettings
from play.refusal import Reason, Refused
from presentation.words.words import languages
from storage import Database
from tests.bot.jobs import job_pool
from tests.chat.driving import Driver, Seen, Who
from tests.clock import StoppedClock
from use_cases import UseCases
from use_cases.channel_rights import ChannelRights
from use_cases.own_accounts import OwnAccounts
from use_cases.privacy import Privacy
from use_cases.web_sessions import WebSessions
from use_cases.worker import Backoff, Timing
from use_cases.workers.news_relay import CardRefresher
from use_cases.workers.outbox_relay import OutboxRelay

MakeDriver = Callable[[UseCases, StoppedClock], Driver]
BOARD_LABELS = frozenset(words(key) for words in languages() for key in ("button.more", "button.rematch"))
"""A label that every board has, in each language."""

EAGER = Timing(backoff=Backoff(min_seconds=0.001))


class Unlimited:
    """Limits that nothing reaches."""

    def admit_user(self, user: UserId, guild: GuildId | None) -> None: ...

    def count_card(self, channel: ChannelId) -> None: ...

    def count_code(self, user: UserId, guild: GuildId | None) -> None: ...

    def count_phrase(self, user: UserId, phrase: str) -> None: ...


class NoCoach:
    """A bot without the computer."""

    has_computer = False

    def advisor(self, asker: int) -> Any:
        raise Refused(Reason.NO_COMPUTER)

    async def review(self, match: Match, user: UserId) -> Any:
        raise Refused(Reason.NO_COMPUTER)


class NoRoles:
    """A platform that gives no roles."""

    async def revoke(self, user: UserId) -> None: ...

    def wake(self) -> None: ...


class NoMembers:
    """A platform that tells nothing of rights to the web."""

    async def rights(self, guild: GuildId, channel: ChannelId, user: UserId) -> None:
        return None


class World:
    """A group with people and the bot, driven step by step: `say` and `press` return the messages that came or changed
    by it."""

    def __init__(
        self, store: Database, clock: StoppedClock, make: MakeDriver, coach: Any = None, *, on_discord: bool = True
    ) -> None:
        self.clock, self.store = clock, store
        self.use_cases = UseCases.over(store, seeds=lambda: 0)
        self.driver = make(self.use_cases, clock)
        self.accounts = RoutedAccountNotices({})
        rights = ChannelRights(store, NoMembers())  # type: ignore[arg-type]
        self.parts = ChatParts.build(
            self.driver.platform,
            self.use_cases,
            presets=offered_presets(dot_dash=True),
            limits=Unlimited(),
            coach=coach or NoCoach(),
            jobs=job_pool(Metrics(frozenset())),
            privacy=Privacy(self.use_cases, NoRoles()),
            own_accounts=OwnAccounts(store, self.accounts),
            sessions=WebSessions(store, self.use_cases.events, rights),
            on_discord=on_discord,
        )
        self.accounts.by_platform[self.parts.kind] = self.parts.account_notices
        self.relay = OutboxRelay(store, self.parts.publisher, EAGER)
        self.refresher = CardRefresher(store, self.parts.cards, EAGER)

    async def open(self) -> None:
        """Lets the bot and the group be there."""
        await self.driver.open(self.parts)

    async def join(self, name: str, language: str | None = "en", *, confirms: bool = False) -> Who:
        """Returns a new person, whose moves count at once unless they confirm them."""
        who = await self.driver.join(name, language)
        async with self.store.write() as tx:
            own = None if self.driver.tells_languages else language
            await tx.people.save(PlayerSettings(who.user, own, confirm_days=confirms))
        return who

    async def say(self, who: Who, text: str, **more: Any) -> list[Seen]:
        """Lets a person type a line."""
        return await self._watch(self.driver.say(who, text, **more))

    async def press(self, who: Who, seen: Seen, label: str) -> list[Seen]:
        """Lets a person press the button of a message with this label."""
        return await self._watch(self.driver.press(who, seen, label))

    async def _watch(self, act: Awaitable[None]) -> list[Seen]:
        before = {each.key: each for each in self.driver.seen()}
        await act
        await self.settle()
        return [each for each in self.driver.seen() if before.get(each.key) != each]

    async def settle(self) -> None:
        """Has all boards posted and all cards drawn that wait."""
        for key in await self.relay.pending(50):
            while await self.relay.process(key):
                pass
        for card in await self.refresher.pending(50):
            await self.refresher.process(card)

    async def begin(self, one: Who, other: Who, terms: str = "20x20, 3d, first") -> Seen:
        """Lets two people begin a game, whose first move is `one`'s; returns its board."""
        card = (await self.say(one, f"/challenge @{other.name} {terms}", mention=other))[-1]
        await self.press(other, card, "Accept")
        return self.board()

    def board(self) -> Seen:
        """Returns the newest board in the group."""
        boards = [each for each in self.driver.seen() if each.picture and BOARD_LABELS & {*each.labels}]
        boards = [each for each in boards if each.reader is None]
        assert boards, [each.text for each in self.driver.seen()]
        return boards[-1]

    async def match(self, who: Who) -> Match:
        """Returns the newest game of a person as it is stored."""
        async with self.store.read() as reader:
            entries = await reader.matches.open_of(who.user)
            found = entries[0].id if entries else (await reader.careers.finished(who.user, 0, 1))[0].id
            stored = await reader.matches.get(found)
        assert stored is not None
        return stored
