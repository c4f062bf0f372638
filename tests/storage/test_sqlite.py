"""SQLite: the safety of the file, and the indexes that find its rows."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import make_url, text
from sqlalchemy.exc import IntegrityError, OperationalError

from play.community.exercise import TaskId
from play.community.happening import HappeningKind
from play.competitions.tournament import TournamentId
from play.ids import ChannelId, GuildId, MatchId, Millis, SideId
from play.people.career import Visibility
from play.ratings.leaderboard import Season
from play.ratings.settlement import young_ids
from play.votes import Side
from rules.game import Seat
from storage import Database, migrate
from storage.sqlite import engines
from storage.sqlite_reader import SqliteReader
from storage.sqlite_writer import SqliteWriter
from storage.unit_of_work import Reader
from tests.clock import NOON
from tests.league import POOL
from tests.matches import ANNA, BORIS, GUILD, add_match, load_match
from tests.storage.plans import scans

Engines = tuple[SqliteWriter, SqliteReader]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "kropka.db"


@pytest.fixture
async def opened(sqlite_url: str) -> AsyncIterator[Engines]:
    async with engines(make_url(sqlite_url)) as (writer, reader, _):
        yield writer, reader


@pytest.mark.parametrize(("pragma", "value"), [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)])
async def test_the_writer_is_durable_and_checked(opened: Engines, pragma: str, value: object) -> None:
    async with opened[0].begin() as writer:
        assert (await writer.execute(text(f"PRAGMA {pragma}"))).scalar_one() == value


async def test_a_reader_cannot_write(opened: Engines) -> None:
    async with opened[1].connect() as reader:
        with pytest.raises(OperationalError, match="readonly"):
            await reader.execute(text("DELETE FROM outbox"))


async def test_a_row_cannot_refer_to_a_match_that_is_not_there(opened: Engines) -> None:
    async with opened[0].begin() as writer:
        with pytest.raises(IntegrityError, match="FOREIGN KEY"):
            await writer.execute(text('INSERT INTO outbox ("match", version) VALUES (1, 0)'))


async def test_a_writer_takes_its_turn_when_it_begins(opened: Engines, file: Path) -> None:
    other = sqlite3.connect(file, timeout=0, isolation_level=None)
    async with opened[0].begin():
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")
    other.close()


async def test_a_closed_database_is_one_file_without_a_log(file: Path) -> None:
    async with Database.open(f"sqlite+aiosqlite:///{file}") as store:
        await add_match(store)
    assert not file.with_name("kropka.db-wal").exists()


@pytest.mark.parametrize("name", ["a b", "50%", "a?b", "a#b", "точки"])
async def test_a_file_may_have_any_name(tmp_path: Path, name: str) -> None:
    file = tmp_path / f"{name}.db"
    async with Database.open(f"sqlite+aiosqlite:///{str(file).replace('%', '%25').replace('?', '%3F')}") as store:
        match = await add_match(store)
        assert (await load_match(store, match.id)).id == match.id
    assert file.exists()


@pytest.mark.parametrize(
    "url", ["sqlite+aiosqlite://", "sqlite+aiosqlite:///:memory:", "sqlite+aiosqlite:///k.db?mode=ro"]
)
async def test_a_database_in_memory_or_with_parameters_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="must be a file"):
        await migrate(url)


async def test_an_unknown_engine_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="mysql"):
        await migrate("mysql://somewhere/kropka")


SIDE = Side(SideId(1), MatchId(1), Seat(0), GUILD, ChannelId(1), None, Millis(1), 1, NOON)
SEASON, DAY = Season.at(NOON), "2025-06-15"
QUESTIONS: dict[str, tuple[Callable[[Reader], Awaitable[Any]], set[str]]] = {
    "open_matches": (lambda reader: reader.matches.open_of(ANNA), {"ix_seat_user_ended_match"}),
    "next_deadline": (lambda reader: reader.deadlines.next_deadline(), {"ix_match_deadline_open"}),
    "overdue": (lambda reader: reader.deadlines.overdue(Millis(0), 50), {"ix_match_deadline_open"}),
    "match_in": (lambda reader: reader.matches.in_channel(ChannelId(2)), {"ix_match_channel_ended"}),
    "match": (lambda reader: reader.matches.get(MatchId(1)), set()),
    "outdated_cards": (lambda reader: reader.challenges.cards_to_update(50), {"ix_challenge_id_outdated"}),
    "own challenges": (
        lambda reader: reader.challenges.list_open(challenger=ANNA),
        {"ix_challenge_challenger_open"},
    ),
    "challenges of a channel": (
        lambda reader: reader.challenges.list_open(channel=ChannelId(1)),
        {"ix_challenge_channel_open"},
    ),
    "matches of a deleted channel": (
        lambda reader: reader.matches.shown_in(ChannelId(1)),
        {"ix_match_channel_ended", "ix_match_deadline_open"},
    ),
    "expired_challenges": (lambda reader: reader.challenges.expired(Millis(0), 50), {"ix_challenge_expires_open"}),
    "person": (lambda reader: reader.people.get(ANNA), set()),
    "server": (lambda reader: reader.servers.get(GuildId(7)), set()),
    "next_reminder": (lambda reader: reader.deadlines.next_reminder(), {"ix_match_reminder_open"}),
    "to_remind": (lambda reader: reader.deadlines.reminders_due(Millis(0), 50), {"ix_match_reminder_open"}),
    "digests_due": (lambda reader: reader.digests.due(NOON, 50), {"ix_digest_due"}),
    "digest": (lambda reader: reader.digests.get(ANNA), set()),
    "quiet_seats": (lambda reader: reader.matches.quiet_seats(MatchId(1)), set()),
    "challenge_of": (lambda reader: reader.challenges.of_match(MatchId(1)), {"ix_challenge_match"}),
    "plan": (lambda reader: reader.plans.get(MatchId(1), Seat(0)), set()),
    "vacations": (lambda reader: reader.vacations.of_user(ANNA), set()),
    "lost": (lambda reader: reader.matches.is_lost(MatchId(1)), set()),
    "notice": (lambda reader: reader.outbox.next_notice(MatchId(1)), set()),
    "unannounced": (lambda reader: reader.outbox.next_entry(MatchId(1)), set()),
    "finished": (lambda reader: reader.careers.finished(ANNA, 0, 9), {"ix_seat_user_ended_match"}),
    "finished on a server": (
        lambda reader: reader.careers.finished(ANNA, 0, 9, sight=Visibility(guild=GUILD)),
        {"ix_seat_user_ended_match"},
    ),
    "finished with another user": (
        lambda reader: reader.careers.finished(ANNA, 0, 9, sight=Visibility(beside=BORIS)),
        {"ix_seat_user_ended_match", "uq_seat_user_match"},
    ),
    "count_quits on a server": (
        lambda reader: reader.careers.count_quits(ANNA, Millis(0), GUILD),
        {"ix_seat_user_ended_match"},
    ),
    "ratings_of on a server": (
        lambda reader: reader.ratings.of_user(ANNA, GUILD),
        {"ix_season_user", "ix_change_user_pool_at"},
    ),
    "rating_history on a server": (
        lambda reader: reader.ratings.history(ANNA, POOL, 9, GUILD),
        {"ix_change_user_pool_at"},
    ),
    "count_quits": (lambda reader: reader.careers.count_quits(ANNA, Millis(0)), {"ix_seat_user_ended_match"}),
    "count_rated": (
        lambda reader: reader.careers.count_open_rated(ANNA),
        {"ix_seat_user_ended_match", "ix_challenge_match"},
    ),
    "count_favors": (
        lambda reader: reader.careers.count_favorable_decisions(ANNA, Millis(0)),
        {"ix_seat_user_ended_match", "ix_challenge_match", "ix_annulment_user"},
    ),
    "annulled": (lambda reader: reader.careers.annulment_of(MatchId(1)), set()),
    "how many matches have begun": (lambda reader: reader.matches.count_begun(), {"SEARCH match"}),
    "how many matches go on": (
        lambda reader: reader.matches.count_open(),
        {"SEARCH match USING INDEX ix_match_deadline_open"},
    ),
    "tournament_in": (
        lambda reader: reader.tournaments.in_channel(ChannelId(1)),
        {"ix_kept_post_channel_kind_number"},
    ),
    "stirring_tournaments": (
        lambda reader: reader.tournaments.to_update(Millis(0), 50),
        {"ix_game_kind_match_undecided", "ix_competition_kind_due", "ix_kept_post_kind_edits_behind"},
    ),
    "stirring_contests": (
        lambda reader: reader.contests.to_update(Millis(0), 50),
        {"ix_game_kind_match_undecided", "ix_competition_kind_due", "ix_kept_post_kind_edits_behind"},
    ),
    "contests_of": (
        lambda reader: reader.contests.open_of_guild(GUILD),
        {"ix_kept_post_guild_kind_number"},
    ),
    "contests_with": (lambda reader: reader.contests.open_of(ANNA), {"ix_entrant_user"}),
    "contests_in": (
        lambda reader: reader.contests.open_in(ChannelId(1)),
        {"ix_kept_post_channel_kind_number"},
    ),
    "contests_of_a_season": (
        lambda reader: reader.contests.played(Millis(0), Millis(1), 9),
        {"ix_competition_kind_ended"},
    ),
    "contest_by_code": (lambda reader: reader.contests.by_code("x"), {"uq_competition_code"}),
    "tournament": (lambda reader: reader.tournaments.get(TournamentId(1)), set()),
    "ladder": (lambda reader: reader.ladders.get(GUILD), set()),
    "ladders_of": (lambda reader: reader.ladders.open_of(ANNA), {"ix_entrant_user"}),
    "decided_duels": (lambda reader: reader.ladders.decided_duels(50), {"ix_game_challenge"}),
    "untold_news": (lambda reader: reader.news.pending(50), set()),
    "due happenings": (lambda reader: reader.happenings.due(Millis(0), 50), {"ix_happening_due"}),
    "happening": (
        lambda reader: reader.happenings.get(GUILD, HappeningKind.TOURNAMENT, 1),
        {"uq_happening_guild_kind_key"},
    ),
    "due linked accounts": (lambda reader: reader.linked_accounts.due(Millis(0), 50), {"ix_linked_account_due"}),
    "completed games": (lambda reader: reader.careers.count_completed(ANNA), {"ix_seat_user_ended_match"}),
    "played games": (
        lambda reader: reader.careers.count_played(ANNA),
        {"ix_seat_user_ended_match", "event USING PRIMARY KEY"},
    ),
    "best division": (lambda reader: reader.leagues.best_division(ANNA), {"ix_entrant_user"}),
    "solved puzzles": (lambda reader: reader.dailies.count_solved(ANNA), {"ix_daily_run_user"}),
    "podium": (lambda reader: reader.role_rewards.get(GUILD), set()),
    "stirring_podiums": (
        lambda reader: reader.role_rewards.to_update(Millis(0), 50),
        {"ix_podium_guild_behind", "ix_podium_until"},
    ),
    "honours": (lambda reader: reader.role_rewards.grants_in(GUILD), set()),
    "honours_of": (lambda reader: reader.role_rewards.grants_of(ANNA), {"ix_honour_user"}),
    "ratings_of": (lambda reader: reader.ratings.of_user(ANNA), set()),
    "meetings": (
        lambda reader: reader.ratings.count_meetings(POOL, ANNA, BORIS, Millis(0)),
        {"ix_change_user_pool_at"},
    ),
    "meetings_from": (
        lambda reader: reader.ratings.count_meetings_with_new(POOL, ANNA, young_ids(NOON), Millis(0)),
        {"ix_change_user_pool_at"},
    ),
    "changes_of": (lambda reader: reader.ratings.changes_of(MatchId(1)), set()),
    "rating_history": (lambda reader: reader.ratings.history(ANNA, POOL, 9), {"ix_change_user_pool_at"}),
    "leaders": (
        lambda reader: reader.leaderboards.leaders(POOL, GUILD, 0, 9),
        {"ix_standing_guild_pool_listed", "ix_season_user"},
    ),
    "standing_of": (lambda reader: reader.leaderboards.leader(ANNA, POOL, GUILD), {"ix_season_user"}),
    "world_of": (
        lambda reader: reader.leaderboards.world(ANNA, POOL),
        {"ix_change_user_pool_at", "ix_seek_match"},
    ),
    "full_games_of": (lambda reader: reader.leaderboards.full_games(ANNA, POOL), {"ix_change_user_pool_at"}),
    "seasons": (
        lambda reader: reader.leaderboards.seasons([SEASON], POOL, GUILD),
        {"ix_season_guild_season_pool_points"},
    ),
    "line_of": (
        lambda reader: reader.leaderboards.line_number(ANNA, POOL, GUILD, None),
        {"ix_standing_guild_pool_listed"},
    ),
    "scorers": (
        lambda reader: reader.leaderboards.scorers(SEASON, POOL, GUILD, 0, 9),
        {"ix_season_guild_season_pool_points"},
    ),
    "line_of in a season": (
        lambda reader: reader.leaderboards.line_number(ANNA, POOL, GUILD, SEASON),
        {"ix_season_guild_season_pool_points"},
    ),
    "blocks": (lambda reader: reader.blocks.of_user(ANNA), {"PRIMARY KEY"}),
    "blocks_among": (lambda reader: reader.blocks.among([ANNA, BORIS]), {"block"}),
    "bans": (lambda reader: reader.bans.of_server(GUILD), {"PRIMARY KEY"}),
    "ban": (lambda reader: reader.bans.get(GUILD, ANNA), {"PRIMARY KEY"}),
    "stirring_ladders": (
        lambda reader: reader.ladders.to_update(NOON, 50),
        {"ix_competition_kind_due", "ix_kept_post_kind_edits_behind"},
    ),
    "stirring_leagues": (
        lambda reader: reader.leagues.to_update(NOON, 50),
        {"ix_game_kind_match_undecided", "ix_competition_kind_due", "ix_kept_post_kind_edits_behind"},
    ),
    "a season": (lambda reader: reader.leagues.season(GUILD, 1), {"ix_competition_league"}),
    "games of a season": (lambda reader: reader.leagues.places_of(GUILD, ANNA), {"ix_entrant_user"}),
    "everything": (
        lambda reader: reader.privacy.export(ANNA),
        {
            *("ix_event_by", "ix_challenge_challenger", "ix_challenge_opponent", "ix_challenge_by", "ix_joiner_user"),
            *(
                "ix_notice_user",
                "ix_annulment_user",
                "ix_annulment_by",
                "ix_season_user",
                "ix_kept_post_host",
                "ix_kept_post_keeper",
            ),
            *("ix_attempt_user", "ix_entrant_user"),
            *("ix_ban_user", "ix_news_by", "ix_news_subject"),
        },
    ),
    "open_challenges": (
        lambda reader: reader.challenges.open_of(ANNA),
        {"ix_challenge_challenger", "ix_challenge_opponent", "ix_joiner_user"},
    ),
    "involving": (
        lambda reader: reader.challenges.involving(ANNA, 20),
        {"ix_challenge_challenger", "ix_challenge_opponent", "ix_joiner_user"},
    ),
    "open_tournaments": (lambda reader: reader.tournaments.open_of(ANNA), {"ix_entrant_user"}),
    "a daily": (lambda reader: reader.dailies.run(DAY, ANNA), {"daily_run USING PRIMARY KEY"}),
    "how a day went on a server": (
        lambda reader: reader.dailies.tally(DAY, GUILD),
        {"daily_run USING PRIMARY KEY", "daily_member USING PRIMARY KEY"},
    ),
    "how many have solved the daily": (
        lambda reader: reader.dailies.count_solvers(DAY, GUILD),
        {"daily_run USING PRIMARY KEY", "daily_member USING PRIMARY KEY"},
    ),
    "has one solved the daily": (
        lambda reader: reader.dailies.has_solver(DAY, GUILD),
        {"daily_run USING PRIMARY KEY", "daily_member USING PRIMARY KEY"},
    ),
    "servers of a daily": (lambda reader: reader.dailies.guilds(DAY, ANNA), {"ix_daily_member_user"}),
    "streak": (lambda reader: reader.dailies.streak(ANNA), set()),
    "place of the daily": (lambda reader: reader.dailies.place(GUILD), set()),
    "dailies to post": (lambda reader: reader.dailies.due(NOON, 50), {"ix_daily_place_due"}),
    "post of the daily": (lambda reader: reader.dailies.post(GUILD, DAY), {"PRIMARY KEY"}),
    "last post of the daily": (lambda reader: reader.dailies.last_post(GUILD, DAY), {"PRIMARY KEY"}),
    "results of a day": (
        lambda reader: reader.dailies.results(DAY, 5),
        {"daily_member USING PRIMARY KEY", "daily_run USING PRIMARY KEY", "sqlite_autoindex_daily_place_1"},
    ),
    "lessons": (lambda reader: reader.lessons.of_user(ANNA), {"PRIMARY KEY"}),
    "mistake": (lambda reader: reader.past_mistakes.get(ANNA, MatchId(1), 3), {"PRIMARY KEY"}),
    "mistakes of a match": (lambda reader: reader.past_mistakes.numbers(ANNA, MatchId(1)), {"PRIMARY KEY"}),
    "due mistakes": (lambda reader: reader.past_mistakes.due(ANNA, 5, 9), {"ix_mistake_user_day"}),
    "how many mistakes are due": (lambda reader: reader.past_mistakes.count_due(ANNA, 5), {"ix_mistake_user_day"}),
    "how many mistakes return": (lambda reader: reader.past_mistakes.count(ANNA), {"ix_mistake_user_day"}),
    "mistakes answered right": (lambda reader: reader.past_mistakes.answered_right(ANNA, NOON), {"ix_mistake_user_at"}),
    "reviewed games": (lambda reader: reader.past_mistakes.reviewed(ANNA, NOON), {"ix_reviewed_user_at"}),
    "is a game reviewed": (lambda reader: reader.past_mistakes.is_reviewed(ANNA, MatchId(1)), {"PRIMARY KEY"}),
    "learner": (lambda reader: reader.past_mistakes.is_learner(ANNA), set()),
    "games to review": (
        lambda reader: reader.past_mistakes.unreviewed(Millis(0), NOON, 5, 9),
        {"ix_seat_user_ended_match", "reviewed USING PRIMARY KEY", "ix_reviewed_user_at"},
    ),
    "side": (lambda reader: reader.votes.side(SideId(1)), {"PRIMARY KEY"}),
    "sides of a match": (lambda reader: reader.votes.of_match(MatchId(1)), {"ix_side_match"}),
    "vote games of a server": (lambda reader: reader.votes.count_open(GUILD), {"ix_side_guild_open"}),
    "open sides of a server": (lambda reader: reader.votes.open_of_guild(GUILD, 10), {"ix_side_guild_open"}),
    "votes of a turn": (
        lambda reader: reader.votes.counts(SIDE, 3, NOON),
        {"uq_vote_side_version_user", "ban USING PRIMARY KEY"},
    ),
    "newest vote": (lambda reader: reader.votes.newest_of(ANNA, [SIDE]), {"ix_vote_user_side_version"}),
    "votes to count": (lambda reader: reader.votes.to_look_at(NOON, 50), {"ix_side_due_open", "ix_side_match_open"}),
    "next count": (lambda reader: reader.votes.next_look(), {"ix_side_due_open"}),
    "rush": (lambda reader: reader.rushes.of_user(ANNA), set()),
    "best rushes": (lambda reader: reader.rushes.best(GUILD, "2025-w25", 5), {"ix_best_rush_guild_week"}),
    "games to predict": (lambda reader: reader.predictions.open_games(GUILD, 5), {"ix_match_guild_ended"}),
    "predictions of a game": (lambda reader: reader.predictions.of_user(MatchId(1), ANNA), {"ix_prediction_user"}),
    "picks of a game": (lambda reader: reader.predictions.tallies(MatchId(1), GUILD, [0]), {"PRIMARY KEY"}),
    "best prediction": (lambda reader: reader.predictions.best(MatchId(1), GUILD), {"PRIMARY KEY"}),
    "table of predictions": (
        lambda reader: reader.predictions.table(GUILD, Season(2025, 2), 5),
        {"ix_prediction_guild_season_user"},
    ),
    "own line of predictions": (
        lambda reader: reader.predictions.line(GUILD, Season(2025, 2), ANNA),
        {"ix_prediction_guild_season_user"},
    ),
    "predictions to settle": (lambda reader: reader.predictions.unsettled(5), {"ix_prediction_unsettled"}),
    "puzzle rating": (lambda reader: reader.puzzles.skill(ANNA), set()),
    "ratings of puzzles": (lambda reader: reader.puzzles.grades([TaskId("e101")]), {"PRIMARY KEY"}),
    "met puzzles": (lambda reader: reader.puzzles.tried(ANNA), {"PRIMARY KEY"}),
    "puzzles of a server's games": (
        lambda reader: reader.puzzles.past(GUILD, DAY, ANNA, 40),
        {"uq_puzzle_guild_day", "uq_seat_user_match"},
    ),
}


@pytest.mark.parametrize("question", QUESTIONS)
async def test_a_question_goes_by_the_indexes_that_are_meant_for_it(filled_file: Path, question: str) -> None:
    ask, indexes = QUESTIONS[question]
    asked: list[tuple[str, Any]] = []
    async with Database.open(f"sqlite+aiosqlite:///{filled_file}") as store:
        assert isinstance(store._reader, SqliteReader)
        store._reader.watchers.append(lambda _, statement, values: asked.append((statement, values)))
        async with store.read() as reader:
            await ask(reader)
    connection = sqlite3.connect(filled_file)
    plan = [
        step
        for statement, parameters in asked
        if statement.startswith("SELECT")
        for *_, step in connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)
    ]
    connection.close()
    assert plan
    assert {index for index in indexes if index in " ".join(plan)} == indexes


@pytest.mark.parametrize(
    "step",
    ["SCAN seat", "SCAN seat USING INDEX uq_seat_user_match", "SEARCH seat USING AUTOMATIC COVERING INDEX (user=?)"],
)
def test_a_step_that_reads_a_table_that_grows_is_found(step: str) -> None:
    assert scans(["SEARCH match USING INTEGER PRIMARY KEY (rowid=?)", step]) == [step]


@pytest.mark.parametrize(
    "step",
    [
        "SEARCH seat USING INDEX uq_seat_user_match (user=?)",
        "SCAN game USING INDEX ix_game_challenge",
        "SCAN podium USING COVERING INDEX ix_podium_guild_behind",
        "SCAN anon_1",
    ],
)
def test_a_step_that_goes_by_an_index_or_reads_what_is_to_be_done_is_none(step: str) -> None:
    assert not scans([step])
