"""Decks between games: played, paid for, upgraded, corrected; laws of the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction

from arkham.accounts.models import User
from arkham.rules.notation.reading import Unreadable
from arkham.rules.snapshot import embedded_pool
from decks import services
from decks.lists.content import Content, empty_content
from decks.models import Deck, Desk, LedgerEntry
from decks.services import ledger
from decks.services.ledger import Earned
from tests.decks.edits import apply
from tests.decks.games_and_upgrades.upgrades import (
    BEAT_COP,
    BEAT_COP_2,
    DODGE,
    LATER,
    MACHETE,
    content_with,
    invoice_of,
    make_upgrade,
    newest,
    rolands_deck,
)
from tests.decks.helpers import NOW

pytestmark = pytest.mark.usefixtures("rows")

UPGRADE_COP = [("remove", BEAT_COP), ("add", BEAT_COP_2)]


def played_deck(
    owner: User, earned: int = 5, aftermath: Mapping[str, Any] | None = None
) -> Deck:
    deck = rolands_deck(owner)
    services.mark_played(
        deck=deck,
        game=services.PlayedGame(
            earned=(Earned("victory", earned),), aftermath=aftermath or {}
        ),
        expected_revision=1,
        actor=owner,
        now=NOW,
    )
    return deck


def booked(deck: Deck) -> list[tuple[str, int]]:
    return list(deck.ledger.values_list("kind", "amount"))


def test_revisions_have_a_cause_and_an_author(alice: User, bob: User) -> None:
    """Built, edited, restored."""
    deck = rolands_deck(alice)
    edited = apply(newest(deck).content, [("remove", MACHETE)], embedded_pool())
    services.revise_deck(
        deck=deck, content=edited, expected_revision=1, now=NOW, actor=bob
    )
    services.undo_revision(deck=deck, expected_revision=2, now=NOW, actor=alice)
    told = list(deck.revisions.values_list("cause", "made_by__username"))
    assert told == [("built", "alice"), ("edited", "bob"), ("restored", "alice")]


def test_causes_are_filled_in_for_stored_revisions(alice: User) -> None:
    """The first was built, those of an undo restored, the rest edited."""
    deck = rolands_deck(alice)
    edited = apply(newest(deck).content, [("remove", MACHETE)], embedded_pool())
    services.revise_deck(deck=deck, content=edited, expected_revision=1, now=NOW)
    services.undo_revision(deck=deck, expected_revision=2, now=NOW)
    deck.revisions.update(cause="edited")
    import_module("decks.migrations.0004_life").fill_causes(apps, None)
    causes = deck.revisions.order_by("number").values_list("cause", flat=True)
    assert list(causes) == ["built", "edited", "restored"]


def test_a_played_deck_is_not_edited(alice: User) -> None:
    """Neither by a change nor by undoing one; the attempted change is kept."""
    deck = rolands_deck(alice)
    edited = apply(newest(deck).content, [("remove", MACHETE)], embedded_pool())
    services.revise_deck(deck=deck, content=edited, expected_revision=1, now=NOW)
    services.mark_played(
        deck=deck, game=services.PlayedGame(), expected_revision=2, now=NOW
    )
    more = apply(edited, [("remove", MACHETE)], embedded_pool())
    with pytest.raises(services.AlreadyPlayed) as refusal:
        services.revise_deck(deck=deck, content=more, expected_revision=2, now=NOW)
    assert refusal.value.mine == more
    with pytest.raises(services.AlreadyPlayed):
        services.undo_revision(deck=deck, expected_revision=2, now=NOW)
    assert deck.revisions.count() == 2


def test_an_upgraded_deck_is_not_edited(alice: User) -> None:
    """It was paid for; a change of it is another upgrade."""
    deck = played_deck(alice)
    make_upgrade(deck, content_with(deck, *UPGRADE_COP))
    content = apply(newest(deck).content, [("remove", MACHETE)], embedded_pool())
    with pytest.raises(services.AlreadyPlayed):
        services.revise_deck(deck=deck, content=content, expected_revision=2, now=NOW)


def test_a_games_experience_is_booked(alice: User) -> None:
    """Every point with its source; entries of 0 are left out."""
    deck = rolands_deck(alice)
    services.mark_played(
        deck=deck,
        game=services.PlayedGame(
            earned=(
                Earned("victory", 3),
                Earned("bonus", 2, " insight "),
                Earned("card", 0),
            ),
            aftermath={"exiled": {DODGE: 1}},
        ),
        expected_revision=1,
        actor=alice,
        now=NOW,
    )
    revision = newest(deck)
    assert (revision.played_at, revision.aftermath) == (NOW, {"exiled": {DODGE: 1}})
    entries = [
        (each.number, each.kind, each.amount, each.reason, each.author)
        for each in deck.ledger.all()
    ]
    assert entries == [
        (1, "victory", 3, "", alice),
        (2, "bonus", 2, "insight", alice),
    ]
    assert ledger.balance_of(deck) == 5


def test_an_invalid_window_writes_nothing(alice: User) -> None:
    """Not even that the deck was played."""
    deck = rolands_deck(alice)
    with pytest.raises(Unreadable):
        services.mark_played(
            deck=deck,
            game=services.PlayedGame(
                earned=(Earned("victory", 3),), aftermath={"moon": 1}
            ),
            expected_revision=1,
            now=NOW,
        )
    assert newest(deck).played_at is None
    assert booked(deck) == []


def test_an_upgrade_is_priced_and_paid(alice: User) -> None:
    """From the deck that was played; the invoice stays with the revision."""
    deck = played_deck(alice)
    revision = make_upgrade(deck, content_with(deck, *UPGRADE_COP), actor=alice)
    assert (revision.number, revision.cause, revision.base) == (2, "upgraded", 1)
    assert invoice_of(revision)["experience_spent"] == 2
    (line,) = invoice_of(revision)["lines"]
    assert (line["card"], line["upgraded_from"], line["paid"]) == (
        BEAT_COP_2,
        BEAT_COP,
        2,
    )
    assert revision.window["available"] == 5
    assert booked(deck) == [("victory", 5), ("spent", -2)]
    assert ledger.balance_of(deck) == 3


def test_a_preview_writes_nothing(alice: User) -> None:
    """It returns the balance before, the price and the balance after."""
    deck = played_deck(alice)
    seen = services.preview_upgrade(deck=deck, content=content_with(deck, *UPGRADE_COP))
    assert (seen.available, seen.invoice.total, seen.left) == (5, 2, 3)
    assert deck.revisions.count() == 1
    assert booked(deck) == [("victory", 5)]


def test_another_upgrade_in_the_same_window_refunds_the_first(alice: User) -> None:
    """It is priced from the deck that was played, not from the first upgrade."""
    deck = played_deck(alice)
    make_upgrade(deck, content_with(deck, *UPGRADE_COP))
    seen = services.preview_upgrade(deck=deck, content=content_with(deck))
    assert (seen.available, seen.invoice.total) == (5, 0)
    twice = content_with(deck, *UPGRADE_COP, *UPGRADE_COP)
    make_upgrade(deck, twice)
    assert booked(deck) == [
        ("victory", 5),
        ("spent", -2),
        ("returned", 2),
        ("spent", -4),
    ]
    make_upgrade(deck, content_with(deck))
    assert ledger.balance_of(deck) == 5


def test_cards_that_were_played_stay_paid(alice: User) -> None:
    """The next window starts from the upgraded deck."""
    deck = played_deck(alice)
    make_upgrade(deck, content_with(deck, *UPGRADE_COP))
    services.mark_played(
        deck=deck,
        game=services.PlayedGame(earned=(Earned("victory", 1),)),
        expected_revision=2,
        now=LATER,
    )
    seen = services.preview_upgrade(deck=deck, content=content_with(deck, *UPGRADE_COP))
    assert (seen.base.number, seen.available, seen.invoice.total) == (2, 4, 2)


def test_overspending_is_refused_with_the_finding(alice: User) -> None:
    """Nothing is written."""
    deck = played_deck(alice, earned=1)
    with pytest.raises(services.UpgradeRefused) as refusal:
        make_upgrade(deck, content_with(deck, *UPGRADE_COP))
    found = refusal.value.preview.invoice.findings
    assert [each.rule for each in found] == ["upgrade.experience"]
    assert deck.revisions.count() == 1
    assert booked(deck) == [("victory", 1)]


def test_a_player_may_insist_with_a_reason(alice: User) -> None:
    """Then it is a repair, the reason stays, and the balance is correct."""
    deck = played_deck(alice, earned=1)
    revision = make_upgrade(
        deck,
        content_with(deck, *UPGRADE_COP),
        repair="  the table agreed ",
        actor=alice,
    )
    assert (revision.cause, revision.reason) == ("repaired", "the table agreed")
    assert ledger.balance_of(deck) == -1


def test_an_unneeded_reason_is_not_kept(alice: User) -> None:
    """A legal upgrade is no repair."""
    deck = played_deck(alice)
    revision = make_upgrade(deck, content_with(deck, *UPGRADE_COP), repair="to be safe")
    assert (revision.cause, revision.reason) == ("upgraded", "")


def test_exiled_cards_are_replaced_free(alice: User) -> None:
    """By a level 0 card each; the deck as the game left it lacks them."""
    deck = played_deck(alice, aftermath={"exiled": {MACHETE: 2}})
    left = services.opened(newest(deck))
    assert MACHETE not in left.deck["slots"]
    revision = make_upgrade(deck, apply(left, [("add", "02018:2")], embedded_pool()))
    assert invoice_of(revision)["experience_spent"] == 0
    assert {each["rule"] for each in invoice_of(revision)["lines"]} == {"price.refill"}


def test_a_deck_played_again_goes_on_as_it_was_left(alice: User) -> None:
    """Exiled cards don't return by skipping the upgrade."""
    deck = played_deck(alice, aftermath={"exiled": {MACHETE: 2}})
    services.play_again(
        deck=deck,
        game=services.PlayedGame(earned=(Earned("victory", 2),)),
        expected_revision=1,
        now=LATER,
    )
    revision = newest(deck)
    assert (revision.number, revision.base, revision.cause) == (2, 1, "upgraded")
    assert MACHETE not in revision.content.deck["slots"]
    assert revision.played_at == LATER
    assert ledger.balance_of(deck) == 7


