"""Starts the project: Celery is loaded here and not in the package.

``import arkham.rules`` must not import Celery or the settings, so
``arkham/__init__.py`` stays empty.
"""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ArkhamConfig(AppConfig):
    """Loads the Celery app, registers the system checks, and adjusts form errors."""

    name = "arkham"
    verbose_name = _("Orne")

    def ready(self) -> None:
        """Import what registers itself on import."""
        from arkham import celery, checks, housekeeping  # noqa: F401
        from arkham.web import forms

        forms.hide_raw_values()
        housekeeping.start()
