"""The nights of servers, in which no vote closes."""

from zoneinfo import ZoneInfo

from play.clock.schedule import ClockSchedule, Night
from play.ids import GuildId
from play.votes import USUAL_NIGHT
from storage.unit_of_work import Reader


async def load_schedule(reader: Reader, guild: GuildId, night: Night | None = USUAL_NIGHT) -> ClockSchedule:
    """Returns when no vote of a server closes: at `night`, in the time zone of its home post or else its daily post;
    never if it has none."""
    home, daily = await reader.homes.get(guild), await reader.dailies.place(guild)
    zone = (home and home.zone) or (daily and daily.zone)
    return ClockSchedule(ZoneInfo(zone), night) if zone and night else ClockSchedule()
