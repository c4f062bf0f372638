"""Makes `tests/data/before`: a database and a chat in which every kind of button, menu and form stands.

`python -m tests.before [FOLDER]` plays the session over the stand-in; it takes about a minute.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sqlite3
import time
from collections import defaultdict
from collections.abc import Iterable
from contextlib import closing
from dataclasses import asdict, replace
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bot.client import BUTTONS, FORMS
from loopback import Channel, File, Interaction, Message, Permission, Person
from tests.bot.reopened import BEFORE, CHAT, DATABASE, Notes, Press, Told, at_work, write_sql
from tests.bot.room import Room
from tests.bot.test_teaching import PRIZE, Knowing
from tests.clock import DAY, HOUR, MINUTE, StoppedClock
from tests.loopback.bot import png

PEOPLE = ("Anna", "Boris", "Cecil", "Dora", "Emil", "Filip", "Gita", "Lena", "Nela")
"""Those who join Ola, Максим and Kasia. Filip and Gita never play."""

BURST, EVERY_SECONDS = 25, 0.51
"""How fast one person presses: a little slower than the bot allows."""

BUTTON = 2

RECORD = b"(;FF[4]GM[40]SZ[5]PB[Ann]PW[Bob *]RE[B+1];W[cc];B[cb];W[aa];B[bc];W[ee];B[cd];W[ea];B[dc])"

GROUND = {"rules": "paper", "size": "7x7"}
STOPPING = ("d4", "c3", "d5", "c5")
"""After these the first player may say STOP, and loses two dots by it."""

LANDING = ("d4", "d5", "c5", "a1", "d6", "g1", "e5", "g2", "d3", "f2", "d2", "f3", "d1", "b6")
TRAP = ("d5", "e5", "e6", "d4", "e4", "a2")
RATED_MOVES = ("e5", "d4", "e6", "d6")
"""After these the dots of the first player have no way to the edge."""

RATED = {"rules": "paper", "size": "10x10", "start": "empty", "rated": True}


class Session:
    """What the people do, and what is noted of it."""

    def __init__(self, room: Room) -> None:
        self.room, self.discord = room, room.discord
        self.presses: dict[str, Press] = {}
        self.told: list[Told] = []
        self.places: dict[str, int] = {}
        self.ola, self.maksim, self.kasia = room.ola, room.maksim, room.kasia
        everybody = tuple(self.discord.people[name] for name in PEOPLE)
        (self.anna, self.boris, self.cecil, self.dora, self.emil, self.filip, self.gita, self.lena, self.nela) = (
            everybody
        )
        self._free: dict[int, float] = defaultdict(float)
        self._tables = count(1)

    # What the people do

    async def ready(self, person: Person) -> None:
        """Returns when the person may press the next button."""
        now = time.monotonic()
        whole = max(self._free[person.id], now) + EVERY_SECONDS
        self._free[person.id] = whole
        await asyncio.sleep(max(0.0, whole - now - BURST * EVERY_SECONDS))

    async def command(self, person: Person, channel: Channel, command: str, /, **options: Any) -> Message:
        """Returns the newest message that a command brings."""
        await self.ready(person)
        return await answer(person.command(channel, command, **options))

    async def press(self, person: Person, message: Message, pattern: str, *values: str) -> Message:
        """Returns the newest message that a button or menu, whose custom id has the pattern, brings or changes."""
        custom_id = found(message, pattern)["custom_id"]
        await self.ready(person)
        return await answer(person.click(message, custom_id, values or None))

    async def walk(self, person: Person, message: Message, *patterns: str) -> Message:
        """Returns where several buttons lead, each on the message that the one before has brought."""
        for pattern in patterns:
            message = await self.press(person, message, pattern)
        return message

    async def move(self, person: Person, thread: Channel, text: str) -> Message:
        await self.ready(person)
        await self.ready(person)
        return await self.room.move(person, thread, text)

    def channel(self) -> Channel:
        """Returns a channel for another card: the bot does not take many at once in one."""
        return self.discord.open_channel(f"table-{next(self._tables)}")

    async def card(self, person: Person, opponent: Person | None, **options: Any) -> Message:
        """Returns the card of a challenge."""
        channel = self.channel()
        given = {"size": "5x5", "start": "empty", "clock": "3d", "opponent": opponent, **options}
        await self.command(
            person, channel, "challenge", **{key: each for key, each in given.items() if each is not None}
        )
        return next(each for each in reversed(self.discord.messages(channel)) if "Change..." in each.labels)

    async def game(self, first: Person, second: Person, *moves: str, **options: Any) -> Channel:
        """Returns the thread of a match after some moves; `first` begins."""
        card = await self.card(first, second, **options)
        await self.press(second, card, ":accept$")
        thread = await self.room.thread_of(card)
        for number, move in enumerate(moves):
            await self.move((first, second)[number % 2], thread, move)
        await self.room.board(thread, len(moves))
        return thread

    def newest(self, thread: Channel) -> Message:
        """Returns the newest message with buttons."""
        return [each for each in self.discord.messages(thread) if each.controls][-1]

    async def asked(self, channel: Channel, pattern: str) -> Message:
        """Returns the newest message with buttons, once one of these has the pattern."""

        def there() -> Message | None:
            newest = next((each for each in reversed(self.discord.messages(channel)) if each.controls), None)
            return newest if newest and control(newest, pattern) else None

        message: Message = await self.discord.until(there)
        await self.room.noted()
        return message

    async def more(self, person: Person, thread: Channel, *patterns: str) -> Message:
        """Returns the panel of *More*, or what its buttons lead to."""
        return await self.walk(person, self.newest(thread), ":more$", *patterns)

    # What is noted

    def note(self, name: str, person: Person, message: Message, pattern: str, *values: str, **typed: str) -> Press:
        """Notes a control whose custom id has the pattern, and what the person does with it."""
        part = found(message, pattern)
        assert name not in self.presses, name
        select = part["type"] != BUTTON
        press = Press(name, person.user.name, message.id, part["custom_id"], list(values) if select else None)
        self.presses[name] = press = replace(press, typed=typed, public=message.visible_to is None)
        return press

    async def note_form(self, name: str, person: Person, message: Message, pattern: str, **typed: str) -> None:
        """Notes a form that a button opens, and what the person types in it."""
        press = self.note(name, person, message, pattern, **typed)
        await self.ready(person)
        modal = (await person.click(message, press.control).answered()).modal
        assert modal is not None, name
        form = {"custom_id": modal.custom_id, "title": modal.title, "components": list(modal.components)}
        self.presses[name] = replace(press, form=form)

    async def tell(self, name: str, person: Person, channel: Channel, command: str, **options: Any) -> None:
        """Notes what a command tells."""
        given = {key: str(each.id) if isinstance(each, Person) else each for key, each in options.items()}
        message = await self.command(person, channel, command, **given)
        self.told.append(Told(name, person.user.name, channel.id, command, given, message.text))


def control(message: Message, pattern: str) -> dict[str, Any] | None:
    """Returns the first control that can be used and whose custom id has the pattern."""
    fits = (each for each in message.controls if not each.get("disabled") and re.search(pattern, each["custom_id"]))
    return next(fits, None)


def found(message: Message, pattern: str) -> dict[str, Any]:
    """Returns the first such control, which is there."""
    part = control(message, pattern)
    assert part is not None, (pattern, [each["custom_id"] for each in message.controls])
    return part


async def answer(interaction: Interaction) -> Message:
    """Returns the newest message that an interaction brings or changes, once it says something."""
    outcome = await interaction.answered()
    assert outcome.kind != "failed", outcome.text

    def there() -> Message | None:
        changed = interaction.touched or outcome.kind == "update"
        original = interaction.world.messages.get(interaction.original or 0)
        found = interaction.messages or ([original] if original and changed else [])
        return found[-1] if found and found[-1].text else None

    message: Message = await interaction.until(there)
    for trouble in ("Something went wrong", "faster than I can follow", "earlier time", "Many challenges"):
        assert trouble not in message.text, message.text
    return message


async def rated(s: Session) -> None:
    """Ola and Максим stand on a leaderboard, have games for two pages, and one that is annulled."""
    s.discord.allow(s.room.general, Permission.MANAGE_MESSAGES, s.kasia)
    for number in range(30):
        loser, winner = (s.ola, s.maksim) if number % 3 == 0 else (s.maksim, s.ola)
        thread = await s.game(loser, winner, *RATED_MOVES, **RATED)
        await s.press(loser, await s.command(loser, thread, "stop"), ":sure:stop$")
        last = await s.asked(thread, ":rematch")
        if number == 0:
            await s.command(s.kasia, s.room.general, "moderate annul", game=1)
        if number % 3 == 2:
            await s.room.passes(DAY)
        shown = await s.command(s.ola, s.room.general, "leaderboard", pool="drawn-days")
        if number > 8 and "**Ola**" in shown.text and "**Максим**" in shown.text:
            break
    s.note("rematch", s.ola, last, ":rematch")
    live = await s.game(s.kasia, s.ola, *RATED_MOVES, **RATED | {"clock": "10m+30s"})
    await s.press(s.kasia, await s.command(s.kasia, live, "stop"), ":sure:stop$")
    await s.asked(live, ":rematch")


async def boards(s: Session) -> None:
    """What hangs on a board, the keypad and looks at a turn, with what *More* offers."""
    ola, maksim = s.ola, s.maksim
    thread = await s.game(ola, maksim, size="20x20", breaks="vacations")
    board = s.newest(thread)
    s.places["running"] = thread.id
    s.note("board: keypad", ola, board, ":keypad$")
    s.note("board: more", maksim, board, ":more$")
    await s.note_form("board: point", ola, board, ":point$", point="perhaps")
    s.note("keypad: a point", ola, await s.press(ola, board, ":keypad$"), r":go:[A-Z]+\d+@")
    s.note("keypad: an arrow", ola, await s.press(ola, board, ":keypad$"), r":go:@")
    s.note("look: another point", ola, await s.walk(ola, board, ":keypad$", r":go:[A-Z]+\d+@"), ":go:@")
    s.note("waiting: look again", maksim, await s.press(maksim, board, ":keypad$"), ":keypad$")
    for action in ("keypad", "clock", "resign"):
        s.note(f"more: {action}", ola, await s.more(ola, thread), f":{action}$")
    await s.note_form("more: point", ola, await s.more(ola, thread), ":point$", point="perhaps")
    s.note("more: plan", maksim, await s.more(maksim, thread), ":plan$")
    s.note("clock: vacation", ola, await s.more(ola, thread, ":clock$"), ":vacation$")
    s.note("resign: keep", ola, await s.more(ola, thread, ":resign$"), ":keep:0$")
    refused = await s.command(maksim, await s.game(ola, maksim, "c3"), "move", point="c3")
    await s.note_form("refused: point", maksim, refused, ":point$", point="perhaps")
    s.note("refused: near", maksim, refused, ":go:@")


async def turns(s: Session) -> None:
    """What plays a turn, each in a match of its own, and turns that take several steps."""
    ola, maksim, kasia, anna = s.ola, s.maksim, s.kasia, s.anna
    thread = await s.game(kasia, anna)
    s.note("keypad: play", kasia, await s.more(kasia, thread, ":keypad$", ":go:C3@"), ":play:C3$")
    thread = await s.game(kasia, anna)
    s.note("typed: play", kasia, await s.command(kasia, thread, "move", point="c3"), ":play:C3$")
    for name, pattern in (("play", ":play:C3$"), ("another point", ":go:@")):
        thread = await s.game(kasia, anna)
        kasia.say(thread, "c3", reply_to=s.newest(thread))
        s.note(f"reply: {name}", kasia, await s.asked(thread, ":play:"), pattern)
    thread = await s.game(kasia, anna)
    await s.note_form("form: a move", kasia, s.newest(thread), ":point$", point="c3")
    thread = await s.game(kasia, anna)
    s.places["answered"], s.places["board to answer"] = thread.id, s.newest(thread).id
    drawn = {"rules": "zagram-territory", "size": "9x9"}
    thread = await s.game(kasia, anna, *TRAP, **drawn)
    s.note("drawn: close", kasia, await s.more(kasia, thread, ":keypad$", ":go:F5@"), r":go:F5\+1@")
    s.note("drawn: draw", kasia, await s.more(kasia, thread, ":keypad$", ":go:F5@"), ":go:F5/@")
    chain = ":go:F5/@", ":go:F5/F5@", ":go:F5/F5d@", ":go:F5/F5df@"
    s.note("drawn: a chain", kasia, await s.more(kasia, thread, ":keypad$", ":go:F5@", *chain), ":go:F5/F5dfh@")
    thread = await s.game(kasia, anna, *TRAP, **drawn)
    s.note(
        "drawn: play",
        kasia,
        await s.more(kasia, thread, ":keypad$", ":go:F5@", *chain, ":go:F5/F5dfh@", r":go:F5/F5dfh\.@"),
        r":play:F5/F5dfh\.$",
    )
    dash = {"rules": "dot-dash", "size": "9x9", "start": None}
    thread = await s.game(ola, maksim, **dash)
    s.note("dash: a stone", ola, await s.more(ola, thread, ":keypad$"), r":go:set \w+@")
    s.note("dash: another stone", ola, await s.more(ola, thread, ":keypad$", ":go:set E5@"), r":go:set E5 \w+@")
    thread = await s.game(ola, maksim, "set D4 E5/G7", **dash)
    s.note("dash: a choice", maksim, await s.more(maksim, thread, ":keypad$"), r":go:take single@")
    thread = await s.game(ola, maksim, "set D4 E5/G7", **dash)
    s.note("dash: play", maksim, await s.more(maksim, thread, ":keypad$", ":go:take single@"), ":play:take single$")
    thread = await s.game(ola, maksim, "set D4 E5/G7", "take single", **dash)
    s.note("dash: from", maksim, await s.more(maksim, thread, ":keypad$"), r":go:[A-Z]\d@")


async def overtaken(s: Session) -> None:
    """Panels of earlier versions, an old board that has kept its buttons, and a match that is over."""
    boris, cecil = s.boris, s.cecil
    thread = await s.game(boris, cecil)
    s.note("overtaken: a point", boris, await s.more(boris, thread, ":keypad$"), ":go:C3@")
    s.note("overtaken: play", boris, await s.more(boris, thread, ":keypad$", ":go:C3@"), ":play:C3$")
    s.note("overtaken: resign", boris, await s.more(boris, thread, ":resign$"), ":sure:resign$")
    s.note("overtaken: more", boris, await s.more(boris, thread), ":draw$")
    await s.note_form("overtaken: a form", boris, s.newest(thread), ":point$", point="d4")
    for number, move in enumerate(("c3", "c2")):
        await s.move((boris, cecil)[number % 2], thread, move)
    board = await s.room.board(thread, 2)
    again = {"message": board.id, "control": found(board, ":point$")["custom_id"]}
    s.presses["overtaken: a form"] = replace(s.presses["overtaken: a form"], **again)
    thread = await s.game(boris, cecil)
    panel = await s.more(boris, thread)
    await s.press(cecil, await s.command(cecil, thread, "resign"), ":sure:resign$")
    await s.asked(thread, ":rematch")
    s.note("over: more", boris, panel, ":keypad$")


async def ends(s: Session) -> None:
    """Ways to end a match, and what asks whether they are meant."""
    kasia, anna, boris, cecil = s.kasia, s.anna, s.boris, s.cecil
    for way, rules, moves in (
        ("stop", GROUND, STOPPING),
        ("land", {"rules": "sport", "size": "7x7"}, LANDING),
        ("end", {}, ("c3", "c2")),
        ("resign", {}, ()),
    ):
        for name in ("more", "sure") if way != "resign" else ("sure",):
            thread = await s.game(boris, cecil, *moves, **rules)
            panel = await s.more(boris, thread)
            if name == "more":
                s.note(f"more: {way}", boris, panel, f":{way}$")
            else:
                s.note(f"sure: {way}", boris, await s.press(boris, panel, f":{way}$"), f":sure:{way}$")
    thread = await s.game(kasia, anna, *STOPPING, **GROUND)
    kasia.say(thread, "stop", reply_to=s.newest(thread))
    s.note("reply: sure", kasia, await s.asked(thread, ":sure:stop$"), ":sure:stop$")


async def offers(s: Session) -> None:
    """What one player offers and the other answers: draws, take-backs, pauses, ends; and what needs no answer."""
    kasia, anna, room = s.kasia, s.anna, s.room
    thread = await s.game(kasia, anna, "c3", "c2")
    s.note("more: draw", kasia, await s.more(kasia, thread), ":draw$")
    thread = await s.game(kasia, anna)
    s.note("more: abort", kasia, await s.more(kasia, thread), ":abort$")
    asks = {"draw": "draw", "takeback": "takeback", "pause": "pause", "end": "stop"}
    threads = {(kind, name): await s.game(kasia, anna, "c3", "c2") for kind in asks for name in ("agree", "disagree")}
    asking = await s.game(kasia, anna, "c3", "c2")
    await room.passes(MINUTE)
    s.note("more: takeback", kasia, await s.more(kasia, asking), ":takeback$")
    for (kind, name), thread in threads.items():
        asked = await s.command(kasia, thread, asks[kind])
        if kind == "end":
            await s.press(kasia, asked, ":sure:end$")
        s.note(f"{name}: {kind}", anna, await s.asked(thread, f":{name}:{kind}$"), f":{name}:{kind}$")


async def clocks(s: Session) -> None:
    """The clocks of a match, and vacations."""
    dora, emil = s.dora, s.emil
    for name, pattern in (("give", ":give:1d$"), ("pause", ":pause:3d$")):
        thread = await s.game(dora, emil)
        s.note(f"clock: {name}", dora, await s.more(dora, thread, ":clock$"), pattern)
    thread = await s.game(dora, emil)
    await s.command(dora, thread, "pause", time="7d")
    emil.click(await s.asked(thread, ":agree:pause$"), found(s.newest(thread), ":agree:pause$")["custom_id"])
    await s.discord.until(lambda: not control(s.newest(thread), ":agree:pause$"))
    await s.room.noted()
    s.note("clock: resume", dora, await s.more(dora, thread, ":clock$"), ":resume$")
    s.note("vacation: go", s.lena, await s.command(s.lena, s.room.general, "vacation"), "vacation:3$")
    await s.command(s.nela, s.room.general, "vacation", days=5)
    s.note("vacation: come back", s.nela, await s.command(s.nela, s.room.general, "vacation"), "vacation:0$")


async def plans(s: Session) -> None:
    """Conditional moves."""
    dora, emil = s.dora, s.emil
    thread = await s.game(dora, emil)
    await s.note_form("plan: write", emil, await s.command(emil, thread, "if"), ":write_plan$", line="C3 C2")
    thread = await s.game(dora, emil)
    planned = await s.command(emil, thread, "if", line="c3 c2; b2 b3")
    await s.note_form("plan: write more", emil, planned, ":write_plan$", line="C3 C2")
    thread = await s.game(dora, emil)
    await s.command(emil, thread, "if", line="c3 c2; b2 b3")
    s.places["planned"], s.places["its board"] = thread.id, s.newest(thread).id
    thread = await s.game(dora, emil)
    s.note("plan: clear", emil, await s.command(emil, thread, "if", line="c3 c2"), ":clear_plan$")


async def challenges(s: Session) -> None:
    """Cards of challenges, and panels in which other terms are put together."""
    ola, maksim, kasia, anna, boris, cecil = s.ola, s.maksim, s.kasia, s.anna, s.boris, s.cecil
    dora, emil, lena, nela = s.dora, s.emil, s.lena, s.nela
    s.note("card: accept", maksim, await s.card(ola, maksim), ":accept$")
    s.note("card: decline", maksim, await s.card(ola, maksim), ":decline$")
    s.note("card: take back", ola, await s.card(ola, None), ":decline$")
    s.note("open card: accept", cecil, await s.card(maksim, None), ":accept$")
    three = {"players": 3, "size": None, "start": None}
    s.note("card for three: join", lena, await s.card(dora, None, **three), ":accept$")
    card = await s.card(dora, None, **three)
    await s.press(lena, card, ":accept$")
    s.note("card for three: leave", lena, await s.asked(s.discord.channel(card.channel_id), ":leave$"), ":leave$")
    card = await s.card(emil, None, **three)
    for person in (lena, nela):
        await s.press(person, card, ":accept$")
    s.note("three: more", nela, (await s.asked(await s.room.thread_of(card), ":more$")), ":more$")

    card = await s.card(kasia, anna, size="13x13", start="cross")
    s.note("card: change", anna, card, ":change$")
    for name, value in (
        ("rules", "classic"),
        ("size", "20x20"),
        ("start", "double"),
        ("clock", "1d"),
        ("order", "last"),
        ("agreed", "weekends"),
    ):
        s.note(f"terms: {name}", anna, await s.press(anna, card, ":change$"), f":{name}$", value)
    s.note("terms: rated", anna, await s.press(anna, card, ":change$"), ":rated$")
    for name, value in (("size", "9x9"), ("clock", "36h")):
        await s.note_form(
            f"terms: other {name}", anna, await s.press(anna, card, ":change$"), f":other-{name}$", value=value
        )
    card = await s.card(kasia, anna, size="13x13", start="cross")
    half = await s.press(anna, card, ":change$")
    half = await s.press(anna, half, ":size$", "9x9")
    half = await s.press(anna, half, ":clock$", "1d")
    s.places["half-filled"], s.places["its card"] = half.id, card.id
    card = await s.card(boris, cecil)
    panel = await s.press(cecil, card, ":change$")
    s.note("terms: save", cecil, await s.press(cecil, panel, ":clock$", "7d"), ":save$")
    card = await s.card(boris, cecil)
    changed = await s.press(cecil, await s.press(cecil, card, ":change$"), ":clock$", "7d")
    await s.press(cecil, changed, ":save$")
    await s.discord.until(lambda: control(s.discord.message(card) or card, ":1:accept$"))
    s.note("counter-offer: accept", boris, s.discord.message(card) or card, ":accept$")
    card = await s.card(nela, None)
    instead = await s.press(emil, await s.press(emil, card, ":change$"), ":order$", "first")
    await s.press(emil, instead, ":save$")
    s.note("answer to an open card: accept", nela, s.newest(s.discord.channel(card.channel_id)), ":accept$")
    s.note(
        "challenge: keep", dora, await s.command(dora, s.channel(), "challenge", rules="quick", clock="1d"), ":save$"
    )
    played = await s.game(nela, lena)
    await s.press(nela, await s.command(nela, played, "resign"), ":sure:resign$")
    await s.press(lena, await s.asked(played, ":rematch$"), ":rematch$")
    s.note("rematch: accept", nela, await s.asked(played, ":accept$"), ":accept$")


async def settings(s: Session) -> None:
    """One's own settings, those of the server, and roles as rewards."""
    nela, ola, here = s.nela, s.ola, s.room.general

    async def mine() -> Message:
        return await s.command(nela, here, "settings me")

    async def ours() -> Message:
        return await s.command(ola, here, "settings server")

    await s.press(nela, await s.press(nela, await mine(), "me:usual"), ":save$")
    chosen = {"language": "en", "theme": "dark", "confirm": "days", "reminders": "channel"}
    for name, value in chosen.items():
        s.note(f"me: {name}", nela, await mine(), f"me:{name}$", value)
    s.note("me: usual", nela, await mine(), "me:usual$")
    s.note("me: forget", nela, await mine(), "me:forget$")
    await s.note_form("me: clock", nela, await mine(), "me:clock$", zone="Europe/Warsaw", night="22:00-07:00")
    s.note("my terms: clock", nela, await s.press(nela, await mine(), "me:usual$"), "terms:me:.*:clock$", "7d")
    s.note("my terms: save", nela, await s.press(nela, await mine(), "me:usual$"), "terms:me:.*:save$")

    await s.press(ola, await s.press(ola, await ours(), "server:usual"), ":save$")
    for name in ("threads", "rated", "dot_dash"):  # switched and back: what is pressed later changes nothing
        panel = await s.press(ola, await ours(), f"server:{name}")
        s.note(f"server: {name}", ola, await ours(), f"server:{name}")
        await s.press(ola, panel, f"server:{name}")
    s.note("server: channels", ola, await ours(), "server:channels")
    s.note("server: roles", ola, await ours(), "server:roles")
    s.note("server: language", ola, await ours(), "server:language", "en")
    s.note("server: theme", ola, await ours(), "server:theme", "dark")
    for name in ("usual", "forget"):
        s.note(f"server: {name}", ola, await ours(), f"server:{name}")
    terms = await s.press(ola, await ours(), "server:usual")
    s.note("terms of the server: order", ola, terms, "terms:server:.*:order$", "first")
    s.note("terms of the server: save", ola, await s.press(ola, await ours(), "server:usual"), "terms:server:.*:save$")
    s.note("server: rewards", ola, await ours(), "podium:open")
    rewards = await s.press(ola, await ours(), "podium:open")
    top, champion = (s.discord.make_role(name) for name in ("Top of all", "Best of all"))
    await s.press(ola, rewards, "podium:role0", str(top.id))
    await s.press(ola, rewards, "podium:pool", "drawn-days")
    await s.discord.until(lambda: "Top of all" in s.discord.roles_of(ola))
    for name, values in (("role1", (str(champion.id),)), ("pool", ("drawn-days",)), ("season", ()), ("back", ())):
        pattern = "server:shown" if name == "back" else f"podium:{name}"
        s.note(f"rewards: {name}", ola, await s.press(ola, await ours(), "podium:open"), pattern, *values)


