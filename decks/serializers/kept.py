"""How the decks one has are described to programs."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any

from arkham.accounts.models import User
from arkham.rest.messages import Message, MessagePart, Number, like, schema, source
from arkham.rest.shapes import NAME, Refer, Schema, Shape, closed, named, or_null
from arkham.rules.notation.meta import MOST_COPIES
from decks.lists.content import MOST_CARDS
from decks.models import LONGEST_NAME, LONGEST_NOTES, LONGEST_TAGS, Cause
from decks.serializers.judged import (
    DECK_PROPERTIES,
    NO_ENTRIES,
    CircumstancesShape,
    entries,
    listed_deck,
)
from decks.serializers.priced import InvoiceShape
from decks.services.sharing import VISIBILITIES, visibility_of

NUMBER: Schema = {"type": "integer", "minimum": 1}
ADDRESS: Schema = {"type": "string", "format": "uri"}
MOMENT: Schema = {"type": "string", "format": "date-time"}
_WHOLE = {
    key: DECK_PROPERTIES[key] | {"maxProperties": MOST_CARDS}
    for key in ("slots", "sideSlots", "ignoreDeckLimitSlots")
}
_BESIDE = {
    "name": or_null({"type": "string", "maxLength": LONGEST_NAME}),
    "description_md": or_null(
        {"type": "string", "maxLength": LONGEST_NOTES, "description": "Markdown."}
    ),
    "tags": or_null({"type": "string", "maxLength": LONGEST_TAGS}),
}
# What a list has of the life of its deck is kept if it is of its type.
_LIFE: dict[str, Schema] = {
    "xp": {"type": "integer"},
    "xp_adjustment": {"type": "integer"},
    "exile_string": {"type": "string"},
}
_UNTYPED_LIFE: Schema = {
    key: {"description": f"Kept if it is of type {kept['type']}."}
    for key, kept in _LIFE.items()
}
_VISIBILITY: Schema = {
    "type": "string",
    "enum": list(VISIBILITIES),
    "description": "private: only you; link: whoever has it; published: everybody.",
}
_SHOWN: dict[str, Schema] = {
    "visibility": _VISIBILITY,
    "page": or_null(ADDRESS, description="Where others see it; null if it is private."),
    "decklist": or_null(
        NUMBER,
        description="Its number among the published decks, as /decklist/{number} of "
        "the public API takes it; null if it is not published.",
    ),
    "link": or_null(
        ADDRESS, description="Its private link, published or not; null without one."
    ),
    "link_number": or_null(
        NUMBER | {"format": "int64"},
        description="The number of that link, as /deck/{number} of the public API "
        "takes it.",
    ),
    "shown_revision": or_null(NUMBER, description="What they see of it."),
}
_SOURCE: Schema = closed(
    name={"type": "string"},
    author={"type": "string"},
    page=ADDRESS,
    withdrawn={"type": "boolean"},
    copied_at=MOMENT,
) | {
    "nullable": True,
    "description": "The deck of somebody that it was copied from, as it was then.",
}
WRITTEN: Schema = listed_deck(
    "WrittenList",
    DECK_PROPERTIES | _BESIDE | _WHOLE | _UNTYPED_LIFE,
    "A deck as ArkhamDB's API gives it. Keys not listed here are passed over. Without "
    "a name it has none. No text in it holds a NUL, and the whole has at most 60,000 "
    "characters.",
)

# What an upgrade reads of a list: nothing beside the cards and their choices.
WISHED: Schema = listed_deck(
    "WishedList",
    DECK_PROPERTIES | _WHOLE | _UNTYPED_LIFE,
    "A deck as ArkhamDB's API gives it. Keys not listed here are passed over. The "
    "whole has at most 60,000 characters.",
)


class WrittenDeckShape(Shape):
    """A deck to be kept, and its circumstances."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """The object that holds both; a deck by itself is understood as well."""
        return {
            "type": "object",
            "required": ["deck"],
            "properties": {
                "deck": WRITTEN,
                "circumstances": or_null(refer(CircumstancesShape)),
            },
            "additionalProperties": False,
        }


class DeckChangesShape(Shape):
    """What to change of a deck: a JSON merge patch."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """Values given replace those there are, null removes, the rest stays."""
        copies: Schema = or_null(
            {"type": "integer", "maximum": MOST_COPIES},
            description="How many there are then; null, 0 or fewer: none.",
        )
        cards = named(
            "CopiesChanges", {"type": "object", "additionalProperties": copies}
        )
        return {
            "type": "object",
            "description": (
                "A JSON merge patch (RFC 7396) of the deck as it is answered: values "
                "given replace those there are, null removes, the rest stays."
            ),
            "properties": {
                "deck": {
                    "type": "object",
                    "description": "Keys not listed here are passed over.",
                    "properties": {
                        "id": DECK_PROPERTIES["id"],
                        **_BESIDE,
                        **_UNTYPED_LIFE,
                        "investigator_code": DECK_PROPERTIES["investigator_code"],
                        "slots": {"anyOf": [cards, NO_ENTRIES]},
                        "sideSlots": or_null(cards, NO_ENTRIES),
                        "ignoreDeckLimitSlots": or_null(cards, NO_ENTRIES),
                        "meta": DECK_PROPERTIES["meta"],
                        "taboo_id": DECK_PROPERTIES["taboo_id"],
                    },
                    "additionalProperties": True,
                },
                "circumstances": or_null(
                    _removable(CircumstancesShape.describe(refer))
                ),
            },
            "additionalProperties": False,
        }


def _removable(schema: Schema) -> Schema:
    """The schema of what a merge patch may say: null for all that may be absent."""
    patch = dict(schema)
    if NAME in schema:
        patch[NAME] = f"{schema[NAME]}Changes"
    if "anyOf" in schema:
        patch["anyOf"] = [_removable(each) for each in schema["anyOf"]]
    if "properties" in schema:
        needed = schema.get("required", ())
        patch["properties"] = {
            key: _removable(each) if key in needed else or_null(_removable(each))
            for key, each in schema["properties"].items()
        }
    others = schema.get("additionalProperties")
    if isinstance(others, dict):
        patch["additionalProperties"] = or_null(_removable(others))
    return patch


def kept_content() -> Schema:
    """A deck's content as it is answered."""
    copies = entries("Copies by card code, none of them 0.") | {"nullable": False}
    deck = closed(
        investigator_code=DECK_PROPERTIES["investigator_code"],
        slots=copies,
        sideSlots=copies,
        ignoreDeckLimitSlots=copies,
        meta={"type": "object", "additionalProperties": True},
        taboo_id=DECK_PROPERTIES["taboo_id"],
    )
    deck["properties"] |= _LIFE
    return named("KeptList", deck)


