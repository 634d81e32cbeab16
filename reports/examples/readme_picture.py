"""Makes the picture of the README.  Usage: python reports/examples/readme_picture.py OUT.png"""

from __future__ import annotations

import sys
from pathlib import Path

from gupai.analysis import Run, Tables, simulate
from gupai.reports.figure_data import seats_data
from gupai.reports.figures import FIGURES, png_of, style


def main(path: str) -> None:
    """Play hands of each yardstick and of good players, and draw the seats."""
    runs = [Run(policies=(policy,) * 4) for policy in ("random", "greedy", "tuned")]
    with style():
        picture = png_of(FIGURES["seats"](seats_data([Tables(simulate(run)) for run in runs])))
    Path(path).write_bytes(picture)


if __name__ == "__main__":
    main(sys.argv[1])
