"""The terms of a table, the weaknesses it draws from, and its decks' compliance.

``TableTerms`` are agreed on outside the log: taboo lists, products, rulings, the FAQ
version, and the collection weaknesses are drawn from.

The whole table shares one pool of weaknesses (WEAK-03, WEAK-04): the collection it
agreed on, without the cards in any of its decks or given to any of its investigators.

A deck has terms of its own, by which its pages judge it. The table's terms override
them: its taboo list, environment, rulings, the ultimatums and boons in force that apply
to decks, and its lost cards (ULT-00, TABOO-02, CYC-DW1). Ultimatums, boons and losses
are passed on to the deck as they happen.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Annotated, Any, NamedTuple

from arkham.rest import reading
from arkham.rest.messages import MessagePart, Refer, Schema, like, schema
from arkham.rest.reading import Key, Sent
from arkham.rules.campaign.asking import CHOSEN_WEAKNESS, Pending
from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.prompts.decks import held_cards
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.campaign.state.state import State
from arkham.rules.collection import everything
from arkham.rules.draws import DrawRecord
from arkham.rules.draws.weaknesses import (
    ReportedCards,
    are_weaknesses,
    draw_weakness,
    handed_out,
    open_to,
    whole_pool,
    without,
)
from arkham.rules.finding import Finding
from arkham.rules.finding import gettext_noop as _
from arkham.rules.legality.compiling import PLACEHOLDER
from arkham.rules.legality.frame import Frame
from arkham.rules.legality.signatures import fills_weakness_slot
from arkham.rules.library import VERSIONS
from arkham.rules.notation.circumstances_json import read_circumstances
from arkham.rules.notation.reading import Fault, Unreadable
from arkham.rules.ultimatums import ULTIMATUMS
from arkham.rules.upgrade.facts import copies_by_card
from arkham.rules.vocabulary import Mode, is_digits
from campaigns.models import Campaign, Seat
from campaigns.settling import outcome
from cardpool.catalog import current_judge, current_pool
from decks.lists.content import Content, empty_content
from decks.models import Collection, Deck
from decks.pages.display import Judged
from decks.pages.notes import Note
from decks.queries import latest
from decks.serializers.judged import CircumstancesShape

WITHOUT_TABOOS = "none"
LONGEST_LIST = 6  # digits of a list's number
RESTRICTED = "organiser"  # if not every player may answer for the table


def _of_a_deck(key: str, refer: Refer) -> Schema:
    """Describe a circumstance as decks have it; here it is omitted, not null."""
    described = CircumstancesShape.describe(refer)["properties"][key]
    return {name: each for name, each in described.items() if name != "nullable"}


class EnvironmentOfTable(MessagePart):
    """The part of the card pool a table plays with, always as an object."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """Describe it as in the circumstances of a deck."""
        described = _of_a_deck("environment", refer)
        objects = [each for each in described["anyOf"] if each["type"] == "object"]
        return {**described, "anyOf": objects}


class RulingsOfTable(MessagePart):
    """Readings of open rules, by their ids."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """Describe it as in the circumstances of a deck."""
        return _of_a_deck("rulings", refer)


_LIST = rf"^({WITHOUT_TABOOS}|[0-9]{{1,{LONGEST_LIST}}})?$"
_FAQ = f"^({'|'.join(map(re.escape, VERSIONS))})?$"
List = Annotated[Sent, schema(pattern=_LIST)]


class TableTerms(MessagePart):
    """The terms of a table; empty ones were not agreed on.

    ``taboo`` is the list everyone follows: its id, ``none``, or nothing; ``taboos`` are
    the lists of single investigators by code, if different. ``environment`` and
    ``rulings`` are written as in the circumstances of a deck. ``faq`` is the version of
    the FAQ at the start; the log can pin another. ``collection`` is the key of the
    collection weaknesses are drawn from. ``answers`` is ``organiser`` if players may
    only answer for their own investigators, not for the table.
    """

    taboo: Annotated[List, "The id of a list, none, or “”."] = ""
    taboos: Annotated[dict[str, List], "Lists of single investigators, by code."] = (
        field(default_factory=dict)
    )
    environment: Annotated[dict[str, Any] | None, like(EnvironmentOfTable | None)] = (
        None
    )
    rulings: Annotated[dict[str, Sent], like(RulingsOfTable)] = field(
        default_factory=dict
    )
    faq: Annotated[Sent, schema(pattern=_FAQ), "A version of the FAQ, or “”."] = ""
    collection: Key | None = None
    answers: Annotated[
        Sent,
        schema(pattern=f"^({RESTRICTED})?$"),
        "“organiser” if players answer only for their own investigators.",
    ] = ""


def read_terms(data: object) -> TableTerms:
    """Return the terms in a JSON object. Raises :class:`Unreadable`."""
    terms: TableTerms = reading.read(TableTerms, data, apart=True)
    read_circumstances(circumstances_of(terms), "")
    for code, taboo in {"": terms.taboo, **terms.taboos}.items():
        if taboo and taboo != WITHOUT_TABOOS and not _is_list(taboo):
            at = f"/taboos/{code}" if code else "/taboo"
            message = _("We don’t know the taboo list {found}.")
            raise Unreadable(Fault(at, message, "a number, or none", taboo[:40]))
    if terms.faq and terms.faq not in VERSIONS:
        message = _("We don’t know version {found} of the FAQ.")
        expected = ", ".join(VERSIONS)
        raise Unreadable(Fault("/faq", message, expected, terms.faq[:40]))
    if terms.answers not in ("", RESTRICTED):
        message = _("This isn’t a choice: {found}.")
        raise Unreadable(Fault("/answers", message, RESTRICTED, terms.answers[:40]))
    return terms


def everybody_answers(campaign: Campaign) -> bool:
    """Return whether every player may answer for the table."""
    return bool(campaign.terms.get("answers", "") != RESTRICTED)


def terms_data(terms: TableTerms) -> dict[str, Any]:
    """Return the terms as JSON; empty ones are left out."""
    return {key: value for key, value in TableTerms.data(terms).items() if value}


def orthodoxy_findings(terms: TableTerms) -> Iterator[Finding]:
    """Require a taboo list for everyone under Orthodoxy (TABOO-02)."""
    without = [code for code, taboo in terms.taboos.items() if taboo == WITHOUT_TABOOS]
    if terms.taboo == WITHOUT_TABOOS or without:
        yield Finding(
            _("Under the Ultimatum of Orthodoxy every deck follows a taboo list."),
            rule="terms.orthodoxy",
            cards=tuple(without),
            actual=WITHOUT_TABOOS,
        )


def _is_list(taboo: str) -> bool:
    """Return whether it can be the number of a taboo list."""
    return is_digits(taboo, LONGEST_LIST)


def circumstances_of(terms: TableTerms, investigator: str = "") -> dict[str, Any]:
    """Return the table's terms for a deck, as circumstances."""
    circumstances: dict[str, Any] = {}
    taboo = terms.taboos.get(investigator, terms.taboo)
    if taboo == WITHOUT_TABOOS:
        circumstances["taboo"] = WITHOUT_TABOOS
    elif _is_list(taboo):
        circumstances["taboo"] = int(taboo)
    if terms.environment is not None:
        circumstances["environment"] = terms.environment
    if terms.rulings:
        circumstances["rulings"] = dict(terms.rulings)
    return circumstances


