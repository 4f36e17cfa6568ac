"""Games without a campaign: name the scenario, price it, undo it."""

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
from decks.services.hooks import tables_of
from decks.services.ledger import EARNED, Earned, expect
from decks.services.settling import take_back
from decks.services.upgrading import NotPlayed
from decks.services.windows import base_of, upgrade_from

Kind = LedgerEntry.Kind
_UNPLAYED = ("prologue", "interlude", "epilogue")  # they give a deck no experience


class NamedScenario(NamedTuple):
    """A scenario by its name and campaign; ``cost`` is a side scenario's, else None.

    ``named_costs`` are extra costs for certain investigators, by code; ``discount``
    applies if the deck has one of its cards.
    """

    name: str
    campaign: str | Promise
    cost: int | None = None
    named_costs: tuple[tuple[str, int], ...] = ()
    discount: Discount | None = None


class UpgradedSince(Exception):
    """A later revision was made since the game; ``is_paid`` if by an upgrade."""

    def __init__(self, *, is_paid: bool) -> None:
        super().__init__(f"paid: {is_paid}")
        self.is_paid = is_paid


class OfCampaign(Exception):
    """The deck gets the results of its games from a campaign."""


@cache
def known_scenarios() -> tuple[NamedScenario, ...]:
    """List all scenarios that can be named: side scenarios, then each campaign's."""
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
    """List all scenarios that can be named, with their cost for this investigator."""
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
    """Return the cost of a side scenario for this deck; 0 in standalone mode."""
    if content.circumstances.get(MODE) == Mode.STANDALONE:
        return 0
    wanted = fold(scenario)
    costs = (e.cost for e in scenarios_for(content) if fold(e.name) == wanted)
    return next((cost for cost in costs if cost), 0)


def booked(scenario: str, cost: int, earned: Iterable[Earned]) -> tuple[Earned, ...]:
    """Return the ledger entries of a game: its cost, and what it brought.

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
    """Undo the last game, as if it had not been recorded.

    Its cost and results stay readable in the ledger, with entries that cancel them; an
    upgrade in progress is dropped. Raises Stale; NotPlayed; UpgradedSince and
    OfCampaign if something else depends on the game.
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
    """Return the ledger entries with the results and cost of a revision's game."""
    if played.played_at is None:
        return []
    # A game and its entries are written at the same moment.
    booked_then = played.deck.ledger.filter(
        revision=played.number, made_at=played.played_at
    )
    return list(booked_then.filter(kind__in=(*EARNED, Kind.COST)))


def refuse_to_take_back(latest: Revision) -> None:
    """Raise the reason why the last game of a deck can't be undone, if there is one."""
    base = base_of(latest)
    if base is None or base.played_at is None:
        raise NotPlayed(str(latest))
    if base != latest:
        raise UpgradedSince(is_paid=upgrade_from(base) is not None)
    if latest.deck_id in tables_of([latest.deck_id]):
        raise OfCampaign(str(latest))


def why_it_stays(latest: Revision) -> str:
    """Return why the last game of a deck can't be undone; "" if it can."""
    try:
        refuse_to_take_back(latest)
    except NotPlayed:
        return _("No scenario is recorded for this deck.")
    except UpgradedSince as since:
        return _why_changed(since.is_paid)
    except OfCampaign:
        return _(
            "This deck is in a campaign: undo the scenario there, and the deck "
            "follows. You can undo scenarios recorded here after the deck leaves the "
            "campaign."
        )
    return ""


def _why_changed(is_paid: bool) -> str:
    if is_paid:
        return _(
            "The last scenario can’t be undone: you upgraded the deck with the "
            "experience it gave. Correct the experience by hand instead."
        )
    return _(
        "The last scenario can’t be undone: since then the deck changed, or you "
        "recorded and undid another one. Correct the experience by hand instead."
    )


def _taken_back(reason: str) -> str:
    if not reason:
        return _("Game undone")
    return _("Game undone: %(reason)s") % {"reason": reason}
