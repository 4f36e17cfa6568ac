"""What a campaign takes of decks for good, or charges: at once, and given back."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from arkham.accounts.models import User
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.state.answers import Answer, Sworn
from arkham.rules.snapshot import embedded_pool
from campaigns import services
from campaigns.models import Campaign, Guide, Seat
from campaigns.services import EntryRefused, WriteContext
from cardpool.catalog import current_judge
from decks import services as deck_services
from decks.lists.content import Content
from decks.lists.starter import starter_deck
from decks.models import Deck
from decks.pages.display import Judged
from decks.services import ledger
from decks.services.ordering import as_it_is
from tests.campaigns.tables import (
    NOW,
    STORY,
    a_campaign,
    a_member,
    a_row,
    a_seat,
    later,
    organiser_of,
    report,
    rules_of,
    sequence_of,
    told,
    who,
    write_context,
)
from tests.decks.edits import apply
from tests.rules.campaign.helpers.games import a_game, won
from tests.rules.campaign.small import DAISY, ROLAND, WHO, Raw, does

PETE, DUKE, PETER = "02005", "02014", "02033"
OFFER = "53013"  # Offer You Cannot Refuse: 2 experience for its new bearer
DOG, ACE = "01021", "05040"  # Guard Dog; a card one may be given beyond the limit
SACRIFICED: Raw = {
    "id": "sacrificed",
    "type": "input",
    "input": {
        "type": "card_choice",
        "query": [{"code": [DUKE, PETER, DOG]}],
        "choices": [
            {
                "id": "sacrificed",
                "text": "",
                "effects": [{"type": "remove_card", "card": "$input_value"}],
            }
        ],
    },
}


def _deck(owner: User, investigator: str, *changes: tuple[str, str]) -> Deck:
    pool = embedded_pool()
    content = apply(starter_deck(pool, investigator), changes, pool)
    return deck_services.create_deck(owner=owner, content=content, now=NOW)


def _table(owner: User, deck: Deck, code: str, guide: Guide) -> Campaign:
    campaign = a_campaign(owner, DAISY, guide=guide)
    services.add_seat(
        campaign=campaign,
        member=organiser_of(campaign),
        sitting=services.Sitting(code, deck=deck),
        now=NOW,
    )
    report(campaign, told(who(code, DAISY)))
    return campaign


def _game(code: str, *more: Raw) -> list[Answer]:
    """The first game, with what is told of it before it is played."""
    outcomes = {code: "alive", DAISY: "resigned"}
    begun, *rest = won("one", 2, **outcomes)
    told_of = [{"scenario": "one", **each} for each in more]
    return told(begun, *rest[:2], *told_of, *rest[2:])


def _chosen(*cards: str) -> Raw:
    return {
        "type": "string_choices",
        "step": "sacrificed",
        "choices": {card: ["sacrificed"] for card in cards},
    }


def _now(deck: Deck) -> Content:
    deck.refresh_from_db()
    return as_it_is(deck)


def _found(deck: Deck) -> list[tuple[str, tuple[str, ...]]]:
    """The rules that stand against the deck, and the cards they name."""
    verdict = Judged(_now(deck), current_judge()).verdict
    return [(each.rule, each.cards) for each in verdict.findings]


def _retract(campaign: Campaign, step: str) -> None:
    services.retract(
        campaign=campaign,
        member=organiser_of(campaign),
        target=sequence_of(campaign, step),
        sight=write_context(campaign),
    )


@pytest.fixture
def altar() -> Guide:
    """A guide whose first game asks who was sacrificed."""
    return a_row(a_game("one", SACRIFICED), a_game("two"))


# --- cards that are lost for good


def test_who_is_sacrificed_leaves_the_deck_for_good(alice: User, altar: Guide) -> None:
    """All copies of a player's own card; it is not bought again, nor required."""
    deck = _deck(alice, PETE, ("add", PETER))
    before = _now(deck)
    campaign = _table(alice, deck, PETE, altar)
    report(campaign, _game(PETE, _chosen(DUKE, PETER)))
    after = _now(deck)

    assert before.deck["slots"].keys() - after.deck["slots"].keys() == {DUKE, PETER}
    assert after.circumstances["lost_cards"] == [DUKE, PETER]
    assert "required.signatures" not in dict(_found(deck))
    bought = apply(after, [("add", "02035")], embedded_pool())  # Peter Sylvestre (2)
    with pytest.raises(deck_services.UpgradeRefused) as refused:
        deck_services.upgrade_deck(
            deck=deck,
            content=bought,
            expected_revision=deck.revision,
            now=later(60),
        )
    findings = {each.rule: each for each in refused.value.preview.findings}
    lost = findings["campaign.lost"]
    assert lost.cards == ("02035",)
    assert lost.remedy is not None
    assert (lost.remedy.action, lost.remedy.codes) == ("remove", ("02035",))

    _retract(campaign, "sacrificed")
    assert _now(deck).deck == before.deck
    assert "lost_cards" not in _now(deck).circumstances


