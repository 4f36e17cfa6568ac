"""Finds the frame for a deck list and counts the deck in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, product

from arkham.rules.card import Card, TabooList
from arkham.rules.deck import ANY_TABLE, Circumstances, DeckList, Environment
from arkham.rules.investigator import Back, Choice
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.compiling import most_copies
from arkham.rules.legality.entitlement import aside_by_entry, granted_aside, more_aside
from arkham.rules.legality.frame import Frame, KeptFrames
from arkham.rules.legality.sheets import marked_codes, marks_of
from arkham.rules.legality.standing import CardRole, Line
from arkham.rules.legality.tally import Concern
from arkham.rules.legality.verdict import Assumption
from arkham.rules.modifiers import DECK_MODIFIERS
from arkham.rules.pool import CardPool
from arkham.rules.ultimatums import UltimatumEffect, under
from arkham.rules.vocabulary import Mode

# Roles whose copies are limited, over printings and levels together.
_LIMITED_ROLES = (CardRole.ORDINARY, CardRole.BASIC_WEAKNESS, CardRole.STORY)
_SHARED_TITLE = Concern.SHARED_TITLE.one
MOST_TERMS = 2_048  # they are small; the bound keeps a long-lived process flat


@dataclass(frozen=True, slots=True)
class Sides:
    """The front and back a deck is played with, and what was wrong with them."""

    front: Card
    back: Card
    assumptions: tuple[Assumption, ...] = ()


@dataclass(frozen=True, slots=True)
class Terms:
    """Everything a list says apart from its cards, resolved; many decks share it.

    ``choices`` are those the back asks for; ``key`` is part of the frame's key.
    """

    sides: Sides
    taboo: TabooList | None
    choices: tuple[Choice, ...]
    assumptions: tuple[Assumption, ...]
    key: tuple[str, str, int, int]


class Judge:
    """A card pool prepared for judging decks; caches the frames it has used."""

    def __init__(self, pool: CardPool) -> None:
        self.pool = pool
        self._kept = KeptFrames(pool)
        self._modifying = {
            printing.code: code
            for code in DECK_MODIFIERS
            if (card := pool.get_card(code)) is not None
            for printing in card.printings
        }
        self._tables: dict[Circumstances, int] = {}
        self._numbers = count(1)  # never reused, so that an old number matches nothing
        self._terms: dict[tuple[object, ...], Terms | None] = {}

    # -- resolving what the list says --

    def terms(self, deck: DeckList, circumstances: Circumstances) -> Terms | None:
        """The terms of a list; None if its investigator can't build decks."""
        table = self._table(circumstances)
        key = (deck.investigator, deck.front, deck.back, deck.taboo, table)
        try:
            return self._terms[key]
        except KeyError:
            terms = self._resolve(deck, circumstances, table)
        if len(self._terms) > MOST_TERMS:
            self._terms.clear()
        self._terms[key] = terms
        return terms

    def _resolve(
        self, deck: DeckList, circumstances: Circumstances, table: int
    ) -> Terms | None:
        allowed = dict(circumstances.rulings).get(
            "investigators.mixed-sides", "allowed"
        )
        sides = self.sides(deck, allowed)
        if sides is None:
            return None
        taboo, assumptions = self.taboo_of(deck, circumstances)
        back = _back(sides)
        change = taboo.changes.get(sides.back.code) if taboo else None
        dropped = change.drops_choices if change else ()
        return Terms(
            sides,
            taboo,
            tuple(each for each in back.choices if each.key not in dropped),
            (*sides.assumptions, *assumptions),
            (sides.front.code, sides.back.code, taboo.id if taboo else 0, table),
        )

    def sides(self, deck: DeckList, allowed: str) -> Sides | None:
        """The sides in use; None if the investigator can't build decks."""
        card = self.pool.get_card(deck.investigator)
        if card is None or card.investigator is None or not card.investigator.playable:
            return None
        assumptions: list[Assumption] = []
        taken = []
        for key, code in (("front", deck.front), ("back", deck.back)):
            side = self.pool.get_card(code) if code else card
            if side is None or not _same_investigator(card, side):
                assumptions.append(Assumption("side", key, code, card.code))
                side = card
            taken.append(side)
        front, back = taken
        if front is not back and not _may_mix(front, back, allowed):
            assumptions.append(
                Assumption("sides", "back", f"{front.code}/{back.code}", card.code)
            )
        return Sides(front, back, tuple(assumptions))

    def taboo_of(
        self, deck: DeckList, circumstances: Circumstances
    ) -> tuple[TabooList | None, tuple[Assumption, ...]]:
        """The taboo list that applies to a deck, and what was assumed about it."""
        wanted = circumstances.taboo
        if wanted is None and not circumstances.no_taboo:
            wanted = deck.taboo
        rulings = dict(circumstances.rulings)
        unnamed = wanted is None and not circumstances.no_taboo
        if unnamed and rulings.get("taboo.unnamed") == "latest":
            wanted = "latest"
        forced = under(circumstances.ultimatums, UltimatumEffect.FOLLOWS_TABOOS)
        if wanted is None or wanted == "none":
            if not forced:
                return None, ()
            latest = self.pool.taboo_list("latest")
            assumed = latest.date if latest else ""
            return latest, (Assumption("taboo-forced", "taboo", "", assumed),)
        found = self.pool.taboo_list(wanted)
        if found is not None:
            return found, ()
        lists = tuple(str(each.id) for each in self.pool.taboo_lists)
        return None, (Assumption("taboo", "taboo", str(wanted), "", lists),)

    def frame(
        self,
        terms: Terms,
        choices: tuple[tuple[str, str], ...],
        modifiers: tuple[tuple[str, int], ...],
        circumstances: Circumstances,
        became: str = "",
    ) -> Frame:
        """The frame for these terms, created once."""
        key = (terms.key, choices, modifiers, became)
        found = self._kept.get(key)
        if found is None:
            found = Frame(
                self.pool,
                self._kept.standings,
                self._kept.altered(terms.taboo),
                front=terms.sides.front,
                back=terms.sides.back,
                taboo=terms.taboo,
                choices=choices,
                modifiers=modifiers,
                circumstances=circumstances,
                became=became,
            )
            self._kept.keep(key, found)
        return found

    def _table(self, circumstances: Circumstances) -> int:
        """A small number for these circumstances, which is cheaper to hash."""
        if circumstances is ANY_TABLE:
            return 0
        number = self._tables.get(circumstances)
        if number is None:
            if len(self._tables) >= MOST_TERMS:
                self._tables.clear()
            number = self._tables[circumstances] = next(self._numbers)
        return number

    # -- counting --

    def builds(
        self, deck: DeckList, circumstances: Circumstances = ANY_TABLE
    ) -> Iterator[BuiltDeck]:
        """Yield the deck in each frame it may be read in: one, if no choice is open."""
        if deck.set_aside:
            deck = deck._replace(set_aside=aside_by_entry(deck, self.pool))
        if deck.card_pool and circumstances.environment is None:
            products = Environment("products", packs=deck.card_pool)
            circumstances = replace(circumstances, environment=products)
        terms = self.terms(deck, circumstances)
        if terms is None:
            return
        known = terms.assumptions
        if deck.below_zero:
            known += tuple(
                Assumption("copies", code, "", "0") for code in deck.below_zero
            )
        if not terms.choices:
            yield self._build(deck, terms, (), circumstances, known)
            return
        for choices, assumptions in _readings(terms.choices, known, deck):
            yield self._build(deck, terms, choices, circumstances, assumptions)

    def _build(
        self,
        deck: DeckList,
        terms: Terms,
        choices: tuple[tuple[str, str], ...],
        circumstances: Circumstances,
        assumptions: tuple[Assumption, ...],
    ) -> BuiltDeck:
        modifiers = self.modifiers_of(deck)
        became = deck.transformed_into
        frame = self.frame(terms, choices, modifiers, circumstances, became)
        lines = frame.lines(deck.entries)
        if deck.sheets or deck.set_aside:
            _mark(lines, deck, frame)
        total = sum([line.tally for line in lines]) + frame.base_tally
        if deck.set_aside:
            total += Concern.SET_ASIDE.one
        if _titles_meet(frame, lines):
            total += _SHARED_TITLE
        if assumptions:
            total += Concern.CHOICE.one
        if deck.side_deck:
            total += Concern.SIDE_DECK.one
        if deck.attachments:
            total += Concern.ATTACHED.one
        if deck.sheets and not self._sheets_have_cards(deck, frame):
            total += Concern.CUSTOMIZED.one
        if deck.transformed_into:
            total += Concern.TRANSFORMED.one
        if circumstances.owned is not None:
            total += Concern.OWNED.one
        built = BuiltDeck(deck, frame, circumstances, total, lines, assumptions)
        aside = self._granted(built)
        if aside:
            deck = deck._replace(set_aside=more_aside(deck, aside))
            return self._build(deck, terms, choices, circumstances, assumptions)
        return built

    def _granted(self, built: BuiltDeck) -> dict[str, int]:
        """Copies to set aside because the table says a scenario granted the cards."""
        listed = built.circumstances.story_cards
        if not listed or built.frame.mode is Mode.START:
            return {}  # no scenario comes before a first deck
        cards = (self.pool.get_card(code) for code in listed)
        return granted_aside(built, {card.code: 1 for card in cards if card})

    def _sheets_have_cards(self, deck: DeckList, frame: Frame) -> bool:
        """True if every sheet belongs to a customizable card in the deck."""
        return deck.sheets.keys() <= deck.entries.keys() and all(
            frame.unmarked[code].sheet for code in deck.sheets
        )

    def modifiers_of(self, deck: DeckList) -> tuple[tuple[str, int], ...]:
        """The cards of a deck that change deckbuilding, with their copies.

        Copies set aside are included: they are in the deck, so their text applies.
        """
        if self._modifying.keys().isdisjoint(deck.entries):
            return ()
        listed = self._modifying.keys() & deck.entries.keys()
        held: dict[str, int] = {}
        for code in listed:
            first = self._modifying[code]
            held[first] = held.get(first, 0) + deck.entries[code]
        # Copies beyond the limit are reported, and have no other effect.
        return tuple(
            sorted(
                (code, min(n, most_copies(self.pool[code])))
                for code, n in held.items()
                if n
            )
        )


