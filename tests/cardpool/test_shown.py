"""Facts in the reader's language, and printed text made safe."""

from __future__ import annotations

import re
import time

import pytest

from arkham.rules.card import TabooChange, TabooList
from arkham.rules.snapshot import embedded_pool, make_pool
from cardpool import relations
from cardpool.markup import rendered, rendered_line, unmarked
from cardpool.shown import ShownCard, taboo_periods
from cardpool.words import fold, fold_text, taboo_words
from tests.cardpool.builders import a_card, a_pool

POOL = embedded_pool()


def shown(code: str) -> ShownCard:
    return ShownCard(POOL[code], POOL)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ('"Skids" O\'Toole', "skids otoole"),
        ("O’Toole", "otoole"),
        ("Kōhaku Narukami", "kohaku narukami"),
        ("Self-Sacrifice", "self sacrifice"),
        (".45 Automatic", "45 automatic"),
        ("Łódź Straße Ærø", "lodz strasse aero"),
        ("  two \t spaces ", "two spaces"),
        ("!?…", ""),
    ],
)
def test_folding(text: str, folded: str) -> None:
    assert fold(text) == folded


def test_folding_ignores_markup() -> None:
    assert fold_text("<b>Fight.</b> a [[Ghoul]]") == "fight a ghoul"


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("<i>Go alone.</i>", "Go alone."),
        ("Day [day] and [night] Night", "Day and Night"),
        ("Resolution [elder_thing]", "Resolution Elder Thing"),
        ("[seal_b], [tdc_rune_x]", "seal B, rune X"),
        ("A [[Medic]] or\n[[Assistant]]", "A Medic or Assistant"),
        ("a < b", "a < b"),
    ],
)
def test_a_text_is_written_without_symbols(text: str, plain: str) -> None:
    assert unmarked(text) == plain


def test_a_long_text_of_symbols_is_read_quickly() -> None:
    """Anyone imports guides, and a title may be as long as a file."""
    began = time.process_time()
    plain = unmarked("[skull] and " * 40_000)
    assert time.process_time() - began < 2
    assert plain.startswith("Skull and Skull and")


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("", ""),
        ("One.\nTwo.", "<p>One.</p><p>Two.</p>"),
        ("<b>Fight.</b> <i>Now</i>", "<p><b>Fight.</b> <i>Now</i></p>"),
        ("[[Elder Thing]]", "<p><b><i>Elder Thing</i></b></p>"),
        ("<b>open", "<p><b>open</b></p>"),
        ("closed</b>", "<p>closed</p>"),
        ("<b><i>crossed</b></i>", "<p><b><i>crossed</i></b></p>"),
        ("a < b & c", "<p>a &lt; b &amp; c</p>"),
        ("<script>alert(1)</script>", "<p>alert(1)</p>"),
        ('<b onclick="x">b</b>', "<p><b>b</b></p>"),
        ("<img src=x onerror=y>", ""),
        ("[[<b>]]", "<p><b><i>&lt;b&gt;</i></b></p>"),
        ("[tdc_rune_a] Go", '<p><span class="symbol">rune A</span> Go</p>'),
        ("[tdc_rune_x]", '<p><span class="symbol">rune X</span></p>'),
    ],
)
def test_printed_text(text: str, html: str) -> None:
    assert rendered(text).replace("<p></p>", "") == html


def test_no_line_breaks_after_a_symbol() -> None:
    kept = rendered_line("+2 [combat], [action]: go [agility]")
    assert re.findall(
        r'<span class="unbroken">\S*? ?<svg.*?</svg>(.)</span>', kept
    ) == [
        ",",
        ":",
    ]
    assert kept.count("unbroken") == 2


def test_no_line_breaks_between_an_amount_and_its_skill() -> None:
    kept = rendered_line("Fight, +2 [combat], -1 [agility] or take 1 [combat]")
    assert re.findall(
        r'<span class="unbroken">(.*?)<svg.*?</svg>(.?)</span>', kept
    ) == [
        ("+2 ", ","),
        ("-1 ", ""),
    ]
    assert kept.startswith('Fight, <span class="unbroken">+2 <svg')


def test_a_symbol_with_an_icon_is_drawn() -> None:
    assert '<svg class="sign sign-willpower"' in rendered("[willpower]")


