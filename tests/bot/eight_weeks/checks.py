"""Checks of what must be so when the eight weeks are over, counted anew from what was posted and stored."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from sqlalchemy import select

from bot.markup import spoken
from play.challenge.pool import pool_of
from play.competitions.contest import Stage as ContestStage
from play.competitions.league import Presence
from play.competitions.season import Season
from play.competitions.tournament import Stage
from play.ids import UserId
from play.match.points import DRAWN, LOST, WON
from play.votes import has_side
from presentation.contests import pair_text
from storage import schema
from tests.bot.eight_weeks.happenings import Story
from tests.bot.eight_weeks.village import TICK
from tests.clock import DAY

MAX_PINGS = 8
"""How often a member is pinged at most on the busiest day, but for boards on which it is their turn: those come as
often as they and their opponents move."""

WEEKS = 8
SOLVED = 6
"""Days of each week on which members solve the puzzles: then the server's streak ends."""

FIRST_MOVE_MISSED = "ran out before your first move"


async def check_all(story: Story) -> None:
    for check in (
        check_ends, check_leaderboards, check_contest, check_league, check_cup, check_annulled, check_predictions,
        check_daily,
    ):  # fmt: skip
        await check(story)
    check_log(story)
    check_pings(story)
    gone = [f" to {story.name(UserId(user))} tells" for user in story.away]  # of their games that go on
    assert [each for each in story.wall.violations if not any(name in each for name in gone)] == []


async def check_ends(story: Story) -> None:
    """Everything has ended that has an end."""
    use_cases = story.room.use_cases
    assert (await story.cup()).stage is Stage.ENDED
    assert (await use_cases.contests.load(story.id)).stage is ContestStage.ENDED
    assert not [match for match in await story.open_matches() if has_side(match)]
    assert (await season(story, 1)).ends < story.room.clock()
    assert all(game.points is not None for game in (await season(story, 1)).games)


async def season(story: Story, number: int) -> Season:
    async with story.room.services.store.read() as reader:
        found = await reader.leagues.season(story.guild, number)
    assert found is not None
    return found


async def check_leaderboards(story: Story) -> None:
    """Each server's are of its members, without games that were annulled."""
    async with story.room.services.store.read() as reader:
        rows = await reader.sql.all(select(schema.change.c.match, schema.change.c.guild, schema.change.c.user))
    for row in rows:
        assert row.user in {each.id for each in story.members[row.guild]}
    assert {row.guild for row in rows} == story.members.keys()
    assert not {row.match for row in rows} & {*story.annulled}


async def check_contest(story: Story) -> None:
    """The end is told on both servers with the score, to those who played and not to the managers."""
    contest = await story.room.use_cases.contests.load(story.id)
    score = pair_text(contest.score.boards, spoken().of())
    told = [each for each in story.said("🏁") if score in each.text]
    assert {each.channel_id for each in told} == {story.here.id, story.there.id}
    mentioned = {user for each in told for user in each.mentions}
    assert {user for board in contest.boards for user in contest.users_of(board)} <= mentioned
    assert not {story.ola.id, story.jadwiga.id} & mentioned


async def check_league(story: Story) -> None:
    """Those who dropped out come last; nobody unknown is seeded above a known player; who missed a first move was told
    each time, and is out after the second only."""
    first, second = await season(story, 1), await season(story, 2)
    for division in first.divisions:
        ranking = division.ranking
        assert {*ranking[len(ranking) - len(division.gone) :]} == division.gone
    assert story.rowdy.id in {user for each in first.divisions for user in each.gone}
    assert story.rowdy.id in second.users
    assert not {*second.users} & story.away.keys()
    known = await rated_before(story, first)
    places = [known[user] for user in first.users if user in known]
    assert places == sorted(places, reverse=True)
    assert any(places)
    assert not all(places)
    missed = Counter(user for each in story.said(FIRST_MOVE_MISSED) for user in each.mentions)
    assert missed
    out = {member.user for member in (await story.league()).members if member.presence is Presence.AWAY}
    assert out - story.away.keys() <= {user for user, times in missed.items() if times >= 2}


