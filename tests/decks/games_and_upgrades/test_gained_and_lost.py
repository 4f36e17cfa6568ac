"""Cards that a game removes, gives or transforms, and experience earned before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from decks import services
from decks.lists.content import Content, read_content
from decks.lists.starter import starter_deck
from decks.models import Deck
from decks.services import ledger, settling
from decks.services.campaign_changes import current_content, with_corrected_window
from decks.services.ledger import Earned
from decks.services.upgrading import desk_of, save_desk
from tests.decks.edits import apply
from tests.decks.games_and_upgrades.upgrades import (
    LATER,
    MACHETE,
    content_with,
    invoice_of,
    make_upgrade,
    newest,
    rolands_deck,
)
from tests.decks.helpers import NOW, text_of
from tests.rules.upgrades import read_base

pytestmark = pytest.mark.usefixtures("rows")

AMNESIA, PARANOIA, COVER_UP = "01096", "01097", "01007"


def _again(deck: Deck, aftermath: Mapping[str, Any] | None = None) -> None:
    deck.refresh_from_db()
    latest = newest(deck)
    write = services.mark_played if latest.played_at is None else services.play_again
    game = services.PlayedGame(aftermath=aftermath or {})
    write(deck=deck, game=game, expected_revision=deck.revision, now=LATER)
    deck.refresh_from_db()


def _weakness(deck: Deck) -> str:
    pool = embedded_pool()
    slots: dict[str, int] = newest(deck).list["slots"]
    return next(code for code in slots if pool[code].weakness == "basic")


def _lost(deck: Deck) -> list[str]:
    return list(services.opened(newest(deck)).circumstances.get("lost_cards", ()))


def test_a_weakness_removed_permanently_blocks_no_upgrade(alice: User) -> None:
    """Neither the next upgrade nor one after a later game."""
    deck = rolands_deck(alice)
    weakness = _weakness(deck)
    _again(deck, {"taken": {weakness: 1}})
    make_upgrade(deck, content_with(deck))
    assert weakness not in newest(deck).list["slots"]
    _again(deck)
    make_upgrade(deck, content_with(deck))
    assert newest(deck).cause == "upgraded"
    assert newest(deck).circumstances["lost_cards"] == [weakness]


def test_a_required_card_that_returns_is_required_again(alice: User) -> None:
    """It counts as lost only while it is gone."""
    deck = rolands_deck(alice)
    _again(deck, {"taken": {COVER_UP: 1}})
    assert _lost(deck) == [COVER_UP]
    _again(deck, {"granted": {COVER_UP: 1}})
    assert _lost(deck) == []
    make_upgrade(deck, content_with(deck))


def test_two_copies_of_a_weakness_are_lost_one_by_one(alice: User) -> None:
    """A copy that returns is no longer lost; the other still is."""
    deck = rolands_deck(alice)
    weakness = _weakness(deck)
    _again(deck, {"granted": {weakness: 1}})
    make_upgrade(deck, content_with(deck))
    _again(deck, {"taken": {weakness: 2}})
    assert _lost(deck) == [weakness, weakness]
    make_upgrade(deck, content_with(deck))
    _again(deck, {"granted": {weakness: 1}})
    assert _lost(deck) == [weakness]


def test_a_corrected_game_removes_nothing(alice: User) -> None:
    """The desk corrects the game's form."""
    deck = rolands_deck(alice)
    weakness = _weakness(deck)
    _again(deck, {"taken": {weakness: 1}})
    content = services.opened(newest(deck))
    before = {"taken": {weakness: 1}}
    anew = with_corrected_window(content, before, {}, embedded_pool())
    assert anew.deck["slots"][weakness] == 1
    assert "lost_cards" not in anew.circumstances
    assert with_corrected_window(anew, {}, before, embedded_pool()) == content


def test_a_transformed_weakness_blocks_no_upgrade(alice: User) -> None:
    """Only the new card was entered: the earlier one left with it."""
    deck = rolands_deck(alice)
    weakness = _weakness(deck)
    _again(deck, {"taken": {weakness: 1}, "granted": {"04040": 1}})
    make_upgrade(deck, content_with(deck))
    _again(deck, {"granted": {"04041": 1}})
    slots = services.opened(newest(deck)).deck["slots"]
    assert ("04040" in slots, slots["04041"]) == (False, 1)
    make_upgrade(deck, content_with(deck))
    assert _lost(deck) == []


