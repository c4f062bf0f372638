"""What the site needs of the program around it: limits, workers, the computer, and the platform's application."""

from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from typing import Any, NamedTuple, Protocol, TypeVar

from opponent.captures import Oversight
from opponent.choice import Budget, Choice
from opponent.review import Review
from play.challenge.terms import Continuation
from play.clock import Speed
from play.community.home import OfferKind
from play.community.seek import Seek, SeekId
from play.ids import ChallengeId, ChannelId, GuildId, IdempotencyKey, MatchId, MessageId, Millis, RoleId, UserId
from play.match.match import Match
from play.people.membership import Member
from play.people.settings import PlayerSettings
from play.people.web_session import WebLink
from presentation.people import Names
from presentation.words.words import Words
from rules.game import AnyGame, AnyPosition, Seat

T = TypeVar("T")


class ChatLink(NamedTuple):
    """The address of a platform, or of a channel or message there, and how people call the platform."""

    url: str
    platform: str


class Addresses(Protocol):
    """Where players find in their chats what the site shows."""

    @property
    def home(self) -> ChatLink | None:
        """Returns the address of the platform itself; None where it has none, or there are several platforms."""

    def of(self, guild: GuildId | None, channel: ChannelId, message: MessageId | None = None) -> ChatLink | None:
        """Returns the address of a channel, or of a message in it; None where the platform has none."""


def url_of(chat: ChatLink | None) -> str | None:
    """Returns the bare address of what may have none."""
    return chat and chat.url


class Locales(Protocol):
    """The languages of people and servers."""

    def suggest(self, user: UserId, locale: str) -> None:
        """Keeps the language of a person's browser: it counts where they, their platform and server have none."""

    async def for_user(self, user: UserId, guild: GuildId | None) -> Words:
        """Returns the words for what a user alone reads."""

    async def for_settings(self, settings: PlayerSettings, guild: GuildId | None) -> Words:
        """Returns the words for a user of whom the settings are known."""

    async def for_guild(self, guild: GuildId | None) -> Words:
        """Returns the words for everybody in a server."""


class Limits(Protocol):
    """How much people may ask for. All methods but `place` and the last raise Refused (`closing`), and where
    something is asked too often `too_fast`, `server_too_fast` or `entrance_busy`."""

    def admit_user(self, user: UserId, guild: GuildId | None) -> None:
        """Counts a deed of a user, as a click."""

    def admit_look(self, user: UserId) -> None:
        """Counts a look of a user at what a turn would do. Raises Refused (`crowded`) while moves wait."""

    def place(self, user: UserId, *, plays: bool) -> AbstractAsyncContextManager[None]:
        """Holds a place for a deed of a user. Raises Refused (`crowded_move` for one that `plays`, `crowded`)."""

    def admit_visit(self, network: int) -> None:
        """Counts a request from a network for a public page."""

    def admit_network(self, network: int) -> None:
        """Counts a request from a network for what players open, by one without a session."""

    def admit_load(self, user: UserId) -> None:
        """Counts what a user opens."""

    def admit_entry(self, network: int, room: str) -> None:
        """Counts an attempt to enter a room, the instance of an Activity, as one that fails."""

    def give_back_entry(self, network: int, room: str) -> None:
        """Takes the last attempt from a network back: it has not failed."""


class JobQueue(Protocol):
    """A worker process with a queue."""

    async def make(self, user: int, work: Callable[..., T], /, *arguments: Any, keep: bool = True) -> T:
        """Returns what `work` makes of its arguments, for `user`. Raises Refused where it takes too much."""


class Jobs(Protocol):
    """Long work, beside the boards."""

    @property
    def pages(self) -> JobQueue:
        """The worker for public pages."""

    def one_at_a_time(self, user: UserId) -> AbstractContextManager[None]:
        """Holds what a user may have once at a time. Raises Refused (`lane_yours`)."""


class Helper(Protocol):
    """The computer, as it helps players."""

    async def help(self, position: AnyPosition, budget: Budget | None, seed: int, level: int = ...) -> Choice:
        """Returns a choice for a player. Raises Refused (`computer_busy`, `lane_yours`)."""

    async def look(self, position: AnyPosition, move: str) -> Oversight | None:
        """Returns the captures that a move overlooks. Raises Refused (`computer_busy`, `lane_yours`)."""


class Computer(Protocol):
    """The computer of this bot, if it has one."""

    @property
    def has_computer(self) -> bool:
        """Returns whether the computer thinks here."""

    def advisor(self, asker: int) -> Helper:
        """Returns the computer as it helps a user. Raises Refused (`no_computer`)."""


class Coach(Computer, Protocol):
    """The computer, which reviews games as well."""

    async def review(self, match: Match, user: UserId) -> Review:
        """Returns the review of a match, made once, for a user, and stores what its players can learn. Raises Refused
        (`no_computer`, `match_goes_on`, `too_short_to_review`, `computer_busy`, `lane_yours`)."""


class Place(NamedTuple):
    """Where an Activity runs, and who has it open."""

    channel: ChannelId
    users: frozenset[UserId]


