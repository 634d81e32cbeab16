"""Every series of random keys: what is drawn, and under which number; ``keys.py`` makes the keys.

Nothing here needs numpy, so that a command that plays nothing need not load it.
"""

from __future__ import annotations

import hashlib

# Series with one number for each deal pattern, see `of_pattern`.
MOST_PATTERNS = 32
RUN_HANDS = 0  # the hands of a seed, by intent the same for all that plays them
SESSIONS = 32
TUNING = 128  # on which candidates of a search play
TUNING_CHECK = 160  # on which a search asks whether it still gains
TUNING_RESULT = 192  # on which its result is measured
ADAPTING_GAIN = 224  # on which a comparison of rules asks whether re-tuned play is better
ADAPTING_PRICE = 256  # on which it measures how much better what was chosen is

# Series with one number.
ADVICE_WORLDS = 64  # worlds that agree with what a seat has seen
ADVICE_LUCK = 65  # of policies that draw lots while these worlds are played out
STUDY_POSITIONS = 66
STUDY_WORLDS = 67
STUDY_LUCK = 68
CHECK_POSITIONS = 69  # positions for which a policy is asked twice
CHECK_LUCK = 70
CANDIDATES = 71  # of a search, by step

# Series of keys under other keys.
IMAGINED = 96  # worlds of a policy that looks ahead, and the luck of its policies there
AGAIN = 97  # further tries to draw a world that can be

# Series of conditions on the deal start here; numbers below are for the series above.
CONDITIONS = 1 << 62

SERIES = {
    "hands of runs": range(RUN_HANDS, RUN_HANDS + MOST_PATTERNS),
    "sessions": range(SESSIONS, SESSIONS + MOST_PATTERNS),
    "tuning": range(TUNING, TUNING + MOST_PATTERNS),
    "tuning, check": range(TUNING_CHECK, TUNING_CHECK + MOST_PATTERNS),
    "tuning, result": range(TUNING_RESULT, TUNING_RESULT + MOST_PATTERNS),
    "adapting, gain": range(ADAPTING_GAIN, ADAPTING_GAIN + MOST_PATTERNS),
    "adapting, price": range(ADAPTING_PRICE, ADAPTING_PRICE + MOST_PATTERNS),
    "advice, worlds": range(ADVICE_WORLDS, ADVICE_WORLDS + 1),
    "advice, luck": range(ADVICE_LUCK, ADVICE_LUCK + 1),
    "study, positions": range(STUDY_POSITIONS, STUDY_POSITIONS + 1),
    "study, worlds": range(STUDY_WORLDS, STUDY_WORLDS + 1),
    "study, luck": range(STUDY_LUCK, STUDY_LUCK + 1),
    "policy check, positions": range(CHECK_POSITIONS, CHECK_POSITIONS + 1),
    "policy check, luck": range(CHECK_LUCK, CHECK_LUCK + 1),
    "candidates": range(CANDIDATES, CANDIDATES + 1),
    "imagined worlds": range(IMAGINED, IMAGINED + 1),
    "worlds tried again": range(AGAIN, AGAIN + 1),
    "conditions": range(CONDITIONS, 1 << 63),
}

LARGEST_NUMBER = 1 << 53  # of a hand, a world, a position in its series
_FIRST_BY_ITSELF = 1 << 52


def of_pattern(series: int, pattern: int) -> int:
    """The number of a deal pattern in a series that has one for each.

    Examples
    --------
    >>> of_pattern(SESSIONS, 2)
    34
    """
    return series + pattern


def number_by_itself(number: int) -> int:
    """The number in `RUN_HANDS` of a hand that a starting-hand table deals by itself.

    Runs number their hands from 0 to 10**15 - 1; these stand behind, so that none is shared.
    """
    return _FIRST_BY_ITSELF + number


def condition_series(condition: str) -> int:
    """A series of its own for a condition on the deal; `of_pattern` tells patterns apart.

    It is `CONDITIONS` and 56 bits of a hash, so that two conditions are not expected to meet.

    Parameters
    ----------
    condition : str
        The condition in one canonical form.

    Examples
    --------
    >>> condition_series("one") != condition_series("other")
    True
    """
    digest = hashlib.sha256(condition.encode()).digest()
    return CONDITIONS + int.from_bytes(digest[:7], "big") * MOST_PATTERNS
