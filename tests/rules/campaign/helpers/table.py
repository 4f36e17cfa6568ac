"""A table that plays with random legal answers."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from arkham.rules.campaign.asking import Pending
from arkham.rules.campaign.interpreter.replay import START, Replay, fold
from arkham.rules.campaign.judging.between_games import destinations, journey
from arkham.rules.campaign.model.guide import CampaignGuide
from arkham.rules.campaign.model.scenario_steps import Scopes
from arkham.rules.campaign.state.answers import Answer, Journey, SideScenario
from arkham.rules.campaign.state.state import Printed
from tests.rules.campaign.helpers.small import POLICIES

PEOPLE: Mapping[str, Printed] = {
    "01001": Printed(9, 5, "guardian", ("agency", "detective")),
    "01002": Printed(5, 9, "seeker", ("miskatonic",)),
    "01003": Printed(8, 6, "rogue", ("criminal",)),
    "01004": Printed(6, 8, "mystic", ("sorcerer",)),
    "01005": Printed(7, 7, "survivor", ("drifter",)),
    "60301": Printed(6, 8, "rogue", ("criminal",)),
}
# For a table that has lost all its investigators; these have no facts.
NEWCOMERS = tuple(f"0200{number}" for number in range(1, 6))
WEAKNESSES = ("01096", "01097", "01098", "01099")


_SCOPES: dict[int, Scopes] = {}


def scopes_of(guide: CampaignGuide) -> Scopes:
    """Return the scopes of a guide, shared by every table that plays it."""
    found = _SCOPES.get(id(guide))
    if found is None:
        found = _SCOPES[id(guide)] = Scopes(guide)
    return found


def answer_to(pending: Pending, value: Any) -> Answer:
    """Return an answer to a prompt; that of a victory display may be a number."""
    kind = "count" if pending.is_display and isinstance(value, int) else pending.kind
    reason = ""
    if pending.is_display and kind != "count" and "total" in value:
        reason = "Counted once more."
    return Answer(kind, pending.scenario, pending.step, value, reason=reason)


class Table:
    """Plays a campaign of a guide with random answers from a seed."""

    def __init__(
        self,
        guide: CampaignGuide,
        seed: int,
        *,
        standalone: str = "",
        strict: bool = True,
        linked: list[Answer] | None = None,
    ) -> None:
        self.guide = guide
        self.chance = random.Random(seed)
        self.standalone = standalone
        self.strict = strict
        self.linked = linked
        self.scopes = scopes_of(guide)
        self.answers: list[Answer] = []
        codes = list(PEOPLE)
        self.chance.shuffle(codes)
        self.codes = codes[: self.chance.randint(1, 4)]
        self.spare = codes[len(self.codes) :]
        self.replay = self.folded()

    def folded(self, answers: list[Answer] | None = None) -> Replay:
        """Fold all entries from the beginning."""
        return fold(
            self.guide,
            self.answers if answers is None else answers,
            PEOPLE,
            self.linked,
            standalone=self.standalone,
            policy=POLICIES[self.strict],
            scopes=self.scopes,
        )

    def next(self) -> Replay:
        """Continue the last fold."""
        return fold(
            self.guide,
            self.answers,
            PEOPLE,
            self.linked,
            standalone=self.standalone,
            policy=POLICIES[self.strict],
            scopes=self.scopes,
            after=self.replay,
        )

    def play(self, most: int = 400) -> Replay:
        """Answer until no question is left, or ``most`` answers were given."""
        while len(self.answers) < most:
            pending = self.replay.pending
            if pending is None or not self._is_open(pending):
                break
            given = self.given(pending)
            for answer in given:
                self.answers.append(answer._replace(sequence=len(self.answers) + 1))
            self.replay = self.next()
        return self.replay

    def _is_open(self, pending: Pending) -> bool:
        """Whether a prompt can be answered; in the app some have no options."""
        if pending.prompt == "embark":
            return self._journey(self.replay) is not None
        if pending.kind == "choice":
            return bool(pending.offers)
        return pending.kind != "campaign_link" and pending.prompt != "dead_end"

    def given(self, pending: Pending) -> list[Answer]:
        """Return a random legal answer."""
        if pending.kind == START:
            return [self._start(pending)]
        answers = [answer_to(pending, self.value(pending))]
        if pending.prompt in ("upgrade_decks", "save_decks"):
            answers = [
                Answer(
                    "choice_list",
                    pending.scenario,
                    f"{pending.step}#{code}",
                    {
                        "xp": (self.chance.choice((0, 0, 1, -1, 2)),),
                        "physical": (self.chance.choice((0, 0, 0, 1, -1)),),
                        "mental": (self.chance.choice((0, 0, 0, 1)),),
                    },
                )
                for code in pending.codes
                if self.chance.random() < 0.6
            ] + answers
        return answers

    def _start(self, pending: Pending) -> Answer:
        state = self.replay.state
        held = state.map
        if held.embark and self.guide.map:
            journey = self._journey(self.replay)
            if journey is not None:
                return Answer(START, journey.next_scenario, "", journey)
        done = [each.id for each in self.replay.scenarios if each.status == "completed"]
        if len(done) > 1 and self.chance.random() < 0.1 and not self.standalone:
            return Answer(
                "start_side_scenario",
                f"own-{len(self.answers)}",
                "",
                SideScenario(done[-1], "custom", "Our own", 1),
            )
        return Answer(START, pending.scenario, "", None)

    def _journey(self, replay: Replay) -> Journey | None:
        places = [
            each.place
            for each in destinations(self.guide, replay)
            if self.guide.map[each.place].scenario[:1] != "$"
        ]
        if not places:
            return None
        place = self.chance.choice(places)
        return journey(self.guide, replay, place, fast=False, passing=False)

    def value(self, pending: Pending) -> Any:
        """Return a random legal value for a prompt."""
        chance = self.chance
        match pending.kind:
            case "decision":
                return pending.prompt in ("upgrade_decks", "save_decks") or (
                    chance.random() < 0.5
                )
            case "choice":
                return self._choice(pending)
            case "count":
                least = pending.least or 0
                most = pending.most if pending.most is not None else least + 6
                return chance.randint(least, max(most, least))
            case "text":
                return f"words {len(self.answers)}"
            case "supplies" if pending.prompt == "card_counts":
                (card, *_more) = pending.keys
                return {pending.codes[0]: {card: chance.randint(0, 2)}}
            case "supplies":
                return {code: self._packed(pending) for code in pending.codes}
            case "choice_list":
                return self._numbers(pending)
        return self._strings(pending)

    def _packed(self, pending: Pending) -> dict[str, int]:
        """Return supplies that the points pay for; several of a kind where possible."""
        left, found = pending.most or 0, dict[str, int]()
        for supply, cost, many in self.chance.sample(pending.costs, len(pending.costs)):
            if cost <= left:
                found[supply] = self.chance.randint(1, left // cost if many else 1)
                left -= cost * found[supply]
        return found

    def _choice(self, pending: Pending) -> int:
        if pending.prompt == "play_scenario" and "_campaign_log" not in pending.step:
            number = pending.step.partition("#")[2]
            if number.isdigit() and int(number) > 3:
                return -2
        return self.chance.choice(pending.open_offers).number

    def _numbers(self, pending: Pending) -> dict[str, tuple[int, ...]] | int:
        chance = self.chance
        if pending.prompt == "partner_trauma":
            left = {name: most or 0 for name, _least, most in pending.limits}
            return {
                code: (
                    min(chance.randint(0, 2), left[f"{code}.damage"]),
                    min(chance.choice((0, 0, 0, 1)), left[f"{code}.horror"]),
                )
                for code in pending.codes
            }
        if pending.is_display:
            return self._shown(pending)
        if pending.prompt == "use_supplies":
            return self._used(pending)
        keys = pending.codes or pending.keys
        limits = {code: (least, most) for code, least, most in pending.limits}
        found: dict[str, tuple[int, ...]] = {}
        for code in keys:
            least, most = limits.get(code, (pending.least, pending.most))
            low, high = least or 0, 3 if most is None else most
            found[code] = (chance.randint(low, max(high, low)),)
        return found

    def _shown(self, pending: Pending) -> dict[str, tuple[int, ...]] | int:
        """Return cards in the victory display, perhaps with a total; or a number."""
        number = self.chance.randint(0, 6)
        if number > 4:
            return number
        own = random.Random(number + len(self.answers))
        cards = own.sample(pending.worth, min(len(pending.worth), 3))
        counts: dict[str, tuple[int, ...]] = {
            card.code: (own.randint(0, card.copies or 2),) for card in cards
        }
        if own.random() < 0.2:
            counts["total"] = (number,)
        return counts

    def _used(self, pending: Pending) -> dict[str, tuple[int, ...]]:
        """Use as much of a supply as is asked for, from those who have it."""
        having = [code for code, _, most in pending.limits for _n in range(most or 0)]
        self.chance.shuffle(having)
        named = having[: min(pending.least or 0, pending.most or 0)]
        return {code: (named.count(code),) for code in dict.fromkeys(named)}

    def _strings(self, pending: Pending) -> dict[str, tuple[str, ...]]:
        chance = self.chance
        match pending.prompt:
            case "choose_investigators":
                if pending.step == "$lead_investigator":
                    return {chance.choice(pending.codes): ("lead",)}
                return dict.fromkeys(self._fit(), ("chosen",))
            case "weakness" | "chosen_weakness":
                return {
                    code: tuple(chance.choices(WEAKNESSES, k=pending.many))
                    for code in pending.codes
                }
            case "checklist":
                offers = [offer.id for offer in pending.offers]
                chance.shuffle(offers)
                least = min(pending.least or 0, len(offers))
                most = len(offers) if pending.most is None else pending.most
                count = chance.randint(least, max(least, min(most, len(offers))))
                return dict.fromkeys(offers[:count], ("checked",))
            case "choice_list" | "randomizer":
                return {
                    key: (chance.choice(pending.offers).id,) for key in pending.keys
                }
            case "holders":
                return {
                    key: (chance.choice(pending.offers).id,)
                    for key in pending.keys
                    if chance.random() < 0.3
                }
            case "choose_lines":
                return {
                    key: ("chosen",) for key in pending.keys if chance.random() < 0.5
                }
            case "card_choice":
                keys = pending.keys or ("01117", "01121")
                ids = [offer.id for offer in pending.offers]
                return {
                    key: (chance.choice(ids),) for key in keys if chance.random() < 0.5
                }
            case "choose_partners":
                partners = list(pending.keys)
                chance.shuffle(partners)
                count = 1 if pending.least is None else pending.least
                return dict.fromkeys(partners[:count], ("1",))
            case "assign_partners":
                partners = list(pending.keys)
                chance.shuffle(partners)
                return {
                    code: (partners.pop() if partners else "none",)
                    for code in pending.codes
                }
            case "who_gives_up":
                healed = chance.sample(pending.codes, pending.least or 0)
                return dict.fromkeys(healed, ("chosen_investigator",))
            case "who_takes" | "investigator_choice_supplies":
                if not pending.codes:
                    return {}
                return {chance.choice(pending.codes): ("chosen_investigator",)}
        return self._each(pending)

    def _each(self, pending: Pending) -> dict[str, tuple[str, ...]]:
        chance = self.chance
        able = [(code, ids) for code, ids in pending.by_code if ids]
        if not pending.by_code:
            return dict.fromkeys(pending.codes[: pending.most], ("1",))
        if pending.once:
            return self._apart(pending, able)
        if pending.each:
            return {code: (chance.choice(ids),) for code, ids in able}
        chance.shuffle(able)
        least = min(pending.least or 0, len(able))
        most = len(able) if pending.most is None else min(pending.most, len(able))
        count = chance.randint(least, max(least, most))
        return {code: (chance.choice(ids),) for code, ids in able[:count]}

    def _apart(
        self, pending: Pending, able: list[tuple[str, tuple[str, ...]]]
    ) -> dict[str, tuple[str, ...]]:
        """Return a choice for each investigator; unique choices are given once."""
        found: dict[str, tuple[str, ...]] = {}
        for code, ids in able:
            taken = {each for (each,) in found.values() if each in pending.once}
            found[code] = (self.chance.choice([i for i in ids if i not in taken]),)
        return found

    def _fit(self) -> list[str]:
        """Return investigators who may still play, or a new one if none is left."""
        state = self.replay.state
        fit = [code for code in self.codes if not state.is_eliminated(code)]
        if not fit:
            others = *self.spare, *NEWCOMERS
            fit = [code for code in others if not state.is_eliminated(code)][:1]
            self.codes += fit
        self.chance.shuffle(fit)
        return fit
