"""Decks belong to an account or to those with the key; revisions are a chain."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction

from arkham.accounts.models import User
from decks import queries, services
from decks.lists.content import empty_content
from decks.models import Deck, Revision, new_key

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def _deck(owner: User | None, name: str = "") -> Deck:
    return services.create_deck(
        owner=owner, content=empty_content("01001"), now=NOW, name=name
    )


def test_a_deck_has_an_owner_or_a_key(alice: User) -> None:
    """Never both, never neither."""
    for owner, key in ((alice, "a-key"), (None, None)):
        with pytest.raises(IntegrityError), transaction.atomic():
            Deck.objects.create(owner=owner, key=key, made_at=NOW, changed_at=NOW)


def test_revision_numbers_are_unique(alice: User) -> None:
    """In a deck's chain."""
    deck = _deck(alice)
    with pytest.raises(IntegrityError), transaction.atomic():
        Revision.objects.create(deck=deck, number=1, list={}, made_at=NOW)


def test_keys_cannot_be_guessed() -> None:
    """192 bits each, and no two alike."""
    keys = {new_key() for _each in range(100)}
    assert len(keys) == 100
    assert {len(key) for key in keys} == {32}


def test_an_owner_sees_and_changes_her_decks(alice: User, bob: User) -> None:
    """And no one else's, which don't exist for her."""
    hers, his, draft = _deck(alice), _deck(bob), _deck(None)
    for query in (queries.visible_to, queries.editable_by):
        assert set(query(alice)) == {hers}
        assert set(query(bob)) == {his}
        assert set(query(AnonymousUser())) == set()
        assert draft.key is not None
        assert set(query(AnonymousUser(), [draft.key])) == {draft}
        assert set(query(alice, [draft.key])) == {hers, draft}


def test_the_key_of_a_saved_draft_is_invalid(alice: User) -> None:
    """The owner has it now."""
    draft = _deck(None)
    key = draft.key
    assert key is not None
    services.keep_deck(deck=draft, owner=alice)
    assert set(queries.visible_to(AnonymousUser(), [key])) == set()
    assert set(queries.visible_to(alice)) == {draft}


def test_the_latest_revisions_come_newest_first(
    alice: User, django_assert_num_queries: type
) -> None:
    """One query for any number of decks, however long their chains."""
    first, second = _deck(alice, "first"), _deck(alice, "second")
    services.revise_deck(
        deck=first,
        content=empty_content("01002"),
        expected_revision=1,
        now=NOW.replace(day=2),
    )
    with django_assert_num_queries(1):
        found = list(queries.latest(queries.visible_to(alice)))
        names = [(each.deck.name, each.number) for each in found]
    assert names == [("first", 2), ("second", 1)]
    assert second.revision == 1
