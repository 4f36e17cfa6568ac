"""Background work on decks: kinds of jobs, and judging again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Any

from celery import shared_task
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.accounts.preferences import NO_PREFERENCES, kept_preferences
from arkham.jobs import files
from arkham.jobs import services as jobs
from arkham.jobs.files import Span
from arkham.jobs.models import (
    MOST_PROBLEMS,
    Chunk,
    Done,
    Job,
    JobKind,
    UnusableTerms,
    register,
)
from arkham.rules.checking import AnswerLine, Outcome, check_line, text_of
from arkham.rules.notation.reading import Unreadable
from arkham.rules.pricing import price_line
from arkham.rules.shell import Unusable, circumstances_of, lines_of
from cardpool.catalog import current_judge, current_pool
from decks import services
from decks.interchange.arkhamdb import is_address
from decks.interchange.many import ListPlace, import_places
from decks.models import Notice
from decks.pages.terms import Offered, taboos

TERMS = ("taboo", "environment", "mode", "circumstances")
_COUNTED = {
    Outcome.LEGAL: "legal",
    Outcome.NOT_LEGAL: "not_legal",
    Outcome.UNREADABLE: "unreadable",
}


# -- a file of decks, or of upgrades --


def _read_terms(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the terms of all decks of the file, as the commands take them."""
    terms = {name: asked[name] for name in TERMS if asked.get(name)}
    for name, value in terms.items():
        try:
            circumstances_of({name: value}, current_pool())
        except Unusable as error:
            raise UnusableTerms(str(error), name) from None
    return terms


def _taboo_lists() -> Offered:
    """Return the taboo lists that can replace those of all decks in a file."""
    _none_named, (_named, without), *lists = taboos(current_pool())
    return [("latest", _("The newest taboo list")), ("none", without), *lists]


def _answered(chunk: Chunk, answer_line: AnswerLine) -> Done:
    """Answer each line of a chunk as the commands do, and store the answers."""
    judge = current_judge()
    base = circumstances_of(chunk.job.terms, judge.pool)
    outcomes: Counter[Outcome] = Counter()
    problems: list[str] = []
    number = chunk.first - 1
    with files.reading(chunk) as stream, files.writing(chunk) as output:
        for lines in lines_of(stream):
            answers = []
            for line in lines:
                number += 1
                text, outcome = answer_line(line, number, judge, base)
                answers.append(text)
                outcomes[outcome] += 1
                if outcome is Outcome.UNREADABLE and len(problems) < MOST_PROBLEMS:
                    error = json.loads(text)["error"]
                    problems.append(_problem(number, error["message"]))
            answers.append("")
            output.write("\n".join(answers).encode("ascii"))
    return Done({_COUNTED[each]: count for each, count in outcomes.items()}, problems)


def _problem(number: int, reason: str) -> str:
    return _("Line %(number)d: %(reason)s") % {"number": number, "reason": reason}


def _judged(chunk: Chunk) -> Done:
    return _answered(chunk, check_line)


def _priced(chunk: Chunk) -> Done:
    return _answered(chunk, price_line)


# A file of decks or upgrades, answered line by line.
_answering = partial(
    JobKind, read_terms=_read_terms, has_results=True, taboo_lists=_taboo_lists
)
JUDGE = _answering(
    name="judge",
    title=gettext_lazy("Judge decks"),
    words={
        "legal": gettext_lazy("Legal"),
        "not_legal": gettext_lazy("Not legal or not complete"),
        "unreadable": gettext_lazy("Not readable"),
    },
    work=_judged,
)
PRICE = _answering(
    name="price",
    title=gettext_lazy("Price upgrades"),
    words={
        "legal": gettext_lazy("Possible"),
        "not_legal": gettext_lazy("Not possible"),
        "unreadable": gettext_lazy("Not readable"),
    },
    work=_priced,
)


# -- a file of decks for an account --


def _imported(chunk: Chunk) -> Done:
    """Import the decks of a chunk into the account of the job's owner."""
    owner = chunk.job.owner
    assert owner is not None
    places, problems = [], []
    with files.reading(chunk) as stream:
        lines = [line for some in lines_of(stream) for line in some]
    counts: Counter[str] = Counter()
    for number, line in enumerate(lines, chunk.first):
        try:
            text = text_of(line)
        except Unreadable as error:
            counts["unread"] += 1
            problems.append(_problem(number, error.faults[0].text))
            continue
        if is_address(text):
            counts["unread"] += 1
            reason = _("This is an address: import it under “Import many decks”.")
            problems.append(_problem(number, reason))
            continue
        label = _("Line %(number)d") % {"number": number}
        places.append(ListPlace(label, text, "", number))
    outcomes = import_places(
        owner=owner,
        places=places,
        pool=current_pool(),
        here="",
        now=timezone.now(),
        preferences=kept_preferences(owner, NO_PREFERENCES),
    )
    for each in outcomes:
        counts[each.kind] += 1
        if each.deck is None and each.reasons:
            problems.append(f"{each.label}: {each.reasons[0]}")
    return Done(counts, problems)


IMPORT = JobKind(
    name="import",
    title=gettext_lazy("Import decks"),
    words={
        "imported": gettext_lazy("Imported"),
        "here": gettext_lazy("Already in your account"),
        "unread": gettext_lazy("Not readable"),
        "full": gettext_lazy("No room"),
        "later": gettext_lazy("Not yet"),
    },
    work=_imported,
    is_atomic=True,
    read_terms=lambda asked: {},
    items_a_chunk=100,
)


# -- every stored deck --


def _judged_again(chunk: Chunk) -> Done:
    """Judge the decks of a range of keys again."""
    among = services.KeyRange(chunk.begin, chunk.end)
    counts: dict[str, int] = {}
    began = timezone.now()
    for so_far in services.judge_again(now=began, among=among):
        counts = so_far._asdict()
    # Their owners may see them only now, and look only a little way back.
    Notice.objects.filter(made_at=began).update(made_at=timezone.now())
    return Done(counts)


JUDGE_AGAIN = JobKind(
    name="judge-again",
    title=gettext_lazy("Judge stored decks again"),
    words={
        "judged": gettext_lazy("Judged again"),
        "changed": gettext_lazy("Different now"),
        "unreadable": gettext_lazy("Not readable"),
    },
    work=_judged_again,
    is_atomic=True,
    items_a_chunk=500,
)


def register_kinds() -> None:
    """Register the kinds of jobs of this app."""
    for each in (JUDGE, PRICE, IMPORT, JUDGE_AGAIN):
        register(each)


def start_judging_again(*, now: datetime) -> Job | None:
    """Create a job that judges decks with outdated verdicts; None if there are none.

    The caller has to send it to workers or run it.
    """
    ranges = services.outdated_ranges(JUDGE_AGAIN.items_a_chunk)
    return jobs.start(kind=JUDGE_AGAIN, spans=(Span(*each) for each in ranges), now=now)


@shared_task
def judge_decks_again(**kwargs: Any) -> None:
    """Judge decks with outdated verdicts. Safe to repeat and to interrupt."""
    if job := start_judging_again(now=timezone.now()):
        jobs.send(job)


def judge_again_by_new_cards(**kwargs: Any) -> None:
    """Start judging decks again after an import of cards."""
    judge_decks_again.delay()
