import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # the reference engine and the bridge to it
