"""Which lines stand in the log?"""

from __future__ import annotations

from arkham.rules.campaign.state import State


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