def test_no_game_is_entered_twice(alice: User) -> None:
    """Neither a first one, nor another one without a first."""
    deck = played_deck(alice)
    game = services.PlayedGame(earned=(Earned("victory", 5),))
    with pytest.raises(services.AlreadyPlayed):
        services.mark_played(deck=deck, game=game, expected_revision=1, now=LATER)
    make_upgrade(deck, content_with(deck, *UPGRADE_COP))
    with pytest.raises(services.NotPlayed):
        services.play_again(deck=deck, game=game, expected_revision=2, now=LATER)
    assert ledger.balance_of(deck) == 3


def test_a_campaign_is_in_progress_after_the_first_game(alice: User) -> None:
    """Restrictions of a first deck don't apply to later purchases."""
    deck = rolands_deck(alice)
    first = apply(newest(deck).content, [], embedded_pool())
    told = Content(first.deck, {"mode": "start", "experience": 0})
    services.revise_deck(deck=deck, content=told, expected_revision=1, now=NOW)
    services.mark_played(
        deck=deck,
        game=services.PlayedGame(earned=(Earned("victory", 4),), tasks=("06112",)),
        expected_revision=2,
        now=NOW,
    )
    assert services.opened(newest(deck)).circumstances == {
        "experience_earned": 4,
        "tasks": ["06112"],
    }


