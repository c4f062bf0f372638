"""No table keeps a user who was deleted, and the games of others stay whole."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from sqlalchemy import BigInteger, Column, delete, insert, select
from sqlalchemy.ext.asyncio import create_async_engine

from play.boards.own_board import OwnBoard
from play.boards.study import Member as StudyMember
from play.boards.study import Role, Study
from play.challenge.pool import Pool
from play.challenge.terms import Order, Owner, RuleSet, Terms
from play.clock import parse_control
from play.clock.clock import ReminderStep
from play.community.ban import Ban
from play.community.daily import DailyPlace, DailyPost, Run
from play.community.exercise import Kind
from play.community.friend_code import FriendCode
from play.community.greeting import Greeting
from play.community.happening import Happening, HappeningKind
from play.community.home import Home
from play.community.lesson import LessonState
from play.community.made_exercise import MadeExercise
from play.community.milestone import Milestone
from play.community.news import LogAction, LogEntry, News, NewsId, NewsKind
from play.community.operator import RestrictionKind
from play.community.prediction import Prediction
from play.community.roles import RoleGrant, RoleRewards
from play.community.seek import SeekCall, SeekId, meet
from play.community.shared_figures import FigurePart, SharedFigures
from play.community.streak import Streak
from play.competitions import league as leagues
from play.competitions.contest import ContestId, Side, sign_up
from play.competitions.ladder import Ladder
from play.competitions.league import League, first_season
from play.competitions.rounds import set_match
from play.competitions.tournament import Format, Tournament, TournamentId
from play.ids import (
    ChannelId,
    GuildId,
    IdempotencyKey,
    IdentityKind,
    MatchId,
    MessageId,
    Millis,
    OwnBoardId,
    Platform,
    RoleId,
    RuleSetId,
    UserId,
    ids_at,
    is_forgotten,
)
from play.match.adjudication import ProposedRuling, Ruling, RulingKind
from play.match.conditional_moves import ConditionalLine, ConditionalReply
from play.match.events import Notice, NoticeKind
from play.match.match import Match
from play.match.sheet import Sheet
from play.match.turn_tree import TriedTurn
from play.people.digest import Digest
from play.people.membership import Member
from play.people.own_accounts import LinkCode
from play.people.past_mistake import Finding, PastMistake, ReviewedGame
from play.people.settings import PlayerSettings, ServerSettings
from play.people.vacation import Vacation
from play.people.web_session import WebLink, WebSession, WebWatch
from play.posts import PostKind
from play.ratings.glicko import Rating
from play.ratings.settlement import RatedGame, rate
from play.votes import Choice, NewSide
from rules.dots import Dots, Setup
from rules.game import Outcome, Seat
from rules.registry import make_game
from storage import Database, schema
from storage.errors import Stale
from storage.privacy import NOBODY, USER_COLUMNS
from tests.clock import DAY, NOON, StoppedClock
from tests.databases import Fill
from tests.league import POOL
from tests.matches import BORIS, CLARA, GUILD, a_match, add_match, away_place
from tests.people import PLATFORM, person, server
from tests.play.competitions.contests import GUEST_TEAM, begin, invitation, member_of, signed_up
from tests.storage.test_role_rewards import Cloakroom
from use_cases import UseCases
from use_cases.competitions.tournaments import TournamentService
from use_cases.privacy import Privacy
from use_cases.votes import VoteGame
from use_cases.workers.role_sync import RoleSync

ME = person(771_000_111_222_333)
"""An id so long that no other number contains it."""

WON = MatchId(1)
"""A game that they won."""

OTHER_ACCOUNT = UserId(ids_at(next(each for each in Platform if each not in (PLATFORM, Platform.DISCORD)), NOON)[9])
"""Theirs on another platform."""

ELSEWHERE, AWAY = server(8), server(9)
VOTED = ChannelId(77)
"""The place of the game in which a vote of theirs was counted."""

ABOUT_THE_BOT = {"downtime", "heartbeat", "opening_backlog", "outage", "release", "sync_position"}
"""Tables that name neither users nor servers."""

GAME = make_game("zagram", {"size": "10x10"})
DOTS = Dots("zagram", 10, 10, Setup.CROSS)
TERMS = Terms(GAME, parse_control("1d"), rated=True)
EMPTY = pytest.mark.parametrize("fill", [None], ids=["empty"])
"""Marks a test that begins without the life."""

_sources, _channels = count(1), count(1)


@pytest.fixture
def fill() -> Fill:
    return live


@pytest.fixture
def use_cases(store: Database) -> UseCases:
    return UseCases.over(store, seeds=lambda: 4)


@pytest.fixture
def tournaments(use_cases: UseCases) -> TournamentService:
    return use_cases.tournaments


@pytest.fixture
def room() -> Cloakroom:
    return Cloakroom()


@pytest.fixture
def privacy(store: Database, use_cases: UseCases, room: Cloakroom) -> Privacy:
    return Privacy(use_cases, RoleSync(store, room))


async def live(url: str) -> None:
    async with Database.open(url, now=StoppedClock()) as store:
        await a_life(store)
        await voted(UseCases.over(store, seeds=lambda: 4))
        await solved(store)
        await solved_daily(store)
        await a_contest(store)
        operator = UseCases.over(store, seeds=lambda: 4).operator
        await operator.block("root", RestrictionKind.USER, ME, "rude")
        await operator.announce("root", {"en": "Hello"})
        async with store.write() as tx:
            newest = await tx.operator.newest_announcement()
            assert newest is not None
            await tx.operator.add_servers(newest, [GUILD], last=True)


async def begun(use_cases: UseCases, one: UserId = ME, other: UserId = BORIS) -> Match:
    challenge = await use_cases.challenges.challenge(one, other, GUILD, ChannelId(next(_channels)), TERMS, NOON)
    _, match = await use_cases.challenges.accept(challenge.id, other, NOON)
    assert match is not None
    for _ in range(2):
        user = match.players[match.position.to_act]
        move = str(next(iter(match.position.moves())))
        match = await use_cases.matches.move(match.id, user, move, NOON, IdempotencyKey(next(_sources)))
    return match


async def finished(use_cases: UseCases, one: UserId = ME, other: UserId = BORIS) -> Match:
    match = await begun(use_cases, one, other)
    return await use_cases.matches.resign(match.id, other, NOON, IdempotencyKey(next(_sources)))


async def a_cup(tournaments: TournamentService, channel: ChannelId, users: tuple[UserId, ...]) -> Tournament:
    """Stores a tournament that has begun."""
    cup = await tournaments.make(
        Tournament(TournamentId(0), GUILD, channel, ME, "Cup", Format.ROUND_ROBIN, TERMS, NOON, rounds=3)
    )
    for user in users:
        await tournaments.sign_up(cup.id, user)
    return await tournaments.begin(cup.id, NOON)


async def a_league(use_cases: UseCases, store: Database, guild: GuildId) -> None:
    """Stores a league that the user has opened, with a season of theirs."""
    opened = await use_cases.leagues.open(League(guild, ChannelId(908), ME, TERMS, first_season(NOON)))
    for user in (ME, BORIS, CLARA):
        opened = await use_cases.leagues.join(guild, user, NOON)
    begun = leagues.begin_season(opened, dict.fromkeys(opened.users, 1500.0), opened.begins, computer=True)
    async with store.write() as tx:
        await tx.leagues.save(begun, opened)


async def a_life(store: Database) -> None:
    """Stores all that can be stored about a user."""
    use_cases = UseCases.over(store, seeds=lambda: 4)
    tournaments = use_cases.tournaments
    won = await finished(use_cases)
    assert won.id == WON
    wrong = await finished(use_cases)
    await use_cases.moderation.void(wrong.id, CLARA, GUILD, NOON)
    judged = await finished(use_cases, BORIS, CLARA)
    await use_cases.moderation.void(judged.id, ME, GUILD, NOON)
    adjudged = await begun(use_cases, BORIS, CLARA)
    await use_cases.moderation.adjudge(adjudged.id, ME, GUILD, None, NOON, IdempotencyKey(next(_sources)))
    going = await begun(use_cases)
    await use_cases.challenges.challenge(ME, None, GUILD, ChannelId(900), TERMS, NOON)
    three = Terms(make_game("three", {}), parse_control("1d"))
    several = await use_cases.challenges.challenge(BORIS, None, GUILD, ChannelId(901), three, NOON)
    await use_cases.challenges.accept(several.id, ME, NOON)
    await a_cup(tournaments, ChannelId(906), (CLARA, BORIS, ME))
    cup = await a_cup(tournaments, ChannelId(902), (ME, BORIS, CLARA))
    climbing = use_cases.ladders
    await climbing.make(Ladder(GUILD, ChannelId(903), TERMS), ME)
    for user in (BORIS, ME):
        await climbing.join(GUILD, user, NOON)
    await climbing.challenge(GUILD, ME, BORIS, NOON)
    await climbing.make(Ladder(ELSEWHERE, ChannelId(904), TERMS), CLARA)
    for user in (ME, CLARA):
        await climbing.join(ELSEWHERE, user, NOON)
    await climbing.challenge(ELSEWHERE, CLARA, ME, NOON)
    await a_league(use_cases, store, GUILD)
    await a_league(use_cases, store, ELSEWHERE)
    await use_cases.leagues.leave(ELSEWHERE, ME, NOON)
    countered = await use_cases.challenges.challenge(BORIS, ME, GUILD, ChannelId(905), TERMS, NOON)
    await use_cases.challenges.change(countered.id, ME, replace(TERMS, rated=False), NOON, changes=0)
    await use_cases.blocks.block(ME, CLARA, NOON)
    await use_cases.blocks.block(CLARA, ME, NOON)
    await use_cases.bans.ban(Ban(AWAY, ME, CLARA, NOON, reason="rude"))
    await use_cases.bans.ban(Ban(AWAY, BORIS, ME, NOON, reason="late"))
    called = meet(await use_cases.seeks.look(ME, GUILD, ChannelId(907), TERMS, NOON), SeekId(99), NOON)
    entry = LogEntry(LogAction.BANNED, ME, ME, ("rude", ""))
    async with store.write() as tx:
        await tx.news.add(News(NewsId(0), NewsKind.LOGGED, GUILD, ChannelId(9), 0, NOON, entry=entry))
        for pairing in cup.current_pairings:
            if ME in (pairing.first, pairing.second) and pairing.second is not None:
                await tx.tournaments.save(set_match(cup, pairing, going.id), cup)
        await tx.people.save(PlayerSettings(ME, language="pl"))
        await tx.linked_accounts.put(ME, "token", NOON)
        await tx.identities.take(Platform.MATRIX, IdentityKind.PLACE, "!direct", NOON, user=ME)
        await tx.own_accounts.join("person", [ME, OTHER_ACCOUNT])
        await tx.own_accounts.put_code(LinkCode("ABCD", "digest", Millis(NOON + 1), user=ME), NOON)
        await tx.friend_codes.put(FriendCode("EFGH", "digest", Millis(NOON + 1), user=ME, seek=SeekId(1)), NOON)
        await tx.seeks.report(won.id, BORIS, ME, GUILD, NOON)
        await tx.seeks.save(called)
        await tx.seeks.note_calls(called, [SeekCall(MessageId(908), ChannelId(907), SeekId(1), ME, GUILD)])
        await tx.seeks.report(wrong.id, ME, BORIS, GUILD, NOON)
        await tx.seeks.keep_conduct(ME, Millis(NOON + 1))
        await tx.milestones.add(ME, [Milestone.GAMES_10], NOON)
        await tx.web.use(WebLink("1", ME, won.id, NOON, "key"))
        await tx.web.add_key(ME, "key")
        await tx.shared_figures.add(SharedFigures(ME, "unlisted", frozenset({FigurePart.RESULTS})))
        await tx.sheets.save(Sheet(won.id, ME, (TriedTurn(1, None, 0, Seat(0), "A1", "a cut"),), 2, version=1), NOON, 5)
        await tx.own_boards.add(OwnBoard(DOTS, "Cut", (TriedTurn(1, None, 0, Seat(0), "A1", "why"),), 2), ME, NOON)
        await tx.studies.add_chapter(await tx.studies.add(Study(ME, "mine", "Cuts")), OwnBoard(DOTS, "Cut"), NOON)
        await tx.studies.add(Study(ME, "server's", "Club", guild=GUILD))
        what = DOTS, Kind.CAPTURE, 2, ("A1", "B1"), "aa=,!", NOON
        await tx.made_exercises.add(MadeExercise(GUILD, ME, True, "Close it", "The gap", *what))
        theirs = await tx.studies.add(Study(BORIS, "theirs", "Nets"))
        chapter = await tx.studies.add_chapter(theirs, OwnBoard(DOTS, "Net"), NOON)
        await tx.studies.let_in(theirs, StudyMember(ME, Role.DRAWER))
        drawn = OwnBoard(DOTS, "Net", version=2, id=OwnBoardId(chapter))
        await tx.studies.draw(drawn, ME, IdempotencyKey(next(_sources)), NOON)
        await tx.web.add(WebSession("d", ME, NOON), 20)
        await tx.web.allow_watching(WebWatch(ME, judged.id, NOON, ChannelId(9)))
        await tx.web.add_launch(ME, judged.id, NOON)
        await tx.digests.put(Digest(ME, NOON, 0, NOON))
        await tx.lessons.save(ME, "capture", LessonState(NOON))
        await tx.past_mistakes.add_learner(ME, NOON)
        await tx.past_mistakes.add_review(ReviewedGame(ME, won.id, NOON, 3.0))
        await tx.past_mistakes.save(PastMistake.found(ME, won.id, Finding(1, ("A1",), ("A1",), 1.0, 3.0), 1, NOON))
        await tx.matches.set_quiet(going.id, going.seat_of(ME), quiet=True)
        await tx.rule_sets.add(RuleSet(RuleSetId(0), Owner(ME), "Mine", GAME))
        await tx.servers.save(ServerSettings(GUILD))
        await tx.greetings.put(Greeting(GUILD, ChannelId(70), NOON))
        await tx.plans.save(ConditionalLine(going.id, going.seat_of(ME), (ConditionalReply("a1", "a2"),)))
        await tx.role_rewards.save(RoleRewards(GUILD, POOL))
        rewards = await tx.role_rewards.get(GUILD)
        assert rewards is not None
        await tx.role_rewards.mark_granting(rewards, RoleGrant(ME, RoleId(31)))
        await tx.role_rewards.mark_granted(rewards, RoleGrant(ME, RoleId(31)))
        await tx.absences.add(ELSEWHERE, ME)
        await tx.homes.save(Home(GUILD, ChannelId(70)))
        await tx.happenings.plan(Happening(HappeningKind.TOURNAMENT, 1, GUILD, ChannelId(70), "Cup", NOON), NOON)
        await tx.homes.keep_places(GUILD, {ME: 1})
        await tx.vacations.add(Vacation(ME, NOON, Millis(NOON + DAY)))
        two = await tx.matches.add(a_match(908, (BORIS, CLARA), away=away_place(909)))
        await tx.rulings.put(ProposedRuling(two.id, GUILD, Ruling(RulingKind.ANNUL), NOON))
        notice = Notice(going.id, going.version, ME, NoticeKind.REMINDER)
        await tx.deadlines.mark_reminded(going, ReminderStep.MOST, notice)


async def voted(use_cases: UseCases) -> None:
    """A vote that was counted, and one that is open."""
    side = NewSide(GUILD, VOTED)
    for channel in (VOTED, ChannelId(78)):
        game = VoteGame(GUILD, channel, side, BORIS, Millis(DAY), replace(TERMS, order=Order.FIRST), CLARA)
        match = await use_cases.votes.begin(game, NOON)
        voter = Member(ME, GUILD, joined=Millis(NOON - DAY))
        ballot = await use_cases.votes.cast(match.id, voter, Choice.MOVE, "a1", NOON, IdempotencyKey(next(_sources)))
        if channel == VOTED:
            assert await use_cases.votes.settle(match, ballot.side)


async def solved(store: Database) -> None:
    """An answer to a puzzle, all that is stored of rushes, and a prediction."""
    async with store.write() as tx:
        connection = tx.connection
        puzzle = {"guild": GUILD, "day": "2025-06-15", "match": WON, "number": 1, "captures": 1.0}
        added = insert(schema.puzzle).values(**puzzle, answers=["a1"], solution=["a1"]).returning(schema.puzzle.c.id)
        number = (await connection.execute(added)).scalar_one()
        answer = {"puzzle": number, "user": ME, "answer": 0, "right": True, "at": NOON}
        await connection.execute(insert(schema.attempt).values(answer))
        rating = {"value": 1500.0, "deviation": 100.0}
        await connection.execute(insert(schema.solver).values(user=ME, **rating, volatility=0.06, at=NOON))
        await connection.execute(insert(schema.grade).values(task="e1", **rating))
        await connection.execute(insert(schema.tried).values(user=ME, task="e1", at=NOON))
        await tx.puzzles.note_figure(ME, Kind.NET, right=True)
        await tx.puzzles.note_solved(ME, 2025)
        rush = {"guild": GUILD, "begun": NOON, "tasks": ["e1"], "before": 1500.0, "answers": [0], "right": [True]}
        await connection.execute(insert(schema.rush).values(user=ME, **rush))
        best = {"guild": GUILD, "user": ME, "week": "2025-w24", "solved": 1}
        await connection.execute(insert(schema.best_rush).values(best))
        await tx.predictions.save(Prediction(WON, 0, ME, GUILD, 1, 0, NOON))


async def solved_daily(store: Database) -> None:
    """The daily of a day, solved on a server that has it posted."""
    async with store.write() as tx:
        await tx.dailies.add_run(Run("2025-06-15", ME, NOON))
        await tx.dailies.add_member("2025-06-15", GUILD, ME)
        await tx.dailies.save_streak(Streak(ME, 1, 1, "2025-06-15"))
        await tx.dailies.save_place(DailyPlace(GUILD, ChannelId(70)))
        await tx.dailies.add_post(DailyPost(GUILD, "2025-06-15", ChannelId(70)))


async def a_contest(store: Database) -> None:
    """Two contests of servers, one of which the user has begun and the other one accepted, and in which they play."""
    begun = begin(sign_up(signed_up(3, 2), member_of(ME, GUEST_TEAM.guild), Side.GUEST, NOON))
    async with store.write() as tx:
        for side, letters in ((Side.HOME, "1" * 12), (Side.GUEST, "2" * 12)):
            added = await tx.contests.add(invitation(letters=letters))
            managed = begun.with_team(side, replace(begun.team(side), manager=ME))
            await tx.contests.save(replace(managed, id=added.id, code=added.code), added)
        await tx.contests.set_listed(GUILD, listed=True)


async def traces(url: str) -> list[str]:
    """Returns the columns of all tables that still name the user."""
    engine, found = create_async_engine(url), []
    async with engine.connect() as connection:
        for table in schema.metadata.sorted_tables:
            for row in await connection.execute(select(table)):
                found += [f"{table.name}.{name}" for name, value in row._mapping.items() if str(ME) in str(value)]
    await engine.dispose()
    return found


async def empty_tables(url: str) -> set[str]:
    engine = create_async_engine(url)
    async with engine.connect() as connection:
        tables = schema.metadata.sorted_tables
        rows = {table.name: (await connection.execute(select(table).limit(1))).first() for table in tables}
    await engine.dispose()
    return {name for name, row in rows.items() if row is None}


def user_columns() -> set[str]:
    """Returns the columns that hold users' ids by their name, in whichever table."""
    names = {name for columns in USER_COLUMNS.values() for name in columns}
    columns = (column for table in schema.metadata.sorted_tables for column in table.columns)
    return {f"{column.table}.{column.name}" for column in columns if column.name in names and _holds_id(column)}


