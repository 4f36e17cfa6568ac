"""Preferences of runs of The Feast of Hemlock Vale, and options that never occur.

Each is a scenario, a step and an answer.
"""

from __future__ import annotations

# Options for residents who know and support the investigators.
TOWARDS = {
    *(
        (scenario, "$play_scenario", "codex")
        for scenario in (
            *("fhv_prologue", "dawn_of_the_second_day", "dawn_of_the_final_day"),
            *("written_in_rock", "hemlock_house", "the_silent_heath"),
            *("the_lost_sister", "the_thing_in_the_depths", "the_twisted_hollow"),
            *("the_longest_night", "the_final_evening", "fate_of_the_vale"),
        )
    ),
    ("fhv_prologue", "choose_first_scenario", "written_in_rock"),
    ("written_in_rock", "$choose_resolution", "R1"),
    ("written_in_rock", "$choose_resolution", "R2"),
    ("the_first_evening", "next_scenario_choice", "search"),
    ("dawn_of_the_second_day", "$choose_next_scenario_day", "the_lost_sister"),
    ("the_twisted_hollow", "choose_judith_or_theo", "judith"),
    ("the_second_evening", "next_scenario_choice", "search"),
    ("the_longest_night", "ask_agenda_flip", "kill"),
    ("dawn_of_the_final_day", "$choose_next_scenario_day", "hemlock_house"),
    ("the_first_evening", "codex_theta_question", "hemlock"),
    ("dawn_of_the_second_day", "codex_13_choice", "william"),
    ("dawn_of_the_second_day", "choose_gift_recipient", "william"),
}

# The prologue ends in one way. No player has the asset of a side scenario; the
# diary is found on the second evening, and no bag has a −6 without a −7 before.
_SECOND, _FINAL = "dawn_of_the_second_day", "dawn_of_the_final_day"
NEVER = {
    *(("fhv_prologue", "$choose_resolution", each) for each in ("yes", "no")),
    *(
        (day, "choose_side_story_asset", each)
        for day in (_SECOND, _FINAL)
        for each in (
            *("82023", "82024", "82025", "82026", "83056", "83057", "84006"),
            *("85026", "85029", "86051", "86054", "86055", "87032", "89021"),
        )
    ),
    (_SECOND, "$ask_give_gift_choice", "pearl_diary"),
    # Tables count up to six, but the question about Judith needs eight locations.
    ("hemlock_house", "ask_control_judith_at_end", "yes"),
    ("hemlock_house", "ask_control_judith_at_end", "no"),
    (_SECOND, "$fatigue_tokens_1", "-6"),
    (_SECOND, "$fatigue_tokens_2", "-6"),
    # This takes three evenings with the same resident: separate tests do it.
    ("the_final_evening", "codex_13_choice", "william"),
    ("the_longest_night", "ask_sacrificed_resident", "river"),
}

# In a standalone, no resident has shared a dance.
NEVER_ALONE = {
    ("the_longest_night", "ask_agenda_flip", "kill"),
    *(
        ("the_longest_night", "ask_sacrificed_resident", each)
        for each in ("leah", "simeon", "william", "river", "gideon", "judith", "theo")
    ),
    *(("the_longest_night", "codex", f"codex_{each}") for each in range(2, 9)),
}
