"""The page of a scenario: its setup, draws and counters during play.

Random answers are drawn here, and frost tokens that stay are logged.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from arkham.rules.card import Card
from arkham.rules.chaos import Token
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import is_digits
from arkham.web.http import changed_in_place, page_or_fragment
from campaigns import queries, services
from campaigns.at_table.play_area import cards_alike, cards_of_deck, found_cards
from campaigns.at_table.skill_test import letters_of
from campaigns.models import Membership, Seat
from campaigns.pages.board import board_of
from campaigns.pages.scenario import area_of_player, playing, shown_scenario
from campaigns.people.rights import may_play, may_write
from campaigns.people.table import visitor_of
from campaigns.play import plays
from campaigns.play.addresses import name, number
from campaigns.play.areas import is_by_hand
from campaigns.play.in_play import Act, Behind
from campaigns.services import EntryRefused, Forbidden, LogMoved
from campaigns.views.reach import member, shows_later
from campaigns.views.table import refused, write_context
from campaigns.words.log_entries import text_of
from cardpool.catalog import current_pool
from decks.views.reach import not_understood, see_other, visible


@require_POST
def draw(request: HttpRequest, pk: int) -> HttpResponse:
    """Answer the current question at random."""
    sitting = member(request, pk)
    context = write_context(request)
    if context is None:
        return not_understood(request)
    try:
        services.draw_at_random(
            campaign=sitting.campaign, member=sitting, context=context
        )
    except (LogMoved, EntryRefused, Forbidden) as refusal:
        return refused(request, sitting, refusal)
    board = board_of(sitting)
    drawn = text_of(board.known.replay.used[-1], board.names)
    messages.success(request, _("You drew %(names)s.") % {"names": drawn})
    return see_other(reverse("campaigns:table", args=[pk]))


@require_POST
def draw_place(request: HttpRequest, pk: int) -> HttpResponse:
    """Draw random locations of the scenario."""
    sitting = member(request, pk)
    context, count = write_context(request), request.POST.get("count", "1")
    if context is None or not is_digits(count, 2):
        return not_understood(request)
    try:
        services.draw_place(
            campaign=sitting.campaign,
            member=sitting,
            scenario=request.POST.get("scenario", ""),
            step=request.POST.get("step", ""),
            count=int(count),
            context=context,
        )
    except (LogMoved, EntryRefused, Forbidden) as refusal:
        return refused(request, sitting, refusal)
    address = reverse("campaigns:scenario", args=[pk])
    return see_other(f"{address}#drawn-title")


@require_POST
def keep_frost(request: HttpRequest, pk: int) -> HttpResponse:
    """Log the frost tokens that stay in the bag."""
    sitting = member(request, pk)
    context = write_context(request)
    if context is None:
        return not_understood(request)
    try:
        services.keep_frost(
            campaign=sitting.campaign,
            member=sitting,
            scenario=request.POST.get("scenario", ""),
            context=context,
        )
    except (LogMoved, EntryRefused, Forbidden) as refusal:
        return refused(request, sitting, refusal)
    messages.success(request, _("Recorded: the frost tokens stay in the bag."))
    return see_other(reverse("campaigns:scenario", args=[pk]) + "#bag")


# The sections of the page that acts return to; all others return to the bag.
PLACES = dict.fromkeys(("tick", "untick"), "setup") | {"notes": "notepad"}
PLACES |= dict.fromkeys(("more", "less", "add", "drop"), "counters")
PLACES |= dict.fromkeys(("area", "round", "unround"), "areas")
PAGE, FRAGMENT = "campaigns/scenario.html", "campaigns/_scenario.html"


@changed_in_place
@require_http_methods(["GET", "HEAD", "POST"])
def scenario(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the current scenario, after an act if one is sent."""
    sitting = member(request, pk)
    if request.method == "POST":
        return _played(request, sitting)
    return _page(request, sitting)


