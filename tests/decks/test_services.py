"""Creating, changing, undoing, saving and sharing decks."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from arkham.accounts.models import User
from arkham.rules.legality import check_deck
from arkham.rules.snapshot import embedded_pool
from decks import services
from decks.lists.content import Content, empty_content, read_content
from decks.models import Deck, Revision, SharedVerdict
from decks.services.sharing import mark_of

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LATER = NOW + timedelta(minutes=5)
FIRST = {"mode": "start"}  # what a deck built from nothing is
EMPTY = replace(empty_content("01001"), circumstances=FIRST)


def _holding(**copies: int) -> Content:
    slots = {code.removeprefix("c"): number for code, number in copies.items()}
    deck = {"investigator_code": "01001", "slots": slots}
    return read_content({"deck": deck, "circumstances": FIRST})


ONE, TWO = _holding(c01020=1), _holding(c01020=2)


def _deck(owner: User | None = None, content: Content = EMPTY) -> Deck:
    return services.create_deck(owner=owner, content=content, now=NOW)


def _revise(deck: Deck, content: Content, expected: int) -> Revision:
    return services.revise_deck(
        deck=deck, content=content, expected_revision=expected, now=LATER
    )


def test_a_deck_begins_with_its_first_revision(alice: User) -> None:
    """An account's has no key; a draft has one."""
    hers = services.create_deck(owner=alice, content=ONE, now=NOW, name=" Machetes ")
    assert (hers.name, hers.revision, hers.key) == ("Machetes", 1, None)
    assert hers.revisions.get().content == ONE
    draft = _deck()
    assert draft.owner is None
    assert len(draft.key or "") == 32


def test_a_change_is_a_new_revision(alice: User) -> None:
    """The earlier ones stay as they were."""
    deck = _deck(alice)
    revision = _revise(deck, ONE, 1)
    assert (revision.number, deck.revision, deck.changed_at) == (2, 2, LATER)
    assert [each.content for each in deck.revisions.all()] == [EMPTY, ONE]


def test_an_unchanged_deck_makes_no_revision(alice: User) -> None:
    """A form sent twice has one effect."""
    deck = _deck(alice, ONE)
    assert _revise(deck, ONE, 1).number == 1
    assert deck.revisions.count() == 1


def test_a_stale_change_shows_both_versions(alice: User) -> None:
    """Nothing is written; the error has theirs, mine and their common base."""
    deck = _deck(alice)
    _revise(deck, ONE, 1)
    with pytest.raises(services.Stale) as refusal:
        _revise(Deck.objects.get(pk=deck.pk), TWO, 1)
    stale = refusal.value
    assert stale.theirs.content == ONE
    assert stale.mine == TWO
    assert stale.base is not None
    assert stale.base.content == EMPTY
    assert deck.revisions.count() == 2


def test_a_change_with_an_unknown_revision_is_stale(alice: User) -> None:
    deck = _deck(alice)
    with pytest.raises(services.Stale) as refusal:
        _revise(deck, ONE, 9)
    assert refusal.value.base is None


def test_undoing_goes_back_step_by_step(alice: User) -> None:
    """It adds revisions; at the beginning it does nothing."""
    deck = _deck(alice)
    _revise(deck, ONE, 1)
    _revise(deck, TWO, 2)
    contents = []
    for expected in (3, 4, 5):
        undone = services.undo_revision(
            deck=deck, expected_revision=expected, now=LATER
        )
        contents.append((undone.number, undone.content))
    assert contents == [(4, ONE), (5, EMPTY), (5, EMPTY)]
    assert deck.revisions.count() == 5


def test_a_change_after_undoing_can_be_undone(alice: User) -> None:
    """It restores the state after the undo."""
    deck = _deck(alice)
    _revise(deck, ONE, 1)
    services.undo_revision(deck=deck, expected_revision=2, now=LATER)
    _revise(deck, TWO, 3)
    undone = services.undo_revision(deck=deck, expected_revision=4, now=LATER)
    assert (undone.number, undone.content) == (5, EMPTY)


def test_undoing_skips_revisions_that_only_changed_the_ledger(alice: User) -> None:
    """Each press changes the list; bookings stay, and redo still works."""
    deck = _deck(alice)

    def book(amount: int) -> None:
        services.correct_ledger(deck=deck, amount=amount, reason="a gift", now=LATER)

    def press(step: Callable[..., Revision]) -> Revision:
        return step(deck=deck, expected_revision=deck.revision, now=LATER)

    book(2)
    _revise(deck, ONE, deck.revision)
    book(1)
    _revise(deck, TWO, deck.revision)
    undone = press(services.undo_revision)
    assert undone.content.deck == ONE.deck
    undone = press(services.undo_revision)
    assert undone.content.deck == EMPTY.deck
    assert undone.circumstances["experience_carried"] == 3
    book(1)
    assert services.steps_of(deck.revisions.get(number=deck.revision)).undo == 0
    for content in (ONE, TWO):
        again = press(services.redo_revision)
        assert again.content.deck == content.deck
    assert again.circumstances["experience_carried"] == 4


