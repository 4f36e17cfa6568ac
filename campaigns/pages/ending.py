"""The end of a campaign: its results, fates and charts, and its achievements.

Achievements are ticked by the log or by hand, with reasons. The tokens drawn from the
live bag are compared with the expected numbers, and everything is drawn as a picture to
share.
"""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from arkham.emblems import RIM, emblem_paths
from arkham.rules.campaign.achievements import Fact, Known, known_of
from arkham.rules.campaign.model.guide import Achievement
from arkham.rules.campaign.state.answers import not_retracted
from arkham.rules.campaign.state.ledger import WrittenLine
from arkham.rules.chaos import Token
from campaigns.log.entries import Entry, Ticked
from campaigns.log.replays import Folded
from campaigns.models import Campaign
from campaigns.pages.counting import Chart, charts_of
from campaigns.pages.paper import players_of, sheet_of
from campaigns.pages.paper_parts import (
    CampaignSheet,
    SheetContext,
    SheetPerson,
    SheetScenario,
)
from campaigns.play import plays
from campaigns.play.bag import ShownToken
from campaigns.services.agreements import COUNT, LIST, most_of
from campaigns.words.changes import RESULTS, token_named
from campaigns.words.names import CHOICES, CampaignNames
from campaigns.words.reasons import Reasons, Whys

Placed = dict[str, Ticked]


class AchievementItem(NamedTuple):
    """An item of an achievement's list; ``by_log`` if the log proves it."""

    id: str
    name: str
    is_ticked: bool
    by_log: bool


class ShownAchievement(NamedTuple):
    """An achievement and its state.

    ``number`` is its count, of ``most``; ``by_log`` is set if the log proves it, with
    ``whys``; ``entry`` is the entry that ticked it by hand, or 0. ``needed`` are
    phrases for what the log would need; empty if no log can prove it.
    """

    id: str
    title: str
    kind: str
    number: int
    most: int
    items: tuple[AchievementItem, ...]
    is_done: bool
    by_log: bool
    whys: Whys
    entry: int
    needed: tuple[str, ...]

    @property
    def is_begun(self) -> bool:
        """Whether any part of it is ticked."""
        return self.is_done or bool(self.number) or any(i.is_ticked for i in self.items)


def achievements_of(
    known: Folded, names: CampaignNames, reasons: Reasons | None = None
) -> tuple[ShownAchievement, ...]:
    """Return the guide's achievements in order, with whys if ``reasons`` are given."""
    said = ticked_in(known.entries)
    facts = known_of(known.replay)
    return tuple(
        _shown(each, facts.get(each.id), said.get(each.id), names, reasons)
        for each in known.replay.state.guide.achievements
    )


def ticked_in(entries: Iterable[Entry]) -> Placed:
    """Return the last tick of each achievement in force, by its id."""
    return {
        each.achievement: each
        for each in not_retracted(entries)
        if isinstance(each, Ticked)
    }


def _shown(
    achievement: Achievement,
    known: Known | None,
    said: Ticked | None,
    names: CampaignNames,
    reasons: Reasons | None,
) -> ShownAchievement:
    items = tuple(_items(achievement, known, said, names))
    by_log = known is not None and known.holds
    number = said.number if said is not None else 0
    if achievement.kind == LIST:
        number = sum(each.is_ticked for each in items)
    most = len(items) if achievement.kind == LIST else most_of(achievement)
    limited = achievement.kind != COUNT or achievement.most is not None
    return ShownAchievement(
        achievement.id,
        achievement.title,
        achievement.kind,
        max(number, most if by_log else 0),
        most if limited else 0,
        items,
        by_log or (number >= most if limited else bool(number)),
        by_log,
        _whys(known, reasons) if known is not None and reasons is not None else (),
        said.sequence if said is not None else 0,
        tuple(_phrase(each, names) for each in known.facts)
        if known is not None
        else (),
    )


def _items(
    achievement: Achievement,
    known: Known | None,
    said: Ticked | None,
    names: CampaignNames,
) -> Iterator[AchievementItem]:
    logged = known.ticked if known is not None else ()
    by_hand = said.items if said is not None else ()
    for item in achievement.items:
        fact = known.items.get(item) if known is not None else None
        name = (
            _named(fact.which[0], fact.what, names)
            if fact
            else names.item(achievement.id, item)
        )
        yield AchievementItem(
            item, name, item in logged or item in by_hand, item in logged
        )


