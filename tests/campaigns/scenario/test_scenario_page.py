"""The page of a scenario: setup, ticks, counters and text."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.reading.files import Words
from arkham.rules.campaign.reading.own import open_own_guide
from arkham.rules.snapshot import embedded_pool
from campaigns import queries, services
from campaigns.log.replays import replayed
from campaigns.models import Campaign, PlayState, Role
from campaigns.pages.board import board_of
from campaigns.pages.set_up import (
    checklist,
    guide_lines,
    in_force,
    sets_to_gather,
    steps_to_read,
)
from campaigns.play import in_play
from campaigns.play.in_play import Act
from campaigns.services import EntryRefused, Forbidden
from campaigns.templatetags.campaigns import naming_cards_of, pointing_at_cards_of
from campaigns.words.names import CampaignNames
from decks import services as deck_services
from decks.lists.starter import starter_deck
from tests.campaigns.helpers.tables import (
    NOW,
    a_campaign,
    a_member,
    a_row,
    as_answers,
    organiser_of,
    report,
    who,
)
from tests.campaigns.scenario.helpers import (
    LEAD,
    PLAYERS,
    START,
    do_at_table,
    kept_play,
    scenario_page,
)
from tests.decks.edits import apply
from tests.rules.campaign.helpers.games import a_game, won
from tests.rules.campaign.helpers.small import DAISY, ROLAND

CHARISMA, HALLOWED_MIRROR = "02158", "05313"


def test_the_setup_is_listed(as_alice: Client, playing: Campaign) -> None:
    """Sets by the names of the pool, lead, trauma, story cards, the bag."""
    page = scenario_page(as_alice, playing)

    for words in (
        "Lead investigator: Daisy Walker",
        "Ghouls",
        "Striking Fear",
        "Put these 7 tokens into the bag.",
        "Place 1 damage: physical trauma.",
        "Lita Chantler",
    ):
        assert words in page
    assert "Place 1 horror" not in page


def test_the_setup_is_folded_after_the_game(
    as_alice: Client, playing: Campaign
) -> None:
    """The question is one press away, instead of the next line of the setup."""
    assert "0 of " in scenario_page(as_alice, playing)
    ended = [each | {"scenario": "torch"} for each in won("torch")[3:-2]]
    report(playing, as_answers(*ended))

    page = scenario_page(as_alice, playing)
    assert '<details class="setup" id="setup">' in page
    assert "0 of " not in page
    # Trauma and story cards are those after the game.
    assert "Place 1 damage" not in page
    thumb = page.partition('class="thumb"')[2].partition("</div>")[0]
    assert f'href="/campaigns/{playing.pk}/#new"' in thumb
    assert "Reveal" not in thumb


def test_the_end_is_not_the_first_offer_before_the_setup_is_done(
    as_alice: Client, playing: Campaign
) -> None:
    """The table first links to the setup; once the bag is used, to the end."""
    address = f"/campaigns/{playing.pk}/"
    end = '<button class="button main wide-button" name="answer" value="$finish">'
    page = as_alice.get(address).content.decode()
    assert "Set up the scenario" in page
    assert end not in page
    assert "End the scenario" in page

    do_at_table(as_alice, playing, "d")
    page = as_alice.get(address).content.decode()
    assert "Chaos bag, play areas and notes" in page
    assert end in page


def test_symbols_say_what_they_do(as_alice: Client, playing: Campaign) -> None:
    """At this difficulty, with the elder sign of each investigator, the revealed ones
    marked.
    """
    page = scenario_page(as_alice, playing)
    symbols = page.partition('class="symbols-here')[2].partition("</dl>")[0]
    assert "−X: Ghoul enemies here." in symbols
    assert symbols.count("sign-elder-sign") == len((ROLAND, DAISY))
    assert "Roland Banks" in symbols
    assert "(revealed)" not in symbols

    for seen in range(7):
        do_at_table(as_alice, playing, "d", seen)
    assert scenario_page(as_alice, playing).count("(revealed)") == 4


def test_before_the_first_scenario_there_is_none(alice: User, as_alice: Client) -> None:
    """The page says where to go on."""
    assert "No scenario yet" in scenario_page(as_alice, a_campaign(alice))


def test_a_stranger_gets_404(as_charlie: Client, playing: Campaign) -> None:
    """For pages and actions."""
    address = f"/campaigns/{playing.pk}/scenario/"
    assert as_charlie.get(address).status_code == 404
    assert as_charlie.get(f"{address}news").status_code == 404
    assert do_at_table(as_charlie, playing, "d").status_code == 404
    assert as_charlie.post(f"{address}frost", {"after": 1}).status_code == 404


def test_a_tick_is_shared(as_alice: Client, as_bob: Client, playing: Campaign) -> None:
    """It can be removed; others' changes don't make it late."""
    assert do_at_table(as_alice, playing, "tick:set:torch").status_code == 303
    assert do_at_table(as_bob, playing, "tick:bag").status_code == 303

    assert kept_play(playing).ticked == ("set:torch", "bag")
    assert scenario_page(as_bob, playing).count('aria-pressed="true"') == 2
    do_at_table(as_bob, playing, "untick:set:torch")
    assert kept_play(playing).ticked == ("bag",)


def test_concurrent_counts_add_up(
    as_alice: Client, as_bob: Client, playing: Campaign
) -> None:
    """Even if neither saw the other; never below zero; a repeated key counts once."""
    do_at_table(as_alice, playing, "more:Doom")
    do_at_table(as_bob, playing, "more:Doom")
    do_at_table(as_bob, playing, "more:Doom", key="once")
    do_at_table(as_bob, playing, "more:Doom", key="once")
    do_at_table(as_bob, playing, "less:Clues")

    assert kept_play(playing).counters == (("Doom", 3), ("Clues", 0), ("Round", 1))


def test_counters_have_names(as_alice: Client, playing: Campaign) -> None:
    """The table adds its own, up to twelve."""
    do_at_table(as_alice, playing, "add", what="  Ghouls   killed ")
    assert kept_play(playing).counters[-1] == ("Ghouls killed", 0)
    for number in range(8):
        do_at_table(as_alice, playing, "add", what=f"c{number}")
    assert do_at_table(as_alice, playing, "add", what="too many").status_code == 422
    assert len(kept_play(playing).counters) == 12
    do_at_table(as_alice, playing, "drop:c0")
    assert len(kept_play(playing).counters) == 11


@pytest.mark.parametrize("do", ["tq", "rq", "sq", "zz", "ra", "td", "g2", "add2"])
def test_an_impossible_action_is_refused(
    as_alice: Client, playing: Campaign, do: str
) -> None:
    """422; nothing is changed."""
    assert do_at_table(as_alice, playing, do).status_code == 422
    assert not PlayState.objects.exclude(version=0).exists()


@pytest.mark.parametrize("data", [{}, {"do": "d"}, {"do": "d", "seen": "x"}])
def test_an_invalid_form_is_refused(
    as_alice: Client, playing: Campaign, data: Any
) -> None:
    """400."""
    address = f"/campaigns/{playing.pk}/scenario/"
    assert as_alice.post(address, data).status_code == 400


def test_a_scenario_without_investigators_is_not_played(playing: Campaign) -> None:
    with pytest.raises(EntryRefused) as refused:
        services.play(
            campaign=playing,
            member=organiser_of(playing),
            scenario="arkham",
            act=Act("d"),
            now=NOW,
        )
    assert [each.rule for each in refused.value.findings] == ["log.scenario"]


def test_a_spectator_only_reads(
    as_charlie: Client, charlie: User, playing: Campaign
) -> None:
    """A spectator has no buttons, and is refused."""
    a_member(playing, charlie, Role.SPECTATOR)
    assert "Reveal a token" not in scenario_page(as_charlie, playing)
    assert do_at_table(as_charlie, playing, "d").status_code == 403
    with pytest.raises(Forbidden):
        services.play(
            campaign=playing,
            member=playing.memberships.get(user=charlie),
            scenario="torch",
            act=Act("tick", "bag"),
            now=NOW,
        )


def test_concurrent_notes_are_both_shown(
    as_alice: Client, as_bob: Client, playing: Campaign
) -> None:
    """None are overwritten unseen; after seeing both, they can be merged."""
    do_at_table(as_alice, playing, "notes", what="The cellar is open.")
    late = do_at_table(as_bob, playing, "notes", what="Lita is in the parlor.")

    assert late.status_code == 412
    shown = late.content.decode()
    assert "The cellar is open." in shown
    assert "Lita is in the parlor." in shown
    assert kept_play(playing).notes == "The cellar is open."
    do_at_table(as_bob, playing, "notes", seen=1, what="Both.")
    assert (kept_play(playing).notes, kept_play(playing).notes_by) == ("Both.", "bob")


def test_a_phone_polls_for_news(
    as_alice: Client, as_bob: Client, playing: Campaign
) -> None:
    """204 without news; else the address to load."""
    address = f"/campaigns/{playing.pk}/scenario/news"
    mark = queries.mark_at(playing)
    quiet = as_alice.get(f"{address}?mark={mark}")
    do_at_table(as_bob, playing, "tick:bag")
    new = as_alice.get(f"{address}?mark={mark}")

    assert (quiet.status_code, new.status_code) == (204, 200)
    assert 'hx-target="#scenario"' in new.content.decode()


def test_the_state_survives_a_round_trip() -> None:
    """As JSON."""
    content = in_play.begun({"0": 1}, "seed")
    for act in (Act("d"), Act("more", "Doom"), Act("tick", "bag", key="k")):
        content = in_play.done(content, act, by="a", version=1, bag={})
    assert in_play.read(content.as_data()) == content


def test_later_parts_are_revealed_on_request(
    as_alice: Client, as_bob: Client, playing: Campaign
) -> None:
    """To that reader only; and hidden again."""
    later_ = f"/campaigns/{playing.pk}/later"
    assert ">arkham<" not in scenario_page(as_alice, playing)
    back = f"/campaigns/{playing.pk}/scenario/"
    shown = as_alice.post(later_, {"show": "yes", "back": back})

    assert shown["Location"] == back
    assert ">arkham<" in scenario_page(as_alice, playing)
    assert ">arkham<" in as_alice.get(f"/campaigns/{playing.pk}/").content.decode()
    assert ">arkham<" not in scenario_page(as_bob, playing)
    as_alice.post(later_, {"show": "no", "back": "https://evil.example/"})
    assert ">arkham<" not in scenario_page(as_alice, playing)


def test_helpers_are_prefilled(as_alice: Client, playing: Campaign) -> None:
    """The elimination with the lead, the skill test with the bag."""
    page = scenario_page(as_alice, playing)
    assert f"/campaigns/{playing.pk}/scenario/area/{DAISY}/" in page
    assert f"/table/elimination/?investigator={DAISY}&amp;lead=yes" in page
    assert f"/table/test/?investigator={DAISY}&amp;n_0=1&amp;n_-1=1" in page


# --- what each deck and the table bring


def test_the_setup_includes_each_decks_cards(alice: User, campaign: Campaign) -> None:
    """Permanents in play, bonded cards set aside, by investigator."""
    deck = campaign.seats.get(investigator=ROLAND).deck
    assert deck is not None
    pool = embedded_pool()
    changes = [("add", CHARISMA), ("add", HALLOWED_MIRROR)]
    revision = deck.revisions.get(number=deck.revision)
    deck_services.revise_deck(
        deck=deck,
        content=apply(revision.content, changes, pool),
        expected_revision=deck.revision,
        now=NOW,
    )
    report(campaign, as_answers(START, PLAYERS, LEAD))
    parts = checklist(board_of(organiser_of(campaign)), "torch")
    lines = {
        line.says: line.note
        for part in parts
        if part.title == "Roland Banks"
        for line in part.lines
    }

    assert lines["Charisma"] == "begins in play"
    assert lines["3 × Soothing Melody"] == "set aside, from Hallowed Mirror"
    assert lines["Place 1 damage: physical trauma."] == ""
    assert lines["Lita Chantler"] == "story card"


def test_the_setup_includes_keys_and_weaknesses(playing: Campaign) -> None:
    """With their bearers; a weakness isn't called a story card."""
    board = board_of(organiser_of(playing))
    state = board.known.replay.state
    held, person = state.map, state.people[ROLAND]
    story, keys = person.story, (("eye_of_ravens", ROLAND, ""), ("gem", "", "09536"))
    try:
        state.map, person.story = held._replace(keys=keys), ("01097",)
        parts = checklist(board, "torch")
    finally:
        state.map, person.story = held, story
    (own,) = (part.lines for part in parts if part.title == "Roland Banks")
    lines = {line.says: line.note for line in own}

    assert lines["The Eye of Ravens"] == "key"
    assert lines["Paranoia"] == "weakness"
    assert "gem" not in str(lines)


