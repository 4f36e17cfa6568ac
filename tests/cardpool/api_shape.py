"""ArkhamDB's card data as its API answers it, and a server that answers so.

The shapes follow the API's documented conventions: reprints are whole cards, null
values are left out, requirements and restrictions are parsed, English values are
repeated under ``real_`` names, and the cards of a taboo list are a JSON string.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

Json = dict[str, Any]

_REAL = ("name", "text", "traits", "slot")
_FLAGS = ("exceptional", "myriad", "is_unique", "permanent", "double_sided")
_LINKS = {
    "duplicate_of": "duplicate_of_code",
    "alternate_of": "alternate_of_code",
    "back_link": "linked_to_code",
}


def _parsed(text: str) -> Json:
    """Parse ``deck_requirements`` and ``restrictions`` as the site does."""
    parsed: Json = {}
    for item in (part.strip() for part in text.split(",")):
        kind, *rest = item.split(":")
        if kind == "size":
            parsed["size"] = int(rest[0])
        elif kind == "card":
            parsed.setdefault("card", {})[rest[0]] = {code: code for code in rest}
        elif kind == "random":
            parsed.setdefault("random", []).append(
                {"target": rest[0], "value": rest[1]}
            )
        elif kind == "faction":
            bounds = {"min": False, "max": False}
            parsed.setdefault("faction", {}).update(dict.fromkeys(rest, bounds))
        elif kind == "investigator":
            parsed["investigator"] = {code: code for code in rest}  # the last one stays
        else:
            parsed.setdefault(kind, []).extend(rest)
    return parsed


def _api_card(record: Json, names: dict[str, str]) -> Json:
    card = {
        _LINKS.get(name, name): value
        for name, value in record.items()
        if value is not None
    }
    for name in _REAL:
        if name in card:
            card[f"real_{name}"] = card[name]
        elif name in ("text", "slot"):
            card[f"real_{name}"] = ""
    for name in _FLAGS:
        card[name] = bool(card.get(name))
    for name in ("deck_requirements", "restrictions"):
        if name in card:
            card[name] = _parsed(card[name])
    if "encounter_code" in card:
        card["encounter_name"] = names[card["encounter_code"]]
        card["spoiler"] = 1
    card["url"] = f"/card/{card['code']}"
    return card


def answers(folder: Path) -> dict[str, list[Json]]:
    """Return the API's responses by address, for the data of a folder."""

    def file(name: str) -> list[Json]:
        found: list[Json] = json.loads((folder / name).read_text(encoding="utf-8"))
        return found

    records = {
        record["code"]: record
        for path in sorted(folder.glob("pack/*/*.json"))
        for record in json.loads(path.read_text(encoding="utf-8"))
    }

    def whole(record: Json) -> Json:
        if "duplicate_of" not in record:
            return record
        return whole(records[record["duplicate_of"]]) | record

    cycles = {cycle["code"]: cycle["position"] for cycle in file("cycles.json")}
    names = {each["code"]: each["name"] for each in file("encounters.json")}
    packs = [
        {
            "name": pack["name"],
            "code": pack["code"],
            "position": pack["position"],
            "cycle_position": cycles[pack["cycle_code"]],
            "available": pack.get("date_release") or "",
            "known": 0,
            "total": pack.get("size") or 0,
        }
        for pack in file("packs.json")
    ]
    taboos = [
        {**each, "id": int(each["code"]), "cards": json.dumps(each["cards"])}
        for each in file("taboos.json")
    ]
    cards = [_api_card(whole(each), names) for _code, each in sorted(records.items())]
    return {
        "/api/public/cards/?encounter=1": cards,
        "/api/public/packs/": packs,
        "/api/public/taboos/": taboos[::-1],
    }


@dataclass
class Site:
    """A server like ArkhamDB: what it answers by path, and what it was asked.

    A list of answers is given one after the other, the last one for ever. A picture is
    not sent again to who has it.
    """

    replies: dict[str, Any] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    agents: set[str] = field(default_factory=set)
    base: str = ""

    def add_cards(self, folder: Path, **pictures: bytes) -> None:
        """The API's answers for a folder, and pictures: ``c01001``, ``c01001b``."""
        found = answers(folder)
        for card in found["/api/public/cards/?encounter=1"]:
            for name, key in (("imagesrc", ""), ("backimagesrc", "b")):
                code = f"{card['code']}{key}"
                if f"c{code}" in pictures:
                    card[name] = f"/bundles/cards/{code}.png"
                    self.replies[card[name]] = pictures[f"c{code}"]
        for path, reply in found.items():
            self.replies[path] = json.dumps(reply).encode()


@contextmanager
def picture_site() -> Iterator[Site]:
    """Run a site until the end of the block."""
    site = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.asked.append(self.path)
            site.agents.add(self.headers["User-Agent"])
            reply = site.replies.get(self.path, (404, {}, b""))
            if isinstance(reply, list):
                reply = reply.pop(0) if len(reply) > 1 else reply[0]
            if isinstance(reply, bytes):
                tag = f'"{hash(reply)}"'
                known = self.headers.get("If-None-Match") == tag
                reply = (304 if known else 200, {"ETag": tag}, b"" if known else reply)
            status, headers, body = reply
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    site.base = f"http://127.0.0.1:{server.server_port}"
    yield site
    server.shutdown()
    server.server_close()


@contextmanager
def serving(replies: dict[str, bytes], *, status: int = 200) -> Iterator[str]:
    """Serve these bodies, and 404 otherwise; yield the address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = replies.get(self.path)
            if body is not None and body.startswith(b"Location: "):
                self.send_response(302)
                self.send_header("Location", body.decode().removeprefix("Location: "))
                self.end_headers()
                return
            self.send_response(404 if body is None else status)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, format: str, *args: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
