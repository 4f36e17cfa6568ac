"""State in the log what cards bought for linked decks do to investigators' trauma.

The log knows no decks: the effect of a purchase is stated in it once the card is bought
and its player has chosen the kind of trauma. If the purchase is undone or changed, its
statement is retracted. Investigators killed by a card they own are reported with the
answer that decks are up to date.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import chain
from operator import add
from typing import NamedTuple

from django.utils.translation import gettext as _

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.judging.roster import arrival_of
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.app_names import TRAUMA_BY_CARD
from arkham.rules.campaign.state.answers import Answer, Retracted, Stated, not_retracted
from arkham.rules.deck import TraumaChoice
from arkham.rules.legality.trauma import (
    DEADLY_CARDS,
    NO_PURCHASE,
    PHYSICAL,
    TRAUMA_CARDS,
    gives_trauma,
    shared_out,
)
from arkham.rules.upgrade.window import read_window
from arkham.rules.vocabulary import is_digits
from arkham.web.language import signed
from campaigns.log.entries import folded
from campaigns.log.replays import Folded
from campaigns.models import Campaign, Seat
from campaigns.settling.cards import (
    UPGRADE,
    defeats,
    reported_for,
    upgrade_of,
    was_defeated,
    with_decks,
)
from cardpool.catalog import current_pool
from decks.models import Revision
from decks.services.ledger import is_first
from decks.services.windows import base_of, upgrade_from

AT_CREATION = 0  # used instead of the revision a window began with


class CardTrauma(NamedTuple):
    """The effect of a card in an investigator's deck on them.

    ``base`` is the revision whose window it was bought in, ``revision`` the one it was
    bought for, ``deck`` the deck's number (0 if it doesn't matter). ``shared`` are the
    physical and mental points, None until the player has chosen; if the existing trauma
    decides, ``is_chosen`` is false.
    """

    investigator: str
    card: str
    name: str
    base: int
    revision: int
    points: int = 0
    shared: tuple[int, int] | None = None
    is_chosen: bool = True
    killed: bool = False
    deck: int = 0

    @property
    def key(self) -> str:
        """The reason it has in the log; each deck has windows of its own."""
        place = f"{self.base}/{self.deck}" if self.base and self.deck else self.base
        return f"{TRAUMA_BY_CARD}{self.card}#{place}"

    @property
    def former_key(self) -> str:
        """The reason it has in older logs."""
        return f"{TRAUMA_BY_CARD}{self.card}#{self.revision}"

    @property
    def message(self) -> str:
        """What happens, or that the player has to choose."""
        if self.killed:
            return _("%(card)s: defeated, so the investigator is killed.") % {
                "card": self.name
            }
        if self.shared is None:
            choose = _("%(card)s: %(points)s trauma. Choose physical or mental.")
            return choose % {"card": self.name, "points": signed(self.points)}
        physical, mental = self.shared
        parts = [_("%(number)s physical trauma") % {"number": signed(physical)}]
        if mental:
            parts = parts[: bool(physical)]
            parts.append(_("%(number)s mental trauma") % {"number": signed(mental)})
        return f"{self.name}: {', '.join(parts)}."

    @property
    def is_certain(self) -> bool:
        """Whether the player has nothing left to choose."""
        return self.killed or self.shared is not None

    def fact(self, scenario: str) -> Stated:
        """Return the statement of it for the log."""
        physical, mental = self.shared or (0, 0)
        effect = do.Trauma("input", physical=physical, mental=mental)
        return Stated(scenario, effect, (self.investigator,), reason=self.key)


def trauma_from_cards(campaign: Campaign, replay: Replay) -> tuple[CardTrauma, ...]:
    """Return what cards in the decks being upgraded do to investigators."""
    asked = replay.pending
    if asked is None or asked.prompt != UPGRADE or replay.state.is_single:
        return ()
    found: list[CardTrauma] = []
    for seat in with_decks(campaign, asked.codes):
        found += _killed(replay, asked, seat)
        bought = bought_by(seat, replay).cards
        found += [each for each in bought if each.shared is None or any(each.shared)]
    return tuple(found)


class Purchases(NamedTuple):
    """Copies bought in a window for a revision, with the trauma the player chose."""

    deck: int
    base: int
    revision: int
    bought: Mapping[str, int]
    chosen: tuple[TraumaChoice, ...]


class TraumaPurchases(NamedTuple):
    """The cards of a deck that change trauma, and the windows they were bought in."""

    bases: frozenset[int]
    cards: tuple[CardTrauma, ...]


def bought_by(seat: Seat, replay: Replay) -> TraumaPurchases:
    """Return what was bought for a deck in its window, or at its creation.

    What was bought before the deck came from another table was reported there.
    """
    assert seat.deck is not None
    deck = seat.deck.pk
    latest = seat.deck.revisions.get(number=seat.deck.revision)
    base = base_of(latest)
    first = latest if base is None else base
    paid = upgrade_from(base) if base is not None else None
    is_ours, since = base is None or _is_ours(seat, base), _since(seat)
    if not is_ours and (paid is None or paid.made_at < since):
        return TraumaPurchases(frozenset(), ())
    windows = []
    if is_ours and is_first(first.content):
        trauma, pool = first.content.asked().circumstances.trauma, current_pool()
        arrival = {arrival_of(replay, seat.investigator)}
        listed = {
            code: copies
            for code, copies in first.list["slots"].items()
            if (card := pool.get_card(code)) and gives_trauma(card, arrival)
        }
        windows.append(Purchases(deck, AT_CREATION, first.number, listed, trauma))
    if base is not None and paid is not None:
        bought = _copies_bought(paid)
        if not is_ours:
            bought -= _copies_bought(upgrade_from(base, made_at__lt=since))
        trauma = read_window(paid.window).trauma
        windows.append(Purchases(deck, base.number, paid.number, bought, trauma))
    bases = frozenset(each.base for each in windows)
    return TraumaPurchases(
        bases if base is None else bases | {base.number},
        tuple(chain(*(_lines(seat.investigator, replay, each) for each in windows))),
    )


def missing_statements(known: Folded, seat: Seat) -> list[Stated | Retracted]:
    """Return what to state in the log about a deck's cards, and what to retract.

    If healing changes, return only what to retract: without it the state shows what
    can be healed.
    """
    replay = known.replay
    if replay.pending is None or not replay.begun or replay.state.is_single:
        return []
    bought = bought_by(seat, replay)
    wanted = {(each.card, each.base): each for each in bought.cards}
    gone, healed, is_changed = list[int](), dict[int, CardTrauma](), False
    for fact in _facts(known, seat.investigator):
        card, base, deck = _place_of(fact)
        if base not in bought.bases or deck not in ("", str(seat.deck_id)):
            continue
        each = wanted.get((card, base))
        if each is None or not _says(fact, each):
            gone.append(fact.sequence)
            is_changed |= each is not None and each.points < 0
            continue
        del wanted[card, base]
        if each.points < 0 and isinstance(fact.effect, do.Trauma):
            shared = fact.effect.physical, fact.effect.mental
            healed[fact.sequence] = each._replace(shared=shared)
    if is_changed:
        return [*map(Retracted, sorted(gone))]
    # Trauma suffered in the same window can be healed, so it is stated first.
    suffering = {each.base for each in wanted.values() if each.points > 0}
    for sequence, each in healed.items():
        if each.base in suffering:
            gone.append(sequence)
            wanted[each.card, each.base] = each
    reported = _reported_before(replay)
    stated = [
        each.fact(replay.begun[-1])
        for each in sorted(wanted.values(), key=lambda each: -each.points)
        if each.shared is not None
        and any(each.shared)
        and (each.investigator, each.former_key) not in reported
    ]
    return [*map(Retracted, sorted(gone)), *stated]


def with_killed(
    campaign: Campaign, replay: Replay, given: Answer, beside: Iterable[Answer] = ()
) -> list[Answer]:
    """Return answers on investigators killed by a card, for the end of an upgrade.

    They replace what the answers in ``beside`` report about the same decks. Reports
    that no longer apply are dropped.
    """
    asked = replay.pending
    if asked is None or asked.prompt != UPGRADE:
        return []
    if (given.kind, given.scenario, given.step) != (
        "decision", asked.scenario, asked.step,
    ):  # fmt: skip
        return []
    by_code: dict[str, dict[str, tuple[int, ...]]] = {}
    for each in trauma_from_cards(campaign, replay):
        if each.killed:
            by_code.setdefault(each.investigator, {})[each.key] = (0, 0, 1)
    found = []
    reported = {each.step: each.value for each in beside}
    for code in asked.codes:
        step = f"{asked.step}#{code}"
        had = reported.get(step) or reported_for(replay, asked, code)
        rest = {k: v for k, v in had.items() if not kills(k, v)}
        now = rest | by_code.get(code, {})
        if now != had:
            found.append(Answer("choice_list", asked.scenario, step, now))
    return found


def killed_with(code: str, played: Revision, *, paid: bool) -> Iterator[CardTrauma]:
    """Yield the cards that kill an investigator defeated in a game with this deck.

    ``paid`` says whether the game gave experience.
    """
    became = played.list.get("meta", {}).get("transform_into", "")
    for listed in (*played.list["slots"], became):
        card = current_pool().get_card(listed)
        row = DEADLY_CARDS.get(card.code) if card is not None else None
        if row is not None and (paid or not row.on_earning):
            number = played.number
            yield CardTrauma(code, row.code, row.name, number, number, killed=True)


def kills(key: str, value: tuple[int, ...]) -> bool:
    """Return whether an answer says that a card killed its owner."""
    return key.startswith(TRAUMA_BY_CARD) and value[-1] > 0


# -- inside --


def _copies_bought(paid: Revision | None) -> Counter[str]:
    """Return the copies that an upgrade bought, without those swapped in."""
    lines = (paid.invoice or {}).get("lines", ()) if paid is not None else ()
    return Counter(each["card"] for each in lines if each["rule"] not in NO_PURCHASE)


def _since(seat: Seat) -> datetime:
    """Return when the deck joined its seat."""
    return seat.deck_since or seat.made_at


def _is_ours(seat: Seat, played: Revision) -> bool:
    """Return whether a revision was played at this table, or not played yet."""
    if played.played_at is None or played.played_at >= _since(seat):
        return True
    rows = seat.settlements.filter(deck=seat.deck, taken_back_at=None)
    return any(row.content.get("played") == played.number for row in rows)


def _killed(replay: Replay, asked: Pending, seat: Seat) -> Iterator[CardTrauma]:
    code, upgraded = seat.investigator, upgrade_of(replay.as_asked, asked)
    if not was_defeated(replay, upgraded, code):
        return
    assert seat.deck is not None
    played = base_of(seat.deck.revisions.get(number=seat.deck.revision))
    if played is not None:
        paid = any(defeats(replay, upgraded, code))
        yield from killed_with(code, played, paid=paid)


def _lines(code: str, replay: Replay, window: Purchases) -> Iterator[CardTrauma]:
    """Yield what the cards of a window do, healing last."""
    had = replay.state.trauma(code)
    cards = {each: current_pool().get_card(each) for each in window.bought}
    rows = [
        (row, window.bought[listed])
        for listed, card in cards.items()
        if card is not None and (row := TRAUMA_CARDS.get(card.code))
    ]
    for row, copies in sorted(rows, key=lambda each: -each[0].amount):
        points = row.amount * copies
        shared = chosen = shared_out(row, copies, window.chosen)
        if chosen is not None and min(map(add, had, chosen)) < 0:
            shared = chosen = None  # there is no trauma of that kind to heal
        if chosen is None and (kind := row.kind_for(*had)):
            shared = (points, 0) if kind == PHYSICAL else (0, points)
        elif chosen is None and points < 0 and not any(had):
            shared = (0, 0)
        if points > 0 and shared is not None:
            had = had[0] + shared[0], had[1] + shared[1]
        yield CardTrauma(
            code, row.code, row.name, window.base, window.revision,
            points, shared, chosen is not None, deck=window.deck,
        )  # fmt: skip


def _facts(known: Folded, code: str) -> list[Stated]:
    """Return the statements in force about an investigator's purchases."""
    return [
        entry
        for entry in not_retracted(folded(known.entries))
        if isinstance(entry, Stated)
        and entry.codes == (code,)
        and entry.reason.startswith(TRAUMA_BY_CARD)
    ]


def _place_of(fact: Stated) -> tuple[str, int, str]:
    """Return the card, window and deck of a statement; older ones have no deck.

    The window is -1 if unknown.
    """
    card, _sign, place = fact.reason.removeprefix(TRAUMA_BY_CARD).rpartition("#")
    base, _sign, deck = place.partition("/")
    return card, int(base) if is_digits(base) else -1, deck


def _says(fact: Stated, each: CardTrauma) -> bool:
    """Return whether a statement matches what a card does, as far as known."""
    effect = fact.effect
    if not isinstance(effect, do.Trauma):
        return False
    stated = (effect.physical, effect.mental)
    if each.shared is not None and each.is_chosen:
        return stated == each.shared
    return sum(stated) == each.points


def _reported_before(replay: Replay) -> set[tuple[str, str]]:
    """Return the purchases reported with upgraded decks, by code and key."""
    found = set()
    for each in replay.used:
        if isinstance(each, Answer) and each.kind == "choice_list":
            code = each.step.rpartition("#")[2]
            keys = (key for key in each.value if key.startswith(TRAUMA_BY_CARD))
            found |= {(code, key) for key in keys}
    return found
