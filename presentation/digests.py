"""Parts of the digest of a morning."""

from collections.abc import Sequence

from play.people.past_mistake import Week
from presentation.words.words import Words


def week_text(week: Week, words: Words) -> str:
    """Returns the line on what has got better in a week; empty if nothing has."""
    if week.is_better and week.before is not None and week.now is not None:
        before, now = (words.number(round(points, 1)) for points in (week.before, week.now))
        return words("digest.week.better", before=before, now=now)
    return words("digest.week.right", count=week.right) if week.right else ""


def section(head: str, lines: Sequence[str], count: int, words: Words) -> str:
    """Returns the lines of one kind below their head, and how many more there are; empty without any."""
    if not lines:
        return ""
    more = [words("digest.more", count=count - len(lines))] if count > len(lines) else []
    return "\n".join((head, *lines, *more))
