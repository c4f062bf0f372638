"""A version of a match in words: above, in and beside its picture."""

from dataclasses import dataclass, replace

from opponent.suggest import capture_threats
from play.ids import Millis, UserId
from play.match.match import Match
from play.match.offers import can_undo
from play.ratings.settlement import RatingChange
from play.votes import ClosedVote, OpenVote, is_practice
from presentation.match.narration import Narration, move_number
from presentation.match.phrases import change_line, colour_name, describe_reserves, emblem, weight_lines
from presentation.text import MAX_ALT
from presentation.words.words import Words
from renderer.header import Header, Mark, Plate
from rules.dots import DotsPosition
from rules.game import Seat, point_name


@dataclass(frozen=True, slots=True)
class MatchView:
    """A version of a match, with all that its words need.

    Attributes:
        gains: what the last move added to each seat's score.
        now: when it is shown.
        theme: the look of the board, whose colours the words name.
        rated: whether the match is rated.
        changes: what the end of a rated match did to ratings; None where none is rated.
        reader: the only user who sees it; None where everybody in the channel does.
        computer: the bot's own account, which may be one of the players.
        has_computer: whether the computer thinks here.
        has_site: whether there is a web board.
        page: the address of the game's page, where everyone may see it.
        before: the version before with its gains, if the same message tells it, too.
        moderator: the name of the moderator who gave more time by the last event, if one did.
        vote: the vote about the present turn, if a side is to move.
        voted: the vote by which the last turn was played, if it was one.
        voted_before: the one by which the turn of the version before was played.
    """

    match: Match
    gains: tuple[float, ...]
    names: tuple[str, ...]
    words: Words
    now: Millis
    theme: str = ""
    rated: bool = False
    changes: tuple[RatingChange, ...] | None = None
    reader: UserId | None = None
    computer: UserId | None = None
    has_computer: bool = False
    before: tuple[Match, tuple[float, ...]] | None = None
    has_site: bool = False
    page: str | None = None
    moderator: str = ""
    vote: OpenVote | None = None
    voted: ClosedVote | None = None
    voted_before: ClosedVote | None = None

    @property
    def is_practice(self) -> bool:
        """Whether it is practice: an unrated match of one player against the computer."""
        return is_practice(self.match, self.computer, rated=self.rated)

    @property
    def can_undo(self) -> bool:
        """Whether the player of a practice match may take their last move back at once, with the reply to it."""
        if not self.is_practice or self.computer is None:
            return False
        seat = Seat(1 - self.match.seat_of(self.computer))
        return not self.match.outcome and can_undo(self.match, seat, self.now, practice=True)

    def name(self, seat: Seat) -> str:
        """Returns the name of a seat's player, with the emblem of its dots."""
        return self.words.markup.player(self.names[seat], emblem(self.theme, seat))

    @property
    def content(self) -> str:
        """The message: what happened, the score, and whose turn it is or how it ended."""
        narration, _ = self._narrations(self.words)
        rest = [narration.result, *self.rating_lines()] if self.match.outcome else narration.lines
        return "\n".join((self.past, *rest))

    @property
    def past(self) -> str:
        """The part of the message that stays true: what happened, and the score."""
        match = self.match
        narration, earlier = self._narrations(self.words)
        score = " · ".join(f"{self.name(seat)} {self.words.number(match.score[seat])}" for seat in match.seats)
        reserves = describe_reserves(match, self.name, self.words)
        return "\n".join(
            filter(None, (earlier, narration.story, score, reserves and self.words.markup.small(reserves)))
        )

    @property
    def news(self) -> str:
        """What happened last, and how the match ended."""
        narration, earlier = self._narrations(self.words)
        return " ".join(filter(None, (earlier, narration.story, narration.result)))

    @property
    def alt(self) -> str:
        """The picture in words for players who cannot see it, the important ones first."""
        words, names, picture = self.words.plain, self.names, self.match.position.picture()
        score = ", ".join(
            f"{names[seat]} ({colour_name(self.theme, seat, words)}) {words.number(value)}"
            for seat, value in enumerate(self.match.score)
        )
        narration, earlier = self._narrations(words)
        reserves = describe_reserves(self.match, lambda seat: names[seat], words)
        sentences = (
            earlier,
            narration.story,
            narration.result or words("alt.to_act", name=names[self.match.to_act or 0]),
            words("alt.fives" if self.match.game.score_unit == "fives" else "alt.score", score=score),
            reserves and f"{reserves}.",
            *self._threats(),
            words("alt.field", columns=picture.width, rows=picture.height, move=move_number(self.match)),
        )
        return " ".join(filter(None, sentences))[:MAX_ALT]

    @property
    def header(self) -> Header:
        """The header of the picture: the players, the score, and the number of the move."""
        match, words = self.match, self.words
        winners = match.outcome.winners if match.outcome else ()
        plates = tuple(
            Plate(
                self.names[seat],
                words.number(score),
                Mark.WON if seat in winners else Mark.TO_ACT if seat == match.to_act else Mark.NONE,
                colour_name(self.theme, seat, words),
            )
            for seat, score in enumerate(match.score)
        )
        return Header(plates, words("header.move", number=move_number(match)))

    def rating_lines(self) -> list[str]:
        """Returns what the end did to the ratings, and why it counts less than a game where it does."""
        if self.changes is None:
            return []
        if not self.changes:
            return [self.words("rating.unchanged")]
        names = dict(zip(self.match.players, map(self.name, self.match.seats), strict=True))
        lines = [change_line(change, names[change.user], self.words) for change in self.changes]
        lines += weight_lines(self.changes, names, self.words)
        return list(dict.fromkeys(lines))

    def _threats(self) -> list[str]:
        """Returns what a dot near the last move could capture. Between people that would be a hint from outside."""
        position, last = self.match.position, self.match.position.picture().last
        if not self.is_practice or self.match.outcome or not isinstance(position, DotsPosition) or not last:
            return []
        return [
            self.words("alt.stake", name=self.names[stake.seat], count=stake.dots, point=point_name(stake.point))
            for stake in capture_threats(position, last[-1])
        ]

    def _narrations(self, words: Words) -> tuple[Narration, str]:
        """Returns the narration of the version, and the story of the one before it that the same message tells."""
        told = Narration(self.match, words, self.gains, self.now, self.theme, self.names, self.moderator)
        told = replace(told, vote=self.vote, voted=self.voted)
        if self.before is None:
            return told, ""
        match, gains = self.before
        return told, replace(told, match=match, gains=gains, voted=self.voted_before).story
