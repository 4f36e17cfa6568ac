"""What programs send to the doors of campaigns: the shapes that are read.

With them stand the examples that the description of the API shows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from arkham.rest.reading import Key
from arkham.rules.campaign.state.answers import Answer, Asserted, Stated
from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.reading import Fault, Unreadable
from campaigns.log import entries
from campaigns.models.campaign import LONGEST_NAME
from campaigns.settling.terms import read_terms

# A standard bag with a bless and a curse in it; one skull sealed.
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

# A campaign with two investigators, one of them played by somebody else.
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
# Three victory points lay in the victory display: the Ghoul Priest and the Attic.
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


class SeatBody(NamedTuple):
    """An investigator who sits down."""

    investigator: str
    name: str = ""
    deck: Key | None = None
    kind: str = "none"
    mine: bool = True


class OathBody(NamedTuple):
    """What a campaign is begun under; ``name`` is for one of the table's own."""

    ultimatum: str
    name: str = ""


class StartBody(NamedTuple):
    """A campaign to begin."""

    guide: Key
    name: str = ""
    standalone: str = ""
    simulated: str = ""
    terms: Mapping[str, Any] = {}
    seats: tuple[SeatBody, ...] = ()
    oaths: tuple[OathBody, ...] = ()
    both_halves: bool = False


class ChangeBody(NamedTuple):
    """What is to be other than it is; null stays as it is."""

    name: str | None = None
    terms: Mapping[str, Any] | None = None
    archived: bool | None = None


class EntryBody(NamedTuple):
    """An entry: its kind, and what it says."""

    kind: str
    payload: Mapping[str, Any]
    version: int | None = None


class AppendBody(NamedTuple):
    """An entry to be written after the one last seen."""

    after: int
    entry: EntryBody


class CorrectionBody(NamedTuple):
    """An answer to take the place of an earlier one."""

    after: int
    target: int
    entry: EntryBody
    reason: str = ""


class RetractionBody(NamedTuple):
    """What is to be taken back: an entry, or a scenario from its start."""

    after: int
    target: int | None = None
    scenario: str | None = None
    reason: str = ""


class PreviewBody(NamedTuple):
    """What would be written, put right, or taken back."""

    entry: EntryBody | None = None
    target: int | None = None
    scenario: str | None = None


class BranchBody(NamedTuple):
    """How far a copy goes, and what it is called."""

    up_to: int | None = None
    name: str = ""


class AdoptBody(NamedTuple):
    """When another version of the guide is followed."""

    after: int


class LinkBody(NamedTuple):
    """The other campaign of two."""

    campaign: Key


class SeatChangeBody(NamedTuple):
    """Who plays an investigator now, and with what."""

    member: Key | None
    kind: str
    deck: Key | None


class InvitationBody(NamedTuple):
    """A link to be made; it lasts so many hours, for so many people."""

    role: str = "player"
    seat: Key | None = None
    hours: int = 336
    most_uses: int | None = None


class JoinBody(NamedTuple):
    """The token of a link, and what a guest is called."""

    token: str
    name: str = ""


class RoleBody(NamedTuple):
    """What somebody is from now on."""

    role: str


def entry_of(body: EntryBody, at: str = "/entry") -> Written:
    """The answer or fact a program sends.

    Raises Unreadable, also for what only the server writes.
    """
    version = entries.version_of(body.kind) if body.version is None else body.version
    try:
        entry = entries.decode(body.kind, version, body.payload)
    except Unreadable as error:
        faults = error.faults
        raise Unreadable(*(_placed(fault, at) for fault in faults)) from None
    if isinstance(entry, Answer | Stated | Asserted):
        return entry
    expected = ", ".join([*entries.VALUES, *FACTS])
    message = _("There is no entry called {found}.")
    raise Unreadable(Fault(f"{at}/kind", message, expected, body.kind))


def answer_of(body: EntryBody) -> Answer:
    """The answer a program sends. Raises Unreadable."""
    entry = entry_of(body)
    if isinstance(entry, Answer):
        return entry
    message = _("There is no entry called {found}.")
    expected = ", ".join(entries.VALUES)
    raise Unreadable(Fault("/entry/kind", message, expected, body.kind))


def check_name(name: str) -> None:
    """Raise Unreadable where the name of a campaign is longer than one is kept."""
    if len(name) > LONGEST_NAME:
        message = _("The name is longer than a campaign's may be.")
        expected = f"1 … {LONGEST_NAME}"
        raise Unreadable(Fault("/name", message, expected, str(len(name))))


def check_terms(told: Mapping[str, Any], at: str = "/terms") -> None:
    """Raise Unreadable where the terms of a body are none."""
    try:
        read_terms(told)
    except Unreadable as error:
        raise Unreadable(*(fault.within(at) for fault in error.faults)) from None


def _placed(fault: Fault, at: str) -> Fault:
    if fault.pointer in ("/kind", "/version"):
        return fault.within(at)
    return fault.within(f"{at}/payload")
