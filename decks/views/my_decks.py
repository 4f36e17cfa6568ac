"""The decks of a visitor: found, moved, archived, exported and deleted.

An action on many decks handles each separately, and names those that failed.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterable
from typing import NamedTuple
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import (
    require_POST,
    require_safe,
)

from arkham.rules.notation.formats import FORMATS
from arkham.rules.vocabulary import is_digits
from cardpool.catalog import current_judge
from decks import queries, services
from decks.forms.search import classes
from decks.interchange.export import exchanged, file_name, text_of
from decks.models import BIN_LIFETIME, LONGEST_FOLDER, Deck, Folder, Revision
from decks.pages.display import Judged
from decks.pages.my_decks import NONE, ORDERS, DeckFilter, News, by_deck
from decks.services.beginning import left_at_creation
from decks.services.hooks import tables_of
from decks.services.ledger import balances_of, is_played
from decks.views.deck_tools import MOST_PULLED
from decks.views.filing import A_PAGE, deck_shelf, make_folder
from decks.views.reach import (
    deck_title,
    drafts_of,
    keys_of,
    not_understood,
    owner_of,
    see_other,
)

MOST_AT_ONCE = 500
MOST_NAMED = 5  # of the decks that an action failed for
NEW_FOLDER = "new"
_CHOSEN = re.compile(r"(\d{1,9})\.(\d{1,9})", re.ASCII)


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """List the visitor's decks, each with its verdict."""
    judge = current_judge()
    wanted = DeckFilter.read(request.GET.dict())
    shelf = deck_shelf(request, judge.pool)
    found = shelf.found(wanted)
    page = Paginator(found, A_PAGE).get_page(request.GET.get("page"))
    listed = {each.deck_id: each for each in _latest(request, page.object_list)}
    balances = balances_of(each.deck for each in listed.values())
    entries = []
    for pk in page:
        revision = listed.get(pk)
        if revision is None:  # deleted meanwhile
            continue
        judged = Judged(revision.content, judge)
        title = deck_title(revision)
        balance = balances.get(pk)
        if left := left_at_creation(revision, judge):
            balance = (balance or 0) + left
        tables = shelf.tables_of.get(pk, ())
        played = is_played(revision)
        entries.append((revision.deck, judged, title, balance, played, tables))
    context = {
        "page": page,
        "entries": entries,
        "shelf": shelf,
        "wanted": wanted,
        "folders": shelf.in_folders(wanted),
        "has_any": bool(shelf.decks),
        "classes": classes(),
        "orders": list(ORDERS.items()),
        "in_bin": queries.in_bin(request.user, keys_of(request)).count(),
        "news": _all_news(request),
        "drafts": owner_of(request) and drafts_of(request).count(),
    }
    return render(request, "decks/index.html", context)


def _latest(request: HttpRequest, pks: Iterable[int]) -> Iterable[Revision]:
    """Return the latest revisions of those decks that the visitor may change."""
    decks = queries.editable_by(request.user, keys_of(request))
    found = queries.latest(decks.filter(pk__in=list(pks)))
    return found.select_related("deck__showing", "deck__source", "deck__folder")


def _all_news(request: HttpRequest) -> list[tuple[Deck, str, News]]:
    """Return the decks whose changed verdicts weren't dismissed, on every page."""
    decks = queries.visible_to(request.user, keys_of(request))
    news = by_deck(queries.to_be_read(decks))
    if not news:
        return []
    found = []
    for revision in queries.latest(decks.filter(pk__in=news)):
        found.append((revision.deck, deck_title(revision), news[revision.deck_id]))
    return found


# -- many decks at once --


class ChosenDeck(NamedTuple):
    """A deck chosen in the list, and the revision it had there."""

    revision: Revision
    title: str
    seen: int

    @property
    def deck(self) -> Deck:
        """The deck."""
        return self.revision.deck

    @property
    def mark(self) -> str:
        """The value that forms send for it."""
        return f"{self.revision.deck_id}.{self.seen}"


