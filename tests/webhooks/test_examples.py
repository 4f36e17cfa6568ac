"""The receivers of the documentation take our messages, and refuse those of others."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pytest_django import Settings

from arkham.accounts.models import User
from arkham.webhooks import services
from arkham.webhooks.models import Delivery, Webhook, new_secret
from tests.conftest import PROJECT
from tests.helpers import NOW
from tests.webhooks.helpers import ORIGIN, a_webhook

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

TEXT = (PROJECT / "docs" / "programs.md").read_text("utf-8")
SECTION = TEXT.partition("\n## Webhooks\n")[2].partition("\n## ")[0]
PROGRAMS = dict(re.findall(r"^```(python|js)\n(.*?)^```$", SECTION, re.M | re.S))
MOST_SECONDS = 60  # on a busy machine


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def _wait_for(port: int) -> None:
    """Until a program listens there, without a connection: it ends after one."""
    needle = f":{port:04X} 00000000:0000 0A"
    deadline = time.monotonic() + MOST_SECONDS
    while needle not in Path("/proc/net/tcp").read_text():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.parametrize("is_ours", [True, False])
@pytest.mark.parametrize("language", ["python", "js"])
def test_a_receiver_as_it_is_written(
    alice: User, settings: Settings, tmp_path: Path, language: str, is_ours: bool
) -> None:
    """What is signed with another secret is refused with 401."""
    command = sys.executable if language == "python" else shutil.which("node")
    if command is None:
        pytest.skip("node is needed to run programs in JavaScript")
    file = tmp_path / ("receiver.py" if language == "python" else "receiver.mjs")
    file.write_text(PROGRAMS[language])
    port = _free_port()
    settings.ORNE_OWN_WEBHOOK_SITES = [f"127.0.0.1:{port}"]
    webhook = a_webhook(alice, f"http://127.0.0.1:{port}/")
    known = webhook.secret if is_ours else new_secret()
    around = {**os.environ, "SECRET": known, "PORT": str(port)}
    with subprocess.Popen(
        [command, str(file)], env=around, stdout=subprocess.PIPE, text=True
    ) as program:
        _wait_for(port)
        answered = _answered(webhook)
        printed, _none = program.communicate(timeout=MOST_SECONDS)

    assert answered == (204 if is_ours else 401)
    wanted = f"campaign {ORIGIN}/api/v1/campaigns/7/\n" if is_ours else ""
    assert printed == wanted


def _answered(webhook: Webhook) -> int | None:
    delivery = Delivery.objects.create(
        webhook=webhook,
        kind="campaign",
        object_id=7,
        path="/api/v1/campaigns/7/",
        changed_at=NOW,
        next_try_at=NOW,
        made_at=NOW,
    )
    services.attempt(key=delivery.pk, tries=0)
    delivery.refresh_from_db()
    return delivery.answered
