"""The subject of a record: what the heading above says it is about, where its own words do not.

Owns which heading that is (a topic's, no list's and no day's) and how it is said before the words: `Mail import:
waiting for the owner's answer`. Refuses to change the words themselves, and to say a subject of what has one.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from sleep.documents.hand import page_titles
from sleep.language import days, lexicon, stems, tokenizer
from sleep.language.acts import first_words, kind_names
from sleep.language.acts.grammar import has
from sleep.language.tokenizer import has_wide
from sleep.memo import memo
from sleep.records import classification, topic

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST = 60  # characters of a subject
_MOST = 120  # characters of words that want one: what is longer says itself what it is about
_LETTERS = 3  # of a word that two texts share
_BOLD = re.compile(r"^(?:\*\*|__)([^*_\n]{1,80}?)(?:\*\*|__)")
_BOLD_LEAD = re.compile(  # `**Import of Mail** (later):`, `**Import of Mail:** these come next:`
    r"(?:\*\*|__)([^*_]{3,50}?)(?:(?:\*\*|__)(?: \([^()]*\))?[:：]|[:：](?:\*\*|__)(?: [^.]*[:：])?)"
)
_ASIDE = re.compile(r"[(（][^()（）]*[)）]")
_LONG_WORD = re.compile(r"\b[^\W\d_]\w{3,}")
_TIME = r"\d+[年月日号號년월일]?"  # a figure, or a part of a day in figures: `3月13日`
_BEHIND_DAY = re.compile(r" [-–—] |(?<=[日号號일]) ")
_NAME = re.compile(  # code, a path, a word with a digit or a capital inside, or one with a capital behind another word
    r"`[^`]+`|\w[./]\w|#\d|\b[^\W\d_]+\d|\d[^\W\d_]|[^\W\d_]*[a-z][A-Z]|\b[A-Z]{3,}\b|(?<=[a-z,;] )[A-Z][a-z]"
)


def with_subject(text: str, sections: Sequence[str]) -> str:
    """Return the words of a record behind the subject that the headings above give it, as they are if they need none.

    The heading right above is said where the words have no more than half of its own; one further up, or the title,
    only of words that name nothing.
    """
    first = text.partition("; ")[0]
    if len(first) > _MOST:
        return text
    subject = _subject(first, sections)
    if not subject:
        return text
    words = _BOLD.sub(r"\1", classification.without_label(text) or text)
    words = words.rstrip(" :：")
    return f"{subject}{' —' if ':' in words[:_LONGEST] else ':'} {words}"


def _subject(text: str, sections: Sequence[str]) -> str:
    own = sections[1:] if sections and page_titles.listed(sections[0])[0] else sections  # `Town TODO` is a list
    above = [section for section in own if not _is_lead(section)]
    above = [name[1] if (name := _BOLD_LEAD.fullmatch(section.strip())) else section for section in above]
    for place, (section, upper) in enumerate(pairwise([*reversed(above), ""])):
        is_far = bool(place) or not upper
        if is_far and (has_wide(text) or _NAME.search(text)):
            return ""
        if subject := of_heading(section):
            return "" if _says(text, subject) else subject
    return ""


def _says(text: str, subject: str) -> bool:
    """True for words that have more than half of a subject's, or half of them with a name (`EvoClaw`)."""
    own = _words(subject)
    shared = own & _words(text)
    names = _words(" ".join(filter(_NAME.search, text.split())))
    return 2 * len(shared) > len(own) or (2 * len(shared) == len(own) and not shared.isdisjoint(names))


def _is_lead(section: str) -> bool:
    """True for a line that leads to a list and names no kind: the heading above it is that of the list too.

    A name in bold, with capitals (`**Import of Mail**:`), is a heading in all but its signs.
    """
    if not first_words.leads(section) or classification.heading_kind(section):
        return False
    name = _BOLD_LEAD.fullmatch(section.strip())
    return name is None or any(map(str.islower, _LONG_WORD.findall(name[1])))


@memo(1 << 9, str, None)  # many records stand under one heading
def of_heading(heading: str) -> str:
    """Return what a heading says that the list below it is about, "" for one that only says what kind, or when."""
    if has(heading, "signs.verbal lead", "signs.of document", "signs.ranks"):
        return ""
    heading = heading if topic.from_heading(heading) else _ASIDE.sub("", heading).partition(" — ")[2]
    if not topic.from_heading(heading):
        return ""
    bare = re.sub(r"[*`#]|__", "", heading)
    if (day := next(days.every(bare), None)) and not _names(bare[: day.start]):
        bare = _ASIDE.sub("", bare[day.end :])
    for beginning in (first_words.before_colon, lambda text: _BEHIND_DAY.split(text)[0]):
        label = beginning(bare)
        rest = bare[len(label) + 1 :]
        bare = rest if rest.strip() and not _names(label) else bare
    for _ in range(2):
        bare = _stamp().sub("", bare.strip())
    return bare if len(bare) <= _LONGEST and _names(bare) else ""


@lru_cache(maxsize=1)
def _stamp() -> re.Pattern[str]:
    """Return what finds a time, a day or a number before a title, and a time, a bracket or a sign behind it.

    Takes `9:30 PM CET` of `9:30 PM CET — Mail import`; leaves `UTC` of `UTC in reports`, where no figure is before it,
    and `3D printing`.
    """
    zone = rf"(?:\b|(?<=\d))(?i:{'|'.join(sorted(lexicon.all_words('clock')))})\b"
    run = rf"(?:[\W_]|\d++(?:(?={zone})|(?![^\W\d_])))"  # figures that begin no name, as those of `0Latency` do
    before = rf"^(?>(?:(?=[\W_]*+\d)(?>{run}+)(?:{zone}[\W_]*+)*)*)(?>{run}*)(?=\w)"
    bracket = r"[\s—–|,-]*[(\[（][^()\[\]（）]*(?:[)\]）]\W*)?$"
    behind = rf"[\s—–|,@-]+~?(?:\d{{4}}-\d\d-\d\d|\d{{1,2}}:\d\d)(?>(?:{zone}|[^a-z])*)$"
    return re.compile(rf"{before}|{bracket}|{behind}|[^\w\"'”’]+$")


def _names(words: str) -> bool:
    """True for words of which one could be a subject."""
    none, run = _no_subjects()
    return any(word not in none and not run.fullmatch(word) for word in tokenizer.words(words))


@lru_cache(maxsize=1)
def _no_subjects() -> tuple[frozenset[str], re.Pattern[str]]:
    """Return the words that are no subject, and what is a run of such: `3月13日`, `已知问题和限制`."""
    days_of_week = tokenizer.words(" ".join(lexicon.rows("weekdays")))
    none = lexicon.all_words("generic", "subject.none", "months").union(days_of_week)
    known, wide = tokenizer.by_script(none)
    return known, re.compile(f"(?>(?:{'|'.join((*wide, _TIME))}|[{kind_names.LINKS}])+)")


def _words(text: str) -> frozenset[str]:
    return frozenset(stems.stem(word) for word in tokenizer.words(text) if len(word) >= _LETTERS or has_wide(word))
