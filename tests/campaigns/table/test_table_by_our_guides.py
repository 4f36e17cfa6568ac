"""The table's page with our guides: texts, questions and spoilers."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from arkham.accounts.models import User
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.snapshot import embedded_pool
from campaigns import services
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Guide, Role, Seat
from campaigns.pages.deck_links import links_to_campaigns, tables_of_decks
from decks import services as deck_services
from decks.lists.starter import starter_deck
from tests.campaigns.helpers.tables import (
    NOW,
    a_campaign,
    a_member,
    a_seat,
    as_answers,
    have_our_guides,
    organiser_of,
    report,
    restrict,
    sequence_of,
    write_context,
)
from tests.decks.edits import apply
from tests.rules.campaign.helpers.games import begun, ended
from tests.rules.campaign.helpers.small import DAISY, ROLAND, Raw

pytestmark = pytest.mark.django_db
HAUNTED, PARANOIA, TO_BE_DRAWN = "01098", "01097", "01000"


def _campaign(organiser: User, guide_id: str, *codes: str) -> Campaign:
    have_our_guides()
    guide = Guide.objects.get(guide_id=guide_id, origin="ours")
    return a_campaign(organiser, *codes, guide=guide)


def _in_the_set_up(*codes: str) -> list[Raw]:
    """Answer everything up to the drawn weaknesses."""
    drawn = dict(zip(codes, (HAUNTED, PARANOIA), strict=False))
    return [
        {
            "type": "string_choices",
            "step": "choose_investigators",
            "choices": {code: ["chosen"] for code in codes},
        },
        {"type": "choice", "step": "difficulty_choice", "choice": 1},
        {
            "type": "string_choices",
            "step": "draw_weakness",
            "choices": {code: ["rbw"] for code in codes},
        },
        {
            "type": "string_choices",
            "step": "draw_weakness_effects_weakness",
            "choices": {code: [weakness] for code, weakness in drawn.items()},
        },
    ]


SAVED: Raw = {"type": "decision", "step": "save_decks", "decision": True}


def _shown(client: Client, campaign: Campaign) -> str:
    """Return the page's text without icons and tags."""
    page = client.get(f"/campaigns/{campaign.pk}/").content.decode()
    main = page[page.index("<main") : page.index("</main>")]
    main = re.sub(r"</a>(?=[,.;:])", "", main)
    return " ".join(re.sub(r"<[^>]*>", " ", main).split())


def _forms(client: Client, campaign: Campaign) -> int:
    page = client.get(f"/campaigns/{campaign.pk}/").content.decode()
    return page.count("data-answer")


def test_members_who_may_not_answer_see_who_is_awaited(
    alice: User, bob: User, as_alice: Client, as_bob: Client
) -> None:
    """If the organiser restricts it: a player has no form for the whole table."""
    campaign = _campaign(alice, "core", ROLAND)
    restrict(campaign)
    member = a_member(campaign, bob)
    a_seat(campaign, DAISY, member)

    shown = _shown(as_bob, campaign)
    assert shown.count("Waiting for alice") == 1
    assert "This page updates by itself." in shown
    assert _forms(as_bob, campaign) == 0
    assert "Waiting for" not in _shown(as_alice, campaign)
    assert _forms(as_alice, campaign) == 1

    member.role = Role.SCRIBE
    member.save()
    assert _forms(as_bob, campaign) == 1


@pytest.mark.parametrize(("weakness", "drawing"), [(TO_BE_DRAWN, 2), (PARANOIA, 1)])
def test_a_deck_that_has_drawn_its_weakness_gets_no_second(
    alice: User, as_alice: Client, weakness: str, drawing: int
) -> None:
    """It is unticked; without any ticks the table goes on."""
    campaign = _campaign(alice, "core", DAISY)
    changes = [("remove", TO_BE_DRAWN), ("add", weakness)]
    content = apply(starter_deck(embedded_pool(), ROLAND), changes, embedded_pool())
    deck = deck_services.create_deck(owner=alice, content=content, now=NOW)
    services.add_seat(
        campaign=campaign,
        member=organiser_of(campaign),
        sitting=services.Sitting(ROLAND, deck=deck),
        now=NOW,
    )
    report(campaign, as_answers(*_in_the_set_up(ROLAND, DAISY)[:2]))
    page = as_alice.get(f"/campaigns/{campaign.pk}/").content.decode()
    assert len(re.findall(r'value="0100[12] rbw" checked', page)) == drawing
    assert ('value="01001 rbw" checked' in page) == (weakness == TO_BE_DRAWN)

    data = {"after": campaign.last, "key": "nobody"}
    assert as_alice.post(f"/campaigns/{campaign.pk}/", data).status_code == 303
    campaign.refresh_from_db()
    pending = replayed(campaign).replay.pending
    assert pending is not None
    assert pending.scenario != SETUP