async def guide(s: Session) -> None:
    """Help, rules and the lesson."""
    dora, here = s.dora, s.room.general
    s.note("help: commands", dora, await s.command(dora, here, "help"), "help:1$")
    s.note("help: rules", dora, await s.command(dora, here, "help"), "rules:on:")
    s.note("help: lesson", dora, await s.command(dora, here, "help"), "lesson:0$")
    s.note("help: back", dora, await s.press(dora, await s.command(dora, here, "help"), "help:1$"), "help:0$")
    s.note("rules: contents", dora, await s.command(dora, here, "rules"), "rules:contents", "classic")
    s.note("rules: on", dora, await s.command(dora, here, "rules"), "rules:on:")
    s.note("rules: back", dora, await s.press(dora, await s.command(dora, here, "rules"), "rules:on:"), "rules:back:")
    s.note("lesson: wrong", dora, await s.command(dora, here, "learn"), "lesson:0:A1$")
    s.note("lesson: right", dora, await s.command(dora, here, "learn"), "lesson:0:D3$")
    s.note("lesson: next", dora, await s.press(dora, await s.command(dora, here, "learn"), "lesson:0:D3$"), "lesson:1$")


async def careers(s: Session) -> None:
    """Histories, profiles, leaderboards, a record from elsewhere, and what is stored of a person."""
    ola, emil, here = s.ola, s.emil, s.room.general
    s.note("history: on", ola, await s.command(ola, here, "history"), "history:.*:8$")
    s.note("history: back", ola, await s.press(ola, await s.command(ola, here, "history"), "history:"), "history:.*:0$")
    s.note("versus: on", ola, await s.command(ola, here, "versus", opponent=s.maksim), "history:.*:8$")
    s.note("profile: curve", ola, await s.command(ola, here, "profile"), "profile:.*:drawn-live$")
    s.note("profile: games", ola, await s.command(ola, here, "profile"), "history:.*:0$")
    for name, pattern in (
        ("find me", "leaders:me:here:"),
        ("all servers", "leaders:all:"),
        ("season", r"leaders:here:[a-z-]+:\d{4}q"),
    ):
        s.note(f"leaderboard: {name}", ola, await s.command(ola, here, "leaderboard", pool="drawn-days"), pattern)
    for name, pattern in (("back", "import:zagram:2:"), ("film", ":film$")):
        message = await s.command(emil, here, "import", file=File("game.sgf", RECORD))
        s.note(f"import: {name}", emil, message, pattern)
    s.note("privacy: forget", s.filip, await s.command(s.filip, here, "privacy delete"), "privacy:forget")


