"""The cues by which extraction tells what kind of idea a text is: tables of patterns, and nothing else.

Owns words: headings, labels and phrases, by kind, in English and, more thinly, in other languages. A cue names a form
of speech (a decision taken, a rule given, a question left open), never a project, a product or a person. Refuses to
decide which table counts where: that is `extract`'s. Patterns are searched in short texts only (see `extract`).
"""

from __future__ import annotations

import re
from typing import NamedTuple

_I = re.IGNORECASE


class Cue(NamedTuple):
    """A kind of entry and what tells it."""

    kind: str
    pattern: re.Pattern[str]


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), _I)


# Base forms that open a command. Those that are as often a noun or a participle count only before a determiner.
_COMMANDS = (
    "use|verify|ensure|avoid|keep|create|reply|add|remove|write|choose|prefer|skip|stop|apply|convert|treat|extract|identify"
    "|distinguish|include|exclude|leave|make|rename|replace|validate|wait|ask|confirm|compare|define|delete|deploy|disable"
    "|enable|generate|implement|install|invoke|maintain|migrate|notify|prevent|rebase|re-?run|refactor|reject|rely|remember"
    "|reuse|rotate|send|separate|specify|squash|strip|substitute|investigate|revisit|fall back|clean up"
)
_UNSURE = (
    "run|read|put|let|set|test|build|design|check|review|plan|cache|log|process|report|document|monitor|fix|store|start|open|show"
    "|merge|commit|push|update|upgrade|trust|wrap|follow|find|focus|import|pin|quote|checkpoint|restart|measure|try|call|pass|take|give|get"
    "|share|track|handle|return|split|save|watch|mark|mock|move|turn|switch|ship|expect|scan|consider|complete|finish|finali[sz]e"
)
_DETERMINER = (
    r"(?= (?:the|an?|all|any|each|every|both|this|that|these|those|your|our|its?|them|only|existing|new|more|whether|if|for|on"
    r"|first|full|actual|with)\b| [`\"'<*])"
)
_COMMAND = rf"(?:(?:always|never|actively|explicitly|also|just|instead|then|please) )?(?:(?:{_COMMANDS})\b(?! by\b)|(?:{_UNSURE})\b{_DETERMINER})"
_ANY_COMMAND = (
    rf"(?:(?:always|never|actively|explicitly|also|just|instead|then|please) )?(?:{_COMMANDS}|{_UNSURE})\b(?! by\b)"
)
_PEOPLE = r"(?:users?|owners?|customers?|clients?|humans?|boss|team|operator|maintainers?)"
_ZH_PEOPLE = "(?:主人|用户|使用者|老板|客户|团队)"

