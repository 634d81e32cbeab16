"""``python -m gupai``: the same as the command ``gupai``.

``gupai`` itself has no code, so that this folder is installed as it.
"""

from __future__ import annotations

import sys

from gupai.reports.cli import main

if __name__ == "__main__":
    sys.exit(main())
