"""Two open questions about decks, for each reading that a table may choose."""

from __future__ import annotations

import pytest

from arkham.rules.deck import Circumstances, DeckList
from arkham.rules.legality import Judge, check
from arkham.rules.legality.standing import Standing
from tests.rules.upgrades import read_base

CAROLYN, VINCENT, SILAS = "05001", "09004", "07005"
PRACTICE, SANCTIFICATION, FEARLESS = "60257", "09123", "01067"
HARPOON, NET, CALL, PROWESS, DREAMS = "07014", "07015", "07016", "98014", "98015"


def _ruled(ruling: str, reading: str) -> Circumstances:
    return Circumstances(rulings=((ruling, reading),))


def _standing(judge: Judge, investigator: str, code: str, reading: str) -> Standing:
    table = _ruled("options.circumstantial-text", reading)
    built = next(judge.builds(DeckList(investigator, {code: 1}), table))
    return built.frame.unmarked[code]


@pytest.mark.parametrize("code", [PRACTICE, FEARLESS])
def test_text_about_healing_admits_a_card(judge: Judge, code: str) -> None:
    """By default neither takes one of Carolyn's fifteen other places."""
    usual = next(judge.builds(DeckList(CAROLYN, {code: 1}))).frame.unmarked[code]
    assert usual == _standing(judge, CAROLYN, code, "words")
    assert (usual.free >= 0, usual.limited) == (True, 0)


def test_only_a_card_that_heals_by_itself_counts_as_healing(judge: Judge) -> None:
    """Private Practice then takes a place; Fearless heals, and takes none."""
    assert _standing(judge, CAROLYN, PRACTICE, "ability").limited
    assert not _standing(judge, CAROLYN, FEARLESS, "ability").limited
    tags = _standing(judge, VINCENT, SANCTIFICATION, "ability").tags
    assert not tags & _standing(judge, VINCENT, SANCTIFICATION, "words").tags


def _silas(*signatures: str) -> DeckList:
    slots = dict(read_base("decks/legal/07005-silas-marsh")["slots"])
    for code in (HARPOON, NET, CALL):
        del slots[code]
    return DeckList(SILAS, {**slots, **dict.fromkeys(signatures, 1)})


WHOLE = [
    (HARPOON, NET, CALL),
    (PROWESS, DREAMS),
    (HARPOON, NET, CALL, PROWESS, DREAMS),
]
PARTS = [
    (PROWESS, NET, CALL),
    (HARPOON, PROWESS, CALL),
    (PROWESS, CALL),
    (HARPOON, NET, DREAMS),
    (PROWESS, NET, DREAMS),
    (HARPOON, PROWESS, DREAMS),
]
NEVER = [(HARPOON, CALL), (PROWESS,), (NET, DREAMS), (CALL,), ()]


@pytest.mark.parametrize("signatures", [*WHOLE, *PARTS, *NEVER])
def test_signatures_may_be_replaced_in_part_if_the_table_rules_so(
    judge: Judge, signatures: tuple[str, ...]
) -> None:
    """All or none by default."""
    deck = _silas(*signatures)
    each = check(judge, deck, _ruled("signatures.part-replaced", "each"))
    assert (check(judge, deck).status == "legal") == (signatures in WHOLE)
    assert (each.status == "legal") == (signatures in [*WHOLE, *PARTS])


def test_an_advanced_signature_that_is_given_may_be_mixed_with_originals(
    judge: Judge,
) -> None:
    """A scenario gives it in place of the original, for any investigator."""
    pool = judge.pool
    tried = 0
    for owner in pool.investigators:
        back = owner.investigator.back if owner.investigator else None
        wanted = back.requirements if back else ()
        for each in wanted:
            if not each.advanced or len(wanted) == 1:
                continue
            held = {one.original: one.copies for one in wanted if one != each}
            deck = DeckList(owner.code, held | {each.advanced: each.copies})
            for given in (frozenset[str](), frozenset({each.advanced})):
                known = Circumstances(given_signatures=given)
                found = {each.rule for each in check(judge, deck, known).findings}
                assert ("required.versions" in found) is not bool(given), owner.name
                assert "required.signatures" not in found
                assert "required.copies" not in found
            tried += 1
    assert tried > 15


def test_a_replacement_that_is_given_may_be_mixed_with_originals(
    judge: Judge,
) -> None:
    """A scenario may give it in place of its card and leave the others."""
    tried = 0
    for owner in judge.pool.investigators:
        back = owner.investigator.back if owner.investigator else None
        wanted = back.requirements if back else ()
        for each in wanted:
            came = dict(each.replacements)
            if not came:
                continue
            held = {one.original: one.copies for one in wanted if one != each}
            deck = DeckList(owner.code, held | came)
            rules = {one.rule for one in check(judge, deck).findings}
            assert rules & {"required.signatures", "required.copies"}, owner.name
            for given in came:
                known = Circumstances(given_signatures=frozenset({given}))
                rules = {one.rule for one in check(judge, deck, known).findings}
                assert not rules & {"required.signatures", "required.copies"}
            tried += 1
    assert tried > 15
