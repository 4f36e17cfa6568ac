"""Put what a table states into words: each effect as a line of the timeline.

Answers to a guide are put into words by ``campaigns.words.log_entries``. The database
is not used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from arkham.rules.campaign.effects.personal import SOURCES
from arkham.rules.campaign.model import course
from arkham.rules.campaign.model import effects as do
from arkham.rules.campaign.model.effects import Effect, Mark, Tally
from arkham.rules.campaign.paper.judging import marks
from arkham.web.language import signed
from campaigns.words.changes import PARTNER_WORDS, token_named
from campaigns.words.names import CampaignNames

Codes = tuple[str, ...]
_Words = Callable[[Any, Codes, CampaignNames], str]
_MARKS: Mapping[Mark, str | Promise] = {
    Mark.RECORD: gettext_lazy("recorded:"),
    Mark.CROSS_OUT: gettext_lazy("crossed out:"),
    Mark.RESTORE: gettext_lazy("counts again:"),
    Mark.CIRCLE: gettext_lazy("circled:"),
    Mark.REMOVE: gettext_lazy("removed:"),
}
_STATES: Mapping[str, str | Promise] = {
    "not_started": gettext_lazy("not played yet"),
    "unlocked": gettext_lazy("can be played"),
    "started": gettext_lazy("under way"),
    "resolution": gettext_lazy("resolved"),
    "completed": gettext_lazy("played"),
    "skipped": gettext_lazy("left out"),
}
_RESULTS: Mapping[str, str | Promise] = {
    "win": gettext_lazy("The campaign is won"),
    "lose": gettext_lazy("The campaign is lost"),
    "survived": gettext_lazy("The investigators survive the campaign"),
}
_PLACES: Mapping[str, str | Promise] = {
    "lock_location": gettext_lazy("You can no longer travel to %(place)s"),
    "unlock_location": gettext_lazy("You can travel to %(place)s"),
    "unlock_map": gettext_lazy("The map is open"),
    "unlock_dossier": gettext_lazy("The dossier %(place)s is open"),
    "hide_dossier": gettext_lazy("The dossier %(place)s is closed"),
}
_HEALED: Mapping[str, str | Promise] = {
    "heal_damage": gettext_lazy("heals 1 damage"),
    "heal_horror": gettext_lazy("heals 1 horror"),
    "eliminated": gettext_lazy("crossed out"),
}


def stated(effect: Effect, codes: Iterable[str], names: CampaignNames) -> str:
    """Return what a statement changes, and for whom, in one line."""
    return str(_STATEMENTS[type(effect)](effect, tuple(codes), names))


def _of(who: Codes, text: str, names: CampaignNames) -> str:
    """Return a statement about investigators; the bare statement without any."""
    named = ", ".join(map(names.card, who))
    return f"{named}: {text}" if named else text


# -- people --


def _experience(effect: do.EarnExperience, codes: Codes, names: CampaignNames) -> str:
    number = effect.bonus
    text = ngettext("%(number)s experience", "%(number)s experience", abs(number)) % {
        "number": signed(number)
    }
    return _of(codes, text, names)


def _trauma(effect: do.Trauma, codes: Codes, names: CampaignNames) -> str:
    text = _of(codes, ", ".join(_suffered(effect)), names)
    source = SOURCES.get(effect.source)
    return f"{text} ({source.name})" if source else text


def _suffered(effect: do.Trauma) -> Iterator[str]:
    if effect.physical:
        yield _("%(number)s physical trauma") % {"number": signed(effect.physical)}
    if effect.mental:
        yield _("%(number)s mental trauma") % {"number": signed(effect.mental)}
    if effect.set_physical is not None:
        yield _("physical trauma: %(number)d") % {"number": effect.set_physical}
    if effect.set_mental is not None:
        yield _("mental trauma: %(number)d") % {"number": effect.set_mental}
    if effect.either:
        yield _("%(number)d physical or mental trauma") % {"number": effect.either}
    if effect.killed:
        yield _("killed")
    if effect.insane:
        yield _("driven insane")
    if effect.healed:
        yield _("trauma healed")


def _gets(effect: do.AddCard, codes: Codes, names: CampaignNames) -> str:
    return _of(codes, _("gets %(card)s") % {"card": names.card(effect.card)}, names)


def _loses(effect: do.RemoveCard, codes: Codes, names: CampaignNames) -> str:
    return _of(codes, _("loses %(card)s") % {"card": names.card(effect.card)}, names)


def _replaces(effect: do.ReplaceCard, codes: Codes, names: CampaignNames) -> str:
    cards = {"old": names.card(effect.old), "new": names.card(effect.new)}
    return _of(codes, _("%(new)s instead of %(old)s") % cards, names)


def _weakness(effect: do.AddWeakness, codes: Codes, names: CampaignNames) -> str:
    if effect.choose_only:
        return _of(codes, _("chooses a weakness"), names)
    text = ngettext(
        "draws %(number)d random weakness",
        "draws %(number)d random weaknesses",
        effect.count,
    ) % {"number": effect.count}
    return _of(codes, text, names)


def _copies(effect: do.CardCount, codes: Codes, names: CampaignNames) -> str:
    card = {"card": names.card(effect.card), "number": effect.quantity}
    return _of(codes, _("%(card)s × %(number)d") % card, names)


def _outcome(
    effect: course.Outcome | course.Defeated, codes: Codes, names: CampaignNames
) -> str:
    return _of(codes, names.word(effect.status), names)


def _players(_effect: course.Players, codes: Codes, names: CampaignNames) -> str:
    return _("Players: %(names)s") % {"names": ", ".join(map(names.card, codes))}


def _lead(_effect: course.Lead, codes: Codes, names: CampaignNames) -> str:
    text = ", ".join(map(names.card, codes))
    return _("Lead investigator: %(name)s") % {"name": text}


def _joins(effect: course.JoinScenario, _codes: Codes, names: CampaignNames) -> str:
    return _("%(name)s joins") % {"name": names.card(effect.code)}


def _retires(_effect: do.Retire, codes: Codes, names: CampaignNames) -> str:
    return _of(codes, _("retires"), names)


def _partner(effect: do.PartnerStatus, codes: Codes, names: CampaignNames) -> str:
    who = (effect.partner,) if effect.partner else codes
    word = _HEALED.get(effect.status) or PARTNER_WORDS.get(effect.status)
    text = str(word or names.word(effect.status))
    if not effect.added:
        text = _("no longer %(state)s") % {"state": text}
    return _of(who, text, names)


def _supplies(effect: do.GainSupplies, codes: Codes, names: CampaignNames) -> str:
    supplies = Counter(effect.supplies)
    text = ", ".join(
        name if number == 1 else f"{name} × {number}"
        for each, number in supplies.items()
        if (name := names.phrase(effect.section, each))
    )
    return _of(codes, _("gets %(card)s") % {"card": text}, names)


def _no_supply(effect: do.LoseSupplies, _codes: Codes, names: CampaignNames) -> str:
    supply = names.phrase(effect.section, effect.supply)
    return _("%(supply)s: no longer with any investigator") % {"supply": supply}


def _key(effect: do.BindKey, codes: Codes, names: CampaignNames) -> str:
    bearer = ", ".join(map(names.card, codes)) or (
        names.card(effect.enemy) if effect.enemy else _("no one at the table")
    )
    return _("%(key)s: held by %(name)s") % {
        "key": names.key(effect.key),
        "name": bearer,
    }


# -- the log --


def _unless_hidden(words: _Words) -> _Words:
    """Wrap words for an effect on the log so that hidden sections are not named."""

    def of(effect: Any, codes: Codes, names: CampaignNames) -> str:
        section = getattr(effect, "seat_section", "") or effect.section
        if any(each.hidden for each in names.guide.sections if each.id == section):
            return _on_a_track(effect, names) or _(
                "Something for a later scenario, not on the log sheet"
            )
        return words(effect, codes, names)

    return of


def _on_a_track(effect: Effect, names: CampaignNames) -> str:
    """Return a count of a hidden section that the table marks on a track, or ""."""
    if not isinstance(effect, do.LogCount) or not (
        track := marks(names.guide).get(f"{effect.section}.{effect.id}")
    ):
        return ""
    text = names.phrase(effect.section, effect.id).rstrip(" …")
    return f"{names.section(track)}: {text} {_tallied(effect)}"


def _line(effect: do.LogLine, codes: Codes, names: CampaignNames) -> str:
    section = effect.seat_section or effect.section
    text = names.phrase(section, effect.id)
    return _marked(section, effect.mark, _of(codes, text, names), names)


def _cards(effect: do.LogCards, codes: Codes, names: CampaignNames) -> str:
    text = ", ".join(map(names.card, codes or effect.codes))
    filled = names.phrase(effect.section, effect.id, text) if effect.id else text
    return _marked(effect.section, effect.mark, filled or text, names)


def _marked(section: str, mark: Mark, text: str, names: CampaignNames) -> str:
    title = names.section(section)
    if not text:  # the section as a whole
        return f"{_MARKS[mark]} {title}"
    return f"{title}: {_MARKS[mark]} “{text}”"


def _words(effect: do.LogText, codes: Codes, names: CampaignNames) -> str:
    return f"{names.section(effect.section)}: “{' · '.join(codes)}”"


def _count(
    effect: do.LogCount | do.TaskCount, _codes: Codes, names: CampaignNames
) -> str:
    return f"{names.number(effect.section, effect.id)}: {_tallied(effect)}"


def _own_count(effect: do.SeatCount, codes: Codes, names: CampaignNames) -> str:
    text = f"{names.number(effect.section, effect.id)}: {_tallied(effect)}"
    return _of(codes, text, names)


def _tallied(effect: do.LogCount | do.TaskCount | do.SeatCount) -> str:
    if effect.tally is Tally.CROSS_OUT:
        return _("crossed out")
    is_set = effect.tally in (Tally.SET, Tally.SET_INPUT)
    return str(effect.value) if is_set else signed(effect.value)


def _task(effect: do.AssignTask, codes: Codes, names: CampaignNames) -> str:
    return _of(codes, names.phrase(effect.task_section, effect.task_id), names)


# -- the campaign --


def _tokens(effect: course.Tokens, codes: Codes, _names: CampaignNames) -> str:
    found = [each for each in effect.tokens if each != do.INPUT] or [*codes]
    return ", ".join(
        f"{signed(effect.sign * number)} × {token_named(token)}"
        for token, number in Counter(found).items()
    )


def _result(effect: course.SetResult, _codes: Codes, names: CampaignNames) -> str:
    return str(_RESULTS.get(effect.value) or names.word(effect.value))


def _difficulty(
    effect: course.SetDifficulty, _codes: Codes, names: CampaignNames
) -> str:
    return _("Difficulty: %(difficulty)s") % {"difficulty": names.word(effect.value)}


def _scenarios(effect: course.SetScenarios, _codes: Codes, names: CampaignNames) -> str:
    text = ", ".join(map(names.scenario, effect.scenarios))
    return _("Order of play: %(scenarios)s") % {"scenarios": text}


def _status(effect: course.ScenarioStatus, _codes: Codes, names: CampaignNames) -> str:
    state = _STATES.get(effect.status) or names.word(effect.status)
    return _("The scenario is %(state)s") % {"state": state}


def _redirect(effect: course.Redirect, _codes: Codes, names: CampaignNames) -> str:
    if not effect.section:
        return _("Experience is earned as usual again")
    title = names.section(effect.section)
    return _("Experience is counted in %(section)s from now on") % {"section": title}


def _embark(effect: course.Embark, _codes: Codes, names: CampaignNames) -> str:
    if not effect.location:
        return _("You may travel")
    return _("At %(place)s") % {"place": names.place(effect.location)}


def _travel(effect: course.Travel, _codes: Codes, names: CampaignNames) -> str:
    return _("Travelled to %(place)s, time %(time)d") % {
        "place": names.place(effect.destination),
        "time": effect.time,
    }


def _map(effect: course.MapChange, _codes: Codes, names: CampaignNames) -> str:
    text = _PLACES.get(effect.change)
    if text is None:
        return f"{names.word(effect.change)}: {names.place(effect.value)}"
    return str(text) % {"place": names.place(effect.value)}


def _banish(effect: do.Banish, _codes: Codes, names: CampaignNames) -> str:
    return _("%(card)s is out of the campaign") % {"card": names.card(effect.card)}


def _of_a_scenario(text: str | Promise) -> _Words:
    """Return words for an effect that says the same about any scenario."""

    def of(effect: Any, _codes: Codes, names: CampaignNames) -> str:
        return str(text) % {"scenario": names.scenario(effect.scenario)}

    return of


def _always(text: str | Promise) -> _Words:
    """Return words for an effect that always says the same."""
    return lambda _effect, codes, names: _of(codes, str(text), names)


_STATEMENTS: Mapping[type, _Words] = {
    do.EarnExperience: _experience,
    do.Trauma: _trauma,
    do.AddCard: _gets,
    do.RemoveCard: _loses,
    do.ReplaceCard: _replaces,
    do.AddWeakness: _weakness,
    do.CardCount: _copies,
    do.LogLine: _unless_hidden(_line),
    do.LogCards: _unless_hidden(_cards),
    do.LogCount: _unless_hidden(_count),
    do.SeatCount: _unless_hidden(_own_count),
    do.AssignTask: _task,
    do.TaskCount: _count,
    do.LogText: _unless_hidden(_words),
    course.Tokens: _tokens,
    course.SwapBag: _always(gettext_lazy("New chaos bag")),
    course.SetResult: _result,
    course.SetDifficulty: _difficulty,
    course.NextScenario: _of_a_scenario(gettext_lazy("%(scenario)s is next")),
    course.SkipScenario: _of_a_scenario(gettext_lazy("%(scenario)s is left out")),
    course.PlayedBefore: _of_a_scenario(gettext_lazy("%(scenario)s was played")),
    course.ReplayScenario: _of_a_scenario(gettext_lazy("%(scenario)s is played again")),
    course.SetScenarios: _scenarios,
    course.Redirect: _redirect,
    course.Embark: _embark,
    course.Travel: _travel,
    course.MapChange: _map,
    course.Players: _players,
    course.Lead: _lead,
    course.JoinScenario: _joins,
    course.Outcome: _outcome,
    course.Defeated: _outcome,
    do.Retire: _retires,
    do.Banish: _banish,
    course.ScenarioStatus: _status,
    course.HubStep: _always(gettext_lazy("The scenario goes on")),
    do.GainSupplies: _supplies,
    do.LoseSupplies: _no_supply,
    do.PartnerStatus: _partner,
    do.BindKey: _key,
    course.Backup: _always(gettext_lazy("The log is set aside")),
    course.Bank: _always(gettext_lazy("Decks are up to date")),
    course.BankCards: _always(gettext_lazy("Decks are up to date")),
    do.Shown: _always(gettext_lazy("Read")),
}