def test_before_the_first_game_there_is_no_upgrade(alice: User) -> None:
    """The deck is simply edited."""
    deck = rolands_deck(alice)
    with pytest.raises(services.NotPlayed):
        services.preview_upgrade(deck=deck, content=newest(deck).content)


def test_pins_and_declined_discounts_of_the_window_are_kept(alice: User) -> None:
    """Beside what happened in the game."""
    deck = played_deck(alice, earned=9, aftermath={"exiled": {MACHETE: 2}})
    pins = [{"card": BEAT_COP_2, "way": "purchase"}]
    content = content_with(deck, *UPGRADE_COP, ("add", "02018:2"))
    revision = make_upgrade(deck, content, window={"pins": pins})
    assert revision.window == {
        "exiled": {MACHETE: 2},
        "pins": pins,
        "available": 9,
    }


def test_the_caller_never_sets_the_balance(alice: User) -> None:
    """It is the ledger's."""
    deck = played_deck(alice, earned=1)
    content = content_with(deck, *UPGRADE_COP)
    with pytest.raises(services.UpgradeRefused):
        make_upgrade(deck, content, window={"available": 50})


def test_a_stale_upgrade_shows_both_versions(alice: User) -> None:
    """The second device is refused, and loses nothing."""
    deck = played_deck(alice)
    other = Deck.objects.get(pk=deck.pk)
    make_upgrade(deck, content_with(deck, *UPGRADE_COP))
    mine = content_with(deck, ("remove", MACHETE), ("add", "02018"))
    with pytest.raises(services.Stale) as stale:
        make_upgrade(other, mine, expected=1)
    assert stale.value.mine == mine
    assert stale.value.theirs.number == 2
    assert booked(deck) == [("victory", 5), ("spent", -2)]


