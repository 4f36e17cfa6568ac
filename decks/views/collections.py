"""The visitor's collections, missing cards, and decks that share a collection."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from arkham.accounts.authentication import account_required
from arkham.accounts.models import User
from arkham.rules.collection import fewest_products, product_gains
from arkham.rules.pool import CardPool
from arkham.rules.table import DeckSeat, Holder, Sharing, Table, share_out
from arkham.web.forms import sent_once
from arkham.web.http import page_or_fragment, wants_fragment
from cardpool.catalog import current_judge
from cardpool.languages import shown_name
from decks import queries
from decks.forms.collections import (
    CollectionForm,
    MissingForm,
    Press,
    TableForm,
    read_press,
)
from decks.models import Collection, Revision
from decks.pages.display import Judged
from decks.pages.notes import notes_of
from decks.pages.owned import (
    LONGEST_SEARCH,
    Shelves,
    missing_cards,
    shown_copies,
    shown_cover,
    shown_gains,
)
from decks.services import collecting
from decks.services.collecting import collection_of, copies_in
from decks.views.reach import (
    deck_title,
    distinct_titles,
    keys_of,
    not_understood,
    owner_of,
    see_other,
    visible,
)

MOST_DECKS = 40


@account_required
@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """List the account's collections."""
    pool = current_judge().pool
    entries = [
        (each, Shelves(each, pool))
        for each in Collection.objects.filter(owner=owner_of(request))
    ]
    return render(request, "decks/collections.html", {"entries": entries})


@account_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, pk: int | None = None) -> HttpResponse:
    """Show the products of a collection, each added or removed by one press.

    The first press creates a collection.
    """
    owner = owner_of(request)
    assert owner is not None
    found = None
    if pk is not None:
        found = get_object_or_404(Collection, pk=pk, owner=owner)
    if request.method != "POST":
        return _collection_page(request, found)
    sent = request.POST
    if found is not None and ("missing" in sent or "found" in sent):
        return _missing(request, owner, found)
    change = _described if "name" in sent else _pressed
    return (change if found else sent_once(change))(request, owner, found)


def _pressed(
    request: HttpRequest, owner: User, found: Collection | None
) -> HttpResponse:
    """Add or remove the products that were pressed, and show the change."""
    pool, sent = current_judge().pool, request.POST
    press = read_press(sent, Shelves(found, pool))
    if press is None:
        return not_understood(request)
    seen = sent.get("seen", "") if press.removes_many else None
    try:
        kept = collecting.own_products(
            owner=owner,
            collection=found,
            copies=press.copies,
            now=timezone.now(),
            seen=seen,
        )
    except collecting.CollectionMoved:
        assert found is not None
        messages.error(
            request,
            _(
                "Your collection was changed in another window. Nothing was removed: "
                "check it, then try again."
            ),
        )
        kept, press = found, Press({})
    address = reverse("decks:collection", args=[kept.pk])
    if press.cycle:
        address += f"?{urlencode({'open': press.cycle})}#{press.cycle}"
    if not wants_fragment(request):
        return see_other(address)
    if found is None or not press.cycle:
        return HttpResponse(headers={"HX-Redirect": address})
    words = sent.get("q", "")[:LONGEST_SEARCH]
    shelves = Shelves(kept, pool, counts="counts" in sent)
    context = {
        "shelves": shelves,
        "words": words,
        "every": shelves.all(words),
        "shelf": shelves.of(press.cycle, words),
        "mark": collecting.mark_of(kept),
    }
    return render(request, "decks/_shelf_changed.html", context)


def _described(
    request: HttpRequest, owner: User, found: Collection | None
) -> HttpResponse:
    form = CollectionForm(request.POST, found)
    if not form.is_valid():
        return _collection_page(request, found, form=form)
    kept = collecting.describe_collection(
        owner=owner, collection=found, changed=form.changed, now=timezone.now()
    )
    messages.success(request, _("The collection is saved."))
    return see_other(reverse("decks:collection", args=[kept.pk]))


