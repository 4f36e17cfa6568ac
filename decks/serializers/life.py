"""How games, upgrades and the ledger of a deck are described to programs."""

from __future__ import annotations

from typing import Any

from arkham.rest.shapes import Refer, Schema, Shape, closed, named, or_null
from arkham.rules.notation.circumstances_json import LONGEST
from decks.models import LONGEST_REASON, LONGEST_SCENARIO, LedgerEntry
from decks.serializers.judged import CircumstancesShape, VerdictShape
from decks.serializers.kept import (
    MOMENT,
    NUMBER,
    WRITTEN,
    copies,
    kept_content,
)
from decks.serializers.priced import InvoiceShape, WindowShape, pin_schema
from decks.services.ledger import EARNED, MOST_CORRECTED, MOST_EARNED

MOST_ENTRIES = 20  # of one game
MOST_TASKS = 100
_INTEGER: Schema = {"type": "integer"}


def _reason(**keys: Any) -> Schema:
    return {"type": "string", "maxLength": LONGEST_REASON, **keys}


def _window(refer: Refer) -> Schema:
    """The time between two games, of which the ledger tells what may be spent."""
    described = WindowShape.describe(refer)
    told = dict(described["properties"])
    del told["available"]
    return or_null({**described, "properties": told})


def _earned(name: str, kinds: list[str], least: int) -> Schema:
    """An entry of one of these kinds."""
    return named(
        name,
        {
            "type": "object",
            "required": ["kind", "amount"],
            "properties": {
                "kind": {"type": "string", "enum": kinds},
                "amount": {"type": "integer", "minimum": least, "maximum": MOST_EARNED},
                "reason": or_null(_reason(), description="What it was for."),
            },
            "additionalProperties": False,
        },
    )


class GameShape(Shape):
    """What a scenario brought a deck."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """Every key may be left out: nothing of the kind happened."""
        victory = LedgerEntry.Kind.VICTORY.value
        others = [kind.value for kind in EARNED if kind.value != victory]
        entries = [
            _earned("VictoryExperience", [victory], 0),
            _earned("OtherExperience", others, -MOST_EARNED),
        ]
        task = {"type": "string", "minLength": 1, "maxLength": LONGEST}
        return {
            "type": "object",
            "properties": {
                "earned": or_null(
                    {
                        "type": "array",
                        "maxItems": MOST_ENTRIES,
                        "items": {"anyOf": entries},
                    },
                    description="Experience by its source; a penalty is negative.",
                ),
                "scenario": or_null(
                    {"type": "string", "maxLength": LONGEST_SCENARIO},
                    description="What was played: every entry of the game names it.",
                ),
                "cost": or_null(
                    {"type": "integer", "minimum": 0, "maximum": MOST_EARNED},
                    description=(
                        "Paid to play a side story; absent: its printed price, if "
                        "it is known and the deck isn't a standalone one."
                    ),
                ),
                "window": _window(refer),
                "tasks": or_null(
                    {"type": "array", "maxItems": MOST_TASKS, "items": task},
                    description="Codes of cards identified or translated from now on.",
                ),
                "again": or_null(
                    {"type": "boolean"},
                    description=(
                        "Another game with the deck as the last one left it, with no "
                        "upgrade in between."
                    ),
                ),
            },
            "additionalProperties": False,
        }


class CorrectionShape(Shape):
    """Experience put right."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """How much more or fewer, and why."""
        most = MOST_CORRECTED
        amounts = [
            {"type": "integer", "minimum": 1, "maximum": most},
            {"type": "integer", "minimum": -most, "maximum": -1},
        ]
        return closed(
            amount={"anyOf": amounts},
            reason=_reason(minLength=1, pattern=r"\S"),
        )


class LedgerEntryShape(Shape):
    """Experience that came or went."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """It never changes; what was wrong is corrected by another."""
        kinds = [kind.value for kind in LedgerEntry.Kind]
        return closed(
            number=NUMBER,
            kind={"type": "string", "enum": kinds},
            amount=_INTEGER,
            reason={"type": "string"},
            revision=NUMBER | {"description": "Earned with it, or spent on it."},
            author=or_null({"type": "string"}),
            made_at=MOMENT,
            balance=_INTEGER | {"description": "What there was after it."},
        )


class WishedUpgradeShape(Shape):
    """What a deck is to become."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """The whole deck, as it is to be played next."""
        told = "Circumstances; absent: as the last game left them (see GET upgrade)."
        return {
            "type": "object",
            "required": ["deck"],
            "properties": {
                "deck": {
                    "description": (
                        "The deck as it is to be. Its name, notes and tags are not "
                        "read: those change by PATCH of the deck."
                    ),
                    "allOf": [WRITTEN],
                },
                "circumstances": or_null(refer(CircumstancesShape), description=told),
                "window": _window(refer)
                | {
                    "description": (
                        "What is left out is as it was written down after the game; "
                        "pins and refused are what the player insists on."
                    )
                },
            },
            "additionalProperties": False,
        }


class AgreedUpgradeShape(Shape):
    """What a deck becomes."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """The wish, and why it is made so where the rules find something."""
        wished = WishedUpgradeShape.describe(refer)
        repair = or_null(_reason(), description="The reason, for a repair.")
        return wished | {"properties": wished["properties"] | {"repair": repair}}


class OpeningShape(Shape):
    """What an upgrade begins with."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """The deck as the last game left it, and what may be spent."""
        return closed(
            base=NUMBER | {"description": "The revision played last."},
            balance=_INTEGER,
            available=_INTEGER
            | {"description": "The balance, an upgrade not played yet given back."},
            deck={
                "description": "As the last game left it.",
                "allOf": [kept_content()],
            },
            circumstances=refer(CircumstancesShape),
            window={"type": "object", "additionalProperties": True},
        )


class PreviewShape(Shape):
    """What an upgrade would come to."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """Invoice, verdict and balance; nothing was done."""
        difference = _INTEGER | {"description": "How much more would be paid."}
        return closed(
            base=NUMBER,
            balance=_INTEGER,
            available=_INTEGER,
            left=_INTEGER | {"description": "The balance afterwards."},
            lawful={
                "type": "boolean",
                "description": "Nothing is found that is more than advice.",
            },
            invoice=refer(InvoiceShape),
            verdict=refer(VerdictShape),
            exiled=copies("Copies that the game took."),
            replaced=copies("Copies that leave to make room."),
            otherwise={
                "type": "array",
                "items": closed(pin=pin_schema(), difference=difference),
            },
            reducing={
                "type": "array",
                "items": closed(card={"type": "string"}, difference=difference),
            },
        )


class DeskShape(Shape):
    """An upgrade under way."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """Nothing of it was bought."""
        return closed(
            seen=NUMBER | {"description": "The revision it was laid out in sight of."},
            version={"type": "integer", "description": "0: as the game left it."},
            deck=kept_content(),
            circumstances=refer(CircumstancesShape),
            window={"type": "object", "additionalProperties": True},
        )
