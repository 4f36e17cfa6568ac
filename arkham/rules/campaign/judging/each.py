"""Judges answers that each investigator gives, and a reported victory display."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from arkham.rules.campaign.asking import Price
from arkham.rules.campaign.by_hand.displays import printed_points
from arkham.rules.campaign.judging.given import GUIDE, Given, not_offered, out_of_bounds
from arkham.rules.campaign.state.answers import LISTED
from arkham.rules.campaign.state.lookup import NO_PARTNER, copies_in
from arkham.rules.campaign.state.victory import TOTAL, ShownDisplay, shown_by
from arkham.rules.finding import Finding, Rule, Severity, faq, rule, rules_reference
from arkham.rules.finding import gettext_noop as _

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
            _("No victory points are known of the card {card}."),
            cards=(code,),
            actual=code,
            expected="the code of a card with victory points, or “total”",
            values=(("card", code),),
        )


@rule("answer.display-points", rows=("VIC-01",), cites=_CITES)
def worth_what_is_printed(given: Given) -> Iterator[Finding]:
    """A card is told with its copies, and if at all with the points printed on it."""
    if _shown(given) is None or given.answer.kind != LISTED:
        return
    for code, numbers in given.answer.value.items():
        most = 1 if code == TOTAL else 2
        if not 1 <= len(numbers) <= most:
            yield Finding(
                _("{found} numbers stand here; {count} are asked for."),
                cards=(code,),
                actual=len(numbers),
                expected=1,
                values=(("found", len(numbers)), ("count", 1)),
            )
        elif len(numbers) == most == 2:
            printed = _points_of(given, code)
            if numbers[1] < 0 or printed not in (None, numbers[1]):
                yield Finding(
                    _("Another number of victory points is printed on this card."),
                    cards=(code,),
                    actual=numbers[1],
                    expected=printed or 0,
                )


@rule("answer.display-reason", rows=("VIC-09",), cites=_CITES)
def another_total_has_a_reason(given: Given) -> Iterator[Finding]:
    """A total other than that of the cards named is told with its reason."""
    shown = _shown(given)
    if shown is None or not shown.is_corrected or shown.reason.strip():
        return
    yield Finding(
        _("Why is the total {total}, where these cards come to {counted}?"),
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
        lying = [each for each in shown.cards if each.code in codes] if shown else []
        count = sum(each.copies for each in lying)
        if count > most:
            yield Finding(
                _("There are {count} {title} in the display; {limit} are allowed."),
                cards=tuple(each.code for each in lying),
                actual=count,
                expected=most,
                values=(("count", count), ("title", title), ("limit", most)),
            )


SHOWN_RULES: tuple[Rule[Given], ...] = (
    is_worth_something,
    worth_what_is_printed,
    another_total_has_a_reason,
    within_limits,
)


# Prompts where each who answers, or each thing, has so many answers and no more.
_EACH = frozenset(
    {
        "investigator_choice",
        "physical_or_mental",
        "weakness",
        "chosen_weakness",
        "choice_list",
        "holders",
        "card_choice",
        "assign_partners",
        "randomizer",
    }
)
_BY_THING = frozenset({"choice_list", "holders", "card_choice", "randomizer"})


@rule("answer.each-one", rows=("ELIM-14", "TRA-02", "STAND-02"), cites=GUIDE)
def each_says_so_many(given: Given) -> Iterator[Finding]:
    """Each who answers says one thing, or names as many cards as were drawn."""
    asked = given.pending
    if not given.fits or asked is None or asked.kind != "string_choices":
        return
    if asked.prompt not in _EACH:
        return
    for code, said in given.answer.value.items():
        if len(said) != asked.many:
            yield Finding(
                _("{found} answers stand here; {count} are asked for."),
                cards=(code,),
                actual=len(said),
                expected=asked.many,
                values=(("found", len(said)), ("count", asked.many)),
            )


@rule("answer.thing", rows=("CAMP-03",), cites=GUIDE)
def things_can_be_had(given: Given) -> Iterator[Finding]:
    """What is chosen for a thing, a card or a companion is one of what is offered."""
    asked = given.pending
    if not given.fits or asked is None or asked.kind != "string_choices":
        return
    if asked.prompt in _BY_THING:
        offered = tuple(offer.id for offer in asked.offers)
    elif asked.prompt == "assign_partners":
        offered = (*asked.keys, NO_PARTNER)
    else:
        return
    for key, said in given.answer.value.items():
        for each in said:
            if each not in offered:
                yield not_offered(each, offered, key)


@rule("answer.all-things", rows=("CAMP-03",), cites=GUIDE)
def all_things_are_said(given: Given) -> Iterator[Finding]:
    """What chance decides of each thing is said of each."""
    asked = given.pending
    if not given.fits or asked is None or asked.prompt != "randomizer":
        return
    missing = [key for key in asked.keys if key not in given.keys]
    if missing:
        yield Finding(
            _("Something is left out."),
            actual=len(given.keys),
            expected=", ".join(missing),
        )


@rule("answer.once", rows=("CARD-10", "CYC-EE1"), cites=(rules_reference("Unique"),))
def nobody_has_the_same(given: Given) -> Iterator[Finding]:
    """What there is only once, a role or a companion, only one of them has."""
    asked = given.pending
    if not given.fits or asked is None or asked.kind != "string_choices":
        return
    once = asked.keys if asked.prompt == "assign_partners" else asked.once
    if not once:
        return
    taken = Counter(each for said in given.answer.value.values() for each in said)
    for each, count in taken.items():
        if each in once and count > 1:
            yield Finding(_("Only one of them can have this."), actual=each, expected=1)


@rule("answer.supplies", rows=("CYC-FA1",), cites=(rules_reference("Supplies"),))
def supplies_are_paid(given: Given) -> Iterator[Finding]:
    """Supplies are packed for the points there are; of most kinds one is enough."""
    asked = given.pending
    if not given.fits or asked is None or asked.kind != "supplies":
        return
    costs = {supply: (cost, many) for supply, cost, many in asked.costs}
    points = {code: most for code, _least, most in asked.limits}
    for code, packed in given.answer.value.items():
        paid = 0
        for supply, count in packed.items():
            if supply not in costs:
                yield not_offered(supply, costs, code)
                continue
            cost, many = costs[supply]
            wrong = out_of_bounds(count, 0, None if many else 1, code)
            if wrong is not None:
                yield wrong
            paid += cost * max(count, 0)
        most = points.get(code, asked.most)
        if most is not None and paid > most:
            yield Finding(
                _("This costs {paid} points; there are {points}."),
                cards=(code,),
                actual=paid,
                expected=most,
                values=(("paid", paid), ("points", most)),
            )


@rule("answer.copies", rows=("CYC-EE4",), cites=(rules_reference("Tekeli-li"),))
def copies_are_there(given: Given) -> Iterator[Finding]:
    """No more copies of a card lie in decks than there are."""
    asked = given.pending
    if not given.fits or asked is None or asked.prompt != "card_counts":
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
                _("There are only {most} copies of this card."),
                cards=(card,),
                actual=counted[card],
                expected=most,
                values=(("most", most),),
            )


@rule("answer.paid", rows=("XP-03", "XP-14", "XP-25"), cites=GUIDE)
def experience_is_there(given: Given) -> Iterator[Finding]:
    """Who pays experience for a choice of the guide has it to spend."""
    asked = given.pending
    if not given.fits or asked is None or not asked.prices:
        return
    none_is_spent = "induction" in given.state.ultimatums
    for code, said in given.answer.value.items():
        if code not in given.unspent and not none_is_spent:
            continue  # a deck on paper has no balance here
        cost = sum(
            max(price.experience * _times(price, said) - _pooled(given, code, price), 0)
            for price in asked.prices
        )
        unspent = 0 if none_is_spent else given.unspent[code]
        if cost > max(unspent, 0):
            yield Finding(
                _("There are {unspent} experience; this costs {cost}."),
                cards=(code,),
                actual=unspent,
                expected=cost,
                values=(("unspent", unspent), ("cost", cost)),
            )


def _times(price: Price, said: Sequence[str] | Sequence[int]) -> int:
    """How often a price is paid: by who chose it, or for each one that is named."""
    if price.choice:
        return sum(each == price.choice for each in said)
    return sum(each for each in said if isinstance(each, int))


def _pooled(given: Given, code: str, price: Price) -> int:
    return given.state.pool(code, price.pool) if price.pool else 0


EACH_RULES: tuple[Rule[Given], ...] = (
    each_says_so_many,
    things_can_be_had,
    all_things_are_said,
    nobody_has_the_same,
    supplies_are_paid,
    copies_are_there,
    experience_is_there,
)
