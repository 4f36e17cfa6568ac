"""Prompts for cards, holders of things, log lines, and the victory display."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from arkham.rules.campaign.asking import (
    DISPLAY,
    AnswerContext,
    Offer,
    Pending,
    offers_of,
)
from arkham.rules.campaign.by_hand.scenarios import cards_for, points_in, printed_points
from arkham.rules.campaign.effects.people import known_people
from arkham.rules.campaign.effects.personal import Group
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model import prompts as to
from arkham.rules.campaign.model.effects import Batch, Effect
from arkham.rules.campaign.prompts.kinds import (
    AnswerNames,
    PromptKind,
    counts_in,
    groups_of,
    take_choices,
    things_can_be_had,
)
from arkham.rules.campaign.run import Run
from arkham.rules.campaign.state.answers import COUNTED, LISTED, Answer
from arkham.rules.campaign.state.lookup import (
    TOTAL,
    ShownDisplay,
    copies_in,
    shown_by,
    standing_lines,
)
from arkham.rules.campaign.state.state import State
from arkham.rules.finding import (
    Finding,
    Phrase,
    Severity,
    faq,
    ngettext_noop,
    rule,
    rules_reference,
)
from arkham.rules.finding import gettext_noop as _


def _describe_cards(state: State, prompt: to.CardChoice, bare: Pending) -> Pending:
    gone = _written(state, prompt.unwritten)
    codes = (code for query in prompt.queries for code in query.codes)
    return bare._replace(
        keys=tuple(code for code in codes if code not in gone),
        offers=offers_of(state, prompt.choices),
        least=prompt.least,
        most=prompt.most,
        others=any(not query.codes for query in prompt.queries),
        queries=tuple(
            replace(query, excluded=(*query.excluded, *gone))
            for query in prompt.queries
            if not query.codes
        ),
    )


def _written(state: State, section: str) -> tuple[str, ...]:
    """Return the ids of lines in a section that are not crossed out."""
    if not section:
        return ()
    found = state.section(section)
    ids = dict.fromkeys(line.id for line in found.lines)
    return tuple(each for each in ids if found.has(each))


def card_choice(run: Run, prompt: to.CardChoice, step_id: str) -> bool:
    """Ask for a choice for each card, or for the number of copies of each."""
    if prompt.counts:
        counted = run.answer("choice_list", step_id)
        if counted is None:
            return run.wait(step_id, "choice_list", prompt)
        copies = counts_in(counted)
        codes, numbers = tuple(copies), tuple(copies.values())
        groups = []
        for choice in prompt.choices:
            groups += groups_of(choice, codes, numbers)
            run.push(choice.steps)
        return run.apply(step_id, groups)
    gone = set(_written(run.state, prompt.unwritten))
    offered = {code for query in prompt.queries for code in query.codes or ("",)}
    answer = run.answer("string_choices", step_id, gone.isdisjoint)
    if answer is None:
        if gone and run.asks_nobody("string_choices", step_id, offered - gone):
            return True
        return run.wait(step_id, "string_choices", prompt)
    return take_choices(run, answer, prompt.choices)


def _describe_counts(state: State, prompt: to.CardCounts, bare: Pending) -> Pending:
    """List the cards, each with the number of copies that exist."""
    return bare._replace(
        keys=tuple(card for card, _copies in prompt.cards),
        costs=tuple((card, 0, True) for card, _copies in prompt.cards),
        limits=tuple((card, 0, copies) for card, copies in prompt.cards),
    )


def card_counts(run: Run, prompt: to.CardCounts, step_id: str) -> bool:
    """Set the number of copies in each deck, whatever it was before."""
    answer = run.answer("supplies", step_id)
    if answer is None:
        return run.wait(step_id, "supplies", prompt, run.state.alive())
    groups = []
    for code, counts in answer.value.items():
        for card, count in counts.items():
            if more := count - copies_in(run.state, code, card):
                groups.append(Group(Batch((do.CardCount(card, more),)), (code,)))
    return run.apply(step_id, groups)


@rule("answer.copies", rows=("CYC-EE4",), cites=(rules_reference("Tekeli-li"),))
def copies_are_there(given: AnswerContext) -> Iterator[Finding]:
    """The decks together have no more copies of a card than exist."""
    asked = given.pending
    if not given.fits or asked is None:
        return
    counted = Counter(
        {
            card: sum(copies_in(given.state, code, card) for code in asked.codes)
            for card in asked.keys
        }
    )
    for code, counts in given.answer.value.items():
        for card, count in counts.items():
            counted[card] += max(count, 0) - copies_in(given.state, code, card)
    for card, _least, most in asked.limits:
        if most is not None and counted[card] > most:
            yield Finding(
                ngettext_noop(
                    "There is only {most} copy of this card.",
                    "There are only {most} copies of this card.",
                    "most",
                ),
                cards=(card,),
                actual=counted[card],
                expected=most,
                values=(("most", most),),
            )


def _describe_holders(state: State, prompt: to.Holders, bare: Pending) -> Pending:
    able = (*state.alive(), to.NO_ONE)
    return bare._replace(
        keys=tuple(item.id for item in prompt.items),
        offers=tuple(Offer(number, code) for number, code in enumerate(able)),
        least=0,
    )


def holders(run: Run, prompt: to.Holders, step_id: str) -> bool:
    """Give each thing to one investigator, or take it from all."""
    answer = run.answer("string_choices", step_id)
    if answer is None:
        return run.wait(step_id, "string_choices", prompt)
    had = {each.id: each for each in prompt.given_up}
    groups: list[Group] = []
    for item in prompt.items:
        now = (*answer.value.get(item.id, ()), "")[0]
        if not now:
            continue
        for code in known_people(run.state):
            if code != now and code in run.state.investigators:
                groups += [Group(each, (code,)) for each in had[item.id].batches]
        if now != to.NO_ONE:
            groups += [Group(each, (now,)) for each in item.batches]
    return run.apply(step_id, groups)


def _describe_lines(state: State, prompt: to.ChooseLines, bare: Pending) -> Pending:
    lines = standing_lines(state)
    if prompt.whole:
        lines = tuple(dict.fromkeys(each.partition(".")[0] for each in lines))
    return bare._replace(keys=lines)


def choose_lines(run: Run, prompt: to.ChooseLines, step_id: str) -> bool:
    """Ask for lines of the log; skipped if there are none."""
    answer = run.answer("string_choices", step_id)
    if answer is None:
        if not standing_lines(run.state):
            return True
        return run.wait(step_id, "string_choices", prompt)
    effects: list[Effect] = []
    for each in answer.value:
        section, _, line_id = each.partition(".")
        if line_id or prompt.whole:
            effects.append(do.LogLine(section, line_id, prompt.mark))
    return run.apply(step_id, [Group(Batch(tuple(effects)))])


CARDS: dict[type, PromptKind] = {
    to.CardChoice: PromptKind(
        "card_choice",
        card_choice,
        _describe_cards,
        AnswerNames.THINGS,
        says_each=True,
        rules=(things_can_be_had,),
    ),
    to.CardCounts: PromptKind(
        "card_counts",
        card_counts,
        _describe_counts,
        AnswerNames.PEOPLE,
        rules=(copies_are_there,),
    ),
    to.Holders: PromptKind(
        "holders",
        holders,
        _describe_holders,
        AnswerNames.THINGS,
        says_each=True,
        rules=(things_can_be_had,),
    ),
    to.ChooseLines: PromptKind(
        "choose_lines", choose_lines, _describe_lines, AnswerNames.THINGS
    ),
}


def _describe_display(
    state: State, prompt: to.VictoryDisplay, bare: Pending
) -> Pending:
    if bare.kind != LISTED:
        return bare  # the reason for a different total
    cards = cards_for(prompt, state.guide.id, bare.scenario)
    codes = tuple(card.code for card in cards)
    return bare._replace(keys=(*codes, TOTAL), worth=cards, least=0, others=True)


REASON = "_reason"  # suffix: asks for the reason of a stated total


def victory_display(run: Run, prompt: to.VictoryDisplay, step_id: str) -> bool:
    """Pass on the value of the cards, or a total that players state with a reason."""
    answer = _latest(run, step_id)
    if answer is None:
        return run.wait(step_id, LISTED, prompt)
    shown = _display_in(run, prompt, answer)
    for code in shown.unknown:
        run.problem("answer.unknown-card", step_id, code, answer.sequence)
    if shown.is_corrected and not shown.reason:
        reason = run.answer("text", step_id + REASON)
        if reason is None:
            return run.wait(step_id + REASON, "text", prompt)
    numbers = (shown.total,)
    return run.apply(step_id, [Group(batch, (), numbers) for batch in prompt.batches])


def _latest(run: Run, step_id: str) -> Answer | None:
    """Return the latest answer, be it a list of cards or a number alone."""
    answers = {
        kind: found
        for kind in (LISTED, COUNTED)
        if (found := run.sheet.get((kind, step_id))) is not None
    }
    if not answers:
        return None
    # A later correction may be of the other kind.
    run.unanswered_reads |= {
        (kind, step_id) for kind in (LISTED, COUNTED) if kind not in answers
    }
    latest = max(answers.values(), key=lambda each: each.sequence)
    return run.answer(latest.kind, step_id)


def _display_in(run: Run, prompt: to.VictoryDisplay, answer: Answer) -> ShownDisplay:
    if answer.kind == COUNTED:
        return shown_by(answer, lambda _code: None)
    return shown_by(answer, points_in(prompt, run.state.guide.id, run.encoded))


_CITES = (rules_reference("Victory Display, Victory Points"),)


def _points_of(given: AnswerContext, code: str) -> int | None:
    """Return the points of a card as listed by the question, or else as printed."""
    listed = given.pending.worth if given.pending is not None else ()
    found = next((each.points for each in listed if each.code == code), None)
    return printed_points().get(code) if found is None else found


def _shown(given: AnswerContext) -> ShownDisplay | None:
    """Return the display that the answer describes; None if it isn't asked for."""
    if given.pending is None or not given.pending.is_display or not given.fits:
        return None
    return shown_by(given.answer, lambda code: _points_of(given, code))


