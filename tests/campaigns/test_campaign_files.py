"""A campaign as a file: what goes out comes in the same, junk is told where it is."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arkham.accounts.models import User
from arkham.rules.campaign.records.report import reported
from arkham.rules.chaos import Token
from arkham.rules.notation.reading import Unreadable
from campaigns import services
from campaigns.files import campaign_file
from campaigns.log.entries import OTHERS, VALUES
from campaigns.log.replays import replayed
from campaigns.models import Campaign, Guide, Role
from campaigns.people.guests import Visitor
from campaigns.play import in_play
from campaigns.play.in_play import Act
from campaigns.queries import usable_guides
from campaigns.services import EntryRefused, Imported, WriteContext
from campaigns.words.tokens import LETTERS
from tests.campaigns.tables import (
    NOW,
    a_campaign,
    a_member,
    a_row,
    later,
    organiser_of,
    report,
    sequence_of,
    told,
    who,
)
from tests.rules.campaign.helpers.games import a_game, won
from tests.rules.campaign.small import DAISY, ROLAND, SKIDS, does

FIXTURES = Path(__file__).parent / "fixtures"
FILES = FIXTURES / "files"  # one of each version, as it was written then
API = "/api/v1/campaigns/"


@pytest.fixture
def played(alice: User) -> Campaign:
    """The first scenario was won; then an answer was put right and one taken back."""
    campaign = a_campaign(alice, ROLAND, DAISY, terms={"taboo": "none"})
    report(campaign, told(who(ROLAND, DAISY), *won("one")))
    return campaign


def _import(user: User, data: object) -> Imported:
    return services.import_campaign(
        organiser=user, data=data, usable=usable_guides(Visitor(user)), now=NOW
    )


def _exported(campaign: Campaign) -> dict[str, Any]:
    """As another program would have it."""
    data = services.export_campaign(member=organiser_of(campaign))
    found: dict[str, Any] = json.loads(json.dumps(data))
    return found


def _same(data: dict[str, Any]) -> dict[str, Any]:
    """All of it but what it is called in files: a campaign that came in is another."""
    return data | {"id": ""}


def _faults(user: User, data: object) -> list[str]:
    with pytest.raises(Unreadable) as caught:
        _import(user, data)
    return [each.pointer for each in caught.value.faults]


# --- out and in


def test_what_goes_out_comes_in_the_same(played: Campaign, alice: User) -> None:
    """The log, its state, its terms, its seats; authors and times as well."""
    data = _exported(played)
    twin = _import(alice, data).campaign
    assert twin.pk != played.pk
    assert _same(_exported(twin)) == _same(data)
    assert twin.head == played.head
    assert reported(replayed(twin).replay) == reported(replayed(played).replay)


def test_nothing_secret_goes_out(played: Campaign) -> None:
    """Neither accounts nor what will be drawn."""
    text = json.dumps(_exported(played))
    assert played.secret not in text
    assert "@" not in text


def test_a_campaign_that_came_in_draws_otherwise(played: Campaign, alice: User) -> None:
    """Its seed is its own."""
    assert _import(alice, _exported(played)).campaign.secret != played.secret


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=15)
@given(
    st.lists(
        st.tuples(st.sampled_from(["retract", "correct"]), st.integers(1, 14)),
        max_size=6,
    )
)
def test_any_log_goes_out_and_comes_in(
    alice: User, steps: list[tuple[str, int]]
) -> None:
    """Whatever was taken back, taken up again or put right."""
    guide = Guide.objects.first() or a_row()
    campaign = a_campaign(alice, ROLAND, DAISY, guide=guide)
    report(campaign, told(who(ROLAND, DAISY), *won("one")))
    member = organiser_of(campaign)
    victory = sequence_of(campaign, "victory")
    (count,) = (each for each in told(*won("one")) if each.step == "victory")
    for what, number in steps:
        sight = WriteContext(campaign.last, later(campaign.last))
        try:
            if what == "retract":
                services.retract(
                    campaign=campaign, member=member, target=number, sight=sight
                )
            else:
                better = count._replace(value=number, sequence=0)
                services.correct(
                    campaign=campaign,
                    member=member,
                    target=victory,
                    given=better,
                    reason="So",
                    sight=sight,
                )
        except EntryRefused:
            continue
    data = _exported(campaign)
    twin = _import(alice, data).campaign
    assert _same(_exported(twin)) == _same(data)
    assert reported(replayed(twin).replay) == reported(replayed(campaign).replay)


def test_every_entry_kind_ever_written_comes_in(played: Campaign, alice: User) -> None:
    """The fixtures of the codec, in a file."""
    data, kinds = _exported(played), []
    for path in sorted(FIXTURES.glob("*.json")):
        kind, version = path.name.split(".")[:2]
        payload = json.loads(path.read_text())["payload"]
        entry = {"kind": kind, "version": int(version), "payload": payload}
        data["entries"].append({**entry, "at": NOW.isoformat()})
        kinds.append(kind)
    assert {*kinds} >= {*VALUES, *OTHERS}
    assert _import(alice, data).campaign.last == played.last + len(kinds)


def test_another_version_of_the_guide_is_told(played: Campaign, alice: User) -> None:
    """The newest is taken where the very version is not there."""
    data = _exported(played)
    data["guide"]["digest"] = "0" * 64
    assert _import(alice, data).is_other
    assert not _import(alice, _exported(played)).is_other


def test_a_guide_that_is_not_here_is_asked_for(played: Campaign, alice: User) -> None:
    """Nothing is made."""
    data = _exported(played)
    data["guide"]["id"] = "nowhere"
    with pytest.raises(EntryRefused) as caught:
        _import(alice, data)
    assert caught.value.findings[0].rule == "campaign.guide"
    assert Campaign.objects.count() == 1


def test_a_guide_of_somebody_else_is_not_used(
    played: Campaign, alice: User, bob: User
) -> None:
    """What was brought is private to whoever brought it."""
    Guide.objects.update(owner=alice)
    with pytest.raises(EntryRefused):
        _import(bob, _exported(played))


# --- what is in play


def _play(campaign: Campaign, *acts: str, what: str = "") -> None:
    member = organiser_of(campaign)
    for act in acts:
        do, _colon, named = act.partition(":")
        services.play(
            campaign=campaign,
            member=member,
            scenario="two",
            act=Act(do, named or what, 999),
            now=NOW,
        )


def test_what_is_in_play_goes_out_and_comes_in(played: Campaign, alice: User) -> None:
    """Counters, notes, ticks, and the bag as it is, whatever was drawn before."""
    bless, curse = LETTERS[Token.BLESS], LETTERS[Token.CURSE]
    _play(played, f"a{bless}", f"a{bless}", f"a{curse}", f"s{bless}", "d", "e", "d")
    _play(played, "more:Doom", "tick:lead")
    _play(played, "notes", what="Mind the ghoul.")
    data = _exported(played)
    assert played.secret not in json.dumps(data)
    twin = _import(alice, data).campaign
    assert _same(_exported(twin)) == _same(data)

    (was,), (now,) = played.plays.all(), twin.plays.all()
    before, after = in_play.read(was.content), in_play.read(now.content)
    assert after.play.bag == before.play.bag.after_the_test()
    assert after.play.bag.sealed == (("", Token.BLESS),)
    assert after.counters == (("Doom", 1), ("Clues", 0), ("Round", 0))
    assert (after.notes, after.notes_by) == ("Mind the ghoul.", "alice")
    assert after.ticked == ("lead",)
    _play(twin, f"r{bless}", "d")
    assert in_play.read(twin.plays.get().content).play.bag.sealed == ()


# --- linked campaigns


@pytest.fixture
def two(played: Campaign, alice: User) -> tuple[Campaign, Campaign]:
    """Alice's campaign, and another that is linked to it."""
    other = a_campaign(alice, SKIDS, guide=played.guide)
    services.link_campaigns(
        campaign=played, member=organiser_of(played), other=other, now=NOW
    )
    return played, other


