"""The main page."""

from __future__ import annotations

import re

import pytest
from document_strategies import FLAT, LINES, MARKDOWN
from hypothesis import example, given
from hypothesis import strategies as st

from sleep.documents import main_page
from sleep.documents.main_page import OURS, handoff, new, purpose, section, with_section
from sleep.documents.markdown import edit
from sleep.tasks import collection

TITLES = [main_page.HANDOFF, main_page.STATE, main_page.MAP]
CONTENT = st.lists(FLAT.map("- updated: {}".format), min_size=1, max_size=4).map("\n".join)
PARTS = [
    *(
        "Words of a person.",
        "## My notes",
        "# Another part",
        "Setext\n======",
        "My own\n------",
        "```\n## HANDOFF\n```",
        "~~~",
        "```",
        "",
    ),
    *(
        "## HANDOFF",
        "## Map\n\nby hand",
        f"## Current state\n\n{OURS}\n\n- old: line\n",
        f"## HANDOFF\n\n{OURS}\n\n- updated: then\n",
        *LINES,
    ),
]


@st.composite
def pages(draw):
    """Pages of a person with sections of ours anywhere."""
    text = "\n".join(draw(st.lists(st.sampled_from(PARTS), max_size=8))) + draw(st.sampled_from(["", "\n"]))
    return draw(st.sampled_from(["", "# Title\n\n", "\ufeff# T\n"])) + text.replace(
        "\n", draw(st.sampled_from(["\n", "\r\n"]))
    )


@given(st.one_of(pages(), MARKDOWN), st.sampled_from(TITLES), CONTENT)
@example("## Map\n\n" + OURS + "\n\n- old: line\n\nWords of a person.", main_page.MAP, "- updated: ")
def test_span(text, title, content):
    """A managed section reads as what it was given with a person's words below it; all outside stays byte for byte."""
    after = with_section(text, title, content)
    ours = [
        one
        for one in main_page._sections(text)
        if one.title == title and text[one.body : one.stop].lstrip().startswith(OURS)
    ]
    theirs = ""
    if ours:
        theirs = text[main_page._own_end(text, ours[0]) : ours[0].stop].strip()
        assert after.startswith(text[: ours[0].body])
        assert after.endswith(text[ours[0].stop :])
    else:
        assert after.startswith(text)
    newline = edit.newline(text)
    written = content.replace("\n", newline)
    read = section(after, title)
    assert read.startswith(written.strip())
    assert read.removeprefix(written if theirs else written.strip()).strip() == theirs


@given(pages(), CONTENT, CONTENT)
def test_again(text, first, second):
    """Writing a section twice leaves what writing the last alone would, and the purpose is never touched."""
    once = with_section(text, main_page.HANDOFF, second)
    assert with_section(with_section(text, main_page.HANDOFF, first), main_page.HANDOFF, second) == once
    assert with_section(once, main_page.HANDOFF, second) == once
    assert purpose(once) == purpose(text)


def test_a_field_below_a_handoff_is_no_later_word():
    """A person's line below our handoff says what no field of ours says; it overrides none of those written since."""
    theirs = "\n- next_priority: ship it\n- open_risk: the vendor is gone\n"
    page = with_section(new("Project"), main_page.HANDOFF, "- updated: then\n- next_priority: plan it") + theirs
    assert handoff(page) == {"updated": "then", "next_priority": "plan it", "open_risk": "the vendor is gone"}


@given(
    st.lists(st.tuples(st.sampled_from(main_page.FIELDS), FLAT.filter(bool)), unique_by=lambda one: one[0], min_size=1),
    st.sampled_from(["\n", "\r\n"]),
)
def test_handoff(fields, newline):
    """The fields of a handoff read back."""
    body = "\n".join(f"- {name}: {value}" for name, value in fields)
    text = with_section(new("Project", "To be kept.").replace("\n", newline), main_page.HANDOFF, body)
    assert handoff(text) == dict(fields)
    assert purpose(text) == "To be kept."


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("# T\n\nWords.\n\nMore.\n\n## Wake protocol\n", "Words.\n\nMore."),
        ("T\n=\n\nWords.\n\nWake\n----\n", "Words."),
        ("\ufeff# T\r\n\r\nWords.\r\n\r\n## A\r\n", "Words."),
        ("---\ntitle: x\n---\n# T\n\nWords.\n", "Words."),
        ("# T\n\n```sh\n# install\n## run\n```\n\n## A\n", "```sh\n# install\n## run\n```"),
        ("Words.\n", "Words."),
        ("## A\n\nx\n", ""),
        ("", ""),
    ],
)
def test_purpose(text, words):
    """The purpose is what stands between the title and the first section, code that looks like headings included."""
    assert purpose(text) == words


