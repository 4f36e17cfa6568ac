"""Builds a random deck.

Under the Ultimatum of Chaos every card except signatures and weaknesses is drawn at
random from all cards the investigator may include and the collection has. Cards are
drawn one by one; a card that no longer fits in the deck is left out, as at the table.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from arkham.rules.card import Card
from arkham.rules.deck import ANY_TABLE, Circumstances, DeckList
from arkham.rules.draws.record import DrawRecord, Purpose, Urn, draw, pool_of
from arkham.rules.finding import Finding, Severity
from arkham.rules.legality import Judge, Verdict, check
from arkham.rules.legality.frame import Frame
from arkham.rules.legality.standing import CardRole, Standing
from arkham.rules.legality.tally import Concern
from arkham.rules.vocabulary import Mode

MOST_ROUNDS = 10  # attempts to add what is still missing
# Demands for cards of a kind: places must be left for them.
_DEMANDS = frozenset(
    {"required.at-least", "required.at-least-type", "required.hunch-deck"}
)
_BARS = frozenset(
    {
        Concern.FOREIGN, Concern.FORBIDDEN, Concern.BARRED, Concern.NOT_ADMITTED,
        Concern.OUT_OF_POOL,
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RandomDeck:
    """A randomly built deck, the draws that built it, and the verdict on it.

    A draw lists every card that was drawn, including those left out; ``taken`` are the
    codes of the cards that were added, in the order drawn.
    """

    deck: DeckList
    draws: tuple[DrawRecord, ...]
    taken: tuple[str, ...]
    verdict: Verdict


def random_deck(
    judge: Judge,
    deck: DeckList,
    seed: str,
    circumstances: Circumstances = ANY_TABLE,
) -> RandomDeck:
    """A first deck chosen at random from all that is eligible and owned.

    ``deck`` names the investigator, the sides and the choices made; open choices are
    drawn. The same seed, pool and circumstances give the same deck. Raises ValueError
    if the investigator can't build decks. Source: FAQ 2.5, Ultimatum of Chaos.
    """
    if circumstances.mode is Mode.CAMPAIGN:
        circumstances = replace(circumstances, mode=Mode.START)
    builder = _Builder(judge, circumstances, seed)
    deck = builder.choices_drawn(deck._replace(entries={}, side_deck={}))
    deck = builder.required(deck)
    deck = builder.filled(deck)
    deck = builder.second_filled(deck)
    deck = builder.set_apart(builder.required(deck))
    verdict = check(judge, deck, circumstances)
    return RandomDeck(deck, tuple(builder.draws), tuple(builder.taken), verdict)


class _Builder:
    """Builds a random deck: the judge, the circumstances, and what was drawn so far."""

    def __init__(self, judge: Judge, circumstances: Circumstances, seed: str) -> None:
        self.judge = judge
        self.circumstances = circumstances
        self.seed = seed
        self.draws: list[DrawRecord] = []
        self.taken: list[str] = []

    def verdict(self, deck: DeckList) -> Verdict:
        return check(self.judge, deck, self.circumstances)

    def frame(self, deck: DeckList) -> Frame:
        return next(self.judge.builds(deck, self.circumstances)).frame

    def choices_drawn(self, deck: DeckList) -> DeckList:
        """Draw one of the readings that the open choices allow, all equally likely."""
        readings = {
            ",".join(f"{key}={value}" for key, value in built.frame.choices.items()): (
                built.frame.choices
            )
            for built in self.judge.builds(deck, self.circumstances)
        }
        if not readings:
            raise ValueError(f"{deck.investigator} builds no decks")
        if len(readings) == 1:
            return deck._replace(choices=next(iter(readings.values())))
        found = draw(
            Purpose.READING, f"{self.seed}/choices", dict.fromkeys(readings, 1)
        )
        self.draws.append(found)
        return deck._replace(choices=readings[found.result[0]])

    def required(self, deck: DeckList) -> DeckList:
        """Add the cards that the deck's findings name as missing."""
        for _round in range(MOST_ROUNDS):
            named = [
                (finding.rule, code, copies)
                for finding in self.verdict(deck).findings
                for code, copies in _named(finding)
            ]
            if not named:
                break
            for rule, code, copies in named:
                deck = _with(deck, code, copies, second=rule.startswith("side-deck."))
        return deck

    def filled(self, deck: DeckList) -> DeckList:
        """Add random cards until the deck has its size."""
        urn = Urn(f"{self.seed}/deck", pool_of(self.candidates(self.frame(deck))))
        verdict = self.verdict(deck)
        for code in urn:
            longer = _with(deck, code)
            judged = self.verdict(longer)
            if _is_open(judged):
                deck, verdict = longer, judged
                self.taken.append(code)
            if verdict.deck_size >= verdict.deck_size_required:
                break
        self.draws.append(urn.recorded(Purpose.DECK))
        return deck

    def candidates(self, frame: Frame) -> dict[str, int]:
        """Every level 0 card the investigator may choose, with the copies available."""
        found = {}
        for code in frame.pool:
            standing = frame.standing(code)
            if is_eligible(standing) and standing.level == 0:
                found[code] = min(standing.limit, self.owned(code))
        return found

    def owned(self, code: str) -> int:
        """The copies of a card that can be drawn."""
        return copies_there(self.judge.pool[code], self.circumstances)

    def second_filled(self, deck: DeckList) -> DeckList:
        """Fill the printed second deck at random, too, if there is one."""
        frame = self.frame(deck)
        asked = frame.printed_back.side_deck
        if asked is None:
            return deck
        cards = {
            code: min(1, self.owned(code) - deck.entries.get(code, 0))
            for code in frame.pool
            if is_ordinary(frame.standing(code))
            and frame.pool[code].level == 0
            and any(
                set(option.traits) & set(frame.pool[code].traits)
                for option in asked.options
            )
        }
        urn = Urn(f"{self.seed}/side-deck", pool_of(cards))
        for code in urn:
            if not _short_of(self.verdict(deck), "side-deck."):
                break
            longer = _with(deck, code, second=True)
            if broken(self.verdict(longer)) <= broken(self.verdict(deck)):
                deck = longer
                self.taken.append(code)
        self.draws.append(urn.recorded(Purpose.DECK))
        return deck

    def set_apart(self, deck: DeckList) -> DeckList:
        """Set cards aside as the back asks: the first ones that fit."""
        for row in self.frame(deck).side_rows:
            if row.hunch is None:
                continue
            apart = {row.includes: 1} if row.includes else {}
            deck = deck._replace(attachments={**deck.attachments, row.code: apart})
            copies = [each for each, n in deck.entries.items() for _copy in range(n)]
            for code in copies:
                if apart.get(code, 0) >= deck.entries[code]:
                    continue
                if not _short_of(self.verdict(deck), "attached.count"):
                    break
                more = {**apart, code: apart.get(code, 0) + 1}
                longer = deck._replace(attachments={**deck.attachments, row.code: more})
                if broken(self.verdict(longer)) <= broken(self.verdict(deck)):
                    deck, apart = longer, more
        return deck