def test_both_come_in_linked(two: tuple[Campaign, Campaign], bob: User) -> None:
    """Out of the file of either."""
    for campaign, other in (two, two[::-1]):
        data = _exported(campaign)
        twin = _import(bob, data).campaign
        assert twin.linked is not None
        assert twin.linked.linked == twin
        assert (twin.head, twin.linked.head) == (campaign.head, other.head)
        assert organiser_of(twin.linked).user == bob
    assert Campaign.objects.count() == 6


def test_the_one_that_is_still_there_is_linked_again(
    two: tuple[Campaign, Campaign], alice: User
) -> None:
    """Not another like it."""
    campaign, other = two
    data = _exported(campaign)
    services.delete_campaign(campaign=campaign, member=organiser_of(campaign))
    twin = _import(alice, data).campaign
    other.refresh_from_db()
    assert (twin.linked, other.linked) == (other, twin)
    assert Campaign.objects.count() == 2


def test_somebody_elses_is_not_linked(
    two: tuple[Campaign, Campaign], alice: User, bob: User
) -> None:
    """Nor one that is linked, nor one where one does not organise."""
    campaign, other = two
    data = _exported(campaign)
    alone = data | {"linked": data["linked"] | {"campaign": None}}
    assert _import(alice, alone).campaign.linked is None
    Campaign.objects.update(linked=None)
    a_member(other, bob, Role.SCRIBE)
    assert _import(bob, alone).campaign.linked is None
    assert _import(alice, alone).campaign.linked == other


