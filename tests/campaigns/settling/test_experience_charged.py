"""Experience charged by a campaign: for side scenarios, and healing."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from arkham.accounts.models import User
from arkham.rules.campaign.state.answers import Answer
from campaigns import services
from campaigns.files.summaries import summary_of
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Settlement
from campaigns.services import EntryRefused
from campaigns.services.settling import settle_decks
from decks.models import Deck
from decks.services import ledger
from tests.campaigns.helpers.tables import (
    a_row,
    as_answers,
    organiser_of,
    report,
    rules_of,
    sequence_of,
    write_context,
)
from tests.campaigns.settling.helpers import (
    PETE,
    game_of,
    retract_entry,
    retract_step,
    starter_of,
    table_with,
    upgrade_cop,
)
from tests.rules.campaign.helpers.games import a_game, won
from tests.rules.campaign.helpers.small import DAISY, ROLAND, Raw, a_step


def _aside(cost: int) -> Raw:
    return {
        "type": "start_side_scenario",
        "scenario": "own-1",
        "previousScenarioId": "one",
        "sideScenarioType": "custom",
        "name": "A night out",
        "xpCost": cost,
    }


def _begin_aside(campaign: Campaign, cost: int) -> None:
    report(campaign, as_answers(_aside(cost)))


def _plays(*codes: str) -> list[Answer]:
    begun = [
        {"step": "$choose_investigators", "choices": {c: ["chosen"] for c in codes}},
        {"step": "$lead_investigator", "choices": {codes[0]: ["lead"]}},
    ]
    return as_answers(
        *({"type": "string_choices", "scenario": "own-1", **each} for each in begun)
    )


def test_a_side_scenario_is_paid_as_it_begins(alice: User, as_alice: Client) -> None:
    """Not when it ends; and refunded if its beginning is undone."""
    deck = starter_of(alice, ROLAND)
    campaign = table_with(alice, deck, ROLAND, a_row(a_game("one"), a_game("two")))
    report(campaign, game_of(ROLAND))
    with pytest.raises(EntryRefused) as refused:
        _begin_aside(campaign, 4)
    assert rules_of(refused.value) == ["side.cost"]
    _begin_aside(campaign, 2)
    begun = campaign.last
    report(campaign, _plays(ROLAND, DAISY))
    entry = deck.ledger.latest("number")

    assert ledger.balance_of(deck) == 1
    assert (entry.kind, entry.amount) == ("cost", -2)
    assert ledger.earned_by(deck) == 3  # paying doesn’t reduce what was earned
    assert entry.reason == "Friday: A night out, to play it"
    page = as_alice.get(reverse("campaigns:table", args=[campaign.pk]))
    assert page.status_code == 200
    services.retract(
        campaign=campaign,
        member=organiser_of(campaign),
        target=begun,
        context=write_context(campaign),
    )
    assert ledger.balance_of(deck) == 3


def test_its_participants_pay(alice: User) -> None:
    """An investigator who sat out the last game needs the experience as well."""
    deck = starter_of(alice, PETE)
    campaign = table_with(alice, deck, PETE, a_row(a_game("one"), a_game("two")))
    report(campaign, game_of(ROLAND))  # Pete stayed at home
    _begin_aside(campaign, 2)
    with pytest.raises(EntryRefused) as refused:
        report(campaign, _plays(PETE, DAISY))
    found = [(each.rule, each.cards) for each in refused.value.findings]
    assert found == [("side.cost", (PETE,))]
    report(campaign, _plays(ROLAND, DAISY))

    assert ledger.balance_of(deck) == 0


def test_none_begins_while_an_earlier_game_is_asked_again(alice: User) -> None:
    """The next game was begun before the first lost its resolution."""
    deck = starter_of(alice, ROLAND)
    campaign = table_with(alice, deck, ROLAND, a_row(a_game("one"), a_game("two")))
    report(campaign, game_of(ROLAND))
    report(campaign, as_answers({"type": "start_scenario", "scenario": "two"}))
    retract_step(campaign, "$choose_resolution")
    campaign.refresh_from_db()
    with pytest.raises(EntryRefused) as refused:
        _begin_aside(campaign, 1)

    assert rules_of(refused.value)[0] == "side.after"


# --- what costs less with a card


OLIVE = "04197"


def _with_challenge(owner: User, deck: Deck, less: int) -> Campaign:
    """After a first game, with a challenge that costs 1, and this without a card."""
    earns: Raw = {"type": "earn_xp", "investigator": "all"}
    back = {"type": "earn_xp", "investigator": "$input_value", "bonus": less}
    who_has_it = {
        "type": "investigator_choice",
        "source": "scenario",
        "investigator": "all",
        "choices": [{"id": "has", "text": "", "effects": [back]}],
    }
    game = a_game(
        "aside",
        a_step(
            earns | {"bonus": -1, "side_scenario_cost": True},
            earns | {"bonus": -less},
            step_id="price",
        ),
        {"id": "who_has_it", "type": "input", "input": who_has_it},
        side_scenario_type="challenge",
        xp_cost=1,
        challenge={"card_discount": [OLIVE], "xp_cost": less},
    )
    guide = a_row(a_game("one"), a_game("two"), game, scenarios=["one", "two"])
    campaign = table_with(owner, deck, ROLAND, guide)
    report(campaign, game_of(ROLAND))  # brings 3
    return campaign


CHALLENGE = {"scenario": "aside", "sideScenarioType": "official"}


@pytest.mark.parametrize(
    ("cards", "has", "cost"), [([OLIVE], [ROLAND], 1), ([], [], 2)]
)
def test_a_challenge_costs_less_with_its_card(
    alice: User, as_alice: Client, cards: list[str], has: list[str], cost: int
) -> None:
    """The page shows both prices; the one that applies is paid at once."""
    deck = starter_of(alice, ROLAND, *(("add", card) for card in cards))
    campaign = _with_challenge(alice, deck, 1)
    page = as_alice.get(reverse("campaigns:between", args=[campaign.pk]))
    assert "2 experience (1 with Olive McBride)" in page.content.decode()
    before = ledger.balance_of(deck)
    report(campaign, as_answers(_aside(0) | CHALLENGE))
    report(campaign, [e._replace(scenario="aside") for e in _plays(ROLAND, DAISY)])
    assert ledger.balance_of(deck) == before
    says = {"type": "string_choices", "scenario": "aside", "step": "who_has_it"}
    report(campaign, as_answers({**says, "choices": {code: ["has"] for code in has}}))

    last = deck.ledger.latest("number")
    assert (last.kind, last.amount) == ("cost", -cost)
    assert ledger.balance_of(deck) == before - cost


@pytest.mark.parametrize(("cards", "expected"), [([OLIVE], []), ([], ["side.cost"])])
def test_a_challenge_has_its_full_price_without_its_card(
    alice: User, cards: list[str], expected: list[str]
) -> None:
    """There is enough for 1, not for 4."""
    deck = starter_of(alice, ROLAND, *(("add", card) for card in cards))
    campaign = _with_challenge(alice, deck, 3)
    found = []
    try:
        report(campaign, as_answers(_aside(0) | CHALLENGE))
    except EntryRefused as refused:
        found = rules_of(refused)

    assert found == expected


# --- what a guide lets be paid for


def _healing(**prompt: Any) -> Raw:
    """A question whose answers cost 5 experience and heal physical trauma."""
    paid: Raw = {"type": "earn_xp", "investigator": "$input_value"}
    trauma: Raw = {"type": "trauma", "investigator": "$input_value"}
    if prompt["type"] == "investigator_counter":
        paid |= {"input_scale": -5}
        return {
            "id": "heal",
            "type": "input",
            "input": {
                **prompt,
                "effects": [paid, trauma | {"heal_input": "physical"}],
            },
        }
    effects = [paid | {"bonus": -5}, trauma | {"physical": -1}]
    choices = [{"id": "healed", "text": "", "effects": effects}]
    return {"id": "heal", "type": "input", "input": {**prompt, "choices": choices}}


BY_CHOICE = _healing(type="investigator_choice", investigator="choice")
BY_NUMBER = _healing(type="investigator_counter")


@pytest.mark.parametrize(
    ("question", "kind", "value"),
    [
        (BY_CHOICE, "string_choices", {ROLAND: ["healed"]}),
        (BY_NUMBER, "choice_list", {ROLAND: [1]}),
    ],
)
@pytest.mark.parametrize(("earned", "expected"), [(4, ["answer.paid"]), (5, [])])
def test_healing_needs_the_experience(
    alice: User, question: Raw, kind: str, value: Raw, earned: int, expected: list[str]
) -> None:
    """What the same scenario earned counts, though decks didn't get it yet."""
    deck = starter_of(alice, ROLAND)
    bonus = a_step(
        {"type": "earn_xp", "investigator": "all", "bonus": earned}, step_id="bonus"
    )
    guide = a_row(a_game("one", bonus, question))
    campaign = table_with(alice, deck, ROLAND, guide)
    report(campaign, game_of(ROLAND)[:3])
    (given,) = as_answers(
        {"type": kind, "scenario": "one", "step": "heal", "choices": value}
    )
    found = []
    try:
        report(campaign, [given])
    except EntryRefused as refused:
        found = rules_of(refused)

    assert found == expected


