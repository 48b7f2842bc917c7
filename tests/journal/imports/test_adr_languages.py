"""Decision records in other languages: their parts by their headings, and what their status says of them."""

from __future__ import annotations

import pytest

from sleep.journal.imports import adr

PARTS = {  # the headings of status, context, decision and reason
    "de": ("Status", "Kontext", "Entscheidung", "Begründung"),
    "es": ("Estado", "Contexto", "Decisión", "Justificación"),
    "pt": ("Situação", "Contexto", "Decisão", "Justificativa"),
    "fr": ("Statut", "Contexte", "Décision", "Justification"),
    "it": ("Stato", "Contesto", "Decisione", "Motivazione"),
    "nl": ("Status", "Context", "Besluit", "Onderbouwing"),
    "ru": ("Статус", "Контекст", "Решение", "Обоснование"),
    "zh": ("状态", "背景", "决策", "理由"),
    "ja": ("ステータス", "背景", "決定", "決定理由"),
    "ko": ("상태", "배경", "결정", "이유"),
}
STATES = {
    "standing": (
        *(("de", "Angenommen"), ("es", "Aceptado"), ("fr", "Acceptée"), ("ru", "Принято"), ("zh", "已接受")),
        *(("ja", "承認"), ("ko", "승인됨"), ("pt", "Aceito"), ("it", "Accettata"), ("nl", "Aanvaard")),
    ),
    "reversed": (
        *(("de", "Abgelehnt"), ("es", "Rechazado"), ("pt", "Rejeitada"), ("fr", "Rejeté"), ("it", "Respinta")),
        *(
            ("nl", "Afgewezen"),
            ("ru", "Отклонено"),
            ("zh", "已拒绝"),
            ("ja", "却下"),
            ("ko", "기각됨"),
            ("zh", "已废弃"),
        ),
    ),
    "proposed": (
        *(("de", "Vorgeschlagen"), ("es", "Propuesta"), ("pt", "Proposto"), ("fr", "Proposée"), ("it", "Bozza")),
        *(("nl", "Voorgesteld"), ("ru", "На рассмотрении"), ("zh", "提议中"), ("ja", "提案中"), ("ko", "검토 중")),
    ),
    "superseded": (
        *(("de", "Ersetzt durch ADR-0002"), ("es", "Reemplazado por ADR-0002"), ("fr", "Remplacé par ADR-0002")),
        *(("pt", "Substituída por ADR-0002"), ("ru", "Заменено на ADR-0002"), ("zh", "已被 ADR-0002 取代")),
        *(("ja", "ADR-0002 に置き換え"), ("ko", "ADR-0002로 대체됨"), ("it", "Sostituito da ADR-0002")),
    ),
}


def _record(language: str, status: str) -> adr.Adr:
    state, context, decision, why = PARTS[language]
    text = (
        f"# ADR-0011 Redis\n\n## {state}\n\n{status}\n\n## {context}\n\nX.\n\n## {decision}\n\nY.\n\n## {why}\n\nZ.\n"
    )
    record = adr.read(text, "0011-redis.md")
    assert record is not None
    return record


@pytest.mark.parametrize(
    ("state", "language", "status"), [(state, *case) for state, cases in STATES.items() for case in cases]
)
def test_the_status_is_read_in_each_language(state: str, language: str, status: str) -> None:
    """What was rejected, only proposed or replaced does not stand, and what takes its place is known by its number."""
    record = _record(language, status)
    assert record.state == state
    assert record.successors == (("2",) if state == "superseded" else ())


@pytest.mark.parametrize("language", PARTS)
def test_the_parts_are_read_in_each_language(language: str) -> None:
    """A record has its title, its decision and its reason, whatever its headings are called."""
    record = _record(language, "")
    assert (record.title, record.says, record.why) == ("Redis", "Y.", "Z.")


def test_a_line_says_the_status_and_the_day() -> None:
    """`状态：` and `日期：` say them as `Status:` and `Date:` do; a motivation is still the context."""
    text = "# Redis\n\n- 状态：已拒绝\n- 日期：2026-03-01\n\n## 背景\n\n慢\n\n## 决策\n\n采用\n"
    record = adr.read(text, "0001-redis.md")
    assert record is not None
    assert (record.state, record.date) == ("reversed", "2026-03-01")
    english = adr.read("# R\n\n## Context\n\nA.\n\n## Motivation\n\nB.\n\n## Decision\n\nC.\n", "0001-r.md")
    assert english is not None
    assert english.why == "A."


def test_parts_behind_bold_words_are_read() -> None:
    """`**决策**：` leads to a part as `**Decision**:` does."""
    record = adr.read("# ADR-5 Redis\n\n**状态**：已拒绝\n\n**背景**：慢\n\n**决策**：采用 Redis\n", "5.md")
    assert record is not None
    assert (record.state, record.says, record.why) == ("reversed", "采用 Redis", "慢")
