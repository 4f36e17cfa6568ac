"""What an investigator leaves to choose, and asks of a deck besides its signatures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arkham.rules.card import Card
from arkham.rules.finding import Listing
from arkham.rules.investigator import (
    CHOSEN_CLASS,
    Back,
    Choice,
    SideDeckBack,
    option_label,
)
from arkham.rules.modifiers import SIDE_ROWS, SideRow
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import CardClass
from arkham.web.language import worded
from cardpool.words import CHOICE_KINDS, Words, capitals


@dataclass(frozen=True, slots=True)
class OpenChoice:
    """Something to decide at deck creation: what it is, what is offered, its effect."""

    kind: Words
    offers: str
    effect: str


def choices(back: Back) -> tuple[OpenChoice, ...]:
    """What the back of an investigator leaves to the player."""
    return tuple(
        OpenChoice(
            CHOICE_KINDS[choice.kind],
            ", ".join(capitals(offer) for offer in choice.offers),
            _effect(choice),
        )
        for choice in back.choices
    )


def _effect(choice: Choice) -> str:
    """What is allowed by it, or how many more cards there are then."""
    if choice.template is not None:
        return worded(option_label(choice.template, CHOSEN_CLASS))
    more = [
        ngettext("%(offer)s: %(count)d more card", "%(offer)s: %(count)d more cards", n)
        % {"offer": capitals(offer), "count": n}
        for offer, n in choice.sizes
        if n and choice.kind != "size"
    ]
    return ", ".join(more)


def demands(investigator: Card, back: Back, pool: CardPool) -> tuple[str, ...]:
    """A line for each: classes, cards to choose, decks beside the deck."""
    rows = [row for row in SIDE_ROWS if row.code == investigator.code]
    found = [*_of_classes(back), *(each for row in rows for each in _of_row(row, pool))]
    if back.side_deck is not None:
        found.append(_second_deck(back.side_deck, pool))
    return tuple(found)


def _of_classes(back: Back) -> Iterator[str]:
    """Cards of several classes; an option that only counts them says so itself."""
    for option in back.options:
        wanted = option.at_least
        if wanted is None or option.counts_only:
            continue
        if wanted.classes == len(CardClass):
            message = ngettext(
                "%(cards)d card or more of each class",
                "%(cards)d cards or more of each class",
                wanted.cards,
            )
        else:
            message = ngettext(
                "%(cards)d card or more from each of %(classes)d classes",
                "%(cards)d cards or more from each of %(classes)d classes",
                wanted.cards,
            )
        yield message % {"cards": wanted.cards, "classes": wanted.classes}


def _of_row(row: SideRow, pool: CardPool) -> Iterator[str]:
    if row.among:
        names = ", ".join(pool.called(pool[code]) for code in row.among)
        if len(row.among) == 1:
            yield names
        else:
            values = {"copies": row.least, "names": names}
            yield _("%(copies)d of these: %(names)s") % values
    if row.per_experience:
        yield _("1 more of them for every %(number)d experience earned") % {
            "number": row.per_experience
        }
    if row.hunch is not None:
        yield _("A hunch deck of %(count)d Insight events from the deck") % {
            "count": row.hunch.count
        }


def _second_deck(deck: SideDeckBack, pool: CardPool) -> str:
    return _("A second deck of %(size)d different cards: %(options)s; %(names)s") % {
        "size": deck.size,
        "options": worded(Listing(tuple(map(option_label, deck.options)), "; ")),
        "names": ", ".join(pool.called(pool[code]) for code in deck.required),
    }
