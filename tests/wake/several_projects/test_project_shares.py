"""What share of the room each project has."""

from __future__ import annotations

import pytest

from sleep.wake.several_projects import project_shares


def test_all_have_the_same():
    """Without a task that names one, projects have the same share, what is of none first, then the newest."""
    shares = project_shares.divide(("", "web", "api", "infra"), "mend the tests", 4_000)
    assert shares.parts == (("", 0.25), ("web", 0.25), ("api", 0.25), ("infra", 0.25))
    assert shares.asked == ()


def test_whom_a_task_names_has_most():
    """A project that the task names is told first, with three quarters of the room."""
    shares = project_shares.divide(("", "web", "api"), "go on with the API tests", 4_000)
    assert shares.order == ("", "api", "web")
    assert dict(shares.parts)["api"] == 0.75
    assert sum(share for _, share in shares.parts) == pytest.approx(1)


def test_where_room_is_short_the_newest_are_told():
    """Where there is no room for all, the newest are told, and always the one that a task names."""
    names = ("", *(f"p{number}" for number in range(9)))
    shares = project_shares.divide(names, "", 400)
    assert [name for name, _ in shares.parts] == ["", "p0", "p1", "p2"]
    assert shares.others == names[4:]
    assert project_shares.divide(names, "p8", 100).parts[1][0] == "p8"


@pytest.mark.parametrize(
    ("task", "is_named"), [("cli-summaries", True), ("the CLI summaries", True), ("summaries of the cli", False)]
)
def test_a_name_is_its_words_in_a_row(task, is_named):
    """A task names a project by its words, one after the other."""
    assert project_shares.is_named("cli-summaries", task) == is_named


def test_who_works_in_one_leaves_the_others_no_share():
    """A project that the reader works in has three quarters, and the others nothing but what it leaves."""
    shares = project_shares.divide(("", "web", "api", "infra"), "mend the tests", 4_000, "api")
    assert shares.parts == (("", 0.25), ("api", 0.75))
    assert shares.others == ("web", "infra")
    assert project_shares.divide(("", "web"), "", 4_000, "new") == project_shares.divide(("", "web"), "", 4_000)
