"""Guides for campaigns kept by hand, made from the facts of a campaign.

``facts`` reads what is known of each campaign: scenarios, resolutions, bags, sections
of the log, cards. ``guide`` makes a guide from them that asks what the rulebook needs
and offers the rest: ``recording`` defines what can be recorded, ``ordering`` what comes
next, ``words`` the texts. ``keeping`` stores facts with a campaign.
"""

from __future__ import annotations
