"""Random draws that a guide asks for: from the right pool, on record."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.collection import everything
from arkham.rules.draws import DrawRecord
from arkham.rules.draws.record import commitment_to, draw_replays
from arkham.rules.draws.weaknesses import whole_pool
from arkham.rules.snapshot import embedded_pool
from campaigns import services
from campaigns.log import store
from campaigns.log.entries import DrawEntry
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Role
from campaigns.services import EntryRefused, Forbidden, LogMoved, WriteContext
from campaigns.settling.terms import Dealer
from decks import services as deck_services
from decks.lists.starter import starter_deck
from decks.models import Collection
from tests.campaigns.helpers.tables import (
    NOW,
    a_campaign,
    a_member,
    a_row,
    as_answers,
    later,
    organiser_of,
    report,
    who,
)
from tests.decks.edits import apply
from tests.rules.campaign.helpers.games import a_game, begun
from tests.rules.campaign.helpers.small import DAISY, ROLAND, a_step

AMNESIA, PARANOIA, HYPOCHONDRIA = "01096", "01097", "01100"
AMNESIA_AGAIN = "01596"


def _weak(*traits: str) -> dict[str, Any]:
    effect: dict[str, Any] = {"type": "add_weakness", "investigator": "all"}
    if traits:
        effect["weakness_traits"] = list(traits)
    return a_step(effect, step_id="weak")


LOTS = {
    "id": "lots",
    "type": "input",
    "input": {
        "type": "prologue_randomizer",
        "choices": [{"id": "who", "text": ""}, {"id": "where", "text": ""}],
        "options": [{"condition": "north"}, {"condition": "south"}],
    },
}
TWO_ROADS = {
    "id": "randomly_choose_tokens",
    "type": "input",
    "input": {
        "type": "choose_one",
        "choices": [
            {"id": "left", "text": "", "steps": []},
            {"id": "right", "text": "", "steps": []},
        ],
    },
}


def _at(alice: User, step: dict[str, Any], **named: Any) -> Campaign:
    """Roland and Daisy at this question in their first scenario."""
    campaign = a_campaign(
        alice, ROLAND, DAISY, guide=a_row(a_game("one", step)), **named
    )
    report(campaign, as_answers(who(ROLAND, DAISY), *begun("one", ROLAND, DAISY)))
    return campaign


@pytest.fixture
def campaign(alice: User) -> Campaign:
    """A campaign in which everyone draws a weakness."""
    return _at(alice, _weak())


def _draw(campaign: Campaign, key: str = "") -> store.Appended:
    return services.draw_at_random(
        campaign=campaign,
        member=organiser_of(campaign),
        context=WriteContext(campaign.last, later(campaign.last), key),
    )


def _records(campaign: Campaign) -> list[DrawRecord]:
    return [
        DrawRecord.from_data(each.record)
        for each in store.entries(campaign)
        if isinstance(each, DrawEntry)
    ]


def _added(campaign: Campaign, code: str) -> tuple[str, ...]:
    return tuple(replayed(campaign).replay.state.people[code].added or ())


def test_everyone_draws_a_weakness(campaign: Campaign) -> None:
    """Draws and answer are written together; the second draws from what is left."""
    done = _draw(campaign)
    first, second = _records(campaign)

    assert [row.kind for row in done.entries] == ["drawn", "drawn", "string_choices"]
    assert _added(campaign, ROLAND) == first.result
    assert _added(campaign, DAISY) == second.result
    assert first.seed != second.seed
    (gone,) = first.result
    assert dict(second.pool).get(gone, 0) == dict(first.pool)[gone] - 1
    assert [*draw_replays(first), *draw_replays(second)] == []


def test_a_repeated_request_draws_once(campaign: Campaign) -> None:
    """With its key."""
    first = _draw(campaign, "phone")
    again = _draw(campaign, "phone")
    assert (first.is_new, again.is_new) == (True, False)
    assert [row.pk for row in again.entries] == [row.pk for row in first.entries]


def test_a_repeated_draw_has_another_seed(campaign: Campaign) -> None:
    """After the answer was undone; both draws are kept."""
    done = _draw(campaign)
    services.retract(
        campaign=campaign,
        member=organiser_of(campaign),
        target=done.entries[-1].sequence,
        context=WriteContext(campaign.last, NOW),
    )
    _draw(campaign)
    assert len({each.seed for each in _records(campaign)}) == 4


def test_weaknesses_in_decks_are_not_drawn(alice: User) -> None:
    """Nor those given by the log; the table has one pool."""
    campaign = _at(alice, _weak())
    content = starter_deck(embedded_pool(), ROLAND)
    content = apply(content, [("add", HYPOCHONDRIA)], embedded_pool())
    deck = deck_services.create_deck(owner=alice, content=content, now=NOW)
    services.link_deck(
        seat=campaign.seats.get(investigator=ROLAND),
        member=organiser_of(campaign),
        deck=deck,
        now=NOW,
    )
    whole = whole_pool(everything(embedded_pool()), embedded_pool())
    dealer = Dealer(campaign, replayed(campaign).replay.state)

    left = dealer.pool_for(DAISY, ())
    assert left.get(HYPOCHONDRIA, 0) == whole[HYPOCHONDRIA] - 1
    state = replayed(campaign).replay.state.copy()
    state.person(DAISY).put_in(HYPOCHONDRIA)
    there = Dealer(campaign, state).pool_for(ROLAND, ())
    assert there.get(HYPOCHONDRIA, 0) == max(whole[HYPOCHONDRIA] - 2, 0)


def test_a_weakness_given_by_the_log_is_excluded_in_any_printing(alice: User) -> None:
    """The deck lists it by a reprint's code."""
    campaign = _at(alice, _weak())
    content = starter_deck(embedded_pool(), ROLAND)
    content = apply(content, [("add", AMNESIA_AGAIN)], embedded_pool())
    services.link_deck(
        seat=campaign.seats.get(investigator=ROLAND),
        member=organiser_of(campaign),
        deck=deck_services.create_deck(owner=alice, content=content, now=NOW),
        now=NOW,
    )
    whole = whole_pool(everything(embedded_pool()), embedded_pool())
    state = replayed(campaign).replay.state.copy()
    state.person(ROLAND).put_in(AMNESIA)
    left = Dealer(campaign, state).pool_for(DAISY, ())
    assert left[AMNESIA] == whole[AMNESIA] - 1


