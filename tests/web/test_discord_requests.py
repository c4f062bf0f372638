"""Requests to Discord that the web causes: the table of docs/security.md has every route and message."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from bot.settings import Hosting
from loopback import TOKEN, Channel, Discord
from play.ids import GuildId, MatchId, UserId
from tests.bot.room import Room
from tests.clock import MINUTE
from tests.web.visit import Visit, signed_link
from web.access.links import LinkSigner, Paths

PAGE = Path(__file__).parents[2] / "docs" / "security.md"

HEADING = "### Requests to Discord that the web can cause"

TABLE = PAGE.read_text(encoding="utf-8").partition(HEADING)[2].partition("\n#")[0]


def read_table() -> dict[str, set[str]]:
    """Returns the requests to Discord of each route, `GET /enter`, and of each message, `play`."""
    rows = re.findall(r"^\| (`.+?) \| [^|]+ \| ([^|]+) \| [^|]+ \|$", TABLE, re.MULTILINE)
    named = [(re.findall(r"`([^`]+)`", causes), set(re.findall(r"`([^`]+)`", asked))) for causes, asked in rows]
    return {cause: asked for causes, asked in named for cause in causes}


CAUSES = read_table()

RARE = {
    "GET /channels/{channel_id}/thread-members/{user_id}",  # of a private thread
    "GET /guilds/{guild_id}/roles",  # of a server that lets certain roles play
    "GET /guilds/{guild_id}/channels",  # of a server that lets games be played in certain channels
    "POST /channels/{channel_id}/messages/{message_id}/threads",  # of a game that begins
}
"""Requests of the table that no cause here brings."""


@pytest.fixture
def run_options(discord: Discord) -> dict[str, Any]:
    secret = SecretStr(discord.client_secret)
    return {"hosting": Hosting(web=discord.address.rstrip("/"), client_secret=secret)}


class Watch:
    """The requests to Discord of one cause after the other. The bot knows no name before each of them."""

    def __init__(self, room: Room, thread: Channel) -> None:
        self._room = room
        self._thread = thread
        self._asked = 0
        self.seen: dict[str, set[str]] = {}

    async def begin(self) -> None:
        await self._room.wait_for_outbox()
        self._asked = len(self._room.discord.requests)
        for person in (self._room.ola, self._room.maksim):
            self._room.services.names.forget(UserId(person.id))

    async def end(self, cause: str) -> None:
        await self._room.wait_for_outbox()
        await self._room.wait_for_board(self._thread, len(self._room.boards(self._thread)) - 1)
        new = [*self._room.discord.requests][self._asked :]
        self.seen.setdefault(cause, set()).update(request.endpoint for request in new)


async def test_each_route_and_message_asks_discord_for_no_more_than_the_table_says(
    discord: Discord, room: Room, thread: Channel, visit: Callable[..., Visit]
) -> None:
    watch, browser = Watch(room, thread), visit()

    async def get(route: str, path: str) -> None:
        await watch.begin()
        await browser.status(path)
        await watch.end(f"GET {route}")

    async def post(path: str, body: object) -> None:
        await watch.begin()
        assert (await browser.post(path, body))[0] == 200
        await watch.end(f"POST {path}")

    async def ask(name: str, **message: Any) -> None:
        await watch.begin()
        assert (await board.ask(name, **message))["is"] != "refused", name
        await watch.end(name)

    for path in ("/", "/activity", "/activity/client", "/enter", "/static/board/page.js", "/words.json?for=enter"):
        await get(path.partition("?")[0] if "static" not in path else "/static/{name}", path)
    token = (await signed_link(room, room.ola)).partition("#")[2]
    await post("/enter", {"token": token})
    await post("/front/game", {"moves": "C5 A1"})
    await get("/board/{match}", "/board/1")
    await get("/words.json", "/words.json?for=board&match=1")
    await watch.begin()
    board = await browser.live("/board/1")
    await board.read()
    await watch.end("GET /live/{match}")
    place: dict[str, int | None] = {"after": 0, "turn": None}
    await ask("try", version=0, steps=["E5"])
    await ask("describe", what="board")
    await ask("ask", version=0, action="resign")
    await ask("sheet")
    await ask("scene", **place)
    await ask("sketch", **place, steps=["E5"])
    for text in ("E5", "D4", "E6"):
        turn = (await board.ask("lay", after=0, turn=place["turn"], text=text))["turn"]
        place["turn"] = turn
    await ask("lay", after=0, turn=turn, text="D5")
    await ask("note", turn=turn, note="a cut")
    await ask("plan", turn=turn, version=0)
    await board.version(1)
    await ask("unplan")
    await ask("erase", turn=turn)
    await ask("restore", turn=turn)
    await room.move(room.maksim, thread, "D6")
    await board.version(2)
    await ask("play", turn="F6", version=2)
    await watch.begin()
    await board.socket.send_json({"do": "ping"})
    await board.until(**{"is": "pong"})
    await watch.end("ping")
    entry = {"code": code_of(discord, room), "instance": room.ola.launch(thread, "launch").id}
    await post("/activity/enter", entry)
    instance = room.ola.launch(thread, "launch").id
    _, told = await browser.post("/activity/enter", {"code": code_of(discord, room), "instance": instance})
    await post("/activity/words", {"token": told["token"], "for": "board", "match": told["match"]})
    shared = {"token": told["token"], "match": told["match"]}
    for path in ("/activity/status", "/activity/picture"):
        await post(path, {**shared, "code": code_of(discord, room)})
    await watch.begin()
    await (await browser.live_by_token(told)).read()
    await watch.end("GET /activity/live/{match}")
    version = (await board.version(3))["version"]
    await ask("act", action="resign", version=version)
    rename = "PATCH /channels/{channel_id}"  # of the thread, after its board
    await discord.until(lambda: any(request.endpoint == rename for request in discord.requests))
    watch.seen["act"].add(rename)
    await ask("publish", on=True)
    await watch.begin()
    await board.ask("weigh", after=0, turn=None)  # which needs a computer
    await watch.end("weigh")

    await get("/home", "/home")
    await get("/figures", "/figures")
    shared = (await browser.post("/figures/share", {"parts": ["results"]}))[1]["link"]
    await post("/figures/share", {"parts": ["results"]})
    await get("/figures/of/{link}", shared)
    assert (await browser.post("/figures/share", {"parts": ["year"]}))[0] == 200
    await get("/figures/of/{link}/year.png", f"{shared}/year.png")
    await get("/figures/year", "/figures/year")
    await get("/figures/year.png", "/figures/year.png")
    for scope in ("own", "server", "public"):
        await get("/openings", f"/openings?scope={scope}")
        await post("/activity/page", {"token": told["token"], "page": "openings", "query": {"scope": scope}})
    await post("/activity/page", {"token": told["token"], "page": "figures", "query": {}})
    await get("/home.json", "/home.json")
    await post("/activity/home", {"token": told["token"]})
    for home, framed in (("/home/do", {}), ("/activity/home/do", {"token": told["token"], "here": told["here"]})):
        await post(home, {**framed, "do": "around"})
        await post(home, {**framed, "do": "draft", "code": None, "field": "", "values": []})
        await post(home, {**framed, "do": "set", "field": "theme", "value": "dark"})
        for exercise in ("daily", "rush", "mistakes", "lesson:capture", "drill:fork", "lessons"):
            await post(home, {**framed, "do": "quiz", "quiz": exercise})
    code = (await browser.post("/home/do", {"do": "draft", "code": None, "field": "", "values": []}))[1]["code"]
    message = {"do": "offer", "id": "a-key-of-a-page", "code": code, "channel": str(room.channel.id)}
    await post("/home/do", message)
    room.clock.advance(MINUTE)  # a user may do so much at once
    await post("/home/do", {"do": "look", "speed": "live", "weekly": False, "flexible": True})
    await post("/home/do", {"do": "seeks", "of": None})

    signer, guild = LinkSigner.of(TOKEN), GuildId(discord.world.guild.id)
    places, game = Paths(signer), Paths(signer).game(MatchId(1))
    async with room.services.store.write() as tx:
        await tx.servers.save(replace(await tx.servers.get(guild), pages=True))
    server, player = "/server/{server}", UserId(room.ola.id)
    await get(f"{server}/leaderboard", places.leaderboard(guild))
    await get(f"{server}/ladder", places.ladder(guild))
    await get(f"{server}/league", places.league(guild))
    await get(f"{server}/tournaments", places.tournaments(guild))
    await get(f"{server}/player/{{player}}", places.player(guild, player))
    for part in ("", "/board.png", "/moves.json", "/game.sgf"):
        await get(f"/game/{{match}}-{{tag}}{part}", game + part)
    await watch.begin()
    assert (await visit().send("/leave", b"", {}))[0] == 204
    await watch.end("POST /leave")
    await ask("act", action="rematch", version=version + 1)  # last, since the board and the card are edited later on
    for cause, asked in watch.seen.items():
        assert asked <= CAUSES[cause], cause
    seen = set[str]().union(*watch.seen.values())
    assert set[str]().union(*CAUSES.values()) - seen == RARE


def test_the_table_has_every_route_and_every_message(room: Room) -> None:
    assert room.bot.website is not None
    routes = {
        f"{route.method} {route.resource.canonical}"
        for route in room.bot.website.app.router.routes()
        if route.resource and route.method != "HEAD"
    }
    assert {*CAUSES} == routes | {*room.bot.website.boards.families}


def code_of(discord: Discord, room: Room) -> str:
    return room.ola.authorize(str(discord.bot.id), ["identify"])
