"""Jobs of tests: their files are in a folder of their own."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_django import Settings
from rest_framework.test import APIClient

from arkham.accounts import services
from arkham.accounts.models import ApiKey, User
from tests.decks.helpers import NOW


@pytest.fixture(autouse=True)
def _data(settings: Settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path / "data"


def _program(user: User) -> APIClient:
    _key, text = services.make_key(
        owner=user, name="Tests", scope=ApiKey.Scope.WRITE, now=NOW
    )
    return APIClient(headers={"Authorization": f"Bearer {text}"})


@pytest.fixture
def alices(alice: User) -> APIClient:
    """A program that acts for Alice."""
    return _program(alice)


@pytest.fixture
def bobs(bob: User) -> APIClient:
    """A program that acts for Bob."""
    return _program(bob)
