"""A receiver that the operator allows."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from tests.helpers import local_site
from tests.webhooks.helpers import Receiver


@pytest.fixture
def receiver(settings: Settings) -> Iterator[str]:
    """The address of a receiver on this machine."""
    Receiver.got.clear()
    with local_site(Receiver) as host:
        settings.ORNE_OWN_WEBHOOK_SITES = [host]
        yield f"http://{host}"
