"""Words that several commands print."""

from ..analysis.phrases import phrase

SEAT_NAMES = {
    "banker": phrase("banker 莊"),
    "right": phrase("right 下家"),
    "across": phrase("across 對家"),
    "left": phrase("left 上家"),
}
