"""Trauma from cards that are bought, and owners killed by theirs, in linked decks."""

from __future__ import annotations

import re
from datetime import datetime

import pytest
from django.test import Client
from django.urls import reverse

from arkham.accounts.models import User
from arkham.rules.campaign.settlement import Fate, fate_of
from arkham.rules.snapshot import embedded_pool
from campaigns import services
from campaigns.log.replays import replayed
from campaigns.models import Campaign
from campaigns.settling.trauma import trauma_from_cards
from decks import services as deck_services
from decks.models import Deck
from decks.services.settling import gain_cards
from tests.campaigns.helpers.tables import (
    NOW,
    a_campaign,
    as_answers,
    later,
    organiser_of,
    report,
    who,
    write_context,
)
from tests.campaigns.settling.helpers import (
    OBOL,
    deck_with,
    table_with,
    upgrading_decks,
)
from tests.decks.edits import apply
from tests.rules.campaign.helpers.games import won
from tests.rules.campaign.helpers.small import DAISY, ROLAND

HEALING, RESEARCH, THICK, LUCKY = "11098", "04109", "08125", "01080"


def _bought(
    alice: User,
    deck: Deck,
    *cards: str,
    window: dict[str, object] | None = None,
    now: datetime = NOW,
) -> None:
    """Upgrade a deck in this way, despite findings."""
    deck.refresh_from_db()
    latest = deck.revisions.get(number=deck.revision)
    base = deck.revisions.get(number=latest.base or latest.number)
    changes = [("add", card) for card in cards]
    content = apply(deck_services.opened(base), changes, embedded_pool())
    deck_services.upgrade_deck(
        deck=deck,
        content=content,
        window=window,
        expected_revision=deck.revision,
        repair="for the test",
        now=now,
        actor=alice,
    )


def _done(campaign: Campaign) -> None:
    """End the upgrade step."""
    campaign.refresh_from_db()
    report(
        campaign, as_answers(*won("one", 2, **{ROLAND: "alive", DAISY: "alive"})[-1:])
    )


def _press_builder(client: Client, deck: Deck, do: str) -> None:
    deck.refresh_from_db()
    fields = {"revision": str(deck.revision), "do": do}
    assert client.post(f"/decks/{deck.pk}/edit", fields).status_code == 303


def _trauma(campaign: Campaign) -> tuple[int, int]:
    person = replayed(campaign).replay.state.people.get(ROLAND)
    return ((person.physical or 0), (person.mental or 0)) if person else (0, 0)


def test_buying_a_card_gives_its_trauma(alice: User, as_alice: Client) -> None:
    """The log gives it as the reason, by the card's name."""
    deck = deck_with(alice)
    campaign = upgrading_decks(alice, deck)
    before = _trauma(campaign)
    _bought(alice, deck, RESEARCH, RESEARCH)
    campaign.refresh_from_db()
    found = trauma_from_cards(campaign, replayed(campaign).replay)
    assert [(each.card, each.shared) for each in found] == [(RESEARCH, (0, 2))]
    _done(campaign)
    assert _trauma(campaign) == (before[0], before[1] + 2)
    page = as_alice.get(f"/campaigns/{campaign.pk}/log/").content.decode()
    assert "Change by hand" in page
    assert "(Trauma from Arcane Research)" in page
    assert "trauma#" not in page


def test_a_purchase_undone_in_time_gives_no_trauma(alice: User) -> None:
    deck = deck_with(alice)
    campaign = upgrading_decks(alice, deck)
    before = _trauma(campaign)
    _bought(alice, deck, RESEARCH)
    _bought(alice, deck, LUCKY)
    assert trauma_from_cards(campaign, replayed(campaign).replay) == ()
    _done(campaign)
    assert _trauma(campaign) == before


def test_other_cards_report_nothing(alice: User) -> None:
    deck = deck_with(alice, OBOL)
    campaign = upgrading_decks(alice, deck)
    _bought(alice, deck, LUCKY)
    last = campaign.last
    _done(campaign)
    campaign.refresh_from_db()
    assert campaign.last == last + 1
    assert fate_of(replayed(campaign).replay.state, ROLAND) is Fate.ALIVE


@pytest.mark.parametrize("outcome", ["physical", "mental"])
def test_the_obol_kills_its_defeated_owner(alice: User, outcome: str) -> None:
    campaign = upgrading_decks(alice, deck_with(alice, OBOL), outcome)
    assert [
        each.killed for each in trauma_from_cards(campaign, replayed(campaign).replay)
    ]
    _done(campaign)
    assert fate_of(replayed(campaign).replay.state, ROLAND) is Fate.KILLED


