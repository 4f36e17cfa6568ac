"""Decks between games: played, paid for, upgraded, put right; the ledger's law."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
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
from decks.lists.starter import starter_deck
from decks.models import Deck, Desk, LedgerEntry, Revision
from decks.services import ledger
from decks.services.ledger import Earned
from decks.services.windows import told_anew
from tests.decks.edits import apply

pytestmark = pytest.mark.usefixtures("rows")

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LATER = NOW + timedelta(hours=3)
# Roland's first deck holds two of each; Beat Cop (2) is the higher Beat Cop.
MACHETE, BEAT_COP, BEAT_COP_2, VICIOUS_BLOW, DODGE = (
    "01020",
    "01018",
    "01028",
    "01025",
    "01023",
)
UPGRADE_COP = [("remove", BEAT_COP), ("add", BEAT_COP_2)]


def _deck(owner: User) -> Deck:
    content = starter_deck(embedded_pool(), "01001")
    return services.create_deck(owner=owner, content=content, now=NOW)


def _latest(deck: Deck) -> Revision:
    return deck.revisions.get(number=deck.revision)


def _played(
    owner: User, earned: int = 5, aftermath: Mapping[str, Any] | None = None
) -> Deck:
    deck = _deck(owner)
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


def _with(deck: Deck, *changes: tuple[str, str]) -> Content:
    base = deck.revisions.filter(played_at__isnull=False).latest("number")
    content = services.opened(base)
    return apply(content, changes, embedded_pool())


def _upgrade(deck: Deck, content: Content, **more: Any) -> Revision:
    return services.upgrade_deck(
        deck=deck,
        content=content,
        expected_revision=more.pop("expected", deck.revision),
        now=LATER,
        **more,
    )


def _invoice(revision: Revision) -> dict[str, Any]:
    assert revision.invoice is not None
    return dict(revision.invoice)


def _booked(deck: Deck) -> list[tuple[str, int]]:
    return list(deck.ledger.values_list("kind", "amount"))


def test_revisions_know_why_and_by_whom(alice: User, bob: User) -> None:
    """Built, edited, restored."""
    deck = _deck(alice)
    edited = apply(_latest(deck).content, [("remove", MACHETE)], embedded_pool())
    services.revise_deck(
        deck=deck, content=edited, expected_revision=1, now=NOW, actor=bob
    )
    services.undo_revision(deck=deck, expected_revision=2, now=NOW, actor=alice)
    told = list(deck.revisions.values_list("cause", "made_by__username"))
    assert told == [("built", "alice"), ("edited", "bob"), ("restored", "alice")]


def test_revisions_stored_before_causes_are_told_apart(alice: User) -> None:
    """The first was built, what was brought back restored, the rest edited."""
    deck = _deck(alice)
    edited = apply(_latest(deck).content, [("remove", MACHETE)], embedded_pool())
    services.revise_deck(deck=deck, content=edited, expected_revision=1, now=NOW)
    services.undo_revision(deck=deck, expected_revision=2, now=NOW)
    deck.revisions.update(cause="edited")
    import_module("decks.migrations.0004_life").tell_causes(apps, None)
    causes = deck.revisions.order_by("number").values_list("cause", flat=True)
    assert list(causes) == ["built", "edited", "restored"]


def test_a_deck_that_was_played_is_not_edited(alice: User) -> None:
    """Neither by a change nor by undoing one; what was wanted is not lost."""
    deck = _deck(alice)
    edited = apply(_latest(deck).content, [("remove", MACHETE)], embedded_pool())
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


def test_nor_is_an_upgrade_of_it(alice: User) -> None:
    """It was paid for; a change of it is another upgrade."""
    deck = _played(alice)
    _upgrade(deck, _with(deck, *UPGRADE_COP))
    content = apply(_latest(deck).content, [("remove", MACHETE)], embedded_pool())
    with pytest.raises(services.AlreadyPlayed):
        services.revise_deck(deck=deck, content=content, expected_revision=2, now=NOW)


def test_what_a_game_brought_is_written_down(alice: User) -> None:
    """Every point with its source; entries of nothing are left out."""
    deck = _deck(alice)
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
    revision = _latest(deck)
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


def test_a_window_that_cannot_be_read_writes_nothing(alice: User) -> None:
    """Not even that the deck was played."""
    deck = _deck(alice)
    with pytest.raises(Unreadable):
        services.mark_played(
            deck=deck,
            game=services.PlayedGame(
                earned=(Earned("victory", 3),), aftermath={"moon": 1}
            ),
            expected_revision=1,
            now=NOW,
        )
    assert _latest(deck).played_at is None
    assert _booked(deck) == []


def test_an_upgrade_is_priced_and_paid(alice: User) -> None:
    """From the deck that was played; the invoice stays with the revision."""
    deck = _played(alice)
    revision = _upgrade(deck, _with(deck, *UPGRADE_COP), actor=alice)
    assert (revision.number, revision.cause, revision.base) == (2, "upgraded", 1)
    assert _invoice(revision)["experience_spent"] == 2
    (line,) = _invoice(revision)["lines"]
    assert (line["card"], line["upgraded_from"], line["paid"]) == (
        BEAT_COP_2,
        BEAT_COP,
        2,
    )
    assert revision.window["available"] == 5
    assert _booked(deck) == [("victory", 5), ("spent", -2)]
    assert ledger.balance_of(deck) == 3


def test_a_preview_writes_nothing(alice: User) -> None:
    """And says what there is, what it costs, what would be left."""
    deck = _played(alice)
    seen = services.preview_upgrade(deck=deck, content=_with(deck, *UPGRADE_COP))
    assert (seen.available, seen.invoice.total, seen.left) == (5, 2, 3)
    assert deck.revisions.count() == 1
    assert _booked(deck) == [("victory", 5)]


def test_another_upgrade_in_the_same_window_gives_the_first_back(alice: User) -> None:
    """It is priced from the deck that was played, not from what was bought since."""
    deck = _played(alice)
    _upgrade(deck, _with(deck, *UPGRADE_COP))
    seen = services.preview_upgrade(deck=deck, content=_with(deck))
    assert (seen.available, seen.invoice.total) == (5, 0)
    twice = _with(deck, *UPGRADE_COP, *UPGRADE_COP)
    _upgrade(deck, twice)
    assert _booked(deck) == [
        ("victory", 5),
        ("spent", -2),
        ("returned", 2),
        ("spent", -4),
    ]
    _upgrade(deck, _with(deck))
    assert ledger.balance_of(deck) == 5


def test_what_was_played_with_stays_paid(alice: User) -> None:
    """The next window starts from the upgraded deck."""
    deck = _played(alice)
    _upgrade(deck, _with(deck, *UPGRADE_COP))
    services.mark_played(
        deck=deck,
        game=services.PlayedGame(earned=(Earned("victory", 1),)),
        expected_revision=2,
        now=LATER,
    )
    seen = services.preview_upgrade(deck=deck, content=_with(deck, *UPGRADE_COP))
    assert (seen.base.number, seen.available, seen.invoice.total) == (2, 4, 2)


def test_overspending_is_refused_with_the_finding(alice: User) -> None:
    """Nothing is written."""
    deck = _played(alice, earned=1)
    with pytest.raises(services.UpgradeRefused) as refusal:
        _upgrade(deck, _with(deck, *UPGRADE_COP))
    found = refusal.value.preview.invoice.findings
    assert [each.rule for each in found] == ["upgrade.experience"]
    assert deck.revisions.count() == 1
    assert _booked(deck) == [("victory", 1)]


def test_a_player_may_insist_and_say_why(alice: User) -> None:
    """Then it is a repair, the reason stays, and the balance tells the truth."""
    deck = _played(alice, earned=1)
    revision = _upgrade(
        deck, _with(deck, *UPGRADE_COP), repair="  the table agreed ", actor=alice
    )
    assert (revision.cause, revision.reason) == ("repaired", "the table agreed")
    assert ledger.balance_of(deck) == -1


def test_a_reason_that_is_not_needed_is_not_kept(alice: User) -> None:
    """A lawful upgrade is an upgrade."""
    deck = _played(alice)
    revision = _upgrade(deck, _with(deck, *UPGRADE_COP), repair="to be safe")
    assert (revision.cause, revision.reason) == ("upgraded", "")


def test_exiled_cards_are_replaced_free(alice: User) -> None:
    """A level 0 card comes in for each; the deck as the game left it lacks them."""
    deck = _played(alice, aftermath={"exiled": {MACHETE: 2}})
    left = services.opened(_latest(deck))
    assert MACHETE not in left.deck["slots"]
    revision = _upgrade(deck, apply(left, [("add", "02018:2")], embedded_pool()))
    assert _invoice(revision)["experience_spent"] == 0
    assert {each["rule"] for each in _invoice(revision)["lines"]} == {"price.refill"}


def test_a_deck_played_again_goes_on_as_it_was_left(alice: User) -> None:
    """What was exiled does not come back by not upgrading."""
    deck = _played(alice, aftermath={"exiled": {MACHETE: 2}})
    services.play_again(
        deck=deck,
        game=services.PlayedGame(earned=(Earned("victory", 2),)),
        expected_revision=1,
        now=LATER,
    )
    revision = _latest(deck)
    assert (revision.number, revision.base, revision.cause) == (2, 1, "upgraded")
    assert MACHETE not in revision.content.deck["slots"]
    assert revision.played_at == LATER
    assert ledger.balance_of(deck) == 7


def test_no_game_is_written_down_twice(alice: User) -> None:
    """Neither a first one, nor another one without a first."""
    deck = _played(alice)
    game = services.PlayedGame(earned=(Earned("victory", 5),))
    with pytest.raises(services.AlreadyPlayed):
        services.mark_played(deck=deck, game=game, expected_revision=1, now=LATER)
    _upgrade(deck, _with(deck, *UPGRADE_COP))
    with pytest.raises(services.NotPlayed):
        services.play_again(deck=deck, game=game, expected_revision=2, now=LATER)
    assert ledger.balance_of(deck) == 3


def test_a_campaign_is_under_way_after_the_first_game(alice: User) -> None:
    """What held for a first deck does not bar what is bought later."""
    deck = _deck(alice)
    first = apply(_latest(deck).content, [], embedded_pool())
    told = Content(first.deck, {"mode": "start", "experience": 0})
    services.revise_deck(deck=deck, content=told, expected_revision=1, now=NOW)
    services.mark_played(
        deck=deck,
        game=services.PlayedGame(earned=(Earned("victory", 4),), tasks=("06112",)),
        expected_revision=2,
        now=NOW,
    )
    assert services.opened(_latest(deck)).circumstances == {
        "experience_earned": 4,
        "tasks": ["06112"],
    }


def test_before_the_first_game_there_is_nothing_to_upgrade_from(alice: User) -> None:
    """The deck is simply edited."""
    deck = _deck(alice)
    with pytest.raises(services.NotPlayed):
        services.preview_upgrade(deck=deck, content=_latest(deck).content)


def test_pins_and_refusals_of_the_window_are_kept(alice: User) -> None:
    """What the player insisted on is told beside what happened in the game."""
    deck = _played(alice, earned=9, aftermath={"exiled": {MACHETE: 2}})
    pins = [{"card": BEAT_COP_2, "way": "purchase"}]
    content = _with(deck, *UPGRADE_COP, ("add", "02018:2"))
    revision = _upgrade(deck, content, window={"pins": pins})
    assert revision.window == {
        "exiled": {MACHETE: 2},
        "pins": pins,
        "available": 9,
    }


def test_what_may_be_spent_is_never_told_by_the_caller(alice: User) -> None:
    """It is the balance of the ledger."""
    deck = _played(alice, earned=1)
    content = _with(deck, *UPGRADE_COP)
    with pytest.raises(services.UpgradeRefused):
        _upgrade(deck, content, window={"available": 50})


def test_a_stale_upgrade_shows_both_versions(alice: User) -> None:
    """The second device is told, and loses nothing."""
    deck = _played(alice)
    other = Deck.objects.get(pk=deck.pk)
    _upgrade(deck, _with(deck, *UPGRADE_COP))
    mine = _with(deck, ("remove", MACHETE), ("add", "02018"))
    with pytest.raises(services.Stale) as stale:
        _upgrade(other, mine, expected=1)
    assert stale.value.mine == mine
    assert stale.value.theirs.number == 2
    assert _booked(deck) == [("victory", 5), ("spent", -2)]


def test_a_game_is_not_written_down_twice(alice: User) -> None:
    """The second device saw a deck that was not played yet."""
    deck = _played(alice)
    _upgrade(deck, _with(deck, *UPGRADE_COP))
    with pytest.raises(services.Stale):
        services.mark_played(
            deck=deck,
            game=services.PlayedGame(earned=(Earned("victory", 5),)),
            expected_revision=1,
            now=LATER,
        )
    assert ledger.balance_of(deck) == 3


def test_nothing_is_paid_for_what_is_not_kept(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Revision and ledger are written together or not at all."""
    deck = _played(alice)

    def fail(*_args: object, **_kwargs: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(ledger, "book", fail)
    with pytest.raises(RuntimeError):
        _upgrade(deck, _with(deck, *UPGRADE_COP))
    deck.refresh_from_db()
    assert deck.revision == 1
    assert deck.revisions.count() == 1


def test_a_correction_needs_a_reason(alice: User) -> None:
    """It stays visible in the ledger."""
    deck = _played(alice)
    services.correct_ledger(
        deck=deck, amount=-2, reason="counted twice", actor=alice, now=LATER
    )
    assert ledger.balance_of(deck) == 3
    with pytest.raises(IntegrityError), transaction.atomic():
        services.correct_ledger(deck=deck, amount=1, reason=" ", now=LATER)


def test_two_corrections_of_a_first_deck_at_once_both_stand(alice: User) -> None:
    """Each makes a revision; the second was read before the first was written."""
    deck = _deck(alice)
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
    deck = _played(alice, earned=4)
    seen: list[tuple[Any, ...]] = []
    steps = (
        lambda: _upgrade(deck, _with(deck, *UPGRADE_COP)),
        lambda: services.correct_ledger(deck=deck, amount=3, reason="x", now=LATER),
        lambda: _upgrade(deck, _with(deck)),
        lambda: _upgrade(deck, _with(deck, *UPGRADE_COP, *UPGRADE_COP)),
        lambda: services.mark_played(
            deck=deck,
            game=services.PlayedGame(earned=(Earned("bonus", 1, "spared"),)),
            expected_revision=deck.revision,
            now=LATER,
        ),
        lambda: _upgrade(deck, _with(deck), repair="nothing"),
    )
    for step in steps:
        step()
        entries = list(deck.ledger.values_list())
        assert entries[: len(seen)] == seen
        assert [entry.number for entry in deck.ledger.all()] == list(
            range(1, len(entries) + 1)
        )
        after = ledger.running(deck.ledger.all())[-1].balance
        assert after == ledger.balance_of(deck)
        seen = entries
    assert ledger.balance_of(deck) == 4


@pytest.mark.parametrize(("kind", "amount"), [("spent", 1), ("returned", -1)])
def test_what_is_spent_goes_out_and_what_is_returned_comes_in(
    alice: User, kind: str, amount: int
) -> None:
    """The database holds to it too."""
    deck = _deck(alice)
    with pytest.raises(IntegrityError), transaction.atomic():
        LedgerEntry.objects.create(
            deck=deck, number=1, kind=kind, amount=amount, revision=1, made_at=NOW
        )


def test_the_desk_keeps_an_upgrade_under_way(alice: User) -> None:
    """Each change is made in sight of the one before; a game clears it."""
    deck = _played(alice)
    content = _with(deck, *UPGRADE_COP)

    def lay(version: int) -> Desk:
        return services.lay_out(
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
    _upgrade(deck, content)
    assert not Desk.objects.exists()
    with pytest.raises(services.DeskMoved) as moved:
        lay(0)  # in sight of the revision before
    assert (moved.value.desk.seen, moved.value.desk.version) == (2, 0)
    assert not Desk.objects.exists()


def test_what_two_decks_hold_is_lost_from_one(alice: User) -> None:
    """The first as far as it had it, the second for the rest."""
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


# --- what is taken of a deck for good


AMNESIA, PARANOIA, COVER_UP = "01096", "01097", "01007"


def _again(deck: Deck, aftermath: Mapping[str, Any] | None = None) -> None:
    deck.refresh_from_db()
    latest = _latest(deck)
    write = services.mark_played if latest.played_at is None else services.play_again
    game = services.PlayedGame(aftermath=aftermath or {})
    write(deck=deck, game=game, expected_revision=deck.revision, now=LATER)
    deck.refresh_from_db()


def _weakness(deck: Deck) -> str:
    pool = embedded_pool()
    slots: dict[str, int] = _latest(deck).list["slots"]
    return next(code for code in slots if pool[code].weakness == "basic")


def _lost(deck: Deck) -> list[str]:
    return list(services.opened(_latest(deck)).circumstances.get("lost_cards", ()))


def test_a_weakness_taken_for_good_blocks_no_upgrade(alice: User) -> None:
    """Neither the next upgrade nor one after a later game."""
    deck = _deck(alice)
    weakness = _weakness(deck)
    _again(deck, {"taken": {weakness: 1}})
    _upgrade(deck, _with(deck))
    assert weakness not in _latest(deck).list["slots"]
    _again(deck)
    _upgrade(deck, _with(deck))
    assert _latest(deck).cause == "upgraded"
    assert _latest(deck).circumstances["lost_cards"] == [weakness]


def test_a_required_card_taken_and_given_back_is_required_again(alice: User) -> None:
    """It is lost only as long as it is gone."""
    deck = _deck(alice)
    _again(deck, {"taken": {COVER_UP: 1}})
    assert _lost(deck) == [COVER_UP]
    _again(deck, {"granted": {COVER_UP: 1}})
    assert _lost(deck) == []
    _upgrade(deck, _with(deck))


def test_a_game_told_otherwise_takes_nothing(alice: User) -> None:
    """The desk corrects what the game form said."""
    deck = _deck(alice)
    weakness = _weakness(deck)
    _again(deck, {"taken": {weakness: 1}})
    content = services.opened(_latest(deck))
    before = {"taken": {weakness: 1}}
    anew = told_anew(content, before, {}, embedded_pool())
    assert anew.deck["slots"][weakness] == 1
    assert "lost_cards" not in anew.circumstances
    assert told_anew(anew, {}, before, embedded_pool()) == content


def test_a_weakness_that_became_another_blocks_no_upgrade(alice: User) -> None:
    """Only what came was told: the earlier card left with it."""
    deck = _deck(alice)
    weakness = _weakness(deck)
    _again(deck, {"taken": {weakness: 1}, "granted": {"04040": 1}})
    _upgrade(deck, _with(deck))
    _again(deck, {"granted": {"04041": 1}})
    slots = services.opened(_latest(deck)).deck["slots"]
    assert ("04040" in slots, slots["04041"]) == (False, 1)
    _upgrade(deck, _with(deck))
    assert _lost(deck) == []


def test_what_a_weakness_became_may_be_told_at_the_desk(alice: User) -> None:
    """The earlier card leaves with it, and is there again if it was a mistake."""
    deck = _deck(alice)
    weakness = _weakness(deck)
    _again(deck, {"taken": {weakness: 1}, "granted": {"04038": 1}})
    _upgrade(deck, _with(deck))
    _again(deck)
    content, held = services.opened(_latest(deck)), _latest(deck).list["slots"]
    told, pool = {"granted": {"04039": 1}}, embedded_pool()
    anew = told_anew(content, {}, told, pool, held)
    assert ("04038" in anew.deck["slots"], anew.deck["slots"]["04039"]) == (False, 1)
    assert told_anew(anew, told, {}, pool, held) == content


def test_a_pact_that_comes_back_takes_the_place_of_its_price(alice: User) -> None:
    """Only what came was told, each time."""
    deck = _deck(alice)
    weakness = _weakness(deck)
    _again(deck, {"taken": {weakness: 1}, "granted": {"04038": 1}})
    for gone, come in (("04038", "04039"), ("04039", "04038"), ("04038", "04039")):
        _upgrade(deck, _with(deck))
        _again(deck, {"granted": {come: 1}})
        slots = services.opened(_latest(deck)).deck["slots"]
        assert (gone in slots, slots[come]) == (False, 1)
    assert _lost(deck) == []


def test_a_card_a_scenario_gave_is_set_aside_for_good(alice: User) -> None:
    """It is neither counted nor paid for, in this window and in later ones."""
    deck = _deck(alice)
    _again(deck, {"granted": {"05040": 1}})
    opened = services.opened(_latest(deck))
    assert opened.deck["ignoreDeckLimitSlots"] == {"05040": 1}
    upgraded = _upgrade(deck, opened)
    assert _invoice(upgraded)["lines"] == []
    _again(deck)
    _upgrade(deck, _with(deck))
    told = told_anew(opened, {"granted": {"05040": 1}}, {}, embedded_pool())
    assert told.deck["ignoreDeckLimitSlots"] == {}
    assert "05040" not in told.deck["slots"]


def test_a_card_given_and_lost_in_one_game_is_not_there(alice: User) -> None:
    deck = _deck(alice)
    game = {"granted": {"01117": 1, MACHETE: 1}, "taken": {"01117": 1}}
    _again(deck, game | {"exiled": {MACHETE: 1}})
    opened = services.opened(_latest(deck))
    assert "01117" not in opened.deck["slots"]
    assert opened.deck["slots"][MACHETE] == 2
    preview = services.preview_upgrade(deck=deck, content=opened)
    assert [each.rule for each in preview.invoice.findings] == []


def test_a_card_granted_and_not_set_aside_is_kept_as_it_was_priced(alice: User) -> None:
    """A program names it in the window alone; the deck stays legal in later ones."""
    deck = _deck(alice)
    _again(deck, {"granted": {"05040": 1}})
    opened = services.opened(_latest(deck))
    counted = apply(opened, [("count", "05040")], embedded_pool())
    preview = services.preview_upgrade(deck=deck, content=counted)
    assert preview.content == opened
    upgraded = _upgrade(deck, counted)
    assert upgraded.list["ignoreDeckLimitSlots"] == {"05040": 1}
    _again(deck)
    _upgrade(deck, _with(deck))


def test_a_card_granted_that_fills_a_place_counts(alice: User) -> None:
    """It may as well have been bought for the place of an exiled one."""
    deck = _deck(alice)
    _again(deck, {"granted": {"01024": 1}, "exiled": {MACHETE: 1}})
    opened = services.opened(_latest(deck))
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
def test_what_was_earned_before_a_deck_came_is_counted(
    alice: User, told: dict[str, Any], after: list[int | None]
) -> None:
    """Game by game; where nobody tells it, it stays untold."""
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


def test_a_copy_of_a_deck_goes_on_counting_what_was_earned(alice: User) -> None:
    """A second Discipline that was had before is no fault after the next game."""
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
        opened = services.opened(_latest(deck))
        deck = services.copy_deck(deck=deck, owner=alice, now=LATER, name="")
    assert opened.circumstances["experience_earned"] == 23
