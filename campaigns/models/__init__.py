"""Campaigns, their members and seats, their logs, and the guides they follow.

A campaign is its log; everything else about it is the log folded over its guide.
"""

from __future__ import annotations

from campaigns.models.campaign import Campaign, Guide, PlayState, WaitingBackup
from campaigns.models.log import LogEntries, LogEntry, Snapshot, Summary
from campaigns.models.people import (
    Guest,
    Invitation,
    Membership,
    Role,
    Seat,
    Settlement,
)

__all__ = [
    "Campaign",
    "Guest",
    "Guide",
    "Invitation",
    "LogEntries",
    "LogEntry",
    "Membership",
    "PlayState",
    "Role",
    "Seat",
    "Settlement",
    "Snapshot",
    "Summary",
    "WaitingBackup",
]
