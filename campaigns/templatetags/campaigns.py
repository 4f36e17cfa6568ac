"""Tags and filters for the templates of campaigns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from django import template
from django.template import Context
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.emblems import square_of
from arkham.rules.campaign.by_hand.facts import sets_of
from arkham.rules.campaign.model.guide import SETUP
from arkham.rules.finding import Finding
from campaigns.guides.opening import GuideMissing
from campaigns.log.replays import replayed
from campaigns.log.store import LogBroken
from campaigns.models import Campaign, Membership, Role
from campaigns.pages.board import Board, board_of
from campaigns.pages.markup import Marking, older_rules
from campaigns.pages.ultimatums import mattering
from campaigns.people.rights import may_organise
from campaigns.people.table import (
    USUAL_HOURS,
    guest_behind,
    is_open,
    key_in,
    token_of,
    visitor_of,
)
from campaigns.queries import linked_to, memberships_of
from campaigns.questions.question import Misfilled, QuestionField
from campaigns.words.names import CHOICES
from cardpool.catalog import current_pool
from cardpool.languages import card_mentions
from decks.pages.notes import notes_of
from decks.queries import investigator_codes
from decks.views.reach import drafts_of

register = template.Library()

COUNTER_NAMES: Mapping[str, str | Promise] = {
    "Doom": gettext_lazy("Doom"),
    "Clues": gettext_lazy("Clues"),
    "Round": gettext_lazy("Round"),
}


MOST_FIRST = 4  # campaigns on the start page


class AwaitedNext(NamedTuple):
    """The next step of a campaign, and who it waits for unless it is the visitor."""

    heading: str = ""
    of_whom: str = ""
    is_mine: bool = False
    scenario: str = ""
    players: str = ""
    is_over: bool = False


@register.simple_tag
def awaited(member: Membership) -> AwaitedNext:
    """Return the next step at a table; empty if its log or guide can't be read."""
    try:
        board = board_of(member)
    except (LogBroken, GuideMissing):
        return AwaitedNext()
    players = ", ".join(each.name for each in board.players if not each.fate)
    if board.question is None:
        words = board.result or _("Finished")
        return AwaitedNext(words, players=players, is_over=True)
    scenario = board.question.place
    if board.question.is_start:
        scenario = ""  # the heading names it
    return AwaitedNext(
        board.question.heading, board.waits_for, board.is_mine, scenario, players
    )


@register.simple_tag(takes_context=True)
def running_campaigns(context: Context) -> list[Membership]:
    """Return the campaigns the visitor was last at."""
    mine = memberships_of(visitor_of(context["request"]))
    running = mine.filter(campaign__archived_at=None)
    return list(running.order_by("-campaign__changed_at")[:MOST_FIRST])


@register.filter
def at(values: Mapping[str, Sequence[str]], name: str) -> Sequence[str]:
    """Return the values of a name; empty if there are none."""
    return values.get(name, ())


@register.filter
def fault_in(wrong: Misfilled | str, name: str) -> str:
    """Return the error of a field; "" if there is none, or nothing was sent."""
    return wrong.errors.get(name, "") if isinstance(wrong, Misfilled) else ""


@register.filter
def holds(values: Mapping[str, Sequence[str]], fields: Sequence[QuestionField]) -> bool:
    """Return whether any of these fields has a value."""
    return any(any(at(values, field.name)) for field in fields)


@register.filter
def naming_cards_of(text: str, campaign: Campaign) -> SafeString:
    """Link the cards named in a text, preferring cards of the campaign."""
    near = sets_of(campaign.guide.guide_id)
    return card_mentions().linked(conditional_escape(text), near=near)


@register.filter
def pointing_at_cards_of(text: str, campaign: Campaign) -> SafeString:
    """Mark the cards named in a label or button, without links."""
    near = sets_of(campaign.guide.guide_id)
    return card_mentions().pointed(conditional_escape(text), near)


@register.simple_tag(takes_context=True)
def marked(context: Context, what: str, value: Any) -> SafeString:
    """Render reasons, lines, a count, entries or findings (``campaigns.pages.markup``).

    The context must have a ``marking``.
    """
    marking: Marking = context["marking"]
    write: Callable[[Any], SafeString] = getattr(marking, what)
    return write(value)


@register.filter
def among(value: str, values: Sequence[str]) -> bool:
    """Return whether a value is one of several."""
    return value in values


@register.simple_tag
def counter_name(name: str) -> str:
    """Return the name of a counter; usual ones are translated."""
    return str(COUNTER_NAMES.get(name, name))


