"""Rules on cards that need a right to be there: signatures, story, researched cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from arkham.rules.card import Card
from arkham.rules.deck import DeckList
from arkham.rules.finding import (
    Finding,
    Listing,
    Remedy,
    Severity,
    Value,
    faq,
    gettext_noop,
    printed,
    rule,
    rules_reference,
)
from arkham.rules.investigator import class_words
from arkham.rules.legality.admission import may_hold as holds
from arkham.rules.legality.built import BuiltDeck
from arkham.rules.legality.compiling import printed_role
from arkham.rules.legality.frame import Frame
from arkham.rules.legality.standing import CardRole, Line
from arkham.rules.legality.tally import NO_ROOM, Concern, wakes
from arkham.rules.legality.verdict import HeldCard, by_card, must_leave, with_product
from arkham.rules.modifiers import FIRST_OF
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import Mode

_ANYBODYS = (CardRole.ORDINARY, CardRole.BASIC_WEAKNESS, CardRole.STORY)


@rule(
    "access.signature",
    rows=("DECK-14", "CARD-09"),
    cites=(faq("Signature Cards"),),
    wakes=wakes(Concern.FOREIGN),
)
def no_foreign_signature(built: BuiltDeck) -> Iterator[Finding]:
    """Another investigator's signature can never be in the deck."""
    concerned = built.concerned(Concern.FOREIGN)
    foreign = (line for line in concerned if line.role is CardRole.FOREIGN)
    for held in by_card(foreign, aside=True):
        restriction = held.card.restriction
        owners = restriction.investigators if restriction else ()
        own, pool = built.frame.back.name, built.frame.pool
        named: dict[str, Value] = {
            owner.name: with_product(owner, pool) if owner.name == own else owner.name
            for code in reversed(owners)
            if (owner := pool.get_card(code))
        }
        yield must_leave(
            held,
            gettext_noop("{name} is only for {owner}."),
            owner=Listing(tuple(named[name] for name in sorted(named))),
        )


@rule(
    "access.restricted-card",
    rows=("DECK-06", "OPT-24", "WEAK-01"),
    cites=(rules_reference("Deckbuilding"),),
    wakes=wakes(Concern.FOREIGN),
)
def may_hold(built: BuiltDeck) -> Iterator[Finding]:
    """A card printed for certain traits or classes is only for investigators who
    have one of them."""
    lines = [
        line
        for line in built.concerned(Concern.FOREIGN)
        if line.role in _ANYBODYS and not holds(built.frame.standings.terms, line.card)
    ]
    for held in by_card(lines):
        restriction = held.card.restriction
        assert restriction is not None
        traits = (trait.title() for trait in restriction.traits)
        wanted = Listing((*traits, *map(class_words, restriction.classes)))
        yield must_leave(
            held,
            gettext_noop("{name} is only for these traits: {wanted}.")
            if restriction.traits
            else gettext_noop("{name} is for {wanted} investigators."),
            actual=", ".join((*built.frame.front.traits, *built.frame.front.classes)),
            expected=wanted,
            wanted=wanted,
        )


@rule(
    "access.story",
    rows=("CARD-08", "DECK-10", "DECK-18", "OPT-14", "WEAK-18", "DECK-02"),
    cites=(rules_reference("Asset Cards"), faq("1.36")),
    wakes=wakes(Concern.STORY),
)
def story_earned(built: BuiltDeck) -> Iterator[Finding]:
    """A story card is in the deck only because a scenario put it there."""
    granted, given = _granted(built), _given(built)
    first_deck = built.frame.mode is Mode.START
    assumed = []
    for held in by_card(built.concerned(Concern.STORY)):
        if _is_granted(held, given):
            continue
        is_granted = granted is not None and _is_granted(held, granted)
        if first_deck and not is_granted:
            yield must_leave(
                held,
                gettext_noop(
                    "{name} is a story card; a starting deck can’t have earned any."
                ),
            )
        elif granted is None or (first_deck and is_granted):
            assumed.append(held)
        elif held.card.code in FIRST_OF:
            assumed.append(held)  # a weakness of the deck became it by its own text
        elif not is_granted:
            yield must_leave(
                held,
                gettext_noop("{name} is a story card you haven’t earned."),
            )
    if assumed:
        yield _taken_as_earned(
            gettext_noop("Story cards assumed earned: {names}."), assumed
        )