def test_another_was_sacrificed(alice: User, altar: Guide) -> None:
    """A correction gives back the one and takes the other, after an upgrade too."""
    deck = _deck(alice, PETE, ("add", PETER))
    campaign = _table(alice, deck, PETE, altar)
    report(campaign, _game(PETE, _chosen(DUKE)))
    deck_services.upgrade_deck(
        deck=deck,
        content=apply(_now(deck), [("add", "01030")], embedded_pool()),
        expected_revision=deck.revision,
        now=later(60),
        repair="The table had it so",
    )
    (given,) = told({"scenario": "one", **_chosen(PETER)})
    services.correct(
        campaign=campaign,
        member=organiser_of(campaign),
        target=sequence_of(campaign, "sacrificed"),
        given=given._replace(sequence=0),
        reason="It was he",
        sight=write_context(campaign),
    )
    now = _now(deck)

    assert DUKE in now.deck["slots"]
    assert PETER not in now.deck["slots"]
    assert now.circumstances["lost_cards"] == [PETER]
    assert "01030" in now.deck["slots"]


def test_a_deck_without_the_card_is_given_none(alice: User, altar: Guide) -> None:
    """Nothing was taken of it; that the card is lost it is told all the same."""
    deck = _deck(alice, ROLAND, ("remove", f"{DOG}:2"))
    before = _now(deck)
    campaign = _table(alice, deck, ROLAND, altar)
    report(campaign, _game(ROLAND, _chosen(DOG)))
    assert _now(deck).deck == before.deck
    assert _now(deck).circumstances["lost_cards"] == [DOG]
    _retract(campaign, "sacrificed")

    assert _now(deck).deck == before.deck
    assert "lost_cards" not in _now(deck).circumstances


def test_a_deck_that_comes_later_has_lost_it_too(alice: User, altar: Guide) -> None:
    """The one before it keeps what it was told, and is told nothing more."""
    deck = _deck(alice, ROLAND)
    campaign = _table(alice, deck, ROLAND, altar)
    report(campaign, _game(ROLAND, _chosen(DOG)))
    other = _deck(alice, ROLAND)
    seat = campaign.seats.get(investigator=ROLAND)
    services.link_deck(
        seat=seat, member=organiser_of(campaign), deck=other, now=later(80)
    )
    assert DOG not in _now(other).deck["slots"]
    _retract(campaign, "sacrificed")

    assert _now(other).deck["slots"][DOG] == 2
    assert DOG not in _now(deck).deck["slots"]


def test_who_leaves_takes_their_deck_along(
    alice: User, bob: User, altar: Guide
) -> None:
    """What is put right meanwhile is made up for once it is brought again."""
    deck = _deck(bob, ROLAND)
    campaign = a_campaign(alice, DAISY, guide=altar)
    member = a_member(campaign, bob)
    seat = a_seat(campaign, ROLAND, member)
    services.link_deck(seat=seat, member=member, deck=deck, now=NOW)
    report(campaign, told(who(ROLAND, DAISY)))
    report(campaign, _game(ROLAND, _chosen(DOG)))
    services.leave(member=member, now=later(50))
    seat.refresh_from_db()
    assert (seat.deck, seat.kind) == (None, Seat.Kind.NONE)
    _retract(campaign, "sacrificed")
    assert DOG not in _now(deck).deck["slots"]
    member.left_at = None
    member.save()
    services.give_seat(seat=seat, member=member, actor=organiser_of(campaign))
    services.link_deck(seat=seat, member=member, deck=deck, now=later(99))

    assert _now(deck).deck["slots"][DOG] == 2
    assert ledger.balance_of(deck) == 0


