"""Checks bodies against Discord's own OpenAPI 3.1 description. The only module that needs
jsonschema_rs."""

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jsonschema_rs import Draft202012Validator, Registry, ValidationError

from loopback.model import ReferenceKind

URI = "urn:discord-openapi"


MEDIA_CHANNEL = 16


class Description:
    """The description in a file, with four relaxations, in which Discord's documentation differs from it.

    A snowflake may be an integer, the application's text a string, a channel one of media, and a reference that of a
    forward.
    """

    def __init__(self, path: Path) -> None:
        self._document = json.loads(path.read_text(encoding="utf-8"))
        schemas = self._document["components"]["schemas"]
        schemas["SnowflakeType"]["type"] = ["string", "integer"]
        schemas["ApplicationFormPartial"]["properties"]["description"]["type"] = ["object", "string", "null"]
        schemas["GuildChannelResponse"]["properties"]["type"] = _with_media(schemas)
        schemas["MessageReferenceType"] = {"type": "integer", "enum": [*ReferenceKind]}
        self._registry = Registry([(URI, self._document)])
        self._validator = cache(self._compile)

    def request_problem(self, endpoint: str, body: Any) -> str | None:
        """Returns the error in a request's body, None if it is valid; the endpoint as in ``GET /users/@me``."""
        method, template = endpoint.split(" ")
        operation = self._document["paths"].get(template, {}).get(method.lower())
        if operation is None:
            return f"{endpoint} is not in the API description"
        if "requestBody" not in operation:
            return None if body is None else f"{endpoint} takes no body"
        if "application/json" not in operation["requestBody"]["content"]:
            return None if body is None else f"{endpoint} takes no JSON"
        if body is None:
            return f"{endpoint} needs a body"
        return self._problem(
            ("paths", template, method.lower(), "requestBody", "content", "application/json", "schema"), body
        )

    def response_problem(self, endpoint: str, body: Any) -> str | None:
        """Returns the error in the body of a 2xx response, None if it is valid."""
        method, template = endpoint.split(" ")
        responses = self._document["paths"][template][method.lower()]["responses"]
        status = next((each for each in responses if each in ("200", "201") and "content" in responses[each]), None)
        if status is None or body is None:
            return None
        path = ("paths", template, method.lower(), "responses", status, "content", "application/json", "schema")
        return self._problem(path, body)

    def _compile(self, path: tuple[str, ...]) -> Draft202012Validator:
        pointer = "/".join(key.replace("~", "~0").replace("/", "~1") for key in path)
        return Draft202012Validator({"$ref": f"{URI}#/{quote(pointer)}"}, registry=self._registry)

    def _problem(self, path: tuple[str, ...], body: Any) -> str | None:
        validator = self._validator(path)
        if validator.is_valid(body):
            return None
        error = _deepest(validator.iter_errors(body))
        return f"{'.'.join(map(str, error.instance_path)) or 'body'}: {error.message[:300]}"


def _with_media(schemas: dict[str, Any]) -> dict[str, Any]:
    """Returns the types of a channel with that of media, which the description leaves out."""
    kinds = schemas["GuildChannelResponse"]["properties"]["type"]["enum"]
    return {"type": "integer", "enum": [*kinds, MEDIA_CHANNEL]}


def _deepest(errors: Iterable[ValidationError]) -> ValidationError:
    """Returns the most specific error: inside a union, that of the branch whose ``type`` fits the value."""
    error = max(errors, key=_depth)
    while branches := getattr(error.kind, "context", None):
        fitting = [branch for branch in branches if not any(_is_wrong_type(each, error) for each in branch)]
        inside = max((each for branch in fitting for each in branch), key=_depth, default=None)
        if inside is None:
            break
        error = inside
    return error


def _depth(error: ValidationError) -> int:
    return len(error.instance_path)


def _is_wrong_type(error: ValidationError, union: ValidationError) -> bool:
    """Returns whether a branch of a union is for another type of value."""
    path = error.instance_path[len(union.instance_path) :]
    return path[-1:] == ["type"] or (not path and error.kind.name == "type")
