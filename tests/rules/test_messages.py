"""Sentences of findings use the right plural form in any language."""

from __future__ import annotations

import ast
import string
from pathlib import Path

import pytest

from arkham.rules.finding import (
    Finding,
    Language,
    Listing,
    Phrase,
    filled,
    gettext_noop,
    ngettext_noop,
)

RULES = Path(__file__).resolve().parents[2] / "arkham" / "rules"
MORE = ngettext_noop("{count} more finding.", "{count} more findings.", "count")


def _polish(one: str, many: str, number: int) -> str:
    """A plural with three forms, of which English has two."""
    if number == 1:
        return "jedno"
    return "kilka" if number % 10 in (2, 3, 4) else "wiele"


POLISH = Language(lambda message: f"[{message}]", _polish)


@pytest.mark.parametrize(
    ("number", "english", "polish"),
    [
        (1, "1 more finding.", "jedno"),
        (2, "2 more findings.", "kilka"),
        (5, "5 more findings.", "wiele"),
    ],
)
def test_a_count_chooses_the_plural_form(
    number: int, english: str, polish: str
) -> None:
    found = Finding(MORE, values=(("count", number),))
    assert found.text == english
    assert filled(found.message, found.values, POLISH) == polish


def test_phrases_are_translated_and_names_are_not() -> None:
    skill = Phrase(gettext_noop("a skill"))
    values = (("name", "Roland Banks"), ("wanted", Listing((skill, "Tome"))))
    assert filled("{name}: {wanted}", values) == "Roland Banks: a skill, Tome"
    assert (
        filled("{name}: {wanted}", values, POLISH) == "[Roland Banks: [a skill], Tome]"
    )


def _places(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def test_both_plural_forms_have_the_same_placeholders() -> None:
    """The number counted is one of them."""
    pairs = 0
    for module in RULES.rglob("*.py"):
        for node in ast.walk(ast.parse(module.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "ngettext_noop":
                one, many, by = (ast.literal_eval(each) for each in node.args)
                pairs += 1
                assert _places(one) == _places(many), many
                assert by in _places(many) or by == "count", many
    assert pairs > 40
