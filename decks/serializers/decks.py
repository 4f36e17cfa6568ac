"""API messages of the decks of an account."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from typing import Annotated, Any

from arkham.accounts.models import User
from arkham.rest.messages import (
    NAME,
    Address,
    Message,
    MessagePart,
    Number,
    Refer,
    Schema,
    component,
    like,
    or_null,
    schema,
    source,
)
from arkham.rules.notation.meta import MOST_COPIES
from decks.lists.content import MOST_CARDS, MOST_CHARACTERS
from decks.models import LONGEST_NAME, LONGEST_NOTES, LONGEST_TAGS, Cause
from decks.serializers.judged import (
    CircumstancesShape,
    Code,
    Considered,
    Copies,
    Everything,
    Label,
    ListedDeck,
    Meta,
    NoEntries,
    TabooId,
    Uncounted,
)
from decks.serializers.priced import InvoiceShape
from decks.services.beginning import to_spend
from decks.services.ledger import is_played
from decks.services.sharing import VISIBILITIES, visibility_of

Visibility = Annotated[
    str,
    schema(enum=list(VISIBILITIES)),
    "private: only you; link: anyone who has it; published: everyone.",
]

# -- requests --


class LabelsPart(MessagePart):
    """The name, notes and tags of a deck."""

    name: Annotated[str, schema(maxLength=LONGEST_NAME)] | None = None
    description_md: Annotated[
        Annotated[str, schema(maxLength=LONGEST_NOTES)] | None, "Notes, in Markdown."
    ] = None
    tags: Annotated[str, schema(maxLength=LONGEST_TAGS)] | None = None


class SentLife(MessagePart):
    """A list's keys about its deck's history: kept if they have the right type."""

    xp: Annotated[Any, "Kept if it is of type integer."] = None
    xp_adjustment: Annotated[Any, "Kept if it is of type integer."] = None
    exile_string: Annotated[Any, "Kept if it is of type string."] = None


_WHOLE = schema(maxProperties=MOST_CARDS)
MOST_OF_IT = f"The whole has at most {MOST_CHARACTERS:,} characters."


class WholeDeck(ListedDeck):
    """A deck with few enough cards to be stored."""

    slots: Annotated[Everything, _WHOLE]
    sideSlots: Annotated[Considered, _WHOLE] = None  # noqa: N815 - the name there
    ignoreDeckLimitSlots: Annotated[Uncounted, _WHOLE] = None  # noqa: N815


class WrittenList(SentLife, LabelsPart, WholeDeck, component="WrittenList"):
    """A deck as ArkhamDB's API gives it. Keys not listed here are ignored.

    The name may be missing. No text may contain NUL.
    """


# An upgrade reads nothing of a list except the cards and their choices.
class WishedList(SentLife, WholeDeck, component="WishedList"):
    """A deck as ArkhamDB's API gives it. Keys not listed here are ignored."""


class WrittenDeckShape(Message):
    """A deck to be saved, and its circumstances."""

    deck: Annotated[WrittenList, MOST_OF_IT]
    circumstances: CircumstancesShape | None = None


CopiesChanges = Annotated[
    dict[
        str,
        Annotated[
            Annotated[int, schema(maximum=MOST_COPIES)] | None,
            "The number of copies afterwards; null, 0 or fewer: none.",
        ],
    ],
    component("CopiesChanges"),
]
CardChanges = CopiesChanges | NoEntries | None


class ListChanges(SentLife, LabelsPart, is_open=True):
    """Keys not listed here are ignored."""

    id: Label = None
    investigator_code: Code = ""
    slots: CopiesChanges | NoEntries = field(default_factory=dict)
    sideSlots: CardChanges = None  # noqa: N815 - the name there
    ignoreDeckLimitSlots: CardChanges = None  # noqa: N815 - the name there
    meta: Meta = None
    taboo_id: TabooId = None


class CircumstancesChanges(MessagePart):
    """Changes of circumstances: null removes what may be absent."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """Return the schema of circumstances, with null allowed."""
        return _removable(CircumstancesShape.describe(refer))


def _removable(schema: Schema) -> Schema:
    """Return the schema of a merge patch: null for everything that may be absent."""
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


class DeckChangesShape(Message):
    """A JSON merge patch (RFC 7396) of the deck as it is answered.

    Given values replace the old ones, null removes, the rest stays.
    """

    deck: Annotated[Any, like(ListChanges)] = None
    circumstances: CircumstancesChanges | None = None


# -- answers --

CopiesHeld = Annotated[Copies | NoEntries, "Copies by card code, none of them 0."]


class KeptList(MessagePart, component="KeptList"):
    """A deck's content in answers."""

    investigator_code: Code
    slots: CopiesHeld
    sideSlots: CopiesHeld  # noqa: N815 - the name there
    ignoreDeckLimitSlots: CopiesHeld  # noqa: N815 - the name there
    meta: Mapping[str, Any]
    taboo_id: TabooId
    xp: int = 0
    xp_adjustment: int = 0
    exile_string: str = ""


class NamesPart(MessagePart):
    """The name, notes and tags of a deck in answers."""

    name: str
    description_md: str
    tags: str


class NamedList(KeptList, NamesPart, component="NamedList"):
    """A deck's content in answers, with its name, notes and tags."""


class SourcePart(MessagePart):
    """The deck that a deck was copied from, as it was then."""

    name: str
    author: str
    page: Address
    withdrawn: Annotated[bool, source(lambda copied: not copied.is_shown)]
    copied_at: datetime