def test_a_question_to_one_person_waits_for_them(
    alice: User, bob: User, as_alice: Client, as_bob: Client
) -> None:
    """Lita is for the lead, whom Bob plays; the organiser may answer for him."""
    campaign = _campaign(alice, "core", ROLAND)
    a_seat(campaign, DAISY, a_member(campaign, bob))
    both = {DAISY: "alive", ROLAND: "alive"}
    answers = as_answers(*_in_the_set_up(ROLAND, DAISY), SAVED, *begun("torch", *both))
    report(campaign, [*answers, *as_answers(*ended("torch", 1, "R1", **both))])

    assert "Who takes Lita Chantler?" in _shown(as_bob, campaign)
    assert _forms(as_bob, campaign) == 1
    shown = _shown(as_alice, campaign)
    assert shown.count("Waiting for bob") == 1
    assert "Answer for bob" in shown


def test_undo_is_offered_to_authors_only(
    alice: User, bob: User, as_alice: Client, as_bob: Client
) -> None:
    """The campaign's beginning is no answer; a player can't undo others' answers."""
    campaign = _campaign(alice, "core", ROLAND, DAISY)
    a_member(campaign, bob)
    assert "Undo the last answer" not in _shown(as_alice, campaign)

    report(campaign, as_answers(*_in_the_set_up(ROLAND, DAISY)[:1]))
    assert "Undo the last answer" in _shown(as_alice, campaign)
    assert "Undo the last answer" not in _shown(as_bob, campaign)


def test_a_setup_summarises_the_bag(alice: User, as_alice: Client) -> None:
    """Without replaced placeholders; a difficulty can't be drawn."""
    campaign = _campaign(alice, "core", ROLAND, DAISY)
    answers = as_answers(*_in_the_set_up(ROLAND, DAISY))
    report(campaign, answers[:1])
    assert "Which difficulty do you play on?" in _shown(as_alice, campaign)
    assert "At random" not in _shown(as_alice, campaign)

    report(campaign, answers[1:])
    page = _shown(as_alice, campaign)
    assert "Weaknesses in your decks" in page
    assert "Upgrade your decks" not in page
    assert "nothing to spend" not in page
    assert page.count("gets Haunted") == 2  # beside the deck, and in the results
    assert "Random Basic Weakness" not in page
    assert "+1 × +1" not in page
    assert "Skull × 2" in page


def test_no_one_is_awaited_where_nothing_is_spent(
    alice: User, bob: User, as_bob: Client
) -> None:
    """The first to read it goes on for the table."""
    campaign = _campaign(alice, "core", ROLAND)
    a_seat(campaign, DAISY, a_member(campaign, bob))
    report(campaign, as_answers(*_in_the_set_up(ROLAND, DAISY)))
    page = _shown(as_bob, campaign)
    assert "Decks are up to date" in page
    assert "My deck is up to date" not in page
    data = {"after": campaign.last, "key": "bob"}
    assert as_bob.post(f"/campaigns/{campaign.pk}/", data).status_code == 303
    assert "The Gathering" in _shown(as_bob, campaign)


def test_experience_saved_for_later_is_shown(alice: User, as_alice: Client) -> None:
    """Beside what was earned, until it may be spent; and beside the decks."""
    campaign = _campaign(alice, "tic", ROLAND)
    first = "the_pit_of_despair"
    alive = {ROLAND: "resigned"}
    answers = as_answers(
        *_in_the_set_up(ROLAND), SAVED, *begun(first, ROLAND)[:2],
        *ended(first, 1, "R1", **alive),
    )  # fmt: skip
    report(campaign, answers)
    assert "saved for later" not in _shown(as_alice, campaign)
    shown = {"type": "choice_list", "scenario": first, "step": "earn_xp"}
    report(campaign, as_answers({**shown, "choices": {"07104": [1]}}))
    page = _shown(as_alice, campaign)
    assert page.count("Experience saved for later: 1") == 2
    assert "nothing to spend" not in page


