"""The page a campaign ends with: results, fates, lines of the log, charts, tokens.

The tokens drawn at the live bag are compared with what their bags let expect, and the
whole is drawn as a picture to share.
"""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from django.utils.translation import ngettext

from arkham.emblems import RIM, emblem_paths
from arkham.rules.chaos import Token
from campaigns.log.replays import Folded
from campaigns.models import Campaign
from campaigns.pages.achievements import ShownAchievement, achievements_of
from campaigns.pages.counting import Chart, charts_of
from campaigns.pages.paper import players_of, sheet_of
from campaigns.pages.paper_shapes import (
    CampaignSheet,
    SheetContext,
    SheetPerson,
    SheetScenario,
)
from campaigns.play import plays
from campaigns.play.bag import ShownToken
from campaigns.words.names import CHOICES

# That the picture has room for: lines, their height at most, and letters of each.
MOST_PEOPLE, MOST_CHAPTERS = 6, 9
ROOM, PERSON, CHAPTER = 320, 76, 42
TITLE, NAME, RESOLUTION = 34, 30, 20
FONTS = Path(__file__).parents[2] / "arkham" / "static" / "arkham" / "fonts"


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
    tokens = tuple(_drawn_tokens(campaign))
    return CampaignEnding(
        sheet_of(desk, players_of(campaign)),
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
    sign: str = ""
    is_gone: bool = False


class CampaignPicture(NamedTuple):
    """The campaign as a picture: its emblem, and its lines on both sides.

    A picture loads nothing, so it has its fonts with it, in base 64.
    """

    fonts: tuple[str, str]
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
    person = min(PERSON, ROOM // max(len(people), 1))
    chapter = min(CHAPTER, ROOM // max(len(chapters), 1))
    return CampaignPicture(
        (_font("display"), _font("text")),
        (RIM, *emblem_paths(guide.guide_id)),
        _short(campaign.name, TITLE),
        " · ".join(filter(None, about)),
        sheet.result,
        tuple(_of_person(at * person, each) for at, each in enumerate(people)),
        tuple(_of_chapter(at * chapter, each) for at, each in enumerate(chapters)),
    )


@cache
def _font(name: str) -> str:
    return b64encode((FONTS / f"{name}.woff2").read_bytes()).decode()


def _of_person(y: int, person: SheetPerson) -> PictureLine:
    sign = next(iter(person.signs), "person")
    name = _short(person.name, NAME)
    return PictureLine(y, name, _beside(person), sign, bool(person.fate))


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


def _of_chapter(y: int, chapter: SheetScenario) -> PictureLine:
    name = _short(chapter.name, NAME)
    return PictureLine(y, name, _short(chapter.resolution, RESOLUTION))


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
