"""What kind of idea a piece of hand-written text is, told by its heading, its label and its words.

Owns the order of trust: a check box and what says that it is done or nothing come first, then a label of its own
(`**Decision:** ...`), then the heading it stands under (`## Open questions`), then forms of speech, which are
`grammar`'s. Favours finding what must survive (constraints, questions, decisions, threads) over silence, for what it
misses the gate cannot see; refuses to read speech in a transcript as the author's own decisions.
"""

from __future__ import annotations

import re
from functools import lru_cache

from sleep.language.acts import first_words, grammar, kind_names, no_records, open_items, titles
from sleep.language.acts.first_words import LABEL, ROWS
from sleep.language.acts.forms import form
from sleep.language.acts.grammar import Form, first, has
from sleep.language.tokenizer import has_wide
from sleep.memo import memo
from sleep.records.kinds import BINDING, DONE, ENTRIES, WAITING, is_kind

_I = re.IGNORECASE
_ARROW = re.compile(r"^[^.;:!?]{1,40}(?:->|→|=>)")  # from one thing to another
_TITLE = 4  # words; an item of fewer that commands nothing is the name of a thing
_NEAR = 0.75  # how much alike a name is to one that somebody mistyped
_FEW = 2  # words beside code that say something only where they command
_LONG = 700  # prose of this length states its idea early; later phrases are asides

_CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
_TEMPLATE = re.compile(r"\[(?!x\])[a-z][a-z ]{1,20}\](?!\().{0,80}\[[a-z][a-z ]{1,20}\](?!\()", _I)

_LISTS = frozenset({"blocker", "constraint", "dead end", "decision", "task"})  # `Open work, ranked`
_ASKED = ("task", "thread", "doubt", "constraint", "insight", "handoff", "note")  # that have names by mistake
_EXACTLY = frozenset({"constraint", "task", "thread"})  # many headings speak of such things and list others
_NO_CHOICE = {"decision": "note"}  # what a status without such words is, by what stands beside it
_PROSE_KINDS = frozenset(kind.name for kind in ENTRIES.values() if not kind.is_record)
# What a paragraph of labels is kept as when its lines are of several kinds.
_STRONGEST = ("decision", "constraint", "question", "doubt", "blocker", "thread", "task")
_HEADINGS = (
    *("note", "question", "decision", "doubt", "thread", "blocker", "task", "constraint", "handoff", "tone"),
    *("dead end", "insight", "relation", "fix", "change"),
)
# Of the kinds of a label the first holds: `Tasks done` comes before tasks.
_LABELS = (
    *("question", "decision", "doubt", "constraint", "blocker", "fix", "change", "task", "thread", "dead end"),
    *("tone", "handoff", "insight", "status"),
)
_OPEN = (grammar.QUESTION, grammar.DOUBT)
_STATUS = (grammar.QUESTION, grammar.THREAD, grammar.TASK)
_DONE_BUT = (
    *(grammar.DECISION, grammar.DEAD_END),
    Form("constraint", ("phrases.adopted",)),
    *(grammar.THREAD, grammar.TASK, grammar.CHOICE),
)
_OF_WORK = (*grammar.CONSTRAINT.sections, "signs.order", "phrases.commanded")
_LESSON = (
    grammar.DEAD_END,
    *(grammar.DECISION, grammar.CONSTRAINT, grammar.CONDITION),
    Form("constraint", ("phrases.rule",)),
    Form("task", ("phrases.left",)),
    Form("constraint", ("phrases.rule words",)),
    grammar.CHOICE,
)


@memo(1 << 10, str, None)
def heading_kind(title: str) -> str:
    """Return the kind of what stands directly under this heading, "" for one that names none.

    A record's kind is given by its very name, of one or several kinds, and what follows a comma or dash (`Open work,
    ranked`), or by a phrase that is known whole (`Exact steps for the next session`); prose may have a subject besides
    (`Lessons from the outage`). `note` says that what stands there is of no kind, whatever its name has in it
    (`Rollback plan`).
    """
    trimmed = kind_names.trimmed(title)
    if kinds := kind_names.whole_kinds(title) or kind_names.whole_kinds(kind_names.without_aside(trimmed)):
        return kinds[0]
    kind = next((kind for kind in _HEADINGS if has(trimmed, f"headings.{kind}")), "")
    name = kind_names.without_owner(kind_names.without_aside(trimmed) if kind in _LISTS else trimmed)
    if kind and (kind in _PROSE_KINDS or kind_names.is_name(name)):
        return kind
    parts = {heading_kind(name) for name in trimmed.split(" / ")} if " / " in trimmed else set()
    return parts.pop() if len(parts) == 1 else ""  # two names of one kind: `Still open / deferred`


