"""Following the remedy of a finding silences it.

This is tried on every illegal deck of the corpus whose finding names cards to remove.
Every finding that isn't advice names its card and says what to do about it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from arkham.rules.checking import JudgeRequest, read_request
from arkham.rules.deck import Circumstances, DeckList, SheetMark
from arkham.rules.finding import Finding, Remedy, Severity
from arkham.rules.legality import Judge, check
from arkham.rules.vocabulary import Mode
from tests.rules.upgrades import FILES, UPGRADES, name_of, upgrade_of

DECKS = Path(__file__).parent / "corpus" / "decks"
ILLEGAL = sorted(DECKS.glob("*/illegal-*.toml"))
# Rules about too high a price, not about the number of cards.
OF_PRICES = {"standalone.experience", "start.experience"}


def _asked(path: Path) -> JudgeRequest:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return read_request(
        {"deck": data["deck"], "circumstances": data.get("circumstances", {})}
    )


def _without(entries: Mapping[str, int], remedy: Remedy) -> dict[str, int]:
    left, to_go = dict(entries), remedy.copies
    for code in reversed(remedy.codes):
        gone = min(left.get(code, 0), to_go)
        left[code] = left.get(code, 0) - gone
        to_go -= gone
    assert not to_go
    return {code: copies for code, copies in left.items() if copies}


def _followed(deck: DeckList, finding: Finding) -> DeckList:
    assert finding.remedy is not None
    codes = finding.remedy.codes
    if finding.rule.startswith("side-deck.") or (
        not any(code in deck.entries for code in codes)
    ):
        return deck._replace(side_deck=_without(deck.side_deck, finding.remedy))
    return deck._replace(entries=_without(deck.entries, finding.remedy))


def _removals(asked: JudgeRequest, judge: Judge) -> Iterator[Finding]:
    for finding in check(judge, asked.deck, asked.circumstances).findings:
        remedy = finding.remedy
        if remedy is None or finding.rule in OF_PRICES:
            continue
        if remedy.action == "remove" and remedy.codes:
            yield finding


@pytest.mark.parametrize("path", ILLEGAL, ids=lambda path: path.stem)
def test_removing_what_a_remedy_names_is_enough(path: Path, judge: Judge) -> None:
    asked = _asked(path)
    for finding in _removals(asked, judge):
        after = check(judge, _followed(asked.deck, finding), asked.circumstances)
        assert (finding.rule, finding.cards) not in {
            (each.rule, each.cards) for each in after.findings
        }


@pytest.mark.parametrize(
    ("name", "rule", "advice"),
    [
        (
            "required.at-least/illegal-six-of-the-third-class",
            "required.at-least",
            "Replace other cards with Rogue cards.",
        ),
        (
            "required.at-least/incomplete-with-room",
            "required.at-least",
            "Add Rogue cards.",
        ),
        (
            "required.at-least-type/illegal-nine-skills",
            "required.at-least-type",
            "Replace other cards with skill cards.",
        ),
        (
            "required.at-least-type/incomplete-nine-skills-with-room",
            "required.at-least-type",
            "Add skill cards.",
        ),
        (
            "required.hunch-deck/illegal-nine-events-and-the-case",
            "required.hunch-deck",
            "Replace other cards with Insight events.",
        ),
        (
            "required.hunch-deck/incomplete-with-room",
            "required.hunch-deck",
            "Add Insight events.",
        ),
        (
            "required.side-cards/illegal-same-directive",
            "required.side-cards",
            "Choose a different one.",
        ),
        (
            "required.side-cards/illegal-a-directive-twice",
            "required.side-cards",
            "Remove the extra ones.",
        ),
    ],
)
def test_the_remedy_depends_on_the_room_in_the_deck(
    name: str, rule: str, advice: str, judge: Judge
) -> None:
    asked = _asked(DECKS / f"{name}.toml")

    verdict = check(judge, asked.deck, asked.circumstances)

    found = [each for each in verdict.findings if each.rule == rule]
    assert [each.advice_text for each in found] == [advice]


def test_a_class_with_too_few_cards_is_named_with_its_count(judge: Judge) -> None:
    path = DECKS / "required.at-least" / "illegal-six-of-the-third-class.toml"
    asked = _asked(path)
    found = check(judge, asked.deck, asked.circumstances).findings
    texts = [each.text for each in found if each.rule == "required.at-least"]
    assert texts == ["3 classes need 7 cards each. Too few: Rogue (6 of 7)."]


def _serious(findings: tuple[Finding, ...]) -> Iterator[Finding]:
    return (each for each in findings if each.severity is not Severity.ADVICE)


@pytest.mark.parametrize("path", ILLEGAL, ids=lambda path: path.stem)
def test_every_serious_finding_of_a_deck_has_advice(path: Path, judge: Judge) -> None:
    asked = _asked(path)
    for finding in _serious(check(judge, asked.deck, asked.circumstances).findings):
        assert finding.advice_text, finding.text


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_every_serious_finding_of_an_upgrade_has_advice(path: Path) -> None:
    invoice = upgrade_of(path).invoice()
    for finding in _serious((*invoice.findings, *invoice.legality)):
        assert finding.advice_text, finding.text


@pytest.mark.parametrize(
    ("name", "text", "advice"),
    [
        (
            "access.signature/illegal-namesake",
            "Mechanic's Wrench is only for Daniela Reyes from “Edge of the Earth "
            "Investigator Expansion”.",
            "Remove Mechanic's Wrench.",
        ),
        (
            "deck.sides/illegal-back-of-another",
            'Roland Banks can’t use the back of "Skids" O\'Toole from “All or '
            "Nothing”.",
            "Use Roland Banks’s own back.",
        ),
        (
            "deck.sides/illegal-unknown-side",
            "Roland Banks can’t use the back of 99999.",
            "Use Roland Banks’s own back.",
        ),
        (
            "required.not-listed/illegal-directive",
            "This version of Roland Banks doesn’t use Directive (Due Diligence).",
            "Remove Directive (Due Diligence), or choose the side that requires it.",
        ),
        (
            "required.copies/illegal-five-on-the-mend",
            "On the Mend: 5 in the deck, 4 allowed.",
            "Remove 1 × On the Mend.",
        ),
        (
            "required.side-cards/illegal-burdens-of-a-lost-discipline",
            "Burden of Destiny: 2 in the deck, 1 allowed.",
            "Remove the extra ones.",
        ),
        (
            "required.side-cards/incomplete-burden",
            "Burden of Destiny: 1 in the deck, 2 required.",
            "Add Burden of Destiny.",
        ),
        (
            "required.side-cards/incomplete-memento",
            "Wendy Adams (parallel) must include Tidal Memento.",
            "Add Tidal Memento.",
        ),
        (
            "access.restricted-card/illegal-trait",
            "Library Pass (1) is only for these traits: Miskatonic, Scholar.",
            "Remove Library Pass (1).",
        ),
        (
            "access.restricted-card/illegal-weakness-of-a-class",
            "Ectoplasmic Horror is for Mystic investigators.",
            "Remove Ectoplasmic Horror.",
        ),
        (
            "copies.subtitle/illegal-sacred-oath",
            "2 copies of Sacred Oath (Oath of Loyalty); 1 is allowed.",
            "Remove 1 × Sacred Oath (Oath of Loyalty).",
        ),
        (
            "side-deck.size/illegal-ten-allies",
            "Cards in the spirit deck: 11 of 10.",
            "Remove 1 card.",
        ),
        (
            "side-deck.size/incomplete-eight-allies",
            "Cards in the spirit deck: 9 of 10.",
            "Add 1 card.",
        ),
        (
            "side-deck.size/incomplete-nothing",
            "Cards in the spirit deck besides Vengeful Shade: 0 of 9.",
            "Add 9 cards.",
        ),
        (
            "start.experience/illegal-level-1",
            "The cards cost 1 experience; a starting deck has 0.",
            "Swap out 1 experience worth of cards.",
        ),
    ],
)
def test_texts_of_findings_about_a_deck(
    name: str, text: str, advice: str, judge: Judge
) -> None:
    asked = _asked(DECKS / f"{name}.toml")
    found = check(judge, asked.deck, asked.circumstances).findings
    rule = name.partition("/")[0]
    assert [(each.text, each.advice_text) for each in found if each.rule == rule] == [
        (text, advice)
    ]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "required.copies/illegal-replacements-beside-by-table",
            "Nautical Prowess: 1 in the deck, 0 allowed.",
        ),
        (
            "environment.card/illegal-first-printing-only",
            "Vicious Blow isn’t in any product of the chosen environment.",
        ),
    ],
)
def test_text_of_the_first_of_several_findings(
    name: str, text: str, judge: Judge
) -> None:
    asked = _asked(DECKS / f"{name}.toml")
    found = check(judge, asked.deck, asked.circumstances).findings
    assert next(each.text for each in found) == text


@pytest.mark.parametrize(
    ("name", "text", "advice"),
    [
        (
            "upgrade.devoured/advice-class-unrecorded",
            "We assume Deduction is of the class devoured most.",
            "Record which class was devoured most.",
        ),
        (
            "upgrade.devoured/illegal-other-class",
            "Deduction isn’t of the class devoured most.",
            "Remove Deduction.",
        ),
        (
            "upgrade.devoured/illegal-boxes-of-another-class",
            "Hunter's Armor isn’t of the class devoured most.",
            "Don’t mark these boxes.",
        ),
        (
            "upgrade.creation-only/illegal-another-size",
            "Mandy Thompson chose deck size 30 at deck creation; that can’t change.",
            "Choose 30 again.",
        ),
        (
            "upgrade.boxes/illegal-unmarked",
            "Hunter's Armor: 2 boxes marked before are no longer marked.",
            "Mark 2 boxes again.",
        ),
        (
            "upgrade.dropped/incomplete-from-a-deck-too-large",
            "You still need 1 new card in place of Flashlight, Emergency Cache.",
            "Buy 1 card.",
        ),
        (
            "upgrade.exiled/illegal-not-in-the-deck",
            "You removed 1 more copy of Flare than the deck had.",
            "Correct what left the deck.",
        ),
        (
            "upgrade.exiled/illegal-one-too-many",
            "You removed 1 more copy of Flare than the deck had.",
            "Correct what left the deck.",
        ),
        (
            "upgrade.researched/illegal-outright",
            "Strange Solution (Restorative Concoction) is researched: you can’t buy it "
            "directly.",
            "Remove Strange Solution (Restorative Concoction), or upgrade a lower "
            "version.",
        ),
    ],
)
def test_texts_of_findings_about_an_upgrade(name: str, text: str, advice: str) -> None:
    found = upgrade_of(UPGRADES / f"{name}.toml").invoice().findings
    assert [(each.text, each.advice_text) for each in found] == [(text, advice)]


def test_lost_homunculus_replaces_signatures_with_weaknesses(
    judge: Judge,
) -> None:
    """The Great Work replaces each signature; there is no side to choose."""
    asked = _asked(DECKS / "legal" / "60401-jacqueline-fine.toml")
    deck = asked.deck._replace(transformed_into="11068b")
    found = [
        (each.text, each.advice_text)
        for each in check(judge, deck, Circumstances()).findings
        if each.rule == "required.not-listed"
    ]
    assert found == [
        (
            f"Lost Homunculus doesn’t use {name}.",
            f"Replace {name} with a random basic weakness.",
        )
        for name in ("Arbiter of Fates", "Dark Future")
    ]


def test_an_upgrade_makes_no_assumption_about_deck_creation() -> None:
    """The deck before shows whether the card was there."""
    path = UPGRADES / "upgrade.creation-only" / "illegal-ascetic.toml"
    rules = [each.rule for each in upgrade_of(path).invoice().legality]
    assert "mode.creation-only" not in rules


def test_one_unmarked_box_is_counted_in_the_singular() -> None:
    upgrade = upgrade_of(UPGRADES / "upgrade.boxes" / "illegal-unmarked.toml")
    after = upgrade.after._replace(sheets={"09021": (SheetMark(0, 1), SheetMark(3, 1))})
    found = replace(upgrade, after=after).invoice().findings
    assert [(each.text, each.advice_text) for each in found] == [
        (
            "Hunter's Armor: 1 box marked before is no longer marked.",
            "Mark 1 box again.",
        )
    ]


@pytest.mark.parametrize("copies", [1, 2])
def test_the_remedy_removes_all_copies_bought_too_late(copies: int) -> None:
    upgrade = upgrade_of(UPGRADES / "upgrade.creation-only" / "illegal-ascetic.toml")
    entries = {**upgrade.after.entries, "11095": copies}
    late = replace(upgrade, after=upgrade.after._replace(entries=entries))
    (found,) = late.invoice().findings
    assert found.remedy == Remedy("remove", ("11095",), copies)


def test_the_remedy_removes_all_copies_of_a_class_that_was_not_devoured() -> None:
    upgrade = upgrade_of(UPGRADES / "upgrade.devoured" / "illegal-other-class.toml")
    (bought,) = upgrade.invoice().findings
    (code,) = bought.cards
    entries = {**upgrade.after.entries, code: upgrade.after.entries[code] + 1}
    more = replace(upgrade, after=upgrade.after._replace(entries=entries))
    (found,) = more.invoice().findings
    assert found.remedy == Remedy("remove", (code,), 2)


def test_a_remedy_says_how_many_signatures_are_missing(judge: Judge) -> None:
    deck = DeckList("11001", {})
    found = check(judge, deck, Circumstances()).findings
    assert "Add 2 × Determined." in [each.advice_text for each in found]


def test_the_remedy_does_not_name_a_weakness_that_is_set_aside(judge: Judge) -> None:
    """The surplus is among the weaknesses that count."""
    entries = {"02038": 1, "02039": 1, "01000": 1}
    deck = DeckList("01001", entries, set_aside={"02039": 1})
    found = check(judge, deck, Circumstances(mode=Mode.START)).findings
    (surplus,) = [each for each in found if each.rule == "weakness.required"]
    assert surplus.remedy == Remedy("remove", ("01000", "02038"), 1)


def test_the_remedy_removes_every_surplus_shade(judge: Judge) -> None:
    asked = _asked(DECKS / "side-deck.required" / "illegal-two-shades.toml")
    deck = asked.deck._replace(side_deck={**asked.deck.side_deck, "90053": 3})
    found = check(judge, deck, asked.circumstances).findings
    (shades,) = [each for each in found if each.rule == "side-deck.required"]
    assert shades.remedy == Remedy("remove", ("90053",), 2)


def test_a_deck_without_signatures_is_asked_for_the_printed_ones(judge: Judge) -> None:
    """Not the replacements of Silas Marsh and Gloria Goldberg, which are fewer."""
    for card in judge.pool.investigators:
        facts = card.investigator
        if facts is None or facts.back is None or not facts.playable:
            continue
        found = check(judge, DeckList(card.code, {}), Circumstances()).findings
        asked = [each.cards[0] for each in found if each.rule == "required.signatures"]
        wanted = [each.original for each in facts.back.requirements]
        if wanted == ["08015"]:
            continue  # one for each Discipline, required with them
        assert asked == wanted, card.name


def test_a_card_that_cannot_be_branded_may_be_in_the_deck_twice(
    judge: Judge,
) -> None:
    asked = _asked(DECKS / "attached.card" / "illegal-branded-event.toml")
    deck = asked.deck._replace(entries={**asked.deck.entries, "03033": 2})
    found = check(judge, deck, asked.circumstances).findings
    assert {each.rule for each in found} == {"attached.card", "deck.size"}
