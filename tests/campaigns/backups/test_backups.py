"""Backups of the field's app, made by hand: older, odd, broken; none breaks a page.

No real one was at hand. What is known of them is the table of records of the field's
format; every line here goes against one of its clauses, or keeps to it in another way.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from arkham.accounts.models import User
from campaigns import services
from campaigns.log.replays import replayed
from campaigns.models import Campaign
from campaigns.queries import usable_guides
from tests.campaigns.backups.helpers import INPUTS, sent, upload
from tests.campaigns.helpers.tables import NOW, a_row
from tests.rules.campaign.helpers.small import DAISY, ROLAND

pytestmark = pytest.mark.django_db
SPOIL = Callable[[dict[str, Any]], object]


def _backup() -> dict[str, Any]:
    campaign = {"uuid": "a", "name": "Mine", "cycleCode": "own", "guideVersion": 3}
    return copy.deepcopy(
        {"campaigns": [campaign], "guides": [{"uuid": "a", "inputs": INPUTS}]}
    )


def _campaign(data: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = data["campaigns"][0]
    return found


def _inputs(data: dict[str, Any]) -> list[Any]:
    found: list[Any] = data["guides"][0]["inputs"]
    return found


# --- other ways to keep to it


def _by_id(data: dict[str, Any]) -> None:
    """Older backups: maps by id, as the app's store had them."""
    data["campaigns"] = {"a": {k: v for k, v in _campaign(data).items() if k != "uuid"}}
    data["guides"] = {"a": {"inputs": _inputs(data)}}


GOOD: dict[str, SPOIL] = {
    "maps by id": _by_id,
    "ids that are numbers": lambda data: (
        _campaign(data).update(uuid=None, id=7),
        data["guides"][0].update(uuid=None, id=7),
    ),
    "no version": lambda data: _campaign(data).pop("guideVersion"),
    "no name": lambda data: _campaign(data).update(name=None),
    "what nobody knows": lambda data: (
        data.update(decks=[{"id": 1}], version=12),
        _campaign(data).update(linkedCampaignUuid={"campaignIdA": "x"}),
        _inputs(data)[1].update(deckId={"uuid": "x"}, deckEdits={}, inputId="y"),
    ),
    "a record twice: the last holds": lambda data: _inputs(data).insert(
        2, copy.deepcopy(_inputs(data)[1])
    ),
    "others, kept by hand": lambda data: data["campaigns"].append(
        {"uuid": "h", "name": "By hand", "cycleCode": "custom"}
    ),
    "a guide without its campaign": lambda data: data["guides"].append(
        {"uuid": "z", "inputs": [{"type": "spell"}]}
    ),
}


@pytest.mark.parametrize("change", GOOD.values(), ids=GOOD)
def test_a_backup_in_another_valid_form_is_imported(
    as_alice: Client, change: SPOIL
) -> None:
    """With all that was earned."""
    a_row()
    data = _backup()
    change(data)
    assert sent(as_alice, data).status_code == 200
    campaign = Campaign.objects.get()
    assert replayed(campaign).replay.state.people[ROLAND].experience == 3


def test_the_players_of_a_campaign_that_has_just_begun_have_seats(
    as_alice: Client,
) -> None:
    """Nothing is known of them yet but that they play."""
    a_row()
    data = _backup()
    data["guides"][0]["inputs"] = INPUTS[:2]
    sent(as_alice, data)
    seats = Campaign.objects.get().seats.values_list("investigator", flat=True)
    assert set(seats) == {ROLAND, DAISY}


def test_a_backup_imported_before_is_reported(as_alice: Client) -> None:
    a_row()
    first = sent(as_alice, _backup())
    assert "You imported this campaign before" not in first.text
    earlier = first.context["restored"][0][0].campaign
    page = sent(as_alice, _backup()).text
    assert "You imported this campaign before" in page
    assert page.count(f'href="/campaigns/{earlier.pk}/log/"') == 1


def test_a_backup_of_an_older_version_is_imported_and_reported(
    as_alice: Client,
) -> None:
    """Zero counts too: steps of later versions are not required of it."""
    a_row()
    for version in (2, 0):
        data = _backup()
        _campaign(data)["guideVersion"] = version
        page = sent(as_alice, data).content.decode()
        assert f"It was begun with version {version} of the guide" in page
    assert [each.version for each in Campaign.objects.order_by("pk")] == [2, 0]
    assert "It was begun with" not in sent(as_alice, _backup()).content.decode()


# --- what is wrong, and where


def _record(**more: Any) -> SPOIL:
    return lambda data: _inputs(data)[1].update(more)


