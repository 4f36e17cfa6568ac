"""The larger drawings: campaign emblems, class ornaments, QR codes.

The first two are drawn in a square of 48 units as outlines of 2 units with round ends,
in the text colour, and are our own: nothing is copied from printed art.
"""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO

import segno
from django.utils.safestring import SafeString, mark_safe

RIM = "M24 2.5a21.5 21.5 0 1 0 0 43a21.5 21.5 0 1 0 0-43z"
# A Return to campaign has the original's emblem with a circling arrow.
_AGAIN = "M12 9.8a18.6 18.6 0 1 0 24 0|M36.5 15v-5h-5"

_EMBLEMS: Mapping[str, str] = {
    # A fire on steps.
    "core": "M24 11c1 5 6 7 6 12a6 6 0 0 1-12 0c0-4 4-6 6-12z|M24 20c.4 2 2 2.6 2 4.6"
    "a2 2 0 0 1-4 0c0-2 1.6-2.6 2-4.6z|M16 33h16|M13 37h22",
    # Three stones on a hill, and a thin moon.
    "dwl": "M14 34V23l3-2 3 2v11|M22 34V19l3-2 3 2v15|M30 34V25l2-1.5 2 1.5v9|M10 "
    "34h28|"
    "M17 10.5a6 6 0 1 0 5 8 7 7 0 0 1-5-8z",
    # Two suns over a lake.
    "ptc": "M12 26a7 7 0 0 1 14 0|M24.5 21a6 6 0 0 1 11.5 3v2|M9 26h30|M13 31h22|"
    "M17 36h14|M19 14v-3|M30 13v-3",
    # A stepped pyramid with a winding line in front.
    "tfa": "M12 28h4v-5h4v-5h8v5h4v5h4|M24 18v-5|M11 35c3-4 6-4 9 0s6 4 9 0 5-4 8-1.5|"
    "M24 9.5v.1",
    # A broken ring, four people who stood in it, and a moon inside.
    "tcu": "M19 11.2a14 14 0 1 0 10 0|M26.5 18a7 7 0 1 0 4.5 10.5 8 8 0 0 1-4.5-10.5z|"
    "M24 8.5v.1|M9.8 24v.1|M38.2 24v.1|M24 38.5v.1",
    # A gate at the bottom of steps.
    "tdea": "M17 27V17a7 7 0 0 1 14 0v10|M21.5 27V17.5a2.5 2.5 0 0 1 5 0V27|M14 27h20|"
    "M12 32h24|M10 37h28",
    # A web.
    "tdeb": "M24 8v32|M10.1 16l27.8 16|M37.9 16l-27.8 16|"
    "M24 12Q28 17.1 34.4 18Q32 24 34.4 30Q28 30.9 24 36Q20 30.9 13.6 30Q16 24 13.6 18"
    "Q20 17.1 24 12z|M24 17.5Q26.1 20.3 29.6 20.8Q28.3 24 29.6 27.3Q26.1 27.7 24 30.5"
    "Q21.9 27.7 18.4 27.3Q19.7 24 18.4 20.8Q21.9 20.3 24 17.5z",
    # A lighthouse over waves.
    "tic": "M21 30l1.5-13h3L27 30|M21.5 17h5V13L24 11l-2.5 2z|M17.5 15l-6-2|M30.5 "
    "15l6-2|"
    "M10 33c3-2.5 5-2.5 7 0s5 2.5 7 0 5-2.5 7 0 5 2 7 0|M15 38c2-2 4-2 6 0s4 2 6 0 "
    "4-2 6 0",
    # Peaks, and a star over them.
    "eoe": "M9 34l9-16 5 8 4-6 12 14z|M18 18l2.5 8 2.5-2|M31 9v7|M28 10.8l6 3.4|"
    "M34 10.8l-6 3.4",
    # A key with a stair as its bit.
    "tskc": "M24 10a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11z|M24 21v17|M24 38h6v-3.5h-2.5"
    "V31H30v-3.5h-6|M24 15.5v.1",
    # An umbel over a valley.
    "fhv": "M24 38V23|M24 27l-7-9|M24 27l7-9|M24 23l-3-10|M24 23l3-10|M15.5 16.5v.1|"
    "M20.5 11v.1|M27.5 11v.1|M32.5 16.5v.1|M10 34c6 0 10 4 14 4s8-4 14-4",
    # Columns under the sea.
    "tdc": "M15 37V25|M20.5 37V22|M27.5 37V22|M33 37V27|M12.5 37h23|M18 22h12|"
    "M10 17c3-2.5 5-2.5 7 0s5 2.5 7 0 5-2.5 7 0 5 2.5 7 0|M17 11.5c2-1.5 3.5-1.5 5 0"
    "s3.5 1.5 5 0 3-1.5 4.5-.5",
    # Three flames of one ember.
    "boa": "M24 9.5c1 5 5 8 5 13a5 5 0 0 1-10 0c0-5 4-8 5-13z|M14.5 18c-3.5 9 0 17 "
    "9.5 20|"
    "M33.5 18c3.5 9 0 17-9.5 20|M19.5 31c1 2 2.5 3 4.5 3.5 2-.5 3.5-1.5 4.5-3.5",
    # A pyramid with another below it.
    "gob": "M24 10l12 14H12z|M15 28h18l-9 10z|M24 16l4.5 5h-9z|M9.5 26h29",
    # A die.
    "fof": "M24 9.5l12.5 7v14.5L24 38.5l-12.5-7.5V16.5z|M11.5 16.5L24 24l12.5-7.5|"
    "M24 24v14.5|"
    "M24 16.5v.1|M17.7 27.3v.1|M30.3 30v.1|M30.3 25v.1",
    # Where roads part.
    "side": "M24 39V10|M24 14h10l3.5 3.5L34 21H24|M24 23H14l-3.5 3.5L14 30h10|M19 "
    "39h10",
    # An hourglass.
    "zau": "M15 10h18|M15 38h18|M17 10c0 7 7 9 7 14s-7 7-7 14|M31 10c0 7-7 9-7 14s7 "
    "7 7 14|"
    "M20.5 34h7",
    # A keyhole in a heart.
    "zaw": "M24 38C15 31 11 26 11 20.5a6.5 6.5 0 0 1 13-2 6.5 6.5 0 0 1 13 2"
    "C37 26 33 31 24 38z|M24 19.5a3 3 0 0 1 1.5 5.6L26.5 30h-5l1-4.9"
    "A3 3 0 0 1 24 19.5z",
    # A crown.
    "zce": "M11 33V17l7 7 6-12 6 12 7-7v16z|M11 37.5h26|M24 28.5v.1",
    # A wall of great stones.
    "zcf": "M10 37V13l14-3 14 3v24z|M10 21h17v-10.4|M27 21h11|M18 21v8H10|M18 29h20|"
    "M30 21v8|M23 29v8",
    # A drop in a bell.
    "zcp": "M15 32c2-3 2-6 2-10a7 7 0 0 1 14 0c0 4 0 7 2 10z|M24 15v-4|M21.5 35.5"
    "a2.5 2.5 0 0 0 5 0|M24 20c1.5 2.5 2.5 3.6 2.5 5a2.5 2.5 0 0 1-5 0"
    "c0-1.4 1-2.5 2.5-5z",
    # A dark body and its orbits.
    "zdm": "M24 19.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9z|M10.5 31"
    "C7 25 27 8 34 10.5s3 15-9 22.5-13 1-14.5-2z|M35 35v.1|M13 13v.1",
    # A river that turns into a heart.
    "zhod": "M24 22c-7-5-9-8-9-10.5a4.5 4.5 0 0 1 9-.5 4.5 4.5 0 0 1 9 .5"
    "c0 2.5-2 5.5-9 10.5z|M24 22c5 4-8 5-3 9s4 5 1 8|M12 27l-2.5 11|M36 27l2.5 11",
    # A whirlwind.
    "zoz": "M12 12c6-3 18-3 24 0-6 4-18 4-24 0z|M15 18c5 3 13 3 18 0|M18 23.5c4 2.5 "
    "8 2.5"
    " 12 0|M21 29c2 1.5 5 1.5 7 0|M25 34c-1 2-1 3-3 5",
}  # fmt: skip

