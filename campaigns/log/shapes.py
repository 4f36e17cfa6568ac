"""Reads entries from JSON and writes them as JSON, type by type.

Values are taken as they are, never made to fit: the text ``"3"`` is no number. Maps are
written as lists of pairs, for their order matters, and a database may forget it; an
object is read as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import is_dataclass
from enum import Enum
from functools import cache
from typing import Any, NewType, get_args, get_origin

from cattrs import Converter, transform_error
from cattrs.cols import (
    is_namedtuple,
    namedtuple_dict_structure_factory,
    namedtuple_dict_unstructure_factory,
)
from cattrs.errors import (
    BaseValidationError,
    IterableValidationError,
    IterableValidationNote,
)
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn

from arkham.rules.campaign.model import effects as do
from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.places import token
from arkham.rules.notation.reading import Fault, Unreadable

LONGEST_TEXT = 2_000
MOST_ITEMS = 400
MOST_NUMBER = 1_000_000
MOST_KEY = 2**63 - 1
TAG = "effect"
_EXTRA = re.compile(r"extra fields found \((.*)\)")
_PART = re.compile(r"\.(\w+)|\[(\d+)\]|\['([^'\[]*+)'\]")


Key = NewType("Key", int)  # a row's, which grows as long as there are new rows


class Wrong(ValueError):
    """A value that is not what is expected here; the message says what is, in words."""


def read(shape: Any, data: object, path: str = "$") -> Any:
    """What a JSON value, which stands at ``path``, stands for.

    Raises :class:`Unreadable` with every fault: its place, as ``/amount``, and in words
    what is expected there.
    """
    try:
        return _converter().structure(data, shape)
    except (BaseValidationError, Wrong) as error:
        told = transform_error(error, path, format_exception=_formatted)
        raise Unreadable(*map(_fault, told)) from None


def write(value: Any, shape: Any) -> Any:
    """A value as JSON; what is as it would be anyway is left out of effects."""
    return _converter().unstructure(value, shape)


def effect_name(kind: type) -> str:
    """What an effect is called in JSON: ``EarnExperience`` is ``earn_experience``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


EFFECTS: Mapping[str, type] = {effect_name(kind): kind for kind in get_args(do.Effect)}