async def rated_before(story: Story, first: Season) -> dict[int, bool]:
    """Returns of each player of a season whether they had a rating at its games when it began, without those who got
    it at that very moment."""
    terms = (await story.league()).terms
    change = schema.change.c
    async with story.room.services.store.read() as reader:
        asked = select(change.user, change.at).where(change.pool == str(pool_of(terms.game, terms.control)))
        rows = await reader.sql.all(asked)
    since = {
        user: min((row.at for row in rows if row.user == user), default=story.room.clock()) for user in first.users
    }
    return {user: at < first.begins for user, at in since.items() if abs(at - first.begins) > TICK}


async def check_cup(story: Story) -> None:
    """Those who were banned or have left come last; who never moved is above no player with as many points who won."""
    cup = await story.cup()
    table = cup.table
    assert story.rowdy.id in cup.gone
    assert {row.user for row in table[len(table) - len(cup.gone) :]} == cup.gone
    moved = {user for user in cup.users if await has_moved(story, user)}
    played = [pair for pair in cup.pairings if pair.second is not None and not pair.unplayed]
    won = {pair.first if pair.points == WON else pair.second for pair in played if pair.points in (WON, LOST)}
    for above, below in pairwise(table):
        assert above.points != below.points or above.user in moved or below.user not in won


async def has_moved(story: Story, user: UserId) -> bool:
    for pair in (await story.cup()).pairings:
        if user in (pair.first, pair.second) and pair.match is not None:
            match = await story.room.use_cases.matches.load(pair.match)
            if any(match.players[move.seat] == user for move in match.moves):
                return True
    return False


async def check_annulled(story: Story) -> None:
    """An annulled game is a draw without a game, in the league and in the cup."""
    games = [(each.points, each.unplayed) for each in (await season(story, 1)).games if each.match in story.annulled]
    pairs = [(each.points, each.unplayed) for each in (await story.cup()).pairings if each.match in story.annulled]
    assert (games, pairs) == ([(DRAWN, True)], [(DRAWN, True)])


async def check_predictions(story: Story) -> None:
    """Points come from the first vote game alone; no prediction is left of what a few ended at will."""
    points = await story.points()
    assert max(points.values()) > 0
    assert len(story.judged) == 3
    async with story.room.services.store.read() as reader:
        rows = await reader.sql.all(select(schema.prediction.c.match))
    assert not {row.match for row in rows} & {*story.judged}
    assert len(story.said("predicted this game best")) == 1


async def check_daily(story: Story) -> None:
    """It was posted every day, and tells how each day went, with the server's streak."""
    found = story.said("Kropka Daily")
    posts = [each for each in found if each.channel_id == story.lounge["daily"].id]
    days = {(each.id >> 22) // DAY for each in posts}
    assert len(days) == len(posts) >= 7 * WEEKS
    shown = [now.content for each in posts if (now := story.room.discord.message(each)) is not None]
    recapped = sum("2 players here solved it" in text for text in shown)
    assert recapped >= SOLVED * WEEKS - 1  # the first day is begun after the hour of its post
    assert any("6 days in a row" in text for text in shown)
    assert not any("7 days in a row" in text for text in shown)


def check_log(story: Story) -> None:
    """Moderators' acts are in the log, in the language of the server."""
    entries = [each.text for each in story.posts if each.channel_id == story.lounge["log"].id]
    for part in (
        "Log channel",
        "banned",
        "let",
        "annulled game",
        "ended game",
        "role that voted",
        "Roles that may play",
    ):
        assert any(part in each for each in entries), part


def check_pings(story: Story) -> None:
    """Nobody is pinged too often, and who has left is pinged on the server no more."""
    busiest: dict[int, tuple[int, int]] = {}
    for day, pings in story.pings.items():
        for user, number in pings.items():
            busiest[user] = max(busiest.get(user, (0, 0)), (number, day))
    ranking = sorted(busiest.items(), key=lambda each: -each[1][0])
    lines = [f"{story.name(user)}: {number} on day {day - story.began}" for user, (number, day) in ranking]
    assert ranking[0][1][0] <= MAX_PINGS, "pings on each member's busiest day:\n" + "\n".join(lines)
    assert sorted(story.missing) == []