# Ids of guides that use another's emblem with the arrow.
_RETURNS: Mapping[str, str] = {
    "rtnotz": "core",
    "rtdwl": "dwl",
    "rtptc": "ptc",
    "rttfa": "tfa",
    "rttcu": "tcu",
    "rttic": "tic",
}

# Cycles of products with a different id than their campaign's guide.
_OF_CYCLES: Mapping[str, str] = {"core_ch2": "boa", "tde": "tdea", "tsk": "tskc"}

# A sheet of a log, for imported campaigns.
_OTHER = "M15 10h14l5 5v23H15z|M29 10v5h5|M20 21h9|M20 26h9|M20 31h5"

# Behind the monogram of an investigator.
ORNAMENTS: Mapping[str, str] = {
    "guardian": "M4 12L24 3l20 9|M4 18L24 9l20 9|M4 36l20 9 20-9|M4 30l20 9 20-9",
    "seeker": "M24 48L6 2|M24 48L15 2|M24 48V2|M24 48L33 2|M24 48L42 2|M24 48L2 14|"
    "M24 48l22-34",
    "rogue": "M24 2L2 24l22 22 22-22z|M24 8L8 24l16 16 16-16z|M2 2l9 9|M46 2l-9 9|"
    "M2 46l9-9|"
    "M46 46l-9-9",
    "mystic": "M24 4a20 20 0 1 0 0 40a20 20 0 1 0 0-40z|M24 4a15 15 0 1 1 0 30a15 "
    "15 0 1 1 "
    "0-30z|M4 4v.1|M44 4v.1|M4 44v.1|M44 44v.1",
    "survivor": "M2 46c6-10 6-20 2-34 10 6 12 14 12 22 4-10 4-22 8-32 4 10 4 22 8 "
    "32 0-8 2-16"
    " 12-22-4 14-4 24 2 34",
    "neutral": "M2 8h44|M2 4h44|M2 40h44|M2 44h44|M8 2v44|M40 2v44",
}  # fmt: skip


