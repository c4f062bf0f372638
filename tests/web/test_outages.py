"""Boards while the database does not answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import yarl

from bot.services.kept_answers import KeptAnswers
from bot.services.members import DiscordMembers, WebVoters
from loopback import Channel
from play.ids import MatchId
from play.match.match import Match
from storage.errors import Unavailable
from tests.bot.room import Room
from tests.web.visit import Visit, link_for, no_ways, site_readers
from use_cases.channel_rights import Spectators
from web.access.visitors import Cookies, Visitors
from web.answers import Answers
from web.app import build_app, serve
from web.bodies import Json
from web.live.hub import Hub
from web.live.socket import LiveBoards
from web.live.watcher import Attendance
from web.presentation.narrator import Narrator
from web.presentation.readers import Audience


class SilentNarrator(Narrator):
    """One without words, and without a database while it `fails`."""

    def __init__(self) -> None:
        self.fails = False
        self.failed = asyncio.Event()

    async def view(self, _: Match, __: Audience) -> Json:
        if self.fails:
            self.failed.set()
            raise Unavailable("gone")
        return {}


async def test_a_board_comes_when_the_database_answers_again(
    room: Room, thread: Channel, visit: Callable[[], Visit]
) -> None:
    browser, narrator, readers = visit(), SilentNarrator(), site_readers(room.services)
    _, answer = await browser.enter(await link_for(room, room.ola, room.boards(thread)[-1]))
    matches, sessions = room.use_cases.matches, room.services.web_sessions
    spectators = Spectators(room.services.store, room.services.rights)
    attendance = Attendance(spectators, matches, room.services.names, readers)
    hub = Hub(room.services.store, matches, sessions, narrator, readers, attendance)
    visitors = Visitors(sessions, readers, Cookies(secure=False), {browser.origin})
    voters = WebVoters(
        DiscordMembers(KeptAnswers(room.client)),
        room.use_cases.votes,
        room.services.store,
        room.services.directory,
    )
    live = LiveBoards(visitors, readers, matches, hub, voters, {})
    app = build_app(yarl.URL(browser.origin), [live.add_routes], Answers(readers, no_ways))
    async with serve(app, "127.0.0.1", 0) as port:
        browser.address = browser.address.with_port(port)
        narrator.fails = True
        assert await (await browser.live(answer["to"])).closed() == 1012  # the page comes back
        narrator.fails = False
        board = await browser.live(answer["to"])
        assert (await board.read())["version"] == 0

        await room.play(thread, "e5")
        narrator.fails = True
        narrator.failed.clear()
        hub.note_match(await matches.load(MatchId(1)))
        await narrator.failed.wait()
        narrator.fails = False
        await hub.poll()
        assert (await board.version(1))["version"] == 1
