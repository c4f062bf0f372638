"""The whole program between two places that may not know of each other, and the journey of two strangers through it."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

from pydantic import SecretStr

from bot.cli.tryout import mount_site
from bot.platforms import matrix as make_matrix
from bot.platforms import telegram as make_telegram
from bot.settings import Hosting
from loopback import Discord
from play.challenge.terms import Terms
from play.clock import Speed, parse_control
from play.ids import DAY, HOUR, MINUTE, ChannelId, IdempotencyKey, MatchId, UserId
from play.match.events import OfferKind
from play.match.match import Match
from rules.registry import DEFAULT, make_game
from telegram.api import BotApi
from tests.bot.arenas import begin, gather
from tests.bot.room import Room
from tests.clock import StoppedClock
from tests.matrix.people import Player
from tests.matrix.synapse import Synapse
from tests.opponent.quick import Inside
from tests.strangers.sides import DiscordSide, MatrixSide, Side, TelegramSide, watch_discord, watched_session
from tests.telegram import stand_in
from tests.telegram.stand_in import TOKEN
from tests.web.home_visit import AtHome
from tests.web.visit import Visit
from use_cases.player_settings import change_player

MARKS = ("qzfirst", "xwother")
"""The beginnings of the names of each side: no word has them."""

ALIASES = ("Wanderer", "Nomad")
PUBLIC = ("/front", "/watch", "/watch.json", "/arena", "/help", "/help/days", "/analysis")
OF_PLAYERS = ("/figures", "/openings")
"""Pages that are for players alone."""

OWN_LOGS = ("bot", "chat", "matrix", "play", "presentation", "renderer", "storage", "telegram", "use_cases", "web")


class Stage:
    """Both sides, and what comes out for everybody: pages, and lines of the log."""

    def __init__(self, room: Room, sides: tuple[Side, Side], clock: StoppedClock) -> None:
        self.room, self.sides, self._clock = room, sides, clock
        self.public: list[str] = []
        self.log: list[str] = []
        self._keys = map(IdempotencyKey, count(10**15))

    # What the two do

    async def choose_terms(self) -> None:
        """Lets both like unrated games, which have hints, and everybody watch them."""
        terms = Terms(make_game(DEFAULT, {"size": "9x9", "start": "empty"}), parse_control("3d"), rated=False)
        for side in self.sides:
            await change_player(self.room.services.store, side.user, {"terms": terms, "watchable": True})

    async def look(self, label: str) -> None:
        """Lets both look for a stranger."""
        for side in self.sides:
            await side.command("play")
            await side.press(label)

    async def miss(self) -> None:
        """Has both called to a live game, to which only the first one comes; they stop looking then."""
        await self.look("Live game")
        for side in self.sides:
            await side.sees("an opponent is found")
        await self.sides[0].press("I'm here")
        await self.sides[0].sees("as soon as your opponent is there")
        await self.room.until(self._let_call_end)
        await self.sides[0].sees("didn't come")
        await self.sides[1].sees("you weren't there")
        await self.sides[0].command("play")
        await self.sides[0].press("Stop looking")
        await self.sides[0].sees("stopped looking")

    async def _let_call_end(self) -> bool:
        """Lets the time for an answer pass, which begins when the later call is noted, and no more: whom the matchmaker
        gives up long after that has done nothing wrong. Returns whether the call has ended."""
        async with self.room.services.store.read() as reader:
            ends = [seek.call_ends for seek in await reader.seeks.open_of(self.sides[1].user)]
        if ends and ends[0] is not None:
            self._clock.advance(max(0, ends[0] - self._clock()))
            self.room.bot.workers.matchmaker.wake()
        return not ends

    async def begin(self) -> Match:
        """Begins a game over days."""
        await self.look("Game over days")

        async def begun() -> Match | None:
            async with self.room.services.store.read() as reader:
                entries = await reader.matches.open_of(self.sides[0].user)
                return await reader.matches.get(entries[0].id) if entries else None

        match = await self.room.until(begun)
        await self.settle()
        return match

    async def play(self, match: Match) -> None:
        """Moves, offers, takes back, lets time run low, and says something."""
        actions, first, second = self.room.use_cases.actions, *match.players
        for player, point in ((first, "E5"), (second, "D4"), (first, "C3")):
            await self._move(match.id, player, point)
        await actions.propose(match.id, second, OfferKind.DRAW, self._clock(), next(self._keys))
        await self.settle()
        await actions.disagree(match.id, first, OfferKind.DRAW, self._clock(), next(self._keys))
        await self.settle()
        await actions.take_back(match.id, first, self._clock(), next(self._keys))
        await self.settle()
        await actions.agree(match.id, second, OfferKind.TAKEBACK, self._clock(), next(self._keys))
        await self.settle()
        await self._move(match.id, first, "F6")
        for side, phrase, label in zip(self.sides, ("luck", "thanks"), ("Good luck!", "Thank you!"), strict=True):
            await side.say(phrase, label)
        await self.sides[1].sees("Good luck!")
        await self.sides[0].sees("Thank you!")
        stored = await self.room.use_cases.matches.load(match.id)
        assert stored.clock.deadline is not None
        self._clock.time = type(self._clock.time)(stored.clock.deadline - HOUR)
        self.room.bot.workers.deadlines.wake()
        await self.settle()

    async def ask_computer(self, match: Match) -> None:
        """Has both ask for a hint, which is for whose turn it is, and that player move."""
        stored = await self.room.use_cases.matches.load(match.id)
        user = stored.players[stored.position.to_act]
        for side in self.sides:
            await side.command_at_board("hint")
            await side.sees("I'd play" if side.user == user else "Wait until the board says it's yours")
        await self._move(match.id, user, "G7")

    async def play_arena(self) -> None:
        """Has both join an arena by the panel, play each other there, and pause."""
        one, other = self.sides
        use_cases, others = self.room.use_cases, [UserId(7_000_001), UserId(7_000_002)]
        await gather(self.room)
        for side in self.sides:
            for each in others:
                await use_cases.blocks.block(side.user, each, self._clock())
            await side.command("play")
            await side.press("Join the arena")
            await side.sees("You're in")
        for each in others:
            await use_cases.arenas.join(each, None, ChannelId(each), self._clock())
        await begin(self.room)

        async def begun() -> Match | None:
            async with self.room.services.store.read() as reader:
                found = await reader.matches.of_ids([each.id for each in await reader.matches.open_of(one.user)])
            return next(
                (
                    each
                    for each in found.values()
                    if each.clock.control.speed is Speed.LIVE and other.user in each.players
                ),
                None,
            )

        match = await self.room.until(begun)
        await self.settle()
        await self._move(match.id, match.players[0], "E5")
        await use_cases.matches.resign(match.id, match.players[0], self._clock(), next(self._keys))
        await self.settle()
        for side in self.sides:
            await side.command("play")
            await side.press("Pause")
            await side.sees("You pause")

    async def read_morning(self, *readers: Side) -> None:
        """Lets the next morning come, on which these get their digest."""
        for side in self.sides:
            await change_player(self.room.services.store, side.user, {"digest": 8, "zone": ZoneInfo("UTC")})
        passed = self._clock() % DAY
        await self.room.pass_time((8 * HOUR + MINUTE - passed) % DAY)
        await self.room.bot.workers.digests.poll()
        for side in readers:
            await side.sees("Your games this morning")

    async def look_back(self) -> None:
        """Has both look at the finished game, and ask for another one."""
        for side in self.sides:
            await side.command_at_board("review")
            await side.sees("Review")
            await side.replay()
            await side.command_at_board("rematch")
            await side.sees("Two servers played this game")
        await self.room.wait_for_handlers()

    async def _move(self, match: MatchId, player: Any, point: str) -> None:
        await self.room.use_cases.matches.move(match, player, point, self._clock(), next(self._keys))
        await self.settle()

    async def ask(self, *commands: str) -> None:
        """Has both look at what the bot tells them of themselves and others."""
        for side in self.sides:
            for command in commands:
                before = len(side.payloads)
                await side.command(command)
                await self.room.wait_for_handlers()
                assert before <= len(side.payloads)

    async def end(self, match: Match) -> None:
        """Has the second side report the first, which resigns."""
        await self.sides[1].press("More")
        await self.sides[1].press("Report")
        await self.sides[1].press("Report and block")
        await self.sides[1].sees("Reported and blocked")
        await self.room.use_cases.matches.resign(match.id, self.sides[0].user, self._clock(), next(self._keys))
        await self.settle()

    def first(self, match: Match) -> Side:
        """Returns the side that begins a game."""
        return next(side for side in self.sides if side.user == match.players[0])

    async def settle(self) -> None:
        """Returns when nothing waits to be posted."""
        await self.room.wait_for_handlers()
        await self.room.wait_for_outbox()

    # What is shown elsewhere

    async def visit(self, match: Match, visits: AsyncExitStack) -> None:
        """Reads the board and the home of both in browsers, with what their sockets tell."""
        services, links = self.room.services, self.room.services.web_links
        assert links is not None
        for side in self.sides:
            visit = await visits.enter_async_context(Visit(self.room.discord.address))
            key = await services.web_sessions.link_key(side.user)
            link = links.make(side.user, match.id, self.room.clock(), key=key, seen=None)
            board = await visit.open(link)
            side.payloads.append(f"socket {json.dumps(board.board, ensure_ascii=False)}")
            _, page = await visit.get(f"/board/{match.id}")
            side.payloads.append(f"page {page}")
            _, home = await visit.get("/home")
            side.payloads.append(f"home {home}")
            told = await AtHome(visit).must("seeks", of=None)
            side.payloads.append(f"home {json.dumps(told, ensure_ascii=False)}")
            for path in (*OF_PLAYERS, *await self._pages()):
                status, page = await visit.get(path)
                assert status == 200, path
                side.payloads.append(f"{path} {page}")

    async def read_public(self, visits: AsyncExitStack) -> None:
        """Reads the pages that everybody may read, with what previews of their links have. The game that both have let
        everybody watch is among them."""
        visit = await visits.enter_async_context(Visit(self.room.discord.address))
        for path in await self._pages():
            status, page = await visit.get(path)
            assert status == 200, path
            self.public.append(f"{path} {page}")
        assert all(any("/watch" in page and side.alias in page for page in self.public) for side in self.sides)

    async def read_own(self, match: Match, visits: AsyncExitStack) -> None:
        """Reads the pages of the finished game, which everybody has who has their address, and those of each server,
        which are for its members."""
        links = self.room.services.web_links
        assert links is not None
        visit = await visits.enter_async_context(Visit(self.room.discord.address))
        own = self._path(links.page(match.id))
        for path in (own, f"{own}/moves.json", f"{own}/game.sgf"):
            _, page = await visit.get(path)  # a game of a group has none
            self.public.append(f"{path} {page}")
        for side in self.sides:
            for place in side.pages():
                status, page = await visit.get(self._path(links.place(place)))
                assert status == 200, page
                side.payloads.append(f"server's page {page}")

    async def _pages(self) -> list[str]:
        """Returns the paths of pages for everybody, those of an offer of each side to a friend among them."""
        friends, terms = self.room.use_cases.friends, Terms(make_game(DEFAULT, {}), parse_control("3d"))
        codes = [(await friends.invite(side.user, None, ChannelId(1), terms)).code for side in self.sides]
        return [*PUBLIC, *(f"/friend/{code}" for code in codes)]

    def _path(self, url: str) -> str:
        return "/" + url.removeprefix(self.room.discord.address).lstrip("/")

    async def export(self) -> None:
        """Reads the data that both may download."""
        for side in self.sides:
            found = await self.room.services.privacy.export(side.user)
            side.payloads.append(f"export {json.dumps(found, ensure_ascii=False, default=str)}")

    # What came through

    async def leaks(self) -> list[str]:
        """Returns what each side was told of the other, and everybody of either, one line each."""
        for side in self.sides:
            await side.learn(self.room)
        one, other = self.sides
        return [
            *_told(one, other, other.payloads, "the other side"),
            *_told(other, one, one.payloads, "the other side"),
            *(line for side in self.sides for line in _told(side, None, self.public, "everybody")),
            *(line for side in self.sides for line in _named(side, self.log, "the log")),
        ]


def _told(side: Side, reader: Side | None, texts: list[str], who: str) -> Iterator[str]:
    yield from _named(side, texts, who)
    known = set() if reader is None else {*reader.ids.values()}
    for what, secret in side.ids.items():
        if secret not in known:
            for text in texts:
                if secret in text:
                    yield _line(side, what, secret, text, who)


def _named(side: Side, texts: list[str], who: str) -> Iterator[str]:
    for what, secret in side.names.items():
        for text in texts:
            if secret.casefold() in text.casefold():
                yield _line(side, what, secret, text, who)


def _line(side: Side, what: str, secret: str, text: str, who: str) -> str:
    at = text.casefold().index(secret.casefold())
    return f"{what} of {side.mark} is told to {who}: {text[:80]} … {text[max(0, at - 80) : at + 80]}"


class _Lines(logging.Handler):
    """Keeps the lines of our own loggers."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__(logging.DEBUG)
        self._lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        self._lines.append(f"{record.name} {record.getMessage()} {record.exc_text or ''}")