def _played(request: HttpRequest, sitting: Membership) -> HttpResponse:
    act = act_of(request)
    refused = _refused(request, sitting, act, _page)
    if act is None or refused is not None:
        return refused or not_understood(request)
    if request.htmx:  # type: ignore[attr-defined]
        return _page(request, sitting)
    address = reverse("campaigns:scenario", args=[sitting.campaign_id])
    return see_other(f"{address}#{_place_of(act)}")


def _refused(
    request: HttpRequest,
    sitting: Membership,
    act: Act | None,
    page: Callable[..., HttpResponse],
) -> HttpResponse | None:
    """Perform an act; if that fails, return the page that says why."""
    which = request.POST.get("scenario", "")
    if act is None or not which:
        return not_understood(request)
    try:
        services.play(
            campaign=sitting.campaign,
            member=sitting,
            scenario=which,
            act=act,
            now=timezone.now(),
        )
    except Behind:
        return page(request, sitting, status=412, behind=act)
    except EntryRefused as refused:
        return page(request, sitting, status=422, findings=refused.findings)
    except Forbidden:
        return page(request, sitting, status=403, forbidden=True)
    return None


def act_of(request: HttpRequest) -> Act | None:
    """Return the act that a form asks for; ``do`` may have its object after a colon."""
    asked = request.POST
    act = read_act(asked.get("do", ""), asked.get("seen", ""), asked.get("key", ""))
    if act is not None and act.do in ("add", "notes"):
        return act._replace(what=asked.get("what", ""))
    return act


def read_act(text: str, seen: str, key: str) -> Act | None:
    """Return an act from a button's value: its kind, and after a colon its object."""
    do, _colon, what = text.partition(":")
    if not (do and is_digits(seen, 7)):
        return None
    return Act(do, what, int(seen), key[:100])


def _place_of(act: Act) -> str:
    """Return the section of the page an act belongs to."""
    return PLACES.get(act.do, "bag")


@require_POST
def reveal(request: HttpRequest, pk: int) -> HttpResponse:
    """Reveal a token for a skill test and show the test with it.

    Tokens that others revealed since the test was shown count instead, beside those
    chosen by hand. The bag of the test becomes the table's: tokens may have been added
    since.
    """
    sitting = member(request, pk)
    test = QueryDict(request.POST.get("test", ""), mutable=True)
    replay = board_of(sitting).known.replay
    scenario = plays.current(replay)
    stored = plays.stored_play(sitting.campaign, scenario, replay)
    drawn = test.get("drawn", "")
    chosen = drawn[len(drawn) - number(test.get("chosen", ""), 0, len(drawn)) :]
    if letters_of(stored.content.play.bag.revealed) + chosen == drawn:
        key = f"{test.get('seed', '')[:64]} {stored.version}"
        try:
            services.play(
                campaign=sitting.campaign,
                member=sitting,
                scenario=scenario,
                act=Act("d", "", stored.version, key),
                now=timezone.now(),
            )
        except (Behind, EntryRefused, Forbidden):
            return see_other(reverse("campaigns:scenario", args=[pk]) + "#bag")
        stored = plays.stored_play(sitting.campaign, scenario, replay)
    bag = stored.content.play.bag
    whole = bag.with_tokens(bag.revealed)
    for token in Token:
        test[f"n_{token}"] = str(whole[token])
    test["drawn"] = letters_of(bag.revealed) + chosen
    test.pop("do", None)
    return see_other(f"{reverse('table:test')}?{test.urlencode()}")


AREA_PAGE, AREA_FRAGMENT = "campaigns/area.html", "table/_area.html"


