"""A deck whose list, choices, pool and taboo list are resolved and counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter

from arkham.rules.card import Card
from arkham.rules.deck import Circumstances, DeckList, SheetMark
from arkham.rules.legality import tally
from arkham.rules.legality.admission import allocate, taken_from
from arkham.rules.legality.frame import Frame
from arkham.rules.legality.granting import Creation, grants_of
from arkham.rules.legality.lines import Excess, TitleGroup, cost_of, excesses
from arkham.rules.legality.settled import lazy
from arkham.rules.legality.sheets import boxes_of, marks_of
from arkham.rules.legality.signatures import SignatureMatch, match
from arkham.rules.legality.standing import Assignment, CardRole, Line, Share, Standing
from arkham.rules.legality.tally import Concern
from arkham.rules.legality.verdict import Assumption
from arkham.rules.modifiers import FIRST_OF
from arkham.rules.vocabulary import Mode

MOST_TIERS = 4  # more than this exceeds the experience limit anyway
TIER = 10  # experience for each additional weakness of a standalone deck
_SHARED = Concern.SHARED_TITLE.bits
_CROWDED = tally.wakes(Concern.SURPLUS, Concern.SHARED_TITLE)
_ORDINARY = CardRole.ORDINARY
_CODE = attrgetter("code")


class BuiltDeck:
    """A deck list in its frame: the subject of the rules."""

    def __init__(
        self,
        deck: DeckList,
        frame: Frame,
        circumstances: Circumstances,
        total: int,
        listed: Sequence[Line],
        assumptions: tuple[Assumption, ...] = (),
    ) -> None:
        self.deck = deck
        self.frame = frame
        self.circumstances = circumstances
        self.tally = total
        self._listed = listed  # in the order of the list
        self.assumptions = assumptions

    @lazy
    def unmet(self) -> int:
        """Bits for the requirements of every deck that this one doesn't meet."""
        bits = self.frame.unmet(self.tally)
        if self.tally & _CROWDED:
            for excess in self.excesses:
                bits |= excess.kind.wakes
        return bits

    @property
    def counted(self) -> int:
        """The number of cards that count toward deck size."""
        return tally.read(self.tally, tally.COUNTED)

    @lazy
    def lines(self) -> tuple[Line, ...]:
        """Every entry, sorted by code, so that the order of the list doesn't matter."""
        return tuple(sorted(self._listed, key=_CODE))

    def marks_of(self, code: str) -> tuple[SheetMark, ...]:
        """The marks on a card's upgrade sheet, whichever printing the list names."""
        return marks_of(self.deck, code, self.frame.pool)

    def standing_of(self, code: str) -> Standing:
        """A card's standing in this deck, with the boxes marked on its sheet."""
        if not self.deck.sheets:
            return self.frame.unmarked[code]
        return self.frame.standing(code, self.marks_of(code))

    def of_role(self, *roles: CardRole) -> Iterator[Line]:
        """The lines with one of these roles."""
        among = self.lines if _ORDINARY in roles else self._apart_from_options
        return (line for line in among if line.standing.role in roles)

    @lazy
    def ordinary(self) -> tuple[Line, ...]:
        """The lines that deckbuilding options must admit."""
        return tuple([line for line in self.lines if line.standing.role is _ORDINARY])

    @lazy
    def _apart_from_options(self) -> list[Line]:
        """The lines with other roles; there are few."""
        return sorted(
            [line for line in self._listed if line.standing.role is not _ORDINARY],
            key=_CODE,
        )

    @lazy
    def _by_concern(self) -> dict[Concern, list[Line]]:
        """Lines by concern; few lines have any."""
        concerned: dict[Concern, list[Line]] = {}
        lines = [line for line in self._listed if line.standing.concerns]
        for line in sorted(lines, key=_CODE):
            for concern in {*line.standing.concerns}:
                concerned.setdefault(concern, []).append(line)
        return concerned

    def concerned(self, concern: Concern) -> Sequence[Line]:
        """The lines of the cards that have this concern."""
        return self._by_concern.get(concern, ())

    def limited_to(self, options: int) -> list[Line]:
        """The lines of ordinary cards that only these limited options admit."""
        limited = [line for line in self._listed if line.standing.limited]
        return sorted(
            [
                line
                for line in limited
                if not line.standing.limited & ~options
                and line.standing.role is _ORDINARY
                and line.copies
            ],
            key=_CODE,
        )

    @lazy
    def crowded_titles(self) -> tuple[TitleGroup, ...]:
        """Titles that may exceed a limit, in order of their first code.

        The deck lists several cards of them, or more of one than its limit. Only
        ordinary cards count, and story cards if a deck may have only one of each.
        """
        limited: Iterable[Line] = self.ordinary
        if self.frame.one_of_each:
            stories = self.of_role(CardRole.STORY)
            assets = (line for line in stories if line.card.weakness is None)
            limited = sorted((*self.ordinary, *assets), key=_CODE)
        held: dict[str, list[Line]] = {}
        for line in limited:
            if line.copies:
                held.setdefault(line.standing.title, []).append(line)
        return tuple(
            TitleGroup(title, tuple(lines), sum(line.copies for line in lines))
            for title, lines in held.items()
            if len(lines) > 1 or lines[0].copies > lines[0].standing.limit
        )

    @lazy
    def excesses(self) -> tuple[Excess, ...]:
        """The titles with too many copies."""
        return tuple(excesses(self.crowded_titles, self.frame))

    @lazy
    def _signatures(self) -> list[Line]:
        return [*self.of_role(CardRole.SIGNATURE)]

    @lazy
    def signatures_held(self) -> dict[str, int]:
        """Copies of each of this investigator's signatures, by first printing."""
        return _by_card((line, line.copies) for line in self._signatures)

    @lazy
    def signatures_aside(self) -> dict[str, int]:
        """Copies of each signature that are set aside, added by an effect."""
        lines = self._signatures if self.deck.set_aside else ()
        return _by_card((line, line.set_aside) for line in lines if line.set_aside)

    @lazy
    def signature_match(self) -> SignatureMatch:
        """How the deck's signatures compare with those the requirements ask for."""
        frame = self.frame
        held = {
            code: copies
            for code, copies in self.signatures_held.items()
            if code in frame.signatures
        }
        exact = frame.exact_signatures.get(frozenset(held.items()))
        if exact is not None and not self.deck.set_aside:
            return SignatureMatch(held, {}, exact, blended=False)
        return match(
            held,
            self.signatures_aside,
            frame.signature_sets,
            mixing=frame.signatures_mix,
        )

    def listed_as(self, code: str) -> tuple[str, ...]:
        """The codes under which the deck lists a card; the card's own if it doesn't."""
        card, entries = self.frame.pool.get_card(code), self.deck.entries
        printings = card.printings if card else ()
        listed = [each.code for each in printings if each.code in entries]
        return tuple(sorted(listed)) or (code,)

    def name_of(self, code: str) -> str:
        """The name of a card, or the code itself if it is no card's."""
        card = self.frame.pool.get_card(code)
        return self.frame.pool.called(card) if card else code

    def copies_held(self, card: Card) -> int:
        """Copies of a card in the deck, over printings, including those set aside."""
        entries = self.deck.entries
        if len(card.printings) == 1:
            return entries.get(card.code, 0)
        return sum(entries.get(printing.code, 0) for printing in card.printings)

    @lazy
    def side_lines(self) -> tuple[Line, ...]:
        """The known cards of the second deck, if the back asks for one."""
        if self.frame.printed_back.side_deck is None or not self.deck.side_deck:
            return ()
        pool, unmarked = self.frame.pool, self.frame.unmarked
        return tuple(
            Line(code, copies, 0, unmarked[code], ())
            for code, copies in sorted(self.deck.side_deck.items())
            if code in pool
        )

    def each_deck(self, *roles: CardRole) -> Iterator[Iterator[Line]]:
        """Yield the lines with one of these roles: the deck's, the second deck's."""
        yield self.of_role(*roles)
        yield (line for line in self.side_lines if line.standing.role in roles)

    @lazy
    def experience(self) -> int:
        """The experience the cards cost, each price once where the rules say once.

        The cards of a second deck are paid for in the same way.
        """
        beside = 0
        if self.deck.side_deck:
            beside = sum(line.standing.cost * line.copies for line in self.side_lines)
        if not self.tally & _SHARED:
            return tally.read(self.tally, tally.EXPERIENCE) + beside
        return beside + cost_of(
            (line, line.standing.cost, line.standing.cost_once)
            for line in self.lines
            if line.copies
        )

    @lazy
    def weakness_lines(self) -> tuple[Line, ...]:
        """The lines that fill slots for random basic weaknesses.

        A card for which such a weakness was exchanged keeps filling its slot.
        """
        return tuple(
            line
            for line in self.of_role(CardRole.BASIC_WEAKNESS, CardRole.STORY)
            if line.role is CardRole.BASIC_WEAKNESS or line.card.code in FIRST_OF
        )

    @property
    def basic_weaknesses(self) -> int:
        """Filled slots for random basic weaknesses, including those still to draw."""
        return tally.read(self.tally, tally.BASIC_WEAKNESSES)

    @property
    def weaknesses_there(self) -> int:
        """Like ``basic_weaknesses``, plus those that an effect added to the deck."""
        aside = sum(line.set_aside for line in self.weakness_lines)
        return self.basic_weaknesses + aside

    @property
    def weaknesses_wanted(self) -> int:
        """Random basic weaknesses required, including those of the standalone tiers."""
        wanted = self.frame.basic_weaknesses
        if self.frame.mode is Mode.STANDALONE:
            bonus = self.frame.printed_back.bonus_experience
            tiers = max(self.standalone_total - bonus, 0) // TIER
            wanted += min(tiers, MOST_TIERS)
        return wanted

    @property
    def weaknesses_least(self) -> int:
        """Random basic weaknesses that must be there: those wanted, less those lost."""
        return max(self.weaknesses_wanted - self.frame.weaknesses_lost, 0)

    @lazy
    def standalone_total(self) -> int:
        """The experience total of a standalone deck, by the table's rulings."""
        rulings = self.frame.rulings
        by_level = rulings["standalone.total"] == "level"
        chained = rulings["standalone.chained-level-0"] == "in"
        boxes_each = rulings["standalone.customizable"] == "boxes-each"
        prices = []
        for line in (*self.ordinary, *self.side_lines):
            standing = line.standing
            boxes = boxes_of(standing.sheet, line.marks)
            price = standing.cost
            if by_level:
                price = boxes or standing.level or 0
            if not line.copies or not price:
                continue
            if standing.level == 0 and not boxes and not chained:
                continue
            once = standing.cost_once and not (boxes and boxes_each)
            prices.append((line, price, once))
        return cost_of(prices)

    @lazy
    def creation(self) -> Creation:
        """The experience granted at deck creation, and what the cards cost of it."""
        entries = self.deck.entries
        grants = tuple(grants_of(self.frame, self.circumstances, entries))
        return Creation(grants, self.start_cost)

    @property
    def experience_granted(self) -> int:
        """Experience that may be spent at deck creation."""
        return self.creation.granted

    @property
    def start_cost(self) -> int:
        """The cost of the cards of a first deck (level 0 cards only if chained)."""
        if self.frame.rulings["taboo.chained-level-0-at-creation"] == "paid":
            return self.experience
        return self.experience - self.chained_cost

    @property
    def chained_cost(self) -> int:
        """The part of the experience that pays for chained level 0 cards."""
        return sum(
            line.standing.cost * line.copies
            for line in (*self.ordinary, *self.side_lines)
            if line.standing.level == 0 and not line.marks
        )

    def class_counts(self) -> dict[str, int]:
        """Cards by class; a multi-class card counts for each of its classes."""
        return {
            card_class: tally.read(self.tally, shift)
            for card_class, shift in self.frame.standings.class_fields.items()
        }

    @lazy
    def demands(self) -> dict[int, int]:
        """Cards by the set of limited options they may use."""
        return {
            mask: count
            for mask, shift in self.frame.standings.groups.items()
            if (count := tally.read(self.tally, shift))
        }

    def assignment(self) -> Mapping[str, tuple[Share, ...]]:
        """The option that admits each copy, or the reason why it needs none."""
        if not self.frame.standings.alone or self.unmet & tally.NO_ROOM:
            return self._allocated()
        return Assignment(self._listed)

    def _allocated(self) -> dict[str, tuple[Share, ...]]:
        placed = allocate(self.demands, self.frame.limits)
        shares: dict[str, tuple[Share, ...]] = {}
        for line in self.lines:
            limited = line.standing.limited
            if limited and line.copies and line.standing.role is _ORDINARY:
                found = [
                    Share(self.frame.limited_option(index).id, copies)
                    for index, copies in taken_from(placed[limited], line.copies)
                ]
                left = line.copies - sum(share.copies for share in found)
                if left:
                    found.append(Share("none", left))
                if line.set_aside:
                    found.append(Share("set-aside", line.set_aside))
                shares[line.code] = tuple(found)
            else:
                shares[line.code] = line.shares
        return shares


def _by_card(counted: Iterable[tuple[Line, int]]) -> dict[str, int]:
    """Sum copies by a card's first printing."""
    found: dict[str, int] = {}
    for line, copies in counted:
        found[line.card.code] = found.get(line.card.code, 0) + copies
    return found
