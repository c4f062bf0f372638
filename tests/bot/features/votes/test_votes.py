"""A server plays by votes: a manager begins, members vote by all the usual ways, and the count is played."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import partial
from zoneinfo import ZoneInfo

import pytest

from loopback import Message, Permission
from loopback.model import EventStatus
from play.challenge.terms import Terms
from play.clock import parse_control
from play.community.happening import MIN_AHEAD_MILLIS
from play.ids import ChannelId, GuildId, MatchId, UserId
from play.votes import closing
from rules.registry import make_game
from tests.bot import forging
from tests.bot.features.competitions.tournaments.test_scheduled_events import switch_events
from tests.bot.features.home.test_home import close_to_members
from tests.bot.features.match.entering import reply_to
from tests.bot.panels import confirm
from tests.bot.room import Room, private_file, private_message, private_words
from tests.bot.vote_games import begin_votes, begin_votes_at_once, count_votes, switch_threads, vote
from tests.bot.waiting import panel
from tests.clock import DAY
from tests.opponent.quick import Inside


def shown(room: Room, message: Message) -> Message:
    """Returns a message as it is now."""
    now = room.discord.message(message)
    assert now is not None
    return now


async def test_a_server_votes_and_the_count_is_played(room: Room) -> None:
    board = await begin_votes(room)
    assert "**Kropka try\\-out** votes on move 1 until" in board.content
    assert "0 votes so far" in board.content
    told = await vote(room.ola, room.channel, "e5")
    assert "Your vote: **E5**" in told
    assert "1 vote so far:" in told
    assert await room.version() == 0
    await vote(room.kasia, room.channel, "f6")
    assert "**F6**" in await vote(room.ola, room.channel, "f6")
    await count_votes(room)
    played = await room.wait_for_board(room.channel, 1)
    assert "played **F6**" in played.content
    assert "2 votes of 2 were for F6." in played.content


async def test_no_message_mentions_the_account_of_a_side(room: Room) -> None:
    board = await begin_votes(room)
    await vote(room.ola, room.channel, "e5")
    await vote(room.kasia, room.channel, "e5")
    await count_votes(room)
    await room.wait_for_board(room.channel, 1)
    match = await room.use_cases.matches.load(MatchId(1))
    side = next(str(-player) for player in match.players if player < 0)
    assert side not in "".join(map(str, room.discord.messages(room.channel)))
    assert board.mentions == ()


async def test_the_keypad_leads_to_a_vote(room: Room) -> None:
    board = await begin_votes(room)
    keypad = await panel(room.kasia.click(board, board.labels[0]))
    voted = await room.kasia.click(keypad, "12").followed()
    assert "Your vote:" in voted.text
    assert "1 vote so far" in (voted.attachments[0].description or "")
    assert await room.version() == 0


async def test_a_reply_is_a_vote_and_gets_a_reaction(room: Room) -> None:
    await begin_votes(room)
    said = room.kasia.say(room.channel, f"{room.discord.bot.mention} e5")
    await room.discord.until(lambda: shown(room, said).reactions)
    assert "1 vote so far" in await vote(room.kasia, room.channel, "e5")
    assert await room.version() == 0


async def test_a_vote_that_may_as_well_be_a_time_is_shown_to_its_voter_first(room: Room) -> None:
    await begin_votes(room)
    said = room.kasia.say(room.channel, f"{room.discord.bot.mention} 5:06")
    assert not shown(room, said).reactions
    asked = await reply_to(room, room.kasia.say(room.channel, f"{room.discord.bot.mention} 5:6"), room.channel)
    assert "**E6** isn't played yet" in asked.content
    voted = await room.kasia.click(asked, "Vote: Play E6").followed()
    assert "Your vote:" in voted.text
    assert await room.version() == 0


async def test_the_opponent_plays_as_ever_and_does_not_vote(room: Room) -> None:
    await begin_votes(room)
    assert "It's Kropka try\\-out's turn." in await vote(room.maksim, room.channel, "e5")
    await vote(room.ola, room.channel, "e5")
    await vote(room.kasia, room.channel, "e5")
    await count_votes(room)
    board = await room.wait_for_board(room.channel, 1)
    assert f"<@{room.maksim.id}>, your turn" in board.content
    await room.change_settings(room.maksim, confirm_days=False)
    await room.maksim.command(room.channel, "move", point="a1").answered()
    board = await room.wait_for_board(room.channel, 2)
    assert "votes on move 3" in board.content


async def test_one_who_came_too_late_is_told_so(room: Room) -> None:
    await begin_votes(room)
    zosia = room.discord.invite("Zosia")
    assert "joined the server before this began" in await vote(zosia, room.channel, "e5")


async def test_one_whose_account_is_new_is_told_so(room: Room) -> None:
    await room.pass_time(8 * DAY)
    zosia = room.discord.invite("Zosia")
    await room.pass_time(DAY)
    await begin_votes_at_once(room)
    assert "7 days" in await vote(zosia, room.channel, "e5")


async def test_a_manager_closes_a_vote_that_has_a_quorum(room: Room) -> None:
    await begin_votes(room)
    await vote(room.ola, room.channel, "e5")
    assert "Manage Server" in await private_words(room.kasia.command(room.channel, "vote close"))
    early = await confirm(room.ola, room.ola.command(room.channel, "vote close"), "Yes, close now")
    assert "Votes: 1, needed: 2" in early
    await vote(room.kasia, room.channel, "e5")
    closed = await confirm(room.ola, room.ola.command(room.channel, "vote close"), "Yes, close now")
    assert "The vote is closed." in closed
    assert "played **E5**" in (await room.wait_for_board(room.channel, 1)).content
    again = await confirm(room.ola, room.ola.command(room.channel, "vote close"), "Yes, close now")
    assert "turn" in again


async def test_all_members_vote_when_the_role_that_voted_is_deleted(room: Room) -> None:
    async with room.services.store.write() as tx:
        settings = await tx.servers.get(GuildId(room.discord.guild.id))
        await tx.servers.save(replace(settings, log_channel=ChannelId(room.general.id)))
    role = room.discord.make_role("Dots fans")
    room.kasia.add_role(role.id)
    board = await begin_votes(room, role=role)
    assert "Only members of the server or role" in await vote(room.ola, room.channel, "e5")
    room.discord.delete_role(role)
    told = "The role that voted was deleted, so all members vote now."
    await room.discord.until(lambda: told in shown(room, board).content)
    assert "Your vote: **E5**" in await vote(room.ola, room.channel, "e5")
    logged = "The role that voted in game 1 was deleted. All members vote now."
    await room.discord.until(lambda: any(logged in each.content for each in room.discord.messages(room.general)))


async def test_a_role_that_nobody_has_begins_no_vote_unless_discord_does_not_say_so(room: Room) -> None:
    await room.pass_time(8 * DAY)
    role = room.discord.make_role("Dots fans")
    options = {"opponent": room.maksim, "role": role, "time": "1h"}
    refused = await private_words(room.ola.command(room.channel, "vote begin", **options))
    assert f"Nobody has the role <@&{role.id}>" in refused
    room.discord.fault("GET", "/guilds/{guild_id}/roles/member-counts", 403, code=50013)
    asked = await private_message(room.ola.command(room.channel, "vote begin", **options))
    await room.ola.click(asked, "Ask them").followed()


async def test_one_without_the_role_is_told_so(room: Room) -> None:
    role = room.discord.make_role("Dots fans")
    room.kasia.add_role(role.id)
    board = await begin_votes(room, role=role)
    assert "**Dots fans** votes on move 1" in board.content
    assert "1 vote so far" in await vote(room.kasia, room.channel, "e5")
    assert "1 vote so far" not in await vote(room.ola, room.channel, "e5")


async def test_votes_are_hidden_until_ones_own(room: Room) -> None:
    board = await begin_votes(room)
    await vote(room.kasia, room.channel, "e5")
    refused = await private_words(room.ola.click(board, "Votes"))
    assert "E5" not in refused
    await vote(room.ola, room.channel, "f6")
    shown = await panel(room.ola.click(board, "Votes"))
    assert "**E5**: 50% (1 vote)" in shown.text
    assert "**F6**: 50% (1 vote)" in shown.text


async def test_more_offers_what_is_voted_about(room: Room) -> None:
    board = await begin_votes(room)
    menu = await panel(room.kasia.click(board, "More"))
    assert "What you can vote for now:" in menu.text
    assert not {"Take back", "Cancel game", "Plan"} & {*menu.labels}
    asked = await room.kasia.click(menu, "Resign").followed()
    assert "two thirds" in asked.text
    voted = await room.kasia.click(asked, "Vote: Resign").followed()
    assert "Your vote: **resigning**" in voted.text
    menu = await panel(room.ola.click(board, "More"))
    asked = await room.ola.click(menu, "Offer a draw").followed()
    voted = await room.ola.click(asked, "Vote: a draw").followed()
    assert "Your vote: **a draw**" in voted.text
    assert await room.version() == 0


async def test_a_vote_after_the_close_counts_for_nothing(room: Room) -> None:
    board = await begin_votes(room)
    await vote(room.ola, room.channel, "e5")
    await vote(room.kasia, room.channel, "e5")
    keypad = await panel(room.kasia.click(board, board.labels[0]))
    await count_votes(room)
    await room.wait_for_board(room.channel, 1)
    late = await room.kasia.click(keypad, "12").followed()
    assert "Your vote" not in late.text
    assert await room.version() == 1


async def test_the_number_of_votes_is_edited_once_a_minute(room: Room) -> None:
    board = await begin_votes(room)
    for point in ("e5", "e6", "e7", "f5", "f6"):
        await vote(room.kasia, room.channel, point)
    await vote(room.ola, room.channel, "e5")
    await room.discord.until(lambda: "1 vote so far" in shown(room, board).content)
    edits = [each for each in room.discord.requests if each.endpoint.startswith("PATCH") and str(board.id) in each.path]
    assert len(edits) == 1


@pytest.mark.parametrize("status", [403, 404, 429])
async def test_an_edit_that_discord_refuses_costs_nothing(room: Room, status: int) -> None:
    await begin_votes(room)
    room.discord.fault("PATCH", "/channels/{channel_id}/messages/{message_id}", status)
    assert "1 vote so far" in await vote(room.kasia, room.channel, "e5")
    await vote(room.ola, room.channel, "e5")
    await count_votes(room)
    played = await room.wait_for_board(room.channel, 1)
    assert "2 votes of 2 were for E5." in played.content


async def test_a_vote_whose_board_cannot_be_posted_is_counted_and_played(room: Room) -> None:
    await begin_votes(room)
    await vote(room.ola, room.channel, "e5")
    await vote(room.kasia, room.channel, "e5")
    fault = room.discord.fault("POST", "/channels/{channel_id}/messages", 403, code=50013, times=None)
    await count_votes(room)

    async def is_played() -> bool:
        return await room.version() == 1

    await room.until(is_played)
    await room.discord.until(lambda: fault.hits)
    await room.change_settings(room.maksim, confirm_days=False)
    await room.maksim.command(room.channel, "move", point="a1").answered()
    assert await room.version() == 2
    assert "1 vote so far" in await vote(room.kasia, room.channel, "f6")


async def test_an_old_board_shows_the_game_as_it_is_now(room: Room) -> None:
    board = await begin_votes(room)
    keypad = await panel(room.kasia.click(board, board.labels[0]))
    await vote(room.ola, room.channel, "e5")
    await vote(room.kasia, room.channel, "e5")
    await count_votes(room)
    await room.wait_for_board(room.channel, 1)
    old = await room.kasia.click(keypad, "12").followed()
    assert "It's Максим's turn." in old.text
    assert await room.version() == 1


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "forged", ["match:1:0:play:E5", "match:1:0:votes", "match:1:0:sure:draw", "match:1:0:sure:resign"]
)
async def test_a_member_of_another_server_has_no_vote(room: Room, forged: str) -> None:
    zagroda = room.discord.add_server("Zagroda", "Jadwiga", locale="en-US")
    there = room.discord.open_channel("rozgrywki", guild=zagroda)
    await begin_votes(room)
    for person, place in ((room.discord.people["Jadwiga"], there), (room.kasia, room.kasia.open_dm())):
        told = await private_words(forging.click(room, person, place, forged))
        assert "You don't vote in this game." in told
    async with room.services.store.read() as reader:
        (side,) = await reader.votes.of_match(MatchId(1))
        assert await reader.votes.counts(side, 0, await reader.clock.now()) == []


async def test_the_opponent_reads_the_name_of_the_server_everywhere(room: Room) -> None:
    await begin_votes(room)
    assert "Kropka try\\-out" in await private_words(room.maksim.command(room.channel, "games"))
    await vote(room.ola, room.channel, "e5")
    await vote(room.kasia, room.channel, "e5")
    await count_votes(room)
    await room.wait_for_board(room.channel, 1)
    _, sgf = await private_file(room.maksim.command(room.channel, "export game"))
    assert "PB[Kropka try-out]" in sgf.decode() or "PW[Kropka try-out]" in sgf.decode()


async def test_thirty_votes_in_a_second_are_one(room: Room) -> None:
    board = await begin_votes(room)
    keypad = await panel(room.kasia.click(board, board.labels[0]))
    pads = [pad for pad in keypad.labels if pad.isdecimal()][:6]
    pressed = [room.kasia.click(keypad, pads[number % len(pads)]) for number in range(30)]
    for each in pressed:
        await each.answered()
    await room.wait_for_handlers()
    async with room.services.store.read() as reader:
        (side,) = await reader.votes.of_match(MatchId(1))
        counts = await reader.votes.counts(side, 0, await reader.clock.now())
    assert sum(count.votes for count in counts) == 1


async def test_the_list_says_what_one_may_do(room: Room) -> None:
    for command in ("vote resign", "vote close"):
        said = await private_words(room.ola.command(room.channel, command))
        assert "No vote game of this server goes on in this channel." in said
    assert "No vote game is open" in await private_words(room.kasia.command(room.channel, "vote games"))
    await begin_votes(room)
    listed = await private_words(room.kasia.command(room.channel, "vote games"))
    assert "**Kropka try\\-out** – **Максим** (move 1)" in listed
    assert "You can vote; the vote closes" in listed
    assert "if each vote is open to its end: about 10 days." in listed
    await vote(room.kasia, room.channel, "e5")
    assert "Your vote: **E5**" in await private_words(room.kasia.command(room.channel, "vote games"))


async def test_a_manager_resigns_for_the_server(room: Room) -> None:
    await begin_votes(room)
    assert "Manage Server" in await private_words(room.kasia.command(room.channel, "vote resign"))
    ended = await confirm(room.ola, room.ola.command(room.channel, "vote resign"), "Yes, resign")
    assert ended == "The server has resigned."
    board = await room.wait_for_board(room.channel, 1)
    assert "Максим" in board.content
    assert (await room.use_cases.matches.load(MatchId(1))).outcome is not None


async def test_discord_may_still_send_the_earlier_names(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until an operator syncs, and from a client that was open then."""
    for group, now, before in (("vote", "resign", "end"), ("team", "cancel", "withdraw")):
        (known,) = (each for each in room.discord.commands if each["name"] == group)
        (subcommand,) = (each for each in known["options"] if each["name"] == now)
        monkeypatch.setitem(subcommand, "name", before)
    assert "No vote game of this server" in await private_words(room.ola.command(room.channel, "vote end"))
    asked = await private_words(room.ola.command(room.channel, "team withdraw"))
    assert "no such contest" in asked


