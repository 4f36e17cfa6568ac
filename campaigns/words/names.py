"""The names of everything in a campaign, for its readers.

Texts of a guide if the reader may see them, the names printed on cards, and else the
id, made readable.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from arkham.rules.campaign.by_hand.belonging import TEKELI_LI_TITLE
from arkham.rules.campaign.by_hand.facts import facts_about
from arkham.rules.campaign.by_hand.recording import COUNT
from arkham.rules.campaign.model import scenario_steps
from arkham.rules.campaign.model.guide import SETUP, Ask, CampaignGuide
from arkham.rules.campaign.prompts import prompt_name
from arkham.rules.campaign.reading.files import Words, spoken
from arkham.rules.campaign.state.ledger import WrittenLine
from arkham.rules.campaign.state.lookup import GOES_WITH, NO_PARTNER
from arkham.rules.pool import CardPool
from arkham.rules.vocabulary import CardType, SignatureKind, is_digits
from cardpool.markup import unmarked
from cardpool.relations import distinct_subtitle, in_full
from cardpool.words import fold_text

LONGEST_HEADING = 110  # letters
UNREACHED = "no_resolution_"  # begins the ids of the ways to reach no resolution
CONCERNED = "_effects_investigator"  # ends the id of a step that asks whom it is for
USED = "_used"  # ends the id of a step where everyone uses up a supply
# The texts of steps that every campaign has.
STEPS: dict[str, str | Promise] = {
    scenario_steps.CHOOSE_INVESTIGATORS: gettext_lazy("Who plays this scenario?"),
    "choose_investigators": gettext_lazy("Who plays?"),
    "difficulty_choice": gettext_lazy("Which difficulty?"),
    scenario_steps.LEAD_INVESTIGATOR: gettext_lazy("Who is the lead investigator?"),
    scenario_steps.PLAY: gettext_lazy("Play the scenario"),
    scenario_steps.CHOOSE_RESOLUTION: gettext_lazy("Which resolution was reached?"),
    "$upgrade_decks": gettext_lazy("Upgrade your decks"),
    scenario_steps.SAVE_ALONE: gettext_lazy("Weaknesses in your decks"),
    "$draw_weakness": gettext_lazy("Who draws a random basic weakness?"),
    "$record_trauma": gettext_lazy("Who suffers trauma?"),
    "$campaign_log": gettext_lazy("What do you record in the campaign log?"),
    "$change_lead_investigator": gettext_lazy("Who is the lead investigator now?"),
    "$draw_standalone_weakness": gettext_lazy(
        "How many random basic weaknesses are in each deck?"
    ),
}
CHOICES: dict[str, str | Promise] = {
    "$finish": gettext_lazy("End the scenario"),
    "$campaign_log": gettext_lazy("Record something in the campaign log"),
    "$draw_weakness": gettext_lazy("An investigator draws a random basic weakness"),
    "$record_trauma": gettext_lazy("An investigator suffers trauma"),
    "$change_lead_investigator": gettext_lazy("The lead investigator changes"),
    "$other": gettext_lazy("Something else"),
    "draw_weakness": gettext_lazy("Draws a random basic weakness"),
    "record_trauma": gettext_lazy("Suffers 1 trauma"),
    "no_resolution": gettext_lazy("No resolution was reached"),
    "alive": gettext_lazy("Survived"),
    "survived": gettext_lazy("Survived"),
    "resigned": gettext_lazy("Resigned"),
    "physical": gettext_lazy("Physical trauma"),
    "mental": gettext_lazy("Mental trauma"),
    "eliminated": gettext_lazy("Eliminated, without trauma"),
    "killed": gettext_lazy("Killed"),
    "insane": gettext_lazy("Driven insane"),
    "easy": gettext_lazy("Easy"),
    "standard": gettext_lazy("Standard"),
    "hard": gettext_lazy("Hard"),
    "expert": gettext_lazy("Expert"),
}
# Questions for prompts that the guide has no text for.
ASKED: dict[str, str | Promise] = {
    "choose_investigators": gettext_lazy("Who plays?"),
    "upgrade_decks": gettext_lazy("Upgrade your decks"),
    "save_decks": gettext_lazy("Before you go on"),  # no experience is spent
    "weakness": gettext_lazy("Which weakness was drawn?"),
    "chosen_weakness": gettext_lazy("Which weakness do you choose?"),
    "physical_or_mental": gettext_lazy("Physical or mental trauma?"),
    "who_takes": gettext_lazy("For which investigator?"),
    "who_gives_up": gettext_lazy("Who gives this up?"),
    "investigator_choice": gettext_lazy("What happens to each investigator?"),
    "investigator_choice_supplies": gettext_lazy("Who does it?"),
    "supplies": gettext_lazy("What does each investigator pack?"),
    "use_supplies": gettext_lazy("Who uses it up?"),
    "checklist": gettext_lazy("Which of these?"),
    "card_choice": gettext_lazy("Which cards?"),
    "assign_partners": gettext_lazy("Who goes with whom?"),
    "choose_partners": gettext_lazy("Which partners?"),
    "partner_trauma": gettext_lazy("What did the partners suffer?"),
    "counter": gettext_lazy("How many?"),
    "victory_display": gettext_lazy("What is in the victory display?"),
    "investigator_counter": gettext_lazy("How many for each?"),
}
# Choices of how the game ended that mean something else in other questions.
_ENDS: dict[str, str | Promise] = CHOICES | {
    "physical": gettext_lazy("Defeated by damage: 1 physical trauma"),
    "mental": gettext_lazy("Defeated by horror: 1 mental trauma"),
}
# Questions of steps that the engine adds to a guide's, by the end of their ids.
IMPLIED: dict[str, str | Promise] = {
    "$as_recorded": gettext_lazy("Use the results from Arkham Cards?"),
    scenario_steps.ENTERED: gettext_lazy("Enter the log as it is on paper?"),
    "*investigator_status": gettext_lazy("How did it end for each investigator?"),
    "_effects_weakness": gettext_lazy("Which weakness was drawn?"),
    CONCERNED: gettext_lazy("For which investigator?"),
    "_effects_trauma": gettext_lazy("Physical or mental trauma?"),
}


def in_one_line(text: str) -> str:
    """Return a text of a guide as a heading; "" if it is too long for one."""
    if "\n" in text.strip():
        return ""
    line = unmarked(text).removesuffix(":")
    return line if len(line) <= LONGEST_HEADING else ""


def implied(step: str) -> str:
    """Return what an added step asks; "" for any other step."""
    base = step.partition("#")[0]
    return next((str(text) for end, text in IMPLIED.items() if base.endswith(end)), "")


def readable(identifier: str) -> str:
    """Return an id as words: “the_devourer_below” → “The devourer below”."""
    words = identifier.strip("$").replace("_", " ").replace("-", " ").strip()
    return words[:1].upper() + words[1:]


_CODE = re.compile(r"\A[a-z_-]*+\d{2,}+[a-z]?")  # of a card outside our products
_ID = re.compile(r"[a-z0-9_$]+")  # of a line of a guide
_SIGN = re.compile(r"(?<!\s)\s*+\(\[[a-z_]++\]\)")  # a sign that repeats a word
# A card and its number in the text of a line.
_NUMBERED = re.compile(r"#name# \(#X#\)|#name#[^#()]*+#X#|#X#[^#()]*+#name#")


def _slug(name: str) -> str:
    """Return a name as it appears in ids, without its article."""
    plain = re.sub(r"[^a-z0-9]+", "_", fold_text(name)).strip("_")
    return plain.removeprefix("the_")


@dataclass(frozen=True, slots=True)
class CampaignNames:
    """The names of things in one campaign."""

    pool: CardPool
    guide: CampaignGuide
    words: Words
    # The table's own scenarios, by id.
    own: Mapping[str, str] = field(default_factory=dict, hash=False)

    def card(self, code: str) -> str:
        """Return the name of a card or investigator, or that the code is unknown."""
        card = self.pool.get_card(code)
        if card is not None:
            name = spoken(card.name)
            if card.name == TEKELI_LI_TITLE and card.printings:
                return f"{name} {card.printings[0].position}"
            full = in_full(name, distinct_subtitle(card, self.pool), card.level)
            if card.signature is SignatureKind.ADVANCED:
                return _("%(name)s (advanced)") % {"name": full}
            return full
        if named := self.guide.cards.get(code) or self._in_facts(code):
            return named
        if _CODE.fullmatch(code):
            return _("Unknown card (%(code)s)") % {"code": code}
        return readable(code)

    def _in_facts(self, code: str) -> str:
        """Return the name of a card from the facts about a campaign, or ""."""
        found = (each.cards.get(code) for each in facts_about(self.guide.id))
        return next((card.name for card in found if card is not None), "")

    def scenario(self, encoded: str) -> str:
        """Return the name of a scenario, marked if it is replayed."""
        scenario_id, _mark, again = encoded.partition("#")
        if scenario_id == SETUP:
            return _("Campaign setup")
        scenario = self.guide.scenarios.get(scenario_id)
        scenario = scenario or self.guide.side.get(scenario_id)
        name = scenario.name if scenario is not None else self.own.get(scenario_id, "")
        name = name or readable(scenario_id)
        if is_digits(again, 4) and int(again):
            if int(again) > 1:
                label = _("%(name)s, time %(number)d")
                return label % {"name": name, "number": int(again) + 1}
            return _("%(name)s, again") % {"name": name}
        return name

    def step(self, scenario: str, step: str) -> str:
        """Return what a step asks or says, in one line."""
        if self._noting(scenario, step) != step:
            step = scenario_steps.HUB_STEPS[scenario_steps.NOTE]
        base, _mark, after = step.partition("#")
        words = self.words.step(scenario, step)
        found = unmarked(str(words.get("prompt") or words.get("title") or ""))
        found = self.first_cards(scenario, step) or found or implied(after)
        found = found or str(STEPS.get(base) or in_one_line(str(words.get("text", ""))))
        if not found and len(choices := words.get("choices", {})) == 1:
            (found,) = map(unmarked, choices.values())
        return found.removesuffix(":")

    def first_cards(self, scenario: str, step: str) -> str:
        """Return the heading of the step where decks get their weaknesses; else ""."""
        is_first = scenario == SETUP or self.prompt(scenario, scenario_steps.DRAWS)
        saves = is_first and self._asked(scenario, step) == ASKED["save_decks"]
        is_there = saves or step == scenario_steps.SAVE_ALONE
        return str(STEPS[scenario_steps.SAVE_ALONE]) if is_there else ""

    def excerpt(self, scenario: str, step: str) -> str:
        """Return what a step without heading asks by its kind, or its text's start."""
        step = step.removesuffix(USED)
        words = self.words.step(scenario, step)
        if heading := self.step(scenario, step) or self._asked(scenario, step):
            return heading
        text = unmarked(str(words.get("text", "")).strip().partition("\n")[0])
        if len(text) <= LONGEST_HEADING:
            return text
        return text[:LONGEST_HEADING].rpartition(" ")[0] + " …"

    def _asked(self, scenario: str, step: str) -> str:
        found = self.question_at(scenario, step)
        if found is not None and getattr(found.prompt, "experience", False):
            return str(ASKED["upgrade_decks"])
        return str(ASKED.get(self.prompt(scenario, step), ""))

    def prompt(self, scenario: str, step: str) -> str:
        """Return the kind of question that a step of the guide asks; "" for none."""
        found = self.question_at(scenario, step)
        return prompt_name(found.prompt) if found is not None else ""

    def question_at(self, scenario: str, step: str) -> Ask | None:
        """Return the question of a step of the guide; None if it asks nothing."""
        guide, place = self.guide, scenario.partition("#")[0]
        step = step.partition("#")[0]
        own = guide.scenarios.get(place) or guide.side.get(place) or guide.setup
        found = own.steps.get(step) or guide.core.get(step)
        return found if isinstance(found, Ask) else None

    def _noting(self, scenario: str, step: str) -> str:
        """Return the play step of a step that records notes; others as they are."""
        base = step.removesuffix(scenario_steps.NOTES)
        is_play = self.prompt(scenario, base) == "play_scenario"
        return base if is_play or base.startswith(scenario_steps.PLAY) else step

    def choice(self, scenario: str, step: str, choice: str) -> str:
        """Return the label of a choice; notes in play have theirs in the play step."""
        step = self._noting(scenario, step)
        text = unmarked(self.words.choice(scenario, step, choice)).removesuffix(":")
        known = _ENDS if step.endswith("*investigator_status") else CHOICES
        return text or str(known.get(choice) or readable(choice))

    def resolution(self, scenario: str, resolution: str) -> str:
        """Return the name of a resolution."""
        if resolution in CHOICES:
            return str(CHOICES[resolution])
        title = self.words.resolution(scenario, resolution).get("title", "")
        title = unmarked(title)
        number = resolution.lower().removeprefix("r")
        plain = _("Resolution %(number)s") % {"number": number.upper()}
        if not is_digits(number):
            plain = readable(resolution)
        return title if title and title != plain else plain

    def ending(self, scenario: str, resolution: str) -> str:
        """Return a resolution as an option, with its condition if the guide has one."""
        name = self.resolution(scenario, resolution)
        when = unmarked(self.words.resolution(scenario, resolution).get("when", ""))
        if not when and resolution.startswith(UNREACHED):
            when = readable(resolution.removeprefix(UNREACHED))
        if when.casefold() in name.casefold():
            return name  # the name says it already, or there is no condition
        return f"{name}: {when[:1].lower()}{when[1:]}"

    def place(self, place: str) -> str:
        """Return a place of the map, as printed there."""
        known = self.guide.map.get(place)
        return known.name if known is not None and known.name else readable(place)

    def key(self, key: str) -> str:
        """Return a key's name on its card: “eye_of_ravens” → “The Eye of Ravens”."""
        return self._by_slug.get(key) or readable(key)

    def section(self, section: str) -> str:
        """Return the title of a section of the log."""
        titles = {each.id: each.title for each in self.guide.sections}
        return titles.get(section) or readable(section)

    def item(self, achievement: str, item: str) -> str:
        """Return an item of an achievement's list."""
        text = unmarked(self.words.item(achievement, item))
        return text or self._by_slug.get(item) or readable(item)

    @property
    def _by_slug(self) -> Mapping[str, str]:
        """The names of keys and cards that a campaign gives, by slug."""
        keys = (each.name for each in self.pool.values() if each.type is CardType.KEY)
        return {_slug(name): name for name in (*self.guide.cards.values(), *keys)}

    def achievement(self, achievement: str) -> str:
        """Return the title of an achievement."""
        titles = {each.id: each.title for each in self.guide.achievements}
        return titles.get(achievement, readable(achievement))

    def line(self, section: str, line: WrittenLine) -> str:
        """Return a line of the log as written there."""
        if line.id.startswith(GOES_WITH):
            return self._going(line)
        names = ", ".join(self.card(code) for code, _count in line.cards)
        counts = line.number, line.second or 0
        text = unmarked(_SIGN.sub("", self._filled(section, line, names, counts)))
        if said := line.text or text:
            is_glyph = self._kind(section) == "glyphs" and line.id != said
            return f"{self._glyph(line.id)}: {said}" if is_glyph else said
        if line.kind == "card":
            return names or readable(line.id)
        if line.kind == "count":
            own = line.id == "$count"  # the section's only count
            name = self.section(section) if own else readable(line.id)
            return f"{name}: {counts[0]}"
        return readable(line.id)

    def _filled(
        self, section: str, line: WrittenLine, names: str, counts: tuple[int, int]
    ) -> str:
        """Return the text of a line, with a card's number repeated for each card."""
        text = self.words.line(section, line.id, "#name#", "#X#", "#Y#")
        numbered = _NUMBERED.search(text) if line.kind == "card" else None
        if numbered is None:
            return self.words.line(section, line.id, names, *counts)
        each = (
            numbered[0].replace("#name#", self.card(code)).replace("#X#", str(count))
            for code, count in line.cards
        )
        return text[: numbered.start()] + ", ".join(each) + text[numbered.end() :]

    def _going(self, line: WrittenLine) -> str:
        """Return whom an investigator takes along."""
        values = {"name": self.card(line.id.removeprefix(GOES_WITH))}
        partners = [code for code, _count in line.cards if code != NO_PARTNER]
        if not partners:
            return _("%(name)s without a partner") % values
        values["partner"] = ", ".join(map(self.card, partners))
        return _("%(name)s with %(partner)s") % values

    def standing(self, place: str) -> str:
        """Return a line of the log by its section and id, joined with a point."""
        section, point, line_id = place.partition(".")
        title = self.section(section)
        if not point:
            return title
        scenario, is_note, _index = line_id.partition("$")
        if scenario and is_note:
            noted = _("a note on %(scenario)s") % {"scenario": self.scenario(scenario)}
            return f"{title}: {noted}"
        # The table's own lines have their text as id.
        text = self.phrase(section, line_id) if _ID.fullmatch(line_id) else line_id
        return f"{title}: {text}"

    def phrase(self, section: str, line_id: str, name: str = "…") -> str:
        """Return the text of a line by its id, whether or not the log has it."""
        if not line_id:
            return ""
        text = self.words.line(section, line_id, name, "…", "…")
        text = unmarked(_SIGN.sub("", text))
        return text or (self.card if self.is_card(line_id) else readable)(line_id)

    def is_card(self, identifier: str) -> bool:
        """Return whether it is the code of a card of the pool or the guide."""
        return identifier in self.pool or identifier in self.guide.cards

    def number(self, section: str, line_id: str) -> str:
        """Return a number of the log by its section and, if it has several, line."""
        title = self.section(section)
        if not line_id or line_id == COUNT:
            return title
        text = self.words.line(section, line_id, "…", "…", "…")
        return f"{title}, {unmarked(text).rstrip(': …') or readable(line_id)}"

    def word(self, identifier: str) -> str:
        """Return a term of the rules that is not a name: a difficulty, an outcome."""
        return str(_ENDS.get(identifier) or readable(identifier))

    def is_partner(self, code: str) -> bool:
        """Return whether this is a partner rather than an investigator."""
        return code in self.guide.partners

    def _kind(self, section: str) -> str:
        return next((s.kind for s in self.guide.sections if s.id == section), "")

    def _glyph(self, glyph: str) -> str:
        """Return a glyph's name from its id, without the campaign's prefix."""
        return readable(glyph.removeprefix(f"{self.guide.id}_")).title()
