"""What tests of several apps ask for: programs with a key of an account's."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from rest_framework.test import APIClient

from arkham.accounts import services as accounts
from arkham.accounts.models import ApiKey, User

NOW = datetime(2026, 11, 21, 19, 30, tzinfo=UTC)


def program_of(
    owner: User,
    scope: ApiKey.Scope = ApiKey.Scope.WRITE,
    headers: Mapping[str, str] | None = None,
) -> APIClient:
    """A program with a key of theirs; it sends these headers as well."""
    _key, text = accounts.make_key(owner=owner, name="p", scope=scope, now=NOW)
    return APIClient(headers={"Authorization": f"Bearer {text}", **(headers or {})})
