"""Every command, button and form in every place shows of a player what docs/security.md says, and nothing else.

The player is a stranger to the user, a member of the server, an opponent, or the user.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from io import BytesIO
from typing import Any, Final
from zipfile import ZipFile

import pytest
from discord import AppCommandType, app_commands
from pydantic import SecretStr

from bot.features.terms.drafts import encode
from bot.request import HANDLERS
from bot.services.rate_limits import Rate, RateLimits
from bot.settings import Hosting
from loopback import Channel, Discord, File, Impossible, Message, Person
from loopback.interaction import Interaction, InteractionKind
from loopback.model import NO_FLAGS
from play.challenge.terms import Terms
from play.clock import parse_control
from play.community.puzzle import puzzle_day
from play.community.year import Year
from play.ids import Millis
from play.ratings.leaderboard import Season
from tests.bot.room import Room
from tests.bot.sights import ELSEWHERE_POOL, HERE_POOL, PLACES, SMALL, Subject, World, table
from tests.bot.templates import COMPONENTS, FORMS, PLAIN
from tests.clock import DAY, NOON, StoppedClock
from tests.opponent.quick import Inside

Use = tuple[Channel | None, str, dict[str, Any]]
"""A command: where, its name and its options."""

DRAFT: Final = encode(Terms(SMALL, parse_control("3d")))
NUMBERED: Final = ("here", "elsewhere", "private", "together")
LOOKS: Final = ("review", "film", "record", "replay")
"""The buttons of a finished game that show it."""

PEOPLE: Final[dict[str, Callable[[World, Subject], list[Use]]]] = {
    "/history": lambda world, of: [(world.channel, "history", {"player": of.person})],
    "/profile": lambda world, of: [(world.channel, "profile", {"player": of.person})],
    "/versus": lambda world, of: [(world.channel, "versus", {"opponent": of.person})],
    "/versus player": lambda world, of: [(world.channel, "versus", {"opponent": of.other, "player": of.person})],
    "/replay game": lambda world, of: _numbered(world, of, "replay"),
    "/export game game": lambda world, of: _numbered(world, of, "export game"),
    "menu:Profile": lambda world, of: [(world.channel, "Profile", {"target": of.person})],
    "menu:Our games": lambda world, of: [(world.channel, "Our games", {"target": of.person})],
    "menu:Board as text": lambda world, of: [(of.open, "Board as text", {"target": "a board"})],
    "/board": lambda world, of: [(of.open, "board", {}), (of.open, "board", {"text": True})],
    "/clock": lambda world, of: [(of.open, "clock", {})],
    "/review": lambda world, of: [(of.over, "review", {})],
    "/replay": lambda world, of: [(of.over, "replay", {})],
    "/export game": lambda world, of: [(of.over, "export game", {})],
    "/leaderboard": lambda world, of: [
        (world.channel, "leaderboard", {"kind": str(pool)}) for pool in (HERE_POOL, ELSEWHERE_POOL)
    ],
    "/leaderboard everywhere": lambda world, of: [
        (world.channel, "leaderboard", {"kind": str(pool), "everywhere": True}) for pool in (HERE_POOL, ELSEWHERE_POOL)
    ],
    "/move": lambda world, of: [(of.open, "move", {"point": "a1"})],
    **{
        f"/{name}": lambda world, of, name=name: [(of.open, name, {})]  # type: ignore[misc]
        for name in ("resign", "draw", "takeback", "pause", "stop", "abort", "rematch", "if", "hint")
    },
    "/ladder challenge": lambda world, of: [(world.channel, "ladder challenge", {"opponent": of.person})],
    "/vote begin": lambda world, of: [(world.channel, "vote begin", {"opponent": of.person})],
    "/moderate extend": lambda world, of: [(world.channel, "moderate extend", {"player": of.person, "time": "1h"})],
    "/tournament add": lambda world, of: [(world.channel, "tournament add", {"player": of.person})],
    "/team place": lambda world, of: [(world.channel, "team place", {"player": of.person, "place": 1})],
    "/team remove": lambda world, of: [(world.channel, "team remove", {"player": of.person})],
    "/tournament pair": lambda world, of: [
        (world.channel, "tournament pair", {"player": of.person, "opponent": of.other})
    ],
    "/moderate ban": lambda world, of: [(world.channel, "moderate ban", {"member": of.person, "time": "never"})],
    "/moderate unban": lambda world, of: [(world.channel, "moderate unban", {"member": world.viewer})],
    "/moderate notes": lambda world, of: [(world.channel, "moderate notes", {"member": of.person})],
    "/moderate end": lambda world, of: [(world.channel, "moderate end", {"winner": of.person})],
    "/moderate annul": lambda world, of: [(world.channel, "moderate annul", {"game": of.games["elsewhere"]})],
}
"""Uses of each command that names a player or a game of theirs, or that is used where they play. Those of context menus
have what they are used on as their `target`."""

MENU_KINDS: Final = AppCommandType.user, AppCommandType.message
FREE: Final = {"Open this record", "Challenge"}
"""Context menus that show what is in the message, or the player's own terms, and nothing else."""

