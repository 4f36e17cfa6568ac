"""Imported guides are stored, all of them or none; and who sees them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from arkham.accounts.models import User
from arkham.rules.campaign.reading.prepared import import_guides
from campaigns.guides import keeping, opening
from campaigns.guides.keeping import (
    GuideChange,
    GuideInUse,
    ImportReport,
    NoGuideFound,
    TooMuchKept,
    remove_guide,
    store_guides,
)
from campaigns.guides.opening import opened
from campaigns.models import Campaign, Guest, Guide, Membership, Role
from tests.campaigns.helpers.zips import a_campaign, guide_files, zipped
from tests.rules.campaign.helpers.small import Raw, a_note, a_scenario, a_step

NOW = datetime(2026, 11, 21, 20, tzinfo=UTC)
LATER = datetime(2026, 11, 22, 20, tzinfo=UTC)
TOLD: Raw = {"id": "told", "type": "story", "text": "What is told."}

pytestmark = pytest.mark.django_db


def side_files(*steps: Raw) -> dict[str, bytes]:
    """The side scenarios: one, called “aside”."""
    campaign = a_campaign("side", name="Side", scenarios=["aside"])
    scenario = a_scenario("aside", *(steps or (a_step(a_note("b")),)))
    return {
        "campaigns/side/campaign.json": json.dumps(campaign).encode(),
        "campaigns/side/aside.json": json.dumps(scenario).encode(),
    }


def taken(
    files: dict[str, bytes], owner: User | None, now: datetime = NOW
) -> dict[str, GuideChange]:
    """Return the result for each guide, by its id."""
    report = report_of(files, owner, now)
    return {guide.guide_id: change for guide, change in report.guides}


def report_of(
    files: dict[str, bytes], owner: User | None, now: datetime = NOW
) -> ImportReport:
    """Return the report of an import."""
    return store_guides(guide_import=import_guides(files), owner=owner, now=now)


def played(guide: Guide, *members: User) -> Campaign:
    """Make a campaign that uses a guide."""
    campaign = Campaign.objects.create(
        name="Ours", guide=guide, made_at=NOW, changed_at=NOW
    )
    for member in members:
        sits(campaign, member)
    return campaign


def sits(campaign: Campaign, user: User) -> Membership:
    """Add a member."""
    return Membership.objects.create(
        campaign=campaign, user=user, role=Role.PLAYER, joined_at=NOW
    )


class TestKeeping:
    """What is stored, kept and deleted."""

    def test_a_guide_is_stored_as_it_can_be_played(self, alice: User) -> None:
        """With its name, version and flaws, and it opens."""
        files = guide_files("own", a_step(a_note("a")), {"id": "b", "steps": ["gone"]})

        report = report_of(files, alice)

        guide = Guide.objects.get(owner=alice)
        assert [each.guide for each in report.guides] == [guide]
        assert (guide.guide_id, guide.name, guide.version) == ("own", "Our own", 2)
        assert (guide.scenarios, guide.origin) == (1, "field")
        assert guide.flaws == [
            ["guide.unknown-step", "own/one · b", "gone", "a step's id"]
        ]
        assert guide.serious == 1
        assert list(opened(guide).scenarios) == ["one"]

    def test_importing_it_again_changes_nothing(self, alice: User) -> None:
        """Neither rows nor dates."""
        assert taken(guide_files(), alice) == {"own": GuideChange.ADDED}
        before = list(Guide.objects.values())

        assert taken(guide_files(), alice, LATER) == {"own": GuideChange.UNCHANGED}
        assert list(Guide.objects.values()) == before

    def test_a_newer_version_replaces_an_unused_one(self, alice: User) -> None:
        taken(guide_files(), alice)

        assert taken(guide_files(version=3), alice, LATER) == {
            "own": GuideChange.CHANGED
        }
        assert [guide.version for guide in Guide.objects.all()] == [3]

    def test_a_used_version_stays(self, alice: User) -> None:
        """Beside the newer one; imported again it is the newest again."""
        taken(guide_files(), alice)
        first = Guide.objects.get()
        played(first)

        taken(guide_files(version=3), alice, LATER)

        assert [guide.version for guide in Guide.objects.all()] == [3, 2]
        again = datetime(2026, 11, 23, tzinfo=UTC)
        assert taken(guide_files(), alice, again) == {"own": GuideChange.CHANGED}
        assert [guide.pk for guide in Guide.objects.all()] == [first.pk]

    def test_users_have_guides_of_their_own(self, alice: User, bob: User) -> None:
        """An import changes nothing of another user's."""
        taken(guide_files(), alice)

        assert taken(guide_files(version=3), bob) == {"own": GuideChange.ADDED}
        assert taken(guide_files(), None) == {"own": GuideChange.ADDED}
        assert Guide.objects.count() == 3

    def test_each_guide_gets_the_side_scenarios(self, alice: User) -> None:
        """Whether imported with it or before."""
        taken(side_files(), alice)
        taken(guide_files(), alice)

        own = Guide.objects.get(guide_id="own")
        assert list(opened(own).side) == ["aside"]

        other = {**side_files(a_step(a_note("c"))), **guide_files()}
        assert taken(other, alice, LATER) == {
            "own": GuideChange.CHANGED,
            "side": GuideChange.CHANGED,
        }
        assert Guide.objects.count() == 2

    def test_used_side_scenarios_stay(self, alice: User) -> None:
        """A campaign keeps the side scenarios that its guide came with."""
        taken({**side_files(), **guide_files()}, alice)
        own, side = Guide.objects.order_by("guide_id")
        played(own)

        taken({**side_files(a_step(a_note("c"))), **guide_files()}, alice, LATER)

        assert {own.pk, side.pk} <= set(Guide.objects.values_list("pk", flat=True))
        with pytest.raises(GuideInUse):
            remove_guide(guide=side)

    def test_a_file_that_is_no_guide_is_reported(self, alice: User) -> None:
        """Beside those that are; alone it is refused."""
        strays = {"campaigns/stray/one.json": b"{}", "campaigns/bad/x.json": b"{"}

        report = report_of({**guide_files(), **strays}, alice)

        assert [flaw.rule for flaw in report.flaws] == [
            "guide.unreadable",
            "guide.missing",
        ]
        with pytest.raises(NoGuideFound) as refusal:
            report_of(strays, alice)
        assert [flaw.at for flaw in refusal.value.flaws] == [
            "campaigns/bad/x.json, line 1, column 2",
            "stray",
        ]

    def test_an_account_has_a_quota_of_guides(
        self, alice: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Nothing of a larger import is kept."""
        monkeypatch.setattr(keeping, "MOST_KEPT", 1)
        taken(guide_files(), alice)

        with pytest.raises(TooMuchKept):
            report_of({**guide_files(version=3), **guide_files("two")}, alice)

        assert [guide.version for guide in Guide.objects.all()] == [2]
        monkeypatch.setattr(keeping, "MOST_KEPT", 300)
        monkeypatch.setattr(keeping, "MOST_KEPT_BYTES", 100)
        with pytest.raises(TooMuchKept):
            report_of(guide_files("two"), alice)

    def test_a_guide_is_removed_unless_used(self, alice: User) -> None:
        taken({**guide_files(), **guide_files("two")}, alice)
        own, two = Guide.objects.order_by("guide_id")
        played(own)

        remove_guide(guide=two)

        with pytest.raises(GuideInUse) as refusal:
            remove_guide(guide=own)
        assert refusal.value.campaigns == 1
        assert list(Guide.objects.all()) == [own]


class TestPrivacy:
    """Whose guides are seen by whom, and whose words."""

    def test_guides_are_visible_to_their_user(self, alice: User, bob: User) -> None:
        """The operator's are public."""
        taken(guide_files("hers"), alice)
        taken(guide_files("everybodys"), None)

        def seen(user: Any) -> list[str]:
            return sorted(each.guide_id for each in opening.usable_by(user))

        assert seen(alice) == ["everybodys", "hers"]
        assert seen(bob) == ["everybodys"]

    def test_words_are_visible_to_their_user_and_members(
        self, alice: User, bob: User, charlie: User
    ) -> None:
        """Until they leave the campaign."""
        taken(guide_files("own", TOLD), alice)
        guide = Guide.objects.get()
        campaign = played(guide, alice)
        seat = sits(campaign, bob)

        def told(user: User) -> object:
            return opening.words_for(guide, user).step("one", "told").get("text")

        assert told(alice) == told(bob) == "What is told."
        assert told(charlie) is None
        assert opening.words_at(seat).step("one", "told")["text"] == "What is told."

        seat.left_at = LATER
        seat.save()
        assert told(bob) is None
        assert opening.words_at(seat).step("one", "told") == {}

    def test_a_guest_reads_words_as_a_member(self, alice: User) -> None:
        """By the seat, without an account."""
        taken(guide_files("own", TOLD), alice)
        guest = Guest.objects.create(name="Ash", digest="d", made_at=NOW)
        seat = Membership.objects.create(
            campaign=played(Guide.objects.get()),
            guest=guest,
            role=Role.PLAYER,
            joined_at=NOW,
        )

        assert opening.words_at(seat).step("one", "told")["text"] == "What is told."

    def test_the_operators_words_are_for_every_account(self, bob: User) -> None:
        """And not for strangers."""
        from django.contrib.auth.models import AnonymousUser

        taken(guide_files("own", TOLD), None)
        guide = Guide.objects.get()

        assert opening.words_for(guide, bob).step("one", "told")["text"]
        assert opening.words_for(guide, AnonymousUser()).step("one", "told") == {}

    def test_the_prepared_guide_has_no_words(self, alice: User) -> None:
        from campaigns.guides.opening import unpacked

        taken(guide_files("own", TOLD), alice)

        guide = Guide.objects.get()
        assert b"What is told" not in unpacked(bytes(guide.prepared))
        assert b"What is told" in unpacked(bytes(guide.words or b""))


class TestCommand:
    """The operator's command."""

    def said(self, *arguments: str) -> tuple[list[str], int]:
        """Return the command's output, and its exit code."""
        output = StringIO()
        try:
            call_command("import_guides", *arguments, stdout=output)
        except SystemExit as done:
            return output.getvalue().splitlines(), int(str(done.code))
        return output.getvalue().splitlines(), 0

    def folder(self, tmp_path: Path, files: dict[str, bytes]) -> str:
        """A folder with these files."""
        for path, content in files.items():
            place = tmp_path / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
        return str(tmp_path)

    def test_a_folder_is_imported_for_everyone(self, tmp_path: Path) -> None:
        """Each flaw has a line, then each guide that is new."""
        steps = (a_step(a_note("a")), {"id": "b", "steps": ["gone"]})
        folder = self.folder(tmp_path, guide_files("own", *steps))

        assert self.said(folder) == (
            [
                "guide.unknown-step own/one · b: gone, not a step's id",
                "added own: Our own",
                "1 guides: 1 added, 0 changed, 0 unchanged.",
            ],
            0,
        )
        assert Guide.objects.get().owner is None
        assert self.said(folder)[0][-1] == "1 guides: 0 added, 0 changed, 1 unchanged."

    def test_a_zip_is_imported_for_one_account(
        self, tmp_path: Path, alice: User
    ) -> None:
        """Without its words, if requested."""
        place = tmp_path / "guides.zip"
        place.write_bytes(zipped(guide_files()))

        self.said(str(place), "--for", "alice", "--without-words")

        guide = Guide.objects.get(owner=alice)
        assert guide.words is None
        assert opening.words_for(guide, alice).step("one", "told") == {}

    def test_a_dry_run_stores_nothing(self, tmp_path: Path) -> None:
        """An invalid guide makes the exit code 1."""
        files = {**guide_files(), "campaigns/bad/x.json": b"{"}

        said, code = self.said(self.folder(tmp_path, files), "--dry-run")

        assert code == 1
        assert said[0].startswith("guide.unreadable campaigns/bad/x.json, line 1")
        assert not Guide.objects.exists()

    def test_invalid_arguments_are_refused(self, tmp_path: Path) -> None:
        """No folder, no zip, no guide, no account."""
        for arguments in (
            [str(tmp_path / "missing")],
            [str(tmp_path)],
            [self.folder(tmp_path / "bad", {"campaigns/bad/x.json": b"{"})],
            [str(tmp_path), "--for", "nobody"],
        ):
            with pytest.raises(CommandError) as refusal:
                self.said(*arguments)
            assert refusal.value.returncode == 2


def test_every_shared_guide_is_imported(shared_data: Path, alice: User) -> None:
    """23 campaigns, 6 Return tos and the side scenarios, and they open."""
    from campaigns.guides.files import guide_files as files_of
    from campaigns.guides.files import zipped_guide_files

    files = files_of(shared_data / "data" / "guides")
    stream = BytesIO(zipped(files, "arkham-cards-data-master/"))

    report = report_of(zipped_guide_files(stream), alice)

    assert report.count(GuideChange.ADDED) == 30
    assert report.flaws == ()
    assert sum(guide.serious for guide, _change in report.guides) == 5
    returns = [g.guide_id for g, _c in report.guides if g.guide_id.startswith("rt")]
    assert len(returns) == 6
    assert len(opened(Guide.objects.get(guide_id="dwl")).side) == 38
    assert set(taken(files, alice, LATER).values()) == {GuideChange.UNCHANGED}
