"""Consolidating a conversation that nears its token limit.

    messages         read, cut, counted, cleaned, checked
    summary          the facts in them, the choice among these, and the text that takes the place of what is removed
    consolidator     MemoryConsolidator: a history in, a shorter one out
    context_window   ContextManager: budget, consolidation, audit
    consolidation    what it gives back, and says about itself
    originals        what was removed, by address              stores      originals on disk
    adapters         LangChain, pydantic-ai, OpenAI Agents

All but `stores` and the adapters is pure: messages in, messages out; the clock and ids are passed in. See
docs/conversation.md.
"""

import sys

from sleep.conversation.consolidation import Outcome, Report
from sleep.conversation.consolidator import MemoryConsolidator
from sleep.conversation.context_window import ContextManager
from sleep.conversation.messages import counters
from sleep.conversation.originals import Originals

sys.modules[f"{__name__}.counting"] = counters  # its former name, by which programs import it

__all__ = ["ContextManager", "MemoryConsolidator", "Originals", "Outcome", "Report"]