async def test_the_event_of_a_game_ends_with_the_game(room: Room) -> None:
    async def has_event(status: EventStatus) -> bool:
        room.bot.workers.happenings.wake()
        return [each.status for each in room.discord.scheduled_events] == [status]

    await switch_events(room)
    await begin_votes(room)
    await room.until(partial(has_event, EventStatus.SCHEDULED))
    assert [each.name for each in room.discord.scheduled_events] == ["The server plays together: game #1"]
    await room.pass_time(MIN_AHEAD_MILLIS)
    await confirm(room.ola, room.ola.command(room.channel, "vote resign"), "Yes, resign")
    await room.until(partial(has_event, EventStatus.COMPLETED))


async def test_after_the_game_the_replay_has_the_votes_of_each_turn(room: Room) -> None:
    await begin_votes(room)
    await vote(room.ola, room.channel, "e5")
    await vote(room.kasia, room.channel, "f6")
    assert "1 vote of 2" not in await private_words(room.maksim.command(room.channel, "board"))
    await count_votes(room)
    await room.wait_for_board(room.channel, 1)
    assert "of 2" not in await private_words(room.maksim.command(room.channel, "replay"))
    await confirm(room.ola, room.ola.command(room.channel, "vote resign"), "Yes, resign")
    await room.wait_for_board(room.channel, 2)
    replay = await private_words(room.maksim.command(room.channel, "replay"))
    assert "1 vote of 2 was for E5." in replay
    assert "**F6**: 50% (1 vote)" in replay


