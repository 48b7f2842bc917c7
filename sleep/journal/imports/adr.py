"""Decision records: madr, log4brains, Nygard's, and what was written in their manner, read into one value.

Owns finding the parts of a record (under headings, or behind bold words), its status and its date. Every word of the
value stands in the text. Refuses templates, and to say that a decision stands which is only proposed. Pure.
Formats: https://adr.github.io/madr/, https://github.com/thomvaill/log4brains,
https://cognitect.com/blog/2011/11/15/documenting-architecture-decisions.
"""

from __future__ import annotations

import re
from functools import lru_cache, partial
from itertools import chain, groupby
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from sleep.documents import front_matter
from sleep.documents.hand import heading_entries
from sleep.documents.journal import Draft
from sleep.documents.markdown import blocks, tables
from sleep.documents.markdown.blocks import Block
from sleep.journal.imports import templates
from sleep.language import days, lexicon
from sleep.language.acts.forms import form
from sleep.records import classification
from sleep.records.fragment import flat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

_I = re.IGNORECASE
STANDING, REVERSED, SUPERSEDED, PROPOSED = "standing", "reversed", "superseded", "proposed"
_STATES = (SUPERSEDED, PROPOSED, REVERSED)  # each has its words in a section `adr.STATE`; the first that is said holds
_DECISION, _WHY, _OPTIONS, _THEN, _LEAST = 400, 300, 300, 200, 40  # characters of a field, and the least of a reason
# What parts a record has, by their headings: the sections `adr.ROLE` of the word lists.
_ROLES = ("drivers", "decision", "why", "arguments", "options", "consequences", "context", "status")
_BESIDE = frozenset({"context", "consequences", "status", "options"})  # roles of which a record has one, or a status
_NUMBERED = r"(?:ADR|MADR|RFC|Decision record)?[-_ #]*\d{1,8}(?:[.:：)\]]|\s*[-–—:：])\s*"
_NUMBERING = re.compile(rf"^(?:{_NUMBERED}|M?ADR[-_ #]?\d{{1,8}} +)(?=\S)", _I)
_LEAD = re.compile(r"(?:\*\*|__)([^\W\d_a-z][\w ]{1,40}?) ?[.:：]?(?:\*\*|__) ?[.:：]?(?:(?=\s)|(?<=：))")
_LINE_START = re.compile(r"^", re.MULTILINE)
_BULLET = re.compile(r"\n[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]*$")  # of the item behind
_NAME = re.compile(r"^(?:m?adr[-_ ]?)?0*(\d{1,8})(?=[-_. ]|$)", _I)
_NAME_DAY = re.compile(r"^(\d{4})(\d\d)(\d\d)(?=[-_.])")
_LINK = re.compile(r"\(\s*([^()\s]+?\.md)[^()]*\)")
_NUMBER = re.compile(r"(?:\bADR[-_ #]*|\[|#|\b(?:by|durch|por|par|da|door) )0*(\d{1,8})(?![\dA-Za-z_])", _I)
_BOX = re.compile(r"^\s*[-*+] \[ \] ", re.MULTILINE)
_PICTURE = re.compile(r"!\[[^\]\n]*\]\([^)\n]*\)")
_LETTERED = re.compile(r"\(?(?:[a-z]|\d{1,2})\) ", _I)
_BECAUSE = re.compile(r"^[^.]{0,200}?\bbecause\b[ :]*(.{20,}?)(?:(?<=[.!?])(?=\s)|$)", _I)
_CHOSEN = re.compile(r"chosen(?: option)?\s*:?\s*[\"“'*`]+([^\"”*`\n]{2,120})", _I)
_TICK = re.compile(r"[(\[](?:chosen|selected|accepted)[)\]]|✅|✔|☑", _I)  # marks the option of a list that was taken
_AGAINST = re.compile(r"\b(?:neglect(?:ed|ing)|(?:and|decided) against|instead of|rather than) ([^,.;:]{2,80})", _I)
_MARKUP = re.compile(r"\*\*|__|~~|(?<!!)\[([^\]]+)\]\([^)]*\)")


class Adr(NamedTuple):
    """A decision record.

    `state` is standing, reversed (also: rejected, deprecated), superseded or proposed; `status` its words; `successors`
    are the names and numbers by which the status calls what takes its place. `date` is an ISO day or "".
    """

    title: str
    says: str
    why: str
    alternatives: str
    consequences: str
    state: str
    status: str
    successors: tuple[str, ...]
    date: str
    line: int


class _Part(NamedTuple):
    role: str
    title: str
    text: str
    blocks: tuple[Block, ...]


