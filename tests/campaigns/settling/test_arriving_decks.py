"""Investigators who bring experience spend it on the first deck, and it is booked."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from arkham.accounts.models import User
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.state.answers import Stated, UltimatumChosen
from arkham.rules.snapshot import embedded_pool
from campaigns import services
from campaigns.log.replays import replayed
from campaigns.models import Campaign
from decks import services as deck_services
from decks.lists.content import Content, read_content
from decks.lists.starter import starter_deck
from decks.models import Deck, Revision
from decks.services import ledger
from decks.services.beginning import to_spend
from tests.campaigns.helpers.tables import (
    NOW,
    STORY,
    a_campaign,
    a_row,
    as_answers,
    later,
    organiser_of,
    report,
    who,
    write_context,
)
from tests.decks.edits import apply
from tests.rules.campaign.helpers.games import won
from tests.rules.campaign.helpers.small import DAISY, ROLAND, SKIDS, WHO, Raw, a_step

MATEO, THICK, PARALLEL = "04004", "08125", "90024"
# Daisy and Skids play the first game; another investigator joins afterwards.
FIRST_GAME = as_answers(
    who(DAISY, SKIDS), *won("one", 2, **{DAISY: "alive", SKIDS: "alive"})
)
BEAT_COP, BEAT_COP_2 = "01018", "01028"  # level 2


def _deck(owner: User, code: str = ROLAND, *cards: str) -> Deck:
    content = starter_deck(embedded_pool(), code)
    content = apply(content, [("add", card) for card in cards], embedded_pool())
    return deck_services.create_deck(owner=owner, content=content, now=NOW)


def _empty(owner: User, code: str, **told: Any) -> Deck:
    data = {"deck": {"investigator_code": code, "slots": {}}, "circumstances": told}
    content = read_content(data)
    return deck_services.create_deck(owner=owner, content=content, now=NOW)


def _latest(deck: Deck) -> Revision:
    deck.refresh_from_db()
    return deck.revisions.get(number=deck.revision)


def _booked(deck: Deck) -> list[tuple[str, int, str]]:
    return list(deck.ledger.order_by("number").values_list("kind", "amount", "reason"))


def _sit(campaign: Campaign, code: str, deck: Deck) -> None:
    services.add_seat(
        campaign=campaign,
        member=organiser_of(campaign),
        sitting=services.Sitting(code, deck=deck),
        now=later(campaign.last),
    )
    campaign.refresh_from_db()


def _hand_on(campaign: Campaign, code: str, points: int) -> None:
    """Give an investigator experience after the first game."""
    campaign.refresh_from_db()
    earned = do.EarnExperience("input", bonus=points)
    services.state_fact(
        campaign=campaign,
        member=organiser_of(campaign),
        fact=Stated("one", earned, (code,), (), "Handed on"),
        context=write_context(campaign),
    )


def _swear(campaign: Campaign, ultimatum: str = "ancients") -> None:
    campaign.refresh_from_db()
    services.choose_ultimatum(
        campaign=campaign,
        member=organiser_of(campaign),
        chosen=UltimatumChosen(SETUP, ultimatum),
        context=write_context(campaign),
    )


def _edited(deck: Deck, *changes: tuple[str, str]) -> Content:
    return apply(_latest(deck).content, changes, embedded_pool())


def _edit(deck: Deck, *changes: tuple[str, str]) -> Revision:
    return deck_services.revise_deck(
        deck=deck,
        content=_edited(deck, *changes),
        expected_revision=deck.revision,
        now=later(50),
    )


@pytest.fixture
def old(alice: User) -> Campaign:
    """A campaign in which Roland earned 3, on paper."""
    campaign = a_campaign(alice, ROLAND, DAISY)
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")))
    return campaign


@pytest.fixture
def new(old: Campaign) -> Campaign:
    """Another campaign which Roland joined with 3 experience."""
    seat = old.seats.get(investigator=ROLAND)
    return services.transfer_campaign(
        campaign=old,
        member=organiser_of(old),
        guide=old.guide,
        going=[services.SeatTransfer(seat, 3)],
        now=later(90),
    )


def _link(campaign: Campaign, deck: Deck) -> None:
    campaign.refresh_from_db()
    services.link_deck(
        seat=campaign.seats.get(investigator=ROLAND),
        member=organiser_of(campaign),
        deck=deck,
        now=later(95),
    )


def test_brought_experience_is_spent_on_a_first_deck(
    new: Campaign, alice: User, as_alice: Client
) -> None:
    report(new, as_answers(who(ROLAND)))
    deck = _deck(alice)
    _link(new, deck)
    assert to_spend(_latest(deck)) == 3
    assert _latest(deck).circumstances["experience_carried"] == 3

    desk = as_alice.get(reverse("decks:desk", args=[deck.pk])).content.decode()
    assert "This deck has 3 experience to spend." in desk

    page = as_alice.post(
        reverse("decks:edit", args=[deck.pk]),
        {
            "revision": str(deck.revision),
            "do": f"remove={BEAT_COP} add={BEAT_COP_2}",
        },
    )
    assert page.status_code == 303
    assert to_spend(_latest(deck)) == 1
    judged = as_alice.get(f"/api/v1/decks/{deck.pk}/legality").json()
    assert "start.experience" not in {each["rule"] for each in judged["findings"]}
    assert as_alice.get(f"/api/v1/decks/{deck.pk}/").json()["balance"] == 1


def test_spending_more_than_was_brought_is_illegal(
    new: Campaign, alice: User, as_alice: Client
) -> None:
    report(new, as_answers(who(ROLAND)))
    deck = _deck(alice)
    _link(new, deck)
    _edit(deck, ("remove", f"{BEAT_COP}:2"), ("add", f"{BEAT_COP_2}:2"))
    assert to_spend(_latest(deck)) == 0
    judged = as_alice.get(f"/api/v1/decks/{deck.pk}/legality").json()
    found = {each["rule"]: each for each in judged["findings"]}
    assert found["start.experience"]["expected"] == 3


def test_the_ledger_explains_brought_experience(new: Campaign, alice: User) -> None:
    report(new, as_answers(who(ROLAND, DAISY)))
    deck = _deck(alice)
    _link(new, deck)
    _edit(deck, ("remove", BEAT_COP), ("add", BEAT_COP_2))
    report(new, as_answers(*won("one")))
    booked = _booked(deck)
    assert booked[0][:2] == ("correction", 3)
    assert "from the previous campaign" in booked[0][2]
    assert ("spent", -2, "At deck creation") in booked
    assert ledger.balance_of(deck) == 1 + 3


def _rolands_move(alice: User) -> Campaign:
    """A campaign to which Roland moved from another one with 3 experience."""
    campaign = a_campaign(alice, ROLAND, DAISY)
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")))
    seat = campaign.seats.get(investigator=ROLAND)
    moved = services.transfer_campaign(
        campaign=campaign,
        member=organiser_of(campaign),
        guide=campaign.guide,
        going=[services.SeatTransfer(seat, 3)],
        now=later(90),
    )
    report(moved, as_answers(who(ROLAND)))
    return moved


def test_a_moved_investigator_gets_no_starting_bonus_again(alice: User) -> None:
    """FAQ 1.11: the bonus of deck creation was granted before."""
    moved, deck = _rolands_move(alice), _deck(alice, ROLAND, THICK)
    _link(moved, deck)
    assert _latest(deck).circumstances["arrival"] == ["transferred"]
    assert to_spend(_latest(deck)) == 3


def test_a_moved_investigator_suffers_no_starting_trauma_again(alice: User) -> None:
    """The trauma of a card bought at deck creation came along with the investigator."""
    moved, slots = _rolands_move(alice), {THICK: 1, "04109": 1}
    data = {"deck": {"investigator_code": ROLAND, "slots": slots}}
    terms = {"trauma": {THICK: {"physical": 2, "mental": 0}}}
    content = read_content(data | {"circumstances": terms})
    deck = deck_services.create_deck(owner=alice, content=content, now=NOW)
    _link(moved, deck)
    moved.refresh_from_db()
    roland = replayed(moved).replay.state.people[ROLAND]
    assert (roland.physical or 0, roland.mental) == (0, 1)  # of Arcane Research


def _joined(alice: User, deck: Deck, points: int = 0, **terms: Any) -> Campaign:
    """A campaign of Daisy's that Roland joins after the first game, with a deck."""
    campaign = a_campaign(alice, DAISY, SKIDS, terms=terms or None)
    report(campaign, FIRST_GAME)
    _sit(campaign, ROLAND, deck)
    if points:
        _hand_on(campaign, ROLAND, points)
    return campaign


