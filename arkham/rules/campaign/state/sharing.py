"""Lists and dicts that are cheap to copy because copies share their older items.

A replay keeps copies of its state to resume from. With thousands of facts, full copies
would take longer than folding one more fact.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableMapping, Sequence, ValuesView
from itertools import chain
from typing import Any, TypeVar, cast, overload

Item = TypeVar("Item")
Key = TypeVar("Key")
Value = TypeVar("Value")

APART = 256  # how many items of its own a copy has before they are shared


class SharedList(Sequence[Item]):
    """A list that only grows.

    Copies share full tuples of :data:`APART` items; each has its own list of the rest.
    """

    __slots__ = ("_apart", "_shared")

    def __init__(self, items: Iterable[Item] = ()) -> None:
        self._shared: tuple[tuple[Item, ...], ...] = ()
        self._apart: list[Item] = []
        self.extend(items)

    def copy(self) -> SharedList[Item]:
        """Return a copy; what is added to either does not show in the other."""
        other: SharedList[Item] = SharedList()
        other._shared = self._shared
        other._apart = self._apart.copy()
        return other

    __copy__ = copy

    def first(self, count: int) -> SharedList[Item]:
        """Return a copy of the first ``count`` items."""
        full, rest = divmod(min(count, len(self)), APART)
        other: SharedList[Item] = SharedList()
        other._shared = self._shared[:full]
        if rest:
            part = self._shared[full] if full < len(self._shared) else self._apart
            other._apart = list(part[:rest])
        return other

    def append(self, item: Item) -> None:
        """Add an item at the end."""
        apart = self._apart
        apart.append(item)
        if len(apart) == APART:
            self._shared = (*self._shared, tuple(apart))
            self._apart = []

    def extend(self, items: Iterable[Item]) -> None:
        """Add items at the end."""
        for item in items:
            self.append(item)

    def __len__(self) -> int:
        return len(self._shared) * APART + len(self._apart)

    @overload
    def __getitem__(self, at: int) -> Item: ...

    @overload
    def __getitem__(self, at: slice) -> list[Item]: ...

    def __getitem__(self, at: int | slice) -> Item | list[Item]:
        if isinstance(at, slice):
            return list(self)[at]
        if at < 0:
            at += len(self)
        full, rest = divmod(at, APART)
        if 0 <= full < len(self._shared):
            return self._shared[full][rest]
        if full != len(self._shared):
            raise IndexError(at)
        return self._apart[rest]

    def __iter__(self) -> Iterator[Item]:
        return chain(chain.from_iterable(self._shared), self._apart)

    def __reversed__(self) -> Iterator[Item]:
        parts = (self._apart, *reversed(self._shared))
        return chain.from_iterable(map(reversed, parts))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SharedList):
            return NotImplemented
        return self._shared == other._shared and self._apart == other._apart

    __hash__ = None  # type: ignore[assignment]  # it grows

    def __repr__(self) -> str:
        return f"{type(self).__name__}({list(self)!r})"


_ABSENT: Any = object()
_GONE: Any = object()


class SharedDict(MutableMapping[Key, Value]):
    """A dict whose keys keep the order in which they were first set.

    Copies share a dict that never changes; each has its own changes, at most an eighth
    as many or :data:`APART` keys.
    """

    __slots__ = ("_apart", "_shared")

    def __init__(self) -> None:
        self._shared: dict[Key, Value] = {}
        self._apart: dict[Key, Value] = {}

    def copy(self) -> SharedDict[Key, Value]:
        """Return a copy; what is changed in either does not show in the other."""
        other: SharedDict[Key, Value] = SharedDict()
        other._shared = self._shared
        other._apart = self._apart.copy()
        return other

    __copy__ = copy

    def __getitem__(self, key: Key) -> Value:
        found = self._apart.get(key, _ABSENT)
        if found is _ABSENT:
            return self._shared[key]
        if found is _GONE:
            raise KeyError(key)
        return cast(Value, found)

    def get(self, key: Key, default: Any = None) -> Any:
        """Return the value of a key, or the default."""
        found = self._apart.get(key, _ABSENT)
        if found is _ABSENT:
            return self._shared.get(key, default)
        return default if found is _GONE else found

    def __contains__(self, key: object) -> bool:
        found = self._apart.get(cast(Key, key), _ABSENT)
        return key in self._shared if found is _ABSENT else found is not _GONE

    def __setitem__(self, key: Key, value: Value) -> None:
        apart = self._apart
        apart[key] = value
        if len(apart) > APART and len(apart) * 8 > len(self._shared):
            self._shared, self._apart = self._together(), {}

    def __delitem__(self, key: Key) -> None:
        if key not in self:
            raise KeyError(key)
        if key in self._shared:
            self._apart[key] = _GONE
        else:
            del self._apart[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._together())

    def __len__(self) -> int:
        return len(self._together())

    def values(self) -> ValuesView[Value]:
        """Return the values in the order of their keys."""
        return self._together().values()

    def _together(self) -> dict[Key, Value]:
        found = {**self._shared, **self._apart}
        if any(value is _GONE for value in self._apart.values()):
            return {key: value for key, value in found.items() if value is not _GONE}
        return found
