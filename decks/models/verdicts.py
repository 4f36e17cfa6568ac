"""Verdicts that are kept, given away, or changed since."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from decks.lists.content import Content
from decks.models.deck import (
    LONGEST_KEY,
    LONGEST_NAME,
    Deck,
    new_key,
)


class SharedVerdict(models.Model):
    """A verdict given away by its address: what was judged, and what came of it.

    ``verdict`` is what every door answers with (``Verdict.as_data``). It stays as it
    was found; under later rules another verdict may be reached. One that nobody has
    looked at for long (``seen_at``) is forgotten.
    """

    key = models.CharField(
        _("key"), max_length=LONGEST_KEY, unique=True, default=new_key
    )
    name = models.CharField(_("name"), max_length=LONGEST_NAME, blank=True)
    list = models.JSONField(_("list"))
    circumstances = models.JSONField(_("circumstances"), default=dict)
    verdict = models.JSONField(_("verdict"))
    rules_version = models.CharField(_("rules version"), max_length=40)
    pool_version = models.CharField(_("card pool version"), max_length=80)
    made_at = models.DateTimeField(_("made at"))
    seen_at = models.DateTimeField(_("seen at"), default=timezone.now, db_index=True)

    class Meta:
        verbose_name = _("shared verdict")
        verbose_name_plural = _("shared verdicts")
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return self.name or self.key[:8]

    @property
    def content(self) -> Content:
        """The deck and its circumstances."""
        return Content(self.list, self.circumstances)


class Judgement(models.Model):
    """What was found of a deck when it was last judged, and by which rules and cards.

    ``revision`` is the number of the revision judged; ``findings`` are as every door
    gives them (``arkham.rules.legality.finding_data``).
    """

    deck = models.OneToOneField(
        Deck, verbose_name=_("deck"), on_delete=models.CASCADE, primary_key=True
    )
    revision = models.PositiveIntegerField(_("revision"))
    rules_version = models.CharField(_("rules version"), max_length=40)
    pool_version = models.CharField(_("card pool version"), max_length=80)
    status = models.CharField(_("status"), max_length=10)
    experience = models.IntegerField(_("experience required"))
    findings = models.JSONField(_("findings"), default=list)

    class Meta:
        verbose_name = _("judgement")
        verbose_name_plural = _("judgements")

    def __str__(self) -> str:
        return f"{self.deck_id}/{self.revision}: {self.status}"


class Notice(models.Model):
    """What is found of a deck otherwise than before, though nobody changed the deck.

    The rules, the cards or their taboos changed from the ``before`` versions to the
    ``after`` ones. ``appeared`` and ``gone`` are findings, as in :class:`Judgement`.
    ``is_serious``: more than advice changed. What is written stays, but that
    the owner dismisses it once.
    """

    deck = models.ForeignKey(
        Deck, verbose_name=_("deck"), on_delete=models.CASCADE, related_name="notices"
    )
    revision = models.PositiveIntegerField(_("revision"))
    rules_before = models.CharField(_("rules before"), max_length=40)
    rules_after = models.CharField(_("rules after"), max_length=40)
    pool_before = models.CharField(_("card pool before"), max_length=80)
    pool_after = models.CharField(_("card pool after"), max_length=80)
    status_before = models.CharField(_("status before"), max_length=10)
    status_after = models.CharField(_("status after"), max_length=10)
    experience_before = models.IntegerField(_("experience before"))
    experience_after = models.IntegerField(_("experience after"))
    appeared = models.JSONField(_("findings that appeared"), default=list)
    gone = models.JSONField(_("findings that are gone"), default=list)
    is_serious = models.BooleanField(_("is serious"))
    made_at = models.DateTimeField(_("made at"))
    dismissed_at = models.DateTimeField(_("dismissed at"), null=True, blank=True)

    class Meta:
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        ordering = ["deck", "pk"]
        indexes = [
            models.Index(
                fields=["deck"],
                name="notices_to_be_read",
                condition=models.Q(dismissed_at=None, is_serious=True),
            )
        ]

    def __str__(self) -> str:
        return f"{self.deck_id}: {self.status_before} → {self.status_after}"
