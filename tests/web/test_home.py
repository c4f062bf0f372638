"""The home page: what it shows of whom, and what it does, as the chat does."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

import pytest

from bot.cli.tryout import mount_site
from loopback import Channel, Discord, Permission
from play.ids import ChallengeId, ChannelId, GuildId, MatchId, UserId
from play.match.match import Match
from rules.registry import make_game
from tests.bot.room import Room, private_message, private_words
from tests.bot.test_own_time_out import silence_bot
from tests.bot.waiting import skip_confirmations
from tests.clock import MINUTE, StoppedClock
from tests.web.counting import cost
from tests.web.finished import store_game
from tests.web.games_at_home import begin_games
from tests.web.home_visit import AtHome, room_with_activity
from tests.web.test_private_games import close_to_members
from tests.web.test_rights import silence
from tests.web.visit import Visit

GAME = make_game("zagram", {"size": "9x9", "start": "empty"})

MOST = 14
"""Statements of a home page with searches. Open seats, the arena and the best game are read once for all readers."""

Visits = Callable[..., Visit]


@pytest.fixture
async def room(discord: Discord, url: str, clock: StoppedClock, run_options: dict[str, Any]) -> AsyncIterator[Room]:
    """A server with a computer and an Activity."""
    async with room_with_activity(discord, url, clock, run_options) as room:
        yield room


@pytest.fixture
async def ola(room: Room, visit: Visits) -> AtHome:
    """Ola's home in a browser."""
    return await AtHome.enter(room, room.ola, visit())


async def load(room: Room, match: int) -> Match:
    return await room.use_cases.matches.load(MatchId(match))


