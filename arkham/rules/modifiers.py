"""The cards that change how a deck is built, and those that give or take experience.

One row per card: its name, what it changes, and where that is printed. Rules read the
rows and never name a card. What investigators get at the beginning is in
``Back.bonus_experience``.

``EXCHANGES`` has one row for each basic weakness that its own text exchanges. The card
that replaces it fills its slot for a random basic weakness, and keeps the first card
out of the pool from which weaknesses are drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple

from arkham.rules.finding import Citation, faq, printed
from arkham.rules.investigator import DeckOption
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import CardClass, CardType, Tag

# ruff: noqa: E501 (tables align)


class ExperienceMoment(Enum):
    """When a card gives or takes experience."""

    GAINED = "gained"  # when an investigator gains the card
    RESOLUTION = "resolution"  # when experience is earned


@dataclass(frozen=True, slots=True)
class ExperienceCard:
    """The effect of one copy of a card on the experience earned.

    ``amount`` is negative if experience is lost. ``by_itself``: after every scenario,
    whatever happened in it; ``undefeated``: only for an investigator who was not
    defeated; ``everyone``: for each investigator, by the victory display; ``bars``: no
    experience is earned at all.
    """

    code: str
    name: str
    amount: int
    moment: ExperienceMoment
    cites: tuple[Citation, ...]
    by_itself: bool = False
    undefeated: bool = False
    everyone: bool = False
    bars: bool = False


_AFTER = ExperienceMoment.RESOLUTION

# fmt: off
EXPERIENCE_CARDS: dict[str, ExperienceCard] = {
    row.code: row
    for row in (
        #              code      name                   amount  when    printed in
        ExperienceCard("03308",  "Charon's Obol",            2, _AFTER, (printed("Charon's Obol", "03308"), faq("Charon's Obol")), by_itself=True, undefeated=True),
        ExperienceCard("11068a", "The Great Work",           1, _AFTER, (printed("The Great Work", "11068a"),), by_itself=True),
        ExperienceCard("11095",  "Ascetic",                  0, _AFTER, (printed("Ascetic", "11095"),), bars=True),
        ExperienceCard("53013",  "Offer You Cannot Refuse",  2, ExperienceMoment.GAINED, (printed("Offer You Cannot Refuse", "53013"),)),
        ExperienceCard("06160",  "\"Let God sort them out...\"", 1, _AFTER, (printed("\"Let God sort them out...\"", "06160"),)),
        ExperienceCard("02111",  "Delve Too Deep",           1, _AFTER, (printed("Delve Too Deep", "02111"), faq("The List of Taboos")), everyone=True),
        ExperienceCard("03016",  "Bury Them Deep",           1, _AFTER, (printed("Bury Them Deep", "03016"),), everyone=True),
        ExperienceCard("01011",  "Hospital Debts",          -2, _AFTER, (printed("Hospital Debts", "01011"),)),
        ExperienceCard("90010",  "Hospital Debts",          -2, _AFTER, (printed("Hospital Debts", "90010"),)),
        ExperienceCard("05010",  "Unsolved Case",           -2, _AFTER, (printed("Unsolved Case", "05010"),)),
        ExperienceCard("12006",  "Dead Ends",               -2, _AFTER, (printed("Dead Ends", "12006"),)),
        ExperienceCard("52011",  "Unspeakable Oath",        -2, _AFTER, (printed("Unspeakable Oath", "52011"),)),
        ExperienceCard("52012",  "Unspeakable Oath",        -2, _AFTER, (printed("Unspeakable Oath", "52012"),)),
        ExperienceCard("52013",  "Unspeakable Oath",        -2, _AFTER, (printed("Unspeakable Oath", "52013"),)),
        ExperienceCard("60253",  "Unbroken Web",            -2, _AFTER, (printed("Unbroken Web", "60253"),)),
    )
}
# fmt: on


class ExperienceGain(NamedTuple):
    """A card that gives experience when an investigator gains it, and the total."""

    card: ExperienceCard
    amount: int


def when_gained(copies: Mapping[str, int], pool: CardPool) -> Iterator[ExperienceGain]:
    """Yield what new copies, by code, give their investigator, or (negative) take."""
    for listed, number in copies.items():
        card = pool.get_card(listed)
        row = EXPERIENCE_CARDS.get(card.code) if card is not None else None
        if row is not None and row.moment is ExperienceMoment.GAINED:
            yield ExperienceGain(row, row.amount * number)


# ruff: noqa: E501 (tables align)


ANY_CLASS = tuple(CardClass)


@dataclass(frozen=True, slots=True)
class Attachment:
    """Cards set aside from the deck, under a card or next to an investigator.

    ``count`` cards (or fewer if ``up_to``), of ``types``, with one of ``traits``, each
    of a different title if ``different``; they stay part of the deck they are taken
    from. ``signatures``, ``weaknesses`` and ``permanents`` say whether such cards are
    allowed: a permanent begins the game in play, so it can be named, but not taken from
    the deck.
    """

    count: int
    up_to: bool = False
    types: tuple[CardType, ...] = ()
    traits: tuple[str, ...] = ()
    different: bool = False
    signatures: bool = True
    weaknesses: bool = True
    permanents: bool = False


@dataclass(frozen=True, slots=True)
class DeckModifier:
    """How one copy of a card in a deck changes the deck.

    ``size`` is added to the deck size, ``grants`` to the Deckbuilding Options (its
    limit is per copy), ``forbids`` to the restrictions. ``at_least`` demands a number
    of cards of a type. ``singleton`` allows one copy of every title. ``branded`` limits
    the attached card to one copy. ``experience`` is what the card gives when bought at
    deck creation.
    """

    code: str
    name: str
    cites: tuple[Citation, ...]
    size: int = 0
    grants: DeckOption | None = None
    forbids: DeckOption | None = None
    at_least: tuple[CardType, int] | None = None
    singleton: bool = False
    branded: bool = False
    attaches: Attachment | None = None
    experience: int = 0


def _row(code: str, name: str, **changes: object) -> DeckModifier:
    return DeckModifier(code, name, (printed(name, code),), **changes)  # type: ignore[arg-type]


VERSATILE = DeckOption(
    id="versatile",
    classes=ANY_CLASS,
    levels=(0, 0),
    limit=1,
    other=True,
)
COLLECTOR = DeckOption(
    id="collector",
    classes=ANY_CLASS,
    levels=(0, 3),
    types=(CardType.ASSET,),
    traits=("relic", "charm"),
    limit=1,
    other=True,
)
NO_ALLY_SLOT = DeckOption(
    id="no-ally-slot",
    types=(CardType.ASSET,),
    slots=("ally",),
    forbids=True,
)

# fmt: off
DECK_MODIFIERS: dict[str, DeckModifier] = {
    row.code: row
    for row in (
        #    code     name                    changes
        _row("06167", "Versatile",            size=5, grants=VERSATILE),
        _row("12181", "Collector",            size=5, grants=COLLECTOR),
        _row("07303", "Ancestral Knowledge",  size=5, at_least=(CardType.SKILL, 10),
             attaches=Attachment(5, types=(CardType.SKILL,), weaknesses=False)),
        _row("08031", "Forced Learning",      size=15),
        _row("08046", "Underworld Support",   size=-5, singleton=True),
        _row("09077", "Underworld Market",    size=10,
             attaches=Attachment(10, traits=("illicit",))),
        _row("53010", "On Your Own",          forbids=NO_ALLY_SLOT),
        _row("03264", "Stick to the Plan",
             attaches=Attachment(3, up_to=True, types=(CardType.EVENT,),
                                 traits=("tactic", "supply"), different=True)),
        _row("10079", "Bewitching",
             attaches=Attachment(3, up_to=True, traits=("trick",), different=True)),
        _row("11080", "Eldritch Brand",       branded=True,
             attaches=Attachment(1, types=(CardType.ASSET,), traits=("spell",),
                                 signatures=False, permanents=True)),
        _row("08125", "In the Thick of It",   experience=3),
        _row("11095", "Ascetic",              experience=10),
    )
}
# fmt: on


@dataclass(frozen=True, slots=True)
class DeckTrait:
    """A trait of which any deck may have only a limited number of cards."""

    trait: str
    limit: int
    cites: tuple[Citation, ...]


# Every Covenant prints the same limit, for all Covenants together.
TRAIT_LIMITS: tuple[DeckTrait, ...] = (
    DeckTrait("covenant", 1, (printed("Sacred Covenant", "07110"),)),
)


# Cards that react to healing without healing themselves (ruling
# ``options.circumstantial-text``).
HEALING_REACTIONS: dict[str, frozenset[Tag]] = {
    "60257": frozenset({Tag.HEALS_HORROR}),  # Private Practice
    "09123": frozenset({Tag.HEALS_HORROR, Tag.HEALS_DAMAGE}),  # Soul Sanctification
}


@dataclass(frozen=True, slots=True)
class SideRow:
    """The demands of one side of an investigator beyond its printed requirements.

    ``side`` is ``front`` or ``back``; ``code`` the investigator card on that side. The
    deck includes ``least`` to ``most`` different cards of ``among`` (if
    ``per_experience`` is set, one more than ``least`` for each time that much was
    earned), and a ``weakness`` for each. ``hunch`` is a deck that the back sets aside.
    """

    side: str
    code: str
    name: str
    cites: tuple[Citation, ...]
    among: tuple[str, ...] = ()
    least: int = 0
    most: int = 0
    per_experience: int = 0
    weakness: str = ""
    hunch: Attachment | None = None
    includes: str = ""


def _side(side: str, code: str, name: str, **demands: object) -> SideRow:
    return SideRow(side, code, name, (printed(name, code),), **demands)  # type: ignore[arg-type]


DIRECTIVES = ("90025", "90026", "90027", "90028", "90029")
DISCIPLINES = ("08011a", "08012a", "08013a", "08014a")

# fmt: off
SIDE_ROWS: tuple[SideRow, ...] = (
    #     side     card     name                     demands
    _side("front", "90024", "Roland Banks (parallel)", among=DIRECTIVES, least=3, most=3),
    _side("front", "90037", "Wendy Adams (parallel)", among=("90038",), least=1, most=1),
    _side("back",  "08010", "Lily Chen", among=DISCIPLINES, least=1, most=4,
          per_experience=15, weakness="08015"),
    _side("back",  "05002", "Joe Diamond", includes="05010",
          hunch=Attachment(11, types=(CardType.EVENT,), traits=("insight",))),
)
# fmt: on


@dataclass(frozen=True, slots=True)
class Transformation:
    """Another card that an investigator may become, and how that relaxes deckbuilding.

    ``spares_size``: no deck size is required; ``spares_signatures``: each signature was
    replaced by a random basic weakness; ``fixed``: no card can be bought, upgraded or
    removed. ``from_setup``: games begin as this card; otherwise it replaces the
    investigator only after opening hands are drawn.
    """

    code: str
    name: str
    cites: tuple[Citation, ...]
    spares_size: bool = False
    spares_signatures: bool = False
    fixed: bool = False
    from_setup: bool = False


TRANSFORMATIONS: dict[str, Transformation] = {
    row.code: row
    for row in (
        Transformation("04244", "Body of a Yithian", (faq("The City of Archives"),)),
        Transformation(
            "11068b",
            "Lost Homunculus",
            (faq("Lost Homunculus"), printed("The Great Work", "11068a")),
            spares_size=True,
            spares_signatures=True,
            fixed=True,
            from_setup=True,
        ),
    )
}


# ruff: noqa: E501 (tables align)


@dataclass(frozen=True, slots=True)
class Exchange:
    """A basic weakness that its own text exchanges for others, one after the other.

    While one of ``successors`` is in a deck the first card is in the collection, but
    not in the pool. ``returns``: the first card comes back for the last successor.
    """

    code: str
    name: str
    successors: tuple[str, ...]
    cites: tuple[Citation, ...]
    returns: bool = False


# fmt: off
EXCHANGES: tuple[Exchange, ...] = (
    #        code     name                         successors          printed in
    Exchange("04038", "Dark Pact",                 ("04039",),          (faq("Dark Pact"),), returns=True),
    Exchange("04040", "Doomed",                    ("04041", "04042"),  (faq("Dark Pact"),)),
    Exchange("53013", "Offer You Cannot Refuse",   ("53014", "53015"),  (printed("Offer You Cannot Refuse", "53013"), printed("Fine Print", "53014"))),
)
# fmt: on

# The basic weakness whose slot a card fills, by the code of the later card.
FIRST_OF: Mapping[str, str] = {
    code: row.code for row in EXCHANGES for code in row.successors
}


def is_exchange(gone: str, come: str) -> bool:
    """True if one card may have become the other by the text on the cards.

    A game may take several steps of a chain, so any later card counts.
    """
    for row in EXCHANGES:
        chain = (row.code, *row.successors)
        if gone in chain and come in chain and gone != come:
            return row.returns or chain.index(gone) < chain.index(come)
    return False


NOTHING: Mapping[str, int] = MappingProxyType({})


def with_exchanged(
    cards: Mapping[str, int], held: Mapping[str, int] = NOTHING
) -> dict[str, int]:
    """Copies that came into a deck or left it, plus those that they replaced.

    If the later card of a chain is recorded, the earlier ones are gone. The first card
    of a chain that starts over replaces the last one, if ``held`` (the copies there
    were) has any.
    """
    found = dict(cards)
    for row in EXCHANGES:
        chain = (row.code, *row.successors)
        reached = [place for place, code in enumerate(chain) if cards.get(code, 0) > 0]
        if not reached:
            continue
        if not reached[-1]:
            last = chain[-1]
            copies = min(cards[row.code], held.get(last, 0)) if row.returns else 0
            if last not in cards:
                found[last] = -copies
            continue
        copies = cards[chain[reached[-1]]]
        for code in chain[: reached[-1]]:
            if found.get(code, 0) >= 0:
                found[code] = found.get(code, 0) - copies
    return {code: copies for code, copies in found.items() if copies}