@pytest.mark.parametrize("seed", range(5))
def test_the_revision_before_spares_reading_the_others(alice: User, seed: int) -> None:
    """Whether it is given or not, the same revisions are restored."""
    deck, dice = _deck(alice), random.Random(seed)
    for _each in range(25):
        before = deck.revisions.get(number=deck.revision)
        do = dice.choice(("change", "change", "undo", "redo"))
        if do == "change":
            content = _holding(c01020=dice.randint(1, 9), c01030=dice.randint(1, 9))
            after = _revise(deck, content, deck.revision)
        else:
            step = getattr(services, f"{do}_revision")
            after = step(deck=deck, expected_revision=deck.revision, now=LATER)
        assert services.steps_of(after, before) == services.steps_of(after)


def test_undoing_with_an_old_revision_is_stale(alice: User) -> None:
    """It would undo unseen changes."""
    deck = _deck(alice)
    _revise(deck, ONE, 1)
    with pytest.raises(services.Stale):
        services.undo_revision(deck=deck, expected_revision=1, now=LATER)
    assert deck.revisions.count() == 2


def test_a_copy_has_no_history(alice: User, bob: User) -> None:
    """Only the latest revision."""
    deck = _deck(alice)
    _revise(deck, ONE, 1)
    copy = services.copy_deck(deck=deck, owner=bob, now=LATER, name="Mine now")
    assert (copy.owner, copy.name, copy.revision) == (bob, "Mine now", 1)
    assert copy.revisions.get().content == ONE
    assert copy.pk != deck.pk


def test_a_saved_draft_stays_with_its_owner(alice: User, bob: User) -> None:
    """A second account can't save it."""
    draft = _deck()
    services.keep_deck(deck=draft, owner=alice)
    services.keep_deck(deck=draft, owner=bob)
    draft.refresh_from_db()
    assert (draft.owner, draft.key) == (alice, None)


def test_renaming_makes_no_revision(alice: User) -> None:
    """So that it makes no one's change stale."""
    deck = _deck(alice)
    services.describe_deck(
        deck=deck,
        labels=services.DeckLabels("  The long way home " + "x" * 200),
        seen=mark_of(services.DeckLabels()),
        now=NOW,
    )
    deck.refresh_from_db()
    assert deck.name == "The long way home " + "x" * 102
    assert deck.revision == 1


def test_a_shared_verdict_outlives_its_deck(alice: User) -> None:
    """It has the deck, the verdict, and the terms."""
    pool = embedded_pool()
    deck = _deck(alice, TWO)
    verdict = check_deck(TWO.asked().deck, pool)
    shared = services.share_verdict(
        content=TWO, verdict=verdict, now=NOW, name="Machetes"
    )
    services.delete_deck(deck=deck, expected_revision=deck.revision, now=NOW)
    shared = SharedVerdict.objects.get(key=shared.key)
    assert shared.content == TWO
    assert shared.verdict["status"] == "incomplete"
    assert shared.verdict["deck_size"] == 2
    assert shared.pool_version == pool.version
    assert len(shared.key) == 32


def test_abandoned_drafts_are_deleted(alice: User) -> None:
    """After ninety days; decks with an owner stay."""
    hers, old, young = _deck(alice), _deck(), _deck()
    Deck.objects.filter(pk=young.pk).update(changed_at=NOW + timedelta(days=1))
    forgotten = services.forget_drafts(now=NOW + timedelta(days=90, seconds=1))
    assert forgotten == 1
    assert set(Deck.objects.all()) == {hers, young}
    assert not Revision.objects.filter(deck_id=old.pk).exists()


def test_the_demo_has_a_deck_of_every_kind(alice: User) -> None:
    """One legal, one unfinished, one illegal, and a played one; created once."""
    for _start in range(2):
        services.ensure_demo_decks(owner=alice)
    pool = embedded_pool()
    found = []
    for deck in Deck.objects.filter(owner=alice).order_by("pk"):
        asked = deck.revisions.get(number=deck.revision).content.asked()
        found.append(check_deck(asked.deck, pool, asked.circumstances).status)
    assert found == ["legal", "incomplete", "illegal", "legal"]


def test_decks_of_the_demo_have_translated_names(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("decks.services.decks._", lambda text: f"[{text}]")
    services.ensure_demo_decks(owner=alice)
    assert all(
        each.startswith("[") for each in alice.decks.values_list("name", flat=True)
    )


def test_the_demo_shows_games_and_upgrades(alice: User) -> None:
    """Two games and two upgrades, with an exile, boxes and a free refill."""
    services.ensure_demo_decks(owner=alice, now=NOW)
    deck = alice.decks.get(name="Pete after two scenarios")
    revisions = list(deck.revisions.order_by("number"))
    assert [(each.cause, bool(each.played_at)) for each in revisions] == [
        ("built", True), ("upgraded", True), ("upgraded", False)
    ]  # fmt: skip
    booked = list(deck.ledger.values_list("kind", "amount"))
    assert booked == [
        ("victory", 4), ("bonus", 1), ("spent", -4), ("victory", 3), ("spent", -3)
    ]  # fmt: skip
    lines = [
        [(line["rule"], line["card"], line["paid"]) for line in each.invoice["lines"]]
        for each in revisions
        if each.invoice is not None
    ]
    assert lines == [
        [
            ("price.purchase", "02115", 1),
            ("price.upgrade", "02035", 2),
            ("price.boxes", "09100", 1),
        ],
        [
            ("price.refill", "02024", 0),
            ("price.upgrade", "02035", 2),
            ("price.boxes", "09100", 1),
        ],
    ]
    assert revisions[1].aftermath == {"exiled": {"02115": 1}}
    assert deck.made_at == NOW - timedelta(days=14)
