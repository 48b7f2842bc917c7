"""The programs that CI installs: which of them it cannot do without, and what it says of the others."""

from __future__ import annotations

import pytest

from dev.ci import programs
from dev.ci.stages import Job, Machine
from sleep.clients import client_table

NPM = """#!/bin/sh
case "$*" in *LACKS*) exit 1 ;; esac
while [ $# -gt 0 ]; do
  case $1 in
    --prefix) place=$2 ;;
    *@*.*.*) version=${1##*@} ;;
  esac
  shift
done
mkdir -p "$place/bin"
printf '#!/bin/sh\\necho %s\\n' "$version" >"$place/bin/${place##*/}"
chmod +x "$place/bin/${place##*/}"
"""


@pytest.mark.parametrize(("lacks", "code"), [("no-such", 0), ("@google/gemini-cli", 0), ("@openai/codex", 1)])
def test_a_client_that_few_need_fails_nothing(tmp_path, lacks, code):
    """Without Codex the stage fails; without Gemini CLI it goes on, and both times says what is not shown."""
    for name, text in (("npm", NPM.replace("LACKS", lacks)), ("node", "#!/bin/sh\n")):
        (tmp_path / "bin").mkdir(exist_ok=True)
        (tmp_path / "bin" / name).write_text(text, encoding="ascii")
        (tmp_path / "bin" / name).chmod(0o755)
    for name in ("shared", "clone"):
        (tmp_path / name).mkdir()
    variables = {"PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin", "E2E_HOME": str(tmp_path / "e2e"), "CI": "true"}
    job = Job("clients", Machine(tmp_path / "clone", tmp_path, variables))
    assert programs.clients(job) == code
    said = job.path.read_text(encoding="utf-8")
    assert ("gemini is absent" in said) == ("gemini" in lacks)
    assert ("NOT shown" in said) == (lacks != "no-such")
    assert set(programs.OTHERS) == {name[4:].lower() for name in variables if name.startswith("E2E_")} - {
        *programs.CLIENTS,
        "home",
        "inspector",
    }


def test_the_versions_are_those_that_were_tried():
    """What CI installs is what `clients.status` says was tried, for every client that there is."""
    known = {name: version for name, (_, version) in {**programs.CLIENTS, **programs.OTHERS}.items()}
    assert known == {name: client_table.of(name).tried for name in client_table.CLIENTS}
