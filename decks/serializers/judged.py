"""How decks to be judged, circumstances and verdicts are described to programs.

The API reads and writes them through ``arkham.rules.checking``; what stands here is
its description in the API's schema, exact enough to be tested against.
"""

from __future__ import annotations

from typing import Annotated, Any

from arkham.rest.messages import Message, MessagePart, like, schema
from arkham.rest.openapi import PROBLEM_SCHEMA
from arkham.rest.shapes import Refer, Schema, Shape, closed, named, or_null
from arkham.rules.checking import LONGEST_LABEL
from arkham.rules.deck import INVESTIGATOR_CYCLES
from arkham.rules.finding import Severity
from arkham.rules.notation import circumstances_json, meta
from arkham.rules.rulings import RULINGS
from arkham.rules.ultimatums import ULTIMATUMS
from arkham.rules.vocabulary import Arrival, Mode

MOST_DECKS = 1_000  # of one batch
Label = Annotated[
    Annotated[str, schema(maxLength=LONGEST_LABEL)] | float | None,
    "Echoed in the answer.",
]
STATUSES = ["legal", "incomplete", "illegal"]
Status = Annotated[str, schema(enum=STATUSES)]
COPIES = named(
    "Copies",
    {
        "type": "object",
        "description": "Copies by card code.",
        "maxProperties": meta.MOST_ENTRIES,
        "additionalProperties": {
            "type": "integer",
            "maximum": meta.MOST_COPIES,
            "description": "Copies; a number below 0 is read as none.",
        },
    },
)
NO_ENTRIES = named(
    "NoEntries",
    {
        "type": "array",
        "description": "An object without entries, as ArkhamDB writes it.",
        "maxItems": 0,
        "items": {"type": "string"},
    },
)


def entries(description: str) -> Schema:
    """Copies by card code as ArkhamDB has them, or null."""
    return or_null(COPIES, NO_ENTRIES, description=description)


CODE = {"type": "string", "maxLength": meta.LONGEST_CODE}
LABEL = or_null(
    {"type": "string", "maxLength": LONGEST_LABEL},
    {"type": "number"},
    description="Echoed in the answer.",
)
_META = or_null(
    {
        "type": "string",
        "format": "json-object",
        "maxLength": meta.MOST_META,
        "description": "JSON text of the object, as ArkhamDB keeps it; “” for none.",
    },
    named(
        "Choices",
        {
            "type": "object",
            "description": (
                "alternate_front, alternate_back (codes); faction_selected, faction_1, "
                "faction_2, option_selected, deck_size_selected (choices); cus_CODE "
                "(“line|boxes|choice,…”); extra_deck, attachments_CODE (“code,code”); "
                "card_pool, transform_into. Other keys are passed over."
            ),
            "properties": {
                key: or_null(CODE)
                for key in (
                    "alternate_front",
                    "alternate_back",
                    "faction_selected",
                    "faction_1",
                    "faction_2",
                    "option_selected",
                    "transform_into",
                )
            }
            | {
                "deck_size_selected": or_null(CODE, {"type": "integer"}),
                "extra_deck": or_null({"type": "string"}),
                "card_pool": or_null({"type": "string"}),
            },
            "additionalProperties": True,
        },
    ),
    NO_ENTRIES,
)
DECK_PROPERTIES: Schema = {
    "id": LABEL,
    "name": or_null({"type": "string"}),
    "investigator_code": CODE,
    "slots": entries("Copies by card code: everything in the deck."),
    "sideSlots": entries("Cards under consideration; not judged."),
    "ignoreDeckLimitSlots": entries("Copies that do not count."),
    "meta": _META,
    "taboo_id": or_null(
        {"type": "integer"}, CODE, description="A taboo list's id or date."
    ),
}
_DECK: Schema = {
    "type": "object",
    "description": (
        "A deck as ArkhamDB's API gives it. Keys not listed here are passed over."
    ),
    "required": ["investigator_code", "slots"],
    "additionalProperties": True,
}


def listed_deck(name: str, properties: Schema, description: str = "") -> Schema:
    """A deck as ArkhamDB's API gives it, with these properties, as a component."""
    described = {"description": description} if description else {}
    return named(name, {**_DECK, **described, "properties": properties})


DECK = listed_deck("ListedDeck", DECK_PROPERTIES)


