"""Requests to the public API of the card pool."""

from __future__ import annotations

import json
from typing import Any

from django.test import Client

API = "/api/public/"


def fetch(path: str, **headers: str) -> Any:
    """Return the public API's response; header names are written with underscores."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Client().get(API + path, headers=named)


def fetch_json(path: str) -> Any:
    """Return the document in a successful response."""
    answer = fetch(path)
    assert answer.status_code == 200, answer.content
    return json.loads(answer.content)
