"""Servers' settings in SQL."""

from dataclasses import replace

from sqlalchemy import bindparam, select, update

from play.ids import GuildId
from play.people.settings import ServerSettings
from storage import schema
from storage.settings import save_settings
from storage.statements import Repository
from storage.terms import read_terms, terms_values

_SERVER = select(schema.server).where(schema.server.c.guild == bindparam("guild"))


class ServerReader(Repository):
    """Servers' settings, as reads see them."""

    __slots__ = ()

    async def get(self, guild: GuildId) -> ServerSettings:
        """Returns a server's settings: the defaults until an administrator changes them."""
        row = await self._sql.first(_SERVER, guild=guild)
        if row is None:
            return ServerSettings(guild)
        return ServerSettings(
            guild,
            row.terms and read_terms(row.terms),
            frozenset(row.channels),
            frozenset(row.roles),
            row.threads,
            row.language,
            row.theme,
            row.rated,
            row.dot_dash,
            row.pages,
            row.events,
            row.news,
            row.strangers,
            row.log_channel,
            row.log_lost,
            row.version,
        )


class ServerRepository(ServerReader):
    """Servers' settings, as a transaction writes them."""

    __slots__ = ()

    async def save(self, server: ServerSettings) -> ServerSettings:
        """Stores changed settings as their next version. Raises Stale if they have changed since they were read."""
        values = {
            "terms": terms_values(server.terms),
            "channels": sorted(server.channels),
            "roles": sorted(server.roles),
            "threads": server.threads,
            "language": server.language,
            "theme": server.theme,
            "rated": server.rated,
            "dot_dash": server.dot_dash,
            "pages": server.pages,
            "events": server.events,
            "news": server.news,
            "strangers": server.strangers,
            "log_channel": server.log_channel,
            "log_lost": server.log_lost,
        }
        await save_settings(self._sql, schema.server, {"guild": server.id}, server.version, values)
        return replace(server, version=server.version + 1)

    async def mark_log(self, guild: GuildId, *, lost: bool) -> None:
        """Notes whether the last entry of the server's log could not be posted; that is no change of the settings."""
        changed = schema.server.c.guild == guild, schema.server.c.log_lost != lost
        await self._sql.execute(update(schema.server).where(*changed).values(log_lost=lost))