def _mark(lines: list[Line], deck: DeckList, frame: Frame) -> None:
    """Replace the lines of cards with boxes marked or copies set aside."""
    places = {code: place for place, code in enumerate(deck.entries)}
    for code in marked_codes(deck, frame.pool):
        marks = marks_of(deck, code, frame.pool)
        lines[places[code]] = frame.line(code, deck.entries[code], marks)
    for code, aside in deck.set_aside.items():
        copies = deck.entries.get(code, 0)
        if copies:
            place, aside = places[code], min(aside, copies)
            marks = lines[place].marks
            lines[place] = frame.line(code, copies - aside, marks, aside)


def _titles_meet(frame: Frame, lines: Sequence[Line]) -> bool:
    """True if entries that share a title may break a limit or share a price."""
    if len({line.title for line in lines}) == len(lines):
        return False
    last = {line.title: line for line in lines}
    again = [line for line in lines if last[line.title] is not line]
    again += [last[title] for title in {line.title for line in again}]
    by_title: dict[str, tuple[int, int]] = {}  # title → copies so far, lowest limit
    for line in again:
        copies, standing = line.copies, line.standing
        if not copies:
            continue
        if standing.role not in _LIMITED_ROLES and not frame.one_of_each:
            continue
        before, lowest = by_title.get(line.title, (0, standing.limit))
        lowest = min(lowest, standing.limit)
        by_title[line.title] = before + copies, lowest
        if before and (before + copies > lowest or standing.cost_once):
            return True
    return False


