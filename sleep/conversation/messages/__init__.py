"""Messages as providers write them: read, cut, counted, cleaned, checked. Pure.

messages     the four shapes, read into one        pairs        where a history may be cut
counters     tokens of messages                    redactor     secrets out of messages
truncation   tool results, head and tail           validator    what each provider accepts
loader       files and transcripts as messages
"""
