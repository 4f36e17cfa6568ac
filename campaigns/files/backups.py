"""Read a backup or recorded run of the Arkham Cards app → the campaigns in it.

A backup has ``campaigns`` and ``guides``, each a list or a map by id: the name of a
campaign, and its table's answers. A recorded run has ``campaign`` and ``inputs``. Only
campaigns played with a guide can be imported; one with unreadable parts is left out,
with their places, and the others are imported. What else a backup contains, campaigns
kept by hand and decks, is listed; so are the guides that a campaign still needs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from django.db.models import QuerySet

from arkham.rules.campaign.by_hand.facts import SIDE, campaign_facts
from arkham.rules.campaign.interpreter import HALVES
from arkham.rules.campaign.interpreter.replay import START_SIDE
from arkham.rules.campaign.model.scenario_steps import CUSTOM
from arkham.rules.campaign.records import MOST_ANSWERS, read_answers
from arkham.rules.campaign.state.answers import Answer, SideScenario
from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.places import token
from arkham.rules.notation.reading import Fault, Unreadable, kind_of
from campaigns.guides import opening
from campaigns.log import entries
from campaigns.models import Guide
from campaigns.models.campaign import LONGEST_IMPORTED

MOST_CAMPAIGNS = 60
MOST_VERSION = 1_000_000  # of a guide
BEFORE_VERSIONS = -1  # begun before the app recorded versions
SOURCE = "sourceUuid"  # in a waiting campaign: its id in the app
LINKED = "linkedCampaignUuid"  # in one half: the campaign that contains both
_HALF_KEYS = ("linkUuid", "link")  # in that campaign, which has no log of its own
LONGEST = 120
_SEEN = _("This is {found}.")

Json = Mapping[str, Any]


class BackedUp(NamedTuple):
    """A campaign of a backup; ``guide`` is its id in the field.

    Two halves of one campaign have the same ``whole``. ``raw`` is the campaign as the
    app wrote it, ``inputs`` its records: enough to import it again.
    """

    name: str
    guide: str
    version: int | None
    standalone: str
    answers: tuple[Answer, ...]
    whole: str = ""
    raw: Json = MappingProxyType({})
    inputs: tuple[Any, ...] = ()

    @property
    def source(self) -> str:
        """An identifier of the campaign in all its backups; "" if there is none."""
        raw = self.raw
        source = raw[SOURCE] if SOURCE in raw else raw.get("uuid") or raw.get("id")
        if not source:
            return ""
        named = f"{self.guide} {self.standalone} {source}"
        return hashlib.sha256(named.encode()).hexdigest()[:LONGEST_IMPORTED]


# Two halves of a campaign, or one campaign.
WholeCampaign: TypeAlias = tuple[BackedUp, ...]


class Spoiled(NamedTuple):
    """A campaign of a backup with unreadable parts."""

    name: str
    faults: tuple[Fault, ...]


class AppBackup(NamedTuple):
    """The campaigns of a backup, and what can't be imported from it.

    ``by_hand`` are the names of campaigns played without a guide; ``decks`` is the
    number of decks.
    """

    campaigns: tuple[BackedUp | Spoiled, ...]
    by_hand: tuple[str, ...] = ()
    decks: int = 0


class _Found(NamedTuple):
    """A part of a backup: its place, its id, and its content.

    ``whole`` is the campaign it is a half of.
    """

    at: str
    id: str
    raw: Json
    whole: str = ""


def is_backup(data: object) -> bool:
    """Return whether this looks like a backup, or a recorded run."""
    if type(data) is not dict:
        return False
    return ("campaigns" in data and "guides" in data) or "inputs" in data


def read_backup(data: object) -> AppBackup:
    """Return the campaigns played with a guide, unreadable ones included.

    Raises :class:`Unreadable` with the pointers of the faults if nothing can be read.
    """
    if type(data) is not dict:
        raise Unreadable(Fault("", _SEEN, _("a {…} block"), kind_of(data)))
    if "inputs" in data:
        run = _Found("", "", data)
        if data["inputs"] == []:  # nothing was played with its guide
            return AppBackup((), (_name_of(run) or "/inputs",))
        return AppBackup((_backed_up(run, run),))
    guides = {each.id: each for each in _each(data, "guides")}
    campaigns = _with_wholes(list(_each(data, "campaigns")))
    played = [
        (campaign, guides[campaign.id])
        for campaign in campaigns
        if campaign.id in guides and guides[campaign.id].raw.get("inputs")
    ]
    if len(played) > MOST_CAMPAIGNS:
        many = _("The file has {found} campaigns.")
        expected = f"at most {MOST_CAMPAIGNS}"
        raise Unreadable(Fault("/campaigns", many, expected, str(len(played))))
    found = [_read(campaign, guide) for campaign, guide in played]
    count = sum(len(each.answers) for each in found if isinstance(each, BackedUp))
    if count > MOST_ANSWERS:
        many = _("It has {found} answers.")
        raise Unreadable(Fault("/guides", many, f"at most {MOST_ANSWERS}", str(count)))
    spoiled = [each for each in found if isinstance(each, Spoiled)]
    if spoiled and len(spoiled) == len(found):
        raise Unreadable(*(fault for each in spoiled for fault in each.faults))
    decks = data.get("decks")
    by_guide = {campaign.at for campaign, _guide in played}
    return AppBackup(
        tuple(found),
        tuple(
            _name_of(each)
            for each in campaigns
            if each.at not in by_guide
            and not any(each.raw.get(key) for key in _HALF_KEYS)
        ),
        len(decks) if isinstance(decks, list | dict) else 0,
    )


def _with_wholes(campaigns: list[_Found]) -> list[_Found]:
    """Add to each campaign the one it is a half of, as either of them records it."""
    wholes: dict[str, str] = {}
    for each in campaigns:
        halves = next((each.raw[key] for key in _HALF_KEYS if key in each.raw), None)
        if type(halves) is dict:
            wholes |= {str(half): each.id for half in halves.values()}
        if type(whole := each.raw.get(LINKED)) is str:
            wholes[each.id] = whole
    return [each._replace(whole=wholes.get(each.id, "")) for each in campaigns]


def _name_of(campaign: _Found) -> str:
    name = campaign.raw.get("name")
    return name[:LONGEST] if type(name) is str and name else campaign.at


def _read(campaign: _Found, guide: _Found) -> BackedUp | Spoiled:
    try:
        return _backed_up(campaign, guide)
    except Unreadable as error:
        return Spoiled(_name_of(campaign), error.faults)


def _each(data: Json, name: str) -> Iterator[_Found]:
    """Yield the campaigns, or the guides, with their ids."""
    raws = data.get(name)
    if isinstance(raws, list):
        pairs = [(f"/{name}/{place}", "", raw) for place, raw in enumerate(raws)]
    elif isinstance(raws, dict):
        pairs = [(f"/{name}{token(key)}", key, raw) for key, raw in raws.items()]
    else:
        message = _SEEN if name in data else _("This is missing.")
        expected = _("a list in […] or a {…} block")
        raise Unreadable(Fault(f"/{name}", message, expected, kind_of(raws)))
    for at, key, raw in pairs:
        if type(raw) is not dict:
            raise Unreadable(Fault(at, _SEEN, _("a {…} block"), kind_of(raw)))
        yield _Found(at, str(raw.get("uuid") or raw.get("id") or key), raw)


def _backed_up(campaign: _Found, guide: _Found) -> BackedUp:
    raw, at = campaign.raw, campaign.at
    alone = raw.get("standaloneId")
    name = "campaign" if "campaign" in raw else "cycleCode"
    standalone = _optional(raw, "standalone", at)
    if alone is not None and type(alone) is not dict:
        place = f"{at}/standaloneId"
        raise Unreadable(Fault(place, _SEEN, _("a {…} block"), kind_of(alone)))
    if alone is not None:
        where = f"{at}/standaloneId"
        played = _text(alone, "campaignId", where)
        standalone = _text(alone, "scenarioId", where)
    else:
        played = _text(raw, name, at)
    key = "guideVersion" if "guideVersion" in raw else "guide_version"
    version = raw.get(key)
    if version is not None and (
        type(version) is not int or not BEFORE_VERSIONS <= version <= MOST_VERSION
    ):
        expected = _("a whole number")
        raise Unreadable(Fault(f"{at}/{key}", _SEEN, expected, kind_of(version)))
    where = f"{guide.at}/inputs"
    answers = read_answers(guide.raw.get("inputs"), where)
    return BackedUp(
        _optional(raw, "name", at)[:LONGEST],
        played,
        version,
        standalone,
        tuple(
            _kept(answer, f"{where}/{place}") for place, answer in enumerate(answers)
        ),
        campaign.whole,
        {key: value for key, value in raw.items() if key != "inputs"},
        tuple(guide.raw["inputs"]),
    )


def _kept(answer: Answer, at: str) -> Answer:
    """Return an answer if a log can store it: texts and numbers within limits."""
    try:
        entries.decode(*entries.encode(answer))
    except Unreadable as error:
        raise Unreadable(*(each.within(at) for each in error.faults)) from None
    return answer


def _text(raw: Json, key: str, at: str) -> str:
    value = raw.get(key)
    if type(value) is not str or not value or len(value) > LONGEST:
        raise Unreadable(Fault(at + token(key), _SEEN, _("text"), kind_of(value)))
    return value


def _optional(raw: Json, key: str, at: str) -> str:
    return "" if raw.get(key) is None else _text(raw, key, at)


# --- halves of one campaign


def wholes_of(campaigns: Sequence[BackedUp]) -> list[WholeCampaign]:
    """Return the campaigns, with two halves that belong together as one."""
    found: list[WholeCampaign] = []
    for each in campaigns:
        if any(each in whole for whole in found):
            continue
        other = _other_half(each, campaigns)
        found.append((each,) if other is None else (each, other))
    return found


def _other_half(half: BackedUp, campaigns: Sequence[BackedUp]) -> BackedUp | None:
    """Return the other half: of the same whole, or the only possible one."""
    guide = HALVES.get(half.guide)
    others = [each for each in campaigns if each.guide == guide]
    if half.whole:
        return next((each for each in others if each.whole == half.whole), None)
    own = [each for each in campaigns if each.guide == half.guide]
    if len(others) != 1 or len(own) != 1 or others[0].whole:
        return None
    return others[0] if link_answers(half) and link_answers(others[0]) else None


def link_answers(half: BackedUp) -> tuple[Answer, ...]:
    """Return what a half reported to the other one."""
    return tuple(each for each in half.answers if each.kind == "campaign_link")


def backup_of(whole: WholeCampaign) -> dict[str, Any]:
    """Return a backup of only these campaigns."""
    ids = [str(number) for number, _each in enumerate(whole)]
    link = {"whole": "whole"} if len(whole) > 1 else {}
    return {
        "campaigns": [
            {
                **each.raw,
                "uuid": each_id,
                SOURCE: _source(each.raw),
                LINKED: link.get("whole"),
            }
            | ({"cycleCode": each.guide} if "cycleCode" not in each.raw else {})
            for each_id, each in zip(ids, whole, strict=True)
        ],
        "guides": [
            {"uuid": each_id, "inputs": list(each.inputs)}
            for each_id, each in zip(ids, whole, strict=True)
        ],
    }


def _source(raw: Mapping[str, Any]) -> object:
    return raw.get(SOURCE) or raw.get("uuid") or raw.get("id")


# --- guides that are missing


class MissingGuide(NamedTuple):
    """A guide that isn't here; ``scenarios`` are the side scenarios it's needed for."""

    guide: str
    scenarios: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Its campaign's name as players know it, with those side scenarios."""
        known = Guide.objects.filter(guide_id=self.guide, owner=None).first()
        name = known.name if known is not None else self.guide
        facts = campaign_facts(SIDE).scenarios
        sides = [facts[each].name for each in self.scenarios if each in facts]
        return f"{name} ({', '.join(sides)})" if sides else name


