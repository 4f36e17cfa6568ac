"""One of everything that an account can have, for tests of the whole API."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import yaml
from django.utils import timezone

from arkham.accounts.models import User
from arkham.rules.campaign.reading.prepared import import_guides
from arkham.rules.library import library
from arkham.rules.snapshot import embedded_pool
from campaigns import services as campaigns
from campaigns.guides.keeping import store_guides
from campaigns.models import WaitingBackup
from campaigns.people.table import Visitor
from campaigns.queries import usable_guides
from decks import services
from decks.api import examples
from decks.lists.content import read_content
from decks.models import Deck, Judgement, Showing
from tests.campaigns.backups.helpers import INPUTS
from tests.campaigns.helpers.tables import a_campaign, a_row, organiser_of
from tests.campaigns.helpers.zips import guide_files
from tests.conftest import PROJECT
from tests.jobs.helpers import file_of, started
from tests.rules.campaign.helpers.small import ROLAND
from tests.webhooks.helpers import a_webhook

BACKUP = {  # of a campaign whose guide is missing
    "campaigns": [{"uuid": "a", "name": "Ours", "cycleCode": "tfa", "guideVersion": 3}],
    "guides": [{"uuid": "a", "inputs": INPUTS}],
}
NOW = datetime(2026, 11, 21, 19, 30, tzinfo=UTC)


def read_operations() -> Iterator[tuple[str, dict[str, Any]]]:
    """Return every read operation: its path and its description."""
    described = yaml.safe_load((PROJECT / "docs" / "openapi.yaml").read_text("utf-8"))
    for path, methods in described["paths"].items():
        if "get" in methods:
            yield path, methods["get"]


def _played(owner: User) -> Deck:
    deck = services.create_deck(
        owner=owner, content=read_content(examples.WRITTEN), now=NOW
    )
    game = services.PlayedGame()
    services.mark_played(deck=deck, game=game, expected_revision=1, now=NOW)
    return deck


class World:
    """One of everything that an account can have, shared in every way."""

    def __init__(self, alice: User, bob: User) -> None:
        his = services.create_deck(
            owner=bob, content=read_content(examples.WRITTEN), now=NOW, name="His"
        )
        shown = services.publish_deck(deck=his, number=1, pool=embedded_pool(), now=NOW)
        self.copy = services.copy_shown(showing=shown, owner=alice, now=NOW)
        self.deck = _played(alice)
        services.share_deck(deck=self.deck, now=NOW)
        services.publish_deck(deck=self.deck, number=1, pool=embedded_pool(), now=NOW)
        self.showing = Showing.objects.get(deck=self.deck)
        Judgement.objects.update(pool_version="older", experience=99)
        services.judge_again(now=NOW)
        self.campaign = a_campaign(alice, ROLAND)
        campaigns.invite(
            campaign=self.campaign,
            member=organiser_of(self.campaign),
            now=timezone.now(),
        )
        done = store_guides(
            guide_import=import_guides(guide_files()), owner=alice, now=NOW
        )
        self.guide = done.guides[0].guide
        self.other_version = a_row(version=4)
        usable = usable_guides(Visitor(alice))
        campaigns.import_backup(organiser=alice, data=BACKUP, usable=usable, now=NOW)
        self.waiting = WaitingBackup.objects.get()
        self.job = started(alice, file_of(1))
        self.webhook = a_webhook(alice, "https://bot.example/")

    def address(self, path: str) -> str:
        """Return an address of the description with this world's ids."""
        names: dict[str, object] = {
            "code": "01001",
            "pack": "core",
            "place": self.deck.pk,
            "day": "2026-11-21",
            "slug": next(iter(library())),
            "form": "json",
            "guide": self.other_version.pk,
            "number": 1,
            "id": self.deck.pk,
        }
        if path.startswith("/api/public/"):
            names["number"] = self.showing.pk
        if "/campaigns/backups/" in path:
            names["id"] = self.waiting.pk
        elif "/campaigns/" in path:
            names["id"] = self.campaign.pk
        elif "/guides/" in path:
            names["id"] = self.guide.pk
        elif "/taboo-lists/" in path:
            names["id"] = 9
        elif "/jobs/" in path:
            names["id"] = self.job.pk
        elif "/webhooks/" in path:
            names["id"] = self.webhook.pk
        query = "?before=1&after=1" if path.endswith("/compare") else ""
        if path.endswith("/oembed"):
            query = f"?url=http://testserver/decks/published/{self.showing.pk}/"
        elif path.startswith("/api/v1/decklists/"):
            names["number"] = self.showing.pk
        return path.format(**names) + query
