"""The names of kinds as headings have them, and which headings are nothing but such a name.

Owns the words of which the names are made (`Open questions`, `Key decisions`, `Next steps`), in the languages that
there are cues in. A heading that says more (`What not to do when the rules change`) names a subject, and gives what
stands below it no kind. Refuses to say which kind it is: that is `extract`'s, by the cues. Pure.
"""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_WIDE = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_RUN = re.compile(rf"[{_WIDE}]+|[^{_WIDE}]+")
_IS_WIDE = re.compile(rf"[{_WIDE}]")
_LINKS = "的与和及或の と 및 와 과"  # what joins two names, or a name and what narrows it

# What a name is of, and what narrows it without naming a subject of this project.
_NAMES = frozenset(
    """
    decision decisions choice choices decided agreed chose agreement agreements resolution resolutions
    trade-off trade-offs tradeoff tradeoffs approval approvals verdict correction corrections question
    questions unknown unknowns uncertainty uncertainties unresolved unanswered undecided unclear determined
    clarified tbd tbc doubt doubts worry worries concern concerns constraint constraints rule rules policy
    policies guardrail guardrails invariant invariants prohibition prohibitions convention conventions
    principle principles preference preferences guideline guidelines practices standard standards
    non-negotiable non-negotiables requirement requirements limit limits limitations non-goal non-goals
    mitigation mitigations do don't don’t dont dos don'ts don’ts donts never always must not ask first
    thread threads workstream workstreams stream streams effort efforts work wip progress flight way
    underway paused ongoing running parallel hold pr prs pull request requests branch branches blocker
    blockers blocked blocking waiting awaiting task tasks todo todos to-do to-dos backlog next step steps
    action actions item items move moves point points up follow follow-up follow-ups followup followups
    carry carried carry-over carryover carry-forward forward over left remaining pending outstanding
    unfinished deferred later tomorrow plan plans roadmap missing still input response priority priorities
    review parking lot issue issues fix implement investigate handoff handoffs hand-off hand off note notes
    self successor tone mood feeling feelings emotional register dead end ends dead-end dead-ends failed
    attempt attempts fail work worked didn't tried insight insights learning learnings learned learnt lesson
    lessons finding findings takeaway takeaways gotcha gotchas root cause change changes completed complete
    done shipped accomplished accomplishments achievements commit commits deliverables changelog outcome
    summary finished closed files modified created got dependency dependencies relationship relationships
    proposal proposals recommendation recommendations advice target targets gate gates bar bars
    """.split()  # noqa: SIM905  # a list of words reads better as words
)
_NARROWS = frozenset(
    """
    open active current recent new known other more further additional key main major important critical
    high hard soft core general basic standing final immediate real top important first best working made
    taken needed required log record records history registry list technical design architecture
    architectural product project team user users owner my our your the a this that these we i you to be for
    from of in on at by under and or is are was were what what's what’s with security safety privacy legal
    compliance quality coding code naming style testing git operational functional non-functional session
    sessions instance today now so far day week sprint release implementation migration launch rollout
    deployment test coverage prepared recommended guard correct all each every enforced agent agents cli
    repo repository codebase workflow process tooling house
    """.split()  # noqa: SIM905  # a list of words reads better as words
)
_OTHERS = frozenset(
    """
    entscheidung entscheidungen getroffene getroffen beschluss beschlüsse frage fragen offen offene offener
    bedenken regel regeln einschränkung einschränkungen vorgabe vorgaben nächste nächster schritt schritte
    aufgabe aufgaben punkte noch blockiert blocker arbeit in erkenntnis erkenntnisse gelernt gelerntes
    erledigt und oder die der das für wichtige technische zu klären klärende übergabe décision décisions
    questions question ouvertes ouverte doutes règle règles contrainte contraintes prochaine prochaines
    étape étapes etapes tâche tâches taches à a faire en cours leçons apprises appris fait terminé et les
    techniques bloqué bloqués decisión decisiones pregunta preguntas abiertas abierta duda dudas regla
    reglas restricción restricciones próximos proximos pasos pendiente pendientes tarea tareas por hacer
    curso aprendizaje aprendizajes lecciones aprendidas hecho completado y las los bloqueado bloqueos
    decisão decisões pergunta perguntas dúvida dúvidas duvidas regra regras restrição restrições passos
    pendência pendências tarefa tarefas fazer andamento lições aprendidas feito concluído e as os bloqueios
    abertas decisioni decisione domande domanda regole regola vincoli vincolo prossimi passi da fare aperte
    решение решения решили вопрос вопросы открытые правило правила ограничение ограничения задача задачи
    следующие шаги что дальше осталось план планы блокер блокеры сомнение сомнения выводы уроки сделано
    готово работе и
    """.split()  # noqa: SIM905  # a list of words reads better as words
)
_VOCABULARY = _NAMES | _NARROWS | _OTHERS
# Of scripts that set no space between words; the longest first.
_WIDE_WORDS = sorted(
    """
    决定 决策 決定 決策 选型 结论 疑问 待确认 待定 未决 未解決 未解决 不明点 確認事項 要確認 疑虑 担忧 懸念
    问题 課題 質問 事項 规则 约束 原则 注意事项 最佳实践 规范 禁止 铁律 底线 規則 制約 ルール 注意点 方針
    规定 要求 已暂停 进行中 暂停 正在进行 当前项目 進行中 作業中 线程 项目 阻塞 卡点 ブロッカー 待办 下一步
    待处理 待完成 待修复 后续 等待 需要 未完成 遗留 明日计划 发布计划 下一阶段 待辦 计划 行动 事项 任务 清单
    列表 工作 次のステップ 次回 残タスク 残課題 やること 今後の 今後 タスク 予定 交接 引き継ぎ 经验 教训
    发现 学习 心得 学び 教訓 気づき 知見 已完成 完成 已执行 実施内容 完了 确认 修复 功能 主人 用户 团队 客户
    关键 重要 主要 核心 开放 技术 设计 架构 项目 当前 今日 明日 今天 明天 本次 安全 新 的 결정 질문 미해결
    우려 제약 규칙 원칙 주의 진행 중 다음 단계 작업 할 일 남은 배운 교훈 완료 사항
    """.split(),  # noqa: SIM905
    key=len,
    reverse=True,
)


def is_name(title: str) -> bool:
    """Return whether a heading, trimmed of its numbering and brackets, is nothing but the name of a kind or several."""
    words = _WORD.findall(title.casefold())
    return bool(words) and all(_is_known(run) for word in words for run in _RUN.findall(word))


def _is_known(run: str) -> bool:
    if not _IS_WIDE.match(run):
        return run.isdigit() or run in _VOCABULARY
    for name in _WIDE_WORDS:
        run = run.replace(name, "")
    return all(letter in _LINKS for letter in run)
