"""The acts of managers, moderators and members in eight weeks, day by day. Each act is one of the people's, through
Discord; what must be so at once is asserted where it happens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable

from sqlalchemy import select

from loopback import Channel, Message, Person
from loopback.model import Role
from loopback.permissions import Permission
from play.community.prediction import windows
from play.competitions.league import League
from play.competitions.tournament import Tournament, TournamentId
from play.ids import IdempotencyKey, MatchId, UserId
from play.match.match import Match
from play.ratings.leaderboard import Season
from play.votes import has_side
from storage import schema
from tests.bot.eight_weeks.village import VOTERS, Village
from tests.bot.features.home.test_home import posts as home_posts
from tests.bot.features.home.test_home import settle
from tests.bot.panels import choose, confirm
from tests.bot.room import private_message, private_words

CUP = TournamentId(1)
LOUNGE = ("cup", "league", "arena", "ladder", "votes", "daily", "log")
"""Channels that the manager makes for what goes on."""


class Story(Village):
    """The two servers with what is set up there.

    `began` is the day on which all of it begins. `rowdy` is banned for a while; `leavers` leave the server; `annulled`
    are the games that a moderator annuls, and `judged` those with a result that a few made at will.
    """

    began: int
    lounge: dict[str, Channel]
    role: Role
    rowdy: Person
    leavers: list[Person]
    annulled: list[MatchId]
    judged: list[MatchId]

    async def set_up(self) -> None:
        """Opens everything: the contest between both, the rest on the first server."""
        ola, here = self.ola, self.guild
        self.began, self.annulled, self.judged = self.day, [], []
        self.rowdy, *self.leavers = self.players(here, 3)
        for person in (self.rowdy, *self.leavers):
            self.manners.pop(UserId(person.id))
        self.lounge = {name: self.room.discord.open_channel(name) for name in LOUNGE}
        for channel in (self.room.channel, *self.lounge.values()):
            self.room.discord.allow(channel, Permission.MANAGE_GUILD | Permission.MANAGE_MESSAGES, ola)
        await choose(ola, await self.settings("Log channel"), "log:channel", self.lounge["log"].id)
        await settle(self.room)
        await choose(ola, await self.settings("Daily puzzles"), "Channel of the daily puzzles", self.lounge["daily"].id)
        await self.begin_cup()
        asked = await private_message(ola.command(self.lounge["league"], "league open", size="10x10"))
        await ola.click(asked, "Open the league").followed()
        newcomers = self.players(here, 8, self.rowdy, *self.leavers)
        cup = [self.person(user) for user in (await self.cup()).users if user != self.rowdy.id]
        known = [each for each in cup if each not in newcomers][:6]
        await self.press([*newcomers, *known], await self.posted(self.lounge["league"], "League"), "Join")
        await private_words(ola.command(self.lounge["ladder"], "ladder create"))
        for person in self.players(here, 8, self.rowdy, *self.leavers):
            await private_words(person.command(self.lounge["ladder"], "ladder join"))
        await self.begin_votes()
        await self.begin_contest()

    async def settings(self, button: str) -> Message:
        """Opens a panel of the server's settings."""
        panel = await private_message(self.ola.command(self.room.channel, "settings server"))
        return await self.ola.click(panel, button).followed()

    async def begin_cup(self) -> None:
        options = {"name": "Autumn Cup", "format": "swiss", "size": "10x10", "clock": "1d", "rated": True}
        await private_words(self.ola.command(self.lounge["cup"], "tournament create", **options))
        card = await self.posted(self.lounge["cup"], "Autumn Cup")
        await self.press(self.players(self.guild, 12, self.rowdy), card, "Sign up")
        await private_words(self.ola.click(card, "Begin"))

    async def begin_votes(self, **options: object) -> Match:
        """Begins a game of the members against Максим."""
        votes, given = self.lounge["votes"], {"opponent": self.room.maksim, "quorum": 2, "size": "5x5", **options}
        asked = await private_message(self.ola.command(votes, "vote begin", **given))
        await self.ola.click(asked, "Ask them").followed()
        await self.room.maksim.click(self.room.discord.messages(votes)[-1], "Accept").followed()
        await self.rest()
        return await self.vote_game()

    async def begin_contest(self) -> None:
        given = {"size": "10x10", "pairs": 6, "days": 3, "signup": 2, "rated": True}
        told = await private_words(self.ola.command(self.here, "team challenge", **given))
        panel = await self.look(told.split("`")[1])
        await self.done(self.jadwiga.click(panel, "Przyjmij tutaj"))
        for guild, channel in ((self.guild, self.here), (self.zagroda.id, self.there)):
            await self.press(self.players(guild, 8), await self.posted(channel, "## 🤝"), "team:1:join")

    async def cup(self) -> Tournament:
        return await self.room.use_cases.tournaments.load(CUP)

    async def league(self) -> League:
        return await self.room.use_cases.leagues.load(self.guild)

    async def vote_game(self) -> Match:
        """Returns the newest game that members vote in on the first server."""
        return [each for each in await self.open_matches() if has_side(each)][-1]

    async def ask_moderator(self, command: str, answer: str, **options: object) -> str:
        """Has Ola do what a moderator is asked about first; returns the question."""
        asked = self.ola.command(self.room.channel, f"moderate {command}", **options)
        question = (await private_message(asked)).text
        await confirm(self.ola, asked, answer)
        return question

    async def predict(self, match: Match) -> None:
        """Lets members who neither vote nor play predict every result of a game."""
        picks = ("4", "2", "1", "-1", "-2", "-4")
        others = [each for each in self.members[self.guild][VOTERS:] if each.id not in match.players]
        for person, pick in zip(others, picks, strict=False):
            panel = await private_message(person.click(self.newest(match.channel), "Predict"))
            await choose(person, panel, "Who wins, and by how many dots?", pick)

    async def points(self) -> dict[int, int]:
        """Returns the points of predictions in this quarter and the one before."""
        points: Counter[int] = Counter()
        for season in ((now := Season.at(self.room.clock())), now.previous):
            table = await self.room.use_cases.predictions.table(self.guild, UserId(self.ola.id), season)
            for line in table.lines:
                points[line.user] += line.points
        return points


