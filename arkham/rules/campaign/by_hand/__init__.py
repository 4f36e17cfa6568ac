"""Guides for campaigns kept by hand, made from the facts of a campaign.

``facts`` are what is known of every campaign: scenarios, resolutions, bags, sections
of the log, cards. ``guide`` makes a guide of them that asks a table what the rulebook
needs and offers the rest: ``recording`` is what it offers, ``ordering`` what comes
next, ``words`` what it says. ``exporting`` makes the facts of guides in the field's
format (``exported_log`` those of its log) and of card records (``exported_cards``).
"""

from __future__ import annotations
