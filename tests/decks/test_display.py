"""A judged deck as it is shown: rows under headings, findings with remedies."""

from __future__ import annotations

from typing import Any

import pytest

from arkham.rules.legality import DECK_RULES, judge_of
from arkham.rules.snapshot import embedded_pool
from arkham.rules.upgrade import UPGRADE_RULES
from decks.lists.content import read_content
from decks.lists.editing import Edit, Misread, apply, read_edits
from decks.lists.starter import starter_deck
from decks.pages.arrangement import DeckArrangement
from decks.pages.display import Judged
from decks.pages.figures import figures
from decks.pages.notes import _SPECIAL
from decks.pages.terms import summary

POOL = embedded_pool()
JUDGE = judge_of(POOL)


def _judged(investigator: str = "01001", **keys: Any) -> Judged:
    deck = {"investigator_code": investigator, "slots": {}, **keys}
    return Judged(read_content(deck), JUDGE)


def _told(**circumstances: Any) -> Judged:
    deck = {"investigator_code": "01001", "slots": {"01020": 2}}
    return Judged(read_content({"deck": deck, "circumstances": circumstances}), JUDGE)


def test_unspecified_terms_have_no_name() -> None:
    """Unspecified, none and a value are three cases."""
    assert summary(_told()) == [
        "No taboo list",
        "Campaign under way",
        "Every product",
    ]
    assert summary(_told(taboo="none", environment="legacy")) == [
        "No taboo list",
        "Campaign under way",
        "Legacy: every product",
    ]
    assert summary(_told(taboo="2019-04-20"))[0] == "Taboos of 2019-04-20"
    newest = POOL.taboo_lists[-1].date
    assumed = _told(rulings={"taboo.unnamed": "latest"})
    assert summary(assumed)[0] == f"Taboos of {newest}"


def test_a_list_that_names_products_is_not_legacy() -> None:
    """They are its environment unless another is set."""
    named = _judged(meta={"card_pool": "core,dwl"})
    assert summary(named)[2] == "Products: Core Set, The Dunwich Legacy"
    many = _judged(meta={"card_pool": "core,cycle:dwl,cycle:ptc,tskp,nobody"})
    assert summary(many)[2] == (
        "Products: Core Set, The Dunwich Legacy (cycle), The Path to Carcosa (cycle)"
        " and 2 more"
    )


def test_a_card_of_two_classes_counts_for_each() -> None:
    """In the chart of the classes, which says so."""
    judged = _judged(slots={"01020": 2, "05115": 1, "01088": 2})
    title, numbers = next(
        (each.title, dict(each.numbers))
        for each in figures(judged.rows)
        if each.title.startswith("Class")
    )
    assert title == "Class (multiclass cards count for each)"
    assert numbers == {"Guardian": 3, "Rogue": 1, "Neutral": 2}


def _ways(judged: Judged, rule: str) -> list[tuple[str, str]]:
    return [
        (way.label, way.value)
        for note in judged.notes
        if note.rule == rule
        for way in note.ways
    ]


def test_a_card_is_removed_from_the_deck_it_is_in() -> None:
    """From the second deck too, for rules about both."""
    spirits = {"alternate_front": "90049", "alternate_back": "90049"}
    deck = {
        "investigator_code": "02004",
        "slots": {"01060": 1},
        "meta": spirits | {"extra_deck": "05236"},
    }
    circumstances = {"mode": "standalone", "ultimatums": ["exile"]}
    content = read_content({"deck": deck, "circumstances": circumstances})
    ways = _ways(Judged(content, JUDGE), "mode.campaign-only")
    assert [value for _label, value in ways] == ["side-remove=05236:1"]
    first = read_content(
        {
            "deck": deck | {"slots": {"05236": 1}, "meta": spirits},
            "circumstances": circumstances,
        }
    )
    ways = _ways(Judged(first, JUDGE), "mode.campaign-only")
    assert [value for _label, value in ways] == ["remove=05236:1"]


