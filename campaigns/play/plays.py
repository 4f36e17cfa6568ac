"""The scenario a table is playing, its stored state, and that state in files.

A file has the bag's contents, but not its seeds and steps, which remain hidden. Tokens
revealed in a test are put back, as after the test; sealed tokens stay sealed.

A random draw may name locations of the scenario in play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Annotated, Any, NamedTuple

from django.db.models import F

from arkham.rest import reading
from arkham.rest.messages import MessagePart, source
from arkham.rules.campaign.interpreter.replay import Replay
from arkham.rules.campaign.model import prompts as to
from arkham.rules.campaign.model.course import Tokens
from arkham.rules.campaign.model.guide import SETUP, Ask, CampaignGuide, Scenario
from arkham.rules.campaign.settlement import Fate, fate_of
from arkham.rules.campaign.state.answers import Stated, effective
from arkham.rules.campaign.state.state import HARD_TIMES, State
from arkham.rules.chaos import Token
from arkham.rules.chaos.bag import LIMITS, MOST_OF_A_KIND
from arkham.rules.draws.record import derived_seed
from arkham.rules.finding import gettext_noop as _
from arkham.rules.notation.reading import Fault
from arkham.rules.play.area import PlayArea
from arkham.rules.pool import CardPool
from campaigns.log.entries import folded
from campaigns.log.replays import Folded
from campaigns.models import Campaign, PlayState, Seat
from campaigns.models.campaign import LONGEST_SCENARIO
from campaigns.models.people import LONGEST_PERSON
from campaigns.play import in_play
from campaigns.play.addresses import LETTERS
from campaigns.play.areas import LONGEST_AREA, MOST_PARTS, area_of, opened
from campaigns.play.in_play import KeptArea, ScenarioInPlay
from cardpool.catalog import current_judge
from decks.models import Revision
from decks.pages.display import Judged

MOST_PLAYS = 200
MOST_AREAS = 12  # four investigators and those who replaced others
LONGEST_CODE = 12
OVER = ("resolution", "completed")  # the statuses of a scenario whose game is over
_SEEN = _("This isn’t what we expect here: {found}.")
Pair = Annotated[tuple[str, int], "A code or key, and its number."]
Counts = tuple[Pair, ...]


def _bag_of(content: ScenarioInPlay) -> Iterable[Any]:
    counts = content.play.bag.after_the_test().counts
    return ((token.value, count) for token, count in counts)


def _sealed_of(content: ScenarioInPlay) -> Iterable[Any]:
    sealed = content.play.bag.after_the_test().sealed
    return sorted(Counter(token.value for _card, token in sealed).items())


class AreaPart(MessagePart):
    """A play area, as the query of the helper at ``/table/area/``."""

    investigator: Annotated[str, reading.text(LONGEST_CODE)]
    text: Annotated[str, reading.text(LONGEST_AREA)]


class PlayPart(MessagePart):
    """The stored state of one scenario.

    ``bag`` are the tokens in the bag by kind, ``sealed`` those on cards; ``known`` is
    the campaign's bag that this one was filled from.
    """

    scenario: Annotated[str, reading.text(LONGEST_SCENARIO)]
    bag: Annotated[Counts, source(_bag_of)]
    sealed: Annotated[Counts, source(_sealed_of)]
    known: Annotated[Counts, source(lambda content: content.known.items())]
    counters: Counts = ()
    notes: Annotated[str, reading.text(in_play.LONGEST_NOTES)] = ""
    notes_by: Annotated[str, reading.text(LONGEST_PERSON)] = ""
    ticked: tuple[Annotated[str, reading.text(in_play.LONGEST_TICK)], ...] = ()
    areas: tuple[AreaPart, ...] = ()


def in_play_of(read: PlayPart, *, secret: str, by: str) -> ScenarioInPlay:
    """Return the state read from a file, by ``by``; draws derive from ``secret``."""
    start = Counter(dict(read.bag))
    start.update(dict(read.sealed))
    steps = [f"s{LETTERS[Token(kind)]}" for kind, n in read.sealed for _ in range(n)]
    return ScenarioInPlay(
        start=dict(start),
        known=dict(read.known),
        seed="",
        secret=secret,
        steps=tuple(steps),
        by=(by,) * len(steps),
        counters=read.counters,
        notes=read.notes,
        notes_by=read.notes_by,
        ticked=read.ticked,
        areas=tuple(KeptArea(each.investigator, each.text) for each in read.areas),
    )


def faults_of(plays: Iterable[PlayPart]) -> Iterator[Fault]:
    """Yield the faults of states that can't have been stored, with JSON pointers."""
    found = list(plays)
    scenarios = {each.scenario for each in found}
    if len(found) > MOST_PLAYS or len(scenarios) < len(found):
        expected = f"at most {MOST_PLAYS} scenarios, each once"
        yield Fault("/plays", _SEEN, expected, f"{len(found)} scenarios")
    for place, each in enumerate(found):
        wrong = (*_wrong_bags(each), *_wrong_counters(each), *_wrong_areas(each))
        for name, expected in wrong:
            yield Fault(f"/plays/{place}/{name}", _SEEN, expected, "others")


