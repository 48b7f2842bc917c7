"""Which pages of a project a sleep adds to, and the form that tells what is ours in each.

Owns that table. A page that is not there is not made: a project that keeps no changelog is given none.
"""

from __future__ import annotations

import operator
from functools import partial
from typing import TYPE_CHECKING, Any

from sleep.documents.project import change_list, dated_lines, managed_block
from sleep.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    Merge = Callable[[str, str, str], str | None]


class Form(NamedTuple):
    """What is done with a page.

    `is_kept` takes the page before and after, and says whether all that is a person's was kept. `merged` takes the page
    now, what a person changed (before, after), and a three-way merge; None where the two are at odds.
    """

    is_kept: Callable[[str, str], bool]
    merged: Callable[[str, str, str, Merge], str | None]


def of(path: str) -> Form | None:
    """Return the form of a page that a sleep adds to, None for any other path."""
    if path == managed_block.PATH:
        return _BLOCK
    if path == managed_block.PROPOSALS:
        return _PROPOSALS
    if path == change_list.PATH:
        return _LIST
    folder, _, name = path.rpartition("/")
    is_page = f"{folder}/" in dated_lines.FOLDERS and name.endswith(".md") and not name.startswith(".")
    return _LINES if is_page else None


def _merged(
    split: Callable[[str], tuple[str, Any]],
    join: Callable[[str, Any], str],
    is_same: Callable[[str, str], bool],
    now: str,
    before: str,
    after: str,
    merge: Merge,
) -> str | None:
    """Return what a person made of a page, with what is ours as it is now."""
    try:
        (mine, ours), (base, _), (theirs, _) = (split(text) for text in (now, before, after))
        both = theirs if is_same(mine, base) else merge(mine, base, theirs)
        return None if both is None else join(both, ours)
    except ValueError:  # one of them cannot be read
        return None


_BLOCK = Form(managed_block.is_kept, managed_block.merged)
_PROPOSALS = Form(managed_block.is_proposal_kept, managed_block.merged)
_LIST = Form(change_list.is_kept, partial(_merged, change_list.split, change_list.join, operator.eq))
_LINES = Form(dated_lines.is_kept, partial(_merged, dated_lines.split, dated_lines.join, dated_lines.is_same))
