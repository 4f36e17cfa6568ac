"""Decks and their revisions."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from decks.lists.content import Content

LONGEST_NAME = 120
LONGEST_NOTES = 100_000
LONGEST_TAGS = 250
KEY_BYTES = 24  # 192 bits: nobody guesses it
LONGEST_KEY = 40
LONGEST_FOLDED = 600  # folding may make two letters of one
LONGEST_REASON = 300
LONGEST_SCENARIO = 120
LONGEST_AUTHOR = 150  # as of a name to sign in with
LONGEST_ADDRESS = 200
# A draft that nobody has changed for so long is deleted.
DRAFT_LIFETIME = timedelta(days=90)


def new_key() -> str:
    """An unguessable word for an address."""
    return secrets.token_urlsafe(KEY_BYTES)


class Deck(models.Model):
    """One deck through all its revisions.

    It has an owner, or it is a draft of nobody's, opened by whoever knows its
    ``key``. ``revision`` is the number of its latest revision; ``notes`` are Markdown
    and ``tags`` words parted by blanks, as people brought them along.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("owner"),
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="decks",
    )
    key = models.CharField(
        _("key"), max_length=LONGEST_KEY, unique=True, null=True, blank=True
    )
    name = models.CharField(_("name"), max_length=LONGEST_NAME, blank=True)
    notes = models.TextField(_("notes"), max_length=LONGEST_NOTES, blank=True)
    tags = models.CharField(_("tags"), max_length=LONGEST_TAGS, blank=True)
    revision = models.PositiveIntegerField(_("revision"), default=0)
    made_at = models.DateTimeField(_("made at"))
    changed_at = models.DateTimeField(_("changed at"))

    class Meta:
        verbose_name = _("deck")
        verbose_name_plural = _("decks")
        ordering = ["-changed_at", "-pk"]
        indexes = [models.Index(fields=["owner", "-changed_at"])]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(owner__isnull=True) ^ models.Q(key__isnull=True),
                name="deck_has_an_owner_or_a_key",
            )
        ]

    def __str__(self) -> str:
        return self.name or str(self.pk)

    @property
    def is_draft(self) -> bool:
        """Whether no account has it: it goes when it is left alone too long."""
        return self.key is not None

    @property
    def ends_at(self) -> datetime | None:
        """When a draft is deleted unless it is changed or saved; None for others."""
        return self.changed_at + DRAFT_LIFETIME if self.is_draft else None


class Cause(models.TextChoices):
    """Why there is a revision."""

    BUILT = "built", _("Built")
    EDITED = "edited", _("Edited")
    UPGRADED = "upgraded", _("Upgraded")
    REPAIRED = "repaired", _("Repaired")
    RESTORED = "restored", _("Restored")


class Revision(models.Model):
    """A deck as it stood once; numbers run from 1 without a gap.

    ``restores`` is the number of the earlier revision that this one brought back.
    ``played_at`` is when a scenario was played with it, ``scenario`` its name, and
    ``aftermath`` what of that its next upgrade has to know, as a window between two
    games is written in JSON.

    An upgrade grew from the played revision ``base``; ``window`` is that time between
    two games as it was used, ``invoice`` what was paid in it. ``reason`` says why a
    revision was repaired: made as the player wants it, whatever the rules find.
    """

    deck = models.ForeignKey(
        Deck,
        verbose_name=_("deck"),
        on_delete=models.CASCADE,
        related_name="revisions",
    )
    number = models.PositiveIntegerField(_("number"))
    list = models.JSONField(_("list"))
    circumstances = models.JSONField(_("circumstances"), default=dict)
    cause = models.CharField(
        _("cause"), max_length=10, choices=Cause.choices, default=Cause.EDITED
    )
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("made by"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
    )
    restores = models.PositiveIntegerField(_("restores"), null=True, blank=True)
    base = models.PositiveIntegerField(_("base"), null=True, blank=True)
    window = models.JSONField(_("window"), default=dict, blank=True)
    invoice = models.JSONField(_("invoice"), null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=LONGEST_REASON, blank=True)
    played_at = models.DateTimeField(_("played at"), null=True, blank=True)
    scenario = models.CharField(
        _("scenario"), max_length=LONGEST_SCENARIO, blank=True, default=""
    )
    aftermath = models.JSONField(_("aftermath"), default=dict, blank=True)
    made_at = models.DateTimeField(_("made at"))

    class Meta:
        verbose_name = _("revision")
        verbose_name_plural = _("revisions")
        ordering = ["deck", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["deck", "number"], name="one_revision_a_number"
            )
        ]

    def __str__(self) -> str:
        return f"{self.deck_id}/{self.number}"

    @property
    def content(self) -> Content:
        """The deck and its circumstances."""
        return Content(self.list, self.circumstances)

    @property
    def game_mark(self) -> str:
        """A short word for the game played with it, "" if there was none."""
        return f"{self.played_at.timestamp():.6f}" if self.played_at else ""
