"""Who plays where nobody is named: good players.

``tuned`` is the policy tuned for the rule preset at hand.  ``random`` and ``greedy`` stay as yardsticks,
whose bytes never change.
"""

from __future__ import annotations

DEFAULT_POLICY = "tuned"
DEFAULT_POLICIES = (DEFAULT_POLICY,) * 4
YARDSTICKS = ("random", "greedy")
WEAKER_POLICY = "greedy"  # beside which an answer is told where simple players turn it round