async def test_the_computer_plays_against_a_server(room: Room) -> None:
    room.thinkers = Inside
    await room.restart()
    await room.pass_time(8 * DAY)
    given = {"computer": 1, "time": "1h", "quorum": 1}
    await switch_threads(room, on=False)
    asked = await private_message(room.ola.command(room.channel, "vote begin", **given))
    assert "**Kropka try\\-out** against" in asked.text
    await room.ola.click(asked, "Begin the game").followed()
    await room.wait_for_board(room.channel, 0)
    assert "Your vote: **A1**" in await vote(room.kasia, room.channel, "a1")
    await count_votes(room)
    told = await room.wait_for_board(room.channel, 1)  # which tells the reply as well
    assert "**Kropka try\\-out** played **A1**" in told.content
    assert "1 vote of 1 was for A1." in told.content
    assert "votes on move 3" in told.content


async def asked_card(room: Room) -> Message:
    """Has a manager ask Максим; returns the card."""
    asked = await private_message(room.ola.command(room.channel, "vote begin", opponent=room.maksim))
    await room.ola.click(asked, "Ask them").followed()
    return room.discord.messages(room.channel)[-1]


async def test_only_the_member_who_is_asked_answers(room: Room) -> None:
    card = await asked_card(room)
    assert f"<@{room.maksim.id}>" in card.content
    assert "This offer is for one member" in await private_words(room.kasia.click(card, "Accept"))
    assert room.boards(room.channel) == []


