"""The setup of a deck before its first turn, as pages show it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.rules.card import Card
from arkham.rules.checking import JudgeRequest
from arkham.rules.draws.setup import RESOURCES, ApartPile, PlacedCard, Setup, setup_of
from arkham.rules.legality import Judge, check
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.frame import Frame
from arkham.rules.pool import CardPool
from cardpool.languages import shown_name, shown_subname
from cardpool.relations import in_full

Words = str | Promise


@dataclass(frozen=True, slots=True)
class SetUpItem:
    """Copies of a card to set up; ``note`` names the card that causes it."""

    copies: int
    name: str
    code: str
    note: Words = ""


@dataclass(frozen=True, slots=True)
class SetUpPile:
    """A small deck and its cards; ``note`` says what is missing."""

    title: Words
    items: tuple[SetUpItem, ...]
    copies: int
    note: Words = ""


@dataclass(frozen=True, slots=True)
class ShownSetup:
    """The setup under the headings of the pages; ``said`` are further instructions.

    ``places`` are where other cards of the list begin the game.
    """

    in_play: tuple[SetUpItem, ...]
    set_aside: tuple[SetUpItem, ...]
    places: tuple[SetUpPile, ...]
    piles: tuple[SetUpPile, ...]
    said: tuple[Words, ...]

    def __bool__(self) -> bool:
        return bool(self.in_play or self.set_aside or self.groups or self.said)

    @property
    def groups(self) -> tuple[SetUpPile, ...]:
        """The places and the piles, each with its cards."""
        return (*self.places, *self.piles)


def shown_setup(built: BuiltDeck) -> ShownSetup:
    """Return the setup of a deck in words."""
    pool, setup = built.frame.pool, setup_of(built)
    players = built.circumstances.players
    return ShownSetup(
        tuple(_by_name(_placed(each, pool, players) for each in setup.in_play)),
        tuple(_by_name(_placed(each, pool, players) for each in setup.set_aside)),
        tuple(_places(setup, pool)),
        tuple(_piles(built, setup)),
        tuple(_said(setup, pool)),
    )


def _placed(placed: PlacedCard, pool: CardPool, players: int | None) -> SetUpItem:
    note: Words = ""
    copies, card = placed.copies, pool[placed.code]
    by = pool[placed.by] if placed.by else card
    if placed.per_investigator and players:
        copies *= players
    elif placed.per_investigator:
        note = _("for each investigator")
    elif by.investigator is None and by.name != card.name:
        note = _("from %(name)s") % {"name": shown_name(by)}
    return SetUpItem(copies, _name(card), placed.code, note)


def _name(card: Card) -> str:
    """Return the name with its subtitle, because two cards may share a name."""
    return in_full(shown_name(card), shown_subname(card), None)


def _places(setup: Setup, pool: CardPool) -> Iterator[SetUpPile]:
    for title, begun in (
        (gettext_lazy("Shuffled into the encounter deck"), setup.encounter_deck),
        (gettext_lazy("Next to the agenda deck"), setup.beside_agenda),
    ):
        items = tuple(_by_name(_placed(each, pool, None) for each in begun))
        if items:
            yield SetUpPile(title, items, sum(each.copies for each in items))


def _piles(built: BuiltDeck, setup: Setup) -> Iterator[SetUpPile]:
    pool = built.frame.pool
    for apart in setup.apart:
        card = pool[apart.holder]
        title = (
            gettext_lazy("Hunch deck")
            if card.investigator is not None
            else _("Set aside: %(name)s") % {"name": shown_name(card)}
        )
        items = _items(apart.cards, pool)
        yield SetUpPile(title, items, sum(apart.cards.values()), _wanted(apart))
    second = built.deck.side_deck
    if second:
        yield SetUpPile(_("Spirit deck"), _items(second, pool), sum(second.values()))


def _wanted(apart: ApartPile) -> str:
    named = sum(apart.cards.values())
    values = {"count": apart.count, "named": named}
    if apart.random:
        return _("%(count)d at random, before the opening hand") % values
    if apart.up_to and not named:
        return _("choose up to %(count)d") % values
    if named < apart.count and not apart.up_to:
        return _("%(named)d of %(count)d chosen") % values
    return ""


def _said(setup: Setup, pool: CardPool) -> Iterator[str]:
    if setup.resources != RESOURCES:
        yield _("Resources to start with: %(number)d.") % {"number": setup.resources}
    for code in setup.in_hand:
        yield _("%(name)s begins in the opening hand.") % {
            "name": shown_name(pool[code])
        }
    for code in setup.at_start:
        yield _("Put %(name)s into play if it is in the opening hand.") % {
            "name": shown_name(pool[code])
        }
    for row in setup.rows:
        yield f"{shown_name(pool[row.code])}: {_(row.says)}"


def _items(listed: Mapping[str, int], pool: CardPool) -> tuple[SetUpItem, ...]:
    items = (
        SetUpItem(copies, _name(card) if card else code, code)
        for code, copies in listed.items()
        for card in (pool.get_card(code),)
    )
    return tuple(_by_name(items))


def _by_name(items: Iterable[SetUpItem]) -> list[SetUpItem]:
    return sorted(items, key=lambda each: (each.name.casefold(), each.code))


@dataclass(frozen=True, slots=True)
class AttachableCard:
    """A card of the deck that may be attached; ``copies`` of it are."""

    code: str
    card: Card
    copies: int


@dataclass(frozen=True, slots=True)
class AttachedCards:
    """The cards attached to a holder (a card, or the investigator of a hunch deck).

    ``count`` is how many there should be; ``up_to`` allows fewer.
    """

    holder: str
    title: str
    cards: tuple[AttachableCard, ...]
    copies: int
    count: int
    up_to: bool

    @property
    def look(self) -> tuple[object, ...]:
        """Everything visible."""
        cards = [(each.code, each.copies) for each in self.cards]
        return self.holder, cards, self.copies, self.count, self.up_to


def set_apart(
    judge: Judge, asked: JudgeRequest, frame: Frame
) -> dict[str, AttachedCards]:
    """Return the cards attached to cards or to the investigator, by first printing."""
    found: dict[str, AttachedCards] = {}
    for holder, wanted in frame.attachments.items():
        attached = next(
            (
                cards
                for code, cards in asked.deck.attachments.items()
                if judge.pool.get_card(code) is judge.pool[holder]
            ),
            {},
        )
        suiting = _suiting(judge, asked, holder, {*asked.deck.entries, *attached})
        found[holder] = AttachedCards(
            holder,
            shown_name(judge.pool[holder]),
            tuple(
                AttachableCard(code, judge.pool[code], attached.get(code, 0))
                for code in sorted(
                    suiting, key=lambda code: shown_name(judge.pool[code])
                )
            ),
            sum(attached.values()),
            wanted.count,
            wanted.up_to,
        )
    return found


def _suiting(
    judge: Judge, asked: JudgeRequest, holder: str, codes: Iterable[str]
) -> list[str]:
    """Return the codes that may be attached to a card, by judging one copy each."""
    known = {code: 1 for code in codes if code in judge.pool}
    trial = asked.deck._replace(attachments={holder: known})
    unfit = {
        code
        for finding in check(judge, trial, asked.circumstances).findings
        if finding.rule == "attached.card"
        for code in finding.cards
    }
    return [code for code in known if code not in unfit]