OTHERS: Final[dict[str, dict[str, Any]]] = {
    "challenge": {"size": "5x5"},
    "import": {"file": File("game.sgf", b"(;FF[4]GM[40]SZ[9];B[aa];W[bb])")},
    "tournament create": {"name": "Cup", "format": "swiss", "size": "5x5"},
    "moderate withdraw-challenge": {"which": 1},
    "team accept": {"code": "0000-0000-0000"},
}
"""The options of other commands. Each that is not in `PEOPLE` is used once, without options if it needs none."""

TODAY: Final = puzzle_day(NOON)
THIS_YEAR: Final = Year.at(Millis(NOON + 30 * DAY)).number

IDS: Final = (
    *("history:{user}:0:0", "profile:{user}:dots-days", "profile:{user}:painted-days"),
    *(f"leaders:{where}:{pool}:-:0" for where in ("here", "all") for pool in (HERE_POOL, ELSEWHERE_POOL)),
    *(f"leaders:me:{where}:{pool}:-" for where in ("here", "all") for pool in (HERE_POOL, ELSEWHERE_POOL)),
    *(f"puzzle:{{puzzle}}:{action}" for action in ("0", "go:@", "play:A1", "show", "point")),
    *(f"taught:1:{action}" for action in ("go:A1@", "play:A1", "show", "point")),
    *("taught:list:0", "rush:{rush}:0:0"),
    *("arena:join", "arena:pause", "arenapost:open"),
    *("seek:panel:1", "seek:look:days:1:0", "seek:1:leave", "seek:1:ready", "seek:name", "seek:report:{match}"),
    *("seat:1:sit", "seats:open", "seats:post", "seek:1:meanwhile"),
    *("friend:open", "friend:invite:days", "friend:1:withdraw", f"friend:accept:{'0' * 12}"),
    f"predict:table:{Season.at(Millis(NOON + 30 * DAY))}",
    *(f"daily:{TODAY}:{action}" for action in ("look", "0:go:@C3", "0:play:A1", "0:answer:0", "0:show", "0:point")),
    f"share:daily:{TODAY}",
    *("milestone:games-10", "share:milestone:games-10"),
    *("year:own", "year:server", f"share:year:{THIS_YEAR}", f"share:server-year:{THIS_YEAR}"),
    *("dailypost:open", "dailypost:post", "dailypost:compared1"),
    *("share:profile:{user}:dots-days", "share:profile:{user}:-", "share:profile:{user}:painted-days"),
    *(f"share:leaders:{where}:{pool}:-:0" for where in ("here", "all") for pool in (HERE_POOL, ELSEWHERE_POOL)),
    *(f"share:{what}:{{{where}}}" for what in ("film", "review") for where in NUMBERED),
    *(f"share:position:{{{where}}}:1" for where in NUMBERED),
    *(f"replay:{{{where}}}:{way}" for where in NUMBERED for way in ("0:1", "turning:0", "jump")),
    *(f"on:{{{where}}}:1{way}" for where in NUMBERED for way in ("", ":0:level", ":0:friend", ":0:anyone", ":1:swap")),
    *(f"match:{{match}}:4:{action}" for action in ("more", "point", "keypad", "go:@C3", "play:a1", "stop", "land")),
    *(f"match:{{match}}:4:{action}" for action in ("end", "resign", "sure:resign", "keep:0", "draw", "takeback")),
    *(f"match:{{match}}:4:{action}" for action in ("abort", "agree:draw", "disagree:draw", "vacation", "plan")),
    *(f"match:{{match}}:4:{action}" for action in ("write_plan", "clear_plan", "clock", "give:1d", "pause:3d")),
    *(f"match:{{match}}:4:{action}" for action in ("quiet:1", "quiet:0", "web", "launch", "report", "say", "phrase")),
    *(f"match:{{match}}:4:{action}" for action in ("predict", "predict:result")),
    *(f"match:{{match}}:4:{action}" for action in ("votes", "sure:draw", "vote:rematch", "vote:resign:")),
    *(f"vote:{way}:{{user}}.0.0.24.3..abcd" for way in ("begin", "accept", "decline")),
    "team:1:begin",
    "team:1:begins",
    "vote:{match}:close",
    "vote:{match}:end",
    *(
        f"match:{{match}}:4:{action}"
        for action in ("resume", "rematch", "rules", "sure:abort", "hint", "hint:a1", "better:1.:a1", "look:stop:0")
    ),
    *(f"match:{{{where}}}:5:{action}" for where in NUMBERED for action in LOOKS),
    *(f"challenge:{{challenge}}:0:{action}" for action in ("accept", "leave", "decline", "change")),
    *(f"challenge:{{challenge}}:0:{action}" for action in ("ask", "forfeit", "fair")),
    "home:{challenge}:0:accept",
    *(f"terms:c{{challenge}}.0:{DRAFT}:{action}" for action in ("rules", "rated", "fair", "other-size", "save")),
    *(f"terms:{mine}:{DRAFT}:{action}" for mine in ("me", "server") for action in ("start", "save")),
    *(f"sets:me:{{rule_set}}:{action}" for action in ("show", "rules", "delete", "clock", "name", "usual")),
    *(f"sets:{whose}:{action}" for whose in ("me", "server") for action in ("list", "open", "new")),
    *(f"terms:sm{{rule_set}}:{DRAFT}:save", f"terms:me:{DRAFT}:name"),
    *(
        "me:theme",
        "me:zone:22:00-07:00",
        "me:clock",
        "me:usual",
        "me:forget",
        "server:theme",
        "server:usual",
        "server:shown",
    ),
    *(f"terms:{target}:{DRAFT}:{action}" for target in ("n0", "ladder") for action in ("win", "save", "opponent")),
    f"terms:me:{DRAFT}:other-win",
    *(f"terms:t{{tournament}}:{DRAFT}:{action}" for action in ("win", "save")),
    *(
        "blocked:remove0",
        *("league:open:1", "league:page:1:1", "league:page:9:1"),
        *("home:open", "home:post", "begin:cards", "begin:ladder", "begin:ladder:sure"),
        "podium:role0",
        "podium:season",
        *("vacation:0", "vacation:3", "vacation:3:anyway"),
        "help:0",
        "rules:on:zagram",
    ),
    *("learn:capture", "learn:capture:A1", "path:0", "path:1"),
    *("drill:fork", "drill:fork:101::go:A1@", "drill:fork:101::show", "drill:fork:101::point"),
    "drill:fork:101::play:A1",
    *("train:kinds", "train:net", "train:net:101::go:A1@", "train:net:101::show", "train:net:101::point"),
    *("train:net:101::play:A1", "back:101::0"),
    *(f"learn:capture:{action}" for action in ("go:A1@", "play:A1", "show", "point")),
    *(
        f"mistake:{{{where}}}:1:{action}"
        for where in NUMBERED
        for action in ("go:a1@", "go:@C3", "play:A1", "show", "point")
    ),
    *("lesson:0", "import:zagram:0:0", "import:zagram:film"),
    *("replay:zagram:0:1", "replay:zagram:jump:8", "share:position:zagram:1"),
    *(f"tournament:{{tournament}}:{action}" for action in ("join", "withdraw", "begin", "here", "terms")),
    *(f"tournament:{{tournament}}:{action}" for action in ("players", "players:0", "remove:{user}", "expel:{user}")),
    *(f"team:1:{action}" for action in ("join", "leave", "sure", "withdraw")),
    *(f"team:{way}:{'0' * 12}" for way in ("accept", "decline")),
    "team:listed:0",
    *(f"link:join:{'0' * 12}", "link:part"),
    *("kept:tournament.{tournament}.0", "kept:tournament.{tournament}.0:0"),
    *("games:withdraw:{challenge}", "moderate:1", "ruling:{here}", "sets:me:{rule_set}:sure"),
    *(f"tournament:999:sure:{action}" for action in ("withdraw", "cancel")),
    *sorted(PLAIN, key=lambda custom_id: custom_id == "privacy:forget"),
)
"""A custom id for each button and menu; the last one deletes the data of the viewer."""

