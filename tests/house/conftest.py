"""Pages of every kind, for what holds of all of them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from arkham.accounts.models import User
from tests.house.pages import pages_of
from tests.house.sentences import make_template


@pytest.fixture(scope="session")
def template_of_messages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The catalogue of today's messages, without translations."""
    if shutil.which("xgettext") is None:
        pytest.skip("gettext is missing: apt install gettext")
    return make_template(tmp_path_factory.mktemp("catalogue"))


@pytest.fixture
def pages(alice: User) -> list[str]:
    """Every kind of page: those without arguments, a deck's, a campaign's."""
    return pages_of(alice)
