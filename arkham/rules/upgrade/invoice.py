"""The invoice of an upgrade: its lines and their total."""

from __future__ import annotations

from typing import NamedTuple

from arkham.rules.finding import Finding, Severity
from arkham.rules.legality.verdict import finding_data, in_short


class Reduction(NamedTuple):
    """How much less is paid, and the card that grants it."""

    code: str
    amount: int


class InvoiceLine(NamedTuple):
    """One purchase. ``rule`` names the rule of its price (see docs/rules.md).

    ``gross`` is the price before reductions, ``paid`` after them. ``upgraded_from``
    is the lower version paid for already, ``replaces`` the card that leaves to make
    room (either may be ""). ``boxes`` counts boxes newly marked. ``side`` tells the
    second deck's lines apart.
    """

    rule: str
    code: str
    gross: int
    paid: int
    upgraded_from: str = ""
    replaces: str = ""
    reductions: tuple[Reduction, ...] = ()
    boxes: int = 0
    side: bool = False

    def as_data(self) -> dict[str, object]:
        """The line as JSON types."""
        return {
            "rule": self.rule,
            "card": self.code,
            "gross": self.gross,
            "paid": self.paid,
            "upgraded_from": self.upgraded_from or None,
            "replaces": self.replaces or None,
            "reductions": [
                {"card": each.code, "amount": each.amount} for each in self.reductions
            ],
            "boxes": self.boxes,
            "side_deck": self.side,
        }


class Invoice(NamedTuple):
    """The least that a change of deck costs, line by line in the order bought.

    ``findings`` are about the change, ``legality`` those of the new deck;
    ``available`` is the experience there was, None if nobody said.
    """

    lines: tuple[InvoiceLine, ...]
    findings: tuple[Finding, ...]
    legality: tuple[Finding, ...]
    available: int | None = None

    @property
    def total(self) -> int:
        """Experience spent."""
        return sum([line.paid for line in self.lines])

    @property
    def lawful(self) -> bool:
        """Neither the change nor the new deck has a finding that is not advice."""
        found = (*self.findings, *self.legality)
        return all(each.severity is Severity.ADVICE for each in found)

    def as_data(self) -> dict[str, object]:
        """The invoice as JSON types, in the shape every door answers with."""
        return {
            "experience_spent": self.total,
            "lines": [line.as_data() for line in self.lines],
            "findings": [
                finding_data(each)
                for each in (*self.findings, *in_short(self.legality))
            ],
        }
