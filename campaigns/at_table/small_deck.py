"""A small deck read from its address: its cards, its seed, the steps taken.

A card is ``l.name`` for a location, ``t.name`` for a treachery, ``c.name`` for any
other. Steps are letters with card numbers, separated by dots.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from secrets import SystemRandom
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.rules.play.pile import (
    DrawTop,
    GatherIn,
    OnBottom,
    OnTop,
    Pile,
    PileEvent,
    PileKind,
    PutAway,
    ShuffleBack,
    ShuffleIn,
    Step,
    built,
    taken,
)
from arkham.rules.pool import CardPool
from campaigns.play.addresses import (
    LONGEST_SEED,
    Pairs,
    digits,
    name,
    names,
    of_campaign,
    text_value,
)
from cardpool.catalog import current_pool
from decks.pages.notes import Note, notes_of, translated

PLAY, DISCARD, REMOVED = "i", "x", "r"
_STEP = re.compile(r"[dkg]|[tbsixrfe]\d{1,2}|h[1-4]:\d{1,2}")
_SOME = re.compile(r"([1-9]) of: (.+)")
_ALONE: Mapping[str, Step] = {
    "d": DrawTop(),
    "k": ShuffleBack(),
    "g": GatherIn(DISCARD),
}
_BACK: Mapping[str, Callable[[int], Step]] = {"t": OnTop, "b": OnBottom, "s": ShuffleIn}
_ENDS: Mapping[str, str] = {"f": PLAY, "e": DISCARD}


def steps_of(text: str, cards: int, players: int) -> tuple[Step, ...]:
    """Return the steps of a text; none if it names a missing card or player."""
    if not _STEP.fullmatch(text):
        return ()
    letter, _colon, held = text.partition(":")
    if text in _ALONE:
        return (_ALONE[text],)
    number = int(held or text[1:])
    if number >= cards or (held and int(letter[1]) > players):
        return ()
    if text[0] in _ENDS:
        return (PutAway(number, _ENDS[text[0]]), ShuffleBack())
    if text[0] in _BACK:
        return (_BACK[text[0]](number),)
    return (PutAway(number, letter if held else text[0]),)


MOST_CARDS = 60
MOST_STEPS = 300
MOST_PLAYERS = 4
TITLES: Mapping[PileKind, str | Promise] = {
    PileKind.EXPLORATION: gettext_lazy("Exploration deck"),
    PileKind.TEKELI_LI: gettext_lazy("Tekeli-li deck"),
    PileKind.HUNCH: gettext_lazy("Hunch deck"),
    PileKind.OTHER: gettext_lazy("A small deck"),
}
PLACES: Mapping[str, str | Promise] = {
    PLAY: gettext_lazy("In play"),
    DISCARD: gettext_lazy("Discard pile"),
    REMOVED: gettext_lazy("Out of the game"),
}
# CYC-EE4: sixteen cards of one title; the printed number distinguishes them.
TEKELI_LI = "Tekeli-li"


@dataclass(frozen=True, slots=True)
class PileCard:
    """A card of the deck: its number in the list, its name, and its type."""

    number: int
    name: str
    sort: str = "c"

    @property
    def is_location(self) -> bool:
        """Whether it is a location, which an exploration looks for."""
        return self.sort == "l"

    @property
    def is_treachery(self) -> bool:
        """Whether it is a treachery, which ends an exploration without success."""
        return self.sort == "t"


@dataclass(frozen=True, slots=True)
class DestinationPile:
    """A place that cards went to, with its title; ``letter`` is its letter in steps."""

    letter: str
    title: str | Promise
    cards: tuple[PileCard, ...]


@dataclass(frozen=True, slots=True)
class SmallDeck:
    """A small deck after the steps taken so far."""

    kind: PileKind
    cards: tuple[PileCard, ...]
    players: tuple[str, ...]
    seed: str
    steps: tuple[str, ...]
    events: tuple[PileEvent, ...]
    campaign: str = ""  # the number of the campaign it was opened from

    @property
    def title(self) -> str | Promise:
        """The name of the deck."""
        return TITLES[self.kind]

    @property
    def pile(self) -> Pile:
        """The pile after the last step."""
        return (
            self.events[-1].pile if self.events else built(len(self.cards), self.seed)
        )

    @property
    def size(self) -> int:
        """The number of cards left in the deck."""
        return len(self.pile.deck)

    @property
    def drawn(self) -> list[PileCard]:
        """The drawn cards, latest first."""
        return [self.cards[card] for card in reversed(self.pile.drawn)]

    @property
    def latest(self) -> PileCard | None:
        """The card that was drawn last, or None."""
        return self.drawn[0] if self.pile.drawn else None

    @property
    def gone(self) -> Iterator[DestinationPile]:
        """Every place that cards went to."""
        for letter, title in {**PLACES, **self.holders}.items():
            cards = [
                self.cards[card] for card, where in self.pile.gone if where == letter
            ]
            if cards:
                yield DestinationPile(letter, title, tuple(cards))

    @property
    def holders(self) -> dict[str, str]:
        """The players whose decks may contain a card, by their letters in steps."""
        return {f"h{at}": player for at, player in enumerate(self.players, 1)}

    @property
    def has_discards(self) -> bool:
        """Whether the discard pile has cards."""
        return any(where == DISCARD for _card, where in self.pile.gone)

    @property
    def is_exploration(self) -> bool:
        """Whether it is explored rather than drawn from."""
        return self.kind is PileKind.EXPLORATION

    @property
    def has_failed(self) -> bool:
        """Whether an exploration has found a treachery and is over (CYC-FA3)."""
        latest = self.latest
        return self.is_exploration and latest is not None and latest.is_treachery

    @property
    def is_tekeli_li(self) -> bool:
        """Whether its cards go into players' decks."""
        return self.kind is PileKind.TEKELI_LI

    @property
    def is_hunch(self) -> bool:
        """Whether a card that wasn't played is shuffled back in."""
        return self.kind is PileKind.HUNCH

    @property
    def full(self) -> bool:
        """Whether no more steps are stored."""
        return len(self.steps) >= MOST_STEPS

    @property
    def refused(self) -> tuple[Note, ...]:
        """Why the last step wasn't done."""
        if not self.events:
            return ()
        return notes_of(self.events[-1].findings, current_pool())

    @property
    def history(self) -> list[str]:
        """Every step in words, latest first."""
        return [self._words(each) for each in reversed(self.events)]

    @property
    def pairs(self) -> Pairs:
        """The keys and values of the deck's address, without its steps."""
        pairs: Pairs = [("kind", self.kind.value)]
        pairs += [("card", f"{card.sort}.{card.name}") for card in self.cards]
        pairs += [("player", player) for player in self.players]
        return [*pairs, ("seed", self.seed), *of_campaign(self.campaign)]

    def query(self, steps: Sequence[str]) -> str:
        """Return the query of the same deck with these steps."""
        return urlencode([*self.pairs, ("steps", ".".join(steps))])

    @property
    def back(self) -> str:
        """The query without the last step."""
        return self.query(self.steps[:-1])

    @property
    def now(self) -> str:
        """The query with every step."""
        return self.query(self.steps)

    def _words(self, event: PileEvent) -> str:
        if event.findings:
            why = " ".join(translated(each)[0] for each in event.findings)
            return _("refused: %(why)s") % {"why": why}
        match event.step:
            case DrawTop():
                card = self.cards[event.pile.drawn[-1]].name
                return _("drawn: %(card)s") % {"card": card}
            case ShuffleBack():
                return _("drawn cards shuffled back in")
            case GatherIn():
                return _("discard pile shuffled in")
            case OnTop(number):
                return _("on top: %(card)s") % {"card": self.cards[number].name}
            case OnBottom(number):
                return _("on the bottom: %(card)s") % {"card": self.cards[number].name}
            case ShuffleIn(number):
                return _("shuffled in: %(card)s") % {"card": self.cards[number].name}
            case PutAway(number, where):
                title = {**PLACES, **self.holders}[where]
                return _("%(place)s: %(card)s") % {
                    "place": title,
                    "card": self.cards[number].name,
                }


