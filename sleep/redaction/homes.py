"""Find home directories in a text and write them as `~`, before the text can reach a commit.

Refuses to know where home is: the directories of this machine come in as values.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing costs a hook 4 ms
    from collections.abc import Iterator, Sequence

# Where a path can start: behind a space, a sign that no path has, a script without spaces, an escape or a colour.
_SCRIPTS = r"\x00-\x1f\xa0-\xbf\u2000-\u2bff\u3000-\U0010ffff"
_ESCAPES = (
    r"(?<=\\[nrtbf])|(?<=[\s\"'`]-[A-Za-z])|(?<=file://)|(?<=://file)|(?<=\?\\)"
    r"|(?<=[\[;]\dm)|(?<=[\[;]\d\dm)|(?<=;\d\d\dm)"
)
_PATH_START = rf"(?:(?<![^\s\"'`=:,;(\[{{<>|&!{_SCRIPTS}])|{_ESCAPES})"
_BORDER = rf"(?:(?<![A-Za-z0-9./~-])|{_ESCAPES})"  # for a home that is known
_PATH_END = r"(?![\w-]|\.\w)"
_SLASH = r"(?:\\{1,8}|/)"
_DIVIDE = r"\\{0,3}/"  # some write JSON with `\/`
_NAME, _SPACED = r"[\w.@+-]{1,64}", r"\w(?:[\w.@+ -]{0,62}[\w.@+-])?"
_PUBLIC = r"(?!(?:Shared|Public|Default|All Users)[\\/])"
_GENERIC = (
    rf"(?:{_DIVIDE}(?:(?:var|usr|export|data|nfs|net){_DIVIDE})?home[2-9]?{_DIVIDE}(?!linuxbrew/){_NAME}(?={_DIVIDE})"
    rf"|{_DIVIDE}(?:System/Volumes/Data/)?Users{_DIVIDE}{_PUBLIC}{_NAME}(?={_DIVIDE})"
    rf"|/(?:(?:mnt|cygdrive)/)?[a-z]/[Uu]sers/{_PUBLIC}{_SPACED}(?=/)"
    rf"|{_DIVIDE}root(?={_DIVIDE})"
    rf"|[A-Za-z]:{_SLASH}(?:[Uu]sers|Documents and Settings){_SLASH}{_PUBLIC}{_SPACED}(?=[\\/])"
    rf"|/Volumes/[\w .-]{{1,40}}/Users/{_PUBLIC}{_NAME}(?=/)"
    rf"|\\{{2,8}}[\w.-]{{1,64}}\\{{1,4}}(?:homes?|[Uu]sers)\\{{1,4}}{_PUBLIC}{_NAME}(?=\\)"
    rf"|{_SLASH}{{2}}wsl(?:\$|\.localhost){_SLASH}[\w.-]{{1,64}}{_SLASH}home{_SLASH}{_NAME}(?=[\\/]))"
)
# A path in an address, and a folder that Claude Code names after a path.
_CODED = (
    r"%2[Ff](?:home|Users)%2[Ff][\w.@+-]{1,64}(?=%2[Ff])"
    r"|%5[Cc][Uu]sers%5[Cc][\w.@+-]{1,64}(?=%5[Cc])|[A-Za-z]%3[Aa]/[Uu]sers/[\w.@+%-]{1,64}(?=/)"
    r"|(?:(?<=projects/)|(?<![^\s\"'`(]))(?:[A-Z]-)?-(?:home|Users)-[A-Za-z0-9]{1,64}(?=-)"
)
_SIGNS = ("home", "sers", "/root", "Settings")
# How all of these begin: most places of a text are none, at once.
_FIRST = r"(?=[/\\]|%2|[A-Za-z]:|(?<=projects/))"
_FIRST_CODED = r"(?=[/\\]|%[25]|[A-Za-z](?::|%3)|-[hU]|(?<=projects/))"  # where a text has signs of these
_CODES = ("%5", "%3", "-home-", "-Users-")


def hide(text: str, home_dirs: Sequence[str]) -> str:
    r"""Return the text with home directories as `~`: the given ones at any border, others only where a path goes on.

    `/home/NAME/`, `/Users/NAME/`, `/root/` and `C:\Users\NAME\` count as such where an absolute path can start, so
    not in `https://x.org/home/foo/`. The separators stay as they are. A bare `/home/NAME` may be a route of a web
    application and stays, unless it is given.
    """
    names = [home.replace("\\", "/").rstrip("/").rpartition("/")[2] for home in home_dirs]
    if not any(sign in text for sign in (*_SIGNS, *filter(None, names))):
        return text
    own = [form for home in home_dirs for form in _forms(home)]
    first = _FIRST_CODED if any(sign in text for sign in _CODES) else _FIRST
    return re.sub(f"{first}(?:{'|'.join([*own, _PATH_START + _GENERIC, _CODED])})", "~", text)


def _forms(home: str) -> Iterator[str]:
    """Yield patterns for a given home directory; none for what is no directory of a person."""
    trimmed = home.rstrip("/\\")
    if not re.match(r"/[^/]|[A-Za-z]:[\\/]+[^\\/]", trimmed):
        return
    parts = [re.escape(part) for part in re.split(r"[\\/]+", trimmed)]
    path = (_DIVIDE if trimmed.startswith("/") else _SLASH).join(parts)
    yield f"{_BORDER}{path}{_PATH_END}"
    yield rf"(?<=projects/){re.sub('[^A-Za-z0-9]', '-', trimmed)}(?![A-Za-z0-9])"
