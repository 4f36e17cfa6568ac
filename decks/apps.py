"""The decks app."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DecksConfig(AppConfig):
    """Registers the app under its name."""

    name = "decks"
    verbose_name = _("Decks")
