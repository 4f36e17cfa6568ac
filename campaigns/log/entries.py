"""The entries of a log that the fold doesn't read, and the JSON of every entry.

Beside what the fold reads there are draws, corrections, a change of guides,
achievements ticked by hand, and the FAQ kept to.

What stands in a log is read for ever, however it was written once: each kind of entry
has a version. A payload of an earlier one is made into one of the next by ``UPCASTS``,
step by step; the fixtures of the tests hold every version there ever was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

from arkham.rules.campaign.state import answers
from arkham.rules.campaign.state.answers import (
    Answer,
    Asserted,
    Changes,
    Journey,
    Retracted,
    SideScenario,
    Stated,
    UltimatumChosen,
    UltimatumDropped,
)
from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.reading import Fault, Unreadable
from campaigns.log import shapes


class DrawEntry(NamedTuple):
    """What chance decided for the table; the answer that follows says what it was for.

    ``record`` is what :class:`arkham.rules.draws.Draw` writes, by which anyone can
    draw again and see that the same comes of it.
    """

    scenario: str
    step: str
    record: Mapping[str, Any]
    sequence: int = 0


class Adopted(NamedTuple):
    """From here on another version of the guide is followed; by their digests."""

    before: str
    after: str
    sequence: int = 0


class EntryCorrection(NamedTuple):
    """Why the answer that follows takes the place of the one at ``target``."""

    target: int
    reason: str
    sequence: int = 0


class Ticked(NamedTuple):
    """An achievement as the table says it stands; the last of each that holds counts.

    ``number`` is 1, or 0 where it is ticked off again; for one that is counted, how far
    it has come. ``items`` are those ticked of a list.
    """

    achievement: str
    number: int
    items: tuple[str, ...] = ()
    sequence: int = 0


class Pinned(NamedTuple):
    """From here on rules are shown to the table as of this version of the FAQ."""

    faq: str
    sequence: int = 0


Entry: TypeAlias = (
    answers.Entry | DrawEntry | Adopted | EntryCorrection | Ticked | Pinned
)
FOLDED = (Answer, Stated, Asserted, UltimatumChosen, Retracted, UltimatumDropped)


def folded(entries: Iterable[Entry]) -> list[answers.Entry]:
    """The entries a fold reads."""
    return [entry for entry in entries if isinstance(entry, FOLDED)]


def holding(entries: Iterable[Entry]) -> list[Entry]:
    """The entries of every kind that were not taken back, in order."""
    gone: set[int] = set()
    kept: list[Entry] = []
    for entry in reversed(list(entries)):
        if entry.sequence in gone:
            continue
        if isinstance(entry, Retracted | UltimatumDropped):
            gone.add(entry.target)
        else:
            kept.append(entry)
    return kept[::-1]


Payload = dict[str, Any]

# What the value of an answer is, by its kind.
VALUES: Mapping[str, Any] = {
    "choice": int,
    "decision": bool,
    "count": int,
    "string_choices": dict[str, tuple[str, ...]],
    "choice_list": dict[str, tuple[int, ...]],
    "supplies": dict[str, dict[str, int]],
    "text": str,
    "campaign_link": str,
    "inter_scenario": Changes,
    "start_scenario": Journey | None,
    "start_side_scenario": SideScenario,
}
# Every other entry, by its kind.
OTHERS: Mapping[str, type] = {
    "stated": Stated,
    "asserted": Asserted,
    "sworn": UltimatumChosen,
    "retracted": Retracted,
    "released": UltimatumDropped,
    "corrected": EntryCorrection,
    "drawn": DrawEntry,
    "adopted": Adopted,
    "ticked": Ticked,
    "pinned": Pinned,
}
KINDS: Mapping[type, str] = {shape: kind for kind, shape in OTHERS.items()}
# The version of each kind that is written now; 1 where it was never changed.
VERSIONS: dict[str, int] = {}
# (kind, version) → how its payload becomes one of the version after it.
UPCASTS: dict[tuple[str, int], Callable[[Payload], Payload]] = {}


class Encoded(NamedTuple):
    """An entry as it is kept."""

    kind: str
    version: int
    payload: Payload


def version_of(kind: str) -> int:
    """The version of a kind that is written now."""
    return VERSIONS.get(kind, 1)


def encode(entry: Entry) -> Encoded:
    """An entry as JSON; its sequence is no part of it."""
    if isinstance(entry, Answer):
        kind = entry.kind
        payload = {
            "scenario": entry.scenario,
            "step": entry.step,
            "value": shapes.write(entry.value, VALUES[kind]),
        }
        if entry.choice:
            payload["choice"] = entry.choice
        if entry.reason:
            payload["reason"] = entry.reason
    else:
        kind = KINDS[type(entry)]
        payload = shapes.write(entry, type(entry))
        del payload["sequence"]
    return Encoded(kind, version_of(kind), payload)


def decode(kind: str, version: int, payload: object, sequence: int = 0) -> Entry:
    """The entry in a JSON object.

    Raises :class:`Unreadable` with every fault of its shape, or for a kind or version
    that nobody knows.
    """
    payload = upcast(kind, version, payload)
    if kind in OTHERS:
        entry: Entry = shapes.read(OTHERS[kind], payload)
        return entry._replace(sequence=sequence)
    return _answer(kind, payload, sequence)


def upcast(kind: str, version: int, payload: object) -> Payload:
    """A payload as it would be written now."""
    if kind not in VALUES and kind not in OTHERS:
        expected = ", ".join([*VALUES, *OTHERS])
        message = _("There is no entry called {found}.")
        raise Unreadable(Fault("/kind", message, expected, kind[:60]))
    latest = version_of(kind)
    if not 1 <= version <= latest:
        message = _("There is no version {found} of this entry.")
        raise Unreadable(Fault("/version", message, f"1 … {latest}", str(version)))
    if type(payload) is not dict or "sequence" in payload:
        message = _("This is no payload of an entry.")
        raise Unreadable(Fault("", message, _("an object")))
    for each in range(version, latest):
        payload = UPCASTS[kind, each](payload)
    return payload


class _Asked(NamedTuple):
    """What answers of every kind have beside their value."""

    scenario: str
    value: Any
    step: str = ""
    choice: str = ""
    reason: str = ""


def _answer(kind: str, payload: Payload, sequence: int) -> Answer:
    asked = shapes.read(_Asked, payload)
    value = shapes.read(VALUES[kind], asked.value, "/value")
    return Answer(
        kind, asked.scenario, asked.step, value, sequence, asked.choice, asked.reason
    )
