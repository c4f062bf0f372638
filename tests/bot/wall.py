"""The wall between servers: what the bot sends to one of them tells nothing of another."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator

from loopback import Attempt, Discord, Guild

ID = re.compile(r"(?<!\d)\d{17,20}(?!\d)")
"""Ids of Discord; numbers of games are shorter."""

COMMAND = re.compile(r"</[^:>]+:\d+>")
"""A mention of a command, which is the same on each server."""

MIN_USERNAME = 6
"""Characters of a username that is no part of a common word."""


class Wall:
    """Looks at every request of the bot that shows something to people, and notes what it tells them of other servers.

    Those are ids of servers, channels, messages, roles and members, and names of servers and of people that are not at
    the `table`; also the `words` that tests have put somewhere. Attributes:
        violations: what came through, one line each.
        seen: how many requests each server and (by their names) each person alone was shown.
    """

    def __init__(
        self, discord: Discord, *, table: Collection[str] = (), words: Collection[tuple[Guild, str]] = ()
    ) -> None:
        self._discord = discord
        self.table = {*table}
        self._words = [*words]
        self._gone: dict[int, set[int]] = {}
        self.violations: list[str] = []
        self.seen: Counter[str] = Counter()
        looking = discord.fault("*", "*", 500, times=None, predicate=self._look)
        faults = discord._router.faults
        faults.insert(0, faults.pop(faults.index(looking)))

    def _look(self, attempt: Attempt) -> bool:
        """Judges a request, and lets it pass."""
        self._remember()
        readers = self._readers(attempt)
        if readers is None or attempt.endpoint.startswith("GET "):  # which nobody but Discord reads
            return False
        name, servers = readers
        self.seen[name] += 1
        text = COMMAND.sub("", json.dumps(attempt.body, ensure_ascii=False)) + " ".join(attempt.path.values())
        told = [
            each
            for guild in self._discord.world.guilds
            if guild.id not in servers
            for each in self._told(guild, text, servers)
        ]
        self.violations += [f"{attempt.endpoint} to {name} tells {each}: {text[:600]}" for each in told]
        return False

    def _readers(self, attempt: Attempt) -> tuple[str, set[int]] | None:
        """Returns who sees what a request changes, by name and by their servers; None if nobody does."""
        world, path = self._discord.world, attempt.path
        token = path.get("interaction_token") or path.get("webhook_token")
        found = self._discord.interactions.of_token(token) if token else None
        channel = world.channels.get(found.channel_id if found else int(path.get("channel_id", 0)))
        if channel is None:
            guild = next((each for each in world.guilds if str(each.id) == path.get("guild_id")), None)
            return None if guild is None else (guild.name, {guild.id})
        if channel.in_guild:
            guild = world.guild_of(channel)
            return guild.name, {guild.id}
        people = [world.users[each] for each in channel.members]
        return people[0].name, {each.id for each in world.guilds for user in people if world.is_member(user.id, each)}

    def _remember(self) -> None:
        """Notes the ids of messages, which stay secret when they are deleted."""
        world = self._discord.world
        for channel in world.channels.values():
            if channel.in_guild:
                known = self._gone.setdefault(world.guild_of(channel).id, set())
                known |= {channel.id, *(each.id for each in world.messages.in_channel(channel.id))}

    def _told(self, guild: Guild, text: str, servers: set[int]) -> Iterator[str]:
        """Yields what a text tells of a server to people of other `servers`."""
        world = self._discord.world
        shared = [each for each in world.guilds if each.id in servers]
        members = [
            user
            for user in world.people
            if world.is_member(user.id, guild) and not any(world.is_member(user.id, each) for each in shared)
        ]
        ids = {guild.id, guild.bot_role_id, *(each.id for each in members), *self._gone.get(guild.id, ())}
        server = guild.id if guild.id in world.others else None
        ids |= {role.id for role in world.roles.values() if role.guild_id == server}
        yield from (f"the id {each} of {guild.name}" for each in sorted({*map(int, ID.findall(text))} & ids))
        names = {guild.name, *(each.name for each in members)}
        names |= {each.username for each in members if len(each.username) >= MIN_USERNAME}
        names |= {word for owner, word in self._words if owner.id == guild.id}
        yield from (f"the name {each}" for each in sorted(names - self.table) if each in text)