class Dealer:
    """Deals weaknesses to the investigators of one table, one after another."""

    def __init__(self, campaign: Campaign, state: State) -> None:
        self.campaign, self.state = campaign, state
        self.terms = read_terms(campaign.terms)
        self.decks = decks_of(campaign)
        self.dealt: list[str] = []

    def deal(self, code: str, traits: Sequence[str], seed: str) -> DrawRecord | None:
        """Draw a weakness for an investigator; None if the pool has none for them."""
        cards = self.pool_for(code, traits)
        if not cards:
            return None
        record = draw_weakness(cards, seed)
        self.dealt.extend(record.result)
        return record

    def pool_for(self, code: str, traits: Sequence[str]) -> Mapping[str, int]:
        """Return the weaknesses that may be drawn, with their copies."""
        frame = self.frame_of(code)
        if frame is None:
            return {}
        pool = frame.pool
        owned = Collection.objects.filter(pk=self.terms.collection or 0).first()
        collection = owned.content if owned is not None else everything(pool)
        cards = whole_pool(collection, pool, frame.rulings)
        gone = handed_out([*self._held(), Counter(self.dealt)], pool)
        return open_to(frame, without(cards, gone), _printed(traits, frame))

    def frame_of(self, code: str) -> Frame | None:
        """Return the frame of an investigator's deck; None for unknown ones."""
        content = self.decks.get(code) or empty_content(code)
        circumstances = content.circumstances | self.circumstances_of(code)
        return Judged(Content(content.deck, circumstances), current_judge()).frame

    def circumstances_of(self, code: str) -> dict[str, Any]:
        """Return the circumstances of an investigator's deck at the table."""
        is_alone = self.campaign.standalone or self.campaign.simulated
        mode = Mode.STANDALONE if is_alone else Mode.CAMPAIGN
        circumstances = circumstances_of(self.terms, code)
        players = len(self.state.alive())
        if players:
            circumstances["players"] = players
        ultimatums = [each for each in self.state.ultimatums if each in ULTIMATUMS]
        if ultimatums:
            circumstances["ultimatums"] = ultimatums
        return {"mode": mode.value, **circumstances}

    def _held(self) -> Iterable[Mapping[str, int]]:
        """Yield the cards of each deck, with those the log gave that it lacks."""
        pool = current_judge().pool
        for code in {*self.decks, *self.state.people}:
            content, person = self.decks.get(code), self.state.people.get(code)
            listed = content.deck["slots"] if content else {}
            given = held_cards(person) if person is not None else {}
            # The deck may list another printing of a card in the log.
            yield copies_by_card(listed, pool) | copies_by_card(given, pool)


