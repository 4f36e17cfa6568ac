"""The victory display of a campaign: its form, the log, the decks, the API."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.snapshot import embedded_pool
from campaigns import services
from campaigns.log import store
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Guide
from decks import services as deck_services
from decks.lists.starter import starter_deck
from decks.models import Deck
from tests.campaigns.helpers.tables import (
    NOW,
    experience,
    have_our_guides,
    organiser_of,
    report,
    rules_of,
    sequence_of,
    write_context,
)
from tests.rules.campaign.helpers.small import DAISY, ROLAND

TOLD = {ROLAND: ("chosen",), DAISY: ("chosen",)}
ALIVE = {ROLAND: ("alive",), DAISY: ("alive",)}
PRIEST, ATTIC, DREW, HUNTER = "01116", "01113", "01137", "01121b"


def _played(scenario: str, resolution: str) -> list[Answer]:
    return [
        Answer("start_scenario", scenario, "", None),
        Answer("string_choices", scenario, "$choose_investigators", TOLD),
        Answer("string_choices", scenario, "$lead_investigator", {ROLAND: ("lead",)}),
        Answer("choice", scenario, "$play_scenario", -2),
        Answer("choice", scenario, "$choose_resolution", 0, choice=resolution),
        Answer(
            "string_choices", scenario, f"$r_{resolution}*investigator_status", ALIVE
        ),
    ]


@pytest.fixture
def deck(alice: User) -> Deck:
    """Roland's."""
    content = starter_deck(embedded_pool(), ROLAND)
    return deck_services.create_deck(owner=alice, content=content, now=NOW)


@pytest.fixture
def gathering(alice: User, deck: Deck) -> Campaign:
    """The Gathering, whose resolution asks for the victory display."""
    have_our_guides()
    campaign = services.start_campaign(
        organiser=alice,
        guide=Guide.objects.get(guide_id="core", origin=Guide.Origin.OURS),
        name="Friday",
        now=NOW,
        sitting=(services.Sitting(ROLAND, deck=deck), services.Sitting(DAISY)),
    )
    store.append(
        campaign,
        [
            Answer("string_choices", "$campaign_setup", "choose_investigators", TOLD),
            Answer("choice", "$campaign_setup", "difficulty_choice", 1),
            Answer(
                "string_choices",
                "$campaign_setup",
                "draw_weakness",
                {ROLAND: ("rbw",), DAISY: ("rbw",)},
            ),
            Answer(
                "string_choices",
                "$campaign_setup",
                "draw_weakness_effects_weakness",
                {ROLAND: ("01098",), DAISY: ("01097",)},
            ),
            Answer("decision", "$campaign_setup", "save_decks", True),
            *_played("torch", "R2"),
        ],
        after=campaign.last,
        author=organiser_of(campaign),
        now=NOW,
    )
    return Campaign.objects.get()


def _say(
    campaign: Campaign, value: Any, kind: str = "choice_list", **more: Any
) -> None:
    asked = replayed(campaign).replay.pending
    assert asked is not None
    report(campaign, [Answer(kind, asked.scenario, asked.step, value, **more)])
    campaign.refresh_from_db()


def _earned(code: str) -> int:
    return experience(Campaign.objects.get(), code)


def _page(client: Client, campaign: Campaign, path: str = "") -> str:
    return client.get(f"/campaigns/{campaign.pk}/{path}").content.decode()


def _post(client: Client, campaign: Campaign, path: str = "", **fields: str) -> Any:
    campaign.refresh_from_db()
    data = {"after": str(campaign.last), "key": f"k{campaign.last}", **fields}
    return client.post(f"/campaigns/{campaign.pk}/{path}", data)


def _booked(deck: Deck) -> list[tuple[str, int, str]]:
    return list(deck.ledger.order_by("number").values_list("kind", "amount", "reason"))


# --- pages


def test_cards_are_ticked_and_their_sum_is_shown(
    gathering: Campaign, as_alice: Client
) -> None:
    """While they are ticked, and before the answer is confirmed."""
    page = _page(as_alice, gathering)
    assert f'name="{PRIEST}" value="1">' in page
    assert "On the other side" not in page
    summary = "<summary>Other cards or another total</summary>"
    assert f'<details class="field">\n        {summary}' in page
    told = _page(as_alice, gathering, f"counted?{PRIEST}=1&{ATTIC}=1&others=Attic")
    assert told.strip() == "These cards add up to 4 victory points"
    assert gathering.last == Campaign.objects.get().last
    assert "We couldn’t find a card called “&lt;b&gt;”" in _page(
        as_alice, gathering, "counted?others=<b>"
    )
    shown = _post(as_alice, gathering, **{PRIEST: "1", ATTIC: "1"})
    assert "+6 experience" in shown.content.decode()
    _post(as_alice, gathering, **{PRIEST: "1", ATTIC: "1", "confirm": "yes"})
    assert _earned(ROLAND) == 6  # 2 more by the resolution, 1 more leads


def test_no_sum_is_shown_without_a_victory_display(
    gathering: Campaign, as_alice: Client
) -> None:
    _say(gathering, {PRIEST: (1,)})
    assert as_alice.get(f"/campaigns/{gathering.pk}/counted").status_code == 204


