"""What a reader knows: points within four lines, outdated ones beside what corrects them, and answers."""

from __future__ import annotations

from sleep.evaluation import brief
from sleep.review.checklist import OUTDATED, POINT, QUESTION, Item

KNOWN = brief.of_memory(
    [
        Item(POINT, "The lock is a file", (("lock", "NFS"), ("flock",)), 3),
        Item(POINT, "Releases are cut on Monday mornings"),
        Item(OUTDATED, "Hourly backups", (("every  hour",),), 1, ("five minutes",)),
        Item(QUESTION, "Why a file?", (("NFS",),)),
        Item(QUESTION, "Who owns it?", (("Ada",),)),
        Item(QUESTION, "What does she earn?", has_answer=False),
    ]
)


def test_a_point_is_told_within_four_lines():
    """All parts of one way to say it stand within four lines that say something; blank ones do not count."""
    near = "The lock\n\nis\n--\na\nfile for NFS"
    far = "The lock\nis\na\nfile\nfor NFS"
    assert brief.score(KNOWN, near, 100).share == 0.75
    assert brief.score(KNOWN, far, 100).share == 0.0
    assert brief.score(KNOWN, far.replace("lock", "flock"), 100).share == 0.75


def test_without_a_way_its_own_words_tell_a_point():
    """Six of ten of its words are enough, and a text is cut at the budget first."""
    assert brief.score(KNOWN, "On Monday releases are cut", 100).missing == ("The lock is a file",)
    assert len(brief.score(KNOWN, "On Monday releases are cut", 2).missing) == 2


def test_what_is_outdated_counts_unless_it_is_said():
    """What no longer holds is told as if it held unless what corrects it stands within the same lines."""
    assert brief.score(KNOWN, "Backups run every\nhour", 100).outdated == ("Hourly backups",)
    assert brief.score(KNOWN, "Backups run every hour until we took five minutes", 100).outdated == ()


def test_answers_are_counted_by_budget():
    """An answer counts where it stands early enough; one that is not sure is right where there is no answer."""
    texts = {"Why a file?": ("It is for NFS", True), "Who owns it?": ("x" * 1000 + " Ada", False)}
    found = brief.answers(KNOWN, lambda question, _: texts.get(question, ("", False)))
    assert found == brief.Answers(2, ((200, 1), (1000, 2)), 1, 1, 1, ())


def test_the_harness_is_read_by_its_expressions():
    """A project's ways are regular expressions, its questions without an answer are told by a mark."""
    known = brief.of_harness(
        {
            "points": [{"point": "p", "importance": 2, "match": [["a.b", "c"]]}],
            "stale": [{"point": "s", "match": [["old"]], "current_if_without": ["was"]}],
            "questions": [{"q": "q", "unanswerable": True}, {"q": "r", "match": [["x"]]}],
        }
    )
    assert brief.score(known, "A-B and C, old", 100)[1:] == (1.0, (), ("s",))
    assert brief.score(known, "it was old", 100).outdated == ()
    assert [question.ways is None for question in known.questions] == [True, False]
