"""What a record states, in one sentence or two: what a list of records shows of it.

Owns parting that from the words around it: the label before it, the sentences that lead up to it or explain it, and the
items below it. Refuses to lose any: the rest is given back.
"""

from __future__ import annotations

from sleep.language import sentences
from sleep.language.acts import grammar
from sleep.records import classification

_LONG = 160  # characters: what is shorter is a statement as a whole
_MOST = 240  # characters of a statement of several sentences
_FORMS = {
    "constraint": (*grammar.CONSTRAINT.sections, "rules.rule"),
    "decision": grammar.DECISION.sections,
    "dead end": grammar.DEAD_END.sections,
    "question": grammar.QUESTION.sections,
    "blocker": grammar.BLOCKED.sections,
    "task": grammar.TASK.sections,
}
_SIGNS = " ;:*_"


def parted(kind: str, text: str) -> tuple[str, str]:
    """Return what a record of this kind states, and the rest of its words.

    Of a long text those are the first sentences in a row that do so in so many words, with what leads up to them where
    that is short, else the first one; items below are rest.
    """
    bare = classification.without_label(text).strip()
    if not bare:
        return text, ""
    head, mark, tail = bare.partition("; ")
    if len(head) <= _LONG:
        return (head, tail) if mark else (head, "")
    spans = [(start, end) for start, end in sentences.spans(head) if head[start:end].strip(_SIGNS)]
    forms = _FORMS.get(kind, ())
    tells = [bool(forms) and grammar.has(head[start:end], *forms) for start, end in spans]
    first = tells.index(True) if True in tells else 0
    last = next((at for at in range(first, len(spans)) if at + 1 == len(spans) or not tells[at + 1]), first)
    first = 0 if spans[last][1] - spans[0][0] <= _LONG else first
    last = first if spans[last][1] - spans[first][0] > _MOST else last
    start, end = spans[first][0], spans[last][1]
    rest = f"{head[:start].strip()} {head[end:].strip()}".strip()
    return head[start:end].strip(), "; ".join(filter(None, (rest, tail)))