def read(text: str, name: str = "", *, is_part: bool = False) -> Adr | None:
    """Return the decision that a text records, None for one that records none (an index, a template) or several.

    One that `is_part` of a page of records may be told by its title alone, if it has a status or the like.
    """
    try:
        head = front_matter.read(text)
    except ValueError:
        return None
    by_role = _by_role(_parts(text, head.body))
    status = _status(text, head.fields, by_role.get("status", ()))
    decisions = by_role.get("decision", ())
    is_one = bool(decisions and not _is_list(text, head.body, decisions)) or is_part
    if not (is_one and (status or by_role.keys() & _BESIDE)) or templates.is_blank(name, text):
        return None
    untitled = _Part("", str(head.fields.get("title") or ""), "", ())
    title = next((part for part in by_role.get("", ()) if part.title), untitled)
    decision = _first(text, decisions) if decisions else _below_status(text, by_role)
    return Adr(
        _title(title.title, name),
        _clip(decision, _DECISION),
        _clip(_why(text, decision, by_role), _WHY),
        _clip(_alternatives(text, decision, by_role), _OPTIONS),
        _clip(_first(text, by_role.get("consequences", ())), _THEN),
        state := next(filter(partial(_says, status), _STATES), STANDING),
        flat(status),
        tuple(_successors(status)) if state == SUPERSEDED else (),
        date(text, name),
        text.count("\n", 0, title.blocks[0].start if title.blocks else head.body) + 1,
    )


def _by_role(parts: Sequence[_Part]) -> dict[str, list[_Part]]:
    ordered = sorted(parts, key=lambda part: part.role)
    return {role: list(own) for role, own in groupby(ordered, key=lambda part: part.role)}


def _below_status(text: str, parts: Mapping[str, Sequence[_Part]]) -> str:
    """Return the first words below the title and the status of a record that has no part for its decision."""
    return _prose(text, [block for role in ("", "status") for part in parts.get(role, ()) for block in part.blocks[1:]])


def _is_list(text: str, body: int, decisions: Sequence[_Part]) -> bool:
    """True for a page of several records, or one that lists decisions among other things.

    In the first the same bold words (`**Decision.**`) lead to a decision more than once; in the second most headings
    name no part of a record, and none is that of a single decision.
    """
    leads = [part.title.casefold() for part in decisions if part.blocks[0].kind == "paragraph"]
    if len(leads) > len(set(leads)):
        return True
    if any(heading_entries.named(part.title) or _is_lead(part) for part in decisions):
        return False
    heads = [head.words(text) for head in blocks.headings(text, body)]
    return 2 * sum(bool(_role(title)) for title in heads) < len(heads)


def _is_lead(part: _Part) -> bool:
    """True for a part behind bold words that are the name of a decision and nothing else: `**决策**：`."""
    return part.blocks[0].kind == "paragraph" and form("adr.decision").fullmatch(part.title)


def date(text: str, name: str = "") -> str:
    """Return the day of a decision record as ISO, "" where neither its front matter, its lines nor its name say it."""
    fields = front_matter.peek(text).fields
    texts = [str(fields.get(key) or "") for key in ("date", "decided", "created")]
    texts += _lines("date").findall(text)
    if match := _NAME_DAY.match(name):
        texts.append("-".join(match.groups()))
    texts.append(name.replace("_", "-"))
    order = days.order_of(text)
    return next((iso for candidate in texts if (iso := days.first(candidate, order))), "")


def names(name: str) -> tuple[str, ...]:
    """Return by what a status may call the record of this file name: its name, and its number if it has one."""
    stem = name.removesuffix(".md").casefold()
    numbered = _NAME.match(stem)
    return (stem, numbered[1]) if numbered else (stem,)


def draft(adr: Adr, where: str, number_of: Callable[[Sequence[str]], str]) -> Draft:
    """Return the entry for a decision record: a decision, or a question where it is only proposed.

    Args:
        adr: the record.
        where: its file and line, for the entry's `source`.
        number_of: gives the number (`D-007`) of the decision that bears one of these names, "" for none.
    """
    then = f"Consequences: {adr.consequences}" if adr.consequences else ""
    body = "\n\n".join(part for part in (adr.says, then) if part)
    title = adr.title if not body or adr.title[-1] in ".!?:;。" else f"{adr.title}:"  # one sentence with what follows
    fields = {"why": adr.why, "alternatives": adr.alternatives, "source": where}
    if adr.state == PROPOSED:
        del fields["alternatives"]
        return Draft(
            "question",
            f"{adr.title} (proposed, not decided){title[len(adr.title) :]}",
            body,
            tuple(filter(itemgetter(1), fields.items())),
        )
    if adr.state != STANDING:
        fields["status"] = f"{adr.state} ({reason(adr, number_of)})"
    return Draft("decision", title, body, tuple(filter(itemgetter(1), fields.items())))


