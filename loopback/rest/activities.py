"""Activities for the application's server: the instance, the exchange of a code, and the user of a token."""

from typing import Any

from loopback.access import secrets_match
from loopback.activities import SCOPES, Grant
from loopback.attachments import new_attachment
from loopback.errors import NOT_FOUND, UNAUTHORIZED, ApiError, OAuthError
from loopback.rest.call import Call, Table
from loopback.world import World

Json = dict[str, Any]


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
    grants = {"authorization_code": _exchange, "client_credentials": _grant_to_owner}
    if (make := grants.get(form.get("grant_type", ""))) is None:
        raise OAuthError(400, "unsupported_grant_type")
    token, grant = make(call.world, form)
    seconds = int(grant.until - call.world.now())
    return {"access_token": token, "token_type": "Bearer", "expires_in": seconds, "scope": " ".join(grant.scopes)}


def _exchange(world: World, form: Json) -> tuple[str, Grant]:
    made = world.activities.exchange(form.get("code", ""))
    if made is None:
        raise OAuthError(400, "invalid_grant")
    return made


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
}
