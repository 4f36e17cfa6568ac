"""Weaknesses of a deck that a campaign exchanges, waives or gives back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from arkham.accounts.models import User
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.snapshot import embedded_pool
from campaigns import services
from campaigns.models import Campaign, Guide
from decks import services as deck_services
from decks.models import Deck
from decks.services import ledger
from tests.campaigns.helpers.tables import (
    a_row,
    as_answers,
    later,
    organiser_of,
    report,
    sequence_of,
    who,
    write_context,
)
from tests.campaigns.settling.helpers import (
    DUKE,
    PETE,
    SACRIFICED,
    content_now,
    found_in,
    game_of,
    retract_step,
    sacrifice,
    starter_of,
    table_with,
)
from tests.rules.campaign.helpers.games import a_game, won
from tests.rules.campaign.helpers.small import DAISY, ROLAND, WHO, Raw, a_step

OFFER = "53013"  # Offer You Cannot Refuse: 2 experience for its new bearer


def test_a_weakness_replaces_one_still_to_be_drawn(alice: User) -> None:
    """Only one; a deck that has drawn its own gets no placeholder."""
    drawn = [
        {"type": "add_card", "investigator": "all", "card": "01097", "non_story": True},
        {
            "type": "remove_card",
            "investigator": "all",
            "card": "01000",
            "non_story": True,
        },
    ]
    save = {"id": "save", "type": "input", "input": {"type": "save_decks"}}
    guide = a_row(
        a_game("one"),
        setup=["who", "drawn", "save"],
        steps=[WHO, a_step(*drawn, step_id="drawn"), save],
    )
    for undrawn in (0, 1, 2):
        change = [("add", "01000")] if undrawn == 2 else []
        change += [("remove", "01000")] if not undrawn else []
        deck = starter_of(alice, ROLAND, *change)
        before = content_now(deck)
        campaign = table_with(alice, deck, ROLAND, guide)
        report(
            campaign, as_answers({"type": "decision", "step": "save", "decision": True})
        )
        slots = content_now(deck).deck["slots"]
        assert (slots["01097"], slots.get("01000", 0)) == (1, max(undrawn - 1, 0))
        services.retract(
            campaign=campaign,
            member=organiser_of(campaign),
            target=sequence_of(campaign, "who", SETUP),
            context=write_context(campaign),
        )
        assert content_now(deck) == before


# --- basic weaknesses

SEFINA, PAINTED = "03003", "03012"  # a signature of three copies
AMNESIA, PARANOIA, PACT, FAILURE = "01096", "01097", "04038", "04039"


def _altar_of(*cards: str) -> Guide:
    asked = {**SACRIFICED["input"], "query": [{"code": [*cards]}]}
    return a_row(a_game("one", {**SACRIFICED, "input": asked}), a_game("two"))


def _weakness_of(deck: Deck) -> str:
    pool = embedded_pool()
    slots: dict[str, int] = content_now(deck).deck["slots"]
    return next(code for code in slots if pool[code].weakness == "basic")


def test_a_removed_basic_weakness_is_not_missing(alice: User) -> None:
    """The deck that had it is complete; one that lacks its own weakness is not."""
    had = starter_of(alice, ROLAND)
    swap = [("remove", _weakness_of(had)), ("add", AMNESIA)]
    had = starter_of(alice, ROLAND, *swap)
    campaign = table_with(alice, had, ROLAND, _altar_of(AMNESIA))
    report(campaign, game_of(ROLAND, sacrifice(AMNESIA)))
    assert AMNESIA not in content_now(had).deck["slots"]
    assert content_now(had).circumstances["lost_cards"] == [AMNESIA]
    assert "weakness.required" not in dict(found_in(had))

    other = starter_of(alice, ROLAND, swap[0])
    seat = campaign.seats.get(investigator=ROLAND)
    member = organiser_of(campaign)
    services.link_deck(seat=seat, member=member, deck=other, now=later(80))
    assert "lost_cards" not in content_now(other).circumstances
    assert "weakness.required" in dict(found_in(other))

    services.link_deck(seat=seat, member=member, deck=had, now=later(81))
    retract_step(campaign, "sacrificed")
    assert content_now(had).deck["slots"][AMNESIA] == 1
    assert "lost_cards" not in content_now(had).circumstances


def _ordered(owner: User, deck: Deck, *effects: Raw, who: str = ROLAND) -> Campaign:
    """A campaign whose first game changes an investigator's deck."""
    orders = ({"investigator": "all", "non_story": True, **each} for each in effects)
    guide = a_row(a_game("one", a_step(*orders, step_id="ordered")), a_game("two"))
    campaign = table_with(owner, deck, who, guide)
    report(campaign, game_of(who))
    return campaign


