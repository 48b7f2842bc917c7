"""How many examples a property test tries: few in the default run, all in `inv dev.torture`."""

from hypothesis import settings


def share(count):
    """Return `count` in the long run, and in a short one its share: the profile says how many of a hundred."""
    return max(5, count * settings.default.max_examples // 100)
