"""Put answers, stated facts and assertions into a table's words.

An answer says what was chosen; a statement what it changes; a retraction what it
undoes. The database is not used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from arkham.rules.campaign.by_hand.scenarios import display_at, points_in
from arkham.rules.campaign.judging.side_scenarios import side_cost
from arkham.rules.campaign.model import prompts as to
from arkham.rules.campaign.model import scenario_steps
from arkham.rules.campaign.model.app_names import BY_CARD, TRAUMA_BY_CARD
from arkham.rules.campaign.state.answers import (
    TRANSFERRED,
    Answer,
    Asserted,
    Changes,
    Retracted,
    SideScenario,
    Stated,
    UltimatumChosen,
    UltimatumDropped,
)
from arkham.rules.campaign.state.lookup import NO_PARTNER, ShownDisplay, shown_by
from arkham.rules.library.entries import BEFORE_ANY, NEWEST
from arkham.rules.ultimatums import ALL
from campaigns.log.entries import (
    Adopted,
    DrawEntry,
    Entry,
    EntryCorrection,
    Pinned,
    Ticked,
)
from campaigns.words.changes import token_named
from campaigns.words.names import CHOICES, CONCERNED, CampaignNames, implied, readable
from campaigns.words.statements import stated

_STOP = re.compile(r"(?<!\.)\.; ")  # not of an ellipsis
LONGEST_DIGEST = 8  # digits of a digest that distinguish guides


def title_of(entry: Entry, names: CampaignNames) -> str:
    """Return what an entry is about, in one line."""
    match entry:
        case Answer():
            return question(entry.scenario, entry.step, names)
        case Stated():
            return _("Change by hand")
        case Asserted():
            return _("Confirmed by the table")
        case UltimatumChosen():
            return _("Ultimatum chosen")
        case Retracted():
            return _("Undone")
        case UltimatumDropped():
            return _("Ultimatum dropped")
        case EntryCorrection():
            return _("A correction")
        case DrawEntry():
            return _("Drawn at random")
        case Adopted():
            return _("Another version of the guide")
        case Ticked():
            return _("Achievement")
        case Pinned():
            return _("Version of the FAQ in use")
    return readable(_spaced(type(entry).__name__))


def reason_of(entry: Entry, names: CampaignNames) -> str:
    """Return an entry's reason in words; "" if it has none."""
    reason = entry.reason if isinstance(entry, Answer | Stated) else ""
    if reason.startswith(TRAUMA_BY_CARD):
        return _by_purchase(reason, names)
    return _("From the previous campaign") if reason == TRANSFERRED else reason


def _by_purchase(key: str, names: CampaignNames) -> str:
    card = names.card(key.removeprefix(TRAUMA_BY_CARD).partition("#")[0])
    return _("Trauma from %(card)s") % {"card": card}


def question(scenario: str, step: str, names: CampaignNames) -> str:
    """Return what a step asks, in the best words there are."""
    if not step:
        return _("Begun")
    text = words_of(scenario, step, names)
    text = text or _("What happened?")  # no guide has a text for it
    who = step.partition("#")[2]
    return f"{text} ({names.card(who)})" if who in names.pool else text


def words_of(scenario: str, step: str, names: CampaignNames) -> str:
    """Return the text of a step; "" if no guide has any.

    For a step that asks whom an effect concerns, the text of the effect.
    """
    base = step.partition("#")[0]
    effect = base.removesuffix(CONCERNED)
    found = names.step(scenario, step) or (effect == base and implied(base))
    return found or names.excerpt(scenario, effect) or implied(base)


def text_of(entry: Entry, names: CampaignNames) -> str:
    """Return what an entry says, in one line."""
    if isinstance(entry, Answer):
        return _ANSWERS.get(entry.kind, _plain)(entry, names)
    match entry:
        case Stated():
            return stated(entry.effect, entry.codes, names)
        case Asserted(_scenario, what, which, value):
            return f"{subject(what, which, names)}: {value}"
        case Retracted(target):
            return _("Entry %(number)d") % {"number": target}
        case UltimatumChosen(ultimatum=ultimatum, name=name):
            known = ALL.get(ultimatum)
            return name or (str(_(known.name)) if known else readable(ultimatum))
        case EntryCorrection(target, reason) | UltimatumDropped(target, reason):
            text = _("Entry %(number)d") % {"number": target}
            return f"{text}: {reason}"
        case DrawEntry():
            return ", ".join(_drawn(entry, names))
        case Adopted(before, after):
            return f"{before[:LONGEST_DIGEST]} → {after[:LONGEST_DIGEST]}"
        case Ticked():
            return _ticked(entry, names)
        case Pinned(faq):
            return faq_named(faq)
    return ", ".join(str(each) for each in entry[:-1])


