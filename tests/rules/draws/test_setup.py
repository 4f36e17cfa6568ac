"""What a deck puts into play, sets aside and attaches before its first turn."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from arkham.rules.card import Card
from arkham.rules.deck import Circumstances, DeckList
from arkham.rules.draws.opening import HAND_ROWS, opening_of
from arkham.rules.draws.setup import (
    SETUP_ROWS,
    TABLE_RESOURCES,
    PlacedCard,
    Setup,
    setup_of,
)
from arkham.rules.legality import Judge
from arkham.rules.pool import CardPool
from arkham.rules.ultimatums import ULTIMATUMS

ROLAND, DAISY, JOE, LUKE, VINCENT, PETE = (
    "01001", "01002", "05002", "06004", "09004", "02005",
)  # fmt: skip


def _setup(judge: Judge, investigator: str, *codes: str, **told: Any) -> Setup:
    deck = {
        key: told.pop(key)
        for key in ("attachments", "side_deck", "back", "front", "set_aside")
        if key in told
    }
    entries = told.pop("entries", dict.fromkeys(codes, 1))
    built = next(
        judge.builds(DeckList(investigator, entries, **deck), Circumstances(**told))
    )
    return setup_of(built)


def _aside(setup: Setup) -> dict[str, int]:
    return {each.code: each.copies for each in setup.set_aside}


@pytest.mark.parametrize(
    ("summoner", "aside"),
    [
        ("05313", {"05314": 3}),  # Hallowed Mirror: Soothing Melody
        ("05316", {"05317": 3}),  # Occult Lexicon: Blood-Rite
        ("06018", {"06019": 3}),  # The Hungering Blade: Bloodlust
        ("06027", {"06028": 2}),  # Stargazing: The Stars Are Right
        ("06030", {"06031": 1, "06032": 1, "06033": 1}),  # Miss Doyle's cats
        ("06112", {"06113": 1}),  # Dream Diary: Essence of the Dream
        ("06238", {"06113": 1}),  # of any version
        ("06282", {"06283": 2}),  # Summoned Hound: Unbound Beast
        ("06276", {"06277": 1}),  # Empty Vessel: Wish Eater
    ],
)
def test_bonded_cards_are_set_aside_in_the_number_of_their_product(
    judge: Judge, summoner: str, aside: dict[str, int]
) -> None:
    """FAQ 1.19: whatever the number of copies of the card they are bonded to."""
    assert _aside(_setup(judge, ROLAND, entries={summoner: 2})) == aside
    assert _aside(_setup(judge, ROLAND, entries={summoner: 1})) == aside


def test_a_deck_without_bonded_cards_sets_nothing_aside(judge: Judge) -> None:
    setup = _setup(judge, ROLAND, "01006", "01007", "01020")
    assert (setup.set_aside, setup.in_play, setup.apart) == ((), (), ())
    assert (setup.in_hand, setup.at_start, setup.rows) == ((), (), ())
    assert setup.resources == 5


def test_cards_in_the_side_deck_set_nothing_aside(judge: Judge) -> None:
    deck = DeckList(ROLAND, {"01020": 1}, considered={"05313": 1})
    built = next(judge.builds(deck, Circumstances()))
    assert setup_of(built).set_aside == ()


def test_an_investigator_may_set_cards_aside(judge: Judge) -> None:
    """Hank's other sides, and Luke's gate."""
    assert _aside(_setup(judge, "10015")) == {"10016a": 1, "10016b": 1}
    luke = _setup(judge, LUKE, "06013")
    assert _aside(luke) == {"06015a": 1}
    assert [(each.code, each.by) for each in luke.in_play] == [("06013", LUKE)]


def test_cards_of_the_spirit_deck_set_bonded_cards_aside(judge: Judge) -> None:
    """Miss Doyle in Jim's spirit deck."""
    setup = _setup(judge, "02004", back="90049", front="90049", side_deck={"06030": 1})
    assert _aside(setup) == {"06031": 1, "06032": 1, "06033": 1}


def test_permanents_begin_in_play(judge: Judge) -> None:
    setup = _setup(judge, ROLAND, entries={"06167": 2, "02037": 1, "01020": 2})
    assert [(each.code, each.copies) for each in setup.in_play] == [
        ("02037", 1),
        ("06167", 2),
    ]


@pytest.mark.parametrize(
    ("investigator", "card"),
    [
        ("02005", "02014"),  # Pete: Duke
        ("03001", "03009"),  # Mark: Sophie
        ("09015", "09016"),  # Darrell: the Kodak
    ],
)
def test_an_investigator_may_begin_with_a_card_in_play(
    judge: Judge, investigator: str, card: str
) -> None:
    in_play = _setup(judge, investigator, card).in_play
    assert [(each.code, each.by) for each in in_play] == [(card, investigator)]
    assert _setup(judge, investigator).in_play == ()


def test_vincents_skill_is_set_aside_for_each_investigator(judge: Judge) -> None:
    (laid,) = _setup(judge, VINCENT, entries={"09006": 4}).set_aside
    assert (laid.code, laid.copies, laid.per_investigator) == ("09006", 1, True)


def test_dark_insight_begins_in_dianas_hand(judge: Judge) -> None:
    assert _setup(judge, "05004", "05014").in_hand == ("05014",)
    assert _setup(judge, "05004").in_hand == ()


