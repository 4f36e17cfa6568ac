"""An attribute that is computed at first use, once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")


class lazy(Generic[Value]):  # noqa: N801 (used as a decorator, as property is)
    """A property computed on first access and kept on the instance.

    As ``functools.cached_property``, without the lock that Python 3.11 takes there:
    a deck is judged by one thread, and the lock costs more than most of the values.
    """

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        self._compute = compute
        self._name = compute.__name__
        self.__doc__ = compute.__doc__

    def __get__(self, instance: Any, owner: type | None = None) -> Value:
        value = self._compute(instance)
        setattr(instance, self._name, value)  # touching __dict__ would make one
        return value
