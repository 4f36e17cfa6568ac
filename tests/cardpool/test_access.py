"""Who may include a card, and by which option: the judge's own answers."""

from __future__ import annotations

import pytest

from arkham.rules.finding import english
from arkham.rules.snapshot import embedded_pool
from cardpool.access import Admission, admission, admissions, includable

POOL = embedded_pool()


def how(investigator: str, card: str) -> Admission | None:
    return admission(POOL, POOL[investigator], POOL[card])


def test_by_an_option_without_a_limit() -> None:
    found = how("01001", "01016")
    assert found is not None
    assert [(english(label), limit) for label, limit in found.options] == [
        ("Guardian and neutral cards, level 0–5", None)
    ]
    assert found.choices == ()
    assert not found.signature


def test_by_an_option_with_a_limit() -> None:
    found = how("02003", "01060")
    assert found is not None
    assert [limit for _label, limit in found.options] == [5]


def test_by_a_choice_at_deck_creation() -> None:
    one, either = how("06002", "01066"), how("06002", "01016")
    assert one is not None
    assert one.choices == ("mystic",)
    assert either is None


def test_two_classes_chosen_are_named_once_each() -> None:
    found = how("09018", "01060")  # Charlie Kane chooses two classes
    assert found is not None
    assert found.choices == ("mystic",)


def test_a_signature() -> None:
    found = how("01001", "01006")
    assert found is not None
    assert found.signature
    assert how("01002", "01006") is None


def test_the_investigators_of_a_card() -> None:
    names = [each.investigator.name for each in admissions(POOL, POOL["01006"])]
    assert names == ["Roland Banks", "Roland Banks", "Roland Banks"]  # and versions
    assert admissions(POOL, POOL["01118"]) == []  # an enemy of the encounter deck


def test_a_taboo_list_bars_what_it_forbids() -> None:
    jenny, card = POOL["02003"], "02026"
    assert card in includable(POOL, jenny, None)
    assert card not in includable(POOL, jenny, POOL.taboo_list("latest"))
    assert card in includable(POOL, jenny, POOL.taboo_list(1))


@pytest.mark.parametrize("card", ["01000", "01096", "01117", "06113", "01118"])
def test_weaknesses_and_story_and_bonded_cards_come_by_other_ways(card: str) -> None:
    assert card not in includable(POOL, POOL["01001"], None)
