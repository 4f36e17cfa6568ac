"""What docstrings, comments and templates point to is there, and may be pointed to."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
POINTED = re.compile(r"``((?:arkham|campaigns|cardpool|decks|tests|bench)\.[\w.]+)``")
SOURCES = sorted(
    path
    for folder in ("arkham", "bench", "campaigns", "cardpool", "decks", "tests")
    for path in (PROJECT / folder).rglob("*.py")
)
# Apps from the lowest to the highest: templates load tags of their own or lower ones.
FLOORS = ("cardpool", "decks", "campaigns")
LOADED = re.compile(r"{% load ([^%]*)%}")


def is_there(name: str) -> bool:
    """Whether a dotted name is a module, or something in one."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:length]))
        except ImportError:
            continue
        for part in parts[length:]:
            if not hasattr(found, part):
                return False
            found = getattr(found, part)
        return True
    return False


def test_modules_that_are_named_exist() -> None:
    """``package.module`` in any docstring or comment."""
    dangling = [
        f"{path.relative_to(PROJECT)}: {name}"
        for path in SOURCES
        for name in POINTED.findall(path.read_text("utf-8"))
        if not is_there(name)
    ]
    assert dangling == []


@pytest.mark.parametrize("app", FLOORS[:-1])
def test_templates_load_no_tags_of_a_higher_app(app: str) -> None:
    """A deck doesn't know its campaign, on its pages as in its code."""
    higher = set(FLOORS[FLOORS.index(app) + 1 :])
    loading = [
        f"{path.relative_to(PROJECT)}: {loaded}"
        for path in sorted((PROJECT / "templates" / app).rglob("*.html"))
        for loaded in LOADED.findall(path.read_text("utf-8"))
        if higher & set(loaded.split())
    ]
    assert loading == []


def test_templates_of_decks_name_no_campaigns() -> None:
    """Neither an address nor a template of theirs."""
    assert [
        path.name
        for path in sorted((PROJECT / "templates" / "decks").rglob("*.html"))
        if re.search(r'"campaigns[:/]', path.read_text("utf-8"))
    ] == []


def test_no_default_of_a_template_looks_into_what_may_be_none() -> None:
    """``|default:a.b`` raises where ``a`` is None, whether or not it is needed."""
    looked_into = re.compile(r"\|default(?:_if_none)?:[a-z_]+\.[a-z]")
    assert [
        f"{path.name}: {found}"
        for path in sorted((PROJECT / "templates").rglob("*.html"))
        for found in looked_into.findall(path.read_text("utf-8"))
    ] == []