def test_the_tables_collection_limits_the_pool(alice: User) -> None:
    """One old core set has ten cards, of eight titles; two of them say multiplayer."""
    collection = Collection.objects.create(
        owner=alice, name="Ours", products={"core": 2}, changed_at=NOW
    )
    campaign = _at(alice, _weak(), terms={"collection": collection.pk})
    pool = Dealer(campaign, replayed(campaign).replay.state).pool_for(ROLAND, ())
    assert sum(pool.values()) == 10
    assert (pool[AMNESIA], pool[PARANOIA]) == (2, 2)


def test_a_trait_limits_the_pool(alice: User) -> None:
    """As the guide writes it."""
    campaign = _at(alice, _weak("Madness"))
    _draw(campaign)
    pool = embedded_pool()
    for record in _records(campaign):
        assert all("madness" in pool[code].traits for code, _n in record.pool)


def test_a_chosen_weakness_is_not_drawn(as_alice: Client, alice: User) -> None:
    """Everyone names one with a required trait; the page offers no draw."""
    effect = {"type": "add_weakness", "investigator": "all", "choose_only": True}
    step = a_step(effect | {"weakness_traits": ["Madness"]}, step_id="weak")
    campaign = _at(alice, step)
    address = f"/campaigns/{campaign.pk}/"
    page = as_alice.get(address).content.decode()
    assert "Which weakness do you choose?" in page
    assert "was drawn" not in page
    assert "Draw for every investigator" not in page
    with pytest.raises(EntryRefused):
        _draw(campaign)

    data = {"after": campaign.last, "key": "k", ROLAND: "Amnesia", DAISY: "Beat Cop"}
    assert "n’t a basic weakness" in as_alice.post(address, data).content.decode()
    refused = as_alice.post(address, data | {DAISY: "Paranoya"}).content.decode()
    assert re.findall(r'name="(\w+)"[^>]* aria-invalid="true"', refused) == [DAISY]
    again = as_alice.post(address, data | {DAISY: "Paranoia"})
    assert again.status_code == 303
    campaign.refresh_from_db()
    assert _added(campaign, DAISY) == (PARANOIA,)


