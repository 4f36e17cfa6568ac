"""Fold the log of a campaign over its guide, and keep the result in memory.

The last state is also stored, for comparison only: differences that another version of
the rules, cards or a guide makes to the same log can be found before a table does.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from threading import Lock
from typing import Any, NamedTuple, TypeVar

from arkham.rules.campaign.interpreter import Half, fold_linked
from arkham.rules.campaign.interpreter.replay import START, START_SIDE, Replay, fold
from arkham.rules.campaign.model.guide import CampaignGuide
from arkham.rules.campaign.state.answers import Answer, Asserted, Stated
from arkham.rules.campaign.state.lookup import printed_values
from arkham.rules.campaign.state.state import Printed
from arkham.rules.legality.verdict import RULES_VERSION
from arkham.rules.pool import CardPool
from arkham.rules.replaying import reported
from campaigns.guides import opening
from campaigns.guides.opening import GuideMissing
from campaigns.log import store
from campaigns.log.entries import Entry, folded
from campaigns.log.store import LogBroken
from campaigns.models import Campaign, Snapshot
from campaigns.models import Guide as KeptGuide
from cardpool.catalog import current_pool

_Found = TypeVar("_Found")

MOST_KEPT = 24  # per process; a campaign of 300 entries takes about 1 MB


class Folded(NamedTuple):
    """A log and its replay; ``last`` is the sequence of its last entry."""

    entries: tuple[Entry, ...]
    replay: Replay
    last: int
    head: str


class _Terms(NamedTuple):
    """Everything that a fold depends on besides the entries."""

    digest: str
    side: str
    version: int
    standalone: str
    simulated: str
    pool: str
    linked: str  # the head of the linked campaign's log, "" if there is none
    decisions: tuple[tuple[str, str], ...]  # of a linked campaign that was deleted
    fronts: tuple[tuple[str, str], ...]  # of this campaign and the linked one


class _Begun(NamedTuple):
    """The replay of a campaign at the start of a scenario, and its entries."""

    scenario: str
    entries: tuple[Entry, ...]
    replay: Replay


_Place = tuple[int, _Terms]
_kept: OrderedDict[_Place, Folded] = OrderedDict()
_begun: OrderedDict[_Place, _Begun] = OrderedDict()
_lock = Lock()


def replayed(campaign: Campaign) -> Folded:
    """Return a campaign's log, folded.

    Raises LogBroken if its log can't be read; GuideMissing.
    """
    pool = current_pool()
    terms = _terms(campaign, pool)
    place = (campaign.pk, terms)
    with _lock:
        kept = _kept.get(place)
    if kept is not None and kept.head == campaign.head:
        return kept
    found = _refolded(campaign, terms, pool, kept)
    _keep(_kept, place, found)
    return found


def replayed_as_begun(campaign: Campaign, known: Folded, scenario: str) -> Replay:
    """Return the replay at the start of a scenario, without the scenario's results.

    It doesn't change while the scenario is played, so it is cached.
    """
    entries = tuple(_as_begun(known.entries, scenario))
    place = campaign.pk, _terms(campaign, current_pool())
    with _lock:
        kept = _begun.get(place)
    if kept is not None and kept.scenario == scenario and kept.entries == entries:
        return kept.replay
    replay = folded_over(campaign, entries, after=known.replay)
    _keep(_begun, place, _Begun(scenario, entries, replay))
    return replay


def _as_begun(entries: Iterable[Entry], scenario: str) -> Iterator[Entry]:
    """Yield all entries but those about a scenario after its start, or later ones.

    Corrections of earlier games are not results of this scenario.
    """
    later: set[str] = set()
    for entry in folded(entries):
        begins = isinstance(entry, Answer) and entry.kind in (START, START_SIDE)
        said = entry.scenario if isinstance(entry, Answer | Stated | Asserted) else None
        if begins and later:
            later.add(str(said))
        if said not in later:
            yield entry
        if begins and said == scenario:
            later.add(scenario)


def _keep(kept: OrderedDict[_Place, _Found], place: _Place, found: _Found) -> None:
    """Cache a result for a place, and drop the oldest results."""
    with _lock:
        kept[place] = found
        kept.move_to_end(place)
        while len(kept) > MOST_KEPT:
            kept.popitem(last=False)


def _terms(campaign: Campaign, pool: CardPool) -> _Terms:
    linked = campaign.linked
    return _Terms(
        campaign.guide.digest,
        campaign.guide.side_digest,
        campaign.version,
        campaign.standalone,
        campaign.simulated,
        pool.version,
        linked.head if linked is not None else "",
        tuple((campaign.heard or {}).items()),
        tuple(
            part
            for each in filter(None, (campaign, linked))
            for part in sorted((each.fronts or {}).items())
        ),
    )


def _refolded(
    campaign: Campaign, terms: _Terms, pool: CardPool, kept: Folded | None
) -> Folded:
    before = kept if kept is not None and _goes_on(campaign, kept) else None
    known = before.entries if before is not None else ()
    since = before.last if before is not None else 0
    found = (*known, *store.entries(campaign, since))
    replay = folded_over(
        campaign, found, pool=pool, after=before.replay if before else None
    )
    return Folded(found, replay, campaign.last, campaign.head)


def _goes_on(campaign: Campaign, kept: Folded) -> bool:
    """Return whether a log begins with the log that was folded before."""
    if kept.last >= campaign.last:
        return False
    head = kept.head
    for row in store.rows(campaign, kept.last):
        head = store.chained(head, row.sequence, row.kind, row.version, row.payload)
    return head == campaign.head


def folded_over(
    campaign: Campaign,
    entries: Iterable[Entry],
    *,
    row: KeptGuide | None = None,
    pool: CardPool | None = None,
    after: Replay | None = None,
) -> Replay:
    """Return the replay of these entries in this campaign; nothing is cached.

    ``row`` overrides the campaign's guide; ``after`` is the replay of other entries, to
    be continued from the entries that they share.
    """
    guide, scopes = opening.in_use(row or campaign.guide)
    pool = pool or current_pool()
    linked = campaign.linked
    if linked is not None:
        halves = (
            _half(campaign, guide, entries, pool),
            _half(linked, opening.opened(linked.guide), store.entries(linked), pool),
        )
        return fold_linked(*halves)[0]
    return fold(
        guide,
        folded(entries),
        _printed_in(campaign, pool),
        _linked_answers(campaign),
        version=campaign.version,
        standalone=campaign.standalone,
        simulated=campaign.simulated,
        parted=campaign.heard is not None,
        scopes=scopes,
        after=after,
    )


def linked_decisions(
    campaign: Campaign, up_to: int | None = None
) -> dict[str, str] | None:
    """Return the linked campaign's decisions, by link; None if there is none.

    ``up_to`` is an entry of this one: only decisions made before it was written count.
    """
    end = campaign.last if up_to is None else up_to
    if campaign.linked is None:
        origin = campaign.branched_from
        if origin is not None and end < (campaign.branched_at or 0):
            return linked_decisions(origin, end)
        return campaign.heard
    if end >= campaign.last:
        return dict(replayed(campaign.linked).replay.state.sent)
    known = store.rows(campaign)[:end]
    until = known[-1].recorded_at if known else campaign.made_at
    other = linked_folded_over(campaign, map(store.entry_of, known), until)
    return dict(other.state.sent) if other else None


def _linked_answers(campaign: Campaign) -> list[Answer] | None:
    """Return the answers of a deleted linked campaign; None if there never was one."""
    if campaign.heard is None:
        return None
    return [
        Answer("campaign_link", "", link, decision)
        for link, decision in campaign.heard.items()
    ]


def linked_folded_over(
    campaign: Campaign, entries: Iterable[Entry], until: datetime | None = None
) -> Replay | None:
    """Return the linked campaign's replay, given these entries of this one.

    Only its own entries written ``until`` then count. None if none is linked.
    """
    linked = campaign.linked
    if linked is None:
        return None
    guide, _scopes = opening.in_use(campaign.guide)
    pool, rows = current_pool(), store.rows(linked)
    there = [store.entry_of(e) for e in rows if not until or e.recorded_at <= until]
    halves = (
        _half(campaign, guide, entries, pool),
        _half(linked, opening.opened(linked.guide), there, pool),
    )
    return fold_linked(*halves)[1]


def _half(
    campaign: Campaign, guide: CampaignGuide, entries: Iterable[Entry], pool: CardPool
) -> Half:
    cards = _printed_in(campaign, pool)
    answers = folded(entries)
    alone = campaign.standalone, campaign.simulated
    return Half(guide, answers, cards, campaign.version, *alone)


def _printed_in(campaign: Campaign, pool: CardPool) -> Mapping[str, Printed]:
    """Return the printed values of investigators, with the fronts that are played."""
    cards = printed_cards(pool)
    fronts = {
        code: cards[front]
        for code, front in (campaign.fronts or {}).items()
        if front in cards and is_front_of(front, code, pool)
    }
    return {**cards, **fronts} if fronts else cards


def is_front_of(front: str, code: str, pool: CardPool) -> bool:
    """Return whether a card is one of this investigator's fronts; files may err."""
    own, played = pool.get_card(code), pool.get_card(front)
    return own is not None and played is not None and own.title == played.title