async def contests(s: Session) -> None:
    """Tournaments, the ladder and the puzzle of the day."""
    ola, maksim, kasia, cecil, dora = s.ola, s.maksim, s.kasia, s.cecil, s.dora

    async def tournament(name: str, *entrants: Person, begun: bool = False) -> Message:
        channel = s.discord.open_channel(name)
        await s.command(
            ola, channel, "tournament create", name=name, format="swiss", size="5x5", clock="1d", rated=False
        )
        await s.discord.until(lambda: [each for each in s.discord.messages(channel) if each.controls])
        card = s.newest(channel)
        for person in entrants:
            await s.press(person, card, ":join$")
        if begun:
            await s.press(ola, card, ":begin$")
            await s.discord.until(lambda: not control(s.discord.message(card) or card, ":begin$"))
            await s.discord.until(
                lambda: any(s.room.boards(each) for each in s.discord.threads if each.parent_id == channel.id)
            )
        await s.room.noted()
        return s.discord.message(card) or card

    s.note("tournament: join", dora, await tournament("spring", cecil), ":join$")
    s.note("tournament: withdraw", cecil, await tournament("summer", cecil), ":withdraw$")
    s.note("tournament: begin", ola, await tournament("autumn", cecil, dora, kasia), ":begin$")
    s.note("tournament: leave", cecil, await tournament("winter", cecil, dora, kasia, begun=True), ":withdraw$")

    ladder = s.discord.open_channel("ladder")
    await s.command(ola, ladder, "ladder create")
    for person in (ola, maksim, kasia):
        await s.command(person, ladder, "ladder join")
    await s.command(kasia, ladder, "ladder challenge", opponent=ola)
    s.note("ladder: accept", ola, s.newest(ladder), ":accept$")
    s.places["ladder"] = ladder.id

    thread = await s.game(ola, maksim, *PRIZE, size="7x7")
    await s.press(ola, await s.command(ola, thread, "resign"), ":sure:resign$")
    await s.asked(thread, ":rematch$")
    corner = s.discord.open_channel("puzzles")
    await s.command(kasia, corner, "puzzle")
    await s.press(s.anna, s.newest(corner), "puzzle:1:0$")
    s.note("puzzle: answer", kasia, s.newest(corner), "puzzle:1:0$")