def asked_kind(name: str) -> str:
    """Return the kind that somebody meant by a name that is none (`bug`, `idea`, `decison`), "" for any other."""
    import difflib  # late: it costs 5 ms, and few mistake a name  # noqa: PLC0415

    word = name.strip().casefold()
    near = difflib.get_close_matches(word, ENTRIES, n=1, cutoff=_NEAR)
    asked = (kind for kind in _ASKED if form(f"asked.{kind}").fullmatch(word))
    return next(asked, "") or heading_kind(name) or next(iter(near), "")


def label_kind(text: str) -> str:
    """Return the kind that a text's own label (`**Decision:** ...`) names, or ""."""
    label = first_words.label_of(text)
    kind = _named(_label(label)) if label else ""
    return kind if is_kind(kind) else ""  # `status` says only where to look further


def without_label(text: str) -> str:
    """Return a text without the label that is nothing but the name of a kind; as it is where it has none.

    One that says more (`CI status`, `Open branches`) is what the words are about, and without one that forbids
    (`Never:`) they would say the opposite.
    """
    if has(text, "signs.verbal lead"):
        return text
    bare = first_words.bare(text)
    label = LABEL.match(bare)
    named = _label(label) if label else ""
    is_bare = label and _named(named) and kind_names.is_name(named) and not has(named, "signs.of changes")
    return first_words.behind(label) if label and is_bare else text


def text_kind(text: str, section: str = "", *, checked: bool | None = None) -> str:
    """Return the kind of a paragraph or list item that stands under a heading of kind `section`."""
    bare = first_words.bare(text)
    if no_records.is_nobodys(text):
        return "note"
    if checked or _is_over(text, section if checked is None else "task"):
        return "change"
    if checked is not None:
        return "note" if _TEMPLATE.search(bare) else "task"
    row = bare.partition("\n")[0]
    if has(text, "signs.title"):
        return "note"
    is_nothing = section not in BINDING and has(row, "signs.nothing")  # `No new tables` is a rule there
    if is_nothing or has(row, "signs.stamp"):
        return _rows_kind(bare, section) or "note"
    return _labelled(bare, section) or _rows_kind(bare, section) or _placed(text, bare, section)


def _is_over(text: str, section: str) -> bool:
    """True for what is struck out, and for an item of what is open that is done by a mark of its own.

    Below dead ends it strikes out what nobody shall try again.
    """
    is_struck = section != "dead end" and ("~~" in text[:4] or has(text[: first_words.LIMIT], "signs.struck"))
    return is_struck or (section in WAITING and open_items.is_closed(text))


def justifies(text: str) -> bool:
    """True for a question that asks for the grounds of a choice: what answers it is a decision."""
    return has(first_words.bare(text), "phrases.justifies")


def states(kind: str, title: str) -> bool:
    """True for a heading or label whose list states records of its kind, and does not only speak of such things.

    A plan, what is worked on now and what mitigates something are told by the program, and stated by nobody.
    """
    bare = kind_names.trimmed(kind_names.without_brackets(title))
    return kind not in _EXACTLY or form(f"signs.states {kind}").fullmatch(bare) or kind in kind_names.whole_kinds(title)


def explains(title: str) -> bool:
    """True for a label below which the grounds of something stand: `Why Substrate:`."""
    return has(title, "signs.grounds")


def without_code(text: str) -> str:
    """Return a text with a space for each piece of code."""
    return _CODE.sub(" ", text)


def is_told(text: str) -> bool:
    """True for a text that says something in words, and not only in code."""
    bare = without_code(text)
    if bare == text:
        return True
    bare = without_label(bare)
    words = len(kind_names.WORD.findall(bare))
    commands = words == _FEW and (has(bare, "phrases.commanded") or first_words.is_rule(text))
    return has_wide(bare) or words > _FEW or commands


def is_action(text: str) -> bool:
    """True for an item of a list that says what to do, in a command or in more words than a title has."""
    bare = without_label(without_code(text))
    return (
        has_wide(bare)
        or len(kind_names.WORD.findall(bare)) >= _TITLE
        or has(bare, "phrases.commanded", "signs.acts on", "signs.bids")
    )


