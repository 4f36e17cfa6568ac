"""The ledger of a deck, its upgrade in progress, and its draws."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from decks.lists.content import Content
from decks.models.deck import (
    LONGEST_REASON,
    Deck,
)


class LedgerEntry(models.Model):
    """Experience earned, spent or returned, and why; the balance is the sum of all.

    Entries are never changed or removed: a correction entry corrects a mistake.
    ``revision`` is the number of the revision it was earned with or spent on.
    """

    class Kind(models.TextChoices):
        """The source of the experience, or its use."""

        GRANTED = "granted", _("Deck creation")
        VICTORY = "victory", _("Victory display")
        BONUS = "bonus", _("Bonus")
        CARD = "card", _("From a card")
        COST = "cost", _("Price")
        SPENT = "spent", _("Spent")
        RETURNED = "returned", _("Returned")
        CORRECTION = "correction", _("Correction")

    deck = models.ForeignKey(
        Deck, verbose_name=_("deck"), on_delete=models.CASCADE, related_name="ledger"
    )
    number = models.PositiveIntegerField(_("number"))
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    amount = models.IntegerField(_("amount"))
    reason = models.CharField(_("reason"), max_length=LONGEST_REASON, blank=True)
    revision = models.PositiveIntegerField(_("revision"))
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("author"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
    )
    made_at = models.DateTimeField(_("made at"))

    class Meta:
        verbose_name = _("ledger entry")
        verbose_name_plural = _("ledger entries")
        ordering = ["deck_id", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["deck", "number"], name="one_ledger_entry_a_number"
            ),
            models.CheckConstraint(
                condition=~models.Q(kind="spent") | models.Q(amount__lt=0),
                name="what_is_spent_goes_out",
            ),
            models.CheckConstraint(
                condition=~models.Q(kind="returned") | models.Q(amount__gt=0),
                name="what_is_returned_comes_in",
            ),
            models.CheckConstraint(
                condition=~models.Q(kind="correction") | ~models.Q(reason=""),
                name="a_correction_has_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.deck_id}: {self.amount:+d}"


class Desk(models.Model):
    """An upgrade in progress: what a deck is to become, not yet confirmed.

    It was begun from the revision ``seen``. Every change raises ``version`` by one.
    ``window`` has what is known so far of the time between two games.
    """

    deck = models.OneToOneField(
        Deck, verbose_name=_("deck"), on_delete=models.CASCADE, related_name="desk"
    )
    seen = models.PositiveIntegerField(_("revision seen"))
    version = models.PositiveIntegerField(_("version"), default=0)
    list = models.JSONField(_("list"))
    circumstances = models.JSONField(_("circumstances"), default=dict)
    window = models.JSONField(_("window"), default=dict)
    changed_at = models.DateTimeField(_("changed at"))

    class Meta:
        verbose_name = _("upgrade desk")
        verbose_name_plural = _("upgrade desks")

    def __str__(self) -> str:
        return f"{self.deck_id}: {self.version}"

    @property
    def mark(self) -> str:
        """A short text that changes whenever the upgrade does."""
        # A dropped upgrade that is begun again has the same version at another time;
        # one without changes is as old as its game.
        return f"{self.seen}.{self.version}.{self.changed_at.timestamp():.6f}"

    @property
    def content(self) -> Content:
        """The deck as it is to become, and its circumstances."""
        return Content(self.list, self.circumstances)


class Draw(models.Model):
    """A random draw for a deck, as it was made; it never changes.

    ``revision`` is the latest revision when it was made, ``made`` the revision that it
    made (None if it led to another draw, or only to an upgrade in progress). ``record``
    is what :class:`arkham.rules.draws.Draw` writes. ``follows`` is the draw whose
    results it chose from.
    """

    deck = models.ForeignKey(
        Deck, verbose_name=_("deck"), on_delete=models.CASCADE, related_name="draws"
    )
    revision = models.PositiveIntegerField(_("revision"))
    made = models.PositiveIntegerField(_("revision made"), null=True, blank=True)
    record = models.JSONField(_("record"))
    follows = models.OneToOneField(
        "self",
        verbose_name=_("follows"),
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="followed_by",
    )
    made_at = models.DateTimeField(_("made at"))

    class Meta:
        verbose_name = _("draw")
        verbose_name_plural = _("draws")
        ordering = ["deck_id", "pk"]

    def __str__(self) -> str:
        return f"{self.deck_id}: {self.record['purpose']}"


class Correction(models.Model):
    """The reason why a draw is not valid; the draw itself stays."""

    draw = models.OneToOneField(
        Draw,
        verbose_name=_("draw"),
        on_delete=models.CASCADE,
        related_name="correction",
    )
    reason = models.CharField(_("reason"), max_length=LONGEST_REASON)
    made_at = models.DateTimeField(_("made at"))

    class Meta:
        verbose_name = _("correction")
        verbose_name_plural = _("corrections")

    def __str__(self) -> str:
        return self.reason
