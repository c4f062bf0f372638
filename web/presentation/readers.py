"""The readers of pages: their languages, themes and limits."""

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import NamedTuple

from play.ids import GuildId, UserId
from play.people.settings import PlayerSettings
from play.refusal import Refused
from presentation.people import Names
from presentation.refusals import explain_refusal
from presentation.words.words import Languages, Words
from rules.game import Seat
from storage import Database
from storage.errors import Unavailable
from web.ports import Limits, Locales

MAX_ACCEPTED = 10
"""Languages of a browser that are looked at."""


class Audience(NamedTuple):
    """Readers to whom one version of a match is the same text: their language and theme, and the seat of a player.
    That of one who `votes` is the seat of their side. Those who are `away` see a match of two servers from its second
    place."""

    language: str
    theme: str
    seat: Seat | None
    votes: bool = False
    away: bool = False


class Readers:
    """The people who read pages. `limits` say how much they may ask for; `count_refusal` counts what is refused."""

    def __init__(
        self,
        store: Database,
        languages: Languages,
        locales: Locales,
        names: Names,
        limits: Limits,
        count_refusal: Callable[[str], None],
    ) -> None:
        self._store = store
        self._languages = languages
        self._locales = locales
        self._names = names
        self._count_refusal = count_refusal
        self._page_words: dict[tuple[str, str], Mapping[str, str]] = {}
        self.limits = limits

    async def audience(
        self, user: UserId, guild: GuildId | None, seat: Seat | None, *, votes: bool = False, away: bool = False
    ) -> Audience:
        """Returns the audience that a user is part of."""
        async with self._store.read() as reader:
            settings = await reader.people.get(user)
        words = await self._locales.for_settings(settings, guild)
        return Audience(words.tag, settings.theme, seat, votes, away)

    async def opens_next(self, user: UserId) -> bool:
        """Returns whether a move of a user in a game over days opens their next game."""
        async with self._store.read() as reader:
            return (await reader.people.get(user)).opens_next

    async def look(self, settings: PlayerSettings) -> tuple[str, str]:
        """Returns the language and the theme of a user of whom the settings are known."""
        return (await self._locales.for_settings(settings, None)).tag, settings.theme

    @property
    def languages(self) -> Collection[str]:
        """Returns the languages that there are."""
        return self._languages.names.keys()

    async def language(self, user: UserId | None, accepted: str, guild: GuildId | None = None) -> str:
        """Returns the language of a user, or for one who is not known the first of those that the browser accepts. A
        browser that accepts none of them gets that of the server."""
        if user is not None:
            with suppress(Unavailable):
                return (await self._locales.for_user(user, None)).tag
        return self._first_of(accepted) or (await self._locales.for_guild(guild)).tag

    def note_language(self, user: UserId, accepted: str) -> None:
        """Keeps the first language that a user's browser accepts: they may have done nothing in a chat since the bot
        has started."""
        if tag := self._first_of(accepted):
            self._locales.suggest(user, tag)

    def _first_of(self, accepted: str) -> str:
        tags = [part.split(";")[0].strip().split("-")[0].lower() for part in accepted.split(",")[:MAX_ACCEPTED]]
        return next((tag for tag in tags if tag in self._languages.names), "")

    async def introduce(self, user: UserId, language: str) -> str:
        """Returns as whom a user is signed in: a browser may have the session of another."""
        return self.words(language)("web.who", name=await self._names.of(user, None))

    def words(self, language: str) -> Words:
        """Returns the words of a language, without marks."""
        return self._languages.of(language).plain

    def page_words(self, language: str, page: str) -> Mapping[str, str]:
        """Returns the sentences that the scripts of a page need, by their keys without `web.PAGE.`."""
        found = self._page_words.get((language, page))
        if found is None:  # it takes half a millisecond: there are thousands of sentences
            words, prefix = self.words(language), f"web.{page}."
            names = [key.removeprefix(prefix) for key in self._languages.all_keys if key.startswith(prefix)]
            found = self._page_words[language, page] = {name: words.template(f"{prefix}{name}") for name in names}
        return found

    async def explain(self, refused: Refused, language: str, guild: GuildId | None) -> str:
        """Returns why something is refused."""
        self._count_refusal(refused.key)
        return await explain_refusal(refused, self.words(language), self._names, guild)
