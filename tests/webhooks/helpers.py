"""A receiver of messages, and webhooks that lead there."""

from __future__ import annotations

import json
import time
from http.server import BaseHTTPRequestHandler
from typing import Any, ClassVar, NamedTuple

from arkham.accounts.models import User
from arkham.webhooks import services
from arkham.webhooks.models import Webhook
from tests.helpers import NOW

ORIGIN = "https://orne.example"


class Message(NamedTuple):
    """A message that arrived."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def content(self) -> Any:
        return json.loads(self.body)


class Receiver(BaseHTTPRequestHandler):
    """A person's program; it answers with the status its address names."""

    got: ClassVar[list[Message]] = []

    def do_POST(self) -> None:
        """Take a message."""
        size = int(self.headers["Content-Length"])
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.got.append(Message(self.path, headers, self.rfile.read(size)))
        if self.path == "/slow":
            time.sleep(2)
        status = int(self.path[1:]) if self.path[1:].isdigit() else 204
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_arguments: Any) -> None:
        """Say nothing."""


def a_webhook(owner: User, address: str, *events: str, **kwargs: Any) -> Webhook:
    """A webhook for all events, unless some are named."""
    return services.make_webhook(
        owner=owner,
        address=address,
        events=events or services.EVENTS,
        origin=ORIGIN,
        **{"now": NOW, **kwargs},
    )
