"""The pages of finished games: who may see them, what is on them, and what strangers can do."""

from __future__ import annotations

import json
import random
import re
import string
from collections.abc import Callable
from dataclasses import replace
from urllib.parse import quote

import aiohttp
import pytest
import yarl

from bot.services.rate_limits import Rate, RateLimits
from bot.settings import Hosting
from loopback import Channel, Discord, components
from play.ids import GuildId, MatchId, UserId
from play.match.sheet import MAX_SHEETS, Sheet
from play.match.turn_tree import TriedTurn
from rules.game import Seat
from tests.bot.features.coach.missed_capture import MissedCaptureEngine, finish_match, picture_answer
from tests.bot.features.settings.test_settings import open_settings
from tests.bot.room import Room, private_message
from tests.clock import StoppedClock
from tests.loop_calls import calls_on_loop
from tests.web.counting import statements
from tests.web.finished import switch_pages
from tests.web.visit import Visit
from web.pages.page import HEIGHT, WIDTH, Chart, chart

MOVES = ("E5", "E6", "F5", "D5")


QUERIES = 3
"""The match with its players, the settings of its server, and the versions of the published sheets."""


async def finish(room: Room, thread: Channel) -> list[str]:
    """Resigns for Ola; returns the addresses below the last board."""
    known = len(room.boards(thread))
    asked = await private_message(room.ola.command(thread, "resign"))
    await room.ola.click(asked, "Yes, resign").answered()
    board = await room.discord.until(lambda: room.boards(thread)[known] if len(room.boards(thread)) > known else None)
    await room.wait_for_outbox()
    return [part["url"] for part in components.walk(board.components) if "url" in part]


async def publish_notes(room: Room, count: int, text: str = "E4") -> None:
    """Publishes a sheet of each player, with one line of so many turns that have a note."""
    turns = tuple(TriedTurn(number + 1, number or None, 0, Seat(0), text, "x") for number in range(count))
    async with room.services.store.write() as tx:
        for person in (room.ola, room.maksim):
            sheet = Sheet(MatchId(1), UserId(person.id), turns, count + 1, (), 1, published=True)
            await tx.sheets.save(sheet, room.clock(), MAX_SHEETS)


@pytest.fixture
async def page(room: Room, thread: Channel) -> str:
    """The path of the page of a game that Ola has resigned."""
    await switch_pages(room, on=True)
    await room.play(thread, *MOVES)
    (address,) = await finish(room, thread)
    assert address.startswith(room.discord.address)
    return "/" + address.removeprefix(room.discord.address).lstrip("/")


@pytest.fixture
async def stranger(visit: Callable[..., Visit]) -> Visit:
    """A browser of a person who is in no server."""
    return visit()


async def test_a_server_shows_no_games_until_it_switches_them_on(room: Room, thread: Channel, stranger: Visit) -> None:
    await room.play(thread, *MOVES)
    assert await finish(room, thread) == []
    links = room.services.web_links
    assert links is not None
    assert (await stranger.get(links.page(MatchId(1))))[0] == 404


async def test_the_settings_of_a_server_switch_pages_on(room: Room) -> None:
    panel = await open_settings(room, room.ola, "server")
    assert "**Public pages** are off." in panel.text
    shown = await room.ola.click(panel, "Public pages: off").followed()
    assert "Public pages: on" in shown.labels
    assert "Games in direct messages, and in channels that not all members can read, have no page." in shown.text
    async with room.services.store.read() as reader:
        assert (await reader.servers.get(GuildId(room.discord.guild.id))).pages


async def test_a_page_has_players_moves_pictures_and_the_record(room: Room, page: str, stranger: Visit) -> None:
    status, text = await stranger.get(page)
    assert status == 200
    assert "<h1>Ola – Максим</h1>" in text
    moves = re.findall(r'<a href="#(\d)"><i class="seat(\d)">(.)</i> (\w+)</a>', text)
    assert moves == [(str(n + 1), str(n % 2), "●○"[n % 2], move) for n, move in enumerate(MOVES)]
    assert text.count("<polyline") == 2
    for fact in ("Board: 9×9", "Clock: 10 minutes in total, plus 30 seconds per move", "Not rated"):
        assert f"<li>{fact}</li>" in text
    assert '<meta name="robots" content="noindex">' in text
    assert re.findall(r"<script[^>]*>[^<]*|<style|style=|\son\w+=", text) == [
        '<script type="module" src="/static/pages/game.js">'
    ]