class DeckShape(Shape):
    """A deck, or a deck and its circumstances."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """Either the deck itself, or an object that holds it."""
        terms = or_null(refer(CircumstancesShape))
        flat = listed_deck("JudgedDeck", DECK_PROPERTIES | {"circumstances": terms})
        held = named(
            "DeckWithCircumstances",
            {
                "type": "object",
                "required": ["deck"],
                "properties": {"deck": DECK, "circumstances": terms, "id": LABEL},
                "additionalProperties": False,
            },
        )
        return {"anyOf": [flat, held]}


def shared_trauma() -> Schema:
    """Points by code of a card that leaves it to the player which trauma it is."""
    points = {
        "type": "integer",
        "minimum": 0,
        "maximum": circumstances_json.MOST_POINTS,
    }
    return or_null(
        {
            "type": "object",
            "maxProperties": circumstances_json.MOST_CARDS,
            "additionalProperties": {
                "type": "object",
                "properties": dict.fromkeys(circumstances_json.KINDS, points),
                "additionalProperties": False,
            },
        },
        description="Which trauma a card gives or heals where the player chooses.",
    )


class CircumstancesShape(Shape):
    """Everything about a table that a deck does not say."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """Every key may be left out or null: it is then assumed, and reported."""
        number = or_null(
            {"type": "integer", "minimum": 0, "maximum": circumstances_json.MOST}
        )
        listed = or_null(_strings())
        known = or_null(_strings(items=_text_of("card-code")))
        properties: Schema = {
            "mode": or_null({"type": "string", "enum": [mode.value for mode in Mode]}),
            "taboo": or_null(
                {"type": "integer"},
                {"type": "string", "maxLength": circumstances_json.LONGEST},
                description="A taboo list's id or date, “latest” or “none”.",
            ),
            "environment": _environment(),
            "experience": number,
            "experience_earned": number,
            "experience_carried": number,
            "arrival": or_null(
                _strings(
                    items={"type": "string", "enum": [each.value for each in Arrival]}
                )
            ),
            "players": or_null(
                {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": circumstances_json.MOST_PLAYERS,
                }
            ),
            "trauma": shared_trauma(),
            "ultimatums": or_null(
                _strings(items={"type": "string", "enum": list(ULTIMATUMS)})
            ),
            "tasks": listed,
            "story_cards": listed,
            "lost_cards": or_null(
                _strings(items=_text_of("card-code")),
                description="Codes of cards, each once a copy.",
            ),
            "given_signatures": known,
            "banned_titles": or_null(_strings(items=_text_of("card-title"))),
            "owned": or_null(
                {
                    "type": "object",
                    "additionalProperties": {
                        "type": "integer",
                        "minimum": 0,
                        "maximum": circumstances_json.MOST,
                    },
                }
            ),
            "rulings": or_null(
                {
                    "type": "object",
                    "properties": {
                        ruling.id: {
                            "type": "string",
                            "enum": [value for value, _meaning in ruling.readings],
                            "description": ruling.question,
                        }
                        for ruling in RULINGS.values()
                    },
                    "additionalProperties": False,
                }
            ),
        }
        return {
            "type": "object",
            "description": (
                "Everything about a table that a deck does not say. What is left out "
                "or null is assumed in the player's favour, and said."
            ),
            "properties": properties,
            "additionalProperties": False,
        }


def _text_of(form: str) -> Schema:
    """A text that must be a code, or a title, some card has."""
    text = {"type": "string", "maxLength": circumstances_json.LONGEST}
    return {**text, "format": form}


def _strings(items: Schema | None = None, **keys: Any) -> Schema:
    text = {"type": "string", "maxLength": circumstances_json.LONGEST}
    return {
        "type": "array",
        "maxItems": circumstances_json.MOST_LISTED,
        "items": items or text,
        **keys,
    }


def _environment() -> Schema:
    limited, others = "limited", ["legacy", "current", "products"]
    terms = {
        "date": {"type": "string", "format": "date"},
        "cycles": _strings(),
        "packs": _strings(),
    }
    return or_null(
        {"type": "string", "enum": others},
        named(
            "EnvironmentAtTable",
            {
                "type": "object",
                "properties": {"kind": {"type": "string", "enum": others}, **terms},
                "additionalProperties": False,
            },
        ),
        named(
            "LimitedEnvironment",
            {
                "type": "object",
                "required": ["kind", "cycles"],
                "properties": {
                    "kind": {"type": "string", "enum": [limited]},
                    **terms,
                    "cycles": _strings(
                        items={"type": "string", "enum": list(INVESTIGATOR_CYCLES)},
                        minItems=3,
                        maxItems=3,
                        uniqueItems=True,
                    ),
                },
                "additionalProperties": False,
            },
        ),
        description="The part of the card pool the table plays with.",
    )


class FindingShape(Message):
    """One thing that is wrong, unfinished or worth knowing."""

    rule: Annotated[str, "The rule's permanent id."]
    severity: Annotated[str, schema(enum=[each.word for each in Severity])]
    message: str
    cards: Annotated[list[str], "Codes, as the deck lists them."]
    actual: int | str | None
    expected: int | str | None
    remedy: Annotated[str, "The way out, “” if none."]
    cites: Annotated[list[str], "Where the rule is printed."]


Findings = Annotated[list[Any], like(list[FindingShape])]  # as they are stored


class SharePart(MessagePart):
    """How many copies an option admits."""

    option: str
    copies: int


class VerdictShape(Message):
    """What the judge says about a deck: the same object that the shell answers with."""

    id: Label
    status: Status
    legal: Annotated[bool, "No finding is illegal."]
    complete: Annotated[bool, "No finding is incomplete."]
    deck_size: int
    experience_required: int
    findings: list[FindingShape]
    assignment: Annotated[
        dict[str, list[SharePart]], "For each code, what admits its copies."
    ]
    rules_version: str
    pool_version: str
    taboo_id: int | None


class BatchShape(Shape):
    """Up to 1,000 decks."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """An item that is no deck is answered by a problem in its place."""
        return {
            "type": "array",
            "description": "An item that is no deck has a problem in its place.",
            "maxItems": MOST_DECKS,
            "items": refer(DeckShape),
        }


class BatchLinesShape(Shape):
    """Up to 1,000 decks, one a line."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """Lines of JSON; any text is taken, and answered line by line."""
        return {
            "description": (
                "One deck a line, as JSON. A line that is none is answered by a "
                "problem in its place."
            )
        }


class BatchAnswerShape(Shape):
    """A verdict for each deck, in order."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """Or, in the place of a deck that could not be read, its problem."""
        return {
            "type": "array",
            "items": {"anyOf": [refer(VerdictShape), refer(RefusedShape)]},
        }


class RefusedShape(Shape):
    """The place of a deck that could not be read."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """Its problem, with pointers into the body (of JSON lines, into the line)."""
        return closed(id=LABEL, problem=named("Problem", PROBLEM_SCHEMA))
