"""Searches for a stranger in words."""

from play.community.seek import Seek, SeekState
from play.ids import MINUTE, Millis
from play.match.events import NoticeKind
from presentation.terms import rules_name
from presentation.words.words import Words
from use_cases.seeks import Outlook


def outlook_text(outlook: Outlook, words: Words) -> str:
    """Returns how a search goes on: what is looked for, how many others look as well, and how long it usually takes."""
    seek = outlook.seek
    what = words(f"seek.looking.{'weekly' if seek.weekly else seek.speed}", rules=wanted(seek, words))
    if seek.state is SeekState.CALLED:
        return "\n".join((what, words("seek.ready" if seek.ready else "seek.found")))
    if seek.since > seek.made:
        return "\n".join((what, words("seek.rests", at=words.moment(seek.since))))
    lines = [what, words("seek.others", count=outlook.others) if outlook.others else words("seek.nobody")]
    if outlook.usually is not None:
        minutes = max(1, round(outlook.usually / MINUTE))
        lines.append(words("seek.usually", time=words.duration(Millis(minutes * MINUTE))))
    return "\n".join(lines)


def phrase_text(phrase: NoticeKind, name: str, words: Words) -> str:
    """Returns what a stranger by this name says."""
    return words("seek.phrase", name=name, phrase=words(f"phrase.{phrase}"))


def wanted(seek: Seek, words: Words) -> str:
    """Returns the rules, the board and the clock that are looked for."""
    size = seek.terms.game.options["size"].replace("x", "×")
    rules = rules_name(seek.terms.game.key, seek.terms.rule_set, words)
    return f"{rules} {size}, {words.control(seek.terms.control)}"
