"""The campaign log as on paper: people, lines and numbers, with the reasons for each.

Everything follows from the folded state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from django.utils.translation import gettext as _

from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.model.guide import Partner
from arkham.rules.campaign.settlement import Fate, fate_of
from arkham.rules.campaign.state.ledger import LogSection, Person, WrittenLine
from arkham.rules.campaign.state.lookup import is_pairing
from arkham.rules.campaign.state.state import BY_ULTIMATUM
from arkham.rules.chaos import Token
from arkham.rules.legality.compiling import PLACEHOLDER
from arkham.web.language import signed
from campaigns.models import Campaign
from campaigns.pages.board import STATUSES
from campaigns.pages.paper_parts import (
    LINES,
    Bagged,
    CampaignSheet,
    CampaignSheetLine,
    InvestigatorFigure,
    SheetContext,
    SheetPerson,
    SheetScenario,
    SheetSection,
)
from campaigns.play.bag import ShownToken
from campaigns.words.changes import FATES, PARTNER_WORDS, RESULTS, pool_named
from campaigns.words.names import CampaignNames
from campaigns.words.reasons import Whys
from decks.pages.rows import class_signs


def partners(desk: SheetContext) -> Iterator[SheetSection]:
    """Yield partners with their damage and horror; eliminated ones are crossed out."""
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
            text = _partner_text(desk, partner, person)
            gone = state.is_eliminated(partner.code)
            lines.append(CampaignSheetLine(text, whys, None, gone))
        yield SheetSection(desk.names.section(section.id), tuple(lines))


def _became(status: object) -> str | None:
    """Return what a partner became in words; None for the guide's internal states."""
    if status == "eliminated":
        return _("crossed out")
    return str(PARTNER_WORDS[str(status)]) if status in PARTNER_WORDS else None


def _partner_text(desk: SheetContext, partner: Partner, person: Person) -> str:
    """Return a partner with damage, horror and their limits, and states."""
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


def keys(desk: SheetContext) -> Iterator[SheetSection]:
    """Yield the keys that were found, with their bearers."""
    names, lines = desk.names, []
    section = next((s.id for s in names.guide.sections if s.kind == "scarlet_keys"), "")
    for key, bearer, enemy in desk.replay.state.map.keys:
        text = _("%(key)s: %(name)s") % {
            "key": names.words.line(section, key) or names.key(key),
            "name": names.card(enemy or bearer) if enemy or bearer else _("gone"),
        }
        lines.append(
            CampaignSheetLine(text, desk.reasons.of("key", key, lambda _value: ""))
        )
    if lines:
        yield SheetSection(_("Keys"), tuple(lines))


def travels(desk: SheetContext) -> Iterator[SheetSection]:
    """Yield where the table is, where it was, and what was opened to it."""
    names, held = desk.names, desk.replay.state.map
    if not held.location:
        return
    why = desk.reasons.of("map", held.location, lambda _value: "")
    lines = [
        CampaignSheetLine(
            _("Now in %(place)s") % {"place": names.place(held.location)}, why
        )
    ]
    for title, places in (
        (_("Visited: %(places)s"), held.visited),
        (_("Opened: %(places)s"), held.unlocked),
    ):
        if places:
            lines.append(
                CampaignSheetLine(
                    title % {"places": ", ".join(map(names.place, places))}
                )
            )
    yield SheetSection(_("Map"), tuple(lines))


COUNTED = "$count"  # the number of a section itself


def players_of(campaign: Campaign) -> dict[str, str]:
    """Return the players of investigators with seats, by name; one query."""
    seats = campaign.seats.select_related("member__user", "member__guest")
    return {
        each.investigator: each.member.name if each.member else each.name
        for each in seats
    }


def sheet_of(desk: SheetContext, players: Mapping[str, str]) -> CampaignSheet:
    """Return the campaign log as a sheet."""
    parts = [*_parts(desk)]
    if desk.page > 1:
        # Parts without more lines were on the first page.
        parts = [part for part in parts if part.lines]
    else:
        parts += [*partners(desk), *keys(desk), *travels(desk), *_lost(desk)]
    result = desk.replay.state.campaign_result
    return CampaignSheet(
        tuple(_people(desk, players)),
        tuple(part for part in parts if not part.is_empty),
        tuple(part.title for part in parts if part.is_empty),
        tuple(_bag(desk)),
        tuple(_chapters(desk)),
        str(RESULTS.get(result, "")) if result else "",
    )


