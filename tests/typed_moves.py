"""Texts that people type for moves, and beside them, with their meanings on a board of 39x32 in a live game."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class InChat(Enum):
    """The ways of an answer to a board."""

    PLAYED = "it is played at once"
    ASKED = "its player is asked first"
    REFUSED = "it was meant as a move, and is told to be none"
    TALK = "it is for other people"


class Typed(NamedTuple):
    """A text, the point that it names by every way to type, if any, and what becomes of it in a chat."""

    text: str
    point: str | None
    in_chat: InChat


def _all(in_chat: InChat, point: str | None, *texts: str) -> list[Typed]:
    return [Typed(text, point, in_chat) for text in texts]


PLAYED, ASKED, REFUSED, TALK = InChat

TABLE = (
    # A column and a row
    *_all(PLAYED, "K12", "K12", "k12", "12K", "12k", " K12 ", "K-12", "k-12", "12-k", "K.12", "12.K", "K,12", "K:12"),
    *_all(
        PLAYED, "K12", "K12.", "K12,", "K12;", "(K12)", "[K12]", "«K12»", "„K12“", '"K12"', "...K12", "— K12", "-K12"
    ),
    *_all(PLAYED, "K5", "K5)", "K5)))", "k05"),
    *_all(PLAYED, "AA7", "AA7", "aa7", "7AA", "Aa-7"),
    *_all(PLAYED, "K12", "К12", "к12", "12к", "Ｋ１２", "𝐊𝟏𝟐", "K１２", "K١٢"),
    *_all(PLAYED, "C5", "с5", "С5", "5с"),
    *_all(
        ASKED,
        "K12",
        "K 12",
        "k 12",
        "12 k",
        "12 K",
        "K - 12",
        "к 12",
        "K\t12",
        "K\n12",
        "K, 12",
        "12. K",
        "K/12",
        "12/K",
    ),
    # A number before it
    *_all(PLAYED, "E9", "1. E9", "1.E9", "1) E9", "1: E9", "1… E9", "1... E9", "1.. e9", "(1. E9)", "120. e-9"),
    *_all(PLAYED, "K5", "12. K5", "12) K5", "12)K5", "3: K5", "3:K5", "34... K5", "34...k5", "34. К5"),
    *_all(PLAYED, "AA7", "34... AA7", "1000. AA7"),
    *_all(ASKED, "E9", "1. E 9"),
    # Two numbers
    *_all(PLAYED, "K12", "11 12", " 11  12 ", "１１ １２", "11\n12"),
    *_all(ASKED, "K12", "11,12", "11, 12", "11;12", "11.12", "11-12", "11 - 12", "11–12", "11/12", "11|12", "11:12"),
    *_all(ASKED, "K12", "(11, 12)", "(11 12)", "11 12.", "[11;12]", "11 12)))"),
    *_all(ASKED, "J10", "10/10", "10:10", "10-10"),
    *_all(ASKED, "T30", "20:30", "20.30"),
    *_all(ASKED, "E3", "5:3", "5-3", "5 : 3"),
    # What nobody sees, and Discord's marks
    *_all(PLAYED, "E5", "E\u00ad5", "E\u200b5", "\u200eE5", "\u200fE5", "\u2068E5\u2069", "\u202eE5", "\ufeffE5"),
    *_all(PLAYED, "E5", "E\u20605", "E5\ufe0f", "\u2067E5\u2069\u200b", "\u3164E5", "E5\u2800"),
    *_all(ASKED, "E5", "E\u00a05", "E\u30005", "E\u202f5", "E\u20095", "E\u20035", "E\u20075", "E\u28005"),
    *_all(PLAYED, "E5", "`E5`", "```E5```", "*E5*", "**E5**", "***E5***", "_E5_", "__E5__", "~~E5~~", "||E5||"),
    *_all(PLAYED, "E5", "||**E5**||", "**`E5`**", "1. **E5**", "**1. E5**", "**(E5)**"),
    *_all(PLAYED, "K12", "**11** **12**", "`11 12`", "11\u00a012", "11\u300012", "11_12", "11*12"),
    # What may as well be talk: a preposition and an hour, a unit
    *_all(ASKED, "B5", "в 5", "В 5"),
    *_all(ASKED, "O5", "о 5", "o 5"),
    *_all(ASKED, "K7", "к 7", "k 7"),
    *_all(ASKED, "H5", "5 h"),
    *_all(ASKED, "A2", "1/2"),
    # Moves with a slip, and points that no board has
    *_all(REFUSED, None, "K1O", "K12!", "K12?", "Ж7", "7Ж", "ж 7", "K0", "0 3", "3 0", "07 06", "K+12", "K1234", "1½"),
    # No moves
    *_all(TALK, None, "", " ", "\u200b", "K", "12", "#12", "½", "3½ h", "1⁄2", "½K", "E5²", "K①②", "ß"),
    *_all(TALK, None, "17 or 18", "17 oder 18", "17 или 18", "17 або 18", "17 lub 18", "17 nebo 18", "15, no 16"),
    *_all(TALK, None, "5 k 12", "2 moves 5", "7 июня 12", "20 вечера 15", "11x12", "11×12", "11х12", "5+3", "5=3"),
    *_all(TALK, None, "1E9", "1 E9", "1 E 9", "K12K", "12K12", "K12 or L13", "E1 2", "B1.5", "C1-3", "C1 - 3", "A1/2"),
    *_all(TALK, None, "11..12", "11...12", "11 -> 12", "11--12", "11\u200b12", "11||12", "-5 3", "5%", "5 % 3"),
    *_all(TALK, None, "07.06", "07.06.2026", "2026-06-07", "7/6/26", "11 12 13", "20:05", "0:3", "1:0", "20:30:15"),
    *_all(TALK, None, "8:30 h", "10:15 am", "10:15am", "8:30 Uhr", "в 20:30", "um 8:30", "o 20:30", "12. 11 12"),
    *_all(TALK, None, "1) 2", "1. 2. 3.", "3: 4: 5", "AAA1", "1K5", "12. K5 13. L6", "stop 5", "+1", "-1"),
    *_all(TALK, None, "Кропка 12", "ход 12", "move 12", "5 dots", "K is 12", "K" * 33, "1" * 2000, "K" + "1" * 1999),
)
"""The table. Its empty texts are no messages."""
