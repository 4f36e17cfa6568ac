"""Which investigators may include a card, and what they choose and require."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arkham.rules.card import Card, TabooList
from arkham.rules.deck import Circumstances, DeckList
from arkham.rules.finding import Listing, Phrase
from arkham.rules.investigator import (
    CHOSEN_CLASS,
    Back,
    Choice,
    SideDeckBack,
    option_label,
)
from arkham.rules.legality import judge_of
from arkham.rules.legality.frame import Frame
from arkham.rules.legality.standing import CardRole, Standing
from arkham.rules.legality.tally import Concern
from arkham.rules.modifiers import SIDE_ROWS, SideRow
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import CardClass
from arkham.web.language import worded
from cardpool.words import CHOICE_KINDS, Words, capitals

_BARS = frozenset({Concern.FOREIGN, Concern.FORBIDDEN, Concern.BARRED})


@dataclass(frozen=True, slots=True)
class Admission:
    """Permission for an investigator to include a card, and the options that give it.

    ``options`` are the labels of options, each of which is enough, with the number of
    copies each allows (None: any); empty for a signature card. ``choices`` are values,
    one of which must be chosen at deck creation; empty if no choice matters.
    """

    investigator: Card
    options: tuple[tuple[Phrase, int | None], ...] = ()
    choices: tuple[str, ...] = ()
    signature: bool = False


def frames(pool: CardPool, investigator: Card, taboo: TabooList | None) -> list[Frame]:
    """Return every frame in which a deck of the investigator may begin."""
    circumstances = Circumstances(
        taboo=taboo.id if taboo else None, no_taboo=taboo is None
    )
    empty = DeckList(investigator.code, {})
    return [built.frame for built in judge_of(pool).builds(empty, circumstances)]


def admits(standing: Standing) -> bool:
    """Return True if a deck of the standing's frame may include the card."""
    if standing.role is CardRole.SIGNATURE:
        return True
    if standing.role is not CardRole.ORDINARY or is_barred(standing):
        return False
    return standing.free >= 0 or standing.limited > 0


def is_barred(standing: Standing) -> bool:
    """Return True if the card is another's, forbidden or restricted in its frame."""
    return bool(_BARS.intersection(standing.concerns))


def _different(every: list[Frame]) -> Iterable[Frame]:
    """Return one frame for each set of allowed cards (deck sizes don't matter here)."""
    return {
        (
            frozenset(frame.options),
            frozenset(frame.restrictions),
            frame.signatures,
        ): frame
        for frame in every
    }.values()


_INCLUDABLE: WeakKeyDictionary[CardPool, dict[tuple[str, int], frozenset[str]]] = (
    WeakKeyDictionary()
)


def includable(
    pool: CardPool, investigator: Card, taboo: TabooList | None
) -> frozenset[str]:
    """Return the codes of the cards that decks of the investigator may include.

    Ordinary cards and the investigator's own signatures; weaknesses and story cards
    come into a deck in other ways. Cached by pool, investigator and taboo list.
    """
    found = _INCLUDABLE.setdefault(pool, {})
    key = (investigator.code, taboo.id if taboo else 0)
    if key not in found:
        open_codes = [code for code, card in pool.items() if card.in_decks]
        admitted: set[str] = set()
        for frame in _different(frames(pool, investigator, taboo)):
            open_codes = [code for code in open_codes if code not in admitted]
            admitted.update(code for code in open_codes if admits(frame.standing(code)))
        found[key] = frozenset(admitted)
    return found[key]


def admission(pool: CardPool, investigator: Card, card: Card) -> Admission | None:
    """Return how an investigator may include a card, or None; without a taboo list."""
    every = frames(pool, investigator, None)
    open_to = [frame for frame in every if admits(frame.standing(card.code))]
    if not open_to:
        return None
    if open_to[0].standing(card.code).role is CardRole.SIGNATURE:
        return Admission(investigator, signature=True)
    options: dict[Phrase, int | None] = {}
    for frame in open_to:
        options.update(_options(frame, frame.standing(card.code)))
    return Admission(investigator, tuple(options.items()), _choices(every, open_to))


def _choices(every: list[Frame], open_to: list[Frame]) -> tuple[str, ...]:
    """Return the values of which one must be chosen so that a deck may have a card."""
    if len(open_to) == len(every):
        return ()
    values = sorted({value for frame in open_to for value in frame.choices.values()})
    enough = [
        value
        for value in values
        if all(frame in open_to for frame in every if value in frame.choices.values())
    ]
    together = (", ".join(frame.choices.values()) for frame in open_to)
    return tuple(enough or dict.fromkeys(together))


def _options(frame: Frame, standing: Standing) -> dict[Phrase, int | None]:
    if standing.limited:
        limited = [
            frame.limited_option(index)
            for index in range(len(frame.limited))
            if standing.limited >> index & 1
        ]
        return {option_label(option): option.limit for option in limited}
    return {option_label(frame.options[standing.free]): None}


def admissions(pool: CardPool, card: Card) -> list[Admission]:
    """Return the investigators who may include a card, in code order."""
    found = (
        admission(pool, each, card)
        for each in pool.investigators
        if each.investigator is not None and each.investigator.playable
    )
    return [each for each in found if each is not None]


@dataclass(frozen=True, slots=True)
class OpenChoice:
    """Something to decide at deck creation: its kind, the values, the effect."""

    kind: Words
    offers: str
    effect: str


def choices(back: Back) -> tuple[OpenChoice, ...]:
    """Return what the back of an investigator leaves to the player."""
    return tuple(
        OpenChoice(
            CHOICE_KINDS[choice.kind],
            ", ".join(capitals(offer) for offer in choice.offers),
            _effect(choice),
        )
        for choice in back.choices
    )


def _effect(choice: Choice) -> str:
    """Return what a choice allows, or how many more cards it adds."""
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
    """Describe demands of a back: classes, cards to choose from, further decks."""
    rows = [row for row in SIDE_ROWS if row.code == investigator.code]
    found = [*_of_classes(back), *(each for row in rows for each in _of_row(row, pool))]
    if back.side_deck is not None:
        found.append(_second_deck(back.side_deck, pool))
    return tuple(found)


def _of_classes(back: Back) -> Iterator[str]:
    """Yield demands for cards of several classes, without options that only count."""
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
    return _("A spirit deck of %(size)d different cards: %(options)s; %(names)s") % {
        "size": deck.size,
        "options": worded(Listing(tuple(map(option_label, deck.options)), "; ")),
        "names": ", ".join(pool.called(pool[code]) for code in deck.required),
    }
