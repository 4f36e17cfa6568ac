"""API messages of decks to be judged, circumstances and verdicts.

The API reads and writes them through ``arkham.rules.checking``; these classes describe
them in the API's schema, exactly enough to test against.
"""

from __future__ import annotations

from typing import Annotated, Any

from arkham.rest.messages import Message, MessagePart, component, like, schema
from arkham.rest.openapi import ProblemShape
from arkham.rules.checking import LONGEST_LABEL
from arkham.rules.deck import INVESTIGATOR_CYCLES
from arkham.rules.finding import Severity
from arkham.rules.notation import circumstances_json, meta
from arkham.rules.notation.circumstances_json import CYCLES_OF_LIMITED, ENVIRONMENTS
from arkham.rules.rulings import RULINGS
from arkham.rules.ultimatums import ULTIMATUMS
from arkham.rules.vocabulary import Arrival, Mode

MOST_DECKS = 1_000  # of one batch
Label = Annotated[
    Annotated[str, schema(maxLength=LONGEST_LABEL)] | float | None,
    "Returned unchanged in the answer.",
]
STATUSES = ["legal", "incomplete", "illegal"]
Status = Annotated[str, schema(enum=STATUSES)]
Code = Annotated[str, schema(maxLength=meta.LONGEST_CODE)]

# -- a deck in ArkhamDB's format --

Copies = Annotated[
    dict[
        str,
        Annotated[
            int,
            schema(maximum=meta.MOST_COPIES),
            "Copies; a number below 0 is read as none.",
        ],
    ],
    schema(maxProperties=meta.MOST_ENTRIES),
    "Copies by card code.",
    component("Copies"),
]
NoEntries = Annotated[
    tuple[str, ...],
    schema(maxItems=0),
    "An object without entries, as ArkhamDB writes it.",
    component("NoEntries"),
]
Everything = Annotated[
    Copies | NoEntries | None, "Copies by card code: everything in the deck."
]
Considered = Annotated[Copies | NoEntries | None, "The side deck; not judged."]
Uncounted = Annotated[Copies | NoEntries | None, "Copies not counted in the deck size."]


class Choices(MessagePart, component="Choices", is_open=True):
    """The player's choices for the deck.

    alternate_front, alternate_back (codes); faction_selected, faction_1, faction_2,
    option_selected, deck_size_selected (choices); cus_CODE (“line|boxes|choice,…”);
    extra_deck, attachments_CODE (“code,code”); card_pool, transform_into. Other keys
    are ignored.
    """

    alternate_front: Code | None = None
    alternate_back: Code | None = None
    faction_selected: Code | None = None
    faction_1: Code | None = None
    faction_2: Code | None = None
    option_selected: Code | None = None
    transform_into: Code | None = None
    deck_size_selected: int | Code | None = None
    extra_deck: str | None = None
    card_pool: str | None = None


ChoicesText = Annotated[
    str,
    schema(format="json-object", maxLength=meta.MOST_META),
    "JSON text of the object, as ArkhamDB keeps it; “” for none.",
]
Meta = ChoicesText | Choices | NoEntries | None
TabooId = Annotated[int | Code | None, "A taboo list's id or date."]


class ListedDeck(MessagePart, component="ListedDeck", is_open=True):
    """A deck as ArkhamDB's API gives it. Keys not listed here are ignored."""

    id: Label = None
    name: str | None = None
    investigator_code: Code
    slots: Everything
    sideSlots: Considered = None  # noqa: N815 - the name there
    ignoreDeckLimitSlots: Uncounted = None  # noqa: N815 - the name there
    meta: Meta = None
    taboo_id: TabooId = None


# -- the circumstances it is judged under --

Text = Annotated[str, schema(maxLength=circumstances_json.LONGEST)]
Amount = Annotated[int, schema(minimum=0, maximum=circumstances_json.MOST)]
Points = Annotated[int, schema(minimum=0, maximum=circumstances_json.MOST_POINTS)]
_LISTED = schema(maxItems=circumstances_json.MOST_LISTED)
Texts = Annotated[tuple[Text, ...], _LISTED]
CardCodes = Annotated[tuple[Annotated[Text, schema(format="card-code")], ...], _LISTED]


class TraumaPart(MessagePart):
    """Points of trauma, by kind."""

    physical: Points = 0
    mental: Points = 0


SharedTrauma = Annotated[
    Annotated[
        dict[str, TraumaPart], schema(maxProperties=circumstances_json.MOST_CARDS)
    ]
    | None,
    "Which trauma a card gives or heals, if the player may choose.",
]
LIMITED = "limited"
NotLimited = Annotated[
    str, schema(enum=[each for each in ENVIRONMENTS if each != LIMITED])
]


class EnvironmentAtTable(MessagePart, component="EnvironmentAtTable"):
    """A part of the card pool: its kind and date."""

    kind: NotLimited = ""
    date: Annotated[str, schema(format="date")] = ""
    cycles: Texts = ()
    packs: Texts = ()