def longest_section(replay: Replay) -> int:
    """Return the largest number of lines in any section."""
    state = replay.state
    own = (each for people in state.seat_sections.values() for each in people.values())
    sections = (*state.sections.values(), *own)
    return max((len(each.lines) for each in sections), default=0)


# -- sections --


def _parts(desk: SheetContext) -> Iterator[SheetSection]:
    """Yield the shared sections, in the order of the sheet."""
    state, names = desk.replay.state, desk.names
    hidden = {each.id for each in names.guide.sections if each.hidden}
    order = [each.id for each in names.guide.sections]
    for name in dict.fromkeys((*order, *state.sections, *state.counts)):
        is_own = name in state.people or name in names.pool  # notes about one person
        if name in hidden or (is_own and name not in order):
            continue
        section = state.sections.get(name)
        counted = state.counts.get(name)
        if section is None and counted is None:
            continue
        yield _part(desk, name, section or LogSection(), counted)


def _part(
    desk: SheetContext, name: str, section: LogSection, counted: int | None
) -> SheetSection:
    number = None
    if counted is not None:
        number = CampaignSheetLine("", desk.reasons.number("count", name), counted)
    return SheetSection(
        desk.names.section(name),
        tuple(_lines(desk, name, section)),
        number,
        bool(section.crossed_out),
        desk.wrongs.at("count", name) + desk.wrongs.under(name),
    )


def _lines(
    desk: SheetContext,
    name: str,
    section: LogSection,
    code: str = "",
    without: str = "",
) -> Iterator[CampaignSheetLine]:
    start = (desk.page - 1) * LINES
    lines = [
        line for line in section.lines if line.id != without and not is_pairing(line.id)
    ]
    for line in lines[start : start + LINES]:
        whys = (
            desk.reasons.own(code, name, line.id)
            if code
            else desk.reasons.line(name, line.id)
        )
        if line.kind == "task":
            whys = (*whys, *desk.reasons.of("task", line.id, lambda _value: ""))
        noted = _noted(desk.names, name, line, whys)
        yield noted._replace(is_circled=line.id in section.circled)


def _noted(
    names: CampaignNames, name: str, line: WrittenLine, whys: Whys
) -> CampaignSheetLine:
    text = names.line(name, line)
    if line.kind == "task":
        text = f"{text} ({names.card(line.task[0])})"
    number = line.number if line.kind == "count" else None
    if number is not None and str(number) in text.split():
        number = None
    return CampaignSheetLine(text, whys, number, bool(line.crossed_out))


# -- people --


def _people(desk: SheetContext, players: Mapping[str, str]) -> Iterator[SheetPerson]:
    state, names = desk.replay.state, desk.names
    known = [code for code in state.people if code not in state.partners]
    for code in dict.fromkeys((*state.players, *players, *known)):
        yield SheetPerson(
            code,
            names.card(code),
            class_signs(names.pool.get_card(code)),
            players.get(code, ""),
            str(FATES[fate]) if (fate := fate_of(state, code)) != Fate.ALIVE else "",
            tuple(_figures(desk, code)),
            tuple(_cards(desk, code)),
            tuple(_own_parts(desk, code)),
        )


def _figures(desk: SheetContext, code: str) -> Iterator[InvestigatorFigure]:
    state, reasons, wrongs = desk.replay.state, desk.reasons, desk.wrongs
    person = state.people.get(code)
    most = state.limits(code, person) or (None, None)
    person = person or Person()
    for what, sign, label, value, limit in (
        ("experience", "experience", _("Experience earned"), person.experience, None),
        ("physical", "physical-trauma", _("Physical trauma"), person.physical, most[0]),
        ("mental", "mental-trauma", _("Mental trauma"), person.mental, most[1]),
    ):
        whys = reasons.number(what, code)
        found = wrongs.at(what, code)
        yield InvestigatorFigure(sign, label, value or 0, whys, limit, found)


