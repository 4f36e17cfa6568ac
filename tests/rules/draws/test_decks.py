"""Random decks and upgrades are legal, complete and reproducible."""

from __future__ import annotations

from collections import Counter

import pytest

from arkham.rules.collection import Collection, copies_owned
from arkham.rules.deck import Circumstances, DeckList
from arkham.rules.draws.decks import random_deck
from arkham.rules.draws.record import Purpose, replayed
from arkham.rules.draws.upgrades import (
    RANDOM_UPGRADES,
    RANDOM_VERSIONS,
    draw_versions,
    eligible_versions,
    random_upgrades,
)
from arkham.rules.legality import Judge, check
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import Mode

# A simple back, a choice of class, required classes, a hunch deck, a second deck,
# directives, disciplines, a choice of size, restrictions.
INVESTIGATORS = (
    "01001", "04002", "03006", "05002", "90049", "90024", "08010", "06003", "89001",
    "04005", "90037",
)  # fmt: skip


@pytest.mark.parametrize("investigator", INVESTIGATORS)
@pytest.mark.parametrize("seed", ["chaos", "more chaos"])
def test_a_random_deck_is_legal_and_complete(
    judge: Judge, investigator: str, seed: str
) -> None:
    made = random_deck(judge, DeckList(investigator, {}), seed)
    verdict = check(judge, made.deck, Circumstances(mode=Mode.START))
    assert verdict == made.verdict
    assert verdict.legal, verdict.findings
    assert verdict.complete, verdict.findings
    assert made.deck.entries["01000"] >= 1  # its weaknesses are drawn later
    assert [replayed(each) for each in made.draws] == list(made.draws)
    assert random_deck(judge, DeckList(investigator, {}), seed) == made


def test_seeds_make_different_decks(judge: Judge) -> None:
    decks = [random_deck(judge, DeckList("01001", {}), seed).deck for seed in "abc"]
    assert decks[0] != decks[1] != decks[2] != decks[0]


def test_a_random_deck_uses_only_owned_copies(judge: Judge, pool: CardPool) -> None:
    owned = copies_owned(Collection({"rcore": 1, "nat": 1}), pool)
    terms = Circumstances(owned=owned)
    made = random_deck(judge, DeckList("01501", {}), "attic", terms)
    held: Counter[str] = Counter()
    for code in made.taken:
        held[pool[code].code] += 1
    for code, copies in held.items():
        printings = pool[code].printings
        assert copies <= sum(owned.get(each.code, 0) for each in printings)
    assert made.verdict.legal
    assert made.verdict.complete


def test_a_small_collection_leaves_the_deck_incomplete(
    judge: Judge, pool: CardPool
) -> None:
    """The findings show it."""
    terms = Circumstances(owned=copies_owned(Collection({"ste": 1}), pool))
    made = random_deck(judge, DeckList("01001", {}), "attic", terms)
    assert made.verdict.legal
    assert not made.verdict.complete
    assert "deck.size" in {each.rule for each in made.verdict.findings}


def test_made_choices_are_kept_and_open_ones_are_drawn(judge: Judge) -> None:
    chosen = {"class": "survivor"}
    kept = random_deck(judge, DeckList("06003", {}, choices=chosen), "c")
    assert {each.purpose for each in kept.draws} == {Purpose.DECK}
    drawn = random_deck(judge, DeckList("06003", {}), "c")
    assert drawn.draws[0].purpose is Purpose.READING
    assert drawn.deck.choices


def test_random_decks_follow_ultimatums_and_taboos(
    judge: Judge, pool: CardPool
) -> None:
    terms = Circumstances(ultimatums=frozenset({"chaos", "highlander"}), taboo="latest")
    made = random_deck(judge, DeckList("01001", {}), "one", terms)
    titles = Counter(pool[code].title for code in made.taken)
    assert made.verdict.legal
    assert set(titles.values()) == {1}


def test_a_random_deck_needs_an_investigator(judge: Judge) -> None:
    with pytest.raises(ValueError, match="01020 builds no decks"):
        random_deck(judge, DeckList("01020", {}), "seed")


# -- upgrades --

RESEARCHER = DeckList("02002", {"02021": 2, "04106": 1, "01030": 2})


def test_versions_are_drawn_from_the_eligible_ones(judge: Judge) -> None:
    """Every version of Strange Solution, with two copies each."""
    versions = eligible_versions(judge, RESEARCHER, "02021")
    assert versions == {"02262": 2, "02263": 2, "02264": 2, "51004": 2}
    record = draw_versions(judge, RESEARCHER, "02021", "solution")
    assert record.purpose is Purpose.UPGRADE
    assert len(record.result) == 2
    assert replayed(record) == record


def test_versions_not_owned_are_not_eligible(judge: Judge, pool: CardPool) -> None:
    packs = [printing.pack for printing in pool["02263"].printings]
    owned = copies_owned(Collection(dict.fromkeys(packs, 1)), pool)
    record = draw_versions(
        judge, RESEARCHER, "02021", "solution", Circumstances(owned=owned)
    )
    assert {pool[code].code for code, copies in record.pool} <= {
        "02262", "02263", "02264",
    }  # fmt: skip


def test_a_version_of_too_high_a_level_is_not_eligible(judge: Judge) -> None:
    """Level 4 is too high for an investigator limited to levels 0 to 2."""
    deck = RESEARCHER._replace(investigator="02005")
    assert eligible_versions(judge, deck, "02021") == {}


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ({"02021": 2}, "no card of the deck"),
        ({"02021": 1, "04106": 1}, "fewer than 2 copies"),
        ({"04106": 1}, "is not in the deck"),
    ],
)
def test_versions_are_not_drawn_without_the_cards_for_it(
    judge: Judge, entries: dict[str, int], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        draw_versions(judge, DeckList("02002", entries), "02021", "solution")


@pytest.mark.parametrize("experience", [0, 9, 19, 49])
def test_random_upgrades_keep_to_the_experience(judge: Judge, experience: int) -> None:
    start = random_deck(judge, DeckList("89001", {}), "suzi").deck
    made = random_upgrades(judge, start, experience, "suzi")
    terms = Circumstances(mode=Mode.STANDALONE)
    verdict = check(judge, made.deck, terms)
    assert verdict.legal, verdict.findings
    assert verdict.complete, verdict.findings
    assert verdict.experience_required == made.experience <= experience
    assert experience - made.experience <= 1
    wanted = 2 + experience // 10  # her own, and one for each tier
    assert made.deck.entries["01000"] == wanted
    assert random_upgrades(judge, start, experience, "suzi") == made
    assert [replayed(each) for each in made.draws] == list(made.draws)


def test_random_upgrades_are_refused_for_other_investigators(judge: Judge) -> None:
    with pytest.raises(ValueError, match="not upgraded at random"):
        random_upgrades(judge, RESEARCHER, 10, "x")


def test_rows_have_the_names_of_their_cards(pool: CardPool) -> None:
    for upgrades in RANDOM_UPGRADES:
        assert upgrades.name in pool[upgrades.code].name
        assert upgrades.cites
    for versions in RANDOM_VERSIONS:
        assert versions.name == pool[versions.code].name
        assert versions.cites
