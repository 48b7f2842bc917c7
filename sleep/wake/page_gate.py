"""The gate of the page: which lines of a page that somebody wrote hold, by the entries that they are made of.

Owns the judgement. A line is taken if the entries at its addresses hold its names, numbers and denials, and it says
none of their clauses without its denial; a line without addresses is given those of the fewest entries that do. Refused
are secrets, what cites a record that holds no more, and what has no room; why is said, so that the writer can mend it.
Refuses to understand: a false sentence of true names and figures passes, and a person reads the commit.

Headings are not judged by entries, so they are short, and hold no secret.
"""

from __future__ import annotations

import re
from functools import cached_property
from math import log
from typing import TYPE_CHECKING, NamedTuple

from sleep.compression.novelty import denies, is_denial, stands, strange
from sleep.documents import journal, register, verdicts
from sleep.language import days, lexicon, tokens
from sleep.language.acts.forms import form
from sleep.language.tokenizer import has_wide
from sleep.redaction import secret_scan
from sleep.wake import page, page_lines, quality

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sleep.memory.view import View
    from sleep.records.address import Address
    from sleep.records.fragment import Fragment
    from sleep.wake.page import PageLine

_MOST = 12  # entries that a line is made of, unless its writer names more
_NAMED = 4.0  # what an entry is worth that holds a name or figure nobody else of those chosen holds
_DENYING = 3.0  # the same, where the line denies and nobody of those chosen does
_TITLE = 120  # characters of a heading
_SHOWN = 6  # names and figures that a fault lists
_SHORT = 3  # letters of a name that may stand inside any word
_MARKER = re.compile(r"^\s*(?:[-*•]\s+|\d{1,2}[.)]\s+)*")  # takes `- 3. `, leaves `3.2 is new`
# Cuts `review/push`, `0.2-1.7MB`, `ssh -N <host>` and `logs/YYYY/MM-DD`, leaves `SSH`, `DDR` and `GLM-5`.
_JOINTS = re.compile(
    r"[/+→]|(?<=\w)-(?=\w)(?<![^\W\d]-(?=\d))|…|<[^<>]*>|(?<![A-Za-z])(?:YYYY|MM|DD|HH|SS)+(?![A-Za-z])|\s+"
)
_VERSION = re.compile(r"\d+(?:\.\d+)+")
_CLAUSE = re.compile(r"[,;:.!?()|\n，；：。！？、]\s*|\s[—–-]+\s")  # parts `it is new, not old`
_LEAST = 2  # terms of a clause, beside its denial, that are more than a name
_OPENING = re.compile(r"(?:^|[-*•]\s|[.:;!?—]\s|\()[\s*_\"“(]*([^\W\d_]+)")  # the first word of a sentence or item


class Refusal(NamedTuple):
    """A line that is not taken, and why."""

    text: str
    why: str


class Judgement(NamedTuple):
    """The lines that are taken, with their addresses, what was refused, and the records that no line tells."""

    lines: tuple[PageLine, ...]
    refused: tuple[Refusal, ...]
    missing: tuple[Fragment, ...]


def judge(view: View, text: str, budget: int, known: Sequence[str] = ()) -> Judgement:
    """Judge a page.

    Args:
        view: the memory.
        text: the page, with or without addresses.
        budget: tokens that its lines may cost together, without addresses.
        known: values of secrets, which may not appear.
    """
    sources = _Sources(view)
    lines: list[PageLine] = []
    refused: list[Refusal] = []
    left = budget
    rows = page.read(text)
    names = _inner_names(rows)
    for line in rows:
        held: tuple[Address, ...] = ()
        cost = 0 if line.is_heading else tokens.count(f"{line.text}\n")
        if secret_scan.find(line.text, known):
            why = "it holds what looks like a secret"
        elif not line.is_heading and any(line.text == other.text for other in lines):
            why = "a line above says it"
        elif cost > left:
            why = f"no room: {budget} tokens are taken"
        else:
            held, why = ((), _heading_fault(line)) if line.is_heading else _judge_line(line, sources, names)
        if why:
            refused.append(Refusal(line.text, why))
        else:
            left -= cost
            lines.append(line._replace(addresses=held))
    cover = {address for line in lines for address in line.addresses}
    missing = (record for record in page_lines.binding_records(sources.records) if cover.isdisjoint(record.addresses))
    return Judgement(tuple(lines), tuple(refused), tuple(missing))


def _heading_fault(heading: PageLine) -> str:
    return "" if len(heading.text) <= _TITLE else "a heading is short: say it in a line"


def _judge_line(line: PageLine, sources: _Sources, names: frozenset[str]) -> tuple[tuple[Address, ...], str]:
    """Return the addresses of the entries that hold a line, and "", or none and why it is refused."""
    if unknown := [str(address) for address in line.addresses if address not in sources.texts]:
        return (), f"there is no entry {', '.join(unknown)}"
    held = line.addresses or sources.attribute(line.text, names)
    if closed := page_lines.first_closed(held, sources.records):
        return (), f"{closed.handle} is {closed.state}: say what holds now"
    if not held:
        return (), "no entry says anything of it: name one by its address"
    if faults := sources.strange(line.text, held, names):
        shown = ", ".join(f"`{fault.strip('`')}`" for fault in faults[:_SHOWN])
        return (), f"not in {', '.join(map(str, held[:3]))}{' …' if len(held) > 3 else ''}: {shown}"  # noqa: PLR2004
    if clause := sources.lost_denial(line.text, held):
        return (), f"it leaves the denial out of “{clause}”"
    return held, ""


