import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

# The reference engine and the bridge to it.  Not this folder: numba would take that of the coverage
# tests for a package of that name.
sys.path.insert(0, str(Path(__file__).parent / "support"))

for _name in ("LC_ALL", "LC_MESSAGES", "LANG"):  # tables in English, whoever runs the tests
    os.environ[_name] = "C"

settings.register_profile("repeatable", deadline=None, derandomize=True)
settings.load_profile("repeatable")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Where all tests are asked for, have the kernels compiled once, before the workers start."""
    config = session.config
    if hasattr(config, "workerinput") or config.args_source is not config.ArgsSource.TESTPATHS:
        return
    from gupai.kernels._jit import cache_folder

    import warming

    folder = cache_folder()  # another one after any change of a kernel
    if (
        folder is None
        or config.option.collectonly
        or not config.pluginmanager.has_plugin("cacheprovider")
    ):
        return
    if config.cache.get("gupai/kernels", "") == str(folder) and any(folder.rglob("*.nbi")):
        return
    terminal = config.pluginmanager.get_plugin("terminalreporter")
    terminal.write_line("compiling the kernels, once on this machine (a minute or two) …")
    if warming.warm_up():
        config.cache.set("gupai/kernels", str(folder))
    else:
        terminal.write_line("some could not be compiled; the tests will tell which")


def pytest_terminal_summary(terminalreporter, config: pytest.Config) -> None:
    """Say in one line whether the tests that click in a browser were run, and keep it for ``.ci/run``."""
    reports = [
        report
        for outcome in ("passed", "failed", "skipped")
        for report in terminalreporter.stats.get(outcome, ())
        if "browser" in report.keywords
    ]
    if reports:
        ran = any(report.when == "call" and not report.skipped for report in reports)
        told = "ran" if ran else f"skipped ({reports[0].longrepr[2].removeprefix('Skipped: ')})"
        terminalreporter.write_line(f"browser tests: {told}")
        if config.pluginmanager.has_plugin("cacheprovider"):
            config.cache.set("gupai/browser", f"browser tests: {told}")


@pytest.fixture(scope="session")
def data() -> Path:
    return Path(__file__).parent / "data"