def test_a_newcomer_spends_handed_on_experience(alice: User) -> None:
    deck = _deck(alice)
    _joined(alice, deck, 4)
    assert _latest(deck).circumstances["arrival"] == ["newcomer"]
    assert to_spend(_latest(deck)) == 4
    _edit(deck, ("remove", BEAT_COP), ("add", BEAT_COP_2))
    assert to_spend(_latest(deck)) == 2


def test_undone_experience_can_no_longer_be_spent(alice: User) -> None:
    deck = _deck(alice)
    campaign = _joined(alice, deck, 4)
    campaign.refresh_from_db()
    services.retract(
        campaign=campaign,
        member=organiser_of(campaign),
        target=campaign.last,
        context=write_context(campaign),
    )
    assert to_spend(_latest(deck)) == 0
    assert "experience_carried" not in _latest(deck).circumstances


@pytest.mark.parametrize(("ruling", "left"), [("none", 0), ("granted", 5)])
def test_a_newcomer_gets_no_starting_bonus(alice: User, ruling: str, left: int) -> None:
    """XP-49: unless the table decides otherwise; of boons and of backs."""
    deck = _deck(alice, ROLAND)
    rulings = {"experience.newcomer-bonus": ruling}
    campaign = a_campaign(alice, DAISY, SKIDS, terms={"rulings": rulings})
    _swear(campaign)
    report(campaign, FIRST_GAME)
    _sit(campaign, ROLAND, deck)
    assert to_spend(_latest(deck)) == left


