"""Pages outside the apps: the site search, the favicon, the operator's pages.

The operator's pages show the state of the server, its work, and its accounts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib import messages
from django.db.models import Count, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from arkham import health
from arkham.accounts import services as accounts
from arkham.accounts.authentication import operators_only
from arkham.accounts.models import User
from arkham.jobs.models import Job, kind_of
from arkham.rules.library import find, library, polish_name, respelt
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import CardType, is_digits
from arkham.web.http import changed_in_place, wants_part
from arkham.web.request_limits import most_refused
from campaigns.models import Role
from campaigns.people.table import visitor_of
from campaigns.queries import memberships_of
from cardpool.catalog import current_pool
from cardpool.languages import shown_name
from cardpool.queries import found_codes, read_search
from cardpool.search import searched_instead
from cardpool.search.lexicon import QueryError
from cardpool.search.natural import FILLERS
from cardpool.shown import ShownCard
from cardpool.views import CONDITION, line_of
from cardpool.words import fold
from decks.models import Deck, Report, SharedVerdict
from decks.queries import decided_reports, latest, open_reports, visible_to
from decks.services.reports import decide_report
from decks.views.reach import keys_of, title_of

LONGEST_SEARCH = 200
AT_A_GLANCE, ON_A_PAGE = 5, 20  # of a kind: under the search box, on its own page
MOST_LOOKED_AT = 300  # a person's decks and campaigns, last changed first


@dataclass(frozen=True, slots=True)
class Hit:
    """A search result: its address, its name, and a note to distinguish it."""

    address: str
    name: str
    signs: tuple[str, ...]
    note: str = ""
    level: int | None = None
    note_language: str = ""


@dataclass(frozen=True, slots=True)
class Hits:
    """The results of one kind, of ``count`` in all.

    ``all_of_them`` is the address with every one; ``instead`` says what was searched
    for instead. Cards also have ``lines``, as in lists of cards.
    """

    kind: str
    title: str
    found: tuple[Hit, ...]
    count: int
    all_of_them: str = ""
    instead: str = ""
    lines: tuple[SafeString, ...] = ()


@changed_in_place
@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """Search cards, investigators, rules, and the reader's decks and campaigns."""
    query = request.GET.get("q", "").strip()[:LONGEST_SEARCH]
    is_glance = wants_part(request, "glance")
    if CONDITION.intersection(query) and not is_glance:
        return redirect(_found_at("cardpool:index", query))
    most = AT_A_GLANCE if is_glance else ON_A_PAGE
    groups = [each for each in _groups(request, query, most) if each.count]
    context = {
        "query": query,
        "groups": groups if fold(query) or CONDITION.intersection(query) else [],
        "count": sum(len(each.found) for each in groups),
    }
    page = "search/_glance.html" if is_glance else "search/index.html"
    return render(request, page, context)


def _groups(request: HttpRequest, query: str, most: int) -> Iterator[Hits]:
    """Yield the results of each kind, ``most`` at most."""
    if not query:
        return
    pool = current_pool()
    cards = [each for each in _cards(query, pool, most) if each.count]
    yield from cards
    yield _rules(query, most, cards)
    yield _own("decks", _("Your decks"), query, list(_decks(request, pool)), most)
    yield _own("campaigns", _("Your campaigns"), query, list(_tables(request)), most)


def _found_at(page: str, query: str) -> str:
    return f"{reverse(page)}?{urlencode({'q': query})}"


def _cards(query: str, pool: CardPool, most: int) -> list[Hits]:
    """Return the investigators and other cards that a search finds, best first."""
    try:
        search = read_search(query, pool)
    except QueryError:
        return []
    kinds: dict[str, list[ShownCard]] = {}
    for code in found_codes(search):
        is_person = pool[code].type is CardType.INVESTIGATOR
        kind = "investigators" if is_person else "cards"
        kinds.setdefault(kind, []).append(ShownCard(pool[code], pool))
    titles = {"cards": _("Cards"), "investigators": _("Investigators")}
    address, instead = _found_at("cardpool:index", query), searched_instead(search)
    return [
        Hits(
            kind,
            titles[kind],
            _named(found[:most]),
            len(found),
            address,
            instead,
            tuple(
                line_of(each.code, pool) for each in found[:most] if most > AT_A_GLANCE
            ),
        )
        for kind, found in kinds.items()
    ]


