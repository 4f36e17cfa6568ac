"""Orne is installed as an app: Chromium finds nothing that is in the way."""

from __future__ import annotations

import json

from playwright.sync_api import Page


def test_nothing_is_in_the_way(page: Page) -> None:
    """The manifest is read without an error, and its icons are there."""
    page.goto("/rules/")
    devtools = page.context.new_cdp_session(page)
    manifest = devtools.send("Page.getAppManifest")
    found = devtools.send("Page.getInstallabilityErrors")

    assert manifest["errors"] == []
    assert json.loads(manifest["data"])["name"] == "Orne"
    # A browser of the stories keeps nothing after it is closed, as no window of a
    # person who installs something does.
    errors = {each["errorId"] for each in found["installabilityErrors"]}
    assert errors <= {"in-incognito"}