def _granted(built: BuiltDeck) -> frozenset[str] | None:
    """The codes of granted cards, with those of other faces; None if unknown."""
    listed = built.circumstances.story_cards
    return None if listed is None else _by_either_face(built, listed)


def _given(built: BuiltDeck) -> frozenset[str]:
    """The codes of cards that recorded games gave: earned, so no finding is needed."""
    return _by_either_face(built, built.circumstances.campaign_cards)


def earned_in(changes: Mapping[str, int], pool: CardPool) -> frozenset[str]:
    """The codes of story and reward cards among changes, which map codes to copies."""
    came = (pool.get_card(code) for code, copies in changes.items() if copies > 0)
    return frozenset(
        card.code
        for card in came
        if card and (card.reward or printed_role(card) is CardRole.STORY)
    )


def _by_either_face(built: BuiltDeck, codes: frozenset[str]) -> frozenset[str]:
    cards = (built.frame.pool.get_card(code) for code in codes)
    return codes.union(*((card.code, card.back_code) for card in cards if card))


def _is_granted(held: HeldCard, granted: frozenset[str]) -> bool:
    codes = (held.card.code, held.card.back_code, *held.codes)
    return any(code in granted for code in codes if code)


def _taken_as_earned(message: str, assumed: list[HeldCard]) -> Finding:
    count = sum(held.copies for held in assumed)
    names = ", ".join(
        f"{held.copies} × {held.standing.name}"
        if held.copies > 1
        else held.standing.name
        for held in assumed
    )
    return Finding(
        message,
        severity=Severity.ADVICE,
        cards=tuple(code for held in assumed for code in held.codes),
        actual=count,
        values=(("names", names), ("count", count)),
    )


@rule(
    "access.reward",
    rows=("CARD-08", "DECK-10"),
    cites=(printed("Collector", "12181"),),
    wakes=wakes(Concern.MODE),
)
def reward_earned(built: BuiltDeck) -> Iterator[Finding]:
    """A card marked as a reward is only for players who have earned it."""
    granted = (_granted(built) or frozenset()) | _given(built)
    rewards = by_card(line for line in built.ordinary if line.card.reward)
    assumed = [held for held in rewards if not _is_granted(held, granted)]
    if assumed:
        yield _taken_as_earned(
            gettext_noop("Reward cards assumed earned: {names}."), assumed
        )


def _is_without_log(frame: Frame) -> bool:
    """True if the deck can have no campaign log that records a researched task."""
    if frame.mode is Mode.START:
        return True
    refused = frame.rulings["standalone.researched"] == "refused"
    return frame.mode is Mode.STANDALONE and refused


@rule(
    "researched.task",
    rows=("KW-16", "KW-17", "KW-18", "KW-19", "TRAP-13"),
    cites=(rules_reference("Researched"),),
    wakes=wakes(Concern.RESEARCHED),
)
def research_done(built: BuiltDeck) -> Iterator[Finding]:
    """You get a researched card by upgrading, once its task is in the campaign log."""
    tasks = built.circumstances.tasks
    assumed = []
    for held in by_card(built.concerned(Concern.RESEARCHED)):
        if _is_without_log(built.frame):
            yield must_leave(
                held,
                gettext_noop(
                    "{name} is researched: a starting deck has no campaign "
                    "log to record its task."
                ),
            )
        elif tasks is None:
            assumed.append(held)
        elif tasks.isdisjoint(held.card.researched_from):
            lower = [
                built.frame.pool[code].name
                for code in held.card.researched_from
                if code in built.frame.pool
            ]
            yield must_leave(
                held,
                gettext_noop(
                    "{name} is researched, but the campaign log doesn’t "
                    "record the task of {lower}."
                ),
                actual="",
                expected=", ".join(held.card.researched_from),
                lower=" / ".join(sorted(set(lower))),
            )
    if assumed:
        codes = tuple(code for held in assumed for code in held.codes)
        yield Finding(
            gettext_noop("We assume the campaign log records the task of {names}."),
            severity=Severity.ADVICE,
            cards=codes,
            actual="",
            expected="",
            remedy=Remedy("record", codes),
            remedy_text=gettext_noop("Record the task in the campaign log."),
            values=(
                ("names", ", ".join(sorted({held.standing.name for held in assumed}))),
            ),
        )


