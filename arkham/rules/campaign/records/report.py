"""The state of a campaign as plain JSON, in the shape of recorded runs."""

from __future__ import annotations

from typing import Any

from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.state.ledger import LogSection, Map, Person, WrittenLine

Json = dict[str, Any]


def reported(replay: Replay) -> Json:
    """The whole state; what was never said is left out."""
    state = replay.state
    found: Json = {}
    if state.campaign_result:
        found["result"] = state.campaign_result
    if state.difficulty:
        found["difficulty"] = state.difficulty
    found["chaos_bag"] = _bag(state.bag)
    found["swap_chaos_bag"] = _bag(state.other_bag)
    found["investigators"] = {
        code: _person(person) for code, person in state.people.items()
    }
    found["sections"] = {name: _section(each) for name, each in state.sections.items()}
    found["counts"] = state.counts.copy()
    found["investigator_sections"] = {
        name: {code: _section(section) for code, section in people.items()}
        for name, people in state.seat_sections.items()
    }
    found["scenario_status"] = state.statuses.copy()
    found["replay_counts"] = state.replays.copy()
    found["next_scenario_stack"] = list(state.next_scenarios)
    if state.guide.map:
        found["scarlet"] = _map(state.map)
    found["scenarios"] = [[each.id, each.status] for each in replay.scenarios]
    found["resolutions"] = {
        scenario: game.resolution
        for scenario, game in state.games.items()
        if game.resolution
    }
    return found


def _bag(bag: dict[str, int]) -> dict[str, int]:
    return {token: count for token, count in bag.items() if count}


def _person(person: Person) -> Json:
    found: Json = {}
    for key, value in (
        ("physical", person.physical),
        ("mental", person.mental),
        ("availableXp", person.experience),
        ("specialXp", person.pools),
        ("storyAssets", person.story),
        ("ignoreStoryAssets", person.beyond_limit),
        ("addedCards", person.added),
        ("removedCards", person.removed),
        ("exiledCards", person.exiled),
        ("cardCounts", person.card_counts),
    ):
        if value is not None:
            found[key] = list(value) if isinstance(value, tuple | list) else value
    if person.killed:
        found["killed"] = True
    if person.insane:
        found["insane"] = True
    return found


def _section(section: LogSection) -> Json:
    found: Json = {"entries": [_line(line) for line in section.lines]}
    if section.circled:
        found["decoration"] = dict.fromkeys(section.circled, "circle")
    if section.crossed_out is not None:
        found["sectionCrossedOut"] = section.crossed_out
    return found


def _line(line: WrittenLine) -> Json:
    found: Json = {"type": line.kind, "id": line.id}
    if line.kind == "count":
        found["count"] = line.number
        if line.second is not None:
            found["otherCount"] = line.second
    elif line.kind == "card":
        found["cards"] = [{"card": card, "count": count} for card, count in line.cards]
    elif line.kind == "task":
        found["investigator"], found["task_section"], found["task_id"] = line.task
    elif line.kind == "freeform":
        found["text"] = line.text
        if line.note is not None:
            found["interScenario"] = {
                "scenarioId": line.note[0],
                "index": line.note[1],
            }
    if line.crossed_out is not None:
        found["crossedOut"] = line.crossed_out
    return found


def _map(held: Map) -> Json:
    found: Json = {
        "visitedLocations": list(held.visited),
        "unlockedLocations": list(held.unlocked),
        "unlockedDossiers": list(held.dossiers),
        "keyStatus": {
            key: {
                **({"investigator": bearer} if bearer else {}),
                **({"enemy": enemy} if enemy else {}),
            }
            for key, bearer, enemy in held.keys
        },
    }
    if held.location:
        found["location"] = held.location
    found["embark"] = held.embark
    found["showMap"] = held.shown
    return found
