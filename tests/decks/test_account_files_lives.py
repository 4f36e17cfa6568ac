"""The whole history of decks is in the file of an account."""

from __future__ import annotations

import json
from copy import deepcopy
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import Model
from django.test import Client

from arkham.accounts.models import User
from arkham.rules.notation.reading import Unreadable
from arkham.rules.snapshot import embedded_pool
from cardpool.catalog import current_judge
from decks import services
from decks.draws import drawing
from decks.interchange.account_import import ImportResult, account_text, import_account
from decks.interchange.account_reading import read_account
from decks.lists.content import read_content
from decks.lists.starter import starter_deck
from decks.models import Deck, Showing
from decks.pages.display import Judged
from decks.services import ledger
from decks.services.ledger import Earned
from decks.services.windows import base_of
from tests.decks.account_files import FILE, Spoil, make_decks
from tests.decks.edits import apply
from tests.decks.helpers import a_collection

pytestmark = pytest.mark.usefixtures("rows")

MACHETE, BEAT_COP, BEAT_COP_2 = "01020", "01018", "01028"
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def _lived(owner: User) -> Deck:
    """Make a deck with draws, two games, upgrades, a correction and a desk in use."""
    pool = embedded_pool()
    content = starter_deck(pool, "01001")
    deck = services.create_deck(
        owner=owner, content=content, now=NOW, name="Long road", carried=2
    )
    judged = Judged(content, current_judge())
    drawn = drawing.draw_weaknesses(
        deck=deck, judged=judged, cards={"01101": 1}, count=1,
        expected_revision=1, now=NOW,
    )  # fmt: skip
    drawn_content = deck.revisions.get(number=2).content
    drawing.correct_draw(
        draw=drawn, judged=Judged(drawn_content, current_judge()), reason="Peeked.",
        expected_revision=2, now=NOW,
    )  # fmt: skip
    judged = Judged(deck.revisions.get(number=3).content, current_judge())
    drawing.draw_weaknesses(
        deck=deck, judged=judged, cards={"01101": 1}, count=1,
        expected_revision=3, now=NOW,
    )  # fmt: skip
    _play(deck, owner, {"exiled": {MACHETE: 1}}, tasks=("02018",))
    _upgrade(deck, owner, ("remove", BEAT_COP), ("add", BEAT_COP_2), ("add", MACHETE))
    _upgrade(deck, owner, ("add", MACHETE))
    services.correct_ledger(
        deck=deck, amount=-1, reason="Counted twice.", actor=owner, now=NOW
    )
    _play(deck, owner, {})
    _upgrade(deck, owner, ("add", MACHETE), repair="House rule.")
    desk = services.desk_of(deck.revisions.get(number=deck.revision))
    assert desk is not None
    services.save_desk(
        deck=deck, content=desk.content, seen=desk.seen, expected_version=0, now=NOW,
        window={"pins": [{"card": BEAT_COP_2, "way": "purchase"}]},
    )  # fmt: skip
    return deck


def _play(
    deck: Deck, owner: User, aftermath: dict[str, Any], tasks: tuple[str, ...] = ()
) -> None:
    earned = (Earned("victory", 4), Earned("bonus", 1, "spared her"))
    services.mark_played(
        deck=deck, game=services.PlayedGame(earned, aftermath, tasks),
        expected_revision=deck.revision, actor=owner, now=NOW,
    )  # fmt: skip


def _upgrade(
    deck: Deck, owner: User, *changes: tuple[str, str], repair: str = ""
) -> None:
    base = base_of(deck.revisions.get(number=deck.revision))
    assert base is not None
    content = apply(services.opened(base), changes, embedded_pool())
    services.upgrade_deck(
        deck=deck, content=content, expected_revision=deck.revision,
        actor=owner, now=NOW, repair=repair,
    )  # fmt: skip