Happening = Callable[[Story], Awaitable[None]]


async def foretell(story: Story) -> None:
    """Members predict the vote game; who manages, plays or votes does not."""
    match = await story.vote_game()
    async with story.room.services.store.read() as reader:
        votes = await reader.sql.all(select(schema.vote.c.user))
    voter = next(row.user for row in votes if row.user not in (story.ola.id, story.room.maksim.id))
    for person, why in (
        (story.ola, "You manage this server"),
        (story.room.maksim, "You play this game"),
        (story.person(voter), "You vote in this game"),
    ):
        assert why in await private_words(person.click(story.newest(match.channel), "Predict"))
    await story.predict(match)


async def look_around(story: Story) -> None:
    """The home post names all that goes on."""

    def names_all() -> bool:
        story.room.bot.workers.homes.wake()
        parts = ("League", "Ladder", "🔮", "Autumn Cup")
        return any(all(part in str(home.components) for part in parts) for home in home_posts(story.room))

    await story.room.discord.until(names_all)


async def ban(story: Story) -> None:
    """A moderator bans a member, who is out of everything, and stays out."""
    user = UserId(story.rowdy.id)
    await story.ask_moderator("ban", "Ban from games", member=story.rowdy, **{"end-games": True})
    assert user not in (await story.league()).users
    assert user not in (await story.room.use_cases.ladders.load(story.guild)).users
    assert user in (await story.cup()).gone
    post = (await story.league()).message
    assert post is not None
    assert "banned you from games" in await private_words(story.rowdy.click(post, "Join"))
    assert "banned you" in await private_words(story.rowdy.command(story.lounge["ladder"], "ladder join"))


async def unban(story: Story) -> None:
    """The ban is lifted; the member joins again."""
    lift = story.ola.command(story.room.channel, "moderate unban", member=story.rowdy)
    assert "can play on this server again" in await private_words(lift)
    assert "You're in the league" in await private_words(story.rowdy.command(story.room.channel, "league join"))


async def annul(story: Story) -> None:
    """A moderator annuls a finished game of the league and one of the cup."""
    season = (await story.league()).season
    assert season is not None
    played = [game for game in season.games if game.points and game.match and not game.unplayed]
    rated = [pair for pair in (await story.cup()).pairings if pair.points and pair.match and not pair.unplayed]
    story.annulled = [number for number in (played[-1].match, rated[-1].match) if number]
    for number, where in zip(story.annulled, ("In the league", "In its tournament"), strict=True):
        assert f"{where}, it counts as a draw." in await story.ask_moderator("annul", "Annul game", game=number)


