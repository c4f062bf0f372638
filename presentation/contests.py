"""Contests of two servers in words, as one of the servers reads them, and their results as a picture."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from play.competitions.contest import CANCEL_MILLIS, Board, Contest, Kind, PlayerNumber, Side, Stage
from play.competitions.contest_season import SeasonRow
from play.ids import DAY, ChannelId, GuildId, MatchId, Millis
from play.votes import USUAL_NIGHT
from presentation.terms import describe_terms
from presentation.text import cut_names
from presentation.words.words import Words
from renderer.crosstable import Cell, CrossLine, Result, crosstable
from renderer.theme import Theme

MAX_NAMES = 900
"""Characters of the names of those who have signed up: half of what a message holds."""


@dataclass(frozen=True, slots=True)
class ContestView:
    """A contest as the server of `side` reads it.

    `servers` and `players` are names, escaped for a text and plain for a picture. `channels` are those of its games on
    this server. `length` is about how long its games take.
    """

    contest: Contest
    side: Side
    servers: tuple[str, str]
    players: Mapping[PlayerNumber, str]
    channels: Mapping[MatchId, ChannelId]
    words: Words
    now: Millis
    length: Millis | None = None

    @property
    def result(self) -> str:
        """The boards that both sides have won, as `6½:3½`."""
        return pair_text(self.contest.score.boards, self.words)

    def lines(self) -> list[str]:
        """Returns the lines of the message that shows the contest."""
        contest, words = self.contest, self.words
        home, guest = self.servers
        lines = [words("team.title", home=home, guest=guest), *terms_lines(contest, words)]
        if self.length is not None and (contest.stage is Stage.SIGN_UP or contest.kind is Kind.VOTE):
            lines.append(length_line(contest, self.length, words))
        if contest.stage is Stage.SIGN_UP:
            return [*lines, *self._sign_up()]
        if contest.stage is Stage.CANCELLED:
            lines.append(words(f"team.cancelled.{contest.cause}"))
        if contest.boards:
            lines.append(self.score())
        if contest.stage is Stage.ENDED:
            lines.append(self.verdict())
        lines += map(self._board, contest.boards)
        if contest.stage is Stage.RUNNING:
            lines += self._notes()
        return lines

    def verdict(self) -> str:
        """Returns who has won a contest that has ended."""
        winner = self.contest.score.winner
        return self.words("team.drawn") if winner is None else self.words("team.won", name=self.servers[winner])

    def score(self) -> str:
        """Returns the boards and dots of both servers."""
        (home, guest), dots = self.servers, pair_text(self.contest.score.dots, self.words)
        return self.words("team.score", home=home, guest=guest, result=self.result, dots=dots)

    def proposal(self, proposed: Millis) -> str:
        """Returns that the other server has proposed to cancel, and until when this one can agree."""
        until = Millis(proposed + CANCEL_MILLIS)
        words, name = self.words, self.servers[self.side.other]
        return words("team.proposed", name=name, at=words.moment(until), when=words.until(until, self.now))

    def call(self, board: Board, own: str) -> str:
        """Returns the call of a board; `own` is what this server's player is called in it, perhaps by a mention."""
        home, guest = self.servers
        if board.players is None:
            return self.words("team.call.vote", home=home, guest=guest)
        opponent = self.words.markup.bold(self.players[board.players[self.side.other]])
        lines = [
            self.words("team.call", home=home, guest=guest, number=board.number, player=own, opponent=opponent),
            *([self.words("team.call.came")] if self.side in board.came else []),
            *([self.words("team.call.came.other", opponent=opponent)] if self.side.other in board.came else []),
        ]
        return "\n".join(lines)

    def _sign_up(self) -> list[str]:
        """Returns how to sign up, and who has: of the other server only how many."""
        contest, own = self.contest, self.servers[self.side]
        assert contest.closes is not None, "the sign-up is open"
        closes = {"at": self.words.moment(contest.closes), "when": self.words.until(contest.closes, self.now)}
        lines = [self.words("team.sign_up", name=own, **closes)]
        for side in Side:
            numbers = [number for number, player in contest.of_side(side) if not player.left]
            names = cut_names(self.listed(numbers), MAX_NAMES) if side is self.side else ""
            lines.append(
                self.words("team.signed_up", name=self.servers[side], count=len(numbers), names=names).rstrip()
            )
        return lines

    def listed(self, numbers: Sequence[PlayerNumber]) -> str:
        """Returns the names of players of this side, with their places if its manager has given them some."""
        names = [self.players[number] for number in numbers]
        if self.side in self.contest.arranged:
            names = [f"{self.words.literal(f'{place}.')} {name}" for place, name in enumerate(names, start=1)]
        return ", ".join(names)

    def _board(self, board: Board) -> str:
        home, guest = self._names(board)
        details: dict[str, str | int] = {"number": board.number, "home": home, "guest": guest}
        if board.points is None:
            thread = self.words.channel(self.channels.get(board.match) if board.match else None)
            return self.words("team.pair", thread=thread, **details)
        details["result"] = pair_text(board.points, self.words)
        if board.unplayed:
            return self.words("team.unplayed", **details)
        return self.words("team.result", dots=pair_text(board.dots, self.words), **details)

    def _names(self, board: Board) -> tuple[str, str]:
        """Returns the names of both players of a board; those of the servers in a vote game."""
        if board.players is None:
            return self.servers
        home, guest = board.players
        return self.players[home], self.players[guest]

    def _notes(self) -> list[str]:
        """Returns this server's substitutes, and that a server has no channel any more."""
        waiting = [self.players[number] for number in self.contest.substitutes(self.side)]
        own = self.servers[self.side]
        notes = [self.words("team.substitutes", name=own, names=", ".join(waiting))] if waiting else []
        if (ends := self.contest.ends) is not None:
            notes.append(self.words("team.ends", at=self.words.moment(ends), when=self.words.until(ends, self.now)))
        gone = [self.servers[side] for side in Side if self.contest.team(side).gone]
        return [*notes, *(self.words("team.gone", name=name) for name in gone)]

    def draw(self, theme: Theme) -> bytes:
        """Returns the boards as a picture, a PNG file; the names are plain."""
        words, score = self.words, self.contest.score
        title = f"{self.servers[0]} – {self.servers[1]}"
        labels = [words("team.column.result"), words("team.column.dots")]
        lines = [
            CrossLine(
                "",
                " – ".join(self._names(board)),
                words("team.call.plain", number=board.number),
                self._cells(board),
                "",
                faint=board.unplayed,
            )
            for board in self.contest.boards
        ]
        return crosstable(title, pair_text(score.boards, words), labels, lines, theme)

    def _cells(self, board: Board) -> tuple[Cell, Cell]:
        if board.points is None:
            return Cell("·", Result.OPEN), Cell("", Result.OPEN)
        own, other = board.points[self.side], board.points[self.side.other]
        result = Result.WON if own > other else Result.LOST if own < other else Result.DRAWN
        dots = "" if board.unplayed else pair_text(board.dots, self.words)
        return Cell(pair_text(board.points, self.words), result), Cell(dots, Result.OPEN)