def emblem_paths(guide_id: str) -> tuple[str, ...]:
    """Return the outlines of a campaign's emblem; a sheet of paper if unknown."""
    base = _RETURNS.get(guide_id, guide_id)
    paths = _EMBLEMS.get(base, _OTHER).split("|")
    if base != guide_id:
        paths += _AGAIN.split("|")
    return tuple(paths)


def guide_of_cycle(cycle: str) -> str:
    """Return the guide id whose emblem a product cycle uses; "" for none."""
    guide_id = _OF_CYCLES.get(cycle, cycle)
    return guide_id if guide_id in _EMBLEMS else ""


def ornament_paths(card_class: str) -> tuple[str, ...]:
    """Return the outlines of a class's ornament."""
    return tuple(ORNAMENTS.get(card_class, ORNAMENTS["neutral"]).split("|"))


def square_of(address: str, title: str) -> SafeString:
    """Return an address as an SVG QR code with this title."""
    drawn = BytesIO()
    segno.make(address, error="m", micro=False).save(
        drawn,
        kind="svg",
        xmldecl=False,
        svgns=False,
        omitsize=True,
        dark="#000",
        light="#fff",
        svgclass="square",
        lineclass=None,
        title=title,
        nl=False,
    )
    return mark_safe(drawn.getvalue().decode())  # noqa: S308 (segno escapes the title)
