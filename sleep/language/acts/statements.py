"""Statements: sentences that say in so many words what they are, a rule, a choice, a question.

Owns the explicit forms, by who speaks: an imperative that lasts, a choice in the first person, a label
(`**Decision:** ...`), an item below a heading that is exactly a kind's name. What is only said in passing is none:
precision comes before recall, for what is stated binds those who come after. Refuses to look at where in a message a
sentence stands, and whose words it quotes: it is given sentences whose quotations are blanked (`quoting.masked`).
A model of speech acts would stand here, beside `state`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from sleep.language.acts import phrases, rules
from sleep.language.acts.phrase import either

RECORDS = frozenset({"constraint", "decision", "question", "task", "blocker", "dead end"})


class Statement(NamedTuple):
    """What a sentence states: the kind, where in the sentence its own words begin and end, and its reason."""

    kind: str
    start: int
    end: int
    why: str = ""


_SIGNS = "*_` ~"
_ITEM = re.compile(r"^(?:\d{1,3}[.)]\s+)?(?:\[[ xX]\]\s+)?")
# A heading, or a line that ends in a colon, that is exactly a kind's name.
_NAMES = {
    "decision": either(
        r"(?:(?:key|main|design|technical|architecture|architectural|final|our|my) )?decisions?"
        r"(?: (?:made|taken|log))?|what (?:we|i) decided|entscheidung(?:en)?"
        r"|decisiones|décisions|決定(?:事項)?|决[定策]"
    ),
    "question": either(
        r"(?:(?:still )?open |unresolved |outstanding |remaining )questions?(?: for .{1,30})?|offene fragen?"
        r"|未解決の質問|待确认"
    ),
    "task": either(
        r"(?:suggested |recommended |possible )?next steps?|(?:still )?to[- ]?dos?(?: next)?|next(?: up)?"
        r"|what(?:'s| is) (?:left|next)"
        r"|(?:still |left )?to do|remaining(?: (?:work|tasks?|steps?|items?))?|follow[- ]?ups?|open (?:tasks?|items?)"
        r"|outstanding(?: (?:work|tasks?))?|not (?:yet )?done(?: yet)?|nächste schritte|offene aufgaben|待办|下一步"
    ),
    "blocker": either(r"blockers?|blocked(?: (?:by|on))?|blocking"),
    "dead end": either(r"dead[- ]ends?|what (?:did not|didn't) work|(?:failed|tried) (?:approaches|attempts)"),
    "constraint": either(
        r"(?:(?:hard|standing|ground|house|project|our|my|some) )?(?:rules?|constraints?)|invariants?"
        r"|regeln?|reglas|règles"
        r"|规则|規則|ルール"
    ),
    "insight": either(
        r"(?:key )?(?:insights?|learnings?|lessons? learned|takeaways?|gotchas?)|root cause|(?:the )?(?:cause|reason)"
    ),
}
_LABEL = re.compile(
    r"^(?:\d{1,3}[.)]\s+)?(?:[*_]{1,3})?([^\W\d_][^*_:：\n`]{1,40}?)(?:[*_]{1,3})?\s?[:：](?:[*_]{1,3})?\s+(?=\S)"
)
_FIRST = {"next": re.compile(r"(?i)next(?: steps?)?$"), "open": re.compile(r"(?i)open$")}

_ASKS = re.compile(r"[?？][\"'`*_)\]”’ ]*$")
# Asks, supposes or denies: a choice that is spoken of is not made here.
_SUPPOSES = either(
    r"^(?:\W*(?:and|but|so|or|also|then|ok|okay|hi|hey|please),? )*(?:can|could|would|will|do|does|did"
    r"|should|shall|may|why|how"
    r"|what|who|where|which|when|whether|if|is|are|was|were|once|unless|until|after|before|explain|tell|show"
    r"|check|remind"
    r"|suppose|assuming|imagine)\b",
    r"\b(?:not|n't|never|yet to|haven't|hasn't|whether|why|what|which|how|if|when|until|once|unless) (?:\w+ ){0,3}"
    r"(?:decided?|chose|chosen|agreed|settled|opted|picked|decision)\b",
    r"\b(?:would|could|might|may|should|must|to) (?:have )?(?:decided?|choose|chosen|agree|opt|pick)\b",
)
# What an agent is about to look at is a move, not a choice.
_MOVES = (
    r"(?: (?:first|now|then|also|just|instead))* (?:look|check|read|run|start|try|test|investigate|see"
    r"|search|take a|continue"
    r"|explore|verify|inspect|debug|re-?run|re-?read|ask|wait|stop|go back|go on|begin|examine|list|open"
    r"|grep|compare)\b"
)
_CHOSE = (
    rf"(?:decided (?:to(?!{_MOVES})|on|against|not to|that|for|in favou?r)|chosen?\b|opted (?:for|to|against)"
    rf"|settled (?:on|for)|agreed (?:to|on|that)|picked (?!up\b|it\b|out\b))"
)
_ADVERBS = r"(?:(?:also|both|all|now|just|finally|therefore|then|deliberately|thus|so|explicitly|already) )*"
_DECIDED = either(
    rf"\b(?:we|i|we've|i've|we’ve|i’ve)(?: have| had)? {_ADVERBS}{_CHOSE}",
    rf"^\W*(?:so |therefore |after all,? |ultimately,? |finally,? )?{_CHOSE}(?! (?:by|as)\b)",
    rf"\bit (?:was|is|has been) decided (?:to(?!{_MOVES})|that|against)\b",
    r"\b(?:the|our|my|final) decision (?:is|was) (?:to|that|not)\b",
    r"\b(?:wir|ich) (?:haben|habe) .{0,120}(?:entschieden|beschlossen)\b|\bhemos decidido\b"
    r"|\bnous avons (?:décidé|choisi)\b",
    r"決定しました|することにし(?:た|ました)|我们决定|我决定"
    r"|决定(?:采用|使用|改用)|하기로 (?:했|결정)|мы решили|я решил[а]?\b",
)
_GOES = either(
    r"\b(?:i|we)(?:'m|'re|’m|’re| am| are|'ll|’ll| will)? (?:go|went|gone|going|stick|sticking|stuck|stay"
    r"|staying|stayed) with (?!it\b|that\b|this\b|them\b|#?\d+\b|option\b)\S",
)
_BETWEEN = either(
    r"\b(?:i|we) (?:\w+ly )?(?:used|kept|made|left|put|implemented|named|wrote|stored|built|added|moved"
    r"|chose|took|preferred)"
    r" .{2,160}\b(?:instead of|rather than|over)\b.{2,200}\b(?:because|since|so that|so|to avoid|as)\b",
    r"\binstead of .{3,160}, (?:i|we) (?:\w+ed|chose|kept|made|put|went|wrote|built|took)\b",
)
_LETS = either(
    r"^(?:\W*(?:ok|okay|yes|yeah|yep|right|alright|great|good|sure|so|then|and|a\)|b\)|c\)|hm+|i think|fine"
    r"|cool)[,.:;!)]* )*"
    r"let['’]?s go (?!ahead\b|on\b|back\b|over\b|through\b|to\b|and\b|for\b|with\b|one\b|now\b|then\b|step\b)\w+\W*$",
    r"\blet['’]?s (?:not )?(?:go with|go for|stick (?:with|to)|stay with|settle on|keep|use|drop) "
    r"(?!it\b|that\b|this\b|them\b|these\b|those\b|going\b|an eye|in mind|(?:the )?(?:#|option|number)? ?\d)\S",
)
_TO_DO = either(
    r"\b(?:still (?:needs? to|have to|has to|missing|to be|open|pending|untested|unfinished)|remains? to be"
    r"|left to (?:do|be)"
    r"|yet to be|is still (?:missing|open|to))\b",
    r"\b(?:i|we) (?:have not|haven't|did not|didn't|could not|couldn't) (?:yet )?(?:test|tested|run"
    r"|implement|implemented|finish"
    r"|finished|update|updated|verify|verified|migrate|migrated|push|pushed|commit|committed"
    r"|touch(?:ed)? .* yet|get to|got to)\b",
    r"\b(?:is|are|was|were) not (?:yet )?(?:implemented|tested|done|finished|migrated|updated|deployed"
    r"|pushed|merged|wired|documented"
    r"|covered)\b(?: yet)?",
)
_BLOCKED = either(
    r"\b(?:is|are|am|'m|'re|i'm|we're|work is|currently) (?:currently |still )?blocked (?:by|on|until|because)\b",
    r"\b(?:can ?not|can't|unable to) (?:proceed|continue|go on|finish)\b.{0,80}\b(?:until|without|before|because)\b",
    r"\bwaiting (?:for|on) (?:the |an? |your |their |\w+'s )?(?:\w+ ){0,4}(?:approval|access|credentials?"
    r"|permission|review|answer|reply|key|account)s?\b",
)
_OF_PERSON = (("decision", _DECIDED), ("decision", _LETS))
_OF_AGENT = (
    ("decision", _DECIDED),
    ("decision", _GOES),
    ("decision", _BETWEEN),
    ("dead end", phrases.DEAD_END),
    ("blocker", _BLOCKED),
    ("task", _TO_DO),
)
_CAUSE = either(
    r"\b(?:root |real |actual |underlying )?(?:cause|issue|problem|bug|culprit|reason) (?:here )?(?:is"
    r"|was) (?:that|in|because|how)\b",
    r"\b(?:root cause|culprit)\b|\bturns? out\b|\bit turned out\b",
)
_ANSWERS = re.compile(
    r"(?i)^(?:because|yes|no|it['’]?s\b|it is|the answer|that['’]?s|that is|since|probably|well|i think"
    r"|i['’]d|i would)\b"
)
_BECAUSE = re.compile(
    r"(?i)(?:,| [—–-]+)? (?:because|since(?= (?:the|it|we|they|a|an|this|that|our|all|both|no|only)\b))(?! of) (?=\S)"
)
_REASON = re.compile(
    r"(?i)^(?:because|(?:the )?reason(?: is| was)?(?: that)?[:,]?|rationale[:：]|why[:：]|otherwise,?"
    r"|that way,?|this way,?)\s+(?=\S)"
)
_LEAST = 3  # words of a choice, at least, when its reason is taken out
_MOST = 400  # characters of a statement; what is longer is prose
_ACKNOWLEDGES = frozenset(
    """
    done understood great perfect sure ok okay good nice excellent all set yes no right got it will do fixed ready clean
    on thanks thank you sounds of course absolutely certainly alright cool now great! call catch point is to me that
    """.split()  # noqa: SIM905  # a list of words reads better as words
)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
# Lines of progress: `Still running.`, `Working on it...`, `Running the tests…`; and what holds for the moment only.
_WORKS = (
    r"(?:running|working|waiting|thinking|processing|loading|building|compiling|installing|testing|checking|searching"
    r"|reading|looking|fetching|updating|analy[sz]ing)"
)
_WAITS = either(
    rf"^\W*(?:still (?:{_WORKS}|going|pending|active|in progress|at it|on it|not (?:done|finished))"
    rf"|{_WORKS}(?: on (?:it|this|that)| for (?:it|that|them))?|in progress|one moment|just a (?:moment|second)"
    r"|please wait|hold on)(?: now| please)?\W*$",
    rf"^\W*{_WORKS}\b[^.!?…]{{0,60}}(?:\.\.\.|…)\W*$",
)
_PENDS = re.compile(
    r"(?i)^[^,;:.!?]{1,50}(?: is| are|['’]s|['’]re) (?:still|currently) "
    r"(?:running|pending|queued|building|in progress)\b[^,;:.!?]{0,50}\W*$"
)


def plainly(kind: str, words: str, why: str = "") -> str:
    """Return a text that states this again, with the label that gives it its kind: for what is read a second time."""
    label = {"task": "To do", "question": "Open question"}.get(kind, kind.capitalize())
    return f"**{label}:** {words}" + (f" Because {why}" if why else "")


def named(title: str) -> str:
    """Return the kind that a heading, or a line that ends in a colon, names exactly; "" for any other."""
    bare = re.sub(r"\([^)]*\)", "", title).strip(_SIGNS + ":：#.—–- 0123456789)")
    return next((kind for kind, names in _NAMES.items() if bare and names.fullmatch(bare)), "")


def acknowledges(sentence: str) -> bool:
    """True for a sentence that says nothing but that it was heard: `Done.`, `Got it.`."""
    return not sentence.rstrip().endswith((":", "：")) and _ACKNOWLEDGES.issuperset(_WORD.findall(sentence.casefold()))


def waits(sentence: str, *, ends: bool) -> bool:
    """True for a sentence that only says that work goes on; what still runs when a turn `ends` is worth saying."""
    return bool(_WAITS.search(sentence)) or (not ends and bool(_PENDS.match(sentence)))


def asks(sentence: str) -> bool:
    """True for a sentence that ends in a question mark."""
    return bool(_ASKS.search(sentence))


def answers(sentence: str) -> bool:
    """True for a sentence that answers the question before it."""
    return bool(_ANSWERS.match(sentence))


def state(said: str, role: str, section: str = "", *, last: bool = False) -> Statement | None:
    """Return what a sentence states, None where it states nothing.

    Args:
        said: the sentence, quotations blanked.
        role: `person` or `agent`.
        section: the kind that a heading exactly above it names (`named`), "" for none.
        last: it stands in the agent's last message, where what it asks and leaves undone is open.
    """
    start = item.end() if (item := _ITEM.match(said)) else 0
    label = _labelled(said)
    kind = label[0] if label else section or _said(said, role, last=last)
    start = label[1] if label else start
    if label and role == "person" and kind == "insight":
        return None
    if kind == "question" and not label and section and not asks(said):
        kind = "question" if last or section == "question" else ""
    kind = _allowed(kind, role, last=last or bool(label) or section == "question")
    if not kind or len(said) - start > _MOST or not _WORD.search(said, start):
        return None
    if role == "person" and kind == "constraint" and not label and not section:
        start = rules.begins(said)
    return _reasoned(said, kind, start) if kind in ("decision", "constraint") else Statement(kind, start, len(said))


def _labelled(said: str) -> tuple[str, int] | None:
    found = _LABEL.match(said)
    if not found or not (kind := named(found[1])):
        return None
    return kind, found.end()


def _allowed(kind: str, role: str, *, last: bool) -> str:
    """Return the kind that a speaker may state: an agent lays down no rules, a person is asked and leaves no to-dos."""
    if role == "person":
        return kind if kind in ("constraint", "decision", "question", "insight") else ""
    if kind == "constraint":
        return "insight"
    return kind if last or kind not in ("task", "blocker", "question") else ""


def _said(said: str, role: str, *, last: bool) -> str:
    """Return the kind by a sentence's words."""
    if asks(said):
        return "question" if role == "agent" and last else ""
    if role == "person" and rules.is_rule(said):
        return "constraint"
    if _SUPPOSES.search(said):
        return "blocker" if role == "agent" and _BLOCKED.search(said) else ""
    forms = _OF_PERSON if role == "person" else _OF_AGENT
    return next((kind for kind, form in forms if form.search(said)), "")


def tells_cause(said: str) -> bool:
    """True for a text that says what was the matter."""
    return _CAUSE.search(said)


def _reasoned(said: str, kind: str, start: int) -> Statement:
    """Return a statement without the reason that its sentence gives, and the reason."""
    found = _BECAUSE.search(said, start)
    if not found or len(said[start : found.start()].split()) < _LEAST:
        return Statement(kind, start, len(said))
    return Statement(kind, start, found.start(), said[found.end() :])


def reason(said: str) -> int:
    """Return where the reason begins in a sentence that only gives one (`Because ...`), 0 where it is none."""
    found = _REASON.match(said)
    return found.end() if found else 0