def test_below_ours():
    """What a person wrote below a managed section, under a heading of any form or level that parts it, is kept."""
    for heading in ("# Mine", "## Mine", "Mine\n====", "Mine\n----"):
        text = f"# T\n\n## HANDOFF\n\n{OURS}\n\n- updated: then\n\n{heading}\n\nkept\n"
        assert with_section(text, "HANDOFF", "- updated: now").endswith(f"\n\n{heading}\n\nkept\n")


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_what_a_person_wrote_at_the_end(newline):
    """What somebody appended to the page below our list is theirs: it stays when the section is written anew."""
    page = main_page.with_section(main_page.new("p", "P"), main_page.MAP, "- a\n- b")
    theirs = (page + "\nRemember the key.\n\n- and this\n").replace("\n", newline)
    again = main_page.with_section(
        main_page.with_section(theirs, main_page.MAP, "- c"), main_page.HANDOFF, "- updated: x"
    )
    assert again.replace("\r\n", "\n").endswith(
        f"- c\n\nRemember the key.\n\n- and this\n\n## HANDOFF\n\n{main_page.OURS}\n\n- updated: x\n"
    )
    assert main_page.with_section(theirs, main_page.MAP, "- a\n- b") == theirs
    assert main_page.unmanaged(theirs).endswith("Remember the key." + newline * 2 + "- and this")


def test_stray_fence():
    """A fence that is never closed does not make the handoff pile up."""
    text = with_section("# T\n\n```\nopen\n", "HANDOFF", "- updated: then")
    assert with_section(text, "HANDOFF", "- updated: now") == text.replace("then", "now")


def test_by_hand():
    """A section of the same name that a person wrote is left, and read where there is none of ours."""
    text = "# T\n\n## HANDOFF\n\n- updated: by hand\n"
    assert handoff(text) == {"updated": "by hand"}
    after = with_section(text, "HANDOFF", "- updated: now")
    assert after.startswith(text)
    assert handoff(after) == {"updated": "now"}


def test_new():
    """A new page asks for a purpose, or holds the one given."""
    assert "(Say here" in purpose(new("P"))
    assert purpose(new("P", " For x. ")) == "For x."
    assert section(new("P"), "Wake protocol") == main_page.PROTOCOL.strip()


def test_a_purpose_is_written_where_one_stands():
    """A purpose takes the place of what stands between the title and the first section; all else stays as it was."""
    page = main_page.new("Tool").replace("\n", "\r\n")
    made = main_page.with_purpose(page, "It counts.")
    assert main_page.purpose(made) == "It counts."
    assert made == main_page.new("Tool", "It counts.").replace("\n", "\r\n")
    for rest in ("## Map\n\nx\n", "## Map\n\nx\n\n# Later\n\ny\n"):
        assert main_page.with_purpose(rest, "It counts.") == f"It counts.\n\n{rest}"
    assert main_page.purpose(main_page.with_purpose("# Tool", "It counts.")) == "It counts."


def test_without_its_map_a_page_says_all_else_on_the_same_lines():
    """Our map is as many empty lines; our other sections and a person's map stay."""
    page = with_section(with_section("# Tool\n", main_page.MAP, "- hot\n- warm"), main_page.STATE, "- calm")
    left = main_page.without_map(page)
    assert (section(left, main_page.STATE), section(left, main_page.MAP)) == ("- calm", "")
    assert "hot" not in left
    assert left.split("\n").index("- calm") == page.split("\n").index("- calm")
    by_hand = "# Tool\n\n## Map\n\nMine.\n"
    assert main_page.without_map(by_hand) == by_hand


@pytest.mark.parametrize(
    ("value", "words", "tells"),
    [
        ('asked "Mend it": Moved the lamp to the pier [i1abc.2]', "Moved the lamp to the pier.", True),
        ("Moved the lamp to the pier [i1abc.2]", "Moved the lamp", True),
        ("The lamp is broken [i1abc.2]", "ok", False),
        ("", "Moved the lamp", False),
    ],
)
def test_a_field_tells_what_it_has_the_beginning_of(value, words, tells):
    """An entry's words are known by their beginning, wherever it stands in a field; a few letters are not enough."""
    assert main_page.quotes(value, words) is tells


def test_the_protocol_teaches_the_short_commands():
    """A page that `init` makes names the commands of a day, each with options that it has."""
    known = collection.every()
    commands = re.findall(r"`sleepwake ([^`]+)`", main_page.PROTOCOL)
    assert {"decide", "note", "journal.add"} <= {command.split()[0] for command in commands}
    for command in commands:
        options = {f"--{parameter.option}" for parameter in known[command.split()[0]].parameters}
        assert set(re.findall(r"(?<!\S)--[a-z-]+", command)) <= options, command


def test_without_its_handoff_a_page_says_all_else():
    """Without the handoff a page has its other sections and the purpose as they stand."""
    page = main_page.with_section(main_page.new("Pier", "A pier."), main_page.STATE, "- calm")
    assert main_page.without_handoff(main_page.with_section(page, main_page.HANDOFF, "- next_priority: x")).strip() == (
        page.strip()
    )
    assert main_page.without_handoff(page) == page
