"""What has expired is forgotten, and nothing else."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.sessions.models import Session

from arkham import housekeeping
from arkham.accounts import services
from arkham.accounts.models import Invitation, User

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


@pytest.mark.django_db
def test_only_what_has_expired_is_forgotten(alice: User) -> None:
    """Sessions and unused invitations; a used one stays as a record."""
    Session.objects.create(session_key="old", expire_date=NOW)
    Session.objects.create(session_key="new", expire_date=NOW + timedelta(hours=1))
    services.invite(now=NOW - timedelta(days=31), note="lapsed")
    services.invite(now=NOW, note="open")
    used = services.invite(now=NOW - timedelta(days=31), note="used")
    services.redeem(code=used, user=alice, now=NOW - timedelta(days=30))

    assert services.forget_expired(now=NOW) == 2
    assert [session.session_key for session in Session.objects.all()] == ["new"]
    assert {one.note for one in Invitation.objects.all()} == {"open", "used"}
    assert services.forget_expired(now=NOW) == 0


@pytest.mark.django_db
def test_without_a_broker_the_task_runs_where_it_is_sent() -> None:
    """No worker, no queue; done when ``delay`` returns."""
    Session.objects.create(session_key="old", expire_date=NOW - timedelta(days=400))

    housekeeping.tidy.delay()

    assert Session.objects.count() == 0
