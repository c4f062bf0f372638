"""Statements as a driver takes them: prepared once, then run without SQLAlchemy's connections.

SQLAlchemy compiles a statement and converts values. What its connections do around that takes longer than the driver
itself. A statement built once keeps what was prepared for it; one that is built anew has that of its twins.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from sqlalchemy import Dialect, Executable
from sqlalchemy.engine.result import SimpleResultMetaData

from storage.statements import COMPILED

Values = Mapping[str, Any]
Convert = Callable[[Any], Any]


class _Compiled:
    """The text of a statement and all its twins, with the order of the values in it.

    `columns` are those of its rows; None if it has none, or is a text whose columns only the database knows.
    """

    __slots__ = ("_compiled", "_converters", "_places", "columns", "text")

    def __init__(self, compiled: Any, dialect: Dialect) -> None:
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
            convert = [each.type._cached_result_processor(dialect, None) for each in columns]
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


class _Prepared(NamedTuple):
    """A statement with parameters of certain names, and the values that it has of its `own`."""

    compiled: _Compiled
    own: Values


class Call(NamedTuple):
    """A statement as a driver takes it: its text, and its values in their order, or those of `many` rows, with each of
    which it is to run.

    `columns` are those of what it finds; None if it finds nothing, or if only the database knows them.
    """

    text: str
    rows: list[Sequence[Any]]
    many: bool
    columns: SimpleResultMetaData | None

    @property
    def values(self) -> Sequence[Any]:
        """The values, or those of the first row."""
        return self.rows[0]


class Preparer:
    """Prepares statements in the dialect of a driver."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self._compiled: WeakKeyDictionary[Any, _Compiled] = WeakKeyDictionary()
        """By what SQLAlchemy has compiled, as long as COMPILED has it."""
        self._prepared: WeakKeyDictionary[Executable, dict[tuple[Any, ...], _Prepared]] = WeakKeyDictionary()
        """By statement, as long as it exists, and by the names of its parameters."""

    def prepare(self, statement: Executable, parameters: Any) -> Call:
        """Returns a statement with its parameters; with a list of them, to be run for each."""
        many = isinstance(parameters, list)
        given = parameters if isinstance(parameters, list) else [parameters or {}]
        compiled, own = self._find(statement, given[0], many=many)
        arranged = [compiled.arrange(own, values) for values in given]
        return Call(arranged[0][0], [values for _, values in arranged], many, compiled.columns)

    def _find(self, statement: Executable, values: Values, *, many: bool) -> _Prepared:
        """Returns what was prepared for parameters of the same names as `values`."""
        by_names, names = self._prepared.get(statement), (many, *values)
        if by_names is None:
            by_names = self._prepared[statement] = {}
        if names not in by_names:
            by_names[names] = self._prepare(statement, list(values), many=many)
        return by_names[names]

    def _prepare(self, statement: Any, names: list[str], *, many: bool) -> _Prepared:
        found, extracted, collected, _ = statement._compile_w_cache(
            self.dialect, compiled_cache=COMPILED, column_keys=names, for_executemany=many
        )
        if found not in self._compiled:
            self._compiled[found] = _Compiled(found, self.dialect)
        own = found.construct_params(
            extracted_parameters=extracted, escape_names=False, _check=False, _collected_params=collected
        )
        return _Prepared(self._compiled[found], own)
