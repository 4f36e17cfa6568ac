"""Names of cards in double brackets become links in players' notes."""

from __future__ import annotations

import pytest

from arkham.rules.snapshot import embedded_pool
from cardpool.markup import MOST_NAMED, with_card_links
from cardpool.templatetags.cards import card_notes

POOL = embedded_pool()


@pytest.mark.parametrize(
    ("said", "becomes"),
    [
        ("[[Machete]]", "[Machete](/cards/01020/)"),
        ("[[machete]] and [[01020]]", "[machete](/cards/01020/) and "
         "[01020](/cards/01020/)"),
        ("[[Lucky! (2)]]", "[Lucky! (2)](/cards/01084/)"),
        ("[[Nothing like it]]", "Nothing like it (no card has this name)"),
        ("`[[Machete]]`", "`[[Machete]]`"),
        ("```\n[[Machete]]\n```", "```\n[[Machete]]\n```"),
        ("[[Machete]](elsewhere)", "[[Machete]](elsewhere)"),
        ("[[*x*]]", "\\*x\\* (no card has this name)"),
    ],
)  # fmt: skip
def test_a_name_links_to_its_card(said: str, becomes: str) -> None:
    """However it is spelt; code and other links stay as they are."""
    assert with_card_links(said, POOL) == becomes


def test_a_name_of_several_cards_offers_each() -> None:
    """By level or by what else distinguishes them."""
    found = with_card_links("[[Lucky!]]", POOL)
    assert found.startswith("Lucky! (which one? ")
    assert "[(0)](/cards/01080/)" in found
    assert "[(2)](/cards/01084/)" in found
    assert "which one?" in with_card_links("[[Roland Banks]]", POOL)


def test_html_in_a_name_is_escaped(db: None) -> None:
    """Whatever is in the brackets."""
    shown = card_notes("[[<script>alert(1)</script>]] [[Machete]]")
    assert "<script" not in shown
    assert '<a href="/cards/01020/"' in shown


def test_the_number_of_names_is_limited() -> None:
    """Further ones stay as they were written."""
    found = with_card_links("[[Machete]] " * (MOST_NAMED + 2), POOL)
    assert found.count("/cards/01020/") == MOST_NAMED
    assert found.count("[[Machete]]") == 2
