"""What facts say about scenarios: their order, setup, victory display, and the end.

A group that travels says so, then says where to; the map gives the time it takes. Cards
of the display have their printed points.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from arkham.rules.campaign.by_hand.facts import (
    DATA,
    SIDE,
    CampaignFacts,
    CardFacts,
    ScenarioFacts,
    campaign_facts,
    facts_about,
    known_campaigns,
)
from arkham.rules.campaign.model import conditions as ask
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import prompts as to
from arkham.rules.campaign.model.conditions import ConditionOption, ConditionOptions
from arkham.rules.campaign.model.effects import Effect, batch
from arkham.rules.campaign.model.guide import (
    PASSING,
    SETUP,
    Ask,
    CampaignGuide,
    Plain,
    Step,
)
from arkham.rules.campaign.model.prompts import PromptChoice, VictoryDisplay, Worth
from arkham.rules.campaign.state.state import State
from arkham.rules.chaos.bag import Token
from arkham.rules.chaos.starting import (
    Difficulty,
    SymbolFact,
    reference_symbols,
    scenarios,
)

TRAVEL, TRAVEL_RETURN = "travel", "travel_return"
OPEN_PLACES, CLOSE_PLACES = "open_places", "close_places"
DEPARTURE = "departure"
EMBARK, EMBARK_RETURN = "$embark", "$embark_return"
_CHANGES = ((OPEN_PLACES, "unlock_location"), (CLOSE_PLACES, "lock_location"))


def led_up_to(guide: CampaignGuide) -> tuple[str, ...]:
    """Return the games of a campaign after the first one, in order (STAND-06).

    Side scenarios aren't a campaign: none of them leads up to another.
    """
    if guide.id == SIDE:
        return ()
    scenarios = guide.scenarios
    listed = (each for each in guide.order if each in scenarios)
    games = [each for each in listed if not scenarios[each].is_interlude]
    return tuple(games[1:])


def departure(facts: CampaignFacts) -> Iterator[Step]:
    """Yield the step that places the group on its map."""
    if facts.map.places:
        known = course.MapChange("unlock_map"), course.Embark(facts.map.start)
        yield Plain(DEPARTURE, batch(*known))


def journeys(facts: CampaignFacts) -> Iterator[PromptChoice]:
    """Yield the choices to travel on, with or without the option to come back here."""
    if facts.map.places:
        yield PromptChoice(TRAVEL, steps=(EMBARK,))
        yield PromptChoice(TRAVEL_RETURN, steps=(EMBARK_RETURN,))


def place_steps(facts: CampaignFacts) -> Iterator[Step]:
    """Yield the steps that open places, or close them again."""
    locked = [each for each in facts.map.places.values() if each.status == "locked"]
    if not locked:
        return
    for step, change in _CHANGES:
        choices = tuple(
            PromptChoice(each.id, batches=(batch(course.MapChange(change, each.id)),))
            for each in locked
        )
        yield Ask(step, to.Checklist(choices))


RECORD, NEXT, SKIP, OVER = "record", "next", "skip", "over"


def again(step_id: str, *effects: Effect) -> PromptChoice:
    """Return a choice to record something, after which the question is asked again."""
    steps = (RECORD,) if effects else (step_id, RECORD)
    batches = (batch(*effects),) if effects else ()
    return PromptChoice(step_id, batches=batches, steps=steps, repeatable=True)


def is_listed(facts: CampaignFacts, scenario: ScenarioFacts) -> bool:
    """Return whether a scenario is part of a campaign: not a setup or side scenario."""
    return facts.id != SIDE and scenario.id in facts.scenarios


def order_steps(facts: CampaignFacts, scenario: ScenarioFacts) -> Iterator[Step]:
    """Yield the steps that ask what comes next and what won't be played."""
    yield Ask(NEXT, to.Menu(tuple(_next(facts, scenario))))
    skipped = tuple(
        PromptChoice(
            each.id, _unplayed(each.id), (batch(course.SkipScenario(each.id)),)
        )
        for each in facts.scenarios.values()
        if each.id != scenario.id and each.kind != "epilogue"
    )
    if skipped:
        yield Ask(SKIP, to.Checklist(skipped))