def test_one_press_sets_the_copies_of_all_printings() -> None:
    """The current number is marked, as pressing it would change nothing."""
    judged = _judged(slots={"01020": 1, "01520": 1, "01018": 2})
    for row in judged.rows:
        (present,) = (each.copies for each in row.quantities if each.is_present)
        edits = read_edits(f"set={row.code}:{present}")
        assert apply(judged.content, edits, judged.pool) == judged.content


def test_rows_are_under_their_headings() -> None:
    """Types first, then what the investigator brings, then weaknesses and strangers."""
    judged = _judged(
        slots={
            "01020": 2,  # Machete
            "01022": 1,  # Evidence!
            "01025": 2,  # Vicious Blow
            "01006": 1,  # Roland's .38 Special
            "01007": 1,  # Cover Up
            "01000": 1,  # a random basic weakness
            "01117": 1,  # Lita Chantler
            "99999": 1,  # an unknown card
            "06167": 1,  # Versatile
        }
    )
    found = [
        (group.key, group.copies, [row.name for row in group.rows])
        for group in judged.groups
    ]
    assert found == [
        ("asset", 2, ["Machete"]),
        ("event", 1, ["Evidence!"]),
        ("skill", 2, ["Vicious Blow"]),
        ("permanent", 1, ["Versatile"]),
        ("signature", 1, ["Roland's .38 Special"]),
        ("weakness", 2, ["Cover Up", "Random Basic Weakness"]),
        ("story", 1, ["Lita Chantler"]),
        ("other", 1, ["99999"]),
    ]


def test_the_option_that_admits_a_card_is_shown() -> None:
    """In its own words; or why no option is needed."""
    judged = _judged(slots={"01020": 2, "01007": 1, "01000": 1})
    told = {
        row.code: [(share.copies, str(share.label)) for share in row.admitted]
        for row in judged.rows
    }
    assert told == {
        "01020": [(2, "Guardian and neutral cards, level 0–5")],
        "01007": [(1, "Required by the investigator")],
        "01000": [(1, "A weakness, drawn or gained")],
    }


def test_a_finding_is_shown_at_its_card() -> None:
    """And at no other."""
    judged = _judged(slots={"01020": 3, "01022": 2})
    machete, evidence = judged.rows
    assert [note.rule for note in machete.notes] == ["copies.title"]
    assert machete.worst == "illegal"
    assert evidence.notes == ()
    assert evidence.worst == ""


def test_a_row_shows_price_and_taboo() -> None:
    """The current list's change, as a symbol with its words."""
    taboos = next(each.id for each in POOL.taboo_lists if each.date == "2026-02-19")
    slots = {"02300": 2, "05231": 1, "01020": 1}
    plain = {row.code: row for row in _judged("02001", slots=slots).rows}
    rows = {
        row.code: row for row in _judged("02001", slots=slots, taboo_id=taboos).rows
    }
    assert [row.experience for row in plain.values()] == [0, 10, 0]
    assert [row.experience for row in rows.values()] == [0, 6, 2]
    assert rows["01020"].taboo is None
    assert plain["02300"].taboo is None
    assert rows["02300"].taboo == (
        "unchained", "−2", "Taboo: 2 less experience",
    )  # fmt: skip
    assert rows["05231"].taboo == ("chained", "+2", "Taboo: 2 more experience")


def test_unowned_cards_have_a_mark_and_one_line() -> None:
    """However many are missing; none has a finding of its own."""
    judged = _told(owned={"01020": 1})
    (machete,) = judged.rows
    assert (machete.short, machete.held) == (True, 1)
    assert judged.shortage == "1 copy is missing from your collection (1 card)."
    assert "owned.short" not in {note.rule for note in judged.notes}
    assert _told(owned={"01020": 2}).shortage == ""
    assert _told().rows[0].held is None


def test_copies_that_use_a_limited_option_are_marked() -> None:
    """With the words of the option."""
    judged = _judged("02001", slots={"01030": 2, "01020": 1})
    limited = {row.code: [each.copies for each in row.limited] for row in judged.rows}
    assert limited == {"01020": [], "01030": [2]}


