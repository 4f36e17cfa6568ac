"""The log page answers why; the timeline shows all, page by page."""

from __future__ import annotations

import csv
import re
from typing import cast

from django.test import Client

from arkham.accounts.models import User
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.state.answers import Asserted, Stated, UltimatumChosen
from campaigns import services
from campaigns.log import store
from campaigns.models import Campaign
from campaigns.pages.paper import sheet_of
from campaigns.pages.timeline import (
    MOST_ENTRIES,
    TimelineItem,
    TimelineSection,
    pages_of,
)
from campaigns.services import WriteContext
from campaigns.views.timeline import desk_of
from tests.campaigns.helpers.tables import (
    as_answers,
    experience,
    later,
    organiser_of,
    report,
    sequence_of,
    write_context,
)
from tests.campaigns.log.helpers import page_of, post_to, state_fact
from tests.house.timing import processor_time
from tests.rules.campaign.helpers.small import DAISY, ROLAND


def test_chapters_of_one_scenario_have_different_names(
    as_alice: Client, played: Campaign
) -> None:
    """An entry about the setup after a game makes a second chapter of it."""
    services.choose_ultimatum(
        campaign=played,
        member=organiser_of(played),
        chosen=UltimatumChosen(SETUP, "dread"),
        context=write_context(played),
    )
    page = page_of(as_alice, played, "timeline/")
    names = re.findall(r'class="time-chapter" aria-label="([^"]+)"', page)
    assert len(names) == len({*names}) == 3


def test_the_timeline_parts_who_wrote_an_entry_from_when(
    as_alice: Client, played: Campaign
) -> None:
    page = page_of(as_alice, played, "timeline/")
    assert '<p class="muted-small">alice · <time ' in page


# --- the sheet


def test_the_sheet_links_achievements_only_if_there_are_any(
    as_alice: Client, played: Campaign
) -> None:
    """The guide of this campaign lists none."""
    assert "/achievements/" not in page_of(as_alice, played, "log/")


def test_strangers_see_no_page_of_the_log(played: Campaign, as_charlie: Client) -> None:
    """Neither the sheet nor the timeline nor any file."""
    for path in (
        "log/",
        "timeline/",
        "timeline/1/",
        "fact/",
        "settings/",
        "experience.csv",
        "campaign.json",
        "begin-again?scenario=one",
    ):
        page_of(as_charlie, played, path, 404)


def test_a_number_is_explained(played: Campaign, as_alice: Client) -> None:
    """Scenario, answer, author and entry are shown in place."""
    page = page_of(as_alice, played, "log/")
    victory = sequence_of(played, "victory")
    assert "<b>+2</b> one" in page  # the victory display
    assert "<b>+1</b> one" in page  # the bonus of the resolution
    assert "“2”" in page
    assert re.search(r'class="label"><svg.*?</svg> Experience earned<', page, re.DOTALL)
    assert f"/timeline/{victory}/" in page
    assert "alice, " in page


def test_a_line_is_explained(played: Campaign, as_alice: Client) -> None:
    """Its step and the answer that led there."""
    page = page_of(as_alice, played, "log/")
    assert "Campaign Notes" in page
    assert "<span>Won</span>" in page


def test_crossed_out_lines_are_struck_through(
    played: Campaign, as_alice: Client
) -> None:
    """As on paper."""
    crossed = do.LogLine("campaign_notes", "won", do.Mark.CROSS_OUT)
    state_fact(played, Stated("one", crossed, (), (), "It was not so"))
    page = page_of(as_alice, played, "log/")
    assert "<s>Won</s>" in page
    assert "crossed out" in page
    assert "(It was not so)" in page


def test_empty_sections_are_named_only_on_request(
    played: Campaign, as_alice: Client
) -> None:
    """They may spoil what comes."""
    page = page_of(as_alice, played, "log/")
    sheet, _mark, rest = page.partition('class="no-print above-4"')
    assert "Doubt" not in sheet
    assert "Doubt" in rest


def test_hidden_sections_stay_hidden(played: Campaign, as_alice: Client) -> None:
    """Guides use them for what is not on paper."""
    state_fact(played, Stated("one", do.LogLine("hidden", "secret"), (), (), "So"))
    assert "Hidden" not in page_of(as_alice, played, "log/")


