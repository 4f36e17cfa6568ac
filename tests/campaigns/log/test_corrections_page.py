"""Errors in a log are corrected or undone after a preview."""

from __future__ import annotations

import re

from django.test import Client

from arkham.accounts.models import User
from arkham.rules.campaign.state.answers import Answer, Asserted
from campaigns import services
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Role
from tests.campaigns.helpers.tables import (
    a_campaign,
    a_member,
    as_answers,
    experience,
    organiser_of,
    report,
    sequence_of,
    who,
    write_context,
)
from tests.campaigns.log.helpers import page_of, post_to
from tests.rules.campaign.helpers.games import won
from tests.rules.campaign.helpers.small import DAISY, ROLAND


def test_a_correction_is_previewed(played: Campaign, as_alice: Client) -> None:
    """What would change, and how many answers stay valid."""
    target = sequence_of(played, "victory")
    answer = post_to(as_alice, played, f"timeline/{target}/", total="5", reason="So")
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "+3 experience" in page
    assert "stay the same" in page
    words = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert "Until now 2 New answer 5" in words
    assert "Answers that will be dropped" not in page
    assert Campaign.objects.get().last == played.last


def test_a_correction_begins_with_the_former_answer(
    played: Campaign, as_alice: Client
) -> None:
    """The form is that of the question as it was asked then."""
    target = sequence_of(played, "victory")
    page = page_of(as_alice, played, f"timeline/{target}/")
    assert 'name="total" value="2"' in page


def test_answers_lost_by_another_resolution_are_named(
    played: Campaign, as_alice: Client
) -> None:
    """Before it is confirmed."""
    target = sequence_of(played, "$choose_resolution")
    answer = post_to(
        as_alice, played, f"timeline/{target}/", answer="no_resolution", reason="So"
    )
    assert "Answers that will be dropped" in answer.content.decode()


def test_an_answer_repeated_after_a_correction_is_counted_as_such(
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


def test_a_retraction_is_previewed(played: Campaign, as_alice: Client) -> None:
    """Then it is made, and the question that is open again is shown."""
    target = sequence_of(played, "victory")
    path = f"timeline/{target}/"
    shown = post_to(as_alice, played, path, do="take-back")
    assert "−3 experience" in shown.content.decode()
    assert Campaign.objects.get().last == played.last
    answer = post_to(as_alice, played, path, do="take-back", confirm="yes")
    assert answer["Location"] == f"/campaigns/{played.pk}/#new"
    assert experience(Campaign.objects.get(), ROLAND) == 0


def test_assertions_that_would_become_wrong_are_shown(
    played: Campaign, as_alice: Client
) -> None:
    """In the words of the log."""
    asserted = Asserted("one", "experience", ROLAND, 3)
    services.state_fact(
        campaign=played,
        member=organiser_of(played),
        fact=asserted,
        context=write_context(played),
    )
    path = f"timeline/{sequence_of(played, 'victory')}/"
    answer = post_to(as_alice, played, path, total="5", reason="So")
    said = "Experience of Roland Banks after “one”: the table says 3, the log 6."
    assert said in answer.content.decode()


def test_an_outdated_page_writes_nothing(played: Campaign, as_alice: Client) -> None:
    """Entries written since are shown."""
    path = f"timeline/{sequence_of(played, 'victory')}/"
    answer = post_to(
        as_alice, played, path, do="take-back", confirm="yes", after=played.last - 1
    )
    assert answer.status_code == 409
    assert Campaign.objects.get().last == played.last


def test_a_player_cannot_undo_entries_of_others(
    played: Campaign, bob: User, as_bob: Client
) -> None:
    """The page says so."""
    a_member(played, bob)
    path = f"timeline/{sequence_of(played, 'victory')}/"
    answer = post_to(as_bob, played, path, do="take-back", confirm="yes")
    assert answer.status_code == 403
    assert "doesn’t allow" in answer.content.decode()


def test_an_entry_beyond_the_end_is_404(played: Campaign, as_alice: Client) -> None:
    page_of(as_alice, played, f"timeline/{played.last + 1}/", 404)


def test_restarting_a_scenario_asks_first(played: Campaign, as_alice: Client) -> None:
    """Then all its entries are undone."""
    page = page_of(as_alice, played, "begin-again?scenario=one")
    assert "Restart “one”?" in page
    answer = post_to(as_alice, played, "begin-again", scenario="one")
    assert answer.status_code == 303
    assert experience(Campaign.objects.get(), ROLAND) == 0


def test_a_scenario_that_was_not_begun_cannot_be_restarted(
    played: Campaign, as_alice: Client
) -> None:
    """404."""
    page_of(as_alice, played, "begin-again?scenario=nowhere", 404)


def test_two_correct_the_same_answer(
    played: Campaign, as_alice: Client, bob: User, as_bob: Client
) -> None:
    """The second sees both answers, before and after the preview, and may go on."""
    a_member(played, bob, Role.SCRIBE)
    target = sequence_of(played, "victory")
    path, seen = f"timeline/{target}/", played.last
    first = post_to(as_alice, played, path, total="5", reason="So", confirm="yes")
    assert first["Location"].endswith(f"/timeline/#entry-{target}")
    for confirm in ({}, {"confirm": "yes"}):
        sent = {"total": "4", "reason": "Not so", "after": seen, **confirm}
        answer = post_to(as_bob, played, path, **sent)
        page = " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())
        assert answer.status_code == 409
        assert "What is in the victory display? 4 Since then:" in page
        assert "alice – What is in the victory display? 5" in page
        assert "alice answered this first." in page
        assert "Show what yours would change" in page
    theirs = Campaign.objects.get().last
    assert f'action="/campaigns/{played.pk}/timeline/{theirs}/"' in str(answer.content)
    more = {"total": "4", "reason": "Not so", "after": theirs}
    assert post_to(as_bob, played, f"timeline/{theirs}/", **more).status_code == 200


def test_a_correction_leads_to_the_entry_while_the_same_question_is_open(
    as_alice: Client, alice: User
) -> None:
    """Even if that question concerns other investigators now."""
    campaign = a_campaign(alice, ROLAND, DAISY)
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")[:5]))
    target = sequence_of(campaign, "$choose_investigators")
    before = replayed(campaign).replay.pending
    sent = {"answer": [ROLAND], "reason": "So", "confirm": "yes"}
    answer = post_to(as_alice, campaign, f"timeline/{target}/", **sent)
    after = replayed(Campaign.objects.get()).replay.pending

    assert before
    assert after
    assert (before.codes, after.codes) == ((ROLAND, DAISY), (ROLAND,))
    assert answer["Location"] == f"/campaigns/{campaign.pk}/timeline/#entry-{target}"


def test_correcting_an_entry_that_was_undone_meanwhile(
    played: Campaign, as_alice: Client, bob: User, as_bob: Client
) -> None:
    """The correction isn't saved, but still shown."""
    a_member(played, bob, Role.SCRIBE)
    path, seen = f"timeline/{sequence_of(played, 'victory')}/", played.last
    post_to(as_alice, played, path, do="take-back", confirm="yes")
    answer = post_to(as_bob, played, path, total="4", after=seen)
    page = " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())
    assert answer.status_code == 409
    assert "What is in the victory display? 4 Since then:" in page
    assert "the question is open again at the table" in page
