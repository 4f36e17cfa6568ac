"""The campaigns app."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CampaignsConfig(AppConfig):
    """Registers the app under its name."""

    name = "campaigns"
    verbose_name = _("Campaigns")

    def ready(self) -> None:
        """Register the campaigns' hooks with decks."""
        from campaigns.pages.deck_links import (
            closed_by_campaign,
            links_to_campaigns,
            tables_of_decks,
        )
        from campaigns.services.decks import (
            lock_campaigns,
            state_purchases_of,
            unseat_deck,
        )
        from decks.services.hooks import (
            Watcher,
            register_closing,
            register_links,
            register_tables,
            register_watcher,
        )

        register_links(links_to_campaigns)
        register_closing(closed_by_campaign)
        register_watcher(Watcher(lock_campaigns, state_purchases_of, unseat_deck))
        register_tables(tables_of_decks)
