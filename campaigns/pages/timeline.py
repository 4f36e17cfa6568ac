"""Every entry of a log in order: its text, its author, and whether it is in force.

An answer that wasn't saved because someone else answered first is shown with theirs.
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
    gone_by,
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
from campaigns.words.problems import Contradictions, Found
from campaigns.words.reasons import Authorship, ShownDraw, shown_draw, written_of
from cardpool.markup import rendered, unmarked

MOST_ENTRIES = 300  # per page; a scenario has a few dozen
_PLACED = (Answer, Stated, Asserted, UltimatumChosen, DrawEntry)
_AIMED = Retracted | UltimatumDropped | EntryCorrection  # entries about an earlier one


class TimelineItem(NamedTuple):
    """One entry, ready to be shown.

    ``gone_by`` is the entry that undid it, ``better`` the one that replaced it; ``of``
    is the entry it undoes or corrects; 0 for none. ``is_read`` if it had an effect.
    ``draw`` is the record of a draw. ``author_now`` says who the author is now, if the
    name doesn't.
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
        """The author's name at the time, and who that is now."""
        return " · ".join(filter(None, (self.author, self.author_now)))

    @property
    def holds(self) -> bool:
        """Whether it was neither undone nor corrected."""
        return not (self.gone_by or self.better)


class TimelineSection(NamedTuple):
    """Consecutive entries about one scenario, and who missed its game."""

    scenario: str
    name: str
    played: tuple[str, ...]
    missed: tuple[str, ...]
    items: tuple[TimelineItem, ...]


def timeline_of(
    known: Folded,
    written: Mapping[int, Authorship],
    names: CampaignNames,
    wrongs: Contradictions,
) -> list[TimelineSection]:
    """Return the whole log, scenario by scenario.

    Corrections of an earlier scenario's answers follow those answers.
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
    """Return sections by page, at least one; a section too long for a page is split."""
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
    wrongs: Contradictions,
) -> list[TimelineItem]:
    """Return every entry, ready to be shown."""
    gone, better = gone_by(known.entries), replaced_by(known.entries)
    read = {each.sequence for each in known.replay.used}
    found = []
    for entry in known.entries:
        place = entry.sequence
        who = written.get(place)
        found.append(
            TimelineItem(
                place,
                log_entries.title_of(entry, names),
                log_entries.text_of(entry, names),
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


def replaced_by(entries: Iterable[Entry]) -> dict[int, int]:
    """Return answers that a later one to the same question replaced."""
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
    """Return who played a scenario, and which investigators missed it."""
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


RESOLUTION = "$r_"  # begins the id of the step that shows a resolution


MOST_SHOWN = 500  # letters of texts that are shown unfolded


class GuideText(NamedTuple):
    """A text of the guide; its parts are sanitised and may be empty."""

    title: str
    text: SafeString
    points: tuple[SafeString, ...]


def new_texts(board: Board) -> tuple[GuideText, ...]:
    """Return every text of the guide since the last answer, in order."""
    found = (_said(board, each) for each in _since_last_answer(board))
    return tuple(each for each in found if each.text or each.points)


def are_long(texts: Iterable[GuideText]) -> bool:
    """Whether texts would push the question below the screen of a phone."""
    return sum(len("".join((each.text, *each.points))) for each in texts) > MOST_SHOWN


def _since_last_answer(board: Board) -> Iterator[ChangeCause]:
    replay = board.known.replay
    answers = [each for each in replay.used if isinstance(each, Answer)]
    if not answers:
        return
    # By order of play: a correction comes last, for an earlier question.
    last = answers[-1]
    # Texts at the start of a scenario follow from no answer within it.
    begins = last.kind in (START, START_SIDE)
    place = (last.scenario, 0) if begins else (last.scenario, last.sequence)
    laid_out: list[str] = []
    # If the game is the next question, its setup is read in the checklist.
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
    """An answer that was not saved, and the entries since it was begun.

    ``asked`` and ``said`` are its question and text, empty if unknown. ``is_asked`` if
    the question is still open; else ``instead`` is the answer someone gave, if any,
    ``is_same`` if the form has nothing else, and ``may_correct`` if the visitor may
    replace it.
    """

    asked: str
    said: str
    missed: tuple[TimelineItem, ...]
    is_asked: bool = False
    instead: TimelineItem | None = None
    is_same: bool = False
    may_correct: bool = False


def missed_since(board: Board, after: int) -> tuple[TimelineItem, ...]:
    """Return the entries after an entry, ready to be shown."""
    known, names = board.known, board.names
    wrongs = Contradictions(known.replay.problems, known.entries, names)
    items = items_of(known, written_of(board.campaign), names, wrongs)
    return tuple(each for each in items if each.sequence > after)


def is_asked_still(board: Board, after: int) -> bool:
    """Return whether the question after an entry is still the same one.

    No entry since has answered it or undone anything: a menu that is asked again after
    each answer looks the same, but is another question.
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
    """Return the answer in a form whose sender had seen the entry ``after`` last."""
    missed = missed_since(board, after)
    question, given = _given(board, data, after)
    if question is None or given is None:
        return Unsent("", "", missed)
    unsent = Unsent(question.heading, log_entries.text_of(given, board.names), missed)
    found = answered_instead(unsent, board.known, given, board.member)
    if question.is_upgrade:  # the form has more than its answer
        more = {name.partition(".")[0] for name in data} & {"card", "cards", "own"}
        is_same = found.is_same and not more
        return found._replace(is_same=is_same, may_correct=False)
    return found if question.fields else found._replace(may_correct=False)


def answered_instead(
    unsent: Unsent, known: Folded, given: Answer, member: Membership
) -> Unsent:
    """Return an unsent answer with what is asked, or was answered, instead."""
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
        may_correct=may_retract(member, instead.sequence),
    )


def _given(
    board: Board, data: QueryDict, after: int
) -> tuple[FormQuestion | None, Answer | None]:
    """Return the question at that time and the form's answer; None if unreadable."""
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
