"""The site can be installed: its manifest, and the icons as large as it says."""

from __future__ import annotations

from io import BytesIO

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from PIL import Image

pytestmark = pytest.mark.django_db


def test_pages_name_the_manifest(client: Client) -> None:
    """And the icon of a home screen."""
    page = client.get("/rules/").content.decode()

    assert '<link rel="manifest" href="/manifest.webmanifest">' in page
    assert 'rel="apple-touch-icon"' in page


def test_the_manifest_says_what_is_installed(client: Client) -> None:
    """A name, where it opens, and how it looks."""
    answer = client.get("/manifest.webmanifest")
    content = answer.json()

    assert answer["Content-Type"] == "application/manifest+json"
    assert (content["name"], content["start_url"]) == ("Orne", "/")
    assert content["display"] == "standalone"
    for shortcut in content["shortcuts"]:
        assert client.get(shortcut["url"]).status_code == 200


def test_icons_are_as_large_as_it_says(client: Client) -> None:
    """One of 192 and one of 512 for every system, one that may be cropped."""
    icons = client.get("/manifest.webmanifest").json()["icons"]
    drawn = [each for each in icons if each["type"] == "image/png"]

    for each in drawn:
        found = finders.find(each["src"].removeprefix("/static/"))
        assert isinstance(found, str)
        with open(found, "rb") as file:
            width, height = Image.open(BytesIO(file.read())).size
        assert f"{width}x{height}" == each["sizes"]
    assert [each["sizes"] for each in drawn] == ["192x192", "512x512", "512x512"]
    assert drawn[-1]["purpose"] == "maskable"