# Headings, trimmed of numbering, dates, emoji and brackets; the first that matches wins. `note` says that nothing above holds.
HEADINGS: tuple[Cue, ...] = (
    Cue(
        "note",
        _any(
            r"^(?:roll-?back|fallback|contingency|back-?up|disaster recovery) plan\b",
            r"^(?:success|test|acceptance) (?:metrics|criteria|cases|results)\b",
            r"^(?:no|0|zero) \w+",
        ),
    ),
    Cue(
        "question",
        _any(
            r"^(?:[\w-]+ ){0,2}questions(?: (?:for|to|about|left|remaining|raised|on)\b.*)?$",
            r"^(?:open |unresolved |pending |outstanding )?question$",
            r"^(?:questions? )?(?:and|&|/|or) (?:open |unresolved )?questions?$",
            r"^(?:open )?(?:decisions?|choices?|approvals?) (?:needed|pending|required|to (?:make|be made))",
            r"^(?:pending|open|outstanding) (?:decisions?|choices?)$",
            r"^(?:un(?:knowns?|certaint(?:y|ies)|resolved|answered|decided|clear))\b(?! tasks?\b)",
            r"^(?:still )?(?:to be (?:decided|determined|clarified)|tbd|tbc)\b",
            r"疑问|待确认|待定|未决|未解決(?!.{0,4}バグ)|不明点|確認事項|要確認|질문|미해결|未解决的?问题|开放问题",
            r"^(?:offene )?fragen|^preguntas|^d[uú]das|^perguntas|^d[úu]vidas|^domande|вопрос",
        ),
    ),
    Cue(
        "decision",
        _any(
            r"^(?:[\w-]+ ){0,3}(?:decisions|choices)(?! (?:tree|process|support|makers?))\b",
            r"^(?:[\w-]+ ){0,2}decision(?: (?:made|taken|log|outcome|record|history|summary|and \w+))?$",
            r"^constraints? (?:&|and|/) decisions?$",
            r"^(?:what )?(?:we|i) (?:decided|agreed|chose)\b|^(?:agreements|resolutions|trade-?offs)(?: made)?$",
            r"决[定策]|決[定策]|选型|결정|^(?:decisión|decisiones|décisions?|decisão|decisões|decisioni)|^(?:getroffene )?entscheidung|beschl[uü]ss|решени|решили",
        ),
    ),
    Cue(
        "doubt",
        _any(
            r"^(?:\w+ )?(?:doubts?|worries)\b",
            r"^(?:open |my )?concerns?$",
            r"^(?:bedenken|doutes)|疑虑|担忧|懸念|우려|сомнени",
        ),
    ),
    Cue(
        "thread",
        _any(
            r"^(?:active|open|current|ongoing|paused|running|parallel) (?:\w+ )?(?:threads?|projects?|work|workstreams?|efforts?|streams?)\b",
            r"^(?:work )?(?:threads?|streams?)$|^workstreams?$",
            r"^(?:(?:currently|work|still) )?(?:in[ -](?:progress|flight)|under ?way)\b",
            r"^(?:on hold|paused|ongoing|wip|open (?:prs?|pull requests?|branches))$",
            r"^(?:已暂停|进行中|暂停|正在进行|当前项目)|進行中|作業中|진행 ?중|^in arbeit|^en cours|^en curso|^em andamento|^в работе",
        ),
    ),
    Cue("blocker", _any(r"^(?:\w+ )?(?:blockers?|blocked)\b", r"^阻塞|卡点|ブロッカー|^blockiert|^bloqu|^блокер")),
    Cue(
        "task",
        _any(
            r"^(?:[\w-]+ ){0,2}(?:to[- ]?dos?|backlog)\b",
            r"^(?:[\w-]+ )?next(?: \w+)? (?:steps?|actions?|tasks?|priorit\w+|moves?)\b",
            r"^(?:what'?s |up )?next\b(?! gen)",
            r"^(?:[\w-]+ ){0,2}(?:action|open|pending|outstanding|remaining|carry[- ]forward|carry[- ]?over|follow[- ]?up|unfinished|deferred) "
            r"(?:items?|tasks?|actions?|work|issues?|steps?|points?|threads? to close)\b",
            r"^(?:follow[- ]?ups?|pending|remaining|outstanding|open|later|deferred|parking lot|unfinished)$",
            r"^(?:(?:active|my|today'?s|tomorrow'?s|key|immediate|main|new|high[- ]priority) )?tasks$",
            r"^(?:what(?:'s| is) (?:left|missing|remaining|still open)|left to do|still open|not (?:yet )?done)\b",
            r"^(?:still )?(?:to (?:do|fix|implement|investigate)|needs? (?!grounding)\w+)\b",
            r"^before (?:\w+ ){1,3}(?:release|launch|trading|deploy\w*|merge)\b",
            r"\bawaiting (?:\w+ )?(?:review|approval|input|response|decision)$|^(?:waiting|awaiting) (?:on|for)\b",
            r"^(?:(?:test|action|work|migration|release|launch|rollout|follow[- ]?up|implementation|next) plan(?: prepared)?|plans? for \w+"
            r"|(?:[\w-]+ )?roadmap(?: \w+)?|tomorrow)$",
            r"待办|下一步|待处理|待完成|待修复|后续|等待|^需要|未完成|遗留|明日计划|发布计划|下一阶段|待辦",
            r"次のステップ|次回|残タスク|残課題|やること|今後の|다음 단계|다음 작업|할 일|남은 작업",
            r"^n[äa]chste schritte|^(?:offene )?aufgaben|^offene punkte|^noch offen|^prochaines? [ée]tapes?|^[àa] faire|^t[âa]ches",
            r"^pr[óo]ximos pasos|^pendientes?|^tareas|^por hacer|^pr[óo]ximos passos|^pend[êe]ncias|^tarefas|^a fazer|^prossimi passi|^da fare",
            r"следующие шаги|^задачи|что дальше|^осталось|^план",
        ),
    ),
    Cue(
        "constraint",
        _any(
            r"^(?:[\w-]+ ){0,2}(?:constraints?|rules?|policy|policies|guardrails?|invariants?|prohibitions?|conventions?)\b",
            r"^(?:[\w-]+ ){0,2}(?:principles|preferences|guidelines|best practices|standards|non-negotiables?|working agreements?)$",
            r"^(?:hard|security|safety|legal|compliance|privacy|non-functional) (?:requirements|limits?|rules)$",
            r"^(?:do not|don'?ts?|never|always|must)\b|^do'?s (?:and|&) don'?ts",
            r"^(?:ask first|hard limits?|limits|(?:coverage|quality) (?:targets?|gates?|bars?)|non-?goals|mitigations?)\b",
            r"规则|约束|原则|注意事项|最佳实践|规范|禁止|铁律|底线|規則|制約|ルール|注意点|方針|제약|규칙|원칙|주의",
            r"^regeln|^einschr[äa]nkungen|^vorgaben|^r[èe]gles|^contraintes|^reglas|^restricciones|^regras|^restri[çc]|^regole|^vincoli",
            r"правил|ограничени",
        ),
    ),
    Cue(
        "handoff",
        _any(
            r"^hand-?off\b",
            r"^(?:notes? )?for (?:the )?(?:next|my successor)",
            r"^note to (?:self|successor)|交接|引き継ぎ",
        ),
    ),
    Cue("tone", _any(r"^(?:tone|mood|feelings?|emotional)\b")),
    Cue("dead end", _any(r"^dead[- ]ends?\b", r"^(?:failed attempts?|what (?:did ?n[o']t|failed))\b")),
    Cue(
        "insight",
        _any(
            r"^(?:[\w&-]+ ){0,2}(?:insights?|learnings?|lessons?(?: learn\w+)?|findings?|takeaways?|gotchas?)\b",
            r"^what (?:i|we)(?:'ve)? learn|^root cause",
            r"经验|教训|发现|学习|心得|学び|教訓|気づき|知見|배운|교훈",
            r"^erkenntnis|^gelernt|^appris|^le[çc]ons|^aprendiza|^lecciones|^li[çc][õo]es|^выводы|^уроки",
        ),
    ),
    Cue("relation", _any(r"^(?:dependencies|relationships?|how \w+ (?:connect|fit))\b")),
    Cue(
        "change",
        _any(
            r"^(?:[\w-]+ ){0,2}(?:changes?(?: made)?|completed?|done|shipped|accomplish\w+|commits?|deliverables?|changelog)$",
            r"^(?:tasks? completed|(?:completed|finished|closed) \w+|files? (?:changed|modified|created)|what (?:was|got|shipped|changed|i did|we did))\b",
            r"^(?:summary|outcome|actions? (?:taken|performed))$",
            r"^(?:已)?完成|^已执行|実施内容|完了|완료|^erledigt|^hecho|^completado|^fait|^termin[ée]|^feito|^conclu[íi]do|^сделано|^готово",
        ),
    ),
)

