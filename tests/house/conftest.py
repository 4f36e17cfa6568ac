"""Pages of every kind, for what holds of all of them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from decks import services
from decks.lists.starter import starter_deck
from decks.services.ledger import Earned
from tests.campaigns.helpers.tables import NOW, a_campaign, a_row, report, told, who
from tests.house.addresses import ADDRESSES
from tests.house.sentences import make_template
from tests.rules.campaign.helpers.games import begun
from tests.rules.campaign.helpers.small import DAISY, ROLAND


@pytest.fixture(scope="session")
def template_of_messages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The catalogue of today's messages, without translations."""
    if shutil.which("xgettext") is None:
        pytest.skip("gettext is missing: apt install gettext")
    return make_template(tmp_path_factory.mktemp("catalogue"))


@pytest.fixture
def pages(alice: User) -> list[str]:
    """Every kind of page: those without arguments, a deck's, a campaign's."""
    content = starter_deck(embedded_pool(), ROLAND)
    fresh = services.create_deck(owner=alice, content=content, now=NOW)
    played = services.create_deck(owner=alice, content=content, now=NOW)
    services.mark_played(
        deck=played,
        game=services.PlayedGame(earned=(Earned("victory", 6),)),
        expected_revision=1,
        actor=alice,
        now=NOW,
    )
    guide = a_row()
    asking, playing = a_campaign(alice, guide=guide), a_campaign(alice, guide=guide)
    report(playing, told(who(ROLAND, DAISY), *begun("one", ROLAND, DAISY)))
    return [
        *ADDRESSES,
        "/table/deck/?kind=exploration&card=l.Jungle&card=l.River&seed=a",
        f"/decks/{fresh.pk}/edit",
        f"/decks/{played.pk}/upgrade/",
        f"/campaigns/{asking.pk}/",
        f"/campaigns/{playing.pk}/",
        f"/campaigns/{playing.pk}/scenario/",
    ]
