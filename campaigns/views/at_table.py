"""Helpers for the table: tests and their odds, the round, an elimination, decks, areas.

The address of each is its whole state. At a campaign's table the odds of a test are
shown while cards are committed, then the draw and its result.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseRedirect,
    QueryDict,
)
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from arkham.rules.card import Card
from arkham.rules.chaos import ChaosBag, Token
from arkham.rules.chaos.starting import Difficulty, scenarios, starting_bags
from arkham.rules.odds import MOST_OF_A_KIND
from arkham.rules.play.area import PlayArea
from arkham.rules.play.pile import PileKind
from arkham.rules.vocabulary import is_digits
from arkham.web.http import page_or_fragment
from campaigns.at_table.odds import shown_odds
from campaigns.at_table.play_area import (
    cards_alike,
    cards_of_deck,
    found_cards,
    investigators,
    shown_area,
)
from campaigns.at_table.rounds import HOW, SETTINGS, tracked, walk_of
from campaigns.at_table.skill_test import (
    LIMITS,
    MAY_VARY,
    VARIES,
    Numbers,
    Trial,
    drawn_of,
    pairs_of,
    skills_of,
    varying_symbols,
    with_symbol_counted,
)
from campaigns.at_table.small_deck import SmallDeck, listed, read_deck, tekeli_li
from campaigns.forms.odds import (
    NO_SYMBOLS,
    USUAL,
    OddsForm,
    SourceForm,
    filled,
    is_asked,
)
from campaigns.play import areas
from campaigns.play.addresses import (
    LONGEST_SEED,
    Pairs,
    digits,
    name,
    number,
    of_campaign,
    text_value,
)
from campaigns.play.areas import changed, is_by_hand, laid, opened, read_area
from campaigns.play.bag import practice_of, query_of, read_steps
from cardpool.catalog import current_judge, current_pool
from decks.draws.drawing import new_seed
from decks.pages.display import Judged
from decks.views.reach import visible


@require_safe
def bag(request: HttpRequest) -> HttpResponse:
    """Show a bag to draw from, with tokens to return, seal, add and take out.

    An address with a step to take redirects to the one after that step.
    """
    asked = request.GET
    seed = asked.get("seed", "")[:LONGEST_SEED] or new_seed()
    steps = [*read_steps(asked.get("steps", "")), *read_steps(asked.get("do", ""))]
    practice = practice_of(_start(asked), seed, read_steps(".".join(steps)))
    if "do" in asked or "seed" not in asked:
        query = query_of(practice, practice.steps)
        return HttpResponseRedirect(f"{reverse('odds:bag')}?{query}")
    context = {
        "practice": practice,
        "back": query_of(practice, practice.steps[:-1]),
        "again": query_of(practice, ()),
    }
    return page_or_fragment(
        request, "campaigns/bag.html", "campaigns/_bag.html", context
    )


def _start(asked: QueryDict) -> ChaosBag:
    """Return the bag at the start; a usual one if the address has none."""
    found = {token.value: _count(asked.get(f"n_{token}", "")) for token in Token}
    if any(found.values()):
        return ChaosBag.of(found)
    return starting_bags(scenarios()[USUAL])[Difficulty.STANDARD]


def _count(text: str) -> int:
    return min(int(text), MOST_OF_A_KIND) if is_digits(text, 2) else 0


@require_safe
def odds(request: HttpRequest) -> HttpResponse:
    """Show the odds of passing a test.

    An address with a scenario fills the form with its bag; one with a test shows the
    odds; any other starts with a usual bag.
    """
    asked = request.GET
    source = SourceForm(asked if "scenario" in asked else None)
    scenario, level = scenarios()[USUAL], Difficulty.STANDARD
    if source.is_valid():
        scenario = scenarios()[source.cleaned_data["scenario"]]
        level = Difficulty(source.cleaned_data["level"])
    values, symbols = filled(scenario, level)
    if is_asked(asked):
        form = OddsForm(asked, symbols=symbols if source.is_bound else NO_SYMBOLS)
    else:
        usual = {"skill": 4, "difficulty": 3, "reveal": "1"}
        form = OddsForm({**usual, **values}, symbols=symbols)
    context: dict[str, Any] = {"form": form, "source": source, "odds": None}
    if form.is_valid():
        data = form.cleaned_data
        context["odds"] = shown_odds(form.test(), data["skill"], data["difficulty"])
        context["skill"], context["difficulty"] = data["skill"], data["difficulty"]
    status = 422 if form.errors or source.errors else 200
    return page_or_fragment(
        request, "campaigns/odds.html", "campaigns/_odds.html", context, status=status
    )


@require_safe
def skill_test(request: HttpRequest) -> HttpResponse:
    """Show a skill test; an address with an act redirects to the one after it.

    An address without tokens starts with a usual bag, or with a scenario's.
    """
    asked = with_symbol_counted(request.GET)
    source = SourceForm(asked if "scenario" in asked else None)
    form = _form(asked, source)
    status = 200 if form.is_valid() else 422
    if not form.is_valid():
        form = _form(QueryDict(), SourceForm())
        form.is_valid()
    trial = _trial(asked, form)
    card = current_pool().get_card(text_value(asked, "investigator"))
    if status == 200 and ("do" in asked or not text_value(asked, "seed")):
        pairs = _pairs(trial.after(text_value(asked, "do")), card, form)
        return HttpResponseRedirect(f"{reverse('table:test')}?{urlencode(pairs)}")
    context = {**_context(trial, card, form), "source": source, "unread": status == 422}
    return page_or_fragment(
        request, "table/test.html", "table/_test.html", context, status=status
    )


def _context(trial: Trial, card: Card | None, form: OddsForm) -> dict[str, Any]:
    """Return the context of a test's page, with the addresses that lead on."""
    fields = {*LIMITS, *(key for key, *_ in trial.assumed)}
    kept = [each for each in _pairs(trial, card, form) if each[0] not in fields]
    return {
        "trial": trial,
        "pairs": kept,
        "investigator": card,
        "skills": skills_of(card),
        "investigators": investigators(current_pool()),
        "title": _("Skill test: %(name)s") % {"name": card.name}
        if card
        else _("Skill test"),
        "onward": urlencode(_pairs(trial.following(), card, form)),
        "bag": urlencode(_for_odds(trial, form)),
    }