class KeptDeckShape(Message):
    """A deck of yours: what PUT takes, and what else is known."""

    id: Annotated[Number, source("deck.pk")]
    revision: Annotated[Number, source("number")]
    made_at: Annotated[datetime, source("deck.made_at")]
    changed_at: Annotated[datetime, source("deck.changed_at")]
    is_played: Annotated[
        bool, source(is_played), "It was played: only upgrades change it."
    ]
    played_at: Annotated[
        datetime | None, "When the latest revision was played; null: not yet."
    ]
    balance: Annotated[
        int, source(to_spend), "Experience to spend: the sum of the ledger."
    ]
    visibility: Annotated[
        Visibility, source(lambda revision: visibility_of(revision.deck))
    ]
    page: Annotated[Address | None, "Where others see it; null if it is private."]
    decklist: Annotated[
        Number | None,
        "Its number among the published decks, as /decklist/{number} of the public API "
        "takes it; null if it is not published.",
    ]
    link: Annotated[
        Address | None, "Its private link, published or not; null without one."
    ]
    link_number: Annotated[
        Annotated[Number, schema(format="int64")] | None,
        "The number of that link, as /deck/{number} of the public API takes it.",
    ]
    shown_revision: Annotated[Number | None, "The revision that others see."]
    shows_history: Annotated[
        bool, "Whether it is published with the versions it grew from."
    ]
    source: Annotated[
        SourcePart | None, "The deck that it was copied from, as it was then."
    ]
    deck: Annotated[Any, like(NamedList)]
    circumstances: Annotated[Any, like(CircumstancesShape)]


class DeckSummaryShape(Message):
    """A deck in a list, with what identifies it."""

    id: Annotated[Number, source("deck.pk")]
    name: Annotated[str, source("deck.name")]
    investigator_code: Annotated[
        Code, source(lambda revision: revision.list["investigator_code"])
    ]
    revision: Annotated[Number, source("number")]
    made_at: Annotated[datetime, source("deck.made_at")]
    changed_at: Annotated[datetime, source("deck.changed_at")]
    visibility: Annotated[
        Visibility, source(lambda revision: visibility_of(revision.deck))
    ]
    folder: Annotated[
        Number | None, source("deck.folder_id"), "The id of its folder; null: in none."
    ]
    archived: Annotated[
        bool, source(lambda revision: revision.deck.archived_at is not None)
    ]


class VisibilityShape(Message):
    """The visibility of a deck."""

    visibility: Visibility
    history: Annotated[
        bool | None,
        "Of a published deck: whether others see the versions it grew from, with "
        "experience and exiled cards. If left out, this stays as it is.",
    ] = None


class RevisionPart(MessagePart):
    """The facts that identify a revision: its number, and why it exists."""

    number: Number
    made_at: datetime
    made_by: Annotated[
        str | None,
        source(lambda revision: account_of(revision.made_by)),
        "The account that made it.",
    ]
    cause: Annotated[str, schema(enum=[each.value for each in Cause])]
    reason: Annotated[str, "The reason that the player or the campaign gave."]
    restores: Annotated[
        Number | None, "The earlier revision whose list this one has again."
    ]
    base: Annotated[Number | None, "The played revision that it was upgraded from."]
    played_at: datetime | None
    scenario: Annotated[str, "The scenario that was played with it."]
    experience_spent: Annotated[
        int | None,
        source(lambda revision: (revision.invoice or {}).get("experience_spent")),
        "Experience paid; null if nothing had to be paid.",
    ]


class RevisionSummaryShape(RevisionPart, Message):
    """A revision in a list."""


class RevisionShape(RevisionPart, Message):
    """A deck as it was at one time; it never changes."""

    deck: Annotated[Any, like(KeptList)]
    circumstances: Annotated[Any, like(CircumstancesShape)]
    window: Annotated[
        Mapping[str, Any], "The time between two games as an upgrade used it."
    ]
    invoice: Annotated[Any, like(InvoiceShape | None)]
    aftermath: Annotated[
        Mapping[str, Any],
        "What the next upgrade has to know about the game played with it.",
    ]


def account_of(user: User | None) -> str | None:
    """Return the name of an account; None for none."""
    return user.get_username() if user else None


def copies_in(name: str) -> source:
    """Return a source that maps card codes to copies."""
    return source(
        lambda found: {each.code: each.copies for each in getattr(found, name)}
    )


class DifferencePart(MessagePart):
    """One difference between two revisions."""

    pointer: Annotated[str, "JSON pointer to it in a revision."]
    what: Annotated[str, source(lambda apart: str(apart.what)), "The name."]
    before: Annotated[Any, schema(nullable=True), source("mine"), "null: nothing."]
    after: Annotated[Any, schema(nullable=True), source("theirs"), "null: nothing."]


class PaidPart(MessagePart):
    """The cost of an upgrade."""

    revision: Annotated[Number, source("revision.number")]
    experience_spent: Annotated[int, source("total")]


class ComparisonShape(Message):
    """The differences between two revisions of a deck.

    Cards first, then choices and circumstances.
    """

    before: Number
    after: Number
    differences: list[DifferencePart]
    added: Annotated[
        dict[str, int],
        copies_in("added"),
        "Copies that came in, by the card’s first printing.",
    ]
    removed: Annotated[
        dict[str, int],
        copies_in("removed"),
        "Copies that left, those exiled not counted.",
    ]
    exiled: Annotated[
        dict[str, int], copies_in("exiled"), "Copies exiled in the games between."
    ]
    paid: Annotated[list[PaidPart], "The upgrades between the two revisions."]
    experience_spent: Annotated[int, source("total")]
