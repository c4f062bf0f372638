"""The pages of a server: what is on them, who may see them, what they cost, and what strangers can do."""

from __future__ import annotations

import random
import re
import string
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import quote

import aiohttp
import pytest
import yarl

from bot.features.competitions.tournaments.publisher import TournamentPublisher
from bot.services.channels import ServerPosts
from bot.services.rate_limits import Rate, RateLimits, ThreadBudget
from loopback import Person, components
from loopback.permissions import Permission
from play.challenge.pool import Pool
from play.competitions.tournament import TournamentId
from play.ids import ChannelId, GuildId, UserId
from play.people.membership import MIN_ACCOUNT_AGE
from play.ratings.leaderboard import Season
from play.refusal import Refused
from rules.registry import GAMES
from tests.bot.features.competitions.league.test_league import begin as begin_season
from tests.bot.features.competitions.league.test_league import open_league
from tests.bot.features.competitions.tournaments.cup import (
    begin_tournament,
    is_open,
    make_tournament,
    resign_all,
    wait_for,
)
from tests.bot.features.leaderboards.test_leaderboards import play_league
from tests.bot.room import Room, private_message, private_words
from tests.bot.waiting import skip_confirmations
from tests.web.counting import cost
from tests.web.finished import store_game, switch_pages
from tests.web.test_private_games import close_to_members
from tests.web.visit import Visit
from web.access.links import LinkSigner, Paths

GAME = GAMES["zagram"].with_options({"size": "9x9", "start": "empty"})
MOVES = ("E5", "E6", "F5", "D5")


@pytest.fixture
async def stranger(visit: Callable[..., Visit]) -> Visit:
    """A browser of a person who is in no server."""
    return visit()


@pytest.fixture
async def open_server(room: Room) -> None:
    """Switches the pages on, lets Ola make tournaments and ladders, and stores rated games."""
    await switch_pages(room, on=True)
    await skip_confirmations(room)
    room.discord.allow(room.channel, Permission.MANAGE_MESSAGES, room.ola)
    await play_league(room)


def path(room: Room, make: Callable[[Paths, GuildId], str]) -> str:
    """Returns the path of a page of the server."""
    links, guild = room.services.web_links, GuildId(room.discord.guild.id)
    assert links is not None
    return "/" + links.place(lambda paths: make(paths, guild)).removeprefix(room.discord.address).lstrip("/")


def profile(room: Room, person: Person) -> str:
    return path(room, lambda paths, guild: paths.player(guild, UserId(person.id)))


def all_paths(room: Room) -> list[str]:
    """Returns the paths of a page of each kind."""
    pool, season = Pool.parse("dots-days"), Season(2025, 3)
    return [
        path(room, Paths.server),
        path(room, Paths.leaderboard),
        path(room, lambda paths, guild: paths.leaderboard(guild, pool)),
        path(room, lambda paths, guild: paths.leaderboard(guild, pool, season)),
        profile(room, room.ola),
        path(room, Paths.tournaments),
        path(room, lambda paths, guild: paths.tournament(guild, TournamentId(1))),
        path(room, Paths.ladder),
        path(room, Paths.league),
    ]


