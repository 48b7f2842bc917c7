"""A handoff is told whole, however long it is."""

from __future__ import annotations

FIELDS = {
    "session summary": "the package was laid out anew, read once, and each step writes down why it drops a line",
    "next priority": "recognise the decisions, rules and open points that people say without any label in front",
    "open risk": "the pairs that a wake covers and the outdated statements that it shows pull against each other",
}
WORDS = (
    "The house has rooms, one language and one reader a document. What it still lacks is meaning: the labels stand "
    "beside the benchmarks, split by project before anybody looked, and named features alone find a third of them."
)


def test_every_field_of_a_long_handoff_stays(scene):
    """The last instance's handoff stands in hot memory with each of its fields, and its page of fates drops nothing."""
    scene.open()
    scene.add("handoff", WORDS, **FIELDS)
    scene.sleep()
    hot = scene.text("memory/hot/context.md")
    assert WORDS in hot
    assert [value for value in FIELDS.values() if value not in hot] == []
    (page,) = (scene.top / "memory/fates").iterdir()
    rows = [line for line in page.read_text(encoding="utf-8").splitlines() if "| handoff |" in line]
    assert rows
    assert [row for row in rows if not row.startswith("| kept |")] == []
