"""The greeting of a server that the bot has joined, stored until it is posted, and then as the mark that it was."""

from dataclasses import dataclass

from play.ids import DAY, ChannelId, GuildId, Millis

MAX_AGE_MILLIS = DAY
"""Since joining: a day. A bot that was down for longer greets nobody, since by then they have found out themselves."""

AGAIN_MILLIS = Millis(30 * DAY)
"""Between two joins of one server that are both greeted. Sooner, the bot was only added again, for example with other
permissions, and the first greeting is still known."""


@dataclass(frozen=True, slots=True)
class Greeting:
    """A greeting for a server that the bot joined at `joined`, in one of its channels."""

    guild: GuildId
    channel: ChannelId
    joined: Millis
    posted: bool = False

    def is_too_old(self, now: Millis) -> bool:
        """Returns whether nobody waits for it any more."""
        return now - self.joined > MAX_AGE_MILLIS
