"""The chat and database that commit c3713417 has left in the middle of everything (tests/data/c3713417): old buttons
answer, and all that was going on ends as it should, on both engines."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final, NamedTuple

import pytest
import pytest_asyncio

from loopback import Message, Person
from loopback.ids import made_at
from play.community.prediction import FIRST_MOVES
from play.competitions.contest import ContestId
from play.competitions.contest import Stage as ContestStage
from play.competitions.tournament import Stage, TournamentId
from play.ids import DAY, GuildId, IdempotencyKey, MatchId, UserId
from storage.transfer import transfer
from tests.bot.reopened import Notes, reopened
from tests.bot.room import Room, private_words
from tests.left import LEFT, restore_file
from tests.postgres import Postgres
from use_cases.match_writer import retry_on_conflict

pytestmark = [pytest.mark.contest, pytest.mark.asyncio(loop_scope="module")]

NOTES: Final = Notes.read(LEFT)
VOTED, FINAL = MatchId(29), MatchId(28)
DAYS: Final = 17


class Press(NamedTuple):
    """A button of an old message, who presses it, and how its answer begins."""

    by: str
    control: str
    answer: str


KASIA: Final = "Kasia Wiśniewska"
PRESSES: Final = (
    Press(KASIA, "league:tables", "### Season 1 · Division 1"),
    Press("Ola", "team:1:leave", "**Leave the contest for Kropka try\\-out?**"),
    Press("Zofia", "team:1:leave", "**Wycofać się z drużyny serwera Zagroda?**"),
    *(Press("Ola", f"tournament:{number}:withdraw", "**Withdraw from Cup") for number in (1, 2, 3, 4, 6)),
    Press(KASIA, "tournament:5:join", "You're signed up."),
    Press("Ola", "tournament:5:terms", "### Terms of this tournament's games"),
    Press("Максим", "ladder:challenge", "You can't challenge anyone right now."),
    Press("Ola", "challenge:29:0:ask", "**Decline this ladder game?** Declining costs you place 1"),
    Press(KASIA, "daily:open", "🧩 **Kropka Daily**: puzzle 1 of 3"),
    Press(KASIA, "welcome:challenge", "### Your new challenge"),
    Press(KASIA, f"match:{VOTED}:0:more", "What you can vote for now:"),
    Press(KASIA, f"match:{FINAL}:0:predict", "### Ola – Максим\nYou can predict the result before move 20."),
)


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=["sqlite", "postgres"])
async def room(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Room]:
    """The bot at work on what was left."""
    url = None
    if request.param == "postgres":
        server: Postgres = request.getfixturevalue("postgres")
        url = await server.create("left")
        await transfer(restore_file(tmp_path_factory.mktemp("file")), url)
    async with reopened(LEFT, tmp_path_factory.mktemp("left"), url) as (room, _):
        yield room


def message_with(person: Person, control: str) -> Message:
    """Returns the message with a button that a person sees."""
    seen = (each for channel in person.channels for each in person.sees(channel))
    return next(each for each in seen if control in [part["custom_id"] for part in each.controls])


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def answers(room: Room) -> dict[Press, str]:
    """The answer to each press, in their order: what follows doesn't depend on which tests were chosen."""

    async def answer(press: Press) -> str:
        person = room.discord.people[press.by]
        return await private_words(person.click(message_with(person, press.control), press.control))

    return {press: await answer(press) for press in PRESSES}


@pytest.mark.parametrize("press", PRESSES, ids=lambda press: f"{press.by}: {press.control}")
async def test_an_old_button_answers(answers: dict[Press, str], press: Press) -> None:
    assert answers[press].startswith(press.answer)


