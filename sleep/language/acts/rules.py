"""Rules: sentences by which a person lays down what holds from then on, not only for the work at hand.

Owns the forms: an imperative that never ends (`Never push to main`), a prohibition of something as a whole (`please
don't touch anything in vendor/`), a demand that returns (`before every commit`), a leave that has to be asked, and what
is forbidden. Refuses requests (`the button must be blue`), turns of speech (`never mind`), what holds for now, what is
asked, and all that somebody does or did (`I always forget`).
"""

from __future__ import annotations

import re

from sleep.language.acts.phrase import either

# What opens a sentence and says nothing of what it is.
_LEAD = re.compile(
    r"(?i)^(?:[\W\d_]*(?:also|and|but|oh|ok|okay|so|then|btw|by the way|ps|p\.s|hi|hey|yes|no|well"
    r"|one more thing|another thing"
    r"|note|important|remember|reminder|again|thanks|thank you|great|sure|finally|first|plus|too|in general"
    r"|generally)\b[,.:;!—–-]*\s+)+"
)
_POLITE = r"(?:please,? |pl[sz],? |kindly |bitte )?"
_BASE = r"(?!\w+(?:ing|ed|ly)\b)[a-z]{2,}"
# With these `never` and `always` say how things are, or nothing at all.
_TURNS_OF_SPEECH = (
    r"(?!mind\b|ever\b|again\b|the\b|an?\b|my\b|your\b|in\b|at\b|on\b|been\b|had\b|has\b|was\b|is\b|got\b"
    r"|saw\b|seen\b|heard\b|great\b|good\b|nice\b|say never\b|knew\b|know\b|a pleasure\b|happy\b|glad\b"
    r"|works?\b|worked\b|fails?\b|happens?\b|happened\b|gets?\b)"
)
_MENTAL = (
    r"(?:worry|mind|bother|forget|panic|hesitate|think|know|understand|care|believe|see|like|want|need|feel"
    r"|remember|get|be"
    r"|have|stop|give|guess|sweat|rush|wait|hurry|expect|hate|trust me|tell me|do|go|make me|let|look"
    r"|ask me why|take|say|hold)"
)
_WHOLE = (
    r"\b(?:any|anything|anyone|anybody|anywhere|ever|every|everything|all|at all|no matter|without|unless"
    r"|directly|under|again without)\b"
)
# What is not to be done to a thing: touch it, let it out, bring something in.
_PROTECTS = (
    r"(?:touch|change|edit|modify|delete|remove|rename|break|rewrite|overwrite|push|commit|merge|deploy"
    r"|publish|release|use"
    r"|install|introduce|depend|store|send|share|expose|mock|disable|bump|upgrade|reformat|squash|rebase"
    r"|force|amend|alter|drop)"
)
_NOT = r"(?:don['’]?t|do not|dont)"
_DEICTIC = r"(?!\s+(?:it|that|this|these|those|them|so|me|us|yet|again|here|now|the last|the above)\b)"
_RECURS = (
    r"(?:(?:before|after|on|at|with|for|in|during) (?:every|each|any) |every time |each time |whenever |any ?time )"
)

