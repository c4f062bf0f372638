"""Challenges whose cards are gone, whose challengers have left, or that moderators don't want."""

from __future__ import annotations

from dataclasses import replace

import pytest

from loopback import Message, Permission, Person
from play.challenge.challenge import ChallengeState
from play.ids import ChallengeId, ChannelId, GuildId, UserId
from play.refusal import Refused
from tests.bot.panels import wait_for_card
from tests.bot.room import Room, private_message, private_words


async def wait_for_state(room: Room, state: ChallengeState, number: int = 1) -> None:
    """Returns when a challenge has this state. Raises TimeoutError."""

    async def reached() -> bool:
        return (await room.use_cases.challenges.load(ChallengeId(number))).state is state

    await room.until(reached)


async def lose_card(room: Room) -> Message:
    """Returns the card of a challenge by Ola, of which the bot does not hear that it is deleted."""
    card = await room.challenge()
    room.discord.discard_message(card)
    return card


async def test_a_challenge_whose_card_is_deleted_ends(room: Room) -> None:
    room.discord.delete_message(await room.challenge())
    await wait_for_state(room, ChallengeState.WITHDRAWN)


async def test_challenges_whose_cards_are_deleted_by_the_dozen_end(room: Room) -> None:
    room.discord.purge(await room.challenge(), await room.challenge(opponent=room.maksim))
    await wait_for_state(room, ChallengeState.WITHDRAWN)
    await wait_for_state(room, ChallengeState.WITHDRAWN, 2)


async def test_a_game_goes_on_without_the_card_from_which_it_began(room: Room) -> None:
    thread = await room.start_match()
    room.discord.delete_message(thread.id)
    await room.play(thread, "c3")
    assert (await room.use_cases.challenges.load(ChallengeId(1))).state is ChallengeState.ACCEPTED


async def test_a_card_that_is_found_missing_ends_its_challenge(room: Room) -> None:
    await lose_card(room)
    async with room.services.store.write() as tx:
        challenge = await tx.challenges.get(ChallengeId(1))
        assert challenge is not None
    await room.bot.publishers.cards.redraw(challenge)
    await wait_for_state(room, ChallengeState.WITHDRAWN)


async def test_a_moderator_withdraws_any_challenge_by_its_card(room: Room) -> None:
    open_to_all, personal = await room.challenge(), await room.challenge(opponent=room.maksim)
    assert "only Ola or a moderator can withdraw it" in await private_words(room.kasia.click(open_to_all, "Withdraw"))
    room.make_moderator(room.kasia)
    for number, card in enumerate((open_to_all, personal), start=1):
        await room.kasia.click(card, "Withdraw" if card is open_to_all else "Decline").followed()
        await wait_for_state(room, ChallengeState.WITHDRAWN, number)
    told = [each for each in room.discord.messages(room.channel) if each.reference]
    assert [each.content for each in told] == [f"{room.ola.mention}, a moderator withdrew your challenge."] * 2


async def test_nobody_plays_a_challenger_who_has_left_the_server(room: Room) -> None:
    card = await room.challenge()
    room.ola.leave()
    said = await private_words(room.maksim.click(card, "Accept"))
    assert "has left the server" in said
    await wait_for_state(room, ChallengeState.WITHDRAWN)


async def test_a_challenge_is_accepted_while_discord_does_not_say_who_has_left(room: Room) -> None:
    card = await room.challenge()
    room.discord.fault("GET", "/guilds/{guild_id}/members/{user_id}", 403, times=9, code=50001)
    await room.maksim.click(card, "Accept").followed()
    await wait_for_state(room, ChallengeState.ACCEPTED)


async def open_games(room: Room, person: Person) -> Message:
    """Returns the panel of `/games`, asked for in another channel."""
    return await private_message(person.command(room.general, "games"))


async def test_games_lists_own_open_challenges_whose_cards_are_gone(room: Room) -> None:
    await lose_card(room)
    await room.challenge(opponent=room.maksim)
    panel = await open_games(room, room.ola)
    assert "You have **2** open challenges" in panel.text
    assert "To Максим, 5×5" in panel.text
    assert panel.labels == ["Withdraw", "Withdraw"]
    after = await room.ola.click(panel, "games:withdraw:1").followed()
    assert "Your challenge is withdrawn" in after.text
    assert after.labels == ["Withdraw"]
    await wait_for_state(room, ChallengeState.WITHDRAWN)


async def test_a_card_says_that_its_challenge_was_withdrawn_elsewhere(room: Room) -> None:
    card = await room.challenge()
    await room.ola.click(await open_games(room, room.ola), "Withdraw").followed()
    assert (await wait_for_card(room, card, "Withdrawn")).labels == []