class TestOwnPart:
    """Games, challenges, finished games, settings."""

    async def test_without_a_session_there_is_none(self, room: Room, visit: Visits) -> None:
        stranger = visit()
        assert await stranger.status("/home") == 401
        assert await stranger.status("/home.json") == 401
        assert (await stranger.post("/home/do", {"do": "around"}))[0] == 401

    async def test_an_account_without_a_game_is_invited_with_the_board_of_a_first_one(self, ola: AtHome) -> None:
        told = await ola.read()
        assert (told["games"], told["asked"], told["finished"], told["next"]) == ([], [], [], None)
        assert told["first"]["width"] == 9
        assert [each["level"] for each in told["levels"]] == [*range(1, 15)]

    async def test_who_has_used_no_command_yet_reads_in_the_language_of_the_browser(
        self, room: Room, visit: Visits
    ) -> None:
        browser = visit(accept="ru-RU,ru;q=0.9,en;q=0.8")
        await AtHome.enter(room, room.ola, browser)
        assert '<html lang="ru"' in (await browser.get("/home"))[1]
        await room.ola.command(room.channel, "games").answered()
        assert '<html lang="en"' in (await browser.get("/home"))[1]

    async def test_games_are_in_the_order_of_the_list_in_discord(self, room: Room, ola: AtHome) -> None:
        begun = await begin_games(room, room.ola, room.maksim, 3)
        await begin_games(room, room.kasia, room.ola, 1)
        told = await ola.read()
        listed = await room.use_cases.matches.list_open(UserId(room.ola.id))
        assert [each["match"] for each in told["games"]] == [each.id for each in listed]
        assert {*begun, 4} == {each.id for each in listed}
        assert [each["yours"] for each in told["games"]] == [True, True, True, False]
        assert told["next"] == {"match": listed[0].id, "label": "Next game (3)"}
        first, last = told["games"][0], told["games"][-1]
        assert (first["title"], first["turn"], first["time"]) == (
            "Максим",
            "It's your turn.",
            "Time left: 2 days, 23 hr",
        )
        assert (last["title"], last["turn"]) == ("Kasia Wiśniewska", "It's Kasia Wiśniewska's turn.")
        assert first["server"] == room.discord.guild.name

    async def test_games_with_one_opponent_are_told_apart(self, room: Room, ola: AtHome) -> None:
        begun = await begin_games(room, room.ola, room.maksim, 5)
        tiles = {each["match"]: each for each in (await ola.read())["games"]}
        assert [tiles[each]["about"] for each in begun] == [
            f"#{match} · Zagram {size}"
            for match, size in zip(begun, ("9×9", "20×20", "13×13", "39×32", "9×9"), strict=True)
        ]
        assert tiles[begun[0]]["state"] == "Score 0:0"
        assert tiles[begun[1]]["state"] == "Score 0:0, last move K11"
        assert tiles[begun[4]]["state"] == "Score 1:0, last move G5"
        theirs = await begin_games(room, room.maksim, room.ola, 5)
        (tile,) = [each for each in (await ola.read())["games"] if each["match"] == theirs[4]]
        assert tile["state"] == "Score 0:1, last move G5"  # the own points come first

    async def test_a_board_is_small_and_true(self, room: Room, ola: AtHome) -> None:
        (_, *_, last) = await begin_games(room, room.ola, room.maksim, 5)
        board = next(each for each in (await ola.read())["games"] if each["match"] == last)["board"]
        picture = (await load(room, last)).position.picture()
        points = zip(*(iter([*board["dots"][0], *board["dots"][1]]),) * 2, strict=True)
        assert {*points} == {(*stone.point,) for stone in picture.stones if not stone.captured}
        assert (board["width"], board["height"]) == (9, 9)
        assert len(board["areas"]) == len(picture.areas) == 1

    async def test_it_costs_no_more_queries_than_the_list_in_discord(self, room: Room, ola: AtHome) -> None:
        await begin_games(room, room.ola, room.maksim, 14)
        for _ in range(3):
            await store_game(room, room.channel, GAME, ("E5", "E6"))
        await room.maksim.command(room.channel, "challenge", opponent=room.ola).answered()
        games = await cost(room, lambda: private_message(room.ola.command(room.general, "games")))
        home = await cost(room, ola.read)
        assert 0 < home <= min(games, MOST)

    async def test_of_thirty_games_the_first_have_boards(self, room: Room, ola: AtHome) -> None:
        await begin_games(room, room.ola, room.maksim, 14)
        told = await ola.read()
        assert [each["board"] is not None for each in told["games"]] == [True] * 12 + [False] * 2

    async def test_finished_games_have_their_result(self, room: Room, ola: AtHome) -> None:
        match = await store_game(room, room.channel, GAME, ("E5", "E6", "F5", "D5"))
        (line,) = (await ola.read())["finished"]
        assert (line["match"], line["title"]) == (match.id, "Максим")
        assert line["result"] in ("Won", "Lost")

    async def test_earlier_games_are_told_of_page_by_page(self, room: Room, ola: AtHome) -> None:
        assert (await ola.read())["more"] is None
        stored = [(await store_game(room, room.channel, GAME, ("E5", "E6"))).id for _ in range(20)]
        told = await ola.read()
        first = await ola.must("finished", start=told["more"])
        second = await ola.must("finished", start=first["more"])
        found = [each["match"] for part in (told, first, second) for each in part["finished"]]
        assert found == stored[::-1]
        assert [len(part["finished"]) for part in (told, first, second)] == [6, 12, 2]
        assert second["more"] is None
        assert (await ola.must("finished", start=2**31 - 1)) == {"finished": [], "more": None}
        assert (await ola.do("finished", start=-1))[0] == 400

    async def test_settings_are_changed_and_made_up_ones_are_not(self, room: Room, ola: AtHome) -> None:
        assert await ola.must("set", field="theme", value="dark") == {}
        assert await ola.must("set", field="language", value="pl") == {}
        told = await ola.read()
        assert (told["theme"]["name"], told["language"], told["words"]["games"]) == ("dark", "pl", "Twoje partie")
        assert await ola.must("set", field="language", value="-") == {}
        assert (await ola.read())["language"] == "en"
        for field, value in (("next", "open"), ("watching", "counted")):
            assert await ola.must("set", field=field, value=value) == {}
            (setting,) = [each for each in (await ola.read())["settings"] if each["field"] == field]
            assert [each["value"] for each in setting["choices"] if each["chosen"]] == [value]
            assert not [each for each in setting["choices"] if each["label"].startswith(setting["label"][:5])]
        async with room.services.store.read() as reader:
            stored = await reader.people.get(UserId(room.ola.id))
        assert (stored.opens_next, stored.named) == (True, False)
        for field, value in (
            ("next", "counted"),
            ("opens_next", "open"),
            ("theme", "gold"),
            ("language", "xx"),
            ("digest", "7"),
            ("id", "1"),
            ("theme", "-"),
        ):
            assert (await ola.do("set", field=field, value=value))[0] == 400, field


