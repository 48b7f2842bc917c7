"""The tasks of a sleep and of a wake: `sleep.*`, `wake.*`, `compress`."""
