"""The replay_campaigns command reports campaigns whose state has changed."""

from __future__ import annotations

import io

import pytest
from django.core.management import call_command
from django.db import connection

from arkham.accounts.models import User
from campaigns.models import Campaign, Guide, Snapshot
from tests.campaigns.helpers.tables import a_campaign, a_row, as_answers, report, who
from tests.rules.campaign.helpers.games import a_game, won
from tests.rules.campaign.helpers.small import DAISY, ROLAND


@pytest.fixture
def played(alice: User) -> Campaign:
    """The first scenario was won."""
    campaign = a_campaign(alice)
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")))
    return campaign


def _run(*arguments: str) -> tuple[int, list[str]]:
    out = io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("replay_campaigns", *arguments, stdout=out)
    assert isinstance(ended.value.code, int)
    return ended.value.code, out.getvalue().splitlines()


def test_an_unchanged_campaign_is_not_reported(played: Campaign) -> None:
    """Even if entries were written since."""
    assert _run() == (0, ["1 campaigns, 10 entries, 0 findings"])
    report(played, as_answers({"type": "start_scenario", "scenario": "two"}))

    assert _run("--check") == (0, ["1 campaigns, 11 entries, 0 findings"])
    assert Snapshot.objects.get().up_to == 10


def test_a_changed_campaign_is_reported(played: Campaign) -> None:
    """With another guide the investigators have earned more."""
    _run()
    one = a_game("one")
    victory = next(step for step in one["steps"] if step["id"] == "victory")
    victory["input"]["effects"][0]["bonus"] = 3
    newer = a_row(one, a_game("two"), a_game("three"), version=4)
    Campaign.objects.update(guide=newer)

    assert _run("--check") == (
        1,
        [
            f"campaign {played.pk}: Otherwise than before: investigators",
            "1 campaigns, 10 entries, 1 findings",
        ],
    )


def test_a_log_that_was_tampered_with_is_reported(played: Campaign) -> None:
    """An entry is missing, or was replaced."""
    Campaign.objects.update(head="0" * 64)
    assert _run("--check")[1][0].endswith("The log is not what was written.")
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM campaigns_logentry WHERE sequence = 4")

    assert _run("--check")[1][0].endswith("Entry 4 is broken.")


def test_a_missing_guide_is_reported(played: Campaign) -> None:
    """The others are replayed all the same."""
    Guide.objects.update(prepared=b"", digest="1" * 64)

    assert _run() == (
        1,
        [
            f"campaign {played.pk}: The guide “Our own” is missing.",
            "1 campaigns, 10 entries, 1 findings",
        ],
    )
    assert not Snapshot.objects.exists()


# -- a newer guide beside the one a campaign has --


def _compare() -> tuple[int, list[str]]:
    out = io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("compare_guides", stdout=out)
    assert isinstance(ended.value.code, int)
    return ended.value.code, out.getvalue().splitlines()


def test_a_newer_guide_is_compared_for_every_campaign(
    played: Campaign, alice: User, bob: User
) -> None:
    """Each with its differences; nothing is written. Older ones are ignored."""
    guide = played.guide
    untouched = a_campaign(alice, guide=guide)
    one = a_game("one")
    victory = next(step for step in one["steps"] if step["id"] == "victory")
    victory["input"]["effects"][0]["bonus"] = 3
    a_row(a_game("two"), version=2)
    a_row(a_game("one"), version=9, owner=bob)
    assert _compare() == (0, ["0 campaigns with a newer guide, 0 with differences"])

    newer = a_row(one, a_game("two"), a_game("three"), version=4)
    versions = f"own 3 ({guide.digest[:8]}) → own 4 ({newer.digest[:8]})"
    status, lines = _compare()
    assert status == 1
    assert lines == [
        f"campaign {played.pk}: {versions}: 2 differences",
        "  Roland Banks: +2 experience, loses Lita Chantler",
        "  Daisy Walker: +2 experience, loses Lita Chantler",
        f"campaign {untouched.pk}: {versions}: 0 differences",
        "2 campaigns with a newer guide, 1 with differences",
    ]
    played.refresh_from_db()
    assert (played.guide, played.last) == (guide, 10)


def test_a_newer_guides_changes_on_the_map_are_reported(played: Campaign) -> None:
    """Like those of the log and of the bag."""
    one = a_game("one")
    victory = next(step for step in one["steps"] if step["id"] == "victory")
    embark = {"type": "campaign_data", "setting": "embark", "location": "london"}
    victory["input"]["effects"].append(embark)
    a_row(one, a_game("two"), a_game("three"), version=4)

    status, lines = _compare()
    assert status == 1
    assert "  Now in London" in lines
