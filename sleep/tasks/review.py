"""`review`, `review.confirm`, `review.correct`, `review.reject`, `review.purpose`, `review.keep`."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from sleep import settings
from sleep.code import mentions
from sleep.documents.project import managed_block
from sleep.errors import UsageError
from sleep.memory.view import View
from sleep.plurals import several
from sleep.recall.past import moment
from sleep.records.fragment import QUOTATION, SOURCE, TRANSCRIPT
from sleep.records.kinds import spelt
from sleep.review import addition, agenda, checklist, judgement
from sleep.review.judgement import AGENT, CONFIRM, CORRECT, PERSON, REJECT, Word
from sleep.store.tree import WorkTree
from sleep.tasks import notes
from sleep.tasks.arguments import here, now, number, prose
from sleep.tasks.output import LINE, clip, facts, say, table
from sleep.tasks.task import task
from sleep.wake import purpose as purposes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sleep.code.mentions import Mention
    from sleep.memory.place import Place
    from sleep.records.fragment import Fragment
    from sleep.review.agenda import Item
    from sleep.review.judgement import Settled

_KEYS = {"c": CONFIRM, "e": CORRECT, "r": REJECT}
_ASK = "(c)onfirm, (e)dit, (r)eject, (s)kip, (q)uit? "
_HELP = {
    "handle": "its address or its number, as `review` shows it",
    "also": "a further one; may be given again (sleepwake also takes further ones as plain words)",
    "why": "the reason; - reads standard input",
    "dry_run": "only say what would be journaled",
}


@task(
    "review",
    help={
        "dry_run": "only list, also on a terminal",
        "stale": "what has long stood open instead: tasks, questions, blockers, doubts and threads that no journal came"
        " back to for review.stale days",
    },
)
def review(stale: bool = False, dry_run: bool = False, json: bool = False, root: str = "") -> None:
    """List what waits for a word: noticed records, changes of mind, contradictions, decisions that are due.

    On a terminal each is asked about, one key each. A noticed record binds nobody until it is confirmed.

    Example: sleepwake review
    """
    where = here(root)
    view = View(WorkTree(where.root))
    if stale:
        return _review_stale(where, _stale(where, view), dry_run=dry_run, json=json)
    listed = agenda.items(view, where.settings.review_most, now())
    changed = mentions.find(where.root, view, (item.fragment for item in listed), os.getcwd())
    if json:
        return facts([_facts(item, changed.get(item.fragment.identity, ())) for item in listed])
    if proposed := managed_block.rows(view.read(managed_block.PROPOSALS) or ""):
        say(f"for the pages of soul and user, in {managed_block.PROPOSALS}: copy a line there, or delete it")
        say("\n".join((*proposed, "")))
    offered = purposes.offer(view)
    if offered.text:
        say(f"purpose: main.md does not say what this is for. From {offered.source}: {offered.text}")
        say("  sleepwake review.purpose takes it, review.purpose --text ... says it otherwise" + "\n" * bool(listed))
    if not listed:
        return None if offered.text else say("nothing waits for review")
    if not dry_run and _by() == PERSON and sys.stdout.isatty():
        return _ask(where, listed)
    say("\n\n".join(_shown(item, changed.get(item.fragment.identity, ())) for item in listed))
    say(f"\n{agenda.sentence(listed)}")
    return say(
        "sleepwake review.confirm ID..., review.correct ID --text ..., review.reject ID... settle them; an agent does"
        " it with the person's words before it"
    )


def _stale(where: Place, view: View, before: str = "") -> list[Item]:
    day = moment.day(before, now()) if before else ""
    return agenda.stale(view, where.settings.review_stale, now(), day)


def _review_stale(where: Place, listed: Sequence[Item], *, dry_run: bool, json: bool) -> None:
    """Show what has long stood open, or ask about each on a terminal."""
    if json:
        return facts([_facts(item, ()) for item in listed])
    if not listed:
        return say("nothing has stood open so long" if where.settings.review_stale else "review.stale is 0: nothing")
    if not dry_run and _by() == PERSON and sys.stdout.isatty():
        return _ask(where, listed)
    rows = [
        [item.why.rpartition(" since ")[2], item.fragment.kind, item.fragment.handle, clip(item.fragment.text, LINE)]
        for item in listed
    ]
    say(table(["silent since", "kind", "record", "says"], rows))
    days = where.settings.review_stale
    say(f"\n{agenda.stale_sentence(listed)}: open, and nothing came back for over {several(days, 'day')}")
    return say(
        "sleepwake review.confirm ID... says that it is still open, review.reject ID... gives it up; review.reject"
        " --before DAY gives up all that nothing came back to from that day on (--dry-run shows them)"
    )


def _by() -> str:
    """Return whose word it is: an agent's in its session, a person's at a terminal of their own."""
    return PERSON if sys.stdin.isatty() and not settings.is_agents() else AGENT


def _facts(item: Item, changed: Sequence[Mention]) -> dict[str, object]:
    return {
        "sort": item.sort,
        **_record(item.fragment),
        "path": item.path,
        "asked": item.why,
        "against": [_record(side) for side in item.against],
        "code": changed,
    }


def _record(fragment: Fragment) -> dict[str, object]:
    return {
        "address": str(fragment.identity),
        "number": fragment.number,
        "kind": fragment.stated_kind,
        "standing": fragment.standing,
        "says": fragment.text,
        "why": fragment.field("why"),
        "quotation": fragment.field(QUOTATION),
        "source": fragment.field(SOURCE),
        "transcript": fragment.field(TRANSCRIPT),
        "when": fragment.when,
    }


def _shown(item: Item, changed: Sequence[Mention] = ()) -> str:
    fragment = item.fragment
    standing = f"{fragment.standing} " if fragment.is_noticed and item.sort != fragment.standing else ""
    lines = [f"{fragment.handle}  {item.sort}: {standing}{fragment.stated_kind}: {fragment.text}"]
    why, quotation, transcript = (fragment.field(name) for name in ("why", QUOTATION, TRANSCRIPT))
    lines += [f"  why: {why}"] if why else []
    lines += [f'  in: "{quotation}"'] if quotation else []
    source = fragment.field(SOURCE)
    origin = ", ".join(filter(None, (source, fragment.when, transcript)))
    lines += [f"  said{' by' if source else ''}: {origin}"] if origin else []
    lines += [f"  {item.why}: {side.handle} {side.text}" for side in item.against] or (
        [f"  {item.why}"] if item.why else []
    )
    lines += [f"  in the code: {mentions.sentence(mention, fragment.identity)}" for mention in changed]
    return "\n".join(lines)


def _ask(where: Place, listed: Sequence[Item]) -> None:
    """Ask about each, one key each; what is settled with an earlier one is not asked about again."""
    closed: set[str] = set()
    for place_, item in enumerate(listed, 1):
        if {item.fragment.handle, *(side.handle for side in item.against)} & closed:
            continue
        say(f"\n{place_} of {len(listed)}\n{_shown(item)}")
        pressed = _key(_ASK)
        if pressed == "q":
            break
        if pressed not in _KEYS:
            continue
        text = input("It is right so: ").strip() if pressed == "e" else ""
        if pressed == "e" and not text:
            continue
        done = judgement.settle(where, now(), [item.fragment.handle], Word(_KEYS[pressed], PERSON, text))
        closed |= {handle for settled in done for handle in (settled.handle, *settled.closed)}
        _report(done)


def _key(question: str) -> str:
    """Return the key that is pressed on the terminal, without waiting for the end of a line."""
    import termios  # late: no other command asks anything, and Windows has none  # noqa: PLC0415
    import tty  # noqa: PLC0415  # same

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal)
        sys.stdout.write(question)
        sys.stdout.flush()
        pressed = os.read(terminal, 1).decode("ascii", "replace").lower()
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
    say(pressed)
    return pressed


@task(
    "review.purpose",
    plain=("text",),
    help={"text": "what it is for; default: what the README, package or journals say"},
)
def purpose(text: str = "", json: bool = False, root: str = "") -> None:
    """Say in main.md what this is for, where nobody said it: what `review` proposes, or other words.

    Example: sleepwake review.purpose
    """
    written = purposes.take(here(root), prose(text))
    return facts(written) if json else say(f"main.md says now: {written.text} (the next sleep commits it)")


@task("review.confirm", plain=("handle", "also"), help=_HELP)
def confirm(
    handle: str,
    also: list[str] | None = None,
    why: str = "",
    dry_run: bool = False,
    json: bool = False,
    root: str = "",
) -> None:
    """Say that it is so: what was noticed becomes a record, of two at odds this one holds, what was due is kept.

    In an agent's session it is the agent's confirmation, at a terminal a person's.

    Example: sleepwake review.confirm i7qxk.12
    """
    return _settled(root, [handle, *(also or [])], Word(CONFIRM, _by(), why=prose(why)), dry_run=dry_run, json=json)


@task(
    "review.correct",
    help={
        **{name: says for name, says in _HELP.items() if name != "also"},
        "text": "what it says rightly; - reads standard input; default: its own words, where --why corrects the reason",
        "kind": "the kind of record that it is, where that was wrong too",
        "said_by": f"{notes.SAID_BY_HELP}; default: a person's at a terminal, else an agent's",
    },
)
def correct(
    handle: str,
    text: str = "",
    kind: str = "",
    why: str = "",
    said_by: str = "",
    dry_run: bool = False,
    json: bool = False,
    root: str = "",
) -> None:
    """Say what is right in its place: that becomes the record, and the words that were noticed do not come back.

    Any record that holds can be corrected, its words or its reason alone: the new one takes its place. For a person's
    record an agent gives --said-by person.

    Example: sleepwake review.correct i7qxk.12 --text "Backups run every five minutes"
    """
    by = notes.speaker(said_by)[SOURCE] or _by()
    word = Word(CORRECT, by, prose(text), spelt(kind) if kind else "", prose(why))
    return _settled(root, [handle], word, dry_run=dry_run, json=json)


@task(
    "review.reject",
    plain=("handle", "also"),
    help={
        **_HELP,
        "before": "instead of records: all that `review --stale` lists and nothing came back to from this day on"
        " (2026-03-01, `March 2026`, `last week`)",
    },
)
def reject(
    handle: str = "",
    also: list[str] | None = None,
    before: str = "",
    why: str = "",
    dry_run: bool = False,
    json: bool = False,
    root: str = "",
) -> None:
    """Say that it is not so: what was noticed never comes back, a record that was stated is closed.

    What is stale is given up: a task is dropped, a thread abandoned.

    Example: sleepwake review.reject i7qxk.12
    """
    handles = [*filter(None, [handle]), *(also or [])]
    if bool(before) == bool(handles):
        raise UsageError("which? (would be right: records, or --before DAY for what is stale)", hint="sleepwake review")
    if before:
        where = here(root)
        handles = [str(item.fragment.identity) for item in _stale(where, View(WorkTree(where.root)), before)]
    if not handles:
        return facts([]) if json else say(f"nothing is stale that nothing came back to from {before} on")
    return _settled(root, handles, Word(REJECT, _by(), why=prose(why)), dry_run=dry_run, json=json)


@task(
    "review.keep",
    help={
        "text": "what must be told, no longer holds, or is asked; an address or a number stands for its record's words",
        "told_by": "what tells it: words with commas between, that stand within four lines; again for another way",
        "outdated": "it no longer holds",
        "question": "it is a question, for recall",
        "no_answer": "a question that this memory cannot answer",
        "unless": "words beside which an outdated one is not told as if it held; may be given again",
        "weight": "1 to 9; default: 1",
    },
)
def keep(
    text: str,
    told_by: list[str] | None = None,
    outdated: bool = False,
    question: bool = False,
    no_answer: bool = False,
    unless: list[str] | None = None,
    weight: str = "1",
    json: bool = False,
    root: str = "",
) -> None:
    """Keep on the checklist what the next reader must know: `bench.brief` says whether a wake tells it.

    The checklist is memory/checklist.md, to be edited by hand as well; a sleep commits it.

    Example: sleepwake review.keep "The lock is a file" --told-by "lock, NFS" --weight 3
    """
    section = checklist.QUESTION if question or no_answer else checklist.OUTDATED if outdated else checklist.POINT
    item = checklist.Item(
        section,
        prose(text),
        checklist.phrases(told_by or ()),
        1 if not weight.strip() else number(weight, "weight") or 0,
        tuple(unless or ()),
        not no_answer,
    )
    entry = addition.keep(here(root), item)
    return facts(entry._asdict() | {"path": checklist.PATH}) if json else say(f"{checklist.PATH}: {entry.text}")


def _settled(root: str, handles: Sequence[str], word: Word, *, dry_run: bool, json: bool) -> None:
    done = judgement.settle(here(root), now(), handles, word, dry_run=dry_run)
    if json:
        return facts([settled._asdict() | {"by": word.by} for settled in done])
    _report(done, "would be " if dry_run else "")
    return say("dry run: nothing was written") if dry_run else None


def _report(done: Sequence[Settled], would: str = "") -> None:
    verbs = {CONFIRM: "confirmed", CORRECT: "corrected", REJECT: "rejected"}
    for settled in done:
        closed = [handle for handle in settled.closed if handle != settled.handle]
        made = f" as {settled.record}" if settled.record else ""
        rest = f"; {would}closed: {', '.join(closed)}" if closed else ""
        at = f" [{' '.join(settled.addresses)}]" if settled.addresses else ""
        say(f"{settled.handle} {would}{verbs[settled.verdict]}{made}{rest}{at}")


TASKS = (review, confirm, correct, reject, purpose, keep)
