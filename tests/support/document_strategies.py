"""What the tests of this package generate: addresses, texts that imitate our own forms, fragments, Markdown."""

from __future__ import annotations

from hypothesis import strategies as st

from sleep.records.address import Address, InstanceId
from sleep.records.fragment import Fragment, flat
from sleep.records.kinds import KINDS

TAGS = st.text("abcdefghijklmnopqrstuvwxyz", min_size=3, max_size=3)
COUNTS = st.one_of(st.integers(1, 30), st.integers(0, 9_999_999))
INSTANCES = st.builds(InstanceId, COUNTS, TAGS)
ADDRESSES = st.builds(Address, COUNTS, TAGS, COUNTS)
NUMBERS = st.builds("{}-{:03d}".format, st.sampled_from("DTQ"), st.integers(1, 999_999))

# Pieces of text that look like something we write ourselves, and scripts that break careless code.
# fmt: off
IMITATIONS = [
    *("# Title", "## Questions", "- item", "- [ ] open", "- [x] done", "**D-001**", "**D-001** text",
      "**T-12**", "\\**D-001**"),
    *("\\\\**Q-9** x", "[i1abc.2]", "text [i1abc.2]", "[i1abc.2 decision D-001]", "[i1abc.2 i1abc.3]", "[i",
      "]", "why: because"),
    *("- why: because", "status: paused (x)", "a: b: c", "`code`", "```", "~~~", "```text", "---", "===",
      "***", "<!-- c -->"),
    *("<!--", "-->", "> quote", "| a | b |", "|---|---|", "1. one", "[a]: /url", "سلام عليكم", "שלום",
      "决定使用锁。", "日本語", "한국어"),
    *("\ud800", "\udc00", "\ud83d\ude00", "😀", "\u202e", "\u200b", "\ufeff", "\u00a0", "\u3000", "\u2028",
      "\x85", "\x1c", "\\", "…"),
    *("instance: 7", "Decision:", "**Why:** so", "[i1abc.1] ", "see i1abc.1", "D-014", "\x00", "\x0b", "é",
      "e\u0301", "[i0xyz.9 note]"),
]
# fmt: on
WORDS = st.one_of(st.sampled_from(IMITATIONS), st.text(max_size=12))
TEXTS = st.lists(WORDS, max_size=5).map(" ".join)
FLAT = TEXTS.map(flat)

FIELDS = st.lists(
    st.tuples(
        st.sampled_from(["why", "alternatives", "confidence", "revisit when", "status", "next", "thread"]),
        FLAT.filter(bool),
    ),
    max_size=4,
).map(tuple)
FRAGMENTS = st.builds(
    Fragment,
    st.sampled_from(sorted(KINDS)),
    FLAT,
    st.lists(ADDRESSES, min_size=1, max_size=3).map(tuple),
    st.one_of(st.just(""), NUMBERS),
    FIELDS,
    st.sampled_from(["", "8 May 2023", "30 June 2021"]),
)

# Lines of hand-written Markdown; joined in any order they make every structure that a journal can have, and more.
# fmt: off
LINES = [
    *("", "", "", "Plain words that say something.", "We decided to use flock because it is there.",
      "What about Windows?"),
    *("# Title", "## Decision: use flock", "## Decisions", "### Deeper", "## Open questions ##", "##",
      "# #", "## #x", "#### "),
    *("Setext", "======", "------", "- item one", "- item two:", "  - nested", "  - nested two",
      "    deeper still", "* star", "+ plus"),
    *("1. first", "2) second", "- [ ] to do", "- [x] done", "- ", "-", "  - ", "- **Label:**",
      "**Open items:**", "Label:", "Items:"),
    *("  - [ ] ", "- - inline", "- # head", "- ```", "  ```", "- > quoted", "- | a |", "- [a]: /url",
      "    indented code", "\tcode"),
    *("```", "```py", "~~~", "````", "| a | b |", "|---|---|", "| 1 | 2 |", "> quote", "> - in quote",
      "<!-- comment -->", "<!--", "-->"),
    *("<div>", "</div>", "<script>", "</script>", "<pre>", "[a]: /url", "[b]: <x> 'title'", "---", "***",
      "instance: 9", "**Ana:** hi"),
    *("سلام عليكم كيف الحال؟", "决定使用锁。", "必须保留。", "日本語のメモ", "\udcff\udcfe bytes", "\u2028", "\x0c",
      "   ", "text  ", "text\\"),
    *("see [i9zzz.3]", "[i9zzz.3 decision D-001]", "- as in [i9zzz.4]", "## Note [i9zzz.5 note]",
      "why: because", "- why: so", "- status: x"),
]
# fmt: on
MARKDOWN = st.builds(
    lambda lines, newline, end: newline.join(lines) + (newline if end else ""),
    st.lists(st.sampled_from(LINES), max_size=16),
    st.sampled_from(["\n", "\n", "\r\n"]),
    st.booleans(),
)
