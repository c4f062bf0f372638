"""Names that are written from the right leave numbers, colours and other names beside them in their places."""

from __future__ import annotations

import json
import re
import unicodedata

from loopback import Message
from tests.bot.features.competitions.tournaments.cup import make_tournament
from tests.bot.features.rule_sets.test_panels import keep
from tests.bot.room import Room, private_words

HEBREW, ARABIC = "שלום", "العربية"
ISOLATED = re.compile("\u2068[^\u2068\u2069]*\u2069")


def texts(message: Message) -> str:
    """Returns all that a message says, to readers of pictures as well."""
    controls = json.dumps([*message.components, *message.embeds], ensure_ascii=False)
    return "\n".join((message.content, controls, *(each.description or "" for each in message.attachments)))


def turning(text: str) -> list[str]:
    """Returns the lines with a letter that turns what is beside it."""
    return [
        line
        for line in text.splitlines()
        if any(unicodedata.bidirectional(each) in ("R", "AL", "AN") for each in ISOLATED.sub("", line))
    ]


async def test_every_message_keeps_names_from_the_right_to_themselves(room: Room) -> None:
    one, other = room.discord.invite(HEBREW), room.discord.invite(ARABIC)
    rules = await keep(room, "server", "קצר")
    room.ola = one
    card = await room.challenge(opponent=other, rules=rules.name, size=None, start=None)
    await other.click(card, "Accept").followed()
    thread = await room.wait_for_thread(card)
    for mover, point in ((one, "e5"), (other, "e6"), (one, "d5")):
        await room.move(mover, thread, point)
    await private_words(one.command(thread, "draw"))
    for name in ("clock", "board", "games", "resign", "draw"):
        await private_words(other.command(thread, name))
    await private_words(one.command(room.channel, "profile", player=other))
    await private_words(one.command(room.channel, "settings me"))
    room.make_moderator(one)
    signed = await make_tournament(room, name="גביע Autumn Cup")
    await private_words(other.click(signed, "Sign up"))
    said = [texts(each) for each in room.discord.world.messages.values()]
    said += [each.name for each in room.discord.threads]
    for name in (HEBREW, ARABIC, "קצר"):
        assert any(name in text for text in said), name
    assert [line for text in said for line in turning(text)] == []
