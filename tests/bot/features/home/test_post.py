"""The text of a home post, with little and with as much as it may hold."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.features.home import HomePost
from bot.interactions.layout import MAX_COMPONENTS, Part, layout
from bot.services.messages import MAX_PANEL_TEXT
from play.challenge.challenge import Challenge
from play.challenge.terms import Terms
from play.clock import parse_control
from play.community.home import (
    MAX_CHALLENGES,
    MAX_GAMES,
    MAX_LEADERS,
    MAX_RESULTS,
    MAX_TOURNAMENTS,
    Home,
    HomeContent,
    HomeGame,
    HomeOffer,
    HomeRecord,
    HomeResult,
    HomeTournament,
    OfferKind,
)
from play.competitions.tournament import Format, TournamentId
from play.ids import ChallengeId, ChannelId, GuildId, MatchId, MessageId, Millis, UserId
from play.ratings.glicko import Rating
from play.ratings.leaderboard import Leader
from presentation.words.words import CATALOGUES, Words
from rules.game import Seat
from rules.registry import make_game
from tests.bot.room import Room
from tests.clock import DAY, NOON
from tests.league import POOL

BIG = 2**60
"""An id as long as Discord's are."""

MARKS = "*_~`|>[]()<#@:-+.!"
TERMS = Terms(make_game("zagram", {"size": "39x32", "start": "cross"}), parse_control("3d"))
QUIET = HomeContent((), 0, (), 0, None, (), None, (), (), (), None, "2026-11-22", True, 0, 0, None, "light")


def tournament(number: int = 1, **values: Any) -> HomeTournament:
    """Returns a tournament that takes players."""
    place = TournamentId(number), "Cup", ChannelId(BIG), MessageId(BIG)
    given = {"format": Format.SWISS, "round": 0, "pairs": 1, "begins": None, "ends": None, **values}
    return HomeTournament(*place, **given)


def leader(place: int, user: UserId) -> Leader:
    return Leader(place, user, Rating(1500.0 - place, 60.0, 0.06, NOON), 20)


def a_challenge(number: int, challenger: UserId, guild: GuildId) -> Challenge:
    return Challenge(
        ChallengeId(10**9 + number), guild, ChannelId(BIG), challenger, None, TERMS, NOON, message=MessageId(BIG)
    )


async def write(room: Room, content: HomeContent, language: str = "en") -> Any:
    """Returns the post as Discord gets it."""
    guild = GuildId(room.discord.guild.id)
    puzzle = await room.services.coach.posts.daily_puzzle(guild, ChannelId(room.general.id), room.clock())
    daily = await room.services.coach.posts.daily_card(guild, content.day)
    shown: list[Part] = [daily.text, daily.file, daily.buttons]
    words: Words = room.services.languages.of(language)
    home = Home(guild, ChannelId(room.general.id))
    return layout(await HomePost(room.services.names).parts(home, content, shown, puzzle, words, room.clock()))


def texts(view: Any) -> str:
    return "\n".join(part.content for part in view.walk_children() if hasattr(part, "content"))


async def test_a_tournament_says_when_it_begins(room: Room) -> None:
    tournaments = (
        tournament(begins=Millis(NOON + DAY)),
        tournament(),
        tournament(round=2),
        tournament(round=3, ends=Millis(NOON + DAY)),
        tournament(round=3, format=Format.KNOCK_OUT),
    )
    said = texts(await write(room, replace(QUIET, tournaments=tournaments)))
    when = f"<t:{(NOON + DAY) // 1000}:R>"
    for line in (
        f"sign-up is open · begins {when}",
        "sign-up is open\n",
        "round 2\n",
        f"round 3 · ends {when}",
        "): final",
    ):
        assert line in said


async def test_a_tournament_that_has_ended_says_who_won_it(room: Room) -> None:
    winners = tuple(UserId(room.discord.invite(name).id) for name in ("Zoë", "*Борис*"))
    result = HomeResult(TournamentId(1), "Cup", ChannelId(BIG), MessageId(BIG), winners)
    said = texts(await write(room, replace(QUIET, results=(result,))))
    assert "**Tournaments**\n🏆 [Cup](" in said
    assert ": **Zoë, \\*Борис\\***" in said


async def test_leaders_say_how_they_have_moved_since_yesterday(room: Room) -> None:
    people = [UserId(room.discord.invite(name).id) for name in ("Up", "Down", "Same", "Fresh")]
    leaders = tuple(leader(place, user) for place, user in enumerate(people, 1))
    places = {people[0]: 4, people[1]: 1, people[2]: 3}
    said = texts(await write(room, replace(QUIET, pool=POOL, leaders=leaders, places=places)))
    lines = [line for line in said.splitlines() if " · 1" in line]
    assert [line.split("·", 1)[1].strip() for line in lines] == ["1499 ▲3", "1498 ▼1", "1497", "1496 · new"]
    first_day = texts(await write(room, replace(QUIET, pool=POOL, leaders=leaders, places=None)))
    assert "▲" not in first_day
    assert "new" not in first_day


