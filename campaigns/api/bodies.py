"""The bodies that programs send about campaigns.

The examples of the API's description are here too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Annotated, Any

from arkham.rest.messages import Message, MessagePart, like, schema
from arkham.rest.reading import Key, Sent, Sequence, text
from arkham.rules.campaign.state.answers import Answer, Asserted, Stated
from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.places import token
from arkham.rules.notation.reading import Fault, Unreadable
from campaigns.log import entries
from campaigns.models import Seat
from campaigns.models.campaign import LONGEST_NAME
from campaigns.models.people import LONGEST_CODE
from campaigns.settling.terms import WITHOUT_TABOOS, TableTerms, read_terms
from cardpool.catalog import current_pool

# A standard bag with a bless and a curse; one skull is sealed.
QUESTION: dict[str, Any] = {
    "bag": {
        "+1": 1,
        "0": 2,
        "-1": 3,
        "-2": 2,
        "-3": 1,
        "-4": 1,
        "skull": 1,
        "auto_fail": 1,
        "elder_sign": 1,
        "bless": 1,
    },
    "sealed": {"skull": 1},
    "meanings": {
        "skull": {"modifier": -2},
        "elder_sign": {"modifier": 1, "automatic": None},
    },
    "difficulty": 3,
    "skills": [3, 4],
}
ANSWER: dict[str, Any] = {
    "id": None,
    "tokens": 14,
    "difficulty": 3,
    "reveal": "1",
    "passing": [
        {"skill": 3, "odds": "31/91", "value": 0.34065934065934067},
        {"skill": 4, "odds": "51/91", "value": 0.5604395604395604},
    ],
    "modifiers": [
        {"modifier": 3, "odds": "1/91", "value": 0.01098901098901099},
        {"modifier": 2, "odds": "1/91", "value": 0.01098901098901099},
        {"modifier": 1, "odds": "29/182", "value": 0.15934065934065933},
        {"modifier": 0, "odds": "29/182", "value": 0.15934065934065933},
        {"modifier": -1, "odds": "20/91", "value": 0.21978021978021978},
        {"modifier": -2, "odds": "20/91", "value": 0.21978021978021978},
        {"modifier": -3, "odds": "1/14", "value": 0.07142857142857142},
        {"modifier": -4, "odds": "1/14", "value": 0.07142857142857142},
    ],
    "automatic_success": {"odds": "0", "value": 0.0},
    "automatic_failure": {"odds": "1/13", "value": 0.07692307692307693},
    "findings": [],
}

# A campaign with two investigators, one of them played by someone else.
STARTED: dict[str, Any] = {
    "guide": 1,
    "name": "Friday nights",
    "terms": {"taboo": "none"},
    "seats": [
        {"investigator": "01001", "deck": 1},
        {"investigator": "01002", "name": "Dora", "kind": "paper", "mine": False},
    ],
    "oaths": [{"ultimatum": "agony"}],
}
SEAT: dict[str, Any] = {"investigator": "01001", "kind": "paper"}
# Three victory points in the display: the Ghoul Priest and the Attic.
ANSWERED: dict[str, Any] = {
    "after": 12,
    "entry": {
        "kind": "choice_list",
        "payload": {
            "scenario": "torch",
            "step": "earn_xp",
            "value": {"01116": [1], "01113": [1]},
        },
    },
}

FACTS = ("stated", "asserted")
Written = Answer | Stated | Asserted
Name = Annotated[str, text(LONGEST_NAME)]
Terms = Annotated[Mapping[str, Any], like(TableTerms)]


class SeatPart(MessagePart):
    """An investigator to seat.

    ``mine`` if you play it; a ``deck`` of your own is linked immediately.
    """

    investigator: Annotated[str, text(LONGEST_CODE, fewest=1)]
    name: Sent = ""
    deck: Key | None = None
    kind: Annotated[str, schema(enum=[Seat.Kind.PAPER, Seat.Kind.NONE])] = "none"
    mine: bool = True


class SitShape(SeatPart, Message):
    """An investigator to seat at a table that has begun."""


class OathPart(MessagePart):
    """The id of a printed ultimatum, or any id with a ``name`` of your own."""

    ultimatum: Sent
    name: Sent = ""


class StartShape(Message):
    """A campaign to start.

    ``guide`` is the id of one of /guides. With ``both_halves`` the other half of The
    Dream-Eaters starts too, linked.
    """

    guide: Key
    name: Name = ""
    standalone: Sent = ""
    simulated: Sent = ""
    terms: Terms = field(default_factory=dict)
    seats: Annotated[tuple[SeatPart, ...], schema(maxItems=8)] = ()
    oaths: tuple[OathPart, ...] = ()
    both_halves: bool = False


class CampaignChangeShape(Message):
    """The changes of a campaign; null or omitted fields stay. Terms are replaced."""

    name: Annotated[str, text(LONGEST_NAME, fewest=1)] | None = None
    terms: Terms | None = None
    archived: bool | None = None


class GivenEntryShape(Message):
    """An answer or a fact; docs/campaigns.md has the payload of each kind."""

    kind: Annotated[str, schema(enum=[*entries.VALUES, *FACTS])]
    payload: Mapping[str, Any]
    version: Annotated[int, schema(minimum=1, maximum=99)] | None = None


class AppendShape(Message):
    """An entry to write ``after`` the last one you saw."""

    after: Sequence
    entry: GivenEntryShape


class AnswerCorrectionShape(Message):
    """An answer that replaces the earlier one at ``target``."""

    after: Sequence
    target: Sequence
    entry: GivenEntryShape
    reason: Sent = ""


class RetractionShape(Message):
    """The entry to undo, or a scenario to undo from its start.

    A ``reason`` drops an ultimatum.
    """

    after: Sequence
    target: Sequence | None = None
    scenario: Sent | None = None
    reason: Sent = ""


class CampaignQuestionShape(Message):
    """What you want to write, correct or undo: an ``entry``, a ``target``, both, or a
    ``scenario``."""

    entry: GivenEntryShape | None = None
    target: Sequence | None = None
    scenario: Sent | None = None


class BranchShape(Message):
    """The last entry to copy (null: the whole log), and the name of the copy."""

    up_to: Sequence | None = None
    name: Name = ""


class LinkShape(Message):
    """The campaign to link; you organise both."""

    campaign: Key


class AdoptShape(Message):
    """A change of guide, ``after`` the last entry you saw."""

    after: Sequence


def entry_of(body: GivenEntryShape, at: str = "/entry") -> Written:
    """Return the answer or fact in a body.

    Raises Unreadable, also for entries that only the server writes.
    """
    version = entries.version_of(body.kind) if body.version is None else body.version
    try:
        entry = entries.decode(body.kind, version, body.payload)
    except Unreadable as error:
        faults = error.faults
        raise Unreadable(*(_placed(fault, at) for fault in faults)) from None
    if isinstance(entry, Answer | Stated | Asserted):
        return entry
    raise _unknown_kind(body.kind, [*entries.VALUES, *FACTS], at)


def answer_of(body: GivenEntryShape) -> Answer:
    """Return the answer in a body. Raises Unreadable."""
    entry = entry_of(body)
    if isinstance(entry, Answer):
        return entry
    raise _unknown_kind(body.kind, entries.VALUES, "/entry")


def _unknown_kind(kind: str, known: Iterable[str], at: str) -> Unreadable:
    message = _("We don’t know the entry {found}.")
    return Unreadable(Fault(f"{at}/kind", message, ", ".join(known), kind))


def check_terms(terms: Mapping[str, Any], at: str = "/terms") -> None:
    """Raise Unreadable if the terms can't be read, or name an unknown taboo list."""
    try:
        agreed = read_terms(terms)
    except Unreadable as error:
        raise Unreadable(*(fault.within(at) for fault in error.faults)) from None
    lists = {"/taboo": agreed.taboo}
    lists |= {f"/taboos{token(code)}": each for code, each in agreed.taboos.items()}
    pool = current_pool()
    faults = [
        Fault(
            at + place,
            _("We don’t know the taboo list {found}."),
            ", ".join(str(known.id) for known in pool.taboo_lists),
            taboo,
        )
        for place, taboo in lists.items()
        if taboo not in ("", WITHOUT_TABOOS) and pool.taboo_list(taboo) is None
    ]
    if faults:
        raise Unreadable(*faults)


def check_name(name: str) -> None:
    """Raise Unreadable for a blank name."""
    if not name.strip():
        raise Unreadable(Fault("/name", _("The campaign needs a name."), _("a name")))


def _placed(fault: Fault, at: str) -> Fault:
    if fault.pointer in ("/kind", "/version"):
        return fault.within(at)
    return fault.within(f"{at}/payload")
