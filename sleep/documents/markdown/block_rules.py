"""mistune's block rules for the top level of a Markdown text, with the place where each token begins.

Owns the state that records the cursor, and the rules that are left to the main loop. Refuses to say where a block ends:
that is `blocks`'s, which loads this late, for mistune takes 15 ms to load.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mistune.block_parser import BlockParser
from mistune.core import BlockState
from mistune.plugins.table import NP_TABLE_PATTERN, TABLE_PATTERN, parse_nptable, parse_table

if TYPE_CHECKING:
    from re import Match


class _State(BlockState):
    """Records where each token starts, the items of a list, and the last line that was looked at."""

    def __init__(self, parent: _State | None = None) -> None:
        super().__init__(parent)
        self.looked = 0
        self.no_table = 0
        self.opened: int | None = None  # where the list or quote begins that is being read
        self.breaking = False  # and whether that is at what ends it
        self.marks: list[tuple[int, str]] = []

    def child_state(self, src: str, lazy_line_starts: set[int] | None = None) -> BlockState:  # noqa: ARG002
        self.marks.append((self.cursor, src))
        return super().child_state("")

    def get_line(self, start_pos: int) -> str:
        self.looked = start_pos
        return super().get_line(start_pos)

    def append_token(self, token: dict[str, Any]) -> None:
        if token["type"] == "block_code":
            token["at"] = self.cursor
        super().append_token(token)

    def prepend_token(self, token: dict[str, Any]) -> None:
        if self.tokens and self.tokens[-1].get("at", 0) > (self.opened or 0):
            super().prepend_token(token)
        else:
            self.tokens.append(token)

    def add_paragraph(self, text: str) -> None:  # the offsets are enough  # noqa: ARG002
        if not self.in_paragraph():
            self.tokens.append({"type": "paragraph", "text": "", "at": self.cursor})

    def append_paragraph(self) -> int | None:
        return self.find_line_end() if self.in_paragraph() and not self.breaking else None

    def in_paragraph(self) -> bool:
        return bool(self.tokens) and self.tokens[-1]["type"] == "paragraph"


class _Parser(BlockParser):
    """mistune's block rules for the top level; what breaks a list or quote open is left to the main loop."""

    state_cls = _State

    def parse(self, state: BlockState, rules: list[str] | None = None) -> None:
        if state.parent is None:
            super().parse(state, rules)

    def parse_method(self, m: Match[str], state: BlockState) -> int | None:
        assert isinstance(state, _State)  # for the type checker  # noqa: S101
        nests = m.lastgroup in {"list", "block_quote"}
        if nests and state.opened is not None:
            return m.start()
        at, known = state.cursor, len(state.tokens)
        state.breaking = state.opened is not None
        if nests:
            state.opened, state.marks = at, []
        end = super().parse_method(m, state)
        state.breaking = False
        if nests:
            state.opened = None
        if m.lastgroup == "ref_link" and end and not state.in_paragraph():
            state.tokens.append({"type": "reference"})
        for token in state.tokens[known:]:
            token.setdefault("at", at)
            token["items"] = state.marks
        return end

    def parse_atx_heading(self, m: Match[str], state: BlockState) -> int:
        state.append_token({"type": "heading", "style": "atx", "attrs": {"level": len(m["atx_1"])}})
        return m.end() + 1


def _nptable(parser: BlockParser, m: Match[str], state: BlockState) -> int | None:
    """Parse a table without outer pipes; rows of one that failed are not tried as the head of another."""
    assert isinstance(state, _State)  # for the type checker  # noqa: S101
    if state.cursor < state.no_table:
        return None
    end = parse_nptable(parser, m, state)
    if end is None:
        state.no_table = state.looked
    return end


_PARSER = _Parser()
_PARSER.register("table", TABLE_PATTERN, parse_table)
_PARSER.register("nptable", NP_TABLE_PATTERN, _nptable)


def tokens(src: str) -> list[dict[str, Any]]:
    """Return mistune's tokens of a text, blank lines among them, each with the offset `at` which it begins."""
    state = _State()
    state.process(src)
    _PARSER.parse(state)
    return state.tokens
