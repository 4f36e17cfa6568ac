"""Describe changes in a campaign, a line for each person and thing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from arkham.rules.campaign.model.app_names import UNSPENT
from arkham.rules.campaign.settlement import (
    Fate,
    LogChange,
    MapDifference,
    PersonDifference,
    ReplayDifference,
)
from arkham.rules.campaign.state.lookup import SELECTED
from arkham.rules.chaos import Token
from arkham.rules.legality.compiling import PLACEHOLDER
from arkham.web.language import signed, word_of
from campaigns.words.names import CampaignNames, readable

FATES: dict[Fate, str | Promise] = {
    Fate.ALIVE: "",
    Fate.KILLED: gettext_lazy("Killed"),
    Fate.DRIVEN_INSANE: gettext_lazy("Driven insane"),
    Fate.RETIRED: gettext_lazy("Retired"),
}
LOST: dict[Fate, str | Promise] = {
    Fate.KILLED: gettext_lazy("%(name)s was killed."),
    Fate.DRIVEN_INSANE: gettext_lazy("%(name)s was driven insane."),
    Fate.RETIRED: gettext_lazy("%(name)s has retired."),
}
BACK = gettext_lazy("Back in the campaign")  # after being killed, insane or retired
RESULTS: dict[str, str | Promise] = {  # of a campaign, or of a single scenario
    "win": gettext_lazy("The investigators have won."),
    "lose": gettext_lazy("The investigators have lost."),
    "survived": gettext_lazy("The campaign is over; the investigators survived it."),
}
# States of a partner besides damage. Those for the guide's own use are left out.
PARTNER_WORDS: dict[str, str | Promise] = {
    "resolute": gettext_lazy("resolute"),
    "mia": gettext_lazy("missing"),
    "safe": gettext_lazy("safe"),
}


class PersonChanges(NamedTuple):
    """The changes of an investigator, in phrases; ``fate`` if they have left now.

    ``cards`` are the codes of the investigator and of the cards in the phrases.
    """

    name: str
    phrases: tuple[str, ...]
    fate: str
    cards: tuple[str, ...]


class SectionChanges(NamedTuple):
    """The changes in a section of the log."""

    title: str
    written: tuple[str, ...]
    crossed_out: tuple[str, ...]
    gone: tuple[str, ...]


class ChangesInWords(NamedTuple):
    """Everything that changed, as shown on a page."""

    people: tuple[PersonChanges, ...]
    sections: tuple[SectionChanges, ...]
    counts: tuple[str, ...]
    tokens: tuple[str, ...]
    result: str
    next_scenario: str
    places: tuple[str, ...] = ()

    @property
    def is_nothing(self) -> bool:
        """Whether no change is shown."""
        return not (
            self.people
            or self.sections
            or self.counts
            or self.tokens
            or self.result
            or self.places
        )


def of_fate(fate: Fate, name: str) -> tuple[str, str]:
    """Return the word for a fate and a sentence about it; nothing for the living."""
    return str(FATES[fate]), str(LOST.get(fate, "")) % {"name": name}


def describe_changes(changes: ReplayDifference, names: CampaignNames) -> ChangesInWords:
    """Return what changed, in the guide's words, without its hidden sections.

    Sections are in the order of the log sheet.
    """
    hidden = {each.id for each in names.guide.sections if each.hidden}
    sheet = {each.id: place for place, each in enumerate(names.guide.sections)}
    log = sorted(changes.log, key=lambda each: sheet.get(each.section, len(sheet)))
    return ChangesInWords(
        tuple(_person(each, names) for each in changes.people),
        tuple(
            filter(
                _is_said,
                (_section(each, names) for each in log if each.section not in hidden),
            )
        ),
        tuple(
            f"{names.section(section)}: {signed(number)}"
            for section, number in changes.counts
            if section not in hidden
        ),
        tuple(_token(token, number) for token, number in changes.tokens),
        _result(changes),
        names.scenario(changes.next_scenario) if changes.next_scenario else "",
        tuple(_places(changes.map, names)),
    )


def _result(changes: ReplayDifference) -> str:
    """Return how the campaign ends, or that it no longer ends that way."""
    if changes.result:
        return str(RESULTS.get(changes.result, ""))
    if gone := RESULTS.get(changes.result_gone):
        return _("No longer: %(result)s") % {"result": gone}
    return ""


def _places(change: MapDifference, names: CampaignNames) -> Iterator[str]:
    """Yield what changed on the map, and who has which key."""
    if change.location:
        yield _("Now in %(place)s") % {"place": names.place(change.location)}
    elif change.location is not None:
        yield _("You haven’t set out yet")
    for describe_changes, places in (
        (_("Opened: %(places)s"), change.opened),
        (_("Not open: %(places)s"), change.closed),
    ):
        if places:
            yield describe_changes % {"places": ", ".join(map(names.place, places))}
    for key, bearer in change.keys:
        yield _("%(key)s: %(name)s") % {
            "key": names.key(key),
            "name": names.card(bearer) if bearer else _("no one"),
        }


def token_named(token: str) -> str:
    """Return a chaos token's name as in the log."""
    try:
        return word_of(Token(token))
    except ValueError:
        return token