def _wrong_bags(read: PlayPart) -> Iterator[tuple[str, str]]:
    kinds = {token.value for token in Token}
    for name in ("bag", "sealed", "known"):
        counts: Counts = getattr(read, name)
        right = all(kind in kinds and 0 < n <= MOST_OF_A_KIND for kind, n in counts)
        if not right or len(dict(counts)) < len(counts):
            yield name, f"tokens, each kind once, 1 … {MOST_OF_A_KIND} of it"
            return
    held = Counter(dict(read.bag)) + Counter(dict(read.sealed))
    for token, most in LIMITS.items():
        if held[token.value] > most:
            yield "bag", f"at most {most} {token.value}, sealed ones counted"


def _wrong_counters(read: PlayPart) -> Iterator[tuple[str, str]]:
    most, names = in_play.MOST_COUNTERS, dict(read.counters)
    right = all(
        0 < len(name) <= in_play.LONGEST_COUNTER and 0 <= n <= in_play.MOST_COUNTED
        for name, n in read.counters
    )
    if not right or len(names) < len(read.counters) or len(names) > most:
        expected = f"at most {most} names, each once, with 0 … {in_play.MOST_COUNTED}"
        yield "counters", expected


def _wrong_areas(read: PlayPart) -> Iterator[tuple[str, str]]:
    codes = {each.investigator for each in read.areas}
    if len(codes) < len(read.areas) or len(codes) > MOST_AREAS:
        yield "areas", f"at most {MOST_AREAS} play areas, one for an investigator"
    if any(each.text.count("&") > MOST_PARTS for each in read.areas):
        yield "areas", f"at most {MOST_PARTS} parts in the text of a play area"


class Places(NamedTuple):
    """Locations to draw from at random: the step of the guide, and their cards.

    ``several`` says that the scenario may need more than one at a time.
    """

    step: str
    cards: tuple[str, ...]
    several: bool


def _scenario(guide: CampaignGuide, encoded: str) -> Scenario | None:
    """Return a scenario of the campaign, or a side scenario played in it."""
    scenario = encoded.partition("#")[0]
    return guide.scenarios.get(scenario) or guide.side.get(scenario)


def places_of(guide: CampaignGuide, scenario: str) -> Iterator[Places]:
    """Yield the random locations of a scenario, as its guide lists them."""
    found = _scenario(guide, scenario)
    for step in found.steps.values() if found is not None else ():
        match step:
            case Ask(prompt=to.RandomPlaces(cards, several)) if cards:
                yield Places(step.id, cards, several)


def only_draws(guide: CampaignGuide, scenario: str, branch: to.PromptChoice) -> bool:
    """Return whether a branch of the game only draws a location."""
    drawn = {each.step for each in places_of(guide, scenario)}
    return bool(branch.steps) and drawn.issuperset(branch.steps) and not branch.batches


def branches_that_draw(guide: CampaignGuide, scenario: str) -> frozenset[str]:
    """Return the branches of a game that only draw: they have a button."""
    found = _scenario(guide, scenario)
    return frozenset(
        branch.id
        for step in (found.steps.values() if found is not None else ())
        if isinstance(step, Ask) and isinstance(step.prompt, to.PlayScenario)
        for branch in step.prompt.branches
        if only_draws(guide, scenario, branch)
    )


class StoredPlay(NamedTuple):
    """The state of a scenario and its version; 0 before any change."""

    version: int
    content: ScenarioInPlay


def reached_scenarios(replay: Replay) -> list[str]:
    """Return the scenarios begun, in order, and the one to begin now."""
    found = [*replay.begun]
    pending = replay.pending
    if pending is not None and pending.scenario and pending.scenario not in found:
        found.append(pending.scenario)
    return [each for each in found if each.partition("#")[0] != SETUP]