def _keep_log(lines: list[str], running: AsyncExitStack) -> None:
    handler = _Lines(lines)
    for logger in map(logging.getLogger, OWN_LOGS):
        running.callback(logger.setLevel, logger.level)
        running.callback(logger.removeHandler, handler)
        logger.setLevel(logging.DEBUG)
        logger.addHandler(handler)


@asynccontextmanager
async def open_stage(
    platforms: tuple[str, str], discord: Discord, url: str, clock: StoppedClock, synapse: Synapse | None = None
) -> AsyncIterator[Stage]:
    """Runs the program with a side on each of two platforms."""
    async with AsyncExitStack() as running:
        chats: list[Any] = []
        sides: list[Side] = []
        account = None
        for platform, mark in zip(platforms, MARKS, strict=True):
            if platform == "discord":
                sides.append(DiscordSide(discord, mark))
            elif platform == "telegram":
                telegram = await running.enter_async_context(stand_in.serve(clock))
                side: Side = TelegramSide(telegram, mark)
                session = await running.enter_async_context(watched_session(side.payloads))
                api = BotApi(session, TOKEN, telegram.address)
                chats.append(partial(make_telegram, api, TOKEN))
                sides.append(side)
            else:
                assert synapse is not None
                account = synapse.register(f"kropka-{uuid4().hex[:8]}")
                player = await running.enter_async_context(Player(synapse, f"{mark}local"))
                side = MatrixSide(player, mark)
                session = await running.enter_async_context(watched_session(side.payloads))
                chats.append(partial(make_matrix, synapse.address, SecretStr(account.token), session))
                sides.append(side)
        watch_discord(discord, sides)
        hosting = Hosting(web=discord.address.rstrip("/"))
        room = Room(discord, url, clock, thinkers=Inside, hosting=hosting, chats=chats)
        await room.start()
        running.push_async_callback(room.stop)
        await running.enter_async_context(mount_site(discord, room.bot.website))
        stage = Stage(room, (sides[0], sides[1]), clock)
        _keep_log(stage.log, running)
        for side, alias in zip(sides, ALIASES, strict=True):
            if isinstance(side, TelegramSide):
                await side.arrive(room)
            elif isinstance(side, MatrixSide):
                assert account is not None
                await side.arrive(room, account.user)
            side.alias = alias
            await change_player(room.services.store, side.user, {"alias": alias, "language": "en"})
        await _open_pages(room, sides)
        yield stage


async def _open_pages(room: Room, sides: list[Side]) -> None:
    for side in sides:
        if isinstance(side, DiscordSide):
            async with room.services.store.write() as tx:
                server = await tx.servers.get(side.guild.id)  # type: ignore[arg-type]
                await tx.servers.save(replace(server, pages=True, log_channel=side.channel.id))  # type: ignore[arg-type]