def faq_named(version: str) -> str:
    """Return the label of an FAQ version, as in the settings."""
    if version == BEFORE_ANY:
        return _("Before any FAQ")
    if version == NEWEST:
        return _("The newest, %(version)s") % {"version": version}
    return _("FAQ %(version)s") % {"version": version}


def _ticked(entry: Ticked, names: CampaignNames) -> str:
    title = names.achievement(entry.achievement)
    if entry.items:
        items = (names.item(entry.achievement, item) for item in entry.items)
        return f"{title}: {', '.join(items)}"
    if entry.number > 1:
        return f"{title}: {entry.number}"
    return title if entry.number else _("%(title)s: not ticked") % {"title": title}


# -- answers --


def _choice(answer: Answer, names: CampaignNames) -> str:
    if answer.step.startswith(scenario_steps.CHOOSE_RESOLUTION) and answer.choice:
        return names.resolution(answer.scenario, answer.choice)
    if answer.choice:
        return names.choice(answer.scenario, answer.step, answer.choice)
    return _("Choice %(number)d") % {"number": answer.value + 1}


def _decision(answer: Answer, names: CampaignNames) -> str:
    if answer.value and _prompt(answer, names) in ("upgrade_decks", "save_decks"):
        return _("Done")
    return _("Yes") if answer.value else _("No")


def _plain(answer: Answer, _names: CampaignNames) -> str:
    return str(answer.value)


def _words(answer: Answer, names: CampaignNames) -> str:
    """Return who chose what, each choice once; people without one are just named."""
    by_choice: dict[str, list[str]] = {}
    for code, chosen in answer.value.items():
        words = (_chosen(answer, each, names) for each in chosen if each not in _NAMED)
        given = ", ".join(each for each in words if each)
        by_choice.setdefault(given, []).append(_thing(answer, code, names))
    found = by_choice.pop("", [])
    found += [f"{', '.join(who)}: {given}" for given, who in by_choice.items()]
    is_of_cards = _prompt(answer, names) in _OF_CARDS
    return _joined(found) or (_("None") if is_of_cards else _("No one"))


def _joined(parts: Iterable[str]) -> str:
    """Join parts by semicolons, without full stops before these."""
    return _STOP.sub("; ", "; ".join(parts))


def _chosen(answer: Answer, each: str, names: CampaignNames) -> str:
    if each in names.pool:
        return names.card(each)
    if each == NO_PARTNER and _prompt(answer, names) == "assign_partners":
        return _("No one")
    return names.choice(answer.scenario, answer.step, each)


def _prompt(answer: Answer, names: CampaignNames) -> str:
    return names.prompt(answer.scenario, answer.step)


# Corrections of one deck besides its cards.
_OF_A_DECK: dict[str, str | Promise] = {
    "xp": gettext_lazy("Experience"),
    "physical": CHOICES["physical"],
    "mental": CHOICES["mental"],
}
_OF_CARDS = frozenset({"checklist", "card_choice"})
_NAMED = frozenset({"chosen", "checked", "lead", "1", "chosen_investigator"})


def _numbers(answer: Answer, names: CampaignNames) -> str:
    prompt = display_at(names.guide, answer.scenario, answer.step)
    if prompt is not None:
        points = points_in(prompt, names.guide.id, answer.scenario)
        return displayed(shown_by(answer, points), names)
    parts = (
        f"{_thing(answer, code, names)}: {', '.join(map(str, numbers))}"
        for code, numbers in answer.value.items()
    )
    return "; ".join(parts) or _("Nothing")


def displayed(shown: ShownDisplay, names: CampaignNames) -> str:
    """Return the cards in the victory display with their points, and the sum."""
    parts = [
        f"{names.card(each.code)} {each.copies} × {each.points}"
        if each.copies > 1
        else f"{names.card(each.code)} {each.points}"
        for each in shown.cards
    ]
    sums = {"counted": shown.counted, "total": shown.total}
    if shown.is_corrected:
        parts.append(_("%(counted)d in all, recorded as %(total)d") % sums)
    elif len(parts) != 1:
        parts.append(_("%(counted)d in all") % sums)
    return "; ".join(parts)


