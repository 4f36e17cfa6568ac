"""Every ultimatum, boon and refraction there is: what it touches, where it is shown."""

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


def test_there_are_nineteen_nine_and_eighteen() -> None:
    kinds = [each.kind for each in ULTIMATUMS.values()]
    assert kinds.count(UltimatumKind.ULTIMATUM) == 19
    assert kinds.count(UltimatumKind.BOON) == 9
    kinds = [each.kind for each in REFRACTIONS.values()]
    assert kinds.count(UltimatumKind.ULTIMATUM) == 13
    assert kinds.count(UltimatumKind.BOON) == 5
    assert [each.row for each in ALL.values()] == [
        f"ULT-{number:02}" for number in range(1, 47)
    ]


def test_the_campaign_only_ones() -> None:
    """ULT-00b names eight."""
    assert {each.id for each in ALL.values() if each.campaign_only} == {
        "finality", "induction", "scream", "survival", "ultimatums", "spiral",
        "ancients", "persephone",
    }  # fmt: skip


@cache
def _used() -> frozenset[str]:
    """Every name that code of ours reads, and not only defines."""
    return frozenset(
        node.id if isinstance(node, ast.Name) else node.attr
        for folder in ("arkham", "campaigns", "decks")
        for path in (PROJECT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load)
    )


@pytest.mark.parametrize("each", ALL.values(), ids=lambda each: each.id)
def test_what_enforces_it_is_there(each: Any) -> None:
    """A rule by its id, or what the rules themselves use; at some moment it is shown.

    What only tests call enforces nothing.
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


def test_what_touches_decks_bag_experience_or_trauma_is_enforced() -> None:
    for each in ALL.values():
        if set(each.touches) & set(ENFORCED):
            assert each.by, each.id


def test_refractions_belong_to_campaigns_that_are_there() -> None:
    """And to their scenarios; a Return to is the campaign it returns to."""
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


def test_each_is_shown_when_it_matters() -> None:
    names = ["venom", "finality", "agony"]
    assert [each.id for each in shown(UltimatumMoment.END, names)] == [
        "finality",
        "venom",
    ]
    assert [each.id for each in shown(UltimatumMoment.PLAY, names)] == ["agony"]
    assert shown(UltimatumMoment.SETUP, names) == ()


def test_each_rule_stands_in_the_docs() -> None:
    """With its sentence, rows and a citation."""
    page = (PROJECT / "docs" / "guides.md").read_text(encoding="utf-8")

    for rule in ULTIMATUM_CHOICE_RULES:
        assert f"| `{rule.id}` | {rule.sentence} |" in page
    assert all(rule.rows and rule.cites for rule in ULTIMATUM_CHOICE_RULES)


def test_what_they_do_stands_in_their_table() -> None:
    """Each effect belongs to one of them and is asked for; no code asks for an id."""
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
