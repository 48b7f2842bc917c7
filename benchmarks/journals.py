"""Journals of a made-up project, by seed: what an agent would write, of any length, nothing copied from anywhere.

Owns the words and the forms (hand-written sections, and entries as `journal.add` writes them). One seed always gives
the same journal.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from sleep.documents import journal as journals
from sleep.records import address as addressing
from sleep.records.kinds import KINDS, event

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sleep.records.address import InstanceId
    from sleep.records.fragment import Fragment

PARTS = [
    "auth",
    "billing",
    "search",
    "ingest",
    "scheduler",
    "exporter",
    "parser",
    "renderer",
    "cache",
    "queue",
    "webhook",
    "notifier",
    "importer",
    "ledger",
    "gateway",
    "session",
    "upload",
    "thumbnail",
    "invoice",
    "report",
    "dashboard",
    "metrics",
    "tracing",
    "migration",
    "backup",
    "feature-flags",
    "rate-limiter",
    "mailer",
]
_NOUNS = [
    "token",
    "retry",
    "timeout",
    "index",
    "cursor",
    "batch",
    "lock",
    "schema",
    "header",
    "payload",
    "checksum",
    "snapshot",
    "worker",
    "shard",
    "buffer",
    "handle",
    "callback",
    "manifest",
    "fixture",
    "endpoint",
    "quota",
    "lease",
    "digest",
    "pool",
]
_VERBS = [
    "rewrote",
    "split",
    "measured",
    "renamed",
    "removed",
    "traced",
    "bounded",
    "inlined",
    "reordered",
    "guarded",
    "documented",
    "deferred",
]
_TESTS = ["race", "soak", "unit", "replay", "restart", "upgrade", "rollback", "load", "fuzz"]
_REASONS = (
    "the old path held the {noun} across a network call",
    "{number} of {big} requests missed the {noun}",
    "nobody could say who owned the {noun}",
    "the {noun} is read {number} times for one write",
    "a restart lost the {noun} in `{path}`",
    "the {part} team needs the {noun} before release {version}",
)
_STATES = {
    "thread": ("resolved", 6),
    "question": ("answered", 10),
    "doubt": ("resolved", 5),
    "constraint": ("lifted", 12),
}
_SUPERSEDED = 4  # one decision in so many takes the place of an older one


class Author:
    """Writes journals; `random` is seeded by what is written, never by the clock."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def line(self, form: str) -> str:
        """Return the form with its words filled in."""
        pick = self.random
        part = pick.choice(PARTS)
        return form.format(
            part=part,
            noun=pick.choice(_NOUNS),
            other=pick.choice(_NOUNS),
            verb=pick.choice(_VERBS),
            test=pick.choice(_TESTS),
            number=pick.randint(2, 97),
            big=pick.randint(100, 9000),
            version=f"{pick.randint(0, 4)}.{pick.randint(0, 30)}.{pick.randint(0, 9)}",
            path=f"src/{part}/{pick.choice(_NOUNS)}.py",
            sha=f"{pick.getrandbits(28):07x}",
        )

    def reason(self) -> str:
        """Return a clause that says why."""
        return self.line(self.random.choice(_REASONS))

    def decision(self) -> str:
        """Return what was decided."""
        return self.line("Keep the {noun} of {part} in `{path}` and bound it to {number} entries, not in the {other}")

    def records(self) -> list[tuple[str, str, tuple[tuple[str, str], ...]]]:
        """Return a session's records: kind, words, fields."""
        named = (("topic", self.random.choice(PARTS)),)
        decisions = [
            (
                "decision",
                self.decision(),
                (("why", self.reason()), ("alternatives", self.line("a {noun} in {part}")), *named),
            )
            for _ in range(2)
        ]
        return [
            *decisions,
            ("thread", self.line("Move the {noun} of {part} behind the {other}, {number} call sites left"), ()),
            ("question", self.line("Does {part} need the {noun} after a {test} test of {number} hours?"), ()),
            ("constraint", self.line("Never hold the {noun} of {part} while `{path}` is written"), ()),
            *(
                [("doubt", self.line("The {noun} bound of {number} may be wrong for {part}"), ())]
                if self.chance(2)
                else []
            ),
        ]

    def chance(self, one_in: int) -> bool:
        """Return True once in so many times."""
        return self.random.randrange(one_in) == 0

    def paragraph(self) -> str:
        """Return three to six sentences of what was done and seen."""
        forms = (
            "I {verb} the {noun} of {part} because {reason}.",
            "The {test} test of `{path}` now takes {number} ms instead of {big}.",
            "It turns out that {part} opens the {noun} twice, once in `{path}` and once through the {other}.",
            "Commit {sha} carries it, and release {version} is the first with it.",
            "Reading the {noun} costs {number} µs at {big} entries, so the {other} stays as it is.",
        )
        chosen = [
            self.random.choice(forms).replace("{reason}", self.reason()) for _ in range(self.random.randint(3, 6))
        ]
        return " ".join(self.line(form) for form in chosen)

    def section(self) -> str:
        """Return a hand-written section: a heading, prose, and a list, a table or code."""
        part = self.random.choice(PARTS)
        lines = [
            f"## {part.replace('-', ' ').capitalize()}: {self.random.choice(_NOUNS)} work",
            "",
            self.paragraph(),
            "",
        ]
        form = self.random.randrange(6)
        if form == 0:
            lines += ["```python", *(self.line("{noun}.{verb}({number}, {other}={big})") for _ in range(5)), "```", ""]
        elif form == 1:
            lines += ["| case | before | after |", "| --- | --- | --- |"]
            lines += [self.line("| {part} {test} | {big} ms | {number} ms |") for _ in range(4)] + [""]
        else:
            lines += [f"- {self.bullet()}" for _ in range(self.random.randint(3, 7))] + [""]
        return "\n".join(lines)

    def bullet(self) -> str:
        """Return one item of a list."""
        return self.line(
            self.random.choice(
                (
                    "{verb} `{path}`: the {noun} is checked before the {other}",
                    "tried a {noun} per {part}, but it failed the {test} test after {number} minutes",
                    "the {part} {noun} depends on the {other} of `{path}`",
                    "next: run the {test} test for {part} with {big} entries",
                    "learned that the {noun} of {part} outlives a {test} by {number} s",
                    "fixed the {noun} leak in {part} ({sha})",
                )
            )
        )

    def by_hand(self, size: int) -> str:
        """Return the body of a journal written by hand, of about `size` bytes, without any address."""
        parts: list[str] = []
        written = 0
        while written < size:
            parts.append(self.section())
            if self.chance(3):
                kind, words, fields = self.random.choice(self.records())
                why = f" because {fields[0][1]}" if fields and fields[0][0] == "why" else ""
                parts.append(f"**{kind.capitalize()}:** {words}{why}\n")
            written = sum(map(len, parts))
        return "\n".join(parts)


