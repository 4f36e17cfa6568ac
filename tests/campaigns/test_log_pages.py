"""The log page answers why; the timeline shows all; what is wrong is put right."""

from __future__ import annotations

import csv
import re
from typing import Any, cast

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.state.answers import Answer, Asserted, Stated, Sworn
from campaigns import services
from campaigns.log import store
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Role
from campaigns.pages.paper import sheet_of
from campaigns.pages.timeline import (
    MOST_ENTRIES,
    TimelineItem,
    TimelineSection,
    pages_of,
)
from campaigns.services import WriteContext
from campaigns.views.timeline import desk_of
from tests.campaigns.tables import (
    a_campaign,
    a_member,
    experience,
    later,
    organiser_of,
    report,
    sequence_of,
    told,
    who,
    write_context,
)
from tests.house.timing import processor_time
from tests.rules.campaign.helpers.games import won
from tests.rules.campaign.small import DAISY, ROLAND


@pytest.fixture
def played(alice: User) -> Campaign:
    """The first scenario was won with two victory points: 3 experience each."""
    campaign = a_campaign(alice, ROLAND, DAISY)
    report(campaign, told(who(ROLAND, DAISY), *won("one")))
    return campaign


def _page(client: Client, campaign: Campaign, path: str, status: int = 200) -> str:
    answer = client.get(f"/campaigns/{campaign.pk}/{path}")
    assert answer.status_code == status
    return str(answer.content.decode())


def _post(client: Client, campaign: Campaign, path: str, **fields: Any) -> Any:
    sent = {"after": campaign.last, "key": "one", **fields}
    return client.post(f"/campaigns/{campaign.pk}/{path}", sent)


def _state(campaign: Campaign, fact: Stated | Asserted) -> None:
    services.state_fact(
        campaign=campaign,
        member=organiser_of(campaign),
        fact=fact,
        sight=WriteContext(campaign.last, later(campaign.last)),
    )


# --- the sheet


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
        _page(as_charlie, played, path, 404)


def test_a_number_says_where_it_comes_from(played: Campaign, as_alice: Client) -> None:
    """Scenario, answer, author and entry stand in place."""
    page = _page(as_alice, played, "log/")
    victory = sequence_of(played, "victory")
    assert "<b>+2</b> one" in page  # the victory display
    assert "<b>+1</b> one" in page  # the bonus of the resolution
    assert "“2”" in page
    assert f"/timeline/{victory}/" in page
    assert "alice, " in page


def test_a_line_says_where_it_comes_from(played: Campaign, as_alice: Client) -> None:
    """Its step and the answer that led there."""
    page = _page(as_alice, played, "log/")
    assert "Campaign Notes" in page
    assert "<span>Won</span>" in page


def test_crossed_out_lines_are_struck_through(
    played: Campaign, as_alice: Client
) -> None:
    """As on paper."""
    crossed = do.LogLine("campaign_notes", "won", do.Mark.CROSS_OUT)
    _state(played, Stated("one", crossed, (), (), "It was not so"))
    page = _page(as_alice, played, "log/")
    assert "<s>Won</s>" in page
    assert "crossed out" in page
    assert "(It was not so)" in page


def test_empty_sections_are_named_only_when_asked_for(
    played: Campaign, as_alice: Client
) -> None:
    """What is not written yet may tell what comes."""
    page = _page(as_alice, played, "log/")
    sheet, _mark, rest = page.partition('class="no-print above-4"')
    assert "Doubt" not in sheet
    assert "Doubt" in rest


def test_hidden_sections_stay_hidden(played: Campaign, as_alice: Client) -> None:
    """A guide keeps what nobody writes on paper."""
    _state(played, Stated("one", do.LogLine("hidden", "secret"), (), (), "So"))
    assert "Hidden" not in _page(as_alice, played, "log/")


def test_a_count_is_tallied(played: Campaign, as_alice: Client) -> None:
    """Seven are a bundle of five and two strokes."""
    _state(played, Stated("one", do.LogCount("doubt", value=7), (), (), "So"))
    page = _page(as_alice, played, "log/")
    assert 'class="strokes-5"></i><i class="strokes-2"></i>' in page


