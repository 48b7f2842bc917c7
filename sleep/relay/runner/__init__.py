"""A headless agent: what it is prompted with, its processes, and what it says.

guards           what it is prompted with, and when: pure
process_group    one turn of its command, and the end of all that it started
message_backlog  what a keyed agent heard and has not answered, in a file
solo, agent      the loop without a relay, which a signal ends in good order; the loop on one
"""