async def test_a_page_leads_to_its_players_and_to_the_pages_of_its_server(
    room: Room, page: str, stranger: Visit
) -> None:
    _, text = await stranger.get(page)
    links = re.findall(r'<a href="(/server/[^"]*)">([^<]*)</a>', text)
    assert [name for _, name in links] == [
        "Overview",
        "Leaderboard",
        "Tournaments",
        "Ladder",
        "League",
        "Ola",
        "Максим",
    ]
    for address, _ in links:
        assert (await stranger.get(address))[0] == 200


async def test_a_player_who_left_the_server_has_no_link_on_the_page(room: Room, page: str, stranger: Visit) -> None:
    room.services.names.forget(UserId(room.ola.id))
    room.discord.fault("GET", "/guilds/{guild_id}/members/{user_id}", 404, times=1, code=10007)
    _, text = await stranger.get(page)
    assert re.findall(r'<a href="/server/[^"]*/player/[^"]*">([^<]*)</a>', text) == ["Максим"]


async def test_a_graph_has_its_scale_and_its_moves(room: Room, page: str, stranger: Visit) -> None:
    _, text = await stranger.get(page)
    (scale,) = re.findall(r'<p class="scale" aria-hidden="true"><span>(.*?)</span> <span>(.*?)</span>', text)
    (axis,) = re.findall(r'<p class="axis"><span>(.*?)</span> <span>(.*?)</span> <span>(.*?)</span>', text)
    assert scale == ("1", "0")
    assert axis == ("0", "Moves", str(len(MOVES)))


@pytest.mark.parametrize(
    ("part", "kind", "begin"),
    [
        ("board.png", "image/png", b"\x89PNG"),
        ("moves.json", "application/json", b'{"theme":'),
        ("game.sgf", "application/x-go-sgf", b"(;"),
    ],
)
async def test_each_part_of_a_page_is_there(page: str, stranger: Visit, part: str, kind: str, begin: bytes) -> None:
    async with aiohttp.ClientSession() as http, http.get(stranger.address.join(yarl.URL(f"{page}/{part}"))) as got:
        assert (got.status, got.content_type) == (200, kind)
        assert (await got.read()).startswith(begin)
        assert got.headers["X-Robots-Tag"] == "noindex"


async def test_a_page_speaks_the_language_of_its_reader(page: str, visit: Callable[..., Visit]) -> None:
    for language, title in {"de": "Partie 1", "ru": "Партия 1", "uk": "Партія 1", "xx": "Game 1"}.items():
        assert f'<p class="above">{title}</p>' in (await visit(accept=language).get(page))[1]


async def test_a_preview_has_the_players_the_score_the_result_and_the_last_board(
    room: Room, page: str, stranger: Visit
) -> None:
    _, text = await stranger.get(page)
    site = room.discord.address.rstrip("/")
    told = dict(re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)">', text))
    assert told["og:title"] == "Ola – Максим, 0 : 0"
    assert told["og:description"] == told["description"] == "🏆 Максим wins: Ola resigned. Rules: Zagram."
    assert told["og:image"] == f"{site}{page}/board.png"
    assert told["twitter:card"] == "summary_large_image"
    assert f'<link rel="canonical" href="{site}{page}">' in text


async def test_a_preview_is_in_the_language_of_the_server(room: Room, page: str) -> None:
    async with room.services.store.write() as tx:
        server = await tx.servers.get(GuildId(room.discord.guild.id))
        await tx.servers.save(replace(server, language="pl"))
    async with aiohttp.ClientSession(room.discord.address) as http, http.get(page) as got:  # names no language
        assert '<html lang="pl">' in await got.text()


async def test_a_page_has_the_colours_of_its_server(room: Room, page: str, stranger: Visit) -> None:
    async with room.services.store.write() as tx:
        server = await tx.servers.get(GuildId(room.discord.guild.id))
        await tx.servers.save(replace(server, theme="notebook"))
    assert '<link rel="stylesheet" href="/theme/notebook.css">' in (await stranger.get(page))[1]
    status, style = await stranger.get("/theme/notebook.css")
    assert (status, style.count("{")) == (200, 1)
    assert "--seat1: rgb(" in style
    assert "prefers-color-scheme: dark" in (await stranger.get("/theme/paper.css"))[1]
    assert (await stranger.get("/theme/none.css"))[0] == 404


async def test_a_history_leads_to_the_page(room: Room, page: str) -> None:
    history = await private_message(room.kasia.command(room.channel, "history", player=room.ola))
    assert f"[Browser]({room.discord.address.rstrip('/')}{page})" in history.text
    await switch_pages(room, on=False)
    history = await private_message(room.kasia.command(room.channel, "history", player=room.ola))
    assert "[Browser]" not in history.text


