"""The state of a campaign while it is folded, and queries on it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import NamedTuple

from arkham.rules.campaign.model.guide import CampaignGuide, Partner
from arkham.rules.campaign.policy import Policy
from arkham.rules.campaign.state.ledger import (
    Banked,
    ChangeCause,
    ExperienceOrigin,
    Game,
    LogSection,
    Map,
    Person,
    StateChange,
)
from arkham.rules.campaign.state.sharing import SharedList

BY_ULTIMATUM, BY_GUIDE = "sworn", "ordered"  # an ultimatum or the guide
HARD_TIMES = "04244"  # Body of a Yithian: health and sanity are 7
HARD_TIMES_VALUE = 7

# Attributes changed in place, besides people and their sections.
_HOLDERS = (
    "sections", "counts", "games", "bag", "banished", "other_bag", "statuses",
    "replays", "banked", "sent", "ultimatums", "causes", "changes", "texts", "trouble",
)  # fmt: skip


class Printed(NamedTuple):
    """The printed values of an investigator card that campaigns need."""

    health: int
    sanity: int
    card_class: str = ""
    traits: tuple[str, ...] = ()
    title: str = ""


def trauma_limits(printed: Printed, story: Container[str]) -> tuple[int, int]:
    """Return health and sanity, given these story cards: that much trauma ends it."""
    if HARD_TIMES in story:
        return HARD_TIMES_VALUE, HARD_TIMES_VALUE
    return printed.health, printed.sanity


class State:
    """A campaign at one moment; changed in place while folding, copied to be kept."""

    __slots__ = (
        "bag", "banished", "banked", "banked_in", "campaign_result", "cause", "causes",
        "changes", "counts", "difficulty", "games", "guide", "investigators", "kept",
        "latest", "linked", "map", "next_scenarios", "no_side_scenario", "order",
        "other_bag", "owner", "parted", "partners", "people", "policy", "redirect",
        "replays", "scenario", "seat_sections", "sections", "sent", "simulated",
        "standalone", "statuses", "texts", "trouble", "ultimatums", "upgraded",
        "version",
    )  # fmt: skip

    def __init__(
        self,
        guide: CampaignGuide,
        investigators: Mapping[str, Printed],
        *,
        version: int,
        standalone: bool,
        linked: bool,
        policy: Policy,
    ) -> None:
        self.guide = guide
        self.investigators = investigators
        self.version = version
        self.standalone = standalone
        self.linked = linked
        self.parted = False  # the linked campaign was deleted and sends nothing more
        self.simulated = ""  # the scenario that all others are simulated for
        self.policy = policy
        self.scenario = ""
        self.owner = object()  # marks the sections this state may change in place
        self.sections: dict[str, LogSection] = {}
        self.counts: dict[str, int] = {}
        self.seat_sections: dict[str, dict[str, LogSection]] = {}
        self.partners: dict[str, Partner] = guide.partners
        self.games: dict[str, Game] = {}
        self.latest = Game()
        self.bag: dict[str, int] = {}
        self.other_bag: dict[str, int] = {}
        self.campaign_result = ""
        self.difficulty = ""
        self.next_scenarios: tuple[str, ...] = ()
        self.no_side_scenario = False
        self.order: tuple[str, ...] | None = None
        self.statuses: dict[str, str] = {}
        self.replays: dict[str, int] = {}
        self.people: dict[str, Person] = {}
        self.banked: dict[str, Banked] = {}
        self.banked_in = ""  # the scenario in which decks were last settled
        self.redirect = ""
        # Those in effect, each with the game it applies to ("" for all).
        self.ultimatums: dict[str, str] = {}
        self.banished: dict[str, None] = {}  # cards no deck may have again
        self.upgraded = ""  # where experience could last be spent
        self.sent: dict[str, str] = {}  # decisions sent to the linked campaign
        self.map = Map()
        self.kept: State | None = None
        self.causes: SharedList[ChangeCause] = SharedList()
        self.changes: SharedList[StateChange] = SharedList()
        # Steps that are only text, in the order they were reached.
        self.texts: SharedList[ChangeCause] = SharedList()
        self.cause = -1
        self.trouble: list[tuple[str, str]] = []  # rule ids, and what was found
        for section in guide.sections:
            if section.hidden:
                continue
            if section.kind == "count":
                self.counts[section.id] = 0
            elif section.kind == "supplies":
                self.seat_sections[section.id] = {}
            else:
                self.sections[section.id] = LogSection()

    def copy(self) -> State:
        """Return an independent copy: later changes to this state do not show in it."""
        other = State.__new__(State)
        for name in State.__slots__:
            setattr(other, name, getattr(self, name))
        # Both now share their sections, so neither may change them in place.
        self.owner, other.owner = object(), object()
        for name in _HOLDERS:
            setattr(other, name, getattr(self, name).copy())
        other.seat_sections = {
            name: people.copy() for name, people in self.seat_sections.items()
        }
        other.people = {code: person.copy() for code, person in self.people.items()}
        return other

    # --- provenance

    def because(self, scenario: str, step: str, answer: int) -> None:
        """Set the cause of the changes that follow: this step and this answer."""
        self.cause = len(self.causes)
        self.causes.append(ChangeCause(scenario, step, answer))

    def note_text(self, scenario: str, step: str, answer: int) -> None:
        """Record that a text step was reached, once even if it waits for an answer."""
        if not self.texts or self.texts[-1][:2] != (scenario, step):
            self.texts.append(ChangeCause(scenario, step, answer))

    def note(
        self,
        what: str,
        which: str,
        value: object,
        origin: ExperienceOrigin | None = None,
    ) -> None:
        """Record a change with its cause."""
        self.changes.append(StateChange(what, which, value, self.cause, origin))

    def banish(self, cards: Iterable[str], by: str) -> None:
        """Ban cards from all decks from now on; ``by`` is an ultimatum or the guide."""
        for card in cards:
            if card not in self.banished:
                self.banished[card] = None
                self.note("banished", card, by)

    # --- investigators

    def person(self, code: str) -> Person:
        """Return what an investigator has, adding an empty record if there is none."""
        person = self.people.get(code)
        if person is None:
            person = self.people[code] = Person()
        return person

    def pool(self, code: str, name: str) -> int:
        """Return how much an investigator has in a pool apart from experience."""
        person = self.people.get(code)
        return (person.pools or {}).get(name, 0) if person is not None else 0

    def limits(self, code: str, person: Person | None) -> tuple[int, int] | None:
        """Return the trauma that kills and that drives insane; None if unknown."""
        story = (person.story if person else None) or ()
        partner = self.partners.get(code)
        if partner is not None:
            return partner.limits(resolute="resolute" in story)
        printed = self.investigators.get(code)
        return None if printed is None else trauma_limits(printed, story)

    def trauma(self, code: str) -> tuple[int, int]:
        """Return physical and mental trauma; of a partner, damage and horror."""
        person = self.people.get(code)
        return (person.physical or 0, person.mental or 0) if person else (0, 0)

    def is_killed(self, code: str) -> bool:
        """Return whether they were killed, outright or by trauma equal to health."""
        person = self.people.get(code)
        if person is None:
            return False
        if person.killed:
            return True
        limits = self.limits(code, person)
        return limits is not None and (person.physical or 0) >= limits[0]

    def is_insane(self, code: str) -> bool:
        """Return whether they went insane, outright or by trauma equal to sanity."""
        person = self.people.get(code)
        if person is None:
            return False
        if person.insane:
            return True
        limits = self.limits(code, person)
        return limits is not None and (person.mental or 0) >= limits[1]

    def is_eliminated(self, code: str) -> bool:
        """Return whether they were killed or driven insane."""
        return self.is_killed(code) or self.is_insane(code)

    def title(self, code: str) -> str:
        """Return the title all versions of an investigator share, or else the code."""
        printed = self.investigators.get(code)
        return (printed.title if printed else "") or code

    @property
    def is_single(self) -> bool:
        """Whether only one scenario is played and no one goes on to another."""
        return self.standalone or bool(self.simulated)

    @property
    def players(self) -> tuple[str, ...]:
        """The players in the order they were named, killed and insane ones included."""
        return self.latest.players or ()

    @property
    def lead(self) -> str:
        """The lead investigator of the current scenario, or ""."""
        game = self.games.get(self.scenario)
        return game.lead if game else ""

    def everybody(self) -> list[str]:
        """Return all players, the lead investigator first."""
        players = list(self.latest.players or ())
        lead = self.latest.lead
        if lead and lead in players and players[0] != lead:
            players.remove(lead)
            players.insert(0, lead)
        return players

    def alive(self, others: Iterable[str] = ()) -> list[str]:
        """Return players and ``others`` who are neither killed nor insane, lead first.

        Retired investigators are left out, unless that would leave no one.
        """
        known = self.investigators
        found = [
            code
            for code in dict.fromkeys((*self.everybody(), *others))
            if code in known and not (self.is_killed(code) or self.is_insane(code))
        ]
        people = self.people
        gone = {code for code in found if code in people and people[code].retired}
        return [code for code in found if code not in gone] or found

    def playing_as(self, code: str) -> tuple[str, ...]:
        """Return the players of an investigator named by a guide, in any version."""
        if not self.policy.finds_every_version:
            return (code,)
        title = self.title(code)
        return tuple(each for each in self.players if self.title(each) == title)

    @property
    def needing(self) -> int:
        """The number of investigators when each uses up one of something."""
        return len(self.players if self.policy.dead_use_supplies else self.alive())

    def outcomes(self) -> dict[str, str]:
        """Return how the current scenario ended for each; empty if not reported."""
        return self.outcomes_of(self.scenario)

    def outcomes_of(self, scenario: str) -> dict[str, str]:
        """Return how a scenario ended for each investigator; empty if not reported."""
        game = self.games.get(scenario)
        return dict(game.outcomes) if game else {}

    def outcome_group(self, who: str) -> list[str]:
        """Return who was ``defeated`` or ``resigned``, or not, in this scenario."""
        outcomes = self.outcomes()
        if who in ("defeated", "not_defeated"):
            wanted = who == "defeated"
            return [
                code
                for code in self.everybody()
                if (outcomes.get(code) not in ("alive", "resigned")) is wanted
            ]
        wanted = who == "resigned"
        return [
            code
            for code in self.everybody()
            if (outcomes.get(code) == "resigned") is wanted
        ]

    def select(self, who: str, codes: tuple[str, ...]) -> list[str] | tuple[str, ...]:
        """Return whom an effect concerns; ``codes`` are those passed on by the step."""
        if who == "all":
            return self.alive()
        if who == "input" or who == "fixed":
            return codes
        if who == "lead":
            lead = self.lead
            return (lead,) if lead else ()
        group = self.outcome_group(who)
        if not self.policy.needs_reported_outcome:
            return group
        reported = self.outcomes()
        return [code for code in group if code in reported]

    # --- the log

    def writing(self, section: LogSection | None) -> LogSection:
        """Return a section that may be changed: itself, a copy if shared, or a new one.

        The caller has to store it in place of the old one.
        """
        if section is None:
            return LogSection(self.owner)
        return section if section.owner is self.owner else section.copy(self.owner)

    def section(self, name: str) -> LogSection:
        """Return a section of the log; an empty one if it was never written to."""
        return self.sections.get(name) or _EMPTY

    def has_line(self, section: str, line_id: str) -> bool:
        """Return whether a line is in the log and not crossed out."""
        found = self.sections.get(section)
        return found is not None and found.has(line_id)

    def number(self, section: str, line_id: str) -> int:
        """Return the number of a line, or of the section itself for ``$count``."""
        if line_id == "$count":
            is_crossed_out = self.section(section).crossed_out
            return 0 if is_crossed_out else self.counts.get(section, 0)
        return self.section(section).number(line_id)

    def earned(self, code: str) -> int:
        """Return the experience earned since decks were last brought up to date."""
        person = self.people.get(code)
        banked = self.banked.get(code)
        return ((person.experience or 0) if person else 0) - (
            (banked.experience or 0) if banked else 0
        )

    def task(self, section: str, task_id: str) -> tuple[str, int] | None:
        """Return who has a task and its progress; None if no one alive has it."""
        for line in self.section(section).named(task_id):
            if line.kind == "task" and not line.crossed_out:
                code, task_section, line_id = line.task
                if self.is_killed(code):
                    return None
                own = self.seat_sections.get(task_section, {}).get(code)
                return code, own.number(line_id) if own else 0
        return None


_EMPTY = LogSection()
