"""A real Synapse for the tests, in an environment of its own: `make test` installs it from requirements/synapse.txt.

It listens on 127.0.0.1 alone, keeps all that it has in one folder, and knows no other server.
"""

from __future__ import annotations

import base64
import hmac
import json
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request
from dataclasses import dataclass
from hashlib import sha1
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.error import URLError

PROGRAM = Path(__file__).parents[2] / ".venv" / "synapse" / "bin" / "synapse_homeserver"

SERVER = "kropka.test"
"""The name of the server, the part of all its ids after the colon."""

START_SECONDS = 240.0
"""An empty database takes some six seconds on one core, and minutes where many others work on it."""

BOUNDLESS = {"per_second": 100_000, "burst_count": 100_000}

LIMITS = ("rc_message", "rc_registration", "rc_admin_redaction", "rc_joins_per_room", "rc_room_creation", "rc_reports")
"""The limits of Synapse for which a test would have to wait."""


@dataclass(frozen=True, slots=True)
class Account:
    """A user of the server, and the token of their only device."""

    user: str
    token: str


class Synapse:
    """A server that is deleted when the block ends; with `limits` it is as fast as a new one lets accounts be."""

    def __init__(self, *, limits: bool = False) -> None:
        self._limits = limits

    def __enter__(self) -> Self:
        assert PROGRAM.exists(), "Synapse is missing: make test installs it"
        self._folder = Path(tempfile.mkdtemp(prefix="kropka-synapse-"))
        self._secret = secrets.token_hex()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port: int = free.getsockname()[1]
        self._configure()
        try:
            self.start()
        except BaseException:
            shutil.rmtree(self._folder)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        shutil.rmtree(self._folder)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def pid(self) -> int:
        return self._process.pid

    def start(self) -> None:
        """Starts the server; returns when it answers."""
        with (self._folder / "output").open("wb") as output:
            self._process = subprocess.Popen(  # noqa: S603 - the lock's
                [PROGRAM, "-c", self._folder / "homeserver.yaml"],
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC"},
            )
        limit = time.monotonic() + START_SECONDS
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > limit:
                self.stop()
                raise AssertionError(f"Synapse does not start:\n{(self._folder / 'output').read_text()[-4000:]}")
            time.sleep(0.1)

    def stop(self) -> None:
        """Kills the server, as a power cut would."""
        self._process.kill()
        self._process.wait()

    def register(self, name: str, *, admin: bool = False) -> Account:
        """Makes an account by the shared secret.

        Source: https://element-hq.github.io/synapse/latest/admin_api/register_api.html
        """
        nonce, password = self.ask("GET", "/_synapse/admin/v1/register")["nonce"], secrets.token_hex()
        parts = (nonce, name, password, "admin" if admin else "notadmin")
        mac = hmac.new(self._secret.encode(), "\0".join(parts).encode(), sha1).hexdigest()
        body = {"nonce": nonce, "username": name, "password": password, "admin": admin, "mac": mac}
        made = self.ask("POST", "/_synapse/admin/v1/register", body)
        return Account(made["user_id"], made["access_token"])

    def ask(self, method: str, path: str, body: object = None, token: str | None = None) -> Any:
        """Returns what the server answers. Raises urllib.error.HTTPError."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, headers, method=method)  # noqa: S310 - of this machine
        with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
            return json.load(answer)

    def _answers(self) -> bool:
        try:
            self.ask("GET", "/_matrix/client/versions")
        except (URLError, ConnectionError):
            return False
        return True

    def _configure(self) -> None:
        """Writes the files that Synapse starts with; JSON is YAML."""
        key = base64.b64encode(secrets.token_bytes(32)).decode().rstrip("=")
        (self._folder / "signing.key").write_text(f"ed25519 a_test {key}\n")
        log = {"version": 1, "root": {"level": "WARNING", "handlers": []}, "disable_existing_loggers": False}
        (self._folder / "log.yaml").write_text(json.dumps(log))
        listener = {
            "port": self._port,
            "bind_addresses": ["127.0.0.1"],
            "type": "http",
            "resources": [{"names": ["client"], "compress": False}],
        }
        settings = {
            "server_name": SERVER,
            "listeners": [listener],
            "database": {"name": "sqlite3", "args": {"database": str(self._folder / "homeserver.db")}},
            "log_config": str(self._folder / "log.yaml"),
            "media_store_path": str(self._folder / "media"),
            "signing_key_path": str(self._folder / "signing.key"),
            "registration_shared_secret": self._secret,
            "macaroon_secret_key": secrets.token_hex(),
            "form_secret": secrets.token_hex(),
            "trusted_key_servers": [],
            "federation_domain_whitelist": [],
            "url_preview_enabled": False,
            "report_stats": False,
            "bcrypt_rounds": 4,
            **dict.fromkeys(LIMITS, BOUNDLESS),
            "rc_joins": {"local": BOUNDLESS, "remote": BOUNDLESS},
            "rc_invites": dict.fromkeys(("per_room", "per_user", "per_issuer"), BOUNDLESS),
            "rc_login": dict.fromkeys(("address", "account", "failed_attempts"), BOUNDLESS),
        }
        if self._limits:
            del settings["rc_message"]
        (self._folder / "homeserver.yaml").write_text(json.dumps(settings))