def test_separate_piles_are_listed(judge: Judge) -> None:
    """Joe's hunches; cards under Bewitching; the market; five random skills."""
    hunches = {"05010": 1, "01036": 2}
    joe = _setup(
        judge, JOE, entries={"05010": 1, "01036": 2}, attachments={JOE: hunches}
    )
    (apart,) = joe.apart
    assert (apart.holder, apart.count, apart.up_to) == (JOE, 11, False)
    assert apart.cards == hunches
    under = _setup(judge, DAISY, "10079", attachments={"10079": {"01050": 1}}).apart
    assert [(each.holder, each.count, each.up_to) for each in under] == [
        ("10079", 3, True)
    ]
    market = _setup(judge, DAISY, "09077").apart
    assert [(each.holder, each.count, each.cards) for each in market] == [
        ("09077", 10, {})
    ]
    skills = _setup(judge, DAISY, "07303").apart
    assert [(each.count, each.random) for each in skills] == [(5, True)]


def test_cards_and_ultimatums_change_the_starting_resources(judge: Judge) -> None:
    assert _setup(judge, ROLAND, "02037").resources == 3
    assert _setup(judge, ROLAND, entries={"05278": 2}).resources == 9
    assert _setup(judge, ROLAND, "11756b").resources == 10  # the task is done
    assert _setup(judge, ROLAND, "11756a").resources == 5
    hard = frozenset({"hardship"})
    assert _setup(judge, ROLAND, ultimatums=hard).resources == 3
    rich = frozenset({"hades"})
    assert _setup(judge, ROLAND, ultimatums=rich).resources == 7


@pytest.mark.parametrize("gloria", ["11014", "98019"])
def test_prophecies_are_shuffled_into_the_encounter_deck(
    judge: Judge, gloria: str
) -> None:
    """But not her replacement weakness, nor hers in another investigator's deck."""
    setup = _setup(judge, gloria, entries={"11016": 3, "98021": 1})
    assert setup.encounter_deck == (PlacedCard("11016", 3, gloria),)
    assert _setup(judge, ROLAND, "11016").encounter_deck == ()


@pytest.mark.parametrize("code", ["06233", "06275"])
def test_false_awakening_is_next_to_the_agenda_deck(judge: Judge, code: str) -> None:
    setup = _setup(judge, ROLAND, code)
    assert setup.beside_agenda == (PlacedCard(code, 1, code),)
    assert [row.code for row in setup.rows] == [code]


def test_every_copy_is_in_exactly_one_place(judge: Judge, pool: CardPool) -> None:
    """In the deck, in the hand, in play, or elsewhere."""
    for investigator in pool.investigators:
        if not (investigator.investigator and investigator.investigator.playable):
            continue
        back = investigator.investigator.back
        assert back is not None
        entries = {"01020": 2, "06233": 1, "05276": 1, "02037": 1, "11756b": 1}
        entries |= {each.original: 2 for each in back.requirements}
        deck = DeckList(investigator.code, entries)
        built = next(judge.builds(deck))
        setup, opening = setup_of(built), opening_of(built)
        laid = (*setup.in_play, *setup.encounter_deck, *setup.beside_agenda)
        found = Counter({each.code: each.copies for each in laid})
        # One copy per investigator is set aside; the deck lists them all.
        aside = {each.code for each in setup.set_aside} & entries.keys()
        found.update({code: entries[code] for code in aside})
        found.update(opening.cards)
        found.update(opening.in_hand)
        assert found == Counter(entries), investigator.name


def test_tarot_cards_may_be_played_at_the_start(judge: Judge) -> None:
    assert _setup(judge, ROLAND, "05023").at_start == ("05023",)


# -- the table --


def test_every_row_has_the_name_of_its_card(pool: CardPool) -> None:
    for row in SETUP_ROWS:
        assert pool[row.code].name == row.name.removesuffix(" (parallel)")
        assert row.cites
        assert bool(row.says) != bool(row.resources)
    assert len({row.code for row in SETUP_ROWS}) == len(SETUP_ROWS)
    assert TABLE_RESOURCES.keys() <= ULTIMATUMS.keys()


# Finds texts about setup before the first turn.
SPEAKS = re.compile(
    r"begins? (the|each) game|starts? each game|additional setup|during (the )?setup"
    r"|before setting up|\(shuffled into the encounter deck",
    re.IGNORECASE,
)
# Cards whose text is about another kind of setup.
SAY_IT_OTHERWISE = {
    "05042": "It stays in the opening hand.",
    "54015": "It stays in the opening hand.",
}


def test_every_card_about_setup_has_a_row(shared_data: Path, pool: CardPool) -> None:
    """A new card of this kind needs a row, or a reason why not."""
    rows = {row.code for row in HAND_ROWS} | {row.code for row in SETUP_ROWS}
    known = rows | SAY_IT_OTHERWISE.keys()
    kinds = ("investigator", "asset", "event", "skill", "treachery", "enemy")
    forgotten = []
    for path in sorted((shared_data / "data" / "arkhamdb" / "pack").rglob("*.json")):
        for card in json.loads(path.read_text(encoding="utf-8")):
            text = f"{card.get('text', '')} {card.get('back_text', '')}"
            if card.get("type_code") not in kinds or card.get("duplicate_of"):
                continue
            found = pool.get_card(card["code"])
            if found is None or found.code in known or not _in_a_deck(found):
                continue
            if SPEAKS.search(re.sub(r"<[^>]+>", "", text)):
                forgotten.append(f"{found.code} {found.name}")
    assert forgotten == []


def _in_a_deck(card: Card) -> bool:
    """Return whether a card can be in a deck; some scenario cards can't."""
    player = card.type in ("asset", "event", "skill") or card.weakness is not None
    return not card.encounter_set or player
