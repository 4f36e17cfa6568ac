"""The wheel of ``orne-rules`` answers in JavaScript as the server does."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.conftest import PROJECT
from tests.helpers import npm_packages
from tests.rules import upgrades

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

EXAMPLE = PROJECT / "docs" / "examples" / "rules-in-the-browser"


@pytest.fixture(scope="module")
def example(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the example, ready to run."""
    packages = npm_packages(EXAMPLE)
    folder = tmp_path_factory.mktemp("browser") / "example"
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("node_modules"))
    (folder / "node_modules").symlink_to(packages)
    shutil.copy(wheel, folder)
    return folder


def _answers(example: Path, wheel: Path, command: str, lines: str) -> list[Any]:
    """What the program in node answers."""
    done = subprocess.run(
        ["node", "judge.mjs", wheel.name, command],
        cwd=example,
        input=lines,
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_published_decks_are_judged_as_the_server_judges_them(
    example: Path, wheel: Path, api: APIClient, shared_data: Path
) -> None:
    """Every finding, assignment and number of all 443."""
    decks = shared_data / "data" / "decks" / "published.jsonl"
    lines = decks.read_text("utf-8")
    server = api.post(
        "/api/v1/legality/batch", lines, content_type="application/x-ndjson"
    ).json()

    answers = _answers(example, wheel, "check", lines)

    assert len(answers) == len(server) == 443
    assert {each["status"] for each in answers} == {"legal", "incomplete", "illegal"}
    assert answers == server


def test_upgrades_are_priced_as_the_server_prices_them(
    example: Path, wheel: Path, api: APIClient
) -> None:
    """A file of each folder of the corpus."""
    first = {path.parent: path for path in reversed(upgrades.FILES)}
    asked = [upgrades.request_of(path) for path in first.values()]
    server = [
        api.post("/api/v1/upgrades/price", each, format="json").json() for each in asked
    ]

    answers = _answers(example, wheel, "price", "\n".join(map(json.dumps, asked)))

    assert answers == server


def test_the_page_names_the_wheel_that_is_built(wheel: Path) -> None:
    for name in ("page.js", "judge.mjs"):
        assert wheel.name in (EXAMPLE / name).read_text("utf-8")
