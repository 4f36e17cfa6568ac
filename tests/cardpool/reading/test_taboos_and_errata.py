"""Taboo lists and errata, as published."""

from __future__ import annotations

from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import (
    Tag,
)
from cardpool.reading import SourceReading

# -- taboo lists --


def test_ten_lists_by_date(pool: CardPool) -> None:
    """Each complete in itself; reprints' entries are their originals'."""
    assert [(each.id, each.date) for each in pool.taboo_lists] == [
        (1, "2019-04-20"),
        (2, "2019-09-27"),
        (3, "2020-10-15"),
        (4, "2021-06-28"),
        (5, "2022-08-26"),
        (6, "2023-08-30"),
        (7, "2024-02-20"),
        (8, "2024-10-23"),
        (9, "2025-07-11"),
        (10, "2026-02-19"),
    ]
    latest = pool.taboo_lists[-1].changes
    assert "01573" not in latest
    assert latest["01073"].experience == 2


CHAINED = {
    **{"01073": 2, "06332": 2, "02108": 1, "02300": -2, "04305": 1, "05159": 3},
    **{"05231": 2, "07197": -2, "07308": -2, "60327": -1, "08099": 2, "09077": 2},
    **{"09108": 2, "09117": 1, "10031": 1, "10037": -2, "10060": 1, "10085": 2},
    **{"10098": 2, "11031": -2, "11055": 1, "11117": -2},
}


def test_latest_list_changes_experience(pool: CardPool) -> None:
    """FAQ 2.5, Chained and unchained: complete."""
    latest = pool.taboo_lists[-1].changes
    found = {c: each.experience for c, each in latest.items() if each.experience}
    assert found == CHAINED


def test_latest_list_changes_deckbuilding(pool: CardPool) -> None:
    """Forbidden, exceptional or not, campaign only, sheets, Mandy: and no more."""
    latest = pool.taboo_lists[-1].changes
    assert {c for c, each in latest.items() if each.deck_limit == 0} == {
        *("02026", "08076", "60233"),
    }
    assert {c for c, each in latest.items() if each.exceptional is not None} == {
        *("03315", "07268"),
    }
    assert latest["03315"].exceptional is True
    assert (latest["07268"].exceptional, latest["07268"].deck_limit) == (False, 1)
    assert {c for c, each in latest.items() if each.campaign_only} == {"08113"}
    assert {c for c, each in latest.items() if each.sheet} == {"09022", "09081"}
    assert {c for c, each in latest.items() if each.size or each.requirements} == {
        "06002"
    }
    plain = [each for each in latest.values() if not each.text_only]
    assert len(plain) == len(CHAINED) + 3 + 2 + 1 + 2 + 1


def test_mandy_under_taboo(pool: CardPool) -> None:
    """Fifty cards, three Occult Evidence, the class still to be chosen."""
    for number in range(5, 11):
        change = pool.taboo_lists[number - 1].changes["06002"]
        assert change.size == 50
        assert change.drops_choices == ("size",)
        assert change.options is None
        assert change.requirements is not None
        evidence, discovery = change.requirements
        assert (evidence.original, evidence.copies) == ("06008", 3)
        assert evidence.copies_by_size == ()
        assert (discovery.original, discovery.copies) == ("06009", 1)
    assert "06002" not in pool.taboo_lists[3].changes


def test_runic_axe_costs_more_and_keeps_its_boxes(pool: CardPool) -> None:
    """One experience more on one line; no list adds a box (it would add level)."""
    for number in range(6, 11):
        sheet = pool.taboo_lists[number - 1].changes["09022"].sheet
        assert sheet is not None
        assert {each.id: each.surcharge for each in sheet if each.surcharge} == {
            "inscription-of-the-hunt": 1
        }
        assert [each.boxes for each in sheet] == [1, 1, 1, 1, 1, 3, 3, 4]
    assert "09022" not in pool.taboo_lists[4].changes


def test_power_word_loses_mercy(pool: CardPool) -> None:
    """The sheet of the list has Cower in its place, which heals nobody."""
    sheet = pool.taboo_lists[-1].changes["09081"].sheet
    assert sheet is not None
    assert [each.id for each in sheet][:4] == ["betray", "cower", "confess", "distract"]
    assert sheet[1].tags == ()
    assert pool["09081"].sheet[1].tags == (Tag.HEALS_DAMAGE, Tag.HEALS_HORROR)


def test_dark_prophecy_keeps_its_own_text_in_the_jacqueline_fine_deck(
    reading: SourceReading,
) -> None:
    """The data gives number 17 the text of another card."""
    texts = reading.taboo_texts[10]
    assert texts["60417"] == texts["04032"]
    assert texts["60417"] != texts["04110"]


# -- errata --


def test_errata_by_version(pool: CardPool) -> None:
    """A card shows which FAQ brought its errata, and what about."""
    assert pool["01014"].errata == (
        ("1.0", "it has no level, which is not level 0"),
        ("1.9", "when its Forced ability works"),
    )
    assert pool["05282"].errata == (("1.9", "its trait: Trick"),)
    assert pool["05282"].traits == ("trick",)
    assert pool["01020"].errata == ()
    assert sum(bool(pool[code].errata) for code in pool) == 160


def test_corrected_traits_and_titles_are_in_the_data(pool: CardPool) -> None:
    """Row ERR-40: nothing is left to correct."""
    assert not {"lunatic", "human"} & pool.traits
    assert pool["02078"].traits == ("humanoid", "criminal", "elite")
    assert pool["10578"].traits == ("coastal", "cave")
    assert pool["03178"].traits == ()
    names = {pool[code].name for code in ("03095", "03096", "03184")}
    assert names == {"Seer of the Sign", "Puppet of Hastur", "Haunted Patient"}
