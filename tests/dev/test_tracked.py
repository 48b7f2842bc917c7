"""What may stand in a tracked file."""

from __future__ import annotations

import pytest

from dev import tracked

HOME, REGISTRY = "ho" + "me", "pypi" + ".org"


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [
        ("a.md", f"one\nsee /{HOME}/ada/notes\n", 2),
        ("a.py", f'"/{HOME.replace("home", "Users")}/ada/x"', 1),
        ("a.md", "`/ro" + "ot/.config`", 1),
        ("a.md", "C:\\Us" + "ers\\ada\\x", 1),
        ("a.toml", f"https://{REGISTRY}/simple", 1),
        ("a.md", "/srv/build/shared/x", 1),
        ("requirements/ci.txt", "a==1\n--find-links wheels\n", 2),
    ],
)
def test_private(path, text, line):
    """What belongs to one machine is named with its line."""
    (found,) = tracked.private(path, text, here=["/srv/build/shared"])
    assert found.startswith(f"{path}:{line}: ")


@pytest.mark.parametrize(
    "text", ["/home/NAME/x", "https://x.org/home/page/1", "/root(?=/)", "a/root/b", "/srv/build/shared-by"]
)
def test_innocent(text):
    """A placeholder, a route and a pattern are nobody's path."""
    assert tracked.private("a.md", text, here=["/srv/build/shared"]) == []


PAGES = {
    "README.md": "[a](docs/a.md) [b](docs/a.md#two-words) [c](docs) [d](https://x.org/no)\n\n"
    "`[e](none)`\n\n```\n[f](none)\n```\n",
    "docs/a.md": "# One\n\n## Two `words`!\n\n[up](../README.md) [self](#one) ![i](i%20j.png)\n",
}
TRACKED = {*PAGES, "docs", "docs/i j.png"}


def test_links():
    """Links to files, directories, headings and elsewhere are alive; what stands in code is no link."""
    assert tracked.dead_links(PAGES, TRACKED) == []


@pytest.mark.parametrize("link", ["b.md", "../a.md", "a.md#three", "#three", "i.png"])
def test_dead(link):
    """A link to no tracked file, or to no heading, is reported with its page."""
    (found,) = tracked.dead_links({**PAGES, "docs/c.md": f"- | [x]({link}) |\n"}, {*TRACKED, "docs/c.md"})
    assert found.startswith("docs/c.md: ")
    assert link.split("#")[-1] in found
