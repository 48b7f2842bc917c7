"""Vectors for `recall` by the library llm: off unless named, allowed on this machine, and never an error."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from scene import Scene

from sleep import extra_install
from sleep.compressors import embeddings
from sleep.recall import query, vectors
from sleep.recall.query import Query

MODEL = "fake/words"
ASKED = "who procured a velocipede"
# A plugin of the library: a model by which words of one meaning share a dimension, and which notes what it is given.
_PLUGIN = """\
import hashlib, json, os, sys, llm

ALIKE = {"velocipede": "tandem", "procured": "bought"}

class Words(llm.EmbeddingModel):
    model_id = "fake/words"
    def embed_batch(self, texts):
        print("loading the weights: 100 %")
        texts = list(texts)
        with open(os.environ["FAKE_LOG"], "a") as log:
            log.write(json.dumps(texts) + "\\n")
        if os.environ.get("FAKE_FAILS"):
            raise RuntimeError("the weights are not here")
        for text in texts:
            vector = [0.0] * 64
            for word in text.lower().split():
                if len(word) > 2 and word != "who":
                    vector[hashlib.sha1(ALIKE.get(word, word).encode()).digest()[0] % 64] += 1.0
            yield vector

@llm.hookimpl
def register_embedding_models(register):
    register(Words())
"""


@pytest.fixture
def scene(tmp_path):
    """Return a memory with two entries, which is not slept on."""
    made = Scene(tmp_path / "project")
    made.open()
    made.add("note", "Ada bought a tandem")
    made.add("note", "The walrus sleeps under the pier")
    return made


@pytest.fixture
def given(tmp_path, monkeypatch):
    """Install the plugin for children; return a function that returns the texts of each call so far."""
    folder = tmp_path / "plugins"
    about = folder / "fake_words-1.dist-info"
    about.mkdir(parents=True)
    (folder / "fake_words.py").write_text(_PLUGIN)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: fake-words\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[llm]\nfake = fake_words\n")
    log = tmp_path / "log"
    log.touch()
    monkeypatch.setenv("PYTHONPATH", str(folder))
    monkeypatch.setenv("FAKE_LOG", str(log))
    monkeypatch.setenv("LLM_USER_PATH", str(tmp_path / "llm"))
    return lambda: [json.loads(line) for line in log.read_text().splitlines()]


@pytest.fixture
def told():
    """Return the sentences that were said."""
    return []


@pytest.fixture
def ask(scene, told):
    """Return a function that asks a question as the command does."""

    def ask(question=ASKED):
        near = embeddings.near(scene.place.root, told.append)
        return query.answer(scene.place.root, Query(question), near=near).text

    return ask


def _in_file(scene, text=f"recall:\n  vectors: {MODEL}\n"):
    scene.write("memory/sleep.yaml", scene.text("memory/sleep.yaml") + "\n" + text)


def test_off_by_default(scene, ask, told):
    """Nobody is asked and nothing is kept unless a model is named; what `init` wrote names none."""
    _in_file(scene, "# recall.vectors is off here\n")
    assert embeddings.near(scene.place.root, told.append) is None
    assert ask().startswith("Nothing in this memory fits")
    assert told == []
    assert os.listdir(scene.place.root.state_dir).count(vectors.NAME) == 0


def test_off_loads_nothing(scene):
    """A question without vectors loads neither the libraries nor what would ask them."""
    call = "import sys; from sleep.__main__ import main\ntry: main(['sleepwake', 'recall', 'walrus'])\n"
    call += "except SystemExit: print(*sys.modules, file=sys.stderr)"
    found = subprocess.run(
        [sys.executable, "-c", call], cwd=scene.home, capture_output=True, text=True, check=True, timeout=120
    )
    assert "pier" in found.stdout
    loaded = set(found.stderr.split())
    assert "sleep.compressors.embeddings" in loaded
    unwanted = {"numpy", "llm", "sleep.recall.vectors", "sleep.recall.fusion"}
    assert not (unwanted | {"sleep.compressors.call", "sleep.compressors.permission"}) & loaded


def test_a_tracked_file_asks_no_model_by_itself(scene, ask, told):
    """A model that only the tracked file names is not asked: a sentence says how to allow it, and words answer."""
    _in_file(scene)
    assert "pier" in ask("walrus")
    [sentence] = told
    assert sentence.startswith("Words alone answer, without vectors: memory/sleep.yaml: recall.vectors is 'fake/words'")
    assert "nobody has allowed on this machine" in sentence
    assert f"git config sleep.recall.vectors {MODEL}, if you trust it" in sentence
    scene.git("config", "sleep.recall.vectors", "fake/others")
    ask("walrus")
    assert "nobody has allowed" in told[1]
    assert "\n" not in "".join(told)


@pytest.mark.parametrize("library", ["llm", "numpy"])
def test_a_library_that_is_missing(scene, ask, told, monkeypatch, library):
    """Without one of them a sentence says what to install, and words answer."""
    monkeypatch.setenv("SLEEP_RECALL_VECTORS", MODEL)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == library else object())
    assert "pier" in ask("walrus")
    [sentence] = told
    assert f"the library {library} is not installed; {extra_install.command('vectors')}" in sentence


def test_settings_that_cannot_be_read(scene, told):
    """A file that is off is a sentence here; what needs the settings stops."""
    root, before = scene.place.root, scene.text("memory/sleep.yaml")
    for slip, said in (("  vectors: [\n", "line "), ("  vectorss: x\n", "did you mean recall.vectors?")):
        scene.write("memory/sleep.yaml", f"{before}\nrecall:\n{slip}")
        assert embeddings.near(root, told.append) is None
        assert said in told.pop()
    scene.write("memory/sleep.yaml", f"{before}\nrecall:\n  bogus: x # vectors\n")
    assert embeddings.near(root, told.append) is None
    assert told == []


def test_inside_a_models_call(scene, ask, told, monkeypatch):
    """A question from within a compressor or a model asks no model, so none can call itself."""
    monkeypatch.setenv("SLEEP_RECALL_VECTORS", MODEL)
    monkeypatch.setenv("SLEEP_COMPRESSING", "1")
    assert "pier" in ask("walrus")
    assert "may not ask a model" in told[0]


@pytest.mark.llm
def test_a_question_without_a_shared_word(scene, ask, told, given, monkeypatch):
    """It finds its row with a model and not without; the next question costs itself alone."""
    assert ask().startswith("Nothing in this memory fits")
    assert given() == []
    monkeypatch.setenv("SLEEP_RECALL_VECTORS", MODEL)
    answer = ask()
    assert "Ada bought a tandem" in answer
    assert "means nearly the same" in answer
    assert "walrus" not in answer
    assert ask() == answer
    first, second = given()
    assert first[0] == ASKED
    assert {"Note: Ada bought a tandem", "Note: The walrus sleeps under the pier"} <= set(first[1:])
    assert second == [ASKED]
    assert told == []
    monkeypatch.delenv("SLEEP_RECALL_VECTORS")
    assert ask().startswith("Nothing in this memory fits")
    assert len(given()) == 2


@pytest.mark.llm
def test_the_file_may_be_deleted(scene, ask, given, monkeypatch):
    """Without the file beside the index everything is embedded anew."""
    monkeypatch.setenv("SLEEP_RECALL_VECTORS", MODEL)
    answer = ask()
    os.unlink(os.path.join(scene.place.root.state_dir, vectors.NAME))
    assert ask() == answer
    first, second = given()
    assert first == second
    assert "recall-vectors" not in scene.git("status", "--porcelain", "--ignored")


@pytest.mark.llm
def test_the_command(scene, given):
    """`sleepwake recall` uses what git's settings allow; what the model prints is no part of the answer."""
    _in_file(scene)
    scene.git("config", "sleep.recall.vectors", MODEL)
    found = subprocess.run(
        [sys.executable, "-m", "sleep", "recall", ASKED, "--json"],
        cwd=scene.home,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((os.environ["PYTHONPATH"], *sys.path))},
    )
    assert found.stderr == ""
    [passage] = json.loads(found.stdout)["passages"]
    assert passage["lines"] == ["Note: Ada bought a tandem"]
    assert passage["why"] == ["means nearly the same"]
    assert len(given()) == 1


