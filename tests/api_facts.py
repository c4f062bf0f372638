"""The facts of Discord's API that the bot relies on: `python -m tests.api_facts openapi.json` writes them anew.

They are Discord's own description, cut down to the stand-in's routes and to what loopback/openapi.py checks in them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from loopback.rest.router import FORMS, TABLES
from tests.facts import API

UNCHECKED = {"title", "description", "format", "contentEncoding"}
"""Words of a schema that no check reads, beside those of one API (`x-…`)."""

REFERENCE = "#/components/schemas/"


def api_facts(description: dict[str, Any]) -> dict[str, Any]:
    """Returns the part of a description that the bot relies on: routes, fields, types and limits."""
    paths: dict[str, Any] = {}
    for endpoint in sorted({endpoint for table in TABLES for endpoint in table} - {*FORMS}):
        method, template = endpoint.split(" ")
        paths.setdefault(template, {})[method.lower()] = _operation(description["paths"][template][method.lower()])
    schemas: dict[str, Any] = {}
    missing = {*references(paths)}
    while missing:
        name = missing.pop()
        schemas[name] = without_prose(description["components"]["schemas"][name])
        missing |= {*references(schemas[name])} - schemas.keys()
    info = {key: description["info"][key] for key in ("title", "version", "license")}
    return {
        "openapi": description["openapi"],
        "info": info,
        "paths": dict(sorted(paths.items())),
        "components": {"schemas": dict(sorted(schemas.items()))},
    }


def as_text(facts: dict[str, Any]) -> str:
    """Returns facts as JSON with a path or schema a line, so that a diff names what changed."""
    head = {key: facts[key] for key in ("openapi", "info")}
    paths, schemas = _lines(facts["paths"]), _lines(facts["components"]["schemas"])
    return f'{_json(head)[:-1]},"paths":{{\n{paths}\n}},"components":{{"schemas":{{\n{schemas}\n}}}}}}\n'


def _operation(operation: dict[str, Any]) -> dict[str, Any]:
    """Returns what a method takes and answers as JSON."""
    answers = {
        status: {"content": _content(answer)}
        for status, answer in operation["responses"].items()
        if status in ("200", "201") and "content" in answer
    }
    if "requestBody" not in operation:
        return {"responses": answers}
    return {"requestBody": {"content": _content(operation["requestBody"])}, "responses": answers}


def _content(body: dict[str, Any]) -> dict[str, Any]:
    kind = "application/json" if "application/json" in body["content"] else "multipart/form-data"
    return {kind: {"schema": without_prose(body["content"][kind]["schema"])}}


def without_prose(schema: Any) -> Any:
    """Returns a schema with nothing but what a check reads."""
    if isinstance(schema, list):
        return [without_prose(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        word: {name: without_prose(each) for name, each in value.items()}
        if word == "properties"
        else without_prose(value)
        for word, value in schema.items()
        if word not in UNCHECKED and not word.startswith("x-")
    }


def references(part: Any, prefix: str = REFERENCE) -> Iterator[str]:
    """Yields the names of the schemas that a part refers to."""
    if isinstance(part, str) and part.startswith(prefix):
        yield part.removeprefix(prefix)
    elif isinstance(part, (dict, list)):
        for each in part.values() if isinstance(part, dict) else part:
            yield from references(each, prefix)


def _lines(entries: dict[str, Any]) -> str:
    return ",\n".join(f"{_json(name)}:{_json(entry)}" for name, entry in entries.items())


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    API.write_text(as_text(api_facts(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))), encoding="utf-8")