def entries(
    author: Author, text: str, instance: InstanceId, standing: Sequence[Fragment], used: Mapping[str, int]
) -> str:
    """Return the journal with a session's entries appended as `journal.add` does: records, and moves of standing ones.

    Of each kind of open record only so many stay open (the oldest are closed first), and one decision in four takes the
    place of an older one, so that a long history has a steady number of open ends.
    """
    drafts = [journals.Draft(kind, words, "", fields) for kind, words, fields in author.records()]
    for kind, (to, most) in _STATES.items():
        still = [one for one in standing if one.kind == kind and one.is_open]
        drafts += [_move(kind, one, to, author.reason()) for one in still[: max(0, len(still) - most)]]
    decisions = [one for one in standing if one.kind == "decision" and one.is_open]
    if decisions and author.chance(_SUPERSEDED // 2):
        drafts.append(_move("decision", author.random.choice(decisions), "reversed", author.reason()))
    drafts.append(journals.Draft("tone", "Calm, and a little proud of the " + author.random.choice(_NOUNS)))
    handoff = (
        ("session summary", author.paragraph()),
        ("next priority", author.bullet()),
        ("open risk", author.reason()),
    )
    drafts.append(journals.Draft("handoff", "", "", handoff))
    highest = dict(used)
    for draft in drafts:
        letter = KINDS[draft.kind].letter if draft.kind in KINDS else ""
        highest[letter] = highest.get(letter, 0) + 1
        number = addressing.number(letter, highest[letter]) if letter else ""
        text, _ = journals.append(text, draft._replace(number=number), instance)
    return text


def _move(kind: str, record: Fragment, to: str, reason: str) -> journals.Draft:
    fields = (("record", str(record.identity)), ("to", to), ("reason", reason))
    return journals.Draft(event(kind), f"{record.handle} {to}", "", fields)


def journal(
    instance: InstanceId, size: int, standing: Sequence[Fragment] = (), used: Mapping[str, int] | None = None
) -> str:
    """Return an open journal of about `size` bytes: entries of ours first, then what was written by hand.

    `standing` are the records as they are, `used` the highest record numbers by letter.
    """
    author = Author(instance.number)
    text = entries(author, journals.start(instance, {"started": day(instance)}), instance, standing, used or {})
    return f"{text}\n{author.by_hand(size - len(text))}" if size > len(text) else text


def day(instance: InstanceId) -> str:
    """Return when an instance works: one a day."""
    years, rest = divmod(instance.number, 12 * 28)
    return f"{2024 + years}-{1 + rest // 28:02}-{1 + rest % 28:02}T09:00:00Z"
