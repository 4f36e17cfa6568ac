"""A program of Alice's, and counters that start at zero for each test of the API."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from arkham.accounts.models import User
from arkham.web import limits
from tests.api.helpers import compressing_program_of


@pytest.fixture(autouse=True)
def _nothing_was_asked() -> None:
    limits._visitors.clear()


@pytest.fixture
def program(alice: User) -> APIClient:
    """A program of Alice's that takes compressed answers."""
    return compressing_program_of(alice)
