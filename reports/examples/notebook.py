"""A walk through gupai in Python, cell by cell: open it in a notebook, or run it as it is.

Usage: python reports/examples/notebook.py [FOLDER]
"""

# %% Odds: exact where they can be
from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from gupai.analysis import (
    Keeper,
    Run,
    SavedRun,
    SessionRun,
    Tables,
    compare,
    load_rules,
    odds,
    read_hands,
    session,
    simulate,
    starting_hand,
    tournament,
)

folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp())
folder.mkdir(parents=True, exist_ok=True)
rules = load_rules("tiengow-ja")

supreme = odds("anyone has 63")
print(f"Somebody is dealt supreme 至尊: {supreme.fraction} = {supreme.value:.4f}")

# %% A run, its tables as pandas, and a figure
tables = Tables(simulate(Run(rules=rules, hands=20_000)))  # good players, "tuned"
frame = tables.to_frame()
print(frame[frame["table"] == "points"].to_string(index=False))
tables.plot().savefig(folder / "seats.png")

# %% A house rule on the same hands: 擒 pays four times
loose = Run(policies=("random",) * 4, hands=200_000)  # greedy players are hardly ever caught
change = compare(rules, load_rules("tiengow-ja", {"kam": 4}), run=loose)
print(change.to_frame().tail(4).to_string(index=False))
change.plot().savefig(folder / "kam.png")

# %% What a hand is worth in each seat
worth = starting_hand("AA99BK63", run=Run(hands=5_000))
print(
    worth.to_frame()[["seat", "win", "points", "points_low", "points_high"]]
    .head(4)
    .to_string(index=False)
)

# %% An evening of sixty hands, and a tournament
evening = session(SessionRun(policies=("tuned", "greedy", "greedy", "greedy"), hands=60, sessions=500))
print(evening.to_frame()[["policy", "points", "points_low", "points_high"]].to_string(index=False))
ranking = tournament(["tuned", "greedy", "random"], deals=200)
print(ranking.to_frame()[["policy", "points"]].to_string(index=False))

# %% Results can be saved, and come back as the same objects
for name, result in (("kam", change), ("evening", evening), ("ranking", ranking)):
    result.save(folder / f"{name}.json")
assert type(change).load(folder / "kam.json") == change

# %% A run kept in a folder, hand by hand: the mean stake by the tile that wins the last trick
run = Run(rules=rules, policies=("greedy",) * 4, hands=100_000)
saved = SavedRun(folder / "run", run)
saved.extend(run.hands, source=Keeper(run, saved.folder))
hands = read_hands(saved.folder)
won = hands["settlement_right"].where(hands["winner"] == "right")
print(won.groupby(hands["last_tile"]).agg(["size", "mean"]).round(1).to_string())