def test_a_setup_without_a_game_has_neither_bag_nor_trauma(playing: Campaign) -> None:
    """A scenario has; a setup of the campaign, as an interlude, does not."""
    board = board_of(organiser_of(playing))
    asked = {"Chaos bag", "Daisy Walker", "Roland Banks"}
    assert asked & {part.title for part in checklist(board, "torch")}
    assert not asked & {part.title for part in checklist(board, SETUP)}


def test_ultimatums_are_shown_where_they_matter(playing: Campaign) -> None:
    """At the setup those that change it, in play the others; only those in force."""
    board = board_of(organiser_of(playing))
    board.known.replay.state.ultimatums.update({"dread": "", "agony": ""})
    try:
        setting_up = [
            line.says
            for part in checklist(board, "torch")
            if part.title == "Ultimatums and boons"
            for line in part.lines
        ]
        assert setting_up == ["Ultimatum of Dread"]
        sworn = [line.says for line in in_force(board, "torch")]
        assert sworn == ["Ultimatum of Agony"]
    finally:
        board.known.replay.state.ultimatums.clear()


def a_branch(step: str, is_logged: bool) -> dict[str, Any]:
    """A step with words that applies if a line is logged, or isn't."""
    earned = {"type": "earn_xp", "investigator": "all", "bonus": 1}
    option = {"boolCondition": is_logged, "effects": [earned]}
    notes = {"section": "campaign_notes", "id": "ghoul"}
    condition = {"type": "campaign_log", **notes, "options": [option]}
    return {"id": step, "type": "branch", "text": "If so:", "condition": condition}


