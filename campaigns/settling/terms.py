"""The terms of a table, the weaknesses it draws from, and the decks that keep to them.

``TableTerms`` are agreed on beside the log: which taboos bind whom, which products and
readings of open rules hold, which version of the FAQ is followed, and whose collection
weaknesses are drawn from.

One pool of weaknesses serves the whole table (WEAK-03, WEAK-04): the collection it
agreed on, without what lies in any of its decks or was given to any of its
investigators.

A deck has terms of its own, by which its pages judge it. What the table says comes
before them: its taboo list, environment, readings of open rules, and the ultimatums
and boons in force that decks are judged under, and the cards it has lost (ULT-00,
TABOO-02, CYC-DW1). The latter are passed on to the deck as they happen.
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
    Named,
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
from arkham.rules.vocabulary import Mode
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
LONGEST_LIST = 6  # digits of its number
RESTRICTED = "organiser"  # where not every player answers what is asked


def _of_a_deck(key: str, refer: Refer) -> Schema:
    """A circumstance as a deck has it; here it is left out rather than null."""
    described = CircumstancesShape.describe(refer)["properties"][key]
    return {name: each for name, each in described.items() if name != "nullable"}


class EnvironmentOfTable(MessagePart):
    """The part of the card pool a table plays with: never the word alone."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """As in the circumstances of a deck."""
        described = _of_a_deck("environment", refer)
        objects = [each for each in described["anyOf"] if each["type"] == "object"]
        return {**described, "anyOf": objects}


class RulingsOfTable(MessagePart):
    """Readings of open rules, by the id of each."""

    @classmethod
    def describe(cls, refer: Refer) -> Schema:
        """As in the circumstances of a deck."""
        return _of_a_deck("rulings", refer)


_LIST = rf"^({WITHOUT_TABOOS}|[0-9]{{1,{LONGEST_LIST}}})?$"
_FAQ = f"^({'|'.join(map(re.escape, VERSIONS))})?$"
List = Annotated[Sent, schema(pattern=_LIST)]


class TableTerms(MessagePart):
    """The terms of a table; what is empty was not agreed on.

    ``taboo`` is the list everyone follows: its id, ``none``, or nothing; ``taboos``
    those of single investigators by code, where they differ. ``environment`` and
    ``rulings`` are written as in the circumstances of a deck. ``faq`` is the version of
    the FAQ a table began with; its log pins another one. ``collection`` is the key of
    the collection weaknesses are drawn from. ``answers`` is ``organiser`` where players
    answer for their own investigators alone, and not for the table.
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
        "“organiser” where players only answer for their own investigators.",
    ] = ""


def read_terms(data: object) -> TableTerms:
    """The terms in a JSON object. Raises :class:`Unreadable` with every fault."""
    terms: TableTerms = reading.read(TableTerms, data)
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
    """Whether every player answers what is asked at a table."""
    return bool(campaign.terms.get("answers", "") != RESTRICTED)


def terms_data(terms: TableTerms) -> dict[str, Any]:
    """The terms as JSON; what was not agreed on is left out."""
    return {key: value for key, value in TableTerms.data(terms).items() if value}


def orthodoxy(terms: TableTerms) -> Iterator[Finding]:
    """Under the Ultimatum of Orthodoxy nobody plays without a list (TABOO-02)."""
    without = [code for code, taboo in terms.taboos.items() if taboo == WITHOUT_TABOOS]
    if terms.taboo == WITHOUT_TABOOS or without:
        yield Finding(
            _("Under the Ultimatum of Orthodoxy every deck follows a taboo list."),
            rule="terms.orthodoxy",
            cards=tuple(without),
            actual=WITHOUT_TABOOS,
        )


def _is_list(taboo: str) -> bool:
    """Whether it can be the number of a taboo list."""
    return taboo.isascii() and taboo.isdigit() and len(taboo) <= LONGEST_LIST