def current(replay: Replay) -> str:
    """Return the scenario that is or was last played, or is about to be; or ""."""
    pending = replay.pending
    found = reached_scenarios(replay)
    if pending is not None and pending.scenario in found:
        return pending.scenario
    return found[-1] if found else ""


def secret_of(campaign: Campaign, scenario: str) -> str:
    """Return the secret of a scenario's draws, from the entry it began after."""
    return derived_seed(campaign.secret, f"bag/{scenario}/{campaign.last}")


def next_seed(campaign: Campaign) -> str:
    """Return the seed of a draw that the next entry of the log records."""
    return derived_seed(campaign.secret, str(campaign.last + 1))


def stored_play(campaign: Campaign, scenario: str, replay: Replay) -> StoredPlay:
    """Return the state of a scenario; before any change, its start."""
    row = PlayState.objects.filter(campaign=campaign, scenario=scenario).first()
    if row is None:
        secret = secret_of(campaign, scenario)
        return StoredPlay(0, in_play.begun(replay.state.bag, secret))
    return StoredPlay(row.version, content_of(row, campaign))


def content_of(row: PlayState, campaign: Campaign) -> ScenarioInPlay:
    """Return the state in a row, with a secret if it was begun without one."""
    place = f"bag/{row.scenario}/{row.pk}/resumed"
    secret = derived_seed(campaign.secret, place)
    return in_play.with_secret(in_play.read(row.content), secret)


def areas(
    replay: Replay, content: ScenarioInPlay, seats: Iterable[Seat], pool: CardPool
) -> dict[str, PlayArea]:
    """Return the play areas of all living players, by investigator.

    An area that no player has changed is as the game begins: trauma as damage and
    horror, and the cards that the deck starts with in play.
    """
    state = replay.state
    playing = [each for each in state.players if fate_of(state, each) is Fate.ALIVE]
    kept = {each.investigator: each.text for each in content.areas}
    untouched = [code for code in playing if code not in kept]
    decks = _decks(each for each in seats if each.investigator in untouched)
    return {
        code: _as_kept(code, kept[code], pool)
        if code in kept
        else _opening(code, state, decks.get(code), pool)
        for code in playing
    }


def _as_kept(code: str, text: str, pool: CardPool) -> PlayArea:
    area = area_of(text, pool)
    if area.investigator is not None:
        return area
    return replace(area, investigator=pool.get_card(code))


def _decks(seats: Iterable[Seat]) -> dict[str, Revision]:
    """Return the latest revisions of seats' decks, by investigator."""
    by_deck = {each.deck_id: each.investigator for each in seats if each.deck_id}
    if not by_deck:
        return {}
    latest = Revision.objects.filter(deck__in=by_deck, number=F("deck__revision"))
    return {by_deck[each.deck_id]: each for each in latest}


def _opening(
    code: str, state: State, deck: Revision | None, pool: CardPool
) -> PlayArea:
    person = state.people.get(code)
    is_changed = HARD_TIMES in ((person.story if person else None) or ())
    area = PlayArea(
        pool.get_card(HARD_TIMES if is_changed else code),
        damage=(person.physical or 0) if person else 0,
        horror=(person.mental or 0) if person else 0,
    )
    if deck is None:
        return area
    judged = Judged(deck.content, current_judge())
    if judged.built is None:
        return area
    front = area.investigator if is_changed else judged.investigator
    return opened(judged.built, area, front)


def version_of(campaign: Campaign, scenario: str) -> int:
    """Return only the version; 0 before any change."""
    rows = PlayState.objects.filter(campaign=campaign, scenario=scenario)
    return rows.values_list("version", flat=True).first() or 0


def frost_in_log(known: Folded, scenario: str) -> int:
    """Return the bag's frost tokens, with those stated for the scenario's end.

    What a table states about a scenario takes effect once it is over.
    """
    replay, frost = known.replay, Token.FROST.value
    used = {each.sequence for each in replay.used}
    stated = 0
    for each in effective(folded(known.entries)):
        if not isinstance(each, Stated) or each.sequence in used:
            continue
        if each.scenario == scenario and isinstance(each.effect, Tokens):
            stated += each.effect.tokens.count(frost) * each.effect.sign
    return replay.state.bag.get(frost, 0) + stated
