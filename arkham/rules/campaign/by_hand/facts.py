"""What is known of every campaign: facts only, without the texts of a guide.

The files are in ``../data``, one per campaign, made by ``tests.rules.campaign.facts``.
The bags of official campaigns come from ``chaos/starting.py``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from arkham.rules.campaign.model.guide import (
    Achievement,
    Discount,
    MapPlace,
    Partner,
    Section,
)
from arkham.rules.chaos.starting import Bags, bags_of, campaigns, scenarios

DATA = Path(__file__).resolve().parent.parent / "data"
NAME = "#name#"  # placeholder for a name in a line
DISCOUNT = "discount"  # the step that asks who pays less for a side scenario
SIDE = "side"  # not a campaign: the side scenarios for all campaigns
USUAL_STATUSES = ("alive", "resigned", "physical", "mental", "eliminated")


@dataclass(frozen=True, slots=True)
class ResolutionFacts:
    """A resolution: the outcomes it allows, and whether it may order a replay."""

    id: str
    statuses: tuple[str, ...] = USUAL_STATUSES
    replay: bool = False


@dataclass(frozen=True, slots=True)
class WorthFacts:
    """A card for the victory display: its points and number of copies.

    The number of copies of player cards in play is unknown.
    """

    code: str
    name: str
    copies: int | None = None
    victory: int | None = None
    vengeance: int | None = None


@dataclass(frozen=True, slots=True)
class CardFacts:
    """A card that a campaign gives; ``weakness`` is its kind, "" for a story card.

    ``copies`` is the number that exist of a card that goes in and out of decks.
    """

    code: str
    name: str
    weakness: str = ""
    copies: int = 0


@dataclass(frozen=True, slots=True)
class PackFacts:
    """Supplies that can be packed: the points available, by number of players.

    ``costs`` are the supplies: id, points, and whether several can be packed; ``pool``
    has additional points.
    """

    section: str
    points: tuple[int, ...]
    costs: tuple[tuple[str, int, bool], ...]
    pool: str = ""


@dataclass(frozen=True, slots=True)
class MapFacts:
    """The places a group travels between; its start, and the card that makes journeys
    fast."""

    start: str = ""
    fast: str = ""
    places: Mapping[str, MapPlace] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScenarioFacts:
    """A scenario, interlude or epilogue, or the setup of the campaign.

    ``listed`` is its place in the order of play: ``main``, ``alternative_order``,
    ``hidden`` or ``unlisted``. ``lines`` are sections and ids of lines that can be
    recorded there, ``named`` those that name someone, ``tasks`` those of one
    investigator, ``numbers`` those of a side scenario. ``cards`` can be earned;
    ``weakness``: a random one may be drawn. ``upgrade``: experience may be spent after
    it. ``ends`` are results it can give the campaign, ``following`` scenarios its
    resolutions may make next. ``named_costs`` are paid by certain investigators besides
    ``cost``; with a ``discount`` others pay less.
    """

    id: str
    name: str = ""
    title: str = ""
    kind: str = ""
    listed: str = ""
    side: str = ""
    cost: int | None = None
    standalone: bool = False
    between: bool = False
    card: str = ""
    resolutions: tuple[ResolutionFacts, ...] = ()
    sets: tuple[str, ...] = ()
    victory: tuple[str, ...] = ()
    lines: tuple[tuple[str, str], ...] = ()
    cards: tuple[str, ...] = ()
    weakness: bool = False
    upgrade: bool = False
    ends: tuple[str, ...] = ()
    following: tuple[str, ...] = ()
    bags: Bags = field(default_factory=dict)
    packs: tuple[PackFacts, ...] = ()
    named: tuple[tuple[str, str], ...] = ()
    tasks: tuple[tuple[str, str], ...] = ()
    numbers: tuple[tuple[str, str], ...] = ()
    named_costs: tuple[tuple[str, int], ...] = ()
    discount: Discount | None = None

    @property
    def is_played(self) -> bool:
        """Whether it is a game, not only text."""
        return self.kind == "scenario"


@dataclass(frozen=True, slots=True)
class CampaignFacts:
    """One campaign. ``lines`` are the phrases of the log by section and id, ``numbers``
    the ids of the numbers in a section, ``supplies`` and ``keys`` their names,
    ``glyphs`` ids whose meaning the players find out, ``days`` lines of which the log
    has one at a time. ``pools`` are earned apart from experience; ``redirect`` is the
    section that experience may go to. ``digest`` identifies exactly these facts."""

    id: str
    name: str
    kind: str
    type: str
    version: int
    order: tuple[str, ...]
    orders: tuple[tuple[str, ...], ...]
    sections: tuple[Section, ...]
    numbers: Mapping[str, tuple[str, ...]]
    lines: Mapping[str, Mapping[str, str]]
    cards: Mapping[str, CardFacts]
    victory: Mapping[str, WorthFacts]
    sets: Mapping[str, str]
    setup: ScenarioFacts
    scenarios: Mapping[str, ScenarioFacts]
    bags: Bags
    partners: Mapping[str, str]
    free_side: bool
    achievements: tuple[Achievement, ...]
    digest: str
    supplies: Mapping[str, Mapping[str, str]]
    keys: Mapping[str, Mapping[str, str]]
    glyphs: Mapping[str, tuple[str, ...]]
    days: Mapping[str, Mapping[str, str]]
    map: MapFacts
    pools: tuple[str, ...]
    redirect: str


@cache
def known_campaigns() -> tuple[str, ...]:
    """Return the ids of all campaigns with known facts, sorted."""
    return tuple(sorted(path.stem for path in DATA.glob("*.json") if path.stem != SIDE))


@cache
def campaign_facts(campaign: str) -> CampaignFacts:
    """Return the facts of a campaign. Raises :class:`KeyError` if there are none."""
    if campaign != SIDE and campaign not in known_campaigns():
        raise KeyError(campaign)
    return read_facts((DATA / f"{campaign}.json").read_bytes())


def facts_about(guide: str) -> Iterator[CampaignFacts]:
    """Yield the facts of a campaign, if there are any, then those of side scenarios."""
    if guide in known_campaigns():
        yield campaign_facts(guide)
    yield campaign_facts(SIDE)


@cache
def sets_of(guide: str) -> frozenset[str]:
    """Return the encounter sets of a campaign's scenarios; empty if it isn't known."""
    known = guide in (SIDE, *known_campaigns())
    scenarios = campaign_facts(guide).scenarios.values() if known else ()
    return frozenset(code for each in scenarios for code in each.sets)


def written(facts: Mapping[str, Any]) -> bytes:
    """Return the facts of a campaign as stored: equal facts give the same bytes."""
    text = json.dumps(facts, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return (text + "\n").encode()


def read_facts(content: bytes) -> CampaignFacts:
    """Return facts read from their stored form."""
    raw = json.loads(content)
    campaign = raw["id"]
    official = campaigns().get(campaign)
    cards, worth = raw.get("cards", {}), raw.get("victory", {})
    return CampaignFacts(
        campaign,
        raw["name"],
        raw["kind"],
        raw["type"],
        raw.get("version", 0),
        tuple(raw.get("order", ())),
        tuple(tuple(order) for order in raw.get("orders", ())),
        tuple(_section(each) for each in raw["sections"]),
        {name: tuple(ids) for name, ids in raw.get("numbers", {}).items()},
        raw.get("lines", {}),
        {code: CardFacts(code, **each) for code, each in cards.items()},
        {code: WorthFacts(code, **each) for code, each in worth.items()},
        raw.get("sets", {}),
        _scenario(campaign, raw["setup"]),
        {each["id"]: _scenario(campaign, each) for each in raw["scenarios"]},
        official.bags if official is not None else bags_of(raw.get("bags", {})),
        _partners(raw["sections"]),
        raw.get("free_side", False),
        tuple(_achievement(each) for each in raw.get("achievements", ())),
        hashlib.blake2b(content, digest_size=16).hexdigest(),
        raw.get("supplies", {}),
        {each["id"]: each["keys"] for each in raw["sections"] if "keys" in each},
        {name: tuple(ids) for name, ids in raw.get("glyphs", {}).items()},
        raw.get("days", {}),
        _map(raw.get("map", {})),
        tuple(raw.get("pools", ())),
        raw.get("redirect", ""),
    )


def _map(raw: Mapping[str, Any]) -> MapFacts:
    places = {
        each["id"]: MapPlace(
            each["id"],
            each["name"],
            each["scenario"],
            each["status"],
            each.get("hidden", False),
            tuple(each["connections"]),
        )
        for each in raw.get("places", ())
    }
    return MapFacts(raw.get("start", ""), raw.get("fast", ""), places)


def _partners(sections: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return the names of partners by code."""
    listed = (each for section in sections for each in section.get("partners", ()))
    return {each["code"]: each["name"] for each in listed}