def test_the_guide_is_shown_as_far_as_the_table_is(alice: User) -> None:
    """Its steps up to the next question, by the branch of the log; no further."""
    steps: list[dict[str, Any]] = [
        {"id": "before", "text": "Before."},
        {
            "id": "asked",
            "type": "input",
            "input": {
                "type": "choose_one",
                "choices": [
                    {"id": "a", "text": "A", "steps": ["by_a"]},
                    {"id": "b", "text": "B", "steps": ["by_b"]},
                ],
            },
        },
        a_branch("unlogged", False),
        a_branch("logged", True),
        {"id": "after", "text": "After."},
    ]
    game = a_game("one", *steps)
    game["steps"] += [{"id": each, "text": "So."} for each in ("by_a", "by_b")]
    campaign = a_campaign(alice, ROLAND, guide=a_row(game))
    report(campaign, as_answers(who(ROLAND)))
    assert steps_to_read(campaign, replayed(campaign).replay, "one") == []
    begun = {"type": "start_scenario", "scenario": "one"}
    chosen = {**PLAYERS, "scenario": "one", "choices": {ROLAND: ["chosen"]}}
    report(campaign, as_answers(begun, chosen))
    replay = replayed(campaign).replay
    assert replay.pending is not None
    assert replay.pending.step == "asked"
    assert steps_to_read(campaign, replay, "one") == ["before"]
    answer = {"type": "choice", "step": "asked", "scenario": "one", "choice": 0}
    report(campaign, as_answers(answer))
    assert steps_to_read(campaign, replayed(campaign).replay, "one") == [
        "before",
        "by_a",
        "unlogged",
        "after",
    ]


