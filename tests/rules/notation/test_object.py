"""ArkhamDB's JSON objects are read and written with every key in its order."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arkham.rules.deck import SheetMark
from arkham.rules.notation.arkhamdb_object import read_object, write_object
from arkham.rules.notation.exchanged import Counts, Experience, ObjectKind
from arkham.rules.notation.reading import Unreadable

# Objects as the site serves them, with the keys in its order.
DECKLIST: dict[str, Any] = {
    "id": 59663,
    "name": "Blood of Leo de Luca turns Marie Lambeau into a Rogue Mystic",
    "date_creation": "2026-02-01T22:38:59+00:00",
    "date_update": "2026-02-09T17:44:02+00:00",
    "description_md": "<center>…</center>",
    "user_id": 90427,
    "investigator_code": "05006",
    "investigator_name": "Marie Lambeau",
    "slots": {"01000": 1, "01063": 2, "11068a": 1, "60408": 2},
    "sideSlots": {"02191": 2, "60431": 2},
    "ignoreDeckLimitSlots": None,
    "version": "1.0",
    "xp": None,
    "xp_spent": None,
    "xp_adjustment": 0,
    "exile_string": None,
    "taboo_id": 9,
    "meta": "{}",
    "tags": "",
    "previous_deck": None,
    "next_deck": None,
}
META = {
    "alternate_front": "90024",
    "faction_selected": "mystic",
    "deck_size_selected": "40",
    "cus_09079": "0|1,2|2,5|1|02185^60332",
    "extra_deck": "01020,01020,01022",
    "attachment_03264": "01022,01025",
    "attachments_09077": "01020:12",
    "card_pool": "core,dwl",
    "card_pool_extension_1": "x",
    "annotation_01020": "Cut me first.",
    "sealed_deck": {"01020": 2},
    "banner_url": "https://example.org/a.png",
    "hidden_slots": None,
}
DECK: dict[str, Any] = DECKLIST | {
    "slots": {"01020": 2},
    "sideSlots": [],
    "ignoreDeckLimitSlots": {"01020": 1},
    "xp": 12,
    "xp_spent": 5,
    "xp_adjustment": -1,
    "exile_string": "02111,02111,03308",
    "taboo_id": None,
    "meta": json.dumps(META, separators=(",", ":")),
    "tags": "mystic multiplayer",
    "previous_deck": 59660,
    "next_deck": None,
    "problem": "too_few_cards",
}


@pytest.mark.parametrize("data", [DECKLIST, DECK], ids=["decklist", "deck"])
def test_an_object_survives_a_round_trip(data: dict[str, Any]) -> None:
    """Keys, their order and their values; ``meta`` is compared as JSON."""
    read = read_object(data)
    written = write_object(read.value)

    assert read.faults == ()
    assert list(written) == list(data)
    meta = json.loads(written.pop("meta"))
    assert meta == json.loads(data["meta"])
    assert written == {key: data[key] for key in written}


def test_every_key_is_read_into_its_field() -> None:
    """What the rules use, what people wrote, and what the site knows."""
    value = read_object(DECK).value

    assert value.deck.front == "90024"
    assert value.deck.sheets["09079"][2] == SheetMark(5, 1, ("02185", "60332"))
    assert value.deck.attachments == {
        "03264": {"01022": 1, "01025": 1},
        "09077": {"01020": 12},
    }
    assert value.annotations == {"01020": "Cut me first."}
    assert value.tags == ("mystic", "multiplayer")
    assert value.exiled == ("02111", "02111", "03308")
    assert value.experience == Experience(12, Counts.BALANCE, "", 5, -1)
    assert value.origin.kind is ObjectKind.DECK
    assert (value.origin.previous, value.origin.problem) == (59660, "too_few_cards")
    assert set(value.choices_kept) == {
        "attachment_03264", "card_pool_extension_1", "sealed_deck", "banner_url",
        "hidden_slots",
    }  # fmt: skip


def test_a_changed_choice_replaces_the_original_spelling() -> None:
    """A program's own spelling is kept as long as it is still true."""
    data = {
        "investigator_code": "05006",
        "slots": {},
        "meta": {"faction_selected": "Mystic", "attachment_03264": "01022", "amk": "x"},
    }
    value = read_object(data).value
    assert json.loads(write_object(value)["meta"]) == data["meta"]

    changed = replace(value, deck=value.deck._replace(choices={"class": "rogue"}))
    assert json.loads(write_object(changed)["meta"]) == {
        "amk": "x",
        "attachments_03264": "01022",
        "faction_selected": "rogue",
    }


