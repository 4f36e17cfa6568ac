"""The pages of the card pool: search, a card, products, the search language.

Each field of the filter form is a condition of the search language, so that form and
language always agree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from django import forms
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from arkham.accounts.preferences import preferences_of
from arkham.emblems import guide_of_cycle
from arkham.rules.card import Card
from arkham.rules.library import Entry, library, named
from arkham.rules.pool import CardPool
from arkham.web.http import etag, page_or_fragment
from cardpool import access, relations
from cardpool.access import choices, demands
from cardpool.catalog import current_pool
from cardpool.filter_fields import SHOW_FIELD, OneOfField, SomeOfField
from cardpool.filters import FilterForm, owned_by_reader
from cardpool.languages import CardLanguage, readers_language, shown_text
from cardpool.models import Cycle, TabooEntry
from cardpool.pictures import file_of
from cardpool.queries import NothingFound, SearchFault, found_codes, read_search
from cardpool.rows import class_order
from cardpool.search import Search, describe, searched_instead
from cardpool.search.keys import KEYS
from cardpool.search.lexicon import QueryError
from cardpool.search.query import all_of, parse
from cardpool.shown import (
    ShownCard,
    pictures_of,
    required,
    taboo_periods,
    with_pictures,
)
from cardpool.words import MARKS, SLOTS, TYPES, Words

SORT_FIELD = [
    ("", _("Name")),
    ("class", _("Class")),
    ("type", _("Type")),
    ("level", _("Level")),
    ("cost", _("Cost")),
    ("set", _("Product")),
]
GROUP_FIELD = [
    ("", _("Not grouped")),
    ("class", _("By class")),
    ("type", _("By type")),
    ("level", _("By level")),
    ("cost", _("By cost")),
    ("slot", _("By slot")),
    ("set", _("By product")),
]


class BrowseForm(FilterForm):
    """The search box, the filters, and how results are shown."""

    show = SomeOfField(_("Also show"), SHOW_FIELD)
    investigator = forms.CharField(required=False, max_length=8)
    sort = OneOfField(_("Sort by"), SORT_FIELD)
    group = OneOfField(_("Group by"), GROUP_FIELD)

    def clean_investigator(self) -> str:
        """Return the code of an investigator who builds decks."""
        code = str(self.cleaned_data["investigator"])
        card = self.pool.get_card(code)
        if code and (
            card is None or not (card.investigator and card.investigator.back)
        ):
            raise forms.ValidationError(_("There is no investigator with this code."))
        return code

    @property
    def of_investigator(self) -> ShownCard | None:
        """The investigator whose cards are searched."""
        code = self.chosen.get("investigator")
        return ShownCard(self.pool[code], self.pool) if code else None

    def _conditions(self, chosen: Mapping[str, Any]) -> Iterator[str]:
        yield from super()._conditions(chosen)
        if "show" in chosen:
            yield f"show:{'|'.join(chosen['show'])}"
        for name, key in (("investigator", "access"), ("sort", "sort")):
            if name in chosen:
                yield f"{key}:{chosen[name]}"

    def _active(self, chosen: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
        if card := self.of_investigator:
            yield card.name, "investigator", ""
        yield from super()._active(chosen)


Lines = WeakKeyDictionary[CardLanguage, dict[tuple[str, str | None], SafeString]]

_LINES: WeakKeyDictionary[CardPool, Lines] = WeakKeyDictionary()


def line_of(code: str, pool: CardPool) -> SafeString:
    """Return the line of a card in the languages of the page and of the cards."""
    of_pool = _LINES.setdefault(pool, WeakKeyDictionary())
    lines = of_pool.setdefault(readers_language(), {})
    key = (code, get_language())
    if key not in lines:
        shown = ShownCard(pool[code], pool)
        lines[key] = render_to_string("cardpool/_line.html", {"each": shown})
    return lines[key]


PAGE = 50
CONDITION = frozenset(":<>=!|()")  # characters of a search with conditions
RULES = 3  # entries of the rules library shown with search results


class CardGroup(NamedTuple):
    """A group in a list of cards: its sort key, and its heading."""

    place: tuple[int, ...]
    words: str


def group_of(card: Card, pool: CardPool, by: str) -> CardGroup:
    """Return a card's group by class, type, level, cost, slot or product (``set``)."""
    shown = ShownCard(card, pool)
    match by:
        case "class":
            several = str(MARKS["multiclass"].name)
            words = several if len(card.classes) > 1 else shown.class_names
            return CardGroup((class_order(card), bool(card.weakness)), words)
        case "type":
            return CardGroup((tuple(TYPES).index(card.type),), str(shown.type_name))
        case "level":
            level = card.level
            if level is None:
                return CardGroup((-1,), gettext("No level"))
            return CardGroup((level,), gettext("Level %(number)d") % {"number": level})
        case "cost":
            cost = card.cost
            if cost is None:
                return CardGroup((99,), gettext("No cost"))
            return CardGroup((cost,), gettext("Cost %(cost)s") % {"cost": shown.cost})
        case "slot":
            slots = tuple(
                tuple(SLOTS).index(slot) for slot in card.slots if slot in SLOTS
            )
            return CardGroup(
                (not slots, len(slots), *slots), shown.slot_names or gettext("No slot")
            )
    pack = shown.place.pack
    cycle = pool.cycles[pack.cycle]
    return CardGroup((cycle.position, pack.position), pack.name)


