"""Everything that can be done with decks, importable from one place."""

from __future__ import annotations

from decks.services.decks import (
    copy_deck,
    copy_shown,
    create_deck,
    delete_deck,
    dismiss_notices,
    ensure_demo_decks,
    forget_verdicts,
    keep_deck,
    note_seen,
    redo_revision,
    revise_deck,
    share_verdict,
    steps_of,
    undo_revision,
)
from decks.services.filing import (
    FolderTaken,
    archive_decks,
    delete_folder,
    delete_for_good,
    forget_deleted,
    forget_drafts,
    make_folder,
    move_to_folder,
    rename_folder,
    restore_deck,
    unarchive_decks,
)
from decks.services.games import OfCampaign, UpgradedSince, take_back_game
from decks.services.hooks import (
    Closed,
    DeckInPlay,
    DeskClosing,
    closing_of,
    lock_tables,
)
from decks.services.judgements import (
    KeyRange,
    are_outdated,
    judge_again,
    outdated_ranges,
)
from decks.services.ledger import AlreadyPlayed, LedgerMoved, Stale
from decks.services.reports import decide_report, report_deck
from decks.services.sharing import (
    DeckLabels,
    LabelsMoved,
    close_link,
    count_played_cards,
    describe_deck,
    open_link,
    publish_deck,
    renew_link,
    share_deck,
    show_history,
    unpublish_deck,
    withdraw_deck,
)
from decks.services.upgrading import (
    DeskMoved,
    NotPlayed,
    PlayedGame,
    UpgradeRefused,
    clear_desk,
    correct_ledger,
    desk_of,
    mark_played,
    opened,
    play_again,
    preview_upgrade,
    save_desk,
    upgrade_deck,
)

__all__ = [
    "AlreadyPlayed", "Closed", "DeckInPlay", "DeckLabels", "DeskClosing", "DeskMoved",
    "FolderTaken", "KeyRange", "LabelsMoved", "LedgerMoved", "NotPlayed", "OfCampaign",
    "PlayedGame", "Stale", "UpgradeRefused", "UpgradedSince", "archive_decks",
    "are_outdated", "clear_desk", "close_link", "closing_of", "copy_deck", "copy_shown",
    "correct_ledger", "count_played_cards", "create_deck", "decide_report",
    "delete_deck", "delete_folder", "delete_for_good", "describe_deck", "desk_of",
    "dismiss_notices", "ensure_demo_decks", "forget_deleted", "forget_drafts",
    "forget_verdicts", "judge_again", "keep_deck", "lock_tables", "make_folder",
    "mark_played", "move_to_folder", "note_seen", "open_link", "opened",
    "outdated_ranges", "play_again", "preview_upgrade", "publish_deck", "redo_revision",
    "rename_folder", "renew_link", "report_deck", "restore_deck", "revise_deck",
    "save_desk", "share_deck", "share_verdict", "show_history", "steps_of",
    "take_back_game", "unarchive_decks", "undo_revision", "unpublish_deck",
    "upgrade_deck", "withdraw_deck",
]  # fmt: skip
