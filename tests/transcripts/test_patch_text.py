"""What a patch says."""

from __future__ import annotations

from sleep.transcripts import patch_text


def test_the_files_of_a_patch():
    """A patch's files are those it adds, updates and deletes, each once; what it moves one to is the same file."""
    patch = (
        "*** Begin Patch\n*** Add File: a b.py  \n+*** Add File: no.py\n*** Update File: c.py\r\n*** Move to: d.py\n"
        "*** Update File: c.py\n*** Delete File: e.py\n*** End Patch"
    )
    assert patch_text.files(patch) == ("a b.py", "c.py", "e.py")


def test_a_patch_inside_a_string():
    """A patch whose line ends are escaped, in a script that calls the tool, has its files, too."""
    assert patch_text.files(r'apply("*** Begin Patch\n*** Add File: a.py\n+x\n*** End Patch")') == ("a.py",)


def test_no_patch_has_no_files():
    """Text that is no patch changes nothing."""
    assert patch_text.files("Add File: a.py") == ()