def _scenario(campaign: str, raw: Mapping[str, Any]) -> ScenarioFacts:
    listed = scenarios().get(f"{campaign}.{raw['id']}")
    own = bags_of(raw.get("bags", {}))
    return ScenarioFacts(
        raw["id"],
        raw.get("name", ""),
        raw.get("title", ""),
        raw.get("kind", ""),
        raw.get("listed", ""),
        raw.get("side", ""),
        raw.get("cost"),
        raw.get("standalone", False),
        raw.get("between", False),
        raw.get("card", ""),
        tuple(_resolution(each) for each in raw.get("resolutions", ())),
        tuple(raw.get("sets", ())),
        tuple(raw.get("victory", ())),
        _lines(raw, "lines"),
        tuple(raw.get("cards", ())),
        raw.get("weakness", False),
        raw.get("upgrade", False),
        tuple(raw.get("ends", ())),
        tuple(raw.get("following", ())),
        own or (listed.bags if listed is not None else {}),
        tuple(_pack(each) for each in raw.get("packs", ())),
        _lines(raw, "named"),
        _lines(raw, "tasks"),
        _lines(raw, "numbers"),
        tuple((code, cost) for code, cost in raw.get("named_costs", ())),
        _discount(raw["discount"]) if "discount" in raw else None,
    )


