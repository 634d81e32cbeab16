"""A policy of a user, which leaves a mark wherever it is run."""

from pathlib import Path

from gupai.kernels.tiengow.plays import Kind, options, tiles_of
from gupai.kernels.tiengow.state import BEATS, CIVIL_LED, HAND, MAY_SHOW, MILITARY_LED, POSITION
from gupai.kernels.tiengow.tiles import first_tiles
from gupai.kernels.word import integer, lowest, word

Path("was-run").touch()


def lowest_first(view):
    """Lead the lowest tile; beat as cheaply as can be."""
    if view[POSITION] == 0:
        return integer(lowest(word(view[HAND])))
    hand = word(view[HAND])
    kind = Kind(word(view[CIVIL_LED]), word(view[MILITARY_LED]))
    place = lowest(options(hand, kind) & word(view[BEATS]))
    if place != 0 and view[MAY_SHOW]:
        return integer(tiles_of(place, hand, kind))
    return -integer(first_tiles(hand, view[CIVIL_LED] + view[MILITARY_LED]))
