"""Pages of every kind, and what they show."""

from __future__ import annotations

from arkham.accounts.models import User
from arkham.rules.snapshot import embedded_pool
from decks import services
from decks.lists.starter import starter_deck
from decks.services.ledger import Earned
from tests.campaigns.helpers.tables import (
    NOW,
    a_campaign,
    a_row,
    as_answers,
    report,
    who,
)
from tests.house.addresses import ADDRESSES
from tests.rules.campaign.helpers.games import begun
from tests.rules.campaign.helpers.small import DAISY, ROLAND


def pages_of(owner: User) -> list[str]:
    """Every kind of page: those without arguments, a deck's, a campaign's."""
    content = starter_deck(embedded_pool(), ROLAND)
    fresh = services.create_deck(owner=owner, content=content, now=NOW)
    played = services.create_deck(owner=owner, content=content, now=NOW)
    services.mark_played(
        deck=played,
        game=services.PlayedGame(earned=(Earned("victory", 6),)),
        expected_revision=1,
        actor=owner,
        now=NOW,
    )
    guide = a_row()
    asking, playing = a_campaign(owner, guide=guide), a_campaign(owner, guide=guide)
    report(playing, as_answers(who(ROLAND, DAISY), *begun("one", ROLAND, DAISY)))
    return [
        *ADDRESSES,
        "/table/deck/?kind=exploration&card=l.Jungle&card=l.River&seed=a",
        f"/decks/{fresh.pk}/edit",
        f"/decks/{played.pk}/upgrade/",
        f"/campaigns/{asking.pk}/",
        f"/campaigns/{playing.pk}/",
        f"/campaigns/{playing.pk}/scenario/",
    ]