async def abroad(s: Session) -> None:
    """A conversation to which Ola has brought the bot along."""
    s.ola.install()
    friends = s.discord.open_private(s.ola, s.maksim, name="Dots on Sundays")
    given = {"opponent": s.maksim, "size": "5x5", "start": "empty", "clock": "3d"}
    await s.ready(s.ola)
    s.ola.command(friends, "challenge", **given)
    card = await s.asked(friends, ":accept$")
    await s.ready(s.maksim)
    s.maksim.click(card, found(card, ":accept$")["custom_id"])
    board = await s.asked(friends, ":keypad$")
    s.note("brought along: more", s.ola, board, ":more$")
    s.places["brought along"] = friends.id


async def told(s: Session) -> None:
    """What the commands say that read what is stored; all that was done before is some time ago."""
    await s.room.passes(MINUTE)
    here, running = s.room.general, s.discord.channel(s.places["running"])
    for name, person, channel, command, options in (
        ("one's own profile", s.ola, here, "profile", {}),
        ("the profile of another player", s.kasia, here, "profile", {"player": s.maksim}),
        ("a leaderboard", s.ola, here, "leaderboard", {"pool": "drawn-days"}),
        ("a leaderboard of a season", s.ola, here, "leaderboard", {"pool": "drawn-days", "season": "2025q3"}),
        ("open games", s.ola, here, "games", {}),
        ("finished games", s.ola, here, "history", {}),
        ("games between two", s.maksim, here, "versus", {"opponent": s.ola}),
        ("a board in text", s.kasia, running, "board", {"text": True}),
        ("clocks", s.kasia, running, "clock", {}),
        ("the ladder", s.kasia, s.discord.channel(s.places["ladder"]), "ladder show", {}),
        ("conditional moves", s.emil, s.discord.channel(s.places["planned"]), "if", {}),
        ("one's own settings", s.nela, here, "settings me", {}),
        ("the settings of the server", s.ola, here, "settings server", {}),
        ("a vacation", s.nela, here, "vacation", {}),
    ):
        await s.tell(name, person, channel, command, **options)


