"""How often each whole number occurred: exact sums, and quantiles with their intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .estimates import CONFIDENCE, Mean, mean_from_sums, normal_quantile

_DENSE = 1 << 20  # up to this range of values they are counted in a table, else sorted


def _none() -> NDArray[np.int64]:
    return np.zeros(0, np.int64)


@dataclass
class Histogram:
    """Counts of whole numbers.

    Attributes
    ----------
    values, counts : int64 arrays, n
        Distinct values, rising, and how often each occurred.

    Examples
    --------
    >>> histogram = Histogram()
    >>> histogram.add(np.array([3, 1, 3]))
    >>> histogram.values.tolist(), histogram.counts.tolist(), histogram.quantile(0.5)
    ([1, 3], [1, 2], 3)
    """

    values: NDArray[np.int64] = field(default_factory=_none)
    counts: NDArray[np.int64] = field(default_factory=_none)

    @property
    def n(self) -> int:
        """How many numbers there are."""
        return int(self.counts.sum())

    def add(self, numbers: NDArray[np.int64]) -> None:
        """Count some numbers."""
        if not numbers.size:
            return
        least, largest = int(numbers.min()), int(numbers.max())
        if largest - least < _DENSE:
            table = np.bincount(numbers - least)
            values = np.flatnonzero(table)
            self._add(values + least, table[values])
        else:
            self._add(*np.unique(numbers, return_counts=True))

    def merge(self, other: Histogram) -> None:
        """Add the counts of another histogram."""
        self._add(other.values, other.counts)

    def _add(self, values: NDArray[np.int64], counts: NDArray[np.int64]) -> None:
        both, place = np.unique(np.concatenate([self.values, values]), return_inverse=True)
        total = np.zeros(both.size, np.int64)
        np.add.at(total, place.ravel(), np.concatenate([self.counts, counts]))
        self.values, self.counts = both, total

    def mean(self) -> Mean:
        """The mean with its interval, from exact sums."""
        pairs = list(zip(self.values.tolist(), self.counts.tolist(), strict=True))
        total = sum(value * count for value, count in pairs)
        squares = sum(value * value * count for value, count in pairs)
        return mean_from_sums(self.n, total, squares)

    def quantile(self, share: float) -> int:
        """The smallest value that at least this share of the numbers does not exceed."""
        place = max(math.ceil(share * self.n), 1)
        return int(self.values[np.searchsorted(np.cumsum(self.counts), place)])

    def quantile_interval(self, share: float, *, confidence: float = CONFIDENCE) -> tuple[int, int]:
        """The interval of a quantile, from the normal approximation to the ranks that bound it."""
        n = self.n
        reach = normal_quantile(confidence) * math.sqrt(n * share * (1 - share))
        low = min(max(math.floor(share * n - reach), 1), n)
        high = min(max(math.ceil(share * n + reach) + 1, 1), n)
        ranks = np.cumsum(self.counts)
        first, last = np.searchsorted(ranks, [low, high])
        return int(self.values[first]), int(self.values[last])

    def at_most(self, value: int) -> int:
        """How many numbers are at most `value`."""
        return int(self.counts[self.values <= value].sum())