def test_who_does_not_sit_there_saves_one_alone(
    two: tuple[Campaign, Campaign], bob: User
) -> None:
    """What is written at the other table is not theirs."""
    campaign, other = two
    sitting = a_member(campaign, bob)
    data = services.export_campaign(member=sitting)
    assert data["linked"]["campaign"] is None
    gone = a_member(other, bob)
    gone.left_at = NOW
    gone.save()
    assert services.export_campaign(member=sitting)["linked"]["campaign"] is None
    gone.left_at = None
    gone.save()
    assert services.export_campaign(member=sitting)["linked"]["campaign"] is not None


def test_a_fault_of_the_other_is_told_with_its_place(
    two: tuple[Campaign, Campaign], bob: User
) -> None:
    """And neither comes in; nor does a third one."""
    data = _exported(two[0])
    other = data["linked"]["campaign"]
    other["entries"][0]["kind"] = "spell"
    assert _faults(bob, data) == ["/linked/campaign/entries/0/kind"]
    other["linked"] = {"id": "x", "campaign": None}
    assert _faults(bob, data) == ["/linked/campaign/linked"]
    other["guide"]["id"], other["linked"] = "nowhere", None
    other["entries"] = []
    with pytest.raises(EntryRefused):
        _import(bob, data)
    assert Campaign.objects.count() == 2


# --- earlier files


@pytest.mark.parametrize(
    "path", sorted(FILES.glob("*.json")), ids=lambda path: path.stem
)
def test_files_of_every_version_come_in(alice: User, path: Path) -> None:
    """As long as there is this program; ``read`` says what is in each of them."""
    a_row()
    kept = json.loads(path.read_text())
    assert kept["file"]["file_version"] == int(path.stem)
    imported = _import(alice, kept["file"])
    campaign, read = imported.campaign, kept["read"]
    people = replayed(campaign).replay.state.people
    assert {code: each.experience for code, each in people.items()} == read["earned"]
    assert [each.investigator for each in campaign.seats.all()] == read["seats"]
    counters = [in_play.read(each.content).counters for each in campaign.plays.all()]
    assert [[list(each) for each in found] for found in counters] == read["counters"]
    assert (campaign.linked is not None) is read["linked"]