def test_two_keys_for_one_thing_are_both_kept() -> None:
    """The last one applies when the deck is read."""
    for first, last in (("attachment", "attachments"), ("attachments", "attachment")):
        meta = {f"{first}_03264": "01020", f"{last}_03264": "01022"}
        data = {"investigator_code": "05006", "slots": {}, "meta": meta}
        value = read_object(data).value

        assert value.deck.attachments == {"03264": {"01022": 1}}
        assert json.loads(write_object(value)["meta"]) == meta
        assert read_object(write_object(value)).value == value


def test_attached_copies_beyond_the_most_there_may_be_are_reported() -> None:
    """Also where two entries of one card exceed them together."""
    meta = {"attachments_03264": "01020:6000,01020:6000"}
    with pytest.raises(Unreadable) as refused:
        read_object({"investigator_code": "05006", "slots": {}, "meta": meta})
    assert [each.found for each in refused.value.faults] == ["01020:6000"]


def test_an_invalid_value_is_reported_and_kept() -> None:
    """It affects neither the deck nor other keys."""
    data = {
        "investigator_code": "05006",
        "slots": {},
        "xp": "five",
        "tags": ["solo"],
        "uuid": "0-0",
    }
    read = read_object(data)

    assert [(each.pointer, each.text, each.expected) for each in read.faults] == [
        ("/tags", "This is a list in […].", "text or null"),
        ("/xp", "This is text.", "a whole number or null"),
    ]
    written = write_object(read.value)
    assert {key: written[key] for key in data if key != "slots"} == {
        key: data[key] for key in data if key != "slots"
    }
    assert read_object(written).value == read.value


@pytest.mark.parametrize(
    ("told", "experience"),
    [
        ("12 total", Experience(12, Counts.TOTAL)),
        ("7 gained", Experience(7, Counts.GAINED)),
        ("7 gained since 59660", Experience(7, Counts.GAINED, "59660")),
    ],
)
def test_experience_that_is_not_a_balance_is_kept_in_meta(
    told: str, experience: Experience
) -> None:
    """``xp`` stays empty, because programs would read it as a balance."""
    meta = json.dumps({"orne_experience": told}, separators=(",", ":"))
    data = DECKLIST | {"meta": meta, "xp_adjustment": 0}
    value = read_object(data).value

    assert value.experience == experience
    written = write_object(value)
    assert (written["xp"], written["meta"]) == (None, meta)


def test_meaningless_text_about_experience_is_kept() -> None:
    """Like any other unknown key."""
    value = read_object(DECKLIST | {"meta": '{"orne_experience":"lots"}'}).value

    assert value.experience == Experience()
    assert write_object(value)["meta"] == '{"orne_experience":"lots"}'


_OF_THE_DECK = {"sideSlots", "ignoreDeckLimitSlots", "meta", "taboo_id", "name"}
_CODE = st.sampled_from(["01020", "11068a", "99999", "", "a b", "x:y"])
_WORD = st.sampled_from(
    ["", "Mystic ", "01020,01020", "01022:3, 01025:0", "0|1,2|2,5|1|02185^60332",
     "3| 1", "1|1|b^a,0|0", "core, dwl", "7 gained since 3",
     "12 total", "-1 total", "lots"]
)  # fmt: skip
_KEYS_OF_META = st.sampled_from(
    [*META, "attachments_03264", "attachment_09077", "faction_1", "option_selected",
     "alternate_back", "transform_into", "cus_", "orne_experience", "x"]
)  # fmt: skip
_META = st.dictionaries(_KEYS_OF_META, st.one_of(_WORD, _WORD, st.none()))
_ENTRIES: st.SearchStrategy[Any] = st.one_of(
    st.none(), st.just([]), st.dictionaries(_CODE, st.integers(0, 12), max_size=3)
)
_ANY = st.one_of(
    st.none(), _WORD, st.integers(-3, 3), st.floats(allow_nan=False), st.just(["a"])
)


@given(
    st.fixed_dictionaries(
        {"investigator_code": _CODE, "slots": _ENTRIES.filter(lambda each: each)},
        optional={
            "sideSlots": _ENTRIES,
            "ignoreDeckLimitSlots": _ENTRIES,
            "meta": st.one_of(_META, _META.map(json.dumps)),
            "taboo_id": st.one_of(st.none(), st.integers(0, 9), st.just("005")),
            "name": st.one_of(st.none(), _WORD),
        }
        | dict.fromkeys({*DECK} - {"slots", "investigator_code"} - _OF_THE_DECK, _ANY),
    )
)
def test_a_readable_object_reads_the_same_after_writing(data: dict[str, Any]) -> None:
    """However it was spelled."""
    try:
        value = read_object(data).value
    except Unreadable:
        return
    written = write_object(value)
    again = read_object(written).value
    assert again == value
    assert write_object(again) == written
