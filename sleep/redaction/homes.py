"""Find home directories in a text and write them as `~`, before the text can reach a commit.

Refuses to know where home is: the directories of this machine come in as values.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing costs a hook 4 ms
    from collections.abc import Iterator, Sequence

_PATH_START = (
    r"(?:(?<![^\s\"'`=:,;(\[{<>|&!])|(?<=\\[nrtbf])|(?<=[\s\"'`]-[A-Za-z])|(?<=file://)|(?<=\[\dm)|(?<=\[\d\dm))"
)
_PATH_END = r"(?![\w-]|\.\w)"
_SLASH = r"(?:\\{1,8}|/)"
_GENERIC = (
    r"(?:/(?:(?:var|usr|export)/)?home/(?!linuxbrew/)[\w.@+-]{1,64}(?=/)"
    r"|/(?:(?:mnt/)?[a-z]/)?Users/(?!(?:Shared|Public|Default)/)[\w.@+-]{1,64}(?=/)"
    r"|/root(?=/)"
    r"|[A-Za-z]:" + _SLASH + r"Users" + _SLASH + r"(?!(?:Public|Default|All Users)[\\/])\w[\w.@+ -]{0,63}(?=[\\/]))"
)


def hide(text: str, home_dirs: Sequence[str]) -> str:
    r"""Return the text with home directories as `~`: the given ones at any border, others only where a path goes on.

    `/home/NAME/`, `/Users/NAME/`, `/root/` and `C:\Users\NAME\` count as such where an absolute path can start, so
    not in `https://x.org/home/foo/`. The separators stay as they are. A bare `/home/NAME` may be a route of a web
    application and stays, unless it is given.
    """
    names = [home.replace("\\", "/").rstrip("/").rpartition("/")[2] for home in home_dirs]
    if not any(sign in text for sign in ("/home/", "Users", "/root/", *filter(None, names))):
        return text
    own = [form for home in home_dirs for form in _forms(home)]
    alternatives = "|".join([f"(?:{form}){_PATH_END}" for form in own] + [_GENERIC])
    return re.sub(_PATH_START + f"(?:{alternatives})", "~", text)


def _forms(home: str) -> Iterator[str]:
    """Yield patterns for a given home directory; none for what is no directory of a person."""
    trimmed = home.rstrip("/\\")
    if not re.match(r"/[^/]|[A-Za-z]:[\\/]+[^\\/]", trimmed):
        return
    parts = [re.escape(part) for part in re.split(r"[\\/]+", trimmed)]
    yield "/".join(parts) if trimmed.startswith("/") else _SLASH.join(parts)
