"""Lines out of chunks."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from sleep.transcripts import line_reader

BYTES = st.binary(max_size=200) | st.text("ab\n\r", max_size=200).map(str.encode)


def cut(data, places):
    """Return bytes in chunks that end at these places."""
    ends = [0, *sorted(place % (len(data) + 1) for place in places), len(data)]
    return [data[start:end] for start, end in pairwise(ends)]


@given(BYTES, st.lists(st.integers(0, 1_000), max_size=6))
def test_chunks_are_cut_anywhere(data, places):
    """Lines are the same however the bytes are cut, and together they are the bytes."""
    found = list(line_reader.split(cut(data, places)))
    assert b"".join(found) == data
    assert found == [line + b"\n" for line in data.split(b"\n")[:-1]] + [
        last for last in [data.split(b"\n")[-1]] if last
    ]


@given(BYTES, st.lists(st.integers(0, 1_000), max_size=6))
def test_signs_are_found_where_they_stand(data, places):
    """The lines with a sign are those that a look at each line finds, in order, each once."""
    found = [
        line
        for block in line_reader.blocks(cut(data, places))
        for line in line_reader.lines_with_signs(block, (b"ab", b"b"))
    ]
    assert found == [line for line in line_reader.split([data]) if b"ab" in line or b"b" in line]


def test_a_line_beyond_the_limit_is_passed_over():
    """A line beyond the limit is not held: its block has its size and nothing else, and the next line is read."""
    chunks = [b"a\n", b"x" * 8, b"x" * 8, b"\nb\n", b"y" * 20]
    assert list(line_reader.split(chunks, limit=10)) == [b"a\n", b"b\n"]
    sizes = [(block.size, block.end > 0, block.is_ended) for block in line_reader.blocks(chunks, limit=10)]
    assert sizes == [(2, True, True), (17, False, True), (2, True, True), (20, False, False)]


def test_a_line_of_sixty_megabytes_is_not_held():
    """Garbage without a line end costs no more memory than one chunk."""
    chunk = b"\0" * line_reader.CHUNK
    last = list(line_reader.blocks(chunk for _ in range(240)))
    assert [(block.raw, block.size, block.is_ended) for block in last] == [(b"", 240 * line_reader.CHUNK, False)]