@pytest.mark.parametrize("outcome", ["alive", "resigned"])
def test_the_obol_spares_an_undefeated_owner(alice: User, outcome: str) -> None:
    campaign = upgrading_decks(alice, deck_with(alice, OBOL), outcome)
    assert trauma_from_cards(campaign, replayed(campaign).replay) == ()
    _done(campaign)
    assert fate_of(replayed(campaign).replay.state, ROLAND) is Fate.ALIVE


def test_without_the_obol_a_defeated_investigator_lives(alice: User) -> None:
    campaign = upgrading_decks(alice, deck_with(alice), "physical")
    _done(campaign)
    assert fate_of(replayed(campaign).replay.state, ROLAND) is Fate.ALIVE


def test_undoing_the_answer_undoes_the_death(alice: User) -> None:
    """Retracting the upgrade step restores both."""
    campaign = upgrading_decks(alice, deck_with(alice, OBOL), "physical")
    before = campaign.last
    _done(campaign)
    campaign.refresh_from_db()
    for sequence in range(campaign.last, before, -1):
        services.retract(
            campaign=campaign,
            member=organiser_of(campaign),
            target=sequence,
            context=write_context(campaign),
        )
        campaign.refresh_from_db()
    assert fate_of(replayed(campaign).replay.state, ROLAND) is Fate.ALIVE


def test_healing_takes_the_only_trauma_there_is(alice: User) -> None:
    deck = deck_with(alice)
    campaign = upgrading_decks(alice, deck, "physical")
    assert _trauma(campaign) == (1, 0)
    _bought(alice, deck, HEALING)
    _done(campaign)
    assert _trauma(campaign) == (0, 0)


def test_a_choice_is_left_to_the_player(as_alice: Client, alice: User) -> None:
    """None is assumed; the page links to it."""
    deck = deck_with(alice, THICK)
    campaign = upgrading_decks(alice, deck)
    before = _trauma(campaign)
    page = as_alice.get(f"/campaigns/{campaign.pk}/").content.decode()
    assert "In the Thick of It: +2 trauma. Choose physical or mental." in page
    # The deck was played: trauma of its creation belongs to the investigator.
    place = reverse("campaigns:fact", args=[campaign.pk])
    assert f'<a href="{place}">Choose</a>' in page
    assert "Physical trauma" in as_alice.get(place).content.decode()
    _done(campaign)
    assert _trauma(campaign) == before


def test_a_first_deck_has_its_trauma_when_linked(alice: User) -> None:
    """Before any game: the first one is set up with it."""
    deck = deck_with(alice, RESEARCH)
    campaign = table_with(alice, deck)
    assert _trauma(campaign) == (0, 1)
    played = won("one", 2, **{ROLAND: "alive", DAISY: "alive"})
    report(campaign, as_answers(*played))
    assert _trauma(campaign) == (0, 1)


@pytest.mark.parametrize("share", [(2, 0), (1, 1), (0, 2)])
def test_choices_of_a_first_deck_are_in_the_log(
    as_alice: Client, alice: User, share: tuple[int, int]
) -> None:
    """Made in the builder, before the deck is linked or afterwards."""
    deck = deck_with(alice, THICK)
    campaign = table_with(alice, deck)
    assert _trauma(campaign) == (0, 0)
    builder = as_alice.get(f"/decks/{deck.pk}/edit").content.decode()
    assert f"share={THICK}:1:1" in builder
    for physical, mental in ((2 - share[0], share[0]), share):
        _press_builder(as_alice, deck, f"share={THICK}:{physical}:{mental}")
    campaign.refresh_from_db()
    assert _trauma(campaign) == share
    assert deck.revisions.latest("number").circumstances["trauma"] == {
        THICK: {"physical": share[0], "mental": share[1]}
    }


def test_removing_a_card_of_a_first_deck_removes_its_trauma(
    as_alice: Client, alice: User
) -> None:
    deck = deck_with(alice, RESEARCH)
    campaign = table_with(alice, deck)
    _press_builder(as_alice, deck, f"remove={RESEARCH}")
    campaign.refresh_from_db()
    assert _trauma(campaign) == (0, 0)


def test_a_first_deck_linked_late_has_its_trauma(alice: User) -> None:
    campaign = a_campaign(alice, ROLAND, DAISY)
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one", 2)))
    deck = deck_with(alice, RESEARCH)
    services.link_deck(
        seat=campaign.seats.get(investigator=ROLAND),
        member=organiser_of(campaign),
        deck=deck,
        now=NOW,
    )
    campaign.refresh_from_db()
    assert _trauma(campaign) == (0, 1)


