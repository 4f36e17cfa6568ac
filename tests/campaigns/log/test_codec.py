"""Entries of a log as JSON: readable for ever, reversible, refused with their place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from arkham.rules.campaign.state.answers import Answer
from arkham.rules.notation.reading import Unreadable
from campaigns.log import entries
from campaigns.log.entries import Entry
from tests.campaigns.helpers.entries import FIXTURES, answers, facts

TEXT = "a text of at most 2,000 characters"


@given(answers | facts)
def test_an_entry_survives_a_round_trip(entry: Entry) -> None:
    """Through a database's JSON, which may reorder keys."""
    encoded = entries.encode(entry)
    text = json.dumps(encoded.payload, sort_keys=True)

    assert entries.decode(encoded.kind, encoded.version, json.loads(text), 7) == entry


def test_the_order_of_investigators_is_kept() -> None:
    """A database sorts the keys of an object; the first named may lead."""
    entry = Answer("string_choices", "one", "who", {"60301": ("a",), "01001": ("b",)})
    payload = json.loads(json.dumps(entries.encode(entry).payload, sort_keys=True))
    found = entries.decode("string_choices", 1, payload)

    assert isinstance(found, Answer)
    assert list(found.value) == ["60301", "01001"]


def test_an_object_is_accepted_for_pairs() -> None:
    """As programs send it."""
    payload = {"scenario": "one", "step": "who", "value": {"01001": ["lead"]}}

    assert entries.decode("string_choices", 1, payload) == Answer(
        "string_choices", "one", "who", {"01001": ("lead",)}
    )


def fixtures() -> list[Path]:
    return sorted(FIXTURES.glob("*.json"))


@pytest.mark.parametrize("path", fixtures(), ids=lambda path: path.stem)
def test_entries_of_every_version_are_readable(path: Path) -> None:
    """Each file is named for its kind and version, and never changes.

    A third word distinguishes variants of one version. Optional members that were added
    later, such as an answer's reason, are missing.
    """
    kind, version = path.name.split(".")[:2]
    written = json.loads(path.read_text())
    found = entries.decode(kind, int(version), written["payload"], 7)

    assert repr(found).replace(", reason='')", ")") == "".join(written["reads"])


def test_every_kind_has_a_fixture_of_every_version() -> None:
    """Including the current one."""
    wanted = {
        f"{kind}.{version}"
        for kind in [*entries.VALUES, *entries.OTHERS]
        for version in range(1, entries.version_of(kind) + 1)
    }

    found = {".".join(path.name.split(".")[:2]) for path in fixtures()}
    assert found == wanted


def test_names_of_effects_never_change() -> None:
    """Logs contain them."""
    assert sorted(entries.EFFECTS) == [
        "add_card", "add_weakness", "assign_task", "backup", "banish", "bank",
        "bank_cards", "bind_key", "card_count", "defeated", "earn_experience",
        "embark", "gain_supplies", "hub_step", "join_scenario", "lead",
        "log_cards", "log_count", "log_line", "log_text", "lose_supplies",
        "map_change", "next_scenario", "outcome", "partner_status",
        "played_before", "players", "redirect", "remove_card", "replace_card",
        "replay_scenario", "retire", "scenario_status", "seat_count",
        "set_difficulty", "set_result", "set_scenarios", "shown",
        "skip_scenario", "swap_bag", "task_count", "tokens", "trauma", "travel",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "payload", "pointer", "expected"),
    [
        ("count", {"scenario": "one", "value": "3"}, "/value", "a whole number"),
        ("count", {"scenario": "one", "value": True}, "/value", "a whole number"),
        ("count", {"value": 3}, "/scenario", "a value"),
        ("count", {"scenario": "one", "value": 3, "x": 1}, "", "nothing called x"),
        (
            "count",
            {"scenario": "one", "value": 9_999_999},
            "/value",
            "a whole number from -1,000,000 to 1,000,000",
        ),
        ("text", {"scenario": "a", "value": "\x00"}, "/value",
         "text without the character U+0000"),
        (
            "string_choices",
            {"scenario": "one", "value": [["01001", "lead"]]},
            "/value/0/1",
            "a list",
        ),
        (
            "string_choices",
            {"scenario": "one", "value": {"01001": ["lead"], "01002": [3]}},
            "/value/01002/0",
            TEXT,
        ),
        (
            "string_choices",
            {"scenario": "one", "value": [["01001", []], ["01001", []]]},
            "/value",
            "each key once",
        ),
        (
            "stated",
            {"scenario": "one", "effect": {"effect": "trauma", "who": "all", "x": 1}},
            "/effect",
            "nothing called x",
        ),
        (
            "stated",
            {
                "scenario": "one",
                "effect": {"effect": "earn_experience", "who": "all", "bonus": "2"},
            },
            "/effect/bonus",
            "a whole number",
        ),
        ("stated", {"scenario": "one", "effect": 7}, "/effect", "a {…} block"),
        ("drawn", {"scenario": "a", "step": "b", "record": 1}, "/record",
         "a {…} block"),
        ("retracted", {"target": None}, "/target", "a whole number"),
        ("text", {"scenario": "a", "value": "x" * 2_001}, "/value", TEXT),
        ("text", {"scenario": 7, "value": "x"}, "/scenario", TEXT),
        ("decision", {"scenario": "a", "value": 1}, "/value", "true or false"),
        (
            "choice_list",
            {"scenario": "a", "value": [["x", [1] * 401]]},
            "/value/0/1",
            "a list of at most 400",
        ),
        ("choice_list", {"scenario": "a", "value": [["x"]]}, "/value/0", "a list of 2"),
    ],
)  # fmt: skip
def test_faults_have_a_message_and_a_pointer(
    kind: str, payload: Any, pointer: str, expected: str
) -> None:
    with pytest.raises(Unreadable) as refused:
        entries.decode(kind, 1, payload)

    (fault,) = refused.value.faults
    assert (fault.pointer, fault.expected) == (pointer, expected)
    missing = kind == "count" and "scenario" not in payload
    said = "This is missing." if missing else "This isn’t what we expect here."
    assert fault.text == said


@pytest.mark.parametrize(
    ("kind", "version", "payload", "pointer"),
    [
        ("nothing", 1, {}, "/kind"),
        ("count", 2, {}, "/version"),
        ("count", 0, {}, "/version"),
        ("count", 1, [], ""),
        ("retracted", 1, {"target": 1, "sequence": 3}, ""),
    ],
)
def test_unknown_kinds_and_versions_are_refused(
    kind: str, version: int, payload: Any, pointer: str
) -> None:
    """And a sequence, which is no part of an entry."""
    with pytest.raises(Unreadable) as refused:
        entries.decode(kind, version, payload)

    assert refused.value.faults[0].pointer == pointer


def test_an_earlier_version_is_migrated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Step by step, to the current one."""
    monkeypatch.setitem(entries.VERSIONS, "count", 3)
    monkeypatch.setitem(
        entries.UPCASTS, ("count", 1), lambda old: {**old, "value": old["number"]}
    )
    monkeypatch.setitem(
        entries.UPCASTS,
        ("count", 2),
        lambda old: {key: each for key, each in old.items() if key != "number"},
    )

    assert entries.decode("count", 1, {"scenario": "one", "number": 4}) == Answer(
        "count", "one", "", 4
    )
