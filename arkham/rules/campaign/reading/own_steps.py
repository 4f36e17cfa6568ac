"""The steps of our own guides, and their words.

A step that asks has ``ask``, which names the kind of prompt, one that depends on the
campaign ``if``, one that has another resolution take place ``resolve``; any other does
something, or is only read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from arkham.rules.campaign.model.guide import Ask, Branch, Plain, Resolve, Step
from arkham.rules.campaign.reading.cursor import Cursor, Raw
from arkham.rules.campaign.reading.effects import with_named_costs
from arkham.rules.campaign.reading.own_conditions import read_branch
from arkham.rules.campaign.reading.own_effects import read_batch
from arkham.rules.campaign.reading.own_prompts import Bags, read_prompt


class WordedStep(NamedTuple):
    """A step, and its words: title, text, bullets, encounter sets, citations …"""

    step: Step
    words: Raw


def read_steps(
    table: Cursor, key: str, bags: Bags, name: str
) -> tuple[dict[str, Step], Raw]:
    """Steps by their id, and their words; ``name`` is that of what they belong to."""
    steps: dict[str, Step] = {}
    words: Raw = {}
    for step_id, each in table.named(key, table.at).items():
        steps[step_id], words[step_id] = read_step(each, step_id, bags, name)
    return steps, words


def read_step(table: Cursor, step_id: str, bags: Bags, name: str) -> WordedStep:
    """One step; each has to cite where it stands."""
    kind = next((each for each in _READERS if each in table), "")
    step, choices = _READERS[kind](table, step_id, bags)
    words = {
        "title": table.text("title"),
        "text": table.text("text"),
        "bullets": list(table.words("bullets")),
        "prompt": table.text("question"),
        "choices": choices,
        "encounter_sets": list(table.words("gather")),
        "layout": _layout(table),
        "half": table.flag("half"),
        "cites": [_cited(each, name) for each in table.words("cites")],
    }
    if not words["cites"]:
        table.flaw("guide.missing", "cites", None, "where it stands")
    table.close()
    return WordedStep(step, {key: value for key, value in words.items() if value})


def _layout(table: Cursor) -> list[list[str]]:
    """Rows of locations as they are placed, "" for a gap; none if nothing says.

    With ``half`` a column is half as wide as a location.
    """
    rows = table.take("layout") or []
    is_table = type(rows) is list and all(type(row) is list for row in rows)
    if is_table and all(type(name) is str for row in rows for name in row):
        return list(rows)
    table.flaw("guide.wrong-type", "layout", rows, "rows of names")
    return []


def _cited(place: str, name: str) -> str:
    """“Resolution 1” with the name of its scenario; the FAQ is cited as it is."""
    return place if place.startswith("FAQ ") else f"{name}, {place}"


def _ask(table: Cursor, step_id: str, bags: Bags) -> tuple[Step, Raw]:
    asked = read_prompt(table, bags)
    return Ask(step_id, asked.prompt), dict(asked.choices)


def _branch(table: Cursor, step_id: str, bags: Bags) -> tuple[Step, Raw]:
    return Branch(step_id, read_branch(table), table.flag("loop")), {}


def _resolve(table: Cursor, step_id: str, bags: Bags) -> tuple[Step, Raw]:
    return Resolve(step_id, table.text("resolve"), read_batch(table)), {}


def _plain(table: Cursor, step_id: str, bags: Bags) -> tuple[Step, Raw]:
    batch = with_named_costs(read_batch(table))
    return Plain(step_id, batch, table.words("then")), {}


_READERS: dict[str, Callable[[Cursor, str, Bags], tuple[Step, Raw]]] = {
    "ask": _ask,
    "if": _branch,
    "resolve": _resolve,
    "": _plain,
}
