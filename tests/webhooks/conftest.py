"""A receiver that the operator allows."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import ThreadingHTTPServer

import pytest
from pytest_django import Settings

from tests.webhooks.helpers import Receiver


@pytest.fixture
def receiver(settings: Settings) -> Iterator[str]:
    """The address of a receiver on this machine."""
    Receiver.got.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    host = f"127.0.0.1:{server.server_port}"
    settings.ORNE_OWN_WEBHOOK_SITES = [host]
    yield f"http://{host}"
    server.shutdown()
    server.server_close()
