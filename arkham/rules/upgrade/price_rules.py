# ruff: noqa: E501 (tables align)
"""Printed rules on prices, ways to obtain a copy, and cards that change prices.

Every line of an invoice names a rule. Every card that changes prices has a row; the
pricing itself knows no codes. A test searches every card's text for more such cards
(see docs/deckbuilding-cards.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from arkham.rules.finding import Citation, faq, gettext_noop, printed, rules_reference


@dataclass(frozen=True, slots=True)
class PriceModifier:
    """How one copy of a card in the deck changes prices.

    ``swaps`` level 0 cards may be exchanged for level 0 cards; the first
    ``first_upgrades`` upgrades after a scenario cost 1 less each; ``surcharge`` is
    added to every new purchase; the first upgrade of a card with ``first_trait`` costs
    1 less; ``rebuys`` cards exiled in the last scenario cost 1 less each to buy again;
    a second copy of a card with one of ``paired`` subtitles is upgraded free.
    """

    code: str
    name: str
    cites: tuple[Citation, ...]
    swaps: int = 0
    first_upgrades: int = 0
    first_trait: str = ""
    surcharge: int = 0
    rebuys: int = 0
    paired: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableReduction:
    """A reduction by a card with a trigger that only the table knows.

    ``counted`` names what the window counts, ``each`` how many of it give one
    experience. It reduces one card of the window: a new one or, with ``upgrades``, any.
    """

    code: str
    name: str
    cites: tuple[Citation, ...]
    counted: str
    each: int = 1
    upgrades: bool = False


@dataclass(frozen=True, slots=True)
class KeptLower:
    """A back that may pay for a higher version in full and set the lower one aside."""

    code: str
    name: str
    cites: tuple[Citation, ...]
    traits: tuple[str, ...]


# Backs that buy class cards above level 0 only of the class devoured most.
DEVOURERS = frozenset({"89001"})
UNIDENTIFIED = ("Unidentified", "Untranslated")
# fmt: off
PRICE_MODIFIERS: dict[str, PriceModifier] = {
    row.code: row
    for row in (
        #             code     name                   cites                              changes
        PriceModifier("02110", "Adaptable",           (printed("Adaptable", "02110"), faq("1.37")), swaps=2),
        PriceModifier("04109", "Arcane Research",     (printed("Arcane Research", "04109"),), first_trait="spell"),
        PriceModifier("08059", "Down the Rabbit Hole", (printed("Down the Rabbit Hole", "08059"), faq("Down the Rabbit Hole")),
                      first_upgrades=2, surcharge=1),
        PriceModifier("60531", "Déjà Vu",             (printed("Déjà Vu", "60531"),), rebuys=3),
        PriceModifier("04106", "Shrewd Analysis",     (printed("Shrewd Analysis", "04106"),), paired=UNIDENTIFIED),
    )
}
TABLE_REDUCTIONS: tuple[TableReduction, ...] = (
    #              code     name                    cites                                  counted
    TableReduction("10109", "Pelt Shipment",        (printed("Pelt Shipment", "10109"),),  "pelts"),
    TableReduction("98002", "Green Man Medallion",  (printed("Green Man Medallion", "98002"),), "offerings", each=6, upgrades=True),
)
KEPT_LOWER: dict[str, KeptLower] = {
    row.code: row
    for row in (
        #         code     name              cites                                             traits
        KeptLower("90017", "Agnes Baker",    (printed("Agnes Baker (parallel)", "90017"),),    ("spell",)),
        KeptLower("90008", "“Skids” O’Toole", (printed("“Skids” O’Toole (parallel)", "90008"),), ("fortune", "gambit")),
    )
}
RAVEN_QUILL = TableReduction("09042", "The Raven Quill", (printed("The Raven Quill", "09042"),), "quills", upgrades=True)
_PLAY = rules_reference("Campaign Play")
_SHEETS = rules_reference("Customizable")


@dataclass(frozen=True, slots=True)
class PriceRule:
    """A way to obtain a card, and its cost.

    ``sentence`` is the rule in the game's own terms; ``rows`` are the rows of the rule
    book it implements, ``cites`` the printed sections.
    """

    id: str
    sentence: str
    rows: tuple[str, ...]
    cites: tuple[Citation, ...]


PRICE_RULES: dict[str, PriceRule] = {
    row.id: row
    for row in (
        PriceRule(
            "price.purchase",
            gettext_noop(
                "A new card costs its level (doubled if exceptional) plus its taboo "
                "change, at least 1 experience."
            ),
            ("XP-04", "XP-05", "XP-11", "XP-13", "XP-16", "XP-17", "XP-18", "XP-30",
             "XP-39", "XP-40", "XP-45", "XP-46", "KW-02", "KW-22", "TABOO-05"),
            (_PLAY, rules_reference("Exceptional"), faq("1.8"),
             faq("The List of Taboos")),
        ),
        PriceRule(
            "price.upgrade",
            gettext_noop(
                "An upgrade costs the difference between the two versions, at least 1 "
                "experience; the lower version leaves the deck."
            ),
            ("XP-08", "XP-09", "XP-10", "XP-11", "XP-16", "XP-17", "XP-41", "KW-04",
             "TABOO-05"),
            (_PLAY, faq("1.8"), faq("On Your Own")),
        ),
        PriceRule(
            "price.kept-lower",
            gettext_noop(
                "Some investigators may pay for a higher version in full and keep the "
                "lower one, not counted; this is also an upgrade."
            ),
            ("XP-08",),
            (printed("Agnes Baker (parallel)", "90017"),
             printed("“Skids” O’Toole (parallel)", "90008")),
        ),
        PriceRule(
            "price.second-copy",
            gettext_noop(
                "With Shrewd Analysis, a second copy of an unidentified or "
                "untranslated card is upgraded with the first for free."
            ),
            ("XP-12",),
            (printed("Shrewd Analysis", "04106"),),
        ),
        PriceRule(
            "price.refill",
            gettext_noop(
                "Level 0 cards that replace exiled or lost cards, or fill out a "
                "bigger deck, are free."
            ),
            ("XP-15", "XP-44", "XP-47", "DECK-16", "DECK-17", "KW-20", "TABOO-11",
             "TABOO-15"),
            (faq("1.18"),),
        ),
        PriceRule(
            "price.swap",
            gettext_noop(
                "Adaptable swaps level 0 cards for other level 0 cards for free."
            ),
            ("XP-12", "XP-13"),
            (printed("Adaptable", "02110"), faq("1.37")),
        ),
        PriceRule(
            "price.myriad",
            gettext_noop(
                "When you buy a myriad card, you get up to two more copies of the "
                "same title and level for free."
            ),
            ("KW-11", "KW-26", "XP-42"),
            (rules_reference("Myriad"),),
        ),
        PriceRule(
            "price.boxes",
            gettext_noop(
                "Marking boxes on the sheet of a card in the deck costs 1 experience "
                "each, once for all its copies, and is one upgrade."
            ),
            ("CUST-02", "CUST-03", "CUST-04", "CUST-05", "CUST-09", "CUST-10",
             "CUST-19", "XP-43"),
            (_SHEETS, faq("Down the Rabbit Hole")),
        ),
        PriceRule(
            "price.sheet",
            gettext_noop(
                "A new customizable card bought with boxes marked costs 1 experience per "
                "box, once for all its copies, as one purchase."
            ),
            ("CUST-11", "CUST-14", "XP-43"),
            (_SHEETS, faq("Customizable")),
        ),
        PriceRule(
            "price.with-sheet",
            gettext_noop(
                "Extra copies bought along with their sheet’s boxes are free."
            ),
            ("CUST-11",),
            (_SHEETS,),
        ),
        PriceRule(
            "price.regained",
            gettext_noop(
                "You buy another copy of a customizable card with the boxes already "
                "marked on its sheet."
            ),
            ("CUST-15", "CUST-23"),
            (faq("Customizable"),),
        ),
        PriceRule(
            "price.with-box",
            gettext_noop(
                "When you mark another box of a customizable card, you get another "
                "copy for free."
            ),
            ("CUST-15", "CUST-23"),
            (faq("Customizable"),),
        ),
    )
}  # fmt: skip


class Way(Enum):
    """How a copy came into the deck; the value is the id of the rule of its price.

    Of ways with equal cost the one with the lowest ``tie`` is preferred; ``turn`` is
    its position on an invoice.
    """

    rule: str
    tie: int
    turn: int

    #              rule               tie turn
    KEEP = "keep", 0, 5
    UPGRADE = "price.upgrade", 1, 8
    KEPT_LOWER = "price.kept-lower", 1, 8
    PAIRED = "price.second-copy", 1, 9
    REFILL = "price.refill", 2, 3
    SWAP = "price.swap", 3, 4
    MYRIAD = "price.myriad", 1, 5
    PURCHASE = "price.purchase", 4, 5
    BOXES = "price.boxes", 4, 8
    SHEET = "price.sheet", 4, 5
    WITH_SHEET = "price.with-sheet", 1, 5
    REGAINED = "price.regained", 4, 5
    WITH_BOX = "price.with-box", 1, 9

    def __new__(cls, rule: str, tie: int, turn: int) -> Way:
        """Create a way whose value is the id of its rule."""
        way = object.__new__(cls)
        way._value_ = way.rule = rule
        way.tie = tie
        way.turn = turn
        return way


class PlannedLine(NamedTuple):
    """One copy (or sheet) and what is paid for it.

    ``gross`` is the price before reductions; ``reductions`` has the kind of each offer
    and its amount. ``source`` is the code upgraded from.
    """

    way: Way
    code: str
    gross: int = 0
    paid: int = 0
    source: str = ""
    reductions: tuple[tuple[str, int], ...] = ()
    boxes: int = 0
    side: bool = False  # of the second deck


SCALE = 1_000  # a weight is a price times this, plus the tie-breaker


def weight_of(line: PlannedLine) -> int:
    """The weight of a line: its price, then the tie-breaker of its way."""
    return line.paid * SCALE + line.way.tie
