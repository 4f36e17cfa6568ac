"""Store the latest verdict on each deck, and notices when verdicts change.

Each new revision is judged and its verdict is stored. After a change of rules, cards or
taboo lists every deck is judged again, and its owner gets a notice if the findings
differ. Advice about the owner's collection is left out of both.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import islice
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet

from arkham.rules.finding import Severity
from arkham.rules.legality import Judge, check, finding_data, judge_of
from arkham.rules.legality.verdict import RULES_VERSION
from arkham.rules.notation.reading import Unreadable
from arkham.web.measuring import note_verdict
from cardpool.catalog import current_judge, data_version, seen_pool
from decks.lists.content import Content
from decks.models import Deck, Judgement, Notice, Revision

A_BATCH = 200  # decks locked and judged in one transaction

FindingData = Mapping[str, Any]  # a finding as JSON types
_ADVICE = Severity.ADVICE.word
_KEPT = ("revision", "rules_version", "pool_version", "status", "experience")

logger = logging.getLogger(__name__)


class JudgedAgain(NamedTuple):
    """How many decks were judged, got a different verdict, or are unreadable."""

    judged: int = 0
    changed: int = 0
    unreadable: int = 0


def remember(deck: Deck, number: int, content: Content) -> None:
    """Judge a revision that has just become the latest one, and store the verdict."""
    judgement = _judgement(deck.pk, number, content, judge_of(seen_pool()))
    _keep([judgement])


def are_outdated() -> bool:
    """Return True if a deck has to be judged again."""
    return _outdated(data_version(), ALL_KEYS).exists()


class KeyRange(NamedTuple):
    """A range of primary keys, and how many decks in it have to be judged again."""

    first: int
    last: int
    decks: int = 0


ALL_KEYS = KeyRange(1, 2**63 - 1)


def outdated_ranges(size: int) -> Iterator[KeyRange]:
    """Yield ranges of at most ``size`` decks that have to be judged again."""
    keys = _outdated(data_version(), ALL_KEYS).values_list("pk", flat=True).iterator()
    while some := list(islice(keys, size)):
        yield KeyRange(some[0], some[-1], len(some))


def judge_again(*, now: datetime, among: KeyRange = ALL_KEYS) -> Iterator[JudgedAgain]:
    """Judge decks whose verdict is from older rules or cards; yield counts so far.

    Each batch is committed, so an interrupted run continues where it stopped. A deck is
    judged only once, even if several runs work at the same time.
    """
    judge = current_judge()
    done, left = JudgedAgain(), among
    while waiting := list(
        _outdated(judge.pool.version, left).values_list("pk", flat=True)[:A_BATCH]
    ):
        batch = _batch(waiting, judge, now)
        done = JudgedAgain(*map(sum, zip(done, batch, strict=True)))
        left = KeyRange(waiting[-1] + 1, among.last)
        yield done


def differences(
    before: Iterable[FindingData], after: Iterable[FindingData]
) -> tuple[list[FindingData], ...]:
    """Return findings that appeared and those that are gone, ignoring their wording."""
    old, new = list(before), list(after)
    return _beyond(new, old), _beyond(old, new)


# -- private --


def _outdated(pool_version: str, among: KeyRange) -> QuerySet[Deck]:
    """Return the decks that have to be judged again, ordered by primary key."""
    up_to_date = Judgement.objects.filter(
        deck=OuterRef("pk"),
        revision=OuterRef("revision"),
        rules_version=RULES_VERSION,
        pool_version=pool_version,
    )
    decks = Deck.objects.filter(pk__gte=among.first, pk__lte=among.last)
    return decks.filter(~Exists(up_to_date)).order_by("pk")


@transaction.atomic
def _batch(waiting: list[int], judge: Judge, now: datetime) -> JudgedAgain:
    locked = Deck.objects.select_for_update().filter(pk__in=waiting).order_by("pk")
    keys = list(locked.values_list("pk", flat=True))
    known = Judgement.objects.in_bulk(keys)
    latest = Revision.objects.filter(deck__in=keys, number=F("deck__revision"))
    judgements: list[Judgement] = []
    notices: list[Notice] = []
    unreadable = 0
    for key, number, listed, circumstances in latest.values_list(
        "deck_id", "number", "list", "circumstances"
    ):
        before = known.get(key)
        if before is not None and _is_of(before, number, judge):
            continue  # another run has judged it
        try:
            after = _judgement(key, number, Content(listed, circumstances), judge)
        except Unreadable:
            logger.warning("deck unreadable", extra={"deck": key})
            unreadable += 1
            continue
        judgements.append(after)
        if before is not None and before.revision == number:
            notices += _notices(before, after, now)
    _keep(judgements)
    Notice.objects.bulk_create(notices)
    return JudgedAgain(len(judgements), len(notices), unreadable)


def _is_of(judgement: Judgement, number: int, judge: Judge) -> bool:
    """Return True if the judgement is up to date for this revision."""
    return (
        judgement.revision,
        judgement.rules_version,
        judgement.pool_version,
    ) == (number, RULES_VERSION, judge.pool.version)


def _judgement(key: int, number: int, content: Content, judge: Judge) -> Judgement:
    asked = content.asked()
    verdict = check(judge, asked.deck, asked.circumstances)
    note_verdict(verdict.status, (each.rule for each in verdict.findings))
    return Judgement(
        deck_id=key,
        revision=number,
        rules_version=verdict.rules_version,
        pool_version=verdict.pool_version,
        status=verdict.status,
        experience=verdict.experience_required,
        findings=[finding_data(each) for each in verdict.findings],
    )


def _keep(judgements: list[Judgement]) -> None:
    Judgement.objects.bulk_create(
        judgements,
        update_conflicts=True,
        unique_fields=["deck"],
        update_fields=[*_KEPT, "findings"],
    )


def _notices(before: Judgement, after: Judgement, now: datetime) -> Iterator[Notice]:
    """Yield a notice if the verdict on an unchanged deck has changed."""
    appeared, gone = differences(before.findings, after.findings)
    dearer = before.experience != after.experience
    if not (appeared or gone or dearer):
        return
    yield Notice(
        deck_id=after.deck_id,
        revision=after.revision,
        rules_before=before.rules_version,
        rules_after=after.rules_version,
        pool_before=before.pool_version,
        pool_after=after.pool_version,
        status_before=before.status,
        status_after=after.status,
        experience_before=before.experience,
        experience_after=after.experience,
        appeared=appeared,
        gone=gone,
        is_serious=dearer
        or any(each["severity"] != _ADVICE for each in (*appeared, *gone)),
        made_at=now,
    )


def _beyond(these: list[FindingData], those: list[FindingData]) -> list[FindingData]:
    """Return the findings of the first list that the second lacks."""
    left = Counter(map(sameness, those))
    beyond = []
    for each in these:
        if left[sameness(each)]:
            left[sameness(each)] -= 1
        else:
            beyond.append(each)
    return beyond


def sameness(finding: FindingData) -> tuple[object, ...]:
    """Return the parts of a finding that decide if two of them are the same.

    The rule, its severity, the cards, and the numbers found and expected.
    """
    counts = (finding["actual"], finding["expected"])
    return (
        finding["rule"],
        finding["severity"],
        tuple(each for each in counts if type(each) is int),
        tuple(finding["cards"]),
    )
