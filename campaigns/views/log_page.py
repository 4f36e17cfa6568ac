"""The campaign log as a sheet of paper that answers “why?”."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaigns.log.replays import replayed
from campaigns.models import Membership
from campaigns.pages.achievements import achievements_of
from campaigns.pages.board import names_at
from campaigns.pages.counting import charts_of
from campaigns.pages.markup import Marking
from campaigns.pages.paper import longest_section, sheet_of
from campaigns.pages.paper_shapes import LINES, Desk
from campaigns.people.rights import may_play
from campaigns.views.reach import member
from campaigns.words.names import CHOICES
from campaigns.words.problems import Wrongs
from campaigns.words.reasons import Reasons, written_of


@require_safe
def log_page(request: HttpRequest, pk: int) -> HttpResponse:
    """The log as it stands, with why each line of it does."""
    sitting = member(request, pk)
    desk = desk_of(sitting)
    pages = Paginator(range(longest_section(desk.replay)), LINES)
    page = pages.get_page(request.GET.get("page"))
    desk = desk._replace(page=page.number)
    campaign = sitting.campaign
    seats = campaign.seats.select_related("member__user", "member__guest")
    context = {
        "campaign": campaign,
        "marking": Marking(campaign),
        "sheet": sheet_of(desk, seats),
        "page": page,
        "charts": charts_of(desk.replay, desk.names),
        "problems": desk.wrongs.all,
        "difficulty": CHOICES.get(desk.replay.state.difficulty, ""),
        "achievements": [
            each
            for each in achievements_of(replayed(campaign), desk.names)
            if each.is_begun
        ],
        "writes": may_play(sitting),
    }
    return render(request, "campaigns/log.html", context)


def desk_of(sitting: Membership) -> Desk:
    """What a sheet of this table is written from. Raises LogBroken, GuideMissing."""
    campaign = sitting.campaign
    known = replayed(campaign)
    names = names_at(sitting, known)
    reasons = Reasons(known.replay, known.entries, written_of(campaign), names)
    wrongs = Wrongs(known.replay.problems, known.entries, names)
    return Desk(known.replay, names, reasons, wrongs)
