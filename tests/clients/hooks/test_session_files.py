"""The files that hooks keep, one a session."""

from __future__ import annotations

import os

from sleep.clients.hooks import session_files


def test_no_id_leads_out_of_the_folder(tmp_path):
    """Whatever letters an id has, its file is right in the folder, and another id has another one."""
    places = {session_files.path(str(tmp_path), each) for each in ("a", "../a", "/etc/a", "a\ud800", "a\0b")}
    assert {os.path.dirname(place) for place in places} == {str(tmp_path)}
    assert len(places) == 5


def test_old_files_go(tmp_path):
    """What has not changed for longer than that is removed, the rest stays; no folder is no error."""
    for name, moment in (("old", 1), ("new", None)):
        (tmp_path / name).write_bytes(b"")
        if moment:
            os.utime(tmp_path / name, (moment, moment))
    session_files.sweep(str(tmp_path), 3600)
    assert os.listdir(tmp_path) == ["new"]
    session_files.sweep(str(tmp_path / "none"), 3600)
