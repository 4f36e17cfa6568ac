"""The guides of the shared data, read once; tests that need them may be skipped."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from arkham.rules.campaign.model.guide import GuideLibrary
from arkham.rules.campaign.reading.cursor import FlawsFound
from arkham.rules.campaign.reading.files import whole_campaigns
from arkham.rules.campaign.reading.guides import Reading, read_library

PROJECT = Path(__file__).resolve().parents[4]


def guides_folder() -> Path:
    """Return the folder of the field's guides: ``data/guides`` of the shared data."""
    shared = Path(os.environ.get("ORNE_SHARED") or PROJECT.parent / "shared")
    folder = shared / "data" / "guides"
    if not folder.is_dir():
        pytest.skip("the shared guides are absent; ORNE_SHARED names their folder")
    return folder


@cache
def shared_files() -> dict[str, bytes]:
    """Return the files of the guides by path."""
    folder = guides_folder()
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for below in ("campaigns", "return_campaigns")
        for path in sorted((folder / below).glob("*/*.json"))
    }


@cache
def shared_stems() -> dict[str, dict[str, Any]]:
    """Return the JSON of the guides by directory and stem; Return tos are completed."""
    return whole_campaigns(FlawsFound(), shared_files())


@cache
def shared_reading() -> Reading:
    """Return all guides and the flaws in their files."""
    return read_library(shared_files())


def shared_library() -> GuideLibrary:
    """Return all guides."""
    return shared_reading().library
