"""`kropka operator`: figures, announcements, blocks and the pause of new games.

A PostgreSQL database takes each act from here. A SQLite file belongs to the process that works on it: while that is a
bot, the act goes to it by a socket beside the file, which only its owner may use, and is the same there.
"""

import argparse
import asyncio
import getpass
import json
import logging
import os
import socket
import tomllib
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final

import aiohttp
import discord

from bot.cli.complaint import MAY_PASS, complain
from bot.edge import guard
from bot.features.announcements import announcement_text
from bot.markup import spoken
from bot.parts import draw_seed
from bot.settings import BadSettings, Settings
from play.community.conduct import Report
from play.community.operator import MAX_BLOCKED, Announcement, RestrictionKind
from play.ids import Millis
from presentation.words.words import SOURCE
from storage import Database, InUse, database_time, file_of
from storage.figures import count_figures
from use_cases import UseCases
from use_cases.operator import Operator, describe_time

log = logging.getLogger(__name__)

MAX_TEXT: Final = 1800
"""Characters of an announcement in one language: Discord takes 2000, and a line says whose message it is."""

MAX_BYTES: Final = 256 * 1024
"""Bytes of a request or an answer: six texts of four bytes a letter, or the log."""

ANSWER_SECONDS: Final = 60.0
"""Seconds that the bot gets: to block a server ends its games."""

BLOCKS: Final = (RestrictionKind.SERVER, RestrictionKind.USER)
"""The restrictions of one server or user."""

MENTIONS: Final = ("@everyone", "@here", "<@")

Request = dict[str, Any]


class Refusal(Exception):
    """An act that changes nothing, with the sentence for the operator."""


def read_texts(file: Path) -> dict[str, str]:
    """Returns the texts of an announcement by language. Raises BadSettings and OSError."""
    known = spoken().names
    if file.stat().st_size > MAX_BYTES:
        raise BadSettings(f"{file}: it is too large.")
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadSettings(f"{file}: this is no TOML ({error}).") from None
    if unknown := set(found) - set(known):
        raise BadSettings(f"{file}: there is no language {sorted(unknown)[0]!r}. Use {', '.join(known)}.")
    if SOURCE not in found:
        raise BadSettings(f"{file}: {SOURCE!r} is missing. Servers read it where their language has no text.")
    for tag, text in found.items():
        if not isinstance(text, str) or not text.strip() or len(text) > MAX_TEXT:
            raise BadSettings(f"{file}: {tag!r} has to be a text of 1 to {MAX_TEXT} characters.")
        if any(mention in text for mention in MENTIONS):
            raise BadSettings(f"{file}: {tag!r} mentions people. Leave out {', '.join(MENTIONS)}.")
    return {tag: text.strip() for tag, text in found.items()}


async def run(settings: Settings, arguments: argparse.Namespace) -> int:
    """Runs `kropka operator`; returns 1 if the act changes nothing."""
    address = settings.present_address()
    file = file_of(address)
    if file is not None and not file.exists():
        raise BadSettings(f"KROPKA_DATABASE: {file} isn't there. Start Kropka first.")
    request: Request = {**vars(arguments), "by": _account()}
    try:
        match arguments.act:
            case "figures":
                figures = await count_figures(address, await database_time(address))
                told = [f"{count:>10,} {name}" for name, count in figures.items()]
                lines = [json.dumps(figures)] if arguments.json else told
            case "announce" if arguments.preview:
                lines = preview(read_texts(arguments.file))
            case _:
                if arguments.act == "announce":
                    request["texts"] = read_texts(request.pop("file"))
                if arguments.act == "leave":
                    await _leave(settings, arguments.id)
                lines = await _perform(address, file, request)
    except Refusal as refusal:
        return complain(str(refusal), MAY_PASS)
    print("\n".join(lines), flush=True)  # noqa: T201 - what the command is for
    return 0


def preview(texts: dict[str, str]) -> list[str]:
    """Returns what servers of each language will read."""
    announcement, languages = Announcement(0, Millis(0), texts), spoken()
    heads = {tag: "" if tag in texts else f" has no text, so it reads that of {SOURCE!r}" for tag in languages.names}
    return [f"[{tag}]{head}\n{announcement_text(announcement, languages.of(tag))}\n" for tag, head in heads.items()]


