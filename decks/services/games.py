"""Games of a deck without a campaign: the scenario, its price, taking it back."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from functools import cache
from typing import NamedTuple

from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.accounts.models import User
from arkham.rules.campaign.by_hand.facts import (
    SIDE,
    CampaignFacts,
    campaign_facts,
    known_campaigns,
)
from arkham.rules.campaign.model.guide import Discount
from arkham.rules.upgrade.facts import copies_by_card
from arkham.rules.vocabulary import Mode
from cardpool.catalog import current_judge
from cardpool.words import fold
from decks.lists.content import Content
from decks.models import LONGEST_REASON, Deck, Desk, LedgerEntry, Revision
from decks.services.beginning import MODE
from decks.services.hooks import links_of
from decks.services.ledger import EARNED, Earned, expect
from decks.services.settling import take_back
from decks.services.upgrading import NotPlayed
from decks.services.windows import base_of, upgrade_from

Kind = LedgerEntry.Kind
_UNPLAYED = ("prologue", "interlude", "epilogue")  # they bring no deck experience


class NamedScenario(NamedTuple):
    """A scenario by its name and campaign; ``cost`` is a side scenario's, else None.

    Investigators it names pay more than the others: ``named_costs``, by code. Those
    with a card in the deck may pay less: ``discount``.
    """

    name: str
    campaign: str | Promise
    cost: int | None = None
    named_costs: tuple[tuple[str, int], ...] = ()
    discount: Discount | None = None


class UpgradedSince(Exception):
    """A later revision grew from the game; ``is_paid`` if by an upgrade."""

    def __init__(self, *, is_paid: bool) -> None:
        super().__init__(f"paid: {is_paid}")
        self.is_paid = is_paid


class OfCampaign(Exception):
    """The deck gets what its games bring from a campaign."""


@cache
def known_scenarios() -> tuple[NamedScenario, ...]:
    """Every scenario that can be named: side scenarios, then campaign by campaign."""
    side = campaign_facts(SIDE)
    listed = dict.fromkeys(_scenarios(side, gettext_lazy("side scenario")))
    for campaign in known_campaigns():
        facts = campaign_facts(campaign)
        listed |= dict.fromkeys(_scenarios(facts, facts.name))
    return tuple(listed)


def _scenarios(
    facts: CampaignFacts, campaign: str | Promise
) -> Iterable[NamedScenario]:
    for each in facts.scenarios.values():
        if not each.name.lower().startswith(_UNPLAYED):
            costs = each.cost, each.named_costs, each.discount
            yield NamedScenario(each.name, campaign, *costs)


def scenarios_for(content: Content) -> tuple[NamedScenario, ...]:
    """Every scenario that can be named, with what it costs this investigator."""
    pool = current_judge().pool
    card = pool.get_card(content.deck["investigator_code"])
    title = card.title if card is not None else ""
    held = copies_by_card(content.deck["slots"], pool)

    def priced(each: NamedScenario) -> NamedScenario:
        more = sum(n for code, n in each.named_costs if pool[code].title == title)
        if each.discount and any(held[code] for code in each.discount.cards):
            more -= each.discount.less
        return each._replace(cost=(each.cost or 0) + more) if more else each

    return tuple(map(priced, known_scenarios()))


def price_of(scenario: str, content: Content) -> int:
    """What a side scenario costs with this deck; alone, outside a campaign, nothing."""
    if content.circumstances.get(MODE) == Mode.STANDALONE:
        return 0
    wanted = fold(scenario)
    costs = (e.cost for e in scenarios_for(content) if fold(e.name) == wanted)
    return next((cost for cost in costs if cost), 0)


def booked(scenario: str, cost: int, earned: Iterable[Earned]) -> tuple[Earned, ...]:
    """The entries of a game for the ledger: what it cost, and what it brought.

    Each names the scenario.
    """
    paid = Earned(Kind.COST, -cost, scenario)
    return (paid, *(_named(each, scenario) for each in earned))


def _named(earned: Earned, scenario: str) -> Earned:
    parts = [part for part in (scenario, earned.reason) if part]
    return earned._replace(reason=": ".join(parts)[:LONGEST_REASON])


@transaction.atomic
def take_back_game(
    *, deck: Deck, expected_revision: int, now: datetime, actor: User | None = None
) -> None:
    """Take back the last game, as if it had not been written down.

    What it brought and cost is booked out of the ledger, where both stay to be read;
    an upgrade under way is dropped. Raises Stale; NotPlayed; UpgradedSince and
    OfCampaign where something else stands on the game.
    """
    latest = deck.revisions.get(number=deck.revision)
    latest = expect(deck, latest.content, expected_revision)
    refuse_to_take_back(latest)
    gone = tuple(
        Earned(each.kind, each.amount, _taken_back(each.reason))
        for each in entries_of_game(latest)
    )
    Desk.objects.filter(deck=deck).delete()
    take_back(deck=deck, earned=gone, played=latest.number, now=now, actor=actor)


def entries_of_game(played: Revision) -> list[LedgerEntry]:
    """What the game played with a revision brought and cost, entry by entry."""
    if played.played_at is None:
        return []
    # A game and its entries are written at one moment.
    booked_then = played.deck.ledger.filter(
        revision=played.number, made_at=played.played_at
    )
    return list(booked_then.filter(kind__in=(*EARNED, Kind.COST)))


def refuse_to_take_back(latest: Revision) -> None:
    """Raise what bars taking back the last game of a deck, if anything does."""
    base = base_of(latest)
    if base is None or base.played_at is None:
        raise NotPlayed(str(latest))
    if base != latest:
        raise UpgradedSince(is_paid=upgrade_from(base) is not None)
    if links_of(latest.deck):
        raise OfCampaign(str(latest))


def why_it_stays(latest: Revision) -> str:
    """Why the last game of a deck can't be taken back; "" where it can."""
    try:
        refuse_to_take_back(latest)
    except NotPlayed:
        return _("This deck has no saved games.")
    except UpgradedSince as since:
        return _why_changed(since.is_paid)
    except OfCampaign:
        return _(
            "The deck is in a campaign. Undo the scenario in the campaign; the deck is "
            "undone with it. You can undo a scenario recorded here once the deck has "
            "left the campaign."
        )
    return ""


def _why_changed(is_paid: bool) -> str:
    if is_paid:
        return _(
            "The last scenario can’t be undone: you upgraded the deck with the "
            "experience it gave. Correct the experience by hand instead."
        )
    return _(
        "The deck has changed since its last scenario: cards were added or removed, or "
        "another one was recorded and undone. Correct the experience in the ledger "
        "instead."
    )


def _taken_back(reason: str) -> str:
    if not reason:
        return _("Game undone")
    return _("Game undone: %(reason)s") % {"reason": reason}
