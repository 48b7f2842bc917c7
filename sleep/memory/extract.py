"""What kind of idea a piece of hand-written text is, told by its heading, its label and its words.

Owns the cues. Works in any order of trust: an explicit label (`**Decision:** ...`) is believed first, then a check box, then
the heading it stands under (`## Open questions`), then phrases. Favours finding what must survive (constraints, questions,
decisions, threads) over silence, because what it misses the gate cannot see; refuses to read speech in a transcript as the
author's own decisions.
"""

from __future__ import annotations

import re
from collections import Counter

_TRIM = re.compile(r"^[\W\d_]*(?:\([^)]*\)[\W\d_]*)?|[\W_]*(?:\([^)]*\))?[\W_]*$")
_I = re.IGNORECASE


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), _I)


# Headings, trimmed of numbering, dates, emoji and brackets; the first that matches wins.
_HEADINGS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "question",
        _any(
            r"^(?:\w+ ){0,2}questions?\b",
            r"^(?:decisions?|choices?) (?:needed|pending|required|to make)",
            r"^(?:un(?:knowns?|certaint(?:y|ies)|resolved|answered))\b",
            r"疑问|待确认|未决",
        ),
    ),
    (
        "decision",
        _any(
            r"^(?:[\w-]+ ){0,2}(?:decisions?|choices)(?: (?:made|taken|log|outcome|record|and \w+|summary))?$",
            r"^constraints? (?:&|and|/) decisions?$",
            r"^决[定策]|关键决策",
        ),
    ),
    ("doubt", _any(r"^(?:\w+ )?(?:doubts?|worries)\b", r"^(?:open |my )?concerns?$")),
    (
        "thread",
        _any(
            r"^(?:active|open|current|ongoing|paused|running) (?:\w+ )?(?:threads?|projects?|work|workstreams?|efforts?)\b",
            r"^(?:work )?threads?$",
            r"^(?:work )?in[ -]progress$",
            r"^(?:on hold|paused|ongoing|wip)$",
            r"^(?:已暂停|进行中|暂停)",
        ),
    ),
    ("blocker", _any(r"^(?:\w+ )?(?:blockers?|blocked)\b", r"^阻塞")),
    (
        "task",
        _any(
            r"^(?:\w+ ){0,2}(?:to[- ]?dos?|backlog)\b",
            r"^(?:\w+ )?next(?: \w+)? (?:steps?|actions?|tasks?|priorit\w+)\b",
            r"^(?:what'?s |up )?next\b",
            r"^(?:\w+ ){0,2}(?:action|open|pending|outstanding|remaining|carry[- ]forward|follow[- ]?up) "
            r"(?:items?|tasks?|actions?|work|issues?|steps?)\b",
            r"^(?:follow[- ]?ups?|pending|remaining|outstanding|open)$",
            r"^active tasks\b",
            r"^(?:still )?(?:to (?:do|fix)|needs? \w+)\b",
            r"^before (?:\w+ ){1,3}(?:release|launch|trading|deploy\w*|merge)\b",
            r"待办|下一步|待处理|需要修复|后续|等待",
        ),
    ),
    (
        "constraint",
        _any(
            r"^(?:[\w-]+ ){0,2}(?:constraints?|rules?|policy|policies|guardrails?|invariants?|prohibitions?)\b",
            r"^(?:do not|don'?ts?|never|always|must)\b",
            r"^(?:ask first|hard limits?)\b",
            r"规则|约束|原则|注意事项",
        ),
    ),
    ("handoff", _any(r"^hand-?off\b", r"^(?:notes? )?for (?:the )?(?:next|my successor)", r"^note to (?:self|successor)")),
    ("tone", _any(r"^(?:tone|mood|feelings?|emotional)\b")),
    ("dead end", _any(r"^dead[- ]ends?\b", r"^(?:failed attempts?|what (?:did ?n[o']t|failed))\b")),
    (
        "insight",
        _any(
            r"^(?:[\w&-]+ ){0,2}(?:insights?|learnings?|lessons?(?: learn\w+)?|findings?|takeaways?|gotchas?)\b",
            r"^what (?:i|we)(?:'ve)? learn",
            r"^root cause",
            r"经验|教训|发现|学习",
        ),
    ),
    ("relation", _any(r"^(?:dependencies|relationships?|how \w+ (?:connect|fit))\b")),
    (
        "change",
        _any(
            r"^(?:\w+ ){0,2}(?:changes?(?: made)?|completed?|done|shipped|accomplish\w+|commits?|deliverables?|changelog)$",
            r"^(?:tasks? completed|files? (?:changed|modified|created)|what (?:was|got|shipped|changed|i did|we did))\b",
            r"^(?:summary|outcome)$",
            r"^(?:已)?完成",
        ),
    ),
)

