"""The entries of a log that the fold doesn't read, and the JSON of every entry.

Besides what the fold reads, a log contains draws, corrections, changes of guide,
achievements ticked by hand, and pinned FAQ versions.

Entries must remain readable forever: each kind of entry has a version, and ``UPCASTS``
converts payloads of an earlier version to the next one, step by step; the test fixtures
contain every version ever written.

Values are read and written by type. Maps are written as lists of pairs, because their
order matters and a database may lose it; objects are read too. Strict reading is done
by ``arkham.rest.reading``, which learns here about effects.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import is_dataclass
from functools import cache
from typing import Any, NamedTuple, TypeAlias, get_args

from cattrs import Converter
from cattrs.cols import is_namedtuple, namedtuple_dict_unstructure_factory
from cattrs.gen import make_dict_unstructure_fn

from arkham.rest.reading import (
    Read,
    Wrong,
    is_of,
    object_of,
    read_by,
    read_object,
    strict_reader,
)
from arkham.rules.campaign.model import effects as do
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


class DrawEntry(NamedTuple):
    """A random draw of the table; the answer after it says what it was for.

    ``record`` is what :class:`arkham.rules.draws.Draw` writes, so that anyone can
    repeat the draw and check the result.
    """

    scenario: str
    step: str
    record: Mapping[str, Any]
    sequence: int = 0


class Adopted(NamedTuple):
    """From here on the campaign follows another version of its guide, by digest."""

    before: str
    after: str
    sequence: int = 0


class EntryCorrection(NamedTuple):
    """The reason why the next answer replaces the one at ``target``."""

    target: int
    reason: str
    sequence: int = 0


class Ticked(NamedTuple):
    """The state of an achievement as ticked; the last entry in force counts.

    ``number`` is 1, or 0 if it was unticked; for a counted achievement the count.
    ``items`` are the ticked items of a list.
    """

    achievement: str
    number: int
    items: tuple[str, ...] = ()
    sequence: int = 0


class Pinned(NamedTuple):
    """From here on the table sees the rules as of this version of the FAQ."""

    faq: str
    sequence: int = 0


Entry: TypeAlias = (
    answers.Entry | DrawEntry | Adopted | EntryCorrection | Ticked | Pinned
)
FOLDED = (Answer, Stated, Asserted, UltimatumChosen, Retracted, UltimatumDropped)


def folded(entries: Iterable[Entry]) -> list[answers.Entry]:
    """Return the entries that a fold reads."""
    return [entry for entry in entries if isinstance(entry, FOLDED)]


Payload = dict[str, Any]

# The type of an answer's value, by its kind.
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
# The types of all other entries, by kind.
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
# The version of each kind that is written now; 1 if it never changed.
VERSIONS: dict[str, int] = {}
# (kind, version) → a function that converts its payload to the next version.
UPCASTS: dict[tuple[str, int], Callable[[Payload], Payload]] = {}


class Encoded(NamedTuple):
    """An entry as it is stored."""

    kind: str
    version: int
    payload: Payload


def version_of(kind: str) -> int:
    """Return the version of a kind that is written now."""
    return VERSIONS.get(kind, 1)


def encode(entry: Entry) -> Encoded:
    """Return an entry as JSON, without its sequence."""
    if isinstance(entry, Answer):
        kind = entry.kind
        payload = {
            "scenario": entry.scenario,
            "step": entry.step,
            "value": write(entry.value, VALUES[kind]),
        }
        if entry.choice:
            payload["choice"] = entry.choice
        if entry.reason:
            payload["reason"] = entry.reason
    else:
        kind = KINDS[type(entry)]
        payload = write(entry, type(entry))
        del payload["sequence"]
    return Encoded(kind, version_of(kind), payload)


def decode(kind: str, version: int, payload: object, sequence: int = 0) -> Entry:
    """Return the entry in a JSON object.

    Raises :class:`Unreadable` with every fault in its structure, or for an unknown kind
    or version.
    """
    payload = upcast(kind, version, payload)
    if kind in OTHERS:
        entry: Entry = read(OTHERS[kind], payload)
        return entry._replace(sequence=sequence)
    return _answer(kind, payload, sequence)


def upcast(kind: str, version: int, payload: object) -> Payload:
    """Return a payload converted to the current version."""
    if kind not in VALUES and kind not in OTHERS:
        expected = ", ".join([*VALUES, *OTHERS])
        message = _("We don’t know the entry {found}.")
        raise Unreadable(Fault("/kind", message, expected, kind[:60]))
    latest = version_of(kind)
    if not 1 <= version <= latest:
        message = _("We don’t know version {found} of this entry.")
        raise Unreadable(Fault("/version", message, f"1 … {latest}", str(version)))
    if type(payload) is not dict or "sequence" in payload:
        message = _("We can’t read this as an entry.")
        raise Unreadable(Fault("", message, _("a {…} block")))
    for each in range(version, latest):
        payload = UPCASTS[kind, each](payload)
    return payload


class _Asked(NamedTuple):
    """The fields that answers of every kind have."""

    scenario: str
    value: Any
    step: str = ""
    choice: str = ""
    reason: str = ""


def _answer(kind: str, payload: Payload, sequence: int) -> Answer:
    asked = read(_Asked, payload)
    value = read(VALUES[kind], asked.value, "/value")
    return Answer(
        kind, asked.scenario, asked.step, value, sequence, asked.choice, asked.reason
    )


TAG = "effect"


def read(shape: Any, data: object, at: str = "") -> Any:
    """Return the value that JSON represents; ``at`` is the JSON pointer to it.

    Raises :class:`Unreadable` with every fault.
    """
    return read_by(_converter(), shape, data, at)


def write(value: Any, shape: Any) -> Any:
    """Return a value as JSON; defaults are left out of effects."""
    return _converter().unstructure(value, shape)


def effect_name(kind: type) -> str:
    """Return the JSON name of an effect: ``EarnExperience`` is ``earn_experience``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