def named_content() -> Schema:
    """The same with its name, notes and tags."""
    deck = kept_content()
    deck["required"] = [*_BESIDE, *deck["required"]]
    texts = {key: {"type": "string"} for key in _BESIDE}
    deck["properties"] = texts | deck["properties"]
    return named("NamedList", deck)


class KeptDeckShape(Shape):
    """A deck one has, as it is now."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """What PUT takes, and what the server knows beside it."""
        return closed(
            id=NUMBER,
            revision=NUMBER,
            made_at=MOMENT,
            changed_at=MOMENT,
            is_played={
                "type": "boolean",
                "description": "It was played: it changes by upgrades alone.",
            },
            played_at=or_null(
                MOMENT,
                description="When the latest revision was played; null: not yet.",
            ),
            balance={
                "type": "integer",
                "description": "Experience to spend: the sum of the ledger.",
            },
            **_SHOWN,
            source=_SOURCE,
            deck=named_content(),
            circumstances=refer(CircumstancesShape),
        )


class DeckSummaryShape(Message):
    """A deck in a list, by what it is recognised."""

    id: Annotated[Number, source("deck.pk")]
    name: Annotated[str, source("deck.name")]
    investigator_code: Annotated[
        str,
        schema(DECK_PROPERTIES["investigator_code"]),
        source(lambda revision: revision.list["investigator_code"]),
    ]
    revision: Annotated[Number, source("number")]
    made_at: Annotated[datetime, source("deck.made_at")]
    changed_at: Annotated[datetime, source("deck.changed_at")]
    visibility: Annotated[
        str,
        schema(_VISIBILITY),
        source(lambda revision: visibility_of(revision.deck)),
    ]


class VisibilityShape(Message):
    """Who is to see a deck: one of three."""

    visibility: Annotated[str, schema(_VISIBILITY)]


class RevisionPart(MessagePart):
    """What marks a revision among the others: its number, and why it exists."""

    number: Number
    made_at: datetime
    made_by: Annotated[
        str | None,
        source(lambda revision: account_of(revision.made_by)),
        "The account that made it.",
    ]
    cause: Annotated[str, schema(enum=[each.value for each in Cause])]
    reason: Annotated[str, "Why it was repaired."]
    restores: Annotated[
        Number | None, "The earlier revision that this one brought back."
    ]
    base: Annotated[Number | None, "The played revision that it was upgraded from."]
    played_at: datetime | None
    scenario: Annotated[str, "What was played with it."]
    experience_spent: Annotated[
        int | None,
        source(lambda revision: (revision.invoice or {}).get("experience_spent")),
        "null: nothing was to be paid.",
    ]


class RevisionSummaryShape(RevisionPart, Message):
    """A revision in a list."""


class RevisionShape(RevisionPart, Message):
    """A deck as it stood once; it never changes."""

    deck: Annotated[Any, schema(kept_content())]
    circumstances: Annotated[Any, like(CircumstancesShape)]
    window: Annotated[
        Mapping[str, Any], "The time between two games as an upgrade used it."
    ]
    invoice: Annotated[Any, like(InvoiceShape | None)]
    aftermath: Annotated[
        Mapping[str, Any], "What the game played with it left to be known."
    ]


def account_of(user: User | None) -> str | None:
    """The name of an account; null for none."""
    return user.get_username() if user else None


class DifferencePart(MessagePart):
    """Something on which two revisions differ."""

    pointer: Annotated[str, "JSON pointer to it in a revision."]
    what: Annotated[str, "Its name."]
    before: Annotated[Any, schema(nullable=True), "null: nothing."]
    after: Annotated[Any, schema(nullable=True), "null: nothing."]


class PaidPart(MessagePart):
    """What an upgrade cost."""

    revision: Number
    experience_spent: int


class ComparisonShape(Message):
    """On what two revisions of a deck differ.

    Cards first, then choices and circumstances.
    """

    before: Number
    after: Number
    differences: list[DifferencePart]
    added: Annotated[
        dict[str, int], "Copies that came in, by the card’s first printing."
    ]
    removed: Annotated[dict[str, int], "Copies that left, those exiled not counted."]
    exiled: Annotated[dict[str, int], "Copies exiled in the games between."]
    paid: Annotated[list[PaidPart], "The upgrades between."]
    experience_spent: int