def test_the_page_takes_few_queries(
    as_alice: Client, playing: Campaign, django_assert_max_num_queries: Any
) -> None:
    """However many lines there are."""
    scenario_page(as_alice, playing)
    with django_assert_max_num_queries(15):
        scenario_page(as_alice, playing)


def test_the_sets_to_gather_are_those_of_the_steps_reached() -> None:
    """Naomi’s Crew follows to Dunwich, or not; facts alone list every possible set."""
    own = open_own_guide("dwl")
    names = CampaignNames(embedded_pool(), own.guide, own.words)
    bare = CampaignNames(embedded_pool(), own.guide, Words({}))
    altar = "blood_on_the_altar"
    told = ["prologue", "gather_encounter_sets"]
    usual = [
        "Blood on the Altar", "Dunwich", "Whippoorwills", "Nightgaunts",
        "Ancient Evils",
    ]  # fmt: skip

    def gathered(names: CampaignNames, *steps: str) -> list[str]:
        return [str(each.says) for each in sets_to_gather(names, altar, steps)]

    assert gathered(names, *told) == usual
    assert gathered(names, *told, "gather_naomis_crew") == [*usual, "Naomi's Crew"]
    assert gathered(bare, *told) == [*usual, "Naomi's Crew"]


def test_locations_are_drawn_at_their_places() -> None:
    """Row by row, with gaps; on a map of half columns each takes two."""
    own = open_own_guide("rtdwl")
    names = CampaignNames(embedded_pool(), own.guide, own.words)

    def rows(scenario: str) -> list[list[tuple[str, int]]]:
        lines = guide_lines(names, scenario, ["setup_locations"])
        return [
            [(cell.name, cell.columns) for cell in row]
            for line in lines
            for row in line.map
        ]

    assert rows("return_to_extracurricular_activity")[1] == [
        ("Humanities Building", 1),
        ("Student Union", 1),
        ("Administration Building", 1),
    ]
    assert rows("return_to_the_house_always_wins") == [
        [("", 1), ("", 1), ("", 1), ("Clover Club Cardroom", 2), ("", 1)],
        [("La Bella Luna", 2), ("Clover Club Lounge", 2), ("Clover Club Bar", 2)],
    ]