def _token(token: str, number: int) -> str:
    return f"{signed(number)} × {token_named(token)}"


def _person(each: PersonDifference, names: CampaignNames) -> PersonChanges:
    fate = str(FATES[each.fate] or BACK) if each.fate_is_new else ""
    cards = (each.code, *each.gained, *each.lost)
    name = names.card(each.code)
    if not names.is_partner(each.code):
        return PersonChanges(name, tuple(_phrases(each, names)), fate, cards)
    if fate:
        is_back = each.fate is Fate.ALIVE
        fate = _("Not crossed out") if is_back else _("Crossed out")
    return PersonChanges(name, tuple(_of_a_partner(each)), fate, cards)


def _phrases(each: PersonDifference, names: CampaignNames) -> Iterator[str]:
    if each.experience:
        yield ngettext(
            "%(number)s experience", "%(number)s experience", abs(each.experience)
        ) % {"number": signed(each.experience)}
    for pool, number in each.pools:
        yield f"{pool_named(pool)}: {signed(number)}"
    yield from _hurt(each, _("physical trauma"), _("mental trauma"))
    gained = [code for code in each.gained if code != PLACEHOLDER]
    if gained:
        yield _("gets %(cards)s") % {"cards": _cards(gained, names)}
    lost = [code for code in each.lost if code != PLACEHOLDER]
    if lost:
        yield _("loses %(cards)s") % {"cards": _cards(lost, names)}


def pool_named(pool: str) -> str:
    """Return the name of points, or of experience, that are saved for later."""
    return _("Experience saved for later") if pool == UNSPENT else readable(pool)


def pools_in_words(pools: Mapping[str, int] | None) -> Iterator[str]:
    """Yield what an investigator has saved, without what is used up."""
    for pool, number in (pools or {}).items():
        if number:
            yield f"{pool_named(pool)}: {number}"


def _of_a_partner(each: PersonDifference) -> Iterator[str]:
    """Yield damage, horror and states gained; lost states as “no longer”."""
    yield from _hurt(each, _("damage"), _("horror"))
    for word in each.gained:
        if word in PARTNER_WORDS:
            yield str(PARTNER_WORDS[word])
    for word in each.lost:
        if word in PARTNER_WORDS:
            yield _("no longer %(state)s") % {"state": PARTNER_WORDS[word]}


def _hurt(each: PersonDifference, physical: str, mental: str) -> Iterator[str]:
    for number, word in ((each.physical, physical), (each.mental, mental)):
        if number:
            yield f"{signed(number)} {word}"


def _cards(codes: Sequence[str], names: CampaignNames) -> str:
    return ", ".join(
        f"{names.card(code)} × {copies}" if copies > 1 else names.card(code)
        for code, copies in Counter(codes).items()
    )


def _is_said(section: SectionChanges) -> bool:
    return bool(section.written or section.crossed_out or section.gone)


def _section(change: LogChange, names: CampaignNames) -> SectionChanges:
    written, crossed, gone = (
        [names.line(change.section, line) for line in lines if line.id != SELECTED]
        for lines in (change.written, change.crossed_out, change.gone)
    )
    for line, is_circled in change.circled:
        describe_changes = _("%(line)s, circled") % {
            "line": names.phrase(change.section, line)
        }
        (written if is_circled else gone).append(describe_changes)
    if change.struck is not None:
        is_struck = _("The whole section is crossed out")
        is_not = _("The whole section is no longer crossed out")
        written.append(is_struck if change.struck else is_not)
    title = names.section(change.section)
    if change.code:
        title = f"{names.card(change.code)}: {title}"
    return SectionChanges(title, tuple(written), tuple(crossed), tuple(gone))