def test_an_upgrade_before_a_game_does_not_end_it(
    alice: User, as_alice: Client
) -> None:
    """Innsmouth's second game begins with it; its page still leads to the end."""
    campaign = _campaign(alice, "tic", ROLAND)
    first, second = "the_pit_of_despair", "the_vanishing_of_elina_harper"
    shown = {"type": "choice_list", "scenario": first, "step": "earn_xp"}
    done = {"type": "decision", "step": "$upgrade_decks", "decision": True}
    answers = as_answers(
        *_in_the_set_up(ROLAND), SAVED, *begun(first, ROLAND)[:2],
        *ended(first, 1, "R1", **{ROLAND: "resigned"}),
        {**shown, "choices": {"07104": [1]}}, {**done, "scenario": first},
        {"type": "start_scenario", "scenario": "puzzle_pieces"},
        *begun(second, ROLAND)[:2],
    )  # fmt: skip
    report(campaign, answers)
    assert "Results of The Vanishing" not in _shown(as_alice, campaign)
    report(campaign, as_answers({**done, "scenario": second}))
    page = _shown(as_alice, campaign)
    assert "Play the scenario" in page
    assert "Results of The Vanishing" not in page
    page = as_alice.get(f"/campaigns/{campaign.pk}/scenario/").content.decode()
    assert "Record or end the scenario" in page
    report(campaign, as_answers(*ended(second, 4, "R4", **{ROLAND: "alive"})[:2]))
    assert "Results of The Vanishing" not in _shown(as_alice, campaign)


def test_the_setup_is_not_offered_while_something_is_recorded(
    alice: User, as_alice: Client
) -> None:
    campaign = _campaign(alice, "tdc", ROLAND)
    job, prologue = (
        "one_last_job",
        {"type": "start_scenario", "scenario": "tdc_prologue"},
    )
    begins = begun(job, ROLAND)[:2]
    report(campaign, as_answers(*_in_the_set_up(ROLAND), SAVED, prologue, *begins))
    assert "Set up the scenario" in _shown(as_alice, campaign)
    note = {"type": "choice", "scenario": job, "step": "$play_scenario", "choice": -1}
    report(campaign, as_answers(note))
    page = _shown(as_alice, campaign)
    assert "What do you record in the campaign log?" in page
    assert "Set up the scenario" not in page


def test_each_deck_is_shown_while_decks_are_upgraded(
    alice: User, bob: User, as_alice: Client, as_bob: Client
) -> None:
    """The player's own links to its desk; and the deck links back to the table."""
    campaign = _campaign(alice, "core", ROLAND, DAISY)
    deck = deck_services.create_deck(
        owner=alice, content=starter_deck(embedded_pool(), ROLAND), now=NOW
    )
    services.link_deck(
        seat=campaign.seats.get(investigator=ROLAND),
        member=organiser_of(campaign),
        deck=deck,
        now=timezone.now(),
    )
    campaign.refresh_from_db()
    a_member(campaign, bob)
    both = {ROLAND: "alive", DAISY: "alive"}
    report(campaign, as_answers(*_in_the_set_up(ROLAND, DAISY), SAVED))
    report(
        campaign, as_answers(*begun("torch", *both), *ended("torch", 1, "R1", **both))
    )
    lita = {
        "type": "string_choices",
        "scenario": "torch",
        "step": "earn_lita_effects_investigator",
        "choices": {},
    }
    count = {"type": "count", "scenario": "torch", "step": "earn_xp", "count": 3}
    report(campaign, as_answers(lita, count))

    desk = f'href="/decks/{deck.pk}/upgrade/"'
    page = as_alice.get(f"/campaigns/{campaign.pk}/").content.decode()
    assert desk in page
    assert "5 experience to spend" in page
    assert "5 experience earned; no deck chosen" in page
    page = as_bob.get(f"/campaigns/{campaign.pk}/").content.decode()
    assert "5 experience to spend" in page
    assert desk not in page
    page = as_alice.get(f"/decks/{deck.pk}/").content.decode()
    assert 'Open the campaign<span class="wide-only">: Friday</span>' in page


