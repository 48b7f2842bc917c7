"""Terms: what a text speaks of."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleep.language import terms

SIGNS = st.text(alphabet="aZ9 ./_-#@`,:;!?'\n字か é*", max_size=80)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("it lives in sleep/store/step.py now", {"sleep/store/step.py", "step.py"}),
        ("it lives in src/read_item.go now", {"src/read_item.go", "read_item.go", "read_item"}),
        ("call `git commit --only` here", {"git commit --only", "--only"}),
        ("see https://example.org/a/b?c=1.", {"https://example.org/a/b"}),
        ("the Parser uses parseItem and parse_item", {"parseitem", "parse_item"}),
        ("an HTTP API, two APIs", {"http api", "http", "api"}),
        ("closes #123, T-001 and i7qxk.12", {"#123", "t-001", "i7qxk.12"}),
        ("from 1.2.3 to v2.0", {"1.2.3", "v2.0"}),
        ("commit 7ec034d of GPT-4o on k8s", {"7ec034d", "gpt-4o", "gpt", "k8s"}),
        ("The Redis Labs office. Nobody was there.", {"the redis labs", "redis labs"}),
        (
            "@AnnaLee at 192.168.9.4:80 in UTC+8",
            {"@annalee", "annalee", "192.168.9.4:80", "192.168.9.4", "utc+8", "utc"},
        ),
        ("2.0.0-beta of e89ba4e1-91fe", {"2.0.0-beta", "2.0.0", "e89ba4e1-91fe", "e89ba4e1"}),
        ("e.g. this, i.e. that, a 12-hour re-run", set()),
        ("a decade of feedback, effaced", set()),
        ("Build Every Single Thing Again Today", {"build every single thing", "again today"}),
        ("用 `MEMORY.md` 记录", {"memory.md", "memory"}),
    ],
)
def test_names(text, found):
    """A name is told by its form, and what is formed like a name inside of it is one too."""
    assert terms.names(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Then we asked Anna. Nobody else", {"anna"}),
        ("The Fashanus were there", {"fashanus"}),
        ("**Next:** Write it down", set()),
        ("使用Redis缓存", {"redis"}),
    ],
)
def test_capitals(text, found):
    """One capitalised word is a name only where no sentence begins."""
    assert terms.find(text).capitals == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("on 2026-02-17 at 10:30", {"2026-02-17", "10:30"}),
        ("on 2026-02-17T10:30:01.5+00:00", {"2026-02-17t10:30:01.5+00:00"}),
        ("it took 12.5%, 6.9MB, $0.05 and 1,000 runs", {"12.5%", "6.9mb", "$0.05", "1,000"}),
        ("3 of 4", set()),
        ("version 1.2.3", set()),
    ],
)
def test_figures(text, found):
    """A figure is a number of two signs or more with its unit, a date or a time; a version is a name."""
    assert terms.find(text).figures == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The lock was held by the child's child", {"lock", "held", "child", "child's"}),
        ("long-running work", {"long-running", "work"}),
        ("依赖管理", {"依赖", "赖管", "管理"}),
        ("Straße", {"strasse"}),
        ("why that's mentioned once", {"why", "that's", "mentioned", "once"}),  # a search alone does without these
    ],
)
def test_words(text, found):
    """A word carries meaning unless it is among the commonest; scripts without spaces are read in pairs."""
    assert terms.find(text).words == found


@given(SIGNS)
def test_terms_are_all(text):
    """The terms of a text are its names, capitals, figures and words, folded, none empty."""
    found = terms.find(text)
    assert terms.terms(text) == found.names | found.capitals | found.figures | found.words
    assert all(term and term == term.casefold().strip() for term in terms.terms(text))


@given(SIGNS, SIGNS)
def test_lines(one, other):
    """A line is read alone: two lines speak of what each of them speaks of."""
    assert terms.terms(f"{one}\n{other}") == terms.terms(one) | terms.terms(other)


@pytest.mark.parametrize("unit", ["a", "A ", "a/", "--", "`", "`a", "1.", "1,", "f0", "_", "字", "a'", "#", ". "])
def test_linear(unit):
    """A long run of anything is read in a time that its length bounds."""
    start = time.process_time()
    terms.terms(unit * 50_000)
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    ("text", "tells"),
    [
        ("", False),
        ("Next task please.", False),
        ("Hello! How can I help you with your project today?", False),
        ("The ledger takes flock now, with no server, and all tests pass.", True),
        ("我决定用 flock 来锁账本。", True),
    ],
)
def test_what_says_more_than_a_few_words_tells_something(text, tells):
    """A text of six terms says something; an assent or a greeting does not."""
    assert terms.is_telling(text) is tells


@pytest.mark.parametrize(("text", "asks"), [("add dark mode", True), ("Hello Claude!", False), ("go on please", False)])
def test_a_request_has_three_words_that_tell(text, asks):
    """A greeting and a nod are no request, whatever name of two words stands in them."""
    assert terms.is_request(text) is asks
