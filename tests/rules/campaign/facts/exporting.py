"""Export the facts of every campaign from the field's guides and card records.

Facts only: ids, names, numbers, codes, and the short phrases that a guide orders to
record in the log. The guides' other texts are left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from arkham.rules.campaign.by_hand.belonging import TEKELI_LI_TITLE
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.chaos.starting import campaigns, scenarios
from tests.rules.campaign.facts.cards import Cards
from tests.rules.campaign.facts.home_made import HOME_MADE, home_made
from tests.rules.campaign.facts.lines import Lines
from tests.rules.campaign.facts.log import (
    objects,
    pack_facts,
    packed,
    section_facts,
    spoken,
    supply_names,
)
from tests.rules.campaign.facts.map import map_facts, pools_of, redirected
from tests.rules.campaign.facts.sets import gathered

Raw = Mapping[str, Any]
SIDE = "side"
CAMPAIGN, CORE = "campaign", "core"


def facts_of(
    known: Iterable[Raw], stems: Mapping[str, Mapping[str, Raw]], cards: Cards
) -> dict[str, dict[str, Any]]:
    """Return the facts of each campaign by its id, sorted, as plain JSON.

    ``known`` are the campaigns in the facts of the shared data, ``stems`` the complete
    files of each campaign by directory and stem.
    """
    found = {HOME_MADE: home_made()}
    for each in known:
        found[each["id"]] = _Exported(each, stems[_directory(each, stems)], cards).facts
    return dict(sorted(found.items()))


def _directory(known: Raw, stems: Mapping[str, Mapping[str, Raw]]) -> str:
    return next(
        name for name, files in stems.items() if files[CAMPAIGN]["id"] == known["id"]
    )


class _Exported:
    """The export of one campaign."""

    def __init__(self, known: Raw, stems: Mapping[str, Raw], cards: Cards) -> None:
        self.known = known
        self.cards = cards
        self.campaign = stems[CAMPAIGN]
        self.raws = {
            str(raw["id"]): raw
            for stem, raw in stems.items()
            if stem != CAMPAIGN and raw.get("type") != CORE
        }
        self.core: Raw = next(
            (raw for raw in stems.values() if raw.get("type") == CORE), {}
        )
        self.sections = [
            section_facts(each, self.campaign)
            for each in known["log_sections"]
            if not each.get("hidden")
        ]
        kinds = {each["id"]: each.get("kind", "") for each in self.sections}
        self.lines = Lines(kinds, cards.called)
        self.glyphs = [name for name, kind in kinds.items() if kind == "glyphs"]
        self.facts = self._facts()

    def _facts(self) -> dict[str, Any]:
        known = self.known
        own = [self._scenario(each) for each in known["scenarios"]]
        found = {
            "id": known["id"],
            "name": known["name"],
            "kind": known["kind"],
            "type": known["campaign_type"],
            "version": known["guide_version"],
            "order": known["scenario_order"],
            "orders": known.get("alternative_scenario_orders", []),
            "sections": self.sections,
            "numbers": self._numbers(),
            "glyphs": {
                each: sorted(known["counter_entry_ids"].get(each, ()))
                for each in self.glyphs
            },
            "cards": {each["code"]: self._card(each) for each in self._granted()},
            "setup": self._setup(),
            "supplies": supply_names(self.raws.values()),
            "scenarios": own,
            "lines": self.lines.phrases,
            "days": self.lines.days,
            "map": map_facts(self.campaign),
            "pools": pools_of(self.raws.values()),
            "redirect": redirected(self.raws.values()),
            "bags": self._starting_bags(),
            "achievements": [
                _achievement(each) for each in self.campaign.get("achievements", ())
            ],
            "free_side": bool(known.get("no_side_scenario_xp")),
        }
        worth = (code for each in own for code in each.get("victory", ()))
        sets = (name for each in own for name in each.get("sets", ()))
        found |= {
            "victory": self.cards.displayed(worth),
            "sets": self.cards.set_names(sets),
        }
        return spoken(found)

    def _setup(self) -> dict[str, Any]:
        found = self._gains(SETUP, self.campaign)
        rare = {each: found.pop(each) for each in ("named", "tasks", "numbers")}
        return {"id": SETUP, **found, **spoken(rare)}

    def _discount(self, known: Raw) -> dict[str, Any]:
        """Return the cards that make a challenge scenario cheaper, and their name."""
        challenge = known.get("challenge") or {}
        codes = challenge.get("card_discount") or []
        if not codes:
            return {}
        name = self.cards.called[codes[0]]
        return {"cards": codes, "less": challenge["xp_cost"], "name": name}

    def _granted(self) -> list[Raw]:
        """Return the story cards and weaknesses that the campaign gives."""
        return [*self.known["story_cards"], *self.known["story_weaknesses"]]

    def _card(self, known: Raw) -> dict[str, Any]:
        """Return a card's name and whether it is a weakness.

        Cards that decks gain and lose have their number of copies, too.
        """
        found = {"name": known["name"], "weakness": known.get("subtype_code") or ""}
        if known["name"] == TEKELI_LI_TITLE:
            found["copies"] = self.cards.copies[known["code"]]
        return spoken(found)

    def _starting_bags(self) -> dict[str, Any]:
        """Return the bags of the campaign, unless the odds pages have them."""
        if self.known["id"] in campaigns():
            return {}
        bags = self.known.get("chaos_bags", {})
        return {difficulty: bag["tokens"] for difficulty, bag in bags.items()}

    def _numbers(self) -> dict[str, list[str]]:
        """Return the numbers that any scenario may change; none for side scenarios."""
        if self.known["id"] == SIDE:
            return {}
        shown = {each["id"] for each in self.sections}
        return {
            section: sorted(ids)
            for section, ids in self.known["counter_entry_ids"].items()
            if section in shown and section not in self.glyphs
        }

    def _scenario(self, known: Raw) -> dict[str, Any]:
        raw = self.raws[known["id"]]
        found = {
            "id": known["id"],
            "name": known["name"],
            "title": known["full_name"],
            "kind": known["type"],
            "listed": known["listed"],
            "side": known.get("side_scenario_type") or "",
            "cost": _cost(known),
            "discount": self._discount(known),
            "named_costs": [*_named_costs(raw)],
            "standalone": bool(known.get("standalone")),
            "between": bool(known.get("allow_side_scenario")),
            "card": known.get("chaos_bag_card") or "",
            "resolutions": [
                self._resolution(raw, each) for each in known["resolutions"]
            ],
            "ends": known.get("can_end_campaign", []),
            "following": known.get("next_scenario", []),
            "upgrade": "upgrade_decks" in json.dumps(raw),
            "packs": [pack_facts(each) for each in packed(raw)],
            "bags": self._bags(known),
            **self._gains(known["id"], raw),
        }
        if known["type"] == "scenario":
            sets = gathered(raw, self.cards.names)
            found |= {"sets": [*sets], "victory": self.cards.in_sets(sets, known["id"])}
        return spoken(found)

    def _bags(self, known: Raw) -> Mapping[str, Any]:
        """Return the bags of a standalone scenario, unless the odds pages have them."""
        place = "side" if self.known["id"] == SIDE else self.known["id"]
        listed = scenarios().get(f"{place}.{known['id']}")
        if listed is not None and listed.bags:
            return {}
        return known.get("standalone_chaos_bags") or {}

    def _gains(self, scenario: str, raw: Raw) -> dict[str, Any]:
        """Return what can be recorded and gained in a scenario."""
        shared = () if scenario == SETUP else (self.core,)
        listed = self.lines.of(raw, *shared)
        places = {scenario} if scenario == SETUP else {scenario, CORE}
        return {
            "lines": listed.lines,
            "named": listed.named,
            "tasks": listed.tasks,
            "numbers": self._own_numbers(raw),
            "cards": sorted(
                each["code"]
                for each in self._granted()
                if places & set(each["granted_in"]) and each["name"] != TEKELI_LI_TITLE
            ),
            "weakness": any(
                each["scenario"] == scenario
                for each in self.known["random_weakness_draws"]
            ),
        }

    def _own_numbers(self, raw: Raw) -> list[list[str]]:
        """Return sections and ids of the numbers that a side scenario records."""
        if self.known["id"] != SIDE:
            return []
        shown = {each["id"] for each in self.sections}
        counted = {
            (str(part["section"]), str(part["id"]))
            for part in objects(raw)
            if part.get("type") == "campaign_log_count"
            and part.get("section") in shown
            and part.get("id")
        }
        return [[*each] for each in sorted(counted)]

    def _resolution(self, raw: Raw, known: Raw) -> dict[str, Any]:
        found = {"id": known["id"]}
        if "investigator_status" in known:
            found["statuses"] = known["investigator_status"]
        if self._orders_replay(raw, known["id"]):
            found["replay"] = True
        return found

    def _orders_replay(self, raw: Raw, resolution: str) -> bool:
        """Return whether a resolution may order the scenario to be replayed."""
        steps = {
            each["id"]: each for each in (*self.core.get("steps", ()), *raw["steps"])
        }
        endings = {each["id"]: each for each in raw.get("resolutions", ())}
        waiting: list[str] = [*_resolution_steps(endings, resolution)]
        seen: set[str] = set()
        while waiting:
            step_id = waiting.pop()
            step = steps.get(step_id)
            if step_id in seen or step is None:
                continue
            seen.add(step_id)
            for part in objects(step):
                if part.get("setting") == "replay_scenario":
                    return True
                waiting += [str(each) for each in part.get("steps", ())]
                if part.get("type") == "resolution":
                    waiting += _resolution_steps(endings, part.get("resolution", ""))
        return False


def _resolution_steps(endings: Mapping[str, Raw], resolution: str) -> Sequence[str]:
    steps: Sequence[str] = endings.get(resolution, {}).get("steps", ())
    return steps


def _achievement(raw: Raw) -> dict[str, Any]:
    """Return an achievement's name and kind; how to earn it is in the guide."""
    return spoken(
        {
            "id": raw["id"],
            "title": raw["title"],
            "kind": raw["type"],
            "most": raw.get("max"),
            "items": [each["id"] for each in raw.get("items", ())],
        }
    )


def _cost(known: Raw) -> int | None:
    """Return the price for investigators without a card that reduces it."""
    challenge = known.get("challenge") or {}
    more: int = challenge["xp_cost"] if challenge.get("card_discount") else 0
    cost: int | None = known.get("xp_cost")
    return cost if cost is None else cost + more


def _named_costs(raw: Raw) -> Iterator[list[Any]]:
    """Yield the prices of named investigators for a side scenario."""
    for step in objects(raw):
        effects = [
            each
            for each in step.get("effects", ())
            if each.get("type") == "earn_xp" and each.get("bonus", 0) < 0
        ]
        if any(each.get("side_scenario_cost") for each in effects):
            for each in effects:
                if "fixed_investigator" in each:
                    yield [each["fixed_investigator"], -each["bonus"]]
