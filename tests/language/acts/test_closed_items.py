"""Items of open lists that are done or none: told by a mark of their own in each language."""

from __future__ import annotations

import pytest
from imported_page import records

from sleep.language.acts import no_records
from sleep.language.acts.grammar import has
from sleep.language.acts.open_items import is_closed
from sleep.records.classification import text_kind

CLOSED = (
    *("DONE: Write the manual", "Write the manual — done", "X → resolved", "Fix the login ✅", "Fix it (fixed)"),
    *("Buy a server (cancelled)", "Old export - dropped", "Login (done 2026-03-01)", "[done] Move the log"),
    *(
        "【已完成】迁移模块",
        "[已完成] 迁移模块",
        "已完成：迁移模块",
        "迁移模块 ✅",
        "迁移模块（已解决）",
        "迁移模块（完成）",
    ),
    *(
        "迁移模块（已取消）",
        "迁移模块 → 已修复",
        "移行（完了）",
        "移行 → 完了",
        "【完了】移行",
        "完了：移行",
        "移行（対応済み）",
    ),
    *(
        "済: 移行",
        "移行（済）",
        "移行（中止）",
        "이전 (완료)",
        "이전 → 완료",
        "[완료] 이전",
        "완료: 이전",
        "이전 — 완료됨",
        "이전 (취소)",
    ),
    *("Umzug (erledigt)", "Umzug – erledigt", "Umzug → erledigt", "ERLEDIGT: Umzug", "Umzug – entfällt"),
    *("✅ No stones: they came", "Stones (all resolved)", "Fragen (alle geklärt)", "迁移模块（全部完成）"),
    *("Umzug (umgesetzt am 12.09.2026)", "Mover (hecho)", "Mover → resuelto", "HECHO: mover", "Mover — listo"),
    *(
        "Mover (feito)",
        "Mover → concluído",
        "Migrer (fait)",
        "Migrer — terminé",
        "Перенести (готово)",
        "Перенести — отменено",
    ),
)
OPEN = (
    *("Write the manual (not done)", "Layout (fixed width)", "Move it (closed beta)", "Done by Friday: the manual"),
    *(
        "Write down what is done",
        "迁移模块（待完成）",
        "迁移模块（完成 80%）",
        "完成迁移",
        "移行（未完了）",
        "이전 (진행 중)",
    ),
    *("Move it (done 3/4)", "Move it (done, except the log)", "Wall ❌, gate ✅", "✅ wall, gate in progress"),
    *("Umzug (noch nicht erledigt)", "Fertig werden mit dem Umzug", "Mover (por hacer)", "Migrer (à faire)"),
)
NONE = (
    *("Keine.", "keine", "_keine_", "_none_", "None", "derzeit keine", "nichts", "Keine offenen Fragen", "特になし"),
    *("_нет_", "Пока нет", "отсутствуют", "—", "_ninguna_", "no hay", "No hay bloqueos", "_nenhuma_", "não há"),
    *(
        "Não há bloqueios",
        "_aucune_",
        "rien",
        "néant",
        "目前没有",
        "目前无阻塞",
        "无阻塞项",
        "现阶段暂无",
        "現時点ではなし",
    ),
    *("현재 없음", "해당 없음", "Scope-changing вопросов нет. Всё решено.", "Keine, alles ist freigegeben"),
)
SOME = (
    *("Keine Playwright-Abdeckung der Anmeldung.", "Ninguna prueba cubre la exportación", "没有测试覆盖导出"),
    *("Aucun test ne couvre l'export", "Нет тестов для экспорта", "Нет резервной копии базы данных", "无法连接数据库"),
    *("Nenhum teste cobre a exportação", "テストがない", "백업이 없음을 확인할 것", "Nichts davon ist dokumentiert"),
)
ANSWERED = (
    *(
        "Which stone? → granite",
        "**Which stone?** -> granite",
        "**Stone or brick** → stone for now",
        "谁来付款？→ 安娜",
    ),
    *(
        "Who pays? **Answered:** Ana",
        "When? (resolved: in May)",
        "Wer zahlt? Antwort: Ana",
        "¿Quién paga? Respuesta: Ana",
    ),
    *("**Question: Is it stone?**\n**Answer: YES**, of the hill.", "Which stone?\n  - Answer: granite"),
    *("Which stone?\n  - brick is cheap\n  - **Decided**: granite", "Кто платит?\n  - Ответ: Ана"),
)
ASKED = (
    *("Which stone?", "Which way → north or south?", "Ask who answered", "Which stone?\n  - granite\n  - brick"),
    *(
        "Which stone?\nOf the hill.\n- Answer: granite",
        "Who answered?",
        "Is it resolved?",
        f"{'Who pays, and ' * 20}who? → Ana",
    ),
)


