"""The cards that lie apart from a deck: under others, or in a hunch deck."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from arkham.rules.card import Card
from arkham.rules.checking import Asked
from arkham.rules.legality import Judge, check
from arkham.rules.legality.frame import Frame


@dataclass(frozen=True, slots=True)
class Suiting:
    """A card of the deck that may lie apart; ``copies`` of it do."""

    code: str
    card: Card
    copies: int


@dataclass(frozen=True, slots=True)
class SetApart:
    """The cards under a holder (a card, or the investigator of a hunch deck).

    ``count`` is how many there should be, fewer being allowed if ``up_to``.
    """

    holder: str
    title: str
    cards: tuple[Suiting, ...]
    copies: int
    count: int
    up_to: bool

    @property
    def look(self) -> tuple[object, ...]:
        """All that can be seen of it."""
        cards = [(each.code, each.copies) for each in self.cards]
        return self.holder, cards, self.copies, self.count, self.up_to


def set_apart(judge: Judge, asked: Asked, frame: Frame) -> dict[str, SetApart]:
    """What the deck's cards and its investigator set apart, by first printing."""
    found: dict[str, SetApart] = {}
    for holder, wanted in frame.attachments.items():
        attached = next(
            (
                cards
                for code, cards in asked.deck.attachments.items()
                if judge.pool.get_card(code) is judge.pool[holder]
            ),
            {},
        )
        suiting = _suiting(judge, asked, holder, {*asked.deck.entries, *attached})
        found[holder] = SetApart(
            holder,
            judge.pool[holder].name,
            tuple(
                Suiting(code, judge.pool[code], attached.get(code, 0))
                for code in sorted(suiting, key=lambda code: judge.pool[code].name)
            ),
            sum(attached.values()),
            wanted.count,
            wanted.up_to,
        )
    return found


def _suiting(
    judge: Judge, asked: Asked, holder: str, codes: Iterable[str]
) -> list[str]:
    """The codes that the judge lets lie under a card, one copy each."""
    known = {code: 1 for code in codes if code in judge.pool}
    trial = asked.deck._replace(attachments={holder: known})
    unfit = {
        code
        for finding in check(judge, trial, asked.circumstances).findings
        if finding.rule == "attached.card"
        for code in finding.cards
    }
    return [code for code in known if code not in unfit]