def test_a_new_deck_links_back_to_its_seat(alice: User, as_alice: Client) -> None:
    """From its own page and from where it is built, if the seat has no deck."""
    campaign = _campaign(alice, "core", ROLAND)
    seat = campaign.seats.get()
    roland, daisy = (
        deck_services.create_deck(
            owner=alice, content=starter_deck(embedded_pool(), code), now=timezone.now()
        )
        for code in (ROLAND, DAISY)
    )
    for place in ("", "edit"):
        page = as_alice.get(f"/decks/{roland.pk}/{place}").content.decode()
        assert f'action="/campaigns/{campaign.pk}/people/seats/{seat.pk}"' in page
        assert f'name="deck" value="deck:{roland.pk}"' in page
        assert "Choose it for the campaign" in page
        page = as_alice.get(f"/decks/{daisy.pk}/{place}").content.decode()
        assert "Choose it for the campaign" not in page
    seat.kind = Seat.Kind.PAPER
    seat.save()
    page = as_alice.get(f"/decks/{roland.pk}/").content.decode()
    assert "Choose it for the campaign" not in page


def test_the_links_of_a_deck_need_no_guide(alice: User) -> None:
    """One query for all campaigns, once they are in memory."""
    deck = deck_services.create_deck(
        owner=alice, content=starter_deck(embedded_pool(), ROLAND), now=NOW
    )
    names = [_campaign(alice, "core", ROLAND).name for _turn in range(2)]
    assert [each.name for each in links_to_campaigns(deck)] == names
    with CaptureQueriesContext(connection) as asked:
        assert [each.name for each in links_to_campaigns(deck)] == names
    assert sum("campaigns_" in each["sql"] for each in asked) == 1


def test_the_latest_campaign_is_named_first(alice: User) -> None:
    deck = deck_services.create_deck(
        owner=alice, content=starter_deck(embedded_pool(), ROLAND), now=NOW
    )
    first, second = (_campaign(alice, "core", ROLAND) for _turn in range(2))
    Seat.objects.update(deck=deck, kind=Seat.Kind.HERE)
    for latest in (first, second):
        Campaign.objects.filter(pk=latest.pk).update(changed_at=timezone.now())
        found = tables_of_decks([deck.pk])[deck.pk]
        assert found[0].pk == latest.pk


def test_the_guides_words_are_above_its_question(alice: User, as_alice: Client) -> None:
    """Only those since the last answer; the setup of a game has its own page."""
    campaign = _campaign(alice, "core", ROLAND, DAISY)
    both = {ROLAND: "alive", DAISY: "alive"}
    report(campaign, as_answers(*_in_the_set_up(ROLAND, DAISY), SAVED))
    report(campaign, as_answers(*begun("torch", *both)))
    page = _shown(as_alice, campaign)
    assert "Set aside: Ghoul Priest" not in page
    assert "Set up the scenario" in page

    report(campaign, as_answers(*ended("torch", 1, "R1", **both)))
    page = _shown(as_alice, campaign)
    assert page.index("The house burns.") < page.index("Who takes Lita Chantler?")
    assert "1 mental trauma for the lead investigator." not in page


def test_words_before_a_question_of_the_setup_are_shown_with_it(
    alice: User, as_alice: Client
) -> None:
    """Which of the team was drawn, and why: not only on the scenario's page."""
    campaign = _campaign(alice, "eoe", ROLAND, DAISY)
    place = {"scenario": "eoe_prologue"}
    prologue = as_answers(
        {"type": "start_scenario", **place},
        {"type": "choice", "step": "choose_believe", "choice": 0, **place},
        {"type": "start_scenario", "scenario": "ice_and_death"},
    )
    report(campaign, as_answers(*_in_the_set_up(ROLAND, DAISY), SAVED))
    report(campaign, prologue)
    report(campaign, as_answers(*begun("ice_and_death_part_1", ROLAND, DAISY)))

    page = _shown(as_alice, campaign)
    words = ("Read Intro 4.", "draw one at random", "That partner died when the plane")
    places = [page.index(each) for each in (*words, "Which partner did you draw?")]
    assert places == sorted(places)


def test_possible_records_in_play_are_not_folded_away(
    alice: User, as_alice: Client
) -> None:
    """After choosing to record something, its options are the only buttons."""
    campaign = _campaign(alice, "tdc", ROLAND, DAISY)
    report(campaign, as_answers(*_in_the_set_up(ROLAND, DAISY), SAVED))
    report(campaign, as_answers({"type": "start_scenario", "scenario": "tdc_prologue"}))
    report(campaign, as_answers(*begun("one_last_job", ROLAND, DAISY)))
    address, folded = f"/campaigns/{campaign.pk}/", '<details class="in-play'
    assert folded in as_alice.get(address).content.decode()
    asked = {"type": "choice", "step": "$play_scenario", "scenario": "one_last_job"}
    report(campaign, as_answers({**asked, "choice": -1}))

    page = as_alice.get(address).content.decode()
    assert "You discovered an alien language" in page
    assert folded not in page


