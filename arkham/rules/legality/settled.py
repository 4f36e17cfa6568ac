"""The terms of a deck that are determined before any ordinary card is read.

The investigator, the choices and the deck's special cards determine the options that
admit cards, the restrictions that forbid them, the deck size and required cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Generic, TypeVar

from arkham.rules.card import Card, TabooChange, TabooList
from arkham.rules.collection import packs_of
from arkham.rules.deck import LEGACY, Circumstances
from arkham.rules.investigator import AtLeast, Back, DeckOption, Requirement
from arkham.rules.legality.signatures import (
    SignatureSet,
    exact_sets,
    fills_weakness_slot,
    signature_sets,
)
from arkham.rules.modifiers import (
    DECK_MODIFIERS,
    SIDE_ROWS,
    TRANSFORMATIONS,
    Attachment,
    DeckModifier,
    SideRow,
)
from arkham.rules.pool import CardPool
from arkham.rules.rulings import rulings_in_force
from arkham.rules.ultimatums import UltimatumEffect, under
from arkham.rules.vocabulary import CardClass

Value = TypeVar("Value")


class lazy(Generic[Value]):  # noqa: N801 (used as a decorator, as property is)
    """A property computed on first access and cached on the instance.

    It works like ``functools.cached_property`` but without the lock that Python 3.11
    takes: a deck is judged by one thread, and most values cost less than the lock.
    """

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        self._compute = compute
        self._name = compute.__name__
        self.__doc__ = compute.__doc__

    def __get__(self, instance: Any, owner: type | None = None) -> Value:
        value = self._compute(instance)
        setattr(instance, self._name, value)  # accessing __dict__ would create it
        return value


def _chosen(template: DeckOption, value: str) -> DeckOption:
    """A class option, with the chosen class filled in."""
    return replace(
        template,
        id=f"{template.id}-{value}",
        classes=(CardClass(value),),
    )


def _changed_back(back: Back, change: TabooChange | None) -> Back:
    """The back after the taboo list's changes."""
    if change is None:
        return back
    return replace(
        back,
        size=change.size if change.size is not None else back.size,
        options=change.options if change.options is not None else back.options,
        choices=tuple(
            choice for choice in back.choices if choice.key not in change.drops_choices
        ),
        requirements=(
            change.requirements
            if change.requirements is not None
            else back.requirements
        ),
    )


