"""How the last trick of a hand was won: the `ending` of an outcome record."""

PLAIN = 0
LOW = 1  # a led 3 won: 幺結
LOW_CIVIL = 2  # a led K won
SUPREME_WON = 3  # 63 was led: 包尊
SUPREME_CIVIL_WON = 4  # KK, counting as supreme, was led and won
FOUR = 5  # a led four won: 四大包
# From here on the lead was beaten.
LOW_CAUGHT = 6  # a led 3 was taken by 6: 擒
LOW_CIVIL_CAUGHT = 7  # a led K was taken by J
SUPREME_CIVIL_CAUGHT = 8  # KK, counting as supreme, was led and taken by JJ
FOUR_CAUGHT = 9  # a led four was taken by a stronger one
PATTERN_SEVEN = 10  # a hand pattern ended the hand, as a 七支
PATTERN_EIGHT = 11  # or as an 八支
