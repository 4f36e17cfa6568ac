"""Cards that may be added to a deck, and why others may not."""

from __future__ import annotations

from typing import Any

import pytest

from arkham.rules.legality import judge_of
from arkham.rules.pool import CardPool
from cardpool.search.lexicon import QueryError
from cardpool.search.query import parse
from decks.lists.content import read_content
from decks.lists.starter import starter_deck
from decks.pages.display import Judged
from decks.pages.offers import CardSearch, FoundCard, offers_for

pytestmark = pytest.mark.usefixtures("rows")


def _judged(rows: CardPool, investigator: str = "01001", **keys: Any) -> Judged:
    deck = {"investigator_code": investigator, "slots": {}, **keys}
    return Judged(read_content(deck), judge_of(rows))


def _found(judged: Judged, words: str = "", **wish: Any) -> dict[str, FoundCard]:
    found = offers_for(judged, CardSearch(words=words, **wish))
    return {offer.code: offer for offer in found.offers}


def test_includable_cards_come_first(rows: CardPool) -> None:
    """Roland may have seekers up to level 2; the others follow with the reason."""
    found = offers_for(_judged(rows), CardSearch(words="class:seeker magnifying"))
    told = [(offer.code, offer.level, offer.reason) for offer in found.offers]
    assert told == [
        ("01030", 0, ""),
        ("01040", 1, ""),
    ]
    found = offers_for(_judged(rows), CardSearch(words='"deciphered reality"'))
    assert [offer.reason for offer in found.offers] == [
        "Deciphered Reality (5) is level 5. Roland Banks may include: Seeker cards, "
        "level 0–2."
    ]
    assert (found.open_count, found.barred_count) == (0, 1)


def test_without_words_only_those_are_shown(rows: CardPool) -> None:
    """A filter alone finds no barred cards."""
    found = offers_for(
        _judged(rows), CardSearch(filters=parse("class:mystic"), shown=240)
    )
    assert (found.open_count, found.barred_count) == (len(found.offers), 0)


def test_a_signature_comes_before_others_of_its_name(rows: CardPool) -> None:
    """Daisy's book before one of level 5, which the order would show first."""
    words = "necronomicon"
    daisy = [*_found(_judged(rows, "01002"), words)]
    assert daisy.index("01009") < daisy.index("60233")
    roland = [*_found(_judged(rows), words)]
    assert "60233" in roland


def test_another_copy_is_barred_at_the_limit(rows: CardPool) -> None:
    """The reason is the limit, with the source of the resulting finding."""
    offer = _found(_judged(rows, slots={"01020": 2}), "machete")["01020"]
    assert offer.copies == 2
    assert offer.reason == "No room for another copy: the limit is 2."
    assert offer.cites == ("Rules Reference Deckbuilding", "FAQ 2.5 2.21")
    assert _found(_judged(rows, slots={"01020": 1}), "machete")["01020"].reason == ""


def test_copies_are_counted_over_printings(rows: CardPool) -> None:
    """The printing in the deck is the one that is offered."""
    found = _found(_judged(rows, slots={"01520": 1}), "machete")
    assert [(code, offer.copies) for code, offer in found.items()] == [("01520", 1)]


def test_a_full_option_bars_cards_that_need_it(rows: CardPool) -> None:
    """Five other cards for Zoey; a sixth has no room."""
    deck = {"01044": 2, "01045": 2, "01051": 1}
    offer = _found(_judged(rows, "02001", slots=deck), "elusive level:0")["01050"]
    assert "6 cards fit only limited options, which have room for 5" in offer.reason


def test_another_investigators_signature_is_barred(rows: CardPool) -> None:
    """With the name of its investigator."""
    offer = _found(_judged(rows), '"daisy\'s tote bag"')["01008"]
    assert offer.reason == "Daisy's Tote Bag is only for Daisy Walker."


def test_a_full_deck_bars_nothing(rows: CardPool) -> None:
    """That concerns the deck, not the card."""
    full = Judged(starter_deck(rows, "01001"), judge_of(rows))
    assert _found(full, "evidence")["01022"].reason != ""
    assert _found(full, '"on the hunt" level:0')["03263"].reason == ""


def test_forbidden_cards_are_barred(rows: CardPool) -> None:
    """While the taboo list is followed."""
    with_list = _found(_judged(rows, "01002", taboo_id=10), '"drawing thin"')
    without = _found(_judged(rows, "01005"), '"drawing thin"')
    assert all(offer.code for offer in with_list.values())
    assert [offer.reason for offer in without.values()] == [""]


