"""Campaigns recorded with the app, and a reader for them."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from arkham.rules.campaign.policy import AS_THE_APP
from arkham.rules.replaying import Reader
from tests.rules.campaign.helpers.guides import guides_folder, shared_library

CASES = 40


@cache
def recorded_reader() -> Reader:
    return Reader(shared_library(), {}, policy=AS_THE_APP)


@cache
def recorded_run(number: int) -> dict[str, Any]:
    lines = (guides_folder() / "cases.jsonl").read_text().splitlines()
    assert len(lines) == CASES
    return dict(json.loads(lines[number]))
