"""What acts: sleep, wake, coherence, undo. Each gathers, decides and applies."""
