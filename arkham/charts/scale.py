"""Places values, and things in a row, along a line."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Linear:
    """Values from 0 to ``most`` spread evenly over ``length`` units."""

    most: float
    length: float

    def at(self, value: float) -> float:
        """The distance of a value from the beginning; nothing goes past the end."""
        if self.most <= 0:
            return 0.0
        return round(min(max(value / self.most, 0.0), 1.0) * self.length, 2)


@dataclass(frozen=True, slots=True)
class Band:
    """``count`` places of one width along ``length``; ``gap`` is the share between."""

    count: int
    length: float
    gap: float = 0.25

    @property
    def step(self) -> float:
        """From the beginning of one place to the next."""
        return self.length / max(self.count, 1)

    @property
    def width(self) -> float:
        """The width of one place."""
        return round(self.step * (1 - self.gap), 2)

    def start(self, index: int) -> float:
        """Where the place begins; half the gap lies before it."""
        return round(index * self.step + self.step * self.gap / 2, 2)

    def middle(self, index: int) -> float:
        """The middle of the place."""
        return round((index + 0.5) * self.step, 2)
