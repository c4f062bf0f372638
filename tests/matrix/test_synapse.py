"""The homeserver of the tests: that it is real, and that clients which are not ours can talk on it."""

from __future__ import annotations

import pytest
from nio import AsyncClient, RoomCreateResponse, RoomMessagesResponse, RoomSendResponse

from tests.matrix.synapse import Synapse


@pytest.mark.smoke
async def test_a_room_of_the_server_has_what_a_client_sends(synapse: Synapse) -> None:
    account = synapse.register("smoke")
    client = AsyncClient(synapse.address, account.user)
    client.access_token, client.user_id = account.token, account.user
    try:
        room = await client.room_create()
        assert isinstance(room, RoomCreateResponse)
        sent = await client.room_send(room.room_id, "m.room.message", {"msgtype": "m.text", "body": "E5"}, "one")
        assert isinstance(sent, RoomSendResponse)
        said = await client.room_messages(room.room_id, limit=1)
        assert isinstance(said, RoomMessagesResponse)
        assert [event.source["content"]["body"] for event in said.chunk] == ["E5"]
    finally:
        await client.close()
