"""Reads the files of guides: whole campaigns as plain JSON, and their texts separately.

A Return to is laid over its original. Files that are too large, too deep, or contain
values a database can't store are refused.

Texts are private to those who imported them. They are looked up by scenario and step,
choice, resolution, and line of the log. They are untrusted markup (``<b>``, ``<i>``,
``[token]``); pages clean them before showing them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from arkham.rules.campaign.model.app_names import ids_apart, ids_of
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.reading.cursor import FlawsFound, Raw
from arkham.rules.notation.reading import Unreadable, read_json

CAMPAIGN = "campaign"
BASE_DIRECTORY = "campaigns"
OVER_DIRECTORY = "return_campaigns"
LARGEST_FILE = 8_000_000  # bytes; the largest today has a fiftieth of it
DEEPEST = 40  # levels of lists and objects; the deepest today has a third
LARGEST_NUMBER = 1_000_000  # positive or negative; the largest today is 1,893
NUL = "\0"  # databases can't store it
_NUL_IN_JSON = b"\\u0000"
_NEVER_UNFIT = {dict, list, str, bool, type(None)}  # unless the file has a NUL


def whole_campaigns(
    flaws: FlawsFound, files: Mapping[str, bytes]
) -> dict[str, dict[str, Raw]]:
    """Return the files of each campaign by directory and stem, Return tos laid over.

    A Return to a Return to is refused, as each would contain everything below it again.
    """
    bases = _directories(flaws, files, BASE_DIRECTORY)
    found = dict(bases)
    for name, stems in _directories(flaws, files, OVER_DIRECTORY).items():
        below = bases.get(name.removeprefix("rt"))
        if below is None:
            flaws.flaw("guide.unknown-original", name, name, "a campaign below it")
        else:
            found[name] = overlaid(flaws, name, below, stems)
    return found


def _directories(
    flaws: FlawsFound, files: Mapping[str, bytes], below: str
) -> dict[str, dict[str, Raw]]:
    """Return the JSON objects by directory and stem, in order."""
    found: dict[str, dict[str, Raw]] = {}
    for path in sorted(files):
        parts = path.split("/")
        if len(parts) < 3 or parts[-3] != below or not parts[-1].endswith(".json"):
            continue
        raw = read_file(flaws, path, files[path])
        if raw is not None:
            found.setdefault(parts[-2], {})[parts[-1].removesuffix(".json")] = raw
    return found


def overlaid(
    found: FlawsFound, at: str, base: Mapping[str, Raw], over: Mapping[str, Raw]
) -> dict[str, Raw]:
    """Return the files of the whole campaign by stem: ``over`` laid over ``base``.

    Interludes and epilogues are copied from the base; scenarios and shared steps only
    if the overlay names them, and each only once.
    """
    whole: dict[str, Raw] = {}
    if CAMPAIGN in base and CAMPAIGN in over:
        returned, there = over[CAMPAIGN].get("original_id"), base[CAMPAIGN].get("id")
        if returned is not None and returned != there:
            where = f"{at}/{CAMPAIGN}.original_id"
            found.flaw("guide.unknown-original", where, returned, str(there))
        whole[CAMPAIGN] = _laid(base[CAMPAIGN], over[CAMPAIGN])
    for stem, raw in base.items():
        if stem != CAMPAIGN and raw.get("type") in ("interlude", "epilogue"):
            whole[stem] = raw
    laid: set[str] = set()
    by_id = {str(raw.get("id")): raw for stem, raw in base.items() if stem != CAMPAIGN}
    for stem, raw in over.items():
        if stem == CAMPAIGN:
            continue
        original = str(raw.get("original_id"))
        if original in laid:
            expected = "an original of its own"
            found.flaw("guide.duplicate-scenario", f"{at}/{stem}", original, expected)
            continue
        below = by_id.get(original) or base.get(original)
        if below is None:
            found.flaw(
                "guide.unknown-original", f"{at}/{stem}", original, "a scenario's id"
            )
            below = {}
        else:
            laid.add(original)
        whole[stem] = _laid(below, raw)
    return whole


def _laid(base: Raw, over: Raw) -> Raw:
    """Return one object laid over another: key by key, steps by id."""
    whole = {**base, **over}
    whole.pop("original_id", None)
    if "steps" in over and isinstance(over["steps"], list):
        named = {
            str(step.get("id")) for step in over["steps"] if isinstance(step, dict)
        }
        below = base.get("steps")
        whole["steps"] = [
            step
            for step in (below if isinstance(below, list) else [])
            if isinstance(step, dict) and str(step.get("id")) not in named
        ] + over["steps"]
    return whole


def read_file(found: FlawsFound, path: str, content: bytes) -> Raw | None:
    """Return the object in a file; None, with a flaw, if it isn't fit for a guide."""
    if len(content) > LARGEST_FILE:
        found.flaw("guide.too-large", path, len(content), f"{LARGEST_FILE} bytes")
        return None
    try:
        raw = read_json(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        found.flaw("guide.unreadable", path, f"byte {error.start}", "UTF-8")
        return None
    except Unreadable as error:
        fault = error.faults[0]
        at = f"{path}, line {fault.line}, column {fault.column}"
        found.flaw("guide.unreadable", at, fault.text, fault.expected)
        return None
    if not isinstance(raw, dict):
        found.flaw("guide.wrong-type", path, raw, "a {…} block")
        return None
    return raw if _is_fit(found, path, raw, has_nul=_NUL_IN_JSON in content) else None


def _is_fit(found: FlawsFound, path: str, raw: Raw, *, has_nul: bool) -> bool:
    """Return whether nothing in a file is too deep, too large, or not storable."""
    level: list[Any] = [raw]
    is_unfit = False
    for _depth in range(DEEPEST):
        if has_nul or not _NEVER_UNFIT.issuperset(map(type, level)):
            is_unfit = is_unfit or any(map(_is_unfit, level))
        level = [
            part
            for whole in level
            if type(whole) is dict or type(whole) is list
            for part in (whole.values() if type(whole) is dict else whole)
        ]
    if level:
        found.flaw("guide.too-deep", path, level[0], f"{DEEPEST} levels at most")
    elif is_unfit:
        at, unfit = next(_unfit_places(path, raw))
        expected = f"a number to {LARGEST_NUMBER}, a text without NUL"
        found.flaw("guide.wrong-type", at, unfit, expected)
    return not level and not is_unfit


def _is_unfit(part: Any) -> bool:
    kind = type(part)
    if kind is str:
        return NUL in part
    if kind is int or kind is float:
        return bool(abs(part) > LARGEST_NUMBER)
    return kind is dict and any(NUL in key for key in part)


def _unfit_places(at: str, whole: Any) -> Iterator[tuple[str, Any]]:
    """Yield unfit values with their places; the nesting is known to be limited."""
    if _is_unfit(whole):
        yield at, whole
    elif type(whole) is dict:
        for key, part in whole.items():
            yield from _unfit_places(f"{at}.{key}", part)
    elif type(whole) is list:
        for index, part in enumerate(whole):
            yield from _unfit_places(f"{at}[{index}]", part)


_SIGN = re.compile(r"\[(?:[a-z]+_)?(?P<rune>rune_)?(?P<word>[a-z]+)\]")


def spoken(name: str) -> str:
    """Return a name in plain text: “Sky Relic [tdc_rune_f]” → “Sky Relic (rune F)”."""
    return _SIGN.sub(_said, name) if "[" in name else name


def _said(sign: re.Match[str]) -> str:
    if sign["rune"]:
        return f"(rune {sign['word'].upper()})"
    return f"({sign['word']})"


CORE = "core"
VARIANTS = ("text", "masculine_text", "feminine_text", "nonbinary_text", "plural_text")
_LINES = frozenset({"campaign_log", "campaign_log_cards", "campaign_log_count"})
_INPUT_TEXTS = ("prompt", "text", "linked_prompt", "manual_prompt", "confirm_text")
_CHOICES = ("choices", "branches", "campaign_log", "items", "supplies", "options")


def words_of(stems: Mapping[str, Raw]) -> Raw:
    """Return the texts of one campaign as plain JSON, given its whole files by stem."""
    campaign = stems.get("campaign", {})
    scenarios: Raw = {SETUP: _scenario({**campaign, "resolutions": []})}
    for stem, raw in stems.items():
        if stem != "campaign":
            scenarios[CORE if raw.get("type") == CORE else str(raw.get("id"))] = (
                _scenario(raw)
            )
    # Steps that a campaign adds to every side scenario: used if a scenario has none.
    added = _scenario({"steps": campaign.get("side_scenario_steps")})["steps"]
    shared = scenarios.setdefault(CORE, {"name": "", "steps": {}, "resolutions": {}})
    shared["steps"] = {**added, **shared["steps"]}
    log: dict[str, dict[str, str]] = {}
    for raw in stems.values():
        for section, line_id, text in log_lines(raw):
            log.setdefault(section, {}).setdefault(line_id, text)
    items = {
        str(each.get("id")): {
            str(item.get("id")): _text(item, "text") for item in _items(each, "items")
        }
        for each in _items(campaign, "achievements")
    }
    return {"scenarios": scenarios, "log": log, "achievements": items}


class Words:
    """Looks up the texts of one campaign.

    The ``side`` among them are those of side scenarios that came with it; ``side`` as
    an argument are further ones.
    """

    def __init__(self, words: Mapping[str, Any], side: Words | None = None) -> None:
        self._words = words
        self._scenarios: Mapping[str, Raw] = words.get("scenarios", {})
        self._log: Mapping[str, Mapping[str, str]] = words.get("log", {})
        self._items: Mapping[str, Mapping[str, str]] = words.get("achievements", {})
        self._side = Words(words["side"], side) if "side" in words else side

    def beside(self, side: Words) -> Words:
        """Return these texts, with those of ``side`` as a fallback."""
        return Words(self._words, side)

    def item(self, achievement: str, item: str) -> str:
        """Return the name of an item of an achievement, or ""."""
        return self._items.get(achievement, {}).get(item, "")

    def step(self, scenario: str, step: str) -> Mapping[str, Any]:
        """Return title, text, bullets and choices of a step; empty without any."""
        return dict(next(self._steps(scenario, step), {}))

    def _steps(self, scenario: str, step: str) -> Iterator[Raw]:
        """Yield the texts of a step: from its scenario, then from the shared steps."""
        base = step.partition("#")[0]
        for place in (scenario.partition("#")[0], CORE):
            for scenarios in self._every_scenarios():
                found = scenarios.get(place, {}).get("steps", {}).get(base)
                if found is not None:
                    yield found

    def _every_scenarios(self) -> Iterator[Mapping[str, Raw]]:
        """Yield the scenarios of the guide, then those of its side scenarios."""
        yield self._scenarios
        if self._side is not None:
            yield from self._side._every_scenarios()

    def choice(self, scenario: str, step: str, choice: str) -> str:
        """Return the text of a choice, or ""."""
        # A campaign may add choices to steps that its side scenarios have.
        choices = [each.get("choices", {}) for each in self._steps(scenario, step)]
        found = (each.get(name) for name in ids_of(choice) for each in choices)
        return next((str(each) for each in found if each is not None), "")

    def scenario(self, scenario: str) -> str:
        """Return the full name of a scenario, or ""."""
        named = (each.get(scenario, {}) for each in self._every_scenarios())
        return next((str(each["name"]) for each in named if each.get("name")), "")

    def resolution(self, scenario: str, resolution: str) -> Mapping[str, str]:
        """Return title and text of a resolution; empty if there are none."""
        for scenarios in self._every_scenarios():
            place = scenarios.get(scenario.partition("#")[0], {})
            found = place.get("resolutions", {}).get(resolution)
            if found is not None:
                return dict(found)
        return {}

    def lines(self, section: str) -> Mapping[str, str]:
        """Return the texts of a section's lines by id, with placeholders.

        Lines of side scenarios are left out: logs aren't entered with them.
        """
        return dict(self._log.get(section, {}))

    def line(
        self, section: str, line_id: str, name: str = "", *counts: int | str
    ) -> str:
        """Return a line of the log, with a name and numbers filled in, or ""."""
        text = self._log.get(section, {}).get(line_id, "")
        if not text:
            text = self._log.get("$input_value", {}).get(line_id, "")
        if not text and self._side is not None:
            return self._side.line(section, line_id, name, *counts)
        for place, value in (
            ("#name#", name),
            *zip(("#X#", "#Y#"), counts, strict=False),
        ):
            text = text.replace(place, str(value))
        return text


def _scenario(raw: Raw) -> Raw:
    return {
        "name": _text(raw, "full_name") or _text(raw, "scenario_name"),
        "steps": {
            str(step.get("id")): words
            for step in _items(raw, "steps")
            if (words := _step(step))
        },
        "resolutions": {
            str(each.get("id")): {
                "title": _text(each, "title"),
                "text": _text(each, "text") or _text(each, "description"),
                **({"when": when} if (when := _text(each, "description")) else {}),
            }
            for each in _items(raw, "resolutions")
        },
    }


def _step(raw: Raw) -> Raw:
    found: Raw = {
        "title": _text(raw, "title"),
        "text": _text(raw, "text"),
        "bullets": [_text(each, "text") for each in _items(raw, "bullets")],
        "rule": raw.get("type") == "rule_reminder",
    }
    asked = raw.get("input")
    if isinstance(asked, dict):
        found["prompt"] = next(
            (text for key in _INPUT_TEXTS if (text := _text(asked, key))), ""
        )
        found["choices"] = {
            own: variant(each) or _text(each, "name") or _text(each, "prompt")
            for key in _CHOICES
            for own, each in _by_own_id(_items(asked, key))
        }
    return {key: value for key, value in found.items() if value}


def _by_own_id(choices: list[Raw]) -> Iterator[tuple[str, Raw]]:
    ids = (str(each.get("id", each.get("condition", ""))) for each in choices)
    yield from zip(ids_apart(ids), choices, strict=True)


def log_lines(value: Any) -> Iterator[tuple[str, str, str]]:
    """Yield section, id and text of every line that the effects of a guide record."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, list):
            waiting.extend(reversed(part))
        elif isinstance(part, dict):
            text = variant(part)
            if _text(part, "type") in _LINES and text and not part.get("cross_out"):
                section = part.get("investigator_section") or part.get("section")
                yield str(section), str(part.get("id", "")), text
            waiting.extend(reversed(list(part.values())))


def variant(raw: Raw) -> str:
    """Return the first of an effect's texts."""
    return next((text for key in VARIANTS if (text := _text(raw, key))), "")


def _text(raw: Raw, key: str) -> str:
    value = raw.get(key)
    return value if isinstance(value, str) else ""


def _items(raw: Raw, key: str) -> list[Raw]:
    value = raw.get(key)
    return (
        [each for each in value if isinstance(each, dict)]
        if isinstance(value, list)
        else []
    )
