"""Tables of records in other languages: which column is the choice, which its reason, and which rows are done."""

from __future__ import annotations

import pytest

from sleep.journal.imports import table_records

# The heading, the names of the columns, a row, and the words, reason and alternatives that are told of it.
CHOICES = (
    ("决策", "决策 | 依据", "直读系统缩略图库 | 实测很快", "直读系统缩略图库", "实测很快", ""),
    ("总览", "日期 | 决策 | 原因", "2026-04-14 | 评论先审后发 | 防止骚扰", "评论先审后发", "防止骚扰", ""),
    ("技术选型", "领域 | 选择 | 理由", "语言 | 用 Kotlin 1.9 | 平台标准", "语言: 用 Kotlin 1.9", "平台标准", ""),
    (
        "決定事項",
        "論点 | 決定 | 根拠",
        "対象 | 日本の観測のみとする | キー不要",
        "対象: 日本の観測のみとする",
        "キー不要",
        "",
    ),
    ("結論", "決定内容 | 決定理由", "既存パターンを踏襲する | 実績がある", "既存パターンを踏襲する", "実績がある", ""),
    (
        "결정 사항",
        "영역 | 선택 | 이유",
        "언어 | Kotlin 1.9+ | 안드로이드 표준",
        "언어: Kotlin 1.9+",
        "안드로이드 표준",
        "",
    ),
    ("Übersicht", "Bereich | Entscheidung | Grundlage", "Name | Atlas | Vorgabe", "Name: Atlas", "Vorgabe", ""),
    ("Entscheidungen", "Bereich | Wahl | Grund", "Sprache | Rust | ein Team", "Sprache: Rust", "ein Team", ""),
    ("Décisions", "Décision | Justification", "Un modal unique | plus direct", "Un modal unique", "plus direct", ""),
    ("Resumen", "# | Decisión | Razón", "16 | Usar un id propio | una entrega", "Usar un id propio", "una entrega", ""),
    ("Решения", "Решение | Обоснование", "Сайт без бэкенда | проще", "Сайт без бэкенда", "проще", ""),
    (
        *("Decisiones tomadas", "Decisión | Elegido | Descartado y por qué"),
        *("Base de datos | Postgres | PGlite: de terceros", "Base de datos: Postgres", "", "PGlite: de terceros"),
    ),
    ("Decisions", "Decision | Chosen | Why", "Database | Postgres | one team", "Database: Postgres", "one team", ""),
)
DONE = (
    *(("残タスク", "タスク | 状態", "保存層を移行する | 完了"), ("할 일", "작업 | 상태", "저장소를 이전한다 | 완료")),
    *(
        ("Pendientes", "Tarea | Estado", "Migrar el almacén | hecho"),
        ("Offene Fragen", "Frage | Stand", "Wer prüft? | geklärt"),
    ),
    *(
        ("待办", "任务 | 状态", "迁移存储层 | ✅ 已完成"),
        ("Pendências", "Tarefa | Situação", "Migrar tudo | concluído"),
    ),
)


def _drafts(heading: str, head: str, row: str):
    rule = "|" + " --- |" * (head.count("|") + 1)
    return table_records.drafts(f"# Log\n\n## {heading}\n\n| {head} |\n{rule}\n| {row} |\n", "log.md")


@pytest.mark.parametrize("case", CHOICES, ids=lambda case: case[1])
def test_a_row_is_a_choice_with_its_reason(case):
    """The choice is told behind what it is about, with its reason, below any heading where a column is named for it."""
    heading, head, row, words, why, others = case
    (draft,) = _drafts(heading, head, row)
    fields = dict(draft.fields)
    assert (draft.kind, draft.title) == ("decision", words)
    assert (fields.get("why", ""), fields.get("alternatives", "")) == (why, others)


@pytest.mark.parametrize("case", DONE, ids=lambda case: case[0])
def test_a_row_that_is_done_states_nothing(case):
    """A row with such a status is no open record in any language; another is."""
    heading, head, row = case
    assert _drafts(heading, head, row) == ()
    assert len(_drafts(heading, head, row.rpartition("|")[0] + "| ?")) == 1


def test_what_was_tried_in_vain_is_told_below_its_heading():
    """A table below rejected alternatives lists dead ends, though nothing of it holds."""
    (draft,) = _drafts("Alternativas descartadas", "Opción | Motivo", "Usar PGlite como base | de terceros")
    assert (draft.kind, dict(draft.fields)["why"]) == ("dead end", "de terceros")