async def unposted(s: Session) -> None:
    """A move whose board Discord does not take before the bot ends."""
    thread = await s.game(s.boris, s.cecil, clock="10m+30s")
    s.places["unposted"] = thread.id
    s.discord.fault("POST", "/channels/{channel_id}/messages", 503, times=1000)
    s.boris.say(thread, "c3", reply_to=s.newest(thread))
    await asyncio.sleep(1)


def keep_private(file: Path, private: list[Message]) -> None:
    """Adds to the file of the stand-in what one person sees alone, which it leaves out."""
    with closing(sqlite3.connect(file)) as database:
        for message in private:
            row = asdict(replace(message, attachments=()))
            files = [asdict(replace(each, data=b"")) for each in message.attachments]
            row["attachments"] = [{key: value for key, value in each.items() if key != "data"} for each in files]
            values = (message.id, json.dumps(row, ensure_ascii=False))
            database.execute("INSERT INTO thing (id, kind, json) VALUES (?, 'message', ?)", values)
            rows = [(each.id, message.id, each.data) for each in message.attachments]
            database.executemany("INSERT INTO file VALUES (?, ?, ?)", rows)
        database.commit()


def shorten(file: Path) -> None:
    """Leaves out what no button needs: the commands, and what is on the pictures."""
    small = png(1, 1)
    with closing(sqlite3.connect(file)) as database:
        database.execute("DELETE FROM thing WHERE kind = 'command'")
        database.execute("UPDATE file SET data = ? WHERE substr(data, 1, 4) = ?", (small, small[:4]))
        database.commit()