def test_another_total_without_its_reason_is_not_written(
    gathering: Campaign, as_alice: Client
) -> None:
    """The ticks stay."""
    answer = _post(as_alice, gathering, **{PRIEST: "1", "total": "5", "confirm": "yes"})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "These cards add up to 2 victory points: why is the total different?" in page
    assert f'name="{PRIEST}" value="1" checked' in page
    summary = "<summary>Other cards or another total</summary>"
    assert f'<details class="field" open>\n        {summary}' in page
    assert _earned(DAISY) == 0


@pytest.mark.parametrize(
    ("terms", "count", "earned"),
    [
        ({"taboo": "10"}, "3", 0),
        ({"taboo": "10"}, "2", 4),
        ({"taboo": "none"}, "3", 5),
        ({}, "3", 5),
        ({"taboo": "10", "taboos": {DAISY: "none"}}, "3", 5),
    ],
)
def test_a_group_may_have_two_delve_too_deep_under_taboos(
    gathering: Campaign, as_alice: Client, terms: Any, count: str, earned: int
) -> None:
    """If every deck follows a list."""
    Campaign.objects.update(terms=terms)
    answer = _post(as_alice, gathering, **{"02111": count, "confirm": "yes"})
    refused = "3 copies of Delve Too Deep are in the victory display"
    assert (refused in answer.content.decode()) is (not earned)
    assert _earned(DAISY) == earned


def test_a_card_may_be_named_with_its_subtitle(
    as_alice: Client, gathering: Campaign
) -> None:
    """As the field suggests if two cards have one name."""
    told = {"others": "Jordan Perry: An Imposing Presence", "confirm": "yes"}
    before = gathering.last
    page = _post(as_alice, gathering, **told).content.decode()
    gathering.refresh_from_db()
    assert "We couldn’t find a card called" not in page
    assert gathering.last == before + 1


def test_an_impossible_display_is_refused_before_the_preview(
    as_alice: Client, gathering: Campaign
) -> None:
    """Not first previewed for confirmation."""
    Campaign.objects.update(terms={"taboo": "10"})
    answer = _post(as_alice, gathering, **{"02111": "3"})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "3 copies of Delve Too Deep are in the victory display" in page
    assert "Results of this answer" not in page


def test_an_answer_is_not_corrected_beyond_a_limit(gathering: Campaign) -> None:
    _say(gathering, {"02111": (2,)})
    Campaign.objects.update(terms={"taboo": "10"})
    campaign = Campaign.objects.get()
    entry = sequence_of(campaign, "earn_xp", "torch")
    given = Answer("choice_list", "torch", "earn_xp", {"02111": (3,)})
    with pytest.raises(services.EntryRefused) as refused:
        services.correct(
            campaign=campaign,
            member=organiser_of(campaign),
            target=entry,
            given=given,
            reason="One more",
            context=write_context(campaign),
        )
    assert rules_of(refused.value) == ["answer.display-limit"]


def test_the_log_shows_cards_values_and_the_correction(
    gathering: Campaign, as_alice: Client, deck: Deck
) -> None:
    """The ledger of a deck shows the correction's reason."""
    more = {"total": "5", "total_reason": "A card of our own", "confirm": "yes"}
    _post(
        as_alice,
        gathering,
        **{PRIEST: "1", "others": "Screeching Byakhee\n" * 2},
        **more,
    )
    written = "Ghoul Priest 2; Screeching Byakhee 2 × 1; 4 in all, recorded as 5"
    assert f"{written} (A card of our own)" in _page(as_alice, gathering, "log/")
    timeline = _page(as_alice, gathering, "timeline/")
    assert written in re.sub(r"</?a\b[^>]*>", "", timeline)
    assert "A card of our own" in timeline
    assert ("victory", 5, "Friday: The Gathering, A card of our own") in _booked(deck)


def test_an_earlier_number_is_corrected_by_a_list(
    gathering: Campaign, as_alice: Client, deck: Deck
) -> None:
    """They answer one question, so one replaces the other."""
    _say(gathering, 4, "count")
    entry = sequence_of(gathering, "earn_xp", "torch")
    assert 'name="total" value="4"' in _page(as_alice, gathering, f"timeline/{entry}/")
    _post(
        as_alice, gathering, f"timeline/{entry}/",
        **{PRIEST: "1", "reason": "Counted again", "confirm": "yes"},
    )  # fmt: skip
    assert _earned(DAISY) == 4
    assert f"Corrected by entry {Campaign.objects.get().last}" in _page(
        as_alice, gathering, f"timeline/{entry}/"
    )
    assert _booked(deck)[-1] == ("victory", -2, "Friday: The Gathering, corrected")


