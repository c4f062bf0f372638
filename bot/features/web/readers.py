"""The readers of pages: their languages, themes and limits."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from bot.i18n.words import Words
from bot.interactions.context import Services
from bot.interactions.errors import short_details
from bot.services.names import escape
from play.ids import GuildId, UserId
from play.refusal import Refused
from play.store import Unavailable
from rules.point import Seat
from web.ports import Audience
from web.text import plain_text

MAX_ACCEPTED = 10
"""Languages of a browser that are looked at."""


class WebReaders:
    """A `web.ports.Readers`."""

    def __init__(self, services: Services) -> None:
        self._store = services.store
        self._languages = services.languages
        self._locales = services.locales
        self._names = services.names
        self._gate = services.gate
        self._metrics = services.metrics

    async def audience(self, user: UserId, guild: GuildId | None, seat: Seat | None) -> Audience:
        async with self._store.read() as reader:
            settings = await reader.people.get(user)
        words = await self._locales.for_settings(settings, guild)
        return Audience(words.tag, settings.theme, seat)

    async def language(self, user: UserId | None, accepted: str, guild: GuildId | None = None) -> str:
        if user is not None:
            with suppress(Unavailable):
                return (await self._locales.for_user(user, None)).tag
        known = self._languages.names
        tags = [part.split(";")[0].strip().split("-")[0].lower() for part in accepted.split(",")[:MAX_ACCEPTED]]
        return next((tag for tag in tags if tag in known), "") or (await self._locales.for_guild(guild)).tag

    def words(self, language: str) -> Words:
        return self._languages.of(language)

    def page_words(self, language: str, page: str) -> Mapping[str, str]:
        words, prefix = self._languages.of(language), f"web.{page}."
        names = [key.removeprefix(prefix) for key in self._languages.all_keys if key.startswith(prefix)]
        return {name: plain_text(words.template(f"web.{page}.{name}")) for name in names}

    async def explain(self, refused: Refused, language: str, guild: GuildId | None) -> str:
        self._metrics.count_refusal(refused.key)
        details = short_details(refused)
        if "user" in details:
            details["user"] = escape(await self._names.of(UserId(int(details["user"])), guild))
        return plain_text(self._languages.of(language)(f"refused.{refused.key}", **details))

    def admit(self, user: UserId, guild: GuildId | None) -> None:
        self._gate.admit_user(user, guild)

    def admit_look(self, user: UserId) -> None:
        self._gate.admit_look(user)

    def admit_visit(self, network: int) -> None:
        self._gate.admit_visit(network)

    def admit_network(self, network: int) -> None:
        self._gate.admit_network(network)

    def admit_load(self, user: UserId) -> None:
        self._gate.admit_load(user)

    def admit_entry(self, network: int) -> None:
        self._gate.admit_entry(network)

    def give_back_entry(self, network: int) -> None:
        self._gate.give_back_entry(network)
