# ruff: noqa: E501 (tables align)
"""The cards that change the cost of a purchase or an upgrade.

A row a card; the pricing knows no codes. Searching every card's text for more such
cards is a test (see docs/deckbuilding-cards.md).
"""

from __future__ import annotations

from dataclasses import dataclass

from arkham.rules.finding import Citation, faq, printed


@dataclass(frozen=True, slots=True)
class PriceModifier:
    """What one copy of a card in the deck changes about prices.

    ``swaps`` level 0 cards may be exchanged for level 0 cards; the first
    ``first_upgrades`` upgrades after a scenario cost 1 less each; ``surcharge`` is
    added to every new purchase; the first upgrade of a card with ``first_trait``
    costs 1 less; ``rebuys`` cards exiled in the last scenario cost 1 less each to buy
    again; a second copy of a card with one of ``paired`` subtitles is upgraded free.
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
class ToldReduction:
    """A reduction by a card whose trigger only the table knows.

    ``counted`` names what the window tells of it, ``each`` how many of those make one
    experience. One card in the window has it: a new one, or (``upgrades``) any.
    """

    code: str
    name: str
    cites: tuple[Citation, ...]
    counted: str
    each: int = 1
    upgrades: bool = False


@dataclass(frozen=True, slots=True)
class KeptLower:
    """A back that may pay a higher version in full and keep the lower one aside."""

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

TOLD_REDUCTIONS: tuple[ToldReduction, ...] = (
    #             code     name                    cites                                  what is told
    ToldReduction("10109", "Pelt Shipment",        (printed("Pelt Shipment", "10109"),),  "pelts"),
    ToldReduction("98002", "Green Man Medallion",  (printed("Green Man Medallion", "98002"),), "offerings", each=6, upgrades=True),
)

KEPT_LOWER: dict[str, KeptLower] = {
    row.code: row
    for row in (
        #         code     name              cites                                             traits
        KeptLower("90017", "Agnes Baker",    (printed("Agnes Baker (parallel)", "90017"),),    ("spell",)),
        KeptLower("90008", "“Skids” O’Toole", (printed("“Skids” O’Toole (parallel)", "90008"),), ("fortune", "gambit")),
    )
}

RAVEN_QUILL = ToldReduction("09042", "The Raven Quill", (printed("The Raven Quill", "09042"),), "quills", upgrades=True)
# fmt: on