@require_POST
def many(request: HttpRequest) -> HttpResponse:
    """Move, archive, export or delete the chosen decks."""
    act = _ACTS.get(request.POST.get("do", ""))
    marks = [_CHOSEN.fullmatch(each) for each in request.POST.getlist("deck")]
    seen = {int(each[1]): int(each[2]) for each in marks if each}
    if act is None or None in marks:
        return not_understood(request)
    pool = current_judge().pool
    if "all" in request.POST:
        wanted = DeckFilter.read(request.POST.dict())
        seen |= dict.fromkeys(deck_shelf(request, pool).found(wanted), 0)
    if not seen:
        messages.warning(request, _("Choose decks first."))
        return _back(request)
    if len(seen) > MOST_AT_ONCE:
        text = _("Choose at most %(number)d decks at once. Nothing was changed.")
        messages.error(request, text % {"number": MOST_AT_ONCE})
        return _back(request)
    chosen = []
    for each in _latest(request, seen):
        number = seen[each.deck_id] or each.number
        chosen.append(ChosenDeck(each, deck_title(each), number))
    if gone := len(seen) - len(chosen):
        text = ngettext(
            "%(number)d deck isn’t here any more. It was deleted in another window.",
            "%(number)d decks aren’t here any more. They were deleted in another "
            "window.",
            gone,
        )
        messages.warning(request, text % {"number": gone})
    return act(request, chosen) if chosen else _back(request)


def _back(request: HttpRequest) -> HttpResponse:
    """Redirect to the list with its filter."""
    query = DeckFilter.read(request.POST.dict()).query
    return see_other(reverse("decks:index") + (f"?{query}" if query else ""))


def _move(request: HttpRequest, chosen: list[ChosenDeck]) -> HttpResponse:
    wanted = request.POST.get("into", "")
    if wanted == NEW_FOLDER:
        return _move_to_new(request, chosen)
    folder = None
    if wanted != NONE:
        folders = queries.folders_of(request.user)
        folder = (
            folders.filter(pk=int(wanted)).first() if is_digits(wanted, 9) else None
        )
        if folder is None:
            messages.error(request, _("Choose a folder. Nothing was moved."))
            return _back(request)
    return _moved(request, chosen, folder)


def _moved(
    request: HttpRequest, chosen: list[ChosenDeck], folder: Folder | None
) -> HttpResponse:
    kept = [each for each in chosen if not each.deck.is_draft]
    services.move_to_folder(decks=[each.deck for each in kept], folder=folder)
    if folder is None:
        text = ngettext(
            "%(number)d deck isn’t in a folder any more.",
            "%(number)d decks aren’t in a folder any more.",
            len(kept),
        )
    else:
        text = ngettext(
            "%(number)d deck is in “%(folder)s” now.",
            "%(number)d decks are in “%(folder)s” now.",
            len(kept),
        )
    if kept:
        said = {"number": len(kept), "folder": folder.name if folder else ""}
        messages.success(request, text % said)
    drafts = [each.title for each in chosen if each.deck.is_draft]
    _say_left(request, _("Not moved, because drafts have no folder: %(names)s"), drafts)
    return _back(request)


def _move_to_new(request: HttpRequest, chosen: list[ChosenDeck]) -> HttpResponse:
    """Ask for the name of a new folder; then move the decks there."""
    owner = owner_of(request)
    if owner is None:
        messages.error(request, _("Sign in to keep your decks in folders."))
        return _back(request)
    name, problem = request.POST.get("name"), ""
    if name is not None:
        folder, problem = make_folder(request, name)
        if folder is not None:
            return _moved(request, chosen, folder)
    context = {
        "chosen": chosen,
        "wanted": DeckFilter.read(request.POST.dict()),
        "name": name or "",
        "problem": problem,
        "longest": LONGEST_FOLDER,
    }
    status = 422 if problem else 200
    return render(request, "decks/new_folder.html", context, status=status)


def _archive(request: HttpRequest, chosen: list[ChosenDeck]) -> HttpResponse:
    decks = [each.deck for each in chosen]
    services.archive_decks(decks=decks, now=timezone.now())
    text = ngettext(
        "%(number)d deck is in the archive.",
        "%(number)d decks are in the archive.",
        len(chosen),
    )
    messages.success(request, text % {"number": len(chosen)})
    return _back(request)