def _holds_id(column: Column[Any]) -> bool:
    return isinstance(column.type, BigInteger)


async def test_every_table_has_a_row_that_these_tests_look_into(url: str) -> None:
    assert await empty_tables(url) == ABOUT_THE_BOT


async def test_the_person_is_in_every_column_that_names_users(url: str) -> None:
    listed = {f"{table.name}.{column}" for table, columns in USER_COLUMNS.items() for column in columns}
    assert set(await traces(url)) == user_columns() == listed


async def test_a_person_gets_all_that_is_stored_of_him(privacy: Privacy) -> None:
    found = await privacy.export(ME)
    whole = {"event of seat", "plan of seat", "competition of post", "game of entrant", "chapter of study"}
    assert set(found) == whole | {table.name for table in USER_COLUMNS}
    assert {row["match"] for row in found["event of seat"]} >= {WON}


async def test_what_lets_the_bot_act_for_a_person_stays_with_it(privacy: Privacy) -> None:
    (linked,) = (await privacy.export(ME))["linked_account"]
    assert set(linked) == {column.name for column in schema.linked_account.c} - {"refresh"}


async def test_others_have_their_turn_while_a_person_gets_much(
    privacy: Privacy, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, turns = await privacy.export(ME), 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    monkeypatch.setattr("storage.privacy.ROWS_PER_YIELD", 1)
    task = asyncio.create_task(others())
    assert await privacy.export(ME) == whole
    task.cancel()
    assert turns > sum(map(len, whole.values()))


async def test_nothing_of_a_forgotten_person_is_left_but_what_others_have_decided_and_seen_of_them(
    privacy: Privacy, url: str
) -> None:
    await privacy.forget(ME, NOON)
    assert {*await traces(url)} == {"ban.user", "block.blocked", "past_conduct.user", "restriction.subject"}


async def test_a_ban_outlives_the_data_of_its_player_without_its_reason(privacy: Privacy, store: Database) -> None:
    await privacy.forget(ME, NOON)
    async with store.read() as reader:
        ban = await reader.bans.get(AWAY, ME)
    assert ban is not None
    assert (ban.reason, ban.until) == ("", None)


async def test_players_do_not_learn_who_has_blocked_them(privacy: Privacy) -> None:
    assert [row["user"] for row in (await privacy.export(ME))["block"]] == [ME]


async def test_the_games_of_others_stay_whole(privacy: Privacy, use_cases: UseCases) -> None:
    before = await use_cases.matches.load(WON)
    await privacy.forget(ME, NOON)
    after = await use_cases.matches.load(WON)
    assert after.position.score == before.position.score
    assert (after.events, after.outcome) == (before.events, before.outcome)
    assert [player == BORIS for player in after.players] == [player == BORIS for player in before.players]
    assert min(after.players) < 0


async def test_the_history_of_an_opponent_stays(privacy: Privacy, store: Database) -> None:
    async with store.read() as reader:
        before = await reader.careers.finished(BORIS, 0, 20)
    await privacy.forget(ME, NOON)
    async with store.read() as reader:
        after = {match.id: match for match in await reader.careers.finished(BORIS, 0, 20)}
    for match in before:
        assert (after[match.id].winners, after[match.id].scores) == (match.winners, match.scores)


@EMPTY
async def test_the_rating_of_an_opponent_stays(privacy: Privacy, use_cases: UseCases, store: Database) -> None:
    await finished(use_cases)
    pool = Pool.parse("dots-days")
    async with store.read() as reader:
        before = await reader.ratings.get(pool, [BORIS]), await reader.ratings.history(BORIS, pool, 9)
    await privacy.forget(ME, NOON)
    async with store.read() as reader:
        assert (await reader.ratings.get(pool, [BORIS]), await reader.ratings.history(BORIS, pool, 9)) == before


async def test_games_of_one_forgotten_person_do_not_tell_that_they_are(privacy: Privacy, store: Database) -> None:
    await privacy.forget(ME, NOON)
    async with store.read() as reader:
        games = await reader.careers.finished(BORIS, 0, 20)
    nobodies = [player for match in games for player in match.players if player < 0]
    assert len(nobodies) == len(set(nobodies)) > 2


@EMPTY
async def test_a_deleted_user_has_the_same_id_at_the_board_and_in_the_rating_change(
    privacy: Privacy, store: Database, use_cases: UseCases
) -> None:
    match = await add_match(store, a_match(1, (BORIS, ME)))  # BORIS is the computer, which has no rating
    game = RatedGame(
        *(match.id, POOL, match.players, Outcome((Seat(1),), "full"), (0.0, 1.0), (), NOON), computer=Seat(0), level=3
    )
    async with store.write() as tx:
        await tx.ratings.add_changes(rate(game, {ME: Rating()}))
    await privacy.forget(ME, NOON)
    async with store.read() as reader:
        changes = await reader.ratings.changes_of(match.id)
    assert [change.user for change in changes] == [(await use_cases.matches.load(match.id)).players[1]]


async def test_a_game_against_a_forgotten_person_can_still_be_annulled(
    privacy: Privacy, use_cases: UseCases, store: Database
) -> None:
    await privacy.forget(ME, NOON)
    await use_cases.moderation.void(WON, UserId(900), GUILD, NOON)
    async with store.read() as reader:
        annulled = await reader.careers.annulment_of(WON)
    assert annulled is not None
    assert BORIS in annulled.ratings


@EMPTY
async def test_what_was_read_of_a_tournament_before_a_deletion_is_not_stored(
    store: Database, tournaments: TournamentService
) -> None:
    cup = await a_cup(tournaments, ChannelId(907), (ME, BORIS, CLARA))
    async with store.write() as tx:
        await tx.privacy.forget(ME)
    with pytest.raises(Stale):
        async with store.write() as tx:
            await tx.tournaments.save(cup, cup)


async def test_what_was_read_of_a_home_before_a_deletion_is_not_stored(store: Database) -> None:
    async with store.read() as reader:
        home = await reader.homes.get(GUILD)
    assert home is not None
    async with store.write() as tx:
        await tx.privacy.forget(ME)
    with pytest.raises(Stale):
        async with store.write() as tx:
            await tx.homes.save(home)  # and the places that belong to it


async def test_what_a_person_begins_while_they_are_deleted_ends_as_well(
    store: Database, use_cases: UseCases, url: str
) -> None:
    class Slow:
        """Roles that take so long that the person challenges another meanwhile, once."""

        asked = 0

        async def revoke(self, _: UserId) -> None:
            self.asked += 1
            if self.asked == 1:
                await use_cases.challenges.challenge(ME, CLARA, AWAY, ChannelId(950), TERMS, NOON)

        def wake(self) -> None:
            """Does nothing."""

    await use_cases.blocks.unblock(CLARA, ME)
    await use_cases.blocks.unblock(ME, CLARA)
    await use_cases.bans.lift(AWAY, BORIS, ME, NOON)
    await use_cases.operator.lift("root", RestrictionKind.USER, ME)
    async with store.write() as tx:
        await tx.sql.execute(delete(schema.report).where(schema.report.c.user == ME))
        await tx.seeks.drop_past_conduct(Millis(NOON + 40 * DAY))
    roles = Slow()
    await Privacy(use_cases, roles).forget(ME, NOON)
    assert roles.asked == 2
    assert await traces(url) == []


async def test_the_table_of_a_league_stays(privacy: Privacy, use_cases: UseCases) -> None:
    before = await use_cases.leagues.load_season(await use_cases.leagues.look(GUILD), 1)
    await privacy.forget(ME, NOON)
    after = await use_cases.leagues.load_season(await use_cases.leagues.look(GUILD), 1)
    [deleted] = set(after.users) - set(before.users)
    assert deleted < 0
    assert after.divisions[0].gone == {deleted}
    assert [len(game.users) for game in after.games if deleted in game.users] == [2, 2]
    assert {game.taken for game in after.games} == {deleted, None}
    assert (await use_cases.leagues.load(GUILD)).users == (BORIS, CLARA)
    assert (await use_cases.leagues.load(GUILD)).keeper == NOBODY


async def test_the_standings_of_a_tournament_stay(privacy: Privacy, tournaments: TournamentService) -> None:
    await privacy.forget(ME, NOON)
    cup = await tournaments.load_newest(ChannelId(902))
    assert len(cup.users) == 3
    assert {row.user for row in cup.table} == set(cup.users)


@pytest.mark.parametrize("number", [2**20 - 1, 2**20, 2**30, 2**45])
@pytest.mark.parametrize("kind", ["tournament", "contest", "season"])
async def test_a_forgotten_person_becomes_no_side_however_many_tournaments_there_are(
    store: Database, kind: str, number: int
) -> None:
    entrant = schema.entrant.c
    async with store.write() as tx:
        one = {"kind": kind, "number": number}
        await tx.sql.add(schema.competition, {**one, "version": 0, "head": {}, "open": False})
        await tx.sql.add(schema.entrant, {**one, "place": 2, "user": ME})
        await tx.privacy.forget(ME)
        user = await tx.sql.value(select(entrant.user).where(entrant.kind == kind, entrant.number == number))
    assert is_forgotten(user)


@EMPTY
async def test_the_names_of_rule_sets_go_with_their_player(
    privacy: Privacy, use_cases: UseCases, tournaments: TournamentService, url: str
) -> None:
    named = replace(TERMS, rule_set=f"Rules of {ME}")
    challenge = await use_cases.challenges.challenge(ME, BORIS, GUILD, ChannelId(1), named, NOON)
    await use_cases.challenges.change(challenge.id, ME, replace(named, rated=False), NOON, changes=0)
    await use_cases.challenges.accept(challenge.id, BORIS, NOON)
    cup = Tournament(TournamentId(0), GUILD, ChannelId(2), ME, "Cup", Format.SWISS, named, NOON, rounds=3)
    await tournaments.make(cup)
    assert {"match.rule_set", "challenge.terms", "challenge.first", "competition.head"} <= set(await traces(url))
    await privacy.forget(ME, NOON)
    assert await traces(url) == []


async def test_a_substitute_may_take_the_seat_of_a_forgotten_person(privacy: Privacy, use_cases: UseCases) -> None:
    before = await use_cases.contests.load(ContestId(1))
    await privacy.forget(ME, NOON)
    after = await use_cases.contests.load(ContestId(1))
    number = before.number_of(ME)
    assert number is not None
    assert (after.players[number].left, after.players[number].user < 0) == (True, True)
    assert after.version == before.version + 1
    assert [each.user for each in after.players if each.user > 0] == [each.user for each in before.players][:-1]


async def test_a_manager_gets_nothing_of_the_other_server(privacy: Privacy) -> None:
    found = await privacy.export(ME)
    posts = [row for row in found["kept_post"] if row["kind"] == PostKind.CONTEST]
    assert [(row["side"], row["host"]) for row in posts] == [(Side.HOME, ME), (Side.GUEST, ME)]
    contests = [row for row in found["competition of post"] if row["kind"] == PostKind.CONTEST]
    assert len(contests) == 2
    for row in contests:
        assert not {"code", "guild", "channel", "host", "home", "guest"} & {*row, *row["head"]}
