"""The command that installs an extra.

Owns where the program came from. A registry need not have its name, so a copy that came from a folder says that folder.
"""

from __future__ import annotations

import os
import shlex

_NAME = "sleepwake"


def command(*names: str) -> str:
    """Return the command that installs extras: `pip install 'sleepwake[mcp]'`, or the folder in place of the name.

    A copy that is edited in its folder stays one (`-e`).
    """
    folder, is_edited = _source()
    wanted = f"{folder or _NAME}[{','.join(names)}]"
    return f"pip install {'-e ' if is_edited else ''}{shlex.quote(wanted)}"


def _source() -> tuple[str, bool]:
    """Return the folder that this was installed from, "" where it is not known or gone, and whether with `-e`."""
    import json  # late, as the rest: errors alone ask  # noqa: PLC0415
    from importlib import metadata  # noqa: PLC0415
    from urllib.parse import urlsplit  # noqa: PLC0415
    from urllib.request import url2pathname  # noqa: PLC0415

    try:
        origin = json.loads(metadata.distribution(_NAME).read_text("direct_url.json") or "{}")
    except (metadata.PackageNotFoundError, OSError, ValueError):
        return "", False
    url = urlsplit(str(origin.get("url", "")))
    folder = url2pathname(url.path) if url.scheme == "file" else ""
    return (folder, bool(origin.get("dir_info", {}).get("editable"))) if os.path.isdir(folder) else ("", False)
