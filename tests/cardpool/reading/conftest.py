"""The shared card data, read once for all tests of reading."""

from __future__ import annotations

from pathlib import Path

import pytest

from arkham.rules.pool import CardPool
from cardpool.reading import SourceReading, read_directory, to_pool


@pytest.fixture(scope="session")
def reading(shared_data: Path) -> SourceReading:
    """The shared data, read with the committed corrections."""
    return read_directory(shared_data / "data" / "arkhamdb")


@pytest.fixture(scope="session")
def pool(reading: SourceReading) -> CardPool:
    """The pool it makes."""
    return to_pool(reading)