def _account() -> str:
    """Returns who runs the command; the number of an account without a name, as containers have."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return str(os.getuid())


async def _leave(settings: Settings, guild: int) -> None:
    """Leaves a server at once, whether the bot runs or not. Raises Refusal and discord.HTTPException."""
    trace = guard(aiohttp.TraceConfig())
    async with discord.Client(
        intents=discord.Intents(guilds=True), http_trace=trace, connector=settings.way_to().connector()
    ) as client:
        await client.login(settings.secret())
        try:
            await client.http.leave_guild(guild)
        except discord.NotFound:
            raise Refusal(f"The bot is on no server {guild}.") from None


async def _perform(address: str, file: Path | None, request: Request) -> list[str]:
    async with AsyncExitStack() as stack:
        try:
            store = await stack.enter_async_context(Database.open(address))
        except InUse:
            assert file is not None, "a server takes many"
            return await _ask_bot(file, request)
        return await perform(UseCases.over(store, draw_seed).operator, request)


async def perform(operator: Operator, request: Request) -> list[str]:
    """Does what a request asks for, and returns lines for the operator. Raises Refusal and Unavailable."""
    by, kind, subject = request["by"], request.get("kind", ""), request.get("id", 0)
    match request["act"]:
        case "announce":
            _require(
                await operator.announce(by, request["texts"]), "Another announcement still goes out. Withdraw it first."
            )
            return ["It goes out, two servers a second. See `kropka operator status`."]
        case "withdraw":
            _require(await operator.withdraw(by), "There is no announcement to withdraw.")
            return ["Withdrawn. Servers that have it keep it."]
        case "status":
            return await _status(operator)
        case "block":
            blocked = await operator.block(by, RestrictionKind(kind), subject, request["reason"])
            _require(blocked, f"{MAX_BLOCKED} are blocked already. Unblock some first.")
            return [f"Blocked {kind} {subject}. All processes know it within a quarter of a minute."]
        case "unblock":
            _require(await operator.lift(by, RestrictionKind(kind), subject), f"{kind} {subject} isn't blocked.")
            return [f"Unblocked {kind} {subject}."]
        case "blocked":
            found = [each for each in await operator.restrictions() if each.kind in BLOCKS]
            lines = [_line(describe_time(each.since), each.kind, each.subject, each.reason) for each in found]
            return lines or ["Nobody is blocked."]
        case "pause":
            until = request["until"]
            _require(await operator.pause(by, until), "That time is over. Name a later one.")
            return [f"No new games {f'until {describe_time(until)}' if until else 'until `kropka operator resume`'}."]
        case "resume":
            _require(await operator.lift(by, RestrictionKind.GAMES), "New games aren't paused.")
            return ["New games may begin."]
        case "close-strangers":
            await operator.close_strangers(by)
            return ["Nobody meets strangers until `kropka operator open-strangers`. Games that have begun go on."]
        case "open-strangers":
            _require(await operator.lift(by, RestrictionKind.STRANGERS), "Strangers may meet already.")
            return ["Strangers may meet."]
        case "reports":
            return [_reported(each) for each in await operator.reports()] or ["Nobody was reported."]
        case "leave":
            await operator.note_leave(by, subject)
            return [f"Left server {subject}. What is stored of it stays, as PRIVACY.md says."]
        case "log":
            return [_line(describe_time(at), *rest) for at, *rest in await operator.log()]
    raise Refusal(f"There is no act {request['act']!r}.")


async def _status(operator: Operator) -> list[str]:
    if (found := await operator.status()) is None:
        return ["Nothing was announced yet."]
    newest, progress = found
    state = "withdrawn" if newest.withdrawn else "going out" if None in progress or not newest.listed else "done"
    counts = [f"{count:>10,} {outcome or 'waiting'}" for outcome, count in progress.items()]
    return [f"Announcement {newest.id} of {describe_time(newest.made)}: {state}", *sorted(counts)]


def _reported(report: Report) -> str:
    servers = f"members of {report.servers} servers" if report.servers != 1 else "members of 1 server"
    return _line(describe_time(report.at), "game", report.match, "user", report.user, f"({servers} this week)")


def _line(*parts: object) -> str:
    return " ".join(str(part) for part in parts if part)


def _require(done: bool, sentence: str) -> None:
    if not done:
        raise Refusal(sentence)


def _socket_of(file: Path) -> Path:
    return file.with_name(f"{file.name}.operator")


@asynccontextmanager
async def serve_operator(operator: Operator, file: Path | None) -> AsyncIterator[None]:
    """Takes requests of `kropka operator` beside a database file until the block ends; a server needs none."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        said: dict[str, object]
        with suppress(OSError):
            async with asyncio.timeout(ANSWER_SECONDS):
                try:
                    said = {"lines": await perform(operator, json.loads(await reader.readline()))}
                except Refusal as refusal:
                    said = {"refused": str(refusal)}
                except Exception as error:
                    said = {"refused": f"The bot fails at it ({error!r})."}
                    log.warning("the operator's request fails", exc_info=error)
                writer.write(json.dumps(said).encode() + b"\n")
                await writer.drain()
        writer.close()

    if file is None or not hasattr(asyncio, "start_unix_server"):  # as on Windows: there the bot has to be stopped
        yield
        return
    path = _socket_of(file)
    try:
        server = await asyncio.start_unix_server(answer, sock=_bind(path), limit=MAX_BYTES)
    except OSError as error:  # as of a path of more than 107 bytes
        log.warning("`kropka operator` can't reach this bot: %s", error)
        yield
        return
    try:
        async with server:
            yield
    finally:
        path.unlink(missing_ok=True)


def _bind(path: Path) -> socket.socket:
    """Returns a socket that only this user may connect to. Raises OSError."""
    path.unlink(missing_ok=True)  # of a bot that was killed: this process has the file now
    bound, before = socket.socket(socket.AF_UNIX), os.umask(0o177)
    try:
        bound.bind(str(path))
    except OSError:
        bound.close()
        raise
    finally:
        os.umask(before)
    return bound


async def _ask_bot(file: Path, request: Request) -> list[str]:
    """Returns what the bot that works on the file answers. Raises Refusal."""
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            reader, writer = await asyncio.open_unix_connection(_socket_of(file), limit=MAX_BYTES)
            writer.write(json.dumps(request).encode() + b"\n")
            said = json.loads(await reader.readline())
            writer.close()
    except (AttributeError, OSError, ValueError) as error:
        raise Refusal(f"The bot that works on {file} doesn't answer ({error or 'it took too long'}).") from error
    if "refused" in said:
        raise Refusal(said["refused"])
    lines: list[str] = said["lines"]
    return lines
