"""The cues of speech: the phrases by which a text says, without a label, what kind of idea it is.

Owns the grammar of decisions taken, rules given, questions left open and work not finished, in English and, more
thinly, in other languages. Refuses to name a project, a product or a person, and to decide which table counts where:
that is `extract`'s. Patterns are searched in short texts only (see `extract`).
"""

from __future__ import annotations

import re

from sleep.language.acts.cues import Cue
from sleep.language.acts.phrase import either

_I = re.IGNORECASE

# Base forms that open a command. Those that are as often a noun or a participle count only before a determiner.
_COMMANDS = (
    "use|verify|ensure|avoid|keep|create|reply|add|remove|write|choose|prefer|skip|stop|apply|convert|treat"
    "|extract|identify|distinguish|include|exclude|leave|make|rename|replace|validate|wait|ask|confirm|compare"
    "|define|delete|deploy|disable|enable|generate|implement|install|invoke|maintain|migrate|notify|prevent"
    "|rebase|re-?run|refactor|reject|rely|remember|reuse|rotate|send|separate|specify|squash|strip|substitute"
    "|investigate|revisit|fall back|clean up"
)
_UNSURE = (
    "run|read|put|let|set|test|build|design|check|review|plan|cache|log|process|report|document|monitor|fix|store"
    "|start|open|show|merge|commit|push|update|upgrade|trust|wrap|follow|find|focus|import|pin|quote|checkpoint"
    "|restart|measure|try|call|pass|take|give|get|share|track|handle|return|split|save|watch|mark|mock|move|turn"
    "|switch|ship|expect|scan|consider|complete|finish|finali[sz]e"
)
_DETERMINER = (
    r"(?= (?:the|an?|all|any|each|every|both|this|that|these|those|your|our|its?|them|only|existing|new"
    r"|more|whether|if|for|on"
    r"|first|full|actual|with)\b| [`\"'<*])"
)
_LEAD = "(?:(?:always|never|actively|explicitly|also|just|instead|then|please) )?"
_COMMAND = rf"{_LEAD}(?:(?:{_COMMANDS})\b(?! by\b)|(?:{_UNSURE})\b{_DETERMINER})"
_ANY_COMMAND = rf"{_LEAD}(?:{_COMMANDS}|{_UNSURE})\b(?! by\b)"
_PEOPLE = r"(?:users?|owners?|customers?|clients?|humans?|boss|team|operator|maintainers?)"

