"""Reads a recorded run as a line of JSON, and answers with the state it leads to.

The state is plain JSON in the format of recorded runs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from arkham.rules.campaign.interpreter.replay import Replay, fold
from arkham.rules.campaign.model.guide import CampaignGuide, GuideLibrary
from arkham.rules.campaign.model.scenario_steps import Scopes
from arkham.rules.campaign.policy import Policy
from arkham.rules.campaign.records import read_answers
from arkham.rules.campaign.state.answers import Answer, Entry
from arkham.rules.campaign.state.ledger import LogSection, Map, Person, WrittenLine
from arkham.rules.campaign.state.state import Printed
from arkham.rules.checking import Outcome, error_text, label_of, read_line, text_of
from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.places import token
from arkham.rules.notation.reading import MOST_BYTES, Fault, Unreadable, kind_of

SIDE = "side"
_ENCODE = json.JSONEncoder(separators=(",", ":")).encode
_SEEN = _("This is {found}.")


class AskedRun(NamedTuple):
    """A parsed line: a guide, the answers, and the investigators' values."""

    guide: CampaignGuide
    standalone: str
    version: int | None
    answers: Sequence[Entry]
    linked: list[Answer] | None
    investigators: dict[str, Printed] | None


class Reader:
    """Answers lines from one library of guides; scenarios are prepared only once."""

    def __init__(
        self, library: GuideLibrary, cards: Mapping[str, Printed], *, policy: Policy
    ) -> None:
        self.library = library
        self.cards = cards
        self.policy = policy
        self._scopes: dict[str, Scopes] = {}

    def answer(self, line: bytes, number: int) -> tuple[str, Outcome]:
        """Answer one line, and return the outcome; ``number`` counts from 1."""
        text, data = "", None
        try:
            if len(line) > MOST_BYTES:
                limit = _("at most 1,048,576 bytes")
                raise Unreadable(Fault("", _("The run is too large."), limit))
            text = text_of(line)
            data = read_line(text, _("a recorded run as JSON"))
            asked = self.read(data)
        except Unreadable as error:
            refusal = error_text(label_of(data), error.faults[0], number, text)
            return refusal, Outcome.UNREADABLE
        return _ENCODE(reported(self.replay(asked))), Outcome.LEGAL

    def replay(self, asked: AskedRun, after: Replay | None = None) -> Replay:
        """Fold the run; ``after`` is a replay of fewer of its answers to start from."""
        guide = asked.guide
        scopes = self._scopes.get(guide.id)
        if scopes is None:
            scopes = self._scopes[guide.id] = Scopes(guide)
        return fold(
            guide,
            asked.answers,
            self.cards if asked.investigators is None else asked.investigators,
            asked.linked,
            version=asked.version,
            standalone=asked.standalone,
            policy=self.policy,
            scopes=scopes,
            after=after,
        )

    def read(self, data: object) -> AskedRun:
        """Parse a line. Raises :class:`Unreadable`."""
        if not isinstance(data, dict):
            raise Unreadable(Fault("", _SEEN, _("a {…} block"), kind_of(data)))
        guide = self._guide(data.get("campaign"))
        linked = data.get("linked_inputs")
        version = data.get("guide_version")
        if version is not None and type(version) is not int:
            expected = _("a whole number")
            raise Unreadable(Fault("/guide_version", _SEEN, expected, kind_of(version)))
        return AskedRun(
            guide,
            _standalone(guide, data.get("standalone")),
            version,
            read_answers(data.get("inputs"), "/inputs"),
            None if linked is None else read_answers(linked, "/linked_inputs"),
            _investigators(data.get("investigators")),
        )

    def _guide(self, campaign: object) -> CampaignGuide:
        library = self.library
        guide = library.guides.get(campaign) if isinstance(campaign, str) else None
        if campaign == SIDE:
            guide = library.side
        if guide is None:
            known = sorted(library.guides) + ([SIDE] if library.side else [])
            raise Unreadable(
                Fault(
                    "/campaign",
                    _("We have no guide for {found}."),
                    ", ".join(known),
                    repr(campaign)[:60],
                )
            )
        return guide


def _standalone(guide: CampaignGuide, scenario: object) -> str:
    if scenario is None:
        return ""
    if isinstance(scenario, str) and scenario in guide.scenarios:
        return scenario
    message = _("The guide has no scenario {found}.")
    expected = ", ".join(sorted(guide.scenarios))
    raise Unreadable(Fault("/standalone", message, expected, repr(scenario)[:60]))


def _investigators(raw: object) -> dict[str, Printed] | None:
    """The printed values given in the line, by code; None if it gives none."""
    if raw is None:
        return None
    if not isinstance(raw, dict):
        raise Unreadable(Fault("/investigators", _SEEN, _("a {…} block"), kind_of(raw)))
    found = {}
    for code, values in raw.items():
        at = "/investigators" + token(code)
        if not isinstance(values, dict):
            raise Unreadable(Fault(at, _SEEN, _("a {…} block"), kind_of(values)))
        found[code] = _printed(values, at)
    return found


def _printed(values: dict[str, Any], at: str) -> Printed:
    for key in ("health", "sanity"):
        if type(values.get(key)) is not int:
            expected, found = _("a whole number"), kind_of(values.get(key))
            raise Unreadable(Fault(f"{at}/{key}", _SEEN, expected, found))
    traits = values.get("traits") or []
    if not isinstance(traits, list) or any(type(trait) is not str for trait in traits):
        raise Unreadable(
            Fault(f"{at}/traits", _SEEN, _("a list of words"), kind_of(traits))
        )
    faction = values.get("faction") or ""
    if type(faction) is not str:
        raise Unreadable(Fault(f"{at}/faction", _SEEN, _("text"), kind_of(faction)))
    return Printed(values["health"], values["sanity"], faction, tuple(traits))


Json = dict[str, Any]


def reported(replay: Replay) -> Json:
    """The whole state as JSON; values that were never set are left out."""
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
