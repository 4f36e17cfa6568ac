# ruff: noqa: E501 (tables align)
"""The cards that change how a deck is built.

One row a card: the name, what it changes, and where that is printed. Rules read the
rows and never name a card.
"""

from __future__ import annotations

from dataclasses import dataclass

from arkham.rules.finding import Citation, faq, printed
from arkham.rules.investigator import DeckOption
from arkham.rules.vocabulary import CardClass, CardType, Tag

ANY_CLASS = tuple(CardClass)


@dataclass(frozen=True, slots=True)
class Attachment:
    """Cards set apart from the deck, under a card or beside an investigator.

    ``count`` cards (fewer are allowed if ``up_to``), of ``types``, with one of
    ``traits``, each of a different title if ``different``; they stay part of the
    deck they are taken from. ``signatures``, ``weaknesses`` and ``permanents`` say
    whether such cards may be among them: a permanent begins the game in play, so it
    can be named, not taken from the deck.
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
    """What one copy of a card in a deck changes about the deck.

    ``size`` is added to the deck size, ``grants`` to the Deckbuilding Options (its
    limit is per copy), ``forbids`` to the restrictions. ``at_least`` demands a number
    of cards of a type. ``singleton`` allows one copy of every title. ``branded``
    limits the attached card to one copy. ``experience`` is what the card gives when
    bought at deck creation.
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
    label="one other level 0 card of any class for each Versatile",
    classes=ANY_CLASS,
    levels=(0, 0),
    limit=1,
    other=True,
)
COLLECTOR = DeckOption(
    id="collector",
    label="one more asset, a Relic or Charm, whatever its class, level 0–3",
    classes=ANY_CLASS,
    levels=(0, 3),
    types=(CardType.ASSET,),
    traits=("relic", "charm"),
    limit=1,
    other=True,
)
NO_ALLY_SLOT = DeckOption(
    id="no-ally-slot",
    label="no assets with an ally slot",
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
    """A trait of which a deck may hold only so many cards, whoever plays it."""

    trait: str
    limit: int
    cites: tuple[Citation, ...]


# Every Covenant prints the same limit on all of them together.
TRAIT_LIMITS: tuple[DeckTrait, ...] = (
    DeckTrait("covenant", 1, (printed("Sacred Covenant", "07110"),)),
)


# Cards that react to healing and do not heal by themselves (ruling
# ``options.circumstantial-text``).
REACTING: dict[str, frozenset[Tag]] = {
    "60257": frozenset({Tag.HEALS_HORROR}),  # Private Practice
    "09123": frozenset({Tag.HEALS_HORROR, Tag.HEALS_DAMAGE}),  # Soul Sanctification
}


@dataclass(frozen=True, slots=True)
class SideRow:
    """What one side of an investigator demands beyond its printed requirements.

    ``side`` is ``front`` or ``back``; ``code`` the investigator card on that side.
    ``choose`` of ``among`` are different cards to add, between ``least`` and
    ``most``; one more for every ``per_experience`` earned. ``weakness`` comes once
    for each. ``hunch`` is a deck set apart that the back asks for.
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
    """Another card an investigator may become, and what its deck is then spared.

    ``spares_size``: no deck size is asked for; ``spares_signatures``: each signature
    has given way to a random basic weakness; ``fixed``: nothing is bought, upgraded
    or removed any more. ``from_setup``: games begin as this card; otherwise it takes the
    investigator's place only once opening hands are drawn.
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