# A question that the text below answers with the grounds of a choice.
JUSTIFIES = either(r"^\W*why (?:not|we (?:chose|use|went)|\w+ (?:over|instead|rather))\b", r"^\W*为什么(?:不|选)")
# An offer is asked out of politeness: no answer is an answer too.
OFFER = either(
    r"^\W*(?:(?:so|and|or|ok|okay|also|then)[, ]+)?(?:do you )?(?:want|need) (?:me|us) to\b",
    r"\b(?:would you like|would you prefer|should we|do you want)(?: me| us)? to (?:proceed|continue|go ahead|start"
    r"|also|add|run|push|commit|write|fix|open|create|draft|do)\b|^\W*would you like\b",
    r"^\W*(?:(?:so|and|or|ok|okay|also|then)[, ]+)?shall (?:i|we)\b",
    r"^\W*should i (?:go ahead|proceed|continue|start|do (?:it|that|this|so)|also|push|commit|open|draft)\b",
    r"^\W*(?:anything else|ready (?:to|for)\b.{0,40}|sounds? good|does (?:that|this) (?:work|sound|look|make sense)"
    r"|is (?:that|this) (?:ok|okay|fine|good)|(?:may|can|could) i (?:help|proceed|go ahead|assist)|how can i help)\b",
    r"要不要我|需要我|要我.{0,12}吗|可以继续吗|しましょうか|할까요",
    r"^\W*(?:soll ich|m[öo]chte(?:st du|n sie)|willst du, dass ich|veux-tu que|voulez-vous que|souhaite[sz]"
    r"|quieres que|desea que|quer que|vuoi che|хочешь, (?:чтобы )?я|хотите, (?:чтобы )?я|мне )",
)
QUESTION = either(
    r"\b(?:unclear|undecided|undetermined|to be (?:decided|determined|confirmed|clarified)|tbd)\b",
    r"\bunknown(?=[.,;:)]|$| (?:why|whether|if|how|what|when|which|at)\b)",
    r"\b(?:decision|choice|answer) (?:is )?(?:still )?(?:pending|open|outstanding)\b|^\W*unresolved\b",
    r"\b(?:has|have) yet to be (?:made|decided|determined)",
    r"\bneed(?:s|ed)? to (?:figure out|find out|decide|determine|clarify)\b",
    r"\b(?:consider|decide|deferred|awaiting|asked|confirm|deciding|revisit|evaluate|wondering"
    r"|investigate|check|know)\b[^.]{0,60}\bwhether\b",
    r"\bopen question\b|\b(?:we|i) (?:wonder|don'?t know)\b|\bremains to be seen\b",
    r"\bnot (?:yet )?(?:decided|answered|clear|known|understood)\b(?! about)",
    r"\bthere may be further work\b",
    r"不确定|不清楚|不明确|待确认|待定|尚未(?:决定|确定|明确)|未定|不明(?:点|だ|。|$)|要検討|要確認"
    r"|でしょうか|미정|불명확|확인 필요",
    r"\b(?:unklar|ungekl[äa]rt|pas clair|[àa] (?:confirmer|d[ée]terminer)|no est[áa] claro|por (?:definir"
    r"|confirmar|decidir)|a (?:definir|confirmar))\b",
    r"неясно|непонятно|под вопросом|не решено",
)
DOUBT = either(
    r"\b(?:i'?m |am |are |we'?re )?not (?:entirely |quite |really |fully )?(?:sure|convinced|certain)\b",
    r"\b(?:i|we) (?:suspect|doubt)\b",
    r"\b(?:may|might|could) (?:well )?(?:be (?:wrong|fragile|incorrect|a mistake|silently)|cause \w+"
    r"|have (?:broken|missed))\b",
    r"\b(?:feels?|felt|seems?|looks?) (?:wrong|fragile|off|suspicious|brittle|hacky)\b",
    r"\b(?:suspicious|questionable|uncertain)\b(?!-)",
    r"\bpossible \w+ (?:\w+ )?(?:bug|leak|race|regression|issue|problem|cause)\b|\bpossibly (?:wrong|broken|stale)\b",
    r"可能有问题|可疑|存疑|怀疑|不太确定|怪しい|不安|의심|nicht sicher|pas s[ûu]r|no estoy segur|n[ãa]o tenho certeza"
    r"|не уверен",
)
DECISION = either(
    r"\b(?:we|i|they|user|team|you)(?: have| has| had|'ve)?(?: also| all| both)? (?:decided|chose|chosen"
    r"|opted|agreed|settled|elected)\b",
    r"\b(?:was |were )?decided (?:to|on|against|not|that|in favou?r)\b|^\W*decided\b",
    r"\bdecision(?: was)?(?: made)?(?: to|:)(?! be)",
    r"\b(?:chose|choosing|chosen|opted for|opting for|settled on|going with|went with|sticking with"
    r"|agreed (?:to|on|that))\b",
    r"\b(?:picked|preferred|selected) .{2,60} (?:over|instead of|rather than)\b",
    r"\bin favou?r of\b|\b(?:adopted|standardi[sz]ed on|pivoted to|reverted to|dropped support)\b",
    r"\b(?:\w+'s|explicit|user) (?:explicit )?(?:instruction|decision|choice|verdict)\b",
    r"\b(?:v\d |our |the |new )?approach is to\b",
    r"\bwe (?:will|shall|won'?t|are going to) (?:not )?(?:use|adopt|go|keep|move|remove|split|replace"
    r"|build|store|run|stick|change)\b",
    r"\b(?:skip|defer|drop|postpone)(?:ped|red)? .{2,60}(?:because|since|—|for now)",
    r"\bswitch(?:ed|ing) (?:from .{2,40} )?to\b.{0,80}\b(?:because|since|so that|due to|to avoid)\b|^\W*switched to\b",
    r"\b(?:reduced|raised|lowered|changed|increased) from .{1,30} to .{1,80}\b(?:because|to balance|to avoid|since)\b",
    r"\b(?:design|key|explicit) (?:decision|choice)\b",
    r"\b(?:explicitly |was |were |been |— )(?:rejected|discounted|vetoed)\b|\brejected (?:as|because"
    r"|in favou?r|since|—|[(,;])|\brejected$",
    r"\b(?:confirmed|approved|signed off)(?::| on\b| (?:yes|that we|to)\b)",
    r"\b(?:is|are) now the (?:\w+ )?(?:path|way|default|standard|approach|source|method|convention)\b",
    r"\b(?:accept|accepted) (?:the|this|that) (?:\w+ )?(?:risk|trade-?off|cost|limitation)\b",
    r"决定|选择了|改用|采用|选用|敲定|拍板|不再使用|弃用|放弃(?:使用|了)|に決定|ことにした|することに決"
    r"|を採用|を選択|を選んだ|見送|하기로|결정했|채택",
    r"\b(?:entschieden|beschlossen|d[ée]cid[ée]s?|avons choisi|opt[ée] pour|decidimos|decidi(?:do|ó)?"
    r"|elegimos|optamos|escolhemos|abbiamo (?:deciso|scelto))\b",
    r"\bрешил[иа]?\b|решено|выбрали",
)
# A change from one thing to another is a choice too, but reports are full of them: it counts after all else.
CHOICE = either(
    r"\b(?:changed|moved|switched|migrated|reduced|raised|lowered|bumped)\b.{0,60}\bfrom\b.{1,60}(?:\bto\b|→|->)",
    r"\*\*old:?\*\*.{1,200}\*\*new:?\*\*",
    r"\b(?:re-?prioriti[sz]ed|repositioned)\b",
)
# A rule that was given is a rule, also in a list of what was done.
_ADOPTED = (
    r"\b(?:rules?|protocol|policy|guidelines?) (?:was |were )?(?:added|introduced|adopted)\b",
    r"\badded (?:\S+ ){0,4}(?:rule|policy|guideline)s?\b|\bmandatory .{3,60}\badded\b",
)
ADOPTED = either(*_ADOPTED)
CONSTRAINT = either(
    r"^(?:always|never|must|avoid|ensure|prefer|make sure|remember to)\b",
    r"^only (?:use|run|do|commit|when|if|after|via|ever)\b|^only .{2,60} (?:can|may|should|must)\b",
    r"(?:^|[.;:,—–(!\"] ?|\b(?:please|pl[sz]|and|but|so|then|-) )\**(?:do not|don'?t) (?!know|think|need|have|see)\w+",
    r"\bmust(?: not| never| always| only| first)? (?!have been|be (?:a|the|some)\b|sleep\b)(?:be |go |use |run |\w+)",
    r"(?<!was )(?<!were )(?<!has )(?<!had )(?<!is )(?<!are )(?<!have )\bnever (?!\w+ed\b|\w+[^s]s\b|sent"
    r"|got|had|been|ran|saw)\w+",
    r"(?<!was )(?<!were )(?<!has )(?<!is )(?<!are )(?<!have )\balways (?!\w+ed\b|\w+[^s]s\b|been|had|the\b|a\b)\w+",
    r"\b(?:mandatory|forbidden|prohibited|not permitted|off[- ]limits|non-negotiable|no exceptions)\b|\b(?:is"
    r"|are) not allowed\b",
    r"\bwithout (?:explicit |asking|permission|approval|confirmation|prior )\w*|\brequires? (?:explicit"
    r"|prior|written|manual) \w+",
    r"\b(?:ask|check with) (?:\w+ )?(?:first|before)\b",
    r"\bat (?:most|least) \d",
    r"\bno more than \d",
    r"^max(?:imum)? \d",
    r"\bonly (?:when|if|after|via|through)\b",
    r"\b\d+[- ]?(?:s|ms|min(?:ute)?s?|h(?:our)?s?|days?|%|[KMG]B)\b.{0,12}\b(?:max(?:imum)?|min(?:imum)?"
    r"|cooldown|limit)\b",
    r"\b(?:pl[sz]|please) (?:always |never |do not |don'?t |only )?(?:use|keep|ask|avoid|stop)\b",
    r"\b(?:cannot|can't) be \w+ed (?:to|in|without|due|unless)\b",
    r"\bshould (?:never|always|only|not|be rare)\b",
    rf"\b{_PEOPLE} (?:strongly |explicitly |always )?(?:prefers?|insists?|dislikes?|hates?|wants? \w+ to)\b"
    rf"|\b(?:is|are) preferred\b|\bpreferred (?:when|if|for)\b",
    *_ADOPTED,
    r"^(?:no|read-only) .{3,40}\b(?:by default|except)\b|\bsubject to approval\b",
    r"\bfrom now on\b|\bgoing forward\b|\bunder no circumstances\b",
    r"必须|必須|不要|禁止|不得|务必|一定要|只能|永远不|永不|切勿|严禁|不允许|请勿|不可以|必ず|しないこと"
    r"|してはいけない|してはならない|厳禁|べき(?:で|だ|$|。)",
    r"반드시|금지|절대|하지 ?(?:말|마)|항상 ",
    r"\b(?:d[aü]rf(?:en)? (?:nicht|nur|niemals)|niemals|auf keinen fall|muss immer|m[üu]ssen immer|nie wieder)\b",
    r"\b(?:ne jamais|ne (?:doit|doivent|faut) (?:pas|jamais)|il faut toujours|toujours (?:utiliser|v[ée]rifier"
    r"|demander)|interdit)\b",
    r"\b(?:nunca|jam[áa]s|siempre (?:hay que|usar|debe)|prohibido|proibido|no se (?:debe|puede)|n[ãa]o (?:pode"
    r"|deve)|deve sempre|sempre usar|mai (?:usare|fare))\b",
    r"никогда|нельзя|запрещ|обязательно|не трогать",
)
# A rule only where lessons stand: a command that opens a sentence or answers a condition, or what should be.
_ENUMERATOR = r"(?:\**\(?\d[.)] ?)?\**"
RULE = either(
    rf"(?:^|(?<=[.;:!] )|(?<=[—–] )|(?<=[.:;!] \*\*)){_ENUMERATOR}{_COMMAND}"
    rf"|\b\d\) {_COMMAND}"
    r"|\b(?:should (?!still|have|now|already)|must (?!have)|has to be|have to (?:be|go)|needs? to (?:be"
    r"|stay|go)|needs grounding|needs? an? )"
    r"|\bconvention is to\b|\b(?:is|are) preferred\b|\bneeds? \d|\brequires? (?:explicit|two)\b",
)
CONDITION = either(
    rf"^\W*(?:\*\*[^*]{{1,60}}\*\* *)?(?:when(?:ever)?|if|before|after|for|to|once|while|in) "
    rf"[^.?!]{{3,160}}?[,:] {_ENUMERATOR}{_ANY_COMMAND}",
)
COMMANDED = either(rf"^\W*{_COMMAND}")
RULE_WORDS = either(
    r"需要|应该|应当|要先|避免|确保|建议|永不|永远|保持|警惕|すること|べき|必要|ように(?:する)?$|해야"
    r"|필요|devem?os?|debe|doit|soll(?:te)?|должн|нужно"
)
THREAD = either(
    r"\b(?:in progress|under ?way|ongoing|wip|work in progress|to be continued)\b",
    r"\b(?:prs?|mrs?|pull requests?|merge requests?|branch|release|migration|rollout|project|phase|deploy\w*)\b"
    r".{0,60}\b(?:awaiting|waiting (?:for|on))\b",
    r"\bstill (?:pending|open|running|in draft|paused|waiting|under|downloading|training|building)\b",
    r"\b(?:paused|on hold)\b(?! until we)",
    r"\bphase \d+ (?:of|/) ?\d+\b",
    r"\bopen prs?:? #\d|\bprs? #\d+\b.{0,30}\b(?:is |are )?(?:still )?(?:open|in draft|draft|under review|awaiting)\b",
    r"\b\d{1,2}% (?:done|complete)|\b\d+/\d+.{0,6}[(（]\d{1,2}%|[(（]\d{1,2}%[)）][、，]",
    r"\b(?:currently|in the process of|in the middle of) \w+ing\b|\bbeing (?:actively "
    r"|currently )?(?:managed|worked|developed|migrated|investigated|reviewed)\b",
    r"\bfuture continuation\b|\bpartial(?:ly)? (?:complete|done|implemented|finished)\b",
    r"^\W*(?:downloading|migrating|waiting|working on|investigating|training|processing|rolling out)\b|\b(?:queued"
    r"|spawned to)\b|\bat last check\b",
    r"\bready (?:for|to) (?:review|merge)\b|\b(?:implementation|review|merge|deploy)[- ]ready\b",
    r"[⏸🔄🚧]|进行中|已暂停|活跃项目|正在(?:进行|开发|迁移|下载|处理)|進行中|作業中|対応中|調査中|保留中"
    r"|진행 ?중|보류 ?중|대기 ?중",
    r"\b(?:in arbeit|l[äa]uft noch|wartet auf|pausiert|en cours|en pause|en curso|en progreso|en pausa"
    r"|a la espera|em andamento|pausad[oa]|aguardando)\b",
    r"в работе|в процессе|приостановлен|ждём|ждем",
)
TASK = either(
    r"\b(?-i:TODO|FIXME)\b(?!\.\w)|^\W*to-?do\b(?=[:：])",
    r"\bnext(?: step| check| up| session)?:",
    r"(?<!would )(?<!will )(?<!'d )(?<!so they )\b(?:still |also )?needs? to (?:be )?\w+",
    r"\bneeds? (?:fresh|a fix|fix(?:ing|es)?\b|testing|review|work|investigation|cleanup|re-?\w+)\b",
    r"\b(?:re-?\w+|follow[- ]?up|fix|review|testing|action|cleanup|investigation) (?:is "
    r"|are )?(?:still )?(?:needed|required)\b",
    r"\bnot (?:yet )?(?:been )?(?:published|done|implemented|tested|deployed|merged|built|wired|finished"
    r"|set up|configured|started|verified|written|addressed"
    r"|resolved|sent|pushed)\b(?! (?:in|by|from))",
    r"\b(?:we|i|you|it|pr) (?:will|shall) (?:\w+ )?(?:need|have to|follow up|do later|convert)\b",
    r"\bremains? to be\b|\bleft to (?:do|be done)\b",
    r"\bto be (?:done|implemented|fixed|added|migrated|written)\b",
    r"\b(?:awaiting|pending) (?:\w+ )?(?:review|approval|merge|input|response)\b|(?<=\S )\(?pending\b(?! (?:tasks"
    r"|items|migration))",
    r"[—–-] (?:monitor|rotate|fix|check|verify|investigate|re-?test|re-?run|clean up|revisit|follow up)\b.{0,40}$",
    r"^\W*also (?:update|add|fix|check|remove|test|move|rename|document)\b",
    r"⏳|需要(?!时间)|待(?:处理|解决|修复|完成|优化|补充|测试|验证|部署)|还没|尚未|还需|が必要|未対応"
    r"|未実装|残って|する予定|해야|필요|예정",
    r"\b(?:muss noch|m[üu]ssen noch|zu erledigen|ausstehend|reste [àa]|il faut encore|[àa] (?:corriger"
    r"|impl[ée]menter|tester)|falta[nm]?|por hacer|pendientes?|pendentes?)\b",
    r"осталось|нужно|надо ",
)
# What is left to do, said so plainly that it counts among lessons too.
LEFT = either(
    r"\b(?-i:TODO|FIXME)\b(?!\.\w)",
    r"\b(?:re-?\w+|follow[- ]?up|fix|review|testing|cleanup) (?:is |are )?(?:still )?needed\b\.?$",
    r"待(?:处理|解决|修复|完成)|需要后续",
)
TONE = either(
    r"\b(?:i|it|this|that) (?:felt|feels)\b",
    r"\b(?:i was|i'm|i am|was) (?:surprised|frustrated|excited|worried|proud|relieved|delighted|annoyed)\b",
    r"\b(?:surprisingly|frustrating|satisfying|delightful)\b",
)
DEAD_END = either(
    r"\btried\b.{2,120}\b(?:but|didn'?t|did not|fail\w*|no luck|without success)\b",
    r"\b(?:did ?n[o']t|does ?n[o']t) work because\b",
    r"\b(?:dead end|gave up|abandoned the (?:idea|approach)|ruled out)\b",
)
INSIGHT = either(
    r"\b(?:learned|learnt|turns out|root cause|key insight|discovered that|found that|lesson|the trick"
    r"|gotcha|realised|realized)\b",
    r"根本原因|教训|わかった|判明|알게",
)
RELATION = either(r"\b(?:depends on|connects? to|talks to|is used by|are used by|wraps|feeds into|built on top of)\b")
CHANGE = either(
    r"^(?:[✅☑✔] *)?(?:added|fixed|created|updated|implemented|removed|renamed|merged|deployed|committed"
    r"|pushed|refactored|"
    r"wrote|moved|installed|built|completed|published|ran|bumped|migrated|replaced|deleted|configured"
    r"|enabled|cleared|verified|closed|"
    r"resolved|tested|sent|cleaned|restarted|disabled|upgraded)\b(?!:)",
)
# Phrases in order of what must not be missed.
PHRASES: tuple[Cue, ...] = (
    Cue("question", QUESTION),
    Cue("doubt", DOUBT),
    Cue("decision", DECISION),
    Cue("constraint", CONSTRAINT),
    Cue("dead end", DEAD_END),
    Cue("thread", THREAD),
    Cue("task", TASK),
    Cue("decision", CHOICE),
    Cue("constraint", CONDITION),
    Cue("tone", TONE),
    Cue("change", CHANGE),
    Cue("insight", INSIGHT),
    Cue("relation", RELATION),
)
