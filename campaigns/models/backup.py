"""Campaigns of a backup that wait for their guide."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from campaigns.models.campaign import LONGEST_NAME

LONGEST_GUIDES = 130  # the ids of two guides


class WaitingBackup(models.Model):
    """A campaign of a backup whose guide is missing, as the app wrote it.

    Two halves that belong together wait together. ``missing`` are the ids of the
    guides, with spaces between them. ``content`` is a backup of these campaigns alone
    (JSON, compressed with zlib). Kept by hand meanwhile, it is still here: once the
    guide comes, the whole of it can be imported.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("account"),
        on_delete=models.CASCADE,
        related_name="waiting_backups",
    )
    name = models.CharField(_("name"), max_length=LONGEST_NAME)
    missing = models.CharField(_("missing guides"), max_length=LONGEST_GUIDES)
    content = models.BinaryField(_("backup"))
    is_by_hand = models.BooleanField(_("kept by hand meanwhile"), default=False)
    made_at = models.DateTimeField(_("made at"))

    class Meta:
        verbose_name = _("campaign that waits for its guide")
        verbose_name_plural = _("campaigns that wait for their guide")
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return self.name