def circumstances_of(terms: TableTerms, investigator: str = "") -> dict[str, Any]:
    """The table's terms for a deck, as the circumstances it is judged under."""
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
    """Deals weaknesses to the investigators of one table, one after the other."""

    def __init__(self, campaign: Campaign, state: State) -> None:
        self.campaign, self.state = campaign, state
        self.terms = read_terms(campaign.terms)
        self.decks = decks_of(campaign)
        self.dealt: list[str] = []

    def deal(self, code: str, traits: Sequence[str], seed: str) -> DrawRecord | None:
        """A weakness for an investigator; none where the pool has none for them."""
        cards = self.pool_for(code, traits)
        if not cards:
            return None
        record = draw_weakness(cards, seed)
        self.dealt.extend(record.result)
        return record

    def pool_for(self, code: str, traits: Sequence[str]) -> Mapping[str, int]:
        """What may come, by code, with the copies there are."""
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
        """What is settled about an investigator's deck; none for whom nobody knows."""
        content = self.decks.get(code) or empty_content(code)
        circumstances = content.circumstances | self.circumstances_of(code)
        return Judged(Content(content.deck, circumstances), current_judge()).frame

    def circumstances_of(self, code: str) -> dict[str, Any]:
        """The circumstances of an investigator's deck at the table."""
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
        """What lies in each deck, and what the log gave that is not yet there."""
        pool = current_judge().pool
        for code in {*self.decks, *self.state.people}:
            content, person = self.decks.get(code), self.state.people.get(code)
            listed = content.deck["slots"] if content else {}
            given = held_cards(person) if person is not None else {}
            # The deck may list another printing of what the log names.
            yield copies_by_card(listed, pool) | copies_by_card(given, pool)


def misnamed(given: Answer, pending: Pending | None) -> tuple[Finding, ...]:
    """What stands against the weaknesses that are named as drawn, if that is asked."""
    if pending is None or given.step != pending.step:
        return ()
    if pending.prompt not in ("weakness", CHOSEN_WEAKNESS):
        return ()
    named = tuple(card for cards in given.value.values() for card in cards)
    return tuple(are_weaknesses(Named(named, current_judge().pool, pending.traits)))


def decks_of(campaign: Campaign) -> dict[str, Content]:
    """The decks kept here that a table plays, by investigator."""
    seats: dict[int, Seat] = {
        seat.deck_id: seat
        for seat in campaign.seats.filter(deck__isnull=False)
        if seat.deck_id is not None
    }
    decks = Deck.objects.filter(pk__in=seats)
    return {seats[row.deck_id].investigator: row.content for row in latest(decks)}


def with_weaknesses(campaign: Campaign) -> frozenset[str]:
    """The investigators whose decks kept here have drawn their basic weaknesses."""
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
    """Traits as cards have them, whatever a guide writes them like."""
    wanted = {each.casefold() for each in traits}
    if not wanted:
        return []
    known = {trait for card in frame.pool.values() for trait in card.traits}
    return sorted(each for each in known if each.casefold() in wanted) or list(traits)


MOST_SHOWN = 5


class DeckCompliance(NamedTuple):
    """A deck by the terms of its table; ``notes`` are what stands against it.

    ``names_others`` says that the deck itself names another taboo list than the
    table, whose date is ``taboos`` (“” for none): its upgrades are priced by its own.
    """

    judged: Judged
    notes: tuple[Note, ...]
    names_others: bool
    taboos: str

    @property
    def shown(self) -> tuple[Note, ...]:
        """As many of them as a seat has room for."""
        return self.notes[:MOST_SHOWN]

    @property
    def left_out(self) -> int:
        """How many more there are."""
        return len(self.notes) - len(self.shown)


def standings(campaign: Campaign, replay: Replay) -> dict[str, DeckCompliance]:
    """The decks kept here that a table plays, by investigator."""
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
    """How a deck is played here; whether it is its first game, it says itself."""
    if is_alone:
        return Mode.STANDALONE.value
    own = str(content.circumstances.get("mode", ""))
    return Mode.START.value if own == Mode.START else Mode.CAMPAIGN.value


def _standing(
    content: Content, table: Mapping[str, Any], added: Mapping[str, Counter[str]]
) -> DeckCompliance:
    """What the table says comes before what the deck does; ``added`` goes with it."""
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
