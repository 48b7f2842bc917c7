"""What of a memory holds no more, told by what was said later or by a day that is past."""
