"""The cues of form: headings, labels, stamps and signs by which a text says what kind of idea it is.

Owns what an author writes on purpose to tell kinds apart, in English and, more thinly, in other languages; phrases,
which say it by the way, stand in `phrases`. Refuses to name a project, a product or a person, and to decide which table
counts where: that is `extract`'s. Patterns are searched in short texts only (see `extract`).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from sleep.language.acts.phrase import Phrase, either

_I = re.IGNORECASE


class Cue(NamedTuple):
    """A kind of entry and what tells it."""

    kind: str
    pattern: Phrase


_PEOPLE = "(?:主人|用户|使用者|老板|客户|团队)"

# Headings, trimmed of numbering, dates, emoji and brackets; the first that matches wins. `note`: nothing above holds.
HEADINGS: tuple[Cue, ...] = (
    Cue(
        "note",
        either(
            r"^(?:roll-?back|fallback|contingency|back-?up|disaster recovery) plan\b",
            r"^(?:success|test|acceptance) (?:metrics|criteria|cases|results)\b",
            r"^(?:no|0|zero) \w+",
        ),
    ),
    Cue(
        "question",
        either(
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
        either(
            r"^(?:[\w-]+ ){0,3}(?:decisions|choices)(?! (?:tree|process|support|makers?))\b",
            r"^(?:[\w-]+ ){0,2}decision(?: (?:made|taken|log|outcome|record|history|summary|and \w+))?$",
            r"^constraints? (?:&|and|/) decisions?$",
            r"^(?:what )?(?:we|i) (?:decided|agreed|chose)\b|^(?:agreements|resolutions|trade-?offs)(?: made)?$",
            r"决[定策]|決[定策]|选型|결정|^(?:decisión|decisiones|décisions?|decisão|decisões|decisioni)"
            r"|^(?:getroffene )?entscheidung|beschl[uü]ss|решени|решили",
        ),
    ),
    Cue(
        "doubt",
        either(
            r"^(?:\w+ )?(?:doubts?|worries)\b",
            r"^(?:open |my )?concerns?$",
            r"^(?:bedenken|doutes)|疑虑|担忧|懸念|우려|сомнени",
        ),
    ),
    Cue(
        "thread",
        either(
            r"^(?:active|open|current|ongoing|paused|running|parallel) (?:\w+ )?(?:threads?|projects?"
            r"|work|workstreams?|efforts?|streams?)\b",
            r"^(?:work )?(?:threads?|streams?)$|^workstreams?$",
            r"^(?:(?:currently|work|still) )?(?:in[ -](?:progress|flight)|under ?way)\b",
            r"^(?:on hold|paused|ongoing|wip|open (?:prs?|pull requests?|branches))$",
            r"^(?:已暂停|进行中|暂停|正在进行|当前项目)|進行中|作業中|진행 ?중|^in arbeit|^en cours"
            r"|^en curso|^em andamento|^в работе",
        ),
    ),
    Cue("blocker", either(r"^(?:\w+ )?(?:blockers?|blocked)\b", r"^阻塞|卡点|ブロッカー|^blockiert|^bloqu|^блокер")),
    Cue(
        "task",
        either(
            r"^(?:[\w-]+ ){0,2}(?:to[- ]?dos?|backlog)\b",
            r"^(?:[\w-]+ )?next(?: \w+)? (?:steps?|actions?|tasks?|priorit\w+|moves?)\b",
            r"^(?:what'?s |up )?next\b(?! gen)",
            r"^(?:[\w-]+ ){0,2}(?:action|open|pending|outstanding|remaining|carry[- ]forward|carry[- ]?over"
            r"|follow[- ]?up|unfinished|deferred) "
            r"(?:items?|tasks?|actions?|work|issues?|steps?|points?|threads? to close)\b",
            r"^(?:follow[- ]?ups?|pending|remaining|outstanding|open|later|deferred|parking lot|unfinished)$",
            r"^(?:(?:active|my|today'?s|tomorrow'?s|key|immediate|main|new|high[- ]priority) )?tasks$",
            r"^(?:what(?:'s| is) (?:left|missing|remaining|still open)|left to do|still open|not (?:yet )?done)\b",
            r"^(?:still )?(?:to (?:do|fix|implement|investigate)|needs? (?!grounding)\w+)\b",
            r"^before (?:\w+ ){1,3}(?:release|launch|trading|deploy\w*|merge)\b",
            r"\bawaiting (?:\w+ )?(?:review|approval|input|response|decision)$|^(?:waiting|awaiting) (?:on|for)\b",
            r"^(?:(?:test|action|work|migration|release|launch|rollout|follow[- ]?up|implementation"
            r"|next) plan(?: prepared)?|plans? for \w+"
            r"|(?:[\w-]+ )?roadmap(?: \w+)?|tomorrow)$",
            r"待办|下一步|待处理|待完成|待修复|后续|等待|^需要|未完成|遗留|明日计划|发布计划|下一阶段|待辦",
            r"次のステップ|次回|残タスク|残課題|やること|今後の|다음 단계|다음 작업|할 일|남은 작업",
            r"^n[äa]chste schritte|^(?:offene )?aufgaben|^offene punkte|^noch offen|^prochaines? [ée]tapes?"
            r"|^[àa] faire|^t[âa]ches",
            r"^pr[óo]ximos pasos|^pendientes?|^tareas|^por hacer|^pr[óo]ximos passos|^pend[êe]ncias"
            r"|^tarefas|^a fazer|^prossimi passi|^da fare",
            r"следующие шаги|^задачи|что дальше|^осталось|^план",
        ),
    ),
    Cue(
        "constraint",
        either(
            r"^(?:[\w-]+ ){0,2}(?:constraints?|rules?|policy|policies|guardrails?|invariants?"
            r"|prohibitions?|conventions?)\b",
            r"^(?:[\w-]+ ){0,2}(?:principles|preferences|guidelines|best practices|standards"
            r"|non-negotiables?|working agreements?)$",
            r"^(?:hard|security|safety|legal|compliance|privacy|non-functional) (?:requirements|limits?|rules)$",
            r"^(?:do not|don'?ts?|never|always|must)\b|^do'?s (?:and|&) don'?ts",
            r"^(?:ask first|hard limits?|limits|(?:coverage|quality) (?:targets?|gates?|bars?)|non-?goals"
            r"|mitigations?)\b",
            r"规则|约束|原则|注意事项|最佳实践|规范|禁止|铁律|底线|規則|制約|ルール|注意点|方針|제약|규칙|원칙|주의",
            r"^regeln|^einschr[äa]nkungen|^vorgaben|^r[èe]gles|^contraintes|^reglas|^restricciones"
            r"|^regras|^restri[çc]|^regole|^vincoli",
            r"правил|ограничени",
        ),
    ),
    Cue(
        "handoff",
        either(
            r"^hand-?off\b",
            r"^(?:notes? )?for (?:the )?(?:next|my successor)",
            r"^note to (?:self|successor)|交接|引き継ぎ",
        ),
    ),
    Cue("tone", either(r"^(?:tone|mood|feelings?|emotional)\b")),
    Cue("dead end", either(r"^dead[- ]ends?\b", r"^(?:failed attempts?|what (?:did ?n[o']t|failed))\b")),
    Cue(
        "insight",
        either(
            r"^(?:[\w&-]+ ){0,2}(?:insights?|learnings?|lessons?(?: learn\w+)?|findings?|takeaways?|gotchas?)\b",
            r"^what (?:i|we)(?:'ve)? learn|^root cause",
            r"经验|教训|发现|学习|心得|学び|教訓|気づき|知見|배운|교훈",
            r"^erkenntnis|^gelernt|^appris|^le[çc]ons|^aprendiza|^lecciones|^li[çc][õo]es|^выводы|^уроки",
        ),
    ),
    Cue("relation", either(r"^(?:dependencies|relationships?|how \w+ (?:connect|fit))\b")),
    Cue(
        "change",
        either(
            r"^(?:[\w-]+ ){0,2}(?:changes?(?: made)?|completed?|done|shipped|accomplish\w+|commits?"
            r"|deliverables?|changelog)$",
            r"^(?:tasks? completed|(?:completed|finished|closed) \w+|files? (?:changed|modified|created)"
            r"|what (?:was|got|shipped|changed|i did|we did))\b",
            r"^(?:summary|outcome|actions? (?:taken|performed))$",
            r"^(?:已)?完成|^已执行|実施内容|完了|완료|^erledigt|^hecho|^completado|^fait|^termin[ée]"
            r"|^feito|^conclu[íi]do|^сделано|^готово",
        ),
    ),
)

# Labels (`**Label:** ...`), without what stands in brackets; matched whole.
LABELS: tuple[Cue, ...] = (
    Cue(
        "question",
        either(
            r"(?:open |pending |unresolved |remaining )?questions?(?: for .+)?",
            r"(?:decisions?|choices?) (?:needed|pending|required|to (?:make|be made))",
            r"unknowns?|tbd|tbc|unresolved|unclear|(?:not yet|still to be) (?:decided|clear)|.*hypothes[ei]s",
            r"疑问|待确认|待定|要確認|質問|(?:offene )?fragen?|preguntas?|perguntas?|вопрос",
        ),
    ),
    Cue(
        "decision",
        either(
            r"(?!not |no )(?:[\w-]+ ){0,2}(?:decisions?|decided|verdict|choice|chose|chosen|agreed"
            r"|resolution)(?: made)?",
            rf"(?:最终)?(?:决[定策]|決[定策]|选择|结论)|{_PEOPLE}(?:建议|决定|选择|确认|拍板)|결정"
            rf"|decisión|décision|decisão|entscheidung|решение",
        ),
    ),
    Cue("doubt", either(r"doubts?", r"uncertain(?:ty)?", r"concerns?|worry")),
    Cue(
        "constraint",
        either(
            r"(?:[\w'-]+ ){0,3}(?:rules?|constraints?|policy|invariants?|guardrails?|requirements?"
            r"|limits?|conventions?)(?: to .{1,30}| for .{1,30})?",
            r"lesson added|mitigations?|fix discipline|discipline|ask first(?: for)?|(?:do not|don'?t"
            r"|never|always|must)(?: \w+){0,3}",
            r"(?:important|critical|warning|caution|note well|non-negotiable|hard limit|(?:\w+ )?preferences?"
            r"|principle)",
            r"execute without permission for|token gotcha|correct (?:path|way|usage)",
            rf"规则|约束|原则|安全原则|注意|禁止|改进(?:措施)?|{_PEOPLE}(?:提醒|要求|警告|强调|规定)"
            rf"|ルール|制約|注意|規則|규칙|주의|правило|regeln?|r[èe]gles?|reglas?|regras?",
        ),
    ),
    Cue("blocker", either(r"blockers?|blocked(?: by| on)?|阻塞|卡点")),
    Cue("change", either(r"(?:to-?dos?|tasks?|actions?|items?|steps?) (?:done|completed?|finished|taken)")),
    Cue(
        "task",
        either(
            r"to-?dos?|next(?: \w+){0,2}|(?:required |recommended |user )?actions?(?: items?| needed"
            r"| required)?|follow[- ]?ups?|remaining|pending(?: \w+)?",
            r"plan|still (?:open|to do|needed)|left|tasks",
            r"下一步|待办|后续|待处理|待完成|(?:还)?需要.{0,8}|次回|残課題|次のステップ|다음|할 일"
            r"|pendientes?|pr[óo]ximos? pas+os?|n[äa]chste schritte|[àa] faire|offen|todo",
        ),
    ),
    Cue(
        "thread",
        either(
            r"active (?:threads?|projects?|work|tasks?|branch(?:es)?|prs?|issues?|focus)|current (?:focus"
            r"|work|task|project)",
            r"in[- ]progress|in[- ]flight|ongoing|paused|on hold|wip|threads?|open (?:prs?|pull requests?"
            r"|mrs?|branches)",
            r"进行中|暂停|活跃(?:任务|项目)|当前(?:任务|项目)|進行中|進捗|진행 ?중",
        ),
    ),
    Cue("dead end", either(r"dead[- ]ends?|tried")),
    Cue("tone", either(r"tone|mood|feeling|surprise|felt")),
    Cue("handoff", either(r"hand-?off|for my successor|for next (?:session|instance)")),
    Cue(
        "insight",
        either(
            r"(?:key )?(?:insights?|learnings?|lessons?(?: learned)?|takeaways?|findings?|root cause"
            r"|根本原因|教训|経験|学び)"
        ),
    ),
    Cue("change", either(r"changes?|change made|done|completed?|shipped|fixed|commit|完成|已完成|完了")),
    Cue("status", either(r"(?:\w+ )?(?:status|state)|assessment|progress|状态|当前状态|进度|進捗|상태|статус")),
)
# Labels that give the reason, effect or ground of what stands beside them, and are no idea of that section's kind.
EXPLAINS = either(
    r"why(?: .{1,30})?|rationale|reason(?:ing|s)?|because|benefits?|impact|effect|problem|cause|context"
    r"|background|evidence|examples?|results?",
    r"symptoms?|source|details?|alternatives?(?: considered)?|pros?|cons?|trade-?offs?|confidence"
    r"|revisit(?: when| if)?|consequences?",
    r"原因|理由|背景|影响|记录|问题|症状|结果|好处|例如|이유|배경|grund|raison|motivo|raz[óo]n|причина",
)
# A note in a label's brackets that says what the lesson is.
RULE_NOTE = either(r"^\((?:user )?(?:preferences?|rules?|policy)\)$")

# Said to be finished, whatever the heading promises.
DONE = either(
    r"(?:^\W*|[:：] ?)[✅☑✔](?!.*\b(?:in progress|pending)\b)",
    r"^~~",
    r"[（(](?:done|completed|finished|已完成)[）)]|[:：—][* ]*(?:全部|已|已经)(?:完成|自动)",
    r"^已(?!知)",
)
# Says that there is nothing.
NOTHING = either(
    r"^(?:[-—*_ ]*)(?:none(?! of)|n/?a|nothing|nil|no\.?$|无|暂无|没有|なし|없음|keine|aucune?|ninguno"
    r"|nenhum|нет)\b.{0,40}$",
    r"^\W*no (?:open|active|pending|outstanding|new|known|current|further|more|remaining|critical|other)\b.{0,60}$",
    r"^\W*no (?:blockers?|tasks?|issues?|questions?|threads?|decisions?|changes?)\b.{0,40}$",
    r"^(?:[-—*_ ]*)(?:none|nothing)(?: (?:at (?:this|the) (?:point|moment|time)|so far|right now|yet|today|new))*\b"
    r" *(?=[—–:;,(]|[.] |- |$).{0,120}$",
    r"^[^:：]{1,40}[:：][*_ ]*no (?:open|active|pending|outstanding|new|current|further|more|remaining)\b.{0,60}$",
    r"^[^:：]{1,40}[:：][*_ ]*(?:none(?! of)|n/?a|nothing|nil|0 ?个|0|无|暂无|没有|なし|없음|无正在.{0,20})(?=$"
    r"|[\s.,;(])(?!.*;).{0,50}$",
)
# Says when and by whom, not what.
STAMP = either(
    r"^[*_]*(?:(?:last|next|document|review|fixed|reported|written|logged|generated|prepared) )?"
    r"(?:updated?|created|dates?|time(?:zone|stamp)?|author|version|operator|by|on|at|session"
    r"|duration)(?: time)?[*_]*[:：].{0,60}$",
    r"^[*_]*last (?:updated|modified|edited|changed)\b.{0,60}$",
    r"^[^:：]{1,30}[:：][*_ ]*(?:\d{4}-\d\d-\d\d|\d{1,2}:\d\d)(?: ?[A-Z]{2,4}\b)?[^a-z]{0,16}(?: \(.{0,30}\))?$",
    r"^[*_]*(?:最后更新|下次更新|更新|操作员|记录|记录者|作者|日期|时间|时区|版本|更新日|作成日)(?:时间"
    r"|日期)?[*_]*[:：]",
)
TEMPLATE = re.compile(r"\[(?!x\])[a-z][a-z ]{1,20}\](?!\().{0,80}\[[a-z][a-z ]{1,20}\](?!\()", _I)
