"""Fixtures of API tests: a program of Alice's, and counters that start at zero."""

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
    """A program of Alice's that accepts compressed responses."""
    return compressing_program_of(alice)
