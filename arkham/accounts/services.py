"""Inviting people, making and revoking API keys, forgetting what has expired."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import transaction
from oauth2_provider.models import clear_expired

from arkham.accounts.models import ApiKey, Invitation, KeptAnswer, User
from arkham.web.quotas import take_turns

LIFETIME = timedelta(days=30)
ANSWER_LIFETIME = timedelta(hours=24)  # of an answer that may be asked for again
MOST_KEYS = 20  # of one account, revoked ones not counted
KEY_MARK = "orne"  # by it a key that got lost is known for what it is
USE_NOTED = timedelta(minutes=1)  # no use is noted sooner after the last


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
    """Whether this code would let a visitor in now."""
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
    """Delete sessions, open invitations and kept answers past their time; how many."""
    sessions, _each = Session.objects.filter(expire_date__lte=now).delete()
    open_still = Session.objects.values("session_key")
    UserSession.objects.exclude(session_key__in=open_still).delete()
    invitations, _each = Invitation.objects.filter(
        used_at=None, expires_at__lte=now
    ).delete()
    answers, _each = KeptAnswer.objects.filter(
        made_at__lte=now - ANSWER_LIFETIME
    ).delete()
    clear_expired()
    return sessions + invitations + answers


# -- blocking --


class IsOperator(Exception):
    """The account operates the server, and is not blocked from a page."""


def block(*, account: User) -> None:
    """From now on no one signs in there: sessions, keys and apps open nothing.

    Raises IsOperator.
    """
    if account.is_staff:
        raise IsOperator
    User.objects.filter(pk=account.pk, is_staff=False).update(is_active=False)


def unblock(*, account: User) -> None:
    """Its owner signs in again; keys and apps work as before."""
    User.objects.filter(pk=account.pk).update(is_active=True)


# -- API keys --


class TooManyKeys(Exception):
    """The account has as many keys as it may."""


@transaction.atomic
def make_key(
    *, owner: User, name: str, scope: ApiKey.Scope, now: datetime
) -> tuple[ApiKey, str]:
    """Make an API key; it and its text, which is not kept anywhere."""
    take_turns(owner)
    if owner.api_keys.filter(revoked_at=None).count() >= MOST_KEYS:
        raise TooManyKeys
    prefix, secret = secrets.token_hex(6), secrets.token_urlsafe(32)
    text = f"{KEY_MARK}_{prefix}_{secret}"
    key = ApiKey.objects.create(
        owner=owner,
        name=name.strip(),
        scope=scope,
        prefix=prefix,
        digest=_digest(text),
        made_at=now,
    )
    return key, text


def key_behind(*, text: str, now: datetime) -> ApiKey | None:
    """The key of this text, noted as used; None if it opens nothing."""
    mark, _bar, rest = text.partition("_")
    prefix, _bar, _secret = rest.partition("_")
    # No database takes every text, and a prefix is hexadecimal.
    known = prefix if prefix.isalnum() else ""
    key = ApiKey.objects.select_related("owner").filter(prefix=known).first()
    # Compared in any case, so that the time taken reveals nothing about prefixes.
    same = secrets.compare_digest(_digest(text), key.digest if key else "0" * 64)
    if not (key and same and mark == KEY_MARK):
        return None
    if key.revoked_at or not key.owner.is_active:
        return None
    if key.used_at is None or key.used_at <= now - USE_NOTED:
        key.used_at = now
        key.save(update_fields=["used_at"])
    return key


def revoke_key(*, key: ApiKey, now: datetime) -> None:
    """From now on the key opens nothing."""
    ApiKey.objects.filter(pk=key.pk, revoked_at=None).update(revoked_at=now)


def revoke_keys(*, owner: User, now: datetime) -> int:
    """From now on no key of the account opens anything; how many did until now."""
    return owner.api_keys.filter(revoked_at=None).update(revoked_at=now)