async def rest(room: Room) -> None:
    """Lets the bot work until no competition waits."""

    async def is_calm() -> bool:
        for worker in room.bot.workers.all:
            worker.wake()
        await room.wait_for_handlers()
        await room.wait_for_outbox()
        async with room.services.store.read() as reader:
            for kind in (reader.tournaments, reader.leagues, reader.contests, reader.ladders):
                if await kind.to_update(room.clock(), 1):
                    return False
            return not await reader.ladders.decided_duels(1)

    await room.until(is_calm)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def later(room: Room, answers: dict[Press, str]) -> Room:
    """The same after so many days that all is over by the clocks. Nobody moves any more but in the final."""
    final = await room.use_cases.matches.load(FINAL)
    for number in range(FIRST_MOVES):
        user, move = final.players[final.position.to_act], str(next(iter(final.position.moves())))
        final = await room.use_cases.matches.move(FINAL, user, move, room.clock(), IdempotencyKey(10**8 + number))
    await room.use_cases.matches.resign(FINAL, final.players[1], room.clock(), IdempotencyKey(10**9))
    for _ in range(DAYS):
        await retry_on_conflict(lambda: room.pass_time(DAY))  # the bot notes the time as well
        await rest(room)
    return room


def channel(room: Room, place: str) -> list[Message]:
    """Returns the messages in a channel."""
    return room.discord.messages(room.discord.channel(NOTES.places[place]))


def guild_of(room: Room) -> GuildId:
    return GuildId(room.discord.guild.id)


@pytest.mark.parametrize(
    ("number", "place"), [*enumerate(("round-robin", "swiss", "knock-out", "exhibition", "sign-up", "final"), 1)]
)
async def test_a_tournament_ends_in_its_old_message(later: Room, number: int, place: str) -> None:
    now = await later.use_cases.tournaments.load(TournamentId(number))
    [card] = [each for each in channel(later, place) if each.content.startswith("## 🏁 Cup")]
    assert now.message == card.id
    if place == "sign-up":
        assert (now.stage, now.users) == (Stage.SIGN_UP, (UserId(later.kasia.id),))
        return
    assert now.stage is Stage.ENDED
    assert all(pair.points for pair in now.pairings)
    assert [each.content for each in channel(later, place) if "is over" in each.content]


async def test_the_season_of_the_league_ends(later: Room) -> None:
    league = await later.use_cases.leagues.load(guild_of(later))
    season = await later.use_cases.leagues.load_season(league, 1)
    assert len([game for game in season.games if game.points]) == 15
    assert league.season is not None
    assert (league.season.number, len(league.members)) == (2, 6), "one missed first move puts nobody out"
    said = [each.content for each in later.discord.messages(later.channel)]
    assert [each for each in said if "Season 1 of the league is over" in each]


@pytest.mark.parametrize(("number", "places"), [(1, ("here", "there")), (2, ("here", "chutor"))])
async def test_a_contest_ends_on_both_servers(later: Room, number: int, places: tuple[str, str]) -> None:
    contest = await later.use_cases.contests.load(ContestId(number))
    assert contest.stage is ContestStage.ENDED
    for side, place in zip(contest.sides, places, strict=True):
        team = contest.team(side)
        assert (team.told, team.shown) == ("ended", contest.version)
        assert team.message in [each.id for each in channel(later, place)]


async def test_a_challenge_that_nobody_answers_takes_the_place_on_the_ladder(later: Room) -> None:
    ladder = await later.use_cases.ladders.load(guild_of(later))
    assert ladder.users == tuple(UserId(person.id) for person in (later.kasia, later.ola, later.maksim))
    [standing] = [each for each in later.discord.messages(later.general) if each.content.startswith("## 🪜 Ladder")]
    assert ladder.message == standing.id
    assert standing.content.index("Kasia") < standing.content.index("Ola")


async def test_an_old_vote_is_counted(later: Room) -> None:
    match = await later.use_cases.matches.load(VOTED)
    assert (match.events[0].text, match.outcome is None) == ("C3", False)


async def test_an_old_prediction_is_settled(later: Room) -> None:
    async with later.services.store.read() as reader:
        best = await reader.predictions.best(FINAL, guild_of(later))
    assert best is not None
    assert best[0] == later.kasia.id


async def test_home_and_daily_are_posted_anew(later: Room) -> None:
    for place in ("home", "daily"):
        newest = max(each.id for each in channel(later, place))
        assert made_at(newest) > (NOTES.at + DAY) / 1000
