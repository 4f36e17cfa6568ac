"""Cards of a deck that give or take experience are reported at the upgrade step."""

from __future__ import annotations

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.settlement import Fate, fate_of
from arkham.rules.campaign.state.answers import Stated
from arkham.rules.snapshot import embedded_pool
from campaigns import services
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Role, Seat
from campaigns.settling.cards import card_lines, in_the_display
from decks import services as deck_services
from decks.lists.content import empty_content
from decks.services import ledger
from tests.campaigns.helpers.tables import (
    NOW,
    a_member,
    a_row,
    as_answers,
    experience,
    organiser_of,
    report,
    sequence_of,
    write_context,
)
from tests.campaigns.settling.helpers import (
    ASCETIC,
    DEBTS,
    DELVE,
    GREAT_WORK,
    OBOL,
    deck_with,
    retract_step,
    table_with,
    upgrading_decks,
)
from tests.decks.edits import apply
from tests.decks.games_and_upgrades.helpers import booked_lines
from tests.rules.campaign.helpers.games import a_game, won
from tests.rules.campaign.helpers.small import DAISY, ROLAND, Raw

UPGRADE, STATUS = "$upgrade_decks", "$r_R1*investigator_status"


def _lines(campaign: Campaign) -> list[tuple[str, int, bool]]:
    found = card_lines(campaign, replayed(campaign).replay)
    return [(each.card, each.amount, each.is_reported) for each in found]


def _press(client: Client, campaign: Campaign, **fields: str) -> int:
    campaign.refresh_from_db()
    answer = client.post(
        f"/campaigns/{campaign.pk}/",
        {"after": str(campaign.last), "key": f"k{campaign.last}", **fields},
    )
    campaign.refresh_from_db()
    return answer.status_code


def _field(card: str) -> str:
    return f"card.{ROLAND}.{card}"


def test_experience_given_by_a_card_is_prefilled(as_alice: Client, alice: User) -> None:
    """The deck gets it once it is recorded, before decks are up to date."""
    deck = deck_with(alice, OBOL, GREAT_WORK, DEBTS)
    campaign = upgrading_decks(alice, deck)
    assert sorted(_lines(campaign)) == [
        (DEBTS, 0, False), (OBOL, 2, False), (GREAT_WORK, 1, False)
    ]  # fmt: skip
    page = as_alice.get(f"/campaigns/{campaign.pk}/").content.decode()
    assert f'name="{_field(OBOL)}" value="2"' in page
    told_so = {_field(OBOL): "2", _field(GREAT_WORK): "1", _field(DEBTS): "-2"}
    assert _press(as_alice, campaign, cards="only", **told_so) == 303

    assert sorted(booked_lines(deck)[2:]) == [
        ("card", -2, "Friday: one, Hospital Debts"),
        ("card", 1, "Friday: one, The Great Work"),
        ("card", 2, "Friday: one, Charon's Obol"),
    ]
    assert experience(campaign, ROLAND) == ledger.balance_of(deck) == 4
    pending = replayed(campaign).replay.pending
    assert pending is not None
    assert pending.step == UPGRADE


def test_the_obol_pays_no_defeated_investigator(alice: User) -> None:
    """The Great Work pays all the same."""
    campaign = upgrading_decks(alice, deck_with(alice, OBOL, GREAT_WORK), "physical")
    assert sorted(_lines(campaign)) == [(OBOL, 0, False), (GREAT_WORK, 1, False)]


