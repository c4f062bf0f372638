"""The tables of a league in words: who dropped out is last, and arrows stand where they say something."""

from __future__ import annotations

from bot.markup import spoken
from play.competitions.season import Season, drop_out, enter_result
from play.match.points import WON
from presentation.league import DOWN, UP, table_lines
from tests.play.competitions.test_league import begin, opened, running, users

WORDS = spoken().of("en")
NAMES = {user: f"P{user}" for user in users(24)}


def decided(season: Season, index: int, games: int) -> Season:
    """Returns the season in which so many games of a division are won by the one who moved first."""
    for game in season.divisions[index].games[:games]:
        season = enter_result(season, index, game, WON)
    return season


def signs(season: Season, index: int) -> list[str]:
    return [line[0] for line in table_lines(season, index, NAMES, WORDS) if line[0] in UP + DOWN]


def test_arrows_stand_from_the_middle_of_a_season_and_where_a_player_can_go() -> None:
    season = running(begin(opened(24)))
    games = len(season.divisions[0].games)
    for index, expected in ((0, [DOWN] * 2), (1, [UP] * 2 + [DOWN] * 2), (2, [UP] * 2)):
        assert signs(decided(season, index, games // 2 - 1), index) == []
        assert signs(decided(season, index, games // 2), index) == expected


def test_who_dropped_out_stands_last_and_goes_nowhere_from_the_last_division() -> None:
    season = running(begin(opened(24)))
    leaver = season.divisions[2].users[0]
    played = decided(season, 2, len(season.divisions[2].games))
    *_, last, _ = table_lines(drop_out(played, leaver, season.begins), 2, NAMES, WORDS)
    assert last.startswith("8\\. ")
    assert f"P{leaver}" in last
    assert "dropped out" in last
