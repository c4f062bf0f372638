"""What the conversation needs of the program around it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from chat.locales import Locales
from chat.names import ChatNames
from chat.port import ChatPlatform, Person
from opponent.captures import Oversight
from opponent.choice import Budget, Choice
from opponent.review import Review
from play.ids import ChannelId, GuildId, MatchId, Millis, UserId
from play.match.match import Match
from play.people.settings import ServerSettings
from presentation.match.boards import MatchViews
from presentation.words.words import Languages
from rules.game import AnyPosition
from storage import Database
from use_cases import UseCases
from use_cases.own_accounts import OwnAccounts
from use_cases.privacy import Privacy
from use_cases.public_pages import FinishedGame
from use_cases.web_sessions import WebSessions

T = TypeVar("T")


class Advisor(Protocol):
    """The computer, as it helps players."""

    async def help(self, position: AnyPosition, budget: Budget | None, seed: int, level: int = ...) -> Choice:
        """Returns a choice for a player. Raises Refused (`computer_busy`, `lane_yours`)."""

    async def look(self, position: AnyPosition, move: str) -> Oversight | None:
        """Returns the captures that a move overlooks. Raises Refused (`computer_busy`, `lane_yours`)."""


class Coach(Protocol):
    """Hints and reviews by the computer."""

    @property
    def has_computer(self) -> bool: ...

    def advisor(self, asker: int) -> Advisor:
        """Returns the computer as it helps a user. Raises Refused (`no_computer`)."""

    async def review(self, match: Match, user: UserId) -> Review:
        """Returns the review of a match. Raises Refused."""


class Pictures(Protocol):
    """A worker process for what takes long to draw."""

    async def make(self, user: int, work: Callable[..., T], /, *arguments: Any, keep: bool = True) -> T:
        """Returns what a function returns that can be pickled. Raises Refused."""


class Jobs(Protocol):
    """Work that is done elsewhere, one piece a user at a time."""

    @property
    def pictures(self) -> Pictures: ...

    def one_at_a_time(self, user: int) -> AbstractContextManager[None]:
        """Raises Refused (`lane_yours`) while the user's last request is at work."""


class Limits(Protocol):
    """How much people may ask for."""

    def admit_user(self, user: UserId, guild: GuildId | None) -> None:
        """Counts a request of a user. Raises Refused (`closing`, `too_fast`, `server_too_fast`, `server_blocked`,
        `user_blocked`)."""

    def count_card(self, channel: ChannelId) -> None:
        """Counts a challenge in a place. Raises Refused (`too_many_cards`)."""

    def count_code(self, user: UserId, guild: GuildId | None) -> None:
        """Counts a friend's code that a user tries. Raises Refused (`too_many_codes`)."""

    def count_phrase(self, user: UserId, phrase: str) -> None:
        """Counts a phrase that a player says to a stranger. Raises Refused (`too_fast`)."""


class Links(Protocol):
    """The addresses of the site, where the operator has one."""

    @property
    def guides(self) -> str: ...

    @property
    def arena(self) -> str: ...

    def friend(self, code: str) -> str:
        """Returns the address of the page of what a code offers a friend."""

    def board(self, match: MatchId) -> str:
        """Returns the address of a board, for browsers that its player is signed in with."""

    async def page_of(self, match: MatchId, game: FinishedGame, server: ServerSettings | None) -> str | None:
        """Returns the address of the page of a finished game, if it has one."""

    def make(self, user: UserId, match: MatchId | None, now: Millis, *, key: str, seen: ChannelId | None) -> str:
        """Returns the address with which a user enters, once."""


@dataclass(frozen=True, slots=True)
class Services:
    """What handlers of one platform may use. `links` is None without a site, `invitation` the address that adds the bot
    to a server of Discord, where all competitions are if the program runs there, too."""

    platform: ChatPlatform
    use_cases: UseCases
    languages: Languages
    names: ChatNames
    locales: Locales
    views: MatchViews
    presets: Sequence[str]
    limits: Limits
    coach: Coach
    jobs: Jobs
    privacy: Privacy
    own_accounts: OwnAccounts
    sessions: WebSessions
    links: Links | None = None
    invitation: Callable[[], str | None] = lambda: None
    on_discord: bool = True

    @property
    def store(self) -> Database:
        return self.use_cases.store

    def meet(self, person: Person, guild: GuildId | None) -> None:
        """Remembers a person's name and language, as their platform tells them."""
        self.names.meet(person, guild)
        if person.language is not None:
            self.locales.remember_person(person.id, person.language)
