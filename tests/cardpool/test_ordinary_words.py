"""Searches in ordinary words: conditions, names that contain such words, levels."""

from __future__ import annotations

import pytest

from cardpool.queries import read_search
from cardpool.search import searched_instead
from tests.cardpool.helpers import codes

pytestmark = pytest.mark.usefixtures("rows")


@pytest.mark.parametrize(
    ("words", "conditions"),
    [
        ("level 0", "level:0"),
        ("lvl 2", "level:2"),
        ("3 xp", "level:3"),
        ("level 2+", "level>=2"),
        ("level 1-3 rogue", "level:1-3 class:rogue"),
        ("guardian events level 2 or less", "class:guardian type:event level<=2"),
        ("3 xp or more", "level>=3"),
        ("cost 1 or lower ally slot", "cost<=1 slot:ally"),
        ("cost 2", "cost:2"),
        ("0 cost", "cost:0"),
        ("cost x", "cost:x"),
        ("seeker event", "class:seeker type:event"),
        ("seeker events", "class:seeker type:event"),
        ("fast events", "is:fast type:event"),
        ("events for seekers", "class:seeker type:event"),
        ("guardian skill", "class:guardian type:skill"),
        ("seeker mystic asset", "class:seeker|mystic type:asset"),
        ("permanent survivor cards", "is:permanent class:survivor"),
        ("basic weakness", "is:basic-weakness"),
        ("basic weaknesses", "is:basic-weakness"),
        ("arcane slot level 5", "slot:arcane level:5"),
        ("fight weapon level 0", "fight weapon level:0"),
        ("draw cards", "draw"),
        ("c:seeker level 0", "class:seeker level:0"),
        ("c:seeker|mystic", "class:seeker|mystic"),
        ("rogue cost:0 events", "class:rogue cost:0 type:event"),
        ("seker event", "class:seeker type:event"),
        ("gaurdian skills", "class:guardian type:skill"),
        ("rouge events lvl 0", "class:rogue type:event level:0"),
        ("fight wepon level 0", "fight weapon level:0"),
    ],
)
def test_ordinary_words_are_conditions(words: str, conditions: str) -> None:
    assert sorted(codes(words)) == sorted(codes(conditions))
    assert codes(conditions)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("beat cop 2", ["01028"]),
        ("Beat Cop (2)", ["01028"]),
        ("beat cop 0", ["01018"]),
        (".41 derringer 2", ["03234"]),
        ("peter sylvestre 2", ["02035"]),
        ("beat cop 2 class:guardian", ["01028"]),
        ("type:asset Beat Cop (2) sort:cost", ["01028"]),
    ],
)
def test_a_level_after_a_name_is_read(words: str, found: list[str]) -> None:
    assert codes(words) == found


def test_a_number_after_other_words_is_a_word() -> None:
    """No card is called “draw”; if Beat Cop has no level 4, both are shown."""
    assert sorted(codes("draw 2")) == sorted(codes('"draw" "2"'))
    assert codes("draw 2") != codes("draw level:2")
    assert codes("beat cop 4") == ["01018", "01028"]


def test_an_ambiguous_search_offers_both_readings() -> None:
    """“Guardian” and “asset” are words of other cards too, “seeker” and “event” not."""
    for words in ("guardian asset", "guardian asset sort:cost"):
        read = searched_instead(read_search(words))
        assert read == "Read as: class guardian, type asset."
    assert set(codes('"guardian" "asset"')) - set(codes("class:guardian type:asset"))
    for words in ("seeker event", "arcane slot level 5", "class:guardian type:asset"):
        assert searched_instead(read_search(words)) == ""


def test_a_name_made_of_such_words_is_a_name() -> None:
    assert codes("guardian angel") == codes('"guardian" "angel"') == ["07006"]
    named = codes("name:survivor")
    assert named
    assert codes("survivor")[: len(named)] == named
    assert set(codes("survivor")) == {*named, *codes("class:survivor")}
    assert codes("skill test")[:3] == codes('"skill" "test"')[:3]
    assert codes('"event"') != codes("event")
