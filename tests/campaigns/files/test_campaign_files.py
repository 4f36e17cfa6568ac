"""Campaigns are exported to files and imported unchanged; faults are located."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arkham.accounts.models import User
from arkham.rules.chaos import Token
from arkham.rules.replaying import reported
from campaigns import services
from campaigns.files import campaign_file
from campaigns.log.entries import OTHERS, VALUES
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Guide
from campaigns.play import in_play
from campaigns.play.addresses import LETTERS
from campaigns.services import EntryRefused, WriteContext
from tests.campaigns.files.helpers import (
    API,
    FILES,
    exported,
    import_as,
    play_acts,
    send_file,
    without_uuid,
)
from tests.campaigns.helpers.entries import FIXTURES
from tests.campaigns.helpers.tables import (
    NOW,
    a_campaign,
    a_row,
    as_answers,
    later,
    organiser_of,
    report,
    sequence_of,
    who,
)
from tests.rules.campaign.helpers.games import won
from tests.rules.campaign.helpers.small import DAISY, ROLAND

# --- out and in


def test_a_campaign_survives_a_round_trip(played: Campaign, alice: User) -> None:
    """The log, its state, its terms, its seats; authors and times as well."""
    data = exported(played)
    twin = import_as(alice, data).campaign
    assert twin.pk != played.pk
    assert without_uuid(exported(twin)) == without_uuid(data)
    assert twin.head == played.head
    assert reported(replayed(twin).replay) == reported(replayed(played).replay)


def test_a_file_has_no_secrets(played: Campaign) -> None:
    """Neither accounts nor future draws."""
    text = json.dumps(exported(played))
    assert played.secret not in text
    assert "@" not in text


def test_an_imported_campaign_draws_differently(played: Campaign, alice: User) -> None:
    """It has a seed of its own."""
    assert import_as(alice, exported(played)).campaign.secret != played.secret


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=15)
@given(
    st.lists(
        st.tuples(st.sampled_from(["retract", "correct"]), st.integers(1, 14)),
        max_size=6,
    )
)
def test_any_log_survives_a_round_trip(
    alice: User, steps: list[tuple[str, int]]
) -> None:
    """Whatever was undone, redone or corrected."""
    guide = Guide.objects.first() or a_row()
    campaign = a_campaign(alice, ROLAND, DAISY, guide=guide)
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")))
    member = organiser_of(campaign)
    victory = sequence_of(campaign, "victory")
    (count,) = (each for each in as_answers(*won("one")) if each.step == "victory")
    for what, number in steps:
        context = WriteContext(campaign.last, later(campaign.last))
        try:
            if what == "retract":
                services.retract(
                    campaign=campaign, member=member, target=number, context=context
                )
            else:
                better = count._replace(value=number, sequence=0)
                services.correct(
                    campaign=campaign,
                    member=member,
                    target=victory,
                    given=better,
                    reason="So",
                    context=context,
                )
        except EntryRefused:
            continue
    data = exported(campaign)
    twin = import_as(alice, data).campaign
    assert without_uuid(exported(twin)) == without_uuid(data)
    assert reported(replayed(twin).replay) == reported(replayed(campaign).replay)


def test_entries_of_every_kind_and_version_are_imported(
    played: Campaign, alice: User
) -> None:
    """The fixtures of the codec, in a file."""
    data, kinds = exported(played), []
    for path in sorted(FIXTURES.glob("*.json")):
        kind, version = path.name.split(".")[:2]
        payload = json.loads(path.read_text())["payload"]
        entry = {"kind": kind, "version": int(version), "payload": payload}
        data["entries"].append({**entry, "at": NOW.isoformat()})
        kinds.append(kind)
    assert {*kinds} >= {*VALUES, *OTHERS}
    assert import_as(alice, data).campaign.last == played.last + len(kinds)


def test_another_version_of_the_guide_is_reported(
    played: Campaign, alice: User
) -> None:
    """The newest is used if the exact version is missing."""
    data = exported(played)
    data["guide"]["digest"] = "0" * 64
    assert import_as(alice, data).is_other
    assert not import_as(alice, exported(played)).is_other


def test_a_missing_guide_is_reported(played: Campaign, alice: User) -> None:
    """Nothing is created."""
    data = exported(played)
    data["guide"]["id"] = "nowhere"
    with pytest.raises(EntryRefused) as caught:
        import_as(alice, data)
    assert caught.value.findings[0].rule == "campaign.guide"
    assert Campaign.objects.count() == 1


def test_another_users_guide_is_not_used(
    played: Campaign, alice: User, bob: User
) -> None:
    """Imported guides are private."""
    Guide.objects.update(owner=alice)
    with pytest.raises(EntryRefused):
        import_as(bob, exported(played))


def test_the_scenario_in_play_survives_a_round_trip(
    played: Campaign, alice: User
) -> None:
    """Counters, notes, ticks, areas, and the bag as it is, whatever was drawn."""
    bless, curse = LETTERS[Token.BLESS], LETTERS[Token.CURSE]
    play_acts(played, f"a{bless}", f"a{bless}", f"a{curse}", f"s{bless}", "d", "e", "d")
    play_acts(played, "more:Doom", "tick:lead")
    play_acts(played, "notes", what="Mind the ghoul.")
    play_acts(played, f"area:{ROLAND}/clues+")
    data = exported(played)
    assert played.secret not in json.dumps(data)
    twin = import_as(alice, data).campaign
    assert without_uuid(exported(twin)) == without_uuid(data)

    (was,), (now,) = played.plays.all(), twin.plays.all()
    before, after = in_play.read(was.content), in_play.read(now.content)
    assert after.play.bag == before.play.bag.after_the_test()
    assert after.play.bag.sealed == (("", Token.BLESS),)
    assert after.counters == (("Doom", 1), ("Clues", 0), ("Round", 1))
    assert (after.notes, after.notes_by) == ("Mind the ghoul.", "alice")
    assert after.ticked == ("lead",)
    assert after.areas == before.areas != ()
    play_acts(twin, f"r{bless}", "d")
    assert in_play.read(twin.plays.get().content).play.bag.sealed == ()


# --- earlier files


@pytest.mark.parametrize(
    "path", sorted(FILES.glob("*.json")), ids=lambda path: path.stem
)
def test_files_of_every_version_are_imported(alice: User, path: Path) -> None:
    """For ever; ``read`` lists the contents of each."""
    a_row()
    kept = json.loads(path.read_text())
    assert kept["file"]["file_version"] == int(path.stem)
    imported = import_as(alice, kept["file"])
    campaign, read = imported.campaign, kept["read"]
    people = replayed(campaign).replay.state.people
    assert {code: each.experience for code, each in people.items()} == read["earned"]
    assert [each.investigator for each in campaign.seats.all()] == read["seats"]
    counters = [in_play.read(each.content).counters for each in campaign.plays.all()]
    assert [[list(each) for each in found] for found in counters] == read["counters"]
    assert (campaign.linked is not None) is read["linked"]


def test_every_version_of_the_file_has_a_fixture() -> None:
    """From the first to the current one."""
    kept = sorted(int(path.stem) for path in FILES.glob("*.json"))
    assert kept == list(range(1, campaign_file.VERSION + 1))


# --- by API


def test_a_campaign_is_exported_and_imported_by_api(
    played: Campaign, as_alice: Client
) -> None:
    """The same file."""
    data = as_alice.get(f"{API}{played.pk}/export").json()
    answer = as_alice.post(f"{API}import", data, content_type="application/json")
    assert answer.status_code == 201
    made = answer.json()["id"]
    assert answer["Location"].endswith(f"{API}{made}/")
    assert without_uuid(as_alice.get(f"{API}{made}/export").json()) == without_uuid(
        data
    )


@pytest.mark.parametrize("key", ["", "mine"])
def test_a_file_may_be_larger_than_other_bodies(
    played: Campaign, as_alice: Client, settings: Any, key: str
) -> None:
    """As large as on the page, with and without an idempotency key."""
    data = as_alice.get(f"{API}{played.pk}/export").content
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = len(data) - 1
    headers = {"Idempotency-Key": key} if key else {}
    answer = as_alice.post(
        f"{API}import", data, content_type="application/json", headers=headers
    )
    assert answer.status_code == 201, answer.content


def test_strangers_get_no_file_by_api(played: Campaign, as_charlie: Client) -> None:
    """The campaign is a 404 for them."""
    assert as_charlie.get(f"{API}{played.pk}/export").status_code == 404


def test_an_invalid_file_is_a_problem_with_pointers(
    played: Campaign, as_alice: Client
) -> None:
    """As from any endpoint."""
    data = as_alice.get(f"{API}{played.pk}/export").json()
    data["entries"][1]["kind"] = "spell"
    answer = as_alice.post(f"{API}import", data, content_type="application/json")
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == "/entries/1/kind"


def test_a_file_is_imported_on_the_page(played: Campaign, as_alice: Client) -> None:
    """And the campaign is shown."""
    saved = as_alice.get(f"/campaigns/{played.pk}/campaign.json")
    assert saved["Content-Disposition"].startswith("attachment")
    answer = send_file(as_alice, saved.content)
    twin = Campaign.objects.exclude(pk=played.pk).get()
    assert answer["Location"] == f"/campaigns/{twin.pk}/log/"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("{", "a campaign exported from Orne or a backup"),
        (b"\xff\xfe", "a campaign exported from Orne or a backup"),
        ("{}", "/format"),
        ("[" * 2000, "a campaign exported from Orne or a backup"),
    ],
)
def test_an_invalid_file_is_reported_on_the_page(
    alice: User, as_alice: Client, text: str | bytes, wrong: str
) -> None:
    """Never a 500."""
    answer = send_file(as_alice, text)
    assert answer.status_code == 422
    assert wrong in answer.content.decode()