FORM_IDS: Final = (
    *(
        "match:{match}:4:point",
        "match:{match}:4:plan",
        "replay:{match}:jump",
        "mistake:{match}:1:point",
        "drill:fork:101::point",
        "train:net:101::point",
        "learn:capture:point",
        "taught:1:point",
        "puzzle:{puzzle}:point",
    ),
    f"daily:{TODAY}:0:point",
    *(f"terms:c{{challenge}}.0:{DRAFT}:other-size", "me:clock", "seek:name"),
    *("sets:me:new", "sets:me:{rule_set}:name", f"terms:me:{DRAFT}:name", "feedback"),
    "begin:tournament:name",
)
TYPED: Final = {
    "point": "a1",
    "line": "a1 -> a2",
    "number": "1",
    "value": "9x9",
    "zone": "Europe/Warsaw",
    "night": "",
    "name": "Mine",
    "text": "Thanks",
    "contact": "",
}

MENUS: Final = ("rules", "start", "theme", "pool", "contents", "purposes", "open")
POSTED: Final = (
    *("newcomer:", "welcome:", "leaders:", "puzzle:", "daily:open", "challenge:", "tournament:", "import:"),
    "privacy:",
)
"""Buttons of messages that all can see; the others are on private panels."""


def _numbered(world: World, of: Subject, command: str) -> list[Use]:
    return [(world.channel, command, {"game": of.games[where]}) for where in NUMBERED if where in of.games]


