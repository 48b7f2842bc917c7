"""The relay without a network: events in, effects out. Pure.

markers, timers, buffers, presence, names     what a rule needs, each alone
frames, requests, effects, world              what goes out, what comes in, what follows, what is known
membership, floor, sleeps, talk, arrivals     the rules
machine                                       which rule an event falls under, and what is due
"""
