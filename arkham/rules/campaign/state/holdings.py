"""The lines in the log, and who holds what there is only one of."""

from __future__ import annotations

from arkham.rules.campaign.state.state import State


def standing_lines(state: State) -> tuple[str, ...]:
    """Section and line, with a point between, of each line that is not crossed out.

    Sections the table never sees are left out.
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


def holding(state: State, thing: str) -> list[str]:
    """Who has a line of their own: a section and its id with a point between."""
    section, _point, line_id = thing.partition(".")
    own = state.seat_sections.get(section, {})
    return [code for code, lines in own.items() if lines.has(line_id)]


def copies_in(state: State, code: str, card: str) -> int:
    """How many copies of a story card lie in somebody's deck."""
    person = state.people.get(code)
    if person is None or card not in (person.story or ()):
        return 0
    return (person.card_counts or {}).get(card, 1)
