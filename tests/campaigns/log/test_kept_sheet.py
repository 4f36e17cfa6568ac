"""The rendered sheet of a log is cached until anything on it changes."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.state.answers import Stated
from campaigns.models import Campaign, Role
from campaigns.pages import markup
from cardpool.languages import CardLanguage, CardTitle
from tests.campaigns.helpers.tables import a_member, organiser_of
from tests.campaigns.log.helpers import page_of, state_fact
from tests.rules.campaign.helpers.small import ROLAND


def _line(campaign: Campaign) -> str:
    line = do.LogText("campaign_notes")
    state_fact(campaign, Stated("one", line, ("A new line",), (), "So"))
    return "A new line"


def _name_of_a_player(campaign: Campaign) -> str:
    """Shown beside the investigator; lines keep the name of then."""
    member = organiser_of(campaign)
    assert member.user is not None
    member.user.username = "alicia"
    member.user.save()
    return "alicia"


def _seat(campaign: Campaign) -> str:
    campaign.seats.filter(investigator=ROLAND).update(member=None, name="Uncle Bert")
    return "Uncle Bert"


CHANGES = (_line, _name_of_a_player, _seat)


@pytest.mark.parametrize("change", CHANGES)
def test_a_sheet_is_cached_until_it_changes(
    change: Callable[[Campaign], str],
    played: Campaign,
    as_alice: Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The second request renders nothing; the third shows the change."""
    first = _sheet(as_alice, played)
    with monkeypatch.context() as patched:
        patched.setattr(markup, "sheet_of", None)
        assert _sheet(as_alice, played) == first
    words = change(played)
    assert words not in first
    assert words in _sheet(as_alice, played)


def test_each_language_has_a_sheet_of_its_own(
    played: Campaign, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither is shown to readers of the other."""
    english = _sheet(as_alice, played)
    polish = CardLanguage("pl", {ROLAND: CardTitle("Roland B.", "")})
    with monkeypatch.context() as patched:
        patched.setattr(markup, "readers_language", lambda: polish)
        patched.setattr(markup, "render_to_string", lambda *_named: "<p>Po polsku</p>")
        assert "Po polsku" in page_of(as_alice, played, "log/")
    assert _sheet(as_alice, played) == english


def test_a_spectator_reads_the_same_sheet_without_buttons(
    played: Campaign, as_alice: Client, bob: User, as_bob: Client
) -> None:
    """The cached part doesn't depend on the reader."""
    a_member(played, bob, Role.SPECTATOR)
    organiser, other = (page_of(each, played, "log/") for each in (as_alice, as_bob))
    assert "Change by hand" in organiser
    assert "Change by hand" not in other
    assert _part(organiser) == _part(other)


def _sheet(client: Client, campaign: Campaign) -> str:
    return _part(page_of(client, campaign, "log/"))


def _part(page: str) -> str:
    found = re.search(r'<div class="log-sheet">.*<div class="actions">', page, re.S)
    assert found is not None
    return found[0]
