"""How two records stand to each other: they say the same, or one says otherwise."""