def _inner_names(lines: Iterable[PageLine]) -> frozenset[str]:
    """Return the words with a capital that stand inside a sentence of the page: names, as far as one can tell."""
    inner: set[str] = set()
    for line in lines:
        openings = {match.start(1) for match in _OPENING.finditer(line.text)}
        inner.update(
            match[0]
            for match in re.finditer(r"[^\W\d_]+", line.text)
            if match.start() not in openings and match[0] != match[0].lower()
        )
    return frozenset(inner)


class _Sources:
    """What the entries of a memory say, by address, and which of them hold a text.

    Args:
        view: the memory.
    """

    def __init__(self, view: View) -> None:
        self._view = view
        self.texts: dict[Address, str] = dict(_texts(view))
        self._known: dict[str, frozenset[Address]] = {}  # by name or figure: who holds it

    @cached_property
    def records(self) -> dict[Address, Fragment]:
        """The records by the address of each of their entries."""
        return page_lines.records_by_address(self._view)

    @cached_property
    def _folded(self) -> dict[Address, str]:
        return {address: text.casefold() for address, text in self.texts.items()}

    @cached_property
    def _terms(self) -> dict[Address, frozenset[str]]:
        return {address: quality.terms(text) for address, text in self.texts.items()}

    @cached_property
    def _having(self) -> dict[str, list[Address]]:
        having: dict[str, list[Address]] = {}
        for address, terms in self._terms.items():
            for term in terms:
                having.setdefault(term, []).append(address)
        return having

    def attribute(self, text: str, names: frozenset[str]) -> tuple[Address, ...]:
        """Return the addresses of the entries that say most of a text, its names and figures first; few of them."""
        weights = {
            term: log(len(self.texts) / len(self._having[term])) for term in quality.terms(text) if term in self._having
        }
        near = {address for term in weights for address in self._having[term]}
        chosen: list[Address] = []
        covered: set[str] = set()
        wanted = self._missing_names(text, (), names)
        is_denied = any(map(is_denial, self.strange(text, (), names)))
        while len(chosen) < _MOST and (wanted or not chosen):
            offers = self._offers(near, wanted).difference(chosen)
            if not offers or (chosen and not any(self._holders(name) & offers for name in wanted)):
                break
            best = max(
                sorted(offers), key=lambda address: self._worth(address, weights, covered, wanted, is_denied=is_denied)
            )
            chosen.append(best)
            is_denied = is_denied and not denies(self.texts[best])
            covered |= self._terms[best]
            wanted = self._missing_names(text, chosen, names)
        if is_denied:
            chosen += self._denying(text, near.difference(chosen))
        return tuple(sorted(chosen))

    def _denying(self, text: str, near: Iterable[Address]) -> list[Address]:
        """Return the shortest entry that says all of a clause of a text that denies, and denies too; or nothing."""
        denial = form("denial.words").written()
        for _, claim in _denied_claims(text):
            near_claim = (address for address in near if claim <= self._terms[address])
            denying = [address for address in near_claim if denial.search(self.texts[address])]
            if denying:
                return [min(denying, key=lambda address: (len(self.texts[address]), address))]
        return []

    def _missing_names(self, text: str, chosen: Sequence[Address], names: frozenset[str]) -> list[str]:
        """Return the names and figures of a text, in small letters, that those chosen do not hold.

        No denial: who holds the names has to hold it, and not somebody else.
        """
        novel = [name for name in self.strange(text, chosen, names) if not is_denial(name)]
        parts = [part for name in novel for part in _parts(name)]
        folded = [(part[:-1] if part[:-1].isupper() and part[-1] == "s" else part).casefold() for part in parts]
        return [part for part in folded if not any(_holds(self._folded[address], part) for address in chosen)]

    def _offers(self, near: set[Address], wanted: Sequence[str]) -> set[Address]:
        """Return the entries that hold something that is wanted, of those near, else of all, else those near."""
        holding = {address for name in wanted for address in self._holders(name)}
        return holding & near or holding or near

    def _holders(self, name: str) -> frozenset[Address]:
        if name not in self._known:
            self._known[name] = frozenset(address for address, text in self._folded.items() if _holds(text, name))
        return self._known[name]

    def _worth(
        self,
        address: Address,
        weights: Mapping[str, float],
        covered: set[str],
        wanted: Sequence[str],
        *,
        is_denied: bool,
    ) -> tuple[float, int]:
        text = self._folded[address]
        names = sum(_holds(text, name) for name in wanted)
        own = self._terms[address]
        # Summed in order: a sum of floats must not hang on how a set is hashed.
        rest = sum(weight for term, weight in sorted(weights.items()) if term in own and term not in covered)
        denial = _DENYING if names and is_denied and denies(self.texts[address]) else 0.0
        return round(_NAMED * names + denial + rest, 6), -len(text)

    def lost_denial(self, text: str, addresses: Iterable[Address]) -> str:
        """Return the clause of these entries that a text says without its denial, "" where there is none."""
        return next(filter(None, (_lost_denial(text, self.texts[address]) for address in addresses)), "")

    def strange(self, text: str, addresses: Iterable[Address], names: frozenset[str]) -> list[str]:
        """Return the names, figures and denials of a text that the entries at these addresses do not hold."""
        source = "\n".join(self.texts[address] for address in addresses)
        bare = _MARKER.sub("", text)
        openings = set(filter(_owes_capital, (match[1] for match in _OPENING.finditer(bare)))) - names
        novel = (token for token in strange(bare, source) if token not in openings and not _is_form(token, source))
        return [token for token in novel if not _is_measure(token, bare, source)]