def test_sitting_out_the_first_game_keeps_the_starting_bonus(alice: User) -> None:
    """The deck keeps the experience it got at the setup (XP-49)."""
    deck = _deck(alice, ROLAND)
    campaign = a_campaign(alice, ROLAND, DAISY)
    _swear(campaign)
    report(campaign, as_answers(who(ROLAND, DAISY)))
    _link(campaign, deck)
    assert to_spend(_latest(deck)) == 5
    game = won("one", 2, **{DAISY: "alive"})
    alone = [each for each in game if each.get("step") != "$lead_investigator"]
    report(campaign, as_answers(*alone))
    assert "arrival" not in _latest(deck).circumstances
    assert to_spend(_latest(deck)) == 5


@pytest.mark.parametrize("arrival", [[], ["newcomer"], ["transferred"]])
@pytest.mark.parametrize("ruling", ["none", "granted"])
def test_the_bonus_of_a_back_is_for_the_beginning(
    alice: User, arrival: list[str], ruling: str
) -> None:
    rulings = {"experience.newcomer-bonus": ruling}
    deck = _empty(alice, MATEO, mode="start", arrival=arrival, rulings=rulings)
    begins = not arrival or (arrival == ["newcomer"] and ruling == "granted")
    assert to_spend(_latest(deck)) == (5 if begins else 0)


def test_the_boon_is_booked_for_a_deck_linked_late(alice: User) -> None:
    """The table had the boon before the deck; the first game had been played."""
    campaign = a_campaign(alice, ROLAND, DAISY)
    _swear(campaign)
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")))
    deck = _deck(alice)
    _link(campaign, deck)
    assert _booked(deck)[0] == ("granted", 5, "Friday: Boon of the Ancients")
    assert ledger.balance_of(deck) == 5 + 3


def test_the_boon_is_spent_on_the_first_deck_and_booked_once(alice: User) -> None:
    deck = _deck(alice)
    campaign = a_campaign(alice, DAISY)
    _sit(campaign, ROLAND, deck)
    _swear(campaign)
    assert to_spend(_latest(deck)) == 5
    _edit(deck, ("remove", BEAT_COP), ("add", BEAT_COP_2))
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")))
    kinds = [(kind, amount) for kind, amount, _reason in _booked(deck)]
    assert kinds.count(("granted", 5)) == 1
    assert ledger.balance_of(deck) == 5 - 2 + 3


def test_a_deck_with_the_boon_of_its_own_gets_it_once(alice: User) -> None:
    deck = _empty(alice, ROLAND, mode="start", ultimatums=["ancients"])
    campaign = a_campaign(alice, DAISY)
    _sit(campaign, ROLAND, deck)
    _swear(campaign)
    assert to_spend(_latest(deck)) == 5
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")))
    assert ledger.balance_of(deck) == 5 + 3


