"""Accounts, invitations to create them, and keys that act for an account."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _


class User(AbstractUser):
    """A person with an account. An e-mail address is never required.

    ``preferences`` are read and written by ``arkham.accounts.preferences``.
    """

    preferences = models.JSONField(_("preferences"), default=dict, blank=True)

    @classmethod
    def normalize_username(cls, username: str) -> str:
        """Return the name in lower case, as sign-in looks it up."""
        return super().normalize_username(username).lower()

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save it, unless it was closed after it was read."""
        if not self._state.adding:
            kwargs["force_update"] = True
        super().save(*args, **kwargs)


class Invitation(models.Model):
    """A code that lets one person sign up, once.

    Only a digest of the code is stored; the code is shown when it is created.
    """

    digest = models.CharField(_("digest"), max_length=64, unique=True)
    note = models.CharField(_("note"), max_length=200, blank=True)
    created_at = models.DateTimeField(_("created at"))
    expires_at = models.DateTimeField(_("expires at"))
    used_at = models.DateTimeField(_("used at"), null=True, blank=True)
    used_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("used by"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
    )

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.note or self.digest[:8]


LONGEST_KEY_NAME = 80
LONGEST_IDEMPOTENCY_KEY = 255


class ApiKey(models.Model):
    """A key with which a program acts for its owner.

    Only the ``prefix``, by which it is found, and a digest are stored; the key is shown
    when it is created. A revoked key gives no access.
    """

    class Scope(models.TextChoices):
        """The rights of a program."""

        READ = "read", _("read")
        WRITE = "write", _("read and write")

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("owner"),
        on_delete=models.CASCADE,
        related_name="api_keys",
    )
    name = models.CharField(_("name"), max_length=LONGEST_KEY_NAME)
    scope = models.CharField(_("scope"), max_length=5, choices=Scope.choices)
    prefix = models.CharField(_("prefix"), max_length=16, unique=True)
    digest = models.CharField(_("digest"), max_length=64)
    made_at = models.DateTimeField(_("made at"))
    used_at = models.DateTimeField(_("last used at"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked at"), null=True, blank=True)

    class Meta:
        verbose_name = _("API key")
        verbose_name_plural = _("API keys")
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix})"

    @property
    def may_write(self) -> bool:
        """Whether the program may change anything."""
        return self.scope == self.Scope.WRITE


class KeptAnswer(models.Model):
    """The answer to a request that its sender may repeat by mistake.

    ``key`` is the sender's key for the request, ``fingerprint`` a digest of the
    request, to tell it from another one under the same key.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("owner"),
        on_delete=models.CASCADE,
        related_name="+",
    )
    key = models.CharField(_("key"), max_length=LONGEST_IDEMPOTENCY_KEY)
    fingerprint = models.CharField(_("fingerprint"), max_length=64)
    status = models.PositiveSmallIntegerField(_("status"), null=True)
    headers = models.JSONField(_("headers"), default=dict)
    body = models.TextField(_("body"), blank=True)
    made_at = models.DateTimeField(_("made at"), db_index=True)

    class Meta:
        verbose_name = _("kept answer")
        verbose_name_plural = _("kept answers")
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "key"], name="one_answer_an_idempotency_key"
            )
        ]

    def __str__(self) -> str:
        return f"{self.owner_id}: {self.key[:20]}"
