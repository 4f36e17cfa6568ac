"""Invite people, create and revoke API keys, and delete what has expired."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core.management.base import CommandError
from django.db import transaction
from django.utils.translation import gettext as _
from oauth2_provider.models import clear_expired

from arkham.accounts.models import ApiKey, Invitation, KeptAnswer, User
from arkham.web.quotas import lock_owner

LIFETIME = timedelta(days=30)
ANSWER_LIFETIME = timedelta(hours=24)  # of stored answers
MOST_KEYS = 20  # per account, without revoked ones
KEY_MARK = "orne"  # identifies lost keys as ours
USE_NOTED = timedelta(minutes=1)  # uses are recorded at most this often


def account_named(name: str) -> User:
    """Return the account with this name, in any case of letters; raise CommandError."""
    alike = User.objects.filter(username__iexact=name)
    found = alike.filter(username=name).first() or alike.first()
    if found is None:
        message = _("We don’t know the account “%(name)s”.") % {"name": name}
        raise CommandError(message, returncode=2)
    return found


def _digest(code: str) -> str:
    return hashlib.sha256(code.strip().encode()).hexdigest()


def invite(*, now: datetime, note: str = "", lifetime: timedelta = LIFETIME) -> str:
    """Create an invitation and return its code, which isn't stored anywhere."""
    code = secrets.token_urlsafe(12)
    Invitation.objects.create(
        digest=_digest(code), note=note, created_at=now, expires_at=now + lifetime
    )
    return code


def is_open(*, code: str, now: datetime) -> bool:
    """Return whether this code is valid now."""
    return Invitation.objects.filter(
        digest=_digest(code), used_at=None, expires_at__gt=now
    ).exists()


@transaction.atomic
def redeem(*, code: str, user: User, now: datetime) -> bool:
    """Use up the invitation; return False if it is unknown, expired or used."""
    taken = Invitation.objects.filter(
        digest=_digest(code), used_at=None, expires_at__gt=now
    ).update(used_at=now, used_by=user)
    return taken == 1


@transaction.atomic
def forget_expired(*, now: datetime) -> int:
    """Delete expired sessions, open invitations and stored answers; return how many."""
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
    """The account operates the server, and can't be blocked from a page."""


def block(*, account: User) -> None:
    """Block an account: no one can sign in, and its sessions, keys and apps stop.

    Raises IsOperator.
    """
    if account.is_staff:
        raise IsOperator
    User.objects.filter(pk=account.pk, is_staff=False).update(is_active=False)


def unblock(*, account: User) -> None:
    """Unblock an account: its owner can sign in; keys and apps work again."""
    User.objects.filter(pk=account.pk).update(is_active=True)


# -- API keys --


class TooManyKeys(Exception):
    """The account has as many keys as it may."""


@transaction.atomic
def make_key(
    *, owner: User, name: str, scope: ApiKey.Scope, now: datetime
) -> tuple[ApiKey, str]:
    """Create an API key; return it and its text, which isn't stored anywhere."""
    lock_owner(owner)
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
    """Return the key with this text, recording its use; None if it isn't valid."""
    mark, _bar, rest = text.partition("_")
    prefix, _bar, _secret = rest.partition("_")
    # Databases don't accept every text, and a prefix is hexadecimal.
    known = prefix if prefix.isalnum() else ""
    key = ApiKey.objects.select_related("owner").filter(prefix=known).first()
    # Always compared, so that the time taken reveals nothing about prefixes.
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
    """Revoke a key."""
    ApiKey.objects.filter(pk=key.pk, revoked_at=None).update(revoked_at=now)


def revoke_keys(*, owner: User, now: datetime) -> int:
    """Revoke all keys of an account; return the number that were valid."""
    return owner.api_keys.filter(revoked_at=None).update(revoked_at=now)