async def test_games_lists_no_challenge_of_others(room: Room) -> None:
    await room.challenge(opponent=room.maksim)
    assert "open challenge" not in (await open_games(room, room.maksim)).text
    assert (await open_games(room, room.maksim)).labels == []


async def test_a_second_click_says_what_became_of_the_challenge(room: Room) -> None:
    card = await room.challenge()
    panel = await open_games(room, room.ola)
    await room.maksim.click(card, "Accept").followed()
    after = await room.ola.click(panel, "Withdraw").followed()
    assert "already taken" in after.text
    assert after.labels == []
    await wait_for_state(room, ChallengeState.ACCEPTED)


async def test_after_a_restart_the_panel_withdraws_still(room: Room) -> None:
    await room.challenge()
    panel = await open_games(room, room.ola)
    await room.restart()
    await room.ola.click(panel, "Withdraw").followed()
    await wait_for_state(room, ChallengeState.WITHDRAWN)


async def test_the_refusal_of_one_challenge_too_many_leads_to_the_list(room: Room) -> None:
    for _ in range(10):
        room.clock.advance(60_000)
        await room.challenge()
    said = await private_words(room.ola.command(room.channel, "challenge", size="5x5"))
    assert "Withdraw one with `/games`" in said
    assert len((await open_games(room, room.ola)).labels) == 10


async def choices(room: Room, person: Person, typed: str = "") -> dict[str, int]:
    """Returns the challenges that a moderator is offered in the channel, by their names."""
    found = await person.complete(room.channel, "moderate withdraw-challenge", focused="which", which=typed)
    return {each["name"]: each["value"] for each in found}


async def test_a_moderator_withdraws_a_challenge_whose_card_is_gone(room: Room) -> None:
    room.make_moderator(room.kasia)
    await lose_card(room)
    await room.challenge(opponent=room.maksim)
    assert await choices(room, room.kasia) == {"Ola to Максим, 5×5": 2, "Ola to anyone, 5×5": 1}
    assert await choices(room, room.kasia, "anyone") == {"Ola to anyone, 5×5": 1}
    said = await private_words(room.kasia.command(room.channel, "moderate withdraw-challenge", which=1))
    assert "You withdrew the challenge" in said
    await wait_for_state(room, ChallengeState.WITHDRAWN)
    told = room.discord.messages(room.channel)[-1]
    assert told.content == f"{room.ola.mention}, a moderator withdrew your challenge."
    assert told.mentions == (room.ola.id,)


async def test_a_moderator_withdraws_a_challenge_once(room: Room) -> None:
    room.make_moderator(room.kasia)
    await room.challenge()
    await private_words(room.kasia.command(room.channel, "moderate withdraw-challenge", which=1))
    said = await private_words(room.kasia.command(room.channel, "moderate withdraw-challenge", which=1))
    assert "withdrawn" in said
    assert "You withdrew" not in said


async def test_a_moderator_withdraws_no_challenge_of_another_server(room: Room) -> None:
    room.make_moderator(room.kasia)
    await room.challenge()
    with_other = room.use_cases.challenges.withdraw_as_moderator
    for guild in (GuildId(4242), None):
        with pytest.raises(Refused, match="no_challenge"):
            await with_other(ChallengeId(1), UserId(room.kasia.id), guild, room.clock())
    said = await private_words(room.kasia.command(room.channel, "moderate withdraw-challenge", which=99))
    assert "no longer exists" in said
    await wait_for_state(room, ChallengeState.OPEN)


async def test_the_log_has_what_a_moderator_withdrew(room: Room) -> None:
    async with room.services.store.write() as tx:
        settings = await tx.servers.get(GuildId(room.discord.guild.id))
        await tx.servers.save(replace(settings, log_channel=ChannelId(room.general.id)))
    room.make_moderator(room.kasia)
    await room.kasia.click(await room.challenge(), "Withdraw").followed()
    (entry,) = await room.discord.until(lambda: room.discord.messages(room.general))
    assert f"{room.kasia.mention} withdrew a challenge. Its player: {room.ola.mention}" in entry.content


async def test_a_challenge_whose_channel_is_deleted_ends(room: Room) -> None:
    await room.challenge()
    room.discord.delete_channel(room.channel)
    await wait_for_state(room, ChallengeState.WITHDRAWN)


async def test_a_challenge_whose_thread_is_deleted_ends(room: Room) -> None:
    thread = room.ola.open_thread(room.channel, "Dots")
    room.discord.allow(room.channel, Permission.SEND_MESSAGES_IN_THREADS)
    await private_words(room.ola.command(thread, "challenge", size="5x5"))
    room.discord.delete_channel(thread)
    await wait_for_state(room, ChallengeState.WITHDRAWN)
