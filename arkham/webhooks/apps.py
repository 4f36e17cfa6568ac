"""The webhooks app."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class WebhooksConfig(AppConfig):
    """Sends after answers where no worker does."""

    name = "arkham.webhooks"
    label = "webhooks"
    verbose_name = _("Webhooks")

    def ready(self) -> None:
        """Listen for answers."""
        from arkham.webhooks import tasks

        tasks.start()
