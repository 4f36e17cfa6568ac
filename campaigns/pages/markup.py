"""The parts of the log and its timeline of which there are hundreds, as HTML.

A template for each of them would take most of the time of the page. Everything that is
not written here is escaped here. A sheet is kept in memory with all that it follows
from, which is no matter of who reads it; of anything else another one is written.
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
from campaigns.pages.paper_shapes import CampaignSheetLine, sheet_context
from campaigns.pages.timeline import TimelineItem
from campaigns.services.agreements import pinned
from campaigns.words.names import CHOICES, CampaignNames
from campaigns.words.problems import Found
from campaigns.words.reasons import ShownDraw, Why, Whys, written_of
from cardpool.catalog import seen_pool
from cardpool.languages import card_mentions, readers_language
from cardpool.markup import linked, pointed

FORMAT = "SHORT_DATETIME_FORMAT"
MOST_SHEETS = 24  # kept by a process; one of 300 entries has 140,000 letters
LONGEST_SHEET = 400_000  # letters of one that is kept
MOST_WHYS = 30  # reasons of one thing, the latest; the timeline has all


def _earlier(number: int) -> str:
    return ngettext(
        "%(number)d earlier change", "%(number)d earlier changes", number
    ) % {"number": number}


def older_rules(campaign: Campaign) -> str:
    """The version of the FAQ a table keeps to; "" for the newest."""
    version = pinned(campaign)
    return "" if version == NEWEST else version


class Marking:
    """Writes the lines of one campaign; what is the same everywhere is made once."""

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
        self._unread = escape(_("not asked for"))
        self._named = escape(_("Entry %(number)s"))

    def whys(self, whys: Whys) -> SafeString:
        """Why something is so, a line for each reason."""
        items = "".join(map(self._why, whys[-MOST_WHYS:])) or f"<li>{self._began}</li>"
        if len(whys) > MOST_WHYS:
            earlier = escape(_earlier(len(whys) - MOST_WHYS))
            items = f'<li><a href="{self._timeline}">{earlier}</a></li>{items}'
        return _safe(f'<ul class="whys plain-list">{items}</ul>')

    def lines(self, lines: Iterable[CampaignSheetLine]) -> SafeString:
        """Lines of the log, each with its reasons in place."""
        return _safe("".join(map(self._line, lines)))

    def count(self, number: CampaignSheetLine) -> SafeString:
        """The number of a section, in figures and strokes."""
        text = _number(number)
        reasons = self.whys(number.whys)
        return _safe(
            f'<details class="why count"><summary>{text}</summary>{reasons}</details>'
        )

    def entries(self, items: Sequence[TimelineItem]) -> SafeString:
        """Entries of the timeline, in order."""
        return _safe("".join(map(self._item, items)))

    def found(self, found: Iterable[Found]) -> SafeString:
        """What does not go together, with the entries that say so."""
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
        reason = f" {_muted(f'({escape(item.reason)})')}" if item.reason else ""
        unread = item.holds and not item.is_read
        tag = f' <span class="tag">{self._unread}</span>' if unread else ""
        at = item.at
        when = (
            f'<time datetime="{at.isoformat()}">{self._when(at)}</time>' if at else ""
        )
        return (
            f'<li id="entry-{place}"{gone}>'
            f'<a class="entry-number" href="{self._timeline}{place}/"'
            f' aria-label="{named}">{place}</a><div>'
            f'<p class="asked">{self._linked(escape(item.asked))}{tag}</p>'
            f'<p class="said">{said}{reason}</p>{self._followed(item)}'
            f"{self.draw(item.draw)}"
            f"{self.found(item.found)}"
            f'<p class="muted-small">{escape(item.author_label)} {when}</p></div></li>'
        )

    def draw(self, draw: ShownDraw | None) -> SafeString:
        """What a draw was made from, its seed, and whether it can be drawn again."""
        if draw is None:
            return _safe("")
        text = (
            _("A new draw with this seed gives the same result.")
            if draw.agrees
            else _("A new draw with this seed gives a different result.")
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
        """What became of an entry that does not hold."""
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
    """A page of the sheet of a campaign: as it was written from just the same."""
    written, players = written_of(campaign), players_of(campaign)
    cards = readers_language()
    place = campaign.pk, page.number, get_language(), cards.code
    terms = names, written, players, campaign.guide.name, pinned(campaign), cards
    with _lock:
        kept = _sheets.get(place)
    # The same fold, and not one like it: that would take long to find out.
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
        "difficulty": CHOICES.get(known.replay.state.difficulty, ""),
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


def _muted(text: str) -> str:
    return f'<span class="muted">{text}</span>'


def _number(line: CampaignSheetLine) -> str:
    """A number in figures, and in strokes for who sees them."""
    strokes = "".join(f'<i class="strokes-{each}"></i>' for each in line.tally)
    drawn = f' <span class="tally" aria-hidden="true">{strokes}</span>'
    return f'<span class="figure">{line.number}</span>{drawn if strokes else ""}'


def _safe(text: str) -> SafeString:
    # All of it was escaped where it was put in.
    return mark_safe(text)  # noqa: S308