@pytest.mark.llm
def test_a_model_that_fails(ask, told, given, monkeypatch):
    """What the model says is one sentence, and words answer; an unknown model is the same."""
    monkeypatch.setenv("SLEEP_RECALL_VECTORS", MODEL)
    monkeypatch.setenv("FAKE_FAILS", "1")
    assert "pier" in ask("walrus")
    assert told == ["Words alone answer, without vectors: fake/words failed (RuntimeError: the weights are not here)."]
    monkeypatch.setenv("SLEEP_RECALL_VECTORS", "no-such")
    assert "pier" in ask("walrus")
    assert "no-such failed (UnknownModelError: " in told[1]


@pytest.mark.llm
def test_no_secret_is_given_to_a_model(scene, ask, given, monkeypatch):
    """The value of a secret variable that somebody wrote into a page by hand goes to no model."""
    monkeypatch.setenv("DEPLOY_PASSWORD", "tulip-harbour-4711")
    scene.write("memory/knowledge/door.md", "# Door\n\nSay tulip-harbour-4711 at the door.\n")
    monkeypatch.setenv("SLEEP_RECALL_VECTORS", MODEL)
    ask()
    assert "at the door" in str(given())
    assert "tulip" not in str(given())


@pytest.mark.llm
def test_the_past_is_asked_too(scene, told, given, monkeypatch):
    """A moment of the past is searched by meaning as the present is."""
    scene.sleep()
    scene.open()
    monkeypatch.setenv("SLEEP_RECALL_VECTORS", MODEL)
    near = embeddings.near(scene.place.root, told.append)
    for asked in (Query(ASKED, at="HEAD"), Query(ASKED, whole_past=True)):
        assert "Ada bought a tandem" in query.answer(scene.place.root, asked, near=near).text
    assert told == []


_FOLDER_MODEL = """\
class SentenceTransformer:
    def __init__(self, folder):
        self.weight = float(open(folder + "/weight").read())
    def encode(self, texts):
        print("loading")
        return [[self.weight, 1.0 if "tandem" in text or "velocipede" in text else 0.0] for text in texts]
"""


@pytest.mark.llm
def test_a_model_in_a_folder(scene, ask, told, tmp_path, monkeypatch):
    """A folder is a model of sentence-transformers, which needs no `llm`; without that library a sentence says so."""
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "weight").write_text("0.1")
    monkeypatch.setenv("SLEEP_RECALL_VECTORS", str(folder))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "sentence_transformers" else name)
    assert "means nearly the same" not in ask()
    assert "the library sentence_transformers is not installed" in told.pop()
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "llm" else name)
    library = tmp_path / "plugins" / "sentence_transformers"
    library.mkdir(parents=True)
    (library / "__init__.py").write_text(_FOLDER_MODEL)
    monkeypatch.setenv("PYTHONPATH", str(library.parent))
    answer = ask()
    assert ("Ada bought a tandem" in answer, "means nearly the same" in answer, told) == (True, True, [])