class Grant(NamedTuple):
    """The permission of a user. Its `access` token may be given to the user's own client, and to nobody else."""

    user: UserId
    access: str


class Application(Protocol):
    """The application on a platform that says who looks, and shows the site in its own client as an Activity."""

    @property
    def id(self) -> int:
        """The id of the application; 0 before the bot has logged in."""

    @property
    def proxy(self) -> str:
        """The origin that the platform's proxy gives the application's Activity."""

    def consent(self, redirect: str, state: str) -> str:
        """Returns the address at which the platform asks a user who they are; they come back to `redirect` with the
        same `state`."""

    async def find_instance(self, instance: str, asker: int) -> Place:
        """Returns where an Activity runs, as was said in the last minute, for an `asker` who may be anybody.

        Raises Refused (`activity_ended` for one that doesn't run, `entrance_busy`), Unavailable."""

    async def instance(self, instance: str) -> Place:
        """Returns where an Activity runs, as the platform says now. Raises Refused (`activity_ended`), Unavailable."""

    async def exchange(self, code: str, asker: int, redirect: str | None = None) -> Grant:
        """Exchanges a code, which was sent to `redirect` if to any, for what its user has granted. An `asker` who has
        failed often waits for others. Raises Refused (`not_confirmed`, `entrance_busy`)."""

    async def upload(self, grant: Grant, picture: bytes) -> str:
        """Keeps a picture there for a while, in the name of a user. Returns its address there.

        Raises Refused (`picture_not_taken`).
        """


class Launcher(Protocol):
    """A platform whose client shows the site as a Mini App, with signed data that say who looks."""

    @property
    def frames(self) -> Collection[str]:
        """The origins of the platform's pages that show a Mini App in a frame."""

    async def read(self, data: str, wanted: MatchId | None, now: Millis) -> WebLink:
        """Returns signed data as a link, whose id is that of the data. It leads to the game that they name, else to the
        `wanted` one. Raises Refused (`launch_not_taken`), Unavailable."""


class LinkedGrant(NamedTuple):
    """The permission of a user to tell the platform their figures, by the token that gives access again and again."""

    user: UserId
    refresh: str


class RoleApplication(Protocol):
    """The application on a platform, for linked roles."""

    def consent(self, redirect: str, state: str) -> str:
        """Returns the address at which the platform asks a user, who comes back to `redirect` with the same `state`."""

    async def grant(self, code: str, redirect: str) -> LinkedGrant:
        """Returns what a user has granted, for a code. Raises Refused (`link_not_taken`, `entrance_busy`)."""


class Rematches(Protocol):
    """Offers of another game, which are posted in the channel of the match. Both methods raise Refused."""

    async def rematch(self, match: Match, user: UserId, at: Millis, key: IdempotencyKey) -> MatchId | None:
        """Offers it, or accepts the one that the opponent has offered a moment before; returns the match that has begun
        by it."""

    async def answer_rematch(
        self, match: Match, user: UserId, challenge: ChallengeId, changes: int, at: Millis, *, accepts: bool
    ) -> MatchId | None:
        """Accepts the offer, as it is after so many changes, or declines it or takes the user's own back; returns the
        match that has begun by it."""


class Voters(Protocol):
    """The members of the servers that play by votes. Both methods raise Refused (`chat_away`)."""

    async def seat(self, match: Match, user: UserId) -> Seat | None:
        """Returns the seat of the side for which a user may vote now; None for all others."""

    async def voter(self, match: Match, user: UserId) -> Member:
        """Returns a user as a member of the server of a side, as the platform describes them now. Raises Refused
        (`not_a_voter`, `timed_out`, `pending`)."""


class ServerNames(Protocol):
    """Servers by name."""

    async def of_server(self, guild: GuildId) -> str | None:
        """Returns the plain name of a server; None where it is not known."""


class SiteNames(Names, ServerNames, Protocol):
    """The names of people and of servers."""


class ServerPaths(Protocol):
    """The paths of the public pages of a server."""

    def leaderboard(self, guild: GuildId) -> str:
        """Returns that of the leaderboard with the most players."""

    def player(self, guild: GuildId, user: UserId) -> str:
        """Returns that of a profile."""

    def tournaments(self, guild: GuildId) -> str:
        """Returns that of the list of tournaments."""

    def ladder(self, guild: GuildId) -> str:
        """Returns that of the ladder."""

    def league(self, guild: GuildId) -> str:
        """Returns that of the league."""


class ServerRole(NamedTuple):
    """A role of a server."""

    id: RoleId
    name: str


class ServerGuilds(Protocol):
    """The servers of channels, and their roles."""

    async def guild_of(self, channel: ChannelId) -> GuildId | None:
        """Returns the server of a channel that the bot sees; None for all others. Raises Refused (`chat_away`)."""

    async def roles_of(self, guild: GuildId) -> Sequence[ServerRole]:
        """Returns the roles of a server but that of all members. Raises Refused (`chat_away`)."""