@cache
def _converter() -> Converter:
    made = Converter(forbid_extra_keys=True)
    for kind, check in ((int, _number), (bool, _flag), (str, _text)):
        made.register_structure_hook(kind, check)
    made.register_structure_hook_func(lambda shape: shape is Key, _key)
    made.register_structure_hook_factory(
        lambda shape: _is(shape, tuple), lambda shape: _listing(made, shape)
    )
    made.register_structure_hook_factory(
        lambda shape: _is(shape, dict), lambda shape: _mapping(made, shape)
    )
    made.register_unstructure_hook_factory(
        lambda shape: _is(shape, dict), lambda shape: _pairs(made, shape)
    )
    made.register_structure_hook_factory(
        is_namedtuple,
        lambda shape: _object(
            namedtuple_dict_structure_factory(shape, made, "from_converter", True)
        ),
    )
    made.register_unstructure_hook_factory(
        is_namedtuple, lambda shape: namedtuple_dict_unstructure_factory(shape, made)
    )
    made.register_structure_hook_factory(
        is_dataclass,
        lambda shape: _object(
            make_dict_structure_fn(shape, made, _cattrs_forbid_extra_keys=True)
        ),
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
    made.register_structure_hook_factory(
        lambda shape: isinstance(shape, type) and issubclass(shape, Enum), _member
    )
    made.register_structure_hook_factory(
        lambda shape: _is(shape, Mapping), lambda _shape: _document
    )
    made.register_unstructure_hook_factory(
        lambda shape: _is(shape, Mapping), lambda _shape: dict
    )
    made.register_structure_hook(Any, lambda data, _shape: data)
    made.register_structure_hook(dict, _document)
    return made


Read = Callable[[Any, Any], Any]


def _is(shape: Any, kind: type) -> bool:
    origin: Any = get_origin(shape)
    return origin is kind


def _number(value: object, _shape: object) -> int:
    return _whole(value, MOST_NUMBER)


def _key(value: object, _shape: object) -> Key:
    return Key(_whole(value, MOST_KEY))


def _whole(value: object, most: int) -> int:
    if type(value) is not int:
        raise Wrong(_("a whole number"))
    if abs(value) > most:
        raise Wrong(f"a whole number from {-most:,} to {most:,}")
    return value


def _flag(value: object, _shape: object) -> bool:
    if type(value) is not bool:
        raise Wrong(_("true or false"))
    return value


def _text(value: object, _shape: object) -> str:
    if type(value) is not str or len(value) > LONGEST_TEXT:
        raise Wrong(f"a text of at most {LONGEST_TEXT:,} characters")
    if "\x00" in value:
        raise Wrong(_("a text without the character U+0000"))
    return value


def _document(value: object, _shape: object) -> dict[str, Any]:
    if type(value) is not dict:
        raise Wrong(_("an object"))
    return value


def _member(shape: type[Enum]) -> Read:
    known = {each.value: each for each in shape}

    def read_member(value: Any, _shape: Any) -> Enum:
        if type(value) is not str or value not in known:
            raise Wrong(f"one of {', '.join(known)}")
        return known[value]

    return read_member


def _object(reader: Read) -> Read:
    def read_object(value: Any, shape: Any) -> Any:
        return reader(_document(value, shape), shape)

    return read_object


def _listing(made: Converter, shape: Any) -> Read:
    parts = get_args(shape)
    alike = len(parts) == 2 and parts[1] is ...
    items: Any = list[parts[0]] if alike else None  # type: ignore[valid-type]

    def read_list(value: Any, _shape: Any) -> tuple[Any, ...]:
        if type(value) not in (list, tuple):
            raise Wrong(_("a list"))
        if len(value) > MOST_ITEMS:
            raise Wrong(f"a list of at most {MOST_ITEMS}")
        if items is not None:
            return tuple(made.structure(value, items))
        if len(value) != len(parts):
            raise Wrong(f"a list of {len(parts)}")
        return tuple(_each(made, enumerate(zip(value, parts, strict=True))))

    return read_list


def _each(made: Converter, items: Iterable[tuple[Any, tuple[Any, Any]]]) -> list[Any]:
    """Values by their shapes, every fault with the place of its value."""
    found, errors = [], []
    for place, (value, shape) in items:
        try:
            found.append(made.structure(value, shape))
        except (BaseValidationError, Wrong) as error:
            note = IterableValidationNote(f"at {place}", place, shape)
            error.__notes__ = [*getattr(error, "__notes__", []), note]
            errors.append(error)
    if errors:
        raise IterableValidationError("not as expected", errors, tuple)
    return found


def _mapping(made: Converter, shape: Any) -> Read:
    key, item = get_args(shape)
    pairs = tuple[tuple[key, item], ...]  # type: ignore[valid-type]

    def read_map(value: Any, _shape: Any) -> dict[str, Any]:
        if type(value) is dict:
            keys = [made.structure(each, key) for each in value]
            items = [(each, (value[each], item)) for each in value]
            return dict(zip(keys, _each(made, items), strict=True))
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
    raw = dict(_document(data, None))
    name = raw.pop(TAG, None)
    kind = EFFECTS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise Wrong("an effect: one of " + ", ".join(EFFECTS))
    return made.structure(raw, kind)


def _formatted(error: BaseException, _kind: type | None) -> str:
    if isinstance(error, Wrong):
        return str(error)
    if isinstance(error, KeyError):
        return _("a value")
    found = _EXTRA.search(str(error))
    if found or type(error).__name__ == "ForbiddenExtraKeysError":
        fields = sorted(getattr(error, "extra_fields", ()))
        return f"nothing called {', '.join(fields)}"
    return _("something else")


def _fault(told: str) -> Fault:
    """A fault in the house's form, of ``a whole number @ $.amount``."""
    expected, _at, path = told.rpartition(" @ ")
    pointer = "".join(
        token(name or number or key)
        for name, number, key in _PART.findall(path.rstrip("."))
    )
    return Fault(pointer, _("This is not what is expected here."), expected)
