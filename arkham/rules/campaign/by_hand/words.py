"""The texts of a guide made from facts: labels, names, and phrases of the log."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from arkham.rules.campaign.by_hand.belonging import PACK, numbered
from arkham.rules.campaign.by_hand.facts import NAME, CampaignFacts, ScenarioFacts
from arkham.rules.campaign.by_hand.guide import hand_guide, sides_beside
from arkham.rules.campaign.by_hand.recording import COUNT, DONE, GLYPHS, number_id
from arkham.rules.campaign.by_hand.scenarios import (
    CLOSE_PLACES,
    OPEN_PLACES,
    RECORD,
    tekeli_li,
)
from arkham.rules.campaign.model import prompts as to
from arkham.rules.campaign.model.guide import SETUP, Ask, CampaignGuide, Scenario, Step
from arkham.rules.campaign.model.prompts import PromptChoice
from arkham.rules.campaign.reading.files import CORE, Words, spoken
from arkham.rules.chaos.bag import NUMBERS
from arkham.rules.finding import gettext_noop as _
from arkham.rules.vocabulary import is_digits

# The question of each step.
PROMPTS = {
    "players": _("Who plays?"),
    "difficulty": _("Which difficulty?"),
    "printing": _("Which of these does your campaign guide have?"),
    "discount": _("Who has this card in their deck and pays less?"),
    "victory": _("What is in the victory display?"),
    "victory_reason": _("Why is the total different?"),
    "replayed": _("Does the resolution tell you to play this scenario again?"),
    "record": _("What do you record?"),
    "lines": _("Which of these are recorded?"),
    "own_words": _("In which section?"),
    "cross_out": _("Which lines are crossed out?"),
    "numbers": _("Which number changes?"),
    "cards": _("Who takes which card?"),
    "lose_cards": _("Who loses which card?"),
    "trauma": _("Who suffers or heals what?"),
    "experience_all": _("How much experience does each investigator earn?"),
    "experience_each": _("How much experience does each of these investigators earn?"),
    "pack": _("What does each investigator pack?"),
    "supplies": _("Which supplies are used or found?"),
    "keys": _("Who holds which key now?"),
    "keys_gone": _("Which keys does no investigator hold now?"),
    "partners": _("How much more damage and horror has each partner suffered?"),
    "partner_states": _("What happened to each partner?"),
    "tekeli_li": _("How many Tekeli-li cards are in each deck now?"),
    "tasks": _("Who has which task?"),
    "named": _("Who is this about?"),
    "circle": _("Which lines are circled?"),
    "cross_section": _("Which sections are crossed out as a whole?"),
    "glyphs": _("Which glyph?"),
    "day": _("Which day is it?"),
    "open_places": _("Which places can you travel to now?"),
    "close_places": _("Which places are closed now?"),
    "tokens": _("Which chaos tokens do you add or remove?"),
    "next": _("What do you play next?"),
    "skip": _("Which scenarios do you leave out?"),
}
# The texts of steps that are named after a section or a number.
TEXTS = {
    PACK: _("Points for each investigator, with 1, 2, 3 or 4 players: {points}."),
    "own_words": _("As the campaign guide writes it, or in your own words."),
    "number": _("How many more? For fewer, enter a number below 0."),
    "pool": _("How many more points? For fewer, enter a number below 0."),
    "glyphs": _("What it means, in your own words."),
}
# The headings for what can be recorded.
GROUPS = {
    _("Campaign log"): (
        "lines", "named", "own_words", "cross_out", "cross_section", "circle",
        "number", "numbers", "glyphs", "day",
    ),
    _("Investigators"): (
        "cards", "lose_cards", "$draw_weakness", "tekeli_li", "trauma",
        "experience_all", "experience_each", "pool", "redirect", "earned_again",
        "pack", "supplies", "tasks", "keys", "keys_gone",
    ),
    _("Partners"): ("partners", "partner_states"),
    _("Chaos bag"): ("tokens",),
    _("What comes next"): (
        "next", "skip", "open_places", "close_places", "won", "survived", "lost",
    ),
}  # fmt: skip
# Choices without names of their own.
CHOICES = {
    "lines": _("Lines"),
    "own_words": _("A line of text"),
    "cross_out": _("Cross out"),
    "numbers": _("Numbers"),
    "cards": _("Cards earned"),
    "lose_cards": _("Cards lost"),
    "$draw_weakness": _("A random weakness"),
    "trauma": _("Trauma and fates"),
    "experience_all": _("Experience for all"),
    "experience_each": _("Experience for each"),
    "pack": _("Supplies packed"),
    "supplies": _("Supplies used"),
    "keys": _("Keys gained"),
    "keys_gone": _("Keys lost"),
    "partners": _("Damage and horror of partners"),
    "partner_states": _("Fates of partners"),
    "tekeli_li": _("Tekeli-li cards"),
    "tasks": _("Tasks"),
    "named": _("Lines about a person"),
    "redirect": _("From now on, experience is counted here: {section}"),
    "earned_again": _("Experience is earned as usual again"),
    "circle": _("Circle"),
    "cross_section": _("Cross out a section"),
    "glyphs": _("Glyphs"),
    "day": _("Day and night"),
    "open_places": _("Places opened"),
    "close_places": _("Places closed"),
    "travel": _("Travel"),
    "travel_return": _("Travel (you can come back here)"),
    "resolute": _("resolute"), "not_resolute": _("no longer resolute"),
    "mia": _("missing"), "not_mia": _("found again"),
    "safe": _("safe"), "not_safe": _("no longer safe"),
    "eliminated": _("crossed out"), "not_eliminated": _("crossed out by mistake"),
    "heal_damage": _("heal 1 damage"), "heal_horror": _("heal 1 horror"),
    "tokens": _("Chaos tokens"),
    "next": _("Another scenario next"),
    "skip": _("Scenarios left out"),
    "won": _("The campaign is won"),
    "survived": _("The investigators survive the campaign"),
    "lost": _("The campaign is lost"),
    "done": _("Nothing else"),
    "over": _("End of the campaign"),
    "played_again": _("Yes, play it again"),
    "goes_on": _("No"),
    "easy": _("Easy"), "standard": _("Standard"), "hard": _("Hard"),
    "expert": _("Expert"),
    "one_in": _("add 1"), "two_in": _("add 2"), "three_in": _("add 3"),
    "one_out": _("remove 1"), "two_out": _("remove 2"), "three_out": _("remove 3"),
    "physical": _("1 physical trauma"), "two_physical": _("2 physical trauma"),
    "mental": _("1 mental trauma"), "two_mental": _("2 mental trauma"),
    "healed_physical": _("heal 1 physical trauma"),
    "healed_mental": _("heal 1 mental trauma"),
    "killed": _("killed"), "insane": _("driven insane"),
    "auto_fail": _("Auto-fail"),
    **{token.value: token.value.replace("-", "−") for token in NUMBERS},
}  # fmt: skip
_ENDINGS = {
    "no_resolution": _("No resolution was reached"),
    "no_resolution_resigned": _("No resolution was reached: some resigned"),
    "no_resolution_defeated": _("No resolution was reached: all were defeated"),
    "no_resolution_act_1": _("No resolution was reached: act 1"),
    "no_resolution_act_2": _("No resolution was reached: act 2"),
}


def hand_words(facts: CampaignFacts, side: CampaignFacts) -> Words:
    """Return the texts of a guide made from facts, side scenarios included."""
    guide = hand_guide(facts, side)
    # Cards from side scenarios may be lost in any scenario.
    names = {**_card_names(side), **_names(facts)}
    scenarios: dict[str, Any] = {
        SETUP: {"name": facts.name, "steps": _step_words(guide.setup.steps, names)},
        CORE: {"name": "", "steps": _step_words(guide.core, names)},
    }
    places = ((side, guide.side), (facts, guide.scenarios))
    for whose, listed in places:
        own = {**_names(whose), **names}
        for scenario_id, scenario in listed.items():
            known = whose.scenarios[scenario_id]
            scenarios[scenario_id] = _scenario_words(known, scenario, own)
    log_words = {**facts.lines, **facts.supplies, **facts.keys, **facts.days}
    return Words({"scenarios": scenarios, "log": log_words}, Words({"log": side.lines}))


def side_words(guide: CampaignGuide, side: CampaignFacts) -> Words:
    """Return the texts of side scenarios from facts for any other guide."""
    asides = sides_beside(guide, side)
    names = _names(replace(side, sections=guide.sections))
    names |= {section.id: section.title for section in guide.sections}
    scenarios = {
        scenario_id: _scenario_words(side.scenarios[scenario_id], scenario, names)
        for scenario_id, scenario in asides.items()
    }
    return Words({"scenarios": scenarios, "log": dict(side.lines)})


def _scenario_words(
    known: ScenarioFacts, scenario: Scenario, names: dict[str, str]
) -> dict[str, Any]:
    return {
        "name": known.title or known.name,
        "steps": _step_words(scenario.steps, names),
        "resolutions": _endings(known),
    }


def _names(facts: CampaignFacts) -> dict[str, str]:
    """Return the names of cards, scenarios, sections, lines, partners and so on."""
    names = {section.id: section.title for section in facts.sections}
    prefix = f"{facts.id}_"
    for section in facts.sections:
        for line_id, phrase in facts.lines.get(section.id, {}).items():
            names[f"{section.id}.{line_id}"] = phrase.replace(NAME, "…").rstrip(":")
        names[f"own_words.{section.id}"] = names[f"number.{section.id}"] = section.title
        own = (each for each in facts.numbers.get(section.id, ()) if each != COUNT)
        for line_id in own:
            plain = f"{section.title}: {_plain(line_id.removeprefix(prefix))}"
            phrase = facts.lines.get(section.id, {}).get(line_id, plain)
            names[number_id(section.id, line_id)] = phrase
    for scenario in facts.scenarios.values():
        for section_id, line_id in scenario.numbers:
            # Ids in side scenarios begin with letters for the scenario.
            plain = _plain(line_id.partition("_")[2])
            phrase = facts.lines.get(section_id, {}).get(line_id, plain)
            names[number_id(section_id, line_id)] = phrase
    for each, supplies in facts.supplies.items():
        names |= {f"number.{each}.{key}": name for key, name in supplies.items()}
    for keys in facts.keys.values():
        names |= keys
    names |= facts.partners
    names |= _card_names(facts)
    saved = (each.discount for each in facts.scenarios.values())
    names |= {code: each.name for each in saved if each for code in each.cards}
    names |= {worth.code: spoken(worth.name) for worth in facts.victory.values()}
    names |= {card.code: numbered(card) for card in tekeli_li(facts)}
    names |= _named_apart(facts)
    return names | _titles(facts)


def _titles(facts: CampaignFacts) -> dict[str, str]:
    """Return the titles of scenarios, numbered if several share one."""
    seen: Counter[str] = Counter()
    names = {}
    for each in facts.scenarios.values():
        seen[each.title] += 1
        number = seen[each.title]
        names[each.id] = each.title if number == 1 else f"{each.title} ({number})"
    return names


def _card_names(facts: CampaignFacts) -> dict[str, str]:
    """Return the names, by code, of cards that a campaign or side scenarios give."""
    return {card.code: spoken(card.name) for card in facts.cards.values()}


def _named_apart(facts: CampaignFacts) -> dict[str, str]:
    """Return the names of days, glyphs, pools and places, by choice or step."""
    prefix = f"{facts.id}_"
    names = {
        f"{section}.{day}": name
        for section, days in facts.days.items()
        for day, name in days.items()
    }
    names |= {
        f"{GLYPHS}.{section}.{glyph}": _plain(glyph.removeprefix(prefix)).title()
        for section, glyphs in facts.glyphs.items()
        for glyph in glyphs
    }
    names |= {f"pool.{pool}": _plain(pool) for pool in facts.pools}
    for step in (OPEN_PLACES, CLOSE_PLACES):
        places = facts.map.places.values()
        names |= {f"{step}.{each.id}": each.name for each in places}
    if facts.redirect:
        titles = {section.id: section.title for section in facts.sections}
        title = titles[facts.redirect]
        label = CHOICES["redirect"].format(section=title)
        names[f"{RECORD}.redirect"] = label
    return names


def _step_words(steps: Any, names: dict[str, str]) -> dict[str, Any]:
    found = {}
    for step in steps.values():
        if isinstance(step, Ask):
            found[step.id] = _asked(step, names)
            if isinstance(step.prompt, to.VictoryDisplay):
                found[f"{step.id}_reason"] = {"prompt": PROMPTS["victory_reason"]}
    return found


def _asked(step: Ask, names: dict[str, str]) -> dict[str, Any]:
    stem = step.id.partition(".")[0]
    found: dict[str, Any] = {"prompt": PROMPTS.get(stem, "")}
    is_number = stem in TEXTS and step.id in names
    if isinstance(step.prompt, to.TextBox) or (is_number and stem != GLYPHS):
        title = names.get(step.id) or CHOICES.get(stem, "")
        found = {"title": title, "text": TEXTS.get(stem, "")}
    if isinstance(step.prompt, to.Supplies):
        return found | _packing(step.prompt, names)
    offered = _offered(step)
    if offered:
        found["choices"] = {
            each: names.get(f"{stem}.{each}")
            or CHOICES.get(each)
            or names.get(each)
            or _plain(each)
            for each in offered
        }
    if DONE in offered:
        found["groups"] = {each: _group(each) for each in offered}
    return found


def _packing(prompt: to.Supplies, names: dict[str, str]) -> dict[str, Any]:
    """Return the names of supplies, and the points for packing them."""
    points = ", ".join(map(str, prompt.points))
    choices = {
        each: names[f"number.{prompt.section}.{each}"] for each, *_cost in prompt.costs
    }
    return {"choices": choices, "text": TEXTS[PACK].format(points=points)}


def _group(choice: str) -> str:
    """Return the heading under which a choice is offered; "" for “nothing else”."""
    stem = choice.partition(".")[0]
    return next((title for title, listed in GROUPS.items() if stem in listed), "")


def _offered(step: Step) -> list[str]:
    """Return the ids of what a step offers, including cards of the victory display."""
    prompt = step.prompt if isinstance(step, Ask) else None
    match prompt:
        case to.VictoryDisplay(cards=tuple(cards)):
            return [card.code for card in cards]
        case to.ChoiceList(items, choices):
            return [each.id for each in (*items, *choices)]
        case to.Holders(items):
            return [each.id for each in items]
        case to.CardCounts(cards):
            return [code for code, _copies in cards]
    choices_: tuple[PromptChoice, ...] = getattr(prompt, "choices", ())
    return [each.id for each in choices_]


def _endings(scenario: ScenarioFacts) -> dict[str, dict[str, str]]:
    ids = [each.id for each in scenario.resolutions]
    return {each: {"title": _ending(each)} for each in (*ids, "no_resolution")}


def _ending(resolution: str) -> str:
    """Return the title of a resolution: “Resolution 1” for R1, as printed."""
    if resolution in _ENDINGS:
        return _ENDINGS[resolution]
    number = resolution.removeprefix("R")
    if number != resolution and is_digits(number):
        return f"Resolution {number}"
    return _plain(resolution)


def _plain(each: str) -> str:
    """Return an id as readable text, with spaces for underscores."""
    words = each.lstrip("$").replace("_", " ").replace(".", ": ")
    return words[:1].upper() + words[1:]