def test_finishing_upgrades_records_prefilled_experience(
    as_alice: Client, alice: User
) -> None:
    """One press suffices; pressed again, it counts nothing twice."""
    deck = deck_with(alice, OBOL)
    campaign = upgrading_decks(alice, deck)
    seen = {"after": str(campaign.last), "key": "once", _field(OBOL): "2"}
    address = f"/campaigns/{campaign.pk}/"
    assert as_alice.post(address, seen).status_code == 303
    assert as_alice.post(address, seen).status_code == 303

    assert booked_lines(deck)[2:] == [("card", 2, "Friday: one, Charon's Obol")]
    pending = replayed(Campaign.objects.get()).replay.pending
    assert pending is not None
    assert pending.step != UPGRADE


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({_field(OBOL): "2", "cards": "only"}, 409),
        ({_field(OBOL): "2"}, 409),
        ({_field(OBOL): "2", "own": "yes"}, 409),
        ({"own": "yes"}, 409),
        ({}, 303),
    ],
)
def test_what_was_not_saved_is_shown_when_others_finished_upgrades(
    as_alice: Client, alice: User, fields: dict[str, str], status: int
) -> None:
    """Only a form with nothing but their answer goes on without a word."""
    campaign = upgrading_decks(alice, deck_with(alice, OBOL))
    seen = {"after": str(campaign.last), "key": "late"}
    _press(as_alice, campaign)
    answer = as_alice.post(f"/campaigns/{campaign.pk}/", {**seen, **fields})
    page = answer.content.decode()
    assert answer.status_code == status
    assert ("Your answer wasn’t sent" in page) is (status == 409)
    assert "Show what yours would change" not in page


def test_a_cards_experience_may_be_declined(as_alice: Client, alice: User) -> None:
    """Zero is recorded, and nothing is booked."""
    deck = deck_with(alice, OBOL)
    campaign = upgrading_decks(alice, deck)
    assert _press(as_alice, campaign, **{_field(OBOL): "0"}) == 303
    assert ledger.balance_of(deck) == 3


def test_a_correction_books_the_difference(as_alice: Client, alice: User) -> None:
    """Undoing removes exactly what each source gave."""
    deck = deck_with(alice, OBOL)
    campaign = upgrading_decks(alice, deck)
    _press(as_alice, campaign, cards="only", **{_field(OBOL): "1"})
    assert _lines(campaign) == [(OBOL, 1, True)]
    _press(as_alice, campaign, cards="only", **{_field(OBOL): "2"})
    assert booked_lines(deck)[-1] == (
        "card",
        1,
        "Friday: one, Charon's Obol, corrected",
    )

    services.retract(
        campaign=campaign,
        member=organiser_of(campaign),
        target=sequence_of(campaign, "$choose_resolution"),
        context=write_context(campaign),
    )
    assert sorted(booked_lines(deck)[-3:]) == [
        ("bonus", -1, "Friday: one, undone"),
        ("card", -2, "Friday: one, Charon's Obol, undone"),
        ("victory", -2, "Friday: one, undone"),
    ]
    kinds: dict[str, int] = {}
    for kind, amount, _reason in booked_lines(deck):
        kinds[kind] = kinds.get(kind, 0) + amount
    assert set(kinds.values()) == {0}


def test_the_ascetic_earns_nothing(as_alice: Client, alice: User) -> None:
    """All the scenario's experience is subtracted, and no card gives any."""
    deck = deck_with(alice, ASCETIC, OBOL)
    campaign = upgrading_decks(alice, deck)
    assert sorted(_lines(campaign)) == [(OBOL, 0, False), (ASCETIC, -3, False)]
    _press(as_alice, campaign, **{_field(ASCETIC): "-3", _field(OBOL): "0"})
    assert ledger.balance_of(deck) == 0


def test_decks_without_such_cards_ask_nothing(alice: User) -> None:
    """The deck is as most are."""
    assert _lines(upgrading_decks(alice, deck_with(alice))) == []


def test_the_deck_as_it_was_played_counts(alice: User) -> None:
    """A card bought since doesn't."""
    deck = deck_with(alice)
    campaign = upgrading_decks(alice, deck)
    deck.refresh_from_db()
    latest = deck.revisions.get(number=deck.revision)
    content = apply(deck_services.opened(latest), [("add", OBOL)], embedded_pool())
    deck_services.upgrade_deck(
        deck=deck, content=content, expected_revision=1, now=NOW, repair="A gift."
    )
    assert _lines(campaign) == []