def test_a_removed_basic_weakness_stays_waived(alice: User) -> None:
    """In later games, until the answer is undone."""
    deck = starter_of(alice, ROLAND)
    weakness = _weakness_of(deck)
    deck = starter_of(alice, ROLAND, ("remove", weakness), ("add", AMNESIA))
    before = content_now(deck)
    campaign = _ordered(alice, deck, {"type": "remove_card", "card": AMNESIA})
    assert AMNESIA not in content_now(deck).deck["slots"]
    assert found_in(deck) == []
    deck_services.upgrade_deck(
        deck=deck,
        content=content_now(deck),
        expected_revision=deck.revision,
        now=later(60),
    )
    assert found_in(deck) == []
    retract_step(campaign, "$choose_resolution")

    assert content_now(deck).deck == before.deck
    assert "lost_cards" not in content_now(deck).circumstances


def test_two_copies_of_a_weakness_leave_two_slots(alice: User) -> None:
    """Removed one by one or together; each returns if its removal is undone."""
    deck = starter_of(alice, ROLAND)
    swap = [("remove", _weakness_of(deck)), ("add", f"{AMNESIA}:2")]
    orders = [{"type": "remove_card", "card": AMNESIA, "non_story": True}] * 2
    for order in (orders[:1], orders):
        held = starter_of(alice, ROLAND, *swap)
        campaign = _ordered(alice, held, *order)
        assert content_now(held).circumstances["lost_cards"] == [AMNESIA] * len(order)
        retract_step(campaign, "$choose_resolution")
        assert "lost_cards" not in content_now(held).circumstances

    held = starter_of(alice, ROLAND, *swap)
    campaign = table_with(alice, held, ROLAND, _altar_of(AMNESIA))
    report(campaign, game_of(ROLAND, sacrifice(AMNESIA)))
    assert content_now(held).circumstances["lost_cards"] == [AMNESIA, AMNESIA]
    retract_step(campaign, "sacrificed")
    assert "lost_cards" not in content_now(held).circumstances


def test_an_exchanged_weakness_is_no_loss(alice: User) -> None:
    """Nothing is waived, as one weakness replaced the other."""
    deck = starter_of(alice, ROLAND)
    weakness = _weakness_of(deck)
    deck = starter_of(alice, ROLAND, ("remove", weakness), ("add", AMNESIA))
    _ordered(
        alice,
        deck,
        {"type": "remove_card", "card": AMNESIA},
        {"type": "add_card", "card": PARANOIA},
    )
    assert "lost_cards" not in content_now(deck).circumstances
    assert found_in(deck) == []


def test_a_weakness_pays_its_bearer(alice: User) -> None:
    """Two experience more, which the log doesn't know of, until it is undone."""
    deck = starter_of(alice, ROLAND)
    campaign = _ordered(alice, deck, {"type": "add_card", "card": OFFER})
    before = ledger.balance_of(deck)
    assert content_now(deck).deck["slots"][OFFER] == 1
    assert ("granted", 2) in deck.ledger.values_list("kind", "amount")
    retract_step(campaign, "$choose_resolution")

    assert OFFER not in content_now(deck).deck["slots"]
    assert ledger.balance_of(deck) < before
    assert sum(deck.ledger.filter(kind="granted").values_list("amount", flat=True)) == 0


