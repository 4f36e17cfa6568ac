"""The log of a campaign: as a sheet of paper, and entry by entry.

The sheet explains each line. In the timeline an entry is corrected or undone, and a
scenario returned to its start.
"""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from arkham.rules.campaign.state.answers import Answer, UltimatumChosen
from campaigns import queries, services
from campaigns.log.replays import Folded, replayed
from campaigns.models import Campaign, Membership
from campaigns.pages.board import names_at
from campaigns.pages.markup import Marking, sheet_as_html
from campaigns.pages.paper import longest_section
from campaigns.pages.paper_parts import LINES, SheetContext, sheet_context
from campaigns.pages.timeline import (
    TimelineItem,
    Unsent,
    answered_instead,
    items_of,
    pages_of,
    timeline_of,
)
from campaigns.people.rights import may_organise, may_play, may_retract, may_write
from campaigns.people.table import Visitor, visitor_of
from campaigns.questions.asking import answer_of, question_of, refilled
from campaigns.questions.cards import cards_in_reach
from campaigns.questions.question import FormQuestion, Misfilled, QuestionContext
from campaigns.services import EntryPreview, EntryRefused, WriteContext
from campaigns.services.judging import replay_asking
from campaigns.views.reach import NOT_WRITTEN, member, refusal_context
from campaigns.views.table import write_context
from campaigns.words.changes import describe_changes
from campaigns.words.log_entries import text_of
from campaigns.words.problems import problem_found
from campaigns.words.reasons import written_of
from decks.views.reach import not_understood, see_other


@require_safe
def log_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the log as a sheet, with the reasons for each line."""
    sitting = member(request, pk)
    known = replayed(sitting.campaign)
    pages = Paginator(range(longest_section(known.replay)), LINES)
    page = pages.get_page(request.GET.get("page"))
    context = {
        "campaign": sitting.campaign,
        "sheet": sheet_as_html(sitting.campaign, known, names_at(sitting, known), page),
        "writes": may_play(sitting),
        "guide": known.replay.state.guide,
    }
    return render(request, "campaigns/log.html", context)


def desk_of(sitting: Membership) -> SheetContext:
    """Return what this table's sheet is made from. Raises LogBroken, GuideMissing."""
    campaign = sitting.campaign
    known = replayed(campaign)
    return sheet_context(known, names_at(sitting, known), written_of(campaign))


