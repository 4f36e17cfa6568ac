"""Nothing we publish names the machine it was made on, or a package registry."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
UNPUBLISHED = {
    ".git", ".venv", ".hypothesis", ".mypy_cache", ".pytest_cache", ".ruff_cache",
    ".import_linter_cache", "__pycache__", "staticfiles", "test-results", "htmlcov",
}  # fmt: skip
# Written so that this file does not name them either.
FORBIDDEN = {
    "a path of this machine": re.compile(r"(?<![\w.])/(?:work|tmp|root|opt)/\w"),
    "a registry of packages": re.compile(r"pypi\.[o]rg|python[h]osted|npm[j]s"),
}


def published() -> Iterator[Path]:
    """Every file of the project that is not made by running it."""
    for folder, folders, files in os.walk(PROJECT):
        folders[:] = [name for name in folders if name not in UNPUBLISHED]
        for name in files:
            if not name.startswith(".coverage"):
                yield Path(folder) / name


def test_the_project_is_published_whole() -> None:
    """The walk sees the places that matter."""
    seen = {str(path.relative_to(PROJECT)) for path in published()}

    assert {"run", "README.md", "arkham/settings.py", "tests/conftest.py"} <= seen


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_file_names(what: str) -> None:
    """Comments, locks, data and documents alike."""
    pattern = FORBIDDEN[what]

    named = [
        f"{path.relative_to(PROJECT)}: {match[0]}"
        for path in published()
        for match in pattern.finditer(path.read_bytes().decode("utf-8", "replace"))
    ]

    assert named == []
