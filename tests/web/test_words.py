"""The words and colours that the page of a board asks for."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from loopback import Channel
from play.ids import ChannelId, GuildId, MatchId, UserId
from tests.bot.room import Room
from tests.web.visit import Visit, link_for

Visits = Callable[..., Visit]


async def test_the_page_and_its_words_are_in_the_language_of_the_board(
    room: Room, thread: Channel, visit: Visits
) -> None:
    async with room.services.store.write() as tx:
        server = await tx.servers.get(GuildId(room.discord.guild.id))
        await tx.servers.save(replace(server, language="pl"))
        now = await tx.clock.now()
    links = room.services.web_links
    assert links is not None
    kasia = UserId(room.kasia.id)  # nobody knows the language of her Discord
    key = await room.services.web_sessions.link_key(kasia)
    link = links.make(kasia, MatchId(1), now, key=key, seen=ChannelId(thread.id))
    browser = visit()
    board = await browser.open(link)
    assert board.board["view"]["line"] == "Ruch ma Ola."
    words = json.loads((await browser.get("/words.json?for=board&match=1"))[1])
    assert (words["language"], words["words"]["clear"]) == ("pl", "Usuń")
    status, page = await browser.get("/board/1")
    assert status == 200
    assert '<html lang="pl">' in page
    assert "Nie można teraz połączyć się z Kropką." in page


@pytest.mark.sample(3)
@pytest.mark.parametrize("match", ["2", "x", "", "-1", "9" * 30])
async def test_the_words_of_a_game_that_is_not_there_are_refused(
    room: Room, thread: Channel, visit: Visits, match: str
) -> None:
    browser = visit()
    await browser.enter(await link_for(room, room.ola, room.boards(thread)[-1]))
    assert await browser.status(f"/words.json?for=board&match={match}") in (403, 404)