def test_what_goes_out_of_an_upgrade_under_way_comes_back_to_it(
    alice: User, altar: Guide
) -> None:
    """What else lies on the desk stays there."""
    deck = _deck(alice, ROLAND)
    campaign = _table(alice, deck, ROLAND, altar)
    report(campaign, _game(ROLAND, _chosen(DOG))[:-1])
    content = apply(_now(deck), [("add", "01030")], embedded_pool())
    deck_services.lay_out(
        deck=deck,
        content=content,
        window={},
        seen=deck.revision,
        expected_version=0,
        now=NOW,
    )
    _retract(campaign, "sacrificed")
    deck.refresh_from_db()

    assert deck.desk.list["slots"][DOG] == 2
    assert deck.desk.list["slots"]["01030"] == 1
    assert "lost_cards" not in deck.desk.circumstances


# --- ultimatums


def test_decks_are_told_under_what_they_are_judged(
    alice: User, as_alice: Client
) -> None:
    """An ally lost to The Scream leaves them after the game, and is found there."""
    deck = _deck(alice, ROLAND, ("add", PETER))
    campaign = _table(alice, deck, ROLAND, a_row(a_game("one"), a_game("two")))
    organiser = organiser_of(campaign)
    services.choose_ultimatum(
        campaign=campaign,
        member=organiser,
        oath=Sworn(SETUP, "scream"),
        sight=write_context(campaign),
    )
    assert _now(deck).circumstances["ultimatums"] == ["scream"]
    report(campaign, _game(ROLAND)[:3])
    stating = reverse("campaigns:fact", args=[campaign.pk])
    fact = {"kind": "lost", "scenario": "one", "card": PETER, "reason": "Defeated"}
    answer = as_alice.post(stating, {**fact, "after": campaign.last, "key": "lost"})
    assert answer.status_code == 303
    campaign.refresh_from_db()
    stated = campaign.last
    assert _now(deck).deck["slots"][PETER] == 1
    report(campaign, _game(ROLAND)[3:-1])  # decks are upgraded now
    assert PETER not in _now(deck).deck["slots"]
    assert _now(deck).circumstances["banned_titles"] == ["Peter Sylvestre"]
    assert f'value="{PETER}"' not in as_alice.get(stating).content.decode()
    services.retract(
        campaign=campaign,
        member=organiser,
        target=stated,
        sight=WriteContext(campaign.last, later(90)),
    )

    assert _now(deck).deck["slots"][PETER] == 1
    assert _now(deck).circumstances["ultimatums"] == ["scream"]
    assert "banned_titles" not in _now(deck).circumstances


def test_a_table_kept_by_hand_states_who_was_sacrificed(
    alice: User, as_alice: Client
) -> None:
    """Of the unique cards in decks kept here; without The Scream they are just lost."""
    deck = _deck(alice, PETE, ("add", PETER))
    campaign = _table(alice, deck, PETE, a_row(a_game("one"), a_game("two")))
    report(campaign, _game(PETE))
    stating = reverse("campaigns:fact", args=[campaign.pk])
    page = as_alice.get(stating).content.decode()
    assert f'value="{PETER}"' in page
    assert 'value="01018"' not in page  # there are many Beat Cops
    fact = {"kind": "lost", "scenario": "one", "card": DUKE, "reason": "Sacrificed"}
    as_alice.post(stating, {**fact, "after": campaign.last, "key": "lost"})

    assert DUKE not in _now(deck).deck["slots"]
    assert _now(deck).circumstances["lost_cards"] == [DUKE]
    log_page = reverse("campaigns:log", args=[campaign.pk])
    assert "Lost to the campaign" in as_alice.get(log_page).content.decode()
    timeline = reverse("campaigns:timeline", args=[campaign.pk])
    assert "Duke is lost to the campaign" in as_alice.get(timeline).content.decode()


def test_what_a_player_told_stays_told(alice: User, altar: Guide) -> None:
    """Only what the campaign told is taken back."""
    base = _deck(alice, ROLAND)
    content = Content(_now(base).deck, {"lost_cards": [DOG]})
    deck = deck_services.create_deck(owner=alice, content=content, now=NOW)
    campaign = _table(alice, deck, ROLAND, altar)
    report(campaign, _game(ROLAND, _chosen(DOG, PETER)))
    _retract(campaign, "sacrificed")

    assert _now(deck).circumstances["lost_cards"] == [DOG]