class TestChallenges:
    """Challenges that wait for an answer, and those that are made."""

    async def test_one_is_accepted_as_on_its_card(self, room: Room, ola: AtHome) -> None:
        await room.maksim.command(room.channel, "challenge", opponent=room.ola, size="9x9").answered()
        (asked,) = (await ola.read())["asked"]
        assert asked["title"] == "Максим challenges you"
        assert (asked["accept"], asked["decline"]) == ("Accept", "Decline")
        answer = await ola.must("accept", challenge=asked["challenge"], changes=asked["changes"])
        match = await load(room, answer["match"])
        assert {*match.players} == {room.ola.id, room.maksim.id}
        assert match.parent == room.channel.id, "the server gives each game a thread"
        status, again = await ola.do("accept", challenge=asked["challenge"], changes=asked["changes"])
        assert (status, "already taken" in again["line"]) == (403, True)

    async def test_one_is_declined_and_its_challenger_is_told(self, room: Room, ola: AtHome) -> None:
        await room.maksim.command(room.channel, "challenge", opponent=room.ola).answered()
        (asked,) = (await ola.read())["asked"]
        assert await ola.must("decline", challenge=asked["challenge"], sure=False) == {"line": "Done."}
        assert (await ola.read())["asked"] == []
        await room.discord.until(
            lambda: any("declined" in each.content for each in room.discord.messages(room.channel))
        )

    async def test_an_own_one_is_withdrawn(self, room: Room, ola: AtHome) -> None:
        await room.challenge()
        (offered,) = (await ola.read())["offered"]
        assert (offered["accept"], offered["decline"]) == (None, "Withdraw")
        await ola.must("decline", challenge=offered["challenge"], sure=False)
        assert (await ola.read())["offered"] == []

    async def test_a_ladder_game_is_declined_after_a_question(self, room: Room, ola: AtHome) -> None:
        await skip_confirmations(room)
        room.discord.allow(room.channel, Permission.MANAGE_MESSAGES, room.ola)
        await private_words(room.ola.command(room.channel, "ladder create"))
        for person in (room.ola, room.kasia):
            await private_words(person.command(room.channel, "ladder join"))
        await room.kasia.command(room.channel, "ladder challenge", opponent=room.ola).answered()
        (asked,) = (await ola.read())["asked"]
        question = await ola.must("decline", challenge=asked["challenge"], sure=False)
        assert "costs you place 1" in question["ask"]
        assert question["sure"] == "Decline and lose the place"
        assert len((await ola.read())["asked"]) == 1
        await ola.must("decline", challenge=asked["challenge"], sure=True)
        assert (await ola.read())["asked"] == []

    async def test_those_of_others_are_neither_accepted_nor_declined(self, room: Room, ola: AtHome) -> None:
        await room.maksim.command(room.channel, "challenge", opponent=room.kasia).answered()
        assert (await ola.do("decline", challenge=1, sure=True))[0] == 403
        assert (await ola.do("accept", challenge=1, changes=0))[0] == 403
        assert (await ola.do("accept", challenge=99, changes=0))[0] == 403

    async def test_one_in_a_channel_that_was_closed_is_not_accepted(self, room: Room, visit: Visits) -> None:
        kasia = await AtHome.enter(room, room.kasia, visit())
        await room.maksim.command(room.channel, "challenge", opponent=room.kasia).answered()
        close_to_members(room, room.channel)
        status, answer = await kasia.do("accept", challenge=1, changes=0)
        assert (status, answer["line"][:32]) == (403, "This challenge no longer exists.")

    async def test_one_is_not_accepted_in_a_time_out(self, room: Room, visit: Visits) -> None:
        kasia = await AtHome.enter(room, room.kasia, visit())
        await room.maksim.command(room.channel, "challenge", opponent=room.kasia).answered()
        await silence(room, room.kasia)
        status, answer = await kasia.do("accept", challenge=1, changes=0)
        assert (status, answer["line"][:40]) == (403, "A moderator has put you in time-out on t")
        room.discord.time_out(room.kasia, 0)
        await room.pass_time(MINUTE)
        assert (await kasia.must("accept", challenge=1, changes=0))["match"] == 1

    async def test_terms_are_those_of_the_panel_and_a_challenge_is_posted_once(self, room: Room, visit: Visits) -> None:
        home = await AtHome.launch(room, room.ola, room.channel, visit())
        draft = await home.must("draft", code=None, field="", values=[])
        assert {"rules", "size", "clock", "order", "agreed"} <= {each["field"] for each in draft["menus"]}
        chosen = {menu["field"]: one["label"] for menu in draft["menus"] for one in menu["choices"] if one["chosen"]}
        assert chosen["rules"] == "Zagram"  # the label above says what it is
        assert not [label for label in chosen.values() if ":" in label]
        assert [each["name"] for each in draft["venues"]] == ["#dots"]
        draft = await home.must("draft", code=draft["code"], field="size", values=["13x13"])
        draft = await home.must("draft", code=draft["code"], field="clock", values=["2d"])
        draft = await home.must("draft", code=draft["code"], field="agreed", values=["weekends"])
        draft = await home.must("draft", code=draft["code"], field="rated", values=[])
        assert draft["rated"] is True
        message = {"code": draft["code"], "channel": str(room.channel.id), "id": "a-key-of-the-page"}
        first, again = await home.must("offer", **message), await home.must("offer", **message)
        assert first == again
        challenge = await room.use_cases.challenges.load(ChallengeId(1))
        assert challenge.terms.game.options["size"] == "13x13"
        assert (str(challenge.terms.control), challenge.terms.agreement.weekends) == ("2d", True)
        assert first["url"].endswith(f"/{room.channel.id}/{challenge.message}")
        assert len(await room.use_cases.challenges.list_open(challenger=UserId(room.ola.id))) == 1

    async def test_no_challenge_is_posted_where_one_may_not_write(self, room: Room, visit: Visits) -> None:
        kasia = await AtHome.enter(room, room.kasia, visit())
        code = (await kasia.must("draft", code=None, field="", values=[]))["code"]
        closed = room.discord.open_channel("closed")
        close_to_members(room, closed)
        mute = room.discord.open_channel("mute")
        room.discord.world.overwrite(mute, room.discord.guild.id, allow=Permission(0), deny=Permission.SEND_MESSAGES)
        speechless = room.discord.open_channel("speechless")
        room.discord.deny(speechless, Permission.ATTACH_FILES)
        for channel in (closed.id, mute.id, speechless.id, room.kasia.open_dm().id, 77):
            status, answer = await kasia.do("offer", code=code, channel=str(channel))
            assert (status, answer["line"][:44]) == (403, "You can't begin a game in that channel: Disc"), channel
        assert await room.use_cases.challenges.list_open(challenger=UserId(room.kasia.id)) == []

    async def test_no_challenge_is_posted_while_the_bot_is_timed_out(self, room: Room, visit: Visits) -> None:
        kasia = await AtHome.enter(room, room.kasia, visit())
        code = (await kasia.must("draft", code=None, field="", values=[]))["code"]
        silence_bot(room, hours=1)
        status, answer = await kasia.do("offer", code=code, channel=str(room.channel.id))
        assert (status, answer["line"][:53]) == (403, "A moderator has put me in time-out on this server unt")
        assert "<t:" not in answer["line"]

    async def test_rules_of_a_server_count(self, room: Room, visit: Visits) -> None:
        home = await AtHome.launch(room, room.ola, room.general, visit())
        code = (await home.must("draft", code=None, field="", values=[]))["code"]
        async with room.services.store.write() as tx:
            settings = await tx.servers.get(GuildId(room.discord.guild.id))
            await tx.servers.save(replace(settings, channels=frozenset({ChannelId(room.channel.id)})))
        assert (await home.must("draft", code=None, field="", values=[]))["venues"] == []
        assert (await home.do("offer", code=code, channel=str(room.general.id)))[0] == 403
        assert "url" in await home.must("offer", code=code, channel=str(room.channel.id))


