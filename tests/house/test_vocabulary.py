"""The rules speak the rulebook's language (docs/vocabulary.md)."""

from __future__ import annotations

import io
import re
import tokenize
from pathlib import Path

import pytest

RULES = Path(__file__).resolve().parents[2] / "arkham" / "rules"
# Where the words of other programs are read and written.
FOREIGN = {
    "notation",
    "snapshot.py",
    "reading",
    "app_names.py",
    "records",
    "replaying.py",
}
AVOIDED = {
    "faction": re.compile(r"faction", re.IGNORECASE),
    "xp": re.compile(r"\bxp\b(?!-)|_xp\b|\bxp_"),
    "violation": re.compile(r"violation", re.IGNORECASE),
    "valid deck": re.compile(r"\b(?:in)?valid deck", re.IGNORECASE),
    "undo": re.compile(r"\bundo", re.IGNORECASE),
    "token value": re.compile(r"token value", re.IGNORECASE),
}
FILES = sorted(
    path
    for path in RULES.rglob("*.py")
    if not FOREIGN.intersection(path.relative_to(RULES).parts)
)


def words(source: str) -> str:
    """Names, comments and strings of a module, without its citations of rows."""
    kinds = (tokenize.NAME, tokenize.COMMENT, tokenize.STRING)
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return "\n".join(token.string for token in tokens if token.type in kinds)


def test_the_words_to_avoid_are_found_where_they_stand() -> None:
    found = [
        word for word, form in AVOIDED.items() if form.search(words("xp = faction"))
    ]
    assert found == ["faction", "xp"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(RULES)))
def test_rules_use_the_words_of_the_rulebook(path: Path) -> None:
    text = words(path.read_text(encoding="utf-8"))
    assert [word for word, form in AVOIDED.items() if form.search(text)] == []