def missing_guides(
    campaigns: Sequence[BackedUp], usable: QuerySet[Guide]
) -> tuple[MissingGuide, ...]:
    """Return the guides that campaigns of a backup still need, each once."""
    found: dict[str, tuple[str, ...]] = {}
    for campaign in campaigns:
        for each in _missing(campaign, usable):
            sides = (*found.get(each.guide, ()), *each.scenarios)
            found[each.guide] = tuple(dict.fromkeys(sides))
    return tuple(MissingGuide(*each) for each in found.items())


def _missing(backed_up: BackedUp, usable: QuerySet[Guide]) -> Iterator[MissingGuide]:
    guide = fitting_guide(backed_up.guide, usable)
    is_side, alone = backed_up.guide == SIDE, backed_up.standalone
    if guide is None or (is_side and not _may_be_alone(guide, alone)):
        yield MissingGuide(backed_up.guide, (alone,) if is_side and alone else ())
    elif unguided := _unguided_sides(guide, backed_up):
        yield MissingGuide(SIDE, unguided)


def fitting_guide(guide_id: str, usable: QuerySet[Guide]) -> Guide | None:
    """Return the newest guide that fits the app's records: an imported one first.

    Guides by hand are excluded: they ask other questions, so the recorded answers would
    not fit.
    """
    same = usable.filter(guide_id=guide_id).exclude(origin=Guide.Origin.FACTS)
    newest = same.order_by("-version", "-brought_at", "-pk")
    return newest.filter(origin=Guide.Origin.FIELD).first() or newest.first()


def _may_be_alone(side: Guide, scenario: str) -> bool:
    """Return whether a single side scenario was played that this guide contains."""
    is_ours = side.origin == Guide.Origin.OURS
    known = opening.opened(side).scenarios if is_ours else {scenario}
    return bool(scenario) and scenario in known


def _unguided_sides(guide: Guide, backed_up: BackedUp) -> tuple[str, ...]:
    """Return the side scenarios that were played and that this guide doesn't guide."""
    own = opening.opened(guide).scenarios
    played = [
        each.scenario
        for each in backed_up.answers
        if each.kind == START_SIDE
        and isinstance(each.value, SideScenario)
        and each.value.kind != CUSTOM
        and each.scenario not in own
    ]
    guided = opening.guided_sides(guide) if played else ()
    return tuple(each for each in played if each not in guided)
