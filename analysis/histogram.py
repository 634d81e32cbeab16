"""How often each whole number occurred: exact sums, and quantiles with their intervals."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from .estimates import CONFIDENCE, Mean, mean_of, normal_quantile

_DENSE = 1 << 20  # up to this range of values they are counted in a table, else sorted


class Histogram:
    """Counts of whole numbers.

    Examples
    --------
    >>> histogram = Histogram()
    >>> histogram.add(np.array([3, 1, 3]))
    >>> histogram.values.tolist(), histogram.counts.tolist(), histogram.quantile(0.5)
    ([1, 3], [1, 2], 3)
    """

    plain_data = True  # may be saved as it is

    def __init__(self) -> None:
        self._least = 0  # the value counted in the table's first place
        self._table = np.zeros(0, np.int64)
        self._values, self._counts = np.zeros((2, 0), np.int64)  # those outside of a table's reach

    @property
    def values(self) -> NDArray[np.int64]:
        """Distinct values, rising."""
        return self._pairs()[0]

    @property
    def counts(self) -> NDArray[np.int64]:
        """How often each value occurred."""
        return self._pairs()[1]

    @property
    def n(self) -> int:
        """How many numbers there are."""
        return int(self._table.sum() + self._counts.sum())

    def add(self, numbers: NDArray[np.int64]) -> None:
        """Count some numbers."""
        if not numbers.size:
            return
        least, largest = int(numbers.min()), int(numbers.max())
        if self._reach(least, largest):
            self._table += np.bincount(numbers - self._least, minlength=self._table.size)
        else:
            self._add_far(*np.unique(numbers, return_counts=True))

    def merge(self, other: Histogram) -> None:
        """Add the counts of another histogram."""
        self._add_far(*other._pairs())

    def _reach(self, least: int, largest: int) -> bool:
        """Make the table reach from one value to another, if it is not too wide then."""
        if self._table.size:
            least = min(least, self._least)
            largest = max(largest, self._least + self._table.size - 1)
        if largest - least >= _DENSE:
            return False
        before = self._least - least if self._table.size else 0
        if before or largest - least >= self._table.size:
            room = np.zeros(largest - least + 1, np.int64)
            room[before : before + self._table.size] = self._table
            self._least, self._table = least, room
        return True

    def _add_far(self, values: NDArray[np.int64], counts: NDArray[np.int64]) -> None:
        both = np.concatenate([self._values, values]), np.concatenate([self._counts, counts])
        self._values, place = np.unique(both[0], return_inverse=True)
        self._counts = np.zeros(self._values.size, np.int64)
        np.add.at(self._counts, place.ravel(), both[1])

    def _pairs(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        if self._table.size:
            used = np.flatnonzero(self._table)
            self._add_far(used + self._least, self._table[used])
            self._least, self._table = 0, np.zeros(0, np.int64)
        return self._values, self._counts

    def mean(self) -> Mean:
        """The mean with its interval, from exact sums."""
        return mean_of(self.values.tolist(), self.counts.tolist())

    def quantile(self, share: float) -> int:
        """The smallest value that at least this share of the numbers does not exceed."""
        place = max(math.ceil(share * self.n), 1)
        return int(self.values[np.searchsorted(np.cumsum(self.counts), place)])

    def quantile_interval(
        self, share: float, *, confidence: float = CONFIDENCE
    ) -> tuple[int | None, int | None]:
        """The interval of a quantile, from the normal approximation to the ranks that bound it.

        An end is None where there are too few numbers to bound it.
        """
        n = self.n
        reach = normal_quantile(confidence) * math.sqrt(n * share * (1 - share))
        values, ranks = self.values, np.cumsum(self.counts)

        def at(rank: int) -> int | None:
            return int(values[np.searchsorted(ranks, rank)]) if 1 <= rank <= n else None

        return at(math.floor(share * n - reach)), at(math.ceil(share * n + reach) + 1)
