"""A program that many tests of decks use."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from arkham.accounts.models import User
from tests.helpers import program_of


@pytest.fixture
def alices(alice: User) -> APIClient:
    """A program of Alice's that may write."""
    return program_of(alice)