class Joining(Protocol):
    """How a user takes part in what a server plays, as by the buttons in the chat."""

    async def join(self, user: UserId, guild: GuildId, kind: OfferKind, number: int, at: Millis) -> None:
        """Signs a user up for a tournament or contest with a number, or for the league or ladder of a server. Raises
        Refused (`nothing_to_join` where there is none in a channel that they see, and as the buttons do)."""


class Venue(NamedTuple):
    """A channel of a server in which a user may challenge others: the names of both."""

    guild: GuildId
    channel: ChannelId
    name: str
    server: str


class Friend(NamedTuple):
    """One whom a user may challenge by name, on these servers."""

    user: UserId
    name: str
    guilds: Collection[GuildId]


class TermsChoice(NamedTuple):
    """What may be chosen: its `value`, how it is called, whether it is what holds now, and a line below it."""

    value: str
    label: str
    chosen: bool
    note: str


class TermsMenu(NamedTuple):
    """The choices of a setting, of which one holds, or `several` may."""

    field: str
    label: str
    choices: Sequence[TermsChoice]
    several: bool


class TermsDraft(NamedTuple):
    """Terms as they are put together: all of them as `code`, what can be chosen, whether the game is rated as far as
    they allow it, and a line about the rules."""

    code: str
    menus: Sequence[TermsMenu]
    rated: bool
    about: str


class Challenging(Protocol):
    """How a user begins games in a browser: as in the chat, where cards and boards are posted. All methods raise
    Refused."""

    async def play_computer(
        self, user: UserId, here: ChannelId | None, level: int | None, at: Millis, key: IdempotencyKey
    ) -> MatchId:
        """Begins a game against the computer on the user's usual terms, or without a `level` a newcomer's first game:
        in the channel `here` if the user may play there, else in direct messages."""

    async def play_on(
        self,
        user: UserId,
        here: ChannelId | None,
        game: AnyGame,
        level: int,
        seat: Seat,
        at: Millis,
        key: IdempotencyKey,
    ) -> MatchId:
        """Begins an unrated game against the computer by these rules, which may begin at a position; the user plays a
        seat. It is where `play_computer` would begin."""

    async def look(
        self, user: UserId, here: ChannelId | None, speed: Speed, at: Millis, *, flexible: bool, weekly: bool
    ) -> None:
        """Begins a search for a stranger on the user's usual terms at a speed, or (`flexible`) on any: in the channel
        `here` if the user may play strangers there, else in direct messages."""

    async def sit(self, user: UserId, here: ChannelId | None, seek: SeekId) -> None:
        """Takes an open seat: in the channel `here` if the user may play strangers there, else in direct messages."""

    async def look_up_friend(self, user: UserId, code: str) -> Seek:
        """Returns what a friend offers the user by a code. Tries are counted."""

    async def accept_friend(self, user: UserId, here: ChannelId | None, code: str) -> Seek:
        """Takes what a friend offers by a code, where `sit` would; returns the user's search. Tries are counted."""

    async def enter_arena(self, user: UserId, here: ChannelId | None, at: Millis) -> None:
        """Lets a user play in the arena, whose boards come where those of a search do."""

    async def accept(self, user: UserId, challenge: ChallengeId, changes: int, at: Millis) -> MatchId | None:
        """Accepts a challenge as its card does; returns the match if it has begun."""

    async def decline(self, user: UserId, challenge: ChallengeId, at: Millis, *, sure: bool) -> str | None:
        """Declines a challenge, or withdraws the user's own; returns the question if they have to be `sure`."""

    async def venues(self, user: UserId, here: ChannelId | None) -> Sequence[Venue]:
        """Returns the channels where a user may challenge others: `here`, and where they have played last."""

    async def draft(
        self, user: UserId, code: str | None, field: str, values: Sequence[str], game: AnyGame | None = None
    ) -> TermsDraft:
        """Returns a draft with other values of a setting, or (None) one of the user's usual terms. With a `game` that
        begins at a position, the draft has what else there is to agree on."""

    async def friends(self, user: UserId, guilds: Collection[GuildId]) -> Sequence[Friend]:
        """Returns whom a user may challenge by name on servers, those with whom they have played last first."""

    async def offer(
        self,
        user: UserId,
        opponent: UserId | None,
        channel: ChannelId,
        code: str,
        at: Millis,
        key: IdempotencyKey,
        beginning: Continuation | None = None,
    ) -> str | None:
        """Posts a challenge to one of the `friends`, or (None) to anyone in a channel; returns the address of its
        card, if it has one. A game that has its own `beginning` is unrated."""

    async def invite(self, user: UserId, here: ChannelId | None, code: str | None, beginning: Continuation) -> str:
        """Offers a friend a game by a code, which is returned: on the terms of a draft, or (None) the usual ones. The
        game comes where that of a search would."""

    async def rematch(self, match: Match, user: UserId, at: Millis, key: IdempotencyKey) -> MatchId | None:
        """Offers another game after a match; returns it if it has begun, as one against the computer does."""