@rule("answer.display-card", rows=("VIC-01", "VIC-07"), cites=_CITES)
def is_worth_something(given: AnswerContext) -> Iterator[Finding]:
    """A card in the victory display has victory points printed on it."""
    shown = _shown(given)
    for code in shown.unknown if shown is not None else ():
        yield Finding(
            _("We don’t know the victory points of the card {card}."),
            cards=(code,),
            actual=code,
            expected=Phrase(_("the code of a card with victory points, or “total”")),
            values=(("card", code),),
        )


@rule("answer.display-points", rows=("VIC-01",), cites=_CITES)
def worth_what_is_printed(given: AnswerContext) -> Iterator[Finding]:
    """A card is listed with its copies; points given are those printed on it."""
    if _shown(given) is None or given.answer.kind != LISTED:
        return
    for code, numbers in given.answer.value.items():
        most = 1 if code == TOTAL else 2
        if not 1 <= len(numbers) <= most:
            yield Finding(
                ngettext_noop(
                    "{found} number given; {count} expected.",
                    "{found} numbers given; {count} expected.",
                    "found",
                ),
                cards=(code,),
                actual=len(numbers),
                expected=1,
                values=(("found", len(numbers)), ("count", 1)),
            )
        elif len(numbers) == most == 2:
            printed = _points_of(given, code)
            if numbers[1] < 0 or printed not in (None, numbers[1]):
                yield Finding(
                    _("The victory points printed on this card are different."),
                    cards=(code,),
                    actual=numbers[1],
                    expected=printed or 0,
                )


