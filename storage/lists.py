"""Lists among the parameters of statements. Such a statement has one text, however long the list is."""

from typing import Any

from sqlalchemy import ARRAY, JSON, BigInteger, ColumnElement, bindparam
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

_IDS = ARRAY(BigInteger).with_variant(JSON(), "sqlite")


class _IsAmong(FunctionElement[bool]):
    """Whether a column has one of the values of a list. Without a type: SQLite would compare what is boolean with 1."""

    inherit_cache = True


def is_among(column: ColumnElement[Any], name: str) -> ColumnElement[bool]:
    """Returns whether a column has one of the ids that are the parameter `name`, a list."""
    return _IsAmong(column, bindparam(name, type_=_IDS))


@compiles(_IsAmong, "sqlite")
def _look_in_json(element: _IsAmong, compiler: SQLCompiler, **options: Any) -> str:
    column, ids = (compiler.process(each, **options) for each in element.clauses)
    return f"{column} IN (SELECT value FROM json_each({ids}))"  # noqa: S608 - of a column and a parameter


@compiles(_IsAmong, "postgresql")
def _look_in_array(element: _IsAmong, compiler: SQLCompiler, **options: Any) -> str:
    column, ids = (compiler.process(each, **options) for each in element.clauses)
    return f"{column} = ANY ({ids})"