@pytest.fixture
async def room(discord: Discord, url: str, clock: StoppedClock) -> AsyncIterator[Room]:
    fast = Rate(10**6, 0.001)
    inbox = Hosting(feedback=SecretStr(str(discord.open_channel("feedback").id)))
    room = Room(
        discord, url, clock, limits=RateLimits(fast, fast, fast, fast, cards=fast, feedback=fast), hosting=inbox
    )
    room.thinkers = Inside
    await room.start()
    await room.pass_time(30 * DAY)
    yield room
    await room.stop()


def expected(what: str, cell: str, of: Subject, place: str) -> tuple[set[str], set[str]]:
    """Returns the facts that must be seen, and those that may be."""
    ratings = {"rating elsewhere", "all counts"} | ({"rating here"} if of.relation != "stranger" else set())
    known = {
        "here": {"name", "here"},
        "together": {"name", "together"},
        "all": {"name", "here", "elsewhere", "private"},
        "channel": {"name", "here" if place == "server" else "private"},
        "listed": {"name"},
    }
    facts: set[str] = set().union(*(known.get(each, set()) for each in cell.split(", ")))
    if what in ("/profile", "menu:Profile", "profile:", "share:profile"):
        facts |= {"here": {"rating here", "quits here"}, "all": {*ratings, "all quits"}}.get(cell, set())
    if cell == "listed" and "leader" in what:
        is_everywhere = what.endswith(("everywhere", ":all")) or (what == "/leaderboard" and place != "server")
        facts |= ratings if is_everywhere else {"rating here"}
    may = {"name"} if cell == "named" else set(of.facts) if cell == "yours" else facts
    return (set() if what in ("/review", "match:review", "share:review") else facts), may