class TestComputer:
    """Games against the computer."""

    async def test_one_that_is_begun_in_the_thread_of_another_game_gets_its_own(
        self, room: Room, visit: Visits
    ) -> None:
        home = await AtHome.launch(room, room.kasia, room.channel, visit())
        thread = await room.start_match(clock="3d")
        assert home.told is not None
        home.told["here"] = str(thread.id)
        draft = await home.must("draft", code=None, field="", values=[])
        assert [each["name"] for each in draft["venues"]] == ["#dots"]
        match = await load(room, (await home.must("computer", level=None))["match"])
        assert (match.channel != thread.id, match.parent) == (True, room.channel.id)

    async def test_the_first_game_begins_where_the_activity_is_and_only_once(self, room: Room, visit: Visits) -> None:
        home = await AtHome.launch(room, room.kasia, room.channel, visit())
        first, again = await home.must("computer", level=None), await home.must("computer", level=None)
        assert first == again
        match = await load(room, first["match"])
        assert (match.players[0], match.parent, match.game.options["size"]) == (room.kasia.id, room.channel.id, "9x9")
        told = await home.read()
        assert told["first"] is None
        assert [each["match"] for each in told["games"]] == [match.id]

    async def test_in_a_browser_it_is_played_by_direct_message(self, room: Room, ola: AtHome) -> None:
        match = await load(room, (await ola.must("computer", level=None))["match"])
        assert (match.guild, match.channel) == (None, room.ola.open_dm().id)

    async def test_a_level_is_played_on_the_usual_terms(self, room: Room, visit: Visits) -> None:
        home = await AtHome.launch(room, room.ola, room.channel, visit())
        key = "a-key-of-the-page"
        first, again = await home.must("computer", level=7, id=key), await home.must("computer", level=7, id=key)
        assert first == again
        challenge = await room.use_cases.challenges.load(ChallengeId(1))
        assert (challenge.terms.level, challenge.terms.game.options["size"], challenge.terms.rated) == (
            7,
            "20x20",
            False,
        )
        for level in (0, 15, "7", 1.5, True):
            assert (await home.do("computer", level=level))[0] == 400

    async def test_where_one_may_not_play_it_is_played_by_direct_message(self, room: Room, visit: Visits) -> None:
        room.discord.deny(room.general, Permission.ATTACH_FILES)
        home = await AtHome.launch(room, room.ola, room.general, visit())
        match = await load(room, (await home.must("computer", level=None))["match"])
        assert match.guild is None

    async def test_closed_direct_messages_are_told_with_a_way_out(self, room: Room, ola: AtHome) -> None:
        room.ola.close_dms()
        status, answer = await ola.do("computer", level=None)
        assert (status, answer["line"][:52]) == (403, "Discord doesn't let me send you direct messages. All")
        assert (await ola.read())["games"] == []

    async def test_without_a_computer_there_is_no_button(self, room: Room, visit: Visits) -> None:
        room.thinkers = None
        await room.restart()
        async with mount_site(room.discord, room.bot.website):
            home = await AtHome.enter(room, room.ola, visit())
            told = await home.read()
            assert (told["levels"], told["first"]) == ([], None)
            assert (await home.do("computer", level=None))[0] == 403


