"""Importing guides over the web, by page and by API."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from rest_framework.test import APIClient

from arkham.accounts.models import User
from arkham.rules.campaign.reading.prepared import import_guides
from campaigns.guides.keeping import store_guides
from campaigns.models import Guide
from tests.campaigns.helpers.zips import guide_files
from tests.rules.campaign.helpers.small import a_note, a_step

NOW = datetime(2026, 11, 21, 20, tzinfo=UTC)
PAGE, API = "/campaigns/guides/", "/api/v1/guides/"
FLAWED = guide_files("own", a_step(a_note("a")), {"id": "b", "steps": ["gone"]})
TOLD = guide_files("own", {"id": "told", "type": "story", "text": "What is told."})


def kept(files: dict[str, bytes], owner: User | None) -> Guide:
    """Store the guide of these files for a user."""
    report = store_guides(guide_import=import_guides(files), owner=owner, now=NOW)
    return report.guides[0].guide


def upload(client: Client, content: bytes, **more: str) -> Any:
    """Upload a zip on the page."""
    file = SimpleUploadedFile("guides.zip", content, "application/zip")
    return client.post(PAGE, {"file": file, **more})


def send(program: APIClient, body: bytes, media_type: str = "application/zip") -> Any:
    """Send guides as a program does."""
    sent: Any = body
    return program.generic("POST", API, sent, media_type)
