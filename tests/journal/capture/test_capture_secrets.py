"""What a transcript holds of secrets and homes gets into no file of the memory."""

from __future__ import annotations

import os

import pytest
from scene import SECRET
from talk import CWD, Talk

from sleep.debt import sessions
from sleep.journal.capture import session_journal as captures
from sleep.store import context as contexts
from sleep.store import files

HOME = "/ho" + "me/ana"
ENVIRONMENT = "zR7-Kq22-pLw9-Vt4x"
BODY = "x7Vb9QmZr5Yt2Kd8LfWc3Nh6Jp0Rs4Tg1Ue5Ia7Oy9Xq2Bv"
PEM = "RSA PRIVATE KEY"
KEY = "Z7Q4M2X9L5B3N8C6"
# kind -> the secret as it is told, and what of it nobody may read afterwards; put together, so that none stands here.
KINDS = {
    "github": (SECRET, SECRET),
    "aws": (f"AKIA{KEY}", KEY),
    "anthropic": ("-".join(("sk", "ant", "api03", f"{BODY}{BODY[::-1]}")), BODY),
    "slack": ("-".join(("xoxb", "123456789012", "1234567890123", BODY[:24])), BODY[:24]),
    "url": (f"postgres://ana:{BODY[:18]}@db.example.com/app", BODY[:18]),
    "jwt": (".".join(("eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxMjM0NTY3ODkwIn0", BODY[:43])), BODY[:43]),
    "bearer": (f"Authorization: Bearer {BODY[5:40]}", BODY[5:40]),
    "key": (f"-----BEGIN {PEM}-----\nMIIE{BODY}\nMIIE{BODY}\n-----END {PEM}-----", BODY),
    "password": (f"password = '{BODY[3:19]}'", BODY[3:19]),
}


@pytest.fixture
def talk(tmp_path):
    """Return a transcript in which secrets of every kind are told in every place."""
    talk = Talk(tmp_path / "client" / "s1.jsonl")
    for kind, (secret, _) in KINDS.items():
        talk.prompt(f"Deploy the {kind} part with {secret} to the second server, please.")
        talk.says(f"I decided to keep {secret} for the {kind} part because {CWD}/deploy.py reads it.")
        talk.runs(f"deploy {kind}", ok=False, said=f"error: {kind} was refused for {secret} in {CWD}/deploy.log")
        talk.edits(f"{kind}/{secret.splitlines()[0]}.cfg")
        talk.calls("TodoWrite", todos=[{"content": f"rotate {secret} of {kind}", "status": "pending"}])
    talk.prompt(
        f"The server is set up as follows.\npassword:\n\nhunter2Xq9vLm3Z\n\nThe other is {ENVIRONMENT}, not more."
    )
    talk.runs(f'git commit -m "deploy: use {SECRET}"')
    return talk.says(f"All of it stands in {CWD}/README.md and {HOME}/.ssh/config now.")


def told(root):
    """Yield every file below a folder but git's, with its text, and that without line ends and spaces."""
    for folder, _, names in os.walk(root):
        for name in names:
            if ".git" not in folder.split(os.sep):
                text = files.read(os.path.join(folder, name)) or ""
                yield os.path.join(folder, name), text, "".join(text.replace("\\n", "").split())


def test_no_secret_and_no_home_gets_into_the_memory(scene, talk, monkeypatch):
    """Secrets of nine kinds in prompts, answers, errors, paths, tasks and over a line's end are in no file then."""
    monkeypatch.setenv("DEPLOY_TOKEN", ENVIRONMENT)
    context = contexts.of(scene.place.root)
    known = sessions.update(context, "s1", client="claude-code")
    done = captures.capture_session(scene.place, scene.now(), known._replace(transcript_path=str(talk.path)))
    scene.sleep()
    assert len(done.addresses) > len(KINDS)
    assert done.redacted > 4 * len(KINDS)
    assert "[REDACTED:" in scene.text(done.path)
    hidden = [needle for _, needle in KINDS.values()] + ["hunter2Xq9vLm3Z", ENVIRONMENT, HOME]
    for path, text, joined in told(scene.home):
        assert not [one for one in hidden if one in text or one in joined], path


def test_what_is_looked_for_is_told_in_the_transcript(talk):
    """Every secret and home that is looked for stands in the transcript: the test above can fail."""
    text = "".join(talk.path.read_text(encoding="utf-8").replace("\\n", "").split())
    for needle in [*(needle for _, needle in KINDS.values()), "hunter2Xq9vLm3Z", ENVIRONMENT, HOME]:
        assert needle in text