_LABELS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("question", _any(r"(?:open |pending )?questions?", r"decisions? needed", r"unknowns?", r"tbd", r".*hypothes[ei]s", "疑问")),
    ("decision", _any(r"(?:\w+ ){0,2}(?:decisions?|decided|verdict|choice|chose)", r"决[定策]")),
    ("doubt", _any(r"doubts?", r"uncertain(?:ty)?")),
    (
        "constraint",
        _any(
            r"(?:\w+ ){0,3}(?:rules?|constraints?|policy|invariants?|guardrails?|requirements?|limits?)(?: to \w+){0,2}(?: [\w.]+)?",
            r"lesson added|mitigation|fix discipline|ask first(?: for)?|(?:do not|never|always|must)(?: \w+){0,3}",
            r"execute without permission for|token gotcha|规则|约束",
        ),
    ),
    ("blocker", _any(r"blockers?|blocked(?: by| on)?")),
    (
        "task",
        _any(
            r"to-?dos?|next(?: steps?| actions?| check| up)?|actions?(?: items?)?|follow[- ]?ups?|remaining|pending|plan",
            r"下一步|待办",
        ),
    ),
    ("thread", _any(r"active(?: \w+)?|in[- ]progress|ongoing|paused|wip|thread")),
    ("dead end", _any(r"dead[- ]ends?|tried")),
    ("tone", _any(r"tone|mood|feeling|surprise|felt")),
    ("handoff", _any(r"hand-?off|for my successor|for next (?:session|instance)")),
    (
        "insight",
        _any(r"(?:key )?(?:insights?|learnings?|lessons?(?: learned)?|takeaways?|findings?|root cause|根本原因)(?: \([^)]*\))?"),
    ),
    ("change", _any(r"changes?|change made|done|completed?|shipped|fixed|commit")),
    ("status", _any(r"status|state|assessment|current state")),
)
_LABEL = re.compile(r"^(?:\[[^\]]{1,24}\] *)?(?:\*\*|__)?([^\W\d_][^*_:：\n]{1,40}?)(?:\*\*|__)? ?[:：](?:\*\*|__)? *", _I)  # noqa: RUF001