def test_all_faults_are_shown_at_once(as_alice: Client, alice: User) -> None:
    """Each at its field, with a list of links above; the typed text stays."""
    effect = {"type": "add_weakness", "investigator": "all", "choose_only": True}
    campaign = _at(alice, a_step(effect, step_id="weak"))
    typed = {ROLAND: "Amnesiac", DAISY: "Paranoya"}
    answer = as_alice.post(
        f"/campaigns/{campaign.pk}/", {"after": campaign.last, "key": "k", **typed}
    )
    page = answer.content.decode()
    assert answer.status_code == 422
    (summary,) = re.findall(r'id="refused" role="alert">.*?</div>', page, re.DOTALL)
    for code, name in typed.items():
        (field,) = re.findall(rf'<input id="field-{code}"[^>]*>', page)
        assert f'aria-invalid="true" aria-describedby="fault-{code}"' in field
        assert f'value="{name}"' in field
        (said,) = re.findall(rf'id="fault-{code}">([^<]+)<', page)
        assert f'href="#field-{code}"' in summary
        assert said in summary
    assert _records(campaign) == []


def test_an_empty_pool_is_reported(alice: User) -> None:
    """And nothing is written."""
    campaign = _at(alice, _weak("Nonsense"))
    with pytest.raises(EntryRefused) as refused:
        _draw(campaign)
    assert [each.rule for each in refused.value.findings] == ["draw.empty-pool"]
    assert _records(campaign) == []


def test_events_of_play_are_not_drawn(as_alice: Client, alice: User) -> None:
    """A question the guide leaves to the table, such as which act was the last."""
    campaign = _at(alice, {**TWO_ROADS, "id": "which_act"})
    with pytest.raises(EntryRefused):
        _draw(campaign)
    page = as_alice.get(f"/campaigns/{campaign.pk}/").content.decode()
    assert "Decide at random" not in page


def test_a_choice_may_be_drawn(alice: User) -> None:
    """One of those offered, recorded with its id."""
    campaign = _at(alice, TWO_ROADS)
    done = _draw(campaign)
    (record,) = _records(campaign)

    assert record.pool == (("left", 1), ("right", 1))
    assert done.entries[-1].payload["choice"] == record.result[0]
    assert replayed(campaign).replay.pending.step == "$play_scenario"  # type: ignore[union-attr]


def test_a_resolution_is_not_drawn(as_alice: Client, alice: User) -> None:
    """Play decides how a game ends; the page offers no draw."""
    campaign = _at(alice, a_step(step_id="nothing"))
    finish = {"type": "choice", "step": "$play_scenario", "scenario": "one"}
    with pytest.raises(EntryRefused):
        _draw(campaign)  # the table says what is done in play
    report(campaign, as_answers({**finish, "choice": -2}))
    pending = replayed(campaign).replay.pending
    assert pending is not None
    assert pending.step == "$choose_resolution"
    with pytest.raises(EntryRefused):
        _draw(campaign)
    page = as_alice.get(f"/campaigns/{campaign.pk}/").content.decode()
    assert "Decide at random" not in page