class Walk:
    """The use of everything in one place, compared with the table. `wrong` says where they differ."""

    def __init__(self, world: World) -> None:
        self.world, self.place, self.room = world, world.place, world.room
        self.table = table()
        self.seen: dict[str, str | None] = {}
        self.wrong: list[str] = []
        self.walked: set[str] = set()
        self.panel: Message
        self.post: Message

    async def use_all(self) -> None:
        world = self.world
        self.panel = self._message(await self._settle(world.viewer.command(world.channel, "settings me")))
        asked = world.viewer.command(world.channel, "leaderboard", everywhere=True)
        self.post = replace(self._message(await self._settle(asked)), flags=NO_FLAGS, visible_to=None)
        for what, uses in PEOPLE.items():
            for of in world.people:
                if self._cell(what, of) != "yours":
                    await self._judge(what, of, [await self._use(*use) for use in uses(world, of)])
        for name in others(world):
            text = await self._use(world.channel, name, OTHERS.get(name, {}))
            for of in world.people:
                await self._judge(f"/{name}", of, [text])
        for command, option in suggested_options(self.room):
            text = await self._suggest(command, option)
            for of in world.people:
                await self._judge(f"/{command} suggests", of, [text])
        for what, custom_ids in buttons().items():
            for of in world.people:
                tried = (each for each in custom_ids if self._cell(what, of) != "yours" or "{" not in each)
                await self._judge(what, of, [await self._press(self._id(each, of)) for each in tried])

    def _cell(self, what: str, of: Subject) -> str:
        return self.table.get((what, self.place), {}).get(of.relation, "–")

    async def _judge(self, what: str, of: Subject, texts: list[str | None]) -> None:
        offered = [text for text in texts if text is not None]
        listed = (what, self.place) in self.table
        self.walked.add(what)
        if not offered and listed and texts and self._cell(what, of) != "–":
            self.wrong.append(f"{what} is not offered in a {self.place}")
        if offered and not listed and not what.endswith("suggests"):
            self.wrong.append(f"{what} has no row for a {self.place}")
        must, may = expected(what, self._cell(what, of), of, self.place)
        seen = of.seen_in("\n".join(offered))
        if offered and not must <= seen <= may:
            self.wrong.append(f"{what}, {self.place}, {of.relation}: shows {sorted(seen)}, not {sorted(must)}")

    def _id(self, custom_id: str, of: Subject) -> str:
        world = self.world
        return custom_id.format(
            user=of.person.id,
            match=of.match,
            challenge=of.challenge,
            rule_set=of.rule_set,
            puzzle=world.puzzle,
            rush=world.rush,
            tournament=world.tournament,
            **{where: of.games.get(where, of.match) for where in NUMBERED},
        )

    async def _use(self, channel: Channel | None, command: str, options: dict[str, Any]) -> str | None:
        """Returns all that a command shows; None where Discord does not offer it, or without a channel for it."""
        if channel is None:
            return None
        use = f"{channel.id} {command} {sorted((name, str(value)) for name, value in options.items())}"
        if use not in self.seen:
            try:
                self.seen[use] = _shown_text(await self._settle(self._begin(channel, command, options)))
            except Impossible:
                self.seen[use] = None
        return self.seen[use]

    def _begin(self, channel: Channel, command: str, options: dict[str, Any]) -> Interaction:
        """Uses a command, or one of a context menu on its `target`."""
        viewer, target = self.world.viewer, options.get("target")
        if target is None:
            return viewer.command(channel, command, **options)
        if not isinstance(target, Person):
            world = self.room.discord.world
            target = Message(world.ids.next(), channel.id, world.bot.id, "An older board, whose buttons are gone")
            world.messages[target.id] = target
        return viewer.use_menu(channel, command, target)

    async def _suggest(self, command: str, option: str) -> str | None:
        try:
            return json.dumps(await self.world.viewer.complete(self.world.channel, command, focused=option))
        except Impossible:
            return None

    async def _press(self, custom_id: str) -> str | None:
        """Returns all that a button, menu or form with this id shows, whether or not the bot wrote the id."""
        if custom_id not in self.seen:
            form = custom_id.startswith("form ")
            custom = custom_id.removeprefix("form ")
            host = (
                self.post
                if custom.startswith(POSTED) or custom.endswith((":rematch", ":accept", *LOOKS))
                else self.panel
            )
            menu = custom.rpartition(":")[2] in MENUS
            part: dict[str, Any] = {"type": 3 if menu else 2, "id": 9, "custom_id": custom}
            part |= {"options": [{"label": "x", "value": "x"}]} if menu else {"style": 1, "label": "x"}
            bare = replace(host, content="", components=({"type": 1, "id": 8, "components": [part]},), attachments=())
            self.room.discord.world.messages[host.id] = bare
            kind, data = InteractionKind.COMPONENT, {"custom_id": custom, "component_type": part["type"], "id": 9}
            if menu:
                data["values"] = ["paper"]
            if form:
                fields = [
                    {"type": 4, "id": 20 + at, "custom_id": each, "value": TYPED[each]} for at, each in enumerate(TYPED)
                ]
                labels = [{"type": 18, "id": 10 + at, "component": field} for at, field in enumerate(fields)]
                kind, data = InteractionKind.MODAL, {"custom_id": custom, "components": labels}
            there = {each.id for each in self.room.discord.messages(host.channel_id)}
            begun = self.room.discord.interactions.begin(kind, self.world.viewer.user, host.channel_id, data, bare)
            done = await self._settle(begun)
            copies = [
                each
                for each in self.room.discord.messages(host.channel_id)
                if custom.startswith("share:") and each.id not in there
            ]
            now = self.room.discord.message(host)
            shown = "\n".join((_shown_text(done), *map(_message_text, copies)))
            self.seen[custom_id] = shown + ("" if now in (None, bare) else _message_text(now)).replace(custom, "")
        return self.seen[custom_id]

    async def _settle(self, interaction: Interaction) -> Interaction:
        """Returns the interaction when all handlers have ended."""
        await interaction.answered()
        while handlers := [task for task in asyncio.all_tasks() if task.get_name().startswith(HANDLERS)]:
            await asyncio.wait(handlers)
        return interaction

    def _message(self, interaction: Interaction) -> Message:
        return interaction.messages[-1]