def test_an_assertion_that_is_not_so_is_told_at_its_number(
    played: Campaign, as_alice: Client
) -> None:
    """With the entry that asserts it."""
    _state(played, Asserted("one", "experience", ROLAND, 11))
    page = _page(as_alice, played, "log/")
    assert "asserted 11, found 3" in page
    assert 'href="/rules/statements/"' in page
    assert f'/timeline/{played.last}/">Entry {played.last}' in page


def test_an_assertion_that_is_so_says_nothing(
    played: Campaign, as_alice: Client
) -> None:
    """Silence is agreement."""
    _state(played, Asserted("one", "experience", ROLAND, 3))
    assert "asserted" not in _page(as_alice, played, "log/")


def test_charts_come_with_their_numbers(played: Campaign, as_alice: Client) -> None:
    """A table says the same."""
    page = _page(as_alice, played, "log/")
    assert "Experience earned" in page
    assert '<th scope="row">2 · one</th><td class="number">3</td>' in page


# --- in words


def test_what_no_guide_has_words_for_is_told(
    played: Campaign, as_alice: Client
) -> None:
    """How it ended is asked in every scenario, and the guide of this table is bare."""
    page = _page(as_alice, played, "timeline/")

    assert "How did it end for each?" in page
    assert "investigator status" not in page


# --- the timeline


def test_what_was_taken_back_stays_struck_through(
    played: Campaign, as_alice: Client
) -> None:
    """With the entry that took it back."""
    target = sequence_of(played, "victory")
    services.retract(
        campaign=played,
        member=organiser_of(played),
        target=target,
        sight=WriteContext(played.last, later(50)),
    )
    page = _page(as_alice, played, "timeline/")
    assert "<s>2</s>" in page
    assert f"Taken back by entry {played.last}." in page


def test_a_correction_is_told_with_its_reason(
    played: Campaign, as_alice: Client
) -> None:
    """Both stand there, the first one struck through."""
    target = sequence_of(played, "victory")
    fields = {"total": "5", "reason": "Forgot Dunwich"}
    _post(as_alice, played, f"timeline/{target}/", **fields, confirm="yes")
    page = _page(as_alice, played, "timeline/")
    assert "<s>2</s>" in page
    assert "Forgot Dunwich" in page
    assert experience(Campaign.objects.get(), ROLAND) == 6


def test_who_missed_a_scenario_is_told(played: Campaign, as_alice: Client) -> None:
    """Of all who ever played."""
    report(
        played,
        told(
            {"type": "start_scenario", "scenario": "two"},
            {"type": "string_choices", "step": "$choose_investigators",
             "scenario": "two", "choices": {DAISY: ["chosen"]}},
        ),
    )  # fmt: skip
    assert "Missed by Roland Banks." in _page(as_alice, played, "timeline/")


def test_a_correction_is_shown_before_it_is_written(
    played: Campaign, as_alice: Client
) -> None:
    """What would change, and how many answers hold."""
    target = sequence_of(played, "victory")
    answer = _post(as_alice, played, f"timeline/{target}/", total="5", reason="So")
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "+3 experience" in page
    assert "hold as they are" in page
    words = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert "Until now 2 New answer 5" in words
    assert "Answers that will be dropped" not in page
    assert Campaign.objects.get().last == played.last


def test_a_correction_begins_with_what_was_answered(
    played: Campaign, as_alice: Client
) -> None:
    """The form is that of the question as it was asked then."""
    target = sequence_of(played, "victory")
    page = _page(as_alice, played, f"timeline/{target}/")
    assert 'name="total" value="2"' in page


def test_another_resolution_makes_answers_unreachable(
    played: Campaign, as_alice: Client
) -> None:
    """They are named before it is confirmed."""
    target = sequence_of(played, "$choose_resolution")
    answer = _post(
        as_alice, played, f"timeline/{target}/", answer="no_resolution", reason="So"
    )
    assert "Answers that will be dropped" in answer.content.decode()


