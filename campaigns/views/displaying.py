"""The total of the cards ticked in a victory display."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaigns.pages.board import Board, board_of
from campaigns.questions.display_reading import come_to, shown_in
from campaigns.questions.field_reading import Misfilled
from campaigns.views.reach import member


@require_safe
def counted(request: HttpRequest, pk: int) -> HttpResponse:
    """The points of the display as it is filled in so far; nothing is written."""
    told = points_told(board_of(member(request, pk)), request.GET)
    if told is None:
        return HttpResponse(status=204)
    return render(request, "campaigns/_counted.html", {"told": told})


def points_told(board: Board, filled: QueryDict) -> str | None:
    """What the cards come to that are filled in; None where no display is asked for."""
    question = board.question
    if question is None or not question.pending.is_display:
        return None
    try:
        return come_to(shown_in(board.asking, question, filled))
    except Misfilled as wrong:
        return str(wrong)
