"""The differences between the printed rules and the Arkham Cards app.

Campaigns here are folded by the rules. What was recorded with the app is folded the
app's way, its bugs included, so that runs and backups give the same results. The
differences D1 to D12 are listed under these numbers in ``docs/guides.md``.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from arkham.rules.campaign.model.guide import COMMON_LIMITS, RULED_LIMITS


@dataclass(frozen=True, slots=True)
class Policy:
    """One value for each difference; the default is the rule.

    The comment above each value says what the app does, and the rule where needed.
    """

    # --- investigators

    # A code in a guide means that investigator alone, playing or not; by the rules it
    # means any version of them that plays (CARD-01).
    finds_every_version: bool = True
    # A named investigator is never found among the defeated (D1).
    finds_named_defeated: bool = True
    # The killed and insane are not among the defeated (ELIM-14).
    counts_dead_as_defeated: bool = True
    # Only those with a reported outcome are defeated, not those who died before.
    needs_reported_outcome: bool = False
    # Killed and insane investigators count when all use up a supply.
    dead_use_supplies: bool = False
    # A prompt for investigators is shown even if none of them is left.
    asks_the_absent: bool = False
    # Answers for an investigator count, whether they play or not.
    hears_the_absent: bool = False

    # --- experience and trauma

    # A standalone scenario gives experience, and trauma for a defeat (XP-24, STAND-10).
    pays_single_games: bool = False
    # Killed and insane investigators earn experience (XP-29, TRA-08).
    pays_the_dead: bool = False
    # A named investigator's price for a side scenario is due even if those are free.
    waives_named_costs: bool = True
    # A bonus in the condition of a task adds the number of the task too (D6).
    adds_number_to_bonus: bool = False
    # Redirected experience is lost if the step passes on whom it is for; scales are
    # ignored (D4).
    keeps_redirected: bool = True
    # Setting trauma to 0 does nothing (D2).
    sets_trauma_to_zero: bool = True
    # Healing takes trauma below 0.
    heals_below_none: bool = False

    # --- the chaos bag

    # The bag is cut down to the tokens of one set of the game (D3); by the rules only
    # bless, curse and frost have a limit (BAG-05, BAG-10, BAG-26), and tokens in the
    # bag stay.
    limits_the_bag: bool = False
    # Bless and curse tokens stay in the bag after a game (BAG-09).
    keeps_passing_tokens: bool = False

    # --- decks and supplies

    # Changes of a deck wait until all decks are upgraded, and are made again where a
    # guide leads there twice.
    settles_decks_at_once: bool = True
    # If you sit out the last of several games before an upgrade, you don't upgrade.
    upgrades_the_absent: bool = True
    # Only story cards leave a deck; by the rules, added weaknesses do too.
    takes_added_cards: bool = True
    # Exiling a single copy of a counted story card removes all its copies.
    exiles_single_copies: bool = True
    # No cards are reported when decks are only saved.
    saves_reported_cards: bool = True
    # A transferred deck draws the weaknesses of a setup again (CAMP-11, CAMP-14).
    deals_to_transferred: bool = False
    # Only the fact that someone has a supply is passed on, not who.
    names_the_supplied: bool = True
    # Using supplies takes their number below 0.
    uses_below_none: bool = False
    # Uses are offered even if no one has the supply, or no deck the card it removes.
    uses_in_vain: bool = False
    # Supplies that were crossed out still count when more are gained.
    counts_crossed_out: bool = False

    # --- prompts, conditions and the log

    # In a list of conditions, that each has a card always counts as met (D10).
    assumes_cards_of_each: bool = False
    # Text for a missing section is lost (D11).
    makes_missing_sections: bool = True
    # A prompt without an available choice waits for ever.
    passes_empty_choices: bool = True
    # Choices are offered though they can do nothing: the bag has all tokens of the
    # kind, or no one can be healed.
    offers_in_vain: bool = False
    # A list without an available choice is shown all the same.
    passes_empty_lists: bool = True
    # Random locations and certain text-only prompts are dead ends.
    passes_dead_ends: bool = True
    # All rounds of a loop from the second on are called ``#NaN``.
    numbers_rounds: bool = True

    # --- scenarios and the map

    # A scenario that is named twice, or is twice in the order, is played again with
    # the same answers.
    repeats_scenarios: bool = False
    # After a standalone scenario the next one in the list begins.
    goes_on_alone: bool = False
    # Facts stated for the end are not read if the campaign was lost.
    reads_end_when_lost: bool = True
    # Changes by hand after a custom side scenario are ignored.
    keeps_changes_after_own: bool = True
    # A change of the play step before the game is known is ignored (D12).
    keeps_early_play_step: bool = True
    # Cities in transit count as visited (D5).
    visits_in_transit: bool = False

    def token_limit(self, token: str) -> int | None:
        """Return the most tokens of a kind the bag can have; None if unlimited."""
        if self.limits_the_bag:
            return COMMON_LIMITS.get(token, 0)
        return RULED_LIMITS.get(token)

    def healed(self, trauma: int) -> int:
        """Return the trauma left after healing."""
        return trauma if self.heals_below_none else max(trauma, 0)


BY_THE_RULES = Policy()
AS_THE_APP = Policy(**{each.name: not each.default for each in fields(Policy)})