def test_every_version_of_the_file_is_kept() -> None:
    """From the first to this one."""
    kept = sorted(int(path.stem) for path in FILES.glob("*.json"))
    assert kept == list(range(1, campaign_file.VERSION + 1))


# --- junk


def _without(key: str) -> Any:
    def spoil(data: dict[str, Any]) -> None:
        del data[key]

    return spoil


def _with(*path: Any, value: Any) -> Any:
    def spoil(data: dict[str, Any]) -> None:
        place: Any = data
        for each in path[:-1]:
            place = place[each]
        place[path[-1]] = value

    return spoil


@pytest.mark.parametrize(
    ("spoil", "pointer"),
    [
        (_with("format", value="deck"), "/format"),
        (_with("file_version", value=3), "/file_version"),
        (_with("file_version", value=0), "/file_version"),
        (_with("file_version", value="2"), "/file_version"),
        (_with("linked", value={}), "/linked/id"),
        (_with("linked", value={"id": "x", "campaign": {}}), "/linked/campaign/format"),
        (_with("plays", value=[{"scenario": "one"}]), "/plays/0/bag"),
        (_with("plays", 0, "bag", value=[["skull", -1]]), "/plays/0/bag"),
        (_with("plays", 0, "bag", value=[["spoon", 1]]), "/plays/0/bag"),
        (_with("plays", 0, "bag", value=[["skull", 1], ["skull", 1]]), "/plays/0/bag"),
        (_with("plays", 0, "sealed", value=[["bless", 11]]), "/plays/0/bag"),
        (_with("plays", 0, "counters", value=[["Doom", -1]]), "/plays/0/counters"),
        (_with("plays", 0, "counters", value=[["Doom", 1]] * 2), "/plays/0/counters"),
        (_with("plays", 0, "notes", value="x" * 2001), "/plays/0/notes"),
        (_with("plays", 0, "ticked", value=["x" * 121]), "/plays/0/ticked/0"),
        (_with("plays", 0, "scenario", value="x" * 81), "/plays/0/scenario"),
        (_without("name"), "/name"),
        (_with("name", value="x" * 121), "/name"),
        (_with("guide", "id", value=3), "/guide/id"),
        (_with("guide_version", value=-2), "/guide_version"),
        (_with("terms", value={"faq": 3}), "/terms/faq"),
        (_with("seats", 0, "investigator", value="x" * 41), "/seats/0/investigator"),
        (_with("seats", 1, value={"investigator": ROLAND}), "/seats"),
        (_with("entries", value={}), "/entries"),
        (_with("entries", 1, value=3), "/entries/1"),
        (_with("entries", 1, "kind", value="spell"), "/entries/1/kind"),
        (_with("entries", 1, "version", value=9), "/entries/1/version"),
        (_with("entries", 1, "at", value="tomorrow"), "/entries/1/at"),
        (_with("entries", 1, "at", value="2026-03-01T19:00:00"), "/entries/1/at"),
        (
            _with("entries", 1, "at", value="9999-12-31T23:59:59-14:00"),
            "/entries/1/at",
        ),
        (
            _with("entries", 1, "at", value="0001-01-01T00:00:00+14:00"),
            "/entries/1/at",
        ),
        (_with("entries", 1, "author", value="x" * 81), "/entries/1/author"),
        (
            _with("entries", 1, "payload", "value", value=3),
            "/entries/1/payload/value",
        ),
        (
            _with("entries", 1, value={"kind": "retracted", "version": 1,
                                       "payload": {"target": 2},
                                       "at": "2026-03-01T19:00:00Z"}),
            "/entries/1/payload/target",
        ),
    ],
)  # fmt: skip
def test_junk_is_refused_with_its_place(
    played: Campaign, alice: User, spoil: Any, pointer: str
) -> None:
    """Nothing of it is kept."""
    _play(played, "more:Doom")
    data = _exported(played)
    spoil(data)
    assert pointer in _faults(alice, data)
    assert Campaign.objects.count() == 1