def test_an_answer_given_to_another_resolution_is_counted_as_given_again(
    played: Campaign, as_alice: Client
) -> None:
    """Who survived is asked again; neither that nor the corrected answer is dropped."""
    target = sequence_of(played, "$choose_resolution")
    known = replayed(played)
    old = next(each for each in known.entries if each.sequence == target)
    assert isinstance(old, Answer)
    other = old._replace(value=0 if old.value else 1, choice="", sequence=0)
    preview = services.preview_correction(campaign=played, target=target, given=other)
    survivors = [
        each.sequence
        for each in known.replay.used
        if isinstance(each, Answer) and each.step.endswith("*investigator_status")
    ]
    assert target not in preview.unreached
    assert list(preview.again) == survivors[:1]


def test_taking_back_is_shown_before_it_is_done(
    played: Campaign, as_alice: Client
) -> None:
    """And then done."""
    target = sequence_of(played, "victory")
    path = f"timeline/{target}/"
    shown = _post(as_alice, played, path, do="take-back")
    assert "−3 experience" in shown.content.decode()
    assert Campaign.objects.get().last == played.last
    _post(as_alice, played, path, do="take-back", confirm="yes")
    assert experience(Campaign.objects.get(), ROLAND) == 0


def test_a_stale_page_writes_nothing(played: Campaign, as_alice: Client) -> None:
    """What was written since is told."""
    path = f"timeline/{sequence_of(played, 'victory')}/"
    answer = _post(
        as_alice, played, path, do="take-back", confirm="yes", after=played.last - 1
    )
    assert answer.status_code == 409
    assert Campaign.objects.get().last == played.last


def test_a_player_takes_back_nothing_of_others(
    played: Campaign, bob: User, as_bob: Client
) -> None:
    """The page says so."""
    a_member(played, bob)
    path = f"timeline/{sequence_of(played, 'victory')}/"
    answer = _post(as_bob, played, path, do="take-back", confirm="yes")
    assert answer.status_code == 403
    assert "does not allow" in answer.content.decode()


def test_there_is_no_entry_beyond_the_end(played: Campaign, as_alice: Client) -> None:
    """404, not a guess."""
    _page(as_alice, played, f"timeline/{played.last + 1}/", 404)


def test_returning_to_the_start_asks_first(played: Campaign, as_alice: Client) -> None:
    """Then everything since is taken back."""
    page = _page(as_alice, played, "begin-again?scenario=one")
    assert "Return to the start of “one”?" in page
    answer = _post(as_alice, played, "begin-again", scenario="one")
    assert answer.status_code == 303
    assert experience(Campaign.objects.get(), ROLAND) == 0


def test_a_scenario_that_was_not_begun_has_no_start(
    played: Campaign, as_alice: Client
) -> None:
    """404."""
    _page(as_alice, played, "begin-again?scenario=nowhere", 404)


# --- facts


def test_experience_is_put_right_by_hand(played: Campaign, as_alice: Client) -> None:
    """With a reason that stays."""
    answer = _post(
        as_alice, played, "fact/", kind="person", scenario="one", who=ROLAND,
        what="experience", amount="-1", reason="Spent it",
    )  # fmt: skip
    assert answer.status_code == 303
    assert experience(Campaign.objects.get(), ROLAND) == 2
    assert "Spent it" in _page(as_alice, played, "timeline/")


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"kind": "person", "who": ROLAND, "what": "mental", "amount": "0"}, "Nothing"),
        ({"kind": "person", "who": "nobody", "what": "mental", "amount": "1"}, "valid"),
        ({"kind": "tokens", "token": "skull", "way": "1", "count": "11"}, "less than"),
        ({"kind": "words", "section": "hidden", "words": "x"}, "valid"),
    ],
)
def test_what_cannot_be_stated_is_refused(
    played: Campaign, as_alice: Client, fields: dict[str, str], wrong: str
) -> None:
    """The form says what is wrong; nothing is written."""
    answer = _post(as_alice, played, "fact/", scenario="one", reason="So", **fields)
    assert answer.status_code == 422
    assert wrong in answer.content.decode()
    assert Campaign.objects.get().last == played.last


