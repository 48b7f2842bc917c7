"""What holds no more, by what was said later or a day that is past."""
