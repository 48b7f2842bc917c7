"""Lists below the headings that people write in other languages: each states records of its kind, by data alone."""

import pytest

from sleep.language.acts import titles
from sleep.records.classification import heading_kind, label_kind, states

HEADINGS = {
    "decision": [
        *(
            "Locked decisions",
            "Settled",
            "Decisions & rationale",
            "Non-obvious decisions",
            "Decisions worth remembering",
        ),
        *("Entscheidungen", "Getroffene Entscheidungen", "Decisões tomadas", "Decisiones tomadas", "Décisions prises"),
        *("Décisions techniques", "Décisions de design notables", "Décisions tranchées (session du 2026-09-01)"),
        *(
            "Decisiones técnicas clave",
            "Decisiones de diseño",
            "Decisiones tomadas en esta fase",
            "Decisiones y por qué",
        ),
        *("Decisões já tomadas", "Decisões desta rodada", "Decisões de implementação", "Technische Entscheidungen"),
        *("Decisioni prese", "Genomen besluiten", "Beslissingen", "Принятые решения", "決定事項", "결정 사항", "决策"),
    ],
    "task": [
        *("What is next", "What remains", "Where to pick up", "Start here next time", "Work remaining", "Loose ends"),
        *("User action required", "Suggested next steps", "Not started", "Carry-over", "Top priorities"),
        *("Prochaines étapes recommandées:", "Próximos pasos sugeridos", "Nächste Schritte (nicht in dieser Session)"),
        *("Nächste Schritte", "Próximo passo", "Próximos passos", "O que falta", "Pendências", "Próximos pasos"),
        *("Tareas pendientes", "Lo que falta", "Prochaines étapes", "À faire", "Reste à faire", "Prossimi passi"),
        *("Da fare", "Volgende stappen", "Te doen", "Следующие шаги", "Следующий шаг", "次のステップ", "다음 단계"),
    ],
    "blocker": [
        *("Blocking issues", "Impediments", "What's blocking"),
        *("Blockiert", "Bloqueios encontrados", "Impedimentos", "Bloqueos", "Blocages", "Blocchi", "Geblokkeerd"),
        *("Блокеры", "ブロッカー", "阻塞"),
    ],
    "question": [
        *("Needs decision", "Awaiting decision", "Need clarification"),
        *("Offene Fragen", "Perguntas abertas", "Dúvidas", "Preguntas abiertas", "Questions ouvertes"),
        *("Décisions à trancher", "Decisiones pendientes", "Decisões em aberto", "Offene Entscheidungen"),
        *("Domande aperte", "Open vragen", "Открытые вопросы", "要確認"),
    ],
    "constraint": [
        *("Ground rules", "Constraints & conventions", "Rules for agents", "Coding standards", "What not to do"),
        *("Standing instructions", "Operating rules", "禁止事项"),
        *("Regeln", "Richtlinien", "Regras", "Restrições", "Reglas", "Règles", "Regole", "Regels", "Правила"),
        *("ルール", "규칙", "规则"),
    ],
    "dead end": [
        *("Failed approaches", "Tried and failed", "Things that didn't work", "Abandoned approaches"),
        *("O que não funcionou", "Lo que no funcionó", "Ce qui n'a pas marché", "Cosa non ha funzionato"),
        *("Wat niet werkte", "Что не сработало"),
    ],
}

# What came with documents of other languages: whole forms, with a number, a bracket or whose it is.
WHOLE = {
    "decision": [
        "技术决策记录",
        "五、关键决策",
        "決定事項と理由",
        "ユーザーとの合意事項",
        "결정 사항 및 근거",
        "현재 유효 확정사항",
        "Entscheidungsprotokoll",
        "Unveränderte Architekturentscheidungen",
        "Entscheidungen und Begründungen",
        "Decisiones tomadas con el usuario",
        "Registro de decisiones",
        "Escolhas menores, para registo",
        "Journal des décisions",
        "Choix techniques",
        "Архитектурные решения",
        "Договорённости",
    ],
    "task": [
        "五、遗留问题 / 待办",
        "（五）待办",
        "第五节 待办",
        "风险与待办(高亮)",
        "待优化项",
        "次にやること",
        "残作業",
        "今後の課題",
        "다음 할 일 아이디어",
        "향후 계획",
        "Noch offen",
        "Weiteres Vorgehen",
        "Risiken und offene Punkte",
        "Siguientes pasos",
        "Pendientes para la próxima sesión",
        "Para la próxima sesión",
        "Pendências / próximos passos conhecidos",
        "Pendências para completar M0",
        "Prochaine session recommandée",
        "PROCHAINE SESSION — Bloc 1",
        "Ce qui reste à faire",
        "Следующий шаг [ОБНОВЛЯТЬ]",
        "Технический долг",
        "IV. Open items",
        "Next step [UPDATE]",
    ],
    "blocker": [
        "已知阻塞项",
        "차단 요소/우려 사항",
        "Hindernisse",
        "Bloqueos activos",
        "Bloqueadores",
        "Points bloquants",
        "Препятствия",
        "阻害要因",
    ],
    "question": [
        "待用户决定",
        "待讨论",
        "未決事項",
        "ユーザーへの確認事項",
        "미결 논의 사항",
        "Zu klären",
        "Nächste Entscheidungen",
        "Para confirmar, no bloqueante",
        "Em aberto (perguntas)",
        "À trancher",
        "Décisions à prendre",
        "Нерешённые вопросы",
    ],
    "constraint": [
        "维护规则（新 AI 应遵守）",
        "开发准则要点",
        "红线",
        "用户偏好",
        "やってはいけないこと",
        "作業の進め方（このプロジェクトでの合意事項）",
        "하지 말 것",
        "반드시 지킬 것",
        "Leitplanken",
        "Was nicht gemacht wird",
        "Preferencias de sesión (usuario)",
        "Qué no hacer",
        "Regras do projeto",
        "JAMAIS FAIRE",
        "TOUJOURS FAIRE",
        "Принципы",
        "Чего не делать",
    ],
    "dead end": [
        "评估后放弃的方案（决策记录）",
        "尝试过的方案（均未成功）",
        "弯路",
        "捨てた選択肢と理由",
        "却下した案",
        "시도했지만 실패",
        "기각된 대안",
        "Sackgassen",
        "Verworfene Varianten",
        "Was nicht funktioniert hat",
        "Intentos fallidos",
        "Alternativas descartadas",
        "Tentativas fracassadas",
        "Pistes abandonnées",
        "Отвергнутое (чтобы не возвращаться)",
        "Vicoli ciechi",
        "Doodlopende wegen",
    ],
    "thread": [
        "当前进行中",
        "保留中（指示があれば着手）",
        "진행 중",
        "In Arbeit",
        "En curso",
        "Em andamento",
        "En cours",
        "В работе",
    ],
}


