"""Answers given on the page of a table."""

from __future__ import annotations

import re
from typing import Any

from django.test import Client

from campaigns.models import Campaign


def send_answer(client: Client, campaign: Campaign, **filled: Any) -> Any:
    """Send a form of the page."""
    data = {"after": campaign.last, "key": f"k{campaign.last}", **filled}
    response = client.post(f"/campaigns/{campaign.pk}/", data)
    campaign.refresh_from_db()
    return response


def answer_first(client: Client, campaign: Campaign) -> Any:
    """Give the first offered answer to any question."""
    page = client.get(f"/campaigns/{campaign.pk}/").content.decode()
    now = page[page.index('id="now"') :]
    now = now[: now.index("</form>")]
    filled: dict[str, str] = {}
    for name, value in re.findall(r'type="radio" name="([^"]+)" value="([^"]*)"', now):
        if value == "$finish" or name not in filled:
            filled[name] = value
    if '<div class="choices ' in now:  # one choice is the whole answer
        options = re.findall(
            r'<button class="[^"]*" name="answer" value="([^"]*)"', now
        )
        filled["answer"] = options[0]
    for name in re.findall(r'<input type="number"[^>]* name="([^"]+)"', now):
        filled[name] = "3"
    for name, value in re.findall(
        r'type="checkbox" name="([^"]+)" value="([^"]*)" checked', now
    ):
        filled[name] = value
    return send_answer(client, campaign, **filled)
