"""Looks things up in a state: reasons of values, upgrades, partners, lines, cards."""

from __future__ import annotations

from typing import NamedTuple

from arkham.rules.campaign.model.conditions import PartnerCheck
from arkham.rules.campaign.state.ledger import (
    EARNING,
    UPGRADED,
    ExperienceOrigin,
    Game,
    StateChange,
)
from arkham.rules.campaign.state.state import State


class Reason(NamedTuple):
    """One change that contributed to a value, and its cause.

    ``answer`` is the place in the log of the answer that led to it, or 0; ``origin`` is
    the source of experience.
    """

    value: object
    scenario: str
    step: str
    answer: int
    origin: ExperienceOrigin | None = None


def reasons(state: State, what: str, which: str = "") -> list[Reason]:
    """Return everything that changed a value, in order.

    ``what`` is ``experience``, ``pool``, ``physical``, ``mental``, ``killed``,
    ``insane``, ``card``, ``removed``, ``token``, ``line``, ``section``, ``count``,
    ``line_count``, ``seat_count``, ``scenario``, ``next_scenario``, ``result`` and so
    on; ``which`` is the investigator, token, section or scenario.
    """
    found = []
    for change in state.changes:
        if change.what == what and change.which == which:
            cause = state.causes[change.cause]
            found.append(Reason(change.value, *cause, change.origin))
    return found


class UpgradedGames(NamedTuple):
    """The games that decks are upgraded after, and all changes since the last upgrade.

    ``played`` are all games; ``games`` only those that gave experience, even 0.
    """

    played: tuple[str, ...]
    games: tuple[str, ...]
    changes: tuple[StateChange, ...]


def upgrade_at(state: State, scenario: str, step: str) -> UpgradedGames:
    """Return what the upgrade at a step covers; everything if it isn't reached yet.

    The upgrade may be in another scenario than its game: many are in interludes, and
    parts of a later scenario may be played before it.
    """
    ended, since, upgraded = dict[str, None](), list[StateChange](), set[str]()
    for change in state.changes:
        cause = state.causes[change.cause]
        if change.what == UPGRADED:
            if (cause.scenario, cause.step) == (scenario, step):
                break
            upgraded.update(ended)
            ended, since = {}, []
        elif _is_ending(change) and cause.scenario not in upgraded:
            ended[cause.scenario] = None
        since.append(change)
    paid = {state.causes[c.cause].scenario for c in since if c.what == EARNING}
    played = tuple(each for each in ended if state.guide.is_game(each))
    games = tuple(each for each in played if each in paid)
    return UpgradedGames(played, games, tuple(since))


def upgrading(state: State, scenario: str, step: str) -> list[str]:
    """Return who upgrades at a step, whether or not they play the latest game.

    If you sit out the second of two games, you still upgrade after the first (CAMP-07).
    """
    games, alive = state.games, state.alive()
    everybody = {code for game in games.values() for code in game.players or ()}
    if not (state.policy.upgrades_the_absent and everybody.difference(alive)):
        return alive
    played = upgrade_at(state, scenario, step).played
    stay = (code for game in played for code in games.get(game, Game()).players or ())
    return state.alive(stay)


def _is_ending(change: StateChange) -> bool:
    resolved = (change.what, change.value) == ("scenario", "resolution")
    return resolved or change.what == "outcome"


SELECTED = "$selected_partners"
GOES_WITH = "$investigator_partner_"
NO_PARTNER = "none"  # on the line of an investigator without a partner


def is_pairing(line_id: str) -> bool:
    """Return whether a line pairs partners with investigators (in no printed log)."""
    return line_id == SELECTED or line_id.startswith(GOES_WITH)


def partners_matching(state: State, check: PartnerCheck) -> list[tuple[str, bool]]:
    """Return the partners asked about, each with whether they match the check."""
    if check.partner:
        codes: list[str] = [check.partner]
    else:
        codes = [
            partner.code
            for section in state.guide.sections
            if section.id == check.section
            for partner in section.partners
        ]
    judge = all if check.every else any
    return [
        (
            code,
            judge(
                partner_is(state, check.section, code, status)
                for status in check.statuses
            ),
        )
        for code in codes
    ]


def partner_is(state: State, section: str, code: str, status: str) -> bool:
    """Return whether a partner has this status."""
    person = state.people.get(code)
    if status == "eliminated":
        return state.is_eliminated(code)
    if status == "alive":
        return not state.is_eliminated(code)
    if status == "has_damage":
        return person is not None and (person.physical or 0) > 0
    if status == "has_horror":
        return person is not None and (person.mental or 0) > 0
    if status == "investigator_defeated":
        return any(
            _last(state, section, GOES_WITH + investigator) == ((code, 1),)
            for investigator in state.outcome_group("defeated")
        )
    if status == "investigator_selected":
        return any(card == code for card, _ in _last(state, section, SELECTED))
    return person is not None and status in (person.story or ())


def _last(state: State, section: str, line_id: str) -> tuple[tuple[str, int], ...]:
    """Return the cards of the last line with this id: partners change every game."""
    for line in reversed(state.section(section).named(line_id)):
        if not line.crossed_out:
            return line.cards
    return ()


def standing_lines(state: State) -> tuple[str, ...]:
    """Return ``section.line`` of each line that is not crossed out.

    Hidden sections are left out.
    """
    hidden = {section.id for section in state.guide.sections if section.hidden}
    found: dict[str, None] = {}
    for name, section in state.sections.items():
        if name in hidden or section.crossed_out:
            continue
        for line in section.lines:
            if not line.crossed_out:
                found[f"{name}.{line.id}"] = None
    return tuple(found)


def owners_of_line(state: State, thing: str) -> list[str]:
    """Return who has a line of their own, given as ``section.line``."""
    section, _point, line_id = thing.partition(".")
    own = state.seat_sections.get(section, {})
    return [code for code, lines in own.items() if lines.has(line_id)]


def copies_in(state: State, code: str, card: str) -> int:
    """Return how many copies of a story card an investigator's deck has."""
    person = state.people.get(code)
    if person is None or card not in (person.story or ()):
        return 0
    return (person.card_counts or {}).get(card, 1)