def test_a_transformed_weakness_may_be_entered_at_the_desk(alice: User) -> None:
    """The earlier card leaves with it, and returns if it was a mistake."""
    deck = rolands_deck(alice)
    weakness = _weakness(deck)
    _again(deck, {"taken": {weakness: 1}, "granted": {"04038": 1}})
    make_upgrade(deck, content_with(deck))
    _again(deck)
    content, held = services.opened(newest(deck)), newest(deck).list["slots"]
    told, pool = {"granted": {"04039": 1}}, embedded_pool()
    anew = with_corrected_window(content, {}, told, pool, held)
    assert ("04038" in anew.deck["slots"], anew.deck["slots"]["04039"]) == (False, 1)
    assert with_corrected_window(anew, told, {}, pool, held) == content


def test_a_returning_pact_replaces_its_price(alice: User) -> None:
    """Only the new card was entered, each time."""
    deck = rolands_deck(alice)
    weakness = _weakness(deck)
    _again(deck, {"taken": {weakness: 1}, "granted": {"04038": 1}})
    for gone, come in (("04038", "04039"), ("04039", "04038"), ("04038", "04039")):
        make_upgrade(deck, content_with(deck))
        _again(deck, {"granted": {come: 1}})
        slots = services.opened(newest(deck)).deck["slots"]
        assert (gone in slots, slots[come]) == (False, 1)
    assert _lost(deck) == []


def test_a_card_given_by_a_scenario_stays_outside_the_deck_size(alice: User) -> None:
    """It is neither counted nor paid for, in this window and in later ones."""
    deck = rolands_deck(alice)
    _again(deck, {"granted": {"05040": 1}})
    opened = services.opened(newest(deck))
    assert opened.deck["ignoreDeckLimitSlots"] == {"05040": 1}
    upgraded = make_upgrade(deck, opened)
    assert invoice_of(upgraded)["lines"] == []
    _again(deck)
    make_upgrade(deck, content_with(deck))
    told = with_corrected_window(opened, {"granted": {"05040": 1}}, {}, embedded_pool())
    assert told.deck["ignoreDeckLimitSlots"] == {}
    assert "05040" not in told.deck["slots"]


def test_a_card_gained_and_lost_in_one_game_is_not_in_the_deck(alice: User) -> None:
    deck = rolands_deck(alice)
    game = {"granted": {"01117": 1, MACHETE: 1}, "taken": {"01117": 1}}
    _again(deck, game | {"exiled": {MACHETE: 1}})
    opened = services.opened(newest(deck))
    assert "01117" not in opened.deck["slots"]
    assert opened.deck["slots"][MACHETE] == 2
    preview = services.preview_upgrade(deck=deck, content=opened)
    assert [each.rule for each in preview.invoice.findings] == []


def test_a_granted_card_that_counts_is_kept_as_it_was_priced(alice: User) -> None:
    """A program names it in the window alone; the deck stays legal in later ones."""
    deck = rolands_deck(alice)
    _again(deck, {"granted": {"05040": 1}})
    opened = services.opened(newest(deck))
    counted = apply(opened, [("count", "05040")], embedded_pool())
    preview = services.preview_upgrade(deck=deck, content=counted)
    assert preview.content == opened
    upgraded = make_upgrade(deck, counted)
    assert upgraded.list["ignoreDeckLimitSlots"] == {"05040": 1}
    _again(deck)
    make_upgrade(deck, content_with(deck))


def test_a_granted_card_that_fills_a_gap_counts(alice: User) -> None:
    """It may as well have been bought to replace an exiled one."""
    deck = rolands_deck(alice)
    _again(deck, {"granted": {"01024": 1}, "exiled": {MACHETE: 1}})
    opened = services.opened(newest(deck))
    assert opened.deck["ignoreDeckLimitSlots"] == {"01024": 1}
    counted = apply(opened, [("count", "01024")], embedded_pool())
    preview = services.preview_upgrade(deck=deck, content=counted)
    assert preview.content == counted
    assert preview.invoice.lawful


DISCIPLINES = {"08011a": 1, "08012a": 1}


@pytest.mark.parametrize(
    ("told", "after"),
    [
        ({"mode": "start"}, [3, 5]),
        ({"mode": "campaign", "experience_earned": 20}, [23, 25]),
        ({"mode": "campaign"}, [None, None]),
    ],
)
def test_experience_earned_before_an_import_is_counted(
    alice: User, told: dict[str, Any], after: list[int | None]
) -> None:
    """Game by game; if no one entered it, it stays unknown."""
    listed = {"investigator_code": "08010", "slots": DISCIPLINES}
    deck = services.create_deck(owner=alice, content=Content(listed, told), now=NOW)
    found = []
    for points, write in ((3, services.mark_played), (2, services.play_again)):
        played = write(
            deck=deck,
            game=services.PlayedGame((Earned("victory", points),)),
            expected_revision=deck.revision,
            now=LATER,
        )
        found.append(services.opened(played).circumstances.get("experience_earned"))
    assert found == after


