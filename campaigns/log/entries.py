"""The entries of a log that the fold doesn't read, and the JSON of every entry.

Beside what the fold reads there are draws, corrections, a change of guides,
achievements ticked by hand, and the FAQ kept to.

What stands in a log is read for ever, however it was written once: each kind of entry
has a version. A payload of an earlier one is made into one of the next by ``UPCASTS``,
step by step; the fixtures of the tests hold every version there ever was.

Values are read and written type by type. Maps are written as lists of pairs, for their
order matters, and a database may forget it; an object is read as well. What is read
strictly is read by ``arkham.rest.reading``, which learns here what an effect is.
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
    """The entry in a JSON object.

    Raises :class:`Unreadable` with every fault of its shape, or for a kind or version
    that nobody knows.
    """
    payload = upcast(kind, version, payload)
    if kind in OTHERS:
        entry: Entry = read(OTHERS[kind], payload)
        return entry._replace(sequence=sequence)
    return _answer(kind, payload, sequence)


def upcast(kind: str, version: int, payload: object) -> Payload:
    """A payload as it would be written now."""
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
    """What answers of every kind have beside their value."""

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
    """What a JSON value stands for; ``at`` is the JSON pointer to it.

    Raises :class:`Unreadable` with every fault.
    """
    return read_by(_converter(), shape, data, at)


def write(value: Any, shape: Any) -> Any:
    """A value as JSON; what is as it would be anyway is left out of effects."""
    return _converter().unstructure(value, shape)


def effect_name(kind: type) -> str:
    """What an effect is called in JSON: ``EarnExperience`` is ``earn_experience``."""
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