def test_a_transformed_pact_is_replaced_in_the_deck(alice: User) -> None:
    """The table records only the new card; undone, the pact returns."""
    deck = starter_of(alice, ROLAND)
    weakness = _weakness_of(deck)
    deck = starter_of(alice, ROLAND, ("remove", weakness), ("add", PACT))
    before = content_now(deck)
    campaign = _ordered(alice, deck, {"type": "add_card", "card": FAILURE})
    slots = content_now(deck).deck["slots"]
    assert (PACT in slots, slots[FAILURE]) == (False, 1)
    assert found_in(deck) == []
    deck_services.upgrade_deck(
        deck=deck,
        content=content_now(deck),
        expected_revision=deck.revision,
        now=later(60),
    )
    retract_step(campaign, "$choose_resolution")

    assert content_now(deck).deck == before.deck


def test_a_signature_of_several_copies_is_lost_copy_by_copy(alice: User) -> None:
    """All that were sacrificed or removed; a returned one is required."""
    taken = {"type": "remove_card", "card": PAINTED, "non_story": True}
    found = found_in(starter_of(alice, SEFINA))
    back = {"type": "add_card", "card": PAINTED, "non_story": True}
    for orders, lost in (([taken], 1), ([taken, taken], 2), ([taken, taken, back], 1)):
        deck = starter_of(alice, SEFINA)
        campaign = _ordered(alice, deck, *orders, who=SEFINA)
        assert content_now(deck).circumstances["lost_cards"] == [PAINTED] * lost
        assert content_now(deck).deck["slots"][PAINTED] == 3 - lost
        assert found_in(deck) == found
        retract_step(campaign, "$choose_resolution")
        assert "lost_cards" not in content_now(deck).circumstances

    deck = starter_of(alice, SEFINA)
    campaign = table_with(alice, deck, SEFINA, _altar_of(PAINTED))
    report(campaign, game_of(SEFINA, sacrifice(PAINTED)))
    assert content_now(deck).circumstances["lost_cards"] == [PAINTED] * 3
    assert PAINTED not in content_now(deck).deck["slots"]
    assert found_in(deck) == found
    retract_step(campaign, "sacrificed")
    assert found_in(deck) == found


def test_one_of_two_copies_returns_in_a_later_game(alice: User) -> None:
    """Then the deck and its table agree on what is lost."""
    ordered = {"investigator": "all", "card": PAINTED, "non_story": True}
    taken, back = ({"type": f"{verb}_card", **ordered} for verb in ("remove", "add"))
    games = (("one", [taken, taken]), ("two", [back]))
    guide = a_row(*(a_game(each, a_step(*do, step_id="do")) for each, do in games))
    deck = starter_of(alice, SEFINA)
    found = found_in(deck)
    campaign = table_with(alice, deck, SEFINA, guide)
    for game, lost in (("one", 2), ("two", 1)):
        report(
            campaign, as_answers(*won(game, 2, **{SEFINA: "alive", DAISY: "resigned"}))
        )
        assert content_now(deck).circumstances["lost_cards"] == [PAINTED] * lost
        assert found_in(deck) == found


# --- at one table after another

_REQUIRES = {"required.signatures", "required.copies", "weakness.required"}


def _goes_on(campaign: Campaign, code: str) -> Campaign:
    """Another campaign by the same guide, with an investigator moved from this one."""
    going = [services.SeatTransfer(campaign.seats.get(investigator=code))]
    member = organiser_of(campaign)
    other = services.transfer_campaign(
        campaign=campaign,
        member=member,
        guide=campaign.guide,
        going=going,
        now=later(300),
    )
    report(other, as_answers(who(code, DAISY)))
    return other


def _sits_elsewhere(campaign: Campaign, code: str) -> Campaign:
    """Another campaign by the same guide, with the deck of an archived one."""
    seat = campaign.seats.get(investigator=code)
    member = organiser_of(campaign)
    services.archive(campaign=campaign, member=member, now=later(300))
    assert seat.deck is not None
    assert member.user is not None
    return table_with(member.user, seat.deck, code, campaign.guide)


