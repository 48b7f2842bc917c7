"""What a record is about, where only the heading above says it."""

from __future__ import annotations

import pytest

from sleep.documents.hand import subject

LOG = "2026-03-01 — Daily notes"


@pytest.mark.parametrize(
    ("words", "sections", "told"),
    [
        ("waiting for Ana's decision", (LOG, "Mail import blocked"), "Mail import blocked: waiting for Ana's decision"),
        ("Option: keep both", (LOG, "15:57 – Edge routing (open)"), "Edge routing — Option: keep both"),
        ("Add more of them", (LOG, "8:30am — Mail import"), "Mail import: Add more of them"),
        ("**Next:** write the docs", (LOG, "Mail import ✅"), "Mail import: write the docs"),
        ("**Never:** Send twice.", (LOG, "Mail import"), "Mail import — Never: Send twice."),
        ("Test the flow again", (LOG, "Mail import", "**Two tests still fail:**"), "Mail import: Test the flow again"),
        ("Create method handles", (LOG, "Method references"), "Method references: Create method handles"),
        ("Add more of them", (LOG, "Next steps", "**Expand the Tests**:"), "Expand the Tests: Add more of them"),
        ("Add more of them", (LOG, "**Mail Tests:** consider these ways:"), "Mail Tests: Add more of them"),
        ("Add more of them", ("# Gates — Session Log", "Next steps"), "Add more of them"),
        ("Validar todo", ("# Bitácora del proyecto", "Próximos pasos"), "Validar todo"),
        ("Add more of them", ("Mail import (append only — ten at most)",), "Mail import: Add more of them"),
        ("Add more of them", ("# Gates — Worklog", "Next steps", "High priority"), "Add more of them"),
        ("**Decision needed:**", (LOG, "Access of the edge"), "Access of the edge: Decision needed"),
        ("warten auf die Freigabe", (LOG, "Rechnungslauf"), "Rechnungslauf: warten auf die Freigabe"),
        ("还没有发送", (LOG, "邮件导入"), "邮件导入: 还没有发送"),
    ],
)
def test_heading_above_says_what_the_words_leave_out(words: str, sections: tuple[str, ...], told: str) -> None:
    assert subject.with_subject(words, sections) == told


@pytest.mark.parametrize(
    ("words", "sections"),
    [
        ("The imported mail is not sent yet", (LOG, "Mail import")),  # says so itself
        ("Does MailGate wait for it?", (LOG, "MailGate decision")),  # names it
        ("Needs `import --all` again", (LOG, "Mail import", "Open items")),  # a list of many things
        ("waiting for Ana's decision", (LOG, "Session 14 (10:03)")),
        ("waiting for Ana's decision", (LOG, "Next steps")),
        ("Ana waits for " + "one more of the many answers " * 5, (LOG, "Mail import")),  # long enough to be understood
    ],
)
def test_words_that_name_what_they_are_about_stay(words: str, sections: tuple[str, ...]) -> None:
    assert subject.with_subject(words, sections) == words


@pytest.mark.parametrize(
    ("heading", "says"),
    [
        ("REST API of the shop", "REST API of the shop"),
        ("14:05 TEST coverage", "TEST coverage"),
        ("UTC of the shop", "UTC of the shop"),
        ("14:05 GMT — Mail import", "Mail import"),
        ("9:30 PM PST: Mail import", "Mail import"),
        ("14:05 Uhr – Rechnungslauf", "Rechnungslauf"),
        ("Mail import — 10:00 pm", "Mail import"),
        ("12:21 PM PST — 0Latency Launch Prep ✅", "0Latency Launch Prep"),
        ("3D printing", "3D printing"),
        ("3 ways of import", "ways of import"),
        ("12. März", ""),
        ("Donnerstag, 12. März 2026", ""),
        ("12 de marzo de 2026", ""),
        ("12 de marzo de 2026: Importación", "Importación"),
        ("среда, 12 марта 2026 г.", ""),
        ("2026年3月12日（木）", ""),
        ("3月13日 星期五", ""),
        ("2026年3月12日 邮件导入", "邮件导入"),
        ("2026년 3월 12일 목요일", ""),
        ("Release of 12 March 2026", "Release of 12 March 2026"),
        ("Active Decisions and Considerations", ""),
        ("Important Patterns and Preferences", ""),
        ("Known Issues", ""),
        ("Bekannte Probleme", ""),
        ("Letzte Änderungen", ""),
        ("已知问题", ""),
        ("已知问题和限制", ""),
        ("当前工作重点", ""),
        ("风险控制", "风险控制"),
        ("Thu, 12 Mar 2026", ""),
        ("2026-03-12 Thu", ""),
        ("Do., 12.03.2026", ""),
        ("jeu. 12 mars 2026", ""),
        ("donderdag 12 maart 2026", ""),
        ("чт, 12 марта 2026 г.", ""),
        ("Freitag, 13. März – Hafen", "Hafen"),
        ("March 13 - Mail import", "Mail import"),
        ("3月13日 邮件导入", "邮件导入"),
        ("V2 - Mail import", "V2 - Mail import"),
        ("Risk engine", "Risk engine"),
    ],
)
def test_clock_before_or_behind_a_title_is_no_subject_and_capitals_are(heading: str, says: str) -> None:
    assert subject.of_heading(heading) == says


def test_subject_of_a_list_of_a_kind_is_further_up_only_for_words_that_name_nothing() -> None:
    sections = (LOG, "Mail import", "Open items")
    assert subject.with_subject("write the docs", sections) == "Mail import: write the docs"
    assert subject.with_subject("write docs for PR #14", sections) == "write docs for PR #14"