def test_a_copy_of_a_deck_keeps_the_experience_earned(alice: User) -> None:
    """A second Discipline from before is no fault after the next game."""
    listed = {"investigator_code": "08010", "slots": {"08011a": 1}}
    content = Content(listed, {"mode": "start"})
    deck = services.create_deck(owner=alice, content=content, now=NOW)
    for points in (20, 3):
        services.mark_played(
            deck=deck,
            game=services.PlayedGame((Earned("victory", points),)),
            expected_revision=deck.revision,
            now=LATER,
        )
        opened = services.opened(newest(deck))
        deck = services.copy_deck(deck=deck, owner=alice, now=LATER, name="")
    assert opened.circumstances["experience_earned"] == 23


def test_experience_earned_is_counted_after_an_upgrade_too(alice: User) -> None:
    """A correction in the same window makes a second Discipline legal, or not."""
    listed = {"investigator_code": "08010", "slots": {"08011a": 1}}
    content = Content(listed, {"mode": "start"})
    deck = services.create_deck(owner=alice, content=content, now=NOW)
    services.mark_played(
        deck=deck,
        game=services.PlayedGame((Earned("victory", 14),)),
        expected_revision=deck.revision,
        now=LATER,
    )
    services.upgrade_deck(
        deck=deck,
        content=services.opened(newest(deck)),
        expected_revision=deck.revision,
        now=LATER,
        repair="As the table has it",
    )
    for kept, amount, earned in ((False, 1, 15), (True, -2, 13)):
        latest = newest(deck)
        if kept:
            desk = desk_of(latest)
            assert desk is not None
            save_desk(
                deck=deck,
                content=desk.content,
                window=desk.window,
                seen=latest.number,
                expected_version=0,
                now=LATER,
            )
        settling.settle_without_game(
            deck=deck,
            reason="Corrected",
            earned=(Earned("victory", amount),),
            now=LATER,
            actor=None,
        )
        desk = desk_of(newest(deck))
        assert desk is not None
        assert desk.circumstances["experience_earned"] == earned
        assert current_content(deck).circumstances["experience_earned"] == earned


def test_an_upgraded_deck_is_no_first_deck(alice: User) -> None:
    """Father Mateo's five experience are granted once, whatever an upgrade claims."""
    content = starter_deck(embedded_pool(), "04004")
    first = Content(content.deck, {**content.circumstances, "mode": "start"})
    deck = services.create_deck(owner=alice, content=first, now=NOW)
    game = services.PlayedGame((Earned("victory", 2),))
    services.mark_played(deck=deck, game=game, expected_revision=1, now=LATER)
    balance = ledger.balance_of(deck)
    later = services.opened(newest(deck))
    asked = Content(later.deck, {**later.circumstances, "mode": "start"})
    make_upgrade(deck, asked, expected=deck.revision, repair="As it is")
    deck.refresh_from_db()
    assert "mode" not in newest(deck).circumstances
    services.mark_played(
        deck=deck, game=game, expected_revision=deck.revision, now=LATER
    )
    assert ledger.balance_of(deck) == balance + 2


PAINTED, DIRECTIVE, OTHER_DIRECTIVE = "03012", "90025", "90026"
Window = dict[str, dict[str, int]]


def _of_corpus(owner: User, name: str) -> Deck:
    """A legal deck of the corpus, with its campaign in progress."""
    usual = starter_deck(embedded_pool(), "01001").deck
    content = Content({**usual, **read_base(name)}, {"mode": "campaign"})
    return services.create_deck(owner=owner, content=content, now=NOW)


def _corrected(deck: Deck, before: Window, after: Window) -> Content:
    """Return the desk's contents after the last game is corrected."""
    base = newest(deck)
    content, pool = services.opened(base), embedded_pool()
    had: tuple[Any, ...] = base.list["slots"], {}, base.circumstances
    return with_corrected_window(content, before, after, pool, *had)


@pytest.fixture
def sefina(alice: User) -> Deck:
    """Sefina's deck, from which a game removed one of three Painted Worlds."""
    deck = _of_corpus(alice, "decks/legal/03003-sefina-rousseau")
    _again(deck, {"taken": {PAINTED: 1}})
    make_upgrade(deck, content_with(deck))
    assert _lost(deck) == [PAINTED]
    return deck


