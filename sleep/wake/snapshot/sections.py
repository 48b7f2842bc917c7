"""The sections of the snapshot and of a sub-agent's briefing: one row each.

Owns what makes a section, where it stands, and at which turns it gets how much of the budget. Refuses to build: that is
`build`'s. A section without a function of its own lists the kinds of records whose row names it, if there are any.
"""

from __future__ import annotations

from sleep.tuples import NamedTuple
from sleep.wake.snapshot import briefing, debt_section, pages, record_sections, releases
from sleep.wake.snapshot.ladder import ALL, LINE, Turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sleep.settings import Settings
    from sleep.store.context import Context
    from sleep.wake.snapshot.held_records import Standing
    from sleep.wake.snapshot.parts import Part

    Made = Part | list[Part] | None

SESSION = 200  # thousandths that the session's own section may have at the most


class Source(NamedTuple):
    """What sections are made of.

    `budget` is that of the whole text, None for everything; `session` a session that was compacted, "" for any other;
    `prompt` what a sub-agent is to do, "" where the client does not say it; `today` the day (ISO 8601), "" for none.
    """

    context: Context
    settings: Settings
    standing: Standing
    budget: int | None = None
    session: str = ""
    prompt: str = ""
    today: str = ""


class Section(NamedTuple):
    """A section: its name, its turns, its place in an unbounded text (from 1), and what makes it.

    What makes one may return others with it: `Knowledge Index` makes `Pinned Knowledge` too.
    """

    name: str
    turns: tuple[Turn, ...]
    full: int = 0
    make: Callable[[Source], Made] | None = None

    def part(self, source: Source) -> Made:
        """Return the section, None where there is nothing in it."""
        return self.make(source) if self.make else record_sections.of_kinds(source.standing, self.name)


def _own_session(source: Source) -> Made:
    if not source.session:
        return None
    from sleep.wake.snapshot import interrupted_session  # late: only a start after a compaction wants it  # noqa: PLC0415

    share = None if source.budget is None else source.budget * SESSION // ALL
    return interrupted_session.section(source.context, source.session, share)