def _unarchive(request: HttpRequest, chosen: list[ChosenDeck]) -> HttpResponse:
    services.unarchive_decks(decks=[each.deck for each in chosen])
    text = ngettext(
        "%(number)d deck is back among your decks.",
        "%(number)d decks are back among your decks.",
        len(chosen),
    )
    messages.success(request, text % {"number": len(chosen)})
    return _back(request)


def _delete(request: HttpRequest, chosen: list[ChosenDeck]) -> HttpResponse:
    """Ask once for all, naming their tables; then move them to the bin."""
    if "sure" not in request.POST:
        tables = tables_of([each.deck.pk for each in chosen])
        context = {
            "chosen": [(each, tables.get(each.deck.pk, ())) for each in chosen],
            "wanted": DeckFilter.read(request.POST.dict()),
            "days": BIN_LIFETIME.days,
        }
        return render(request, "decks/delete_many.html", context)
    moved, done = [], 0
    for each in chosen:
        try:
            services.delete_deck(
                deck=each.deck, expected_revision=each.seen, now=timezone.now()
            )
        except services.Stale:
            moved.append(each.title)
        except Deck.DoesNotExist:  # deleted meanwhile
            continue
        else:
            done += 1
    if done:
        text = ngettext(
            "%(number)d deck is in the bin. You can restore it for %(days)d days.",
            "%(number)d decks are in the bin. You can restore them for %(days)d days.",
            done,
        )
        said = {"number": done, "days": BIN_LIFETIME.days}
        messages.success(request, text % said)
    _say_left(request, _("Not deleted, because they have changed: %(names)s"), moved)
    return _back(request)


def _compare(request: HttpRequest, chosen: list[ChosenDeck]) -> HttpResponse:
    """Redirect to the comparison of two decks; the second may be chosen there."""
    if len(chosen) > 2:
        messages.warning(request, _("Choose two decks to compare."))
        return _back(request)
    query = urlencode(dict(zip("ab", (each.deck.pk for each in chosen), strict=False)))
    return see_other(f"{reverse('decks:compare-decks')}?{query}")


def _pull(request: HttpRequest, chosen: list[ChosenDeck]) -> HttpResponse:
    """Redirect to the pull list of these decks."""
    if len(chosen) > MOST_PULLED:
        text = _("Choose at most %(number)d decks for a pull list.")
        messages.warning(request, text % {"number": MOST_PULLED})
        return _back(request)
    query = urlencode([("deck", each.deck.pk) for each in chosen])
    return see_other(f"{reverse('decks:pull')}?{query}")


def _export(request: HttpRequest, chosen: list[ChosenDeck]) -> HttpResponse:
    """Return the decks as a zip of files in ArkhamDB's JSON."""
    pool, form, kept = current_judge().pool, FORMATS["json"], io.BytesIO()
    names: set[str] = set()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as file:
        for each in chosen:
            name = file_name(each.title, form, each.deck.pk)
            if name.casefold() in names:
                name = f"{name.removesuffix('.json')} {each.deck.pk}.json"
            names.add(name.casefold())
            file.writestr(name, text_of(exchanged(each.revision, pool), form, pool))
    called = content_disposition_header(True, f"decks-{timezone.now():%Y-%m-%d}.zip")
    headers = {"Content-Disposition": called or "", "Cache-Control": "no-store"}
    return HttpResponse(
        kept.getvalue(), content_type="application/zip", headers=headers
    )


def _say_left(request: HttpRequest, text: str, titles: list[str]) -> None:
    """Name the decks that an action failed for."""
    if titles:
        names = ", ".join(f"“{each}”" for each in titles[:MOST_NAMED])
        if more := len(titles) - MOST_NAMED if len(titles) > MOST_NAMED else 0:
            names += ngettext(" and %(number)d more", " and %(number)d more", more) % {
                "number": more
            }
        messages.warning(request, text % {"names": names})


_ACTS: dict[str, Callable[[HttpRequest, list[ChosenDeck]], HttpResponse]] = {
    "move": _move,
    "archive": _archive,
    "unarchive": _unarchive,
    "delete": _delete,
    "compare": _compare,
    "pull": _pull,
    "export": _export,
}
