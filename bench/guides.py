"""Guides: those in the field's format read and checked, those of our own opened.

The former are those of the shared data (``ORNE_SHARED``); without it they are not
measured.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path

from arkham.rules.campaign.model.guide import GuideLibrary
from arkham.rules.campaign.reading.guides import SIDE, read_library
from arkham.rules.campaign.reading.lint import lint
from arkham.rules.campaign.reading.own import own_files, own_guides, read_own
from arkham.rules.campaign.reading.prepared import import_guides, open_guide, prepared
from bench.timing import median_seconds

Measures = dict[str, tuple[float, str]]
PROJECT = Path(__file__).resolve().parents[1]


def open_library(contents: Mapping[str, bytes]) -> GuideLibrary:
    """Return all guides from their prepared forms."""
    side = open_guide(contents[SIDE]) if SIDE in contents else None
    scenarios = side.scenarios if side is not None else None
    return GuideLibrary(
        {
            guide_id: open_guide(content, scenarios)
            for guide_id, content in contents.items()
            if guide_id != SIDE
        },
        side,
    )


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
def _library() -> GuideLibrary:
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


def taking_in() -> Measures:
    """All guides read, linted and prepared, with their words, as when they come."""
    if not _files():
        return {}
    return {
        "guides.bring_seconds": (
            median_seconds(lambda: import_guides(_files()), 3),
            "s",
        )
    }


_KEEPER = """
import sys
from bench.site import visitor
visitor()
from django.core.management import call_command
with open("/dev/null", "w") as nowhere:
    call_command("import_guides", sys.argv[1], stdout=nowhere)
"""

_WORKER = """
import json, sys
import django
django.setup()
from django.test import Client
from arkham.rules.campaign.state.lookup import printed_values
from arkham.rules.campaign.model.guide import GuideLibrary
from arkham.rules.campaign.policy import AS_THE_APP
from arkham.rules.replaying import Reader
from campaigns.guides.opening import opened
from campaigns.models import Guide
from cardpool.catalog import current_pool
client = Client(headers={"accept-encoding": "gzip"}, SERVER_NAME="localhost")
lines = open(sys.argv[1], "rb").read().splitlines(keepends=True)
for place in range(0, len(lines), 500):
    answer = client.post(
        "/api/v1/legality/batch",
        b"".join(lines[place:place + 500]),
        content_type="application/x-ndjson",
    )
    assert answer.status_code == 200, answer.status_code
for address in ("/", "/cards/", "/cards/01001/", "/campaigns/guides/", "/api/schema"):
    assert client.get(address).status_code == 200, address
longest = {}
for line in open(sys.argv[2], "rb"):
    run = json.loads(line)
    known = longest.get(run["campaign"])
    if known is None or len(run["inputs"]) > len(known["inputs"]):
        longest[run["campaign"]] = run
longest.pop("side", None)
runs = sorted(longest.values(), key=lambda run: -len(run["inputs"]))[:3]
guides = {run["campaign"]: Guide.objects.get(guide_id=run["campaign"]) for run in runs}
library = GuideLibrary({name: opened(row) for name, row in guides.items()}, None)
reader = Reader(library, printed_values(current_pool()), policy=AS_THE_APP)
states = [reader.replay(reader.read(run)) for run in runs]
assert len(states) == 3
for line in open("/proc/self/status"):
    if line.startswith("VmRSS:"):
        print(int(line.split()[1]) / 1_024)
"""


def worker() -> Measures:
    """A process with the whole site, and three campaigns' guides in use at once.

    Every deck of the set was judged, some pages were shown, and the longest recorded
    runs of three campaigns are folded and kept, on guides opened from the database.
    """
    if not _files():
        return {}
    decks = PROJECT / "bench" / "decks.jsonl"
    with tempfile.TemporaryDirectory(prefix="orne-worker-") as folder:
        paths = {"ORNE_DATA": folder, "STATIC_ROOT": f"{folder}/static"}
        _said(_KEEPER, paths, _folder())
        used = _said(_WORKER, paths, decks, _folder() / "cases.jsonl")
    return {"guides.worker_mb": (float(used), "MB")}


def _said(program: str, environment: dict[str, str], *arguments: Path) -> str:
    """What another process says."""
    done = subprocess.run(  # noqa: S603 (this very interpreter)
        [sys.executable, "-c", program, *map(str, arguments)],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    return done.stdout


def own() -> Measures:
    """The guide of ours that takes longest, every scenario read from its file."""
    slowest = max(median_seconds(partial(_read_own, each)) for each in own_guides())
    return {"guides.own_ms": (slowest * 1_000, "ms")}


def _read_own(guide_id: str) -> None:
    read_own(guide_id, own_files(guide_id))
