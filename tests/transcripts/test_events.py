"""What readers share: records out of lines, and clipping."""

from __future__ import annotations

from sleep.transcripts import events


def test_records_skip_and_count_a_bad_line():
    """A line that is no JSON object gives None in its place, the lines around it are read, and all are counted."""
    lines = [b'{"a": 1}\n', b"not json\n", b"[1]\n", b"\n", b'{"b": 2}']
    assert list(events.records(lines)) == [(1, {"a": 1}), (2, None), (3, None), (5, {"b": 2})]


def test_records_read_two_objects_on_one_line():
    """Two objects that were written onto one line are two records; what is broken behind them is one bad line."""
    assert list(events.records([b'{"a": 1}{"b": 2} {"c": '])) == [(1, {"a": 1}), (1, {"b": 2}), (1, None)]


def test_records_end_on_a_line_of_endless_objects():
    """A line is left after some hundreds of objects, so that garbage costs no more than it is long."""
    assert len(list(events.records([b"{}" * 5_000]))) < 1_000


def test_records_take_what_is_nested_too_deep_for_a_bad_line():
    """A line that is nested deeper than the parser goes is a bad line, not an exception."""
    assert list(events.records([b"[" * 100_000])) == [(1, None)]


def test_what_stands_around_an_object_is_passed_over():
    """A mark of the byte order, what a crash filled with zeros, and either end of a line belong to no object."""
    assert list(events.records([b'\xef\xbb\xbf{"a": 1}\r\n', b'\0\0{"b": 2}\0\0', b"\0\0\0"])) == [
        (1, {"a": 1}),
        (2, {"b": 2}),
    ]


def test_a_document_is_one_value():
    """Lines are one document together; nothing is an empty one, what is broken or too deep is none."""
    assert events.document([b'\xef\xbb\xbf{"a":\r\n', b" 1}\n"]) == {"a": 1}
    assert events.document([b" \n"]) == {}
    assert [events.document([one]) for one in (b'{"a": ', b"[" * 100_000, b"1" * 5_000)] == [None, None, None]


def test_texts_can_be_written_to_a_file():
    """Half a surrogate pair, which JSON may name and no file can hold, becomes a question mark; pairs stay."""
    (number, record) = next(events.records([b'{"a": "x\\ud800y", "b": "\\ud83d\\ude00 \xc3\xa9"}']))
    assert number == 1
    assert record is not None
    assert (events.as_text(record["a"]), events.as_text(record["b"])) == ("x?y", "\U0001f600 é")


def test_what_stands_between_two_marks():
    """The text between two marks is given without space around it, and nothing where one of them is missing."""
    assert events.between("a <b> c </b> d <b>e</b>", "<b>", "</b>") == "c"
    assert [events.between(text, "<b>", "</b>") for text in ("<b>c", "c</b>", "")] == ["", "", ""]


def test_clipping_keeps_head_and_end():
    """What is longer than the limit keeps its head and its end, where errors say what they are."""
    assert events.clip("abcdefghij", 4) == "ab…ij"
    assert events.clip("abcd", 4) == "abcd"


def test_answers_are_told_with_their_questions():
    """An answer ends where a comma, a note or a line's end follows; a question may have words in quotation marks."""
    told = '"Which, "A" or B?"="A", "How long?"="", "Why "now"?"="It is "due"". Go on\n"Last?"="Yes".\n"Else?"="'
    assert list(events.answers(told)) == [
        ('Which, "A" or B?', "A"),
        ('Why "now"?', 'It is "due"'),
        ("Last?", "Yes"),
    ]


def test_an_answer_of_many_pages_is_none():
    """A question and its answer are as long as people write them: what is longer is a file that a tool read."""
    assert not list(events.answers(f'"Which?"="{"a" * 3_000}"'))
    assert not list(events.answers(f'"{"q" * 700}?"="a"'))
    assert list(events.answers('"="a"')) == []