def _named(cards: Sequence[ShownCard]) -> tuple[Hit, ...]:
    """Return cards with notes that distinguish them; if needed, the product."""
    alike = Counter((each.name, each.subname, each.level) for each in cards)
    hits = []
    for each in cards:
        note = each.subname or str(each.type_name)
        if alike[each.name, each.subname, each.level] > 1:
            note += f" · {each.pool.packs[each.card.printings[0].pack].name}"
        address = reverse("cardpool:card", args=[each.code])
        hits.append(Hit(address, each.name, each.class_signs, note, each.level))
    return tuple(hits)


def _rules(query: str, most: int, cards: Sequence[Hits]) -> Hits:
    """Return matching rules; similar words only if no card matches the given ones."""
    spelled = respelt(library(), query)
    words = [each for each in spelled.split() if each not in FILLERS]
    is_meant = not cards or all(each in cards[0].instead for each in words)
    entries = find(library(), query) if is_meant else []
    return Hits(
        "rules",
        _("Rules"),
        tuple(
            Hit(
                reverse("library:entry", args=[each.slug]),
                _(each.title),
                ("rules",),
                polish_name(each, query),
                note_language="pl",
            )
            for each in entries[:most]
        ),
        len(entries),
        _found_at("library:index", query),
        spelled
        and _("No rule matches “%(query)s”. Showing rules like “%(words)s”.")
        % {"query": query, "words": spelled},
    )


def _own(kind: str, title: str, query: str, hits: Sequence[Hit], most: int) -> Hits:
    """Return a person's own things whose name or note contains every word."""
    words = fold(query).split()
    found = [
        hit
        for hit in hits
        if words and all(word in fold(f"{hit.name} {hit.note}") for word in words)
    ]
    return Hits(kind, title, tuple(found[:most]), len(found))


def _decks(request: HttpRequest, pool: CardPool) -> Iterator[Hit]:
    keys = keys_of(request)
    if not (request.user.is_authenticated or keys):
        return
    for revision in latest(visible_to(request.user, keys))[:MOST_LOOKED_AT]:
        investigator = pool.get_card(revision.list["investigator_code"])
        yield Hit(
            reverse("decks:show", args=[revision.deck_id]),
            title_of(revision.deck, investigator),
            ("deck",),
            shown_name(investigator) if investigator else "",
        )


def _tables(request: HttpRequest) -> Iterator[Hit]:
    visitor = visitor_of(request)
    if not (visitor.user or visitor.guest):
        return
    mine = memberships_of(visitor).order_by("-campaign__changed_at")
    for seat in mine[:MOST_LOOKED_AT]:
        address = reverse("campaigns:table", args=[seat.campaign_id])
        yield Hit(address, seat.campaign.name, ("campaign",))


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Redirect the traditional favicon address to the lamp."""
    return redirect(static("arkham/lamp.svg"))


MOST_JOBS = 10
MOST_REFUSED = 10
MOST_ACCOUNTS = 50
MOST_REPORTS = 50
LONGEST_ACCOUNT_SEARCH = 100
PARTS = {
    "database": gettext_lazy("Database"),
    "migrations": gettext_lazy("Migrations"),
    "cache": gettext_lazy("Cache"),
    "workers": gettext_lazy("Workers"),
    "disk": gettext_lazy("Disk"),
}


class FilledQuota(NamedTuple):
    """A quota and its use: by all, or by the account with most."""

    name: Any
    most: int
    used: int


@operators_only
@never_cache
@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show the parts of the server, jobs, quotas, and the most refused visitors."""
    parts = [(PARTS[name], found) for name, found in health.parts().items()]
    jobs = Job.objects.select_related("owner")[:MOST_JOBS]
    context = {
        "parts": parts,
        "jobs": [(each, kind_of(each)) for each in jobs],
        "stopped": Job.objects.filter(state=Job.State.STOPPED).count(),
        "running": Job.objects.filter(state=Job.State.RUNNING).count(),
        "cards": len(current_pool()),
        "pool_version": current_pool().version,
        "rooms": list(_rooms()),
        "refused": most_refused()[:MOST_REFUSED],
        "reports": open_reports().count(),
        "accounts": User.objects.count(),
        "blocked": User.objects.filter(is_active=False).count(),
    }
    return render(request, "operator/index.html", context)


