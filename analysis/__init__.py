"""gupai.analysis: what a question about a tile game means, and its answer.

The public calls stand here by name (they are listed in ``__init__.pyi``).  Each is loaded when it
is first used, so that importing this package costs nothing.

Examples
--------
>>> from gupai.analysis import Run, Tables, simulate
>>> Tables(simulate(Run(hands=1000))).hands
1000
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