def _pairs(trial: Trial, card: Card | None, form: OddsForm) -> Pairs:
    return pairs_of(trial, card.code if card else "", _meanings(form))


def _form(asked: QueryDict, source: SourceForm) -> OddsForm:
    """Return the form of bag and symbols: as asked, a scenario's, or a usual one."""
    numbers = {"skill": 0, "difficulty": 0, "reveal": "1"}
    if _is_bag(asked):
        sent = {
            key: value for key, value in asked.items() if key[:2] in ("n_", "m_", "e_")
        }
        return OddsForm({**sent, **numbers})
    scenario, level = scenarios()[USUAL], Difficulty.STANDARD
    if source.is_valid():
        scenario = scenarios()[source.cleaned_data["scenario"]]
        level = Difficulty(source.cleaned_data["level"])
    values, symbols = filled(scenario, level, text_value(asked, "investigator"))
    return OddsForm({**numbers, **values}, symbols=symbols)


def _trial(asked: QueryDict, form: OddsForm) -> Trial:
    usual = Numbers()
    counted = {
        name: number(text_value(asked, name), getattr(usual, name), most)
        for name, most in LIMITS.items()
    }
    test = form.test()
    text = text_value(asked, "drawn")
    chosen = number(text_value(asked, "chosen"), 0, len(text))
    drawn = drawn_of(test, text)
    of_the_table = drawn_of(test, text[: len(text) - chosen])
    varying = _varying(asked) if _is_bag(asked) else varying_symbols(form.symbols)
    return Trial(
        test,
        Numbers(**counted),
        text_value(asked, "seed")[:LONGEST_SEED] or new_seed(),
        drawn,
        tuple(token for token in MAY_VARY if token in varying and test.bag[token]),
        digits(asked, "campaign"),
        len(drawn) - len(of_the_table),
    )


def _is_bag(asked: QueryDict) -> bool:
    """Return whether an address says what is in the bag."""
    return any(text_value(asked, f"n_{token}") for token in Token)


def _varying(asked: QueryDict) -> set[Token]:
    """Return the tokens that vary, by the address, or that it doesn't mention."""
    named = {*asked.getlist(VARIES)}
    return {token for token in MAY_VARY if token in named or f"m_{token}" not in asked}


def _meanings(form: OddsForm) -> Pairs:
    """Return the meanings of the symbols in the bag, as parts of an address."""
    data = form.cleaned_data
    pairs: Pairs = []
    for row in form.asked():
        if data[f"n_{row.token}"]:
            pairs.append((f"m_{row.token}", data[f"m_{row.token}"] or 0))
            if data[f"e_{row.token}"]:
                pairs.append((f"e_{row.token}", data[f"e_{row.token}"]))
    return pairs


def _for_odds(trial: Trial, form: OddsForm) -> Pairs:
    """Return the address of the same test on the odds page."""
    pairs: Pairs = [
        ("skill", trial.numbers.total),
        ("difficulty", trial.numbers.difficulty),
        ("reveal", "1"),
    ]
    pairs += [(f"n_{token}", count) for token, count in trial.test.bag.counts]
    return pairs + _meanings(form)


