"""The words the card pool knows, and refusals of searches with words it doesn't."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import cast
from weakref import WeakKeyDictionary

from django.utils.translation import gettext as _
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from arkham.rules.card import Card
from arkham.rules.notation.names import closest
from arkham.rules.pool import CardPool
from cardpool.words import fold


class QueryError(ValueError):
    """A search that cannot be carried out.

    ``column`` counts characters from 1; ``found`` is the text at fault, "" at the
    end; ``expected`` says what belongs there; ``suggestion`` is the nearest thing
    that exists, "" for none; ``end`` is the column after what it would replace.
    """

    def __init__(
        self,
        column: int,
        message: str,
        *,
        found: str,
        expected: str,
        suggestion: str,
        end: int | None = None,
    ) -> None:
        super().__init__(message)
        self.column = column
        self.end = column + len(found) if end is None else end
        self.found = found
        self.expected = expected
        self.suggestion = suggestion


def refusal_of(text: str, error: UnexpectedInput) -> QueryError:
    """What the parser tripped over, in the words of the language."""
    if isinstance(error, UnexpectedToken):
        at_end = error.token.type == "$END"
        place = len(text.rstrip()) if at_end else (error.token.start_pos or 0)
        found = "" if at_end else str(error.token)
        wanted = set(error.accepts or error.expected)
    else:
        assert isinstance(error, UnexpectedCharacters)
        place = cast("int", error.pos_in_stream)
        found = text[place]
        wanted = set(error.allowed)
    expected = _expected(wanted)
    if found in ('"', "“"):
        message = _("The closing quotation mark is missing.")
        expected = _("a closing quotation mark")
    elif found == ")":
        message = _("There is no open parenthesis here, or it is empty.")
    elif found:
        message = _("“%(found)s” doesn’t belong here. Expected: %(expected)s.") % {
            "found": found,
            "expected": expected,
        }
    else:
        message = _("The search ends too early. Expected: %(expected)s.") % {
            "expected": expected
        }
    return QueryError(place + 1, message, found=found, expected=expected, suggestion="")


def _expected(terminals: set[str]) -> str:
    """The terminals that would have fitted, as words."""
    if "VALUE" in terminals:
        return _("a value")
    if "OPERATOR" in terminals:
        return _("an operator such as : or <=")
    if "KEY" not in terminals and "WORD" in terminals:
        return _("a word")
    if "RPAR" in terminals:
        return _("a closing parenthesis")
    if "KEY" in terminals and "OR" not in terminals:
        return _("a word or a condition such as class:seeker")
    return _("a condition, or quotation marks around a name")


Words = Mapping[str, str]  # folded spelling → the value as stored


class Lexicon:
    """The words of one card pool, each under its folded spelling."""

    def __init__(self, pool: CardPool) -> None:
        self.pool = pool

    @cached_property
    def traits(self) -> Words:
        """Every trait."""
        return _words(self.pool.traits)

    @cached_property
    def slots(self) -> Words:
        """Every slot, and two of the same (``hand x2``)."""
        single = {slot for card in self._cards for slot in card.slots}
        double = {
            f"{slot} x2": f"{slot}|{slot}"
            for slot in single
            if any(card.slots.count(slot) > 1 for card in self._cards)
        }
        return dict(_words(single)) | double

    @cached_property
    def uses(self) -> Words:
        """Every kind of token that cards are used with."""
        return _words(card.uses for card in self._cards if card.uses)

    @cached_property
    def packs(self) -> Words:
        """Every product, by code and by name."""
        packs = self.pool.packs.values()
        return {fold(pack.name): pack.code for pack in packs} | {
            fold(pack.code): pack.code for pack in packs
        }

    @cached_property
    def cycles(self) -> Words:
        """Every cycle, by position, code and name."""
        cycles = self.pool.cycles.values()
        return (
            {fold(cycle.name): cycle.code for cycle in cycles}
            | {str(cycle.position): cycle.code for cycle in cycles}
            | {fold(cycle.code): cycle.code for cycle in cycles}
        )

    @cached_property
    def encounter_sets(self) -> Words:
        """Every encounter set, by code and by name."""
        sets = self.pool.encounter_sets
        return {fold(name): code for code, name in sets.items()} | {
            fold(code): code for code in sets
        }

    @cached_property
    def bonded_to(self) -> Words:
        """The titles of the cards that bring bonded cards."""
        return _words(title for card in self._cards for title in card.bonded_to)

    @cached_property
    def investigators(self) -> Mapping[str, tuple[Card, ...]]:
        """The playable investigators of each name, one for each original card."""
        named: dict[str, dict[str, Card]] = {}
        for card in self.pool.investigators:
            assert card.investigator is not None
            base = self.pool.get_card(card.investigator.base) or card
            if card.investigator.playable:
                named.setdefault(fold(card.name), {})[base.code] = base
        return {name: tuple(cards.values()) for name, cards in named.items()}

    @property
    def _cards(self) -> Iterable[Card]:
        return self.pool.values()


def _words(values: Iterable[str]) -> Words:
    return {fold(value): value for value in sorted(values)}


def nearest(text: str, known: Iterable[str]) -> str:
    """The known word most like the text, or with a word like it; "" for none."""
    whole = {each: each for each in known}
    parts = {part: each for each in whole for part in each.split() if len(part) > 3}
    found = closest(fold(text), [*whole, *parts], most=1)
    return (whole | parts)[found[0]] if found else ""


_LEXICONS: WeakKeyDictionary[CardPool, Lexicon] = WeakKeyDictionary()


def lexicon_of(pool: CardPool) -> Lexicon:
    """The lexicon of a pool, made once and kept as long as the pool."""
    lexicon = _LEXICONS.get(pool)
    if lexicon is None:
        lexicon = _LEXICONS[pool] = Lexicon(pool)
    return lexicon
