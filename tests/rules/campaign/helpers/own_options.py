"""Options of our guides: those that runs should prefer, and those that never occur."""

from __future__ import annotations

from typing import Any

from tests.rules.campaign.helpers import vale
from tests.rules.campaign.helpers.own_routes import SELDOM, Option


def _to_the_inner_circle(returned: str) -> set[Option]:
    """Options that lead to the questions of Carl Sanford's inner circle."""
    return {
        Option(f"{returned}at_deaths_doorstep", "$choose_resolution", "R1"),
        Option("the_price_of_progress", "check_josef_meiger", "entry_hall"),
        Option("the_price_of_progress", "choose_lodge", "agree"),
        Option("the_price_of_progress", "choose_lodge", "lie"),
        Option(
            f"{returned}the_secret_name",
            "choose_tell_lodge_about_witches",
            "tell_lodge",
        ),
        Option(f"{returned}for_the_greater_good", "$choose_resolution", "R1"),
        Option("the_inner_circle", "choose_to_share_info", "give_mementos"),
    }


# Answers that lead where random answers seldom do: each of these sets is preferred
# in as many runs as have no preference.
TOWARDS = {
    "rttcu": (
        _to_the_inner_circle("return_to_"),
        {  # to events that Erynn makes possible
            Option("return_to_the_witching_hour", "$choose_resolution", "R5"),
            Option("return_to_the_wages_of_sin", "$choose_resolution", "R3"),
            Option("return_to_union_and_disillusion", "$choose_resolution", "R4"),
        },
    ),
    "fhv": ({Option(*each) for each in vale.TOWARDS},),
    "tcu": (_to_the_inner_circle(""),),
}

# Runs that give answers no run before them has given, best first: with them the search
# for every option ends soon. A change to a guide may need others, which the search
# finds among the next runs; to list them here, try each number beside the first runs,
# and take the one with most new answers until none is missing.
FRUITFUL = {
    guide: tuple(map(int, seeds.split()))
    for guide, seeds in (
        ("dwl", "80 62 92"),
        (
            "eoe",
            "63 99 131 93 62 73 74 165 184 249 251 61 76 81 91 100 111 121 129 "
            "149 186 203 211 215 263 264 279 329",
        ),
        ("fhv", "98 222 227 464 84 245 356 86 512 60 65 76 113 163 236 314 565"),
        ("ptc", "103 174 175 61 187"),
        ("rtdwl", "62"),
        ("rtptc", "174"),
        ("rttcu", "69 83 112 136 70 87 89 166"),
        ("rttfa", "192 61 78 118 138 205 480"),
        ("tcu", "154 640 65 72 1508"),
        (
            "tdc",
            "420 1392 840 726 139 576 1464 478 690 325 659 601 1189 90 510 945 "
            "119 120 291 298 323 372 376 472 736 1210 1627",
        ),
        ("tdeb", "99"),
        ("tfa", "201 66 61 71 75 100 103 116 117 179 181"),
        ("tic", "72 81"),
        (
            "tskc",
            "113 1034 642 906 958 997 1140 1477 955 1021 1081 91 106 773 85 100 "
            "218 486 575 691 909 97 117 127 132 150 197 225 316 324 506 1758 "
            "1899",
        ),
    )
}


def _taking(scenario: str, *cards: str) -> set[Option]:
    """Options of taking over cards from investigators who no longer play."""
    steps = [f"{card}_effects_investigator" for card in cards]
    answers = ("somebody", "nobody")
    return {Option(scenario, step, each) for step in steps for each in answers}


_STRANGER, _CLASP = "transfer_mitpm", "transfer_onyx_clasp"
_VIPS = ("03065b", "03066b", "03067b", "03068b", "03069b")


def _never_in_carcosa(returned: str) -> dict[tuple[str, str], set[Option]]:
    """Options that never occur in The Path to Carcosa, or in the Return to it.

    In whole campaigns, tables keep the same investigators as long as they can. In a
    standalone the lead investigator has the Stranger, no one has the clasp, and the
    printing is unknown.
    """
    guide = "rtptc" if returned else "ptc"
    king, echoes, mask, oath = (
        f"{returned}{each}"
        for each in (
            *("the_last_king", "echoes_of_the_past"),
            *("the_pallid_mask", "the_unspeakable_oath"),
        )
    )
    vips = (*_VIPS, "52023") if returned else _VIPS
    slain = {Option(king, "vips_slain_reprint", f"{code} slain") for code in vips}
    return {
        (guide, ""): {
            *_taking(king, _STRANGER),
            *_taking(echoes, _STRANGER),
            *_taking(oath, _STRANGER),
        },
        (guide, king): {*_taking(king, _STRANGER), *slain},
        (guide, mask): _taking(mask, _STRANGER, _CLASP),
        (guide, oath): _taking(oath, _CLASP, "take_onyx_clasp"),
    }