def _all_of(owner: User) -> Any:
    """Return every field of an account's records but keys; authors by name."""
    told = []
    for deck in owner.decks.order_by("pk"):
        draws = [
            (
                _fields(each),
                each.follows and _fields(each.follows),
                _fields(each.correction) if hasattr(each, "correction") else None,
            )
            for each in deck.draws.all()
        ]
        told.append(
            [
                _fields(deck), [_fields(each) for each in deck.revisions.all()],
                [_fields(each) for each in deck.ledger.all()], draws,
                _fields(deck.desk) if hasattr(deck, "desk") else None,
            ]
        )  # fmt: skip
    return told, [_fields(each) for each in owner.collections.all()]


def _fields(record: Model) -> dict[str, Any]:
    """Return every field but keys of other records; the author shows the owner."""
    told = {
        field.name: getattr(record, field.name)
        for field in record._meta.concrete_fields
        if not field.primary_key
        and not field.is_relation
        and field.name != "noted_at"  # in this account, not in the exporting one
    }
    people = {key: getattr(record, key, None) for key in ("made_by", "author")}
    return told | {key: bool(who) for key, who in people.items()}


def test_the_whole_history_of_a_deck_survives_a_round_trip(
    alice: User, bob: User
) -> None:
    """Chain, ledger, draws, desk, collections; field by field, twice in a row."""
    _lived(alice)
    make_decks(alice)
    a_collection(
        alice, {"core": 2}, missing={MACHETE: 1}, name="Mine", lends=False, now=NOW
    )
    text = account_text(owner=alice, now=NOW)
    account = read_account(text)

    assert import_account(owner=bob, account=account) == ImportResult(3, 0, 1)
    assert _all_of(bob) == _all_of(alice)
    again = read_account(account_text(owner=bob, now=NOW))
    assert (again.decks, again.collections) == (account.decks, account.collections)
    assert import_account(owner=bob, account=again) == ImportResult(0, 3, 0)


def test_verdicts_balance_and_the_next_upgrade_are_the_same(
    alice: User, bob: User
) -> None:
    """Whatever is computed from a chain is the same from its copy."""
    deck = _lived(alice)
    import_account(owner=bob, account=read_account(account_text(owner=alice, now=NOW)))
    copy = bob.decks.get()

    # 2 imported, 5 + 5 earned, 1 corrected, 1 spent; 2 spent and refunded.
    assert ledger.balance_of(copy) == ledger.balance_of(deck) == 10
    judge = current_judge()
    for mine, theirs in zip(deck.revisions.all(), copy.revisions.all(), strict=True):
        told = [Judged(each.content, judge).verdict for each in (mine, theirs)]
        assert told[0].as_data() == told[1].as_data()
    previews = [
        services.preview_upgrade(deck=each, content=services.opened(base), window={})
        for each in (deck, copy)
        if (base := base_of(each.revisions.get(number=each.revision)))
    ]
    assert previews[0].invoice == previews[1].invoice
    assert previews[0].available == previews[1].available == 11


def test_an_upgrade_before_the_first_game_survives_a_round_trip(
    alice: User, bob: User
) -> None:
    """A deck of a campaign in progress spends the experience of its import."""
    told = {
        "deck": starter_deck(embedded_pool(), "01001").deck,
        "circumstances": {"mode": "campaign"},
    }
    deck = services.create_deck(
        owner=alice, content=read_content(told), now=NOW, carried=5
    )
    changes = [("remove", "01018"), ("add", "01028")]
    first = deck.revisions.get(number=1)
    content = apply(services.opened(first), changes, embedded_pool())
    services.upgrade_deck(deck=deck, content=content, expected_revision=1, now=NOW)
    account = read_account(account_text(owner=alice, now=NOW))
    assert import_account(owner=bob, account=account) == ImportResult(1, 0, 0)
    assert _all_of(bob) == _all_of(alice)


def test_a_file_explains_its_experience(alice: User) -> None:
    """Balance, total, and what was gained with which revision."""
    _lived(alice)
    (deck,) = json.loads(account_text(owner=alice, now=NOW))["decks"]
    assert deck["experience"] == {"balance": 10, "total": 10, "gained": 0, "since": 7}
    _play(alice.decks.get(), alice, {})
    (deck,) = json.loads(account_text(owner=alice, now=NOW))["decks"]
    assert deck["experience"] == {"balance": 15, "total": 15, "gained": 5, "since": 7}


