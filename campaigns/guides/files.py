"""Reads the files of guides from a folder, and nothing outside it."""

from __future__ import annotations

import os
from pathlib import Path

from arkham.rules.campaign.reading.fields import Flaw

MOST_FILES = 5_000
MOST_BYTES = 200_000_000  # of all files together
FOLDERS = ("campaigns", "return_campaigns")


class Unusable(ValueError):
    """A folder no guides can be read from; the message says why."""


def guide_files(folder: Path) -> dict[str, bytes]:
    """The guide files of a checkout, by their path in it.

    Links, and what else is no plain file, are not followed. Raises :class:`Unusable`
    where there are none, or more than any guide needs.
    """
    found: dict[str, bytes] = {}
    size = 0
    for name in FOLDERS:
        for path in sorted(_json_files(folder / name)):
            if not path.name.isprintable():
                raise Unusable(f"{str(path)!a} is no name of a file of a guide.")
            size += path.stat().st_size
            if len(found) >= MOST_FILES or size > MOST_BYTES:
                raise Unusable(f"{folder} has more files than guides need.")
            try:
                found[path.relative_to(folder).as_posix()] = path.read_bytes()
            except OSError as error:
                raise Unusable(f"{path}: {error.strerror}.") from None
    if not found:
        raise Unusable(f"There are no guides in {folder}: it has no campaigns folder.")
    return found


def _json_files(folder: Path) -> list[Path]:
    return [
        path
        for place, _folders, names in os.walk(folder)
        for path in (Path(place) / name for name in names)
        if path.suffix == ".json" and path.is_file() and not path.is_symlink()
    ]


def told(flaw: Flaw) -> str:
    """A flaw as a line: its rule, where, what was found, and what was expected."""
    expected = f", not {_first(flaw.expected)}" if flaw.expected else ""
    return f"{flaw.rule} {flaw.at}: {flaw.found}{expected}"


def _first(expected: str) -> str:
    """What was expected, not longer than a line."""
    return expected if len(expected) <= 80 else f"one of {expected.count(',') + 1}"
