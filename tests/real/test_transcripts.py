"""Every real transcript is read and digested, and what is printed stands in it.

Needs the real data: SLEEP_SHARED names its folder.
"""

from __future__ import annotations

import os
import re
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sleep.compression import digest as choosing
from sleep.documents import journal
from sleep.journal.capture import digest_drafts, session_digest
from sleep.language import sentences, tokens
from sleep.records.address import InstanceId
from sleep.redaction import homes, secret_scan
from sleep.transcripts import readers

if TYPE_CHECKING:
    from collections.abc import Iterable

pytestmark = pytest.mark.real
SHARED = os.environ.get("SLEEP_SHARED")  # read now: the environment of a test is emptied
WORD = re.compile(r"[^\W_]+(?:'[a-z]+)?")
PAIRS, WHOLE = 0.95, 0.98  # of word pairs, and of sentences, that stand in the transcript
HOME = re.compile(r"(?<![\w.~-])/(?:Users|home)/(?!linuxbrew)[\w.-]+/")


def transcripts() -> list[str]:
    """The files that a reader knows; without the data, one case that fails."""
    if not SHARED:
        return ["SLEEP_SHARED is not set"]
    folder = Path(SHARED) / "data" / "transcripts"
    files = [one for kind in ("*.jsonl", "*.traj", "*.md") for one in folder.glob(kind)]
    return sorted(one.name for one in files if readers.sniff(one.read_bytes()[: readers.HEAD]))


@pytest.fixture(params=transcripts())
def path(request):
    """A transcript."""
    assert SHARED, "SLEEP_SHARED must name the folder of the real data"
    return str(Path(SHARED) / "data" / "transcripts" / request.param)


def normal(texts: Iterable[str]) -> list[str]:
    """Words alone, in order."""
    return [word.lower() for text in texts for word in WORD.findall(text)]


def clean(texts: Iterable[str]) -> str:
    """Source texts with their signs folded, so that a sentence over two lines is found."""
    return " ".join(normal(texts))


def test_what_is_printed_stands_in_the_transcript(path):
    """Nothing but headings, labels and paths is ours: sentences are whole, and word pairs as they were said."""
    found = session_digest.of(session_digest.read(path))
    said = [event.text for event in session_digest.read(path) if event.text and not event.side]
    source = f" {clean(homes.hide(text, ()) for text in said)} "
    pairs = set(pairwise(source.split()))
    spoken = [
        part
        for one in found.placed
        for sentence in sentences.split(one.passage.text)
        # A question is told with the answer that it had, or with its options, as is a reply that takes several of them
        # by number (`1 and 2: Sync it; Poll it.`); a lead with a short line of code.
        for part in re.split(r"·|…|\*\*|(?<=\?) |(?:^|; )\d+: |(?<=\d): |; (?=[A-Z])|: (?=`)", sentence)
        if normal([part])
    ]
    root = next((event.path for event in session_digest.read(path) if event.kind == "root"), "")
    bare = f" {clean(homes.hide(text.replace(root + '/', ''), ()) for text in said)} "
    whole = [f" {' '.join(normal([one]))} " in source or f" {' '.join(normal([one]))} " in bare for one in spoken]
    assert sum(whole) >= WHOLE * len(whole)
    words = [normal([one.passage.text]) for one in found.placed]
    kept = [pair in pairs for one in words for pair in pairwise(one)]
    assert sum(kept) >= PAIRS * len(kept)


def test_nothing_secret_and_no_home_is_left(path):
    """No secret and no home directory stands in what is printed or in the entries."""
    found = session_digest.of(session_digest.read(path))
    texts = [
        session_digest.markdown(found),
        *(f"{one.title}\n{one.body}\n{one.fields}" for one in digest_drafts.drafts(found)),
    ]
    for text in texts:
        assert not secret_scan.find(text)
        assert not HOME.search(text)


def test_the_budget_holds(path):
    """At every budget the printed digest fits, and it grows with the budget."""
    sizes = []
    for budget in (100, 250, 500, 1_000, 2_000):
        size = tokens.count(session_digest.markdown(session_digest.of(session_digest.read(path), budget)))
        assert size <= budget
        sizes.append(size)
    assert sizes == sorted(sizes)


def test_it_is_journaled_as_it_is(path):
    """The entries come back out of a journal with their kinds, words and fields."""
    instance = InstanceId(1, "abc")
    drafts = digest_drafts.drafts(session_digest.of(session_digest.read(path), 1_000))
    text = journal.start(instance, {})
    for one in drafts:
        text, _ = journal.append(text, one, instance)
    back = journal.read(text).entries
    assert [(one.kind, one.title, dict(one.fields)) for one in back] == [
        (one.kind, " ".join(one.title.split()), {name: " ".join(value.split()) for name, value in one.fields})
        for one in drafts
    ]


def test_it_is_the_same_again(path):
    """Two runs give the same bytes, and something is told wherever something was said."""
    first, second = (session_digest.markdown(session_digest.of(session_digest.read(path))) for _ in range(2))
    assert first == second
    said = any(event.kind in ("prompt", "text") and not event.side for event in session_digest.read(path))
    assert bool(set(re.findall(r"(?m)^\*\*([a-z ]+)", first.lower())) - {""}) == said
    assert choosing.FIRST