async def test_a_browser_that_has_a_page_gets_it_only_when_it_has_changed(page: str, stranger: Visit) -> None:
    headers = await stranger.headers(page)
    assert headers["Cache-Control"] == "private, no-cache"
    known = {"If-None-Match": headers["Etag"], "Accept-Language": "en"}
    async with aiohttp.ClientSession(headers=known) as http, http.get(stranger.address.join(yarl.URL(page))) as got:
        assert (got.status, await got.read()) == (304, b"")


async def test_a_page_is_gone_at_once_when_the_server_switches_pages_off(
    room: Room, page: str, stranger: Visit
) -> None:
    assert (await stranger.get(page))[0] == 200
    await switch_pages(room, on=False)
    for part in ("", "/board.png", "/moves.json", "/game.sgf"):
        assert (await stranger.get(page + part))[0] == 404, part


@pytest.mark.parametrize("player", ["ola", "maksim"])
async def test_a_page_is_gone_at_once_when_a_player_deletes_their_data(
    room: Room, page: str, stranger: Visit, player: str
) -> None:
    assert (await stranger.get(page))[0] == 200
    async with room.services.store.write() as tx:
        await tx.privacy.forget(UserId(getattr(room, player).id))
    for part in ("", "/board.png", "/moves.json", "/game.sgf"):
        assert (await stranger.get(page + part))[0] == 404, part


async def test_a_running_game_has_no_page(room: Room, thread: Channel, stranger: Visit) -> None:
    await switch_pages(room, on=True)
    links = room.services.web_links
    assert links is not None
    assert (await stranger.get(links.page(MatchId(1))))[0] == 404


async def test_a_name_with_markup_is_text(room: Room, stranger: Visit) -> None:
    eve = room.discord.invite("<script>Eve</script>")
    card = await room.challenge(opponent=eve, size="9x9")
    await eve.click(card, "Accept").followed()
    thread = await room.wait_for_thread(card)
    await switch_pages(room, on=True)
    (address,) = await finish(room, thread)
    _, text = await stranger.get(address)
    assert "<script>Eve" not in text
    assert "&lt;script&gt;" in text


async def test_a_game_without_a_move_has_a_page_with_an_empty_board(
    room: Room, thread: Channel, stranger: Visit
) -> None:
    await switch_pages(room, on=True)
    await room.cancel_match(room.ola, thread)
    await room.wait_for_board(thread, 1)
    await room.wait_for_outbox()
    links = room.services.web_links
    assert links is not None
    address = links.page(MatchId(1))
    status, text = await stranger.get(address)
    assert status == 200
    assert "<polyline" not in text
    assert ".sgf" not in text
    assert json.loads((await stranger.get(address + "/moves.json"))[1])["plies"] == []


async def test_head_gets_the_headers_of_get_alone(page: str, stranger: Visit) -> None:
    async with aiohttp.ClientSession() as http, http.head(stranger.address.join(yarl.URL(page))) as got:
        assert (got.status, await got.read()) == (200, b"")
        assert int(got.headers["Content-Length"]) > 1000


async def test_a_guessed_address_costs_no_query(room: Room, page: str, stranger: Visit) -> None:
    right = page.removeprefix("/game/1-")
    wrong = ("A" if right[0] != "A" else "B") + right[1:]
    with statements(room) as sent:
        for guess in (f"/game/1-{wrong}", f"/game/2-{right}", f"/game/1-{right}A", "/game/1", "/game/1-", "/game/"):
            assert (await stranger.get(guess))[0] == 404, guess
    assert not [each for each in sent if "FROM match" in each]


async def test_a_page_that_was_read_before_costs_three_queries(room: Room, page: str, stranger: Visit) -> None:
    await stranger.get(page)
    with statements(room) as sent:
        assert (await stranger.get(page))[0] == 200
    assert len(sent) <= QUERIES, sent


async def test_a_page_that_was_read_before_reads_neither_moves_nor_notes(
    room: Room, page: str, stranger: Visit
) -> None:
    await publish_notes(room, 1)
    known = {"If-None-Match": (await stranger.headers(page))["Etag"]}
    with statements(room) as sent:
        assert (await stranger.get(page))[0] == 200
        assert await stranger.status(page, known) == 304
    assert not [each for each in sent if "match.game" in each or "sheet.turns" in each]