def test_a_player_reports_on_their_own_deck(
    as_bob: Client, alice: User, bob: User
) -> None:
    """They see who hasn't reported; fields for other decks are ignored."""
    deck = deck_with(alice, OBOL)
    campaign = upgrading_decks(alice, deck)
    seat = a_member(campaign, bob, Role.PLAYER)
    Seat.objects.filter(campaign=campaign, investigator=DAISY).update(member=seat)
    page = as_bob.get(f"/campaigns/{campaign.pk}/").content.decode()

    assert "still has to enter the experience from Charon&#x27;s Obol" in page
    assert _field(OBOL) not in page
    assert _press(as_bob, campaign, cards="only", **{_field(OBOL): "2"}) == 303
    assert ledger.balance_of(deck) == 3


@pytest.mark.parametrize("amount", ["100", "-100", "two"])
def test_an_invalid_amount_is_refused(
    as_alice: Client, alice: User, amount: str
) -> None:
    """422, with the field."""
    campaign = upgrading_decks(alice, deck_with(alice, OBOL))
    assert _press(as_alice, campaign, **{_field(OBOL): amount}) == 422


def test_cards_in_the_display_are_mentioned_there(
    as_alice: Client, alice: User
) -> None:
    """Delve Too Deep counts for all; it has no line of its own."""
    content = apply(
        empty_content(ROLAND), [("add", DELVE), ("add", OBOL)], embedded_pool()
    )
    deck = deck_services.create_deck(owner=alice, content=content, now=NOW)
    campaign = table_with(alice, deck)
    report(campaign, as_answers(*won("one")[:-2]))
    assert in_the_display(campaign, replayed(campaign).replay) == ("Delve Too Deep",)
    page = as_alice.get(f"/campaigns/{campaign.pk}/").content.decode()
    assert page.count("in a deck at this table") == 1
    report(campaign, as_answers(won("one")[-2]))
    assert [card for card, _amount, _told in _lines(campaign)] == [OBOL]


def test_experience_changed_by_hand_is_a_correction_with_a_reason(alice: User) -> None:
    """The ledger shows it."""
    deck = deck_with(alice)
    campaign = upgrading_decks(alice, deck)
    report(campaign, as_answers(won("one")[-1]))
    fact = Stated("one", do.EarnExperience("input", bonus=2), (ROLAND,), (), "Miscount")
    services.state_fact(
        campaign=campaign,
        member=organiser_of(campaign),
        fact=fact,
        context=write_context(campaign),
    )
    assert booked_lines(deck)[-1] == ("correction", 2, "Friday: one, Miscount")


def _corrected(campaign: Campaign, step: str, raw: Raw) -> services.EntryPreview:
    """Correct an answer of the first game; return the preview."""
    campaign.refresh_from_db()
    target, given = sequence_of(campaign, step), as_answers(raw)[0]
    found = services.preview_correction(campaign=campaign, target=target, given=given)
    services.correct(
        campaign=campaign,
        member=organiser_of(campaign),
        target=target,
        given=given,
        reason="A slip",
        context=write_context(campaign),
    )
    campaign.refresh_from_db()
    return found


def _ended_so(outcome: str) -> Raw:
    both = {ROLAND: outcome, DAISY: "alive"}
    return next(each for each in won("one", 2, **both) if each.get("step") == STATUS)


def _told_and_done(client: Client, campaign: Campaign, **fields: str) -> None:
    _press(client, campaign, cards="only", **fields)
    report(campaign, as_answers(won("one")[-1]))
    campaign.refresh_from_db()


@pytest.mark.parametrize(
    ("first", "then", "fate", "balance"),
    [
        ("alive", "physical", Fate.KILLED, 3),
        ("physical", "alive", Fate.ALIVE, 5),
        ("mental", "resigned", Fate.ALIVE, 5),
        ("alive", "resigned", Fate.ALIVE, 5),
    ],
)
def test_the_obol_follows_a_corrected_outcome(
    as_alice: Client, alice: User, first: str, then: str, fate: Fate, balance: int
) -> None:
    """Whom it kills and pays depends on who was defeated."""
    deck = deck_with(alice, OBOL)
    campaign = upgrading_decks(alice, deck, first)
    paid = "0" if first in ("physical", "mental") else "2"
    _told_and_done(as_alice, campaign, **{_field(OBOL): paid})
    found = _corrected(campaign, STATUS, _ended_so(then))
    assert fate_of(replayed(campaign).replay.state, ROLAND) is fate
    assert ledger.balance_of(deck) == experience(campaign, ROLAND) == balance
    changed = {each.code: each for each in found.settlement.people}
    shown = changed[ROLAND].experience if ROLAND in changed else 0
    assert shown == balance - 3 - int(paid)
    _corrected(campaign, STATUS, _ended_so(first))
    assert ledger.balance_of(deck) == 3 + int(paid)


