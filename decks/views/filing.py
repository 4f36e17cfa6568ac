"""Folders of decks, and the bin."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from arkham.accounts.authentication import account_required
from arkham.rules.pool import CardPool
from arkham.web.forms import sent_once
from arkham.web.quotas import QuotaReached
from cardpool.catalog import current_judge
from decks import queries, services
from decks.models import BIN_LIFETIME, LONGEST_FOLDER, Deck, Folder
from decks.pages.my_decks import DeckShelf
from decks.views.reach import keys_of, not_understood, owner_of, see_other, title_of

A_PAGE = 48


def deck_shelf(request: HttpRequest, pool: CardPool) -> DeckShelf:
    """Return the decks and folders of the visitor."""
    decks = queries.visible_to(request.user, keys_of(request))
    return DeckShelf(decks, queries.folders_of(request.user), pool)


@account_required
@require_http_methods(["GET", "HEAD", "POST"])
@sent_once
def folders(request: HttpRequest) -> HttpResponse:
    """List the account's folders, and create one."""
    if request.method == "POST":
        folder, problem = make_folder(request, request.POST.get("name", ""))
        if folder is None:
            return _folders(request, problem, 0)
        messages.success(request, _("Folder created."))
        return see_other(reverse("decks:folders"))
    return _folders(request)


def _folders(request: HttpRequest, problem: str = "", at: int = -1) -> HttpResponse:
    """Render the page; 422 with an error at a folder, at the new one if ``at`` is 0."""
    shelf = deck_shelf(request, current_judge().pool)
    context = {
        "folders": [(each, shelf.counts[each.pk]) for each in shelf.folders],
        "problem": problem,
        "at": at,
        "sent": request.POST.get("name", ""),
        "longest": LONGEST_FOLDER,
    }
    status = 422 if problem else 200
    return render(request, "decks/folders.html", context, status=status)


def make_folder(request: HttpRequest, name: str) -> tuple[Folder | None, str]:
    """Create a folder; return it, or None and the problem."""
    owner = owner_of(request)
    assert owner is not None
    problem = _problem_of(name)
    if not problem:
        try:
            folder = services.make_folder(owner=owner, name=name, now=timezone.now())
        except services.FolderTaken as taken:
            problem = _taken(taken)
        else:
            return folder, ""
    return None, problem


def _problem_of(name: str) -> str:
    if not name.strip():
        return _("Give the folder a name.")
    if len(name) > LONGEST_FOLDER:
        text = _("The name of a folder has at most %(number)d letters.")
        return text % {"number": LONGEST_FOLDER}
    return ""


def _taken(taken: services.FolderTaken) -> str:
    return _("You already have a folder “%(name)s”.") % {"name": taken.name}


@account_required
@require_POST
def rename_folder(request: HttpRequest, pk: int) -> HttpResponse:
    """Rename a folder."""
    folder = get_object_or_404(queries.folders_of(request.user), pk=pk)
    name = request.POST.get("name", "")
    problem = _problem_of(name)
    if not problem:
        try:
            services.rename_folder(folder=folder, name=name)
        except services.FolderTaken as taken:
            problem = _taken(taken)
    if problem:
        return _folders(request, problem, pk)
    messages.success(request, _("The folder is renamed."))
    return see_other(reverse("decks:folders"))


@account_required
@require_POST
@sent_once
def delete_folder(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete a folder; its decks stay."""
    folder = get_object_or_404(queries.folders_of(request.user), pk=pk)
    services.delete_folder(folder=folder)
    text = _("The folder “%(name)s” is deleted. Its decks stay, without a folder.")
    messages.success(request, text % {"name": folder.name})
    return see_other(reverse("decks:folders"))


# -- the bin --


@require_http_methods(["GET", "HEAD", "POST"])
@sent_once
def deleted(request: HttpRequest) -> HttpResponse:
    """Show the bin; restore decks, or delete them permanently."""
    decks = queries.in_bin(request.user, keys_of(request))
    if request.method == "POST":
        act, numbers = _asked_of_bin(request)
        return _from_bin(request, act, list(decks.filter(pk__in=numbers)))
    page = Paginator(decks, A_PAGE).get_page(request.GET.get("page"))
    pool = current_judge().pool
    context = {
        "page": page,
        "entries": list(_binned(page.object_list, pool)),
        "days": BIN_LIFETIME.days,
    }
    return render(request, "decks/bin.html", context)


def _asked_of_bin(request: HttpRequest) -> tuple[str, list[int]]:
    """Return the action, and the chosen decks or the one of its button."""
    act, given = request.POST.get("do", ""), request.POST.getlist("deck")[:A_PAGE]
    if "restore" in request.POST:
        act, given = "restore", [request.POST["restore"]]
    is_number = re.compile(r"\d{1,9}", re.ASCII).fullmatch
    return act, [int(each) for each in given if is_number(each)]


def _binned(
    decks: Iterable[Deck], pool: CardPool
) -> Iterator[tuple[Deck, str, datetime]]:
    """Yield each deck in the bin, its title, and when it is permanently deleted."""
    held = {each.pk: each for each in decks}
    codes = queries.investigator_codes(Deck.binned.filter(pk__in=held).order_by())
    for pk, deck in held.items():
        assert deck.deleted_at is not None
        title = title_of(deck, pool.get_card(codes.get(pk, "")))
        yield deck, title, deck.deleted_at + BIN_LIFETIME


def _from_bin(request: HttpRequest, act: str, chosen: list[Deck]) -> HttpResponse:
    if act not in {"restore", "delete"}:
        return not_understood(request)
    if not chosen:
        messages.warning(request, _("Choose decks first."))
    elif act == "restore":
        return _restored(request, chosen)
    else:
        gone = services.delete_for_good(decks=chosen)
        text = ngettext(
            "%(number)d deck is permanently deleted.",
            "%(number)d decks are permanently deleted.",
            gone,
        )
        messages.success(request, text % {"number": gone})
    return see_other(reverse("decks:bin"))


def _restored(request: HttpRequest, chosen: list[Deck]) -> HttpResponse:
    done, full = 0, ""
    for deck in chosen:
        try:
            done += services.restore_deck(deck=deck)
        except QuotaReached as error:
            full = str(error)
            break
    if done:
        text = ngettext(
            "%(number)d deck is restored. It is private and isn’t at a table.",
            "%(number)d decks are restored. They are private and aren’t at a table.",
            done,
        )
        messages.success(request, text % {"number": done})
    if full:
        text = ngettext(
            "%(number)d deck is still in the bin.",
            "%(number)d decks are still in the bin.",
            len(chosen) - done,
        )
        left = text % {"number": len(chosen) - done}
        messages.error(request, f"{left} {full}")
        return see_other(reverse("decks:bin"))
    return see_other(reverse("decks:index"))
