"""A table's campaign: the current question, and the answers to it.

The total of the cards ticked in a victory display is counted meanwhile.
"""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.vocabulary import is_digits
from arkham.web.http import changed_in_place, page_or_fragment
from campaigns import queries, services
from campaigns.forms.corrections import CorrectionContext
from campaigns.log import store
from campaigns.models import Membership
from campaigns.pages.board import Board, board_of, outcome_of, replayed_with
from campaigns.pages.deck_links import desks_of
from campaigns.pages.set_up import is_to_lay_out
from campaigns.pages.timeline import are_long, is_asked_still, new_texts, unsent_of
from campaigns.pages.ultimatums import to_draw
from campaigns.people import rights
from campaigns.people.table import visitor_of
from campaigns.questions.asking import answer_of
from campaigns.questions.cards import card_gains
from campaigns.questions.display_form import filled_display, points_text
from campaigns.questions.people import LEAD, lead_field, lead_of
from campaigns.questions.question import Misfilled, QuestionField
from campaigns.services import EntryRefused, Forbidden, LogMoved, WriteContext
from campaigns.services.entering import may_be_entered
from campaigns.services.play import is_drawn
from campaigns.settling.outcome import is_settled
from campaigns.views.reach import member, refusal_context, shows_later
from campaigns.words.changes import ChangesInWords
from decks.views.reach import not_understood, see_other