@pytest.mark.parametrize(("kind", "headings"), [row for table in (HEADINGS, WHOLE) for row in table.items()])
def test_a_heading_names_its_kind_in_each_language(kind: str, headings: tuple[str, ...]) -> None:
    """The heading names the kind, and what is listed below it is stated."""
    assert [heading for heading in headings if heading_kind(heading) != kind] == []
    assert [heading for heading in headings if not states(kind, heading)] == []


@pytest.mark.parametrize(
    "title",
    [
        *("Décisions à valider AVANT démarrage plan", "Décisions du propriétaire attendues"),
        *("Decisões do cliente sobre cores", "Las tareas del servidor", "Règles de pare-feu", "Regole del gioco"),
        *("What to do on a crash", "Rejected promises", "Decision engine", "Blocking I/O", "Rules engine rewrite"),
        *("Vragen over het schema", "Правила маршрутизации", "Was gemacht wurde"),
        *(
            "决策树算法",
            "待办应用的设计",
            "ルールエンジンの実装",
            "결정 트리 구현",
            "Regeln der Firewall",
            "Offene Ports",
        ),
        *("Reglas del juego", "Próximos eventos del servidor", "Choix du serveur par le client", "Принципы работы SQL"),
    ],
)
def test_a_subject_with_such_a_word_names_no_list(title: str) -> None:
    """A heading that says more than a kind's name is a subject: `Règles de pare-feu` are the firewall's."""
    assert heading_kind(title) not in ("decision", "task", "constraint", "question")


@pytest.mark.parametrize(
    "title", ["Inmediatos (hoy)", "Court terme", "Hohe Priorität", "Prioridade alta", "Breve termine"]
)
def test_a_heading_that_only_ranks_goes_on_with_the_list(title: str) -> None:
    """A heading that says how urgent something is names no subject."""
    assert titles.ranks(title)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("blocker", "**Bloqueio:** a licença não chegou"),
        ("task", "Próximos passos: medir o índice"),
        ("decision", "Décision : garder SQLite"),
        ("task", "Da fare: misurare l'indice"),
        ("question", "Open vraag: hoe groot wordt dit?"),
        ("decision", "決定: SQLite を使う"),
        *(("decision", "Decisión tomada: usar SQLite"), ("decision", "Решили: остаёмся на SQLite")),
        *(("question", "Zu klären: wie groß wird das?"), ("question", "미정: 저장소 위치")),
        *(
            ("task", "遗留问题：导出按钮没有反应"),
            ("task", "やること: テストを書く"),
            ("task", "다음 단계: 테스트 작성"),
        ),
        *(("dead end", "Descartado: Redis, pesa demasiado"), ("dead end", "Отвергнуто: Redis, слишком тяжело")),
    ],
)
def test_a_label_names_its_kind_in_each_language(kind: str, text: str) -> None:
    """A label names what its words are."""
    assert label_kind(text) == kind


@pytest.mark.parametrize(
    ("title", "words"),
    [
        *(("JAMAIS FAIRE", "Déployer sans tests"), ("Qué no hacer", "Subir a producción el viernes")),
        *(("Чего не делать", "Править базу руками"), ("하지 말 것", "금요일에 배포"), ("やらないこと", "金曜の公開")),
    ],
)
def test_what_a_heading_forbids_is_told_with_it_in_each_language(title: str, words: str) -> None:
    """Below a heading that forbids the item alone would say the opposite."""
    assert titles.under(title, words) == f"{title}: {words}"


def test_a_number_in_chinese_is_none_of_the_name() -> None:
    """A heading begins with its number in any way to write one; a word that begins with such a sign is left."""
    assert [heading_kind(f"{number}待办") for number in ("三、", "（十二）", "第二章 ", "③ ", "3. ")] == ["task"] * 5
    assert heading_kind("一致性规则引擎") == ""