@require_safe
def timeline(request: HttpRequest, pk: int) -> HttpResponse:
    """Show every entry of the log, in order."""
    sitting = member(request, pk)
    desk, known = desk_of(sitting), replayed(sitting.campaign)
    written = written_of(sitting.campaign)
    chapters = timeline_of(known, written, desk.names, desk.wrongs)
    pages = Paginator(pages_of(chapters), 1)
    page = pages.get_page(request.GET.get("page", pages.num_pages))
    begun = known.replay.begun
    context = {
        "campaign": sitting.campaign,
        "marking": Marking(sitting.campaign),
        "page": page,
        "chapters": page.object_list[0],
        "begun": begun,
        "writes": may_write(sitting),
    }
    return render(request, "campaigns/timeline.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def entry(request: HttpRequest, pk: int, sequence: int) -> HttpResponse:
    """Show one entry, the form to correct it, and what undoing it would change."""
    opened = _Opened(member(request, pk), sequence)
    if request.method != "POST":
        return opened.page(request)
    context = write_context(request)
    if context is None:
        return not_understood(request)
    try:
        if request.POST.get("do") == "take-back":
            return opened.take_back(request, context)
        if opened.answer is None and context.after < opened.campaign.last:
            return opened.overtaken(request, context)
        return opened.correct(request, context)
    except Misfilled as wrong:
        refused: dict[str, Any] = {"status": 422, "wrong": wrong}
    except NOT_WRITTEN as refusal:
        refused = refusal_context(opened.sitting, refusal)
    return opened.page(request, given=request.POST, **refused)


class _Opened:
    """The entry a visitor looks at, and what they may do with it."""

    def __init__(self, sitting: Membership, sequence: int) -> None:
        self.sitting, self.campaign, self.sequence = (
            sitting,
            sitting.campaign,
            sequence,
        )
        self.known: Folded = replayed(self.campaign)
        self.desk = desk_of(sitting)
        items = items_of(
            self.known, written_of(self.campaign), self.desk.names, self.desk.wrongs
        )
        self.items = {each.sequence: each for each in items}
        if sequence not in self.items:
            raise Http404
        self.item: TimelineItem = self.items[sequence]
        self.answer = self._answer()
        self.is_ultimatum = any(
            isinstance(each, UltimatumChosen) and each.sequence == sequence
            for each in self.known.entries
        )
        self.asking, self.question = self._question(self.answer)

    def _answer(self) -> Answer | None:
        """Return the entry's answer if it is in force."""
        return self._written() if self.item.holds else None

    def _written(self) -> Answer | None:
        """Return the entry's answer, in force or not."""
        for each in self.known.entries:
            if each.sequence == self.sequence and isinstance(each, Answer):
                return each
        return None

    def _question(
        self, given: Answer | None
    ) -> tuple[QuestionContext | None, FormQuestion | None]:
        """Return the question as it was asked then; None if it was not asked."""
        if given is None or not given.step:
            return None, None
        asked = replay_asking(self.campaign, self.known, given)
        if asked is None:
            return None, None
        seats = self.campaign.seats.values_list("investigator", flat=True)
        names = self.desk.names
        in_reach = cards_in_reach(self.campaign, asked, names)
        asking = QuestionContext(asked, names, tuple(seats), in_reach=in_reach)
        question = question_of(asking)
        if question is None or not (question.fields and not question.is_upgrade):
            return None, None
        return asking, question

    def correct(self, request: HttpRequest, context: WriteContext) -> HttpResponse:
        """Correct the answer, after showing what would change."""
        if self.asking is None or self.question is None or self.answer is None:
            return not_understood(request)
        given = answer_of(self.asking, self.question, request.POST)
        if "confirm" not in request.POST:
            preview = services.preview_correction(
                campaign=self.campaign, target=self.sequence, given=given
            )
            new = text_of(given, self.desk.names)
            return self.page(request, preview=preview, given=request.POST, new=new)
        services.correct(
            campaign=self.campaign,
            member=self.sitting,
            target=self.sequence,
            given=given,
            reason=request.POST.get("reason", ""),
            context=context,
        )
        messages.success(request, _("Corrected. The log still shows the first answer."))
        return self._back()

    def overtaken(self, request: HttpRequest, context: WriteContext) -> HttpResponse:
        """Show what others wrote first, with the correction that wasn't saved."""
        asking, question = self._question(self._written())
        if asking is None or question is None:
            return not_understood(request)
        given = answer_of(asking, question, request.POST)
        missed = [each for each in self.items.values() if each.sequence > context.after]
        said_now = text_of(given, self.desk.names)
        unsent = Unsent(self.item.asked, said_now, tuple(missed))
        more: dict[str, Any] = {"given": request.POST, "sent_key": context.key}
        more["unsent"] = answered_instead(unsent, self.known, given, self.sitting)
        return self.page(request, status=409, **more)

    def take_back(self, request: HttpRequest, context: WriteContext) -> HttpResponse:
        """Undo the entry, after showing what would change."""
        if "confirm" not in request.POST:
            preview = services.preview_retraction(
                campaign=self.campaign,
                target=self.sequence,
                reason=self._reason(request),
            )
            return self.page(request, preview=preview, given=request.POST)
        services.retract(
            campaign=self.campaign,
            member=self.sitting,
            target=self.sequence,
            reason=self._reason(request),
            context=context,
        )
        messages.success(request, _("Undone. The log still shows it."))
        return self._back()

    def _reason(self, request: HttpRequest) -> str:
        """Return the reason for undoing it; "" unless it is an ultimatum."""
        return request.POST.get("reason", "") if self.is_ultimatum else ""

    def _back(self) -> HttpResponse:
        """Go to the question that is open now, if it is another; else to the entry."""
        before = self.known.replay.pending
        self.campaign.refresh_from_db(fields=["last", "head"])
        pending = replayed(self.campaign).replay.pending
        if pending and (not before or pending.question != before.question):
            return see_other(
                reverse("campaigns:table", args=[self.campaign.pk]) + "#new"
            )
        address = reverse("campaigns:timeline", args=[self.campaign.pk])
        return see_other(f"{address}#entry-{self.sequence}")

    def page(
        self, request: HttpRequest, *, status: int = 200, **more: Any
    ) -> HttpResponse:
        """Show the entry, with a refusal or a preview."""
        preview: EntryPreview | None = more.pop("preview", None)
        given = more.get("given")
        filled = dict(given.lists()) if given is not None else self._filled()
        context = {
            "campaign": self.campaign,
            "marking": Marking(self.campaign),
            "item": self.item,
            "question": self.question,
            "is_ultimatum": self.is_ultimatum,
            "filled": filled,
            "writes": self._may_change(),
            "key": uuid.uuid4().hex,
            "foreseen": preview_context(
                preview, self.items, self.known, self.desk.names, self.sequence
            ),
            "beside": linked_preview(preview, self.campaign, visitor_of(request)),
            **more,
        }
        return render(request, "campaigns/entry.html", context, status=status)

    def _may_change(self) -> bool:
        """Return whether the visitor may correct or undo it."""
        if self.is_ultimatum:
            return may_organise(self.sitting)
        return may_retract(self.sitting, self.sequence)

    def _filled(self) -> dict[str, list[str]]:
        if self.question is None or self.answer is None:
            return {}
        return refilled(self.question, self.answer, self.desk.names)


def preview_context(
    preview: EntryPreview | None,
    items: dict[int, TimelineItem],
    known: Folded,
    names: Any,
    corrected: int = 0,
) -> dict[str, Any] | None:
    """Return what a preview says, with the answers it names."""
    if preview is None:
        return None
    touched = {
        *preview.changed,
        *preview.unreached,
        *preview.reached,
        *preview.again,
        corrected,
    }
    held = {each.sequence for each in known.replay.used} - touched
    entries = {each.sequence: each for each in known.entries}
    return {
        "changes": describe_changes(preview.settlement, names),
        "changed": [items[each] for each in preview.changed if each in items],
        "unreached": [items[each] for each in preview.unreached if each in items],
        "reached": [items[each] for each in preview.reached if each in items],
        "again": [items[each] for each in preview.again if each in items],
        "held": len(held),
        "problems": [
            problem_found(each, names, entries.get(each.sequence))
            for each in preview.problems
        ],
    }


def linked_preview(
    preview: EntryPreview | None, campaign: Campaign, visitor: Visitor
) -> dict[str, Any] | None:
    """Return a preview of the linked campaign; None if nothing changes there.

    Visitors who aren't members there learn only that it changes.
    """
    if preview is None or preview.beside is None or campaign.linked_id is None:
        return None
    found = preview.beside
    if found.is_nothing:
        return None
    sitting = queries.member_of(campaign.linked_id, visitor)
    if sitting is None:
        return {"name": "", "changes": None}
    return {
        "name": sitting.campaign.name,
        "changes": describe_changes(found.settlement, names_at(sitting)),
        "unreached": len(found.unreached),
    }


@require_http_methods(["GET", "HEAD", "POST"])
def begin_again(request: HttpRequest, pk: int) -> HttpResponse:
    """Return to the start of a scenario, after confirmation."""
    sitting = member(request, pk)
    scenario = request.POST.get("scenario") or request.GET.get("scenario", "")
    desk, known = desk_of(sitting), replayed(sitting.campaign)
    shown: dict[str, Any] = {
        "campaign": sitting.campaign,
        "scenario": scenario,
        "name": desk.names.scenario(scenario),
        "key": uuid.uuid4().hex,
        "writes": may_write(sitting),
    }
    status = 200
    try:
        if request.method == "POST":
            context = write_context(request)
            if context is None:
                return not_understood(request)
            services.return_to_start(
                campaign=sitting.campaign,
                member=sitting,
                scenario=scenario,
                context=context,
            )
            messages.success(request, _("Back at the start of the scenario."))
            return see_other(reverse("campaigns:table", args=[pk]))
    except NOT_WRITTEN as refusal:
        shown |= refusal_context(sitting, refusal)
        status = shown.pop("status")
    try:
        preview = services.preview_return(campaign=sitting.campaign, scenario=scenario)
    except EntryRefused as refusal:
        raise Http404 from refusal
    items = items_of(known, written_of(sitting.campaign), desk.names, desk.wrongs)
    by_place = {each.sequence: each for each in items}
    shown["foreseen"] = preview_context(preview, by_place, known, desk.names)
    shown["beside"] = linked_preview(preview, sitting.campaign, visitor_of(request))
    return render(request, "campaigns/begin_again.html", shown, status=status)