@pytest.mark.parametrize("moves", [_goes_on, _sits_elsewhere])
@pytest.mark.parametrize("code", [AMNESIA, PAINTED])
def test_copies_lost_at_two_tables_add_up(
    alice: User, moves: Callable[[Campaign, str], Campaign], code: str
) -> None:
    """One each; undoing the second leaves the first's loss."""
    deck = starter_of(alice, SEFINA)
    if code == AMNESIA:
        swap = [("remove", _weakness_of(deck)), ("add", f"{AMNESIA}:2")]
        deck = starter_of(alice, SEFINA, *swap)
    first = _ordered(alice, deck, {"type": "remove_card", "card": code}, who=SEFINA)
    had = content_now(deck).deck["slots"]
    second = moves(first, SEFINA)
    assert content_now(deck).circumstances["lost_cards"] == [code]
    for retracts in (False, True):
        if retracts:
            retract_step(second, "$choose_resolution")
            assert content_now(deck).deck["slots"] == had
        else:
            report(second, game_of(SEFINA))
        assert content_now(deck).circumstances["lost_cards"] == [code] * (2 - retracts)
        assert not _REQUIRES.intersection(dict(found_in(deck)))


def test_a_signature_lost_at_two_tables_is_lost_once(alice: User) -> None:
    """The second table lost another as well, which returns alone."""
    swap = [("remove", _weakness_of(starter_of(alice, SEFINA))), ("add", AMNESIA)]
    deck = starter_of(alice, SEFINA, *swap)
    first = table_with(alice, deck, SEFINA, _altar_of(PAINTED, AMNESIA))
    report(first, game_of(SEFINA, sacrifice(PAINTED)))
    second = _goes_on(first, SEFINA)
    report(second, game_of(SEFINA, sacrifice(PAINTED, AMNESIA)))
    lost = [PAINTED] * 3
    assert content_now(deck).circumstances["lost_cards"] == [AMNESIA, *lost]
    retract_step(second, "sacrificed")
    assert content_now(deck).circumstances["lost_cards"] == lost
    assert not _REQUIRES.intersection(dict(found_in(deck)))


@pytest.mark.parametrize("first", [(), (DUKE,)])
def test_a_card_removed_by_two_games_needs_both_undone(
    alice: User, first: tuple[str, ...]
) -> None:
    """Corrected or undone in either order: one of them keeps it away."""
    taken = {"type": "remove_card", "card": DUKE, "non_story": True}
    takes = a_step({"investigator": "all", **taken}, step_id="takes")
    guide = a_row(a_game("one", SACRIFICED), a_game("two", takes))
    deck = starter_of(alice, PETE)
    campaign = table_with(alice, deck, PETE, guide)
    report(campaign, game_of(PETE, sacrifice(*first)))
    report(campaign, as_answers(*won("two", 2, **{PETE: "alive", DAISY: "resigned"})))
    other = (DUKE,) if not first else ()
    (given,) = as_answers({"scenario": "one", **sacrifice(*other)})
    services.correct(
        campaign=campaign,
        member=organiser_of(campaign),
        target=sequence_of(campaign, "sacrificed"),
        given=given._replace(sequence=0),
        reason="It was so",
        context=write_context(campaign),
    )
    assert DUKE not in content_now(deck).deck["slots"]
    assert "campaign.lost" not in dict(found_in(deck))
    services.return_to_start(
        campaign=campaign,
        member=organiser_of(campaign),
        scenario="two",
        context=write_context(campaign),
    )
    assert (DUKE in content_now(deck).deck["slots"]) is (other == ())
    assert "campaign.lost" not in dict(found_in(deck))
    services.return_to_start(
        campaign=campaign,
        member=organiser_of(campaign),
        scenario="one",
        context=write_context(campaign),
    )
    assert content_now(deck).deck["slots"][DUKE] == 1
    assert "lost_cards" not in content_now(deck).circumstances
