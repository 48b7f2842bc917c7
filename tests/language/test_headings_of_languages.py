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


@pytest.mark.parametrize(("kind", "title"), [(kind, title) for kind, titles in HEADINGS.items() for title in titles])
def test_a_heading_names_its_kind_in_each_language(kind: str, title: str) -> None:
    """The heading names the kind, and what is listed below it is stated."""
    assert heading_kind(title) == kind
    assert states(kind, title)


@pytest.mark.parametrize(
    "title",
    [
        *("Décisions à valider AVANT démarrage plan", "Décisions du propriétaire attendues"),
        *("Decisões do cliente sobre cores", "Las tareas del servidor", "Règles de pare-feu", "Regole del gioco"),
        *("What to do on a crash", "Rejected promises", "Decision engine", "Blocking I/O", "Rules engine rewrite"),
        *("Vragen over het schema", "Правила маршрутизации", "Was gemacht wurde"),
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
    ],
)
def test_a_label_names_its_kind_in_each_language(kind: str, text: str) -> None:
    """A label names what its words are."""
    assert label_kind(text) == kind