def test_filters_narrow_the_search(rows: CardPool) -> None:
    """Class, type and level together, in the chosen order."""
    found = offers_for(
        _judged(rows, "01002"),
        CardSearch(filters=parse("class:seeker type:skill level>=1"), order="level"),
    )
    levels = [offer.level for offer in found.offers]
    assert {offer.card.type for offer in found.offers} == {"skill"}
    assert levels == sorted(levels, key=lambda level: level or 0)
    assert levels[0] is not None
    assert levels[0] >= 1


def test_affordable_cards_of_a_first_deck_come_first(rows: CardPool) -> None:
    """Unless an order is typed; a deck with experience has them mixed."""
    first = read_content(
        {
            "deck": {"investigator_code": "01001", "slots": {}},
            "circumstances": {"mode": "start"},
        }
    )
    judged = Judged(first, judge_of(rows))
    for order in ("class", "name", "cost"):
        found = offers_for(judged, CardSearch(order=order, shown=240)).offers
        dear = [offer.is_dear for offer in found]
        assert not dear[0]
        assert dear == sorted(dear), order
    typed = offers_for(judged, CardSearch(words="level>=0 sort:name", shown=240)).offers
    assert any(offer.is_dear for offer in typed[:30])


def test_a_typed_order_takes_precedence(rows: CardPool) -> None:
    found = offers_for(
        _judged(rows, "01002"), CardSearch(words="class:seeker sort:cost", order="name")
    )
    costs = [offer.card.cost or 0 for offer in found.offers]
    assert costs == sorted(costs)


def test_more_are_shown_on_request(rows: CardPool) -> None:
    """Thirty at a time."""
    first = offers_for(_judged(rows), CardSearch())
    assert (len(first.offers), first.more) == (30, 30)
    second = offers_for(_judged(rows), CardSearch(shown=60))
    assert second.offers[:30] == first.offers


def test_the_second_deck_has_offers_of_its_own(rows: CardPool) -> None:
    """Allies for Jim's spirits, each once."""
    jim = _judged(rows, "90049", meta={"extra_deck": "01018"})
    found = _found(jim, "beat cop", into="side")
    assert (found["01018"].copies, found["01018"].reason != "") == (1, True)
    assert _found(jim, '"guard dog"', into="side")["01021"].reason == ""
    full = Judged(starter_deck(rows, "90049"), judge_of(rows))
    assert _found(full, "agency backup", into="side")["05274"].reason != ""
    assert _found(full, '"laboratory assistant"', into="side")["02020"].reason == ""


def test_the_second_deck_is_offered_cards_it_may_have(rows: CardPool) -> None:
    """Its levels and classes count, and its own card; words find the others as well."""
    jim = _judged(rows, "90049")
    found = offers_for(jim, CardSearch(into="side", shown=240))
    assert found.count == len(found.offers) == found.open_count
    assert {offer.reason for offer in found.offers} == {""}
    assert max(offer.level or 0 for offer in found.offers) == 2
    assert "90053" in {offer.code for offer in found.offers}  # Vengeful Shade
    assert offers_for(_judged(rows), CardSearch(into="side")).count == 0


def test_a_deck_without_an_investigator_is_offered_everything(rows: CardPool) -> None:
    found = offers_for(_judged(rows, "99999"), CardSearch(words="machete"))
    assert [offer.reason for offer in found.offers] == [""]


def test_investigators_are_not_offered(rows: CardPool) -> None:
    assert "01001" not in _found(_judged(rows), '"roland banks"')


def test_unknown_keywords_are_refused(rows: CardPool) -> None:
    """With the place."""
    with pytest.raises(QueryError) as refusal:
        offers_for(_judged(rows), CardSearch(words="level:0 colour:red"))
    assert refusal.value.column == 9


def test_cards_of_their_own_class_come_first(rows: CardPool) -> None:
    """In the usual order without words; what is looked for by name isn't moved."""
    daisy = _judged(rows, "01002")
    first = [*_found(daisy, shown=240).values()]
    kinds = [each.signs == ("seeker",) for each in first]
    assert kinds[0]
    assert sorted(kinds, reverse=True) == kinds
    by_name = [*_found(daisy, order="name").values()]
    assert not all(each.signs == ("seeker",) for each in by_name)