def _cards(desk: SheetContext, code: str) -> Iterator[CampaignSheetLine]:
    """Yield the cards the campaign gave; those that left are crossed out."""
    person = desk.replay.state.people.get(code) or Person()
    has = [*(person.story or ()), *(person.added or ())]
    gone = [*(person.removed or ()), *(person.exiled or ())]
    for card in has:
        whys = desk.reasons.card(code, card)
        copies = (person.card_counts or {}).get(card, 1)
        name = desk.names.card(card)
        text = f"{name} × {copies}" if copies > 1 else name
        yield CampaignSheetLine(text, whys, card=card)
    for card in gone:
        # A random weakness that was drawn has its own name.
        if card not in has and card != PLACEHOLDER:
            name = desk.names.card(card)
            yield CampaignSheetLine(name, is_crossed_out=True, card=card)


def _own_parts(desk: SheetContext, code: str) -> Iterator[SheetSection]:
    """Yield an investigator's own sections: supplies, tasks and notes."""
    state = desk.replay.state
    for name, people in state.seat_sections.items():
        section = people.get(code)
        if section is not None and section.lines:
            yield _own_part(desk, name, section, code)
    person = state.people.get(code) or Person()
    pools = [
        CampaignSheetLine(pool_named(pool), (), number)
        for pool, number in (person.pools or {}).items()
        if number
    ]
    if pools:
        yield SheetSection(_("Points and saved experience"), tuple(pools))
    own = state.sections.get(code)
    if own is not None and own.lines:
        lines = tuple(_lines(desk, code, own))
        yield SheetSection(_("Own notes"), lines, None, bool(own.crossed_out))


def _own_part(
    desk: SheetContext, name: str, section: LogSection, code: str
) -> SheetSection:
    """Return a section of one investigator; its own count becomes its number."""
    counted = None
    for line in section.named(COUNTED):
        counted = CampaignSheetLine(
            "", desk.reasons.own(code, name, COUNTED), line.number
        )
    lines = tuple(_lines(desk, name, section, code, without=COUNTED))
    return SheetSection(
        desk.names.section(name), lines, counted, bool(section.crossed_out)
    )


# -- the bag, the scenarios --


def _lost(desk: SheetContext) -> Iterator[SheetSection]:
    """Yield the cards stated as lost; a guide's losses have lines of their own."""

    def said(by: object) -> str | None:
        return "" if by == BY_ULTIMATUM else None

    stated = {
        code: whys
        for code in desk.replay.state.banished
        if (whys := desk.reasons.of("banished", code, said))
    }
    if stated:
        lines = (
            CampaignSheetLine(desk.names.card(code), whys)
            for code, whys in stated.items()
        )
        yield SheetSection(_("Removed from the campaign"), tuple(lines))


def _bag(desk: SheetContext) -> Iterator[Bagged]:
    bag = desk.replay.state.bag
    for token in Token:
        number = bag.get(token.value, 0)
        whys = desk.reasons.number("token", token.value)
        if number or desk.wrongs.at("token", token.value):
            found = desk.wrongs.at("token", token.value)
            yield Bagged(ShownToken(token, number), _together(whys), found)


def _together(whys: Whys) -> Whys:
    """Combine consecutive tokens added for the same reason into one line."""
    grouped = ((why, [*same]) for why, same in groupby(whys))
    return tuple(
        why
        for first, same in grouped
        for why in (
            [first._replace(amount=signed(len(same)))]
            if first.amount == signed(1)
            else same
        )
    )


def _chapters(desk: SheetContext) -> Iterator[SheetScenario]:
    games = desk.replay.state.games
    for each in desk.replay.scenarios:
        word = str(STATUSES.get(each.status, ""))
        if not word:
            continue
        game = games.get(each.id)
        ended = game.resolution if game is not None else ""
        resolution = desk.names.resolution(each.id, ended) if ended else ""
        yield SheetScenario(each.id, desk.names.scenario(each.id), word, resolution)