_QUESTION = _any(
    r"\b(?:unclear|unknown|undecided|undetermined|to be (?:decided|determined|confirmed)|tbd)\b",
    r"\b(?:has|have) yet to be (?:made|decided|determined)",
    r"\bneed(?:s|ed)? to (?:figure out|find out|decide|determine|clarify)\b",
    r"\b(?:consider|decide|deferred|awaiting|asked|confirm|deciding|revisit|evaluate)\b[^.]{0,60}\bwhether\b",
    r"\bopen question\b",
    r"\bnot (?:yet )?(?:decided|answered|clear)\b",
    r"\bthere may be further work\b",
    r"不确定|待确认|尚未决定",
)
_DOUBT = _any(
    r"\b(?:i'?m |am |are |we'?re )?not (?:entirely |quite |really )?(?:sure|convinced|certain)\b",
    r"\b(?:i|we) (?:suspect|doubt)\b",
    r"\b(?:may|might|could) (?:well )?be (?:wrong|fragile|incorrect|a mistake)\b",
    r"\b(?:feels?|felt|seems?|looks?) (?:wrong|fragile|off|suspicious|brittle|hacky)\b",
    r"\b(?:suspicious|questionable|uncertain (?:about|if|whether))\b",
)
_DECISION = _any(
    r"\b(?:we|i|they|user|team)(?: have| has| had|'ve)?(?: also)? (?:decided|chose|opted|agreed|settled|elected)\b",
    r"\b(?:it was |was |were )?decided (?:to|on|against|not|that|in favou?r)\b",
    r"\bdecision(?: was)?(?: made)?(?: to|:)",
    r"\b(?:chose|choosing|chosen|opted for|opting for|settled on|going with|went with|sticking with)\b",
    r"\b(?:picked|preferred|selected) .{2,60} (?:over|instead of|rather than)\b",
    r"\bin favou?r of\b",
    r"\b(?:\w+'s|explicit|user) (?:explicit )?(?:instruction|decision|choice|verdict)\b",
    r"\b(?:v\d |our |the |new )?approach is to\b",
    r"\bwe (?:will|shall|won'?t) (?:not )?(?:use|adopt|go|keep|move|remove|split|replace|build|store|run|stick|change)\b",
    r"\b(?:skip|defer|drop|postpone)(?:ped|red)? .{2,60}(?:because|since|—|for now)",
    r"\bswitch(?:ed|ing) (?:from .{2,40} )?to\b.{0,80}\b(?:because|since|so that|due to|to avoid)\b",
    r"\b(?:reduced|raised|lowered|changed|increased) from .{1,30} to .{1,80}\b(?:because|to balance|to avoid|since)\b",
    r"\b(?:design|key|explicit) (?:decision|choice)\b",
    r"决定|选择了|改用|采用了",
)
# A change from one thing to another is a choice too, but reports are full of them: it counts after all else.
_CHOICE = _any(
    r"\b(?:changed|moved|switched|migrated|reduced|raised|lowered|bumped|renamed)\b.{0,60}\bfrom\b.{1,60}\bto\b",
    r"\*\*old:?\*\*.{1,200}\*\*new:?\*\*",
    r"\b(?:re-?prioriti[sz]ed|repositioned)\b",
)
_CONSTRAINT = _any(
    r"^(?:always|never|must|do not|don'?t|only|avoid|ensure|prefer|make sure|remember to)\b",
    r"\bmust(?: not| never| always| only| first)? (?!have been|be (?:a|the|some)\b)(?:be |go |use |run |\w+)",
    r"(?<!was )(?<!were )(?<!has )(?<!had )(?<!is )(?<!have )\bnever (?!\w+ed\b|sent|worked|got|had|been|was|ran|saw)\w+",
    r"(?<!was )(?<!were )(?<!has )(?<!is )(?<!have )\balways (?!\w+ed\b|been|had|was|works?\b|fails?\b|returns?\b)\w+",
    r"\b(?:do not|don'?t) (?!work|know|have|need|exist|support|appear|seem|see|match|think)\w+",
    r"\b(?:mandatory|forbidden|prohibited|not allowed|not permitted|off[- ]limits)\b",
    r"\bwithout (?:explicit |asking|permission|approval|confirmation|prior )\w*",
    r"\b(?:ask|check with) (?:\w+ )?(?:first|before)\b",
    r"\bat (?:most|least) \d",
    r"\bno more than \d",
    r"^max(?:imum)? \d",
    r"\bonly (?:when|if|after|via|through)\b",
    r"\b\d+[- ]?(?:s|ms|min(?:ute)?s?|h(?:our)?s?|days?|%|[KMG]B)\b.{0,12}\b(?:max(?:imum)?|min(?:imum)?|cooldown|limit)\b",
    r"\b(?:pl[sz]|please) (?:always |never |do not |don'?t |only )?(?:use|keep|ask|avoid|stop)\b",
    r"\b(?:cannot|can't) be \w+ed (?:to|in|without|due|unless)\b",
    r"\bshould (?:never|always|only|not)\b",
    r"必须|不要|禁止|不得|务必|一定要|只能|永远不",
)
# A rule only where lessons stand: an imperative that opens a sentence, or what should be.
_IMPERATIVE = "use|check|run|verify|keep|read|test|write|start|validate|review|document|treat|put|store|convert|apply|convert|add"
_RULE = re.compile(
    rf"(?:^|(?<=[.:;] )|(?<=[.:;] \*\*))(?:{_IMPERATIVE.title()}|Always|Never|Must|Do not|Don't|Avoid|Ensure|Prefer|Only)\b(?! by)"
    r"|\b(?:should (?!still|have|now|already)|must (?!have)|has to be|have to be|needs? to be|needs grounding|needs? an? )"
)
_THREAD = _any(
    r"\b(?:in progress|under ?way|ongoing|wip|work in progress|to be continued)\b",
    r"\b(?:awaiting|waiting (?:for|on)|pending (?:review|approval|merge|deploy\w*))\b",
    r"\bstill (?:pending|open|running|in draft|paused|waiting)\b",
    r"\b(?:paused|on hold)\b(?! until we)",
    r"\bphase \d+ (?:of|/) ?\d+\b",
    r"\bopen prs?\b(?!:? none)|\bprs? #\d+ (?:is |are )?(?:still )?(?:open|in draft|draft)\b",
    r"\b\d{1,2}% (?:done|complete)",
    r"\b(?:currently|in the process of|in the middle of) \w+ing\b",
    r"\bfuture continuation\b|\bready,? (?:for|awaiting)\b",
    r"[⏸🔄🚧]",
    r"进行中|已暂停|活跃项目|PAUSED",
)
_TASK = _any(
    r"\b(?:todo|to-do|fixme)\b",
    r"\bnext(?: step| check| up)?:",
    r"\b(?:still |also )?needs? to (?:be )?\w+",
    r"\bneeds? (?:fresh|a fix|fixing|testing|review|work|investigation|re-?\w+)\b",
    r"\b(?:re-?\w+|follow[- ]?up|fix|review|testing|action) (?:is )?(?:needed|required)\b",
    r"\bnot (?:yet )?(?:published|done|implemented|tested|deployed|merged|built|wired|finished)\b",
    r"\b(?:will|shall) (?:need to|have to|follow up|do later|convert)\b",
    r"\bremains? to be\b",
    r"\bto be (?:done|implemented|fixed|added)\b",
    r"需要|待处理",
)
_TONE = _any(
    r"\b(?:i|it|this|that) (?:felt|feels)\b",
    r"\b(?:i was|i'm|i am|was) (?:surprised|frustrated|excited|worried|proud|relieved|delighted|annoyed)\b",
    r"\b(?:surprisingly|frustrating|satisfying|delightful)\b",
)
_DEAD_END = _any(
    r"\btried\b.{2,120}\b(?:but|didn'?t|did not|fail\w*|no luck|without success)\b",
    r"\b(?:did ?n[o']t|does ?n[o']t) work because\b",
    r"\b(?:dead end|gave up|abandoned the (?:idea|approach)|ruled out)\b",
)
_INSIGHT = _any(
    r"\b(?:learned|learnt|turns out|root cause|key insight|discovered that|found that|lesson|the trick|gotcha|realised|realized)\b",
    r"根本原因|教训",
)
_RELATION = _any(r"\b(?:depends on|connects? to|talks to|is used by|are used by|wraps|feeds into|built on top of)\b")
_CHANGE = _any(
    r"^(?:[✅☑✔] *)?(?:added|fixed|created|updated|implemented|removed|renamed|merged|deployed|committed|pushed|refactored|"
    r"wrote|moved|set up|installed|built|completed|published|ran|bumped|migrated|replaced|deleted|configured|enabled)\b",
)