def test_a_correction_keeps_what_an_earlier_game_removed(sefina: Deck) -> None:
    """The second copy was not lost after all; the first one is."""
    lost: Window = {"taken": {PAINTED: 1}}
    _again(sefina, lost)
    content = _corrected(sefina, lost, {})
    assert content.deck["slots"][PAINTED] == 2
    assert content.circumstances["lost_cards"] == [PAINTED]
    make_upgrade(sefina, content, window={"taken": {}})


def test_a_card_stays_lost_until_every_copy_is_back(sefina: Deck) -> None:
    """One of two returns, then the other."""
    _again(sefina, {"taken": {PAINTED: 1}})
    make_upgrade(sefina, content_with(sefina))
    for left in ([PAINTED], []):
        _again(sefina, {"granted": {PAINTED: 1}})
        assert _lost(sefina) == left
        make_upgrade(sefina, content_with(sefina))


def test_a_card_whose_return_is_corrected_is_lost(sefina: Deck) -> None:
    """A card that the correction removes is no longer required."""
    back: Window = {"granted": {PAINTED: 1}}
    _again(sefina, back)
    assert _lost(sefina) == []
    content = _corrected(sefina, back, {})
    assert content.circumstances["lost_cards"] == [PAINTED]
    make_upgrade(sefina, content, window={"granted": {}})


def test_a_directive_given_to_replace_a_lost_one_stays(alice: User) -> None:
    """Game after game there is one more than were left."""
    deck = _of_corpus(alice, "decks/legal/90024-roland-banks-parallel")
    _again(deck, {"taken": {DIRECTIVE: 1}})
    make_upgrade(deck, content_with(deck))
    _again(deck, {"granted": {OTHER_DIRECTIVE: 1}})
    assert _lost(deck) == []
    make_upgrade(deck, content_with(deck))
    _again(deck)
    make_upgrade(deck, content_with(deck))


def test_cards_that_a_program_names_with_an_upgrade_stay(alice: User) -> None:
    """Cards removed and given that no game had recorded."""
    deck = rolands_deck(alice)
    _again(deck)
    gone = apply(content_with(deck), [("remove", COVER_UP)], embedded_pool())
    made = make_upgrade(deck, gone, window={"taken": {COVER_UP: 1}})
    assert made.circumstances["lost_cards"] == [COVER_UP]
    _again(deck)
    make_upgrade(deck, content_with(deck))
    _again(deck)
    back = apply(content_with(deck), [("add", COVER_UP)], embedded_pool())
    made = make_upgrade(deck, back, window={"granted": {COVER_UP: 1}})
    assert "lost_cards" not in made.circumstances


@pytest.mark.parametrize("amount", [999, -999])
def test_a_deck_may_have_more_experience_than_the_judge_accepts(
    alice: User, amount: int
) -> None:
    """Eleven corrections in a row are kept, before the first game and after it."""
    first, played = rolands_deck(alice), rolands_deck(alice)
    _again(played)
    for deck in (first, played):
        for _ in range(11):
            services.correct_ledger(deck=deck, amount=amount, reason="x", now=LATER)
    assert ledger.balance_of(first) == 11 * amount
    carried = first.revisions.latest("number").circumstances.get("experience_carried")
    assert carried == (9_999 if amount > 0 else None)
    upgrade = services.preview_upgrade(deck=played, content=content_with(played))
    assert upgrade.available == (9_999 if amount > 0 else -9_999)


@pytest.mark.parametrize("word", ["exiled", "taken"])
def test_copies_of_two_printings_leave_together(alice: User, word: str) -> None:
    """A game that removes both leaves neither, whichever printing it names."""
    content = newest(rolands_deck(alice)).content
    slots = {**content.deck["slots"], MACHETE: 1, "01520": 1}
    listed = {"deck": {**content.deck, "slots": slots}}
    for code in (MACHETE, "01520"):
        deck = services.create_deck(owner=alice, content=read_content(listed), now=NOW)
        _again(deck, {word: {code: 2}})
        left = services.opened(newest(deck)).deck["slots"]
        assert not {MACHETE, "01520"} & left.keys()


def test_a_weakness_drawn_in_the_campaign_replaces_the_random_one(
    as_alice: Client, alice: User
) -> None:
    """The random basic weakness counts as neither exiled nor lost."""
    content = starter_deck(embedded_pool(), "01001")
    deck = services.create_deck(owner=alice, content=content, now=NOW)
    _again(deck)
    settling.gain_cards(
        deck=deck,
        codes=[PARANOIA],
        reason="drawn",
        expected_revision=deck.revision,
        now=LATER,
    )
    assert newest(deck).list["slots"][PARANOIA] == 1
    text = text_of(as_alice.get(f"/decks/{deck.pk}/upgrade/"))
    assert "Nothing bought yet" in text
    assert "Cards that leave" not in text
