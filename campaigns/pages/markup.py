"""HTML for the parts of the log and timeline that come in hundreds.

A template for each would take most of the page's time. All text from elsewhere is
escaped here. A sheet is cached with everything it depends on, none of it about the
reader; if any of that changes, the sheet is rendered again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cached_property, partial
from html import escape
from threading import Lock

from django.core.paginator import Page
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from arkham.rules.campaign.by_hand.facts import sets_of
from arkham.rules.library import NEWEST
from arkham.templatetags.arkham import sign
from campaigns.log.replays import Folded
from campaigns.models import Campaign
from campaigns.pages.counting import charts_of
from campaigns.pages.ending import achievements_of
from campaigns.pages.paper import players_of, sheet_of
from campaigns.pages.paper_parts import CampaignSheetLine, sheet_context
from campaigns.pages.timeline import TimelineItem
from campaigns.services.agreements import pinned
from campaigns.words.names import CampaignNames
from campaigns.words.problems import Found
from campaigns.words.reasons import ShownDraw, Why, Whys, written_of
from cardpool.catalog import seen_pool
from cardpool.languages import card_mentions, readers_language
from cardpool.markup import linked, pointed

FORMAT = "SHORT_DATETIME_FORMAT"
MOST_SHEETS = 24  # per process; a sheet of 300 entries has 140,000 letters
LONGEST_SHEET = 400_000  # letters of a cached sheet
MOST_WHYS = 30  # latest reasons of one thing; the timeline has all


def _earlier(number: int) -> str:
    return ngettext(
        "%(number)d earlier change", "%(number)d earlier changes", number
    ) % {"number": number}


def older_rules(campaign: Campaign) -> str:
    """Return the FAQ version pinned by a table; "" for the newest."""
    version = pinned(campaign)
    return "" if version == NEWEST else version


class Marking:
    """Renders lines of one campaign; common parts are prepared once."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._timeline = escape(reverse("campaigns:timeline", args=[campaign.pk]))
        self._moments: dict[datetime, str] = {}
        near = sets_of(campaign.guide.guide_id)
        self._linked = partial(card_mentions().linked, near=near)
        self._entry = _("entry %(number)s")
        self._show = _("Show the card")
        self._began = escape(_("It was there when the campaign began."))
        self._gone = escape(_("Undone by entry %(number)s."))
        self._better = escape(_("Corrected by entry %(number)s."))
        self._unread = escape(_("not used now"))
        self._named = escape(_("Entry %(number)s"))

    def whys(self, whys: Whys) -> SafeString:
        """Return the reasons for something, one per line."""
        items = "".join(map(self._why, whys[-MOST_WHYS:])) or f"<li>{self._began}</li>"
        if len(whys) > MOST_WHYS:
            earlier = escape(_earlier(len(whys) - MOST_WHYS))
            items = f'<li><a href="{self._timeline}">{earlier}</a></li>{items}'
        return _safe(f'<ul class="whys plain-list">{items}</ul>')

    def lines(self, lines: Iterable[CampaignSheetLine]) -> SafeString:
        """Return lines of the log, each with its reasons."""
        return _safe("".join(map(self._line, lines)))

    def count(self, number: CampaignSheetLine) -> SafeString:
        """Return the number of a section, in figures and strokes."""
        text = _number(number)
        reasons = self.whys(number.whys)
        return _safe(
            f'<details class="why count"><summary>{text}</summary>{reasons}</details>'
        )

    def entries(self, items: Sequence[TimelineItem]) -> SafeString:
        """Return entries of the timeline, in order."""
        return _safe("".join(map(self._item, items)))

    def found(self, found: Iterable[Found]) -> SafeString:
        """Return contradictions, with links to their entries."""
        return _safe("".join(map(self._found, found)))

    def _why(self, why: Why) -> str:
        amount = f"<b>{escape(why.amount)}</b> " if why.amount else ""
        step = f" · {escape(why.step)}" if why.step else ""
        answer = f" · “{escape(why.answer)}”" if why.answer else ""
        text = f"{amount}{escape(why.place)}{step}{answer}"
        if not why.sequence:
            return f"<li>{text}</li>"
        author = f"{escape(why.author)}, " if why.author else ""
        link = self._link(why.sequence, escape(self._entry % {"number": why.sequence}))
        when = f"{self._when(why.at)} · "
        return f'<li>{text} <span class="muted">{author}{when}{link}</span></li>'

    def _line(self, line: CampaignSheetLine) -> str:
        text = escape(line.text)
        if line.is_crossed_out:
            text = f"<s>{text}</s>"
        else:
            text = f"<span{_CIRCLED if line.is_circled else ''}>{text}</span>"
        number = f" {_number(line)}" if line.number is not None else ""
        card = seen_pool().get_card(line.card) if line.card else None
        shown = f"<p>{linked(card, self._show)}</p>" if card else ""
        text = pointed(card, _safe(text)) if card else text
        return (
            f'<li><details class="why"><summary>{text}{number}</summary>{shown}'
            f"{self.whys(line.whys)}</details></li>"
        )

    def _item(self, item: TimelineItem) -> str:
        place = item.sequence
        said: str = self._linked(escape(item.said))
        gone = "" if item.holds else ' class="gone"'
        named = self._named % {"number": place}
        said = said if item.holds else f"<s>{said}</s>"
        why = f'<span class="muted">({escape(item.reason)})</span>'
        reason = f" {why}" if item.reason else ""
        unread = item.holds and not item.is_read
        tag = f' <span class="tag">{self._unread}</span>' if unread else ""
        at = item.at
        time = (
            f'<time datetime="{at.isoformat()}">{self._when(at)}</time>' if at else ""
        )
        when = f" · {time}" if time else ""
        return (
            f'<li id="entry-{place}"{gone}>'
            f'<a class="entry-number" href="{self._timeline}{place}/"'
            f' aria-label="{named}">{place}</a><div>'
            f'<p class="asked">{self._linked(escape(item.asked))}{tag}</p>'
            f'<p class="said">{said}{reason}</p>{self._followed(item)}'
            f"{self.draw(item.draw)}"
            f"{self.found(item.found)}"
            f'<p class="muted-small">{escape(item.author_label)}{when}</p></div></li>'
        )

    def draw(self, draw: ShownDraw | None) -> SafeString:
        """Return a draw's pool and seed, and whether a new draw gives the same."""
        if draw is None:
            return _safe("")
        text = (
            _("Checked: this seed gives this result.")
            if draw.agrees
            else _("This seed gives a different result.")
        )
        mark = sign("legal" if draw.agrees else "illegal", "")
        return _safe(
            f'<details class="draw"><summary>{escape(_("How it was drawn"))}</summary>'
            f"<p>{escape(_('Out of:'))} {escape(draw.pool)}</p>"
            f'<p class="seed">{escape(_("Seed:"))}'
            f' <code translate="no">{escape(draw.seed)}</code></p>'
            f"<p>{mark} {escape(text)}</p></details>"
        )

    def _followed(self, item: TimelineItem) -> str:
        """Return the note on an entry that was undone or replaced."""
        if item.gone_by:
            return f'<p class="muted">{self._gone % {"number": item.gone_by}}</p>'
        if item.better:
            return f'<p class="muted">{self._better % {"number": item.better}}</p>'
        return ""

    def _found(self, found: Found) -> str:
        link = ""
        if found.sequence:
            named = self._named % {"number": found.sequence}
            link = f" {self._link(found.sequence, named)}"
        context = {"note": found, "version": self._version}
        why = render_to_string("library/_why.html", context)
        return (
            f'<div class="finding incomplete">{sign("incomplete", "")}'
            f"<div>{self._linked(escape(found.text))}{link} {why}</div></div>"
        )

    @cached_property
    def _version(self) -> str:
        return older_rules(self._campaign)

    def _link(self, sequence: int, text: str) -> str:
        return f'<a href="{self._timeline}{sequence}/">{text}</a>'

    def _when(self, at: datetime | None) -> str:
        if at is None:
            return ""
        minute = at.replace(second=0, microsecond=0)
        found = self._moments.get(minute)
        if found is None:
            found = escape(date_format(timezone.localtime(minute), FORMAT))
            self._moments[minute] = found
        return found