def aside_by_entry(deck: DeckList, pool: CardPool) -> Mapping[str, int]:
    """The copies set aside, by printings under which the deck lists their cards.

    Another printing is the same card (SRC-04): copies that don't fit the entry of their
    own code are taken from the card's other entries. Any copies beyond those in the
    deck stay with one of the entries, if there is one.
    """
    entries, listed = deck.entries, deck.set_aside
    found = {code: min(copies, entries.get(code, 0)) for code, copies in listed.items()}
    if found == listed:
        return listed
    for code, copies in sorted(listed.items()):
        left = copies - found[code]
        card = pool.get_card(code)
        for printing in card.printings if card and left else ():
            other = printing.code
            taken = min(left, entries.get(other, 0) - found.get(other, 0))
            if taken > 0:
                found[other] = found.get(other, 0) + taken
                left -= taken
        if left:
            codes = [printing.code for printing in card.printings] if card else []
            home = next((each for each in codes if each in entries), code)
            found[home] = found.get(home, 0) + left
    return {code: copies for code, copies in found.items() if copies}


def aside_as_held(deck: DeckList, pool: CardPool) -> Mapping[str, int]:
    """Like :func:`aside_by_entry`, but never more copies than the deck has."""
    found = aside_by_entry(deck, pool)
    entries = deck.entries
    if all(copies <= entries.get(code, 0) for code, copies in found.items()):
        return found
    held = {code: min(copies, entries.get(code, 0)) for code, copies in found.items()}
    return {code: copies for code, copies in held.items() if copies}


def more_aside(deck: DeckList, more: Mapping[str, int]) -> dict[str, int]:
    """Add copies to those a deck has set aside, and return the sum."""
    found = dict(deck.set_aside)
    for code, copies in more.items():
        found[code] = found.get(code, 0) + copies
    return found


_BARRING = frozenset({Concern.NOT_ADMITTED, Concern.BARRED, Concern.OUT_OF_POOL})


def is_counted_when_bought(card: Card) -> bool:
    """True if bought copies of a card count toward deck size."""
    return card.level is not None and not card.permanent and card.in_decks


def granted_aside(built: BuiltDeck, granted: Mapping[str, int]) -> dict[str, int]:
    """Copies to set aside because a scenario granted them, by the codes of the list.

    ``granted`` are copies by card code. No option, limit or deck size applies to a
    granted card. Copies for which the deck has room may just as well have been bought,
    so they are not set aside.
    """
    excess = built.counted - built.frame.size if built.frame.size_judged else 0
    left = dict(granted)
    for line in built.ordinary:
        left[line.card.code] = left.get(line.card.code, 0) - line.set_aside
    found: dict[str, int] = {}
    for line in built.ordinary:
        may = min(line.copies, left[line.card.code])
        if may <= 0:
            continue
        room = excess if line.standing.counts else 0
        copies = min(may, max(room, _beyond_terms(built, line, may, found)))
        if copies > 0:
            found[line.code] = copies
            left[line.card.code] -= copies
            excess -= copies if line.standing.counts else 0
    return found


def _beyond_terms(
    built: BuiltDeck, line: Line, copies: int, aside: Mapping[str, int]
) -> int:
    """Copies that could be in the deck only because a scenario granted them.

    ``aside`` are those found so far.
    """
    standing = line.standing
    crowded = built.unmet & NO_ROOM and standing.limited
    if crowded or not _BARRING.isdisjoint(standing.concerns):
        return copies
    of_title = sum(
        each.copies - aside.get(each.code, 0)
        for each in built.ordinary
        if each.standing.title == standing.title
    )
    return of_title - standing.limit
