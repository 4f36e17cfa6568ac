"""Every entry of a log in order: what was written, by whom, and whether it holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.state.answers import (
    Answer,
    Asserted,
    Retracted,
    Stated,
    UltimatumChosen,
    UltimatumDropped,
)
from campaigns.log.entries import DrawEntry, Entry, EntryCorrection
from campaigns.log.replays import Folded
from campaigns.words import log_entries
from campaigns.words.names import CampaignNames
from campaigns.words.problems import Found, Wrongs
from campaigns.words.reasons import Authorship, ShownDraw, shown_draw

MOST_ENTRIES = 300  # of a page; a scenario has a few dozen
_PLACED = (Answer, Stated, Asserted, UltimatumChosen, DrawEntry)
_AIMED = Retracted | UltimatumDropped | EntryCorrection  # entries about an earlier one


class TimelineItem(NamedTuple):
    """One entry, ready to be shown.

    ``gone_by`` is the entry that took it back, ``better`` the one that took its place;
    ``of`` is the entry it takes back or corrects; 0 for none. ``is_read`` is whether
    anything followed from it. ``draw`` is the record of a draw. ``author_now`` says who
    the author is since, if the name does not.
    """

    sequence: int
    asked: str
    said: str
    reason: str
    author: str
    author_now: str
    at: datetime | None
    gone_by: int
    better: int
    of: int
    is_read: bool
    found: tuple[Found, ...]
    draw: ShownDraw | None = None

    @property
    def author_label(self) -> str:
        """Who wrote it, under the name of then, and who that is now."""
        return " · ".join(filter(None, (self.author, self.author_now)))

    @property
    def holds(self) -> bool:
        """Whether it was neither taken back nor corrected."""
        return not (self.gone_by or self.better)


class TimelineSection(NamedTuple):
    """Entries about one scenario that follow each other, and who missed its game."""

    scenario: str
    name: str
    played: tuple[str, ...]
    missed: tuple[str, ...]
    items: tuple[TimelineItem, ...]


def timeline_of(
    known: Folded,
    written: Mapping[int, Authorship],
    names: CampaignNames,
    wrongs: Wrongs,
) -> list[TimelineSection]:
    """The whole log, scenario by scenario.

    What corrects an answer of an earlier scenario follows that answer.
    """
    items = items_of(known, written, names, wrongs)
    corrected = {each.better: each for each in items if each.better}
    chapters: list[tuple[str, list[TimelineItem]]] = []
    homes: dict[int, list[TimelineItem]] = {}
    for entry, item in zip(known.entries, items, strict=True):
        scenario = entry.scenario if isinstance(entry, _PLACED) else ""
        before = corrected.get(item.sequence)
        if not chapters or (scenario and chapters[-1][0] != scenario):
            if before is not None:
                home = homes[item.sequence] = homes[before.sequence]
                home.insert(home.index(before) + 1, item)
                continue
            chapters.append((scenario, []))
        homes[item.sequence] = chapters[-1][1]
        homes[item.sequence].append(item)
    return [
        TimelineSection(
            scenario,
            names.scenario(scenario),
            *attendance(known.replay, scenario, names),
            tuple(found),
        )
        for scenario, found in chapters
    ]


def pages_of(chapters: Iterable[TimelineSection]) -> list[list[TimelineSection]]:
    """Chapters by the page, one at least; one that fits on no page goes on overleaf."""
    pages: list[list[TimelineSection]] = [[]]
    room = MOST_ENTRIES
    for chapter in chapters:
        items = chapter.items
        if room < len(items) <= MOST_ENTRIES:
            room = 0
        while items:
            if not room:
                pages.append([])
                room = MOST_ENTRIES
            pages[-1].append(chapter._replace(items=items[:room]))
            room, items = max(room - len(items), 0), items[room:]
    return pages


def items_of(
    known: Folded,
    written: Mapping[int, Authorship],
    names: CampaignNames,
    wrongs: Wrongs,
) -> list[TimelineItem]:
    """Every entry, ready to be shown."""
    gone, better = gone_by(known.entries), replaced_by(known.entries)
    read = {each.sequence for each in known.replay.used}
    found = []
    for entry in known.entries:
        place = entry.sequence
        who = written.get(place)
        found.append(
            TimelineItem(
                place,
                log_entries.asked(entry, names),
                log_entries.said(entry, names),
                log_entries.reason_of(entry, names),
                who.author if who else "",
                who.now if who else "",
                who.at if who else None,
                gone.get(place, 0),
                better.get(place, 0),
                entry.target if isinstance(entry, _AIMED) else 0,
                place in read or not isinstance(entry, Answer),
                tuple(wrongs.entries.get(place, ())),
                shown_draw(entry, names) if isinstance(entry, DrawEntry) else None,
            )
        )
    return found


def gone_by(entries: Iterable[Entry]) -> dict[int, int]:
    """What was taken back, and by which entry, unless that was taken back itself."""
    gone: dict[int, int] = {}
    for entry in reversed(list(entries)):
        if (
            isinstance(entry, Retracted | UltimatumDropped)
            and entry.sequence not in gone
        ):
            gone.setdefault(entry.target, entry.sequence)
    return gone


def replaced_by(entries: Iterable[Entry]) -> dict[int, int]:
    """Answers that a later one to the same question corrected."""
    entries = list(entries)
    gone = gone_by(entries)
    latest: dict[tuple[str, str, str], int] = {}
    better: dict[int, int] = {}
    for entry in reversed(entries):
        if not isinstance(entry, Answer) or entry.sequence in gone:
            continue
        if entry.question in latest:
            better[entry.sequence] = latest[entry.question]
        latest[entry.question] = entry.sequence
    return better


def attendance(
    replay: Replay, scenario: str, names: CampaignNames
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Who played a scenario, and who of the campaign's investigators missed it."""
    state = replay.state
    game = state.games.get(scenario)
    if game is None or not game.players or not state.guide.is_game(scenario):
        return (), ()
    known = dict.fromkeys(
        code
        for each in state.games.values()
        for code in each.players or ()
        if code not in state.partners
    )
    missed = [code for code in known if code not in game.players]
    return tuple(map(names.card, game.players)), tuple(map(names.card, missed))
