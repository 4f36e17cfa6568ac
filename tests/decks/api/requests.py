"""Requests of API tests about decks."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from rest_framework.test import APIClient

NOW = datetime(2026, 11, 21, 19, 30, tzinfo=UTC)
DECKS = "/api/v1/decks/"


def send_body(
    client: APIClient, method: str, path: str, body: Any, **headers: str
) -> Any:
    """Send a JSON body; header names are written with underscores."""
    return client.generic(
        method,
        path,
        json.dumps(body),
        "application/json",
        headers={key.replace("_", "-"): value for key, value in headers.items()},
    )