def misnamed(given: Answer, pending: Pending | None) -> tuple[Finding, ...]:
    """Return findings on weaknesses named as drawn, if the question is about that."""
    if pending is None or given.step != pending.step:
        return ()
    if pending.prompt not in ("weakness", CHOSEN_WEAKNESS):
        return ()
    named = tuple(card for cards in given.value.values() for card in cards)
    return tuple(
        are_weaknesses(ReportedCards(named, current_judge().pool, pending.traits))
    )


def decks_of(campaign: Campaign) -> dict[str, Content]:
    """Return the decks stored here that a table plays, by investigator."""
    seats: dict[int, Seat] = {
        seat.deck_id: seat
        for seat in campaign.seats.filter(deck__isnull=False)
        if seat.deck_id is not None
    }
    decks = Deck.objects.filter(pk__in=seats)
    return {seats[row.deck_id].investigator: row.content for row in latest(decks)}


def with_weaknesses(campaign: Campaign) -> frozenset[str]:
    """Return the investigators whose decks here include their basic weaknesses."""
    pool = current_pool()
    found = set()
    for code, content in decks_of(campaign).items():
        held = content.deck["slots"]
        has_one = any(
            each != PLACEHOLDER and each in pool and fills_weakness_slot(pool[each])
            for each in held
        )
        if has_one and PLACEHOLDER not in held:
            found.add(code)
    return frozenset(found)


def _printed(traits: Sequence[str], frame: Frame) -> list[str]:
    """Return traits spelled as on cards, however the guide spells them."""
    wanted = {each.casefold() for each in traits}
    if not wanted:
        return []
    known = {trait for card in frame.pool.values() for trait in card.traits}
    return sorted(each for each in known if each.casefold() in wanted) or list(traits)


MOST_SHOWN = 5


class DeckCompliance(NamedTuple):
    """A deck judged by its table's terms; ``notes`` are the findings.

    ``names_others`` is true if the deck follows another taboo list than the table,
    whose date is ``taboos`` (“” for none): its own list prices its upgrades.
    """

    judged: Judged
    notes: tuple[Note, ...]
    names_others: bool
    taboos: str

    @property
    def shown(self) -> tuple[Note, ...]:
        """The first notes, as many as a seat has room for."""
        return self.notes[:MOST_SHOWN]

    @property
    def left_out(self) -> int:
        """The number of notes that are not shown."""
        return len(self.notes) - len(self.shown)


def deck_compliance(campaign: Campaign, replay: Replay) -> dict[str, DeckCompliance]:
    """Return how the table's decks stored here comply with its terms."""
    terms, pool = read_terms(campaign.terms), current_pool()
    is_alone = bool(campaign.standalone or campaign.simulated)
    return {
        code: _standing(
            content,
            circumstances_of(terms, code) | {"mode": _mode(content, is_alone)},
            outcome.terms(replay, code, pool),
        )
        for code, content in decks_of(campaign).items()
    }


def _mode(content: Content, is_alone: bool) -> str:
    """Return the mode of a deck here; the deck itself says if it is a first deck."""
    if is_alone:
        return Mode.STANDALONE.value
    own = str(content.circumstances.get("mode", ""))
    return Mode.START.value if own == Mode.START else Mode.CAMPAIGN.value


def _standing(
    content: Content, table: Mapping[str, Any], added: Mapping[str, Counter[str]]
) -> DeckCompliance:
    """Judge a deck with the table's terms over its own; ``added`` joins its own."""
    own = content.circumstances
    circumstances = {**own, **table}
    if "rulings" in table:
        circumstances["rulings"] = {**own.get("rulings", {}), **table["rulings"]}
    for key, values in added.items():
        stated: Counter[str] = Counter(own.get(key) or ())
        circumstances[key] = sorted((stated | values).elements())
    judge = current_judge()
    judged = Judged(Content(content.deck, circumstances), judge)
    wanted, _doubts = judge.taboo_of(judged.asked.deck, judged.asked.circumstances)
    alone = content.asked()
    followed, _doubts = judge.taboo_of(alone.deck, alone.circumstances)
    return DeckCompliance(
        judged,
        tuple(note for note in judged.notes if note.style != "advice"),
        wanted != followed,
        wanted.date if wanted is not None else "",
    )
