"""What follows from the cards in the victory display, in any guide."""

from __future__ import annotations

from arkham.rules.campaign.by_hand.displays import points_in
from arkham.rules.campaign.effects.personal import Group
from arkham.rules.campaign.model import steps as to
from arkham.rules.campaign.run import Run
from arkham.rules.campaign.state.answers import COUNTED, LISTED, Answer
from arkham.rules.campaign.state.victory import Shown, shown_by

REASON = "_reason"  # of a total that was told without one


def victory_display(run: Run, prompt: to.VictoryDisplay, step_id: str) -> bool:
    """What the cards are worth, or what the table says they are, with its reason."""
    answer = _latest(run, step_id)
    if answer is None:
        return run.wait(step_id, LISTED, prompt)
    shown = _shown(run, prompt, answer)
    for code in shown.unknown:
        run.problem("answer.unknown-card", step_id, code, answer.sequence)
    if shown.is_corrected and not shown.reason:
        reason = run.answer("text", step_id + REASON)
        if reason is None:
            return run.wait(step_id + REASON, "text", prompt)
    numbers = (shown.total,)
    return run.apply(step_id, [Group(batch, (), numbers) for batch in prompt.batches])


def _latest(run: Run, step_id: str) -> Answer | None:
    """The display as it was told last: card by card, or as a number alone."""
    told = {
        kind: found
        for kind in (LISTED, COUNTED)
        if (found := run.sheet.get((kind, step_id))) is not None
    }
    if not told:
        return None
    # Told otherwise later, it is another answer to this.
    run.missed |= {(kind, step_id) for kind in (LISTED, COUNTED) if kind not in told}
    latest = max(told.values(), key=lambda each: each.sequence)
    return run.answer(latest.kind, step_id)


def _shown(run: Run, prompt: to.VictoryDisplay, answer: Answer) -> Shown:
    if answer.kind == COUNTED:
        return shown_by(answer, lambda _code: None)
    return shown_by(answer, points_in(prompt, run.state.guide.id, run.encoded))
