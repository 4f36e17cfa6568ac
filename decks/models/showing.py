"""Decks that are shown to others, and where decks were copied from."""

from __future__ import annotations

import uuid
from copy import copy

from django.db import models
from django.utils.translation import gettext_lazy as _

from decks.models.deck import (
    LONGEST_ADDRESS,
    LONGEST_AUTHOR,
    LONGEST_FOLDED,
    LONGEST_NAME,
    Deck,
)


class Showing(models.Model):
    """That a deck is shown to others; one without is private.

    A published deck is shown as it was in ``revision``, until its owner shows another.
    Whoever has the link of a deck, made of ``key``, sees its latest revision
    (``revision`` is None). A published deck may have such a link as well
    (``keeps_link``). To withdraw it is to remove this: a link that was given away
    opens nothing any more. The rest is what published decks are searched by.
    """

    class Kind(models.TextChoices):
        """Who sees it."""

        LINK = "link", _("Shared by a link")
        PUBLISHED = "published", _("Published")

    deck = models.OneToOneField(
        Deck, verbose_name=_("deck"), on_delete=models.CASCADE, related_name="showing"
    )
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    key = models.UUIDField(_("key"), unique=True, default=uuid.uuid4)
    keeps_link = models.BooleanField(_("published, and has a link"), default=False)
    revision = models.PositiveIntegerField(_("revision"), null=True, blank=True)
    investigator = models.CharField(_("investigator"), max_length=8, blank=True)
    folded_name = models.CharField(max_length=LONGEST_FOLDED, blank=True)
    folded_tags = models.CharField(max_length=LONGEST_FOLDED, blank=True)
    since = models.DateTimeField(_("since"))
    changed_at = models.DateTimeField(_("changed at"))

    class Meta:
        verbose_name = _("showing")
        verbose_name_plural = _("showings")
        ordering = ["-since", "-pk"]
        indexes = [models.Index(fields=["kind", "-since"])]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(kind="link", revision__isnull=True)
                | models.Q(kind="published", revision__isnull=False),
                name="what_is_published_is_a_revision",
            )
        ]

    def __str__(self) -> str:
        return f"{self.deck_id}: {self.kind}"

    @property
    def has_link(self) -> bool:
        """Whether a private link opens the deck, published or not."""
        return self.keeps_link or self.kind == self.Kind.LINK

    def by_link(self) -> Showing:
        """The same deck as those see it who have its link; not to be written."""
        seen = copy(self)
        seen.kind, seen.revision, seen.keeps_link = self.Kind.LINK, None, False
        return seen


class Source(models.Model):
    """Which deck of somebody a deck was copied from: as it was called then, and whose.

    ``showing`` is None once that deck was withdrawn; what is written here stays.
    """

    deck = models.OneToOneField(
        Deck, verbose_name=_("deck"), on_delete=models.CASCADE, related_name="source"
    )
    showing = models.ForeignKey(
        Showing,
        verbose_name=_("showing"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="copies",
    )
    kind = models.CharField(_("kind"), max_length=10, choices=Showing.Kind.choices)
    name = models.CharField(_("name"), max_length=LONGEST_NAME, blank=True)
    author = models.CharField(_("author"), max_length=LONGEST_AUTHOR)
    address = models.CharField(_("address"), max_length=LONGEST_ADDRESS)
    copied_at = models.DateTimeField(_("copied at"))

    class Meta:
        verbose_name = _("source")
        verbose_name_plural = _("sources")

    def __str__(self) -> str:
        return self.name or self.address