class TestAround:
    """Challenges and games in the servers of a player."""

    async def test_open_challenges_and_games_of_others_are_shown(self, room: Room, visit: Visits) -> None:
        await room.maksim.command(room.channel, "challenge", size="9x9").answered()
        await begin_games(room, room.maksim, room.kasia, 1)
        home = await AtHome.launch(room, room.ola, room.general, visit())
        (server,) = (await home.must("around"))["servers"]
        assert server["server"] == room.discord.guild.name
        assert [each["title"] for each in server["challenges"]] == ["Максим wants to play"]
        (game,) = server["games"]
        assert (game["title"], game["watchers"]) == ("Максим – Kasia Wiśniewska", None)
        answer = await home.must("watch", match=game["match"])
        assert home.told is not None
        board = await home.visit.live_by_token(home.told, match=str(answer["match"]))
        assert (await board.read())["view"]["you"] is None
        assert room.bot.website is not None
        await room.bot.website.hub.note_watchers()
        (server,) = (await home.must("around"))["servers"]
        assert server["games"][0]["watchers"] == "1 person is watching"

    async def test_what_one_does_not_see_in_discord_is_neither_shown_nor_opened(
        self, room: Room, visit: Visits, thread: Channel
    ) -> None:
        await room.ola.command(room.channel, "challenge", size="9x9").answered()
        home = await AtHome.launch(room, room.kasia, room.general, visit())
        assert await goings_on(home) == ["Ola wants to play", "Ola – Максим"]
        await room.use_cases.blocks.block(UserId(room.ola.id), UserId(room.kasia.id), room.clock())
        assert await goings_on(home) == []
        assert (await home.do("watch", match=1))[0] == 403
        await room.use_cases.blocks.unblock(UserId(room.ola.id), UserId(room.kasia.id))
        close_to_members(room, room.channel)
        room.clock.advance(61_000)
        assert await goings_on(home) == []
        assert (await home.do("watch", match=1))[0] == 404
        assert (await home.do("watch", match=99))[0] == 404

    async def test_what_goes_on_in_a_private_thread_is_for_those_who_are_in_it(self, room: Room, visit: Visits) -> None:
        thread = room.ola.open_thread(room.channel, "Secret", private=True)
        room.discord.world.join(thread, [room.discord.bot.id, room.maksim.id])
        await room.ola.command(thread, "challenge", opponent=room.maksim, size="9x9").answered()
        await room.maksim.click(room.discord.messages(thread)[-1], "Accept").followed()
        await room.wait_for_board(thread, 0)
        await room.ola.command(thread, "challenge", size="9x9").answered()
        outside = await AtHome.launch(room, room.kasia, room.general, visit())
        assert await goings_on(outside) == []
        assert (await outside.do("watch", match=1))[0] == 404
        assert (await outside.do("accept", challenge=2, changes=0))[0] == 403
        friend = room.discord.invite("Zofia")
        room.discord.add_to_thread(thread, friend)
        inside = await AtHome.launch(room, friend, room.general, visit())
        (server,) = (await inside.must("around"))["servers"]
        assert (len(server["challenges"]), len(server["games"])) == (1, 1)
        assert await inside.must("watch", match=1) == {"match": 1}

    async def test_an_own_game_and_one_that_is_over_are_not_to_watch(self, room: Room, visit: Visits) -> None:
        match = await store_game(room, room.channel, GAME, ("E5", "E6"))
        home = await AtHome.launch(room, room.kasia, room.general, visit())
        assert await goings_on(home) == []
        assert (await home.do("watch", match=match.id))[0] == 404


