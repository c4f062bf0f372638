"""Questions that commands have asked: each is answered once, in time, by the user who was asked."""

from __future__ import annotations

import pytest

from bot.services.open_questions import MAX_AGE_MILLIS, MAX_OPEN, Asked, OpenQuestions
from play.ids import Millis, UserId
from play.refusal import Reason, Refused

ASKED, OTHER = UserId(1), UserId(2)


def asked(count: int = 1) -> OpenQuestions:
    """Returns so many questions to one user, asked at 0 and numbered from 0."""
    questions = OpenQuestions()
    for number in range(count):
        questions.add(number, Asked(ASKED, Millis(0), f"question {number}"))
    return questions


def test_an_answer_counts_once() -> None:
    questions = asked()
    assert questions.take(0, ASKED, Millis(MAX_AGE_MILLIS)) == "question 0"
    with pytest.raises(Refused, match=Reason.OLD_BUTTON):
        questions.take(0, ASKED, Millis(MAX_AGE_MILLIS))


@pytest.mark.parametrize(("number", "user", "at"), [(1, ASKED, 0), (0, OTHER, 0), (0, ASKED, MAX_AGE_MILLIS + 1)])
def test_another_question_another_user_and_a_late_answer_are_refused(number: int, user: UserId, at: int) -> None:
    questions = asked()
    with pytest.raises(Refused, match=Reason.OLD_BUTTON):
        questions.take(number, user, Millis(at))
    assert questions.take(0, ASKED, Millis(0)) == "question 0"


def test_the_oldest_question_makes_room() -> None:
    questions = asked(MAX_OPEN + 1)
    with pytest.raises(Refused):
        questions.take(0, ASKED, Millis(0))
    assert questions.take(1, ASKED, Millis(0)) == "question 1"
