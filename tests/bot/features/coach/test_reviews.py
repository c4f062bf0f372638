"""Reviews of finished games, with their turning points."""

from __future__ import annotations

import pytest

from bot.features.coach.reviews import summary_parts
from bot.markup import spoken
from loopback import Channel, Message
from opponent.choice import HARDEST, Budget, Choice
from opponent.purpose import Aim, Purpose
from opponent.review import Mistake, Review
from play.ids import IdempotencyKey, MatchId, UserId
from presentation.reviews import own_verdict
from rules.game import AnyPosition, Point, Seat, point_name
from tests.bot.features.coach.missed_capture import (
    MOVES,
    MissedCaptureEngine,
    finish_match,
    pad,
    picture_answer,
    play_moves,
)
from tests.bot.forging import click_on
from tests.bot.room import Room, private_words
from tests.bot.table import a_match
from tests.matches import resign
from tests.opponent.quick import Inside


@pytest.fixture
def engine() -> MissedCaptureEngine:
    return MissedCaptureEngine()


async def test_a_review_shows_the_turning_points_with_pictures_and_a_graph(room: Room) -> None:
    thread = await finish_match(room)
    review = await picture_answer(room.kasia.command(thread, "review"))
    assert "The game has 1 turning point." in review.text
    assert "**Move 11:** Ola played A1. **F3** would have captured E4, F4." in review.text
    assert "comes first" not in review.text
    assert "no big mistake" not in review.text
    assert [picture.description for picture in review.attachments] == [
        "A graph of the lead that each side could expect after each move.",
        "The board before move 11: A1 was played, F3 was better.",
    ]


async def test_a_review_is_shared_with_the_channel(room: Room) -> None:
    thread = await finish_match(room)
    review = await picture_answer(room.maksim.command(thread, "review"))
    assert "Shared" in await private_words(room.maksim.click(review, "Share here"))
    (shared,) = [each for each in room.discord.messages(thread) if "Shared by" in each.text]
    assert "**Move 11:** Ola played A1." in shared.text
    assert len(shared.attachments) == len(review.attachments)


async def test_a_player_without_a_mistake_is_told_so_above_the_turning_points(room: Room) -> None:
    thread = await finish_match(room)
    review = await picture_answer(room.maksim.command(thread, "review"))
    assert review.text.index("You made no big mistake") < review.text.index("**Move 11:** Ola played A1.")


async def own_review(room: Room) -> tuple[Channel, Message]:
    """Returns the thread of the match in which Ola missed a capture, and her review of it."""
    thread = await finish_match(room)
    return thread, await picture_answer(room.ola.command(thread, "review"))


async def test_a_player_is_first_asked_for_the_better_move_on_the_board(room: Room) -> None:
    _, review = await own_review(room)
    assert "**Your mistake 1 of 1** · move 11" in review.text
    assert "You played A1 and lost about 3 points from here. What is better?" in review.text
    assert len([label for label in review.labels if label.isdigit()]) > 9
    assert len(review.attachments) == 1
    assert "was better" not in (review.attachments[0].description or "")


async def test_the_better_move_is_right_also_after_a_restart(room: Room) -> None:
    _, review = await own_review(room)
    await room.restart()
    look = await room.ola.click(review, pad(review, "F3")).followed()
    told = await room.ola.click(look, "Play F3").followed()
    assert "✅ Right, **F3** is better than A1. It captures 2 dots: E4, F4." in told.text
    assert told.labels == ["Whole game", "All lessons"]


async def test_a_player_who_gives_up_is_shown_the_better_move(room: Room) -> None:
    _, review = await own_review(room)
    told = await room.ola.click(review, "Show the solution").followed()
    assert "**F3** is better than A1." in told.text
    assert told.attachments[0].description == "The board after F3, with a number on each of these dots."


async def test_after_the_own_mistakes_comes_the_whole_game(room: Room) -> None:
    _, review = await own_review(room)
    told = await room.ola.click(review, "Show the solution").followed()
    told = await room.ola.click(told, "Whole game").followed()
    assert "The game has 1 turning point." in told.text
    assert "no big mistake" not in told.text


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("pressed", "said"),
    [
        ("11.0:F3", "✅ Right, **F3** is better than A1."),
        ("11.:B2", "❌ **B2** doesn't do it."),
        ("11.2:?", "**F3** is better than A1."),
        ("11.", "**Your mistake 1 of 1** · move 11"),
    ],
    ids=["right", "wrong", "given up", "asked"],
)
async def test_a_message_with_moves_to_choose_from_still_answers(room: Room, pressed: str, said: str) -> None:
    _, review = await own_review(room)
    assert said in (await click_on(room, room.ola, review, f"match:1:1:better:{pressed}").followed()).text


async def test_thirty_clicks_leave_one_answer(room: Room) -> None:
    _, review = await own_review(room)
    look = await room.ola.click(review, pad(review, "F3")).followed()
    clicks = [room.ola.click(look, "Play F3") for _ in range(30)]
    for click in clicks:
        await click.answered()
    await room.discord.until(lambda: "✅" in getattr(room.discord.message(review), "text", ""))


