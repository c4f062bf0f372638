"""The tables. `event` holds what happened; the rest of a match's row is derived from it, for queries.

Times are milliseconds since the UTC epoch. Users are ids: names are never stored.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    text,
)

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)

# SQLite counts ids only in a column whose type is exactly INTEGER; it holds 64 bits all the same.
_counted = BigInteger().with_variant(Integer, "sqlite")
_open = text("ended IS NULL")
_waiting = text("ended IS NULL AND reminder IS NOT NULL")
_offered = text("state = 'open'")
_outdated = text("shown < version")
_unmet = text('"match" IS NULL')
_undecided = text("first_points IS NULL")
_addressed = text("opponent IS NOT NULL")
_has_by = text('"by" IS NOT NULL')

match = Table(
    "match",
    metadata,
    Column("id", _counted, primary_key=True),
    Column("guild", BigInteger),
    Column("channel", BigInteger, nullable=False),
    Column("parent", BigInteger),
    Column("game", String, nullable=False),  # the key of the preset
    Column("options", JSON, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("control", String, nullable=False),
    Column("agreement", String, nullable=False),  # the players' time agreement
    Column("started", BigInteger, nullable=False),
    Column("version", Integer, nullable=False),  # the number of events
    Column("to_act", Integer),  # a seat; null when the match is over
    Column("turned", BigInteger, nullable=False),  # since when it is that seat's turn
    Column("deadline", BigInteger),
    Column("reminder", BigInteger),  # when the seat is reminded; null if it is not, or was
    Column("reminded", BigInteger),  # of the last turn of which a player was reminded: when it began
    Column("known", BigInteger, nullable=False),  # the end of the last downtime that the two reckon with
    Column("ended", BigInteger),  # null while the match is open
    Column("reason", String),
    Column("winners", JSON(none_as_null=True)),  # seats
    Column("board", BigInteger),  # the newest posted message, and the version that it shows
    Column("board_version", Integer),
    Column("lost", Boolean, nullable=False),  # nothing can be posted where it is played
    Column("rule_set", String),  # the name of the own rule set that it is played by; null without one
    Index("ix_match_deadline_open", "deadline", sqlite_where=_open, postgresql_where=_open),
    Index("ix_match_reminder_open", "reminder", sqlite_where=_waiting, postgresql_where=_waiting),
    Index("uq_match_channel_open", "channel", unique=True, sqlite_where=_open, postgresql_where=_open),
    Index("ix_match_channel_ended", "channel", "ended"),
    Index("ix_match_guild_ended", "guild", "ended"),
    sqlite_autoincrement=True,
)

seat = Table(
    "seat",
    metadata,
    Column("match", BigInteger, ForeignKey("match.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("user", BigInteger, nullable=False),
    Column("zone", String),  # the player's time zone, if the match's clock follows it
    Column("night", String),
    Column("ended", BigInteger),  # this and the rest follow from the match's events, once it is over
    Column("score", Double),
    Column("capture", Integer),  # the most that it captured with one turn
    Column("quit", Boolean),  # whether this seat abandoned the match
    PrimaryKeyConstraint("match", "seat"),
    Index("uq_seat_user_match", "user", "match", unique=True),
    Index("ix_seat_user_ended_match", "user", "ended", "match"),
    sqlite_with_rowid=False,
)

event = Table(
    "event",
    metadata,
    Column("match", BigInteger, ForeignKey("match.id"), nullable=False),
    Column("seq", Integer, nullable=False),  # the version of the match after it
    Column("kind", String, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("text", String, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("source", BigInteger, unique=True),  # the interaction or message; null without one
    Column("by", BigInteger),  # a moderator, who has no seat
    PrimaryKeyConstraint("match", "seq"),
    Index("ix_event_by", "by", sqlite_where=_has_by, postgresql_where=_has_by),
    sqlite_with_rowid=False,
)

challenge = Table(
    "challenge",
    metadata,
    Column("id", _counted, primary_key=True),
    Column("guild", BigInteger),
    Column("channel", BigInteger, nullable=False),
    Column("challenger", BigInteger, nullable=False),
    Column("opponent", BigInteger),
    Column("terms", JSON, nullable=False),
    Column("made", BigInteger, nullable=False),
    Column("expires", BigInteger, nullable=False),
    Column("state", String, nullable=False),
    Column("by", BigInteger),
    Column("first", JSON(none_as_null=True)),
    Column("changes", Integer, nullable=False),
    Column("instead", BigInteger, ForeignKey("challenge.id")),
    Column("rematch", BigInteger, ForeignKey("match.id")),  # of what
    Column("match", BigInteger, ForeignKey("match.id")),
    Column("version", Integer, nullable=False),
    Column("message", BigInteger),  # the card, and the version that it shows
    Column("shown", Integer),
    Column("source", BigInteger),  # the interaction that made it; null without one
    Index("uq_challenge_source", "source", unique=True),
    Index("ix_challenge_match", "match"),
    Index("ix_challenge_challenger", "challenger"),
    Index("ix_challenge_challenger_open", "challenger", sqlite_where=_offered, postgresql_where=_offered),
    Index("ix_challenge_channel_open", "channel", sqlite_where=_offered, postgresql_where=_offered),
    Index("ix_challenge_opponent_made_unmet", "opponent", "made", sqlite_where=_unmet, postgresql_where=_unmet),
    Index("ix_challenge_opponent", "opponent", sqlite_where=_addressed, postgresql_where=_addressed),
    Index("ix_challenge_by", "by", sqlite_where=_has_by, postgresql_where=_has_by),
    Index("uq_challenge_rematch_open", "rematch", unique=True, sqlite_where=_offered, postgresql_where=_offered),
    Index("ix_challenge_expires_open", "expires", sqlite_where=_offered, postgresql_where=_offered),
    Index("ix_challenge_id_outdated", "id", sqlite_where=_outdated, postgresql_where=_outdated),
    sqlite_autoincrement=True,
)

joiner = Table(
    "joiner",
    metadata,
    Column("challenge", BigInteger, ForeignKey("challenge.id"), nullable=False),
    Column("number", Integer, nullable=False),  # in the order in which they joined
    Column("user", BigInteger, nullable=False),
    PrimaryKeyConstraint("challenge", "number"),
    Index("ix_joiner_user", "user"),
    sqlite_with_rowid=False,
)

outbox = Table(
    "outbox",
    metadata,
    Column("match", BigInteger, ForeignKey("match.id"), nullable=False),
    Column("version", Integer, nullable=False),
    Column("answer_until", BigInteger),  # until then the answer to its player's click may bring this board; else null
    PrimaryKeyConstraint("match", "version"),
    sqlite_with_rowid=False,
)

notice = Table(
    "notice",
    metadata,
    Column("match", BigInteger, ForeignKey("match.id"), nullable=False),
    Column("user", BigInteger, nullable=False),
    Column("kind", String, nullable=False),
    Column("version", Integer, nullable=False),
    PrimaryKeyConstraint("match", "user", "kind"),
    Index("ix_notice_user", "user"),
    sqlite_with_rowid=False,
)

plan = Table(
    "plan",
    metadata,
    Column("match", BigInteger, ForeignKey("match.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("line", JSON, nullable=False),  # pairs of what is expected and the reply
    PrimaryKeyConstraint("match", "seat"),
)

vacation = Table(
    "vacation",
    metadata,
    Column("user", BigInteger, nullable=False),
    Column("start", BigInteger, nullable=False),
    Column("end", BigInteger, nullable=False),
    PrimaryKeyConstraint("user", "start"),
)

downtime = Table(
    "downtime",
    metadata,
    Column("start", BigInteger, primary_key=True, autoincrement=False),
    Column("end", BigInteger, nullable=False, index=True),
    Column("claimed", BigInteger),  # where it was to end by a clock that was wrong
)

heartbeat = Table(
    "heartbeat",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),  # 1: there is one for all processes
    Column("at", BigInteger, nullable=False),
    Column("boot", String),  # the run of the machine that noted it, and when that began
    Column("origin", BigInteger),
)

person = Table(
    "person",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False),
    Column("version", Integer, nullable=False),  # the number of changes
    Column("language", String),
    Column("theme", String, nullable=False),
    Column("confirm_live", Boolean, nullable=False),
    Column("confirm_days", Boolean, nullable=False),
    Column("reminders", String, nullable=False),
    Column("night", String),  # quiet hours as 22:00-07:00, in `zone`
    Column("zone", String),  # the IANA name
    Column("terms", JSON(none_as_null=True)),  # what challenges offer
)

server = Table(
    "server",
    metadata,
    Column("guild", BigInteger, primary_key=True, autoincrement=False),
    Column("version", Integer, nullable=False),  # the number of changes
    Column("terms", JSON(none_as_null=True)),
    Column("channels", JSON, nullable=False),
    Column("roles", JSON, nullable=False),
    Column("threads", Boolean, nullable=False),
    Column("language", String),
    Column("theme", String, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("dot_dash", Boolean, nullable=False),
)

# Rules with a name, of a user or of a server.
rule_set = Table(
    "rule_set",
    metadata,
    Column("id", _counted, primary_key=True),
    Column("user", BigInteger),  # one of the two is null
    Column("guild", BigInteger),
    Column("name", String, nullable=False),
    Column("folded", String, nullable=False),  # the name without upper case: an owner has it once
    Column("game", String, nullable=False),  # the key of the preset
    Column("options", JSON, nullable=False),
    Column("control", String),  # the clock that comes with the rules; null if none does
    Index("uq_rule_set_user_folded", "user", "folded", unique=True),
    Index("uq_rule_set_guild_folded", "guild", "folded", unique=True),
    sqlite_autoincrement=True,
)

rating = Table(
    "rating",
    metadata,
    Column("user", BigInteger, nullable=False),
    Column("pool", String, nullable=False),
    Column("value", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("volatility", Double, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("games", Integer, nullable=False),  # rated ones: the number of rows in `change`
    PrimaryKeyConstraint("user", "pool"),
    sqlite_with_rowid=False,
)

change = Table(
    "change",
    metadata,
    Column("match", BigInteger, ForeignKey("match.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("user", BigInteger, nullable=False),
    Column("guild", BigInteger),
    Column("pool", String, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("place", Integer, nullable=False),
    Column("result", Double, nullable=False),
    Column("weight", Double, nullable=False),
    Column("reasons", JSON, nullable=False),  # why it weighs less than 1
    Column("level", Integer),  # of the computer, where that was the opponent
    *(
        column
        for moment in ("before", "after")
        for column in (
            Column(f"{moment}_value", Double, nullable=False),
            Column(f"{moment}_deviation", Double, nullable=False),
            Column(f"{moment}_volatility", Double, nullable=False),
        )
    ),
    Column("before_at", BigInteger),  # null in the first rated game
    PrimaryKeyConstraint("match", "seat"),
    Index("ix_change_user_pool_at", "user", "pool", "at"),
    Index("ix_change_pool_at_match", "pool", "at", "match"),
    sqlite_with_rowid=False,
)

# A finished match that a moderator annulled, and what it had done to each player's rating, if it was rated.
annulment = Table(
    "annulment",
    metadata,
    Column("match", BigInteger, ForeignKey("match.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("user", BigInteger, nullable=False),
    Column("by", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("pool", String),
    Column("before", Double),
    Column("after", Double),
    PrimaryKeyConstraint("match", "seat"),
    Index("ix_annulment_user", "user"),
    Index("ix_annulment_by", "by"),
    sqlite_with_rowid=False,
)

# The same ratings for each server on which a user was rated, and for everywhere (0), in the order of the leaderboards:
# a page is read without a look at all other lines.
standing = Table(
    "standing",
    metadata,
    Column("guild", BigInteger, nullable=False),
    Column("pool", String, nullable=False),
    Column("user", BigInteger, nullable=False),
    Column("value", Double, nullable=False),
    Column("listed", Boolean, nullable=False),  # certain enough, and with enough games, for a leaderboard
    PrimaryKeyConstraint("guild", "pool", "user"),
    Index("ix_standing_user_pool", "user", "pool"),
    Index("ix_standing_guild_pool_listed", "guild", "pool", "listed", "value", "user"),
    sqlite_with_rowid=False,
)

season = Table(
    "season",
    metadata,
    Column("guild", BigInteger, nullable=False),  # 0 is everywhere
    Column("season", String, nullable=False),
    Column("pool", String, nullable=False),
    Column("user", BigInteger, nullable=False),
    Column("points", Double, nullable=False),
    Column("games", Integer, nullable=False),
    PrimaryKeyConstraint("guild", "season", "pool", "user"),
    Index("ix_season_guild_season_pool_points", "guild", "season", "pool", "points", "user"),
    Index("ix_season_user", "user"),
    sqlite_with_rowid=False,
)

# Role rewards of a server's leaderboard: the roles of place 1, of places 2 and 3, and of places 4 to 10.
podium = Table(
    "podium",
    metadata,
    Column("guild", BigInteger, primary_key=True, autoincrement=False),
    Column("pool", String, nullable=False),
    Column("seasonal", Boolean, nullable=False),
    Column("roles", JSON, nullable=False),
    Column("version", Integer, nullable=False),  # the number of changes of the settings and of the places
    Column("shown", Integer, nullable=False),  # the version by which roles were given
    Column("until", BigInteger),  # when the season ends
    Column("trouble", String),
    Index("ix_podium_guild_behind", "guild", sqlite_where=_outdated, postgresql_where=_outdated),
    Index("ix_podium_until", "until"),
)

honour = Table(
    "honour",
    metadata,
    Column("guild", BigInteger, nullable=False),
    Column("user", BigInteger, nullable=False),
    Column("role", BigInteger, nullable=False),
    Column("given", Boolean, nullable=False),  # false: it was about to be
    PrimaryKeyConstraint("guild", "user", "role"),
    Index("ix_honour_user", "user"),
    sqlite_with_rowid=False,
)

tournament = Table(
    "tournament",
    metadata,
    Column("id", _counted, primary_key=True),
    Column("guild", BigInteger, nullable=False),
    Column("channel", BigInteger, nullable=False),
    Column("host", BigInteger, nullable=False),
    Column("name", String, nullable=False),
    Column("format", String, nullable=False),
    Column("terms", JSON, nullable=False),
    Column("made", BigInteger, nullable=False),
    Column("rounds", Integer, nullable=False),
    Column("pace", BigInteger),  # the time for a round
    Column("stage", String, nullable=False),
    Column("until", BigInteger),  # when the present round ends
    Column("version", Integer, nullable=False),
    Column("message", BigInteger),  # with the standings, and the version that it shows
    Column("shown", Integer, nullable=False),
    Column("source", BigInteger),  # the interaction that made it
    Index("uq_tournament_source", "source", unique=True),
    Index("ix_tournament_channel", "channel"),
    Index("ix_tournament_host", "host"),
    Index("ix_tournament_id_behind", "id", sqlite_where=_outdated, postgresql_where=_outdated),
    Index("ix_tournament_until", "until"),
    sqlite_autoincrement=True,
)

entrant = Table(
    "entrant",
    metadata,
    Column("tournament", BigInteger, ForeignKey("tournament.id"), nullable=False),
    Column("number", Integer, nullable=False),  # once it has begun, the seed
    Column("user", BigInteger, nullable=False),
    Column("rating", Double, nullable=False),
    Column("left", Integer),  # the round in which they withdrew
    PrimaryKeyConstraint("tournament", "number"),
    Index("ix_entrant_user", "user"),
    sqlite_with_rowid=False,
)

bout = Table(
    "bout",
    metadata,
    Column("tournament", BigInteger, ForeignKey("tournament.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("round", Integer, nullable=False),
    Column("first", BigInteger, nullable=False),
    Column("second", BigInteger),
    Column("match", BigInteger, ForeignKey("match.id")),
    Column("first_points", Double),  # null until it is decided
    Column("second_points", Double),
    Column("replays", Integer, nullable=False),
    PrimaryKeyConstraint("tournament", "number"),
    Index("ix_bout_undecided", "tournament", sqlite_where=_undecided, postgresql_where=_undecided),
    sqlite_with_rowid=False,
)

ladder = Table(
    "ladder",
    metadata,
    Column("guild", BigInteger, primary_key=True, autoincrement=False),
    Column("channel", BigInteger, nullable=False),
    Column("terms", JSON, nullable=False),
    Column("version", Integer, nullable=False),
)

rung = Table(
    "rung",
    metadata,
    Column("guild", BigInteger, ForeignKey("ladder.guild"), nullable=False),
    Column("place", Integer, nullable=False),
    Column("user", BigInteger, nullable=False),
    Column("played", BigInteger, nullable=False),
    PrimaryKeyConstraint("guild", "place"),
    Index("ix_rung_user", "user"),
    sqlite_with_rowid=False,
)

# Challenges for a place that are not decided.
duel = Table(
    "duel",
    metadata,
    Column("challenge", BigInteger, ForeignKey("challenge.id"), nullable=False),
    Column("guild", BigInteger, ForeignKey("ladder.guild"), nullable=False),
    Column("challenger", BigInteger, nullable=False),
    Column("defender", BigInteger, nullable=False),
    PrimaryKeyConstraint("challenge"),
    Index("ix_duel_guild", "guild"),
    sqlite_with_rowid=False,
)

# Channel announcements beside the boards: decided duels, and matches that were annulled after their end.
news = Table(
    "news",
    metadata,
    Column("id", _counted, primary_key=True),
    Column("kind", String, nullable=False),
    Column("guild", BigInteger, nullable=False),
    Column("channel", BigInteger, nullable=False),
    Column("about", BigInteger, nullable=False),  # the challenge, or the match
    Column("place", Integer, nullable=False),
    Column("made", BigInteger, nullable=False),
    sqlite_autoincrement=True,
)

puzzle = Table(
    "puzzle",
    metadata,
    Column("id", _counted, primary_key=True),
    Column("guild", BigInteger, nullable=False),
    Column("day", String, nullable=False),  # as 2026-11-21, in UTC
    Column("match", BigInteger, ForeignKey("match.id"), nullable=False),
    Column("number", Integer, nullable=False),  # of the move that was no solution
    Column("answers", JSON, nullable=False),
    Column("solution", JSON, nullable=False),  # a line
    Column("captures", Double, nullable=False),
    Column("channel", BigInteger),  # where it was posted, and in which message
    Column("message", BigInteger),
    Index("uq_puzzle_guild_day", "guild", "day", unique=True),
    Index("ix_puzzle_match", "match"),
    sqlite_autoincrement=True,
)

attempt = Table(
    "attempt",
    metadata,
    Column("puzzle", BigInteger, ForeignKey("puzzle.id"), nullable=False),
    Column("user", BigInteger, nullable=False),
    Column("answer", Integer, nullable=False),  # its place among the answers
    Column("right", Boolean, nullable=False),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("puzzle", "user"),
    Index("ix_attempt_user", "user"),
    sqlite_with_rowid=False,
)