async def goings_on(home: AtHome) -> list[str]:
    """Returns the challenges and games that are shown of servers around."""
    servers = (await home.must("around"))["servers"]
    return [each["title"] for server in servers for each in (*server["challenges"], *server["games"])]


class TestMessages:
    """Messages of a page."""

    async def test_what_is_no_message_is_refused(self, room: Room, ola: AtHome) -> None:
        messages: list[object] = [
            *([], None, {"do": 7}, {"do": "fly"}, {"do": "accept"}, {"do": "computer", "level": None}),
            *({"do": "accept", "challenge": -1, "changes": 0}, {"do": "accept", "challenge": "1", "changes": 0}),
            *({"do": "decline", "challenge": 1}, {"do": "watch", "match": 2**40}, {"do": "set", "field": "theme"}),
            {"do": "offer", "id": "a-key-of-a-page", "code": "x" * 121, "channel": "1"},
            {"do": "offer", "id": "a-key-of-a-page", "code": "made-up", "channel": None},
            {"do": "draft", "code": "made up", "field": "", "values": []},
            {"do": "draft", "code": None, "field": "size", "values": "9x9"},
            {"do": "draft", "code": None, "field": "size", "values": ["900x900"]},
            {"do": "draft", "code": None, "field": "size", "values": []},
            {"do": "draft", "code": None, "field": "level", "values": ["3x"]},
            {"do": "draft", "code": None, "field": "rules", "values": ["made-up"]},
            {"do": "draft", "code": None, "field": "size", "values": ["9x9"] * 13},
            *({"do": "join", "kind": kind, "server": "1", "number": 1} for kind in ("vote", "prediction", "club", 7)),
            *({"do": "join", "kind": "league", "server": guild, "number": 1} for guild in (None, 7, "x", "9" * 20)),
            {"do": "join", "kind": "tournament", "server": "1", "number": -1},
        ]
        for message in messages:
            assert (await ola.visit.post("/home/do", message))[0] == 400, message

    async def test_pages_of_other_origins_do_nothing(self, room: Room, ola: AtHome) -> None:
        for origin in ("https://evil.example", "null", ""):
            ola.visit.origin = origin
            assert (await ola.visit.post("/home/do", {"do": "around"}))[0] == 403

    async def test_a_frame_has_no_cookie_and_needs_its_token(self, room: Room, visit: Visits, ola: AtHome) -> None:
        ola.visit.origin = "null"
        for path in ("/activity/home", "/activity/home/do"):
            assert (await ola.visit.post(path, {"token": "made-up", "do": "around"}))[0] == 401
            assert (await ola.visit.post(path, {"do": "around"}))[0] == 400
        home = await AtHome.launch(room, room.ola, room.general, visit())
        assert home.told is not None
        body = {"token": home.told["token"], "do": "around"}
        for here in ("x", 7, "9" * 20):
            assert (await home.visit.post("/activity/home/do", {**body, "here": here}))[0] == 400
        home.visit.origin = "https://evil.example"
        assert (await home.visit.post("/activity/home", body))[0] == 403
