"""Reports: what tells of a rule, a choice or a task, and is none.

Owns the words of what was done or found out, of how things stand, of what is not decided, and of what a thing is to be.
Refuses to say what a text is instead: that is `classification`'s.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from sleep.language import lexicon, tokenizer
from sleep.language.acts import first_words
from sleep.language.acts.grammar import has
from sleep.language.output import program_output

if TYPE_CHECKING:
    from collections.abc import Iterable


_BLANK = re.compile(r"\[[^\[\]]* [^\[\]]*\]")  # takes `[Issues that affect future work]`, leaves `[Ana](a.md)`
_TICK = re.compile(r"[\s*_>-]*(?:\d{1,2}[.)] )?[✅☑✔]")
_ROW, _TEXT = 240, 2_000  # characters of a line, and of a piece, that are looked at


def is_nobodys(text: str) -> bool:
    """True for what a program printed, a wrapper that a client put around it, and a blank of a template."""
    is_output = program_output.is_output(text) or program_output.is_wrapper(first_words.bare(text))
    return is_output or _BLANK.fullmatch(text.strip()) is not None


@lru_cache(maxsize=1 << 13)  # what stands in a tier is weighed again in each cycle
def is_caption(text: str) -> bool:
    """True for what only names or dates other words: the head of a table (`| # | Step | State |`), `Session ID: 7`."""
    if not text.startswith("|"):
        return has(text, "signs.stamp")
    return len(text) <= _ROW and lexicon.all_words("columns", "kinds").issuperset(tokenizer.words(text))


def is_wish(text: str, titles: Iterable[str]) -> bool:
    """True for a user's story, and for what stands below a heading of criteria: what a thing is to be, no next step."""
    return has(first_words.bare(text), "signs.story") or any(has(title, "signs.criteria") for title in titles)


def is_report(text: str) -> bool:
    """True for a text that tells what was done or how things stand: what sounds like a rule or a task in it is none."""
    return has(first_words.bare(text), "signs.report", "signs.deed")


def is_ticked(text: str) -> bool:
    """True for a point that begins with the sign of what is done or so: `✅ The script knows both systems`."""
    return _TICK.match(text) is not None


def leads_deeds(lead: str) -> bool:
    """True for the lead of a list of what was done: `Here is what I changed:`."""
    return has(lead, "signs.deeds below")


def is_of_code(text: str) -> bool:
    """True for a remark on a file of code (`src/page.py:82: ...`): what it does, no rule and no choice."""
    return has(first_words.bare(text), "signs.of code")


def is_done(title: str) -> bool:
    """True for a heading that says of what stands below it that it is done: `Plan ✅`, `Open questions (resolved)`."""
    return has(title, "signs.done heading", "signs.closed")


def is_answered(text: str) -> bool:
    """True for a question with its answer behind or below it: `Which license? → MIT`."""
    rows = text[:_TEXT].split("\n")
    head = " ".join(rows[:2])[:_ROW]  # its answer may stand in the next line, behind a label
    return has(head, "signs.answered") or any(has(each, "signs.answered") for each in rows[1:] if each[:1] == " ")


def stands(text: str) -> bool:
    """True for a text that says how something stands, or that it was proposed: no choice, and nothing left to do."""
    return has(first_words.bare(text), "signs.stands") and not first_words.chooses(text)


def is_deed(text: str) -> bool:
    """True for a text that tells what was done, found out or asked for: no choice, whatever it stands below."""
    return has(first_words.bare(text), "signs.deed") and not first_words.decides(first_words.bare(text))


def is_undecided(text: str) -> bool:
    """True for a text that says that nothing was chosen, or not yet."""
    return has(first_words.bare(text), "signs.nothing decided", "signs.undecided")


def is_unmade(text: str) -> bool:
    """True for a choice that is only named: one of several ways, a possible remedy, what was left as it is."""
    return has(first_words.bare(text), "signs.unmade")


def is_merge(text: str) -> bool:
    """True for which side of a merge is kept (`Keep HEAD's field`): it is over with the merge."""
    return has(text, "signs.merges")


def is_verdict(text: str) -> bool:
    """True for what judges a work (`The only weakness is ...`): whoever hears it may do something or not."""
    return has(first_words.bare(text), "signs.judges")


def is_state(text: str) -> bool:
    """True for a text that only tells how something stands or what was done, also below a heading of rules."""
    bare = first_words.bare(text)
    return not first_words.is_rule(bare) and (has(bare, "signs.state only") or is_report(bare))
