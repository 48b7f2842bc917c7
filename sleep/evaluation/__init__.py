"""How good a memory is: measures, baselines, and adapters for an outside harness."""