@rule("answer.display-reason", rows=("VIC-09",), cites=_CITES)
def another_total_has_a_reason(given: AnswerContext) -> Iterator[Finding]:
    """A total that differs from the cards listed needs a reason."""
    shown = _shown(given)
    if shown is None or not shown.is_corrected or shown.reason.strip():
        return
    yield Finding(
        _("Why is the total {total}? These cards add up to {counted}."),
        Severity.INCOMPLETE,
        actual=shown.total,
        expected=shown.counted,
        values=(("total", shown.total), ("counted", shown.counted)),
    )


@rule(
    "answer.display-limit",
    rows=("VIC-05", "VIC-06", "TABOO-M07"),
    cites=(faq("2.3 Limits and Maximums"), faq("The List of Taboos")),
)
def within_limits(given: AnswerContext) -> Iterator[Finding]:
    """A limit in the victory display counts by title, for the whole group."""
    shown = _shown(given)
    for title, most, codes in given.limits if shown is not None else ():
        found = [each for each in shown.cards if each.code in codes] if shown else []
        count = sum(each.copies for each in found)
        if count > most:
            yield Finding(
                ngettext_noop(
                    "{count} copy of {title} is in the victory display; at most "
                    "{limit} may be.",
                    "{count} copies of {title} are in the victory display; at most "
                    "{limit} may be.",
                    "count",
                ),
                cards=tuple(each.code for each in found),
                actual=count,
                expected=most,
                values=(("count", count), ("title", title), ("limit", most)),
            )


DISPLAYS: dict[type, PromptKind] = {
    to.VictoryDisplay: PromptKind(
        DISPLAY,
        victory_display,
        _describe_display,
        rules=(
            is_worth_something,
            worth_what_is_printed,
            another_total_has_a_reason,
            within_limits,
        ),
    )
}