class TestWords:
    def test_slots(self) -> None:
        assert shown("09022").slot_names == "Hand ×2"
        assert shown("01060").slot_names == "Arcane"

    def test_traits(self) -> None:
        assert shown("01060").traits == "Spell."

    def test_cost(self) -> None:
        assert shown("01060").cost == "3"
        assert shown("10038").cost == "X"
        assert shown("07303").cost == "–"
        assert not shown("01025").has_cost

    def test_classes(self) -> None:
        assert shown("01060").class_names == "Mystic"
        assert shown("08124").class_signs == ("seeker", "rogue", "mystic")
        assert shown("01088").class_names == "Neutral"
        assert shown("01096").class_names == "Basic weakness"
        assert shown("01007").class_names == "Weakness"
        assert shown("01118").class_names == "Mythos"

    def test_marks_omit_what_is_shown_already(self) -> None:
        assert [word for word, _name in shown("07303").mark_names] == [
            "permanent",
            "exceptional",
        ]
        assert shown("01006").mark_names == ()

    def test_every_card_can_be_shown(self) -> None:
        for code, card in POOL.items():
            each = ShownCard(card, POOL)
            assert each.type_name, code
            assert each.places, code
            assert each.class_names, code
            assert len(each.tags) == len(card.tags)
            assert all(str(name) for _mark, name in each.mark_names)


class TestTaboo:
    @pytest.mark.parametrize(
        ("change", "words"),
        [
            (TabooChange("01001", experience=2), ("2 more experience",)),
            (TabooChange("01001", experience=-1), ("1 less experience",)),
            (TabooChange("01001", deck_limit=0), ("Forbidden",)),
            (TabooChange("01001", deck_limit=1), ("Limit 1",)),
            (TabooChange("01001", exceptional=True), ("Exceptional",)),
            (TabooChange("01001", exceptional=False), ("Not exceptional",)),
            (TabooChange("01001", campaign_only=True), ("Campaign mode only",)),
            (TabooChange("01001", text_only=True), ("Its text is changed",)),
            (TabooChange("01001", size=50), ("Its deckbuilding is changed",)),
            (TabooChange("01001", sheet=()), ("Its upgrade sheet is changed",)),
            (TabooChange("01001"), ("Changed",)),
        ],
    )
    def test_in_words(self, change: TabooChange, words: tuple[str, ...]) -> None:
        assert taboo_words(change) == words

    def test_equal_lists_are_one_period(self) -> None:
        card = a_card("01001")
        dearer = {"01001": TabooChange("01001", experience=2)}
        dearest = {"01001": TabooChange("01001", experience=4)}
        lists = (
            TabooList(1, "2019-01-01", {}),
            TabooList(2, "2020-01-01", dearer),
            TabooList(3, "2021-01-01", dearer),
            TabooList(4, "2022-01-01", dearest),
            TabooList(5, "2023-01-01", {}),
            TabooList(6, "2024-01-01", dearer),
        )
        small = a_pool(card)
        pool = make_pool(
            cards={"01001": card},
            taboo_lists=lists,
            packs=small.packs.values(),
            cycles=small.cycles.values(),
        )
        told = [
            (each.since, each.until, *each.words)
            for each in taboo_periods(card, pool, {})
        ]
        assert told == [
            ("2024-01-01", "", "2 more experience"),
            ("2022-01-01", "2023-01-01", "4 more experience"),
            ("2020-01-01", "2022-01-01", "2 more experience"),
        ]

    def test_texts_that_differ_only_in_quotes_are_equal(self) -> None:
        texts = dict.fromkeys(range(1, 8), '"Now."') | {8: "“Now.”"}
        periods = taboo_periods(POOL["01033"], POOL, texts | {9: "Now", 10: "now"})
        assert [(each.since, each.until) for each in periods] == [("2019-04-20", "")]

    def test_a_card_on_no_list(self) -> None:
        assert taboo_periods(POOL["01088"], POOL, {}) == ()


class TestRelations:
    def test_levels(self) -> None:
        codes = [each.code for each in relations.others_like(POOL["01060"], POOL)]
        assert codes == ["01060", "02154", "02306"]
        assert relations.others_like(POOL["09022"], POOL) == []

    def test_bonded(self) -> None:
        brings = relations.bonded_with(POOL["06112"], POOL)
        assert [each.code for each in brings] == ["06113"]
        bringers = relations.bringers_of(POOL["06113"], POOL)
        assert [each.code for each in bringers] == ["06112", "06236", "06237", "06238"]

    def test_researched(self) -> None:
        into = relations.researched_into(POOL["06112"], POOL)
        assert [each.code for each in into] == ["06236", "06237", "06238"]

    def test_sides(self) -> None:
        sides = relations.sides_of(POOL["01001"], POOL)
        assert [each.code for each in sides] == ["90024", "98004"]

    def test_owners(self) -> None:
        assert [each.code for each in relations.owners_of(POOL["01006"], POOL)] == [
            "01001"
        ]
        assert relations.owners_of(POOL["01060"], POOL) == []