def test_a_guide_names_cards_of_its_own_campaign(campaign: Campaign) -> None:
    """Even where an earlier campaign has one of the same name."""
    campaign.guide.guide_id = "tcu"
    assert "/cards/05071/" in naming_cards_of("Entry Hall", campaign)
    assert "/cards/05071/" in pointing_at_cards_of("Entry Hall", campaign)
    campaign.guide.guide_id = "unknown"
    assert "/cards/03127/" in naming_cards_of("Entry Hall", campaign)


def test_a_linked_deck_takes_games_back_at_its_table(
    as_alice: Client, alice: User
) -> None:
    """Its own page says so; the campaign records its games."""
    content = starter_deck(embedded_pool(), ROLAND)
    deck = deck_services.create_deck(owner=alice, content=content, now=NOW)
    campaign = a_campaign(alice, DAISY)
    services.add_seat(
        campaign=campaign,
        member=organiser_of(campaign),
        sitting=services.Sitting(ROLAND, deck=deck),
        now=NOW,
    )
    deck_services.mark_played(
        deck=deck, game=deck_services.PlayedGame(), expected_revision=1, now=NOW
    )
    refused = as_alice.get(f"/decks/{deck.pk}/played/take-back")
    assert refused.status_code == 409
    assert "undo the scenario there" in refused.content.decode()