def test_events_of_the_scenario_are_open_during_play(
    alice: User, as_alice: Client
) -> None:
    """Before they are folded away as spoilers."""
    campaign = _campaign(alice, "tcu", ROLAND, DAISY)
    prologue = "disappearance_at_the_twilight_estate"
    place: Raw = {"scenario": prologue}
    decided = as_answers(
        {"type": "choice", "step": "difficulty_choice", "choice": 1},
        {"type": "start_scenario", **place},
        {"type": "choice", "step": "ask_player_count", "choice": 3, **place},
        {
            "type": "decision",
            "step": "ask_skip_prologue_new",
            "decision": False,
            **place,
        },
    )
    report(campaign, decided)
    event, folded = "Gavriella Mizrah is eliminated", "Record something during play"
    assert f"End the scenario {folded} {event}" in _shown(as_alice, campaign)

    draw = {**place, "do": "d", "seen": 0, "key": "a-draw"}
    as_alice.post(f"/campaigns/{campaign.pk}/scenario/", draw)
    page = _shown(as_alice, campaign)
    assert f"End the scenario In this scenario {event}" in page
    assert f"is eliminated {folded} Record something in the campaign log" in page


def test_the_texts_of_an_interlude_are_shown_as_it_begins(
    alice: User, as_alice: Client
) -> None:
    """Not before; it may ask nothing, and be over at once."""
    campaign = _campaign(alice, "dwl", ROLAND, DAISY)
    report(campaign, as_answers(*_in_the_set_up(ROLAND, DAISY), SAVED))
    page = _shown(as_alice, campaign)
    assert "What comes next Prologue" in page
    assert "Read the prologue" not in page

    report(campaign, as_answers({"type": "start_scenario", "scenario": "dwl_prologue"}))
    assert "Read the prologue in the campaign guide." in _shown(as_alice, campaign)


def test_an_earlier_correction_keeps_the_current_words(
    alice: User, as_alice: Client
) -> None:
    """Not those after the answer that was corrected."""
    campaign = _campaign(alice, "dwl", ROLAND, DAISY)
    set_up = _in_the_set_up(ROLAND, DAISY)
    report(campaign, as_answers(*set_up, SAVED))
    report(campaign, as_answers({"type": "start_scenario", "scenario": "dwl_prologue"}))
    (harder,) = as_answers({**set_up[1], "choice": 2})
    services.correct(
        campaign=campaign,
        member=organiser_of(campaign),
        target=sequence_of(campaign, "difficulty_choice", SETUP),
        given=harder,
        reason="",
        context=write_context(campaign),
    )

    assert "Read the prologue in the campaign guide." in _shown(as_alice, campaign)


def test_hidden_records_of_a_guide_are_never_shown(
    alice: User, as_alice: Client
) -> None:
    """Leads are counted in a section nobody sees; one entry left is asked by name."""
    campaign = _campaign(alice, "boa", ROLAND, DAISY)
    both = {ROLAND: "alive", DAISY: "alive"}
    report(campaign, as_answers(*_in_the_set_up(ROLAND, DAISY), SAVED))
    report(campaign, as_answers(*begun("spreading_flames", *both)))
    lost = {ROLAND: "resigned", DAISY: "resigned"}
    flames = as_answers(*ended("spreading_flames", 0, "no_resolution", **lost))
    report(campaign, flames)
    place = {"scenario": "spreading_flames"}
    report(
        campaign,
        as_answers(
            {"type": "count", "step": "earn_xp_plus_2", "count": 0, **place},
            {"type": "decision", "step": "$upgrade_decks", "decision": True, **place},
            *begun("smoke_and_mirrors", *both),
        ),
    )
    place = {"scenario": "smoke_and_mirrors"}
    codex: Raw = {"type": "choice", "step": "$play_scenario", "choice": 0, **place}
    entry: Raw = {"type": "choice", "step": "codex#1", "choice": 0, **place}
    report(campaign, as_answers(codex, entry))

    page = _shown(as_alice, campaign)
    assert "Place a lead (a resource) on David Renfield." in page
    assert "Hidden" not in page
    assert "David leads" not in page
