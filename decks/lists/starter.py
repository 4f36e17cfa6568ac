"""Builds a legal starting deck for any investigator.

A plain first deck: what the back requires, then level 0 cards, preferring the
investigator's classes and products, a sensible mix of types, and no overfull slot.
Nothing is random: the same pool and sides always give the same deck. The judge checks
every card, and the whole deck.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from string import digits

from arkham.rules.card import Card
from arkham.rules.draws.decks import broken
from arkham.rules.legality import Judge, Verdict, check, judge_of
from arkham.rules.legality.frame import Frame
from arkham.rules.legality.side_decks import fits_second_deck
from arkham.rules.legality.standing import CardRole
from arkham.rules.modifiers import DECK_MODIFIERS
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import CardType
from cardpool.access import admits
from decks.lists.content import Content, empty_content
from decks.lists.editing import Edit, apply, copies_of

Choices = tuple[tuple[str, str], ...]  # as ``choose`` takes them: ("class", "rogue")

MOST_ROUNDS = 10
KEPT = 200
# Copies of each type in a deck of thirty.
SHARES = {CardType.ASSET: 14, CardType.EVENT: 9, CardType.SKILL: 7}
# Enough copies of assets for a slot; more of them would be idle.
SLOT_ROOM = {
    "hand": 5, "arcane": 4, "ally": 4, "accessory": 2, "body": 2, "tarot": 1,
}  # fmt: skip
CORE_SETS = {1: ("core", "rcore"), 2: ("core_2026",)}
USUAL_SKILL = 2  # icons for skills above it are worth having
COSTLY = 4  # resources: more than a turn yields


class NoStarter(ValueError):
    """No legal deck was found for these sides and choices."""


@lru_cache(maxsize=KEPT)
def starter_deck(
    pool: CardPool, investigator: str, choices: Choices = (), environment: str = ""
) -> Content:
    """Return a deck that is legal and complete, cached for each pool.

    ``choices`` are choices made already (sides and taboo list included); for the rest
    the first offer is taken. ``environment`` is a kind that needs no further data.
    Raises NoStarter if these allow no deck.
    """
    chosen = (Edit("choose", key, value=value) for key, value in choices)
    begun = apply(empty_content(investigator), chosen, pool)
    if environment:
        within = {**begun.circumstances, "environment": {"kind": environment}}
        begun = replace(begun, circumstances=within)
    draft = _Draft(judge_of(pool), begun)
    for step in (_choose, _require, _fill, _fill_second_deck, _set_apart):
        step(draft)
    verdict = draft.verdict
    if not (verdict.legal and verdict.complete):
        raise NoStarter("; ".join(finding.text for finding in verdict.findings))
    return draft.content


def required_deck(pool: CardPool, begun: Content) -> Content:
    """Return the deck with its required cards, as ArkhamDB begins one."""
    draft = _Draft(judge_of(pool), begun)
    _require(draft)
    return draft.content


@dataclass
class _Draft:
    """A deck under construction."""

    judge: Judge
    content: Content
    verdict: Verdict = field(init=False)
    frame: Frame = field(init=False)
    neighbours: _Neighbours = field(init=False)

    def __post_init__(self) -> None:
        self.put()
        self.neighbours = _Neighbours(self.frame.front, self.judge.pool)

    @property
    def pool(self) -> CardPool:
        """The card pool."""
        return self.judge.pool

    def put(self, *changes: Edit) -> None:
        """Change the deck and judge it."""
        self.content = apply(self.content, changes, self.pool)
        asked = self.content.asked()
        self.verdict = check(self.judge, asked.deck, asked.circumstances)
        built = next(self.judge.builds(asked.deck, asked.circumstances), None)
        if built is None:
            raise NoStarter(self.content.deck["investigator_code"])
        self.frame = built.frame

    def try_put(self, *changes: Edit) -> bool:
        """Change the deck unless that breaks a rule; return True if it was changed."""
        before, illegal = self.content, broken(self.verdict)
        self.put(*changes)
        if broken(self.verdict) <= illegal:
            return True
        self.content = before
        self.put()
        return False


# -- the steps --


def _choose(draft: _Draft) -> None:
    """Take the first offer of every choice that was left open."""
    draft.put(
        *(
            Edit("choose", key, value=value)
            for key, value in draft.frame.choices.items()
        )
    )


def _require(draft: _Draft) -> None:
    """Add the missing cards that findings name, until there are none."""
    for _round in range(MOST_ROUNDS):
        missing = [
            change
            for finding in draft.verdict.findings
            if finding.remedy is not None and finding.remedy.action == "add"
            for change in _additions(
                finding.rule, finding.remedy.codes, finding.remedy.copies
            )
        ]
        if not missing:
            return
        draft.put(*missing)


def _additions(rule: str, codes: tuple[str, ...], copies: int) -> Iterator[Edit]:
    verb = "side-add" if rule.startswith("side-deck.") else "add"
    if len(codes) == 1:
        yield Edit(verb, codes[0], copies)
    else:
        yield from (Edit(verb, code) for code in codes[:copies])


def _fill(draft: _Draft) -> None:
    """Add the best card again and again until the deck is full."""
    open_cards = _candidates(draft)
    while open_cards and draft.verdict.deck_size < draft.verdict.deck_size_required:
        wanted = _wanted(draft.verdict)
        counts = _count_by_kind(draft)
        card = max(open_cards, key=lambda each: _worth(each, draft, counts, wanted))
        open_cards.remove(card)
        room = draft.verdict.deck_size_required - draft.verdict.deck_size
        copies = min(draft.frame.standing(card.code).limit, 2, room)
        if copies and not draft.try_put(Edit("add", card.code, copies)):
            draft.try_put(Edit("add", card.code))


def _fill_second_deck(draft: _Draft) -> None:
    """Fill the second deck, if the back requires one."""
    asked = draft.frame.printed_back.side_deck
    if asked is None:
        return
    near = draft.neighbours.nearness
    for card in sorted(_in_decks(draft.pool), key=near, reverse=True):
        if not any(each.rule == "side-deck.size" for each in draft.verdict.findings):
            return
        fits = fits_second_deck(asked, card, draft.frame.mode)
        fits = fits and not draft.frame.standing(card.code).cost
        if fits and not copies_of(draft.content, card.code, draft.pool):
            draft.try_put(Edit("side-add", card.code))


def _set_apart(draft: _Draft) -> None:
    """Fill a hunch deck."""
    for row in draft.frame.side_rows:
        if row.hunch is None:
            continue
        draft.put(Edit("attach", row.code, value=row.includes))
        for code, copies in draft.content.deck["slots"].items():
            for _copy in range(copies):
                short = any(
                    each.rule == "attached.count" for each in draft.verdict.findings
                )
                if short and code != row.includes:
                    draft.try_put(Edit("attach", row.code, value=code))


# -- ranking of cards --


def _in_decks(pool: CardPool) -> Iterator[Card]:
    """Yield plain level 0 cards: nothing that changes deckbuilding, no sheets."""
    for card in pool.values():
        if card.level == 0 and card.in_decks and card.code not in DECK_MODIFIERS:
            marked = (
                card.permanent, card.exceptional, card.campaign_only,
                card.multiplayer_only, card.reward, card.hidden, card.researched,
                card.sheet,
            )  # fmt: skip
            if not any(marked):
                yield card


def _candidates(draft: _Draft) -> list[Card]:
    found = []
    for card in _in_decks(draft.pool):
        standing = draft.frame.standing(card.code)
        free = standing.role is CardRole.ORDINARY and not standing.cost
        if free and admits(standing):  # taboo may add experience to level 0
            found.append(card)
    return found


def _wanted(verdict: Verdict) -> frozenset[str]:
    """Return classes, types or traits that some finding wants more cards of."""
    return frozenset(
        value
        for finding in verdict.findings
        if finding.remedy is not None and finding.remedy.action == "add"
        for value in finding.remedy.values
    )


def _count_by_kind(draft: _Draft) -> Counter[str]:
    """Count the copies in the deck by type and by slot."""
    counts: Counter[str] = Counter()
    for code, copies in draft.content.deck["slots"].items():
        card = draft.pool.get_card(code)
        if card is not None and card.level is not None:
            counts[card.type] += copies
            for slot in card.slots:
                counts[slot] += copies
    return counts


def _worth(
    card: Card, draft: _Draft, counts: Mapping[str, int], wanted: frozenset[str]
) -> tuple[float, ...]:
    """Return the sort key of a card for this deck; the code decides between equals."""
    words = {*card.classes, card.type, *card.traits}
    share = counts[card.type] / SHARES.get(card.type, 1)
    crowded = sum(
        counts[slot] >= SLOT_ROOM[slot] for slot in card.slots if slot in SLOT_ROOM
    )
    skills = draft.frame.front.skills or (0, 0, 0, 0)
    icons = sum(
        count * max(skill - USUAL_SKILL, 0)
        for count, skill in zip(card.icons, skills, strict=False)
    )
    worth = draft.neighbours.nearness(card) - 8 * crowded - 10 * share + icons / 4
    worth -= max((card.cost or 0) - COSTLY, 0) * 2
    return (float(bool(words & wanted)), worth, -_position(card.code))


class _Neighbours:
    """The investigator's classes, products, cycles and core sets."""

    def __init__(self, front: Card, pool: CardPool) -> None:
        self._pool = pool
        self._classes = set(front.classes)
        self._packs = {printing.pack for printing in front.printings}
        packs = [pool.packs[code] for code in self._packs if code in pool.packs]
        self._cycles = {pack.cycle for pack in packs}
        chapter = min((pack.chapter for pack in packs), default=1)
        self._core = set(CORE_SETS.get(chapter, ()))

    def nearness(self, card: Card) -> float:
        """Return how near a card is to the investigator, 0 if nothing is shared."""
        packs = {printing.pack for printing in card.printings}
        cycles = {
            self._pool.packs[code].cycle for code in packs if code in self._pool.packs
        }
        return (
            2.0 * len(self._classes.intersection(card.classes))
            + 3.0 * bool(packs & self._packs)
            + 2.0 * bool(packs & self._core)
            + 1.0 * bool(cycles & self._cycles)
        )


def _position(code: str) -> int:
    return int("".join(each for each in code if each in digits) or 0)
