"""The page a campaign ends with: results, fates, lines of the log, charts, tokens.

The tokens drawn at the live bag are compared with what their bags let expect, and the
whole is drawn as a picture to share.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from django.utils.translation import ngettext

from arkham.emblems import RIM, emblem_paths
from arkham.rules.chaos import Token
from campaigns.log.replays import Folded
from campaigns.models import Campaign
from campaigns.pages.achievements import ShownAchievement, achievements_of
from campaigns.pages.counting import Chart, charts_of
from campaigns.pages.paper import sheet_of
from campaigns.pages.paper_shapes import (
    CampaignSheet,
    SheetContext,
    SheetPerson,
    SheetScenario,
)
from campaigns.play import plays
from campaigns.play.bag import ShownToken
from campaigns.words.names import CHOICES

MOST_PEOPLE, MOST_CHAPTERS = 6, 9  # that the picture has room for
LONGEST = 34  # letters of a name in the picture
LINE = 46  # of the picture, from one to the next


class DrawnToken(NamedTuple):
    """A kind of token: how often it was drawn, and how often its bags let expect."""

    shown: ShownToken
    drawn: int
    expected: str


class CampaignEnding(NamedTuple):
    """All that the page shows."""

    sheet: CampaignSheet
    difficulty: str
    charts: tuple[Chart, ...]
    achievements: tuple[ShownAchievement, ...]
    tokens: tuple[DrawnToken, ...]
    draws: int


def ending_of(campaign: Campaign, known: Folded, desk: SheetContext) -> CampaignEnding:
    """What there is to tell of a campaign."""
    seats = campaign.seats.select_related("member__user", "member__guest")
    tokens = tuple(_drawn_tokens(campaign))
    return CampaignEnding(
        sheet_of(desk, seats),
        str(CHOICES.get(desk.replay.state.difficulty, "")),
        charts_of(desk.replay, desk.names),
        tuple(each for each in achievements_of(known, desk.names) if each.is_begun),
        tokens,
        sum(each.drawn for each in tokens),
    )


def _drawn_tokens(campaign: Campaign) -> Iterator[DrawnToken]:
    """Every kind that was in a bag when a token was drawn."""
    drawn: Counter[str] = Counter()
    expected: dict[str, float] = {}
    for row in campaign.plays.all():
        for event in plays.content_of(row, campaign).play.events:
            if event.draw is None:
                continue
            drawn.update(event.draw.result)
            size = sum(count for _token, count in event.draw.pool)
            for token, count in event.draw.pool:
                share = len(event.draw.result) * count / size
                expected[token] = expected.get(token, 0) + share
    for token in Token:
        if token.value in expected:
            usual = f"{expected[token.value]:.1f}"
            yield DrawnToken(ShownToken(token), drawn[token.value], usual)


class PictureLine(NamedTuple):
    """A line of the picture: where it begins, what it says, and what beside it."""

    y: int
    text: str
    beside: str
    is_gone: bool = False


class CampaignPicture(NamedTuple):
    """The campaign as a picture: its emblem, and its lines on both sides."""

    paths: tuple[str, ...]
    title: str
    subtitle: str
    result: str
    people: tuple[PictureLine, ...]
    chapters: tuple[PictureLine, ...]


def picture_of(campaign: Campaign, ending: CampaignEnding) -> CampaignPicture:
    """What the picture shows; names of players stay out of it."""
    sheet, guide = ending.sheet, campaign.guide
    about = (guide.name if guide.name != campaign.name else "", ending.difficulty)
    people = sheet.people[:MOST_PEOPLE]
    chapters = [each for each in sheet.chapters if each.resolution][-MOST_CHAPTERS:]
    return CampaignPicture(
        (RIM, *emblem_paths(guide.guide_id)),
        _short(campaign.name),
        " · ".join(filter(None, about)),
        sheet.result,
        tuple(_of_person(at, each) for at, each in enumerate(people)),
        tuple(_of_chapter(at, each) for at, each in enumerate(chapters)),
    )


def _of_person(at: int, person: SheetPerson) -> PictureLine:
    return PictureLine(
        at * LINE, _short(person.name), _beside(person), bool(person.fate)
    )


def _beside(person: SheetPerson) -> str:
    """Their fate, or what they earned and suffered."""
    if person.fate:
        return person.fate
    experience, *trauma = (each.value for each in person.figures)
    words = ngettext("%(count)d experience", "%(count)d experience", experience) % {
        "count": experience
    }
    suffered = sum(trauma)
    if not suffered:
        return words
    more = ngettext("%(count)d trauma", "%(count)d trauma", suffered)
    return f"{words}, {more % {'count': suffered}}"


def _of_chapter(at: int, chapter: SheetScenario) -> PictureLine:
    return PictureLine(at * LINE, _short(chapter.name), _short(chapter.resolution))


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1].rstrip()}…"
