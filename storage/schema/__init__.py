"""The tables, by subject. Times are milliseconds since the UTC epoch. Users are ids: names are never stored."""

from storage.schema.base import metadata
from storage.schema.challenges import challenge, joiner
from storage.schema.community import absence, home, home_place, honour, news, podium, release
from storage.schema.competitions import competition, contest_listing, entrant, game, kept_post
from storage.schema.dailies import daily_member, daily_place, daily_post, daily_run, daily_streak
from storage.schema.happenings import happening
from storage.schema.identities import identity, link_code, own_account
from storage.schema.learning import learner, lesson, mistake, reviewed
from storage.schema.matches import away_outbox, event, match, notice, outbox, plan, ruling, seat, sheet
from storage.schema.openings import opening, opening_backlog
from storage.schema.operator import announcement, delivery, operator_act, restriction
from storage.schema.own_boards import own_board
from storage.schema.people import (
    ban,
    block,
    digest,
    greeting,
    linked_account,
    milestone,
    person,
    rule_set,
    server,
    shared_figures,
)
from storage.schema.platforms import outage, sync_position
from storage.schema.predictions import prediction
from storage.schema.puzzles import (
    attempt,
    best_rush,
    grade,
    kind_figure,
    made_exercise,
    puzzle,
    rush,
    solved_year,
    solver,
    tried,
)
from storage.schema.ratings import annulment, change, rating, season, standing
from storage.schema.seeks import friend_code, past_conduct, report, seek, seek_call
from storage.schema.studies import study, study_chapter, study_member, study_stroke
from storage.schema.time import downtime, heartbeat, vacation
from storage.schema.votes import side, vote
from storage.schema.web import web_key, web_launch, web_link, web_session, web_watch

__all__ = [
    "absence",
    "announcement",
    "annulment",
    "attempt",
    "away_outbox",
    "ban",
    "best_rush",
    "block",
    "challenge",
    "change",
    "competition",
    "contest_listing",
    "daily_member",
    "daily_place",
    "daily_post",
    "daily_run",
    "daily_streak",
    "delivery",
    "digest",
    "downtime",
    "entrant",
    "event",
    "friend_code",
    "game",
    "grade",
    "greeting",
    "happening",
    "heartbeat",
    "home",
    "home_place",
    "honour",
    "identity",
    "joiner",
    "kept_post",
    "kind_figure",
    "learner",
    "lesson",
    "link_code",
    "linked_account",
    "made_exercise",
    "match",
    "metadata",
    "milestone",
    "mistake",
    "news",
    "notice",
    "opening",
    "opening_backlog",
    "operator_act",
    "outage",
    "outbox",
    "own_account",
    "own_board",
    "past_conduct",
    "person",
    "plan",
    "podium",
    "prediction",
    "puzzle",
    "rating",
    "release",
    "report",
    "restriction",
    "reviewed",
    "rule_set",
    "ruling",
    "rush",
    "season",
    "seat",
    "seek",
    "seek_call",
    "server",
    "shared_figures",
    "sheet",
    "side",
    "solved_year",
    "solver",
    "standing",
    "study",
    "study_chapter",
    "study_member",
    "study_stroke",
    "sync_position",
    "tried",
    "vacation",
    "vote",
    "web_key",
    "web_launch",
    "web_link",
    "web_session",
    "web_watch",
]