def test_things_of_a_guide_are_drawn_without_replacement(alice: User) -> None:
    """From one small deck: what one draws is gone for the next."""
    campaign = _at(alice, LOTS)
    done = _draw(campaign)
    (record,) = _records(campaign)
    assert record.pool == (("north", 1), ("south", 1))
    assert sorted(record.result) == ["north", "south"]
    assert done.entries[-1].payload["value"] == [
        ["who", [record.result[0]]],
        ["where", [record.result[1]]],
    ]
    pending = replayed(campaign).replay.pending
    assert pending is not None
    assert pending.step == "$play_scenario"


def test_other_questions_are_not_drawn(campaign: Campaign) -> None:
    """Who plays, how many."""
    fresh = a_campaign(organiser_of(campaign).user, ROLAND)  # type: ignore[arg-type]
    with pytest.raises(EntryRefused) as refused:
        _draw(fresh)
    assert [each.rule for each in refused.value.findings] == ["draw.not-asked"]


def test_those_who_may_answer_may_draw(campaign: Campaign, bob: User) -> None:
    """With the current log."""
    spectator = a_member(campaign, bob, Role.SPECTATOR)
    context = WriteContext(campaign.last, NOW)
    with pytest.raises(Forbidden):
        services.draw_at_random(campaign=campaign, member=spectator, context=context)
    with pytest.raises(LogMoved):
        services.draw_at_random(
            campaign=campaign,
            member=organiser_of(campaign),
            context=WriteContext(campaign.last - 1, NOW),
        )
    assert _records(campaign) == []


def test_the_seed_of_the_next_entry_is_committed_to(
    as_alice: Client, campaign: Campaign
) -> None:
    """By the API before, in the record afterwards; no response reveals the seed."""
    address = f"/api/v1/campaigns/{campaign.pk}/"
    before = as_alice.get(address)
    told = before.json()["next_draw"]
    _draw(campaign)
    first, second = _records(campaign)
    seed, _slash, code = first.seed.partition("/")

    assert told["entry"] == campaign.last - 2
    assert commitment_to(seed) == told["commitment"]
    assert code == ROLAND
    assert second.seed == f"{seed}/{DAISY}"
    assert seed not in before.content.decode()
    campaign.refresh_from_db()
    assert as_alice.get(address).json()["next_draw"]["commitment"] != told["commitment"]


def test_pollers_get_the_bag_made_by_the_log(
    as_alice: Client, campaign: Campaign
) -> None:
    """Before any action in a scenario its bag and next draw are the log's."""
    address = f"/api/v1/campaigns/{campaign.pk}/play"
    before = as_alice.get(address)
    same = as_alice.get(address, headers={"If-None-Match": before["ETag"]})
    assert same.status_code == 304
    _draw(campaign)
    after = as_alice.get(address, headers={"If-None-Match": before["ETag"]})
    assert after.status_code == 200
    assert after.json()["commitment"] != before.json()["commitment"]


def test_the_button_draws(as_alice: Client, campaign: Campaign) -> None:
    """On the table page; the scenario page has the record."""
    page = as_alice.get(f"/campaigns/{campaign.pk}/").content.decode()
    assert "Draw for every investigator" in page
    data = {"after": campaign.last, "key": "k"}
    assert as_alice.post(f"/campaigns/{campaign.pk}/draw", data).status_code == 303
    campaign.refresh_from_db()
    first, _second = _records(campaign)
    scenario = as_alice.get(f"/campaigns/{campaign.pk}/scenario/").content.decode()

    assert embedded_pool()[first.result[0]].name in scenario
    assert first.seed in scenario
    assert "Checked: this seed gives this result." in scenario