def test_healing_is_chosen_on_the_invoice(as_alice: Client, alice: User) -> None:
    """By its buttons or in the API's window; a repeated upgrade has the choice."""
    deck = deck_with(alice, RESEARCH)
    campaign = upgrading_decks(alice, deck, "physical")
    assert _trauma(campaign) == (1, 1)
    chosen = {HEALING: {"physical": 1, "mental": 0}}
    _bought(alice, deck, HEALING)
    campaign.refresh_from_db()
    assert _trauma(campaign) == (1, 1)
    desk = reverse("decks:desk", args=[deck.pk])
    page = as_alice.get(desk).content.decode()
    assert f"suffer={HEALING}:1:0" in page
    mark = re.search(r'name="revision" value="([^"]+)"', page)
    assert mark is not None
    fields = {"revision": mark[1], "do": f"suffer={HEALING}:1:0"}
    assert as_alice.post(desk, fields).status_code == 303
    _bought(alice, deck, HEALING, window={"trauma": chosen})
    _done(campaign)
    assert _trauma(campaign) == (0, 1)
    _bought(alice, deck, HEALING, window={"trauma": {HEALING: {"mental": 1}}})
    campaign.refresh_from_db()
    assert _trauma(campaign) == (1, 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    "steps",
    [
        [(RESEARCH, HEALING)],
        [(HEALING, RESEARCH)],
        [(HEALING,), (HEALING, RESEARCH)],
        [(HEALING,), (LUCKY,), (RESEARCH,), (HEALING, RESEARCH)],
    ],
)
@pytest.mark.parametrize("is_chosen", [True, False])
@pytest.mark.parametrize("is_late", [True, False])
def test_trauma_of_a_window_is_healed_in_it(
    alice: User, steps: list[tuple[str, ...]], is_chosen: bool, is_late: bool
) -> None:
    """In any order of purchases, also after the upgrade step."""
    deck = deck_with(alice)
    campaign = upgrading_decks(alice, deck)
    chosen = {HEALING: {"physical": 0, "mental": 1}} if is_chosen else {}
    if is_late:
        _done(campaign)
    for cards in steps:
        _bought(alice, deck, *cards, window={"trauma": chosen})
    if not is_late:
        _done(campaign)
    campaign.refresh_from_db()
    assert _trauma(campaign) == (0, 0)


@pytest.mark.parametrize("outcome", ["alive", "physical"])
def test_only_existing_trauma_is_healed(
    as_alice: Client, alice: User, outcome: str
) -> None:
    """Without any the invoice doesn't ask, whatever was chosen."""
    deck = deck_with(alice)
    campaign = upgrading_decks(alice, deck, outcome)
    for chosen in ({}, {HEALING: {"physical": 0, "mental": 1}}):
        _bought(alice, deck, HEALING, window={"trauma": chosen})
        page = as_alice.get(f"/campaigns/{campaign.pk}/").content.decode()
        assert "Choose physical or mental" not in page
    _done(campaign)
    assert _trauma(campaign) == (0, 0)


def test_healing_stays_if_an_upgrade_is_repeated_with_fewer_copies(
    alice: User,
) -> None:
    """Or with another choice: what was healed before counts as trauma again."""
    deck = deck_with(alice, RESEARCH)
    campaign = upgrading_decks(alice, deck, "physical")
    _done(campaign)
    for cards, physical, left in (
        ((HEALING, HEALING), 1, (0, 0)),
        ((HEALING,), 0, (1, 0)),
        ((HEALING, HEALING, LUCKY), 1, (0, 0)),
        ((HEALING, LUCKY), 1, (0, 1)),
    ):
        share = {"physical": physical, "mental": cards.count(HEALING) - physical}
        _bought(alice, deck, *cards, window={"trauma": {HEALING: share}})
        campaign.refresh_from_db()
        assert _trauma(campaign) == left


def test_repeating_an_upgrade_after_the_step_changes_the_log(
    alice: User,
) -> None:
    deck = deck_with(alice)
    campaign = upgrading_decks(alice, deck)
    _bought(alice, deck, RESEARCH)
    _done(campaign)
    assert _trauma(campaign) == (0, 1)
    _bought(alice, deck, LUCKY)
    campaign.refresh_from_db()
    assert _trauma(campaign) == (0, 0)
    _bought(alice, deck, RESEARCH, RESEARCH)
    campaign.refresh_from_db()
    assert _trauma(campaign) == (0, 2)