_sheets: OrderedDict[tuple[object, ...], tuple[Folded, object, SafeString]]
_sheets = OrderedDict()
_lock = Lock()


def sheet_as_html(
    campaign: Campaign, known: Folded, names: CampaignNames, page: Page[int]
) -> SafeString:
    """Return a page of a campaign's sheet, cached while nothing changes."""
    written, players = written_of(campaign), players_of(campaign)
    cards = readers_language()
    place = campaign.pk, page.number, get_language(), cards.code
    terms = names, written, players, pinned(campaign), cards
    with _lock:
        kept = _sheets.get(place)
    # The same object, not an equal one: comparing folds would take long.
    if kept is not None and kept[0] is known and kept[1] == terms:
        return kept[2]
    desk = sheet_context(known, names, written)._replace(page=page.number)
    context = {
        "campaign": campaign,
        "marking": Marking(campaign),
        "sheet": sheet_of(desk, players),
        "page": page,
        "charts": charts_of(known.replay, names),
        "problems": desk.wrongs.all,
        "achievements": [e for e in achievements_of(known, names) if e.is_begun],
    }
    html = render_to_string("campaigns/_sheet.html", context)
    if len(html) <= LONGEST_SHEET:
        with _lock:
            _sheets[place] = known, terms, html
            while len(_sheets) > MOST_SHEETS:
                _sheets.popitem(last=False)
    return html


_CIRCLED = ' class="circled"'


def _number(line: CampaignSheetLine) -> str:
    """Return a number in figures, with strokes for sighted readers."""
    strokes = "".join(f'<i class="strokes-{each}"></i>' for each in line.tally)
    drawn = f' <span class="tally" aria-hidden="true">{strokes}</span>'
    return f'<span class="figure">{line.number}</span>{drawn if strokes else ""}'


def _safe(text: str) -> SafeString:
    # Everything in it has been escaped.
    return mark_safe(text)  # noqa: S308
