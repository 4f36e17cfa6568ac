"""Every entry of a log in order: what was written, by whom, and whether it holds.

An answer that wasn't saved because someone else answered first is shown beside theirs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

from django.http import QueryDict
from django.utils.safestring import SafeString

from arkham.rules.campaign.interpreter.replay import START, START_SIDE, Replay
from arkham.rules.campaign.state.answers import (
    Answer,
    Asserted,
    Retracted,
    Stated,
    UltimatumChosen,
    UltimatumDropped,
)
from arkham.rules.campaign.state.ledger import ChangeCause
from campaigns.log.entries import DrawEntry, Entry, EntryCorrection
from campaigns.log.replays import Folded, folded_over
from campaigns.models import Membership
from campaigns.pages.board import Board
from campaigns.pages.set_up import steps_to_read
from campaigns.people.rights import may_retract
from campaigns.questions.asking import answer_of, question_of
from campaigns.questions.question import FormQuestion, Misfilled
from campaigns.words import log_entries
from campaigns.words.names import CampaignNames
from campaigns.words.problems import Found, Wrongs
from campaigns.words.reasons import Authorship, ShownDraw, shown_draw, written_of
from cardpool.markup import rendered, unmarked

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


RESOLUTION = "$r_"  # before the id of a resolution: the step that shows it


class GuideText(NamedTuple):
    """Something a guide says; texts are cleaned, any of them may be empty."""

    title: str
    text: SafeString
    points: tuple[SafeString, ...]


def new_texts(board: Board) -> tuple[GuideText, ...]:
    """Every text of the guide since the answer before the question, in order."""
    found = (_said(board, each) for each in _since_last_answer(board))
    return tuple(each for each in found if each.text or each.points)


def _since_last_answer(board: Board) -> Iterator[ChangeCause]:
    replay = board.known.replay
    answers = [each for each in replay.used if isinstance(each, Answer)]
    if not answers:
        return
    # In the order of play: a correction is written last, for an earlier question.
    last = answers[-1]
    # What is read as a scenario begins follows from no answer within it.
    begins = last.kind in (START, START_SIDE)
    place = (last.scenario, 0) if begins else (last.scenario, last.sequence)
    laid_out: list[str] = []
    # Once nothing more is asked before the game, its setup is read where it is ticked.
    if board.question is not None and board.question.is_play:
        laid_out = steps_to_read(board.campaign, replay, last.scenario)
    for each in replay.state.texts:
        if (each.scenario, each.answer) == place and each.step not in laid_out:
            yield each


def _said(board: Board, cause: ChangeCause) -> GuideText:
    words, base = board.names.words, cause.step.partition("#")[0]
    if base.startswith(RESOLUTION):
        resolution = words.resolution(cause.scenario, base.removeprefix(RESOLUTION))
        return GuideText("", rendered(str(resolution.get("text", ""))), ())
    step = words.step(cause.scenario, cause.step)
    return GuideText(
        unmarked(str(step.get("title", ""))),
        rendered(str(step.get("text", ""))),
        tuple(rendered(str(each)) for each in step.get("bullets", ()) if each),
    )


class Unsent(NamedTuple):
    """An answer that was not written, and what was written since it was begun.

    ``asked`` and ``said`` are the question as it was and the answer to it, empty where
    unknown. ``is_asked`` if the same is asked now; else ``instead`` is what was
    answered meanwhile, if anything was, ``is_same`` if that is the very same, and
    ``may_correct`` if the visitor may put theirs in its place.
    """

    asked: str
    said: str
    missed: tuple[TimelineItem, ...]
    is_asked: bool = False
    instead: TimelineItem | None = None
    is_same: bool = False
    may_correct: bool = False


def missed_since(board: Board, after: int) -> tuple[TimelineItem, ...]:
    """What was written after an entry, ready to be shown."""
    known, names = board.known, board.names
    wrongs = Wrongs(known.replay.problems, known.entries, names)
    items = items_of(known, written_of(board.campaign), names, wrongs)
    return tuple(each for each in items if each.sequence > after)


def is_asked_still(board: Board, after: int) -> bool:
    """Whether what was asked after an entry is asked just so now.

    What others wrote since then neither answered it nor took an entry back: a menu
    that is asked again after each answer looks the same, and is another question.
    """
    asked = board.known.replay.pending
    if asked is None or after > board.known.last:
        return False
    for each in board.known.entries:
        if each.sequence > after and (
            isinstance(each, Retracted | UltimatumDropped | EntryCorrection)
            or (isinstance(each, Answer) and each.question == asked.question)
        ):
            return False
    return _replay_at(board, after).pending == asked


def unsent_of(board: Board, data: QueryDict, after: int) -> Unsent:
    """The answer in a form that was filled in when ``after`` was the last entry."""
    missed = missed_since(board, after)
    question, given = _given(board, data, after)
    if question is None or given is None:
        return Unsent("", "", missed)
    unsent = Unsent(question.heading, log_entries.said(given, board.names), missed)
    found = answered_instead(unsent, board.known, given, board.member)
    return found if question.fields else found._replace(may_correct=False)


def answered_instead(
    unsent: Unsent, known: Folded, given: Answer, member: Membership
) -> Unsent:
    """The same with what is asked or was answered now in place of ``given``."""
    pending = known.replay.pending
    if pending and pending.question == given.question:
        return unsent._replace(is_asked=True)
    answered = {
        each.sequence: each
        for each in known.entries
        if isinstance(each, Answer) and each.question == given.question
    }
    instead = next((it for it in unsent.missed if _stands(it, answered)), None)
    if instead is None:
        return unsent
    theirs = answered[instead.sequence]
    return unsent._replace(
        instead=instead,
        is_same=theirs[3:4] + theirs[5:] == given[3:4] + given[5:],
        may_correct=_may_correct(member, instead.sequence),
    )


def _given(
    board: Board, data: QueryDict, after: int
) -> tuple[FormQuestion | None, Answer | None]:
    """What was asked then, and the answer to it; nothing where it is none."""
    asking = board.asking._replace(replay=_replay_at(board, after))
    question = question_of(asking)
    if question is None:
        return None, None
    try:
        return question, answer_of(asking, question, data)
    except Misfilled:
        return question, None


def _replay_at(board: Board, after: int) -> Replay:
    earlier = [each for each in board.known.entries if each.sequence <= after]
    return folded_over(board.campaign, earlier)


def _stands(item: TimelineItem, answered: dict[int, Answer]) -> bool:
    return item.holds and item.sequence in answered


def _may_correct(member: Membership, sequence: int) -> bool:
    row = member.campaign.entries.filter(sequence=sequence).first()
    return row is not None and may_retract(member, row)
