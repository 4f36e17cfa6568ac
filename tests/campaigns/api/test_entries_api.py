"""Entries of a log by API: written once, refused with findings, corrected."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from arkham.accounts import services as accounts
from arkham.accounts.models import ApiKey, User
from campaigns.log import replays
from campaigns.models import Campaign, LogEntry, Role
from tests.campaigns.api.helpers import API, COUNTED, WHO, append_who, post, problem_of
from tests.campaigns.helpers.tables import (
    NOW,
    a_member,
    as_answers,
    report,
    sequence_of,
)
from tests.rules.campaign.helpers.small import ROLAND


def test_an_answer_is_written_and_the_next_question_returned(
    as_alice: Client, campaign: Campaign
) -> None:
    """With the sequence number for the next entry."""
    answer = append_who(as_alice, campaign, 1)
    told = answer.json()

    assert answer.status_code == 201
    assert told["last"] == 2
    assert told["pending"]["kind"] == "start_scenario"
    assert told["entries"][0]["payload"]["value"] == WHO["payload"]["value"]  # type: ignore[index]
    assert told["entries"][0]["author_name"] == "alice"


def test_a_repeated_request_is_written_once(
    as_alice: Client, campaign: Campaign
) -> None:
    """With its key, which another request may not use."""
    key = {"Idempotency-Key": "phone-1"}
    first = append_who(as_alice, campaign, 1, **key)
    again = append_who(as_alice, campaign, 1, **key)
    other = post(
        as_alice, f"{campaign.pk}/entries/", {"after": 2, "entry": COUNTED}, **key
    )

    assert (first.status_code, again.status_code) == (201, 200)
    assert again["Idempotent-Replayed"] == "true"
    assert again.json()["entries"] == first.json()["entries"]
    assert (other.status_code, problem_of(other)) == (422, "idempotency-key-reused")
    assert LogEntry.objects.count() == 2
    assert (
        append_who(as_alice, campaign, 2, **{"Idempotency-Key": "é"}).status_code == 400
    )


def test_an_entry_after_an_unknown_one_is_refused(
    as_alice: Client, campaign: Campaign
) -> None:
    """The response doesn't claim that someone else wrote."""
    answer = append_who(as_alice, campaign, 7)

    assert (answer.status_code, problem_of(answer)) == (409, "log-moved")
    problem = answer.json()
    assert (problem["last"], problem["missed"]) == (1, [])
    assert problem["detail"] == "“after” is beyond the log’s last entry, 1."


def test_a_late_answer_gets_the_entries_before_it(
    as_alice: Client, as_bob: Client, bob: User, campaign: Campaign
) -> None:
    """409, and nothing is written."""
    a_member(campaign, bob, Role.SCRIBE)
    append_who(as_alice, campaign, 1)
    late = append_who(as_bob, campaign, 1)

    assert (late.status_code, problem_of(late)) == (409, "log-moved")
    assert late.json()["last"] == 2
    assert [each["kind"] for each in late.json()["missed"]] == ["string_choices"]
    assert campaign.entries.count() == 2


def test_an_answer_against_the_rules_is_refused_with_all_findings(
    as_alice: Client, campaign: Campaign
) -> None:
    body = {"after": 1, "entry": COUNTED}
    answer = post(as_alice, f"{campaign.pk}/entries/", body)

    assert (answer.status_code, problem_of(answer)) == (422, "refused")
    assert [each["rule"] for each in answer.json()["findings"]] == ["answer.not-asked"]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ([], ""),
        ({"entry": WHO}, "/after"),
        ({"after": "1", "entry": WHO}, "/after"),
        ({"after": 1, "entry": {**WHO, "kind": "nothing"}}, "/entry/kind"),
        ({"after": 1, "entry": {"kind": "retracted", "payload": {"target": 1}}},
         "/entry/kind"),
        ({"after": 1, "entry": {"kind": "count", "payload": {}}},
         "/entry/payload/scenario"),
        ({"after": 1, "entry": {"kind": "count", "payload": {"scenario": "one",
         "value": "three"}}}, "/entry/payload/value"),
        ({"after": 1, "entry": {**WHO, "version": 2}}, "/entry/version"),
        ({"after": 1, "entry": WHO, "more": 1}, "/more"),
    ],
)  # fmt: skip
def test_an_invalid_body_is_refused_with_its_place(
    as_alice: Client, campaign: Campaign, body: Any, pointer: str
) -> None:
    """422, before anything else is checked."""
    answer = post(as_alice, f"{campaign.pk}/entries/", body)

    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == pointer
    assert campaign.entries.count() == 1