def _back(sides: Sides) -> Back:
    assert sides.back.investigator is not None
    assert sides.back.investigator.back is not None
    return sides.back.investigator.back


def _same_investigator(one: Card, other: Card) -> bool:
    return (
        one.investigator is not None
        and other.investigator is not None
        and other.investigator.playable
        and one.investigator.base == other.investigator.base
    )


def _may_mix(front: Card, back: Card, allowed: str) -> bool:
    """True if the sides are one original and one parallel, and the ruling allows it."""
    assert front.investigator is not None and back.investigator is not None
    if front.investigator.back == back.investigator.back:
        return True  # the same card in another product
    if allowed != "allowed":
        return False
    return front.investigator.parallel != back.investigator.parallel


def _readings(
    asked: tuple[Choice, ...], known: tuple[Assumption, ...], deck: DeckList
) -> Iterator[tuple[tuple[tuple[str, str], ...], tuple[Assumption, ...]]]:
    """Yield every way to fill in the choices a list leaves open, with assumptions."""
    offers: list[tuple[str, ...]] = []
    wrong: list[Assumption] = []
    taken: set[str] = set()  # classes already chosen
    for choice in asked:
        value = deck.choices.get(choice.key, "")
        if value in choice.offers and value not in taken:
            offers.append((value,))
            if choice.kind == "class":
                taken.add(value)
            continue
        if value in taken:
            wrong.append(Assumption("choice-repeated", choice.key, value, ""))
        elif value:
            wrong.append(
                Assumption("choice-value", choice.key, value, "", choice.offers)
            )
        offers.append(choice.offers)
    classes = [index for index, each in enumerate(asked) if each.kind == "class"]
    for values in product(*offers):
        chosen = [values[index] for index in classes]
        if len(set(chosen)) < len(chosen):
            continue
        assumptions = [
            *known,
            *wrong,
            *(
                Assumption("choice", choice.key, "", value, choice.offers)
                for choice, value in zip(asked, values, strict=True)
                if not deck.choices.get(choice.key)
            ),
        ]
        named = (
            (choice.key, value) for choice, value in zip(asked, values, strict=True)
        )
        yield tuple(named), tuple(assumptions)