@changed_in_place
@require_http_methods(["GET", "HEAD", "POST"])
def area(request: HttpRequest, pk: int, code: str) -> HttpResponse:
    """Show an investigator's play area in the scenario, after an act if one is sent.

    A card is put in play by its code, or by a name that only one card has.
    """
    sitting = member(request, pk)
    if request.method != "POST":
        return _area_page(request, sitting, code=code)
    step, wanted = request.POST.get("do", ""), ""
    if not step:  # else a card chosen in the form waits for its own button
        wanted = name(request.POST.get("add") or request.POST.get("other", ""))
    found = found_cards(current_pool(), wanted) if wanted else ()
    if len(found) == 1:
        step = f"lay.{found[0].code}"
    seen, key = request.POST.get("seen", ""), request.POST.get("key", "")
    key = key and f"{key[:64]} {step}"  # each button of the page is a separate act
    if wanted and len(found) != 1:
        return _area_page(request, sitting, code=code, wanted=wanted, found=found)
    is_of_all = step in ("round", "unround")
    act = read_act(step if is_of_all else f"area:{code}/{step}", seen, key)
    refused = _refused(request, sitting, act, partial(_area_page, code=code))
    if refused is not None:
        return refused
    if request.htmx:  # type: ignore[attr-defined]
        return _area_page(request, sitting, code=code, by_hand=is_by_hand(step))
    return see_other(reverse("campaigns:area", args=[pk, code]))


def _area_page(
    request: HttpRequest,
    sitting: Membership,
    *,
    code: str,
    status: int = 200,
    wanted: str = "",
    found: tuple[Card, ...] = (),
    **more: Any,
) -> HttpResponse:
    mark = queries.mark_at(sitting.campaign)
    board = board_of(sitting)
    shown = area_of_player(board, code)
    if shown is None:
        raise Http404
    scenario = plays.current(board.known.replay)
    pool = board.names.pool
    context = {
        "board": board,
        "campaign": board.campaign,
        "member": sitting,
        "mark": mark,
        "plays": may_play(sitting),
        "player": shown.player,
        "others": [each for each in playing(board) if each.code != code],
        "area": shown.shown,
        "ability": shown.ability,
        "is_new_round": shown.is_new_round,
        "offered": _offered(request, shown.player.seat, pool),
        "scenario": scenario,
        "is_over": board.known.replay.state.statuses.get(scenario) in plays.OVER,
        "version": plays.version_of(board.campaign, scenario),
        "key": uuid.uuid4().hex,
        "wanted": wanted,
        "found": found,
        "alike": cards_alike(pool, wanted) if wanted and not found else [],
        **more,
    }
    return page_or_fragment(request, AREA_PAGE, AREA_FRAGMENT, context, status=status)


def _offered(request: HttpRequest, seat: Seat | None, pool: CardPool) -> list[Card]:
    """Return the cards that a seat's deck can put into play, if the visitor sees it."""
    if seat is None or seat.deck_id is None:
        return []
    try:
        latest = visible(request, seat.deck_id)
    except Http404:
        return []
    return cards_of_deck(latest.content.deck["slots"], pool)


@require_safe
def news(request: HttpRequest, pk: int) -> HttpResponse:
    """Return 204 if the scenario is as it was shown, else a notice."""
    mark = queries.mark_of(pk, visitor_of(request))
    if mark is None:
        raise Http404
    if mark.is_seen(request.GET):
        return HttpResponse(status=204)
    context = {"campaign": member(request, pk).campaign}
    fragment = "campaigns/_scenario_news.html"
    return page_or_fragment(request, fragment, fragment, context)


def _page(
    request: HttpRequest, sitting: Membership, *, status: int = 200, **more: Any
) -> HttpResponse:
    # Counted first: acts that happen meanwhile are news afterwards.
    mark = queries.mark_at(sitting.campaign)
    board = board_of(sitting)
    context = {
        "board": board,
        "campaign": board.campaign,
        "mark": mark,
        "member": sitting,
        "plays": may_play(sitting),
        "writes": may_write(sitting),
        "shown": shown_scenario(board),
        "shows_later": shows_later(request, sitting.campaign_id),
        "key": uuid.uuid4().hex,
        **more,
    }
    return page_or_fragment(request, PAGE, FRAGMENT, context, status=status)
