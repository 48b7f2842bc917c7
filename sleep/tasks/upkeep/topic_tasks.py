"""`topic.*`: the topics of warm and cold memory, and having them as a person wants them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleep.memory.view import View
from sleep.plurals import several
from sleep.store.tree import WorkTree
from sleep.tasks.arguments import here, now, wanted
from sleep.tasks.output import clip, facts, say, table
from sleep.tasks.task import task
from sleep.upkeep import topic_edits

if TYPE_CHECKING:
    from sleep.records.topic_changes import Change
    from sleep.upkeep.topic_edits import Done

_WIDE = 100  # characters of a fragment that are shown
_DRY = {"dry_run": "only say what would move"}
_ALSO = "a further one; may be given again (sleepwake also takes further ones as plain words)"


@task("topic.list", plain=("topic",), help={"topic": "show what this topic holds, by address"})
def list_(topic: str = "", json: bool = False, root: str = "") -> None:
    """List the topics with their fragments in warm and cold memory, and what became of those that are gone.

    Example: sleepwake topic.list
    """
    view = View(WorkTree(here(root).root))
    if topic:
        held = topic_edits.fragments_of(view, topic)
        rows = [[str(fragment.identity), fragment.kind, clip(fragment.text, _WIDE)] for fragment in held]
        if json:
            return facts([{"address": row[0], "kind": row[1], "says": other.text} for row, other in zip(rows, held)])  # noqa: B905
        return say(table(["address", "kind", "says"], rows))
    listed, changes = topic_edits.known(view), view.topic_changes.all
    if json:
        topics = [{**known._asdict(), "fragments": known.fragments} for known in listed]
        return facts({"topics": topics, "changes": changes})
    if not listed:
        return say("there is no topic yet: a sleep makes them, of what is older than the last instances")
    rows = [[known.topic, str(known.warm), str(known.cold), "chosen" if known.is_chosen else ""] for known in listed]
    say(table(["topic", "warm", "cold", "name"], rows))
    return say("\n".join(change.line for change in changes)) if changes else None


@task("topic.rename", help={"old": "the topic", "new": "what it is called from now on", **_DRY})
def rename(old: str, new: str, dry_run: bool = False, json: bool = False, root: str = "") -> None:
    """Give a topic another name, in one commit; later sleeps put what would go there under the new one.

    Example: sleepwake topic.rename build-recall-an recall
    """
    where = here(root)
    change = topic_edits.rename(View(WorkTree(where.root)), old, new)
    return _tell(topic_edits.make(where, change, now(), dry_run=dry_run), json=json)


@task(
    "topic.merge",
    plain=("topic", "also"),
    help={"topic": "a topic", "also": _ALSO, "into": "the topic that they become, a new one or one of them", **_DRY},
)
def merge(
    topic: str,
    also: list[str] | None = None,
    into: str = "",
    dry_run: bool = False,
    json: bool = False,
    root: str = "",
) -> None:
    """Make one topic of several, in one commit; what later sleeps would put under one of them goes there too.

    Example: sleepwake topic.merge dns hosts --into networking
    """
    where = here(root)
    names = [topic, *(also or ())]
    change = topic_edits.merge(View(WorkTree(where.root)), names, wanted(into, "into", "topic.merge", *names))
    return _tell(topic_edits.make(where, change, now(), dry_run=dry_run), json=json)


@task(
    "topic.split",
    help={
        "topic": "the topic",
        "into": "the topic that they get",
        "words": "fragments that say this word or these words go, now and later; may be given again",
        "address": "the fragment at this address goes; may be given again; `topic.list TOPIC` shows them",
        **_DRY,
    },
)
def split(
    topic: str,
    into: str = "",
    words: list[str] | None = None,
    address: list[str] | None = None,
    dry_run: bool = False,
    json: bool = False,
    root: str = "",
) -> None:
    """Give some of a topic's fragments a topic of their own, in one commit that later sleeps respect.

    Example: sleepwake topic.split general --into networking --words dns
    """
    where = here(root)
    name = wanted(into, "into", "topic.split", topic)
    change = topic_edits.split(View(WorkTree(where.root)), topic, name, words or (), address or ())
    return _tell(topic_edits.make(where, change, now(), dry_run=dry_run), json=json)


def _tell(done: Done, *, json: bool) -> None:
    change: Change = done.change
    if json:
        return facts(done)
    lead = f"{change.line.removeprefix('- ')}: {several(done.moved, 'fragment')}"
    end = f"; commit {done.commit[:10]}" if done.commit else "; nothing was changed"
    return say("\n".join((lead + (" moved" if done.commit else " would move") + end, *done.files)))


TASKS = (list_, rename, merge, split)
