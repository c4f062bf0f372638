"""Activities for the application's server: the instance, the exchange of a code, and the user of a token."""

from typing import Any

from loopback.access import secrets_match
from loopback.activities import SCOPES, Grant
from loopback.attachments import new_attachment
from loopback.errors import MISSING_ACCESS, NOT_FOUND, UNAUTHORIZED, ApiError, InvalidForm, Malformed, OAuthError
from loopback.rest.call import Call, Table
from loopback.world import World

Json = dict[str, Any]
MAX_FIGURES = 5  # by which servers may give roles


def _instance(call: Call) -> Json:
    """Returns a running Activity; 404 for any other id, which is how a server knows a forged one."""
    instance = call.world.activities.instance(call.path["instance_id"])
    if instance is None or call.id("application_id") != call.world.application_id:
        raise ApiError(NOT_FOUND)
    channel = call.world.channels[instance.channel_id]
    kind, place = ("gc", {"guild_id": str(call.world.guild_of(channel).id)}) if channel.in_guild else ("pc", {})
    return {
        "application_id": str(call.world.application_id),
        "instance_id": instance.id,
        "launch_id": instance.launch_id,
        "location": {"id": f"{kind}-{channel.id}", "kind": kind, "channel_id": str(channel.id), **place},
        "users": [str(user) for user in instance.users],
    }


def _token(call: Call) -> Json:
    """Exchanges a code for a token, for a client that knows the client secret; or grants the client one of its own."""
    form, activities = call.body or {}, call.world.activities
    is_client = form.get("client_id") == str(call.world.application_id)
    if not (is_client and secrets_match(form.get("client_secret"), activities.secret)):
        raise OAuthError(401, "invalid_client")
    grants = {"authorization_code": _exchange, "client_credentials": _grant_to_owner, "refresh_token": _renew}
    if (make := grants.get(form.get("grant_type", ""))) is None:
        raise OAuthError(400, "unsupported_grant_type")
    token, grant = make(call.world, form)
    seconds = int(grant.until - call.world.now())
    granted = {"access_token": token, "token_type": "Bearer", "expires_in": seconds, "scope": " ".join(grant.scopes)}
    if form["grant_type"] == "client_credentials":
        return granted
    return granted | {"refresh_token": activities.refresh(grant)}


def _exchange(world: World, form: Json) -> tuple[str, Grant]:
    made = world.activities.exchange(form.get("code", ""), form.get("redirect_uri"))
    if made is None:
        raise OAuthError(400, "invalid_grant")
    return made


def _renew(world: World, form: Json) -> tuple[str, Grant]:
    made = world.activities.renew(form.get("refresh_token", ""))
    if made is None:
        raise OAuthError(400, "invalid_grant")
    return made


def _revoke(call: Call) -> Json:
    form, activities = call.body or {}, call.world.activities
    is_client = form.get("client_id") == str(call.world.application_id)
    if not (is_client and secrets_match(form.get("client_secret"), activities.secret)):
        raise OAuthError(401, "invalid_client")
    activities.revoke(form.get("token", ""))
    return {}


def _figures(call: Call) -> list[Json]:
    if call.id("application_id") != call.world.application_id:
        raise ApiError(NOT_FOUND)
    return call.world.activities.figures


def _set_figures(call: Call) -> list[Json]:
    _figures(call)
    if len(call.body) > MAX_FIGURES:
        raise Malformed((), f"more than {MAX_FIGURES} figures")
    call.world.activities.figures = list(call.body)
    return call.world.activities.figures


def _require_linker(call: Call) -> int:
    """Returns the user of a token that may tell their figures."""
    if call.bearer is None or call.id("application_id") != call.world.application_id:
        raise ApiError(UNAUTHORIZED)
    if not call.world.activities.may_link(call.bearer):
        raise ApiError(MISSING_ACCESS)
    return call.bearer


def _connection(call: Call) -> Json:
    return call.world.activities.connections.get(_require_linker(call), {"metadata": {}})


def _connect(call: Call) -> Json:
    """Takes the figures of a user in place of the last ones: numbers alone, of kinds that the application has."""
    user, known = _require_linker(call), {each["key"] for each in call.world.activities.figures}
    metadata = call.body.get("metadata") or {}
    if not known >= metadata.keys() or not all(value.isdecimal() for value in metadata.values()):
        raise InvalidForm(("metadata",), "INVALID_METADATA", "Unknown keys, or values that are no numbers.")
    told = {"platform_name": call.body.get("platform_name") or "", "metadata": dict(metadata)}
    call.world.activities.connections[user] = told
    return told


def _disconnect(call: Call) -> None:
    call.world.activities.connections.pop(_require_linker(call), None)


def _grant_to_owner(world: World, form: Json) -> tuple[str, Grant]:
    """Grants a token in the name of the application's owner."""
    scopes = tuple(form.get("scope", "").split())
    if not scopes or not SCOPES.issuperset(scopes):
        raise OAuthError(400, "invalid_scope")
    return world.activities.grant(world.guild.owner_id, scopes)


def _upload(call: Call) -> Json:
    """Keeps a file for the dialog by which its user shares it. The bot's own token is not taken."""
    if call.bearer is None or call.id("application_id") != call.world.application_id:
        raise ApiError(UNAUTHORIZED)
    (given,) = call.uploads
    kept = call.world.upload(new_attachment(call.world.ids.next(), given.filename, given.data))
    folder = f"ephemeral-attachments/{call.world.application_id}"
    return {"attachment": call.wire.file(kept, folder, ephemeral=True)}


ENDPOINTS: Table = {
    "GET /applications/{application_id}/activity-instances/{instance_id}": _instance,
    "POST /applications/{application_id}/attachment": _upload,
    "POST /oauth2/token": _token,
    "POST /oauth2/token/revoke": _revoke,
    "GET /applications/{application_id}/role-connections/metadata": _figures,
    "PUT /applications/{application_id}/role-connections/metadata": _set_figures,
    "GET /users/@me/applications/{application_id}/role-connection": _connection,
    "PUT /users/@me/applications/{application_id}/role-connection": _connect,
    "DELETE /users/@me/applications/{application_id}/role-connection": _disconnect,
}
