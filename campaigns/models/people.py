"""The people at a table: their roles, and how they came to it."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from campaigns.models.campaign import Campaign

LONGEST_PERSON = 80
LONGEST_DIGEST = 64


class Role(models.TextChoices):
    """What somebody may do at a table."""

    ORGANISER = "organiser", _("Organiser")
    SCRIBE = "scribe", _("Scribe")
    PLAYER = "player", _("Player")
    SPECTATOR = "spectator", _("Spectator")


class Guest(models.Model):
    """Somebody who plays without an account.

    Only a digest of the key that opens the table to them is kept; their browser has
    the key. Without a name it stands for somebody whose account was closed.
    """

    name = models.CharField(_("name"), max_length=LONGEST_PERSON)
    digest = models.CharField(_("digest"), max_length=LONGEST_DIGEST, unique=True)
    made_at = models.DateTimeField(_("made at"))

    class Meta:
        verbose_name = _("guest")
        verbose_name_plural = _("guests")

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """Somebody at a table: a person with an account, or a guest.

    Who has left stays as the author of what they wrote, and may do nothing any more.
    A guest whose account sat at the table as well was ``claimed_by`` it: what they
    wrote is the account's to take back.
    """

    campaign = models.ForeignKey(
        Campaign,
        verbose_name=_("campaign"),
        on_delete=models.CASCADE,
        related_name="memberships",
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("account"),
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="memberships",
    )
    guest = models.ForeignKey(
        Guest,
        verbose_name=_("guest"),
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="memberships",
    )
    role = models.CharField(_("role"), max_length=10, choices=Role.choices)
    joined_at = models.DateTimeField(_("joined at"))
    left_at = models.DateTimeField(_("left at"), null=True, blank=True)
    claimed_by = models.ForeignKey(
        "self",
        verbose_name=_("claimed by"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="claimed",
    )

    class Meta:
        verbose_name = _("member")
        verbose_name_plural = _("members")
        ordering = ["campaign", "joined_at", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(user__isnull=True) ^ Q(guest__isnull=True),
                name="a_member_is_a_person_or_a_guest",
            ),
            models.UniqueConstraint(
                fields=["campaign", "user"],
                condition=Q(user__isnull=False),
                name="a_person_once_at_a_table",
            ),
            models.UniqueConstraint(
                fields=["campaign", "guest"],
                condition=Q(guest__isnull=False),
                name="a_guest_once_at_a_table",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_closed(self) -> bool:
        """Whether it was an account that is closed now."""
        return self.guest is not None and not self.guest.name

    @property
    def name(self) -> str:
        """What they are called at the table."""
        if self.user is not None:
            return self.user.username
        if self.is_closed:
            return gettext("someone who left")
        return self.guest.name if self.guest is not None else ""


class Invitation(models.Model):
    """A link that brings people to a table, as ``role``, on ``seat`` if it names one.

    It is good for ``most_uses`` people, None for any number.

    The link is the ``key`` signed with the secret of the server, so it can be shown
    again as often as is wanted, and the database alone opens nothing.
    """

    campaign = models.ForeignKey(
        Campaign,
        verbose_name=_("campaign"),
        on_delete=models.CASCADE,
        related_name="invitations",
    )
    key = models.UUIDField(_("key"), unique=True, default=uuid.uuid4)
    role = models.CharField(
        _("role"), max_length=10, choices=Role.choices, default=Role.PLAYER
    )
    seat = models.ForeignKey(
        "campaigns.Seat",
        verbose_name=_("seat"),
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="invitations",
    )
    made_by = models.ForeignKey(
        Membership,
        verbose_name=_("made by"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
    )
    uses = models.PositiveIntegerField(_("uses"), default=0)
    most_uses = models.PositiveSmallIntegerField(_("most uses"), null=True, blank=True)
    made_at = models.DateTimeField(_("made at"))
    expires_at = models.DateTimeField(_("expires at"))
    revoked_at = models.DateTimeField(_("revoked at"), null=True, blank=True)

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        ordering = ["campaign", "-made_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.campaign_id}: {self.role}"