def _named(where: str, what: str, names: CampaignNames) -> str:
    if what == "key":
        return names.key(where)
    section, _point, line = where.partition(".")
    if not line:
        return names.section(section)
    if line.startswith("$"):
        return names.section(section)
    if line in names.pool:
        return names.card(line)
    return names.line(section, WrittenLine("basic", line))


def _whys(known: Known, reasons: Reasons) -> Whys:
    """Return the changes that prove it, each once, in the order of the log."""
    facts = known.facts or tuple(known.items.values())
    if not known.holds:
        facts = tuple(each for each in facts if each.holds)
    found = {
        why: None
        for fact in facts
        for what, which, line in fact.noted
        for why in _reasons(reasons, what, which, line)
    }
    return tuple(sorted(found, key=lambda why: why.sequence))


def _reasons(reasons: Reasons, what: str, which: str, line: str) -> Whys:
    if what == "line":
        return reasons.line(which, line)
    if what in ("count", "token"):
        return reasons.number(what, which)
    return reasons.of(what, which, lambda value: "")[-1:]


def _phrase(fact: Fact, names: CampaignNames) -> str:
    """Return what a fact requires of the log, in our own words."""
    which = ", ".join(_words(fact, names))
    match fact.what:
        case "result":
            return " / ".join(str(RESULTS[each]) for each in fact.which)
        case "difficulty":
            return _("Difficulty: %(which)s") % {"which": which}
        case "ultimatums":
            number = fact.least or 0
            text = ngettext(
                "at least %(number)d ultimatum in use",
                "at least %(number)d ultimatums in use",
                number,
            )
            return text % {"number": number}
        case "investigator" | "trait":
            return _("%(which)s plays and survives") % {"which": which}
        case "played":
            return _("%(which)s: played") % {"which": which}
        case "unplayed":
            return _("%(which)s: not played") % {"which": which}
        case "without":
            return _("never in the log: %(which)s") % {"which": which}
        case "lines" if fact.least:
            text = _("%(number)d of these in the log: %(which)s")
            return text % {"number": fact.least, "which": which}
        case "lines":
            return _("in the log: %(which)s") % {"which": which}
    return f"{which}: {_bounds(fact)}"


def _words(fact: Fact, names: CampaignNames) -> Iterator[str]:
    for each in fact.which:
        match fact.what:
            case "difficulty":
                yield str(CHOICES[each])
            case "investigator" | "trait":
                yield each
            case "played" | "unplayed":
                yield names.scenario(each)
            case "tokens":
                yield token_named(each)
            case "lines" | "without":
                yield f"“{_named(each, fact.what, names)}”"
            case _:
                yield _named(each, fact.what, names)


def _bounds(fact: Fact) -> str:
    if fact.least == fact.most:
        return str(fact.least)
    if fact.most is None:
        return _("%(number)d or more") % {"number": fact.least or 0}
    return _("%(number)d at most") % {"number": fact.most}


# Limits of the picture: lines, their greatest height, and letters per line.
MOST_PEOPLE, MOST_CHAPTERS = 6, 9
ROOM, PERSON, CHAPTER = 320, 76, 42
TITLE, NAME, RESOLUTION = 34, 30, 20
FONTS = Path(__file__).parents[2] / "arkham" / "static" / "arkham" / "fonts"


class DrawnToken(NamedTuple):
    """A kind of token: how often it was drawn, and how often that was expected."""

    shown: ShownToken
    drawn: int
    expected: str


class CampaignEnding(NamedTuple):
    """Everything that the page shows."""

    sheet: CampaignSheet
    difficulty: str
    charts: tuple[Chart, ...]
    achievements: tuple[ShownAchievement, ...]
    tokens: tuple[DrawnToken, ...]
    draws: int


def ending_of(campaign: Campaign, known: Folded, desk: SheetContext) -> CampaignEnding:
    """Return what the page of a campaign's end shows."""
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
    """Yield every kind of token that was in a bag when one was drawn."""
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
    """A line of the picture: its position, its text, and the text beside it."""

    y: int
    text: str
    beside: str
    sign: str = ""
    is_gone: bool = False


class CampaignPicture(NamedTuple):
    """The campaign as a picture: its emblem, and its lines on both sides.

    A picture can't load anything, so its fonts are embedded in base 64.
    """

    fonts: tuple[str, str]
    paths: tuple[str, ...]
    title: str
    subtitle: str
    result: str
    people: tuple[PictureLine, ...]
    chapters: tuple[PictureLine, ...]


def picture_of(campaign: Campaign, ending: CampaignEnding) -> CampaignPicture:
    """Return the contents of the picture, without names of players."""
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
    """Return an investigator's fate, or their experience and trauma."""
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
