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
        """Judge decks again after an import; look less often for garbage.

        A verdict with thousands of findings is no reason to look for garbage dozens of
        times, and looking through the modules would hold up some request now and then.
        """
        from cardpool.tasks import pool_imported
        from decks.tasks import judge_again_by_new_cards

        pool_imported.connect(judge_again_by_new_cards)
        gc.freeze()
        gc.set_threshold(GARBAGE_THRESHOLD, 10, 10)
