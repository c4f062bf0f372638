"""The language of a reader: a player alone reads in their own, everybody in a place in that of its server or group.

Where a server has none, a game is told in the one language of its players (docs/decisions/words.md#0139); outside of
servers in the challenger's (docs/decisions/words.md#0155).
"""

from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from enum import Enum
from functools import partial
from typing import Any, NamedTuple, TypeVar

from cachetools import LRUCache

from play.challenge.challenge import Challenge
from play.ids import ChallengeId, GuildId, Platform, UserId, is_person, platform_of, side_of
from play.match.match import Match, MatchPlace
from play.people.settings import PlayerSettings
from presentation.words.words import SOURCE, Languages, Words
from storage import Database
from storage.errors import Unavailable

CACHE_SIZE = 20_000
"""Players, games and challenges whose language is kept, of each so many."""


class _MatchLanguages:
    """The languages of matches in one of their places, as those of challenges are stored."""

    def __init__(self, tx: Any) -> None:
        self._matches = tx.matches

    async def language(self, place: MatchPlace) -> str | None:
        language: str | None = await self._matches.language(place.match, away=place.away)
        return language

    async def settle_language(self, place: MatchPlace, language: str) -> None:
        await self._matches.settle_language(place.match, language, away=place.away)


Settled = TypeVar("Settled", MatchPlace, ChallengeId)


class Source(Enum):
    """Where the language of a server comes from."""

    SETTING = "setting"
    COMMUNITY = "community"
    PLAYERS = "players"  # the server has none


class ServerLanguage(NamedTuple):
    """The language of a server, as Discord names languages, and why; None where each game has that of its players."""

    locale: str | None
    source: Source


