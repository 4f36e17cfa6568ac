"""What a condition comes to: the options chosen, and what they carry on."""

from __future__ import annotations

from typing import Any, NamedTuple

from arkham.rules.campaign.model.conditions import Option, Options


class Match(NamedTuple):
    """An option that was chosen, with what it carries on."""

    option: Option
    codes: tuple[str, ...] | None = None
    numbers: tuple[int, ...] | None = None


Matches = list[Match]
NONE: Matches = []


def chosen(
    options: Options,
    key: Any,
    codes: tuple[str, ...] | None = None,
    numbers: tuple[int, ...] | None = None,
) -> Matches:
    """The option of a value, or the one for any other; none if there is neither."""
    option = options.by_key.get(key)
    if option is None:
        option = options.default
        if option is None:
            return NONE
    return [Match(option, codes, numbers)]


def grouped(options: Options, keys: list[tuple[str, Any]]) -> Matches:
    """One match for each option, with those whose key it has, in their order."""
    groups: dict[Any, list[str]] = {}
    for code, key in keys:
        groups.setdefault(key, []).append(code)
    found: Matches = []
    rest: list[str] = []
    for key, option in options.by_key.items():
        if key in groups:
            found.append(Match(option, tuple(groups[key])))
    if options.default is not None:
        rest = [code for code, key in keys if key not in options.by_key]
        if rest:
            found.append(Match(options.default, tuple(rest)))
    return found
