"""What takes the place of removed messages: facts by rank, as text. Pure.

sieve              which words of failure stand anywhere in what tools printed
fact, facts        one thing to keep, and those in speech        results      those in a tool's result
agent_speech       what of an agent's speech is over             source_text  what says nothing by itself
links              what later messages come back to              choice       what of it has room
people             requests                                      sequels      what later events make of earlier ones
state              the state of the work
inventory          all that may be told, before room is asked
summary_text       the text, written and read                    compatible   the strategy that others have had
paraphrase         what a compressor adds
"""
