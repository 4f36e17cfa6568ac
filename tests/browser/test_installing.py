"""Orne can be installed as an app: Chromium reports no obstacle."""

from __future__ import annotations

import json

from playwright.sync_api import Page


def test_the_app_is_installable(page: Page) -> None:
    """The manifest has no errors, and its icons exist."""
    page.goto("/rules/")
    devtools = page.context.new_cdp_session(page)
    manifest = devtools.send("Page.getAppManifest")
    found = devtools.send("Page.getInstallabilityErrors")

    assert manifest["errors"] == []
    assert json.loads(manifest["data"])["name"] == "Orne"
    # The tests' browser windows are private ones, in which nothing can be installed;
    # that is the only obstacle.
    errors = {each["errorId"] for each in found["installabilityErrors"]}
    assert errors <= {"in-incognito"}