def copies_there(card: Card, circumstances: Circumstances) -> int:
    """Copies of a card in the collection; if unknown, those in one of each product."""
    owned = circumstances.owned
    if owned is None:
        return sum(printing.quantity for printing in card.printings)
    return sum(owned.get(printing.code, 0) for printing in card.printings)


def is_ordinary(standing: Standing) -> bool:
    """True if deckbuilding options apply to the card at all."""
    return standing.role is CardRole.ORDINARY and standing.card is not None


def is_eligible(standing: Standing) -> bool:
    """True if decks of the standing's frame may include the card."""
    return is_ordinary(standing) and _BARS.isdisjoint(standing.concerns)


def _with(
    deck: DeckList, code: str, copies: int = 1, *, second: bool = False
) -> DeckList:
    entries = deck.side_deck if second else deck.entries
    more = {**entries, code: entries.get(code, 0) + copies}
    return deck._replace(side_deck=more) if second else deck._replace(entries=more)


def _named(finding: Finding) -> Iterable[tuple[str, int]]:
    """The cards that a finding wants added, by code."""
    remedy = finding.remedy
    if remedy is None or remedy.action != "add":
        return ()
    if len(remedy.codes) == 1:
        return ((remedy.codes[0], remedy.copies),)
    return ((code, 1) for code in remedy.codes[: remedy.copies])


def broken(verdict: Verdict) -> int:
    """The number of findings that make a deck illegal."""
    return sum(each.severity is Severity.ILLEGAL for each in verdict.findings)


def _short_of(verdict: Verdict, rule: str) -> bool:
    return any(
        each.rule.startswith(rule) and each.severity is Severity.INCOMPLETE
        for each in verdict.findings
    )


def _is_open(verdict: Verdict) -> bool:
    """True if a deck is legal so far and has enough places left for its demands."""
    needed = 0
    for finding in verdict.findings:
        if finding.severity is Severity.ILLEGAL:
            return False
        if finding.rule in _DEMANDS and finding.remedy is not None:
            needed += finding.remedy.copies
    return needed <= verdict.deck_size_required - verdict.deck_size
