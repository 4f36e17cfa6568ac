"""The campaigns app."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CampaignsConfig(AppConfig):
    """Registers the app under its name."""

    name = "campaigns"
    verbose_name = _("Campaigns")
