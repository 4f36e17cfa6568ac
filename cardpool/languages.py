"""The languages that cards are shown in: those on the server, and the reader's.

Texts and names are what the operator imported; English replaces what is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple, TypeVar

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils.translation import get_language_info

from arkham.accounts.preferences import preferences_of
from arkham.rules.card import Card
from arkham.rules.pool import CardPool
from cardpool.catalog import LAST_SEEN, Loaded, loaded, seen_data, seen_pool
from cardpool.markup import CardMentions
from cardpool.models import CardText, Picture

ENGLISH = "en"
LANGUAGE = re.compile(r"[a-z]{2}(-[a-z]{2,4})?", re.ASCII)


class CardTitle(NamedTuple):
    """The name of a card and its subtitle, "" if it has none."""

    name: str
    subname: str


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class CardLanguage:
    """A language with the titles of cards by code; compared by identity.

    Caches keyed by it are dropped with the data that it belongs to.
    """

    code: str
    titles: Mapping[str, CardTitle]

    def title(self, card: Card) -> CardTitle:
        """Return the title of a card in this language."""
        return self.titles.get(card.code) or CardTitle(card.name, card.subname)


IN_ENGLISH = CardLanguage(ENGLISH, {})


def read_languages(text: str) -> tuple[str, ...]:
    """Return the languages in a comma-separated list, each once; raise ValueError."""
    codes = [each for each in re.split(r"[,\s]+", text.lower()) if each]
    if not codes or not all(map(LANGUAGE.fullmatch, codes)):
        raise ValueError(text)
    return tuple(dict.fromkeys(codes))


def place_in(place: str, language: str) -> str:
    """Return the place for a language; ArkhamDB's English has no subdomain."""
    if language == ENGLISH:
        place = place.replace("://{language}.", "://")
    return place.replace("{language}", language)


def languages_at(
    place: str, named: Sequence[str], *, holds_all: bool = False
) -> list[str]:
    """Return the languages to get at a place, English first; or one if it has one.

    ``holds_all`` means that the place has all of them, as a folder of texts does.
    """
    if "{language}" not in place and not holds_all:
        return list(named[:1])
    return sorted(named, key=lambda each: each != ENGLISH)


def languages_of(data: Loaded | None) -> tuple[CardLanguage, ...]:
    """Return the languages of imported texts and pictures, the server's first first."""
    return _languages(data, settings.CARD_LANGUAGE) if data else ()


@lru_cache(maxsize=2)  # for the current data and those they replace
def _languages(_data: Loaded, named: str) -> tuple[CardLanguage, ...]:
    titles: dict[str, dict[str, CardTitle]] = {}
    for model in (CardText.objects.all(), Picture.objects.exclude(digest="")):
        for code in model.order_by().values_list("language", flat=True).distinct():
            titles[code] = {}
    texts = CardText.objects.exclude(name="").exclude(language=ENGLISH)
    for card, code, *title in texts.values_list(
        "card_id", "language", "name", "subname"
    ):
        titles[code][card] = CardTitle(*title)
    first = [each.strip() for each in named.lower().split(",")]
    order = dict.fromkeys([*first, *sorted(titles)])
    return tuple(CardLanguage(each, titles[each]) for each in order if each in titles)


def named_languages(languages: Iterable[CardLanguage]) -> list[tuple[str, str]]:
    """Return codes and native names of languages."""
    return [(each.code, _own_name(each.code)) for each in languages]


def _own_name(code: str) -> str:
    try:
        return str(get_language_info(code)["name_local"]).capitalize()
    except KeyError:
        return code


# -- the reader's language --


class _Reader:
    """The reader of a page; their language is looked up when a card is first shown."""

    def __init__(self, request: HttpRequest) -> None:
        self._request = request

    @cached_property
    def language(self) -> CardLanguage:
        """The preferred language, or else the server's first."""
        languages = languages_of(seen_data())
        if len(languages) > 1:
            preferred = preferences_of(self._request).card_language
            for each in languages:
                if each.code == preferred:
                    return each
        return languages[0] if languages else IN_ENGLISH


_READER: ContextVar[_Reader | None] = ContextVar("reader", default=None)


class LanguageMiddleware(LocaleMiddleware):
    """Choose the language of a page and of the cards on it; the API is in English.

    One middleware for both: with one more, a page of many fields can take twice as
    long, because its calls then cross the end of a block of Python's stack.
    """

    def process_request(self, request: HttpRequest) -> None:
        """Remember the reader of the page."""
        is_page = not request.path.startswith("/api/")
        _READER.set(_Reader(request) if is_page else None)
        LAST_SEEN.set([])
        super().process_request(request)

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Forget the reader."""
        _READER.set(None)
        LAST_SEEN.set(None)
        return super().process_response(request, response)


def readers_language() -> CardLanguage:
    """Return the card language of the current page; English outside of pages."""
    reader = _READER.get()
    return reader.language if reader else IN_ENGLISH


def shown_name(card: Card) -> str:
    """Return the name of a card in the reader's language."""
    return readers_language().title(card).name


def shown_subname(card: Card) -> str:
    """Return the subtitle of a card in the reader's language, "" for none."""
    return readers_language().title(card).subname


def card_mentions() -> CardMentions:
    """Return a finder of card names in texts, in English and the reader's language."""
    return _mentions(seen_pool(), readers_language())


@lru_cache(maxsize=4)  # two languages, for the current data and those they replace
def _mentions(pool: CardPool, language: CardLanguage) -> CardMentions:
    return CardMentions(pool, lambda card: language.title(card).name)


Kept = TypeVar("Kept", CardText, Picture)


def best_first(kept: Iterable[Kept]) -> list[Kept]:
    """Sort texts or pictures: the reader's language, then English, then others.

    Without a reader, as in the API, the server's first language is used.
    """
    of_server = languages_of(loaded()) if _READER.get() is None else ()
    theirs = of_server[0] if of_server else readers_language()
    return sorted(
        kept,
        key=lambda each: (
            each.language != theirs.code,
            each.language != ENGLISH,
            each.language,
        ),
    )


def shown_text(code: str) -> CardText | None:
    """Return the printed text of a card in the best language for the reader."""
    return next(iter(best_first(CardText.objects.filter(card=code))), None)
