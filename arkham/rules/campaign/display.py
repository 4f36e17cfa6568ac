"""What may lie in the victory display, and what is it worth?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from arkham.rules.finding import Finding, Rule, Severity, faq, rule, rules_reference
from arkham.rules.finding import gettext_noop as _

# By the list of taboos so many of a title lie there for the whole group (TABOO-M07).
TABOO_LIMITS = {"Delve Too Deep": 2}


class Site(NamedTuple):
    """A location as the game ended."""

    in_play: bool = True
    revealed: bool = True
    clues: int = 0


class Displayed(NamedTuple):
    """A card in the display: its points, and the limit printed on it.

    ``site`` is how a location stood at the end; ``threat`` says that the card lay in
    a threat area and never came into the display.
    """

    code: str
    title: str
    victory: int = 0
    vengeance: int = 0
    limit: int | None = None
    site: Site | None = None
    threat: bool = False


class Display(NamedTuple):
    """The victory display of a game, shared by all; whether taboos bind the group."""

    cards: tuple[Displayed, ...] = ()
    taboo: bool = False


def counts(card: Displayed) -> bool:
    """Whether a card is worth anything: a location by its three tests (VIC-03)."""
    site = card.site
    if card.threat:
        return False
    return site is None or (site.in_play and site.revealed and not site.clues)


def victory(display: Display) -> int:
    """The victory points everybody earns in full (VIC-01, XP-02)."""
    return sum(card.victory for card in display.cards if counts(card))


def vengeance(display: Display) -> int:
    """The vengeance points: no experience, only what a guide asks for (VIC-07)."""
    return sum(card.vengeance for card in display.cards if counts(card))


@rule("display.limit", rows=("VIC-06",), cites=(faq("2.3 Limits and Maximums"),))
def within_limits(display: Display) -> Iterator[Finding]:
    """A limit in the victory display counts by title."""
    found = Counter(card.title for card in display.cards)
    limits = {
        card.title: card.limit for card in display.cards if card.limit is not None
    }
    yield from _surplus(display, found, limits)


@rule(
    "display.taboo",
    rows=("VIC-05", "TABOO-M07"),
    cites=(faq("The List of Taboos"),),
)
def within_taboos(display: Display) -> Iterator[Finding]:
    """By the list of taboos a group has two Delve Too Deep in the victory display."""
    if not display.taboo:
        return
    found = Counter(card.title for card in display.cards)
    yield from _surplus(display, found, TABOO_LIMITS)


def _surplus(
    display: Display, found: Counter[str], limits: dict[str, int]
) -> Iterator[Finding]:
    for title, most in limits.items():
        if found[title] > most:
            yield Finding(
                _("There are {count} {title} in the display; {limit} are allowed."),
                cards=tuple(c.code for c in display.cards if c.title == title),
                actual=found[title],
                expected=most,
                values=(("count", found[title]), ("title", title), ("limit", most)),
            )


@rule(
    "display.location",
    rows=("VIC-03",),
    cites=(rules_reference("Victory Display, Victory Points"),),
)
def locations_are_cleared(display: Display) -> Iterator[Finding]:
    """A location is added at the end if it is in play, revealed and without clues."""
    for card in display.cards:
        if card.site is not None and not counts(card):
            yield Finding(
                _("{title} gives no victory points."),
                Severity.ADVICE,
                cards=(card.code,),
                actual=card.site.clues,
                expected=0,
                values=(("title", card.title),),
            )


@rule(
    "display.threat-area",
    rows=("VIC-08",),
    cites=(faq("Unfinished Business"),),
)
def is_in_the_display(display: Display) -> Iterator[Finding]:
    """A card that stays in a threat area gives no victory points."""
    for card in display.cards:
        if card.threat:
            yield Finding(
                _("{title} gives no victory points."),
                Severity.ADVICE,
                cards=(card.code,),
                values=(("title", card.title),),
            )


DISPLAY_RULES: tuple[Rule[Display], ...] = (
    within_limits,
    within_taboos,
    locations_are_cleared,
    is_in_the_display,
)


def findings_of(display: Display) -> tuple[Finding, ...]:
    """Everything that is wrong with a display, at once."""
    return tuple(finding for each in DISPLAY_RULES for finding in each(display))
