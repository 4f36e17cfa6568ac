"""Notices to the owner of a deck whose verdict has changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from django.utils.functional import Promise

from arkham.rules.finding import Severity
from arkham.rules.legality import finding_data
from decks.models import Notice, SharedVerdict
from decks.pages.display import STATUSES, Judged
from decks.pages.notes import SEVERITIES, Note
from decks.services.judgements import FindingData, differences, sameness


class ShownVerdict:
    """A kept verdict with the names the pages use; findings without their ways out."""

    def __init__(self, shared: SharedVerdict) -> None:
        verdict = shared.verdict
        self.status: str = verdict["status"]
        self.status_word: str | Promise = STATUSES[self.status]
        self.deck_size: int = verdict["deck_size"]
        self.experience: int = verdict["experience_required"]
        self.notes = tuple(
            note_of(number, each)
            for number, each in enumerate(_worst_first(verdict["findings"]), 1)
        )


def note_of(number: int, finding: Mapping[str, object]) -> Note:
    """A finding that was kept as JSON types, in its own words."""
    word = str(finding["severity"])
    cites, cards = finding["cites"], finding["cards"]
    assert isinstance(cites, list) and isinstance(cards, list)
    return Note(
        number,
        str(finding["rule"]),
        word,
        SEVERITIES[Severity[word.upper()]],
        str(finding["message"]),
        str(finding["remedy"] or ""),
        tuple(cites),
        tuple(cards),
        (),
    )


class News:
    """What changed of the verdict on a deck since its owner last took note of it.

    ``notices`` are those not dismissed, the oldest first, at least one.
    """

    def __init__(self, notices: Sequence[Notice]) -> None:
        self.first, self.last = notices[0], notices[-1]
        self._appeared, self._gone = _net(notices)

    @property
    def changed(self) -> int:
        """How many findings appeared or are gone; what came and went is none."""
        return len(self._appeared) + len(self._gone)

    @property
    def status_before(self) -> str | Promise:
        """How the deck stood, in the reader's language."""
        return STATUSES[self.first.status_before]

    @property
    def status_after(self) -> str | Promise:
        """How it stands since."""
        return STATUSES[self.last.status_after]

    @property
    def experience(self) -> tuple[int, int] | None:
        """What the deck cost and what it costs since; None if that is the same."""
        before, after = self.first.experience_before, self.last.experience_after
        return None if before == after else (before, after)

    @property
    def cards_changed(self) -> bool:
        """Whether it was the cards or their taboos that changed."""
        return self.first.pool_before != self.last.pool_after

    @property
    def rules_changed(self) -> bool:
        """Whether it was the rules as they are read here."""
        return self.first.rules_before != self.last.rules_after

    def appeared(self, judged: Judged) -> tuple[Note, ...]:
        """The findings that appeared and hold still, with their ways out."""
        live = {
            sameness(finding_data(finding)): note
            for finding, note in zip(judged.findings, judged.notes, strict=False)
        }
        return tuple(
            live[sameness(each)] for each in self._appeared if sameness(each) in live
        )

    def settled(self, judged: Judged) -> tuple[Note, ...]:
        """The findings that appeared and that the deck was changed to mend."""
        found = {sameness(finding_data(each)) for each in judged.findings}
        return _notes(each for each in self._appeared if sameness(each) not in found)

    @property
    def gone(self) -> tuple[Note, ...]:
        """The findings that do not hold any more."""
        return _notes(self._gone)


def by_deck(notices: Iterable[Notice]) -> dict[int, News]:
    """The news of every deck there is any of, by its key.

    Where all that changed was changed back, there is none.
    """
    gathered: dict[int, list[Notice]] = {}
    for notice in notices:
        gathered.setdefault(notice.deck_id, []).append(notice)
    news = {key: News(each) for key, each in gathered.items()}
    return {key: each for key, each in news.items() if each.changed or each.experience}


def _notes(findings: Iterable[FindingData]) -> tuple[Note, ...]:
    return tuple(
        note_of(number, each) for number, each in enumerate(_worst_first(findings), 1)
    )


def _worst_first(findings: Iterable[FindingData]) -> list[FindingData]:
    """Kept findings in the order of pages; verdicts once were in the rules' order."""
    return sorted(findings, key=lambda each: -Severity[each["severity"].upper()])


def _net(notices: Iterable[Notice]) -> tuple[list[FindingData], list[FindingData]]:
    """What appeared and what is gone in all: what came and went is neither."""
    appeared: list[FindingData] = []
    gone: list[FindingData] = []
    for notice in notices:
        new, gone = differences(gone, notice.appeared)
        lost, appeared = differences(appeared, notice.gone)
        appeared, gone = appeared + new, gone + lost
    return appeared, gone
