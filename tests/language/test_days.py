"""Days as people write them."""

from __future__ import annotations

import pytest

from sleep.language import dates, days


@pytest.mark.parametrize(
    "text",
    [
        *(
            "2023-12-29",
            "2023/12/29",
            "2023.12.29",
            "29.12.2023",
            "29. 12. 2023",
            "29/12/2023",
            "12/29/2023",
            "29-12-2023",
        ),
        *("29 December 2023", "29th of December, 2023", "December 29, 2023", "Dec 29 2023", "29-Dec-2023"),
        *("29. Dezember 2023", "29. Dez. 2023", "29 décembre 2023", "29 de diciembre de 2023", "29 dezembro 2023"),
        *("29 dicembre 2023", "29 декабря 2023", "2023年12月29日", "2023 年 12 月 29 日", "2023년 12월 29일"),
        *("2023. 12. 29.", "2023. 12. 29. (금)"),
        *("Freitag, 29. Dezember 2023", "notes of 29.12.2023, second part", "v1.2 of 29.12.2023."),
    ],
)
def test_a_day_is_read(text):
    """A day in any of the forms is the same ISO day."""
    assert days.first(text) == "2023-12-29"


@pytest.mark.parametrize(
    "text",
    [
        *("05/08/2023", "5-8-2023", "30.02.2023", "29/12/23", "1.29.12.2023", "12 apples 2023", "2023-13-01", "2023"),
        *("2023.2.9.1", "2023. 12 apples", "2023/13/1", "v2023.2.31"),
    ],
)
def test_what_may_be_two_days_is_none(text):
    """Nothing is guessed, and what is no day of the calendar is none."""
    assert days.first(text) == ""


def test_other_dates_of_a_document_settle_the_order():
    """`05/08/2023` is read as the document's other dates are; where they disagree it is not read."""
    assert dates.of("# 05/08/2023\n\nThen on 29/07/2023 again.") == "2023-08-05"
    assert dates.of("# 05/08/2023\n\nThen on 07/29/2023 again.") == "2023-05-08"
    assert dates.of("# 05/08/2023\n\nOn 29/07/2023 and 07/29/2023.") == ""


def test_a_date_line_is_read_in_any_form():
    """A journal is of the day that a line of its own tells, in the words of its language."""
    for line in ("Datum: 29.12.2023", "日期：2023年12月29日", "**29. Dezember 2023**", "Friday, 29 December 2023"):
        assert dates.of(f"# Notes\n\n{line}\n\nText of 3 May 2020.") == "2023-12-29", line
    assert dates.of("# Notes\n\nWe bought it on 3 May 2020.") == ""
    assert dates.line_end("Datum: 29.12.2023\nWords") == len("Datum: 29.12.2023")


def test_an_import_without_a_day_has_none():
    """What was taken in is not of the day of its import; an instance is of the day on which it began."""
    started = {"started": "2026-11-22T10:00:00Z"}
    assert dates.of_fields(started) == "2026-11-22"
    assert dates.of_fields({**started, "source": "a.md"}) == ""
    assert dates.of_fields({**started, "source": "a.md", "date": "29.12.2023"}) == "2023-12-29"
    for none in ("0000-01-01", "2026-02-30", "2026-13-01"):
        assert dates.of_fields({**started, "date": none}) == ""


@pytest.mark.parametrize("text", ["2023/2/9", "2023.2.9", "## 2023/2/9 — v55", "2023. 2. 9.", "2023년 2월 9일"])
def test_a_day_needs_no_zeros(text):
    """A month and a day of one figure are read behind a year."""
    assert days.first(text) == "2023-02-09"


@pytest.mark.parametrize(
    "line",
    [
        *(
            "Stand: 12. September 2026.",
            "> 生成时间：2026-09-12 19:31",
            "> 更新时间：2026-09-12",
            "**交接日期**: 2026年9月12日",
        ),
        *(
            "最終更新: 2026-09-12（フェーズ4）",
            "> 작업일: 2026-09-12",
            "Обновлено: 12.09.2026",
            "_Last updated: 2026-09-12_",
        ),
        *("created: 2026-09-12T08:11:12Z", "date modified: Saturday, September 12th 2026, 10:00:00 am"),
        "Created time: February 3, 2026 9:14 AM\nLast edited time: September 12, 2026 4:02 PM",
        *("> Laufender Stand. **Stand: 2026-09-12.**", "Respostas dadas em: 12/09/2026 (13/09/2026 é outra)"),
    ],
)
def test_a_line_says_when_a_page_was_written(line):
    """It is the day of the page, the last of several, whatever the headings below are about; a title says it first."""
    assert dates.of(f"# Notes\n\n{line}\n\n## The move of 2026-08-04\n\nText.") == "2026-09-12"
    assert dates.of(f"# Notes of 2026-10-01\n\n{line}\n") == "2026-10-01"
    assert dates.of("# Notes\n\nUpdated: the list that came with the release of 2026-09-12\n") == ""
