"""The words of a guide, apart from its structure: private to whoever brought them.

They are found by scenario and step, choice, resolution, and line of the log. Words are
untrusted markup (``<b>``, ``<i>``, ``[token]``); whoever shows them cleans them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.reading.fields import Raw

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
    log: dict[str, dict[str, str]] = {}
    for raw in stems.values():
        for section, line_id, text in log_lines(raw):
            log.setdefault(section, {}).setdefault(line_id, text)
    return {"scenarios": scenarios, "log": log}


class Words:
    """The words of one campaign, found where they are asked for."""

    def __init__(self, words: Mapping[str, Any]) -> None:
        self._scenarios: Mapping[str, Raw] = words.get("scenarios", {})
        self._log: Mapping[str, Mapping[str, str]] = words.get("log", {})

    def step(self, scenario: str, step: str) -> Mapping[str, Any]:
        """Title, text, bullets and choices of a step; nothing where there is none."""
        base = step.partition("#")[0]
        for place in (scenario.partition("#")[0], CORE):
            found = self._scenarios.get(place, {}).get("steps", {}).get(base)
            if found is not None:
                return dict(found)
        return {}

    def choice(self, scenario: str, step: str, choice: str) -> str:
        """What a choice says, or nothing."""
        return str(self.step(scenario, step).get("choices", {}).get(choice, ""))

    def resolution(self, scenario: str, resolution: str) -> Mapping[str, str]:
        """Title and text of a resolution; nothing where there is none."""
        place = self._scenarios.get(scenario.partition("#")[0], {})
        return dict(place.get("resolutions", {}).get(resolution, {}))

    def lines(self, section: str) -> Mapping[str, str]:
        """The words of the lines of a section by their ids, with places to fill in."""
        return dict(self._log.get(section, {}))

    def line(self, section: str, line_id: str, name: str = "", *counts: int) -> str:
        """A line of the log, with a name and numbers in their places; or nothing."""
        text = self._log.get(section, {}).get(line_id, "")
        if not text:
            text = self._log.get("$input_value", {}).get(line_id, "")
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
            str(step.get("id")): told
            for step in _items(raw, "steps")
            if (told := _step(step))
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
            str(each.get("id", each.get("condition"))): variant(each)
            or _text(each, "name")
            or _text(each, "prompt")
            for key in _CHOICES
            for each in _items(asked, key)
        }
    return {key: value for key, value in found.items() if value}


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