def reason(adr: Adr, number_of: Callable[[Sequence[str]], str]) -> str:
    """Return what is said with a state: `by D-007`, where the successor is known, else the words of the status."""
    by = number_of(adr.successors)
    words = _unmarked(adr.status).replace("(", "").replace(")", "")
    return f"by {by}" if by else _clip(flat(words), _THEN) or adr.state


def refused(text: str) -> frozenset[str]:
    """Return the kinds that the pieces of a record are not given: the record as a whole is the decision.

    A question that the context asks is what it answers, what an alternative must not do binds nobody, and what a
    consequence needs is nobody's task; only under a heading of their own, or in a box, are they what they sound like.
    """
    heads = [head.words(text) for head in blocks.headings(text)]
    headed = {classification.heading_kind(title) for title in heads[1:]}
    headed |= {"task"} if _BOX.search(text) else set()
    return frozenset({"decision", "thread", "doubt", *({"question", "constraint", "task"} - headed)})


def _parts(text: str, body: int) -> list[_Part]:
    """Return the parts of a record: what stands under a heading, or behind bold words that name a role."""
    whole = blocks.parse(text, body)
    title_level = _title_level(whole)
    roles: list[tuple[int, str]] = []
    parts: list[tuple[str, str, int, list[Block]]] = []
    for block in chain.from_iterable(_split(text, block) for block in whole):
        words = block.words(text)
        lead = _LEAD.match(words) if block.kind == "paragraph" else None
        if block.kind == "heading":
            roles = [(level, role) for level, role in roles if level < block.level]
            own = "" if block.level == title_level else _role(words)
            roles.append((block.level, own or (roles[-1][1] if roles else "")))
            parts.append((roles[-1][1], words, block.end, [block]))
        elif lead and (own := _role(lead[1])):
            start = block.text_start + lead.end()
            parts.append((own, lead[1], start, [block._replace(text_start=start)]))
        elif parts:
            parts[-1][-1].append(block)
        else:
            parts.append(("", "", body, [block]))
    return [_Part(role, title, text[start : inside[-1].end], tuple(inside)) for role, title, start, inside in parts]


def _split(text: str, block: Block) -> Iterator[Block]:
    """Yield a block, or for each line or item of it that begins with a part's bold name a block (`**Status:** ...`)."""
    starts: list[int] = []
    if block.kind == "paragraph":
        starts = [start.end() for start in _LINE_START.finditer(text, block.text_start, block.text_end)]
    elif block.kind == "list":
        starts = [item.text_start for item in blocks.items(text, block)]
    roles = {at: role for at in starts if (lead := _LEAD.match(text, at)) and (role := _role(lead[1]))}
    if {"decision", "status"}.isdisjoint(roles.values()):
        yield block
        return
    starts = [block.text_start] if block.kind == "paragraph" and min(roles) > block.text_start else []
    starts += roles
    for at, stop in zip(starts, [*starts[1:], block.text_end if block.kind == "paragraph" else block.end], strict=True):
        own = _BULLET.sub("", text[at:stop]).rstrip()
        yield Block("paragraph", at, stop, 0, at, at + len(own))


def _title_level(whole: Sequence[Block]) -> int:
    """Return the level of the first heading where all others are below it, else 0."""
    top, *others = [block.level for block in whole if block.kind == "heading"] or [0]
    return top if all(level > top for level in others) else 0


def _role(title: str) -> str:
    bare = re.sub(r"^[\W\d_]+", "", title.replace("*", "")).strip()
    return next((role for role in _ROLES if form(f"adr.{role}").written().match(bare)), "")


def _says(status: str, state: str) -> bool:
    return form(f"adr.{state}").search(status)


def _title(words: str, name: str) -> str:
    spoken = re.sub(r"^[\d_-]+", "", name.removesuffix(".md")).replace("-", " ").replace("_", " ").strip()
    return flat(_NUMBERING.sub("", flat(_unmarked(words)), count=1)) or spoken or "a decision"


def _unmarked(text: str) -> str:
    return _MARKUP.sub(lambda link: link[1] or "", text)


def _status(text: str, fields: Mapping[str, object], parts: Sequence[_Part]) -> str:
    """Return the words of the status: of front matter, of a line `Status:`, or of a section; not what is struck out."""
    field = str(fields.get("status") or "")
    lines = "" if field else next(iter(_lines("status").findall(text)), "")
    section = "" if field or lines else next(map(_section_status, parts), "")
    return re.sub(r"~~.*?~~", "", field or lines or section).strip("*_ ")


@lru_cache(maxsize=2)
def _lines(name: str) -> re.Pattern[str]:
    """Return what finds the lines `Status: ...` or `Date: ...` in any language, and what they say."""
    names = "|".join(lexicon.rows(f"adr.{name}"))
    return re.compile(
        rf"^[ \t>]*(?:[-*+][ \t]+|\|[ \t]*)?(?:\*\*|__)?(?:{names})(?:\*\*|__)?[ \t]*[:：|]"
        r"(?:\*\*|__)?[ \t]*(.*[^ \t|\n])",
        _I | re.MULTILINE,
    )


