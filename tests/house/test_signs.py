"""The signs can be drawn, and heard."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from arkham.emblems import emblem_paths
from arkham.rules.campaign.by_hand.facts import DATA
from arkham.signs import SIGNS
from arkham.templatetags.arkham import emblem, level, ornament, sign
from tests.rules.campaign.facts.home_made import HOME_MADE


@pytest.mark.parametrize("name", SIGNS)
def test_a_sign_is_well_formed_and_has_a_name(name: str) -> None:
    """It says its title, takes the colour of the text, and carries no style."""
    drawn = ElementTree.fromstring(str(sign(name)))  # noqa: S314

    assert drawn.get("role") == "img"
    assert drawn.findtext("title")
    assert {part.get("class") for part in drawn.findall("g")} <= {"stroke", "fill"}
    assert "style=" not in str(sign(name))


def test_a_sign_beside_its_word_is_silent() -> None:
    """A screen reader would say it twice."""
    assert 'aria-hidden="true"' in sign("guardian", "")
    assert "<title>" not in sign("guardian", "")


def test_a_sign_may_say_something_else() -> None:
    """Escaped, whoever wrote it."""
    assert "<title>2 &lt; 3</title>" in sign("guardian", "2 < 3")


def test_there_is_no_unknown_sign() -> None:
    """A misspelt name fails in the first test that draws the page."""
    with pytest.raises(KeyError):
        sign("gardian")


@pytest.mark.parametrize(
    ("number", "spoken", "filled"), [(0, "Level 0", 0), (3, "Level 3", 3)]
)
def test_a_level_is_pips_and_a_word(number: int, spoken: str, filled: int) -> None:
    """As many pips as the level says: none for level 0, which only is heard."""
    pips = level(number)

    assert spoken in pips
    assert (pips.count('class="on"'), pips.count("<i ")) == (filled, filled)


def test_no_level_is_no_pips() -> None:
    """Weaknesses and signatures have none, which is not level 0."""
    assert "No level" in level(None)
    assert "<i " not in level(None)


def test_every_campaign_has_an_emblem_of_its_own() -> None:
    """Imported ones and those a group invents get a sheet of paper, and no others."""
    ids = sorted({each.stem for each in DATA.glob("*.json")} - {HOME_MADE})
    drawn = {each: emblem_paths(each) for each in ids}

    assert len(ids) > 20
    assert len(set(drawn.values())) == len(ids)
    assert emblem_paths("own") not in drawn.values()
    assert emblem_paths("own") == emblem_paths(HOME_MADE)
    for each in ids:
        ElementTree.fromstring(str(emblem(each)))  # noqa: S314


def test_a_monogram_stands_before_the_ornament_of_a_class() -> None:
    """Escaped as anything else."""
    drawn = str(ornament("seeker", "D<"))

    assert 'class="arms seeker"' in drawn
    assert ">D&lt;</text>" in drawn