def test_a_count_is_tallied(played: Campaign, as_alice: Client) -> None:
    """Seven are a bundle of five and two strokes."""
    state_fact(played, Stated("one", do.LogCount("doubt", value=7), (), (), "So"))
    page = page_of(as_alice, played, "log/")
    assert 'class="strokes-5"></i><i class="strokes-2"></i>' in page


def test_a_wrong_assertion_is_reported_at_its_number(
    played: Campaign, as_alice: Client
) -> None:
    """With the entry that asserts it."""
    state_fact(played, Asserted("one", "experience", ROLAND, 11))
    page = page_of(as_alice, played, "log/")
    assert "the table says 11, the log 3" in page
    assert 'href="/rules/statements/"' in page
    assert f'/timeline/{played.last}/">Entry {played.last}' in page


def test_a_correct_assertion_is_silent(played: Campaign, as_alice: Client) -> None:
    state_fact(played, Asserted("one", "experience", ROLAND, 3))
    assert "asserted" not in page_of(as_alice, played, "log/")


def test_charts_come_with_their_numbers(played: Campaign, as_alice: Client) -> None:
    """In a table."""
    page = page_of(as_alice, played, "log/")
    assert "Experience earned" in page
    assert '<th scope="row">1 · one</th><td class="number">3</td>' in page


def test_charts_include_the_campaign_setup(played: Campaign, as_alice: Client) -> None:
    """Its experience is there from the first scenario on."""
    gift = do.EarnExperience("input", bonus=2)
    state_fact(played, Stated(SETUP, gift, (ROLAND,), (), "A gift"))
    page = page_of(as_alice, played, "log/")
    assert '<th scope="row">1 · one</th><td class="number">5</td>' in page


# --- in words


def test_questions_without_words_of_the_guide_are_shown(
    played: Campaign, as_alice: Client
) -> None:
    """The guide of this table is bare: how a scenario ended still has words."""
    page = page_of(as_alice, played, "timeline/")

    assert "How did it end for each investigator?" in page
    assert "investigator status" not in page


# --- the timeline


def test_undone_entries_are_struck_through(played: Campaign, as_alice: Client) -> None:
    """With the entry that undid them."""
    target = sequence_of(played, "victory")
    services.retract(
        campaign=played,
        member=organiser_of(played),
        target=target,
        context=WriteContext(played.last, later(50)),
    )
    page = page_of(as_alice, played, "timeline/")
    assert "<s>2</s>" in page
    assert f"Undone by entry {played.last}." in page


def test_a_correction_is_shown_with_its_reason(
    played: Campaign, as_alice: Client
) -> None:
    """Both answers are there, the first struck through."""
    target = sequence_of(played, "victory")
    fields = {"total": "5", "reason": "Forgot Dunwich"}
    post_to(as_alice, played, f"timeline/{target}/", **fields, confirm="yes")
    page = page_of(as_alice, played, "timeline/")
    assert "<s>2</s>" in page
    assert "Forgot Dunwich" in page
    assert experience(Campaign.objects.get(), ROLAND) == 6


def test_a_correction_follows_the_entry_it_corrects(
    played: Campaign, as_alice: Client
) -> None:
    """It opens no second section with the name of that scenario."""
    report(played, as_answers({"type": "start_scenario", "scenario": "two"}))
    target = sequence_of(played, "victory")
    fields = {"total": "5", "reason": "So", "confirm": "yes"}
    post_to(as_alice, played, f"timeline/{target}/", **fields)
    page = page_of(as_alice, played, "timeline/")
    assert page.count('class="time-chapter"') == 3
    order = [int(each) for each in re.findall(r'/timeline/(\d+)/"', page)]
    # The reason is an entry of its own, the answer the one after it.
    corrected, new, last = (
        order.index(each) for each in (target, played.last + 2, played.last)
    )
    assert corrected < new < last


def test_a_missed_scenario_is_shown(played: Campaign, as_alice: Client) -> None:
    """For everyone who ever played."""
    report(
        played,
        as_answers(
            {"type": "start_scenario", "scenario": "two"},
            {"type": "string_choices", "step": "$choose_investigators",
             "scenario": "two", "choices": {DAISY: ["chosen"]}},
        ),
    )  # fmt: skip
    assert "Missed by Roland Banks." in page_of(as_alice, played, "timeline/")


# --- the ledger