def test_another_campaign_knows_nothing_of_it(alice: User, altar: Guide) -> None:
    """A deck may have the card there again (CAMP-12); it requires none it lost."""
    deck = _deck(alice, PETE, ("add", PETER))
    campaign = _table(alice, deck, PETE, altar)
    report(campaign, _game(PETE, _chosen(DUKE, PETER)))
    seat = campaign.seats.get(investigator=PETE)
    begun = services.transfer_campaign(
        campaign=campaign,
        member=organiser_of(campaign),
        guide=altar,
        going=[services.Going(seat)],
        now=later(99),
    )
    report(begun, told(who(PETE)))

    assert Seat.objects.get(deck=deck).campaign == begun
    assert _now(deck).circumstances["lost_cards"] == [DUKE]
    assert PETER not in _now(deck).deck["slots"]


# --- cards given


def test_a_card_beyond_the_limit_does_not_count(alice: User) -> None:
    """It is set apart in the list; what is taken back is the same again."""
    given = {
        "type": "add_card",
        "investigator": "all",
        "card": ACE,
        "ignore_deck_limit": True,
    }
    deck = _deck(alice, ROLAND)
    before = _now(deck)
    guide = a_row(a_game("one", does(given, step_id="given")), a_game("two"))
    campaign = _table(alice, deck, ROLAND, guide)
    report(campaign, _game(ROLAND))
    assert _now(deck).deck["slots"][ACE] == 1
    assert _now(deck).deck["ignoreDeckLimitSlots"] == {ACE: 1}
    assert "deck.size" not in dict(_found(deck))
    _retract(campaign, "$choose_resolution")

    assert _now(deck).deck == before.deck


def test_the_other_one_got_the_card(alice: User) -> None:
    """A correction moves it from deck to deck, the upgrade in between untouched."""
    given = {"type": "add_card", "investigator": "choice", "card": STORY}
    guide = a_row(a_game("one", does(given, step_id="given")), a_game("two"))
    decks = {code: _deck(alice, code) for code in (ROLAND, DAISY)}
    campaign = a_campaign(alice, guide=guide)
    for code, deck in decks.items():
        sitting = services.Sitting(code, deck=deck)
        services.add_seat(
            campaign=campaign, member=organiser_of(campaign), sitting=sitting, now=NOW
        )
    report(campaign, told(who(ROLAND, DAISY)))
    step = "given_effects_investigator"

    def gets(code: str) -> Raw:
        return {"type": "string_choices", "step": step, "choices": {code: ["1"]}}

    def holding() -> list[int]:
        return [_now(deck).deck["slots"].get(STORY, 0) for deck in decks.values()]

    report(campaign, _game(ROLAND, gets(ROLAND)))
    assert holding() == [1, 0]
    rolands = decks[ROLAND]
    content = apply(
        _now(rolands), [("remove", "01018"), ("add", "01028")], embedded_pool()
    )
    deck_services.upgrade_deck(
        deck=rolands,
        content=content,
        expected_revision=rolands.revision,
        now=later(60),
    )
    (put_right,) = told({"scenario": "one", **gets(DAISY)})
    services.correct(
        campaign=campaign,
        member=organiser_of(campaign),
        target=sequence_of(campaign, step),
        given=put_right._replace(sequence=0),
        reason="She took it",
        sight=write_context(campaign),
    )

    assert holding() == [0, 1]
    assert _now(rolands).deck["slots"]["01028"] == 1
    assert ledger.balance_of(rolands) == 1


def test_a_weakness_takes_the_place_of_one_to_be_drawn(alice: User) -> None:
    """Of one only; a deck that has drawn its own is given none to draw back."""
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
        steps=[WHO, does(*drawn, step_id="drawn"), save],
    )
    for undrawn in (0, 1, 2):
        change = [("add", "01000")] if undrawn == 2 else []
        change += [("remove", "01000")] if not undrawn else []
        deck = _deck(alice, ROLAND, *change)
        before = _now(deck)
        campaign = _table(alice, deck, ROLAND, guide)
        report(campaign, told({"type": "decision", "step": "save", "decision": True}))
        slots = _now(deck).deck["slots"]
        assert (slots["01097"], slots.get("01000", 0)) == (1, max(undrawn - 1, 0))
        services.retract(
            campaign=campaign,
            member=organiser_of(campaign),
            target=sequence_of(campaign, "who", SETUP),
            sight=write_context(campaign),
        )
        assert _now(deck) == before