EFFECTS: Mapping[str, type] = {effect_name(kind): kind for kind in get_args(do.Effect)}


@cache
def _converter() -> Converter:
    made = strict_reader()
    made.register_structure_hook_factory(
        lambda shape: is_of(shape, dict), lambda shape: _map_reader(made, shape)
    )
    made.register_unstructure_hook_factory(
        lambda shape: is_of(shape, dict), lambda shape: _pairs(made, shape)
    )
    made.register_unstructure_hook_factory(
        is_namedtuple, lambda shape: namedtuple_dict_unstructure_factory(shape, made)
    )
    made.register_unstructure_hook_factory(
        is_dataclass,
        lambda shape: make_dict_unstructure_fn(
            shape, made, _cattrs_omit_if_default=True
        ),
    )
    made.register_structure_hook(do.Effect, lambda data, _shape: _effect(made, data))
    made.register_unstructure_hook(
        do.Effect,
        lambda value: {TAG: effect_name(type(value))} | made.unstructure(value),
    )
    made.register_unstructure_hook_factory(
        lambda shape: is_of(shape, Mapping), lambda _shape: dict
    )
    return made


def _map_reader(made: Converter, shape: Any) -> Read:
    key, item = get_args(shape)
    read_members = object_of(made, shape)
    pairs = tuple[tuple[key, item], ...]  # type: ignore[valid-type]

    def read_map(value: Any, kind: Any) -> dict[str, Any]:
        if type(value) is dict:
            return read_members(value, kind)  # type: ignore[no-any-return]
        found = made.structure(value, pairs)
        if len(dict(found)) != len(found):
            raise Wrong(_("each key once"))
        return dict(found)

    return read_map


def _pairs(made: Converter, shape: Any) -> Callable[[Any], Any]:
    item = get_args(shape)[1]

    def write_pairs(value: Mapping[str, Any]) -> list[list[Any]]:
        return [[key, made.unstructure(each, item)] for key, each in value.items()]

    return write_pairs


def _effect(made: Converter, data: object) -> Any:
    raw = dict(read_object(data))
    name = raw.pop(TAG, None)
    kind = EFFECTS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise Wrong("an effect: one of " + ", ".join(EFFECTS))
    return made.structure(raw, kind)