def test_findings_come_worst_first() -> None:
    """Numbered from 1; with the sentence, the source and the severity's word."""
    judged = _judged(slots={"01020": 3})
    assert [(note.number, note.rule, str(note.word)) for note in judged.notes] == [
        (1, "copies.title", "Illegal"),
        (2, "required.signatures", "Incomplete"),
        (3, "required.signatures", "Incomplete"),
        (4, "weakness.required", "Incomplete"),
        (5, "deck.size", "Incomplete"),
    ]
    assert judged.notes[0].text == "3 copies of Machete; at most 2 are allowed."
    assert judged.notes[0].cites == ("Rules Reference Deckbuilding", "FAQ 2.5 2.21")
    assert judged.serious == 5


def test_a_hopeless_list_is_cut_short() -> None:
    """A hundred findings are shown, the rest is counted."""
    slots = {f"7{number:04}": 1 for number in range(150)}
    judged = _judged(slots=slots)
    assert len(judged.notes) == 100
    assert judged.notes_left_out == len(judged.verdict.findings) - 100


def test_a_deck_without_an_investigator_is_shown() -> None:
    """Its cards by type, and a link to the investigators."""
    judged = _judged("01020", slots={"01022": 1, "99999": 1})
    assert judged.frame is None
    assert [group.key for group in judged.groups] == ["event", "other"]
    way = judged.notes[0].ways[0]
    assert (way.place, way.changes) == ("investigator", ())


def test_an_open_choice_is_shown_as_it_was_judged() -> None:
    """Tony's deck of survivor cards is read as a survivor's."""
    judged = _judged("06003", slots={"01080": 2})
    assert judged.frame is not None
    assert judged.frame.choices == {"class": "survivor"}
    assert [str(share.label) for share in judged.rows[0].admitted] == [
        "At most 10 level 0–1 Survivor events and skills"
    ]


def test_bonded_cards_are_listed_beside_the_deck() -> None:
    """With the card that brings them; without it, none."""
    with_blade, without = (
        _judged(slots={code: 1}).setup for code in ("06018", "01020")
    )
    assert with_blade is not None
    assert [(each.copies, each.name) for each in with_blade.set_aside] == [
        (3, "Bloodlust")
    ]
    assert not without


# -- ways out --


def test_missing_cards_can_be_added() -> None:
    """By name, with the copies that are missing."""
    assert _ways(_judged(), "required.signatures") == [
        ("Add Roland's .38 Special", "add=01006:1"),
        ("Add Cover Up", "add=01007:1"),
    ]
    assert _ways(_judged("06003"), "required.signatures")[1] == (
        "Add 2 × Tony's .38 Long Colt",
        "add=06011:2",
    )


def test_surplus_cards_can_be_removed() -> None:
    """The surplus of one card; one of several."""
    assert _ways(_judged(slots={"01020": 4}), "copies.title") == [
        ("Remove 2 × Machete", "remove=01020:2")
    ]
    shared = _judged("01001", slots={"01016": 2, "01092": 2, "02300": 1})
    assert _ways(shared, "deck.size")[0][0] == "Find cards to add"


def test_one_of_several_remedies_can_be_chosen() -> None:
    """The class of Tony's ten cards; a taboo list."""
    assert _ways(_judged("06003"), "choice.assumed") == [
        ("Choose Guardian", "choose=class:guardian"),
        ("Choose Seeker", "choose=class:seeker"),
        ("Choose Survivor", "choose=class:survivor"),
    ]
    assert _ways(_judged(taboo_id=99), "taboo.list")[0] == (
        "Choose 2019-04-20",
        "choose=taboo:1",
    )


