"""What the guide narrates between the last answer and the next question.

The set-up of a game is not among it: that is the checklist of its page.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from django.utils.safestring import SafeString

from arkham.rules.campaign.interpreter.replay import START, START_SIDE
from arkham.rules.campaign.state.answers import Answer
from arkham.rules.campaign.state.state import Cause
from campaigns.guides.narration import told_steps
from campaigns.pages.board import Board
from campaigns.settling.outcome import is_game
from cardpool.markup import rendered, unmarked

RESOLUTION = "$r_"  # before the id of a resolution: the step that tells it


class Said(NamedTuple):
    """Something a guide says; texts are cleaned, any of them may be empty."""

    title: str
    text: SafeString
    points: tuple[SafeString, ...]


def just_told(board: Board) -> tuple[Said, ...]:
    """All that was told since the last answer, in order."""
    found = (_said(board, each) for each in _since_last_answer(board))
    return tuple(each for each in found if each.text or each.points)


def _since_last_answer(board: Board) -> Iterator[Cause]:
    replay = board.known.replay
    answers = [each for each in replay.used if isinstance(each, Answer)]
    if not answers:
        return
    last = max(answers, key=lambda each: each.sequence)
    # What is told as a scenario begins follows from no answer within it.
    begins = last.kind in (START, START_SIDE)
    place = (last.scenario, 0) if begins else (last.scenario, last.sequence)
    laid_out: set[str] = set()
    if is_game(replay.state.guide, last.scenario):
        laid_out.update(told_steps(board.campaign, replay, last.scenario))
    for each in replay.state.told:
        if (each.scenario, each.answer) == place and each.step not in laid_out:
            yield each


def _said(board: Board, told: Cause) -> Said:
    words, base = board.names.words, told.step.partition("#")[0]
    if base.startswith(RESOLUTION):
        resolution = words.resolution(told.scenario, base.removeprefix(RESOLUTION))
        return Said("", rendered(str(resolution.get("text", ""))), ())
    step = words.step(told.scenario, told.step)
    return Said(
        unmarked(str(step.get("title", ""))),
        rendered(str(step.get("text", ""))),
        tuple(rendered(str(each)) for each in step.get("bullets", ()) if each),
    )
