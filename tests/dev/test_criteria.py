"""The table of the requirements: one test a criterion, none left out."""

from __future__ import annotations

import pytest

from dev import criteria

COUNTS = (28, 15, 27, 16, 21, 11)  # and 1.26a


@pytest.mark.parametrize("at", range(len(COUNTS)))
def test_every_criterion_has_its_test(at):
    """The criteria of a document are there, each once, in order."""
    found = criteria.read(criteria.DOCUMENTS[at][0])
    numbers = [one.number for one in found if one.number != "1.26a"]
    assert numbers == [f"{at + 1}.{number}" for number in range(1, COUNTS[at] + 1)]


def test_a_criterion_in_another_form_is_refused(tmp_path, monkeypatch):
    """A test without number and words is named."""
    monkeypatch.setattr(criteria, "FOLDER", tmp_path)
    (tmp_path / "x.py").write_text('def test_x():\n    """It works."""\n')
    with pytest.raises(ValueError, match="test_x"):
        criteria.read("x.py")


def test_a_test_of_another_name_is_refused(tmp_path, monkeypatch):
    """A test whose name is not its number is named, for the page says that it is."""
    monkeypatch.setattr(criteria, "FOLDER", tmp_path)
    (tmp_path / "x.py").write_text('def test_x():\n    """9.1: It works."""\n')
    with pytest.raises(ValueError, match="test_x: the test of"):
        criteria.read("x.py")


def test_what_is_owed_is_no_deviation_and_not_met(tmp_path, monkeypatch):
    """A test that is known to fail is told as not met, with its reason."""
    monkeypatch.setattr(criteria, "FOLDER", tmp_path)
    monkeypatch.setattr(criteria, "DOCUMENTS", (("x.py", "X"),))
    mark = '@pytest.mark.xfail(strict=True, reason="it is slow")\n'
    (tmp_path / "x.py").write_text(f'{mark}def test_9_1():\n    """9.1: It is fast.\n\n    Deviates: ADR 5\n    """\n')
    assert "| 9.1 | It is fast | not met: it is slow |  |" in criteria.page()
    (tmp_path / "x.py").write_text(
        'def test_9_1():\n    """9.1: A | B.\n\n    Deviates: docs/names.md\n    """\n    c.do("sleep")\n'
    )
    assert "| 9.1 | A \\| B | deviates: [docs/names.md](names.md) | `sleepwake sleep` |" in criteria.page()


def test_the_page_begins_with_what_is_otherwise(tmp_path, monkeypatch):
    """Before the tables stands how many criteria a document has, and the numbers of those not met as asked."""
    monkeypatch.setattr(criteria, "FOLDER", tmp_path)
    monkeypatch.setattr(criteria, "DOCUMENTS", (("x.py", "X"),))
    tests = [
        'def test_9_1():\n    """9.1: A."""\n',
        'def test_9_2():\n    """9.2: B.\n\n    Deviates: ADR 5\n    """\n',
    ]
    (tmp_path / "x.py").write_text("".join(tests))
    assert criteria.page().partition("\n## X\n")[0].splitlines()[2:] == ["| X | 2 | 9.2 | `tests/requirements/x.py` |"]
