"""The people at a table: their roles, invitations, seats and decks."""

from __future__ import annotations

import uuid
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from campaigns.models.campaign import LONGEST_SCENARIO, Campaign
from decks.models import Deck

LONGEST_PERSON = 80
LONGEST_DIGEST = 64


class Role(models.TextChoices):
    """The rights of a member at a table."""

    ORGANISER = "organiser", _("Organiser")
    SCRIBE = "scribe", _("Scribe")
    PLAYER = "player", _("Player")
    SPECTATOR = "spectator", _("Spectator")


class Guest(models.Model):
    """A person who plays without an account.

    Their browser has the key that lets them in; only its digest is stored here. A guest
    without a name represents an account that was closed.
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
    """A member of a table: a person with an account, or a guest.

    Former members remain as authors of their entries and have no rights. If a guest's
    account was a member of the same table, the guest was ``claimed_by`` it: the account
    may undo what the guest wrote.
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
        ordering = ["campaign_id", "joined_at", "pk"]
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
        """Whether this was an account that is now closed."""
        return self.guest is not None and not self.guest.name

    @property
    def name(self) -> str:
        """The name shown at the table."""
        if self.user is not None:
            return self.user.username
        if self.is_closed:
            return gettext("someone who left")
        return self.guest.name if self.guest is not None else ""


class Invitation(models.Model):
    """A link that lets people join a table as ``role``, on ``seat`` if it names one.

    It works for ``most_uses`` people; None means any number.

    The link is the ``key`` signed with the server's secret, so it can be shown again at
    any time, and a copy of the database opens no table.
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
        ordering = ["campaign_id", "-made_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.campaign_id}: {self.role}"


LONGEST_CODE = 40


class Seat(models.Model):
    """An investigator of a campaign; a member may have any number of them.

    ``name`` is the player's name as entered by the table if no member has the seat.
    ``instead`` is the seat of the investigator that this one replaces. ``deck_since``
    is when its deck was linked, unknown for older seats. ``is_up_to_date`` is set
    during upgrades once the player is done.
    """

    class Kind(models.TextChoices):
        """The place where a seat's deck is kept."""

        HERE = "here", _("A deck in Orne")
        PAPER = "paper", _("A deck on paper")
        NONE = "none", _("No deck")

    campaign = models.ForeignKey(
        Campaign,
        verbose_name=_("campaign"),
        on_delete=models.CASCADE,
        related_name="seats",
    )
    investigator = models.CharField(_("investigator"), max_length=LONGEST_CODE)
    member = models.ForeignKey(
        Membership,
        verbose_name=_("player"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="seats",
    )
    deck = models.ForeignKey(
        Deck,
        verbose_name=_("deck"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
    )
    kind = models.CharField(
        _("kind of deck"), max_length=5, choices=Kind.choices, default=Kind.NONE
    )
    name = models.CharField(_("name"), max_length=LONGEST_PERSON, blank=True)
    instead = models.ForeignKey(
        "self",
        verbose_name=_("takes over from"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="successors",
    )
    made_at = models.DateTimeField(_("made at"))
    deck_since = models.DateTimeField(_("deck linked at"), null=True, blank=True)
    is_up_to_date = models.BooleanField(_("deck is up to date"), default=False)

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ["campaign_id", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "investigator"],
                name="an_investigator_once_a_campaign",
            ),
            models.CheckConstraint(
                condition=models.Q(deck__isnull=True) | models.Q(kind="here"),
                name="a_deck_here_is_kept_here",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.campaign_id}: {self.investigator}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save the seat; its campaign changes with it."""
        super().save(*args, **kwargs)
        Campaign.objects.filter(pk=self.campaign_id).update(changed_at=timezone.now())


class Settlement(models.Model):
    """The effect of a scenario on the deck of a seat, as of the entry ``sequence``.

    ``content`` is what the deck was given. If the log undoes it, the deck is changed
    again and ``taken_back_at`` set, so that nothing is lost.
    """

    seat = models.ForeignKey(
        Seat,
        verbose_name=_("seat"),
        on_delete=models.CASCADE,
        related_name="settlements",
    )
    deck = models.ForeignKey(
        Deck, verbose_name=_("deck"), on_delete=models.CASCADE, related_name="+"
    )
    scenario = models.CharField(_("scenario"), max_length=LONGEST_SCENARIO)
    sequence = models.PositiveIntegerField(_("entry"))
    content = models.JSONField(_("content"), default=dict)
    made_at = models.DateTimeField(_("made at"))
    taken_back_at = models.DateTimeField(_("undone at"), null=True, blank=True)

    class Meta:
        verbose_name = _("settlement")
        verbose_name_plural = _("settlements")
        ordering = ["seat_id", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["seat", "deck", "scenario"],
                condition=models.Q(taken_back_at__isnull=True),
                name="a_scenario_is_settled_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.seat_id}: {self.scenario}"