def test_trauma_of_what_is_sworn_to_is_told(played: Campaign, as_alice: Client) -> None:
    """Of a boon that is not in force it is neither offered nor taken."""
    told = {
        "kind": "person", "scenario": "one", "who": ROLAND, "what": "mental",
        "amount": "1", "source": "osiris", "reason": "Nearly defeated",
    }  # fmt: skip
    assert "Osiris" not in _page(as_alice, played, "fact/")
    assert _post(as_alice, played, "fact/", **told).status_code == 422

    services.choose_ultimatum(
        campaign=played,
        member=organiser_of(played),
        oath=Sworn(SETUP, "osiris"),
        sight=write_context(played),
    )
    assert "Boon of Osiris" in _page(as_alice, played, "fact/")
    assert _send(as_alice, played, told | {"what": "experience"}) == 422
    assert _send(as_alice, played, told) == 303
    assert "1 mental trauma (Boon of Osiris)" in _page(as_alice, played, "timeline/")
    assert _send(as_alice, played, told) == 422  # once in a game
    person = replayed(Campaign.objects.get()).replay.state.people[ROLAND]
    assert (person.physical, person.mental) == (None, 1)


def test_a_table_with_nobody_left_states_that_it_has_lost(
    played: Campaign, as_alice: Client
) -> None:
    """TRA-10: offered once somebody has to be replaced."""
    title = "Nobody is left: the campaign is lost"
    assert title not in _page(as_alice, played, "fact/")

    killed = do.Trauma("input", killed=True)
    _state(played, Stated("one", killed, (ROLAND,), reason="So it was."))
    assert title in _page(as_alice, played, "fact/")
    lost = {"kind": "result", "scenario": "one", "reason": "We have nobody else"}
    assert _send(as_alice, played, lost) == 303
    assert replayed(Campaign.objects.get()).replay.state.campaign_result == "lose"
    assert "The campaign is lost" in _page(as_alice, played, "timeline/")
    assert title not in _page(as_alice, played, "fact/")


def _send(client: Client, campaign: Campaign, fields: dict[str, str]) -> int:
    """A fact, each time as somebody who has seen all that came before."""
    campaign.refresh_from_db()
    key = f"k{campaign.last}{fields.get('what')}"
    status: int = _post(client, campaign, "fact/", key=key, **fields).status_code
    return status


@pytest.mark.parametrize(
    ("way", "said"),
    [
        ("-1", "Written in the log, but it changed nothing."),
        ("1", "Written in the log."),
    ],
)
def test_a_fact_that_changes_nothing_says_so(
    played: Campaign, as_alice: Client, way: str, said: str
) -> None:
    """There is no skull that could leave the bag."""
    fields = {"kind": "tokens", "scenario": "one", "way": way, "reason": "So"}
    answer = _post(as_alice, played, "fact/", **fields, token="skull", count="1")
    page = as_alice.get(answer["Location"])

    assert [str(each) for each in page.context["messages"]] == [said]


def test_a_fact_without_a_reason_is_refused(played: Campaign, as_alice: Client) -> None:
    """A correction has a reason."""
    answer = _post(
        as_alice, played, "fact/", kind="words", scenario="one",
        section="campaign_notes", words="We were late",
    )  # fmt: skip
    assert answer.status_code == 422


def test_an_eleventh_bless_token_is_refused(played: Campaign, as_alice: Client) -> None:
    """By the rules of the bag."""
    fields = {"kind": "tokens", "scenario": "one", "way": "1", "reason": "So"}
    _post(as_alice, played, "fact/", **fields, token="bless", count="10")
    campaign = Campaign.objects.get()
    answer = _post(
        as_alice, campaign, "fact/", **fields, token="bless", count="1", key="two"
    )
    assert answer.status_code == 422
    assert "This cannot be so." in answer.content.decode()


def test_a_spectator_states_nothing(
    played: Campaign, bob: User, as_bob: Client
) -> None:
    """They read."""
    a_member(played, bob, Role.SPECTATOR)
    answer = _post(
        as_bob, played, "fact/", kind="assert", scenario="one",
        about=f"experience {ROLAND}", value="3",
    )  # fmt: skip
    assert answer.status_code == 403


