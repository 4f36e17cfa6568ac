"""Prompts of cards, of things a person holds, of lines of the log; victory displays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from arkham.rules.campaign.asking import DISPLAY, Given, Offer, Pending, offers_of
from arkham.rules.campaign.by_hand.displays import cards_for, points_in, printed_points
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
from arkham.rules.campaign.state.lookup import copies_in, standing_lines
from arkham.rules.campaign.state.outcomes import TOTAL, ShownDisplay, shown_by
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
    """The ids of the lines that stand in a section; none where no section is given."""
    if not section:
        return ()
    found = state.section(section)
    ids = dict.fromkeys(line.id for line in found.lines)
    return tuple(each for each in ids if found.has(each))


def card_choice(run: Run, prompt: to.CardChoice, step_id: str) -> bool:
    """A choice for each card, or how many there are of each."""
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
    answer = run.answer("string_choices", step_id)
    if answer is None:
        return run.wait(step_id, "string_choices", prompt)
    return take_choices(run, answer, prompt.choices)


def _describe_counts(state: State, prompt: to.CardCounts, bare: Pending) -> Pending:
    """At most as many of each as there are; what lies in a deck now is known."""
    return bare._replace(
        keys=tuple(card for card, _copies in prompt.cards),
        costs=tuple((card, 0, True) for card, _copies in prompt.cards),
        limits=tuple((card, 0, copies) for card, copies in prompt.cards),
    )


def card_counts(run: Run, prompt: to.CardCounts, step_id: str) -> bool:
    """So many copies lie in each deck now, whatever lay there before."""
    answer = run.answer("supplies", step_id)
    if answer is None:
        return run.wait(step_id, "supplies", prompt, run.state.alive())
    groups = []
    for code, counts in answer.value.items():
        person = run.state.people.get(code)
        known = (person.card_counts or {}) if person else {}
        for card, count in counts.items():
            if count != copies_in(run.state, code, card):
                changed = do.CardCount(card, count - known.get(card, 0))
                groups.append(Group(Batch((changed,)), (code,)))
    return run.apply(step_id, groups)


@rule("answer.copies", rows=("CYC-EE4",), cites=(rules_reference("Tekeli-li"),))
def copies_are_there(given: Given) -> Iterator[Finding]:
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
    able = (*state.alive(), to.NOBODY)
    return bare._replace(
        keys=tuple(item.id for item in prompt.items),
        offers=tuple(Offer(number, code) for number, code in enumerate(able)),
        least=0,
    )


def holders(run: Run, prompt: to.Holders, step_id: str) -> bool:
    """A thing passes to one investigator, or to none of them."""
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
        if now != to.NOBODY:
            groups += [Group(each, (now,)) for each in item.batches]
    return run.apply(step_id, groups)


def _describe_lines(state: State, prompt: to.ChooseLines, bare: Pending) -> Pending:
    lines = standing_lines(state)
    if prompt.whole:
        lines = tuple(dict.fromkeys(each.partition(".")[0] for each in lines))
    return bare._replace(keys=lines)


def choose_lines(run: Run, prompt: to.ChooseLines, step_id: str) -> bool:
    """Some lines of the log; nobody is asked where none stands."""
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
        return bare  # why the total is another one
    cards = cards_for(prompt, state.guide.id, bare.scenario)
    codes = tuple(card.code for card in cards)
    return bare._replace(keys=(*codes, TOTAL), worth=cards, least=0, others=True)


REASON = "_reason"  # of a total that was stated without one


def victory_display(run: Run, prompt: to.VictoryDisplay, step_id: str) -> bool:
    """What the cards are worth, or what the table says they are, with its reason."""
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
    """The display as answered last: card by card, or as a number alone."""
    answers = {
        kind: found
        for kind in (LISTED, COUNTED)
        if (found := run.sheet.get((kind, step_id))) is not None
    }
    if not answers:
        return None
    # Corrected later, it is another answer to this.
    run.missed |= {(kind, step_id) for kind in (LISTED, COUNTED) if kind not in answers}
    latest = max(answers.values(), key=lambda each: each.sequence)
    return run.answer(latest.kind, step_id)


def _display_in(run: Run, prompt: to.VictoryDisplay, answer: Answer) -> ShownDisplay:
    if answer.kind == COUNTED:
        return shown_by(answer, lambda _code: None)
    return shown_by(answer, points_in(prompt, run.state.guide.id, run.encoded))


_CITES = (rules_reference("Victory Display, Victory Points"),)


def _points_of(given: Given, code: str) -> int | None:
    """The points of a card that is expected there; of any other those printed."""
    listed = given.pending.worth if given.pending is not None else ()
    found = next((each.points for each in listed if each.code == code), None)
    return printed_points().get(code) if found is None else found


def _shown(given: Given) -> ShownDisplay | None:
    """The display as this answer has it; nothing where it is not asked for."""
    if given.pending is None or not given.pending.is_display or not given.fits:
        return None
    return shown_by(given.answer, lambda code: _points_of(given, code))


@rule("answer.display-card", rows=("VIC-01", "VIC-07"), cites=_CITES)
def is_worth_something(given: Given) -> Iterator[Finding]:
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
def worth_what_is_printed(given: Given) -> Iterator[Finding]:
    """A card has its copies and, if points are given, the points printed on it."""
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
def another_total_has_a_reason(given: Given) -> Iterator[Finding]:
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
def within_limits(given: Given) -> Iterator[Finding]:
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
    ),
}
