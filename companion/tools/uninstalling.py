"""``companion uninstall``: hands over to the script that installed the companion."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from companion.statuses import REFUSED

#: Where the installer leaves a copy of itself, in the environment it installs.
SCRIPT = Path("share") / "lama-companion" / "install.sh"


def uninstall(options: argparse.Namespace) -> int:
    """Run the installer's other half in place of this program; 1 if nothing was installed."""
    script = Path(sys.prefix) / SCRIPT
    if not script.exists():
        print(
            "companion: this program was not installed by systemd/install.sh, so there is nothing to "
            "remove; delete its folder",
            file=sys.stderr,
        )
        return REFUSED
    sys.stdout.flush()
    more = ["--print"] if options.print else []
    return subprocess.call(["/bin/bash", str(script), "--uninstall", *more])
