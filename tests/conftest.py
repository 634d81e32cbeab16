import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent))  # the reference engine and the bridge to it
sys.modules.setdefault("coverage", None)  # numba looks for that package; the folder here is none

for _name in ("LC_ALL", "LC_MESSAGES", "LANG"):  # tables in English, whoever runs the tests
    os.environ[_name] = "C"

settings.register_profile("repeatable", deadline=None, derandomize=True)
settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def data() -> Path:
    return Path(__file__).parent / "data"
