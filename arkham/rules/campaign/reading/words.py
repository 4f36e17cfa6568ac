"""The words of a guide, apart from its structure: private to those who brought them.

They are found by scenario and step, choice, resolution, and line of the log. Words are
untrusted markup (``<b>``, ``<i>``, ``[token]``); the page that shows them cleans them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from arkham.rules.campaign.model.field_words import ids_apart, ids_of
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.reading.cursor import Raw

_SIGN = re.compile(r"\[(?:[a-z]+_)?(?P<rune>rune_)?(?P<word>[a-z]+)\]")


def spoken(name: str) -> str:
    """A name as it is said: “Sky Relic [tdc_rune_f]” → “Sky Relic (rune F)”."""
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
    """The words of one campaign, from its whole files by stem, as plain JSON."""
    campaign = stems.get("campaign", {})
    scenarios: Raw = {SETUP: _scenario({**campaign, "resolutions": []})}
    for stem, raw in stems.items():
        if stem != "campaign":
            scenarios[CORE if raw.get("type") == CORE else str(raw.get("id"))] = (
                _scenario(raw)
            )
    # Steps a campaign puts into every side scenario: found where no scenario has them.
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
    """The words of one campaign, found where they are asked for.

    ``side`` among them are those of side scenarios that came with it; others may be
    beside them.
    """

    def __init__(self, words: Mapping[str, Any], side: Words | None = None) -> None:
        self._words = words
        self._scenarios: Mapping[str, Raw] = words.get("scenarios", {})
        self._log: Mapping[str, Mapping[str, str]] = words.get("log", {})
        self._items: Mapping[str, Mapping[str, str]] = words.get("achievements", {})
        self._side = Words(words["side"], side) if "side" in words else side

    def beside(self, side: Words) -> Words:
        """These words, and those of side scenarios where there are none here."""
        return Words(self._words, side)

    def item(self, achievement: str, item: str) -> str:
        """What an achievement calls one of its items; or nothing."""
        return self._items.get(achievement, {}).get(item, "")

    def step(self, scenario: str, step: str) -> Mapping[str, Any]:
        """Title, text, bullets and choices of a step; nothing where there is none."""
        return dict(next(self._steps(scenario, step), {}))

    def _steps(self, scenario: str, step: str) -> Iterator[Raw]:
        """The words of a step: in its scenario, then in the steps all share."""
        base = step.partition("#")[0]
        for place in (scenario.partition("#")[0], CORE):
            for scenarios in self._every_scenarios():
                found = scenarios.get(place, {}).get("steps", {}).get(base)
                if found is not None:
                    yield found

    def _every_scenarios(self) -> Iterator[Mapping[str, Raw]]:
        """The scenarios of the guide, then those of its side scenarios."""
        yield self._scenarios
        if self._side is not None:
            yield from self._side._every_scenarios()

    def choice(self, scenario: str, step: str, choice: str) -> str:
        """What a choice says, or nothing."""
        # A campaign adds choices to steps its side scenarios have themselves.
        choices = [each.get("choices", {}) for each in self._steps(scenario, step)]
        found = (each.get(name) for name in ids_of(choice) for each in choices)
        return next((str(each) for each in found if each is not None), "")

    def scenario(self, scenario: str) -> str:
        """The whole name of a scenario, or nothing."""
        named = (each.get(scenario, {}) for each in self._every_scenarios())
        return next((str(each["name"]) for each in named if each.get("name")), "")

    def resolution(self, scenario: str, resolution: str) -> Mapping[str, str]:
        """Title and text of a resolution; nothing where there is none."""
        for scenarios in self._every_scenarios():
            place = scenarios.get(scenario.partition("#")[0], {})
            found = place.get("resolutions", {}).get(resolution)
            if found is not None:
                return dict(found)
        return {}

    def lines(self, section: str) -> Mapping[str, str]:
        """The words of the lines of a section by their ids, with places to fill in.

        Those of side scenarios are not among them: nobody enters a log with them.
        """
        return dict(self._log.get(section, {}))

    def line(
        self, section: str, line_id: str, name: str = "", *counts: int | str
    ) -> str:
        """A line of the log, with a name and numbers in their places; or nothing."""
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
    """Section, id and words of every line the effects of a guide write."""
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
    """The words of an effect in the first form they have."""
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
