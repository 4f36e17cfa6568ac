# ruff: noqa: E501 (tables align)
"""Tables of cards that give or heal trauma when bought, or that kill their owner.

One row per card. Trauma that a card gives in play is recorded during the game.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from arkham.rules.card import Card
from arkham.rules.deck import TraumaChoice
from arkham.rules.finding import (
    Citation,
    Finding,
    Plural,
    Remedy,
    Severity,
    faq,
    ngettext_noop,
    printed,
)
from arkham.rules.vocabulary import Arrival

PHYSICAL, MENTAL = "physical", "mental"


@dataclass(frozen=True, slots=True)
class TraumaCard:
    """The trauma that buying one copy of a card gives to its investigator.

    ``amount`` is negative if trauma is healed. If there are several ``kinds`` the
    player chooses one for each point.
    """

    code: str
    name: str
    amount: int
    kinds: tuple[str, ...]
    cites: tuple[Citation, ...]

    def kind_for(self, physical: int, mental: int) -> str:
        """The kind that an investigator with this trauma must use; "" for a choice."""
        if len(self.kinds) == 1:
            return self.kinds[0]
        had = [kind for kind, n in ((PHYSICAL, physical), (MENTAL, mental)) if n > 0]
        return had[0] if self.amount < 0 and len(had) == 1 else ""


@dataclass(frozen=True, slots=True)
class DeadlyCard:
    """A card that kills its owner if they were defeated in the scenario played.

    With ``on_earning``, only if experience is earned when the scenario is resolved.
    """

    code: str
    name: str
    cites: tuple[Citation, ...]
    on_earning: bool = False


_BOTH = (PHYSICAL, MENTAL)

# fmt: off
TRAUMA_CARDS: dict[str, TraumaCard] = {
    row.code: row
    for row in (
        #          code     name               amount  kinds      printed in
        TraumaCard("04109", "Arcane Research",     1, (MENTAL,), (printed("Arcane Research", "04109"),)),
        TraumaCard("08125", "In the Thick of It",  2, _BOTH,     (printed("In the Thick of It", "08125"),)),
        TraumaCard("11098", "Spiritual Healing",  -1, _BOTH,     (printed("Spiritual Healing", "11098"),)),
    )
}
DEADLY_CARDS: dict[str, DeadlyCard] = {
    row.code: row
    for row in (
        DeadlyCard("03308",  "Charon's Obol",   (printed("Charon's Obol", "03308"), faq("Charon's Obol")), on_earning=True),
        DeadlyCard("11068b", "Lost Homunculus", (printed("Lost Homunculus", "11068b"),)),
    )
}
# fmt: on


def gives_trauma(card: Card, arrival: Collection[Arrival | None]) -> bool:
    """True if buying a card for a first deck gives or heals trauma.

    A transferred investigator doesn't create a deck again (FAQ 1.11).
    """
    if card.code not in TRAUMA_CARDS:
        return False
    return not (card.creation_only and Arrival.TRANSFERRED in arrival)


# Ways to get a card that are not a purchase: it is swapped in, or comes free.
NO_PURCHASE = frozenset({"price.swap", "price.boxes"})

# By kind ("" if the player chooses) and whether trauma is suffered.
_WORDS: dict[tuple[str, bool], Plural] = {
    (PHYSICAL, True): ngettext_noop(
        "{name}: suffer {points} physical trauma.",
        "{name}: suffer {points} physical trauma.",
        "points",
    ),
    (PHYSICAL, False): ngettext_noop(
        "{name}: heal {points} physical trauma.",
        "{name}: heal {points} physical trauma.",
        "points",
    ),
    (MENTAL, True): ngettext_noop(
        "{name}: suffer {points} mental trauma.",
        "{name}: suffer {points} mental trauma.",
        "points",
    ),
    (MENTAL, False): ngettext_noop(
        "{name}: heal {points} mental trauma.",
        "{name}: heal {points} mental trauma.",
        "points",
    ),
    ("", True): ngettext_noop(
        "{name}: suffer {points} trauma, physical or mental as you choose.",
        "{name}: suffer {points} trauma, physical or mental as you choose.",
        "points",
    ),
    ("", False): ngettext_noop(
        "{name}: heal {points} trauma, physical or mental as you choose.",
        "{name}: heal {points} trauma, physical or mental as you choose.",
        "points",
    ),
}


def shared_out(
    row: TraumaCard, copies: int, chosen: Iterable[TraumaChoice] = ()
) -> tuple[int, int] | None:
    """The physical and mental trauma of the copies bought; negative if healed.

    None while the player still has to choose.
    """
    points = row.amount * copies
    if len(row.kinds) == 1:
        return (points, 0) if row.kinds[0] == PHYSICAL else (0, points)
    sign = 1 if points > 0 else -1
    for each in chosen:
        if each.code == row.code and each.physical + each.mental == abs(points):
            return sign * each.physical, sign * each.mental
    return None


def findings_on(
    bought: Iterable[tuple[str, int]], chosen: Iterable[TraumaChoice] = ()
) -> Iterator[Finding]:
    """Yield advice on each card bought, by code and copies, that gives or heals trauma.

    If the player chooses, the remedy offers each possible number of physical points.
    """
    chosen = tuple(chosen)
    for code, copies in bought:
        row = TRAUMA_CARDS.get(code)
        if row is None or copies <= 0:
            continue
        points = row.amount * copies
        shared = shared_out(row, copies, chosen)
        parts = [("", points)]
        if shared is not None:
            kinds = zip((PHYSICAL, MENTAL), shared, strict=True)
            parts = [(kind, each) for kind, each in kinds if each]
        for place, (kind, each) in enumerate(parts):
            yield Finding(
                _WORDS[kind, each > 0],
                severity=Severity.ADVICE,
                cards=(code,),
                actual=each,
                remedy=None if place else _choice_of(row, points),
                values=(("name", row.name), ("points", abs(each))),
                cites=row.cites,
            )


def _choice_of(row: TraumaCard, points: int) -> Remedy | None:
    if len(row.kinds) == 1:
        return None
    shares = range(abs(points), -1, -1)
    return Remedy("choose", values=tuple(f"{n}:{abs(points) - n}" for n in shares))