# --- the price of a side scenario


def _begin_aside(campaign: Campaign, cost: int) -> None:
    report(
        campaign,
        told(
            {
                "type": "start_side_scenario",
                "scenario": "own-1",
                "previousScenarioId": "one",
                "sideScenarioType": "custom",
                "name": "A night out",
                "xpCost": cost,
            }
        ),
    )


def _plays(*codes: str) -> list[Answer]:
    begun = [
        {"step": "$choose_investigators", "choices": {c: ["chosen"] for c in codes}},
        {"step": "$lead_investigator", "choices": {codes[0]: ["lead"]}},
    ]
    return told(
        *({"type": "string_choices", "scenario": "own-1", **each} for each in begun)
    )


def test_a_side_scenario_is_paid_as_it_begins(alice: User, as_alice: Client) -> None:
    """Not when it is over; and taken back with its beginning."""
    deck = _deck(alice, ROLAND)
    campaign = _table(alice, deck, ROLAND, a_row(a_game("one"), a_game("two")))
    report(campaign, _game(ROLAND))
    with pytest.raises(EntryRefused) as refused:
        _begin_aside(campaign, 4)
    assert rules_of(refused.value) == ["side.cost"]
    _begin_aside(campaign, 2)
    begun = campaign.last
    report(campaign, _plays(ROLAND, DAISY))
    entry = deck.ledger.latest("number")

    assert ledger.balance_of(deck) == 1
    assert (entry.kind, entry.amount) == ("bonus", -2)
    assert entry.reason == "Friday: A night out, to play it"
    page = as_alice.get(reverse("campaigns:table", args=[campaign.pk]))
    assert page.status_code == 200
    services.retract(
        campaign=campaign,
        member=organiser_of(campaign),
        target=begun,
        sight=write_context(campaign),
    )
    assert ledger.balance_of(deck) == 3


def test_who_is_told_to_play_it_pays(alice: User) -> None:
    """Somebody who did not play last has to have it as well."""
    deck = _deck(alice, PETE)
    campaign = _table(alice, deck, PETE, a_row(a_game("one"), a_game("two")))
    report(campaign, _game(ROLAND))  # Pete stayed at home
    _begin_aside(campaign, 2)
    with pytest.raises(EntryRefused) as refused:
        report(campaign, _plays(PETE, DAISY))
    found = [(each.rule, each.cards) for each in refused.value.findings]
    assert found == [("side.cost", (PETE,))]
    report(campaign, _plays(ROLAND, DAISY))

    assert ledger.balance_of(deck) == 0


# --- basic weaknesses

AMNESIA, PARANOIA, PACT, FAILURE = "01096", "01097", "04038", "04039"


def _altar_of(*cards: str) -> Guide:
    asked = {**SACRIFICED["input"], "query": [{"code": [*cards]}]}
    return a_row(a_game("one", {**SACRIFICED, "input": asked}), a_game("two"))


def _weakness_of(deck: Deck) -> str:
    pool = embedded_pool()
    slots: dict[str, int] = _now(deck).deck["slots"]
    return next(code for code in slots if pool[code].weakness == "basic")


def test_a_basic_weakness_that_is_gone_is_missed_by_no_deck(alice: User) -> None:
    """The deck that had it is complete; one that lacks its own weakness is not."""
    had = _deck(alice, ROLAND)
    swap = [("remove", _weakness_of(had)), ("add", AMNESIA)]
    had = _deck(alice, ROLAND, *swap)
    campaign = _table(alice, had, ROLAND, _altar_of(AMNESIA))
    report(campaign, _game(ROLAND, _chosen(AMNESIA)))
    assert AMNESIA not in _now(had).deck["slots"]
    assert _now(had).circumstances["lost_cards"] == [AMNESIA]
    assert "weakness.required" not in dict(_found(had))

    other = _deck(alice, ROLAND, swap[0])
    seat = campaign.seats.get(investigator=ROLAND)
    member = organiser_of(campaign)
    services.link_deck(seat=seat, member=member, deck=other, now=later(80))
    assert "lost_cards" not in _now(other).circumstances
    assert "weakness.required" in dict(_found(other))

    services.link_deck(seat=seat, member=member, deck=had, now=later(81))
    _retract(campaign, "sacrificed")
    assert _now(had).deck["slots"][AMNESIA] == 1
    assert "lost_cards" not in _now(had).circumstances