def test_a_deck_that_grew_includes_its_older_file(alice: User) -> None:
    """One that diverged does not: no part of its history is lost."""
    deck = _lived(alice)
    before = read_account(account_text(owner=alice, now=NOW))
    _play(deck, alice, {})
    assert import_account(owner=alice, account=before) == ImportResult(0, 1, 0)
    after = read_account(account_text(owner=alice, now=NOW))
    deck.ledger.filter(amount=4, revision=7).delete()
    assert import_account(owner=alice, account=after) == ImportResult(1, 0, 0)


def test_files_of_the_first_version_are_read(alice: User) -> None:
    """They only had revisions; the causes follow from them."""
    file = deepcopy(FILE)
    first = file["decks"][0]["revisions"][0]
    file["decks"][0]["revisions"] += [
        first | {"number": 2, "deck": {**first["deck"], "slots": {}}},
        first | {"number": 3, "restores": 1},
    ]
    account = read_account(json.dumps(file))
    assert import_account(owner=alice, account=account) == ImportResult(1, 0, 0)
    causes = alice.decks.get().revisions.values_list("cause", flat=True)
    assert list(causes) == ["built", "edited", "restored"]
    later = read_account(account_text(owner=alice, now=NOW))
    assert import_account(owner=alice, account=later) == ImportResult(0, 1, 0)
    assert import_account(owner=alice, account=account) == ImportResult(0, 1, 0)


def test_a_ledger_in_a_file_of_the_first_version_is_checked() -> None:
    """By the rules of every ledger."""
    file = deepcopy(FILE)
    file["decks"][0]["ledger"] = [
        {"number": 1, "kind": "victory", "amount": 3, "revision": 1,
         "made_at": "2026-02-01T22:38:59+00:00"}
    ] * 2  # fmt: skip
    with pytest.raises(Unreadable) as refused:
        read_account(json.dumps(file))
    assert [fault.pointer for fault in refused.value.faults] == [
        "/decks/0/ledger/1/number", "/decks/0/experience/balance",
    ]  # fmt: skip


SEEN: dict[str, Any] = {
    "shown": {"kind": "published", "revision": 2, "since": "2026-03-01T12:00:00+00:00"},
    "source": {
        "kind": "link",
        "name": "Hers",
        "author": "carol",
        "address": "/decks/shared/2aca7731-e1a6-4c74-8fd8-510b7cb05e3c/",
        "copied_at": "2026-02-28T12:00:00+00:00",
    },
}


def test_a_file_has_visibility_and_source_of_a_deck(
    alice: User, bob: User, as_bob: Client
) -> None:
    """Imported it is private and knows its source; keys of links are not exported."""
    theirs = make_decks(bob)
    pool = embedded_pool()
    shown = services.publish_deck(deck=theirs, number=1, pool=pool, now=NOW)
    copy = services.copy_shown(showing=shown, owner=alice, now=NOW + HOUR)
    services.publish_deck(deck=copy, number=1, pool=pool, now=NOW)
    by_link = services.copy_deck(deck=copy, owner=alice, now=NOW, name="Linked")
    link = services.share_deck(deck=by_link, now=NOW)
    text = account_text(owner=alice, now=NOW)

    first, second = json.loads(text)["decks"]
    assert first["shown"] == {
        "kind": "published", "revision": 1, "since": "2026-03-01T12:00:00+00:00",
    }  # fmt: skip
    assert first["source"] == {
        "kind": "published", "name": "Seven “days”", "author": "bob",
        "address": f"/decks/published/{shown.pk}/",
        "copied_at": "2026-03-01T13:00:00+00:00",
    }  # fmt: skip
    assert second["shown"] == {
        "kind": "link", "revision": None, "since": "2026-03-01T12:00:00+00:00",
    }  # fmt: skip
    assert str(link.key) not in text

    upload = SimpleUploadedFile("orne.json", text.encode())
    answer = as_bob.post("/decks/everything/", {"file": upload}, follow=True)
    page = answer.content.decode()
    assert "2 shared decks were imported as private." in page
    taken = bob.decks.order_by("pk")[2]
    assert not Showing.objects.filter(deck__in=bob.decks.order_by("pk")[2:]).exists()
    assert taken.source.showing == shown
    assert (taken.source.author, taken.source.address) == (
        "bob", f"/decks/published/{shown.pk}/",
    )  # fmt: skip
    again = json.loads(account_text(owner=bob, now=NOW))["decks"][2]
    assert (again["shown"], again["source"]) == (None, first["source"])


