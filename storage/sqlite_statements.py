"""Statements as SQLite's driver takes them: prepared once, then run without SQLAlchemy's connections.

SQLAlchemy compiles a statement and converts values. What its connections do around that takes three times as long as
SQLite itself. A statement built once keeps what was prepared for it; one that is built anew has that of its twins.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from sqlalchemy import Executable
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.engine.result import SimpleResultMetaData
from sqlalchemy.exc import DBAPIError

from storage.statements import COMPILED, FetchedRows

DIALECT = SQLiteDialect_pysqlite()

FIRST_ROWS = 1000
"""Rows that are fetched at once; the rest as they are read."""

Values = Mapping[str, Any]
Convert = Callable[[Any], Any]


def wrap(text: str, error: sqlite3.Error) -> BaseException:
    """Returns an error of the driver as SQLAlchemy's, without values: users' texts do not belong in a log."""
    return DBAPIError.instance(text, None, error, sqlite3.Error, hide_parameters=True, dialect=DIALECT)


class _Compiled:
    """The text of a statement and all its twins, with the order of the values in it."""

    __slots__ = ("_compiled", "_converters", "_places", "columns", "text")

    def __init__(self, compiled: Any) -> None:
        self._compiled = compiled
        self._converters: Mapping[str, Convert] = compiled._bind_processors
        keys = {name: each.key for each, name in compiled.bind_names.items()}
        places = [(name, keys.get(name, name), self._converters.get(name)) for name in compiled.positiontup or ()]
        expands = compiled.post_compile_params or compiled.literal_execute_params
        self._places = None if expands else places  # how many there are depends on the values
        self.text: str = compiled.string
        self.columns: SimpleResultMetaData | None = None
        if columns := compiled._result_columns:
            names = [each.keyname for each in columns]
            convert = [each.type._cached_result_processor(DIALECT, None) for each in columns]
            self.columns = SimpleResultMetaData(names, _processors=convert)

    def arrange(self, own: Values, values: Values) -> tuple[str, Sequence[Any]]:
        """Returns the text, and in its order the `values` and those that the statement has of its `own`."""
        if self._places is None:
            return self._expand(own, values)
        arranged = []
        for name, key, convert in self._places:
            value = values[key] if key in values else own[name]
            arranged.append(value if convert is None else convert(value))
        return self.text, arranged

    def _expand(self, own: Values, values: Values) -> tuple[str, Sequence[Any]]:
        """Returns the same where a value is a list, as of IN: each of it gets a place."""
        given = {name: values.get(each.key, own[name]) for each, name in self._compiled.bind_names.items()}
        expanded = self._compiled._process_parameters_for_postcompile(given)
        given, converters = {**given, **expanded.parameters}, {**self._converters, **expanded.processors}
        arranged = [
            converters[name](given[name]) if name in converters else given[name] for name in expanded.positiontup
        ]
        return expanded.statement, arranged


class Prepared(NamedTuple):
    """A statement with parameters of certain names."""

    compiled: _Compiled
    own: Values

    def arrange(self, values: Values) -> tuple[str, Sequence[Any]]:
        """Returns the text of the statement, and the values in its order."""
        return self.compiled.arrange(self.own, values)

    def read(self, text: str, cursor: sqlite3.Cursor) -> FetchedRows:
        """Returns what the statement has found and changed."""
        described = cursor.description
        columns = self.compiled.columns or SimpleResultMetaData([each[0] for each in described or ()])
        rows: list[Any] = cursor.fetchmany(FIRST_ROWS) if described else []
        found = chain(rows, _fetch_rest(text, cursor)) if len(rows) == FIRST_ROWS else iter(rows)
        return FetchedRows(columns, found, cursor.rowcount)


def _fetch_rest(text: str, cursor: sqlite3.Cursor) -> Iterator[Any]:
    try:
        yield from cursor
    except sqlite3.Error as error:
        raise wrap(text, error) from error


_compiled: WeakKeyDictionary[Any, _Compiled] = WeakKeyDictionary()
"""By what SQLAlchemy has compiled, as long as COMPILED has it."""

_prepared: WeakKeyDictionary[Executable, dict[tuple[Any, ...], Prepared]] = WeakKeyDictionary()
"""By statement, as long as it exists, and by the names of its parameters."""


def prepare(statement: Executable, values: Values, *, many: bool = False) -> Prepared:
    """Returns a statement for parameters of the same names as `values`, to be run once or for `many` rows."""
    by_names, names = _prepared.get(statement), (many, *values)
    if by_names is None:
        by_names = _prepared[statement] = {}
    if names not in by_names:
        by_names[names] = _prepare(statement, list(values), many=many)
    return by_names[names]


def _prepare(statement: Any, names: list[str], *, many: bool) -> Prepared:
    found, extracted, collected, _ = statement._compile_w_cache(
        DIALECT, compiled_cache=COMPILED, column_keys=names, for_executemany=many
    )
    if found not in _compiled:
        _compiled[found] = _Compiled(found)
    own = found.construct_params(
        extracted_parameters=extracted, escape_names=False, _check=False, _collected_params=collected
    )
    return Prepared(_compiled[found], own)
