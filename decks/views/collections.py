"""What a visitor owns and prefers, and a whole account as one file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from arkham.accounts.asking import account_required
from arkham.accounts.models import User
from arkham.accounts.preferences import (
    keep_in_browser,
    preferences_of,
    save_preferences,
)
from arkham.rules.notation.reading import Unreadable
from arkham.rules.pool import CardPool
from arkham.rules.table import DeckSeat, Holder, Sharing, Table, share_out
from arkham.web.body_limits import AROUND_A_FILE, takes_up_to
from cardpool.catalog import current_judge
from decks import queries
from decks.forms.collections import CollectionForm, TableForm
from decks.forms.lists import AccountFileForm, ManyListsForm
from decks.forms.terms import PreferencesForm
from decks.interchange.account_file import MOST_BYTES
from decks.interchange.account_import import account_text, take_in
from decks.interchange.account_reading import read_account
from decks.interchange.importing import placed
from decks.interchange.many import MOST_PLACES, TooMany, import_places
from decks.models import Collection, Revision
from decks.pages.display import Judged
from decks.pages.notes import notes_of
from decks.services import collecting
from decks.services.collecting import collection_of, copies_in
from decks.views.reach import keys_of, owner_of, see_other, title_of


@account_required
@require_safe
def account_file(request: HttpRequest) -> HttpResponse:
    """Everything of the account, to be kept or taken to another server."""
    owner = request.user
    assert isinstance(owner, User)
    now = timezone.now()
    disposition = content_disposition_header(True, f"orne-{now:%Y-%m-%d}.json")
    assert disposition is not None
    return HttpResponse(
        account_text(owner=owner, now=now),
        content_type="application/json; charset=utf-8",
        headers={"Content-Disposition": disposition, "Cache-Control": "no-store"},
    )


@takes_up_to(MOST_BYTES + AROUND_A_FILE)
@account_required
@require_http_methods(["GET", "HEAD", "POST"])
def belongings(request: HttpRequest) -> HttpResponse:
    """Take everything along, or take a file of it in."""
    owner = request.user
    assert isinstance(owner, User)
    if request.method != "POST":
        return render(request, "decks/belongings.html", {"form": AccountFileForm()})
    form = AccountFileForm(request.POST, request.FILES)
    context: dict[str, object] = {"form": form}
    if form.is_valid():
        try:
            account = read_account(form.cleaned_data["file"])
        except Unreadable as error:
            context["faults"] = placed(error.faults)
        else:
            taken = take_in(owner=owner, account=account)
            message = _("Decks taken in: %(made)d. Here already: %(known)d.")
            if taken.collections:
                message += " " + _("Collections taken in: %(collections)d.")
            messages.success(request, message % taken._asdict())
            if taken.shown:
                messages.info(request, _private_here(taken.shown))
            return see_other(reverse("decks:index"))
    return render(request, "decks/belongings.html", context, status=422)


@account_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_many(request: HttpRequest) -> HttpResponse:
    """Import many decks at once; what became of each is said."""
    owner = request.user
    assert isinstance(owner, User)
    if request.method != "POST":
        form = ManyListsForm()
        return render(request, "decks/import_many.html", {"form": form})
    form = ManyListsForm(request.POST, request.FILES)
    context: dict[str, object] = {"form": form, "most": MOST_PLACES}
    if form.is_valid():
        try:
            places = form.places()
        except TooMany as error:
            form.add_error(None, str(error))
        else:
            outcomes = import_places(
                owner=owner,
                places=places,
                pool=current_judge().pool,
                here=request.build_absolute_uri("/"),
                now=timezone.now(),
            )
            counts = Counter(each.kind for each in outcomes)
            context |= {
                "form": ManyListsForm(),
                "outcomes": outcomes,
                "imported": counts["imported"],
                "left": counts.total() - counts["imported"],
            }
    status = 422 if form.errors else 200
    return render(request, "decks/import_many.html", context, status=status)


def _private_here(shown: int) -> str:
    """That decks others saw elsewhere are private here."""
    return ngettext(
        "%(number)d deck that others saw elsewhere is private here. Its page shows it "
        "to others again.",
        "%(number)d decks that others saw elsewhere are private here. The page of each "
        "shows it to others again.",
        shown,
    ) % {"number": shown}


MOST_DECKS = 40


@account_required
@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """My collections."""
    pool = current_judge().pool
    entries = [
        (each, sum(each.products.values()), sum(copies_in(each, pool).values()))
        for each in Collection.objects.filter(owner=owner_of(request))
    ]
    return render(request, "decks/collections.html", {"entries": entries})


@account_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, pk: int | None = None) -> HttpResponse:
    """The products of a collection, and the cards missing from them."""
    owner = owner_of(request)
    assert owner is not None
    found = None
    if pk is not None:
        found = get_object_or_404(Collection, pk=pk, owner=owner)
    form = CollectionForm(request.POST or None, current_judge().pool, found)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        collecting.save_collection(
            owner=owner,
            collection=found,
            name=data["name"],
            products=form.products(),
            missing=data["missing"],
            lends=data["lends"],
            advises=data["advises"],
            now=timezone.now(),
        )
        messages.success(request, _("The collection is kept."))
        return see_other(reverse("decks:collections"))
    context = {"form": form, "collection": found}
    status = 422 if form.errors else 200
    return render(request, "decks/collection.html", context, status=status)


@account_required
@require_POST
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """A collection is forgotten."""
    collection = get_object_or_404(Collection, pk=pk, owner=owner_of(request))
    collecting.delete_collection(collection=collection)
    messages.success(request, _("The collection is forgotten."))
    return see_other(reverse("decks:collections"))


@require_safe
def table(request: HttpRequest) -> HttpResponse:
    """Which copies are short at a table, who holds them, and what would mend it."""
    owner = owner_of(request)
    collections = list(Collection.objects.filter(owner=owner)) if owner else []
    decks = queries.visible_to(request.user, keys_of(request))
    revisions = {each.deck_id: each for each in queries.latest(decks)[:MOST_DECKS]}
    titles = _titles(revisions.values())
    offered = [(each.deck, titles[each.deck_id]) for each in revisions.values()]
    form = TableForm(request.GET, offered, collections)
    context: dict[str, object] = {"form": form, "collections": collections}
    if form.is_valid() and form.seated():
        seated = form.seated()
        chosen = {revisions[pk]: held for pk, held in seated.items()}
        sharing = _share_out(chosen, titles, collections)
        pool = current_judge().pool
        context["judged"] = {"notes": notes_of(sharing.findings, pool)}
        context |= {"sharing": sharing, "seats": len(seated)}
        context["loans"] = _by_holder(sharing, pool)
    status = 422 if form.errors else 200
    return render(request, "decks/table.html", context, status=status)


def _titles(revisions: Iterable[Revision]) -> dict[int, str]:
    """What each deck is called; decks of one name have their number added."""
    pool = current_judge().pool
    titles: dict[int, str] = {}
    taken: set[str] = set()
    for each in revisions:
        card = pool.get_card(each.content.deck["investigator_code"])
        title = title_of(each.deck, card)
        titles[each.deck_id] = (
            title if title not in taken else f"{title} #{each.deck_id}"
        )
        taken.add(title)
    return titles


def _share_out(
    chosen: dict[Revision, int | None],
    titles: dict[int, str],
    collections: list[Collection],
) -> Sharing:
    judge = current_judge()
    names = {each.pk: f"{each.name} #{each.pk}" for each in collections}
    for each in collections:
        if [other.name for other in collections].count(each.name) == 1:
            names[each.pk] = each.name
    seats = []
    for revision, held in chosen.items():
        built = Judged(revision.content, judge).built
        if built is not None:
            own = (names[held],) if held is not None else ()
            seats.append(DeckSeat(titles[revision.deck_id], built, own))
    holders = tuple(
        Holder(names[each.pk], copies_in(each, judge.pool), each.lends)
        for each in collections
    )
    return share_out(Table(tuple(seats), holders, judge.pool))


def _by_holder(
    sharing: Sharing, pool: CardPool
) -> list[tuple[str, list[tuple[str, int, str]]]]:
    """The loans as lists to take cards out by: holder, then card, copies, deck."""
    lists: dict[str, list[tuple[str, int, str]]] = {}
    for loan in sharing.loans:
        line = (pool[loan.code].name, loan.copies, loan.seat)
        lists.setdefault(loan.holder, []).append(line)
    return [(holder, sorted(lines)) for holder, lines in sorted(lists.items())]


# -- preferences --


@require_http_methods(["GET", "HEAD", "POST"])
def preferences(request: HttpRequest) -> HttpResponse:
    """Show and change what the visitor prefers."""
    owner, now = owner_of(request), preferences_of(request)
    form = PreferencesForm(now, current_judge().pool, request.POST or None)
    if request.method == "POST" and form.is_valid():
        response = see_other(reverse("account_preferences"))
        if owner is not None:
            save_preferences(user=owner, changed=form.changed)
        else:
            keep_in_browser(response, replace(now, **form.changed))
        messages.success(request, _("Your preferences are saved."))
        return response
    context = {
        "form": form,
        "collection": collection_of(owner),
        "is_bound_to_browser": owner is None,
    }
    status = 422 if form.errors else 200
    return render(request, "account/preferences.html", context, status=status)
