"""The public interface of the services for campaigns."""

from __future__ import annotations

from campaigns.log.store import Appended, LogBroken, LogMoved
from campaigns.people.rights import EntryRefused, Forbidden, KeyReused, LogFull
from campaigns.services.account import ClosingMoved, close_account
from campaigns.services.agreements import (
    choose_ultimatum,
    draw_ultimatum,
    pin_faq,
    tick_achievement,
)
from campaigns.services.backups import (
    BackupOutcome,
    NotImported,
    Restored,
    import_backup,
    import_waiting,
    keep_by_hand,
    waiting_backups,
)
from campaigns.services.decks import link_deck, unlink_deck
from campaigns.services.entering import (
    ensure_demo_campaign,
    enter_campaign,
    start_halves,
)
from campaigns.services.files import Imported, export_campaign, import_campaign
from campaigns.services.people import (
    InvitationClosed,
    change_role,
    claim,
    forget_guests,
    free_seats,
    give_seat,
    invite,
    join,
    join_as_guest,
    leave,
    remove_member,
    revoke_invitation,
)
from campaigns.services.play import draw_at_random, draw_place, keep_frost, play
from campaigns.services.previews import (
    EntryPreview,
    preview,
    preview_correction,
    preview_retraction,
    preview_return,
)
from campaigns.services.roster import mark_up_to_date, may_sit, require_seating, retire
from campaigns.services.tables import (
    Differences,
    Sitting,
    add_seat,
    adopt_guide,
    archive,
    branch,
    change_terms,
    compare_guides,
    delete_campaign,
    guide_by_hand,
    link_campaigns,
    rename_campaign,
    start_campaign,
)
from campaigns.services.transfer import SeatTransfer, transfer_campaign
from campaigns.services.writing import (
    WriteContext,
    answer,
    correct,
    report_card_gains,
    require_possible,
    retract,
    return_to_start,
    state_fact,
)

__all__ = [
    "Appended", "BackupOutcome", "ClosingMoved", "Differences", "EntryPreview",
    "EntryRefused", "Forbidden", "Imported", "InvitationClosed", "KeyReused",
    "LogBroken", "LogFull", "LogMoved", "NotImported", "Restored", "SeatTransfer",
    "Sitting", "WriteContext", "add_seat", "adopt_guide", "answer", "archive", "branch",
    "change_role", "change_terms", "choose_ultimatum", "claim", "close_account",
    "compare_guides", "correct", "delete_campaign", "draw_at_random", "draw_place",
    "draw_ultimatum", "ensure_demo_campaign", "enter_campaign", "export_campaign",
    "forget_guests", "free_seats", "give_seat", "guide_by_hand", "import_backup",
    "import_campaign", "import_waiting", "invite", "join", "join_as_guest",
    "keep_by_hand", "keep_frost", "leave", "link_campaigns", "link_deck",
    "mark_up_to_date", "may_sit", "pin_faq", "play", "preview", "preview_correction",
    "preview_retraction", "preview_return", "remove_member", "rename_campaign",
    "report_card_gains", "require_possible", "require_seating", "retire", "retract",
    "return_to_start", "revoke_invitation", "start_campaign", "start_halves",
    "state_fact", "tick_achievement", "transfer_campaign", "unlink_deck",
    "waiting_backups",
]  # fmt: skip
