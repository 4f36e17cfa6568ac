"""The log of a campaign: it only grows, and everything else follows from it."""

from __future__ import annotations

from typing import Any, NoReturn

from django.db import models
from django.utils.translation import gettext_lazy as _

from campaigns.models.campaign import LONGEST_HEAD, Campaign
from campaigns.models.people import LONGEST_PERSON, Membership

LONGEST_KIND = 40
LONGEST_CAUSE = 120
LONGEST_KEY = 120
APPEND_ONLY = "The log of a campaign is only ever added to."


class LogEntries(models.QuerySet["LogEntry"]):
    """Entries of logs, to be read; only ``campaigns.log.store`` adds to them."""

    def update(self, **values: Any) -> NoReturn:
        """Raise TypeError: entries never change."""
        raise TypeError(APPEND_ONLY)

    def delete(self) -> NoReturn:
        """Raise TypeError: entries are retracted instead."""
        raise TypeError(APPEND_ONLY)


class LogEntry(models.Model):
    """One entry of a log: its content, author, time and cause.

    ``kind``, ``version`` and ``payload`` are an entry as ``campaigns.log.entries``
    encodes it. ``key`` is the sender's idempotency key for it; ``cause`` says what it
    was written for. The database refuses every change, except that an author is set to
    null.
    """

    campaign = models.ForeignKey(
        Campaign,
        verbose_name=_("campaign"),
        on_delete=models.CASCADE,
        related_name="entries",
    )
    sequence = models.PositiveIntegerField(_("sequence"))
    kind = models.CharField(_("kind"), max_length=LONGEST_KIND)
    version = models.PositiveSmallIntegerField(_("version"))
    payload = models.JSONField(_("payload"))
    cause = models.CharField(_("cause"), max_length=LONGEST_CAUSE, blank=True)
    author = models.ForeignKey(
        Membership,
        verbose_name=_("author"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
    )
    author_name = models.CharField(
        _("name of the author"), max_length=LONGEST_PERSON, blank=True
    )
    recorded_at = models.DateTimeField(_("recorded at"))
    key = models.CharField(_("key"), max_length=LONGEST_KEY, null=True, blank=True)

    objects = LogEntries.as_manager()

    class Meta:
        verbose_name = _("log entry")
        verbose_name_plural = _("log entries")
        ordering = ["campaign_id", "sequence"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "sequence"], name="one_entry_a_sequence"
            ),
            models.UniqueConstraint(
                fields=["campaign", "key"],
                condition=models.Q(key__isnull=False),
                name="one_entry_a_key",
            ),
            models.CheckConstraint(
                condition=models.Q(sequence__gte=1), name="sequences_begin_with_one"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.campaign_id}/{self.sequence}: {self.kind}"


class Snapshot(models.Model):
    """The state of a campaign after the entry ``up_to``: for comparison only."""

    campaign = models.OneToOneField(
        Campaign,
        verbose_name=_("campaign"),
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="snapshot",
    )
    up_to = models.PositiveIntegerField(_("up to entry"))
    engine = models.CharField(_("version of the rules"), max_length=40)
    state = models.JSONField(_("state"))

    class Meta:
        verbose_name = _("snapshot")
        verbose_name_plural = _("snapshots")

    def __str__(self) -> str:
        return f"{self.campaign_id}/{self.up_to}"


class Summary(models.Model):
    """A campaign's counts for statistics; recomputed whenever its ``mark`` changes.

    ``mark`` is a digest of everything the content depends on: the log, the guide, the
    cards, the rules.
    """

    campaign = models.OneToOneField(
        Campaign,
        verbose_name=_("campaign"),
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="summary",
    )
    mark = models.CharField(_("made from"), max_length=LONGEST_HEAD)
    content = models.JSONField(_("content"), default=dict)

    class Meta:
        verbose_name = _("summary")
        verbose_name_plural = _("summaries")

    def __str__(self) -> str:
        return f"{self.campaign_id}: {self.mark[:8]}"
