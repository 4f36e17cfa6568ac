"""All ultimatums, boons and refractions: what they affect and where they are shown."""

from __future__ import annotations

import ast
import re
from functools import cache
from importlib import import_module
from typing import Any

import pytest

from arkham.rules.campaign.judging.ultimatum_choice import ULTIMATUM_CHOICE_RULES
from arkham.rules.library.links import all_checks
from arkham.rules.ultimatums import (
    ALL,
    REFRACTIONS,
    ULTIMATUMS,
    Touch,
    UltimatumEffect,
    UltimatumKind,
    UltimatumMoment,
    belongs,
    causing,
    shown,
)
from tests.rules.campaign.helpers.guides import PROJECT, shared_library

# -- the table --


def test_all_ultimatums_boons_and_refractions_are_listed() -> None:
    kinds = [each.kind for each in ULTIMATUMS.values()]
    assert kinds.count(UltimatumKind.ULTIMATUM) == 19
    assert kinds.count(UltimatumKind.BOON) == 9
    kinds = [each.kind for each in REFRACTIONS.values()]
    assert kinds.count(UltimatumKind.ULTIMATUM) == 13
    assert kinds.count(UltimatumKind.BOON) == 5
    assert [each.row for each in ALL.values()] == [
        f"ULT-{number:02}" for number in range(1, 47)
    ]


def test_eight_ultimatums_are_for_campaigns_only() -> None:
    """ULT-00b."""
    assert {each.id for each in ALL.values() if each.campaign_only} == {
        "finality", "induction", "scream", "survival", "ultimatums", "spiral",
        "ancients", "persephone",
    }  # fmt: skip


@cache
def _used() -> frozenset[str]:
    """Return every name that our code uses, not only defines."""
    return frozenset(
        node.id if isinstance(node, ast.Name) else node.attr
        for folder in ("arkham", "campaigns", "decks")
        for path in (PROJECT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load)
    )


@pytest.mark.parametrize("each", ALL.values(), ids=lambda each: each.id)
def test_each_ultimatum_is_enforced_by_existing_code(each: Any) -> None:
    """By a rule's id, or a function that the rules use; it is shown at some moment.

    Code that only tests call enforces nothing.
    """
    for name in each.by:
        if name in all_checks():
            continue
        module, _, function = name.rpartition(".")
        assert hasattr(import_module(f"arkham.rules.{module}"), function)
        assert function in _used(), name
    assert each.touches
    assert each.moments
    assert each.effect.endswith(".")
    assert each.cites[0].section == each.name


ENFORCED = (
    Touch.DECKS, Touch.WEAKNESSES, Touch.BAG, Touch.EXPERIENCE, Touch.TRAUMA,
)  # fmt: skip


def test_ultimatums_about_decks_bag_experience_or_trauma_are_enforced() -> None:
    for each in ALL.values():
        if set(each.touches) & set(ENFORCED):
            assert each.by, each.id


def test_refractions_belong_to_known_campaigns() -> None:
    """And to their scenarios; a Return to counts as its original."""
    guides = shared_library().guides
    for each in REFRACTIONS.values():
        assert set(each.scenarios) <= guides[each.campaign].scenarios.keys(), each.id
    assert belongs(ALL["venom"], "rttfa")
    assert not belongs(ALL["venom"], "dwl")
    assert belongs(ALL["death"], "ptc", "the_pallid_mask")
    assert not belongs(ALL["death"], "ptc", "dim_carcosa")
    for each in REFRACTIONS.values():
        returned = guides.get(f"rt{each.campaign}")
        if returned is None:
            continue
        for scenario in each.scenarios:
            assert f"return_to_{scenario}" in returned.scenarios
            assert belongs(each, returned.id, f"return_to_{scenario}")
    assert belongs(ALL["agony"], "dwl", "anything")


def test_ultimatums_are_shown_when_they_matter() -> None:
    names = ["venom", "finality", "agony"]
    assert [each.id for each in shown(UltimatumMoment.END, names)] == [
        "finality",
        "venom",
    ]
    assert [each.id for each in shown(UltimatumMoment.PLAY, names)] == ["agony"]
    assert shown(UltimatumMoment.SETUP, names) == ()


def test_each_rule_is_in_the_docs() -> None:
    """With its sentence; it has rows and a citation."""
    page = (PROJECT / "docs" / "guides.md").read_text(encoding="utf-8")

    for rule in ULTIMATUM_CHOICE_RULES:
        assert f"| `{rule.id}` | {rule.sentence} |" in page
    assert all(rule.rows and rule.cites for rule in ULTIMATUM_CHOICE_RULES)


def test_effects_of_ultimatums_are_in_their_table() -> None:
    """Each effect belongs to one of them and is used; no code checks an id."""
    paths = [
        path
        for folder in ("arkham", "decks", "campaigns")
        for path in (PROJECT / folder).rglob("*.py")
        if path.name != "ultimatums.py" or path.parent.name != "rules"
    ]
    text = "".join(path.read_text("utf-8") for path in paths)
    for effect in UltimatumEffect:
        assert causing(effect), effect
        assert f"UltimatumEffect.{effect.name}" in text, effect
    assert not re.findall(r'"[a-z-]+" (?:not )?in [\w.]*ultimatums\b', text)
    assert not re.findall(rf'== "(?:{"|".join(ALL)})"', text)