def only_names(kind: str, text: str) -> bool:
    """True for an item of a list of tasks that names a thing, or one of decisions that says how something stands."""
    return (kind == "task" and not is_action(text)) or (kind == "decision" and no_records.stands(text))


def is_rule(lesson: str, heading: str = "") -> bool:
    """True if a lesson lays down a rule in so many words: at its very beginning, or where it is of how to work.

    What it is about may come before (`Skill ids: always write them whole`). What a thing must be to work (`the frame
    must be nested`) is a fact, whatever its words.
    """
    bare = first_words.bare(lesson)
    label = LABEL.match(bare)
    words = first_words.behind_label(bare)
    if has(words, "rules.passes"):
        return False
    if label and _is_rule_note(label[1]):
        return True
    if has(f"{heading} {label[1] if label else ''}", "signs.of work") and has(words, *_OF_WORK):
        return True
    return first_words.is_rule(words) or has(words, "signs.stressed")


def _is_rule_note(label: str) -> bool:
    note = kind_names.BRACKETS.search(label)
    return note is not None and has(note[0], "signs.rule note")


def fails(lesson: str) -> bool:
    """True if a lesson says in so many words that something was tried and failed, or cannot work; a slip is none."""
    bare = first_words.bare(lesson)
    words = without_label(bare)
    is_rule_first = first_words.is_rule(words) or has(words, "signs.lesson rule")
    return has(bare, *grammar.DEAD_END.sections, "signs.swaps") and not (is_rule_first or has(bare, "signs.slip"))


def failed(text: str, heading: str) -> bool:
    """True if a text says that something was tried in vain, or failed below a heading of such: `What went wrong`."""
    return has(first_words.bare(text), "signs.attempt") or (has(heading, "signs.of failure") and fails(text))


def lays_down(text: str, heading: str) -> bool:
    """True if a text lays down a rule by its first words, or below a heading that speaks of such; a report does not."""
    return not no_records.is_report(text) and first_words.lays_down(first_words.bare(text), heading)


def decides(text: str) -> bool:
    """True if a text tells of a choice as one."""
    return first_words.decides(first_words.bare(text))


def is_held_up(text: str) -> bool:
    """True for a text that says what ran out, or behind its label what holds that up: `**Mail:** blocked by ...`."""
    bare = first_words.bare(text)
    label = LABEL.match(bare)
    forms = ("signs.blocked",) if label and _named(_label(label)) == "status" else open_items.HELD_UP
    return has(bare, "signs.plainly held up") or (label is not None and has(bare[label.end() :], *forms))


def _labelled(bare: str, section: str) -> str:
    """Return the kind that the text's label gives it in this section, or ""."""
    label_match = LABEL.match(bare)
    if not label_match:
        return ""
    label = _label(label_match)
    if section and section not in _PROSE_KINDS and titles.explains(label):
        return "insight" if section in BINDING else "note"
    kind = _named(label)
    words = bare[label_match.end() :]
    match kind:
        case "insight":
            kind = _noted(label_match[1], words)
        case "status":
            kind = first(bare, _STATUS) or _NO_CHOICE.get(section, "")
        case "decision":
            kind = _choice(label, words)
        case "constraint":
            kind = _rule(label, words, section)
        case "task":
            kind = open_items.to_do(bare, words)
        case "question":
            kind = open_items.labelled(label, words)
        case "change" | "fix" if section:
            kind = section
    return kind


def _noted(label: str, words: str) -> str:
    """Return what stands behind a label of lessons: a rule where a bracket says so and no choice is told."""
    return "constraint" if _is_rule_note(label) and not first_words.chooses(f"{label}: {words}") else _lesson(words)


def _rule(label: str, words: str, section: str) -> str:
    """Return what stands behind a label of rules: a rule, a change to one, a request, or what is only urgent."""
    if section in DONE and _ARROW.match(words):
        return section
    if has(words, *grammar.CONSTRAINT.sections):
        return "constraint"
    if section == "decision" and not kind_names.is_name(label):
        return section  # `Stopping rule: ten tasks`
    if has(words, *_OF_WORK) or first_words.is_rule(words):
        return "constraint"
    return "note" if open_items.asks(words) else "insight" if form("signs.urges").fullmatch(label) else "constraint"