async def test_one_who_declines_has_no_game(room: Room) -> None:
    card = await asked_card(room)
    assert "declined" in await private_words(room.maksim.click(card, "Decline"))
    left = shown(room, card)
    assert left.labels == []
    assert "**Максим** declined to play" in left.content


async def test_an_answer_after_three_days_is_too_late(room: Room) -> None:
    card = await asked_card(room)
    await room.pass_time(3 * DAY + 1000)
    assert "expired" in await private_words(room.maksim.click(card, "Accept"))
    left = shown(room, card)
    assert "has expired" in left.content


async def test_other_terms_than_those_that_were_shown_begin_nothing(room: Room) -> None:
    card = await asked_card(room)
    async with room.services.store.write() as tx:
        server = await tx.servers.get(GuildId(room.discord.guild.id))
        await tx.servers.save(replace(server, terms=Terms(make_game("sport", {"size": "9x9"}), parse_control("3d"))))
    assert "rules have changed" in await private_words(room.maksim.click(card, "Accept"))


async def test_a_game_without_a_size_is_short_and_the_question_says_how_long(room: Room) -> None:
    asked = await private_words(room.ola.command(room.channel, "vote begin", opponent=room.maksim))
    assert "13×13" in asked
    assert "Length of the game, if each vote is open to its end: about 35 days." in asked
    large = await private_words(room.ola.command(room.channel, "vote begin", opponent=room.maksim, size="20x20"))
    assert "20×20" in large
    refused = await private_words(room.ola.command(room.channel, "vote begin", opponent=room.maksim, size="big"))
    assert "13×13" not in refused


