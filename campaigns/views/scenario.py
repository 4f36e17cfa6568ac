"""The page of a scenario: what is laid out, drawn and counted in play.

What a question leaves to chance is drawn here, and what the bag keeps is written.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from arkham.rules.card import Card
from arkham.rules.pool import CardPool
from arkham.web.http import changed_in_place, page_or_fragment
from campaigns import queries, services
from campaigns.at_table.play_area import cards_alike, cards_of_deck, found_cards
from campaigns.models import Membership, Seat
from campaigns.pages.board import board_of
from campaigns.pages.scenario import area_of_player, playing, shown_scenario
from campaigns.people.rights import may_play, may_write
from campaigns.people.table import visitor_of
from campaigns.play import plays
from campaigns.play.addresses import name
from campaigns.play.areas import is_by_hand
from campaigns.play.in_play import Act, Behind
from campaigns.services import EntryRefused, Forbidden, LogMoved
from campaigns.views.reach import member, shows_later
from campaigns.views.table import refused, write_context
from cardpool.catalog import current_pool
from decks.views.reach import not_understood, see_other, visible


@require_POST
def draw(request: HttpRequest, pk: int) -> HttpResponse:
    """Let chance answer what is asked now."""
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
    messages.success(request, _("Drawn. The log has the result and its record."))
    return see_other(reverse("campaigns:table", args=[pk]))


@require_POST
def draw_place(request: HttpRequest, pk: int) -> HttpResponse:
    """Let chance name a place of the scenario."""
    sitting = member(request, pk)
    context, count = write_context(request), request.POST.get("count", "1")
    if context is None or not (count.isascii() and count.isdigit() and len(count) < 3):
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
    """Write into the log the frost tokens that stay in the bag."""
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


# The parts of the page that acts belong to; the others belong to the bag.
PLACES = dict.fromkeys(("tick", "untick"), "setup") | {"notes": "notepad"}
PLACES |= dict.fromkeys(("more", "less", "add", "drop"), "counters")
PLACES |= dict.fromkeys(("area", "round", "unround"), "areas")
PAGE, FRAGMENT = "campaigns/scenario.html", "campaigns/_scenario.html"


@changed_in_place
@require_http_methods(["GET", "HEAD", "POST"])
def scenario(request: HttpRequest, pk: int) -> HttpResponse:
    """The scenario the table is at; with something done, as it is then."""
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
    """Do what is asked; where that can't be done, the page that says why."""
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
    """What a form asks for; ``do`` may have what it concerns behind a colon."""
    asked = request.POST
    act = read_act(asked.get("do", ""), asked.get("seen", ""), asked.get("key", ""))
    if act is not None and act.do in ("add", "notes"):
        return act._replace(what=asked.get("what", ""))
    return act


def read_act(text: str, seen: str, key: str) -> Act | None:
    """An act as a button has it: a word, and behind a colon what it concerns."""
    do, _colon, what = text.partition(":")
    if not (do and seen.isascii() and seen.isdigit() and len(seen) < 8):
        return None
    return Act(do, what, int(seen), key[:100])


def _place_of(act: Act) -> str:
    """The part of the page an act belongs to."""
    return PLACES.get(act.do, "bag")


AREA_PAGE, AREA_FRAGMENT = "campaigns/area.html", "table/_area.html"


@changed_in_place
@require_http_methods(["GET", "HEAD", "POST"])
def area(request: HttpRequest, pk: int, code: str) -> HttpResponse:
    """An investigator's play area in the scenario; with something done, as it is then.

    A card is laid down by its code, or by a name that only one card has.
    """
    sitting = member(request, pk)
    if request.method != "POST":
        return _area_page(request, sitting, code=code)
    step, wanted = request.POST.get("do", ""), ""
    if not step:  # else a card that is chosen in the form waits for its own button
        wanted = name(request.POST.get("add") or request.POST.get("other", ""))
    found = found_cards(current_pool(), wanted) if wanted else ()
    if len(found) == 1:
        step = f"lay.{found[0].code}"
    seen, key = request.POST.get("seen", ""), request.POST.get("key", "")
    key = key and f"{key[:64]} {step}"  # another button of the page is another act
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
    """The cards that the deck at a seat can put into play, if the visitor sees it."""
    if seat is None or seat.deck_id is None:
        return []
    try:
        latest = visible(request, seat.deck_id)
    except Http404:
        return []
    return cards_of_deck(latest.content.deck["slots"], pool)


@require_safe
def news(request: HttpRequest, pk: int) -> HttpResponse:
    """Whether the scenario is as it was shown: 204, or that it is not."""
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
    # Counted first: what is done meanwhile is news then.
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
