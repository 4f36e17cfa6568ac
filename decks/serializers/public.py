"""How decks and decklists of the public API are described to programs."""

from __future__ import annotations

from arkham.rest.openapi import named
from decks.serializers.judged import NO_ENTRIES, Refer, Schema, Shape, closed

_TEXT: Schema = {"type": "string"}
_NUMBER_OR_NULL: Schema = {"type": "integer", "nullable": True}
_TEXT_OR_NULL: Schema = {"type": "string", "nullable": True}
_MOMENT: Schema = {"type": "string", "format": "date-time"}
_COPIES: Schema = {
    "anyOf": [
        named(
            "PublicCopies",
            {"type": "object", "additionalProperties": {"type": "integer"}},
        ),
        NO_ENTRIES,
    ],
    "description": "Copies by card code; [] for none.",
}


def _list() -> dict[str, Schema]:
    return {
        "id": {"type": "integer", "format": "int64"},
        "name": _TEXT,
        "date_creation": _MOMENT,
        "date_update": _MOMENT,
        "description_md": _TEXT,
        "user_id": _NUMBER_OR_NULL,
        "investigator_code": _TEXT,
        "investigator_name": _TEXT_OR_NULL,
        "slots": _COPIES,
        "sideSlots": _COPIES,
        "ignoreDeckLimitSlots": {
            "type": "object",
            "additionalProperties": {"type": "integer"},
            "nullable": True,
        },
        "version": _TEXT,
        "xp": _NUMBER_OR_NULL,
        "xp_spent": _NUMBER_OR_NULL,
        "xp_adjustment": {"type": "integer"},
        "exile_string": _TEXT_OR_NULL,
        "taboo_id": _NUMBER_OR_NULL,
        "meta": _TEXT | {"description": "JSON in a string."},
        "tags": _TEXT,
        "previous_deck": _NUMBER_OR_NULL,
        "next_deck": _NUMBER_OR_NULL,
    }


class PublicDecklistShape(Shape):
    """A published deck, as ArkhamDB tells one."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """Its keys in the order in which they are sent."""
        return closed(**_list())


class PublicDeckShape(Shape):
    """Somebody's deck, as ArkhamDB tells one."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """As a decklist, and what is wrong with it."""
        return closed(**_list(), problem=_TEXT_OR_NULL)
