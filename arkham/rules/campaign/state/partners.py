"""The partners in each state."""

from __future__ import annotations

from arkham.rules.campaign.model.conditions import PartnerCheck
from arkham.rules.campaign.state.state import State

SELECTED = "$selected_partners"
GOES_WITH = "$investigator_partner_"
NO_PARTNER = "none"  # in the line of an investigator who goes alone


def is_pairing(line_id: str) -> bool:
    """Whether a line says whom partners go with in one game: no log on paper has it."""
    return line_id == SELECTED or line_id.startswith(GOES_WITH)


def partners_matching(state: State, check: PartnerCheck) -> list[tuple[str, bool]]:
    """Each partner asked about, and whether they are in the state asked for."""
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
    """Whether a partner is in this state."""
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
    """The cards of the last line of an id: partners are assigned anew each game."""
    for line in reversed(state.section(section).named(line_id)):
        if not line.crossed_out:
            return line.cards
    return ()