# In the order in which a bounded snapshot is printed: what the next turn needs, who we are, what there is to look up.
# Handoff, threads and tasks stand in the first 2,000 of a hook's 9,500, which a client shows when it cuts; after a
# compaction what the session itself journaled does. Turns below 300 show a line of each section, those below 600 share
# the budget out, the rest hand out what is left.
SNAPSHOT = (
    Section(
        "This Session",
        (
            Turn(30, LINE, "after a compaction: that what was being done is written down"),
            Turn(310, 150, "after a compaction: the newest of what was asked, decided, and left open"),
            Turn(610, SESSION, "and no more: the rest stands in its journal"),
        ),
        full=1,
        make=_own_session,
    ),
    Section(
        "Handoff",
        (
            Turn(40, LINE, "where the last instance stopped"),
            Turn(320, 90, "what to do next, and the risk in it"),
            Turn(620, 110, "a little more, so that the tasks still begin in the first 2,000"),
            Turn(890, ALL, "its last word, where there is room for everything else"),
        ),
        full=5,
        make=lambda source: record_sections.handoff(source.context, source.standing),
    ),
    Section(
        "Active Threads",
        (
            Turn(100, LINE, "what is in the air"),
            Turn(330, 45, "the work it belongs to"),
            Turn(630, 60, "same"),
            Turn(900, ALL, "same"),
        ),
        full=6,
    ),
    Section(
        "Active Tasks",
        (
            Turn(10, LINE, "work under way is never unknown"),
            Turn(340, 75, "the first of them with why; the others by name"),
            Turn(730, 250, "a quarter at the most: a list is long, and its files are near"),
            Turn(840, ALL, "all that is still free"),
        ),
        full=14,
        make=lambda source: pages.active(source.context),
    ),
    Section(
        "Standing Constraints",
        (
            Turn(50, LINE, "they bind whatever is done"),
            Turn(350, 110, "a broken one costs more than a missing fact"),
            Turn(640, 200, "what binds comes before all that only informs"),
            Turn(760, ALL, "to the last"),
        ),
        full=8,
    ),
    Section(
        "Standing Decisions",
        (
            Turn(60, LINE, "what was decided is not decided again"),
            Turn(360, 130, "with their why, the newest first"),
            Turn(650, 220, "same"),
            Turn(770, ALL, "same"),
        ),
        full=9,
    ),
    Section(
        "Open Tasks",
        (
            Turn(70, LINE, "what is not done, and what blocks it"),
            Turn(370, 70, "blockers first"),
            Turn(660, 120, "same"),
            Turn(780, ALL, "same"),
        ),
        full=10,
    ),
    Section(
        "Open Questions",
        (
            Turn(140, LINE, "what nobody knows yet"),
            Turn(380, 50, "so that nobody answers one in passing"),
            Turn(670, 90, "same"),
            Turn(790, ALL, "same"),
        ),
        full=7,
    ),
    Section(
        "Dead Ends",
        (
            Turn(150, LINE, "what failed before"),
            Turn(390, 50, "so that nobody tries one again"),
            Turn(680, 90, "same"),
            Turn(800, ALL, "same"),
        ),
        full=11,
    ),
    Section(
        "Other Projects",
        (
            Turn(145, LINE, "that there are others, whose records are not told here"),
            Turn(385, 60, "what is next in each"),
            Turn(805, ALL, "same"),
        ),
        full=23,
        make=lambda source: record_sections.others(source.standing),
    ),
    Section(
        "Review",
        (
            Turn(155, LINE, "that something waits for the person's word"),
            Turn(395, ALL, "what contradicts, what is due, and one line for the rest, with the commands"),
        ),
        full=21,
        make=lambda source: record_sections.review(
            source.context, source.standing, source.settings.review_most, source.today
        ),
    ),
    Section(
        "Commands",
        (Turn(90, ALL, "one line that leads to all the rest"),),
        full=12,
        make=lambda source: record_sections.commands(source.context),
    ),
    Section(
        "Soul",
        (
            Turn(80, LINE, "who the agent is"),
            Turn(400, 110, "its first paragraphs"),
            Turn(690, ALL, "what is left goes first to who the agent is"),
        ),
        full=2,
        make=lambda source: pages.core(source.context, "Soul"),
    ),
    Section(
        "User",
        (
            Turn(120, LINE, "how a person wants to be worked with"),
            Turn(410, 80, "its first paragraphs"),
            Turn(700, ALL, "and for whom"),
        ),
        full=3,
        make=lambda source: pages.core(source.context, "User"),
    ),
    Section(
        "Memory",
        (
            Turn(110, LINE, "what a person wrote down"),
            Turn(420, 90, "its first paragraphs"),
            Turn(720, 300, "what a person wrote down"),
            Turn(750, ALL, "to its end"),
        ),
        full=4,
        make=lambda source: pages.core(source.context, "Memory"),
    ),
    Section(
        "Sleep State",
        (
            Turn(160, LINE, "whether to consolidate first"),
            Turn(450, 30, "debt and the last sleep"),
            Turn(880, ALL, "with its sessions"),
        ),
        full=15,
        make=lambda source: debt_section.state(source.context, source.settings, source.standing.projects),
    ),
    Section(
        debt_section.CODE,
        (
            Turn(165, LINE, "that the code is no longer what memory says of it"),
            Turn(455, 50, "who changed how much, and where"),
            Turn(875, ALL, "with the newest commits"),
        ),
        full=22,
        make=lambda source: debt_section.code(source.context, source.settings),
    ),
    Section(
        "Extended Core Files",
        (
            Turn(170, LINE, "that there is more of the core"),
            Turn(460, 40, "names and paths"),
            Turn(820, ALL, "with summaries"),
        ),
        full=13,
        make=lambda source: pages.core_index(source.context),
    ),
    Section(
        "Features",
        (
            Turn(180, LINE, "that there is a map of the product"),
            Turn(470, 50, "names"),
            Turn(830, ALL, "with why and what happened last"),
        ),
        full=18,
        make=lambda source: pages.features(source.context),
    ),
    Section(
        "Knowledge Index",
        (
            Turn(130, LINE, "that there is something to look up"),
            Turn(440, 90, "as many names as can be"),
            Turn(810, 300, "a list again"),
            Turn(850, ALL, "same"),
        ),
        full=19,
        make=lambda source: pages.knowledge_pages(source.context),
    ),
    Section(
        "Pinned Knowledge",
        (
            Turn(20, LINE, "somebody said it is needed in every session"),
            Turn(430, 120, "at least every name, and the first bodies"),
            Turn(710, 400, "one page after the other"),
            Turn(740, ALL, "one page more, perhaps"),
        ),
        full=20,
    ),
    Section(
        "Recent Changelog",
        (
            Turn(190, LINE, "git has it too"),
            Turn(480, 40, "the newest three, shortened"),
            Turn(860, ALL, "whole"),
        ),
        full=16,
        make=lambda source: releases.changelog(source.context),
    ),
    Section(
        "Latest Release",
        (
            Turn(200, LINE, "git has it too"),
            Turn(490, 20, "the version"),
            Turn(870, ALL, "whole"),
        ),
        full=17,
        make=lambda source: releases.release(source.context),
    ),
)
# A sub-agent is told what the project is, what binds it, where to look, and what is known.
BRIEFING = (
    Section(
        "Project",
        (Turn(40, ALL, "what it is for"),),
        make=lambda source: briefing.project(source.context),
    ),
    Section(
        "Context Directory",
        (Turn(60, ALL, "where to look"),),
        make=lambda source: briefing.directory(source.context),
    ),
    Section(
        "Rules and Records",
        (
            Turn(10, LINE, "what binds the session binds who works for it"),
            Turn(50, ALL, "2,000 bytes at the most"),
        ),
        make=lambda source: briefing.records(source.standing, source.prompt),
    ),
    Section(
        "Other Projects",
        (Turn(55, 100, "whose records are not told here"),),
        make=lambda source: record_sections.others(source.standing),
    ),
    Section(
        "Active Tasks",
        (
            Turn(20, LINE, "work under way is never unknown"),
            Turn(80, 200, "what goes on around it"),
            Turn(120, ALL, "same"),
        ),
        make=lambda source: pages.active(source.context, briefing.TASKS),
    ),
    Section(
        "Knowledge Index",
        (
            Turn(70, 350, "what need not be found out again"),
            Turn(110, ALL, "what is still free"),
        ),
        make=lambda source: pages.knowledge_pages(source.context, briefing.KNOWLEDGE),
    ),
    Section(
        "Pinned Knowledge",
        (
            Turn(30, LINE, "nor is what is needed in every session"),
            Turn(100, ALL, "as far as it fits"),
        ),
    ),
    Section(
        "Extended Core Files",
        (
            Turn(90, 120, "where the stack, the schema and the style are written"),
            Turn(130, ALL, "same"),
        ),
        make=lambda source: pages.core_index(source.context, briefing.CORE),
    ),
)


def steps(sections: Iterable[Section]) -> list[tuple[str, Turn]]:
    """Return the turns of the sections, each with the name of its section, as the steps of a climb, in order."""
    turns = [(section.name, turn) for section in sections for turn in section.turns]
    return sorted(turns, key=lambda step: (step[1].number, step[0]))
