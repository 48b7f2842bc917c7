"""What was committed since the last sleep, in lines for a reader: who, how much, which paths, subjects.

Owns the wording. What is quoted is somebody's words about the code, and says so. Pure; hooks load it.
"""

from __future__ import annotations

from sleep.plurals import several

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sleep.code.commits import Activity

_NOBODY = "somebody without a name"


def summary(activity: Activity) -> str:
    """Return how much, since when, by whom: `5 commits since the last sleep (2026-11-21): 12 files, by Ada`.

    `none` is told only where git told all.
    """
    if not activity.commits:
        if not activity.is_whole:
            return "not known: git did not tell all"
        return f"none since {_sleep(activity)}" if activity.slept else "none yet"
    more = "" if activity.is_whole else " or more"
    count = f"{activity.commits} {'commit' if activity.commits == 1 and not more else 'commits'}{more}"
    since = f"since {_sleep(activity)}" if activity.slept else "and no sleep yet"
    return f"{count} {since}: {several(activity.files, 'file')}, by {_authors(activity)}"


def changed(activity: Activity, most: int = 8) -> list[str]:
    """Return the line of the paths that changed most, or of all that changed.

    None where they are too many and each changed once: which of them comes first then tells nothing.
    """
    is_ranked = any(times > 1 for _, times, _ in activity.paths)
    if not is_ranked and activity.files > min(most, len(activity.paths)):
        return []
    return [f"changed{' most' if is_ranked else ''}: {_paths(activity, most)}"]


def _paths(activity: Activity, most: int) -> str:
    """Return the paths that changed most: `src/auth.py` (3 times), `old.py` (gone), and 4 more."""
    shown = [f"`{path}`{_times(times, is_gone=is_gone)}" for path, times, is_gone in activity.paths[:most]]
    rest = activity.files - len(shown)
    return ", ".join(shown) + (f", and {rest} more" if rest > 0 else "")


def subjects(activity: Activity, most: int = 6) -> list[str]:
    """Return the newest commits, a line each: `2026-11-21 a1b2c3d Ada: "Fix the login"`."""
    return [f'{made.day} {made.sha} {made.author or _NOBODY}: "{made.says}"' for made in activity.newest[:most]]


def describe(activity: Activity, most: int = 3) -> list[str]:
    """Return all of this in a few lines, with the newest commits; nothing where nothing was committed."""
    if not activity.commits:
        return []
    return [summary(activity), *changed(activity, most), *subjects(activity, most)]


def facts(activity: Activity | None) -> dict[str, object] | None:
    """Return the same as plain values, None for none."""
    if activity is None:
        return None
    return {
        "count": activity.commits,
        "is_whole": activity.is_whole,
        "merges": activity.merges,
        "files": activity.files,
        "authors": [{"name": name, "commits": count} for name, count in activity.authors],
        "paths": [{"path": path, "commits": count, "is_gone": is_gone} for path, count, is_gone in activity.paths],
        "newest": [made._asdict() for made in activity.newest],
    }


def _sleep(activity: Activity) -> str:
    return f"the last sleep ({activity.slept})"


def _authors(activity: Activity) -> str:
    if len(activity.authors) == 1 == activity.names:
        return activity.authors[0][0] or _NOBODY
    named = [f"{name or _NOBODY} ({count})" for name, count in activity.authors]
    rest = activity.names - len(named)
    return ", ".join(named) + (f" and {rest} more" if rest > 0 else "")


def _times(times: int, *, is_gone: bool) -> str:
    words = [*([f"{times} times"] if times > 1 else []), *(["gone"] if is_gone else [])]
    return f" ({', '.join(words)})" if words else ""