def test_a_card_without_points_in_an_older_log_is_corrected(
    gathering: Campaign, as_alice: Client
) -> None:
    """The form is filled in as answered, and refused unchanged."""
    told: dict[str, tuple[int, ...]] = {PRIEST: (1,), "zzz": (1,), ROLAND: (1,)}
    store.append(
        gathering,
        [Answer("choice_list", "torch", "earn_xp", told)],
        after=gathering.last,
        author=organiser_of(gathering),
        now=NOW,
    )
    entry = sequence_of(gathering, "earn_xp", "torch")
    page = _page(as_alice, gathering, f"timeline/{entry}/")
    assert f"zzz\n{ROLAND}</textarea>" in page
    again = {PRIEST: "1", "others": "zzz", "confirm": "yes"}
    refused = _post(as_alice, gathering, f"timeline/{entry}/", **again)
    assert "We couldn’t find a card called “zzz”." in refused.content.decode()
    _post(as_alice, gathering, f"timeline/{entry}/", **again | {"others": ""})
    assert replayed(Campaign.objects.get()).replay.problems == ()


def test_a_card_with_a_count_of_zero_is_not_ticked(
    gathering: Campaign, as_alice: Client
) -> None:
    """Else a correction of something else would count it."""
    store.append(
        gathering,
        [Answer("choice_list", "torch", "earn_xp", {PRIEST: (0,)})],
        after=gathering.last,
        author=organiser_of(gathering),
        now=NOW,
    )
    entry = sequence_of(gathering, "earn_xp", "torch")
    page = _page(as_alice, gathering, f"timeline/{entry}/")
    assert f'name="{PRIEST}" value="1" checked' not in page


def test_earlier_answers_about_the_display_are_ticked(
    gathering: Campaign, as_alice: Client
) -> None:
    """A card on the back of another is folded away until it was answered."""
    _say(gathering, {})
    _say(gathering, True, "decision")
    report(gathering, _played("arkham", "R1"))
    page = _page(as_alice, gathering)
    assert "Which unique cultists are in the victory display?" in page
    _say(gathering, {DREW: ("interrogated",)}, "string_choices")
    _say(gathering, {}, "string_choices")
    page = _page(as_alice, gathering)
    assert f'name="{DREW}" value="1" checked' in page
    assert f'name="{HUNTER}" value="1">' in page
    folded = page[page.index("On the back of another card") :]
    assert folded.index("</details>") > folded.index("The Masked Hunter")


# --- API


def _append(client: Client, campaign: Campaign, **payload: Any) -> Any:
    entry = {
        "kind": payload.pop("kind", "choice_list"),
        "payload": {"scenario": "torch", "step": "earn_xp", **payload},
    }
    return client.post(
        f"/api/v1/campaigns/{campaign.pk}/entries/",
        {"after": campaign.last, "entry": entry},
        content_type="application/json",
    )


def test_programs_read_and_report_the_cards(
    gathering: Campaign, as_alice: Client
) -> None:
    pending = as_alice.get(f"/api/v1/campaigns/{gathering.pk}/").json()["pending"]
    assert {"code": PRIEST, "points": 2, "copies": 1} in pending["worth"]
    done = _append(as_alice, gathering, value={PRIEST: [1], "01175": [1, 1]})
    assert done.status_code == 201
    assert _earned(DAISY) == 5


def test_programs_send_a_correction_with_its_reason(
    gathering: Campaign, as_alice: Client
) -> None:
    value = {PRIEST: [1], "total": [0]}
    refused = _append(as_alice, gathering, value=value)
    (found,) = refused.json()["findings"]
    assert (refused.status_code, found["rule"]) == (422, "answer.display-reason")
    done = _append(as_alice, gathering, value=value, reason="It was healed.")
    assert done.status_code == 201
    (entry,) = done.json()["entries"]
    assert entry["payload"]["reason"] == "It was healed."
    assert _earned(DAISY) == 2


def test_programs_learn_which_card_is_wrong(
    gathering: Campaign, as_alice: Client
) -> None:
    """And nothing is written."""
    wrong: list[tuple[dict[str, list[int]], str]] = [
        ({"99999": [1]}, "answer.display-card"),
        ({"01001": [1]}, "answer.display-card"),
        ({PRIEST: [2]}, "answer.number"),
        ({"01001": [1, 4]}, "answer.display-points"),
        ({"01175": [1, 4]}, "answer.display-points"),
    ]
    for value, rule in wrong:
        refused = _append(as_alice, gathering, value=value)
        (found,) = refused.json()["findings"]
        assert (refused.status_code, found["rule"]) == (422, rule)
        assert found["cards"] == [*value]
    assert Campaign.objects.get().last == gathering.last


def test_a_number_alone_is_still_accepted(
    gathering: Campaign, as_alice: Client
) -> None:
    assert _append(as_alice, gathering, kind="count", value=3).status_code == 201
    assert _earned(DAISY) == 5


def test_a_programs_correction_is_checked(gathering: Campaign, alice: User) -> None:
    _say(gathering, {PRIEST: (1,)})
    target = sequence_of(gathering, "earn_xp", "torch")
    given = Answer("choice_list", "torch", "earn_xp", {PRIEST: (1,), "total": (9,)})
    with pytest.raises(services.EntryRefused) as refused:
        services.correct(
            campaign=gathering,
            member=organiser_of(gathering),
            target=target,
            given=given,
            reason="",
            context=write_context(gathering),
        )
    assert rules_of(refused.value) == ["answer.display-reason"]
