"""The command is there by name and as a module."""

import subprocess
import sys
from importlib.metadata import entry_points


def test_the_module_is_the_command() -> None:
    run = [sys.executable, "-m", "companion", "replay", "nowhere.lama"]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    (named,) = entry_points(group="console_scripts", name="companion")
    assert done.returncode == named.load()(["replay", "nowhere.lama"]) != 0
    assert "nowhere.lama" in done.stderr
