"""Predictions on Discord: the board of a final, the private panel, the list, the table, and the line at the end."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.interactions.custom_ids import PREDICT
from loopback import Channel, Message, Permission, Person
from play.community.ban import Ban
from play.community.prediction import windows
from play.ids import ChannelId, GuildId, IdempotencyKey, MatchId, UserId
from play.match.match import Match
from tests.bot import forging
from tests.bot.features.competitions.tournaments.cup import begin_with, is_open, resign_all, wait_for
from tests.bot.features.home.test_home import close_to_members
from tests.bot.features.match.entering import reply_to
from tests.bot.features.settings.test_settings import open_settings
from tests.bot.panels import choose
from tests.bot.room import Room, private_message, private_words
from tests.bot.vote_games import begin_votes, vote
from tests.bot.waiting import skip_confirmations
from tests.clock import NOON

MENU = "Who wins, and by how many dots?"


@pytest.fixture
async def final(room: Room) -> Match:
    """The final of a knock-out that Kasia does not play."""
    await skip_confirmations(room)
    room.discord.allow(room.channel, Permission.MANAGE_MESSAGES, room.ola)
    players = [room.ola, room.maksim, room.discord.invite("Zoe")]
    now = await begin_with(room, players, format="knock-out", size="10x10")
    assert not [pair for pair in now.current_pairings if pair.match and (await load(room, pair.match)).predictable]
    await resign_all(room, now)
    last = await wait_for(room, is_open(2))
    await room.wait_for_outbox()
    (pair,) = last.current_pairings
    assert pair.match is not None
    return await load(room, pair.match)


async def load(room: Room, match: MatchId) -> Match:
    return await room.use_cases.matches.load(match)


def thread_of(room: Room, match: Match) -> Channel:
    (thread,) = (each for each in room.discord.threads if each.id == match.channel)
    return thread


def board(room: Room, match: Match) -> Message:
    return room.boards(thread_of(room, match))[-1]


async def open_panel(room: Room, match: Match, person: Person | None = None) -> Message:
    return await private_message((person or room.kasia).click(board(room, match), "Predict"))


async def play_out(room: Room, match: Match, moves: int) -> Match:
    """Plays moves for both, wherever there is room."""
    for _ in range(moves):
        user, move = match.players[match.position.to_act], str(next(iter(match.position.moves())))
        key = IdempotencyKey(10**7 + match.version)
        match = await room.use_cases.matches.move(match.id, user, move, room.clock(), key)
    await room.wait_for_outbox()
    return match


async def resign(room: Room, match: Match) -> None:
    """Resigns after the first window: an earlier end by word counts nothing."""
    await play_out(room, match, windows(match)[0].closes)
    await room.use_cases.matches.resign(match.id, match.players[1], room.clock(), IdempotencyKey(10**8))


async def test_a_member_predicts_the_final_and_changes_it(room: Room, final: Match) -> None:
    panel = await open_panel(room, final)
    assert "You can predict the result before move 20. Moves so far: 0." in panel.text
    assert "By score and ratings: a draw. Predict the same, and you gain nothing. Each step closer" in panel.text
    panel = await choose(room.kasia, panel, MENU, "2")
    first = await room.services.names.of(final.players[0], final.guild)
    assert f"You predict: **{first} by 5–9**." in panel.text
    panel = await choose(room.kasia, panel, MENU, "0")
    assert "You predict: **a draw**." in panel.text


async def test_an_ordinary_board_has_no_such_button(room: Room) -> None:
    thread = await room.start_match()
    assert "Predict" not in room.boards(thread)[-1].labels


async def test_a_player_of_the_game_does_not_predict_it(room: Room, final: Match) -> None:
    player = next(each for each in (room.ola, room.maksim) if each.id in final.players)
    assert "You play this game, so you can't predict it." in await private_words(
        player.click(board(room, final), "Predict")
    )


async def test_a_banned_member_does_not_predict(room: Room, final: Match) -> None:
    panel = await open_panel(room, final)
    guild = GuildId(room.discord.guild.id)
    await room.use_cases.bans.ban(Ban(guild, UserId(room.kasia.id), UserId(room.ola.id), NOON))
    after = await choose(room.kasia, panel, MENU, "1")
    assert "moderator" in after.text
    async with room.services.store.read() as reader:
        assert await reader.predictions.of_user(final.id, UserId(room.kasia.id)) == []


async def test_a_member_without_a_role_that_may_play_does_not_predict(room: Room, final: Match) -> None:
    role = room.discord.make_role("Players")
    await choose(room.ola, await open_settings(room, room.ola, "server"), "server:roles", role)
    assert f"<@&{role.id}>" in await private_words(room.kasia.click(board(room, final), "Predict"))


async def test_thirty_clicks_are_one_prediction(room: Room, final: Match) -> None:
    panel = await open_panel(room, final)
    clicks = [room.kasia.click(panel, MENU, [str(each % 9 - 4)]) for each in range(30)]
    await asyncio.gather(*(each.answered() for each in clicks))
    await room.wait_for_handlers()
    async with room.services.store.read() as reader:
        assert len(await reader.predictions.of_user(final.id, UserId(room.kasia.id))) == 1


async def test_a_panel_from_a_closed_window_shows_the_next_one(room: Room, final: Match) -> None:
    panel = await open_panel(room, final)
    first, second, *_ = windows(final)
    now = await play_out(room, final, first.closes)
    after = await choose(room.kasia, panel, MENU, "1")
    assert "The game has moved on" in after.text
    assert f"Predictions open again at move {second.opens}." in after.text
    assert "Predict" not in board(room, now).labels
    now = await play_out(room, now, second.opens - first.closes)
    assert f"before move {second.closes}" in (await open_panel(room, now)).text


async def test_what_others_say_is_shown_once_the_window_is_closed(room: Room, final: Match) -> None:
    other = room.discord.invite("Eva")
    await choose(other, await open_panel(room, final, other), MENU, "-4")
    panel = await choose(room.kasia, await open_panel(room, final), MENU, "-4")
    assert "×" not in panel.text
    await play_out(room, final, windows(final)[1].opens)
    second = await room.services.names.of(final.players[1], final.guild)
    text = (await open_panel(room, await load(room, final.id))).text
    assert f"**Before move 20:** {second} by 20 or more ×2" in text
    assert f"You predicted: {second} by 20 or more" in text


async def test_the_best_prediction_is_told_in_the_thread_and_listed(room: Room, final: Match) -> None:
    assert "Nobody has points yet." in await private_words(room.kasia.command(room.channel, "predict table"))
    await choose(room.kasia, await open_panel(room, final), MENU, "1")
    await resign(room, final)
    thread = thread_of(room, final)
    told = await room.discord.until(
        lambda: next((each for each in room.discord.messages(thread) if "🔮" in each.content), None)
    )
    assert told.content == "🔮 Kasia Wiśniewska predicted this game best: 8 points."
    assert told.mentions == ()
    table = await private_message(room.kasia.command(room.channel, "predict table"))
    assert "➤ 🥇 **Kasia Wiśniewska** 8 · 1 of 1 right" in table.text
    (picture,) = table.attachments
    assert str(picture.description).endswith(": the same lines as in the message.")
    past = await room.kasia.click(table, table.labels[0]).followed()
    assert "Nobody has points yet." in past.text
    assert "8 points, place 1 here" in await private_words(
        room.kasia.command(room.channel, "profile", player=room.kasia)
    )


async def test_the_list_leads_to_the_panel(room: Room, final: Match) -> None:
    listed = await private_message(room.kasia.command(room.general, "predict games"))
    assert f"<#{final.channel}>" in listed.text
    assert MENU in str((await room.kasia.click(listed, "Predict").followed()).components)
    await resign(room, final)
    assert "There's nothing for you to predict here right now." in await private_words(
        room.kasia.command(room.general, "predict games")
    )


async def test_a_private_thread_is_predicted_by_those_in_it(room: Room, final: Match) -> None:
    hidden = room.ola.open_thread(room.channel, "secret", private=True)
    async with room.services.store.write() as tx:
        await tx.matches.move_out_of_thread(final.id, ChannelId(hidden.id))
    assert "There's nothing for you to predict here right now." in await private_words(
        room.kasia.command(room.general, "predict games")
    )


async def test_in_a_direct_message_nothing_is_predicted(room: Room, final: Match) -> None:
    panel = await open_panel(room, final)
    dm = room.kasia.open_dm()
    copy = replace(panel, id=room.discord.world.ids.next(), channel_id=dm.id)
    room.discord.world.messages[copy.id] = copy
    assert "server" in (await choose(room.kasia, copy, MENU, "1")).text
    async with room.services.store.read() as reader:
        assert await reader.predictions.of_user(final.id, UserId(room.kasia.id)) == []


async def test_predictions_outlast_a_restart(room: Room, final: Match) -> None:
    panel = await choose(room.kasia, await open_panel(room, final), MENU, "1")
    await room.restart()
    after = await choose(room.kasia, panel, MENU, "-1")
    assert "You predict" in after.text


async def test_a_vote_game_is_predicted_by_those_who_neither_vote_nor_manage_the_server(room: Room) -> None:
    board = await begin_votes(room)
    await vote(room.kasia, room.channel, "e5")
    assert "You vote in this game, so you can't predict it." in await private_words(room.kasia.click(board, "Predict"))
    room.discord.allow(room.channel, Permission.MANAGE_GUILD, room.ola)
    assert "You manage this server" in await private_words(room.ola.click(board, "Predict"))
    other = room.discord.invite("Eva")
    panel = await choose(other, await private_message(other.click(board, "Predict")), MENU, "2")
    assert "You predict: **Kropka try\\-out by 5–9**." in panel.text
    match = await load(room, MatchId(1))
    assert not [part for part in map(str, panel.components) if str(-min(match.players)) in part]


async def test_a_member_who_has_predicted_is_asked_before_their_vote_ends_that(room: Room) -> None:
    board = await begin_votes(room)
    panel = await choose(room.kasia, await private_message(room.kasia.click(board, "Predict")), MENU, "2")
    assert "If you vote in this game, your prediction doesn't count." in panel.text
    said = room.kasia.say(room.channel, f"{room.discord.bot.mention} e5")
    assert "use **Keypad** below its board" in (await reply_to(room, said, room.channel)).content
    asked = await private_message(room.kasia.command(room.channel, "move", point="e5"))
    assert "Vote, and end your prediction?" in asked.text
    assert "You predict" in await private_words(room.kasia.click(board, "Predict"))
    voted = await room.kasia.click(asked, "Vote all the same").followed()
    assert "Your vote: **E5**" in voted.text
    assert "You vote in this game, so you can't predict it." in await private_words(room.kasia.click(board, "Predict"))
    assert "Your vote: **F6**" in await vote(room.kasia, room.channel, "f6")


async def test_the_final_in_a_closed_channel_is_listed_for_those_who_see_it(room: Room, final: Match) -> None:
    """Nor does another member open it by a button that was made up."""
    zofia = room.discord.invite("Zofia")
    close_to_members(room, room.channel, but=[room.ola, room.maksim, room.kasia])
    assert f"<#{final.channel}>" in await private_words(room.kasia.command(room.general, "predict games"))
    assert f"<#{final.channel}>" not in await private_words(zofia.command(room.general, "predict games"))
    forged = forging.click(room, zofia, room.general, str(PREDICT(match=final.id, version=final.version)))
    assert "This game no longer exists." in await private_words(forged)