def test_a_source_on_another_server_is_not_linked(alice: User, bob: User) -> None:
    """Not to whatever has the same address here."""
    deck = make_decks(bob)
    shown = services.publish_deck(deck=deck, number=1, pool=embedded_pool(), now=NOW)
    address = f"/decks/published/{shown.pk}/"
    for author, address_told in (("carol", address), ("bob", f"{address}x")):
        source = SEEN["source"] | {
            "kind": "published", "author": author, "address": address_told,
            "copied_at": "2026-04-01T12:00:00+00:00",
        }  # fmt: skip
        file = _of_version_three() | {"account": author}
        file["decks"][0] |= {"name": author, "source": source}
        file["decks"][0]["made_at"] = f"2026-01-0{len(author)}T12:00:00+00:00"
        import_account(owner=alice, account=read_account(json.dumps(file)))
    assert [each.source.showing for each in alice.decks.all()] == [None, None]


def test_files_of_the_second_version_are_read(alice: User, lived: str) -> None:
    """They had neither visibility nor source."""
    file = json.loads(lived) | {"version": 2}
    for deck in file["decks"]:
        del deck["shown"], deck["source"]
    alice.decks.all().delete()
    assert import_account(owner=alice, account=read_account(json.dumps(file)))[0] == 1
    (deck,) = json.loads(account_text(owner=alice, now=NOW))["decks"]
    assert (deck["shown"], deck["source"]) == (None, None)


def _of_version_three() -> dict[str, Any]:
    """Return a file of one deck of version 3, without a history."""
    file = deepcopy(FILE) | {"version": 3, "collections": []}
    file["decks"][0] |= {
        "ledger": [], "draws": [], "desk": None, "experience": {"balance": 0},
        "shown": None, "source": None,
    }  # fmt: skip
    file["decks"][0]["revisions"][0]["cause"] = "built"
    return file


