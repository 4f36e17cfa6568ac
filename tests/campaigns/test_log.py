"""The log only grows, without gaps, and is replayed from the last known state."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.db.utils import IntegrityError
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.campaign.interpreter import replay as replaying
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.campaign.state.answers import Answer, Retracted
from campaigns.log import replays, store
from campaigns.log.entries import DrawEntry
from campaigns.log.replays import replayed
from campaigns.log.store import LogBroken, LogMoved
from campaigns.models import Campaign, Guide, LogEntry, Snapshot
from tests.campaigns.helpers.tables import (
    NOW,
    a_campaign,
    as_answers,
    experience,
    organiser_of,
    report,
    who,
)
from tests.rules.campaign.helpers.games import won
from tests.rules.campaign.helpers.small import DAISY, ROLAND

PROJECT = Path(__file__).resolve().parents[2]
WHO = Answer("string_choices", SETUP, "who", {ROLAND: ("chosen",)})
TEXT = Answer("text", "one", "notes", "nothing")


@pytest.fixture
def campaign(alice: User) -> Campaign:
    """A campaign that has begun: its first entry is written."""
    return a_campaign(alice)


def _append(campaign: Campaign, *entries: Any, after: int, key: str = "") -> Any:
    author = organiser_of(campaign)
    return store.append(campaign, entries, after=after, author=author, now=NOW, key=key)


def test_entries_are_numbered_without_a_gap(campaign: Campaign) -> None:
    """With their author, also by name."""
    appended = _append(campaign, WHO, TEXT, after=1)

    assert [each.sequence for each in appended.entries] == [2, 3]
    assert campaign.last == 3
    assert [row.author_name for row in store.rows(campaign)] == ["alice"] * 3
    assert store.entries(campaign, since=1) == [
        WHO._replace(sequence=2),
        TEXT._replace(sequence=3),
    ]


def test_a_late_writer_gets_the_entries_they_missed(
    campaign: Campaign,
) -> None:
    """And writes nothing."""
    _append(campaign, WHO, after=1)
    stale = Campaign.objects.get(pk=campaign.pk)
    _append(campaign, TEXT, after=2)

    with pytest.raises(LogMoved) as moved:
        _append(stale, TEXT, after=2)

    assert [row.sequence for row in moved.value.missed] == [3]
    assert moved.value.last == 3
    assert LogEntry.objects.filter(campaign=campaign).count() == 3


@pytest.mark.parametrize("after", [0, 5])
def test_entries_are_only_appended(campaign: Campaign, after: int) -> None:
    """Neither before the last entry nor with a gap."""
    with pytest.raises(LogMoved):
        _append(campaign, WHO, after=after)


def test_a_key_is_written_once(campaign: Campaign) -> None:
    """Repeated after other entries, it returns the same entries."""
    first = _append(campaign, WHO, TEXT, after=1, key="a")
    _append(campaign, TEXT, after=3, key="a#b")
    again = _append(campaign, WHO, TEXT, after=1, key="a")

    assert (first.is_new, again.is_new) == (True, False)
    assert [each.sequence for each in again.entries] == [2, 3]
    assert campaign.last == 4


def test_another_campaign_may_use_the_same_key(alice: User, campaign: Campaign) -> None:
    other = a_campaign(alice, guide=campaign.guide)
    _append(campaign, WHO, after=1, key="a")

    assert _append(other, WHO, after=1, key="a").is_new


def test_entries_are_immutable(campaign: Campaign) -> None:
    """By query set, by row and by SQL."""
    row = campaign.entries.get()
    with pytest.raises(TypeError):
        campaign.entries.update(kind="text")
    with pytest.raises(TypeError):
        campaign.entries.all().delete()
    row.payload = {"scenario": "other", "step": "", "value": None}
    with pytest.raises(DatabaseError), transaction.atomic():
        row.save()
    with (
        pytest.raises(DatabaseError),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute("UPDATE campaigns_logentry SET sequence = 9")

    assert store.entries(campaign) == [Answer("start_scenario", SETUP, "", None, 1)]


def test_sequence_numbers_are_unique(campaign: Campaign) -> None:
    """A database constraint."""
    row = campaign.entries.get()
    row.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        row.save(force_insert=True)


def test_entries_survive_their_author(
    alice: User, bob: User, campaign: Campaign
) -> None:
    """With the name of then."""
    organiser = organiser_of(campaign)
    organiser.delete()

    assert [(row.author, row.author_name) for row in store.rows(campaign)] == [
        (None, "alice")
    ]


def test_a_missing_entry_is_detected(campaign: Campaign) -> None:
    """In the middle, and at the end."""
    _append(campaign, WHO, TEXT, TEXT, after=1)
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM campaigns_logentry WHERE sequence = 3")

    with pytest.raises(LogBroken) as broken:
        store.entries(campaign)
    assert broken.value.sequence == 3

    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM campaigns_logentry WHERE sequence = 4")
    with pytest.raises(LogBroken):
        store.entries(campaign)


def test_every_page_reports_a_missing_entry(as_alice: Client, played: Campaign) -> None:
    """And none fails, nor with a missing guide."""
    pages = [
        f"/campaigns/{played.pk}/{page}"
        for page in ("", "log/", "timeline/", "scenario/", "people/", "ultimatums/")
    ]
    Guide.objects.filter(pk=played.guide_id).update(digest="gone", prepared=b"")
    answer = as_alice.get(pages[0])
    assert (answer.status_code, "is missing" in answer.content.decode()) == (409, True)
    Guide.objects.filter(pk=played.guide_id).update(
        digest=played.guide.digest, prepared=played.guide.prepared
    )
    Snapshot.objects.all().delete()
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM campaigns_logentry WHERE sequence = 3")
    for page in pages:
        replays._kept.clear()
        answer = as_alice.get(page)
        assert answer.status_code == 409, page
        assert "We can’t read entry 3 of the log" in answer.content.decode()
    replays._kept.clear()
    assert as_alice.get(f"/api/v1/campaigns/{played.pk}/").status_code == 409


def test_an_unreadable_entry_is_reported(campaign: Campaign) -> None:
    """With its place."""
    row = LogEntry(
        campaign=campaign,
        sequence=2,
        kind="count",
        version=1,
        payload={"value": "x"},
        recorded_at=NOW,
    )
    row.save()
    campaign.last = 2

    with pytest.raises(LogBroken) as broken:
        store.entries(campaign)
    assert broken.value.sequence == 2


def test_the_head_is_that_of_the_whole_log(alice: User, campaign: Campaign) -> None:
    """Equal logs have equal heads; one changed entry changes the head."""
    other = a_campaign(alice, guide=campaign.guide)
    assert other.head == campaign.head
    _append(campaign, WHO, after=1)
    _append(other, TEXT, after=1)

    assert other.head != campaign.head
    assert store.head_of(store.rows(campaign)) == campaign.head


def test_draws_are_no_answers(campaign: Campaign) -> None:
    """A draw is in the log beside the answer it was made for."""
    _append(campaign, DrawEntry("one", "step", {"seed": "1"}), WHO, after=1)

    assert replayed(campaign).replay.pending is not None
    assert replayed(campaign).replay.problems == ()


# --- folding


def test_another_answer_is_applied_to_the_last_state(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the new entries are read."""
    report(campaign, as_answers(who(ROLAND, DAISY), *won("one")))
    before = replayed(campaign)
    assert replayed(Campaign.objects.get(pk=campaign.pk)) is before
    given: list[Any] = []
    fold = replaying.fold

    def noted(*arguments: Any, **named: Any) -> Any:
        given.append(named["after"])
        return fold(*arguments, **named)

    monkeypatch.setattr(replays, "fold", noted)
    report(campaign, as_answers({"type": "start_scenario", "scenario": "two"}))

    assert given == [before.replay]
    assert experience(campaign, ROLAND) == 3