@pytest.mark.parametrize("item", CLOSED)
def test_an_item_that_is_marked_as_done_is_closed(item: str) -> None:
    """Below a list of what is open it is told as what was done, and never as a task."""
    assert is_closed(item)
    assert text_kind(item, "task") == text_kind(item, "question") == "change"


@pytest.mark.parametrize("item", OPEN)
def test_other_words_of_being_done_close_nothing(item: str) -> None:
    """What is denied, half done, or only speaks of something that is done, stays open."""
    assert not is_closed(item)


@pytest.mark.parametrize("item", NONE)
def test_a_word_for_none_is_no_record(item: str) -> None:
    """An empty list that says so in any language has no blocker and no question."""
    assert {text_kind(item, kind) for kind in ("task", "question", "blocker")} == {"note"}


@pytest.mark.parametrize("item", SOME)
def test_something_that_is_missing_is_no_empty_list(item: str) -> None:
    """A point that begins with a word for none is a point: there are no tests for the export."""
    assert not has(item, "signs.nothing")
    assert text_kind(item, "blocker") != "note"


def test_a_choice_that_was_struck_out_behind_its_day_stands_no_more() -> None:
    """It is none of what stands, unless another was written in its place."""
    assert text_kind("2026-06-12: ~~pause all features~~ → outdated", "decision") == "change"
    assert text_kind("2026-06-12: ~~use Redis~~ use SQLite", "decision") == "decision"


@pytest.mark.parametrize("question", ANSWERED)
def test_a_question_with_its_answer_is_answered(question: str) -> None:
    """The answer stands behind an arrow or a word for it, in the next line, or in an item below."""
    assert no_records.is_answered(question)


@pytest.mark.parametrize("question", ASKED)
def test_a_question_without_an_answer_stays_asked(question: str) -> None:
    """Options, an arrow inside it, what stands beside it in the list, and what comes far behind answer nothing."""
    assert not no_records.is_answered(question)


@pytest.mark.parametrize(
    ("page", "stated"),
    [
        ("## Open questions\n\n- Which stone? → Granite\n- Who pays?\n", ["question: Who pays?"]),
        ("## Open questions\n\n- Who pays? **Answered:** Ana\n", []),
        ("## Open questions\n\n- Which stone?\n  - Answer: granite\n", []),
        ("**Question: Is it stone?**\n**Answer: YES**, of the hill.\n", []),
        ("## Blockers\n\n- No key for the gate\n  - Resolved: it was under the mat\n", []),
        ("## Open questions (resolved)\n\n- Which stone?\n- Who pays?\n", []),
        ("## Open questions (resolved)\n\n### Stones\n\n- Which stone?\n", []),
        ("## Resolved questions\n\n- Which stone?\n", []),
        ("## Offene Fragen (geklärt)\n\n- Wer zahlt?\n", []),
        ("## Open questions (partly resolved)\n\n- Which stone?\n", ["question: Which stone?"]),
        ("## Blockers\n\n- ✅ No stones: they came\n- No key for the gate\n", ["blocker: No key for the gate"]),
        ("## Next steps (cancelled)\n\n- Paint the wall\n", []),
        ("## Next steps\n\n- [ ] Paint the wall (cancelled)\n- [ ] Paint it\n", ["task: Paint it"]),
        ("## Aufgaben\n\n- [ ] Mauer streichen (entfällt)\n", []),
        ("## Next steps\n\n- [ ] ~~Paint the wall~~\n", []),
    ],
)
def test_an_imported_page_states_no_question_that_it_answers(page: str, stated: list[str]) -> None:
    """What is answered, ticked or given up, by itself or by its heading, is not open; the other points stand."""
    assert [record for record in records(page) if not record.startswith("change")] == stated
