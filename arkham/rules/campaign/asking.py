"""The next question of a campaign: for whom it is, and which answers it takes.

It is longer than other modules because each prompt has one small function here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from arkham.rules.campaign.by_hand.displays import cards_for
from arkham.rules.campaign.conditions.deciding import holds, holds_for, value
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model import fixed_steps
from arkham.rules.campaign.model import steps as to
from arkham.rules.campaign.model.guide import COPIES, COUNTED_BY_UPGRADE
from arkham.rules.campaign.model.scope import ScenarioScope
from arkham.rules.campaign.model.steps import PromptChoice
from arkham.rules.campaign.state.answers import COUNTED, LISTED, Answer
from arkham.rules.campaign.state.lookup import partners_matching, standing_lines
from arkham.rules.campaign.state.state import State
from arkham.rules.campaign.state.victory import TOTAL

DISPLAY = "victory_display"  # what a prompt is called that asks for it


class Offer(NamedTuple):
    """A choice that can be had now, and the number it is recorded by."""

    number: int
    id: str


class Price(NamedTuple):
    """What a choice costs its maker, or each one that is named, if it is "".

    What lies in the ``pool`` pays first.
    """

    choice: str
    experience: int
    pool: str = ""


class Pending(NamedTuple):
    """What is asked next: which step, answered by which kind of record.

    ``codes`` are the investigators (or partners) it concerns; ``offers`` what can be
    chosen, ``by_code`` where that differs from one investigator to the next;
    ``keys`` what is to be answered for where that is no investigator, of an upgrade
    what is told of each deck beside experience and trauma; ``others`` says
    that other cards, which nobody can list, may be named as well. ``least`` and
    ``most`` limit a number, or how many are to be named; None is no limit. ``each``
    says that every one of ``codes`` has to answer, ``many`` how many things each of
    them names, ``once`` what no two may choose. ``limits`` are the least and the most
    for single ones where they differ. ``now`` is the number as it stands, where one is
    added to. ``worth`` are the cards that can be expected in the victory display.
    ``costs`` is what is packed: its points, and whether more than once. ``queries`` say
    of what kind those other cards are. ``spends`` says that experience is spent while
    it is asked, ``prices`` what it costs whoever chooses something.
    """

    scenario: str
    step: str
    kind: str
    prompt: str
    codes: tuple[str, ...] = ()
    offers: tuple[Offer, ...] = ()
    by_code: tuple[tuple[str, tuple[str, ...]], ...] = ()
    keys: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    each: bool = False
    traits: tuple[str, ...] = ()
    worth: tuple[to.Worth, ...] = ()
    others: bool = False
    now: int | None = None
    many: int = 1
    once: tuple[str, ...] = ()
    limits: tuple[tuple[str, int, int | None], ...] = ()
    costs: tuple[tuple[str, int, bool], ...] = ()
    queries: tuple[to.CardQuery, ...] = ()
    spends: bool = False
    prices: tuple[Price, ...] = ()

    @property
    def is_heard(self) -> bool:
        """Whether the linked campaign tells it, and nobody at this table."""
        return self.kind == "campaign_link"

    @property
    def is_display(self) -> bool:
        """Whether it asks which cards lie in the victory display."""
        return self.prompt == DISPLAY and self.kind == LISTED

    @property
    def is_upgrade(self) -> bool:
        """Whether decks are brought up to date."""
        return self.prompt in ("upgrade_decks", "save_decks")

    @property
    def question(self) -> tuple[str, str, str]:
        """What is asked, as the answers to it have it."""
        return Answer(self.kind, self.scenario, self.step, None).question

    def is_answered_by(self, answer: Answer) -> bool:
        """Whether an answer is to this question, in a form that is asked for.

        What the victory display is worth can be told as a number alone.
        """
        fits = answer.kind == self.kind or (self.is_display and answer.kind == COUNTED)
        return fits and answer.question == self.question


def pending_of(
    state: State,
    scope: ScenarioScope,
    encoded: str,
    step_id: str,
    kind: str,
    prompt: Any,
    codes: Sequence[str],
) -> Pending:
    """The question a prompt comes down to in this state."""
    bare = Pending(encoded, step_id, kind, _NAMES[prompt.__class__], tuple(codes))
    describe = _DESCRIBED.get(prompt.__class__)
    return describe(state, prompt, bare) if describe is not None else bare


def _offers(state: State, choices: Sequence[PromptChoice]) -> tuple[Offer, ...]:
    shown = [choice for choice in choices if holds(state, choice.condition)]
    return tuple(Offer(number, choice.id) for number, choice in enumerate(shown))


def _choose_one(state: State, prompt: to.ChooseOne, bare: Pending) -> Pending:
    if bare.kind == "decision":
        return bare._replace(offers=(Offer(0, prompt.choices[0].id),))
    return bare._replace(offers=_offers(state, prompt.choices))


def _menu(state: State, prompt: to.Menu, bare: Pending) -> Pending:
    return bare._replace(offers=_offers(state, prompt.choices))


def _counter(state: State, prompt: to.Counter, bare: Pending) -> Pending:
    most = None if prompt.most is None else value(state, prompt.most)
    now = None if prompt.of is None else state.number(*prompt.of)
    return bare._replace(least=value(state, prompt.least), most=most, now=now)


def _seat_counter(state: State, prompt: to.SeatCounter, bare: Pending) -> Pending:
    least = prompt.least or 0
    bare = bare._replace(least=least, most=prompt.most, each=least > 0)
    bare = bare._replace(prices=tuple(_prices(state, "", prompt.batches)))
    if prompt.trauma:
        return bare._replace(
            limits=tuple(
                (code, least, _trauma_of(state, code, prompt.trauma))
                for code in bare.codes
            )
        )
    if not prompt.taken_from:
        return bare
    own = state.seat_sections.get(prompt.taken_from, {})
    return bare._replace(
        limits=tuple(
            (code, -own[code].number("$count") if code in own else 0, prompt.most)
            for code in bare.codes
        )
    )


def _trauma_of(state: State, code: str, kind: str) -> int:
    person = state.people.get(code)
    if person is None:
        return 0
    return (person.physical if kind == "physical" else person.mental) or 0


def _seat_choice(state: State, prompt: to.SeatChoice, bare: Pending) -> Pending:
    by_code = tuple(
        (
            code,
            tuple(
                choice.id
                for choice in prompt.choices
                if holds_for(state, choice.condition, code)
            ),
        )
        for code in bare.codes
    )
    every = prompt.who == "all" and not prompt.optional
    least = 1 if prompt.who == "any" else 0
    most = 1 if prompt.who == "any" else len(bare.codes)
    if prompt.least is not None:
        least = value(state, prompt.least)
    if prompt.most is not None:
        most = value(state, prompt.most)
    once: tuple[str, ...] = ()
    if prompt.unique:
        once = tuple(each.id for each in prompt.choices if not each.duplicates)
    return bare._replace(
        by_code=by_code,
        each=every or prompt.in_turn,
        least=least,
        most=most,
        once=once,
        prices=tuple(
            price
            for choice in prompt.choices
            for price in _prices(state, choice.id, choice.batches)
        ),
    )


def _prices(state: State, choice: str, batches: Sequence[do.Batch]) -> Iterator[Price]:
    """What is paid in experience by those who choose it, where experience counts."""
    if state.is_single or state.redirect:
        return
    for batch in batches:
        for effect in batch.plain:
            if not isinstance(effect, do.EarnExperience) or effect.who != "input":
                continue
            paid = -effect.bonus if choice else -effect.scale
            if paid > 0:
                yield Price(choice, paid, effect.pool)


def _checklist(state: State, prompt: to.Checklist, bare: Pending) -> Pending:
    return bare._replace(
        offers=_offers(state, prompt.choices), least=prompt.least, most=prompt.most
    )


def _choice_list(state: State, prompt: to.ChoiceList, bare: Pending) -> Pending:
    items = [item.id for item in prompt.items if holds(state, item.condition)]
    return bare._replace(
        keys=tuple(items),
        offers=_offers(state, prompt.choices),
        least=0 if prompt.optional else None,
    )


def _cards(state: State, prompt: to.CardChoice, bare: Pending) -> Pending:
    gone = _written(state, prompt.unwritten)
    codes = (code for query in prompt.queries for code in query.codes)
    return bare._replace(
        keys=tuple(code for code in codes if code not in gone),
        offers=_offers(state, prompt.choices),
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
    """The ids of the lines that stand in a section; none where no section is told."""
    if not section:
        return ()
    found = state.section(section)
    ids = dict.fromkeys(line.id for line in found.lines)
    return tuple(each for each in ids if found.has(each))


def _play(state: State, prompt: to.PlayScenario, bare: Pending) -> Pending:
    if bare.step.endswith(fixed_steps.NOTES):
        offered = _offers(state, prompt.log_choices)
        return bare._replace(offers=(*offered, Offer(len(offered), fixed_steps.OTHER)))
    own = tuple(
        Offer(number, branch.id)
        for number, branch in enumerate(prompt.branches)
        if holds(state, branch.condition)
    )
    hub = tuple(Offer(number, step) for number, step in fixed_steps.HUB_STEPS.items())
    return bare._replace(offers=(*own, Offer(fixed_steps.FINISH, "$finish"), *hub))


def _display(state: State, prompt: to.VictoryDisplay, bare: Pending) -> Pending:
    if bare.kind != LISTED:
        return bare  # why the total is another one
    cards = cards_for(prompt, state.guide.id, bare.scenario)
    codes = tuple(card.code for card in cards)
    return bare._replace(keys=(*codes, TOTAL), worth=cards, least=0, others=True)


def _lines(state: State, prompt: to.ChooseLines, bare: Pending) -> Pending:
    lines = standing_lines(state)
    if prompt.whole:
        lines = tuple(dict.fromkeys(each.partition(".")[0] for each in lines))
    return bare._replace(keys=lines)


def _holders(state: State, prompt: to.Holders, bare: Pending) -> Pending:
    able = (*state.alive(), to.NOBODY)
    return bare._replace(
        keys=tuple(item.id for item in prompt.items),
        offers=tuple(Offer(number, code) for number, code in enumerate(able)),
        least=0,
    )


def _card_counts(state: State, prompt: to.CardCounts, bare: Pending) -> Pending:
    """At most as many of each as there are; what lies in a deck now is known."""
    return bare._replace(
        keys=tuple(card for card, _copies in prompt.cards),
        costs=tuple((card, 0, True) for card, _copies in prompt.cards),
        limits=tuple((card, 0, copies) for card, copies in prompt.cards),
    )


def _upgrade(state: State, prompt: to.UpgradeDecks, bare: Pending) -> Pending:
    """What of each deck is told beside experience and trauma: a number, and copies."""
    counted = (COUNTED_BY_UPGRADE,) if state.redirect or prompt.counter else ()
    copies = tuple(f"{COPIES}{card}" for card in prompt.story_cards)
    return bare._replace(keys=(*counted, *copies), spends=not prompt.skip_decks)


def _save(state: State, prompt: to.SaveDecks, bare: Pending) -> Pending:
    return bare._replace(spends=prompt.experience)


def _receive(state: State, prompt: to.ReceiveLink, bare: Pending) -> Pending:
    offers = tuple(Offer(n, choice.id) for n, choice in enumerate(prompt.choices))
    return bare._replace(offers=offers, keys=(prompt.id,))


def _supplies(state: State, prompt: to.Supplies, bare: Pending) -> Pending:
    players = min(max(len(state.players), 1), len(prompt.points) or 1)
    points = prompt.points[players - 1] if prompt.points else 0
    bare = bare._replace(
        most=points, keys=tuple(cost[0] for cost in prompt.costs), costs=prompt.costs
    )
    if not prompt.pool:
        return bare
    pools = {code: state.pool(code, prompt.pool) for code in bare.codes}
    return bare._replace(
        limits=tuple((code, 0, points + more) for code, more in pools.items())
    )


def _used_up(state: State, prompt: to.UseSupplies, bare: Pending) -> Pending:
    """Whoever has the supply uses it up, as far as all have it together."""
    if bare.kind != "choice_list":
        return bare._replace(least=prompt.least, most=prompt.most)
    own = state.seat_sections.get(prompt.section, {})
    having = {
        code: own[code].number(prompt.id) if code in own else 0 for code in bare.codes
    }
    least = most = state.needing
    if prompt.who != "all":
        least, most = prompt.least or 0, prompt.most or sum(having.values())
    return bare._replace(
        least=min(least, sum(having.values())),
        most=most,
        limits=tuple((code, 0, count) for code, count in having.items()),
    )


def _somebody(state: State, prompt: to.SeatSupplies, bare: Pending) -> Pending:
    return bare._replace(least=1, most=1)


def _partners(state: State, prompt: to.ChoosePartners, bare: Pending) -> Pending:
    number = None if prompt.quantity is None else value(state, prompt.quantity)
    matching = _matching(state, prompt.check)
    if number is not None:
        number = min(number, len(matching))
    return bare._replace(keys=matching, least=number, most=number)


def _matching(state: State, check: Any) -> tuple[str, ...]:
    by_key = check.options.by_key
    return tuple(code for code, met in partners_matching(state, check) if met in by_key)


def _assigned(state: State, prompt: to.AssignPartners, bare: Pending) -> Pending:
    return bare._replace(keys=_matching(state, prompt.check), each=True)


def _partner_trauma(state: State, prompt: to.PartnerTrauma, bare: Pending) -> Pending:
    return bare._replace(codes=tuple(state.partners), least=0)


def _randomizer(state: State, prompt: to.Randomizer, bare: Pending) -> Pending:
    options = tuple(Offer(n, option.id) for n, option in enumerate(prompt.options))
    keys = tuple(choice.id for choice in prompt.choices)
    return bare._replace(keys=keys, offers=options)


def _weakness(state: State, effect: do.AddWeakness, bare: Pending) -> Pending:
    prompt = CHOSEN_WEAKNESS if effect.choose_only else bare.prompt
    return bare._replace(
        prompt=prompt, traits=effect.traits, each=True, many=effect.count
    )


def _either(state: State, effect: do.Trauma, bare: Pending) -> Pending:
    by_code = tuple((code, ("physical", "mental")) for code in bare.codes)
    return bare._replace(by_code=by_code, each=True)


def _taker(state: State, effect: do.AddCard, bare: Pending) -> Pending:
    codes = bare.codes
    if effect.who == "any_resigned":
        resigned = state.outcome_group("resigned")
        codes = tuple(code for code in codes if code in resigned)
    elif effect.who == "lead":
        codes = tuple(code for code in codes if code == state.lead)
    must = effect.who == "any"  # the others may
    return bare._replace(codes=codes, keys=(effect.card,), least=int(must), most=1)


def _lead(state: State, prompt: to.ChooseInvestigators, bare: Pending) -> Pending:
    """Who leads is one of those who play."""
    return bare._replace(least=1, most=1) if bare.codes else bare


_DESCRIBED: dict[type, Any] = {
    to.ChooseOne: _choose_one,
    to.Menu: _menu,
    to.Counter: _counter,
    to.SeatCounter: _seat_counter,
    to.SeatChoice: _seat_choice,
    to.Checklist: _checklist,
    to.ChoiceList: _choice_list,
    to.CardChoice: _cards,
    to.PlayScenario: _play,
    to.UpgradeDecks: _upgrade,
    to.SaveDecks: _save,
    to.VictoryDisplay: _display,
    to.ChooseLines: _lines,
    to.Holders: _holders,
    to.CardCounts: _card_counts,
    to.ReceiveLink: _receive,
    to.ChooseInvestigators: _lead,
    to.Supplies: _supplies,
    to.UseSupplies: _used_up,
    to.SeatSupplies: _somebody,
    to.ChoosePartners: _partners,
    to.AssignPartners: _assigned,
    to.PartnerTrauma: _partner_trauma,
    to.Randomizer: _randomizer,
    do.AddWeakness: _weakness,
    do.Trauma: _either,
    do.AddCard: _taker,
}
# What a prompt is called in records and on pages.
_NAMES: dict[type, str] = {
    to.ChooseOne: "choose_one",
    to.Menu: "menu",
    to.Counter: "counter",
    to.SeatCounter: "investigator_counter",
    to.SeatChoice: "investigator_choice",
    to.ChooseInvestigators: "choose_investigators",
    to.Checklist: "checklist",
    to.ChoiceList: "choice_list",
    to.CardChoice: "card_choice",
    to.PlayScenario: "play_scenario",
    to.UpgradeDecks: "upgrade_decks",
    to.SaveDecks: "save_decks",
    to.Supplies: "supplies",
    to.UseSupplies: "use_supplies",
    to.SeatSupplies: "investigator_choice_supplies",
    to.VictoryDisplay: DISPLAY,
    to.ChooseLines: "choose_lines",
    to.Holders: "holders",
    to.CardCounts: "card_counts",
    to.TextBox: "text_box",
    to.ReceiveLink: "receive_link",
    to.ChoosePartners: "choose_partners",
    to.AssignPartners: "assign_partners",
    to.PartnerTrauma: "partner_trauma",
    to.Randomizer: "randomizer",
    to.RandomPlaces: "dead_end",
    to.DeadEnd: "dead_end",
    do.AddWeakness: "weakness",
    do.Trauma: "physical_or_mental",
    do.AddCard: "who_takes",
    do.RemoveCard: "who_gives_up",
}


# A weakness of one's choice is not drawn.
CHOSEN_WEAKNESS = "chosen_weakness"


def prompt_name(prompt: object) -> str:
    """What a prompt is called in records and on pages; "" for what is none."""
    return _NAMES.get(prompt.__class__, "")