def check(presses: dict[str, Press]) -> None:
    """Every template of a button or menu is pressed, and every form filled in."""
    controls = [press.control for press in presses.values()]
    forms = [press.form["custom_id"] for press in presses.values() if press.form]
    missing = [
        each for each in BUTTONS if not any(each.__discord_ui_compiled_template__.fullmatch(i) for i in controls)
    ]
    missing_forms = [each.template.pattern for each in FORMS if not any(map(each.template.fullmatch, forms))]
    assert not missing, missing
    assert not missing_forms, missing_forms


def check_chat(room: Room, presses: Iterable[Press]) -> None:
    """What was noted still hangs where it was."""
    for press in presses:
        message = room.discord.message(press.message)
        assert message is not None, press
        assert press.control in [each["custom_id"] for each in message.controls], press


async def made(folder: Path, clock: StoppedClock) -> Notes:
    """Plays the session in a folder, and returns its notes."""
    async with at_work(folder, clock, PEOPLE) as room:
        room.thinkers = Knowing
        await room.start()
        await room.client.tree.sync()
        await room.passes(30 * DAY)
        await room.stop()
        clock.move(HOUR)
        await room.start()
        for name in ("general", "dots"):
            room.discord.allow(room.discord.channels[name], Permission.MANAGE_MESSAGES, room.ola)
        session = Session(room)
        for chapter in (
            *(rated, boards, turns, overtaken, ends, offers, clocks, plans, challenges, settings),
            *(guide, careers, contests, abroad, told, unposted),
        ):
            await chapter(session)
        await room.stop()
        check(session.presses)
        check_chat(room, session.presses.values())
        private = {
            message.id: message
            for person in room.discord.people.values()
            for channel in person.channels
            for message in person.sees(channel)
            if message.ephemeral
        }
    keep_private(folder / f"{CHAT}.db", list(private.values()))
    shorten(folder / f"{CHAT}.db")
    return Notes(clock(), tuple(session.presses.values()), tuple(session.told), session.places)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=BEFORE)
    into: Path = parser.parse_args().folder
    into.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as work:
        notes = asyncio.run(made(Path(work), StoppedClock()))
        for name in (DATABASE, CHAT):
            write_sql(Path(work) / f"{name}.db", into / f"{name}.sql.gz")
    notes.write(into)


if __name__ == "__main__":
    main()
