"""Statements as a driver takes them: compiled once, then run without SQLAlchemy's connections.

SQLAlchemy compiles a statement and converts values. What its connections do around that takes longer than the driver
itself. A statement built once is compiled once for each set of parameters; one that is built anew, each time.
"""

from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from sqlalchemy import Dialect, Executable
from sqlalchemy.sql.compiler import SQLCompiler

from storage.statements import AnyRow

Values = Mapping[str, Any]
Convert = Callable[[Any], Any]


class Columns:
    """The columns of what a statement finds, with what `converts` the values of each."""

    __slots__ = ("_converts", "_make")

    def __init__(self, names: Iterable[str], converts: Iterable[Convert | None] = ()) -> None:
        self._make = _row_maker(tuple(names))
        self._converts = [(place, convert) for place, convert in enumerate(converts) if convert]

    def read(self, found: Iterable[Sequence[Any]]) -> Iterator[AnyRow]:
        """Returns rows of a driver as named tuples, with the values that were stored."""
        return map(self._convert if self._converts else self._make, found)

    def _convert(self, found: Sequence[Any]) -> AnyRow:
        values = list(found)
        for place, convert in self._converts:
            values[place] = convert(values[place])
        return self._make(values)


@lru_cache(maxsize=1000)
def _row_maker(names: tuple[str, ...]) -> Callable[[Iterable[Any]], AnyRow]:
    row: Any = namedtuple("Row", names, rename=True)  # type: ignore[misc] # the names are not known before
    make: Callable[[Iterable[Any]], AnyRow] = row._make
    return make


class _Place(NamedTuple):
    """The place of a value in a text: its `key` among the parameters, and what takes its place if it isn't there."""

    key: str
    own: Any
    convert: Convert | None


class _Prepared:
    """A statement with parameters of certain names: its text, and the values in their order.

    Attributes:
        columns: those of its rows; None if it has none, or is a text whose columns only the database knows.
    """

    __slots__ = ("_places", "columns", "text")

    def __init__(self, statement: Any, values: Values, dialect: Dialect, *, many: bool) -> None:
        compiled: SQLCompiler = statement.compile(dialect=dialect, column_keys=list(values), for_executemany=many)
        given = [each.key for each in compiled.post_compile_params if each.key in values]
        assert not given, f"the text would be that of the first list; use is_among for {given}"
        expanded = compiled.construct_expanded_state(values, escape_names=False)
        self._places = []
        for name in expanded.positiontup or ():
            if (bound := compiled.binds.get(name)) is not None:
                convert = bound.type.dialect_impl(dialect).bind_processor(dialect)
                self._places.append(_Place(bound.key, bound.effective_value, convert))
            else:  # one of a list
                self._places.append(_Place(name, expanded.parameters[name], expanded.processors.get(name)))
        self.text = expanded.statement
        self.columns: Columns | None = None
        columns: Any = getattr(statement, "exported_columns", ())
        if len(columns):
            converts = [each.type.dialect_impl(dialect).result_processor(dialect, None) for each in columns]
            self.columns = Columns(columns.keys(), converts)

    def arrange(self, values: Values) -> list[Any]:
        """Returns the values in the order of the text, and those that the statement has of its own."""
        arranged = []
        for key, own, convert in self._places:
            value = values.get(key, own)
            arranged.append(value if convert is None else convert(value))
        return arranged


class Call(NamedTuple):
    """A statement as a driver takes it: its text, and its values in their order, or those of `many` rows, with each of
    which it is to run.

    `columns` are those of what it finds; None if it finds nothing, or if only the database knows them.
    """

    text: str
    rows: list[list[Any]]
    many: bool
    columns: Columns | None

    @property
    def values(self) -> Sequence[Any]:
        """The values, or those of the first row."""
        return self.rows[0]


class Preparer:
    """Prepares statements in the dialect of a driver."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self._prepared: WeakKeyDictionary[Executable, dict[tuple[Any, ...], _Prepared]] = WeakKeyDictionary()
        """By statement, as long as it exists, and by the names of its parameters."""

    def prepare(self, statement: Executable, parameters: Any) -> Call:
        """Returns a statement with its parameters; with a list of them, to be run for each."""
        many = isinstance(parameters, list)
        given = parameters if isinstance(parameters, list) else [parameters or {}]
        prepared = self._find(statement, given[0], many=many)
        return Call(prepared.text, [prepared.arrange(values) for values in given], many, prepared.columns)

    def _find(self, statement: Executable, values: Values, *, many: bool) -> _Prepared:
        """Returns what was prepared for parameters of the same names as `values`."""
        by_names, names = self._prepared.setdefault(statement, {}), (many, *values)
        if names not in by_names:
            by_names[names] = _Prepared(statement, values, self.dialect, many=many)
        return by_names[names]