def rows(text: str) -> list[list[str]]:
    """Returns the texts of the cells of all tables, row by row."""
    lines = re.findall(r"<tr[^>]*>(.*?)</tr>", text, re.DOTALL)
    return [
        [re.sub(r"<[^>]*>|\s+", " ", cell).strip() for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", line)]
        for line in lines
    ]


async def has_picture(room: Room, stranger: Visit, address: str) -> bool:
    """Returns whether a preview of a page has the picture of its table, which is there then and only then."""
    picture = f"{address}/table.png"
    named = f'<meta property="og:image" content="{room.discord.address.rstrip("/")}{picture}">'
    headers = await stranger.headers(picture)
    is_there = headers["Content-Type"] == "image/png"
    assert (named in (await stranger.get(address))[1]) == is_there
    return is_there


def urls(message: Any) -> list[str]:
    return [part["url"] for part in components.walk(message.components) if "url" in part]


@pytest.mark.usefixtures("open_server")
class TestOpenServer:
    """A server with its pages on, whose members have played."""

    async def test_a_leaderboard_has_the_lines_of_the_command(self, room: Room, stranger: Visit) -> None:
        status, text = await stranger.get(path(room, Paths.leaderboard))
        shown = (await private_message(room.ola.command(room.channel, "leaderboard"))).text
        assert status == 200
        head, *lines = rows(text)
        assert head == ["Place", "Player", "Rating", "Games"]
        assert [line[1] for line in lines] == ["Ola", "Максим", "Kasia Wiśniewska"]
        assert all(line[2] in shown for line in lines)
        assert [line[3] for line in lines] == ["18"] * 3
        assert f'href="{profile(room, room.maksim)}"' in text

    async def test_the_first_page_has_what_goes_on_with_links(self, room: Room, stranger: Visit) -> None:
        await make_tournament(room)
        status, text = await stranger.get(path(room, Paths.server))
        assert status == 200
        for address in (Paths.leaderboard, Paths.tournaments, Paths.ladder, Paths.league):
            assert f'href="{path(room, address)}"' in text
        assert re.search("Autumn Cup</a> · [^·<]+ · Swiss system</li>", text)
        assert re.findall(r'<li><a [^>]*>([^<]*)</a> <span class="number">', text) == [
            *("Ola", "Максим", "Kasia Wiśniewska")
        ]
        assert f"<h1>{room.discord.guild.name}</h1>" in text

    async def test_a_page_names_its_language_with_its_usual_region(self, room: Room, stranger: Visit) -> None:
        for asked, told in {"uk": "uk_UA", "cs": "cs_CZ", "en-GB": "en_US"}.items():
            _, text = await stranger.get(path(room, Paths.server), {"Accept-Language": asked})
            assert f'<meta property="og:locale" content="{told}">' in text

    @pytest.mark.parametrize("format", ["round-robin", "knock-out"])
    async def test_a_preview_of_a_tournament_has_its_table_or_bracket(
        self,
        room: Room,
        stranger: Visit,
        format: str,  # noqa: A002 - as the command's option
    ) -> None:
        await begin_tournament(room, format=format)
        address = path(room, lambda paths, guild: paths.tournament(guild, TournamentId(1)))
        assert await has_picture(room, stranger, address)

    async def test_a_tournament_that_has_not_begun_has_no_picture(self, room: Room, stranger: Visit) -> None:
        await make_tournament(room)
        address = path(room, lambda paths, guild: paths.tournament(guild, TournamentId(1)))
        assert not await has_picture(room, stranger, address)

    async def test_a_season_has_its_points(self, room: Room, stranger: Visit) -> None:
        pool, season = Pool.parse("dots-days"), Season(2025, 3)
        _, text = await stranger.get(path(room, lambda paths, guild: paths.leaderboard(guild, pool, season)))
        assert rows(text)[1] == ["1", "Ola", "36", "18"]
        assert "Points: 3 for a win" in text

    async def test_a_profile_has_ratings_results_and_public_games(self, room: Room, stranger: Visit) -> None:
        match = await store_game(room, room.channel, GAME, MOVES)
        _, text = await stranger.get(profile(room, room.maksim))
        lines = rows(text)
        assert lines[1][0] == "Dots (over days)"
        assert ["All games", "1", "0", "0"] in lines
        assert ["Against Ola", "1", "0", "0"] in lines
        (game,) = (line for line in lines if line[0] == f"Game {match.id}")
        assert game[1:4] == ["Ola", "Won", "0 : 0"]
        links = room.services.web_links
        assert links is not None
        address = links.page(match.id).removeprefix(room.discord.address.rstrip("/"))
        assert f'href="{address}"' in text
        assert (await stranger.get(address))[0] == 200
        assert text.count("<polyline") == 1

    async def test_games_of_closed_channels_are_on_no_profile(self, room: Room, stranger: Visit) -> None:
        match = await store_game(room, room.channel, GAME, MOVES)
        close_to_members(room, room.channel)
        _, text = await stranger.get(profile(room, room.maksim))
        assert f"Game {match.id}" not in text
        assert "All games" not in text
        assert "No finished games yet." in text

    async def test_a_game_whose_thread_is_deleted_is_no_longer_listed(self, room: Room, stranger: Visit) -> None:
        there = await store_game(room, room.channel, GAME, MOVES)
        await switch_pages(room, on=False)  # else the last board asks whether its thread is open, and keeps the answer
        thread = await room.start_match(size="9x9")
        asked = await private_message(room.ola.command(thread, "resign"))
        await room.ola.click(asked, "Yes, resign").answered()
        await room.wait_for_board(thread, 1)
        room.discord.delete_channel(thread)
        await switch_pages(room, on=True)
        _, text = await stranger.get(profile(room, room.maksim))
        assert [line[0] for line in rows(text) if line[0].startswith("Game ")] == [f"Game {there.id}"]
        assert ["All games", "2", "0", "0"] in rows(text)

    async def test_games_of_direct_messages_and_of_other_servers_are_on_no_profile(
        self, room: Room, stranger: Visit
    ) -> None:
        for guild in (None, 77):
            await store_game(room, room.channel, GAME, MOVES, guild=guild)
        _, text = await stranger.get(profile(room, room.maksim))
        assert "No finished games yet." in text

    async def test_players_who_left_the_server_are_passed_over(self, room: Room, stranger: Visit) -> None:
        for person in (room.ola, room.maksim, room.kasia):
            room.services.names.forget(UserId(person.id))
        room.discord.fault("GET", "/guilds/{guild_id}/members/{user_id}", 404, times=1, code=10007)
        _, text = await stranger.get(path(room, Paths.leaderboard))
        assert [line[1] for line in rows(text)[1:]] == ["Максим", "Kasia Wiśniewska"]
        assert "Ola" not in text
        assert (await stranger.get(profile(room, room.ola)))[0] == 404

    async def test_deleted_players_are_gone_at_once(self, room: Room, stranger: Visit) -> None:
        address = profile(room, room.maksim)
        match = await store_game(room, room.channel, GAME, MOVES)
        assert (await stranger.get(address))[0] == 200
        async with room.services.store.write() as tx:
            await tx.privacy.forget(UserId(room.maksim.id))
        assert (await stranger.get(address))[0] == 404
        assert "Максим" not in (await stranger.get(path(room, Paths.leaderboard)))[1]
        assert f"Game {match.id}" not in (await stranger.get(profile(room, room.ola)))[1]

    async def test_a_tournament_has_its_table_and_links_to_its_games(self, room: Room, stranger: Visit) -> None:
        await resign_all(room, await begin_tournament(room, format="round-robin"))
        now = await wait_for(room, is_open(2))
        await room.wait_for_outbox()
        _, listed = await stranger.get(path(room, Paths.tournaments))
        assert rows(listed)[1][:4] == ["Autumn Cup", "Running", "Everyone plays everyone", "3"]
        _, text = await stranger.get(path(room, lambda paths, guild: paths.tournament(guild, now.id)))
        head, *lines = rows(text)
        assert head == ["Place", "Player", "Points", "1", "2", "3", "bye"]
        assert {line[1] for line in lines} == {"Ola", "Максим", "Kasia Wiśniewska"}
        (address,) = set(re.findall(r'href="(/game/[^"]*)"', text))
        assert (await stranger.get(address))[0] == 200

    async def test_a_knock_out_has_its_bracket(self, room: Room, stranger: Visit) -> None:
        now = await begin_tournament(room, format="knock-out")
        _, text = await stranger.get(path(room, lambda paths, guild: paths.tournament(guild, now.id)))
        assert re.findall("<h3>(.*)</h3>", text) == ["Semifinals", "Final"]

    async def test_a_tournament_before_its_first_round_has_who_signed_up(self, room: Room, stranger: Visit) -> None:
        card = await make_tournament(room)
        await private_words(room.maksim.click(card, "Sign up"))
        _, text = await stranger.get(path(room, lambda paths, guild: paths.tournament(guild, TournamentId(1))))
        assert "Open for sign-up" in text
        assert "Максим" in text
        assert "<table" not in text

    async def test_a_tournament_of_a_closed_channel_is_nowhere(self, room: Room, stranger: Visit) -> None:
        await make_tournament(room)
        close_to_members(room, room.channel)
        _, text = await stranger.get(path(room, Paths.tournaments))
        assert "This server has had no tournament yet." in text
        assert (await stranger.get(path(room, lambda paths, guild: paths.tournament(guild, TournamentId(1)))))[0] == 404

    async def test_a_ladder_has_its_places_in_order(self, room: Room, stranger: Visit) -> None:
        ladder = path(room, Paths.ladder)
        assert "This server has no ladder." in (await stranger.get(ladder))[1]
        await private_words(room.ola.command(room.channel, "ladder create"))
        for person in (room.kasia, room.ola):
            await private_words(person.command(room.channel, "ladder join"))
        _, text = await stranger.get(ladder)
        places = re.findall(r'<li value="(\d)"><a [^>]*>([^<]*)', text)
        assert places == [("1", "Kasia Wiśniewska"), ("2", "Ola")]

    async def test_a_league_has_who_joined_and_then_its_divisions(self, room: Room, stranger: Visit) -> None:
        league = path(room, Paths.league)
        assert "This server has no league." in (await stranger.get(league))[1]
        await room.pass_time(MIN_ACCOUNT_AGE)
        room.discord.allow(room.channel, Permission.MANAGE_GUILD, room.ola)
        await open_league(room)
        _, text = await stranger.get(league)
        assert "The next season begins on" in text
        assert re.findall(r"<li><a [^>]*>([^<]*)</a></li>", text) == ["Ola", "Максим", "Kasia Wiśniewska"]
        season = await begin_season(room)
        _, text = await stranger.get(league)
        head, *lines = rows(text)
        assert head == ["Place", "Player", "Points", "1", "2", "3"]
        assert {line[1] for line in lines} == {"Ola", "Максим", "Kasia Wiśniewska"}
        assert "<h1>League · Season 1 · Division 1</h1>" in text
        assert "This season ends on" in text
        page = path(room, lambda paths, guild: paths.league(guild, season.number, 1))
        assert rows((await stranger.get(page))[1]) == [head, *lines]
        assert await has_picture(room, stranger, league)
        assert await has_picture(room, stranger, page)
        for unknown in ("1/2", "2/1", "0/1", "1/0"):
            assert (await stranger.get(f"{league}/{unknown}"))[0] == 404

    async def test_a_league_of_a_closed_channel_is_nowhere(self, room: Room, stranger: Visit) -> None:
        await room.pass_time(MIN_ACCOUNT_AGE)
        room.discord.allow(room.channel, Permission.MANAGE_GUILD, room.ola)
        await open_league(room)
        close_to_members(room, room.channel)
        assert "This server has no league." in (await stranger.get(path(room, Paths.league)))[1]

    async def test_every_answer_leads_to_its_page(self, room: Room, stranger: Visit) -> None:
        leaderboard = await private_message(room.ola.command(room.channel, "leaderboard"))
        others = await private_message(room.ola.command(room.channel, "profile", player=room.maksim))
        ladder = await private_message(room.ola.command(room.channel, "ladder create"))
        await make_tournament(room)
        posted = [each for each in room.discord.messages(room.channel) if urls(each)]
        for message in (leaderboard, others, ladder, *posted):
            (address,) = urls(message)
            assert (await stranger.get("/" + address.removeprefix(room.discord.address).lstrip("/")))[0] == 200
        assert len(posted) == 2, "the ladder's standing and the tournament"

    async def test_a_leaderboard_of_all_servers_leads_nowhere(self, room: Room) -> None:
        shown = await private_message(room.ola.command(room.channel, "leaderboard", everywhere=True))
        assert urls(shown) == []

    async def test_no_answer_has_a_link_while_pages_are_off(self, room: Room) -> None:
        await switch_pages(room, on=False)
        assert urls(await private_message(room.ola.command(room.channel, "leaderboard"))) == []
        own = urls(await private_message(room.ola.command(room.channel, "profile")))
        assert [each for each in own if not each.endswith("/figures")] == []  # that is for Ola alone
        assert urls(await private_message(room.ola.command(room.channel, "ladder create"))) == []

    @pytest.mark.parametrize("command", ["leaderboard", "profile", "ladder show"])
    async def test_a_page_costs_no_more_queries_than_its_command(
        self, room: Room, stranger: Visit, command: str
    ) -> None:
        await private_words(room.ola.command(room.channel, "ladder create"))
        pages = {
            "leaderboard": path(room, Paths.leaderboard),
            "profile": profile(room, room.maksim),
            "ladder show": path(room, Paths.ladder),
        }
        options = {"player": room.maksim} if command == "profile" else {}
        of_command = await cost(room, lambda: private_message(room.ola.command(room.channel, command, **options)))
        assert 0 < await cost(room, lambda: stranger.get(pages[command])) <= of_command

    async def test_a_tournament_costs_no_more_queries_than_a_refresh_of_its_message(
        self, room: Room, stranger: Visit
    ) -> None:
        now, services = await begin_tournament(room), room.services
        publisher = TournamentPublisher(
            ServerPosts(services.directory, ThreadBudget()),
            services.store,
            services.locales,
            services.names,
            services.web_links,
        )
        page = path(room, lambda paths, guild: paths.tournament(guild, now.id))

        async def refresh() -> None:
            await publisher.show(await services.use_cases.tournaments.load(now.id))

        assert 0 < await cost(room, lambda: stranger.get(page)) <= await cost(room, refresh)

    async def test_pages_have_no_script_and_no_style_of_their_own(self, room: Room, stranger: Visit) -> None:
        await begin_tournament(room)
        for address in all_paths(room):
            status, text = await stranger.get(address)
            assert status == 200, address
            assert re.findall(r"<script|<style|style=|\son\w+=", text) == []
            assert '<meta name="robots" content="noindex">' in text
            assert text.count("<h1>") == 1
            assert '<meta property="og:title"' in text

    async def test_no_page_tells_the_number_of_a_server_or_of_an_account(self, room: Room, stranger: Visit) -> None:
        await begin_tournament(room)
        numbers = [room.discord.guild.id, *(person.id for person in (room.ola, room.maksim, room.kasia))]
        for address in all_paths(room):
            text = address + (await stranger.get(address))[1]
            assert not [number for number in numbers if str(number) in text]

    async def test_a_page_speaks_the_language_of_its_reader(self, room: Room, visit: Callable[..., Visit]) -> None:
        heads = {"de": "Platz", "ru": "Место", "uk": "Місце", "pl": "Miejsce", "cs": "Místo", "xx": "Place"}
        for language, head in heads.items():
            _, text = await visit(accept=language).get(path(room, Paths.leaderboard))
            assert rows(text)[0][0] == head

    async def test_a_browser_that_has_a_page_gets_it_only_when_it_has_changed(
        self, room: Room, stranger: Visit
    ) -> None:
        address = path(room, Paths.leaderboard)
        headers = await stranger.headers(address)
        assert headers["Cache-Control"] == "private, no-cache"
        known = {"If-None-Match": headers["Etag"], "Accept-Language": "en"}
        there = stranger.address.join(yarl.URL(address))
        async with aiohttp.ClientSession(headers=known) as http, http.get(there) as got:
            assert (got.status, await got.read()) == (304, b"")

    async def test_a_name_with_markup_is_text(self, room: Room, stranger: Visit) -> None:
        eve = room.discord.invite("<script>Eve</script>")
        await private_words(room.ola.command(room.channel, "ladder create"))
        await private_words(eve.command(room.channel, "ladder join"))
        _, text = await stranger.get(path(room, Paths.ladder))
        assert "<script>" not in text
        assert "&lt;script&gt;Eve" in text


async def test_closed_and_unknown_servers_answer_alike(room: Room, stranger: Visit) -> None:
    await play_league(room)
    await switch_pages(room, on=True)
    links, known = room.services.web_links, path(room, Paths.leaderboard)
    assert links is not None
    answers = {(await stranger.get(known))[1]}
    assert "Ola" in answers.pop()
    await switch_pages(room, on=False)
    async with room.services.store.write() as tx:
        await tx.servers.save(replace(await tx.servers.get(GuildId(77)), pages=True))
    unknown = links.place(lambda paths: paths.leaderboard(GuildId(78)))
    away = links.place(lambda paths: paths.leaderboard(GuildId(77)))
    forged = "/server/" + "A" * 22 + "/leaderboard"
    for address in (*all_paths(room), unknown, away, forged, "/server/1/leaderboard", "/server/", known + "/x"):
        status, text = await stranger.get(address)
        assert status == 404, address
        answers.add(text)
    assert len(answers) == 1


async def test_a_tournament_is_found_on_its_own_server_alone(room: Room, stranger: Visit) -> None:
    await switch_pages(room, on=True)
    room.discord.allow(room.channel, Permission.MANAGE_MESSAGES, room.ola)
    await make_tournament(room)
    async with room.services.store.write() as tx:
        made = await tx.tournaments.get(TournamentId(1))
        assert made is not None
        elsewhere = replace(made, guild=GuildId(77), channel=ChannelId(78), key=None)
        number = (await tx.tournaments.add(elsewhere)).id
    assert (await stranger.get(path(room, lambda paths, guild: paths.tournament(guild, TournamentId(1)))))[0] == 200
    assert (await stranger.get(path(room, lambda paths, guild: paths.tournament(guild, number))))[0] == 404


@pytest.mark.usefixtures("open_server")
class TestManyRequests:
    """An open server, whose pages may be read as often as a test likes."""

    @pytest.fixture
    def run_options(self) -> dict[str, object]:
        every = Rate(10**6, 0.001)
        return {"limits": RateLimits(visits=every)}

    @pytest.mark.parametrize("tries", [150, pytest.param(10_000, marks=pytest.mark.contest)])
    async def test_odd_addresses_are_answered_without_an_error(
        self, room: Room, stranger: Visit, caplog: pytest.LogCaptureFixture, tries: int
    ) -> None:
        rng, signs = random.Random(22), string.printable + "ąЖ🙂\x00%/-._"
        paths, statuses = all_paths(room), Counter[int]()
        asked = ("0", "-1", "1001", "9" * 400, "1.5", "²", "١", "٣", "", "%00", "1&page=2", "🙂", "1e3", "+1", " 1")
        async with aiohttp.ClientSession() as http:
            for number in range(tries):
                address = paths[number % len(paths)]
                odd = "".join(rng.choices(signs, k=rng.randrange(40)))
                changed = (
                    f"{address}?page={quote(rng.choice(asked), safe='&%')}",
                    f"{address}?page={rng.randrange(-5, 2000)}",
                    f"{address}/{quote(odd, safe='/%' if number % 2 else '')}",
                    address[: rng.randrange(len("/server/"), len(address))] + quote(odd, safe=""),
                    address.replace("dots", rng.choice(("dash", "none", "d" * 30))).replace("2025q3", f"{number:04}q4"),
                    re.sub(r"tournament/\d", f"tournament/{rng.getrandbits(rng.randrange(1, 70))}", address),
                )[rng.randrange(6)]
                url = yarl.URL(f"{stranger.address.origin()}{changed}", encoded=True)
                async with http.get(url) as got:
                    statuses[got.status] += 1
        assert statuses.keys() <= {200, 400, 404}
        assert statuses[200] > tries / 10
        assert not [record for record in caplog.records if record.levelname == "ERROR"]


class TestSeals:
    """Numbers that only the bot can read."""

    SIGNER = LinkSigner(b"secret")

    @pytest.mark.sample(3)
    @pytest.mark.parametrize("number", [0, 1, 2**63, 2**64 - 1])
    def test_a_sealed_number_is_read_again(self, number: int) -> None:
        text = self.SIGNER.seal("server", number)
        assert len(text) == 22
        assert self.SIGNER.unseal("server", text) == number

    def test_neighbours_have_nothing_in_common(self) -> None:
        one, other = (self.SIGNER.seal("server", number) for number in (1, 2))
        assert sum(a == b for a, b in zip(one, other, strict=True)) < 6

    def test_a_seal_serves_one_purpose_and_one_bot(self) -> None:
        text = self.SIGNER.seal("player 1", 5)
        for signer, purpose in ((self.SIGNER, "player 2"), (LinkSigner(b"other"), "player 1")):
            with pytest.raises(Refused):
                signer.unseal(purpose, text)

    @pytest.mark.parametrize("text", ["", "A", "A" * 21, "A" * 22, "A" * 23, "ż" * 22, "A" * 5000, "=" * 22])
    def test_other_texts_are_refused(self, text: str) -> None:
        with pytest.raises(Refused):
            self.SIGNER.unseal("server", text)

    def test_a_changed_letter_is_noticed(self) -> None:
        text = self.SIGNER.seal("server", 7)
        for place in range(len(text)):
            with pytest.raises(Refused):
                self.SIGNER.unseal("server", text[:place] + ("A" if text[place] != "A" else "B") + text[place + 1 :])
