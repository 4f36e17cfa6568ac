"""Finders for particular keys: names, text, products, taboo, access."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from functools import cache

from django.db.models import Q
from django.utils.translation import gettext as _

from arkham.rules import card as card_facts
from arkham.rules.card import TabooList
from arkham.rules.gists import all_gists
from cardpool import access
from cardpool.models import CardText, Printing, TabooEntry
from cardpool.search.conditions import (
    CODE,
    COMPARISONS,
    NO,
    YES,
    Context,
    Expected,
    Finder,
    Found,
    abridged,
    by_values,
    digits,
    known_word,
    listed,
    one_number,
    question,
    refused,
)
from cardpool.search.lexicon import Codes, Index, Words, nearest
from cardpool.search.query import Condition, Name, SearchValue
from cardpool.words import MARKS, MARKS_OF_GISTS, fold

# -- names and text --


def _folded(value: SearchValue) -> str:
    wanted = fold(value.text)
    if not wanted:
        raise refused(value, _("letters or digits"))
    return wanted


def bare_name(name: Name, index: Index) -> Codes:
    """Return cards whose name or subtitle has one of the words, or with such a code."""
    return Codes().union(*(_named(value, index) for value in name.values))


def bare_words(name: Name, index: Index) -> Codes:
    """Return the cards of ``bare_name``, and those with a matching trait or gist."""
    having = (index.having(_folded(value)) for value in name.values)
    return bare_name(name, index).union(*having)


def _named(value: SearchValue, index: Index) -> Codes:
    code = value.text.casefold()
    if CODE.fullmatch(code):
        return index.printed_as(code)
    return index.named(_folded(value))


def by_name(condition: Condition, context: Context) -> Found:
    """Match ``name:`` in the name or subtitle, ``name=`` with the whole name."""
    is_whole = condition.operator == "="
    one = context.index.called if is_whole else context.index.named
    return by_values(condition, lambda value: one(_folded(value)))


def by_text(condition: Condition, context: Context) -> Found:
    """Match a part of the gist, or of an imported printed text."""
    has_texts = CardText.objects.exists()

    def one(value: SearchValue) -> Found:
        wanted = _folded(value)
        found = context.index.saying(wanted)
        if not has_texts:
            return found
        texts = CardText.objects.filter(folded__contains=wanted).values("card_id")
        return question(found) | Q(pk__in=texts)

    return by_values(condition, one)


# -- products --


def by_pack(condition: Condition, context: Context) -> Found:
    """Match a product that contains a printing of the card."""
    known = context.lexicon.packs

    def one(value: SearchValue) -> Q:
        packs = abridged(value, known, _("the name or code of a product"))
        held = {
            code for pack in packs for code in context.lexicon.pool.packs[pack].holds
        }
        return _printed_in(pack__in=packs | held)

    return by_values(condition, one)


def by_cycle(condition: Condition, context: Context) -> Found:
    """Match a cycle in which a printing of the card appeared."""
    known = context.lexicon.cycles
    expects = _("the name, code or number of a cycle")
    return by_values(
        condition,
        lambda value: _printed_in(pack__cycle__in=abridged(value, known, expects)),
    )


def by_quantity(condition: Condition, _context: Context) -> Found:
    """Match the number of copies in one product."""
    expects = _("a number")
    if condition.operator in COMPARISONS:
        limit = one_number(condition, expects)
        lookup = COMPARISONS[condition.operator]
        return _printed_in(**{f"quantity__{lookup}": limit})
    return by_values(
        condition,
        lambda value: _printed_in(quantity=digits(value, value.text, expects)),
    )


def _printed_in(**terms: object) -> Q:
    return Q(pk__in=Printing.objects.filter(**terms).values("card_id"))


MOST_INVESTIGATORS = 5  # in one search, because each takes some time
DATE = re.compile(r"(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?")


def by_release(condition: Condition, _context: Context) -> Found:
    """Match when the card first appeared: a year, month or day; ``now`` is today."""

    def span(value: SearchValue) -> tuple[str, str]:
        """Return the first and last day of a date."""
        text = value.text.casefold()
        if text == "now":
            text = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
        if not DATE.fullmatch(text):
            raise refused(value, _("a date such as 2021, 2021-06 or 2021-06-28"))
        return text + "-01-01"[len(text) - 4 :], text + "-12-31"[len(text) - 4 :]

    def one(value: SearchValue) -> Q:
        return Q(first_pack__released__range=span(value))

    if condition.operator not in COMPARISONS:
        return by_values(condition, one)
    if len(condition.values) > 1:
        raise refused(condition.values[1], _("one date to compare with"))
    first, last = span(condition.values[0])
    limit = first if condition.operator in ("<", ">=") else last
    lookup = COMPARISONS[condition.operator]
    compared = Q(**{f"first_pack__released__{lookup}": limit})
    return compared & ~Q(first_pack__released="")


# -- taboo lists, marks, access --


def taboo_list(value: SearchValue, context: Context) -> TabooList:
    """Return the taboo list with this id or date, or the latest."""
    pool = context.lexicon.pool
    found = pool.taboo_list(value.text.casefold())
    if found is None:
        dates = ", ".join(each.date for each in pool.taboo_lists)
        raise refused(
            value,
            _("latest, any, or the id or date of a list: %(dates)s") % {"dates": dates},
        )
    return found


def by_taboo(condition: Condition, context: Context) -> Found:
    """Match cards on a taboo list: ``latest``, ``any``, an id or a date."""

    def one(value: SearchValue) -> Q:
        entries = TabooEntry.objects.all()
        if value.text.casefold() != "any":
            entries = entries.filter(taboo_list=taboo_list(value, context).id)
        return Q(pk__in=entries.values("card_id"))

    return by_values(condition, one)


def by_taboo_effect(effects: Words, expects: Expected) -> Finder:
    """Match cards that the taboo list in use, or the latest, changes in one way."""

    def find(condition: Condition, context: Context) -> Found:
        used = context.taboo or context.lexicon.pool.taboo_list("latest")

        def one(value: SearchValue) -> Q:
            effect = known_word(value, effects, expects)
            entries = TabooEntry.objects.filter(
                listed("effects", effect), taboo_list=used.id if used else 0
            )
            return Q(pk__in=entries.values("card_id"))

        return by_values(condition, one)

    return find


def by_mark(condition: Condition, context: Context) -> Found:
    """Match ``is:unique``, ``is:permanent`` …, and ``is:fast``, which is in gists."""
    known = {fold(name): name for name in (*MARKS, *MARKS_OF_GISTS)}
    expects = ", ".join((*MARKS, *MARKS_OF_GISTS))

    def one(value: SearchValue) -> Found:
        mark = known_word(value, known, expects)
        if mark not in MARKS_OF_GISTS:
            return listed("marks", mark)
        without, cards = MARKS_OF_GISTS[mark][2], context.lexicon.pool.values()
        return _by_gist(mark).difference(c.code for c in cards if c.type in without)

    return by_values(condition, one)


@cache
def _by_gist(mark: str) -> Codes:
    """Return the codes of the cards with a mark that only gists have."""
    pattern, is_there, _without = MARKS_OF_GISTS[mark]
    gists = all_gists().items()
    return frozenset(
        code for code, gist in gists if bool(pattern.search(gist.text)) is is_there
    )


def by_owner(condition: Condition, context: Context) -> Found:
    """Match cards that only one investigator may have."""
    return by_values(
        condition, lambda value: listed("owners", _investigator(value, context).code)
    )


def by_bond(condition: Condition, context: Context) -> Found:
    """Match bonded cards: all of them (``yes``), or those that a title brings."""
    known = context.lexicon.bonded_to

    def one(value: SearchValue) -> Q:
        said = value.text.casefold()
        if said in YES:
            return listed("marks", "bonded")
        if said in NO:
            return ~listed("marks", "bonded")
        expects = _("yes, no or the title of a card that has bonded cards")
        return listed("bonded_to", fold(known_word(value, known, expects)))

    return by_values(condition, one)


def by_access(condition: Condition, context: Context) -> Found:
    """Match cards that an investigator may include, as decks are judged."""

    def one(value: SearchValue) -> Codes:
        card = _investigator(value, context)
        context.asked.add(card.code)
        if len(context.asked) > MOST_INVESTIGATORS:
            raise refused(
                value,
                _("fewer investigators"),
                message=_("A search can name at most %(most)d investigators.")
                % {"most": MOST_INVESTIGATORS},
            )
        return access.includable(context.lexicon.pool, card, context.taboo)

    return by_values(condition, one)


def _investigator(value: SearchValue, context: Context) -> card_facts.Card:
    """Return the investigator with this code, or with this name if it is unique."""
    expects = _("the code or name of an investigator")
    named: Mapping[str, tuple[card_facts.Card, ...]] = context.lexicon.investigators
    if CODE.fullmatch(value.text.casefold()):
        card = context.lexicon.pool.get_card(value.text.casefold())
        if card is None or card.investigator is None or card.investigator.back is None:
            raise refused(value, expects)
        return card
    wanted = fold(value.text)
    found = [
        card
        for name, cards in named.items()
        if name == wanted or (len(wanted) > 2 and wanted in name)
        for card in cards
    ]
    if wanted in named:
        found = list(named[wanted])
    if not found:
        raise refused(value, expects, nearest(value.text, named))
    if len(found) > 1:
        offered = ", ".join(f"{card.name} {card.code}" for card in found[:8])
        raise refused(
            value,
            _("the code of one of them: %(offered)s") % {"offered": offered},
            message=_("“%(found)s” is the name of several investigators.")
            % {"found": value.text},
        )
    return found[0]