def test_a_rolled_back_log_is_not_cached(
    campaign: Campaign,
) -> None:
    """The same sequence, with another answer, is another state."""
    report(campaign, as_answers(who(ROLAND, DAISY)))
    with transaction.atomic():
        report(campaign, as_answers({"type": "start_scenario", "scenario": "one"}))
        replayed(campaign)
        transaction.set_rollback(True)
    again = Campaign.objects.get(pk=campaign.pk)
    _append(again, Retracted(2), after=2)
    pending = replayed(again).replay.pending

    assert pending is not None
    assert pending.step == "who"


def test_the_number_of_cached_replays_is_limited(
    alice: User, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The least recently used goes first."""
    monkeypatch.setattr(replays, "MOST_KEPT", 2)
    found = [replayed(a_campaign(alice, guide=campaign.guide)) for _number in range(3)]

    assert len(found) == 3
    assert len(replays._kept) == 2


TOGETHER = """
import os, threading
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
from concurrent.futures import ThreadPoolExecutor
import django
django.setup()
from django.core.management import call_command
from django.db import connection
call_command("migrate", verbosity=0)
from arkham.accounts.models import User
from arkham.rules.campaign.state.answers import Answer
from campaigns.log import store as log
from campaigns.models import Campaign
from tests.campaigns.helpers.tables import a_campaign, later, organiser_of
campaign = a_campaign(User.objects.create_user("alice"))
all_at_once = threading.Barrier(4, timeout=20)

def write(name):
    own = Campaign.objects.get(pk=campaign.pk)
    author = organiser_of(own)
    all_at_once.wait()
    try:
        entry = Answer("text", "one", "notes", str(name))
        log.append(own, [entry], after=1, author=author, now=later(1))
        return "written"
    except log.LogMoved as moved:
        return "-".join(str(row.sequence) for row in moved.missed)
    finally:
        connection.close()

with ThreadPoolExecutor(4) as pool:
    print(*sorted(pool.map(write, range(4))))
print(*campaign.entries.order_by("sequence").values_list("sequence", flat=True))
"""


@pytest.mark.slow
def test_of_concurrent_writers_one_succeeds(tmp_path: Path) -> None:
    """The others get its entries; no number is given twice."""
    done = subprocess.run(
        [sys.executable, "-c", TOGETHER],
        cwd=PROJECT,
        env={**os.environ, "DATABASE_URL": f"sqlite:///{tmp_path}/together.sqlite3"},
        capture_output=True,
        text=True,
        timeout=120,
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["2 2 2 written", "1 2"]