def _shown_text(interaction: Interaction) -> str:
    modal = json.dumps([interaction.modal.title, interaction.modal.components]) if interaction.modal else ""
    return "\n".join((modal, interaction.failure or "", *map(_message_text, interaction.messages)))


def _message_text(message: Message | None) -> str:
    """Returns all that a message shows: words, labels, custom ids, descriptions of pictures, and records."""
    if message is None:
        return ""
    lines = [message.text, json.dumps(message.components, ensure_ascii=False)]
    for file in message.attachments:
        lines += [file.filename, file.description or ""]
        if file.filename.endswith((".sgf", ".json")):
            lines.append(file.data.decode())
        if file.filename.endswith(".zip"):
            archive = ZipFile(BytesIO(file.data))
            lines += [archive.read(name).decode() for name in archive.namelist()]
    return "\n".join(lines)


def key(custom_id: str) -> str:
    """Returns the row of the table to which a button belongs."""
    if custom_id.startswith("share:leaders:"):
        return custom_id[: custom_id.index(":", len("share:leaders:"))]
    if custom_id.startswith("share:position:"):
        return "share:position"
    if custom_id.startswith("share:"):
        return custom_id.rpartition(":")[0] if custom_id.count(":") == 2 else "share:profile"
    for leaders in ("leaders:me:here", "leaders:me:all", "leaders:here", "leaders:all"):
        if custom_id.startswith(leaders):
            return leaders
    if custom_id.startswith("tournament:") and custom_id.split(":")[2] in ("players", "remove", "expel"):
        return "tournament:remove"
    if custom_id.startswith("year:"):  # one is of the player, the other of the server
        return custom_id
    if custom_id.startswith("match:") and custom_id.endswith(":vacation"):  # lists one's own games
        return "match:vacation"
    if custom_id in (
        "ladder:terms",
        "league:terms",
    ):  # their menu has all rule sets, also one that is a fact of the opponent
        return custom_id
    if custom_id.startswith("match:") and custom_id.endswith(LOOKS):
        return f"match:{custom_id.rpartition(':')[2]}"
    return f"{custom_id.partition(':')[0]}:"