async def test_the_event_loop_does_none_of_the_work_of_a_page(room: Room, page: str, stranger: Visit) -> None:
    await publish_notes(room, 1)
    with calls_on_loop() as calls:
        for part in ("", "/board.png", "/moves.json", "/game.sgf"):
            assert await stranger.status(page + part) == 200
    assert not {"list_notes", "Template.render", "GzipFile.write", "encode_plies", "draw", "chart"} & calls.keys()


async def test_pages_take_no_place_in_the_queue_for_what_players_ask_for(
    room: Room, page: str, stranger: Visit
) -> None:
    for part in ("", "/board.png", "/moves.json", "/game.sgf"):
        assert await stranger.status(page + part) == 200
    assert room.services.jobs.pictures.pid is None, "it has not begun"


async def test_the_longest_notes_that_fit_a_sheet_make_a_page_of_bounded_size(
    room: Room, page: str, stranger: Visit, caplog: pytest.LogCaptureFixture
) -> None:
    await publish_notes(room, 500, "K7" * 39)
    status, text = await stranger.get(page)
    assert status == 200
    assert len(text) < 100_000
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


class TestManyRequests:
    """A bot whose pages each network may read three times at once."""

    @pytest.fixture
    def run_options(self) -> dict[str, object]:
        return {"limits": RateLimits(visits=Rate(3, 1000.0))}

    async def test_a_network_reads_only_so_often(self, page: str, stranger: Visit) -> None:
        assert [await stranger.status(page) for _ in range(5)] == [200, 200, 200, 429, 429]
        assert "Too many" in (await stranger.get(page))[1]

    async def test_networks_behind_the_proxy_are_counted_apart(self, page: str, stranger: Visit) -> None:
        async def read(seen: str) -> int:
            address, headers = stranger.address.join(yarl.URL(page)), {"X-Forwarded-For": seen}
            async with aiohttp.ClientSession(headers=headers) as http, http.get(address) as got:
                return got.status

        assert [await read("203.0.113.7") for _ in range(4)] == [200, 200, 200, 429]
        assert await read("198.51.100.1, 203.0.113.7") == 429  # only what the proxy has written counts
        assert await read("203.0.113.8") == 200
        assert [await read(f"2001:db8::{host}") for host in "1234"] == [200, 200, 200, 429]
        assert await read("2001:db8:0:1::1") == 429  # the same site
        assert await read("2001:db8:1::1") == 200


async def test_thirty_requests_a_second_are_served(page: str, stranger: Visit) -> None:
    assert [await stranger.status(page) for _ in range(90)] == [200] * 90


@pytest.mark.parametrize("tries", [500, pytest.param(10_000, marks=pytest.mark.contest)])
async def test_odd_paths_are_answered_without_an_error(
    page: str, stranger: Visit, caplog: pytest.LogCaptureFixture, tries: int
) -> None:
    rng, signs = random.Random(22), string.printable + "ąЖ🙂\x00%/-._"
    statuses = set()
    async with aiohttp.ClientSession() as http:
        for number in range(tries):
            odd = "".join(rng.choices(signs, k=rng.randrange(40)))
            begin = ("/game/", page[: rng.randrange(2, len(page))], page + "/", "/game/9223372036854775808-")[
                number % 4
            ]
            path = begin + quote(odd, safe="/%" if number % 2 else "")
            async with http.get(yarl.URL(f"{stranger.address.origin()}{path}", encoded=True)) as got:
                statuses.add(got.status)
    assert statuses <= {200, 400, 404, 429}
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


def test_the_chart_reaches_from_edge_to_edge() -> None:
    middle, width, height = WIDTH // 2, WIDTH, HEIGHT
    lines = (
        f"0,{height} {middle},{height // 2} {width},{height // 2}",
        f"0,{height} {middle},{height} {width},0",
    )
    assert chart([(0.0, 0.0), (2.0, 0.0), (2.0, 4.0)]) == Chart(lines, 0.0, 4.0)


def test_the_chart_of_a_game_without_points_is_flat_with_room_for_a_point() -> None:
    assert chart([(0.0, 0.0)]) == Chart((f"0,{HEIGHT}",) * 2, 0.0, 1.0)


async def test_a_review_leads_to_the_page(discord: Discord, url: str, clock: StoppedClock) -> None:
    room = Room(discord, url, clock, hosting=Hosting(web=discord.address.rstrip("/")))
    room.thinkers = MissedCaptureEngine
    await room.start()
    await switch_pages(room, on=True)
    review = await picture_answer(room.kasia.command(await finish_match(room), "review"))
    links = room.services.web_links
    assert links is not None
    assert [part["url"] for part in components.walk(review.components) if "url" in part] == [links.page(MatchId(1))]
    await room.stop()
