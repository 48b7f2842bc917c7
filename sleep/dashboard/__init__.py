"""The dashboard: a window on relay and memory that can only look.

    site          which path is which page: what a relay is handed     board         the streams of what happens
    overview      what is read of the memory                           memory_page   the pages of it
    plot          a picture, and the scale of any                      markup        HTML as values

Of a relay it gets plain values and nothing else: it imports none of its modules, and nothing that writes. It refuses to
act on an agent, a message or the memory.
"""
