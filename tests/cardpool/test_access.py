"""Who may include a card, and by which option, as the judge decides."""

from __future__ import annotations

import pytest

from arkham.rules.finding import english
from arkham.rules.snapshot import embedded_pool
from cardpool.access import Admission, admission, admissions, includable
from cardpool.queries import found_codes, read_search
from cardpool.relations import version_labels
from cardpool.search.lexicon import QueryError

POOL = embedded_pool()


def how(investigator: str, card: str) -> Admission | None:
    return admission(POOL, POOL[investigator], POOL[card])


def found_by(search: str) -> list[str]:
    return list(found_codes(read_search(search)))


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


def test_two_chosen_classes_are_named_once_each() -> None:
    found = how("09018", "01060")  # Charlie Kane chooses two classes
    assert found is not None
    assert found.choices == ("mystic",)


def test_a_signature_is_for_its_investigator() -> None:
    found = how("01001", "01006")
    assert found is not None
    assert found.signature
    assert how("01002", "01006") is None


def test_the_investigators_of_a_card() -> None:
    names = [each.investigator.name for each in admissions(POOL, POOL["01006"])]
    assert names == ["Roland Banks", "Roland Banks", "Roland Banks"]  # and versions
    assert admissions(POOL, POOL["01118"]) == []  # an enemy of the encounter deck


def test_a_forbidden_card_is_barred() -> None:
    jenny, card = POOL["02003"], "02026"
    assert card in includable(POOL, jenny, None)
    assert card not in includable(POOL, jenny, POOL.taboo_list("latest"))
    assert card in includable(POOL, jenny, POOL.taboo_list(1))


@pytest.mark.parametrize("card", ["01000", "01096", "01117", "06113", "01118"])
def test_weaknesses_and_story_and_bonded_cards_come_by_other_ways(card: str) -> None:
    assert card not in includable(POOL, POOL["01001"], None)


# -- the search --


@pytest.mark.usefixtures("rows")
def test_the_access_search_agrees_with_the_judge() -> None:
    may = set(found_by("access:01001"))
    assert {"01016", "01030", "01006", "90030"} <= may  # own class, seeker, signatures
    assert not {"01060", "01008", "01096", "03192"} & may


@pytest.mark.parametrize(
    ("search", "card", "included"),
    [
        ("access:02003", "01060", True),  # five of any class
        ("access:02003", "02154", False),  # above level 0
        ("access:06002", "01066", True),  # by the class chosen
        ("access:53010", "01060", None),
        ('access:"agnes baker"', "01060", True),
        ("access:agnes under:latest", "01060", True),
        ("access:05002 under:latest", "02026", False),
        ("access:jenny under:none", "02026", True),
        ("access:jenny under:latest", "02026", False),  # forbidden by taboo
        ("access:02002", "60233", True),
        ("access:89001", "06167", False),  # no permanents
    ],
)
@pytest.mark.usefixtures("rows")
def test_access_to_one_card(search: str, card: str, included: bool | None) -> None:
    if included is None:
        with pytest.raises(QueryError):
            found_by(search)
        return
    assert (card in found_by(search)) is included


def test_versions_of_an_investigator_are_distinguished() -> None:
    """By product, parallel, and class where the product is the same."""
    pool = embedded_pool()
    labels = version_labels(pool.investigators, pool)
    named = [(card.name, labels[card.code]) for card in pool.investigators]
    assert len(named) == len(set(named))
    assert ("Roland Banks", "Parallel (By the Book)") in named
    assert ("Sefina Rousseau", "") in named
