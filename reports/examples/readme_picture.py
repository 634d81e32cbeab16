"""Makes the picture of the README.  Usage: python reports/examples/readme_picture.py OUT.png"""

from __future__ import annotations

import sys

from gupai.analysis import Run, Tables, simulate
from gupai.reports.plots import seats_plot


def main(path: str) -> None:
    """Play a million hands of each pinned policy and draw the seats."""
    runs = [Run(policies=(policy,) * 4) for policy in ("random", "greedy")]
    seats_plot([Tables(simulate(run)) for run in runs]).savefig(path, dpi=120)


if __name__ == "__main__":
    main(sys.argv[1])