@register.inclusion_tag("campaigns/_finding.html", takes_context=True)
def show_finding(
    context: Context, finding: Finding, named: bool = False
) -> dict[str, Any]:
    """Show a finding, with its rule in the table's version of the FAQ.

    ``named`` adds what was found.
    """
    campaign = context.get("campaign")
    (note,) = notes_of((finding,), current_pool())
    return {
        "note": note,
        "version": older_rules(campaign) if campaign else "",
        "who": _who(finding),
        "found": finding.actual if named else "",
    }


def _who(finding: Finding) -> str:
    """Return the names of investigators an answer is refused for."""
    if not finding.rule.startswith("answer."):
        return ""
    pool = current_pool()
    cards = filter(None, map(pool.get_card, finding.cards))
    return ", ".join(each.name for each in cards if each.investigator is not None)


@register.simple_tag(takes_context=True)
def difficulty_of(context: Context, campaign: Campaign) -> str | Promise:
    """The name of a campaign's difficulty; "" if none is known."""
    board = context.get("board")
    try:
        known = replayed(campaign) if board is None else board.known
        return CHOICES.get(known.replay.state.difficulty, "")
    except (LogBroken, GuideMissing):
        return ""


@register.inclusion_tag("campaigns/_pinned.html")
def pinned_rules(campaign: Campaign) -> dict[str, Any]:
    """Link the rules in the table's FAQ version; empty for the newest."""
    return {"version": older_rules(campaign)}


@register.inclusion_tag("campaigns/_beside.html", takes_context=True)
def played_beside(context: Context, campaign: Campaign) -> dict[str, Any]:
    """Link the other half, for members of both; no query if there is none."""
    return {"other": linked_to(campaign, visitor_of(context["request"]))}


@register.inclusion_tag("campaigns/_guest.html", takes_context=True)
def guest_banner(context: template.Context) -> dict[str, Any]:
    """Show guests how to keep their seat; empty, without a query, for others.

    Shown when they join, on the people page, and on every page to visitors who have an
    account now, because they may claim the seat.
    """
    request, campaign = context["request"], context["campaign"]
    is_page = request.method in ("GET", "HEAD")
    table = reverse("campaigns:table", args=[campaign.pk])
    is_first = "welcome" in request.GET or context.get("here") == "people"
    return {
        "is_shown": is_first or request.user.is_authenticated,
        "guest": guest_behind(key_in(request)),
        "user": request.user,
        "here": request.get_full_path() if is_page else table,
        "csrf_token": context.get("csrf_token"),
    }


@register.simple_tag(takes_context=True)
def draft_of(context: Context, code: str) -> int | None:
    """The latest draft of an investigator begun in a browser without an account."""
    request = context["request"]
    if request.user.is_authenticated:
        return None
    codes = investigator_codes(drafts_of(request))
    return max((pk for pk, of in codes.items() if of == code), default=None)


@register.inclusion_tag("campaigns/_invited.html", takes_context=True)
def invited_now(context: template.Context, board: Board) -> dict[str, Any]:
    """Show the invitation on the first screen while the organiser waits for others.

    It disappears once everyone has joined or a scenario begins; People keeps it.
    """
    campaign, replay = board.campaign, board.known.replay
    begun = any(
        each.status == "started" and each.id != SETUP for each in board.chapters
    )
    begun = begun or any(each.status == "completed" for each in replay.scenarios[1:])
    seats = [each.seat for each in board.players if each.seat]
    has_come = len(seats) > 1 and all(each.member_id for each in seats)
    is_over = board.question is None
    if begun or has_come or is_over or not may_organise(board.member):
        return {"is_shown": False}
    now = timezone.now()
    made = campaign.invitations.filter(role=Role.PLAYER, seat=None).order_by("-pk")
    link = next((each for each in made if is_open(each, now)), None)
    shown = {"is_shown": True, "campaign": campaign, "hours": USUAL_HOURS}
    if link is None:
        return {**shown, "csrf_token": context.get("csrf_token")}
    path = reverse("campaigns:join", args=[token_of(link)])
    address = context["request"].build_absolute_uri(path)
    square = square_of(address, _("QR code of the link"))
    return {**shown, "address": address, "square": square}


@register.inclusion_tag("campaigns/_ultimatums_now.html")
def ultimatums_now(board: Board) -> dict[str, Any]:
    """Show the ultimatums in force that matter now."""
    return {
        "campaign": board.campaign,
        "ultimatums": mattering(board.known, board.names),
    }
