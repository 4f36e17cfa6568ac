"""The prompts: what the steps of a guide ask the players, one small class each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from arkham.rules.campaign.model.conditions import Condition, Operand, PartnerCheck
from arkham.rules.campaign.model.effects import Batch, Mark

NO_ONE = "no one"  # the answer that no one has a thing any more


@dataclass(frozen=True, slots=True)
class PromptChoice:
    """One choice: what follows from it, and the condition under which it is offered."""

    id: str
    condition: Condition | None = None
    batches: tuple[Batch, ...] = ()
    steps: tuple[str, ...] = ()
    repeatable: bool = False
    hidden: bool = False
    duplicates: bool = False


@dataclass(frozen=True, slots=True)
class ChooseOne:
    """One of several choices; with a single choice, a yes-or-no question.

    ``random`` means that the guide leaves the choice to chance.
    """

    choices: tuple[PromptChoice, ...]
    random: bool = False


@dataclass(frozen=True, slots=True)
class Menu:
    """One of several things to do next, as the players like."""

    choices: tuple[PromptChoice, ...]


@dataclass(frozen=True, slots=True)
class Counter:
    """A number; ``of`` is the section and line of the log that it is added to."""

    batches: tuple[Batch, ...]
    least: Operand | None = None
    most: Operand | None = None
    of: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class SeatCounter:
    """A number for each investigator.

    ``taken_from`` is the section it is added to; no more can be subtracted than the
    section has. ``trauma`` is a kind (``physical``, ``mental``) of which no one can
    name more than they have.
    """

    batches: tuple[Batch, ...]
    least: int | None = None
    most: int | None = None
    total: int | None = None
    taken_from: str = ""
    trauma: str = ""


@dataclass(frozen=True, slots=True)
class SeatChoice:
    """A choice for each investigator, for some, or for one.

    ``who`` is ``all``, ``choice``, ``any``, ``alive``, ``resigned``, ``defeated`` or
    ``not_defeated``; ``in_turn`` asks one investigator after the other.
    """

    who: str
    choices: tuple[PromptChoice, ...]
    condition: Condition | None = None
    in_turn: bool = False
    unique: bool = False
    optional: bool = False
    least: Operand | None = None
    most: Operand | None = None


@dataclass(frozen=True, slots=True)
class ChooseInvestigators:
    """Who plays; if ``lead`` is given, also who is lead investigator."""

    lead: Batch | None = None
    nobody_steps: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Checklist:
    """Any number of several choices."""

    choices: tuple[PromptChoice, ...]
    least: int | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True)
class ChoiceList:
    """One choice for each of several items, or only for some if ``optional``."""

    items: tuple[PromptChoice, ...]
    choices: tuple[PromptChoice, ...]
    optional: bool = False


@dataclass(frozen=True, slots=True)
class CardQuery:
    """Which cards can be chosen: given codes, or cards of decks or of the scenario."""

    codes: tuple[str, ...] = ()
    source: str = ""
    traits: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    unique: bool = False
    vengeance: bool = False
    no_story: bool = False
    excluded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CardChoice:
    """A choice for each of some cards, or the number of copies of each.

    Cards recorded in the section ``unwritten`` are excluded.
    """

    queries: tuple[CardQuery, ...]
    choices: tuple[PromptChoice, ...]
    counts: bool = False
    least: int | None = None
    most: int | None = None
    unwritten: str = ""


@dataclass(frozen=True, slots=True)
class PlayScenario:
    """The play step: what can be recorded during a scenario, and its end."""

    branches: tuple[PromptChoice, ...] = ()
    log_choices: tuple[PromptChoice, ...] = ()
    fixed_resolution: str = ""
    single_resolution: str = ""
    no_resolutions: bool = False


@dataclass(frozen=True, slots=True)
class UpgradeDecks:
    """Decks are brought up to date with everything earned.

    With ``skip_decks`` none is upgraded yet; experience is spent later.
    """

    pool: str = ""
    counter: str = ""
    story_cards: tuple[str, ...] = ()
    exile: bool = False
    skip_decks: bool = False


@dataclass(frozen=True, slots=True)
class SaveDecks:
    """The cards of decks are brought up to date."""

    trauma: bool = False
    experience: bool = False


@dataclass(frozen=True, slots=True)
class Supplies:
    """What each investigator packs for the points given."""

    section: str
    points: tuple[int, ...]
    costs: tuple[tuple[str, int, bool], ...]
    pool: str = ""


@dataclass(frozen=True, slots=True)
class UseSupplies:
    """A supply is used up, by ``all`` or by those the players choose."""

    section: str
    id: str
    who: str
    used: PromptChoice | None
    unused: PromptChoice | None
    least: int | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True)
class SeatSupplies:
    """A choice of one investigator; what follows depends on their supplies."""

    section: str
    id: str
    having: PromptChoice
    lacking: PromptChoice


@dataclass(frozen=True, slots=True)
class Worth:
    """A card for the victory display: its points and number of copies."""

    code: str
    points: int
    copies: int | None = None


@dataclass(frozen=True, slots=True)
class VictoryDisplay:
    """Which cards are in the victory display; their value is passed on.

    ``cards`` are those that can be expected there; None if the facts of the scenario
    list them.
    """

    batches: tuple[Batch, ...]
    cards: tuple[Worth, ...] | None = None


@dataclass(frozen=True, slots=True)
class ChooseLines:
    """A choice of lines to ``mark`` in the log, or of ``whole`` sections with lines."""

    mark: Mark
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Holders:
    """Who has which of several unique things.

    An item's effects concern who has it now; the effects of ``given_up`` concern
    everyone who may have had it. Both have the same ids.
    """

    items: tuple[PromptChoice, ...]
    given_up: tuple[PromptChoice, ...]


@dataclass(frozen=True, slots=True)
class CardCounts:
    """How many copies of some cards each deck has now: codes, and copies in total."""

    cards: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class TextBox:
    """Text in the players' own words."""

    batches: tuple[Batch, ...]