@pytest.mark.parametrize("data", [None, [], "x", 3, {}])
def test_what_is_no_file_at_all_is_refused(alice: User, data: object) -> None:
    """Whatever it is."""
    assert _faults(alice, data) == ["/format"]


def test_every_fault_of_the_log_is_told(played: Campaign, alice: User) -> None:
    """Not the first one only."""
    data = _exported(played)
    data["entries"][1]["kind"] = "spell"
    data["entries"][3]["at"] = "never"
    assert _faults(alice, data) == ["/entries/1/kind", "/entries/3/at"]


# --- by API


def test_a_campaign_goes_out_and_in_by_api(played: Campaign, as_alice: Client) -> None:
    """The same file."""
    data = as_alice.get(f"{API}{played.pk}/export").json()
    answer = as_alice.post(f"{API}import", data, content_type="application/json")
    assert answer.status_code == 201
    made = answer.json()["id"]
    assert answer["Location"].endswith(f"{API}{made}/")
    assert _same(as_alice.get(f"{API}{made}/export").json()) == _same(data)


def test_strangers_get_no_file_by_api(played: Campaign, as_charlie: Client) -> None:
    """There is no such campaign for them."""
    assert as_charlie.get(f"{API}{played.pk}/export").status_code == 404


def test_junk_is_a_problem_with_pointers(played: Campaign, as_alice: Client) -> None:
    """As any door answers."""
    data = as_alice.get(f"{API}{played.pk}/export").json()
    data["entries"][1]["kind"] = "spell"
    answer = as_alice.post(f"{API}import", data, content_type="application/json")
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == "/entries/1/kind"


# --- by page


def _brought(client: Client, text: str | bytes) -> Any:
    content = text.encode() if isinstance(text, str) else text
    file = io.BytesIO(content)
    file.name = "campaign.json"
    return client.post("/campaigns/bring/", {"file": file})


def test_a_file_is_brought_by_page(played: Campaign, as_alice: Client) -> None:
    """And shown."""
    saved = as_alice.get(f"/campaigns/{played.pk}/campaign.json")
    assert saved["Content-Disposition"].startswith("attachment")
    answer = _brought(as_alice, saved.content)
    twin = Campaign.objects.exclude(pk=played.pk).get()
    assert answer["Location"] == f"/campaigns/{twin.pk}/log/"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("{", "a campaign of ours or a backup"),
        (b"\xff\xfe", "a campaign of ours or a backup"),
        ("{}", "/format"),
        ("[" * 2000, "a campaign of ours or a backup"),
    ],
)
def test_a_file_of_junk_is_told(
    alice: User, as_alice: Client, text: str | bytes, wrong: str
) -> None:
    """Never a 500."""
    answer = _brought(as_alice, text)
    assert answer.status_code == 422
    assert wrong in answer.content.decode()


# --- backups of the field's app


RECORDED = [
    {"type": "start_scenario", "scenario": "$campaign_setup"},
    {"scenario": "$campaign_setup", **who(ROLAND, DAISY)},
    *won("one"),
]


def _backup(**more: Any) -> dict[str, Any]:
    return {
        "campaigns": [
            {"uuid": "a", "name": "Mine", "cycleCode": "own", "guideVersion": 3},
            {"uuid": "b", "name": "By hand", "cycleCode": "own"},
        ],
        "guides": [{"uuid": "a", "inputs": RECORDED}],
        **more,
    }


def _restored(user: User, data: object) -> services.BackupOutcome:
    return services.import_backup(
        organiser=user, data=data, usable=usable_guides(Visitor(user)), now=NOW
    )


