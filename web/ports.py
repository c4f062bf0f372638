"""What the web needs of the rest of the program. bot/ implements it, since it knows names, words and limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from play.ids import ChannelId, GuildId, IdempotencyKey, Millis, UserId
from play.match.match import Match
from play.refusal import Refused
from rules.picture import Picture
from rules.point import Seat

Json = dict[str, Any]


class Words(Protocol):
    """The sentences of one language, by their keys."""

    def __call__(self, key: str, /, **details: str | int) -> str: ...

    def number(self, value: float) -> str: ...


class Audience(NamedTuple):
    """Readers to whom one version of a match is the same text: their language and theme, and the seat of a player."""

    language: str
    theme: str
    seat: Seat | None


class Question(NamedTuple):
    """What an action would do, and the labels of the buttons that do it or not."""

    line: str
    picture: Picture | None
    sure: str
    keep: str


class Readers(Protocol):
    """The people who read pages, and how much they may ask for."""

    async def audience(self, user: UserId, guild: GuildId | None, seat: Seat | None) -> Audience:
        """Returns the audience that a user is part of."""

    async def language(self, user: UserId | None, accepted: str, guild: GuildId | None = None) -> str:
        """Returns the language of a user, or for one who is not known the first of those that the browser accepts. A
        browser that accepts none of them gets that of the server."""

    def words(self, language: str) -> Words:
        """Returns the words of a language."""

    def page_words(self, language: str, page: str) -> Mapping[str, str]:
        """Returns the sentences that the scripts of a page need, by their keys without `web.PAGE.`."""

    async def explain(self, refused: Refused, language: str, guild: GuildId | None) -> str:
        """Returns why something is refused, as plain text."""

    def admit(self, user: UserId, guild: GuildId | None) -> None:
        """Counts a deed of a user, as a click. Raises Refused (`closing`, `too_fast`, `server_too_fast`)."""

    def admit_look(self, user: UserId) -> None:
        """Counts a look of a user at what a turn would do. Raises Refused (`closing`, `too_fast`)."""

    def admit_visit(self, network: int) -> None:
        """Counts a request from a network for a public page. Raises Refused (`closing`, `too_fast`)."""

    def admit_network(self, network: int) -> None:
        """Counts a request from a network for what players open. Raises Refused (`closing`, `too_fast`)."""

    def admit_load(self, user: UserId) -> None:
        """Counts what a user opens. Raises Refused (`closing`, `too_fast`)."""

    def admit_entry(self, network: int) -> None:
        """Counts an attempt to open the Activity as one that fails. Raises Refused (`closing`, `entrance_busy`)."""

    def give_back_entry(self, network: int) -> None:
        """Takes the last attempt from a network back: it has not failed."""


class Narrator(Protocol):
    """A match in words."""

    async def view(self, match: Match, audience: Audience) -> Json:
        """Returns the VIEW of docs/web-protocol.md."""

    async def story(self, match: Match, audience: Audience) -> str:
        """Returns what happened last, as plain text."""

    async def describe(self, match: Match, audience: Audience, what: str) -> str:
        """Returns a part of the board in words. Raises Refused (`bad_message`) and BadNotation."""

    async def ask(self, match: Match, user: UserId, audience: Audience, action: str) -> Question:
        """Returns what an action would do. Raises Refused, as the action itself would."""

    async def names(self, match: Match) -> tuple[str, ...]:
        """Returns the names of the players, by seats."""

    async def scene(self, match: Match, audience: Audience) -> Json:
        """Returns `enter` and `line` of a position that is looked at: what is entered first, and whose turn it is."""

    def clocks(self, match: Match, audience: Audience, now: Millis) -> list[Json]:
        """Returns the CLOCK of each seat: `{"seat","clock"}`."""


class Advice(NamedTuple):
    """The computer's view of a position: a sentence, and the board with the moves that it expects."""

    line: str
    picture: Picture


class Advisor(Protocol):
    """The computer as one who looks at positions with a player."""

    async def may_advise(self, match: Match) -> bool:
        """Returns whether players of a match may ask it: never while the match is rated and goes on."""

    async def require_advice(self, match: Match) -> None:
        """Raises Refused (`no_computer`, `hint_in_rated`) unless players of a match may ask it."""

    async def advise(self, match: Match, user: UserId, audience: Audience) -> Advice:
        """Returns the computer's view. Raises Refused (`no_computer`, `computer_busy`, `lane_yours`)."""


class Place(NamedTuple):
    """Where an Activity runs, and who has it open."""

    channel: ChannelId
    users: frozenset[UserId]


class Discord(Protocol):
    """The application at Discord, for its Activity."""

    @property
    def application(self) -> int:
        """The id of the application; 0 before the bot has logged in."""

    async def instance(self, instance: str) -> Place:
        """Returns where an Activity runs. Raises Refused (`bad_link`) for a made-up one, Unavailable."""

    async def identify(self, code: str) -> UserId:
        """Exchanges a code for the user who has given it. Raises Refused (`bad_link`, `entrance_busy`)."""


class Rematches(Protocol):
    """Offers of another game, which are posted in the channel of the match."""

    async def offer(self, match: Match, user: UserId, at: Millis, key: IdempotencyKey) -> None:
        """Offers it. Raises Refused."""


class GameStory(NamedTuple):
    """A finished game in words, for its page; `scores` are those of each position, from the first to the last.

    `profiles` are the players who have one, None for others. `facts` are its rules, clock and changes of ratings; `alt`
    is its last board. Each of the `moves` has its seat, its text and what it gained.
    """

    names: tuple[str, ...]
    profiles: tuple[UserId | None, ...]
    theme: str
    points: tuple[str, ...]
    score: str
    result: str
    facts: tuple[str, ...]
    alt: str
    moves: tuple[tuple[Seat, str, str], ...]
    scores: tuple[tuple[float, ...], ...]


class Gallery(Protocol):
    """Finished games as pages show them. All methods raise Refused."""

    async def tell(self, match: Match, language: str) -> GameStory:
        """Returns the game in words."""

    async def picture(self, match: Match, language: str) -> bytes:
        """Returns the last board as PNG."""

    async def moves(self, match: Match, language: str) -> bytes:
        """Returns all positions, as web/pages/plies.py writes them."""

    async def record(self, match: Match, language: str, /) -> bytes:
        """Returns the game as SGF, which has no language. Raises Refused (`no_record`)."""