def order_choices(
    facts: CampaignFacts, scenario: ScenarioFacts
) -> Iterator[PromptChoice]:
    """Yield the choices of another next scenario, scenarios left out, and the end."""
    if has_successor(facts, scenario):
        yield again(NEXT)
    if len(facts.scenarios) > len(epilogues(facts)) + 1:
        yield again(SKIP)
    ended = _ended(facts)
    yield again("won", course.SetResult("win"), *ended)
    if any("survived" in each.ends for each in facts.scenarios.values()):
        yield again("survived", course.SetResult("survived"), *ended)
    remaining = ended if facts.map.places else ()
    yield again("lost", *remaining, course.SetResult("lose"))


def epilogues(facts: CampaignFacts) -> tuple[str, ...]:
    """Return the epilogues, which are read even if the campaign is lost."""
    return tuple(
        each.id for each in facts.scenarios.values() if each.kind == "epilogue"
    )


def is_on_the_way(facts: CampaignFacts, scenario: str) -> bool:
    """Return whether it is the text of a place passed through."""
    return bool(facts.map.places) and scenario == PASSING


def _ended(facts: CampaignFacts) -> tuple[Effect, ...]:
    """Return the effects after which only the epilogues are left to play."""
    remaining = epilogues(facts)
    following = tuple(course.NextScenario(each) for each in remaining[:1])
    return (course.SetScenarios(remaining), *following)


def has_successor(facts: CampaignFacts, scenario: ScenarioFacts) -> bool:
    """Return whether the order of play says what follows a scenario, or that it ends.

    It doesn't after an unlisted one, nor after the last one if some are unlisted.
    """
    listed = {*facts.order, *(each for order in facts.orders for each in order)}
    if scenario.kind == "epilogue":
        return True
    if scenario.id not in listed:
        return False
    unlisted = any(
        each.id not in listed and each.kind != "epilogue"
        for each in facts.scenarios.values()
    )
    return not unlisted or scenario.id != play_order(facts)[-1]


def play_order(facts: CampaignFacts) -> tuple[str, ...]:
    """Return the scenarios in order, if the campaign has one."""
    return facts.orders[0] if facts.orders else facts.order


def _next(facts: CampaignFacts, scenario: ScenarioFacts) -> Iterator[PromptChoice]:
    yield from journeys(facts)
    for each in facts.scenarios:
        if each != scenario.id and not is_on_the_way(facts, each):
            yield PromptChoice(
                each, _unplayed(each), (batch(course.NextScenario(each)),)
            )
    yield PromptChoice(OVER, batches=(batch(*_ended(facts)[:1]),))


def _unplayed(scenario: str) -> ask.CampaignCheck:
    return ask.CampaignCheck(
        "scenario_completed",
        ConditionOptions({False: ConditionOption(False)}),
        scenario,
    )


def symbols_at(
    guide: str,
    encoded: str,
    difficulty: Difficulty,
    ultimatums: frozenset[str] = frozenset(),
) -> Mapping[Token, SymbolFact]:
    """Return the symbols on a scenario's reference card; empty if it isn't known.

    A Return to scenario uses the card of the original scenario.
    """
    card = _reference_card(guide, encoded.partition("#")[0])
    return reference_symbols(card, difficulty, ultimatums)


def _reference_card(guide: str, scenario: str) -> str:
    for campaign in (guide, "side"):
        listed = scenarios().get(f"{campaign}.{scenario}")
        if listed is not None:
            return listed.card
    for facts in facts_about(guide):
        known = facts.scenarios.get(scenario)
        if known is not None:
            return known.card
    return ""


LEAD = "lead"


@cache
def _at_the_table() -> Mapping[str, Any]:
    return tomllib.loads((DATA / "at_the_table.toml").read_text(encoding="utf-8"))


def exploration_cards(state: State, encoded: str) -> dict[str, str]:
    """Return the cards of a scenario's exploration deck, as the form of it has them.

    Nothing if it has no such deck (CYC-FA3). ``paired``: the table names the pairs of
    locations of which one is used.
    """
    row = _exploration(encoded.partition("#")[0])
    more = (
        each
        for line, cards in row.get("unless", {}).items()
        if not state.has_line(*line.split("."))
        for each in cards
    )
    lists = {
        "locations": (*row.get("locations", ()), *row.get("more", ()), *more),
        "treacheries": row.get("treacheries", ()),
        "paired": ("1",) if row.get("paired") else (),
    }
    return {key: "\n".join(map(_line, cards)) for key, cards in lists.items() if cards}