class Settled:
    """The terms a deck is built on, apart from its ordinary cards (see the module).

    ``choices`` are those made at deck creation, ``modifiers`` the codes and copies of
    the deck's cards that change deckbuilding. ``options`` are in printed order,
    followed by those that cards grant; ``limited`` are the indexes of limited options,
    ``limits`` their places, ``granted`` the indexes of those that cards grant.
    """

    def __init__(
        self,
        pool: CardPool,
        *,
        front: Card,
        back: Card,
        taboo: TabooList | None,
        choices: tuple[tuple[str, str], ...],
        modifiers: tuple[tuple[str, int], ...],
        circumstances: Circumstances,
        became: str = "",
    ) -> None:
        assert front.investigator is not None and back.investigator is not None
        assert back.investigator.back is not None
        self.pool = pool
        self.transformation = TRANSFORMATIONS.get(became)
        self.front = front
        self.back = back
        self.base = back.investigator.base
        self.taboo = taboo
        self.choices = dict(choices)
        self.circumstances = circumstances
        self.rulings = rulings_in_force(circumstances.rulings)
        self.mode = circumstances.mode
        self.ultimatums = circumstances.ultimatums
        self.environment = circumstances.environment or LEGACY
        self.packs = packs_of(self.environment, pool, self.rulings)
        self.modifiers: tuple[tuple[DeckModifier, int], ...] = tuple(
            (DECK_MODIFIERS[code], copies) for code, copies in modifiers
        )
        self._change = taboo.changes.get(back.code) if taboo else None
        self.printed_back = _changed_back(back.investigator.back, self._change)
        self._set_options()
        self._set_demands()

    def _set_options(self) -> None:
        printed = list(self.printed_back.options)
        for choice in self.printed_back.choices:
            value = self.choices.get(choice.key)
            if value is None:
                continue
            if choice.template is not None:
                printed.append(_chosen(choice.template, value))
            printed.extend(dict(choice.grants).get(value, ()))
        granted = [
            replace(row.grants, limit=(row.grants.limit or 0) * copies)
            for row, copies in self.modifiers
            if row.grants is not None
        ]
        gained = [row.forbids for row, _ in self.modifiers if row.forbids is not None]
        every = [*printed, *granted]
        self.options = tuple(
            option for option in every if not option.forbids and not option.counts_only
        )
        self.restrictions = (
            *(option for option in printed if option.forbids),
            *gained,
        )
        self.limited = tuple(
            index
            for index, option in enumerate(self.options)
            if option.limit is not None
        )
        self.limits = tuple(self.options[index].limit or 0 for index in self.limited)
        self.granted = frozenset(
            range(len(self.options) - len(granted), len(self.options))
        )
        self.at_least: AtLeast | None = next(
            (option.at_least for option in every if option.at_least), None
        )

    def _set_demands(self) -> None:
        back = self.printed_back
        chosen_sizes = [
            dict(choice.sizes).get(self.choices.get(choice.key, ""), 0)
            for choice in back.choices
        ]
        self.printed_size = back.size + sum(chosen_sizes)
        self.size = self.printed_size + sum(
            row.size * copies for row, copies in self.modifiers
        )
        self.singleton = any(row.singleton for row, _ in self.modifiers)
        self.highlander = bool(
            under(self.ultimatums, UltimatumEffect.ONE_OF_EACH_TITLE)
        )
        self.one_of_each = self.singleton or self.highlander
        self.side_rows: tuple[SideRow, ...] = tuple(
            row
            for row in SIDE_ROWS
            if row.code == (self.front if row.side == "front" else self.back).code
        )
        self.extras = frozenset(
            code
            for row in self.side_rows
            for code in (*row.among, row.weakness)
            if code
        )
        taken = [
            card
            for code in self.circumstances.lost_cards
            if (card := self.pool.get_card(code)) is not None
        ]
        # A basic weakness that was lost may be drawn again: each copy leaves its slot
        # open, and its title isn't lost.
        self.weaknesses_lost = sum(map(fills_weakness_slot, taken))
        copies = Counter(card.code for card in taken if not fills_weakness_slot(card))
        lost = set(copies)
        alone = lost and lost - self.extras - self._asked_for_together()
        # Signatures don't count with other cards of their title (DECK-13): they are
        # lost individually, and other cards of that title are not.
        self.asked = frozenset(
            code for each in back.requirements for code in each.codes()
        )
        self.lost_titles = self._titles_of(alone - self.asked)
        unasked = self._titles_of(alone & self.asked)
        self.lost_signatures = self._asked_of(unasked)
        # A separate rule reports lost cards, whatever else is wrong with them.
        banned = self.circumstances.banned_titles
        self.gone_titles = self.lost_titles | banned
        self.gone_signatures = self._asked_of(unasked | banned)
        if under(self.ultimatums, UltimatumEffect.LOSES_ALLIES):
            unasked |= banned
        for requirement in back.requirements:
            codes = {requirement.original, requirement.advanced or requirement.original}
            gone = sum(copies[code] for code in codes)
            if self.pool[requirement.original].title in unasked:
                gone = max(gone, self.copies_required(requirement)[1])
            copies.update({code: gone - copies[code] for code in codes})
        # Copies lost of one version count for the other, too: it can't replace them.
        self.copies_lost: Mapping[str, int] = +copies
        self.lost = frozenset(self.copies_lost)
        self.requirements: tuple[Requirement, ...] = tuple(
            requirement
            for requirement in back.requirements
            if requirement.original not in self.extras
        )
        spared = self.transformation
        self.size_judged = spared is None or not spared.spares_size
        gave_way = 0
        if spared is not None and spared.spares_signatures:
            gave_way = self._fewest_signatures()
            self.requirements, self.side_rows = (), ()
            self.extras = frozenset()
        self.originals = frozenset(each.original for each in self.requirements)
        self.signature_sets = self._signature_sets()
        free = self.rulings["signatures.mixed-versions"] == "free"
        self.signatures_mix = free or self._was_given_a_signature()
        self.signatures = frozenset(
            code for each in self.signature_sets for code, _, _ in each.copies
        )
        self.basic_weaknesses = (
            back.basic_weaknesses
            + under(self.ultimatums, UltimatumEffect.MORE_WEAKNESSES)
            + gave_way
        )
        self.attachments: dict[str, Attachment] = {
            row.code: row.attaches
            for row, _ in self.modifiers
            if row.attaches is not None
        }
        for row in self.side_rows:
            if row.hunch is not None:
                self.attachments[row.code] = row.hunch

    def is_lost(self, card: Card) -> bool:
        """True if a campaign permanently removed all copies of the card."""
        if card.code in self.asked:
            return card.code in self.lost_signatures
        return card.title in self.lost_titles

    def is_gone(self, card: Card) -> bool:
        """True if a campaign or an ultimatum removed the card."""
        if card.code in self.asked:
            return card.code in self.gone_signatures
        return card.title in self.gone_titles

    def _titles_of(self, codes: Iterable[str]) -> frozenset[str]:
        return frozenset(self.pool[code].title for code in codes)

    def _asked_of(self, titles: frozenset[str]) -> frozenset[str]:
        """The signatures on the back that have one of these titles."""
        if not titles:
            return titles
        return frozenset(code for code in self.asked if self.pool[code].title in titles)

    def _asked_for_together(self) -> frozenset[str]:
        """Signatures with a title of which a deck may have more after some are lost."""
        found: set[str] = set()
        for requirement in self.printed_back.requirements:
            if self.copies_required(requirement)[1] > 1:
                found |= {requirement.original, requirement.advanced or ""}
            codes = [code for code, _copies in requirement.replacements]
            titles = [self.pool[code].title for code in codes]
            found.update(
                code
                for code, title in zip(codes, titles, strict=True)
                if titles.count(title) > 1
            )
        return frozenset(found)

    def _was_given_a_signature(self) -> bool:
        """True if a campaign gave one of the signatures in place of another."""
        given = {
            card.code
            for code in self.circumstances.given_signatures
            if (card := self.pool.get_card(code)) is not None
        }
        return any(not given.isdisjoint(each.codes()) for each in self.requirements)

    def _signature_sets(self) -> tuple[SignatureSet, ...]:
        """Every legal way to meet the requirements."""
        return signature_sets(
            tuple([(each, self.copies_required(each)) for each in self.requirements]),
            both=self.rulings["signatures.replacements"] == "instead-or-both",
            each_alone=self.rulings["signatures.part-replaced"] == "each"
            or self._was_given_a_signature(),
            lost=frozenset(self.copies_lost.items()),
        )

    def _fewest_signatures(self) -> int:
        """The fewest signatures that a deck with these sides can have had."""
        sets = self._signature_sets()
        listed = min(sum(least for _, least, _ in each.copies) for each in sets)
        # A weakness comes with each card that such a row requires.
        return listed + sum(
            row.least * (1 + bool(row.weakness)) for row in self.side_rows
        )

    @lazy
    def exact_signatures(self) -> dict[frozenset[tuple[str, int]], SignatureSet]:
        """The legal sets of signatures, by the copies that match one exactly."""
        return exact_sets(self.signature_sets, mixing=self.signatures_mix)

    def copies_required(self, requirement: Requirement) -> tuple[int, int]:
        """The least and most copies of the card printed on the back."""
        actual = self.rulings["signatures.by-size"] == "actual"
        size = self.size if actual else self.printed_size
        reached = [
            copies for least, copies in requirement.copies_by_size if least <= size
        ]
        copies = max(reached, default=requirement.copies)
        if requirement.copies_at_most is None:
            return copies, copies
        players = self.circumstances.players
        if players is not None:
            return players, players
        return copies, requirement.copies_at_most
