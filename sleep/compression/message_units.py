"""The units of a message: sentences, items of lists, rows of tables and headings, each with what it stands under.

Owns the cut of blocks into units, and which neighbours make a run that can stand alone. Refuses to say what a unit
states: that is `passages`'.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from sleep.compression import message_blocks
from sleep.language import anaphora, quotation, sentences
from sleep.language.acts import first_words, statements
from sleep.language.acts.grammar import has
from sleep.language.output import program_prompts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

LENGTH = 240  # characters of a passage, unless one sentence is longer
LONGEST = 600  # characters of a sentence; what is longer is a log or a list that lost its lines
_TITLE = 160  # characters of a heading that may open a passage
_SAYS = 45  # characters, from which on what leads to a list or to code says something itself
_LEANING = 120  # characters more, for a sentence that leans on the one before, or stands right below a heading
_LEAD = 200  # characters of the line before a list that are looked at
# A relay's marker that ends a line of an agent's, and what begins a quotation of a chat, as `relay.run` makes it.
_SLEEPS = re.compile(r"(?m)[ \t]*@@sleep:[\d.]{1,20}s?(?::[a-z]{1,9})?@@$")
_SPEAKER = re.compile(r"\[(?:#\S{1,31}|to you alone|your callback)\] \S{1,32}: ")
ALL_BOLD = re.compile(r"\*\*[^*]+\*\*:?")


class Unit(NamedTuple):
    """A sentence, list item or heading of a message; `above` are the headings it stands under.

    `section` is the kind that a heading or a line that ends in a colon, right above it, names exactly. `is_quoted` is
    true for somebody else's words, `masked` is the text with quotations in it blanked, `states` what it states, `why`
    its reason. `lead` is the line that introduces its list, or the columns of its table. `start` is the number of the
    first unit of a run within its message.
    """

    text: str
    above: tuple[str, ...]
    sort: str = "sentence"
    section: str = ""
    is_quoted: bool = False
    states: str = ""
    why: str = ""
    masked: str = ""
    lead: str = ""
    start: int = 0


def read(text: str, role: str) -> Iterator[Unit]:
    """Yield the units of a message; a `break` stands before each paragraph and item, a `gap` for code and tables.

    What a program has sent in a person's name are somebody else's words. What is said in a chat binds nobody and is
    told with its speaker, so it is blanked whole for who looks for statements, and its headings are words of a message.
    """
    text = _SLEEPS.sub("", text) if role == "agent" else text
    place, is_programs = _Place(), role == "person" and program_prompts.is_program_prompt(text)
    is_chat = False
    for sort, level, words, is_cited in message_blocks.parse(text):
        is_quoted = is_cited or is_programs
        is_chat = is_cited and (is_chat or bool(_SPEAKER.match(words)))
        if depth := 0 if is_chat else _depth(sort, level, words):
            if title := place.enter(depth, words, is_named=level != 1):
                yield Unit(f"**{title}**", place.titles, "heading")
        elif sort == "columns":
            place.lead = words
        elif sort == "gap":
            yield Unit(words, place.titles, sort)
        elif sort == "row":
            yield Unit(words, place.titles, sort, "", is_quoted, masked=quotation.masked(words), lead=place.lead)
        else:
            yield Unit("", place.titles, "break")
            units = place.units(sort, words, role, is_quoted=is_quoted)
            yield from (unit._replace(masked=" ") for unit in units) if is_chat else units


def _depth(sort: str, level: int, words: str) -> int:
    """Return the level of a heading, or of a line that is all bold; 0 for a block that is neither."""
    return message_blocks.BOLD if sort == "text" and ALL_BOLD.fullmatch(words) else level


class _Place:
    """Where in a message a block stands: the headings above it, the kind that these name, and the line that leads it.

    `section` is what a heading, or a line that ends in a colon, names for what is directly below it.
    """

    def __init__(self) -> None:
        self.lead = ""
        self._above: list[tuple[int, str]] = []
        self._section = ""
        self._is_listed = False

    @property
    def titles(self) -> tuple[str, ...]:
        """The headings, outermost first."""
        return tuple(title for _, title in self._above)

    def enter(self, depth: int, words: str, *, is_named: bool) -> str:
        """Take a heading in, and return its title."""
        self._above = [heading for heading in self._above if heading[0] < depth]
        title = words.replace("**", "").strip("*: ")
        self._section, self._is_listed, self.lead = statements.named(title) if is_named else "", False, ""
        if title:
            self._above.append((depth, title))
        return title

    def units(self, sort: str, words: str, role: str, *, is_quoted: bool) -> Iterator[Unit]:
        """Yield the units of an item or a paragraph."""
        if sort == "item":
            self._is_listed = True
            yield from _item(words, Unit("", self.titles, sort, self._section, is_quoted, lead=self.lead), role)
            return
        introduces = words.endswith((":", "："))
        kind = statements.named(words) if introduces else ""
        if kind:
            self._section, self._is_listed = kind, False
        elif self._is_listed:
            self._section = self.lead = ""
        section = "" if kind else self._section
        form = Unit("", self.titles, "sentence", section, is_quoted, lead=self.lead)
        self.lead = words[-_LEAD:] if introduces else ""
        if kind and kind not in statements.RECORDS:  # the lead of what was learnt says nothing beside it
            yield form._replace(text=words, sort="heading", masked=quotation.masked(words))
        else:
            yield from _sentence_units(words, form, role)


def _sentence_units(words: str, form: Unit, role: str) -> Iterator[Unit]:
    """Yield the sentences of a block as units of one form."""
    for sentence, masked in _sentences(words, role):
        yield form._replace(text=sentence, masked=masked)


def _item(words: str, form: Unit, role: str) -> Iterator[Unit]:
    """Yield an item of a list: whole below a heading that gives its kind, else cut where a sentence of it states."""
    clauses = _sentences(words, role)
    is_whole = form.section or len(clauses) == 1
    if is_whole or not any(statements.state(masked, role, last=True) for _, masked in clauses):
        yield form._replace(text=words)
    else:
        yield from _sentence_units(words, form._replace(section=""), role)


def _sentences(words: str, role: str) -> list[tuple[str, str]]:
    """Return the sentences of a block, and each with its quotations blanked.

    One may begin with a file's name, or in small letters where a person typed.
    """
    masked = quotation.masked(words)
    return [(words[start:end], masked[start:end]) for start, end in sentences.clauses(words, is_typed=role == "person")]


def behind(units: Sequence[Unit], number: int) -> str:
    """Return the sentence behind the code or the list that the unit of a number leads to, "" for none."""
    if not first_words.leads(units[number].text):
        return ""
    rest = (unit for unit in units[number + 1 :] if unit.sort == "heading" or (unit.text and unit.sort == "sentence"))
    follower = next(rest, None)
    return follower.text if follower and follower.sort == "sentence" else ""


def runs(units: Iterable[Unit]) -> Iterator[Unit]:
    """Yield neighbouring sentences up to the length as one, with the heading that opens them; statements alone.

    What belongs to a list is set apart by `·`, and `…` stands for code or a table that was left out; a short line of
    code stands behind what leads to it. A sentence that leans on the one before stands with it, and what only leads to
    a list or to code stands with what it leads to.
    """
    run: list[str] = []
    start = 0  # of the run
    above: tuple[str, ...] = ()
    before = ""
    is_spent = False  # the run is a heading, and what it heads stands alone or was left out
    for number, unit in enumerate(units):
        sort, words = unit.sort, unit.text
        if unit.states:
            yield unit._replace(start=number)
            is_spent |= before == "heading"
            before = sort
            continue
        if run and not is_spent and _ends(run, unit, before):
            lead = _lead(run, unit)
            yield from _run(run[: len(run) - len(lead)], above, start)
            run, start = lead, number
        elif is_spent:
            run, is_spent = [], False
        above = unit.above
        start = start if run else number
        if sort == "heading":
            run = [words] if len(words) <= _TITLE else []
        elif sort == "gap":
            is_spent |= before == "heading"  # it heads what was left out, and not what follows that
            sort = _take_code(words, run, before)
        elif len(words) <= LONGEST:
            run.append(_set_apart(words, sort, before) if run else words)
        before = sort
    if not is_spent:
        yield from _run(run, above, start)


def _take_code(code: str, run: list[str], before: str) -> str:
    """Add a short line of code to a run that leads to it; return the sort of what stands before the next unit."""
    if code and _is_led(run):
        run.append(code)
        return "sentence"
    return "gap" if before == "sentence" else before


def _is_led(run: Sequence[str]) -> bool:
    """True where the last words of a run lead to what follows."""
    return bool(run) and first_words.leads(run[-1])


def _lead(run: Sequence[str], unit: Unit) -> list[str]:
    """Return the last words of a run where they lead to the unit that does not fit in it."""
    is_said = unit.sort in ("sentence", "item", "gap") and bool(unit.text)
    return [run[-1]] if is_said and len(run) > 1 and _is_led(run) else []


def _run(run: Sequence[str], above: tuple[str, ...], start: int) -> Iterator[Unit]:
    """Yield a run, without its last words where these only lead to what is not in it."""
    last = run[-1] if run else ""
    is_bare = len(last) < _SAYS and first_words.leads(last) and not has(last, "reports.deed")
    if run := run[:-1] if is_bare else run:
        yield Unit(" ".join(run), above, start=start)


def _ends(run: Sequence[str], unit: Unit, before: str) -> bool:
    """True if a run ends before a unit: a heading, or what would make it too long."""
    is_bound = before == "heading" or (unit.sort == "sentence" and anaphora.leans(unit.text))
    room = LENGTH + _LEANING if is_bound else LENGTH
    return unit.sort == "heading" or sum(map(len, run)) + len(run) + len(unit.text) > room


def _set_apart(words: str, sort: str, before: str) -> str:
    apart = "…" if before == "gap" else "·" if "item" in (sort, before) else ""
    return f"{apart} {words}" if apart else words
