"""The cardpool app."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CardpoolConfig(AppConfig):
    """Registers the app under its name."""

    name = "cardpool"
    verbose_name = _("Card pool")

    def ready(self) -> None:
        """Register the jobs that import cards or preview an import."""
        from arkham.jobs.models import register
        from cardpool.tasks import CARDS, PREVIEW

        register(CARDS)
        register(PREVIEW)
