"""What the steps of a guide ask of the table: the prompts, one small class each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from arkham.rules.campaign.model.conditions import Condition, Operand, PartnerCheck
from arkham.rules.campaign.model.effects import Batch, Mark

NOBODY = "no one"  # has a thing any more


@dataclass(frozen=True, slots=True)
class PromptChoice:
    """One thing to choose: what follows from it, and when it is offered."""

    id: str
    condition: Condition | None = None
    batches: tuple[Batch, ...] = ()
    steps: tuple[str, ...] = ()
    repeatable: bool = False
    hidden: bool = False
    duplicates: bool = False


@dataclass(frozen=True, slots=True)
class ChooseOne:
    """One of several; a single choice is a question of yes or no.

    ``random`` says that the guide leaves the choice to chance.
    """

    choices: tuple[PromptChoice, ...]
    random: bool = False


@dataclass(frozen=True, slots=True)
class Menu:
    """One of several things to do next: the table's own choice."""

    choices: tuple[PromptChoice, ...]


@dataclass(frozen=True, slots=True)
class Counter:
    """A number; ``of`` is the one of the log it is added to: its section and line."""

    batches: tuple[Batch, ...]
    least: Operand | None = None
    most: Operand | None = None
    of: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class SeatCounter:
    """A number for each investigator.

    ``taken_from`` is the section it is added to, of which no more can be taken away
    than stands there; ``trauma`` the kind (``physical``, ``mental``) of which nobody
    can name more than they have.
    """

    batches: tuple[Batch, ...]
    least: int | None = None
    most: int | None = None
    total: int | None = None
    taken_from: str = ""
    trauma: str = ""


@dataclass(frozen=True, slots=True)
class SeatChoice:
    """A choice for each investigator, for some or for one.

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
    """Who plays; with effects for the lead investigator, also who leads."""

    lead: Batch | None = None
    nobody_steps: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Checklist:
    """Any number of several."""

    choices: tuple[PromptChoice, ...]
    least: int | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True)
class ChoiceList:
    """One choice for each of several items, or for some if it is ``optional``."""

    items: tuple[PromptChoice, ...]
    choices: tuple[PromptChoice, ...]
    optional: bool = False


@dataclass(frozen=True, slots=True)
class CardQuery:
    """Which cards can be chosen: these codes, or those of decks or the scenario."""

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
    """A choice for each of some cards, or how many there are of each.

    No card that stands in the section ``unwritten`` is meant.
    """

    queries: tuple[CardQuery, ...]
    choices: tuple[PromptChoice, ...]
    counts: bool = False
    least: int | None = None
    most: int | None = None
    unwritten: str = ""


@dataclass(frozen=True, slots=True)
class PlayScenario:
    """The play step: what may be noted while a scenario is played, and its end."""

    branches: tuple[PromptChoice, ...] = ()
    log_choices: tuple[PromptChoice, ...] = ()
    fixed_resolution: str = ""
    single_resolution: str = ""
    no_resolutions: bool = False


@dataclass(frozen=True, slots=True)
class UpgradeDecks:
    """Decks are brought up to date, with all that was earned.

    ``skip_decks`` says that none is upgraded yet: what was earned is spent later.
    """

    pool: str = ""
    counter: str = ""
    story_cards: tuple[str, ...] = ()
    exile: bool = False
    skip_decks: bool = False


@dataclass(frozen=True, slots=True)
class SaveDecks:
    """Decks are brought up to date as to cards."""

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
    """A supply is used up, by ``all`` or by whom the table chooses."""

    section: str
    id: str
    who: str
    used: PromptChoice | None
    unused: PromptChoice | None
    least: int | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True)
class SeatSupplies:
    """One investigator is chosen; what follows depends on their supplies."""

    section: str
    id: str
    having: PromptChoice
    lacking: PromptChoice


@dataclass(frozen=True, slots=True)
class Worth:
    """A card for the victory display: its points, and how many copies there are."""

    code: str
    points: int
    copies: int | None = None


@dataclass(frozen=True, slots=True)
class VictoryDisplay:
    """Which cards lie in the victory display; what they are worth is carried on.

    ``cards`` are those that can be expected there; None where the facts of the scenario
    say which.
    """

    batches: tuple[Batch, ...]
    cards: tuple[Worth, ...] | None = None


@dataclass(frozen=True, slots=True)
class ChooseLines:
    """Some of the lines that stand in the log, and what is done to them; of ``whole``
    sections, where something stands in them."""

    mark: Mark
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Holders:
    """Who has which of some things there is one of each.

    What follows from an item concerns who has it now, what follows from ``given_up``
    everybody who may have had it; both have the same ids.
    """

    items: tuple[PromptChoice, ...]
    given_up: tuple[PromptChoice, ...]


@dataclass(frozen=True, slots=True)
class CardCounts:
    """How many copies of some cards lie in each deck now: codes, and copies in all."""

    cards: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class TextBox:
    """Words of the table's own."""

    batches: tuple[Batch, ...]


@dataclass(frozen=True, slots=True)
class SendLink:
    """What is sent to the other campaign."""

    id: str
    decision: str


@dataclass(frozen=True, slots=True)
class ReceiveLink:
    """What the other campaign has sent."""

    id: str
    choices: tuple[PromptChoice, ...]


@dataclass(frozen=True, slots=True)
class ChoosePartners:
    """Some partners, by chance or by choice."""

    check: PartnerCheck
    batches: tuple[Batch, ...]
    quantity: Operand | None = None


@dataclass(frozen=True, slots=True)
class AssignPartners:
    """Which partner goes with each investigator."""

    check: PartnerCheck


@dataclass(frozen=True, slots=True)
class PartnerTrauma:
    """Damage and horror on each partner."""

    section: str


@dataclass(frozen=True, slots=True)
class Randomizer:
    """For each choice, one option by chance."""

    choices: tuple[PromptChoice, ...]
    options: tuple[PromptChoice, ...]


@dataclass(frozen=True, slots=True)
class RandomPlaces:
    """Chance names one of these places, in play; nothing in the log follows from it.

    The app stays there until the answer before is taken back.
    """

    cards: tuple[str, ...] = ()
    several: bool = False


@dataclass(frozen=True, slots=True)
class DeadEnd:
    """Something to look at that is left by taking back the answer before."""


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
