"""Changes of a server's settings: saved together with the entries of the log that tell them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bot.interactions.context import Context
from play.challenge.terms import Terms
from play.community.log import LogAction, LogEntry
from play.ids import GuildId, UserId
from play.people.settings import ServerSettings
from presentation.terms.terms_text import describe_terms
from presentation.words.words import Words
from use_cases.match_writer import retry_on_conflict
from use_cases.server_log import log_entry


async def save_server(ctx: Context, guild: GuildId, **changes: Any) -> None:
    """Saves changes of a server's settings, and logs each. Raises Refused (`busy`).

    A change of the log's channel is told in both channels: readers of the old one may miss the log.
    """
    words = await ctx.services.locales.for_guild(guild)

    async def save() -> None:
        async with ctx.services.store.write() as tx:
            before = await tx.servers.get(guild)
            after = replace(before, **changes)
            if "log_channel" in changes:
                after = replace(after, log_lost=False)
            await tx.servers.save(after)
            if before.events != after.events:
                await tx.happenings.reconsider(guild, await tx.clock.now())
            channels = dict.fromkeys(filter(None, (before.log_channel, after.log_channel)))
            for entry in _entries(ctx, before, after, changes, words):
                for channel in channels:
                    await log_entry(tx, guild, entry, ctx.at, channel=channel)

    await retry_on_conflict(save)
    ctx.use_cases.events.news_added()


def setting_entry(user: UserId, setting: str, before: str, after: str) -> LogEntry:
    """Returns the entry of a setting, named in the words of the server."""
    return LogEntry(LogAction.SETTING, user, detail=(setting, before, after))


def _entries(
    ctx: Context, before: ServerSettings, after: ServerSettings, changes: dict[str, Any], words: Words
) -> list[LogEntry]:
    """Returns an entry for each setting that has another value now."""
    changed = [name for name in changes if getattr(before, name) != getattr(after, name)]
    return [
        setting_entry(
            ctx.user,
            words(f"log.setting.{name}"),
            _describe(name, getattr(before, name), ctx, words),
            _describe(name, getattr(after, name), ctx, words),
        )
        for name in changed
    ]


def _describe(name: str, value: Any, ctx: Context, words: Words) -> str:
    """Returns the value of a setting in words."""
    match value:
        case bool():
            return words("log.on") if value else words("log.off")
        case None:
            return words("log.default")
        case Terms():
            return "; ".join(describe_terms(value, "", words).values())
        case frozenset():
            mark = "@&" if name == "roles" else "#"
            return " ".join(f"<{mark}{each}>" for each in sorted(value)) or words("log.default")
        case int():
            return f"<#{value}>"
    if name == "theme":
        return words(f"theme.{value}")
    return ctx.services.languages.names.get(value, str(value))
