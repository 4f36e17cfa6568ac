"""Stored decks: all of them judged again after the cards or the rules changed."""

from __future__ import annotations

import json
import resource
from pathlib import Path

from bench.site import visitor
from bench.timing import median_seconds

Measures = dict[str, tuple[float, str]]

_DECKS = Path(__file__).with_name("decks.jsonl")
STORED = 2_000


def judged_again() -> Measures:
    """2,000 decks whose verdicts are of other cards, and what that takes of memory."""
    visitor()
    from django.utils import timezone

    from decks import services
    from decks.models import Judgement, Notice

    _store()

    def again() -> None:
        Judgement.objects.update(pool_version="other", status="legal", findings=[])
        *_begun, done = services.judge_again(now=timezone.now())
        assert done.judged >= STORED, done

    again()
    before = _peak()
    seconds = median_seconds(again)
    grown = _peak() - before
    Notice.objects.all().delete()
    return {
        "stored.judged_again_per_second": (STORED / seconds, "decks/s"),
        "stored.judged_again_grows_mb": (grown, "MB"),
    }


def _store() -> None:
    from django.utils import timezone

    from decks import services
    from decks.lists.content import read_content

    lines = _DECKS.read_text("utf-8").splitlines()
    contents = [read_content(json.loads(line)) for line in lines]
    for number in range(STORED):
        content = contents[number % len(contents)]
        services.create_deck(owner=None, content=content, now=timezone.now())


def _peak() -> float:
    """The most memory this process has ever held, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024
