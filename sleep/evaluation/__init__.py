"""How good a memory is: measures, baselines, adapters for a harness."""
