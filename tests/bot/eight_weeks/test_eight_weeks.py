from __future__ import annotations

import pytest

from tests.bot.eight_weeks import checks
from tests.bot.eight_weeks.happenings import DAYS, Story, judge_cup
from tests.bot.room import Room
from tests.clock import DAY


@pytest.mark.contest
async def test_eight_weeks_of_two_servers(room: Room) -> None:
    story = Story(room)
    story.settle_members()
    await room.pass_time(8 * DAY)
    await story.set_up()
    judged = False
    for day in range(7 * checks.WEEKS):
        for happening in DAYS.get(day, ()):
            await happening(story)
        judged = judged or await judge_cup(story)
        if day % 7 < checks.SOLVED:
            await story.solve_daily(story.players(story.guild, 2))
        await story.pass_day()
    await checks.check_all(story)