# --- what is corrected


def _correct(campaign: Campaign, target: int, raw: Raw) -> list[str]:
    """Return the rules that refuse this answer as a correction."""
    (given,) = as_answers(raw)
    try:
        services.correct(
            campaign=campaign,
            member=organiser_of(campaign),
            target=target,
            given=given._replace(sequence=0),
            reason="It was forgotten",
            context=write_context(campaign),
        )
    except EntryRefused as refused:
        return rules_of(refused)
    return []


def _unhealed(alice: User, place: str, earned: int, question: Raw) -> Campaign:
    """Two games; one cost this much, and one asked who was healed: no one."""
    bonus = a_step(
        {"type": "earn_xp", "investigator": "all", "bonus": earned}, step_id="bonus"
    )
    asked = {"one": [bonus], "two": list[Raw]()}
    asked[place].append(question)
    guide = a_row(*(a_game(each, *steps) for each, steps in asked.items()))
    deck = starter_of(alice, ROLAND)
    campaign = table_with(alice, deck, ROLAND, guide)
    kind = question["input"]["type"]
    said: Raw = {"type": "string_choices", "choices": {}}
    if kind == "investigator_counter":
        said = {"type": "choice_list", "choices": {ROLAND: [0]}}
    for scenario in asked:
        played = won(scenario, 0, **{ROLAND: "alive", DAISY: "resigned"})
        if scenario == place:
            played[3:3] = [{"scenario": scenario, "step": "heal", **said}]
        report(campaign, as_answers(*played))
        if scenario == "one" and place == "two":
            upgrade_cop(deck, campaign.last)
    return campaign


