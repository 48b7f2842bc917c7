"""Findings: what a later message of a session says is mended or gone is not told as standing."""

from __future__ import annotations

import pytest

from sleep.journal.capture import digest_drafts, session_digest
from sleep.transcripts.events import Event


def entries(found, done, edited="banner.tsx"):
    """Return (kind, title, change) of the entries of a session that finds something, edits and says what it did."""
    events = [
        Event("person", "prompt", "Please review the banner of the guest page.", line=1),
        Event("agent", "text", found, line=2),
        Event("person", "prompt", "fix the outstanding issues of it", line=3),
        *(
            [Event("agent", "edit", path=edited, id="c1", line=4), Event("tool", "result", id="c1", line=5)]
            if edited
            else []
        ),
        Event("agent", "text", done, line=6),
    ]
    drafts = digest_drafts.drafts(session_digest.of(events, moves=False))
    return [(draft.kind, draft.title, dict(draft.fields).get("change", "")) for draft in drafts]


GUARD = "`OfferBanner` has no `useAuth()` guard."
ADDED = "Added `useAuth()` to `OfferBanner` as a check."


def test_a_finding_that_was_mended_is_a_fix_with_what_mended_it():
    """The names that both have tell that the one ends the other; where nothing was edited, it stands."""
    assert ("fix", GUARD, ADDED) in entries(GUARD, ADDED)
    assert ("note", GUARD, "") in entries(GUARD, ADDED, edited="")


@pytest.mark.parametrize(
    "done",
    ["Added `useStore()` to `CartPage` as a check.", "The banner is red now.", "`OfferBanner` was not touched."],
)
def test_a_finding_that_no_words_end_stands(done):
    """Other names, no names and a denial end nothing."""
    assert ("note", GUARD, "") in entries(GUARD, done)


def test_a_numbered_finding_is_ended_by_its_number():
    """`Bug 1` below which something was done is the one that was found."""
    found = "Bug 1 of the login is still open on both pages of it."
    kinds = entries(found, "**Bug 1 — the login**\n\n- Changed the target of the form to the page before it")
    assert ("fix", found, "Changed the target of the form to the page before it") in kinds


def test_what_was_left_is_not_where_all_was_done():
    """A list of what remains holds no more where everything was fixed."""
    left = "The remaining issues need to be addressed before this is ready."
    assert any(title == left for _, title, _ in entries(left, "The page now waits for the store."))
    assert not any(
        left in title for _, title, _ in entries(left, "All three issues fixed. The page now waits for the store.")
    )


def test_what_is_gone_is_not_told():
    """A claim that a later message takes back is dropped, and the rest of its passage stands."""
    claim = (
        "`coverageThreshold` enforces a minimum of 80% for all. The page has a script of its own for the report of it."
    )
    titles = [title for _, title, _ in entries(claim, "Done. The global 80% threshold is removed.")]
    assert "The page has a script of its own for the report of it." in titles
    assert not any("enforces" in title for title in titles)
