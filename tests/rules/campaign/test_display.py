"""What the victory display is worth, and what may not lie there."""

from __future__ import annotations

import pytest

from arkham.rules.campaign.display import (
    DISPLAY_RULES,
    Display,
    Displayed,
    Site,
    findings_of,
    vengeance,
    victory,
)
from tests.rules.campaign.guides import PROJECT

PRIEST = Displayed("01116", "Ghoul Priest", 2)
ATTIC = Displayed("01113", "Attic", 1, site=Site())
DELVE = Displayed("02111", "Delve Too Deep", 1)
SERPENT = Displayed("04136", "Harbinger", 1, 2)


def rules(*cards: Displayed, taboo: bool = False) -> list[str]:
    """The rules that speak."""
    return [each.rule for each in findings_of(Display(cards, taboo))]


def test_every_card_counts_once_for_everybody() -> None:
    assert victory(Display((PRIEST, ATTIC, DELVE))) == 4
    assert victory(Display()) == 0
    assert rules(PRIEST, ATTIC) == []


@pytest.mark.parametrize(
    ("site", "points"),
    [
        (Site(), 1),
        (Site(in_play=False), 0),
        (Site(revealed=False), 0),
        (Site(clues=1), 0),
    ],
)
def test_a_location_passes_three_tests(site: Site, points: int) -> None:
    card = ATTIC._replace(site=site)

    assert victory(Display((card,))) == points
    assert rules(card) == ([] if points else ["display.location"])


def test_vengeance_is_no_victory() -> None:
    display = Display((PRIEST, SERPENT))

    assert (victory(display), vengeance(display)) == (3, 2)


def test_what_stays_in_a_threat_area_gives_nothing() -> None:
    heretic = Displayed("05178", "Unfinished Business", 1, threat=True)

    assert victory(Display((heretic,))) == 0
    assert rules(heretic) == ["display.threat-area"]


def test_by_the_taboos_a_group_has_two_delve_too_deep() -> None:
    """Without them as many as were played."""
    assert rules(DELVE, DELVE, DELVE) == []
    assert rules(DELVE, DELVE, taboo=True) == []
    assert rules(DELVE, DELVE, DELVE, taboo=True) == ["display.taboo"]


def test_a_printed_limit_counts_by_title() -> None:
    one = Displayed("a", "Same", 1, limit=1)

    assert rules(one) == []
    assert rules(one, one._replace(code="b")) == ["display.limit"]


def test_each_rule_stands_in_the_docs() -> None:
    """With its sentence, rows and a citation."""
    page = (PROJECT / "docs" / "guides.md").read_text(encoding="utf-8")

    for rule in DISPLAY_RULES:
        assert f"| `{rule.id}` | {rule.sentence} |" in page
    assert all(rule.rows and rule.cites for rule in DISPLAY_RULES)