class Locales:
    """Settings first, then what the platform says, which is kept in memory. `own_id` is the bot's account."""

    def __init__(self, store: Database, languages: Languages, own_id: Callable[[], int | None]) -> None:
        self._store = store
        self._languages = languages
        self._own_id = own_id
        self.elsewhere: dict[Platform, Locales] = {}
        """Those of people of other platforms."""
        self._people: LRUCache[UserId, str] = LRUCache(CACHE_SIZE)
        self._browsers: LRUCache[UserId, str] = LRUCache(CACHE_SIZE)
        self._chosen: LRUCache[UserId, str | None] = LRUCache(CACHE_SIZE)
        self._games: LRUCache[MatchPlace, str] = LRUCache(CACHE_SIZE)
        self._cards: LRUCache[ChallengeId, str] = LRUCache(CACHE_SIZE)

    def told_of(self, user: UserId) -> str | None:
        """Returns the language that their platform has named with what a person did last."""
        other = self.elsewhere.get(platform_of(user))
        return self._people.get(user) if other is None else other.told_of(user)

    def remember_person(self, user: UserId, locale: str) -> None:
        """Keeps the language that the platform names with what a person does."""
        self._people[user] = locale

    def suggest(self, user: UserId, locale: str) -> None:
        """Keeps the language of a person's browser: it counts where they, their platform and server have none."""
        self._browsers[user] = locale

    async def for_user(self, user: UserId, guild: GuildId | None) -> Words:
        """Returns the words for a player alone; of those whose language is not known their server tells."""
        language = None
        with suppress(Unavailable):  # this very fact may be what the player is told
            async with self._store.read() as reader:
                language = (await reader.people.get(user)).language
        return await self._words_for(user, language, guild)

    async def for_settings(self, person: PlayerSettings, guild: GuildId | None) -> Words:
        """Returns the words for a player whose settings are at hand."""
        return await self._words_for(person.id, person.language, guild)

    def at_hand(self, user: UserId, locale: str | None) -> Words:
        """Returns the words for a player alone without a look at the store: by their setting, if it was seen of late,
        else by the `locale` that Discord names."""
        return self._languages.of(self._chosen.get(user) or locale)

    async def for_guild(self, guild: GuildId | None, author: UserId | None = None) -> Words:
        """Returns the words for everybody in a server; where it has no language, those of the `author`, if any."""
        if guild is None:
            return self._languages.of()
        locale = (await self.of_guild(guild)).locale
        if locale is None and author is not None:
            locale, _ = await self._find_shared((author,))
        return self._languages.of(locale)

    async def of_guild(self, guild: GuildId) -> ServerLanguage:
        """Returns the language of a server, and why it is that."""
        setting = None
        with suppress(Unavailable):
            async with self._store.read() as reader:
                setting = (await reader.servers.get(guild)).language
        if setting is not None:
            return ServerLanguage(setting, Source.SETTING)
        locale = await self._locale_of(guild)
        return ServerLanguage(locale, Source.COMMUNITY) if locale else ServerLanguage(None, Source.PLAYERS)

    async def _locale_of(self, guild: GuildId) -> str | None:
        """Returns the language that the platform knows of a server; None on platforms whose groups have none."""
        return None

    async def for_match(self, match: Match) -> Words:
        """Returns the words for the channel of a match."""
        people = [user for user in (match.players[seat] for seat in match.hosts) if user != self._own_id()]
        if match.guild is None and len(people) == 1:
            return await self.for_user(people[0], None)
        locale = None if match.guild is None else (await self.of_guild(match.guild)).locale
        if locale is None and any(side_of(user) is not None for user in people):  # it belongs to the whole server
            return self._languages.of()
        find = partial(self._find_challengers, match) if match.guild is None else partial(self._find_shared, people)
        locale = locale or await self._settle(self._games, match.place, find, _MatchLanguages)
        return self._languages.of(locale)

    async def for_challenge(self, challenge: Challenge) -> Words:
        """Returns the words for the card of a challenge."""
        if challenge.guild is None:
            return await self.for_user(challenge.challenger, None)
        locale = (await self.of_guild(challenge.guild)).locale
        find = partial(self._find_shared, (challenge.challenger,))
        locale = locale or await self._settle(self._cards, challenge.id, find, lambda tx: tx.challenges)
        return self._languages.of(locale)

    async def _words_for(self, user: UserId, language: str | None, guild: GuildId | None) -> Words:
        self._chosen[user] = language
        locale = language or self.told_of(user)
        if locale is None and guild is not None:
            locale = (await self.of_guild(guild)).locale
        return self._languages.of(locale or self._browsers.get(user))

    async def _settle(
        self,
        cache: LRUCache[Settled, str],
        which: Settled,
        find: Callable[[], Awaitable[tuple[str, bool]]],
        repository: Callable[[Any], Any],
    ) -> str:
        """Returns the language of a game or card that `find` finds where none is set. It stays what it was at first.

        It is stored as soon as `find` is certain of it: Discord names languages only with what people do, so after a
        restart the next board would have another one. `repository` is that of a reader or of a transaction.
        """
        if which in cache:
            return cache[which]
        with suppress(Unavailable):
            async with self._store.read() as reader:
                stored = await repository(reader).language(which)
            if stored is None:
                language, is_certain = await find()
                if not is_certain:
                    return language
                async with self._store.write() as tx:
                    await repository(tx).settle_language(which, language)
                    stored = await repository(tx).language(which)
            cache[which] = stored or SOURCE
        return cache.get(which, SOURCE)

    async def _find_shared(self, people: Iterable[UserId]) -> tuple[str, bool]:
        """Returns the one language of people, as far as theirs are known, else English; and whether all are known."""
        locales = [await self._find_locale(user) for user in people if is_person(user) and user != self._own_id()]
        tags = {self._languages.of(locale).tag for locale in locales if locale is not None}
        return tags.pop() if len(tags) == 1 else SOURCE, None not in locales

    async def _find_challengers(self, match: Match) -> tuple[str, bool]:
        """Returns the language of the challenger of a match, as on its card, else of the first other player whose
        language is known, else English; and whether it is the challenger's."""
        async with self._store.read() as reader:
            challenge = await reader.challenges.of_match(match.id)
        first = match.players[0] if challenge is None else challenge.challenger
        locales = [await self._find_locale(user) for user in sorted(match.players, key=lambda user: user != first)]
        known = next(filter(None, locales), None)
        return self._languages.of(known).tag, locales[0] is not None

    async def _find_locale(self, user: UserId) -> str | None:
        setting = None
        with suppress(Unavailable):
            async with self._store.read() as reader:
                setting = (await reader.people.get(user)).language
        return setting or self.told_of(user)