def _never_at_midnight(guide: str, scenario: str) -> dict[Any, set[Option]]:
    """In a standalone, the log doesn't say that the Ghoul Priest is alive."""
    asked = "ask_ghoul_priest_defeated"
    return {(guide, scenario): {Option(scenario, asked, a) for a in ("yes", "no")}}


def _never_in_the_forgotten_age(guide: str, returned: str) -> dict[Any, set[Option]]:
    """In a standalone, the Harbinger isn't alive, no one is poisoned or has supplies.

    Nor does anyone have the cards that the Return gives earlier.
    """
    depths, threads = f"{returned}the_depths_of_yoth", f"{returned}threads_of_fate"
    harbinger = (
        *(("check_harbinger", each) for each in ("alive", "no_harbinger")),
        ("check_harbinger", "victory_display"),
        ("record_harbinger", "given"),
    )
    unpoisoned = Option(threads, "choose_to_heal_poison", "remove_poison")
    key = Option(depths, "gain_key_of_eztli", "gain_key_of_eztli")
    rope = Option(depths, "cross_out_rope", "given")
    never = {
        (guide, depths): {rope, *(Option(depths, *each) for each in harbinger)},
        (guide, threads): {unpoisoned},
    }
    if returned:
        never[guide, depths].add(key)
        medicine = ("cross_out_medicine", "given")
        never[guide, threads] |= {Option(threads, *each) for each in harbinger}
        never[guide, threads].add(Option(threads, *medicine))
    return never


# Tasks count from the offer to the return; before and after, no progress is asked
# for. A bag with a −6 has the one −8, except after the first swap.
_WITH, _WITHOUT = "$upgrade_decks_with_progress", "$upgrade_decks_no_progress"
_DROWNED = {
    *(
        Option(scenario, _WITHOUT, "yes")
        for scenario in (
            *("the_western_wall", "the_drowned_quarter", "the_apiary"),
            *("the_grand_vault", "court_of_the_ancients", "obsidian_canyons"),
            "sepulchre_of_the_sleeper",
        )
    ),
    Option("return_to_arkham", _WITH, "yes"),
    Option("return_to_arkham", "ask_first_token", "-6"),
}


def _never_before_there_are_investigators() -> set[Option]:
    """The prologue of The Circle Undone has other investigators and only one ending."""
    prologue = "disappearance_at_the_twilight_estate"
    asked = {
        "$change_lead_investigator": ("lead",),
        "$choose_resolution": ("yes", "no"),
        "$draw_weakness": ("draw_weakness",),
        "$draw_weakness_effects_weakness": ("given",),
        "$r_no_resolution*investigator_status": ("eliminated", "mental", "physical"),
        "$record_trauma": ("record_trauma",),
        "$record_trauma_effects_trauma": ("mental", "physical"),
    }
    return {
        Option(prologue, step, each)
        for step, answers in asked.items()
        for each in answers
    }


# Options that never occur, although the guide itself does not show it.
NEVER: dict[tuple[str, str], set[Option]] = {
    **_never_at_midnight("core", "arkham"),
    **_never_at_midnight("rtnotz", "return_to_the_midnight_masks"),
    **_never_in_carcosa(""),
    **_never_in_carcosa("return_to_"),
    ("fhv", ""): {Option(*each) for each in vale.NEVER},
    ("fhv", "the_longest_night"): {Option(*each) for each in vale.NEVER_ALONE},
    ("rttcu", ""): _never_before_there_are_investigators(),
    ("tcu", ""): _never_before_there_are_investigators(),
    ("tdc", ""): _DROWNED,
    # No investigator who plays has such a trait: a separate test gives them one.
    ("tdea", ""): {
        Option("beyond_the_gates_of_sleep", "choose_dreams", dream)
        for dream in ("hunter", "medic", "veteran", "wayfarer")
    },
    # In a standalone no deck has Randolph.
    ("tdea", "the_search_for_kadath"): _taking(
        "the_search_for_kadath", "transfer_randolph_carter"
    ),
    **_never_in_the_forgotten_age("tfa", ""),
    **_never_in_the_forgotten_age("rttfa", "return_to_"),
    ("tskc", ""): SELDOM,
}
