"""Contests of two servers in words: what the call of a game says."""

from __future__ import annotations

from dataclasses import replace

from bot.markup import spoken
from play.competitions.contest import Side
from presentation.contests import ContestView
from tests.play.competitions.contests import begin, signed_up


def test_the_call_of_a_game_says_on_both_servers_who_comes_in_as_a_substitute() -> None:
    contest = begin(signed_up())
    names = {number: f"P{number}" for side in Side for number, _ in contest.of_side(side)}
    board = replace(contest.boards[0], came=(Side.GUEST,))
    words = spoken().of("en")
    views = [ContestView(contest, side, ("Home", "Guest"), names, {}, words, contest.made) for side in Side]
    here, there = (view.call(board, "<@7>") for view in views)
    assert here.endswith("**P4** comes in as a substitute, and the game begins anew.")
    assert "You come in as a substitute, and the game begins anew." in there
    assert "substitute" not in views[0].call(contest.boards[0], "<@7>")
