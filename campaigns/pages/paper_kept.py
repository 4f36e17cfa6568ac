"""What a campaign keeps besides its lines: partners, keys, places of a map."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from arkham.rules.campaign.model.guide import Partner
from arkham.rules.campaign.state.ledger import Person
from campaigns.pages.paper_shapes import Desk, Noted, Part
from campaigns.words.changes import PARTNER_WORDS


def partners(desk: Desk) -> Iterator[Part]:
    """Partners, with what they have suffered; those who are gone are crossed out."""
    state = desk.replay.state
    for section in desk.names.guide.sections:
        if not section.partners or section.hidden:
            continue
        lines = []
        for partner in section.partners:
            person = state.people.get(partner.code) or Person()
            whys = (
                *desk.reasons.number("physical", partner.code),
                *desk.reasons.number("mental", partner.code),
                *desk.reasons.of("partner", partner.code, _became),
            )
            told = _told_of(desk, partner, person)
            gone = state.is_eliminated(partner.code)
            lines.append(Noted(told, whys, None, gone))
        yield Part(desk.names.section(section.id), tuple(lines))


def _became(status: object) -> str | None:
    """What a partner became; None for what only the guide asks about."""
    if status == "eliminated":
        return _("crossed out")
    return str(PARTNER_WORDS[str(status)]) if status in PARTNER_WORDS else None


def _told_of(desk: Desk, partner: Partner, person: Person) -> str:
    """A partner with damage and horror, what they may come to, and what they are."""
    health, sanity = desk.replay.state.limits(partner.code, person) or (0, 0)
    hurt = _("%(name)s: damage %(damage)d/%(health)d, horror %(horror)d/%(sanity)d") % {
        "name": desk.names.card(partner.code),
        "damage": person.physical or 0,
        "health": health,
        "horror": person.mental or 0,
        "sanity": sanity,
    }
    words = (PARTNER_WORDS.get(each) for each in person.story or ())
    return ", ".join((hurt, *(str(each) for each in words if each)))


def keys(desk: Desk) -> Iterator[Part]:
    """Keys that were found, with those who bear them."""
    names, lines = desk.names, []
    section = next((s.id for s in names.guide.sections if s.kind == "scarlet_keys"), "")
    for key, bearer, enemy in desk.replay.state.map.keys:
        told = _("%(key)s: %(name)s") % {
            "key": names.words.line(section, key) or names.key(key),
            "name": names.card(enemy or bearer) if enemy or bearer else _("gone"),
        }
        lines.append(Noted(told, desk.reasons.of("key", key, lambda _value: "")))
    if lines:
        yield Part(_("Keys"), tuple(lines))


def travels(desk: Desk) -> Iterator[Part]:
    """Where the table is, where it was, and what was opened to it."""
    names, held = desk.names, desk.replay.state.map
    if not held.location:
        return
    why = desk.reasons.of("map", held.location, lambda _value: "")
    lines = [Noted(_("Now in %(place)s") % {"place": names.place(held.location)}, why)]
    for title, places in (
        (_("Visited: %(places)s"), held.visited),
        (_("Opened: %(places)s"), held.unlocked),
    ):
        if places:
            lines.append(Noted(title % {"places": ", ".join(map(names.place, places))}))
    yield Part(_("Map"), tuple(lines))