def test_a_backup_is_read_through_the_engine(alice: User) -> None:
    """What was kept by hand is left; what was answered is a log of its own."""
    a_row()
    (found,) = _restored(alice, _backup()).restored
    campaign = found.campaign
    assert (campaign.name, campaign.last) == ("Mine", len(RECORDED))
    people = replayed(campaign).replay.state.people
    assert people[ROLAND].experience == 3
    assert {seat.investigator for seat in campaign.seats.all()} == {ROLAND, DAISY}


def test_choices_by_number_get_their_stable_id(alice: User) -> None:
    """Another version of the guide may have others before them."""
    a_row()
    raws = [{**raw} for raw in RECORDED]
    backup = _backup(guides=[{"uuid": "a", "inputs": raws}])
    (found,) = _restored(alice, backup).restored
    rows = found.campaign.entries.filter(kind="choice")
    assert [row.payload.get("choice") for row in rows] == ["$finish", "R1"]


def test_what_the_rules_make_otherwise_is_told(alice: User, as_alice: Client) -> None:
    """The app's bag holds no third −4; by the rules any number may be there."""
    tokens = does({"type": "add_chaos_token", "tokens": ["-4"] * 3}, step_id="tokens")
    a_row(a_game("one", tokens))
    (found,) = _restored(alice, _backup()).restored
    assert found.ruled.tokens == (("-4", 1),)
    page = _brought(as_alice, json.dumps(_backup())).content.decode()
    assert "+1 × −4" in page


def test_a_guide_that_is_not_here_leaves_one_campaign(alice: User) -> None:
    """The others come in."""
    a_row()
    data = _backup()
    data["campaigns"][1]["cycleCode"] = "gone"
    data["guides"].append({"uuid": "b", "inputs": RECORDED})
    outcome = _restored(alice, data)
    (left,) = outcome.left
    assert len(outcome.restored) == 1
    assert (left.name, left.finding.values) == ("By hand", (("guides", "gone"),))
    assert Campaign.objects.count() == 1


def test_a_backup_without_any_campaign_is_refused(alice: User) -> None:
    """There is nothing in it to read; those without a guide are listed."""
    outcome = _restored(alice, _backup(guides=[]))
    assert (outcome.restored, outcome.left) == ((), ())
    assert outcome.by_hand == ("Mine", "By hand")
    with pytest.raises(EntryRefused):
        _restored(alice, {"campaigns": [], "guides": []})


@pytest.mark.parametrize(
    ("more", "pointer"),
    [
        ({"guides": 3}, "/guides"),
        ({"campaigns": [3]}, "/campaigns/0"),
        ({"guides": [{"uuid": "a", "inputs": [{"type": "spell"}]}]},
         "/guides/0/inputs/0/type"),
        ({"campaigns": {"a": {"cycleCode": "own", "guideVersion": "x"}}},
         "/campaigns/a/guideVersion"),
    ],
)  # fmt: skip
def test_junk_in_a_backup_is_refused_with_its_place(
    alice: User, more: dict[str, Any], pointer: str
) -> None:
    """Nothing of it is kept."""
    a_row()
    with pytest.raises(Unreadable) as caught:
        _restored(alice, _backup(**more))
    assert caught.value.faults[0].pointer == pointer
    assert Campaign.objects.count() == 0


def test_a_backup_is_brought_by_page(alice: User, as_alice: Client) -> None:
    """With what the rules make of it."""
    a_row()
    answer = _brought(as_alice, json.dumps(_backup()))
    assert answer.status_code == 200
    page = answer.content.decode()
    assert "Mine" in page
    assert "Everything is as the app had it." in page


def test_recorded_runs_come_in_as_they_were(alice: User, shared_data: Path) -> None:
    """A run of a guide that is not here is left, whatever it holds."""
    first = (shared_data / "data/guides/cases.jsonl").read_text().splitlines()[0]
    outcome = _restored(alice, json.loads(first))
    assert (outcome.restored, len(outcome.left)) == ((), 1)
