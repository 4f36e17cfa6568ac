"""The server that ``up`` starts for one machine."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from arkham.management.commands import up


def test_a_client_that_goes_leaves_no_connection_to_the_database(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each gets its own thread, and PostgreSQL has a hundred of them."""

    def answer(*_request: object) -> None:
        connection.ensure_connection()

    def served() -> bool:
        server = up.QuickServer.__new__(up.QuickServer)
        server.finish_request(None, None)
        return connection.connection is None

    monkeypatch.setattr(up, "Handler", answer)
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(served).result()
