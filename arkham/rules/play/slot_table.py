# ruff: noqa: E501 (tables align)
"""The cards that change the slots of their controller.

Each row is what a card prints of slots. Cards whose number depends on the game
("for each …") have no number here but ``varies``: the table counts it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from arkham.rules.finding import Citation, printed

# SLOT-01, CYC-CU2. No document lists the head slot; the assets of the Core Set of 2026
# that print it give it to everybody once, as our reading.
SLOTS: Mapping[str, int] = MappingProxyType(
    {
        "ally": 1,
        "hand": 2,
        "arcane": 2,
        "accessory": 1,
        "body": 1,
        "tarot": 1,
        "head": 1,
    }
)


@dataclass(frozen=True, slots=True)
class SlotGrant:
    """Slots that a card gives (or, below 0, takes), each of any one of ``kinds``.

    Only assets with one of ``traits`` fit, if any are named; only those that are not
    unique, if ``ordinary``.
    """

    code: str
    name: str
    cites: tuple[Citation, ...]
    kinds: tuple[str, ...]
    count: int = 1
    traits: tuple[str, ...] = ()
    ordinary: bool = False
    varies: bool = False


@dataclass(frozen=True, slots=True)
class SlotSharing:
    """Up to ``count`` assets of this name take a single slot together."""

    name: str
    cites: tuple[Citation, ...]
    kind: str
    count: int


@dataclass(frozen=True, slots=True)
class SlotExchange:
    """Slots of these kinds hold assets of any of them."""

    code: str
    name: str
    cites: tuple[Citation, ...]
    kinds: tuple[str, ...]


def _grant(code: str, name: str, *kinds: str, **how: object) -> SlotGrant:
    return SlotGrant(code, name, (printed(name, code),), kinds, **how)  # type: ignore[arg-type]


# fmt: off
GRANTS: tuple[SlotGrant, ...] = (
    #       code     name                             slot         how many, and for what
    _grant("01008",  "Daisy's Tote Bag",              "hand",      count=2, traits=("tome",)),
    _grant("90002",  "Daisy's Tote Bag (advanced)",   "hand",      count=2, traits=("tome",)),
    _grant("01070",  "Book of Shadows",               "arcane"),
    _grant("02147",  "Bandolier",                     "hand",      traits=("weapon",)),
    _grant("51001",  "Bandolier (2)",                 "hand",      count=2, traits=("weapon",)),
    _grant("02157",  "Relic Hunter",                  "accessory"),
    _grant("02158",  "Charisma",                      "ally"),
    _grant("04006",  "Mitch Brown",                   "ally",      count=2, ordinary=True),
    _grant("05112",  "Sign Magick",                   "arcane",    traits=("spell", "ritual")),
    _grant("54008",  "Sign Magick (3)",               "arcane",    traits=("spell", "ritual")),
    _grant("05283",  "Anna Kaslow",                   "tarot",     count=2),
    _grant("08060",  "Dragon Pole",                   "arcane"),
    _grant("08128",  "Rod of Animalism",              "ally",      count=2, traits=("creature",)),
    _grant("09018",  "Charlie Kane",                  "ally",      count=3),
    _grant("09065",  "Hidden Pocket",                 "hand", "accessory", traits=("illicit",)),
    _grant("09089",  "Binder's Jar",                  "arcane",    count=0, varies=True),
    _grant("09091",  "Astral Mirror",                 "hand",      count=0, varies=True),
    _grant("10041",  "Dr. Charles West III",          "hand",      traits=("tool",)),
    _grant("10132",  "Occult Reliquary",              "hand", "accessory", "arcane", traits=("blessed", "cursed")),
    _grant("10693",  "Mother Rachel",                 "arcane"),
    _grant("10698",  "Gideon Mizrah",                 "accessory"),
    _grant("11001",  "Marion Tavares",                "hand",      count=-1),
    _grant("11012",  "“Viola” Case",                  "hand",      count=2, traits=("firearm",)),
    _grant("11044",  "Scientific Studies Grant",      "hand",      count=2, traits=("science", "tool")),
    _grant("11759b", "Dreams of Destruction",         "arcane"),
    _grant("54007",  "The Hierophant • V",            "arcane"),
    _grant("54012",  "Moon Pendant",                  "tarot"),
    _grant("60181",  "Protective Vest",               "hand",      traits=("firearm",)),
    _grant("60205",  "Arcane Enlightenment",          "hand",      traits=("tome",)),
    _grant("60232",  "Miskatonic Archaeology Funding", "ally",     count=2, traits=("miskatonic",)),
    _grant("60260",  "University Archivist",          "hand",      traits=("tome",)),
    _grant("60410",  "Familiar Spirit",               "arcane",    traits=("spell",)),
    _grant("60478",  "Arcane Experience",             "arcane"),
    _grant("71034",  "Carl Sanford",                  "arcane"),
    _grant("90027",  "Directive: Consult Experts",    "ally"),
)
SHARINGS: tuple[SlotSharing, ...] = (
    SlotSharing("Empower Self",      (printed("Empower Self", "06241"),),      "arcane", 3),
    SlotSharing("Sled Dog",          (printed("Sled Dog", "08127"),),          "ally",   2),
    SlotSharing("Uncanny Specimen",  (printed("Uncanny Specimen", "11039"),),  "arcane", 3),
    SlotSharing("Sacred Oath",       (printed("Sacred Oath", "11121"),),       "arcane", 3),
)
EXCHANGES: tuple[SlotExchange, ...] = (
    SlotExchange("54007", "The Hierophant • V", (printed("The Hierophant • V", "54007"),), ("arcane", "accessory")),
)
# fmt: on
GRANTS_OF: Mapping[str, SlotGrant] = {row.code: row for row in GRANTS}
SHARING_OF: Mapping[str, SlotSharing] = {row.name: row for row in SHARINGS}
EXCHANGE_OF: Mapping[str, SlotExchange] = {row.code: row for row in EXCHANGES}
