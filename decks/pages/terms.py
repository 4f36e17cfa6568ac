"""The terms a deck can be judged under, and cards barred by terms or limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from arkham.accounts.preferences import PREFERABLE
from arkham.rules.card import Card, TabooList
from arkham.rules.checking import JudgeRequest
from arkham.rules.deck import INVESTIGATOR_CYCLES, Circumstances, DeckList, Environment
from arkham.rules.finding import Severity
from arkham.rules.investigator import Choice
from arkham.rules.legality import Judge, check
from arkham.rules.legality.admission import shortages
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.frame import Frame
from arkham.rules.legality.side_decks import fits_second_deck
from arkham.rules.legality.standing import CardRole
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import Arrival, Mode
from arkham.signs import SIGNS
from cardpool.access import admits, is_barred
from cardpool.relations import sides_of
from decks.pages.display import Judged

Words = str | Promise
Offered = list[tuple[str, Words]]  # value, label

MODES: dict[Mode, Words] = {
    Mode.CAMPAIGN: gettext_lazy("Campaign under way"),
    Mode.START: gettext_lazy("New campaign"),
    Mode.STANDALONE: gettext_lazy("Standalone"),
}
ARRIVALS: dict[Arrival, Words] = {
    Arrival.NEWCOMER: gettext_lazy("Joined later or replaced another investigator"),
    Arrival.TRANSFERRED: gettext_lazy("Continued from another campaign"),
}
ENVIRONMENTS: dict[str, Words] = {
    "legacy": gettext_lazy("Legacy: every product"),
    "current": gettext_lazy("Current"),
    "limited": gettext_lazy("Limited: three cycles"),
    "products": gettext_lazy("A list of products"),
}
MOST_NAMED = 3  # products that are listed by name
WITHOUT_TABOOS = "none"  # as in the circumstances
CHOICES: dict[str, Words] = {
    "class": pgettext_lazy("choice", "Class"),
    "class_1": pgettext_lazy("choice", "First class"),
    "class_2": pgettext_lazy("choice", "Second class"),
    "trait": pgettext_lazy("choice", "Option"),
    "size": pgettext_lazy("choice", "Deck size"),
}


def taboo_choice(judged: Judged) -> str:
    """Return the named taboo list as forms offer it: its id, ``none``, or ""."""
    circumstances = judged.asked.circumstances
    if circumstances.no_taboo:
        return WITHOUT_TABOOS
    named = circumstances.taboo or judged.asked.deck.taboo
    if not named:
        return ""
    known = judged.pool.taboo_list(named)
    return str(known.id) if known else str(named)


def _taboo_label(taboo: TabooList | None) -> Words:
    if taboo is None:
        return _("No taboo list")
    return _("Taboos of %(date)s") % {"date": taboo.date}


def _followed(judged: Judged) -> Words:
    """Return the label of the taboo list that the deck is judged by."""
    followed = judged.verdict.taboo_id
    taboo = judged.pool.taboo_list(followed) if followed else None
    if taboo_choice(judged) or taboo:
        return _taboo_label(taboo)
    return _("No taboo list")


def taboos(pool: CardPool) -> Offered:
    """Return the offers: not chosen, no list, then every list, newest first."""
    newest_first = reversed(pool.taboo_lists)
    return [
        ("", _("Not chosen (no taboo list)")),
        (WITHOUT_TABOOS, _taboo_label(None)),
        *((str(each.id), _taboo_label(each)) for each in newest_first),
    ]


def first_terms(pool: CardPool) -> dict[str, Offered]:
    """Return what a person may prefer for decks whose list names nothing."""
    _none_named, _without, *lists = taboos(pool)
    latest = [("latest", _("The newest taboo list"))] if lists else []
    return {
        "taboo": [("", _("No taboo list")), *latest, *lists],
        "environment": [
            ("", ENVIRONMENTS["legacy"]),
            *((each, ENVIRONMENTS[each]) for each in PREFERABLE["environment"]),
        ],
        "mode": [
            ("", MODES[Mode.START]),
            *((each, MODES[Mode(each)]) for each in PREFERABLE["mode"]),
        ],
    }


def modes() -> Offered:
    """Return the modes that a deck may be played in."""
    return [(mode.value, label) for mode, label in MODES.items()]


def environment_label(environment: Environment, pool: CardPool) -> Words:
    """Return an environment in a few words."""
    if environment.kind == "current" and environment.date:
        return _("Current as of %(date)s") % {"date": environment.date}
    if environment.kind == "limited":
        names = (
            pool.cycles[code].name for code in environment.cycles if code in pool.cycles
        )
        return _("Limited: %(cycles)s") % {"cycles": ", ".join(names)}
    if environment.kind == "products":
        return _products(environment.packs, pool)
    return ENVIRONMENTS[environment.kind]


def assumed_environment(judged: Judged) -> Words:
    """Return the environment that is assumed if none is named."""
    named = judged.asked.deck.card_pool
    if not named:
        return _("Every product")
    return _products(named, judged.pool)


def _products(codes: Sequence[str], pool: CardPool) -> Words:
    """Return the names of a few products, and the number of the others."""
    names = [product_name(code, pool) for code in codes]
    if len(names) <= MOST_NAMED:
        return _("Products: %(names)s") % {"names": ", ".join(names)}
    return ngettext(
        "Products: %(names)s and %(count)d more",
        "Products: %(names)s and %(count)d more",
        len(names) - MOST_NAMED,
    ) % {"names": ", ".join(names[:MOST_NAMED]), "count": len(names) - MOST_NAMED}


def product_name(code: str, pool: CardPool) -> str:
    """Return the name of a product, or of a cycle (``cycle:dwl``); or the code."""
    cycle = pool.cycles.get(code.removeprefix("cycle:"))
    if code.startswith("cycle:") and cycle is not None:
        return _("%(cycle)s (cycle)") % {"cycle": cycle.name}
    pack = pool.packs.get(code)
    return pack.name if pack else code


def environments(judged: Judged) -> Offered:
    """Return the offers: not chosen, then every kind."""
    assumed = _("Not chosen: %(assumed)s") % {"assumed": assumed_environment(judged)}
    return [("", assumed), *ENVIRONMENTS.items()]


def cycles_of_limited(pool: CardPool) -> Offered:
    """Return the cycles that a limited environment may include, in order."""
    cycles = sorted(pool.cycles.values(), key=lambda each: each.position)
    return [
        (each.code, each.name) for each in cycles if each.code in INVESTIGATOR_CYCLES
    ]


def choice_values(choice: Choice) -> Offered:
    """Return the values that the back offers."""
    return [(value, value_label(choice.kind, value)) for value in choice.offers]


def value_label(kind: str, value: str) -> Words:
    """Return the label of one value of a choice."""
    if kind == "class" and value in SIGNS:
        return SIGNS[value].title
    return value.capitalize()


def sides(card: Card, pool: CardPool) -> list[Card]:
    """Return all versions of the investigator that can build a deck, original first."""
    assert card.investigator is not None
    base = card.investigator.base
    versions = [
        each
        for each in (card, *sides_of(card, pool))
        if each.investigator is not None and each.investigator.playable
    ]
    return sorted(versions, key=lambda each: (each.code != base, each.code))


def summary(judged: Judged) -> list[Words]:
    """Return the terms of a deck, each in a few words."""
    pool, circumstances = judged.pool, judged.asked.circumstances
    parts: list[Words] = [_followed(judged), MODES[circumstances.mode]]
    if circumstances.experience is not None:
        parts.append(
            _("%(number)d experience granted") % {"number": circumstances.experience}
        )
    environment = circumstances.environment
    parts.append(
        environment_label(environment, pool)
        if environment
        else assumed_environment(judged)
    )
    parts.extend(_more(circumstances))
    return parts


def _more(circumstances: Circumstances) -> Iterable[Words]:
    if circumstances.ultimatums:
        count = len(circumstances.ultimatums)
        yield _("Ultimatums and boons: %(count)d") % {"count": count}
    if circumstances.rulings:
        yield _("Table rulings: %(count)d") % {"count": len(circumstances.rulings)}


FRAMES_KEPT = 32  # the codes of each frame take some 50 KB


@dataclass(frozen=True, slots=True)
class Included:
    """The codes of the cards that a frame allows.

    ``cards`` are ordinary cards and signatures, ``signatures`` only the latter;
    ``weaknesses`` are the basic ones that may be drawn. ``limited`` maps masks of
    limited options to the ordinary cards that need one of them. ``titled`` maps titles
    to all ordinary cards, allowed or not, ``priced`` codes to the experience of all
    cards that cost some.
    """

    cards: frozenset[str]
    signatures: frozenset[str]
    weaknesses: frozenset[str]
    limited: Mapping[int, frozenset[str]]
    titled: Mapping[str, tuple[str, ...]]
    priced: Mapping[str, int]


@lru_cache(maxsize=FRAMES_KEPT)
def included_in(frame: Frame) -> Included:
    """Return the cards that a frame allows, regardless of the cards in the deck."""
    cards, signatures, weaknesses = set(), set(), set()
    limited: dict[int, set[str]] = {}
    titled: dict[str, tuple[str, ...]] = {}
    priced = {}
    for code, card in frame.pool.items():
        standing = frame.standing(code)
        if standing.cost:
            priced[code] = standing.cost
        if standing.role is CardRole.ORDINARY:
            titled[card.title] = (*titled.get(card.title, ()), code)
        if standing.role is CardRole.BASIC_WEAKNESS:
            if not is_barred(standing):
                weaknesses.add(code)
        elif admits(standing):
            cards.add(code)
            if standing.role is CardRole.SIGNATURE:
                signatures.add(code)
            elif standing.limited:
                limited.setdefault(standing.limited, set()).add(code)
    return Included(
        frozenset(cards),
        frozenset(signatures),
        frozenset(weaknesses),
        {mask: frozenset(codes) for mask, codes in limited.items()},
        titled,
        priced,
    )


RESEARCHED = "researched.task"
# Rules that bar a card under the table's terms, regardless of the deck's cards. The
# frame covers options and restrictions of the investigator.
OF_THE_TERMS = frozenset(
    {
        "campaign.lost",
        "ultimatum.scream",
        "environment.card",
        "mode.campaign-only",
        "mode.multiplayer-only",
        RESEARCHED,
        "ultimatum.induction",
    }
)
KEPT = 32  # combinations of investigator and terms


def for_second_deck(
    cards: Iterable[Card], frame: Frame, barred: frozenset[str]
) -> list[Card]:
    """Return those cards that a second deck may have, if the back requires one."""
    asked = frame.printed_back.side_deck
    if asked is None:
        return []
    return [
        card
        for card in cards
        if card.code not in barred and fits_second_deck(asked, card, frame.mode)
    ]


def barred_by_terms(judge: Judge, asked: JudgeRequest) -> frozenset[str]:
    """Return the cards that no deck of the investigator may have under these terms."""
    deck, circumstances = asked.deck, asked.circumstances
    bars = (
        circumstances.environment,
        deck.card_pool,
        circumstances.ultimatums,
        circumstances.banned_titles,
        circumstances.lost_cards,
        circumstances.players,
    )
    if circumstances.mode is not Mode.STANDALONE and not any(bars):
        return frozenset()
    sides = deck.investigator, deck.front, deck.back
    return _barred(judge, sides, deck.taboo, deck.card_pool, circumstances)


@lru_cache(maxsize=KEPT)
def _barred(
    judge: Judge,
    sides: tuple[str, str, str],
    taboo: int | str | None,
    products: tuple[str, ...],
    circumstances: Circumstances,
) -> frozenset[str]:
    """Judge a deck with a copy of every card, and return the cards that are barred."""
    investigator, front, back = sides
    codes = (code for code, card in judge.pool.items() if card.in_decks)
    every = DeckList(
        investigator,
        dict.fromkeys(codes, 1),
        front=front,
        back=back,
        taboo=taboo,
        card_pool=products,
    )
    # Before the first game nothing is researched; later it may be.
    rules = OF_THE_TERMS - ({RESEARCHED} if circumstances.mode is Mode.START else set())
    return frozenset(
        code
        for finding in check(judge, every, circumstances).findings
        if finding.rule in rules and finding.severity is Severity.ILLEGAL
        for code in finding.cards
    )


class Room:
    """The room that a deck has for another copy of a card it may have."""

    def __init__(self, judged: Judged) -> None:
        self._built = judged.built
        self._titles: Counter[str] = Counter()
        for line in self._built.lines if self._built else ():
            if line.standing.role is CardRole.ORDINARY:
                self._titles[line.standing.title] += line.copies

    def full(self) -> set[str]:
        """Return the cards whose limit, or whose limited options, are used up."""
        if self._built is None:
            return set()
        frame = self._built.frame
        included = included_in(frame)
        full = set()
        for title in self._titles:
            for code in included.titled.get(title, ()):
                standing = frame.standing(code)
                if self._titles[standing.title] >= standing.limit:
                    full.add(code)
        for mask, codes in included.limited.items():
            if not self._in_options(self._built, mask):
                full |= codes
        return full

    @staticmethod
    def _in_options(built: BuiltDeck, mask: int) -> bool:
        """Return True if one more card that needs one of these options has a place."""
        demands = {**built.demands, mask: built.demands.get(mask, 0) + 1}
        short = shortages(demands, built.frame.limits)
        return all(mask & ~each.options for each in short)