@pytest.mark.parametrize(
    ("question", "kind"), [(BY_CHOICE, "string_choices"), (BY_NUMBER, "choice_list")]
)
@pytest.mark.parametrize(
    ("place", "earned", "expected"),
    [
        ("one", 4, ["answer.paid"]),
        ("one", 5, []),
        ("two", 5, ["answer.paid"]),  # and 1; 2 were spent before the second game
        ("two", 6, []),
    ],
)
def test_a_corrected_answer_is_paid_from_the_experience_of_then(
    alice: User, question: Raw, kind: str, place: str, earned: int, expected: list[str]
) -> None:
    """Earned before it, less what was spent by then."""
    campaign = _unhealed(alice, place, earned, question)
    healed: Raw = {ROLAND: ["healed"] if kind == "string_choices" else [1]}
    raw = {"type": kind, "scenario": place, "step": "heal", "choices": healed}

    assert _correct(campaign, sequence_of(campaign, "heal", place), raw) == expected


@pytest.mark.parametrize(("earned", "expected"), [(4, ["answer.paid"]), (5, [])])
def test_a_repeated_answer_is_paid_from_the_experience_of_then(
    alice: User, earned: int, expected: list[str]
) -> None:
    """It was undone after a later game, and is asked in its old place."""
    campaign = _unhealed(alice, "one", earned, BY_CHOICE)
    retract_step(campaign, "heal")
    raw: Raw = {"type": "string_choices", "scenario": "one", "step": "heal"}
    raw["choices"] = {ROLAND: ["healed"]}
    found = []
    try:
        report(campaign, as_answers(raw))
    except EntryRefused as refused:
        found = rules_of(refused)

    assert found == expected