WRONG: dict[str, tuple[SPOIL, str]] = {
    "guides of no kind": (lambda data: data.update(guides="x"), "/guides"),
    "no campaigns": (lambda data: data.update(campaigns=None), "/campaigns"),
    "a campaign that is a text": (
        lambda data: data.update(campaigns=["x"]), "/campaigns/0"),
    "no id of a campaign": (
        lambda data: _campaign(data).pop("cycleCode"), "/campaigns/0/cycleCode"),
    "a name of 1000 letters": (
        lambda data: _campaign(data).update(name="x" * 1000), "/campaigns/0/name"),
    "a version beyond measure": (
        lambda data: _campaign(data).update(guideVersion=10**30),
        "/campaigns/0/guideVersion"),
    "a version below any": (
        lambda data: _campaign(data).update(guideVersion=-2),
        "/campaigns/0/guideVersion"),
    "a version that is a truth": (
        lambda data: _campaign(data).update(guideVersion=True),
        "/campaigns/0/guideVersion"),
    "a scenario alone, as a text": (
        lambda data: _campaign(data).update(standaloneId="x"),
        "/campaigns/0/standaloneId"),
    "inputs that are a map": (
        lambda data: data["guides"][0].update(inputs={"0": {}}), "/guides/0/inputs"),
    "a record that is a number": (
        lambda data: _inputs(data).append(3), f"/guides/0/inputs/{len(INPUTS)}"),
    "a record of no type": (_record(type=None), "/guides/0/inputs/1/type"),
    "a record of another type": (_record(type="spell"), "/guides/0/inputs/1/type"),
    "a record without its step": (_record(step=None), "/guides/0/inputs/1/step"),
    "a record without a scenario": (
        _record(scenario=7), "/guides/0/inputs/1/scenario"),
    "choices that are a list": (_record(choices=[]), "/guides/0/inputs/1/choices"),
    "a choice that is a number": (
        _record(choices={ROLAND: [1]}), f"/guides/0/inputs/1/choices/{ROLAND}"),
    "a choice beyond measure": (
        lambda data: _inputs(data).append(
            {"type": "count", "scenario": "one", "step": "x", "count": 10**40}),
        f"/guides/0/inputs/{len(INPUTS)}"),
    "a step with what no database keeps": (
        _record(step="a\x00b"), "/guides/0/inputs/1"),
}  # fmt: skip


@pytest.mark.parametrize(("spoil", "pointer"), WRONG.values(), ids=WRONG)
def test_an_invalid_campaign_is_refused_with_its_place(
    as_alice: Client, spoil: SPOIL, pointer: str
) -> None:
    """It is not imported; the others of the same file are."""
    a_row()
    data = _backup()
    spoil(data)
    answer = sent(as_alice, data)
    assert answer.status_code == 422
    assert pointer in answer.content.decode()
    assert not Campaign.objects.exists()


def test_an_invalid_campaign_does_not_affect_the_others(as_alice: Client) -> None:
    """It is named, with its place."""
    a_row()
    data = _backup()
    data["campaigns"].append({"uuid": "b", "name": "Torn", "cycleCode": "own"})
    data["guides"].append({"uuid": "b", "inputs": [{"type": "spell"}]})
    page = sent(as_alice, data).content.decode()

    assert Campaign.objects.get().name == "Mine"
    assert "Torn" in page
    assert "/guides/1/inputs/0/type" in page
    assert "/rules/flaws-of-a-guide/" in page


def test_an_unknown_campaign_is_left_out(as_alice: Client) -> None:
    """And a scenario alone that the guide doesn't have."""
    a_row()
    data = _backup()
    alone = {"campaignId": "own", "scenarioId": "x"}
    changes: list[dict[str, Any]] = [{"cycleCode": "gone"}, {"standaloneId": alone}]
    for number, more in enumerate(changes):
        data["campaigns"].append({"uuid": f"n{number}", "cycleCode": "own", **more})
        data["guides"].append({"uuid": f"n{number}", "inputs": INPUTS})
    page = sent(as_alice, data).content.decode()

    assert Campaign.objects.count() == 1
    assert "This campaign needs a guide that isn’t here: gone." in page
    assert "The guide doesn’t have this scenario." in page


def test_an_answer_unknown_to_the_guide_is_a_problem_of_the_log(
    alice: User,
) -> None:
    """Choices that are not offered and missing steps are reported, not lost."""
    a_row()
    data = _backup()
    wrong = {"type": "choice", "step": "$play_scenario", "scenario": "one"}
    _inputs(data)[:] = [
        {**each, "choice": 99}
        if (each.get("step"), each["scenario"]) == (wrong["step"], "one")
        else each
        for each in _inputs(data)
    ]
    outcome = services.import_backup(
        organiser=alice, data=data, usable=usable_guides(_visitor(alice)), now=NOW
    )
    (found,) = outcome.restored
    assert found.campaign.last == len(INPUTS)
    assert "answer.out-of-range" in {each.rule for each in found.problems}


def _visitor(user: User) -> Any:
    from campaigns.people.table import Visitor

    return Visitor(user)


# --- texts that are no backup


@pytest.mark.parametrize("cut", [1, 2, 40, 200, -1])
def test_a_truncated_backup_is_reported(as_alice: Client, cut: int) -> None:
    """The line and column where it ends."""
    a_row()
    content = json.dumps(_backup()).encode()[:cut]
    answer = upload(as_alice, content)
    assert answer.status_code == 422
    assert "This file isn’t a campaign" in answer.content.decode()


def test_a_huge_backup_is_refused_unread(
    as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By its size, by its campaigns, by its answers."""
    a_row()
    monkeypatch.setattr("campaigns.forms.start.MOST_BYTES", 1024)
    assert upload(as_alice, b" " * 1025).status_code == 422
    monkeypatch.undo()
    many = _backup()
    many["campaigns"] = [{**_campaign(many), "uuid": str(n)} for n in range(61)]
    many["guides"] = [{"uuid": str(n), "inputs": INPUTS} for n in range(61)]
    assert "at most 60" in sent(as_alice, many).content.decode()
    long = _backup()
    _inputs(long).extend([INPUTS[0]] * 20_000)
    assert "at most 20000" in sent(as_alice, long).content.decode()
    monkeypatch.setattr("campaigns.files.backups.MOST_ANSWERS", len(INPUTS) * 2 - 1)
    together = {**many, "campaigns": many["campaigns"][:2]}
    assert "at most 19" in sent(as_alice, together).content.decode()
    assert not Campaign.objects.exists()