# Labels (`**Label:** ...`), without what stands in brackets; matched whole.
LABELS: tuple[Cue, ...] = (
    Cue(
        "question",
        _any(
            r"(?:open |pending |unresolved |remaining )?questions?(?: for .+)?",
            r"(?:decisions?|choices?) (?:needed|pending|required|to (?:make|be made))",
            r"unknowns?|tbd|tbc|unresolved|unclear|(?:not yet|still to be) (?:decided|clear)|.*hypothes[ei]s",
            r"疑问|待确认|待定|要確認|質問|(?:offene )?fragen?|preguntas?|perguntas?|вопрос",
        ),
    ),
    Cue(
        "decision",
        _any(
            r"(?!not |no )(?:[\w-]+ ){0,2}(?:decisions?|decided|verdict|choice|chose|chosen|agreed|resolution)(?: made)?",
            rf"(?:最终)?(?:决[定策]|決[定策]|选择|结论)|{_ZH_PEOPLE}(?:建议|决定|选择|确认|拍板)|결정|decisión|décision|decisão|entscheidung|решение",
        ),
    ),
    Cue("doubt", _any(r"doubts?", r"uncertain(?:ty)?", r"concerns?|worry")),
    Cue(
        "constraint",
        _any(
            r"(?:[\w'-]+ ){0,3}(?:rules?|constraints?|policy|invariants?|guardrails?|requirements?|limits?|conventions?)(?: to .{1,30}| for .{1,30})?",
            r"lesson added|mitigations?|fix discipline|discipline|ask first(?: for)?|(?:do not|don'?t|never|always|must)(?: \w+){0,3}",
            r"(?:important|critical|warning|caution|note well|non-negotiable|hard limit|(?:\w+ )?preferences?|principle)",
            r"execute without permission for|token gotcha|correct (?:path|way|usage)",
            rf"规则|约束|原则|安全原则|注意|禁止|改进(?:措施)?|{_ZH_PEOPLE}(?:提醒|要求|警告|强调|规定)|ルール|制約|注意|規則|규칙|주의|правило|regeln?|r[èe]gles?|reglas?|regras?",
        ),
    ),
    Cue("blocker", _any(r"blockers?|blocked(?: by| on)?|阻塞|卡点")),
    Cue("change", _any(r"(?:to-?dos?|tasks?|actions?|items?|steps?) (?:done|completed?|finished|taken)")),
    Cue(
        "task",
        _any(
            r"to-?dos?|next(?: \w+){0,2}|(?:required |recommended |user )?actions?(?: items?| needed| required)?|follow[- ]?ups?|remaining|pending(?: \w+)?",
            r"plan|still (?:open|to do|needed)|left|tasks",
            r"下一步|待办|后续|待处理|待完成|(?:还)?需要.{0,8}|次回|残課題|次のステップ|다음|할 일|pendientes?|pr[óo]ximos? pas+os?|n[äa]chste schritte|[àa] faire|offen|todo",
        ),
    ),
    Cue(
        "thread",
        _any(
            r"active (?:threads?|projects?|work|tasks?|branch(?:es)?|prs?|issues?|focus)|current (?:focus|work|task|project)",
            r"in[- ]progress|in[- ]flight|ongoing|paused|on hold|wip|threads?|open (?:prs?|pull requests?|mrs?|branches)",
            r"进行中|暂停|活跃(?:任务|项目)|当前(?:任务|项目)|進行中|進捗|진행 ?중",
        ),
    ),
    Cue("dead end", _any(r"dead[- ]ends?|tried")),
    Cue("tone", _any(r"tone|mood|feeling|surprise|felt")),
    Cue("handoff", _any(r"hand-?off|for my successor|for next (?:session|instance)")),
    Cue(
        "insight",
        _any(
            r"(?:key )?(?:insights?|learnings?|lessons?(?: learned)?|takeaways?|findings?|root cause|根本原因|教训|経験|学び)"
        ),
    ),
    Cue("change", _any(r"changes?|change made|done|completed?|shipped|fixed|commit|完成|已完成|完了")),
    Cue("status", _any(r"(?:\w+ )?(?:status|state)|assessment|progress|状态|当前状态|进度|進捗|상태|статус")),
)
# Labels that give the reason, effect or ground of what stands beside them, and are no idea of that section's kind.
EXPLAINS = _any(
    r"why(?: .{1,30})?|rationale|reason(?:ing|s)?|because|benefits?|impact|effect|problem|cause|context|background|evidence|examples?|results?",
    r"symptoms?|source|details?|alternatives?(?: considered)?|pros?|cons?|trade-?offs?|confidence|revisit(?: when| if)?|consequences?",
    r"原因|理由|背景|影响|记录|问题|症状|结果|好处|例如|이유|배경|grund|raison|motivo|raz[óo]n|причина",
)
# A note in a label's brackets that says what the lesson is.
# A question that the text below answers with the grounds of a choice.
JUSTIFIES = _any(r"^\W*why (?:not|we (?:chose|use|went)|\w+ (?:over|instead|rather))\b", r"^\W*为什么(?:不|选)")
RULE_NOTE = _any(r"^\((?:user )?(?:preferences?|rules?|policy)\)$")