async def test_only_managers_begin(room: Room) -> None:
    refused = await private_words(room.kasia.command(room.channel, "vote begin", opponent=room.maksim))
    assert "Manage Server" in refused
    room.discord.allow(room.channel, Permission.MANAGE_GUILD, room.kasia)
    both = room.ola.command(room.channel, "vote begin")
    assert "one opponent" in await private_words(both)


async def test_a_vote_in_a_direct_message_is_refused(room: Room) -> None:
    await begin_votes(room)
    assert "Your vote" not in await vote(room.kasia, room.kasia.open_dm(), "e5")


async def test_games_of_a_closed_channel_are_listed_for_those_who_see_it(room: Room) -> None:
    await begin_votes(room)
    close_to_members(room, room.channel, but=[room.ola, room.maksim])
    assert "Максим" in await private_words(room.ola.command(room.general, "vote games"))
    assert "Максим" not in await private_words(room.kasia.command(room.general, "vote games"))


async def test_a_game_has_its_thread_where_the_server_wants_threads(room: Room) -> None:
    await room.pass_time(8 * DAY)
    board = await begin_votes_at_once(room, threads=True)
    thread = room.discord.channel(board.channel_id)
    assert thread.name == "#1 Kropka try-out – Максим · Zagram 20×20"
    assert "**Максим** plays against **Kropka try\\-out**." in room.discord.messages(room.channel)[-1].content
    assert "Your vote" in await vote(room.kasia, thread, "e5")