def read_deck(asked: QueryDict) -> SmallDeck:
    """Return the deck of an address, after its steps and the one to ``do``."""
    kind = (
        PileKind(text_value(asked, "kind"))
        if text_value(asked, "kind") in list(PileKind)
        else PileKind.OTHER
    )
    cards = tuple(_cards(asked.getlist("card")))
    players = names(asked.getlist("player"), MOST_PLAYERS)
    if kind is PileKind.TEKELI_LI and not players:
        players = [_("Player %(number)d") % {"number": each} for each in (1, 2, 3, 4)]
    seed = text_value(asked, "seed")[:LONGEST_SEED].replace("\x00", "")
    texts = f"{text_value(asked, 'steps')}.{text_value(asked, 'do')}".split(".")
    pairs = [
        (text, steps)
        for text in texts
        if (steps := steps_of(text, len(cards), len(players)))
    ][:MOST_STEPS]
    every = [step for _text, steps in pairs for step in steps]
    events = taken(built(len(cards), seed), every, seed)
    taken_steps = tuple(text for text, _steps in pairs)
    campaign = digits(asked, "campaign")
    return SmallDeck(kind, cards, tuple(players), seed, taken_steps, events, campaign)


def _cards(texts: Sequence[str]) -> Iterator[PileCard]:
    for number, text in enumerate(texts[:MOST_CARDS]):
        sort, dot, rest = text.partition(".")
        known = dot and sort in ("l", "t", "c")
        called = name(rest if known else text)
        yield PileCard(number, called or "?", sort if known else "c")


def listed(asked: QueryDict) -> Pairs:
    """Return the cards entered in the form, one per line, as parts of an address."""
    pairs: Pairs = []
    for key, sort in (("locations", "l"), ("treacheries", "t"), ("names", "c")):
        lines = text_value(asked, key).splitlines()[:MOST_CARDS]
        cards = names([card for line in lines for card in _meant(line)], MOST_CARDS)
        pairs += [("card", f"{sort}.{card}") for card in cards]
    return pairs[:MOST_CARDS]


def _meant(line: str) -> list[str]:
    """Return the card of a line; of “2 of: A / B / C” two at random."""
    chosen = _SOME.fullmatch(line.strip())
    if chosen is None:
        return [line]
    cards = chosen[2].split(" / ")
    return SystemRandom().sample(cards, min(int(chosen[1]), len(cards)))


def tekeli_li(pool: CardPool) -> Pairs:
    """Return the sixteen cards of the Tekeli-li deck, with their printed numbers."""
    return [
        ("card", f"c.{TEKELI_LI} {printing.position}")
        for card in pool.titles.get(TEKELI_LI, ())
        for printing in card.printings[:1]
        for _copy in range(printing.quantity)
    ]