def _choice(label: str, words: str) -> str:
    """Return what stands behind a label of decisions: a choice, unless it is open or only says how something is.

    A `Strategy` is one where it bids or says that it was chosen, else its words tell ("").
    """
    if no_records.is_undecided(words):
        return "note"
    acts = (
        first_words.chooses(words)
        or decides(words)
        or has(words, "phrases.commanded", "signs.rule begins", "signs.picks")
    )
    if not acts and form("signs.plans").fullmatch(label):
        return ""
    return "insight" if has(label, "signs.assesses") and not acts else "decision"


def _label(match: re.Match[str]) -> str:
    return kind_names.without_brackets(match[1].replace("*", "")).strip()


@lru_cache(maxsize=1 << 9)  # journals have few labels, and those often
def _named(label: str) -> str:
    return next((kind for kind in _LABELS if form(f"labels.{kind}").fullmatch(label)), "")


def _rows_kind(bare: str, section: str) -> str:
    """Return the strongest kind among the lines of a paragraph that is a column of labels, else ""."""
    rows = bare.split("\n")[:ROWS]
    labelled = [row for row in rows if first_words.BOLD_LABEL.match(row)]
    if len(rows) == 1 or 2 * len(labelled) < len(rows):
        return ""
    kinds = [text_kind(row.strip(), "" if index else section) for index, row in enumerate(labelled)]
    return next((kind for kind in _STRONGEST if kind in kinds), kinds[0])


def _placed(text: str, bare: str, section: str) -> str:
    """Return the kind that the section gives a text without a label of its own."""
    if section == "task":
        return _to_do(text[: first_words.LIMIT], bare, asks=open_items.asks(text))
    if section == "question":
        return open_items.of_questions(bare, asks=open_items.asks(bare))
    if section == "blocker":
        return first(bare, _OPEN) or open_items.kind(bare, section)
    if section == "insight":
        return _lesson(bare)
    if section and section not in _PROSE_KINDS:
        return _settled(text, bare, section)
    words = open_items.without_offer(bare)
    return _kind_by_words(words, section, asks=open_items.asks(words))


def _settled(text: str, bare: str, section: str) -> str:
    """Return what an item under a heading of records is; of decisions a choice, if it tells no deed and is not open."""
    if section != "decision":
        return "note" if section == "constraint" and no_records.is_state(bare) else section
    if no_records.is_undecided(bare):
        return "note"
    if first_words.chooses(text):
        return "decision"
    if no_records.is_deed(bare) or has(first_words.behind_label(bare), "signs.made"):
        return "change"
    return "dead end" if fails(text) else "constraint" if has(bare, "signs.prefers") else "decision"


def _to_do(text: str, bare: str, *, asks: bool) -> str:
    """Return what an item under a to-do heading is: a to-do, unless it is done, asks, or names work under way."""
    if first_words.is_rule(bare):
        return "constraint"
    is_past = has(text, "signs.done", "signs.stands") or has(bare, "phrases.change")
    if has(text, "signs.done") or has(bare, "signs.well") or (is_past and not has(bare, "phrases.task")):
        return "change"
    if open_items.is_option(bare):
        return "note"
    if (asks or has(bare, "phrases.question")) and not has(bare, "signs.inquires"):
        return "question"
    if has(bare, "stated.blocked", "signs.held up"):
        return "blocker"
    return "thread" if has(bare, "phrases.thread") and not has(bare, "phrases.commanded") else "task"


def _lesson(bare: str) -> str:
    """Return what a lesson is: what failed, a choice, a rule for later work, or an insight."""
    if first_words.is_rule(bare):
        return "constraint"
    if has(bare, "signs.swaps"):
        return "dead end"
    kind = next(filter(None, (first(words, _LESSON) for words in first_words.beginnings(bare))), "insight")
    return "decision" if kind != "constraint" and decides(bare) else kind


def _kind_by_words(bare: str, section: str, *, asks: bool) -> str:
    """Return the kind by the words, under a heading that leaves it open."""
    if asks:
        return "question"
    if decides(bare):
        return "decision"
    head = bare if len(bare) <= _LONG else bare[: _LONG // 2]
    # What stands in brackets behind a deed is why it was done.
    left = kind_names.without_brackets(head) if has(head, "reports.deed") else head
    if section not in DONE and (has(left, *open_items.HELD_UP) or is_held_up(left)):
        return "blocker"
    if section in DONE:
        return "constraint" if first_words.is_rule(head) else first(head, _DONE_BUT) or section
    return first(head) or section or "note"
