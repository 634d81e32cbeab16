"""Words that several commands print."""

SEAT_NAMES = {"banker": "banker 莊", "right": "right 下家", "across": "across 對家", "left": "left 上家"}