def _owes_capital(word: str) -> bool:
    """Return whether a word that begins a sentence may be written with a capital for that alone, and denies nothing."""
    return word != word.lower() and not is_denial(word)


def _lost_denial(text: str, source: str) -> str:
    """Return the clause of a source that a text says without its denial, "" where there is none."""
    own = quality.terms(text)
    if form("denial.words").written().search(text):
        return ""
    for clause, claim in _denied_claims(source):
        if claim <= own and not denies(" ".join(set(text.split()) - set(clause.split()))):
            return clause.strip()
    return ""


def _denied_claims(text: str) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield each clause of a text that denies, with its terms beside the denial, where these are more than a name."""
    denial = form("denial.words").written()
    for clause in filter(denial.search, _CLAUSE.split(text)):
        claim = quality.terms(denial.sub(" ", clause))
        if len(claim) >= _LEAST:
            yield clause, claim


def _holds(folded: str, name: str) -> bool:
    """Return whether a text in small letters has a name or figure.

    A short one, which any word may hold, has to stand by itself, but in a script that has no spaces.
    """
    if name not in folded:
        return "-" in name and _holds(folded, name.replace("-", " "))
    return len(name) > _SHORT or has_wide(name) or stands(name, folded) or bool(_units(name, folded))


def _units(figure: str, folded: str) -> list[str]:
    """Return the units that stand right behind a figure in a text in small letters: `s` of `120s`."""
    return re.findall(rf"(?<![\w.,]){figure}([^\W\d_]{{1,3}})\b", folded) if figure.isdecimal() else []


def _is_measure(token: str, text: str, source: str) -> bool:
    """Return whether a figure of a text stands in the source with its unit, of which the text says no other."""
    units = _units(token, source.casefold())
    behind = re.findall(rf"\b{token} ?([^\W\d_]*)", text.casefold()) if units else []
    return bool(units) and {*behind} <= {"", *units}


def _parts(token: str) -> list[str]:
    """Return what is looked for of a name: what it is joined of, or all of it where it is joints alone (`/`)."""
    bare = token.strip("`")
    return [part for part in _JOINTS.split(bare) if part.strip("\"'()$")] or [bare]


def _is_form(token: str, source: str) -> bool:
    """Return whether a token is only another form of what the source has.

    Such are what is joined (`review/push`, `1.2-1.7MB`), of which each part stands there, a name and its number that
    stand apart there (`Layer-1`), a plural (`APIs`), a version without its letter (`2.2.0` of `v2.2.0`), and a small
    word in capitals (`NOT`).
    """
    parts = _parts(token)
    if len(parts) > 1 and not any(strange(f"x {part}", f"x {source}") for part in parts):
        return True
    if "-" in token and stands(token.casefold().replace("-", " "), source.casefold()):
        return True
    if token.isupper() and token.casefold() in lexicon.words("stop"):
        return not strange(token.casefold(), source)
    if _VERSION.fullmatch(token) and stands(f"v{token}", source.casefold()):
        return True
    return token[-1:] == "s" and stands(token[:-1].casefold(), source.casefold())


def _texts(view: View) -> Iterator[tuple[Address, str]]:
    """Yield each entry's text as it stands, with the code below it, its headings and its day.

    Left out is what a person changed or took out since, and what was noticed and rejected: no line is made of that.
    """
    rejected = page_lines.rejected_addresses(view)
    for path in view.journals:
        text = view.read(path) or ""
        when, _ = journal.lines_of(text)
        iso = days.first(when)
        day = f"{when} {iso} {iso[5:]} {iso[:4]} {iso}.md" if iso else when  # a daily log is called by its day
        entries = view.journal(path).entries
        for place, entry in enumerate(entries):
            is_none = entry.address in rejected or verdicts.is_rejection(entry)  # a rejection quotes what it rejects
            if is_none or view.edits.overruling(entry.address, entry.words):
                continue
            end = entries[place + 1].start if place + 1 < len(entries) else len(text)
            above = (title for title in entry.sections if not title.startswith("Journal: "))
            written = text[entry.start : end].replace(str(entry.address), "")  # its ordinal is no figure that was said
            yield entry.address, "\n".join((written, register.whole(entry), *above, day))
