"""Checks whether a campaign that began on paper can be at the position entered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from arkham.rules.campaign.by_hand.facts import campaign_facts, known_campaigns
from arkham.rules.campaign.model import conditions as on
from arkham.rules.campaign.model.guide import CampaignGuide
from arkham.rules.campaign.paper import EnteredInvestigator, Position, crossed_out_whole
from arkham.rules.campaign.prompts.people import MOST_PLAYERS
from arkham.rules.campaign.reading.references import (
    key_thieves,
    naming_lines,
    parts,
    waiting_pool,
)
from arkham.rules.campaign.settlement import Fate
from arkham.rules.campaign.state.state import Printed, trauma_limits
from arkham.rules.chaos.bag import LIMITS, MOST_OF_A_KIND, PASSING, Token
from arkham.rules.chaos.starting import Difficulty
from arkham.rules.finding import Finding
from arkham.rules.finding import gettext_noop as _

UNKNOWN, NUMBER, PLAYERS, PLAYED = (
    "log.entered-unknown",
    "log.entered-number",
    "log.entered-players",
    "log.entered-played",
)
STATES = ("resolute", "mia", "safe", "eliminated")  # of partners, as entered by players
_FATES = (Fate.ALIVE, Fate.KILLED, Fate.DRIVEN_INSANE)


def findings_of(
    guide: CampaignGuide, position: Position, investigators: Mapping[str, Printed]
) -> tuple[Finding, ...]:
    """Return all findings against a position."""
    return (
        *_people(position, investigators),
        *(
            Finding(_("This isn’t in the guide."), rule=UNKNOWN, actual=each)
            for each in _unknown(guide, position)
        ),
        *_whole_sections(guide, position),
        *_played(position),
        *_numbers(guide, position, investigators),
    )


def _people(
    position: Position, investigators: Mapping[str, Printed]
) -> Iterator[Finding]:
    """Check that 1 to 4 play, each known and listed once, whatever the version."""
    titles = Counter[str]()
    for code in dict.fromkeys(each.code for each in position.people):
        if code not in investigators:
            message = _("We don’t know this investigator.")
            yield Finding(message, rule=UNKNOWN, cards=(code,), actual=code)
    for each in position.people:
        printed = investigators.get(each.code)
        title = (printed.title if printed else "") or each.code
        titles[title] += 1
        if titles[title] == 2:
            message = _("This investigator is listed twice.")
            yield Finding(message, rule=PLAYERS, cards=(each.code,), actual=title)
        if each.fate not in _FATES:
            message = _("We don’t know this fate.")
            yield Finding(message, rule=PLAYERS, cards=(each.code,), actual=each.fate)
    alive = sum(
        plays_on(each, investigators.get(each.code)) for each in position.people
    )
    if not 1 <= alive <= MOST_PLAYERS:
        message = _("Choose 1 to 4 investigators.")
        yield Finding(message, rule=PLAYERS, actual=alive, expected=MOST_PLAYERS)


def plays_on(person: EnteredInvestigator, printed: Printed | None) -> bool:
    """Return whether an investigator plays: not resting, and not killed or insane."""
    if person.resting or person.fate is not Fate.ALIVE or printed is None:
        return not person.resting and person.fate is Fate.ALIVE
    health, sanity = trauma_limits(printed, person.cards)
    return person.physical < health and person.mental < sanity


def _played(position: Position) -> Iterator[Finding]:
    """Check that the next scenario was not played before."""
    if position.scenario in (position.played or ()):
        message = _("You have already played this: it can’t come next.")
        yield Finding(message, rule=PLAYED, actual=position.scenario)


def _unknown(guide: CampaignGuide, position: Position) -> Iterator[str]:
    """Yield everything a position names that isn't in the guide."""
    scenarios = (position.scenario, *(position.played or ()), *position.order)
    yield from (each for each in scenarios if each not in guide.scenarios)
    if position.difficulty not in {"", *Difficulty}:
        yield position.difficulty
    sections = {each.id for each in guide.sections if not each.hidden}
    named = [section for section, _line in (*position.lines, *position.words)]
    named += [section for section, _line in position.crossed_out]
    known = marks(guide)
    counted = (which for which in position.counts if which not in known)
    named += [which.partition(".")[0] for which in counted]
    for person in position.people:
        named += [section for section, _line in person.lines]
        named += [which.partition(".")[0] for which in person.counts]
    yield from (each for each in dict.fromkeys(named) if each not in sections)
    for each in position.partners:
        if each.code not in guide.partners:
            yield each.code
        yield from (state for state in each.states if state not in STATES)
    if not waiting_pool(guide):
        yield from ("waiting" for person in position.people if person.waiting)
    naming = {".".join(place) for place in naming_lines(guide)}
    yield from (which for which in position.named if which not in naming)
    keys = _keys(guide)
    yield from (key for key in position.keys if keys is not None and key not in keys)
    people = {"", *(each.code for each in position.people), *key_thieves(guide)}
    yield from (bearer for bearer in position.keys.values() if bearer not in people)
    places = (position.location, *position.visited, *position.opened)
    yield from (each for each in places if each and each not in guide.map)
    kept = {each.value for each in Token if each not in PASSING}
    yield from (token for token in position.bag if token not in kept)


