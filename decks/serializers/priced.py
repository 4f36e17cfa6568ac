"""How two revisions of a deck and their price are described to programs."""

from __future__ import annotations

from typing import Annotated, Any

from arkham.rest.messages import Message, MessagePart, schema
from arkham.rest.shapes import Refer, Schema, Shape, named, or_null
from arkham.rules.notation import arkhamdb_object, meta
from arkham.rules.upgrade import window
from arkham.rules.upgrade.price_rules import PRICE_RULES
from arkham.rules.vocabulary import CardClass
from decks.serializers.judged import (
    CODE,
    DECK,
    DECK_PROPERTIES,
    LABEL,
    CircumstancesShape,
    FindingShape,
    Label,
    listed_deck,
    shared_trauma,
)


def _integer(least: int, most: int, description: str = "") -> Schema:
    schema: Schema = {"type": "integer", "minimum": least, "maximum": most}
    return schema | ({"description": description} if description else {})


_CODE = {**CODE, "minLength": 1}


def _codes() -> Schema:
    return {"type": "array", "maxItems": window.MOST_LISTED, "items": _CODE}


def _copies(description: str) -> Schema:
    by_code = named(
        "CopiesOfWindow",
        {
            "type": "object",
            "maxProperties": window.MOST_LISTED,
            "additionalProperties": _integer(0, window.MOST),
        },
    )
    return or_null(by_code, _codes(), description=description)


_BALANCE = or_null(_integer(-arkhamdb_object.MOST, arkhamdb_object.MOST))
_EXILES = or_null(
    {
        "type": "string",
        # Codes of at most so many characters, with commas between them.
        "pattern": (
            rf"\A[^,]{{0,{meta.LONGEST_CODE}}}"
            rf"(,[^,]{{0,{meta.LONGEST_CODE}}})"
            rf"{{0,{arkhamdb_object.MOST_EXILES - 1}}}\Z"
        ),
    },
    description="Codes with commas between them, one for each copy exiled.",
)


def pin_schema() -> Schema:
    """What a player insists on for the copies of a card."""
    return named(
        "Pin",
        {
            "type": "object",
            "required": ["card"],
            "properties": {
                "card": _CODE,
                "way": or_null({"type": "string", "enum": list(window.WAYS)}),
                "from": or_null(_CODE),
            },
            "additionalProperties": False,
        },
    )


class WindowShape(Shape):
    """What happened between two games that the two lists do not say."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """Every key may be left out or null: it did not happen."""
        number = or_null(_integer(0, window.MOST))
        flag = or_null({"type": "boolean"})
        pin = pin_schema()
        used = {
            "type": "object",
            "properties": {
                "first_upgrades": _integer(0, window.MOST),
                "swaps": _integer(0, window.MOST),
                "spell_upgraded": {"type": "boolean"},
            },
            "additionalProperties": False,
        }
        properties: dict[str, Any] = {
            "exiled": _copies("Copies exiled in the last scenario."),
            "taken": _copies("Copies an instruction took from the deck."),
            "granted": _copies("Copies an instruction gave."),
            "available": or_null(
                _integer(-window.MOST, window.MOST, "Experience there is.")
            ),
            "spending": flag,
            "altering": flag,
            "free_boxes": _copies("Boxes marked by cards, by code of the sheet."),
            "quills": _copies("Raven Quills that name an asset, by its code."),
            "pelts": number,
            "offerings": number,
            "devoured": or_null(
                {"type": "string", "enum": [each.value for each in CardClass]}
            ),
            "used": or_null(used),
            "pins": or_null(
                {"type": "array", "maxItems": window.MOST_LISTED, "items": pin}
            ),
            "refused": or_null(_codes()),
            "trauma": shared_trauma(),
        }
        return {
            "type": "object",
            "description": "The time between two games; nothing left out happened.",
            "properties": properties,
            "additionalProperties": False,
        }


class UpgradeShape(Shape):
    """Two revisions of a deck, and what lies between them."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """The old deck and the new one, in ArkhamDB's format."""
        step = {"xp": _BALANCE, "xp_adjustment": _BALANCE, "exile_string": _EXILES}
        after = listed_deck("NextDeck", DECK_PROPERTIES | step)
        return {
            "type": "object",
            "required": ["prev", "next"],
            "properties": {
                "id": LABEL,
                "prev": DECK,
                "next": after,
                "exiled": _copies("Exiled copies; absent: those of next."),
                "window": or_null(refer(WindowShape)),
                "circumstances": or_null(refer(CircumstancesShape)),
            },
            "additionalProperties": False,
        }


class ReductionPart(MessagePart):
    """What a card takes off."""

    card: str
    amount: int


class InvoiceLinePart(MessagePart):
    """What is bought, and for how much."""

    rule: Annotated[str, schema(enum=list(PRICE_RULES))]
    card: str
    gross: Annotated[int, "Before reductions."]
    paid: int
    upgraded_from: str | None
    replaces: str | None
    reductions: list[ReductionPart]
    boxes: Annotated[int, "Boxes newly marked."]
    side_deck: bool


class InvoiceShape(Message):
    """The least that a change of deck costs, line by line, in the order bought."""

    id: Label
    experience_spent: int
    lines: list[InvoiceLinePart]
    findings: Annotated[
        list[FindingShape], "About the change, and then about the new deck."
    ]