def test_every_point_of_experience_has_its_source(
    played: Campaign, as_alice: Client
) -> None:
    """One row a change, with a running total."""
    text = page_of(as_alice, played, "experience.csv")
    rows = list(csv.DictReader(text.splitlines()))
    found = [(r["name"], r["amount"], r["total"], r["source"]) for r in rows]
    assert found == [
        ("Roland Banks", "2", "2", "victory"),
        ("Roland Banks", "1", "3", "bonus"),
        ("Daisy Walker", "2", "2", "victory"),
        ("Daisy Walker", "1", "3", "bonus"),
    ]
    assert rows[0]["entry"] == str(sequence_of(played, "victory"))


def test_a_formula_is_exported_as_text(played: Campaign, as_alice: Client) -> None:
    """No spreadsheet runs what a player wrote."""
    words = do.EarnExperience("input", bonus=1)
    User.objects.filter(username="alice").update(username="=1+1")
    state_fact(played, Stated("one", words, (ROLAND,), (), "So"))
    assert ",'=1+1," in page_of(as_alice, played, "experience.csv")


# --- long logs


def fill_log(campaign: Campaign, effect: do.Effect, entries: int) -> None:
    """Add so many statements to the end of a log."""
    facts = [
        Stated("one", effect, (f"Line {number}",), (), "So")
        for number in range(entries)
    ]
    store.append(campaign, facts, after=campaign.last, author=None, now=later(60))


def test_a_long_section_is_paginated(played: Campaign, as_alice: Client) -> None:
    """A hundred lines per page; the investigators are on each."""
    fill_log(played, do.LogText("campaign_notes"), 250)

    first, second = (page_of(as_alice, played, f"log/?page={n}") for n in (1, 2))

    assert "<span>Line 0</span>" in first
    assert "<span>Line 150</span>" not in first
    assert "<span>Line 150</span>" in second
    assert "<span>Line 0</span>" not in second
    assert "1 / 3" in first
    assert "2 / 3" in second
    assert "Line 249" in page_of(as_alice, played, "log/?page=999")


def test_a_long_chapter_of_the_timeline_is_paginated(
    played: Campaign, as_alice: Client
) -> None:
    """Every entry is on one page; the newest are shown first."""
    fill_log(played, do.LogText("campaign_notes"), 2 * MOST_ENTRIES + 5)

    pages = [page_of(as_alice, played, f"timeline/?page={n}") for n in (1, 2, 3)]

    told = [re.findall(r"Line (\d+)\b", page) for page in pages]
    assert max(map(len, told)) <= MOST_ENTRIES
    assert [int(line) for lines in told for line in lines] == [
        *range(2 * MOST_ENTRIES + 5)
    ]
    assert page_of(as_alice, played, "timeline/") == pages[2]


def test_short_chapters_stay_whole() -> None:
    """If one doesn't fit on the rest of a page the next page begins."""

    def chapter(name: str, length: int) -> TimelineSection:
        return TimelineSection(
            name, name, (), (), (cast("TimelineItem", None),) * length
        )

    half = MOST_ENTRIES // 2 + 1
    found = pages_of([chapter("a", half), chapter("b", half), chapter("c", 400)])

    assert [[(each.name, len(each.items)) for each in page] for page in found] == [
        [("a", half)],
        [("b", half), ("c", MOST_ENTRIES - half)],
        [("c", 400 - MOST_ENTRIES + half)],
    ]
    assert pages_of([]) == [[]]


def test_a_short_log_has_no_pages(played: Campaign, as_alice: Client) -> None:
    assert 'class="paging' not in page_of(as_alice, played, "log/")
    assert 'class="paging' not in page_of(as_alice, played, "timeline/")


def test_a_number_shows_its_latest_changes(played: Campaign, as_alice: Client) -> None:
    """And links to the earlier ones."""
    effect = do.LogCount("doubt", value=1)
    facts = [Stated("one", effect, (), (), f"Change {n}.") for n in range(50)]
    store.append(played, facts, after=played.last, author=None, now=later(60))

    page = page_of(as_alice, played, "log/")

    assert "Change 49." in page
    assert "Change 10." not in page
    assert "20 earlier changes" in page


def test_the_cost_of_a_sheet_grows_linearly_with_its_log(
    played: Campaign, alice: User
) -> None:
    """A log eight times as long doesn't cost 64 times as much."""
    took = []
    for more in (500, 3_500):
        fill_log(played, do.LogText("campaign_notes"), more)
        sitting = organiser_of(played)
        took.append(processor_time(lambda who=sitting: sheet_of(desk_of(who), {}), 0))  # type: ignore[misc]

    assert took[1] < 16 * max(took[0], 0.002)