async def delete_channels(story: Story) -> None:
    """The thread of a running game is deleted, and the ladder's channel; Ola gives the ladder another one."""
    season = (await story.league()).season
    assert season is not None
    running = next(game.match for game in season.games if game.is_running and game.match)
    story.room.discord.delete_channel((await story.room.use_cases.matches.load(running)).channel)
    story.room.discord.delete_channel(story.lounge["ladder"])
    await private_words(story.members[story.guild][-1].command(story.room.channel, "ladder join"))
    story.room.bot.workers.standings.wake()
    told = await story.posted(story.ola.open_dm(), "**Ladder**")
    panel = await private_message(story.ola.click(told, "Choose another channel"))
    await story.ola.click(panel, "Choose another channel", [f"#{story.lounge['arena'].name}"]).answered()
    await story.posted(story.lounge["arena"], "Ladder")


async def leave(story: Story) -> None:
    for person in story.leavers:
        story.leave(person)


async def move_league(story: Story) -> None:
    """The manager moves the league, which its former message says."""
    former = await story.posted(story.lounge["league"], "Season 1 ends")
    asked = await private_message(story.ola.command(story.lounge["arena"], "league open"))
    assert "Move the league" in asked.text
    await story.ola.click(asked, "Move it here").followed()
    await story.rest()
    now = story.room.discord.message(former)
    assert now is not None
    assert "has moved to" in now.content
    assert now.controls == ()


async def begin_votes_of_role(story: Story) -> None:
    """Members with a role play Максим; others foretell it."""
    story.role = story.room.discord.make_role("Dots fans")
    for person in story.members[story.guild][:5]:
        person.add_role(story.role.id)
    await story.predict(await story.begin_votes(role=story.role, size="10x10"))


async def fall_silent(story: Story) -> None:
    story.silent = True


async def delete_role(story: Story) -> None:
    """After a day without a vote nothing is lost. The role is deleted, so all vote."""
    match = await story.vote_game()
    story.room.discord.delete_role(story.role)
    story.silent = False
    told = "The role that voted was deleted, so all members vote now."
    await story.room.discord.until(lambda: told in story.newest(match.channel).content)


async def resign_for_all(story: Story) -> None:
    """The manager resigns for the server, which brings no predictor a point."""
    before, match = await story.points(), await story.vote_game()
    await confirm(story.ola, story.ola.command(story.room.discord.channel(match.channel), "vote resign"), "Yes, resign")
    await story.rest()
    story.judged.append(match.id)
    assert await story.points() == before


async def resign_at_once(story: Story) -> None:
    """Another game is resigned in its first window, which brings no predictor a point."""
    before, match = await story.points(), await story.begin_votes()
    await story.predict(match)
    assert len(match.moves) < windows(match)[0].closes
    key = IdempotencyKey(next(story.keys))
    await story.room.use_cases.matches.resign(match.id, UserId(story.room.maksim.id), story.room.clock(), key)
    await story.rest()
    story.judged.append(match.id)
    assert await story.points() == before


async def restrict(story: Story) -> None:
    """Roles that may play keep members out, not the manager."""
    role = story.room.discord.make_role("Players")
    panel = await private_message(story.ola.command(story.room.channel, "settings server"))
    panel = await choose(story.ola, panel, "server:roles", role.id)
    joining = story.room.kasia.command(story.room.channel, "league join")
    assert f"<@&{role.id}>" in await private_words(joining)
    cards = await story.ola.click(panel, "What should happen here?").followed()
    assert "every permission" in (await story.ola.click(cards, "begin:contest").followed()).text
    await choose(
        story.ola, await private_message(story.ola.command(story.room.channel, "settings server")), "server:roles"
    )


async def judge_cup(story: Story) -> bool:
    """In the last round of the cup a moderator decides a game that was foretold, which brings no predictor a point;
    returns whether that is done."""
    cup = await story.cup()
    games = [await story.room.use_cases.matches.load(pair.match) for pair in cup.current_pairings if pair.match]
    foretold = [each for each in games if each.predictable and each.outcome is None]
    if not foretold:
        return False
    before, match = await story.points(), foretold[0]
    await story.predict(match)
    winner = story.person(match.players[0])
    await story.ask_moderator("end", "End game", game=match.id, winner=winner)
    await story.rest()
    story.judged.append(match.id)
    assert await story.points() == before
    return True


DAYS: dict[int, tuple[Happening, ...]] = {
    1: (foretell, look_around),
    14: (ban,),
    16: (leave,),
    18: (annul,),
    20: (delete_channels,),
    24: (move_league,),
    26: (unban,),
    30: (begin_votes_of_role,),
    31: (fall_silent,),
    32: (delete_role,),
    34: (resign_for_all, resign_at_once),
    40: (restrict,),
}
"""The happenings of each day, counted from that on which everything begins."""
