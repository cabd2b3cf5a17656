"""Facts for programs, as the commands print them: a line of JSON each."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping


def json_line(facts: Mapping[str, object]) -> str:
    """Write facts as JSON; letters that standard output has no code for are escaped, as JSON may."""
    line = json.dumps(facts, ensure_ascii=False)
    try:
        line.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return json.dumps(facts)
    return line
