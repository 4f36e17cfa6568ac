"""Read the lines of the log from the field's guides: owner, section and phrase.

Most lines belong to the table. A task belongs to one investigator, some lines name a
person, and a section of days has one line at a time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from arkham.rules.campaign.by_hand.facts import NAME
from arkham.rules.campaign.reading.files import log_lines, variant
from tests.rules.campaign.facts.log import objects

Raw = Mapping[str, Any]
LONGEST_PHRASE = 100
_MARKUP = re.compile(r"</?[a-z]+>|[*_]")
_PLACEHOLDER = re.compile(r"#[A-Za-z]+#|[<>\[\]{}\n]")
_SIGN = re.compile(r"(?<!\s)\s*+\(\[[a-z]++\]\)")
# Sections whose lines have no phrase, or that only the guide uses.
_NO_LINES = frozenset({"supplies", "partner", "scarlet_keys", "header"})
_OF_EACH = "investigator_count"  # whose lines are tasks, each of one investigator
_TICKED_BY_EACH = "investigator_checklist"
_DAYS = frozenset({"current_day"})
# Values for lines in which the table decides who is named.
_SOMEBODY = frozenset(
    {
        "$input_value",
        "$lead_investigator",
        "$defeated_investigators",
        "$not_resigned",
        "$all_investigators",
    }
)


class Listed(NamedTuple):
    """Lines that a scenario may record, as sections and ids.

    Lines of the table, lines that name a person, and tasks of one investigator.
    """

    lines: list[list[str]]
    named: list[list[str]]
    tasks: list[list[str]]


class Lines:
    """All lines of a campaign, collected by section and id."""

    def __init__(self, kinds: Mapping[str, str], names: Mapping[str, str]) -> None:
        self._kinds = kinds
        self._names = names
        self._listed = {name for name, kind in kinds.items() if kind not in _NO_LINES}
        self.phrases: dict[str, dict[str, str]] = {}
        self.days: dict[str, dict[str, str]] = {}

    def of(self, *raws: Raw) -> Listed:
        """Return the lines that a scenario may record, in own or shared steps."""
        lines: list[list[str]] = []
        named: list[list[str]] = []
        tasks: list[list[str]] = []
        for section, line_id, text in log_lines(list(raws)):
            if section in _DAYS and section in self._kinds:
                told = _SIGN.sub("", text)
                self.days.setdefault(section, {})[line_id] = told
            elif self._kinds.get(section) == _OF_EACH:
                if self._add(section, line_id, text.rpartition(" - ")[2].rstrip(":")):
                    tasks.append([section, line_id])
            elif self._add(section, line_id, text):
                lines.append([section, line_id])
        for section, line_id, text, is_named in self._naming(list(raws)):
            if self._add(section, line_id, text, (NAME,) if is_named else ()):
                (named if is_named else lines).append([section, line_id])
        of_somebody = [each for each in lines if each in named]
        return Listed(
            _sorted(each for each in lines if each not in of_somebody),
            _sorted(named),
            _sorted(tasks),
        )

    def _naming(self, raws: list[Raw]) -> Iterator[tuple[str, str, str, bool]]:
        """Yield lines with a name, chosen by the table or fixed by the guide."""
        for part in objects(raws):
            if part.get("type") != "campaign_log_cards" or part.get("cross_out"):
                continue
            section, line_id = str(part.get("section")), str(part.get("id", ""))
            text, who = (
                part.get("nonbinary_text") or variant(dict(part)),
                part.get("cards"),
            )
            codes: list[str] = part.get("codes") or []
            if who == "$fixed_codes" and len(codes) == 1 and codes[0] in self._names:
                yield section, line_id, text.replace(NAME, self._names[codes[0]]), False
            elif not who and line_id in self._names:
                yield section, line_id, self._names[line_id], False
            elif who in _SOMEBODY and self._is_of_somebody(section, text):
                yield section, line_id, text, True

    def _is_of_somebody(self, section: str, text: str) -> bool:
        """Return whether a line is about a person, not a list that ends in a name."""
        if self._kinds.get(section) == _TICKED_BY_EACH:
            return bool(text)
        return NAME in text and not text.endswith(NAME)

    def _add(
        self, section: str, line_id: str, text: str, filled: tuple[str, ...] = ()
    ) -> bool:
        """Add the phrase of a line if it is short and has no other placeholders."""
        bare = text
        for place in filled:
            bare = bare.replace(place, "")
        if section not in self._listed or not _is_plain(bare):
            return False
        if line_id.startswith("$"):
            return False
        phrase = " ".join(_MARKUP.sub("", text).split())
        self.phrases.setdefault(section, {}).setdefault(line_id, phrase)
        return True


def _is_plain(text: str) -> bool:
    plain = " ".join(_MARKUP.sub("", text).split())
    return (
        bool(plain) and len(plain) <= LONGEST_PHRASE and not _PLACEHOLDER.search(plain)
    )


def _sorted(places: Iterator[list[str]] | list[list[str]]) -> list[list[str]]:
    """Return the places sorted, each once."""
    return [list(each) for each in sorted({(a, b) for a, b in places})]
