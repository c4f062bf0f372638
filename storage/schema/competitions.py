"""Competitions: who plays whom in tournaments, seasons of leagues, contests of two servers and on ladders; and posts
that are kept in channels, of these and of all else."""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    PrimaryKeyConstraint,
    String,
    Table,
    false,
    text,
)

from storage.schema.base import HAS_DUE, metadata

BEHIND = text("shown < wanted")
_undecided = text("first_points IS NULL")
_is_season = text("league IS NOT NULL")
_is_duel = text("challenge IS NOT NULL")

competition = Table(
    "competition",
    metadata,
    Column("kind", String, nullable=False),  # tournament, league, season, contest, ladder, world (arenas)
    Column("number", BigInteger, nullable=False),  # counts within the kind; else a server, or the hour of an arena
    Column("version", Integer, nullable=False),
    Column("head", JSON, nullable=False),  # all that is not in a column, or in the other tables
    Column("open", Boolean, nullable=False),  # it goes on, or takes players
    Column("due", BigInteger),  # when time alone brings the next change
    Column("ended", BigInteger),  # when a contest or tournament came to its end
    Column("source", BigInteger),  # the interaction that made it
    Column("code", String),  # the digest of the invite code of a contest
    Column("league", BigInteger),  # the server of a season
    PrimaryKeyConstraint("kind", "number"),
    Index("ix_competition_kind_due", "kind", "due", sqlite_where=HAS_DUE, postgresql_where=HAS_DUE),
    Index("ix_competition_kind_ended", "kind", "ended"),
    Index("uq_competition_source", "source", unique=True),
    Index("uq_competition_code", "code", unique=True),
    Index("ix_competition_league", "league", sqlite_where=_is_season, postgresql_where=_is_season),
    sqlite_with_rowid=False,
)

entrant = Table(
    "entrant",
    metadata,
    Column("kind", String, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("place", Integer, nullable=False),  # in the order of the competition, by which games name their players
    Column("user", BigInteger, nullable=False),
    Column("group", Integer),  # the division, or the side
    Column("rating", Double),
    Column("left", BigInteger),  # when, or in which round, they left
    Column("since", BigInteger),  # when they joined a league, or played on a ladder; the first round of a late one
    Column("presence", String),  # of a member of a league; in a tournament, whether they are here, or were away
    PrimaryKeyConstraint("number", "kind", "place"),
    ForeignKeyConstraint(["kind", "number"], ["competition.kind", "competition.number"]),
    Index("ix_entrant_user", "user"),
    sqlite_with_rowid=False,
)

game = Table(
    "game",
    metadata,
    Column("kind", String, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("place", Integer, nullable=False),
    Column("group", Integer),  # the division
    Column("round", Integer),
    Column("first", Integer),  # the places of the players among the entrants; null: of a side, or nobody
    Column("second", Integer),
    Column("begins", BigInteger),
    Column("match", BigInteger, ForeignKey("match.id")),
    Column("challenge", BigInteger, ForeignKey("challenge.id")),  # of a duel
    Column("first_points", Double),  # null until it is decided
    Column("second_points", Double),
    Column("unplayed", Boolean, nullable=False, server_default=false()),
    Column("tries", Integer, nullable=False, server_default="0"),  # the games before this one that decided nothing
    Column("taken", Integer),  # the place of the player for whom the computer plays
    Column("detail", JSON(none_as_null=True)),  # of a board of a contest
    PrimaryKeyConstraint("number", "kind", "place"),
    ForeignKeyConstraint(["kind", "number"], ["competition.kind", "competition.number"]),
    Index(
        "ix_game_kind_match_undecided", "kind", "match", "number", sqlite_where=_undecided, postgresql_where=_undecided
    ),
    Index("ix_game_challenge", "challenge", sqlite_where=_is_duel, postgresql_where=_is_duel),
    sqlite_with_rowid=False,
)

kept_post = Table(
    "kept_post",
    metadata,
    Column("kind", String, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("side", Integer, nullable=False),
    Column("guild", BigInteger, nullable=False),
    Column("channel", BigInteger),  # null: the home and the daily have their own tables
    Column("host", BigInteger),  # who has made it, or accepted it for their server
    Column("keeper", BigInteger),  # who has chosen the channel last; null: the host
    Column("message", BigInteger),
    Column("pinned", BigInteger),  # the message that is
    Column("wanted", Integer, nullable=False, server_default="0"),  # the version that the message is to show
    Column("shown", Integer, nullable=False, server_default="0"),  # that which it shows
    Column("edits", BigInteger, nullable=False, server_default="0"),  # when it may be edited next
    Column("announced", Integer, nullable=False, server_default="0"),  # the version of the last posted notice
    Column("told", String, nullable=False, server_default=""),  # the last notice of a contest
    Column("problem", String),
    Column("since", BigInteger),
    Column("ended", Boolean, nullable=False, server_default=false()),  # by its problem
    PrimaryKeyConstraint("number", "kind", "side"),
    Index("ix_kept_post_guild_kind_number", "guild", "kind", "number"),
    Index("ix_kept_post_channel_kind_number", "channel", "kind", "number"),
    Index("ix_kept_post_host", "host"),
    Index("ix_kept_post_keeper", "keeper"),
    Index("ix_kept_post_kind_edits_behind", "kind", "edits", sqlite_where=BEHIND, postgresql_where=BEHIND),
    sqlite_with_rowid=False,
)

contest_listing = Table(
    "contest_listing",
    metadata,
    Column("guild", BigInteger, primary_key=True, autoincrement=False),
)
"""The servers that want their names in everybody's table of the season."""
