"""What the templates of campaigns need: a value by its name, a finding as text."""

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
from cardpool.catalog import current_pool
from cardpool.languages import card_mentions
from decks.pages.notes import notes_of

register = template.Library()

COUNTER_NAMES: Mapping[str, str | Promise] = {
    "Doom": gettext_lazy("Doom"),
    "Clues": gettext_lazy("Clues"),
    "Round": gettext_lazy("Round"),
}


MOST_FIRST = 4  # campaigns on the first page


class AwaitedNext(NamedTuple):
    """What a campaign waits for, in a line, and of whom if it isn't the visitor."""

    heading: str = ""
    of_whom: str = ""
    is_mine: bool = False
    scenario: str = ""
    players: str = ""
    is_over: bool = False


@register.simple_tag
def awaited(member: Membership) -> AwaitedNext:
    """What comes next at a table; nothing where its log or guide can't be read."""
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
    """The campaigns the visitor was at last."""
    mine = memberships_of(visitor_of(context["request"]))
    running = mine.filter(campaign__archived_at=None)
    return list(running.order_by("-campaign__changed_at")[:MOST_FIRST])


@register.filter
def at(values: Mapping[str, Sequence[str]], name: str) -> Sequence[str]:
    """What stands under a name; nothing if nothing does."""
    return values.get(name, ())


@register.filter
def fault_in(wrong: Misfilled | str, name: str) -> str:
    """What is wrong with a field; nothing where nothing is, or nothing was sent."""
    return wrong.errors.get(name, "") if isinstance(wrong, Misfilled) else ""


@register.filter
def holds(values: Mapping[str, Sequence[str]], fields: Sequence[QuestionField]) -> bool:
    """Whether anything stands in one of these fields."""
    return any(any(at(values, field.name)) for field in fields)


@register.filter
def naming_cards_of(text: str, campaign: Campaign) -> SafeString:
    """A text with a link wherever it names a card, first of all one of the campaign."""
    near = sets_of(campaign.guide.guide_id)
    return card_mentions().linked(conditional_escape(text), near=near)


@register.filter
def pointing_at_cards_of(text: str, campaign: Campaign) -> SafeString:
    """The same for a label or button, where names show their cards and are no links."""
    near = sets_of(campaign.guide.guide_id)
    return card_mentions().pointed(conditional_escape(text), near)


@register.simple_tag(takes_context=True)
def marked(context: Context, what: str, value: Any) -> SafeString:
    """Reasons, lines, a count, entries or findings, by ``campaigns.pages.markup``.

    The page gives its ``marking``.
    """
    marking: Marking = context["marking"]
    write: Callable[[Any], SafeString] = getattr(marking, what)
    return write(value)


@register.filter
def among(value: str, values: Sequence[str]) -> bool:
    """Whether something is one of several."""
    return value in values


@register.simple_tag
def counter_name(name: str) -> str:
    """What a counter is called: a usual one in the reader's language."""
    return str(COUNTER_NAMES.get(name, name))


@register.inclusion_tag("campaigns/_finding.html", takes_context=True)
def show_finding(
    context: Context, finding: Finding, named: bool = False
) -> dict[str, Any]:
    """A finding, with the rule behind it in the table's version of the FAQ.

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
    """The investigators an answer is refused for, by name."""
    if not finding.rule.startswith("answer."):
        return ""
    pool = current_pool()
    cards = filter(None, map(pool.get_card, finding.cards))
    return ", ".join(each.name for each in cards if each.investigator is not None)


@register.inclusion_tag("campaigns/_pinned.html")
def pinned_rules(campaign: Campaign) -> dict[str, Any]:
    """The way to the rules as the table keeps to them; nothing for the newest."""
    return {"version": older_rules(campaign)}


@register.inclusion_tag("campaigns/_beside.html", takes_context=True)
def played_beside(context: Context, campaign: Campaign) -> dict[str, Any]:
    """The way to the other half, for who sits there too; no query for no half."""
    return {"other": linked_to(campaign, visitor_of(context["request"]))}


@register.inclusion_tag("campaigns/_guest.html", takes_context=True)
def guest_banner(context: template.Context) -> dict[str, Any]:
    """How a guest keeps the seat; nothing, and no query, for anybody else.

    It is shown as they come, and on the page of the people; on every page to who has an
    account now, as they may claim the seat.
    """
    request, campaign = context["request"], context["campaign"]
    is_page = request.method in ("GET", "HEAD")
    is_first = "welcome" in request.GET or context.get("here") == "people"
    return {
        "is_shown": is_first or request.user.is_authenticated,
        "guest": guest_behind(key_in(request)),
        "user": request.user,
        "here": request.get_full_path() if is_page else _table_of(campaign),
        "csrf_token": context.get("csrf_token"),
    }


def _table_of(campaign: Campaign) -> str:
    return reverse("campaigns:table", args=[campaign.pk])


@register.inclusion_tag("campaigns/_invited.html", takes_context=True)
def invited_now(context: template.Context, board: Board) -> dict[str, Any]:
    """The invitation on the first screen, while the organiser waits for the others.

    It goes once everyone has come or a scenario begins; the page People keeps it.
    """
    campaign, replay = board.campaign, board.known.replay
    begun = any(
        each.status == "started" and each.id != SETUP for each in board.chapters
    )
    begun = begun or any(each.status == "completed" for each in replay.scenarios[1:])
    seats = [each.seat for each in board.players if each.seat]
    has_come = len(seats) > 1 and all(each.member_id for each in seats)
    if begun or has_come or not may_organise(board.member):
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
    """The ultimatums in force that matter to what is done at the table now."""
    return {
        "campaign": board.campaign,
        "ultimatums": mattering(board.known, board.names),
    }