def _missing(request: HttpRequest, owner: User, found: Collection) -> HttpResponse:
    """Add missing cards, or remove one that was found again."""
    pool = current_judge().pool
    printing = request.POST.get("found", "")
    if printing:
        copies = {printing: -1}
    else:
        form = MissingForm(request.POST, found, pool)
        if not form.is_valid():
            return _collection_page(request, found, missing_form=form)
        copies = form.cleaned_data["missing"]
    collecting.note_missing(
        owner=owner, collection=found, copies=copies, now=timezone.now()
    )
    return see_other(f"{reverse('decks:collection', args=[found.pk])}#missing")


def _collection_page(
    request: HttpRequest, found: Collection | None, **more: Any
) -> HttpResponse:
    """Render the page, or only its shelves for a search; 422 with an invalid form."""
    pool, asked = current_judge().pool, request.GET
    words = asked.get("q", "")[:LONGEST_SEARCH]
    shelves = Shelves(found, pool, counts="counts" in asked)
    context = {
        "collection": found,
        "shelves": shelves,
        "every": shelves.all(words),
        "words": words,
        "opened": asked.get("open", ""),
        "mark": collecting.mark_of(found) if found else "",
        "form": CollectionForm(None, found),
        "missing_form": MissingForm(None, found, pool) if found else None,
        "missing": missing_cards(found, pool) if found else (),
        **more,
    }
    if more:
        return render(request, "decks/collection.html", context, status=422)
    return page_or_fragment(
        request, "decks/collection.html", "decks/_shelves_owned.html", context
    )


@account_required
@require_safe
def products(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what each product would add for the decks of its owner."""
    found = get_object_or_404(Collection, pk=pk, owner=owner_of(request))
    judge = current_judge()
    decks = queries.latest(queries.visible_to(request.user))[: collecting.MOST_DECKS]
    short = collecting.shortages(decks, collecting.cards_in(found, judge.pool), judge)
    wanted = collecting.total_shortage(short)
    context = {
        "collection": found,
        "decks": len(short),
        "short": sum(wanted.values()),
        "gains": shown_gains(product_gains(wanted, judge.pool), found, judge.pool),
    }
    return render(request, "decks/products.html", context)


@require_safe
def for_deck(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the fewest products that complete a deck."""
    revision = visible(request, pk)
    judge = current_judge()
    pool = judge.pool
    found = collection_of(owner_of(request))
    owned = collecting.cards_in(found, pool) if found else {}
    short = next(iter(collecting.shortages([revision], owned, judge)), None)
    context: dict[str, object] = {
        "deck": revision.deck,
        "title": deck_title(revision),
        "collection": found,
    }
    if short is not None:
        cover = fewest_products(short.short, pool)
        context |= {
            "cover": cover,
            "short": shown_copies(short.short, pool),
            "left": shown_copies(cover.left, pool),
            "products": shown_cover(cover, short.short, pool),
            "gains": shown_gains(product_gains(short.short, pool), found, pool),
        }
    return render(request, "decks/deck_products.html", context)


@account_required
@require_POST
@sent_once
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete a collection."""
    collection = get_object_or_404(Collection, pk=pk, owner=owner_of(request))
    collecting.delete_collection(collection=collection)
    messages.success(request, _("Collection deleted."))
    return see_other(reverse("decks:collections"))


@require_safe
def table(request: HttpRequest) -> HttpResponse:
    """Show which copies are short at a table, who owns them, and remedies."""
    owner = owner_of(request)
    collections = list(Collection.objects.filter(owner=owner)) if owner else []
    decks = queries.visible_to(request.user, keys_of(request))
    revisions = {each.deck_id: each for each in queries.latest(decks)[:MOST_DECKS]}
    titles = distinct_titles(revisions.values())
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
    """Return the loans by holder: card, copies, deck."""
    lists: dict[str, list[tuple[str, int, str]]] = {}
    for loan in sharing.loans:
        line = (shown_name(pool[loan.code]), loan.copies, loan.seat)
        lists.setdefault(loan.holder, []).append(line)
    return [(holder, sorted(lines)) for holder, lines in sorted(lists.items())]
