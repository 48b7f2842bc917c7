"""Templates: forms that nobody filled in, which record nothing.

Owns knowing them by their names (`adr-template.md`), by their blanks (`{short title of the problem}`, `[a | b | c]`),
and by having no words but those that `init` laid. Refuses to call a record a template that is about templates. Pure.
"""

from __future__ import annotations

import re

from sleep.documents import front_matter, page_templates

_NAME = re.compile(
    r"(?:[0-9]+|[nx]+)?[-_. ]*(?:(?:m?adr|nygard|decision|record|new|the)[-_. ]*)*templates?"
    r"(?:[-_. ](?:bare|minimal|short|long|full|simple|annotated|madr|nygard|adr))*(?:\.[a-z]+)?",
    re.IGNORECASE,
)  # `0000-template.md`, `adr-template-minimal.md`
_CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]*`", re.DOTALL | re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_BLANK = re.compile(
    r"\{[a-z](?=[^{}\n]{3,}? [^{}\n]{3})[^{}\n]+\}|^#+ +\[[a-z][^\]\n]{3,}\](?!\()"
    r"|\[[^\]|\n]{0,200}\|[^\]|\n]{0,200}\|[^\]\n]{0,400}\](?!\()",
    re.MULTILINE,
)
_TITLE = re.compile(r"^# +(?:[\dN]+[.:] *)?(?:[{\[<][^}\]>\n]{4,}[}\]>]|(?:NUMBER|TITLE)\b.*)\s*$", re.MULTILINE)
_MANY, _SHARE = 3, 8  # blanks, and one line in so many that has one


def is_named(name: str) -> bool:
    """Return whether a file is called as a template is; a record about templates is not."""
    return _NAME.fullmatch(name) is not None


def is_blank(name: str, text: str) -> bool:
    """Return whether a record is called as a template is, or has a place that waits for words."""
    return is_named(name) or _BLANK.search(_prose(text)) is not None


def is_template(name: str, text: str) -> bool:
    """Return whether a file is a form that nobody filled in."""
    if is_named(name) or text.strip() in page_templates.FORMS:
        return True
    prose = _prose(text)
    rows = [row for row in prose.split("\n") if row.strip()]
    blanks = len(_BLANK.findall(prose))
    return not rows or _TITLE.search(prose) is not None or (blanks >= _MANY and blanks * _SHARE >= len(rows))


def without_comments(text: str) -> str:
    """Return a text without its comments; what opens and never ends is none."""
    last = text.rfind("-->") + 3
    return _COMMENT.sub("", text[:last]) + text[last:]


def _prose(text: str) -> str:
    return _CODE.sub("", without_comments(text[front_matter.peek(text).body :]))
