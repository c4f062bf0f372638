"""The world in one SQLite file. Ids, threads and messages outlive the process; ephemeral messages do not."""

import json
import sqlite3
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from loopback import events
from loopback.events import Event
from loopback.ids import Snowflakes
from loopback.model import (
    Attachment,
    Channel,
    ChannelKind,
    Guild,
    Message,
    MessageFlag,
    MessageKind,
    Origin,
    Reference,
    Role,
    User,
)
from loopback.permissions import Overwrite, Permission
from loopback.world import World, new_world

Json = dict[str, Any]

SCHEMA = """
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS thing (id INTEGER, kind TEXT, json TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS file (id INTEGER PRIMARY KEY, message INTEGER NOT NULL, data BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS file_of ON file (message);
"""

AGE_SECONDS = 365 * 86_400.0
"""The age of the server and the people of a new file: who tries the bot out may at once do what takes an older
account, such as to vote for a side."""


class StateFile:
    """A file that stores every change of a world at once.

    Only one process can open it at a time; another gets sqlite3.OperationalError.
    """

    def __init__(self, path: Path) -> None:
        path.touch(0o600)  # messages are their owner's alone; SQLite's other files inherit these rights
        path.chmod(0o600)
        self._db = sqlite3.connect(path, isolation_level=None, timeout=0)
        try:
            self._db.executescript(SCHEMA)
        except sqlite3.Error:
            self._db.close()
            raise
        self._world: World | None = None

    def load_world(self, now: Callable[[], float]) -> World:
        """Loads the world; makes a new one if the file is new."""
        people = self._load("user", lambda id_, json: User(**json | {"roles": tuple(json.get("roles", ()))}))
        if not people:
            self._world = new_world(now, AGE_SECONDS)
            for user in self._world.users.values():
                self._save("user", user.id, asdict(user))
            self._save("guild", self._world.guild.id, asdict(self._world.guild))
            for channel in self._world.channels.values():
                self._save("channel", channel.id, asdict(channel))
            for role in self._world.roles.values():
                self._save("role", role.id, asdict(role))
        else:
            self._world = self._restore(now, people)
        self._save("secret", 0, self._world.secret)
        self._world.listeners.append(self.on_event)
        return self._world

    def close(self) -> None:
        """Closes the file."""
        self._db.close()

    def on_event(self, event: Event) -> None:
        """Stores a change."""
        match event:
            case events.MessagePosted(message) | events.MessageEdited(message) | events.ReactionAdded(message) if (
                not message.ephemeral
            ):
                self._save_message(message)
            case events.MessageDeleted(message):
                self._delete_message(message)
            case events.MessagesPurged(messages):
                for message in messages:
                    self._delete_message(message)
            case events.ChannelCreated(channel) | events.ChannelChanged(channel):
                self._save("channel", channel.id, asdict(channel))
            case events.ChannelDeleted(channel):
                self._delete("channel", channel.id)
            case events.RoleMade(role):
                self._save("role", role.id, asdict(role))
            case events.RoleDeleted(role):
                self._delete("role", role.id)
            case events.MemberChanged(user) | events.LocaleChanged(user) | events.MemberLeft(user):
                self._save_user(user)
            case events.BotJoined(guild) | events.ServerChanged(guild) if guild.members:  # not the first one
                self._save("guild", guild.id, asdict(guild))
            case events.CommandsSynced():
                self._save_commands()

    def _save_user(self, user: User) -> None:
        assert self._world is not None
        self._save("user", user.id, asdict(self._world.users[user.id]))
        for guild in self._world.guilds:
            if (joined := self._world.joined.get((user.id, guild.id))) is not None:
                self._save(_joining(guild.id), user.id, joined)
        if user.id in self._world.left:
            self._save("left", user.id, {})
        else:
            self._delete("left", user.id)

    def _delete_message(self, message: Message) -> None:
        self._delete("message", message.id)
        self._db.execute("DELETE FROM file WHERE message = ?", (message.id,))

    def _restore(self, now: Callable[[], float], people: list[User]) -> World:
        guild, *others = self._load("guild", lambda id_, json: _load_guild(json))
        channels = self._load("channel", lambda id_, json: _load_channel(json))
        messages = self._load("message", self._load_message)
        newest = self._db.execute("SELECT max(id) FROM (SELECT id FROM thing UNION SELECT id FROM file)").fetchone()[0]
        bot = next(user for user in people if user.bot)
        world = World(now, Snowflakes(now, newest), guild, bot, [user for user in people if not user.bot])
        world.others = {each.id: each for each in others}
        world.left = set(self._load("left", lambda id_, json: id_))
        for each in world.guilds:
            joined = self._load(_joining(each.id), lambda id_, json: (id_, json))
            world.joined |= {(user, each.id): seconds for user, seconds in joined}
        for channel in channels:
            world.place(channel)
        world.roles = {role.id: role for role in self._load("role", lambda id_, json: _load_role(json))}
        for message in messages:
            if message.channel_id in world.channels:
                world.restore(message)
        world.commands = self._load("command", lambda id_, json: json)
        world.secret = next(iter(self._load("secret", lambda id_, json: json)), world.secret)
        return world

    def _save_message(self, message: Message) -> None:
        self._db.execute("BEGIN")
        self._save("message", message.id, _message_row(message))
        kept = [each.id for each in message.files]
        marks = ",".join("?" * len(kept))
        self._db.execute(f"DELETE FROM file WHERE message = ? AND id NOT IN ({marks})", (message.id, *kept))  # noqa: S608
        for each in message.files:
            self._db.execute("INSERT OR IGNORE INTO file VALUES (?, ?, ?)", (each.id, message.id, each.data))
        self._db.execute("COMMIT")

    def _load_message(self, message_id: int, json: Json) -> Message:
        data = dict(self._db.execute("SELECT id, data FROM file WHERE message = ?", (message_id,)).fetchall())
        return _load_message(json, data)

    def _save_commands(self) -> None:
        assert self._world is not None
        self._db.execute("DELETE FROM thing WHERE kind = 'command'")
        for command in self._world.commands:
            self._save("command", int(command["id"]), command)

    def _save(self, kind: str, id_: int, json_out: Json | str | float) -> None:
        text = json.dumps(json_out, ensure_ascii=False)
        self._db.execute("INSERT OR REPLACE INTO thing (id, kind, json) VALUES (?, ?, ?)", (id_, kind, text))

    def _delete(self, kind: str, id_: int) -> None:
        self._db.execute("DELETE FROM thing WHERE kind = ? AND id = ?", (kind, id_))

    def _load(self, kind: str, make: Callable[[int, Json], Any]) -> list[Any]:
        rows = self._db.execute("SELECT id, json FROM thing WHERE kind = ? ORDER BY id", (kind,)).fetchall()
        return [make(id_, json.loads(text)) for id_, text in rows]


