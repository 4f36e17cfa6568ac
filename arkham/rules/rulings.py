# ruff: noqa: E501 (tables align)
"""Open questions of the printed rules, and the answers a table may choose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Ruling:
    """An open question with its readings; the first reading is the default.

    ``rows`` are the rows of the rule book that call it a gap, an inference, disputed or
    a setting. Rulings ``of_chance`` decide how something is drawn; they don't affect
    how a deck list is judged.
    """

    id: str
    question: str
    readings: tuple[tuple[str, str], ...]  # pairs of value and meaning
    rows: tuple[str, ...]
    of_chance: bool = False

    @property
    def default(self) -> str:
        """The reading that is used unless a table chooses another."""
        return self.readings[0][0]


# fmt: off
RULINGS: dict[str, Ruling] = {
    each.id: each
    for each in (
        Ruling(
            "options.full-limited-option",
            "A limited deckbuilding option (“up to 5 …”) without the word “other” is full. Can an option from a card, such as Versatile, allow more of these cards?",
            (("capacity", "Yes: each card counts for one option that allows it."),
             ("letter", "No: every card that fits the limited option counts toward its limit.")),
            ("OPT-25", "OPT-20"),
        ),
        Ruling(
            "options.restriction-outranks",
            "One line of the deckbuilding options forbids a card, another allows it. Which one wins?",
            (("veto", "The one that forbids it."),
             ("specific", "The one that allows it, if it does so by trait or text and "
                          "not by class.")),
            ("OPT-24",),
        ),
        Ruling(
            "options.circumstantial-text",
            "Does a card that only reacts to healing fall under “cards that heal”?",
            (("words", "Yes: the listed words in its text are enough."),
             ("ability", "No: an ability of the card itself must heal.")),
            ("OPT-02",),
        ),
        Ruling(
            "copies.limited-beside-normal",
            "One version of a card is limited to 1 copy (exceptional), another isn’t. How "
            "many copies of the title may a deck have in all?",
            (("one", "1: all versions are copies of each other."),
             ("each", "2: the limit is only for the version that has it.")),
            ("GAP-20", "KW-04"),
        ),
        Ruling(
            "signatures.mixed-versions",
            "May original and advanced signatures be mixed?",
            (("pairs", "No: the advanced signatures come together or not at all."),
             ("free", "Yes: you may choose either version of each signature.")),
            ("GAP-01",),
        ),
        Ruling(
            "signatures.replacements",
            "May you include replacement signatures along with the ones on the back?",
            (("instead-or-both", "One set, the other, or both."),
             ("instead", "One set or the other, never both.")),
            ("GAP-01", "KW-24"),
        ),
        Ruling(
            "signatures.part-replaced",
            "May you replace only some of an investigator’s signatures?",
            (("whole", "No: the replacements come as a set, all of them or none."),
             ("each", "Yes: each replacement may take the place of its own card.")),
            ("GAP-01", "KW-24"),
        ),
        Ruling(
            "signatures.by-size",
            "Which deck size decides how many copies of a signature are required?",
            (("chosen", "The size chosen at deck creation."),
             ("actual", "The final size; between two printed sizes, the smaller one.")),
            ("DECK-12", "DECK-17"),
        ),
        Ruling(
            "investigators.mixed-sides",
            "May the front of one version of an investigator be played with the back of another?",
            (("allowed", "Yes, between the original and the parallel version."),
             ("refused", "No: front and back belong together.")),
            ("GAP-02",),
        ),
        Ruling(
            "taboo.chained-level-0-at-creation",
            "Does a level 0 card that the taboo list makes more expensive cost that experience at deck creation?",
            (("paid", "Yes: it can’t be in a deck built with no experience."),
             ("free", "No: level 0 cards are free while a deck is first built.")),
            ("TABOO-07",),
        ),
        Ruling(
            "prices.discounted-minimum",
            "Can the taboo list make a card of level 1 or higher free?",
            (("one", "No: a card costs at least 1 experience."),
             ("zero", "Yes: its price can drop to 0.")),
            ("XP-46", "TABOO-08"),
        ),
        Ruling(
            "prices.raised-minimum",
            "A level 0 card costs 1 experience to buy. If a card or the taboo list makes it more expensive, is that added to this 1?",
            (("last", "No: it costs only what was added, and at least 1."),
             ("first", "Yes: 1, and what was added.")),
            ("XP-46",),
        ),
        Ruling(
            "prices.exceptional-taboo",
            "Is the taboo change of an exceptional card doubled with its level?",
            (("after", "No: the printed cost is doubled, then the change is added."),
             ("doubled", "Yes: the changed cost is doubled.")),
            ("TABOO-06",),
        ),
        Ruling(
            "prices.reduced-purchase",
            "How far can a reduction lower the price of a new card?",
            (("one", "To 1 experience: the least a new card costs."),
             ("zero", "To 0: the reduction comes after the minimum.")),
            ("XP-46",),
        ),
        Ruling(
            "prices.reduced-upgrade",
            "How far can a reduction lower the price of an upgrade?",
            (("zero", "To 0: the minimum is only for new cards."),
             ("one", "To 1 experience.")),
            ("XP-46", "XP-09"),
        ),
        Ruling(
            "prices.filler-after-permanent",
            "You upgraded a card into a permanent. What does the card that fills its place cost?",
            (("paid", "The usual price: no card was forced out of the deck."),
             ("free", "Nothing, if it’s level 0.")),
            ("XP-47",),
        ),
        Ruling(
            "prices.chained-refill",
            "A level 0 card that the taboo list makes more expensive joins the deck as a free replacement or swap. Do you pay for it?",
            (("free", "No: these cards are free."),
             ("surcharge", "Yes: what the taboo list adds.")),
            ("TABOO-15",),
        ),
        Ruling(
            "prices.regained-copy",
            "You buy another copy of a customizable card whose sheet has marked "
            "boxes: what does it cost?",
            (("boxes", "1 experience for each marked box."),
             ("level", "The level its marked boxes give it.")),
            ("CUST-15", "CUST-23"),
        ),
        Ruling(
            "prices.myriad-upgrade",
            "Does an upgrade into a myriad card bring more copies for free?",
            (("no", "No: only a purchase does."),
             ("yes", "Yes: an upgrade is a way of buying.")),
            ("KW-26",),
        ),
        Ruling(
            "prices.arcane-research-now",
            "Does Arcane Research reduce an upgrade between the same two games in "
            "which you buy it?",
            (("yes", "Yes: what you buy takes effect immediately."),
             ("no", "No: it begins after the next scenario.")),
            ("XP-12",),
        ),
        Ruling(
            "taboo.unnamed",
            "Which taboo list does a deck follow if it names none?",
            (("none", "None: using the list is optional."),
             ("latest", "The newest.")),
            ("TABOO-01", "TABOO-03"),
        ),
        Ruling(
            "experience.newcomer-bonus",
            "Does an investigator who joins during a campaign get the experience given at its beginning?",
            (("none", "No: a newcomer begins with no experience."),
             ("granted", "Yes: a newcomer begins as if it were the first scenario.")),
            ("XP-49", "XP-27"),
        ),
        Ruling(
            "standalone.total",
            "How is the experience total of a standalone deck counted?",
            (("price", "By what each card costs: exceptional doubled, taboo changes added."),
             ("level", "By the printed levels alone.")),
            ("STAND-05", "GAP-17"),
        ),
        Ruling(
            "standalone.chained-level-0",
            "Does a level 0 card that the taboo list makes more expensive count toward the standalone total?",
            (("in", "Yes: with what the taboo list adds."),
             ("out", "No: only cards above level 0 count.")),
            ("STAND-05",),
        ),
        Ruling(
            "standalone.customizable",
            "How do customizable cards count toward the total of a standalone deck?",
            (("boxes-once", "By their marked boxes, once for all copies."),
             ("boxes-each", "By their marked boxes, for every copy.")),
            ("CUST-22",),
        ),
        Ruling(
            "standalone.disciplines",
            "How many Disciplines may Lily Chen have in a standalone game?",
            (("one", "One: no experience has been earned."),
             ("by-total", "One more for every 15 experience of the standalone total.")),
            ("STAND-01", "XP-24"),
        ),
        Ruling(
            "standalone.ceiling",
            "Does bonus experience count toward the limit of 49?",
            (("full", "Yes: the limit is for the whole total."),
             ("without-bonus", "No: bonus experience isn’t counted.")),
            ("STAND-17",),
        ),
        Ruling(
            "standalone.researched",
            "May a researched card be in a standalone deck?",
            (("allowed", "Yes: we assume the task is done."),
             ("refused", "No: there is no log in which the task could be recorded.")),
            ("KW-17", "STAND-07"),
        ),
        Ruling(
            "modes.campaign-only",
            "What does “Campaign Mode only” mean for a standalone deck?",
            (("barred", "The card can’t be in it."),
             ("advice", "The card may be in it; we only point it out.")),
            ("DECK-21",),
        ),
        Ruling(
            "weaknesses.marked-modes",
            "Can a random basic weakness be one for campaigns only in a standalone game, or one for multiplayer only in a solo game?",
            (("out", "No: they aren’t drawn there."),
             ("in", "Yes: those words only limit deckbuilding.")),
            ("WEAK-24",),
        ),
        Ruling(
            "weaknesses.campaign-surplus",
            "A campaign deck has more random basic weaknesses than required. What do we assume?",
            (("gained", "They were gained in play."),
             ("refused", "A deck has exactly the number required.")),
            ("WEAK-09", "WEAK-19"),
        ),
        Ruling(
            "environment.parallel",
            "Are parallel investigators and their cards allowed in an environment?",
            (("allowed", "Yes."), ("refused", "No.")),
            ("ENV-08",),
        ),
        Ruling(
            "environment.promo",
            "Are promotional investigators and their cards allowed in an environment?",
            (("allowed", "Yes."), ("refused", "No.")),
            ("ENV-08",),
        ),
        Ruling(
            "environment.story",
            "Are earned story cards allowed in an environment?",
            (("allowed", "Yes."), ("refused", "No.")),
            ("ENV-08",),
        ),
        Ruling(
            "environment.chapter-2",
            "Do the products of 2026 count in the Current environment?",
            (("out", "No: the FAQ names the older core sets and starter decks only."),
             ("in", "Yes: the core set and investigator decks of 2026 count as well.")),
            ("ENV-02",),
        ),
        Ruling(
            "environment.side-products",
            "Are player cards from side scenarios in the Current environment?",
            (("out", "No: they are not listed."), ("in", "Yes.")),
            ("ENV-09",),
        ),
        Ruling(
            "environment.reprints",
            "Is a card allowed if the environment only has a reprint of it?",
            (("any", "Yes: any printing will do."),
             ("first", "No: the first printing must be in the environment.")),
            ("ENV-11",),
        ),
        Ruling(
            "environment.investigators",
            "May investigators and their signatures come from outside a limited environment?",
            (("inside", "No."), ("anywhere", "Yes: from every expansion in the collection.")),
            ("ENV-06",),
        ),
        Ruling(
            "environment.weaknesses",
            "Is the weakness pool of a limited environment restricted as well?",
            (("yes", "Yes."), ("no", "No.")),
            ("ENV-07",),
        ),
        Ruling(
            "ultimatums.scream-later",
            "Can an ally lost to the Ultimatum of The Scream return to a deck later?",
            (("never", "No: it is out of every deck for the campaign."),
             ("others", "Yes, for players other than the one who lost it.")),
            ("ULT-14",),
        ),
        Ruling(
            "customizable.unlisted-choice",
            "A marked box of a customizable card asks for a choice, and none is recorded. Is "
            "the deck ready to play?",
            (("assumed", "Yes: you make the choice when it matters."),
             ("incomplete", "No: the deck is unfinished until you record the choice.")),
            ("CUST-17",),
        ),
        Ruling(
            "weaknesses.two-editions",
            "You own two editions of one set. How many copies of a weakness that is in both can be drawn?",
            (("both", "Those of both editions together."),
             ("merged", "Only those of the edition that has more.")),
            ("WEAK-03",),
            of_chance=True,
        ),
        Ruling(
            "hands.sought-card",
            "You take a card into your opening hand before drawing it: how many cards "
            "do you draw?",
            (("beside", "The full number: the card is extra."),
             ("within", "One fewer: the hand stays the same size.")),
            ("SETUP-16",),
            of_chance=True,
        ),
    )
}
# fmt: on

DEFAULT_RULINGS: dict[str, str] = {each.id: each.default for each in RULINGS.values()}


class Rulings(dict[str, str]):
    """The reading in force for every open question, by id; immutable once created."""

    __slots__ = ("_hash",)

    def __init__(self, readings: Mapping[str, str]) -> None:
        super().__init__(readings)
        self._hash = hash(frozenset(self.items()))

    def __hash__(self) -> int:  # type: ignore[override]  # dict has no hash
        return self._hash


@lru_cache(maxsize=256)
def rulings_in_force(chosen: tuple[tuple[str, str], ...]) -> Rulings:
    """The readings a table has chosen, plus the defaults of all other rulings."""
    return Rulings(DEFAULT_RULINGS | dict(chosen))
