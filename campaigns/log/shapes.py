"""Reads entries from JSON and writes them as JSON, type by type.

Maps are written as lists of pairs, for their order matters, and a database may forget
it; an object is read as well. What is read strictly is read by ``arkham.rest.reading``,
which learns here what an effect is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from functools import cache
from typing import Any, get_args

from cattrs import Converter
from cattrs.cols import is_namedtuple, namedtuple_dict_unstructure_factory
from cattrs.gen import make_dict_unstructure_fn

from arkham.rest.reading import (
    Wrong,
    is_of,
    read_by,
    read_object,
    strict_reader,
)
from arkham.rules.campaign.model import effects as do

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