@dataclass(frozen=True, slots=True)
class SendLink:
    """A decision that is sent to the linked campaign."""

    id: str
    decision: str


@dataclass(frozen=True, slots=True)
class ReceiveLink:
    """A decision that the linked campaign has sent."""

    id: str
    choices: tuple[PromptChoice, ...]


@dataclass(frozen=True, slots=True)
class ChoosePartners:
    """A choice of partners, by chance or by the players."""

    check: PartnerCheck
    batches: tuple[Batch, ...]
    quantity: Operand | None = None


@dataclass(frozen=True, slots=True)
class AssignPartners:
    """Which partner accompanies each investigator."""

    check: PartnerCheck


@dataclass(frozen=True, slots=True)
class PartnerTrauma:
    """The damage and horror on each partner."""

    section: str


@dataclass(frozen=True, slots=True)
class Randomizer:
    """One random option for each choice."""

    choices: tuple[PromptChoice, ...]
    options: tuple[PromptChoice, ...]


@dataclass(frozen=True, slots=True)
class RandomPlaces:
    """A random one of these places, for play only; nothing is recorded.

    The app stays there until the previous answer is retracted.
    """

    cards: tuple[str, ...] = ()
    several: bool = False


@dataclass(frozen=True, slots=True)
class DeadEnd:
    """Something to look at; the only way on is to retract the previous answer."""


Prompt: TypeAlias = (
    ChooseOne
    | Menu
    | Counter
    | SeatCounter
    | SeatChoice
    | ChooseInvestigators
    | Checklist
    | ChoiceList
    | CardChoice
    | PlayScenario
    | UpgradeDecks
    | SaveDecks
    | Supplies
    | UseSupplies
    | SeatSupplies
    | VictoryDisplay
    | ChooseLines
    | Holders
    | CardCounts
    | TextBox
    | SendLink
    | ReceiveLink
    | ChoosePartners
    | AssignPartners
    | PartnerTrauma
    | Randomizer
    | RandomPlaces
    | DeadEnd
)