def _exploration(scenario: str) -> dict[str, Any]:
    row: dict[str, Any] = _at_the_table()["exploration"].get(scenario, {})
    return _exploration(row["like"]) | row if "like" in row else row


def _line(cards: str | list[str]) -> str:
    """Return a card, or “4 of: A / B / …” for cards drawn at random."""
    return cards if isinstance(cards, str) else f"{cards[0]}: {' / '.join(cards[1:])}"


def leads_to(state: State, place: str) -> tuple[str, ...]:
    """Return LEAD and the files of a place, as far as their dossiers are open.

    A guide made from facts opens no dossiers: there it is unknown.
    """
    if DEPARTURE in state.guide.setup.steps:
        return ()
    rows = _at_the_table()["leads"].get(state.guide.id, {}).get(place, ())
    known = {*state.map.dossiers, ""}
    return tuple(dict.fromkeys(what for what, dossier in rows if dossier in known))


def tekeli_li(facts: CampaignFacts) -> list[CardFacts]:
    """Return the weaknesses of the Tekeli-li deck, which go into decks and back."""
    return [card for card in facts.cards.values() if card.copies]


def has_tekeli_li_deck(guide: str) -> bool:
    """Return whether a campaign is played with a Tekeli-li deck (CYC-EE4)."""
    if guide not in known_campaigns():
        return False
    return bool(tekeli_li(campaign_facts(guide)))


def cards_of(facts: CampaignFacts, codes: tuple[str, ...]) -> tuple[Worth, ...]:
    """Return cards with their victory points; vengeance alone is worth 0 (VIC-07).

    Those with 0 points are left out: they don't change what is earned.
    """
    return tuple(
        Worth(code, worth.victory, worth.copies)
        for code in codes
        if (worth := facts.victory[code]).victory
    )


def cards_for(prompt: VictoryDisplay, guide: str, encoded: str) -> tuple[Worth, ...]:
    """Return the cards to expect when a guide asks for a scenario's victory display."""
    if prompt.cards is not None:
        return prompt.cards
    return _expected(guide, encoded.partition("#")[0])


def points_in(
    prompt: VictoryDisplay, guide: str, encoded: str
) -> Callable[[str], int | None]:
    """Return a function for the points of a card: as expected, or else as printed."""
    listed = {each.code: each.points for each in cards_for(prompt, guide, encoded)}

    def points(code: str) -> int | None:
        found = listed.get(code)
        return printed_points().get(code) if found is None else found

    return points


@cache
def printed_points() -> Mapping[str, int]:
    """Return the victory points of every card that has any, by code."""
    return {
        code: worth.victory
        for campaign in (*known_campaigns(), SIDE)
        for code, worth in campaign_facts(campaign).victory.items()
        if worth.victory is not None
    }


def display_at(guide: CampaignGuide, encoded: str, step: str) -> VictoryDisplay | None:
    """Return the prompt of a step if it asks for the victory display, else None."""
    base = encoded.partition("#")[0]
    scenario = guide.setup if base == SETUP else guide.scenarios.get(base)
    scenario = scenario or guide.side.get(base)
    own: Mapping[str, Step] = scenario.steps if scenario is not None else {}
    found = own.get(step) or own.get(step.partition("#")[0]) or guide.core.get(step)
    if isinstance(found, Ask) and isinstance(found.prompt, VictoryDisplay):
        return found.prompt
    return None


@cache
def _expected(campaign: str, scenario: str) -> tuple[Worth, ...]:
    """Return the cards in a scenario's facts; without facts, only player cards."""
    for facts in facts_about(campaign):
        known = facts.scenarios.get(scenario)
        if known is not None:
            return cards_of(facts, known.victory)
    facts = campaign_facts(SIDE)
    players = (code for code, worth in facts.victory.items() if worth.copies is None)
    return cards_of(facts, tuple(sorted(players)))
