"""Attacks on the web board, and what each gets: the table of docs/security.md, row by row."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

import aiohttp
import pytest
import yarl
from pydantic import SecretStr

from bot.settings import Hosting
from bot.website import serve_site
from loopback import Channel, Discord, Permission, Person
from play.ids import MatchId, UserId
from play.people.web_session import FRAME_MILLIS, LINK_MILLIS, MAX_SESSIONS
from tests.bot.room import Room, private_message
from tests.clock import MINUTE
from tests.telegram.signed import signed
from tests.web.mini_app import chat_with_app, data_of
from tests.web.visit import Board, Visit, link_for
from web.access.links import LinkSigner
from web.app import MAX_BODY_BYTES
from web.bodies import MAX_FRAME_BYTES
from web.live.hub import MAX_USER_SOCKETS
from web.live.socket import MAX_BAD_MESSAGES, MESSAGE_BURST

PAGE = Path(__file__).parents[2] / "docs" / "security.md"


def read_table(text: str) -> dict[str, str]:
    """Returns what each attack gets, as the page says."""
    table = text.partition("### What an attack on the web board gets")[2].partition("\n#")[0]
    return dict(re.findall(r"^\| (?!attack|---)(.+?) \| (.+?) \|$", table, re.MULTILINE))


GETS = read_table(PAGE.read_text(encoding="utf-8"))


CHANGING = {
    "a link of a user who was deleted since",
    "the page of a board, by a session of a deleted user",
    "an open board when its user is deleted",
    "thirty presses of *Play* in a second",
    "the same message again, by its key",
}
"""The rows after which the game has a move, or has ended with its player."""


@pytest.fixture
def run_options(discord: Discord) -> dict[str, Any]:
    """The client secret, so that the site has an Activity, and a chat with a Mini App."""
    secret = SecretStr(discord.client_secret)
    return {
        "chats": [chat_with_app],
        "hosting": Hosting(web=discord.address.rstrip("/"), client_secret=secret),
    }


class Scene(NamedTuple):
    """A game of Ola and Максим, and new browsers at the site on its own port."""

    room: Room
    thread: Channel
    new: Callable[[], Visit]
    port: int

    def visit(self) -> Visit:
        visit = self.new()
        visit.address = visit.address.with_port(self.port)  # what a reverse proxy passes on to
        return visit

    async def link(self, name: str = "ola") -> str:
        person = {"ola": self.room.ola, "maksim": self.room.maksim, "kasia": self.room.kasia}[name]
        return await link_for(self.room, person, self.room.boards(self.thread)[-1])

    async def browser(self, name: str = "ola") -> tuple[Visit, str]:
        """Returns the browser of a person, and the path of their board."""
        visit = self.visit()
        status, answer = await visit.enter(await self.link(name))
        assert status == 200
        return visit, str(answer["to"])

    async def board(self, name: str = "ola") -> Board:
        return await self.visit().open(await self.link(name))


Attack = Callable[[Scene], Awaitable[str]]
ATTACKS: dict[str, Attack] = {}
"""The attacks by the first column of the table; each returns what it got."""


def attack(name: str) -> Callable[[Attack], Attack]:
    def add(attack: Attack) -> Attack:
        ATTACKS[name] = attack
        return attack

    return add


def answered(answer: tuple[int, dict[str, object]]) -> str:
    """Returns what a script gets as an answer."""
    return f"{answer[0]}: {answer[1]['line']}"


async def page(visit: Visit, path: str) -> str:
    """Returns what a browser gets that opens an address."""
    status, text = await visit.get(path)
    line = re.search(r'<p id="line"[^>]*>(.*)</p>', text)
    return f"{status}: {line[1].replace('&#x27;', chr(39))}" if line else str(status)


async def closing(board: Board) -> str:
    """Returns how a socket ends."""
    code = await board.closed()
    return f"closed by {code}" + (f": {board.line}" if board.line else "")


@attack("a link that was used already")
async def _(scene: Scene) -> str:
    link = await scene.link()
    assert (await scene.visit().enter(link))[0] == 200
    return answered(await scene.visit().enter(link))


@attack("a stolen link that the thief used first, once its owner has pressed *Sign out everywhere*")
async def _(scene: Scene) -> str:
    thief = await scene.board()
    panel = await private_message(scene.room.ola.click(scene.room.boards(scene.thread)[-1], "Browser"))
    await scene.room.ola.click(panel, "Sign out everywhere").answered()
    return await closing(thief)


@attack("a stolen link that the thief has kept, once its owner has pressed *Sign out everywhere*")
async def _(scene: Scene) -> str:
    link = await scene.link()
    panel = await private_message(scene.room.ola.click(scene.room.boards(scene.thread)[-1], "Browser"))
    await scene.room.ola.click(panel, "Sign out everywhere").answered()
    return answered(await scene.visit().enter(link))


@attack("a link of a user who was deleted since")
async def _(scene: Scene) -> str:
    link = await scene.link()
    await scene.room.services.privacy.forget(UserId(scene.room.ola.id), scene.room.clock())
    return answered(await scene.visit().enter(link))


@attack("an expired link")
async def _(scene: Scene) -> str:
    link = await scene.link()
    await scene.room.pass_time(LINK_MILLIS)
    return answered(await scene.visit().enter(link))


@attack("a link with one letter changed")
async def _(scene: Scene) -> str:
    token = yarl.URL(await scene.link()).fragment
    changed = token[:20] + ("A" if token[20] != "A" else "B") + token[21:]
    return answered(await scene.visit().post("/enter", {"token": changed}))


@attack("a link of another bot")
async def _(scene: Scene) -> str:
    token = LinkSigner.of("another").make(UserId(scene.room.ola.id), MatchId(1), scene.room.clock())
    return answered(await scene.visit().post("/enter", {"token": token}))


@attack("the page of a board without a session")
async def _(scene: Scene) -> str:
    return await page(scene.visit(), "/board/1")


@attack("a socket without a session")
async def _(scene: Scene) -> str:
    return await closing(await scene.visit().live("/board/1"))


async def foreign(scene: Scene) -> tuple[Visit, str]:
    """Returns a browser with a session, and the path of a game of others, whose channel its user does not see."""
    other = await scene.room.start_match(size="9x9")
    visit = scene.visit()
    _, answer = await visit.enter(await link_for(scene.room, scene.room.kasia, scene.room.boards(other)[-1]))
    scene.room.discord.deny(scene.room.channel, Permission.VIEW_CHANNEL, scene.room.kasia)
    return visit, str(yarl.URL(str(answer["to"])).with_path("/board/1"))


@attack("the page of a game of others, by a session for another game")
async def _(scene: Scene) -> str:
    return await page(*await foreign(scene))


@attack("a socket of a game of others")
async def _(scene: Scene) -> str:
    visit, path = await foreign(scene)
    return await closing(await visit.live(path))


@attack("the page of a board, by a session of a deleted user")
async def _(scene: Scene) -> str:
    visit, path = await scene.browser()
    await scene.room.services.privacy.forget(UserId(scene.room.ola.id), scene.room.clock())
    return await page(visit, path)


@attack("an open board when its user is deleted")
async def _(scene: Scene) -> str:
    board = await scene.board()
    await scene.room.services.privacy.forget(UserId(scene.room.ola.id), scene.room.clock())
    return await closing(board)


@attack("a move by a session that another process has ended")
async def _(scene: Scene) -> str:
    board = await scene.board()
    async with scene.room.services.store.write() as tx:
        await tx.web.end_all(UserId(scene.room.ola.id))
    await board.play("E5")
    return await closing(board)


@attack("the page of a game, by one who watched it until they left the server")
async def _(scene: Scene) -> str:
    visit, path = await scene.browser("kasia")
    assert await visit.status(path) == 200
    scene.room.kasia.leave()
    await scene.room.pass_time(MINUTE)
    return await page(visit, path)


@attack("an open board of one who watches, a minute after its channel was closed to them")
async def _(scene: Scene) -> str:
    board = await scene.board("kasia")
    scene.room.discord.deny(scene.room.channel, Permission.VIEW_CHANNEL, scene.room.kasia)
    await scene.room.pass_time(MINUTE)
    assert scene.room.bot.website is not None
    await scene.room.bot.website.hub.check_watching()
    return await closing(board)


@attack("a move by one who watches")
async def _(scene: Scene) -> str:
    board = await scene.board("kasia")
    return f"refused: {(await board.play('E5'))['line']}"


@attack("a move by the player whose turn it isn't")
async def _(scene: Scene) -> str:
    board = await scene.board("maksim")
    return f"refused: {(await board.play('E5'))['line']}"


@attack("a socket that a page of another origin opens")
async def _(scene: Scene) -> str:
    visit, path = await scene.browser()
    visit.origin = "https://evil.example"
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await visit.live(path)
    return f"{refused.value.status}, and no socket"


@attack("a link that a page of another origin sends")
async def _(scene: Scene) -> str:
    visit, link = scene.visit(), await scene.link()
    visit.origin = "https://evil.example"
    got = answered(await visit.enter(link))
    assert (await scene.visit().enter(link))[0] == 200  # it is not used up
    return got


@attack("a body of a megabyte")
async def _(scene: Scene) -> str:
    status, _ = await scene.visit().send("/enter", b"x" * 64 * MAX_BODY_BYTES, {})
    return str(status)


@attack("a message longer than 4 KiB")
async def _(scene: Scene) -> str:
    board = await scene.board()
    await board.socket.send_str("x" * (MAX_FRAME_BYTES + 1))
    return await closing(board)


@attack("a binary message")
async def _(scene: Scene) -> str:
    board = await scene.board()
    await board.socket.send_bytes(b"{}")
    return await closing(board)


@attack("a message that is none")
async def _(scene: Scene) -> str:
    board = await scene.board()
    await board.socket.send_str("nonsense")
    return f"refused: {(await board.until(**{'is': 'refused'}))['line']}"


@attack("eleven of those")
async def _(scene: Scene) -> str:
    board = await scene.board()
    for _ in range(MAX_BAD_MESSAGES + 1):
        await board.socket.send_str("nonsense")
    return await closing(board)


@attack("a hundred messages at once")
async def _(scene: Scene) -> str:
    board = await scene.board()
    for _ in range(MESSAGE_BURST + 40):
        await board.socket.send_str('{"do":"ping"}')
    return await closing(board)


@attack("thirty presses of *Play* in a second")
async def _(scene: Scene) -> str:
    board = await scene.board()
    for number in range(30):
        play = {"do": "play", "id": f"press-{number:04}", "version": 0, "turn": "E5"}
        await board.socket.send_str(json.dumps(play))
    answers = [await board.until(id=f"press-{number:04}") for number in range(30)]
    told = [re.sub(r"\d+ seconds?", "n seconds", each["line"]) for each in answers if each["is"] == "refused"]
    assert len(told) == 29
    assert (await board.ask("describe", what="at E5"))["is"] == "text"  # the socket is open
    assert await scene.room.version() == 1
    return "one move; the others are refused: " + " / ".join(dict.fromkeys(told))


@attack("the same message again, by its key")
async def _(scene: Scene) -> str:
    board = await scene.board()
    first = await board.play("E5", id="0123456789")
    again = await board.play("D4", id="0123456789")
    assert again == first
    return f"the same answer; the game has {await scene.room.version()} move"


@attack("an eleventh open board")
async def _(scene: Scene) -> str:
    visit, path = await scene.browser()
    for _ in range(MAX_USER_SOCKETS):
        await (await visit.live(path)).read()
    return await closing(await visit.live(path))


@attack("the oldest session when a 21st begins")
async def _(scene: Scene) -> str:
    visit, path = await scene.browser()
    signer = LinkSigner.of("x")
    key = await scene.room.services.web_sessions.link_key(UserId(scene.room.ola.id))
    for number in range(MAX_SESSIONS):
        scene.room.clock.advance(1)
        link = signer.read(signer.make(UserId(scene.room.ola.id), MatchId(1), scene.room.clock(), key=key))
        await scene.room.services.web_sessions.exchange(link, f"{number:064}")
    return await page(visit, path)


async def code(scene: Scene, person: Person) -> dict[str, str]:
    """Returns what the Discord client gives to one who opens the Activity."""
    instance = person.launch(scene.thread, "launch").id
    return {"code": person.authorize(str(scene.room.discord.bot.id), ["identify"]), "instance": instance}


async def token(scene: Scene) -> tuple[Visit, dict[str, Any]]:
    """Returns a frame of opaque origin, and what the server has told it for Ola."""
    frame = scene.visit()
    frame.origin = "null"
    status, told = await frame.post("/activity/enter", await code(scene, scene.room.ola))
    assert status == 200
    return frame, told


async def refused_socket(opening: Awaitable[Board]) -> str:
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await opening
    return f"{refused.value.status}, and no socket"


@attack("a socket that another site's sandboxed frame opens, with the cookie of its visitor")
async def _(scene: Scene) -> str:
    visit, path = await scene.browser()
    visit.origin = "null"
    return await refused_socket(visit.live(path))


@attack("a socket of the Activity that another site's sandboxed frame opens, with that cookie")
async def _(scene: Scene) -> str:
    visit, _ = await scene.browser()
    visit.origin = "null"
    return await closing(await visit.live_by_token({"match": "1", "token": "made-up"}))


@attack("words that such a frame asks for, with that cookie")
async def _(scene: Scene) -> str:
    visit, _ = await scene.browser()
    visit.origin = "null"
    return answered(await visit.post("/activity/words", {"match": "1", "for": "board", "token": "made-up"}))


@attack("a code that a page of another origin sends")
async def _(scene: Scene) -> str:
    visit = scene.visit()
    visit.origin = "https://evil.example"
    return answered(await visit.post("/activity/enter", await code(scene, scene.room.ola)))


@attack("a code that another site's sandboxed frame sends")
async def _(scene: Scene) -> str:
    visit, told = await token(scene)
    assert {*told} == {"match", "here", "token", "link"}
    assert visit.cookies == []
    return "a session in its answer, and no cookie for its visitor"


@attack("the same code once more")
async def _(scene: Scene) -> str:
    visit, body = scene.visit(), await code(scene, scene.room.ola)
    assert (await visit.post("/activity/enter", body))[0] == 200
    return answered(await visit.post("/activity/enter", body))


@attack("a stolen token that a page of another origin sends")
async def _(scene: Scene) -> str:
    visit, told = await token(scene)
    visit.origin = "https://evil.example"
    return await refused_socket(visit.live_by_token(told))


@attack("a stolen token for a game of others")
async def _(scene: Scene) -> str:
    visit = scene.visit()
    other = await scene.room.start_match(size="9x9")
    person = scene.room.kasia
    body = {**await code(scene, person), "instance": person.launch(other, "launch").id}
    _, told = await visit.post("/activity/enter", body)
    return await closing(await visit.live_by_token(told, match="1"))


@attack("a stolen token, once its owner has pressed *Sign out everywhere*")
async def _(scene: Scene) -> str:
    visit, told = await token(scene)
    thief = await visit.live_by_token(told)
    await thief.read()
    panel = await private_message(scene.room.ola.click(scene.room.boards(scene.thread)[-1], "Browser"))
    await scene.room.ola.click(panel, "Sign out everywhere").answered()
    assert (await closing(thief)).startswith("closed by 4401")
    return await closing(await visit.live_by_token(told))


@attack("a stolen token that is sent again after twelve hours")
async def _(scene: Scene) -> str:
    visit, told = await token(scene)
    scene.room.clock.advance(FRAME_MILLIS)
    return await closing(await visit.live_by_token(told))


@attack("a friend's code that is made up")
async def _(scene: Scene) -> str:
    return await page(scene.visit(), "/friend/7K3M-9ABC-DEFG")


@attack("a friend's code after twenty that were made up in the same network")
async def _(scene: Scene) -> str:
    visit = scene.visit()
    for number in range(20):
        await visit.get(f"/friend/{number:012}")
    return await page(visit, "/friend/7K3M-9ABC-DEFG")


@attack("a friend's code that is accepted by a page of another origin, with the cookie of its visitor")
async def _(scene: Scene) -> str:
    visit, _ = await scene.browser()
    visit.origin = "https://evil.example"
    return answered(await visit.post("/home/do", {"do": "friend", "code": "7K3M9ABCDEFG"}))


@attack("a sign-in that names another place instead of a friend's code")
async def _(scene: Scene) -> str:
    return await page(scene.visit(), "/sign-in?friend=//evil.example")


@attack("the home page without a session")
async def _(scene: Scene) -> str:
    return await page(scene.visit(), "/home")


@attack("a deed at home that a page of another origin sends, with the cookie of its visitor")
async def _(scene: Scene) -> str:
    visit, _ = await scene.browser()
    visit.origin = "https://evil.example"
    return answered(await visit.post("/home/do", {"do": "computer", "id": "a-key-of-a-page", "level": None}))


@attack("a deed at home that another site's sandboxed frame sends, with that cookie")
async def _(scene: Scene) -> str:
    visit, _ = await scene.browser()
    visit.origin = "null"
    message = {"do": "computer", "id": "a-key-of-a-page", "level": None, "token": "made-up"}
    return answered(await visit.post("/activity/home/do", message))


async def closed_game(scene: Scene) -> Visit:
    """Returns the browser of Kasia, who does not see the channel with the game and an open challenge."""
    visit, _ = await scene.browser("kasia")
    await scene.room.challenge()
    scene.room.discord.deny(scene.room.channel, Permission.VIEW_CHANNEL, scene.room.kasia)
    scene.room.clock.advance(MINUTE)
    return visit


@attack("a game to watch from home, by its number, in a channel that one doesn't see")
async def _(scene: Scene) -> str:
    return answered(await (await closed_game(scene)).post("/home/do", {"do": "watch", "match": 1}))


@attack("a challenge that is accepted at home, by its number, in a channel that one doesn't see")
async def _(scene: Scene) -> str:
    message = {"do": "accept", "challenge": 2, "changes": 0}
    return answered(await (await closed_game(scene)).post("/home/do", message))


@attack("a league that is joined from home, in a channel that one doesn't see")
async def _(scene: Scene) -> str:
    room = scene.room
    room.discord.allow(room.channel, Permission.MANAGE_GUILD, room.ola)
    asked = await private_message(room.ola.command(room.channel, "league open", size="5x5"))
    await room.ola.click(asked, "Open the league").followed()
    visit = await closed_game(scene)
    message = {"do": "join", "kind": "league", "server": str(room.discord.guild.id), "number": 0}
    return answered(await visit.post("/home/do", message))


@attack("a challenge that is posted from home in a channel that one doesn't see")
async def _(scene: Scene) -> str:
    visit = await closed_game(scene)
    _, draft = await visit.post("/home/do", {"do": "draft", "code": None, "field": "", "values": []})
    message = {"do": "offer", "id": "a-key-of-a-page", "code": draft["code"], "channel": str(scene.room.channel.id)}
    return answered(await visit.post("/home/do", message))


async def launch(scene: Scene, data: str, *, origin: str | None = None) -> str:
    """Returns what data get that open the Mini App."""
    visit = scene.visit()
    visit.origin = origin or visit.origin
    return answered(await visit.post("/app/enter", {"data": data}))


@attack("data of the Mini App that were used already")
async def _(scene: Scene) -> str:
    data = data_of(scene.room.ola, scene.room.clock())
    assert (await scene.visit().post("/app/enter", {"data": data}))[0] == 200
    return await launch(scene, data)


@attack("data of the Mini App after ten minutes")
async def _(scene: Scene) -> str:
    data = data_of(scene.room.ola, scene.room.clock())
    await scene.room.pass_time(LINK_MILLIS)
    return await launch(scene, data)


@attack("data of the Mini App with another user in them")
async def _(scene: Scene) -> str:
    room = scene.room
    return await launch(scene, data_of(room.maksim, room.clock()).replace(str(room.maksim.id), str(room.ola.id)))


@attack("data of the Mini App of another bot")
async def _(scene: Scene) -> str:
    user = {"id": 777, "first_name": str(scene.room.ola.id)}
    return await launch(scene, signed(scene.room.clock(), token="4243:another", user=user))  # noqa: S106 - it is made up


@attack("data of the Mini App that a page of another origin sends")
async def _(scene: Scene) -> str:
    data = data_of(scene.room.ola, scene.room.clock())
    return await launch(scene, data, origin="https://web.telegram.org")


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", GETS)
async def test_an_attack_gets_what_the_page_says(
    name: str, room: Room, thread: Channel, visit: Callable[[], Visit], caplog: pytest.LogCaptureFixture
) -> None:
    async with serve_site(room.bot.website, "127.0.0.1", 0) as port:
        assert port is not None
        assert await ATTACKS[name](Scene(room, thread, visit, port)) == GETS[name]
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
    assert await room.version() == (1 if name in CHANGING else 0)


def test_the_page_has_every_attack() -> None:
    assert [*GETS] == [*ATTACKS]
