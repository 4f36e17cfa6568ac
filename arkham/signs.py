"""The signs of the pages: our own drawings, inline, in the text colour.

Each is drawn in a square of 24 units. ``STROKE`` signs are outlines of 1.75 units with
round ends, ``FILL`` signs are solid. Names are permanent: templates use them.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


@dataclass(frozen=True, slots=True)
class Sign:
    """The text of a sign for screen readers, and its drawing."""

    title: str | Promise
    drawing: str


def _stroke(*paths: str, title: str | Promise) -> Sign:
    drawing = "".join(f'<path d="{path}"/>' for path in paths)
    return Sign(title, f'<g class="stroke">{drawing}</g>')


def _fill(*paths: str, title: str | Promise) -> Sign:
    drawing = "".join(f'<path d="{path}"/>' for path in paths)
    return Sign(title, f'<g class="fill">{drawing}</g>')


# A circle as a path: centre and radius.
def _ring(x: float, y: float, r: float) -> str:
    return f"M{x - r} {y}a{r} {r} 0 1 0 {2 * r} 0a{r} {r} 0 1 0 {-2 * r} 0z"


SIGNS: dict[str, Sign] = {
    # The house: a reading lamp.
    "lamp": _stroke(
        "M7.5 3.5h9l3.5 7.5H4z",
        "M12 11v8.5",
        "M7.5 20.5h9",
        "M16.5 11v3.5",
        title=_("Orne"),
    ),
    # Classes.
    "guardian": _stroke(
        "M12 3.2l7 2.4v5.2c0 4.6-2.9 8.1-7 10-4.1-1.9-7-5.4-7-10V5.6z",
        "M12 7.5v8.5",
        "M8.7 10.5h6.6",
        title=pgettext_lazy("class", "Guardian"),
    ),
    "seeker": _stroke(
        "M12 6.5c-2.2-1.7-5-2.2-8.5-2v13.5c3.5-.2 6.3.3 8.5 2"
        "c2.2-1.7 5-2.2 8.5-2V4.5c-3.5-.2-6.3.3-8.5 2z",
        "M12 6.5V20",
        title=pgettext_lazy("class", "Seeker"),
    ),
    "rogue": _stroke(
        _ring(8, 8, 4.2),
        "M11 11l9 9",
        "M16.5 16.5l2.5-2.5",
        "M19 19l2-2",
        title=pgettext_lazy("class", "Rogue"),
    ),
    "mystic": _stroke(
        "M18.5 15.5A8 8 0 1 1 10.5 4a6.5 6.5 0 0 0 8 11.5z",
        "M17 4.5v5",
        "M14.5 7h5",
        title=pgettext_lazy("class", "Mystic"),
    ),
    "survivor": _stroke(
        "M12 21c-3.9 0-6.5-2.6-6.5-6.2 0-4.3 4-6 4.5-11.3"
        "c4.4 2 5.5 5.3 5 7.7 1-.4 1.6-1.3 1.8-2.2"
        "c1.2 1.7 1.7 3.5 1.7 5.5 0 3.8-2.6 6.5-6.5 6.5z",
        "M12 21c-1.6-1-2.2-2.2-2-3.7.2-1.2 1.2-2 2-3.3.8 1.3 1.8 2.1 2 3.3"
        ".2 1.5-.4 2.7-2 3.7z",
        title=pgettext_lazy("class", "Survivor"),
    ),
    "neutral": _stroke(
        "M12 3.5l8.5 8.5-8.5 8.5L3.5 12z",
        title=pgettext_lazy("class", "Neutral"),
    ),
    "multiclass": _stroke(
        "M9 5l6.5 6.5L9 18l-6.5-6.5z",
        "M15 5l6.5 6.5L15 18l-2-2",
        title=_("Multiclass"),
    ),
    # Skills.
    "willpower": _stroke(
        "M2.5 12c2.6-4.3 5.8-6.5 9.5-6.5s6.9 2.2 9.5 6.5"
        "c-2.6 4.3-5.8 6.5-9.5 6.5S5.1 16.3 2.5 12z",
        _ring(12, 12, 3),
        title=pgettext_lazy("skill", "Willpower"),
    ),
    "intellect": _stroke(
        "M9 17c0-2.2-3-3.7-3-7.5a6 6 0 0 1 12 0c0 3.8-3 5.3-3 7.5z",
        "M9.7 20.5h4.6",
        title=pgettext_lazy("skill", "Intellect"),
    ),
    "combat": _stroke(
        "M4 4l12.5 12.5",
        "M20 4L7.5 16.5",
        "M14 19l5-5",
        "M10 19l-5-5",
        "M18 18l2.5 2.5",
        "M6 18l-2.5 2.5",
        title=pgettext_lazy("skill", "Combat"),
    ),
    "agility": _stroke(
        "M4 20c2-9 7-14.5 16-16-.5 6.5-4 11-10.5 11.5",
        "M4 20l9-9",
        "M8 15.5h4.5",
        title=pgettext_lazy("skill", "Agility"),
    ),
    "wild": _stroke(
        "M12 3.5v17",
        "M4.6 7.75l14.8 8.5",
        "M19.4 7.75l-14.8 8.5",
        title=pgettext_lazy("skill", "Wild"),
    ),
    # Types of cards.
    "exceptional": _stroke(
        "M12 2.5l8.2 4.75v9.5L12 21.5l-8.2-4.75v-9.5z",
        "M8 12.5l4-4 4 4",
        "M8 16.5l4-4 4 4",
        title=_("Exceptional"),
    ),
    "myriad": _stroke(
        "M4 8h10v12H4z",
        "M7.5 8V5.5h10v12H14",
        "M11 5.5V3h10v12h-3.5",
        title=_("Myriad"),
    ),
    "permanent": _stroke(
        "M12 12c-2-2.7-3.7-4-5.5-4a4 4 0 0 0 0 8c1.8 0 3.5-1.3 5.5-4"
        "s3.7-4 5.5-4a4 4 0 0 1 0 8c-1.8 0-3.5-1.3-5.5-4z",
        title=_("Permanent"),
    ),
    "bonded": _stroke(_ring(8.5, 12, 5), _ring(15.5, 12, 5), title=_("Bonded")),
    "exile": _stroke("M13 4H5v16h8", "M10 12h11", "M17 8l4 4-4 4", title=_("Exile")),
    "unique": _fill(
        "M12 3l2.3 6.1 6.5.3-5.1 4.1 1.7 6.3L12 16.2l-5.4 3.6 1.7-6.3-5.1-4.1 6.5-.3z",
        title=_("Unique"),
    ),
    "weakness": _stroke(
        "M12 3.5l9 16H3z", "M12 9.5v4.5", "M12 16.8v.1", title=_("Weakness")
    ),
    "customizable": _stroke(
        "M14.5 5H5v14h14v-8", "M9 12.5l3 3L20.5 6", title=_("Customizable")
    ),
    "box": _stroke("M5 5h14v14H5z", title=_("Empty box")),
    "box-checked": _stroke(
        "M5 5h14v14H5z", "M8.5 12.5l2.7 2.7 4.8-6.2", title=_("Checked box")
    ),
    # A card of which the collection has too few copies, or none.
    "short": _stroke("M7 4h10v16H7z", "M7 12h10", title=_("Too few copies")),
    "unowned": _stroke("M7 4h10v16H7z", "M3.5 20.5l17-17", title=_("Not owned")),
    # Attributes of investigators.
    "physical-trauma": _stroke(
        "M12 20C6.5 15.7 3.5 12.6 3.5 9.2A4.7 4.7 0 0 1 12 6.5"
        "a4.7 4.7 0 0 1 8.5 2.7c0 3.4-3 6.5-8.5 10.8z",
        "M12 6.5l-2 4 3.5 2-2 4",
        title=_("Physical trauma"),
    ),
    "mental-trauma": _stroke(
        "M13 12a2 2 0 0 1-4 0 4 4 0 0 1 8 0 6 6 0 0 1-12 0 8 8 0 0 1 16 0",
        title=_("Mental trauma"),
    ),
    # The taboo list: two links of a chain; an open one; a mark of change.
    "chained": _stroke(
        "M10 8H7.5a4 4 0 0 0 0 8H10",
        "M14 8h2.5a4 4 0 0 1 0 8H14",
        "M8.5 12h7",
        title=_("Chained"),
    ),
    "unchained": _stroke(
        "M9 9H7a3.5 3.5 0 0 0 0 7h2",
        "M15 9h2a3.5 3.5 0 0 1 0 7h-2",
        "M10.5 5l.5 2.5",
        "M13.5 5L13 7.5",
        title=_("Unchained"),
    ),
    "taboo": _stroke(
        "M10 8H7.5a4 4 0 0 0 0 8H10",
        "M14 8h2.5a4 4 0 0 1 0 8H14",
        "M12 10v4",
        title=_("Taboo"),
    ),
    "experience": _fill(
        "M12 2c.9 5.8 3.3 8.9 10 10-6.7 1.1-9.1 4.2-10 10"
        "-.9-5.8-3.3-8.9-10-10 6.7-1.1 9.1-4.2 10-10z",
        title=_("Experience"),
    ),
    # Chaos tokens; numbers need no signs.
    "skull": _stroke(
        "M5 11a7 7 0 0 1 14 0c0 2.6-1 4.2-2.8 5.3V20H7.8v-3.7C6 15.2 5 13.6 5 11z",
        _ring(9.2, 11.5, 1.4),
        _ring(14.8, 11.5, 1.4),
        "M10.5 17v3",
        "M13.5 17v3",
        title=pgettext_lazy("chaos token", "Skull"),
    ),
    "cultist": _stroke(
        "M12 3C8 5 6 9 6 14v6.5h12V14c0-5-2-9-6-11z",
        "M9 20.5V14c0-2.5 1-4.5 3-6 2 1.5 3 3.5 3 6v6.5",
        title=pgettext_lazy("chaos token", "Cultist"),
    ),
    "tablet": _stroke(
        "M6 20.5V9a6 6 0 0 1 12 0v11.5z",
        "M9.5 10h5",
        "M9.5 13.5h5",
        "M9.5 17h3",
        title=pgettext_lazy("chaos token", "Tablet"),
    ),
    "elder-thing": _stroke(
        "M12 10V3",
        "M13.9 11.4L20.6 9.2",
        "M13.2 13.6L17.3 19.3",
        "M10.8 13.6L6.7 19.3",
        "M10.1 11.4L3.4 9.2",
        _ring(12, 12, 2),
        title=pgettext_lazy("chaos token", "Elder thing"),
    ),
    "auto-fail": _stroke(
        "M6 4c2 6 4.5 9.5 9 12.5",
        "M11 3.5c1 5 3 9 7 12.5",
        "M4 9c2 4.5 4.5 8 9 11",
        "M17 5c.5 3 1.2 5 3 7.5",
        title=pgettext_lazy("chaos token", "Auto-fail"),
    ),
    "elder-sign": _stroke(
        "M12 2.5l2.8 6.5 6.7.7-5 4.5 1.5 6.8-6-3.6-6 3.6 1.5-6.8-5-4.5 6.7-.7z",
        _ring(12, 12.5, 2),
        title=pgettext_lazy("chaos token", "Elder sign"),
    ),
    "bless": _stroke(
        _ring(12, 12, 4),
        "M12 2.5V5",
        "M12 19v2.5",
        "M2.5 12H5",
        "M19 12h2.5",
        "M5.3 5.3L7 7",
        "M17 17l1.7 1.7",
        "M18.7 5.3L17 7",
        "M7 17l-1.7 1.7",
        title=pgettext_lazy("chaos token", "Bless"),
    ),
    "curse": _stroke(
        "M15.5 4a8.5 8.5 0 1 0 0 16 6.5 6.5 0 0 1 0-16z",
        "M17 9l3.5 6",
        "M20.5 9L17 15",
        title=pgettext_lazy("chaos token", "Curse"),
    ),
    "frost": _stroke(
        "M12 2.5v19",
        "M3.8 7.25l16.4 9.5",
        "M20.2 7.25L3.8 16.75",
        "M9.5 4.5L12 7l2.5-2.5",
        "M9.5 19.5L12 17l2.5 2.5",
        title=pgettext_lazy("chaos token", "Frost"),
    ),
    "bag": _stroke(
        "M8.5 3.5h7l-1.5 4h-4z",
        "M10 7.5C6 10 4 13.5 4 16.5c0 3 2.5 4 8 4s8-1 8-4c0-3-2-6.5-6-9",
        title=_("Chaos bag"),
    ),
    "bell": _stroke(
        "M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 2h-15z",
        "M10 21h4",
        title=_("Sound and vibration"),
    ),
    # Abilities.
    "action": _stroke("M3.5 12h15", "M12.5 5.5L19 12l-6.5 6.5", title=_("Action")),
    "reaction": _stroke(
        "M18.5 9.5A7.5 7.5 0 1 0 19 14", "M19 4.5v5.5h-5.5", title=_("Reaction")
    ),
    "fast": _stroke("M13.5 3L6 13.5h6L10.5 21 18 10.5h-6z", title=_("Free")),
    # Slots.
    "hand": _stroke(
        "M7 12V6.5a1.5 1.5 0 0 1 3 0V11V4.5a1.5 1.5 0 0 1 3 0V11V5.5"
        "a1.5 1.5 0 0 1 3 0V12V8.5a1.5 1.5 0 0 1 3 0V14c0 4-2.5 6.5-6 6.5"
        "-3 0-4.5-1.2-6-3.5l-3-4.5a1.5 1.5 0 0 1 2.5-1.5z",
        title=_("Hand slot"),
    ),
    "arcane": _stroke(
        _ring(12, 12, 8.5), "M12 3.5l7.36 12.75H4.64z", title=_("Arcane slot")
    ),
    "accessory": _stroke(
        "M5 3.5c0 6 3 9.5 7 9.5s7-3.5 7-9.5",
        _ring(12, 17, 4),
        title=_("Accessory slot"),
    ),
    "ally": _stroke(
        _ring(12, 8, 4.2),
        "M4 20.5c.6-4.5 3.5-6.8 8-6.8s7.4 2.3 8 6.8",
        title=_("Ally slot"),
    ),
    "body": _stroke(
        "M8.5 4L3.5 7l2 4.5 2-1V20.5h9V10.5l2 1 2-4.5-5-3"
        "c-.6 1.6-1.9 2.5-3.5 2.5S9.1 5.6 8.5 4z",
        title=_("Body slot"),
    ),
    "tarot": _stroke(
        "M6 3h12v18H6z",
        _ring(12, 12, 3),
        "M12 6v.1",
        "M12 18v.1",
        title=_("Tarot slot"),
    ),
    # Health, sanity, cost.
    "health": _fill(
        "M12 20.5C6.5 16.2 3.5 13 3.5 9.5A4.7 4.7 0 0 1 12 6.7"
        "a4.7 4.7 0 0 1 8.5 2.8c0 3.5-3 6.7-8.5 11z",
        title=_("Health"),
    ),
    "sanity": _fill("M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z", title=_("Sanity")),
    # Verdicts: distinct shapes as well as colours.
    "legal": _stroke(_ring(12, 12, 9), "M8 12.3l2.8 2.8L16.2 9.3", title=_("Legal")),
    "incomplete": Sign(
        _("Incomplete"),
        f'<g class="stroke"><path d="{_ring(12, 12, 9)}"/></g>'
        '<g class="fill"><path d="M12 3a9 9 0 0 0 0 18z"/></g>',
    ),
    "illegal": Sign(
        _("Illegal"),
        '<g class="fill"><path fill-rule="evenodd" d="M8 2.5h8L21.5 8v8L16 21.5H8'
        "L2.5 16V8zM8.3 7L7 8.3 10.7 12 7 15.7 8.3 17 12 13.3 15.7 17"
        ' 17 15.7 13.3 12 17 8.3 15.7 7 12 10.7z"/></g>',
    ),
    "advice": _stroke(_ring(12, 12, 9), "M12 11v5.5", "M12 7.6v.1", title=_("Advice")),
    # The page itself.
    "search": _stroke(_ring(10.5, 10.5, 6), "M15 15l5.5 5.5", title=_("Search")),
    "person": _stroke(
        _ring(12, 8, 4),
        "M4.5 20.5c.8-4.3 3.5-6.3 7.5-6.3s6.7 2 7.5 6.3",
        title=_("Account"),
    ),
    "cards": _stroke(
        "M4 7.5l8-2.5 4.5 13.5-8 2.5z", "M15 6.5h5v14h-3", title=_("Cards")
    ),
    "deck": _stroke(
        "M4 13l8 4 8-4",
        "M4 17l8 4 8-4",
        "M12 3l8 4.5-8 4.5-8-4.5z",
        title=_("Decks"),
    ),
    "campaign": _stroke(
        "M5 3.5h11l3 3v14H5z",
        "M8.5 9h7",
        "M8.5 13h7",
        "M8.5 17h4",
        title=_("Campaigns"),
    ),
    "rules": _stroke(
        "M6.5 4h12v16.5H7.7A2.2 2.2 0 0 1 5.5 18.3V5a1 1 0 0 1 1-1z",
        "M5.5 18.3a2.2 2.2 0 0 1 2.2-2.2h10.8",
        "M10 4v6.5l2-1.6 2 1.6V4",
        title=_("Rules"),
    ),
    "menu": _stroke("M4 7h16", "M4 12h16", "M4 17h16", title=_("Menu")),
    "filter": _stroke(
        "M3.5 7h9",
        "M18.5 7h2",
        _ring(15.5, 7, 2.5),
        "M3.5 17h2",
        "M11.5 17h9",
        _ring(8.5, 17, 2.5),
        title=_("Filters"),
    ),
    "plus": _stroke("M12 5v14", "M5 12h14", title=_("Add")),
    "minus": _stroke("M5 12h14", title=_("Remove")),
    "cross": _stroke("M6 6l12 12", "M18 6L6 18", title=_("Close")),
    "check": _stroke("M5 12.5l4.7 4.7L19.5 7", title=_("Yes")),
    "undo": _stroke(
        "M8.5 5L4 9.5 8.5 14", "M4 9.5h10a5 5 0 0 1 0 10h-4", title=_("Undo")
    ),
    "redo": _stroke(
        "M15.5 5L20 9.5 15.5 14", "M20 9.5H10a5 5 0 0 0 0 10h4", title=_("Redo")
    ),
    "next": _stroke("M9 5l7 7-7 7", title=_("Next")),
    "previous": _stroke("M15 5l-7 7 7 7", title=_("Previous")),
    "outside": _stroke(
        "M10 5H5v14h14v-5",
        "M13.5 4H20v6.5",
        "M20 4l-9 9",
        title=_("Leads to another site"),
    ),
    "print": _stroke(
        "M7 9V3.5h10V9", "M7 17H4V9h16v8h-3", "M7 14h10v6.5H7z", title=_("Print")
    ),
}
