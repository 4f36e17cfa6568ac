"""The decks app."""

from __future__ import annotations

import gc

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

GARBAGE_THRESHOLD = 10_000  # objects made since it was last looked for


class DecksConfig(AppConfig):
    """Registers the app under its name."""

    name = "decks"
    verbose_name = _("Decks")

    def ready(self) -> None:
        """Judge again after an import; say what readers own; look less for garbage.

        A verdict with thousands of findings is no reason to look for garbage dozens of
        times, and looking through the modules would hold up some request now and then.
        """
        from cardpool.filters import register_owned
        from cardpool.tasks import pool_imported
        from decks.services.collecting import cards_owned_by
        from decks.tasks import judge_again_by_new_cards

        pool_imported.connect(judge_again_by_new_cards)
        register_owned(lambda request: cards_owned_by(request.user))
        gc.freeze()
        gc.set_threshold(GARBAGE_THRESHOLD, 10, 10)