def offers(*players: UserId) -> tuple[HomeOffer, ...]:
    """Returns what can be joined besides tournaments, at the end of a long id."""
    place, until = ChannelId(BIG), Millis(NOON + DAY)
    return (
        HomeOffer(OfferKind.CONTEST, place, number=10**9, count=20, until=until, guest=GuildId(BIG)),
        HomeOffer(OfferKind.LEAGUE, place, count=120, until=until),
        HomeOffer(OfferKind.LADDER, place, count=120),
        HomeOffer(OfferKind.VOTE, place, number=10**9, count=100, until=until, players=players),
        HomeOffer(OfferKind.PREDICTION, place, number=10**9, players=players),
    )


async def test_each_thing_that_can_be_joined_has_a_line_and_a_button(room: Room) -> None:
    players = UserId(room.ola.id), UserId(room.kasia.id)
    view = await write(room, replace(QUIET, offers=offers(*players)))
    said = texts(view)
    assert "Nobody is playing yet" not in said
    for part in ("🤝 ", "🏟️ League · <#", "🪜 Ladder · <#", "🗳️ Ola – ", "🔮 Ola – "):
        assert part in said
    shown = [(str(part.emoji or ""), part.label) for part in view.walk_children() if getattr(part, "label", None)]
    for labelled in (("🤝", "Sign up"), ("🏟️", "Join"), ("🪜", "Join"), ("", "🗳️ Vote"), ("🔮", "Predict")):
        assert labelled in shown


async def test_a_tournament_that_takes_players_has_its_button_alone(room: Room) -> None:
    cup = HomeOffer(OfferKind.TOURNAMENT, ChannelId(BIG), 7)
    view = await write(room, replace(QUIET, tournaments=(tournament(),), offers=(cup,)))
    assert "tournament:7:join" in {getattr(part, "custom_id", None) for part in view.walk_children()}
    assert "Join in" not in texts(view)


async def fullest(room: Room) -> HomeContent:
    """Returns as much as a home may show, of people whose names are 32 marks."""
    guild = GuildId(room.discord.guild.id)
    names = [(MARKS[number:] + MARKS + MARKS)[:32] for number in range(len(MARKS))]
    people = [UserId(room.discord.invite(name).id) for name in names]
    pairs = [(people[number], people[number + 8]) for number in range(MAX_GAMES)]
    place = ChannelId(BIG), MessageId(BIG)
    games = [HomeGame(MatchId(BIG + number), *place, pair, Seat(0), NOON) for number, pair in enumerate(pairs)]
    cups = [tournament(n, begins=NOON) for n in range(MAX_TOURNAMENTS)]
    won = [HomeResult(TournamentId(n), (MARKS * 4)[:60], *place, tuple(people)) for n in range(MAX_RESULTS)]
    return replace(
        QUIET,
        games=tuple(games),
        games_count=1234,
        challenges=tuple(a_challenge(number, people[number], guild) for number in range(MAX_CHALLENGES)),
        challenges_count=50,
        pool=POOL,
        leaders=tuple(leader(number + 1, people[number]) for number in range(MAX_LEADERS)),
        places={},
        tournaments=tuple(replace(each, name=(MARKS * 4)[:60]) for each in cups),
        offers=offers(people[0], people[1]),
        results=tuple(won),
        record=HomeRecord(MatchId(BIG), *place, people[0], 123),
    )


@pytest.mark.sample(6)
@pytest.mark.parametrize("language", sorted(path.name for path in CATALOGUES.iterdir()))
async def test_the_fullest_home_fits_a_message_and_only_games_are_left_out(room: Room, language: str) -> None:
    view = await write(room, await fullest(room), language)
    parts = [*view.walk_children()]
    written = [part.content for part in parts if hasattr(part, "content")]
    games = written[1].count("](https://")
    assert len(parts) <= MAX_COMPONENTS
    assert sum(map(len, written)) <= MAX_PANEL_TEXT
    assert 0 < games < MAX_GAMES
    assert str(1234 - games) in written[1].splitlines()[-1]
    assert "\n".join(written[2:]).count("](https://") == MAX_CHALLENGES + MAX_TOURNAMENTS + MAX_RESULTS + 1
    assert not any(each.endswith("…") for each in written)
    assert len([part for part in parts if str(getattr(part, "custom_id", "")).startswith("home:")]) == MAX_CHALLENGES


async def test_all_games_are_named_where_names_are_of_usual_length(room: Room) -> None:
    content = await fullest(room)
    usual = tuple(replace(game, players=(UserId(room.ola.id), UserId(room.kasia.id))) for game in content.games)
    view = await write(room, replace(content, games=usual, tournaments=(), results=(), record=None))
    assert texts(view).count("Kasia Wiśniewska") == MAX_GAMES


async def test_no_mark_in_a_name_is_a_link_or_a_mention(room: Room) -> None:
    user = UserId(room.discord.invite("[a](https://x.org) <@1> **b** ").id)
    leaders = (leader(1, user),)
    cup = replace(tournament(), name="@everyone [a](https://x.org) ||b||")
    said = texts(await write(room, replace(QUIET, pool=POOL, leaders=leaders, tournaments=(cup,))))
    assert "](https://x" not in said
    assert "\\[a\\]\\(https\\://x\\.org\\) \\<\\@1\\> \\*\\*b\\*\\*" in said
    assert "@everyone" not in said.replace("\\@everyone", "")
    assert "||" not in said