def _ordered(owner: User, deck: Deck, *effects: Raw) -> Campaign:
    """A campaign whose first game does something to the deck of Roland Banks."""
    orders = ({"investigator": "all", "non_story": True, **each} for each in effects)
    guide = a_row(a_game("one", does(*orders, step_id="ordered")), a_game("two"))
    campaign = _table(owner, deck, ROLAND, guide)
    report(campaign, _game(ROLAND))
    return campaign


def test_a_basic_weakness_taken_out_of_a_deck_is_missed_no_more(alice: User) -> None:
    """It stays so in later games, and comes back with the answer taken back."""
    deck = _deck(alice, ROLAND)
    weakness = _weakness_of(deck)
    deck = _deck(alice, ROLAND, ("remove", weakness), ("add", AMNESIA))
    before = _now(deck)
    campaign = _ordered(alice, deck, {"type": "remove_card", "card": AMNESIA})
    assert AMNESIA not in _now(deck).deck["slots"]
    assert _found(deck) == []
    deck_services.upgrade_deck(
        deck=deck, content=_now(deck), expected_revision=deck.revision, now=later(60)
    )
    assert _found(deck) == []
    _retract(campaign, "$choose_resolution")

    assert _now(deck).deck == before.deck
    assert "lost_cards" not in _now(deck).circumstances


def test_one_weakness_for_another_is_no_loss(alice: User) -> None:
    """Nothing is waived where a weakness came in the place of the one that left."""
    deck = _deck(alice, ROLAND)
    weakness = _weakness_of(deck)
    deck = _deck(alice, ROLAND, ("remove", weakness), ("add", AMNESIA))
    _ordered(
        alice,
        deck,
        {"type": "remove_card", "card": AMNESIA},
        {"type": "add_card", "card": PARANOIA},
    )
    assert "lost_cards" not in _now(deck).circumstances
    assert _found(deck) == []


def test_a_weakness_that_pays_its_bearer_does(alice: User) -> None:
    """Two experience more, which the log doesn't know of, until it is taken back."""
    deck = _deck(alice, ROLAND)
    campaign = _ordered(alice, deck, {"type": "add_card", "card": OFFER})
    before = ledger.balance_of(deck)
    assert _now(deck).deck["slots"][OFFER] == 1
    assert ("granted", 2) in deck.ledger.values_list("kind", "amount")
    _retract(campaign, "$choose_resolution")

    assert OFFER not in _now(deck).deck["slots"]
    assert ledger.balance_of(deck) < before
    assert sum(deck.ledger.filter(kind="granted").values_list("amount", flat=True)) == 0


def test_what_a_pact_became_takes_its_place_in_the_deck(alice: User) -> None:
    """The table records only what came; taken back, the pact is there again."""
    deck = _deck(alice, ROLAND)
    weakness = _weakness_of(deck)
    deck = _deck(alice, ROLAND, ("remove", weakness), ("add", PACT))
    before = _now(deck)
    campaign = _ordered(alice, deck, {"type": "add_card", "card": FAILURE})
    slots = _now(deck).deck["slots"]
    assert (PACT in slots, slots[FAILURE]) == (False, 1)
    assert [rule for rule, _ in _found(deck)] == ["access.story"]
    deck_services.upgrade_deck(
        deck=deck, content=_now(deck), expected_revision=deck.revision, now=later(60)
    )
    _retract(campaign, "$choose_resolution")

    assert _now(deck).deck == before.deck


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
def test_who_is_healed_for_experience_has_it(
    alice: User, question: Raw, kind: str, value: Raw, earned: int, expected: list[str]
) -> None:
    """What the same scenario brought counts, though no deck was brought it yet."""
    deck = _deck(alice, ROLAND)
    bonus = does(
        {"type": "earn_xp", "investigator": "all", "bonus": earned}, step_id="bonus"
    )
    guide = a_row(a_game("one", bonus, question))
    campaign = _table(alice, deck, ROLAND, guide)
    report(campaign, _game(ROLAND)[:3])
    (given,) = told({"type": kind, "scenario": "one", "step": "heal", "choices": value})
    found = []
    try:
        report(campaign, [given])
    except EntryRefused as refused:
        found = rules_of(refused)

    assert found == expected
