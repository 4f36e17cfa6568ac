"""Folders, archive and bin of decks, collections they are built from, and reports.

A deck may be in a folder, in the archive, in the bin. ``Deck.objects`` leaves out decks
in the bin, so that a deleted deck can only be found in ``Deck.binned``;
``Deck.everything`` has all.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from arkham.rules.collection import Collection as CollectionContent

LONGEST_NAME = 120  # of a deck or a collection
LONGEST_FOLDER = 60
LONGEST_REPORT = 500
# A deck in the bin is permanently deleted after this time.
BIN_LIFETIME = timedelta(days=30)


class Folder(models.Model):
    """A folder of a person's decks; a deck is in one folder at most."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("owner"),
        on_delete=models.CASCADE,
        related_name="folders",
    )
    name = models.CharField(_("name"), max_length=LONGEST_FOLDER)
    made_at = models.DateTimeField(_("made at"))

    class Meta:
        verbose_name = _("folder")
        verbose_name_plural = _("folders")
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "name"], name="a_folder_once_an_owner"
            )
        ]

    def __str__(self) -> str:
        return self.name


class OutOfBin(models.Manager[Any]):
    """Decks, without those in the bin."""

    def get_queryset(self) -> models.QuerySet[Any]:
        """Return all decks except deleted ones."""
        return super().get_queryset().filter(deleted_at=None)


class InBin(models.Manager[Any]):
    """The decks in the bin, the last deleted first."""

    def get_queryset(self) -> models.QuerySet[Any]:
        """Return deleted decks."""
        deleted = super().get_queryset().exclude(deleted_at=None)
        return deleted.order_by("-deleted_at", "-pk")


class FiledDeck(models.Model):
    """Folder, archive and bin of a deck.

    ``archived_at`` and ``deleted_at`` are when it was archived, or moved to the bin.
    """

    folder = models.ForeignKey(
        Folder,
        verbose_name=_("folder"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
    )
    archived_at = models.DateTimeField(_("archived at"), null=True, blank=True)
    deleted_at = models.DateTimeField(
        _("deleted at"), null=True, blank=True, db_index=True
    )

    class Meta:
        abstract = True


class Collection(models.Model):
    """Products that a person owns, by code with their copies, and missing cards.

    A person may have several: their own, and those of people they play with.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("owner"),
        on_delete=models.CASCADE,
        related_name="collections",
    )
    name = models.CharField(_("name"), max_length=LONGEST_NAME)
    products = models.JSONField(_("products"), default=dict)
    missing = models.JSONField(_("missing cards"), default=dict)
    lends = models.BooleanField(_("lends to others"), default=True)
    advises = models.BooleanField(_("is what my decks are built from"), default=True)
    changed_at = models.DateTimeField(_("changed at"))

    class Meta:
        verbose_name = _("collection")
        verbose_name_plural = _("collections")
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def content(self) -> CollectionContent:
        """The products and missing cards as the rules take them."""
        return CollectionContent(self.products, self.missing)


class Report(models.Model):
    """A visitor's report of a published deck, and what an operator decided.

    Without a decision it is open. ``text`` is for operators, and never shown to the
    deck's owner; ``answer`` is what an operator writes to the owner, who reads it until
    they share or publish the deck again, at ``ended_at``.
    """

    class Reason(models.TextChoices):
        """Why a deck may have to be withdrawn."""

        SPAM = "spam", _("Advertising or spam")
        HATE = "hate", _("Insults or hate")
        PERSONAL = "personal", _("Someone’s personal details")
        COPIED = "copied", _("Texts that belong to others")
        OTHER = "other", _("Something else")

    class Decision(models.TextChoices):
        """What an operator did; ``CLOSED`` if they withdrew it for another report."""

        WITHDRAWN = "withdrawn", _("Withdrawn")
        DISMISSED = "dismissed", _("Dismissed")
        CLOSED = "closed", _("Closed with another")

    deck = models.ForeignKey(
        "decks.Deck", on_delete=models.CASCADE, related_name="reports"
    )
    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    reason = models.CharField(max_length=10, choices=Reason.choices)
    text = models.CharField(max_length=LONGEST_REPORT)
    made_at = models.DateTimeField()
    decision = models.CharField(max_length=10, choices=Decision.choices, blank=True)
    answer = models.CharField(max_length=LONGEST_REPORT, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    decided_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["made_at", "pk"]

    def __str__(self) -> str:
        return f"{self.deck_id}: {self.reason} {self.decision}".rstrip()
