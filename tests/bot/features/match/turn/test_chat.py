"""The same move by every way to type, and talk that is none."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.features.match.turn.suggestions import suggest_turns
from bot.markup import spoken
from loopback import Channel
from play.ids import UserId
from play.match.conditional_moves import plan_line
from play.match.moves import read_turn
from play.match.sheet import Sheet, try_turn
from play.refusal import Refused
from presentation.typed_turns import could_be_talk, is_move, is_nearly_move, read_code, read_crossing
from rules.game import RuleError, Seat
from tests.bot.features.match.entering import by_command, by_form, replies_to, reply_to
from tests.bot.room import Room, answering_board
from tests.bot.table import a_match
from tests.examples import examples
from tests.typed_moves import TABLE, InChat

MATCH = a_match("zagram", "s14", "v18", size="39x32")
ANNA, BORIS = UserId(101), UserId(102)
WORDS = spoken().of()

WAYS: dict[str, Callable[[str], str]] = {
    "a game": lambda text: str(MATCH.game.parse(text)),
    "a command, a form or the web board": lambda text: read_turn(MATCH, Seat(0), text),
    "a reply": lambda text: str(MATCH.game.parse(read_code(MATCH, text))),
    "a form of puzzles": lambda text: str(MATCH.game.parse(read_crossing(text))),
    "a plan": lambda text: plan_line(MATCH, BORIS, [(text, "A1")]).replies[0].expected,
    "a sheet": lambda text: try_turn(Sheet(MATCH.id, ANNA), MATCH, text, after=len(MATCH.moves))[1].text,
    "a suggestion": lambda text: suggest_turns(MATCH, text, WORDS)[0].turn if text.strip() else "",
}
FREE = frozenset(str(turn) for turn in MATCH.position.moves())


def words_of_all_languages() -> list[str]:
    """Returns what the bot says in its languages, word by word."""
    sentences = (spoken().of(tag).template(key) for tag in spoken().names for key in spoken().all_keys)
    return sorted({word for word in chain.from_iterable(map(str.split, sentences)) if word.isalpha()})


def in_chat(text: str) -> InChat:
    if is_move(partial(read_code, MATCH), text):
        return InChat.ASKED if could_be_talk(text) else InChat.PLAYED
    return InChat.REFUSED if is_nearly_move(text) else InChat.TALK


@pytest.mark.parametrize(
    ("preset", "typed", "code"),
    [
        ("sport-territory", "c3 обвести d4", "C3 paint D4"),
        ("sport-territory", "c3 zamaluj d4", "C3 paint D4"),
        ("paper", "c3 ziehen c3-c4-d4", "C3 draw C3-C4-D4"),
    ],
)
def test_a_typed_turn_closes_in_the_words_of_any_language(preset: str, typed: str, code: str) -> None:
    match = a_match(preset)
    assert str(match.game.parse(read_code(match, typed))) == code
    assert is_move(partial(read_code, match), typed)


def meaning(read: Callable[[str], str], text: str) -> str | None:
    with suppress(RuleError, Refused):
        return read(text)
    return None


def test_every_way_to_type_reads_the_same_move() -> None:
    texts = [typed for typed in TABLE if typed.point is None or typed.point in FREE]
    for way, read in WAYS.items():
        if way == "a suggestion":
            texts = [typed for typed in texts if typed.point]
        assert {each.text: meaning(read, each.text) for each in texts} == {each.text: each.point for each in texts}, way


def test_an_answer_is_played_asked_about_refused_or_left_to_people() -> None:
    assert {typed.text: in_chat(typed.text) for typed in TABLE} == {typed.text: typed.in_chat for typed in TABLE}


@examples(2000)
@given(
    st.lists(st.sampled_from(words_of_all_languages()) | st.integers(0, 130).map(str), min_size=1, max_size=5),
    st.lists(
        st.sampled_from([" ", ", ", ": ", " - ", ". ", "... ", "/", "\u00a0", " (", ") "]), min_size=4, max_size=4
    ),
)
def test_no_sentence_is_a_move_but_two_numbers_or_a_letter_and_a_number(parts: list[str], between: list[str]) -> None:
    said = "".join(chain.from_iterable(zip(parts, [*between[: len(parts) - 1], ""], strict=True)))
    words = [part for part in parts if part.isalpha()]
    numbers = len(parts) - len(words)
    if in_chat(said) is InChat.PLAYED and not any(word.casefold() in ("stop", "land") for word in words):
        assert (len(words), numbers) == (0, 2), said
        assert between[0].isspace(), said
    if in_chat(said) is InChat.ASKED:
        assert all(len(word) <= 2 for word in words), said
        assert (len(words), numbers) in ((0, 2), (1, 1), (1, 2)), said


async def test_in_a_live_game_an_answer_that_could_be_a_time_is_shown_to_its_player_first(room: Room) -> None:
    thread = await room.start_match(size="39x32", start="empty")
    board = room.boards(thread)[-1]
    said = [room.ola.say(thread, text, reply_to=board) for text in ("17 or 18", "20 вечера 15", "1½ h", "20:45")]
    prompt = await reply_to(room, room.ola.say(thread, "20:15", reply_to=board), thread)
    assert "**T15** isn't played yet" in prompt.content
    assert not any(replies_to(room, each, thread) for each in said)
    assert await room.version() == 0
    assert "played **T15**" in (await answering_board(room.ola.click(prompt, "Play T15"))).content


async def test_a_mention_that_could_be_a_time_is_shown_first_and_one_of_another_player_refused(room: Room) -> None:
    thread = await room.start_match(size="39x32")
    bot = room.discord.bot.mention
    prompt = await reply_to(room, room.ola.say(thread, f"{bot} о 15"), thread)
    assert "**O15** isn't played yet" in prompt.content
    refused = await reply_to(room, room.maksim.say(thread, f"{bot} 5:3"), thread)
    assert "Ola's turn" in refused.content
    assert await room.version() == 0


async def test_what_could_be_a_score_is_none_of_a_player_who_waits(room: Room) -> None:
    thread = await room.start_match(size="9x9", start="empty")
    board = room.boards(thread)[-1]
    others = [person.say(thread, "5:3", reply_to=board) for person in (room.maksim, room.kasia)]
    refused = await reply_to(room, room.maksim.say(thread, "e3", reply_to=board), thread)
    assert "Ola's turn" in refused.content
    assert not any(replies_to(room, each, thread) for each in others)


async def test_a_numbered_move_is_the_one_that_it_names(room: Room) -> None:
    thread = await room.start_match(size="9x9", start="empty")
    await played(room, thread, "1. E5")
    assert "played **E5**" in (await room.wait_for_board(thread, 1)).content
    room.maksim.say(thread, "**1... d4**", reply_to=room.boards(thread)[-1])
    assert "played **D4**" in (await room.wait_for_board(thread, 2)).content
    assert "played **E6**" in (await answering_board(await by_form(room, thread, "2) e\u20606"))).content


async def played(room: Room, thread: Channel, text: str) -> None:
    await (await by_command(room, thread, text)).answered()
