"""Tags, exile and upgrade sheets, against the printed text."""

from __future__ import annotations

import re

from arkham.rules.card import Card
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import (
    BoxChoice,
    CardType,
    Tag,
)
from cardpool.reading import SourceReading


def tags_of(card: Card) -> set[Tag]:
    """Return the tags of a card without their sources."""
    return {tag for tag, _ in card.tags}


# -- tags --


# Text that speaks of healing, parleying, sealing or firearms (FAQ 1.15: the words
# anywhere, even conditionally), written apart from the data's tags.
SPEAKS = {
    Tag.HEALS_HORROR: r"\bheals?\b[^.]*\bhorror\b|\bhorror you heal\b",
    Tag.HEALS_DAMAGE: r"\bheals?\b[^.]*\bdamage\b|\bdamage and/or horror you heal\b",
    Tag.PARLEY: r"\bparley",
    Tag.SEALS: r"\bseal(?:s|ed)?\b(?! of )",
    Tag.FIREARM: r"\bfirearm\b",
}


def test_tags_against_the_printed_text(pool: CardPool, reading: SourceReading) -> None:
    """On every card with a level: tagged exactly where the text says so."""
    for tag, words in SPEAKS.items():
        pattern = re.compile(words, re.IGNORECASE)
        for code in pool:
            card = pool[code]
            if card.level is None or (tag is Tag.FIREARM and "firearm" in card.traits):
                continue
            text = reading.texts[code].get("text", "")
            assert (tag in tags_of(card)) == bool(pattern.search(text)), (tag, code)


def test_tags_that_the_data_misses_or_misspells(pool: CardPool) -> None:
    """A tag without its dot, and two cards that mention healing untagged."""
    assert tags_of(pool["11112"]) == {Tag.HEALS_DAMAGE, Tag.HEALS_HORROR}
    assert tags_of(pool["60257"]) == {Tag.HEALS_HORROR}
    assert tags_of(pool["09123"]) == {Tag.HEALS_DAMAGE, Tag.HEALS_HORROR}


def test_every_tag_has_a_source(pool: CardPool) -> None:
    """The printed text, or the row that corrects the data."""
    assert dict(pool["01019"].tags)[Tag.HEALS_DAMAGE] == "printed text"
    assert dict(pool["60257"].tags)[Tag.HEALS_HORROR] == (
        "Private Practice speaks of healing horror; FAQ 2.5, 1.15"
    )
    assert all(source for code in pool for _, source in pool[code].tags)


EXILE = {
    *("02114", "02115", "02271", "03156", "03157", "05196", "05236", "05237"),
    *("08076", "08080", "08113", "09110", "09765", "60520", "60521", "60523"),
    "60531",
}


def test_exile_is_printed_in_the_text_box(pool: CardPool) -> None:
    """Credits of a designer (09034, 09122, 11027) are not part of it."""
    assert {code for code in pool if Tag.EXILE in tags_of(pool[code])} == EXILE


# -- upgrade sheets --


def test_a_sheet_line_by_line(pool: CardPool) -> None:
    """Summoned Servitor: boxes, ids of our own, the slot to be circled."""
    sheet = pool["09080"].sheet
    assert [(each.id, each.boxes) for each in sheet] == [
        ("armored-carapace", 1),
        ("claws-that-catch", 1),
        ("jaws-that-snatch", 1),
        ("eyes-of-flame", 1),
        ("wings-of-night", 1),
        ("dominance", 2),
        ("dreaming-call", 3),
        ("daemonic-influence", 5),
    ]
    assert [each.position for each in sheet] == list(range(8))
    assert (sheet[5].choice, sheet[5].picks) == (BoxChoice.SLOT, 1)


def test_sheets_with_choices(pool: CardPool) -> None:
    """Traits, skills and named cards; repeated lines are distinguished."""
    grizzled = pool["09101"].sheet
    assert [each.id for each in grizzled[:3]] == [
        "chosen-trait",
        "specialist",
        "specialist-2",
    ]
    assert (grizzled[0].boxes, grizzled[0].picks) == (0, 2)
    quill = pool["09042"].sheet
    assert quill[0].card_types == (CardType.ASSET,)
    assert quill[0].card_traits == ("tome", "spell")
    assert (quill[4].id, quill[4].picks) == ("endless-inkwell", 2)
    assert pool["09079"].sheet[0].choice is BoxChoice.SKILL


def test_sheets_that_change_the_card(pool: CardPool) -> None:
    """Traits, slots, tags and limits that matter for deckbuilding."""
    armor = pool["09021"].sheet[0]
    assert armor.traits == ("item", "armor", "relic")
    assert armor.slots == ("arcane",)
    assert pool["09040"].sheet[0].tags == (Tag.HEALS_DAMAGE,)
    assert pool["09061"].sheet[6].deck_limit == 3
    assert pool["09081"].sheet[7].deck_limit == 3
    boxes = {code: sum(each.boxes for each in pool[code].sheet) for code in pool}
    assert {code: total for code, total in boxes.items() if total not in (0, 15)} == {
        "09119": 18
    }