def test_a_weakness_drawn_on_paper_can_be_named(
    as_alice: Client, campaign: Campaign
) -> None:
    """By name; no draw is recorded."""
    data = {"after": campaign.last, "key": "k", ROLAND: "Amnesia", DAISY: "Paranoia"}
    assert as_alice.post(f"/campaigns/{campaign.pk}/", data).status_code == 303
    campaign.refresh_from_db()
    assert _added(campaign, ROLAND) == (AMNESIA,)
    assert _records(campaign) == []


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ("Roland Banks", "This isn’t a basic weakness."),
        ("Beat Cop", "This isn’t a basic weakness."),
        ("Random Basic Weakness", "This isn’t a basic weakness."),
        ("Nobody at all", "We couldn’t find a card called"),
        ("Amnesia\nParanoia", "Enter the weakness that was drawn."),
    ],
)
def test_only_a_weakness_can_be_named(
    as_alice: Client, campaign: Campaign, named: str, message: str
) -> None:
    """Nothing is written otherwise; the page says why. WEAK-02."""
    last = campaign.last
    data = {"after": last, "key": "k", ROLAND: named, DAISY: "Paranoia"}
    page = as_alice.post(f"/campaigns/{campaign.pk}/", data)
    campaign.refresh_from_db()

    assert message in page.content.decode()
    assert campaign.last == last


@pytest.mark.parametrize("card", ["nonsense", "", "01018", "01000", "01001"])
def test_a_program_names_a_weakness_too(
    as_alice: Client, campaign: Campaign, card: str
) -> None:
    """422 otherwise."""
    pending = replayed(campaign).replay.pending
    assert pending is not None
    said = {"scenario": "one", "step": pending.step}
    value = [[ROLAND, [card]], [DAISY, [AMNESIA]]]
    entry = {"kind": "string_choices", "payload": {**said, "value": value}}
    answer = as_alice.post(
        f"/api/v1/campaigns/{campaign.pk}/entries/",
        {"after": campaign.last, "entry": entry},
        content_type="application/json",
    )

    assert answer.status_code == 422
    assert "draw.weakness" in answer.content.decode()


@pytest.mark.parametrize("data", [{}, {"after": "x"}])
def test_an_invalid_form_is_refused(
    as_alice: Client, campaign: Campaign, data: Any
) -> None:
    """400."""
    assert as_alice.post(f"/campaigns/{campaign.pk}/draw", data).status_code == 400


def test_a_program_draws(as_alice: Client, campaign: Campaign) -> None:
    """The response has the entries with their records, and the next question."""
    answer = as_alice.post(
        f"/api/v1/campaigns/{campaign.pk}/draws/",
        {"after": campaign.last},
        content_type="application/json",
    )
    told_ = answer.json()
    assert answer.status_code == 201
    assert [each["kind"] for each in told_["entries"]] == [
        "drawn",
        "drawn",
        "string_choices",
    ]
    assert told_["entries"][0]["payload"]["record"]["purpose"] == "weakness"
    assert told_["pending"]["step"] == "$play_scenario"


def test_a_standalone_investigator_draws_all_their_weaknesses(alice: User) -> None:
    """STAND-02: two for Roland, each from what the one before it left."""
    campaign = a_campaign(alice, ROLAND, guide=a_row(a_game("one")), standalone="one")
    report(
        campaign,
        as_answers(
            {
                "type": "string_choices",
                "step": "$choose_investigators",
                "scenario": "one",
                "choices": {ROLAND: ["chosen"]},
            },
            {
                "type": "choice_list",
                "step": "$draw_standalone_weakness",
                "scenario": "one",
                "choices": {ROLAND: [2]},
            },
        ),
    )
    _draw(campaign)
    first, second = _records(campaign)

    assert _added(campaign, ROLAND) == (*first.result, *second.result)
    assert first.seed != second.seed
    assert [*draw_replays(first), *draw_replays(second)] == []


def test_every_draw_is_documented(as_alice: Client, campaign: Campaign) -> None:
    """The timeline and the entry have the pool, the seed and whether both agree."""
    drawn = _draw(campaign).entries[0]
    (record, *_rest) = _records(campaign)

    for page in ("timeline/", f"timeline/{drawn.sequence}/"):
        text = as_alice.get(f"/campaigns/{campaign.pk}/{page}").content.decode()
        assert "How it was drawn" in text
        assert record.seed in text
        assert "Checked: this seed gives this result." in text
