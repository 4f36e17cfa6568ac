"""API messages of two revisions of a deck and the price between them."""

from __future__ import annotations

from typing import Annotated

from arkham.rest.messages import Message, MessagePart, component, schema
from arkham.rules.notation import arkhamdb_object, meta
from arkham.rules.upgrade import window
from arkham.rules.upgrade.price_rules import PRICE_RULES
from arkham.rules.vocabulary import CardClass
from decks.serializers.judged import (
    CircumstancesShape,
    Code,
    FindingShape,
    Label,
    ListedDeck,
    SharedTrauma,
)

CardCode = Annotated[Code, schema(minLength=1)]
CardCodes = Annotated[tuple[CardCode, ...], schema(maxItems=window.MOST_LISTED)]
Amount = Annotated[int, schema(minimum=0, maximum=window.MOST)]
CopiesOfWindow = Annotated[
    dict[str, Amount],
    schema(maxProperties=window.MOST_LISTED),
    component("CopiesOfWindow"),
]
Listed = CopiesOfWindow | CardCodes | None


class PinPart(MessagePart, component="Pin"):
    """A wish of the player about the copies of a card."""

    card: CardCode
    way: Annotated[str, schema(enum=list(window.WAYS))] | None = None
    from_: CardCode | None = None


class UsedPart(MessagePart):
    """Reductions that earlier purchases have used up."""

    first_upgrades: Amount = 0
    swaps: Amount = 0
    spell_upgraded: bool = False


class LedgerWindow(MessagePart):
    """The time between two games; what is left out didn't happen."""

    exiled: Annotated[Listed, "Copies exiled in the last scenario."] = None
    taken: Annotated[Listed, "Copies an instruction took from the deck."] = None
    granted: Annotated[Listed, "Copies an instruction gave."] = None
    spending: bool | None = None
    altering: bool | None = None
    free_boxes: Annotated[Listed, "Boxes marked by cards, by code of the sheet."] = None
    quills: Annotated[Listed, "Raven Quills that name an asset, by its code."] = None
    pelts: Amount | None = None
    offerings: Amount | None = None
    devoured: CardClass | None = None
    used: UsedPart | None = None
    pins: Annotated[tuple[PinPart, ...], schema(maxItems=window.MOST_LISTED)] | None = (
        None
    )
    refused: CardCodes | None = None
    trauma: SharedTrauma = None


class OwedPart(MessagePart):
    """Places to fill for free, left by an earlier window."""

    deck: Amount = 0
    side_deck: Amount = 0


class WindowShape(LedgerWindow, Message):
    """The time between two games; what is left out didn't happen."""

    owed: OwedPart | None = None
    earlier: Annotated[
        CircumstancesShape | None,
        "Circumstances of the old deck; what is left out is as in the request's.",
    ] = None

    available: Annotated[
        Annotated[int, schema(minimum=-window.MOST, maximum=window.MOST)] | None,
        "The experience that may be spent.",
    ] = None


Balance = Annotated[
    int, schema(minimum=-arkhamdb_object.MOST, maximum=arkhamdb_object.MOST)
]
# Comma-separated codes of limited length.
EXILES = (
    rf"^[^,]{{0,{meta.LONGEST_CODE}}}"
    rf"(,[^,]{{0,{meta.LONGEST_CODE}}})"
    rf"{{0,{arkhamdb_object.MOST_EXILES - 1}}}$"
)


class NextDeck(ListedDeck, component="NextDeck"):
    """A deck as ArkhamDB's API gives it. Keys not listed here are ignored."""

    xp: Balance | None = None
    xp_adjustment: Balance | None = None
    exile_string: Annotated[
        Annotated[str, schema(pattern=EXILES)] | None,
        "Codes with commas between them, one for each copy exiled.",
    ] = None


class UpgradeShape(Message):
    """Two revisions of a deck, and what happened between them."""

    id: Label = None
    prev: ListedDeck
    next: NextDeck
    exiled: Annotated[Listed, "Exiled copies; absent: those of next."] = None
    window: WindowShape | None = None
    circumstances: CircumstancesShape | None = None


class ReductionPart(MessagePart):
    """A price reduction by a card."""

    card: str
    amount: int


class InvoiceLinePart(MessagePart):
    """A card that is bought, and its price."""

    rule: Annotated[str, schema(enum=list(PRICE_RULES))]
    card: str
    gross: Annotated[int, "The price before reductions."]
    paid: int
    upgraded_from: str | None
    replaces: str | None
    reductions: list[ReductionPart]
    boxes: Annotated[int, "Boxes that this upgrade marks."]
    side_deck: bool


class InvoiceShape(Message):
    """The lowest price of a change of deck, line by line, in the order bought."""

    id: Label
    experience_spent: int
    lines: list[InvoiceLinePart]
    findings: Annotated[
        list[FindingShape], "About the change, and then about the new deck."
    ]
