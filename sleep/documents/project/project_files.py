"""What a project is for, as its own files say it: what is told where nobody said it in `main.md`, marked as derived.

Owns which files are asked, in which order, and where in them it stands: the first paragraph of a README, else of the
page that a tool for plans begins with, else the description in the metadata of a package. Refuses to choose among
journals: that is `wake.purpose`'s. Pure; hooks load it.
"""

from __future__ import annotations

import re

from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

READMES = ("README.md", "readme.md", "Readme.md", "README.rst", "README.txt", "README", "docs/README.md")
# What tools that plan and keep a memory have people say first.
BRIEFS = (
    ".planning/PROJECT.md",
    "memory-bank/projectbrief.md",
    "memory-bank/brief.md",
    "memory-bank/productContext.md",
)
METADATA = ("pyproject.toml", "package.json", "Cargo.toml", "setup.cfg", "composer.json", "pubspec.yaml")
MOST = 300  # characters of a purpose
_READ = 16_000  # characters of a file, in which it stands
_WORDS = 4  # of a paragraph, with fewer it is a slogan or a badge; of a script without spaces, characters:
_SIGNS = 8
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_OTHER = re.compile(
    r"\s{0,3}(?:#|<|!?\[!|!\[|\||[-*+] |\d+[.)] |\.\. |:\w|\[[^\]]*\]:|={3}|-{3})"
)  # no prose: `# Name`
_UNDERLINE = re.compile(r"\s{0,3}(?:=+|-+|~+|\^+)\s*$")  # the line below a title
_FENCE = re.compile(r"\s{0,3}(?:```|~~~)")
_LINK = re.compile(r"!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])")  # takes `[so](https://a.example)`
_EMPHASIS = re.compile(r"(\*\*|__|`)(?=\S)(.+?)(?<=\S)\1")
_STOP = re.compile(r"[.!?](?=\s)|[。！？]")
_DESCRIPTION = re.compile(
    r"""(?m)^\s*"?description"?\s*[=:]\s*(?:"((?:[^"\\\n]|\\.)+)"|'([^'\n]+)'|([^\s"'>|{\[][^\n]*))"""
)  # takes `description = "Counts bytes"`, leaves `descriptions: 2`
_WIDE = re.compile("[\u2e81-\U0010ffff]")


class Purpose(NamedTuple):
    """What a project is for, on one line, and the file that says it; both "" where none does."""

    text: str = ""
    source: str = ""


def derive(read: Callable[[str], str | None]) -> Purpose:
    """Return what the project's own files say that it is for; `read` returns a file's text, None where it is not."""
    for path in (*READMES, *BRIEFS, *METADATA):
        text = (read(path) or "")[:_READ]
        words = of_metadata(text) if path in METADATA else of_readme(text)
        if words:
            return Purpose(words, path)
    return Purpose()


def of_readme(text: str) -> str:
    """Return the first paragraph of prose, "" for none: titles, badges, lists, tables and code are passed over."""
    paragraph: list[str] = []
    fenced = False
    for row in [*_COMMENT.sub("", text.replace("\r\n", "\n")).split("\n"), ""]:
        if _FENCE.match(row):
            fenced = not fenced
        elif not fenced and paragraph and _UNDERLINE.match(row):
            paragraph = []
            continue
        elif not fenced and row.strip() and not _OTHER.match(row):
            paragraph.append(row.strip().removeprefix(">").strip())
            continue
        words = _shorten(" ".join(paragraph))
        if words:
            return words
        paragraph = []
    return ""


def of_metadata(text: str) -> str:
    """Return the description of a package, as TOML, JSON, INI or YAML have it; "" for none."""
    match = _DESCRIPTION.search(text)
    return _shorten((match[1] or match[2] or match[3]).replace('\\"', '"')) if match else ""


def _shorten(text: str) -> str:
    """Return a paragraph as plain words, cut at the end of a sentence; "" where it says next to nothing."""
    plain = " ".join(_EMPHASIS.sub(r"\2", _LINK.sub(r"\1", text)).split())
    plain = "".join(filter(str.isprintable, plain))
    if len(plain.split()) < _WORDS and len(_WIDE.findall(plain)) < _SIGNS:
        return ""
    if len(plain) <= MOST:
        return plain
    ends = [stop.end() for stop in _STOP.finditer(plain, 0, MOST)]
    return plain[: ends[-1]] if ends else f"{plain[: plain.rfind(' ', 0, MOST) if ' ' in plain[:MOST] else MOST]}…"