def _whole_sections(guide: CampaignGuide, position: Position) -> Iterator[Finding]:
    """Check that the guide itself crosses out these sections as a whole."""
    shown = {each.id for each in guide.sections if not each.hidden}
    wholes = {section for section, line in position.crossed_out if not line}
    for each in sorted(wholes & shown - crossed_out_whole(guide)):
        message = _("You can’t cross out this section as a whole.")
        yield Finding(message, rule=UNKNOWN, actual=each)


def marks(guide: CampaignGuide) -> dict[str, str]:
    """Return numbers marked on the track of another, such as the time of a report.

    The keys are ``section.line``, the values the sections of the tracks.
    """
    hidden = {section.id for section in guide.sections if section.hidden}
    found = {}
    for scenario in (guide.core, *(each.steps for each in guide.scenarios.values())):
        for part in parts(tuple(scenario.values())):
            match part:
                case on.Math(
                    first=on.LogCountOperand(section=track),
                    second=on.LogCountOperand(section=section, id=line_id),
                ) if section in hidden and track not in hidden:
                    found[f"{section}.{line_id}"] = track
    return found


def _keys(guide: CampaignGuide) -> Collection[str] | None:
    """Return the keys a campaign has; None if only its guide knows them."""
    if all("scarlet_keys" not in (each.kind, each.id) for each in guide.sections):
        return ()
    if guide.id not in known_campaigns():
        return None
    return {key for keys in campaign_facts(guide.id).keys.values() for key in keys}


def _numbers(
    guide: CampaignGuide, position: Position, investigators: Mapping[str, Printed]
) -> Iterator[Finding]:
    """Check that no number is negative, or above the limit of a token or of health."""
    found: list[tuple[str, int, int | None]] = []
    found += [(which, number, None) for which, number in position.counts.items()]
    limits = {token.value: most for token, most in LIMITS.items()}
    for token, number in position.bag.items():
        found.append((token, number, limits.get(token, MOST_OF_A_KIND)))
    for person in position.people:
        printed, code = investigators.get(person.code), person.code
        health = trauma_limits(printed, person.cards) if printed else (None, None)
        found += [(code, person.experience, None), (code, person.waiting, None)]
        found += [(code, person.physical, health[0]), (code, person.mental, health[1])]
        found += [(which, number, None) for which, number in person.counts.items()]
    for each in position.partners:
        if partner := guide.partners.get(each.code):
            health = partner.limits(resolute="resolute" in each.states)
            found += [
                (each.code, each.damage, health[0]),
                (each.code, each.horror, health[1]),
            ]
    for which, number, most in found:
        actual = f"{which}: {number}"
        if number < 0:
            message = _("The number is too low.")
            yield Finding(message, rule=NUMBER, actual=actual, expected=0)
        elif most is not None and number > most:
            message = _("The number is too high.")
            yield Finding(message, rule=NUMBER, actual=actual, expected=most)
