"""The compressor `llm`, with the real library and a model on loopback; `pytest -m llm` runs it, CI insists on it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from sleep.compressors import llm_library
from sleep.compressors.delegation import CallError
from sleep.errors import CompressorError
from sleep.settings import Settings

pytestmark = pytest.mark.llm


class _Model(BaseHTTPRequestHandler):
    """The OpenAI chat protocol, as far as one answer needs it; what it says and how is set on the server."""

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((asked, self.headers.get("Authorization")))
        time.sleep(self.server.delay)
        message = {"role": "assistant", "content": self.server.says}
        body = json.dumps(
            {
                "id": "x",
                "object": "chat.completion",
                "created": 1,
                "model": asked["model"],
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
            }
        ).encode()
        self.send_response(self.server.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_words):
        """Say nothing."""


@pytest.fixture
def model(tmp_path, monkeypatch):
    """Return a model on loopback that the library knows as `tiny`, without the network and with a home of its own."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Model)
    server.asked, server.says, server.delay, server.status = [], "", 0.0, 200
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    home = tmp_path / "llm"
    home.mkdir()
    (home / "extra-openai-models.yaml").write_text(
        "- model_id: tiny\n  model_name: tiny-1\n"
        f"  api_base: http://127.0.0.1:{server.server_address[1]}\n"
        "  api_key_name: tiny\n"
    )
    (home / "keys.json").write_text('{"tiny": "not-a-real-key"}')
    monkeypatch.setenv("LLM_USER_PATH", str(home))
    for name in ("OPENAI_API_KEY", "http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    yield server
    server.shutdown()
    server.server_close()


def _prepared(name="tiny", seconds=60.0):
    return llm_library.prepare(Settings(compressor_model=name, compressor_timeout=seconds), os.environ, ())


def test_a_models_reply_is_judged_and_taken(model, request_, good):
    """A request goes to the model as one prompt, with its key, and the reply becomes the answer under its name."""
    model.says = good
    answer = _prepared()(request_)
    assert (answer.compressor, answer.note) == ("llm/tiny", "")
    [(asked, key)] = model.asked
    assert asked["model"] == "tiny-1"
    assert "===== MATERIAL BEGINS =====" in asked["messages"][-1]["content"]
    assert key == "Bearer not-a-real-key"


def test_a_bad_reply_is_asked_for_once_more(model, request_, good):
    """A reply that invents a number is refused, asked for again with what was wrong, and then left."""
    model.says = good.replace("312", "313")
    answer = _prepared()(request_)
    assert "313" in answer.note
    assert len(model.asked) == 2
    assert "“313”" in model.asked[1][0]["messages"][-1]["content"]


def test_a_model_that_does_not_answer(model, request_):
    """One that takes too long ends with the time-out, and the extractive answer stands in."""
    model.delay = 30
    began = time.monotonic()
    answer = _prepared(seconds=4)(request_)
    assert "no answer within 4 s" in answer.note
    assert time.monotonic() - began < 20


def test_a_model_that_refuses(model):
    """An error of the server is a failed call, with its words, on a line, for the person alone."""
    model.status = 400
    with pytest.raises(CallError) as caught:
        _prepared()._call("x")
    assert caught.value.why == "exit code 1"
    assert "400" in caught.value.said
    assert "Traceback" not in caught.value.said


def test_what_is_missing_stops_at_once(model, tmp_path):
    """A model that the library does not know, or has no key for, is an error before anything is asked."""
    with pytest.raises(CompressorError, match="llm knows no model 'no-such-model'"):
        _prepared("no-such-model")
    (tmp_path / "llm" / "keys.json").unlink()
    with pytest.raises(CompressorError, match="No key found"):
        _prepared()
    assert model.asked == []


def test_a_plugin_that_breaks_is_no_bug_of_ours(tmp_path):
    """A plugin that raises while it is loaded ends in an error that names it, before anything is asked."""
    info = tmp_path / "broken_llm-0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-llm\nVersion: 0.1\n")
    (info / "entry_points.txt").write_text("[llm]\nbroken_llm = broken_llm\n")
    (tmp_path / "broken_llm.py").write_text("raise RuntimeError('this plugin is broken')\n")
    code = "from sleep.compressors import llm_library; llm_library._insist('tiny')"
    paths = os.pathsep.join((str(tmp_path), os.getcwd()))
    environment = {**os.environ, "PYTHONPATH": paths, "LLM_USER_PATH": str(tmp_path)}
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert "CompressorError: " in ended.stderr
    assert "RuntimeError: this plugin is broken" in ended.stderr


def test_nothing_else_loads_it():
    """The library is loaded when it is asked for, and stays out of the modules that every sleep loads."""
    code = "import sys; import sleep.cycle.sleep; print('llm' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.strip() == "False"