def _section_status(part: _Part) -> str:
    rows = list(filter(None, map(str.strip, templates.without_comments(part.text).split("\n"))))
    boxes = [row for row in rows if re.match(r"[-*+] \[[ xX]\]", row)]
    return flat(" ".join(row for row in rows if row not in boxes or "[x]" in row[:6].lower()))


def _successors(status: str) -> Iterator[str]:
    for link in _LINK.findall(status):
        yield link.rpartition("/")[2].removesuffix(".md").casefold()
    after = re.split(r"\bby\b", status, maxsplit=1, flags=_I)[-1]
    yield from _NUMBER.findall(f"by {after}")
    yield from (word.casefold() for word in re.findall(r"\b\d{8}-[\w-]+", after))


def _prose(text: str, held: Sequence[Block]) -> str:
    """Return the first words of blocks: the first paragraph, with the list that it introduces, or the first list.

    A table is such a list, and so is a paragraph that begins with a letter or number (`a) ...`). A picture says none.
    """
    words: list[str] = []
    for block in held:
        own = _plain(block.words(text)) if block.kind == "paragraph" else ""
        if own and words and not _LETTERED.match(own):
            break
        if own:
            words.append(own)
            if not own.endswith(":"):
                break
        elif block.kind == "list" or (block.kind == "table" and words):
            lines = _items(text, block) if block.kind == "list" else _rows(text[block.start : block.end])
            words.append("; ".join(lines))
            break
    return " ".join(part for part in words if part)


def _items(text: str, block: Block) -> list[str]:
    return [words for item in blocks.items(text, block) if (words := _plain(item.words(text)))]


def _plain(text: str) -> str:
    return flat(_unmarked(_PICTURE.sub("", templates.without_comments(text))))


def _first(text: str, parts: Sequence[_Part]) -> str:
    return next((words for part in parts if (words := _prose(text, part.blocks))), "")


def _why(text: str, says: str, parts: Mapping[str, Sequence[_Part]]) -> str:
    """Return why: a section that says so, a clause of the decision, what drove it, or the context."""
    if words := _first(text, parts.get("why", ())):
        return words
    if clause := _BECAUSE.search(says):
        return clause[1].strip()
    return _first(text, parts.get("drivers", ())) or _first(text, parts.get("context", ()))


def _alternatives(text: str, says: str, parts: Mapping[str, Sequence[_Part]]) -> str:
    """Return the options that were not chosen: items, rows of a table, headings, prose, or what is decided against."""
    chosen = _CHOSEN.search(says)
    choice = _bare(flat(chosen[1])) if chosen else None
    for role in ("options", "arguments"):
        sections = parts.get(role, ())
        if options := _options(text, sections, only_titles=role == "arguments"):
            others = dict.fromkeys(option for option in options if not _TICK.search(option))
            return "; ".join(option for option in others if _bare(option) != choice)
        if words := _first(text, sections):
            return words
    return against[1].strip() if (against := _AGAINST.search(says)) else ""


def _options(text: str, parts: Sequence[_Part], *, only_titles: bool) -> list[str]:
    """Return the options that sections name: their own headings where there are several, else the items of lists."""
    titles = [_title(part.title, "") for part in parts if not _role(part.title)]
    if only_titles or len(titles) > 1:
        return titles
    listed = [block for part in parts for block in part.blocks[:3] if block.kind in ("list", "table")]
    options = [
        option
        for block in listed
        for option in (_items(text, block) if block.kind == "list" else _cells(text[block.start : block.end]))
    ]
    return options or titles


def _cells(table: str) -> list[str]:
    """Return the first cell of each row of a table below its head."""
    return [words for row in tables.parse(table).rows if (words := _plain(row[0]))]


def _rows(table: str) -> list[str]:
    """Return the rows of a table below its head, their cells apart by colons: `Test: 10.200.0.0/16`."""
    rows = [[_plain(cell) for cell in row] for row in tables.parse(table).rows]
    return [": ".join(filter(None, row)) for row in rows if any(row)]


def _bare(option: str) -> str:
    return re.sub(r"^option \w+\W+|\W+", " ", option.casefold()).strip()


def _clip(text: str, limit: int) -> str:
    """Return the text, or its first whole sentences within the limit, or its first whole words."""
    if len(text) <= limit:
        return text
    cut = text[:limit]
    ends = [end.end() for end in re.finditer(r"[.!?](?=\s)", cut)]
    if ends and ends[-1] >= _LEAST:
        return cut[: ends[-1]]
    return cut.rsplit(" ", 1)[0].rstrip(" ,;:") + " …"