def test_a_game_is_not_entered_by_two_devices(alice: User) -> None:
    """The second device saw a deck that was not played yet."""
    deck = played_deck(alice)
    make_upgrade(deck, content_with(deck, *UPGRADE_COP))
    with pytest.raises(services.Stale):
        services.mark_played(
            deck=deck,
            game=services.PlayedGame(earned=(Earned("victory", 5),)),
            expected_revision=1,
            now=LATER,
        )
    assert ledger.balance_of(deck) == 3


def test_an_upgrade_that_fails_costs_nothing(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Revision and ledger are written together or not at all."""
    deck = played_deck(alice)

    def fail(*_args: object, **_kwargs: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(ledger, "book", fail)
    with pytest.raises(RuntimeError):
        make_upgrade(deck, content_with(deck, *UPGRADE_COP))
    deck.refresh_from_db()
    assert deck.revision == 1
    assert deck.revisions.count() == 1


def test_a_correction_needs_a_reason_and_an_amount(alice: User) -> None:
    """It stays visible in the ledger."""
    deck = played_deck(alice)
    services.correct_ledger(
        deck=deck, amount=-2, reason="counted twice", actor=alice, now=LATER
    )
    assert ledger.balance_of(deck) == 3
    with pytest.raises(IntegrityError), transaction.atomic():
        services.correct_ledger(deck=deck, amount=1, reason=" ", now=LATER)
    with pytest.raises(ValueError, match="by 0"):
        services.correct_ledger(deck=deck, amount=0, reason="nothing", now=LATER)


def test_two_concurrent_corrections_of_a_first_deck_both_count(alice: User) -> None:
    """Each makes a revision; the second was read before the first was written."""
    deck = rolands_deck(alice)
    same = Deck.objects.get(pk=deck.pk)
    for one, amount in ((deck, 2), (same, 3)):
        services.correct_ledger(deck=one, amount=amount, reason="carried", now=LATER)

    deck.refresh_from_db()
    assert ledger.balance_of(deck) == 5
    latest = deck.revisions.get(number=deck.revision)
    assert latest.circumstances["experience_carried"] == 5
    assert [each.revision for each in deck.ledger.all()] == [1, 2]


def test_the_ledger_only_grows_and_the_balance_is_its_sum(alice: User) -> None:
    """Whatever happens, no entry is changed and none is lost."""
    deck = played_deck(alice, earned=4)
    seen: list[tuple[Any, ...]] = []
    steps = (
        lambda: make_upgrade(deck, content_with(deck, *UPGRADE_COP)),
        lambda: services.correct_ledger(deck=deck, amount=3, reason="x", now=LATER),
        lambda: make_upgrade(deck, content_with(deck)),
        lambda: make_upgrade(deck, content_with(deck, *UPGRADE_COP, *UPGRADE_COP)),
        lambda: services.mark_played(
            deck=deck,
            game=services.PlayedGame(earned=(Earned("bonus", 1, "spared"),)),
            expected_revision=deck.revision,
            now=LATER,
        ),
        lambda: make_upgrade(deck, content_with(deck), repair="nothing"),
    )
    for step in steps:
        step()
        entries = list(deck.ledger.values_list())
        assert entries[: len(seen)] == seen
        assert [entry.number for entry in deck.ledger.all()] == list(
            range(1, len(entries) + 1)
        )
        after = ledger.with_balances(deck.ledger.all())[-1].balance
        assert after == ledger.balance_of(deck)
        seen = entries
    assert ledger.balance_of(deck) == 4


@pytest.mark.parametrize(("kind", "amount"), [("spent", 1), ("returned", -1)])
def test_payments_are_negative_and_refunds_positive(
    alice: User, kind: str, amount: int
) -> None:
    """A database constraint."""
    deck = rolands_deck(alice)
    with pytest.raises(IntegrityError), transaction.atomic():
        LedgerEntry.objects.create(
            deck=deck, number=1, kind=kind, amount=amount, revision=1, made_at=NOW
        )


def test_the_desk_keeps_an_unfinished_upgrade(alice: User) -> None:
    """Each change needs the version before it; a game clears it."""
    deck = played_deck(alice)
    content = content_with(deck, *UPGRADE_COP)

    def lay(version: int) -> Desk:
        return services.save_desk(
            deck=deck,
            content=content,
            window={},
            seen=1,
            expected_version=version,
            now=LATER,
        )

    assert [lay(0).version, lay(1).version] == [1, 2]
    with pytest.raises(services.DeskMoved) as moved:
        lay(1)
    assert moved.value.desk.version == 2
    with pytest.raises(services.DeskMoved):
        services.clear_desk(deck=deck, expected_version=1)
    assert Desk.objects.get().version == 2
    services.clear_desk(deck=deck, expected_version=2)
    with pytest.raises(services.DeskMoved) as moved:
        lay(2)
    assert (moved.value.desk.seen, moved.value.desk.version) == (1, 0)
    lay(0)
    make_upgrade(deck, content)
    assert not Desk.objects.exists()
    with pytest.raises(services.DeskMoved) as moved:
        lay(0)  # in sight of the revision before
    assert (moved.value.desk.seen, moved.value.desk.version) == (2, 0)
    assert not Desk.objects.exists()


def test_a_lost_card_is_removed_from_both_decks(alice: User) -> None:
    """From the first as far as it has the card, from the second for the rest."""
    changes = [
        ("choose", "back:90049"),
        ("add", "60410"),
        ("side-add", "60410"),
        ("side-add", "60508"),
    ]
    content = apply(empty_content("02004"), changes, embedded_pool())
    for lost, left, beside in (
        ({"60410": 1}, {}, {"60410": 1, "60508": 1}),
        ({"60410": 2}, {}, {"60508": 1}),
        ({"60508": 1}, {"60410": 1}, {"60410": 1}),
    ):
        deck = services.create_deck(owner=alice, content=content, now=NOW)
        game = services.PlayedGame(aftermath={"exiled": lost})
        services.mark_played(deck=deck, game=game, expected_revision=1, now=NOW)
        after = services.opened(deck.revisions.get()).asked().deck
        assert (after.entries, after.side_deck) == (left, beside)