BEGUN = ("resources", "hand")  # a deck provides these, and an address may override them


@require_safe
def play_area(request: HttpRequest) -> HttpResponse:
    """Show a play area; an address with an act redirects to the one after it.

    An address with only a deck starts with that deck's opening.
    """
    asked, pool = request.GET, current_pool()
    area, deck = read_area(asked, pool), text_value(asked, "deck")
    step = text_value(asked, "do")
    if step:
        return _area_address(changed(area, step), deck, by_hand=is_by_hand(step))
    wanted = name(text_value(asked, "add") or text_value(asked, "other"))
    found = found_cards(pool, wanted) if wanted else ()
    if len(found) == 1:
        return _area_address(laid(area, found[0]), deck)
    judged = _deck(request, deck)
    if judged is not None and "actions" not in asked:
        return _area_address(_begun_area(area, judged, asked), deck)
    context: dict[str, Any] = {
        "area": shown_area(area, pool),
        "pairs": areas.pairs_of(area, deck),
        "found": found,
        "wanted": wanted,
        "alike": cards_alike(pool, wanted) if wanted and not found else [],
        "offered": cards_of_deck(judged.content.deck["slots"], pool) if judged else [],
        "investigators": [] if area.investigator else investigators(pool),
        "deck": deck if judged else "",
        "by_hand": "by-hand" in asked,
    }
    return page_or_fragment(request, "table/area.html", "table/_area.html", context)


def _area_address(area: PlayArea, deck: str, *, by_hand: bool = False) -> HttpResponse:
    query = areas.query_of(area, deck) + ("&by-hand=1" if by_hand else "")
    return HttpResponseRedirect(f"{reverse('table:area')}?{query}")


def _deck(request: HttpRequest, text: str) -> Judged | None:
    """Return the deck of an address, if the visitor may see it."""
    if not is_digits(text, 11):
        return None
    try:
        revision = visible(request, int(text))
    except Http404:
        return None
    return Judged(revision.content, current_judge())


def _begun_area(area: PlayArea, judged: Judged, asked: QueryDict) -> PlayArea:
    """Return the deck's opening play area; values in the address are kept."""
    if judged.built is None:
        return area
    begun = opened(judged.built, area, judged.investigator)
    kept = {each: getattr(area, each) for each in BEGUN if each in asked}
    return replace(begun, **kept)


@require_safe
def pile(request: HttpRequest) -> HttpResponse:
    """Show a small deck; an address with an act redirects to the one after it.

    Without cards, ask for the kind of deck and its cards; an address may list them.
    """
    asked = request.GET
    if "begin" in asked:
        return _address(_begun(asked))
    deck = read_deck(asked)
    if deck.cards and ("do" in asked or not deck.seed):
        return _address(_whole(deck))
    context = {"deck": deck, "given": asked, "campaign": deck.campaign}
    return page_or_fragment(request, "table/deck.html", "table/_deck.html", context)


def _address(pairs: Pairs) -> HttpResponse:
    return HttpResponseRedirect(f"{reverse('table:deck')}?{urlencode(pairs)}")


def _whole(deck: SmallDeck) -> Pairs:
    pairs = [each for each in deck.pairs if each[0] != "seed"]
    return [*pairs, ("seed", deck.seed or new_seed()), ("steps", ".".join(deck.steps))]


def _begun(asked: QueryDict) -> Pairs:
    """Return the deck that the form describes; the sixteen for Tekeli-li."""
    kind = text_value(asked, "kind")
    cards = tekeli_li(current_pool()) if kind == PileKind.TEKELI_LI else listed(asked)
    players: Pairs = [("player", each) for each in asked.getlist("player") if each]
    back = of_campaign(digits(asked, "campaign"))
    return [("kind", kind), *cards, *players, ("seed", new_seed()), *back]


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """List the helpers."""
    return render(request, "table/index.html")


@require_safe
def game_round(request: HttpRequest) -> HttpResponse:
    """Show the phases with their player windows, and the current moment."""
    moment = tracked(request.GET)
    context = {"tracked": moment, "campaign": moment.campaign}
    return page_or_fragment(request, "table/round.html", "table/_round.html", context)


@require_safe
def elimination(request: HttpRequest) -> HttpResponse:
    """Show the steps of an elimination, one at a time."""
    pool = current_pool()
    walk = walk_of(request.GET, pool)
    context = {
        "walk": walk,
        "how": HOW.items(),
        "settings": SETTINGS.items(),
        "investigator": pool.get_card(text_value(request.GET, "investigator")),
        "asked": request.GET,
        "campaign": digits(request.GET, "campaign"),
    }
    return page_or_fragment(
        request, "table/elimination.html", "table/_elimination.html", context
    )