def buttons() -> dict[str, list[str]]:
    """Returns the custom ids of buttons and forms by their rows."""
    found: dict[str, list[str]] = {}
    for custom_id in (*IDS, *(f"form {each}" for each in FORM_IDS)):
        found.setdefault(key(custom_id.removeprefix("form ")), []).append(custom_id)
    return found


def commands(room: Room) -> Iterator[app_commands.Command[Any, Any, Any]]:
    for command in room.client.tree.walk_commands():
        if isinstance(command, app_commands.Command):
            yield command


def others(world: World) -> list[str]:
    """Returns the commands that `PEOPLE` doesn't use: first those that join, last those that make, leave or delete."""
    used = {name for uses in PEOPLE.values() for _, name, _ in uses(world, world.people[1])}
    names = [command.qualified_name for command in commands(world.room) if command.qualified_name not in used]
    return sorted(names, key=lambda name: name.endswith((" create", " leave", " delete")) - name.endswith(" join"))


def suggested_options(room: Room) -> list[tuple[str, str]]:
    """Returns the options for which there are suggestions."""
    return [
        (command.qualified_name, option.name)
        for command in commands(room)
        for option in command.parameters
        if option.autocomplete
    ]


@pytest.mark.contest
@pytest.mark.parametrize("place", [pytest.param("server", marks=pytest.mark.smoke), *PLACES[1:]])
async def test_of_a_person_everybody_sees_what_the_table_says(
    room: Room, place: str, caplog: pytest.LogCaptureFixture
) -> None:
    world = World(room, place)
    await world.fill()
    walk = Walk(world)
    await walk.use_all()
    rows = {what for what, where in walk.table if where == place}
    assert "\n".join(walk.wrong) == ""
    assert [record.getMessage() for record in caplog.records if "incident" in record.getMessage()] == []
    assert rows <= walk.walked, "the table has rows that nothing walks"


async def test_every_command_that_needs_options_is_walked_with_them(room: Room) -> None:
    world = World(room, "server")
    await world.fill()
    needing = {
        command.qualified_name: {option.name for option in command.parameters if option.required}
        for command in commands(room)
    }
    assert {name for name in others(world) if not needing[name] <= OTHERS.get(name, {}).keys()} == set()


async def test_every_menu_is_walked(room: Room) -> None:
    menus = {menu.name for kind in MENU_KINDS for menu in room.client.tree.get_commands(type=kind)}
    assert {f"menu:{name}" for name in menus - FREE} <= PEOPLE.keys(), "see docs/security.md"


@pytest.mark.parametrize("button", COMPONENTS, ids=lambda button: f"{button.__module__}.{button.__name__}")
def test_every_button_is_walked(button: Any) -> None:
    ids = [re.sub(r"\{\w+\}", "1", custom_id) for custom_id in IDS]
    assert any(button.__discord_ui_compiled_template__.fullmatch(each) for each in ids), "see docs/security.md"


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.id_form.template)
def test_every_form_is_walked(form: Any) -> None:
    ids = [custom_id.format(match=1, challenge=1, rule_set=1, puzzle=1) for custom_id in FORM_IDS]
    assert any(form.id_form.pattern.fullmatch(each) for each in ids), "see docs/security.md"