@dataclass(frozen=True, slots=True)
class CardLines:
    """Lines under a heading; ``count`` is the number of its cards on all pages."""

    title: Words | None
    count: int
    lines: Sequence[SafeString]


@dataclass(frozen=True, slots=True)
class ResultPage:
    """One page of search results."""

    search: Search
    page: Page[str]
    groups: Sequence[CardLines]
    words: str
    instead: str

    @classmethod
    def of(cls, search: Search, number: str | int, by: str = "") -> ResultPage:
        """Return the page with this number, or the nearest one, grouped ``by`` this."""
        codes, pool = found_codes(search), search.pool
        titles = {code: group_of(pool[code], pool, by) for code in codes} if by else {}
        if by:
            codes = tuple(sorted(codes, key=lambda code: titles[code].place))
        counted = Counter(titles.values())
        page = Paginator(codes, PAGE).get_page(number)
        groups = [
            CardLines(title and title.words, counted[title] if title else 0, lines)
            for title, held in groupby(page, titles.get)
            if (lines := [line_of(code, pool) for code in held])
        ]
        instead = searched_instead(search) if search.guess else ""
        return cls(search, page, groups, describe(search), instead)


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Browse and search cards."""
    owned = owned_by_reader(request)
    pool = current_pool()
    preferred = pool.taboo_list(preferences_of(request).taboo)
    form = BrowseForm(request.GET, pool=pool, owned=owned, taboo=preferred)
    text = request.GET.get("q", "").strip()
    result = fault = None
    try:
        search = read_search(all_of(parse(text), form.term), owned=owned)
        by = form.chosen.get("group", "")
        result = ResultPage.of(search, request.GET.get("page", 1), by)
    except QueryError as error:
        fault = SearchFault.of(text, error)
    address = _without_page(request.GET)
    context = {
        "form": form,
        "query": text,
        "result": result,
        "fault": fault,
        "address": address,
        "investigator": form.of_investigator,
        "rules": _rules_called(text),
        "nothing": result and not result.groups and NothingFound.of(text, pool, owned),
    }
    response = page_or_fragment(
        request, "cardpool/index.html", "cardpool/_results.html", context
    )
    # Typing letter by letter makes only one entry in the browser's history.
    response["HX-Replace-Url"] = f"{request.path}?{address}"
    return response


@require_safe
def filter_lists(request: HttpRequest) -> HttpResponse:
    """Return the traits, cycles and products to filter by, with the chosen ones.

    They are long, so a page loads them only when its filters are opened.
    """
    if not request.htmx:  # type: ignore[attr-defined]
        asked = request.GET.copy()
        asked["long"] = "1"
        return redirect(f"{reverse('cardpool:index')}?{asked.urlencode()}")
    context = {"form": FilterForm(request.GET), "filled": True}
    return render(request, "cardpool/_filter_lists.html", context)


def _rules_called(text: str) -> list[Entry]:
    """Return the library entries of this name, if the search has no conditions."""
    return [] if CONDITION.intersection(text) else named(library(), text)[:RULES]


def _without_page(asked: QueryDict) -> str:
    """Return the query string of this search without the page."""
    kept = asked.copy()
    kept.pop("page", None)
    for key in [key for key, values in kept.lists() if not any(values)]:
        del kept[key]
    return kept.urlencode()


@require_safe
def card(request: HttpRequest, code: str) -> HttpResponse:
    """Show a card: its facts, its relations, its history, who may include it."""
    pool = current_pool()
    found = _card_or_404(code, pool)
    if found.code != code:
        return redirect("cardpool:card", found.code)
    context = _about(found, pool)
    if found.investigator is not None and found.investigator.back is not None:
        codes = found_codes(read_search(f"access:{found.code}"))
        context |= {
            "includable": len(codes),
            "kinds": _kinds(codes, pool),
            "choices": choices(found.investigator.back),
            "requirements": required(found.investigator.back, pool),
            "demands": demands(found, found.investigator.back, pool),
        }
    return render(request, "cardpool/card.html", context)


@require_safe
def face(request: HttpRequest, code: str) -> HttpResponse:
    """Render a card for previews on other pages."""
    pool = current_pool()
    found = _card_or_404(code, pool)
    context = {
        "shown": with_pictures([found], pool)[found.code],
        "text": shown_text(found.code),
    }
    return render(request, "cardpool/_card.html", context)


@require_safe
def picture(
    request: HttpRequest, code: str, side: str, digest: str, size: str
) -> HttpResponse:
    """Return the picture of a card; its address changes with it, so it is cached."""
    try:
        data = file_of(code, side, digest, size).read_bytes()
    except OSError:
        raise Http404 from None
    response = HttpResponse(data, content_type="image/webp")
    response["Cache-Control"] = "public, max-age=31536000, immutable"
    response["ETag"] = etag(digest, size)
    return get_conditional_response(request, response["ETag"], None, response) or (
        response
    )


def _card_or_404(code: str, pool: CardPool) -> Card:
    found = pool.get_card(code)
    if found is None:
        raise Http404
    return found


def _about(found: Card, pool: CardPool) -> dict[str, object]:
    entries = TabooEntry.objects.filter(card=found.code).exclude(text="")
    texts = dict(entries.values_list("taboo_list_id", "text"))

    def shown(cards: Sequence[Card]) -> list[ShownCard]:
        return [ShownCard(each, pool) for each in cards]

    return {
        "shown": ShownCard(found, pool),
        "card": found,
        "text": shown_text(found.code),
        "pictures": pictures_of([found.code]).get(found.code, []),
        "versions": shown(relations.others_like(found, pool)),
        "brings": shown(relations.bonded_with(found, pool)),
        "bringers": shown(relations.bringers_of(found, pool)),
        "researched_from": shown([pool[code] for code in found.researched_from]),
        "researched_into": shown(relations.researched_into(found, pool)),
        "owners": shown(relations.owners_of(found, pool)),
        "sides": shown(relations.sides_of(found, pool)),
        "periods": taboo_periods(found, pool, texts),
        "admissions": _admissions(found, pool),
    }


def _admissions(card: Card, pool: CardPool) -> list[tuple[access.Admission, str]]:
    """Return who may include a card, with labels that distinguish equal names."""
    found = access.admissions(pool, card) if card.in_decks else []
    labels = relations.version_labels([each.investigator for each in found], pool)
    return [(each, labels[each.investigator.code]) for each in found]


def _kinds(codes: Sequence[str], pool: CardPool) -> list[tuple[str, Words, int]]:
    """Count cards by type: its value in searches, its name, the number."""
    counted = Counter(pool[code].type for code in codes)
    return [
        (kind.value, name, counted[kind])
        for kind, name in TYPES.items()
        if counted[kind]
    ]


@require_safe
def products(request: HttpRequest) -> HttpResponse:
    """List every product, by cycle."""
    found = Cycle.objects.prefetch_related("packs")
    cycles = [(each, guide_of_cycle(each.code)) for each in found]
    return render(request, "cardpool/products.html", {"cycles": cycles})


@require_safe
def language(request: HttpRequest) -> HttpResponse:
    """Show the search language: its keys, with an example each."""
    return render(request, "cardpool/language.html", {"keys": KEYS})
