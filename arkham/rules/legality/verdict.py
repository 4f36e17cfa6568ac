"""The verdict on a deck, and findings whose remedy is to remove a card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from arkham.rules.card import Card
from arkham.rules.deck import SheetMark
from arkham.rules.finding import (
    Finding,
    Message,
    Phrase,
    Remedy,
    Severity,
    Value,
    english,
    gettext_noop,
    ngettext_noop,
    worst_first,
)
from arkham.rules.legality.standing import Line, Share, Standing
from arkham.rules.pool import CardPool

MOST_LISTED = 100  # findings of one rule that are listed individually
# The FAQ, and how often the rules changed under it: stored verdicts and campaigns of
# another version are made again, so each release that may change one has a new version.
RULES_VERSION = "FAQ 2.5/17"


@dataclass(frozen=True, slots=True)
class Assumption:
    """Something that the list leaves out or gets wrong, and what was assumed.

    ``kind`` is ``choice``, ``choice-value``, ``side``, ``taboo``…; ``key`` is its
    subject, ``found`` what the list says, ``assumed`` what was used instead, ``offers``
    the allowed values.
    """

    kind: str
    key: str
    found: str
    assumed: str
    offers: tuple[str, ...] = ()


class Verdict(NamedTuple):
    """Whether a deck may be played, why not, and what the verdict is based on.

    ``legal``: no finding is illegal; ``complete``: none is incomplete. ``deck_size`` is
    the number of cards that count, ``deck_size_required`` what it should be;
    ``experience_required`` is the cost of all cards. ``assignment`` has, by code, what
    admits its copies. ``taboo_id`` is the taboo list used, or None.
    """

    findings: tuple[Finding, ...]
    assignment: Mapping[str, tuple[Share, ...]]
    deck_size: int
    deck_size_required: int
    experience_required: int
    rules_version: str
    pool_version: str
    taboo_id: int | None

    @property
    def legal(self) -> bool:
        """True if no finding is illegal."""
        return Severity.ILLEGAL not in [each.severity for each in self.findings]

    @property
    def complete(self) -> bool:
        """True if no finding is incomplete."""
        return Severity.INCOMPLETE not in [each.severity for each in self.findings]

    @property
    def status(self) -> str:
        """The worst of ``illegal``, ``incomplete`` and ``legal``."""
        if not self.legal:
            return Severity.ILLEGAL.word
        return "legal" if self.complete else Severity.INCOMPLETE.word

    def __bool__(self) -> bool:
        return self.legal

    def as_data(self) -> dict[str, object]:
        """The verdict as JSON types, in the format that all endpoints return."""
        return {
            "status": self.status,
            "legal": self.legal,
            "complete": self.complete,
            "deck_size": self.deck_size,
            "experience_required": self.experience_required,
            "findings": [finding_data(each) for each in self.findings],
            "assignment": {
                code: [
                    {"option": share.option, "copies": share.copies} for share in shares
                ]
                for code, shares in self.assignment.items()
            },
            "rules_version": self.rules_version,
            "pool_version": self.pool_version,
            "taboo_id": self.taboo_id,
        }


def finding_data(finding: Finding) -> dict[str, object]:
    """A finding as JSON types, in English, as programs read it."""
    return {
        "rule": finding.rule,
        "severity": finding.severity.word,
        "message": finding.text,
        "cards": list(finding.cards),
        "actual": english(finding.actual),
        "expected": english(finding.expected),
        "remedy": finding.advice_text,
        "cites": [str(each) for each in finding.cites],
    }


def abridged(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Sort the findings, worst first, and merge the last of hundreds from one rule.

    No card is left out. Findings of the same rule must be next to each other.
    """
    if len(findings) > 1:
        findings = worst_first(findings)
    if len(findings) <= MOST_LISTED:
        return findings
    shown: list[Finding] = []
    for _rule, alike in groupby(findings, key=lambda finding: finding.rule):
        each = list(alike)
        shown.extend(each[:MOST_LISTED])
        if len(each) > MOST_LISTED:
            shown.append(_rest(each[MOST_LISTED:]))
    return tuple(shown)


def _rest(findings: list[Finding]) -> Finding:
    first = findings[0]
    return Finding(
        ngettext_noop(
            "{count} more finding like these.",
            "{count} more findings like these.",
            "count",
        ),
        severity=max(finding.severity for finding in findings),
        cards=tuple(dict.fromkeys(code for each in findings for code in each.cards)),
        actual=len(findings),
        expected=0,
        values=(("count", len(findings)),),
        rule=first.rule,
        cites=first.cites,
    )


_new = tuple.__new__  # twice as fast as calling the class of a named tuple
_ILLEGAL = Severity.ILLEGAL


class HeldCard(NamedTuple):
    """A card of a deck, under the codes of all printings that list it."""

    codes: tuple[str, ...]
    copies: int
    card: Card
    standing: Standing


def by_card(lines: Iterable[Line], *, aside: bool = False) -> Iterator[HeldCard]:
    """Yield cards that have counted copies, each once, whatever its printings.

    Printings with different marks stay separate. With ``aside``, copies an effect added
    count as well: use it for cards that no deck may have, however they came.
    """
    firsts: dict[tuple[str, tuple[SheetMark, ...]], Line] = {}
    others: dict[tuple[str, tuple[SheetMark, ...]], list[Line]] = {}
    for line in lines:
        if line.copies or (aside and line.set_aside):
            card = line.standing.card
            assert card is not None  # callers pass only lines of known cards
            key = (card.code, line.marks)
            if firsts.setdefault(key, line) is not line:
                others.setdefault(key, []).append(line)
    for key, line in firsts.items():
        codes: tuple[str, ...] = (line.code,)
        copies, standing = line.copies, line.standing
        if key in others:
            codes += tuple([other.code for other in others[key]])
            copies += sum([other.copies for other in others[key]])
        if aside:
            copies += sum([each.set_aside for each in (line, *others.get(key, ()))])
        yield _new(HeldCard, (codes, copies, standing.card, standing))


def named(name: str, level: int | None) -> str:
    """A card's name, followed by its level if that is above 0."""
    return f"{name} ({level})" if level else name


def with_product(card: Card, pool: CardPool) -> Value:
    """A card's name with the product it was first printed in."""
    pack = pool.packs.get(card.printings[0].pack)
    if pack is None:
        return card.name
    values = (("name", card.name), ("product", pack.name))
    return Phrase(gettext_noop("{name} from “{product}”"), values)


def must_leave(
    held: HeldCard,
    message: Message,
    *,
    actual: Value | None = None,
    expected: Value = 0,
    **values: Value,
) -> Finding:
    """A finding on a card that must be removed; ``actual`` defaults to its copies."""
    codes, copies, _card, standing = held
    name = ("name", named(standing.name, standing.level))
    fields = (
        message,
        _ILLEGAL,
        codes,
        copies if actual is None else actual,
        expected,
        _new(Remedy, ("remove", codes, copies, ())),
        gettext_noop("Remove {name}."),
        (name, *values.items()) if values else (name,),
        "",  # the rule that yields it adds its id and citations
        (),
    )
    return _new(Finding, fields)
