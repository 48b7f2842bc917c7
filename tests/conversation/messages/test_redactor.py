"""Secrets are taken out of what messages say, wherever it stands; what a provider sealed says nothing."""

from __future__ import annotations

import pytest

from sleep.conversation.messages import redactor

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.mark.parametrize(
    "message",
    [
        {"role": "assistant", "content": [{"type": "thinking", "thinking": SECRET, "signature": f"api_key={SECRET}"}]},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": SECRET}], "encrypted_content": SECRET},
    ],
)
def test_what_a_provider_sealed_stays(message):
    """The thought loses its secret and the seal stays as it was, or the provider refuses the original."""
    clean = redactor.clean([message]).messages[0]
    inner = message["content"][0] if "content" in message else message
    after = clean["content"][0] if "content" in clean else clean
    name = "signature" if "signature" in inner else "encrypted_content"
    assert after[name] == inner[name]
    assert SECRET not in str({**after, name: ""})
    assert "REDACTED" in str(clean)


def test_a_field_of_that_name_elsewhere_is_searched():
    """In what a call was given a signature is a text like others."""
    call = {"type": "tool_use", "id": "c", "name": "sign", "input": {"signature": SECRET}}
    message = {"role": "assistant", "content": [call]}
    assert SECRET not in str(redactor.clean([message]).messages)


def test_a_thought_that_is_sealed_whole_stays():
    """A thought that only its provider can read is passed over, however it looks."""
    thought = {"type": "redacted_thinking", "data": SECRET}
    assert redactor.clean([{"role": "assistant", "content": [thought]}]).messages[0]["content"] == [thought]
