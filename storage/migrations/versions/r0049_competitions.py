"""Competitions of all kinds in the same tables, and their posts where all posts are kept.

Nobody runs two versions of the program before the first release, so the rows move, and the old tables go.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0049"
down_revision = "0048"

Values = dict[str, Any]

FORMER = (
    *("bout", "entrant", "tournament", "contest_board", "contest_player", "contest", "rung", "duel", "ladder"),
    *("league_game", "league_seat", "league_season", "league_member", "league", "kept_post"),
)
POSTED = "home", "daily_place"
IDLE_MILLIS = 60 * 86_400_000


def upgrade() -> None:
    connection = op.get_bind()
    former = sa.MetaData()
    former.reflect(connection, only=(*FORMER, *POSTED))
    stored = {name: _read(connection, table) for name, table in former.tables.items() if name in FORMER}
    stored["home"], stored["daily"] = (_read(connection, former.tables[name]) for name in POSTED)
    former.drop_all(connection, [former.tables[name] for name in FORMER])
    for name in POSTED:
        for column in ("trouble", "failing"):
            op.drop_column(name, column)
    _create()
    rows: dict[str, list[Values]] = defaultdict(list)
    for move in (_move_tournaments, _move_leagues, _move_contests, _move_ladders, _move_posts):
        move(stored, rows)
    created = sa.MetaData()
    created.reflect(connection, only=("competition", "entrant", "game", "kept_post"))
    created.tables["game"].c.detail.type = sa.JSON(none_as_null=True)
    for name in ("competition", "entrant", "game", "kept_post"):
        if rows[name]:
            connection.execute(created.tables[name].insert(), rows[name])


def _read(connection: sa.Connection, table: sa.Table) -> list[Values]:
    """Returns the rows of a table in the order of its key."""
    return [row._asdict() for row in connection.execute(sa.select(table).order_by(*table.primary_key.columns))]


def _create() -> None:
    due, undecided = sa.text("due IS NOT NULL"), sa.text("first_points IS NULL")
    season, duel, behind = sa.text("league IS NOT NULL"), sa.text("challenge IS NOT NULL"), sa.text("shown < wanted")
    op.create_table(
        "competition",
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("head", sa.JSON, nullable=False),
        sa.Column("open", sa.Boolean, nullable=False),
        sa.Column("due", sa.BigInteger),
        sa.Column("ended", sa.BigInteger),
        sa.Column("source", sa.BigInteger),
        sa.Column("code", sa.String),
        sa.Column("league", sa.BigInteger),
        sa.PrimaryKeyConstraint("kind", "number"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_competition_kind_due", "competition", ["kind", "due"], sqlite_where=due, postgresql_where=due)
    op.create_index("ix_competition_kind_ended", "competition", ["kind", "ended"])
    op.create_index("uq_competition_source", "competition", ["source"], unique=True)
    op.create_index("uq_competition_code", "competition", ["code"], unique=True)
    op.create_index("ix_competition_league", "competition", ["league"], sqlite_where=season, postgresql_where=season)
    op.create_table(
        "entrant",
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("user", sa.BigInteger, nullable=False),
        sa.Column("group", sa.Integer),
        sa.Column("rating", sa.Double),
        sa.Column("left", sa.BigInteger),
        sa.Column("since", sa.BigInteger),
        sa.Column("presence", sa.String),
        sa.PrimaryKeyConstraint("number", "kind", "place"),
        sa.ForeignKeyConstraint(["kind", "number"], ["competition.kind", "competition.number"]),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_entrant_user", "entrant", ["user"])
    op.create_table(
        "game",
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("group", sa.Integer),
        sa.Column("round", sa.Integer),
        sa.Column("first", sa.Integer),
        sa.Column("second", sa.Integer),
        sa.Column("begins", sa.BigInteger),
        sa.Column("match", sa.BigInteger, sa.ForeignKey("match.id")),
        sa.Column("challenge", sa.BigInteger, sa.ForeignKey("challenge.id")),
        sa.Column("first_points", sa.Double),
        sa.Column("second_points", sa.Double),
        sa.Column("unplayed", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("tries", sa.Integer, nullable=False, server_default="0"),
        sa.Column("taken", sa.Integer),
        sa.Column("detail", sa.JSON),
        sa.PrimaryKeyConstraint("number", "kind", "place"),
        sa.ForeignKeyConstraint(["kind", "number"], ["competition.kind", "competition.number"]),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_game_kind_match_undecided",
        "game",
        ["kind", "match", "number"],
        sqlite_where=undecided,
        postgresql_where=undecided,
    )
    op.create_index("ix_game_challenge", "game", ["challenge"], sqlite_where=duel, postgresql_where=duel)
    op.create_table(
        "kept_post",
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("side", sa.Integer, nullable=False),
        sa.Column("guild", sa.BigInteger, nullable=False),
        sa.Column("channel", sa.BigInteger),
        sa.Column("host", sa.BigInteger),
        sa.Column("keeper", sa.BigInteger),
        sa.Column("message", sa.BigInteger),
        sa.Column("pinned", sa.BigInteger),
        sa.Column("wanted", sa.Integer, nullable=False, server_default="0"),
        sa.Column("shown", sa.Integer, nullable=False, server_default="0"),
        sa.Column("edits", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("announced", sa.Integer, nullable=False, server_default="0"),
        sa.Column("told", sa.String, nullable=False, server_default=""),
        sa.Column("problem", sa.String),
        sa.Column("since", sa.BigInteger),
        sa.Column("ended", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.PrimaryKeyConstraint("number", "kind", "side"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_kept_post_guild_kind_number", "kept_post", ["guild", "kind", "number"])
    op.create_index("ix_kept_post_channel_kind_number", "kept_post", ["channel", "kind", "number"])
    op.create_index("ix_kept_post_host", "kept_post", ["host"])
    op.create_index("ix_kept_post_keeper", "kept_post", ["keeper"])
    op.create_index(
        "ix_kept_post_kind_edits_behind", "kept_post", ["kind", "edits"], sqlite_where=behind, postgresql_where=behind
    )


def _by(rows: Iterable[Values], *names: str) -> dict[Any, list[Values]]:
    """Returns rows by the values of their columns."""
    found = defaultdict(list)
    for row in rows:
        found[tuple(row[name] for name in names)].append(row)
    return found


def _some(row: Values, *names: str) -> Values:
    """Returns some of the columns of a row."""
    return {name: row[name] for name in names}


POINTS = "first_points", "second_points", "unplayed", "match"
COMPETITION: Values = {"due": None, "ended": None, "source": None, "code": None, "league": None}
ENTRANT: Values = {"group": None, "rating": None, "left": None, "since": None, "presence": None}
GAME: Values = dict.fromkeys(("group", "round", "begins", "match", "challenge", "taken", "detail")) | {
    "first_points": None,
    "second_points": None,
    "unplayed": False,
    "tries": 0,
}
POST: Values = {"side": 0, "host": None, "pinned": None, "edits": 0, "announced": 0, "told": ""}


def _move_tournaments(stored: dict[str, list[Values]], rows: dict[str, list[Values]]) -> None:
    entrants, bouts = _by(stored["entrant"], "tournament"), _by(stored["bout"], "tournament")
    for row in stored["tournament"]:
        key = {"kind": "tournament", "number": row["id"]}
        users = [each["user"] for each in entrants[row["id"],]]
        dues = [moment for moment in (row["due"], row["until"]) if moment is not None]
        waits = row["stage"] == "running" and row["pace"] is not None and row["until"] is None
        head = _some(
            row, *("name", "format", "terms", "made", "rounds", "pace", "stage", "begins", "postponed", "reminded")
        )
        head |= {"computer": row["computer"], "round_ends": row["until"], "notices": row["notices"] or []}
        rows["competition"].append(
            {
                **COMPETITION,
                **key,
                **_some(row, "version", "source"),
                "head": head,
                "open": row["stage"] in ("sign-up", "running"),
                "due": 0 if waits else min(dues, default=None),
            }
        )
        place = _some(row, "guild", "channel", "host", "message", "shown", "announced")
        rows["kept_post"].append({**POST, **key, **place, "wanted": row["version"]})
        for number, each in enumerate(entrants[row["id"],]):
            rows["entrant"].append({**ENTRANT, **key, "place": number, **_some(each, "user", "rating", "left")})
        for number, each in enumerate(bouts[row["id"],]):
            second = None if each["second"] is None else users.index(each["second"])
            players = {"first": users.index(each["first"]), "second": second}
            details = {"round": each["round"], "tries": each["replays"], **_some(each, *POINTS)}
            rows["game"].append({**GAME, **key, "place": number, **players, **details})


def _move_leagues(stored: dict[str, list[Values]], rows: dict[str, list[Values]]) -> None:
    members, seats = _by(stored["league_member"], "guild"), _by(stored["league_seat"], "season")
    games = _by(stored["league_game"], "season")
    present = {row["season"] for row in stored["league"]}
    for row in stored["league"]:
        key = {"kind": "league", "number": row["guild"]}
        head = _some(row, "terms", "begins", "season", "seasons", "pins", "closed", "notices")
        own = {"version": row["version"], "head": head, "open": not row["closed"], "due": row["due"]}
        rows["competition"].append({**COMPETITION, **key, **own})
        place = _some(row, "guild", "channel", "message", "pinned", "shown", "edits", "announced")
        rows["kept_post"].append({**POST, **key, **place, "host": row["keeper"], "wanted": row["changed"]})
        for number, each in enumerate(members[row["guild"],]):
            details = {"group": each["division"], "since": each["joined"], **_some(each, "user", "presence")}
            rows["entrant"].append({**ENTRANT, **key, "place": number, **details})
    for row in stored["league_season"]:
        key = {"kind": "season", "number": row["id"]}
        head, is_open = _some(row, "number", "begins", "ends", "levels"), row["id"] in present
        own = {"version": 0, "head": head, "open": is_open, "league": row["guild"]}
        rows["competition"].append({**COMPETITION, **key, **own})
        users = [each["user"] for each in seats[row["id"],]]
        for number, each in enumerate(seats[row["id"],]):
            details = {"group": each["division"], **_some(each, "user", "left")}
            rows["entrant"].append({**ENTRANT, **key, "place": number, **details})
        for number, each in enumerate(games[row["id"],]):
            taken = None if each["taken"] is None else users.index(each["taken"])
            players = {"first": users.index(each["first"]), "second": users.index(each["second"]), "taken": taken}
            details = {"group": each["division"], **_some(each, "round", "begins", *POINTS)}
            rows["game"].append({**GAME, **key, "place": number, **players, **details})


def _move_contests(stored: dict[str, list[Values]], rows: dict[str, list[Values]]) -> None:
    players, boards = _by(stored["contest_player"], "contest"), _by(stored["contest_board"], "contest")
    for row in stored["contest"]:
        key = {"kind": "contest", "number": row["id"]}
        sides = ("home", "guest") if row["guest_guild"] is not None else ("home",)
        head = _some(row, "kind", "terms", "made", "expires", "size", "period", "sign_up", "closes", "stage", "cause")
        head |= {**_some(row, "proposed_by", "proposed"), "result": None}
        head["gone"] = [number for number, side in enumerate(sides) if row[f"{side}_gone"]]
        if row["stage"] == "ended":
            head["result"] = [[row[f"{side}_{what}"] for side in sides] for what in ("boards", "dots")]
        is_open = row["stage"] in ("invited", "sign-up", "running")
        own = {**_some(row, "version", "source", "code", "due", "ended"), "head": head, "open": is_open}
        rows["competition"].append({**COMPETITION, **key, **own})
        for number, side in enumerate(sides):
            place = {name: row[f"{side}_{name}"] for name in ("guild", "channel", "message", "shown", "told")}
            place |= {"host": row[f"{side}_manager"], "edits": (row[f"{side}_shown_at"] or -60_000) + 60_000}
            rows["kept_post"].append({**POST, **key, **place, "side": number, "wanted": row["version"]})
        for number, each in enumerate(players[row["id"],]):
            details = {"group": each["side"], "left": 1 if each["left"] else None, **_some(each, "user", "rating")}
            rows["entrant"].append({**ENTRANT, **key, "place": number, **details})
        for number, each in enumerate(boards[row["id"],]):
            calls, dots = ([each[f"{side}_{what}"] for side in ("home", "guest")] for what in ("call", "dots"))
            detail = {**_some(each, "first", "waits_since"), "calls": calls, "dots": dots}
            points = {"first_points": each["home_points"], "second_points": each["guest_points"]}
            details = {"first": each["home"], "second": each["guest"], **_some(each, "match", "tries", "unplayed")}
            rows["game"].append({**GAME, **key, "place": number, **details, **points, "detail": detail})


def _move_ladders(stored: dict[str, list[Values]], rows: dict[str, list[Values]]) -> None:
    rungs, duels = _by(stored["rung"], "guild"), _by(stored["duel"], "guild")
    for row in stored["ladder"]:
        key = {"kind": "ladder", "number": row["guild"]}
        users = [each["user"] for each in rungs[row["guild"],]]
        busy = {each[who] for each in duels[row["guild"],] for who in ("challenger", "defender")}
        idle = [each["played"] for each in rungs[row["guild"],] if each["user"] not in busy]
        own = {"version": row["version"], "head": {"terms": row["terms"]}, "open": True}
        own["due"] = min(idle) + IDLE_MILLIS + 1 if idle else None
        rows["competition"].append({**COMPETITION, **key, **own})
        place = _some(row, "guild", "channel", "message", "shown")
        rows["kept_post"].append({**POST, **key, **place, "wanted": row["version"]})
        for number, each in enumerate(rungs[row["guild"],]):
            rows["entrant"].append({**ENTRANT, **key, "place": number, "user": each["user"], "since": each["played"]})
        for number, each in enumerate(duels[row["guild"],]):
            players = {"first": users.index(each["challenger"]), "second": users.index(each["defender"])}
            rows["game"].append({**GAME, **key, "place": number, **players, "challenge": each["challenge"]})


def _move_posts(stored: dict[str, list[Values]], rows: dict[str, list[Values]]) -> None:
    """Adds keepers and troubles to the posts. Homes and dailies had troubles of their own."""
    troubles = {(row["kind"], row["number"], row["side"]): row for row in stored["kept_post"]}
    nothing = {"keeper": None, "problem": None, "since": None, "ended": False}
    for post in rows["kept_post"]:
        post |= {**nothing, **_some(troubles.pop((post["kind"], post["number"], post["side"]), nothing), *nothing)}
    for kind in ("home", "daily"):
        for row in stored[kind]:
            own = {**nothing, "problem": row["trouble"], "since": row["failing"]}
            known = troubles.get((kind, row["guild"], 0), own)
            if known["keeper"] or known["problem"]:
                key = {"kind": kind, "number": row["guild"], "guild": row["guild"]}
                unshown = {"channel": None, "message": None, "wanted": 0, "shown": 0}
                rows["kept_post"].append({**POST, **key, **unshown, **_some(known, *nothing)})