async def test_members_are_told_of_a_game_against_the_computer_where_its_thread_opens(room: Room) -> None:
    room.thinkers = Inside
    await room.restart()
    await room.pass_time(8 * DAY)
    asked = await private_message(room.ola.command(room.channel, "vote begin", computer=1))
    first, again = room.ola.click(asked, "Begin the game"), room.ola.click(asked, "Begin the game")
    await first.followed()
    await again.followed()
    (call,) = room.discord.messages(room.channel)
    assert "Members vote on each move in the thread below." in call.content
    await room.wait_for_thread(call)
    assert len(room.discord.threads) == 1


async def test_nothing_is_posted_of_a_game_that_cannot_begin(room: Room) -> None:
    room.thinkers = Inside
    await room.restart()
    asked = await private_message(room.ola.command(room.channel, "vote begin", computer=1))
    async with room.services.store.write() as tx:
        server = await tx.servers.get(GuildId(room.discord.guild.id))
        await tx.servers.save(replace(server, terms=Terms(make_game("sport", {"size": "9x9"}), parse_control("3d"))))
    assert "rules have changed" in (await room.ola.click(asked, "Begin the game").followed()).text
    assert room.discord.messages(room.channel) == []


async def test_a_manager_begins_the_same_game_again(room: Room) -> None:
    await begin_votes(room, quorum=4, time="90m", size="9x9")
    await confirm(room.ola, room.ola.command(room.channel, "vote resign"), "Yes, resign")
    board = await room.wait_for_board(room.channel, 1)
    for person in (room.kasia, room.maksim):
        assert "Manage Server" in await private_words(person.click(board, "Rematch"))
    asked = await private_message(room.ola.click(board, "Rematch"))
    assert "9×9" in asked.text
    assert "open for 90 minutes. With fewer than 4 votes" in asked.text
    await room.ola.click(asked, "Ask them").followed()
    card = room.discord.messages(room.channel)[-1]
    await room.maksim.click(card, "Accept").answered()
    await room.wait_for_board(room.channel, 0)
    first, second = [await room.use_cases.matches.load(MatchId(number)) for number in (1, 2)]
    assert first.players[1] == second.players[0] == room.maksim.id
    assert f"against **Максим**, in <#{room.channel.id}>." in asked.text
    assert (second.game.options["size"], second.clock.control) == ("9x9", first.clock.control)


async def test_a_rematch_by_the_command_leads_to_those_who_may_begin_it(room: Room) -> None:
    await begin_votes(room)
    await confirm(room.ola, room.ola.command(room.channel, "vote resign"), "Yes, resign")
    await room.wait_for_board(room.channel, 1)
    for person in (room.kasia, room.maksim, room.ola):
        assert "Manage Server" in await private_words(person.command(room.channel, "rematch"))


async def test_the_question_says_when_votes_do_not_close(room: Room) -> None:
    begin = partial(room.ola.command, room.channel, "vote begin", opponent=room.maksim)
    assert "Votes close at night, too." in await private_words(begin())
    assert "Nights need the time zone of this server" in await private_words(begin(night="22-6"))
    await room.use_cases.homes.settle(
        GuildId(room.discord.guild.id), ChannelId(room.general.id), "Europe/Warsaw", UserId(1)
    )
    asked = await private_words(begin())
    assert "No vote closes at night: 23:00-07:00 in Warsaw." in asked
    assert "about 44 days" in asked
    assert "22:00-06:00" in await private_words(begin(night="22-6"))
    for none in ("none", "нет", "brak"):
        assert "Votes close at night, too." in await private_words(begin(night=none))
    assert "quiet hours aren't valid" in await private_words(begin(night="late"))


async def test_a_vote_begun_with_a_night_closes_in_the_morning(room: Room) -> None:
    await room.pass_time(8 * DAY)
    await room.use_cases.homes.settle(
        GuildId(room.discord.guild.id), ChannelId(room.general.id), "Europe/Warsaw", UserId(1)
    )
    await begin_votes_at_once(room, night="12-24", time="3h")
    match = await room.use_cases.matches.load(MatchId(1))
    (side,) = await room.use_cases.votes.sides_of(match.id)
    hour = datetime.fromtimestamp(closing(match, side) / 1000, ZoneInfo("Europe/Warsaw")).hour
    assert hour < 12


@pytest.mark.parametrize("period", ["59m", "30s", "4d"])
async def test_other_lengths_of_a_vote_are_refused_with_those_that_are_possible(room: Room, period: str) -> None:
    asked = room.ola.command(room.channel, "vote begin", opponent=room.maksim, time=period)
    assert "from one hour to three days" in await private_words(asked)