def test_a_boon_grants_nothing_under_induction(alice: User) -> None:
    """Until it is dropped, no one earns experience."""
    deck = _empty(alice, ROLAND)
    campaign = a_campaign(alice, DAISY)
    _sit(campaign, ROLAND, deck)
    _swear(campaign)
    _swear(campaign, "induction")
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")))
    assert ledger.balance_of(deck) == 0
    services.retract(
        campaign=campaign,
        member=organiser_of(campaign),
        target=3,
        context=write_context(campaign),
        reason="A slip",
    )
    assert ledger.balance_of(deck) == 5 + 3


# -- a deck under way that brings experience along --


def _brought(alice: User) -> Deck:
    """A list of a campaign in progress, with 5 experience left to spend."""
    content = starter_deck(embedded_pool(), ROLAND)
    content = apply(content, [("add", "01117")], embedded_pool())
    told = {**content.circumstances, "mode": "campaign"}
    return deck_services.create_deck(
        owner=alice, content=Content(content.deck, told), now=NOW, carried=5
    )


def test_brought_experience_is_spent_before_the_first_game_here(
    alice: User, as_alice: Client
) -> None:
    """By page and API; afterwards the deck is upgraded instead of edited."""
    deck = _brought(alice)
    page = as_alice.get(reverse("decks:desk", args=[deck.pk]))
    print(page.content.decode())
    assert page.status_code == 200
    show = as_alice.get(reverse("decks:show", args=[deck.pk])).content.decode()
    assert reverse("decks:desk", args=[deck.pk]) in show
    content = _edited(deck, ("remove", BEAT_COP), ("add", BEAT_COP_2))
    answer = as_alice.post(
        f"/api/v1/decks/{deck.pk}/upgrade",
        {"deck": content.deck, "circumstances": content.circumstances},
        content_type="application/json",
        headers={"If-Match": as_alice.get(f"/api/v1/decks/{deck.pk}/")["ETag"]},
    )
    assert answer.status_code == 201, answer.json()
    assert _booked(deck)[-1][:2] == ("spent", -2)
    assert to_spend(_latest(deck)) == 3
    with pytest.raises(deck_services.AlreadyPlayed):
        _edit(deck, ("remove", BEAT_COP_2))
    deck_services.mark_played(
        deck=deck,
        game=deck_services.PlayedGame(),
        expected_revision=deck.revision,
        now=later(60),
    )
    assert ledger.balance_of(deck) == 3


def test_without_experience_a_deck_is_edited_as_before(alice: User) -> None:
    deck = _empty(alice, ROLAND, mode="campaign")
    assert deck_services.desk_of(_latest(deck)) is None


# -- a deck that was played and comes along --


def _moved(alice: User, deck: Deck) -> Campaign:
    """Roland, with Lita and 3 experience, moves to a setup that inspects decks."""
    old = a_campaign(alice, ROLAND, DAISY)
    _link(old, deck)
    report(old, as_answers(who(ROLAND, DAISY), *won("one")))
    looking: Raw = {"id": "save", "type": "input", "input": {"type": "save_decks"}}
    met = {"type": "add_card", "investigator": "all", "card": "02061"}
    steps = [WHO, a_step(met, step_id="met"), looking]
    return services.transfer_campaign(
        campaign=old,
        member=organiser_of(old),
        guide=a_row(setup=["who", "met", "save"], steps=steps),
        going=[services.SeatTransfer(old.seats.get(investigator=ROLAND))],
        now=later(90),
    )


def test_a_setup_that_inspects_decks_keeps_what_was_brought(alice: User) -> None:
    """Neither cards nor experience leave the deck and return."""
    deck = _deck(alice)
    new = _moved(alice, deck)
    booked = _booked(deck)
    assert sum(amount for _kind, amount, _reason in booked) == 3
    looked: Raw = {"type": "decision", "step": "save", "decision": True}
    for given in as_answers(who(ROLAND), looked):
        report(new, [given])
        assert replayed(new).replay.state.people[ROLAND].experience == 3
        assert deck_services.opened(_latest(deck)).deck["slots"][STORY] == 1
        assert _booked(deck) == booked


def test_the_front_moves_too(alice: User) -> None:
    """Its health and sanity limit trauma at the new table as well."""
    deck = _deck(alice)
    content = _edited(deck)
    meta = {"alternate_front": PARALLEL}
    content = read_content(
        {
            "deck": content.deck | {"meta": meta},
            "circumstances": content.circumstances,
        }
    )
    deck_services.revise_deck(
        deck=deck, content=content, expected_revision=deck.revision, now=NOW
    )
    assert _moved(alice, deck).fronts == {ROLAND: PARALLEL}
