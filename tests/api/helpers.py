"""Helpers of several API tests: the views, a program that compresses, cursors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.urls import URLPattern, URLResolver, get_resolver
from rest_framework.test import APIClient
from rest_framework.throttling import SimpleRateThrottle

from arkham.accounts.models import User
from decks.lists.content import empty_content
from tests.helpers import program_of

LIST = "Roland Banks\n2x Machete"
CONTENT = empty_content("01001").as_json()
DECK = {"investigator_code": "01001", "slots": {"01006": 1}}
FORGED = ["p=abc", "p=%00", "p=1e5", "p=2026-13-45", "p=", "p=1&o=x", "o=99999999999",
          "p=" + "9" * 60, "p=-1", "r=1&p=%F0%9F%90%99", "p=%D9%A3abc"]  # fmt: skip


def compressing_program_of(owner: User) -> APIClient:
    """Return a program that accepts compressed responses, as all ordinary ones do."""
    return program_of(owner, headers={"Accept-Encoding": "gzip, br"})


def _views(
    patterns: list[URLPattern | URLResolver], before: str = ""
) -> Iterator[tuple[str, Any]]:
    for each in patterns:
        path = before + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from _views(each.url_patterns, path)
        elif view := getattr(each.callback, "cls", None):
            yield path, view


def views_of(beginning: str) -> list[tuple[str, Any]]:
    """Return the API's views whose address begins with this, by address."""
    patterns = get_resolver("arkham.urls").url_patterns
    return [each for each in _views(patterns) if each[0].startswith(beginning)]


def set_rates(monkeypatch: pytest.MonkeyPatch, **rates: str | None) -> None:
    """Replace the throttles' rates by these."""
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", rates)