@pytest.mark.parametrize(
    ("first", "then", "fate", "balance"),
    [
        ("alive", "physical", Fate.KILLED, 3),
        ("physical", "alive", Fate.ALIVE, 5),
        ("alive", "resigned", Fate.ALIVE, 5),
    ],
)
@pytest.mark.parametrize("step", [STATUS, "victory"])
def test_the_obol_follows_an_outcome_reported_again(
    as_alice: Client,
    alice: User,
    step: str,
    first: str,
    then: str,
    fate: Fate,
    balance: int,
) -> None:
    """Also if the game was not over in between, and the decks stay up to date."""
    deck = deck_with(alice, OBOL)
    campaign = upgrading_decks(alice, deck, first)
    paid = "0" if first == "physical" else "2"
    _told_and_done(as_alice, campaign, **{_field(OBOL): paid})
    again = [each for each in won("one") if each.get("step") == step]
    if step == STATUS:
        again = [_ended_so(then)]
    retract_step(campaign, step)
    if step == "victory":
        _corrected(campaign, STATUS, _ended_so(then))
    campaign.refresh_from_db()
    report(campaign, as_answers(*again))
    assert fate_of(replayed(campaign).replay.state, ROLAND) is fate
    assert ledger.balance_of(deck) == experience(campaign, ROLAND) == balance


def test_an_amount_of_the_players_own_stays(as_alice: Client, alice: User) -> None:
    """Experience that was declined is not paid by a correction."""
    deck = deck_with(alice, OBOL)
    campaign = upgrading_decks(alice, deck)
    _told_and_done(as_alice, campaign, **{_field(OBOL): "1"})
    _corrected(campaign, STATUS, _ended_so("resigned"))
    assert ledger.balance_of(deck) == 4


def test_the_ascetic_forgoes_experience_from_a_correction(
    as_alice: Client, alice: User
) -> None:
    deck = deck_with(alice, ASCETIC)
    campaign = upgrading_decks(alice, deck)
    _told_and_done(as_alice, campaign, **{_field(ASCETIC): "-3"})
    before = ledger.balance_of(deck)
    five = next(each for each in won("one", 5) if each.get("step") == "victory")
    _corrected(campaign, "victory", five)
    assert ledger.balance_of(deck) == before


def test_a_guides_upgrade_step_may_have_any_id(as_alice: Client, alice: User) -> None:
    """As in The Drowned City, where it also records progress."""
    spend: Raw = {"id": "spend", "type": "input", "input": {"type": "upgrade_decks"}}
    game = a_game("one")
    game["steps"].append(spend)
    for each in game["resolutions"]:
        each["steps"] = [
            "spend" if step == UPGRADE else step for step in each.get("steps", ())
        ]
    deck = deck_with(alice, OBOL)
    campaign = table_with(alice, deck, guide=a_row(game, a_game("two")))
    report(
        campaign, as_answers(*won("one", 2, **{ROLAND: "alive", DAISY: "alive"})[:-1])
    )
    _press(as_alice, campaign, cards="only", **{_field(OBOL): "2"})
    report(campaign, as_answers({**won("one")[-1], "step": "spend"}))
    campaign.refresh_from_db()
    assert ledger.balance_of(deck) == 5
    _corrected(campaign, STATUS, _ended_so("mental"))
    assert ledger.balance_of(deck) == 3
    assert fate_of(replayed(campaign).replay.state, ROLAND) is Fate.KILLED