def test_buttons_have_different_labels() -> None:
    """Cards of one name are distinguished: by subtitle, or by product."""
    directives = {"90025": 1, "90026": 1, "90027": 1, "90029": 1}
    four = _judged("01001", slots=directives, meta={"alternate_front": "90024"})
    assert [label for label, _value in _ways(four, "required.side-cards")] == [
        "Remove 1 Directive: Due Diligence",
        "Remove 1 Directive: Red Tape",
        "Remove 1 Directive: Consult Experts",
        "Remove 1 Directive: Leave No Doubt",
    ]
    printed = _judged("01001", slots={"01020": 2, "12020": 1})
    assert [label for label, _value in _ways(printed, "copies.title")] == [
        "Remove 1 Machete of Core Set",
        "Remove 1 Machete of Core Set (2026)",
    ]


def test_mismatched_sides_can_be_removed() -> None:
    """Both at once."""
    judged = _judged("01001", meta={"alternate_back": "90037"})
    assert _ways(judged, "deck.sides") == [
        ("Use both sides of Roland Banks", "choose=front: choose=back:")
    ]


def test_mixed_signatures_can_be_unified() -> None:
    """All the originals, or all the advanced."""
    judged = _judged("01001", slots={"01006": 1, "90031": 1})
    assert _ways(judged, "required.versions") == [
        ("Use Roland's .38 Special, Cover Up", "remove=90031:1 add=01007:1"),
        (
            "Use Roland's .38 Special (advanced), Cover Up (advanced)",
            "remove=01006:1 add=90030:1",
        ),
    ]


def test_an_ultimatum_can_be_removed() -> None:
    """One that is for campaigns only."""
    judged = _told(mode="standalone", ultimatums=["induction"])
    assert _ways(judged, "ultimatum.campaign-only") == [
        ("Play without Ultimatum of Induction", "without=induction")
    ]


def test_a_task_can_be_recorded() -> None:
    """The one of the card it is researched from."""
    judged = _judged("01002", slots={"04230": 1})
    assert _ways(judged, "researched.task") == [
        ("Record the task of Ancient Stone (1)", "record=task:04022")
    ]


def test_one_task_of_several_cards_is_one_button() -> None:
    """Each translation of the glyphs is researched from the same card."""
    judged = _judged("01002", slots={"03192": 1, "03193": 1})
    assert _ways(judged, "researched.task") == [
        ("Record the task of Archaic Glyphs", "record=task:03025")
    ]


def test_every_special_case_is_a_rule() -> None:
    """An id without a rule would never match."""
    ids = {rule.id for rule in DECK_RULES} | {rule.id for rule in UPGRADE_RULES}
    ids |= {"deck.investigator"}
    assert set(_SPECIAL) <= ids


def test_the_value_of_a_button_reads_back() -> None:
    """Several changes in one."""
    pinned = "remove=01006:2 choose=front: pin=01028:upgrade:01018"
    assert read_edits(pinned, {"pin"}) == [
        Edit("remove", "01006", 2),
        Edit("choose", "front", value=""),
        Edit("pin", "01028", value="upgrade:01018"),
    ]
    with pytest.raises(Misread):
        read_edits(pinned)


# -- sheets, cards set aside, figures --


def test_a_sheet_shows_its_boxes_and_their_buttons() -> None:
    """Two of three are marked; pressing the second unmarks it."""
    judged = _judged("09004", slots={"09021": 1}, meta={"cus_09021": "5|2"})
    line = judged.rows[0].sheet[5]
    assert (line.name, line.marked) == ("Hexdrinker", 2)
    assert [(box.marked, box.boxes) for box in line.boxes] == [
        (True, 1),
        (True, 1),
        (False, 3),
    ]
    assert judged.rows[0].level == 1


def test_a_sheet_shows_its_texts_and_choices() -> None:
    """Cards by name; skills to choose from; empty fields."""
    quill = _judged(
        "09004", slots={"09042": 1}, meta={"cus_09042": "0|0|01031,4|2|01032"}
    )
    written = [line.written for line in quill.rows[0].sheet if line.kind]
    assert written == [("Old Book of Lore",), ("Research Librarian", "")]


def test_only_fitting_cards_of_the_deck_can_be_attached() -> None:
    """Tactics and supplies under Stick to the Plan; Machete is neither."""
    judged = _judged(slots={"03264": 1, "01020": 2, "01022": 1, "01088": 2})
    apart = judged.apart["03264"]
    assert (apart.title, apart.count, apart.up_to) == ("Stick to the Plan", 3, True)
    assert [each.card.name for each in apart.cards] == ["Emergency Cache"]