_printed_of: dict[str, Mapping[str, Printed]] = {}


def printed_cards(pool: CardPool) -> Mapping[str, Printed]:
    found = _printed_of.get(pool.version)
    if found is None:
        _printed_of.clear()
        found = _printed_of[pool.version] = printed_values(pool)
    return found


class Checked(NamedTuple):
    """The outcome of refolding one campaign; ``found`` is "" if nothing changed."""

    campaign: int
    entries: int
    found: str = ""


def check_campaigns() -> Iterator[Checked]:
    """Refold every campaign and compare it with its snapshot; nothing is written."""
    for campaign in _campaigns():
        yield _checked(campaign, campaign.last)


def remember_campaigns() -> Iterator[Checked]:
    """Fold every campaign and store its state."""
    for campaign in _campaigns():
        try:
            state = _state(campaign)
        except (LogBroken, GuideMissing) as error:
            yield Checked(campaign.pk, campaign.last, str(error))
            continue
        Snapshot.objects.update_or_create(
            campaign=campaign,
            defaults={"up_to": campaign.last, "engine": RULES_VERSION, "state": state},
        )
        yield Checked(campaign.pk, campaign.last)


def _campaigns() -> Iterator[Campaign]:
    found = Campaign.objects.select_related("guide", "linked__guide")
    yield from found.order_by("pk").iterator(chunk_size=50)


def _checked(campaign: Campaign, entries: int) -> Checked:
    kept = Snapshot.objects.filter(campaign=campaign).first()
    try:
        rows = store.rows(campaign)
        if store.head_of(rows) != campaign.head:
            return Checked(campaign.pk, entries, "The log is not what was written.")
        state = _state(campaign, None if kept is None else kept.up_to)
    except LogBroken as error:
        return Checked(campaign.pk, entries, f"Entry {error.sequence} is broken.")
    except GuideMissing as error:
        return Checked(campaign.pk, entries, str(error))
    if kept is not None and kept.state != state:
        keys = sorted(
            key
            for key in {**kept.state, **state}
            if kept.state.get(key) != state.get(key)
        )
        return Checked(
            campaign.pk, entries, f"Otherwise than before: {', '.join(keys)}"
        )
    return Checked(campaign.pk, entries)


def _state(campaign: Campaign, up_to: int | None = None) -> dict[str, Any]:
    """Return the state after an entry, as JSON types."""
    entries = store.entries(campaign)
    if up_to is not None:
        entries = [entry for entry in entries if entry.sequence <= up_to]
    state = reported(folded_over(campaign, entries))
    found: dict[str, Any] = json.loads(json.dumps(state))
    return found