QUESTION = _any(
    r"\b(?:unclear|undecided|undetermined|to be (?:decided|determined|confirmed|clarified)|tbd)\b",
    r"\bunknown(?=[.,;:)]|$| (?:why|whether|if|how|what|when|which|at)\b)",
    r"\b(?:decision|choice|answer) (?:is )?(?:still )?(?:pending|open|outstanding)\b|^\W*unresolved\b",
    r"\b(?:has|have) yet to be (?:made|decided|determined)",
    r"\bneed(?:s|ed)? to (?:figure out|find out|decide|determine|clarify)\b",
    r"\b(?:consider|decide|deferred|awaiting|asked|confirm|deciding|revisit|evaluate|wondering|investigate|check|know)\b[^.]{0,60}\bwhether\b",
    r"\bopen question\b|\b(?:we|i) (?:wonder|don'?t know)\b|\bremains to be seen\b",
    r"\bnot (?:yet )?(?:decided|answered|clear|known|understood)\b(?! about)",
    r"\bthere may be further work\b",
    r"不确定|不清楚|不明确|待确认|待定|尚未(?:决定|确定|明确)|未定|不明(?:点|だ|。|$)|要検討|要確認|でしょうか|미정|불명확|확인 필요",
    r"\b(?:unklar|ungekl[äa]rt|pas clair|[àa] (?:confirmer|d[ée]terminer)|no est[áa] claro|por (?:definir|confirmar|decidir)|a (?:definir|confirmar))\b",
    r"неясно|непонятно|под вопросом|не решено",
)
DOUBT = _any(
    r"\b(?:i'?m |am |are |we'?re )?not (?:entirely |quite |really |fully )?(?:sure|convinced|certain)\b",
    r"\b(?:i|we) (?:suspect|doubt)\b",
    r"\b(?:may|might|could) (?:well )?(?:be (?:wrong|fragile|incorrect|a mistake|silently)|cause \w+|have (?:broken|missed))\b",
    r"\b(?:feels?|felt|seems?|looks?) (?:wrong|fragile|off|suspicious|brittle|hacky)\b",
    r"\b(?:suspicious|questionable|uncertain)\b(?!-)",
    r"\bpossible \w+ (?:\w+ )?(?:bug|leak|race|regression|issue|problem|cause)\b|\bpossibly (?:wrong|broken|stale)\b",
    r"可能有问题|可疑|存疑|怀疑|不太确定|怪しい|不安|의심|nicht sicher|pas s[ûu]r|no estoy segur|n[ãa]o tenho certeza|не уверен",
)
DECISION = _any(
    r"\b(?:we|i|they|user|team|you)(?: have| has| had|'ve)?(?: also| all| both)? (?:decided|chose|chosen|opted|agreed|settled|elected)\b",
    r"\b(?:was |were )?decided (?:to|on|against|not|that|in favou?r)\b|^\W*decided\b",
    r"\bdecision(?: was)?(?: made)?(?: to|:)(?! be)",
    r"\b(?:chose|choosing|chosen|opted for|opting for|settled on|going with|went with|sticking with|agreed (?:to|on|that))\b",
    r"\b(?:picked|preferred|selected) .{2,60} (?:over|instead of|rather than)\b",
    r"\bin favou?r of\b",
    r"\b(?:\w+'s|explicit|user) (?:explicit )?(?:instruction|decision|choice|verdict)\b",
    r"\b(?:v\d |our |the |new )?approach is to\b",
    r"\bwe (?:will|shall|won'?t|are going to) (?:not )?(?:use|adopt|go|keep|move|remove|split|replace|build|store|run|stick|change)\b",
    r"\b(?:skip|defer|drop|postpone)(?:ped|red)? .{2,60}(?:because|since|—|for now)",
    r"\bswitch(?:ed|ing) (?:from .{2,40} )?to\b.{0,80}\b(?:because|since|so that|due to|to avoid)\b|^\W*switched to\b",
    r"\b(?:reduced|raised|lowered|changed|increased) from .{1,30} to .{1,80}\b(?:because|to balance|to avoid|since)\b",
    r"\b(?:design|key|explicit) (?:decision|choice)\b",
    r"\b(?:explicitly |was |were |been |— )(?:rejected|discounted|vetoed)\b|\brejected (?:as|because|in favou?r|since|—|[(,;])|\brejected$",
    r"\b(?:confirmed|approved|signed off)(?::| on\b| (?:yes|that we|to)\b)",
    r"\b(?:is|are) now the (?:\w+ )?(?:path|way|default|standard|approach|source|method|convention)\b",
    r"\b(?:accept|accepted) (?:the|this|that) (?:\w+ )?(?:risk|trade-?off|cost|limitation)\b",
    r"决定|选择了|改用|采用|选用|敲定|拍板|不再使用|弃用|放弃(?:使用|了)|に決定|ことにした|することに決|を採用|を選択|を選んだ|見送|하기로|결정했|채택",
    r"\b(?:entschieden|beschlossen|d[ée]cid[ée]s?|avons choisi|opt[ée] pour|decidimos|decidi(?:do|ó)?|elegimos|optamos|escolhemos|abbiamo (?:deciso|scelto))\b",
    r"\bрешил[иа]?\b|решено|выбрали",
)
# A change from one thing to another is a choice too, but reports are full of them: it counts after all else.
CHOICE = _any(
    r"\b(?:changed|moved|switched|migrated|reduced|raised|lowered|bumped)\b.{0,60}\bfrom\b.{1,60}(?:\bto\b|→|->)",
    r"\*\*old:?\*\*.{1,200}\*\*new:?\*\*",
    r"\b(?:re-?prioriti[sz]ed|repositioned)\b",
)
CONSTRAINT = _any(
    r"^(?:always|never|must|avoid|ensure|prefer|make sure|remember to)\b",
    r"^only (?:use|run|do|commit|when|if|after|via|ever)\b|^only .{2,60} (?:can|may|should|must)\b",
    r"(?:^|[.;:,—–(!\"] ?|\b(?:please|pl[sz]|and|but|so|then|-) )\**(?:do not|don'?t) (?!know|think|need|have|see)\w+",
    r"\bmust(?: not| never| always| only| first)? (?!have been|be (?:a|the|some)\b|sleep\b)(?:be |go |use |run |\w+)",
    r"(?<!was )(?<!were )(?<!has )(?<!had )(?<!is )(?<!are )(?<!have )\bnever (?!\w+ed\b|\w+[^s]s\b|sent|got|had|been|ran|saw)\w+",
    r"(?<!was )(?<!were )(?<!has )(?<!is )(?<!are )(?<!have )\balways (?!\w+ed\b|\w+[^s]s\b|been|had|the\b|a\b)\w+",
    r"\b(?:mandatory|forbidden|prohibited|not permitted|off[- ]limits|non-negotiable|no exceptions)\b|\b(?:is|are) not allowed\b",
    r"\bwithout (?:explicit |asking|permission|approval|confirmation|prior )\w*|\brequires? (?:explicit|prior|written|manual) \w+",
    r"\b(?:ask|check with) (?:\w+ )?(?:first|before)\b",
    r"\bat (?:most|least) \d",
    r"\bno more than \d",
    r"^max(?:imum)? \d",
    r"\bonly (?:when|if|after|via|through)\b",
    r"\b\d+[- ]?(?:s|ms|min(?:ute)?s?|h(?:our)?s?|days?|%|[KMG]B)\b.{0,12}\b(?:max(?:imum)?|min(?:imum)?|cooldown|limit)\b",
    r"\b(?:pl[sz]|please) (?:always |never |do not |don'?t |only )?(?:use|keep|ask|avoid|stop)\b",
    r"\b(?:cannot|can't) be \w+ed (?:to|in|without|due|unless)\b",
    r"\bshould (?:never|always|only|not|be rare)\b",
    rf"\b{_PEOPLE} (?:strongly |explicitly |always )?(?:prefers?|insists?|dislikes?|hates?|wants? \w+ to)\b|\b(?:is|are) preferred\b|\bpreferred (?:when|if|for)\b",
    r"\b(?:rules?|protocol|policy|guidelines?) (?:was |were )?(?:added|introduced|adopted)\b|\badded (?:\S+ ){0,4}(?:rule|policy|guideline)s?\b",
    r"^(?:no|read-only) .{3,40}\b(?:by default|except)\b|\bsubject to approval\b",
    r"\bfrom now on\b|\bgoing forward\b|\bunder no circumstances\b",
    r"必须|必須|不要|禁止|不得|务必|一定要|只能|永远不|永不|切勿|严禁|不允许|请勿|不可以|必ず|しないこと|してはいけない|してはならない|厳禁|べき(?:で|だ|$|。)",
    r"반드시|금지|절대|하지 ?(?:말|마)|항상 ",
    r"\b(?:d[aü]rf(?:en)? (?:nicht|nur|niemals)|niemals|auf keinen fall|muss immer|m[üu]ssen immer|nie wieder)\b",
    r"\b(?:ne jamais|ne (?:doit|doivent|faut) (?:pas|jamais)|il faut toujours|toujours (?:utiliser|v[ée]rifier|demander)|interdit)\b",
    r"\b(?:nunca|jam[áa]s|siempre (?:hay que|usar|debe)|prohibido|proibido|no se (?:debe|puede)|n[ãa]o (?:pode|deve)|deve sempre|sempre usar|mai (?:usare|fare))\b",
    r"никогда|нельзя|запрещ|обязательно|не трогать",
)
# A rule only where lessons stand: a command that opens a sentence or answers a condition, or what should be.
_ENUMERATOR = r"(?:\**\(?\d[.)] ?)?\**"
RULE = re.compile(
    rf"(?:^|(?<=[.;:!] )|(?<=[—–] )|(?<=[.:;!] \*\*)){_ENUMERATOR}{_COMMAND}"
    rf"|\b\d\) {_COMMAND}"
    r"|\b(?:should (?!still|have|now|already)|must (?!have)|has to be|have to (?:be|go)|needs? to (?:be|stay|go)|needs grounding|needs? an? )"
    r"|\bconvention is to\b|\b(?:is|are) preferred\b|\bneeds? \d|\brequires? (?:explicit|two)\b",
    _I,
)
CONDITION = re.compile(
    rf"^\W*(?:\*\*[^*]{{1,60}}\*\* *)?(?:when(?:ever)?|if|before|after|for|to|once|while|in) [^.?!]{{3,160}}?[,:] {_ENUMERATOR}{_ANY_COMMAND}",
    _I,
)
COMMANDED = re.compile(rf"^\W*{_COMMAND}", _I)
# A rule among decisions, where nearly all is a decision.
RULED = _any(
    r"\b(?:rules?|protocol|policy|guidelines?) (?:was |were )?(?:added|introduced|adopted)\b|\badded (?:\S+ ){0,4}(?:rule|policy|guideline)s?\b",
    r"\bmandatory .{3,60}\badded\b",
)
STATED = _any(
    r"\b(?:must|never|always)(?: not)? (?!\w+ed\b)\w+",
    r"\b(?:do not|don'?t) (?:use|touch|change|push|call|run|add)\b",
    "必须|禁止|务必|必ず",
)
RULE_WORDS = _any(
    r"需要|应该|应当|要先|避免|确保|建议|永不|永远|保持|警惕|すること|べき|必要|ように(?:する)?$|해야|필요|devem?os?|debe|doit|soll(?:te)?|должн|нужно"
)
THREAD = _any(
    r"\b(?:in progress|under ?way|ongoing|wip|work in progress|to be continued)\b",
    r"\b(?:prs?|mrs?|pull requests?|merge requests?|branch|release|migration|rollout|project|phase|deploy\w*)\b.{0,60}\b(?:awaiting|waiting (?:for|on))\b",
    r"\bstill (?:pending|open|running|in draft|paused|waiting|under|downloading|training|building)\b",
    r"\b(?:paused|on hold)\b(?! until we)",
    r"\bphase \d+ (?:of|/) ?\d+\b",
    r"\bopen prs?:? #\d|\bprs? #\d+\b.{0,30}\b(?:is |are )?(?:still )?(?:open|in draft|draft|under review|awaiting)\b",
    r"\b\d{1,2}% (?:done|complete)|\b\d+/\d+.{0,6}[(（]\d{1,2}%|[(（]\d{1,2}%[)）][、，]",
    r"\b(?:currently|in the process of|in the middle of) \w+ing\b|\bbeing (?:actively |currently )?(?:managed|worked|developed|migrated|investigated|reviewed)\b",
    r"\bfuture continuation\b|\bpartial(?:ly)? (?:complete|done|implemented|finished)\b",
    r"^\W*(?:downloading|migrating|waiting|working on|investigating|training|processing|rolling out)\b|\b(?:queued|spawned to)\b|\bat last check\b",
    r"\bready (?:for|to) (?:review|merge)\b|\b(?:implementation|review|merge|deploy)[- ]ready\b",
    r"[⏸🔄🚧]|进行中|已暂停|活跃项目|正在(?:进行|开发|迁移|下载|处理)|進行中|作業中|対応中|調査中|保留中|진행 ?중|보류 ?중|대기 ?중",
    r"\b(?:in arbeit|l[äa]uft noch|wartet auf|pausiert|en cours|en pause|en curso|en progreso|en pausa|a la espera|em andamento|pausad[oa]|aguardando)\b",
    r"в работе|в процессе|приостановлен|ждём|ждем",
)
TASK = _any(
    r"\b(?-i:TODO|FIXME)\b(?!\.\w)|^\W*to-?do\b(?=[:：])",
    r"\bnext(?: step| check| up| session)?:",
    r"(?<!would )(?<!will )(?<!'d )(?<!so they )\b(?:still |also )?needs? to (?:be )?\w+",
    r"\bneeds? (?:fresh|a fix|fix(?:ing|es)?\b|testing|review|work|investigation|cleanup|re-?\w+)\b",
    r"\b(?:re-?\w+|follow[- ]?up|fix|review|testing|action|cleanup|investigation) (?:is |are )?(?:still )?(?:needed|required)\b",
    r"\bnot (?:yet )?(?:been )?(?:published|done|implemented|tested|deployed|merged|built|wired|finished|set up|configured|started|verified|written|addressed"
    r"|resolved|sent|pushed)\b(?! (?:in|by|from))",
    r"\b(?:we|i|you|it|pr) (?:will|shall) (?:\w+ )?(?:need|have to|follow up|do later|convert)\b",
    r"\bremains? to be\b|\bleft to (?:do|be done)\b",
    r"\bto be (?:done|implemented|fixed|added|migrated|written)\b",
    r"\b(?:awaiting|pending) (?:\w+ )?(?:review|approval|merge|input|response)\b|(?<=\S )\(?pending\b(?! (?:tasks|items|migration))",
    r"[—–-] (?:monitor|rotate|fix|check|verify|investigate|re-?test|re-?run|clean up|revisit|follow up)\b.{0,40}$",
    r"^\W*also (?:update|add|fix|check|remove|test|move|rename|document)\b",
    r"⏳|需要(?!时间)|待(?:处理|解决|修复|完成|优化|补充|测试|验证|部署)|还没|尚未|还需|が必要|未対応|未実装|残って|する予定|해야|필요|예정",
    r"\b(?:muss noch|m[üu]ssen noch|zu erledigen|ausstehend|reste [àa]|il faut encore|[àa] (?:corriger|impl[ée]menter|tester)|falta[nm]?|por hacer|pendientes?|pendentes?)\b",
    r"осталось|нужно|надо ",
)
# What is left to do, said so plainly that it counts among lessons too.
LEFT = _any(
    r"\b(?-i:TODO|FIXME)\b(?!\.\w)",
    r"\b(?:re-?\w+|follow[- ]?up|fix|review|testing|cleanup) (?:is |are )?(?:still )?needed\b\.?$",
    r"待(?:处理|解决|修复|完成)|需要后续",
)
TONE = _any(
    r"\b(?:i|it|this|that) (?:felt|feels)\b",
    r"\b(?:i was|i'm|i am|was) (?:surprised|frustrated|excited|worried|proud|relieved|delighted|annoyed)\b",
    r"\b(?:surprisingly|frustrating|satisfying|delightful)\b",
)
DEAD_END = _any(
    r"\btried\b.{2,120}\b(?:but|didn'?t|did not|fail\w*|no luck|without success)\b",
    r"\b(?:did ?n[o']t|does ?n[o']t) work because\b",
    r"\b(?:dead end|gave up|abandoned the (?:idea|approach)|ruled out)\b",
)
INSIGHT = _any(
    r"\b(?:learned|learnt|turns out|root cause|key insight|discovered that|found that|lesson|the trick|gotcha|realised|realized)\b",
    r"根本原因|教训|わかった|判明|알게",
)
RELATION = _any(r"\b(?:depends on|connects? to|talks to|is used by|are used by|wraps|feeds into|built on top of)\b")
CHANGE = _any(
    r"^(?:[✅☑✔] *)?(?:added|fixed|created|updated|implemented|removed|renamed|merged|deployed|committed|pushed|refactored|"
    r"wrote|moved|installed|built|completed|published|ran|bumped|migrated|replaced|deleted|configured|enabled|cleared|verified|closed|"
    r"resolved|tested|sent|cleaned|restarted|disabled|upgraded)\b(?!:)",
)
# Said to be finished, whatever the heading promises.
DONE = _any(
    r"(?:^\W*|[:：] ?)[✅☑✔](?!.*\b(?:in progress|pending)\b)",
    r"^~~",
    r"[（(](?:done|completed|finished|已完成)[）)]|[:：—][* ]*(?:全部|已|已经)(?:完成|自动)",
    r"^已(?!知)",
)
# Says that there is nothing.
NOTHING = _any(
    r"^(?:[-—*_ ]*)(?:none(?! of)|n/?a|nothing|nil|no\.?|无|暂无|没有|なし|없음|keine|aucune?|ninguno|nenhum|нет)\b.{0,40}$",
    r"^\W*no (?:open|active|pending|outstanding|new|known|current|further|more|remaining|critical|other)\b.{0,60}$",
    r"^\W*no (?:blockers?|tasks?|issues?|questions?|threads?|decisions?|changes?)\b.{0,40}$",
    r"^[^:：]{1,40}[:：][*_ ]*(?:none(?! of)|n/?a|nothing|nil|0 ?个|0|无|暂无|没有|なし|없음|无正在.{0,20})(?=$|[\s.,;(])(?!.*;).{0,50}$",
)
# Says when and by whom, not what.
STAMP = _any(
    r"^[*_]*(?:(?:last|next|document|review|fixed|reported|written|logged|generated|prepared) )?"
    r"(?:updated?|created|dates?|time(?:zone|stamp)?|author|version|operator|by|on|at|session|duration)(?: time)?[*_]*[:：].{0,60}$",
    r"^[*_]*last (?:updated|modified|edited|changed)\b.{0,60}$",
    r"^[^:：]{1,30}[:：][*_ ]*(?:\d{4}-\d\d-\d\d|\d{1,2}:\d\d)(?: ?[A-Z]{2,4}\b)?[^a-z]{0,16}(?: \(.{0,30}\))?$",
    r"^[*_]*(?:最后更新|下次更新|更新|操作员|记录|记录者|作者|日期|时间|时区|版本|更新日|作成日)(?:时间|日期)?[*_]*[:：]",
)
TEMPLATE = re.compile(r"\[(?!x\])[a-z][a-z ]{1,20}\](?!\().{0,80}\[[a-z][a-z ]{1,20}\](?!\()", _I)

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
