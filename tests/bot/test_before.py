"""A database and a chat that the version before the redesign has left (tests/data/before): every kind of old button,
menu and form answers, matches go on, and what is stored reads the same.

All tests share one bot. Where a press changes something, its match or card is its own, so the order does not matter.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Final

import pytest
import pytest_asyncio

from loopback import Interaction, Message, Modal, Person
from tests.bot.reopened import BEFORE, Notes, Press, Told, reopened
from tests.bot.room import Room, written_out

pytestmark = pytest.mark.asyncio(loop_scope="module")

NOTES: Final = Notes.read(BEFORE)
STRANGER: Final = "Gita"

NEVER: Final = (
    "This button no longer works",
    "Something went wrong on my side",
    "I can't read one of these options",
    "Too many clicks",
)
"""Sentences that no old button may get as an answer."""

KEYPAD: Final = "**Where does your dot go?**"
OVERTAKEN: Final = "The game has moved on"
BEGUN: Final = "The game begins."

ANSWERS: Final = {
    "rematch": "is waiting for an answer.",
    "board: keypad": KEYPAD,
    "board: more": "What you can do now:",
    "board: point": "That isn't a crossing.",
    "keypad: a point": "If you play **",
    "keypad: an arrow": KEYPAD,
    "look: another point": KEYPAD,
    "waiting: look again": "It's Ola's turn.",
    "more: keypad": KEYPAD,
    "more: clock": "### ⏱️ 3 days per move",
    "more: resign": "Resign against **Максим**? You can't undo this.",
    "more: point": "That isn't a crossing.",
    "more: plan": "You have no conditional moves in this game.",
    "clock: vacation": "You have 30 days of vacation a year.",
    "resign: keep": "Game on! You haven't resigned.",
    "refused: point": "That isn't a crossing.",
    "refused: near": KEYPAD,
    "keypad: play": "**Kasia Wiśniewska** played **C3**.",
    "typed: play": "**Kasia Wiśniewska** played **C3**.",
    "reply: play": "**Kasia Wiśniewska** played **C3**.",
    "reply: another point": KEYPAD,
    "form: a move": "If you play **C3**:",
    "drawn: close": "✓ Draw 1 around E5: 1 dot",
    "drawn: draw": "**F5** with a chain you draw yourself",
    "drawn: a chain": "**F5** with the chain F5–E6–D5–E4.",
    "drawn: play": "played **F5** with the chain F5–E6–D5–E4 and captured 1 dot.",
    "dash: a stone": "Where does the second stone of the pair go?",
    "dash: another stone": "Where does the single stone of the other colour go?",
    "dash: a choice": "**You take the single stone** and move first:",
    "dash: play": "**Максим** took the single stone and moves first.",
    "dash: from": "**G7**: which direction?",
    "overtaken: a point": OVERTAKEN,
    "overtaken: play": OVERTAKEN,
    "overtaken: resign": OVERTAKEN,
    "overtaken: more": OVERTAKEN,
    "overtaken: a form": OVERTAKEN,
    "over: more": "This game is over.",
    "more: stop": "**Say STOP?**",
    "sure: stop": "**Boris** says STOP, lost 2 dots.",
    "more: land": "**Land?**",
    "sure: land": "**Boris** lands and wins.",
    "more: end": "**Offer to end the game now?**",
    "sure: end": "**Boris** offers to end the game now.",
    "sure: resign": "**Boris** resigned.",
    "reply: sure": "**Kasia Wiśniewska** says STOP, lost 2 dots.",
    "more: draw": "**Kasia Wiśniewska** offers a draw.",
    "more: abort": "Cancel the game against",
    "more: takeback": "You asked to take your move back. Your opponent sees it in the channel.",
    "agree: draw": "A draw: the players agreed to it",
    "disagree: draw": "**Anna** declined the draw",
    "agree: takeback": "The last move was taken back",
    "disagree: takeback": "**Anna** declined the take-back.",
    "agree: pause": "The game is paused until",
    "disagree: pause": "**Anna** declined the pause.",
    "agree: end": "Agree with Kasia Wiśniewska",
    "disagree: end": "**Anna** wants to keep playing.",
    "clock: give": "You gave 1 day of extra time.",
    "clock: pause": "You asked for a pause.",
    "clock: resume": "The pause is over. The clock runs again.",
    "vacation: go": "None of your current games stops its clock for a vacation",
    "vacation: come back": "Welcome back! Your clocks run again.",
    "plan: write": "1. If Dora plays **C3**, you play **C2**.",
    "plan: write more": "1. If Dora plays **C3**, you play **C2**.",
    "plan: clear": "Your conditional moves are deleted.",
    "card: accept": BEGUN,
    "card: decline": "Declined",
    "card: take back": "Withdrawn",
    "open card: accept": BEGUN,
    "card for three: join": "Joined: **Lena**",
    "card for three: leave": "The game begins when 2 more players join.",
    "three: more": "What you can do now:",
    "card: change": "### Suggest other terms",
    "terms: rules": "**Rules: Classic**",
    "terms: size": "**Board: 20×20**",
    "terms: start": "**Start: a double",
    "terms: clock": "**Clock: 1 day per move**",
    "terms: order": "**Second move: Kasia Wiśniewska**",
    "terms: agreed": "**Weekends: clocks stop",
    "terms: rated": "Make unrated",
    "terms: other size": "**Board: 9×9**",
    "terms: other clock": "**Clock: 36 hours per move**",
    "terms: save": "**Cecil** changed the terms of this challenge.",
    "counter-offer: accept": BEGUN,
    "answer to an open card: accept": BEGUN,
    "challenge: keep": "Rules: Quick",
    "rematch: accept": BEGUN,
    "me: language": "me:language is en",
    "me: theme": "theme-dark.png",
    "me: confirm": "me:confirm is days",
    "me: reminders": "me:reminders is channel",
    "me: usual": "### Defaults for your challenges",
    "me: forget": "same as the server's",
    "me: clock": "Warsaw (now",
    "my terms: clock": ":clock is 7d",
    "my terms: save": "### Your settings",
    "server: threads": "Thread for each game: on",
    "server: rated": "Rated by default: off",
    "server: dot_dash": "Dot Dash: on",
    "server: channels": "### Settings of this server",
    "server: roles": "### Settings of this server",
    "server: language": "server:language is en",
    "server: theme": "server:theme is dark",
    "server: usual": "### Defaults for challenges on this server",
    "server: forget": "Zagram rules on 20×20",
    "terms of the server: order": ":order is first",
    "terms of the server: save": "### Settings of this server",
    "server: rewards": "### Roles for top places",
    "rewards: role1": "I give these roles automatically",
    "rewards: pool": "podium:pool is drawn-days",
    "rewards: season": "podium:ratings is",
    "rewards: back": "### Settings of this server",
    "help: commands": "### Start or find a game",
    "help: rules": "## A chain",
    "help: lesson": "### Lesson 1 of",
    "help: back": "**Dots**: take turns",
    "rules: contents": "## Classic",
    "rules: on": "## A chain",
    "rules: back": "## How to play Dots",
    "lesson: wrong": "❌ Not A1: your opponent answers D3.",
    "lesson: right": "✅ The chain is closed!",
    "lesson: next": "### Lesson 2 of",
    "history: on": "◀ Newer",
    "history: back": "Older ▶",
    "versus: on": "◀ Newer",
    "profile: curve": "kropka-profile-drawn-live",
    "profile: games": "Older ▶",
    "leaderboard: find me": "➤ 🥇 **Ola**",
    "leaderboard: all servers": "This server",
    "leaderboard: season": "### Season 2025, quarter 3: Dots with drawn lines (over days)",
    "import: back": "The board after move 7 of 8.",
    "import: film": "game.gif",
    "privacy: forget": "Your data is deleted.",
    "tournament: join": "You're signed up.",
    "tournament: withdraw": "You're off the list of",
    "tournament: begin": "**autumn**, round 1:",
    "tournament: leave": "**Withdraw from winter?**",
    "ladder: accept": BEGUN,
    "puzzle: answer": "❌ **A1** doesn't do it.",
    "brought along: more": "What you can do now:",
}
"""The answer to each press by the user of the button, by its name in the notes."""

WATCHING: Final = "You aren't playing in this game"
TO_STRANGERS: Final = {
    "card: accept": "This challenge is for Максим.",
    "card: decline": "This challenge is for Максим.",
    "card: take back": "only Ola or a moderator can withdraw it",
    "card: change": "Only Kasia Wiśniewska can change the terms of this challenge.",
    "card for three: leave": "You haven't joined this game.",
    "counter-offer: accept": "This challenge is for Boris.",
    "answer to an open card: accept": "This challenge is for Nela.",
    "rematch: accept": "This challenge is for Nela.",
    "ladder: accept": "This challenge is for Ola.",
    "tournament: withdraw": "You aren't in this tournament",
    "tournament: begin": "Only the host",
    "tournament: leave": "You aren't in this tournament",
}
"""The answers to a stranger on a public message, if not WATCHING."""

FOR_ANYBODY: Final = (
    *("open card: accept", "card for three: join", "tournament: join", "puzzle: answer", "brought along: more"),
    *("leaderboard: find me", "leaderboard: all servers", "leaderboard: season"),
)
"""Presses that a stranger may make, too, or that no stranger can see."""


@dataclass(frozen=True)
class Past:
    """The bot at work on what was left; `now` is what the noted commands told before anything was pressed."""

    room: Room
    now: dict[str, list[str]]

    def person(self, name: str) -> Person:
        return self.room.discord.people[name]

    def message(self, number: int) -> Message:
        message = self.room.discord.message(number)
        assert message is not None, "it is in the chat"
        return message

    async def used(self, press: Press, person: Person) -> Interaction:
        """Uses a control as it is noted; where it opens a form, sends the one that was opened long ago."""
        pressed = person.click(self.message(press.message), press.control, press.values)
        if press.form is None:
            return pressed
        opened = (await pressed.answered()).modal
        if opened is None:
            return pressed
        old = Modal(
            opened.interaction_id, press.form["custom_id"], press.form["title"], tuple(press.form["components"])
        )
        return person.submit(old, press.typed)

    async def posted(self, channel: int, since: int, words: str) -> Message:
        """Returns the first message after another one that says so, once it is there."""

        def there() -> Message | None:
            found = (each for each in self.room.discord.messages(channel) if each.id > since and words in each.text)
            return next(found, None)

        message: Message = await self.room.discord.until(there)
        return message

    async def says(self, words: str, interaction: Interaction, since: int) -> None:
        """Returns when an interaction has brought or changed a message with these words."""
        channels = [interaction.channel_id, interaction.message.id if interaction.message else 0]

        def seen() -> str:
            pressed = interaction.message and self.room.discord.message(interaction.message)
            changed = [pressed] if pressed not in (None, interaction.message) else []
            posted = [each for place in channels for each in self.room.discord.messages(place) if each.id > since]
            return "\n".join(map(read, [*changed, *interaction.messages, *posted]))

        try:
            await self.room.discord.until(lambda: words in seen() or any(each in seen() for each in NEVER))
        except TimeoutError:
            pytest.fail(f"no “{words}” in:\n{seen()}")
        assert words in seen()
        assert not [each for each in NEVER if each in seen()]


def read(message: Message | None) -> str:
    """Returns all that a message shows: text, labels, what is chosen in menus, names of files and what they show."""
    if message is None:
        return ""
    lines = [message.text, *message.labels]
    for part in message.controls:
        chosen = [each["value"] for each in part.get("options", ()) if each.get("default")]
        lines.append(f"{part['custom_id']} is {', '.join(chosen)}")
    return "\n".join([*lines, *(f"{each.filename}: {each.description}" for each in message.attachments)])


async def texts(interaction: Interaction) -> list[str]:
    """Returns what an interaction has brought, once it says something."""
    await interaction.answered()
    said: list[str] = await interaction.until(lambda: [each.text for each in interaction.messages if each.text])
    return said


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def past(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Past]:
    async with reopened(BEFORE, tmp_path_factory.mktemp("before")) as (room, notes):
        room.ola.install()
        now = {}
        for told in notes.told:
            asked = room.discord.people[told.by].command(told.channel, told.command, **told.options)
            now[told.name] = await texts(asked)
        yield Past(room, now)


@pytest.fixture(autouse=True)
def _in_good_order(past: Past, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield
    assert past.room.discord.problems == []
    assert [each.getMessage() for each in caplog.records if each.levelno >= logging.ERROR] == []


async def test_every_press_has_an_answer_here(past: Past) -> None:
    assert [press.name for press in NOTES.presses] == list(ANSWERS)


@pytest.mark.sample(5)
@pytest.mark.parametrize("told", NOTES.told, ids=lambda told: told.name)
async def test_what_is_stored_reads_the_same(past: Past, told: Told) -> None:
    # More may follow, such as a link to the ladder that is posted now.
    assert any(written_out(text).startswith(told.text) for text in past.now[told.name])


@pytest.mark.sample(6)
@pytest.mark.parametrize("press", NOTES.presses, ids=lambda press: f"{press.name} ({press.control})")
async def test_an_old_button_answers(past: Past, press: Press) -> None:
    since = max(each.id for each in all_messages(past.room))
    if press.public and press.name not in FOR_ANYBODY:
        refused = await past.used(press, past.person(STRANGER))
        await past.says(TO_STRANGERS.get(press.name, WATCHING), refused, since)
    await past.says(ANSWERS[press.name], await past.used(press, past.person(press.by)), since)


async def test_a_reply_to_an_old_board_is_a_move(past: Past) -> None:
    kasia, thread = past.person("Kasia Wiśniewska"), NOTES.places["answered"]
    said = kasia.say(thread, "c3", reply_to=past.message(NOTES.places["board to answer"]))
    look = await past.posted(thread, said.id, "**C3** isn't played yet. Play it?")
    board = (await kasia.click(look, "Play C3").answered()).message
    assert board is not None
    assert "**Kasia Wiśniewska** played **C3**." in board.content
    assert board.mentions == (past.person("Anna").id,)


async def test_a_match_goes_on_by_its_old_board_and_its_stored_plan(past: Past) -> None:
    dora, thread = past.person("Dora"), NOTES.places["planned"]
    keypad = (await dora.click(past.message(NOTES.places["its board"]), "Play near C3").answered()).message
    assert keypad is not None
    look = await dora.click(keypad, "13").followed()
    board = (await dora.click(look, "Play C3").answered()).message
    assert board is not None
    assert "**Dora** played **C3**." in board.content
    assert "**Emil** played **C2** as planned" in board.content
    assert board.channel_id == thread


async def test_a_half_filled_panel_of_terms_goes_on(past: Past) -> None:
    anna, card = past.person("Anna"), past.message(NOTES.places["its card"])
    panel = await anna.click(past.message(NOTES.places["half-filled"]), "First move", ["first"]).followed()
    await anna.click(panel, "Send offer").followed()

    def changed() -> str | None:
        text = past.message(card.id).content
        return text if "suggests other terms" in text else None

    text = await past.room.discord.until(changed)
    for words in ("**Board: 9×9**", "**Clock: 1 day per move**", "**First move: Kasia Wiśniewska**"):
        assert words in text


async def test_a_board_that_was_not_posted_is_posted(past: Past) -> None:
    thread = NOTES.places["unposted"]
    board = await past.posted(thread, 0, "**Boris** played **C3**.")
    cecil = past.person("Cecil")
    said = cecil.say(thread, "c2", reply_to=board)
    await past.posted(thread, said.id, "**Cecil** played **C2**.")


def all_messages(room: Room) -> list[Message]:
    channels = (*room.discord.channels.values(), *room.discord.threads)
    return [message for channel in channels for message in room.discord.messages(channel)]
