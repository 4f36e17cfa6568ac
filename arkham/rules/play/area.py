"""The cards in front of a player, and what they require."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType

from arkham.rules.campaign.state.lookup import GameOutcome
from arkham.rules.card import Card
from arkham.rules.finding import (
    Citation,
    Finding,
    Listing,
    Rule,
    Severity,
    faq,
    ngettext_noop,
    printed,
    rule,
    rules_reference,
)
from arkham.rules.finding import gettext_noop as _
from arkham.rules.investigator import slot_words
from arkham.rules.play.round import ACTIONS, HAND_LIMIT
from arkham.rules.play.slots import HeldAsset, arranged, ways_out

USES = Path(__file__).resolve().parent.parent / "data" / "uses.json"


@dataclass(frozen=True, slots=True)
class HandRow:
    """A change to the hand limit or actions by a card in play or the investigator.

    ``filled``: in the upkeep phase the hand is discarded and this many cards are drawn,
    instead of one; 0 if not.
    """

    code: str
    name: str
    cites: tuple[Citation, ...]
    change: int
    filled: int = 0


def _hand(code: str, name: str, change: int, filled: int = 0) -> HandRow:
    return HandRow(code, name, (printed(name, code),), change, filled)


# fmt: off
HAND_ROWS: tuple[HandRow, ...] = (
    #      code     name                     to the hand limit
    _hand("02020", "Laboratory Assistant",   +2),
    _hand("06005", "Patrice Hathaway",       -3, filled=5),
    _hand("10661", "Shattered Self",         -3),
    _hand("60202", "Vault of Knowledge",     +2),
    _hand("60205", "Arcane Enlightenment",   +1),
    _hand("71023", "Dr. Mya Badry",          +2),
)
# fmt: on
HAND_OF: Mapping[str, HandRow] = {row.code: row for row in HAND_ROWS}
# Additional actions in each turn, for any use, while the card is in play.
ACTION_ROWS = (_hand("01048", "Leo De Luca", +1), _hand("01054", "Leo De Luca", +1))
ACTIONS_OF = {row.code: row.change for row in ACTION_ROWS}


@dataclass(frozen=True, slots=True)
class InPlay:
    """A card in front of a player, with its tokens.

    ``used`` is the player's own mark for this round; ``slotless`` means that some
    effect lets it take no slot.
    """

    card: Card
    uses: int = 0
    damage: int = 0
    horror: int = 0
    exhausted: bool = False
    used: bool = False
    slotless: bool = False

    @property
    def most_damage(self) -> int | None:
        """Its printed health; None if it has none, or a symbol instead of a number."""
        return _number(self.card.health)

    @property
    def most_horror(self) -> int | None:
        """Its printed sanity; None if it has none, or a symbol instead of a number."""
        return _number(self.card.sanity)


def _number(printed_value: int | None) -> int | None:
    return printed_value if printed_value is None or printed_value >= 0 else None


@dataclass(frozen=True, slots=True)
class PlayArea:
    """A player's own part of the table; cards are in the order they came into play.

    ``hand`` is the number of cards in hand, ``actions`` those left this turn.
    ``more_slots`` (by kind) and ``more_hand`` are entered by the table for cards
    without a row; ``health`` and ``sanity`` override the printed values. ``resigned``
    is true if the investigator resigned.
    """

    investigator: Card | None = None
    damage: int = 0
    horror: int = 0
    resources: int = 5
    clues: int = 0
    hand: int = 5
    actions: int = ACTIONS
    cards: tuple[InPlay, ...] = ()
    more_slots: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    more_hand: int = 0
    health: int | None = None
    sanity: int | None = None
    resigned: bool = False

    @property
    def outcome(self) -> GameOutcome:
        """How the game ends for the investigator, by what is marked (ELIM-14)."""
        if self.resigned:
            return GameOutcome.RESIGNED
        hurt = self.most_damage is not None and self.damage >= self.most_damage
        mad = self.most_horror is not None and self.horror >= self.most_horror
        if hurt and mad:
            return GameOutcome.BOTH
        if hurt:
            return GameOutcome.DAMAGE
        return GameOutcome.HORROR if mad else GameOutcome.SURVIVED

    @property
    def held(self) -> tuple[HeldAsset, ...]:
        """The cards, as the slots need them."""
        return tuple(HeldAsset(each.card, each.slotless) for each in self.cards)

    @property
    def most_damage(self) -> int | None:
        """The health; None for an unknown investigator."""
        printed_health = self.investigator.health if self.investigator else None
        return self.health if self.health is not None else printed_health

    @property
    def most_horror(self) -> int | None:
        """The sanity; None for an unknown investigator."""
        printed_sanity = self.investigator.sanity if self.investigator else None
        return self.sanity if self.sanity is not None else printed_sanity

    @property
    def hand_limit(self) -> int:
        """How many cards may be kept in hand in the upkeep phase (RND-09)."""
        cards = [each.card for each in self.cards]
        present = [*cards, *([self.investigator] if self.investigator else [])]
        change = sum(
            HAND_OF[each.code].change for each in present if each.code in HAND_OF
        )
        return max(HAND_LIMIT + change + self.more_hand, 0)


@cache
def _uses() -> Mapping[str, int]:
    found: dict[str, list[str]] = json.loads(USES.read_text(encoding="utf-8"))
    return {code: int(number) for number, codes in found.items() for code in codes}


def put_into_play(area: PlayArea, card: Card) -> PlayArea:
    """Put a card into play, ready, with the tokens its uses name (SLOT-04)."""
    return replace(area, cards=(*area.cards, InPlay(card, _uses().get(card.code, 0))))


def next_round(area: PlayArea) -> PlayArea:
    """Apply an upkeep phase: actions, ready cards, a card, a resource (RND-08).

    The player's marks for the round are cleared, too. Nothing changes for an eliminated
    investigator (ELIM-01).
    """
    if area.outcome is not GameOutcome.SURVIVED:
        return area
    ready = tuple(replace(each, exhausted=False, used=False) for each in area.cards)
    return replace(
        area,
        actions=ACTIONS + sum(ACTIONS_OF.get(each.card.code, 0) for each in ready),
        cards=ready,
        hand=_hand_after_upkeep(area),
        resources=area.resources + 1,
    )


def _hand_after_upkeep(area: PlayArea) -> int:
    code = area.investigator.code if area.investigator else ""
    filled = HAND_OF[code].filled if code in HAND_OF else 0
    return filled or area.hand + 1


@rule(
    "play.slots",
    rows=("SLOT-01", "SLOT-02", "SLOT-03", "ERR-06", "CYC-CU2"),
    cites=(faq("Rulebook Errata 1.3"), faq("1.24"), rules_reference("Slots")),
)
def slots(area: PlayArea) -> Iterator[Finding]:
    """An investigator with more assets than slots immediately discards others."""
    arrangement = arranged(area.investigator, area.held, area.more_slots)
    if arrangement.fits:
        return
    short = sorted({want.kind for want in arrangement.unmet})
    ways = ways_out(area.investigator, area.held, area.more_slots)
    remedy = (
        _("Discard {ways}.")
        if ways
        else _("Discarding assets doesn’t make room for it.")
    )
    yield Finding(
        _("Too few slots: {slots}."),
        cards=tuple(
            dict.fromkeys(area.cards[at].card.code for way in ways for at in way)
        ),
        actual=len(arrangement.unmet),
        expected=0,
        remedy_text=remedy,
        values=(
            ("slots", Listing(tuple(map(slot_words, short)))),
            ("ways", "; ".join(_named(area, way) for way in ways)),
        ),
    )


def _named(area: PlayArea, way: tuple[int, ...]) -> str:
    return " + ".join(area.cards[at].card.name for at in way)


@rule("play.defeated", rows=("ELIM-01", "TRA-01"), cites=(rules_reference("Defeat"),))
def defeated(area: PlayArea) -> Iterator[Finding]:
    """An investigator with damage equal to health, or horror to sanity, is defeated."""
    for name, marked, most in (
        (_("Damage"), area.damage, area.most_damage),
        (_("Horror"), area.horror, area.most_horror),
    ):
        if most is not None and marked >= most:
            yield Finding(
                _("{name} {marked} of {most}: the investigator is defeated."),
                actual=marked,
                expected=most,
                remedy_text=_("Go through the steps of the elimination."),
                values=(("name", name), ("marked", marked), ("most", most)),
            )


@rule(
    "play.card-defeated",
    rows=("ENE-08", "ENE-09"),
    cites=(rules_reference("Defeat"), rules_reference("Dealing Damage/Horror")),
)
def card_defeated(area: PlayArea) -> Iterator[Finding]:
    """A card with damage equal to health, or horror to sanity, is discarded."""
    for each in area.cards:
        full = each.most_damage is not None and each.damage >= each.most_damage
        mad = each.most_horror is not None and each.horror >= each.most_horror
        if (full and each.damage) or (mad and each.horror):
            yield Finding(
                _("{name} is defeated."),
                cards=(each.card.code,),
                remedy_text=_("Discard it."),
                values=(("name", each.card.name),),
            )


@rule("play.uses", rows=("SLOT-04",), cites=(rules_reference("Uses (X Type)"),))
def empty(area: PlayArea) -> Iterator[Finding]:
    """A card with no uses left stays in play, unless it says to discard it."""
    for each in area.cards:
        if each.card.uses and not each.uses and _uses().get(each.card.code):
            yield Finding(
                _("{name} has no {uses} left."),
                severity=Severity.ADVICE,
                cards=(each.card.code,),
                remedy_text=_("It stays in play, unless the card says to discard it."),
                values=(("name", each.card.name), ("uses", each.card.uses)),
            )


@rule("play.hand-limit", rows=("RND-09",), cites=(rules_reference("Appendix II"),))
def hand_limit(area: PlayArea) -> Iterator[Finding]:
    """In the upkeep phase, investigators with too many cards in hand discard down
    to the limit."""
    over = area.hand - area.hand_limit
    if over > 0:
        yield Finding(
            ngettext_noop(
                "{hand} card in hand; you may keep {limit} in the upkeep phase.",
                "{hand} cards in hand; you may keep {limit} in the upkeep phase.",
                "hand",
            ),
            severity=Severity.ADVICE,
            actual=area.hand,
            expected=area.hand_limit,
            remedy_text=_("Discard {over} then."),
            values=(("hand", area.hand), ("limit", area.hand_limit), ("over", over)),
        )


PLAY_RULES: tuple[Rule[PlayArea], ...] = (
    defeated, slots, card_defeated, hand_limit, empty,
)  # fmt: skip


def check_area(area: PlayArea) -> tuple[Finding, ...]:
    """The requirements of the play area, the most important first."""
    return tuple(finding for rule in PLAY_RULES for finding in rule(area))