def _rooms() -> Iterator[FilledQuota]:
    """Yield the quotas that fill up, with the largest use of each."""
    quotas = settings.ORNE_QUOTAS
    drafts = Deck.everything.filter(owner=None)
    yield FilledQuota(_("Drafts"), quotas["drafts"], drafts.count())
    yield FilledQuota(
        _("Shared verdicts"), quotas["verdicts"], SharedVerdict.objects.count()
    )
    organised = Q(memberships__role=Role.ORGANISER)
    for kind, name, counted in (
        ("decks", _("Decks of one account"), Count("decks")),
        (
            "campaigns",
            _("Campaigns of one account"),
            Count("memberships", filter=organised),
        ),
        ("jobs", _("Jobs of one account"), Count("jobs")),
        ("webhooks", _("Webhooks of one account"), Count("webhooks")),
    ):
        yield FilledQuota(name, quotas[kind], _most_of_one(counted))


def _most_of_one(counted: Count) -> int:
    numbers = User.objects.annotate(number=counted).order_by("-number")
    return numbers.values_list("number", flat=True).first() or 0


@operators_only
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def people(request: HttpRequest) -> HttpResponse:
    """Find accounts, block them, and unblock them."""
    sought = (
        request.GET.get("q", "")[:LONGEST_ACCOUNT_SEARCH].replace("\x00", "").strip()
    )
    if request.method == "POST":
        _change(request)
        query = f"?{urlencode({'q': sought})}" if sought else ""
        return HttpResponseRedirect(reverse("operator_accounts") + query, status=303)
    found = _found(sought)
    context = {
        "sought": sought,
        "found": found[:MOST_ACCOUNTS],
        "more": found.count() > MOST_ACCOUNTS,
    }
    return render(request, "operator/accounts.html", context)


def _found(sought: str) -> QuerySet[User]:
    """Return accounts by part of their name or address; without one, the latest."""
    named = Q(username__icontains=sought) | Q(email__icontains=sought)
    return User.objects.filter(named).order_by("-date_joined", "-pk")


def _key_in(request: HttpRequest, field: str) -> int:
    """Return the key that a form sent, 0 for none."""
    text = request.POST.get(field, "")
    return int(text) if is_digits(text, 18) else 0


def _change(request: HttpRequest) -> None:
    account = get_object_or_404(User, pk=_key_in(request, "account"))
    said = {"name": account.username}
    if request.POST.get("act") == "unblock":
        accounts.unblock(account=account)
        messages.success(request, _("%(name)s can sign in again.") % said)
        return
    try:
        accounts.block(account=account)
    except accounts.IsOperator:
        messages.error(request, _("%(name)s operates this server.") % said)
    else:
        text = _("%(name)s is blocked: signed out, and keys and apps don’t work.")
        messages.success(request, text % said)


@operators_only
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def reports(request: HttpRequest) -> HttpResponse:
    """Show reports of published decks; withdraw a deck, or dismiss a report."""
    if request.method == "POST":
        _decide(request)
        return HttpResponseRedirect(reverse("operator_reports"), status=303)
    pool = current_pool()
    found = open_reports()
    context = {
        "open": [
            (each, title_of(each.deck, pool.get_card(each.deck.showing.investigator)))
            for each in found[:MOST_REPORTS]
        ],
        "count": found.count(),
        "decided": decided_reports()[:MOST_REPORTS],
    }
    return render(request, "operator/reports.html", context)


def _decide(request: HttpRequest) -> None:
    report = get_object_or_404(Report, pk=_key_in(request, "report"))
    act = request.POST.get("act", "")
    if act not in (Report.Decision.WITHDRAWN, Report.Decision.DISMISSED):
        raise Http404
    assert isinstance(request.user, User)
    is_withdrawn = act == Report.Decision.WITHDRAWN
    decided = decide_report(
        report=report,
        decision=Report.Decision(act),
        answer=request.POST.get("answer", "") if is_withdrawn else "",
        by=request.user,
        now=timezone.now(),
    )
    if not decided and Report.objects.filter(pk=report.pk, decision="").exists():
        text = _(
            "The deck isn’t published any more. If it is again, this report reopens."
        )
        messages.error(request, text)
    elif not decided:
        messages.error(request, _("Another operator has decided this report."))
    elif is_withdrawn:
        messages.success(request, _("The deck is withdrawn; only its owner sees it."))
    else:
        messages.success(request, _("The report is dismissed."))