RULE = either(
    # An imperative without an end.
    rf"^{_POLITE}(?:never|always) {_TURNS_OF_SPEECH}{_BASE}",
    rf"^{_POLITE}(?:make sure (?:to|you)|be sure to|remember to|ensure (?:to|you|that you)) (?:never|always) {_BASE}",
    rf"^{_POLITE}{_NOT} ever {_BASE}|^{_POLITE}{_NOT} (?!{_MENTAL}\b){_BASE}\b.{{0,160}}{_WHOLE}",
    rf"^{_POLITE}{_NOT} {_PROTECTS}\b{_DEICTIC} \S",
    rf"^{_POLITE}(?:only ever|under no circumstances|on no account|at no time|in no case)\b",
    # What all have to do, or must not.
    r"\b(?:you|we|it|they|agents?|everyone|nobody|code|tests?|commits?|[a-z]+s) (?:must|should"
    r"|shall) (?:never|always|only ever) "
    r"(?!happen|occur|have|had|been|need\b|get here|reach|fail|work)[a-z]{2,}",
    r"\b(?:must|should) (?:never|always) (?!happen|occur|have|had|been|need\b|get here|reach|fail|work)[a-z]{2,}",
    rf"^{_POLITE}we (?:never|always) (?!got|get|see|saw|had|have|need|wanted|end|ended|run into|fail"
    rf"|forget)(?!\w+ed\b)[a-z]{{2,}}",
    r"\b(?:we|you) should (?:be )?(?:only )?(?:use|using|keep|keeping|prefer|preferring|write|writing|avoid"
    r"|avoiding)\b.{2,160}"
    r"\b(?:everywhere|wherever|throughout|always|for (?:all|every|any)|in (?:all|every)|across)\b",
    r"\b(?:is|are) (?:strictly )?(?:forbidden|prohibited|off[- ]limits|not allowed|not permitted"
    r"|non-negotiable|mandatory)\b|\bno exceptions\b",
    # What holds from a time on, or comes again.
    r"\b(?:from now on|from here on|going forward|from today on|henceforth|in (?:the )?future,"
    r"|for all future|as a (?:general )?rule)\b",
    rf"^{_POLITE}{_RECURS}.{{2,80}}, ?(?:please |you (?:must|should) |always )?(?!i\b|it\b|we\b|the\b|he\b"
    rf"|she\b|they\b|there\b|this\b|that\b)[a-z]{{2,}} \S",
    rf"^{_POLITE}(?:run|use|ask|check|add|update|write|keep|make|rebase|format|test|lint|commit|push|verify"
    rf"|start|end|log|document|tell|show|bump|tag|review)\b"
    rf".{{2,120}}\b(?:before|after|on|at|with|for|in) (?:every|each) \w+",
    rf"^{_POLITE}{_RECURS}(?:[\w./-]+ ){{1,4}}(?:please |always |you (?:must|should) )?(?:run|use|ask|check|add"
    r"|update|write|rebase|format|test|lint|commit|push|verify|start|log|document|bump|tag|review)\b \S",
    # What needs leave.
    r"\b(?:without asking(?: me| us| first|$|[.,;])|without (?:my|our|explicit|prior|written) \w+|(?:ask"
    r"|check with) (?:me|us) (?:first|before)\b)",
    rf"^{_POLITE}no (?:new |more |other |external )?[\w./-]+(?: [\w./-]+)? (?:without|unless|ever|anywhere"
    rf"|in production|by default)\b",
    r"^i (?:always |strongly |really )?prefer\b.{2,120}\b(?:to|over|instead of|rather than)\b",
    # The same, more thinly, in other languages.
    r"^(?:bitte )?(?:niemals|nie wieder|auf keinen fall|immer|stets) \w+|\b(?:ab (?:jetzt|sofort)|künftig"
    r"|in zukunft)\b|\b(?:ist|sind) (?:verboten|tabu)\b"
    r"|\b(?:darf|dürfen|darfst) (?:niemals|nie|auf keinen fall)\b",
    r"^(?:por favor,? )?(?:nunca|jam[áa]s|siempre) \w+|\ba partir de ahora\b|\b(?:est[áa] prohibido"
    r"|prohibido|proibido)\b",
    r"^(?:ne \w+ jamais|n['’]\w+ jamais|toujours \w+)|\bdorénavant\b|\b(?:est|sont) interdite?s?\b",
    r"^(?:пожалуйста,? )?(?:никогда не|всегда )|\bнельзя\b|запрещено|не трогать",
    r"禁止|严禁|切勿|请勿|务必|永远不要|永不|今后(?:都|不|要|请)|必ず|厳禁|してはいけない|してはならない|しないこと|今後は|반드시|금지|절대",
)
# What holds for the moment, or is no rule whatever it looks like.
_PASSES = either(
    r"\b(?:for now|for the moment|at the moment|right now|just now|this time|today|tonight|for this (?:one"
    r"|commit|pr|change|task|run)"
    r"|in this (?:commit|pr|change|session|fork|branch)|yet)\b",
    r"\b(?:i|you|he|she|it|they) (?:\w+ )?(?:never|always) (?:forget|forgot|knew|know|thought|wanted|liked"
    r"|loved|get|got|see|saw|have|had|wonder)\b",
    r"\bvorerst\b|\bfürs erste\b|暂时|とりあえず|今回は",
)
_ASKED = re.compile(
    r"(?i)^(?:can|could|would|will|do(?! not\b)|does|did|should|shall|may|might|why|how|what|who|where|which|is|are"
    r"|was|were|have|has|if we|i wonder)\b"
)
# A rule that is said in the same breath as something else: `fix it, and please never touch vendor/`.
_CLAUSE = re.compile(
    r"(?i)(?:[,;] (?:and |but |also |so )*(?=(?:please |pl[sz] )(?:never|always|don['’]?t|do not|only ever)\b)"
    r"|[,;] (?:and|but) (?:also )?(?=(?:never|always|don['’]?t|do not) \w)"
    r"|[,;] (?=(?:never|always) \w+ \w)| [—–-]+ (?=(?:please |also )?(?:never|always|don['’]?t|do not) \w))"
)


def is_rule(said: str) -> bool:
    """True for a person's sentence that lays down a rule, or has one for a clause; quotations in it are blanked."""
    return bool(_rule(said))


def begins(said: str) -> int:
    """Return where the rule begins in a sentence that has one: behind what only leads to it."""
    return found[0] if (found := _rule(said)) else 0


def _rule(said: str) -> tuple[int] | None:
    starts = [found.end() if (found := _LEAD.match(said)) else 0]
    starts += [found.end() for found in _CLAUSE.finditer(said)]
    for start in starts:
        part = said[start:]
        if not _ASKED.match(part) and not _PASSES.search(part) and RULE.search(part) and not _is_request(part, start):
            return (start,)
    return None


def _is_request(part: str, start: int) -> bool:
    """True where what looks like a rule stands in a question."""
    return not start and part.rstrip(" *_`\"')").endswith(("?", "？"))
