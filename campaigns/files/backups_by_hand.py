"""Turn a campaign of a backup into entries for keeping it by hand.

Without its guide the records are incomplete. What the app stored about the campaign
itself has priority; the records fill in the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from arkham.rest.reading import MOST_NUMBER
from arkham.rules.campaign.by_hand.facts import SIDE, campaign_facts
from arkham.rules.campaign.model.app_names import EXPERIENCE
from arkham.rules.campaign.model.guide import SETUP, CampaignGuide
from arkham.rules.campaign.paper import (
    EnteredInvestigator,
    Position,
    entered_at,
    orderings,
)
from arkham.rules.campaign.paper.judging import plays_on
from arkham.rules.campaign.prompts.people import MOST_PLAYERS
from arkham.rules.campaign.settlement import Fate
from arkham.rules.campaign.state.answers import Answer, Changes, Entry
from arkham.rules.chaos.bag import MOST_OF_A_KIND, Token
from arkham.rules.chaos.starting import Difficulty
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import CardType
from campaigns.files.backups import LONGEST, BackedUp
from campaigns.guides.opening import NO_WORDS
from campaigns.log.replays import printed_cards
from campaigns.words.names import CampaignNames

NOTES = "campaign_notes"
REASON = "Arkham Cards"
MOST_WORDS = 400  # lines in one log
_EARNED = "earn_xp"  # begins the id of the step that counts the victory display
_CHOSEN = "chosen"  # the value of an investigator who plays
_STATUS = "*investigator_status"
_STARTS = ("start_scenario", "start_side_scenario")
_REACHED = "$choose_resolution"
_SETTLED = ("$r_", "$upgrade_decks")

Json: TypeAlias = Mapping[str, Any]


def entries_by_hand(
    guide: CampaignGuide, backed_up: BackedUp, pool: CardPool
) -> tuple[Entry, ...]:
    """Return the entries that bring a campaign by hand to where the backup left it."""
    played = _played(guide, backed_up)
    order = _order(guide, played)
    now = _now(guide, backed_up, played, order)
    position = Position(
        now,
        _people(guide, backed_up, pool),
        _bag(guide, backed_up),
        _difficulty(guide, backed_up),
        words=tuple(_words(CampaignNames(pool, guide, NO_WORDS), backed_up))[
            :MOST_WORDS
        ],
        counts=_counts(guide, backed_up),
        played=tuple(each for each in played if each != now),
        order=order if order != guide.order else (),
    )
    return entered_at(guide, position, reason=REASON)


def _played(guide: CampaignGuide, backed_up: BackedUp) -> list[str]:
    """Return the scenarios that were begun, in the order of the records."""
    begun = [
        each.scenario.partition("#")[0]
        for each in backed_up.answers
        if each.kind in _STARTS
    ]
    begun += [
        str(each.get("scenarioCode"))
        for each in _objects(backed_up.raw.get("scenarioResults"))
    ]
    known = guide.scenarios
    return [each for each in dict.fromkeys(begun) if each != SETUP and each in known]


def _order(guide: CampaignGuide, played: list[str]) -> tuple[str, ...]:
    """Return the order of play that contains most of what was played."""
    orders = (guide.order, *(each.order for each in orderings(guide)))
    return max(orders, key=lambda order: len({*order} & {*played}))


def _now(
    guide: CampaignGuide, backed_up: BackedUp, played: list[str], order: tuple[str, ...]
) -> str:
    """Return the unfinished game, or else what comes after those played."""
    begun = _begun_last(backed_up)
    last = played[-1] if played else ""
    is_last = bool(last) and last == begun.partition("#")[0]
    if is_last and not _is_over(guide, backed_up, begun):
        return last
    place = order.index(last) + 1 if last in order else 0
    known = campaign_facts(guide.id).scenarios
    following = known[last].following if last in known else ()
    earlier = [each for each in following if each in order[:place]]
    listed = (*earlier, *(order[place:] if place else ()), *following, *order)
    coming = [each for each in listed if each not in played]
    return coming[0] if coming else (played or list(guide.scenarios))[-1]


def _begun_last(backed_up: BackedUp) -> str:
    """Return the scenario begun last, by its id in the records."""
    begun = [each.scenario for each in backed_up.answers if each.kind in _STARTS]
    return begun[-1] if begun else ""


def _is_over(guide: CampaignGuide, backed_up: BackedUp, begun: str) -> bool:
    """Return whether a game is over; interludes count as over."""
    base, _mark, again = begun.partition("#")
    if not guide.scenarios[base].resolutions:
        return True
    written = _objects(backed_up.raw.get("scenarioResults"))
    if not again and any(each.get("scenarioCode") == base for each in written):
        return True
    steps = [each.step for each in backed_up.answers if each.scenario == begun]
    return any(each.startswith(_SETTLED) for each in steps) or _REACHED in steps[:-1]


# --- investigators


def _people(
    guide: CampaignGuide, backed_up: BackedUp, pool: CardPool
) -> tuple[EnteredInvestigator, ...]:
    recorded = _object(backed_up.raw.get("investigatorData"))
    *before, playing = _groups(backed_up) or [()]
    tallied = _tallied(backed_up.answers)
    found = []
    earlier = [code for group in reversed(before) for code in group]
    for code in dict.fromkeys((*playing, *recorded, *earlier)):
        card = pool.get_card(code)
        if card is None or card.type is not CardType.INVESTIGATOR:
            continue
        data = recorded.get(code)
        numbers = _written(data) if isinstance(data, dict) else tallied[code]
        found.append(_person(guide, pool, code, numbers, data))
    printed = printed_cards(pool)
    alive = [each for each in found if plays_on(each, printed.get(each.code))]
    resting = {each.code for each in alive[MOST_PLAYERS:]}
    resting |= {*earlier} - {*playing, *recorded}
    return tuple(each._replace(resting=each.code in resting) for each in found)


def _groups(backed_up: BackedUp) -> list[tuple[str, ...]]:
    """Return the investigators chosen to play, for each time they were chosen."""
    choices = (each for each in backed_up.answers if each.kind == "string_choices")
    return [chosen for each in choices if (chosen := _chosen(each))]


def _chosen(answer: Answer) -> tuple[str, ...]:
    return tuple(code for code, said in answer.value.items() if said == (_CHOSEN,))


def _person(
    guide: CampaignGuide, pool: CardPool, code: str, numbers: Counter[str], data: object
) -> EnteredInvestigator:
    recorded = _object(data)
    fate = Fate.KILLED if numbers["killed"] else Fate.ALIVE
    if fate is Fate.ALIVE and numbers["insane"]:
        fate = Fate.DRIVEN_INSANE
    return EnteredInvestigator(
        code,
        _bounded(numbers[EXPERIENCE]),
        _bounded(numbers["physical"]),
        _bounded(numbers["mental"]),
        fate,
        tuple(_cards(guide, pool, recorded.get("storyAssets"))),
        tuple(_cards(guide, pool, recorded.get("addedCards"))),
    )


def _written(data: Json) -> Counter[str]:
    """Return what the app stored about an investigator."""
    found = Counter(
        {key: _number(data.get(key)) for key in ("physical", "mental")}
        | {key: int(data.get(key) is True) for key in ("killed", "insane")}
    )
    spent = _number(data.get("spentXp"))
    found[EXPERIENCE] = _number(data.get("availableXp")) - spent
    return found


def _tallied(answers: tuple[Answer, ...]) -> dict[str, Counter[str]]:
    """Return what the records say about each: experience, trauma, fates."""
    found: dict[str, Counter[str]] = {}
    playing: tuple[str, ...] = ()

    def of(code: str) -> Counter[str]:
        return found.setdefault(code, Counter())

    for each in answers:
        step, _mark, code = each.step.rpartition("#")
        if each.kind == "inter_scenario" and isinstance(each.value, Changes):
            for who, physical, mental, killed, insane in each.value.trauma:
                for key, number in (("physical", physical), ("mental", mental)):
                    if number is not None:
                        of(who)[key] = number
                of(who).update(killed=int(killed), insane=int(insane))
        elif each.kind == "string_choices":
            playing = _chosen(each) or playing
            if each.step.endswith((_STATUS, "_effects_trauma")):
                for who, said in each.value.items():
                    of(who).update(said)
        elif each.kind == "count" and each.step.startswith(_EARNED):
            for who in playing:
                of(who)[EXPERIENCE] += each.value
        elif each.kind == "choice_list" and step:
            for key in (EXPERIENCE, "physical", "mental"):
                of(code)[key] += sum(each.value.get(key, ())[:1])
    return _Missing(found)


class _Missing(dict[str, Counter[str]]):
    """Counts by investigator; empty for everyone else."""

    def __missing__(self, code: str) -> Counter[str]:
        """Return an empty count."""
        return Counter()


def _cards(guide: CampaignGuide, pool: CardPool, codes: object) -> Iterator[str]:
    for code in codes if isinstance(codes, list) else ():
        if isinstance(code, str) and (code in pool or code in guide.cards):
            yield code


# --- bag and log


def _difficulty(guide: CampaignGuide, backed_up: BackedUp) -> str:
    difficulty = backed_up.raw.get("difficulty")
    if isinstance(difficulty, str) and difficulty in set(Difficulty):
        return difficulty
    bags = campaign_facts(guide.id).bags
    levels = [each for each in Difficulty if each in bags] or [*Difficulty]
    for each in backed_up.answers:
        is_asked = each.kind == "choice" and "difficulty" in each.step
        if is_asked and 0 <= each.value < len(levels):
            return levels[int(each.value)].value
    return ""


def _bag(guide: CampaignGuide, backed_up: BackedUp) -> Mapping[str, int]:
    counts = _object(backed_up.raw.get("chaosBag"))
    bag = {
        token: min(_number(count), MOST_OF_A_KIND)
        for token, count in counts.items()
        if token in set(Token) and _number(count) > 0
    }
    level = _difficulty(guide, backed_up)
    if bag or not level or guide.id == SIDE:
        return bag
    begun = campaign_facts(guide.id).bags.get(Difficulty(level))
    return {token.value: count for token, count in begun.counts} if begun else {}


def _words(names: CampaignNames, backed_up: BackedUp) -> Iterator[tuple[str, str]]:
    """Yield the lines of the log, and what was reached in each scenario."""
    guide = names.guide
    sections = {
        each.title.casefold(): each.id
        for each in guide.sections
        if not each.hidden and not each.kind
    }
    notes = NOTES if NOTES in sections.values() else next(iter(sections.values()), "")
    if not notes:
        return
    for section in _objects(
        _object(backed_up.raw.get("campaignNotes")).get("sections")
    ):
        title = str(section.get("title") or "")
        lines = section.get("notes")
        for line in lines if isinstance(lines, list) else ():
            if isinstance(line, str) and line.strip():
                yield sections.get(title.casefold(), notes), line[:LONGEST]
    for each in backed_up.answers:
        if each.kind == "text":
            yield notes, str(each.value)[:LONGEST]
        elif each.kind == "inter_scenario" and isinstance(each.value, Changes):
            yield from ((notes, words[:LONGEST]) for words in each.value.notes)
        elif each.step.startswith("$r_") and each.step.endswith(_STATUS):
            base = each.scenario.partition("#")[0]
            known = guide.scenarios.get(base) or guide.side.get(base)
            reached = each.step.removeprefix("$r_").removesuffix(_STATUS)
            if known is not None:
                resolution = names.resolution(known.id, reached)
                yield notes, f"{known.name}: {resolution}"[:LONGEST]


def _counts(guide: CampaignGuide, backed_up: BackedUp) -> Mapping[str, int]:
    sections = {
        each.title.casefold(): each.id
        for each in guide.sections
        if each.kind == "count" and not each.hidden
    }
    notes = _object(backed_up.raw.get("campaignNotes"))
    counts = {
        str(each.get("title") or "").casefold(): _bounded(_number(each.get("count")))
        for each in _objects(notes.get("counts"))
    }
    return {
        sections[title]: count for title, count in counts.items() if title in sections
    }


# -- untyped values of the app


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _objects(value: object) -> list[dict[str, Any]]:
    if not isinstance(value, list):
        return []
    return [each for each in value if isinstance(each, dict)]


def _number(value: object) -> int:
    return value if type(value) is int else 0


def _bounded(number: int) -> int:
    return min(max(number, 0), MOST_NUMBER)