def test_the_log_names_the_card(as_alice: Client, alice: User) -> None:
    campaign = upgrading_decks(alice, deck_with(alice, OBOL), "physical")
    _done(campaign)
    log = as_alice.get(f"/campaigns/{campaign.pk}/timeline/").content.decode()
    assert "Trauma from" in log


def test_purchases_at_another_table_are_not_reported_again(alice: User) -> None:
    """The investigator brought that trauma; purchases here add to it."""
    deck = deck_with(alice)
    campaign = upgrading_decks(alice, deck)
    _bought(alice, deck, RESEARCH)
    _done(campaign)
    campaign.refresh_from_db()
    moved = services.transfer_campaign(
        campaign=campaign,
        member=organiser_of(campaign),
        guide=campaign.guide,
        going=[services.SeatTransfer(campaign.seats.get(investigator=ROLAND), 0)],
        now=later(90),
    )
    report(moved, as_answers(who(ROLAND, DAISY)))
    _bought(alice, deck, RESEARCH, LUCKY, now=later(100))
    moved.refresh_from_db()
    assert _trauma(moved) == (0, 1)
    _bought(alice, deck, RESEARCH, RESEARCH, now=later(110))
    moved.refresh_from_db()
    assert _trauma(moved) == (0, 2)
    _bought(alice, deck, RESEARCH, now=later(120))
    moved.refresh_from_db()
    assert _trauma(moved) == (0, 1)


def test_changes_after_a_purchase_keep_its_trauma(
    alice: User,
) -> None:
    """A drawn weakness or a given card makes a revision without a payment."""
    deck = deck_with(alice)
    campaign = upgrading_decks(alice, deck)
    _bought(alice, deck, RESEARCH)
    gain_cards(
        deck=deck,
        codes=["01097"],
        reason="drawn",
        expected_revision=deck.revision,
        now=NOW,
        actor=alice,
    )
    _done(campaign)
    assert _trauma(campaign) == (0, 1)


def test_a_kept_upgrade_gives_its_trauma_in_the_repeated_game(
    alice: User,
) -> None:
    """The scenario was restarted; the deck stayed upgraded."""
    deck = deck_with(alice)
    campaign = upgrading_decks(alice, deck)
    _bought(alice, deck, RESEARCH)
    _done(campaign)
    services.return_to_start(
        campaign=campaign,
        member=organiser_of(campaign),
        scenario="one",
        context=write_context(campaign),
    )
    assert _trauma(campaign) == (0, 0)
    played = won("one", 2, **{ROLAND: "alive", DAISY: "alive"})
    report(campaign, as_answers(*played[1:]))
    assert _trauma(campaign) == (0, 1)


def test_a_copy_that_replaces_a_deck_keeps_its_trauma(alice: User) -> None:
    """Both count their revisions from 1, but their purchases are separate."""
    deck = deck_with(alice)
    campaign = upgrading_decks(alice, deck)
    _bought(alice, deck, RESEARCH)
    _done(campaign)
    copy = deck_services.copy_deck(deck=deck, owner=alice, now=later(90), name="")
    _link(campaign, copy)
    played = won("two", 2, **{ROLAND: "alive", DAISY: "alive"})
    report(campaign, as_answers(*played))
    _bought(alice, copy, LUCKY)
    campaign.refresh_from_db()
    assert _trauma(campaign) == (0, 1)
    _bought(alice, copy, RESEARCH)
    campaign.refresh_from_db()
    assert _trauma(campaign) == (0, 2)


@pytest.mark.parametrize("at_creation", [True, False])
def test_purchases_before_the_deck_joined_are_not_reported(
    alice: User, at_creation: bool
) -> None:
    """A deck played alone takes a seat that is older than its games."""
    campaign = a_campaign(alice, ROLAND, DAISY)
    report(campaign, as_answers(who(ROLAND, DAISY)))
    deck = deck_with(alice, *([RESEARCH] if at_creation else ()))
    game = deck_services.PlayedGame()
    deck_services.mark_played(deck=deck, game=game, expected_revision=1, now=later(10))
    if not at_creation:
        _bought(alice, deck, RESEARCH)
    deck.refresh_from_db()
    _link(campaign, deck)
    assert _trauma(campaign) == (0, 0)


def _link(campaign: Campaign, deck: Deck) -> None:
    services.link_deck(
        seat=campaign.seats.get(investigator=ROLAND),
        member=organiser_of(campaign),
        deck=deck,
        now=later(90),
    )
    campaign.refresh_from_db()
