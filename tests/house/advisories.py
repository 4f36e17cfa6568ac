"""Looks up the pinned packages in a public database of advisories (https://osv.dev).

``python -m tests.house.advisories`` names each known fault of a pinned version, and
fails if there is one. Where the database is out of reach it says how old the pins are.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import requests

PROJECT = Path(__file__).resolve().parents[2]
DATABASE = "https://api.osv.dev/v1/querybatch"
PATIENCE = 20  # seconds
MOST = 1_000  # questions in one request
# Advisories that don't concern us, with the reason.
ACCEPTED: Mapping[str, str] = {}


def pinned() -> list[tuple[str, str]]:
    """Every pinned package with its version."""
    found = set()
    for file in PROJECT.glob("requirements*.txt"):
        text = file.read_text("utf-8")
        found.update(
            re.findall(r"^([\w.-]+)(?:\[.*\])?==([^\s;]+)", text, re.MULTILINE)
        )
    return sorted(found)


def advisories(
    packages: list[tuple[str, str]], database: str = DATABASE
) -> dict[str, list[str]]:
    """Those on each package, by ``name==version``; OSError if it is out of reach."""
    assert len(packages) <= MOST
    asked: Any = [
        {"package": {"name": name, "ecosystem": "PyPI"}, "version": version}
        for name, version in packages
    ]
    answer = requests.post(database, json={"queries": asked}, timeout=PATIENCE)
    answer.raise_for_status()
    results = answer.json()["results"]
    found = {}
    for (name, version), result in zip(packages, results, strict=True):
        ids = [each["id"] for each in (result or {}).get("vulns", ())]
        if new := [each for each in ids if each not in ACCEPTED]:
            found[f"{name}=={version}"] = new
    return found


def pinned_on() -> date:
    """The day of the last change of a pin; without git, of a file."""
    files = sorted(PROJECT.glob("requirements*.txt"))
    done = subprocess.run(
        ["git", "log", "-1", "--format=%cs", "--", *files],
        cwd=PROJECT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if text := done.stdout.strip():
        return date.fromisoformat(text)
    latest = max(each.stat().st_mtime for each in files)
    return datetime.fromtimestamp(latest, UTC).date()


def main(database: str = DATABASE) -> int:
    """Name what is known; 1 if anything is."""
    packages = pinned()
    try:
        found = advisories(packages, database)
    except OSError:
        day = pinned_on()
        age = (datetime.now(UTC).date() - day).days
        print(f"Not looked up, {database} is out of reach.")
        print(f"{len(packages)} packages; days since they were pinned ({day}): {age}")
        return 0
    for package, ids in found.items():
        print(f"{package}: {', '.join(ids)}")
    print(f"{len(packages)} packages, {len(found)} with advisories.")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