def _discount(raw: Mapping[str, Any]) -> Discount:
    return Discount(tuple(raw["cards"]), raw["less"], DISCOUNT, raw["name"])


def _lines(raw: Mapping[str, Any], which: str) -> tuple[tuple[str, str], ...]:
    return tuple((section, line_id) for section, line_id in raw.get(which, ()))


def _pack(raw: Mapping[str, Any]) -> PackFacts:
    costs = tuple((name, cost, several) for name, cost, several in raw["costs"])
    return PackFacts(raw["section"], tuple(raw["points"]), costs, raw.get("pool", ""))


def _resolution(raw: Mapping[str, Any]) -> ResolutionFacts:
    statuses = tuple(raw.get("statuses", USUAL_STATUSES))
    return ResolutionFacts(raw["id"], statuses, raw.get("replay", False))


def _achievement(raw: Mapping[str, Any]) -> Achievement:
    items = tuple(raw.get("items", ()))
    return Achievement(raw["id"], raw["title"], raw["kind"], raw.get("most"), items)


def _section(raw: Mapping[str, Any]) -> Section:
    partners = tuple(
        Partner(
            each["code"],
            each["health"],
            each["sanity"],
            each.get("resolute_health", each["health"]),
            each.get("resolute_sanity", each["sanity"]),
        )
        for each in raw.get("partners", ())
    )
    return Section(
        raw["id"], raw.get("title", ""), raw.get("kind", ""), False, partners
    )