# Phrases in order of what must not be missed.
_PHRASES = (
    ("question", _QUESTION),
    ("doubt", _DOUBT),
    ("decision", _DECISION),
    ("constraint", _CONSTRAINT),
    ("dead end", _DEAD_END),
    ("thread", _THREAD),
    ("task", _TASK),
    ("decision", _CHOICE),
    ("tone", _TONE),
    ("change", _CHANGE),
    ("insight", _INSIGHT),
    ("relation", _RELATION),
)
_SPEECH = re.compile(r"^(?:\[\w+:\d+\] |(?:\*\*)?(?:user|assistant|human|system|ai)(?:\*\*)? ?:)", _I | re.MULTILINE)
_NAME = re.compile(r"^(?:\[\w+:\d+\] *)?\*\*([A-Z][\w .'-]{0,24}):?\*\*:?")
_DECORATION = re.compile(r"^(?:[-*+>] +|\d+[.)] +|\[[ xX]\] *|~~|[^\w\s\"'`(\[*_<#@/$~.\\-]+ *)+")
_STAMP = re.compile(r"^[*_]?(?:last )?(?:updated|created|date|timezone|author|version)\b.{0,60}$", _I)
_LONG = 700
_HEADING = 200  # of a heading, what is looked at: the trimming is quadratic
_SPEAKERS = 0.6
_PROSE_KINDS = frozenset({"change", "insight", "tone", "relation", "handoff", "note"})


