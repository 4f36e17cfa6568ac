"""The API's messages about a campaign's current question."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from arkham.rest.messages import Data, Message, MessagePart, Number
from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.run import Problem


class OfferPart(MessagePart):
    """An option and its number."""

    number: int
    id: str
    hidden: Annotated[
        bool, "Only other steps lead there; refused unless every offer is hidden."
    ]


class WorthPart(MessagePart):
    """A card that can be expected in the victory display."""

    code: str
    points: int
    copies: int | None


class QueryPart(MessagePart):
    """A kind of other cards that you can name."""

    codes: list[str]
    source: str
    traits: list[str]
    types: list[str]
    unique: bool
    vengeance: bool
    no_story: bool
    excluded: list[str]


class PricePart(MessagePart):
    """The experience paid for a choice."""

    choice: str
    experience: int
    pool: str


class PendingShape(Message):
    """The current question, and who it is for.

    The answer has this ``scenario``, ``step`` and ``kind``.
    """

    scenario: str
    step: str
    kind: str
    prompt: str
    codes: list[str]
    offers: list[OfferPart]
    by_code: Annotated[
        list[list[str | list[str]]], "The ids offered to each investigator."
    ]
    keys: list[str]
    others: bool
    least: int | None
    most: int | None
    each: bool
    traits: list[str]
    many: Annotated[Number, "How many things each investigator names."]
    once: Annotated[list[str], "What only one investigator may choose."]
    limits: Annotated[
        list[list[str | int | None]],
        "Limits of single ones: which (CODE, CODE.damage …), the least, the most.",
    ]
    costs: Annotated[
        list[list[str | int | bool]],
        "A supply, its points, and whether it can be packed more than once.",
    ]
    worth: Annotated[
        list[WorthPart],
        "Cards that can be expected in the victory display: their points, and how many "
        "there are, if known. The answer has copies by code, another “total” with its "
        "“reason”; or it is a “count”.",
    ]
    now: Annotated[int | None, "The number so far, if the answer is added to it."]
    queries: Annotated[
        list[QueryPart],
        "Other cards that you can name: one of “codes”, or a card of “source” (a "
        "deck, the scenario) with one of these traits and types.",
    ]
    spends: Annotated[bool, "Whether you can spend experience at this question."]
    prices: Annotated[
        list[PricePart],
        "Experience that an investigator pays for a choice, or for each thing they "
        "name (“choice” is empty). The pool pays first.",
    ]
    random: Annotated[bool, "Whether the guide leaves the choice to chance."]


class LogProblemShape(Message):
    """A problem of the log: its place, and what was found."""

    rule: str
    scenario: str
    step: str
    found: str
    sequence: int


class JourneyPart(MessagePart):
    """A journey on the map, as it is sent: the value of an entry `start_scenario`."""

    previous: str
    destination: str
    departure: str
    time: Number
    next_scenario: Annotated[str, "The scenario of that entry."]
    fast: Annotated[bool, "Whether it uses up the card that makes it take 1."]
    transit: Annotated[bool, "Whether they pass through without playing there."]


def pending_data(pending: Pending | None) -> Data | None:
    """Return the current question; None if there is none."""
    return None if pending is None else PendingShape.data(pending)


def problems_data(problems: Iterable[Problem]) -> list[Data]:
    """Return the problems found while folding."""
    return [LogProblemShape.data(each) for each in problems]
