"""Topics and their file names."""

from __future__ import annotations

import pytest
from document_strategies import TEXTS
from hypothesis import given
from hypothesis import strategies as st

from sleep.records import classification
from sleep.records.topic import GENERAL, from_heading, slug


@given(st.one_of(st.text(max_size=60), TEXTS))
def test_slug(name):
    """A slug is a file name that is never empty, made of letters, digits and hyphens, and the slug of itself."""
    found = slug(name)
    assert 0 < len(found) <= 40
    assert found == slug(found) == found.strip("-")
    assert not set(found) & set("/\\.: \n\0")
    found.encode()


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Sync engine", "sync-engine"),
        ("Café Ünïcode", "cafe-unicode"),
        ("Straße", "strasse"),
        ("Tiếng Việt", "tieng-viet"),
        ("İstanbul", "istanbul"),
        ("数据库 迁移", "数据库-迁移"),
        ("がぎぐ", "がぎぐ"),
        ("ガイド", "ガイド"),
        ("한국어", "한국어"),
        ("हिन्दी भाषा", "हिन्दी-भाषा"),
        ("Чайка йод", "чайка-йод"),
        ("ภาษาไทย", "ภาษาไทย"),
        ("⚠️ Warning", "warning"),
        ("a/b\\c..d", "a-b-c-d"),
        ("../../etc/passwd", "etc-passwd"),
        ("---", GENERAL),
        ("", GENERAL),
        ("x" * 100, "x" * 40),
    ],
)
def test_slugs(name, found):
    """Diacritics of Latin letters are folded; letters of every other script keep what makes them letters."""
    assert slug(name) == found


@pytest.mark.parametrize(
    ("heading", "topic"),
    [
        ("Sync engine", "sync-engine"),
        ("2026-11-21 Sync engine (done)", "sync-engine"),
        ("`auth` ✅", "auth"),
        ("Decisions", ""),
        ("Open questions", ""),
        ("Session 12", ""),
        ("2026-11-21", ""),
        ("", ""),
    ],
)
def test_from_heading(heading, topic):
    """A heading names a topic unless it says only what kind of thing, or when."""
    assert from_heading(heading) == topic


def test_long():
    """Long runs of signs are no trap."""
    assert not classification.heading_kind("a" + "." * 100_000 + "a")


@pytest.mark.parametrize(("name", "found"), [("Python 3", "python3"), ("ltx-2", "ltx2"), ("a 1 2", "a12"), ("7", "7")])
def test_a_number_is_no_part(name, found):
    """A number at a name's end is joined to it, for a hyphen and a number say which part of a topic a file is."""
    assert slug(name) == found == slug(found)
