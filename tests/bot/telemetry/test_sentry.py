"""Error reports say where a failure happened, and nothing that users wrote."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
import sentry_sdk
from pydantic import SecretStr
from sentry_sdk.envelope import Envelope
from sentry_sdk.transport import Transport

from bot.settings import BadSettings
from bot.telemetry import sentry
from bot.way_out import STRAIGHT

ADDRESS = SecretStr("https://public@sentry.invalid/1")


class RecordingTransport(Transport):
    """A transport that keeps what it should send."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[str] = []

    def capture_envelope(self, envelope: Envelope) -> None:
        self.sent.append(envelope.serialize().decode())


@pytest.fixture
def transport(monkeypatch: pytest.MonkeyPatch) -> Iterator[RecordingTransport]:
    recording = RecordingTransport()
    begin = sentry_sdk.init
    monkeypatch.setattr(sentry_sdk, "init", lambda *given, **options: begin(*given, transport=recording, **options))
    sentry.set_up(ADDRESS, lambda _: STRAIGHT)
    yield recording
    begin(default_integrations=False)


def fail(typed: str) -> None:
    secret = f"{typed} was typed"
    raise ZeroDivisionError(f"at https://discord.com/api/v10/webhooks/1234567/very-secret ({len(secret)})")


def test_a_report_says_what_failed_and_where(transport: RecordingTransport) -> None:
    try:
        fail("hello")
    except ZeroDivisionError:
        logging.getLogger("kropka").exception("match %d: %s", 12, "hello logged")
    (report,) = transport.sent
    assert "ZeroDivisionError" in report
    assert "test_sentry" in report


def test_a_report_has_no_words_of_people_and_no_secrets(transport: RecordingTransport) -> None:
    before, typed = (" ".join(("words", when)) for when in ("before", "typed"))  # not in the source, which is sent
    sentry_sdk.add_breadcrumb(message=before)
    try:
        fail(typed)
    except ZeroDivisionError:
        logging.getLogger("kropka").exception("it failed")
    (report,) = transport.sent
    assert before not in report
    assert typed not in report
    assert "very-secret (1" not in report


def test_an_address_that_is_none_is_a_bad_setting_and_not_shown() -> None:
    with pytest.raises(BadSettings, match="KROPKA_SENTRY") as refused:
        sentry.set_up(SecretStr("https://key-without-project@"), lambda _: STRAIGHT)
    assert "key-without" not in str(refused.value)