def test_nothing_is_attached_without_a_holder() -> None:
    """And only Joe has a hunch deck."""
    assert _judged(slots={"01020": 2}).apart == {}
    assert _judged(slots={"01020": 2}).hunch_deck is None
    joe = Judged(starter_deck(POOL, "05002"), JUDGE)
    assert joe.hunch_deck is not None
    assert joe.hunch_deck.copies == 11


def test_charts_count_played_cards() -> None:
    """Without weaknesses; two-handed cards count twice; X and no cost have columns."""
    judged = _judged(
        slots={
            "01020": 2,  # Machete: cost 3, a hand, one combat
            "01029": 1,  # Shotgun: cost 5, two hands, two combat
            "01025": 2,  # Vicious Blow: a skill, one combat
            "01007": 1,  # Cover Up: a weakness
        }
    )
    numbers = {figure.title: dict(figure.numbers) for figure in figures(judged.rows)}
    assert numbers["Cost"] == {
        "0": 0, "1": 0, "2": 0, "3": 2, "4": 0, "5": 1, "6+": 0,
    }  # fmt: skip
    assert numbers["Class"] == {"Guardian": 5}
    assert numbers["Type"] == {"Asset": 3, "Event": 0, "Skill": 2}
    assert numbers["Slots"]["Hand"] == 4
    assert numbers["Skill icons"]["Combat"] == 6
    assert figures(_judged().rows) == ()


@pytest.mark.parametrize(
    ("by", "headings"),
    [
        ("type", ["Assets 4", "Events 2", "Skills 1"]),
        ("class", ["Guardian 2", "Seeker 3", "Rogue 1", "Neutral 1"]),
        ("cost", ["Cost 1 1", "Cost 2 2", "Cost 3 3", "No cost 1"]),
        ("level", ["Level 0 6", "Level 1 1"]),
        ("slot", ["Hand 3", "No slot 4"]),
        ("product", []),
    ],
)
def test_a_deck_is_grouped_as_the_reader_chooses(by: str, headings: list[str]) -> None:
    """Under headings with their copies, in the order of the game."""
    slots = {"01020": 2, "01037": 2, "01044": 1, "01089": 1, "02108": 1}
    content = read_content({"investigator_code": "01001", "slots": slots})
    judged = Judged(content, JUDGE, view=DeckArrangement(group=by))
    shown = [f"{each.title} {each.copies}" for each in judged.groups]
    if headings:
        assert shown == headings
    assert sum(each.copies for each in judged.groups) == sum(slots.values())


def test_rows_are_sorted_and_charts_follow() -> None:
    """By cost within their headings; the chart of what groups them comes first."""
    slots = {"01020": 2, "01016": 2, "01017": 1, "01018": 1}
    content = read_content({"investigator_code": "01001", "slots": slots})
    judged = Judged(content, JUDGE, view=DeckArrangement("class", "cost"))
    (group,) = judged.groups
    costs = [row.card.cost for row in group.rows if row.card and row.card.cost]
    assert costs == sorted(costs)
    assert figures(judged.rows, "class")[0].title == "Class"
    assert figures(judged.rows, "product")[0].title == "Cost"


def test_invalid_view_settings_are_ignored() -> None:
    assert DeckArrangement.read(
        {"group": "slot", "sort": "9", "q": "x"}
    ) == DeckArrangement("slot")


def test_choices_are_in_the_head() -> None:
    """Parallel sides, the class of the back, the size of the deck."""
    mandy = {"faction_selected": "rogue", "deck_size_selected": "40"}
    assert _judged("06002", meta=mandy).chosen == ["Deck size 40", "Rogue"]
    assert _judged("06002").chosen == []
    assert _judged(meta={"alternate_back": "90024"}).chosen == ["Parallel back"]
    assert _judged("90024").chosen == ["Parallel"]
