"""What gunicorn's workers share, loaded once before them.

That is code, templates, cards and what describes the API. gunicorn reads this in the
folder it is started in; its command line comes first. A worker has nothing to load when
it begins, and what they share takes memory once. New code needs a restart: a reload
(HUP) keeps the old.
"""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

preload_app = True


def when_ready(server: Any) -> None:
    """Load what every worker needs, just before the first one is made of this process.

    Connections aren't shared: they are closed again. A database that isn't there yet
    is no reason not to start, since pages say so themselves.
    """
    from django.core.cache import caches
    from django.db import DatabaseError, connections
    from django.template import TemplateSyntaxError, engines
    from django.urls import reverse

    from arkham.api import load_descriptions
    from cardpool.catalog import current_judge

    reverse("home")  # for which all addresses are read, and so all views
    pages = engines["django"]
    for folder in map(Path, pages.dirs):
        for each in folder.rglob("*.html"):
            try:
                pages.get_template(str(each.relative_to(folder)))
            except TemplateSyntaxError as error:
                server.log.warning("%s: %s", each, error)
    load_descriptions()
    try:
        current_judge()
    except DatabaseError as error:
        server.log.warning("no cards loaded: %s", error)
    connections.close_all()
    caches.close_all()
    gc.collect()
    gc.freeze()  # else looking for garbage would copy all of it into each worker