# --- the ledger


def test_every_point_of_experience_has_its_source(
    played: Campaign, as_alice: Client
) -> None:
    """One row a change, with a running total."""
    text = _page(as_alice, played, "experience.csv")
    rows = list(csv.DictReader(text.splitlines()))
    found = [(r["name"], r["amount"], r["total"], r["source"]) for r in rows]
    assert found == [
        ("Roland Banks", "2", "2", "victory"),
        ("Roland Banks", "1", "3", "bonus"),
        ("Daisy Walker", "2", "2", "victory"),
        ("Daisy Walker", "1", "3", "bonus"),
    ]
    assert rows[0]["entry"] == str(sequence_of(played, "victory"))


def test_a_formula_stays_a_text(played: Campaign, as_alice: Client) -> None:
    """No program of tables runs what a player wrote."""
    words = do.EarnExperience("input", bonus=1)
    User.objects.filter(username="alice").update(username="=1+1")
    _state(played, Stated("one", words, (ROLAND,), (), "So"))
    assert ",'=1+1," in _page(as_alice, played, "experience.csv")


# --- long logs


def _fill(campaign: Campaign, effect: do.Effect, entries: int) -> None:
    """So many statements of the table at the end of a log."""
    facts = [
        Stated("one", effect, (f"Line {number}",), (), "So")
        for number in range(entries)
    ]
    store.append(campaign, facts, after=campaign.last, author=None, now=later(60))


def test_a_long_section_is_paged(played: Campaign, as_alice: Client) -> None:
    """A hundred lines to a page; who plays stands on each."""
    _fill(played, do.LogText("campaign_notes"), 250)

    first, second = (_page(as_alice, played, f"log/?page={n}") for n in (1, 2))

    assert "<span>Line 0</span>" in first
    assert "<span>Line 150</span>" not in first
    assert "<span>Line 150</span>" in second
    assert "<span>Line 0</span>" not in second
    assert "1 / 3" in first
    assert "2 / 3" in second
    assert "Line 249" in _page(as_alice, played, "log/?page=999")


def test_a_long_chapter_of_the_timeline_is_paged(
    played: Campaign, as_alice: Client
) -> None:
    """Every entry stands on one page; the newest are shown first."""
    _fill(played, do.LogText("campaign_notes"), 2 * MOST_ENTRIES + 5)

    pages = [_page(as_alice, played, f"timeline/?page={n}") for n in (1, 2, 3)]

    told = [re.findall(r"Line (\d+)\b", page) for page in pages]
    assert max(map(len, told)) <= MOST_ENTRIES
    assert [int(line) for lines in told for line in lines] == [
        *range(2 * MOST_ENTRIES + 5)
    ]
    assert _page(as_alice, played, "timeline/") == pages[2]


def test_short_chapters_stay_whole() -> None:
    """Where one would not fit on what is left of a page the next one begins."""

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
    """Nothing to leaf through."""
    assert 'class="paging' not in _page(as_alice, played, "log/")
    assert 'class="paging' not in _page(as_alice, played, "timeline/")


def test_a_number_shows_its_latest_changes(played: Campaign, as_alice: Client) -> None:
    """And where the earlier ones are."""
    effect = do.LogCount("doubt", value=1)
    facts = [Stated("one", effect, (), (), f"Change {n}.") for n in range(50)]
    store.append(played, facts, after=played.last, author=None, now=later(60))

    page = _page(as_alice, played, "log/")

    assert "Change 49." in page
    assert "Change 10." not in page
    assert "20 earlier changes" in page


def test_the_cost_of_a_sheet_grows_with_its_log(played: Campaign, alice: User) -> None:
    """Not with the square of it: a log eight times as long costs not 64 times that."""
    took = []
    for more in (500, 3_500):
        _fill(played, do.LogText("campaign_notes"), more)
        sitting = organiser_of(played)
        took.append(processor_time(lambda who=sitting: sheet_of(desk_of(who), ()), 0))  # type: ignore[misc]

    assert took[1] < 16 * max(took[0], 0.002)