SPOILT_LIVES: dict[str, Spoil] = {
    "/decks/0/shown/kind": lambda file: _deck(file).update(
        shown=SEEN["shown"] | {"kind": "private"}
    ),
    "/decks/0/shown/revision": lambda file: _deck(file).update(
        shown=SEEN["shown"] | {"revision": 99}
    ),
    "/decks/0/shown/since": lambda file: _deck(file).update(
        shown=SEEN["shown"] | {"since": None}
    ),
    "/decks/0/source/kind": lambda file: _deck(file).update(
        source=SEEN["source"] | {"kind": ""}
    ),
    "/decks/0/source/author": lambda file: _deck(file).update(
        source=SEEN["source"] | {"author": 5}
    ),
    "/decks/0/source/address": lambda file: _deck(file).update(
        source=SEEN["source"] | {"address": "javascript:alert(1)"}
    ),
    "/decks/0/source/copied_at": lambda file: _deck(file).update(
        source=SEEN["source"] | {"copied_at": "yesterday"}
    ),
    "/decks/0/revisions/0/cause": lambda file: _of(file, 0).update(cause="x"),
    "/decks/0/revisions/0/reason": lambda file: _of(file, 0).update(reason="x" * 301),
    "/decks/0/revisions/4/base": lambda file: _of(file, 4).update(base=2),
    "/decks/0/revisions/5/base": lambda file: _of(file, 5).update(base=6),
    "/decks/0/revisions/3/played_at": lambda file: _of(file, 3).update(played_at=""),
    "/decks/0/revisions/3/aftermath/exiled": lambda file: _of(file, 3).update(
        aftermath={"exiled": 5}
    ),
    "/decks/0/revisions/3/aftermath/tasks": lambda file: _of(file, 3).update(
        aftermath={"tasks": 5}
    ),
    "/decks/0/revisions/4/window/wealth": lambda file: _of(file, 4).update(
        window={"wealth": 5}
    ),
    "/decks/0/revisions/4/window": lambda file: _of(file, 4).update(
        window={"exiled": {"\0": 1}}
    ),
    "/decks/0/revisions/4/invoice": lambda file: _of(file, 4).update(invoice=[]),
    "/decks/0/revisions/4/invoice/experience_spent": lambda file: _of(file, 4)[
        "invoice"
    ].update(experience_spent=1),
    "/decks/0/revisions/4/invoice/lines/0/card": lambda file: _of(file, 4)["invoice"][
        "lines"
    ][0].pop("card"),
    "/decks/0/revisions/4/invoice/lines/0/replaces": lambda file: _of(file, 4)[
        "invoice"
    ]["lines"][0].pop("replaces"),
    "/decks/0/revisions/4/window/available": lambda file: _of(file, 4)["window"].pop(
        "available"
    ),
    "/decks/0/revisions/4/made_at": lambda file: _of(file, 4).update(
        made_at="9999-12-31T23:59:59-14:00"
    ),
    "/decks/0/ledger/0/made_at": lambda file: _deck(file)["ledger"][0].update(
        made_at="0001-01-01T00:00:00+14:00"
    ),
    "/decks/0/revisions/4/invoice/lines/0/reductions": lambda file: _of(file, 4)[
        "invoice"
    ]["lines"][0].pop("reductions"),
    "/decks/0/ledger": lambda file: _deck(file).update(ledger=None, experience={
        "balance": 0
    }),
    "/decks/0/ledger/0/number": lambda file: _deck(file)["ledger"][0].update(number=2),
    "/decks/0/ledger/0/kind": lambda file: _deck(file)["ledger"][1].pop("kind"),
    "/decks/0/ledger/0/revision": lambda file: _deck(file)["ledger"][0].update(
        revision=8
    ),
    "/decks/0/ledger/0/reason": lambda file: _deck(file)["ledger"][0].update(reason=""),
    "/decks/0/experience/balance": lambda file: _deck(file)["experience"].update(
        balance=12
    ),
    "/decks/0/draws/0/record": lambda file: _deck(file)["draws"][0].update(record={}),
    "/decks/0/draws/0/follows": lambda file: _deck(file)["draws"][0].update(follows=0),
    "/decks/0/draws/0/correction/made_at": lambda file: _deck(file)["draws"][0].update(
        correction={"reason": "x"}
    ),
    "/decks/0/desk/seen": lambda file: _deck(file)["desk"].update(seen=9),
    "/decks/0/desk/deck/slots": lambda file: _deck(file)["desk"]["deck"].pop("slots"),
    "/collections/0/products/core": lambda file: file["collections"][0].update(
        products={"core": "two"}
    ),
    "/collections/0/lends": lambda file: file["collections"][0].update(lends=1),
}  # fmt: skip
SPOILT_LIVES["/decks/0/ledger/1/kind"] = SPOILT_LIVES.pop("/decks/0/ledger/0/kind")


def _deck(file: dict[str, Any]) -> dict[str, Any]:
    deck: dict[str, Any] = file["decks"][0]
    return deck


def _of(file: dict[str, Any], place: int) -> dict[str, Any]:
    step: dict[str, Any] = _deck(file)["revisions"][place]
    return step


@pytest.fixture
def lived(alice: User) -> str:
    """The file of an account with a deck that was played."""
    _lived(alice)
    a_collection(alice, {"core": 2}, name="Mine", lends=False, now=NOW)
    return account_text(owner=alice, now=NOW)


@pytest.mark.parametrize("pointer", SPOILT_LIVES)
def test_an_unreadable_history_is_reported_with_its_place(
    lived: str, pointer: str
) -> None:
    """One fault at a time."""
    file = json.loads(lived)
    SPOILT_LIVES[pointer](file)
    with pytest.raises(Unreadable) as refused:
        read_account(json.dumps(file))
    assert [fault.pointer for fault in refused.value.faults] == [pointer]
