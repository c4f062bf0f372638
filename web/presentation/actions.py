"""What a reader may do at a board beside turns, as keys of messages with their labels."""

from play.ids import Millis
from play.match.choices import ASKED_FIRST, Action, available_actions
from play.match.match import Match
from play.votes import decided_move
from presentation.words.words import Words
from rules.game import Seat
from web.bodies import Json
from web.presentation.readers import Audience

SHOW_VOTES = "votes"
"""The action that shows the tally: of the open turn to one who has voted, of the last one also to those who watch."""

RULES = "rules"
"""The action that shows the rules of the game, to all who see it."""


def player_actions(match: Match, seat: Seat, words: Words, now: Millis, *, hints: bool) -> list[Json]:
    """Returns what the player of a seat may do in a game that goes on, at first what helps where there are `hints`."""
    available = available_actions(match, seat)
    found = [action_json("hint", words("button.hint"), "secondary", asks=True)] if hints else []
    found += [
        action_json(
            action,
            words(f"button.{action}"),
            "danger" if action in (Action.RESIGN, Action.ABORT) else "secondary",
            asks=action in ASKED_FIRST,
        )
        for action in Action
        if action in available
    ]
    if match.clock.current_pause(now) is not None:
        found.append(action_json("resume", words("button.resume"), "secondary"))
    return found


def vote_actions(match: Match, audience: Audience, words: Words) -> list[Json]:
    """Returns what one may do who votes: on the opponent's turn, and after the game, see the votes."""
    if match.to_act is None or audience.seat != match.to_act:
        return decided_votes(match, audience.seat, words)
    found = [_show_votes(words)]
    available = available_actions(match, match.to_act)
    for action in (Action.STOP, Action.LAND, Action.DRAW, Action.RESIGN):
        if action in available:
            style = "danger" if action is Action.RESIGN else "secondary"
            found.append(action_json(action, vote_label(action, words), style, asks=True))
    return found


def decided_votes(match: Match, seat: Seat | None, words: Words) -> list[Json]:
    """Returns the way to the votes by which the side of a voter, or of this place, played last; of others nothing."""
    return [_show_votes(words)] if decided_move(match, seat) else []


def _show_votes(words: Words) -> Json:
    return action_json(SHOW_VOTES, words("button.votes"), "secondary", asks=True)


def vote_label(action: str, words: Words) -> str:
    """Returns the label of a vote for an action."""
    return words("vote.label", turn=words("vote.choice.draw" if action == Action.DRAW else f"button.{action}"))


def show_rules(words: Words) -> Json:
    """Returns the way to the rules of the game."""
    return action_json(RULES, words("button.rules"), "secondary", asks=True)


def action_json(key: str, label: str, style: str, *, asks: bool = False) -> Json:
    """Returns an action as docs/web-protocol.md has it."""
    return {"key": key, "label": label, "style": style, "ask": asks}
