"""One trick played by policies: the leader plays a combination, three seats answer.

Source: "The hand", points 2 to 4, of the rules.
"""

from __future__ import annotations

from .._jit import helper
from ..streams import DECISIONS, Key, draw
from ..word import integer, word
from .plays import Kind, beaters_of_lead, kind_of, may_show
from .policies import View, follow, lead
from .switches import Switches
from .table import Table, Trick, beaters_after, stacks_of

EACH_ITS_OWN = -1  # in place of one policy for all seats


@helper
def policy_of(seat: int, one_policy: int, policies: int) -> int:
    """The policy of a seat; `policies` has four bits a seat."""
    return one_policy if one_policy != EACH_ITS_OWN else integer(policies >> (seat << 2) & 15)


@helper
def view_of(
    seat: int, hand: int, table: Table, kind: Kind, beaters: int, key: Key, rules: Switches
) -> View:
    """What a seat knows when it is its turn: the only thing that its policy is given."""
    shows = may_show(hand, stacks_of(seat, table.stacks), rules)
    luck = draw(key, DECISIONS + seat, 8 - table.size)
    return View(hand, table.size, kind, beaters, shows, luck)


@helper
def play_trick(
    one_policy: int, policies: int, table: Table, forced: int, key: Key, rules: Switches
) -> Trick:
    """Four seats play one trick; its leader leads `forced`, or by its policy if that is 0."""
    leader, right = table.leader, table.leader + 1 & 3
    across, left = table.leader + 2 & 3, table.leader + 3 & 3

    nothing = Kind(word(0), word(0))
    view = view_of(leader, table.first, table, nothing, word(0), key, rules)
    chosen = lead(policy_of(leader, one_policy, policies), view, rules)
    led = chosen if forced == 0 else forced
    kind = kind_of(led)
    beaters = beaters_of_lead(led, kind, rules)

    view = view_of(right, table.second, table, kind, beaters, key, rules)
    second = follow(policy_of(right, one_policy, policies), view)
    beaters = beaters_after(second, led, kind, beaters, rules)

    view = view_of(across, table.third, table, kind, beaters, key, rules)
    third = follow(policy_of(across, one_policy, policies), view)
    beaters = beaters_after(third, led, kind, beaters, rules)

    view = view_of(left, table.fourth, table, kind, beaters, key, rules)
    fourth = follow(policy_of(left, one_policy, policies), view)

    return Trick(led, second, third, fourth)
