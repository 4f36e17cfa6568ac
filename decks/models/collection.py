"""The products an account owns."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from arkham.rules.collection import Collection as CollectionContent
from decks.models.deck import (
    LONGEST_NAME,
)


class Collection(models.Model):
    """The products a person owns, by code with their copies, and cards lacking.

    Somebody may keep several: their own, and those of people they play with.
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
        """The products and missing cards as the rules have them."""
        return CollectionContent(self.products, self.missing)