def _thing(answer: Answer, code: str, names: CampaignNames) -> str:
    """Return the name of an investigator, a card, or something the step names."""
    if code in _OF_A_DECK:
        return str(_OF_A_DECK[code])
    if code.startswith(BY_CARD):
        card = names.card(code.removeprefix(BY_CARD))
        return _("Experience from %(card)s") % {"card": card}
    if code.startswith(TRAUMA_BY_CARD):
        return _by_purchase(code, names)
    if code in names.pool or code in names.guide.cards:
        return names.card(code)
    if _prompt(answer, names) == "choose_lines":
        return names.standing(code)
    if answer.step.partition("#")[2] in names.pool:
        return names.card(code)  # of the deck that is corrected there
    return names.choice(answer.scenario, answer.step, code)


def _supplies(answer: Answer, names: CampaignNames) -> str:
    return "; ".join(
        f"{names.card(code)}: {', '.join(_packed(answer, packed, names))}"
        for code, packed in answer.value.items()
    ) or _("Nothing")


def _packed(
    answer: Answer, packed: Mapping[str, int], names: CampaignNames
) -> Iterator[str]:
    for supply, number in packed.items():
        name = names.choice(answer.scenario, answer.step, supply)
        yield name if number == 1 else f"{name} × {number}"


def _link(answer: Answer, names: CampaignNames) -> str:
    return names.choice(answer.scenario, answer.step, answer.value)


def _changes(answer: Answer, names: CampaignNames) -> str:
    value: Changes = answer.value
    lines = []
    for code, physical, mental, killed, insane in value.trauma:
        parts = [
            *([] if physical is None else [_physical(physical)]),
            *([] if mental is None else [_mental(mental)]),
            *([_("killed")] if killed else []),
            *([_("driven insane")] if insane else []),
        ]
        lines.append(f"{names.card(code)}: {', '.join(parts)}")
    return _joined([*lines, *value.notes])


def _physical(number: int) -> str:
    return _("%(number)d physical trauma") % {"number": number}


def _mental(number: int) -> str:
    return _("%(number)d mental trauma") % {"number": number}


def _begun(answer: Answer, names: CampaignNames) -> str:
    if answer.value is None:
        return names.scenario(answer.scenario)
    return _("Travelled to %(place)s, time %(time)d") % {
        "place": names.place(answer.value.destination),
        "time": answer.value.time,
    }


def _side(answer: Answer, names: CampaignNames) -> str:
    value: SideScenario = answer.value
    name = value.name or names.scenario(answer.scenario)
    cost = side_cost(names.guide, answer)
    if not cost:
        return name
    return ngettext(
        "%(name)s, for %(number)d experience",
        "%(name)s, for %(number)d experience",
        cost,
    ) % {"name": name, "number": cost}


_ANSWERS: dict[str, Callable[[Answer, CampaignNames], str]] = {
    "choice": _choice,
    "decision": _decision,
    "count": _plain,
    "string_choices": _words,
    "choice_list": _numbers,
    "supplies": _supplies,
    "text": _plain,
    "campaign_link": _link,
    "inter_scenario": _changes,
    "start_scenario": _begun,
    "start_side_scenario": _side,
}


# -- facts --


def _spaced(name: str) -> str:
    """Return the name of a class as words: “SetResult” → “set result”."""
    return "".join(
        f" {letter.lower()}" if letter.isupper() else letter for letter in name
    ).strip()


def subject(what: str, which: str, names: CampaignNames) -> str:
    """Return what an assertion is about."""
    match what:
        case "experience":
            return _("Experience of %(name)s") % {"name": names.card(which)}
        case "physical":
            return _("Physical trauma of %(name)s") % {"name": names.card(which)}
        case "mental":
            return _("Mental trauma of %(name)s") % {"name": names.card(which)}
        case "token":
            return token_named(which)
    section, _point, line_id = which.partition(".")
    return names.number(section, line_id)


def drawn_named(entry: DrawEntry, code: str, names: CampaignNames) -> str:
    """Return the name of a drawn card or choice."""
    asked = names.question_at(entry.scenario, entry.step)
    is_place = asked is not None and isinstance(asked.prompt, to.RandomPlaces)
    if is_place or asked is None or code in names.pool:
        return names.card(code)
    return names.choice(entry.scenario, entry.step, code)


def _drawn(entry: DrawEntry, names: CampaignNames) -> Iterator[str]:
    found = entry.record.get("result", ())
    for each in found if isinstance(found, list | tuple) else [found]:
        yield drawn_named(entry, str(each), names)
