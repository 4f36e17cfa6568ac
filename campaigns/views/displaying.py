"""What do the cards come to that are ticked in the victory display?"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaigns.board import board_of
from campaigns.display_filled import come_to, shown_in
from campaigns.filled_fields import Misfilled
from campaigns.views.reach import member


@require_safe
def counted(request: HttpRequest, pk: int) -> HttpResponse:
    """The points of the display as it is filled in so far; nothing is written."""
    board = board_of(member(request, pk))
    question = board.question
    if question is None or not question.pending.is_display:
        return HttpResponse(status=204)
    try:
        told = come_to(shown_in(board.asking, question, request.GET))
    except Misfilled as wrong:
        told = str(wrong)
    return render(request, "campaigns/_counted.html", {"told": told})
