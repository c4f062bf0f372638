"""What use cases announce: events after their commit, and entries of a server's log within it, which are posted as
news."""

from collections.abc import Callable
from typing import Any, Generic, ParamSpec, TypeVar

from play.boards.own_board import OwnBoard
from play.community.news import LogEntry, News, NewsId, NewsKind
from play.ids import ChannelId, ChapterId, GuildId, MatchId, Millis, UserId
from play.match.match import Match
from storage.unit_of_work import Transaction

P = ParamSpec("P")


class Event(Generic[P]):
    """One kind of announcement. A call publishes it."""

    def __init__(self) -> None:
        self._subscribers: list[Callable[P, object]] = []

    def subscribe(self, *subscribers: Callable[P, object]) -> None:
        """Adds subscribers, which are called in this order."""
        self._subscribers += subscribers

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Calls every subscriber. Raises what the first failing one raises."""
        for subscriber in self._subscribers:
            subscriber(*args, **kwargs)


class Events:
    """All announcements of one process.

    Attributes:
        match_changed: a match has a new version, or its newest version waits to be posted again.
        match_ended: the same of a match that is over.
        thread_closed: the thread of a running match may be closed to its players.
        challenges_changed: a challenge was accepted, changed or ended.
        rematch_changed: the card of a rematch of a match was posted, or it was answered or has ended.
        members_changed: a member has left a server, or is back.
        ladder_changed: a ladder was made or changed.
        league_changed: a league was opened or changed.
        guild_changed: games or offers of a server have changed, so that its home post may be outdated.
        home_set: a home is to be posted in another channel, or anew.
        greeting_added: a greeting waits to be posted.
        news_added: news wait to be posted.
        tournament_changed: a tournament was made or changed.
        contest_changed: a contest of two servers was made or changed.
        sessions_ended: a user's sessions of browsers have ended.
        session_ended: one session has ended, by its digest.
        account_linked: a user has linked their account for roles, or unlinked it.
        daily_set: a server has changed where and when the daily is posted.
        puzzle_answered: a member of a server has answered its daily puzzle.
        votes_changed: a vote was cast, or a vote goes on for lack of votes.
        seeks_changed: a search for a stranger has begun, or its player has answered a call.
        calls_answered: of players who were called to a game it is known what comes of that.
        arena_changed: an arena was opened or has changed, or a channel follows it.
        chapter_changed: a user has drawn on the board of a chapter, which has become this one.
        study_changed: the study at an address was changed, or who is in it.
        operator_acted: the operator has blocked, announced or lifted something.
    """

    def __init__(self) -> None:
        self.match_changed = Event[[Match]]()
        self.match_ended = Event[[]]()
        self.thread_closed = Event[[]]()
        self.challenges_changed = Event[[]]()
        self.rematch_changed = Event[[MatchId]]()
        self.members_changed = Event[[]]()
        self.ladder_changed = Event[[]]()
        self.league_changed = Event[[]]()
        self.guild_changed = Event[[GuildId | None]]()
        self.home_set = Event[[]]()
        self.greeting_added = Event[[]]()
        self.news_added = Event[[]]()
        self.tournament_changed = Event[[]]()
        self.contest_changed = Event[[]]()
        self.sessions_ended = Event[[UserId]]()
        self.session_ended = Event[[str]]()
        self.account_linked = Event[[]]()
        self.daily_set = Event[[]]()
        self.puzzle_answered = Event[[GuildId]]()
        self.votes_changed = Event[[MatchId]]()
        self.seeks_changed = Event[[]]()
        self.calls_answered = Event[[]]()
        self.arena_changed = Event[[]]()
        self.chapter_changed = Event[[ChapterId, OwnBoard, UserId]]()
        self.study_changed = Event[[str]]()
        self.operator_acted = Event[[]]()
        self.match_changed.subscribe(self._publish_more)
        self.puzzle_answered.subscribe(self.guild_changed)

    def _publish_more(self, match: Match) -> None:
        self.guild_changed(match.guild)
        if match.away is not None:
            self.guild_changed(match.away.guild)
        if match.outcome:
            self.match_ended()


UseCase = TypeVar("UseCase", bound=Callable[..., Any])


def logged(use_case: UseCase) -> UseCase:
    """Marks what managers and moderators alone do: it leaves an entry in the log of their server, in its
    transaction."""
    use_case.is_logged = True  # type: ignore[attr-defined]
    return use_case


async def log_entry(
    tx: Transaction,
    guild: GuildId,
    entry: LogEntry,
    at: Millis | None = None,
    about: int = 0,
    *,
    channel: ChannelId | None = None,
) -> None:
    """Stores an entry to be posted in the log channel of a server, or in `channel`; nothing where there is none.

    It is of now, if no time is given. `about` is the match, if the entry is about one.
    """
    there = channel or (await tx.servers.get(guild)).log_channel
    if there is not None:
        made = at or await tx.clock.now()
        await tx.news.add(News(NewsId(0), NewsKind.LOGGED, guild, there, about, made, entry=entry))