def test_later_purchases_do_not_block_a_correction(alice: User) -> None:
    """The experience was there then; the next upgrade pays the debt."""
    campaign = _unhealed(alice, "one", 5, BY_CHOICE)
    deck = campaign.seats.get(investigator=ROLAND).deck
    assert deck is not None
    upgrade_cop(deck, campaign.last)
    balance, earned = ledger.balance_of(deck), ledger.earned_by(deck)
    counted = summary_of(replayed(campaign).replay)
    raw: Raw = {"type": "string_choices", "scenario": "one", "step": "heal"}
    raw["choices"] = {ROLAND: ["healed"]}

    assert _correct(campaign, sequence_of(campaign, "heal"), raw) == []
    assert ledger.balance_of(deck) == balance - 5
    assert ledger.earned_by(deck) == earned  # spent, and still earned in total
    assert summary_of(replayed(campaign).replay) == counted
    assert deck.ledger.latest("number").get_kind_display() == "Price"


def _settles_as_bonuses(campaign: Campaign, deck: Deck) -> bool:
    """Return whether costs booked as bonuses, as once, leave the ledger as it is."""
    for row in Settlement.objects.filter(deck=deck):
        points = Counter[tuple[str, str]]()
        for kind, of, amount in row.content["earned"]:
            was = "bonus" if kind == "cost" else kind
            points[was, "" if of == "paid" else of] += amount
        row.content["earned"] = [[*source, n] for source, n in points.items()]
        row.save()
    assert deck.ledger.filter(kind="cost").update(kind="bonus") == 1
    lines = list(deck.ledger.values())
    settle_decks(campaign, replayed(campaign).replay, now=timezone.now())
    return list(deck.ledger.values()) == lines


def test_a_price_once_booked_as_a_bonus_stays(alice: User) -> None:
    """Nothing is corrected; undone, it is a bonus again, so the total earned is 3."""
    deck = starter_of(alice, ROLAND)
    campaign = table_with(alice, deck, ROLAND, a_row(a_game("one"), a_game("two")))
    report(campaign, game_of(ROLAND))  # brings 3
    _begin_aside(campaign, 2)
    begun = campaign.last
    report(campaign, _plays(ROLAND, DAISY))

    assert _settles_as_bonuses(campaign, deck)
    retract_entry(campaign, begun)
    assert ledger.balance_of(deck) == ledger.earned_by(deck) == 3


def test_a_choices_cost_once_booked_within_a_bonus_stays(alice: User) -> None:
    """The bonus of the same scenario was less by it."""
    campaign = _unhealed(alice, "one", 6, BY_CHOICE)
    deck = campaign.seats.get(investigator=ROLAND).deck
    assert deck is not None
    raw: Raw = {"type": "string_choices", "scenario": "one", "step": "heal"}
    raw["choices"] = {ROLAND: ["healed"]}
    assert _correct(campaign, sequence_of(campaign, "heal"), raw) == []

    assert _settles_as_bonuses(campaign, deck)


@pytest.mark.parametrize(("cost", "expected"), [(3, []), (4, ["side.cost"])])
def test_a_side_scenarios_price_is_corrected_to_an_affordable_one(
    alice: User, cost: int, expected: list[str]
) -> None:
    """What was paid at its beginning counts towards the corrected price."""
    deck = starter_of(alice, ROLAND)
    campaign = table_with(alice, deck, ROLAND, a_row(a_game("one"), a_game("two")))
    report(campaign, game_of(ROLAND))  # brings 3
    _begin_aside(campaign, 2)
    begun = campaign.last
    report(campaign, _plays(ROLAND, DAISY))

    assert _correct(campaign, begun, _aside(cost)) == expected


def test_a_participant_added_by_a_correction_pays(alice: User) -> None:
    """Pete sat out before and has no experience."""
    deck = starter_of(alice, PETE)
    campaign = table_with(alice, deck, PETE, a_row(a_game("one"), a_game("two")))
    report(campaign, game_of(ROLAND))
    _begin_aside(campaign, 2)
    report(campaign, _plays(ROLAND, DAISY))
    target = sequence_of(campaign, "$choose_investigators", "own-1")
    raw: Raw = {"type": "string_choices", "scenario": "own-1"}
    raw |= {"step": "$choose_investigators"}
    raw["choices"] = {PETE: ["chosen"], DAISY: ["chosen"]}

    assert _correct(campaign, target, raw) == ["side.cost"]