def _message_row(message: Message) -> Json:
    """Returns a message as JSON, without the bytes of its files."""
    files = [replace(each, data=b"") for each in message.attachments]
    row = asdict(replace(message, attachments=(), snapshot=None))
    row["attachments"] = [{key: value for key, value in asdict(each).items() if key != "data"} for each in files]
    row["snapshot"] = message.snapshot and _message_row(message.snapshot)
    return row


def _load_message(json_in: Json, data: dict[int, bytes]) -> Message:
    attachments = tuple(Attachment(**each, data=data[each["id"]]) for each in json_in["attachments"])
    lists = ("embeds", "components", "mentions", "mention_roles", "reactions")
    changes: Json = {"attachments": attachments} | {key: tuple(json_in.get(key, ())) for key in lists}
    changes |= {"kind": MessageKind(json_in["kind"]), "flags": MessageFlag(json_in["flags"])}
    changes["reference"] = json_in["reference"] and Reference(**json_in["reference"])
    changes["origin"] = json_in["origin"] and Origin(**json_in["origin"])
    changes["snapshot"] = (snapshot := json_in.get("snapshot")) and _load_message(snapshot, data)
    return Message(**json_in | changes)


def _joining(guild: int) -> str:
    """Returns the kind of thing that says when a user has joined a server."""
    return f"joined {guild}"


def _load_guild(json_in: Json) -> Guild:
    return Guild(**json_in | {key: tuple(json_in.get(key, ())) for key in ("features", "members")})


def _load_role(json_in: Json) -> Role:
    return Role(**json_in | {"permissions": Permission(json_in.get("permissions", 0))})


def _load_channel(json_in: Json) -> Channel:
    overwrites = tuple(
        Overwrite(each["id"], Permission(each["allow"]), Permission(each["deny"])) for each in json_in["overwrites"]
    )
    kind, members = ChannelKind(json_in["kind"]), tuple(json_in["members"])
    changes = {"kind": kind, "members": members, "overwrites": overwrites}
    return Channel(**json_in | changes | {"blocked_words": tuple(json_in.get("blocked_words", ()))})