def terms_lines(contest: Contest, words: Words) -> list[str]:
    """Returns the rules and the clock of the games, and how many there are at most."""
    left_out = {"order"} if contest.period is None else {"order", "clock"}
    described = describe_terms(contest.terms, "", words)
    lines = [words.markup.item(line) for key, line in described.items() if key not in left_out]
    if contest.period is not None:
        time = words("vote.begin.time", time=words.duration(contest.period), count=contest.quorum)
        night = words("team.vote.night", night=str(USUAL_NIGHT))
        return [*lines, words("team.vote"), *map(words.markup.item, (time, night))]
    lines.append(words("team.pairs", count=contest.size))
    return lines if contest.time is None else [*lines, words("team.time", count=contest.time // (7 * DAY))]


def length_line(contest: Contest, length: Millis, words: Words) -> str:
    """Returns about how long the games of a contest take."""
    time = words.duration(length)
    return words.markup.item(
        words("vote.begin.length", time=time) if contest.kind is Kind.VOTE else words("team.length", time=time)
    )


def offer_lines(contest: Contest, name: str, length: Millis, words: Words) -> list[str]:
    """Returns what a manager reads before they accept the challenge of the server `name`, whose games take about that
    `length`."""
    offer = words("team.offer.vote", name=name) if contest.kind is Kind.VOTE else words("team.offer", name=name)
    lines = [offer, *terms_lines(contest, words), length_line(contest, length, words)]
    if contest.sign_up is not None:
        lines.append(words("team.offer.sign_up", count=contest.sign_up // DAY))
    return lines


def status_line(contest: Contest, servers: tuple[str, str], words: Words, now: Millis) -> str:
    """Returns a contest in one line, as a list of a server's has it."""
    home, guest = servers
    result = pair_text(contest.score.boards, words)
    match contest.stage:
        case Stage.INVITED:
            until = {"at": words.moment(contest.expires), "when": words.until(contest.expires, now)}
            return words("team.status.invited", **until)
        case Stage.SIGN_UP:
            assert contest.closes is not None, "the sign-up is open"
            until = {"at": words.moment(contest.closes), "when": words.until(contest.closes, now)}
            return words("team.status.sign_up", home=home, guest=guest, **until)
        case Stage.RUNNING if contest.kind is Kind.VOTE:
            return words("team.status.vote", home=home, guest=guest)
        case Stage.RUNNING:
            count = len(contest.boards) - contest.score.decided
            return words("team.status.running", home=home, guest=guest, result=result, count=count)
        case Stage.ENDED:
            return words("team.status.ended", home=home, guest=guest, result=result)
        case Stage.CANCELLED:
            return words("team.status.cancelled", home=home, guest=guest)


def season_lines(rows: Sequence[SeasonRow], names: Mapping[GuildId, str], words: Words) -> list[str]:
    """Returns the lines of a season's table; servers without a name in `names` are not named."""
    if not rows:
        return [words("team.season.empty")]
    lines = [
        words(
            "team.season.line",
            place=row.place,
            name=names.get(row.guild) or words("team.server"),
            won=row.won,
            drawn=row.drawn,
            lost=row.lost,
            boards=words.number(row.boards),
            dots=words.number(row.dots),
        )
        for row in rows
    ]
    return [*lines, words("team.season.about")]


def pair_text(values: tuple[float, float], words: Words) -> str:
    """Returns the numbers of both sides, the home side's first: `3½:1½`."""
    return ":".join(map(words.number, values))
