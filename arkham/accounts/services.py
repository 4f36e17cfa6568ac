"""Inviting people, letting each invitation in once, forgetting what has expired."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta

from django.contrib.sessions.models import Session
from django.db import transaction

from arkham.accounts.models import Invitation, User

LIFETIME = timedelta(days=30)


def _digest(code: str) -> str:
    return hashlib.sha256(code.strip().encode()).hexdigest()


def invite(*, now: datetime, note: str = "", lifetime: timedelta = LIFETIME) -> str:
    """Make an invitation and return its code, which is not kept anywhere."""
    code = secrets.token_urlsafe(12)
    Invitation.objects.create(
        digest=_digest(code), note=note, created_at=now, expires_at=now + lifetime
    )
    return code


def is_open(*, code: str, now: datetime) -> bool:
    """Whether this code would let somebody in now."""
    return Invitation.objects.filter(
        digest=_digest(code), used_at=None, expires_at__gt=now
    ).exists()


@transaction.atomic
def redeem(*, code: str, user: User, now: datetime) -> bool:
    """Use up the invitation; False if it is unknown, expired or used already."""
    taken = Invitation.objects.filter(
        digest=_digest(code), used_at=None, expires_at__gt=now
    ).update(used_at=now, used_by=user)
    return taken == 1


@transaction.atomic
def forget_expired(*, now: datetime) -> int:
    """Delete sessions and unused invitations past their time; how many they were."""
    sessions, _each = Session.objects.filter(expire_date__lte=now).delete()
    invitations, _each = Invitation.objects.filter(
        used_at=None, expires_at__lte=now
    ).delete()
    return sessions + invitations
