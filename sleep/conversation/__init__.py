"""Consolidating a conversation that nears its token limit: what an agent's runtime calls before a request.

    messages    the four shapes of messages, read into one           pairs        where a history may be cut
    marks       the words that tell what kind of thing is said       facts        what of speech is worth keeping
    results     what of a tool's result is                           redacting    secrets out of all of it
    links       what later messages come back to                     choice       what of it has room
    sifting     which words stand anywhere, asked once
    summary     the text that takes the place of what is removed     clipping     tool results, head and tail
    compatible  the strategy that others have had                    consolidator MemoryConsolidator
    context     ContextManager: budget, consolidation, audit         originals    what was removed, by address
    validator   what each provider accepts                           records      files and transcripts as messages
    prose       what a compressor adds                               adapters     LangChain, pydantic-ai, OpenAI Agents

All but `stores` and the adapters is pure: messages in, messages out; the clock and ids are passed in. See
docs/conversation.md.
"""

from sleep.conversation.consolidator import MemoryConsolidator, Outcome, Report
from sleep.conversation.context import ContextManager
from sleep.conversation.originals import Originals

__all__ = ["ContextManager", "MemoryConsolidator", "Originals", "Outcome", "Report"]