def test_an_unchanged_log_is_a_304_by_one_query(
    as_alice: Client, played: Campaign
) -> None:
    """Besides two for authentication; later the new entries are sent."""
    path = f"{API}{played.pk}/entries/"
    first = as_alice.get(path)
    assert len(first.json()["entries"]) == played.last
    with CaptureQueriesContext(
        connection,
    ) as asked:
        again = as_alice.get(path, headers={"If-None-Match": first["ETag"]})

    assert (again.status_code, again.content) == (304, b"")
    assert "Content-Type" not in again  # a cache would take it for that of the answer
    assert len([each for each in asked if "campaigns_" in each["sql"]]) == 1

    report(played, as_answers({"type": "start_scenario", "scenario": "two"}))
    new = as_alice.get(f"{path}?since={played.last - 1}")
    assert [each["kind"] for each in new.json()["entries"]] == ["start_scenario"]
    assert as_alice.get(f"{path}?since=x").status_code == 400
    assert as_alice.get(f"{path}?since=99999").json()["entries"] == []


def test_a_correction_is_previewed(as_alice: Client, played: Campaign) -> None:
    """Two more victory points, in the preview and then in the campaign."""
    target = sequence_of(played, "victory")
    question = {"target": target, "entry": COUNTED}
    shown = post(as_alice, f"{played.pk}/preview", question).json()
    made = post(
        as_alice,
        f"{played.pk}/corrections/",
        {"after": played.last, "reason": "Miscounted", **question},
    )

    assert [each["experience"] for each in shown["settlement"]["people"]] == [3, 3]
    assert shown["unreached"] == []
    assert made.status_code == 201
    assert [each["kind"] for each in made.json()["entries"]] == ["corrected", "count"]
    state = as_alice.get(f"{API}{played.pk}/").json()["state"]
    assert state["investigators"][ROLAND]["availableXp"] == 6


def test_a_retraction_is_previewed(as_alice: Client, played: Campaign) -> None:
    """Of an entry or a scenario; one of the two."""
    path = f"{played.pk}/retractions/"
    shown = post(as_alice, f"{played.pk}/preview", {"scenario": "one"}).json()
    assert [each["experience"] for each in shown["settlement"]["people"]] == [-3, -3]
    target = sequence_of(played, "victory")
    shown = post(as_alice, f"{played.pk}/preview", {"target": target}).json()
    assert shown["pending"]["step"] == "victory"
    done = post(as_alice, path, {"after": played.last, "target": target})
    assert done.json()["pending"]["step"] == "victory"
    back = post(as_alice, path, {"after": done.json()["last"], "scenario": "one"})
    assert back.json()["pending"]["prompt"] == "choose_investigators"
    for both in ({"after": 1}, {"after": 1, "target": 1, "scenario": "one"}):
        assert post(as_alice, path, both).status_code == 422


def test_a_broken_log_is_a_problem(as_alice: Client, played: Campaign) -> None:
    """Never a server error."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM campaigns_logentry WHERE sequence = 3")
    replays._kept.clear()
    for path in ("", "entries/"):
        answer = as_alice.get(f"{API}{played.pk}/{path}")
        assert (answer.status_code, problem_of(answer)) == (409, "log-broken")
        assert answer.json()["sequence"] == 3


def test_a_program_with_a_read_key_only_previews(
    api: Client, alice: User, played: Campaign
) -> None:
    """And writes nothing."""
    _key, text = accounts.make_key(
        owner=alice, name="x", scope=ApiKey.Scope.READ, now=NOW
    )
    headers = {"Authorization": f"Bearer {text}"}
    path = f"{API}{played.pk}/"
    body = {"scenario": "one"}
    shown = api.post(f"{path}preview", body, format="json", headers=headers)
    assert shown.status_code == 200
    back = {"after": played.last, "scenario": "one"}
    done = api.post(f"{path}retractions/", back, format="json", headers=headers)
    assert done.status_code == 403
