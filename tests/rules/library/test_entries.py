"""The library covers every rule and term, in our own words, and cites what exists."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from arkham.rules.library import Entry, entries_of, find, library
from arkham.rules.library.links import all_checks
from arkham.rules.rulings import RULINGS

HERE = Path(__file__).parent
LIBRARY = library()
TOLD = {row for entry in LIBRARY.values() for row in entry.rows}
TERMS = [term for entry in LIBRARY.values() for term in entry.terms]
# Rows that are of no interest to players.
UNTOLD = {
    "SRC-12": "How sections of the FAQ are numbered.",
    "CARD-26": "Which flags a card of ours needs.",
    "TABOO-14": "Where another database errs.",
    "TEST-16": "What a calculator of odds takes and gives.",
    "GAP-09": "Scenario lists are facts of the campaigns.",
    "GAP-11": "Upgrade sheets are facts of the cards.",
    "GAP-12": "Investigators' backs are facts of the cards.",
}


def known_rows() -> set[str]:
    """Return the rows of the catalogue listed here and in the decks' list."""
    decks = (HERE.parent / "rows.txt").read_text(encoding="utf-8").splitlines()
    others = (HERE / "rows.txt").read_text(encoding="utf-8").splitlines()
    rows = {line.split()[0] for line in decks if not line.startswith("#")}
    return rows.union(*(line.split() for line in others if not line.startswith("#")))


# -- complete --


def test_every_term_of_the_glossary_has_an_entry() -> None:
    assert set(TERMS) == {f"REF-{number:03}" for number in range(1, 176)}
    # Skill cards and skill tests share a line there.
    assert sorted(term for term in TERMS if TERMS.count(term) > 1) == ["REF-145"] * 2


def test_every_rule_has_an_entry_or_a_reason() -> None:
    assert known_rows() - TOLD == set(UNTOLD)


def test_only_rows_that_exist_are_cited() -> None:
    superseded = {
        row
        for entry in LIBRARY.values()
        for each in entry.superseded
        for row in each.rows
    }
    assert TOLD | superseded <= known_rows()
    assert superseded <= TOLD


def test_every_open_question_belongs_to_a_rule() -> None:
    for ruling in RULINGS.values():
        if not ruling.of_chance:
            assert TOLD & set(ruling.rows), ruling.id


def test_the_rows_match_the_catalogue(shared_data: Path) -> None:
    text = (shared_data / "docs" / "rules.md").read_text(encoding="utf-8")
    rows = set(re.findall(r"^\| ([A-Z]+-\w+) \|", text, re.MULTILINE))
    apart = {row for row in rows if row.startswith(("REF-", "ADD-", "SYS-"))}
    assert rows - apart == known_rows()


def test_every_term_is_found_in_english_and_polish(shared_data: Path) -> None:
    """By the headwords of the catalogue's glossary, section 30."""
    text = (shared_data / "docs" / "rules.md").read_text(encoding="utf-8")
    line = r"^\| (REF-\d+) \| (.+?) \| .+? \| (.+?) \| .+? \|$"
    glossary = re.findall(line, text, re.MULTILINE)
    assert len(glossary) == 175
    for term, english, polish in glossary:
        about = [entry for entry in LIBRARY.values() if term in entry.terms]
        if polish != "—":
            for word in polish.split("; "):
                assert set(find(LIBRARY, word)[:3]) & set(about), (term, word)
        heads = re.split(r" / |, (?=[a-z])", re.sub(r" \([^)]*\)", "", english))
        assert set(find(LIBRARY, heads[0])[:3]) & set(about), (term, english)


# -- linked --


@pytest.mark.parametrize("rule_id", all_checks())
def test_every_rule_leads_to_an_entry(rule_id: str) -> None:
    assert entries_of(LIBRARY, rule_id)


def test_each_rule_is_claimed_by_at_most_one_entry() -> None:
    claimed = [rule_id for entry in LIBRARY.values() for rule_id in entry.checks]
    assert set(claimed) <= all_checks().keys()
    assert len(claimed) == len(set(claimed))


def test_a_rule_leads_first_to_its_own_entry() -> None:
    told = {
        "deck.size": "deck-size",
        "copies.myriad": "myriad",
        "access.story": "story-cards-in-decks",
        "weakness.required": "basic-weakness",
        "price.upgrade": "upgrading",
        "taboo.forbidden": "forbidden-cards",
        "upgrade.permanent": "permanent",
        "table.short": "collection",
    }
    for rule_id, slug in told.items():
        assert entries_of(LIBRARY, rule_id)[0].slug == slug
    assert entries_of(LIBRARY, "deck.no-such-rule") == ()


# -- written --


@pytest.mark.parametrize("entry", LIBRARY.values(), ids=lambda entry: entry.slug)
def test_an_entry_is_complete(entry: Entry) -> None:
    """It has a current text, a source and whole sentences."""
    assert entry.as_of()
    assert entry.sources
    assert entry.slug not in entry.related
    for paragraph in entry.paragraphs:
        assert paragraph.text[-1] in ".:", paragraph.text
        assert paragraph.text.count("*") % 2 == 0 or "***" in paragraph.text
    assert entry.title not in entry.also or entry.polish


# Ends of a run of words: a line, a link, the name of a card or scenario.
_BREAK = re.compile(r"\n|\]\([^)]*\)|(?<!\*)\*[^*\n]+\*(?!\*)")


def _words(text: str) -> list[str]:
    return re.findall(r"[A-Za-z0-9−-]+", text.replace("'", "").replace("’", ""))


def _runs(words: list[str]) -> set[str]:
    return {" ".join(words[at : at + 6]).casefold() for at in range(len(words) - 5)}


def test_no_six_words_in_a_row_are_from_a_rulebook_or_a_card(shared_data: Path) -> None:
    """Except names: at least half of the words are capitalised or numbers."""
    ours: dict[str, str] = {}
    for entry in LIBRARY.values():
        texts = [each.text for each in entry.paragraphs]
        texts += [each.said for each in entry.superseded]
        for text in texts:
            for line in _BREAK.split(text):
                words = _words(line)
                for at in range(len(words) - 5):
                    run = words[at : at + 6]
                    named = [word for word in run if not word[0].islower()]
                    if len(named) < 3:
                        ours[" ".join(run).casefold()] = entry.slug
    theirs: set[str] = set()
    for book in (shared_data / "sources").glob("*.txt"):
        theirs |= _runs(_words(book.read_text(encoding="utf-8", errors="replace")))
    for file in (shared_data / "data" / "arkhamdb" / "pack").rglob("*.json"):
        for card in json.loads(file.read_text(encoding="utf-8")):
            for key in ("text", "back_text", "flavor"):
                theirs |= _runs(_words(re.sub(r"<[^>]+>", "", card.get(key) or "")))

    assert len(theirs) > 100_000
    assert {run: slug for run, slug in ours.items() if run in theirs} == {}
