"""Signposts: all that the people of a stand-in read leads somewhere, for each of its readers, and names no channel that
they don't see."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from loopback import Channel, Discord, Interaction, Message
from loopback.components import walk
from loopback.events import (
    ChannelDeleted,
    Event,
    InteractionChanged,
    MessageDeleted,
    MessageEdited,
    MessagePosted,
    MessagesPurged,
)
from loopback.ids import made_at
from loopback.model import ScheduledEvent

Json = dict[str, Any]

LINK = re.compile(r"https://discord\.com/channels/(\d+|@me)(?:/(\d+))?(?:/(\d+))?")
PAGE = re.compile(r"https?://[^\s<>()\"]+")
MENTION = re.compile(r"<#(\d+)>")
COMMAND = re.compile(r"</[^:>]+:(\d+)>")
HASH_NAME = re.compile(r"(?<![\w&])#(\w[\w-]*)")
"""A channel's name in words; colours and numbers look alike, and are no names of channels."""


class Way(NamedTuple):
    """The way that an address or a mention shows: to a channel or a message in it, on a server or on none (`@me`)."""

    guild: str
    channel: int
    message: int


class Written(NamedTuple):
    """A text as some people read it: where, who, and all of it with the addresses behind its buttons."""

    where: str
    readers: frozenset[int]
    text: str


class Signposts:
    """Looks at all that the bot writes to people, as it is written: messages, private answers, forms and choices; and
    at the events of servers.

    What leads to a place that is not there yet has time until `violations` is asked for, as a thread opens after the
    card that leads to it. What shows a place to one who doesn't see it is wrong at once. What moderators have deleted
    was there. Attributes:
        seen: how many addresses and mentions were looked at, by their kind.
    """

    def __init__(self, discord: Discord) -> None:
        self._discord = discord
        self._world = discord.world
        self._wrong: dict[str, None] = {}
        self._waiting: dict[tuple[int, Way], Written] = {}
        self._gone: set[int] = set()
        self._pages: dict[str, str] = {}
        self.seen: Counter[str] = Counter()
        discord.listen(self._look)

    @property
    def violations(self) -> list[str]:
        """Returns what was wrong so far, and what leads nowhere now, one line each."""
        for event in self._world.present_events():
            self._judge(0, self._in_event(event))
        still = (
            f"leads nowhere: {way} {self._describe(written)}"
            for (message, way), written in self._waiting.items()
            if not self._exists(way) and self._says(message, way)
        )
        return [*self._wrong, *dict.fromkeys(still)]

    def forgive(self) -> None:
        """Forgets what was wrong so far: a test has written it."""
        self._wrong.clear()
        self._waiting.clear()

    def pages(self, site: str) -> list[tuple[str, str]]:
        """Returns the addresses of a site that people were given, each with the name of a reader."""
        return [(page, reader) for page, reader in self._pages.items() if page.startswith(site)]

    def _look(self, event: Event) -> None:
        match event:
            case MessagePosted(message) | MessageEdited(message) if message.author_id == self._world.bot.id:
                self._judge(message.id, self._in_message(message))
            case InteractionChanged(interaction):
                self._judge(0, self._in_answer(interaction))
            case MessageDeleted(message):
                self._gone.add(message.id)
            case MessagesPurged(messages):
                self._gone |= {each.id for each in messages}
            case ChannelDeleted(channel):
                self._gone.add(channel.id)

    # What people read

    def _in_message(self, message: Message) -> Written:
        channel = self._world.channels[message.channel_id]
        readers = self._readers(channel) if message.visible_to is None else frozenset({message.visible_to})
        beside = [*_beside(message.components), *(str(each.get("url", "")) for each in message.embeds)]
        return Written(f"in {channel.name or 'a direct message'}", readers, _join(message.text, *beside))

    def _in_answer(self, interaction: Interaction) -> Written:
        modal = interaction.modal
        said = [modal.title, *_beside(modal.components)] if modal else []
        said += [str(choice["name"]) for choice in interaction.choices]
        return Written("in a form or a choice", frozenset({interaction.user.id}), _join(*said))

    def _in_event(self, event: ScheduledEvent) -> Written:
        readers = frozenset(each.id for each in self._discord.people.values() if event in each.events)
        return Written("in an event", readers, _join(event.name, event.description, event.location))

    def _readers(self, channel: Channel) -> frozenset[int]:
        return frozenset(each.id for each in self._world.people if self._world.sees(each.id, channel))

    # What is wrong with it

    def _judge(self, message: int, written: Written) -> None:
        """Notes what is wrong with something that was just written; `message` is 0 for what stays nowhere."""
        for reader in sorted(written.readers):
            self._pages |= dict.fromkeys(PAGE.findall(written.text), self._world.users[reader].name)
        for line in self._wrong_in(message, written):
            self._wrong[f"{line} {self._describe(written)}"] = None

    def _wrong_in(self, message: int, written: Written) -> Iterator[str]:
        for way in _ways(written.text):
            self.seen["ways"] += 1
            if not self._exists(way):
                self._waiting[message, way] = written
                continue
            channel = self._world.channels.get(way.channel)
            if channel is None:
                continue
            guild = str(self._world.guild_of(channel).id) if channel.in_guild else "@me"
            if way.guild not in ("", guild):
                yield f"names the server {way.guild} for a channel of {guild}:"
            blind = [each for each in written.readers if not self._world.sees(each, channel)]
            yield from (f"{self._world.users[each].name} doesn't see {channel.name}:" for each in sorted(blind))
        known = {command["id"] for command in self._world.commands}
        for command in COMMAND.findall(written.text):
            self.seen["commands"] += 1
            if command not in known:
                yield f"no command {command}:"
        named = {*HASH_NAME.findall(written.text)}
        self.seen["names"] += len(named)
        for channel in self._world.channels.values():
            if channel.in_guild and not channel.is_thread and channel.name in named:
                blind = [each for each in written.readers if not self._world.sees(each, channel)]
                yield from (f"{self._world.users[each].name} doesn't see #{channel.name}:" for each in sorted(blind))

    def _exists(self, way: Way) -> bool:
        """Returns whether a way leads somewhere, or did before that was deleted. Numbers older than the server
        are those of tests, for games that are stored and were never begun."""
        if {way.channel, way.message} & self._gone or made_at(way.channel) < made_at(self._world.guild.id):
            return True
        found = self._world.messages.get(way.message)
        here = way.channel in self._world.channels
        return here and (not way.message or (found is not None and found.channel_id == way.channel))

    def _says(self, message: int, way: Way) -> bool:
        """Returns whether a message still says so; what stays nowhere, and what was deleted, needs not."""
        found = self._world.messages.get(message)
        return found is not None and way in _ways(self._in_message(found).text)

    def _describe(self, written: Written) -> str:
        names = sorted(self._world.users[each].name for each in written.readers)
        return f"{written.where}, to {', '.join(names)}: {written.text[:400]!r}"


def _ways(text: str) -> set[Way]:
    links = {Way(guild, int(channel or 0), int(message or 0)) for guild, channel, message in LINK.findall(text)}
    return links | {Way("", int(each), 0) for each in MENTION.findall(text)}


def _beside(parts: Iterable[Json]) -> Iterator[str]:
    """Yields what components say beside the text of their message: labels, addresses, and the options of selects."""
    for part in walk(parts):
        for each in (part, *part.get("options", ())):
            yield from (str(each[key]) for key in ("url", "label", "placeholder", "description") if each.get(key))


def _join(*texts: str) -> str:
    return "\n".join(text for text in texts if text)