async def test_both_players_have_their_own_mistakes_one_after_the_other(room: Room) -> None:
    room.thinkers = Hopeful
    await room.restart()
    thread = await finish_match(room)
    review = await picture_answer(room.maksim.command(thread, "review"))
    for place in (1, 2):
        assert f"**Your mistake {place} of 3**" in review.text
        told = await room.maksim.click(review, "Show the solution").followed()
        assert told.labels == ["Next mistake", "Whole game", "All lessons"]
        review = await room.maksim.click(told, "Next mistake").followed()
    assert "**Your mistake 3 of 3**" in review.text
    told = await room.maksim.click(review, "Show the solution").followed()
    assert told.labels == ["Whole game", "All lessons"]
    ola = await picture_answer(room.ola.command(thread, "review"))
    assert "**Your mistake 1 of" in ola.text
    assert ola.text != review.text


@pytest.mark.parametrize(
    ("end", "verdict"),
    [
        ((0, -6.2), "about 6 points slipped away little by little"),
        ((0, -0.4), ""),
        ((1, 3.0), "Well played"),
        ((1, -6.2), "about 6 points slipped away little by little"),
    ],
    ids=["lost bit by bit", "resigned for nothing", "won", "won after all"],
)
def test_nobody_is_praised_for_a_game_that_they_threw_away(end: tuple[int, float], verdict: str) -> None:
    (resigns, lead), match = end, a_match("zagram", "e5", "f6", "e6", "a1", size="9x9")
    found = Review(((0.0, 0.0), (lead, -lead)), ())
    said = own_verdict(resign(match, match.players[resigns]), found, Seat(0), spoken().of())
    assert verdict in said
    assert bool(said) is bool(verdict)


def test_a_player_with_a_big_mistake_and_one_of_a_cancelled_game_are_told_no_such_thing() -> None:
    match, words = a_match("zagram", "e5", "f6", "e6", "a1", size="9x9"), spoken().of()
    assert not own_verdict(match, Review(((0.0, 0.0),), ()), Seat(0), words)
    lost = Mistake(1, Seat(1), "E5", ("F5",), 2.0, 0.0)
    assert not own_verdict(resign(match, match.players[0]), Review(((0.0, 0.0),), (lost,)), Seat(1), words)


async def test_a_game_without_turning_points_says_so(room: Room) -> None:
    room.thinkers = Indifferent
    await room.restart()
    thread = await play_moves(room, MOVES[:4])
    await room.use_cases.matches.resign(MatchId(1), UserId(room.ola.id), room.clock(), IdempotencyKey(99))
    review = await picture_answer(room.kasia.command(thread, "review"))
    assert "No single move changed this game much." in review.text


async def test_a_game_of_three_promises_no_curve(room: Room) -> None:
    words = spoken().of()
    assert "curve" not in words("review.many", count=2)
    match = a_match("three", "e5", "f6", "e6", "a1", size="9x9")
    found = Review(((0.0,) * 3,), (Mistake(1, Seat(0), "E5", ("F5",), 2.0, 0.0),))
    (text, *_) = summary_parts(match, found, [Purpose(Aim.WAITS)], [b""], ("A", "B", "C"), words)
    assert text == "**Review.** The game has 1 turning point."


ONE_DOT = Purpose(Aim.CAPTURES, (Point(4, 4),), 1)


@pytest.mark.parametrize(
    ("purpose", "there", "told"),
    [
        (ONE_DOT, range(2, 22), "**F5** would have captured E5; it was there for 20 moves."),
        (ONE_DOT, range(2, 3), "**F5** would have captured E5."),
        (Purpose(Aim.SAVES, (Point(4, 4), Point(4, 5)), 2), range(0), "**F5** would have saved E5, E6."),
        (Purpose(Aim.WAITS), range(0), "**F5** was better, by about 2 points."),
    ],
)
def test_a_mistake_is_told_in_one_sentence(purpose: Purpose, there: range, told: str) -> None:
    match = a_match("zagram", "e5", "f6", "e6", "a1", size="9x9")
    slips = (Mistake(2, Seat(1), "F6", ("F5",), 2.0, 0.0, there=there), Mistake(4, Seat(1), "A1", ("F5",), 3.0, 0.0))
    found, purposes = Review(((0.0, 0.0),), slips), [Purpose(Aim.WAITS), purpose]
    for language in spoken().names:
        words = spoken().of(language)
        head, _, _, _, text, _ = summary_parts(match, found, purposes, [b""] * 3, ("A", "B"), words)
        assert words("review.order") in str(head)
        assert "F5" in str(text)
        assert language != "en" or text == f"**Move 2:** B played F6. {told}"


class Indifferent(Inside):
    """An engine to which all moves are alike."""

    async def choose(
        self, position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST, asker: int | None = None
    ) -> Choice:
        return Choice(str(next(iter(position.moves()))), 0.0, 0.5)


class Hopeful(Inside):
    """An engine that hopes for much of G7 at most moves, and for nothing after it."""

    async def choose(
        self, position: AnyPosition, budget: Budget | None, seed: int, level: int = HARDEST, asker: int | None = None
    ) -> Choice:
        stones = position.picture().stones
        if any(point_name(stone.point) == "G7" for stone in stones):
            return Choice("G6", -20.0, 0.0)
        return Choice("G7", float(len(stones) ** 2 % 11), 0.5)


async def test_a_review_is_made_once(room: Room, engine: MissedCaptureEngine) -> None:
    thread = await finish_match(room)
    await picture_answer(room.maksim.command(thread, "review"))
    thoughts = engine.thoughts
    await picture_answer(room.ola.command(thread, "review"))
    assert engine.thoughts == thoughts


async def test_a_game_that_goes_on_is_not_reviewed(room: Room) -> None:
    thread = await room.start_match()
    assert "game" in await private_words(room.ola.command(thread, "review"))
