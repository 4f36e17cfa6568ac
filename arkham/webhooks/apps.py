"""The webhooks app."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class WebhooksConfig(AppConfig):
    """Sends messages after answers if there are no workers."""

    name = "arkham.webhooks"
    label = "webhooks"
    verbose_name = _("Webhooks")

    def ready(self) -> None:
        """Connect to the end of requests."""
        from arkham.webhooks import tasks

        tasks.start()
