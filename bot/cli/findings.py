"""Checks of `kropka doctor`: each asks one question, and answers it in plain sentences."""

from collections.abc import AsyncIterator, Callable
from enum import StrEnum
from typing import NamedTuple


class Mark(StrEnum):
    """How an answer is meant; the operator reads it at the beginning of the line."""

    GOOD = "ok"
    HINT = "hint"  # the bot works without it
    SKIPPED = "skip"  # it could not be asked, and the sentence says why
    BAD = "BAD"


class Answer(NamedTuple):
    """A sentence for the operator; one that is not good says what to do."""

    mark: Mark
    sentence: str


class Check(NamedTuple):
    """One question about one part. `look` yields the answers; it may raise CannotAsk, CannotTell, and anything else."""

    part: str
    question: str
    look: Callable[[], AsyncIterator[Answer]]


class CannotAsk(Exception):
    """The question does not arise, or another check has to be good first: the sentence says which."""


class CannotTell(Exception):
    """The question got no answer: the sentence says why, and what to do."""


def good(sentence: str) -> Answer:
    """Returns the answer that all is well."""
    return Answer(Mark.GOOD, sentence)


def hint(sentence: str) -> Answer:
    """Returns the answer that something could be better."""
    return Answer(Mark.HINT, sentence)


def bad(sentence: str) -> Answer:
    """Returns the answer that the operator has to act."""
    return Answer(Mark.BAD, sentence)


def judge(works: bool, sentence: str, advice: str) -> Answer:
    """Returns the sentence as a good answer, or with the advice as a bad one."""
    return good(sentence) if works else bad(f"{sentence}; {advice}")
