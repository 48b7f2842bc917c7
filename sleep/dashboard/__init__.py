"""The dashboard: a window on the relay and on the memory, for people. A room that can only look.

    site          which path is which page: what a relay is handed     board         the streams of what happens
    glance        what is shown of the relay                           overview      what is read of the memory
    memory_page   the pages of the memory                              plot, markup  a picture, and HTML as values

Of a relay it gets plain values and nothing else: it imports none of its modules, and nothing that writes. It refuses to
act on an agent, a message or the memory.
"""