@require_safe
def counted(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the points of the display as filled in so far; nothing is written."""
    message = points_message(board_of(member(request, pk)), request.GET)
    if message is None:
        return HttpResponse(status=204)
    return render(request, "campaigns/_counted.html", {"message": message})


def points_message(board: Board, filled: QueryDict) -> str | None:
    """Return the points of the cards filled in; None if no display is asked for."""
    question = board.question
    if question is None or not question.pending.is_display:
        return None
    try:
        return points_text(filled_display(board.asking, question, filled))
    except Misfilled as wrong:
        return str(wrong)


# Contexts whose page explains a refusal, under the id "refused".
SAID_WHY = frozenset({"wrong", "findings", "needs"})
UPGRADES = frozenset({"$upgrade_decks", "$save_decks"})
DRAWS = frozenset({"weakness", "randomizer"})  # prompts that chance usually answers
LONGEST_PLACE = 6  # digits of an entry's number
PAGE, FRAGMENT = "campaigns/table.html", "campaigns/_table.html"


@changed_in_place
@require_http_methods(["GET", "HEAD", "POST"])
def table(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the campaign; with an answer, its next question."""
    sitting = member(request, pk)
    if request.method == "POST":
        return _answered(request, sitting)
    board = board_of(sitting)
    if request.htmx and _waits_still(request, board):  # type: ignore[attr-defined]
        return HttpResponse(status=204)
    return _page(request, sitting, board=board)


def _waits_still(request: HttpRequest, board: Board) -> bool:
    """Return whether the answer from the linked campaign is still to come."""
    if board.question is None or not board.question.pending.is_from_linked:
        return False
    return board.question.pending.step == request.GET.get("waiting")


def _answered(request: HttpRequest, sitting: Membership) -> HttpResponse:
    """Save an answer, or first show its consequences."""
    context = write_context(request)
    board = board_of(sitting)
    if context is None:
        return not_understood(request)
    if context.after != board.campaign.last:
        if store.is_written(sitting, context.key):
            return _gone_on(request, sitting)  # sent again: it is saved already
        if not is_asked_still(board, context.after):
            return _unsent(request, sitting, context)
        context = context._replace(after=board.campaign.last)
    if board.question is None:
        return not_understood(request)
    if "change" in request.POST:
        return _page(request, sitting, board=board, given=request.POST)
    try:
        given = answer_of(board.asking, board.question, request.POST)
        gains = card_gains(board.asking, board.question, request.POST)
    except Misfilled as wrong:
        return _page(
            request, sitting, status=422, board=board, wrong=wrong, given=request.POST
        )
    try:
        outcome = None if "confirm" in request.POST else _outcome(board, given)
        if outcome is not None:
            return _page(
                request, sitting, board=board, outcome=outcome, given=request.POST
            )
        own = _marked(request, sitting, board)
        if gains:
            services.report_card_gains(
                campaign=sitting.campaign,
                member=sitting,
                gains=gains,
                done=None if "cards" in request.POST or own else given,
                context=context,
            )
        elif not own and "cards" not in request.POST:
            _answer(sitting, given, context)
            if lead := lead_of(given, request.POST.get(LEAD, "")):
                after, key = sitting.campaign.last, f"{context.key}-{LEAD}"
                _answer(sitting, lead, context._replace(after=after, key=key))
        if own:
            services.mark_up_to_date(
                campaign=sitting.campaign,
                codes=own,
                member=sitting,
                now=context.now,
                is_done=request.POST["own"] != "no",
            )
    except LogMoved:
        sitting.campaign.refresh_from_db()
        return _unsent(request, sitting, context)
    except (EntryRefused, Forbidden) as refusal:
        return refused(request, sitting, refusal, given=request.POST)
    return _gone_on(request, sitting)


def _answer(sitting: Membership, given: Answer, context: WriteContext) -> None:
    services.answer(
        campaign=sitting.campaign, member=sitting, given=given, context=context
    )


def _marked(request: HttpRequest, sitting: Membership, board: Board) -> frozenset[str]:
    """Return the investigators whose decks the visitor marks as (not) up to date."""
    if "own" not in request.POST:
        return frozenset()
    return rights.own_upgrades(sitting, board.known.replay.pending)


def _unsent(
    request: HttpRequest, sitting: Membership, context: WriteContext
) -> HttpResponse:
    """Show the table as it is now, with the answer that was not saved.

    If it can still be given, the form has it, with its old key. If someone else gave
    the same answer, the table just goes on.
    """
    board = board_of(sitting)
    unsent = unsent_of(board, request.POST, context.after)
    if unsent.is_same:
        return _gone_on(request, sitting)
    more: dict[str, Any] = {"given": request.POST, "sent_key": context.key}
    if unsent.is_asked:
        more["key"] = context.key
    else:
        more["filled"] = _filled(board, {})
    response = _page(request, sitting, status=409, unsent=unsent, **more)
    response["HX-Reswap"] = "innerHTML show:#unsent:top"
    return response


def _gone_on(request: HttpRequest, sitting: Membership) -> HttpResponse:
    """Show the table as it is now."""
    if request.htmx:  # type: ignore[attr-defined]
        return _page(request, sitting)
    return see_other(reverse("campaigns:table", args=[sitting.campaign_id]) + "#new")


def _outcome(board: Board, given: Answer) -> ChangesInWords | None:
    """Return what an answer changes if decks are settled after it, to confirm."""
    if board.question is None or board.question.is_upgrade:
        return None
    after = replayed_with(board, given)
    if not _settles(board, given, after):
        return None
    services.require_possible(board.campaign, board.member, board.known, given)
    outcome = outcome_of(board, given.scenario, after)
    return None if outcome.is_nothing else outcome


def running(board: Board) -> ChangesInWords | None:
    """Return what the current game has changed; None before it is over.

    The last game's changes are shown until the next one begins.
    """
    replay, settled = board.known.replay, board.settled
    started = [each.id for each in replay.scenarios if each.status == "started"]
    scenario = settled.id if settled else next(reversed(started), "")
    if not scenario:
        return None
    found = outcome_of(board, scenario, replay)
    return None if found.is_nothing else found


def _settles(board: Board, given: Answer, replay: Replay) -> bool:
    """Return whether an answer is the last one before decks get their experience."""
    if is_settled(replay, given.scenario, "started"):
        return not is_settled(board.known.replay, given.scenario, "started")
    # After a correction later answers apply again: the upgrade was answered already.
    held = {each.sequence for each in board.known.replay.used}
    return any(
        each.scenario == given.scenario and each.step in UPGRADES
        for each in replay.used
        if isinstance(each, Answer) and each.sequence not in held
    )


def refused(
    request: HttpRequest, sitting: Membership, refusal: Exception, **more: Any
) -> HttpResponse:
    """Show the table as it is now, with the reason why nothing was saved."""
    return _page(request, sitting, **refusal_context(sitting, refusal), **more)


@require_POST
def take_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Undo the last answer; the log still shows it."""
    sitting = member(request, pk)
    context = write_context(request)
    target = request.POST.get("target", "")
    if context is None or not is_digits(target, LONGEST_PLACE):
        return not_understood(request)
    try:
        services.retract(
            campaign=sitting.campaign,
            member=sitting,
            target=int(target),
            context=context,
        )
    except (LogMoved, EntryRefused, Forbidden) as refusal:
        return refused(request, sitting, refusal)
    messages.success(request, _("Undone. The log still shows it."))
    return see_other(reverse("campaigns:table", args=[pk]))


@require_safe
def news(request: HttpRequest, pk: int) -> HttpResponse:
    """Return 204 if no one wrote or sat down since, else a notice."""
    mark = queries.mark_of(pk, visitor_of(request))
    if mark is None:
        raise Http404
    if mark.is_seen(request.GET):
        return HttpResponse(status=204)
    sitting = member(request, pk)
    context = {
        "campaign": sitting.campaign,
        "seated": str(mark.seated),
        "entries": _since(sitting, request),
    }
    fragment = "campaigns/_news.html"
    return page_or_fragment(request, fragment, fragment, context)


def _since(sitting: Membership, request: HttpRequest) -> list[Any]:
    """Return what was written since, and by whom; latest last."""
    after = request.GET.get("after", "")
    number = int(after) if is_digits(after, LONGEST_PLACE) else 0
    rows = sitting.campaign.entries.filter(sequence__gt=number)
    return list(rows.order_by("-sequence")[:5])[::-1]


def write_context(request: HttpRequest) -> WriteContext | None:
    """Return what the page showed when its form was sent, and the form's key."""
    after = request.POST.get("after", "")
    if not is_digits(after, LONGEST_PLACE):
        return None
    key = request.POST.get("key", "")[:100]
    return WriteContext(int(after), timezone.now(), key)


def _page(
    request: HttpRequest,
    sitting: Membership,
    *,
    status: int = 200,
    board: Board | None = None,
    **more: Any,
) -> HttpResponse:
    """Show the table; ``board`` saves a fold if nothing was written."""
    seated = queries.mark_at(sitting.campaign).seated
    board = board or board_of(sitting)
    lead = board.question and lead_field(board.asking, board.question)
    filled = more["filled"] if "filled" in more else _filled(board, more, lead)
    desks, texts = desks_of(board), new_texts(board)
    pending = board.known.replay.pending
    can_draw = pending is not None and board.may_answer and is_drawn(pending)
    is_draw = pending is not None and pending.prompt in DRAWS
    context = {
        "board": board,
        "campaign": board.campaign,
        "seated": seated,
        "question": board.question,
        "member": sitting,
        "desks": desks,
        "buys_first": any(each.deck and each.is_unspent for each in desks),
        "is_to_lay_out": is_to_lay_out(board),
        "running": None if "outcome" in more else running(board),
        "new_texts": texts,
        "reads_long": are_long(texts),
        "enterable": rights.may_organise(sitting)
        and may_be_entered(board.campaign, board.known),
        "last_answer": _last_answer(board),
        "may_correct": _may_correct(board),
        "to_draw": to_draw(board.known, board.names),
        "organises": rights.may_organise(sitting),
        "key": uuid.uuid4().hex,
        "lead": lead,
        "filled": filled,
        "counted": points_message(board, _as_sent(filled)),
        "can_draw": can_draw,
        "draws_first": can_draw and is_draw and "given" not in more,
        "shows_later": shows_later(request, sitting.campaign_id),
        "linked": queries.linked_to(board.campaign, visitor_of(request)),
        **more,
    }
    response = page_or_fragment(request, PAGE, FRAGMENT, context, status=status)
    if SAID_WHY & more.keys():
        response["HX-Reswap"] = "innerHTML show:#refused:top"
    return response


def _filled(
    board: Board, more: dict[str, Any], lead: QuestionField | None = None
) -> dict[str, list[str]]:
    """Return the values of the fields: as sent, or the question's initial ones."""
    given = more.get("given")
    if given is not None:
        return dict(given.lists())
    asked = board.question.fields if board.question else ()
    fields = (*asked, lead) if lead else asked
    return {each.name: each.begins_with for each in fields if each.begins_with}


def _as_sent(filled: dict[str, list[str]]) -> QueryDict:
    """Return the values of the fields as a form sends them."""
    sent = QueryDict(mutable=True)
    for name, values in filled.items():
        sent.setlist(name, values)
    return sent


def _may_correct(board: Board) -> bool:
    """Return whether the visitor may correct something that no question asks for."""
    correcting = CorrectionContext(board.known.replay, board.names)
    if correcting.is_between:
        return rights.may_write(board.member)
    return any(
        rights.may_answer_for(board.member, (code,)) for code in correcting.upgrading
    )


def _last_answer(board: Board) -> int:
    """Return the number of the last answer the visitor may undo; 0 for none.

    The start of a campaign doesn't count.
    """
    used = board.known.replay.used
    answers = [each.sequence for each in used if isinstance(each, Answer)]
    last = max(answers, default=0)
    return last if last > 1 and rights.may_retract(board.member, last) else 0
