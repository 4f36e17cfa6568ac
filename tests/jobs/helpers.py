"""Files of decks for jobs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from itertools import cycle, islice
from pathlib import Path
from unittest.mock import patch

from arkham.accounts.models import User
from arkham.jobs import models, services
from arkham.jobs.models import Chunk, Done, Job, JobKind, kind_named
from tests.decks.helpers import NOW

DECKS = Path(__file__).parents[2] / "bench/decks.jsonl"


def file_of(number: int, *, mark: bool = True) -> bytes:
    """So many decks as JSON lines, each with its number as id."""
    decks = [json.loads(line) for line in DECKS.read_text().splitlines()[:300]]
    lines = []
    for place, deck in enumerate(islice(cycle(decks), number), 1):
        inner = deck.get("deck", deck)
        lines.append(json.dumps(inner | {"id": place} if mark else inner))
    return "\n".join([*lines, ""]).encode()


def kind(name: str = "judge") -> JobKind:
    """A kind that is started with a file."""
    found = kind_named(name)
    assert found is not None
    return found


@contextmanager
def small_chunks(items: int, name: str = "judge") -> Iterator[None]:
    """Chunks of so many items."""
    with patch.dict(models._KINDS, {name: replace(kind(name), items_a_chunk=items)}):
        yield


@contextmanager
def working(work: Callable[[Chunk], Done], name: str = "judge") -> Iterator[None]:
    """Chunks done by something else."""
    with patch.dict(models._KINDS, {name: replace(kind(name), work=work)}):
        yield


def started(owner: User, content: bytes, name: str = "judge") -> Job:
    """A job on this content, seen as it is once it was sent."""
    job = services.start_with_file(
        kind=kind(name), owner=owner, terms={}, read=BytesIO(content).read, now=NOW
    )
    return services.progress(job)
