"""The table of the requirements: one test a criterion, none left out."""

from __future__ import annotations

import pytest

from dev import criteria

COUNTS = (28, 15, 27, 16, 21, 11)  # and 1.26a


@pytest.mark.parametrize("at", range(len(COUNTS)))
def test_every_criterion_has_its_test(at):
    """The criteria of a document are there, each once, in order, and a test has the name of its number."""
    found = criteria.read(criteria.DOCUMENTS[at][0])
    numbers = [one.number for one in found if one.number != "1.26a"]
    assert numbers == [f"{at + 1}.{number}" for number in range(1, COUNTS[at] + 1)]
    assert [one.test for one in found] == [f"test_{one.number.replace('.', '_')}" for one in found]


def test_a_criterion_in_another_form_is_refused(tmp_path, monkeypatch):
    """A test without number and words is named."""
    monkeypatch.setattr(criteria, "FOLDER", tmp_path)
    (tmp_path / "x.py").write_text('def test_x():\n    """It works."""\n')
    with pytest.raises(ValueError, match="test_x"):
        criteria.read("x.py")


def test_what_is_owed_is_no_deviation_and_not_met(tmp_path, monkeypatch):
    """A test that is known to fail is told as not met, with its reason."""
    monkeypatch.setattr(criteria, "FOLDER", tmp_path)
    monkeypatch.setattr(criteria, "DOCUMENTS", (("x.py", "X"),))
    mark = '@pytest.mark.xfail(strict=True, reason="it is slow")\n'
    (tmp_path / "x.py").write_text(f'{mark}def test_9_1():\n    """9.1: It is fast.\n\n    Deviates: ADR 5\n    """\n')
    assert "| 9.1 | It is fast | not met: it is slow |  | `test_9_1` |" in criteria.page()
    (tmp_path / "x.py").write_text(
        'def test_9_1():\n    """9.1: A | B.\n\n    Deviates: docs/names.md\n    """\n    c.do("sleep")\n'
    )
    assert "| 9.1 | A \\| B | deviates: [docs/names.md](names.md) | `sleepwake sleep` | `test_9_1` |" in criteria.page()
