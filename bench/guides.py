"""Guides: every guide in the field's format read, and checked by the linter.

They are those of the shared data (``ORNE_SHARED``); without it nothing is measured.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from arkham.rules.campaign.model.guide import Library
from arkham.rules.campaign.reading.guides import read_library
from arkham.rules.campaign.reading.lint import lint
from arkham.rules.campaign.reading.prepared import open_library, prepared
from bench.timing import median_seconds

Measures = dict[str, tuple[float, str]]
PROJECT = Path(__file__).resolve().parents[1]


def _folder() -> Path:
    shared = Path(os.environ.get("ORNE_SHARED") or PROJECT.parent / "shared")
    return shared / "data" / "guides"


@cache
def _files() -> dict[str, bytes]:
    folder = _folder()
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for below in ("campaigns", "return_campaigns")
        for path in sorted((folder / below).glob("*/*.json"))
    }


@cache
def _library() -> Library:
    return read_library(_files()).library


def reading() -> Measures:
    """All guides from their files and prepared; and everything wrong with them."""
    if not _files():
        return {}
    library = _library()
    contents, _flaws = prepared(_files())
    return {
        "guides.read_seconds": (median_seconds(lambda: read_library(_files())), "s"),
        "guides.prepared_seconds": (
            median_seconds(lambda: open_library(contents)),
            "s",
        ),
        "guides.lint_seconds": (median_seconds(lambda: lint(library), 3), "s"),
    }
