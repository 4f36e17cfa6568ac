"""By the rules, or as the Arkham Cards app has it: everything in which they differ.

Every table here is folded by the rules. What the app recorded is folded as the app has
it, its defects included, so that runs and backups lead where they led. The same
differences, under the same numbers (D1 to D12), are listed in ``docs/guides.md``.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from arkham.rules.campaign.model.guide import COMMON_LIMITS, RULED_LIMITS


@dataclass(frozen=True, slots=True)
class Policy:
    """One value for each difference; the default is the rule.

    The comment above each says what the app does, and the rule where it needs one.
    """

    # --- investigators

    # A code a guide names is that investigator alone, playing or not; by the rules it
    # is whoever plays them, in any version (CARD-01).
    finds_every_version: bool = True
    # A named investigator is never found among the defeated (D1).
    finds_named_defeated: bool = True
    # Who is killed or insane by then is none of the defeated (ELIM-14).
    counts_dead_as_defeated: bool = True
    # Only whose outcome was reported is defeated, not who died before.
    needs_reported_outcome: bool = False
    # Killed and insane investigators need one each of what all use up.
    dead_use_supplies: bool = False
    # A prompt for investigators is shown where none of them is left.
    asks_the_absent: bool = False
    # What was answered for an investigator holds, whether they play or not.
    hears_the_absent: bool = False

    # --- experience and trauma

    # A scenario on its own gives experience, and trauma for a defeat (XP-24, STAND-10).
    pays_single_games: bool = False
    # Killed and insane investigators earn experience (XP-29, TRA-08).
    pays_the_dead: bool = False
    # What a named investigator pays for a side scenario is due where those are free.
    waives_named_costs: bool = True
    # A bonus in the condition of a task brings the number of the task too (D6).
    adds_number_to_bonus: bool = False
    # Redirected experience is lost where the step carries whom it is for; scales are
    # forgotten (D4).
    keeps_redirected: bool = True
    # Trauma set to 0 stays as it is (D2).
    sets_trauma_to_zero: bool = True
    # Healing counts trauma on below none.
    heals_below_none: bool = False

    # --- the chaos bag

    # The bag holds no more tokens than one set of the game has, and is cut down to that
    # (D3); only bless, curse and frost have a limit (BAG-05, BAG-10, BAG-26), and what
    # is in the bag stays.
    limits_the_bag: bool = False
    # Bless and curse tokens stay in the bag after a game (BAG-09).
    keeps_passing_tokens: bool = False

    # --- decks and supplies

    # What happens to a deck waits until all decks are upgraded.
    settles_decks_at_once: bool = True
    # Only story cards leave a deck; by the rules weaknesses that were added do too.
    takes_added_cards: bool = True
    # A single copy of a counted story card that is exiled is the whole card.
    exiles_single_copies: bool = True
    # Where decks are only saved, no cards are reported.
    saves_reported_cards: bool = True
    # A deck from another campaign draws the weaknesses of a setup once more (CAMP-11,
    # CAMP-14).
    deals_to_transferred: bool = False
    # Who has a supply is forgotten once one investigator is known to have it.
    names_the_supplied: bool = True
    # Supplies that are used are counted on below none.
    uses_below_none: bool = False
    # What takes a card out of a deck is offered where no deck has that card.
    uses_in_vain: bool = False
    # Supplies that were crossed out still count when more are gained.
    counts_crossed_out: bool = False

    # --- prompts, conditions and the log

    # Among several conditions, a card each may have counts as met (D10).
    assumes_cards_of_each: bool = False
    # Words for a section that is not there are lost (D11).
    makes_missing_sections: bool = True
    # A prompt without a choice that can be had waits for ever.
    passes_empty_choices: bool = True
    # A list of which nothing can be had is shown all the same.
    passes_empty_lists: bool = True
    # A random location, and a step that is only text, is a dead end.
    passes_dead_ends: bool = True
    # The second round of a loop and all that follow have one name, ``#NaN``.
    numbers_rounds: bool = True

    # --- scenarios and the map

    # A scenario that is named twice, or comes again in the order, is played with the
    # same answers once more.
    repeats_scenarios: bool = False
    # After a scenario on its own the next one in the list begins.
    goes_on_alone: bool = False
    # What is stated of the end is not read where the campaign was lost.
    reads_end_when_lost: bool = True
    # Changes by hand after a side scenario of one's own are forgotten.
    keeps_changes_after_own: bool = True
    # Another play step named before the game is known is forgotten (D12).
    keeps_early_play_step: bool = True
    # A city passed through counts as visited (D5).
    visits_in_transit: bool = False

    def token_limit(self, token: str) -> int | None:
        """How many tokens of a kind there can be; None is without limit."""
        if self.limits_the_bag:
            return COMMON_LIMITS.get(token, 0)
        return RULED_LIMITS.get(token)

    def healed(self, trauma: int) -> int:
        """What is left of trauma after healing."""
        return trauma if self.heals_below_none else max(trauma, 0)


BY_THE_RULES = Policy()
AS_THE_APP = Policy(**{each.name: not each.default for each in fields(Policy)})
