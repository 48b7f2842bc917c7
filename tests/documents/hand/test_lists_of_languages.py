"""Lists in other languages as imports read them: divided by rank, behind a line that leads to them, or empty."""

from __future__ import annotations

import pytest
from imported_page import records

from sleep.records import classification


@pytest.mark.parametrize(
    ("heading", "rank", "item"),
    [
        *(("待办", "🔴 高优先级", "把新版本发布到服务器"), ("待办", "短期", "把新版本发布到服务器")),
        *(("残タスク", "優先度高", "新しい版を公開する"), ("残タスク", "高優先度", "新しい版を公開する")),
        *(("할 일", "높은 우선순위", "새 버전을 서버에 배포"), ("Offene Punkte", "Hoch", "Neue Version ausrollen")),
        *(("Pendientes", "Alta", "Publicar la versión nueva"), ("À faire", "Priorité 1", "Publier la version")),
    ],
)
def test_a_rank_goes_on_with_the_list_above(heading, rank, item):
    """What stands below a rank is of the kind of the list, and is told without the rank."""
    assert records(f"## {heading}\n\n### {rank}\n\n- {item}\n") == [f"task: {item}"]


def test_blocker_is_the_name_of_a_list_too():
    """In German the plural is the same: each item is one, an empty list has none, and a paragraph is one."""
    items = ["Kunde hat den Zugang noch nicht freigegeben", "Zertifikat für die Testumgebung fehlt"]
    listed = "".join(f"- {item}\n" for item in items)
    assert records(f"## Blocker\n\n{listed}") == [f"blocker: {item}" for item in items]
    assert records("## Blocker\n\nKeine.\n") == records("## Blocker\n\n- keine\n") == []
    assert len(records("## Blocker\n\nThe key of the gate is missing.\n\nIt is with Ana.\n")) == 1


def test_a_line_that_leads_to_a_table_is_no_choice():
    """Below a heading of choices the name of a list right before its table is none."""
    table = "| 决策 | 依据 |\n| --- | --- |\n| 直读系统缩略图库 | 实测快 |\n"
    assert records(f"## 技术选型\n\n关键技术决策与依据：\n\n{table}") == []


def test_code_behind_a_task_is_part_of_it():
    """A line that leads to code says what to do."""
    assert records("## Next steps\n\nRun the migration on the server:\n\n```sh\nmigrate\n```\n") != []


@pytest.mark.parametrize(
    ("heading", "fields", "decision"),
    [
        ("Decisions", "Date: 2026-01-11|Team: Write|Subject: Branches|Context: One repository", "Decision: Trunk"),
        ("Décisions", "Équipe: Write|Sujet: Branches|Contexte: Plusieurs équipes|Impact: Simple", "Décision: Trunk"),
        ("Entscheidungen", "Team: Schreiben|Thema: Zweige|Alternativen: GitFlow (zu schwer)", "Entscheidung: Trunk"),
        ("决策", "团队：写入组|主题：分支策略|备选：GitFlow（太重）", "决策：主干开发加发布分支"),
    ],
)
def test_fields_of_one_decision_are_no_decisions(heading, fields, decision):
    """A list that tells one decision field by field is one."""
    items = "".join(f"- {item}\n" for item in (*fields.split("|"), decision))
    told = records(f"## {heading}\n\n{items}")
    assert len(told) == 1
    assert told[0].startswith("decision: ")


def test_choices_behind_what_they_are_about_are_each_one():
    """A list of choices by subject has no fields, though one says that it is a decision."""
    items = "- Storage: use SQLite\n- Keys: keep them in one file\n- Decision: no server at all\n"
    assert len(records(f"## Decisions\n\n{items}")) == 3


@pytest.mark.parametrize("heading", ["工作内容", "今日工作内容", "作業内容", "実装内容"])
def test_what_the_work_was_is_what_was_done(heading):
    """Such a heading of a log leads to what a session changed."""
    assert classification.heading_kind(heading) == "change"