def heading_kind(title: str) -> str:
    """Return the kind that everything under this heading is, or "" for a heading that says nothing of kind."""
    trimmed = _TRIM.sub("", title[:_HEADING].replace("*", "").replace("`", "")).strip(" :")
    return next((kind for kind, pattern in _HEADINGS if pattern.search(trimmed)), "")


def label_kind(text: str) -> str:
    """Return the kind that a text's own label (`**Decision:** ...`) names, or ""."""
    found = _LABEL.match(_DECORATION.sub("", text, count=1))
    if not found:
        return ""
    label = re.sub(r"\*|\([^)]*\)", "", found[1]).strip()
    return next((kind for kind, pattern in _LABELS if pattern.fullmatch(label)), "")


def speakers(texts: list[str]) -> frozenset[str]:
    """Return the names that speak, when most of the texts are speech (`**Ana:** ...`), else nothing."""
    names = Counter(found[1] for text in texts if (found := _NAME.match(text)))
    common = names.total() > _SPEAKERS * len(texts)
    return frozenset(name for name, count in names.items() if common and count > 1)


def is_speech(text: str, names: frozenset[str] = frozenset()) -> bool:
    """True for a line of a conversation: somebody's words, not the author's record."""
    found = _NAME.match(text)
    return bool(_SPEECH.search(text)) or bool(found and found[1] in names)


def text_kind(text: str, section: str = "", *, checked: bool | None = None) -> str:
    """Return the kind of a paragraph or list item that stands under a heading of kind `section`."""
    bare = _DECORATION.sub("", text, count=1)
    if checked is not None:
        return "change" if checked else "task"
    if "~~" in text[:4]:
        return "change"
    if label := label_kind(text):
        if label == "insight":
            return _lesson(bare)
        if label == "status":
            return _first(bare, (("thread", _THREAD), ("task", _TASK))) or section or "note"
        return section if label == "change" and section else label
    if _STAMP.match(bare):
        return "note"
    if section == "task":
        return _first(bare, (("question", _QUESTION), ("thread", _THREAD))) or ("question" if _asks(bare) else "task")
    if section == "insight":
        return _lesson(bare)
    if section and section not in _PROSE_KINDS:
        return section
    if _asks(bare):
        return "question"
    head = bare if len(bare) <= _LONG else bare[: _LONG // 2]
    if section == "change":
        return _first(head, (("decision", _DECISION), ("task", _TASK), ("decision", _CHOICE))) or "change"
    return _first(head, _PHRASES) or section or "note"


def chooses(text: str) -> bool:
    """True if a text says that a choice was made."""
    return bool(_DECISION.search(text))


def _lesson(text: str) -> str:
    """Return what a lesson is: a rule for later work, a choice, or an insight."""
    found = _first(text, (("decision", _DECISION), ("constraint", _CONSTRAINT)))
    rule = "constraint" if len(text) < _LONG and _RULE.search(text) else ""
    return found or rule or ("decision" if _CHOICE.search(text) else "insight")


def _asks(text: str) -> bool:
    """True if the text ends in a question that nothing after it answers."""
    tail = text.rstrip(" *_`\"'”’)]")
    return tail.endswith(("?", "？"))  # noqa: RUF001


def _first(text: str, table: tuple[tuple[str, re.Pattern[str]], ...]) -> str:
    return next((kind for kind, pattern in table if pattern.search(text)), "")