class LimitedEnvironment(MessagePart, component="LimitedEnvironment"):
    """A part of the card pool that is made of three cycles."""

    kind: Annotated[str, schema(enum=[LIMITED])]
    date: Annotated[str, schema(format="date")] = ""
    cycles: Annotated[
        tuple[Annotated[str, schema(enum=list(INVESTIGATOR_CYCLES))], ...],
        schema(
            minItems=CYCLES_OF_LIMITED, maxItems=CYCLES_OF_LIMITED, uniqueItems=True
        ),
    ]
    packs: Texts = ()


_RULINGS = {
    ruling.id: {
        "type": "string",
        "enum": [value for value, _meaning in ruling.readings],
        "description": ruling.question,
    }
    for ruling in RULINGS.values()
}


class CircumstancesShape(Message):
    """Everything about a table that a deck list doesn't include.

    If something is left out or null, we assume the best case and say so.
    """

    mode: Mode | None = None
    taboo: Annotated[
        int | Text | None, "A taboo list's id or date, “latest” or “none”."
    ] = None
    environment: Annotated[
        NotLimited | EnvironmentAtTable | LimitedEnvironment | None,
        "The part of the card pool the table plays with.",
    ] = None
    experience: Amount | None = None
    experience_earned: Amount | None = None
    experience_carried: Amount | None = None
    arrival: Annotated[tuple[Arrival, ...], _LISTED] | None = None
    players: (
        Annotated[int, schema(minimum=1, maximum=circumstances_json.MOST_PLAYERS)]
        | None
    ) = None
    trauma: SharedTrauma = None
    ultimatums: (
        Annotated[tuple[Annotated[str, schema(enum=list(ULTIMATUMS))], ...], _LISTED]
        | None
    ) = None
    tasks: Texts | None = None
    story_cards: Texts | None = None
    campaign_cards: CardCodes | None = None
    lost_cards: Annotated[CardCodes | None, "Codes of cards, each once a copy."] = None
    given_signatures: CardCodes | None = None
    banned_titles: (
        Annotated[tuple[Annotated[Text, schema(format="card-title")], ...], _LISTED]
        | None
    ) = None
    owned: dict[str, Amount] | None = None
    rulings: (
        Annotated[
            dict[str, str], schema(properties=_RULINGS, additionalProperties=False)
        ]
        | None
    ) = None


class JudgedDeck(ListedDeck, component="JudgedDeck"):
    """A deck as ArkhamDB's API gives it. Keys not listed here are ignored."""

    circumstances: CircumstancesShape | None = None


class DeckWithCircumstances(MessagePart, component="DeckWithCircumstances"):
    """A deck, and the circumstances it is judged under."""

    deck: ListedDeck
    circumstances: CircumstancesShape | None = None
    id: Label = None


class DeckShape(Message, of=JudgedDeck | DeckWithCircumstances):
    """A deck, or a deck and its circumstances."""


# -- findings and verdicts --


class FindingShape(Message):
    """One thing that is wrong, unfinished or worth knowing."""

    rule: Annotated[str, "The rule's permanent id."]
    severity: Annotated[str, schema(enum=[each.word for each in Severity])]
    message: str
    cards: Annotated[list[str], "Codes, as the deck lists them."]
    actual: int | str | None
    expected: int | str | None
    remedy: Annotated[str, "How to correct it; “” if there is no way."]
    cites: Annotated[list[str], "Where the rule is printed."]


Findings = Annotated[list[Any], like(list[FindingShape])]  # as they are stored


class SharePart(MessagePart):
    """The number of copies that an option allows."""

    option: str
    copies: int


class VerdictShape(Message):
    """The verdict on a deck, in the same format as from the command line."""

    id: Label
    status: Status
    legal: Annotated[bool, "No finding is illegal."]
    complete: Annotated[bool, "No finding is incomplete."]
    deck_size: int
    experience_required: int
    findings: list[FindingShape]
    assignment: Annotated[
        dict[str, list[SharePart]], "By card code, the options that allow its copies."
    ]
    rules_version: str
    pool_version: str
    taboo_id: int | None


class RefusedShape(Message):
    """The answer for a deck that could not be read.

    Its problem has pointers into the body (of JSON lines, into the line).
    """

    id: Label
    problem: ProblemShape


class BatchShape(
    Message, of=Annotated[tuple[DeckShape, ...], schema(maxItems=MOST_DECKS)]
):
    """An item that isn't a deck has a problem in its place."""


class BatchLinesShape(
    Message,
    of=Annotated[
        Any,
        f"Up to {MOST_DECKS:,} decks, one per line, as JSON. A line that isn’t a deck "
        "is answered by a problem in its place.",
    ],
):
    """Lines of JSON; any text is accepted, and answered line by line."""


class BatchAnswerShape(Message, of=list[VerdictShape | RefusedShape]):
    """A verdict for each deck, in order; or its problem, if it could not be read."""
