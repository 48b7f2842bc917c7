"""Lines of journals as fragments that a wake may show, and as they are written there.

Owns how long a line is told, and what stands before it. Refuses to choose among lines: that is `selection`'s.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sleep.language import dates, days, salience, tokens
from sleep.language.acts import kind_names
from sleep.records.address import Mark
from sleep.records.fragment import Fragment
from sleep.wake.journal_lines import line_text, record_lines

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sleep.language.salience import Worths
    from sleep.wake.journal_lines.excerpt import Excerpt

_FULLER = 240  # characters of a line that says names together which are likely to return
_MAY_END = ("blocker", "decision", "question", "task")  # kinds of which a reader asks how old they are,
_OLD = 3  # from so many instances on
_BEGINNING = 12  # characters by which the words of a line are found in it
_DENSE = 8  # characters of a token, at the most
_ADDRESS = 4  # tokens of an address, about
_LEAD = 24  # characters of a text that may begin with its own day
_BEHIND_DAY = re.compile(r"(?:[\])）】][:：]?|[:：]| [–—-](?= ))\s*(?=\S)")
_MONTH = 3  # letters of a month's name


def fragments(
    excerpts: Sequence[tuple[str, Excerpt]],
    known: Worths,
    stating: Mapping[int, Fragment],
    room: float = 0,
    *,
    cites: bool = False,
) -> list[tuple[str, Fragment, str]]:
    """Return lines of journals as they are written, each with the path of its journal; whole if all fit into the room.

    If `cites` is set and there is room for that too, each ends with the address of its entry.

    One that states a record stands behind what the record says before it, and before the state of one that is paused.
    """
    titles = record_lines.titles(excerpts)
    leads = {
        index: record_lines.lead(excerpts[index][1].line.text, record.text, titles[excerpts[index][0]])
        for index, record in stating.items()
    }
    excerpts = _whole(excerpts, room)
    texts = []
    for index, (path, line) in enumerate(excerpts):
        lead, is_relabelled = leads.get(index, ("", False))
        fragment, text = write(line, known, lead, is_relabelled=is_relabelled)
        if index in stating:
            fragment, text = _without_kind(fragment, stating[index].kind)
        if index in stating and (state := record_lines.set_aside(stating[index])):
            fragment = fragment._replace(text=f"{fragment.text} ({state})")
            text = item(fragment)
        texts.append((path, fragment, text))
    if not cites or sum(tokens.share(text) + _ADDRESS for *_, text in texts) > room:
        return texts
    return [(path, fragment, cited(fragment)) for path, fragment, _ in texts]


def write(line: Excerpt, known: Worths, lead: str = "", *, is_relabelled: bool = False) -> tuple[Fragment, str]:
    """Return a line of a journal behind a lead, and how it is written: longer where names return behind its cut.

    With `is_relabelled` the lead is told in the place of its own label.
    """
    text, whole = line.text, line_text.unlabelled(line.line.text)
    if known and line_text.unsigned(text) != whole:
        longer = line_text.cut(whole, _FULLER)
        if any(name in known for name in set(salience.mentions(longer).pairs) - set(salience.mentions(text).pairs)):
            text = longer
    text = _without_subject(text, whole) if lead else text
    text = text.partition(": ")[2] or text if is_relabelled else text
    fragment = Fragment("note", f"{lead}{text}", (line.address,) if line.address else (), when=line.when)
    return fragment, item(fragment)


def _without_kind(fragment: Fragment, kind: str) -> tuple[Fragment, str]:
    """Return what states a record without the name of its kind, and how it is written: it stands below that name.

    Of a rule no label is left out, for some forbid: `Never: ...`; of others none that says more than the kind: whose it
    is (`TODO (Ben)`), who chose (`Owner decided`), or what came of it (`Rejected decision`).
    """
    label = line_text.LABEL.match(fragment.text) if kind in _MAY_END else None
    name = kind_names.trimmed(label[1]) if label and not label[2] else ""
    is_kind = kind_names.is_label(kind, name)
    own = fragment._replace(text=fragment.text[label.end() :]) if label and is_kind else fragment
    return own, item(own)


def _whole(excerpts: Sequence[tuple[str, Excerpt]], room: float) -> Sequence[tuple[str, Excerpt]]:
    """Return lines as they are shown where there is room for all, if these tokens have it for them."""
    if sum(len(line.whole) for _, line in excerpts) > room * _DENSE:  # more than any text has in so many tokens
        return excerpts
    whole = [(path, line._replace(text=line.whole or line.text)) for path, line in excerpts]
    return whole if sum(tokens.share(line.text) for _, line in whole) <= room else excerpts


def _without_subject(text: str, words: str) -> str:
    """Return a line that begins with its own words: a record's lead says the subject."""
    at = text.find(words[:_BEGINNING])
    return f"{text[:at].rpartition(': ')[2]}{text[at:]}" if at > 0 else text


def item(fragment: Fragment) -> str:
    """Return a line of a journal as it is written."""
    return f"- {fragment.text}\n"


def cited(fragment: Fragment) -> str:
    """Return a line of a journal as it is written with the address of its entry, if it has one."""
    return f"- {fragment.text} {Mark(fragment.addresses)}\n" if fragment.addresses else item(fragment)


def dated(fragment: Fragment, kind: str, age: int, year: int) -> Fragment:
    """Return what states a record with its day, where it may have ended since: `Call the bank (3 Mar)`.

    `age` counts the instances since, `year` is that of the newest day of all: any other is said too. The day that it
    begins with is its own, and not that of its journal, where it is no later one: `[2026-03-03] Call the bank`.
    """
    if kind not in _MAY_END or age < _OLD or not fragment.when:
        return fragment
    when, text = fragment.when, fragment.text
    day = next(days.every(text[:_LEAD]), None)
    behind = _BEHIND_DAY.match(text, day.end) if day and not text[: day.start].strip("[(（【") else None
    if day and behind and dates.order(own := dates.spoken(day.iso)) <= dates.order(when):
        when, text = own, text[behind.end() :]
    return fragment._replace(text=f"{text} ({_short(when, year)})")


def of_its_time(fragment: Fragment, year: int) -> Fragment:
    """Return what was so when it was said, with when that was: `The build is offline (as of 3 Mar)`."""
    number = fragment.identity.number if fragment.addresses else 0
    when = _short(fragment.when, year) or (f"instance {number}" if number else "then")
    return fragment._replace(text=f"{fragment.text} (as of {when})")


def _short(when: str, year: int) -> str:
    """Return a day with three letters of its month, and its year where that is another one."""
    day = when.split()
    own, _, _ = dates.order(when)
    return " ".join((*(part[:_MONTH] for part in day[:-1]), *([] if own == year else day[-1:])))
