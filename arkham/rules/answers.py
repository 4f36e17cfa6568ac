"""Answers lines of JSON in order, one line each; what judging and pricing share."""

from __future__ import annotations

from collections.abc import Callable

from arkham.rules.checking import Outcome
from arkham.rules.deck import Circumstances
from arkham.rules.legality import Judge

Answers = tuple[str, Outcome]
# A line, its number, the judge and the circumstances → the answer and how it fared.
AnswerLine = Callable[[bytes, int, Judge, Circumstances], Answers]


def answers_to(
    lines: list[bytes],
    first: int,
    judge: Judge,
    base: Circumstances,
    answer_line: AnswerLine,
) -> Answers:
    """The answers to some lines, one a line, and the worst outcome among them.

    ``first`` is the number of the first of them.
    """
    worst, answers = Outcome.LEGAL, []
    for number, line in enumerate(lines, first):
        text, outcome = answer_line(line, number, judge, base)
        answers.append(text)
        worst = max(worst, outcome)
    answers.append("")
    return "\n".join(answers), worst
