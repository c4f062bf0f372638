"""All that one chat platform needs over the use cases, built together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self

from chat.arena import ChatArenas
from chat.cards import ChatCards
from chat.conversation import Conversation
from chat.daily import ChatDailies
from chat.keepers import ChatKeepers
from chat.locales import Locales
from chat.names import ChatNames
from chat.notices import ChatDigests
from chat.own_accounts import ChatAccountNotices
from chat.port import ChatPlatform, Person
from chat.publisher import ChatPublisher
from chat.services import Coach, Jobs, Limits, Links, Services
from chat.strangers import ChatCalls
from play.ids import GuildId, Platform
from presentation.match.boards import MatchViews
from presentation.words.words import Languages, languages
from use_cases import UseCases
from use_cases.matches import MatchFactReader
from use_cases.own_accounts import OwnAccounts
from use_cases.privacy import Privacy
from use_cases.web_sessions import WebSessions


@dataclass(frozen=True, slots=True)
class ChatParts:
    """A platform with its conversation, and what the workers publish to it."""

    services: Services
    conversation: Conversation
    cards: ChatCards
    publisher: ChatPublisher
    digests: ChatDigests
    dailies: ChatDailies
    account_notices: ChatAccountNotices
    calls: ChatCalls
    arenas: ChatArenas
    keepers: ChatKeepers

    @property
    def platform(self) -> ChatPlatform:
        return self.services.platform

    @property
    def kind(self) -> Platform:
        return self.services.platform.kind

    def meet(self, person: Person, guild: GuildId | None = None) -> None:
        """Remembers a person's name and language, as their platform tells them."""
        self.services.meet(person, guild)

    @classmethod
    def build(
        cls,
        platform: ChatPlatform,
        use_cases: UseCases,
        *,
        presets: Sequence[str],
        limits: Limits,
        coach: Coach,
        jobs: Jobs,
        privacy: Privacy,
        own_accounts: OwnAccounts,
        sessions: WebSessions,
        links: Links | None = None,
        invitation: Callable[[], str | None] = lambda: None,
        on_discord: bool = True,
        spoken: Languages | None = None,
    ) -> Self:
        """Returns the parts; nothing of them runs yet."""
        words = (spoken or languages()).speaking(platform.markup)
        names = ChatNames(platform, words, use_cases.store)
        facts = MatchFactReader(use_cases.store)
        services = Services(
            platform=platform,
            use_cases=use_cases,
            languages=words,
            names=names,
            locales=Locales(use_cases.store, words, lambda: platform.own_id),
            views=MatchViews(facts, names, lambda: coach.has_computer, links.page_of if links else None),
            presets=presets,
            limits=limits,
            coach=coach,
            jobs=jobs,
            privacy=privacy,
            own_accounts=own_accounts,
            sessions=sessions,
            links=links,
            invitation=invitation,
            on_discord=on_discord,
        )
        cards = ChatCards(services)
        return cls(
            services=services,
            conversation=Conversation(services, cards),
            cards=cards,
            publisher=ChatPublisher(services),
            digests=ChatDigests(services),
            dailies=ChatDailies(services),
            account_notices=ChatAccountNotices(services),
            calls=ChatCalls(services),
            arenas=ChatArenas(services),
            keepers=ChatKeepers(services),
        )
